//! The tables of `probe`: every figure for files, and those that a choice rests on for people.

use super::super::{Cell, Column, Table, Unit};
use crate::engine::probe::{Answer, Row};

fn count(number: u64) -> Cell {
    Cell::Integer(number.into())
}

/// Every row with all that was measured of the load.
pub(super) fn rows(answer: &Answer) -> Table {
    let row = |row: &Row| {
        vec![
            row.store.clone().into(),
            row.version.clone().into(),
            row.key_order.into(),
            count(row.keys),
            count(row.key_bytes.into()),
            count(row.row_bytes),
            row.bytes_per_key.into(),
            row.table_bytes_per_key.into(),
            row.index_bytes_per_key.into(),
            row.bytes_per_key_at_half.into(),
            row.growth_since_half.into(),
            row.file_bytes_per_key.into(),
            row.leaf_fill.into(),
            row.splits_per_1000_inserts.into(),
            row.cache_misses_per_insert.into(),
            row.dirty_pages_per_checkpoint.into(),
            row.log_bytes_per_insert.into(),
            row.written_bytes_per_insert.into(),
            row.write_amplification.into(),
            row.inserts_per_s.into(),
            row.ratio_to_first.into(),
            row.ratio_low.into(),
            row.ratio_high.into(),
            row.latency_s_p50.into(),
            row.latency_s_p99.into(),
            row.latency_s_max.into(),
            row.loader_share.into(),
            row.purge_s.into(),
        ]
    };
    Table {
        name: "rows",
        title: String::new(),
        columns: vec![
            Column::kept("store", Unit::None),
            Column::kept("version", Unit::None),
            Column::kept("key_order", Unit::None),
            Column::kept("keys", Unit::Keys),
            Column::kept("key_bytes", Unit::Bytes),
            Column::kept("row_bytes", Unit::Bytes),
            Column::kept("bytes_per_key", Unit::BytesEach),
            Column::kept("table_bytes_per_key", Unit::BytesEach),
            Column::kept("index_bytes_per_key", Unit::BytesEach),
            Column::kept("bytes_per_key_at_half", Unit::BytesEach),
            Column::kept("growth_since_half", Unit::Share),
            Column::kept("file_bytes_per_key", Unit::BytesEach),
            Column::kept("leaf_fill", Unit::Share),
            Column::kept("splits_per_1000_inserts", Unit::None),
            Column::kept("cache_misses_per_insert", Unit::None),
            Column::kept("dirty_pages_per_checkpoint", Unit::None),
            Column::kept("log_bytes_per_insert", Unit::BytesEach),
            Column::kept("written_bytes_per_insert", Unit::BytesEach),
            Column::kept("write_amplification", Unit::None),
            Column::kept("inserts_per_s", Unit::PerSecond),
            Column::kept("ratio_to_first", Unit::None),
            Column::kept("ratio_low", Unit::None),
            Column::kept("ratio_high", Unit::None),
            Column::kept("latency_s_p50", Unit::Seconds),
            Column::kept("latency_s_p99", Unit::Seconds),
            Column::kept("latency_s_max", Unit::Seconds),
            Column::kept("loader_share", Unit::Share),
            Column::kept("purge_s", Unit::Seconds),
        ],
        rows: answer.rows.iter().map(row).collect(),
        shown: false,
    }
}

/// One line a store and order.
pub(super) fn orders(answer: &Answer) -> Table {
    let row = |row: &Row| {
        vec![
            row.store.clone().into(),
            row.key_order.into(),
            row.bytes_per_key.into(),
            row.leaf_fill.into(),
            row.splits_per_1000_inserts.into(),
            row.dirty_pages_per_checkpoint.into(),
            row.cache_misses_per_insert.into(),
            row.log_bytes_per_insert.into(),
            row.written_bytes_per_insert.into(),
            row.ratio_to_first.into(),
            row.latency_s_p99.into(),
            row.loader_share.into(),
        ]
    };
    Table {
        name: "orders",
        title: "Loaded".to_owned(),
        columns: vec![
            Column::shown("Store", Unit::None),
            Column::shown("Order", Unit::None),
            Column::shown("Bytes/key", Unit::BytesEach),
            Column::shown("Leaf fill", Unit::Share),
            Column::shown("Splits/1000", Unit::PerSecond).spare(),
            Column::shown("Pages/checkpoint", Unit::Keys).spare(),
            Column::shown("Misses/insert", Unit::PerSecond).spare(),
            Column::shown("Log/insert", Unit::BytesEach),
            Column::shown("Written/insert", Unit::BytesEach),
            Column::shown("Speed ratio", Unit::PerSecond),
            Column::shown("p99", Unit::Seconds).spare(),
            Column::shown("Loader", Unit::Share).spare(),
        ],
        rows: answer.rows.iter().map(row).collect(),
        shown: true,
    }
}

