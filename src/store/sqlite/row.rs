//! A row of SQLite as a record: header of serial types, then bodies; and as a cell on a page.

use super::super::page::sqlite::LEAF_BYTES;
use super::super::page::{Arrival, Memo};
use super::super::record::{Column, KeyFormat, Record};
use super::super::{Part, Place};
use super::tree::Tree;
use super::{Layout, MOST_ROWS, PAGE_BYTES, Sqlite};
use crate::error::{Error, Result};

/// Bytes of a cell pointer.
pub(super) const POINTER_BYTES: f64 = 2.0;
/// Largest payload that an index b-tree keeps on the page: (4096 − 12)·64/255 − 23.
const INDEX_LOCAL: u64 = (4096 - 12) * 64 / 255 - 23;
/// Largest payload that a table b-tree keeps on the page: 4096 − 35.
const TABLE_LOCAL: u64 = 4096 - 35;
/// Least payload that stays on the page when the rest is spilled: (4096 − 12)·32/255 − 23.
const LEAST_LOCAL: u64 = (4096 - 12) * 32 / 255 - 23;
/// Payload bytes of an overflow page: 4096 less the number of the next.
pub(super) const OVERFLOW_BYTES: u64 = 4096 - 4;
/// Largest value that SQLite stores (`SQLITE_MAX_LENGTH`, its default).
const MOST_BYTES: u64 = 1_000_000_000;

/// What the record format makes of a row, in bytes; means where they depend on values.
pub(super) struct Row {
    key: f64,
    key_header: f64,
    columns: f64,
    columns_header: f64,
    response: f64,
    response_header: f64,
}

impl Row {
    pub(super) fn of(model: &Sqlite, record: &Record) -> Result<Row> {
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
    pub(super) fn header(&self, rowid: bool) -> f64 {
        let types = self.key_header + self.columns_header + self.response_header + f64::from(u8::from(rowid));
        types + if types < 127.0 { 1.0 } else { 2.0 }
    }

    pub(super) fn payload(&self, rowid: bool) -> f64 {
        self.header(rowid) + self.key + self.columns + self.response
    }

    /// The table as an index b-tree.
    pub(super) fn in_index(&self, arrival: Arrival, keys: f64, pages: &Memo) -> Tree {
        let payload = self.payload(false);
        Tree::index(Cell::of(payload, 0.0, INDEX_LOCAL), arrival, keys, pages)
    }

    /// The index over (key, rowid) of a rowid table: the payload is a record too.
    pub(super) fn key_index(&self, arrival: Arrival, keys: f64, pages: &Memo) -> Tree {
        let payload =
            varint(2 + self.key_header as u64) + self.key_header + 1.0 + self.key + mean_integer(keys);
        Tree::index(Cell::of(payload, 0.0, INDEX_LOCAL), arrival, keys, pages)
    }

    /// The index over (created_at, rowid): three header bytes, 8 of time.
    pub(super) fn created_index(&self, keys: f64, pages: &Memo) -> Tree {
        let payload = 3.0 + 8.0 + mean_integer(keys);
        Tree::index(Cell::of(payload, 0.0, INDEX_LOCAL), Arrival::Ascending, keys, pages)
    }

    /// The table as a table b-tree, to which rows are appended: leaves are left full
    /// (`balance_quick`), whatever the rowids' lengths.
    pub(super) fn in_table(&self, keys: f64, pages: &Memo) -> Tree {
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
    pub(super) fn parts(&self, tree: &Tree) -> Vec<Part> {
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
    pub(super) fn body(&self, column: Column) -> f64 {
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
pub(super) struct Cell {
    /// Bytes on the page, the cell pointer included.
    pub(super) bytes: f64,
    /// Bytes of payload on overflow pages.
    pub(super) overflow: f64,
    /// 4 where there are such pages.
    pub(super) pointer_to_overflow: f64,
}

impl Cell {
    /// A cell of a payload: its length, a rowid's length where it has one, what stays on the page.
    pub(super) fn of(payload: f64, rowid_bytes: f64, most_local: u64) -> Cell {
        let whole = payload.ceil() as u64;
        let local = local(whole, most_local);
        let overflow = if local < whole { payload - local as f64 } else { 0.0 };
        let pointer_to_overflow = if overflow > 0.0 { 4.0 } else { 0.0 };
        let bytes = varint(whole) + rowid_bytes + payload - overflow + pointer_to_overflow + POINTER_BYTES;
        Cell { bytes, overflow, pointer_to_overflow }
    }
}

/// Payload that stays on the page: all of it, or so much that the overflow pages are full, if that fits.
pub(super) fn local(payload: u64, most: u64) -> u64 {
    if payload <= most {
        return payload;
    }
    let even = LEAST_LOCAL + (payload - LEAST_LOCAL) % OVERFLOW_BYTES;
    if even <= most { even } else { LEAST_LOCAL }
}

/// Bytes of a variable-length integer: 7 bits a byte, up to 9.
pub(super) fn varint(value: u64) -> f64 {
    let bits = 64 - value.max(1).leading_zeros();
    f64::from(bits.div_ceil(7).min(9))
}

/// Bytes of the varint of the largest rowid of so many.
pub(super) fn rowid_length(keys: f64) -> f64 {
    varint(keys.min(MOST_ROWS) as u64)
}

/// Mean bytes of the body of an integer that is one of 0, 1, … `values` − 1 with equal chance.
pub(super) fn mean_integer(values: f64) -> f64 {
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
    use super::super::super::record::RecordKind;
    use super::super::super::{Load, Model};
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
                detail: true,
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
