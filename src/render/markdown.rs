//! Documents as Markdown, to be pasted into a review.

use super::{number, sentence, shown};
use crate::document::{Document, Table, Unit};
use std::fmt::Write;

/// The whole document: the answer, drawings, every shown table, the notes.
pub fn to_string(document: &Document) -> String {
    let mut out = String::new();
    for line in &document.lead {
        let _ = writeln!(out, "{}\n", escaped(&sentence(line)));
    }
    for drawing in &document.drawings {
        let _ = writeln!(out, "```text\n{}\n```\n", drawing.join("\n"));
    }
    for shown_table in document.tables.iter().filter(|table| table.shown && !table.rows.is_empty()) {
        table(&mut out, shown_table);
    }
    for note in &document.notes {
        let _ = writeln!(out, "- {}", escaped(&sentence(note)));
    }
    out
}

fn table(out: &mut String, table: &Table) {
    let columns = shown(table);
    if !table.title.is_empty() {
        let _ = writeln!(out, "### {}\n", table.title);
    }
    let headings: Vec<&str> = columns.iter().map(|(_, heading, _)| *heading).collect();
    let rules: Vec<&str> =
        columns.iter().map(|(.., column)| if column.unit == Unit::None { "---" } else { "---:" }).collect();
    let _ = writeln!(out, "| {} |\n|{}|", headings.join(" | "), rules.join("|"));
    for row in &table.rows {
        let cells = columns.iter().map(|(at, _, column)| escaped(&number::rounded(&row[*at], column.unit)));
        let _ = writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    out.push('\n');
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}
