//! Expectations of ids of a clock: any of a tick can clash, or only those of different generators.
//!
//! Ids at independent times are a birthday over all ticks and values. Steady ids fill each tick alike, a birthday each.
//! Batches meet within themselves and, where two share a tick, each other. Of K counters each pair of runs in a tick is
//! taken by itself (`runs`); pairs are then exact, and P = 1 − e^−t up to what three runs in one tick have in common.
//! Where a clock is set back by b of T ticks, those are lived twice: as if 2K generators were at work in them.
//!
//! From the ticks to the run it goes by `spread`.

use super::super::model::Values;
use super::super::source::{Counter, Ticks, Times};
use super::runs::{self, Counting, Known, Met, Thrown};
use super::{Expected, choose_2, spread};
use crate::math::birthday;
use crate::math::logspace::{Chance, Wide};

/// Ids of a clock.
pub(in super::super) fn ticks(ticks: &Ticks) -> Expected {
    match (ticks.counter, ticks.copies) {
        (Some(counter), _) => counters(ticks, counter),
        (None, Some((generators, rows))) => copies(ticks, generators, rows),
        (None, None) => plain(ticks),
    }
}

fn values(ticks: &Ticks) -> f64 {
    Values::Bits(ticks.tail).wide().as_f64()
}

fn plain(ticks: &Ticks) -> Expected {
    let (draws, values) = (ticks.draws, values(ticks));
    match ticks.times {
        Times::Free { busy } if ticks.back == 0 => {
            Expected::birthday(draws, Wide::new(busy as f64).times(Wide::new(values)))
        }
        Times::Free { busy } => {
            let (all, back) = (busy as f64, ticks.back as f64);
            // Of T − b ticks that are shown, b are twice as likely.
            let each = 1.0 / all / values;
            let groups = [((all - 2.0 * back) * values, each), (back * values, 2.0 * each)];
            Expected::unequal(draws, &groups, "of the birthday of the effective number of ticks and values")
        }
        Times::Steady { ticks } => steady(draws, ticks, values),
        Times::Batched { ticks, size } => batched(draws, ticks, size, values),
    }
}

/// Ticks of ⌊n/T⌋ ids and of one more, with how many there are of each.
fn even(draws: u64, ticks: u64) -> [(f64, u64); 2] {
    let (each, more) = (draws / ticks, draws % ticks);
    [((ticks - more) as f64, each), (more as f64, each + 1)]
}

fn steady(draws: u64, ticks: u64, values: f64) -> Expected {
    let crowds = even(draws, ticks).into_iter().filter(|(times, _)| *times > 0.0);
    let (mut pairs, mut hazard) = (0.0, 0.0);
    for (times, ids) in crowds {
        pairs += times * choose_2(ids as f64) / values;
        hazard += times * birthday::hazard(ids as f64, values);
    }
    Expected::by_hazard(hazard, 0.0, pairs, "a birthday in each tick")
}

fn batched(draws: u64, ticks: u64, size: u64, values: f64) -> Expected {
    let (whole, rest, all) = (draws / size, draws % size, ticks as f64);
    let within = whole as f64 * choose_2(size as f64) + choose_2(rest as f64);
    let across = choose_2(draws as f64) - within;
    let pairs = (within + across / all) / values;
    let of = |ids: f64| birthday::hazard(ids, values);
    let own = product(whole as f64, of(size as f64)) + of(rest as f64);
    if own == f64::INFINITY {
        return Expected::new(Chance::Certain, pairs, "exact: a batch is larger than the values of a tick");
    }
    let batches = whole + u64::from(rest > 0);
    let each = draws as f64 / batches as f64;
    // What batches of one tick add to what each has of its own; a last one that is smaller counts as the others.
    let more = |together: u64| {
        let together = together as f64;
        (between(of, together * each) - together * between(of, each)).max(0.0)
    };
    let met = spread::hazard(batches, ticks, more);
    let even = if rest > 0 { 1.0 / batches as f64 } else { 0.0 };
    let error = spread::error(batches) + if met > 0.0 { even * met / (own + met) } else { 0.0 };
    let hazard = own + met;
    Expected::by_hazard(hazard, error.min(1.0), pairs, "of batches, and of those that share a tick")
}

