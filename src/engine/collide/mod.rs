//! How likely a clash is, and what to change to reach a target.
//!
//! A subject (a scheme, a space) comes down to a model: one space for all time, a space within each tick of
//! a clock, or numbers of nodes. A load on a model has odds, a risk in place of one of the two solves for it.

mod answer;
mod claim;
mod evidence;
mod load;
mod model;
mod odds;
mod question;
mod remarks;
mod seeds;
mod solve;

pub use answer::{Answer, Bounds, Case, Nodes, Odds, Seeds, Tail};
pub use claim::{Claim, Ids, Slip, Verdict};
pub use evidence::{Evidence, Observation};
pub use question::{Collision, Inputs, MOST_CASES, Subject, Unknown};

use crate::error::{Error, Result};
use crate::id::layout::Source;
use crate::math::logspace::{Chance, Wide};
use crate::question::Progress;
use crate::units::{Count, SECONDS_PER_YEAR};
use load::Load;
use model::Model;
use question::Setting;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cases that one thread answers before it looks whether to go on.
const BATCH: usize = 256;

/// What an answer needs in memory, in bytes: each case with its words and whole numbers.
pub fn memory_bytes(question: &Collision) -> u128 {
    question.len() as u128 * (size_of::<Case>() as u128 + 1_024)
}

/// Answers every case of a question, in the order of the grid, whatever the number of threads.
///
/// # Errors
/// Where chance does not decide in a scheme that is to be solved for, where hexadecimal digits are cut
/// within a counter, where a claim names no load, or where the progress asks to stop.
pub fn answer(question: &Collision, progress: &dyn Progress) -> Result<Answer> {
    let total = question.len();
    let (evidence, claim) = asked_of_one(question)?;
    if total == 1 {
        return Ok(Answer { cases: vec![case(question, 0)?], evidence, claim });
    }
    let stopped = AtomicBool::new(false);
    let one = |index: usize| -> Result<Case> {
        if index.is_multiple_of(BATCH) {
            stopped.fetch_or(progress.cancelled(), Ordering::Relaxed);
            progress.advance(BATCH.min(total - index) as u64);
        }
        if stopped.load(Ordering::Relaxed) {
            return Err(Error::range("stopped before the grid was finished"));
        }
        case(question, index)
    };
    let mut answers = Vec::new();
    (0..total).into_par_iter().with_min_len(64).map(one).collect_into_vec(&mut answers);
    Ok(Answer { cases: answers.into_iter().collect::<Result<_>>()?, evidence, claim })
}

/// What is asked of a single case: repeats that were seen, or a claim.
fn asked_of_one(question: &Collision) -> Result<(Option<Evidence>, Option<Verdict>)> {
    let inputs = question.inputs();
    if inputs.observed.is_none() && inputs.claim.is_none() {
        return Ok((None, None));
    }
    if question.len() > 1 {
        return Err(Error::range("--observed and --claim take one case at a time; give no lists"));
    }
    let setting = question.setting(0);
    let (load, model) = (Load::of(inputs, &setting)?, Model::of(&setting)?);
    let model = model.as_ref();
    let evidence = inputs.observed.as_ref().map(|seen| evidence::weigh(seen, model, &load));
    let claim = inputs.claim.as_ref().zip(model).map(|(claim, model)| claim::check(claim, model, &load));
    Ok((evidence.transpose()?, claim.transpose()?))
}

/// One case of the grid.
fn case(question: &Collision, index: usize) -> Result<Case> {
    let inputs = question.inputs();
    let setting = question.setting(index);
    let model = Model::of(&setting)?;
    let load = Load::of(inputs, &setting)?;
    let mut case = blank(&setting, model.as_ref(), &load);
    match (question.solves_for(), setting.risk, &model) {
        // The ids of what was observed tell how many pairs there were; their odds are what is in doubt.
        (Unknown::Probability, _, Some(model))
            if inputs.observed.is_none() && (load.ids.is_some() || model.is_numbered()) =>
        {
            weigh(&mut case, model, &load);
            pigeonhole(&mut case, &setting, &load);
            seeds::seeds(&mut case, inputs, &setting, model, &load);
            ordered(&mut case);
        }
        (Unknown::Ids, Some(risk), Some(model)) => solve::ids(&mut case, model, &load, &solve::risk(risk))?,
        (Unknown::Time, Some(risk), Some(model)) => solve::time(&mut case, model, &load, &solve::risk(risk))?,
        (Unknown::Rate, Some(risk), Some(model)) => solve::rate(&mut case, model, &load, &solve::risk(risk))?,
        (Unknown::Space, Some(risk), _) => {
            solve::space(&mut case, &load, &solve::risk(risk), inputs.alphabet)?
        }
        _ if inputs.claim.is_some() => "as the claim has it: see claim".clone_into(&mut case.method),
        _ => "Garwood's exact interval of a Poisson mean: see evidence".clone_into(&mut case.method),
    }
    remarks::remarks(&mut case, &setting, model.as_ref(), &load);
    Ok(case)
}

