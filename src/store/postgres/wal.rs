//! The write-ahead log: what an insert writes into it, record by record.
//!
//! Source: PostgreSQL documentation, "WAL Internals"; `xlogrecord.h`, `heapam_xlog.h`, `nbtxlog.h`,
//! `hash_xlog.h`. A record is a 24-byte header, for each page it touches a block header, and data with a
//! 2-byte header; records are aligned to 8. The first change of a page after a checkpoint logs the page
//! (`full_page_writes`), without the hole in its middle.

use super::heap::{PAGE, Row, Toast};
use super::index::{self, Btree, Hash};
use crate::store::page::{Arrival, Settled};
use crate::store::{Part, Place};

/// Record header.
pub(super) const RECORD: f64 = 24.0;
/// Header of the first block of a record: 4, relation 12, block number 4.
pub(super) const BLOCK: f64 = 20.0;
/// Header of a further block of the same relation.
pub(super) const NEXT_BLOCK: f64 = 8.0;
/// Header of a record's data of up to 255 bytes.
pub(super) const DATA: f64 = 2.0;
/// What a page image adds to its block header.
const IMAGE: f64 = 5.0;
/// Page header and links of an index page, logged with its image.
const INDEX_PAGE_HEADER: f64 = 40.0;
/// Commit: time stamp of 8 bytes.
pub(super) const COMMIT: f64 = RECORD + DATA + 8.0;
/// Row header fields that are logged (`xl_heap_header`) in place of the first 23 bytes of a row.
pub(super) const ROW_FIELDS: f64 = 5.0;
pub(super) const ROW_HEADER: f64 = 23.0;

/// Log pages of 8 KiB have a header of 24 bytes.
const PAGE_HEADERS: f64 = PAGE / (PAGE - 24.0);

/// Bytes of a record in the log: aligned to 8, and its share of the 24-byte header of each 8 KiB of log.
pub(super) fn logged(bytes: f64) -> f64 {
    // Integers, because `f64::ceil` is a call on x86-64; no record reaches 2^53 bytes.
    ((bytes + 7.999_999) as u64 & !7) as f64 * PAGE_HEADERS
}

/// Inserts between two checkpoints, and the keys that were there at the first of the two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub(super) inserts: f64,
    pub(super) keys_at_start: f64,
}

/// A row's insert into the heap (`xl_heap_insert`, 3 bytes).
pub(super) fn heap_insert(length: u64) -> f64 {
    logged(RECORD + BLOCK + DATA + 3.0 + ROW_FIELDS + length as f64 - ROW_HEADER)
}

/// An entry's insert into a leaf.
pub(super) fn leaf_insert(tree: &Btree) -> f64 {
    IndexLog { tuple: tree.tuple as f64, pivot: tree.pivot as f64 }.entry()
}

/// Splits per insert: the new right page's entries are logged whole, with both high keys; the parent
/// gets a pivot.
pub(super) fn splits(tree: &Btree, settled: &Settled) -> f64 {
    if settled.splits_per_insert <= 0.0 {
        return 0.0;
    }
    let index = IndexLog { tuple: tree.tuple as f64, pivot: tree.pivot as f64 };
    let right = settled.entries_moved_per_insert / settled.splits_per_insert + 1.0;
    settled.splits_per_insert * index.split(right) * (1.0 + 1.0 / tree.fan_out())
}

/// What a B-tree of entries of one size logs, record by record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexLog {
    /// An entry without its line pointer.
    tuple: f64,
    /// The same of a high key or an entry above the leaves.
    pivot: f64,
}

impl IndexLog {
    /// Entries and pivots of so many bytes on their pages, line pointers included.
    pub fn new(entry_bytes: u32, pivot_bytes: u32) -> IndexLog {
        let tuple = |bytes: u32| f64::from(bytes) - index::LINE_POINTER as f64;
        IndexLog { tuple: tuple(entry_bytes), pivot: tuple(pivot_bytes) }
    }

    /// An entry's insert into a leaf (`xl_btree_insert`, 2 bytes).
    pub fn entry(&self) -> f64 {
        logged(RECORD + BLOCK + DATA + 2.0 + self.tuple)
    }

    /// A split of a leaf whose right page gets so many entries, and the pivot for it in the parent.
    pub fn split(&self, right: f64) -> f64 {
        self.division(right * self.tuple)
    }

    /// The same of a page above the leaves.
    pub fn inner_split(&self, right: f64) -> f64 {
        self.division(right * self.pivot)
    }

    fn division(&self, right_bytes: f64) -> f64 {
        let split = RECORD + DATA + 10.0 + BLOCK + self.pivot + 2.0 * NEXT_BLOCK + right_bytes + self.pivot;
        let parent = RECORD + BLOCK + NEXT_BLOCK + DATA + 2.0 + self.pivot;
        logged(split) + logged(parent)
    }

