//! SQLite's rule for an overfull page of an index b-tree (`btree.c`, `balance_nonroot`).
//!
//! A page that overflows is taken together with its neighbours, at most three pages under one parent.
//! Their cells are packed to the left into as few pages as hold them, then shifted to the right, pair by
//! pair from the end, until each pair is even. A page is added only where three full ones are met, so
//! random inserts leave leaves some 90 % full, and ascending ones, for which the last pair is always
//! half full, some 87 %.
//!
//! An index b-tree keeps an entry between each two leaves in their parent: here the count of a leaf
//! includes the entry that follows it, save on the last. Parents fill and balance by the same rule, and
//! as a balance never reaches beyond one parent, they are kept: `Leaves::above[0]` holds the number of
//! leaves of each, `above[1]` the number of parents under each grandparent, and so on to the root.

use super::{Leaves, Tally};
use std::ops::Range;

/// Bytes of a page, by default.
pub const PAGE_BYTES: u32 = 4096;
/// Header of a leaf.
pub const LEAF_HEADER_BYTES: u32 = 8;
/// Header of an interior page, which names its rightmost child.
pub const INTERIOR_HEADER_BYTES: u32 = 12;
/// Bytes that cells and their pointers may take on a leaf of 4096 bytes: less 8 of header.
pub const LEAF_BYTES: u32 = PAGE_BYTES - LEAF_HEADER_BYTES;
/// The same on an interior page, whose header has 4 more for the rightmost child.
pub const INTERIOR_BYTES: u32 = PAGE_BYTES - INTERIOR_HEADER_BYTES;
/// What a cell is longer by on an interior page: the number of the child to its left.
pub const CHILD_BYTES: u32 = 4;

/// Geometry in cells of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Balance {
    /// Cells that a leaf holds.
    leaf: u32,
    /// Cells that an interior page holds; it has one child more.
    interior: u32,
    /// Cells of the leaves below, where this is the rule for the pages above leaves.
    below: Option<u32>,
}

/// Pages of one level that are balanced together.
struct Siblings {
    /// The node above them.
    parent: usize,
    /// The first of them, in its level.
    first: usize,
    /// How many they are.
    count: usize,
}

impl Balance {
    /// The rule for cells of so many bytes on a leaf in the mean, their 2-byte pointers included. SQLite
    /// spills what is longer, so that at least three cells fit on a page.
    pub fn new(cell_bytes: f64) -> Self {
        Self::on_page(PAGE_BYTES, cell_bytes)
    }

    /// The same on pages of another size (`PRAGMA page_size`), at least 512 bytes.
    pub fn on_page(page_bytes: u32, cell_bytes: f64) -> Self {
        let page_bytes = page_bytes.max(512);
        let room = f64::from(page_bytes - LEAF_HEADER_BYTES);
        let cell = cell_bytes.clamp(4.0, room / 3.0);
        let interior = f64::from(page_bytes - INTERIOR_HEADER_BYTES) / (cell + f64::from(CHILD_BYTES));
        Balance { leaf: (room / cell) as u32, interior: (interior as u32).max(3), below: None }
    }

    /// The rule for interior pages of a table b-tree, which hold no entries: room and cells as given.
    pub fn of_pages(room_bytes: u32, cell_bytes: f64) -> Self {
        let cells = ((f64::from(room_bytes) / cell_bytes.max(4.0)) as u32).max(3);
        Balance { leaf: cells, interior: cells, below: None }
    }

    /// The rule for the interior pages above such leaves, each leaf taken for one entry: an interior page
    /// has one child more than cells, as the entry that follows a page lies above it here too.
    #[must_use]
    pub fn above(self) -> Self {
        Balance { leaf: self.interior, interior: self.interior, below: Some(self.leaf) }
    }

    /// The rule for the leaves below the pages that this one is for. An entry is but 4 bytes longer above
    /// than below, so that both levels fill alike: 0.906 of 194 cells, 0.892 of 40, 0.875 of 10.
    pub(super) fn below(&self) -> Option<Balance> {
        self.below.map(|leaf| Balance { leaf, interior: self.interior, below: None })
    }

    /// Cells that a leaf holds at most.
    pub fn capacity(&self) -> u32 {
        self.leaf
    }

    /// Puts one entry on a leaf; where it overflows, balances it with its neighbours.
    pub fn insert(&self, leaves: &mut Leaves, leaf: usize, position: u32) {
        self.prepare(leaves);
        // What follows the entry in the parent lies on the next leaf.
        let beyond = position == leaves.counts[leaf] && !leaves.is_rightmost(leaf);
        let leaf = leaf + usize::from(beyond);
        leaves.counts[leaf] += 1;
        leaves.tally.leaf_writes += 1;
        if leaf_cells(leaves, leaf) > self.leaf {
            self.balance_leaf(leaves, leaf);
        }
    }

