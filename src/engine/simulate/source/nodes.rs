//! Ids of a clock, a node number and a sequence, without a random bit of their own.
//!
//! K generators draw their node numbers once, and share the ids as chance has it. A sequence that starts at 0 in every
//! tick waits for the next when it is used up; one that starts anywhere does not know that it has come round, and repeats
//! itself. It is drawn anew in every tick: where it is drawn once and runs on, each tick for itself is the same.

use super::arrivals::Clock;
use super::ticks::mask;
use super::{Source, Times, Words};
use crate::engine::simulate::model::Values;
use std::collections::HashMap;

/// Where a sequence stands at the start of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Start {
    /// At 0.
    Zero,
    /// Anywhere.
    Random,
    /// Anywhere, but at one place for all generators: they are copies of one.
    Common,
}

/// Ids of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Nodes {
    /// When they are made.
    pub times: Times,
    /// What a node number is drawn from; none where all have one.
    pub numbers: Option<Values>,
    /// Generators.
    pub generators: u64,
    /// Bits of the sequence.
    pub sequence: u32,
    /// Where the sequence starts.
    pub start: Start,
    /// Whether a sequence that is used up waits for the next tick; else it repeats itself.
    pub waits: bool,
    /// Ids of a trial.
    pub draws: u64,
    /// Ticks by which the clock is set back in the middle of the run; sequences then start again.
    pub back: u64,
}

/// A generator as it stands.
#[derive(Debug, Clone, Copy)]
struct Standing {
    tick: u64,
    life: u8,
    first: u64,
    made: u64,
}

impl Nodes {
    /// For each generator the first that has its number: as good a name for the number as itself, in fewer bits.
    fn names(&self, words: &mut Words) -> Vec<u64> {
        let Some(numbers) = self.numbers else { return vec![0; self.generators as usize] };
        let mut first = HashMap::new();
        (0..self.generators).map(|made_by| *first.entry(numbers.draw(words)).or_insert(made_by)).collect()
    }

    /// Bits of the name of a number.
    fn name_bits(&self) -> u32 {
        (self.generators - 1).checked_ilog2().map_or(0, |log| log + 1)
    }
}

impl Source for Nodes {
    fn draw(&self, words: &mut Words, ids: &mut Vec<u64>) {
        let names = self.names(words);
        let (name_bits, wrap) = (self.name_bits(), mask(self.sequence));
        self.times.in_order(self.draws, words, ids);
        let clock = Clock { ticks: self.times.ticks(), back: self.back };
        let never = Standing { tick: u64::MAX, life: 0, first: 0, made: 0 };
        let mut standing = vec![never; names.len()];
        let common = words.bits(self.sequence);
        for id in ids.iter_mut() {
            let (tick, life) = clock.shown(*id);
            let made_by = words.below(self.generators) as usize;
            let state = &mut standing[made_by];
            let same_life = state.tick != u64::MAX && state.life == life;
            let next = match same_life {
                true if self.waits && state.tick >= tick && state.made > wrap => Some(state.tick + 1),
                true if state.tick >= tick => None,
                _ => Some(tick),
            };
            if let Some(tick) = next {
                let first = match self.start {
                    Start::Zero => 0,
                    Start::Random => words.bits(self.sequence),
                    Start::Common => common,
                };
                *state = Standing { tick, life, first, made: 0 };
            }
            let place = (state.first + state.made) & wrap;
            state.made += 1;
            let behind = (names[made_by] << self.sequence) | place;
            *id = (state.tick << (name_bits + self.sequence)) | behind;
        }
    }

    fn shown(&self, id: u64) -> String {
        let bits = self.name_bits();
        let name = (id >> self.sequence) & mask(bits);
        let node = if bits > 0 { format!(", node number of generator {name}") } else { String::new() };
        format!("tick {}{node}, sequence {}", id >> (bits + self.sequence), id & mask(self.sequence))
    }
}