    /// Images of pages of which so many bytes in all are in use. The entry for which a page is logged is not
    /// logged beside it.
    pub fn images(&self, pages: f64, used_bytes: f64) -> f64 {
        (used_bytes + pages * (INDEX_PAGE_HEADER + IMAGE - self.tuple)).max(0.0) * PAGE_HEADERS
    }
}

/// Leaves that the inserts of an interval touch of those that were there before it.
///
/// Uniform: each of `L` leaves is missed with probability `e^(−C/L)`. Orders that move along the index
/// touch the leaves in their window: half a bucket on average is still to come; of leaves left behind
/// for `a` keys under an exponential delay of `W` keys, `g·e^(−a/W)` of `g` entries are, which is at
/// least one for `W·(ln g + γ)` keys.
pub(super) fn touched_leaves(arrival: Arrival, tree_keys: f64, settled: &Settled, inserts: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if tree_keys <= 0.0 || inserts <= 0.0 {
        return 0.0;
    }
    let per_leaf = settled.entries_per_leaf;
    let leaves = (tree_keys / per_leaf).max(1.0);
    let random = |leaves: f64| -leaves * (-inserts / leaves).exp_m1();
    let window = match arrival {
        Arrival::Uniform => leaves,
        Arrival::Ascending => 1.0,
        Arrival::Bucketed { keys_per_bucket } => 1.0 + keys_per_bucket / 2.0 / per_leaf,
        Arrival::Delayed { rate_per_s, mean_delay_s } => {
            1.0 + rate_per_s * mean_delay_s / per_leaf * (per_leaf.max(1.0).ln() + EULER)
        }
        Arrival::Wrapping { keys_per_wrap } => leaves * (inserts / keys_per_wrap.max(1.0)).min(1.0),
    };
    random(window.min(leaves).max(f64::MIN_POSITIVE)).clamp(0.0, inserts.min(leaves))
}

/// Images of a tree's pages per insert: leaves, and the pages above those that split.
pub(super) fn images(tree: &Btree, settled: &Settled, arrival: Arrival, interval: Interval) -> f64 {
    let touched = touched_leaves(arrival, interval.keys_at_start, settled, interval.inserts);
    let leaf = INDEX_PAGE_HEADER + IMAGE + tree.leaf_bytes(settled) - tree.tuple as f64;
    let splits = settled.splits_per_insert * interval.inserts;
    let upper = interval.keys_at_start / settled.entries_per_leaf / tree.fan_out();
    let upper_touched = if upper < 1.0 { 0.0 } else { -upper * (-splits.min(touched) / upper).exp_m1() };
    let inner = INDEX_PAGE_HEADER + IMAGE + 0.7 * 8152.0;
    (touched * leaf.max(0.0) + upper_touched * inner) / interval.inserts * PAGE_HEADERS
}

/// The image of the heap page at hand, half full on average, once an interval.
pub(super) fn heap_image(interval: Interval) -> f64 {
    if interval.keys_at_start <= 0.0 { 0.0 } else { PAGE / 2.0 * (1.0 / interval.inserts).min(1.0) }
}

/// Parts of the log that the row itself writes.
pub(super) fn heap_parts(row: &Row, rows_per_transaction: f64, interval: Interval, parts: &mut Vec<Part>) {
    let mut add = |name, bytes: f64, why| add_part(parts, name, Place::Table, bytes, why);
    add("row", heap_insert(row.length), "54 bytes of record and the row less 23 bytes of its header");
    let out_of_line: f64 = row.moved_out.iter().flatten().map(toast_insert).sum();
    add("out of line", out_of_line, "each TOAST chunk is a row and an index entry of its own");
    add("commit", logged(COMMIT) / rows_per_transaction.max(1.0), "34 bytes a transaction, aligned to 8");
    add("page images", heap_image(interval), "the page at hand, once a checkpoint");
}

/// A value's chunks and their index entries.
pub(super) fn toast_insert(toast: &Toast) -> f64 {
    let rows: f64 = toast.row_lengths().iter().map(|&(rows, length)| rows * heap_insert(length)).sum();
    rows + toast.chunks() * leaf_insert(&Btree::over_chunks())
}

/// Parts of the log that a B-tree writes.
pub(super) fn tree_parts(
    tree: &Btree,
    settled: &Settled,
    arrival: Arrival,
    interval: Interval,
    parts: &mut Vec<Part>,
) {
    let mut add = |name, bytes: f64, why| add_part(parts, name, Place::Index, bytes, why);
    add("index entry", leaf_insert(tree), "48 bytes of record and the entry");
    add("splits", splits(tree, settled), "the right half's entries once more, and a pivot in the parent");
    add(
        "page images",
        images(tree, settled, arrival, interval),
        "a page's first change after a checkpoint logs its used part",
    );
}

