//! Where an axis is marked: round steps on a linear axis, decades on a logarithmic one, and clock and
//! calendar units where it measures time.

use super::number;
use crate::document::figure::{Scale, Unit};
use crate::render::number::YEAR_S as YEAR;

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The value on a linear axis, its decimal logarithm on a logarithmic one.
    pub at: f64,
    /// What stands beside it; none for a mark between labels.
    pub label: Option<String>,
}

const DAY: f64 = 86_400.0;
/// Steps in seconds between the ticks of a linear time axis, up to a year.
const TIME_STEPS: [f64; 27] = [
    1.0,
    2.0,
    5.0,
    10.0,
    15.0,
    30.0,
    60.0,
    120.0,
    300.0,
    600.0,
    900.0,
    1_800.0,
    3_600.0,
    7_200.0,
    10_800.0,
    21_600.0,
    43_200.0,
    DAY,
    2.0 * DAY,
    5.0 * DAY,
    7.0 * DAY,
    10.0 * DAY,
    14.0 * DAY,
    30.0 * DAY,
    60.0 * DAY,
    90.0 * DAY,
    180.0 * DAY,
];
/// Landmarks in seconds of a logarithmic time axis between a second and a year.
const LANDMARKS: [f64; 9] = [1.0, 10.0, 60.0, 600.0, 3_600.0, 21_600.0, DAY, 7.0 * DAY, 30.0 * DAY];
/// Marks between the landmarks, for an axis that spans few of them.
const BETWEEN: [f64; 14] = [
    2.0,
    5.0,
    30.0,
    120.0,
    300.0,
    1_800.0,
    7_200.0,
    43_200.0,
    2.0 * DAY,
    3.0 * DAY,
    14.0 * DAY,
    60.0 * DAY,
    90.0 * DAY,
    180.0 * DAY,
];

/// Ticks from `low` to `high` (logarithms on a logarithmic axis), at most about `most` with labels.
pub fn ticks(unit: Unit, scale: Scale, low: f64, high: f64, most: usize) -> Vec<Tick> {
    match (scale, unit) {
        (Scale::Linear, Unit::Seconds) => linear_time(low, high, most),
        (Scale::Linear, _) => linear(unit, low, high, most),
        (Scale::Log10, Unit::Seconds) if high - low < 12.0 => log_time(low, high, most),
        (Scale::Log10, Unit::Times) if high - low < 6.0 => doublings(low, high, most),
        (Scale::Log10, _) => decades(unit, low, high, most),
    }
}

/// Powers of two: as many of them, or of four, eight and so on, as have room.
fn doublings(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let two = std::f64::consts::LOG10_2;
    let (first, last) = ((low / two - 1e-9).ceil() as i32, (high / two + 1e-9).floor() as i32);
    let step = (1..).find(|step| (last - first) / step < most.max(1) as i32).unwrap_or(1);
    let label = |power: i32| {
        let value = 2f64.powi(power);
        if power.rem_euclid(step) == 0 { Some(number::value(Unit::Times, value)) } else { None }
    };
    (first..=last).map(|power| Tick { at: f64::from(power) * two, label: label(power) }).collect()
}

/// The least round step, 1, 2 or 5 times a power of ten, that is at least `rough`.
pub fn round_step(rough: f64) -> (u8, i32) {
    let exponent = rough.log10().floor() as i32;
    let mantissa = rough / 10f64.powi(exponent);
    // Rounding of the division must not push an exact step to the next.
    match mantissa {
        m if m <= 1.0 + 1e-9 => (1, exponent),
        m if m <= 2.0 + 1e-9 => (2, exponent),
        m if m <= 5.0 + 1e-9 => (5, exponent),
        _ => (1, exponent + 1),
    }
}

fn linear(unit: Unit, low: f64, high: f64, most: usize) -> Vec<Tick> {
    let rough = (high - low) / most.max(1) as f64;
    let (mantissa, exponent) = round_step(if unit == Unit::Whole { rough.max(1.0) } else { rough });
    let step = f64::from(mantissa) * 10f64.powi(exponent);
    let Some(counts) = counts(low, high, step) else { return Vec::new() };
    let labels = number::multiples(unit, &counts, mantissa, exponent);
    let tick = |(&n, label): (&i64, String)| Tick { at: n as f64 * step, label: Some(label) };
    counts.iter().zip(labels).map(tick).collect()
}

