//! Settled page models, remembered: a grid of questions asks for each of them many times.
//!
//! What is run is a bounded number of short simulations, whatever the number of keys: an index is the
//! more like its own past the larger it is, so a count of keys enters through closed forms and curves
//! that are computed once per rule and order. The parameters of an order are rounded (see
//! [`nearest`]), so that a grid over rates does not simulate every rate.

use super::fringe::{Trajectory, ascending, steady};
use super::run::insert;
use super::stream::Stream;
use super::{Arrival, Leaves, Rule, Settled, Tally};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

/// Share of the keys below which the first window of an order is not told from those that follow.
const SMALL_SHARE: f64 = 1e-3;
/// Keys a wrap in the scaled-down simulation of a wrapping order; the fill depends on passes alone. The
/// fraction lets each pass begin elsewhere between two keys of the pass before, as clocks do.
const SCALED_WRAP: f64 = 20_000.618;
/// Passes simulated; four times as many are taken for an endless index.
const PASSES: f64 = 16.0;
/// Keys in disorder, late by a delay, from which on the start of a load in InnoDB is followed: with 200,000
/// of them, leaves are 5 % fuller after five windows than the settled order has them, 3 % after ten.
const LONG_START_KEYS: f64 = 40_000.0;
/// Windows for which it is.
const START_WINDOWS: f64 = 5.0;
/// Points kept per pass, or per doubling.
const POINTS: f64 = 16.0;
/// Leaves, at least and at most, with which the simulation of an endless index begins.
const LIMIT_LEAVES: (u32, u32) = (64, 640);
/// Keys to which a rule without expected values is followed from the empty tree.
const GROWN_KEYS: u64 = 1 << 17;
/// The same in full leaves, for rules whose leaves hold few entries.
const GROWN_LEAVES: u32 = 512;
/// Growths that are averaged: how leaves of 500 entries fall into step differs by 1 % between two.
const GROWTHS: u64 = 4;
/// What is left of the swing of the fill after a doubling of the keys, for leaves of some hundred
/// entries: 4 % at a million keys and 2.5 % at 10^8, see the recurrence in `fringe`.
const DAMPING: f64 = 0.93;
/// Entries in full leaves that this is aimed at: the fill's standard error is 0.2 % then for SQLite's
/// rule, and 0.5 % for InnoDB's on pages of few records.
const LIMIT_ENTRIES: f64 = 20_000.0;

/// Page models already run: an answer for a grid needs each of them once.
#[derive(Debug, Default)]
pub struct Memo {
    trajectories: Table<Rule, Option<Arc<Trajectory>>>,
    steady: Table<(Rule, Order), Settled>,
    curves: Table<(Rule, Order), Arc<Curve>>,
}

/// An order of arrival with its parameters rounded, so that it can be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Order {
    Uniform,
    Ascending,
    Bucketed(Rounded),
    Delayed(Rounded, Rounded),
    Wrapping,
}

/// A number to three significant digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Rounded {
    digits: u32,
    exponent: i32,
}

impl Memo {
    /// The leaves of an index that holds so many keys, loaded in an order and not yet purged.
    ///
    /// The standard error of what is simulated is 0.3 to 1.4 %; expected values (PostgreSQL and InnoDB
    /// under uniform arrival) and ascending loads have none.
    pub fn settle(&self, rule: Rule, arrival: Arrival, live_keys: f64) -> Settled {
        let keys = live_keys.max(1.0);
        match arrival {
            Arrival::Uniform => self.uniform(rule, keys),
            Arrival::Ascending => self.ascending(rule, keys),
            Arrival::Bucketed { keys_per_bucket } if keys_per_bucket <= 1.0 => self.ascending(rule, keys),
            Arrival::Bucketed { keys_per_bucket } => {
                self.sliding(rule, keys, keys_per_bucket, Order::Bucketed(nearest(keys_per_bucket)))
            }
            Arrival::Delayed { rate_per_s, mean_delay_s } => {
                let window = rate_per_s * mean_delay_s.max(1e-3);
                let order = Order::Delayed(nearest(rate_per_s), nearest(mean_delay_s.max(1e-9)));
                if window < 1e-3 {
                    self.ascending(rule, keys)
                } else {
                    self.sliding(rule, keys, window, order)
                }
            }
            Arrival::Wrapping { keys_per_wrap } => self.wrapping(rule, keys, keys / keys_per_wrap.max(1.0)),
        }
    }

