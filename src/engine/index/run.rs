//! One order loaded into one tree: inserts, transactions, checkpoints and expiry in their rhythm, and what is
//! noted on the way.

use super::answer::{Grown, Logged, RangeDelete, Row};
use super::key_order::KeyOrder;
use super::{Indexing, Plan, USUAL_TTL_S};
use crate::question::Progress;
use crate::store::tree::{Geometry, Order, Stream, Tally, Tree};
use std::collections::{HashSet, VecDeque};

/// Inserts between two looks whether to go on.
const STEP: u64 = 1 << 14;
/// Moments noted in a doubling of the keys, and in how many doublings.
const PER_DOUBLING: f64 = 4.0;
const DOUBLINGS: f64 = 10.0;
/// The same after a checkpoint.
const LOG_PER_DOUBLING: f64 = 2.0;
const LOG_DOUBLINGS: f64 = 12.0;
/// Inserts after a checkpoint over which its log is told in one figure.
const AFTER_CHECKPOINT: f64 = 10_000.0;
/// Keys whose leaves are counted for a purge, at most.
const MOST_PURGED: u64 = 200_000;

/// A load on its way.
pub(super) struct Run<'a> {
    question: &'a Indexing,
    order: Order,
    plan: Plan,
    seed: u64,
    tree: Tree,
    stream: Stream,
    /// Keys that will expire, the oldest first; where none do, empty.
    live: VecDeque<u64>,
    /// Keys that are kept, and expired ones at which they are removed.
    kept: Option<(usize, usize)>,
    /// What there was when the figures begin.
    start: Tally,
    inserted: u64,
    checkpoint_inserts: u64,
    since_checkpoint: u64,
    in_batch: u64,
    growth: Vec<(Tally, f64)>,
    log: LogCurve,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        question: &'a Indexing,
        order: Order,
        geometry: Geometry,
        (plan, seed): (Plan, u64),
    ) -> Run<'a> {
        let inputs = question.inputs();
        let cache = (question.cache_pages(&geometry) / plan.scale).min(f64::from(u32::MAX / 2)) as u32;
        let tree = if plan.keyed { Tree::keyed(geometry, cache) } else { Tree::counted(geometry, cache) };
        let checkpoint_inserts = (question.checkpoint_inserts() / plan.scale).max(10.0) as u64;
        let kept = inputs.ttl_s.map(|_| {
            let live = question.live_keys() as usize;
            (live, (live as f64 * inputs.vacuum_dead_share) as usize)
        });
        Run {
            question,
            order,
            plan,
            seed,
            tree,
            stream: Stream::new(order, plan.keys, seed),
            live: VecDeque::new(),
            kept,
            start: Tally::default(),
            inserted: 0,
            checkpoint_inserts,
            since_checkpoint: 0,
            in_batch: 0,
            growth: Vec::new(),
            log: LogCurve::new(checkpoint_inserts),
        }
    }

    /// Loads every key; false where it was stopped.
    pub(super) fn load(&mut self, progress: &dyn Progress) -> bool {
        if !self.load_before(progress) {
            return false;
        }
        let total = self.plan.keys;
        // Figures of a steady state begin when it is one.
        let begins = if self.kept.is_some() { total / 2 } else { 0 };
        let mut moments = moments(total).into_iter().peekable();
        while self.inserted < total {
            let next = *moments.peek().unwrap_or(&total);
            let until = (self.inserted + STEP).min(next).min(total);
            let until = if self.inserted < begins { until.min(begins) } else { until };
            let steps = until - self.inserted;
            self.insert_until(until);
            if self.inserted == begins && begins > 0 {
                self.start = self.tree.tally();
            }
            if self.inserted == next {
                moments.next();
                // An index whose keys expire does not grow.
                if self.kept.is_none() {
                    self.growth.push((self.tree.tally(), self.tree.leaf_fill()));
                }
            }
            progress.advance(steps);
            if progress.cancelled() {
                return false;
            }
        }
        if self.kept.is_some() {
            // Figures are those of what lives.
            self.expire(0);
        }
        if self.tree.tally().traffic.checkpoints == self.start.traffic.checkpoints {
            self.tree.checkpoint();
        }
        true
    }

    /// Random keys that stood there before, and what they did forgotten.
    fn load_before(&mut self, progress: &dyn Progress) -> bool {
        let before = self.question.inputs().before_keys;
        for number in 0..before {
            if self.plan.keyed {
                let key = self.stream.key_before();
                self.tree.insert(key);
            } else {
                self.tree.insert_uniform(self.stream.random());
            }
            if number % STEP == STEP - 1 {
                progress.advance(STEP);
                if progress.cancelled() {
                    return false;
                }
            }
        }
        if before > 0 {
            self.tree.checkpoint();
            self.start = self.tree.tally();
        }
        true
    }

    fn insert_until(&mut self, until: u64) {
        let batch = self.question.inputs().batch;
        while self.inserted < until {
            if self.plan.keyed {
                let key = self.stream.next_key();
                self.tree.insert(key);
                if let Some((kept, dead)) = self.kept {
                    self.live.push_back(key);
                    if self.live.len() > kept + dead {
                        self.expire(0);
                    }
                }
            } else {
                self.tree.insert_uniform(self.stream.random());
            }
            self.inserted += 1;
            self.in_batch += 1;
            if self.in_batch == batch {
                self.in_batch = 0;
                self.tree.commit();
            }
            self.since_checkpoint += 1;
            if self.since_checkpoint >= self.log.next() {
                self.log.note(self.since_checkpoint, &self.tree);
            }
            if self.since_checkpoint == self.checkpoint_inserts {
                self.since_checkpoint = 0;
                self.tree.checkpoint();
                self.log.begin(&self.tree, 2 * self.inserted >= self.plan.keys);
            }
        }
    }

    /// Removes all expired keys but so many.
    fn expire(&mut self, but: usize) {
        let Some((kept, _)) = self.kept else { return };
        while self.live.len() > kept + but {
            let Some(oldest) = self.live.pop_front() else { return };
            self.tree.remove(oldest);
        }
    }

    /// What an order did.
    pub(super) fn row(self, key: KeyOrder) -> Row {
        let (question, plan) = (self.question, self.plan);
        let geometry = *self.tree.geometry();
        let tally = self.tree.tally().since(&self.start);
        let each = |sum: u64| sum as f64 / tally.inserts.max(1) as f64;
        let interval = |sum: u64| sum as f64 / tally.traffic.checkpoints.max(1) as f64 * plan.scale;
        let pages = plan.scale * plan.goes_on;
        let log = geometry.log(&tally);
        let share = |bytes: f64| bytes / tally.inserts.max(1) as f64;
        let index_bytes = self.tree.bytes() as f64 * pages;
        let live_keys = question.live_keys();
        let misses = each(tally.traffic.leaf_misses + tally.traffic.inner_misses);
        let growth = self.grown();
        Row {
            key_order: key,
            live_keys,
            page_bytes: geometry.page_bytes(),
            entry_bytes: geometry.entry_bytes(),
            leaf_fill: self.tree.leaf_fill(),
            splits_per_1000_inserts: each(tally.splits) * 1e3,
            index_bytes,
            bytes_per_key: index_bytes / live_keys as f64,
            leaf_pages: tally.leaves as f64 * pages,
            inner_pages: tally.inner_pages as f64 * pages,
            cache_pages: question.cache_pages(&geometry).max(8.0),
            cache_misses_per_insert: misses,
            cache_misses_per_insert_at_end: growth.last().map_or(misses, |last| last.cache_misses_per_insert),
            checkpoint_inserts: question.checkpoint_inserts(),
            dirty_pages_per_checkpoint: interval(tally.traffic.leaves_dirtied + tally.traffic.inner_dirtied),
            full_page_images_per_checkpoint: interval(tally.traffic.images),
            log_bytes_per_insert: share(log.total()),
            log: log.each(tally.inserts.max(1) as f64),
            log_bytes_per_insert_after_checkpoint: self.log.first(),
            inserts_after_checkpoint: self.log.first_inserts as f64 * plan.scale,
            write_amplification: geometry.write_amplification(&tally),
            purge_pages_per_1000_keys: self.purge_pages(),
            range_delete: self.range_delete(key),
            method: plan.in_words(question),
            inserts_simulated: tally.inserts,
            growth,
            after_checkpoint: self.log.curve(plan.scale),
        }
    }

    fn grown(&self) -> Vec<Grown> {
        let mut earlier = self.start;
        let mut grown = Vec::with_capacity(self.growth.len());
        for (tally, leaf_fill) in &self.growth {
            let since = tally.since(&earlier);
            let misses = since.traffic.leaf_misses + since.traffic.inner_misses;
            let pages = (tally.leaves + tally.inner_pages) as f64;
            grown.push(Grown {
                keys: tally.entries() as f64 * self.plan.scale,
                index_over_cache: pages / f64::from(self.tree.cache_pages()),
                leaf_fill: *leaf_fill,
                cache_misses_per_insert: misses as f64 / since.inserts.max(1) as f64,
            });
            earlier = *tally;
        }
        grown
    }

    /// Leaves that the oldest hundredth of the keys lies on, a thousand of them.
    fn purge_pages(&self) -> f64 {
        let live = self.question.live_keys().min(self.plan.keys);
        let oldest = (live / 100).clamp(1, MOST_PURGED);
        let leaves = self.tree.tally().leaves as f64;
        let pages = if !self.plan.keyed {
            // As many as random keys meet.
            -leaves * (-(oldest as f64) / leaves).exp_m1()
        } else if self.kept.is_some() {
            distinct(self.live.iter().take(oldest as usize).map(|&key| self.tree.leaf_of(key)))
        } else {
            // The same stream once more, from its beginning.
            let mut again = Stream::new(self.order, self.plan.keys, self.seed);
            for _ in 0..self.question.inputs().before_keys {
                again.key_before();
            }
            distinct((0..oldest).map(|_| self.tree.leaf_of(again.next_key())))
        };
        pages * 1e3 / oldest as f64
    }

    fn range_delete(&self, key: KeyOrder) -> Option<RangeDelete> {
        let inputs = self.question.inputs();
        if !key.is_time_ordered() || inputs.shards > 1 {
            return None;
        }
        let ttl_s = inputs.ttl_s.unwrap_or(USUAL_TTL_S);
        Some(RangeDelete {
            ttl_s,
            removed_alive_share: (self.order.skew.mean_behind_s() / ttl_s).min(1.0),
            margin_s: self.order.skew.behind_at_most_s(1e-3),
        })
    }
}

