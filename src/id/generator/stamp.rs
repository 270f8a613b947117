//! Blocks of a stream with some bits replaced: what UUIDv4 and UUIDv7 with random bits are made of.

use super::Stream;
use super::stream::BLOCK;
use super::vector::PAST_CACHE_BYTES;
use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;
use uuid::Uuid;

/// Ids that one thread makes at a time.
pub(super) const SHARE: usize = 1 << 15;
/// Ids of a piece that is drawn and then stamped while it is still in the first-level cache: 8 KiB.
const PIECE: usize = 512;

/// Which bits of an id are drawn, and what the others are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Bits that stay as they were drawn.
    pub kept: [u8; BLOCK],
    /// The other bits; 0 where a bit is kept.
    pub fixed: [u8; BLOCK],
}

impl Stamp {
    /// All bits as they were drawn.
    pub const NONE: Stamp = Stamp::new(0, u128::MAX);

    /// The bits of an id that are fixed, and those that are drawn, as big-endian numbers.
    pub const fn new(fixed: u128, drawn: u128) -> Stamp {
        Stamp { kept: drawn.to_be_bytes(), fixed: (fixed & !drawn).to_be_bytes() }
    }

    /// One block with the stamp on it.
    #[inline]
    pub fn on(&self, block: [u8; BLOCK]) -> Uuid {
        let (kept, fixed) = (u128::from_ne_bytes(self.kept), u128::from_ne_bytes(self.fixed));
        Uuid::from_bytes((u128::from_ne_bytes(block) & kept | fixed).to_ne_bytes())
    }
}

/// Makes one id of every block from `block` on.
pub(super) fn fill(stream: &Stream, block: u64, stamp: &Stamp, ids: &mut [Uuid]) {
    fill_past(stream, block, stamp, ids, size_of_val(ids) >= PAST_CACHE_BYTES);
}

/// The same for a part of a buffer that may be written `past` the caches.
pub(super) fn fill_past(stream: &Stream, block: u64, stamp: &Stamp, ids: &mut [Uuid], past: bool) {
    match stream.vector() {
        Some((vector, number)) => vector.stamp(number, block, stamp, ids, past),
        None => fill_safe(stream, block, stamp, ids),
    }
}

/// The same on all threads of the current pool.
pub(super) fn fill_parallel(stream: &Stream, block: u64, stamp: &Stamp, ids: &mut [Uuid]) {
    fill_parallel_past(stream, block, stamp, ids, size_of_val(ids) >= PAST_CACHE_BYTES);
}

/// The same for a part of a buffer that may be written `past` the caches.
pub(super) fn fill_parallel_past(stream: &Stream, block: u64, stamp: &Stamp, ids: &mut [Uuid], past: bool) {
    ids.par_chunks_mut(SHARE).enumerate().for_each(|(share, ids)| {
        let block = block.wrapping_add((share * SHARE) as u64);
        fill_past(stream, block, stamp, ids, past);
    });
}

/// The same by safe code.
fn fill_safe(stream: &Stream, block: u64, stamp: &Stamp, ids: &mut [Uuid]) {
    let level = Level::new();
    let mut at = block;
    for piece in ids.chunks_mut(PIECE) {
        stream.fill(at, bytemuck::cast_slice_mut(piece));
        // Compiled for every width of vectors, of which the processor's is taken.
        dispatch!(level, simd => put_on(simd, stamp, piece));
        at = at.wrapping_add(PIECE as u64);
    }
}

#[inline(always)]
fn put_on<S: Simd>(_vectors: S, stamp: &Stamp, blocks: &mut [Uuid]) {
    // Halves of 64 bits become vectors; 128 bits at a time do not.
    let halves = |bytes: [u8; BLOCK]| {
        let bytes = u128::from_le_bytes(bytes);
        [bytes as u64, (bytes >> 64) as u64]
    };
    let (kept, fixed) = (halves(stamp.kept), halves(stamp.fixed));
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(blocks);
    for id in bytes.as_chunks_mut::<{ BLOCK / 2 }>().0.as_chunks_mut::<2>().0 {
        for half in 0..2 {
            id[half] = (u64::from_le_bytes(id[half]) & kept[half] | fixed[half]).to_le_bytes();
        }
    }
}
