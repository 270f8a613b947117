//! How many ids a trial has, and over how many ticks: from draws, rate and span, of which any two give the third.

use super::super::question::Inputs;
use super::{HELD_BITS, MOST_HELD, counted, thousands};
use crate::error::{Error, Result};

/// Ticks of a run where nobody says.
const TICKS: f64 = 1_000.0;
/// Ids of a tick where nobody says.
const IDS_PER_TICK: f64 = 100.0;

/// Bits of a space in which n²/2N still is the risk.
pub(super) const FEWEST_BITS: f64 = 16.0;
/// Ids of a question that is scaled down, at most.
const MOST_SCALED: f64 = 16_777_216.0;
/// Ids of a question that is scaled down to a second's work.
const ENOUGH_DRAWS: f64 = 65_536.0;

/// Ids that a rate brings, rounded.
fn brought(rate_per_s: f64, span_s: f64, most: u64, what: &str) -> Result<u64> {
    let ids = (rate_per_s * span_s).round();
    // Also for what is no number.
    if !(ids >= 1.0 && ids <= most as f64) {
        return Err(Error::range(format!(
            "{what} is {ids:e} ids a trial; from 1 to {most} can be drawn: the risk depends on n²/N alone, try a lower \
             --rate or a shorter --for with fewer --bits"
        )));
    }
    Ok(ids as u64)
}

fn at_most(draws: u64, most: u64) -> Result<u64> {
    if draws > most {
        let allowed = format!("at most {most} where ids are held in memory");
        return Err(Error::value("--draws", &draws.to_string(), &allowed, "1000000"));
    }
    Ok(draws)
}

/// Refuses more draws of so many bits than a trial can have, with the smaller question that has the same risk.
fn scaled_down(draws: u64, bits: f64, most: u64) -> Result<u64> {
    if draws <= most {
        return Ok(draws);
    }
    // n²/2N stays where n halves for every two bits less.
    let wanted = draws as f64;
    let fewer =
        (bits - 2.0 * (wanted / ENOUGH_DRAWS).log2()).round().clamp(FEWEST_BITS, f64::from(HELD_BITS));
    let few = (wanted * ((fewer - bits) / 2.0).exp2()).round();
    let what = format!(
        "--draws: {} are more than the {} that a trial can have",
        counted(draws, "id"),
        thousands(most)
    );
    Err(Error::range(match few <= MOST_SCALED {
        true => format!(
            "{what}; the risk depends on n²/2N alone, and that is the same for --bits {fewer} --draws {few}"
        ),
        false => format!(
            "{what}, and so many of {bits:.0} bits clash for certain; try fewer --draws or more --bits"
        ),
    }))
}

/// Two ways to say one thing.
fn once(inputs: &Inputs) -> Result<()> {
    if inputs.draws.is_some() && inputs.rate_per_s.is_some() && inputs.for_s.is_some() {
        let message = "--draws, --rate and --for: any two of them give the third; leave one out";
        return Err(Error::range(message));
    }
    Ok(())
}

/// Ids of a trial without a clock, of so many bits, where they are given.
pub(super) fn ids(inputs: &Inputs, bits: f64, most: u64) -> Result<Option<u64>> {
    once(inputs)?;
    if inputs.rate_per_s.is_some() && inputs.for_s.is_none() && inputs.window_s.is_none() {
        return Err(Error::range(
            "--rate changes nothing here: ids of one space have no clock; add --for (how many ids) or --window (how many \
             are live), or leave it out",
        ));
    }
    match (inputs.draws, inputs.rate_per_s, inputs.for_s) {
        (Some(draws), ..) if most == MOST_HELD => at_most(draws, most).map(Some),
        (Some(draws), ..) => scaled_down(draws, bits, most).map(Some),
        (None, Some(rate), Some(span)) => brought(rate, span, most, "--rate times --for").map(Some),
        (None, None, Some(_)) => Err(Error::range(
            "--for needs --rate beside it here: how many ids come in that time; try --draws instead",
        )),
        _ => Ok(None),
    }
}

/// Draws by which a window reaches back.
pub(super) fn window(inputs: &Inputs) -> Result<Option<u64>> {
    let (Some(window), Some(rate)) = (inputs.window_s, inputs.rate_per_s) else { return Ok(None) };
    let ids = (rate * window).round();
    if ids < 1.0 {
        return Err(Error::range(format!(
            "--window holds {ids:e} ids at that --rate, so that nothing can clash; try a longer one"
        )));
    }
    Ok(Some(if ids < 2f64.powi(63) { ids as u64 } else { u64::MAX }))
}

/// A run by a clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run {
    /// Ids of it.
    pub draws: u64,
    /// Ticks of it.
    pub ticks: u64,
}

/// The run of a scheme with ticks of that length.
pub(super) fn run(inputs: &Inputs, tick_s: f64, most: u64, most_ticks: u64) -> Result<Run> {
    once(inputs)?;
    let span = match (inputs.draws, inputs.rate_per_s, inputs.for_s) {
        (_, _, Some(span)) => span,
        (Some(draws), Some(rate), None) => draws as f64 / rate,
        _ => TICKS * tick_s,
    };
    let ticks = (span / tick_s).round().max(1.0);
    if ticks > most_ticks as f64 {
        return Err(Error::range(format!(
            "a run of {span:e} s has {ticks:e} ticks of {tick_s:e} s; at most {most_ticks} can be told apart beside so \
             many bits: try a shorter --for, a higher --rate or fewer --bits"
        )));
    }
    let ticks = ticks as u64;
    let draws = match (inputs.draws, inputs.rate_per_s) {
        (Some(draws), _) => at_most(draws, most)?,
        (None, Some(rate)) => brought(rate, span, most, "--rate over the run")?,
        (None, None) => brought(IDS_PER_TICK, ticks as f64, most, "100 ids a tick")?,
    };
    Ok(Run { draws, ticks })
}
