//! A figure as data: what is on its axes and which marks it holds, before anything is drawn.
//!
//! Values are numbers in the base unit of their axis (bytes, dollars, seconds); a renderer chooses
//! prefixes, ticks and colours. A missing value is `None`, never NaN.

use super::Sentence;

/// One figure of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Stem of the files it is written to, e.g. `cost-by-retention`.
    pub name: String,
    /// The finding, as a sentence: `At 7 days Redis costs $1.1M a month, PostgreSQL $6k`.
    pub title: Sentence,
    /// The inputs that the finding holds for; may be empty.
    pub subtitle: Sentence,
    /// The horizontal axis; of bars the axis of their values.
    pub x: Axis,
    /// The vertical axis; of bars only its label counts: it says what the categories are.
    pub y: Axis,
    /// What is drawn.
    pub marks: Marks,
}

/// What an axis measures and how it is divided.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is measured, without the unit: ticks carry it.
    pub label: String,
    /// Base unit of the values.
    pub unit: Unit,
    /// How a value becomes a position.
    pub scale: Scale,
    /// Lowest and highest value shown, where the data shall not decide.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// An axis of equal steps that the data bound.
    pub fn linear(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, scale: Scale::Linear, range: None }
    }

    /// An axis of equal ratios that the data bound.
    pub fn log10(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, scale: Scale::Log10, range: None }
    }

    /// The same axis from `low` to `high`; what lies outside is clipped.
    #[must_use]
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

/// How a value becomes a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps. An axis of quantities starts at zero.
    Linear,
    /// Equal ratios; zero and less have no place on it and are counted in a note.
    Log10,
}

/// Base unit of an axis' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, with decimal prefixes (1 kB = 1000 B).
    Bytes,
    /// US dollars.
    Usd,
    /// Seconds, shown as s, min, h, d and years of 365.25 days.
    Seconds,
    /// A number of things, or any number without a unit.
    Count,
    /// A number of things that are not divided: no fraction is marked.
    Whole,
    /// How many times as much: on an axis of equal ratios powers of two are marked.
    Times,
    /// A number of things per second.
    PerSecond,
    /// A share as a fraction of one: 0.25 is shown as 25 %.
    Percent,
    /// A probability between 0 and 1, shown as a number.
    Probability,
}

/// What is drawn between the axes.
#[derive(Debug, Clone, PartialEq)]
pub enum Marks {
    /// Series on two axes of numbers, the first at the back.
    Series(Vec<Series>),
    /// One horizontal bar a category, made of parts that add up.
    StackedBars(Bars),
    /// One horizontal bar a category and part, side by side; dots on a logarithmic axis.
    GroupedBars(Bars),
}

/// Points under one name.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend or beside the line.
    pub name: String,
    /// How its points are joined.
    pub shape: Shape,
    /// The points in the order they are joined.
    pub points: Vec<Point>,
}

impl Series {
    /// Points joined by straight lines.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().map(|(x, y)| Point::new(x, y)).collect();
        Self { name: name.into(), shape: Shape::Line, points }
    }

    /// The same points in another shape.
    #[must_use]
    pub fn shaped(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }
}

/// How the points of a series are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Straight lines.
    Line,
    /// Each value holds from its x to the next.
    Step,
    /// As `Step` and filled down to the axis: a histogram. The last point closes the last bin.
    Bins,
    /// Not joined.
    Dots,
}

/// One observation of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Place on the horizontal axis.
    pub x: f64,
    /// Place on the vertical axis; missing where there is no value, which leaves a gap.
    pub y: Option<f64>,
    /// Lower and upper end of its interval, drawn as a band, or as a whisker through a dot.
    pub interval: Option<[f64; 2]>,
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y: Some(y), interval: None }
    }
}

/// Categories by parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// Names of the categories, from top to bottom.
    pub categories: Vec<String>,
    /// The parts in stacking order; the same part has one colour in every bar.
    pub parts: Vec<Part>,
}

/// One part of every bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name in the legend.
    pub name: String,
    /// One value a category; missing where the category has no such part.
    pub values: Vec<Option<f64>>,
}
