//! A sheet of paper measured in pixels, on which text, lines and areas are drawn as SVG.
//!
//! plotters keeps whole coordinates; a sheet that is ten units to the pixel keeps lines true, and
//! the page's view box brings it back to pixels.

use std::sync::Once;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, RGBColor, ShapeStyle, TextStyle, register_font};

use crate::error::{Error, Result};

/// Units of the sheet in a pixel.
const UNITS: f64 = 10.0;
/// Family name of the font that ships with the crate.
pub const FONT: &str = "Inter";
/// The font in regular weight.
pub const REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.otf");
/// The font in semi-bold weight.
pub const SEMIBOLD: &[u8] = include_bytes!("../fonts/Inter-SemiBold.otf");
/// plotters calls a font of 1.24 px what SVG calls 1 px.
const PLOTTERS_EM: f64 = 1.24;
/// ab_glyph scales a font to its ascent plus descent: (2728 + 680) / 2816 em in Inter.
const GLYPH_EM: f64 = 3408.0 / 2816.0;
/// plotters puts the baseline this far under the top of a line.
const TOP_TO_BASELINE: f64 = 0.76;

/// A place on the sheet in pixels from its upper left corner.
pub type Place = (f64, f64);

/// Size in pixels, weight and colour of text.
#[derive(Clone, Copy)]
pub struct Type {
    /// Height of the em in pixels.
    pub px: f64,
    /// Semi-bold instead of regular.
    pub bold: bool,
    /// Colour of the letters.
    pub colour: RGBColor,
}

/// Which end of a text lies at its place.
#[derive(Clone, Copy)]
pub enum Align {
    /// The text runs to the right of its place.
    Left,
    /// The text is centred on its place.
    Centre,
    /// The text ends at its place.
    Right,
}

/// A figure being drawn.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

impl<'a> Canvas<'a> {
    /// A white sheet, written to `svg` when it is finished.
    pub fn new(svg: &'a mut String, width: f64, height: f64) -> Result<Self> {
        let area =
            SVGBackend::with_string(svg, (unit(width) as u32, unit(height) as u32)).into_drawing_area();
        area.fill(&super::palette::PAPER).map_err(failed)?;
        Ok(Self { area })
    }

    /// One line of text with its baseline at `place`.
    pub fn text(&self, text: &str, (x, y): Place, align: Align, kind: Type) -> Result<()> {
        let top = y - TOP_TO_BASELINE * kind.px;
        let anchor = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let style = TextStyle { pos: Pos::new(anchor, VPos::Top), ..style(kind.px * UNITS, kind) };
        let text: String = text.chars().filter(|&letter| drawable(letter)).collect();
        self.area.draw(&Text::new(text, (unit(x), unit(top)), style)).map_err(failed)
    }

    /// A straight or broken line; `dash` holds drawn and blank lengths in turn, none for a solid line.
    pub fn line(&self, places: &[Place], width: f64, colour: RGBColor, dash: &[f64]) -> Result<()> {
        if dash.is_empty() {
            return self.solid(places, width, colour);
        }
        super::dash::stretches(places, dash).iter().try_for_each(|part| self.solid(part, width, colour))
    }

    fn solid(&self, places: &[Place], width: f64, colour: RGBColor) -> Result<()> {
        if places.len() < 2 {
            return Ok(());
        }
        let path: Vec<_> = places.iter().map(units).collect();
        let style = ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: unit(width) as u32 };
        self.area.draw(&PathElement::new(path, style)).map_err(failed)
    }

    /// A filled area; `opacity` 0 to 1.
    pub fn polygon(&self, places: &[Place], colour: RGBColor, opacity: f64) -> Result<()> {
        let path: Vec<_> = places.iter().map(units).collect();
        self.area.draw(&Polygon::new(path, colour.mix(opacity).filled())).map_err(failed)
    }

    /// A filled rectangle between two corners.
    pub fn rectangle(&self, from: Place, to: Place, colour: RGBColor) -> Result<()> {
        self.area.draw(&Rectangle::new([units(&from), units(&to)], colour.filled())).map_err(failed)
    }

    /// A filled disc.
    pub fn disc(&self, centre: Place, radius: f64, colour: RGBColor) -> Result<()> {
        self.area.draw(&Circle::new(units(&centre), unit(radius), colour.filled())).map_err(failed)
    }

    /// Ends the sheet.
    pub fn finish(self) -> Result<()> {
        self.area.present().map_err(failed)
    }
}

/// Whether XML allows a letter and a line of text can hold it (XML 1.0, section 2.2).
pub fn drawable(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{FFFE}' | '\u{FFFF}')
}

/// Width of a line of text in pixels.
pub fn width(text: &str, kind: Type) -> Result<f64> {
    // Measured large, since plotters rounds to whole units.
    const MEASURE: f64 = 1000.0;
    let (width, _) = style(MEASURE * GLYPH_EM / PLOTTERS_EM, kind)
        .font
        .box_size(text)
        .map_err(|error| Error::data(format!("the figure's font cannot be measured: {error}")))?;
    Ok(f64::from(width) / MEASURE * kind.px)
}

