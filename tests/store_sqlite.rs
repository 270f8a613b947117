//! The model of SQLite against the files measured on SQLite 3.40 (`measured-stores.csv`) and on the
//! version bundled with the bindings (`measured-order.csv`): bytes and fill within 3 %, log within 10 %.

mod measured;

use uuidcap::store::page::{Arrival, Memo, Rule, sqlite::Balance};
use uuidcap::store::record::{KeyFormat, Record, RecordKind};
use uuidcap::store::sqlite::{Layout, Sqlite};
use uuidcap::store::{Footprint, Load, Model, Place};

/// A row of `measured-stores.csv`.
struct Row {
    order: String,
    key: String,
    record: String,
    index: String,
    keys: f64,
    total: Option<f64>,
    log: Option<f64>,
    fill: Option<f64>,
    note: String,
}

impl Row {
    fn arrival(&self) -> Arrival {
        measured::arrival(&self.order)
    }

    fn record(&self) -> Record {
        measured::record(&self.key, &self.record)
    }

    fn model(&self) -> Sqlite {
        let layout = Some(if self.index.starts_with("wr_") { Layout::WithoutRowid } else { Layout::Rowid });
        let batch = self.note.strip_prefix("ins_per_txn=").and_then(|rest| rest.split(';').next());
        Sqlite {
            layout,
            created_index: self.index.ends_with("_created"),
            inserts_per_transaction: batch.map_or(1.0, |n| n.parse().expect("a number of inserts")),
            ..Sqlite::DEFAULT
        }
    }

    fn footprint(&self, pages: &Memo) -> Footprint {
        self.model()
            .footprint(&load(self.record(), self.arrival(), self.keys), pages)
            .expect("the row was loaded")
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
    let number = |field: &str| (!field.is_empty()).then(|| field.parse().expect("a number"));
    reader
        .records()
        .map(|row| row.expect("a row"))
        .filter(|row| &row[0] == "sqlite")
        .map(|row| Row {
            order: row[2].into(),
            key: row[3].into(),
            record: row[4].into(),
            index: row[5].into(),
            keys: row[6].parse().expect("a number of keys"),
            total: number(&row[7]),
            log: number(&row[10]),
            fill: number(&row[11]),
            note: row[12].into(),
        })
        .collect()
}

/// Whether a model's figure is within a tolerance of a measured one; says so where it is not.
fn near(title: &str, what: &str, model: f64, measured: f64, tolerance: f64) -> bool {
    let ok = (model / measured - 1.0).abs() <= tolerance;
    if !ok || std::env::var_os("SHOW_ROWS").is_some() {
        eprintln!("{title}: {what} model {model:.3} measured {measured:.3} ratio {:.4}", model / measured);
    }
    ok
}

#[test]
fn bytes_per_key_are_those_measured() {
    let pages = Memo::default();
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.total.is_some()).collect();
    let off = rows
        .iter()
        .filter(|row| {
            let total = row.total.expect("filtered");
            !near(&row.title(), "bytes", row.footprint(&pages).bytes_per_key(), total, 0.03)
        })
        .count();
    assert_eq!((rows.len(), off), (51, 0));
}

#[test]
fn leaves_are_as_full_as_measured() {
    let pages = Memo::default();
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.fill.is_some()).collect();
    let off = rows
        .iter()
        .filter(|row| {
            // Where there is an index over created_at, the file has the fill of that one: 1 byte of
            // payload length, 3 of record header, 8 of time, 3 of rowid, 2 of cell pointer.
            let fill = if row.model().created_index {
                let entries = pages
                    .settle(Rule::Sqlite(Balance::new(17.0)), Arrival::Ascending, row.keys)
                    .entries_per_leaf;
                Some(((entries - 1.0) * 17.0 + 8.0) / 4096.0)
            } else {
                row.footprint(&pages).leaf_fill
            };
            !near(&row.title(), "fill", fill.expect("a b-tree"), row.fill.expect("filtered"), 0.03)
        })
        .count();
    assert_eq!((rows.len(), off), (51, 0));
}

#[test]
fn an_insert_logs_the_frames_measured() {
    let pages = Memo::default();
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.log.is_some()).collect();
    let off = rows
        .iter()
        .filter(|row| {
            let title = format!("{} {}", row.title(), row.note);
            !near(
                &title,
                "log",
                row.footprint(&pages).log_bytes_per_insert(),
                row.log.expect("filtered"),
                0.1,
            )
        })
        .count();
    assert_eq!((rows.len(), off), (3, 0));
}

