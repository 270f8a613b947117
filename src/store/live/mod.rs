//! Real stores under one trait: opened, loaded, measured and left as they were found.
//!
//! A [`Target`] is a place in a store that is this run's alone: a folder, a schema, a prefix of keys, with a random
//! part in its name. Whatever it holds goes when it is dropped, also where a run fails or panics; what a killed run
//! left is found by its name and removed by [`Target::clean`]. A [`Table`] in it keeps the keys of one order.
//!
//! What a store tells of itself comes as [`Counters`] and [`Layout`]; what it does not tell stays `None`, and where
//! each figure comes from is said by [`Target::sources`].

pub mod folder;
#[cfg(feature = "servers")]
pub mod postgres;
#[cfg(feature = "embedded")]
pub mod redb;
#[cfg(feature = "servers")]
pub mod redis;
#[cfg(feature = "embedded")]
pub mod sqlite;
mod values;

pub use values::Values;

use super::record::{Column, Record};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What names of folders, schemas and keys begin with; a random part follows.
pub const MARK: &str = "uuidcap_probe_";

/// A key as a number whose big-endian bytes are what is stored; of 8-byte keys the low half.
pub type Key = u128;

/// One key, and when it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The key.
    pub key: Key,
    /// When it was made, µs since 1970 on the run's own clock.
    pub created_us: i64,
}

/// When a commit counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// As the store comes, or as the server is set.
    Default,
    /// When it would survive a loss of power.
    Durable,
    /// Before that.
    Lazy,
}

/// What is kept for each key, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Columns.
    pub record: Record,
    /// When a commit counts as done.
    pub durability: Durability,
    /// What stands in the columns beside the key.
    pub values: Arc<Values>,
}

impl Plan {
    /// Bytes of a key, 8 or 16.
    pub fn key_bytes(&self) -> usize {
        self.record.key_bytes as usize
    }

    /// The bytes of a key as they are stored.
    pub fn key(&self, key: Key) -> ([u8; 16], usize) {
        (key.to_be_bytes(), 16 - self.key_bytes())
    }

    /// Bytes of a row without anything that a store adds: key, and the columns at their fixed widths.
    pub fn row_bytes(&self) -> u64 {
        let bytes = |column| match column {
            Column::Key(bytes, _) => u64::from(bytes),
            Column::Account | Column::CreatedAt | Column::LeaseExpiresAt => 8,
            Column::Endpoint | Column::State | Column::Status => 2,
            Column::Fingerprint => 32,
            Column::Response(bytes) => bytes,
        };
        self.record.columns().map(bytes).sum()
    }
}

/// What a store has counted since it was opened; only differences mean anything.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Counters {
    /// Bytes of log.
    pub log_bytes: Option<u64>,
    /// Bytes written in all, log included.
    pub written_bytes: Option<u64>,
    /// Checkpoints that wrote pages.
    pub checkpoints: Option<u64>,
    /// Pages that they wrote.
    pub checkpoint_pages: Option<u64>,
    /// Pages that were looked for in the cache and not found there.
    pub cache_misses: Option<u64>,
}

impl Counters {
    /// What was counted since `before`.
    #[must_use]
    pub fn since(&self, before: &Counters) -> Counters {
        let less = |now: Option<u64>, before: Option<u64>| Some(now?.saturating_sub(before?));
        Counters {
            log_bytes: less(self.log_bytes, before.log_bytes),
            written_bytes: less(self.written_bytes, before.written_bytes),
            checkpoints: less(self.checkpoints, before.checkpoints),
            checkpoint_pages: less(self.checkpoint_pages, before.checkpoint_pages),
            cache_misses: less(self.cache_misses, before.cache_misses),
        }
    }

    /// The sum of two differences; unknown where one of them is.
    #[must_use]
    pub fn plus(&self, other: &Counters) -> Counters {
        let sum = |one: Option<u64>, other: Option<u64>| one?.checked_add(other?);
        Counters {
            log_bytes: sum(self.log_bytes, other.log_bytes),
            written_bytes: sum(self.written_bytes, other.written_bytes),
            checkpoints: sum(self.checkpoints, other.checkpoints),
            checkpoint_pages: sum(self.checkpoint_pages, other.checkpoint_pages),
            cache_misses: sum(self.cache_misses, other.cache_misses),
        }
    }

    /// Nothing counted yet.
    pub const ZERO: Counters = Counters {
        log_bytes: Some(0),
        written_bytes: Some(0),
        checkpoints: Some(0),
        checkpoint_pages: Some(0),
        cache_misses: Some(0),
    };
}

