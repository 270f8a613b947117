//! An entry put on a page, and full pages divided: the page's rule sees it with its neighbours, and what the
//! rule makes of their numbers is done to keys and children.

use super::{Engine, NONE, Tree};
use crate::store::page::{Leaves, Rule, Tally};

/// Pages that a rule may look at and change: three siblings become four at most, and one more is no harm.
const MOST: usize = 5;

/// A full page among its neighbours.
struct Group {
    /// Pages that may change, from left to right.
    pages: [u32; MOST],
    count: usize,
    /// Which of them is full.
    full: usize,
    /// Entries of the rule's view that stand before them for neighbours that do not change.
    before: usize,
}

impl Group {
    fn pages(&self) -> &[u32] {
        &self.pages[..self.count]
    }
}

impl Tree {
    /// Puts an entry (on a leaf) or a child and the least key below it (above) on a page that was read.
    #[inline]
    pub(super) fn put(&mut self, page: u32, level: u8, position: u32, new: (u64, u32)) {
        let room = self.geometry.rule(level).takes_below(self.last[usize::from(level)] == page);
        if self.len(page, level) < room {
            self.place(page, level, position, new);
        } else {
            self.put_on_full(page, level, position, new);
        }
    }

    #[inline]
    fn place(&mut self, page: u32, level: u8, position: u32, (key, child): (u64, u32)) {
        let index = page as usize;
        if level == 0 {
            if self.keyed {
                self.shelf.insert(page, self.counts[index], position, key);
            }
            self.counts[index] += 1;
        } else {
            let node = &mut self.nodes[index];
            node.keys.insert(position as usize, key);
            node.children.insert(position as usize, child);
            self.parents[child as usize] = page;
        }
        if self.geometry.engine() == Engine::Innodb {
            let heap = self.marks[index][1].max(self.len(page, level));
            self.marks[index] = [position, heap];
        }
        self.change(page, level);
    }

    fn put_on_full(&mut self, page: u32, level: u8, position: u32, new: (u64, u32)) {
        let rule = self.geometry.rule(level);
        let mut group = self.show(page, level, rule);
        let shown = self.group.counts.len();
        let mut seen = std::mem::take(&mut self.group);
        let place = self.shown_position(page, level, position);
        rule.insert(&mut seen, group.before + group.full, place);
        let after = group.count + seen.counts.len() - shown;
        let counts = |i: usize| seen.counts[group.before + i];
        let stays = (0..group.count)
            .all(|i| i < after && counts(i) == self.len(group.pages[i], level) + u32::from(i == group.full));
        if stays && after == group.count {
            self.place(page, level, position, new);
        } else {
            self.divide(&mut group, &seen, (level, after), position, new);
        }
        self.group = seen;
    }

    /// The position as the rule is told it. What comes behind all of a page of SQLite still belongs to it: the
    /// entry that follows the page, which the rule counts with it, stays behind.
    fn shown_position(&self, page: u32, level: u8, position: u32) -> u32 {
        let last = self.last[usize::from(level)] == page;
        if last || self.geometry.engine() != Engine::Sqlite {
            return position;
        }
        position.min(self.len(page, level).saturating_sub(1))
    }

    /// Lets the rule's view show a page and its neighbours. Those that are no part of the group are shown as
    /// full, so that nothing goes there.
    fn show(&mut self, page: u32, level: u8, rule: Rule) -> Group {
        let group = self.neighbourhood(page, level, rule);
        let (last, root) = (group.pages[group.count - 1], page == self.root);
        let rightmost = self.last[usize::from(level)] == last;
        let full = rule.capacity();
        let mut seen = std::mem::take(&mut self.group);
        let Leaves { counts, last_insert, heap, above, tally } = &mut seen;
        for numbers in [&mut *counts, &mut *last_insert, &mut *heap] {
            numbers.clear();
        }
        above.clear();
        *tally = Tally::default();
        let mut show = |count: u32, [last, slots]: [u32; 2]| {
            counts.push(count);
            last_insert.push(last);
            heap.push(slots);
        };
        if group.before > 0 {
            show(full, [u32::MAX, full]);
        }
        for &page in group.pages() {
            show(self.len(page, level), self.marks[page as usize]);
        }
        if !rightmost {
            show(full, [u32::MAX, full]);
        }
        if matches!(rule, Rule::Sqlite(_)) {
            // What is not balanced lies under another parent.
            above.push(if rightmost { vec![group.count as u32] } else { vec![group.count as u32, 1] });
            if !rightmost || !root {
                above.push(vec![above[0].len() as u32]);
            }
        }
        self.group = seen;
        group
    }

