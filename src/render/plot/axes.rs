//! An axis laid along a stretch of pixels: which values it spans, where a value lies, what is marked.

use super::canvas::{Align, Canvas, Type, shorten, widest, width};
use super::palette::{AXIS, GRID, MUTED};
use super::ticks::{self, Tick, round_step};
use crate::document::figure::{Axis, Scale, Unit};
use crate::error::{Error, Result};

/// Largest magnitude drawn: sums and differences of two such values are finite.
pub const LARGEST: f64 = 1e300;
/// Type of tick labels.
pub const TICK: Type = Type { px: 11.0, bold: false, colour: MUTED };
/// Type of axis labels.
pub const LABEL: Type = Type { px: 11.5, bold: false, colour: MUTED };

/// An axis with its span and its place on the sheet.
pub struct Ruler {
    unit: Unit,
    scale: Scale,
    /// Span in values, or in their decimal logarithms.
    low: f64,
    high: f64,
    /// The pixels of `low` and `high`.
    from: f64,
    to: f64,
    /// Labels that fit beside each other.
    most: usize,
}

/// How an axis is fitted to its data.
#[derive(Clone, Copy, PartialEq)]
pub enum Fit {
    /// From the first value to the last.
    Tight,
    /// From zero on a linear axis, to a round value or a margin beyond the last.
    Quantity,
    /// From zero to exactly the last value.
    Bars,
}

impl Ruler {
    /// The axis over `values` along the pixels `from` to `to`, with room for `most` labels.
    ///
    /// Values that the scale cannot hold are left out; an axis without any is an error.
    pub fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        fit: Fit,
        (from, to): (f64, f64),
        most: usize,
    ) -> Result<Self> {
        let (low, high) = match axis.range {
            Some([low, high]) => given(axis, low, high)?,
            None => fitted(axis, values, fit, most)?,
        };
        Ok(Self { unit: axis.unit, scale: axis.scale, low, high, from, to, most })
    }

    /// Where a value lies, none if it has no place on the scale; it may lie beyond either end.
    pub fn place(&self, value: f64) -> Option<f64> {
        let at = transform(self.scale, value)?;
        let share = (at - self.low) / (self.high - self.low);
        // Far beyond the sheet is as good as infinitely far, and can be computed with.
        Some(self.from + (self.to - self.from) * share.clamp(-1e4, 1e4))
    }

    /// Whether a pixel lies on the axis.
    pub fn holds(&self, pixel: f64) -> bool {
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        (low - 0.5..=high + 0.5).contains(&pixel)
    }

    /// The pixel that bars and filled areas start from: zero, or the low end where zero is not shown.
    pub fn floor(&self) -> f64 {
        let zero = if self.scale == Scale::Linear { self.place(0.0) } else { None };
        zero.filter(|&pixel| self.holds(pixel)).unwrap_or(self.from)
    }

    /// First and last pixel.
    pub fn ends(&self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// Width of the widest label.
    pub fn label_width(&self) -> Result<f64> {
        widest(self.ticks().iter().filter_map(|tick| tick.label.as_deref()), TICK)
    }

    /// Draws grid and labels of a horizontal axis whose grid reaches from `top` to `bottom`.
    pub fn draw_below(&self, canvas: &Canvas, top: f64, bottom: f64, axis: &Axis) -> Result<()> {
        let ticks = self.ticks();
        let shown = self.apart(&ticks)?;
        for (tick, shown) in ticks.iter().zip(shown) {
            let x = self.pixel(tick);
            if shown {
                canvas.line(&[(x, top), (x, bottom)], 1.0, GRID, &[])?;
                canvas.text(tick.label.as_deref().unwrap_or(""), (x, bottom + 18.0), Align::Centre, TICK)?;
            }
            canvas.line(&[(x, bottom), (x, bottom + if shown { 5.0 } else { 3.0 })], 1.0, AXIS, &[])?;
        }
        let label = shorten(&axis.label, (self.to - self.from).max(120.0), LABEL)?;
        canvas.text(&label, (f64::midpoint(self.from, self.to), bottom + 38.0), Align::Centre, LABEL)
    }

    /// Draws grid and labels of a vertical axis whose grid reaches from `left` to `right`.
    pub fn draw_beside(&self, canvas: &Canvas, left: f64, right: f64) -> Result<()> {
        for tick in self.ticks() {
            let y = self.pixel(&tick);
            match tick.label {
                Some(label) => {
                    canvas.line(&[(left, y), (right, y)], 1.0, GRID, &[])?;
                    canvas.text(&label, (left - 8.0, y + 4.0), Align::Right, TICK)?;
                }
                None => canvas.line(&[(left - 3.0, y), (left, y)], 1.0, AXIS, &[])?,
            }
        }
        Ok(())
    }

    fn ticks(&self) -> Vec<Tick> {
        let (low, high) = (self.low, self.high);
        let slack = (high - low) * 1e-6;
        let mut ticks = ticks::ticks(self.unit, self.scale, low, high, self.most);
        ticks.retain(|tick| (low - slack..=high + slack).contains(&tick.at));
        ticks
    }

    fn pixel(&self, tick: &Tick) -> f64 {
        self.from + (self.to - self.from) * (tick.at - self.low) / (self.high - self.low)
    }

    /// Which labels of a horizontal axis are shown, so that no two come closer than a letter.
    fn apart(&self, ticks: &[Tick]) -> Result<Vec<bool>> {
        let mut free = f64::NEG_INFINITY;
        let mut shown = Vec::with_capacity(ticks.len());
        for tick in ticks {
            let Some(label) = &tick.label else {
                shown.push(false);
                continue;
            };
            let (x, half) = (self.pixel(tick), width(label, TICK)? / 2.0);
            shown.push(x - half >= free);
            if x - half >= free {
                free = x + half + 10.0;
            }
        }
        Ok(shown)
    }
}

