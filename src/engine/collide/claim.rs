//! A claim such as `50% after 86y`, checked, with the slip that explains it where one does.

use super::load::Load;
use super::model::{Model, Values};
use super::{odds, solve};
use crate::error::{Error, Result};
use crate::math::logspace::{Chance, Wide};
use crate::units::{Count, Probability, Span};
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// Words that may stand between a probability and the load it is claimed for.
const JOINTS: [&str; 9] = ["after", "over", "within", "among", "with", "from", "at", "for", "in"];

/// A probability, claimed for a number of ids or a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    text: String,
    probability: Range,
    /// The probability as it was written, where it is strictly between 0 and 1.
    exact: Option<Probability>,
    load: Option<Claimed>,
}

/// What a rounded number can stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    value: f64,
    low: f64,
    high: f64,
}

/// What the probability is claimed for.
#[derive(Debug, Clone, PartialEq)]
enum Claimed {
    Ids(Range),
    Seconds(Range),
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// As it was made.
    pub claim: String,
    /// Whether it is right, to the digits it was made with.
    pub right: bool,
    /// The probability that was claimed.
    pub claimed_probability: f64,
    /// The right one, for the claimed load.
    #[serde(serialize_with = "as_number")]
    pub probability: Chance,
    /// Its decimal logarithm.
    pub log10_probability: Option<f64>,
    /// Claimed over right; null where the right one is 0.
    pub factor: Option<Wide>,
    /// Ids that the right probability was computed for.
    pub ids: Option<Wide>,
    /// The fewest ids that have the claimed probability.
    pub ids_for_claimed: Option<Count>,
    /// The seconds after which it would be reached.
    pub seconds_for_claimed: Option<Wide>,
    /// The slip that leads to the claim; null where it is right or none explains it.
    pub slip: Option<Slip>,
    /// What the slip is.
    pub explanation: Option<String>,
}

fn as_number<S: Serializer>(chance: &Chance, serializer: S) -> Result<S::Ok, S::Error> {
    chance.probability().serialize(serializer)
}

/// A known way to a wrong figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Slip {
    /// 50 % at √N ids.
    SquareRootForHalf,
    /// Another number of bits: 2^128 for v4, or one more or less.
    WrongSpace,
    /// n² for n(n − 1).
    SquareForPairs,
    /// Each pair counted twice.
    PairsTwice,
    /// n/N: one id against the rest, not all against all.
    LinearInIds,
    /// The expected number of pairs taken for a probability.
    PairsForProbability,
    /// 1 − e^−x in doubles.
    Underflow,
    /// e^x − 1 for 1 − e^−x.
    WrongSign,
    /// Percent for a fraction, or the other way round.
    Percent,
    /// GB for GiB, and the same for other prefixes.
    BinaryPrefix,
    /// Milliseconds for seconds, thousands for ones.
    Thousand,
    /// All ids in one space for all time, though a clock tells them apart.
    ClockIgnored,
}

impl Serialize for Claim {
    /// As it was made.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl FromStr for Claim {
    type Err = Error;

    /// `50% after 86y`, `1e-6 at 1e16`, `1 in 550 billion`, `2^61 ids for 50%`.
    fn from_str(text: &str) -> Result<Claim> {
        let read = || {
            let words: Vec<&str> = text.split_whitespace().collect();
            // First as a whole: the "in" of "1 in 550 billion" joins no load.
            let whole = || Some((probability(&words)?, None));
            let split = || {
                let places = words.iter().enumerate().filter(|(_, word)| JOINTS.contains(word));
                let mut halves = places.map(|(at, _)| (&words[..at], &words[at + 1..]));
                halves.find_map(|(before, after)| {
                    let forward = || Some((probability(before)?, Some(load(after)?)));
                    let backward = || Some((probability(after)?, Some(load(before)?)));
                    forward().or_else(backward)
                })
            };
            let ((probability, exact), load) = whole().or_else(split)?;
            Some(Claim { text: words.join(" "), probability, exact, load })
        };
        read().ok_or_else(|| {
            let allowed =
                "a probability from 0 to 1, alone or with what it is for (after a span, at a number of ids)";
            Error::value(
                "a claim",
                text,
                allowed,
                "\"50% after 86y\", \"1e-6 at 1e16\" or \"1 in 550 billion\"",
            )
        })
    }
}

