//! Memory of a filter that answers "seen before?" without keeping the keys.
//!
//! In front of a store it spares look-ups of new keys. In place of one, a false positive is a payment
//! that is taken for a retry and wrongly refused: at a rate r and a probability p, 86,400·r·p a day.
//!
//! Bloom filter: −log₂ p / ln 2 bits a key. Binary fuse filter of b bits: p = 2^−b, and an array of b-bit
//! slots of segments whose number and length follow from the number of keys, 1.125 slots a key for many.
//!
//! Source: B. Bloom, CACM 13 (1970); T. M. Graf and D. Lemire, "Binary Fuse Filters", ACM JEA 27 (2022),
//! three-wise, with the sizes of the authors' implementation.

use super::page::Memo;
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge};
use crate::error::{Error, Result};

/// Payments wrongly refused in a day where the filter alone decides.
pub fn refused_per_day(rate_per_s: f64, false_positive: f64) -> f64 {
    rate_per_s * 86_400.0 * false_positive
}

/// A Bloom filter with the best number of probes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bloom {
    /// Probability that a new key is taken for a known one.
    pub false_positive: f64,
}

/// One new key in a million.
pub const BLOOM: Bloom = Bloom { false_positive: 1e-6 };

/// A three-wise binary fuse filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinaryFuse {
    /// Bits of a slot, 1 to 32.
    pub bits: u32,
}

/// One new key in 65,536.
pub const BINARY_FUSE: BinaryFuse = BinaryFuse { bits: 16 };

impl Bloom {
    /// Bits per key.
    pub fn bits_per_key(&self) -> f64 {
        -self.false_positive.log2() / std::f64::consts::LN_2
    }
}

impl BinaryFuse {
    /// Probability that a new key is taken for a known one.
    pub fn false_positive(&self) -> f64 {
        (-f64::from(self.bits)).exp2()
    }

    /// Bits per key in a filter of so many keys.
    pub fn bits_per_key(&self, keys: f64) -> f64 {
        f64::from(self.bits) * slots(keys) / keys
    }
}

/// Slots of a three-wise filter: segments of 2^⌊log₃.₃₃ n + 2.25⌋ slots, at most 2¹⁸, as many as hold
/// max(1.125, 0.875 + 0.25·ln 10⁶ / ln n) slots a key, and at least three.
fn slots(keys: f64) -> f64 {
    let segment = (keys.ln() / 3.33_f64.ln() + 2.25).floor().clamp(2.0, 18.0).exp2();
    // A filter of one key or none is three segments whatever the factor.
    let factor = if keys > 1.0 { (0.875 + 0.25 * 1e6_f64.ln() / keys.ln()).max(1.125) } else { 0.0 };
    ((keys * factor).round() / segment).ceil().max(3.0) * segment
}

impl Model for Bloom {
    fn name(&self) -> &'static str {
        "bloom"
    }

    fn title(&self) -> &'static str {
        "Bloom filter"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("fastbloom")
    }

    fn footprint(&self, _load: &Load, _pages: &Memo) -> Result<Footprint> {
        let p = self.false_positive;
        if !(1e-30..=0.5).contains(&p) {
            let came = format!("{p:e}");
            return Err(Error::value(
                "the false-positive rate of a Bloom filter",
                &came,
                "from 1e-30 to 0.5",
                "1e-6",
            ));
        }
        let bytes = self.bits_per_key() / 8.0;
        let purge = Purge {
            strategy: "rotation",
            bytes_per_live_key: 2.0 * bytes,
            log_bytes_per_key: 0.0,
            pages_dirtied_per_key: 0.0,
            how: "a key cannot be taken out: two filters, each filled for one retention and asked for another",
        };
        Ok(footprint(bytes, p, "−log₂ p / ln 2 bits a key", purge))
    }
}

impl Model for BinaryFuse {
    fn name(&self) -> &'static str {
        "binary-fuse"
    }

    fn title(&self) -> &'static str {
        "Binary fuse filter"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("binary fuse")
    }

    fn footprint(&self, load: &Load, _pages: &Memo) -> Result<Footprint> {
        if !(1..=32).contains(&self.bits) {
            let came = self.bits.to_string();
            return Err(Error::value("the bits of a binary fuse filter", &came, "from 1 to 32", "16"));
        }
        let bytes = self.bits_per_key(load.live_keys) / 8.0;
        let purge = Purge {
            strategy: "rebuild",
            bytes_per_live_key: 2.0 * bytes,
            log_bytes_per_key: 0.0,
            pages_dirtied_per_key: 0.0,
            how: "built once from all keys of a window and never changed: the next one is built beside it, from \
                  keys kept elsewhere",
        };
        Ok(footprint(bytes, self.false_positive(), "slots of b bits, 1.125 a key for many keys", purge))
    }
}

fn footprint(bytes: f64, false_positive: f64, why: &'static str, purge: Purge) -> Footprint {
    Footprint {
        parts: vec![Part { name: "filter", place: Place::Other, bytes, why }],
        leaf_fill: None,
        log_parts: Vec::new(),
        completion_log_bytes: None,
        pages_dirtied_per_insert: None,
        background_bytes_per_insert: 0.0,
        purges: vec![purge],
        spread: None,
        billing: Billing::Memory,
        false_positive_rate: Some(false_positive),
        notes: vec![
            "The filter alone, beside the store that it stands in front of: it keeps neither keys nor answers.",
            "Where it decides alone, each false positive is a payment taken for a retry and refused.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_of_few_keys_is_three_segments() {
        for keys in [1.0, 2.0, 3.0] {
            assert_eq!(slots(keys) % 3.0, 0.0, "{keys}");
        }
        assert_eq!(slots(1.0), 12.0);
    }

    #[test]
    fn many_keys_take_an_eighth_more_slots_than_keys() {
        for keys in [1e9, 1.2e11, 1e38] {
            assert!((slots(keys) / keys - 1.125).abs() < 1e-3, "{keys}");
        }
    }

    #[test]
    fn a_million_payments_a_day_are_refused_once_at_one_in_a_million() {
        assert!((refused_per_day(1e6 / 86_400.0, 1e-6) - 1.0).abs() < 1e-12);
        assert!((refused_per_day(200_000.0, 1e-6) - 17_280.0).abs() < 1e-6);
    }
}
