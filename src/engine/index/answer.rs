//! The answer of `index`: a row an order, and how it came to it.

use super::key_order::KeyOrder;
use crate::store::tree::{Engine, Log};
use serde::Serialize;

/// Everything that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Whose pages.
    pub engine: Engine,
    /// One row an order.
    pub rows: Vec<Row>,
}

/// What an order does to an index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which key, hence in which order keys arrive.
    pub key_order: KeyOrder,
    /// Keys that are there at the end.
    pub live_keys: u64,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Bytes of an entry on a leaf.
    pub entry_bytes: u32,
    /// Share of the leaves in use.
    pub leaf_fill: f64,
    /// Leaves divided, a thousand inserts.
    pub splits_per_1000_inserts: f64,
    /// Bytes of all pages.
    pub index_bytes: f64,
    /// The same for each key that is there.
    pub bytes_per_key: f64,
    /// Leaves.
    pub leaf_pages: f64,
    /// Pages above them.
    pub inner_pages: f64,
    /// Pages that the cache holds.
    pub cache_pages: f64,
    /// Reads of pages that were not in the cache, an insert, over the whole load.
    pub cache_misses_per_insert: f64,
    /// The same at its end.
    pub cache_misses_per_insert_at_end: f64,
    /// Inserts between two checkpoints.
    pub checkpoint_inserts: f64,
    /// Different pages changed between two checkpoints, over the whole load.
    pub dirty_pages_per_checkpoint: f64,
    /// Of these, pages that were there at the checkpoint before: PostgreSQL logs them whole.
    pub full_page_images_per_checkpoint: f64,
    /// Bytes of log an insert, of the index alone, over the whole load.
    pub log_bytes_per_insert: f64,
    /// The same, by what they are for.
    pub log: Log,
    /// The same over the first inserts after a checkpoint, late in the load.
    pub log_bytes_per_insert_after_checkpoint: Option<f64>,
    /// How many those are.
    pub inserts_after_checkpoint: f64,
    /// Bytes written, log and pages, for each byte of entry.
    pub write_amplification: f64,
    /// Leaves that hold the oldest hundredth of the keys, a thousand of these keys: what a purge has to change.
    pub purge_pages_per_1000_keys: f64,
    /// What a delete by a range of keys gets wrong; none where keys are no times.
    pub range_delete: Option<RangeDelete>,
    /// How the figures came about.
    pub method: String,
    /// Inserts that were made to find them.
    pub inserts_simulated: u64,
    /// The index while it grew; empty where keys expire.
    pub growth: Vec<Grown>,
    /// The log after a checkpoint.
    pub after_checkpoint: Vec<Logged>,
}

/// An index at one moment of its growth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Grown {
    /// Keys that are there.
    pub keys: f64,
    /// Its pages over those of the cache.
    pub index_over_cache: f64,
    /// Share of the leaves in use.
    pub leaf_fill: f64,
    /// Misses an insert, since the moment before.
    pub cache_misses_per_insert: f64,
}

/// The log of the inserts that follow a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Logged {
    /// Inserts since the checkpoint.
    pub inserts_since_checkpoint: f64,
    /// Bytes an insert, since the moment before.
    pub log_bytes_per_insert: f64,
}

/// What `DELETE … WHERE key < (key of the expiry time)` gets wrong where clients' clocks are off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RangeDelete {
    /// How long keys are to be kept.
    pub ttl_s: f64,
    /// Share of the keys that are to be kept which are gone.
    pub removed_alive_share: f64,
    /// By how much earlier keys have to be deleted later, so that one in a thousand is gone before its time.
    pub margin_s: f64,
}
