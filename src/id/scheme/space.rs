//! How many values an id is drawn from.

use crate::math::logspace::Wide;
use num_bigint::BigUint;
use serde::Serialize;

/// How many values an id is drawn from where it can clash at all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// times × base^exponent, exact: 26·36^23.
    Power {
        /// What stands in front.
        times: u32,
        /// The number raised.
        base: u32,
        /// The power.
        exponent: u32,
    },
    /// Effective bits (Rényi-2: −log2 Σp²), where values are not equally likely: 72.678.
    Bits(f64),
}

impl Space {
    /// One value: whoever is here at all clashes.
    pub const ONE: Space = Space::of_bits(0);

    /// 2^bits.
    pub const fn of_bits(bits: u32) -> Space {
        Space::Power { times: 1, base: 2, exponent: bits }
    }

    /// alphabet^length.
    pub const fn of_text(alphabet: u32, length: u32) -> Space {
        Space::Power { times: 1, base: alphabet, exponent: length }
    }

    /// What is left of it when so many random bits are cut off; none where it has fewer, or is no whole
    /// number of bits but a power of something else.
    pub fn without_bits(self, lost: u32) -> Option<Space> {
        match self {
            space if lost == 0 => Some(space),
            Space::Power { times: 1, base: 2, exponent } => exponent.checked_sub(lost).map(Space::of_bits),
            Space::Power { .. } => None,
            Space::Bits(bits) => Some(bits - f64::from(lost)).filter(|left| *left >= 0.0).map(Space::Bits),
        }
    }

    /// Its binary logarithm: whole for powers of two, otherwise with a relative error of 2^-52.
    pub fn bits(self) -> f64 {
        match self {
            Space::Power { times, base, exponent } => {
                f64::from(times).log2() + f64::from(exponent) * f64::from(base).log2()
            }
            Space::Bits(bits) => bits,
        }
    }

    /// The whole number; none where values are not equally likely.
    pub fn exact(self) -> Option<BigUint> {
        match self {
            Space::Power { times, base, exponent } => Some(BigUint::from(base).pow(exponent) * times),
            Space::Bits(_) => None,
        }
    }

    /// The number, effective where values are not equally likely; relative error 2^-53 where it is whole,
    /// about bits × 2^-53 where not.
    pub fn wide(self) -> Wide {
        match self.exact() {
            Some(whole) => Wide::whole(&whole),
            None => Wide::exp2(self.bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_whole_numbers() {
        let cuid = Space::Power { times: 26, base: 36, exponent: 23 };
        assert_eq!(cuid.exact(), Some(BigUint::from(36u32).pow(23) * 26u32));
        assert!((cuid.bits() - 123.608_714_751_314).abs() < 1e-12);
        assert_eq!(Space::of_bits(122).bits(), 122.0);
        assert_eq!(Space::ONE.exact(), Some(BigUint::from(1u32)));
    }

    #[test]
    fn an_effective_space_has_no_whole_number() {
        let space = Space::Bits(72.5);
        assert_eq!((space.exact(), space.bits()), (None, 72.5));
        assert!((space.wide().log2() - 72.5).abs() < 1e-13);
    }
}
