//! The birthday problem the other way: how many ids, how large a space, for a risk one is ready to take.
//!
//! Whole answers are right to the last digit. A candidate in `f64` is brought to the last digits by
//! Newton's method in whole numbers, and decided by comparing p at the candidate and at its neighbour with
//! the risk exactly; an answer rests on that comparison alone, the candidate only saves steps. Real
//! answers carry the error stated.
//!
//! Source: t lies between n(n−1)/2N and n(n−1)/(2(N−n+1)) (see [`super::birthday`]), which brackets every
//! search; t grows with n and is convex in it, so that Newton's method from above comes down to the root.

use super::birthday::{continued, expected_pairs, hazard_per_value};
use super::exact;
use super::logspace::{Chance, Wide};
pub use super::risk::Risk;
use num_bigint::{BigInt, BigUint};
use std::cmp::Ordering;

/// The largest n with p(n, N) ≤ risk, right to the last digit; at least 1, at most N.
///
/// A space of 0 counts as 1.
pub fn max_ids(space: &BigUint, risk: &Risk) -> BigUint {
    crossing(space, risk).0
}

/// The least n with p(n, N) ≥ risk, right to the last digit; at least 2, at most N + 1.
///
/// One more than [`max_ids`] unless p meets the risk exactly. A space of 0 counts as 1.
pub fn min_ids(space: &BigUint, risk: &Risk) -> BigUint {
    let (most, order) = crossing(space, risk);
    if order == Ordering::Equal { most } else { most + 1u32 }
}

/// The largest n with p(n, N) ≤ risk, and whether p is below the risk there or equal to it.
fn crossing(space: &BigUint, risk: &Risk) -> (BigUint, Ordering) {
    let one = BigUint::from(1u32);
    let space = space.max(&one);
    let near = near_crossing(space, risk).clamp(one.clone(), space.clone());
    let most = last_true(&near, &one, space, |ids| exact::against(ids, space, risk) != Ordering::Greater);
    let order = exact::against(&most, space, risk);
    (most, order)
}

/// A number of ids close to where p meets the risk.
fn near_crossing(space: &BigUint, risk: &Risk) -> BigUint {
    let mut near = ids_for(Wide::whole(space), risk.as_chance()).floor();
    // Below 2^40 the candidate is off by less than one. The digits double with each step.
    for _ in 0..64 {
        if near.bits() <= 40 || &near << 1u32 > *space {
            break;
        }
        let step = exact::step(&near, space, risk);
        let next = BigInt::from(near) - &step;
        near = next.into_parts().1;
        if step.bits() <= 1 {
            break;
        }
    }
    near
}

