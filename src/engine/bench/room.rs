//! The buffers that ids are put into, each beginning at a line of the cache.

use super::contender::Call;
use super::question::{Benchmark, Into, L1_BYTES};

/// Bytes of a line of the cache, on all but a few machines.
const LINE: usize = 64;
/// Bytes that a bulk call fills in memory; well beyond a second-level cache, and some milliseconds at most.
const BULK_PIECE: usize = 4 << 20;
/// The same of ids that are made one at a time, where a call is only a loop.
const ONE_PIECE: usize = 16 << 10;

/// Bytes that begin at a line of the cache.
pub(super) struct Aligned {
    bytes: Vec<u8>,
    from: usize,
    length: usize,
}

impl Aligned {
    /// So many, each written once, so that the system has given the pages before anything is timed.
    pub fn new(length: usize) -> Aligned {
        let bytes = vec![0xa5; length + LINE];
        // An offset that cannot be told is usize::MAX; then the buffer begins where it does.
        let from = bytes.as_ptr().align_offset(LINE);
        Aligned { from: if from < LINE { from } else { 0 }, bytes, length }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes[self.from..self.from + self.length]
    }
}

/// All buffers of a run.
pub(super) struct Room {
    near: Vec<Aligned>,
    far: Aligned,
}

impl Room {
    pub fn new(question: &Benchmark) -> Room {
        let far = question.inputs().into.contains(&Into::Memory);
        Room {
            near: (0..question.most_threads()).map(|_| Aligned::new(L1_BYTES)).collect(),
            far: Aligned::new(if far { question.memory_buffer_bytes() } else { 0 }),
        }
    }

    /// One part a thread.
    pub fn parts(&mut self, into: Into, threads: usize) -> Vec<&mut [u8]> {
        match into {
            Into::L1 => self.near.iter_mut().take(threads).map(Aligned::bytes).collect(),
            Into::Memory => {
                let part = self.far.length / threads / LINE * LINE;
                self.far.bytes().chunks_exact_mut(part.max(LINE)).take(threads).collect()
            }
        }
    }
}

/// Bytes of a part that one call fills: whole lines, so that the next call begins at one too.
pub(super) fn piece(part: usize, call: Call) -> usize {
    let piece = match call {
        Call::Bulk => BULK_PIECE,
        Call::One => ONE_PIECE,
    };
    piece.min(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_begins_at_a_line_and_has_its_length() {
        for length in [0, 1, 64, 16_384, 1_000_003] {
            let mut buffer = Aligned::new(length);
            let bytes = buffer.bytes();
            assert_eq!((bytes.len(), bytes.as_ptr().align_offset(LINE)), (length, 0));
        }
    }
}
