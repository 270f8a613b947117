//! SQLite: bytes and write-ahead log of a table of idempotency keys, by the database file format
//! (<https://www.sqlite.org/fileformat2.html>) on its default pages of 4096 bytes.
//!
//! A `WITHOUT ROWID` table is an index b-tree whose entries are whole rows; a rowid table is a table
//! b-tree in order of arrival with an index b-tree over (key, rowid) beside it. A row is a record: a
//! header of serial types, one a column, then the bodies. Integers take the 1, 2, 3, 4, 6 or 8 bytes
//! that their value needs, and none where they are 0, 1 or NULL.

use super::page::sqlite::{Balance, CHILD_BYTES, INTERIOR_BYTES, LEAF_BYTES};
use super::page::{Arrival, Memo, Rule, Settled};
use super::record::{Column, KeyFormat, Record};
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge};
use crate::error::{Error, Result};

/// Bytes of a page: SQLite's default.
const PAGE_BYTES: f64 = 4096.0;
/// Bytes of a frame of the write-ahead log: a page and its header of 24.
const FRAME_BYTES: f64 = PAGE_BYTES + 24.0;
/// Bytes of a cell pointer.
const POINTER_BYTES: f64 = 2.0;
/// Largest payload that an index b-tree keeps on the page: (4096 − 12)·64/255 − 23.
const INDEX_LOCAL: u64 = (4096 - 12) * 64 / 255 - 23;
/// Largest payload that a table b-tree keeps on the page: 4096 − 35.
const TABLE_LOCAL: u64 = 4096 - 35;
/// Least payload that stays on the page when the rest is spilled: (4096 − 12)·32/255 − 23.
const LEAST_LOCAL: u64 = (4096 - 12) * 32 / 255 - 23;
/// Payload bytes of an overflow page: 4096 less the number of the next.
const OVERFLOW_BYTES: u64 = 4096 - 4;
/// Largest value that SQLite stores (`SQLITE_MAX_LENGTH`, its default).
const MOST_BYTES: u64 = 1_000_000_000;
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
            notes: notes(trees, load.live_keys),
        }
    }
}

/// What the record format makes of a row, in bytes; means where they depend on values.
struct Row {
    key: f64,
    key_header: f64,
    columns: f64,
    columns_header: f64,
    response: f64,
    response_header: f64,
}

impl Row {
    fn of(model: &Sqlite, record: &Record) -> Result<Row> {
        let mut row = Row {
            key: 0.0,
            key_header: 0.0,
            columns: 0.0,
            columns_header: 0.0,
            response: 0.0,
            response_header: 0.0,
        };
        for column in record.columns() {
            match column {
                Column::Key(bytes, format) => {
                    row.key = f64::from(bytes);
                    let odd = u64::from(format == KeyFormat::Text);
                    row.key_header = varint(12 + odd + 2 * u64::from(bytes));
                }
                Column::Response(0) => row.response_header = 1.0,
                Column::Response(bytes) if bytes > MOST_BYTES => {
                    return Err(Error::range(format!(
                        "SQLite holds values of up to {MOST_BYTES} bytes, and the response has {bytes}; keep large ones elsewhere"
                    )));
                }
                Column::Response(bytes) => {
                    row.response = bytes as f64;
                    row.response_header = varint(12 + 2 * bytes);
                }
                other => {
                    row.columns += model.body(other);
                    row.columns_header += 1.0;
                }
            }
        }
        Ok(row)
    }

    /// Bytes of the record header: its own length, then one serial type a column. A rowid table stores
    /// its `INTEGER PRIMARY KEY` as NULL, one byte.
    fn header(&self, rowid: bool) -> f64 {
        let types = self.key_header + self.columns_header + self.response_header + f64::from(u8::from(rowid));
        types + if types < 127.0 { 1.0 } else { 2.0 }
    }

    fn payload(&self, rowid: bool) -> f64 {
        self.header(rowid) + self.key + self.columns + self.response
    }

    /// The table as an index b-tree.
    fn in_index(&self, arrival: Arrival, keys: f64, pages: &Memo) -> Tree {
        let payload = self.payload(false);
        Tree::index(Cell::of(payload, 0.0, INDEX_LOCAL), arrival, keys, pages)
    }

