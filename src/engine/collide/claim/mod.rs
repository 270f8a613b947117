//! A claim such as `50% after 86y`, checked, with the slip that explains it where one does.

mod read;
mod slip;

pub use slip::Slip;

use super::load::Load;
use super::model::{Counter, Model, Values};
use super::{odds, solve};
use crate::error::{Error, Result};
use crate::math::birthday;
use crate::math::inverse::Risk;
use crate::math::logspace::{Chance, Wide};
use crate::units::{Count, LARGEST_BITS, SECONDS_PER_YEAR};
use num_bigint::BigUint;
use read::{Claimed, Written};
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// A probability, claimed for a number of ids or a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    text: String,
    probability: Written,
    load: Option<Claimed>,
}

/// A number of ids: a whole one where it is whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Ids {
    /// To the last digit.
    Whole(Count),
    /// A rate times a time that make no whole number.
    Real(Wide),
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// As it was made.
    pub claim: String,
    /// Whether it is right, to the digits it was made with.
    pub right: bool,
    /// The probability that was claimed.
    #[serde(serialize_with = "super::answer::as_number")]
    pub claimed_probability: Chance,
    /// The right one, for the claimed load.
    #[serde(serialize_with = "super::answer::as_number")]
    pub probability: Chance,
    /// Its decimal logarithm.
    pub log10_probability: Option<f64>,
    /// Claimed over right; null where the right one is 0.
    pub factor: Option<Wide>,
    /// Ids that the right probability was computed for.
    pub ids: Option<Ids>,
    /// The fewest ids that have the claimed probability.
    pub ids_for_claimed: Option<Count>,
    /// Claimed ids over those: by how much the claim has too many, or at a rate too long a time. Says what
    /// `factor` hides where the right probability is next to 1.
    pub ids_factor: Option<Wide>,
    /// The seconds after which it would be reached.
    pub seconds_for_claimed: Option<Wide>,
    /// The slip that leads to the claim; null where it is right or none explains it.
    pub slip: Option<Slip>,
    /// What the slip is.
    pub explanation: Option<String>,
    /// What else must be said for the verdict to be true: which load counts, what was assumed.
    pub remarks: Vec<String>,
}

impl Serialize for Claim {
    /// As it was made.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl FromStr for Claim {
    type Err = Error;

    /// `50% after 86y`, `1e-6 at 1e16`, `1 in 550 billion`, `2^61 ids for 50%`, `one in a million at 1e12`.
    fn from_str(text: &str) -> Result<Claim> {
        let (probability, load) = read::claim(text).ok_or_else(|| {
            let allowed =
                "a probability from 0 to 1, alone or with what it is for (after a span, at a number of ids)";
            let example = "\"50% after 86y\", \"1e-6 at 1e16\" or \"1 in 550 billion\"";
            Error::value("a claim", &shortened(text), allowed, example)
        })?;
        Ok(Claim { text: text.split_whitespace().collect::<Vec<_>>().join(" "), probability, load })
    }
}

/// As much of a text as an error quotes.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_owned() } else { text.chars().take(59).chain(['…']).collect() }
}

/// Checks a claim against the model.
///
/// # Errors
/// Where the claim and the flags leave the load open, or chance does not decide in this scheme.
pub(super) fn check(claim: &Claim, model: &Model, load: &Load) -> Result<Verdict> {
    let Some(values) = model.values().filter(|_| !matches!(model, Model::Nodes { .. })) else {
        return Err(Error::range(
            "--claim is about chance, and in this scheme clashes do not come by chance; try --scheme v4",
        ));
    };
    let (span, ids) = claimed_load(claim, load)?;
    let context = Context { claim, model, values, load, span };
    let probability = context.probability(&ids);
    let ids_for_claimed = claim.probability.as_risk().and_then(|risk| context.ids_for(&risk));
    let fewest = context.is_fewest(ids_for_claimed.as_ref(), probability);
    let right = context.meets() || fewest;
    let slip = if right { None } else { context.slip() };
    let needed = ids_for_claimed.as_ref().map(|ids| Wide::whole(ids.value()));
    let [_, claimed_probability, _] = claim.probability.chances();
    Ok(Verdict {
        claim: claim.text.clone(),
        right,
        claimed_probability,
        probability,
        log10_probability: probability.log10(),
        factor: (probability != Chance::NEVER)
            .then(|| claimed_probability.probability().over(probability.probability())),
        ids_factor: needed.map(|needed| span.value.over(needed)),
        seconds_for_claimed: needed.zip(load.rate_per_s).map(|(ids, rate)| ids.over(Wide::new(rate))),
        remarks: context.remarks(right, fewest, probability),
        ids: Some(ids),
        ids_for_claimed,
        slip: slip.as_ref().map(|(slip, _)| *slip),
        explanation: slip.map(|(_, explanation)| explanation),
    })
}

