//! Lines, steps, histograms and dots on two axes of numbers.

use plotters::style::{Color, RGBColor};

use super::axes::{Fit, LABEL, Ruler};
use super::canvas::{Align, Canvas, Place, Type, shorten, widest};
use super::clip;
use super::frame::{Header, Legend, MARGIN, Notes, Swatch, WIDTH};
use super::page;
use super::palette::{self, AXIS, INK};
use super::place::spread;
use crate::document::figure::{Axis, Figure, Point, Scale, Series, Shape};
use crate::error::{Error, Result};

/// Most series that colour and dash tell apart.
const MOST: usize = 40;
/// Most points of all series: beyond it the file grows and the picture does not.
const MOST_POINTS: usize = 20_000;
/// Lines of at most this many points show where the points are.
const MOST_DOTS: usize = 12;
const HEIGHT: f64 = 500.0;
const LEAST_PLOT: f64 = 280.0;
const NAME: Type = Type { px: 11.0, bold: true, colour: INK };
/// Distance of the baselines of two names.
const NAME_GAP: f64 = 14.0;
/// Length of the leader from the end of a line to its name.
const LEADER: f64 = 16.0;

/// The figure as SVG.
pub fn draw(figure: &Figure, series: &[Series]) -> Result<String> {
    if series.len() > MOST {
        let came = series.len().to_string();
        return Err(Error::value("the number of series in a figure", &came, "at most 40", "several figures"));
    }
    let points: usize = series.iter().map(|one| one.points.len()).sum();
    if points > MOST_POINTS {
        let allowed = "at most 20000, as no page shows more";
        return Err(Error::value(
            "the number of points in a figure",
            &points.to_string(),
            allowed,
            "wider steps",
        ));
    }
    if !series.iter().any(|one| shown(figure, one)) {
        return Err(Error::data("no value lies on its axes"));
    }
    // Names stand beside lines; areas and clouds have no end to put them at, and lines that end in one
    // place cannot be told apart there.
    let direct = series.iter().all(|one| matches!(one.shape, Shape::Line | Shape::Step) && !is_band(one));
    let mut layout = Layout::new(figure, series, direct)?;
    if direct && layout.ends_coincide(series) {
        layout = Layout::new(figure, series, false)?;
    }
    page(WIDTH, layout.height, |canvas| layout.draw(canvas, figure, series))
}

struct Layout {
    header: Header,
    legend: Legend,
    /// The name of each series where they stand beside the lines.
    names: Option<Vec<String>>,
    notes: Notes,
    x: Ruler,
    y: Ruler,
    height: f64,
}

impl Layout {
    fn new(figure: &Figure, series: &[Series], direct: bool) -> Result<Self> {
        let header = Header::new(figure)?;
        let swatches = series.iter().enumerate().map(|(i, one)| (one.name.clone(), swatch(i, one)));
        let legend = Legend::new(swatches.filter(|_| !direct))?;
        let notes = Notes::new(&notes(figure, series))?;
        let names = direct.then(|| series.iter().map(|one| shorten(&one.name, 190.0, NAME)).collect());
        let names: Option<Vec<String>> = names.transpose()?;

        let top = header.bottom() + legend.height() + if legend.height() > 0.0 { 58.0 } else { 46.0 };
        let below = 46.0 + notes.height() + MARGIN;
        let needed = LEAST_PLOT.max(names.as_ref().map_or(0.0, |names| NAME_GAP * names.len() as f64));
        let bottom = (HEIGHT - below).max(top + needed);

        let ys = series.iter().flat_map(|one| one.points.iter().flat_map(heights));
        let y = Ruler::new(&figure.y, ys, Fit::Quantity, (bottom, top), ((bottom - top) / 44.0) as usize)?;
        let column = match &names {
            Some(names) => LEADER + 4.0 + widest(names.iter().map(String::as_str), NAME)?,
            None => 10.0,
        };
        let (left, right) = (MARGIN + y.label_width()? + 8.0, WIDTH - MARGIN - column);
        let xs = series.iter().flat_map(|one| one.points.iter().map(|point| point.x));
        let x = Ruler::new(&figure.x, xs, Fit::Tight, (left, right), ((right - left) / 85.0) as usize)?;
        Ok(Self { header, legend, names, notes, x, y, height: bottom + below })
    }

