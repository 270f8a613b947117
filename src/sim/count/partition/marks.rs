//! Whole ids of the draws whose front is marked, with their draw numbers: the draws are made once more.
//!
//! A bit for the hash of every mark lets 1 draw in 64 pass at most; a set of the marks decides.

use super::plan::{Cut, Plan};
use crate::question::Progress;
use crate::sim::draw::{Draws, Id};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// Draw numbers of an id that are kept, from its first on.
pub const NUMBERS: usize = super::super::witnesses::MOST_DRAWS;
/// Draws that are made at once: 16 KiB of ids of 64 bits.
pub(super) const AT_ONCE: usize = 1 << 11;
/// Draws of a task.
const TASK: u64 = 1 << 18;
/// Tasks of a thread before what they saw is joined.
const TASKS: u64 = 16;
/// Bits of the filter for each mark: 2^6, or twice that.
const PER_MARK_LOG2: u32 = 6;
/// 2^64 over the golden ratio (Knuth, volume 3, section 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// How often an id came, and when.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub times: u64,
    /// The first of its draw numbers, from 0, in order.
    pub draws: Vec<u64>,
}

/// What was seen of marked ids.
pub(super) type Ids<I> = HashMap<I, Seen>;

/// The least number of draws after which an id had come twice.
pub(super) fn first_clash<I>(ids: &Ids<I>) -> Option<u64> {
    ids.values().filter_map(|seen| seen.draws.get(1)).min().map(|draw| draw + 1)
}

/// Fronts to look for.
pub(super) struct Marks {
    fronts: HashSet<u64>,
    filter: Vec<u64>,
    /// By how much a hash is moved down to be the number of a bit.
    down: u32,
}

impl Marks {
    pub fn new(fronts: &[u64]) -> Marks {
        let bits_log2 = (fronts.len().next_power_of_two().trailing_zeros() + PER_MARK_LOG2).max(12);
        let mut marks = Marks {
            fronts: fronts.iter().copied().collect(),
            filter: vec![0; 1 << (bits_log2 - 6)],
            down: u64::BITS - bits_log2,
        };
        for front in fronts {
            let bit = marks.bit(*front);
            marks.filter[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        marks
    }

    #[inline]
    fn bit(&self, front: u64) -> u64 {
        front.wrapping_mul(GOLDEN) >> self.down
    }

    /// Looks through the draws in order, to their end or until an id has come twice; nothing where it was cancelled.
    pub fn look<D: Draws>(
        &self,
        draws: &D,
        plan: &Plan,
        cut: &Cut,
        to_the_end: bool,
        progress: &dyn Progress,
    ) -> Option<Ids<D::Id>> {
        let mut ids = Ids::new();
        let (mut from, mut window) = (0, TASK);
        while from < plan.draws() && (to_the_end || first_clash(&ids).is_none()) {
            let to = plan.draws().min(from + window);
            let tasks = (to - from).div_ceil(TASK);
            let looked: Option<Vec<Ids<D::Id>>> = (0..tasks)
                .into_par_iter()
                .map(|task| {
                    let from = from + task * TASK;
                    (!progress.cancelled()).then(|| self.task(draws, from, to.min(from + TASK), cut))
                })
                .collect();
            looked?.into_iter().for_each(|more| join(&mut ids, more));
            from = to;
            window = (2 * window).min(TASK * TASKS * plan.threads() as u64);
        }
        Some(ids)
    }

    /// Marked ids among so many draws.
    fn task<D: Draws>(&self, draws: &D, from: u64, to: u64, cut: &Cut) -> Ids<D::Id> {
        let mut ids = Ids::new();
        let mut drawn = [D::Id::default(); AT_ONCE];
        let mut passed = Vec::with_capacity(AT_ONCE);
        for first in (from..to).step_by(AT_ONCE) {
            let drawn = &mut drawn[..AT_ONCE.min((to - first) as usize)];
            draws.fill(first, drawn);
            self.filter(drawn, cut, &mut passed);
            for place in passed.drain(..) {
                let id: D::Id = drawn[place as usize];
                if self.fronts.contains(&cut.front(id)) {
                    let seen = ids.entry(id).or_default();
                    seen.times += 1;
                    if seen.draws.len() < NUMBERS {
                        seen.draws.push(first + u64::from(place));
                    }
                }
            }
        }
        ids
    }

    /// Places of the ids that may be marked.
    fn filter<I: Id>(&self, drawn: &[I], cut: &Cut, passed: &mut Vec<u32>) {
        let filter = &self.filter[..];
        assert!(!filter.is_empty(), "a filter has words");
        let mask = filter.len() - 1;
        for (place, id) in (0..).zip(drawn) {
            let bit = self.bit(cut.front(*id));
            if filter[(bit >> 6) as usize & mask] >> (bit & 63) & 1 != 0 {
                passed.push(place);
            }
        }
    }
}

/// Adds what later draws saw.
fn join<I: Id>(ids: &mut Ids<I>, later: Ids<I>) {
    for (id, more) in later {
        let seen = ids.entry(id).or_default();
        seen.times += more.times;
        let left = NUMBERS - seen.draws.len();
        seen.draws.extend(more.draws.into_iter().take(left));
    }
}
