//! Indexes: B-tree geometry, the pages of a hash index, and BRIN.
//!
//! Source: PostgreSQL documentation, "B-Tree Indexes", "Hash Indexes", "BRIN Indexes"; `nbtree.h`,
//! `nbtsplitloc.c`, `hash.h`, `hashpage.c`, `hashovfl.c`.

use super::heap::{PAGE, key, max_align};
use crate::error::{Error, Result};
use crate::store::page::Settled;
use crate::store::page::postgres::{LEAF_BYTES, Split};
use crate::store::record::{Record, Scope};
use crate::store::{Part, Place};

/// Header of an index entry (`IndexTupleData`).
const ENTRY_HEADER: u64 = 8;
pub(super) const LINE_POINTER: u64 = 4;
/// The longest entry: a third of a page (`BTMaxItemSize`).
const LONGEST_ENTRY: u64 = 2704;
/// Share of an inner page that is in use: ascending loads split the rightmost one at
/// `BTREE_NONLEAF_FILLFACTOR` = 70 %, others settle at ln 2.
const INNER_FILL: f64 = 0.7;

/// A B-tree's entries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Btree {
    /// Bytes of the columns, before padding.
    data: u64,
    /// Entry with its header and padding, without line pointer.
    pub(super) tuple: u64,
    /// High keys and pivots: leading columns up to the first in which neighbours differ.
    pub(super) pivot: u64,
}

impl Btree {
    /// The index of the primary key, over the key alone.
    pub(super) fn over_key(record: &Record) -> Result<Btree> {
        Btree::over(record, Scope::None)
    }

    /// A unique index over the owner columns that the record has, and the key.
    pub(super) fn over_scope(record: &Record) -> Result<Btree> {
        Btree::over(record, record.scope)
    }

    fn over(record: &Record, scope: Scope) -> Result<Btree> {
        let mut data = 0u64;
        if scope != Scope::None {
            data += 8;
        }
        if scope == Scope::EndpointAccount {
            data += 2;
        }
        let (bytes, align) = key(record.key_bytes, record.key_format);
        data = data.next_multiple_of(align) + bytes;
        // Suffix truncation leaves the account alone where neighbours differ in it.
        let btree = Btree::of(data, if scope == Scope::None { data } else { 8 });
        if btree.tuple > LONGEST_ENTRY {
            return Err(Error::value(
                "the key's length",
                &record.key_bytes.to_string(),
                "short enough for an entry of a PostgreSQL B-tree, 2704 bytes",
                "a hash of the key, 32 bytes",
            ));
        }
        Ok(btree)
    }

    /// An index over `created_at`.
    pub(super) fn over_created() -> Btree {
        Btree::of(8, 8)
    }

    /// The index of a TOAST table: chunk id and sequence number.
    pub(super) fn over_chunks() -> Btree {
        Btree::of(8, 8)
    }

    fn of(data: u64, pivot: u64) -> Btree {
        Btree { data, tuple: max_align(ENTRY_HEADER + data), pivot: max_align(ENTRY_HEADER + pivot) }
    }

    /// Two versions of a key deduplicated into one entry: two row pointers of 6 bytes follow the key.
    pub(super) fn of_two_versions(&self) -> Btree {
        Btree { tuple: self.tuple + max_align(2 * 6), ..*self }
    }

    /// Bytes of an entry on a leaf, line pointer included.
    pub(super) fn entry(&self) -> f64 {
        (self.tuple + LINE_POINTER) as f64
    }

    /// How leaves of this index split. Lengths are at most [`LONGEST_ENTRY`].
    pub(super) fn split(&self, fill_factor_percent: u32) -> Split {
        let [entry, high_key] =
            [self.tuple, self.pivot].map(|bytes| (bytes.min(LONGEST_ENTRY) + LINE_POINTER) as u32);
        Split::new(entry, high_key, fill_factor_percent)
    }

    /// Leaves under one inner page.
    pub(super) fn fan_out(&self) -> f64 {
        (INNER_FILL * f64::from(LEAF_BYTES) / (self.pivot + LINE_POINTER) as f64).max(2.0)
    }

    /// Inner pages and the meta page above so many leaves.
    pub(super) fn upper_pages(&self, leaves: f64) -> f64 {
        let (mut level, mut pages, per_page) = (leaves, 1.0, 1.0 / self.fan_out());
        while level > 1.0 {
            level = (level * per_page).max(1.0);
            pages += level;
        }
        pages
    }

    /// Share of a leaf that entries and the high key take.
    pub(super) fn leaf_fill(&self, settled: &Settled) -> f64 {
        self.leaf_bytes(settled) / f64::from(LEAF_BYTES)
    }

