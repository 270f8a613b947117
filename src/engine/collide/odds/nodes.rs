//! Schemes that number their nodes: ids clash where two nodes have drawn one number.

use super::super::answer::Nodes;
use super::super::load::Load;
use super::super::model::Values;
use super::flat::distinct_together;
use super::{Odds, by_construction};
use crate::math::logspace::{Chance, Wide};
use crate::math::{birthday, poisson, sequence};
use num_bigint::BigUint;

/// A scheme that numbers its nodes.
pub(super) struct Numbered<'a> {
    pub tick_s: f64,
    pub node: &'a Values,
    pub sequence_bits: u32,
    pub resets: bool,
}

/// Nodes that draw their own numbers, or were given them.
pub(super) fn nodes(scheme: &Numbered<'_>, load: &Load) -> Odds {
    let generators = making(load);
    let shared = match &scheme.node.exact {
        Some(numbers) => birthday::chance(&generators, numbers),
        None => birthday::chance_in(Wide::whole(&generators), scheme.node.wide),
    };
    let values_a_tick = Wide::exp2(f64::from(scheme.sequence_bits));
    let each = load.rate_per_s.map(|rate| Wide::new(rate).over(Wide::whole(&generators)).as_f64());
    let mean = each.map(|rate| rate * scheme.tick_s);
    let overflow = mean.map(|mean| sequence::overflow(mean, scheme.sequence_bits));
    let a_tick = mean.map(|mean| scheme.duplicates_a_tick(mean));
    let mut odds = match (load.generators.is_some(), mean, load.for_s) {
        (false, ..) => by_construction(
            "none by construction while node numbers are unique, the clock is not set back and no sequence overflows; \
             give --generators for nodes that draw their numbers",
        ),
        (true, Some(mean), Some(span)) => scheme.over_a_run(&generators, shared, mean, span),
        (true, ..) => {
            let (sharing, repeats) = (scheme.node.pairs(&generators), scheme.node.repeats(&generators));
            Odds::new(shared, sharing, repeats, "exact birthday of node numbers: two nodes share one")
        }
    };
    odds.nodes = Some(Nodes {
        node_bits: scheme.node.bits(),
        shared,
        log10_shared_node_probability: shared.log10(),
        capacity_per_s: sequence::capacity_per_s(values_a_tick, scheme.tick_s).as_f64(),
        overflow,
        log10_overflow_probability_per_tick: overflow.and_then(Chance::log10),
        clashes_per_s_of_a_shared_pair: a_tick.map(|clashes| clashes.over(Wide::new(scheme.tick_s))),
    });
    if mean.is_some_and(|mean| Wide::new(mean) > values_a_tick) {
        odds.beyond = true;
        "more ids are asked of a node than its sequence tells apart: it falls behind, or repeats itself"
            .clone_into(&mut odds.method);
    }
    odds
}

/// Generators that make any id at all: not more than there are ids.
fn making(load: &Load) -> BigUint {
    let all = load.generators.as_ref().map_or_else(|| 1u32.into(), |all| all.value().clone());
    match &load.ids {
        Some(ids) => all.min(ids.value().clone()).max(1u32.into()),
        None => all,
    }
}

impl Numbered<'_> {
    /// Ids that two nodes of one number make twice in a tick, on average.
    fn duplicates_a_tick(&self, mean: f64) -> Wide {
        match self.resets {
            true => Wide::new(sequence::shared_tick_duplicates(mean)),
            false => Wide::new(mean).times(Wide::new(mean)).over(Wide::exp2(f64::from(self.sequence_bits))),
        }
    }

    /// Two nodes of one number clash in a tick: where sequences start at 0, wherever both make any id.
    fn clash_in_a_tick(&self, mean: f64) -> Chance {
        match self.resets {
            true => Chance::from_probability(sequence::shared_tick_probability(mean)),
            false => Chance::Open(self.duplicates_a_tick(mean)),
        }
    }

    /// Nodes that make `mean` ids a tick each, for a run.
    fn over_a_run(&self, generators: &BigUint, shared: Chance, mean: f64, span: f64) -> Odds {
        let ticks = Wide::new(span / self.tick_s);
        let of_a_pair = match self.clash_in_a_tick(mean) {
            Chance::Certain => Chance::Certain,
            Chance::Open(t) => Chance::Open(t.times(ticks)),
        };
        let pairs = self.node.pairs(generators).times(self.duplicates_a_tick(mean)).times(ticks);
        let (chance, method) = self.thinned(generators, shared, of_a_pair);
        // Ids of one number, tick and place in the sequence: all but one of them repeat.
        let nodes = Wide::whole(generators).over(self.node.wide);
        let place = match self.resets {
            true => nodes.times(Chance::from_hazard(mean).probability()),
            false => nodes.times(Wide::new(mean)).over(Wide::exp2(f64::from(self.sequence_bits))),
        };
        let repeats = pairs.times(distinct_together(place));
        Odds::new(chance, pairs, repeats, method)
    }

    /// At least one clash, where each pair of nodes that share a number clashes with a probability.
    ///
    /// Where that is certain, the exact birthday of the numbers; else each number is taken to be drawn a
    /// Poisson number of times c, and stays without a clash with the mean of (1 − q)^C(c, 2).
    fn thinned(&self, generators: &BigUint, shared: Chance, of_a_pair: Chance) -> (Chance, &'static str) {
        let q = of_a_pair.probability();
        if q.as_f64() >= 1.0 - f64::EPSILON {
            return (shared, "exact birthday of node numbers: nodes that share one clash for sure");
        }
        let method = "birthday of node numbers, Poisson arrivals within a tick; relative error below generators over numbers";
        let mean = Wide::whole(generators).over(self.node.wide);
        let few = mean.as_f64() < 1e-3;
        let t = match (few, of_a_pair.hazard()) {
            (false, Some(pair)) => {
                // A Poisson number of draws meets itself too: n² for n(n − 1).
                let all = Wide::whole(generators);
                let others = all.minus(Wide::ONE).over(all);
                self.node.wide.times(Wide::new(one_number(mean.as_f64(), pair.as_f64()))).times(others)
            }
            _ => self.node.pairs(generators).times(q),
        };
        (Chance::Open(t), method)
    }
}

/// −ln of the mean of e^(−t C(c, 2)) over a Poisson c.
fn one_number(mean: f64, t: f64) -> f64 {
    if mean > 1e4 {
        // c hardly varies; and nothing is likelier to stay without a clash than at most one draw.
        return (t * mean * mean / 2.0).min(mean);
    }
    let last = (mean + 12.0 * mean.sqrt() + 40.0) as u64;
    let lost = (2..=last).map(|c| {
        let pairs = (c as f64) * (c as f64 - 1.0) / 2.0;
        poisson::pmf(mean, c) * -(-t * pairs).exp_m1()
    });
    -(-lost.sum::<f64>().min(1.0 - f64::EPSILON)).ln_1p()
}
