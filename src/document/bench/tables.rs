//! The tables of `bench`: every row for files, one line a generator for people.

use super::super::{Cell, Column, Table, Unit, word};
use super::{order, whose};
use crate::engine::bench::{Answer, Distinct, Into, Row};
use crate::study::bench::{Outlook, Report};

fn count(number: u64) -> Cell {
    Cell::Integer(number.into())
}

/// Every row; people see the table of generators instead.
pub(super) fn rows(answer: &Answer) -> Table {
    let row = |row: &Row| {
        vec![
            row.generator.into(),
            whose(row.role).into(),
            word(&row.call).into(),
            row.scheme.into(),
            row.stream.map(|stream| stream.name()).into(),
            row.into.name().into(),
            Cell::Integer(row.threads as u128),
            Cell::Flag(row.asked),
            Cell::Integer(row.id_bytes as u128),
            row.ids_per_s.into(),
            row.ns_per_id.into(),
            row.bytes_per_s.into(),
            row.spread.into(),
            row.ratio_to_baseline.into(),
            row.ratio_low.into(),
            row.ratio_high.into(),
            count(row.ids),
            count(row.ids_checked),
        ]
    };
    Table {
        name: "rows",
        title: String::new(),
        columns: vec![
            Column::kept("generator", Unit::None),
            Column::kept("role", Unit::None),
            Column::kept("call", Unit::None),
            Column::kept("scheme", Unit::None),
            Column::kept("stream", Unit::None),
            Column::kept("into", Unit::None),
            Column::kept("threads", Unit::None),
            Column::kept("asked", Unit::None),
            Column::kept("id_bytes", Unit::Bytes),
            Column::kept("ids_per_s", Unit::PerSecond),
            Column::kept("ns_per_id", Unit::None),
            Column::kept("bytes_per_s", Unit::BytesPerSecond),
            Column::kept("spread", Unit::Share),
            Column::kept("ratio_to_baseline", Unit::None),
            Column::kept("ratio_low", Unit::None),
            Column::kept("ratio_high", Unit::None),
            Column::kept("ids", Unit::Keys),
            Column::kept("ids_checked", Unit::Keys),
        ],
        rows: answer.rows.iter().map(row).collect(),
        shown: false,
    }
}

/// One line a generator and place: on the fewest threads, and what the most threads bring.
pub(super) fn generators(report: &Report) -> Table {
    let answer = &report.answer;
    let several = |into: Into| answer.rows.iter().any(|row| row.into != into);
    let alone = |row: &&Row| {
        let least =
            answer.rows.iter().filter(|other| other.generator == row.generator && other.into == row.into);
        least.map(|other| other.threads).min() == Some(row.threads)
    };
    let lines: Vec<&Row> = answer.rows.iter().filter(alone).collect();
    let differ = lines.iter().any(|row| row.threads != lines[0].threads);
    let row = |row: &Row| {
        let same = |other: &&Row| other.generator == row.generator && other.into == row.into;
        let most = answer.rows.iter().filter(same).max_by_key(|other| other.threads);
        let most = most.filter(|most| most.threads > row.threads);
        let outlook = report.outlook.iter().find(|outlook| {
            outlook.generator == row.generator && outlook.into == row.into && outlook.threads == row.threads
        });
        vec![
            row.generator.into(),
            whose(row.role).into(),
            if several(row.into) { row.into.name().into() } else { Cell::Empty },
            if differ { Cell::Integer(row.threads as u128) } else { Cell::Empty },
            row.ns_per_id.into(),
            row.ids_per_s.into(),
            row.bytes_per_s.into(),
            outlook.filter(|outlook| !outlook.counted).and_then(|outlook| outlook.years_to_risk).into(),
            row.ratio_to_baseline.into(),
            row.spread.into(),
            most.map(|most| Cell::Integer(most.threads as u128)).unwrap_or(Cell::Empty),
            most.map(|most| most.ids_per_s).into(),
        ]
    };
    Table {
        name: "generators",
        title: String::new(),
        columns: vec![
            Column::shown("Generator", Unit::None),
            Column::shown("Whose", Unit::None),
            Column::shown("Into", Unit::None),
            Column::shown("On", Unit::None),
            Column::shown("ns/id", Unit::PerSecond),
            Column::shown("Ids/s", Unit::Keys),
            Column::shown("Bytes/s", Unit::BytesPerSecond).spare(),
            Column::shown("Until risk", Unit::Years).spare(),
            Column::shown("Ratio", Unit::PerSecond),
            Column::shown("Spread", Unit::Share).spare(),
            Column::shown("Threads", Unit::None),
            Column::shown("Ids/s", Unit::Keys),
        ],
        rows: lines.into_iter().map(row).collect(),
        shown: true,
    }
}

/// How long until the risk, for files.
pub(super) fn outlook(outlook: &[Outlook]) -> Table {
    let row = |outlook: &Outlook| {
        vec![
            outlook.generator.into(),
            outlook.scheme.into(),
            outlook.into.name().into(),
            Cell::Integer(outlook.threads as u128),
            outlook.ids_per_s.into(),
            outlook.risk.text().to_owned().into(),
            Cell::Flag(outlook.counted),
            outlook.seconds_to_risk.into(),
            outlook.years_to_risk.into(),
            outlook.why_not.clone().into(),
        ]
    };
    Table {
        name: "outlook",
        title: String::new(),
        columns: vec![
            Column::kept("generator", Unit::None),
            Column::kept("scheme", Unit::None),
            Column::kept("into", Unit::None),
            Column::kept("threads", Unit::None),
            Column::kept("ids_per_s", Unit::PerSecond),
            Column::kept("risk", Unit::None),
            Column::kept("counted", Unit::None),
            Column::kept("seconds_to_risk", Unit::Seconds),
            Column::kept("years_to_risk", Unit::Years),
            Column::kept("why_not", Unit::None),
        ],
        rows: outlook.iter().map(row).collect(),
        shown: false,
    }
}

/// One line a generator whose ids were compared.
pub(super) fn distinct(distinct: &[Distinct]) -> Table {
    let row = |one: &Distinct| {
        vec![
            one.generator.into(),
            whose(one.role).into(),
            word(&one.call).into(),
            one.stream.map(|stream| stream.name()).into(),
            Cell::Integer(one.threads as u128),
            count(one.ids),
            count(one.distinct),
            count(one.repeats),
            count(one.invalid),
            order(one.promised).into(),
            order(one.order).into(),
            one.kept.map_or(Cell::Empty, Cell::Flag),
        ]
    };
    Table {
        name: "distinct",
        title: String::new(),
        columns: vec![
            Column::both("generator", "Generator", Unit::None),
            Column::both("role", "Whose", Unit::None).spare(),
            Column::kept("call", Unit::None),
            Column::kept("stream", Unit::None),
            Column::both("threads", "Threads", Unit::None),
            Column::both("ids", "Ids", Unit::None),
            Column::both("distinct", "Different", Unit::None).spare(),
            Column::both("repeats", "Repeats", Unit::None),
            Column::both("invalid", "Invalid", Unit::None),
            Column::both("promised", "Promised", Unit::None),
            Column::both("order", "Order seen", Unit::None).spare(),
            Column::both("kept", "Kept", Unit::None),
        ],
        rows: distinct.iter().map(row).collect(),
        shown: true,
    }
}