    /// Expected values where the rule has them; else a few simulated growths, then the limit.
    fn uniform(&self, rule: Rule, keys: f64) -> Settled {
        let limit = self.limit(rule);
        if keys >= Trajectory::LAST_KEYS {
            return limit;
        }
        if let Some(path) = self.trajectories.get(rule, || rule.expected_growth(&limit).map(Arc::new)) {
            return path.at(keys);
        }
        let curve = self.curves.get((rule, Order::Uniform), || Arc::new(Curve::grown(rule)));
        let grown = grown_keys(rule);
        let beyond = (keys / grown as f64).log2();
        if beyond <= 0.0 {
            return curve.at(keys.log2());
        }
        // Leaves made together fill together, so the last doubling that was simulated repeats itself,
        // damped; its ends are brought to one value so that it does so without a step.
        let (end, within) = (f64::from(grown.ilog2()), beyond.fract());
        let last = [(curve.at(end - 1.0 + within), 1.0), (curve.at(end), 1.0 - within)];
        let swing = blend(&[last[0], last[1], (curve.at(end - 1.0), within - 1.0)]);
        let fade = (Trajectory::LAST_KEYS / keys).log2().clamp(0.0, 4.0) / 4.0;
        mix(limit, swing, DAMPING.powf(beyond) * fade)
    }

    /// An endlessly large index under uniform arrival.
    fn limit(&self, rule: Rule) -> Settled {
        match rule.halving() {
            Some(split) => steady(split),
            None => match rule.fills_like() {
                Some(below) => self.limit(below).scaled(rule.capacity(), below.capacity()),
                None => self.steady.get((rule, Order::Uniform), || {
                    rule.expected_limit().unwrap_or_else(|| simulated_limit(rule))
                }),
            },
        }
    }

    /// Full leaves but the last, which is there from the first key on.
    fn ascending(&self, rule: Rule, keys: f64) -> Settled {
        let settled = rule.halving().map(ascending).unwrap_or_else(|| {
            self.steady.get((rule, Order::Ascending), || {
                let run = u64::from(rule.capacity()) * 64;
                run_on(rule, Arrival::Ascending, run / 4, run)
            })
        });
        Settled { entries_per_leaf: settled.entries_per_leaf.min(keys), ..settled }
    }

    /// An order in which only a window of so many keys at the right end is still in disorder. The first
    /// window fills like an index of uniform keys; all that follow are alike.
    fn sliding(&self, rule: Rule, keys: f64, window: f64, order: Order) -> Settled {
        if keys <= window {
            return self.uniform(rule, keys);
        }
        let share = window.max(1.0) / keys;
        // The fill swings with the doublings that leaves go through, as that of a growing index does
        // with its keys: a wide window is narrowed by whole periods until it can be simulated, and the
        // swing damped for each.
        let period = order.window_per_doubling();
        let periods = ((window / wide_window(rule, order)).ln() / period.ln()).ceil().max(0.0);
        let (order, narrow) = (order.narrowed(periods), window / period.powf(periods));
        let swing = self.steady.get((rule, order), || {
            run_on(rule, order.arrival(), 5_000 + 3 * narrow as u64, run_for(rule, narrow))
        });
        let rest = if periods > 0.0 { mix(self.limit(rule), swing, DAMPING.powf(periods)) } else { swing };
        if matches!((rule, order), (Rule::Innodb(_), Order::Delayed(..))) && narrow > LONG_START_KEYS {
            let curve = self.curves.get((rule, order), || Arc::new(Curve::begun(rule, order, narrow)));
            let begun = START_WINDOWS / keys * window;
            mix(rest, curve.at((keys.min(START_WINDOWS * window) / window * narrow).log2()), begun.min(1.0))
        } else if share < SMALL_SHARE {
            rest
        } else {
            mix(rest, self.uniform(rule, window.max(1.0)), share.min(1.0))
        }
    }

