//! Ids that are not equally likely: modulo bias, popular values, bits that overlap.
//!
//! Two draws agree with chance Σp², so that pairs clash as in a space of N_eff = 1/Σp², 2 to the Rényi
//! entropy of order 2 (A. Rényi, *On Measures of Entropy and Information*, 1961). The expected number of
//! colliding pairs n(n − 1)/2N_eff is exact; the birthday probability with N_eff is an approximation that is
//! good while no value alone is likely to come twice (n · max p ≪ 1) and misleads otherwise: 10 draws from
//! 1000 values by Zipf's law clash with 0.647, the birthday with N_eff = 34.08 says 0.769. [`clash`] is
//! exact.

use super::logspace::{Chance, Wide};

/// N_eff = (Σw)²/Σw² of weights that need not add up to 1; at most a relative error of 2^-52 times their
/// number, in practice its root.
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

/// P(some value comes twice) among `draws` from values of unequal probability, 1 − n! e_n(p) with the
/// elementary symmetric polynomial e_n: exact, by adding one value after the other.
///
/// Both P(none) and P(some) are sums of positive terms here, so each keeps a relative error of about 2^-52
/// times draws and values together. Takes draws × values steps. Certain where there are fewer values than
/// draws; a weight below 1e-307 of the largest counts as none.
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

/// P(some value comes twice), for small ones. With the values so far of total probability c, f\[j\] is the
/// weight of j draws among them that clash; a value p adds j p f\[j − 1\] by coming once and Σ_{k ≥ 2} C(j,
/// k) p^k c^(j − k) by coming more often.
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

/// −ln P(no value comes twice), of n! e_n: a value p adds j p g\[j − 1\] to the weight g\[j\] of j distinct
/// draws.
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

/// A symbol taken as `draw mod alphabet` of a uniform draw from `source` values: the first source mod
/// alphabet symbols are likelier.
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

/// Rényi-2 bits of random fields joined by OR. Where fields overlap, a bit is the OR of m random ones: set
/// with chance 1 − 2^−m, and bits of the result depend on different random bits, so that their −log2((1 −
/// 2^−m)² + 4^−m) add up. Exact.
///
/// # Panics
/// Where a field ends beyond bit 4096.
pub fn or_bits(fields: &[Shifted]) -> f64 {
    let end = fields.iter().map(|field| field.shift.saturating_add(field.bits)).max().unwrap_or(0);
    assert!(end <= 4_096, "a field that ends at bit {end}");
    (0..end)
        .map(|place| {
            fields.iter().filter(|field| (field.shift..field.shift + field.bits).contains(&place)).count()
        })
        .filter(|sources| *sources > 0)
        .map(|sources| {
            let clear = (-(sources as f64)).exp2();
            -((1.0 - clear).powi(2) + clear * clear).log2()
        })
        // An empty sum is −0.
        .sum::<f64>()
        + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, right: f64) {
        assert!((got / right - 1.0).abs() < 1e-12, "got {got:e}, right {right:e}");
    }

    /// Σp² by counting every draw.
    fn counted_bits(outcomes: impl Iterator<Item = usize>, size: usize) -> f64 {
        let mut counts = vec![0u64; size];
        let total = outcomes.map(|outcome| counts[outcome] += 1).count() as f64;
        -counts.iter().map(|count| (*count as f64 / total).powi(2)).sum::<f64>().log2()
    }

    #[test]
    fn the_closed_form_of_a_modulo_is_what_counting_gives() {
        for alphabet in [1, 2, 10, 36, 58, 62, 64, 85, 129, 255, 256] {
            let counted = counted_bits((0..256).map(|byte| byte % alphabet as usize), alphabet as usize);
            assert!((Modulo::of_byte(alphabet).bits(1) - counted).abs() < 1e-13, "{alphabet}");
        }
        assert_eq!(Modulo::of_byte(64).bits_lost(21), 0.0);
        // A bias below the last digit of the alphabet is kept all the same.
        close(Modulo::new(u64::MAX, 10).bits_lost(1), 25.0 / 2f64.powi(128) * std::f64::consts::LOG2_E);
    }

    #[test]
    fn overlapping_shifts_lose_what_counting_finds() {
        // The two fields of a v7 sequence that share a bit: r6 << 7 | r7, and 16 bits below that share none.
        let counted = counted_bits((0..1usize << 16).map(|r| (r >> 8) << 7 | (r & 255)), 1 << 15);
        let shared = [Shifted { bits: 8, shift: 7 }, Shifted { bits: 8, shift: 0 }];
        assert!((or_bits(&shared) - counted).abs() < 1e-13);
        let whole = [(8, 23), (8, 16), (8, 8), (8, 0)].map(|(bits, shift)| Shifted { bits, shift });
        close(or_bits(&whole), 30.678_071_905_112_6);
        // Three fields on one place.
        let counted = counted_bits((0..1usize << 6).map(|r| (r >> 4) | (r >> 2 & 3) | (r & 3)), 4);
        assert!((or_bits(&[Shifted { bits: 2, shift: 0 }; 3]) - counted).abs() < 1e-13);
        assert!(or_bits(&[]) == 0.0 && or_bits(&[]).is_sign_positive());
    }

    #[test]
    fn equal_weights_are_the_birthday() {
        let days = vec![1.0; 365];
        close(effective_size(&days).expect("positive"), 365.0);
        close(clash(&days, 23).as_f64(), 0.507_297_234_323_985);
        assert_eq!(
            (clash(&days, 0), clash(&days, 1), clash(&days, 366)),
            (Chance::NEVER, Chance::NEVER, Chance::Certain)
        );
        // 365!/365^365: far below every double beside 1, kept in the other tail.
        assert!(
            (clash(&days, 365).log10_none().expect("open") / -156.837_150_374_313_13 - 1.0).abs() < 1e-12
        );
    }

    #[test]
    fn the_birthday_with_effective_size_misleads_on_popular_values() {
        let values = zipf(1_000, 1.0);
        let size = effective_size(&values).expect("positive");
        close(size, 34.084_248_327_021_2);
        close(clash(&values, 10).as_f64(), 0.647_130_224_063_839);
        let birthday = 1.0 - (0..10).map(|i| 1.0 - f64::from(i) / size).product::<f64>();
        assert!((birthday - 0.7686).abs() < 1e-4, "{birthday}");
    }

    #[test]
    fn two_draws_agree_with_one_over_the_effective_size() {
        for weights in [vec![1.0, 1e-200], vec![1e300, 3e300, 2e300], zipf(50, 0.3), vec![1e-300; 7]] {
            close(clash(&weights, 2).as_f64(), 1.0 / effective_size(&weights).expect("positive"));
        }
        assert_eq!((effective_size(&[]), effective_size(&[0.0])), (None, None));
        assert_eq!(clash(&[1.0, 0.0], 2), Chance::Certain);
    }

    #[test]
    fn rare_clashes_keep_their_digits() {
        // 1e6 values, 3 draws: 3/N − 2/N² by inclusion and exclusion.
        close(clash(&vec![1.0; 1_000_000], 3).as_f64(), 3e-6 - 2e-12);
    }
}
