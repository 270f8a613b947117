//! Half blocks of a stream under a millisecond and a counter: what monotonic UUIDv7 are made of.
//!
//! An id is, from its first bit on: 48 bits of milliseconds, version 7, 12 high bits of the counter, variant 10,
//! 18 low bits of the counter, and the low 44 bits of its half block read big-endian (RFC 9562 §6.2, method 1:
//! a counter of fixed length right behind the time).

use super::Stream;
use super::stamp::SHARE;
use super::stream::BLOCK;
use super::vector::PAST_CACHE_BYTES;
use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;
use uuid::Uuid;

/// Bits of the counter.
pub(super) const COUNTER_BITS: u32 = 30;
/// Of these, bits behind the variant.
const LOW_BITS: u32 = 18;
/// Bits that are drawn for every id.
pub(super) const DRAWN_BITS: u32 = 44;
/// Bytes drawn for every id.
pub(super) const WORD: usize = 8;
/// Words of a block.
pub(super) const WORDS: u64 = (BLOCK / WORD) as u64;

/// Ids of a piece that is drawn and then counted while it is still in the first-level cache: 8 KiB.
const PIECE: usize = 512;

/// A run of ids of one millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// Unix time, below 2^48.
    pub ms: u64,
    /// The first id's counter; that of the last id is below 2^30 too.
    pub first: u64,
}

impl Count {
    /// The run without its first ids.
    pub fn after(self, ids: usize) -> Count {
        Count { first: self.first.wrapping_add(ids as u64), ..self }
    }

    /// Whether the low bits of the counter carry into the high ones within so many ids.
    pub fn carries_within(self, ids: u64) -> bool {
        (self.first & LOW) + ids > LOW + 1
    }

    /// The halves of the id that is so far behind the first, with nothing drawn.
    #[inline]
    pub fn undrawn(self, behind: u64) -> (u64, u64) {
        let counter = self.first.wrapping_add(behind);
        (self.ms << 16 | 0x7000 | counter >> LOW_BITS & 0xfff, 0b10 << 62 | (counter & LOW) << DRAWN_BITS)
    }

    /// The same over a word of the stream read big-endian.
    #[inline]
    pub fn id(self, behind: u64, word: u64) -> Uuid {
        let (high, low) = self.undrawn(behind);
        Uuid::from_u64_pair(high, low | word & ((1 << DRAWN_BITS) - 1))
    }
}

/// The low bits of the counter.
const LOW: u64 = (1 << LOW_BITS) - 1;

/// Makes one id of every half block from `word` on.
pub(super) fn fill(stream: &Stream, word: u64, count: Count, ids: &mut [Uuid]) {
    fill_past(stream, word, count, ids, size_of_val(ids) >= PAST_CACHE_BYTES);
}

/// The same for a part of a buffer that may be written `past` the cache.
pub(super) fn fill_past(stream: &Stream, word: u64, count: Count, ids: &mut [Uuid], past: bool) {
    match stream.vector() {
        Some((vector, number)) => vector.count(number, word, count, ids, past),
        None => fill_safe(stream, word, count, ids),
    }
}

/// The same on all threads of the current pool.
pub(super) fn fill_parallel(stream: &Stream, word: u64, count: Count, ids: &mut [Uuid]) {
    let past = size_of_val(ids) >= PAST_CACHE_BYTES;
    ids.par_chunks_mut(SHARE).enumerate().for_each(|(share, ids)| {
        let behind = share * SHARE;
        fill_past(stream, word.wrapping_add(behind as u64), count.after(behind), ids, past);
    });
}

/// The same by safe code.
fn fill_safe(stream: &Stream, word: u64, count: Count, ids: &mut [Uuid]) {
    let level = Level::new();
    let mut drawn = [0; (PIECE + 1) * WORD];
    let (mut word, mut count) = (word, count);
    for piece in ids.chunks_mut(PIECE) {
        let odd = usize::from(word % WORDS == 1);
        let drawn = &mut drawn[..(piece.len() + odd) * WORD];
        stream.fill(word / WORDS, drawn);
        let words = &drawn.as_chunks::<WORD>().0[odd..];
        // Compiled for every width of vectors, of which the processor's is taken.
        dispatch!(level, simd => put_on(simd, count, words, piece));
        word = word.wrapping_add(piece.len() as u64);
        count = count.after(piece.len());
    }
}

#[inline(always)]
fn put_on<S: Simd>(_vectors: S, count: Count, words: &[[u8; WORD]], ids: &mut [Uuid]) {
    for (behind, (id, word)) in (0..).zip(ids.iter_mut().zip(words)) {
        *id = count.id(behind, u64::from_be_bytes(*word));
    }
}