/// The last number from `low` to `high` for which a claim holds that holds at `low` and, once it fails,
/// fails for all that follow; searched in growing steps from `near`.
fn last_true(near: &BigUint, low: &BigUint, high: &BigUint, holds: impl Fn(&BigUint) -> bool) -> BigUint {
    let (mut step, one) = (BigUint::from(1u32), BigUint::from(1u32));
    let (mut yes, mut no) = (low.clone(), high + 1u32);
    let mut at = near.clone();
    if holds(&at) {
        while at < no {
            yes = at;
            at = &yes + &step;
            step <<= 1u32;
            if at < no && !holds(&at) {
                no = at.clone();
            }
        }
    } else {
        no = at.clone();
        while at > yes {
            at = if &yes + &step < no { &no - &step } else { yes.clone() };
            step <<= 1u32;
            if at > yes && holds(&at) {
                yes = at.clone();
            } else if at > yes {
                no = at.clone();
            }
        }
    }
    while &no - &yes > one {
        let middle = (&yes + &no) >> 1u32;
        if holds(&middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}

/// The real number of bits b with p(ids, 2^b) = risk; 0 for fewer than two ids, which never clash.
///
/// Relative error below 1e-15, for bits next to 0 too.
pub fn min_bits(ids: &BigUint, risk: &Risk) -> f64 {
    if ids.bits() < 2 {
        return 0.0;
    }
    if *ids == BigUint::from(2u32) {
        // N = 1/risk, whose logarithm near 1 is that of what is kept.
        let kept = risk.denominator() - risk.numerator();
        let kept = Wide::whole(&kept).over(Wide::whole(risk.denominator()));
        return if kept < Wide::new(0.5) {
            Chance::from_probability(kept.as_f64()).hazard().map_or(0.0, Wide::as_f64)
                / std::f64::consts::LN_2
        } else {
            min_space(ids, risk).log2()
        };
    }
    min_space(ids, risk).log2()
}

/// The real space N with p(ids, N) = risk; 1 for fewer than two ids. Relative error below 1e-14.
///
/// Between whole numbers p is continued by Γ; N exceeds ids − 1.
pub fn min_space(ids: &BigUint, risk: &Risk) -> Wide {
    if ids.bits() < 2 {
        return Wide::ONE;
    }
    if *ids == BigUint::from(2u32) {
        return Wide::whole(risk.denominator()).over(Wide::whole(risk.numerator()));
    }
    let hazard = risk.as_chance().hazard().expect("a risk is below 1");
    let ids = Wide::whole(ids);
    // N for which n(n−1)/2N is t.
    let least = expected_pairs(ids, hazard);
    if ids.over(least).log2() < -39.0 {
        // t = n(n−1)/2N (1 + (2n−1)/6N + …); the next is (n/N)²/6.
        let more = ids.times(Wide::new(2.0)).minus(Wide::ONE).over(Wide::new(6.0));
        return least.plus(more);
    }
    Wide::new(space_between(ids.as_f64(), least.as_f64(), hazard.as_f64()))
}

/// The space of n ids whose hazard is t, from `least` to `least` + n − 1, by halving.
fn space_between(ids: f64, least: f64, hazard: f64) -> f64 {
    let too_small = |space: f64| continued(ids, space, space - ids) > hazard;
    halve(least.max(ids - 1.0), least + ids - 1.0, too_small)
}

/// The least whole number of bits b with p(ids, 2^b) ≤ risk, decided exactly; 0 for fewer than two ids.
pub fn min_bits_integer(ids: &BigUint, risk: &Risk) -> u64 {
    min_exponent(2, ids, risk)
}

/// The least length L with p(ids, alphabet^L) ≤ risk, decided exactly; 0 for fewer than two ids.
///
/// # Panics
/// For an alphabet below 2: texts of one letter all clash at any length.
pub fn min_length(alphabet: u64, ids: &BigUint, risk: &Risk) -> u64 {
    assert!(alphabet >= 2, "an alphabet has at least two letters, got {alphabet}");
    min_exponent(alphabet, ids, risk)
}

/// The least e with p(ids, base^e) ≤ risk.
fn min_exponent(base: u64, ids: &BigUint, risk: &Risk) -> u64 {
    if ids.bits() < 2 {
        return 0;
    }
    let (base_bits, base) = ((base as f64).log2(), BigUint::from(base));
    let enough = |length: u64| {
        let length = u32::try_from(length).expect("fewer letters than ids and risk have bits together");
        exact::against(ids, &base.pow(length), risk) != Ordering::Greater
    };
    let mut length = (min_bits(ids, risk) / base_bits).ceil() as u64;
    while length > 0 && enough(length - 1) {
        length -= 1;
    }
    while !enough(length) {
        length += 1;
    }
    length
}

/// The real number of ids n with p(n, space) = risk, n between whole numbers continued by Γ.
///
/// From 1 (no risk) to space + 1 (certainty). Relative error below 1e-14 in n; a space below 1 counts as 1.
pub fn ids_for(space: Wide, risk: Chance) -> Wide {
    let space = if space < Wide::ONE { Wide::ONE } else { space };
    let Some(hazard) = risk.hazard() else { return space.plus(Wide::ONE) };
    // n for which n(n−1)/2N is t: not below the root.
    let pairs = hazard.times(space).times(Wide::new(2.0));
    let root = Wide::new(0.25).plus(pairs).sqrt();
    let most = root.plus(Wide::new(0.5));
    let share = most.over(space);
    if share.log2() < -60.0 {
        return most;
    }
    if space.log2() < 900.0 {
        return Wide::new(ids_below(space.as_f64(), most.as_f64(), hazard.as_f64()));
    }
    space.times(Wide::new(share_for(hazard.over(space).as_f64())))
}

/// The number of ids, 1 to `most`, whose hazard is t.
fn ids_below(space: f64, most: f64, hazard: f64) -> f64 {
    let (mut low, mut high) = (1.0, most.min(space + 1.0));
    let mut ids = high;
    for _ in 0..200 {
        // At N + 1 the continued hazard has its pole.
        let over =
            if ids < space + 1.0 { continued(ids, space, space - ids) - hazard } else { f64::INFINITY };
        if over > 0.0 {
            high = ids
        } else {
            low = ids
        }
        // The derivative ln N − ψ(N − n + 1), within 1/12M² of ln of the middle.
        let slope = -(-(ids - 0.5) / space).ln_1p();
        let newton = ids - over / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        if next == ids || next <= low || next >= high {
            break;
        }
        ids = next;
    }
    ids
}

/// The share x of a space beyond 2^900 whose hazard per value is t/N; 1 where t exceeds N.
fn share_for(per_value: f64) -> f64 {
    halve(0.0, 1.0, |share| hazard_per_value(share, 1.0 - share) < per_value)
}

/// Where a claim that holds at `low` and not at `high` turns, to the last digit of `f64`.
fn halve(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn risk(numerator: u64, denominator: u64) -> Risk {
        Risk::new(BigUint::from(numerator), BigUint::from(denominator)).expect("a risk")
    }

    fn two_to(bits: u32) -> BigUint {
        BigUint::from(1u32) << bits
    }

    #[test]
    fn the_least_number_of_ids_is_right_to_the_last_digit() {
        let known: [(BigUint, Risk, u64); 10] = [
            (BigUint::from(365u32), risk(1, 2), 23),
            (two_to(24), risk(1, 2), 4_823),
            (two_to(32), risk(1, 2), 77_164),
            (BigUint::from(36u32).pow(7), risk(1, 1_000_000_000), 14),
            (two_to(24), risk(1, 1_000_000_000), 2),
            (two_to(64), risk(1, 2), 5_056_937_541),
            (two_to(74), risk(1, 1_000_000), 194_368_082),
            (two_to(122), risk(1, 1_000_000_000), 103_120_434_306_671),
            (two_to(122), risk(1, 100), 326_915_130_069_135_865),
            (two_to(122), risk(1, 2), 2_714_922_669_395_445_312),
        ];
        for (space, risk, ids) in known {
            assert_eq!(min_ids(&space, &risk), BigUint::from(ids), "{space} at {risk:?}");
            assert_eq!(max_ids(&space, &risk), BigUint::from(ids - 1), "{space} at {risk:?}");
        }
    }

    #[test]
    fn a_risk_met_exactly_is_met() {
        for space in [2u64, 3, 365, 1 << 32] {
            let tie = risk(1, space);
            let two = BigUint::from(2u32);
            assert_eq!((min_ids(&space.into(), &tie), max_ids(&space.into(), &tie)), (two.clone(), two));
        }
        // p(3, 365) = 1 − 364 · 363/365².
        let tie = risk(365 * 365 - 364 * 363, 365 * 365);
        assert_eq!(min_ids(&365u32.into(), &tie), max_ids(&365u32.into(), &tie));
        assert_eq!(min_ids(&365u32.into(), &tie), BigUint::from(3u32));
    }

    #[test]
    fn known_bits_and_lengths() {
        let million_million = BigUint::from(1_000_000_000_000u64);
        let billionth = risk(1, 1_000_000_000);
        let bits = min_bits(&million_million, &billionth);
        assert!((bits / 108.623_627_130_560 - 1.0).abs() < 1e-14, "{bits}");
        assert_eq!(min_bits_integer(&million_million, &billionth), 109);
        let lengths = [62, 36, 16].map(|alphabet| min_length(alphabet, &million_million, &billionth));
        assert_eq!(lengths, [19, 22, 28]);
    }

    #[test]
    fn the_least_spaces_have_answers() {
        for space in [0u32, 1] {
            assert_eq!(max_ids(&space.into(), &risk(1, 2)), BigUint::from(1u32));
            assert_eq!(min_ids(&space.into(), &risk(1, 2)), BigUint::from(2u32));
        }
        // Nearly certain: p(N, N) = 1 − N!/N^N is below, only N + 1 is above.
        let most = risk(u64::MAX - 1, u64::MAX);
        assert_eq!(min_ids(&10u32.into(), &most), BigUint::from(11u32));
        assert_eq!(max_ids(&10u32.into(), &most), BigUint::from(10u32));
    }

    #[test]
    fn two_ids_need_the_inverse_of_the_risk() {
        let (two, ten_to_30) = (BigUint::from(2u32), BigUint::from(10u32).pow(30));
        let rare = Risk::new(1u32.into(), ten_to_30.clone()).expect("a risk");
        assert_eq!(min_length(10, &two, &rare), 30);
        assert_eq!(min_bits_integer(&two, &rare), 100);
        assert!((min_bits(&two, &rare) / 30.0 - std::f64::consts::LOG2_10).abs() < 1e-14);
        // log2 of 1/(1 − 10^-30) is 10^-30/ln 2, which no f64 next to 1 holds.
        let sure = Risk::new(&ten_to_30 - 1u32, ten_to_30).expect("a risk");
        assert!((min_bits(&two, &sure) * std::f64::consts::LN_2 * 1e30 - 1.0).abs() < 1e-14);
        assert_eq!((min_length(10, &two, &sure), min_bits_integer(&two, &sure)), (1, 1));
    }

    #[test]
    fn fewer_than_two_ids_need_nothing() {
        for ids in [0u32, 1] {
            let (ids, half) = (BigUint::from(ids), risk(1, 2));
            assert_eq!((min_bits(&ids, &half), min_bits_integer(&ids, &half)), (0.0, 0));
            assert_eq!((min_length(62, &ids, &half), min_space(&ids, &half)), (0, Wide::ONE));
        }
    }

    #[test]
    fn real_ids_return_their_risk_at_any_size() {
        for space in [1.0, 2.0, 365.0, 5.5, 1e9, 1e300] {
            for p in [1e-300, 1e-9, 0.5, 1.0 - 1e-9] {
                let (space, chance) = (Wide::new(space), Chance::from_probability(p));
                let ids = ids_for(space, chance);
                assert!(ids >= Wide::ONE && ids <= space.plus(Wide::ONE), "{space:?} at {p}: {ids:?}");
            }
        }
        assert_eq!(ids_for(Wide::new(365.0), Chance::NEVER), Wide::ONE);
        assert_eq!(ids_for(Wide::new(365.0), Chance::Certain), Wide::new(366.0));
        assert_eq!(ids_for(Wide::ZERO, Chance::Certain), Wide::new(2.0));
        // Beyond f64: √(2N ln 2), and the share of a space at a hazard of a tenth of it.
        let half = ids_for(Wide::exp2(2_048.0), risk(1, 2).as_chance());
        assert!((half.log2() - 1_024.0 - 1.177_410_022_515_474_7f64.log2()).abs() < 1e-12);
        let space = Wide::exp2(2_048.0);
        let ids = ids_for(space, Chance::Open(space.times(Wide::new(0.1))));
        let back = crate::math::birthday::chance_in(ids, space).hazard().expect("below 1").over(space);
        assert!((back.as_f64() / 0.1 - 1.0).abs() < 1e-14);
    }
}
