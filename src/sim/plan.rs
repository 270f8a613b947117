//! How a run is cut: into trials, a large trial into slices of its space, and both into parts for machines and for runs
//! that are broken off and taken up again.
//!
//! Units are numbered trial by trial and within a trial slice by slice. A part is a run of units; parts that lie next to
//! each other join, whatever cut them.

use super::count::Counts;
use super::tally::{Scheme, Tally, Witness, first_of};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Draws of a batch: one task of a thread.
pub const BATCH_DRAWS: u64 = 1 << 18;

/// How a run is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Trials.
    pub trials: u64,
    /// Slices of the space of a trial, each counted by itself; 1 but for large trials.
    pub slices: u64,
    /// Ids of a trial.
    pub draws: u64,
}

impl Plan {
    /// All units; none where there are 2^64 or more.
    pub fn units(&self) -> Option<u64> {
        self.trials.checked_mul(self.slices)
    }

    /// What a unit is called: a trial, or a slice where trials are counted slice by slice.
    pub fn unit_name(&self) -> &'static str {
        if self.slices == 1 { "trial" } else { "slice" }
    }

    /// Trials that make a batch.
    pub fn batch_trials(&self) -> u64 {
        (BATCH_DRAWS / self.draws.max(1)).max(1)
    }

    /// The units of one of several machines, `index` counted from 0: shares differ by one unit at most.
    pub fn shard(&self, index: u64, of: u64) -> Range<u64> {
        let units = u128::from(self.units().unwrap_or(u64::MAX));
        let at = |index: u64| (units * u128::from(index) / u128::from(of.max(1))) as u64;
        at(index)..at(index.saturating_add(1))
    }
}

/// A trial of which only some slices are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The trial.
    pub trial: u64,
    /// Its first slice that is counted.
    pub from_slice: u64,
    /// Its first after those.
    pub to_slice: u64,
    /// Repeats among ids of these slices.
    pub repeats: u64,
    /// Pairs of equal ids.
    pub pairs: u128,
    /// Ids drawn when the first repeat came.
    pub first_clash: Option<u64>,
    /// Values that came more than once.
    pub witnesses: Vec<Witness>,
}

impl Open {
    /// Slices of a trial and what was counted there.
    pub fn new(trial: u64, slices: Range<u64>, counts: Counts, witnesses: Vec<Witness>) -> Open {
        Open {
            trial,
            from_slice: slices.start,
            to_slice: slices.end,
            repeats: counts.repeats,
            pairs: counts.pairs,
            first_clash: counts.first_clash,
            witnesses,
        }
    }

    fn counts(&self) -> Counts {
        Counts { repeats: self.repeats, pairs: self.pairs, first_clash: self.first_clash }
    }
}

/// What was counted in a run of units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The first unit.
    pub from_unit: u64,
    /// The first after those counted.
    pub to_unit: u64,
    /// Trials all of whose slices are in it.
    pub whole: Tally,
    /// Trials that are begun or ended in it, in order.
    pub open: Vec<Open>,
}

impl Part {
    /// Nothing yet, from a unit on.
    pub fn new(scheme: &Scheme, from_unit: u64) -> Part {
        Part { from_unit, to_unit: from_unit, whole: Tally::new(scheme), open: Vec::new() }
    }

    /// Whole trials and what they add up to, as a part.
    pub fn of_trials(plan: &Plan, trials: Range<u64>, tally: Tally) -> Part {
        let at = |trial: u64| trial.saturating_mul(plan.slices);
        Part { from_unit: at(trials.start), to_unit: at(trials.end), whole: tally, open: Vec::new() }
    }

    /// Some slices of one trial, as a part.
    pub fn of_slices(plan: &Plan, scheme: &Scheme, open: Open) -> Part {
        let first = open.trial.saturating_mul(plan.slices);
        let (from_unit, to_unit) = (first + open.from_slice, first + open.to_slice);
        let mut part = Part { from_unit, to_unit, whole: Tally::new(scheme), open: vec![open] };
        part.close(plan, scheme);
        part
    }

    /// Goes on with the part that follows it. The caller has seen that it does.
    pub fn join(&mut self, plan: &Plan, scheme: &Scheme, next: Part) {
        assert_eq!(self.to_unit, next.from_unit, "parts that lie next to each other");
        self.to_unit = next.to_unit;
        self.whole.join(scheme, next.whole);
        for open in next.open {
            match self.open.last_mut() {
                Some(last) if last.trial == open.trial && last.to_slice == open.from_slice => {
                    let both = last.counts().and(open.counts());
                    last.witnesses.extend(open.witnesses);
                    let witnesses = std::mem::take(&mut last.witnesses);
                    *last = Open::new(last.trial, last.from_slice..open.to_slice, both, witnesses);
                    first_of(&mut last.witnesses, scheme.witnesses);
                }
                _ => self.open.push(open),
            }
        }
        self.close(plan, scheme);
    }

    /// Counts trials of which no slice is missing any more.
    fn close(&mut self, plan: &Plan, scheme: &Scheme) {
        let whole = |open: &Open| open.from_slice == 0 && open.to_slice == plan.slices;
        let (closed, open) = std::mem::take(&mut self.open).into_iter().partition(whole);
        self.open = open;
        for trial in closed {
            self.whole.add(scheme, &trial.counts());
            self.whole.witness(scheme, trial.witnesses);
        }
    }

