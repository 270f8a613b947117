//! The birthday problem: the odds that at least two of n draws from N equally likely ids are equal.
//!
//! All rests on t = −ln P(no clash) = −Σ_{i<n} ln(1 − i/N), the *hazard*, from which p = 1 − e^−t and both
//! logarithms follow without cancellation. With x = n/N and M = N − n it is taken
//!
//! - for x below 2^-17 from the power sums Σ_{i<n} i^k/(k N^k), k = 1, 2, 3;
//! - for M from 32 from Stirling's series σ of both factorials, t = n + (M + ½) ln(M/N) + σ(M) − σ(N), which
//!   cancels below x = ½ and is there u(n − 1 − u B (n(1 − u) + u)) + σ(M) − σ(N) with u = n/(N + M),
//!   ln(M/N) = −2 atanh u and atanh u = u + u³ B;
//! - for M below 32 from N − (M + ½) ln N − ½ ln 2π + lnΓ(M+1) − σ(N), and below N = 256 term by term.
//!
//! `1 − exp(−x)` is 0 for a billion version-4 UUIDs, and a difference of lnΓ keeps no digit of 10⁹ draws
//! from 2^64; these forms keep fifteen.
//!
//! Source: Stirling's series as in DLMF 5.11.1; bounds as in Wiener, "Bounds on birthday attack times"
//! (2005), and the inequality of the means.

use super::logspace::{Chance, Wide};
use num_bigint::BigUint;

/// Below this x = n/N three power sums suffice: the fourth is x³/10 of the first, 2^-54.
const SHORT: f64 = 1.0 / 131_072.0;
/// Below this x seven terms of the series of atanh suffice.
const SMALL: f64 = 0.125;
/// From this x on the closed form cancels less than two bits.
const CLOSED: f64 = 0.5;
/// From this many ids left over, four terms of Stirling's series are exact to 2^-55.
const STIRLING: f64 = 32.0;
/// Below this space, and with fewer than 32 ids left over, the terms are summed one by one.
const TERMWISE: f64 = 256.0;
/// Up to this space everything is computed in `f64`, with room for its inverse.
const WITHIN_F64_BITS: f64 = 900.0;
/// ½ ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// t = −ln P(no clash among `ids` draws from `space` equally likely ids).
///
/// A part of an id is no id: 2.9 counts as 2. Fewer than two ids cannot clash (0), more ids than the space
/// holds must (infinity). The space need not be whole. Relative error below 1e-15 for every pair of
/// numbers, usually 1e-16; an input that is not a number counts as no ids or no space.
pub fn hazard(ids: f64, space: f64) -> f64 {
    let ids = whole_part(ids);
    if ids.is_nan() || ids < 2.0 {
        return 0.0;
    }
    if ids <= space && ids < f64::INFINITY { continued(ids, space, space - ids) } else { f64::INFINITY }
}

/// p = 1 − e^−t, the probability of at least one clash; the error of [`hazard`] or less.
///
/// 0 where it is below the range of `f64`, 1 where 1 − p is below 2^-53; [`chance`] keeps both.
pub fn probability(ids: f64, space: f64) -> f64 {
    -(-hazard(ids, space)).exp_m1()
}

/// Decimal logarithm of [`probability`]; minus infinity where no clash is possible.
pub fn log10_probability(ids: f64, space: f64) -> f64 {
    Chance::from_hazard(hazard(ids, space)).log10().unwrap_or(f64::NEG_INFINITY)
}

/// The odds for whole numbers of any size; relative error below 1e-15 in t, hence in p and log10 (1 − p).
///
/// A space of 0 counts as 1: it holds no two different ids either.
pub fn chance(ids: &BigUint, space: &BigUint) -> Chance {
    if ids.bits() < 2 {
        return Chance::NEVER;
    }
    if ids > space {
        return Chance::Certain;
    }
    open(Wide::whole(ids), Wide::whole(space), Wide::whole(&(space - ids)))
}

