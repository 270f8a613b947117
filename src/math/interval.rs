//! Shares that were sampled: the binomial law of successes among trials, and the interval for an unseen share.
//!
//! The interval is exact (C. Clopper and E. Pearson, *The Use of Confidence or Fiducial Limits*, 1934): at its
//! lower end P(X ≥ k), at its upper end P(X ≤ k) is (1 − confidence)/2, so that it covers the share at least as
//! often as it says. Tails are the regularised incomplete beta function, P(X ≥ k) = I_p(k, n − k + 1): the
//! point probability in Loader's form times a sum or an integral of positive terms. How far k lies from np is
//! carried exactly, since from 2^50 trials the rounding of np alone would cost half of the digits.
//!
//! Range: trials up to 2^53; relative error below 1e-12 down to 1e-300, of the interval's ends below 1e-10.

use super::tail::{
    INTEGRAL_FROM, check_confidence, deviance, integral_of_fall, ln_1p_less, newton, ratio_sum,
    stirling_error, width,
};
use std::f64::consts::TAU;

/// The interval for a share of which `successes` in `trials` were seen: (0, 1) without trials.
///
/// None seen gives 0 to 1 − ((1 − confidence)/2)^(1/n), all seen the mirror of it. Relative error below 1e-10, trials
/// up to 2^53.
///
/// # Panics
/// Where more succeeded than were tried, or the confidence does not lie between 0 and 1, both ends excluded.
pub fn binomial_interval(successes: u64, trials: u64, confidence: f64) -> (f64, f64) {
    check_confidence(confidence);
    assert!(successes <= trials, "{successes} successes in {trials} trials");
    let tail = (1.0 - confidence) / 2.0;
    (share_where_at_least(successes, trials, tail), share_where_at_most(successes, trials, tail))
}

/// P(X ≥ k) among n trials of chance p, I_p(k, n − k + 1); relative error below 1e-12 down to 1e-300.
///
/// # Panics
/// Where p lies outside 0 … 1; so does every function here that takes it.
pub fn binomial_at_least(k: u64, n: u64, p: f64) -> f64 {
    check_share(p);
    if k == 0 {
        return 1.0;
    }
    if k > n {
        return 0.0;
    }
    let here = Point::new(k, n, p);
    if here.above >= 0.0 { here.upper_tail() } else { 1.0 - Point::new(k - 1, n, p).mirrored().upper_tail() }
}

/// P(X ≤ k) among n trials of chance p; as [`binomial_at_least`].
pub fn binomial_at_most(k: u64, n: u64, p: f64) -> f64 {
    check_share(p);
    if k >= n {
        return 1.0;
    }
    let here = Point::new(k, n, p);
    if here.above <= 0.0 { here.mirrored().upper_tail() } else { 1.0 - Point::new(k + 1, n, p).upper_tail() }
}

/// The exact two-sided p-value of k successes, twice the smaller tail, at most 1; as [`binomial_at_least`].
///
/// A p of 0 or 1 gives 1 where nothing else could be seen, else 0.
pub fn binomial_two_sided(k: u64, n: u64, p: f64) -> f64 {
    super::goodness::two_sided(binomial_at_most(k, n, p), binomial_at_least(k, n, p))
}

fn check_share(p: f64) {
    assert!((0.0..=1.0).contains(&p), "{p} is no share from 0 to 1");
}

/// A number of successes under a binomial law.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// Successes k.
    count: f64,
    /// Failures n − k.
    rest: f64,
    /// Chance of a success.
    p: f64,
    /// Chance of a failure.
    q: f64,
    /// k − np, to the last digit.
    above: f64,
}

impl Point {
    fn new(k: u64, n: u64, p: f64) -> Point {
        let (count, trials) = (k as f64, n as f64);
        let mean = trials * p;
        // The product's own rounding, exactly.
        let lost = trials.mul_add(p, -mean);
        Point { count, rest: (n - k) as f64, p, q: 1.0 - p, above: (count - mean) - lost }
    }

    /// The same with success and failure exchanged.
    fn mirrored(self) -> Point {
        Point { count: self.rest, rest: self.count, p: self.q, q: self.p, above: -self.above }
    }

