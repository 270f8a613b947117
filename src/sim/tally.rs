//! What many trials add up to: whole numbers alone, so that equal seeds give equal tallies in whatever order, on however
//! many threads and machines they were made.

use super::count::Counts;
use serde::{Deserialize, Serialize};

/// Equal steps into which values are counted; what lies beyond counts in the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bins {
    /// The least value of the first bin; what lies below counts there too.
    pub first: u64,
    /// Values of a bin, at least 1.
    pub width: u64,
    /// How many bins, at least 1.
    pub bins: usize,
}

impl Bins {
    /// The bin of a value.
    pub fn of(&self, value: u64) -> usize {
        let steps = value.saturating_sub(self.first) / self.width.max(1);
        usize::try_from(steps).unwrap_or(usize::MAX).min(self.bins.saturating_sub(1))
    }

    /// The last value of a bin: of the last bin whatever lies beyond.
    pub fn last_of(&self, bin: usize) -> u64 {
        if bin + 1 == self.bins { u64::MAX } else { self.edges(bin).1 - 1 }
    }

    /// The least value of a bin, and the least of the one after it.
    pub fn edges(&self, bin: usize) -> (u64, u64) {
        let at = |bin: usize| self.first.saturating_add(self.width.saturating_mul(bin as u64));
        (at(bin), at(bin + 1))
    }
}

/// Into which bins trials are counted: a matter of the question alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// Of the repeats of a trial.
    pub repeats: Bins,
    /// Of the ids drawn at first clash.
    pub first_clash: Bins,
    /// Values with the numbers of their draws that are kept at most.
    pub witnesses: u64,
}

/// A value that came more than once, with the numbers of the draws that gave it, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Witness {
    /// The trial, counted from 0.
    pub trial: u64,
    /// The draws that gave it, in order; of a value that came often the first few.
    pub draws: Vec<u64>,
    /// The id as a number.
    pub id: u128,
}

/// The sum of trials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Trials.
    pub trials: u64,
    /// Those in which any two ids were equal.
    pub trials_with_collision: u64,
    /// Ids that had come before in their trial.
    pub repeats: u128,
    /// Pairs of equal ids.
    pub pairs: u128,
    /// The sum of the squares of the pairs of each trial; at its maximum where it would be larger.
    pub pairs_squared: u128,
    /// The sum of the ids drawn at first clash over trials that had one.
    pub first_clash_sum: u128,
    /// Trials by their repeats.
    pub by_repeats: Vec<u64>,
    /// Trials that had a clash by the ids drawn when it came.
    pub by_first_clash: Vec<u64>,
    /// The first of the values that came more than once.
    pub witnesses: Vec<Witness>,
}

impl Tally {
    /// No trials.
    pub fn new(scheme: &Scheme) -> Tally {
        Tally {
            trials: 0,
            trials_with_collision: 0,
            repeats: 0,
            pairs: 0,
            pairs_squared: 0,
            first_clash_sum: 0,
            by_repeats: vec![0; scheme.repeats.bins],
            by_first_clash: vec![0; scheme.first_clash.bins],
            witnesses: Vec::new(),
        }
    }

    /// Adds a trial.
    pub fn add(&mut self, scheme: &Scheme, counts: &Counts) {
        self.trials += 1;
        self.repeats += u128::from(counts.repeats);
        self.pairs = self.pairs.saturating_add(counts.pairs);
        let squared = counts.pairs.saturating_mul(counts.pairs);
        self.pairs_squared = self.pairs_squared.saturating_add(squared);
        self.by_repeats[scheme.repeats.of(counts.repeats)] += 1;
        if let Some(first) = counts.first_clash {
            self.trials_with_collision += 1;
            self.first_clash_sum += u128::from(first);
            self.by_first_clash[scheme.first_clash.of(first)] += 1;
        }
    }

    /// Adds values that came more than once, of trials that are added.
    pub fn witness(&mut self, scheme: &Scheme, witnesses: impl IntoIterator<Item = Witness>) {
        self.witnesses.extend(witnesses);
        first_of(&mut self.witnesses, scheme.witnesses);
    }

    /// Adds the trials of another tally of the same question.
    pub fn join(&mut self, scheme: &Scheme, other: Tally) {
        self.trials += other.trials;
        self.trials_with_collision += other.trials_with_collision;
        self.repeats += other.repeats;
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.pairs_squared = self.pairs_squared.saturating_add(other.pairs_squared);
        self.first_clash_sum += other.first_clash_sum;
        for (own, other) in
            [(&mut self.by_repeats, &other.by_repeats), (&mut self.by_first_clash, &other.by_first_clash)]
        {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
        self.witness(scheme, other.witnesses);
    }

    /// Whether there are several trials, and each has as many pairs as every other.
    pub fn is_all_alike(&self) -> bool {
        let all = self.pairs.checked_mul(self.pairs);
        self.trials > 1 && all.is_some() && all == self.pairs_squared.checked_mul(u128::from(self.trials))
    }

    /// What is wrong with a tally that came from outside; none where its numbers can belong together.
    pub fn fault(&self, scheme: &Scheme) -> Option<&'static str> {
        let sum = |cells: &[u64]| cells.iter().map(|cell| u128::from(*cell)).sum::<u128>();
        let lengths = (self.by_repeats.len(), self.by_first_clash.len());
        if lengths != (scheme.repeats.bins, scheme.first_clash.bins) {
            return Some("its histograms have other bins than the question's");
        }
        if sum(&self.by_repeats) != u128::from(self.trials) {
            return Some("its trials by repeats do not add up to its trials");
        }
        if sum(&self.by_first_clash) != u128::from(self.trials_with_collision) {
            return Some("its trials by first clash do not add up to its trials with a clash");
        }
        if self.trials_with_collision > self.trials
            || u128::from(self.trials_with_collision) > self.repeats
            || self.repeats > self.pairs
        {
            return Some(
                "it has more trials with a clash than trials or repeats, or more repeats than pairs",
            );
        }
        if !within(&self.by_repeats, &scheme.repeats, self.repeats) {
            return Some("its repeats are none that its trials by repeats can have");
        }
        if !within(&self.by_first_clash, &scheme.first_clash, self.first_clash_sum) {
            return Some("its sum of first clashes is none that its trials by first clash can have");
        }
        self.fault_of_squares()
    }

