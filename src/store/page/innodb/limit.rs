//! Expected leaves of an endlessly large InnoDB index under uniform inserts.
//!
//! A leaf of `c` records takes the next key with a chance in proportion to `c`, and what becomes of it
//! depends on it alone: leaves are types of a branching process (see the recurrence in `fringe`). Of a
//! type are the records of a leaf and whether the page is *worn*, so that garbage of a split keeps it
//! from being filled to the end. With a chance of 1/c each, the new record lands right after or right
//! before the last one, at a place that is uniform, and splits the page there: a full page in place of
//! its middle, and one that has reached the reserve before it is full.
//!
//! In an index that only grows in number the leaves `A_c` satisfy
//!
//! ```text
//! A_c·(1 + c) = (c − 1)·A_{c−1}·(1 − s_{c−1}) + B_c,    B_c = pages of c records that splits make,
//! ```
//!
//! with `s_c` the chance that an insert splits. One sweep upwards gives `A` of `B`; the splits of `A`
//! give the next `B`. Each round keeps the records (a chain of generations whose law settles), so it is
//! repeated until nothing changes.
//!
//! Left out are what has a chance of 1/c²: a page that has not seen an insert since it was split has no
//! last insert, and a record past the end of a full page goes to the next page. Hence [`FEWEST`].

use super::super::Settled;
use super::{REORGANIZE_BYTES, Split};

/// Records of a full page from which on the law holds: 1/c² is then 0.4 %.
const FEWEST: u32 = 16;
/// Rounds at most; a dozen suffice.
const ROUNDS: usize = 60;
/// Relative change of the leaves per record at which the rounds end.
const SETTLED: f64 = 1e-9;

/// The leaves in the limit; `None` where pages hold too few records for the law.
pub(in super::super) fn limit(split: &Split) -> Option<Settled> {
    (split.capacity() >= FEWEST).then(|| {
        let mut law = Law::new(split);
        let mut before = f64::INFINITY;
        for _ in 0..ROUNDS {
            law.round();
            let now = law.splits / law.inserts;
            if (now / before - 1.0).abs() < SETTLED {
                break;
            }
            before = now;
        }
        law.settled()
    })
}

/// Pages whose fate differs.
#[derive(Clone, Copy)]
enum Page {
    Fresh,
    Worn,
}

/// Pages by their records, of each kind.
type Kinds = [Vec<f64>; 2];

/// A law of the leaves on its way to the fixed point.
struct Law {
    /// Records beyond which an insert that looks ordered splits the page.
    roomy: u32,
    /// Records of a full page, of each kind.
    full: [u32; 2],
    births: Kinds,
    /// Differences of the births: a split at a uniform place makes pages of a range of sizes.
    next: Kinds,
    /// Sums over the last round.
    inserts: f64,
    splits: f64,
    moved: f64,
}

impl Law {
    fn new(split: &Split) -> Self {
        let capacity = split.capacity();
        let worn = split.most_leaving(split.record_bytes.max(REORGANIZE_BYTES)) + 1;
        let empty = || vec![0.0; capacity as usize + 2];
        let mut births = [empty(), empty()];
        births[Page::Fresh as usize][capacity as usize / 2] = 1.0;
        let roomy = if split.clustered { split.roomy } else { capacity };
        Law {
            roomy,
            full: [capacity, worn],
            births,
            next: [empty(), empty()],
            inserts: 0.0,
            splits: 0.0,
            moved: 0.0,
        }
    }

    /// One generation: the leaves that the births grow to, and the births that these make.
    fn round(&mut self) {
        (self.inserts, self.splits, self.moved) = (0.0, 0.0, 0.0);
        for page in [Page::Fresh, Page::Worn] {
            let full = self.full[page as usize];
            let mut arriving = 0.0;
            for c in 1..=self.full[Page::Fresh as usize] {
                let records = f64::from(c);
                let born = self.births[page as usize][c as usize];
                let flow = (arriving + born) * records / (1.0 + records);
                self.inserts += flow;
                arriving = flow;
                if c >= full || c > self.roomy {
                    arriving -= self.split(page, c, flow);
                }
            }
        }
        self.bear();
    }

    /// Splits what of a flow of inserts into pages of `c` records splits them, and says how much that is.
    fn split(&mut self, page: Page, c: u32, flow: f64) -> f64 {
        let full = c >= self.full[page as usize];
        // The page that is split keeps its garbage; it is worn once its heap has filled the page.
        let old = if c == self.full[Page::Fresh as usize] { Page::Worn } else { page };
        let ordered = flow / f64::from(c);
        self.split_at_insert(old, c, ordered);
        let middle = if full { flow - 2.0 * ordered } else { 0.0 };
        if full {
            let left = c / 2;
            let to_left = middle * f64::from(left) / f64::from(c);
            self.add(old, left + 1, left + 1, to_left);
            self.add(Page::Fresh, c - left, c - left, to_left);
            self.add(old, left, left, middle - to_left);
            self.add(Page::Fresh, c - left + 1, c - left + 1, middle - to_left);
            self.moved += middle * f64::from(c - left);
        }
        let splits = middle + 2.0 * ordered;
        self.splits += splits;
        splits
    }