    /// P(X = k).
    fn probability(self) -> f64 {
        probability(self.count, self.rest, (self.p, self.q), self.above)
    }

    /// P(X ≥ k) for k ≥ np.
    fn upper_tail(self) -> f64 {
        let Point { count, rest, p, q, above } = self;
        if p == 0.0 || q == 0.0 {
            return if above == 0.0 { 1.0 } else { 0.0 };
        }
        if count == 0.0 {
            // P(X ≥ 0), met with a mean of 0 to rounding.
            return 1.0;
        }
        let odds = p / q;
        if count.min(rest) < INTEGRAL_FROM {
            return self.probability()
                * ratio_sum(|term| (rest - term + 1.0).max(0.0) * odds / (count + term));
        }
        // I_p(k, n − k + 1) = P(X = k) k ∫₀¹ (1 − u)^(k−1) (1 + u p/q)^(n−k) du.
        let fewer = count - 1.0;
        let slope = above / q - 1.0;
        let fall = |u: f64| {
            if u >= 1.0 {
                return f64::INFINITY;
            }
            slope * u - fewer * ln_1p_less(-u) - rest * ln_1p_less(u * odds)
        };
        let curvature = fewer + rest * odds * odds;
        self.probability() * count * integral_of_fall(fall, width(slope, curvature))
    }
}

/// Γ(n + 1)/(Γ(k + 1) Γ(n − k + 1)) p^k q^(n−k) of k = `count` and n − k = `rest`, given k − np too; neither need
/// be whole. Relative error below 1e-12 down to 1e-300.
pub(super) fn probability(count: f64, rest: f64, (p, q): (f64, f64), above: f64) -> f64 {
    if count == 0.0 {
        return power(q, p, rest);
    }
    if rest == 0.0 {
        return power(p, q, count);
    }
    let trials = count + rest;
    let stirling = stirling_error(trials) - stirling_error(count) - stirling_error(rest);
    let far = deviance(count, trials * p, above) + deviance(rest, trials * q, -above);
    (stirling - far).exp() * (trials / (TAU * count * rest)).sqrt()
}

/// p^n, given q = 1 − p: from the smaller of both, which has lost no digit.
fn power(p: f64, q: f64, n: f64) -> f64 {
    if n == 0.0 { 1.0 } else { (n * if p < 0.5 { p.ln() } else { (-q).ln_1p() }).exp() }
}

/// The share at which P(X ≥ k) is `tail`, of at most ½; 0 for k = 0.
///
/// The start lies at or below the root, by (np)^k/k! ≥ P(X ≥ k) and by Chernoff's bounds with (k − np)²/2k and
/// n(k/n − p)²/2(1 − p) in the exponent. ln I_p is concave in p, its density being so, hence Newton's steps
/// rise to the root and never pass it.
fn share_where_at_least(k: u64, n: u64, tail: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    let (count, trials, depth) = (k as f64, n as f64, -tail.ln());
    if k == n {
        return (-depth / trials).exp();
    }
    let by_power = ((libm::lgamma(count + 1.0) - depth) / count).exp() / trials;
    let by_poisson = (count - (2.0 * count * depth).sqrt()) / trials;
    let (failed, step) = ((n - k) as f64 / trials, depth / trials);
    let by_failures = 1.0 - (failed + step + (step * step + 2.0 * step * failed).sqrt());
    newton(by_power.max(by_poisson).max(by_failures), |p| {
        let tail_here = binomial_at_least(k, n, p);
        (tail / tail_here).ln() * tail_here * p / (Point::new(k, n, p).probability() * count)
    })
}

