//! The odds of a clash under a load: for a flat space, for ticks of a clock, for numbers of nodes.

use super::answer::{Bounds, Nodes, Tail};
use super::load::Load;
use super::model::{Model, Values};
use crate::math::bucket::Buckets;
use crate::math::logspace::{Chance, Wide};
use crate::math::retention::Retention;
use crate::math::{birthday, occupancy, poisson, sequence};
use num_bigint::BigUint;

/// What a load does to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Odds {
    /// At least one clash.
    pub chance: Chance,
    /// Whether the load is more than the nodes can give: then nothing can be said of it.
    pub beyond: bool,
    pub bounds: Option<Bounds>,
    pub pairs: Wide,
    pub repeats: Wide,
    pub triples: Option<Wide>,
    pub first_clash: Option<Wide>,
    /// Colliding pairs each second, where that is steady.
    pub hazard_per_s: Option<Wide>,
    /// Colliding pairs each second among the keys that are live at the end of the run.
    pub live_hazard_per_s: Option<Wide>,
    /// How many repeats come with which probability, where that is known.
    pub tails: Vec<Tail>,
    /// What keeping everything would give, beside a window.
    pub keep_everything: Option<Chance>,
    pub nodes: Option<Nodes>,
    pub method: String,
}

impl Odds {
    fn new(chance: Chance, pairs: Wide, repeats: Wide, method: impl Into<String>) -> Odds {
        Odds {
            chance,
            beyond: false,
            bounds: None,
            pairs,
            repeats,
            triples: None,
            first_clash: None,
            hazard_per_s: None,
            live_hazard_per_s: None,
            tails: Vec::new(),
            keep_everything: None,
            nodes: None,
            method: method.into(),
        }
    }
}

/// The odds of a model under a load whose ids are known.
pub(super) fn odds(model: &Model, load: &Load) -> Odds {
    match model {
        Model::Flat(values) => flat(values, load),
        Model::Bucket { width_s, repeats_s, values, counter } => match load.rate_per_s {
            Some(rate) => ticks(
                &Ticks { width_s: *width_s, repeats_s: *repeats_s, values, counter: *counter },
                rate,
                load,
            ),
            None => one_tick(*width_s, values, *counter, load),
        },
        Model::Nodes { tick_s, node, sequence_bits, resets } => {
            nodes(&Numbered { tick_s: *tick_s, node, sequence_bits: *sequence_bits, resets: *resets }, load)
        }
        Model::Clock { .. } => {
            by_construction("none by construction while the clock is not set back and one server counts")
        }
    }
}

fn by_construction(method: &str) -> Odds {
    Odds::new(Chance::NEVER, Wide::ZERO, Wide::ZERO, method)
}

/// One space for all time, with or without a window.
fn flat(values: &Values, load: &Load) -> Odds {
    let ids = load.ids.as_ref().map_or(BigUint::ZERO, |ids| ids.value().clone());
    let mut whole = all_kept(values, &ids);
    if let (Some(window), Some(rate)) = (load.window_s, load.rate_per_s) {
        // At the end of a run that is shorter than the window, what the run has made is live.
        let kept = load.for_s.map_or(window, |span| span.min(window));
        whole.live_hazard_per_s = Retention::new(rate, kept, values.wide).hazard_per_s();
    }
    match (load.shorter_window_s(), load.rate_per_s, load.for_s) {
        (Some(window), Some(rate), Some(span)) => windowed(values, whole, (rate, window, span)),
        _ => whole,
    }
}

/// Ids that are all kept.
fn all_kept(values: &Values, ids: &BigUint) -> Odds {
    let Some(space) = &values.exact else {
        let ids = Wide::whole(ids);
        let chance = birthday::chance_in(ids, values.wide);
        let pairs = occupancy::expected_pairs_in(ids, values.wide);
        let repeats = occupancy::expected_repeats_in(ids, values.wide);
        return Odds::new(chance, pairs, repeats, "exact for equally likely ids in the effective space");
    };
    let chance = birthday::chance(ids, space);
    let mut odds = Odds::new(
        chance,
        occupancy::expected_pairs(ids, space),
        occupancy::expected_repeats(ids, space),
        "exact",
    );
    odds.tails = tails(ids, space, odds.repeats);
    odds.bounds = Some(bounds(ids, space));
    odds.triples = Some(occupancy::expected_triples(ids, space));
    odds.first_clash = Some(occupancy::mean_first_clash(space));
    odds
}

