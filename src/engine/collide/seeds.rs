//! Generators that share a seed: no birthday of ids, their whole streams are equal.

use super::answer::{Case, Odds, Seeds};
use super::load::Load;
use super::model::Model;
use super::pay;
use super::question::{Inputs, Setting, Subject};
use crate::math::logspace::{Chance, Wide};
use crate::math::{birthday, occupancy};
use crate::units::SECONDS_PER_YEAR;
use num_bigint::BigUint;

/// Seeds that two generators share repeat their whole stream, whatever the ids promise.
pub(super) fn seeds(case: &mut Case, inputs: &Inputs, setting: &Setting<'_>, model: &Model, load: &Load) {
    let (Some(seed_bits), Some(all)) = (inputs.seed_bits, &inputs.generators) else { return };
    let space = BigUint::from(1u32) << seed_bits;
    let alone = matches!(inputs.subjects[..], [Subject::Seeds(_)]);
    let made = setting.rate.zip(setting.span).map(|(rate, span)| rate.count(span));
    let ids = if alone { setting.ids.cloned().or(made) } else { load.ids.clone() };
    // Fewer ids than generators: the others have not drawn anything that counts.
    let generators = ids.as_ref().map_or(all, |ids| ids.min(all)).value().clone();
    let shared = birthday::chance(&generators, &space);
    let each =
        ids.filter(|ids| !ids.is_zero()).map(|ids| Wide::whole(ids.value()).over(Wide::whole(&generators)));
    let pairs = each.map(|each| each.times(occupancy::expected_pairs(&generators, &space)));
    let repeats = each.map(|each| each.times(occupancy::expected_repeats(&generators, &space)));
    case.seeds = Some(Seeds {
        seed_bits,
        generators: all.clone(),
        shared,
        log10_shared_seed_probability: shared.log10(),
        expected_repeated_ids: pairs,
    });
    if !alone && !matches!(model, Model::Flat(_)) {
        case.remarks.push(format!(
            "two generators with one seed draw the same random bits; of {} only those clash that are made in step, within one \
             tick of the clock, so that shared seeds stand beside the odds and not in them",
            case.scheme
        ));
        return;
    }
    let own = case.chance().filter(|_| !alone).unwrap_or(Chance::NEVER);
    case.odds = Odds(Some(own.or(shared)));
    case.keep_everything = case.keep_everything.map(|own| own.or(shared));
    case.log10_keep_everything_probability = case.keep_everything.and_then(Chance::log10);
    // The bracket and the tails hold for ids drawn independently, which shared seeds are not.
    case.bounds = None;
    case.at_least.clear();
    if let (false, Some(pairs), Some(repeats)) = (alone, pairs, repeats) {
        let values = model.values().map_or(Wide::ONE, |values| values.wide);
        // What two equal streams have at one place is equal anyway, and else one pair in N is.
        let sure = Wide::ONE.minus(Wide::ONE.over(values));
        case.expected_pairs = case.expected_pairs.map(|own| own.plus(pairs.times(sure)));
        // Streams that are drawn anew meet as their ids do; the others repeat all they make.
        let all = Wide::whole(&generators);
        let anew = all.minus(occupancy::expected_repeats(&generators, &space)).over(all);
        case.expected_repeats = case.expected_repeats.map(|own| match load.shorter_window_s() {
            Some(_) => own.times(anew).times(anew).plus(repeats),
            None => {
                let ids = each.map_or(Wide::ZERO, |each| each.times(all).times(anew));
                occupancy::expected_repeats_in(ids, values).plus(repeats)
            }
        });
        case.expected_triples = None;
        case.mean_first_clash_ids = None;
        case.method = format!("{}; or a shared seed, exact", case.method);
    }
    let of_seeds = repeats.zip(load.for_s.filter(|span| *span > 0.0));
    let of_seeds = of_seeds.map(|(repeats, span)| repeats.over(Wide::new(span)));
    let year = Wide::new(SECONDS_PER_YEAR as f64);
    let own = case.refused_payments_per_year.filter(|_| !alone).map(|a_year| a_year.over(year));
    let together = own.zip(of_seeds).map(|(a, b)| a.plus(b)).or(of_seeds);
    // Every payment is refused once at most.
    let made = load.rate_per_s.map(Wide::new);
    pay(case, together.map(|a| made.filter(|made| *made < a).unwrap_or(a)));
}
