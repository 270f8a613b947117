//! What the inputs of a trial come down to: how many ids, of what, at which ticks, with every default filled in.

mod check;
mod clocked;
mod flat;
mod load;
mod subject;

use super::expected::{self, Expected};
use super::question::Inputs;
use super::source::{Flat, Letters, Nodes, Source, Start, Ticks, Words};
use crate::error::Result;
use crate::math::logspace::Wide;
use crate::units::grouped;
use serde::{Deserialize, Serialize};
use subject::Subject;

/// Most ids of a trial of uniform draws.
pub(super) const MOST_UNIFORM: u64 = 1 << 40;
/// Most ids of a trial of everything else: they are held in memory.
pub(super) const MOST_HELD: u64 = 1 << 26;
/// Bits of the largest space whose ids are held as numbers of 64 bits.
pub(super) const HELD_BITS: u32 = 64;

/// How many values an id is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    /// 2^bits, 0 to 122 bits.
    Bits(u32),
    /// So many, at least 1.
    Whole(u64),
}

impl Values {
    /// How many they are; relative error 2^-53.
    pub fn wide(self) -> Wide {
        match self {
            Values::Bits(bits) => Wide::exp2(f64::from(bits)),
            Values::Whole(values) => Wide::new(values as f64),
        }
    }

    /// Their binary logarithm.
    pub fn bits(self) -> f64 {
        match self {
            Values::Bits(bits) => f64::from(bits),
            Values::Whole(values) => (values as f64).log2(),
        }
    }

    /// One of at most 2^64 of them: of 2^bits exactly uniform; else its odds are off by less than 2^-32 of themselves.
    #[inline]
    pub fn draw(self, words: &mut Words) -> u64 {
        match self {
            Values::Bits(bits) => words.bits(bits),
            Values::Whole(values) if values <= 1 << 32 => words.below(values),
            Values::Whole(values) => {
                let low = (u128::from(words.word()) * u128::from(values)) >> 64;
                ((u128::from(words.word()) * u128::from(values) + low) >> 64) as u64
            }
        }
    }
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
enum Drawn {
    Uniform(Values),
    Flat(Flat),
    Letters(Letters),
    Ticks(Ticks),
    Nodes(Nodes),
}

/// What stands in a record beside the inputs: what they came down to.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Parameters {
    /// Bits drawn anew for each id, where they are whole.
    pub random_bits: Option<u32>,
    /// Values of a flat space, where they are no power of two.
    pub space: Option<u64>,
    /// Bits of a counter.
    pub counter_bits: Option<u32>,
    /// Of these, bits that start at random.
    pub counter_drawn_bits: Option<u32>,
    /// Bits of a sequence.
    pub sequence_bits: Option<u32>,
    /// Bits of a node number.
    pub node_bits: Option<f64>,
    /// Generators that make the ids between them.
    pub generators: Option<u64>,
    /// Length of a tick.
    pub tick_s: Option<f64>,
    /// Ticks of a trial.
    pub ticks: Option<u64>,
    /// Ticks of these in which ids come.
    pub busy_ticks: Option<u64>,
    /// Ids of a tick on average, over ticks in which they come.
    pub ids_per_tick: Option<f64>,
    /// Ticks by which the clock is set back.
    pub back_ticks: Option<u64>,
    /// Draws within which two ids clash.
    pub window_draws: Option<u64>,
}

/// The inputs, checked, with all defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    drawn: Drawn,
    draws: u64,
    window: Option<u64>,
    parameters: Parameters,
    words: String,
    /// Whether bits were left out that nobody asked to leave out.
    scaled_unasked: bool,
}

impl Model {
    /// The model of inputs.
    ///
    /// # Errors
    /// Where a value is outside its range, inputs contradict each other or one has no effect, or a trial is larger than
    /// can be drawn; the message names the flag.
    pub fn of(inputs: &Inputs) -> Result<Model> {
        check::numbers(inputs)?;
        match Subject::of(inputs)? {
            Subject::Flat { values, name } => flat::of_space(inputs, values, &name),
            Subject::FlatScheme(scheme, bits) => flat::of_scheme(inputs, scheme, bits),
            Subject::Text { alphabet, length } => flat::of_text(inputs, alphabet, length),
            Subject::Clocked(clocked) => clocked::of(inputs, &clocked),
        }
    }

    /// Ids of one trial, at least 1.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Bits of the space in which two ids that can clash differ: of an id within its tick, of a node number; effective
    /// where values are not equally likely.
    pub fn space_bits(&self) -> f64 {
        match &self.drawn {
            Drawn::Uniform(values) => values.bits(),
            Drawn::Flat(flat) => flat.values.bits(),
            Drawn::Letters(letters) => expected::letters_bits(letters),
            Drawn::Ticks(ticks) => f64::from(ticks.tail + ticks.counter.map_or(0, |counter| counter.drawn)),
            Drawn::Nodes(nodes) => nodes.numbers.map_or(0.0, Values::bits),
        }
    }

    /// The values of plain uniform draws; none for all that has a [`Model::source`].
    pub fn uniform(&self) -> Option<Values> {
        match self.drawn {
            Drawn::Uniform(values) => Some(values),
            _ => None,
        }
    }

    /// Where the ids come from; none for plain uniform draws, which need no more than their values.
    pub fn source(&self) -> Option<&dyn Source> {
        match &self.drawn {
            Drawn::Uniform(_) => None,
            Drawn::Flat(flat) => Some(flat),
            Drawn::Letters(letters) => Some(letters),
            Drawn::Ticks(ticks) => Some(ticks),
            Drawn::Nodes(nodes) => Some(nodes),
        }
    }

    /// Of a sliding window: draw i clashes with draw j only if 0 < i − j ≤ this.
    pub fn window_draws(&self) -> Option<u64> {
        self.window
    }

    /// What mathematics expects of a trial.
    pub fn expected(&self) -> Expected {
        match &self.drawn {
            Drawn::Uniform(values) => expected::uniform(*values, self.draws),
            Drawn::Flat(flat) => expected::flat(flat, self.window),
            Drawn::Letters(letters) => expected::letters(letters),
            Drawn::Ticks(ticks) => expected::ticks(ticks),
            Drawn::Nodes(nodes) => expected::nodes(nodes),
        }
    }

    /// What is drawn, in a line.
    pub fn in_words(&self) -> String {
        self.words.clone()
    }

    /// Whether sequences beside node numbers start anywhere.
    pub fn has_random_starts(&self) -> bool {
        matches!(&self.drawn, Drawn::Nodes(nodes) if nodes.start != Start::Zero)
    }

    /// Whether it has fewer bits than its scheme, and nobody said so.
    pub fn is_scaled_unasked(&self) -> bool {
        self.scaled_unasked
    }

    /// What the inputs came down to.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

/// A count as people read it: 65,536.
pub(super) fn thousands(count: u64) -> String {
    grouped(&count.to_string())
}

/// A noun after a count.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}