    /// The pages that a rule may change when one of them is full.
    fn neighbourhood(&mut self, page: u32, level: u8, rule: Rule) -> Group {
        let alone = Group { pages: [page; MOST], count: 1, full: 0, before: 0 };
        let parent = self.parents[page as usize];
        if parent == NONE {
            return alone;
        }
        match rule {
            Rule::Postgres(_) => alone,
            // Its next page, where that has the same parent.
            Rule::Innodb(_) => {
                let next = self.nodes[page as usize].next;
                let mut group = Group { before: 1, ..alone };
                if next != NONE && self.parents[next as usize] == parent {
                    group.pages[1] = next;
                    group.count = 2;
                }
                group
            }
            // One on each side, two on one side at an end, all where there are fewer (`page::sqlite`).
            Rule::Sqlite(_) => {
                let children = &self.nodes[parent as usize].children;
                let index = position_of(children, page);
                let count = children.len().min(3);
                let first = index.saturating_sub(1).min(children.len() - count);
                let mut group = Group { count, full: index - first, ..alone };
                group.pages[..count].copy_from_slice(&children[first..first + count]);
                for sibling in group.pages[..count].iter().copied() {
                    if sibling != page {
                        self.pool.read(sibling, level == 0);
                    }
                }
                group
            }
        }
    }

    /// Makes of a group the pages that the rule has made of it, with the new entry.
    fn divide(
        &mut self,
        group: &mut Group,
        seen: &Leaves,
        (level, after): (u8, usize),
        position: u32,
        new: (u64, u32),
    ) {
        if level == 0 {
            self.tally.splits += seen.tally.splits;
            self.tally.entries_moved += seen.tally.entries_moved;
        } else {
            self.tally.inner_splits += seen.tally.splits;
            self.tally.inner_moved += seen.tally.entries_moved;
        }
        if self.parents[group.pages[0] as usize] == NONE {
            self.grow(group.pages[0], level);
        }
        let (keys, children) = self.gather(group, level, position, new);
        let old = group.count;
        // What is logged of a page is what it held before.
        for &page in group.pages() {
            self.change(page, level);
        }
        while group.count < after {
            let page = self.create(level);
            self.link(group.pages[group.count - 1], page, level);
            group.pages[group.count] = page;
            group.count += 1;
        }
        let mut start = 0;
        for i in 0..after {
            let count = seen.counts[group.before + i] as usize;
            let page = group.pages[i] as usize;
            let end = start + count;
            if level == 0 {
                self.counts[page] = count as u32;
                if self.keyed {
                    self.shelf.set(page as u32, &keys[start..end]);
                }
            } else {
                self.nodes[page].keys = keys[start..end].to_vec();
                self.nodes[page].children = children[start..end].to_vec();
                for &child in &children[start..end] {
                    self.parents[child as usize] = page as u32;
                }
            }
            self.marks[page] = [seen.last_insert[group.before + i], slots(seen, group.before + i)];
            start = end;
        }
        self.tell_parents(group, old, after, level);
    }

