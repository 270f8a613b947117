//! Blocks of a stream for those who take one at a time.

use super::Stream;
use super::stream::BLOCK;

/// Blocks that are drawn ahead: 4 KiB, a small part of a first-level cache.
const AHEAD: usize = 256;

/// A stream with some of its blocks drawn ahead. Blocks are known by their place, so who takes some one at a
/// time and others in bulk gets the same bytes.
pub(super) struct Ahead {
    stream: Stream,
    /// None before the first is asked for.
    held: Vec<[u8; BLOCK]>,
    /// Place of the first that is held.
    from: u64,
}

impl std::fmt::Debug for Ahead {
    /// Without the blocks: they are ids to come.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ahead").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl Ahead {
    pub fn new(stream: Stream) -> Ahead {
        Ahead { stream, held: Vec::new(), from: 0 }
    }

    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// One block.
    #[inline]
    pub fn block(&mut self, place: u64) -> [u8; BLOCK] {
        let held = usize::try_from(place.wrapping_sub(self.from)).ok();
        match held.and_then(|held| self.held.get(held)) {
            Some(block) => *block,
            None => self.draw(place),
        }
    }

    /// Draws blocks from this one on.
    #[cold]
    fn draw(&mut self, place: u64) -> [u8; BLOCK] {
        self.held.resize(AHEAD, [0; BLOCK]);
        self.from = place;
        self.stream.fill(place, self.held.as_flattened_mut());
        self.held[0]
    }
}
