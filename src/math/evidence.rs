//! The way back: what repeats seen among ids say about their effective bits.
//!
//! Of M comparable pairs each clashes with chance 2^−b, and while that is small the repeats follow Poisson's
//! law of mean M/2^b. So k repeats estimate b = log2(M/k), and the exact interval for a Poisson mean turns
//! into one for b. None seen bounds b from below and says nothing from above: a lower bound, never
//! "infinite". Relative errors below 1e-12 where the law holds; pairs that share an id are not independent,
//! which matters once single values come three times.

use super::logspace::Wide;
use super::poisson;

/// Effective bits that explain the repeats seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectiveBits {
    /// log2(M/k); none where no repeat was seen.
    pub bits: Option<f64>,
    /// Lower end, log2(M/λ_hi); one-sided where none was seen, log2(M/−ln(1 − confidence)).
    pub low: f64,
    /// Upper end, log2(M/λ_lo); none where no repeat was seen.
    pub high: Option<f64>,
}

/// Effective bits from `seen` repeats among `pairs` comparable pairs, with Garwood's interval.
///
/// Negative where more was seen than there are pairs, or (the lower end) than can be told: no bits at all.
///
/// # Panics
/// Where there are no pairs, or the confidence lies outside 0 … 1, ends excluded.
pub fn effective_bits(pairs: Wide, seen: u64, confidence: f64) -> EffectiveBits {
    assert!(!pairs.is_zero(), "no pairs that could agree");
    let bits = |repeats: f64| pairs.over(Wide::new(repeats)).log2();
    if seen == 0 {
        return EffectiveBits { bits: None, low: bits(poisson::mean_upper_limit(0, confidence)), high: None };
    }
    let (low, high) = poisson::mean_interval(seen, confidence);
    EffectiveBits { bits: Some(bits(seen as f64)), low: bits(high), high: Some(bits(low)) }
}

/// P(as many repeats or more) where `expected` are: small says that the ids clash more than they should.
///
/// # Panics
/// Where the expectation is negative or not finite.
pub fn p_value_or_more(seen: u64, expected: f64) -> f64 {
    poisson::at_least(expected, seen)
}

/// P(as many repeats or fewer) where `expected` are: small says that the ids clash less than chance would
/// have it.
///
/// # Panics
/// Where the expectation is negative or not finite.
pub fn p_value_or_fewer(seen: u64, expected: f64) -> f64 {
    poisson::at_most(expected, seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_repeats_are_no_chance_and_tell_the_bits() {
        let pairs = Wide::new(4.995e10);
        let found = effective_bits(pairs, 7, 0.95);
        assert!((found.bits.expect("some seen") - 32.732_410_704_833_7).abs() < 1e-12);
        assert!((found.low - 31.69).abs() < 5e-3, "{}", found.low);
        assert!((found.high.expect("some seen") - 34.046_957_179_325_2).abs() < 1e-12);
        assert!(p_value_or_more(7, 2.646_977_960_169_69e-12) < 1e-80);
        assert!(p_value_or_fewer(7, 2.6e-12) == 1.0);
    }

    #[test]
    fn none_seen_is_a_lower_bound_and_nothing_else() {
        let found = effective_bits(Wide::new(1e9 * (1e9 - 1.0) / 2.0), 0, 0.95);
        assert!((found.low - 57.211_797_009_593_9).abs() < 1e-12);
        assert_eq!((found.bits, found.high), (None, None));
    }

    #[test]
    fn intervals_hold_the_estimate_and_shrink_with_more_seen() {
        let width = |seen| {
            let found = effective_bits(Wide::exp2(300.0), seen, 0.95);
            let (low, bits, high) = (found.low, found.bits.expect("seen"), found.high.expect("seen"));
            assert!(low < bits && bits < high);
            high - low
        };
        assert!(width(1) > width(10) && width(10) > width(1_000_000));
    }

    #[test]
    fn more_repeats_than_pairs_are_no_bits() {
        assert!(effective_bits(Wide::ONE, 4, 0.95).bits.expect("seen") < 0.0);
        assert!(effective_bits(Wide::new(1e-300), 0, 0.95).low < 0.0);
    }
}
