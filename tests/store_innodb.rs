//! The model of InnoDB against the files measured on MariaDB 10.11 (`measured-stores.csv`): leaf pages of
//! the table and allocated index pages within 3 %, redo log within 10 %.

mod measured;

use uuidcap::store::innodb::{Charset, Index, Innodb};
use uuidcap::store::page::{Arrival, Memo};
use uuidcap::store::record::{KeyFormat, Record, RecordKind};
use uuidcap::store::{Footprint, Load, Model, Place};

/// A row of `measured-stores.csv`.
struct Row {
    order: String,
    key: String,
    record: String,
    index: String,
    keys: f64,
    table: f64,
    log: f64,
    note: String,
}

impl Row {
    fn arrival(&self) -> Arrival {
        measured::arrival(&self.order)
    }

    fn record(&self) -> Record {
        measured::record(&self.key, &self.record)
    }

    fn footprint(&self, pages: &Memo) -> Footprint {
        let index = match self.index.as_str() {
            "pk" => Index::Primary,
            "auto+uk" => Index::AutoIncrementUnique,
            "scope" => Index::Scope,
            other => panic!("unknown index {other}"),
        };
        let charset = if self.key.ends_with("utf8mb4") { Charset::Utf8mb4 } else { Charset::Ascii };
        let load = load(self.record(), self.arrival(), self.keys);
        Innodb { index, charset }.footprint(&load, pages).expect("the row was loaded")
    }

    /// The figure behind a phrase of the note.
    fn noted(&self, phrase: &str) -> Option<f64> {
        let rest = self.note.split(phrase).nth(1)?;
        rest.split(';').next().map(|figure| figure.trim().parse().expect("a figure in the note"))
    }

    fn title(&self) -> String {
        format!("{} {} {} {} {}", self.order, self.key, self.record, self.index, self.keys)
    }
}

fn load(record: Record, arrival: Arrival, live_keys: f64) -> Load {
    measured::load(record, arrival, live_keys, 1e3)
}

fn rows() -> Vec<Row> {
    let mut reader = csv::Reader::from_path("tests/data/measured-stores.csv").expect("the file is there");
    let number = |field: &str| field.parse().expect("a number");
    reader
        .records()
        .map(|row| row.expect("a row"))
        .filter(|row| &row[0] == "mariadb-innodb")
        .map(|row| Row {
            order: row[2].into(),
            key: row[3].into(),
            record: row[4].into(),
            index: row[5].into(),
            keys: number(&row[6]),
            table: number(&row[8]),
            log: number(&row[10]),
            note: row[12].into(),
        })
        .collect()
}

/// Rows whose index is led by the account. The model takes accounts in random order; the loader's were
/// not (a random order leaves PostgreSQL's index over the same columns 3 % emptier than its rows show,
/// and fills InnoDB's the same at 1 M and 2 M keys), and what order they had is not in the file.
fn unknown_order(row: &Row) -> bool {
    row.index == "scope"
}

/// How many of the rows that have a figure the model misses; says which.
fn missed(
    rows: &[Row],
    tolerance: f64,
    measured: fn(&Row) -> Option<f64>,
    model: fn(&Footprint) -> f64,
) -> (usize, usize) {
    let pages = Memo::default();
    let (mut covered, mut off) = (0, 0);
    for row in rows {
        let Some(measured) = measured(row) else { continue };
        let model = model(&row.footprint(&pages));
        let ratio = model / measured;
        covered += 1;
        let miss = (ratio - 1.0).abs() > tolerance;
        off += usize::from(miss);
        if miss || std::env::var_os("SHOW_ROWS").is_some() {
            eprintln!("{}: model {model:.2} measured {measured:.2} ratio {ratio:.4}", row.title());
        }
    }
    (covered, off)
}

fn known_order() -> Vec<Row> {
    rows().into_iter().filter(|row| !unknown_order(row)).collect()
}

#[test]
fn leaf_pages_of_the_table_are_those_measured() {
    let answer = missed(&known_order(), 0.03, |row| Some(row.table), |model| model.bytes_in(Place::Table));
    assert_eq!(answer, (44, 0));
}

#[test]
fn leaf_pages_of_the_unique_index_are_those_measured() {
    let answer =
        missed(&rows(), 0.03, |row| row.noted("uk:leafB/row="), |model| model.bytes_in(Place::Index));
    assert_eq!(answer, (6, 0));
}

