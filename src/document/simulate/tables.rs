//! The tables of `simulate`: the run in one row for files, what was seen beside what is expected for people.

use super::super::{Cell, Column, Table, Unit, word};
use super::{expected, probability};
use crate::document::Piece;
use crate::engine::simulate::{Answer, Bin, Clash, FullWindow, Share, Test};
use crate::study::simulate::{Arrival, Report, Size};
use crate::units::grouped;

/// Rows of a law that people still read.
const MOST_ROWS: usize = 12;
/// Trials that are expected in a bin that is told though it is empty.
const WORTH_A_ROW: f64 = 0.5;

fn count(number: u64) -> Cell {
    Cell::Integer(number.into())
}

/// All tables of a report, the main one first.
pub(super) fn tables(report: &Report) -> Vec<Table> {
    let answer = &report.answer;
    let mut tables = vec![
        simulation(answer),
        quantities(answer),
        tests(&answer.tests),
        law(answer),
        bins("repeats", &answer.by_repeats),
        bins("first-clash", &answer.by_first_clash),
        witnesses(&answer.witnesses),
        share(answer.share),
    ];
    if let Some(sweep) = &report.sweep {
        tables.extend([by_bits(&sweep.sizes), sizes(&sweep.sizes), arrivals(&sweep.arrivals)]);
    }
    // The first is what `-f csv` prints.
    let (main, rest) = tables.split_at(1);
    main.iter().chain(rest.iter().filter(|table| !table.rows.is_empty())).cloned().collect()
}

/// One row a run, in files alone; names and meaning are those of the record.
fn simulation(answer: &Answer) -> Table {
    let full = |of: fn(&FullWindow) -> Option<f64>| Cell::from(answer.collisions_per_s.as_ref().and_then(of));
    let cells: Vec<(Column, Cell)> = vec![
        (Column::kept("drawn", Unit::None), answer.drawn.clone().into()),
        (Column::kept("space_bits", Unit::Bits), answer.space_bits.into()),
        (Column::kept("draws_per_trial", Unit::Keys), count(answer.draws_per_trial)),
        (Column::kept("trials", Unit::None), count(answer.trials)),
        (Column::kept("trials_with_collision", Unit::None), count(answer.trials_with_collision)),
        (Column::kept("observed_probability", Unit::Probability), answer.observed_probability.into()),
        (Column::kept("interval_low", Unit::Probability), answer.interval_low.into()),
        (Column::kept("interval_high", Unit::Probability), answer.interval_high.into()),
        (Column::kept("confidence", Unit::Share), answer.confidence.into()),
        (Column::kept("expected_probability", Unit::Probability), answer.expected_probability.into()),
        (Column::kept("log10_expected_probability", Unit::None), answer.log10_expected_probability.into()),
        (Column::kept("expected_probability_error", Unit::None), answer.expected_probability_error.into()),
        (Column::kept("expected_by", Unit::None), answer.expected_by.clone().into()),
        (Column::kept("repeats", Unit::None), answer.repeats.into()),
        (Column::kept("observed_repeats", Unit::None), answer.observed_repeats.into()),
        (Column::kept("expected_repeats", Unit::None), answer.expected_repeats.into()),
        (Column::kept("pairs", Unit::None), answer.pairs.into()),
        (Column::kept("observed_pairs", Unit::None), answer.observed_pairs.into()),
        (Column::kept("pairs_low", Unit::None), answer.pairs_low.into()),
        (Column::kept("pairs_high", Unit::None), answer.pairs_high.into()),
        (Column::kept("expected_pairs", Unit::None), answer.expected_pairs.into()),
        (Column::kept("expected_pairs_error", Unit::None), answer.expected_pairs_error.into()),
        (Column::kept("expected_pairs_singly", Unit::None), answer.expected_pairs_singly.into()),
        (Column::kept("observed_collisions_per_s", Unit::None), full(|full| Some(full.observed))),
        (Column::kept("collisions_per_s_low", Unit::None), full(|full| full.low)),
        (Column::kept("collisions_per_s_high", Unit::None), full(|full| full.high)),
        (Column::kept("expected_collisions_per_s", Unit::None), full(|full| Some(full.expected))),
        (Column::kept("observed_first_clash", Unit::Keys), answer.observed_first_clash.into()),
        (Column::kept("expected_first_clash", Unit::Keys), answer.expected_first_clash.into()),
        (Column::kept("p_value", Unit::Probability), answer.p_value.into()),
        (Column::kept("verdict", Unit::None), word(&answer.verdict).into()),
        (Column::kept("false_alarm_rate", Unit::None), answer.false_alarm_rate.into()),
        (Column::kept("counted_by", Unit::None), answer.counted_by.into()),
        (Column::kept("narrow_enough", Unit::None), Cell::Flag(answer.narrow_enough)),
    ];
    let (columns, row) = cells.into_iter().unzip();
    Table { name: "simulation", title: String::new(), columns, rows: vec![row], shown: false }
}

