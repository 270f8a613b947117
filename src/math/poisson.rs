//! Counts that follow Poisson's law: arrivals in a tick, colliding pairs, repeats seen in a file.
//!
//! Point probabilities P(X = k) = e^−μ μ^k / k! come in the saddle-point form of C. Loader, *Fast and
//! Accurate Computation of Binomial Probabilities* (2000): differences of lnΓ lose every digit where k is
//! large. Tails are the point probability at their end times a sum or an integral of positive terms, so that
//! they keep their relative error, below 1e-12, down to 1e-300. Intervals for an unseen mean are F. Garwood's
//! exact ones, *Fiducial Limits for the Poisson Distribution* (1936).
//!
//! Range: means from 0 to `f64::MAX`; counts enter as the nearest `f64`, exact to 2^53.

use super::logspace::{Chance, Wide};
use super::tail::{
    INTEGRAL_FROM, check_confidence, deviance, gamma_above, gamma_below, newton, ratio_sum, stirling_error,
};
use std::f64::consts::TAU;

/// P(X = k) = e^−μ μ^k / k!; relative error below 1e-12 down to 1e-300, below it a 0 at worst.
///
/// # Panics
/// Where the mean is negative, infinite or not a number; so does every function of this module.
pub fn pmf(mean: f64, k: u64) -> f64 {
    check_mean(mean);
    if k <= 15 { small(mean, k as u32) } else { saddle(mean, k as f64) }
}

/// P(X ≥ k), 1 − Q(k, μ) of the incomplete gamma function; relative error below 1e-12 down to 1e-300.
pub fn at_least(mean: f64, k: u64) -> f64 {
    check_mean(mean);
    if k == 0 {
        return 1.0;
    }
    if k as f64 >= mean { upper_tail(mean, k) } else { 1.0 - lower_tail(mean, k - 1) }
}

/// P(X ≥ k) with both of its ends kept: not 0 where it is 1e-5000, not 1 where it is 1 − 1e-5000.
///
/// Relative error 1e-12 of the nearer end; 1e-12 of its logarithm where that end is below 1e-290.
pub fn chance_at_least(mean: f64, k: u64) -> Chance {
    check_mean(mean);
    if k == 0 {
        return Chance::Certain;
    }
    if mean == 0.0 {
        return Chance::NEVER;
    }
    if (k as f64) < mean {
        let fewer = at_most(mean, k - 1);
        let t = if fewer > FAR { -fewer.ln() } else { -far_below(mean, k - 1) };
        return Chance::Open(Wide::new(t.max(0.0)));
    }
    match at_least(mean, k) {
        p if p > FAR => Chance::from_probability(p),
        _ => Chance::Open(Wide::exp(far_above(mean, k))),
    }
}

/// Probabilities below this are had through their logarithm.
const FAR: f64 = 1e-290;

/// ln P(X = k), for any k.
fn ln_pmf(mean: f64, k: f64) -> f64 {
    if k < 16.0 {
        return k * mean.ln() - mean - libm::lgamma(k + 1.0);
    }
    -stirling_error(k) - deviance(k, mean, k - mean) - (TAU * k).ln() / 2.0
}

/// ln P(X ≥ k) so far above the mean that it is below 1e-290: the first term times 1 + μ/(k+1) + …, a
/// geometric sum to within its own ratio's change, 1/(k(1 − q)) of itself.
fn far_above(mean: f64, k: u64) -> f64 {
    let ratio = mean / (k as f64 + 1.0);
    ln_pmf(mean, k as f64) - (-ratio).ln_1p()
}

/// ln P(X ≤ k) so far below the mean that it is below 1e-290; likewise, 1 + k/μ + ….
fn far_below(mean: f64, k: u64) -> f64 {
    ln_pmf(mean, k as f64) - (-(k as f64) / mean).ln_1p()
}

/// P(X > k); as [`at_least`].
pub fn above(mean: f64, k: u64) -> f64 {
    k.checked_add(1).map_or(0.0, |next| at_least(mean, next))
}

/// P(X ≤ k) = Q(k + 1, μ); as [`at_least`].
pub fn at_most(mean: f64, k: u64) -> f64 {
    check_mean(mean);
    if (k as f64) < mean { lower_tail(mean, k) } else { 1.0 - above(mean, k) }
}

/// Garwood's interval for the mean after `k` were seen: P(X ≥ k) at the lower end and P(X ≤ k) at the upper
/// are (1 − confidence)/2 each, so that it covers the mean at least as often as it says.
///
/// The lower end is 0 where none was seen. Relative error below 1e-12.
///
/// # Panics
/// Where the confidence does not lie between 0 and 1, both ends excluded.
pub fn mean_interval(k: u64, confidence: f64) -> (f64, f64) {
    check_confidence(confidence);
    let tail = (1.0 - confidence) / 2.0;
    (mean_where_at_least(k, tail), mean_where_at_most(k, tail))
}

