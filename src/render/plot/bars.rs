//! Horizontal bars, one a category: parts end to end with their sum, or side by side; dots on a
//! logarithmic axis.

use super::axes::{Fit, Ruler};
use super::canvas::{Align, Canvas, Type, shorten, widest, width};
use super::frame::{Header, Legend, MARGIN, Notes, Swatch, WIDTH};
use super::palette::{self, AXIS, INK, MUTED, PAPER};
use super::{number, page, parts};
use crate::document::figure::{Bars, Figure, Marks, Scale, Unit};
use crate::error::{Error, Result};

const CATEGORY: Type = Type { px: 12.0, bold: false, colour: INK };
const TOTAL: Type = Type { px: 11.5, bold: true, colour: INK };
const INSIDE: Type = Type { px: 9.5, bold: false, colour: INK };
/// Height of a stacked bar, of one of several grouped bars, and the gap between categories.
const STACKED: f64 = 22.0;
const GROUPED: f64 = 15.0;
const GAP: f64 = 11.0;
/// Radius of a dot that stands for a bar.
const DOT: f64 = 4.5;
/// Most bars in a figure: beyond it the sheet is longer than a page.
const MOST: usize = 120;

/// SVG of a figure whose parts add up.
pub fn stacked(figure: &Figure, bars: &Bars) -> Result<String> {
    check(figure, bars)?;
    if figure.x.scale == Scale::Log10 {
        let what = format!("the axis \"{}\" of stacked bars", figure.x.label);
        return Err(Error::value(&what, "logarithmic", "linear, since parts add up", "a linear axis"));
    }
    if let Some(part) = bars.parts.iter().find(|part| part.values.iter().flatten().any(|&value| value < 0.0))
    {
        return Err(Error::data(format!("the part \"{}\" of a stacked bar is below zero", part.name)));
    }
    let (bars, folded) = parts::coloured(bars);
    let folded = (!folded.is_empty()).then(|| format!("In “other”: {}.", folded.join(", ")));
    let layout = Layout::new(figure, &bars, STACKED, totals(&bars), folded)?;
    page(WIDTH, layout.height, |canvas| {
        layout.draw_frame(canvas, figure)?;
        (0..bars.categories.len()).try_for_each(|row| layout.draw_stack(canvas, &bars, row))
    })
}

/// SVG of a figure whose parts stand side by side.
pub fn grouped(figure: &Figure, bars: &Bars) -> Result<String> {
    check(figure, bars)?;
    if bars.parts.len() > palette::AREA_COUNT {
        let came = bars.parts.len().to_string();
        return Err(Error::value("the number of bars side by side", &came, "at most 12", "several figures"));
    }
    let values: Vec<Option<f64>> = bars.parts.iter().flat_map(|part| part.values.iter().copied()).collect();
    let note = lost(figure, &values);
    let layout = Layout::new(figure, bars, GROUPED * bars.parts.len() as f64, values, note)?;
    page(WIDTH, layout.height, |canvas| {
        layout.draw_frame(canvas, figure)?;
        (0..bars.categories.len()).try_for_each(|row| layout.draw_group(canvas, bars, row))
    })
}

fn check(figure: &Figure, bars: &Bars) -> Result<()> {
    let (categories, parts) = (bars.categories.len(), bars.parts.len());
    if categories == 0 || parts == 0 {
        return Err(Error::data("it has no bars to show"));
    }
    if let Some(part) = bars.parts.iter().find(|part| part.values.len() != categories) {
        let count = part.values.len();
        return Err(Error::data(format!(
            "the part \"{}\" has {count} values for {categories} bars",
            part.name
        )));
    }
    let rows = if matches!(figure.marks, Marks::GroupedBars(_)) { parts } else { 1 };
    if categories.saturating_mul(rows) > MOST {
        let came = categories.saturating_mul(rows).to_string();
        return Err(Error::value("the number of bars in a figure", &came, "at most 120", "several figures"));
    }
    Ok(())
}

