//! What a run of `simulate` is looked at beside: the same experiment in spaces of other sizes, or under other arrivals.
//!
//! Sizes: n = x·√N ids in spaces of N = 2^b values. For large N the clash probability is 1 − e^(−x²/2) whatever N is
//! (Rayleigh's law, off by at most 0.25/√N), so that all sizes lie on one curve. Arrivals: as many ids of a scheme with
//! a clock, evenly, singly, in bursts, in batches: what shares a tick clashes.

use crate::engine::simulate::{
    self, Answer, Arrivals, FALSE_ALARM_RATE, Inputs, Resources, Simulation, Verdict,
};
use crate::error::{Error, Result};
use crate::math::{first_clash, goodness, poisson};
use crate::question::Progress;
use serde::Serialize;

/// Bits of the spaces.
const BITS: [u32; 7] = [16, 20, 24, 28, 32, 36, 40];
/// Ids over the square root of the space.
const RATIOS: [f64; 9] = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];
/// By how much more each size has than the one before, so that no point of a figure hides another.
const STAGGER: f64 = 0.025;
/// Times as many ids in a tick as they would be singly: one over the duty, or ids in a batch.
const BURSTS: [u64; 6] = [2, 4, 8, 16, 32, 64];
/// Draws of a point.
const DRAWS: u64 = 1 << 24;
/// Trials of a point at least, and at most.
const TRIALS: (u64, u64) = (64, 4096);
/// Standard deviations of a normal law that hold 95 of 100.
const NORMAL: f64 = 1.959_963_984_540_054;

/// A point of the experiment in spaces of several sizes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Size {
    /// Bits of the space.
    pub bits: u32,
    /// Ids of a trial over the square root of the space.
    pub ratio: f64,
    /// Ids of a trial.
    pub draws_per_trial: u64,
    /// Trials.
    pub trials: u64,
    /// Those that had a clash.
    pub trials_with_collision: u64,
    /// Their share.
    pub observed_probability: f64,
    /// The lower end of its interval (Clopper and Pearson).
    pub interval_low: f64,
    /// The upper end.
    pub interval_high: f64,
    /// The clash probability by mathematics, exactly.
    pub expected_probability: f64,
    /// 1 − e^(−n²/2N), what it comes to in a large space.
    pub limit_probability: f64,
    /// The chance that a sound run lies as far off, or farther, in any of its tests.
    pub p_value: f64,
}

/// A point of the experiment under several arrivals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arrival {
    /// When ids come.
    pub arrivals: Arrivals,
    /// Times as many ids at one moment as singly: ticks of the run over those in which ids come, or ids in a batch.
    pub burstiness: f64,
    /// Ids of a trial.
    pub draws_per_trial: u64,
    /// Trials.
    pub trials: u64,
    /// Those that had a clash.
    pub trials_with_collision: u64,
    /// Pairs of equal ids, of all trials.
    pub pairs: u128,
    /// Pairs a trial, as seen.
    pub observed_pairs: f64,
    /// The interval of the pairs of a trial: the wider of Poisson's and the normal by the spread seen.
    pub pairs_low: f64,
    /// Its upper end.
    pub pairs_high: f64,
    /// Pairs that a trial expects.
    pub expected_pairs: f64,
    /// The chance that a sound run lies as far off, or farther, in any of its tests.
    pub p_value: f64,
}

/// The same experiment elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sweep {
    /// In spaces of other sizes; empty for schemes with a clock.
    pub sizes: Vec<Size>,
    /// Under other arrivals; empty for flat spaces.
    pub arrivals: Vec<Arrival>,
    /// Points whose interval holds what is expected.
    pub within: u64,
    /// Points that could not be asked for, such as more bursts than there are ticks.
    pub left_out: u64,
    /// The chance that a sound sweep has a point as far off as the farthest, or farther.
    pub p_value: f64,
    /// What the points say together.
    pub verdict: Verdict,
}

impl Sweep {
    /// All points.
    pub fn points(&self) -> usize {
        self.sizes.len() + self.arrivals.len()
    }

