//! Whether p(n, N) is below, at or above a risk, decided for whole numbers of any size.
//!
//! Both sides are taken as t = −ln(1 − p), in whole multiples of 2^-s with a proven bound on what was cut
//! off, and with more digits until the two intervals part. Two ways to t:
//!
//! - power sums, t = Σ_k S_k(n)/(k N^k) with S_k = Σ_{i<n} i^k in whole numbers; after K terms at most
//!   n (n/N)^(K+1) is missing where n ≤ N/2;
//! - the product Π(1 − i/N) itself, where n is small or not below N/2.
//!
//! A tie cannot be seen by digits. Two unequal fractions differ by at least the inverse of the product of
//! their denominators, b N^(n−1): once that is resolved, or where it is small enough to multiply out, equal
//! means equal.

use super::birthday::expected_pairs;
use super::logspace::Wide;
use super::risk::Risk;
use num_bigint::{BigInt, BigUint};
use std::cmp::Ordering;

/// Digits beyond those that tell n from n + 1: room for what is cut off, and for a false alarm in 2^60.
const GUARD_BITS: u64 = 96;
/// Fractions up to this many bits are multiplied out when digits do not part them; of a longer risk, four
/// times its own bits, since a tie needs a denominator about as long as the product.
const MULTIPLIED_OUT_BITS: u64 = 1 << 17;
/// More than the rounding of the bounds that decide what is far apart.
const FAR: f64 = 1e-9;

/// A number in multiples of 2^-s: at least `lower`, at most `lower + slack`.
#[derive(Debug, Clone)]
pub(super) struct Fixed {
    pub(super) lower: BigUint,
    pub(super) slack: BigUint,
}

impl Fixed {
    fn upper(&self) -> BigUint {
        &self.lower + &self.slack
    }

    /// Where it stands, if the intervals do not touch.
    fn against(&self, other: &Fixed) -> Option<Ordering> {
        if self.lower > other.upper() {
            Some(Ordering::Greater)
        } else if other.lower > self.upper() {
            Some(Ordering::Less)
        } else {
            None
        }
    }
}

/// Whether p(ids, space) is below, at or above the risk.
///
/// Right for every input. Some ten microseconds where the numbers stay below 2^128, a few milliseconds for a
/// space of 2^4096 or a risk of a thousand digits; the work grows with the square of the risk's digits.
pub(super) fn against(ids: &BigUint, space: &BigUint, risk: &Risk) -> Ordering {
    if ids.bits() < 2 {
        return Ordering::Less;
    }
    if ids > space {
        return Ordering::Greater;
    }
    if let Some(order) = far_apart(ids, space, risk) {
        return order;
    }
    let drawn = ids - 1u32;
    let apart = risk.denominator().bits().saturating_add(bits_of_power(space, &drawn));
    let multiplied_out_bits = MULTIPLIED_OUT_BITS.max(4 * risk.denominator().bits());
    let mut precision = ids.bits() + GUARD_BITS;
    loop {
        if let Some(order) = by_digits(ids, space, risk, precision) {
            return order;
        }
        if apart <= multiplied_out_bits {
            return multiplied_out(ids, space, risk);
        }
        if precision > apart + GUARD_BITS {
            return Ordering::Equal;
        }
        precision *= 2;
    }
}

/// Bits of N^k, not less.
fn bits_of_power(space: &BigUint, power: &BigUint) -> u64 {
    u64::try_from(power * space.bits()).unwrap_or(u64::MAX / 4)
}

/// Decides by n(n−1)/2N ≤ t ≤ n(n−1)/(2(N−n+1)) where that leaves no doubt.
fn far_apart(ids: &BigUint, space: &BigUint, risk: &Risk) -> Option<Ordering> {
    let hazard = risk.as_chance().hazard().expect("a risk is below 1");
    let left = Wide::whole(&(space - ids + 1u32));
    let ids = Wide::whole(ids);
    if expected_pairs(ids, Wide::whole(space)) > hazard.times(Wide::new(1.0 + FAR)) {
        return Some(Ordering::Greater);
    }
    (expected_pairs(ids, left).times(Wide::new(1.0 + FAR)) < hazard).then_some(Ordering::Less)
}

