//! A data dictionary of a study's tables: `datapackage.json` in the form of the Frictionless standard.

use crate::document::{Cell, Document, Table, Unit, dictionary};
use crate::error::{Error, Result};
use serde::Serialize;

#[derive(Serialize)]
struct Package<'a> {
    profile: &'static str,
    name: &'a str,
    resources: Vec<Resource>,
}

#[derive(Serialize)]
struct Resource {
    profile: &'static str,
    name: &'static str,
    path: String,
    format: &'static str,
    encoding: &'static str,
    schema: Schema,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    fields: Vec<Field>,
    missing_values: [&'static str; 1],
}

#[derive(Serialize)]
struct Field {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    description: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
}

/// The dictionary of a document's tables, as JSON with a line feed at its end.
///
/// # Errors
/// None that JSON does not have.
pub fn to_string(name: &str, document: &Document) -> Result<String> {
    let package = Package {
        profile: "tabular-data-package",
        name,
        resources: document.tables.iter().filter(|table| table.is_kept()).map(resource).collect(),
    };
    let text = serde_json::to_string_pretty(&package);
    text.map(|text| text + "\n")
        .map_err(|error| Error::data(format!("the data dictionary has no JSON form: {error}")))
}

fn resource(table: &Table) -> Resource {
    let field = |(at, name): (usize, &'static str)| Field {
        name,
        kind: kind(table, at),
        description: dictionary::describe(name),
        unit: unit(table.columns[at].unit),
    };
    let named =
        table.columns.iter().enumerate().filter_map(|(at, column)| column.name.map(|name| (at, name)));
    Resource {
        profile: "tabular-data-resource",
        name: table.name,
        path: format!("{}.csv", table.name),
        format: "csv",
        encoding: "utf-8",
        schema: Schema { fields: named.map(field).collect(), missing_values: [""] },
    }
}

/// The narrowest type that every cell of a column has.
fn kind(table: &Table, at: usize) -> &'static str {
    let cells = || table.rows.iter().filter_map(|row| row.get(at)).filter(|cell| **cell != Cell::Empty);
    if cells().any(|cell| matches!(cell, Cell::Text(_))) {
        "string"
    } else if cells().any(|cell| matches!(cell, Cell::Real(_) | Cell::Wide(_) | Cell::Chance(_))) {
        "number"
    } else if cells().any(|cell| matches!(cell, Cell::Flag(_))) {
        "boolean"
    } else if cells().next().is_some() {
        "integer"
    } else {
        "any"
    }
}

fn unit(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::None | Unit::Keys => None,
        Unit::Bytes | Unit::BytesEach => Some("B"),
        Unit::BytesPerSecond => Some("B/s"),
        Unit::PerSecond => Some("1/s"),
        Unit::Seconds => Some("s"),
        Unit::Years => Some("a"),
        Unit::Usd | Unit::UsdShort => Some("USD"),
        Unit::Share | Unit::Probability | Unit::Percent | Unit::Odds => Some("1"),
        Unit::Bits => Some("bit"),
    }
}
