//! Figures of a document, by name, and what they draw.

use uuidcap::document::figure::{Figure, Marks, Series};

/// The figure of that name.
pub fn figure<'a>(figures: &'a [Figure], name: &str) -> &'a Figure {
    figures.iter().find(|figure| figure.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

/// Its lines.
pub fn series(figure: &Figure) -> &[Series] {
    match &figure.marks {
        Marks::Series(series) => series,
        other => panic!("lines are drawn, not {other:?}"),
    }
}