/// The tightest of the bounds that have names.
fn bounds(ids: &BigUint, space: &BigUint) -> Bounds {
    let named = |of: fn(&BigUint, &BigUint) -> Chance, name| (of(ids, space), name);
    let lower = [
        named(birthday::lower_poisson, "1 - exp(-C(n,2)/N)"),
        named(birthday::lower_amgm, "1 - (1 - n/2N)^(n-1)"),
    ];
    let upper =
        [named(birthday::upper, "1 - exp(-n(n-1)/2(N-n+1))"), named(birthday::upper_union, "C(n,2)/N")];
    let (low, low_name) = if lower[1].0 >= lower[0].0 { lower[1] } else { lower[0] };
    let (high, high_name) = if upper[1].0 <= upper[0].0 { upper[1] } else { upper[0] };
    Bounds { lower: low, lower_name: low_name, upper: high, upper_name: high_name }
}

/// A flat space whose ids are forgotten after a window.
fn windowed(values: &Values, whole: Odds, (rate, window, span): (f64, f64, f64)) -> Odds {
    let kept = Retention::new(rate, window, values.wide);
    let pairs = kept.expected_clashes(span);
    let everything = whole.chance;
    // The Poisson form takes n² for n(n − 1): it must not pass what keeping everything gives.
    let chance = lesser(kept.chance(span), everything);
    let live = Wide::new(rate * window).over(values.wide);
    let method = match live.as_f64() {
        crowded if crowded > 1e-6 => {
            format!(
                "Poisson approximation, exponent low by up to {:.1e} of itself (live keys / 2N)",
                crowded / 2.0
            )
        }
        _ => "Poisson, relative error below 1e-6".to_owned(),
    };
    let mut odds = Odds::new(chance, pairs, pairs.times(distinct(live)), method);
    odds.hazard_per_s = kept.hazard_per_s();
    odds.live_hazard_per_s = odds.hazard_per_s;
    odds.tails = poisson_tails(odds.repeats, kept.live_keys().unwrap_or(Wide::ZERO), values.wide);
    odds.keep_everything = Some(everything);
    odds
}

fn lesser(a: Chance, b: Chance) -> Chance {
    if a <= b { a } else { b }
}

/// (1 − e^−m)/m: the share of colliding pairs that are a new repeat, where m live keys share a value on average.
fn distinct(mean: Wide) -> Wide {
    match mean.in_f64() {
        Some(mean) if mean < 1e-16 => Wide::ONE,
        Some(mean) if mean > 0.0 => Wide::new(-(-mean).exp_m1() / mean),
        _ if mean < Wide::ONE => Wide::ONE,
        _ => Wide::ONE.over(mean),
    }
}

/// The same among ids of one tick, where all come together: λ − N(1 − e^−x) repeats of λx/2 pairs, x = λ/N a value.
fn distinct_in_tick(mean: Wide) -> Wide {
    match mean.in_f64() {
        // 2(x − 1 + e^−x)/x² = 1 − x/3 + x²/12 − …
        Some(x) if x < 1e-3 => Wide::new(1.0 - x / 3.0 + x * x / 12.0 - x * x * x / 60.0),
        Some(x) => Wide::new(2.0 * (x + (-x).exp_m1()) / x / x),
        None if mean < Wide::ONE => Wide::ONE,
        None => Wide::new(2.0).over(mean),
    }
}

/// A scheme whose clock tells ids apart.
struct Ticks<'a> {
    width_s: f64,
    repeats_s: Option<f64>,
    values: &'a Values,
    counter: bool,
}

impl Ticks<'_> {
    /// The buckets under this load.
    fn buckets(&self, load: &Load) -> Buckets {
        let mut buckets = Buckets::new(self.width_s, self.values.wide);
        buckets.dispersion = load.dispersion;
        buckets.duty = load.duty;
        buckets.nodes = if self.counter { load.nodes() } else { None };
        // A run shorter than a tick is a tick of that length.
        if let Some(span) = load.for_s.filter(|span| *span > 0.0) {
            buckets.width_s = buckets.width_s.min(span);
        }
        buckets
    }

    /// By how much more pairs meet because the clock has shown the same before: 1 + 2 Σ (1 − jR/T) over
    /// its returns within the window.
    fn returns(&self, load: &Load) -> f64 {
        let (Some(repeats), Some(span)) = (self.repeats_s, load.for_s) else { return 1.0 };
        let reach = load.window_s.unwrap_or(span).min(span);
        let times = (reach / repeats).floor();
        if times < 1.0 {
            return 1.0;
        }
        1.0 + 2.0 * (times - repeats / span * times * (times + 1.0) / 2.0)
    }
}

