//! A checked question: what is drawn, how the run is cut, into which bins trials are counted.

use super::expected::Expected;
use super::lane;
use super::model::{Model, Parameters, Values};
use super::question::{Arrivals, Fault, Inputs};
use super::run::CONFIDENCE;
use super::verdict;
use crate::error::{Error, Result};
use crate::id::scheme::find;
use crate::math::interval::binomial_interval;
use crate::question::Question;
use crate::sim::count::Method;
use crate::sim::count::partition::{WITNESSES, slices};
use crate::sim::plan::{Part, Plan};
use crate::sim::run::is_round_end;
use crate::sim::tally::{Bins, Scheme};
use serde::{Serialize, Serializer};
use std::ops::Range;

/// Trials that one question may have.
const MOST_TRIALS: u64 = 1 << 40;
/// Bits of the space where nobody names one.
const USUAL_BITS: u32 = 32;
/// Draws of all trials that nobody asked for: a second or two.
const USUAL_DRAWS: u64 = 1 << 30;
/// Trials of more draws are counted one at a time on all threads.
const LARGE_DRAWS: u64 = 1 << 20;
/// Trials where nobody says how many.
const USUAL_TRIALS: u64 = 10_000;
/// Values that came more than once and are named, at most.
const MOST_WITNESSES: u64 = WITNESSES as u64;
/// Bins of the ids drawn at first clash.
const FIRST_CLASH_BINS: u64 = 64;
/// Bins of the repeats of a trial.
const REPEATS_BINS: usize = 64;

/// A checked question of `simulate`; it serialises to its inputs with all defaults filled in.
#[derive(Debug)]
pub struct Simulation {
    inputs: Inputs,
    model: Model,
    expected: Expected,
    plan: Plan,
    scheme: Scheme,
}

impl Question for Simulation {
    const VERB: &'static str = "simulate";
}

impl Serialize for Simulation {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.inputs.serialize(serializer)
    }
}

impl Simulation {
    /// Checks the inputs and fills in defaults.
    ///
    /// # Errors
    /// Where a value is out of its range, or two do not go together.
    pub fn new(mut inputs: Inputs) -> Result<Simulation> {
        let named = inputs.scheme.is_some() || inputs.space.is_some() || inputs.alphabet.is_some();
        if !named && inputs.bits.is_none() {
            inputs.bits = Some(USUAL_BITS);
        }
        // One name a scheme, so that records of one question say the same.
        if let Some(scheme) = inputs.scheme.as_deref().and_then(find) {
            inputs.scheme = Some(scheme.name.to_owned());
        }
        let model = Model::of(&inputs)?;
        let draws = model.draws();
        let usual = (USUAL_DRAWS / draws.max(1)).clamp(1, USUAL_TRIALS);
        let trials = inputs.trials.unwrap_or(usual);
        if !(1..=MOST_TRIALS).contains(&trials) {
            return Err(Error::value("--trials", &trials.to_string(), "a number from 1 to 2^40", "10000"));
        }
        if trials.checked_mul(draws).is_none_or(|all| all > 1 << 60) {
            let message = format!(
                "--trials: {trials} trials of {draws} draws are more than 2^60 draws, which no machine makes; try --trials 1000"
            );
            return Err(Error::range(message));
        }
        if inputs.witness > MOST_WITNESSES {
            let came = inputs.witness.to_string();
            return Err(Error::value("--witness", &came, "a number up to 64", "10"));
        }
        if let Some(width) = inputs.until_width.filter(|width| !(*width > 0.0 && *width < 1.0)) {
            let allowed = "a width between 0 and 1 of the interval of a probability";
            return Err(Error::value("--until-width", &width.to_string(), allowed, "0.01"));
        }
        // What has a rate and a time has its draws by them: all three would be one too many when the record is read back.
        if model.uniform().is_some() && inputs.rate_per_s.is_none() && inputs.for_s.is_none() {
            inputs.draws = Some(draws);
        }
        inputs.trials = Some(trials);
        if model.window_draws().is_some() && !matches!(inputs.method, Method::Auto | Method::Sort) {
            let allowed = "auto or sort with --window: live keys are counted by sorting";
            return Err(Error::value("--method", inputs.method.name(), allowed, "auto"));
        }
        let expected = model.expected();
        // Only what is counted slice by slice is cut into slices.
        let sliced = model.uniform().is_some() && is_large(inputs.method, draws);
        let slices = if sliced { slices(draws) } else { 1 };
        let plan = Plan { trials, slices, draws };
        let scheme = Scheme {
            repeats: repeats_bins(&expected, draws),
            first_clash: first_clash_bins(&expected, draws),
            witnesses: inputs.witness,
        };
        let simulation = Simulation { inputs, model, expected, plan, scheme };
        lane::check(&simulation)?;
        Ok(simulation)
    }