/// The odds for an effective space that need not be whole, such as 2^72.678; ids are rounded down.
///
/// Relative error below 1e-15 in t for the numbers as given.
pub fn chance_in(ids: Wide, space: Wide) -> Chance {
    let ids = whole_part_wide(ids);
    if ids < Wide::new(2.0) {
        return Chance::NEVER;
    }
    if ids > space {
        return Chance::Certain;
    }
    open(ids, space, space.minus(ids))
}

/// The odds of 2 to `space` ids of a space of which `left` are not drawn.
fn open(ids: Wide, space: Wide, left: Wide) -> Chance {
    if space.log2() < WITHIN_F64_BITS {
        return Chance::from_hazard(continued(ids.as_f64(), space.as_f64(), left.as_f64()));
    }
    let share = ids.over(space);
    if share.log2() < -60.0 {
        // The second power sum is x/3 of the first.
        return Chance::Open(expected_pairs(ids, space));
    }
    // n is beyond 2^800, so that the hazard per value is all that is left.
    Chance::Open(space.times(Wide::new(hazard_per_value(share.as_f64(), left.over(space).as_f64()))))
}

/// n(n−1)/2N for at least one id.
pub(super) fn expected_pairs(ids: Wide, space: Wide) -> Wide {
    ids.times(ids.minus(Wide::ONE)).over(space).times(Wide::new(0.5))
}

/// x + (1 − x) ln(1 − x), the hazard per value of a large space, given 1 − x too.
pub(super) fn hazard_per_value(x: f64, rest: f64) -> f64 {
    if x < CLOSED {
        let u = x / (1.0 + rest);
        x * u * (1.0 - (1.0 - u) * u * atanh_rest(u, &ATANH))
    } else if rest > 0.0 {
        x + rest * rest.ln()
    } else {
        1.0
    }
}

/// The ids that are whole.
fn whole_part(ids: f64) -> f64 {
    // From 2^53 on every number is whole; the detour through an integer is shorter than `floor`.
    if ids < 9_007_199_254_740_992.0 { ids as i64 as f64 } else { ids }
}

/// The ids that are whole.
pub(super) fn whole_part_wide(ids: Wide) -> Wide {
    ids.in_f64().map_or(ids, |ids| Wide::new(whole_part(ids)))
}

/// The hazard as a smooth function of n > 1 and N > n − 1, given M = N − n too: the sum continued by Γ.
pub(super) fn continued(ids: f64, space: f64, left: f64) -> f64 {
    let x = ids / space;
    if x < SHORT {
        let more = (2.0 * ids - 1.0 + x * (ids - 1.0)) / (6.0 * space);
        return 0.5 * x * (ids - 1.0) * (1.0 + more);
    }
    if left < STIRLING {
        return nearly_exhausted(ids, space, left);
    }
    let stirling = stirling_between(ids, space, left);
    if x < SMALL {
        by_atanh(ids, space, left, &ATANH[..7]) + stirling
    } else if x < CLOSED {
        by_atanh(ids, space, left, &ATANH) + stirling
    } else {
        ids + (left + 0.5) * (left / space).ln() + stirling
    }
}

/// n + (M + ½) ln(M/N) without cancellation.
#[inline]
fn by_atanh(ids: f64, space: f64, left: f64, coefficients: &[f64]) -> f64 {
    let u = ids / (space + left);
    let rest = u * atanh_rest(u, coefficients);
    u * (ids - 1.0 - rest * (ids * (1.0 - u) + u))
}

/// The hazard where fewer than 32 ids are left.
fn nearly_exhausted(ids: f64, space: f64, left: f64) -> f64 {
    if space >= TERMWISE {
        return space - (left + 0.5) * space.ln() - HALF_LN_TAU + libm::lgamma(left + 1.0) - stirling(space);
    }
    if ids.fract() == 0.0 {
        return sum((1..ids as u32).map(|drawn| -(-f64::from(drawn) / space).ln_1p()));
    }
    // Both Γ lifted by 32 places, where Stirling's series holds.
    let lifted = continued(ids, space + STIRLING, left + STIRLING);
    let steps = (1..=STIRLING as u32).map(|step| (ids / (left + f64::from(step))).ln_1p());
    sum(steps.chain([-ids * (STIRLING / space).ln_1p(), lifted]))
}

