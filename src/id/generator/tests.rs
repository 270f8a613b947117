//! Safe code and vector instructions give the same ids; a stream is what its definition says.

use super::count::{self, Count};
use super::stamp::{self, Stamp};
use super::stream::BLOCK;
use super::{Cipher, Generator, NanoId, Seed, Stream, V4, V7, V7Monotonic};
use crate::id::clock::Manual;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use std::io::Write;
use uuid::Uuid;

/// Bulk, bulk on all threads, and bulk mixed with one at a time give one sequence of ids.
pub(super) fn same_however_asked_for<G>(make: impl Fn() -> G)
where
    G: Generator<Id: Default + PartialEq + std::fmt::Debug>,
{
    let bulk = |made: &mut G, ids: usize| {
        let mut buffer = vec![G::Id::default(); ids];
        made.fill(&mut buffer);
        buffer
    };
    // More than three threads' shares.
    let whole = bulk(&mut make(), 3 * stamp::SHARE + 5);
    let mut parallel = vec![G::Id::default(); whole.len()];
    let mut made = make();
    let (some, rest) = parallel.split_at_mut(7);
    made.fill_parallel(some);
    made.fill_parallel(rest);
    assert!(whole == parallel, "fill_parallel gives other ids than fill");
    let (mut mixed, mut asked) = (make(), Vec::new());
    for turn in 0..40 {
        asked.extend(bulk(&mut mixed, turn * 7 % 300));
        asked.extend((0..turn * 5 % 260).map(|_| mixed.next_id()));
    }
    assert_eq!(asked, whole[..asked.len()]);
}

/// Lengths around the steps of the vector code, 16 blocks and 32 words, and of the pieces, 512.
const LENGTHS: [usize; 18] = [0, 1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 511, 513, 1_061];

/// The stream by vector instructions of every width that there is; none with a word about it: a processor without them
/// tests nothing here.
fn with_vectors() -> Vec<Stream> {
    let stream = Stream::new(Cipher::Aes, &Seed::from(0x5eed), u64::MAX - 6);
    if !stream.has_vectors() {
        // Past the capture of passing tests.
        let _ =
            writeln!(std::io::stderr(), "NOT TESTED: this processor has no AVX2 or AVX-512 with vector AES");
        return Vec::new();
    }
    // Without AVX-512 the two are one.
    [Some(stream.clone()), stream.with_narrow_vectors()].into_iter().flatten().collect()
}

/// Calls with every length at every place of a buffer within a line of the cache and off it.
fn everywhere(mut compare: impl FnMut(&mut [Uuid], &mut [Uuid], bool)) {
    let mut bytes = vec![0u8; BLOCK * 1_100 + 64];
    let mut other = bytes.clone();
    for offset in [0, 1, 7, 8, 16, 17, 32, 48, 63] {
        for length in LENGTHS {
            for past in [false, true] {
                let span = offset..offset + length * BLOCK;
                let (ids, twins) = (&mut bytes[span.clone()], &mut other[span]);
                ids.fill(0xaa);
                twins.fill(0xbb);
                compare(bytemuck::cast_slice_mut(ids), bytemuck::cast_slice_mut(twins), past);
            }
        }
    }
}

#[test]
fn vectors_stamp_what_safe_code_stamps() {
    let stamp = Stamp::new(0x0123_4567_89ab_7def_u128 << 64 | 0b10 << 62, !(0xf << 76 | 0b11 << 62 | 1));
    for vectors in with_vectors() {
        let safe = vectors.clone().without_vectors();
        assert!(!safe.has_vectors());
        for block in [0, 1, 5, u64::from(u32::MAX) - 3, u64::MAX - 40] {
            everywhere(|ids, twins, past| {
                stamp::fill_past(&vectors, block, &stamp, ids, past);
                stamp::fill_past(&safe, block, &stamp, twins, past);
                assert_eq!(ids, twins, "block {block}, {} ids, past {past}", ids.len());
            });
        }
    }
}

#[test]
fn vectors_count_what_safe_code_counts() {
    for vectors in with_vectors() {
        let safe = vectors.clone().without_vectors();
        // From 0, across a carry out of the low 18 bits, and up to the last counter there is.
        for first in [0, (1 << 18) - 9, (1 << 30) - 1_061] {
            let count = Count { ms: 0xfedc_ba98_7654, first };
            for word in [0, 1, 2, 3, 77, u64::from(u32::MAX) * 2 - 3] {
                everywhere(|ids, twins, past| {
                    count::fill_past(&vectors, word, count, ids, past);
                    count::fill_past(&safe, word, count, twins, past);
                    assert_eq!(ids, twins, "word {word}, {} ids from {first}, past {past}", ids.len());
                });
            }
        }
    }
}

#[test]
fn a_block_is_the_cipher_of_its_number() {
    let seed = Seed::from(42);
    let mut key = [0; 32];
    key.copy_from_slice(&seed_bytes(42));
    let cipher = aes::Aes128::new(key[..16].try_into().expect("sixteen bytes"));
    for (number, block) in [(0, 0), (3, 1 << 40), (u64::MAX, u64::MAX)] {
        let mut expected = (u128::from(number) << 64 | u128::from(block)).to_be_bytes().into();
        cipher.encrypt_block(&mut expected);
        let mut drawn = [0; BLOCK];
        Stream::new(Cipher::Aes, &seed, number).fill(block, &mut drawn);
        assert_eq!(drawn[..], expected[..], "block {block} of stream {number}");
        let id = (u128::from_be_bytes(drawn) & !(0xf << 76 | 0b11 << 62)) | 0x4 << 76 | 0b10 << 62;
        if block == 0 {
            assert_eq!(V4::new(Stream::new(Cipher::Aes, &seed, number)).next_id().as_u128(), id);
        }
    }
}

/// SplitMix64 with its state written out, as the paper has it.
fn seed_bytes(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (word, place) in bytes.chunks_exact_mut(8).zip(1u64..) {
        let mut z = number.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes());
    }
    bytes
}

#[test]
fn what_is_shown_of_a_seed_and_a_generator_tells_no_id_to_come() {
    let clock = Manual::at_ns(1_800_000_000_000_000_000);
    for cipher in [Cipher::Aes, Cipher::ChaCha8] {
        let stream = || Stream::new(cipher, &Seed::from(7), 0);
        let (mut v4, mut nanoid) = (V4::new(stream()), NanoId::new(stream()));
        let (mut v7, mut monotonic) = (V7::new(stream(), &clock), V7Monotonic::new(stream(), &clock));
        // Whatever is drawn ahead is there.
        let _ = (v4.next_id(), nanoid.next_id(), v7.next_id(), monotonic.next_id());
        for shown in [
            format!("{:?}", Seed::from(7)),
            format!("{v4:?}"),
            format!("{nanoid:?}"),
            format!("{v7:?}"),
            format!("{monotonic:?}"),
        ] {
            // 256 ids, as bytes, take 4,096 numbers; round keys take 44 or 176.
            let numbers = shown.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count();
            assert!(numbers < 30, "{shown}");
        }
    }
}
