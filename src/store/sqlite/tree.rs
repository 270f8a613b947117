//! A b-tree of SQLite: what a key takes in it, and which of its pages a run of inserts writes.

use super::super::page::sqlite::{Balance, CHILD_BYTES, INTERIOR_BYTES, LEAF_BYTES};
use super::super::page::{Arrival, Memo, Rule, Settled};
use super::super::{Part, Place};
use super::row::{Cell, OVERFLOW_BYTES, POINTER_BYTES, rowid_length};
use super::{Layout, PAGE_BYTES};

/// A b-tree and what a key takes in it.
pub(super) struct Tree {
    pub(super) kind: Layout,
    pub(super) cell: Cell,
    keys: f64,
    /// Entries a leaf; in an index b-tree with the one that follows it in its parent.
    entries_per_leaf: f64,
    /// Interior pages per leaf.
    interior: f64,
    pub(super) overflow_pages: f64,
    /// Whether entries lie in interior pages too.
    divided: bool,
    settled: Settled,
}

impl Tree {
    pub(super) fn index(cell: Cell, arrival: Arrival, keys: f64, pages: &Memo) -> Tree {
        let balance = Balance::new(cell.bytes);
        let settled = pages.settle(Rule::Sqlite(balance), arrival, keys);
        let interior = interior_per_leaf(balance.above(), arrival, keys / settled.entries_per_leaf, pages);
        Tree {
            kind: Layout::WithoutRowid,
            cell,
            keys,
            entries_per_leaf: settled.entries_per_leaf,
            interior,
            overflow_pages: (cell.overflow / OVERFLOW_BYTES as f64).ceil(),
            divided: interior > 0.0,
            settled,
        }
    }

    /// A table b-tree that is appended to: a leaf is written for each row, and a parent for each leaf.
    pub(super) fn table(cell: Cell, rows_per_leaf: f64, keys: f64, pages: &Memo) -> Tree {
        let interior_cell = f64::from(CHILD_BYTES) + rowid_length(keys) + POINTER_BYTES;
        let balance = Balance::of_pages(INTERIOR_BYTES, interior_cell);
        let settled = Settled {
            entries_per_leaf: rows_per_leaf,
            splits_per_insert: 1.0 / rows_per_leaf,
            entries_moved_per_insert: 0.0,
            leaf_writes_per_insert: 1.0,
            inner_writes_per_insert: 1.0 / rows_per_leaf,
        };
        Tree {
            kind: Layout::Rowid,
            cell,
            keys,
            entries_per_leaf: rows_per_leaf,
            interior: interior_per_leaf(balance, Arrival::Ascending, keys / rows_per_leaf, pages),
            overflow_pages: (cell.overflow / OVERFLOW_BYTES as f64).ceil(),
            divided: false,
            settled,
        }
    }

    /// Cells of a leaf.
    pub(super) fn cells(&self) -> f64 {
        self.entries_per_leaf - f64::from(u8::from(self.divided))
    }

    /// Share of a leaf that is in use, header included.
    pub(super) fn fill(&self) -> f64 {
        ((PAGE_BYTES - f64::from(LEAF_BYTES) + self.cells() * self.cell.bytes) / PAGE_BYTES).min(1.0)
    }

    /// What pages add to the cells.
    pub(super) fn page_parts(&self, place: Place) -> [Part; 3] {
        let entries = self.entries_per_leaf;
        let part = |name, bytes: f64, why| Part { name, place, bytes: bytes.max(0.0), why };
        let header = PAGE_BYTES - f64::from(LEAF_BYTES);
        let free = f64::from(LEAF_BYTES) - self.cells() * self.cell.bytes;
        let above = PAGE_BYTES * self.interior - if self.divided { self.cell.bytes } else { 0.0 };
        [
            part("page header", header / entries, "8 bytes a leaf"),
            part("leaf fill", free / entries, "what the balance of neighbouring leaves leaves free"),
            part("inner pages", above / entries, "pages above the leaves, less the entries that lie on them"),
        ]
    }

