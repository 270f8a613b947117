//! Repeats, pairs and the first clash of one trial that no memory would hold as whole ids: 4.2 to 4.9 bytes a draw, or less
//! by making the draws again.
//!
//! Draws go into buckets by their first bits, and up to 32 further bits of each are kept. Where that is all of an id, the
//! repeats of the buckets are those of the ids. Where it is not, they are suspects: the draws are made once more and the
//! suspects' whole ids compared. Of n ids uniform over more than 2^(32 + k) values, in 2^k buckets, n^2 / 2^(33 + k) pairs
//! are suspects, 2,048 for 2^28 ids in 2^12 buckets.
//!
//! The counts are those of the draws, whatever the threads, the memory and the passes. Ids that are far from uniform take
//! longer; where that is because few values make most of the draws they are counted all the same, and where many
//! different ids share their first bits the count is refused. Such ids are to be mixed before.

mod arena;
mod bucket;
mod marks;
mod plan;
#[cfg(test)]
mod tests;

pub use marks::NUMBERS;
pub use plan::{Plan, slices};

use super::Counts;
use crate::error::{Error, Result};
use crate::question::Progress;
use crate::sim::draw::{Draws, Id};
use arena::Arena;
use bucket::Counter;
use marks::{AT_ONCE, Ids, Marks, first_clash};
use plan::Cut;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Draws between two looks at whether to go on.
const STEP: u64 = 1 << 18;
/// Passes of wide ids whose suspects are looked at together: making the draws once more is then an eighth of the work.
const TOGETHER: usize = 8;
/// Witnesses of a share that can be asked for.
pub const WITNESSES: usize = 64;

/// A value that was drawn more than once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The id.
    pub id: u128,
    /// How often it was drawn.
    pub times: u64,
    /// Its draw numbers from 0 on, in order; the first [`NUMBERS`] of them.
    pub draws: Vec<u64>,
}

/// What was found in some of the slices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Those slices.
    pub slices: Range<u64>,
    /// Counts of the ids in them.
    pub counts: Counts,
    /// Ids in them that were drawn more than once, those first whose second draw came first.
    pub witnesses: Vec<Witness>,
}

/// Memory of a plan, kept from one trial to the next: pages that were touched once cost nothing the second time.
pub struct Memory {
    plan: Plan,
    arenas: Vec<Arena>,
    counters: Vec<Counter>,
}

impl Memory {
    /// What the plan needs, taken from the system as it is first used.
    pub fn new(plan: &Plan) -> Memory {
        let threads = if plan.is_counted() { 0 } else { plan.threads() };
        Memory {
            plan: plan.clone(),
            arenas: (0..threads).map(|_| plan.arena()).collect(),
            counters: (0..threads).map(|_| Counter::new()).collect(),
        }
    }

    /// The plan that it was made for.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// Counts the draws whose values lie in some slices, and hands out every finished share, in order; nothing where it was
/// cancelled before the last.
///
/// Of each share up to `witnesses` witnesses are named, [`WITNESSES`] at most; they cost one more making of the draws where
/// ids are not wide. Fails on ids that are so far from uniform that they do not fit the plan's memory.
///
/// # Panics
/// Where the plan was made for ids of other bits or has no such slices.
pub fn count<D: Draws>(
    draws: &D,
    slices: Range<u64>,
    memory: &mut Memory,
    witnesses: usize,
    progress: &dyn Progress,
    mut finished: impl FnMut(&Share),
) -> Result<Option<Counts>> {
    let Memory { plan, arenas, counters } = memory;
    let plan = &*plan;
    assert!(draws.bits() == plan.bits() && slices.end <= plan.slices(), "a plan for other draws");
    let trial = Trial { draws, plan, witnesses: witnesses.min(WITNESSES), progress };
    let mut sum = Counts::default();
    let mut keep = |share: Share| {
        sum = sum.and(share.counts);
        finished(&share);
    };
    let whole = if slices.is_empty() {
        true
    } else if plan.is_counted() {
        trial.by_value(slices).map(&mut keep).is_some()
    } else {
        trial.by_passes(slices, arenas, counters, &mut keep)?
    };
    Ok(whole.then_some(sum))
}

struct Trial<'a, D> {
    draws: &'a D,
    plan: &'a Plan,
    witnesses: usize,
    progress: &'a dyn Progress,
}

/// What is known of a share before its marks were looked for.
struct Tally {
    counts: Counts,
    marks: Vec<u64>,
    witnesses: Vec<Witness>,
}