    /// Splits right after the last insert, and as many right before it, at each place with equal chance
    /// (the cases of `cut`).
    fn split_at_insert(&mut self, old: Page, c: u32, flow: f64) {
        let one = flow / f64::from(c - 1);
        // After: places 2..c − 2 take one old record along, the last two leave what follows alone.
        self.add(old, 4, c, one * f64::from(c - 3));
        self.add(Page::Fresh, 1, c - 3, one * f64::from(c - 3));
        self.add(old, c - 1, c, one * 2.0);
        self.add(Page::Fresh, 1, 2, one * 2.0);
        // Before: the left page is the new one, save that one record goes there alone.
        self.add(Page::Fresh, 2, 2, one);
        self.add(old, c - 1, c - 1, one);
        self.add(Page::Fresh, 1, c - 2, one * f64::from(c - 2));
        self.add(old, 3, c, one * f64::from(c - 2));
        let n = f64::from(c);
        self.moved += one * ((n - 3.0) * (n - 2.0) / 2.0 + 1.0 + (n - 2.0) * (n - 1.0) / 2.0 + 1.0);
    }

    /// Spreads pages evenly over the sizes of a range.
    fn add(&mut self, page: Page, first: u32, last: u32, pages: f64) {
        let each = pages / f64::from(last - first + 1);
        self.next[page as usize][first as usize] += each;
        self.next[page as usize][last as usize + 1] -= each;
    }

    /// Makes the differences collected the births of the next round.
    fn bear(&mut self) {
        for (births, next) in self.births.iter_mut().zip(&mut self.next) {
            let mut sum = 0.0;
            for (birth, difference) in births.iter_mut().zip(next) {
                sum += *difference;
                *birth = sum.max(0.0);
                *difference = 0.0;
            }
        }
    }

    fn settled(&self) -> Settled {
        let splits = self.splits / self.inserts;
        Settled {
            entries_per_leaf: 1.0 / splits,
            splits_per_insert: splits,
            entries_moved_per_insert: self.moved / self.inserts,
            leaf_writes_per_insert: 1.0 + splits,
            inner_writes_per_insert: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Arrival, Leaves, Rule, stream::Stream};
    use super::*;

    #[test]
    fn the_law_is_what_a_long_simulation_shows() {
        // From 400 leaves on, over two doublings after two: the swing is 3 % of a leaf's fill at most, and its
        // mean over whole doublings is that of the limit but for the sampling of 0.25 / √3000 = 0.5 %.
        for (bytes, clustered) in [(34, true), (34, false), (130, true), (300, true), (900, true)] {
            let split = Split::new(bytes, clustered);
            let expected = limit(&split).expect("pages of many records");
            let simulated = simulated(split);
            for (name, figure) in figures() {
                let ratio = figure(&expected) / figure(&simulated);
                assert!((ratio - 1.0).abs() < 0.02, "{bytes} {clustered} {name}: {ratio}");
            }
        }
    }

    #[test]
    fn pages_of_few_records_have_no_law() {
        assert!(limit(&Split::new(8000, true)).is_none());
        assert!(limit(&Split::new(1100, true)).is_none());
        assert!(limit(&Split::new(900, true)).is_some());
    }

    fn figures() -> [(&'static str, fn(&Settled) -> f64); 3] {
        [
            ("entries", |settled| settled.entries_per_leaf),
            ("splits", |settled| settled.splits_per_insert),
            ("moved", |settled| settled.entries_moved_per_insert),
        ]
    }

    fn simulated(split: Split) -> Settled {
        let (rule, most) = (Rule::Innodb(split), f64::from(split.capacity()));
        let leaf = |i: u32| (most / (2.0 - (f64::from(i) + 0.5) / 400.0)) as u32;
        let mut leaves = Leaves::of((0..400).map(leaf).collect());
        let mut stream = Stream::new(Arrival::Uniform, split.capacity(), 0);
        let mut grow = |leaves: &mut Leaves, times: f64| {
            let end = (leaves.entries() as f64 * times) as u64;
            while leaves.entries() < end {
                for _ in 0..1000 {
                    let (leaf, position) = stream.next(leaves);
                    rule.insert(leaves, leaf, position);
                }
            }
        };
        grow(&mut leaves, 4.0);
        let tally = leaves.tally;
        let mut per_entry = 0.0;
        for _ in 0..32 {
            grow(&mut leaves, (1.0_f64 / 16.0).exp2());
            per_entry += leaves.counts.len() as f64 / leaves.entries() as f64 / 32.0;
        }
        Settled { entries_per_leaf: 1.0 / per_entry, ..leaves.settled_since(tally) }
    }
}
