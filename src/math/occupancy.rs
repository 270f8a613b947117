//! How ids occupy a space: colliding pairs, repeats, values taken three times, the first clash.
//!
//! A *colliding pair* is two draws of one value, so that k equal draws are k(k−1)/2 pairs; a *repeat* is a
//! draw of a value seen before, so that they are k − 1 repeats. With 65,536 ids in 2^16 slots 32,767.5
//! pairs and 24,109 repeats are to be expected.
//!
//! Source: Feller, "An Introduction to Probability Theory", vol. 1, ch. II and IV; for the first clash
//! Knuth, "The Art of Computer Programming", vol. 1, 1.2.11.3 (there as Q(N)).

use super::birthday::{self, whole_part_wide};
use super::logspace::Wide;
use super::tail::ln_1p_less;
use num_bigint::BigUint;
use std::f64::consts::PI;

/// E[colliding pairs] = n(n−1)/2N, of any size; relative error 2^-51. A space of 0 counts as 1.
pub fn expected_pairs(ids: &BigUint, space: &BigUint) -> Wide {
    expected_pairs_in(Wide::whole(ids), Wide::whole(space))
}

/// The same for an effective space that need not be whole; ids are rounded down.
pub fn expected_pairs_in(ids: Wide, space: Wide) -> Wide {
    birthday::expected_pairs(whole_part_wide(ids), at_least_one(space))
}

/// E(repeats) = n − N(1 − (1 − 1/N)^n), the draws less the values they take, of any size.
///
/// With a = −n ln(1 − 1/N) it is N(e^−a − 1 + a) − (Na − n), whose parts do not cancel: Na − n is at most
/// half of the first. Relative error below 1e-14. A space of 0 counts as 1.
pub fn expected_repeats(ids: &BigUint, space: &BigUint) -> Wide {
    let over = if ids > space { Wide::whole(&(ids - space)) } else { Wide::ZERO };
    repeats(Wide::whole(ids), at_least_one(Wide::whole(space)), over)
}

/// The same for an effective space that need not be whole; ids are rounded down.
pub fn expected_repeats_in(ids: Wide, space: Wide) -> Wide {
    let (ids, space) = (whole_part_wide(ids), at_least_one(space));
    repeats(ids, space, ids.minus(space))
}

/// The expected repeats, given n − N too where that is positive.
fn repeats(ids: Wide, space: Wide, over: Wide) -> Wide {
    if ids < Wide::new(2.0) {
        return Wide::ZERO;
    }
    let per_value = ids.over(space);
    if space == Wide::ONE || per_value > Wide::new(800.0) {
        // e^−800 of the values are still free: none.
        return over;
    }
    if per_value.log2() < -60.0 {
        // The next term, C(n,3)/N², is n/3N of the first.
        return birthday::expected_pairs(ids, space);
    }
    let (x, excess) = (per_value.as_f64(), log_excess(space.as_f64()));
    space.times(Wide::new(exp_rest(x * (1.0 + excess)) - x * excess))
}

/// −N ln(1 − 1/N) − 1 = Σ_{k≥1} 1/((k+1) N^k), for N above 1.
fn log_excess(space: f64) -> f64 {
    let y = 1.0 / space;
    if y > 0.1 {
        return -space * (-y).ln_1p() - 1.0;
    }
    (1..=16).rev().fold(0.0, |sum, k| y * (1.0 / f64::from(k + 1) + sum))
}

/// e^−a − 1 + a.
pub(super) fn exp_rest(a: f64) -> f64 {
    if a > 0.5 {
        return (-a).exp_m1() + a;
    }
    // a²/2 (1 − a/3 (1 − a/4 (…))).
    0.5 * a * a * (3..=16).rev().fold(1.0, |tail, k| 1.0 - a / f64::from(k) * tail)
}

/// Var R, the variance of distinct values too: N A (1 − A(1 + w)) with A = (1 − 1/N)^n and
/// w = (N − 1)(1 − (1 − 1/(N − 1)²)^n), taken without cancellation where n is small beside N.
///
/// Relative error below 1e-13, draws up to 2^53. A part of a value is no value; a space below 1 counts as 1.
///
/// # Panics
/// Where the space is infinite or not a number.
pub fn repeats_variance(draws: u64, space: f64) -> f64 {
    assert!(space.is_finite(), "{space} is no space");
    let (draws, values) = (draws as f64, space.floor().max(1.0));
    if draws < 2.0 || values == 1.0 {
        return 0.0;
    }
    if values == 2.0 {
        // All but two of 2^n outcomes hold both values.
        let one_value = (1.0 - draws).exp2();
        return one_value * (1.0 - one_value);
    }
    let y = 1.0 / values;
    let a = -draws * (-y).ln_1p();
    let z = (values - 1.0).powi(-2);
    let w = -(values - 1.0) * (draws * (-z).ln_1p()).exp_m1();
    let free = (-a).exp();
    if a > 0.5 {
        return values * free * (1.0 - free - free * w);
    }
    // 1/A − 1 − w = (e^a − 1 − a) + (a − n/(N − 1)) + (n/(N − 1) − w), each without cancellation.
    let grown = exp_rest(-a);
    let gap = -draws * series_gap(y);
    let bent = exp_rest(-draws * (-z).ln_1p()) + draws * ln_1p_less(-z);
    values * free * free * (grown + gap + (values - 1.0) * bent)
}