impl<D: Draws> Trial<'_, D> {
    /// Pass after pass; false where it was cancelled.
    fn by_passes(
        &self,
        slices: Range<u64>,
        arenas: &mut [Arena],
        counters: &mut [Counter],
        finished: &mut impl FnMut(Share),
    ) -> Result<bool> {
        let mut from = slices.start;
        while from < slices.end {
            let start = from;
            let mut tally = Tally { counts: Counts::default(), marks: Vec::new(), witnesses: Vec::new() };
            let mut cut = self.plan.pass(from, slices.end);
            // One pass, or several whose suspects are looked for together.
            for _ in 0..if cut.is_wide() { TOGETHER } else { 1 } {
                if from == slices.end {
                    break;
                }
                cut = self.plan.pass(from, slices.end);
                if !self.draw(arenas, &cut)? || !self.buckets(arenas, counters, &cut, &mut tally) {
                    return Ok(false);
                }
                from = cut.slices.end;
            }
            if !self.settle(&mut tally, &cut) {
                return Ok(false);
            }
            finished(Share { slices: start..from, counts: tally.counts, witnesses: tally.witnesses });
        }
        Ok(true)
    }

    /// Makes the draws, a part by each thread, and keeps those of a pass.
    fn draw(&self, arenas: &mut [Arena], cut: &Cut) -> Result<bool> {
        let part = self.plan.draws().div_ceil(arenas.len() as u64);
        let most_spilled = self.plan.most_marks() / arenas.len();
        let full = AtomicBool::new(false);
        let whole = arenas
            .par_iter_mut()
            .enumerate()
            .map(|(thread, arena)| {
                arena.clear();
                let from = self.plan.draws().min(thread as u64 * part);
                let whole = self.make(from..self.plan.draws().min(from + part), |_, ids| {
                    arena.take(ids, cut);
                    if arena.spilled().len() > most_spilled {
                        full.store(true, Ordering::Relaxed);
                    }
                    !full.load(Ordering::Relaxed)
                });
                arena.finish(cut);
                whole
            })
            .reduce(|| true, |one, other| one && other);
        if full.into_inner() {
            return Err(Error::range(format!(
                "ids are far from uniform: more than {most_spilled} different ones found no room beside others with \
                 the same first bits; try mixing their bits before they are counted, or more memory"
            )));
        }
        Ok(whole)
    }

    /// Hands out some draws, piece by piece with the number of the first, while that gives true; false where it stopped
    /// before the end.
    fn make(&self, numbers: Range<u64>, mut each: impl FnMut(u64, &[D::Id]) -> bool) -> bool {
        let mut ids = [D::Id::default(); AT_ONCE];
        for step in numbers.clone().step_by(STEP as usize) {
            if self.progress.cancelled() {
                return false;
            }
            let end = numbers.end.min(step + STEP);
            for first in (step..end).step_by(AT_ONCE) {
                let ids = &mut ids[..AT_ONCE.min((end - first) as usize)];
                self.draws.fill(first, ids);
                if !each(first, ids) {
                    return false;
                }
            }
            self.progress.advance(end - step);
        }
        true
    }

    /// Counts every bucket of a pass; false where it was cancelled.
    fn buckets(&self, arenas: &[Arena], counters: &mut [Counter], cut: &Cut, tally: &mut Tally) -> bool {
        let spilled = Spilled::of(arenas);
        let next = AtomicUsize::new(0);
        let buckets = cut.buckets() as usize;
        loop {
            // Where there is no memory for more marks, those found are looked for before going on.
            let marked = AtomicUsize::new(tally.marks.len());
            let parts: Vec<Tally> = counters
                .par_iter_mut()
                .map(|counter| {
                    let mut part =
                        Tally { counts: Counts::default(), marks: Vec::new(), witnesses: Vec::new() };
                    let mut regions = Vec::with_capacity(arenas.len());
                    while !(cut.is_wide() && marked.load(Ordering::Relaxed) >= self.plan.most_marks()) {
                        let bucket = next.fetch_add(1, Ordering::Relaxed);
                        if bucket >= buckets || self.progress.cancelled() {
                            break;
                        }
                        regions.clear();
                        regions.extend(arenas.iter().map(|arena| arena.region(bucket)));
                        let before = part.marks.len();
                        self.bucket(bucket, &regions, counter, cut, &spilled, &mut part);
                        marked.fetch_add(part.marks.len() - before, Ordering::Relaxed);
                    }
                    part
                })
                .collect();
            for part in parts {
                tally.counts = tally.counts.and(part.counts);
                tally.marks.extend(part.marks);
            }
            if self.progress.cancelled() {
                return false;
            }
            if next.load(Ordering::Relaxed) >= buckets {
                return true;
            }
            if !self.settle(tally, cut) {
                return false;
            }
        }
    }

    /// Counts one bucket.
    fn bucket(
        &self,
        bucket: usize,
        regions: &[&[u32]],
        counter: &mut Counter,
        cut: &Cut,
        spilled: &Spilled,
        tally: &mut Tally,
    ) {
        let named = if cut.is_wide() { usize::MAX } else { self.witnesses.max(1) };
        let found = counter.count(regions, cut.key_bits(), named);
        tally.marks.extend(found.keys.iter().map(|key| cut.front_of(bucket, *key)));
        let mut counts = Counts { repeats: found.repeats, pairs: found.pairs, first_clash: None };
        let spilled = spilled.of_bucket(bucket, cut);
        if !spilled.is_empty() {
            spilled_too(&mut counts, regions, spilled, cut);
            tally.marks.extend(spilled.iter().map(|(front, _)| *front));
        }
        if !cut.is_wide() {
            tally.counts = tally.counts.and(counts);
        }
    }

    /// Looks for what is marked: counts it where ids are wide, and finds the first clash; false where it was cancelled.
    fn settle(&self, tally: &mut Tally, cut: &Cut) -> bool {
        if tally.marks.is_empty() {
            return true;
        }
        let marks = Marks::new(&std::mem::take(&mut tally.marks));
        let to_the_end = cut.is_wide() || self.witnesses > 0;
        let Some(ids) = marks.look(self.draws, self.plan, cut, to_the_end, self.progress) else {
            return false;
        };
        let mut counts = Counts { first_clash: first_clash(&ids), ..Counts::default() };
        if cut.is_wide() {
            for seen in ids.values() {
                counts.repeats += seen.times - 1;
                counts.pairs += pairs(seen.times);
            }
        }
        tally.counts = tally.counts.and(counts);
        if self.witnesses > 0 {
            tally.witnesses.extend(witnesses(&ids));
            tally.witnesses.sort_by_key(|witness| witness.draws[1]);
            tally.witnesses.truncate(self.witnesses);
        }
        true
    }

    /// Counts ids of few bits by a count for every value; nothing where it was cancelled.
    fn by_value(&self, slices: Range<u64>) -> Option<Share> {
        let part = self.plan.draws().div_ceil(self.plan.threads() as u64);
        let counted: Option<Vec<Vec<u64>>> = (0..self.plan.threads() as u64)
            .into_par_iter()
            .map(|thread| {
                let mut times = vec![0u64; 1 << self.plan.bits()];
                let from = self.plan.draws().min(thread * part);
                let whole = self.make(from..self.plan.draws().min(from + part), |_, ids| {
                    ids.iter().for_each(|id| times[id.low() as usize] += 1);
                    true
                });
                whole.then_some(times)
            })
            .collect();
        let counted = counted?;
        let mut tally = Tally { counts: Counts::default(), marks: Vec::new(), witnesses: Vec::new() };
        for value in 0..1u64 << self.plan.bits() {
            let times: u64 = counted.iter().map(|times| times[value as usize]).sum();
            if slices.contains(&((value * self.plan.slices()) >> self.plan.bits())) && times > 1 {
                tally.counts.repeats += times - 1;
                tally.counts.pairs += pairs(times);
                tally.marks.push(value);
            }
        }
        self.settle(&mut tally, &Cut::whole()).then_some(())?;
        Some(Share { slices, counts: tally.counts, witnesses: tally.witnesses })
    }
}

