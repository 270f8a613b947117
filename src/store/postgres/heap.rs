//! The heap: what a row takes in the table, and out of line where it is too long for it.
//!
//! Source: PostgreSQL documentation, "Database Page Layout" and "TOAST"; `htup_details.h`, `bufpage.h`,
//! `heaptoast.h`, `hio.c`. Pages of 8 KiB, 8-byte alignment. Values are taken to be incompressible.

use crate::error::{Error, Result};
use crate::store::record::{Column, KeyFormat, Record};
use crate::store::{Part, Place};

/// Bytes of a page.
pub(super) const PAGE: f64 = 8192.0;
/// Bytes of a heap page that line pointers and rows may take: 8192 − 24 of header.
const USABLE: u64 = 8168;
/// A line pointer (`ItemIdData`).
const LINE_POINTER: u64 = 4;
/// A row header before the null bitmap (`SizeofHeapTupleHeader`).
const ROW_HEADER: u64 = 23;
/// Rows longer than this have their longest values moved out (`TOAST_TUPLE_THRESHOLD`).
const TOAST_THRESHOLD: u64 = 2032;
/// Values up to this many bytes are not worth moving (`MAXALIGN(TOAST_POINTER_SIZE)`).
const TOAST_LEAST: u64 = 24;
/// What stands in the row for a value that was moved out.
const TOAST_POINTER: u64 = 18;
/// Bytes of a value in one row of the TOAST table (`TOAST_MAX_CHUNK_SIZE`).
const CHUNK: u64 = 1996;
/// A TOAST row beside its data: 24 of header, chunk id, sequence number, length word.
const CHUNK_OVERHEAD: u64 = 24 + 4 + 4 + 4;
/// The longest value (1 GB − 1, less its length word).
const LONGEST_VALUE: u64 = 0x3fff_ffff - 4;
/// Values of the TOAST table packed to find how many pages a value takes.
const PACKED_VALUES: u32 = 120;

/// Rounds up to the alignment of a row (`MAXALIGN`).
pub(super) fn max_align(bytes: u64) -> u64 {
    bytes.next_multiple_of(8)
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) header: u64,
    key: u64,
    columns: u64,
    response: u64,
    /// Padding before aligned columns.
    padding: u64,
    /// Length without the padding at its end (`t_len`).
    pub(super) length: u64,
    /// Rows on a page of the table's fill factor.
    pub(super) per_page: f64,
    /// Values that were moved out: the key's, the response's.
    pub(super) moved_out: [Option<Toast>; 2],
}

/// A value in the TOAST table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Toast {
    full_chunks: u64,
    /// Bytes of the last, shorter chunk; 0 if there is none.
    rest: u64,
    /// Bytes of TOAST table and of its index.
    heap_bytes: f64,
    index_bytes: f64,
}

/// Bytes and alignment of a value of variable length: a one-byte header up to 126 bytes of data, else
/// four bytes at a multiple of four.
pub(super) fn variable(bytes: u64) -> (u64, u64) {
    if bytes <= 126 { (bytes + 1, 1) } else { (bytes + 4, 4) }
}

/// Bytes and alignment of a key: a 16-byte one is of type `uuid`, any other `bytea` or `text`.
pub(super) fn key(bytes: u32, format: KeyFormat) -> (u64, u64) {
    if bytes == 16 && format == KeyFormat::Binary { (16, 1) } else { variable(u64::from(bytes)) }
}

impl Row {
    /// Lays a record out on pages that inserts fill to a percentage.
    pub(super) fn of(record: &Record, fill_factor_percent: u32) -> Result<Row> {
        if record.has_outcome() && record.response_bytes > LONGEST_VALUE {
            return Err(Error::range(format!(
                "PostgreSQL holds values of at most {LONGEST_VALUE} bytes (1 GB), the response has {}; \
                 keep large responses in an object store and a reference here",
                record.response_bytes
            )));
        }
        let mut row = Row::lay_out(record, [false, false]);
        if row.length > TOAST_THRESHOLD {
            // The longest value goes first.
            let key_first = row.key > row.response;
            row = Row::lay_out(record, [key_first, !key_first && row.response > TOAST_LEAST]);
            if row.length > TOAST_THRESHOLD {
                row = Row::lay_out(record, [true, row.response > TOAST_LEAST || !key_first]);
            }
        }
        row.per_page = per_page(row.slot(), fill_factor_percent);
        Ok(row)
    }