    fn of(sizes: Vec<Size>, arrivals: Vec<Arrival>, left_out: u64) -> Sweep {
        let held = |low: f64, value: f64, high: f64| low <= value && value <= high;
        let sized = sizes
            .iter()
            .filter(|size| held(size.interval_low, size.expected_probability, size.interval_high));
        let arrived = arrivals.iter().filter(|one| held(one.pairs_low, one.expected_pairs, one.pairs_high));
        let within = (sized.count() + arrived.count()) as u64;
        let p_values = sizes.iter().map(|size| size.p_value).chain(arrivals.iter().map(|one| one.p_value));
        let p_value = goodness::combined(&p_values.collect::<Vec<f64>>());
        let off = p_value < FALSE_ALARM_RATE;
        let verdict = if off { Verdict::Inconsistent } else { Verdict::Consistent };
        Sweep { sizes, arrivals, within, left_out, p_value, verdict }
    }
}

/// What was seen, and what it is looked at beside.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What was seen.
    #[serde(flatten)]
    pub answer: Answer,
    /// The same experiment elsewhere, where that was asked for and made to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
}

/// The answer as a report.
pub fn report(answer: Answer) -> Report {
    Report { answer, sweep: None }
}

/// Where a point lies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Size(u32),
    Arrival(Arrivals, f64),
}

/// A sweep that can be made.
#[derive(Debug)]
pub struct Planned {
    points: Vec<(Place, Simulation)>,
    left_out: u64,
}

/// The sweep beside a run: of flat spaces their sizes, of schemes with a clock the arrivals. No point has more trials
/// than the run, unless that is a single trial.
///
/// # Errors
/// Where there is neither a flat space alone nor a clock.
pub fn sweep(simulation: &Simulation) -> Result<Planned> {
    let inputs = simulation.inputs();
    let alone = inputs.scheme.is_none()
        && inputs.fault.is_none()
        && inputs.seed_bits.is_none()
        && inputs.generators.is_none()
        && inputs.window_s.is_none();
    let most = match simulation.plan().trials {
        1 => TRIALS.1,
        trials => trials.min(TRIALS.1),
    };
    let places: Vec<(Place, Inputs)> = if alone { sizes(inputs, most) } else { arrivals(simulation, most) };
    let wanted = places.len();
    let mut points: Vec<(Place, Simulation)> = Vec::new();
    for (place, inputs) in places {
        let Ok(point) = Simulation::new(inputs) else { continue };
        let place = dense(place, &point);
        // All ids in one batch, or all ticks in one burst, are another experiment than they say.
        let idle = match place {
            Place::Arrival(Arrivals::Batched, times) => times > point.plan().draws as f64,
            Place::Arrival(Arrivals::Bursty, times) => times <= 1.0,
            _ => false,
        };
        if idle {
            continue;
        }
        // Of a run of few ticks several duties come down to the same number of them.
        if !points.iter().any(|(other, _)| matches!(place, Place::Arrival(..)) && *other == place) {
            points.push((place, point));
        }
    }
    let moved = |(place, _): &(Place, Simulation)| match *place {
        Place::Size(_) => true,
        Place::Arrival(_, times) => times > 1.0,
    };
    if !points.iter().any(moved) {
        let message =
            "--sweep: neither a flat space alone nor a scheme with a clock; try --bits 32 or --scheme v7";
        return Err(Error::range(message.to_owned()));
    }
    let left_out = (wanted - points.len()) as u64;
    Ok(Planned { points, left_out })
}

/// Where a point really lies: a duty is rounded to whole ticks.
fn dense(place: Place, point: &Simulation) -> Place {
    let parameters = point.parameters();
    match (place, parameters.ticks.zip(parameters.busy_ticks)) {
        (Place::Arrival(Arrivals::Bursty, _), Some((ticks, busy))) => {
            Place::Arrival(Arrivals::Bursty, ticks as f64 / busy.max(1) as f64)
        }
        // All ticks are busy.
        (Place::Arrival(Arrivals::Bursty, _), None) => Place::Arrival(Arrivals::Bursty, 1.0),
        _ => place,
    }
}

fn trials(draws: u64, most: u64) -> u64 {
    (DRAWS / draws.max(1)).clamp(TRIALS.0, TRIALS.1).min(most)
}

