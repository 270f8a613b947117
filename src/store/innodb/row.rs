//! A row of InnoDB's clustered index, and the entries that point to it.

use super::super::page::innodb::ROOM_BYTES;
use super::super::record::{Column, KeyFormat, Record};
use super::{BIGINT, Charset, HEADER, Index, Innodb};
use crate::error::{Error, Result};

/// `DB_TRX_ID` 6 and `DB_ROLL_PTR` 7, on every row of a clustered index.
const SYSTEM_COLUMNS: f64 = 13.0;
/// A page number, what a node pointer adds to the key.
pub(super) const PAGE_NUMBER: f64 = 4.0;
/// Longest key of an index (`REC_VERSION_56_MAX_INDEX_COL_LEN`).
const MOST_KEY_BYTES: u32 = 3072;
/// Longest value of the longest type, `LONGBLOB`.
const MOST_VALUE_BYTES: u64 = 4_294_967_295;
/// Pointer to a value that is stored off the page (`BTR_EXTERN_FIELD_REF_SIZE`).
const EXTERN_BYTES: f64 = 20.0;
/// Value bytes of a page off the index: 16384 less FIL header 38, part header 8 and trailer 8.
const OFF_PAGE_BYTES: f64 = super::PAGE - 38.0 - 8.0 - 8.0;

/// A row of the clustered index, in bytes.
pub(super) struct Row {
    pub(super) key: f64,
    pub(super) columns: f64,
    pub(super) response: f64,
    /// Header, null bitmap, lengths of variable columns, system columns.
    pub(super) header: f64,
    /// Bytes of the response stored on pages of its own.
    pub(super) off_page: f64,
    /// A node pointer to a leaf.
    pub(super) node_pointer: f64,
    /// An entry of the unique index, where there is one.
    pub(super) unique_entry: Option<f64>,
    /// Key columns that the undo log repeats, and their bytes.
    pub(super) undo_columns: f64,
    pub(super) undo_key: f64,
}

impl Row {
    pub(super) fn of(model: &Innodb, record: &Record) -> Result<Row> {
        if record.key_bytes > MOST_KEY_BYTES {
            return Err(Error::range(format!(
                "InnoDB indexes keys of up to {MOST_KEY_BYTES} bytes, and the key has {}; store a hash of it",
                record.key_bytes
            )));
        }
        let text = record.key_format == KeyFormat::Text;
        let key = f64::from(record.key_bytes);
        // BINARY(n) and CHAR(n) exist up to 255; what is longer has a length, as has utf8mb4.
        let key_length = match record.key_bytes {
            256.. => 2.0,
            128.. if text && model.charset == Charset::Utf8mb4 => 2.0,
            _ if text && model.charset == Charset::Utf8mb4 => 1.0,
            _ => 0.0,
        };
        let mut row = Row {
            key,
            columns: record.columns().map(width).sum(),
            response: 0.0,
            // STATUS and RESPONSE are nullable: one byte of null bitmap where there are any.
            header: HEADER + SYSTEM_COLUMNS + key_length + f64::from(u8::from(record.has_outcome())),
            off_page: 0.0,
            node_pointer: 0.0,
            unique_entry: None,
            undo_columns: 1.0,
            undo_key: key,
        };
        row.organise(model.index, record, key_length);
        if record.has_outcome() && record.response_bytes > 0 {
            row.respond(record.response_bytes)?;
        }
        Ok(row)
    }

    /// Columns, node pointers and unique entries of each way to organise the table.
    pub(super) fn organise(&mut self, index: Index, record: &Record, key_length: f64) {
        let node = HEADER + key_length + PAGE_NUMBER;
        match index {
            Index::Primary => self.node_pointer = node + self.key,
            Index::AutoIncrementUnique => {
                self.columns += BIGINT;
                self.node_pointer = HEADER + BIGINT + PAGE_NUMBER;
                self.unique_entry = Some(HEADER + key_length + self.key + BIGINT);
                self.undo_key = BIGINT;
            }
            Index::Scope => {
                let owner: f64 = record
                    .columns()
                    .filter(|column| matches!(column, Column::Account | Column::Endpoint))
                    .map(width)
                    .sum();
                self.node_pointer = node + self.key + owner;
                self.undo_columns = 3.0;
                self.undo_key += owner;
            }
        }
    }

    /// The response in the row, or on pages of its own where the row would exceed half a page
    /// (`page_zip_rec_needs_ext`; in this format a value goes there whole).
    pub(super) fn respond(&mut self, bytes: u64) -> Result<()> {
        if bytes > MOST_VALUE_BYTES {
            return Err(Error::range(format!(
                "InnoDB holds values of up to {MOST_VALUE_BYTES} bytes, and the response has {bytes}; keep large ones elsewhere"
            )));
        }
        self.response = bytes as f64;
        self.header += if bytes > 127 { 2.0 } else { 1.0 };
        if self.bytes() >= f64::from(ROOM_BYTES / 2) && self.response > 2.0 * EXTERN_BYTES {
            self.off_page = self.response;
            self.response = 0.0;
            self.header += EXTERN_BYTES;
        }
        Ok(())
    }

    /// Bytes of the row on its leaf.
    pub(super) fn bytes(&self) -> f64 {
        self.header + self.key + self.columns + self.response
    }

    /// Pages that the response takes off the index.
    pub(super) fn off_pages(&self) -> f64 {
        (self.off_page / OFF_PAGE_BYTES).ceil()
    }
}

/// Bytes of a column beside key and response.
pub(super) fn width(column: Column) -> f64 {
    match column {
        Column::Account => BIGINT,
        // TIMESTAMP(6): 4 bytes of seconds, 3 of microseconds.
        Column::CreatedAt | Column::LeaseExpiresAt => 7.0,
        Column::Endpoint | Column::State | Column::Status => 2.0,
        Column::Fingerprint => 32.0,
        Column::Key(..) | Column::Response(_) => 0.0,
    }
}
