//! Ids of a clock and of random bits behind it, which clash only within a tick; with or without a counter in between.
//!
//! An id is tick, counter and random tail. A counter belongs to a generator and a tick: it starts at a number below
//! 2^drawn, or at 0, counts up by one an id, and wraps. Each id is made by a generator of its own choice, so that K of
//! them share a tick as chance has it. Without a counter nobody can tell who made an id, and ids are drawn in no order of
//! time; with one, and among copies, they are drawn in order.

use super::arrivals::Clock;
use super::{Source, Times, Words};

/// The counter of a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Counter {
    /// Bits of it; with none a generator makes one id a tick, and its clock runs ahead for the next.
    pub bits: u32,
    /// Its lowest bits, which start at random.
    pub drawn: u32,
    /// Generators, each with a counter.
    pub generators: u64,
}

/// Ids of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Ticks {
    /// When they are made.
    pub times: Times,
    /// Random bits of each id.
    pub tail: u32,
    /// What keeps ids of one generator apart.
    pub counter: Option<Counter>,
    /// Ids of a trial.
    pub draws: u64,
    /// Ticks by which the clock is set back in the middle of the run; counters are then drawn anew.
    pub back: u64,
    /// Generators that are copies of one for so many ids each, and take turns.
    pub copies: Option<(u64, u64)>,
}

/// A counter as it stands.
#[derive(Debug, Clone, Copy)]
struct Standing {
    tick: u64,
    life: u8,
    next: u64,
}

impl Ticks {
    fn clock(&self) -> Clock {
        Clock { ticks: self.times.ticks(), back: self.back }
    }

    fn plain(&self, words: &mut Words, ids: &mut Vec<u64>) {
        let (clock, tail) = (self.clock(), self.tail);
        self.times.each(self.draws, words, |words, tick| {
            let shown = clock.shown(tick).0;
            ids.push(packed(shown, tail, words.bits(tail)));
        });
    }

    fn copied(&self, words: &mut Words, ids: &mut Vec<u64>, generators: u64, rows: u64) {
        self.times.in_order(self.draws, words, ids);
        let mut tail = 0;
        for (made, id) in (0u64..).zip(ids.iter_mut()) {
            if made % generators == 0 || made / generators >= rows {
                tail = words.bits(self.tail);
            }
            *id = packed(*id, self.tail, tail);
        }
    }

    fn counted(&self, words: &mut Words, ids: &mut Vec<u64>, counter: Counter) {
        self.times.in_order(self.draws, words, ids);
        let clock = self.clock();
        let never = Standing { tick: u64::MAX, life: 0, next: 0 };
        let mut standing = vec![never; counter.generators as usize];
        let wrap = mask(counter.bits);
        for id in ids.iter_mut() {
            let (tick, life) = clock.shown(*id);
            let state = &mut standing[words.below(counter.generators) as usize];
            if counter.bits == 0 {
                // One id a tick: the clock of a generator that is asked for more runs ahead.
                let ahead = state.tick != u64::MAX && state.life == life && state.tick >= tick;
                state.tick = if ahead { state.tick + 1 } else { tick };
                state.life = life;
            } else if state.tick != tick || state.life != life {
                *state = Standing { tick, life, next: words.bits(counter.drawn) };
            }
            let behind = (state.next << self.tail) | words.bits(self.tail);
            *id = packed(state.tick, counter.bits + self.tail, behind);
            state.next = (state.next + 1) & wrap;
        }
    }
}

/// A number of the lowest bits.
pub(in super::super) fn mask(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// A number behind a tick.
#[inline]
fn packed(tick: u64, bits: u32, behind: u64) -> u64 {
    // Beyond 63 bits behind it there is one tick.
    tick.unbounded_shl(bits) | behind
}

impl Source for Ticks {
    fn draw(&self, words: &mut Words, ids: &mut Vec<u64>) {
        ids.clear();
        ids.reserve(self.draws as usize);
        match (self.counter, self.copies) {
            (Some(counter), _) => self.counted(words, ids, counter),
            (None, Some((generators, rows))) => self.copied(words, ids, generators, rows),
            (None, None) => self.plain(words, ids),
        }
    }

    fn shown(&self, id: u64) -> String {
        let counter = self.counter.map_or(0, |counter| counter.bits);
        let mut parts = vec![format!("tick {}", id.unbounded_shr(counter + self.tail))];
        if counter > 0 {
            parts.push(format!("counter {}", id.unbounded_shr(self.tail) & mask(counter)));
        }
        if self.tail > 0 {
            parts.push(format!("random {:#x}", id & mask(self.tail)));
        }
        parts.join(", ")
    }
}