/// A function of whole counts between them.
fn between(of: impl Fn(f64) -> f64, count: f64) -> f64 {
    let (low, part) = (count.floor(), count.fract());
    if part == 0.0 { of(low) } else { of(low) * (1.0 - part) + of(low + 1.0) * part }
}

/// Copies that take turns and go on in step, of which those of one row and one tick agree for sure.
///
/// Of c ids in a tick any two that are d apart are of one row with chance (K − d)/K: the place at which a tick begins
/// within a row is as good as drawn.
fn copies(ticks: &Ticks, generators: u64, rows: u64) -> Expected {
    let (draws, all, k) = (ticks.draws as f64, ticks.times.ticks() as f64, generators as f64);
    let share = ((rows as f64) * k / draws).min(1.0);
    let law = runs::binomial(ticks.draws, 1.0 / all);
    let in_row = |c: u64| {
        let (c, d) = (c as f64, k.min(c as f64) - 1.0);
        // Σ_{d < min(K, c)} (K − d)(c − d)/K.
        (d * k * c - (k + c) * d * (d + 1.0) / 2.0 + d * (d + 1.0) * (2.0 * d + 1.0) / 6.0) / k
    };
    let sure = match ticks.times.ticks() {
        1 => super::flat::rows(ticks.draws, generators, rows),
        _ => {
            law.iter().filter(|(c, _)| *c > 1).map(|(c, weight)| weight * in_row(*c)).sum::<f64>()
                * all
                * share
        }
    };
    let random = (choose_2(draws) / all - sure).max(0.0) / values(ticks);
    // Two ids of a tick may be of two rows; of three at least two are of one. Of the run only its first share counts.
    let alike = |c: u64| match c {
        0 | 1 => 0.0,
        2 => -(-(k - 1.0) / k).ln_1p(),
        _ => f64::INFINITY,
    };
    let shared = ((draws * share).round() as u64, (all * share).round().max(1.0) as u64);
    let hazard = spread::hazard(shared.0, shared.1, alike) + random;
    let off = (k * k / 4.0 + 2.0) / draws;
    let error =
        off + spread::error(shared.0) + random / all + if share < 1.0 { 1.0 / shared.1 as f64 } else { 0.0 };
    let mut expected = Expected::by_hazard(hazard, error.min(1.0), sure + random, "of copies in step");
    expected.pairs_error = off.min(1.0);
    expected
}

/// Crowds of a run: how often so many ids are thrown on the generators of a tick.
pub(super) fn crowds(times: Times, draws: u64, generators: u64) -> Vec<(f64, Thrown)> {
    let cells = generators as f64;
    match times {
        Times::Free { busy } => vec![(busy as f64, Thrown { ids: draws, cells: cells * busy as f64 })],
        Times::Steady { ticks } => {
            let crowds = even(draws, ticks).into_iter().filter(|(times, ids)| *times > 0.0 && *ids > 0);
            crowds.map(|(times, ids)| (times, Thrown { ids, cells })).collect()
        }
        Times::Batched { ticks, size } => {
            let (whole, rest) = (draws / size, draws % size);
            let all = ticks as f64;
            let with = |more: u64, ticks: f64| {
                let law = runs::binomial(whole, 1.0 / all).into_iter();
                law.map(move |(k, weight)| (weight * ticks, Thrown { ids: k * size + more, cells }))
            };
            // One tick has the last batch, which may be smaller.
            let last = if rest > 0 { 1.0 } else { 0.0 };
            let crowds = with(0, all - last).chain(with(rest, last));
            crowds.filter(|(times, thrown)| *times > 0.0 && thrown.ids > 0).collect()
        }
    }
}

/// How the hazard of a run follows from that of a tick.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// −ln P(none) over the run.
    pub hazard: f64,
    /// Its relative error from how ids are thrown on ticks.
    pub error: f64,
}

/// Most ids of a tick for which each number of them is looked at.
const LOOKED_AT: f64 = 400.0;