    /// Bytes of a leaf that entries and the high key take.
    pub(super) fn leaf_bytes(&self, settled: &Settled) -> f64 {
        (settled.entries_per_leaf * self.entry() + self.high_key(settled)).min(f64::from(LEAF_BYTES))
    }

    fn high_key(&self, settled: &Settled) -> f64 {
        // A single leaf is the rightmost and has none.
        if settled.splits_per_insert > 0.0 { (self.pivot + LINE_POINTER) as f64 } else { 0.0 }
    }

    /// All pages of the index.
    pub(super) fn pages(&self, keys: f64, settled: &Settled) -> f64 {
        let leaves = leaves(keys, settled);
        leaves + self.upper_pages(leaves)
    }

    /// The parts of the bytes that a key takes in this index.
    pub(super) fn parts(&self, keys: f64, settled: &Settled, parts: &mut Vec<Part>) {
        let leaves = leaves(keys, settled);
        let per_leaf = keys / leaves;
        let (high_key, entry) = (self.high_key(settled) / per_leaf, self.entry());
        let headers = (PAGE - f64::from(LEAF_BYTES)) / per_leaf;
        let mut add = |name, bytes: f64, why| {
            if bytes > 0.0 {
                parts.push(Part { name, place: Place::Index, bytes, why });
            }
        };
        add("key", self.data as f64, "the indexed columns once more");
        add(
            "index entry",
            entry - self.data as f64,
            "8-byte entry header, padding to 8, 4-byte line pointer",
        );
        add("page header", headers + high_key, "24 bytes of header and 16 of links a leaf, and its high key");
        add(
            "leaf fill",
            PAGE / per_leaf - entry - headers - high_key,
            "free space that splits leave, from the page model of the key's order",
        );
        add(
            "inner pages",
            PAGE * self.upper_pages(leaves) / keys,
            "pages above the leaves, about 70 % full, and the meta page",
        );
    }
}

/// The index on `created_at` as one part of so many bytes a key.
pub(super) fn created_part(bytes: f64) -> Part {
    let why = "entries of 8-byte header, 8-byte value and line pointer, ascending: leaves 90 % full";
    Part { name: "index on created_at", place: Place::Index, bytes, why }
}

/// Leaves of an index; the first is there from the first key on.
pub(super) fn leaves(keys: f64, settled: &Settled) -> f64 {
    (keys / settled.entries_per_leaf).max(1.0)
}

/// A hash index of so many keys, loaded one by one: linear hashing, buckets split one at a time once
/// the mean load exceeds [`Hash::PER_BUCKET`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Hash {
    /// Buckets in use.
    pub(super) buckets: f64,
    /// Buckets at the last doubling: the loads of split and unsplit buckets follow from it.
    pub(super) before_doubling: f64,
    /// Pages allocated: buckets by the phase of a doubling, overflow pages at their highest, and meta
    /// and bitmap page. None is ever given back.
    pub(super) pages: f64,
    keys: f64,
}

impl Hash {
    /// Entry of 8 bytes of header and 8 of hash code, and line pointer.
    pub(super) const ENTRY: f64 = 20.0;
    /// Mean entries of a bucket before another is added: 75 % of 8192 bytes (`HASH_DEFAULT_FILLFACTOR`).
    pub(super) const PER_BUCKET: f64 = 307.0;
    /// Entries on a page: 8152 / 20.
    pub(super) const PER_PAGE: f64 = 407.0;
    /// A doubling from this many buckets on allocates its pages in four phases.
    const PHASED_FROM: f64 = 512.0;

    pub(super) fn of(keys: f64) -> Hash {
        let buckets = (keys / Self::PER_BUCKET).ceil().max(2.0);
        let before_doubling = (buckets.log2().ceil() - 1.0).max(0.0).exp2();
        let step = if before_doubling >= Self::PHASED_FROM { before_doubling / 4.0 } else { before_doubling };
        let allocated = before_doubling + ((buckets - before_doubling) / step).ceil() * step;
        // The doubling that ended, or the one under way, whichever needed more overflow pages.
        let earlier = overflow_high(before_doubling / 2.0, before_doubling * Self::PER_BUCKET);
        let overflow = overflow_high(before_doubling, keys).max(earlier);
        Hash { buckets, before_doubling, pages: allocated + overflow + 2.0, keys }
    }

    /// Mean entries of a bucket that has not been split in this doubling.
    pub(super) fn unsplit_load(&self) -> f64 {
        self.keys / self.before_doubling
    }

    /// Buckets not split in this doubling.
    pub(super) fn unsplit(&self) -> f64 {
        (2.0 * self.before_doubling - self.buckets).max(0.0)
    }

