//! The answer of `simulate`: what was seen, what mathematics expects, and whether they agree.

use super::model::Values;
use super::run::CONFIDENCE;
use super::simulation::Simulation;
use super::verdict::{self, FALSE_ALARM_RATE, Test, Verdict};
use super::{Parameters, lane};
use crate::math::{birthday, first_clash, interval};
use crate::sim::plan::Part;
use crate::sim::tally::Bins;
use serde::{Deserialize, Serialize};

/// Trials with a value in one bin, beside how many are expected there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The least value of it.
    pub from: u64,
    /// The most.
    pub to: u64,
    /// Trials seen.
    pub seen: u64,
    /// Trials expected; none where the law is not known.
    pub expected: Option<f64>,
}

/// Units of the question that were counted, where that is not all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The first unit counted; a unit is a trial, or a slice of the space of a large trial.
    pub from_unit: u64,
    /// The first after those.
    pub to_unit: u64,
    /// The first after those that were to be counted.
    pub until_unit: u64,
    /// Units of the whole question.
    pub of_units: u64,
}

/// Colliding pairs each second of a store whose window is full: each new id meets as many live ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FullWindow {
    /// By mathematics: rate² × window / space.
    pub expected: f64,
    /// As the pairs that were seen have it.
    pub observed: f64,
    /// The lower end of its interval; none where pairs come in heaps.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// A value that came more than once, for people and for whoever draws it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Clash {
    /// The trial, counted from 0: the number of its stream.
    pub trial: u64,
    /// The numbers of the draws in their trial, counted from 0.
    pub draws: Vec<u64>,
    /// The id, as it is written.
    pub id: String,
}

/// What was seen, and what was expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// What was drawn, in words.
    pub drawn: String,
    /// What the scheme was scaled to.
    pub parameters: Parameters,
    /// Bits that two ids which can clash differ by.
    pub space_bits: f64,
    /// Ids of a trial.
    pub draws_per_trial: u64,
    /// Trials that were counted whole.
    pub trials: u64,
    /// Trials in which any two ids were equal.
    pub trials_with_collision: u64,
    /// Ids that had come before in their trial, of all trials.
    pub repeats: u128,
    /// Pairs of equal ids, of all trials.
    pub pairs: u128,
    /// The chance that a trial has a clash, by mathematics.
    pub expected_probability: f64,
    /// Its decimal logarithm; none of 0.
    pub log10_expected_probability: Option<f64>,
    /// How far off it may be, as a share of itself; 0 where it is exact.
    pub expected_probability_error: f64,
    /// How it was found.
    pub expected_by: String,
    /// Trials with a clash over trials; none of no trials.
    pub observed_probability: Option<f64>,
    /// The lower end of its interval (Clopper and Pearson).
    pub interval_low: f64,
    /// The upper end.
    pub interval_high: f64,
    /// Confidence of every interval.
    pub confidence: f64,
    /// Pairs of equal ids that a trial expects.
    pub expected_pairs: f64,
    /// How far off these may be, as a share of themselves; 0 where they are exact.
    pub expected_pairs_error: f64,
    /// Pairs a trial, as seen.
    pub observed_pairs: Option<f64>,
    /// The interval of the pairs of a trial by Poisson's law; none where pairs come in heaps.
    pub pairs_low: Option<f64>,
    /// Its upper end.
    pub pairs_high: Option<f64>,
    /// Pairs that the same ids would expect if they came singly, each at a time of its own; none where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_pairs_singly: Option<f64>,
    /// Colliding pairs each second of keys that expire, once the window is full; none where none expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collisions_per_s: Option<FullWindow>,
    /// Repeats that a trial expects; none where only pairs are known.
    pub expected_repeats: Option<f64>,
    /// Repeats a trial, as seen.
    pub observed_repeats: Option<f64>,
    /// Ids drawn at first clash, on average over trials that had one, by mathematics.
    pub expected_first_clash: Option<f64>,
    /// The same, as seen.
    pub observed_first_clash: Option<f64>,
    /// The chance that a sound run lies as far off as this one, or farther, in any of the tests.
    pub p_value: f64,
    /// The tests.
    pub tests: Vec<Test>,
    /// What they say together.
    pub verdict: Verdict,
    /// How often a sound run is called into question.
    pub false_alarm_rate: f64,
    /// How repeats were counted.
    pub counted_by: &'static str,
    /// Whether the run ended since its interval was narrow enough.
    pub narrow_enough: bool,
    /// Trials by their repeats.
    pub by_repeats: Vec<Bin>,
    /// Trials by the ids drawn at first clash.
    pub by_first_clash: Vec<Bin>,
    /// Values that came more than once.
    pub witnesses: Vec<Clash>,
    /// Which part of the question this is, where it is not the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
    /// The whole numbers that all of this rests on, from which runs go on and parts are joined.
    pub counted: Part,
}

impl Answer {
    /// Whether everything was counted that was to be.
    pub fn is_done(&self) -> bool {
        self.share.is_none_or(|share| share.to_unit == share.until_unit)
    }
}

