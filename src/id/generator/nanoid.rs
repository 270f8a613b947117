//! NanoID: 21 characters of an alphabet of 64, 126 bits of a stream.
//!
//! A character is the low 6 bits of one byte; id i is made of bytes 21·i to 21·i + 20 of the stream. The
//! stream is entered by blocks of 16 bytes, so 16 ids, which take 21 blocks, begin with a block, and what is
//! asked for from the midst of such a group has the group drawn again.
//!
//! Source: ai/nanoid, url-alphabet/index.js and index.js.

use super::ahead::Ahead;
use super::stamp::SHARE;
use super::stream::BLOCK;
use super::{Generator, Stream};
use rayon::prelude::*;

/// Characters of an id.
pub const LENGTH: usize = 21;

/// The characters, in the order of the 6 bits that choose them: A–Z, a–z, 0–9, - and _.
pub const ALPHABET: &[u8; 64] = b"useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict";

/// The characters of 6 bits and of the 6 above them, first in the low byte: 8 KiB. One look-up for two
/// characters takes 2.8 ns an id instead of 4.9.
static PAIRS: [u16; 64 * 64] = {
    let mut pairs = [0; 64 * 64];
    let mut bits = 0;
    while bits < pairs.len() {
        pairs[bits] = u16::from_le_bytes([ALPHABET[bits % 64], ALPHABET[bits / 64]]);
        bits += 1;
    }
    pairs
};

/// Ids that begin with a block and end with one: 21 blocks.
const GROUP: usize = BLOCK;
/// Ids of a piece whose bytes are drawn and then spelled while they are still in the first-level cache: 10.5
/// KiB.
const SPELLED: usize = 32 * GROUP;

/// NanoIDs from one stream, as ASCII.
///
/// ```
/// use uuidcap::id::generator::{Cipher, Generator, NanoId, Seed, Stream};
///
/// let mut made = NanoId::new(Stream::new(Cipher::Aes, &Seed::from(7), 3));
/// assert_eq!(std::str::from_utf8(&made.next_id())?, "68yP5qpeuK2cTSFBRrEll");
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
#[derive(Debug)]
pub struct NanoId {
    ahead: Ahead<LENGTH>,
    /// Number of the next id.
    next: u64,
}

impl NanoId {
    /// The ids of a stream, from its first byte on.
    pub fn new(stream: Stream) -> NanoId {
        NanoId { ahead: Ahead::new(stream, fill), next: 0 }
    }

    /// The number of the next id, of so many.
    fn take(&mut self, ids: usize) -> u64 {
        let first = self.next;
        self.next = self.next.wrapping_add(ids as u64);
        first
    }
}

impl Generator for NanoId {
    type Id = [u8; LENGTH];

    fn next_id(&mut self) -> [u8; LENGTH] {
        let number = self.take(1);
        self.ahead.piece(number)
    }

    fn fill(&mut self, ids: &mut [[u8; LENGTH]]) {
        let first = self.take(ids.len());
        fill(self.ahead.stream(), first, ids);
    }

    fn fill_parallel(&mut self, ids: &mut [[u8; LENGTH]]) {
        let first = self.take(ids.len());
        let stream = self.ahead.stream();
        ids.par_chunks_mut(SHARE).enumerate().for_each(|(share, ids)| {
            fill(stream, first.wrapping_add((share * SHARE) as u64), ids);
        });
    }
}

/// Makes the ids from number `first` on.
fn fill(stream: &Stream, first: u64, ids: &mut [[u8; LENGTH]]) {
    let made_before = (first % GROUP as u64) as usize;
    let mut group = first / GROUP as u64;
    let mut ids = ids;
    if made_before > 0 {
        let mut whole = [[0; LENGTH]; GROUP];
        fill_groups(stream, group, &mut whole);
        let rest = &whole[made_before..];
        let (now, later) = ids.split_at_mut(rest.len().min(ids.len()));
        now.copy_from_slice(&rest[..now.len()]);
        (group, ids) = (group + 1, later);
    }
    fill_groups(stream, group, ids);
}

/// Makes ids from the start of a group on; the last group may be cut short.
fn fill_groups(stream: &Stream, group: u64, ids: &mut [[u8; LENGTH]]) {
    let mut group = group;
    for piece in ids.chunks_mut(SPELLED) {
        let bytes = piece.as_flattened_mut();
        // A group takes as many blocks as an id has characters.
        stream.fill(group.wrapping_mul(LENGTH as u64), bytes);
        spell(bytes);
        group = group.wrapping_add((SPELLED / GROUP) as u64);
    }
}