/// Decides with `precision` digits behind the first of the risk.
fn by_digits(ids: &BigUint, space: &BigUint, risk: &Risk, precision: u64) -> Option<Ordering> {
    if product_is_shorter(ids, space, precision) {
        return by_product(ids, space, risk, precision);
    }
    let scale = scale(risk, precision);
    hazard(ids, space, scale).against(&risk_hazard(risk, scale))
}

/// The s for which 2^-s is 2^-precision of the hazard of the risk, or of 1 if that is larger.
pub(super) fn scale(risk: &Risk, precision: u64) -> u64 {
    let hazard = risk.as_chance().hazard().expect("a risk is below 1").log2().floor();
    precision + if hazard < 0.0 { (-hazard) as u64 } else { 0 }
}

/// Steps on words of 64 bits that each way takes; the power sums only where they converge quickly.
fn product_is_shorter(ids: &BigUint, space: &BigUint, precision: u64) -> bool {
    if ids << 1u32 > *space {
        return true;
    }
    let (Ok(draws), words) = (u32::try_from(ids), precision as f64 / 64.0 + 2.0) else { return false };
    let by_product = f64::from(draws) * words * (space.bits() as f64 / 64.0).ceil();
    let terms = terms(ids, space, precision) as f64;
    by_product < terms * terms / 2.0 * (terms * ids.bits() as f64 / 128.0 + 2.0)
}

/// K for which n (n/N)^(K+1) is below 2^-scale.
fn terms(ids: &BigUint, space: &BigUint, scale: u64) -> u64 {
    // The quotient is a power of two at least; 1e-9 covers its rounding.
    let per_term = Wide::whole(space).over(Wide::whole(ids)).log2() - 1e-9;
    ((scale + ids.bits()) as f64 / per_term).ceil() as u64
}

/// t of at least two and at most N/2 ids, by power sums.
pub(super) fn hazard(ids: &BigUint, space: &BigUint, scale: u64) -> Fixed {
    let last = terms(ids, space, scale);
    let mut sums = vec![ids.clone()];
    let (mut power, mut space_power, mut lower) = (ids.clone(), BigUint::from(1u32), BigUint::ZERO);
    for k in 1..=last {
        power *= ids;
        space_power *= space;
        let sum = power_sum(k, &power, &sums);
        lower += (&sum << scale) / (&space_power * k);
        sums.push(sum);
    }
    // Each term is cut below 1, and below 1 is missing behind the last.
    Fixed { lower, slack: BigUint::from(last + 1) }
}

/// S_k = Σ_{i<n} i^k from those before: Σ_{j≤k} C(k+1, j) S_j = n^(k+1).
fn power_sum(k: u64, power: &BigUint, before: &[BigUint]) -> BigUint {
    let (mut binomial, mut others) = (BigUint::from(1u32), BigUint::ZERO);
    for (j, sum) in (0..k).zip(before) {
        others += &binomial * sum;
        binomial = binomial * (k + 1 - j) / (j + 1);
    }
    (power - others) / (k + 1)
}

/// −ln(1 − risk).
pub(super) fn risk_hazard(risk: &Risk, scale: u64) -> Fixed {
    let kept = risk.denominator() - risk.numerator();
    if risk.numerator() << 8u32 < *risk.denominator() {
        return by_powers(risk.numerator(), risk.denominator(), scale);
    }
    // kept/b = v/2^halvings with v from ½ to 1.
    let mut halvings = risk.denominator().bits() - kept.bits();
    if &kept << halvings > *risk.denominator() {
        halvings -= 1;
    }
    let scaled = kept << halvings;
    let own = atanh(&(risk.denominator() - &scaled), &(risk.denominator() + &scaled), scale);
    let ln_2 = atanh(&BigUint::from(1u32), &BigUint::from(3u32), scale);
    Fixed {
        lower: (own.lower + ln_2.lower * halvings) << 1u32,
        slack: (own.slack + ln_2.slack * halvings) << 1u32,
    }
}