    fn lay_out(record: &Record, [key_out, response_out]: [bool; 2]) -> Row {
        let null = record.has_outcome() && record.response_bytes == 0;
        let bitmap = if null { (record.columns().count() as u64).div_ceil(8) } else { 0 };
        let header = max_align(ROW_HEADER + bitmap);
        let (mut own_key, mut columns, mut response, mut padding, mut at) = (0, 0, 0, 0, 0u64);
        for column in record.columns() {
            let (bytes, align) = match column {
                Column::Key(..) if key_out => (TOAST_POINTER, 1),
                Column::Key(bytes, format) => key(bytes, format),
                Column::Account | Column::CreatedAt | Column::LeaseExpiresAt => (8, 8),
                Column::Endpoint | Column::State | Column::Status => (2, 2),
                Column::Fingerprint => variable(32),
                Column::Response(0) => (0, 1),
                Column::Response(_) if response_out => (TOAST_POINTER, 1),
                Column::Response(bytes) => variable(bytes),
            };
            let start = at.next_multiple_of(align);
            padding += start - at;
            at = start + bytes;
            match column {
                Column::Key(..) => own_key += bytes,
                Column::Response(_) => response += bytes,
                _ => columns += bytes,
            }
        }
        let moved_out = [
            key_out.then(|| Toast::of(u64::from(record.key_bytes))),
            response_out.then(|| Toast::of(record.response_bytes)),
        ];
        let length = header + at;
        Row { header, key: own_key, columns, response, padding, length, per_page: 1.0, moved_out }
    }

    /// Bytes on the page, with its line pointer.
    fn slot(&self) -> u64 {
        max_align(self.length) + LINE_POINTER
    }

    /// Pages of the table, free space map not included.
    pub(super) fn pages(&self, keys: f64) -> f64 {
        (keys / self.per_page).ceil()
    }

    /// Bytes of table and TOAST a key.
    pub(super) fn bytes(&self, keys: f64) -> f64 {
        PAGE * self.pages(keys) / keys + self.moved_out.iter().flatten().map(Toast::bytes).sum::<f64>()
    }

    /// The parts of the bytes that a key takes in the table, summing to whole pages.
    pub(super) fn parts(&self, keys: f64, parts: &mut Vec<Part>) {
        let mut add = |name, bytes: f64, why| {
            if bytes > 0.0 {
                parts.push(Part { name, place: Place::Table, bytes, why });
            }
        };
        let total = PAGE * self.pages(keys) / keys;
        let end_padding = max_align(self.length) - self.length;
        let page_header = (24.0 / self.per_page).min(total);
        add(
            "key",
            self.key as f64,
            "uuid 16 bytes; any other type has a length word of 1 byte up to 126, else 4",
        );
        add("columns", self.columns as f64, "8 a bigint or timestamptz, 2 a smallint, 33 a 32-byte digest");
        add(
            "response",
            self.response as f64,
            "its bytes and a length word; 18-byte pointer where it is out of line",
        );
        add(
            "row header",
            self.header as f64,
            "23-byte tuple header and, if a column is NULL, a bitmap, rounded up to 8",
        );
        add(
            "alignment",
            (self.padding + end_padding) as f64,
            "8-byte columns start at multiples of 8, rows too",
        );
        add("line pointer", LINE_POINTER as f64, "one 4-byte pointer a row at the start of the page");
        add("page header", page_header, "24 bytes a page of 8192");
        add(
            "page rest",
            total - self.slot() as f64 - page_header,
            "what no further row fits in, and the fill factor's reserve",
        );
        for toast in self.moved_out.iter().flatten() {
            add(
                "out of line",
                toast.heap_bytes,
                "TOAST: chunks of 1996 bytes, each a row with 36 bytes of header and key",
            );
            add(
                "out of line index",
                toast.index_bytes,
                "TOAST index: 20 bytes a chunk, ascending, leaves 90 % full",
            );
        }
    }
}

/// Rows on a page: the next row is admitted while it and the reserve fit into the free space.
fn per_page(slot: u64, fill_factor_percent: u32) -> f64 {
    let reserve = 8192 * u64::from(100 - fill_factor_percent.clamp(10, 100)) / 100;
    ((USABLE - reserve) / slot).max(1) as f64
}

impl Toast {
    fn of(bytes: u64) -> Toast {
        let mut toast =
            Toast { full_chunks: bytes / CHUNK, rest: bytes % CHUNK, heap_bytes: 0.0, index_bytes: 0.0 };
        toast.heap_bytes = toast.pack();
        toast.index_bytes = toast.index();
        toast
    }

    /// Rows of the TOAST table.
    pub(super) fn chunks(&self) -> f64 {
        (self.full_chunks + u64::from(self.rest > 0)) as f64
    }