    /// The index over (key, rowid) of a rowid table: the payload is a record too.
    fn key_index(&self, arrival: Arrival, keys: f64, pages: &Memo) -> Tree {
        let payload =
            varint(2 + self.key_header as u64) + self.key_header + 1.0 + self.key + mean_integer(keys);
        Tree::index(Cell::of(payload, 0.0, INDEX_LOCAL), arrival, keys, pages)
    }

    /// The index over (created_at, rowid): three header bytes, 8 of time.
    fn created_index(&self, keys: f64, pages: &Memo) -> Tree {
        let payload = 3.0 + 8.0 + mean_integer(keys);
        Tree::index(Cell::of(payload, 0.0, INDEX_LOCAL), Arrival::Ascending, keys, pages)
    }

    /// The table as a table b-tree, to which rows are appended: leaves are left full
    /// (`balance_quick`), whatever the rowids' lengths.
    fn in_table(&self, keys: f64, pages: &Memo) -> Tree {
        let payload = self.payload(true);
        let (mut leaves, mut before, mut rowid_bytes) = (0.0, 0.0, 0.0);
        for length in 1..=9 {
            let last = if length == 9 { MOST_ROWS } else { f64::from(7 * length).exp2() - 1.0 };
            let rows = keys.min(last) - before;
            if rows <= 0.0 {
                break;
            }
            let cell = Cell::of(payload, f64::from(length), TABLE_LOCAL);
            leaves += rows / (f64::from(LEAF_BYTES) / cell.bytes).floor().max(1.0);
            rowid_bytes += f64::from(length) * rows / keys;
            before = last;
        }
        Tree::table(Cell::of(payload, rowid_bytes, TABLE_LOCAL), keys / leaves, keys, pages)
    }

    /// The parts of the table's own bytes.
    fn parts(&self, tree: &Tree) -> Vec<Part> {
        let rowid = tree.kind == Layout::Rowid;
        let table = |name, bytes, why| Part { name, place: Place::Table, bytes, why };
        let lengths = tree.cell.bytes + tree.cell.overflow - POINTER_BYTES;
        let header = lengths - self.key - self.columns - self.response - tree.cell.pointer_to_overflow;
        let mut parts = vec![
            table("key", self.key, "as it is"),
            table(
                "columns",
                self.columns,
                "integers by their value: times in microseconds 8, status 2, state none",
            ),
            table("response", self.response, "as it is; NULL takes nothing"),
            table(
                "row header",
                header,
                if rowid {
                    "lengths of payload and header, rowid, one serial type a column"
                } else {
                    "lengths of payload and header, one serial type a column"
                },
            ),
            table("line pointer", POINTER_BYTES, "2-byte cell pointer"),
        ];
        let spilled = PAGE_BYTES * tree.overflow_pages + tree.cell.pointer_to_overflow - tree.cell.overflow;
        if tree.overflow_pages > 0.0 {
            parts.push(table("overflow", spilled, "what exceeds the local payload fills pages of its own"));
        }
        parts.extend(tree.page_parts(Place::Table));
        parts
    }
}

impl Sqlite {
    /// Bytes of a column's body beside key and response.
    fn body(&self, column: Column) -> f64 {
        match column {
            Column::Account => mean_integer(self.accounts as f64),
            Column::Endpoint => mean_integer(self.endpoints as f64),
            // Microseconds since 1970 need 51 bits, and there is no 7-byte integer.
            Column::CreatedAt | Column::LeaseExpiresAt => 8.0,
            // In progress 0, completed 1: serial types that take no body.
            Column::State => 0.0,
            // 200 does not fit a signed byte.
            Column::Status => 2.0,
            Column::Fingerprint => 32.0,
            Column::Key(..) | Column::Response(_) => 0.0,
        }
    }
}

/// A cell on a leaf.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Bytes on the page, the cell pointer included.
    bytes: f64,
    /// Bytes of payload on overflow pages.
    overflow: f64,
    /// 4 where there are such pages.
    pointer_to_overflow: f64,
}