/// What was counted, as an answer.
pub(super) fn conclude(simulation: &Simulation, part: Part, until_unit: u64) -> Answer {
    let (tally, expected, plan) = (&part.whole, simulation.expected(), simulation.plan());
    let units = plan.units().unwrap_or(u64::MAX);
    let narrow_enough = simulation.is_narrow(&part);
    let whole = part.from_unit == 0 && (part.to_unit == units || narrow_enough);
    let each = |sum: u128| (tally.trials > 0).then(|| sum as f64 / tally.trials as f64);
    let (interval_low, interval_high) =
        interval::binomial_interval(tally.trials_with_collision, tally.trials, CONFIDENCE);
    let told = expected.singly && tally.trials > 0;
    let singly = if told { verdict::pairs_interval(tally, CONFIDENCE) } else { None };
    let (pairs_low, pairs_high) =
        singly.map(|(low, high)| (low / tally.trials as f64, high / tally.trials as f64)).unzip();
    let due = verdict::repeats_expected(simulation, tally.trials);
    let tests = verdict::tests(simulation, tally, due.as_deref());
    let (verdict, p_value) = verdict::verdict(&tests);
    let clashed = tally.trials_with_collision;
    Answer {
        drawn: simulation.model().in_words(),
        parameters: simulation.model().parameters().clone(),
        space_bits: simulation.model().space_bits(),
        draws_per_trial: plan.draws,
        trials: tally.trials,
        trials_with_collision: clashed,
        repeats: tally.repeats,
        pairs: tally.pairs,
        expected_probability: expected.probability,
        log10_expected_probability: expected.log10_probability,
        expected_probability_error: expected.probability_error,
        expected_by: expected.method.clone(),
        observed_probability: each(clashed.into()),
        interval_low,
        interval_high,
        confidence: CONFIDENCE,
        expected_pairs: expected.pairs,
        expected_pairs_error: if expected.pairs_error < 5e-16 { 0.0 } else { expected.pairs_error },
        observed_pairs: each(tally.pairs),
        pairs_low,
        pairs_high,
        expected_pairs_singly: simulation.pairs_singly(),
        collisions_per_s: each(tally.pairs)
            .and_then(|pairs| full_window(simulation, pairs, pairs_low, pairs_high)),
        expected_repeats: expected.repeats,
        observed_repeats: each(tally.repeats),
        expected_first_clash: expected
            .cells
            .and_then(|cells| first_clash::mean_within(plan.draws as f64, cells)),
        observed_first_clash: (clashed > 0).then(|| tally.first_clash_sum as f64 / clashed as f64),
        p_value,
        tests,
        verdict,
        false_alarm_rate: FALSE_ALARM_RATE,
        counted_by: lane::counted_by(simulation),
        narrow_enough: narrow_enough && part.to_unit < units,
        by_repeats: bins(simulation.scheme().repeats, &tally.by_repeats, |bin| {
            due.as_ref().map(|due| due[bin])
        }),
        by_first_clash: by_first_clash(simulation, &part),
        witnesses: clashes(simulation, &part),
        share: (!whole).then_some(Share {
            from_unit: part.from_unit,
            to_unit: part.to_unit,
            until_unit,
            of_units: units,
        }),
        counted: part,
    }
}

/// Collisions each second of a full window, by the pairs of a trial, in which the window fills first: the same share of those that
/// mathematics expects.
fn full_window(
    simulation: &Simulation,
    pairs: f64,
    low: Option<f64>,
    high: Option<f64>,
) -> Option<FullWindow> {
    let window = simulation.model().window_draws()? as f64;
    let rate = simulation.inputs().rate_per_s?;
    let expected = rate * window / simulation.model().space_bits().exp2();
    let scale = expected / simulation.expected().pairs;
    let scaled = |pairs: f64| pairs * scale;
    let finite = scale.is_finite() && expected.is_finite();
    finite.then(|| FullWindow {
        expected,
        observed: scaled(pairs),
        low: low.map(scaled),
        high: high.map(scaled),
    })
}

fn by_first_clash(simulation: &Simulation, part: &Part) -> Vec<Bin> {
    let tally = &part.whole;
    let (layout, draws) = (simulation.scheme().first_clash, simulation.plan().draws);
    let below = |drawn: u64, cells: f64| birthday::probability(drawn.min(draws) as f64, cells);
    let due = |bin: usize| {
        let cells = simulation.expected().cells?;
        let (from, last) = (layout.edges(bin).0, layout.last_of(bin));
        Some(tally.trials as f64 * (below(last, cells) - below(from - 1, cells)).max(0.0))
    };
    let mut bins = bins(layout, &tally.by_first_clash, due);
    bins.retain(|bin| bin.from <= draws);
    // The last has whatever lies beyond, to the end of the trial.
    if let Some(last) = bins.get_mut(layout.bins - 1) {
        last.to = draws;
    }
    bins
}

fn bins(layout: Bins, seen: &[u64], due: impl Fn(usize) -> Option<f64>) -> Vec<Bin> {
    let bin = |(bin, seen): (usize, &u64)| {
        let (from, after) = layout.edges(bin);
        Bin { from, to: after - 1, seen: *seen, expected: due(bin) }
    };
    seen.iter().enumerate().map(bin).collect()
}

fn clashes(simulation: &Simulation, part: &Part) -> Vec<Clash> {
    let open = part.open.iter().flat_map(|open| &open.witnesses);
    let all = part.whole.witnesses.iter().chain(open);
    let clash = |witness: &crate::sim::tally::Witness| Clash {
        trial: witness.trial,
        draws: witness.draws.clone(),
        id: shown(simulation, witness.id),
    };
    all.map(clash).collect()
}

/// An id as people read it: of a flat space its number, in hexadecimal where its values are bits.
fn shown(simulation: &Simulation, id: u128) -> String {
    let model = simulation.model();
    match (model.source(), model.uniform(), u64::try_from(id)) {
        (Some(source), _, Ok(id)) => source.shown(id),
        (_, Some(Values::Bits(bits)), _) => format!("0x{id:0digits$x}", digits = bits.div_ceil(4) as usize),
        _ => id.to_string(),
    }
}