/// As many ids in spaces of all sizes.
fn sizes(inputs: &Inputs, most: u64) -> Vec<(Place, Inputs)> {
    let middle = BITS.len() / 2;
    let point = |ratio: f64, at: usize, bits: u32| {
        let ratio = ratio + STAGGER * (at as f64 - middle as f64);
        let draws = (ratio * f64::from(bits / 2).exp2()).round() as u64;
        let inputs = Inputs {
            bits: Some(bits),
            draws: Some(draws),
            trials: Some(trials(draws, most)),
            rng: inputs.rng,
            ..Inputs::default()
        };
        (Place::Size(bits), inputs)
    };
    let sized = |(at, bits): (usize, &u32)| RATIOS.map(|ratio| point(ratio, at, *bits));
    BITS.iter().enumerate().flat_map(sized).collect()
}

/// The same ids under all arrivals, scaled as the run was.
fn arrivals(simulation: &Simulation, most: u64) -> Vec<(Place, Inputs)> {
    let inputs = simulation.inputs();
    let draws = simulation.plan().draws;
    let point = |arrivals: Arrivals, burstiness: u64| {
        let inputs = Inputs {
            bits: inputs.bits.or_else(|| simulation.scaled_bits()),
            arrivals,
            duty: (arrivals == Arrivals::Bursty).then(|| 1.0 / burstiness as f64),
            batch: (arrivals == Arrivals::Batched).then_some(burstiness),
            trials: Some(trials(draws, most)),
            until_width: None,
            witness: 0,
            ..inputs.clone()
        };
        (Place::Arrival(arrivals, burstiness as f64), inputs)
    };
    let singly = [Arrivals::Steady, Arrivals::Poisson].map(|how| point(how, 1));
    let bursty = BURSTS.map(|burst| point(Arrivals::Bursty, burst));
    let batched = BURSTS.map(|burst| point(Arrivals::Batched, burst));
    singly.into_iter().chain(bursty).chain(batched).collect()
}

impl Planned {
    /// Draws that are to be made, in which progress is told.
    pub fn steps(&self) -> u64 {
        let steps = |(_, point): &(Place, Simulation)| point.steps(&point.share(None));
        self.points.iter().map(steps).fold(0, u64::saturating_add)
    }

    /// Bytes that it needs at least on so many threads.
    pub fn memory_bytes(&self, threads: usize) -> u64 {
        self.points.iter().map(|(_, point)| point.memory_bytes(threads)).max().unwrap_or(0)
    }

    /// Makes the sweep, point i from the seed i + 1 beyond that of the run; none where the progress asks to stop.
    ///
    /// # Errors
    /// Where memory does not suffice for a point.
    pub fn run(&self, seed: u64, resources: &Resources, progress: &dyn Progress) -> Result<Option<Sweep>> {
        let (mut sizes, mut arrivals) = (Vec::new(), Vec::new());
        for ((place, point), number) in self.points.iter().zip(1u64..) {
            let seed = seed.wrapping_add(number);
            let answer = simulate::answer(point, seed, point.share(None), None, resources, progress)?;
            if !answer.is_done() {
                return Ok(None);
            }
            match *place {
                Place::Size(bits) => sizes.push(size(bits, &answer)),
                Place::Arrival(how, burstiness) => arrivals.push(arrival(how, burstiness, &answer)),
            }
        }
        Ok(Some(Sweep::of(sizes, arrivals, self.left_out)))
    }
}

fn size(bits: u32, answer: &Answer) -> Size {
    let (draws, space) = (answer.draws_per_trial as f64, f64::from(bits).exp2());
    Size {
        bits,
        ratio: draws / space.sqrt(),
        draws_per_trial: answer.draws_per_trial,
        trials: answer.trials,
        trials_with_collision: answer.trials_with_collision,
        observed_probability: answer.observed_probability.unwrap_or(0.0),
        interval_low: answer.interval_low,
        interval_high: answer.interval_high,
        expected_probability: answer.expected_probability,
        limit_probability: first_clash::rayleigh(draws, space),
        p_value: answer.p_value,
    }
}

