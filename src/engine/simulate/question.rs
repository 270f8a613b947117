//! The question of `simulate`: what is drawn, how many and how often, checked.

use crate::id::generator::Cipher;
use crate::sim::count::Method;
use serde::{Deserialize, Serialize};

/// When ids come, as ticks of a clock see it; a trial always has the same number of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Each at a time of its own, all times equally likely: a Poisson process of which the number of ids is known.
    #[default]
    Poisson,
    /// At equal distances.
    Steady,
    /// As Poisson, but only in the first share `duty` of the run's ticks: the rest of the time nobody asks.
    Bursty,
    /// In batches of so many ids, each batch at one moment, moments as with Poisson.
    Batched,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// All generators start as copies of one: equal random state, counter and node number (a micro-VM that is resumed
    /// several times).
    Clone,
    /// One generator makes half of the ids; then the others start as copies of its random state, and all make the rest
    /// between them (a server that forks).
    Fork,
    /// In the middle of the run the clock is set back, and nobody notices: its ticks are lived twice, and counters and sequences
    /// start again.
    ClockBack,
    /// Letters are taken as the remainder of a byte.
    Modulo,
}

/// Everything that can be asked of `simulate`, in base units, not yet checked. It reads back from a record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Inputs {
    /// A scheme of the catalogue, by its name there.
    pub scheme: Option<String>,
    /// Values of a flat space.
    pub space: Option<u64>,
    /// Bits of a flat space, 1 to 122 with 8 to 64 the usual; with a scheme the random bits that it is scaled down to: of an
    /// id, with those of a counter that start at random, or of a node number. Without them a scheme is scaled so that a trial
    /// expects about one colliding pair, and node numbers stay as they are.
    pub bits: Option<u32>,
    /// Characters of random strings.
    pub alphabet: Option<u64>,
    /// How long they are.
    pub length: Option<u64>,
    /// Ids of one trial: at most 2^40 of plain uniform draws, 2^26 of all others. Of a flat space √N without them and at most
    /// 2^24, of a clock what rate and span bring, or 100 a tick.
    pub draws: Option<u64>,
    /// Trials.
    pub trials: Option<u64>,
    /// What makes the random bytes.
    pub rng: Cipher,
    /// How repeats are counted.
    pub method: Method,
    /// Ids made each second; tells how many share a tick of a clock.
    pub rate_per_s: Option<f64>,
    /// For how long ids are made; with a clock 1,000 ticks where nothing says.
    pub for_s: Option<f64>,
    /// For how long a key is kept: only live keys clash. Of flat spaces, with a rate.
    pub window_s: Option<f64>,
    /// When ids come.
    pub arrivals: Arrivals,
    /// Of bursty arrivals: the share of the time in which ids come, 0.1 where nobody says.
    pub duty: Option<f64>,
    /// Of batched arrivals: ids in a batch, 100 where nobody says.
    pub batch: Option<u64>,
    /// Generators that make the ids between them.
    pub generators: Option<u64>,
    /// Bits of the seed of each generator.
    pub seed_bits: Option<u32>,
    /// Hexadecimal digits that are kept of each id.
    pub keep_hex: Option<u32>,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// Of a clock set back: by how much, at most half of the run; a tenth of it where nobody says.
    pub back_s: Option<f64>,
    /// Of clones and forks: ids that each copy makes before it draws new random state; none for ever.
    pub reseed_after: Option<u64>,
    /// Stop as soon as the interval of the probability is no wider.
    pub until_width: Option<f64>,
    /// How many clashing values are shown with the numbers of their draws.
    pub witness: u64,
}

impl Inputs {
    /// Whether generators are copies of one, which need no luck to clash.
    pub(super) fn has_copies(&self) -> bool {
        matches!(self.fault, Some(Fault::Clone | Fault::Fork))
    }
}
