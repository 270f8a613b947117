//! Blocks of a stream with some bits replaced: what UUIDv4 and UUIDv7 with random bits are made of.

use super::Stream;
use super::stream::BLOCK;
use uuid::Uuid;

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

/// Makes one id of every block from `block` on.
pub(super) fn fill(stream: &Stream, block: u64, stamp: &Stamp, ids: &mut [Uuid]) {
    let mut at = block;
    for piece in ids.chunks_mut(PIECE) {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(piece);
        stream.fill(at, bytes);
        for id in bytes.as_chunks_mut::<BLOCK>().0 {
            for (byte, (kept, fixed)) in id.iter_mut().zip(stamp.kept.iter().zip(&stamp.fixed)) {
                *byte = *byte & kept | fixed;
            }
        }
        at = at.wrapping_add(PIECE as u64);
    }
}
