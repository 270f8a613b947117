//! A B+tree of pages, leaves and the pages above them, under inserts in any order and expiry: which pages are
//! read, changed, divided and written, as an engine does it.
//!
//! A key is a number in the order of the keys' bytes. A tree comes in two forms that share everything but
//! where the next entry goes:
//!
//! - [`Tree::keyed`] keeps every key and finds its place from the root: exact for any order.
//! - [`Tree::counted`] keeps of each leaf only how many entries it holds. Where keys are uniform, the place of
//!   the next is uniform among the gaps between those present, so that this is exact in law, at a fraction of
//!   memory and time ([`Tree::insert_uniform`]).
//!
//! By which rule a full page is divided is known to [`page`](super::page); a full page is shown to it with its
//! neighbours. Left out are what engines do beside: page reuse delays, the neighbours' links in SQLite (it has
//! none), bottom-up deletion, merges.

mod expiry;
mod geometry;
mod order;
mod pool;
mod shelf;
mod split;
mod stream;

pub use geometry::{Engine, Geometry, Log};
pub use order::{FarFuture, Order, Shape, Skew, SkewLaw, Within};
pub use pool::Traffic;
pub use stream::Stream;

use super::page::Leaves;
use pool::Pool;
use rand::Rng;
use shelf::{Shelf, place_of};

/// No page.
const NONE: u32 = u32::MAX;
/// Levels of a tree: 2^32 pages of two entries each have no more.
const MOST_LEVELS: usize = 34;

/// Sums since the tree was empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Entries inserted.
    pub inserts: u64,
    /// Entries removed again.
    pub removed: u64,
    /// Times that a leaf overflowed and a new one was made.
    pub splits: u64,
    /// Entries that went from one leaf to another.
    pub entries_moved: u64,
    /// The same of pages above the leaves.
    pub inner_splits: u64,
    /// Children that went from one page above the leaves to another.
    pub inner_moved: u64,
    /// Leaves that are there.
    pub leaves: u64,
    /// Pages above them that are there, the root included.
    pub inner_pages: u64,
    /// Bytes in use on pages at their first change after a checkpoint, those made since left out.
    pub image_bytes: u64,
    /// What was read, changed and written.
    pub traffic: Traffic,
}

impl Tally {
    /// What came between an earlier tally and this one; leaves and pages are those of this one.
    #[must_use]
    pub fn since(&self, earlier: &Tally) -> Tally {
        let (now, then) = (&self.traffic, &earlier.traffic);
        Tally {
            inserts: self.inserts - earlier.inserts,
            removed: self.removed - earlier.removed,
            splits: self.splits - earlier.splits,
            entries_moved: self.entries_moved - earlier.entries_moved,
            inner_splits: self.inner_splits - earlier.inner_splits,
            inner_moved: self.inner_moved - earlier.inner_moved,
            leaves: self.leaves,
            inner_pages: self.inner_pages,
            image_bytes: self.image_bytes - earlier.image_bytes,
            traffic: Traffic {
                leaf_misses: now.leaf_misses - then.leaf_misses,
                inner_misses: now.inner_misses - then.inner_misses,
                leaves_dirtied: now.leaves_dirtied - then.leaves_dirtied,
                inner_dirtied: now.inner_dirtied - then.inner_dirtied,
                images: now.images - then.images,
                changed_by_transactions: now.changed_by_transactions - then.changed_by_transactions,
                written: now.written - then.written,
                checkpoints: now.checkpoints - then.checkpoints,
            },
        }
    }

    /// Entries that are there.
    pub fn entries(&self) -> u64 {
        self.inserts - self.removed
    }
}

/// What a page holds beside the number of its entries.
#[derive(Debug, Clone, Default)]
struct Node {
    /// 0 for leaves.
    level: u8,
    previous: u32,
    next: u32,
    /// Of a page above the leaves, the least key below each child (0 for the first).
    keys: Vec<u64>,
    children: Vec<u32>,
}