/// What a number of ids can stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    low: Wide,
    value: Wide,
    high: Wide,
}

impl Range {
    fn of(written: &Written, factor: f64) -> Range {
        let [low, value, high] = written.range().map(|value| value.times(Wide::new(factor)));
        Range { low, value, high }
    }
}

/// The ids that a claim is about; its own where it names them, otherwise the flags'.
fn claimed_load(claim: &Claim, load: &Load) -> Result<(Range, Ids)> {
    let (range, whole) = match (&claim.load, load.rate_per_s, &load.ids) {
        (Some(Claimed::Ids(ids)), ..) => (Range::of(ids, 1.0), ids.whole_times(&1u32.into())),
        (Some(Claimed::Seconds(seconds)), Some(rate), _) => {
            let range = Range::of(seconds, rate);
            (range, whole_rate(rate).and_then(|rate| seconds.whole_times(&rate)))
        }
        (Some(Claimed::Seconds(_)), None, _) => {
            return Err(Error::range(
                "--claim over a time needs --rate; try --claim \"50% after 86y\" --rate 1e9 --space 2^122",
            ));
        }
        (None, _, Some(ids)) => {
            let value = Wide::whole(ids.value());
            (Range { low: value, value, high: value }, Some(ids.clone()))
        }
        (None, ..) => {
            return Err(Error::range(
                "--claim names no load: say \"50% at 2^61\", or add --ids, or --rate and --for",
            ));
        }
    };
    if range.high.log2() > LARGEST_LOG2 {
        return Err(Error::range("--claim is about 2^4096 ids or more; try fewer"));
    }
    let seconds = load.rate_per_s.map(|rate| range.high.over(Wide::new(rate)));
    if seconds.is_some_and(|seconds| seconds > Wide::new(LONGEST_S)) {
        return Err(Error::range("--claim is about more than 1e100 seconds at that rate; try fewer ids"));
    }
    Ok((range, whole.map_or(Ids::Real(range.value), Ids::Whole)))
}

/// The most ids that are counted.
const LARGEST_LOG2: f64 = LARGEST_BITS as f64;

/// By how much the fewest ids that reach a probability may pass it, for the claim of them to be right.
const MORE_OF_FEWEST: f64 = 0.02;

/// The longest time that is computed with: products of two of them with rates stay finite.
const LONGEST_S: f64 = 1e100;

/// A rate that is a whole number, as far as floats hold every one.
fn whole_rate(rate: f64) -> Option<BigUint> {
    (rate.fract() == 0.0 && rate < 2f64.powi(53)).then(|| BigUint::from(rate as u64))
}

/// A claim with all that is needed to weigh it.
struct Context<'a> {
    claim: &'a Claim,
    model: &'a Model,
    values: &'a Values,
    load: &'a Load,
    /// Ids.
    span: Range,
}

