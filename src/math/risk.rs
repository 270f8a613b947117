//! A risk one is ready to take: an exact fraction strictly between 0 and 1.

use super::logspace::{Chance, Wide};
use num_bigint::BigUint;

/// A probability strictly between 0 and 1, exact and in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Risk {
    numerator: BigUint,
    denominator: BigUint,
}

impl Risk {
    /// The fraction; none unless it lies strictly between 0 and 1.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Option<Risk> {
        if numerator == BigUint::ZERO || numerator >= denominator {
            return None;
        }
        let divisor = gcd(numerator.clone(), denominator.clone());
        Some(Risk { numerator: numerator / &divisor, denominator: denominator / divisor })
    }

    /// Above the line.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// Below the line.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// As −ln(1 − risk), relative error 2^-51, for risks next to 0 and next to 1 alike.
    pub fn as_chance(&self) -> Chance {
        let kept = Wide::whole(&(&self.denominator - &self.numerator));
        let (risk, whole) = (Wide::whole(&self.numerator), Wide::whole(&self.denominator));
        let risk = risk.over(whole);
        if risk.log2() < -60.0 {
            Chance::Open(risk)
        } else if risk < Wide::new(0.5) {
            Chance::from_probability(risk.as_f64())
        } else {
            Chance::from_hazard(-kept.over(whole).ln())
        }
    }

    /// The nearest `f64`: 0 below its range, 1 within 2^-54 of 1.
    pub fn as_f64(&self) -> f64 {
        Wide::whole(&self.numerator).over(Wide::whole(&self.denominator)).as_f64()
    }
}

/// The greatest common divisor (Euclid).
fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_risk_lies_strictly_between_0_and_1() {
        let risk = |a: u32, b: u32| Risk::new(a.into(), b.into());
        assert!(risk(0, 1).is_none() && risk(1, 1).is_none() && risk(2, 1).is_none() && risk(0, 0).is_none());
        assert_eq!(risk(5, 10), risk(1, 2));
        assert_eq!(risk(5, 10).map(|risk| risk.denominator().clone()), Some(2u32.into()));
    }

    #[test]
    fn both_ends_keep_their_digits() {
        let ten_to_400 = BigUint::from(10u32).pow(400);
        let least = Risk::new(1u32.into(), ten_to_400.clone()).expect("a risk");
        assert_eq!(least.as_f64(), 0.0);
        assert!((least.as_chance().log10().expect("above 0") + 400.0).abs() < 1e-12);
        let most = Risk::new(&ten_to_400 - 1u32, ten_to_400).expect("a risk");
        assert_eq!(most.as_f64(), 1.0);
        assert!((most.as_chance().log10_none().expect("below 1") + 400.0).abs() < 1e-12);
    }
}