    /// Fill by passes completed, from a simulation of [`SCALED_WRAP`] keys a pass. With ever more passes
    /// the leaves of one pass's making drift out of step, towards the limit of uniform arrival.
    fn wrapping(&self, rule: Rule, keys: f64, passes: f64) -> Settled {
        if passes < 2.0 / POINTS {
            return self.ascending(rule, keys);
        }
        let share = 1.0 - (passes / PASSES).log2().clamp(0.0, 2.0) / 2.0;
        let settled = if share > 0.0 {
            let curve = self.curves.get((rule, Order::Wrapping), || Arc::new(Curve::wrapped(rule)));
            mix(self.limit(rule), curve.at(passes.min(PASSES)), share)
        } else {
            self.limit(rule)
        };
        Settled { entries_per_leaf: settled.entries_per_leaf.min(keys), ..settled }
    }
}

impl Order {
    /// The factor by which the window grows for its leaves to go through one doubling more. A bucket
    /// grows from one leaf. Late keys grow from what the last leaf spans: that holds `c` keys once it
    /// spans the time `t` with `rate·t²/(2·delay) = c`, to which `rate·t = √(2·window·c)` come in all.
    fn window_per_doubling(self) -> f64 {
        if matches!(self, Order::Delayed(..)) { 4.0 } else { 2.0 }
    }

    /// The same order in a window narrowed by so many periods: at a lower rate.
    fn narrowed(self, periods: f64) -> Self {
        let factor = self.window_per_doubling().powf(periods);
        let narrow = |wide: Rounded| if periods > 0.0 { nearest(wide.value() / factor) } else { wide };
        match self {
            Order::Bucketed(keys) => Order::Bucketed(narrow(keys)),
            Order::Delayed(rate, delay) => Order::Delayed(narrow(rate), delay),
            other => other,
        }
    }

    /// The order that was rounded to this.
    fn arrival(self) -> Arrival {
        match self {
            Order::Uniform => Arrival::Uniform,
            Order::Ascending => Arrival::Ascending,
            Order::Bucketed(keys) => Arrival::Bucketed { keys_per_bucket: keys.value() },
            Order::Delayed(rate, delay) => {
                Arrival::Delayed { rate_per_s: rate.value(), mean_delay_s: delay.value() }
            }
            Order::Wrapping => Arrival::Wrapping { keys_per_wrap: SCALED_WRAP },
        }
    }
}

/// A number to three significant digits: exact for what people write, and few enough for a grid. Finer
/// than it looks necessary, because the fill of bucketed orders resonates with the entries of a leaf:
/// 181 entries at 180 keys a bucket, 198 at 200, 175 at 207.
fn nearest(value: f64) -> Rounded {
    let exponent = value.log10().floor() as i32 - 2;
    Rounded { digits: (value / 10f64.powi(exponent)).round() as u32, exponent }
}

impl Rounded {
    fn value(self) -> f64 {
        f64::from(self.digits) * 10f64.powi(self.exponent)
    }
}

