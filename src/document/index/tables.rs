//! The tables of `index`: a row an order, its growth, its log after a checkpoint.

use super::super::{Cell, Column, Table, Unit};
use crate::engine::index::{Answer, Row};

fn cells(row: &Row) -> Vec<Cell> {
    vec![
        row.key_order.name().into(),
        Cell::Integer(row.live_keys.into()),
        row.leaf_fill.into(),
        row.bytes_per_key.into(),
        row.index_bytes.into(),
        row.splits_per_1000_inserts.into(),
        row.cache_misses_per_insert.into(),
        row.cache_misses_per_insert_at_end.into(),
        row.dirty_pages_per_checkpoint.into(),
        row.full_page_images_per_checkpoint.into(),
        row.log_bytes_per_insert.into(),
        row.log_bytes_per_insert_after_checkpoint.into(),
        row.write_amplification.into(),
        row.purge_pages_per_1000_keys.into(),
        row.leaf_pages.into(),
        row.inner_pages.into(),
        row.cache_pages.into(),
        row.checkpoint_inserts.into(),
        Cell::Integer(row.page_bytes.into()),
        Cell::Integer(row.entry_bytes.into()),
        row.range_delete.map(|wrong| wrong.removed_alive_share).into(),
        row.method.clone().into(),
    ]
}

/// Every order with its figures.
pub(super) fn rows(answer: &Answer) -> Table {
    Table {
        name: "rows",
        title: String::new(),
        columns: vec![
            Column::both("key_order", "Key", Unit::None),
            Column::kept("live_keys", Unit::Keys),
            Column::both("leaf_fill", "Leaf fill", Unit::Share),
            Column::both("bytes_per_key", "Bytes/key", Unit::BytesEach),
            Column::both("index_bytes", "Index", Unit::Bytes).spare(),
            Column::both("splits_per_1000_inserts", "Splits/1000", Unit::PerSecond).spare(),
            Column::both("cache_misses_per_insert", "Misses/insert", Unit::PerSecond),
            Column::kept("cache_misses_per_insert_at_end", Unit::None),
            Column::both("dirty_pages_per_checkpoint", "Dirty pages", Unit::Keys),
            Column::kept("full_page_images_per_checkpoint", Unit::None),
            Column::both("log_bytes_per_insert", "Log/insert", Unit::BytesEach),
            Column::both("log_bytes_per_insert_after_checkpoint", "After checkpoint", Unit::BytesEach)
                .spare(),
            Column::both("write_amplification", "Written ×", Unit::PerSecond),
            Column::both("purge_pages_per_1000_keys", "Purge pages", Unit::PerSecond),
            Column::kept("leaf_pages", Unit::None),
            Column::kept("inner_pages", Unit::None),
            Column::kept("cache_pages", Unit::None),
            Column::kept("checkpoint_inserts", Unit::None),
            Column::kept("page_bytes", Unit::Bytes),
            Column::kept("entry_bytes", Unit::Bytes),
            Column::kept("removed_alive_share", Unit::Share),
            Column::kept("method", Unit::None),
        ],
        rows: answer.rows.iter().map(cells).collect(),
        shown: true,
    }
}

/// Each index while it grew.
pub(super) fn growth(answer: &Answer) -> Table {
    let lines = |row: &Row| -> Vec<Vec<Cell>> {
        let line = row.growth.iter().map(|grown| {
            vec![
                row.key_order.name().into(),
                grown.keys.into(),
                grown.index_over_cache.into(),
                grown.leaf_fill.into(),
                grown.cache_misses_per_insert.into(),
            ]
        });
        line.collect()
    };
    Table {
        name: "growth",
        title: String::new(),
        columns: vec![
            Column::kept("key_order", Unit::None),
            Column::kept("keys", Unit::Keys),
            Column::kept("index_over_cache", Unit::None),
            Column::kept("leaf_fill", Unit::Share),
            Column::kept("cache_misses_per_insert", Unit::None),
        ],
        rows: answer.rows.iter().flat_map(lines).collect(),
        shown: false,
    }
}

/// Each log after a checkpoint.
pub(super) fn after_checkpoint(answer: &Answer) -> Table {
    let lines = |row: &Row| -> Vec<Vec<Cell>> {
        let line = row.after_checkpoint.iter().map(|logged| {
            vec![
                row.key_order.name().into(),
                logged.inserts_since_checkpoint.into(),
                logged.log_bytes_per_insert.into(),
            ]
        });
        line.collect()
    };
    Table {
        name: "after-checkpoint",
        title: String::new(),
        columns: vec![
            Column::kept("key_order", Unit::None),
            Column::kept("inserts_since_checkpoint", Unit::Keys),
            Column::kept("log_bytes_per_insert", Unit::BytesEach),
        ],
        rows: answer.rows.iter().flat_map(lines).collect(),
        shown: false,
    }
}
