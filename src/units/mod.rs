//! Quantities as people write them, read exactly: `200k/s`, `15.25M/d`, `7d`, `2TB`, `30%`, `$0.10`.
//!
//! Everything here is checked: a value that cannot be held exactly is refused, never rounded, wrapped
//! or saturated. Nothing here rounds for display; that is the renderer's.

mod count;
mod probability;

pub use count::{Count, LARGEST_BITS};
pub use probability::Probability;

use crate::error::{Error, Result};
use num_bigint::BigUint;
use rust_decimal::Decimal;
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// Seconds in a year of 365.25 days.
pub const SECONDS_PER_YEAR: u128 = 31_557_600;
/// Seconds in a month of 30 days, the month of a price that does not say otherwise.
pub const SECONDS_PER_MONTH: u128 = 2_592_000;

/// A non-negative rational number, exact: `numerator / denominator` in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    numerator: u128,
    denominator: u128,
}

impl Exact {
    /// Nothing.
    pub const ZERO: Exact = Exact { numerator: 0, denominator: 1 };
    /// One.
    pub const ONE: Exact = Exact { numerator: 1, denominator: 1 };

    /// `numerator / denominator`; `None` where the denominator is 0.
    pub fn new(numerator: u128, denominator: u128) -> Option<Exact> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        Some(Exact { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// A whole number.
    pub const fn whole(value: u128) -> Exact {
        Exact { numerator: value, denominator: 1 }
    }

    /// The number itself where it is whole.
    pub fn as_whole(self) -> Option<u128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The nearest `f64`; the one rounding is that of the two parts and their quotient.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The product; `None` where it does not fit 128 bits above and below the line.
    pub fn checked_mul(self, other: Exact) -> Option<Exact> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Exact::whole(self.numerator.checked_mul(other.numerator)?));
        }
        let (a, d) = reduced(self.numerator, other.denominator);
        let (c, b) = reduced(other.numerator, self.denominator);
        Some(Exact { numerator: a.checked_mul(c)?, denominator: b.checked_mul(d)? })
    }

    /// The sum; `None` where it does not fit.
    pub fn checked_add(self, other: Exact) -> Option<Exact> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Exact::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The nearest integer, halves up; `None` where even that does not fit.
    pub fn round(self) -> Option<u128> {
        divide_rounded(self.numerator, self.denominator)
    }

    /// The nearest integer to a product, halves up; `None` where it does not fit.
    pub fn product_rounded(self, other: Exact) -> Option<u128> {
        let above = self.numerator.checked_mul(other.numerator);
        let below = self.denominator.checked_mul(other.denominator);
        match (above, below) {
            (Some(above), Some(below)) => divide_rounded(above, below),
            // What does not fit may still after common factors are taken out.
            _ => self.checked_mul(other)?.round(),
        }
    }

    /// Reads a number without a unit: `200000`, `200k`, `200_000`, `1.2e11`, `2^64`, `0.3`, `1/8`.
    ///
    /// `None` where the text is no such number or needs more than 128 bits.
    pub fn read(text: &str) -> Option<Exact> {
        if let Some((above, below)) = text.split_once('/') {
            let (above, below) = (decimal(above)?, decimal(below)?);
            return above.checked_mul(Exact::new(below.denominator, below.numerator)?);
        }
        match text.split_once('^') {
            Some((base, power)) => {
                let base = decimal(base)?.as_whole()?;
                let power = u32::try_from(decimal(power)?.as_whole()?).ok()?;
                Some(Exact::whole(base.checked_pow(power)?))
            }
            None => scaled(text),
        }
    }
}

impl Serialize for Exact {
    /// A JSON integer where the number is whole, otherwise the nearest `f64`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => serializer.serialize_u128(whole),
            None => serializer.serialize_f64(self.as_f64()),
        }
    }
}

