//! InnoDB's rule for adding a record to a leaf and for splitting a full one (`btr0cur.cc`,
//! `btr_cur_optimistic_insert`; `btr0btr.cc`, `btr_page_split_and_insert`).
//!
//! Each page remembers its last insert. A full page is split at the insertion point where the new
//! record lands right after or right before that one (the page is then taken to be filled in order),
//! and in the middle otherwise. The clustered index keeps 1/16 of a page free for updates: once that
//! share is reached, an insert that looks ordered splits the page although the record would fit. In an
//! ordered load that gives the documented fill of 15/16; in a random one it now and then splits a page
//! early, at a random place.
//!
//! Records that a split moves away leave garbage behind. A page with garbage is split once less than
//! 1/32 of it would be free after a reorganisation; a fresh one is filled to the end.

mod expected;

pub(super) use expected::{Growth, limit};

use super::Leaves;

/// Bytes of a page.
pub const PAGE_BYTES: u32 = 16384;
/// Bytes of an empty page for records and directory: 16384 less 38 of FIL header, 56 of page header,
/// 26 of infimum and supremum, 4 of their directory slots and 8 of trailer
/// (`page_get_free_space_of_empty`).
pub const ROOM_BYTES: u32 = PAGE_BYTES - PAGE_HEADER_BYTES;
/// What a page spends on them.
pub const PAGE_HEADER_BYTES: u32 = 38 + 56 + 26 + 4 + 8;
/// Geometry of a leaf and whether the index is clustered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Split {
    page_bytes: u32,
    record_bytes: u32,
    clustered: bool,
    /// Records up to which a page takes another one without further question.
    roomy: u32,
}

/// Where a full page is divided.
struct Cut {
    /// Old records that stay on, or go to, the left page.
    left: u32,
    /// Whether the new record goes to the left page.
    new_left: bool,
    /// Whether the left page is the new one, so that the right one keeps the garbage.
    down: bool,
}

impl Split {
    /// The rule for records of so many bytes, header included. A record takes at most half a page: what
    /// is longer has its long columns stored elsewhere.
    pub fn new(record_bytes: u32, clustered: bool) -> Self {
        Self::on_page(PAGE_BYTES, record_bytes, clustered)
    }

    /// The same on pages of another size (`innodb_page_size`), at least 1 KiB.
    pub fn on_page(page_bytes: u32, record_bytes: u32, clustered: bool) -> Self {
        let page_bytes = page_bytes.max(1024);
        let record_bytes = record_bytes.clamp(6, (page_bytes - PAGE_HEADER_BYTES) / 2 - 1);
        let mut split = Split { page_bytes, record_bytes, clustered, roomy: 0 };
        split.roomy = split.most_leaving(split.reserve_bytes() + record_bytes);
        split
    }

    /// Bytes of an empty page for records and directory.
    fn room_bytes(&self) -> u32 {
        self.page_bytes - PAGE_HEADER_BYTES
    }

    /// What an ordered load of a clustered index leaves free (`dict_index_get_space_reserve`).
    fn reserve_bytes(&self) -> u32 {
        self.page_bytes / 16
    }

    /// Below this much free space a page is not reorganised but split (`BTR_CUR_PAGE_REORGANIZE_LIMIT`).
    fn reorganize_bytes(&self) -> u32 {
        self.page_bytes / 32
    }

    /// Records up to which a page takes another one without further question.
    pub(super) fn roomy(&self) -> u32 {
        self.roomy
    }

    /// Records that a leaf holds at most.
    pub fn capacity(&self) -> u32 {
        self.most_leaving(self.record_bytes) + 1
    }

    /// Records that an ascending load leaves on each leaf: a page is left behind when the next record
    /// would eat into the reserve (clustered) or does not fit.
    pub fn ascending(&self) -> u32 {
        if self.clustered { (self.roomy + 1).max(2) } else { self.capacity() }
    }

    /// The most records beside which so many bytes are free.
    fn most_leaving(&self, bytes: u32) -> u32 {
        // A record takes its bytes and half a directory entry; the rounding is at most one record off.
        let estimate = 2 * self.room_bytes().saturating_sub(bytes) / (2 * self.record_bytes + 1);
        (0..=estimate).rev().find(|&n| self.free_beside(n) >= bytes).unwrap_or(0)
    }

