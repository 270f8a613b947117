//! Models of the stores in which idempotency keys are kept, and the catalogue of them.
//!
//! A model says how many bytes a key takes and why, part by part, how many bytes of log an insert
//! writes, how many pages it dirties, and what each way of purging costs. It is derived from the
//! engine's documented page and log formats; the measured figures that it is held to stand in
//! `tests/data/measured-stores.csv`, `measured-churn.csv` and `measured-lsm.csv`.
//!
//! A new model is one file here and one line in [`catalogue`]. Real stores, which `probe` loads, stand in [`live`].

pub mod cassandra;
pub mod dynamodb;
pub mod filter;
pub mod innodb;
pub mod live;
pub mod lsm;
pub mod packed;
pub mod page;
pub mod postgres;
pub mod price;
mod price_file;
pub mod raw;
pub mod record;
pub mod redis;
pub mod sqlite;
pub mod tree;

use crate::error::Result;
use page::{Arrival, Memo};
use record::Record;
use serde::{Serialize, Serializer};
use std::fmt;

/// What a store is asked to hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Keys held at once: rate × retention.
    pub live_keys: f64,
    /// Average keys per second.
    pub rate_per_s: f64,
    /// Highest keys per second, at least the average.
    pub peak_per_s: f64,
    /// How long a key is kept, in seconds.
    pub retention_s: f64,
    /// In which order keys reach an index over the key.
    pub arrival: Arrival,
    /// What is stored for each key.
    pub record: Record,
    /// Whether purges, the spread and notes are wanted; a large grid does without them.
    pub detail: bool,
}

/// Where a part of the bytes lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// With the row: the heap, the clustered index, the value.
    Table,
    /// In an index beside the row.
    Index,
    /// Neither: free space maps, filters, side tables of the engine.
    Other,
}

/// One named part of the bytes that a key takes, or that an insert logs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// What it is: `key`, `row header`, `alignment`, `index entry`, `leaf fill`, `filter`, …
    pub name: &'static str,
    /// Where it lies.
    pub place: Place,
    /// Bytes per key (or per insert); may be a fraction. Never negative, never NaN.
    pub bytes: f64,
    /// Why it is that many: formula or source, one sentence.
    pub why: &'static str,
}

/// One way to remove expired keys, in steady state: one key removed for each one inserted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Purge {
    /// `row delete`, `partition drop`, `key-range delete`, `TTL compaction`, `engine TTL`, …
    pub strategy: &'static str,
    /// Bytes stored per live key under this strategy, dead and not yet reclaimed ones included.
    pub bytes_per_live_key: f64,
    /// Bytes of log per key removed, beyond those of its insert.
    pub log_bytes_per_key: f64,
    /// Pages dirtied per key removed.
    pub pages_dirtied_per_key: f64,
    /// What it does and what it needs, one sentence.
    pub how: &'static str,
}

/// A factor on the stored bytes that is known only as a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Lowest factor, at least 1.
    pub low: f64,
    /// Highest factor.
    pub high: f64,
    /// What it depends on, one sentence.
    pub why: &'static str,
}

/// Where a model's figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Whole numbers multiplied.
    Arithmetic,
    /// Held to measurements of the named version, see `tests/data/`.
    Measured(&'static str),
    /// Derived from documentation alone.
    Documentation,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Arithmetic => f.write_str("exact"),
            Evidence::Measured(version) => write!(f, "model, held to measurements of {version}"),
            Evidence::Documentation => f.write_str("from documentation"),
        }
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How a store's capacity is paid for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Billing {
    /// By the plain price per GB-month that bare arithmetic uses.
    Plain,
    /// By the size of a block volume.
    Block,
    /// By memory held.
    Memory,
    /// By request and by size, replication included.
    Request {
        /// Write units that the life of one key takes: claim, and outcome where there is one.
        write_units_per_key: f64,
        /// Read units of one look-up.
        read_units_per_lookup: f64,
    },
}