/// A B+tree of pages in a cache.
#[derive(Debug, Clone)]
pub struct Tree {
    geometry: Geometry,
    keyed: bool,
    /// Entries of each leaf; 0 for other pages.
    counts: Vec<u32>,
    parents: Vec<u32>,
    /// Position of the last insert on each page and the slots ever allocated there, as in [`Leaves`]; kept for
    /// InnoDB alone.
    marks: Vec<[u32; 2]>,
    nodes: Vec<Node>,
    /// Keys of leaves, where they are kept.
    shelf: Shelf,
    root: u32,
    /// The rightmost page of each level.
    last: Vec<u32>,
    free: Vec<u32>,
    pool: Pool,
    tally: Tally,
    /// A full page with its neighbours, as rules see them.
    group: Leaves,
}

impl Tree {
    /// An empty tree that keeps its keys, in a cache of so many pages (at least 8).
    pub fn keyed(geometry: Geometry, cache_pages: u32) -> Tree {
        Tree::new(geometry, cache_pages, true)
    }

    /// An empty tree that keeps how many there are.
    pub fn counted(geometry: Geometry, cache_pages: u32) -> Tree {
        Tree::new(geometry, cache_pages, false)
    }

    fn new(geometry: Geometry, cache_pages: u32, keyed: bool) -> Tree {
        let mut tree = Tree {
            geometry,
            keyed,
            counts: Vec::new(),
            parents: Vec::new(),
            marks: Vec::new(),
            nodes: Vec::new(),
            shelf: Shelf::new(geometry.leaf_capacity() + 1),
            root: 0,
            last: vec![0],
            free: Vec::new(),
            pool: Pool::new(cache_pages),
            tally: Tally::default(),
            group: Leaves::default(),
        };
        tree.root = tree.create(0);
        tree
    }

    /// Bytes of memory that a tree of so many keys takes, at most and about.
    pub fn memory_bytes(geometry: &Geometry, keys: u64, keyed: bool) -> u64 {
        // Leaves are half full at least, but for InnoDB's in the worst order, a quarter.
        let leaves = keys / u64::from(geometry.leaf_capacity() / 4).max(1) + 1;
        let page = (size_of::<Node>() + 5 * 8 + 16) as u64;
        let entries = if keyed { Shelf::place_bytes(geometry.leaf_capacity() + 1) } else { 0 };
        leaves / 2 * (page + entries) + (1 << 20)
    }

    /// How its pages are laid out.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Pages of its cache.
    pub fn cache_pages(&self) -> u32 {
        self.pool.capacity()
    }

    /// What happened so far.
    pub fn tally(&self) -> Tally {
        Tally { traffic: self.pool.traffic(), ..self.tally }
    }

    /// Share of its leaves that is in use.
    pub fn leaf_fill(&self) -> f64 {
        self.geometry.leaf_fill(self.tally.entries() as f64 / self.tally.leaves as f64)
    }

    /// Bytes of all its pages.
    pub fn bytes(&self) -> u64 {
        (self.tally.leaves + self.tally.inner_pages) * u64::from(self.geometry.page_bytes())
    }

    /// Levels, leaves included.
    pub fn height(&self) -> u32 {
        u32::from(self.nodes[self.root as usize].level) + 1
    }

    /// Inserts a key; equal ones are kept, the later one behind.
    ///
    /// # Panics
    /// Where the tree does not keep keys.
    pub fn insert(&mut self, key: u64) {
        assert!(self.keyed, "a tree of counts finds no key");
        let (leaf, guess) = self.find(key);
        self.visit(leaf);
        let count = self.counts[leaf as usize];
        let guess = (guess * f64::from(count)) as usize;
        let position = place_of(self.shelf.keys(leaf, count), key, guess) as u32;
        self.insert_at(leaf, position, key);
    }

    /// Inserts a key that is as likely to lie in one gap between those present as in any other.
    ///
    /// # Panics
    /// Where the tree keeps keys.
    pub fn insert_uniform(&mut self, random: &mut impl Rng) {
        assert!(!self.keyed, "a tree of keys needs the key");
        let (leaf, position) = self.draw(random);
        self.visit(leaf);
        self.insert_at(leaf, position, 0);
    }

