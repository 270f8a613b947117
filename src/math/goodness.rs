//! Whether what was counted follows a law: chi-square over cells, Kolmogorov's and Smirnov's distance, and how
//! p-values are doubled and joined.
//!
//! A p-value is the chance that a sample of the law itself lies as far off or farther; one below α raises a
//! false alarm in a share α of all true laws. Sources: K. Pearson (1900) for chi-square, of which the tail is
//! Q(d/2, x/2); N. Smirnov (1944) for one side, G. Marsaglia, W. Tsang and J. Wang, *Evaluating Kolmogorov's
//! Distribution* (2003) for both, chosen between as in R. Simard and P. L'Ecuyer, *Computing the Two-Sided
//! Kolmogorov-Smirnov Distribution* (2011), and W. Pelz and I. Good, *Approximating the Lower Tail-Areas
//! of the Kolmogorov-Smirnov One-Sample Statistic* (1976) for large samples.

use super::interval::probability;
use super::tail::upper_gamma;
use std::f64::consts::PI;

/// What each pooled cell has to expect, so that its count is near enough to normal (W. Cochran, 1954).
const LEAST_EXPECTED: f64 = 5.0;

/// P(chi-square of so many degrees of freedom ≥ statistic), Q(d/2, x/2); relative error below 1e-12 down to 1e-300 from
/// one degree on, degrees need not be whole.
///
/// # Panics
/// Where the degrees are not positive and finite, or the statistic is not a number.
pub fn chi_square_p(statistic: f64, degrees: f64) -> f64 {
    assert!(degrees.is_finite() && degrees > 0.0, "{degrees} degrees of freedom");
    assert!(!statistic.is_nan(), "a statistic that is not a number");
    upper_gamma(degrees / 2.0, statistic / 2.0)
}

/// Pearson's statistic Σ(observed − expected)²/expected and its degrees of freedom, cells − 1; none where fewer
/// than two cells are left, or nothing was observed or expected.
///
/// What is expected is scaled to the total that was observed. Then neighbours are pooled from the first cell
/// on: a pool closes as soon as it expects 5 or more, and what is left over at the end joins the last that
/// closed. So the cells depend on the expectation alone and never on what was seen. Relative error 2^-52 times
/// the number of cells.
///
/// # Panics
/// Where the numbers of cells differ, or an expectation is negative or not finite.
pub fn chi_square(observed: &[u64], expected: &[f64]) -> Option<(f64, f64)> {
    assert_eq!(observed.len(), expected.len(), "cells observed and expected");
    assert!(expected.iter().all(|e| e.is_finite() && *e >= 0.0), "an expectation that is no count");
    let seen: f64 = observed.iter().map(|count| *count as f64).sum();
    let scale = seen / expected.iter().sum::<f64>();
    if !scale.is_finite() || scale == 0.0 {
        return None;
    }
    let cells = pooled(observed, expected, scale);
    (cells.len() > 1).then(|| {
        let statistic = cells.iter().map(|(seen, due)| (seen - due).powi(2) / due).sum();
        (statistic, cells.len() as f64 - 1.0)
    })
}

/// Cells of (observed, expected) that expect 5 or more each, or one that does not.
fn pooled(observed: &[u64], expected: &[f64], scale: f64) -> Vec<(f64, f64)> {
    let (mut cells, mut open) = (Vec::<(f64, f64)>::new(), (0.0, 0.0));
    for (seen, due) in observed.iter().zip(expected) {
        open = (open.0 + *seen as f64, open.1 + due * scale);
        if open.1 >= LEAST_EXPECTED {
            cells.push(open);
            open = (0.0, 0.0);
        }
    }
    match cells.last_mut() {
        Some(last) => *last = (last.0 + open.0, last.1 + open.1),
        None => cells.push(open),
    }
    cells
}

/// From this n·d² on, or from d = ½ on, both sides are hardly ever as far off at once: e^−24 of the p-value.
const ONE_SIDED: f64 = 4.0;