    /// Share of the pages' entry space in use.
    pub(super) fn fill(&self) -> f64 {
        (self.keys * Self::ENTRY / (self.pages * f64::from(LEAF_BYTES))).min(1.0)
    }

    pub(super) fn parts(&self, parts: &mut Vec<Part>) {
        let total = PAGE * self.pages / self.keys;
        let headers = (PAGE - f64::from(LEAF_BYTES)) * self.pages / self.keys;
        let mut add = |name, bytes: f64, why| parts.push(Part { name, place: Place::Index, bytes, why });
        add(
            "index entry",
            Self::ENTRY,
            "8-byte entry header, 8 with the hash code, 4-byte line pointer; the key itself is not kept",
        );
        add("page header", headers, "24 bytes of header and 16 of links a page");
        add(
            "leaf fill",
            (total - Self::ENTRY - headers).max(0.0),
            "buckets 75 % full on average, allocated a quarter of a doubling ahead, and overflow pages never given back",
        );
    }
}

/// The most overflow pages at once while buckets grow from `before` towards twice as many, up to a
/// number of keys. A bucket's load is Poisson; only unsplit ones reach beyond one page.
fn overflow_high(before: f64, keys: f64) -> f64 {
    const STEPS: u32 = 64;
    if before < 1.0 {
        return 0.0;
    }
    (1..=STEPS)
        .map(|step| before * Hash::PER_BUCKET * (1.0 + f64::from(step) / f64::from(STEPS)))
        .filter(|&at| at <= keys)
        .map(|at| {
            let unsplit = 2.0 * before - at / Hash::PER_BUCKET;
            let split = 2.0 * before - 2.0 * unsplit;
            unsplit.max(0.0) * overflows(at / before) + split.max(0.0) * overflows(at / before / 2.0)
        })
        .fold(0.0, f64::max)
}

/// Probability that a bucket of a mean load does not fit on its page: the normal approximation of the
/// Poisson tail with continuity correction, error under 0.01 at these loads.
pub(super) fn overflows(load: f64) -> f64 {
    let z = (Hash::PER_PAGE + 0.5 - load) / load.sqrt();
    // Logistic approximation of the normal tail, error under 0.0002 (Bowling et al. 2009).
    1.0 / (1.0 + (1.5976 * z + 0.070_565_992 * z * z * z).exp())
}

/// A BRIN index over `created_at`: meta page, range map, one page of summaries and the least free space
/// map, and a summary of 28 bytes for every 128 heap pages.
pub(super) fn brin_part(keys: f64, heap_pages: f64) -> Part {
    let pages = 5.0 + (heap_pages / 128.0 * 28.0 / 8152.0).ceil();
    let why = "one summary for every 128 heap pages, and three pages of free space map";
    Part { name: "brin on created_at", place: Place::Index, bytes: PAGE * pages / keys, why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{KeyFormat, RecordKind};

    #[test]
    fn entries_are_padded_to_eight() {
        let full = Record::new(RecordKind::Full, 16, KeyFormat::Binary, 0);
        let text = Record::new(RecordKind::Full, 36, KeyFormat::Text, 0);
        assert_eq!(Btree::over_key(&full).expect("fits").entry(), 28.0);
        assert_eq!(Btree::over_key(&text).expect("fits").entry(), 52.0);
        assert_eq!(Btree::over_scope(&full).expect("fits").entry(), 44.0);
        assert_eq!(Btree::over_created().entry(), 20.0);
    }

    #[test]
    fn a_key_over_a_third_of_a_page_is_refused() {
        let record = |bytes| Record::new(RecordKind::Key, bytes, KeyFormat::Text, 0);
        assert!(Btree::over_key(&record(2692)).is_ok());
        assert!(Btree::over_key(&record(2693)).is_err_and(|e| e.is_usage()));
    }

    #[test]
    fn a_hash_index_keeps_the_pages_of_its_fullest_moment() {
        // 1 M keys: 3258 buckets, allocated to 3584; some 1,090 overflow pages were needed at 890 k.
        let hash = Hash::of(1e6);
        assert_eq!(hash.buckets, 3258.0);
        assert!((hash.pages - 2.0 - 3584.0 - 1095.0).abs() < 15.0, "{hash:?}");
    }

    #[test]
    fn tail_of_the_load_is_close_to_poisson() {
        // Exact: P(X > 407) for means 407 and 430, summed in double precision.
        let exact = |mean: f64| {
            let (mut term, mut below) = ((-mean).exp(), 0.0);
            for k in 0..=407u32 {
                below += term;
                term *= mean / f64::from(k + 1);
            }
            1.0 - below
        };
        for mean in [380.0, 407.0, 430.0, 460.0] {
            assert!((overflows(mean) - exact(mean)).abs() < 0.01, "{mean}");
        }
    }
}
