//! The run: trials in batches on all threads, or one large trial at a time on all threads, slice by slice.

use super::lane::{self, Lane};
use super::large;
use super::simulation::Simulation;
use crate::error::Result;
use crate::question::Progress;
use crate::sim::plan::Part;
use crate::sim::run;
use crate::sim::tally::Tally;
use std::ops::{ControlFlow, Range};

/// Confidence of every interval.
pub const CONFIDENCE: f64 = 0.95;

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Threads.
    pub threads: usize,
    /// Bytes.
    pub memory_bytes: u64,
}

/// Counts units from where `part` ends up to `end`, or up to where the progress asks to stop or the interval is narrow
/// enough.
///
/// # Errors
/// Where the way of counting that was asked for cannot do it, or memory does not suffice.
pub(super) fn go_on(
    simulation: &Simulation,
    seed: u64,
    part: &mut Part,
    end: u64,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<()> {
    if let Some(values) = simulation.large() {
        return large::go_on(simulation, &values, seed, large::Run { part, end, resources, progress });
    }
    trials(simulation, seed, part, end, progress);
    Ok(())
}

/// Trials in batches. A batch is cut where trials are, so that it does not matter where a part begins.
fn trials(simulation: &Simulation, seed: u64, part: &mut Part, end: u64, progress: &dyn Progress) {
    let (plan, scheme) = (simulation.plan(), simulation.scheme());
    let each = plan.batch_trials();
    let (from, first) = (part.to_unit, part.to_unit / each);
    let batches = first..end.div_ceil(each);
    let worker = || lane::lane(simulation, seed).expect("a question is checked for what a lane can count");
    let work = |lane: &mut Box<dyn Lane + '_>, batch: u64| {
        let trials = (batch * each).max(from)..(batch * each).saturating_add(each).min(end);
        let tally = tally(simulation, lane.as_mut(), trials.clone());
        progress.advance((trials.end - trials.start) * plan.draws);
        Part::of_trials(plan, trials, tally)
    };
    let part = std::cell::RefCell::new(part);
    let take = |next| part.borrow_mut().join(plan, scheme, next);
    let ended = || match simulation.is_narrow(&part.borrow()) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    run::run(batches, progress, worker, work, take, ended);
}

/// A batch.
fn tally(simulation: &Simulation, lane: &mut dyn Lane, trials: Range<u64>) -> Tally {
    let scheme = simulation.scheme();
    let mut tally = Tally::new(scheme);
    for trial in trials {
        let counts = lane.trial(trial);
        tally.add(scheme, &counts);
        let wanted = scheme.witnesses.saturating_sub(tally.witnesses.len() as u64);
        if counts.repeats > 0 && wanted > 0 {
            tally.witness(scheme, lane.witnesses(trial, wanted));
        }
    }
    tally
}