/// What was seen of a trial, its interval, and what is expected.
fn quantities(answer: &Answer) -> Table {
    let cell = |piece: Piece| match piece {
        Piece::Value(cell, unit) => Cell::Of(unit, Box::new(cell)),
        _ => Cell::Empty,
    };
    let told = |p: f64| cell(probability(answer, p));
    let number = |value: Option<f64>| match value {
        Some(0.0) => "none".into(),
        value => Cell::from(value),
    };
    let mut rows = Vec::new();
    if answer.trials > 1 {
        let seen = match answer.trials_with_collision {
            0 => "none".into(),
            _ => answer.observed_probability.map_or(Cell::Empty, told),
        };
        let low = if answer.trials_with_collision == 0 { Cell::Real(0.0) } else { told(answer.interval_low) };
        let (high, due) = (told(answer.interval_high), cell(expected(answer)));
        rows.push(vec!["Clash probability".into(), seen, low, high, due]);
    }
    if answer.trials > 0 {
        rows.push(vec![
            "Pairs of equal ids".into(),
            number(answer.observed_pairs),
            answer.pairs_low.into(),
            answer.pairs_high.into(),
            answer.expected_pairs.into(),
        ]);
        rows.push(vec![
            "Repeats, ids less distinct".into(),
            number(answer.observed_repeats),
            Cell::Empty,
            Cell::Empty,
            answer.expected_repeats.into(),
        ]);
    }
    if answer.observed_first_clash.is_some() {
        rows.push(vec![
            "Ids at first clash, where one came".into(),
            number(answer.observed_first_clash),
            Cell::Empty,
            Cell::Empty,
            answer.expected_first_clash.into(),
        ]);
    }
    Table {
        name: "quantities",
        title: String::new(),
        columns: vec![
            Column::shown("Of a trial", Unit::None),
            Column::shown("Seen", Unit::Probability),
            Column::shown("95 % from", Unit::Probability),
            Column::shown("to", Unit::Probability),
            Column::shown("Expected", Unit::Probability),
        ],
        rows,
        shown: true,
    }
}

fn tests(tests: &[Test]) -> Table {
    let row = |test: &Test| {
        vec![
            test.name.into(),
            test.by.into(),
            test.statistic.into(),
            test.degrees.into(),
            test.p_value.into(),
        ]
    };
    Table {
        name: "tests",
        title: String::new(),
        columns: vec![
            Column::both("name", "Test of", Unit::None),
            Column::both("by", "By", Unit::None),
            Column::both("statistic", "Statistic", Unit::Probability).spare(),
            Column::both("degrees", "Degrees", Unit::None).spare(),
            Column::both("p_value", "p", Unit::Probability),
        ],
        rows: tests.iter().map(row).collect(),
        shown: true,
    }
}

/// Bins between the first and the last in which a trial was seen or is expected.
pub(super) fn populated(bins: &[Bin]) -> &[Bin] {
    let worth = |bin: &Bin| bin.seen > 0 || bin.expected.is_some_and(|due| due >= WORTH_A_ROW);
    match (bins.iter().position(worth), bins.iter().rposition(worth)) {
        (Some(first), Some(last)) => &bins[first..=last],
        _ => &[],
    }
}

/// Trials by their repeats, for people, where these are few.
fn law(answer: &Answer) -> Table {
    // Where no law says how many are expected, empty rows say nothing.
    let told = |bin: &&Bin| bin.seen > 0 || bin.expected.is_some();
    let bins: Vec<&Bin> = populated(&answer.by_repeats).iter().filter(told).collect();
    let readable = answer.trials > 1 && (2..=MOST_ROWS).contains(&bins.len());
    let number = |value: u64| grouped(&value.to_string());
    let row = |bin: &&Bin| {
        // The outer bins hold what lies beyond them too.
        let first = answer.by_repeats.first().is_some_and(|first| first.from == bin.from && bin.from > 0);
        let last = answer.by_repeats.last().is_some_and(|last| last.to == bin.to);
        let repeats = match (first, last) {
            (true, _) => format!("at most {}", number(bin.to)),
            (_, true) => format!("{} or more", number(bin.from)),
            _ if bin.from == bin.to => number(bin.from),
            _ => format!("{} to {}", number(bin.from), number(bin.to)),
        };
        vec![repeats.into(), count(bin.seen), bin.expected.into()]
    };
    Table {
        name: "law",
        title: String::new(),
        columns: vec![
            Column::shown("Repeats", Unit::None),
            Column::shown("Trials seen", Unit::None),
            Column::shown("Trials expected", Unit::PerSecond),
        ],
        rows: if readable { bins.iter().map(row).collect() } else { Vec::new() },
        shown: true,
    }
}

fn bins(name: &'static str, bins: &[Bin]) -> Table {
    let row = |bin: &Bin| vec![count(bin.from), count(bin.to), count(bin.seen), bin.expected.into()];
    Table {
        name,
        title: String::new(),
        columns: vec![
            Column::kept("from", Unit::None),
            Column::kept("to", Unit::None),
            Column::kept("seen", Unit::None),
            Column::kept("expected", Unit::None),
        ],
        rows: bins.iter().map(row).collect(),
        shown: false,
    }
}

