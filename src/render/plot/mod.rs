//! Draws a figure as SVG and PNG that look the same on every machine.
//!
//! plotters writes an SVG whose text is text; usvg sets it in the font that ships with the crate and
//! turns it into outlines. The SVG that is handed out and the pixels of the PNG come from that one
//! tree. No font of the system is looked for, and equal figures give equal bytes.

mod axes;
mod bars;
mod canvas;
mod clip;
mod dash;
mod frame;
mod number;
mod palette;
mod parts;
mod place;
mod series;
mod ticks;

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Indent, Options, Tree, WriteOptions, fontdb};

use crate::document::figure::{Bars, Figure, Marks};
use crate::error::{Error, Result};
use crate::render::sentence;
use canvas::Canvas;

/// Pixels of the PNG for one pixel of the figure: sharp on dense screens and in print.
const PNG_SCALE: f32 = 2.0;

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(canvas::REGULAR.to_vec());
    fonts.load_font_data(canvas::SEMIBOLD.to_vec());
    Arc::new(fonts)
});

/// A figure that has been drawn, to be written in either format.
#[derive(Debug)]
pub struct Drawing {
    tree: Tree,
    title: String,
    description: String,
}

/// Draws a figure once.
///
/// # Errors
/// A figure without a value to show, or with values that its axes cannot hold, is refused.
pub fn draw(figure: &Figure) -> Result<Drawing> {
    let sheet = match &figure.marks {
        Marks::Series(list) if list.is_empty() => Err(Error::data("it has nothing to show")),
        Marks::Series(list) => series::draw(figure, list),
        Marks::StackedBars(bars) => bars::stacked(figure, bars),
        Marks::GroupedBars(bars) => bars::grouped(figure, bars),
    };
    let sheet = sheet.map_err(|error| error.within(&format!("figure \"{}\"", figure.name)))?;
    let options =
        Options { fontdb: Arc::clone(&FONTS), font_family: canvas::FONT.to_string(), ..Options::default() };
    let tree = Tree::from_str(&sheet, &options)
        .map_err(|error| Error::data(format!("the figure \"{}\" cannot be set: {error}", figure.name)))?;
    Ok(Drawing { tree, title: sentence(&figure.title), description: describe(figure) })
}

/// The figure as SVG, its text as outlines.
///
/// # Errors
/// As [`draw`].
pub fn svg(figure: &Figure) -> Result<String> {
    Ok(draw(figure)?.svg())
}

/// The figure as PNG of twice its size.
///
/// # Errors
/// As [`draw`].
pub fn png(figure: &Figure) -> Result<Vec<u8>> {
    draw(figure)?.png()
}

impl Drawing {
    /// The drawing as SVG, with title and description for those who cannot see it.
    pub fn svg(&self) -> String {
        let options = WriteOptions {
            coordinates_precision: 1,
            transforms_precision: 5,
            indent: Indent::None,
            ..WriteOptions::default()
        };
        let svg = self.tree.to_string(&options);
        let words =
            format!("<title>{}</title><desc>{}</desc>", escape(&self.title), escape(&self.description));
        match svg.split_once('>') {
            Some((head, rest)) => format!("{head} role=\"img\">{words}{rest}\n"),
            None => svg,
        }
    }

    /// The drawing as PNG.
    ///
    /// # Errors
    /// A drawing too large for memory is refused.
    pub fn png(&self) -> Result<Vec<u8>> {
        let size = self.tree.size();
        let side = |length: f32| (length * PNG_SCALE).ceil() as u32;
        let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
            .ok_or_else(|| Error::range("the figure is too large for an image"))?;
        resvg::render(&self.tree, Transform::from_scale(PNG_SCALE, PNG_SCALE), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| Error::data(format!("the image cannot be written: {error}")))
    }
}

/// SVG of a sheet of a size in pixels that `marks` draws on, its text as text.
fn page(width: f64, height: f64, marks: impl FnOnce(&Canvas) -> Result<()>) -> Result<String> {
    let mut svg = String::new();
    let canvas = Canvas::new(&mut svg, width, height)?;
    marks(&canvas)?;
    canvas.finish()?;
    // plotters gives the sheet's units as its size; the view box keeps them, the size is in pixels.
    let box_at = svg.find(" viewBox").ok_or_else(|| Error::data("the figure has no view box"))?;
    Ok(format!("<svg width=\"{width}\" height=\"{height}\"{}", &svg[box_at..]))
}

/// Inputs, axes and names in one sentence each.
fn describe(figure: &Figure) -> String {
    let listed = |bars: &Bars| {
        let parts: Vec<&str> = bars.parts.iter().map(|part| part.name.as_str()).collect();
        format!("{} for {}", parts.join(", "), bars.categories.join(", "))
    };
    let names = match &figure.marks {
        Marks::Series(list) => list.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", "),
        Marks::StackedBars(bars) | Marks::GroupedBars(bars) => listed(bars),
    };
    let axes = format!("{} by {}", figure.y.label, figure.x.label);
    [sentence(&figure.subtitle), axes, names].join(". ")
}

/// Text that XML allows.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars().filter(|&letter| canvas::drawable(letter)) {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            other => safe.push(other),
        }
    }
    safe
}