    /// A sum of squares lies between that of trials that are all alike and that of one that has all pairs, and is odd where
    /// the sum is.
    fn fault_of_squares(&self) -> Option<&'static str> {
        let (pairs, squares) = (self.pairs, self.pairs_squared);
        // At its maximum it may stand for more, but only of so many pairs.
        if squares == u128::MAX && pairs > u128::from(u64::MAX) {
            return None;
        }
        let most = pairs.checked_mul(pairs);
        let least = most.map(|most| most.div_ceil(u128::from(self.trials.max(1))));
        let possible = least.is_none_or(|least| least <= squares)
            && most.is_none_or(|most| squares <= most)
            && (pairs == u128::MAX || squares % 2 == pairs % 2);
        (!possible).then_some("its sum of squares is none that its pairs can have")
    }
}

/// Whether a sum can be that of the values in bins; the first holds what lies below it too, the last what lies beyond.
fn within(cells: &[u64], bins: &Bins, sum: u128) -> bool {
    let (mut least, mut most) = (0u128, 0u128);
    for (bin, count) in cells.iter().enumerate() {
        let from = if bin == 0 { 0 } else { bins.edges(bin).0 };
        least = least.saturating_add(u128::from(from) * u128::from(*count));
        most = most.saturating_add(u128::from(bins.last_of(bin)) * u128::from(*count));
    }
    (least..=most).contains(&sum)
}

/// Keeps the first of them in the order of trial and second draw.
pub(crate) fn first_of(witnesses: &mut Vec<Witness>, most: u64) {
    witnesses.sort_by_key(|one| (one.trial, one.draws.get(1).copied(), one.id));
    witnesses.truncate(usize::try_from(most).unwrap_or(usize::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEME: Scheme = Scheme {
        repeats: Bins { first: 2, width: 3, bins: 4 },
        first_clash: Bins { first: 1, width: 10, bins: 3 },
        witnesses: 2,
    };

    #[test]
    fn bins_take_what_lies_beyond_them() {
        let bins = SCHEME.repeats;
        let of = [0, 2, 4, 5, 10, 11, u64::MAX].map(|value| bins.of(value));
        assert_eq!(of, [0, 0, 0, 1, 2, 3, 3]);
        assert_eq!((bins.edges(0), bins.edges(3)), ((2, 5), (11, 14)));
    }

    #[test]
    fn tallies_add_up_in_any_order() {
        let counts = |repeats, first_clash| Counts { repeats, pairs: u128::from(repeats) * 2, first_clash };
        let trials = [counts(0, None), counts(7, Some(2)), counts(1, Some(30)), counts(4, Some(11))];
        let mut whole = Tally::new(&SCHEME);
        trials.iter().for_each(|one| whole.add(&SCHEME, one));
        let mut parts = Tally::new(&SCHEME);
        for one in trials.iter().rev() {
            let mut part = Tally::new(&SCHEME);
            part.add(&SCHEME, one);
            parts.join(&SCHEME, part);
        }
        assert_eq!(parts, whole);
        assert_eq!((whole.trials, whole.trials_with_collision, whole.repeats, whole.pairs), (4, 3, 12, 24));
        assert_eq!((whole.first_clash_sum, whole.pairs_squared), (43, 196 + 4 + 64));
        assert_eq!((whole.by_repeats, whole.by_first_clash), (vec![3, 1, 0, 0], vec![1, 1, 1]));
    }

    #[test]
    fn the_first_witnesses_are_kept() {
        let witness = |trial, second| Witness { trial, draws: vec![0, second], id: 9 };
        let mut tally = Tally::new(&SCHEME);
        tally.witness(&SCHEME, [witness(3, 1), witness(1, 8)]);
        tally.witness(&SCHEME, [witness(1, 5)]);
        assert_eq!(tally.witnesses, [witness(1, 5), witness(1, 8)]);
    }

    #[test]
    fn numbers_that_cannot_belong_together_are_found() {
        let mut tally = Tally::new(&SCHEME);
        tally.add(&SCHEME, &Counts { repeats: 1, pairs: 1, first_clash: Some(4) });
        assert_eq!(tally.fault(&SCHEME), None);
        for spoil in [
            |tally: &mut Tally| tally.trials = 2,
            |tally: &mut Tally| tally.by_first_clash[0] = 0,
            |tally: &mut Tally| tally.by_repeats.push(0),
            |tally: &mut Tally| tally.pairs = 0,
            |tally: &mut Tally| tally.repeats = 0,
        ] {
            let mut other = tally.clone();
            spoil(&mut other);
            assert!(other.fault(&SCHEME).is_some(), "{other:?}");
        }
    }
}