/// The share at which P(X ≤ k) is `tail`, of at most ½; 1 for k = n.
///
/// As [`share_where_at_least`], from above.
fn share_where_at_most(k: u64, n: u64, tail: f64) -> f64 {
    if k == n {
        return 1.0;
    }
    let (count, trials, depth) = (k as f64, n as f64, -tail.ln());
    if k == 0 {
        return -(-depth / trials).exp_m1();
    }
    let rest = (n - k) as f64;
    let by_power = 1.0 - ((libm::lgamma(rest + 1.0) - depth) / rest).exp() / trials;
    let by_poisson = (count + depth + (depth * depth + 2.0 * count * depth).sqrt()) / trials;
    let by_failures = 1.0 - (rest - (2.0 * rest * depth).sqrt()) / trials;
    newton(by_power.min(by_poisson).min(by_failures), |p| {
        let here = Point::new(k, n, p);
        let tail_here = binomial_at_most(k, n, p);
        (tail_here / tail).ln() * tail_here * here.q / (here.probability() * rest)
    })
    .min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, right: f64, error: f64) {
        assert!((got / right - 1.0).abs() < error, "got {got:e}, right {right:e}");
    }

    #[test]
    fn tails_keep_their_digits() {
        // mpmath with 60 digits: sums from the first term on, and beyond 10^5 trials the integral of the
        // density; p is the double as written.
        for (k, n, p, right) in [
            (3, 10, 0.2, 0.322_200_473_600_000_04),
            (20, 1_000, 0.003, 7.239_198_257_181_539e-11),
            (900, 1_000, 0.5, 6.701_717_790_006_296e-162),
            (999, 1_000, 0.9, 1.959_557_881_097_998_3e-44),
            (1_500, 10_000, 0.1, 2.195_866_533_297_194_2e-55),
            (1_700, 10_000, 0.1, 2.927_398_095_327_88e-102),
            (1, 1 << 50, 1e-17, 0.011_195_853_744_977_648),
            (5, 1 << 50, 1e-16, 1.372_855_895_265_262_6e-7),
            ((1 << 49) + (3 << 24), 1 << 50, 0.5, 0.001_349_898_163_709_467_6),
            ((1 << 49) + (18 << 24), 1 << 50, 0.5, 9.740_954_160_344_96e-73),
            ((1 << 50) / 10 + 200_000_000, 1 << 50, 0.1, 3.834_482_659_001_961e-88),
            // Here np is no double: its rounding alone would cost 2e-8.
            (337_770_172_049_081, 1_125_899_906_830_277, 0.3, 5.596_674_345_967_936e-39),
            ((1 << 50) / 3 + 10_000_000, 1 << 50, 1.0 / 3.0, 0.263_627_223_684_474_4),
        ] {
            close(binomial_at_least(k, n, p), right, 1e-12);
        }
    }

    #[test]
    fn tails_add_up_and_mirror() {
        for n in [1u64, 2, 17, 1_000, 2_001, 5_000, 1 << 40] {
            for p in [1e-9, 0.125, 0.5, 0.75] {
                let (mean, sd) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
                for shift in [-3.0, -0.5, 0.0, 0.5, 3.0] {
                    let k = (mean + shift * sd).clamp(1.0, n as f64).round() as u64;
                    let (lower, upper) = (binomial_at_most(k - 1, n, p), binomial_at_least(k, n, p));
                    assert!((lower + upper - 1.0).abs() < 1e-14, "{k} of {n} at {p}: {lower} {upper}");
                    // 1 − p is exact for these p but the first.
                    if p > 0.1 {
                        close(binomial_at_most(n - k, n, 1.0 - p), upper, 1e-13);
                    }
                }
            }
        }
    }

    #[test]
    fn tails_are_the_sum_of_their_points() {
        // C(n, k) by Pascal's triangle.
        for n in 1..60u32 {
            let mut row = vec![1.0f64];
            for i in 0..n {
                row.push(row[i as usize] * f64::from(n - i) / f64::from(i + 1));
            }
            for p in [0.01f64, 0.3, 0.97] {
                let point = |k: usize| row[k] * p.powi(k as i32) * (1.0 - p).powi(n as i32 - k as i32);
                for k in 0..=n as usize {
                    let upper: f64 = (k..=n as usize).map(point).sum();
                    close(binomial_at_least(k as u64, n.into(), p), upper, 1e-12);
                    let lower: f64 = (0..=k).map(point).sum();
                    close(binomial_at_most(k as u64, n.into(), p), lower, 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_interval_is_clopper_and_pearsons() {
        // Roots of the tails by regula falsi in mpmath with 30 digits.
        for (k, n, confidence, low, high) in [
            (3, 10_000, 0.95, 6.187_148_574_838_716e-5, 8.764_745_225_140_007e-4),
            (7, 20, 0.95, 0.153_909_204_784_541_2, 0.592_188_534_532_828),
            (19, 20, 0.99, 0.682_858_265_242_904_7, 0.999_749_404_313_168_5),
            (5_000, 10_000, 0.95, 0.490_151_380_589_980_5, 0.509_848_619_410_019_5),
            (123_456, 1 << 30, 0.999, 1.139_037_040_232_424_6e-4, 1.160_580_513_341_353e-4),
            (1 << 49, 1 << 50, 0.95, 0.499_999_970_794_260_3, 0.500_000_029_205_739_7),
        ] {
            let found = binomial_interval(k, n, confidence);
            close(found.0, low, 1e-12);
            close(found.1, high, 1e-12);
        }
    }

    #[test]
    fn the_interval_has_ends() {
        assert_eq!(binomial_interval(0, 0, 0.95), (0.0, 1.0));
        let none = binomial_interval(0, 1 << 50, 0.95);
        assert_eq!(none.0, 0.0);
        close(none.1, -(0.025f64.ln()) / 2f64.powi(50), 1e-12);
        let all = binomial_interval(10, 10, 0.95);
        assert_eq!(all.1, 1.0);
        close(all.0, 0.025f64.powf(0.1), 1e-13);
        close(binomial_interval(0, 1, 0.95).1, 0.975, 1e-13);
        for n in [1, 2, 3, 1_999, 2_000, 2_001, 1 << 30, 1 << 50] {
            for k in [0, 1, 2, n / 2, n - n.min(2), n - 1, n] {
                for confidence in [1e-9, 0.5, 0.95, 1.0 - 1e-12] {
                    let (low, high) = binomial_interval(k.min(n), n, confidence);
                    let share = k.min(n) as f64 / n as f64;
                    assert!(
                        0.0 <= low && low <= share && share <= high && high <= 1.0,
                        "{k} of {n}: {low} {high}"
                    );
                }
            }
        }
    }

    #[test]
    fn each_end_leaves_half_the_risk() {
        for n in [2u64, 50, 3_000, 1_000_000, 1 << 45] {
            for k in [1, n / 100, n / 3, n - 1] {
                if k == 0 {
                    continue;
                }
                let (low, high) = binomial_interval(k, n, 0.99);
                // A double next to the end moves a tail by 2^-53 z√n of itself or, near 1, by 2^-53 over 1 − p.
                let slack = 1e-12 + 1e-15 * (n as f64).sqrt() + 1e-15 / (1.0 - high).max(f64::MIN_POSITIVE);
                close(
                    binomial_at_least(k, n, low),
                    0.005,
                    1e-12 + 1e-15 * (n as f64).sqrt() + 1e-15 / (1.0 - low),
                );
                if slack < 1e-3 {
                    close(binomial_at_most(k, n, high), 0.005, slack);
                }
            }
        }
    }

    #[test]
    fn a_share_of_0_or_1_leaves_no_doubt() {
        assert_eq!((binomial_two_sided(0, 9, 0.0), binomial_two_sided(1, 9, 0.0)), (1.0, 0.0));
        assert_eq!((binomial_two_sided(9, 9, 1.0), binomial_two_sided(8, 9, 1.0)), (1.0, 0.0));
        assert_eq!((binomial_at_least(0, 9, 0.0), binomial_at_most(9, 9, 1.0)), (1.0, 1.0));
        assert_eq!((binomial_at_least(10, 9, 0.5), binomial_two_sided(0, 0, 0.5)), (0.0, 1.0));
        // Twice 11/1024.
        close(binomial_two_sided(1, 10, 0.5), 22.0 / 1_024.0, 1e-13);
        assert_eq!(binomial_two_sided(5, 10, 0.5), 1.0);
    }
}