    /// Parents for leaves that came without: as many children each as ascending loads give.
    fn prepare(&self, leaves: &mut Leaves) {
        if !leaves.above.is_empty() || leaves.counts.len() == 1 {
            return;
        }
        let usual = (self.interior as usize + 1) * 7 / 8;
        let mut nodes = leaves.counts.len();
        while nodes > 1 {
            let parents = nodes.div_ceil(usual.max(2));
            let level =
                (0..parents).map(|i| (nodes * (i + 1) / parents - nodes * i / parents) as u32).collect();
            leaves.above.push(level);
            nodes = parents;
        }
    }

    fn balance_leaf(&self, leaves: &mut Leaves, leaf: usize) {
        if leaves.above.is_empty() {
            leaves.above.push(vec![1]);
        }
        let group = siblings(&leaves.above[0], leaf);
        let range = group.first..group.first + group.count;
        let last = range.end == leaves.counts.len();
        let mut before = Pages::default();
        range.clone().for_each(|i| before.push(leaf_cells(leaves, i)));
        let total = before.cells().iter().sum::<u32>() + group.count as u32 - 1;
        let mut after = packed(total, self.leaf);
        leaves.tally.entries_moved += moved(&before, &after);
        let pages = after.count;
        // The leaf itself was counted when the entry was put on it.
        leaves.tally.leaf_writes += pages as u64 - 1;
        leaves.tally.splits += pages.saturating_sub(group.count) as u64;
        let dividers = pages - usize::from(last);
        after.cells[..dividers].iter_mut().for_each(|cells| *cells += 1);
        replace(&mut leaves.counts, range, after.cells());
        leaves.last_insert.resize(leaves.counts.len(), u32::MAX);
        leaves.above[0][group.parent] += pages as u32;
        leaves.above[0][group.parent] -= group.count as u32;
        self.balance_parents(leaves, group.parent);
    }

    /// Balances the parent where it overflowed, and so on upwards.
    fn balance_parents(&self, leaves: &mut Leaves, mut node: usize) {
        let mut level = 0;
        loop {
            write_inner(&mut leaves.tally, 1);
            if leaves.above[level][node] - 1 <= self.interior {
                return;
            }
            if level + 1 == leaves.above.len() {
                leaves.above.push(vec![1]);
            }
            let group = siblings(&leaves.above[level + 1], node);
            let range = group.first..group.first + group.count;
            let total = leaves.above[level][range.clone()].iter().sum::<u32>() - 1;
            let mut after = packed(total, self.interior);
            after.cells[..after.count].iter_mut().for_each(|cells| *cells += 1);
            let pages = after.count;
            // The overflowing node was counted above.
            write_inner(&mut leaves.tally, pages as u64 - 1);
            replace(&mut leaves.above[level], range, after.cells());
            leaves.above[level + 1][group.parent] += pages as u32;
            leaves.above[level + 1][group.parent] -= group.count as u32;
            (level, node) = (level + 1, group.parent);
        }
    }
}

fn write_inner(tally: &mut Tally, pages: u64) {
    tally.inner_writes += pages;
}

/// Cells on a leaf: its entries less the one in the parent.
fn leaf_cells(leaves: &Leaves, leaf: usize) -> u32 {
    leaves.counts[leaf] - u32::from(!leaves.is_rightmost(leaf))
}

/// The node and its neighbours: one on each side, two on one side at an end, all where there are fewer.
fn siblings(parents: &[u32], node: usize) -> Siblings {
    let (parent, start) = parent_of(parents, node);
    let children = parents[parent] as usize;
    let index = node - start;
    let first = if children <= 3 { 0 } else { index.saturating_sub(1).min(children - 3) };
    Siblings { parent, first: start + first, count: children.min(3) }
}

/// The parent of a node and the first of its children, sought from the nearer end.
fn parent_of(parents: &[u32], node: usize) -> (usize, usize) {
    let usual = parents[0].max(1) as usize;
    if node / usual < parents.len() / 2 {
        let mut start = 0;
        for (parent, &children) in parents.iter().enumerate() {
            if node < start + children as usize {
                return (parent, start);
            }
            start += children as usize;
        }
    }
    let mut start: usize = parents.iter().map(|&children| children as usize).sum();
    for (parent, &children) in parents.iter().enumerate().rev() {
        start -= children as usize;
        if node >= start {
            return (parent, start);
        }
    }
    (0, 0)
}

/// Cells of the pages that a balance takes or makes: three full pages and an entry fill four.
#[derive(Debug, Clone, Copy, Default)]
struct Pages {
    cells: [u32; 5],
    count: usize,
}

