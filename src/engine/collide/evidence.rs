//! The other way: what repeats that were seen say about the bits an implementation really has.

use super::load::Load;
use super::model::Model;
use super::odds;
use crate::error::{Error, Result};
use crate::math::evidence::{effective_bits, p_value_or_fewer, p_value_or_more};
use crate::math::logspace::Wide;
use crate::math::occupancy;
use crate::units::Count;
use serde::Serialize;

/// Confidence of every interval.
const CONFIDENCE: f64 = 0.95;

/// Repeats that were seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Observation {
    /// Repeats.
    pub observed: u64,
    /// Pairs of ids that could have been equal; none: from the ids.
    pub pairs: Option<Count>,
}

/// What the repeats say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Repeats that were seen.
    pub observed: u64,
    /// Pairs of ids that could have been equal.
    pub pairs: Wide,
    /// Bits that explain the repeats best; null where none was seen: then there is only a lower bound.
    pub effective_bits: Option<f64>,
    /// Lower end; one-sided where none was seen.
    pub effective_bits_low: f64,
    /// Upper end; null where none was seen.
    pub effective_bits_high: Option<f64>,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Repeats that the named space lets expect.
    pub expected: Option<Wide>,
    /// Probability of so many repeats or more, were the space as named.
    pub p_value_or_more: Option<f64>,
    /// Probability of so many repeats or fewer.
    pub p_value_or_fewer: Option<f64>,
}

/// Reads the repeats against the space of the case, where one is named.
pub(super) fn weigh(seen: &Observation, model: Option<&Model>, load: &Load) -> Result<Evidence> {
    let pairs = pairs(seen, model, load)?;
    if Wide::new(seen.observed as f64) > pairs {
        let message = format!(
            "--observed: {} repeats among {pairs} comparable pairs; there cannot be more repeats than pairs",
            seen.observed
        );
        return Err(Error::range(message));
    }
    let bits = effective_bits(pairs, seen.observed, CONFIDENCE);
    let by_chance = model.filter(|model| matches!(model, Model::Flat(_) | Model::Bucket { .. }));
    let expected = by_chance.and_then(Model::values).map(|values| pairs.over(values.wide));
    let finite = expected.and_then(Wide::in_f64);
    Ok(Evidence {
        observed: seen.observed,
        pairs,
        // Nothing has fewer bits than none.
        effective_bits: bits.bits.map(|bits| bits.max(0.0)),
        effective_bits_low: bits.low.max(0.0),
        effective_bits_high: bits.high.map(|bits| bits.max(0.0)),
        confidence: CONFIDENCE,
        expected,
        p_value_or_more: finite.map(|expected| p_value_or_more(seen.observed, expected)),
        p_value_or_fewer: finite.map(|expected| p_value_or_fewer(seen.observed, expected)),
    })
}

/// Pairs that could have been equal: as told, or of all ids, or of ids in one tick at a rate.
fn pairs(seen: &Observation, model: Option<&Model>, load: &Load) -> Result<Wide> {
    if let Some(pairs) = &seen.pairs {
        if pairs.is_zero() {
            return Err(Error::value("--pairs", "0", "at least 1", "4.995e10"));
        }
        return Ok(Wide::whole(pairs.value()));
    }
    let Some(ids) = &load.ids else {
        return Err(Error::range(
            "--observed needs --pairs, how many pairs could have been equal, or --ids (with --rate for a scheme with a clock)",
        ));
    };
    let all = occupancy::expected_pairs(ids.value(), &1u32.into());
    let pairs = match model {
        Some(Model::Bucket { .. }) if load.rate_per_s.is_none() => {
            return Err(Error::range(
                "--observed: ids of a scheme with a clock can only clash in one tick; add --rate, or --pairs",
            ));
        }
        Some(Model::Nodes { .. } | Model::Clock { .. }) => {
            return Err(Error::range(
                "--observed: in this scheme clashes do not come by chance; name the space with --bits, or give --pairs alone",
            ));
        }
        // The pairs that meet, whatever keeps others apart: expected pairs are these over the values.
        Some(model) => match model.values() {
            Some(values) => odds::odds(model, load).pairs.times(values.wide),
            None => all,
        },
        None => all,
    };
    let pairs = pairs.min(all);
    if pairs < Wide::ONE {
        return Err(Error::range(format!(
            "--observed: {ids} ids make no pair that can meet; give more of them"
        )));
    }
    Ok(pairs)
}