/// `50%`, `0.155`, `1e-6`, `1 in 550 billion`, `0`: what rounds to it, and what it is.
fn probability(words: &[&str]) -> Option<(Range, Option<Probability>)> {
    if let ["1", "in", rest @ ..] = words {
        let one_in = number(rest).filter(|range| range.low >= 1.0)?;
        let range = Range { value: 1.0 / one_in.value, low: 1.0 / one_in.high, high: 1.0 / one_in.low };
        return Some((range, format!("1/{}", one_in.value).parse().ok()));
    }
    let joined = words.join("");
    let text = joined.trim_start_matches("p=").trim_start_matches('~');
    let exact = text.parse::<Probability>().ok();
    // A quotient is exact, as is a power.
    if let (Some(exact), true) = (&exact, text.contains(['/', '^'])) {
        let value = solve::risk(exact).as_f64();
        return Some((Range { value, low: value, high: value }, Some(exact.clone())));
    }
    let (digits, scale) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let read = decimal(digits)?;
    let range =
        Range { value: read.value / scale, low: (read.low / scale).max(0.0), high: read.high / scale };
    (0.0..=1.0).contains(&range.value).then_some((range, exact))
}

/// `86y`, `1e16`, `2^61 ids`, `7 billion`.
fn load(words: &[&str]) -> Option<Claimed> {
    if let Ok(span) = words.join("").parse::<Span>() {
        let seconds = span.as_f64();
        let text = words.join("");
        let digits: String =
            text.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '_')).collect();
        let rounded = decimal(&digits)?;
        let unit = if rounded.value > 0.0 { seconds / rounded.value } else { return None };
        return Some(Claimed::Seconds(Range {
            value: seconds,
            low: rounded.low * unit,
            high: rounded.high * unit,
        }));
    }
    number(words).map(Claimed::Ids)
}

/// A number of things, with words for thousands and for the things behind it.
fn number(words: &[&str]) -> Option<Range> {
    let words = match words {
        [rest @ .., "ids" | "uuids" | "keys" | "draws" | "payments"] => rest,
        all => all,
    };
    let (digits, factor) = match words {
        [digits] => (*digits, 1.0),
        [digits, word] => {
            let factor = match *word {
                "thousand" => 1e3,
                "million" => 1e6,
                "billion" => 1e9,
                "trillion" => 1e12,
                "quadrillion" => 1e15,
                _ => return None,
            };
            (*digits, factor)
        }
        _ => return None,
    };
    // A whole number is meant as it stands; what has a fraction or a word behind it was rounded.
    if factor == 1.0
        && !digits.contains('.')
        && let Ok(count) = digits.replace(',', "").parse::<Count>()
    {
        let value = Wide::whole(count.value()).in_f64()?;
        return Some(Range { value, low: value, high: value });
    }
    let read = decimal(&digits.replace(',', ""))?;
    Some(Range { value: read.value * factor, low: read.low * factor, high: read.high * factor })
}

