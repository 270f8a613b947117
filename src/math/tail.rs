//! Tails of counting laws: Loader's saddle-point pieces, sums and integrals of positive terms, and Newton's
//! steps along a tail, shared by Poisson's law, the binomial and the gamma function.
//!
//! A point probability is e^−(deviances + Stirling's errors) over a root, so that no difference of lnΓ is
//! taken (C. Loader, *Fast and Accurate Computation of Binomial Probabilities*, 2000); a tail is the point
//! probability at its end times a sum, or where that is long an integral, of positive terms. Relative errors
//! below 1e-12 down to 1e-300.

use std::f64::consts::TAU;

/// Counts from which a tail is an integral: a sum would take about 9√k terms.
pub(super) const INTEGRAL_FROM: f64 = 1_000.0;

/// From here on five terms of Stirling's series are exact to 2e-16.
const SERIES_FROM: f64 = 16.0;

/// ½ ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// ln Γ(k + 1) − ln(√(2πk) (k/e)^k) for k > 0, not necessarily whole; absolute error below 1e-14, from 16 on 2e-16.
pub(super) fn stirling_error(k: f64) -> f64 {
    if k < SERIES_FROM {
        return libm::lgamma(k + 1.0) - (k + 0.5) * k.ln() + k - HALF_LN_TAU;
    }
    let square = k * k;
    (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1_260.0 - (1.0 / 1_680.0 - 1.0 / (1_188.0 * square)) / square) / square)
            / square)
        / k
}

/// k ln(k/μ) + μ − k, given k − μ too; relative error some 6 · 2^-53 near k = μ, where the plain form cancels.
pub(super) fn deviance(k: f64, mean: f64, above: f64) -> f64 {
    let v = above / (k + mean);
    if v.abs() >= 0.5 {
        return k * (k / mean).ln() - above;
    }
    // ln(k/μ) = 2 atanh v.
    let (mut sum, mut power) = (above * v, 2.0 * k * v);
    for odd in (3..200).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// 1 + q(1) + q(1)q(2) + …, with ratios that fall; the rest is below the last term times q/(1 − q).
pub(super) fn ratio_sum(ratio: impl Fn(f64) -> f64) -> f64 {
    let (mut sum, mut term, mut index) = (1.0, 1.0, 1.0);
    loop {
        let q = ratio(index);
        term *= q;
        sum += term;
        if term * q <= (1.0 - q) * sum * 1e-17 {
            return sum;
        }
        index += 1.0;
    }
}

/// ln(1 + u) − u, without the cancellation near 0.
pub(super) fn ln_1p_less(u: f64) -> f64 {
    if u.abs() > 0.1 {
        return u.ln_1p() - u;
    }
    // −u²/2 + u³/3 − …
    let (mut sum, mut power) = (0.0, u);
    for k in 2..60 {
        power *= -u;
        let next = sum + power / f64::from(k);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Where slope·u + curvature·u²/2 has grown to about 1.
pub(super) fn width(slope: f64, curvature: f64) -> f64 {
    1.0 / (slope.max(0.0) + curvature.max(0.0).sqrt())
}

/// ∫ e^−fall(u) du from 0, for a fall that grows to 1 over `scale` and on without end: the trapezoidal rule
/// after u = scale · e^(s − e^−s), whose error falls below 1e-15 at this step (Takahasi and Mori, 1974).
pub(super) fn integral_of_fall(fall: impl Fn(f64) -> f64, scale: f64) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    (-60..=72)
        .map(|index| {
            let s = f64::from(index) * STEP;
            let u = scale * (s - (-s).exp()).exp();
            u * (1.0 + (-s).exp()) * (-fall(u)).exp()
        })
        .sum::<f64>()
        * STEP
}

/// γ(k, μ)/Γ(k) over μ^k e^−μ/Γ(k + 1), for k ≥ μ and k > 0: 1 + μ/(k + 1) + … or k ∫₀¹ e^(μu) (1 − u)^(k−1) du.
pub(super) fn gamma_below(mean: f64, k: f64) -> f64 {
    if k < INTEGRAL_FROM {
        return ratio_sum(|term| mean / (k + term));
    }
    let rest = k - 1.0;
    let fall = |u: f64| if u < 1.0 { (rest - mean) * u + rest * -ln_1p_less(-u) } else { f64::INFINITY };
    k * integral_of_fall(fall, width(rest - mean, rest))
}

/// Γ(k + 1, μ)/Γ(k + 1) over μ^k e^−μ/Γ(k + 1), for μ above k, and k large or μ ≥ k + 2: μ ∫₀^∞ e^(−μu) (1 + u)^k du.
pub(super) fn gamma_above(mean: f64, k: f64) -> f64 {
    let fall = |u: f64| (mean - k) * u + k * -ln_1p_less(u);
    mean * integral_of_fall(fall, width(mean - k, k))
}

/// Q(a, x) = Γ(a, x)/Γ(a), the upper regularised gamma function, for a > 0, not necessarily whole, and x ≥ 0.
///
/// Relative error below 1e-12 down to 1e-300 for a from ½ on; for smaller a absolute, 1e-15, where x is below a + 1.
pub(super) fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if x == f64::INFINITY {
        return 0.0;
    }
    if x < a {
        return 1.0 - gamma_term(a, x) * gamma_below(x, a);
    }
    if x < a + 1.0 && a < INTEGRAL_FROM {
        // Not below 0.15 for a from ½ on, so that little cancels; the sum's ratios fall below 1 at once.
        return 1.0 - gamma_term(a, x) * ratio_sum(|term| x / (a + term));
    }
    gamma_term(a - 1.0, x) * gamma_above(x, a - 1.0)
}

/// x^k e^−x/Γ(k + 1) for k > −1.
fn gamma_term(k: f64, x: f64) -> f64 {
    if k < SERIES_FROM {
        return (k * x.ln() - x - libm::lgamma(k + 1.0)).exp();
    }
    (-stirling_error(k) - deviance(k, x, k - x)).exp() / (TAU * k).sqrt()
}

/// Newton's steps that all go one way, until rounding turns one round or none is left.
pub(super) fn newton(start: f64, step: impl Fn(f64) -> f64) -> f64 {
    let (mut root, mut first) = (start, 0.0);
    for _ in 0..200 {
        let change = step(root);
        if !change.is_finite() || change == 0.0 || change * first < 0.0 {
            break;
        }
        first = change;
        let next = root + change;
        if next == root {
            break;
        }
        root = next;
    }
    root
}

/// # Panics
/// Where the confidence does not lie between 0 and 1, both ends excluded.
pub(super) fn check_confidence(confidence: f64) {
    assert!(confidence > 0.0 && confidence < 1.0, "{confidence} is no confidence between 0 and 1");
}