/// y/(1 − y) + ln(1 − y) = Σ_{k≥2} (1 − 1/k) y^k.
fn series_gap(y: f64) -> f64 {
    if y > 0.1 {
        return y / (1.0 - y) + (-y).ln_1p();
    }
    y * y * (2..=18).rev().fold(0.0, |sum, k| y * sum + 1.0 - 1.0 / f64::from(k))
}

fn at_least_one(space: Wide) -> Wide {
    if space < Wide::ONE { Wide::ONE } else { space }
}

/// E[triples of equal draws] = C(n,3)/N²; relative error 2^-50. A space of 0 counts as 1.
pub fn expected_triples(ids: &BigUint, space: &BigUint) -> Wide {
    let (ids, space) = (Wide::whole(ids), at_least_one(Wide::whole(space)));
    let third = ids.minus(Wide::new(2.0)).over(Wide::new(3.0));
    birthday::expected_pairs(ids, space).times(third).over(space)
}

/// The most draws for which [`triple_probability`] and [`repeats_at_least`] are computed.
pub const MOST_DRAWS: u32 = 100_000;

/// P(some value is drawn three times or more), exact but for rounding: draw by draw over how many values
/// are taken twice. Only positive numbers are added, relative error below n · 2^-51.
///
/// Takes n · w steps, w the spread of the values taken twice (at most n/2). A space of 0 counts as 1.
///
/// # Panics
/// Beyond [`MOST_DRAWS`].
pub fn triple_probability(ids: u32, values: u32) -> f64 {
    assert!(ids <= MOST_DRAWS, "at most {MOST_DRAWS} draws, got {ids}");
    let values = f64::from(values.max(1));
    // P(no triple yet and `first + at` values taken twice).
    let (mut twice, mut first, mut triple) = (vec![1.0f64], 0usize, 0.0f64);
    for drawn in 0..ids {
        let mut next = vec![0.0; twice.len() + 1];
        for (at, p) in twice.iter().enumerate() {
            let doubles = (first + at) as f64;
            let singles = f64::from(drawn) - 2.0 * doubles;
            triple += p * doubles / values;
            next[at] += p * (1.0 - (singles + doubles) / values).max(0.0);
            next[at + 1] += p * singles.max(0.0) / values;
        }
        // Each state ends in a triple at most once, so its weight is all it can add.
        first += trim(&mut next, triple, triple);
        twice = next;
    }
    triple.min(1.0)
}

/// Of what a sum holds, the part that no longer changes a digit.
const NEGLIGIBLE: f64 = 1e-25;
/// Weights below are dropped: sums of them stay below any result that is kept to its last digit.
const UNDERFLOW: f64 = 1e-300;

/// Drops states that no longer matter: at the front beside `front`, at the back beside `back`. Returns how
/// many at the front.
fn trim(states: &mut Vec<f64>, front: f64, back: f64) -> usize {
    let light = |p: &f64, total: f64| *p <= (total * NEGLIGIBLE).max(UNDERFLOW);
    while states.last().is_some_and(|p| light(p, back)) {
        states.pop();
    }
    let dropped = states.iter().take_while(|p| light(p, front)).count();
    states.drain(..dropped);
    dropped
}

