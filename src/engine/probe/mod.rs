//! What real stores take for keys: loaded in turn, measured by what the stores tell of themselves.
//!
//! The keys of each order go into a table of their own. They are loaded in slices, one of each order in turn, so that
//! a machine that slows down slows all; a checkpoint follows each slice, so that what it writes belongs to the order
//! of the slice. Then, order by order: keys are inserted and expired until the size stands still, the oldest tenth is
//! purged in every way that the store has, and several claim the same keys at once.
//!
//! The engine has no clock: it is handed a [`Host`], and stores as [`Target`]s.

mod answer;
mod claims;
mod lane;
mod order;
mod purge;
mod question;
mod steady;

pub use answer::{Answer, Claims, Purge, Row, Source, Steady};
pub use order::Order;
pub use question::{
    BATCH, BATCH_MOST, CHECKPOINT, Inputs, KEYS, KEYS_RANGE, Phase, Probe, RESPONSE_BYTES_MOST, SLICES,
    UNASKED_BYTES,
};

use crate::error::{Error, Result};
use crate::question::Progress;
use crate::store::live::Target;
use lane::Lane;

/// The machine that the loader runs on.
pub trait Host: Sync {
    /// Nanoseconds since any moment; never less than before.
    fn ns(&self) -> u64;
    /// Seconds of processor time that this process has had, where that is known.
    fn processor_s(&self) -> Option<f64> {
        None
    }
}

/// What an answer that was stopped says, where all that was written has been removed.
pub const STOPPED: &str = "stopped; what was written into the stores has been removed";

/// What every phase is handed.
#[derive(Clone, Copy)]
struct Scene<'a> {
    question: &'a Probe,
    host: &'a dyn Host,
    progress: &'a dyn Progress,
    seed: u64,
}

impl Scene<'_> {
    /// Refuses to go on where the progress asks to stop.
    fn go_on(&self) -> Result<()> {
        if self.progress.cancelled() { Err(Error::range(STOPPED)) } else { Ok(()) }
    }

    /// Nanoseconds of some work, and what it gave.
    fn timed<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<(u64, T)> {
        let start = self.host.ns();
        let done = work()?;
        Ok((self.host.ns().saturating_sub(start), done))
    }
}

/// Steps that an answer reports to its progress: batches of all loads.
pub fn steps(question: &Probe) -> u64 {
    let tables = (question.orders().len() as u64).max(1);
    tables * question.keys().div_ceil(question.batch() as u64)
}

/// Loads every store and measures; each is left as it was found.
///
/// # Errors
/// Where a store refuses, and where the progress asks to stop. What was written is removed then, too.
pub fn answer(
    question: &Probe,
    targets: &mut [Box<dyn Target>],
    host: &dyn Host,
    progress: &dyn Progress,
    seed: u64,
) -> Result<Answer> {
    let scene = Scene { question, host, progress, seed };
    let mut rows = Vec::new();
    let mut sources = Vec::new();
    // What takes minutes is not to be lost for a later store that cannot do what is asked.
    for target in targets.iter() {
        question.orders().iter().try_for_each(|order| target.check(&question.plan(*order)))?;
    }
    for (target, name) in targets.iter_mut().zip(question.stores()) {
        target.make()?;
        let measured = store(&scene, target.as_mut(), name);
        match (measured, target.remove()) {
            (Ok(measured), Ok(())) => rows.extend(measured),
            (Err(error), Ok(())) | (Ok(_), Err(error)) => return Err(error),
            // What stays is to be told even where something else failed first.
            (Err(_), Err(stays)) => return Err(stays),
        }
        let named = target.sources().iter();
        sources.extend(named.map(|&(figure, source)| Source { store: name.clone(), figure, source }));
    }
    Ok(Answer { rows, slices: question::slices(question.keys()), sources })
}

/// All orders in one store.
fn store(scene: &Scene<'_>, target: &mut dyn Target, name: &str) -> Result<Vec<Row>> {
    let question = scene.question;
    let mut lanes = Vec::new();
    for order in question.orders() {
        lanes.push(Lane::new(scene, target, *order)?);
    }
    let slices = question::slices(question.keys());
    for slice in 0..slices {
        let (from, to) = (question.keys() * slice / slices, question.keys() * (slice + 1) / slices);
        for turn in 0..lanes.len() {
            // Another begins each time.
            let place = (turn + slice as usize) % lanes.len();
            lanes[place].load(scene, (to - from) as usize)?;
            if slice + 1 == slices / 2 {
                lanes[place].look_at_half()?;
            }
        }
    }
    let first: Vec<u64> = lanes.first().map(|lane| lane.slices_ns.clone()).unwrap_or_default();
    let mut rows = Vec::new();
    for mut lane in lanes {
        let mut row = lane.row(target, name, &first)?;
        if question.has(Phase::Steady) {
            row.steady = Some(steady::steady(scene, &mut lane)?);
        }
        if question.has(Phase::Purge) {
            row.purges = purge::purges(scene, &mut lane)?;
            let by_rows = row.purges.iter().find(|purge| purge.purge == crate::store::live::Way::Rows);
            row.purge_s = by_rows.map(|purge| purge.purge_s);
        }
        if question.has(Phase::Claims) {
            row.claims = Some(claims::claims(scene, &mut lane)?);
        }
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests;