/// Parts of the log that a hash index writes.
pub(super) fn hash_parts(keys: f64, interval: Interval, parts: &mut Vec<Part>) {
    let mut add = |name, bytes: f64, why| add_part(parts, name, Place::Index, bytes, why);
    let entry = Hash::ENTRY - 4.0;
    add(
        "index entry",
        logged(RECORD + BLOCK + NEXT_BLOCK + DATA + 2.0 + entry),
        "56 bytes of record, meta page included, and the entry",
    );
    // Half of the old bucket goes to the new one, logged as a page image; the old one logs what to delete
    // by 2-byte offsets, and what moves up from its overflow page, half of what did not fit.
    let load = Hash::of(keys).unsplit_load();
    let moved = load / 2.0;
    let squeezed = (load - Hash::PER_PAGE).max(0.0) / 2.0;
    let split =
        4.0 * (RECORD + BLOCK) + INDEX_PAGE_HEADER + moved * (Hash::ENTRY + 2.0) + squeezed * (entry + 2.0);
    add(
        "splits",
        logged(split) / Hash::PER_BUCKET,
        "a new bucket's page as an image, offsets deleted from the old one",
    );
    add(
        "page images",
        hash_images(keys, interval),
        "a page's first change after a checkpoint logs its used part",
    );
}

/// Images of a hash index's pages per insert: an insert changes the last page of a bucket's chain, a
/// split the first one too.
fn hash_images(keys: f64, interval: Interval) -> f64 {
    if interval.keys_at_start <= 0.0 {
        return 0.0;
    }
    let hash = Hash::of(interval.keys_at_start);
    let image = |entries: f64| INDEX_PAGE_HEADER + IMAGE + entries * Hash::ENTRY;
    let load = hash.unsplit_load();
    let overflows = index::overflows(load);
    let excess = (load - Hash::PER_PAGE).max(0.0);
    let touched =
        |buckets: f64| -buckets * (-interval.inserts / hash.buckets * buckets / buckets.max(1.0)).exp_m1();
    let last_page = overflows * image(excess) + (1.0 - overflows) * image(load.min(Hash::PER_PAGE));
    let unsplit = hash.unsplit();
    let split_meanwhile = ((keys - interval.keys_at_start) / Hash::PER_BUCKET).clamp(0.0, unsplit);
    let bytes = touched(hash.buckets - unsplit) * image(load / 2.0)
        + touched(unsplit) * last_page
        + split_meanwhile * overflows * image(Hash::PER_PAGE);
    bytes / interval.inserts * PAGE_HEADERS
}

fn add_part(parts: &mut Vec<Part>, name: &'static str, place: Place, bytes: f64, why: &'static str) {
    if bytes > 0.0 {
        parts.push(Part { name, place, bytes, why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{KeyFormat, Record, RecordKind};

    #[test]
    fn a_bare_row_and_its_entry_log_72_bytes_each() {
        let record = Record::new(RecordKind::Key, 16, KeyFormat::Binary, 0);
        let page_headers = 8192.0 / 8168.0;
        assert_eq!(heap_insert(40), 72.0 * page_headers);
        assert_eq!(leaf_insert(&Btree::over_key(&record).expect("fits")), 72.0 * page_headers);
    }

    #[test]
    fn a_transaction_logs_40_bytes_whatever_its_rows() {
        let record = Record::new(RecordKind::Key, 16, KeyFormat::Binary, 0);
        let row = Row::of(&record, 100).expect("fits");
        let interval = Interval { inserts: 1e6, keys_at_start: 0.0 };
        let commit = |rows| {
            let mut parts = Vec::new();
            heap_parts(&row, rows, interval, &mut parts);
            parts.iter().find(|part| part.name == "commit").map(|part| part.bytes)
        };
        assert_eq!(commit(1.0), Some(40.0 * 8192.0 / 8168.0));
        assert_eq!(commit(10.0), Some(4.0 * 8192.0 / 8168.0));
    }

    #[test]
    fn no_more_leaves_are_touched_than_inserts_or_leaves() {
        let settled = Settled {
            entries_per_leaf: 200.0,
            splits_per_insert: 0.005,
            entries_moved_per_insert: 0.7,
            leaf_writes_per_insert: 1.0,
            inner_writes_per_insert: 0.0,
        };
        for arrival in [
            Arrival::Uniform,
            Arrival::Ascending,
            Arrival::Bucketed { keys_per_bucket: 1e9 },
            Arrival::Wrapping { keys_per_wrap: 1e6 },
        ] {
            for inserts in [1e-4, 1.0, 1e5, 1e20] {
                let touched = touched_leaves(arrival, 1e6, &settled, inserts);
                assert!((0.0..=inserts.min(5000.0)).contains(&touched), "{arrival:?} {inserts} {touched}");
            }
        }
    }
}