/// The quotient to the nearest integer, halves up. 64-bit division is several times faster.
fn divide_rounded(above: u128, below: u128) -> Option<u128> {
    let (whole, rest) = match (u64::try_from(above), u64::try_from(below)) {
        _ if below == 1 => (above, 0),
        (Ok(above), Ok(below)) => (u128::from(above / below), u128::from(above % below)),
        _ => (above / below, above % below),
    };
    whole.checked_add(u128::from(rest >= below - rest))
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn reduced(above: u128, below: u128) -> (u128, u128) {
    let divisor = gcd(above, below);
    (above / divisor, below / divisor)
}

/// The digits in front of a multiplier, and its power of ten: `15.25M` is 15.25 and 6.
fn multiplier(text: &str) -> Option<(&str, u32)> {
    let zeros = match text.chars().last()? {
        'k' | 'K' => 3,
        'M' => 6,
        'G' => 9,
        'T' => 12,
        'P' => 15,
        _ => return Some((text, 0)),
    };
    Some((&text[..text.len() - 1], zeros))
}

/// A decimal number with a multiplier behind it: `15.25M`.
fn scaled(text: &str) -> Option<Exact> {
    let (number, zeros) = multiplier(text)?;
    decimal(number)?.checked_mul(Exact::whole(10u128.pow(zeros)))
}

/// The digits of a decimal number without its point, and the power of ten they stand before: digits
/// with `_` between them, a fraction, an exponent.
fn digits(text: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, i64::from(exponent.parse::<i32>().ok()?)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let separated = whole.starts_with('_') || whole.ends_with('_') || whole.contains("__");
    let digits = format!("{whole}{fraction}");
    if separated || !digits.chars().all(|c| c.is_ascii_digit() || c == '_') || fraction.contains('_') {
        return None;
    }
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    Some((digits.replace('_', ""), shift))
}

/// A decimal number in 128 bits.
fn decimal(text: &str) -> Option<Exact> {
    let (digits, shift) = digits(text)?;
    let value: u128 = digits.parse().ok()?;
    if value == 0 {
        return Some(Exact::ZERO);
    }
    let power = 10u128.checked_pow(u32::try_from(shift.unsigned_abs()).ok()?);
    match (shift >= 0, power) {
        (true, Some(power)) => Some(Exact::whole(value.checked_mul(power)?)),
        (false, Some(power)) => Exact::new(value, power),
        (_, None) => None,
    }
}

/// Splits `7d` into number and unit: the unit is what follows the last digit.
fn number_and_unit(text: &str) -> (&str, &str) {
    let at = text.rfind(|c: char| c.is_ascii_digit() || c == '.' || c == '_').map_or(0, |at| at + 1);
    (&text[..at], text[at..].trim())
}

/// Events per second, positive and exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Rate(Exact);

impl Rate {
    /// So many per second; refused where it is 0.
    pub fn new(per_s: Exact) -> Option<Rate> {
        (!per_s.is_zero()).then_some(Rate(per_s))
    }

    /// Per second.
    pub fn per_s(self) -> Exact {
        self.0
    }

    /// Per second, as the nearest `f64`.
    pub fn as_f64(self) -> f64 {
        self.0.as_f64()
    }

    /// Events in a span, rounded to the nearest integer; `None` beyond 128 bits.
    pub fn times(self, span: Span) -> Option<u128> {
        self.0.product_rounded(span.0)
    }

    /// Events in a span, rounded to the nearest integer, halves up, however many they are.
    pub fn count(self, span: Span) -> Count {
        let above = BigUint::from(self.0.numerator) * span.0.numerator;
        let below = BigUint::from(self.0.denominator) * span.0.denominator;
        let rounded = (above * 2u32 + &below) / (below * 2u32);
        Count::new(rounded).expect("a product of two 128-bit numbers is below 2^4096")
    }
}

impl FromStr for Rate {
    type Err = Error;

    /// `200000`, `200k/s`, `1000/h`, `15.25M/d`; bare means per second.
    fn from_str(text: &str) -> Result<Rate> {
        let (count, unit) = text.trim().split_once('/').unwrap_or((text.trim(), "s"));
        let per = match unit.trim() {
            "s" | "sec" | "second" => Some(1),
            "min" | "minute" => Some(60),
            "h" | "hour" => Some(3_600),
            "d" | "day" => Some(86_400),
            "y" | "year" => Some(SECONDS_PER_YEAR),
            _ => None,
        };
        let read = || Rate::new(Exact::read(count.trim())?.checked_mul(Exact::new(1, per?)?)?);
        read().ok_or_else(|| {
            let allowed = "a positive rate below 2^128 with /s, /min, /h, /d or /y (bare is per second)";
            Error::value("a rate", text, allowed, "200k/s or 15.25M/d")
        })
    }
}

/// A length of time, positive and exact, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Span(Exact);

impl Span {
    /// So many seconds; refused where it is 0.
    pub fn new(seconds: Exact) -> Option<Span> {
        (!seconds.is_zero()).then_some(Span(seconds))
    }

    /// Seconds.
    pub fn seconds(self) -> Exact {
        self.0
    }

    /// Seconds, as the nearest `f64`.
    pub fn as_f64(self) -> f64 {
        self.0.as_f64()
    }

    /// Reads a bare number of days, for a flag whose name says so.
    ///
    /// # Errors
    /// Where the text is no positive number.
    pub fn days(text: &str) -> Result<Span> {
        let read = || Span::new(Exact::read(text.trim())?.checked_mul(Exact::whole(86_400))?);
        read().ok_or_else(|| {
            Error::value("days", text, "a positive number without a unit", "7 (or --retention 72h)")
        })
    }
}

impl FromStr for Span {
    type Err = Error;

    /// `7d`, `72h`, `30y`, `90s`, `1500ms`; a year is 365.25 days, a month (`mo`) 30 days.
    fn from_str(text: &str) -> Result<Span> {
        let (number, unit) = number_and_unit(text.trim());
        let factor = match unit {
            "ms" => Exact::new(1, 1_000),
            "s" => Some(Exact::ONE),
            "min" => Some(Exact::whole(60)),
            "h" => Some(Exact::whole(3_600)),
            "d" => Some(Exact::whole(86_400)),
            "w" => Some(Exact::whole(604_800)),
            "mo" => Some(Exact::whole(SECONDS_PER_MONTH)),
            "y" => Some(Exact::whole(SECONDS_PER_YEAR)),
            _ => None,
        };
        let read = || Span::new(Exact::read(number.trim())?.checked_mul(factor?)?);
        read().ok_or_else(|| {
            let allowed = "a positive number with its unit: ms, s, min, h, d, w, mo (30 d) or y (365.25 d)";
            Error::value("a span", text, allowed, "72h or 7d")
        })
    }
}

/// A number of bytes, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = Error;

    /// `512`, `16GiB`, `2TB`: decimal (kB, MB, …) and binary (KiB, MiB, …) by their own names.
    fn from_str(text: &str) -> Result<Bytes> {
        let (number, unit) = number_and_unit(text.trim());
        let factor: Option<u128> = match unit {
            "" | "B" => Some(1),
            "kB" | "KB" => Some(1_000),
            "MB" => Some(1_000_000),
            "GB" => Some(1_000_000_000),
            "TB" => Some(1_000_000_000_000),
            "PB" => Some(1_000_000_000_000_000),
            "KiB" => Some(1 << 10),
            "MiB" => Some(1 << 20),
            "GiB" => Some(1 << 30),
            "TiB" => Some(1 << 40),
            "PiB" => Some(1 << 50),
            _ => None,
        };
        let read = || {
            let bytes = Exact::read(number.trim())?.checked_mul(Exact::whole(factor?))?.as_whole()?;
            u64::try_from(bytes).ok().map(Bytes)
        };
        read().ok_or_else(|| {
            let allowed = "a whole number of bytes below 2^64, with kB, MB, GB, TB, PB (decimal) or KiB, MiB, GiB, TiB, PiB (binary)";
            Error::value("a size", text, allowed, "512 or 16GiB")
        })
    }
}