/// An endlessly large index under uniform arrival: leaves begin with the sizes `k` of rules that halve
/// them, in proportion to 1 / (k·(k + 1)), double once to take those of this rule, and are averaged
/// over the next doubling, so that what swings with the logarithm of their number averages out.
fn simulated_limit(rule: Rule) -> Settled {
    let most = f64::from(rule.capacity());
    let count = ((LIMIT_ENTRIES / most) as u32).clamp(LIMIT_LEAVES.0, LIMIT_LEAVES.1);
    let leaf = |i: u32| (most / (2.0 - (f64::from(i) + 0.5) / f64::from(count))) as u32;
    let mut leaves = Leaves::of((0..count).map(|i| leaf(i).max(1)).collect());
    let mut stream = Stream::new(Arrival::Uniform, rule.capacity(), 0);
    let start = leaves.entries();
    insert(rule, &mut leaves, &mut stream, start);
    let tally = leaves.tally;
    let mut leaves_per_entry = 0.0;
    for step in 1..=POINTS as i32 {
        let entries = (start as f64 * (1.0 + f64::from(step) / POINTS).exp2()) as u64;
        let more = entries.saturating_sub(leaves.entries());
        insert(rule, &mut leaves, &mut stream, more);
        leaves_per_entry += leaves.counts.len() as f64 / leaves.entries() as f64 / POINTS;
    }
    // Of an endless index the leaves per entry are the splits per insert.
    Settled {
        entries_per_leaf: 1.0 / leaves_per_entry,
        splits_per_insert: leaves_per_entry,
        ..leaves.settled_since(tally)
    }
}

/// Keys in disorder up to which the sliding window of insertion is simulated as it is: some 40 leaves
/// of PostgreSQL or SQLite, and as InnoDB's are larger and in step for longer, 80 of its. Late keys in
/// InnoDB are simulated in a wider one as they are, so that the start of the load can be followed.
fn wide_window(rule: Rule, order: Order) -> f64 {
    match (rule, order) {
        (Rule::Innodb(_), Order::Delayed(..)) => 250_000.0,
        (Rule::Innodb(_), _) => 40_000.0,
        _ => 10_000.0,
    }
}

/// Keys to which an index is followed from the empty tree: a power of 2.
fn grown_keys(rule: Rule) -> u64 {
    u64::from(rule.capacity() * GROWN_LEAVES).next_power_of_two().min(GROWN_KEYS)
}

/// Inserts that bring the standard error near 1 %: many windows, and many leaves. Entries a leaf vary
/// by a quarter where full leaves are halved or balanced, and by three quarters in InnoDB, where an
/// order that is almost ascending splits leaves anywhere.
fn run_for(rule: Rule, window: f64) -> u64 {
    let leaves = if matches!(rule, Rule::Innodb(_)) { 1800.0 } else { 400.0 };
    let entries = f64::from(rule.capacity()) * 0.6;
    (20.0 * window).max(leaves * entries).clamp(10_000.0, 500_000.0) as u64
}

/// Means over a run of inserts after a number of others.
fn run_on(rule: Rule, arrival: Arrival, before: u64, run: u64) -> Settled {
    let mut leaves = Leaves::new();
    let mut stream = Stream::new(arrival, rule.capacity(), before + run);
    insert(rule, &mut leaves, &mut stream, before);
    let (tally, entries, count) = (leaves.tally, leaves.entries(), leaves.counts.len());
    insert(rule, &mut leaves, &mut stream, run);
    let made = (leaves.counts.len() - count).max(1) as f64;
    let entries_per_leaf = (leaves.entries() - entries) as f64 / made;
    Settled { entries_per_leaf, ..leaves.settled_since(tally) }
}

/// The weighted mean of two states of an index.
fn mix(a: Settled, b: Settled, share_of_b: f64) -> Settled {
    blend(&[(a, 1.0 - share_of_b), (b, share_of_b)])
}

/// A weighted sum of states whose weights add up to 1: leaves add, so leaves per entry are what is summed.
fn blend(states: &[(Settled, f64)]) -> Settled {
    let sum = |figure: fn(&Settled) -> f64| states.iter().map(|(state, weight)| figure(state) * weight).sum();
    let leaves_per_entry: f64 = sum(|s| 1.0 / s.entries_per_leaf);
    Settled {
        entries_per_leaf: 1.0 / leaves_per_entry,
        splits_per_insert: sum(|s| s.splits_per_insert),
        entries_moved_per_insert: sum(|s| s.entries_moved_per_insert),
        leaf_writes_per_insert: sum(|s| s.leaf_writes_per_insert),
        inner_writes_per_insert: sum(|s| s.inner_writes_per_insert),
    }
}

