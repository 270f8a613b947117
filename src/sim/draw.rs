//! Uniform draws: draw i of trial t is word i of stream t of one seed, so that any draw can be made again by its number.
//!
//! A word has 32, 64 or 128 bits, low byte first. Of a space of 2^b values a draw is the first b bits of its word, exactly
//! uniform. Of N values it is floor(w N / 2^W) for a word w of W bits, whose odds differ from 1/N by less than N/2^W of
//! themselves: below 2^-32 here, which shows after some 2^64 draws.

use crate::id::generator::{BLOCK, Stream};
use std::fmt::Debug;
use std::hash::Hash;

/// An id as a number.
pub trait Id: Copy + Ord + Hash + Default + Debug + Send + Sync + bytemuck::Pod {
    /// Bits of it.
    const BITS: u32;

    /// Its low 64 bits.
    fn low(self) -> u64;

    /// The whole of it.
    fn wide(self) -> u128;

    /// The number whose low 128 bits those are.
    fn cut(wide: u128) -> Self;

    /// It without its lowest bits, moved down.
    #[must_use]
    fn shifted(self, bits: u32) -> Self;
}

macro_rules! id {
    ($($number:ty),*) => {$(
        impl Id for $number {
            const BITS: u32 = <$number>::BITS;

            #[inline]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline]
            fn wide(self) -> u128 {
                u128::from(self)
            }

            #[inline]
            fn cut(wide: u128) -> $number {
                wide as $number
            }

            #[inline]
            fn shifted(self, bits: u32) -> $number {
                self >> bits
            }
        }
    )*};
}

id!(u32, u64, u128);

/// The draws of one trial.
pub trait Draws: Sync {
    /// What an id is kept as.
    type Id: Id;

    /// Bits that its ids have at most: each is below 2^bits.
    fn bits(&self) -> u32;

    /// Draws from number `from` on, counted from 0, as many as there is room for.
    fn fill(&self, from: u64, ids: &mut [Self::Id]);
}

/// Uniform ids of so many bits, each in a number of type `I`.
#[derive(Debug, Clone)]
pub struct Uniform<I> {
    stream: Stream,
    bits: u32,
    of: std::marker::PhantomData<I>,
}

impl<I: Id> Uniform<I> {
    /// Ids of 1 to `I::BITS` bits from a stream, one a trial.
    pub fn new(stream: Stream, bits: u32) -> Uniform<I> {
        assert!((1..=I::BITS).contains(&bits), "{bits} bits do not fit into {}", I::BITS);
        Uniform { stream, bits, of: std::marker::PhantomData }
    }

    /// Goes on with another trial.
    pub fn set_trial(&mut self, trial: u64) {
        self.stream.set_number(trial);
    }
}

impl<I: Id> Draws for Uniform<I> {
    type Id = I;

    fn bits(&self) -> u32 {
        self.bits
    }

    fn fill(&self, from: u64, ids: &mut [I]) {
        words(&self.stream, from, ids);
        let spare = I::BITS - self.bits;
        if spare > 0 {
            for id in ids {
                *id = id.shifted(spare);
            }
        }
    }
}

/// Words of a stream from number `from` on.
pub fn words<I: Id>(stream: &Stream, from: u64, words: &mut [I]) {
    let per_block = (BLOCK / size_of::<I>()) as u64;
    let ahead = (from % per_block) as usize;
    let block = from / per_block;
    if ahead == 0 {
        stream.fill(block, bytemuck::cast_slice_mut(words));
    } else {
        // A start within a block: that block is made whole and its end is taken.
        let mut first = [I::default(); 4];
        let first = &mut first[..per_block as usize];
        stream.fill(block, bytemuck::cast_slice_mut(first));
        let taken = words.len().min(first.len() - ahead);
        words[..taken].copy_from_slice(&first[ahead..ahead + taken]);
        stream.fill(block + 1, bytemuck::cast_slice_mut(&mut words[taken..]));
    }
    if cfg!(target_endian = "big") {
        for word in words {
            let mut bytes: Vec<u8> = bytemuck::bytes_of(word).to_vec();
            bytes.reverse();
            *word = bytemuck::pod_read_unaligned(&bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::generator::{Cipher, Seed};

    fn stream(cipher: Cipher, number: u64) -> Stream {
        Stream::new(cipher, &Seed::from(7), number)
    }

    #[test]
    fn a_draw_is_the_same_wherever_it_is_entered() {
        for cipher in [Cipher::Aes, Cipher::ChaCha8] {
            let draws = Uniform::<u32>::new(stream(cipher, 3), 20);
            let mut all = [0; 101];
            draws.fill(0, &mut all);
            for from in 0..101 {
                let mut rest = vec![0; 101 - from];
                draws.fill(from as u64, &mut rest);
                assert_eq!(rest, all[from..], "{from}");
            }
            assert!(all.iter().all(|id| *id < 1 << 20) && all.iter().any(|id| *id >= 1 << 19));
        }
    }

    #[test]
    fn a_trial_is_a_stream_of_its_own() {
        for cipher in [Cipher::Aes, Cipher::ChaCha8] {
            let mut draws = Uniform::<u64>::new(stream(cipher, 0), 64);
            draws.set_trial(9);
            let (mut set, mut new) = ([0; 5], [0; 5]);
            draws.fill(1, &mut set);
            words(&stream(cipher, 9), 1, &mut new);
            assert_eq!(set, new);
        }
    }

    #[test]
    fn a_draw_is_the_first_bits_of_its_word() {
        let mut bytes = [0; 32];
        stream(Cipher::Aes, 5).fill(0, &mut bytes);
        let draws = Uniform::<u128>::new(stream(Cipher::Aes, 5), 122);
        let mut ids = [0; 2];
        draws.fill(0, &mut ids);
        let word = u128::from_le_bytes(bytes[16..].try_into().expect("16 bytes"));
        assert_eq!(ids[1], word >> 6);
    }
}
