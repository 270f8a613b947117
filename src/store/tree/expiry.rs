//! Keys that expire: removed one by one, and a page given back once nothing is left on it.
//!
//! That is PostgreSQL's way (`nbtree/README`, "Page deletion"): pages are never merged, and the rightmost of a
//! level stays. A page that is given back is taken to be free for reuse at once.

use super::split::position_of;
use super::{NONE, Node, Tree};

impl Tree {
    /// Removes a key; whether it was there.
    ///
    /// # Panics
    /// Where the tree does not keep keys.
    pub fn remove(&mut self, key: u64) -> bool {
        assert!(self.keyed, "a tree of counts finds no key");
        let (leaf, _) = self.find(key);
        self.visit(leaf);
        let count = self.counts[leaf as usize];
        let Ok(position) = self.shelf.keys(leaf, count).binary_search(&key) else { return false };
        self.shelf.remove(leaf, count, position as u32);
        self.change(leaf, 0);
        self.counts[leaf as usize] -= 1;
        self.tally.removed += 1;
        if self.counts[leaf as usize] == 0 && self.last[0] != leaf {
            self.give_up(leaf, 0);
        }
        true
    }

    /// Takes a page out of its level and its parent, and the parent too where it was the only child.
    pub(super) fn give_up(&mut self, page: u32, level: u8) {
        let (previous, next) = (self.nodes[page as usize].previous, self.nodes[page as usize].next);
        if previous != NONE {
            self.nodes[previous as usize].next = next;
            self.touch_neighbour(previous, level);
        }
        if next != NONE {
            self.nodes[next as usize].previous = previous;
            self.touch_neighbour(next, level);
        }
        let parent = self.parents[page as usize];
        let node = &mut self.nodes[parent as usize];
        let index = position_of(&node.children, page);
        node.children.remove(index);
        node.keys.remove(index);
        // What lay below the page belongs to its next sibling, where it was the first.
        if let Some(first) = node.keys.first_mut() {
            *first = 0;
        }
        let only = node.children.is_empty();
        self.pool.read(parent, false);
        self.change(parent, level + 1);
        self.counts[page as usize] = 0;
        self.nodes[page as usize] = Node::default();
        self.pool.forget(page);
        self.free.push(page);
        if level == 0 {
            self.tally.leaves -= 1;
        } else {
            self.tally.inner_pages -= 1;
        }
        if only {
            self.give_up(parent, level + 1);
        }
    }
}
