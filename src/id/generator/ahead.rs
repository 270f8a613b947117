//! Pieces of a stream for those who take one at a time: blocks, or ids that are spelled from them.

use super::Stream;

/// Pieces that are made ahead: some KiB, a small part of a first-level cache.
const AHEAD: usize = 256;

/// Makes the pieces from one place on, as many as there is room for.
type Make<const N: usize> = fn(&Stream, u64, &mut [[u8; N]]);

/// A stream with some of its pieces made ahead. Pieces are known by their place, so who takes some one at a
/// time and others in bulk gets the same bytes.
pub(super) struct Ahead<const N: usize> {
    stream: Stream,
    make: Make<N>,
    /// None before the first is asked for.
    held: Vec<[u8; N]>,
    /// Place of the first that is held.
    from: u64,
}

impl<const N: usize> std::fmt::Debug for Ahead<N> {
    /// Without the pieces: they are ids to come.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ahead").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl<const N: usize> Ahead<N> {
    pub fn new(stream: Stream, make: Make<N>) -> Ahead<N> {
        Ahead { stream, make, held: Vec::new(), from: 0 }
    }

    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// One piece.
    #[inline]
    pub fn piece(&mut self, place: u64) -> [u8; N] {
        let held = usize::try_from(place.wrapping_sub(self.from)).ok();
        match held.and_then(|held| self.held.get(held)) {
            Some(piece) => *piece,
            None => self.make(place),
        }
    }

    /// Makes pieces from this one on.
    #[cold]
    fn make(&mut self, place: u64) -> [u8; N] {
        self.held.resize(AHEAD, [0; N]);
        self.from = place;
        (self.make)(&self.stream, place, &mut self.held);
        self.held[0]
    }
}

/// Blocks as they are drawn.
pub(super) fn blocks(stream: &Stream, place: u64, blocks: &mut [[u8; super::stream::BLOCK]]) {
    stream.fill(place, blocks.as_flattened_mut());
}