    fn draw(&self, canvas: &Canvas, figure: &Figure, series: &[Series]) -> Result<()> {
        let ((left, right), (bottom, top)) = (self.x.ends(), self.y.ends());
        self.header.draw(canvas)?;
        self.legend.draw(canvas, self.header.bottom() + 14.0)?;
        let label = shorten(&figure.y.label, WIDTH - 2.0 * MARGIN, LABEL)?;
        canvas.text(&label, (MARGIN, top - 16.0), Align::Left, LABEL)?;
        self.x.draw_below(canvas, top, bottom, &figure.x)?;
        self.y.draw_beside(canvas, left, right)?;
        let floor = self.y.floor();
        canvas.line(&[(left, floor), (right, floor)], 1.0, AXIS, &[])?;

        for (i, one) in series.iter().enumerate() {
            self.draw_areas(canvas, one, palette::line(i))?;
        }
        for (i, one) in series.iter().enumerate() {
            self.draw_line(canvas, one, i)?;
        }
        if let Some(names) = &self.names {
            self.draw_names(canvas, names, series)?;
        }
        self.notes.draw(canvas, self.height - MARGIN - self.notes.height())
    }

    /// The stretches of a series between its gaps, in pixels.
    fn runs(&self, series: &Series) -> Vec<Vec<Place>> {
        let mut runs: Vec<Vec<Place>> = vec![Vec::new()];
        for point in &series.points {
            match self.place(point) {
                Some(place) => runs.last_mut().expect("a run was opened before the loop").push(place),
                None => runs.push(Vec::new()),
            }
        }
        runs.retain(|run| !run.is_empty());
        runs
    }

    fn place(&self, point: &Point) -> Option<Place> {
        self.x.place(point.x).zip(point.y.and_then(|y| self.y.place(y)))
    }

    fn inside(&self, &(x, y): &Place) -> bool {
        self.x.holds(x) && self.y.holds(y)
    }

    /// The last visible point of each series that has one.
    fn ends(&self, series: &[Series]) -> Vec<(usize, Place)> {
        let end = |one: &Series| {
            let places = one.points.iter().rev().filter_map(|point| self.place(point));
            places.into_iter().find(|place| self.inside(place))
        };
        series.iter().enumerate().filter_map(|(i, one)| Some((i, end(one)?))).collect()
    }

    /// Whether most lines end where another does.
    fn ends_coincide(&self, series: &[Series]) -> bool {
        let ends = self.ends(series);
        let near = |a: Place, b: Place| (a.0 - b.0).abs() < 2.0 && (a.1 - b.1).abs() < 2.0;
        let shared = ends.iter().filter(|&&(i, a)| ends.iter().any(|&(j, b)| i != j && near(a, b))).count();
        shared > 2 && 2 * shared > ends.len()
    }

    fn corners(&self) -> (Place, Place) {
        let ((left, right), (bottom, top)) = (self.x.ends(), self.y.ends());
        ((left, top), (right, bottom))
    }

    /// What lies under all lines: bins, and intervals as bands or, of dots, as whiskers.
    fn draw_areas(&self, canvas: &Canvas, one: &Series, colour: RGBColor) -> Result<()> {
        if one.shape == Shape::Bins {
            one.points.windows(2).try_for_each(|pair| self.draw_bin(canvas, &pair[0], &pair[1], colour))?;
        }
        let runs = one.points.split(|point| point.interval.is_none());
        for run in runs.map(|run| run.iter().filter_map(|point| self.interval(point)).collect::<Vec<_>>()) {
            if run.len() == 1 || one.shape == Shape::Dots {
                run.iter().try_for_each(|ends| canvas.line(ends, 1.2, colour, &[]))?;
            } else if !run.is_empty() {
                let (lower, upper) = (run.iter().map(|ends| ends[0]), run.iter().rev().map(|ends| ends[1]));
                canvas.polygon(&lower.chain(upper).collect::<Vec<_>>(), colour, BAND)?;
            }
        }
        Ok(())
    }

