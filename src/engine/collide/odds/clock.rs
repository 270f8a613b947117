//! Schemes whose clock tells ids apart: ids clash only within one tick.

use super::super::load::Load;
use super::super::model::{Counter, Values};
use super::flat::{self, all_kept, distinct_together};
use super::{Odds, counted, ids, tails};
use crate::math::bucket::Buckets;
use crate::math::logspace::{Chance, Wide};
use crate::math::retention::Retention;
use crate::math::{birthday, occupancy, sequence, trials};

/// A scheme with a clock.
pub(super) struct Ticks<'a> {
    pub width_s: f64,
    pub repeats_s: Option<f64>,
    pub values: &'a Values,
    pub counter: Counter,
}

impl Ticks<'_> {
    /// The buckets under this load.
    fn buckets(&self, load: &Load) -> Buckets {
        let mut buckets = Buckets::new(self.width_s, self.values.wide);
        buckets.dispersion = load.dispersion;
        buckets.duty = load.duty;
        buckets.nodes = if self.counter == Counter::None { None } else { load.nodes() };
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

    /// Expected pairs of a run, before returns of the clock.
    fn pairs(&self, buckets: &Buckets, rate: f64, span: f64, window: Option<f64>) -> Wide {
        if let (Counter::FromZero, Some(nodes)) = (self.counter, buckets.nodes) {
            return self.pairs_from_zero(buckets, rate, span, nodes);
        }
        match window {
            Some(window) => buckets.expected_clashes_within(rate, span, window),
            None => buckets.expected_clashes(rate, span),
        }
    }

    /// Repeats where ids are forgotten within a tick: each tick is a run of its own.
    fn repeats_within(&self, buckets: &Buckets, rate: f64, span: f64, window: f64) -> Wide {
        let busy = rate / buckets.duty;
        let kept = Retention::new(busy, window, self.values.wide);
        let live = Wide::new(busy).times(Wide::new(window)).over(self.values.wide);
        let a_tick = flat::repeats_within(&kept, live, window, buckets.width_s);
        a_tick.times(busy_ticks(buckets, span))
    }

    /// Counters that start at 0 in every tick keep ids apart but for those of one count: of each pair of
    /// generators Σ P(X ≥ k)² a tick.
    fn pairs_from_zero(&self, buckets: &Buckets, rate: f64, span: f64, nodes: u64) -> Wide {
        let mean = buckets.ids_per_bucket(rate).as_f64() / nodes.max(1) as f64;
        let of_a_pair = Wide::new(sequence::shared_tick_duplicates(mean));
        let ticks = busy_ticks(buckets, span);
        trials::pairs(nodes as f64).times(of_a_pair).times(ticks).over(self.values.wide)
    }
}

/// Ticks of a run in which ids are made.
fn busy_ticks(buckets: &Buckets, span: f64) -> Wide {
    Wide::new(span * buckets.duty / buckets.width_s)
}

/// Ids at a rate, told apart by the tick they were made in.
pub(super) fn ticks(scheme: &Ticks<'_>, rate: f64, load: &Load) -> Odds {
    let span = load.for_s.unwrap_or(0.0);
    let buckets = scheme.buckets(load);
    let returns = scheme.returns(load);
    let window = load.shorter_window_s().filter(|window| *window < buckets.width_s);
    let pairs = scheme.pairs(&buckets, rate, span, window).times(Wide::new(returns)).times(counted(load));
    // However unevenly ids come, they are not more than all in one tick.
    let made = Wide::new(rate).times(Wide::new(span));
    let most = made.times(made).over(scheme.values.wide).times(Wide::new(0.5));
    let capped = pairs > most.times(Wide::new(1.0 + 1e-12));
    let pairs = pairs.min(most);
    let plain = window.is_none() && returns == 1.0 && !capped && buckets.is_poisson();
    let together = if capped { made } else { buckets.ids_per_bucket(rate) };
    let crowd = together.over(scheme.values.wide).times(Wide::new(returns));
    let mut odds = match (plain, load.counted) {
        (true, true) => spread(scheme, &buckets, span, load),
        (true, false) => {
            let chance = buckets.chance_of_poisson(rate, span);
            Odds::new(chance, pairs, pairs.times(distinct_together(crowd)), "exact for Poisson arrivals")
        }
        (false, _) => {
            let method = match crowd.as_f64() {
                crowd if crowd > 1e-6 => format!(
                    "1 - exp(-expected pairs), exponent off by up to {crowd:.1e} of itself (ids a tick over values)"
                ),
                _ => "1 - exp(-expected pairs), relative error below 1e-6".to_owned(),
            };
            let met = match window {
                Some(window) => scheme.repeats_within(&buckets, rate, span, window),
                None => pairs.times(distinct_together(crowd)),
            };
            let repeats = met.min(pairs).min(made);
            Odds::new(Chance::Open(pairs), pairs, repeats, method)
        }
    };
    if plain {
        odds.tails = tails::by_poisson(odds.repeats, together, scheme.values.wide, made);
    }
    if span > 0.0 {
        odds.repeats_per_s = Some(odds.repeats.over(Wide::new(span)));
        odds.live_hazard_per_s = load.window_s.map(|_| odds.pairs.over(Wide::new(span)));
    }
    odds
}

/// So many ids at times that are independent and equally likely: a birthday over all ticks and values.
fn spread(scheme: &Ticks<'_>, buckets: &Buckets, span: f64, load: &Load) -> Odds {
    let ids = Wide::whole(&ids(load));
    let cells = scheme.values.wide.times(Wide::new(span / buckets.width_s));
    Odds::new(
        birthday::chance_in(ids, cells),
        occupancy::expected_pairs_in(ids, cells),
        occupancy::expected_repeats_in(ids, cells),
        "exact for so many ids at independent times",
    )
}

/// Ids of which only the number is known: at worst all are made in one tick.
pub(super) fn one_tick(scheme: &Ticks<'_>, load: &Load) -> Odds {
    let mut odds = all_kept(scheme.values, &ids(load));
    odds.method = format!(
        "{}, at worst: all ids in one tick of {} s (give --rate and --for)",
        odds.method, scheme.width_s
    );
    if let (true, Some(nodes)) = (scheme.counter != Counter::None, load.nodes()) {
        let across = trials::across(nodes);
        odds.pairs = odds.pairs.times(across);
        odds.repeats = odds.repeats.times(across);
        odds.chance = match odds.chance.hazard() {
            _ if nodes == 1 => Chance::NEVER,
            Some(t) => Chance::Open(t.times(across)),
            None => odds.chance,
        };
        odds.bounds = None;
        odds.triples = None;
        odds.tails.clear();
    }
    odds
}
