//! Numbers as they stand on an axis or beside a mark, with prefix and unit.
//!
//! Decimal prefixes up to 10³⁰ for bytes, k M G T for counts, k M bn tn for dollars; what is larger or
//! smaller is written as a power of ten. Every finite number has a form.

use crate::document::figure::Unit;
use crate::render::number::{SPANS, YEAR_S as YEAR};

/// Prefixes by thousands from 10⁰ on.
const BYTES: &[&str] = &[" B", " kB", " MB", " GB", " TB", " PB", " EB", " ZB", " YB", " RB", " QB"];
const DOLLARS: &[&str] = &["", "k", "M", "bn", "tn"];
const COUNTS: &[&str] = &["", "k", "M", "G", "T"];
const NONE: &[&str] = &[""];
/// Least power of ten that is written out.
const SMALLEST: i32 = -3;

/// A value to three significant digits: `61.3 B`, `$12.3k`, `7 d`.
pub fn value(unit: Unit, value: f64) -> String {
    if unit == Unit::Seconds {
        return span(value);
    }
    let (digits, exponent) = significant(value.abs());
    signed(value, compose(unit, &digits, exponent))
}

/// `mantissa` × 10^`exponent`, exactly, for a mantissa of 1 to 9.
pub fn power(unit: Unit, mantissa: u8, exponent: i32) -> String {
    match unit {
        Unit::Seconds if (-9..=1).contains(&exponent) => span(f64::from(mantissa) * 10f64.powi(exponent)),
        _ => compose(unit, &mantissa.to_string(), exponent),
    }
}

/// Multiples of `mantissa` × 10^`exponent` with one prefix and equally many decimals.
pub fn multiples(unit: Unit, counts: &[i64], mantissa: u8, exponent: i32) -> Vec<String> {
    let largest = counts.iter().map(|n| n.unsigned_abs()).max().unwrap_or(0);
    let (_, top) = significant(largest as f64 * f64::from(mantissa));
    let (shift, prefixes) = form(unit);
    let thousands = (top + exponent + shift).div_euclid(3).max(0);
    let decimals = -(exponent + shift - 3 * thousands);
    let written_out = (thousands as usize) < prefixes.len() && decimals <= -SMALLEST;
    let one = |&n: &i64| {
        let number = n as f64 * f64::from(mantissa);
        if n == 0 || !written_out {
            let (digits, own) = significant(number.abs());
            return signed(number, compose(unit, &digits, own + exponent));
        }
        let scaled = number.abs() * 10f64.powi(exponent + shift - 3 * thousands);
        let text = format!("{scaled:.*}", decimals.max(0) as usize);
        signed(number, dress(unit, &text, prefixes[thousands as usize]))
    };
    counts.iter().map(one).collect()
}

/// A span in the largest unit that it fills.
pub fn span(seconds: f64) -> String {
    let length = seconds.abs();
    // A value just under a unit, as 86 399.999…, is that unit.
    let &(size, name) = SPANS
        .iter()
        .find(|(size, _)| length >= size * (1.0 - 1e-9))
        .unwrap_or(if length == 0.0 { &SPANS[4] } else { &SPANS[7] });
    if size == YEAR && length / size >= 9_999.5 || size == 1e-9 && length / size < 9.995e-4 {
        let (digits, exponent) = significant(if size == YEAR { length / size } else { length });
        let name = if size == YEAR { name } else { "s" };
        return signed(seconds, format!("{} {name}", scientific(&digits, exponent)));
    }
    let (digits, exponent) = significant(length / size);
    signed(seconds, format!("{} {name}", plain(&digits, exponent)))
}

/// A span as a number of one unit, for ticks that share it.
pub fn span_in(seconds: f64, size: f64, name: &str) -> String {
    let (digits, exponent) = significant(seconds.abs() / size);
    let number = if exponent < 4 { plain(&digits, exponent) } else { scientific(&digits, exponent) };
    signed(seconds, format!("{number} {name}"))
}

/// What a base unit is multiplied by (as a power of ten) and the prefixes it takes.
fn form(unit: Unit) -> (i32, &'static [&'static str]) {
    match unit {
        Unit::Bytes => (0, BYTES),
        Unit::Usd => (0, DOLLARS),
        Unit::Count | Unit::Whole | Unit::Times | Unit::PerSecond => (0, COUNTS),
        Unit::Percent => (2, NONE),
        Unit::Probability | Unit::Seconds => (0, NONE),
    }
}

/// `digits` with a point after the first, times 10^`exponent`, in the form of its unit.
fn compose(unit: Unit, digits: &str, exponent: i32) -> String {
    if digits == "0" {
        return if unit == Unit::Usd { "$0".into() } else { "0".into() };
    }
    let (shift, prefixes) = form(unit);
    let exponent = exponent + shift;
    let thousands = exponent.div_euclid(3).max(0) as usize;
    let whole_only = prefixes.len() == 1 && exponent < 5;
    if exponent < SMALLEST || (thousands >= prefixes.len() && !whole_only) {
        return dress(unit, &scientific(digits, exponent), prefixes[0]);
    }
    let prefix = if whole_only { 0 } else { thousands };
    dress(unit, &plain(digits, exponent - 3 * prefix as i32), prefixes[prefix])
}

