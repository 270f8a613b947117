//! What is missing for a risk: ids, time, rate, or the space itself.

use super::answer::Case;
use super::load::Load;
use super::model::{Counter, Model, Values};
use super::odds;
use crate::error::{Error, Result};
use crate::math::inverse::{self, Risk};
use crate::math::logspace::{Chance, Wide};
use crate::math::retention::Retention;
use crate::math::trials;
use crate::units::{Count, Probability};
use num_bigint::BigUint;

/// The risk in the form that the mathematics takes.
pub(super) fn risk(probability: &Probability) -> Risk {
    Risk::new(probability.numerator().clone(), probability.denominator().clone())
        .expect("a probability strictly between 0 and 1 is a risk")
}

/// The most ids that keep the risk, and the fewest that reach it.
pub(super) fn ids(case: &mut Case, model: &Model, load: &Load, risk: &Risk) -> Result<()> {
    let Some(values) = model.values() else { return Err(no_chance(case)) };
    let (most, fewest) = counts(values, risk);
    match model {
        Model::Nodes { .. } => {
            case.max_generators = Count::new(most);
            case.min_generators = Count::new(fewest);
            "exact birthday of node numbers; ids themselves are told apart by a sequence"
                .clone_into(&mut case.method);
        }
        Model::Bucket { counter, .. } if *counter != Counter::None && load.nodes() == Some(1) => {
            return Err(Error::range(format!(
                "{}: one generator counts and never repeats itself within a tick; no number of ids reaches a risk; give --generators 100 or leave it out",
                case.scheme
            )));
        }
        Model::Bucket { counter, values, width_s, .. }
            if *counter != Counter::None && load.nodes().is_some() =>
        {
            // Only pairs of two generators count, a share of 1 − 1/K of all.
            let across = trials::across(load.nodes().unwrap_or(u64::MAX));
            let hazard = risk.as_chance().hazard().expect("a risk below 1");
            let needed = Chance::Open(hazard.over(across));
            let most = inverse::ids_for(values.wide, needed).floor();
            case.min_ids = Count::new(&most + 1u32);
            case.max_ids = Count::new(most);
            case.method = format!(
                "in real numbers, at worst: all ids in one tick of {width_s} s (give --rate for the time)"
            );
        }
        _ => {
            case.max_ids = Count::new(most);
            case.min_ids = Count::new(fewest);
            case.method = match (model, &values.exact) {
                (Model::Bucket { width_s, .. }, _) => {
                    format!("exact, at worst: all ids in one tick of {width_s} s (give --rate for the time)")
                }
                (_, Some(_)) => "exact to the last digit".to_owned(),
                (_, None) => "exact in real numbers for the effective space, rounded to whole ids".to_owned(),
            };
        }
    }
    Ok(())
}

/// To the last digit where the space is a whole number.
fn counts(values: &Values, risk: &Risk) -> (BigUint, BigUint) {
    match &values.exact {
        Some(space) => (inverse::max_ids(space, risk), inverse::min_ids(space, risk)),
        None => {
            let fewest = fewest(values, risk);
            (&fewest - 1u32, fewest)
        }
    }
}

/// The fewest ids that reach the risk.
pub(super) fn fewest(values: &Values, risk: &Risk) -> BigUint {
    match &values.exact {
        Some(space) => inverse::min_ids(space, risk),
        None => fewest_effective(values, risk),
    }
}

/// The same for an effective space, by halving: its odds rise with the ids.
fn fewest_effective(values: &Values, risk: &Risk) -> BigUint {
    let target = risk.as_chance();
    let reached = |ids: &BigUint| odds::of_ids(values, ids) >= target;
    let (mut low, mut high) = (BigUint::from(1u32), inverse::ids_for(values.wide, target).floor() + 2u32);
    while !reached(&high) {
        low = high.clone();
        high *= 2u32;
    }
    while &high - &low > BigUint::from(1u32) {
        let middle: BigUint = (&low + &high) >> 1u32;
        if reached(&middle) { high = middle } else { low = middle }
    }
    high
}

/// The time until the risk is reached at the rate.
pub(super) fn time(case: &mut Case, model: &Model, load: &Load, risk: &Risk) -> Result<()> {
    let rate = load.rate_per_s.expect("the time is asked for at a rate");
    let seconds = match model {
        Model::Flat(values) => {
            case.method = flat_method(load).to_owned();
            match load.window_s {
                None => Some(all_kept_until(values, rate, risk)),
                Some(window) => {
                    // Until the window has filled nothing is forgotten, and the exact form holds.
                    let kept = all_kept_until(values, rate, risk);
                    let filling = kept <= Wide::new(window);
                    let forgets = || Retention::new(rate, window, values.wide).time_to(risk.as_chance());
                    if filling {
                        Some(kept)
                    } else {
                        forgets().map(|until| if until > kept { until } else { kept })
                    }
                }
            }
        }
        Model::Bucket { .. } => {
            "by bisection of the odds, to 1e-13".clone_into(&mut case.method);
            bisected(risk, |span| at(load, rate, span), model)
        }
        Model::Nodes { .. } | Model::Clock { .. } => None,
    };
    case.seconds_to_risk = Some(seconds.ok_or_else(|| no_chance(case))?);
    Ok(())
}