    /// One bin of a histogram: from its point to where the next begins.
    fn draw_bin(&self, canvas: &Canvas, point: &Point, next: &Point, colour: RGBColor) -> Result<()> {
        let Some((start, end)) = self.place(point).zip(self.x.place(next.x)) else { return Ok(()) };
        let ((x0, y), (x1, floor)) = (self.pin(start), self.pin((end, self.y.floor())));
        // Bins of some width are parted by a hair of paper.
        let hair = if x1 - x0 > 4.0 { 0.5 } else { 0.0 };
        canvas.rectangle((x0 + hair, y.min(floor)), (x1.max(x0) - hair, y.max(floor)), blend(colour, BINS))
    }

    /// Lower and upper end of a point's interval; an end that has no place lies on the axis.
    fn interval(&self, point: &Point) -> Option<[Place; 2]> {
        let (x, ends) = self.x.place(point.x).zip(point.interval)?;
        Some(ends.map(|y| self.pin((x, self.y.place(y).unwrap_or(self.y.floor())))))
    }

    /// The nearest place between the axes.
    fn pin(&self, (x, y): Place) -> Place {
        let (from, to) = self.corners();
        (x.clamp(from.0, to.0), y.clamp(from.1, to.1))
    }

    fn draw_line(&self, canvas: &Canvas, one: &Series, i: usize) -> Result<()> {
        let (from, to) = self.corners();
        let colour = palette::line(i);
        for run in &self.runs(one) {
            let path = match one.shape {
                Shape::Line => run.clone(),
                Shape::Step => steps(run),
                Shape::Bins | Shape::Dots => Vec::new(),
            };
            for visible in clip::inside(&path, from, to) {
                canvas.line(&visible, 2.0, colour, palette::dash(i))?;
            }
            let few = one.shape == Shape::Line && one.points.len() <= MOST_DOTS;
            if few || one.shape == Shape::Dots || run.len() == 1 && one.shape != Shape::Bins {
                for place in run.iter().filter(|place| self.inside(place)) {
                    canvas.disc(*place, 3.0, colour)?;
                }
            }
        }
        Ok(())
    }

    /// Names in a column to the right, each tied to the end of its line.
    fn draw_names(&self, canvas: &Canvas, names: &[String], series: &[Series]) -> Result<()> {
        let ends = self.ends(series);
        let wanted: Vec<f64> = ends.iter().map(|(_, place)| place.1).collect();
        let ((_, right), (bottom, top)) = (self.x.ends(), self.y.ends());
        let heights = spread(&wanted, NAME_GAP, top, bottom);
        for (&(i, end), y) in ends.iter().zip(heights) {
            let colour = palette::line(i);
            let start = (end.0.max(right - 1.0).min(end.0) + 5.0, end.1);
            let bend = (start.0.max(right + 3.0), start.1);
            let dash: &[f64] = if bend.0 > start.0 + 4.0 { &[1.0, 3.0] } else { &[] };
            canvas.line(&[start, bend], 0.8, colour, dash)?;
            canvas.line(&[bend, (right + LEADER, y)], 0.8, colour, &[])?;
            let kind = Type { colour: palette::text(colour), ..NAME };
            canvas.text(&names[i], (right + LEADER + 4.0, y + 4.0), Align::Left, kind)?;
        }
        Ok(())
    }
}

/// Share of colour in bins and in bands.
const BINS: f64 = 0.35;
const BAND: f64 = 0.15;

/// Whether a series has intervals and nothing else.
fn is_band(one: &Series) -> bool {
    one.points.iter().all(|point| point.y.is_none())
        && one.points.iter().any(|point| point.interval.is_some())
}

fn swatch(i: usize, one: &Series) -> Swatch {
    match one.shape {
        _ if is_band(one) => Swatch::Area(blend(palette::line(i), BAND)),
        Shape::Bins => Swatch::Area(blend(palette::line(i), BINS)),
        Shape::Dots => Swatch::Dot(palette::line(i)),
        Shape::Line | Shape::Step => Swatch::Line(palette::line(i), palette::dash(i)),
    }
}

