//! Numbers as people read them: the one place where anything is rounded.

use crate::document::{Cell, NEARLY, Unit};
use crate::math::logspace::{Chance, Wide};
use crate::units::{Count, grouped};

/// Seconds in a year of 365.25 days.
pub(crate) const YEAR_S: f64 = crate::units::SECONDS_PER_YEAR as f64;

/// Spans from the longest to the shortest, each with its length in seconds.
pub(crate) const SPANS: [(f64, &str); 8] = [
    (YEAR_S, "y"),
    (86_400.0, "d"),
    (3_600.0, "h"),
    (60.0, "min"),
    (1.0, "s"),
    (1e-3, "ms"),
    (1e-6, "µs"),
    (1e-9, "ns"),
];

/// Digits that a rounded number keeps.
const DIGITS: usize = 4;

/// A value rounded for reading, with its unit where the unit is not plain from a heading.
pub fn rounded(cell: &Cell, unit: Unit) -> String {
    let value = match cell {
        Cell::Empty => return "–".to_owned(),
        Cell::Text(text) => return text.to_string(),
        Cell::Flag(flag) => return if *flag { "yes" } else { "no" }.to_owned(),
        Cell::Of(own, cell) => return rounded(cell, *own),
        Cell::Integer(value) if matches!(unit, Unit::None | Unit::Bits) => {
            return grouped(&value.to_string());
        }
        Cell::Integer(value) => *value as f64,
        Cell::Count(value) if unit == Unit::None => return counted(value),
        Cell::Count(value) => return wide(Wide::whole(value.value()), unit),
        Cell::Real(value) => *value,
        Cell::Wide(value) => return wide(*value, unit),
        Cell::Chance(value) if unit == Unit::Odds => return odds(*value),
        Cell::Chance(value) => return chance(*value),
    };
    number(value, unit)
}

/// A number of `f64` with its unit.
fn number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Bits => trimmed(&fixed(value, 2)),
        Unit::None | Unit::PerSecond | Unit::Probability => plain(value),
        Unit::Percent => percent(value),
        Unit::Odds => odds(Chance::from_probability(value.clamp(0.0, 1.0))),
        Unit::Keys => scaled(value, "", 3),
        Unit::Bytes => scaled(value, "B", DIGITS),
        // Nothing is written: not a very small rate.
        Unit::BytesPerSecond if value == 0.0 => "–".to_owned(),
        Unit::BytesPerSecond => scaled(value, "B/s", DIGITS),
        Unit::BytesEach => fixed(value, if value.abs() < 1e3 { 2 } else { 0 }),
        Unit::Seconds => span(value),
        Unit::Years => span(value * YEAR_S),
        Unit::Usd => format!("${}", fixed(value, if value.abs() < 1e3 { 2 } else { 0 })),
        Unit::UsdShort => format!("${}", scaled(value, "", 3).replace(' ', "")),
        Unit::Share => format!("{} %", trimmed(&fixed(value * 100.0, if value < 0.01 { 4 } else { 1 }))),
    }
}

/// A value to its last digit, grouped by thousands.
pub fn exact(cell: &Cell, unit: Unit) -> String {
    let digits = match cell {
        Cell::Integer(value) => grouped(&value.to_string()),
        Cell::Count(value) => counted(value),
        Cell::Chance(chance) => match chance.probability().in_f64() {
            Some(p) if (1e-4..NEARLY).contains(&p) => trimmed(&format!("{p:.8}")),
            _ => return rounded(cell, unit),
        },
        Cell::Real(value) if value.abs() < 1e21 => grouped(&value.to_string()),
        other => return rounded(other, unit),
    };
    match unit {
        Unit::Usd => format!("${}", cents(digits)),
        _ => digits,
    }
}

/// Digits of a whole number that are still read one by one.
const COUNTED: usize = 30;

/// A whole number to its last digit, up to the length that a reader follows.
fn counted(value: &Count) -> String {
    let digits = value.to_string();
    if digits.len() <= COUNTED { grouped(&digits) } else { power_of_ten(Wide::whole(value.value())) }
}