fn distinct(leaves: impl Iterator<Item = u32>) -> f64 {
    leaves.collect::<HashSet<_>>().len() as f64
}

/// Numbers of keys at which the growth is noted, each once, up to the last.
fn moments(total: u64) -> Vec<u64> {
    let steps = (PER_DOUBLING * DOUBLINGS) as i32;
    let mut moments: Vec<u64> = (0..=steps)
        .map(|step| (total as f64 * (-f64::from(step) / PER_DOUBLING).exp2()).round() as u64)
        .filter(|&keys| keys >= 10)
        .collect();
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// The log by inserts since a checkpoint, as a mean over the checkpoints of the second half of a load.
struct LogCurve {
    /// Inserts since a checkpoint at which it is noted.
    offsets: Vec<u64>,
    /// The place of [`AFTER_CHECKPOINT`] among them.
    first_inserts: u64,
    /// Bytes from each offset to the next.
    sums: Vec<f64>,
    /// Intervals that reached the last offset.
    whole: u64,
    /// The present interval: whether it counts, offsets passed, and bytes up to each.
    counts: bool,
    passed: Vec<f64>,
    start: Tally,
}

impl LogCurve {
    fn new(interval: u64) -> LogCurve {
        let steps = (LOG_PER_DOUBLING * LOG_DOUBLINGS) as i32;
        let first_inserts = interval.min(AFTER_CHECKPOINT as u64);
        let mut offsets: Vec<u64> = (0..=steps)
            .map(|step| (interval as f64 * (-f64::from(step) / LOG_PER_DOUBLING).exp2()).round() as u64)
            .filter(|&inserts| inserts >= 10)
            .chain([first_inserts])
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        let sums = vec![0.0; offsets.len()];
        let start = Tally::default();
        LogCurve { offsets, first_inserts, sums, whole: 0, counts: false, passed: Vec::new(), start }
    }

    /// A checkpoint has ended.
    fn begin(&mut self, tree: &Tree, counts: bool) {
        self.counts = counts;
        self.passed.clear();
        self.start = tree.tally();
    }

    /// The next number of inserts to be noted.
    #[inline]
    fn next(&self) -> u64 {
        if self.counts { self.offsets.get(self.passed.len()).copied().unwrap_or(u64::MAX) } else { u64::MAX }
    }

    fn note(&mut self, inserts: u64, tree: &Tree) {
        debug_assert_eq!(Some(&inserts), self.offsets.get(self.passed.len()));
        self.passed.push(tree.geometry().log(&tree.tally().since(&self.start)).total());
        if self.passed.len() == self.offsets.len() {
            let before = [0.0].into_iter().chain(self.passed.iter().copied());
            for ((sum, before), after) in self.sums.iter_mut().zip(before).zip(&self.passed) {
                *sum += after - before;
            }
            self.whole += 1;
        }
    }

    /// Bytes an insert over the first of them.
    fn first(&self) -> Option<f64> {
        let place = self.offsets.iter().position(|&inserts| inserts == self.first_inserts)?;
        let bytes: f64 = self.sums[..=place].iter().sum();
        (self.whole > 0).then(|| bytes / self.whole as f64 / self.first_inserts as f64)
    }

    fn curve(&self, scale: f64) -> Vec<Logged> {
        if self.whole == 0 {
            return Vec::new();
        }
        let before = [0].into_iter().chain(self.offsets.iter().copied());
        let points = self.offsets.iter().zip(before).zip(&self.sums);
        points
            .map(|((&inserts, before), sum)| Logged {
                inserts_since_checkpoint: inserts as f64 * scale,
                log_bytes_per_insert: sum / self.whole as f64 / (inserts - before) as f64,
            })
            .collect()
    }
}