fn arrival(arrivals: Arrivals, burstiness: f64, answer: &Answer) -> Arrival {
    let (pairs_low, pairs_high) = pairs_interval(answer);
    Arrival {
        arrivals,
        burstiness,
        draws_per_trial: answer.draws_per_trial,
        trials: answer.trials,
        trials_with_collision: answer.trials_with_collision,
        pairs: answer.pairs,
        observed_pairs: answer.observed_pairs.unwrap_or(0.0),
        pairs_low,
        pairs_high,
        expected_pairs: answer.expected_pairs,
        p_value: answer.p_value,
    }
}

/// The interval of the pairs of a trial. Pairs that come in heaps spread wider than Poisson's law says, few pairs wider
/// than what was seen of their spread: the wider of both.
fn pairs_interval(answer: &Answer) -> (f64, f64) {
    let trials = answer.trials.max(1) as f64;
    let mean = answer.pairs as f64 / trials;
    let seen = u64::try_from(answer.pairs).unwrap_or(u64::MAX);
    let (low, high) = poisson::mean_interval(seen, answer.confidence);
    let squares = answer.counted.whole.pairs_squared as f64 / trials;
    let reach = NORMAL * ((squares - mean * mean).max(0.0) / trials).sqrt();
    ((low / trials).min(mean - reach).max(0.0), (high / trials).max(mean + reach))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(inputs: Inputs) -> Planned {
        let simulation = Simulation::new(inputs).expect("a sound question");
        sweep(&simulation).expect("a flat space")
    }

    #[test]
    fn each_size_has_each_ratio_once_and_no_two_points_share_a_place() {
        let planned = planned(Inputs { bits: Some(20), ..Inputs::default() });
        assert_eq!((planned.points.len(), planned.left_out), (63, 0));
        let mut ratios: Vec<f64> = planned
            .points
            .iter()
            .map(|(place, point)| {
                let Place::Size(bits) = place else { panic!("a flat space has sizes") };
                point.plan().draws as f64 / f64::from(*bits).exp2().sqrt()
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        // 256 draws make a step of 1/256; the stagger is six of them.
        assert!(ratios.windows(2).all(|two| two[1] - two[0] > STAGGER / 2.0), "{ratios:?}");
        let trials = |at: usize| planned.points[at].1.plan().trials;
        assert_eq!((trials(0), trials(62)), (4096, 64));
    }

    #[test]
    fn no_point_has_more_trials_than_the_run_unless_that_is_one() {
        let few = planned(Inputs { bits: Some(20), trials: Some(7), ..Inputs::default() });
        assert!(few.points.iter().all(|(_, point)| point.plan().trials == 7));
        let one = planned(Inputs { bits: Some(20), trials: Some(1), ..Inputs::default() });
        assert!(one.points.iter().all(|(_, point)| point.plan().trials >= 64));
        let steps: u64 = few.points.iter().map(|(_, point)| 7 * point.plan().draws).sum();
        assert_eq!(few.steps(), steps);
    }

    #[test]
    fn arrivals_lie_where_their_ticks_put_them_and_none_lies_twice() {
        let ten = Inputs {
            scheme: Some("v7".into()),
            for_s: Some(0.01),
            rate_per_s: Some(20e3),
            ..Inputs::default()
        };
        let planned = planned(ten);
        let of = |wanted: Arrivals| {
            let place = |(place, _): &(Place, Simulation)| match *place {
                Place::Arrival(how, times) if how == wanted => Some(times),
                _ => None,
            };
            planned.points.iter().filter_map(place).collect::<Vec<f64>>()
        };
        // Of ten ticks 1/2 are five, 1/4 three (rounded), 1/8 and less one.
        assert_eq!(of(Arrivals::Bursty), [2.0, 10.0 / 3.0, 10.0]);
        assert_eq!(of(Arrivals::Batched), BURSTS.map(|burst| burst as f64));
        assert_eq!(planned.left_out, 3);
    }

    struct Stopped;

    impl Progress for Stopped {
        fn advance(&self, _done: u64) {}

        fn cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_sweep_that_is_stopped_is_none() {
        let planned = planned(Inputs { bits: Some(16), trials: Some(2), ..Inputs::default() });
        let resources = Resources { threads: 1, memory_bytes: 1 << 30 };
        assert_eq!(planned.run(1, &resources, &Stopped).expect("memory suffices"), None);
    }
}