/// The sum of each bar; missing where every part is.
fn totals(bars: &Bars) -> Vec<Option<f64>> {
    let parts = |row: usize| bars.parts.iter().filter_map(move |part| part.values[row]);
    (0..bars.categories.len()).map(|row| parts(row).next().map(|_| parts(row).sum())).collect()
}

struct Layout {
    header: Header,
    legend: Legend,
    notes: Notes,
    names: Vec<String>,
    /// What is written at the end of each bar, the value itself where it is shown.
    ends: Vec<Option<f64>>,
    axis: Ruler,
    unit: Unit,
    scale: Scale,
    top: f64,
    /// Height of a category without its gap.
    row: f64,
    height: f64,
}

impl Layout {
    fn new(
        figure: &Figure,
        bars: &Bars,
        row: f64,
        ends: Vec<Option<f64>>,
        note: Option<String>,
    ) -> Result<Self> {
        let header = Header::new(figure)?;
        let swatches = bars.parts.iter().enumerate();
        let log = figure.x.scale == Scale::Log10;
        let look = |i| if log { Swatch::Dot(palette::area(i)) } else { Swatch::Area(palette::area(i)) };
        let swatches = swatches.map(|(i, part)| (part.name.clone(), look(i)));
        let legend = Legend::new(swatches.filter(|_| bars.parts.len() > 1))?;
        let notes = Notes::new(note.as_slice())?;
        let names = bars.categories.iter().map(|name| shorten(name, 190.0, CATEGORY));
        let names = names.collect::<Result<Vec<_>>>()?;

        let unit = figure.x.unit;
        let left = MARGIN + widest(names.iter().map(String::as_str), CATEGORY)? + 12.0;
        let labels: Vec<String> = ends.iter().map(|&end| label(unit, end)).collect();
        let end = widest(labels.iter().map(String::as_str), TOTAL)?;
        let right = WIDTH - MARGIN - end - 8.0;
        let top = header.bottom() + legend.height() + if legend.height() > 0.0 { 30.0 } else { 18.0 };
        let bottom = top + (row + GAP) * names.len() as f64;
        let most = ((right - left) / 85.0) as usize;
        let axis = Ruler::new(&figure.x, ends.iter().flatten().copied(), Fit::Bars, (left, right), most)?;
        let height = bottom + 46.0 + notes.height() + MARGIN;
        Ok(Self { header, legend, notes, names, ends, axis, unit, scale: figure.x.scale, top, row, height })
    }

    fn draw_frame(&self, canvas: &Canvas, figure: &Figure) -> Result<()> {
        self.header.draw(canvas)?;
        self.legend.draw(canvas, self.header.bottom() + 14.0)?;
        let bottom = self.top + (self.row + GAP) * self.names.len() as f64;
        self.axis.draw_below(canvas, self.top, bottom, &figure.x)?;
        let (left, _) = self.axis.ends();
        let floor = self.axis.floor();
        for (row, name) in self.names.iter().enumerate() {
            let middle = self.row_top(row) + self.row / 2.0;
            canvas.text(name, (left - 10.0, middle + 4.0), Align::Right, CATEGORY)?;
        }
        canvas.line(&[(floor, self.top), (floor, bottom)], 1.0, AXIS, &[])?;
        self.notes.draw(canvas, self.height - MARGIN - self.notes.height())
    }

    fn row_top(&self, row: usize) -> f64 {
        self.top + GAP / 2.0 + (self.row + GAP) * row as f64
    }