/// Ids at a rate, told apart by the tick they were made in.
fn ticks(scheme: &Ticks<'_>, rate: f64, load: &Load) -> Odds {
    let span = load.for_s.unwrap_or(0.0);
    let buckets = scheme.buckets(load);
    let returns = Wide::new(scheme.returns(load));
    let window = load.shorter_window_s().filter(|window| *window < buckets.width_s);
    let pairs = match window {
        Some(window) => buckets.expected_clashes_within(rate, span, window),
        None => buckets.expected_clashes(rate, span),
    }
    .times(returns);
    let exact = window.is_none() && returns == Wide::ONE && buckets.is_poisson();
    let chance = match exact {
        true => buckets.chance_of_poisson(rate, span),
        false => Chance::Open(pairs),
    };
    let crowd = buckets.ids_per_bucket(rate).over(scheme.values.wide);
    let method = match (exact, crowd.as_f64()) {
        (true, _) => "exact for Poisson arrivals".to_owned(),
        (false, crowd) if crowd > 1e-6 => {
            format!("1 - exp(-expected pairs), exponent off by up to {crowd:.1e} of itself (ids a tick / N)")
        }
        (false, _) => "1 - exp(-expected pairs), relative error below 1e-6".to_owned(),
    };
    let mut odds = Odds::new(chance, pairs, pairs.times(distinct_in_tick(crowd)), method);
    if exact {
        odds.tails = poisson_tails(odds.repeats, buckets.ids_per_bucket(rate), scheme.values.wide);
    }
    odds.live_hazard_per_s =
        Some(pairs.over(Wide::new(span))).filter(|_| span > 0.0 && load.window_s.is_some());
    if span > 0.0 {
        odds.hazard_per_s = Some(pairs.over(Wide::new(span)));
    }
    odds
}

/// A time over which the odds of a scheme with a clock are steady: whole ticks, at least a second.
pub(super) fn steady_s(model: &Model) -> f64 {
    model.tick_s().map_or(1.0, |tick| tick.max(1.0))
}

/// Ids of which only the number is known: at worst all are made in one tick.
fn one_tick(width_s: f64, values: &Values, counter: bool, load: &Load) -> Odds {
    let ids = load.ids.as_ref().map_or(BigUint::ZERO, |ids| ids.value().clone());
    let mut odds = all_kept(values, &ids);
    odds.method =
        format!("{}, at worst: all ids in one tick of {width_s} s (give --rate and --for)", odds.method);
    if let (true, Some(nodes)) = (counter, load.nodes()) {
        let across = Wide::new((nodes - 1) as f64 / nodes as f64);
        odds.pairs = odds.pairs.times(across);
        odds.repeats = odds.repeats.times(across);
        odds.chance = odds.chance.hazard().map_or(odds.chance, |t| Chance::Open(t.times(across)));
        odds.bounds = None;
        odds.triples = None;
        odds.tails.clear();
    }
    odds
}

/// A scheme that numbers its nodes.
struct Numbered<'a> {
    tick_s: f64,
    node: &'a Values,
    sequence_bits: u32,
    resets: bool,
}