/// States of one index as it grows.
#[derive(Debug)]
struct Curve(Vec<(f64, Settled)>);

impl Curve {
    /// By the logarithm of its keys, uniform arrival, from the empty tree.
    fn grown(rule: Rule) -> Self {
        let steps = (f64::from(grown_keys(rule).ilog2()) * POINTS) as i32;
        let growths: Vec<Curve> = (0..GROWTHS)
            .map(|growth| {
                let stream = Stream::seeded(Arrival::Uniform, rule.capacity(), 0, growth);
                Self::run(rule, stream, (0..=steps).map(|i| f64::from(i) / POINTS), f64::exp2)
            })
            .collect();
        let mean = |i: usize| -> Settled {
            blend(&growths.iter().map(|g| (g.0[i].1, 1.0 / GROWTHS as f64)).collect::<Vec<_>>())
        };
        Curve((0..growths[0].0.len()).map(|i| (growths[0].0[i].0, mean(i))).collect())
    }

    /// By the logarithm of its keys, an order in which a window of so many is in disorder, from the empty
    /// tree to [`START_WINDOWS`].
    fn begun(rule: Rule, order: Order, window: f64) -> Self {
        let last = START_WINDOWS * window;
        let steps = (last.log2() * POINTS) as i32;
        let at = (0..=steps).map(|i| f64::from(i) / POINTS).chain([last.log2()]);
        Self::run(rule, Stream::new(order.arrival(), rule.capacity(), last as u64), at, f64::exp2)
    }

    /// By passes of a wrapping order.
    fn wrapped(rule: Rule) -> Self {
        let passes = (1..=(PASSES * POINTS) as i32).map(|i| f64::from(i) / POINTS);
        Self::run(rule, Stream::new(Order::Wrapping.arrival(), rule.capacity(), 0), passes, |passes| {
            passes * SCALED_WRAP
        })
    }

    fn run(rule: Rule, mut stream: Stream, at: impl Iterator<Item = f64>, keys: impl Fn(f64) -> f64) -> Self {
        let mut leaves = Leaves::new();
        let points = at.map(|x| {
            let more = (keys(x) as u64).saturating_sub(leaves.tally.inserts);
            insert(rule, &mut leaves, &mut stream, more);
            (x, leaves.settled_since(Tally::default()))
        });
        Curve(points.collect())
    }

    fn at(&self, x: f64) -> Settled {
        let next = self.0.partition_point(|&(at, _)| at < x).clamp(1, self.0.len() - 1);
        let ((x0, before), (x1, after)) = (self.0[next - 1], self.0[next]);
        mix(before, after, ((x - x0) / (x1 - x0)).clamp(0.0, 1.0))
    }
}

/// A table that computes what it is asked for the first time. Two threads may compute the same entry at
/// once; both get the same answer, so whichever is kept does not matter.
#[derive(Debug)]
struct Table<K, V>(RwLock<HashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(RwLock::default())
    }
}

