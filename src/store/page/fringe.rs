//! Expected leaves of a B-tree that splits full leaves in two, under uniform inserts.
//!
//! Yao's fringe analysis (*On random 2–3 trees*, Acta Informatica 9, 1978): with `A_c` leaves of `c`
//! entries among `n` keys, the next key falls on one of them with probability `c·A_c / n`, so
//!
//! ```text
//! dA_c/dn = ((c − 1)·A_{c−1} − c·A_c) / n + (halves of the leaves that split)
//! ```
//!
//! For `n → ∞` this gives `A_c ∝ 1 / (c·(c + 1))` and a mean fill of about ln 2. The way there is slow:
//! leaves made together fill together, so the fill swings with log2 `n`, by 4 % still at a million
//! keys for 290 entries a leaf. [`Trajectory`] follows it, exactly to [`EXACT_KEYS`] and beyond that
//! by midpoint steps, whose first two moments are those of the recurrence.

use super::Settled;
use super::postgres::Split;

/// To this many keys the recurrence goes key by key.
const EXACT_KEYS: f64 = 2e3;
/// From this many keys on the swing is led to the limit, over [`FADE_OCTAVES`] doublings. It still
/// is 2.5 % then for 290 entries a leaf, less for fewer; but an index of that size has been purged so
/// often that its leaves are no longer of one age.
const FADE_KEYS: f64 = 1e8;
/// Doublings over which the swing fades.
const FADE_OCTAVES: f64 = 4.0;
/// Points kept per doubling of the keys.
const POINTS_PER_OCTAVE: f64 = 16.0;

/// Leaves per key along the growth of one index, by the logarithm of its keys.
#[derive(Debug, Clone)]
pub(super) struct Trajectory {
    /// Entries that a split moves.
    moved: f64,
    /// (log2 of keys, leaves per key), ascending.
    points: Vec<(f64, f64)>,
}

/// Expected leaves of an index that grows.
pub(super) trait Tree {
    /// Keys so far.
    fn keys(&self) -> f64;
    /// Leaves expected for them.
    fn leaves(&self) -> f64;
    /// Adds one key by the recurrence.
    fn add_key(&mut self);
    /// Adds keys in proportion to those present by a midpoint step.
    fn add_keys(&mut self);
}

impl Trajectory {
    /// Keys beyond which the limit holds.
    pub(super) const LAST_KEYS: f64 = FADE_KEYS * 16.0;

    /// Follows an index of PostgreSQL from its first split.
    pub(super) fn new(split: Split) -> Self {
        Self::follow(Fringe::new(split), &steady(split))
    }

    /// Follows an index to the limit.
    pub(super) fn follow(mut tree: impl Tree, limit: &Settled) -> Self {
        let point = |tree: &dyn Tree| (tree.keys().log2(), tree.leaves() / tree.keys());
        let mut points = vec![point(&tree)];
        while tree.keys() < FADE_KEYS {
            if tree.keys() < EXACT_KEYS {
                tree.add_key()
            } else {
                tree.add_keys()
            }
            if tree.keys().log2() >= points[points.len() - 1].0 + 1.0 / POINTS_PER_OCTAVE {
                points.push(point(&tree));
            }
        }
        points.push((points[points.len() - 1].0 + FADE_OCTAVES, 1.0 / limit.entries_per_leaf));
        Trajectory { moved: limit.entries_moved_per_insert / limit.splits_per_insert, points }
    }

    /// The leaves when the index holds so many keys, and the means since it was empty.
    pub(super) fn at(&self, keys: f64) -> Settled {
        let first = self.points[0].0;
        let x = keys.log2();
        if x <= first {
            return settled(self.moved, keys.max(1.0), 1.0 / keys.max(1.0));
        }
        let next = self.points.partition_point(|&(at, _)| at < x);
        let leaves_per_key = match self.points.get(next) {
            Some(&(x1, y1)) => {
                let (x0, y0) = self.points[next - 1];
                y0 + (y1 - y0) * (x - x0) / (x1 - x0)
            }
            None => self.points[self.points.len() - 1].1,
        };
        settled(self.moved, keys, leaves_per_key)
    }
}

/// The leaves of an endlessly large index.
pub(super) fn steady(split: Split) -> Settled {
    let (left, right) = split.halves();
    let (left, right) = (f64::from(left), f64::from(right));
    // The new entry is on the right half with probability right / (left + right); the rest moved.
    settled(right * (1.0 - 1.0 / (left + right)), f64::INFINITY, 1.0 / limit(split))
}