    /// All keys and children of a group in order, the new one among them.
    fn gather(
        &self,
        group: &Group,
        level: u8,
        position: u32,
        (key, child): (u64, u32),
    ) -> (Vec<u64>, Vec<u32>) {
        let (mut keys, mut children) = (Vec::new(), Vec::new());
        let mut place = position as usize;
        for (i, &page) in group.pages().iter().enumerate() {
            if i == group.full {
                place += if level == 0 { keys.len() } else { children.len() };
            }
            if level == 0 {
                if self.keyed {
                    keys.extend_from_slice(self.shelf.keys(page, self.counts[page as usize]));
                }
                continue;
            }
            let node = &self.nodes[page as usize];
            let first = keys.len();
            keys.extend_from_slice(&node.keys);
            children.extend_from_slice(&node.children);
            if i > 0 {
                // The least key below a page stands in its parent.
                keys[first] = self.least(page);
            }
        }
        if level > 0 {
            children.insert(place, child);
        }
        if level > 0 || self.keyed {
            keys.insert(place, key);
        }
        (keys, children)
    }

    /// The least key below a page, as its parent has it.
    fn least(&self, page: u32) -> u64 {
        let parent = &self.nodes[self.parents[page as usize] as usize];
        parent.keys[position_of(&parent.children, page)]
    }

    /// A new root above the present one.
    fn grow(&mut self, page: u32, level: u8) {
        let root = self.create(level + 1);
        let node = &mut self.nodes[root as usize];
        node.keys.push(0);
        node.children.push(page);
        self.parents[page as usize] = root;
        self.marks[root as usize] = [0, 1];
        self.last.push(root);
        self.root = root;
    }

    /// Puts a new page behind another one.
    fn link(&mut self, page: u32, new: u32, level: u8) {
        let next = self.nodes[page as usize].next;
        self.nodes[page as usize].next = new;
        self.nodes[new as usize].previous = page;
        self.nodes[new as usize].next = next;
        self.change(new, level);
        if next == NONE {
            self.last[usize::from(level)] = new;
        } else {
            self.nodes[next as usize].previous = new;
            self.touch_neighbour(next, level);
        }
    }

    /// Engines that link pages to both sides change the neighbour of a page that is made or given up.
    pub(super) fn touch_neighbour(&mut self, page: u32, level: u8) {
        if self.geometry.engine() != Engine::Sqlite {
            self.pool.read(page, level == 0);
            self.change(page, level);
        }
    }

    /// Tells the parents of a group what is the least on each of its pages, and of pages made or given up.
    fn tell_parents(&mut self, group: &Group, old: usize, after: usize, level: u8) {
        for &page in &group.pages[after.min(old)..old] {
            self.give_up(page, level);
        }
        for i in 1..after.min(old) {
            let (page, least) = (group.pages[i], self.separator(group.pages[i - 1], group.pages[i], level));
            let parent = self.parents[page as usize];
            let index = position_of(&self.nodes[parent as usize].children, page);
            self.nodes[parent as usize].keys[index] = least;
            self.change(parent, level + 1);
        }
        for i in old..after {
            let before = group.pages[i - 1];
            let least = self.separator(before, group.pages[i], level);
            let parent = self.parents[before as usize];
            let position = position_of(&self.nodes[parent as usize].children, before) + 1;
            self.put(parent, level + 1, position as u32, (least, group.pages[i]));
        }
        if level > 0 {
            // A page's own first key is the parent's to know.
            group.pages[..after].iter().for_each(|&page| self.nodes[page as usize].keys[0] = 0);
        }
    }

    /// The least key that belongs to a page behind another. SQLite keeps the greatest of the page before in
    /// the parent; others the least of the page itself.
    fn separator(&self, before: u32, page: u32, level: u8) -> u64 {
        if level > 0 {
            return self.nodes[page as usize].keys[0];
        }
        if !self.keyed {
            return 0;
        }
        let keys = |page: u32| self.shelf.keys(page, self.counts[page as usize]);
        let least = keys(page).first().copied().unwrap_or(0);
        match keys(before).last() {
            Some(greatest) if self.geometry.engine() == Engine::Sqlite => {
                greatest.saturating_add(1).min(least)
            }
            _ => least,
        }
    }
}

/// Slots ever allocated on a page, where the rule keeps them.
fn slots(seen: &Leaves, index: usize) -> u32 {
    seen.heap.get(index).copied().unwrap_or(0)
}

/// Where a child stands under its parent.
pub(super) fn position_of(children: &[u32], child: u32) -> usize {
    children.iter().position(|&other| other == child).expect("a parent knows its children")
}
