//! The words of the measured files, as the models take them.

use uuidcap::store::Load;
use uuidcap::store::page::Arrival;
use uuidcap::store::record::{KeyFormat, Record, RecordKind};

/// The order of a row: `uuidv4`, `uuidv7 random, 200000/s`, `uuidv7 1000/s, arrival delay 100 ms`, …
pub fn arrival(order: &str) -> Arrival {
    let figure = |after: &str, before: &str| -> f64 {
        let text = order.split_once(after).expect("the order names it").1;
        text.split_once(before).expect("the order names it").0.trim().parse().expect("a number")
    };
    match order {
        "uuidv4" => Arrival::Uniform,
        "uuidv7 monotonic" => Arrival::Ascending,
        _ if order.contains("delay") => Arrival::Delayed {
            rate_per_s: figure("uuidv7 ", "/s"),
            mean_delay_s: figure("delay ", " ms") / 1e3,
        },
        _ => Arrival::Bucketed { keys_per_bucket: figure("random, ", "/s") / 1e3 },
    }
}

/// The record of a row: its key (`binary16`, `text36`, …) and its name (`bare`, `r0`, `r256`, …).
pub fn record(key: &str, record: &str) -> Record {
    let (key_bytes, format) = match key {
        "binary16" | "uuid type" => (16, KeyFormat::Binary),
        "text36" | "text36 utf8mb4" => (36, KeyFormat::Text),
        other => panic!("unknown key {other}"),
    };
    match record.strip_prefix('r') {
        Some(length) => Record::new(RecordKind::Full, key_bytes, format, length.parse().expect("a length")),
        None => Record::new(RecordKind::Key, key_bytes, format, 0),
    }
}

/// So many keys in an order, at a rate.
pub fn load(record: Record, arrival: Arrival, live_keys: f64, rate_per_s: f64) -> Load {
    Load {
        live_keys,
        rate_per_s,
        peak_per_s: rate_per_s,
        retention_s: live_keys / rate_per_s,
        arrival,
        record,
        detail: true,
    }
}