/// Values that came more than once, for files; people read them as sentences.
fn witnesses(witnesses: &[Clash]) -> Table {
    let row = |clash: &Clash| {
        let draws: Vec<String> = clash.draws.iter().map(u64::to_string).collect();
        vec![count(clash.trial), draws.join(" ").into(), clash.id.clone().into()]
    };
    Table {
        name: "witnesses",
        title: String::new(),
        columns: vec![
            Column::kept("trial", Unit::None),
            Column::kept("draws", Unit::None),
            Column::kept("id", Unit::None),
        ],
        rows: witnesses.iter().map(row).collect(),
        shown: false,
    }
}

fn share(share: Option<Share>) -> Table {
    let row = |share: Share| {
        vec![count(share.from_unit), count(share.to_unit), count(share.until_unit), count(share.of_units)]
    };
    Table {
        name: "share",
        title: String::new(),
        columns: vec![
            Column::kept("from_unit", Unit::None),
            Column::kept("to_unit", Unit::None),
            Column::kept("until_unit", Unit::None),
            Column::kept("of_units", Unit::None),
        ],
        rows: share.into_iter().map(row).collect(),
        shown: false,
    }
}

/// One line a size, for people: how many of its points hold what is expected.
fn by_bits(sizes: &[Size]) -> Table {
    let mut all: Vec<u32> = sizes.iter().map(|size| size.bits).collect();
    all.dedup();
    let row = |bits: &u32| {
        let of: Vec<&Size> = sizes.iter().filter(|size| size.bits == *bits).collect();
        let held =
            |size: &&&Size| (size.interval_low..=size.interval_high).contains(&size.expected_probability);
        let draws = || of.iter().map(|size| size.draws_per_trial);
        let trials = || of.iter().map(|size| size.trials);
        vec![
            count((*bits).into()),
            draws().min().map_or(Cell::Empty, count),
            draws().max().map_or(Cell::Empty, count),
            trials().min().map_or(Cell::Empty, count),
            count(of.len() as u64),
            count(of.iter().filter(held).count() as u64),
            of.iter().map(|size| size.p_value).min_by(f64::total_cmp).into(),
        ]
    };
    Table {
        name: "by-bits",
        title: String::new(),
        columns: vec![
            Column::shown("Bits", Unit::None),
            Column::shown("Ids from", Unit::None),
            Column::shown("to", Unit::None),
            Column::shown("Trials at least", Unit::None),
            Column::shown("Points", Unit::None),
            Column::shown("Within 95 %", Unit::None),
            Column::shown("Least p", Unit::Probability),
        ],
        rows: all.iter().map(row).collect(),
        shown: true,
    }
}

fn sizes(sizes: &[Size]) -> Table {
    let row = |size: &Size| {
        vec![
            count(size.bits.into()),
            size.ratio.into(),
            count(size.draws_per_trial),
            count(size.trials),
            count(size.trials_with_collision),
            size.observed_probability.into(),
            size.interval_low.into(),
            size.interval_high.into(),
            size.expected_probability.into(),
            size.limit_probability.into(),
            size.p_value.into(),
        ]
    };
    Table {
        name: "sizes",
        title: String::new(),
        columns: vec![
            Column::kept("bits", Unit::Bits),
            Column::kept("ratio", Unit::None),
            Column::kept("draws_per_trial", Unit::Keys),
            Column::kept("trials", Unit::None),
            Column::kept("trials_with_collision", Unit::None),
            Column::kept("observed_probability", Unit::Probability),
            Column::kept("interval_low", Unit::Probability),
            Column::kept("interval_high", Unit::Probability),
            Column::kept("expected_probability", Unit::Probability),
            Column::kept("limit_probability", Unit::Probability),
            Column::kept("p_value", Unit::Probability),
        ],
        rows: sizes.iter().map(row).collect(),
        shown: false,
    }
}

fn arrivals(arrivals: &[Arrival]) -> Table {
    let row = |one: &Arrival| {
        vec![
            word(&one.arrivals).into(),
            one.burstiness.into(),
            count(one.draws_per_trial),
            count(one.trials),
            count(one.trials_with_collision),
            one.pairs.into(),
            one.observed_pairs.into(),
            one.pairs_low.into(),
            one.pairs_high.into(),
            one.expected_pairs.into(),
            one.p_value.into(),
        ]
    };
    Table {
        name: "arrivals",
        title: String::new(),
        columns: vec![
            Column::both("arrivals", "Arrivals", Unit::None),
            Column::both("burstiness", "Times as dense", Unit::Probability),
            Column::kept("draws_per_trial", Unit::Keys),
            Column::both("trials", "Trials", Unit::None).spare(),
            Column::both("trials_with_collision", "With a clash", Unit::None).spare(),
            Column::kept("pairs", Unit::None),
            Column::both("observed_pairs", "Pairs a trial", Unit::Probability),
            Column::both("pairs_low", "95 % from", Unit::Probability),
            Column::both("pairs_high", "to", Unit::Probability),
            Column::both("expected_pairs", "Expected", Unit::Probability),
            Column::both("p_value", "p", Unit::Probability),
        ],
        rows: arrivals.iter().map(row).collect(),
        shown: true,
    }
}
