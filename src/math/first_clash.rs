//! When the first clash comes: the law of T, the draw of N equally likely ids that repeats one drawn before.
//!
//! P(T > k) = e^−t(k) with the hazard t of the birthday problem; T lies between 2 and N + 1. For large N it
//! follows Rayleigh's law in k/√N. The mean over all draws is `occupancy::mean_first_clash`.
//!
//! Source: Feller, vol. 1, II.3; Knuth, vol. 1, 1.2.11.3. Range: spaces to 2^900, draws to any `f64`.

use super::birthday::{self, hazard};

/// P(T ≤ k), the odds of a clash among k draws; as [`birthday::probability`], which it is.
pub fn at_most(draws: f64, space: f64) -> f64 {
    birthday::probability(draws, space)
}

/// P(T = k) = P(T > k − 1) (k − 1)/N, k whole; relative error of the hazard, 1e-15, times its size.
///
/// 0 below 2 and beyond N + 1.
pub fn at(draw: f64, space: f64) -> f64 {
    if draw < 2.0 || draw > space + 1.0 {
        return 0.0;
    }
    (-hazard(draw - 1.0, space)).exp() * ((draw - 1.0) / space)
}

/// 1 − e^(−k²/2N), P(T ≤ k) in the limit of large N; relative error 1e-15 of the form itself.
///
/// It exceeds or falls short of [`at_most`] by (y/2 − y³/6) e^(−y²/2)/√N with y = k/√N, at most 0.2301/√N, to the first
/// order; 0.25/√N bounds the gap from N = 365 on (measured).
pub fn rayleigh(draws: f64, space: f64) -> f64 {
    -(-draws * (draws / space) / 2.0).exp_m1()
}

/// Draws up to which the mean is summed; beyond, the integral's own error is 1e-18.
const SUMMED: f64 = 65_536.0;

/// Standard widths √N beyond which nothing is left, e^−84.
const REACH: f64 = 13.0;

/// E[T | T ≤ n], the mean draw of the first clash among those runs of n draws that clash; none where none does.
///
/// Σ_{k<n} (P(T > k) − P(T > n)) over P(T ≤ n), whose terms are positive: summed up to 65,536 draws, beyond by
/// Euler's and Maclaurin's formula with the integral by Gauss. 2(n + 1)/3 for n far below √N, relative error below 1e-11.
pub fn mean_within(draws: f64, space: f64) -> Option<f64> {
    // A clash comes at draw N + 1 at the latest; a space below 1 counts as 1.
    let space = space.max(1.0);
    if draws.is_nan() || draws < 2.0 {
        return None;
    }
    let draws = draws.min(space.floor() + 1.0).floor();
    let run = Run { space, all: hazard(draws, space) };
    let end = draws.min((REACH * space.sqrt()).ceil() + 2.0);
    let sum = if end <= SUMMED { run.sum(end) } else { run.integral(end) };
    Some(sum / at_most(draws, space))
}

/// Draws that end at one at which the hazard is `all`.
#[derive(Debug, Clone, Copy)]
struct Run {
    space: f64,
    all: f64,
}

impl Run {
    /// P(k < T ≤ n) from the hazard of k draws.
    fn later(self, hazard: f64) -> f64 {
        -(-hazard).exp() * (hazard - self.all).exp_m1()
    }

    /// Σ P(k < T ≤ n) over k below `end`.
    fn sum(self, end: f64) -> f64 {
        (0..end as u64).map(|k| self.later(hazard(k as f64, self.space))).sum()
    }

    /// The same: of k = 0 and 1 it is P(T ≤ n), from 1 on the integral and the ends' slopes, −t′ e^−t with
    /// t′ = (k − ½)/N. The next term is below 1/n⁴ of it.
    fn integral(self, end: f64) -> f64 {
        let smooth = |k: f64| self.later(birthday::continued(k, self.space, self.space - k));
        let slope = |k: f64| -(k - 0.5) / self.space * (-hazard(k, self.space)).exp();
        let edges = any_clash(self.all) * 1.5 - smooth(end) / 2.0;
        gauss(smooth, 1.0, end) + edges + (slope(end) - slope(1.0)) / 12.0
    }
}

/// P(T ≤ n).
fn any_clash(all: f64) -> f64 {
    -(-all).exp_m1()
}