impl Cell {
    /// A cell of a payload: its length, a rowid's length where it has one, what stays on the page.
    fn of(payload: f64, rowid_bytes: f64, most_local: u64) -> Cell {
        let whole = payload.ceil() as u64;
        let local = local(whole, most_local);
        let overflow = if local < whole { payload - local as f64 } else { 0.0 };
        let pointer_to_overflow = if overflow > 0.0 { 4.0 } else { 0.0 };
        let bytes = varint(whole) + rowid_bytes + payload - overflow + pointer_to_overflow + POINTER_BYTES;
        Cell { bytes, overflow, pointer_to_overflow }
    }
}

/// Payload that stays on the page: all of it, or so much that the overflow pages are full, if that fits.
fn local(payload: u64, most: u64) -> u64 {
    if payload <= most {
        return payload;
    }
    let even = LEAST_LOCAL + (payload - LEAST_LOCAL) % OVERFLOW_BYTES;
    if even <= most { even } else { LEAST_LOCAL }
}

/// A b-tree and what a key takes in it.
struct Tree {
    kind: Layout,
    cell: Cell,
    keys: f64,
    /// Entries a leaf; in an index b-tree with the one that follows it in its parent.
    entries_per_leaf: f64,
    /// Interior pages per leaf.
    interior: f64,
    overflow_pages: f64,
    /// Whether entries lie in interior pages too.
    divided: bool,
    settled: Settled,
}

