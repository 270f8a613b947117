//! Ids of one space for all time, 1 to 64 bits: independent, or of generators that share their random state.
//!
//! Generators take turns: draw i is made by generator i mod K and is its draw number ⌊i/K⌋, its *row*. Generators of
//! one state make one id in each row.

use super::super::model::Values;
use super::{Source, Words};
use std::collections::HashMap;

/// What the generators of a trial have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Kin {
    /// Nothing: every id is drawn by itself.
    None,
    /// Each draws a seed of so many bits, and all that it makes follows from that.
    Seeds { generators: u64, bits: u32 },
    /// From draw `from` on so many generators are copies of one for `rows` ids each; before there is one generator.
    Copies { generators: u64, from: u64, rows: u64 },
}

/// Ids of one space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Flat {
    /// What an id is drawn from.
    pub values: Values,
    /// Ids of a trial.
    pub draws: u64,
    /// What generators have in common.
    pub kin: Kin,
}

impl Flat {
    /// As often as a row has come of which an id is a copy: the ids of rows are those of the first generator of a seed.
    fn seeded(&self, words: &mut Words, ids: &mut Vec<u64>, generators: u64, bits: u32) {
        let acting = generators.min(self.draws);
        let mut first = HashMap::new();
        let of: Vec<usize> =
            (0..acting as usize).map(|made_by| *first.entry(words.bits(bits)).or_insert(made_by)).collect();
        let mut row = 0;
        while ids.len() < self.draws as usize {
            for (made_by, of) in of.iter().enumerate().take(self.draws as usize - row) {
                let id = if *of == made_by { self.values.draw(words) } else { ids[row + of] };
                ids.push(id);
            }
            row = ids.len();
        }
    }

    fn copied(&self, words: &mut Words, ids: &mut Vec<u64>, generators: u64, from: u64, rows: u64) {
        ids.extend((0..from).map(|_| self.values.draw(words)));
        let mut id = 0;
        for made in 0..self.draws - from {
            if made % generators == 0 || made / generators >= rows {
                id = self.values.draw(words);
            }
            ids.push(id);
        }
    }
}

impl Source for Flat {
    fn draw(&self, words: &mut Words, ids: &mut Vec<u64>) {
        ids.clear();
        ids.reserve(self.draws as usize);
        match self.kin {
            Kin::None => ids.extend((0..self.draws).map(|_| self.values.draw(words))),
            Kin::Seeds { generators, bits } => self.seeded(words, ids, generators, bits),
            Kin::Copies { generators, from, rows } => self.copied(words, ids, generators, from, rows),
        }
    }

    fn shown(&self, id: u64) -> String {
        match self.values {
            Values::Bits(bits) => format!("{id:0digits$x}", digits = bits.div_ceil(4) as usize),
            Values::Whole(_) => id.to_string(),
        }
    }
}