fn dress(unit: Unit, number: &str, prefix: &str) -> String {
    match unit {
        Unit::Usd => format!("${number}{prefix}"),
        Unit::PerSecond => format!("{number}{prefix}/s"),
        Unit::Percent => format!("{number} %"),
        Unit::Seconds => format!("{number} s"),
        _ => format!("{number}{prefix}"),
    }
}

fn signed(value: f64, text: String) -> String {
    if value < 0.0 { format!("−{text}") } else { text }
}

/// Three significant digits without trailing zeros, and the power of ten of the first.
fn significant(value: f64) -> (String, i32) {
    let text = format!("{value:.2e}");
    let (mantissa, exponent) = text.split_once('e').expect("a float printed with e holds an e");
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let kept = digits.trim_end_matches('0');
    let kept = if kept.is_empty() { "0" } else { kept };
    (kept.to_string(), exponent.parse().unwrap_or(0))
}

fn plain(digits: &str, exponent: i32) -> String {
    if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return format!("0.{zeros}{digits}");
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        return format!("{digits}{}", "0".repeat(whole - digits.len()));
    }
    format!("{}.{}", &digits[..whole], &digits[whole..])
}

fn scientific(digits: &str, exponent: i32) -> String {
    let power: String = exponent.to_string().chars().map(superscript).collect();
    match digits {
        "1" => format!("10{power}"),
        _ => format!("{}×10{power}", plain(digits, 0)),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        _ => char::from_u32(digit as u32 - '4' as u32 + '⁴' as u32).unwrap_or(digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_carry_prefix_and_unit() {
        let cases = [
            (Unit::Bytes, 16.0, "16 B"),
            (Unit::Bytes, 61.34, "61.3 B"),
            (Unit::Bytes, 999.6, "1 kB"),
            (Unit::Bytes, 5.80608e12, "5.81 TB"),
            (Unit::Bytes, 1e33, "10³³ B"),
            (Unit::Usd, 580.608, "$581"),
            (Unit::Usd, 12_345.0, "$12.3k"),
            (Unit::Usd, -2.5e9, "−$2.5bn"),
            (Unit::Usd, 1e-4, "$10⁻⁴"),
            (Unit::Count, 120_960_000_000.0, "121G"),
            (Unit::PerSecond, 200_000.0, "200k/s"),
            (Unit::Percent, 0.6934, "69.3 %"),
            (Unit::Percent, 12.0, "1200 %"),
            (Unit::Probability, 0.5, "0.5"),
            (Unit::Probability, 9.4e-20, "9.4×10⁻²⁰"),
            (Unit::Probability, 1e-300, "10⁻³⁰⁰"),
            (Unit::Count, 1e300, "10³⁰⁰"),
            (Unit::Count, 0.0, "0"),
            (Unit::Usd, 0.0, "$0"),
            (Unit::Seconds, 7.0 * 86_400.0, "7 d"),
            (Unit::Seconds, YEAR, "1 y"),
            (Unit::Seconds, 1.5e-3, "1.5 ms"),
            (Unit::Seconds, 0.0, "0 s"),
            (Unit::Seconds, 1e6 * YEAR, "10⁶ y"),
            (Unit::Seconds, 1e-15, "10⁻¹⁵ s"),
        ];
        for (unit, number, text) in cases {
            assert_eq!(value(unit, number), text);
        }
    }

    #[test]
    fn multiples_share_prefix_and_decimals() {
        assert_eq!(multiples(Unit::Bytes, &[0, 1, 2, 3], 5, 11), ["0", "0.5 TB", "1.0 TB", "1.5 TB"]);
        assert_eq!(multiples(Unit::Usd, &[-1, 0, 1], 2, 4), ["−$20k", "$0", "$20k"]);
        assert_eq!(multiples(Unit::Percent, &[0, 1, 5], 2, -1), ["0", "20 %", "100 %"]);
        assert_eq!(multiples(Unit::Count, &[1, 2], 5, 299), ["5×10²⁹⁹", "10³⁰⁰"]);
        assert_eq!(multiples(Unit::Probability, &[1, 2], 5, -9), ["5×10⁻⁹", "10⁻⁸"]);
    }

    #[test]
    fn powers_are_exact_beyond_a_float() {
        assert_eq!(power(Unit::Probability, 1, -400), "10⁻⁴⁰⁰");
        assert_eq!(power(Unit::Bytes, 2, 4), "20 kB");
        assert_eq!(power(Unit::Usd, 5, -2), "$0.05");
        assert_eq!(power(Unit::Seconds, 1, -12), "10⁻¹² s");
        assert_eq!(power(Unit::Seconds, 1, 30), "10³⁰ s");
        assert_eq!(power(Unit::Seconds, 1, -6), "1 µs");
    }
}
