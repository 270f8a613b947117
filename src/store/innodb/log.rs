//! The redo log of InnoDB, in the format of MariaDB 10.8 and later (`mtr0log.h`, `page0cur.cc`,
//! `trx0rec.cc`).
//!
//! What a mini-transaction changed is a chain of records and an end of 5 bytes. A record has a byte of
//! type and length, more bytes of length from 16 on, and, unless it is for the page of the one before,
//! the tablespace and the page as variable-length integers. An insert is two mini-transactions at least:
//! the undo record, and the row on its page; each secondary index adds one. A row is logged without
//! its fixed header and without the bytes that it shares with the row before it on the page. A split
//! logs every row that it moves the same way.

use super::super::page::Arrival;
use super::super::record::KeyFormat;
use super::super::{Load, Part, Place};
use super::{BIGINT, HEADER, PAGE, Row, Tree};

/// The end of a mini-transaction: a marker byte and a CRC-32C.
const END: f64 = 5.0;
/// Type and length of a record of 16 to 142 bytes.
const TYPE: f64 = 2.0;
/// The tablespace, one of the first 128.
const SPACE: f64 = 1.0;
/// Subtype of a record that is replayed by the page format.
const SUBTYPE: f64 = 1.0;
/// Place of the row before (2), lengths of the header and of the shared header and data (3).
const ROW_LENGTHS: f64 = 5.0;
/// Undo record beside the key: type, row number in the transaction (2), table.
const UNDO_FIXED: f64 = 4.0;
/// Old `DB_TRX_ID` and `DB_ROLL_PTR` compressed, field count and info bits in the undo of a change.
const UNDO_OLD: f64 = 16.0;
/// The counter of an auto-increment column on the root page: record header 5, offset 1, low byte 1.
const AUTO_INCREMENT: f64 = 7.0;
/// A split beside the rows that it moves: a page and its file segment's bookkeeping (some 15 writes of
/// 8 bytes), the links of three pages (4 × 8), what the old page drops (6 × 8) and a node pointer.
const SPLIT: f64 = 200.0;
/// A delete mark, its system columns, and the later removal with its directory.
const DELETE: f64 = 60.0;

/// Redo log of one insert and what follows it.
pub(super) struct Redo {
    undo: f64,
    row: f64,
    row_splits: f64,
    unique: f64,
    unique_splits: f64,
    overflow: f64,
    entries: f64,
}

impl Redo {
    pub(super) fn new(load: &Load, row: &Row, table: &Tree, unique: Option<&Tree>) -> Self {
        let shared = shared_bytes(load, table.keys, row.key);
        let undo = END + TYPE + SPACE + 2.0 + SUBTYPE + UNDO_FIXED + row.undo_columns + row.undo_key;
        // The clustered key's prefix that neighbours share; an auto-increment key differs in its last byte.
        let (row_shared, counter) = match unique {
            Some(_) => (BIGINT - 1.0, AUTO_INCREMENT),
            None => (shared, 0.0),
        };
        let unique_data = unique.map_or(0.0, |tree| tree.entry - HEADER - shared);
        Redo {
            undo,
            row: inserted(row.bytes() - HEADER - row_shared, table) + counter,
            row_splits: split(row.bytes() - HEADER - row_shared, table),
            unique: unique.map_or(0.0, |tree| inserted(unique_data, tree)),
            unique_splits: unique.map_or(0.0, |tree| split(unique_data, tree)),
            overflow: row.off_page + row.off_pages() * (SPLIT / 2.0),
            entries: 1.0 + f64::from(u8::from(unique.is_some())),
        }
    }

    pub(super) fn insert_parts(&self) -> Vec<Part> {
        let part = |name, bytes, why| Part { name, place: Place::Other, bytes, why };
        vec![
            part(
                "undo",
                self.undo,
                "the undo record (key, row and table number) in a mini-transaction of its own",
            ),
            part(
                "row",
                self.row,
                "the row less its header and what it shares with the one before; page, end of 5",
            ),
            part("index entry", self.unique, "the same for the unique index"),
            part(
                "splits",
                self.row_splits + self.unique_splits,
                "each row that a split moves is logged again",
            ),
            part("overflow", self.overflow, "responses off the page, whole"),
        ]
    }

    /// An update that records the outcome: undo with the old system columns, and the row anew, as it
    /// has grown.
    pub(super) fn completion(&self) -> f64 {
        self.undo + UNDO_OLD + self.row + self.overflow
    }

    /// A delete: undo with the old system columns, a delete mark and a removal in each index.
    pub(super) fn deletion(&self) -> f64 {
        self.undo + UNDO_OLD + self.entries * DELETE
    }

    /// Undo pages per insert.
    pub(super) fn undo_pages(&self) -> f64 {
        self.undo / PAGE
    }
}

/// A row put on a page; where there is garbage, half the time, the place reused is named as well.
fn inserted(data: f64, tree: &Tree) -> f64 {
    entry_log(data.max(0.0) + HEADER, tree.keys / tree.settled.entries_per_leaf)
}

