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

/// Draws that go on with another trial.
pub trait Trials: Draws + Clone + Send {
    /// Goes on with the trial of that number.
    fn set_trial(&mut self, trial: u64);
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
}

impl<I: Id> Trials for Uniform<I> {
    fn set_trial(&mut self, trial: u64) {
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

/// Uniform ids below a number, each in a number of type `I`: from words of twice its bits.
#[derive(Debug, Clone)]
pub struct Below<I> {
    stream: Stream,
    values: u64,
    of: std::marker::PhantomData<I>,
}

impl<I: Id> Below<I> {
    /// Ids below `values`, at least 1 and at most 2^`I::BITS`, from a stream, one a trial.
    pub fn new(stream: Stream, values: u64) -> Below<I> {
        assert!(values >= 1 && u128::from(values) <= 1 << I::BITS, "{values} values do not fit");
        Below { stream, values, of: std::marker::PhantomData }
    }

    /// Draws by words of type `W`, the id of each by `id`.
    fn by<W: Id>(&self, from: u64, ids: &mut [I], id: impl Fn(W) -> u64) {
        let mut own = [W::default(); 512];
        for (at, ids) in (from..).step_by(own.len()).zip(ids.chunks_mut(own.len())) {
            let own = &mut own[..ids.len()];
            words(&self.stream, at, own);
            ids.iter_mut().zip(own).for_each(|(place, word)| *place = I::cut(u128::from(id(*word))));
        }
    }
}

impl<I: Id> Draws for Below<I> {
    type Id = I;

    fn bits(&self) -> u32 {
        (u64::BITS - (self.values - 1).leading_zeros()).max(1)
    }

    fn fill(&self, from: u64, ids: &mut [I]) {
        let values = u128::from(self.values);
        if I::BITS == 32 {
            self.by::<u64>(from, ids, |word| ((u128::from(word) * values) >> 64) as u64);
        } else {
            // The upper 64 bits of a product of 192.
            self.by::<u128>(from, ids, |word| {
                let (high, low) = (word >> 64, word & u128::from(u64::MAX));
                ((high * values + ((low * values) >> 64)) >> 64) as u64
            });
        }
    }
}

impl<I: Id> Trials for Below<I> {
    fn set_trial(&mut self, trial: u64) {
        self.stream.set_number(trial);
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
    fn a_draw_below_a_number_is_its_share_of_the_word() {
        let mut ids = [0u32; 1_000];
        let draws = Below::<u32>::new(stream(Cipher::Aes, 0), 365);
        draws.fill(0, &mut ids);
        let mut own = [0u64; 1_000];
        words(&stream(Cipher::Aes, 0), 0, &mut own);
        let share = |word: u64| (word as f64 / 2f64.powi(64) * 365.0) as u32;
        assert!(ids.iter().zip(own).all(|(id, word)| *id == share(word)));
        let mut rest = [0u32; 300];
        draws.fill(700, &mut rest);
        assert_eq!((rest, draws.bits()), (ids[700..].try_into().expect("300"), 9));
        let values = (1 << 62) + 1;
        let large = Below::<u64>::new(stream(Cipher::Aes, 0), values);
        let mut ids = [0u64; 4];
        large.fill(1, &mut ids);
        let mut own = [0u128; 4];
        words(&stream(Cipher::Aes, 0), 1, &mut own);
        let near = |word: u128| word as f64 / 2f64.powi(128) * values as f64;
        assert!(ids.iter().zip(own).all(|(id, word)| (*id as f64 - near(word)).abs() < 2048.0));
        assert_eq!((large.bits(), Below::<u64>::new(stream(Cipher::Aes, 0), 1).bits()), (63, 1));
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