/// P(draws − distinct values ≥ k), exact but for rounding: draw by draw over the repeats so far. Only
/// positive numbers are added, relative error below n · 2^-51 down to 1e-290; 0 where it is below the range of `f64`.
///
/// Takes n · k steps at most. A space of 0 counts as 1.
///
/// # Panics
/// Beyond [`MOST_DRAWS`].
pub fn repeats_at_least(ids: u32, values: u32, k: u32) -> f64 {
    assert!(ids <= MOST_DRAWS, "at most {MOST_DRAWS} draws, got {ids}");
    if k == 0 {
        return 1.0;
    }
    if k >= ids {
        return 0.0;
    }
    let values = f64::from(values.max(1));
    // P(`first + at` repeats so far), below k of them; and P(k reached).
    let (mut repeats, mut first, mut reached) = (vec![1.0f64], 0usize, 0.0f64);
    for drawn in 0..ids {
        let mut next = vec![0.0; repeats.len() + 1];
        for (at, p) in repeats.iter().enumerate() {
            let again = (f64::from(drawn) - (first + at) as f64) / values;
            next[at] += p * (1.0 - again).max(0.0);
            next[at + 1] += p * again;
        }
        if first + next.len() > k as usize {
            reached += next.pop().unwrap_or(0.0);
        }
        // A state with more repeats reaches k at least as likely, so that one before a heavier adds nothing.
        let heaviest = next.iter().copied().fold(reached, f64::max);
        first += trim(&mut next, heaviest, reached);
        repeats = next;
    }
    reached.min(1.0)
}

/// Below this space the mean first clash is summed; from there on its series is exact to 2^-53.
const SUMMED: u32 = 4_096;

