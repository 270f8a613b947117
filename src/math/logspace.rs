//! Positive numbers and probabilities beyond the exponents of `f64`.
//!
//! A space of 2^2048 ids has no `f64`, nor has a probability of 10^-611. [`Wide`] keeps a mantissa and an
//! exponent apart; [`Chance`] keeps −ln of the probability that nothing happens, from which the
//! probability and both logarithms follow without cancellation.

use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// Natural logarithm of two, to the last digit of `f64`.
const LN_2: f64 = std::f64::consts::LN_2;

/// A number that is not negative: `mantissa × 2^exponent` with a mantissa from 1 to below 2, or 0.
///
/// Each operation rounds once, relative error 2^-53; exponents are 64-bit and do not overflow for what a
/// space of 2^4096 can give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wide {
    mantissa: f64,
    exponent: i64,
}

impl Wide {
    /// Nothing.
    pub const ZERO: Wide = Wide { mantissa: 0.0, exponent: 0 };
    /// One.
    pub const ONE: Wide = Wide { mantissa: 1.0, exponent: 0 };

    /// A finite number that is not negative.
    ///
    /// # Panics
    /// Where the value is negative, infinite or not a number: callers hand in what they computed.
    pub fn new(value: f64) -> Wide {
        assert!(value.is_finite() && value >= 0.0, "{value} is no finite number that is not negative");
        Wide::normal(value, 0)
    }

    /// The nearest to a whole number; relative error 2^-53.
    pub fn whole(value: &BigUint) -> Wide {
        let bits = value.bits();
        let shift = bits.saturating_sub(64);
        // The top 64 bits; a bit below them that is set decides a tie of the rounding that follows.
        let mut top = (value >> shift).iter_u64_digits().next().unwrap_or(0);
        if shift > 0 && value.trailing_zeros().is_some_and(|zeros| zeros < shift) {
            top |= 1;
        }
        Wide::normal(top as f64, i64::try_from(shift).expect("fewer than 2^63 bits"))
    }

    /// 2 to a real power; relative error |power| · 2^-53 of the power's own rounding aside.
    pub fn exp2(power: f64) -> Wide {
        let whole = power.floor();
        Wide { mantissa: (power - whole).exp2(), exponent: whole as i64 }.renormal()
    }

    /// e to a real power; relative error about |power| · 2^-53.
    pub fn exp(power: f64) -> Wide {
        if power.abs() < 700.0 { Wide::new(power.exp()) } else { Wide::exp2(power / LN_2) }
    }

    fn normal(value: f64, exponent: i64) -> Wide {
        if value == 0.0 {
            return Wide::ZERO;
        }
        let (mantissa, own) = libm::frexp(value);
        Wide { mantissa: mantissa * 2.0, exponent: exponent + i64::from(own) - 1 }
    }