/// A decimal number and what rounds to it: half a unit of its last digit to either side.
fn decimal(text: &str) -> Option<Range> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    let value: f64 = text.parse().ok().filter(|value: &f64| plain && value.is_finite() && *value >= 0.0)?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(decimals).ok()?)?;
    // 0 itself is no rounded number here: it claims that nothing happens.
    let half = if value == 0.0 { 0.0 } else { 0.5 * 10f64.powi(exponent) };
    Some(Range { value, low: (value - half).max(0.0), high: value + half })
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
    let context = Context { claim, model, values, load, span: claimed_load(claim, load)? };
    let right = context.meets(&|ids| context.right(ids));
    let probability = context.right(context.span.value);
    let slip = if right { None } else { context.slip() };
    let ids_for_claimed = claim.exact.as_ref().and_then(|claimed| context.ids_for(claimed));
    let seconds = |(ids, rate): (&Count, f64)| Wide::whole(ids.value()).over(Wide::new(rate));
    Ok(Verdict {
        claim: claim.text.clone(),
        right,
        claimed_probability: claim.probability.value,
        probability,
        log10_probability: probability.log10(),
        factor: (probability != Chance::NEVER)
            .then(|| Wide::new(claim.probability.value).over(probability.probability())),
        ids: Some(Wide::new(context.span.value)),
        seconds_for_claimed: ids_for_claimed.as_ref().zip(load.rate_per_s).map(seconds),
        ids_for_claimed,
        slip: slip.as_ref().map(|(slip, _)| *slip),
        explanation: slip.map(|(_, explanation)| explanation),
    })
}