/// A colour on paper as if it let `1 − share` of the paper through.
fn blend(colour: RGBColor, share: f64) -> RGBColor {
    let (r, g, b) = colour.rgb();
    let mix = |channel: u8| (f64::from(channel) * share + 255.0 * (1.0 - share)).round() as u8;
    RGBColor(mix(r), mix(g), mix(b))
}

/// Everything that the vertical axis has to hold of a point.
fn heights(point: &Point) -> impl Iterator<Item = f64> {
    point.y.into_iter().chain(point.interval.into_iter().flatten())
}

fn steps(run: &[Place]) -> Vec<Place> {
    let corners = run.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
    corners.chain(run.last().copied()).collect()
}

/// Whether any value of a series lies on the axes.
fn shown(figure: &Figure, one: &Series) -> bool {
    let on = |axis: &Axis, value: f64| {
        value.is_finite()
            && (axis.scale == Scale::Linear || value > 0.0)
            && axis.range.is_none_or(|[low, high]| (low..=high).contains(&value))
    };
    one.points.iter().any(|point| on(&figure.x, point.x) && heights(point).any(|y| on(&figure.y, y)))
}

/// What the figure leaves out.
fn notes(figure: &Figure, series: &[Series]) -> Vec<String> {
    let lost = |axis: &Axis, value: f64| axis.scale == Scale::Log10 && value <= 0.0;
    let points = || series.iter().flat_map(|one| &one.points);
    let count = points()
        .filter(|point| lost(&figure.x, point.x) || point.y.is_some_and(|y| lost(&figure.y, y)))
        .count();
    let mut notes = Vec::new();
    if count > 0 {
        let values = if count == 1 {
            "1 value of zero or less has"
        } else {
            &format!("{count} values of zero or less have")
        };
        notes.push(format!("{values} no place on a logarithmic axis."));
    }
    let empty: Vec<&str> =
        series.iter().filter(|one| !shown(figure, one)).map(|one| one.name.as_str()).collect();
    if !empty.is_empty() {
        notes.push(format!("Without a value to show: {}.", empty.join(", ")));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::figure::{Marks, Unit};

    fn named(shape: Shape, ends: &[f64]) -> (Figure, Vec<Series>) {
        let line = |(i, &end): (usize, &f64)| Series::line(i.to_string(), [(0.0, i as f64), (1.0, end)]);
        let series: Vec<Series> = ends.iter().enumerate().map(|one| line(one).shaped(shape)).collect();
        let figure = Figure {
            name: "f".into(),
            title: Vec::new(),
            subtitle: Vec::new(),
            x: Axis::linear("x", Unit::Count),
            y: Axis::linear("y", Unit::Count),
            marks: Marks::Series(series.clone()),
        };
        (figure, series)
    }

    fn coincide(ends: &[f64]) -> bool {
        let (figure, series) = named(Shape::Line, ends);
        Layout::new(&figure, &series, true).expect("the values can be shown").ends_coincide(&series)
    }

    #[test]
    fn lines_are_told_apart_where_they_end_unless_most_end_together() {
        assert!(!coincide(&[1.0, 2.0, 3.0, 4.0]));
        assert!(!coincide(&[1.0, 1.0, 3.0, 4.0, 5.0]));
        assert!(coincide(&[5.0, 5.0, 5.0, 1.0]));
    }

    #[test]
    fn steps_turn_at_right_angles() {
        assert_eq!(steps(&[(0.0, 1.0), (2.0, 5.0)]), [(0.0, 1.0), (2.0, 1.0), (2.0, 5.0)]);
        assert_eq!(steps(&[(0.0, 1.0)]), [(0.0, 1.0)]);
    }

    #[test]
    fn what_is_left_out_is_told() {
        let (mut figure, mut series) = named(Shape::Line, &[0.0, 2.0]);
        figure.y.scale = Scale::Log10;
        series.push(Series::line("none", []));
        let told = notes(&figure, &series);
        assert_eq!(
            told,
            [
                "2 values of zero or less have no place on a logarithmic axis.",
                "Without a value to show: 0, none."
            ]
        );
    }
}
