//! The oldest tenth of the keys removed, in every way that the store has: what it costs and what it gives back.

use super::Scene;
use super::answer::Purge;
use super::lane::Lane;
use super::order::whole_milliseconds;
use crate::error::{Error, Result};
use crate::store::live::{Cut, Layout, Way};

pub(super) fn purges(scene: &Scene<'_>, lane: &mut Lane) -> Result<Vec<Purge>> {
    let share = lane.rows.len() / 10;
    let mut purges = Vec::new();
    for way in lane.table.ways() {
        scene.go_on()?;
        let by_time = lane.rows.first().is_some_and(|row| lane.order.last_key(row.created_us).is_some());
        if way == Way::KeyRange && !by_time {
            continue;
        }
        // Steady state has made them fewer, or clocks that are off have.
        let expired = whole_milliseconds(&lane.rows, share.min(lane.rows.len()));
        if expired == 0 || expired == lane.rows.len() {
            continue;
        }
        purges.push(purge(scene, lane, way, expired)?);
    }
    Ok(purges)
}

fn purge(scene: &Scene<'_>, lane: &mut Lane, way: Way, expired: usize) -> Result<Purge> {
    let (rows, table) = (&lane.rows, &mut lane.table);
    let until_us = rows[expired - 1].created_us;
    let cut = Cut {
        rows: &rows[..expired],
        until_us,
        until_key: lane.order.last_key(until_us).unwrap_or_default(),
    };
    table.prepare(way, &cut)?;
    let (counters, layout) = (table.counters()?, table.layout()?);
    let (ns, removed) = scene.timed(|| {
        let removed = table.purge(way, &cut)?;
        // A table that is dropped leaves nothing to reclaim in another.
        if way != Way::TableDrop {
            table.reclaim()?;
        }
        table.settle()?;
        Ok(removed)
    })?;
    let counted = table.counters()?.since(&counters);
    let after = table.layout()?;
    let goes = |place: usize, row: &crate::store::live::Row| match way {
        Way::KeyRange => row.key <= cut.until_key,
        _ => place < expired,
    };
    let due = rows.iter().enumerate().filter(|(place, row)| goes(*place, row)).count() as u64;
    table.finish(way, &cut)?;
    // What a store removes by itself it removes in its own time.
    if removed > due || (removed < due && way != Way::Ttl) {
        return Err(Error::data(format!(
            "the purge by {} removed {removed} keys and {due} were due",
            way.name()
        )));
    }
    let live = rows[expired..].iter().enumerate().filter(|(place, row)| goes(place + expired, row)).count();
    let stays: Vec<_> =
        rows.iter().enumerate().filter(|(place, row)| !goes(*place, row)).map(|(_, row)| *row).collect();
    lane.rows = stays;
    let each = |bytes: u64| bytes as f64 / removed.max(1) as f64;
    Ok(Purge {
        purge: way,
        expired_keys: expired as u64,
        removed_keys: removed,
        removed_live_keys: live as u64,
        purge_s: ns as f64 * 1e-9,
        log_bytes_per_key: counted.log_bytes.map(each),
        written_bytes_per_key: counted.written_bytes.map(each),
        reusable_bytes_per_key: reusable(&layout, &after).map(|bytes| bytes / removed.max(1) as f64),
        returned_bytes_per_key: (layout.file_bytes as f64 - after.file_bytes as f64) / removed.max(1) as f64,
    })
}

/// Bytes that can be used again and could not before.
fn reusable(before: &Layout, after: &Layout) -> Option<f64> {
    Some(after.free_bytes? as f64 - before.free_bytes? as f64)
}
