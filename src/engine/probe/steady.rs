//! Insert and expire, as a retention does once it has filled: a tenth of the live keys at a time is replaced, batch by
//! batch, until the size stands still.

use super::Scene;
use super::answer::Steady;
use super::lane::Lane;
use crate::error::{Error, Result};

/// Steps after which it may stand still, a whole turn of the keys, and after which it is given up.
const STEPS: (u32, u32) = (10, 30);
/// How many sizes are compared, and how far apart they may be.
const COMPARED: usize = 5;
const STANDS_STILL: f64 = 0.01;

pub(super) fn steady(scene: &Scene<'_>, lane: &mut Lane) -> Result<Steady> {
    let live = lane.rows.len();
    let before = lane.table.counters()?;
    let mut sizes = Vec::new();
    let (mut elapsed_ns, mut steps, mut layout) = (0, 0, lane.table.layout()?);
    while steps < STEPS.1 && !(steps >= STEPS.0 && stands_still(&sizes)) {
        let (ns, ()) = scene.timed(|| replace(scene, lane, live / 10))?;
        elapsed_ns += ns;
        layout = lane.table.layout()?;
        sizes.push(layout.bytes());
        steps += 1;
    }
    let counted = lane.table.counters()?.since(&before);
    let inserted = (live / 10) as f64 * f64::from(steps);
    Ok(Steady {
        live_keys: lane.rows.len() as u64,
        steps,
        stands_still: stands_still(&sizes),
        bytes_per_live_key: layout.bytes() as f64 / lane.rows.len() as f64,
        leaf_fill: layout.leaf_fill,
        log_bytes_per_insert: counted.log_bytes.map(|bytes| bytes as f64 / inserted),
        written_bytes_per_insert: counted.written_bytes.map(|bytes| bytes as f64 / inserted),
        inserts_per_s: inserted / (elapsed_ns as f64 * 1e-9),
    })
}

/// Inserts so many keys and expires as many, in turn; then the store may reclaim their room.
fn replace(scene: &Scene<'_>, lane: &mut Lane, keys: usize) -> Result<()> {
    let mut expired = 0;
    while expired < keys {
        scene.go_on()?;
        let batch = scene.question.batch().min(keys - expired);
        lane.insert(scene, batch)?;
        let gone = lane.table.delete(&lane.rows[expired..expired + batch])?;
        if gone != batch as u64 {
            return Err(Error::data(format!("of {batch} expired keys the store had {gone}")));
        }
        expired += batch;
    }
    lane.rows.drain(..keys);
    lane.table.reclaim()?;
    lane.table.settle()
}

fn stands_still(sizes: &[u64]) -> bool {
    let Some(last) = sizes.len().checked_sub(COMPARED).map(|from| &sizes[from..]) else { return false };
    let (least, most) = (last.iter().min().copied().unwrap_or(0), last.iter().max().copied().unwrap_or(0));
    least > 0 && (most - least) as f64 <= STANDS_STILL * least as f64
}