    /// The inputs, with defaults filled in.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// How the run is cut.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Into which bins trials are counted.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// All units, or those of one of several machines, `index` counted from 0.
    pub fn share(&self, shard: Option<(u64, u64)>) -> Range<u64> {
        let (index, of) = shard.unwrap_or((0, 1));
        self.plan.shard(index, of)
    }

    /// Draws of so many units, in which progress is told.
    pub fn steps(&self, units: &Range<u64>) -> u64 {
        let draws = u128::from(self.plan.draws) * u128::from(units.end.saturating_sub(units.start));
        u64::try_from(draws / u128::from(self.plan.slices)).unwrap_or(u64::MAX)
    }

    /// Bytes that a run on so many threads needs at least.
    pub fn memory_bytes(&self, threads: usize) -> u64 {
        if self.large().is_some() { 0 } else { lane::memory_bytes(self).saturating_mul(threads as u64) }
    }

    /// What is drawn, where a trial is so large that all threads work at one.
    pub(super) fn large(&self) -> Option<Values> {
        let able = is_large(self.inputs.method, self.plan.draws);
        self.model.uniform().filter(|_| able)
    }

    /// Bits that a scheme was scaled to, where they are drawn for each id: as `--bits` it gives the same.
    pub fn scaled_bits(&self) -> Option<u32> {
        let parameters = self.model.parameters();
        Some(parameters.random_bits? + parameters.counter_drawn_bits.unwrap_or(0))
    }

    /// Whether the interval of what was counted from the first trial on is as narrow as was asked, at a point where a run
    /// looks at it: one that is broken off elsewhere goes on to the same end.
    pub fn is_narrow(&self, part: &Part) -> bool {
        let (each, done) = (self.plan.batch_trials(), part.to_unit);
        let looked_at = match self.large() {
            Some(_) => done.is_multiple_of(self.plan.slices),
            None => self.plan.units() == Some(done) || done.is_multiple_of(each) && is_round_end(done / each),
        };
        part.from_unit == 0
            && looked_at
            && self.inputs.until_width.is_some_and(|width| {
                let tally = &part.whole;
                let (low, high) = binomial_interval(tally.trials_with_collision, tally.trials, CONFIDENCE);
                high - low <= width
            })
    }

    /// Bits of the space of plain uniform draws; none of all else, whose risk is not n²/2N.
    pub fn uniform_bits(&self) -> Option<f64> {
        self.model.uniform().map(Values::bits)
    }

    /// Whether it has fewer random bits than its scheme, and nobody asked for that.
    pub fn is_scaled_unasked(&self) -> bool {
        self.model.is_scaled_unasked()
    }

    /// The flags with which `collide` answers for ids of all their bits what is drawn here; none where it has no such flags.
    pub fn by_mathematics(&self) -> Option<String> {
        let inputs = &self.inputs;
        let drawn_alone = matches!(inputs.fault, Some(Fault::Modulo | Fault::ClockBack | Fault::Fork))
            || inputs.reseed_after.is_some()
            // Copies in step, and sequences that start at random, are simulated alone.
            || (inputs.fault.is_some() && self.parameters().ticks.is_some())
            || self.model.has_random_starts()
            || matches!(inputs.arrivals, Arrivals::Batched | Arrivals::Steady)
            || (inputs.scheme.is_none() && inputs.fault.is_some());
        if drawn_alone {
            return None;
        }
        let mut flags = Vec::new();
        let mut flag =
            |name: &str, value: Option<String>| flags.extend(value.map(|value| format!("--{name} {value}")));
        let span = |seconds: f64| format!("{seconds}s");
        flag("scheme", inputs.scheme.clone());
        flag("keep-hex", inputs.keep_hex.map(|digits| digits.to_string()));
        flag("space", inputs.space.map(|space| space.to_string()));
        flag("alphabet", inputs.alphabet.map(|letters| letters.to_string()));
        flag("length", inputs.length.map(|length| length.to_string()));
        if inputs.scheme.is_none() {
            flag("bits", inputs.bits.map(|bits| bits.to_string()));
        }
        let ticks = self.parameters().tick_s.zip(self.parameters().ticks);
        let (rate, run) = match (inputs.rate_per_s, inputs.for_s, ticks) {
            (Some(rate), Some(run), _) => (Some(rate), Some(run)),
            (Some(rate), None, None) if inputs.window_s.is_some() => {
                (Some(rate), Some(self.plan.draws as f64 / rate))
            }
            (_, _, Some((tick, ticks))) => {
                let run = tick * ticks as f64;
                (Some(self.plan.draws as f64 / run), Some(run))
            }
            _ => (None, None),
        };
        if rate.is_none() {
            flag("ids", Some(self.plan.draws.to_string()));
        }
        flag("rate", rate.map(|rate| rate.to_string()));
        flag("for", run.map(span));
        flag("window", inputs.window_s.map(span));
        let generators = inputs.generators.or(self.parameters().generators);
        flag("generators", generators.map(|generators| generators.to_string()));
        flag("seed-bits", inputs.seed_bits.map(|bits| bits.to_string()));
        if inputs.fault == Some(Fault::Clone) {
            flag("seed-bits", Some("0".to_owned()));
        }
        if inputs.arrivals == Arrivals::Bursty {
            flag(
                "duty",
                self.parameters()
                    .busy_ticks
                    .zip(self.parameters().ticks)
                    .map(|(busy, all)| (busy as f64 / all as f64).to_string()),
            );
        }
        Some(flags.join(" "))
    }