    fn renormal(self) -> Wide {
        Wide::normal(self.mantissa, self.exponent)
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// The product.
    #[must_use]
    pub fn times(self, other: Wide) -> Wide {
        Wide::normal(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    /// The quotient.
    ///
    /// # Panics
    /// Where the divisor is 0.
    #[must_use]
    pub fn over(self, other: Wide) -> Wide {
        assert!(!other.is_zero(), "division by 0");
        Wide::normal(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Wide) -> Wide {
        let (large, small) = if self >= other { (self, other) } else { (other, self) };
        if small.is_zero() {
            return large;
        }
        let apart = (small.exponent - large.exponent).max(-200);
        Wide::normal(large.mantissa + libm::ldexp(small.mantissa, apart as i32), large.exponent)
    }

    /// The difference; 0 where the other is larger.
    #[must_use]
    pub fn minus(self, other: Wide) -> Wide {
        if other >= self || other.is_zero() {
            return if other.is_zero() { self } else { Wide::ZERO };
        }
        let apart = (other.exponent - self.exponent).max(-200);
        Wide::normal(self.mantissa - libm::ldexp(other.mantissa, apart as i32), self.exponent)
    }

    /// The lesser of two.
    #[must_use]
    pub fn min(self, other: Wide) -> Wide {
        if self <= other { self } else { other }
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: Wide) -> Wide {
        if self >= other { self } else { other }
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Wide {
        let odd = self.exponent.rem_euclid(2);
        let mantissa = if odd == 1 { self.mantissa * 2.0 } else { self.mantissa };
        Wide::normal(mantissa.sqrt(), (self.exponent - odd) / 2)
    }

    /// The nearest `f64`: 0 below and infinity above its range.
    pub fn as_f64(self) -> f64 {
        libm::ldexp(self.mantissa, self.exponent.clamp(-3_000, 3_000) as i32)
    }

    /// The `f64`, where it is neither beyond the range nor so small that digits are lost.
    pub fn in_f64(self) -> Option<f64> {
        (self.is_zero() || (-1_022..1_024).contains(&self.exponent)).then(|| self.as_f64())
    }

    /// Natural logarithm; minus infinity for 0.
    pub fn ln(self) -> f64 {
        if self.exponent == -1 {
            // Just below 1 the two parts would cancel.
            return (self.mantissa / 2.0).ln();
        }
        self.mantissa.ln() + self.exponent as f64 * LN_2
    }

    /// Decimal logarithm; minus infinity for 0.
    pub fn log10(self) -> f64 {
        match self.in_f64() {
            Some(value) => value.log10(),
            None => self.mantissa.log10() + self.exponent as f64 * std::f64::consts::LOG10_2,
        }
    }

    /// Binary logarithm; minus infinity for 0.
    pub fn log2(self) -> f64 {
        match self.in_f64() {
            Some(value) => value.log2(),
            None => self.mantissa.log2() + self.exponent as f64,
        }
    }

    /// The whole number below; 0 for what is below 1.
    pub fn floor(self) -> BigUint {
        if self.exponent < 0 || self.is_zero() {
            return BigUint::ZERO;
        }
        // 53 bits of mantissa, then the exponent.
        let digits = BigUint::from((self.mantissa * 2f64.powi(52)) as u64);
        let shift = self.exponent - 52;
        if shift >= 0 { digits << shift.unsigned_abs() } else { digits >> shift.unsigned_abs() }
    }
}

/// Exponents of two beyond this are written through the logarithm: their digits would take a page.
const WRITTEN_OUT: u64 = 16_384;

/// Digits of a number that no `f64` holds: as many as tell every mantissa from the next.
const DIGITS: i64 = 17;

impl fmt::Display for Wide {
    /// The shortest digits that read back to the same `f64`; 17 digits and an exponent beyond its range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.in_f64() {
            return if (1e-5..1e17).contains(&value) || value == 0.0 {
                value.fmt(f)
            } else {
                fmt::LowerExp::fmt(&value, f)
            };
        }
        if self.exponent.unsigned_abs() > WRITTEN_OUT {
            let log10 = self.mantissa.log10() + self.exponent as f64 * std::f64::consts::LOG10_2;
            let whole = log10.floor();
            // The logarithm has some 16 digits, of which the exponent takes its own.
            let places = (14.0 - log10.abs().log10()).clamp(0.0, 9.0) as usize;
            // 9.9999 that rounds to 10 keeps to 9.9…, a unit of the last place below.
            let mantissa = 10f64.powf(log10 - whole).min(10.0 - 10f64.powi(-(places as i32)));
            return write!(f, "{mantissa:.places$}e{whole}");
        }
        let digits = BigUint::from((self.mantissa * 2f64.powi(52)) as u64);
        let ten = |power: i64| BigUint::from(10u32).pow(u32::try_from(power).unwrap_or(u32::MAX));
        // value = digits × 2^shift; scaled by 10^places it has at least 17 digits before its point.
        let shift = self.exponent - 52;
        let places = DIGITS - (self.exponent as f64 * std::f64::consts::LOG10_2).floor() as i64;
        let (mut above, mut below) = (digits, BigUint::from(1u32));
        if places >= 0 {
            above *= ten(places)
        } else {
            below *= ten(-places)
        }
        if shift >= 0 {
            above <<= shift.unsigned_abs()
        } else {
            below <<= shift.unsigned_abs()
        }
        let text = (above / below).to_string();
        let exponent = i64::try_from(text.len()).unwrap_or(i64::MAX) - 1 - places;
        let (first, rest) = text.split_at(1);
        let rest = rest[..16.min(rest.len())].trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        write!(f, "{first}{point}{rest}e{exponent}")
    }
}

impl Serialize for Wide {
    /// A JSON number: the `f64` where there is one, else its own digits and exponent.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.in_f64() {
            Some(value) => serializer.serialize_f64(value),
            None => literal(&self.to_string(), serializer),
        }
    }
}

/// A JSON number by its digits, for what no number type of serde holds.
///
/// # Errors
/// Where the text is no number.
pub fn literal<S: Serializer>(digits: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let number: serde_json::Number = digits.parse().map_err(serde::ser::Error::custom)?;
    number.serialize(serializer)
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            _ => (self.exponent, self.mantissa).partial_cmp(&(other.exponent, other.mantissa)),
        }
    }
}

