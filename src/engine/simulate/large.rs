//! Large trials: one at a time, on all threads, slice by slice of the space.

use super::lane::{ForDraws, stream, with_draws};
use super::model::Values;
use super::run::Resources;
use super::simulation::Simulation;
use crate::error::Result;
use crate::question::Progress;
use crate::sim::count::partition::{self, Share};
use crate::sim::draw::{Draws, Id, Trials};
use crate::sim::plan::{Open, Part};
use crate::sim::tally::Witness;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts units from where `part` ends up to `end`, or until the progress asks to stop or the interval is narrow enough.
pub(super) fn go_on(simulation: &Simulation, values: &Values, seed: u64, run: Run<'_>) -> Result<()> {
    with_draws(values, stream(simulation, seed), Largely { simulation, values, run })
}

/// What a run of large trials works on.
pub(super) struct Run<'a> {
    pub part: &'a mut Part,
    pub end: u64,
    pub resources: &'a Resources,
    pub progress: &'a dyn Progress,
}

struct Largely<'a> {
    simulation: &'a Simulation,
    values: &'a Values,
    run: Run<'a>,
}

impl ForDraws for Largely<'_> {
    type Out = Result<()>;

    fn with<D: Trials + 'static>(self, draws: D) -> Result<()> {
        let Largely { simulation, values, run: Run { part, end, resources, progress } } = self;
        let spread = match *values {
            Values::Bits(_) => 1,
            // As far apart as numbers of that type allow, so that the first bits tell them apart.
            Values::Whole(values) => ((1u128 << D::Id::BITS) / u128::from(values)).max(1),
        };
        let mut draws = Spread { draws, spread };
        let (cut, scheme) = (simulation.plan(), simulation.scheme());
        let plan = partition::Plan::new(cut.draws, draws.bits(), resources.threads, resources.memory_bytes)?;
        let mut memory = partition::Memory::new(&plan);
        let most = usize::try_from(scheme.witnesses).unwrap_or(usize::MAX);
        while part.to_unit < end && !progress.cancelled() && !simulation.is_narrow(part) {
            let trial = part.to_unit / cut.slices;
            let first = trial * cut.slices;
            let slices = part.to_unit - first..(end - first).min(cut.slices);
            draws.draws.set_trial(trial);
            let told = Told::new(progress, simulation, &plan, &slices);
            let whole = partition::count(&draws, slices, &mut memory, most, &told, |share| {
                let open = open(trial, share, spread);
                part.join(cut, scheme, Part::of_slices(cut, scheme, open));
            })?;
            if whole.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// What a share of a trial saw, for its part.
fn open(trial: u64, share: &Share, spread: u128) -> Open {
    let witness = |one: &partition::Witness| Witness { trial, draws: one.draws.clone(), id: one.id / spread };
    Open::new(trial, share.slices.clone(), share.counts, share.witnesses.iter().map(witness).collect())
}

/// Draws a number apart instead of next to each other.
#[derive(Clone)]
struct Spread<D> {
    draws: D,
    spread: u128,
}

impl<D: Draws> Draws for Spread<D> {
    type Id = D::Id;

    fn bits(&self) -> u32 {
        if self.spread == 1 { self.draws.bits() } else { D::Id::BITS }
    }

    fn fill(&self, from: u64, ids: &mut [D::Id]) {
        self.draws.fill(from, ids);
        if self.spread > 1 {
            ids.iter_mut().for_each(|id| *id = D::Id::cut(id.wide() * self.spread));
        }
    }
}

/// Progress of passes, which make the draws more than once, told in draws of the units that they count.
struct Told<'a> {
    progress: &'a dyn Progress,
    made: AtomicU64,
    /// Draws that the passes make in all, and draws that they are told as.
    of: (u64, u64),
}

impl<'a> Told<'a> {
    fn new(
        progress: &'a dyn Progress,
        simulation: &Simulation,
        plan: &partition::Plan,
        slices: &Range<u64>,
    ) -> Told<'a> {
        Told {
            progress,
            made: AtomicU64::new(0),
            of: (plan.steps(slices.clone()).max(1), simulation.steps(slices)),
        }
    }

    fn told(&self, made: u64) -> u64 {
        let told = u128::from(made.min(self.of.0)) * u128::from(self.of.1) / u128::from(self.of.0);
        u64::try_from(told).unwrap_or(u64::MAX)
    }
}

impl Progress for Told<'_> {
    fn advance(&self, done: u64) {
        let before = self.made.fetch_add(done, Ordering::Relaxed);
        self.progress.advance(self.told(before.saturating_add(done)) - self.told(before));
    }

    fn cancelled(&self) -> bool {
        self.progress.cancelled()
    }
}