/// Redo of one record of `entry_bytes` put on a page of an index of so many leaves, in a mini-transaction. What
/// the record shares with its neighbour, 5 bytes or so of a key, is taken as logged.
pub fn entry_log(entry_bytes: f64, leaves: f64) -> f64 {
    END + record(SPACE + varint(leaves) + SUBTYPE + ROW_LENGTHS + 1.0 + (entry_bytes - HEADER).max(0.0))
}

/// Redo of so many splits that moved so many records of `entry_bytes` in all.
pub fn split_log(entry_bytes: f64, moved: f64, splits: f64) -> f64 {
    moved * record(SUBTYPE + ROW_LENGTHS + (entry_bytes - HEADER).max(0.0)) + splits * SPLIT
}

/// Rows that splits move, and the splits themselves.
fn split(data: f64, tree: &Tree) -> f64 {
    split_log(data.max(0.0) + HEADER, tree.settled.entries_moved_per_insert, tree.settled.splits_per_insert)
}

/// A record of so many bytes beside type and length.
fn record(bytes: f64) -> f64 {
    bytes + if bytes > 142.0 { TYPE + 1.0 } else { TYPE }
}

/// Bytes of a variable-length integer (`mlog_encode_varint`).
fn varint(value: f64) -> f64 {
    [128.0, 16_512.0, 2_113_664.0, 538_984_576.0].iter().filter(|&&least| value >= least).count() as f64 + 1.0
}

/// Bytes at the front that a key has in common with the next smaller one: the bits that tell so many
/// random keys apart, or 48 of time and 4 of version and those that tell keys of one millisecond apart.
/// A character of hexadecimal text holds 4 bits.
fn shared_bytes(load: &Load, keys: f64, key_bytes: f64) -> f64 {
    let bits = match load.arrival {
        Arrival::Uniform => keys.log2(),
        Arrival::Ascending | Arrival::Wrapping { .. } => 52.0,
        Arrival::Bucketed { keys_per_bucket } => 52.0 + keys_per_bucket.max(1.0).log2(),
        Arrival::Delayed { rate_per_s, .. } => 52.0 + (rate_per_s / 1e3).max(1.0).log2(),
    };
    let bits_per_byte = match load.record.key_format {
        KeyFormat::Binary => 8.0,
        KeyFormat::Text => 4.0,
    };
    (bits / bits_per_byte - 0.5).clamp(0.0, (key_bytes - 1.0).max(0.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::super::record::{Record, RecordKind};
    use super::super::super::{Model, page::Memo};
    use super::super::{Index, Innodb};
    use super::*;

    fn load(arrival: Arrival, format: KeyFormat, live_keys: f64) -> Load {
        let record = Record::new(RecordKind::Key, 16, format, 0);
        Load {
            live_keys,
            rate_per_s: 1.0,
            peak_per_s: 1.0,
            retention_s: live_keys,
            arrival,
            record,
            detail: true,
        }
    }

    #[test]
    fn integers_take_as_many_bytes_as_their_range() {
        assert_eq!(
            [0.0, 127.0, 128.0, 16_512.0, 2_113_664.0, 1e9].map(varint),
            [1.0, 1.0, 2.0, 3.0, 4.0, 5.0]
        );
    }

    #[test]
    fn neighbours_share_what_does_not_tell_them_apart() {
        let shared = |arrival, format, keys| shared_bytes(&load(arrival, format, keys), keys, 16.0);
        assert!((shared(Arrival::Uniform, KeyFormat::Binary, 2f64.powi(20)) - 2.0).abs() < 1e-9);
        assert!((shared(Arrival::Uniform, KeyFormat::Text, 2f64.powi(20)) - 4.5).abs() < 1e-9);
        assert_eq!(shared(Arrival::Ascending, KeyFormat::Binary, 1e6), 6.0);
        assert_eq!(shared(Arrival::Uniform, KeyFormat::Binary, 1.0), 0.0);
        assert_eq!(shared(Arrival::Uniform, KeyFormat::Binary, 1e300), 7.5);
    }

    #[test]
    fn a_unique_index_beside_the_table_is_logged_too() {
        let pages = Memo::default();
        let parts = |index| {
            let model = Innodb { index, ..Innodb::DEFAULT };
            model
                .footprint(&load(Arrival::Ascending, KeyFormat::Binary, 1e6), &pages)
                .expect("fits")
                .log_parts
        };
        let bytes =
            |parts: &[Part], name| parts.iter().find(|part| part.name == name).map_or(0.0, |p| p.bytes);
        let (one, two) = (parts(Index::Primary), parts(Index::AutoIncrementUnique));
        assert_eq!(bytes(&one, "index entry"), 0.0);
        // End 5, type 2, space 1, page 2, subtype 1, lengths 6; 29 of entry less header 5, less 6 shared.
        assert_eq!(bytes(&two, "index entry"), 17.0 + 29.0 - 5.0 - 6.0);
        assert_eq!(bytes(&one, "undo") - bytes(&two, "undo"), 16.0 - 8.0);
    }
}