/// σ(M) − σ(N); the first term of the difference without cancellation.
fn stirling_between(ids: f64, space: f64, left: f64) -> f64 {
    let first = ids / left / space / 12.0;
    // Beyond, the second term is below 1e-17 of t.
    if left > 262_144.0 { first } else { first + stirling_rest(left) - stirling_rest(space) }
}

/// σ(z) = 1/12z − 1/360z³ + 1/1260z⁵ − 1/1680z⁷, Stirling's series of lnΓ(z+1); from 32 on exact to 2^-55.
fn stirling(z: f64) -> f64 {
    1.0 / (12.0 * z) + stirling_rest(z)
}

/// σ(z) from its second term on.
fn stirling_rest(z: f64) -> f64 {
    let u = 1.0 / (z * z);
    -u / z * (1.0 / 360.0 - u * (1.0 / 1260.0 - u / 1680.0))
}

/// B in atanh u = u + u³ B: Σ u^2k/(2k + 3).
#[inline]
fn atanh_rest(u: f64, coefficients: &[f64]) -> f64 {
    let square = u * u;
    coefficients.iter().rev().fold(0.0, |sum, c| sum * square + c)
}

/// A sum whose rounding is carried along (Neumaier).
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { sum - next + term } else { term - next + sum };
        sum = next;
    }
    sum + lost
}

/// 1/(2k + 3); behind the last, u is ⅓ and the next term below 2^-54 of t.
const ATANH: [f64; 16] = {
    let mut c = [0.0; 16];
    let mut k = 0;
    while k < 16 {
        c[k] = 1.0 / (2 * k + 3) as f64;
        k += 1;
    }
    c
};

/// How far bounds are moved outwards: more than all rounding, theirs and that of [`chance`], relative to t.
const OUTWARDS: f64 = 1.0 / 35_184_372_088_832.0;

/// 1 − exp(−C(n,2)/N), from below, since 1 − y ≤ e^−y.
///
/// Moved down by 2^-45 of its exponent, so that it stays below [`chance`] after rounding.
pub fn lower_poisson(ids: &BigUint, space: &BigUint) -> Chance {
    match Draw::new(ids, space) {
        None => Chance::NEVER,
        Some(draw) => Chance::Open(draw.pairs.times(Wide::new(1.0 - OUTWARDS))),
    }
}

/// 1 − (1 − n/2N)^(n−1), from below, since no product exceeds the power of the mean of its factors.
///
/// Closer than [`lower_poisson`]; exact for two ids. Moved down by 2^-45 of its exponent.
pub fn lower_amgm(ids: &BigUint, space: &BigUint) -> Chance {
    let Some(draw) = Draw::new(ids, space) else { return Chance::NEVER };
    let half = draw.ids.over(draw.space).times(Wide::new(0.5));
    if half >= Wide::ONE {
        return Chance::Certain;
    }
    // −ln(1 − y) ≈ y where y is below 2^-60.
    let step = if half.log2() < -60.0 { half } else { Wide::new(-(-half.as_f64()).ln_1p()) };
    Chance::Open(draw.ids.minus(Wide::ONE).times(step).times(Wide::new(1.0 - OUTWARDS)))
}

/// 1 − exp(−n(n−1)/(2(N−n+1))), from above, since −ln(1 − i/N) ≤ i/(N − i) ≤ i/(N − n + 1).
///
/// Certain for more ids than the space holds. Moved up by 2^-45 of its exponent.
pub fn upper(ids: &BigUint, space: &BigUint) -> Chance {
    let Some(draw) = Draw::new(ids, space) else { return Chance::NEVER };
    if ids > space {
        return Chance::Certain;
    }
    let left = Wide::whole(&(space - ids + 1u32));
    Chance::Open(expected_pairs(draw.ids, left).times(Wide::new(1.0 + OUTWARDS)))
}