    /// Length of the rows that are full, and of the last one if it is not.
    pub(super) fn row_lengths(&self) -> [(f64, u64); 2] {
        [
            (self.full_chunks as f64, CHUNK + CHUNK_OVERHEAD),
            (f64::from(u8::from(self.rest > 0)), self.rest + CHUNK_OVERHEAD),
        ]
    }

    /// Bytes of TOAST table and index a value.
    pub(super) fn bytes(&self) -> f64 {
        self.heap_bytes + self.index_bytes
    }

    /// Pages of TOAST table and index a value.
    pub(super) fn pages(&self) -> f64 {
        self.bytes() / PAGE
    }

    /// Bytes of TOAST table a value: chunks go to the page at hand while it has room, else to a new one.
    fn pack(&self) -> f64 {
        let full = max_align(CHUNK + CHUNK_OVERHEAD) + LINE_POINTER;
        let rest = max_align(self.rest + CHUNK_OVERHEAD) + LINE_POINTER;
        let (mut pages, mut free) = (0u64, 0u64);
        for _ in 0..PACKED_VALUES {
            let here = (free / full).min(self.full_chunks);
            free -= here * full;
            let others = self.full_chunks - here;
            if others > 0 {
                let each = USABLE / full;
                let more = others.div_ceil(each);
                pages += more;
                free = USABLE - (others - (more - 1) * each) * full;
            }
            if self.rest > 0 {
                if free < rest {
                    pages += 1;
                    free = USABLE;
                }
                free -= rest;
            }
        }
        PAGE * pages as f64 / f64::from(PACKED_VALUES)
    }

    /// Bytes of its index: (chunk id, sequence number), inner pages included.
    fn index(&self) -> f64 {
        let entry = super::index::Btree::over_chunks();
        let per_leaf = f64::from(entry.split(90).ascending());
        self.chunks() * PAGE / per_leaf * (1.0 + 1.0 / entry.fan_out())
    }
}

/// Pages of a free space map: a tree of pages with 4069 slots whose upper two levels are always there
/// (`fsm_internals.h`).
pub(super) fn free_space_map_pages(heap_pages: f64) -> f64 {
    2.0 + (heap_pages / 4069.0).ceil()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::RecordKind;

    fn row(kind: RecordKind, response: u64) -> Row {
        Row::of(&Record::new(kind, 16, KeyFormat::Binary, response), 100).expect("fits")
    }

    #[test]
    fn a_bare_uuid_is_a_row_of_40_bytes() {
        let row = row(RecordKind::Key, 0);
        assert_eq!((row.length, row.per_page), (40, 185.0));
    }

    #[test]
    fn a_null_response_costs_a_bitmap() {
        // 32 of header, 16 + 3·8 + 3·2 + 33 of data.
        assert_eq!(row(RecordKind::Full, 0).length, 111);
        assert_eq!(row(RecordKind::Full, 1).length, 24 + 79 + 2);
    }

    #[test]
    fn a_long_response_moves_out() {
        assert!(row(RecordKind::Full, 1900).moved_out[1].is_none());
        let long = row(RecordKind::Full, 4096);
        assert_eq!((long.length, long.moved_out[1].map(|t| t.chunks())), (24 + 79 + 18, Some(3.0)));
    }

    #[test]
    fn three_values_of_two_and_a_bit_chunks_share_two_pages() {
        assert_eq!(Toast::of(4096).heap_bytes, 8192.0 * 2.0 / 3.0);
    }

    #[test]
    fn a_response_over_1_gb_is_refused() {
        let record = Record::new(RecordKind::Full, 16, KeyFormat::Binary, 1 << 30);
        assert!(Row::of(&record, 100).is_err_and(|e| e.is_usage()));
    }

    #[test]
    fn parts_sum_to_whole_pages() {
        for (keys, response) in [(1.0, 0), (70.0, 0), (1e6, 256), (3.0, 9000), (1e38, 1_000_000_000)] {
            let (row, mut parts) = (row(RecordKind::Full, response), Vec::new());
            row.parts(keys, &mut parts);
            let toast: f64 = row.moved_out.iter().flatten().map(|t| t.bytes()).sum();
            let sum: f64 = parts.iter().map(|p| p.bytes).sum();
            let expected = PAGE * row.pages(keys) / keys + toast;
            assert!(
                (sum / expected - 1.0).abs() < 1e-12 && parts.iter().all(|p| p.bytes >= 0.0),
                "{keys} {response}"
            );
        }
    }
}
