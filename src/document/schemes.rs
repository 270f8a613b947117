//! The catalogue of identifiers for people: one table of schemes, or one scheme drawn to the bit.

mod drawing;

use super::{Cell, Column, Document, Piece, Sentence, Table, Unit, word, words};
use crate::engine::schemes::{Catalogue, Entry, TextForm};
use crate::id::layout::{BitCount, Source, seconds};
use crate::id::scheme::{Basis, Order, Separation, Sequence};

/// Lays the answer out.
pub fn document(answer: &Catalogue) -> Document {
    let mut document = Document { tables: vec![overview(answer)], ..Document::default() };
    if let [entry] = answer.schemes.as_slice() {
        document.lead = vec![what_it_is(entry), what_keeps_apart(entry)];
        document.drawings = vec![drawing::drawing(entry.layout)];
        document.notes = notes(entry);
    } else {
        document.notes = vec![words(
            "Apart: bits by which two ids differ that can clash at all: of one bucket, or the number of a node. \
             `uuidcap schemes v7` draws one scheme to the bit.",
        )];
    }
    document.tables.extend([layouts(answer), texts(answer), implementations(answer)]);
    document
}

impl From<BitCount> for Cell {
    fn from(bits: BitCount) -> Cell {
        if bits.0.fract() == 0.0 { Cell::Integer(bits.0 as u128) } else { Cell::Real(bits.0) }
    }
}

/// Nothing to count is no cell to read.
fn some(bits: BitCount) -> Cell {
    if bits.0 == 0.0 { Cell::Empty } else { bits.into() }
}

fn value(cell: impl Into<Cell>, unit: Unit) -> Piece {
    Piece::Value(cell.into(), unit)
}

fn text(text: impl Into<std::borrow::Cow<'static, str>>) -> Piece {
    Piece::Words(text.into())
}

fn what_it_is(entry: &Entry) -> Sentence {
    let bits = value(u128::from(entry.total_bits), Unit::Bits);
    let mut sentence = vec![text(format!("{} ({}): ", entry.title, entry.source)), bits, text(" bits")];
    for (count, what) in [
        (entry.time_bits, "of a clock"),
        (entry.random_bits, "random"),
        (entry.counter_bits, "of a counter"),
        (entry.node_bits, "of its maker"),
    ] {
        if count.0 > 0.0 {
            sentence.extend([text(", "), value(count, Unit::Bits), text(format!(" {what}"))]);
        }
    }
    sentence.push(text("."));
    sentence
}

fn what_keeps_apart(entry: &Entry) -> Sentence {
    let bits = || value(entry.pair_bits.map_or(Cell::Empty, Cell::from), Unit::Bits);
    let bucket = || value(entry.bucket_s, Unit::Seconds);
    match entry.separation {
        Separation::Flat(_) => {
            vec![text("Any two ids can clash: one space of "), bits(), text(" bits for all time.")]
        }
        Separation::Bucket { counter, .. } => {
            let from = if counter { " of different generators" } else { "" };
            let ids = format!("Only ids{from} within ");
            vec![
                text(ids),
                bucket(),
                text(" can clash; chance keeps them apart with "),
                bits(),
                text(" bits."),
            ]
        }
        Separation::Nodes { sequence, .. } => {
            let start = match sequence {
                Sequence::Resets => "starts at 0 every time",
                Sequence::RandomStart => "starts at random",
            };
            vec![
                text("Nothing is drawn for an id: a sequence of "),
                value(entry.counter_bits, Unit::Bits),
                text(format!(" bits, which {start}, counts ids of one maker within ")),
                bucket(),
                text("; only makers that share a number of "),
                bits(),
                text(" bits clash."),
            ]
        }
        Separation::Clock { .. } => {
            vec![
                text("Nothing is drawn: a number counts within "),
                bucket(),
                text(", and only the clock goes on."),
            ]
        }
        Separation::Application => {
            words("Whatever the application does keeps ids apart: nothing can be said.")
        }
    }
}

fn notes(entry: &Entry) -> Vec<Sentence> {
    let mut notes = Vec::new();
    if let Some(year) = entry.life_year {
        let life = value(entry.life_s, Unit::Seconds);
        notes.push(vec![text("Clock: runs for "), life, text(format!(", to the year {year}."))]);
    }
    let form = |form: &TextForm| match entry.layout.is_binary() {
        true => format!("{} {}", form.chars, form.name),
        false => form.chars.to_string(),
    };
    let forms: Vec<String> = entry.texts.iter().map(form).collect();
    notes.push(words(format!("Characters: {}.", forms.join(", "))));
    notes.push(words(format!("Order of one generator's ids: {}.", order(entry.order))));
    notes.extend(entry.overflow.map(|then| words(format!("When the counter is used up: {then}."))));
    notes.extend(entry.failures.iter().map(|failure| words(format!("Failure: {failure}."))));
    if !entry.aliases.is_empty() {
        notes.push(words(format!("Other names: {}.", entry.aliases.join(", "))));
    }
    notes.push(words(format!("Rests on: {}.", rests_on(entry.basis))));
    notes
}

fn order(order: Order) -> &'static str {
    match order {
        Order::None => "none",
        Order::Ticks => "by tick",
        Order::Rising => "rising",
    }
}

fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Specified => "standard",
        Basis::Documented => "documents",
        Basis::ReadInCode => "code read",
        Basis::Counted => "counted",
        Basis::Derived => "arithmetic",
    }
}