impl Tree {
    fn index(cell: Cell, arrival: Arrival, keys: f64, pages: &Memo) -> Tree {
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
    fn table(cell: Cell, rows_per_leaf: f64, keys: f64, pages: &Memo) -> Tree {
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
    fn cells(&self) -> f64 {
        self.entries_per_leaf - f64::from(u8::from(self.divided))
    }

    /// Share of a leaf that is in use, header included.
    fn fill(&self) -> f64 {
        ((PAGE_BYTES - f64::from(LEAF_BYTES) + self.cells() * self.cell.bytes) / PAGE_BYTES).min(1.0)
    }

    /// What pages add to the cells.
    fn page_parts(&self, place: Place) -> [Part; 3] {
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

    fn index_parts(&self) -> Vec<Part> {
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
    fn leaves_written(&self, inserts: f64, arrival: Arrival) -> f64 {
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
    fn pages_written(&self, inserts: f64, arrival: Arrival) -> f64 {
        let inner = (self.keys / self.entries_per_leaf * self.interior).max(1.0);
        let writes = self.settled.inner_writes_per_insert;
        let distinct = if arrival == Arrival::Uniform { inner } else { 3.0 + inserts * writes };
        self.leaves_written(inserts, arrival) - distinct * (-writes * inserts / distinct).exp_m1() / inserts
            + self.overflow_pages
    }
}

impl Tree {
    /// Chance that a run of inserts adds a page to the file: its first page is then written too.
    fn grows(&self, inserts: f64) -> f64 {
        let pages = (self.settled.splits_per_insert + self.overflow_pages) * inserts;
        -(-pages).exp_m1()
    }
}

/// Interior pages per leaf, all levels.
fn interior_per_leaf(balance: Balance, arrival: Arrival, leaves: f64, pages: &Memo) -> f64 {
    if leaves <= 1.0 {
        return 0.0;
    }
    // Leaves come up where entries come in: anywhere, or at the right end.
    let order = if arrival == Arrival::Uniform { arrival } else { Arrival::Ascending };
    let children = pages.settle(Rule::Sqlite(balance), order, leaves).entries_per_leaf;
    1.0 / (children - 1.0).max(1.0)
}

/// Keys at the right end that are in disorder.
fn in_disorder(arrival: Arrival) -> f64 {
    match arrival {
        Arrival::Uniform => f64::INFINITY,
        Arrival::Ascending | Arrival::Wrapping { .. } => 1.0,
        Arrival::Bucketed { keys_per_bucket } => keys_per_bucket,
        Arrival::Delayed { rate_per_s, mean_delay_s } => rate_per_s * mean_delay_s,
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

impl Tree {
    /// Bytes per key, everything included.
    fn bytes(&self) -> f64 {
        PAGE_BYTES * ((1.0 + self.interior) / self.entries_per_leaf + self.overflow_pages)
    }

    /// Pages written per key deleted, the oldest first: any leaf of a tree in uniform order, the leaves
    /// at the left end one after the other of any other.
    fn pages_deleted(&self, batch: f64, arrival: Arrival) -> f64 {
        if arrival == Arrival::Uniform && self.kind == Layout::WithoutRowid {
            self.leaves_written(batch, arrival).min(1.0) + self.overflow_pages
        } else {
            (1.0 / self.entries_per_leaf + 1.0 / batch).min(1.0) + self.overflow_pages
        }
    }
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

/// Bytes of a variable-length integer: 7 bits a byte, up to 9.
fn varint(value: u64) -> f64 {
    let bits = 64 - value.max(1).leading_zeros();
    f64::from(bits.div_ceil(7).min(9))
}

/// Bytes of the varint of the largest rowid of so many.
fn rowid_length(keys: f64) -> f64 {
    varint(keys.min(MOST_ROWS) as u64)
}

/// Mean bytes of the body of an integer that is one of 0, 1, … `values` − 1 with equal chance.
fn mean_integer(values: f64) -> f64 {
    const SIZES: [(f64, f64); 6] = [
        (128.0, 1.0),
        (32_768.0, 2.0),
        (8_388_608.0, 3.0),
        (2_147_483_648.0, 4.0),
        (140_737_488_355_328.0, 6.0),
        (f64::INFINITY, 8.0),
    ];
    let (mut before, mut sum) = (2.0, 0.0);
    for (end, bytes) in SIZES {
        let values = (values.min(end) - before).max(0.0);
        sum += bytes * values;
        before = end;
    }
    sum / values.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::record::RecordKind;
    use super::*;

    fn full(response: u64) -> Row {
        Row::of(&Sqlite::DEFAULT, &Record::new(RecordKind::Full, 16, KeyFormat::Binary, response))
            .expect("fits")
    }

    #[test]
    fn a_bare_key_is_a_cell_of_21_bytes() {
        let row =
            Row::of(&Sqlite::DEFAULT, &Record::new(RecordKind::Key, 16, KeyFormat::Binary, 0)).expect("fits");
        assert_eq!(row.payload(false), 18.0);
        assert_eq!(Cell::of(row.payload(false), 0.0, INDEX_LOCAL).bytes, 21.0);
        assert_eq!(Cell::of(row.payload(true), 3.0, TABLE_LOCAL).bytes, 25.0);
    }

    #[test]
    fn integers_take_what_their_values_need() {
        assert_eq!(mean_integer(2.0), 0.0);
        assert_eq!(mean_integer(16.0), 14.0 / 16.0);
        assert_eq!(mean_integer(1e6), (126.0 + 2.0 * 32_640.0 + 3.0 * (1e6 - 32_768.0)) / 1e6);
        assert!((mean_integer(1e30) - 8.0).abs() < 1e-9);
    }

    #[test]
    fn varints_hold_seven_bits_a_byte() {
        let lengths = [0, 127, 128, 16_383, 16_384, 2_097_152, u64::MAX].map(varint);
        assert_eq!(lengths, [1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 9.0]);
    }

    #[test]
    fn long_payloads_leave_what_fills_their_overflow_pages() {
        assert_eq!((INDEX_LOCAL, TABLE_LOCAL, LEAST_LOCAL), (1002, 4061, 489));
        assert_eq!(local(1002, INDEX_LOCAL), 1002);
        assert_eq!(local(1104, INDEX_LOCAL), 489);
        assert_eq!(local(489 + OVERFLOW_BYTES + 7, INDEX_LOCAL), 496);
        assert_eq!(Cell::of(full(1024).payload(false), 0.0, INDEX_LOCAL).bytes, 497.0);
    }

    #[test]
    fn rows_beyond_a_twentieth_of_a_page_go_to_a_rowid_table() {
        let pages = Memo::default();
        let place = |response| {
            let record = Record::new(RecordKind::Full, 16, KeyFormat::Binary, response);
            let load = Load {
                live_keys: 1e6,
                rate_per_s: 1.0,
                peak_per_s: 1.0,
                retention_s: 1e6,
                arrival: Arrival::Ascending,
                record,
            };
            Sqlite::DEFAULT.footprint(&load, &pages).expect("fits").bytes_in(Place::Index)
        };
        assert_eq!(place(100), 0.0);
        assert!(place(200) > 28.0);
    }
}