impl Pages {
    fn push(&mut self, cells: u32) {
        self.cells[self.count] = cells;
        self.count += 1;
    }

    fn cells(&self) -> &[u32] {
        &self.cells[..self.count]
    }
}

/// Puts pages in the place of others; mostly as many.
fn replace(level: &mut Vec<u32>, range: Range<usize>, pages: &[u32]) {
    if range.len() == pages.len() {
        level[range].copy_from_slice(pages);
    } else {
        level.splice(range, pages.iter().copied());
    }
}

/// Cells per page when so many, dividers between the pages included, are packed onto pages of a capacity.
fn packed(total: u32, capacity: u32) -> Pages {
    let pages = (total + 1).div_ceil(capacity + 1);
    let mut packed = Pages::default();
    (1..pages).for_each(|_| packed.push(capacity));
    packed.push(total - (pages - 1) * (capacity + 1));
    let cells = &mut packed.cells;
    for right in (1..packed.count).rev() {
        let both = cells[right - 1] + cells[right];
        if cells[right] + 1 < cells[right - 1] {
            (cells[right - 1], cells[right]) = (both.div_ceil(2), both / 2);
        }
    }
    packed
}

/// Cells that end up on another page than before.
fn moved(before: &Pages, after: &Pages) -> u64 {
    let (mut ends, mut sum) = ((0, 0), 0);
    for (&a, &b) in before.cells().iter().zip(after.cells()) {
        ends = (ends.0 + a + 1, ends.1 + b + 1);
        sum += u64::from(ends.0.abs_diff(ends.1));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::{Arrival, Rule, Settled, grow};
    use super::*;

    fn grown(cell_bytes: f64, arrival: Arrival, keys: u64) -> Settled {
        grow(Rule::Sqlite(Balance::new(cell_bytes)), arrival, keys)
    }

    #[test]
    fn three_full_leaves_become_four_even_from_the_right() {
        assert_eq!(packed(3 * 194 + 1 + 2, 194).cells(), [170, 170, 145, 97]);
    }

    #[test]
    fn what_fits_on_fewer_pages_is_packed_onto_fewer() {
        assert_eq!(packed(195, 194).cells(), [97, 97]);
        assert_eq!(packed(194, 194).cells(), [194]);
        assert_eq!(packed(390, 194).cells(), [146, 145, 97]);
    }

    #[test]
    fn a_balance_stays_under_one_parent() {
        let group = siblings(&[5, 2, 9], 4);
        assert_eq!((group.parent, group.first, group.count), (0, 2, 3));
        let group = siblings(&[5, 2, 9], 5);
        assert_eq!((group.parent, group.first, group.count), (1, 5, 2));
        let group = siblings(&[5, 2, 9], 15);
        assert_eq!((group.parent, group.first, group.count), (2, 13, 3));
    }

    #[test]
    fn no_entry_is_lost_and_every_leaf_has_a_parent() {
        for arrival in [Arrival::Uniform, Arrival::Ascending, Arrival::Bucketed { keys_per_bucket: 50.0 }] {
            let rule = Balance::new(497.0);
            let mut leaves = Leaves::new();
            let mut x = 1_u64;
            for _ in 0..20_000 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let last = leaves.counts.len() - 1;
                let leaf = if arrival == Arrival::Uniform { (x >> 33) as usize % (last + 1) } else { last };
                let middle = leaves.counts[leaf] / 2;
                rule.insert(&mut leaves, leaf, middle);
            }
            assert_eq!(leaves.entries(), 20_000);
            let mut below = leaves.counts.len() as u32;
            for level in &leaves.above {
                assert_eq!(level.iter().sum::<u32>(), below);
                assert!(level.iter().all(|&children| children <= rule.interior + 1));
                below = level.len() as u32;
            }
            assert_eq!(below, 1);
            assert!((0..leaves.counts.len()).all(|i| leaf_cells(&leaves, i) <= rule.leaf));
        }
    }

    #[test]
    fn ascending_loads_leave_seven_eighths() {
        let settled = grown(21.0, Arrival::Ascending, 2_000_000);
        assert!((2e6 / settled.entries_per_leaf - 11_696.0).abs() < 2.0, "{settled:?}");
    }

    #[test]
    fn leaves_that_come_without_parents_are_given_some() {
        let mut leaves = Leaves::of(vec![150; 5000]);
        Balance::new(21.0).insert(&mut leaves, 17, 3);
        assert_eq!(leaves.above.len(), 2);
        assert_eq!(leaves.above[0].iter().sum::<u32>(), 5000);
        assert_eq!(leaves.above[1].len(), 1);
    }
}