/// Up to this sample the two-sided law is a power of a matrix.
const MATRIX_UP_TO: u64 = 1_000;

/// Up to this sample Smirnov's sum is taken term by term.
const SUMMED_UP_TO: u64 = 16_384;

/// P(distance ≥ d) of the largest distance between the distribution function of a continuous law and that of
/// `n` draws from it.
///
/// From n·d² = 4 on (p below 7e-4), or from d = ½, twice Smirnov's one-sided probability: relative error 4e-11 down to 1e-300. Else
/// up to 1,000 draws exact but for rounding, absolute error 1e-12; beyond them by Pelz and Good's series, absolute
/// error below 7e-8 (measured at 1,000 draws; it falls with 1/n²).
///
/// For a discrete law, and for a distance looked at only at the edges of bins, the true p-value is smaller:
/// a test by this one raises fewer false alarms than it says.
///
/// # Panics
/// Where the distance is not a number or there are no draws.
pub fn kolmogorov_smirnov_p(distance: f64, n: u64) -> f64 {
    assert!(!distance.is_nan() && n > 0, "distance {distance} of {n} draws");
    let draws = n as f64;
    // Halfway through its own step, every sample is at least so far off.
    if distance <= 0.5 / draws {
        return 1.0;
    }
    if distance >= 1.0 {
        return 0.0;
    }
    if distance >= 0.5 || draws * distance * distance >= ONE_SIDED {
        return (2.0 * smirnov_p(distance, n)).min(1.0);
    }
    if n <= MATRIX_UP_TO {
        return (1.0 - marsaglia(distance, n)).clamp(0.0, 1.0);
    }
    (1.0 - pelz_good(draws.sqrt() * distance, draws)).clamp(0.0, 1.0)
}

/// P(the sample's function lies d or more above the law's somewhere), Smirnov's
/// d Σ_j C(n, j) (d + j/n)^(j−1) (1 − d − j/n)^(n−j) over 0 ≤ j ≤ n(1 − d).
///
/// The terms are binomial probabilities that are j − n p_j = −nd off their mean each. Of many terms the sum is
/// an integral, by the midpoint rule over a function that vanishes with all derivatives at both ends.
fn smirnov_p(distance: f64, n: u64) -> f64 {
    const NODES: u64 = 4_096;
    let draws = n as f64;
    let (last, off) = (draws * (1.0 - distance), -draws * distance);
    let term = |j: f64| {
        let p = distance + j / draws;
        let q = (1.0 - p).max(0.0);
        probability(j, draws - j, (p, q), off) / p
    };
    if n <= SUMMED_UP_TO {
        return distance * (0..=last as u64).map(|j| term(j as f64)).sum::<f64>();
    }
    let step = last / NODES as f64;
    distance * step * (0..NODES).map(|node| term((node as f64 + 0.5) * step)).sum::<f64>()
}

/// P(distance < z/√n) for large n: Kolmogorov's limit and the terms of n^−½, n^−1 and n^−3/2, each a theta
/// series over odd m or all k that converges at once for z up to 2.
fn pelz_good(z: f64, draws: f64) -> f64 {
    let (z2, pi2) = (z * z, PI * PI);
    let (z4, z6) = (z2 * z2, z2 * z2 * z2);
    let mut sums = [0.0f64; 4];
    for m in (1..=23).step_by(2) {
        let m2 = f64::from(m * m) * pi2 / 4.0;
        let weight = (-m2 / (2.0 * z2)).exp();
        let third = -30.0 * z6 - 90.0 * z4 * z4
            + m2 * (135.0 * z4 - 96.0 * z6 + m2 * (212.0 * z4 - 60.0 * z2 + m2 * (5.0 - 30.0 * z2)));
        let second = 6.0 * z6 + 2.0 * z4 + m2 * (2.0 * z4 - 5.0 * z2 + m2 * (1.0 - 2.0 * z2));
        for (sum, term) in sums.iter_mut().zip([1.0, m2 - z2, second, third]) {
            *sum += weight * term;
        }
    }
    let (mut even2, mut even3) = (0.0, 0.0);
    for k in 1..=12 {
        let k2 = f64::from(k * k) * pi2;
        let weight = k2 * (-k2 / (2.0 * z2)).exp();
        even2 += weight;
        even3 += weight * (3.0 * z2 - k2);
    }
    let terms = [
        sums[0] / z,
        sums[1] / (6.0 * z4),
        sums[2] / (72.0 * z6 * z) - even2 / (36.0 * z2 * z),
        sums[3] / (6_480.0 * z6 * z4) + even3 / (216.0 * z6),
    ];
    let step = draws.sqrt().recip();
    (2.0 * PI).sqrt() * terms.iter().rev().fold(0.0, |sum, term| sum * step + term)
}

