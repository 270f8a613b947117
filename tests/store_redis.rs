//! The Redis model against the measured rows.

use std::collections::HashMap;
use std::path::Path;
use uuidcap::store::page::{Arrival, Memo};
use uuidcap::store::record::{KeyFormat, Record, RecordKind};
use uuidcap::store::redis::{REDIS, Redis, Rehash};
use uuidcap::store::{Load, Model};

fn rows(file: &str, engine: &str) -> Vec<HashMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader
        .deserialize::<HashMap<String, String>>()
        .map(Result::unwrap)
        .filter(|row| row["engine"] == engine)
        .collect()
}

fn load(live_keys: f64, rate_per_s: f64) -> Load {
    Load {
        detail: true,
        live_keys,
        rate_per_s,
        peak_per_s: rate_per_s,
        retention_s: live_keys / rate_per_s,
        arrival: Arrival::Uniform,
        record: Record::new(RecordKind::Key, 36, KeyFormat::Text, 0),
    }
}

#[test]
fn memory_of_a_key_while_loading() {
    let model = Redis { rehash: Rehash::Loading, ..REDIS };
    let rows = rows("measured-stores.csv", "redis");
    let mut off = Vec::new();
    for row in &rows {
        assert_eq!(
            (&*row["key"], &*row["record"]),
            ("text36", "text36_val1_EX"),
            "a row the test cannot read"
        );
        let keys: f64 = row["keys"].parse().unwrap();
        let measured: f64 = row["bytes_per_key_total"].parse().unwrap();
        let modelled = model.footprint(&load(keys, 1000.0), &Memo::default()).unwrap().bytes_per_key();
        println!("{keys:>9} keys: measured {measured}, model {modelled:.2}, {:.4}", modelled / measured);
        if (modelled / measured - 1.0).abs() > 0.01 {
            off.push(format!("{keys} keys: {modelled} for {measured}"));
        }
    }
    assert_eq!(rows.len(), 7);
    assert!(off.is_empty(), "{off:#?}");
}

/// The measured share of keys held beyond the live ones lies in the range that the model states.
#[test]
fn expiry_lag_lies_in_its_range() {
    let rows = rows("measured-churn.csv", "redis");
    for row in &rows {
        assert_eq!(row["quantity"], "stored_over_live_keys", "a row the test cannot read");
        let rate: f64 =
            row["case"].split(", ").find_map(|word| word.split("/s").next()?.parse().ok()).unwrap();
        let measured: f64 = row["value"].parse().unwrap();
        let spread = REDIS.footprint(&load(rate * 60.0, rate), &Memo::default()).unwrap().spread.unwrap();
        println!("{rate}/s: measured {measured}, model {:.3} to {:.3}", spread.low, spread.high);
        assert!(spread.low <= measured && measured <= spread.high, "{rate}/s");
        assert!(spread.high / spread.low < 1.5, "a range wide enough to hold anything proves nothing");
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn no_load_breaks_it() {
    for keys in [1.0, 2.0, 1e6, 1e20, 1e38] {
        for rate in [1e-6, 1.0, 1e6, 1e15] {
            for kind in [RecordKind::Key, RecordKind::Claim, RecordKind::Outcome, RecordKind::Full] {
                for (key_bytes, response) in [(1, 0), (16, 45), (4096, 100_000_000)] {
                    let record = Record::new(kind, key_bytes, KeyFormat::Binary, response);
                    let footprint =
                        REDIS.footprint(&Load { record, ..load(keys, rate) }, &Memo::default()).unwrap();
                    let parts = footprint.parts.iter().chain(&footprint.log_parts);
                    assert!(
                        parts.clone().all(|p| p.bytes.is_finite() && p.bytes >= 0.0),
                        "{keys} {rate} {kind:?}"
                    );
                    let spread = footprint.spread.unwrap();
                    assert!(
                        1.0 <= spread.low && spread.low <= spread.high && spread.high.is_finite(),
                        "{spread:?}"
                    );
                }
            }
        }
    }
    let record = Record::new(RecordKind::Full, 16, KeyFormat::Binary, 1_000_000_000_000);
    let error = REDIS.footprint(&Load { record, ..load(1.0, 1.0) }, &Memo::default()).unwrap_err();
    assert!(error.to_string().contains("512 MiB"), "{error}");
}