    /// Bytes left for one more record beside `n`, its share of the page directory taken off: one slot of
    /// 2 bytes for at most 4 records (`page_get_max_insert_size`).
    fn free_beside(&self, n: u32) -> u32 {
        let directory = (2 * (n + 1)).div_ceil(4);
        self.room_bytes().saturating_sub(n * self.record_bytes + directory)
    }

    /// Puts one record on a leaf, splitting it where it is full.
    pub fn insert(&self, leaves: &mut Leaves, leaf: usize, position: u32) {
        if leaves.heap.len() != leaves.counts.len() {
            leaves.heap = leaves.counts.clone();
        }
        if leaves.counts[leaf] <= self.roomy || self.fits(leaves, leaf, position) {
            return place(leaves, leaf, position);
        }
        let at_end = position == leaves.counts[leaf];
        if at_end && !leaves.is_rightmost(leaf) && self.fits_untouched(leaves, leaf + 1) {
            return place(leaves, leaf + 1, 0);
        }
        self.split(leaves, leaf, position);
    }

    /// Whether the optimistic insert takes the record.
    fn fits(&self, leaves: &Leaves, leaf: usize, position: u32) -> bool {
        let n = leaves.counts[leaf];
        let free = self.free_beside(n);
        let enough = if leaves.heap[leaf] > n {
            free >= self.record_bytes.max(self.reorganize_bytes())
                || n <= 1
                || self.free_beside(leaves.heap[leaf]) >= self.record_bytes
        } else {
            free >= self.record_bytes
        };
        let reserve_reached = self.clustered && n >= 2 && self.reserve_bytes() + self.record_bytes > free;
        enough
            && !(reserve_reached
                && (follows_last(leaves, leaf, position) || precedes_last(leaves, leaf, position)))
    }

    /// Whether a record fits without a reorganisation: in place of a removed one or at the heap's end.
    fn fits_untouched(&self, leaves: &Leaves, leaf: usize) -> bool {
        let heap = leaves.heap[leaf];
        heap > leaves.counts[leaf] || self.free_beside(heap) >= self.record_bytes
    }

    fn split(&self, leaves: &mut Leaves, leaf: usize, position: u32) {
        let n = leaves.counts[leaf];
        if leaves.counts.len() == 1 {
            // The root's records are first copied to a page below it, and that one is split.
            leaves.last_insert[leaf] = n - 1;
            leaves.heap[leaf] = n;
        }
        let (last, heap) = (leaves.last_insert[leaf], leaves.heap[leaf]);
        let cut = cut(leaves, leaf, position);
        let (left, right) = (cut.left + u32::from(cut.new_left), n - cut.left + u32::from(!cut.new_left));
        let moved = if cut.down { cut.left } else { n - cut.left };
        leaves.split(leaf, left, right, moved);
        leaves.heap.insert(leaf + 1, right);
        let (old, new) = if cut.down { (leaf + 1, leaf) } else { (leaf, leaf + 1) };
        leaves.heap[old] = heap.max(leaves.counts[old]);
        leaves.heap[new] = leaves.counts[new];
        if moved == 0 {
            leaves.last_insert[old] = last;
        } else {
            // Moved one by one, the last of them last; the page that they leave forgets its last insert.
            leaves.last_insert[new] = moved - 1;
        }
        let (target, at) = if cut.new_left { (leaf, position) } else { (leaf + 1, position - cut.left) };
        leaves.last_insert[target] = at;
    }
}

/// Adds a record to a leaf: into the garbage where there is some, else at the heap's end.
fn place(leaves: &mut Leaves, leaf: usize, position: u32) {
    leaves.add(leaf, position);
    leaves.heap[leaf] = leaves.heap[leaf].max(leaves.counts[leaf]);
}

fn follows_last(leaves: &Leaves, leaf: usize, position: u32) -> bool {
    position > 0 && leaves.last_insert[leaf] == position - 1
}

fn precedes_last(leaves: &Leaves, leaf: usize, position: u32) -> bool {
    leaves.last_insert[leaf] == position
}