/// A number that `f64` may not hold.
fn wide(value: Wide, unit: Unit) -> String {
    match (value.in_f64(), unit) {
        (Some(value), unit) => number(value, unit),
        (None, Unit::Years) => wide(value.times(Wide::new(YEAR_S)), Unit::Seconds),
        (None, Unit::Seconds) => {
            let years = value.over(Wide::new(YEAR_S));
            if years > Wide::ONE {
                format!("{} y", power_of_ten(years))
            } else {
                format!("{} s", power_of_ten(value))
            }
        }
        (None, _) => power_of_ten(value),
    }
}

/// Four digits and a power of ten, for a positive number of any size.
fn power_of_ten(value: Wide) -> String {
    match value.in_f64() {
        Some(value) => scientific(value),
        None => {
            let text = value.to_string();
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let mantissa: f64 = mantissa.parse().unwrap_or(1.0);
            match (format!("{mantissa:.3}"), exponent.parse::<i64>()) {
                // 9.9996 rounds to the next power.
                (digits, Ok(exponent)) if digits == "10.000" => format!("1e{}", exponent + 1),
                (digits, _) => format!("{}e{exponent}", trimmed(&digits)),
            }
        }
    }
}

/// A probability as a number, never 0 where it is not, never 1 where it is not.
fn chance(value: Chance) -> String {
    if value == Chance::NEVER {
        return "none".to_owned();
    }
    if value == Chance::Certain {
        return "1".to_owned();
    }
    let probability = value.probability();
    match probability.in_f64() {
        Some(p) if p < NEARLY => plain(p),
        Some(_) => format!("1 − {}", rest(value)),
        None => power_of_ten(probability),
    }
}

/// What is left to certainty.
fn rest(value: Chance) -> String {
    match value.log10_none() {
        Some(log10) if log10 > -300.0 => scientific(10f64.powf(log10)),
        Some(log10) if log10 > -1e15 => format!("10^-{}", grouped(&format!("{:.0}", -log10))),
        Some(log10) => format!("10^-({})", scientific(-log10)),
        // Beyond f64, but not beyond what is kept.
        None => value.hazard().map_or_else(String::new, |t| {
            format!("10^-({})", power_of_ten(t.times(Wide::new(std::f64::consts::LOG10_E))))
        }),
    }
}

/// A probability in words that can be quoted.
fn odds(value: Chance) -> String {
    if value == Chance::NEVER {
        return "none".to_owned();
    }
    if value == Chance::Certain {
        return "certain".to_owned();
    }
    let probability = value.probability();
    match probability.in_f64() {
        Some(p) if p >= NEARLY => "all but certain".to_owned(),
        Some(p) if p >= 0.1 => format!("{} %", trimmed(&format!("{:.2}", p * 100.0))),
        _ => format!("1 in {}", spelled(Wide::ONE.over(probability))),
    }
}

/// A probability of 1e-8 and more from none and from all: two decimals, or three digits of the lesser of it and the rest.
fn percent(value: f64) -> String {
    let rest = 1.0 - value;
    if rest > 0.0 && rest < 1e-8 {
        return "all but certain".to_owned();
    }
    let lesser = value.min(rest) * 100.0;
    let decimals = if lesser > 0.0 { (2.0 - lesser.log10().floor()).clamp(2.0, 8.0) } else { 0.0 };
    format!("{} %", trimmed(&format!("{:.*}", decimals as usize, value * 100.0)))
}

/// Three digits with the word for their thousands: `9.84 million`.
fn spelled(value: Wide) -> String {
    const WORDS: [(f64, &str); 4] =
        [(1e6, "million"), (1e9, "billion"), (1e12, "trillion"), (1e15, "quadrillion")];
    let Some(value) = value.in_f64().filter(|value| *value < 9.995e17) else { return power_of_ten(value) };
    // What rounds to a thousand of a word takes the next.
    let word = WORDS.iter().rev().find(|(size, _)| value >= size * 0.9995);
    let three = |value: f64| {
        let decimals = (2.0 - value.log10().floor()).clamp(0.0, 2.0) as usize;
        trimmed(&grouped(&format!("{value:.decimals$}")))
    };
    match word {
        Some((size, word)) => format!("{} {word}", three(value / size)),
        None if value >= 1e3 => {
            let unit = 10f64.powf(value.log10().floor() - 2.0);
            grouped(&format!("{:.0}", (value / unit).round() * unit))
        }
        None => three(value),
    }
}

