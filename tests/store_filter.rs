//! The filter models against the measured rows.

use std::collections::HashMap;
use std::path::Path;
use uuidcap::store::filter::{BINARY_FUSE, BLOOM, BinaryFuse, Bloom};
use uuidcap::store::page::{Arrival, Memo};
use uuidcap::store::record::{KeyFormat, Record, RecordKind};
use uuidcap::store::{Load, Model};

fn load(live_keys: f64) -> Load {
    Load {
        detail: true,
        live_keys,
        rate_per_s: 1000.0,
        peak_per_s: 1000.0,
        retention_s: live_keys / 1000.0,
        arrival: Arrival::Uniform,
        record: Record::new(RecordKind::Key, 16, KeyFormat::Binary, 0),
    }
}

#[test]
fn bits_of_a_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/measured-churn.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.deserialize::<HashMap<String, String>>().map(Result::unwrap);
    let rows: Vec<_> = rows.filter(|row| row["quantity"] == "bits_per_key").collect();
    for row in &rows {
        let keys = match row["case"].rsplit(", ").next().unwrap() {
            "10M keys" => 1e7,
            other => panic!("{other}"),
        };
        let model: Box<dyn Model> = match (&*row["engine"], &*row["version"], &*row["case"]) {
            ("bloom", _, case) => {
                let p = case.split(", ").find_map(|word| word.strip_prefix("p = ")).unwrap();
                Box::new(Bloom { false_positive: p.parse().unwrap() })
            }
            ("binary_fuse", bits, _) => {
                Box::new(BinaryFuse { bits: bits.strip_suffix(" bits").unwrap().parse().unwrap() })
            }
            other => panic!("{other:?}"),
        };
        let measured: f64 = row["value"].parse().unwrap();
        let modelled = 8.0 * model.footprint(&load(keys), &Memo::default()).unwrap().bytes_per_key();
        println!("{} {}: measured {measured}, model {modelled:.3}", row["engine"], row["version"]);
        // Three decimals are given.
        assert!((modelled - measured).abs() < 1e-3, "{row:?}: {modelled}");
    }
    assert_eq!(rows.len(), 4);
}

#[test]
fn a_rate_that_is_no_rate_is_refused() {
    for false_positive in [0.0, -1.0, 1.0, f64::NAN, f64::INFINITY, 1e-300] {
        let error = Bloom { false_positive }.footprint(&load(1e6), &Memo::default()).unwrap_err();
        assert!(error.to_string().contains("try 1e-6"), "{error}");
    }
    for bits in [0, 33] {
        assert!(BinaryFuse { bits }.footprint(&load(1e6), &Memo::default()).is_err());
    }
}

#[test]
fn no_number_of_keys_breaks_it() {
    for keys in [1.0, 2.0, 10.0, 1e6, 1e38] {
        for model in [&BLOOM as &dyn Model, &BINARY_FUSE] {
            let bytes = model.footprint(&load(keys), &Memo::default()).unwrap().bytes_per_key();
            assert!(bytes.is_finite() && bytes > 0.0, "{} {keys}: {bytes}", model.name());
        }
    }
}
