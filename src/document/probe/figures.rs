//! The figures of `probe`: what each order takes in each store, by part, and what it writes to the log.

use super::{text, value};
use crate::document::Unit;
use crate::document::figure::{Axis, Bars, Figure, Marks, Part, Unit as AxisUnit};
use crate::engine::probe::{Answer, Probe, Row};

/// Those that the answer has the data for.
pub(super) fn figures(question: &Probe, answer: &Answer) -> Vec<Figure> {
    [bytes(question, answer), log(question, answer)].into_iter().flatten().collect()
}

fn name(row: &Row) -> String {
    format!("{} {}", row.store, row.key_order)
}

fn bytes(question: &Probe, answer: &Answer) -> Option<Figure> {
    let by = |one: &&Row, other: &&Row| one.bytes_per_key.total_cmp(&other.bytes_per_key);
    let (least, most) = (answer.rows.iter().min_by(by)?, answer.rows.iter().max_by(by)?);
    let part = |name: &str, bytes: fn(&Row) -> f64| Part {
        name: name.to_owned(),
        values: answer.rows.iter().map(|row| Some(bytes(row)).filter(|bytes| *bytes > 0.0)).collect(),
    };
    let mut parts = vec![part("table", |row| row.table_bytes_per_key)];
    if answer.rows.iter().any(|row| row.index_bytes_per_key > 0.0) {
        parts.push(part("index", |row| row.index_bytes_per_key));
    }
    Some(Figure {
        name: "bytes-per-key".to_owned(),
        title: vec![
            text(format!("{} takes ", name(most))),
            value(most.bytes_per_key, Unit::BytesEach),
            text(format!(" bytes a key, {} ", name(least))),
            value(least.bytes_per_key, Unit::BytesEach),
        ],
        subtitle: subtitle(question),
        x: Axis::linear("Bytes per key", AxisUnit::Bytes),
        y: Axis::linear("Store and order", AxisUnit::Count),
        marks: Marks::StackedBars(Bars { categories: answer.rows.iter().map(name).collect(), parts }),
    })
}

fn log(question: &Probe, answer: &Answer) -> Option<Figure> {
    let rows: Vec<(&Row, f64)> =
        answer.rows.iter().filter_map(|row| Some((row, row.log_bytes_per_insert?))).collect();
    let by = |one: &&(&Row, f64), other: &&(&Row, f64)| one.1.total_cmp(&other.1);
    let (least, most) = (rows.iter().min_by(by)?, rows.iter().max_by(by)?);
    Some(Figure {
        name: "log-bytes-per-insert".to_owned(),
        title: vec![
            text(format!("{} logs ", name(most.0))),
            value(most.1, Unit::BytesEach),
            text(format!(" bytes an insert, {} ", name(least.0))),
            value(least.1, Unit::BytesEach),
        ],
        subtitle: subtitle(question),
        x: Axis::linear("Log bytes per insert", AxisUnit::Bytes),
        y: Axis::linear("Store and order", AxisUnit::Count),
        marks: Marks::StackedBars(Bars {
            categories: rows.iter().map(|(row, _)| name(row)).collect(),
            parts: vec![Part {
                name: "log".to_owned(),
                values: rows.iter().map(|(_, bytes)| Some(*bytes)).collect(),
            }],
        }),
    })
}

fn subtitle(question: &Probe) -> crate::document::Sentence {
    vec![
        value(crate::document::Cell::Integer(question.keys().into()), Unit::Keys),
        text(" keys at "),
        value(question.rate_per_s(), Unit::PerSecond),
        text(format!("/s, {} to a transaction", question.batch())),
    ]
}
