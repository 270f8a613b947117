//! PostgreSQL's rule for splitting a leaf of a B-tree (`nbtsplitloc.c`, version 13 and later).
//!
//! A full leaf that is not the rightmost is split so that both halves have the same free space; the
//! rightmost so that the left one is filled to the index's fill factor (90 %), because what follows it
//! will most likely be ascending too. Every leaf but the rightmost carries a high key.

use super::Leaves;

/// Bytes of a leaf page that line pointers and entries may take: 8192 − 24 of header − 16 of `BTPageOpaque`.
pub const LEAF_BYTES: u32 = 8192 - PAGE_HEADER_BYTES;
/// Header of a page, 24, and `BTPageOpaque`, 16.
pub const PAGE_HEADER_BYTES: u32 = 24 + 16;
/// Bytes that the choice of a split point sets aside for a heap TID in the new high key.
const TID_RESERVE: i64 = 8;

/// Geometry of a leaf in entries of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Split {
    /// Entries that a leaf with a high key holds.
    inner: u32,
    /// Entries that the rightmost leaf, which has none, holds.
    rightmost: u32,
    /// Entries left of the split point when a leaf with a high key overflows.
    inner_left: u32,
    /// Entries left of the split point when the rightmost leaf overflows.
    rightmost_left: u32,
}

impl Split {
    /// Geometry for entries of so many bytes, line pointer included, and high keys of `high_key_bytes`,
    /// on leaves of a fill factor in percent. Entries longer than a third of a page do not exist.
    pub fn new(entry_bytes: u32, high_key_bytes: u32, fill_factor_percent: u32) -> Self {
        Self::on_room(LEAF_BYTES, entry_bytes, high_key_bytes, fill_factor_percent)
    }

    /// The same on pages with so much room for line pointers and entries: other page sizes are chosen when
    /// the server is built.
    pub fn on_room(room_bytes: u32, entry_bytes: u32, high_key_bytes: u32, fill_factor_percent: u32) -> Self {
        let (entry, high) = (entry_bytes.clamp(8, room_bytes / 3), high_key_bytes.clamp(8, room_bytes / 3));
        let inner = ((room_bytes - high) / entry).max(2);
        let rightmost = (room_bytes / entry).max(2);
        let fill_factor = fill_factor_percent.clamp(10, 100);
        Split {
            inner,
            rightmost,
            inner_left: split_point(room_bytes, inner + 1, entry, high, 50),
            rightmost_left: split_point(room_bytes, rightmost + 1, entry, 0, fill_factor),
        }
    }

    /// Entries that a leaf holds at most.
    pub fn capacity(&self) -> u32 {
        self.rightmost
    }

    /// Entries that a leaf with a high key, any but the rightmost, holds at most.
    pub(super) fn capacity_with_high_key(&self) -> u32 {
        self.inner
    }

    /// Entries on the two leaves that a full leaf with a high key becomes.
    pub fn halves(&self) -> (u32, u32) {
        (self.inner_left, self.inner + 1 - self.inner_left)
    }

    /// Entries on the two leaves that the full rightmost leaf becomes.
    pub fn rightmost_halves(&self) -> (u32, u32) {
        (self.rightmost_left, self.rightmost + 1 - self.rightmost_left)
    }

    /// Entries that an ascending load leaves on each leaf.
    pub fn ascending(&self) -> u32 {
        self.rightmost_left
    }

    /// Puts one entry on a leaf, splitting it where it is full.
    pub fn insert(&self, leaves: &mut Leaves, leaf: usize, position: u32) {
        let rightmost = leaves.is_rightmost(leaf);
        let (room, left) =
            if rightmost { (self.rightmost, self.rightmost_left) } else { (self.inner, self.inner_left) };
        if leaves.counts[leaf] < room {
            return leaves.add(leaf, position);
        }
        let right = leaves.counts[leaf] + 1 - left;
        leaves.split(leaf, left, right, right - u32::from(position >= left));
    }
}

/// How many of `total` entries stay left: the choice that makes `weight·free_left` and
/// `(1 − weight)·free_right` most nearly equal, both halves fitting their pages (`_bt_recsplitloc`,
/// `_bt_deltasortsplits`). `high` is the high key of the page that is split, 0 for the rightmost.
///
/// The difference is linear in the entries that stay, so the best choice is next to where it is zero.
fn split_point(room: u32, total: u32, entry: u32, high: u32, weight_percent: u32) -> u32 {
    let (entry, page) = (i64::from(entry), i64::from(room));
    let (total, weight) = (i64::from(total), i64::from(weight_percent));
    let free_left = |left: i64| page - entry * left - entry - TID_RESERVE;
    let free_right = |left: i64| page - i64::from(high) - entry * (total - left);
    let delta = |left: i64| weight * free_left(left) - (100 - weight) * free_right(left);
    let zero = delta(0) / (100 * entry);
    (zero..=zero + 1)
        .filter(|&left| left > 0 && left < total && free_left(left) >= 0 && free_right(left) >= 0)
        .min_by_key(|&left| delta(left).abs())
        // Long entries: whatever fits.
        .or_else(|| (1..total).rev().find(|&left| free_left(left) >= 0))
        .unwrap_or(1) as u32
}

#[cfg(test)]
mod tests {
    use super::super::{Arrival, Rule, grow};
    use super::*;

    #[test]
    fn an_ascending_load_leaves_261_uuids_on_a_leaf() {
        let split = Split::new(28, 28, 90);
        assert_eq!((split.inner, split.rightmost, split.rightmost_left), (290, 291, 261));
        let settled = grow(Rule::Postgres(split), Arrival::Ascending, 261 * 1000 + 30);
        assert!((settled.entries_per_leaf - 261.0).abs() < 0.1, "{settled:?}");
    }

    #[test]
    fn a_full_leaf_becomes_two_halves() {
        assert_eq!(Split::new(28, 28, 90).halves(), (145, 146));
    }

    #[test]
    fn the_split_point_is_the_best_of_all() {
        for (total, entry, high, weight) in
            [(291, 28, 28, 50), (292, 28, 0, 90), (157, 52, 52, 50), (16, 500, 0, 90), (6, 1400, 1400, 50)]
        {
            let free_left = |left: i64| 8152 - entry * left - entry - TID_RESERVE;
            let free_right = |left: i64| 8152 - high - entry * (total - left);
            let best = (1..total)
                .filter(|&left| free_left(left) >= 0 && free_right(left) >= 0)
                .min_by_key(|&left| (weight * free_left(left) - (100 - weight) * free_right(left)).abs());
            let found = split_point(LEAF_BYTES, total as u32, entry as u32, high as u32, weight as u32);
            assert_eq!(Some(i64::from(found)), best, "{total} of {entry}");
        }
    }

    #[test]
    fn the_longest_entries_still_split() {
        for entry in [8, 2000, 2716, 5000] {
            let split = Split::new(entry, entry, 90);
            let settled = grow(Rule::Postgres(split), Arrival::Uniform, 1000);
            assert!(
                settled.entries_per_leaf >= 1.0 && settled.entries_per_leaf <= f64::from(split.capacity())
            );
        }
    }
}