/// The whole multiples of `step` from `low` to `high`; none where floats cannot tell them apart.
fn counts(low: f64, high: f64, step: f64) -> Option<Vec<i64>> {
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    let countable = step.is_normal() && first.abs() < 1e15 && last.abs() < 1e15 && last - first < 1e3;
    countable.then(|| (first as i64..=last as i64).collect())
}

fn linear_time(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let rough = (high - low) / most.max(1) as f64;
    let step = match TIME_STEPS.iter().find(|&&step| step >= rough * (1.0 - 1e-9)) {
        Some(&step) if rough > 0.5 => step,
        Some(_) => round(rough),
        None => round(rough / YEAR) * YEAR,
    };
    let Some(counts) = counts(low, high, step) else { return Vec::new() };
    let label = |seconds: f64| match step {
        _ if seconds == 0.0 => "0".to_string(),
        s if s >= YEAR => number::span_in(seconds, YEAR, "y"),
        s if s >= DAY => number::span_in(seconds, DAY, "d"),
        s if s >= 3_600.0 => number::span_in(seconds, 3_600.0, "h"),
        s if s >= 60.0 => number::span_in(seconds, 60.0, "min"),
        s if s >= 1.0 => number::span_in(seconds, 1.0, "s"),
        _ => number::span(seconds),
    };
    counts.iter().map(|&n| n as f64 * step).map(|at| Tick { at, label: Some(label(at)) }).collect()
}

fn round(rough: f64) -> f64 {
    let (mantissa, exponent) = round_step(rough);
    f64::from(mantissa) * 10f64.powi(exponent)
}

fn log_time(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let inside = |at: &f64| (low - 1e-9..=high + 1e-9).contains(at);
    let short = (-12..0).map(|e| 10f64.powi(e));
    let long = (0..14).map(|e| YEAR * 10f64.powi(e));
    let landmarks: Vec<f64> = short.chain(LANDMARKS).chain(long).collect();
    let between = BETWEEN.into_iter().chain([2.0 * YEAR, 3.0 * YEAR, 5.0 * YEAR, 20.0 * YEAR, 50.0 * YEAR]);
    let mut seconds: Vec<f64> = landmarks.into_iter().filter(|s| inside(&s.log10())).collect();
    if seconds.len() < 4.min(most) {
        seconds.extend(between.filter(|s| inside(&s.log10())));
        seconds.sort_by(f64::total_cmp);
    }
    if seconds.len() < 2 {
        return decades(Unit::Seconds, low, high, most);
    }
    seconds.into_iter().map(|s| Tick { at: s.log10(), label: Some(number::span(s)) }).collect()
}

fn decades(unit: Unit, low: f64, high: f64, most: usize) -> Vec<Tick> {
    let span = high - low;
    if span < 0.6 && low > -300.0 && high < 300.0 {
        return narrow(unit, low, high, most);
    }
    let fine = span < 1.7;
    let prefixed = matches!(unit, Unit::Bytes | Unit::Usd | Unit::Count | Unit::Whole | Unit::PerSecond);
    let steps: &[i32] =
        if prefixed { &[1, 2, 3, 6, 12, 30, 60, 150] } else { &[1, 2, 5, 10, 20, 50, 100, 200] };
    let fits = |step: &&i32| span / f64::from(**step) <= most.max(1) as f64;
    let step = *steps.iter().find(fits).unwrap_or(&300);
    let mut ticks = Vec::new();
    for exponent in low.floor() as i32..=high.ceil() as i32 {
        for mantissa in 1..=9u8 {
            let at = f64::from(exponent) + f64::from(mantissa).log10();
            let labelled =
                mantissa == 1 && exponent.rem_euclid(step) == 0 || fine && matches!(mantissa, 2 | 5);
            let marked = labelled || step == 1 && span <= 7.0 || mantissa == 1 && step <= 3;
            if marked && (low - 1e-9..=high + 1e-9).contains(&at) {
                let label = labelled.then(|| number::power(unit, mantissa, exponent));
                ticks.push(Tick { at, label });
            }
        }
    }
    ticks
}

