//! Numbers as people read them: the one place where anything is rounded.

use crate::document::{Cell, Unit};

/// Digits that a rounded number keeps.
const DIGITS: usize = 4;

/// A value rounded for reading, with its unit where the unit is not plain from a heading.
pub fn rounded(cell: &Cell, unit: Unit) -> String {
    let value = match cell {
        Cell::Empty => return "–".to_owned(),
        Cell::Text(text) => return text.to_string(),
        Cell::Flag(flag) => return if *flag { "yes" } else { "no" }.to_owned(),
        Cell::Integer(value) if matches!(unit, Unit::None | Unit::Bits) => {
            return grouped(&value.to_string());
        }
        Cell::Integer(value) => *value as f64,
        Cell::Real(value) => *value,
    };
    match unit {
        Unit::None | Unit::Bits | Unit::PerSecond => plain(value),
        Unit::Keys => scaled(value, "", 3),
        Unit::Bytes => scaled(value, "B", DIGITS),
        // Nothing is written: not a very small rate.
        Unit::BytesPerSecond if value == 0.0 => "–".to_owned(),
        Unit::BytesPerSecond => scaled(value, "B/s", DIGITS),
        Unit::BytesEach => fixed(value, if value.abs() < 1e3 { 2 } else { 0 }),
        Unit::Seconds => span(value),
        Unit::Usd => format!("${}", fixed(value, if value.abs() < 1e3 { 2 } else { 0 })),
        Unit::UsdShort => format!("${}", scaled(value, "", 3).replace(' ', "")),
        Unit::Share => format!("{} %", trimmed(&fixed(value * 100.0, if value < 0.01 { 4 } else { 1 }))),
    }
}

/// A value to its last digit, grouped by thousands.
pub fn exact(cell: &Cell, unit: Unit) -> String {
    let digits = match cell {
        Cell::Integer(value) => grouped(&value.to_string()),
        Cell::Real(value) if value.abs() < 1e21 => grouped(&value.to_string()),
        other => return rounded(other, unit),
    };
    match unit {
        Unit::Usd => format!("${}", cents(digits)),
        _ => digits,
    }
}

/// Dollars have no single decimal: $2,488.3 is $2,488.30.
fn cents(digits: String) -> String {
    match digits.split_once('.') {
        Some((_, fraction)) if fraction.len() == 1 => digits + "0",
        _ => digits,
    }
}

/// Thousands separated: `120,960,000,000`. Digits behind the point stay as they are.
fn grouped(digits: &str) -> String {
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

/// So many decimals, grouped; powers of ten where that would be longer than a line likes.
fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e15 { scientific(value) } else { grouped(&format!("{value:.decimals$}")) }
}

/// At most four significant digits behind the point, all digits before it.
fn plain(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    match magnitude {
        m if !(-4.0..15.0).contains(&m) => scientific(value),
        m => {
            let decimals = (DIGITS as f64 - 1.0 - m).clamp(0.0, 8.0) as usize;
            trimmed(&grouped(&format!("{value:.decimals$}")))
        }
    }
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.3e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", trimmed(mantissa))
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> String {
    match text.contains('.') && !text.contains('e') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    }
}

/// Decimal prefixes: 1.935 TB is 1.935 × 10^12 bytes.
fn scaled(value: f64, unit: &str, digits: usize) -> String {
    const PREFIXES: [&str; 9] = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];
    let mut value = value;
    let mut prefix = 0;
    // What would round to 1000 takes the next prefix.
    while value.abs() >= 1e3 - 0.5 * 10f64.powi(3 - digits as i32) && prefix + 1 < PREFIXES.len() {
        value /= 1e3;
        prefix += 1;
    }
    let number = match value.abs() {
        v if v >= 1e4 => scientific(value),
        v if prefix == 0 && v.fract() == 0.0 => format!("{value}"),
        v => {
            let before = if v >= 100.0 { 3 } else { 1 + usize::from(v >= 10.0) };
            format!("{value:.*}", digits.saturating_sub(before))
        }
    };
    format!("{number} {}{unit}", PREFIXES[prefix]).trim_end().to_owned()
}

/// The largest unit in which a span is a short number: `7 d`, `90 s`, `1.5 h`, `5 y`.
fn span(seconds: f64) -> String {
    const UNITS: [(f64, &str); 6] =
        [(31_557_600.0, "y"), (86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms")];
    let at_least_one = || UNITS.iter().filter(|(length, _)| seconds >= *length);
    // A whole number of a unit, unless it is long enough that a fraction of a larger one reads better.
    let whole =
        at_least_one().find(|(length, _)| (seconds / length).fract() == 0.0 && seconds / length < 1e3);
    match whole.or_else(|| at_least_one().next()) {
        Some((length, name)) => format!("{} {name}", plain(seconds / length)),
        None => format!("{} s", plain(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(value: f64, unit: Unit) -> String {
        rounded(&Cell::Real(value), unit)
    }

    #[test]
    fn bytes_name_their_decimal_prefix() {
        assert_eq!(real(1_935_360_000_000.0, Unit::Bytes), "1.935 TB");
        assert_eq!(real(999_960.0, Unit::Bytes), "1.000 MB");
        assert_eq!(real(999_940.0, Unit::Bytes), "999.9 kB");
        assert_eq!(real(120_960_000_000.0, Unit::Keys), "121 G");
        assert_eq!(real(1_512.3, Unit::UsdShort), "$1.51k");
        assert_eq!(real(512.0, Unit::Bytes), "512 B");
        assert_eq!(real(1e30, Unit::Bytes), "1e6 YB");
    }

    #[test]
    fn exact_figures_keep_every_digit() {
        assert_eq!(exact(&Cell::Integer(120_960_000_000), Unit::None), "120,960,000,000");
        assert_eq!(exact(&Cell::Real(580.608), Unit::Usd), "$580.608");
        assert_eq!(exact(&Cell::Real(2488.3), Unit::Usd), "$2,488.30");
    }

    #[test]
    fn spans_take_the_unit_that_keeps_them_short() {
        for (seconds, text) in [
            (604_800.0, "7 d"),
            (259_200.0, "3 d"),
            (5_400.0, "90 min"),
            (90.0, "90 s"),
            (1.5, "1.5 s"),
            (31_557_600.0, "1 y"),
            (0.001, "1 ms"),
        ] {
            assert_eq!(real(seconds, Unit::Seconds), text);
        }
    }

    #[test]
    fn small_and_large_numbers_stay_short() {
        assert_eq!(real(0.17280, Unit::PerSecond), "0.1728");
        assert_eq!(real(17_280.0, Unit::PerSecond), "17,280");
        assert_eq!(real(1e-7, Unit::PerSecond), "1e-7");
        assert_eq!(real(1e20, Unit::PerSecond), "1e20");
    }

    #[test]
    fn a_share_is_a_percentage() {
        assert_eq!(real(0.3, Unit::Share), "30 %");
        assert_eq!(real(0.7087, Unit::Share), "70.9 %");
    }
}
