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

/// E[repeats] = n − N(1 − (1 − 1/N)^n), the draws less the values they take, of any size.
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
fn exp_rest(a: f64) -> f64 {
    if a > 0.5 {
        return (-a).exp_m1() + a;
    }
    // a²/2 (1 − a/3 (1 − a/4 (…))).
    0.5 * a * a * (3..=16).rev().fold(1.0, |tail, k| 1.0 - a / f64::from(k) * tail)
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