impl Billing {
    /// What the money buys, in a word: a cost in one of them is not a cost in another.
    pub fn buys(self) -> &'static str {
        match self {
            Billing::Plain | Billing::Block => "disk",
            Billing::Memory => "memory",
            Billing::Request { .. } => "requests",
        }
    }
}

/// What one key takes in one store.
#[derive(Debug, Clone, PartialEq)]
pub struct Footprint {
    /// Named parts; their sum is the bytes per key at rest, as loaded and before any purge.
    pub parts: Vec<Part>,
    /// Share of a leaf page of the key's index that is in use, where the store has such pages.
    pub leaf_fill: Option<f64>,
    /// Named parts of the log that one insert of the record writes (WAL, redo, AOF, commit log).
    pub log_parts: Vec<Part>,
    /// Log bytes of the second write that records the outcome, where the record has one.
    pub completion_log_bytes: Option<f64>,
    /// Pages of table and index dirtied by one insert, between checkpoints counted once each.
    pub pages_dirtied_per_insert: Option<f64>,
    /// Bytes that background work (flush, compaction, checkpoint) writes per insert, beside the log.
    pub background_bytes_per_insert: f64,
    /// Ways to remove what has expired, the usual one first; empty where no detail is wanted.
    pub purges: Vec<Purge>,
    /// A factor on the stored bytes known only as a range, where detail is wanted.
    pub spread: Option<Spread>,
    /// How capacity is paid for.
    pub billing: Billing,
    /// Share of honest new keys that a filter takes for seen ones; `None` for exact stores.
    pub false_positive_rate: Option<f64>,
    /// What a reader must know beside the figures, each a sentence; where detail is wanted.
    pub notes: Vec<&'static str>,
}

impl Footprint {
    /// Bytes per key at rest: the sum of the parts.
    pub fn bytes_per_key(&self) -> f64 {
        total(self.parts.iter())
    }

    /// Bytes per key in one place.
    pub fn bytes_in(&self, place: Place) -> f64 {
        total(self.parts.iter().filter(|part| part.place == place))
    }

    /// Log bytes per insert: the sum of the log's parts.
    pub fn log_bytes_per_insert(&self) -> f64 {
        total(self.log_parts.iter())
    }
}

/// The sum of parts. Not `Iterator::sum`, whose sum of nothing is -0.
fn total<'a>(parts: impl Iterator<Item = &'a Part>) -> f64 {
    parts.fold(0.0, |sum, part| sum + part.bytes)
}

/// A model of one store.
pub trait Model: Sync {
    /// The word for it on the command line and in records: `postgres`.
    fn name(&self) -> &'static str;
    /// Its name for people: `PostgreSQL`.
    fn title(&self) -> &'static str;
    /// Where its figures come from.
    fn evidence(&self) -> Evidence;
    /// What one key takes under a load. `pages` remembers page models that were run before.
    ///
    /// # Errors
    /// Where the record does not fit the store (an item over DynamoDB's 400 KB, say).
    fn footprint(&self, load: &Load, pages: &Memo) -> Result<Footprint>;
}

/// Every modelled store, in the order in which answers list them.
pub fn catalogue() -> &'static [&'static dyn Model] {
    &[
        &raw::Raw,
        &postgres::Postgres::DEFAULT,
        &redis::REDIS,
        &innodb::Innodb::DEFAULT,
        &sqlite::Sqlite::DEFAULT,
        &lsm::ROCKSDB,
        &dynamodb::DynamoDb,
        &cassandra::CASSANDRA,
        &filter::BLOOM,
        &filter::BINARY_FUSE,
    ]
}

/// Other names by which stores are known, and the name that they have here.
pub const ALIASES: [(&str, &str); 5] = [
    ("postgresql", "postgres"),
    ("innodb", "mysql"),
    ("mariadb", "mysql"),
    ("valkey", "redis"),
    ("scylladb", "cassandra"),
];

/// The model of a name.
pub fn find(name: &str) -> Option<&'static dyn Model> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, own)| own);
    catalogue().iter().copied().find(|model| model.name() == name)
}
