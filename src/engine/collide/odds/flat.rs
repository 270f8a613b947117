//! One space for all time, with or without a window after which ids are forgotten.

use super::super::answer::Bounds;
use super::super::load::Load;
use super::super::model::Values;
use super::{Odds, counted, ids, tails};
use crate::math::logspace::{Chance, Wide};
use crate::math::retention::Retention;
use crate::math::{birthday, occupancy};
use num_bigint::BigUint;

pub(super) fn flat(values: &Values, load: &Load) -> Odds {
    let mut whole = all_kept(values, &ids(load));
    if let (Some(window), Some(rate)) = (load.window_s, load.rate_per_s) {
        // At the end of a run that is shorter than the window, what the run has made is live.
        let kept = load.for_s.map_or(window, |span| span.min(window));
        whole.live_hazard_per_s = Retention::new(rate, kept, values.wide).hazard_per_s();
    }
    match (load.shorter_window_s(), load.rate_per_s, load.for_s) {
        (Some(window), Some(rate), Some(span)) => windowed(values, whole, (rate, window, span), load),
        _ => whole,
    }
}

/// Ids that are all kept.
pub(super) fn all_kept(values: &Values, ids: &BigUint) -> Odds {
    let (pairs, repeats) = (values.pairs(ids), values.repeats(ids));
    let Some(space) = &values.exact else {
        let chance = effective(values, Wide::whole(ids), pairs);
        return Odds::new(chance, pairs, repeats, "exact for equally likely ids in the effective space");
    };
    let mut odds = Odds::new(birthday::chance(ids, space), pairs, repeats, "exact");
    odds.tails = tails::of_ids(ids, space, repeats);
    odds.bounds = Some(bounds(ids, space));
    odds.triples = Some(occupancy::expected_triples(ids, space));
    odds.first_clash = Some(occupancy::mean_first_clash(space));
    odds
}

/// An effective space: its pairs are exact, and no count of its values makes a clash certain.
fn effective(values: &Values, ids: Wide, pairs: Wide) -> Chance {
    let at_most = pairs.in_f64().filter(|pairs| *pairs < 1.0).map(Chance::from_probability);
    let chance = match birthday::chance_in(ids, values.wide) {
        Chance::Certain => Chance::Open(pairs),
        open => open,
    };
    at_most.map_or(chance, |most| chance.min(most))
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

/// A flat space whose ids are forgotten after a window that ends before the run.
fn windowed(values: &Values, whole: Odds, (rate, window, span): (f64, f64, f64), load: &Load) -> Odds {
    let kept = Retention::new(rate, window, values.wide);
    let pairs = kept.expected_clashes(span).times(counted(load));
    let everything = whole.chance;
    let live = Wide::new(rate).times(Wide::new(window)).over(values.wide);
    let crowded = live.as_f64();
    let (chance, method) = match crowded {
        _ if crowded >= 1.0 && values.exact.is_some() => {
            (Chance::Certain, "more keys live at once than there are values".to_owned())
        }
        // The Poisson form takes n² for n(n − 1): it must not pass what keeping everything gives.
        _ if crowded >= 1.0 => (
            Chance::Open(pairs).min(everything),
            "1 - exp(-expected pairs), with more keys live at once than there are effective values"
                .to_owned(),
        ),
        _ if crowded > 1e-6 => (
            Chance::Open(pairs).min(everything),
            format!(
                "Poisson approximation, exponent low by up to {:.1e} of itself (live keys over values)",
                -(-crowded).ln_1p() / crowded - 1.0
            ),
        ),
        _ => (Chance::Open(pairs).min(everything), "Poisson, relative error below 1e-6".to_owned()),
    };
    // While the window fills, and once it has: a payment is refused once, however many live keys it meets.
    let repeats = repeats_within(&kept, live, window, span).times(counted(load)).min(whole.repeats);
    let per_s = kept.hazard_per_s().map(|hazard| hazard.times(distinct(live)));
    let mut odds = Odds::new(chance, pairs, repeats, method);
    odds.repeats_per_s = per_s;
    odds.live_hazard_per_s = kept.hazard_per_s();
    let together = kept.live_keys().unwrap_or(Wide::ZERO);
    odds.tails = tails::by_poisson(repeats, together, values.wide, Wide::whole(&ids(load)));
    odds.keep_everything = Some(everything);
    odds
}

/// Repeats of a run in which ids are forgotten after a window, x live keys a value: while the window fills
/// N(x − 1 + e^−x), then r(1 − e^−x) a second.
pub(super) fn repeats_within(kept: &Retention, live: Wide, window: f64, span: f64) -> Wide {
    let filling = kept.expected_clashes(window).times(distinct_together(live));
    let per_s = kept.hazard_per_s().map(|hazard| hazard.times(distinct(live)));
    filling.plus(per_s.map_or(Wide::ZERO, |per_s| per_s.times(Wide::new(span - window))))
}

/// (1 − e^−x)/x: the share of colliding pairs that are a new repeat, where a value has x live keys on
/// average.
fn distinct(mean: Wide) -> Wide {
    match mean.in_f64() {
        Some(mean) if mean < 1e-16 => Wide::ONE,
        Some(mean) => Wide::new(-(-mean).exp_m1() / mean),
        None if mean < Wide::ONE => Wide::ONE,
        None => Wide::ONE.over(mean),
    }
}

/// The same among ids that all come together: λ − N(1 − e^−x) repeats of λx/2 pairs, x = λ/N a value.
pub(super) fn distinct_together(mean: Wide) -> Wide {
    match mean.in_f64() {
        // 2(x − 1 + e^−x)/x² = 1 − x/3 + x²/12 − …
        Some(x) if x < 1e-3 => Wide::new(1.0 - x / 3.0 + x * x / 12.0 - x * x * x / 60.0),
        Some(x) => Wide::new(2.0 * (x + (-x).exp_m1()) / x / x),
        None if mean < Wide::ONE => Wide::ONE,
        None => Wide::new(2.0).over(mean),
    }
}