/// The same in a sentence.
fn rests_on(basis: Basis) -> &'static str {
    match basis {
        Basis::Specified => "its specification",
        Basis::Documented => "what its makers say of it",
        Basis::ReadInCode => "reading its code, which was not run",
        Basis::Counted => "reading its code and counting what it can give",
        Basis::Derived => "arithmetic",
    }
}

fn overview(answer: &Catalogue) -> Table {
    let row = |entry: &Entry| {
        vec![
            entry.name.into(),
            entry.title.into(),
            entry.of.into(),
            Cell::Integer(entry.total_bits.into()),
            entry.time_bits.into(),
            some(entry.random_bits),
            some(entry.counter_bits),
            entry.counter_drawn_bits.into(),
            some(entry.node_bits),
            entry.bucket_s.into(),
            entry.pair_bits.into(),
            Cell::Integer(entry.text_chars.into()),
            entry.life_s.into(),
            entry.life_year.map(|year| year.to_string()).into(),
            basis(entry.basis).into(),
            word(&entry.order).into(),
            entry.source.into(),
            entry.life.clone().into(),
            entry.overflow.into(),
            entry.failure.clone().into(),
        ]
    };
    Table {
        name: "schemes",
        title: "Identifiers".to_owned(),
        columns: vec![
            Column::both("scheme", "Scheme", Unit::None),
            Column::kept("title", Unit::None),
            Column::kept("of", Unit::None),
            Column::both("total_bits", "Bits", Unit::Bits),
            Column::both("time_bits", "Clock", Unit::Bits),
            Column::both("random_bits", "Random", Unit::Bits),
            Column::both("counter_bits", "Counter", Unit::Bits),
            Column::kept("counter_drawn_bits", Unit::Bits),
            Column::both("node_bits", "Node", Unit::Bits),
            Column::both("bucket_s", "Bucket", Unit::Seconds),
            Column::both("pair_bits", "Apart", Unit::Bits),
            Column::both("text_chars", "Text", Unit::None),
            Column::both("life_s", "Life", Unit::Seconds).spare(),
            Column::both("life_year", "Ends", Unit::None),
            Column::both("basis", "Rests on", Unit::None).spare(),
            Column::kept("order", Unit::None),
            Column::kept("source", Unit::None),
            Column::kept("life", Unit::None),
            Column::kept("overflow", Unit::None),
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
            let step = (field.source == Source::Time).then(|| seconds(field.step_s));
            rows.push(vec![
                entry.name.into(),
                field.name.into(),
                Cell::Integer(first),
                Cell::Integer(first + u128::from(field.digits) - 1),
                BitCount(field.bits()).into(),
                Cell::Integer(field.base.into()),
                from(field.source).into(),
                some(BitCount(field.drawn_bits())),
                step.into(),
            ]);
            first += u128::from(field.digits);
        }
    }
    let binary = answer.schemes.iter().all(|entry| entry.layout.is_binary());
    let digit = if binary { "bit 0 first on the wire" } else { "digit by digit" };
    Table {
        name: "layouts",
        title: format!("Layout, {digit}"),
        columns: vec![
            Column::kept("scheme", Unit::None),
            Column::both("field", "Field", Unit::None),
            Column::both("first_bit", "First", Unit::Bits),
            Column::both("last_bit", "Last", Unit::Bits),
            Column::both("bits", "Bits", Unit::Bits),
            Column::kept("alphabet", Unit::None),
            Column::both("source", "From", Unit::None),
            Column::both("drawn_bits", "Drawn", Unit::Bits),
            Column::both("step_s", "Step", Unit::Seconds),
        ],
        rows,
        shown: answer.schemes.len() == 1,
    }
}

/// Where the digits of a field come from.
fn from(source: Source) -> &'static str {
    match source {
        Source::Time => "clock",
        Source::Random => "random",
        Source::Counter => "counter",
        Source::Node => "node",
        Source::Fixed => "fixed",
        Source::Custom => "application",
    }
}

fn texts(answer: &Catalogue) -> Table {
    let forms = answer.schemes.iter().flat_map(|entry| entry.texts.iter().map(|form| (entry.name, form)));
    Table {
        name: "texts",
        title: "Text forms".to_owned(),
        columns: vec![
            Column::kept("scheme", Unit::None),
            Column::kept("form", Unit::None),
            Column::kept("text_chars", Unit::None),
        ],
        rows: forms
            .map(|(scheme, form)| vec![scheme.into(), form.name.into(), Cell::Integer(form.chars.into())])
            .collect(),
        shown: false,
    }
}

fn implementations(answer: &Catalogue) -> Table {
    let row = |entry: &Entry| {
        vec![
            entry.name.into(),
            entry.title.into(),
            some(entry.random_bits),
            some(entry.counter_bits),
            some(entry.counter_drawn_bits),
            entry.bucket_s.into(),
            entry.pair_bits.into(),
            order(entry.order).into(),
            entry.overflow.into(),
            entry.source.into(),
        ]
    };
    Table {
        name: "implementations",
        title: "What implements or shortens it".to_owned(),
        columns: vec![
            Column::both("scheme", "Scheme", Unit::None),
            Column::kept("title", Unit::None),
            Column::both("random_bits", "Random", Unit::Bits),
            Column::both("counter_bits", "Counter", Unit::Bits),
            Column::both("counter_drawn_bits", "Seeded", Unit::Bits).spare(),
            Column::both("bucket_s", "Bucket", Unit::Seconds),
            Column::both("pair_bits", "Apart", Unit::Bits),
            Column::both("order", "Order", Unit::None),
            Column::both("overflow", "Counter used up", Unit::None),
            Column::kept("source", Unit::None),
        ],
        rows: answer.implementations.iter().map(row).collect(),
        shown: true,
    }
}