/// ∫ by Gauss's rule of 8 points in each of 64 parts: exact to rounding for a function that bends over a tenth
/// of the way.
fn gauss(function: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    // Roots of Legendre's polynomial of order 8 and their weights, DLMF 3.5.
    const RULE: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
    ];
    const PARTS: u32 = 64;
    let half = (to - from) / f64::from(2 * PARTS);
    (0..PARTS)
        .map(|part| {
            let middle = from + half * f64::from(2 * part + 1);
            RULE.iter()
                .map(|(x, weight)| weight * (function(middle - half * x) + function(middle + half * x)))
                .sum::<f64>()
        })
        .sum::<f64>()
        * half
}

#[cfg(test)]
mod tests {
    use super::super::occupancy::mean_first_clash;
    use super::*;
    use num_bigint::BigUint;

    fn close(got: f64, right: f64, error: f64) {
        assert!((got / right - 1.0).abs() < error, "got {got:e}, right {right:e}");
    }

    #[test]
    fn the_law_adds_up_to_the_birthday() {
        for space in [1.0, 2.0, 5.0, 365.0] {
            let mut sum = 0.0;
            for draw in 0..=(space as u32 + 2) {
                sum += at(f64::from(draw), space);
                assert!((sum - at_most(f64::from(draw), space)).abs() < 1e-14, "{draw} of {space}");
            }
        }
        assert_eq!((at(1.0, 9.0), at(11.0, 9.0), at(2.0, 1.0)), (0.0, 0.0, 1.0));
    }

    #[test]
    fn the_mean_within_few_draws_is_that_of_the_law() {
        for (draws, space) in
            [(2.0, 1.0), (2.0, 9.0), (3.0, 9.0), (10.0, 9.0), (23.0, 365.0), (60.0, 365.0), (500.0, 365.0)]
        {
            let steps = 2..=(draws as u32);
            let (mean, mass) = steps.fold((0.0, 0.0), |(mean, mass), k| {
                let p = at(f64::from(k), space);
                (mean + f64::from(k) * p, mass + p)
            });
            close(mean_within(draws, space).expect("a clash can come"), mean / mass, 1e-13);
        }
        // 2(n + 1)/3 where every draw is as likely as it has ids before it.
        close(mean_within(1_000.0, 2f64.powi(122)).expect("can"), 2_002.0 / 3.0, 1e-13);
        close(mean_within(1e12, 2f64.powi(122)).expect("can"), 2.0 * (1e12 + 1.0) / 3.0, 1e-12);
        assert_eq!(
            (mean_within(1.9, 9.0), mean_within(f64::NAN, 9.0), mean_within(0.0, 0.0)),
            (None, None, None)
        );
        assert_eq!(mean_within(2.0, 0.0), Some(2.0));
    }

    #[test]
    fn the_mean_within_all_draws_is_known() {
        // By Ramanujan's series, or by a sum over the draws: 365 gives 24.6166.
        for bits in [8u32, 16, 24, 26, 30, 40, 64, 122] {
            let all = mean_first_clash(&(BigUint::from(1u32) << bits)).as_f64();
            close(mean_within(f64::INFINITY, 2f64.powi(bits as i32)).expect("can"), all, 2e-13);
        }
        close(mean_within(1e9, 365.0).expect("can"), 24.616_585_894_598_9, 1e-13);
    }

    #[test]
    fn the_sum_and_the_integral_agree() {
        for (draws, bits) in [(3_000.0, 26), (70_000.0, 26), (70_000.0, 40), (200_000.0, 32), (70_000.0, 100)]
        {
            let space = 2f64.powi(bits);
            let run = Run { space, all: hazard(draws, space) };
            // The integral leaves out 1/n⁴; the sum rounds n times.
            close(run.integral(draws), run.sum(draws), 1e-11);
        }
    }

    #[test]
    fn rayleighs_law_is_as_near_as_stated() {
        for space in [365.0f64, 65_536.0, 2f64.powi(40)] {
            let root = space.sqrt();
            let gaps = (1..500).map(|step| (root * f64::from(step) / 100.0).ceil());
            let worst = gaps.map(|k| (rayleigh(k, space) - at_most(k, space)).abs()).fold(0.0, f64::max);
            assert!(worst * root < 0.25 && worst * root > 0.2, "{space}: {}", worst * root);
        }
        assert_eq!((rayleigh(0.0, 9.0), rayleigh(1e9, 9.0)), (0.0, 1.0));
    }
}
