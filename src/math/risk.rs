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