    pub(super) fn index_parts(&self) -> Vec<Part> {
        let entry = Part {
            name: "index entry",
            place: Place::Index,
            bytes: self.cell.bytes + PAGE_BYTES * self.overflow_pages,
            why: "payload length, record header, column, rowid, 2-byte cell pointer",
        };
        std::iter::once(entry).chain(self.page_parts(Place::Index)).collect()
    }

    /// Distinct pages per insert that a run of inserts writes, overflow pages apart. Inserts anywhere
    /// meet a page again by chance; ordered ones work on the leaves at the right end that are in
    /// disorder, the two beside them, and those that they fill.
    pub(super) fn leaves_written(&self, inserts: f64, arrival: Arrival) -> f64 {
        let leaves = (self.keys / self.entries_per_leaf).max(1.0);
        let writes = self.settled.leaf_writes_per_insert;
        if arrival == Arrival::Uniform && self.kind == Layout::WithoutRowid {
            return -leaves * (-writes * inserts / leaves).exp_m1() / inserts;
        }
        let window = if self.kind == Layout::Rowid { 0.0 } else { in_disorder(arrival) };
        let disorder = (window / self.entries_per_leaf).clamp(1.0, leaves);
        let distinct = -disorder * (-inserts / disorder).exp_m1() + 2.0 + inserts / self.entries_per_leaf;
        writes.min(distinct / inserts)
    }

    /// Pages per insert, the first page of the file apart.
    pub(super) fn pages_written(&self, inserts: f64, arrival: Arrival) -> f64 {
        let inner = (self.keys / self.entries_per_leaf * self.interior).max(1.0);
        let writes = self.settled.inner_writes_per_insert;
        let distinct = if arrival == Arrival::Uniform { inner } else { 3.0 + inserts * writes };
        self.leaves_written(inserts, arrival) - distinct * (-writes * inserts / distinct).exp_m1() / inserts
            + self.overflow_pages
    }
}

impl Tree {
    /// Chance that a run of inserts adds a page to the file: its first page is then written too.
    pub(super) fn grows(&self, inserts: f64) -> f64 {
        let pages = (self.settled.splits_per_insert + self.overflow_pages) * inserts;
        -(-pages).exp_m1()
    }
}

impl Tree {
    /// Bytes per key, everything included.
    pub(super) fn bytes(&self) -> f64 {
        PAGE_BYTES * ((1.0 + self.interior) / self.entries_per_leaf + self.overflow_pages)
    }

    /// Pages written per key deleted, the oldest first: any leaf of a tree in uniform order, the leaves
    /// at the left end one after the other of any other.
    pub(super) fn pages_deleted(&self, batch: f64, arrival: Arrival) -> f64 {
        if arrival == Arrival::Uniform && self.kind == Layout::WithoutRowid {
            self.leaves_written(batch, arrival).min(1.0) + self.overflow_pages
        } else {
            (1.0 / self.entries_per_leaf + 1.0 / batch).min(1.0) + self.overflow_pages
        }
    }
}

/// Interior pages per leaf, all levels.
pub(super) fn interior_per_leaf(balance: Balance, arrival: Arrival, leaves: f64, pages: &Memo) -> f64 {
    if leaves <= 1.0 {
        return 0.0;
    }
    // Leaves come up where entries come in: anywhere, or at the right end.
    let order = if arrival == Arrival::Uniform { arrival } else { Arrival::Ascending };
    let children = pages.settle(Rule::Sqlite(balance), order, f64::INFINITY).entries_per_leaf;
    1.0 / (children.min(leaves) - 1.0).max(1.0)
}

/// Keys at the right end that are in disorder.
pub(super) fn in_disorder(arrival: Arrival) -> f64 {
    match arrival {
        Arrival::Uniform => f64::INFINITY,
        Arrival::Ascending | Arrival::Wrapping { .. } => 1.0,
        Arrival::Bucketed { keys_per_bucket } => keys_per_bucket,
        Arrival::Delayed { rate_per_s, mean_delay_s } => rate_per_s * mean_delay_s,
    }
}
