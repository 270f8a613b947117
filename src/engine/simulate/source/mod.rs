//! Where the ids of a trial come from: what is drawn, in which order, and how an id is shown.

mod arrivals;
mod flat;
mod letters;
mod nodes;
mod ticks;
mod words;

pub(super) use arrivals::Times;
pub(super) use flat::{Flat, Kin};
pub(super) use letters::Letters;
pub(super) use nodes::{Nodes, Start};
pub(super) use ticks::{Counter, Ticks, mask};
pub(super) use words::Words;

/// What the ids of a trial are drawn by.
pub(super) trait Source: Sync {
    /// Draws one trial from its own words, ids in the order in which they are made, as numbers that are equal exactly
    /// where the ids are. `ids` is emptied first.
    fn draw(&self, words: &mut Words, ids: &mut Vec<u64>);

    /// An id as people read it: its tick, its counter, its random part.
    fn shown(&self, id: u64) -> String;
}
