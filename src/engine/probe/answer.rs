//! The answer of `probe`: what each store took for each order, and what it did when keys expired and were claimed.

use crate::store::live::Way;
use serde::Serialize;

/// One order in one store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The store.
    pub store: String,
    /// Its version as it tells it.
    pub version: String,
    /// The order.
    pub key_order: &'static str,
    /// Keys that were loaded.
    pub keys: u64,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// Bytes of a row at the widths of its columns, key included, without anything that the store adds.
    pub row_bytes: u64,
    /// Bytes of table and indexes per key.
    pub bytes_per_key: f64,
    /// Of these, bytes of the table.
    pub table_bytes_per_key: f64,
    /// Of these, bytes of indexes beside it.
    pub index_bytes_per_key: f64,
    /// The same per key when half of the keys were there.
    pub bytes_per_key_at_half: f64,
    /// How far the two differ, as a share of the latter: whether bytes per key stand still.
    pub growth_since_half: f64,
    /// Bytes that the system has given out, per key.
    pub file_bytes_per_key: f64,
    /// Share of the leaf pages of the index over the key in use.
    pub leaf_fill: Option<f64>,
    /// Leaf pages gained for a thousand inserts.
    pub splits_per_1000_inserts: Option<f64>,
    /// Pages that were not in the cache, per insert.
    pub cache_misses_per_insert: Option<f64>,
    /// Pages that a checkpoint wrote, on average.
    pub dirty_pages_per_checkpoint: Option<f64>,
    /// Bytes of log per insert.
    pub log_bytes_per_insert: Option<f64>,
    /// Bytes written per insert, log included.
    pub written_bytes_per_insert: Option<f64>,
    /// Bytes written over bytes of the rows.
    pub write_amplification: Option<f64>,
    /// Inserts a second, checkpoints included.
    pub inserts_per_s: f64,
    /// How many times as fast as the first order of this store: the median of the slices.
    pub ratio_to_first: f64,
    /// The lowest of these ratios.
    pub ratio_low: f64,
    /// The highest of these ratios.
    pub ratio_high: f64,
    /// Seconds that half of the transactions stayed within.
    pub latency_s_p50: f64,
    /// Seconds that 99 of 100 transactions stayed within.
    pub latency_s_p99: f64,
    /// Seconds of the longest transaction.
    pub latency_s_max: f64,
    /// Share of the time of the load that the loader took rather than the store: of a store in this process the time
    /// between its calls, of a server this process' processor time.
    pub loader_share: Option<f64>,
    /// Seconds that the removal of the oldest tenth by their keys took.
    pub purge_s: Option<f64>,
    /// Insert and expire, where that was asked for.
    pub steady: Option<Steady>,
    /// The ways to purge, where that was asked for.
    pub purges: Vec<Purge>,
    /// Claims, where that was asked for.
    pub claims: Option<Claims>,
}

/// A store whose oldest keys go as new ones come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steady {
    /// Keys alive.
    pub live_keys: u64,
    /// Steps, in each of which a tenth of them was replaced.
    pub steps: u32,
    /// Whether the size stood still within 1 % over the last five steps.
    pub stands_still: bool,
    /// Bytes of table and indexes per live key at the end.
    pub bytes_per_live_key: f64,
    /// Share of the leaf pages in use at the end.
    pub leaf_fill: Option<f64>,
    /// Bytes of log for an insert and an expiry.
    pub log_bytes_per_insert: Option<f64>,
    /// Bytes written for an insert and an expiry.
    pub written_bytes_per_insert: Option<f64>,
    /// Inserts a second, each with an expiry.
    pub inserts_per_s: f64,
}

/// One way to purge the oldest tenth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Purge {
    /// The way.
    pub purge: Way,
    /// Keys that had expired.
    pub expired_keys: u64,
    /// Keys that were removed.
    pub removed_keys: u64,
    /// Of these, keys that had not expired: their time reads earlier than it was.
    pub removed_live_keys: u64,
    /// Seconds until they were gone, with the reclaiming of their room where the store needs that.
    pub purge_s: f64,
    /// Bytes of log for a key removed.
    pub log_bytes_per_key: Option<f64>,
    /// Bytes written for a key removed.
    pub written_bytes_per_key: Option<f64>,
    /// Bytes per key removed that can be used again within the store.
    pub reusable_bytes_per_key: Option<f64>,
    /// Bytes per key removed that went back to the system.
    pub returned_bytes_per_key: f64,
}

/// Several who claimed the same keys at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claims {
    /// How many they were.
    pub claimants: usize,
    /// Different keys that all of them claimed.
    pub keys: u64,
    /// Claims in all.
    pub claims: u64,
    /// Of these, claims of keys that had been there before.
    pub replays: u64,
    /// Claims that were told that the key was new.
    pub winners: u64,
    /// Keys with another number of winners than one, and replays that won: none where the store keeps its promise.
    pub broken: u64,
    /// Claims a second, all claimants together.
    pub claims_per_s: f64,
    /// Seconds that 99 of 100 claims stayed within.
    pub latency_s_p99: f64,
}

/// Where a figure of a store comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The store.
    pub store: String,
    /// The figures.
    pub figure: &'static str,
    /// How it was had.
    pub source: &'static str,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Every order in every store.
    pub rows: Vec<Row>,
    /// Slices in which the keys of each order were loaded, in turn with the other orders.
    pub slices: u64,
    /// Where figures come from.
    pub sources: Vec<Source>,
}

impl Answer {
    /// Whether every key that was claimed had one winner.
    pub fn is_sound(&self) -> bool {
        self.rows.iter().filter_map(|row| row.claims.as_ref()).all(|claims| claims.broken == 0)
    }
}
