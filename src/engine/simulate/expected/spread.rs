//! Things that are thrown on cells, each of which stays without a clash with a chance that depends on how many fell on it.
//!
//! n things on T cells, f(k) for k of them: P(none) = n!/T^n [z^n] A(z)^T with A(z) = Σ f(k) z^k/k!. Up to 192 things the
//! coefficient is taken by multiplying out, exactly; beyond at its saddle point, n/T = z A'(z)/A(z), beside that of f = 1,
//! which is known: relative error of t = −ln P below 0.01/n by the birthday, where f is one itself. Both have an absolute
//! error of rounding, so that a t below 1e-4 is the sum of the chances of all cells, relative error 2t/n.
//!
//! Source: Flajolet and Sedgewick, "Analytic Combinatorics" (2009), II.3 for the form and VIII.8 for the saddle point.

use super::runs::binomial;

/// Up to so many things the coefficient is taken exactly.
const MULTIPLIED: u64 = 192;
/// Up to this t it is the sum over all cells.
const RARE: f64 = 1e-4;

/// −ln P(none) for things on cells; `of` is −ln f, must not fall, and may be infinite.
pub(super) fn hazard(things: u64, cells: u64, of: impl Fn(u64) -> f64) -> f64 {
    let mean = things as f64 / cells as f64;
    let most = ((mean + 12.0 * mean.sqrt() + 40.0) as u64).min(things);
    let rare = binomial(things, 1.0 / cells as f64).into_iter();
    let rare = cells as f64 * rare.map(|(k, weight)| weight * -(-of(k)).exp_m1()).sum::<f64>();
    if cells > 1 && rare < RARE {
        return rare;
    }
    let law = Law { of: (0..=most).map(&of).collect() };
    match (cells, things) {
        (1, _) => of(things),
        (_, 0..=MULTIPLIED) => law.multiplied(things, cells),
        _ => law.at_saddle(things, cells),
    }
}

/// Relative error of [`hazard`] for so many things.
pub(super) fn error(things: u64) -> f64 {
    // Rounding of lnΓ beside 1e-4 is below 1e-7; where t is rare, 2t/n is below 1e-4 for two things and falls.
    let rounding = 1e-7 + 2.0 * RARE / things.max(2) as f64;
    if things <= MULTIPLIED { rounding } else { rounding + 0.01 / things as f64 }
}

/// −ln f of 0, 1, 2 … things.
struct Law {
    of: Vec<f64>,
}

impl Law {
    /// ln of f(k) z^k/k!.
    fn log(&self, k: usize, log_z: f64) -> f64 {
        k as f64 * log_z - libm::lgamma(k as f64 + 1.0) - self.of[k]
    }

    /// ln A(z), and mean and variance of the law of its terms.
    fn sums(&self, log_z: f64) -> (f64, f64, f64) {
        let logs: Vec<f64> = (0..self.of.len()).map(|k| self.log(k, log_z)).collect();
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = || logs.iter().map(|log| (log - top).exp());
        let sum: f64 = weights().sum();
        let mean = (0u32..).zip(weights()).map(|(k, weight)| f64::from(k) * weight).sum::<f64>() / sum;
        let of_squares = |(k, weight): (u32, f64)| (f64::from(k) - mean).powi(2) * weight;
        let variance = (0u32..).zip(weights()).map(of_squares).sum::<f64>() / sum;
        (top + sum.ln(), mean, variance)
    }

    fn at_saddle(&self, things: u64, cells: u64) -> f64 {
        let (n, t) = (things as f64, cells as f64);
        let mean = n / t;
        // Clashes thin out crowded cells, so that z lies above the mean.
        let (mut low, mut high) = (mean.ln() - 1.0, mean.ln() + 1.0);
        while self.sums(high).1 < mean {
            high += high - low;
            if high - mean.ln() > 700.0 {
                return f64::INFINITY;
            }
        }
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            let side = if self.sums(middle).1 < mean { &mut low } else { &mut high };
            *side = middle;
        }
        let (log, _, variance) = self.sums(low);
        // Without clashes A = e^z: T z − n ln z at z = n/T, of variance n/T.
        let none = t * (log - mean) - n * (low - mean.ln()) - 0.5 * (variance / mean).ln();
        (-none).max(0.0)
    }

    fn multiplied(&self, things: u64, cells: u64) -> f64 {
        let most = things as usize;
        let mean = things as f64 / cells as f64;
        let log_mean = mean.ln();
        let once: Vec<f64> = (0..=most)
            .map(|k| if k < self.of.len() { (self.log(k, log_mean) - mean).exp() } else { 0.0 })
            .collect();
        let (mut power, mut all, mut left) = (once, vec![1.0], cells);
        while left > 0 {
            if left & 1 == 1 {
                all = product(&all, &power, most);
            }
            left >>= 1;
            if left > 0 {
                power = product(&power, &power, most);
            }
        }
        let n = things as f64;
        // All things are a Poisson number of mean n.
        let of_so_many = n * n.ln() - n - libm::lgamma(n + 1.0);
        let none = all.get(most).copied().unwrap_or(0.0).ln() - of_so_many;
        (-none).max(0.0)
    }
}

/// Weights of sums, up to `most`.
fn product(a: &[f64], b: &[f64], most: usize) -> Vec<f64> {
    let mut sums = vec![0.0; (a.len() + b.len() - 1).min(most + 1)];
    for (i, x) in a.iter().enumerate() {
        for (sum, y) in sums.iter_mut().skip(i).zip(b) {
            *sum += x * y;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::birthday;

    /// A birthday in each cell is a birthday over all.
    fn off(things: u64, cells: u64, values: f64) -> f64 {
        let got = hazard(things, cells, |k| birthday::hazard(k as f64, values));
        got / birthday::hazard(things as f64, values * cells as f64) - 1.0
    }

    #[test]
    fn a_birthday_in_each_cell_is_one_over_all() {
        for (things, cells, values) in
            [(2, 7, 3.0), (9, 3, 40.0), (60, 10, 256.0), (192, 1_000, 5.0), (100, 2, 1e6)]
        {
            let off = off(things, cells, values);
            assert!(off.abs() < 1e-7, "{things} {cells} {values}: {off:e}");
        }
        for (things, cells, values) in [
            (193, 10, 256.0),
            (1_000, 10, 1e5),
            (400, 10_000, 1.0),
            (5_000, 100, 100.0),
            (100_000, 1_000, 65_536.0),
        ] {
            let off = off(things, cells, values);
            assert!(off.abs() < 0.01 / things as f64, "{things} {cells} {values}: {off:e}");
        }
    }

    #[test]
    fn what_hardly_happens_keeps_its_digits() {
        for (things, cells, values) in
            [(5, 1_000, 1e20), (1_000, 1_000, 1e15), (4, 1 << 47, 1.0), (100_000, 1_000, 1e18)]
        {
            let off = off(things, cells, values);
            assert!(off.abs() < 1e-6, "{things} {cells} {values}: {off:e}");
        }
    }

    #[test]
    fn cells_that_cannot_hold_all_clash_for_sure() {
        for (things, cells) in [(11, 5), (2_100, 1_000), (3, 1)] {
            assert_eq!(hazard(things, cells, |k| birthday::hazard(k as f64, 2.0)), f64::INFINITY);
        }
        assert_eq!(hazard(0, 5, |_| 0.0), 0.0);
        assert_eq!(hazard(1, 5, |_| 0.0), 0.0);
    }
}