/// The ids that a claim is about, as a range; its own where it names them, otherwise the flags'.
fn claimed_load(claim: &Claim, load: &Load) -> Result<Range> {
    let range = match (&claim.load, load.rate_per_s, &load.ids) {
        (Some(Claimed::Ids(ids)), ..) => Some(*ids),
        (Some(Claimed::Seconds(seconds)), Some(rate), _) => {
            Some(Range { value: seconds.value * rate, low: seconds.low * rate, high: seconds.high * rate })
        }
        (Some(Claimed::Seconds(_)), None, _) => {
            return Err(Error::range(
                "--claim over a time needs --rate; try --claim \"50% after 86y\" --rate 1e9 --space 2^122",
            ));
        }
        (None, _, Some(ids)) => {
            Wide::whole(ids.value()).in_f64().map(|ids| Range { value: ids, low: ids, high: ids })
        }
        (None, ..) => {
            return Err(Error::range(
                "--claim names no load: say \"50% at 2^61\", or add --ids, or --rate and --for",
            ));
        }
    };
    range
        .filter(|ids| ids.high < 1e300)
        .ok_or_else(|| Error::range("--claim is about more than 1e300 ids; try fewer"))
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
    /// The right probability for so many ids.
    fn right(&self, ids: f64) -> Chance {
        match (self.model, self.load.rate_per_s) {
            (Model::Bucket { .. }, Some(rate)) => odds::odds(self.model, &self.over(ids / rate)).chance,
            (Model::Flat(_), Some(rate)) if self.load.window_s.is_some() => {
                odds::odds(self.model, &self.over(ids / rate)).chance
            }
            _ => flat(ids, self.values.wide),
        }
    }

    fn over(&self, span: f64) -> Load {
        let ids = Wide::new(self.load.rate_per_s.unwrap_or(0.0) * span).floor();
        Load { for_s: Some(span), ids: Count::new(ids), counted: false, ..self.load.clone() }
    }

    /// The fewest ids that have a probability.
    fn ids_for(&self, claimed: &Probability) -> Option<Count> {
        let risk = solve::risk(claimed);
        let by_clock = matches!(self.model, Model::Bucket { .. }) && self.load.rate_per_s.is_some();
        if !by_clock && self.load.window_s.is_none() {
            return Count::new(solve::fewest(self.values, &risk));
        }
        // Odds rise with the ids: bisection of their logarithm.
        let (mut low, mut high) = (0.0f64, 990.0f64);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if self.right(middle.exp2()) >= risk.as_chance() { high = middle } else { low = middle }
        }
        if high > 989.0 {
            return None;
        }
        Count::new(Wide::exp2(high).floor() + 1u32)
    }

    /// Whether what a formula gives for the claimed ids rounds to the claimed probability.
    fn meets(&self, formula: &dyn Fn(f64) -> Chance) -> bool {
        agree(self.claim.probability, self.span, formula)
    }

    /// Whether a slip gives the claim: the ids to 2 %, since a rate or a time may have been rounded that
    /// does not show it.
    fn explains(&self, formula: &dyn Fn(f64) -> Chance) -> bool {
        let ids = Range { low: self.span.low * 0.98, high: self.span.high * 1.02, ..self.span };
        agree(self.narrow(), ids, formula)
    }

    /// The same for the ids as claimed: where the slip is one of the load itself.
    fn gives(&self, formula: &dyn Fn(f64) -> Chance) -> bool {
        agree(self.narrow(), self.span, formula)
    }

    /// The claimed probability to 5 %: what one digit leaves open would fit too many slips.
    fn narrow(&self) -> Range {
        let Range { value, low, high } = self.claim.probability;
        Range { value, low: low.max(value * 0.95), high: high.min(value * 1.05) }
    }

    /// The first slip that leads to the claim, the most common first.
    fn slip(&self) -> Option<(Slip, String)> {
        let steps: [&dyn Fn() -> Option<(Slip, String)>; 9] = [
            &|| self.underflow(),
            &|| self.half(),
            &|| self.clock(),
            &|| self.wrong_space(),
            &|| self.formulas(),
            &|| self.percent(),
            &|| self.binary_prefix(),
            &|| self.thousand(),
            &|| None,
        ];
        steps.into_iter().find_map(|step| step())
    }

    fn underflow(&self) -> Option<(Slip, String)> {
        let exponent = self.right(self.span.value).hazard()?.as_f64();
        let zero = self.claim.probability.value == 0.0 && 1.0 - (-exponent).exp() == 0.0;
        zero.then(|| {
            let text = "1 - exp(-x), or a product of factors near 1, is 0 in floating point where x is below 1.1e-16";
            (Slip::Underflow, text.to_owned())
        })
    }

    fn half(&self) -> Option<(Slip, String)> {
        let root = self.values.wide.sqrt().as_f64();
        let near = self.span.low <= root * 1.005 && self.span.high >= root * 0.995;
        let half = self.claim.probability.low <= 0.5 && self.claim.probability.high >= 0.5;
        (near && half && matches!(self.model, Model::Flat(_))).then(|| {
            let text = "the square root of the space gives 39.35 %; 50 % needs 1.1774 times as many ids";
            (Slip::SquareRootForHalf, text.to_owned())
        })
    }

    fn clock(&self) -> Option<(Slip, String)> {
        let bucketed = matches!(self.model, Model::Bucket { .. }) && self.load.rate_per_s.is_some();
        (bucketed && self.explains(&|ids| flat(ids, self.values.wide))).then(|| {
            let text = "it takes all ids for one space; only ids of one tick of the clock can clash";
            (Slip::ClockIgnored, text.to_owned())
        })
    }

    /// All 128 bits of a UUID, or a bit or two miscounted.
    fn wrong_space(&self) -> Option<(Slip, String)> {
        let bits = self.values.bits();
        let mut tried: Vec<f64> =
            [128.0, 126.0, 124.0].into_iter().filter(|other| (other - bits).abs() > 0.5).collect();
        if bits < 64.0 {
            tried.clear();
        }
        tried.extend([1.0, -1.0, 2.0, -2.0].map(|off| bits + off));
        let holds = |other: &f64| self.explains(&|ids| flat(ids, Wide::exp2(*other)));
        let other = tried.into_iter().filter(|other| *other > 0.0).find(holds)?;
        let why = match (bits, other) {
            (122.0, 128.0) => ": 4 bits of version and 2 of variant are fixed",
            (122.0, 126.0) => ": it leaves out the version but not the variant, or the other way round",
            _ => "",
        };
        let shown =
            |bits: f64| if bits.fract() == 0.0 { format!("2^{bits}") } else { format!("2^{bits:.3}") };
        Some((
            Slip::WrongSpace,
            format!("it holds for a space of {}, not of {}{why}", shown(other), shown(bits)),
        ))
    }

    /// Formulas that look alike.
    fn formulas(&self) -> Option<(Slip, String)> {
        if !matches!(self.model, Model::Flat(_)) {
            return None;
        }
        let space = self.values.wide;
        let over = move |above: Wide| above.over(space);
        let square = move |ids: f64| over(Wide::new(ids).times(Wide::new(ids)));
        let pairs = move |ids: f64| over(Wide::new(ids).times(Wide::new((ids - 1.0).max(0.0))));
        let half = Wide::new(0.5);
        let linear = move |ids: f64| over(Wide::new(ids));
        let capped = |x: Wide| Chance::from_probability(x.as_f64().min(1.0));
        type Formula<'a> = (&'a dyn Fn(f64) -> Chance, Slip, &'static str);
        let known: [Formula<'_>; 7] = [
            (
                &move |ids| Chance::Open(square(ids).times(half)),
                Slip::SquareForPairs,
                "it takes n² for n(n - 1)",
            ),
            (
                &move |ids| capped(square(ids).times(half)),
                Slip::SquareForPairs,
                "it takes n²/2N, which is neither the pairs nor a probability",
            ),
            (
                &move |ids| Chance::Open(pairs(ids)),
                Slip::PairsTwice,
                "it counts every pair twice: n(n - 1)/N for n(n - 1)/2N",
            ),
            (&move |ids| Chance::Open(square(ids)), Slip::PairsTwice, "it takes n²/N for n(n - 1)/2N"),
            (
                &move |ids| capped(pairs(ids).times(half)),
                Slip::PairsForProbability,
                "it gives the expected number of pairs, n(n - 1)/2N, for a probability",
            ),
            (
                &move |ids| capped(linear(ids)),
                Slip::LinearInIds,
                "it takes n/N: one id against all, not all against all",
            ),
            (
                &move |ids| capped(Wide::new(pairs(ids).times(half).as_f64().min(700.0).exp_m1())),
                Slip::WrongSign,
                "it takes e^x - 1 for 1 - e^-x",
            ),
        ];
        known
            .into_iter()
            .find(|(formula, ..)| self.explains(formula))
            .map(|(_, slip, text)| (slip, text.to_owned()))
    }

    fn percent(&self) -> Option<(Slip, String)> {
        let scaled = |factor: f64| {
            self.gives(&|ids| Chance::from_probability((self.right(ids).as_f64() * factor).min(1.0)))
        };
        if scaled(100.0) {
            return Some((Slip::Percent, "it gives a number of percent for a fraction".to_owned()));
        }
        scaled(0.01).then(|| (Slip::Percent, "it gives a fraction for a number of percent".to_owned()))
    }

    /// 2^30 for 10^9, either way.
    fn binary_prefix(&self) -> Option<(Slip, String)> {
        let ratio = 1.073_741_824;
        if self.gives(&|ids| self.right(ids * ratio)) {
            return Some((
                Slip::BinaryPrefix,
                format!("it holds for {ratio} times the ids: GiB where GB are meant"),
            ));
        }
        self.gives(&|ids| self.right(ids / ratio)).then(|| {
            (Slip::BinaryPrefix, format!("it holds for the ids over {ratio}: GB where GiB are meant"))
        })
    }

    fn thousand(&self) -> Option<(Slip, String)> {
        let scaled = |factor: f64| self.gives(&|ids| self.right(ids * factor));
        if scaled(1e3) {
            return Some((Slip::Thousand, "it holds for a thousand times the ids".to_owned()));
        }
        scaled(1e-3).then(|| (Slip::Thousand, "it holds for a thousandth of the ids".to_owned()))
    }
}

fn flat(ids: f64, space: Wide) -> Chance {
    solve::chance_in(Wide::new(ids), space)
}

/// Whether what a formula gives over a range of ids meets a range of probabilities.
fn agree(wanted: Range, ids: Range, formula: &dyn Fn(f64) -> Chance) -> bool {
    let (low, high) = (formula(ids.low), formula(ids.high));
    if wanted.value == 0.0 {
        return high == Chance::NEVER;
    }
    high.as_f64() >= wanted.low * (1.0 - 1e-12) && low.as_f64() <= wanted.high * (1.0 + 1e-12)
}