/// Dollars have no single decimal: $2,488.3 is $2,488.30.
fn cents(digits: String) -> String {
    match digits.split_once('.') {
        Some((_, fraction)) if fraction.len() == 1 => digits + "0",
        _ => digits,
    }
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
    if unit.is_empty() && value.abs() >= 1e27 {
        // A power of ten says more than thousands of the last prefix.
        return scientific(value);
    }
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

/// The largest unit in which a span is a short number: `7 d`, `90 s`, `1.5 h`, `5 y`, `244.1 ns`.
fn span(seconds: f64) -> String {
    if seconds >= 1e6 * YEAR_S {
        return format!("{} y", spelled(Wide::new(seconds / YEAR_S)));
    }
    let at_least_one = || SPANS.iter().filter(|(length, _)| seconds >= *length);
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
    fn a_probability_is_never_0_or_1_where_it_is_not() {
        let shown = |t: Wide| (chance(Chance::Open(t)), odds(Chance::Open(t)));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(shown(Wide::new(1e-7)), pair("1e-7", "1 in 10 million"));
        assert_eq!(shown(Wide::new(9.404e-20)), pair("9.404e-20", "1 in 1.063e19"));
        assert_eq!(shown(Wide::exp2(-2048.0)), pair("3.094e-617", "1 in 3.232e616"));
        assert_eq!(shown(Wide::new(0.168_62)), pair("0.1552", "15.52 %"));
        assert_eq!(shown(Wide::new(30.0)), pair("1 − 9.358e-14", "all but certain"));
        assert_eq!(shown(Wide::new(65_529.0)), pair("1 − 10^-28,459", "all but certain"));
        assert_eq!(shown(Wide::exp2(2000.0)), pair("1 − 10^-(4.986e601)", "all but certain"));
        assert_eq!((chance(Chance::NEVER), odds(Chance::Certain)), pair("none", "certain"));
        for (one_in, text) in [
            (12.3456, "12.3"),
            (1_234.5, "1,230"),
            (999_700.0, "1 million"),
            (9_840_000.0, "9.84 million"),
            (1.803e10, "18 billion"),
            (5e17, "500 quadrillion"),
            (1e18, "1e18"),
        ] {
            assert_eq!(spelled(Wide::new(one_in)), text, "{one_in}");
        }
    }

    #[test]
    fn counts_beyond_reading_are_powers_of_ten() {
        let count = |text: &str| rounded(&Cell::Count(text.parse().expect("a count")), Unit::None);
        assert_eq!(count("2^122"), "5.317e36");
        assert_eq!(count("2714922669395445312"), "2,714,922,669,395,445,312");
        assert_eq!(count("2^2048"), "3.232e616");
        assert_eq!(power_of_ten(Wide::ONE.over(Wide::exp(-400.0 * std::f64::consts::LN_10))), "1e400");
    }

    #[test]
    fn spans_reach_from_nanoseconds_to_ages() {
        assert_eq!(real(244.140625e-9, Unit::Seconds), "244.1 ns");
        assert_eq!(real(6.153_9e21, Unit::Seconds), "195 trillion y");
        assert_eq!(rounded(&Cell::Wide(Wide::exp2(2048.0)), Unit::Seconds), "1.024e609 y");
    }

    #[test]
    fn a_percentage_is_told_from_none_and_from_all() {
        let told = |p: f64| rounded(&Cell::Real(p), Unit::Percent);
        for (p, text) in [
            (0.0, "0 %"),
            (0.393_469, "39.35 %"),
            (0.000_295, "0.0295 %"),
            (0.0085, "0.85 %"),
            (0.999_63, "99.963 %"),
            (0.999_992_8, "99.99928 %"),
            (1.0 - 1e-9, "all but certain"),
            (1.0, "100 %"),
        ] {
            assert_eq!(told(p), text, "{p}");
        }
    }

    #[test]
    fn a_share_is_a_percentage() {
        assert_eq!(real(0.3, Unit::Share), "30 %");
        assert_eq!(real(0.7087, Unit::Share), "70.9 %");
    }
}