/// The mean that fewer than 1 − confidence of all samples would show with `k` or fewer: one-sided, so for
/// none seen −ln(1 − confidence), about 3 at 95 %. Relative error below 1e-12.
///
/// # Panics
/// As [`mean_interval`].
pub fn mean_upper_limit(k: u64, confidence: f64) -> f64 {
    check_confidence(confidence);
    match k {
        0 => -(-confidence).ln_1p(),
        // 1 − confidence would round; P(X > k) = confidence says the same.
        _ if confidence < 0.5 => mean_where_at_least(k.saturating_add(1), confidence),
        _ => mean_where_at_most(k, 1.0 - confidence),
    }
}

fn check_mean(mean: f64) {
    assert!(mean.is_finite() && mean >= 0.0, "{mean} is no mean of a count");
}

/// Few: k! is exact. The exponential is split so that only the product underflows.
fn small(mean: f64, k: u32) -> f64 {
    if mean > 2_000.0 {
        return 0.0;
    }
    let half = (-mean / 2.0).exp();
    let factorial: u64 = (1..=u64::from(k)).product();
    half * mean.powi(k as i32) / factorial as f64 * half
}

/// Loader's form e^(−δ(k) − D(k, μ)) / √(2πk), with δ the error of Stirling's formula, for k ≥ 16.
fn saddle(mean: f64, k: f64) -> f64 {
    if mean == 0.0 {
        return 0.0;
    }
    (-stirling_error(k) - deviance(k, mean, k - mean)).exp() / (TAU * k).sqrt()
}

/// P(X ≥ k) for k ≥ μ and k ≥ 1.
fn upper_tail(mean: f64, k: u64) -> f64 {
    pmf(mean, k) * gamma_below(mean, k as f64)
}

/// P(X ≤ k) for k < μ.
fn lower_tail(mean: f64, k: u64) -> f64 {
    let count = k as f64;
    let terms = if count < INTEGRAL_FROM {
        ratio_sum(|term| (count + 1.0 - term).max(0.0) / mean)
    } else {
        gamma_above(mean, count)
    };
    pmf(mean, k) * terms
}

/// The mean at which P(X ≥ k) is `tail`, of at most ½; 0 for k = 0.
///
/// The start lies at or below the root, by μ^k/k! ≥ P(X ≥ k) and by Chernoff's bound e^(−(k − μ)²/2k); ln P
/// is concave in μ, so Newton's steps rise to the root and never pass it.
fn mean_where_at_least(k: u64, tail: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    let count = k as f64;
    let by_power = ((tail.ln() + libm::lgamma(count + 1.0)) / count).exp();
    let by_chernoff = count - (-2.0 * count * tail.ln()).sqrt();
    newton(by_power.max(by_chernoff), |mean| {
        let p = at_least(mean, k);
        (tail / p).ln() * p / pmf(mean, k - 1)
    })
}