    /// What is wrong with a part that came from outside; none where its numbers can belong together.
    pub fn fault(&self, plan: &Plan, scheme: &Scheme) -> Option<&'static str> {
        let units = plan.units().unwrap_or(u64::MAX);
        if self.from_unit > self.to_unit || self.to_unit > units {
            return Some("its units are none of the question's");
        }
        let counted = u128::from(self.whole.trials) * u128::from(plan.slices);
        let slices = self.open.iter().map(|open| u128::from(open.to_slice.saturating_sub(open.from_slice)));
        if counted + slices.sum::<u128>() != u128::from(self.to_unit - self.from_unit) {
            return Some("its trials and slices do not add up to its units");
        }
        let sound = |open: &Open| {
            let first = open.trial.checked_mul(plan.slices);
            open.from_slice < open.to_slice
                && open.to_slice <= plan.slices
                && u128::from(open.repeats) <= open.pairs
                && (open.repeats > 0) == open.first_clash.is_some()
                && first.is_some_and(|first| {
                    first + open.from_slice == self.from_unit || first + open.to_slice == self.to_unit
                })
        };
        if !self.open.iter().all(sound) || self.open.len() > 2 {
            return Some("its open trials are none of the question's");
        }
        // Of r repeats among n ids there are r(r + 1)/2 pairs at most, where all are of one value.
        let most = self.whole.repeats.saturating_mul(u128::from(plan.draws)).div_ceil(2);
        if self.whole.pairs > most {
            return Some("it has more pairs than its repeats can have");
        }
        if self.whole.witnesses.len() as u64 > scheme.witnesses {
            return Some("it names more values that came more than once than were asked for");
        }
        let witnesses = self.open.iter().flat_map(|open| &open.witnesses).chain(&self.whole.witnesses);
        let named = |witness: &Witness| {
            let trial = witness.trial.checked_mul(plan.slices);
            witness.draws.len() >= 2
                && witness.draws.windows(2).all(|two| two[0] < two[1])
                && witness.draws.iter().all(|draw| *draw < plan.draws)
                && trial.is_some_and(|unit| {
                    (self.from_unit / plan.slices * plan.slices..self.to_unit).contains(&unit)
                })
        };
        if !witnesses.into_iter().all(named) {
            return Some("its values that came more than once are none of its draws");
        }
        self.whole.fault(scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::Bins;
    use super::*;

    const SCHEME: Scheme = Scheme {
        repeats: Bins { first: 0, width: 1, bins: 8 },
        first_clash: Bins { first: 1, width: 10, bins: 3 },
        witnesses: 2,
    };
    const PLAN: Plan = Plan { trials: 3, slices: 4, draws: 30 };

    /// What slice `unit` sees.
    fn slice(unit: u64) -> Part {
        let (trial, slice) = (unit / 4, unit % 4);
        let repeats = unit % 3;
        let first_clash = (repeats > 0).then_some(30 - unit);
        let counts = Counts { repeats, pairs: u128::from(repeats), first_clash };
        let witnesses = first_clash.map(|first| Witness { trial, draws: vec![0, first - 1], id: 5 });
        Part::of_slices(
            &PLAN,
            &SCHEME,
            Open::new(trial, slice..slice + 1, counts, witnesses.into_iter().collect()),
        )
    }

    fn joined(units: Range<u64>) -> Part {
        let mut part = Part::new(&SCHEME, units.start);
        units.for_each(|unit| part.join(&PLAN, &SCHEME, slice(unit)));
        part
    }

    #[test]
    fn parts_join_to_the_whole_wherever_they_were_cut() {
        let whole = joined(0..12);
        assert!(whole.open.is_empty() && whole.whole.trials == 3 && whole.fault(&PLAN, &SCHEME).is_none());
        for one in 0..=12 {
            for two in one..=12 {
                let mut part = joined(0..one);
                for next in [joined(one..two), joined(two..12)] {
                    assert_eq!(next.fault(&PLAN, &SCHEME), None, "{one} {two} {next:?}");
                    part.join(&PLAN, &SCHEME, next);
                }
                assert_eq!(part, whole, "{one} {two}");
            }
        }
    }

    #[test]
    fn shards_are_all_units_once() {
        for of in [1, 2, 5, 12, 13, 64] {
            let ends: Vec<_> = (0..of).map(|index| PLAN.shard(index, of)).collect();
            assert!(ends.windows(2).all(|two| two[0].end == two[1].start));
            assert_eq!((ends[0].start, ends[ends.len() - 1].end), (0, 12));
        }
    }

    #[test]
    fn a_part_that_cannot_be_is_found() {
        let part = joined(2..7);
        for spoil in [
            |part: &mut Part| part.to_unit = 13,
            |part: &mut Part| part.from_unit = 1,
            |part: &mut Part| part.open[0].to_slice = 5,
            |part: &mut Part| part.open[0].trial = 2,
            |part: &mut Part| part.open[0].first_clash = None,
            |part: &mut Part| part.open.truncate(1),
        ] {
            let mut other = part.clone();
            spoil(&mut other);
            assert!(other.fault(&PLAN, &SCHEME).is_some(), "{other:?}");
        }
    }
}
