//! Pages of an index in a cache of limited size: which are read, which are changed, and when they are written.
//!
//! The cache keeps the pages used last (LRU). A changed page is written when it is evicted, and at the latest
//! by the next checkpoint. The first change of a page after a checkpoint is told apart, since engines that
//! log whole pages do so then.

/// No page.
const NONE: u32 = u32::MAX;
/// In place of the page used later: not in the cache.
const ABSENT: u32 = u32::MAX - 1;

/// What was done to pages so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Reads of leaves that were not in the cache.
    pub leaf_misses: u64,
    /// Reads of pages above the leaves that were not in the cache.
    pub inner_misses: u64,
    /// Leaves changed, each counted once between two checkpoints.
    pub leaves_dirtied: u64,
    /// Pages above the leaves changed, likewise.
    pub inner_dirtied: u64,
    /// Of these, pages that were there at the last checkpoint.
    pub images: u64,
    /// Pages changed, each counted once a transaction.
    pub changed_by_transactions: u64,
    /// Pages written: by eviction or by a checkpoint.
    pub written: u64,
    /// Checkpoints that ended.
    pub checkpoints: u64,
}

/// What is known of a page: its neighbours in the order of use, and when it was changed, by numbers of intervals
/// between checkpoints; 0 is before the first. All in one place, as pages of a large index are met at random.
#[derive(Debug, Clone, Copy)]
struct State {
    later: u32,
    earlier: u32,
    made: u32,
    changed: u32,
    /// The interval since which it waits to be written; what waited longer has been.
    dirty: u32,
    transaction: u32,
}

/// A cache of pages, and what happened to them.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    capacity: u32,
    resident: u32,
    latest: u32,
    earliest: u32,
    states: Vec<State>,
    interval: u32,
    transaction: u32,
    /// Pages that wait to be written.
    waiting: u64,
    traffic: Traffic,
}

impl Pool {
    /// A cache of so many pages, at least 8: fewer would not hold the way to a leaf and what a split needs.
    pub(super) fn new(capacity: u32) -> Pool {
        Pool {
            capacity: capacity.clamp(8, ABSENT - 1),
            resident: 0,
            latest: NONE,
            earliest: NONE,
            states: Vec::new(),
            interval: 1,
            transaction: 1,
            waiting: 0,
            traffic: Traffic::default(),
        }
    }

    pub(super) fn traffic(&self) -> Traffic {
        self.traffic
    }

    pub(super) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// A page is made; its number is the next one, or one that was dropped.
    pub(super) fn create(&mut self, page: u32) {
        let made = self.interval;
        let state = State { later: ABSENT, earlier: NONE, made, changed: 0, dirty: 0, transaction: 0 };
        if page as usize == self.states.len() {
            self.states.push(state);
        } else {
            self.states[page as usize] = state;
        }
        self.admit(page);
    }

    /// A page is looked at.
    #[inline]
    pub(super) fn read(&mut self, page: u32, is_leaf: bool) {
        if self.states[page as usize].later == ABSENT {
            self.traffic.leaf_misses += u64::from(is_leaf);
            self.traffic.inner_misses += u64::from(!is_leaf);
            self.admit(page);
        } else if self.latest != page {
            self.unlink(page);
            self.push(page);
        }
    }

    /// A page that was read or made is changed; whether this is the first change of an older page since the
    /// last checkpoint.
    #[inline]
    pub(super) fn change(&mut self, page: u32, is_leaf: bool) -> bool {
        let state = &mut self.states[page as usize];
        if state.transaction != self.transaction {
            state.transaction = self.transaction;
            self.traffic.changed_by_transactions += 1;
        }
        if state.dirty != self.interval {
            state.dirty = self.interval;
            self.waiting += 1;
        }
        if state.changed == self.interval {
            return false;
        }
        state.changed = self.interval;
        self.traffic.leaves_dirtied += u64::from(is_leaf);
        self.traffic.inner_dirtied += u64::from(!is_leaf);
        let older = state.made != self.interval;
        self.traffic.images += u64::from(older);
        older
    }