/// The mean at which P(X ≤ k) is `tail`, of at most ½.
///
/// The start lies above the root, by Chernoff's bound e^(−(μ − k)²/2μ); ln P is concave in μ, so Newton's
/// steps fall to the root and never pass it.
fn mean_where_at_most(k: u64, tail: f64) -> f64 {
    let (count, depth) = (k as f64, -tail.ln());
    newton(count + depth + (depth * depth + 2.0 * count * depth).sqrt(), |mean| {
        let p = at_most(mean, k);
        (p / tail).ln() * p / pmf(mean, k)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, right: f64) {
        assert!((got / right - 1.0).abs() < 1e-12, "got {got:e}, right {right:e}");
    }

    /// Sums of 40 digits and more, and integrals where a sum has no end in sight.
    #[test]
    fn tails_keep_their_digits_where_differences_of_ln_gamma_lose_them() {
        close(at_least(3_800.0, 4_097), 1.007_393_536_596_27e-6);
        close(at_least(4_000.0, 4_097), 6.396_074_453_525_78e-2);
        close(at_least(327.581_582_743_054, 1_111), 1.568_283_419_546_1e-251);
        close(at_most(881.071_454_942_637_2, 275), 2.462_394_796_666_42e-126);
        close(at_least(5_732_890_883.049_951, 5_735_515_284), 1.661_378_527_218_77e-263);
        close(at_most(22_299.260_602_298_516, 17_949), 3.854_915_686_001_15e-200);
    }

    #[test]
    fn tails_of_small_means_are_their_first_term() {
        close(at_least(1e-150, 2), 5e-301);
        close(at_least(1e-20, 1), 1e-20);
        assert_eq!(at_least(1e-200, 2), 0.0);
    }

    #[test]
    fn both_tails_add_up_across_the_joint_of_sum_and_integral() {
        for k in [1, 15, 16, 17, 998, 999, 1_000, 1_001, 1_002, 1_000_000] {
            for shift in [-3.0, -1.0, -0.4, 0.0, 0.4, 1.0, 3.0] {
                let mean = (k as f64 + shift * (k as f64).sqrt()).max(0.0);
                assert!((at_least(mean, k) + at_most(mean, k - 1) - 1.0).abs() < 1e-15, "{mean} {k}");
                assert!((at_least(mean, k) - above(mean, k) - pmf(mean, k)).abs() < 1e-15, "{mean} {k}");
            }
        }
    }

    #[test]
    fn a_chance_of_many_keeps_both_ends() {
        let log10 = |mean, k| chance_at_least(mean, k).log10().expect("above 0");
        // By sums of 60 digits: P(X ≥ 4097) of mean 5.2 and of mean 0.001, 1 − P(X ≥ 2) of mean 10^6.
        assert!((log10(5.2, 4_097) + 10_091.965_974_711_173).abs() < 1e-8, "{}", log10(5.2, 4_097));
        assert!((log10(1e-3, 4_097) + 25_314.174_327_896_65).abs() < 1e-8, "{}", log10(1e-3, 4_097));
        let none = chance_at_least(1e6, 2).log10_none().expect("open");
        assert!((none + 434_288.481_902_817_53).abs() < 1e-8, "{none}");
        for (mean, k) in [(0.1, 2), (5.0, 3), (3_800.0, 4_097), (9.0, 3)] {
            close(chance_at_least(mean, k).as_f64(), at_least(mean, k));
        }
        assert_eq!((chance_at_least(3.0, 0), chance_at_least(0.0, 3)), (Chance::Certain, Chance::NEVER));
        // Across the joint of a probability and its logarithm there is no step.
        let (below, above) = (log10(1_000.0, 2_414), log10(1_000.0, 2_415));
        assert!(below > above && below - above < 0.5, "{below} {above}");
    }

    #[test]
    fn nothing_happens_at_a_mean_of_0_and_no_count_is_out_of_range() {
        assert_eq!((pmf(0.0, 0), pmf(0.0, 20), at_least(0.0, 0), at_least(0.0, 1)), (1.0, 0.0, 1.0, 0.0));
        assert_eq!((at_most(0.0, 0), above(5.0, u64::MAX), at_most(f64::MAX, u64::MAX)), (1.0, 0.0, 0.0));
        assert_eq!(
            (at_least(f64::MAX, u64::MAX), pmf(f64::MAX, 3), pmf(f64::MIN_POSITIVE, u64::MAX)),
            (1.0, 0.0, 0.0)
        );
    }

    #[test]
    fn garwoods_interval_puts_half_the_risk_in_each_tail() {
        let (low, high) = mean_interval(7, 0.95);
        close(low, 2.814_363_051_519_87);
        close(high, 14.422_675_361_702_4);
        for k in [1, 2, 16, 999, 1_000, 12_345, 1_000_000_000_000] {
            for confidence in [1e-9, 0.5, 0.95, 0.999_999] {
                let (low, high) = mean_interval(k, confidence);
                let tail = (1.0 - confidence) / 2.0;
                // A relative error of 2^-52 of the mean moves a tail of z standard deviations by about 2^-52
                // z√k.
                let slack = 1e-14 * (k as f64).sqrt().max(100.0);
                assert!((at_least(low, k) / tail - 1.0).abs() < slack, "{k} {confidence}");
                assert!((at_most(high, k) / tail - 1.0).abs() < slack, "{k} {confidence}");
            }
        }
    }

    #[test]
    fn none_seen_leaves_about_3_at_95_percent() {
        assert_eq!(mean_interval(0, 0.95).0, 0.0);
        close(mean_upper_limit(0, 0.95), 2.995_732_273_553_99);
        close(mean_interval(0, 0.9).1, 2.995_732_273_553_99);
        // However little is asked, and however much.
        close(mean_upper_limit(0, 1e-300), 1e-300);
        close(mean_upper_limit(1, 1e-300), 2f64.sqrt() * 1e-150);
        assert!(mean_upper_limit(u64::MAX, 1.0 - 2f64.powi(-53)).is_finite());
    }
}