/// −ln P(none) of a run, given that of so many ids on the generators of one tick.
pub(super) fn over_ticks(times: Times, draws: u64, generators: u64, of: impl Fn(Thrown) -> f64) -> Run {
    let cells = generators as f64;
    let given = |ids: u64| if ids < 2 { 0.0 } else { of(Thrown { ids, cells }) };
    match times {
        Times::Free { busy } if draws as f64 / busy as f64 <= LOOKED_AT => {
            Run { hazard: spread::hazard(draws, busy, given), error: spread::error(draws) }
        }
        Times::Batched { ticks, size } if draws as f64 / ticks as f64 <= LOOKED_AT => {
            let batches = draws.div_ceil(size);
            let uneven = if draws.is_multiple_of(size) { 0.0 } else { 1.0 / batches as f64 };
            let together = |k: u64| given((k * size).min(draws));
            Run { hazard: spread::hazard(batches, ticks, together), error: spread::error(batches) + uneven }
        }
        _ => {
            let crowds = crowds(times, draws, generators).into_iter();
            let hazard: f64 = crowds.map(|(times, thrown)| product(times, of(thrown))).sum();
            let things =
                draws as f64 / if let Times::Batched { size, .. } = times { size as f64 } else { 1.0 };
            Run {
                hazard,
                error: if matches!(times, Times::Steady { .. }) {
                    0.0
                } else {
                    2.0 * hazard.min(things) / things
                },
            }
        }
    }
}

fn counters(ticks: &Ticks, counter: Counter) -> Expected {
    let k = counter.generators as f64;
    let wraps = counter.bits > 0;
    let counting = Counting { bits: counter.bits, drawn: counter.drawn, tail: ticks.tail, wraps };
    let known = Known::new();
    let back = ticks.back as f64;
    let (draws, all) = (ticks.draws as f64, ticks.times.ticks() as f64);
    let (mut pairs, mut again, mut of_two) = (0.0, 0.0, 0.0f64);
    for (times, thrown) in crowds(ticks.times, ticks.draws, counter.generators) {
        // Where a tick is lived twice two lives meet too, of one generator as of two.
        let met = met(counting, thrown, &known);
        pairs += (times * choose_2(k) + back * k * k) * met.pairs + times * k * met.own_pairs;
        again += product(back * k * k, met.hazard);
        of_two += times / all * met.hazard.min(1.0);
    }
    let in_tick = |thrown| {
        let (two, own) = if wraps {
            counting.hazards(thrown, &known)
        } else {
            (met(counting, thrown, &known).hazard, 0.0)
        };
        product(choose_2(k), two) + product(k, own)
    };
    let run = over_ticks(ticks.times, ticks.draws, counter.generators, in_tick);
    let hazard = run.hazard + again;
    // Of two generators all is said. Of more, two pairs have one in common: three that meet in one tick.
    let lives = if back > 0.0 { 2.0 * k } else { k };
    let crowd = (lives - 2.0).max(0.0) * of_two;
    let twice = if again > 0.0 { 4.0 * hazard.min(draws) / draws } else { 0.0 };
    // A clock that runs ahead settles within 1/(1 − load)² ticks.
    let load = draws / all / k;
    let settling = if wraps { 0.0 } else { load / (1.0 - load).max(1e-3).powi(2) / all + 2.0 / draws };
    let error = (run.error + crowd + twice + settling).min(1.0);
    let mut expected = Expected::by_hazard(hazard, error, pairs, "of pairs of counters that meet in a tick");
    expected.pairs_error = settling.min(1.0);
    expected
}

/// The runs of two generators; where a generator makes one id a tick, it makes one as often as it is asked.
fn met(counting: Counting, thrown: Thrown, known: &Known) -> Met {
    if counting.wraps {
        return counting.met(thrown, known);
    }
    let pairs = thrown.pairs_of_two() * (-f64::from(counting.tail)).exp2();
    Met { pairs, hazard: -(-pairs.min(1.0)).ln_1p(), own_pairs: 0.0, own_hazard: 0.0 }
}

/// A product in which nothing times certainty is nothing.
pub(super) fn product(times: f64, hazard: f64) -> f64 {
    if times == 0.0 { 0.0 } else { times * hazard }
}