/// E[draws until the first clash], the draw that clashes included: 2 of one value, 24.6 of 365.
///
/// Σ_{n≥0} P(no clash among n) up to 4,096 values, relative error 1e-15; beyond Ramanujan's series √(πN/2) + ⅔ +
/// √(π/2N)/12 − 4/135N + √(π/2N³)/288 + 8/2835N² − 139√(π/2N⁵)/51840, whose next term is below 2^-51 of it at
/// 4,096 and falls on. A space of 0 counts as 1.
pub fn mean_first_clash(space: &BigUint) -> Wide {
    if *space < BigUint::from(SUMMED) {
        let values = space.iter_u32_digits().next().unwrap_or(1).max(1);
        // 1 + (1 + (1 − 1/N)(1 + (1 − 2/N)(…))), from within.
        let rest = (1..values)
            .rev()
            .fold(1.0, |sum, taken| 1.0 + (1.0 - f64::from(taken) / f64::from(values)) * sum);
        return Wide::new(1.0 + rest);
    }
    let space = Wide::whole(space);
    let root = space.times(Wide::new(PI / 2.0)).sqrt();
    let y = 1.0 / space.as_f64();
    // Each root is √(πN/2) times a power of 1/N.
    let roots = 1.0 + y * (1.0 / 12.0 + y * (1.0 / 288.0 - y * (139.0 / 51_840.0)));
    let rest = 2.0 / 3.0 - y * (4.0 / 135.0 - y * (8.0 / 2_835.0));
    root.times(Wide::new(roots)).plus(Wide::new(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, wanted: f64) -> bool {
        (value / wanted - 1.0).abs() < 1e-14
    }

    fn two_to(bits: u32) -> BigUint {
        BigUint::from(1u32) << bits
    }

    #[test]
    fn pairs_are_not_repeats() {
        let (ids, space) = (two_to(16), two_to(16));
        assert_eq!(expected_pairs(&ids, &space).as_f64(), 32_767.5);
        assert!((expected_repeats(&ids, &space).as_f64() - 24_109.0).abs() < 0.5);
    }

    #[test]
    fn two_ids_repeat_as_often_as_they_clash() {
        // 1/N for both, down to the least space and up to the largest.
        for space in [
            BigUint::from(1u32),
            2u32.into(),
            3u32.into(),
            5u32.into(),
            365u32.into(),
            two_to(59),
            two_to(4_000),
        ] {
            let once = Wide::ONE.over(Wide::whole(&space));
            for expected in [expected_pairs(&2u32.into(), &space), expected_repeats(&2u32.into(), &space)] {
                assert!(close(expected.over(once).as_f64(), 1.0), "{space}");
            }
        }
    }

    #[test]
    fn repeats_follow_their_definition() {
        // E[distinct] after n + 1 draws is that after n plus the share still free.
        for space in [2u32, 3, 10, 1_000] {
            let mut distinct = 0.0;
            for ids in 0..5_000u32 {
                let repeats = expected_repeats(&ids.into(), &space.into()).as_f64();
                assert!((f64::from(ids) - distinct - repeats).abs() < 1e-9, "{ids} of {space}");
                distinct += 1.0 - distinct / f64::from(space);
            }
        }
    }

    #[test]
    fn a_space_without_values_counts_as_one() {
        let ids = two_to(4_096);
        assert_eq!(expected_repeats(&ids, &BigUint::ZERO), Wide::whole(&(&ids - 1u32)));
        assert_eq!(expected_repeats(&1u32.into(), &BigUint::ZERO), Wide::ZERO);
        assert_eq!(expected_pairs(&BigUint::ZERO, &BigUint::ZERO), Wide::ZERO);
        assert_eq!(expected_triples(&2u32.into(), &1u32.into()), Wide::ZERO);
        assert_eq!((triple_probability(2, 0), triple_probability(3, 0)), (0.0, 1.0));
        assert_eq!(mean_first_clash(&BigUint::ZERO).as_f64(), 2.0);
    }

    #[test]
    fn variances_keep_their_digits() {
        // N(N − 1)(1 − 2/N)^n + N(1 − 1/N)^n − N²(1 − 1/N)^2n in fractions.
        for (draws, space, right) in [
            (2, 2.0, 0.25),
            (2, 3.0, 0.222_222_222_222_222_2),
            (5, 3.0, 0.263_679_317_177_259_56),
            (100, 1e3, 4.200_552_217_391_465),
            (1_000, 100.0, 0.004_315_148_551_872_341),
            (40, 3.0, 2.713_131_069_041_504_5e-7),
            (3, 1e9, 2.999_999_992e-9),
            (1_000, 1e12, 4.994_999_991_686_655e-7),
            (600, 1e3, 66.898_875_969_582_83),
            (2_000, 1e30, 1.999e-24),
        ] {
            let got = repeats_variance(draws, space);
            assert!((got / right - 1.0f64).abs() < 1e-13, "{draws} of {space}: {got}");
        }
    }

    #[test]
    fn effective_spaces_agree_with_whole_ones() {
        for (ids, space) in
            [(1e6, 2f64.powi(32)), (1e5, 16_384.0), (3.0, 2.0), (1e9, 2f64.powi(64)), (9.0, 1.0)]
        {
            let [n, values] = [ids, space].map(|value| Wide::new(value).floor());
            let [n_in, values_in] = [ids, space].map(Wide::new);
            assert_eq!(expected_repeats_in(n_in, values_in), expected_repeats(&n, &values));
            assert_eq!(expected_pairs_in(n_in, values_in), expected_pairs(&n, &values));
        }
        assert_eq!(expected_repeats_in(Wide::new(2.9), Wide::new(0.5)).as_f64(), 1.0);
        assert_eq!(expected_pairs_in(Wide::new(0.9), Wide::ONE), Wide::ZERO);
    }

    #[test]
    fn triples_of_the_classical_case() {
        assert!(close(triple_probability(88, 365), 0.511_065_110_624_730_6));
        assert!(close(
            expected_triples(&10_000_000u32.into(), &two_to(48)).as_f64(),
            2.103_628_449_500_68e-9
        ));
        // Two of one value never make three; one more than two each must.
        assert_eq!((triple_probability(2, 5), triple_probability(11, 5)), (0.0, 1.0));
        assert!(close(triple_probability(3, 4_294_967_295), 2f64.powi(32).mul_add(1.0, -1.0).powi(-2)));
    }

    #[test]
    fn tails_of_repeats_of_the_classical_case() {
        assert!(close(repeats_at_least(23, 365, 1), birthday::probability(23.0, 365.0)));
        assert!(close(repeats_at_least(23, 365, 3), 2.555_158_486_884_902_3e-2));
        assert_eq!(
            (repeats_at_least(5, 1, 4), repeats_at_least(5, 1, 5), repeats_at_least(0, 5, 0)),
            (1.0, 0.0, 1.0)
        );
        // All of n equal: N^(1−n).
        assert!(close(repeats_at_least(40, 10, 39), 1e-39));
    }

    #[test]
    fn tails_of_repeats_sum_to_their_mean() {
        let sum: f64 = (1..200).map(|k| repeats_at_least(200, 150, k)).sum();
        assert!(close(sum, expected_repeats(&200u32.into(), &150u32.into()).as_f64()));
    }

    #[test]
    fn dropped_states_change_no_digit_of_a_far_tail() {
        // P(3 or more repeats) of few ids in many slots, by pairs: C(n,2)³/3! N³ up to n/N.
        let p = repeats_at_least(1_000, u32::MAX, 3);
        let pairs = expected_pairs(&1_000u32.into(), &u32::MAX.into()).as_f64();
        assert!((p / (pairs.powi(3) / 6.0) - 1.0).abs() < 1e-2, "{p}");
    }

    #[test]
    fn the_mean_first_clash_is_continuous_and_known() {
        assert!(close(mean_first_clash(&365u32.into()).as_f64(), 24.616_585_894_598_9));
        assert!(close(mean_first_clash(&two_to(122)).as_f64(), 2.889_945_641_877_637_6e18));
        let [below, at, above] =
            [SUMMED - 1, SUMMED, SUMMED + 1].map(|n| mean_first_clash(&n.into()).as_f64());
        assert!(((above - at) / (at - below) - 1.0).abs() < 1e-3);
    }
}