/// Σ_k p^k/k for p = a/b below 2^-8.
fn by_powers(numerator: &BigUint, denominator: &BigUint, scale: u64) -> Fixed {
    let one = (numerator << scale) / denominator;
    let (mut power, mut lower, mut k) = (one.clone(), BigUint::ZERO, 0u64);
    while power != BigUint::ZERO {
        k += 1;
        lower += &power / k;
        power = (&power * &one) >> scale;
    }
    // A power is cut by less than 2, a term by less than 3; what follows the last adds up to less than 1.
    Fixed { lower, slack: BigUint::from(3 * k + 1) }
}

/// atanh(z) = Σ z^(2k+1)/(2k+1) for z = a/b from 0 to ⅓.
fn atanh(numerator: &BigUint, denominator: &BigUint, scale: u64) -> Fixed {
    let mut power = (numerator << scale) / denominator;
    let square = (&power * &power) >> scale;
    let (mut lower, mut k) = (BigUint::ZERO, 0u64);
    while power != BigUint::ZERO {
        lower += &power / (2 * k + 1);
        power = (&power * &square) >> scale;
        k += 1;
    }
    // The square is cut by less than 2, a power e by e/9 + ⅔ + 1 < 2, a term by less than 3; the rest is below 1.
    Fixed { lower, slack: BigUint::from(3 * k + 1) }
}

/// Decides by the product Π(1 − i/N), kept to `precision` digits behind its own first.
fn by_product(ids: &BigUint, space: &BigUint, risk: &Risk, precision: u64) -> Option<Ordering> {
    let one = BigUint::from(1u32) << precision;
    let (mut none, mut shift) = (&one << 64u32, precision + 64);
    let steps = draws(ids) - 1;
    for drawn in 1..=steps {
        none = none * (space - drawn) / space;
        while none < one {
            none <<= 64u32;
            shift += 64;
        }
    }
    // Every step cut less than 2^-precision of what was left.
    let most = &none + ((&none * (2 * steps)) >> precision) + 1u32;
    let bound = (risk.denominator() - risk.numerator()) << shift;
    if none * risk.denominator() > bound {
        Some(Ordering::Less)
    } else if most * risk.denominator() < bound {
        Some(Ordering::Greater)
    } else {
        None
    }
}

/// Decides Π(N − i) · b against (b − a) · N^(n−1) in whole numbers.
fn multiplied_out(ids: &BigUint, space: &BigUint, risk: &Risk) -> Ordering {
    let others = draws(ids) - 1;
    let none = (1..=others).fold(risk.denominator().clone(), |product, drawn| product * (space - drawn));
    let power = space.pow(u32::try_from(others).expect("short enough to multiply out"));
    ((risk.denominator() - risk.numerator()) * power).cmp(&none)
}

/// The draws of a product.
fn draws(ids: &BigUint) -> u64 {
    // Where n exceeds N/2 without being far from the risk, n/4 < t < ln b, and b is held in memory.
    u64::try_from(ids)
        .expect("a product is taken of few draws, or of fewer than four times the bits of the risk")
}

