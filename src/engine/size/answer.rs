//! The answer of `size`: one case a point of the grid, one line a store.

use crate::error::Error;
use crate::id::key::Key;
use crate::store::record::{KeyFormat, RecordKind, Scope};
use crate::store::{Evidence, Part, Purge, Spread};
use crate::units::{Attempts, Exact, Rate, Share, Span, Usd};
use serde::Serialize;

/// Every case, in the order of the grid.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// One element a point of the grid.
    pub cases: Vec<Case>,
}

/// One workload, record and set of terms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// Average keys per second.
    pub rate_per_s: Rate,
    /// Highest keys per second.
    pub peak_per_s: Rate,
    /// How long a key is kept.
    pub retention_s: Span,
    /// Copies of the store.
    pub replicas: u32,
    /// Which key.
    pub key: Key,
    /// How it is stored.
    pub key_format: KeyFormat,
    /// Bytes of the stored key.
    pub key_bytes: u32,
    /// What is kept beside it.
    pub record: RecordKind,
    /// Length of the stored response.
    pub response_bytes: u64,
    /// Owner columns.
    pub scope: Scope,
    /// Whether a fingerprint is kept.
    pub fingerprint: bool,
    /// Share of capacity bought beyond what is used.
    pub headroom: Share,
    /// Mean attempts per key.
    pub retries: Attempts,
    /// Keys held at once: rate × retention, rounded to the nearest integer.
    pub live_keys: u128,
    /// The keys alone: live keys × key bytes.
    pub raw_bytes: u128,
    /// The same in every copy.
    pub raw_replicated_bytes: u128,
    /// The same at the plain price per GB-month.
    pub raw_usd_per_month: Usd,
    /// One element a store.
    pub stores: Vec<StoreLine>,
    /// Stores that cannot hold the record, where such are to be left out.
    pub unfit: Vec<Unfit>,
}

/// A store that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unfit {
    /// The store's name.
    pub store: &'static str,
    /// Why it cannot hold the record.
    pub reason: String,
}

/// What one store takes in one case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoreLine {
    /// The store's name.
    pub store: &'static str,
    /// In which order keys arrive.
    pub key_order: &'static str,
    /// What is kept beside the key.
    pub record: RecordKind,
    /// All bytes per key at rest.
    pub bytes_per_key: f64,
    /// Of these, with the row.
    pub table_bytes_per_key: f64,
    /// Of these, in indexes beside the row.
    pub index_bytes_per_key: f64,
    /// Log bytes that one insert writes.
    pub log_bytes_per_insert: f64,
    /// Share of a leaf page in use.
    pub leaf_fill: Option<f64>,
    /// Bytes of one copy at rest.
    pub stored_bytes: u128,
    /// Bytes of all copies.
    pub replicated_bytes: u128,
    /// Replicated × (1 + headroom).
    pub provisioned_bytes: u128,
    /// What is provisioned costs this a month; `None` where the book has no price.
    pub usd_per_month: Option<Usd>,
    /// What the money buys: disk, memory or requests; servers are never in it but as memory.
    pub buys: &'static str,
    /// How the figures came about.
    pub method: Evidence,
    /// Load on machines and network, at peak.
    pub io: Io,
    /// Share of honest new keys that a filter takes for seen ones.
    pub false_positive_rate: Option<f64>,
    /// Honest payments refused each day by a filter's false positives.
    pub refused_payments_per_day: Option<f64>,
    /// Parts and purges; left out of a large grid unless asked for.
    #[serde(flatten)]
    pub detail: Option<Box<Detail>>,
}

/// What a store has to do each second at peak.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Io {
    /// Writes: the insert, and the outcome where the record has one.
    pub writes_per_s: f64,
    /// Look-ups: every attempt looks its key up.
    pub lookups_per_s: f64,
    /// Log written by one copy.
    pub log_bytes_per_s: f64,
    /// Pages dirtied in one copy; `None` where the store has no pages.
    pub pages_dirtied_per_s: Option<f64>,
    /// Flush, compaction and checkpoint writes of one copy.
    pub background_bytes_per_s: f64,
    /// Log sent from the first copy to the others.
    pub replication_bytes_per_s: f64,
    /// What that costs a month between zones, at the average rate; beside `usd_per_month`, not in it.
    pub replication_usd_per_month: Option<f64>,
}

/// Why the figures are what they are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detail {
    /// Named parts of the bytes per key.
    pub parts: Vec<Part>,
    /// Bytes per key of the copies beside the first.
    pub replication_bytes_per_key: f64,
    /// Bytes per key of headroom over all copies.
    pub headroom_bytes_per_key: f64,
    /// Bytes per key with copies and headroom.
    pub provisioned_bytes_per_key: f64,
    /// Named parts of the log bytes per insert.
    pub log_parts: Vec<Part>,
    /// Log bytes of the second write, where there is one.
    pub completion_log_bytes: Option<f64>,
    /// Ways to remove expired keys.
    pub purges: Vec<PurgeLine>,
    /// A factor on the stored bytes known only as a range.
    pub spread: Option<Spread>,
    /// Cost at the low end of that range.
    pub spread_low_usd_per_month: Option<f64>,
    /// Cost at its high end.
    pub spread_high_usd_per_month: Option<f64>,
    /// The price that was used, in words.
    pub price: String,
    /// What the cost is made of.
    pub bill: Vec<BillLine>,
    /// What a reader must know beside the figures.
    pub notes: Vec<&'static str>,
    /// The load as it grows; empty where growth was not asked for.
    pub growth: Vec<GrowthPoint>,
    /// Cost summed to the horizon.
    pub horizon_usd: Option<f64>,
}

/// One line of a month's bill.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BillLine {
    /// `capacity`, `writes`, `reads`.
    pub what: &'static str,
    /// How many bytes or requests.
    pub amount: f64,
    /// What it costs.
    pub usd_per_month: Usd,
}

/// One way to remove expired keys, at the average rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PurgeLine {
    /// Per key.
    #[serde(flatten)]
    pub purge: Purge,
    /// Bytes of one copy under this strategy.
    pub stored_bytes: f64,
    /// Whether the headroom holds what is dead and not yet reclaimed.
    pub fits_headroom: bool,
    /// Log written for removals.
    pub log_bytes_per_s: f64,
    /// Pages dirtied by removals.
    pub pages_dirtied_per_s: f64,
}

/// The store after some years of growth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GrowthPoint {
    /// Years from now.
    pub years: f64,
    /// Average keys per second then.
    pub rate_per_s: f64,
    /// Keys held then.
    pub live_keys: u128,
    /// Provisioned then.
    pub provisioned_bytes: u128,
    /// Cost a month then.
    pub usd_per_month: Option<Usd>,
}

/// A figure that does not fit, in words that name what makes it large.
pub(super) fn too_large(what: &str) -> Error {
    Error::range(format!(
        "{what} goes beyond what can be given exactly (2^128 for keys and bytes, 28 digits for dollars); \
         lower --rate, --days, --growth or the price, or give them fewer decimals"
    ))
}

/// The exact product of two whole numbers.
pub(super) fn product(a: u128, b: u128, what: &str) -> Result<u128, Error> {
    a.checked_mul(b).ok_or_else(|| too_large(what))
}

/// A whole number times an exact one, to the nearest integer.
pub(super) fn scaled(a: u128, factor: Exact, what: &str) -> Result<u128, Error> {
    Exact::whole(a).product_rounded(factor).ok_or_else(|| too_large(what))
}
