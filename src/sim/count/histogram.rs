//! A counter for every value of the space: for trials that draw about as many ids as there are values, or more.
//!
//! Up to the first clash each id looks whether its value came before; after that ids are only counted, and one sweep over the
//! counters, or over the ids where these are far fewer, adds up C(k, 2) and empties them.

use super::Counts;
use crate::sim::draw::Id;

/// Counters of a value where values are few: ids in a row write to different ones, else each would wait for the one before.
const LANES: usize = 4;
/// Bits of the largest space that has lanes: 64 KiB.
const LANES_BITS: u32 = 12;

/// Counters for all values, all 0 between trials.
#[derive(Debug)]
pub struct Histogram {
    counts: Vec<u32>,
    lanes: usize,
}

/// Sums over the values.
#[derive(Default)]
struct Sums {
    distinct: u64,
    pairs: u128,
}

impl Sums {
    fn add(&mut self, count: u64) {
        self.distinct += u64::from(count > 0);
        self.pairs += u128::from(count * count.saturating_sub(1) / 2);
    }
}

impl Histogram {
    /// Bits of the largest space: 1 GiB.
    pub const MOST_BITS: u32 = 28;

    /// For ids below 2^bits.
    pub fn new(bits: u32) -> Histogram {
        let lanes = lanes(bits);
        Histogram { counts: vec![0; lanes << bits], lanes }
    }

    /// Bytes that it takes.
    pub fn memory_bytes(bits: u32) -> u64 {
        2u64.saturating_pow(bits).saturating_mul((size_of::<u32>() * lanes(bits)) as u64)
    }

    /// Counts fewer than 2^32 ids, each below the size of the space, in the order in which they were drawn.
    pub fn count<I: Id>(&mut self, ids: &[I]) -> Counts {
        let before = self.before_first_clash(ids);
        self.add(&ids[before..]);
        let sums = if ids.len() < self.counts.len() / 16 { self.walk(ids) } else { self.sweep() };
        let repeats = ids.len() as u64 - sums.distinct;
        let first_clash = (before < ids.len()).then_some(before as u64 + 1);
        Counts { repeats, pairs: sums.pairs, first_clash }
    }

    /// Counts ids while they are new: how many.
    fn before_first_clash<I: Id>(&mut self, ids: &[I]) -> usize {
        for (before, id) in ids.iter().enumerate() {
            let count = &mut self.counts[id.low() as usize * self.lanes];
            if *count > 0 {
                return before;
            }
            *count = 1;
        }
        ids.len()
    }

    fn add<I: Id>(&mut self, ids: &[I]) {
        if self.lanes == 1 {
            for id in ids {
                self.counts[id.low() as usize] += 1;
            }
            return;
        }
        let (fours, rest) = ids.as_chunks::<LANES>();
        for four in fours {
            for (lane, id) in four.iter().enumerate() {
                self.counts[id.low() as usize * LANES + lane] += 1;
            }
        }
        for id in rest {
            self.counts[id.low() as usize * LANES] += 1;
        }
    }

    fn sweep(&mut self) -> Sums {
        let mut sums = Sums::default();
        for lanes in self.counts.chunks_exact_mut(self.lanes) {
            sums.add(lanes.iter().map(|count| u64::from(*count)).sum());
            lanes.fill(0);
        }
        sums
    }

    fn walk<I: Id>(&mut self, ids: &[I]) -> Sums {
        let mut sums = Sums::default();
        for id in ids {
            let place = id.low() as usize * self.lanes;
            let lanes = &mut self.counts[place..place + self.lanes];
            // 0 where an equal id was here before: nothing to add.
            sums.add(lanes.iter().map(|count| u64::from(*count)).sum());
            lanes.fill(0);
        }
        sums
    }
}

fn lanes(bits: u32) -> usize {
    if bits <= LANES_BITS { LANES } else { 1 }
}
