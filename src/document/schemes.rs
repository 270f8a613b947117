//! The catalogue of identifiers for people: one table of schemes, and the layout of each.

use super::{Cell, Column, Document, Table, Unit, words};
use crate::engine::schemes::{Catalogue, Entry};
use crate::id::layout::Source;

/// Lays the answer out.
pub fn document(answer: &Catalogue) -> Document {
    let mut tables = vec![overview(answer)];
    tables.push(layouts(answer));
    let mut lead = Vec::new();
    if let [entry] = answer.schemes.as_slice() {
        lead.push(words(format!(
            "{} ({}): {} bits, {} of them random.",
            entry.title, entry.source, entry.total_bits, entry.random_bits.0
        )));
        lead.push(words(drawing(entry)));
        lead.push(words(format!("Life: {}. Fails by: {}.", entry.life, entry.failure)));
    }
    Document { lead, tables, ..Document::default() }
}

/// The layout as one line, field by field: `unix_ts_ms:48 │ ver:4 │ …`.
fn drawing(entry: &Entry) -> String {
    let fields = entry.layout.0.iter().map(|field| format!("{}:{}", field.name, field.bits()));
    format!("| {} |", fields.collect::<Vec<_>>().join(" | "))
}

fn overview(answer: &Catalogue) -> Table {
    let row = |entry: &Entry| {
        vec![
            entry.name.into(),
            Cell::Integer(entry.total_bits.into()),
            entry.random_bits.0.into(),
            entry.time_bits.0.into(),
            entry.bucket_s.into(),
            Cell::Integer(entry.text_chars.into()),
            drawing(entry).into(),
            entry.source.into(),
            entry.life.clone().into(),
            entry.failure.clone().into(),
        ]
    };
    Table {
        name: "schemes",
        title: "Identifiers".to_owned(),
        columns: vec![
            Column::both("scheme", "Scheme", Unit::None),
            Column::both("total_bits", "Bits", Unit::Bits),
            Column::both("random_bits", "Random", Unit::Bits),
            Column::both("time_bits", "Time", Unit::Bits),
            Column::both("bucket_s", "Bucket", Unit::Seconds),
            Column::both("text_chars", "Text", Unit::None),
            Column::shown("Layout", Unit::None),
            Column::both("source", "Source", Unit::None),
            Column::kept("life", Unit::None),
            Column::kept("failure", Unit::None),
        ],
        rows: answer.schemes.iter().map(row).collect(),
        shown: true,
    }
}

fn layouts(answer: &Catalogue) -> Table {
    let mut rows = Vec::new();
    for entry in &answer.schemes {
        let mut first = 0u128;
        for field in entry.layout.0 {
            let last = first + u128::from(field.digits) - 1;
            let source = match field.source {
                Source::Time => "clock",
                Source::Random => "random",
                Source::Counter => "counter",
                Source::Node => "node",
                Source::Fixed => "fixed",
                Source::Custom => "application",
            };
            let bits = field.bits().into();
            rows.push(vec![
                entry.name.into(),
                field.name.into(),
                Cell::Integer(first),
                Cell::Integer(last),
                bits,
                source.into(),
            ]);
            first = last + 1;
        }
    }
    Table {
        name: "layouts",
        title: "Layout, bit 0 first on the wire".to_owned(),
        columns: vec![
            Column::both("scheme", "Scheme", Unit::None),
            Column::both("field", "Field", Unit::None),
            Column::both("first_bit", "From bit", Unit::Bits),
            Column::both("last_bit", "To bit", Unit::Bits),
            Column::both("bits", "Bits", Unit::Bits),
            Column::both("source", "From", Unit::None),
        ],
        rows,
        shown: answer.schemes.len() == 1,
    }
}
