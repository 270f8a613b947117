//! Whole numbers of any size as people write them: `1e9`, `2^122`, `26*36^23`, `2^53-1`.

use crate::error::{Error, Result};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Bits that a count may have: twice what the largest space in use has, and quick to compute with.
pub const LARGEST_BITS: u64 = 4_096;

/// More decimal digits than 2^4096 has.
const DIGITS: usize = 1_234;

/// A whole number that is not negative and below 2^4096, exact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(BigUint);

impl Count {
    /// The number, where it is below 2^4096.
    pub fn new(value: BigUint) -> Option<Count> {
        (value.bits() <= LARGEST_BITS).then_some(Count(value))
    }

    /// The number itself.
    pub fn value(&self) -> &BigUint {
        &self.0
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0 == BigUint::ZERO
    }

    /// The nearest `f64`; infinity beyond its range.
    pub fn as_f64(&self) -> f64 {
        self.0.to_string().parse().expect("digits are a number")
    }

    /// The number, where it is below 2^64.
    pub fn as_u64(&self) -> Option<u64> {
        u64::try_from(&self.0).ok()
    }

    /// Reads `200000`, `200k`, `200_000`, `1.2e11`, `2^64`, `26*36^23`, `2^53-1`; `None` where the text is
    /// no whole number or is 2^4096 or more.
    fn read(text: &str) -> Option<Count> {
        let minus =
            text.char_indices().skip(1).find(|&(at, c)| c == '-' && !text[..at].ends_with(['e', 'E']));
        let value = match minus {
            Some((at, _)) => {
                let (from, less) = (product(&text[..at])?, product(&text[at + 1..])?);
                if from < less {
                    return None;
                }
                from - less
            }
            None => product(text)?,
        };
        Count::new(value)
    }
}

impl From<u128> for Count {
    fn from(value: u128) -> Count {
        Count(value.into())
    }
}

impl FromStr for Count {
    type Err = Error;

    fn from_str(text: &str) -> Result<Count> {
        Count::read(text.trim()).ok_or_else(|| {
            Error::value(
                "a count",
                text,
                "a whole number from 0 to below 2^4096",
                "1e9, 200k, 2^122 or 62^22",
            )
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Count {
    /// A JSON integer of any size.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u128::try_from(&self.0) {
            Ok(small) => serializer.serialize_u128(small),
            Err(_) => literal(&self.0.to_string(), serializer),
        }
    }
}

/// A JSON number by its digits, for what no number type of serde holds.
pub(super) fn literal<S: Serializer>(digits: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let number: serde_json::Number = digits.parse().map_err(serde::ser::Error::custom)?;
    number.serialize(serializer)
}

/// Factors joined by `*`.
fn product(text: &str) -> Option<BigUint> {
    let mut value = BigUint::from(1u32);
    for factor in text.split('*') {
        value *= power(factor.trim())?;
        if value.bits() > LARGEST_BITS + 1 {
            return None;
        }
    }
    Some(value)
}

/// A number, or one to the power of another.
fn power(text: &str) -> Option<BigUint> {
    let Some((base, exponent)) = text.split_once('^') else { return number(text) };
    let base = number(base.trim())?;
    let exponent = u32::try_from(number(exponent.trim())?).ok()?;
    // A base of b bits to the power e has more than (b − 1)·e bits: refused before it is computed.
    let least = base.bits().saturating_sub(1).saturating_mul(u64::from(exponent));
    (least <= LARGEST_BITS).then(|| base.pow(exponent))
}

/// A number with a multiplier behind it.
fn number(text: &str) -> Option<BigUint> {
    let (digits, zeros) = super::multiplier(text)?;
    let (value, shift) = decimal(digits)?;
    let shift = shift.checked_add(i64::from(zeros))?;
    let power = BigUint::from(10u32).pow(u32::try_from(shift.unsigned_abs()).ok().filter(|&e| e < 1_300)?);
    if shift >= 0 {
        return Some(value * power);
    }
    // A fraction is a whole number only where it divides without rest.
    (&value % &power == BigUint::ZERO).then(|| value / power)
}

/// The digits of a decimal number as a whole number, and the power of ten they stand before.
pub(super) fn decimal(text: &str) -> Option<(BigUint, i64)> {
    let (digits, exponent) = super::digits(text)?;
    if digits.len() > DIGITS {
        return None;
    }
    let value: BigUint = digits.parse().ok()?;
    Some(if value == BigUint::ZERO { (value, 0) } else { (value, exponent) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        Count::read(text).map(|count| count.to_string())
    }

    #[test]
    fn every_spelling_is_read_exactly() {
        for (text, value) in [
            ("0", "0"),
            ("200_000", "200000"),
            ("200k", "200000"),
            ("1.2e11", "120000000000"),
            ("1.5M", "1500000"),
            ("2^64", "18446744073709551616"),
            ("16^6", "16777216"),
            ("2^53-1", "9007199254740991"),
            ("3*2^4", "48"),
            ("1000e-3", "1"),
            ("2^128", "340282366920938463463374607431768211456"),
        ] {
            assert_eq!(read(text).as_deref(), Some(value), "{text}");
        }
        assert_eq!(Count::read("62^22").map(|count| count.value().bits()), Some(131));
        assert_eq!(Count::read("2^2048").map(|count| count.value().bits()), Some(2049));
    }

    #[test]
    fn what_is_no_whole_number_or_too_large_is_refused() {
        for text in [
            "",
            "-1",
            "nan",
            "inf",
            "1.5",
            "1e",
            "e5",
            "1__0",
            "2^4096",
            "2^-1",
            "1e4000",
            "1/2",
            "0x10",
            "1-2",
            "*",
            "2^",
            "^2",
            "9^9^9",
            "2^99999999999",
            "1e99999999999999999999",
            "3*",
            "１",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_large_count_is_a_json_integer() {
        let count: Count = "2^130".parse().expect("a count");
        let text = serde_json::to_string(&count).expect("a number");
        assert_eq!(text, count.to_string());
    }
}