/// A probability, kept as t = −ln P(it does not happen): from 0 (never) to infinity (certain).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Chance {
    /// −ln P(it does not happen), below infinity: the probability is below 1.
    Open(Wide),
    /// Exactly 1.
    Certain,
}

impl Chance {
    /// Exactly 0.
    pub const NEVER: Chance = Chance::Open(Wide::ZERO);

    /// From t = −ln P(it does not happen); infinite t is certainty.
    ///
    /// # Panics
    /// Where t is negative or not a number.
    pub fn from_hazard(t: f64) -> Chance {
        if t == f64::INFINITY { Chance::Certain } else { Chance::Open(Wide::new(t)) }
    }

    /// From a probability between 0 and 1, ends included.
    ///
    /// # Panics
    /// Where p lies outside.
    pub fn from_probability(p: f64) -> Chance {
        assert!((0.0..=1.0).contains(&p), "{p} is no probability");
        if p == 1.0 { Chance::Certain } else { Chance::Open(Wide::new(-(-p).ln_1p())) }
    }

    /// t = −ln P(it does not happen); none where it is certain.
    pub fn hazard(self) -> Option<Wide> {
        match self {
            Chance::Open(t) => Some(t),
            Chance::Certain => None,
        }
    }

    /// The probability itself, 1 − e^−t; `Wide` since it can be below every `f64`.
    pub fn probability(self) -> Wide {
        match self {
            Chance::Certain => Wide::ONE,
            // 1 − e^−t = t to within t/2 of itself.
            Chance::Open(t) if t.exponent < -60 => t,
            Chance::Open(t) => Wide::new(-(-t.as_f64()).exp_m1()),
        }
    }

    /// The probability as the nearest `f64`: 0 below its range, 1 where 1 − p is below 2^-53.
    pub fn as_f64(self) -> f64 {
        self.probability().as_f64()
    }

    /// Decimal logarithm of the probability; none where it is 0.
    pub fn log10(self) -> Option<f64> {
        let t = match self {
            Chance::Certain => return Some(0.0),
            Chance::Open(t) if t.is_zero() => return None,
            Chance::Open(t) => t,
        };
        if t.exponent < 0 {
            return Some(self.probability().log10());
        }
        // Near certainty ln(1 − e^−t) through e^−t, which a rounded probability would lose; −0 is 0.
        Some((-(-t.as_f64()).exp()).ln_1p() * std::f64::consts::LOG10_E + 0.0)
    }

    /// Decimal logarithm of the probability that it does not happen; none where it is certain.
    pub fn log10_none(self) -> Option<f64> {
        let t = self.hazard()?.as_f64();
        // Beyond the range of f64 there is no digit to give; such a hazard is a clash for every purpose.
        t.is_finite().then_some(0.0 - t * std::f64::consts::LOG10_E)
    }

    /// Decimal logarithm of the probability that it does not happen, without its sign; none where it is certain.
    ///
    /// Unlike [`Chance::log10_none`] it has a value where that is beyond or below the range of `f64`.
    pub fn nines(self) -> Option<Wide> {
        self.hazard().map(|t| t.times(Wide::new(std::f64::consts::LOG10_E)))
    }