/// How many bytes a table takes, and how full its pages are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Layout {
    /// Bytes of the table; where rows lie in the index over the key, of that.
    pub table_bytes: u64,
    /// Bytes of indexes beside it.
    pub index_bytes: u64,
    /// Bytes that are free within these or within the file, to be used again.
    pub free_bytes: Option<u64>,
    /// Bytes that the system has given out for all of it.
    pub file_bytes: u64,
    /// Leaf pages of the index over the key.
    pub leaf_pages: Option<u64>,
    /// Share of these pages in use.
    pub leaf_fill: Option<f64>,
}

impl Layout {
    /// Table and indexes.
    pub fn bytes(&self) -> u64 {
        self.table_bytes + self.index_bytes
    }
}

/// A way to remove keys that have expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Each by its key, a thousand to a transaction.
    Rows,
    /// All below a key; for orders that follow time.
    KeyRange,
    /// All before a time, by an index over it.
    TimeIndex,
    /// The table that holds them and nothing else is dropped.
    TableDrop,
    /// The store removes what has an expiry by itself.
    Ttl,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 5] = [Way::Rows, Way::KeyRange, Way::TimeIndex, Way::TableDrop, Way::Ttl];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Way::Rows => "rows",
            Way::KeyRange => "key-range",
            Way::TimeIndex => "time-index",
            Way::TableDrop => "table-drop",
            Way::Ttl => "ttl",
        }
    }
}

/// What has expired, said in each way that a purge may need.
#[derive(Debug, Clone, Copy)]
pub struct Cut<'a> {
    /// The rows, oldest first.
    pub rows: &'a [Row],
    /// When the last of them was made.
    pub until_us: i64,
    /// The greatest key that can have been made then, where keys follow time.
    pub until_key: Key,
}

/// What was found of other runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cleaned {
    /// Of killed runs, and removed.
    pub removed: Vec<String>,
    /// Of runs that are alive, and left alone.
    pub alive: Vec<String>,
}

/// Rows that one transaction of a purge removes.
#[cfg(any(feature = "embedded", feature = "servers"))]
const ROWS_AT_ONCE: usize = 1_000;

/// A place in a store that is this run's alone.
pub trait Target {
    /// The word for the store.
    fn store(&self) -> &'static str;
    /// Its version as it tells it.
    fn version(&self) -> &str;
    /// Where keys will be, without any password: `schema uuidcap_probe_0123… of db at localhost`.
    fn place(&self) -> String;
    /// Which figure comes from where.
    fn sources(&self) -> &'static [(&'static str, &'static str)];
    /// Whether the work is done in this process, so that its processor time says nothing of the loader.
    fn is_embedded(&self) -> bool;
    /// Refuses what the store cannot keep, before anything is written into any store.
    ///
    /// # Errors
    /// Where it cannot.
    fn check(&self, _plan: &Plan) -> Result<()> {
        Ok(())
    }
    /// Makes the place; nothing is written before.
    ///
    /// # Errors
    /// Where it exists, and where the store refuses.
    fn make(&mut self) -> Result<()>;
    /// A new table, empty.
    ///
    /// # Errors
    /// Where the store refuses.
    fn table(&mut self, plan: &Plan) -> Result<Box<dyn Table>>;
    /// Removes what killed runs left, not what runs that are alive use.
    ///
    /// # Errors
    /// Where the store refuses.
    fn clean(&mut self) -> Result<Cleaned>;
    /// Removes the place. Dropping does so too, but cannot tell of a failure.
    ///
    /// # Errors
    /// Where something could not be removed.
    fn remove(&mut self) -> Result<()>;
}