/// C(n,2)/N, from above: no event is more likely than the sum over all pairs. 1 where that exceeds it.
///
/// The sum itself is [`super::occupancy::expected_pairs`]. Moved up by 2^-45 of itself.
pub fn upper_union(ids: &BigUint, space: &BigUint) -> Chance {
    let Some(draw) = Draw::new(ids, space) else { return Chance::NEVER };
    let sum = draw.pairs.times(Wide::new(1.0 + OUTWARDS));
    if sum >= Wide::ONE {
        Chance::Certain
    } else if sum.log2() < -60.0 {
        Chance::Open(sum)
    } else {
        Chance::from_probability(sum.as_f64())
    }
}

/// Two ends between which the odds lie, by inequalities rather than by the error of a computation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bracket {
    /// Not above the odds.
    pub lower: Chance,
    /// Not below the odds.
    pub upper: Chance,
}

/// The tightest of the bounds: [`lower_amgm`], and the smaller of [`upper()`] and [`upper_union`].
pub fn bracket(ids: &BigUint, space: &BigUint) -> Bracket {
    let (by_exponent, by_sum) = (upper(ids, space), upper_union(ids, space));
    let upper = if by_sum < by_exponent { by_sum } else { by_exponent };
    Bracket { lower: lower_amgm(ids, space), upper }
}

/// At least two ids with their space, and the pairs that clash on average.
struct Draw {
    ids: Wide,
    space: Wide,
    pairs: Wide,
}