impl<K: Eq + Hash, V: Clone> Table<K, V> {
    fn get(&self, key: K, compute: impl FnOnce() -> V) -> V {
        // A poisoned lock only says that another thread panicked; the entries are whole.
        if let Some(value) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return value.clone();
        }
        let value = compute();
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, value.clone());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::super::postgres::Split;
    use super::*;

    fn uuid_index() -> Rule {
        Rule::Postgres(Split::new(28, 28, 90))
    }

    fn orders() -> [Arrival; 6] {
        [
            Arrival::Uniform,
            Arrival::Ascending,
            Arrival::Bucketed { keys_per_bucket: 200.0 },
            Arrival::Bucketed { keys_per_bucket: 1e9 },
            Arrival::Delayed { rate_per_s: 1e3, mean_delay_s: 0.1 },
            Arrival::Wrapping { keys_per_wrap: 1e6 },
        ]
    }

    #[test]
    fn a_settled_order_is_what_growing_it_gives() {
        // 500 k keys make 2,500 leaves; the window's own swing and the rounding of its width add to the
        // 0.5 % of the simulation.
        let memo = Memo::default();
        for window in [2.0, 20.0, 200.0, 1000.0, 5000.0] {
            let arrival = Arrival::Bucketed { keys_per_bucket: window };
            let settled = memo.settle(uuid_index(), arrival, 5e5).entries_per_leaf;
            let grown = super::super::grow(uuid_index(), arrival, 500_000).entries_per_leaf;
            assert!((settled / grown - 1.0).abs() < 0.02, "{window}: {settled} {grown}");
        }
    }

    #[test]
    fn every_number_of_keys_has_a_finite_answer() {
        let memo = Memo::default();
        for arrival in orders() {
            for keys in [1.0, 2.5, 291.0, 1e4, 1e9, 1e20, 1e38] {
                let s = memo.settle(uuid_index(), arrival, keys);
                assert!(s.entries_per_leaf >= 1.0 && s.entries_per_leaf <= 291.0, "{arrival:?} {keys} {s:?}");
                assert!(s.splits_per_insert >= 0.0 && s.splits_per_insert <= 1.0, "{arrival:?} {keys} {s:?}");
                assert!(s.entries_moved_per_insert.is_finite() && s.leaf_writes_per_insert >= 1.0);
            }
        }
    }

    #[test]
    fn the_fill_is_continuous_in_the_number_of_keys() {
        let memo = Memo::default();
        for arrival in orders() {
            let mut keys = 2e3;
            while keys < 1e13 {
                let here = memo.settle(uuid_index(), arrival, keys).entries_per_leaf;
                let there = memo.settle(uuid_index(), arrival, keys * 1.002).entries_per_leaf;
                assert!((there / here - 1.0).abs() < 0.03, "{arrival:?} {keys}: {here} {there}");
                keys *= 1.01;
            }
        }
    }

    #[test]
    fn the_first_window_is_an_index_of_uniform_keys() {
        let memo = Memo::default();
        for window in [700.0, 3000.0] {
            let arrival = Arrival::Bucketed { keys_per_bucket: window };
            let young = memo.settle(uuid_index(), arrival, window * 1.001).entries_per_leaf;
            let uniform = memo.settle(uuid_index(), Arrival::Uniform, window).entries_per_leaf;
            let old = memo.settle(uuid_index(), arrival, 1e9).entries_per_leaf;
            assert!((young / uniform - 1.0).abs() < 2e-3, "{window}: {young} {uniform}");
            assert!((old / uniform - 1.0).abs() > 1e-2, "{window}: {old} {uniform}");
        }
    }

    #[test]
    fn a_memo_that_has_answered_before_answers_the_same() {
        let (used, fresh) = (Memo::default(), Memo::default());
        for arrival in orders() {
            used.settle(uuid_index(), arrival, 12_345.0);
            assert_eq!(used.settle(uuid_index(), arrival, 1e6), fresh.settle(uuid_index(), arrival, 1e6));
        }
    }

    #[test]
    fn a_simulated_limit_is_the_expected_one() {
        // 64 to 256 leaves whose sizes have a standard deviation of 20 %: a standard error of 1.5 %.
        let (rule, split) = (uuid_index(), Split::new(28, 28, 90));
        let (simulated, expected) = (simulated_limit(rule), steady(split));
        assert!((simulated.entries_per_leaf / expected.entries_per_leaf - 1.0).abs() < 0.04);
        assert!((simulated.splits_per_insert / expected.splits_per_insert - 1.0).abs() < 0.06);
    }

    #[test]
    fn low_time_first_fills_leaves_twice() {
        // Between the ascending 261 of a first half pass and the uniform 201.
        let memo = Memo::default();
        let arrival = Arrival::Wrapping { keys_per_wrap: 4_294_967.296 };
        let settled = memo.settle(uuid_index(), arrival, 1e7).entries_per_leaf;
        let grown = super::super::grow(uuid_index(), arrival, 10_000_000).entries_per_leaf;
        assert!((settled / grown - 1.0).abs() < 0.01, "{settled} {grown}");
    }
}
