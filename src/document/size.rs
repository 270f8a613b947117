//! The answer of `size` for people: the plain arithmetic first, then store by store.

use super::{Cell, Document, Piece, Sentence, Unit, word};
use crate::engine::size::{Answer, Case, Inputs};
use crate::store;
use tables::Axes;

mod figures;
mod notes;
mod tables;

/// Stems of all files that a study of `size` may have.
const FILES: [&str; 11] = [
    "stores",
    "keys_alone",
    "io",
    "parts",
    "log_parts",
    "purges",
    "bill",
    "notes",
    "growth",
    "cost-by-retention",
    "bytes-per-key",
];

/// The main table alone, for those who read nothing else.
pub fn main_table(answer: &Answer) -> Document {
    let table = tables::stores(answer, &Axes::of(answer), answer.cases.len() == 1);
    Document { tables: vec![table], ..Document::default() }
}

/// Lays the answer out. `by_retention` is the first case at several retentions, for a figure; `explain`
/// shows every part of every store.
pub fn document(inputs: &Inputs, answer: &Answer, by_retention: Option<&Answer>, explain: bool) -> Document {
    let single = answer.cases.len() == 1;
    let mut lead = match answer.cases.as_slice() {
        [case] => plain(case, inputs),
        cases => vec![vec![
            Piece::Exact(Cell::Integer(cases.len() as u128), Unit::None),
            Piece::Words(" cases: what stores take, then the keys alone.".into()),
        ]],
    };
    lead.push(terms(answer));
    let axes = Axes::of(answer);
    let mut tables = vec![tables::stores(answer, &axes, single)];
    if !single {
        tables.push(tables::keys_alone(answer, &axes));
    }
    tables.push(tables::io(answer, &axes, single));
    tables.push(tables::parts(answer, &axes, explain));
    tables.push(tables::log_parts(answer, &axes, explain));
    tables.push(tables::purges(answer, &axes, explain));
    if inputs.growth.is_some() {
        tables.push(tables::growth(answer, &axes));
    }
    tables.push(tables::bill(answer, &axes, explain));
    tables.push(tables::remarks(answer, &axes, explain));
    let figures = figures::figures(inputs, answer, by_retention);
    let notes = notes::notes(inputs, answer, explain);
    Document { lead, tables, figures, notes, owned: &FILES, ..Document::default() }
}

/// The arithmetic that everybody can repeat, to the digit.
fn plain(case: &Case, inputs: &Inputs) -> Vec<Sentence> {
    let whole = |value: u128, unit| Piece::Exact(Cell::Integer(value), unit);
    let price = inputs.price_per_gb_month_usd.map_or(0.10, |usd| usd.as_f64());
    vec![
        vec![
            rate(case),
            Piece::Words(" keys/s kept ".into()),
            Piece::Value(case.retention_s.as_f64().into(), Unit::Seconds),
            Piece::Words(" are ".into()),
            whole(case.live_keys, Unit::None),
            Piece::Words(" live keys.".into()),
        ],
        vec![
            Piece::Words("The keys alone, ".into()),
            whole(case.key_bytes.into(), Unit::None),
            Piece::Words(" bytes each: ".into()),
            whole(case.raw_bytes, Unit::None),
            Piece::Words(" bytes (".into()),
            Piece::Value(Cell::Integer(case.raw_bytes), Unit::Bytes),
            Piece::Words("); in ".into()),
            whole(case.replicas.into(), Unit::None),
            Piece::Words(if case.replicas == 1 { " copy ".into() } else { " copies ".into() }),
            whole(case.raw_replicated_bytes, Unit::None),
            Piece::Words(" bytes (".into()),
            Piece::Value(Cell::Integer(case.raw_replicated_bytes), Unit::Bytes),
            Piece::Words("); at ".into()),
            Piece::Exact(Cell::Real(price), Unit::Usd),
            Piece::Words(" per GB-month ".into()),
            Piece::Exact(case.raw_usd_per_month.as_f64().into(), Unit::Usd),
            Piece::Words(" a month.".into()),
        ],
    ]
}

/// The rate to its last digit where it has few.
fn rate(case: &Case) -> Piece {
    let rate = case.rate_per_s.as_f64();
    match rate.to_string().len() {
        ..=14 => Piece::Exact(rate.into(), Unit::PerSecond),
        _ => Piece::Value(rate.into(), Unit::PerSecond),
    }
}

/// What the tables below are about: whatever is the same in every case.
fn terms(answer: &Answer) -> Sentence {
    let cases = answer.cases.as_slice();
    let Some(case) = cases.first() else { return Vec::new() };
    let same = |of: fn(&Case) -> Cell| cases.iter().all(|other| of(other) == of(case));
    let mut text = vec![Piece::Words("What stores take".into())];
    let mut join = " for ";
    if same(|c| c.key.name().into()) && same(|c| word(&c.key_format).into()) {
        text.push(Piece::Words(
            format!("{join}{} keys as {}", case.key.name(), word(&case.key_format)).into(),
        ));
        join = ", ";
    }
    if same(|c| word(&c.record).into()) && same(|c| Cell::Integer(c.response_bytes.into())) {
        text.push(Piece::Words(format!("{join}record \"{}\"", word(&case.record)).into()));
        if case.record.has_outcome() {
            text.push(Piece::Words(format!(" with {} response bytes", case.response_bytes).into()));
        }
        join = ", ";
    }
    if same(|c| Cell::Integer(c.replicas.into())) {
        let copies = if case.replicas == 1 { "copy" } else { "copies" };
        text.push(Piece::Words(format!("{join}{} {copies}", case.replicas).into()));
        join = ", ";
    }
    if same(|c| c.headroom.0.as_f64().into()) {
        text.push(Piece::Words(join.into()));
        text.push(Piece::Value(case.headroom.0.as_f64().into(), Unit::Share));
        text.push(Piece::Words(" headroom".into()));
    }
    text.push(Piece::Words("; loaded, before expired keys pile up:".into()));
    text
}

/// The store's name for people.
fn title(name: &str) -> &'static str {
    store::find(name).map_or("", |model| model.title())
}
