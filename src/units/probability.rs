//! Probabilities as people write them: `1e-9`, `0.5`, `50%`, `1/1000000`.

use super::count::{self, LARGEST_BITS};
use crate::error::{Error, Result};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// A probability strictly between 0 and 1, exact: a quotient of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Probability {
    numerator: BigUint,
    denominator: BigUint,
    text: String,
}

impl Probability {
    /// Above the line.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// Below the line.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// The nearest `f64`; 0 or 1 where it lies beyond its digits.
    pub fn as_f64(&self) -> f64 {
        quotient(&self.numerator, &self.denominator)
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn read(text: &str) -> Option<Probability> {
        let (numerator, denominator) = ratio(text)?;
        let open = numerator > BigUint::ZERO && numerator < denominator;
        (open && denominator.bits() <= LARGEST_BITS).then(|| Probability {
            numerator,
            denominator,
            text: text.to_owned(),
        })
    }
}

impl FromStr for Probability {
    type Err = Error;

    fn from_str(text: &str) -> Result<Probability> {
        Probability::read(text.trim()).ok_or_else(|| {
            Error::value(
                "a probability",
                text,
                "strictly between 0 and 1, and no smaller than 2^-4096 (1e-1233)",
                "1e-9, 50% or 1/1000000",
            )
        })
    }
}

impl Serialize for Probability {
    /// The nearest `f64`; 40 digits where that would be 0 or 1.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.as_f64();
        if value.is_normal() && value < 1.0 {
            return serializer.serialize_f64(value);
        }
        let length = |value: &BigUint| value.to_string().len();
        let places = length(&self.denominator) - length(&self.numerator).min(length(&self.denominator)) + 40;
        let power = BigUint::from(10u32).pow(u32::try_from(places).expect("at most 1,300 digits"));
        let digits = (&self.numerator * power / &self.denominator).to_string();
        let kept = digits.trim_end_matches('0');
        count::literal(&format!("{kept}e-{}", places - (digits.len() - kept.len())), serializer)
    }
}

/// The nearest `f64` to a quotient below 1: 64 bits and more of it, then one rounding.
fn quotient(numerator: &BigUint, denominator: &BigUint) -> f64 {
    let shift = (denominator.bits() + 70).saturating_sub(numerator.bits());
    let digits = (numerator << shift) / denominator;
    let drop = digits.bits().saturating_sub(64);
    let top = u64::try_from(digits >> drop).expect("64 bits fit");
    libm::ldexp(
        top as f64,
        i32::try_from(drop).unwrap_or(i32::MAX) - i32::try_from(shift).unwrap_or(i32::MAX),
    )
}

/// The quotient of whole numbers that a text stands for; any size and sign of the exponent that is sane.
pub(super) fn ratio(text: &str) -> Option<(BigUint, BigUint)> {
    if let Some((above, below)) = text.split_once('/') {
        let ((a, b), (c, d)) = (fraction(above.trim(), 0)?, fraction(below.trim(), 0)?);
        let denominator = b * c;
        return (denominator > BigUint::ZERO).then(|| (a * d, denominator));
    }
    match text.strip_suffix('%') {
        Some(percent) => fraction(percent.trim_end(), -2),
        None => fraction(text, 0),
    }
}

fn fraction(text: &str, shift: i64) -> Option<(BigUint, BigUint)> {
    if let Some((base, exponent)) = text.split_once('^') {
        let exponent: i64 = exponent.trim().parse().ok()?;
        let base: u32 = base.trim().parse().ok()?;
        let power =
            BigUint::from(base).pow(u32::try_from(exponent.unsigned_abs()).ok().filter(|&e| e <= 2_048)?);
        let one = BigUint::from(1u32);
        return (base > 0 && shift == 0).then_some(if exponent < 0 { (one, power) } else { (power, one) });
    }
    let (value, exponent) = count::decimal(text)?;
    let exponent = exponent.checked_add(shift)?;
    let power = BigUint::from(10u32).pow(u32::try_from(exponent.unsigned_abs()).ok().filter(|&e| e < 1_300)?);
    let one = BigUint::from(1u32);
    Some(if exponent < 0 { (value, power) } else { (value * power, one) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<f64> {
        Probability::read(text).map(|p| p.as_f64())
    }

    #[test]
    fn every_spelling_is_read_exactly() {
        for (text, value) in [
            ("1e-9", 1e-9),
            ("0.5", 0.5),
            (".25", 0.25),
            ("50%", 0.5),
            ("0.1 %", 0.001),
            ("1/1000000", 1e-6),
            ("1/1e6", 1e-6),
            ("2^-32", 2f64.powi(-32)),
            ("0.999999999999999", 0.999_999_999_999_999),
        ] {
            assert_eq!(read(text), Some(value), "{text}");
        }
        let tiny = Probability::read("1e-400").expect("a probability");
        assert_eq!(tiny.denominator, BigUint::from(10u32).pow(400));
        let json =
            |text| serde_json::to_string(&Probability::read(text).expect("a probability")).expect("a number");
        assert_eq!(json("001e-400"), "1e-400");
        assert_eq!(json("0.99999999999999999999"), "99999999999999999999e-20");
        assert_eq!(json("50%"), "0.5");
    }

    #[test]
    fn what_lies_outside_is_refused() {
        for text in [
            "0", "1", "1.5", "100%", "-0.1", "nan", "", "%", "1/0", "0/5", "2/2", "1e-99999", "5", "1e5",
            "in",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