/// Width of the widest of several lines of text in pixels.
pub fn widest<'t>(mut texts: impl Iterator<Item = &'t str>, kind: Type) -> Result<f64> {
    texts.try_fold(0.0, |widest: f64, text| Ok(widest.max(width(text, kind)?)))
}

/// Text broken at spaces into lines no wider than `room`; a word that is wider is shortened.
pub fn wrap(text: &str, room: f64, kind: Type) -> Result<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) if width(&longer, kind)? <= room => *line = longer,
            _ => lines.push(shorten(word, room, kind)?),
        }
    }
    Ok(lines)
}

/// As [`wrap`], with lines of about equal length: no last line of a single word.
pub fn wrap_evenly(text: &str, room: f64, kind: Type) -> Result<Vec<String>> {
    let lines = wrap(text, room, kind)?;
    let (mut narrow, mut wide, mut best) = (room / 2.0, room, lines);
    while best.len() > 1 && wide - narrow > 4.0 {
        let middle = f64::midpoint(narrow, wide);
        let tried = wrap(text, middle, kind)?;
        if tried.len() > best.len() || tried.iter().any(|line| line.contains('…')) {
            narrow = middle;
        } else {
            (wide, best) = (middle, tried);
        }
    }
    Ok(best)
}

/// Text that fits `room`, its middle left out where it is too long: names differ at either end.
pub fn shorten(text: &str, room: f64, kind: Type) -> Result<String> {
    let letters: Vec<char> = text.chars().filter(|&letter| drawable(letter)).collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let (head, tail) = (&letters[..head], &letters[letters.len() - tail..]);
        head.iter().chain(&['…']).chain(tail).collect()
    };
    let whole: String = letters.iter().collect();
    // A letter narrower than a twelfth of the em is rare: beyond that no measuring is needed.
    let most = (room / kind.px * 12.0) as usize;
    if letters.len() <= most && width(&whole, kind)? <= room {
        return Ok(whole);
    }
    let (mut fits, mut spills) = (0, letters.len().min(most + 1));
    while spills - fits > 1 {
        let middle = fits + (spills - fits) / 2;
        if width(&cut(middle), kind)? <= room { fits = middle } else { spills = middle }
    }
    Ok(cut(fits))
}

fn style(units: f64, kind: Type) -> TextStyle<'static> {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        // A failure shows as an error of the first text that is measured.
        let _ = register_font(FONT, FontStyle::Normal, REGULAR);
        let _ = register_font(FONT, FontStyle::Bold, SEMIBOLD);
    });
    let weight = if kind.bold { FontStyle::Bold } else { FontStyle::Normal };
    let style = TextStyle::from((FONT, units * PLOTTERS_EM, weight));
    TextStyle { color: kind.colour.to_backend_color(), ..style }
}

fn unit(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

fn units(&(x, y): &Place) -> (i32, i32) {
    (unit(x), unit(y))
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::data(format!("the figure cannot be drawn: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Type = Type { px: 12.0, bold: false, colour: super::super::palette::INK };

    /// Layout measures with one library and another sets the text: they have to agree.
    #[test]
    fn text_is_measured_as_wide_as_it_is_set() {
        let options = resvg::usvg::Options {
            fontdb: std::sync::Arc::clone(&super::super::FONTS),
            ..resvg::usvg::Options::default()
        };
        for (bold, weight) in [(false, "normal"), (true, "bold")] {
            for text in ["MySQL/InnoDB", "cost per month, 200,000 keys/s", "10⁻³⁰ – ½ €", "iiiillll"]
            {
                let svg = format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\"><text font-family=\"{FONT}\" font-size=\"24\" \
                     font-weight=\"{weight}\" y=\"50\">{text}</text></svg>"
                );
                let tree = resvg::usvg::Tree::from_str(&svg, &options).expect("it is an SVG");
                let set = f64::from(tree.root().abs_bounding_box().width());
                let measured =
                    width(text, Type { px: 24.0, bold, ..KIND }).expect("the font ships with the crate");
                // Ink lacks the blank sides of the first and last letter, a tenth of the em each at most.
                assert!((-0.5..4.8).contains(&(measured - set)), "{text}: measured {measured}, set {set}");
            }
        }
    }

    #[test]
    fn wrapped_lines_fit_and_keep_every_word() {
        let text = "A finding of some length that goes on beyond the width of one line";
        let lines = wrap(text, 120.0, KIND).expect("the font ships with the crate");
        assert!(lines.len() > 2);
        assert_eq!(lines.join(" "), text);
        for line in lines {
            assert!(width(&line, KIND).expect("the font ships with the crate") <= 120.0, "{line}");
        }
    }

    #[test]
    fn shortened_names_fit_and_keep_both_ends() {
        for length in [30, 3000, 300_000] {
            let name = format!("first{}last", "x".repeat(length));
            let short = shorten(&name, 90.0, KIND).expect("the font ships with the crate");
            assert!(short.starts_with("first") && short.ends_with("last") && short.contains('…'), "{short}");
            assert!(width(&short, KIND).expect("the font ships with the crate") <= 90.0);
        }
    }
}