/// Nodes that draw their own numbers, or were given them.
fn nodes(scheme: &Numbered<'_>, load: &Load) -> Odds {
    let generators =
        load.generators.as_ref().map(|count| count.value().clone()).unwrap_or_else(|| 1u32.into());
    let shared = match &scheme.node.exact {
        Some(numbers) => birthday::chance(&generators, numbers),
        None => birthday::chance_in(Wide::whole(&generators), scheme.node.wide),
    };
    let values_a_tick = Wide::exp2(f64::from(scheme.sequence_bits));
    let each = load.rate_per_s.map(|rate| Wide::new(rate).over(Wide::whole(&generators)).as_f64());
    let mean = each.map(|rate| rate * scheme.tick_s);
    let a_tick = mean.map(|mean| duplicates_a_tick(scheme, mean));
    let facts = Nodes {
        node_bits: scheme.node.bits(),
        shared,
        log10_shared_node_probability: shared.log10(),
        capacity_per_s: sequence::capacity_per_s(values_a_tick, scheme.tick_s).as_f64(),
        overflow: mean.map(|mean| sequence::overflow(mean, scheme.sequence_bits)),
        log10_overflow_probability_per_tick: mean
            .and_then(|mean| sequence::overflow(mean, scheme.sequence_bits).log10()),
        clashes_per_s_of_a_shared_pair: a_tick.map(|clashes| clashes.over(Wide::new(scheme.tick_s))),
    };
    let sharing = match &scheme.node.exact {
        Some(numbers) => occupancy::expected_pairs(&generators, numbers),
        None => occupancy::expected_pairs_in(Wide::whole(&generators), scheme.node.wide),
    };
    let mut odds = match (load.generators.is_some(), a_tick, load.for_s) {
        (false, ..) => by_construction(
            "none by construction while node numbers are unique, the clock is not set back and no sequence overflows; \
             give --generators for nodes that draw their numbers",
        ),
        (true, Some(a_tick), Some(span)) => {
            let of_a_pair = a_tick.times(Wide::new(span / scheme.tick_s));
            let pairs = sharing.times(of_a_pair);
            // Two nodes share a number, and then any of their ids clash.
            let chance = both(shared, Chance::Open(of_a_pair));
            Odds::new(chance, pairs, pairs, "exact birthday of node numbers, Poisson arrivals within a tick")
        }
        (true, ..) => {
            Odds::new(shared, sharing, sharing, "exact birthday of node numbers: two nodes share one")
        }
    };
    if load.for_s.is_some_and(|span| span > 0.0) && odds.chance != Chance::NEVER {
        odds.hazard_per_s = load.for_s.map(|span| odds.pairs.over(Wide::new(span)));
    }
    odds.nodes = Some(facts);
    if mean.is_some_and(|mean| Wide::new(mean) > values_a_tick) {
        odds.beyond = true;
        "more ids are asked of a node than its sequence tells apart: it falls behind, or repeats itself"
            .clone_into(&mut odds.method);
    }
    odds
}

/// Ids that two nodes of one number make twice in a tick, on average.
fn duplicates_a_tick(scheme: &Numbered<'_>, mean: f64) -> Wide {
    match scheme.resets {
        true => Wide::new(sequence::shared_tick_duplicates(mean)),
        false => Wide::new(mean).times(Wide::new(mean)).over(Wide::exp2(f64::from(scheme.sequence_bits))),
    }
}

/// The chance that two independent things both happen.
fn both(a: Chance, b: Chance) -> Chance {
    match (a, b) {
        (Chance::Certain, other) | (other, Chance::Certain) => other,
        (Chance::Open(_), Chance::Open(_)) => {
            let product = a.probability().times(b.probability());
            match product.in_f64() {
                Some(p) if p > 1e-15 => Chance::from_probability(p),
                _ => Chance::Open(product),
            }
        }
    }
}

/// Repeats of which the probability is told, so many or more.
const TAILS: [u32; 4] = [2, 3, 10, 100];

/// Probabilities of several repeats: by counting where ids are few, else by Poisson's law.
fn tails(ids: &BigUint, space: &BigUint, repeats: Wide) -> Vec<Tail> {
    let small = u32::try_from(ids).ok().filter(|ids| *ids <= COUNTED).zip(u32::try_from(space).ok());
    let Some((draws, values)) = small else {
        return poisson_tails(repeats, Wide::whole(ids), Wide::whole(space));
    };
    let tail = |repeats: u32| {
        let p = occupancy::repeats_at_least(draws, values, repeats).clamp(0.0, 1.0);
        Tail { repeats, odds: super::Odds(Some(Chance::from_probability(p))), method: "exact" }
    };
    TAILS.into_iter().filter(|repeats| *repeats < draws).map(tail).collect()
}

/// Ids whose repeats are counted value by value.
const COUNTED: u32 = 1_000;

/// Repeats are Poisson to a relative k²/n + n/N where n ids that can meet are many and N values far more.
fn poisson_tails(repeats: Wide, together: Wide, space: Wide) -> Vec<Tail> {
    let mean = repeats.in_f64().filter(|mean| *mean > 0.0 && *mean < 1e6);
    let Some(mean) = mean.filter(|_| together.over(space) < Wide::new(1e-6)) else { return Vec::new() };
    let tail = |repeats: u32| Tail {
        repeats,
        odds: super::Odds(Some(poisson::chance_at_least(mean, repeats.into()))),
        method: "Poisson",
    };
    TAILS.map(tail).to_vec()
}
