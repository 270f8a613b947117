//! The answer of `collide`: one case a combination of the lists, with names that scripts rest on.

use super::claim::Verdict;
use super::evidence::Evidence;
use crate::math::logspace::{Chance, Wide, literal};
use crate::units::{Count, Probability};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What `collide` found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// One element a case, in the order of the grid.
    pub cases: Vec<Case>,
    /// What repeats that were seen say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// What became of a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Verdict>,
}

/// A probability with its logarithms, so that 1e-400 is not 0 and 1 − 1e-400 is not 1.
///
/// All three are null where nothing was computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds(pub Option<Chance>);

impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("probability", &self.0.map(Chance::probability))?;
        map.serialize_entry("log10_probability", &self.0.and_then(Chance::log10))?;
        map.serialize_entry("log10_no_clash", &self.0.and_then(Chance::nines).map(Negative))?;
        map.end()
    }
}

/// A number of any size below 0.
struct Negative(Wide);

impl Serialize for Negative {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_zero() {
            return serializer.serialize_f64(0.0);
        }
        literal(&format!("-{}", self.0), serializer)
    }
}

/// Two values that the probability lies between.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// At least this, by the name of the bound.
    #[serde(rename = "probability_at_least", serialize_with = "as_number")]
    pub lower: Chance,
    /// Which bound that is.
    #[serde(rename = "at_least_by")]
    pub lower_name: &'static str,
    /// At most this.
    #[serde(rename = "probability_at_most", serialize_with = "as_number")]
    pub upper: Chance,
    /// Which bound that is.
    #[serde(rename = "at_most_by")]
    pub upper_name: &'static str,
}

pub(super) fn as_number<S: Serializer>(chance: &Chance, serializer: S) -> Result<S::Ok, S::Error> {
    chance.probability().serialize(serializer)
}

fn as_optional_number<S: Serializer>(chance: &Option<Chance>, serializer: S) -> Result<S::Ok, S::Error> {
    chance.map(Chance::probability).serialize(serializer)
}

/// The probability of so many repeats or more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tail {
    /// Repeats.
    pub repeats: u32,
    /// That many or more.
    #[serde(flatten)]
    pub odds: Odds,
    /// Exact, or Poisson's law, good where ids are many and values far more.
    pub method: &'static str,
}

/// What a shared seed does: every id of the stream comes twice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seeds {
    /// Bits of a seed.
    pub seed_bits: u32,
    /// Generators that draw one.
    pub generators: Count,
    /// Two of them share a seed.
    #[serde(rename = "shared_seed_probability", serialize_with = "as_number")]
    pub shared: Chance,
    /// Its decimal logarithm.
    pub log10_shared_seed_probability: Option<f64>,
    /// Ids that are expected to be repeated, where each generator's share of the ids is known.
    pub expected_repeated_ids: Option<Wide>,
}

/// What numbers of nodes and a sequence do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nodes {
    /// Node numbers that there are, as a power of two.
    pub node_bits: f64,
    /// Two of the generators share a number, where each draws its own.
    #[serde(rename = "shared_node_probability", serialize_with = "as_number")]
    pub shared: Chance,
    /// Its decimal logarithm.
    pub log10_shared_node_probability: Option<f64>,
    /// Ids a second that one node can tell apart.
    pub capacity_per_s: f64,
    /// More ids than that fall into one tick, at the rate of one node and Poisson arrivals.
    #[serde(rename = "overflow_probability_per_tick", serialize_with = "as_optional_number")]
    pub overflow: Option<Chance>,
    /// Its decimal logarithm.
    pub log10_overflow_probability_per_tick: Option<f64>,
    /// Clashes each second between two nodes that share a number.
    pub clashes_per_s_of_a_shared_pair: Option<Wide>,
}

/// One case: what was put in, what came out. Fields that a case does not have are left out or null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// What ids are drawn from.
    pub scheme: String,
    /// Bits of the space that ids which can clash are drawn from, as a power of two.
    pub space_bits: Option<f64>,
    /// Values of that space, where it is a whole number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<Count>,
    /// Time within which ids can clash; null for all time.
    pub bucket_s: Option<f64>,
    /// Hexadecimal digits that are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_hex: Option<u32>,
    /// Ids made.
    pub ids: Option<Count>,
    /// Ids made each second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<f64>,
    /// For how long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_s: Option<f64>,
    /// For how long a key is kept; all the time where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_s: Option<f64>,
    /// Keys kept at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_keys: Option<Count>,
    /// Generators that make the ids between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generators: Option<Count>,
    /// The probability of at least one clash.
    #[serde(flatten)]
    pub odds: Odds,
    /// The bracket of the probability.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    /// Expected colliding pairs.
    pub expected_pairs: Option<Wide>,
    /// Expected repeats: ids less distinct ids.
    pub expected_repeats: Option<Wide>,
    /// Expected triples of one value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_triples: Option<Wide>,
    /// Mean number of ids until the first clash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_first_clash_ids: Option<Wide>,
    /// Probability of several repeats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at_least: Vec<Tail>,
    /// Colliding pairs each second once the window has filled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collisions_per_s: Option<Wide>,
    /// Honest payments taken for a retry each year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_payments_per_year: Option<Wide>,
    /// Years between two of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub years_between: Option<Wide>,
    /// What everything kept for good would give, beside a window.
    #[serde(
        rename = "keep_everything_probability",
        serialize_with = "as_optional_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub keep_everything: Option<Chance>,
    /// Its decimal logarithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log10_keep_everything_probability: Option<f64>,
    /// The target that was solved for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Probability>,
    /// The most ids with a probability of at most the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ids: Option<Count>,
    /// The fewest ids with a probability of at least the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ids: Option<Count>,
    /// The most generators that draw a node number with a probability of at most the risk that two share one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_generators: Option<Count>,
    /// The fewest with a probability of at least the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_generators: Option<Count>,
    /// Bits at which the risk is met exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_bits: Option<f64>,
    /// Whole bits that keep the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_bits_integer: Option<u64>,
    /// Characters to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alphabet: Option<u64>,
    /// Characters that keep the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// How long until the risk is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_to_risk: Option<Wide>,
    /// The rate that reaches the risk at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rate_per_s: Option<Wide>,
    /// Shared seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Seeds>,
    /// Node numbers and sequences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Nodes>,
    /// How long the clock of the scheme runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub life_s: Option<f64>,
    /// How the figures came about, with the error of an approximation.
    pub method: String,
    /// What a reader must know beside the figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Case {
    /// The probability of at least one clash, where it was asked for.
    pub fn chance(&self) -> Option<Chance> {
        self.odds.0
    }

    /// Whether a clash is likelier than a limit; decided exactly where the odds are exact.
    pub fn exceeds(&self, limit: &Probability) -> bool {
        let limit = super::solve::risk(limit);
        match (&self.space, &self.ids) {
            // A bracket stands only beside the birthday of these ids in this space.
            (Some(space), Some(ids)) if self.bounds.is_some() => {
                *ids.value() > crate::math::inverse::max_ids(space.value(), &limit)
            }
            _ => self.chance().is_some_and(|chance| chance > limit.as_chance()),
        }
    }
}