#[test]
fn every_row_of_the_file_is_held_to_something() {
    let rows = rows();
    assert_eq!(rows.len(), 54);
    assert!(rows.iter().all(|row| row.total.is_some() || row.log.is_some()));
}

/// "WITHOUT ROWID 16 B key + 40 B value", 2 M keys: a key and a response of 40 bytes, less the columns
/// that an outcome has beside.
#[test]
fn a_key_with_a_value_of_40_bytes_takes_what_was_measured() {
    let mut reader = csv::Reader::from_path("tests/data/measured-order.csv").expect("the file is there");
    let pages = Memo::default();
    let mut covered = 0;
    for row in reader.records().map(|row| row.expect("a row")).filter(|row| &row[0] == "sqlite") {
        let arrival = match row[2].rsplit(' ').next() {
            Some("uuidv4") => Arrival::Uniform,
            Some("uuidv7") => Arrival::Bucketed { keys_per_bucket: 200.0 },
            other => panic!("unknown order {other:?}"),
        };
        // Payload: three bytes of header, 16 of key, 40 of value; one of length, two of pointer.
        let balance = Balance::new(62.0);
        let keys = row[3].parse().expect("a number of keys");
        let entries = pages.settle(Rule::Sqlite(balance), arrival, keys).entries_per_leaf;
        let children = pages.settle(Rule::Sqlite(balance.above()), arrival, keys / entries).entries_per_leaf;
        let model = match &row[4] {
            "leaf_fill" => ((entries - 1.0) * 62.0 + 8.0) / 4096.0,
            "bytes_per_key" => 4096.0 / entries * (1.0 + 1.0 / (children - 1.0)),
            other => panic!("unknown quantity {other}"),
        };
        assert!(near(&row[2], &row[4], model, row[5].parse().expect("a figure"), 0.03));
        covered += 1;
    }
    assert_eq!(covered, 4);
}

#[test]
fn parts_add_up_and_nothing_is_negative_in_any_load() {
    let pages = Memo::default();
    let orders = [
        Arrival::Uniform,
        Arrival::Ascending,
        Arrival::Bucketed { keys_per_bucket: 200.0 },
        Arrival::Bucketed { keys_per_bucket: 1e12 },
        Arrival::Wrapping { keys_per_wrap: 4.29e6 },
    ];
    for arrival in orders {
        for live_keys in [1.0, 50.0, 1e6, 1.2e11, 1e38] {
            for (key, response) in [(1, 0), (16, 256), (4096, 1_000_000_000)] {
                for layout in [None, Some(Layout::WithoutRowid), Some(Layout::Rowid)] {
                    let record = Record::new(RecordKind::Full, key, KeyFormat::Binary, response);
                    let model = Sqlite { layout, created_index: true, ..Sqlite::DEFAULT };
                    let answer = model.footprint(&load(record, arrival, live_keys), &pages).expect("it fits");
                    let parts = answer.parts.iter().chain(&answer.log_parts);
                    assert!(
                        parts.clone().all(|part| part.bytes >= 0.0 && part.bytes.is_finite()),
                        "{answer:?}"
                    );
                    assert!(answer.leaf_fill.is_some_and(|fill| fill > 0.0 && fill <= 1.0), "{answer:?}");
                    let places = answer.bytes_in(Place::Table) + answer.bytes_in(Place::Index);
                    assert!((places / answer.bytes_per_key() - 1.0).abs() < 1e-9);
                    assert!(answer.log_bytes_per_insert() > 0.0 && answer.background_bytes_per_insert > 0.0);
                    assert!(answer.purges.iter().all(|purge| purge.bytes_per_live_key.is_finite()));
                }
            }
        }
    }
}

#[test]
fn a_response_beyond_a_gigabyte_is_refused() {
    let record = Record::new(RecordKind::Full, 16, KeyFormat::Binary, 1_000_000_001);
    let refused = Sqlite::DEFAULT.footprint(&load(record, Arrival::Uniform, 1e6), &Memo::default());
    assert!(refused.is_err_and(|error| error.is_usage()));
}