/// The keys of one order.
pub trait Table {
    /// Inserts rows that are not there yet, in one transaction and in this order; says how many were new.
    ///
    /// # Errors
    /// Where the store refuses.
    fn insert(&mut self, rows: &[Row]) -> Result<u64>;
    /// Removes rows by their keys, in one transaction; says how many there were.
    ///
    /// # Errors
    /// Where the store refuses.
    fn delete(&mut self, rows: &[Row]) -> Result<u64>;
    /// Somebody else who claims keys at the same time.
    ///
    /// # Errors
    /// Where the store refuses another.
    fn claimant(&mut self) -> Result<Box<dyn Claimant>>;
    /// Has the store write what it holds back: a checkpoint, where there is such a thing.
    ///
    /// # Errors
    /// Where the store refuses.
    fn settle(&mut self) -> Result<()>;
    /// Makes room for new rows of what deleted ones leave, where the store does not do so by itself.
    ///
    /// # Errors
    /// Where the store refuses.
    fn reclaim(&mut self) -> Result<()>;
    /// What was counted so far.
    ///
    /// # Errors
    /// Where the store refuses.
    fn counters(&mut self) -> Result<Counters>;
    /// How it lies there.
    ///
    /// # Errors
    /// Where the store refuses.
    fn layout(&mut self) -> Result<Layout>;
    /// Keys that it holds.
    ///
    /// # Errors
    /// Where the store refuses.
    fn count(&mut self) -> Result<u64>;
    /// The ways to purge that it has.
    fn ways(&self) -> Vec<Way>;
    /// What a way needs before it is timed: an index, or a table of its own for the oldest rows.
    ///
    /// # Errors
    /// Where the store refuses.
    fn prepare(&mut self, way: Way, cut: &Cut<'_>) -> Result<()>;
    /// Removes what has expired in that way; says how many rows there were.
    ///
    /// # Errors
    /// Where the store refuses.
    fn purge(&mut self, way: Way, cut: &Cut<'_>) -> Result<u64>;
    /// Removes what has expired and is still there after a purge by which the store takes its time.
    ///
    /// # Errors
    /// Where the store refuses.
    fn finish(&mut self, _way: Way, _cut: &Cut<'_>) -> Result<()> {
        Ok(())
    }
}

/// One of several who claim keys at the same time.
pub trait Claimant: Send {
    /// Inserts the row if its key is not there; whether it was new.
    ///
    /// # Errors
    /// Where the store refuses.
    fn claim(&mut self, row: &Row) -> Result<bool>;
}

/// Bytes that this process has handed to the system to write, where that is known.
pub type Written = Arc<dyn Fn() -> Option<u64> + Send + Sync>;

/// What opening a store needs beside its name.
#[derive(Clone)]
pub struct Surroundings {
    /// The random part of names, 16 hexadecimal digits.
    pub run: String,
    /// Where files go unless a folder is named.
    pub temporary: std::path::PathBuf,
    /// Bytes that this process has handed to the system to write.
    pub written: Written,
}

/// What a store may be called.
const NAMES: &str = "sqlite, redb (with :FOLDER to say where), postgres://… or redis://…";

/// Opens a store by its name or URL; nothing is written yet.
///
/// # Errors
/// Where there is no such store, where this build lacks it, and where it cannot be reached.
pub fn open(name: &str, surroundings: &Surroundings) -> Result<Box<dyn Target>> {
    let (kind, rest) = name.split_once(':').map_or((name, None), |(kind, rest)| (kind, Some(rest)));
    match kind {
        "sqlite" | "redb" => embedded(kind, rest, surroundings),
        "postgres" | "postgresql" | "redis" | "rediss" | "valkey" if rest.is_some() => {
            server(kind, name, surroundings)
        }
        // What follows may be a password.
        _ => Err(Error::value("--store", kind, NAMES, "sqlite")),
    }
}

#[cfg(feature = "embedded")]
fn embedded(kind: &str, folder: Option<&str>, surroundings: &Surroundings) -> Result<Box<dyn Target>> {
    let parent = folder.map_or(surroundings.temporary.as_path(), std::path::Path::new);
    let Surroundings { run, written, .. } = surroundings;
    Ok(match kind {
        "sqlite" => Box::new(sqlite::Sqlite::new(parent, run, Arc::clone(written))),
        _ => Box::new(redb::Redb::new(parent, run)),
    })
}

#[cfg(not(feature = "embedded"))]
fn embedded(kind: &str, _folder: Option<&str>, _surroundings: &Surroundings) -> Result<Box<dyn Target>> {
    Err(Error::data(format!("--store {kind}: this build lacks the feature embedded")))
}

#[cfg(feature = "servers")]
fn server(kind: &str, url: &str, surroundings: &Surroundings) -> Result<Box<dyn Target>> {
    Ok(match kind {
        "postgres" | "postgresql" => Box::new(postgres::Postgres::connect(url, &surroundings.run)?),
        _ => Box::new(redis::Redis::connect(url, &surroundings.run)?),
    })
}

#[cfg(not(feature = "servers"))]
fn server(kind: &str, _url: &str, _surroundings: &Surroundings) -> Result<Box<dyn Target>> {
    Err(Error::data(format!("--store {kind}://…: this build lacks the feature servers")))
}