/// Means over the run that made so many leaves per key, all but the first of them by a split.
fn settled(moved: f64, keys: f64, leaves_per_key: f64) -> Settled {
    let splits = (leaves_per_key - 1.0 / keys).max(0.0);
    Settled {
        entries_per_leaf: 1.0 / leaves_per_key,
        splits_per_insert: splits,
        entries_moved_per_insert: splits * moved,
        leaf_writes_per_insert: 1.0 + splits,
        inner_writes_per_insert: 0.0,
    }
}

/// Mean entries a leaf for `n → ∞`: the stationary ratios are `A_c·(c + 1) = A_{c−1}·(c − 1)` plus one
/// leaf for each half that has `c` entries, so `A_c·c·(c + 1)` is the sum of the halves up to `c`, and
/// leaves and entries are sums of `1 / (c·(c + 1))` and `1 / (c + 1)` over two ranges.
fn limit(split: Split) -> f64 {
    let (left, right) = split.halves();
    let (less, more, end) = (left.min(right), left.max(right), left + right);
    let sums = |from: u32, to: u32| {
        let (a, b) = (f64::from(from), f64::from(to));
        (1.0 / a - 1.0 / b, harmonic(to) - harmonic(from))
    };
    let (first, both) = (sums(less, more), sums(more, end));
    let (one, two) = (f64::from(less), f64::from(less + more));
    (one * first.1 + two * both.1) / (one * first.0 + two * both.0)
}

/// 1 + 1/2 + … + 1/n; Euler's asymptotic series beyond 16, error under 1e-9.
fn harmonic(n: u32) -> f64 {
    if n <= 16 {
        return (1..=n).map(|i| 1.0 / f64::from(i)).sum();
    }
    let n = f64::from(n);
    n.ln() + 0.577_215_664_901_532_9 + 0.5 / n - 1.0 / (12.0 * n * n) + 1.0 / (120.0 * n.powi(4))
}

/// What an ascending load leaves: every leaf but the last at its fill factor.
pub(super) fn ascending(split: Split) -> Settled {
    let (stays, goes) = split.rightmost_halves();
    let (stays, goes) = (f64::from(stays), f64::from(goes));
    Settled {
        entries_per_leaf: stays,
        splits_per_insert: 1.0 / stays,
        entries_moved_per_insert: (goes - 1.0) / stays,
        leaf_writes_per_insert: 1.0 + 1.0 / stays,
        inner_writes_per_insert: 0.0,
    }
}

/// Expected leaves by their entries while an index grows.
struct Fringe {
    split: Split,
    /// Fewest entries of a leaf that is not the rightmost.
    fewest: usize,
    /// Expected leaves with `fewest + i` entries.
    leaves: Vec<f64>,
    /// Distribution of the entries of the rightmost leaf, which splits elsewhere; empty once the tree
    /// is so large that it makes no difference.
    rightmost: Vec<f64>,
    keys: f64,
    /// Entries of each class of leaves.
    counts: Vec<f64>,
    /// Leaves in the middle of a step, before it, and what moves between classes.
    middle: Vec<f64>,
    before: Vec<f64>,
    flows: Vec<f64>,
}

/// Which leaves a flow is computed from.
enum From {
    Leaves,
    Middle,
}

impl Tree for Fringe {
    fn keys(&self) -> f64 {
        self.keys
    }

    fn leaves(&self) -> f64 {
        self.leaves.iter().sum::<f64>() + self.rightmost.iter().sum::<f64>()
    }

    fn add_key(&mut self) {
        self.flow(From::Leaves, 1.0 / self.keys);
        self.step_rightmost();
        self.keys += 1.0;
    }

    fn add_keys(&mut self) {
        self.fold_rightmost();
        let capacity = (self.fewest + self.leaves.len()) as f64;
        let step = (self.keys / capacity).max(1.0);
        self.before.copy_from_slice(&self.leaves);
        self.flow(From::Leaves, 0.5 * step / self.keys);
        std::mem::swap(&mut self.leaves, &mut self.middle);
        self.leaves.copy_from_slice(&self.before);
        self.flow(From::Middle, step / (self.keys + 0.5 * step));
        self.keys += step;
    }
}

