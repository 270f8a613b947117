//! When the ids of a trial are made: ticks of a clock, of which a run has so many.
//!
//! Steady ids come in order; all others are drawn at moments of their own, one after the other, and are put in order of time
//! only where something depends on it.

use super::Words;

/// How so many ids are spread over ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Times {
    /// Each at any of the first `busy` ticks.
    Free { busy: u64 },
    /// At equal distances: id i of n in tick ⌊i T/n⌋.
    Steady { ticks: u64 },
    /// In batches of `size` (the last may be smaller), each at any tick.
    Batched { ticks: u64, size: u64 },
}

impl Times {
    /// Hands the tick of each of `draws` ids to `take`.
    #[inline]
    pub fn each(self, draws: u64, words: &mut Words, mut take: impl FnMut(&mut Words, u64)) {
        match self {
            Times::Free { busy } => {
                for _ in 0..draws {
                    let tick = words.below(busy);
                    take(words, tick);
                }
            }
            Times::Steady { ticks } => {
                for id in 0..draws {
                    let tick = u128::from(id) * u128::from(ticks) / u128::from(draws);
                    take(words, tick as u64);
                }
            }
            Times::Batched { ticks, size } => {
                let mut tick = 0;
                for id in 0..draws {
                    if id % size == 0 {
                        tick = words.below(ticks);
                    }
                    take(words, tick);
                }
            }
        }
    }

    /// The ticks of all ids in order of time, in `ticks`.
    pub fn in_order(self, draws: u64, words: &mut Words, ticks: &mut Vec<u64>) {
        ticks.clear();
        ticks.reserve(draws as usize);
        self.each(draws, words, |_, tick| ticks.push(tick));
        if !matches!(self, Times::Steady { .. }) {
            ticks.sort_unstable();
        }
    }

    /// Ticks in which ids can come.
    pub fn ticks(self) -> u64 {
        match self {
            Times::Free { busy: ticks } | Times::Steady { ticks } | Times::Batched { ticks, .. } => ticks,
        }
    }
}

/// A clock that is set back in the middle of a run: what it shows, and for which time it shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Clock {
    /// Ticks of the run.
    pub ticks: u64,
    /// Ticks by which it is set back, at most half of the run; 0 where it never is.
    pub back: u64,
}

impl Clock {
    /// The tick that it shows, and its life: 0 before it was set back, 1 after.
    #[inline]
    pub fn shown(self, tick: u64) -> (u64, u8) {
        if self.back == 0 || tick < self.ticks / 2 { (tick, 0) } else { (tick - self.back, 1) }
    }
}