    /// The lesser of two.
    #[must_use]
    pub fn min(self, other: Chance) -> Chance {
        if self <= other { self } else { other }
    }

    /// Both independent: the probability that at least one of two happens.
    #[must_use]
    pub fn or(self, other: Chance) -> Chance {
        match (self, other) {
            (Chance::Open(a), Chance::Open(b)) => Chance::Open(a.plus(b)),
            _ => Chance::Certain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_number_reads_back() {
        for value in [0.0, 1.0, 0.75, 1e-300, 1e300, 5e-324, 123.456] {
            assert_eq!(Wide::new(value).as_f64(), value);
        }
    }

    #[test]
    fn whole_numbers_round_to_the_nearest() {
        let big = (BigUint::from(1u32) << 2048u32) - 1u32;
        assert_eq!(Wide::whole(&big), Wide::exp2(2048.0));
        // A tie that a bit far below decides.
        let tie = (((BigUint::from(1u64) << 53u32) + 1u32) << 100u32) + 1u32;
        assert_eq!(Wide::whole(&tie).floor() >> 100u32, BigUint::from((1u64 << 53) + 2));
        assert_eq!(Wide::whole(&BigUint::ZERO), Wide::ZERO);
    }

    #[test]
    fn arithmetic_leaves_the_range_of_floats() {
        let big = Wide::exp2(2048.0);
        assert_eq!(big.times(big).log2(), 4096.0);
        assert_eq!(Wide::ONE.over(big).log2(), -2048.0);
        assert_eq!(big.plus(big).log2(), 2049.0);
        assert_eq!(big.times(Wide::new(3.0)).minus(big).log2(), 2049.0);
        assert_eq!((big.minus(Wide::ONE), Wide::ONE.minus(big)), (big, Wide::ZERO));
        assert_eq!((Wide::ONE.minus(Wide::ZERO), Wide::ZERO.minus(Wide::ZERO)), (Wide::ONE, Wide::ZERO));
        assert_eq!(Wide::exp2(2049.0).sqrt().log2(), 1024.5);
        assert_eq!(Wide::exp2(-3.0).sqrt().log2(), -1.5);
        assert!(Wide::ONE.over(big) < Wide::ONE && Wide::ONE < big && Wide::ZERO < Wide::ONE.over(big));
    }

    #[test]
    fn digits_beyond_floats_are_written_exactly() {
        assert_eq!(Wide::new(0.1).to_string(), "0.1");
        assert_eq!(Wide::new(9.4e-20).to_string(), "9.4e-20");
        // 2^2048 = 3.2317006071311007…e616, 2^-2048 = 3.0943460473825782…e-617.
        assert_eq!(Wide::exp2(2048.0).to_string(), "3.2317006071311007e616");
        assert_eq!(Wide::exp2(-2048.0).to_string(), "3.0943460473825782e-617");
        // 2^-100000 = 1.00099890379869e-30103; far beyond, what the logarithm still holds.
        assert_eq!(Wide::exp2(-100_000.0).to_string(), "1.000998904e-30103");
        assert!(Wide::exp2(-1e15).to_string().ends_with("e-301029995663982"));
        let json = serde_json::to_string(&Wide::exp2(-2048.0)).expect("a number");
        assert_eq!(json, "3.0943460473825782e-617");
    }

    #[test]
    fn a_chance_keeps_both_tails() {
        let small = Chance::from_hazard(1e-30);
        assert_eq!((small.as_f64(), small.log10()), (1e-30, Some(-30.0)));
        let large = Chance::from_hazard(1e4);
        assert_eq!((large.as_f64(), large.log10()), (1.0, Some(0.0)));
        assert!((large.log10_none().expect("open") + 4_342.944_819_032_518).abs() < 1e-9);
        let half = Chance::from_probability(0.5);
        assert!((half.as_f64() - 0.5).abs() < 1e-16);
        assert!((half.or(half).as_f64() - 0.75).abs() < 1e-15);
        assert_eq!((Chance::NEVER.log10(), Chance::Certain.log10_none()), (None, None));
    }
}
