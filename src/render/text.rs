//! Documents as text for a terminal of a given width.

use super::{number, sentence, shown};
use crate::document::{Cell, Document, Table, Unit};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};
use std::fmt::Write;

/// A rule under the headings and nothing else: numbers are read down a column.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

/// The whole document: the answer first, then every shown table, then the notes.
pub fn to_string(document: &Document, width: u16, coloured: bool) -> String {
    let mut out = String::new();
    for line in &document.lead {
        wrapped(&mut out, &sentence(line), width, "");
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

fn table(out: &mut String, table: &Table, width: u16, coloured: bool) {
    let columns = shown(table);
    if !table.title.is_empty() {
        let _ = if coloured {
            writeln!(out, "\u{1b}[1m{}\u{1b}[0m", table.title)
        } else {
            writeln!(out, "{}", table.title)
        };
    }
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    drawn.set_header(columns.iter().map(|(_, heading, _)| *heading));
    for row in &table.rows {
        drawn.add_row(columns.iter().map(|(at, _, column)| number::rounded(&row[*at], column.unit)));
    }
    for (place, (at, _, column)) in columns.iter().enumerate() {
        let numbers =
            column.unit != Unit::None || table.rows.iter().all(|row| !matches!(row[*at], Cell::Text(_)));
        if let Some(drawn) = drawn.column_mut(place) {
            // Words need more room than numbers to be told from the next column.
            drawn.set_padding((0, u16::from(!numbers)));
            drawn.set_cell_alignment(if numbers { CellAlignment::Right } else { CellAlignment::Left });
        }
    }
    for line in drawn.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
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
