//! The buffers that ids are put into, each beginning at a line of the cache.

use super::question::{Benchmark, Into, L1_BYTES};

/// Bytes of a line of the cache, on all but a few machines.
const LINE: usize = 64;
/// Bytes that a bulk call may fill where it does not fill a whole part, the most first: far beyond, and a little beyond,
/// the size from which buffers are written past the caches; then what fits into them.
const PIECES: [usize; 5] = [256 << 20, 32 << 20, 2 << 20, 128 << 10, L1_BYTES];
/// Bytes that a call fills for those who are asked for one id at a time, where it is only a loop: few enough that the
/// slowest end within a tenth of a millisecond.
const LOOPS: [usize; 2] = [L1_BYTES, 4 << 10];
/// Calls that a slice has time for: threads that begin together end within one call of each other, and what one
/// waits for the last is lost to the row.
const CALLS: f64 = 8.0;

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
                let part = self.part_bytes(into, threads);
                self.far.bytes().chunks_exact_mut(part).take(threads).collect()
            }
        }
    }

    /// Bytes of the part of each thread.
    pub fn part_bytes(&self, into: Into, threads: usize) -> usize {
        match into {
            Into::L1 => L1_BYTES,
            Into::Memory => (self.far.length / threads / LINE * LINE).max(LINE),
        }
    }
}

/// Bytes of a part that the first calls fill: whole lines, so that the next call begins at one too.
pub(super) fn first_piece(part: usize) -> usize {
    LOOPS[LOOPS.len() - 1].min(part)
}

/// Bytes of a part that a bulk call fills: the whole part where a slice has time for several such calls, else as many as
/// it has.
pub(super) fn bulk_piece(part: usize, ns_per_byte: f64, slice_ns: u64) -> usize {
    fitting([part].into_iter().chain(PIECES), part, ns_per_byte, slice_ns)
}

/// Bytes of a part that a loop fills.
pub(super) fn loop_piece(part: usize, ns_per_byte: f64, slice_ns: u64) -> usize {
    fitting(LOOPS.into_iter(), part, ns_per_byte, slice_ns)
}

fn fitting(mut sizes: impl Iterator<Item = usize>, part: usize, ns_per_byte: f64, slice_ns: u64) -> usize {
    let fits = |piece: &usize| *piece <= part && *piece as f64 * ns_per_byte * CALLS <= slice_ns as f64;
    sizes.find(fits).unwrap_or_else(|| first_piece(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_fills_what_a_slice_has_time_for_several_times() {
        // 16 bytes in 1 ns are 2.1 ms for 32 MiB; in 1 µs, 2.1 s.
        assert_eq!(bulk_piece(1 << 30, 1.0 / 16.0, 20_000_000), 32 << 20);
        assert_eq!(bulk_piece(1 << 30, 1.0 / 16.0, 10_000_000), 2 << 20);
        assert_eq!(bulk_piece(1 << 30, 1.0 / 16.0, 1_000_000_000), 1 << 30);
        assert_eq!(bulk_piece(1 << 30, 1_000.0 / 16.0, 70_000_000), 128 << 10);
        assert_eq!(bulk_piece(1 << 30, 1e9, 10_000_000), 4 << 10);
        assert_eq!(bulk_piece(1_000, 1.0, 10_000_000), 1_000);
        assert_eq!(
            (loop_piece(1 << 30, 1.0, 1_000_000), loop_piece(1 << 30, 20.0, 1_000_000)),
            (16_384, 4_096)
        );
    }

    #[test]
    fn a_part_below_the_large_pieces_is_filled_whole() {
        // 64 threads share 1 GiB out, and 16 MiB are still written past the caches.
        assert_eq!(bulk_piece(16 << 20, 1.0 / 16.0, 100_000_000), 16 << 20);
        assert_eq!(bulk_piece(31 << 20, 1.0 / 16.0, 100_000_000), 31 << 20);
    }

    #[test]
    fn a_buffer_begins_at_a_line_and_has_its_length() {
        for length in [0, 1, 64, 16_384, 1_000_003] {
            let mut buffer = Aligned::new(length);
            let bytes = buffer.bytes();
            assert_eq!((bytes.len(), bytes.as_ptr().align_offset(LINE)), (length, 0));
        }
    }
}