impl Fringe {
    /// The tree at the moment of its first split.
    fn new(split: Split) -> Self {
        let (left, right) = split.halves();
        let (stays, goes) = split.rightmost_halves();
        let fewest = left.min(right).min(stays) as usize;
        let width = (left + right) as usize - fewest;
        let mut leaves = vec![0.0; width];
        leaves[(stays as usize - fewest).min(width - 1)] = 1.0;
        let mut rightmost = vec![0.0; (stays + goes) as usize];
        rightmost[goes as usize] = 1.0;
        let keys = f64::from(stays + goes);
        let counts = (0..width).map(|i| (fewest + i) as f64).collect();
        let [middle, before, flows] = [(); 3].map(|()| vec![0.0; width]);
        Fringe { split, fewest, leaves, rightmost, keys, counts, middle, before, flows }
    }

    /// Moves `factor` of a key's expectation along: `c·A_c` of `from` leaves their class for the next.
    fn flow(&mut self, from: From, factor: f64) {
        let source = match from {
            From::Leaves => &self.leaves,
            From::Middle => &self.middle,
        };
        for ((flow, count), leaves) in self.flows.iter_mut().zip(&self.counts).zip(source) {
            *flow = factor * count * leaves;
        }
        self.leaves[0] -= self.flows[0];
        for (leaves, flows) in self.leaves[1..].iter_mut().zip(self.flows.windows(2)) {
            *leaves += flows[0] - flows[1];
        }
        let splits = self.flows[self.flows.len() - 1];
        let (left, right) = self.split.halves();
        self.leaves[left as usize - self.fewest] += splits;
        self.leaves[right as usize - self.fewest] += splits;
    }

    /// One key more for the rightmost leaf.
    fn step_rightmost(&mut self) {
        let mut below = 0.0;
        for (count, share) in self.rightmost.iter_mut().enumerate() {
            let flow = *share * count as f64 / self.keys;
            *share += below - flow;
            below = flow;
        }
        let (stays, goes) = self.split.rightmost_halves();
        self.rightmost[goes as usize] += below;
        let index = (stays as usize - self.fewest).min(self.leaves.len() - 1);
        self.leaves[index] += below;
    }

    /// Counts the rightmost leaf among the others: as many leaves of a size they can have as hold its
    /// mean of entries, because what grows from here on are the entries.
    fn fold_rightmost(&mut self) {
        if self.rightmost.is_empty() {
            return;
        }
        let mean: f64 = self.rightmost.iter().enumerate().map(|(count, share)| count as f64 * share).sum();
        let index = (mean as usize).saturating_sub(self.fewest).min(self.leaves.len() - 1);
        self.leaves[index] += mean / (self.fewest + index) as f64;
        self.rightmost = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arrival, Rule, grow};
    use super::*;

    #[test]
    fn the_limit_is_ln_2_and_a_bit() {
        // ln 2·(c + 1) of c entries; the halves differ by one entry in 145, which counts half.
        let expected = std::f64::consts::LN_2 * 291.0;
        let found = limit(Split::new(28, 28, 90));
        assert!((found / expected - 1.0).abs() < 0.5 / 145.0, "{found} {expected}");
    }

    #[test]
    fn expectation_agrees_with_simulation() {
        // 100 k keys make some 5000 leaves of 16 entries; their mean has a standard error of 0.3 %.
        let split = Split::new(500, 500, 90);
        let trajectory = Trajectory::new(split);
        for keys in [30, 1000, 10_000, 100_000] {
            let simulated = grow(Rule::Postgres(split), Arrival::Uniform, keys).entries_per_leaf;
            let expected = trajectory.at(keys as f64).entries_per_leaf;
            let tolerance = 4.0 * 0.25 / (keys as f64 / expected).sqrt();
            assert!((simulated / expected - 1.0).abs() < tolerance, "{keys}: {simulated} {expected}");
        }
    }

    #[test]
    fn expectation_meets_the_limit() {
        let split = Split::new(28, 28, 90);
        let trajectory = Trajectory::new(split);
        // The swing that is left where it begins to fade.
        let (last, limit) = (trajectory.at(FADE_KEYS).entries_per_leaf, limit(split));
        assert!((last / limit - 1.0).abs() < 0.03, "{last} {limit}");
        assert_eq!(trajectory.at(1e38).entries_per_leaf, steady(split).entries_per_leaf);
    }

    #[test]
    fn the_fill_has_no_steps() {
        let trajectory = Trajectory::new(Split::new(28, 28, 90));
        let mut keys: f64 = 1e3;
        while keys < 1e11 {
            let here = trajectory.at(keys).entries_per_leaf;
            let there = trajectory.at(keys * 1.001).entries_per_leaf;
            assert!((there / here - 1.0).abs() < 0.004, "{keys} {here} {there}");
            keys *= 1.001;
        }
    }
}