/// P(distance < d): n!/n^n times the middle entry of the n-th power of Durbin's matrix, for d from 1/2n on.
fn marsaglia(distance: f64, n: u64) -> f64 {
    let reach = n as f64 * distance;
    let whole = reach as usize + 1;
    let size = 2 * whole - 1;
    let (power, twos) = durbin(whole as f64 - reach, size).power(n);
    // n!/n^n from the largest factors, in logarithms: the entry's own exponent is taken along.
    let middle = power.entries[(whole - 1) * size + whole - 1];
    let mut fall = f64::from(twos) * std::f64::consts::LN_2;
    fall += (1..=n).map(|i| (i as f64 / n as f64).ln()).sum::<f64>();
    middle * fall.exp()
}

/// Durbin's matrix, where `short` is what n·d lacks to the next whole number.
fn durbin(short: f64, size: usize) -> Square {
    let mut entries = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..size.min(i + 2) {
            entries[i * size + j] = 1.0;
        }
    }
    for i in 0..size {
        let power = short.powi(i as i32 + 1);
        entries[i * size] -= power;
        entries[size * size - 1 - i] -= power;
    }
    entries[(size - 1) * size] += (2.0 * short - 1.0).max(0.0).powi(size as i32);
    for i in 0..size {
        let mut factorial = 1.0;
        for step in 1..=i + 1 {
            factorial *= step as f64;
            entries[i * size + i + 1 - step] /= factorial;
        }
    }
    Square { entries, size }
}

/// A square matrix by rows.
#[derive(Debug, Clone)]
struct Square {
    entries: Vec<f64>,
    size: usize,
}

impl Square {
    fn times(&self, other: &Square) -> Square {
        let mut entries = vec![0.0; self.size * self.size];
        for (row, left) in entries.chunks_exact_mut(self.size).zip(self.entries.chunks_exact(self.size)) {
            for (factor, right) in left.iter().zip(other.entries.chunks_exact(self.size)) {
                for (sum, entry) in row.iter_mut().zip(right) {
                    *sum += factor * entry;
                }
            }
        }
        Square { entries, size: self.size }
    }

    /// The power and the exponent of two that was taken out of it.
    fn power(self, exponent: u64) -> (Square, i32) {
        let mut result: Option<(Square, i32)> = None;
        let (mut square, mut twos, mut left) = (self, 0, exponent);
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    None => (square.clone(), twos),
                    Some((product, taken)) => product.times(&square).scaled(taken + twos),
                });
            }
            left >>= 1;
            if left > 0 {
                (square, twos) = square.times(&square).scaled(2 * twos);
            }
        }
        result.expect("a power above 0")
    }

    /// Brings the largest entry near 1.
    fn scaled(mut self, twos: i32) -> (Square, i32) {
        let largest = self.entries.iter().fold(0.0f64, |most, entry| most.max(entry.abs()));
        let (_, own) = libm::frexp(largest);
        let factor = libm::ldexp(1.0, -own);
        self.entries.iter_mut().for_each(|entry| *entry *= factor);
        (self, twos + own)
    }
}

/// The two-sided p-value of two tails that both hold what was seen: twice the smaller, at most 1.
pub fn two_sided(lower_tail: f64, upper_tail: f64) -> f64 {
    (2.0 * lower_tail.min(upper_tail)).min(1.0)
}

