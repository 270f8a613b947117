//! What surrounds the marks: title, inputs, legend and notes.

use plotters::style::RGBColor;

use super::canvas::{Align, Canvas, Place, Type, shorten, width, wrap, wrap_evenly};
use super::palette::{INK, MUTED};
use crate::document::figure::Figure;
use crate::error::Result;
use crate::render::sentence;

/// Width of every figure in pixels.
pub const WIDTH: f64 = 800.0;
/// Blank border around everything.
pub const MARGIN: f64 = 24.0;

const TITLE: Type = Type { px: 17.0, bold: true, colour: INK };
const SUBTITLE: Type = Type { px: 12.0, bold: false, colour: MUTED };
const ENTRY: Type = Type { px: 11.0, bold: false, colour: INK };
const NOTE: Type = Type { px: 10.0, bold: false, colour: MUTED };
const SWATCH: f64 = 12.0;

/// Title and inputs, broken into lines.
pub struct Header {
    title: Vec<String>,
    subtitle: Vec<String>,
}

impl Header {
    /// The header of a figure.
    pub fn new(figure: &Figure) -> Result<Self> {
        let room = WIDTH - 2.0 * MARGIN;
        let clean = |text: &str| text.replace(char::is_control, " ");
        Ok(Self {
            title: wrap_evenly(&clean(&sentence(&figure.title)), room, TITLE)?,
            subtitle: wrap(&clean(&sentence(&figure.subtitle)), room, SUBTITLE)?,
        })
    }

    /// The pixel below it.
    pub fn bottom(&self) -> f64 {
        MARGIN + 22.0 * self.title.len() as f64 + 17.0 * self.subtitle.len() as f64
    }

    /// Draws it at the top of the sheet.
    pub fn draw(&self, canvas: &Canvas) -> Result<()> {
        let mut baseline = MARGIN - 7.0;
        for line in &self.title {
            baseline += 22.0;
            canvas.text(line, (MARGIN, baseline), Align::Left, TITLE)?;
        }
        baseline += 3.0;
        for line in &self.subtitle {
            baseline += 17.0;
            canvas.text(line, (MARGIN, baseline), Align::Left, SUBTITLE)?;
        }
        Ok(())
    }
}

/// How an entry of the legend is shown.
#[derive(Clone, Copy)]
pub enum Swatch {
    /// A filled square.
    Area(RGBColor),
    /// A stretch of line.
    Line(RGBColor, &'static [f64]),
    /// A disc.
    Dot(RGBColor),
}

/// Names with the look of what they name, in rows.
pub struct Legend {
    entries: Vec<(String, Swatch, Place)>,
    height: f64,
}

impl Legend {
    /// Rows of entries that fit the sheet; places count from the legend's upper left corner.
    pub fn new(names: impl IntoIterator<Item = (String, Swatch)>) -> Result<Self> {
        let room = WIDTH - 2.0 * MARGIN;
        let (mut x, mut y) = (0.0, 0.0);
        let mut entries = Vec::new();
        for (name, swatch) in names {
            let name = shorten(&name, 220.0, ENTRY)?;
            let advance = swatch.length() + 6.0 + width(&name, ENTRY)? + 18.0;
            if x > 0.0 && x + advance - 18.0 > room {
                (x, y) = (0.0, y + 19.0);
            }
            entries.push((name, swatch, (x, y)));
            x += advance;
        }
        let height = if entries.is_empty() { 0.0 } else { y + 19.0 };
        Ok(Self { entries, height })
    }

    /// Height of all rows.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Draws it below `top`.
    pub fn draw(&self, canvas: &Canvas, top: f64) -> Result<()> {
        for (name, swatch, (x, y)) in &self.entries {
            let (x, middle) = (MARGIN + x, top + y + SWATCH / 2.0);
            let end = x + swatch.length();
            match *swatch {
                Swatch::Area(colour) => {
                    canvas.rectangle((x, middle - SWATCH / 2.0), (end, middle + SWATCH / 2.0), colour)?;
                }
                Swatch::Line(colour, dash) => {
                    canvas.line(&[(x, middle), (end, middle)], 2.0, colour, dash)?
                }
                Swatch::Dot(colour) => canvas.disc((x + SWATCH / 2.0, middle), 3.0, colour)?,
            }
            canvas.text(name, (end + 6.0, middle + 4.0), Align::Left, ENTRY)?;
        }
        Ok(())
    }
}

impl Swatch {
    fn length(self) -> f64 {
        if matches!(self, Self::Line(..)) { 2.0 * SWATCH } else { SWATCH }
    }
}

/// Sentences under the figure on what it does not show.
pub struct Notes(Vec<String>);

impl Notes {
    /// The sentences, broken into lines.
    pub fn new(sentences: &[String]) -> Result<Self> {
        let lines = sentences.iter().map(|text| wrap(text, WIDTH - 2.0 * MARGIN, NOTE));
        Ok(Self(lines.collect::<Result<Vec<_>>>()?.concat()))
    }

    /// Height of all lines.
    pub fn height(&self) -> f64 {
        14.0 * self.0.len() as f64
    }

    /// Draws them below `top`.
    pub fn draw(&self, canvas: &Canvas, top: f64) -> Result<()> {
        let baselines = (1..).map(|line| top + 14.0 * f64::from(line) - 4.0);
        self.0
            .iter()
            .zip(baselines)
            .try_for_each(|(line, y)| canvas.text(line, (MARGIN, y), Align::Left, NOTE))
    }
}