/// Insert and expire.
pub(super) fn steady(answer: &Answer) -> Table {
    let row = |row: &Row| {
        let steady = row.steady.as_ref()?;
        Some(vec![
            row.store.clone().into(),
            row.key_order.into(),
            count(steady.live_keys),
            count(steady.steps.into()),
            Cell::Flag(steady.stands_still),
            steady.bytes_per_live_key.into(),
            steady.leaf_fill.into(),
            steady.log_bytes_per_insert.into(),
            steady.written_bytes_per_insert.into(),
            steady.inserts_per_s.into(),
        ])
    };
    Table {
        name: "steady",
        title: "Insert and expire, a tenth of the keys a step".to_owned(),
        columns: vec![
            Column::both("store", "Store", Unit::None),
            Column::both("key_order", "Order", Unit::None),
            Column::kept("live_keys", Unit::Keys),
            Column::both("steps", "Steps", Unit::None).spare(),
            Column::both("stands_still", "Stands still", Unit::None),
            Column::both("bytes_per_live_key", "Bytes/live key", Unit::BytesEach),
            Column::both("leaf_fill", "Leaf fill", Unit::Share),
            Column::both("log_bytes_per_insert", "Log/insert+expiry", Unit::BytesEach),
            Column::both("written_bytes_per_insert", "Written", Unit::BytesEach).spare(),
            Column::kept("inserts_per_s", Unit::PerSecond),
        ],
        rows: answer.rows.iter().filter_map(row).collect(),
        shown: true,
    }
}

/// The oldest tenth removed.
pub(super) fn purges(answer: &Answer) -> Table {
    let rows = answer.rows.iter().flat_map(|row| {
        row.purges.iter().map(|purge| {
            vec![
                row.store.clone().into(),
                row.key_order.into(),
                purge.purge.name().into(),
                count(purge.expired_keys),
                count(purge.removed_keys),
                count(purge.removed_live_keys),
                purge.purge_s.into(),
                purge.log_bytes_per_key.into(),
                purge.written_bytes_per_key.into(),
                purge.reusable_bytes_per_key.into(),
                purge.returned_bytes_per_key.into(),
            ]
        })
    });
    Table {
        name: "purges",
        title: "The oldest tenth removed".to_owned(),
        columns: vec![
            Column::both("store", "Store", Unit::None),
            Column::both("key_order", "Order", Unit::None),
            Column::both("purge", "Purge", Unit::None),
            Column::both("expired_keys", "Expired", Unit::Keys).spare(),
            Column::both("removed_keys", "Removed", Unit::Keys),
            Column::both("removed_live_keys", "Still alive", Unit::Keys).spare(),
            Column::both("purge_s", "Took", Unit::Seconds),
            Column::both("log_bytes_per_key", "Log/key", Unit::BytesEach),
            Column::both("written_bytes_per_key", "Written/key", Unit::BytesEach).spare(),
            Column::both("reusable_bytes_per_key", "Reusable/key", Unit::BytesEach),
            Column::both("returned_bytes_per_key", "Returned/key", Unit::BytesEach),
        ],
        rows: rows.collect(),
        shown: true,
    }
}

/// The same keys claimed by several at once.
pub(super) fn claims(answer: &Answer) -> Table {
    let row = |row: &Row| {
        let claims = row.claims.as_ref()?;
        Some(vec![
            row.store.clone().into(),
            row.key_order.into(),
            count(claims.claimants as u64),
            count(claims.keys),
            count(claims.claims),
            count(claims.replays),
            count(claims.winners),
            count(claims.broken),
            claims.claims_per_s.into(),
            claims.latency_s_p99.into(),
        ])
    };
    Table {
        name: "claims",
        title: "The same keys claimed by several at once: one winner each".to_owned(),
        columns: vec![
            Column::both("store", "Store", Unit::None),
            Column::both("key_order", "Order", Unit::None),
            Column::both("claimants", "Claimants", Unit::None).spare(),
            Column::both("keys", "Keys", Unit::None),
            Column::both("claims", "Claims", Unit::None),
            Column::both("replays", "Replays", Unit::None),
            Column::both("winners", "Winners", Unit::None),
            Column::both("broken", "Broken", Unit::None),
            Column::kept("claims_per_s", Unit::PerSecond),
            Column::both("latency_s_p99", "p99", Unit::Seconds).spare(),
        ],
        rows: answer.rows.iter().filter_map(row).collect(),
        shown: true,
    }
}

/// Where figures come from.
pub(super) fn sources(answer: &Answer) -> Table {
    let row = |source: &crate::engine::probe::Source| {
        vec![source.store.clone().into(), source.figure.into(), source.source.into()]
    };
    Table {
        name: "sources",
        title: "Where figures come from".to_owned(),
        columns: vec![
            Column::both("store", "Store", Unit::None),
            Column::both("figure", "Figure", Unit::None),
            Column::both("source", "Source", Unit::None),
        ],
        rows: answer.sources.iter().map(row).collect(),
        shown: false,
    }
}
