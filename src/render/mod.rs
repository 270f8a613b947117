//! Documents drawn: text for terminals, Markdown and CSV for files, figures as PNG and SVG.
//!
//! Every number is rounded in [`number`] and nowhere else.

pub mod csv;
pub mod datapackage;
pub mod markdown;
pub mod number;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "cli")]
pub mod text;

use crate::document::{Cell, Column, Piece, Sentence, Table, Unit};

/// A sentence as a line of text.
pub(crate) fn sentence(sentence: &Sentence) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(words) => words.to_string(),
        Piece::Value(cell, unit) => number::rounded(cell, *unit),
        Piece::Exact(cell, unit) => number::exact(cell, *unit),
    };
    let text: String = sentence.iter().map(piece).collect();
    match sentence.first() {
        // Odds may be words, and a sentence begins with a capital.
        Some(Piece::Value(_, Unit::Odds)) => capitalised(&text),
        _ => text,
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The columns that people see, with their places in a row; those without any value are left out.
pub(crate) fn shown(table: &Table) -> Vec<(usize, &'static str, Column)> {
    let filled =
        |at: usize| table.rows.iter().any(|row| row.get(at).is_some_and(|cell| *cell != Cell::Empty));
    let visible = table.columns.iter().enumerate().filter(|(at, _)| filled(*at));
    visible.filter_map(|(at, column)| column.heading.map(|heading| (at, heading, *column))).collect()
}