    /// A page is given up; what it held need not be written.
    pub(super) fn forget(&mut self, page: u32) {
        if self.states[page as usize].later != ABSENT {
            self.unlink(page);
            self.states[page as usize].later = ABSENT;
            self.resident -= 1;
        }
        if self.states[page as usize].dirty == self.interval {
            self.states[page as usize].dirty = 0;
            self.waiting -= 1;
        }
    }

    /// A transaction ends.
    #[inline]
    pub(super) fn commit(&mut self) {
        self.transaction += 1;
    }

    /// A checkpoint: all that waits is written.
    pub(super) fn checkpoint(&mut self) {
        self.traffic.written += self.waiting;
        self.traffic.checkpoints += 1;
        self.waiting = 0;
        self.interval += 1;
    }

    fn admit(&mut self, page: u32) {
        if self.resident == self.capacity {
            self.evict();
        }
        self.resident += 1;
        self.push(page);
    }

    fn evict(&mut self) {
        let page = self.earliest;
        self.unlink(page);
        self.resident -= 1;
        let state = &mut self.states[page as usize];
        state.later = ABSENT;
        if state.dirty == self.interval {
            state.dirty = 0;
            self.waiting -= 1;
            self.traffic.written += 1;
        }
    }

    fn push(&mut self, page: u32) {
        let state = &mut self.states[page as usize];
        (state.later, state.earlier) = (NONE, self.latest);
        if self.latest == NONE {
            self.earliest = page;
        } else {
            self.states[self.latest as usize].later = page;
        }
        self.latest = page;
    }

    fn unlink(&mut self, page: u32) {
        let State { later, earlier, .. } = self.states[page as usize];
        if later == NONE {
            self.latest = earlier;
        } else {
            self.states[later as usize].earlier = earlier;
        }
        if earlier == NONE {
            self.earliest = later;
        } else {
            self.states[earlier as usize].later = later;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(pages: u32) -> Pool {
        let mut pool = Pool::new(8);
        (0..pages).for_each(|page| pool.create(page));
        pool
    }

    #[test]
    fn the_page_that_was_not_used_for_longest_makes_room() {
        let mut pool = pool(8);
        pool.read(0, true);
        pool.create(8);
        // Page 1 went; 0 was used since.
        pool.read(0, true);
        assert_eq!(pool.traffic().leaf_misses, 0);
        pool.read(1, true);
        assert_eq!(pool.traffic().leaf_misses, 1);
    }

    #[test]
    fn a_changed_page_is_written_once_by_eviction_or_checkpoint() {
        let mut pool = pool(8);
        pool.change(0, true);
        pool.change(0, true);
        pool.change(5, true);
        // Made without a change: nothing to write when it goes.
        (8..16).for_each(|page| pool.create(page));
        assert_eq!(pool.traffic().written, 2);
        pool.checkpoint();
        assert_eq!(pool.traffic().written, 2);
        pool.read(0, true);
        pool.change(0, true);
        pool.checkpoint();
        assert_eq!((pool.traffic().written, pool.traffic().leaves_dirtied), (3, 3));
    }

    #[test]
    fn the_first_change_after_a_checkpoint_is_told_of_older_pages_alone() {
        let mut pool = pool(3);
        assert!(!pool.change(0, true));
        pool.checkpoint();
        assert!(pool.change(0, true));
        assert!(!pool.change(0, true));
        pool.create(3);
        assert!(!pool.change(3, true));
        assert_eq!(pool.traffic().images, 1);
    }

    #[test]
    fn a_transaction_counts_a_page_once() {
        let mut pool = pool(2);
        pool.change(0, true);
        pool.change(0, true);
        pool.change(1, false);
        pool.commit();
        pool.change(0, true);
        assert_eq!(pool.traffic().changed_by_transactions, 3);
    }

    #[test]
    fn a_page_given_up_is_not_written() {
        let mut pool = pool(2);
        pool.change(1, true);
        pool.forget(1);
        pool.checkpoint();
        assert_eq!(pool.traffic().written, 0);
        pool.create(1);
        assert!(!pool.change(1, true));
    }
}
