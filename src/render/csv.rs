//! Tables as CSV (RFC 4180): full precision, names as in the record, an empty field for no value.

use crate::document::{Cell, Table};
use std::io::Write;

/// Writes a table with its header.
///
/// # Errors
/// Where the sink does.
pub fn write(table: &Table, sink: impl Write) -> std::io::Result<()> {
    let kept: Vec<usize> = (0..table.columns.len()).filter(|at| table.columns[*at].name.is_some()).collect();
    let mut writer = ::csv::Writer::from_writer(sink);
    writer.write_record(kept.iter().filter_map(|at| table.columns[*at].name)).map_err(reason)?;
    for row in &table.rows {
        let fields = kept.iter().map(|at| row.get(*at).map_or_else(String::new, field));
        writer.write_record(fields).map_err(reason)?;
    }
    writer.flush()
}

/// The system's own error with its kind: a closed pipe must be told from a full disk.
fn reason(error: ::csv::Error) -> std::io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}

/// A cell that reads back to the same value.
fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.to_string(),
        Cell::Integer(value) => value.to_string(),
        Cell::Count(value) => value.to_string(),
        Cell::Real(value) => real(*value),
        Cell::Wide(value) => value.to_string(),
        Cell::Chance(value) => value.probability().to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Of(_, cell) => field(cell),
        Cell::Empty => String::new(),
    }
}

/// The shortest digits that read back, with an exponent where zeros would hide them.
fn real(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-5..1e17).contains(&size) => value.to_string(),
        _ => format!("{value:e}"),
    }
}