/// The split record: `btr_page_get_split_rec_to_right`, `btr_page_get_split_rec_to_left`,
/// `page_get_middle_rec`.
fn cut(leaves: &Leaves, leaf: usize, position: u32) -> Cut {
    let n = leaves.counts[leaf];
    if follows_last(leaves, leaf, position) {
        if n - position < 2 {
            return Cut { left: position, new_left: false, down: false };
        }
        return Cut { left: position + 1, new_left: true, down: false };
    }
    if precedes_last(leaves, leaf, position) {
        let new_left = position < 2;
        return Cut { left: if new_left { position } else { position - 1 }, new_left, down: true };
    }
    let left = if n > 1 { n / 2 } else { u32::from(position > 0) };
    Cut { left, new_left: position <= left && n > 1 || n == 1 && position == 0, down: false }
}

#[cfg(test)]
mod tests {
    use super::super::{Arrival, Rule, grow};
    use super::*;

    #[test]
    fn a_secondary_index_fills_to_the_end_and_a_clustered_one_to_fifteen_sixteenths() {
        let (secondary, clustered) = (Split::new(34, false), Split::new(34, true));
        assert_eq!((secondary.capacity(), secondary.ascending()), (471, 471));
        assert_eq!((clustered.capacity(), clustered.ascending()), (471, 441));
        for split in [secondary, clustered] {
            let settled = grow(Rule::Innodb(split), Arrival::Ascending, 1_000_000);
            let expected = f64::from(split.ascending());
            assert!((settled.entries_per_leaf / expected - 1.0).abs() < 1e-3, "{settled:?} {expected}");
        }
    }

    #[test]
    fn rows_of_361_bytes_load_42_to_a_page_in_order() {
        assert_eq!(Split::new(361, true).ascending(), 42);
    }

    #[test]
    fn an_insert_after_the_last_one_keeps_one_record_beyond_it() {
        let mut leaves = full(471, 100);
        Split::new(34, false).insert(&mut leaves, 0, 101);
        assert_eq!(leaves.counts, [103, 369, 9]);
        assert_eq!(leaves.last_insert[0], 101);
    }

    #[test]
    fn an_insert_before_the_last_one_takes_its_predecessor_along() {
        let mut leaves = full(471, 100);
        Split::new(34, false).insert(&mut leaves, 0, 100);
        assert_eq!(leaves.counts, [99, 373, 9]);
        assert_eq!(leaves.heap, [99, 471, 9]);
    }

    #[test]
    fn an_insert_elsewhere_halves_the_page() {
        let mut leaves = full(471, 100);
        Split::new(34, false).insert(&mut leaves, 0, 300);
        assert_eq!(leaves.counts, [235, 237, 9]);
    }

    #[test]
    fn a_record_past_the_end_of_a_full_page_goes_to_the_next() {
        let mut leaves = full(471, 100);
        Split::new(34, false).insert(&mut leaves, 0, 471);
        assert_eq!(leaves.counts, [471, 10]);
    }

    #[test]
    fn a_page_with_garbage_is_split_before_it_is_full() {
        let mut leaves = full(471, 100);
        leaves.counts[0] = 457;
        Split::new(34, false).insert(&mut leaves, 0, 300);
        assert_eq!(leaves.counts.len(), 3, "512 bytes and less are not reorganised");
        let mut leaves = full(471, 100);
        leaves.counts[0] = 456;
        Split::new(34, false).insert(&mut leaves, 0, 300);
        assert_eq!(leaves.counts, [457, 9]);
    }

    #[test]
    fn the_longest_and_the_shortest_records_load_in_any_order() {
        for bytes in [0, 6, 2000, 8100, u32::MAX] {
            for arrival in [Arrival::Uniform, Arrival::Ascending, Arrival::Bucketed { keys_per_bucket: 7.0 }]
            {
                let split = Split::new(bytes, true);
                let settled = grow(Rule::Innodb(split), arrival, 20_000);
                assert!(settled.entries_per_leaf <= f64::from(split.capacity()), "{bytes} {settled:?}");
            }
        }
    }

    /// A full page whose last insert is known, and a next one with room.
    fn full(count: u32, last: u32) -> Leaves {
        let mut leaves = Leaves::of(vec![count, 9]);
        leaves.last_insert[0] = last;
        leaves.heap = leaves.counts.clone();
        leaves
    }
}