/// Less than a decade: equal steps of the value, placed by logarithm.
fn narrow(unit: Unit, low: f64, high: f64, most: usize) -> Vec<Tick> {
    let linear = ticks(unit, Scale::Linear, 10f64.powf(low), 10f64.powf(high), most);
    linear.into_iter().filter(|tick| tick.at > 0.0).map(|tick| Tick { at: tick.at.log10(), ..tick }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(unit: Unit, scale: Scale, low: f64, high: f64, most: usize) -> Vec<String> {
        ticks(unit, scale, low, high, most).into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn times_are_marked_by_powers_of_two() {
        let found = labels(Unit::Times, Scale::Log10, 0.85f64.log10(), 75f64.log10(), 8);
        assert_eq!(found, ["1", "2", "4", "8", "16", "32", "64"]);
        assert_eq!(labels(Unit::Times, Scale::Log10, 0.0, 1025f64.log10(), 5), ["1", "8", "64", "512"]);
    }

    #[test]
    fn things_that_are_not_divided_are_marked_one_by_one() {
        assert_eq!(labels(Unit::Whole, Scale::Linear, 1.0, 2.0, 6), ["1", "2"]);
        assert_eq!(labels(Unit::Whole, Scale::Linear, 1.0, 4.0, 6), ["1", "2", "3", "4"]);
        assert_eq!(
            labels(Unit::Whole, Scale::Linear, 0.0, 64.0, 7),
            labels(Unit::Count, Scale::Linear, 0.0, 64.0, 7)
        );
    }

    #[test]
    fn retention_is_marked_in_days_and_years() {
        let found = labels(Unit::Seconds, Scale::Log10, DAY.log10(), YEAR.log10(), 8);
        assert_eq!(found, ["1 d", "7 d", "30 d", "1 y"]);
    }

    #[test]
    fn a_few_years_are_marked_by_year() {
        assert_eq!(labels(Unit::Seconds, Scale::Linear, 0.0, 3.0 * YEAR, 4), ["0", "1 y", "2 y", "3 y"]);
        assert_eq!(labels(Unit::Seconds, Scale::Linear, 0.0, 90.0 * DAY, 4), ["0", "30 d", "60 d", "90 d"]);
    }

    #[test]
    fn decades_thin_out_with_their_number() {
        assert_eq!(labels(Unit::Usd, Scale::Log10, 2.0, 4.5, 6), ["$100", "$1k", "$10k"]);
        let deep = labels(Unit::Probability, Scale::Log10, -30.0, 0.0, 6);
        assert_eq!(deep, ["10⁻³⁰", "10⁻²⁵", "10⁻²⁰", "10⁻¹⁵", "10⁻¹⁰", "10⁻⁵", "1"]);
        assert!(labels(Unit::Count, Scale::Log10, -300.0, 300.0, 6).len() <= 7);
    }

    #[test]
    fn every_axis_has_two_labels_at_least() {
        for unit in [Unit::Bytes, Unit::Usd, Unit::Seconds, Unit::Count, Unit::Percent, Unit::Probability] {
            for low in [-299.0, -30.3, -4.6, 0.0, 1.91, 4.93, 17.2, 250.1] {
                for span in [0.05, 0.2, 0.5, 0.9, 1.3, 2.0, 5.1, 11.0, 13.0, 40.0] {
                    let log = labels(unit, Scale::Log10, low, low + span, 6).len();
                    assert!((2..=14).contains(&log), "{unit:?} 10^{low}, {span} decades: {log}");
                }
                let linear = labels(unit, Scale::Linear, 0.0, 10f64.powf(low), 6).len();
                assert!((2..=14).contains(&linear), "{unit:?} to 10^{low}: {linear}");
            }
        }
    }
}