/// The largest share: `--headroom 30`, meant as 30 %, must not pass as 3,000 %.
const LARGEST_SHARE: f64 = 10.0;

/// A share of a whole, exact and not negative: 0.3 is 30 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Share(pub Exact);

impl FromStr for Share {
    type Err = Error;

    /// `0.3`, `30%`, `3/10`.
    fn from_str(text: &str) -> Result<Share> {
        let trimmed = text.trim();
        let read = || match trimmed.strip_suffix('%') {
            Some(percent) => Exact::read(percent.trim())?.checked_mul(Exact::new(1, 100)?),
            None => Exact::read(trimmed),
        };
        let share = read().filter(|share| share.as_f64() <= LARGEST_SHARE).map(Share);
        share.ok_or_else(|| {
            Error::value("a share", text, "from 0 to 1000 % (a bare 1 is 100 %)", "30% or 0.3")
        })
    }
}

/// Mean attempts per key, exact, from 1 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Attempts(Exact);

impl Attempts {
    /// Every key is sent once.
    pub const ONE: Attempts = Attempts(Exact::ONE);

    /// The mean as the nearest `f64`.
    pub fn as_f64(self) -> f64 {
        self.0.as_f64()
    }
}

impl FromStr for Attempts {
    type Err = Error;

    /// `1`, `1.2`.
    fn from_str(text: &str) -> Result<Attempts> {
        let read = Exact::read(text.trim()).filter(|mean| (1.0..=1_000.0).contains(&mean.as_f64()));
        read.map(Attempts)
            .ok_or_else(|| Error::value("mean attempts", text, "at least 1 and at most 1000", "1.2"))
    }
}

