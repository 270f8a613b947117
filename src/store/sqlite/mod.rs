//! SQLite: bytes and write-ahead log of a table of idempotency keys, by the database file format
//! (<https://www.sqlite.org/fileformat2.html>) on its default pages of 4096 bytes.
//!
//! A `WITHOUT ROWID` table is an index b-tree whose entries are whole rows; a rowid table is a table
//! b-tree in order of arrival with an index b-tree over (key, rowid) beside it. A row is a record: a
//! header of serial types, one a column, then the bodies. Integers take the 1, 2, 3, 4, 6 or 8 bytes
//! that their value needs, and none where they are 0, 1 or NULL.

mod row;
mod tree;

use super::page::{Arrival, Memo};
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge};
use crate::error::Result;
use row::Row;
use tree::Tree;

/// Bytes of a page: SQLite's default.
const PAGE_BYTES: f64 = 4096.0;
/// Bytes of a frame of the write-ahead log.
const FRAME_BYTES: f64 = frame_bytes(PAGE_BYTES);

/// Bytes of a frame of the write-ahead log: a page and its header of 24.
pub const fn frame_bytes(page_bytes: f64) -> f64 {
    page_bytes + 24.0
}

/// Payload up to which `WITHOUT ROWID` is advised: "about 1/20th the size of a database page"
/// (<https://www.sqlite.org/withoutrowid.html>).
const ADVISED_BYTES: f64 = PAGE_BYTES / 20.0;
/// Frames of log after which SQLite checkpoints by itself (`wal_autocheckpoint`, its default).
const CHECKPOINT_FRAMES: f64 = 1000.0;
/// Largest rowid, 2^63 − 1.
const MOST_ROWS: f64 = 9_223_372_036_854_775_807.0;

/// How the table is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `PRIMARY KEY (key)) WITHOUT ROWID`: rows lie in the index over the key.
    WithoutRowid,
    /// `id INTEGER PRIMARY KEY, key UNIQUE`: rows in order of arrival, an index over the key beside.
    Rowid,
}

/// SQLite in write-ahead-log mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sqlite {
    /// How the table is declared; `None`: without rowid for rows up to 1/20 of a page, as advised.
    pub layout: Option<Layout>,
    /// Whether a second index, over `created_at`, serves the purge.
    pub created_index: bool,
    /// Inserts that one transaction commits: pages that several of them touch are logged once.
    pub inserts_per_transaction: f64,
    /// Accounts, numbered from 0: how many bytes an account number takes.
    pub accounts: u64,
    /// Endpoints, numbered from 0.
    pub endpoints: u64,
}

impl Sqlite {
    /// A table as advised, one insert a transaction, a million accounts and 16 endpoints.
    pub const DEFAULT: Sqlite = Sqlite {
        layout: None,
        created_index: false,
        inserts_per_transaction: 1.0,
        accounts: 1_000_000,
        endpoints: 16,
    };
}

impl Default for Sqlite {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Model for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn title(&self) -> &'static str {
        "SQLite"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("SQLite 3.40")
    }

    fn footprint(&self, load: &Load, pages: &Memo) -> Result<Footprint> {
        let row = Row::of(self, &load.record)?;
        let keys = load.live_keys.clamp(1.0, MOST_ROWS);
        let layout = self.layout.unwrap_or(if row.payload(false) <= ADVISED_BYTES {
            Layout::WithoutRowid
        } else {
            Layout::Rowid
        });
        let table = match layout {
            Layout::WithoutRowid => row.in_index(load.arrival, keys, pages),
            Layout::Rowid => row.in_table(keys, pages),
        };
        let key = (layout == Layout::Rowid).then(|| row.key_index(load.arrival, keys, pages));
        let created = self.created_index.then(|| row.created_index(keys, pages));
        let trees: Vec<&Tree> =
            [Some(&table), key.as_ref(), created.as_ref()].into_iter().flatten().collect();
        Ok(self.answer(load, &row, &trees))
    }
}

