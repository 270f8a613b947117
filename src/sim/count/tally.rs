//! Counts of one trial from its repeats, each named with the first of its value, in any order.
//!
//! A repeat meets as many equal ids as came before it: the m-th one of a value adds m pairs, so no list is kept or sorted.

use super::Counts;

/// What the repeats of one trial add up to; emptied by [`Tally::take`].
#[derive(Debug)]
pub struct Tally {
    /// Repeats of the value that first came as draw i; all 0 between trials.
    times: Vec<u32>,
    /// Where `times` is not 0.
    touched: Vec<u32>,
    repeats: u64,
    pairs: u64,
    earliest: u32,
}

impl Tally {
    /// For trials up to so many draws.
    pub fn new(draws: usize) -> Tally {
        Tally { times: vec![0; draws], touched: Vec::new(), repeats: 0, pairs: 0, earliest: u32::MAX }
    }

    /// Bytes that it takes at most.
    pub fn memory_bytes(draws: u64) -> u64 {
        8 * draws
    }

    /// Draw `again` has the value that draw `first` brought.
    #[inline]
    pub fn repeat(&mut self, again: u32, first: u32) {
        let times = &mut self.times[first as usize];
        if *times == 0 {
            self.touched.push(first);
        }
        *times += 1;
        // At most n²/2 in all, below 2^63 for draws numbered in 32 bits.
        self.pairs += u64::from(*times);
        self.repeats += 1;
        self.earliest = self.earliest.min(again);
    }

    /// The counts, leaving it empty.
    pub fn take(&mut self) -> Counts {
        let first_clash = (self.repeats > 0).then(|| u64::from(self.earliest) + 1);
        let counts = Counts { repeats: self.repeats, pairs: u128::from(self.pairs), first_clash };
        for first in self.touched.drain(..) {
            self.times[first as usize] = 0;
        }
        (self.repeats, self.pairs, self.earliest) = (0, 0, u32::MAX);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_in_any_order_give_pairs_and_the_earliest_and_leave_nothing() {
        let mut tally = Tally::new(10);
        for _ in 0..2 {
            // Draws 0, 7, 4, 9 are equal, and so are 2 and 3.
            for (again, first) in [(7, 0), (4, 0), (3, 2), (9, 0)] {
                tally.repeat(again, first);
            }
            assert_eq!(tally.take(), Counts { repeats: 4, pairs: 7, first_clash: Some(4) });
        }
        assert_eq!(tally.take(), Counts::default());
    }
}