/// How far the hazard of n ids is from that of the risk, in ids: the step of Newton's method.
///
/// (t(n) − t)/(n/N) with 64 digits more than the whole ids need; an aid, without a bound.
pub(super) fn step(ids: &BigUint, space: &BigUint, risk: &Risk) -> BigInt {
    let scale = scale(risk, ids.bits() + GUARD_BITS);
    let over = BigInt::from(hazard(ids, space, scale).lower) - BigInt::from(risk_hazard(risk, scale).lower);
    over * BigInt::from(space.clone()) / (BigInt::from(ids.clone()) << scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn risk(numerator: u64, denominator: u64) -> Risk {
        Risk::new(numerator.into(), denominator.into()).expect("a risk")
    }

    /// How a value times 2^-200 lies to an interval.
    fn holds(fixed: &Fixed, value: f64) -> bool {
        let [low, high] =
            [&fixed.lower, &fixed.upper()].map(|end| Wide::whole(end).over(Wide::exp2(200.0)).as_f64());
        low <= value * (1.0 + 1e-15) && value <= high * (1.0 + 1e-15) && high - low < 1e-50
    }

    #[test]
    fn intervals_hold_what_floats_know() {
        for (numerator, denominator) in [(1, 2), (1, 3), (999, 1_000), (1, 256), (1, 257), (1, 1_000_000)] {
            let hazard = risk(numerator, denominator).as_chance().hazard().expect("below 1").as_f64();
            assert!(
                holds(&risk_hazard(&risk(numerator, denominator), 200), hazard),
                "{numerator}/{denominator}"
            );
        }
        for (ids, space) in [(2u32, 4u32), (3, 365), (23, 365), (500, 1_001), (77_164, u32::MAX)] {
            let t = super::super::birthday::hazard(ids.into(), space.into());
            assert!(holds(&hazard(&ids.into(), &space.into(), 200), t), "{ids} of {space}");
        }
    }

    #[test]
    fn both_ways_decide_alike() {
        for ids in 2u32..150 {
            for (numerator, denominator) in [(1, 2), (1, 1_000), (999, 1_000)] {
                let (ids, space, risk) =
                    (BigUint::from(ids), BigUint::from(365u32), risk(numerator, denominator));
                let scale = scale(&risk, 120);
                let by_sums = hazard(&ids, &space, scale).against(&risk_hazard(&risk, scale));
                assert_eq!(by_sums, by_product(&ids, &space, &risk, 120), "{ids} at {risk:?}");
                assert_eq!(by_sums, Some(multiplied_out(&ids, &space, &risk)), "{ids} at {risk:?}");
            }
        }
    }

    #[test]
    fn digits_alone_never_decide_a_tie() {
        let (two, space) = (BigUint::from(2u32), BigUint::from(365u32));
        let tie = risk(1, 365);
        let sums = hazard(&two, &space, scale(&tie, 300));
        assert_eq!(sums.against(&risk_hazard(&tie, scale(&tie, 300))), None);
        assert_eq!(by_product(&two, &space, &tie, 300), None);
        assert_eq!(against(&two, &space, &tie), Ordering::Equal);
    }

    #[test]
    fn a_risk_of_many_digits_is_told_from_the_next() {
        // 50,000 of 2^34, where p is no short fraction: a risk just below it and one just above.
        let (ids, space) = (BigUint::from(50_000u32), BigUint::from(1u32) << 34u32);
        let step = |none: BigUint, drawn: u64| (none * ((1u64 << 34) - drawn)) >> 34u32;
        // Each step cuts less than 1, all of them less than 2^16; 2^20 are cut off here.
        let none = (1u64..50_000).fold(BigUint::from(1u32) << 1_620u32, step) >> 20u32;
        let whole = BigUint::from(1u32) << 1_600u32;
        let risk = |numerator: BigUint| Risk::new(numerator, whole.clone()).expect("a risk");
        let clash = &whole - none;
        assert_eq!(against(&ids, &space, &risk(&clash - 2u32)), Ordering::Greater);
        assert_eq!(against(&ids, &space, &risk(clash + 2u32)), Ordering::Less);
    }

    #[test]
    fn ends_need_no_digits() {
        let half = risk(1, 2);
        let [one, two, three] = [1u32, 2, 3].map(BigUint::from);
        assert_eq!(against(&one, &one, &half), Ordering::Less);
        assert_eq!(against(&two, &one, &half), Ordering::Greater);
        assert_eq!(against(&two, &two, &half), Ordering::Equal);
        assert_eq!(against(&three, &two, &half), Ordering::Greater);
    }
}