fn flat_method(load: &Load) -> &'static str {
    if load.window_s.is_some() { "Poisson: r²(WT − W²/2)/N" } else { "exact in real numbers" }
}

/// The rate that reaches the risk at the end of the time.
pub(super) fn rate(case: &mut Case, model: &Model, load: &Load, risk: &Risk) -> Result<()> {
    let span = load.for_s.expect("the rate is asked for over a time");
    let rate = match model {
        Model::Flat(values) => {
            case.method = flat_method(load).to_owned();
            match load.shorter_window_s() {
                None => Some(inverse::ids_for(values.wide, risk.as_chance()).over(Wide::new(span))),
                Some(window) => Retention::new(1.0, window, values.wide).rate_for(risk.as_chance(), span),
            }
        }
        Model::Bucket { .. } => {
            "by bisection of the odds, to 1e-13".clone_into(&mut case.method);
            bisected(risk, |rate| at(load, rate, span), model)
        }
        Model::Nodes { .. } | Model::Clock { .. } => None,
    };
    case.max_rate_per_s = Some(rate.ok_or_else(|| no_chance(case))?);
    Ok(())
}

/// The same load at another rate and for another time.
fn at(load: &Load, rate: f64, span: f64) -> Load {
    Load { rate_per_s: Some(rate), for_s: Some(span), ids: None, counted: false, ..load.clone() }
}

/// How long ids that are all kept are made until the risk is reached.
fn all_kept_until(values: &Values, rate: f64, risk: &Risk) -> Wide {
    inverse::ids_for(values.wide, risk.as_chance()).over(Wide::new(rate))
}

/// Odds rise with time and rate: halves the logarithm of an interval of them until floats end.
fn bisected(risk: &Risk, load: impl Fn(f64) -> Load, model: &Model) -> Option<Wide> {
    let target = risk.as_chance();
    let reached = |log2: f64| odds::odds(model, &load(log2.exp2())).chance >= target;
    let lowest = -1_000.0;
    if reached(lowest) {
        return None;
    }
    halved(lowest, 300.0, reached).map(Wide::exp2)
}

/// The least number that reaches something, between one that is taken not to and one that has to: halves
/// the interval until floats end. None where its end does not.
pub(super) fn halved(mut low: f64, mut high: f64, reached: impl Fn(f64) -> bool) -> Option<f64> {
    if !reached(high) {
        return None;
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if reached(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The least space: bits for the ids, and characters over an alphabet.
pub(super) fn space(case: &mut Case, load: &Load, risk: &Risk, alphabet: Option<u64>) -> Result<()> {
    let ids = load.ids.as_ref().expect("the space is asked for with a load").value().clone();
    case.alphabet = alphabet;
    if let (Some(window), Some(rate), Some(span)) = (load.shorter_window_s(), load.rate_per_s, load.for_s) {
        let together = Retention::new(rate, window, Wide::ONE).expected_clashes(span);
        return within_window(case, together, &ids, risk, alphabet);
    }
    case.min_bits = Some(inverse::min_bits(&ids, risk));
    case.min_bits_integer = Some(inverse::min_bits_integer(&ids, risk));
    "exact; whole numbers to the last digit".clone_into(&mut case.method);
    if let Some(letters) = alphabet {
        check_alphabet(letters)?;
        case.min_length = Some(inverse::min_length(letters, &ids, risk));
    }
    Ok(())
}

/// Pairs that live together, over the hazard that the risk allows.
fn within_window(
    case: &mut Case,
    together: Wide,
    ids: &BigUint,
    risk: &Risk,
    alphabet: Option<u64>,
) -> Result<()> {
    let bits = together.over(risk.as_chance().hazard().expect("a risk below 1")).log2().max(0.0);
    // What keeps the risk where everything is kept keeps it here.
    case.min_bits = Some(bits.min(inverse::min_bits(ids, risk)));
    case.min_bits_integer = Some((bits.ceil() as u64).min(inverse::min_bits_integer(ids, risk)));
    "Poisson: r²(WT − W²/2)/N".clone_into(&mut case.method);
    if let Some(letters) = alphabet {
        check_alphabet(letters)?;
        let length = (bits / (letters as f64).log2()).ceil().max(1.0) as u64;
        case.min_length = Some(length.min(inverse::min_length(letters, ids, risk)));
    }
    Ok(())
}

fn check_alphabet(letters: u64) -> Result<()> {
    if letters >= 2 {
        return Ok(());
    }
    let allowed = "at least 2 characters, since strings of one letter are all equal";
    Err(Error::value("--alphabet", &letters.to_string(), allowed, "62"))
}

fn no_chance(case: &Case) -> Error {
    Error::range(format!(
        "{}: clashes do not come by chance here (they need a shared node number or a clock set back), so there is nothing to solve for; \
         ask without --risk",
        case.scheme
    ))
}