    fn draw_stack(&self, canvas: &Canvas, bars: &Bars, row: usize) -> Result<()> {
        let (top, bottom) = (self.row_top(row), self.row_top(row) + self.row);
        let mut sum = 0.0;
        let mut start = self.axis.floor();
        for (i, part) in bars.parts.iter().enumerate() {
            let value = part.values[row].unwrap_or(0.0);
            sum += value;
            let end = self.axis.place(sum).unwrap_or(start).min(self.axis.ends().1);
            // A hair of paper parts neighbours; a sliver is drawn whole, or it would vanish.
            let hair = if end - start > 2.0 { 0.8 } else { 0.0 };
            if end - start > 0.05 {
                canvas.rectangle((start, top), (end - hair, bottom), palette::area(i))?;
                self.draw_inside(canvas, value, i, start, end, bottom)?;
            }
            start = end;
        }
        self.draw_end(canvas, row, start, f64::midpoint(top, bottom))
    }

    /// The value of a part inside it, where there is room.
    fn draw_inside(
        &self,
        canvas: &Canvas,
        value: f64,
        i: usize,
        start: f64,
        end: f64,
        bottom: f64,
    ) -> Result<()> {
        let text = number::value(self.unit, value);
        if width(&text, INSIDE)? + 6.0 > end - start {
            return Ok(());
        }
        let kind = Type { colour: palette::on(palette::area(i)), ..INSIDE };
        let place = (f64::midpoint(start, end - 0.8), bottom - self.row / 2.0 + 3.5);
        canvas.text(&text, place, Align::Centre, kind)
    }

    fn draw_group(&self, canvas: &Canvas, bars: &Bars, row: usize) -> Result<()> {
        let floor = self.axis.floor();
        for (i, part) in bars.parts.iter().enumerate() {
            let top = self.row_top(row) + GROUPED * i as f64;
            let at = part.values[row].and_then(|value| self.axis.place(value));
            let (low, high) = self.axis.ends();
            let end = at.unwrap_or(floor).clamp(low, high);
            let (from, to) = (floor.min(end), floor.max(end));
            let (middle, index) = (top + GROUPED / 2.0, i * bars.categories.len() + row);
            if self.scale == Scale::Linear {
                canvas.rectangle((from, top + 1.0), (to, top + GROUPED - 1.0), palette::area(i))?;
                self.draw_end(canvas, index, to, middle)?;
                continue;
            }
            // A logarithmic axis has no zero for a bar to start from: only its end says something.
            self.draw_end(canvas, index, to + DOT, middle)?;
            if to > from {
                canvas.line(&[(from, middle), (to, middle)], 1.0, AXIS, &[])?;
                canvas.disc((to, middle), DOT, palette::area(i))?;
            }
        }
        Ok(())
    }

    fn draw_end(&self, canvas: &Canvas, index: usize, end: f64, middle: f64) -> Result<()> {
        let value = self.ends[index];
        let kind = if value.is_some() { TOTAL } else { Type { colour: MUTED, bold: false, ..TOTAL } };
        let text = label(self.unit, value);
        // Paper under the text, so that no grid line runs through it.
        let corner = (end + 6.0 + width(&text, kind)? + 2.0, middle + 6.0);
        canvas.rectangle((end + 4.0, middle - 6.0), corner, PAPER)?;
        canvas.text(&text, (end + 6.0, middle + 4.0), Align::Left, kind)
    }
}

fn label(unit: Unit, value: Option<f64>) -> String {
    value.map_or_else(|| "no value".to_string(), |value| number::value(unit, value))
}

/// What a logarithmic axis leaves out.
fn lost(figure: &Figure, values: &[Option<f64>]) -> Option<String> {
    let lost = values.iter().flatten().filter(|&&value| value <= 0.0).count();
    let note = || format!("{lost} without a dot: a logarithmic axis has no place for zero or less.");
    (figure.x.scale == Scale::Log10 && lost > 0).then(note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::figure::Part;

    #[test]
    fn a_bar_without_any_part_has_no_total() {
        let part = |values: [Option<f64>; 3]| Part { name: String::new(), values: values.to_vec() };
        let bars = Bars {
            categories: vec![String::new(); 3],
            parts: vec![part([Some(1.0), None, None]), part([Some(2.0), Some(4.0), None])],
        };
        assert_eq!(totals(&bars), [Some(3.0), Some(4.0), None]);
    }
}