/// A value on the scale, none where it has no place there.
fn transform(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        _ if !value.is_finite() => None,
        Scale::Linear => Some(value),
        Scale::Log10 => (value > 0.0).then(|| value.log10()),
    }
}

fn given(axis: &Axis, low: f64, high: f64) -> Result<(f64, f64)> {
    let ends = transform(axis.scale, low).zip(transform(axis.scale, high));
    ends.filter(|(low, high)| low < high && low.abs() <= LARGEST && high.abs() <= LARGEST).ok_or_else(|| {
        let allowed = "two finite values, the lower one first and above zero on a logarithmic axis";
        Error::value(
            &format!("the range of the axis \"{}\"", axis.label),
            &format!("{low} to {high}"),
            allowed,
            "1 to 10",
        )
    })
}

fn fitted(axis: &Axis, values: impl Iterator<Item = f64>, fit: Fit, most: usize) -> Result<(f64, f64)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter_map(|value| transform(axis.scale, value)) {
        (low, high) = (low.min(value), high.max(value));
    }
    if low > high {
        let scale = if axis.scale == Scale::Log10 { " above zero" } else { "" };
        return Err(Error::data(format!("the axis \"{}\" has no value{scale} to show", axis.label)));
    }
    if low.abs() > LARGEST || high.abs() > LARGEST {
        return Err(Error::range(format!("the axis \"{}\" holds values beyond ±10^300", axis.label)));
    }
    Ok(match axis.scale {
        Scale::Linear => linear(low, high, fit, most),
        Scale::Log10 => logarithmic(low, high, fit, axis.unit),
    })
}

fn linear(low: f64, high: f64, fit: Fit, most: usize) -> (f64, f64) {
    let (mut low, mut high) = if fit == Fit::Tight { (low, high) } else { (low.min(0.0), high.max(0.0)) };
    // One value, or values that floats barely tell apart, stand in the middle of a span of their size.
    let size = low.abs().max(high.abs());
    if high - low <= size * 1e-9 || high - low < f64::MIN_POSITIVE {
        let half = if size < f64::MIN_POSITIVE { 0.5 } else { size * 0.5 };
        (low, high) = (low - half, high + half);
        if fit != Fit::Tight && size < f64::MIN_POSITIVE {
            (low, high) = (0.0, 1.0);
        }
    }
    if fit == Fit::Quantity {
        let (mantissa, exponent) = round_step((high - low) / most.max(1) as f64);
        let step = f64::from(mantissa) * 10f64.powi(exponent);
        if step.is_normal() {
            (low, high) = ((low / step + 1e-6).floor() * step, (high / step - 1e-6).ceil() * step);
        }
    }
    (low, high)
}

fn logarithmic(low: f64, high: f64, fit: Fit, unit: Unit) -> (f64, f64) {
    let margin = match fit {
        _ if high - low < 1e-9 => 0.5,
        Fit::Tight => 0.0,
        Fit::Quantity => (high - low).mul_add(0.05, 0.02),
        Fit::Bars => (high - low).mul_add(0.05, 0.3),
    };
    let top = if unit == Unit::Probability && high <= 0.0 { 0.0 } else { f64::INFINITY };
    let bottom = low - margin;
    (bottom, (high + if fit == Fit::Bars { 0.0 } else { margin }).min(top).max(bottom + 1e-3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruler(axis: &Axis, values: &[f64], fit: Fit) -> Result<Ruler> {
        Ruler::new(axis, values.iter().copied(), fit, (0.0, 100.0), 5)
    }

    #[test]
    fn every_value_of_the_data_lies_on_the_axis() {
        let sets: [&[f64]; 8] = [
            &[1.0],
            &[0.0],
            &[5.0, 5.0],
            &[-3.0, 4.0],
            &[1e-300, 1e300],
            &[-1e300, 1e300],
            &[5e-324, 1e-323],
            &[1e15, 1e15 + 1.0],
        ];
        for axis in [Axis::linear("a", Unit::Count), Axis::log10("a", Unit::Count)] {
            for values in sets {
                for fit in [Fit::Tight, Fit::Quantity, Fit::Bars] {
                    let Ok(ruler) = ruler(&axis, values, fit) else {
                        assert!(values.iter().all(|&v| v <= 0.0), "{values:?}");
                        continue;
                    };
                    for &value in values {
                        let pixel = ruler.place(value);
                        assert!(
                            pixel.is_none_or(|p| p.is_finite() && ruler.holds(p)),
                            "{value} at {pixel:?}"
                        );
                    }
                    assert!(ruler.ticks().len() < 200);
                }
            }
        }
    }

    #[test]
    fn quantities_start_at_zero() {
        let axis = Axis::linear("cost", Unit::Usd);
        let ruler = ruler(&axis, &[40.0, 97.0], Fit::Quantity).expect("the values can be shown");
        assert_eq!((ruler.low, ruler.high), (0.0, 100.0));
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let log = Axis::log10("odds", Unit::Probability);
        let empty = ruler(&log, &[0.0, -1.0, f64::NAN], Fit::Tight).err().expect("nothing is above zero");
        assert_eq!(empty.to_string(), "the axis \"odds\" has no value above zero to show");
        assert!(ruler(&log.clone().between(0.0, 1.0), &[0.5], Fit::Tight).is_err());
        assert!(ruler(&log.between(1.0, f64::INFINITY), &[0.5], Fit::Tight).is_err());
        assert!(ruler(&Axis::linear("x", Unit::Count), &[1e308], Fit::Tight).is_err());
    }
}