/// Pairs among so many equal ids.
fn pairs(times: u64) -> u128 {
    u128::from(times) * u128::from(times.saturating_sub(1)) / 2
}

/// Ids that came more than once.
fn witnesses<I: Id>(ids: &Ids<I>) -> impl Iterator<Item = Witness> {
    ids.iter().filter(|(_, seen)| seen.times > 1).map(|(id, seen)| Witness {
        id: id.wide(),
        times: seen.times,
        draws: seen.draws.clone(),
    })
}

/// Fronts that found no room, in order, with how often they came.
struct Spilled(Vec<(u64, u64)>);

impl Spilled {
    fn of(arenas: &[Arena]) -> Spilled {
        let mut all: HashMap<u64, u64> = HashMap::new();
        for (front, times) in arenas.iter().flat_map(Arena::spilled) {
            *all.entry(*front).or_insert(0) += times;
        }
        let mut all: Vec<(u64, u64)> = all.into_iter().collect();
        all.sort_unstable();
        Spilled(all)
    }

    fn of_bucket(&self, bucket: usize, cut: &Cut) -> &[(u64, u64)] {
        let start = self.0.partition_point(|(front, _)| cut.bucket(*front) < bucket as u64);
        let len = self.0[start..].partition_point(|(front, _)| cut.bucket(*front) == bucket as u64);
        &self.0[start..start + len]
    }
}

/// Adds to the counts of a bucket's regions what found no room in them.
fn spilled_too(counts: &mut Counts, regions: &[&[u32]], spilled: &[(u64, u64)], cut: &Cut) {
    let mut beside: HashMap<u32, u64> = spilled.iter().map(|(front, _)| (cut.key(*front), 0)).collect();
    for key in regions.iter().copied().flatten() {
        if let Some(times) = beside.get_mut(key) {
            *times += 1;
        }
    }
    for (front, times) in spilled {
        let beside = beside[&cut.key(*front)];
        counts.repeats += times - u64::from(beside == 0);
        counts.pairs += u128::from(beside) * u128::from(*times) + pairs(*times);
    }
}
