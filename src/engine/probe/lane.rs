//! The keys of one order in one store while they are loaded.

use super::Scene;
use super::answer::Row;
use super::order::{Order, Source};
use crate::error::{Error, Result};
use crate::store::live::{self, Counters, Layout, Plan, Table, Target};

/// One order in one store.
pub(super) struct Lane {
    pub order: Order,
    pub plan: Plan,
    pub table: Box<dyn Table>,
    pub source: Source,
    /// Keys that are there, oldest first.
    pub rows: Vec<live::Row>,
    /// Nanoseconds of each slice.
    pub slices_ns: Vec<u64>,
    /// Nanoseconds of each transaction.
    latencies_ns: Vec<u64>,
    /// Nanoseconds that the loader took between them.
    loader_ns: u64,
    /// Processor seconds of this process within the slices.
    processor_s: Option<f64>,
    counted: Counters,
    half: Layout,
    keys_at_half: u64,
    leaf_pages_before: Option<u64>,
}

impl Lane {
    pub fn new(scene: &Scene<'_>, target: &mut dyn Target, order: Order) -> Result<Lane> {
        let question = scene.question;
        let plan = question.plan(order);
        let mut table = target.table(&plan)?;
        let leaf_pages_before = table.layout()?.leaf_pages;
        Ok(Lane {
            order,
            plan,
            table,
            source: Source::new(order, scene.seed, question.rate_per_s(), question.clocks())?,
            rows: Vec::new(),
            slices_ns: Vec::new(),
            latencies_ns: Vec::new(),
            loader_ns: 0,
            processor_s: Some(0.0),
            counted: Counters::ZERO,
            half: Layout::default(),
            keys_at_half: 0,
            leaf_pages_before,
        })
    }

    /// Loads one slice, and has a checkpoint follow.
    pub fn load(&mut self, scene: &Scene<'_>, keys: usize) -> Result<()> {
        let (before, processor_s) = (self.table.counters()?, scene.host.processor_s());
        let mut slice_ns = 0;
        let mut left = keys;
        while left > 0 {
            scene.go_on()?;
            let batch = left.min(scene.question.batch());
            let (loader_ns, store_ns) = self.insert(scene, batch)?;
            self.latencies_ns.push(store_ns);
            self.loader_ns += loader_ns;
            slice_ns += loader_ns + store_ns;
            left -= batch;
            scene.progress.advance(1);
        }
        slice_ns += scene.timed(|| self.table.settle())?.0;
        self.slices_ns.push(slice_ns);
        let used_s = scene.host.processor_s().zip(processor_s).map(|(after, before)| after - before);
        self.processor_s = self.processor_s.zip(used_s).map(|(sum, used)| sum + used);
        self.counted = self.counted.plus(&self.table.counters()?.since(&before));
        Ok(())
    }

    /// Makes and inserts so many keys in one transaction: nanoseconds of the loader and of the store.
    pub fn insert(&mut self, scene: &Scene<'_>, keys: usize) -> Result<(u64, u64)> {
        let from = self.rows.len();
        let (loader_ns, ()) = scene.timed(|| {
            self.source.fill(&mut self.rows, keys);
            Ok(())
        })?;
        let (store_ns, new) = scene.timed(|| self.table.insert(&self.rows[from..]))?;
        if new != keys as u64 {
            return Err(Error::data(format!("of {keys} new keys the store took {new} as new")));
        }
        Ok((loader_ns, store_ns))
    }

    /// Looks at the table when half of the keys are there.
    pub fn look_at_half(&mut self) -> Result<()> {
        self.half = self.table.layout()?;
        self.keys_at_half = self.rows.len() as u64;
        Ok(())
    }

    /// What the load says; `first_ns` are the slices of the first order.
    pub fn row(&mut self, target: &dyn Target, name: &str, first_ns: &[u64]) -> Result<Row> {
        let keys = self.rows.len() as u64;
        let there = self.table.count()?;
        if there != keys {
            return Err(Error::data(format!("{keys} keys were inserted and {there} are there")));
        }
        let layout = self.table.layout()?;
        let each = |bytes: u64| bytes as f64 / keys as f64;
        let at_half = self.half.bytes() as f64 / self.keys_at_half as f64;
        let mut ratios: Vec<f64> =
            first_ns.iter().zip(&self.slices_ns).map(|(first, own)| *first as f64 / *own as f64).collect();
        ratios.sort_by(f64::total_cmp);
        let elapsed_s = self.slices_ns.iter().sum::<u64>() as f64 * 1e-9;
        self.latencies_ns.sort_unstable();
        let row_bytes = self.plan.row_bytes();
        let Counters { log_bytes, written_bytes, checkpoints, checkpoint_pages, cache_misses } = self.counted;
        let gained = layout.leaf_pages.zip(self.leaf_pages_before);
        Ok(Row {
            store: name.to_owned(),
            version: target.version().to_owned(),
            key_order: self.order.name(),
            keys,
            key_bytes: self.order.key_bytes(),
            row_bytes,
            bytes_per_key: each(layout.bytes()),
            table_bytes_per_key: each(layout.table_bytes),
            index_bytes_per_key: each(layout.index_bytes),
            bytes_per_key_at_half: at_half,
            growth_since_half: each(layout.bytes()) / at_half - 1.0,
            file_bytes_per_key: each(layout.file_bytes),
            leaf_fill: layout.leaf_fill,
            splits_per_1000_inserts: gained.map(|(now, before)| each(now.saturating_sub(before)) * 1e3),
            cache_misses_per_insert: cache_misses.map(each),
            dirty_pages_per_checkpoint: checkpoint_pages
                .zip(checkpoints)
                .filter(|(_, checkpoints)| *checkpoints > 0)
                .map(|(pages, checkpoints)| pages as f64 / checkpoints as f64),
            log_bytes_per_insert: log_bytes.map(each),
            written_bytes_per_insert: written_bytes.map(each),
            write_amplification: written_bytes.map(|bytes| each(bytes) / row_bytes as f64),
            inserts_per_s: keys as f64 / elapsed_s,
            ratio_to_first: middle(&ratios),
            ratio_low: ratios.first().copied().unwrap_or(1.0),
            ratio_high: ratios.last().copied().unwrap_or(1.0),
            latency_s_p50: within(&self.latencies_ns, 0.5),
            latency_s_p99: within(&self.latencies_ns, 0.99),
            latency_s_max: within(&self.latencies_ns, 1.0),
            loader_share: if target.is_embedded() {
                Some(self.loader_ns as f64 * 1e-9 / elapsed_s)
            } else {
                self.processor_s.map(|used_s| used_s / elapsed_s)
            },
            purge_s: None,
            steady: None,
            purges: Vec::new(),
            claims: None,
        })
    }
}

/// The median of sorted numbers; 1 of none.
fn middle(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => 1.0,
        length if length % 2 == 1 => sorted[length / 2],
        length => (sorted[length / 2 - 1] + sorted[length / 2]) / 2.0,
    }
}

/// Seconds that a share of sorted nanoseconds stayed within: the nearest rank.
pub(super) fn within(sorted_ns: &[u64], share: f64) -> f64 {
    let rank = (share * sorted_ns.len() as f64).ceil() as usize;
    sorted_ns.get(rank.max(1) - 1).map_or(0.0, |ns| *ns as f64 * 1e-9)
}
