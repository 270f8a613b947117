//! Expectations of ids of a clock, a node number and a sequence: two generators clash where they share a number and their
//! sequences meet.
//!
//! Pairs are those of the sequences of two generators (`runs`) times the chance that they share a number. P is thinned: a
//! number that c of K generators drew stays without a clash with e^−τ C(c, 2), τ the hazard of two over the run, and numbers
//! are as `spread` has it. Where τ is beyond doubt it is the birthday of the numbers.

use super::super::source::{Nodes, Start};
use super::runs::{Counting, Known};
use super::ticks::{crowds, over_ticks, product};
use super::{Expected, choose_2, spread};
use crate::math::birthday;
use crate::math::logspace::{Chance, Wide};

/// From this hazard of two generators of one number on they clash for sure.
const SURE: f64 = 45.0;

/// Ids of nodes.
pub(in super::super) fn nodes(nodes: &Nodes) -> Expected {
    let k = nodes.generators as f64;
    let drawn = if nodes.start == Start::Random { nodes.sequence } else { 0 };
    let counting = Counting { bits: nodes.sequence, drawn, tail: 0, wraps: !nodes.waits };
    let back = nodes.back as f64;
    let known = Known::new();
    let run =
        over_ticks(nodes.times, nodes.draws, nodes.generators, |thrown| counting.hazards(thrown, &known).0);
    let (mut of_two, mut tau, mut own_pairs, mut own, mut crowd) = (0.0, run.hazard, 0.0, 0.0, 0.0);
    for (times, thrown) in crowds(nodes.times, nodes.draws, nodes.generators) {
        let met = counting.met(thrown, &known);
        // A tick that is lived twice: each of two lives with each of two, and both of one generator.
        of_two += (times + 2.0 * back) * met.pairs;
        tau += product(2.0 * back, met.hazard);
        own_pairs += times * k * met.own_pairs + back * k * met.pairs;
        own += product(times * k, met.own_hazard) + product(back * k, met.hazard);
        crowd += times / nodes.times.ticks() as f64 * met.hazard.min(1.0);
    }
    let overflow = overflow(nodes);
    let same = nodes.numbers.map_or(1.0, |numbers| 1.0 / numbers.wide().as_f64());
    let pairs = choose_2(k) * same * of_two + own_pairs;
    // Two pairs of generators have one in common, which meets either in one tick, or makes many ids or few.
    let draws = nodes.draws as f64;
    let others = |generators: f64| {
        let more = (generators - 2.0).max(0.0);
        if more > 0.0 { more * (crowd + 2.0 * tau.min(1.0) * k / draws) } else { 0.0 }
    };
    let (shared, error) = shared(nodes, tau);
    // Beyond doubt it does not matter how many times two have met.
    let open = if tau > 0.0 { tau.min(SURE) / tau.min(SURE).exp_m1() } else { 0.0 };
    let doubt = if nodes.numbers.is_some() { open } else { 1.0 };
    let error = error + (run.error + others(k) * (k * same).min(1.0)) * doubt;
    let hazard = match shared {
        Chance::Certain => f64::INFINITY,
        Chance::Open(t) => t.as_f64() + own,
    };
    // Two lives of one generator, and those of the others.
    let own_error = if own > 0.0 { others(2.0 * k) + 4.0 * own.min(draws) / draws } else { 0.0 };
    let sure = tau > SURE && nodes.numbers.is_some() && own == 0.0 && overflow == 0.0;
    let error = if sure { 0.0 } else { (error + own_error + overflow).min(1.0) };
    let what = if error == 0.0 { "birthday of node numbers" } else { "of generators of one node number" };
    let mut expected = Expected::by_hazard(hazard, error, pairs, what);
    expected.pairs_error = overflow.min(1.0);
    expected
}

/// At least one clash of two generators of one number, with its relative error.
fn shared(nodes: &Nodes, tau: f64) -> (Chance, f64) {
    let k = nodes.generators as f64;
    if k < 2.0 || tau == 0.0 {
        return (Chance::NEVER, 0.0);
    }
    let Some(numbers) = nodes.numbers else { return (Chance::from_hazard(tau * choose_2(k)), 0.0) };
    if tau > SURE {
        return (birthday::chance_in(Wide::new(k), numbers.wide()), 0.0);
    }
    let values = numbers.wide().as_f64() as u64;
    let hazard = spread::hazard(nodes.generators, values, |c| product(choose_2(c as f64), tau));
    (Chance::from_hazard(hazard), spread::error(nodes.generators))
}

/// The share of ids that wait for the next tick, which no sum above counts.
fn overflow(nodes: &Nodes) -> f64 {
    if !nodes.waits {
        return 0.0;
    }
    let room = f64::from(nodes.sequence).exp2();
    let over = crowds(nodes.times, nodes.draws, nodes.generators).into_iter().map(|(times, thrown)| {
        let beyond = thrown.mean(|x| (x as f64 - room).max(0.0));
        times * nodes.generators as f64 * beyond / nodes.draws as f64
    });
    // They are put into the next tick together with those that wait there already.
    4.0 * over.sum::<f64>()
}
