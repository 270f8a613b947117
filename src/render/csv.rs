//! Tables as CSV (RFC 4180): full precision, names as in the record, an empty field for no value.

use crate::document::{Cell, Table};
use crate::error::{Error, Result};
use std::io::Write;

/// Writes a table with its header.
///
/// # Errors
/// Where the sink does.
pub fn write(table: &Table, sink: impl Write) -> std::io::Result<()> {
    let kept: Vec<usize> = (0..table.columns.len()).filter(|at| table.columns[*at].name.is_some()).collect();
    let mut writer = ::csv::Writer::from_writer(sink);
    writer.write_record(kept.iter().filter_map(|at| table.columns[*at].name))?;
    for row in &table.rows {
        writer.write_record(kept.iter().map(|at| row.get(*at).map_or_else(String::new, field)))?;
    }
    writer.flush()
}

/// A table as text.
///
/// # Errors
/// None that memory does not have.
pub fn to_string(table: &Table) -> Result<String> {
    let mut bytes = Vec::new();
    write(table, &mut bytes).map_err(|error| Error::data(format!("the table has no CSV form: {error}")))?;
    String::from_utf8(bytes).map_err(|error| Error::data(format!("the table is not UTF-8: {error}")))
}

/// A cell that reads back to the same value.
fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.to_string(),
        Cell::Integer(value) => value.to_string(),
        Cell::Real(value) => value.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Empty => String::new(),
    }
}