impl Draw {
    fn new(ids: &BigUint, space: &BigUint) -> Option<Draw> {
        let space = Wide::whole(space);
        let space = if space.is_zero() { Wide::ONE } else { space };
        let ids = (ids.bits() > 1).then(|| Wide::whole(ids))?;
        Some(Draw { ids, space, pairs: expected_pairs(ids, space) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, wanted: f64) -> bool {
        (value / wanted - 1.0).abs() < 1e-14
    }

    #[test]
    fn known_odds() {
        let two_to_122 = 2f64.powi(122);
        assert!(close(probability(23.0, 365.0), 0.507_297_234_323_985_4));
        assert!(close(probability(1e9, two_to_122), 9.403_954_797_174_345e-20));
        assert!(close(probability(2f64.powi(61), two_to_122), 0.393_469_340_287_366_6));
        assert!(close(log10_probability(1e9, two_to_122), 9.403_954_797_174_345e-20f64.log10()));
    }

    #[test]
    fn the_ends_are_exact() {
        assert_eq!((hazard(1.0, 10.0), hazard(1.9, 10.0), hazard(0.0, 10.0)), (0.0, 0.0, 0.0));
        assert_eq!((probability(11.0, 10.0), probability(2.0, 1.0)), (1.0, 1.0));
        assert_eq!(hazard(2.9, 10.0), hazard(2.0, 10.0));
        assert!(close(probability(2.0, 2.0), 0.5));
        // 10!/10^10.
        assert!(close((-hazard(10.0, 10.0)).exp(), 0.000_362_88));
    }

    #[test]
    fn what_is_no_number_is_no_ids_or_no_space() {
        assert_eq!((hazard(f64::NAN, 10.0), hazard(-5.0, 10.0)), (0.0, 0.0));
        assert_eq!(
            (hazard(2.0, f64::NAN), hazard(2.0, 0.0), hazard(2.0, -1.0)),
            (f64::INFINITY, f64::INFINITY, f64::INFINITY)
        );
        assert_eq!((hazard(f64::INFINITY, f64::INFINITY), hazard(5.0, f64::INFINITY)), (f64::INFINITY, 0.0));
        assert!(hazard(f64::MAX, f64::MAX).is_finite() && hazard(3.0, f64::MAX) > 0.0);
    }

    #[test]
    fn neighbouring_forms_meet() {
        // Just below and from a joint on, the hazard per pair is the same to what a step of one id changes.
        let per_pair = |ids: f64, space: f64| hazard(ids, space) / (ids * (ids - 1.0) / 2.0) * space;
        for space in [2f64.powi(20), 2f64.powi(40), 2f64.powi(52)] {
            for joint in [SHORT, SMALL, CLOSED, 1.0 - STIRLING / space] {
                let ids = (space * joint).round();
                let step = per_pair(ids, space) / per_pair(ids - 1.0, space) - 1.0;
                let before = per_pair(ids - 1.0, space) / per_pair(ids - 2.0, space) - 1.0;
                assert!(
                    (step - before).abs() < 1e-14 + 2.0 / space,
                    "{joint} of {space}: {step} after {before}"
                );
            }
        }
    }

    #[test]
    fn between_whole_numbers_of_ids_the_continuation_obeys_its_recursion() {
        // t(n + 1) − t(n) = −ln(1 − n/N).
        for (ids, space) in
            [(1.5, 2.75), (2.25, 20.0), (100.5, 120.0), (7.5, 300.0), (280.5, 300.0), (9.5, 1e9)]
        {
            let step = continued(ids + 1.0, space, space - ids - 1.0) - continued(ids, space, space - ids);
            let wanted = -(-ids / space).ln_1p();
            let size = continued(ids + 1.0, space, space - ids - 1.0).max(wanted);
            assert!((step - wanted).abs() < 3e-14 * size, "{ids} of {space}: {step}, not {wanted}");
        }
    }

    #[test]
    fn odds_of_any_size() {
        let space = BigUint::from(1u32) << 2048u32;
        let log10 = |ids: u64| chance(&ids.into(), &space).log10().expect("above 0");
        assert!(close(log10(1_000), -610.810_895_627_271));
        let all = chance(&space, &space).hazard().expect("below 1");
        // N − ½ ln 2πN, of which f64 keeps N.
        assert_eq!(all, Wide::whole(&space));
        assert_eq!(chance(&(&space + 1u32), &space), Chance::Certain);
        assert_eq!(chance(&2u32.into(), &BigUint::ZERO), Chance::Certain);
        assert_eq!(chance(&1u32.into(), &BigUint::ZERO), Chance::NEVER);
    }

    #[test]
    fn an_effective_space_lies_between_its_neighbours() {
        let chance = |bits: f64| chance_in(Wide::new(1e9), Wide::exp2(bits));
        assert!(chance(73.0) < chance(72.678) && chance(72.678) < chance(72.0));
        assert_eq!(chance_in(Wide::new(1.5), Wide::ONE), Chance::NEVER);
        assert_eq!(chance_in(Wide::new(2.0), Wide::new(1.5)), Chance::Certain);
        assert_eq!(chance_in(Wide::exp2(1e6), Wide::exp2(1e6)).hazard(), Some(Wide::exp2(1e6)));
    }

    #[test]
    fn bounds_of_the_classical_case() {
        let (ids, space) = (BigUint::from(23u32), BigUint::from(365u32));
        assert!((lower_poisson(&ids, &space).as_f64() / 0.500_001_752_182_711 - 1.0).abs() < 1e-13);
        assert!((lower_amgm(&ids, &space).as_f64() / 0.505_547_951_065_598 - 1.0).abs() < 1e-13);
        assert!((upper(&ids, &space).as_f64() / 0.521_744_097_777_166 - 1.0).abs() < 1e-13);
        assert!((upper_union(&ids, &space).as_f64() / (253.0 / 365.0) - 1.0).abs() < 1e-13);
        assert_eq!(
            bracket(&ids, &space),
            Bracket { lower: lower_amgm(&ids, &space), upper: upper(&ids, &space) }
        );
    }

    #[test]
    fn bounds_have_ends() {
        let [none, one, two, three] = [0u32, 1, 2, 3].map(BigUint::from);
        let bounds = [lower_poisson, lower_amgm, upper, upper_union];
        assert!(
            bounds
                .iter()
                .all(|bound| bound(&one, &two) == Chance::NEVER && bound(&none, &none) == Chance::NEVER)
        );
        assert_eq!((upper(&three, &two), upper_union(&three, &two)), (Chance::Certain, Chance::Certain));
        assert_eq!(lower_amgm(&(&two << 1u32), &two), Chance::Certain);
        assert!(lower_poisson(&three, &none).as_f64() < 1.0);
    }
}
