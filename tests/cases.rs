//! Field cases: figures from public threads and documentation, recomputed, that `size` can express.

mod command;

use command::record;
use uuidcap::store::page::{Arrival, Memo};
use uuidcap::store::postgres::Postgres;
use uuidcap::store::price::{Book, Kind, Provider};
use uuidcap::store::record::{KeyFormat, Record, RecordKind};
use uuidcap::store::{Load, Model, Place};

fn index_megabytes(arrival: Arrival) -> f64 {
    let record = Record::new(RecordKind::Key, 16, KeyFormat::Binary, 0);
    let load = Load {
        live_keys: 500_000.0,
        rate_per_s: 1e3,
        peak_per_s: 1e3,
        retention_s: 500.0,
        arrival,
        record,
        detail: true,
    };
    let footprint = Postgres::DEFAULT.footprint(&load, &Memo::default()).expect("a footprint");
    footprint.bytes_in(Place::Index) * 500_000.0 / 1e6
}

/// "v4 primary keys in an append-heavy PostgreSQL table": 500,000 rows, index of v4 about 19.5 MB, of v7
/// 15.8 MB. The thread gives three digits; 2 % covers their rounding and the model's 3 % is not needed.
#[test]
fn half_a_million_rows_take_19_5_mb_of_index_with_v4_and_15_8_with_v7() {
    let (v4, v7) = (index_megabytes(Arrival::Uniform), index_megabytes(Arrival::Ascending));
    assert!((v4 / 19.5 - 1.0).abs() < 0.02, "{v4}");
    assert!((v7 / 15.8 - 1.0).abs() < 0.02, "{v7}");
}

/// "GB and GiB": 5.806 TB at $0.10 is $580.61 per decimal GB and $540.73 per GiB.
#[test]
fn gigabytes_and_gibibytes_differ_by_forty_dollars() {
    let text = r#"
        dated = "2026-01-01"
        [[price]]
        provider = "aws"
        region = "here"
        item = "disk"
        kind = "block_storage"
        usd = "0.10"
        unit = "GiB-month"
        origin = "a test"
        seen = "2026-01-01"
        confidence = "high"
    "#;
    let bytes = 5_806_080_000_000;
    let book = Book::read(text).expect("a book");
    let per_gib = book.find(Provider::Aws, Kind::BlockStorage, None).expect("a price").usd_per_month(bytes);
    assert_eq!(per_gib.expect("a cost").round_dp(2).to_string(), "540.73");
    let book = Book::read(&text.replace("GiB-month", "GB-month")).expect("a book");
    let per_gb = book.find(Provider::Aws, Kind::BlockStorage, None).expect("a price").usd_per_month(bytes);
    assert_eq!(per_gb.expect("a cost").to_string(), "580.608");
}

/// "v7 makes the index small and fast": at 200,000/s with random low bits the leaf fill is no better than
/// v4's; strictly monotonic keys fill leaves to nine tenths.
#[test]
fn shuffled_v7_fills_leaves_no_better_than_v4() {
    let record = record("size --rate 200k --days 7 --store postgres --key v4,v7,v7-monotonic");
    let fill =
        |case: usize| record["answer"]["cases"][case]["stores"][0]["leaf_fill"].as_f64().expect("a fill");
    let (v4, v7, monotonic) = (fill(0), fill(1), fill(2));
    assert!(v7 <= v4 + 0.01, "{v7} and {v4}");
    assert!((monotonic - 0.90).abs() < 0.01, "{monotonic}");
}

/// "Expired is not removed": Redis held 1.61 and 1.40 times its live keys at 24,600/s and 38,000/s.
#[test]
fn redis_holds_more_than_what_lives() {
    for (rate, measured) in [("24600", 1.61), ("38000", 1.40)] {
        let record = record(&format!(
            "size --rate {rate} --retention 60s --store redis --key-format text --record key"
        ));
        let spread = &record["answer"]["cases"][0]["stores"][0]["spread"];
        let (low, high) = (spread["low"].as_f64().expect("low"), spread["high"].as_f64().expect("high"));
        assert!(low <= measured && measured <= high, "{rate}: {measured} is not in {low} to {high}");
    }
}
