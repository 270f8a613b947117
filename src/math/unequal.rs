//! Ids that are not equally likely: modulo bias, popular values, bits that overlap.
//!
//! Two draws agree with chance Σp², so that pairs clash as in a space of N_eff = 1/Σp², 2 to the Rényi entropy of order 2 (A. Rényi,
//! *On Measures of Entropy and Information*, 1961). The expected number of colliding pairs n(n − 1)/2N_eff is exact; the
//! birthday probability with N_eff is an approximation that is good while no value alone is likely to come
//! twice (n · max p ≪ 1) and misleads otherwise: 10 draws from 1000 values by Zipf's law clash with 0.647, the birthday with N_eff = 34.08 says
//! 0.761. [`clash`] is exact.

use super::logspace::{Chance, Wide};

/// N_eff = (Σw)²/Σw² of weights that need not add up to 1; at most a relative error of 2^-52 times their number, in practice its root.
///
/// None where no weight is positive.
///
/// # Panics
/// Where a weight is negative or not finite.
pub fn effective_size(weights: &[f64]) -> Option<f64> {
    let largest = largest(weights)?;
    // Scaled to at most 1, so that no square overflows.
    let (sum, squares) = weights.iter().map(|w| w / largest).fold((0.0, 0.0), |(s, q), w| (s + w, q + w * w));
    Some(sum * sum / squares)
}

/// P(some value comes twice) among `draws` from values of unequal probability, 1 − n! e_n(p) with the elementary
/// symmetric polynomial e_n: exact, by adding one value after the other.
///
/// Both P(none) and P(some) are sums of positive terms here, so each keeps a relative error of about 2^-52 (n + values).
/// Takes draws × values steps. Certain where there are fewer values than draws.
///
/// # Panics
/// Where a weight is negative or not finite, or none is positive.
pub fn clash(weights: &[f64], draws: usize) -> Chance {
    let largest = largest(weights).expect("some value is possible");
    let scaled: Vec<f64> = weights.iter().map(|w| w / largest).filter(|w| *w > 0.0).collect();
    if draws > scaled.len() {
        return Chance::Certain;
    }
    if draws < 2 {
        return Chance::NEVER;
    }
    let sum: f64 = scaled.iter().sum();
    let shares: Vec<f64> = scaled.iter().map(|w| w / sum).collect();
    let some = some_twice(&shares, draws);
    if some < 0.5 { Chance::from_probability(some) } else { Chance::Open(none_twice(&shares, draws)) }
}

/// P(some value comes twice), for small ones. With the values so far of total probability c, f\[j\] is the weight of j draws among
/// them that clash; a value p adds j p f\[j − 1\] by coming once and Σ_{k ≥ 2} C(j, k) p^k c^(j − k) by coming more often.
fn some_twice(shares: &[f64], draws: usize) -> f64 {
    let mut clashing = vec![0.0; draws + 1];
    let mut total: f64 = 0.0;
    for p in shares {
        // Upwards the sum over k obeys s[j + 1] = (c + p) s[j] + j p² c^(j − 1).
        let (mut before, mut often, mut power) = (0.0, 0.0, 1.0);
        for (j, slot) in clashing.iter_mut().enumerate().skip(1) {
            let count = j as f64;
            let old = *slot;
            *slot = old + count * p * before + often;
            before = old;
            often = (total + p) * often + count * p * p * power;
            power *= total;
        }
        total += p;
    }
    clashing[draws].min(1.0)
}

/// −ln P(no value comes twice), of n! e_n: a value p adds j p g\[j − 1\] to the weight g\[j\] of j distinct draws.
fn none_twice(shares: &[f64], draws: usize) -> Wide {
    let mut distinct = vec![Wide::ZERO; draws + 1];
    distinct[0] = Wide::ONE;
    for p in shares {
        for j in (1..=draws).rev() {
            let once = distinct[j - 1].times(Wide::new(j as f64 * p));
            distinct[j] = distinct[j].plus(once);
        }
    }
    Wide::new((-distinct[draws].ln()).max(0.0))
}

/// The largest weight, where one is positive.
fn largest(weights: &[f64]) -> Option<f64> {
    assert!(
        weights.iter().all(|w| w.is_finite() && *w >= 0.0),
        "a weight that is no finite number from 0 on"
    );
    weights.iter().copied().reduce(f64::max).filter(|largest| *largest > 0.0)
}

/// Weights 1/k^s of Zipf's law for values 1 … N.
pub fn zipf(values: u32, exponent: f64) -> Vec<f64> {
    (1..=values).map(|rank| f64::from(rank).powf(-exponent)).collect()
}

/// A symbol taken as `draw mod alphabet` of a uniform draw from `source` values: the first source mod alphabet symbols are likelier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modulo {
    source: u64,
    alphabet: u64,
}

impl Modulo {
    /// An alphabet of at least 1 and at most `source` symbols.
    ///
    /// # Panics
    /// Outside that range.
    pub fn new(source: u64, alphabet: u64) -> Modulo {
        assert!((1..=source).contains(&alphabet), "{alphabet} symbols from {source} values");
        Modulo { source, alphabet }
    }

    /// A byte modulo an alphabet of 1 to 256 symbols.
    ///
    /// # Panics
    /// Outside that range.
    pub fn of_byte(alphabet: u64) -> Modulo {
        Modulo::new(256, alphabet)
    }

    /// 1/Σp² of one symbol: A/(1 + b) with the bias b = ρ(A − ρ)/S² and ρ = S mod A. Relative error 2^-51.
    pub fn effective_alphabet(self) -> f64 {
        self.alphabet as f64 / (1.0 + self.bias())
    }

    /// Rényi-2 bits of a string of `length` symbols.
    pub fn bits(self, length: u64) -> f64 {
        length as f64 * self.effective_alphabet().log2()
    }

    /// What the bias takes from `length` · log2(alphabet): length · log2(1 + b).
    pub fn bits_lost(self, length: u64) -> f64 {
        length as f64 * self.bias().ln_1p() * std::f64::consts::LOG2_E
    }

    /// A Σp² − 1. With q = ⌊S/A⌋: (ρ(q + 1)² + (A − ρ)q²) A/S² − 1 = ρ(A − ρ)/S².
    fn bias(self) -> f64 {
        let rest = self.source % self.alphabet;
        let source = self.source as f64;
        (rest as f64 / source) * ((self.alphabet - rest) as f64 / source)
    }
}

/// A field of random bits that an implementation shifts to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shifted {
    /// Its width, at least 1.
    pub bits: u32,
    /// Place of its lowest bit.
    pub shift: u32,
}

/// Rényi-2 bits of random fields joined by OR. Where fields overlap, a bit is the OR of m random ones: set with chance
/// 1 − 2^−m, and bits of the result depend on different random bits, so that their −log2((1 − 2^−m)² + 4^−m) add up. Exact.
pub fn or_bits(fields: &[Shifted]) -> f64 {
    let end = fields.iter().map(|field| field.shift + field.bits).max().unwrap_or(0);
    (0..end)
        .map(|place| {
            fields.iter().filter(|field| (field.shift..field.shift + field.bits).contains(&place)).count()
        })
        .filter(|sources| *sources > 0)
        .map(|sources| {
            let clear = (-(sources as f64)).exp2();
            -((1.0 - clear).powi(2) + clear * clear).log2()
        })
        .sum()
}
