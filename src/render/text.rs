//! Documents as text for a terminal of a given width.

use super::{number, sentence, shown};
use crate::document::{Cell, Column, Document, Table, Unit};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle};
use std::fmt::Write;

/// A rule under the headings and nothing else: numbers are read down a column.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

/// The whole document: the answer first, then drawings, then every shown table, then the notes.
pub fn to_string(document: &Document, width: u16, coloured: bool) -> String {
    let mut out = String::new();
    for line in &document.lead {
        wrapped(&mut out, &sentence(line), width, "");
    }
    for drawing in &document.drawings {
        let apart = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{apart}{}", drawing.join("\n"));
    }
    for shown_table in document.tables.iter().filter(|table| table.shown && !table.rows.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        table(&mut out, shown_table, width, coloured);
    }
    if !document.notes.is_empty() {
        out.push('\n');
    }
    for note in &document.notes {
        wrapped(&mut out, &sentence(note), width, "- ");
    }
    out
}

/// Room between columns, and before the first.
const GAP: usize = 1;
/// The least room in which words are still read as a text.
const READABLE: usize = 24;

fn table(out: &mut String, table: &Table, width: u16, coloured: bool) {
    let columns = fitting(table, usize::from(width));
    if !table.title.is_empty() {
        let _ = if coloured {
            writeln!(out, "\u{1b}[1m{}\u{1b}[0m", table.title)
        } else {
            writeln!(out, "{}", table.title)
        };
    }
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    drawn.set_header(columns.iter().map(|column| column.heading));
    for row in &table.rows {
        drawn.add_row(columns.iter().map(|column| number::rounded(&row[column.at], column.unit)));
    }
    for (place, column) in columns.iter().enumerate() {
        if let Some(drawn) = drawn.column_mut(place) {
            drawn.set_padding((0, column.padding()));
            drawn.set_cell_alignment(if column.words { CellAlignment::Left } else { CellAlignment::Right });
            if !column.flexible() {
                drawn.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }
    for line in drawn.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// A column about to be drawn.
struct Drawn {
    at: usize,
    heading: &'static str,
    unit: Unit,
    spare: bool,
    words: bool,
    length: usize,
}

impl Drawn {
    /// Words need more room than numbers to be told from the next column.
    fn padding(&self) -> u16 {
        u16::from(self.words)
    }

    /// Only a text is broken over lines; names and numbers stay whole.
    fn flexible(&self) -> bool {
        self.words && self.length > READABLE
    }

    fn least(&self) -> usize {
        let length = if self.flexible() { READABLE } else { self.length };
        GAP + usize::from(self.padding()) + length
    }
}

/// The columns that a width has room for: spare ones go, the first first.
fn fitting(table: &Table, width: usize) -> Vec<Drawn> {
    let measured = |(at, heading, column): (usize, &'static str, Column)| {
        let cells = table.rows.iter().map(|row| number::rounded(&row[at], column.unit).chars().count());
        let words =
            column.unit == Unit::None && table.rows.iter().any(|row| matches!(row[at], Cell::Text(_)));
        let length = cells.chain([heading.chars().count()]).max().unwrap_or(0);
        Drawn { at, heading, unit: column.unit, spare: column.spare, words, length }
    };
    let mut columns: Vec<Drawn> = shown(table).into_iter().map(measured).collect();
    // A column of words may be drawn a character wider than its longest cell.
    while columns.iter().map(Drawn::least).sum::<usize>() >= width {
        match columns.iter().position(|column| column.spare) {
            Some(first) => columns.remove(first),
            None => break,
        };
    }
    columns
}

/// Breaks a line at spaces; what follows is indented as far as the mark in front.
fn wrapped(out: &mut String, text: &str, width: u16, mark: &str) {
    let indent = " ".repeat(mark.chars().count());
    let mut line = mark.to_owned();
    let mut used = mark.chars().count();
    let start = used;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > start && used + 1 + length > usize::from(width) {
            let _ = writeln!(out, "{}", line.trim_end());
            line.clone_from(&indent);
            used = start;
        }
        if used > start {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_note_is_wrapped_under_its_mark() {
        let mut out = String::new();
        wrapped(&mut out, "one two three four", 10, "- ");
        assert_eq!(out, "- one two\n  three\n  four\n");
    }
}