/// Puts a character in the place of each byte, four times two at once.
fn spell(bytes: &mut [u8]) {
    let (eights, rest) = bytes.as_chunks_mut::<8>();
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        // The low 6 bits of two bytes side by side, in the low 12 bits of every 16.
        let pairs = word & 0x003f_003f_003f_003f | word >> 2 & 0x0fc0_0fc0_0fc0_0fc0;
        let pair = |shift: u32| u64::from(PAIRS[(pairs >> shift & 0x0fff) as usize]) << shift;
        *eight = (pair(0) | pair(16) | pair(32) | pair(48)).to_le_bytes();
    }
    for byte in rest {
        *byte = ALPHABET[usize::from(*byte & 63)];
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::same_however_asked_for;
    use super::*;
    use crate::id::generator::{Cipher, Seed};
    use std::collections::HashSet;

    fn stream(cipher: Cipher) -> Stream {
        Stream::new(cipher, &Seed::from(7), 3)
    }

    #[test]
    fn ids_are_those_of_another_implementation() {
        // By Python: alphabet[byte & 63] of 21 bytes each, the bytes from AES-128 of pyca/cryptography.
        let mut ids = [[0; LENGTH]; 1000];
        NanoId::new(stream(Cipher::Aes)).fill(&mut ids);
        assert_eq!(&ids[0], b"68yP5qpeuK2cTSFBRrEll");
        assert_eq!(&ids[1], b"Kgi2_pJSH7l3wP6T079aG");
        assert_eq!(&ids[15], b"Lanqbcq2swWYG7WPLTAVV");
        assert_eq!(&ids[16], b"lXzA8g2Oe99FogxjH_u9K");
        assert_eq!(&ids[999], b"cq2mI_Wqodu65ZqFYFyPP");
    }

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        for cipher in [Cipher::Aes, Cipher::ChaCha8] {
            same_however_asked_for(|| NanoId::new(stream(cipher)));
        }
    }

    #[test]
    fn the_alphabet_is_64_characters_that_a_url_carries_unchanged() {
        assert_eq!(ALPHABET.iter().collect::<HashSet<_>>().len(), 64);
        assert!(ALPHABET.iter().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_')));
    }

    #[test]
    fn every_byte_is_spelled_by_its_low_6_bits_wherever_it_stands() {
        for at in 0..21 {
            for byte in 0..=255 {
                let mut bytes = [!byte; 21];
                bytes[at] = byte;
                let expected = bytes.map(|byte| ALPHABET[usize::from(byte % 64)]);
                spell(&mut bytes);
                assert_eq!(bytes, expected);
            }
        }
    }

    #[test]
    fn a_million_ids_in_batches_of_all_sizes_do_not_repeat() {
        let mut made = NanoId::new(stream(Cipher::ChaCha8));
        let mut ids = HashSet::new();
        let mut asked = 0;
        for size in (1..1500).step_by(7).cycle() {
            let mut some = vec![[0; LENGTH]; size];
            made.fill(&mut some);
            ids.extend(some);
            ids.insert(made.next_id());
            asked += size + 1;
            if asked > 1_000_000 {
                break;
            }
        }
        // 10^12 / 2 pairs among 2^126 ids meet with probability 6·10^-27.
        assert_eq!(ids.len(), asked);
    }

    #[test]
    fn every_character_is_as_frequent_as_another_in_every_place() {
        // 10.5·10^6 characters: 21 places with 64 characters each have 21·63 = 1,323 degrees of freedom. The
        // bounds are the quantiles of 5·10^-10 on either side (mpmath's incomplete gamma function): of streams
        // that are random, 10^-9 fall outside.
        for cipher in [Cipher::Aes, Cipher::ChaCha8] {
            let mut ids = vec![[0; LENGTH]; 500_000];
            NanoId::new(stream(cipher)).fill(&mut ids);
            let mut seen = [[0_u32; 256]; LENGTH];
            for id in &ids {
                for (seen, character) in seen.iter_mut().zip(id) {
                    seen[usize::from(*character)] += 1;
                }
            }
            let expected = ids.len() as f64 / 64.0;
            let off = |seen: u32| (f64::from(seen) - expected).powi(2) / expected;
            let characters = ALPHABET.map(usize::from);
            let chi_square: f64 = seen.iter().flat_map(|seen| characters.map(|c| off(seen[c]))).sum();
            assert!((1032.53..1661.87).contains(&chi_square), "{chi_square} with {}", cipher.name());
        }
    }
}