#[test]
fn allocated_pages_are_those_measured() {
    let answer =
        missed(&known_order(), 0.03, |row| row.noted("allocated index pages "), Footprint::bytes_per_key);
    assert_eq!(answer, (44, 0));
}

#[test]
fn an_insert_logs_what_was_measured() {
    let answer = missed(&known_order(), 0.1, |row| Some(row.log), Footprint::log_bytes_per_insert);
    assert_eq!(answer, (44, 0));
}

#[test]
fn accounts_in_an_unknown_order_leave_pages_emptier_than_in_random_order() {
    let pages = Memo::default();
    let rows: Vec<Row> = rows().into_iter().filter(unknown_order).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let model = row.footprint(&pages);
        assert!(
            model.bytes_in(Place::Table) < row.table,
            "{}: hold it to 3 % if this holds no more",
            row.title()
        );
        assert!(model.log_bytes_per_insert() < row.log, "{}", row.title());
    }
}

#[test]
fn every_row_of_the_file_is_held_to_something() {
    let rows = rows();
    assert_eq!((rows.len(), rows.iter().filter(|row| unknown_order(row)).count()), (46, 2));
}

#[test]
fn parts_add_up_and_nothing_is_negative_in_any_load() {
    let pages = Memo::default();
    let orders = [
        Arrival::Uniform,
        Arrival::Ascending,
        Arrival::Bucketed { keys_per_bucket: 1e-6 },
        Arrival::Bucketed { keys_per_bucket: 1e12 },
        Arrival::Wrapping { keys_per_wrap: 4.29e6 },
    ];
    for arrival in orders {
        for live_keys in [1.0, 50.0, 1e6, 1.2e11, 1e38] {
            for (key, response) in [(1, 0), (16, 256), (300, 8_000), (3072, 4_294_967_295)] {
                for index in [Index::Primary, Index::AutoIncrementUnique, Index::Scope] {
                    let record = Record::new(RecordKind::Full, key, KeyFormat::Text, response);
                    let model = Innodb { index, charset: Charset::Utf8mb4 };
                    let answer = model.footprint(&load(record, arrival, live_keys), &pages).expect("it fits");
                    let parts = answer.parts.iter().chain(&answer.log_parts);
                    assert!(
                        parts.clone().all(|part| part.bytes >= 0.0 && part.bytes.is_finite()),
                        "{answer:?}"
                    );
                    assert!(answer.leaf_fill.is_some_and(|fill| fill > 0.0 && fill <= 1.0), "{answer:?}");
                    let placed: f64 =
                        [Place::Table, Place::Index, Place::Other].map(|p| answer.bytes_in(p)).iter().sum();
                    assert!((placed / answer.bytes_per_key() - 1.0).abs() < 1e-9);
                    assert!(
                        answer.completion_log_bytes.is_some_and(|bytes| bytes > 0.0 && bytes.is_finite())
                    );
                    assert!(
                        answer.background_bytes_per_insert > 0.0
                            && answer.background_bytes_per_insert.is_finite()
                    );
                    assert!(answer.purges.iter().all(|purge| purge.log_bytes_per_key.is_finite()));
                }
            }
        }
    }
}

#[test]
fn what_innodb_cannot_hold_is_refused() {
    for (key, response) in [(3073, 0), (16, 4_294_967_296)] {
        let record = Record::new(RecordKind::Full, key, KeyFormat::Binary, response);
        let refused = Innodb::DEFAULT.footprint(&load(record, Arrival::Uniform, 1e6), &Memo::default());
        assert!(refused.is_err_and(|error| error.is_usage()), "{key} {response}");
    }
}

/// 8,125 bytes is the longest row on a page: the next one has its response on a page of its own.
#[test]
fn a_row_over_half_a_page_has_its_response_elsewhere() {
    let pages = Memo::default();
    let bytes = |response| {
        let record = Record::new(RecordKind::Full, 16, KeyFormat::Binary, response);
        let answer =
            Innodb::DEFAULT.footprint(&load(record, Arrival::Ascending, 1e6), &pages).expect("it fits");
        answer.parts.iter().find(|part| part.name == "overflow").map_or(0.0, |part| part.bytes)
    };
    assert_eq!(
        (bytes(8_028), bytes(8_029), bytes(16_330), bytes(16_331)),
        (0.0, 16_384.0, 16_384.0, 32_768.0)
    );
}