    /// What the inputs came down to.
    pub fn parameters(&self) -> &Parameters {
        self.model.parameters()
    }

    /// Pairs that a trial would expect if as many ids came singly in the same time; none where they do, or without a clock.
    pub(super) fn pairs_singly(&self) -> Option<f64> {
        if self.inputs.arrivals == Arrivals::Poisson {
            return None;
        }
        let singly = Inputs {
            arrivals: Arrivals::Poisson,
            bits: self.inputs.bits.or_else(|| self.scaled_bits()),
            duty: None,
            batch: None,
            ..self.inputs.clone()
        };
        Some(Model::of(&singly).ok()?.expected().pairs)
    }

    /// Whether pairs come in rare heaps, whose number no test here tells from another.
    pub fn comes_in_rare_heaps(&self) -> bool {
        verdict::comes_in_rare_heaps(self)
    }

    /// Whether nothing that so many trials show was open beforehand, but once in a thousand runs.
    pub fn is_foregone(&self, trials: u64) -> bool {
        verdict::is_foregone(self, trials)
    }

    /// What is drawn.
    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// What mathematics expects.
    pub(super) fn expected(&self) -> &Expected {
        &self.expected
    }
}

/// Whether trials of so many draws are counted one at a time on all threads, by this method.
fn is_large(method: Method, draws: u64) -> bool {
    match method {
        Method::Auto => draws > LARGE_DRAWS,
        Method::Partition => true,
        _ => false,
    }
}

/// Equal steps to the end of a trial, or to where all but one in a million has had its clash; the last has all beyond.
fn first_clash_bins(expected: &Expected, draws: u64) -> Bins {
    // e^(−x²/2N) = 10^-6.
    let late = expected.cells.map_or(f64::INFINITY, |cells| (2.0 * cells * 1e6f64.ln()).sqrt().ceil());
    let reach = late.min(draws as f64) as u64;
    Bins { first: 1, width: reach.div_ceil(FIRST_CLASH_BINS).max(1), bins: FIRST_CLASH_BINS as usize }
}

/// One bin a repeat where few are expected; else equal steps over six standard deviations on both sides, from none on where
/// repeats come in heaps.
fn repeats_bins(expected: &Expected, draws: u64) -> Bins {
    let mean = expected.repeats.unwrap_or(expected.pairs).clamp(0.0, draws as f64);
    // Repeats vary no more than a Poisson count of their mean where ids are uniform.
    let reach = 6.0 * mean.sqrt() + 4.0;
    if expected.repeats.is_none() && expected.probability > 0.0 && !expected.singly {
        // A trial that has a clash has a heap of them.
        let heap = (expected.pairs / expected.probability).clamp(mean, draws as f64);
        let last = (2.0 * heap + reach).min(draws as f64).ceil() as u64;
        let width = (last + 1).div_ceil(REPEATS_BINS as u64 - 1).max(1);
        return Bins { first: 0, width, bins: ((last + 1).div_ceil(width) + 1) as usize };
    }
    let last = (mean + reach).ceil() as u64;
    if last < REPEATS_BINS as u64 {
        return Bins { first: 0, width: 1, bins: last as usize + 2 };
    }
    let first = (mean - reach).max(0.0).floor() as u64;
    let width = (last - first).div_ceil(REPEATS_BINS as u64 - 2).max(1);
    Bins { first: first.saturating_sub(width), width, bins: REPEATS_BINS }
}