impl Context<'_> {
    /// The right probability for the ids as claimed.
    fn probability(&self, ids: &Ids) -> Chance {
        match (ids, &self.values.exact) {
            (Ids::Whole(ids), Some(space)) if self.in_one_space() => birthday::chance(ids.value(), space),
            _ => self.right(self.span.value),
        }
    }

    /// Whether all ids can clash with all others.
    fn in_one_space(&self) -> bool {
        match self.model {
            Model::Bucket { counter, .. } => {
                self.load.rate_per_s.is_none() && !(*counter != Counter::None && self.load.nodes().is_some())
            }
            _ => self.load.rate_per_s.is_none() || self.load.window_s.is_none(),
        }
    }

    /// The right probability for so many ids.
    fn right(&self, ids: Wide) -> Chance {
        if self.in_one_space() {
            return birthday::chance_in(ids, self.values.wide);
        }
        let span = self.load.rate_per_s.map(|rate| ids.over(Wide::new(rate)).as_f64().min(LONGEST_S));
        let load = Load { for_s: span, ids: Count::new(ids.floor()), counted: false, ..self.load.clone() };
        odds::odds(self.model, &load).chance
    }

    /// The fewest ids that have a probability.
    fn ids_for(&self, risk: &Risk) -> Option<Count> {
        if self.in_one_space() {
            return Count::new(solve::fewest(self.values, risk));
        }
        // Odds rise with the ids: bisection of their logarithm.
        let longest = self.load.rate_per_s.map_or(LARGEST_LOG2, |rate| (LONGEST_S * rate).log2());
        let reached = |log2: f64| self.right(Wide::exp2(log2)) >= risk.as_chance();
        let least = solve::halved(0.0, longest.clamp(1.0, 990.0), reached)?;
        Count::new(Wide::exp2(least).floor() + 1u32)
    }

    /// Whether what is right for the claimed ids rounds to the claimed probability.
    fn meets(&self) -> bool {
        let [least, value, most] = self.claim.probability.chances();
        let (low, high) = (self.right(self.span.low), self.right(self.span.high));
        if value == Chance::NEVER {
            return high == Chance::NEVER;
        }
        reaches(high, least) && reaches(most, low)
    }

    /// Whether the claim names the fewest ids that reach its probability and little more: 50 % at 23 of 365,
    /// though 23 give 50.73 %.
    fn is_fewest(&self, ids_for_claimed: Option<&Count>, probability: Chance) -> bool {
        let [_, claimed, _] = self.claim.probability.chances();
        let little = claimed.probability().times(Wide::new(1.0 + MORE_OF_FEWEST));
        let named = ids_for_claimed.is_some_and(|ids| Wide::whole(ids.value()) == self.span.value);
        !self.rounds(probability) && named && probability.probability() <= little
    }

    /// Whether a probability rounds to the claimed one.
    fn rounds(&self, probability: Chance) -> bool {
        let [least, _, most] = self.claim.probability.chances();
        reaches(probability, least) && reaches(most, probability)
    }

    /// What else must be said.
    fn remarks(&self, right: bool, fewest: bool, probability: Chance) -> Vec<String> {
        let rounded = (right && !fewest && !self.rounds(probability)).then(|| {
            "right only because its load is a rounded one: as it stands it gives the odds above".to_owned()
        });
        let fewest = fewest.then(|| "these are the fewest ids that reach what was claimed".to_owned());
        let worst = match self.model {
            Model::Bucket { width_s, .. } if self.load.rate_per_s.is_none() => Some(format!(
                "without --rate all ids are taken to be made in one tick of {width_s} s, which is the worst case"
            )),
            _ => None,
        };
        let own = self.differs().then(|| "the load in the claim counts, not the one beside it".to_owned());
        [fewest, rounded, own, worst].into_iter().flatten().collect()
    }

    /// Whether the flags give a load too, and another one.
    fn differs(&self) -> bool {
        let Some(ids) = self.load.ids.as_ref().map(|ids| Wide::whole(ids.value())) else { return false };
        // With a window and no time a year is filled in, which nobody asked for.
        let filled_in = self.load.window_s.is_some() && self.load.for_s == Some(SECONDS_PER_YEAR as f64);
        self.claim.load.is_some() && !filled_in && (ids < self.span.low || ids > self.span.high)
    }
}

/// Whether one chance is at least another, to what is lost on the way to both: some 1e-15 each.
fn reaches(chance: Chance, least: Chance) -> bool {
    match (chance.hazard(), least.hazard()) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(chance), Some(least)) => chance.times(Wide::new(1.0 + 1e-13)) >= least,
    }
}
