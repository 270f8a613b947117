//! InnoDB: bytes and redo log of a table of idempotency keys in MySQL and MariaDB, by the page, record
//! and log formats of the engine (pages of 16 KiB, `ROW_FORMAT=DYNAMIC`).
//!
//! The table is the clustered index: rows lie in the leaves of a B-tree over the primary key, and every
//! secondary index repeats that key. How full leaves are is the split rule's doing
//! ([`page::innodb`](super::page::innodb)); the log is that of MariaDB 10.8 and later (`innodb/log.rs`).

mod log;
mod row;

use super::page::innodb::{PAGE_BYTES, ROOM_BYTES, Split};
use super::page::{Arrival, Memo, Rule, Settled};
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge};
use crate::error::Result;
use log::Redo;
pub use log::{entry_log, split_log};
use row::{PAGE_NUMBER, Row};

const PAGE: f64 = PAGE_BYTES as f64;
/// Bytes of a page that are not records or directory.
const FRAME: f64 = (PAGE_BYTES - ROOM_BYTES) as f64;
/// Fixed header of a record (`REC_N_NEW_EXTRA_BYTES`).
const HEADER: f64 = 5.0;
/// An auto-increment or account number, a `bigint`.
const BIGINT: f64 = 8.0;
/// Pages of an extent.
const EXTENT: f64 = 64.0;
/// Pages that a segment takes one by one before it takes extents (`FSEG_FRAG_ARR_N_SLOTS`).
const FRAGMENT_PAGES: f64 = 32.0;
/// Extents from which a segment keeps free ones in stock (`FSEG_FREE_LIST_LIMIT`), and how many
/// (`FSEG_FREE_LIST_MAX_LEN`).
const STOCK_FROM_EXTENTS: f64 = 40.0;
const STOCK_EXTENTS: f64 = 4.0;
/// Log between two checkpoints: most of `innodb_log_file_size`, 96 MiB by default.
const CHECKPOINT_BYTES: f64 = 96.0 * 1024.0 * 1024.0 * 0.8;

/// What the table is organised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// `PRIMARY KEY (key)`.
    Primary,
    /// `id BIGINT AUTO_INCREMENT PRIMARY KEY` and `UNIQUE (key)`.
    AutoIncrementUnique,
    /// `(account, endpoint, key)` in place of the primary key; accounts come in any order.
    Scope,
}

/// The character set of a text key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// `CHAR(n) CHARACTER SET ascii`: of fixed length.
    Ascii,
    /// `CHAR(n) CHARACTER SET utf8mb4`: of variable length in this row format.
    Utf8mb4,
}

/// InnoDB with default settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Innodb {
    /// What the table is organised by.
    pub index: Index,
    /// The character set of a text key.
    pub charset: Charset,
}

impl Innodb {
    /// The key as primary key, text in ASCII.
    pub const DEFAULT: Innodb = Innodb { index: Index::Primary, charset: Charset::Ascii };
}

impl Default for Innodb {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Model for Innodb {
    fn name(&self) -> &'static str {
        "mysql"
    }

    fn title(&self) -> &'static str {
        "MySQL/InnoDB"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("MariaDB 10.11")
    }

    fn footprint(&self, load: &Load, pages: &Memo) -> Result<Footprint> {
        let row = Row::of(self, &load.record)?;
        let keys = load.live_keys.max(1.0);
        let order = match self.index {
            Index::Primary => load.arrival,
            Index::AutoIncrementUnique => Arrival::Ascending,
            Index::Scope => Arrival::Uniform,
        };
        let table = Tree::new(row.bytes(), row.node_pointer, true, order, keys, pages);
        let unique = row
            .unique_entry
            .map(|entry| Tree::new(entry, entry + PAGE_NUMBER, false, load.arrival, keys, pages));
        Ok(answer(load, &row, &table, unique.as_ref()))
    }
}

/// A B-tree and what a key takes in it.
struct Tree {
    entry: f64,
    keys: f64,
    order: Arrival,
    settled: Settled,
    /// Pages above the leaves, per leaf.
    inner: f64,
}