impl Sqlite {
    fn answer(&self, load: &Load, row: &Row, trees: &[&Tree]) -> Footprint {
        let mut parts = row.parts(trees[0]);
        for tree in &trees[1..] {
            parts.extend(tree.index_parts());
        }
        let batch = self.inserts_per_transaction.max(1.0);
        let log_parts = log_parts(trees, batch, load.arrival);
        let log: f64 = log_parts.iter().map(|part| part.bytes).sum();
        let checkpoint = (CHECKPOINT_FRAMES * FRAME_BYTES / log).max(1.0);
        let dirtied: f64 = trees.iter().map(|tree| tree.pages_written(checkpoint, load.arrival)).sum::<f64>()
            + 1.0 / checkpoint;
        let frames = 1.0 + trees[0].overflow_pages;
        Footprint {
            parts,
            leaf_fill: trees.get(1).or(trees.first()).map(|tree| tree.fill()),
            log_parts,
            completion_log_bytes: load.record.has_outcome().then_some(frames * FRAME_BYTES),
            pages_dirtied_per_insert: Some(dirtied),
            background_bytes_per_insert: dirtied * PAGE_BYTES,
            purges: purges(load, trees, batch),
            spread: None,
            billing: Billing::Block,
            false_positive_rate: None,
            notes: notes(trees, load.live_keys),
        }
    }
}

fn log_parts(trees: &[&Tree], batch: f64, arrival: Arrival) -> Vec<Part> {
    let part = |name, frames: f64, why| Part { name, place: Place::Other, bytes: frames * FRAME_BYTES, why };
    let sum = |figure: &dyn Fn(&Tree) -> f64| trees.iter().map(|tree| figure(tree)).sum::<f64>();
    let leaves = sum(&|tree| tree.leaves_written(batch, arrival).min(1.0));
    let pages = sum(&|tree| tree.pages_written(batch, arrival) - tree.overflow_pages);
    let unchanged: f64 = trees.iter().map(|tree| 1.0 - tree.grows(batch)).product();
    vec![
        part("page images", leaves, "a frame of 4096 + 24 bytes for each leaf that a transaction changes"),
        part("splits", (pages - leaves).max(0.0), "neighbours and parents rewritten where a leaf overflows"),
        part("overflow", sum(&|tree| tree.overflow_pages), "a frame for each overflow page"),
        part(
            "page header",
            (1.0 - unchanged) / batch,
            "the file's first page, where a transaction adds a page",
        ),
    ]
}

fn purges(load: &Load, trees: &[&Tree], batch: f64) -> Vec<Purge> {
    let bytes: f64 = trees.iter().map(|tree| tree.bytes()).sum();
    let mut purges = Vec::new();
    if load.record.has_times() || load.arrival != Arrival::Uniform {
        let pages: f64 = trees.iter().map(|tree| tree.pages_deleted(batch, load.arrival)).sum();
        purges.push(Purge {
            strategy: "row delete",
            bytes_per_live_key: bytes,
            log_bytes_per_key: pages * FRAME_BYTES,
            pages_dirtied_per_key: pages,
            how: "DELETE in batches; the file keeps its size and new rows take the freed pages (from documentation)",
        });
    }
    purges.push(Purge {
        strategy: "partition drop",
        bytes_per_live_key: bytes * 8.0 / 7.0,
        log_bytes_per_key: 0.0,
        pages_dirtied_per_key: 0.0,
        how: "one database file per seventh of the retention, the oldest deleted whole: one more is kept (from documentation)",
    });
    purges
}

fn notes(trees: &[&Tree], live_keys: f64) -> Vec<&'static str> {
    let mut notes = vec!["one writer at a time: SQLite commits from one process of one machine"];
    notes.push(match trees[0].kind {
        Layout::WithoutRowid => "declared WITHOUT ROWID, as advised for rows up to 1/20 of a page",
        Layout::Rowid => "a rowid table with a unique index, as rows exceed 1/20 of a page or as asked",
    });
    let bytes: f64 = trees.iter().map(|tree| tree.bytes()).sum::<f64>() * live_keys;
    if bytes > PAGE_BYTES * 4_294_967_294.0 {
        notes.push("beyond the 17.6 TB that a file of 4096-byte pages holds: larger pages or several files");
    }
    if live_keys > MOST_ROWS {
        notes.push("beyond 2^63 rows: several tables");
    }
    notes
}