/// What is known before anything is computed.
fn blank(setting: &Setting<'_>, model: Option<&Model>, load: &Load) -> Case {
    let values = model.and_then(Model::values);
    let live = match (setting.rate, setting.window) {
        (Some(rate), Some(window)) => Some(rate.count(window)),
        _ => {
            let live = |(rate, window): (f64, f64)| Wide::new(rate).times(Wide::new(window)).floor();
            load.rate_per_s.zip(load.window_s).and_then(|kept| Count::new(live(kept)))
        }
    };
    // A window longer than the run holds what the run makes.
    let live = live.map(|live| load.ids.as_ref().map_or(live.clone(), |ids| live.clone().min(ids.clone())));
    Case {
        scheme: setting.subject.map_or_else(|| "any space".to_owned(), Subject::name),
        space_bits: values.map(model::Values::bits),
        space: values.and_then(|values| Count::new(values.exact.clone()?)),
        bucket_s: model.and_then(Model::tick_s),
        keep_hex: setting.keep_hex,
        ids: load.ids.clone(),
        rate_per_s: load.rate_per_s,
        for_s: load.for_s,
        window_s: load.window_s,
        live_keys: live,
        generators: load.generators.clone(),
        odds: Odds(None),
        bounds: None,
        expected_pairs: None,
        expected_repeats: None,
        expected_triples: None,
        mean_first_clash_ids: None,
        at_least: Vec::new(),
        collisions_per_s: None,
        refused_payments_per_year: None,
        years_between: None,
        keep_everything: None,
        log10_keep_everything_probability: None,
        risk: setting.risk.cloned(),
        max_ids: None,
        min_ids: None,
        max_generators: None,
        min_generators: None,
        min_bits: None,
        min_bits_integer: None,
        alphabet: None,
        min_length: None,
        seconds_to_risk: None,
        max_rate_per_s: None,
        seeds: None,
        nodes: None,
        life_s: match setting.subject {
            Some(Subject::Scheme(scheme)) => scheme.life_s(),
            _ => None,
        },
        method: String::new(),
        remarks: Vec::new(),
    }
}

/// The odds of the load, and what they mean for a store of idempotency keys.
fn weigh(case: &mut Case, model: &Model, load: &Load) {
    let found = odds::odds(model, load);
    case.odds = Odds((!found.beyond).then_some(found.chance));
    case.bounds = found.bounds;
    case.expected_pairs = Some(found.pairs);
    case.expected_repeats = Some(found.repeats);
    case.expected_triples = found.triples;
    case.mean_first_clash_ids = found.first_clash;
    case.at_least = found.tails;
    case.keep_everything = found.keep_everything;
    case.log10_keep_everything_probability = found.keep_everything.and_then(Chance::log10);
    case.nodes = found.nodes;
    case.method = found.method;
    if load.window_s.is_some() {
        case.collisions_per_s = found.live_hazard_per_s;
    }
    let average = |span: f64| found.repeats.over(Wide::new(span));
    let of_a_run = load.for_s.filter(|span| *span > 0.0 && load.rate_per_s.is_some()).map(average);
    pay(case, found.repeats_per_s.or(of_a_run));
}

/// Repeats each second, said for payments.
fn pay(case: &mut Case, repeats_per_s: Option<Wide>) {
    let a_year = repeats_per_s.map(|per_s| per_s.times(Wide::new(SECONDS_PER_YEAR as f64)));
    case.refused_payments_per_year = a_year;
    case.years_between = a_year.filter(|refused| !refused.is_zero()).map(|refused| Wide::ONE.over(refused));
}

/// A clash is a repeat at least, and a repeat a colliding pair: approximations keep to that.
fn ordered(case: &mut Case) {
    let Some(chance) = case.chance() else { return };
    case.expected_repeats = case.expected_repeats.map(|repeats| repeats.max(chance.probability()));
    let repeats = case.expected_repeats.unwrap_or(Wide::ZERO);
    case.expected_pairs = case.expected_pairs.map(|pairs| pairs.max(repeats));
}

/// More ids than a scheme has values: some are equal, however they were made.
fn pigeonhole(case: &mut Case, setting: &Setting<'_>, load: &Load) {
    let (Some(Subject::Scheme(scheme)), None, Some(ids)) = (setting.subject, setting.keep_hex, &load.ids)
    else {
        return;
    };
    let free: f64 =
        scheme.layout.0.iter().filter(|field| field.source != Source::Fixed).map(|field| field.bits()).sum();
    if load.shorter_window_s().is_none() && Wide::whole(ids.value()).log2() > free + 1e-9 {
        case.odds = Odds(Some(Chance::Certain));
        let surplus = Wide::whole(ids.value()).minus(Wide::exp2(free));
        let at_least = |found: Option<Wide>| found.map_or(surplus, |found| found.max(surplus));
        case.expected_repeats = Some(at_least(case.expected_repeats));
        case.expected_pairs = Some(at_least(case.expected_pairs));
        case.method = format!("more ids than {} has values; at least so many repeats", case.scheme);
        case.bounds = None;
    }
}