impl Tree {
    fn new(entry: f64, pointer: f64, clustered: bool, order: Arrival, keys: f64, pages: &Memo) -> Tree {
        let split = Split::new(entry as u32, clustered);
        let settled = if order == Arrival::Ascending {
            ascending(split, keys)
        } else {
            pages.settle(Rule::Innodb(split), order, keys)
        };
        let leaves = keys / settled.entries_per_leaf;
        Tree { entry, keys, order, settled, inner: inner_per_leaf(pointer, order, leaves, pages) }
    }

    fn leaf_bytes(&self) -> f64 {
        PAGE / self.settled.entries_per_leaf
    }

    fn fill(&self) -> f64 {
        ((self.entry + 0.5) * self.settled.entries_per_leaf / PAGE + FRAME / PAGE).min(1.0)
    }

    /// Pages that the index's two segments hold without using them, per key.
    fn reserved_pages(&self) -> f64 {
        let leaves = self.keys / self.settled.entries_per_leaf;
        (unused_pages(leaves) + unused_pages(leaves * self.inner)) / self.keys
    }

    /// What pages add to the entries of leaves.
    fn page_parts(&self, place: Place) -> [Part; 3] {
        let part = |name, bytes: f64, why| Part { name, place, bytes: bytes.max(0.0), why };
        let header = FRAME / self.settled.entries_per_leaf;
        [
            part(
                "line pointer",
                0.5,
                "page directory: a slot of 2 bytes for 4 records, as a page reserves it",
            ),
            part(
                "page header",
                header,
                "FIL header 38, page header 56, infimum and supremum 26, 2 slots, trailer 8",
            ),
            part(
                "leaf fill",
                self.leaf_bytes() - header - self.entry - 0.5,
                "what splits leave free, the page model's",
            ),
        ]
    }

    /// Distinct leaves per insert that a run of inserts writes.
    fn leaves_dirtied(&self, inserts: f64) -> f64 {
        let entries = self.settled.entries_per_leaf;
        let leaves = (self.keys / entries).max(1.0);
        let window = match self.order {
            Arrival::Uniform => f64::INFINITY,
            Arrival::Ascending | Arrival::Wrapping { .. } => 1.0,
            Arrival::Bucketed { keys_per_bucket } => keys_per_bucket,
            Arrival::Delayed { rate_per_s, mean_delay_s } => rate_per_s * mean_delay_s,
        };
        let hot = (window / entries).clamp(1.0, leaves);
        let touched = -hot * (-inserts / hot).exp_m1() / inserts;
        let filled =
            if self.order == Arrival::Uniform { self.settled.splits_per_insert } else { 1.0 / entries };
        (touched + filled).min(2.0)
    }
}

/// An ascending load, in closed form: leaves are filled and left behind.
fn ascending(split: Split, keys: f64) -> Settled {
    let entries = f64::from(split.ascending());
    Settled {
        entries_per_leaf: entries.min(keys),
        splits_per_insert: 1.0 / entries,
        entries_moved_per_insert: 0.0,
        leaf_writes_per_insert: 1.0 + 1.0 / entries,
        inner_writes_per_insert: 0.0,
    }
}

/// Pages above the leaves, all levels, per leaf: node pointers are entries of the same kind of page,
/// which keep no reserve, and come in where leaves split.
fn inner_per_leaf(pointer: f64, order: Arrival, leaves: f64, pages: &Memo) -> f64 {
    if leaves <= 1.0 {
        return 0.0;
    }
    let split = Split::new(pointer as u32, false);
    let children = if order == Arrival::Uniform {
        pages.settle(Rule::Innodb(split), order, f64::INFINITY).entries_per_leaf.min(leaves)
    } else {
        ascending(split, leaves).entries_per_leaf
    };
    1.0 / (children - 1.0).max(1.0)
}

/// Pages that a segment of so many holds beyond them: single pages up to 32, then extents, of which
/// the last is half used in the mean, then a stock of free extents.
fn unused_pages(pages: f64) -> f64 {
    if pages <= FRAGMENT_PAGES {
        0.0
    } else if pages < STOCK_FROM_EXTENTS * EXTENT {
        EXTENT / 2.0
    } else {
        EXTENT / 2.0 + STOCK_EXTENTS * EXTENT
    }
}

