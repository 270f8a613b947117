//! A checked question: what is drawn, how the run is cut, into which bins trials are counted.

use super::expected::Expected;
use super::lane;
use super::model::{Model, Values};
use super::question::Inputs;
use super::run::CONFIDENCE;
use crate::error::{Error, Result};
use crate::math::interval::binomial_interval;
use crate::question::Question;
use crate::sim::count::Method;
use crate::sim::count::partition::{WITNESSES, slices};
use crate::sim::plan::{Part, Plan};
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
            first_clash: Bins {
                first: 1,
                width: draws.div_ceil(FIRST_CLASH_BINS).max(1),
                bins: FIRST_CLASH_BINS as usize,
            },
            witnesses: inputs.witness,
        };
        Ok(Simulation { inputs, model, expected, plan, scheme })
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

    /// Whether the interval of what was counted from the first trial on is as narrow as was asked.
    pub fn is_narrow(&self, part: &Part) -> bool {
        part.from_unit == 0
            && self.inputs.until_width.is_some_and(|width| {
                let tally = &part.whole;
                let (low, high) = binomial_interval(tally.trials_with_collision, tally.trials, CONFIDENCE);
                high - low <= width
            })
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

/// One bin a repeat where few are expected; else equal steps over six standard deviations on both sides.
fn repeats_bins(expected: &Expected, draws: u64) -> Bins {
    let mean = expected.repeats.unwrap_or(expected.pairs).clamp(0.0, draws as f64);
    // Repeats vary no more than a Poisson count of their mean where ids are uniform.
    let reach = 6.0 * mean.sqrt() + 4.0;
    let last = (mean + reach).ceil() as u64;
    if last < REPEATS_BINS as u64 {
        return Bins { first: 0, width: 1, bins: last as usize + 2 };
    }
    let first = (mean - reach).max(0.0).floor() as u64;
    let width = (last - first).div_ceil(REPEATS_BINS as u64 - 2).max(1);
    Bins { first: first.saturating_sub(width), width, bins: REPEATS_BINS }
}
