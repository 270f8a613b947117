//! What a reader must know beside the figures.

use super::answer::Case;
use super::load::Load;
use super::model::{self, Counter, Model};
use super::question::{Setting, Subject};
use crate::math::logspace::{Chance, Wide};
use crate::math::{sequence, unequal};
use crate::units::SECONDS_PER_YEAR;

/// Adds what there is to say about a case.
pub(super) fn remarks(case: &mut Case, setting: &Setting<'_>, model: Option<&Model>, load: &Load) {
    let Some(model) = model else { return };
    if let (Some(life), Some(span), None) = (case.life_s, load.for_s, case.keep_hex)
        && span > life
    {
        let years = life / SECONDS_PER_YEAR as f64;
        case.remarks.push(format!(
            "the clock of {} starts again after {years:.1} years: the run is longer",
            case.scheme
        ));
    }
    if let (Some(life), Some(until), None) = (case.life_s, case.seconds_to_risk, case.keep_hex)
        && until > Wide::new(life)
    {
        let years = life / SECONDS_PER_YEAR as f64;
        case.remarks
            .push(format!("the clock of {} starts again after {years:.1} years, before that", case.scheme));
    }
    if let Model::Bucket { counter, .. } = model {
        match (*counter != Counter::None, &load.generators) {
            (true, None) => case.remarks.push(format!(
                "{} counts within a tick, so that one generator never repeats itself; taken for many generators (--generators for a number)",
                case.scheme
            )),
            (true, Some(one)) if one.as_u64() == Some(1) => case.remarks.push(format!(
                "{}: one generator counts within a tick and never repeats itself while its clock is not set back",
                case.scheme
            )),
            _ => {}
        }
    }
    if model.values().is_some_and(|values| values.exact.is_none()) {
        case.remarks.push(
            "effective bits (-log2 of the sum of squared probabilities) give expected pairs exactly, and the odds while no \
             single value is likely to come twice by itself; where a few values are common, as in a Zipf law, the odds \
             are lower than these"
                .to_owned(),
        );
    }
    if let Model::Nodes { tick_s, sequence_bits, .. } = model {
        overrun(case, *tick_s, *sequence_bits, load);
    }
    if let Some(Subject::Text { alphabet, length }) = setting.subject {
        bias(case, *alphabet, *length);
    }
    if let Some(Subject::Scheme(scheme)) = setting.subject
        && setting.keep_hex.is_some()
        && model.values().is_some_and(|values| values.bits() == 0.0)
        && model::draws(scheme)
    {
        case.remarks.push(format!(
            "the first {} hexadecimal digits of {} hold no random bit: all ids of one tick are equal",
            setting.keep_hex.unwrap_or(0),
            case.scheme
        ));
    }
    let drawn_anew = matches!(model, Model::Flat(_) | Model::Bucket { counter: Counter::None, .. });
    if load.generators.is_some() && case.seeds.is_none() && drawn_anew {
        let name = &case.scheme;
        case.remarks.push(format!(
            "{name}: every id is drawn anew, so that the number of generators does not matter"
        ));
    }
    if (load.dispersion != 1.0 || load.duty != 1.0) && !matches!(model, Model::Bucket { .. }) {
        case.remarks.push(format!(
            "{}: --dispersion and --duty change nothing where no clock tells ids apart",
            case.scheme
        ));
    }
    if matches!(model, Model::Bucket { counter: Counter::FromZero, .. })
        && load.dispersion != 1.0
        && load.generators.is_some()
    {
        case.remarks.push(format!(
            "{}: counters from 0 are weighed for Poisson arrivals, whatever --dispersion",
            case.scheme
        ));
    }
    if case.chance() == Some(Chance::NEVER) && (model.is_numbered() || matches!(model, Model::Clock { .. })) {
        case.remarks.push(format!("{}: {}", case.scheme, case.method));
    }
}

/// More ids than a sequence tells apart, at worst: where only the ids are known.
fn overrun(case: &mut Case, tick_s: f64, sequence_bits: u32, load: &Load) {
    let values = 1u128 << sequence_bits.min(127);
    let ids = load.ids.as_ref().and_then(|ids| u128::try_from(ids.value()).ok());
    if let (None, None, Some(ids)) = (load.rate_per_s, &load.generators, ids.filter(|ids| *ids > values)) {
        case.remarks.push(format!(
            "made in one tick of {tick_s} s by one node that does not wait, {ids} ids hold {} repeats: the sequence has {values} values",
            sequence::repeats_in_tick(ids, values)
        ));
    }
}

/// A byte taken modulo an alphabet that does not divide 256 favours its first letters.
fn bias(case: &mut Case, alphabet: u64, length: u64) {
    if !(2..256).contains(&alphabet) || 256 % alphabet == 0 {
        return;
    }
    let made = unequal::Modulo::of_byte(alphabet);
    case.remarks.push(format!(
        "if characters are made as a random byte modulo {alphabet}, {:.2} bits are lost: {:.2} effective",
        made.bits_lost(length),
        made.bits(length)
    ));
}
