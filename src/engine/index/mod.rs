//! What the order of keys does to a B-tree: its size, what is read, changed and logged, and what a purge costs.
//!
//! A tree of pages ([`crate::store::tree`]) is loaded in each order, as it is: up to [`SIMULATED`] keys one by
//! one. Of more, uniform keys and those of UUIDv1 are scaled down by a power of 2 with cache and checkpoint
//! interval: what counts are ratios, and the fill swings with log2 of the keys. Other orders are loaded up to
//! that number, from where on nothing changes but size.

mod answer;
mod key_order;
mod question;
mod run;

pub use answer::{Answer, Grown, Logged, RangeDelete, Row};
pub use key_order::KeyOrder;
pub use question::{CacheSize, Indexing, Inputs, Interval, MOST_FOLLOWED, MOST_KEYS, USUAL_CLIENTS};

use crate::error::{Error, Result};
use crate::question::Progress;
use crate::store::tree::{Order, Shape, Tree};
use rayon::prelude::*;
use run::Run;

/// Keys that are loaded one by one.
pub const SIMULATED: u64 = 1 << 24;
/// Windows of keys out of order that are loaded at least.
const WINDOWS: f64 = 8.0;
/// How long keys are kept where the question does not say, for what a range delete gets wrong: a day.
const USUAL_TTL_S: f64 = 86_400.0;

/// How an order is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plan {
    /// Keys that are inserted.
    keys: u64,
    /// What stands for one key, page or second of the simulation: 1, or a power of 2.
    scale: f64,
    /// Times as many keys that follow alike.
    goes_on: f64,
    /// Whether what is out of order is little beside what is loaded, so that what follows is alike.
    settles: bool,
    /// Whether the tree keeps its keys.
    keyed: bool,
}

impl Plan {
    fn new(question: &Indexing, order: &Order) -> Plan {
        let inputs = question.inputs();
        let keys = inputs.keys;
        let keyed = order.shape != Shape::Uniform || inputs.ttl_s.is_some();
        if keys <= SIMULATED || inputs.ttl_s.is_some() || inputs.before_keys > 0 {
            return Plan { keys, scale: 1.0, goes_on: 1.0, settles: true, keyed };
        }
        if matches!(order.shape, Shape::Uniform | Shape::LowTimeFirst { .. }) {
            let halvings = (keys as f64 / SIMULATED as f64).log2().ceil();
            let scale = halvings.exp2();
            let keys = (keys as f64 / scale) as u64;
            return Plan { keys, scale, goes_on: 1.0, settles: true, keyed };
        }
        let window = order.rate_per_s * (order.delay_s * 6.0 + order.skew.seconds * 4.0);
        let least = (SIMULATED as f64).max(WINDOWS * window).min(MOST_FOLLOWED as f64);
        let loaded = (least as u64).min(keys);
        let settles = loaded == keys || loaded as f64 >= WINDOWS * window;
        Plan { keys: loaded, scale: 1.0, goes_on: keys as f64 / loaded as f64, settles, keyed }
    }

    fn in_words(&self, question: &Indexing) -> String {
        let form = if self.keyed { "tree of keys" } else { "tree of counts" };
        let far = if question.inputs().ttl_s.is_some() { ", over the second half" } else { "" };
        if self.scale > 1.0 {
            format!("{form}, scaled to 1/{}", self.scale)
        } else if self.goes_on > 1.0 {
            let rest =
                if self.settles { "the rest alike" } else { "too few to settle, the rest taken as alike" };
            format!("{form}, the first {} keys; {rest}", self.keys)
        } else {
            format!("{form}, every key{far}")
        }
    }
}

/// Inserts that an answer takes.
pub fn steps(question: &Indexing) -> u64 {
    let before = question.inputs().before_keys;
    question
        .inputs()
        .key_order
        .iter()
        .map(|key| before + Plan::new(question, &question.order(*key)).keys)
        .sum()
}

/// Bytes of memory that an answer takes on so many threads, at most and about.
///
/// # Errors
/// Where pages hold no entries, which a checked question has excluded.
pub fn memory_bytes(question: &Indexing, threads: usize) -> Result<u128> {
    let inputs = question.inputs();
    let mut each = Vec::new();
    for key in &inputs.key_order {
        let plan = Plan::new(question, &question.order(*key));
        let geometry = question.geometry(*key)?;
        let kept = plan.keys + inputs.before_keys;
        let live = question.live_keys().min(kept);
        // Keys that expire are remembered in the order in which they do.
        let queue = if inputs.ttl_s.is_some() { 16 * live } else { 0 };
        // Keys on their way, in a heap that doubles when it grows.
        let on_the_way = (32.0 * inputs.rate_per_s * inputs.delay_s) as u64;
        let tree = Tree::memory_bytes(&geometry, kept.min(4 * live), plan.keyed);
        each.push(u128::from(tree + queue + on_the_way));
    }
    each.sort_unstable();
    Ok(each.iter().rev().take(threads.max(1)).sum())
}

/// Answers a question from a seed, order by order; the same whatever the number of threads.
///
/// # Errors
/// Where the progress asks to stop.
pub fn answer(question: &Indexing, seed: u64, progress: &dyn Progress) -> Result<Answer> {
    let keys = &question.inputs().key_order;
    let rows = keys.par_iter().map(|key| row(question, *key, seed, progress)).collect::<Vec<_>>();
    Ok(Answer { engine: question.inputs().engine, rows: rows.into_iter().collect::<Result<_>>()? })
}

fn row(question: &Indexing, key: KeyOrder, seed: u64, progress: &dyn Progress) -> Result<Row> {
    let (order, geometry) = (question.order(key), question.geometry(key)?);
    let plan = Plan::new(question, &order);
    let order = Order { rate_per_s: order.rate_per_s / plan.scale, ..order };
    let mut run = Run::new(question, order, geometry, (plan, seed));
    if !run.load(progress) {
        return Err(Error::range("stopped before every order was loaded"));
    }
    Ok(run.row(key))
}

#[cfg(test)]
mod tests;