fn answer(load: &Load, row: &Row, table: &Tree, unique: Option<&Tree>) -> Footprint {
    let parts = parts(row, table, unique);
    let redo = Redo::new(load, row, table, unique);
    let log_parts = redo.insert_parts();
    let log: f64 = log_parts.iter().map(|part| part.bytes).sum();
    let between = (CHECKPOINT_BYTES / log).max(1.0);
    let dirtied = table.leaves_dirtied(between)
        + unique.map_or(0.0, |tree| tree.leaves_dirtied(between))
        + redo.undo_pages()
        + row.off_pages();
    let bytes: f64 = parts.iter().map(|part| part.bytes).sum();
    Footprint {
        parts,
        leaf_fill: Some(unique.unwrap_or(table).fill()),
        log_parts,
        completion_log_bytes: load.record.has_outcome().then(|| redo.completion()),
        pages_dirtied_per_insert: Some(dirtied),
        // Each page goes to the doublewrite buffer and to its place.
        background_bytes_per_insert: dirtied * PAGE * 2.0,
        purges: purges(load, table, unique, bytes, &redo),
        spread: None,
        billing: Billing::Block,
        false_positive_rate: None,
        notes: notes(load, row),
    }
}

fn parts(row: &Row, table: &Tree, unique: Option<&Tree>) -> Vec<Part> {
    let part = |name, bytes, why| Part { name, place: Place::Table, bytes, why };
    let mut parts = vec![
        part("key", row.key, "as it is"),
        part("columns", row.columns, "bigint 8, TIMESTAMP(6) 7, smallint 2, fingerprint 32"),
        part("response", row.response, "as it is; NULL takes nothing"),
        part("row header", row.header, "header 5, null bitmap, lengths, DB_TRX_ID 6, DB_ROLL_PTR 7"),
    ];
    parts.extend(table.page_parts(Place::Table));
    if row.off_page > 0.0 {
        parts.push(part(
            "overflow",
            PAGE * row.off_pages(),
            "a response that makes the row exceed half a page",
        ));
    }
    if let Some(tree) = unique {
        let why = "header 5, the key, the primary key 8";
        parts.push(Part { name: "index entry", place: Place::Index, bytes: tree.entry, why });
        parts.extend(tree.page_parts(Place::Index));
    }
    let trees = || std::iter::once(table).chain(unique);
    let inner = trees().map(|tree| tree.inner * tree.leaf_bytes()).sum();
    let reserved = trees().map(|tree| tree.reserved_pages() * PAGE).sum();
    let other = |name, bytes, why| Part { name, place: Place::Other, bytes, why };
    parts.push(other("inner pages", inner, "node pointers above the leaves"));
    parts.push(other(
        "extents",
        reserved,
        "a segment holds a half-used extent and, beyond 40 MiB, four free ones",
    ));
    parts
}

fn purges(load: &Load, table: &Tree, unique: Option<&Tree>, bytes: f64, redo: &Redo) -> Vec<Purge> {
    let mut purges = Vec::new();
    if load.record.has_times() || load.arrival != Arrival::Uniform {
        let between = CHECKPOINT_BYTES / redo.deletion().max(1.0);
        let pages = table.leaves_dirtied(between) + unique.map_or(0.0, |tree| tree.leaves_dirtied(between));
        purges.push(Purge {
            strategy: "row delete",
            bytes_per_live_key: bytes,
            log_bytes_per_key: redo.deletion(),
            pages_dirtied_per_key: pages,
            how: "DELETE marks rows, purge threads remove them; a page under half full is merged with a neighbour (from documentation)",
        });
    }
    purges.push(Purge {
        strategy: "partition drop",
        bytes_per_live_key: bytes * 8.0 / 7.0,
        log_bytes_per_key: 0.0,
        pages_dirtied_per_key: 0.0,
        how: "seven partitions by time cover the retention and one more fills; the primary key must hold the time (from documentation)",
    });
    purges
}

fn notes(load: &Load, row: &Row) -> Vec<&'static str> {
    let mut notes = vec!["the binary log, where replication needs it, is beside the redo log counted here"];
    if matches!(load.arrival, Arrival::Bucketed { .. } | Arrival::Delayed { .. }) {
        notes.push("keys almost in order leave InnoDB's pages emptier than random ones do: it splits where the last insert was");
    }
    if row.off_page > 0.0 {
        notes.push("responses lie on pages of their own, 16 KiB each (from documentation)");
    }
    notes
}