/// US dollars, exact, not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd(pub Decimal);

impl Serialize for Usd {
    /// The nearest `f64`: $580.608 is written 580.608.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl Usd {
    /// The nearest `f64`.
    pub fn as_f64(self) -> f64 {
        // Through the shortest text: the crate's own conversion divides binary floats and loses a digit.
        self.0.to_string().parse().expect("a decimal prints as a number that f64 reads")
    }
}

impl FromStr for Usd {
    type Err = Error;

    /// `0.10`, `$0.10`.
    fn from_str(text: &str) -> Result<Usd> {
        let trimmed = text.trim();
        let number = trimmed.strip_prefix('$').unwrap_or(trimmed);
        let plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
        let read = Decimal::from_str_exact(number).ok().filter(|_| plain);
        read.map(Usd).ok_or_else(|| {
            Error::value("an amount", text, "US dollars, not negative, with at most 28 digits", "0.10")
        })
    }
}

/// Thousands separated: `120,960,000,000`. Digits behind the point stay as they are.
pub fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_count_is_read_exactly() {
        let read = |text| Exact::read(text).and_then(Exact::as_whole);
        assert_eq!(read("200000"), Some(200_000));
        assert_eq!(read("200k"), Some(200_000));
        assert_eq!(read("200_000"), Some(200_000));
        assert_eq!(read("1.2e11"), Some(120_000_000_000));
        assert_eq!(read("2^64"), Some(1 << 64));
        assert_eq!(read("16^6"), Some(16_777_216));
        assert_eq!(read("15.25M"), Some(15_250_000));
    }

    #[test]
    fn what_is_not_a_count_or_does_not_fit_is_refused() {
        for text in [
            "", "-1", "nan", "inf", "1e", "e5", "1__0", "_1", "1_", "2^128", "2^-1", "1e39", "1/0", "0x10",
            "1 0", "+1", "１",
        ] {
            assert_eq!(Exact::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_daily_rate_over_a_week_is_exact() {
        let rate: Rate = "15.25M/d".parse().expect("a rate");
        assert_eq!(rate.times("7d".parse().expect("a span")), Some(106_750_000));
    }

    #[test]
    fn a_bare_span_is_refused() {
        let error = "7".parse::<Span>().expect_err("needs a unit");
        assert!(error.to_string().contains("72h"), "{error}");
    }

    #[test]
    fn decimal_and_binary_bytes_differ() {
        assert_eq!("2TB".parse::<Bytes>(), Ok(Bytes(2_000_000_000_000)));
        assert_eq!("16GiB".parse::<Bytes>(), Ok(Bytes(16 << 30)));
        assert!("1.5B".parse::<Bytes>().is_err());
    }

    #[test]
    fn halves_round_up_and_the_top_does_not_wrap() {
        assert_eq!(Exact::new(5, 2).and_then(Exact::round), Some(3));
        assert_eq!(Exact::new(u128::MAX, 1).and_then(Exact::round), Some(u128::MAX));
        assert_eq!(Exact::new(u128::MAX, 2).and_then(Exact::round), Some(1 << 127));
    }

    #[test]
    fn money_reads_back_as_the_digits_it_was_written_with() {
        assert_eq!(Usd(Decimal::new(580_608, 3)).as_f64(), 580.608);
    }
}