/// The p-value of the least of several, m · min p, at most 1 (Bonferroni): a false alarm in any of m looks is
/// no likelier than said, whatever they have to do with each other. 1 where there was no look.
pub fn combined(p_values: &[f64]) -> f64 {
    let least = p_values.iter().copied().fold(1.0, f64::min);
    (p_values.len().max(1) as f64 * least).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, right: f64, error: f64) {
        assert!((got / right - 1.0).abs() < error, "got {got:e}, right {right:e}");
    }

    #[test]
    fn chi_square_tails_are_the_gamma_function() {
        // mpmath.gammainc(d/2, x/2, inf, regularized=True) with 30 digits.
        for (degrees, statistic, right) in [
            (1.0, 3.841_458_820_694_124, 0.050_000_000_000_000_06),
            (3.0, 1_300.0, 1.471_743_710_698_01e-281),
            (17.0, 9.25, 0.932_090_628_742_882_2),
            (2_500.0, 2_700.0, 0.002_839_998_341_952_35),
            (2_500.0, 2_300.0, 0.998_122_770_320_151),
            (2_001.0, 4_000.0, 9.689_650_603_493_494e-136),
            (1.0, 1e-6, 0.999_202_115_572_177_9),
            (0.5, 3.0, 0.033_416_444_158_979_03),
        ] {
            close(chi_square_p(statistic, degrees), right, 1e-12);
        }
        // One degree is the square of a normal.
        for statistic in [1e-3, 0.5, 0.99, 1.0, 2.0, 2.9, 3.0, 3.1, 7.0, 50.0, 1_300.0] {
            close(chi_square_p(statistic, 1.0), libm::erfc((statistic / 2.0f64).sqrt()), 1e-12);
        }
        // Two degrees are an exponential law.
        for statistic in [0.1, 1.9, 2.0, 2.1, 3.9, 4.0, 4.1, 600.0] {
            close(chi_square_p(statistic, 2.0), (-statistic / 2.0).exp(), 1e-12);
        }
        assert_eq!((chi_square_p(0.0, 3.0), chi_square_p(f64::INFINITY, 3.0)), (1.0, 0.0));
    }

    #[test]
    fn neighbours_are_pooled_until_each_cell_expects_five() {
        // Pools (1 + 2 + 3), (9), (4 + 1 left over with it): 6, 9 + 4 + 1 of what is expected.
        let (statistic, degrees) =
            chi_square(&[2, 2, 4, 8, 3, 1], &[1.0, 2.0, 3.0, 9.0, 4.0, 1.0]).expect("two cells");
        assert_eq!(degrees, 2.0);
        close(statistic, 4.0 / 6.0 + 1.0 / 9.0 + 1.0 / 5.0, 1e-14);
        let (statistic, degrees) = chi_square(&[8, 11, 1], &[6.0, 9.0, 5.0 - 1e-9]).expect("two cells");
        assert_eq!(degrees, 1.0);
        close(statistic, 4.0 / 6.0 + 4.0 / 14.0, 1e-8);
    }

    #[test]
    fn expectations_are_scaled_to_what_was_seen() {
        let shares = chi_square(&[30, 70], &[0.5, 0.5]).expect("two cells");
        close(shares.0, 16.0, 1e-14);
        assert_eq!(shares, chi_square(&[30, 70], &[50.0, 50.0]).expect("two cells"));
    }

    #[test]
    fn one_cell_tells_nothing() {
        assert_eq!(chi_square(&[3, 4], &[3.0, 4.0]), None);
        assert_eq!(chi_square(&[], &[]), None);
        assert_eq!(chi_square(&[0, 0], &[10.0, 10.0]), None);
        assert_eq!(chi_square(&[9, 9], &[0.0, 0.0]), None);
    }

    #[test]
    fn distances_of_few_draws_are_exact() {
        // Fractions, by adding up how many draws fall between all i/n ± d (the state is their number so far).
        for (draws, distance, right) in [
            (1, 0.75, 0.5),
            (2, 0.5, 0.5),
            (3, 0.4, 223.0 / 375.0),
            (5, 0.3, 0.664),
            (10, 0.274, 0.371_520_384_543_495_73),
            (10, 0.1, 0.999_637_12),
            (10, 0.08, 0.999_997_805_803_405_4),
            (10, 0.45, 0.022_891_810_311_718_75),
            (20, 0.25, 0.137_625_698_367_176_25),
            (20, 0.44, 4.822_624_063_601_826_6e-4),
            (20, 0.5, 3.787_595_240_539_032e-5),
        ] {
            close(kolmogorov_smirnov_p(distance, draws), right, 1e-11);
        }
    }

    #[test]
    fn the_published_value_of_marsaglia_tsang_and_wang_is_met() {
        // P(D_10 < 0.274) of their paper.
        close(1.0 - kolmogorov_smirnov_p(0.274, 10), 0.628_479_615_456_504_3, 1e-12);
    }

    #[test]
    fn ways_to_the_distance_law_meet() {
        for draws in [100u64, 400, 1_000] {
            let at_joint = (ONE_SIDED / draws as f64).sqrt();
            // What twice one side counts double is e^−6nd² of it.
            close(1.0 - marsaglia(at_joint, draws), 2.0 * smirnov_p(at_joint, draws), 1e-8);
        }
        for scaled in [0.3, 0.45, 0.56, 0.7, 0.9, 1.2, 1.6, 1.99] {
            let draws = MATRIX_UP_TO;
            let exact = marsaglia(scaled / (draws as f64).sqrt(), draws);
            let gap = (pelz_good(scaled, draws as f64) - exact).abs();
            assert!(gap < 7e-8, "{scaled}: {gap:e}");
        }
        // A sum and an integral over the same terms, one draw apart: e^(−2d²) between them, to 1/n of itself.
        for distance in [0.016, 0.02, 0.1] {
            let [sum, integral] = [SUMMED_UP_TO, SUMMED_UP_TO + 1].map(|n| smirnov_p(distance, n));
            let cubic = distance.powi(4) * 4.0 / 9.0;
            close(integral / sum, (-2.0 * distance * distance - cubic).exp(), 2e-5);
        }
    }

    #[test]
    fn large_samples_tend_to_kolmogorovs_limit() {
        // 2 Σ (−1)^(k−1) e^(−2k²x²) with 30 digits; n draws shift x by 1/6√n, hence p by 2x/3√n, 6e-8 at most.
        for (scaled, limit) in [
            (0.5, 0.963_945_243_664_875_1),
            (1.0, 0.269_999_671_677_354_5),
            (1.5, 0.022_217_962_616_525_13),
            (3.0, 3.045_995_948_942_526e-8),
        ] {
            let draws = 1u64 << 50;
            close(kolmogorov_smirnov_p(scaled / (draws as f64).sqrt(), draws), limit, 1e-7);
        }
    }

    #[test]
    fn distances_have_ends() {
        assert_eq!((kolmogorov_smirnov_p(0.05, 10), kolmogorov_smirnov_p(0.0, 1)), (1.0, 1.0));
        assert_eq!((kolmogorov_smirnov_p(1.0, 10), kolmogorov_smirnov_p(-1.0, 10)), (0.0, 1.0));
        // All below the law's last tenth: 2 (1 − d)^n.
        close(kolmogorov_smirnov_p(0.95, 10), 2.0 * 0.05f64.powi(10), 1e-12);
        assert!(kolmogorov_smirnov_p(0.5, 1_000_000) == 0.0);
    }

    #[test]
    fn p_values_are_doubled_and_joined_to_1_at_most() {
        assert_eq!((two_sided(0.01, 0.995), two_sided(0.6, 0.6)), (0.02, 1.0));
        assert_eq!((combined(&[0.5, 0.01, 0.2]), combined(&[0.9, 0.5]), combined(&[])), (0.03, 1.0, 1.0));
    }
}