    /// Looks a leaf up by its key, without a trace in cache and tally.
    pub fn leaf_of(&self, key: u64) -> u32 {
        self.find(key).0
    }

    /// A transaction ends: engines that log by transactions write what it changed.
    pub fn commit(&mut self) {
        self.pool.commit();
    }

    /// A checkpoint ends: all changed pages are written.
    pub fn checkpoint(&mut self) {
        self.pool.checkpoint();
    }

    /// The leaf of a key, and how far up it may lie there: its share of what lies between the leaf's bounds.
    fn find(&self, key: u64) -> (u32, f64) {
        let (mut page, mut low, mut high) = (self.root, 0, u64::MAX);
        for _ in 1..self.last.len() {
            let node = &self.nodes[page as usize];
            let next = node.keys.partition_point(|&least| least <= key).max(1);
            low = low.max(node.keys[next - 1]);
            high = node.keys.get(next).copied().unwrap_or(high);
            page = node.children[next - 1];
        }
        (page, (key - low.min(key)) as f64 / (high - low).max(1) as f64)
    }

    /// A leaf with a chance in proportion to its entries, and the gap beside one of them that belongs to it.
    fn draw(&self, random: &mut impl Rng) -> (u32, u32) {
        if self.tally.entries() == 0 {
            return (self.root, 0);
        }
        let gap = u32::from(self.geometry.engine() != Engine::Sqlite);
        let (pages, capacity) = (self.counts.len() as u64, u64::from(self.geometry.leaf_capacity()));
        loop {
            let draw = random.next_u64();
            let page = ((draw >> 32) * pages) >> 32;
            let entry = (((draw & 0xffff_ffff) * capacity) >> 32) as u32;
            if entry < self.counts[page as usize] {
                return (page as u32, entry + gap);
            }
        }
    }

    /// Reads the pages from the root to a leaf.
    #[inline]
    fn visit(&mut self, leaf: u32) {
        let mut way = [leaf; MOST_LEVELS];
        let mut length = 1;
        let mut above = self.parents[leaf as usize];
        while above != NONE {
            way[length] = above;
            length += 1;
            above = self.parents[above as usize];
        }
        for &page in way[1..length].iter().rev() {
            self.pool.read(page, false);
        }
        self.pool.read(leaf, true);
    }

    /// Puts an entry on a leaf that was read.
    #[inline]
    fn insert_at(&mut self, leaf: u32, position: u32, key: u64) {
        self.tally.inserts += 1;
        self.put(leaf, 0, position, (key, NONE));
    }

    #[inline]
    fn len(&self, page: u32, level: u8) -> u32 {
        match level {
            0 => self.counts[page as usize],
            _ => self.nodes[page as usize].children.len() as u32,
        }
    }

    /// Marks a page that was read as changed, and counts what logging it whole would take.
    #[inline]
    fn change(&mut self, page: u32, level: u8) {
        if self.pool.change(page, level == 0) {
            self.tally.image_bytes += self.geometry.used_bytes(level, self.len(page, level));
        }
    }

    /// Makes a page; its entries, neighbours and parent are still to be set.
    fn create(&mut self, level: u8) -> u32 {
        let page = self.free.pop().unwrap_or(self.counts.len() as u32);
        let node = Node { level, previous: NONE, next: NONE, ..Node::default() };
        if page as usize == self.counts.len() {
            self.counts.push(0);
            self.parents.push(NONE);
            self.marks.push([u32::MAX, 0]);
            self.nodes.push(node);
        } else {
            self.nodes[page as usize] = node;
            self.parents[page as usize] = NONE;
            self.marks[page as usize] = [u32::MAX, 0];
        }
        if level == 0 {
            self.tally.leaves += 1;
        } else {
            self.tally.inner_pages += 1;
        }
        if self.keyed {
            self.shelf.provide(page);
        }
        self.pool.create(page);
        page
    }
}

#[cfg(test)]
mod tests;
