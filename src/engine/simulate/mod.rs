//! `simulate`: draws ids from scaled-down spaces and counts exactly how often they meet; what mathematics expects stands
//! beside what was seen.

mod answer;
mod expected;
mod lane;
mod large;
mod model;
mod question;
mod run;
mod simulation;
mod source;
#[cfg(test)]
mod tests;
mod verdict;

pub use answer::{Answer, Bin, Clash, FullWindow, Share};
pub use model::Parameters;
pub use question::{Arrivals, Fault, Inputs};
pub use run::{CONFIDENCE, Resources};
pub use simulation::Simulation;
pub use verdict::{FALSE_ALARM_RATE, Test, Verdict};

use crate::error::{Error, Result};
use crate::question::Progress;
use crate::sim::plan::Part;
use std::ops::Range;

/// Draws, counts and concludes: the units of a share of the question, going on from what was counted before.
///
/// Runs on the threads of the pool that it is called in. Where the progress asks to stop, the answer is about what was
/// counted until then and says so.
///
/// # Errors
/// Where the way of counting that was asked for cannot count so many draws, memory does not suffice, or what was counted
/// before is no part of this question or share.
pub fn answer(
    simulation: &Simulation,
    seed: u64,
    share: Range<u64>,
    so_far: Option<Part>,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Answer> {
    let mut part = match so_far {
        None => Part::new(simulation.scheme(), share.start),
        Some(part) => {
            check(simulation, seed, &part)?;
            part
        }
    };
    if part.from_unit != share.start || part.to_unit > share.end {
        let name = simulation.plan().unit_name();
        return Err(Error::range(format!(
            "what was counted before are {name}s {} to {}, and this share has {} to {}; go on with the same --shard",
            part.from_unit, part.to_unit, share.start, share.end
        )));
    }
    if !simulation.is_narrow(&part) {
        run::go_on(simulation, seed, &mut part, share.end, resources, progress)?;
    }
    Ok(answer::conclude(simulation, part, share.end))
}

/// The answer to what was counted elsewhere.
///
/// # Errors
/// Where its numbers cannot belong to this question.
pub fn conclude(simulation: &Simulation, seed: u64, part: Part) -> Result<Answer> {
    check(simulation, seed, &part)?;
    let until = part.to_unit;
    Ok(answer::conclude(simulation, part, until))
}

/// Refuses numbers that cannot belong together or to this question.
fn check(simulation: &Simulation, seed: u64, part: &Part) -> Result<()> {
    if let Some(fault) = part.fault(simulation.plan(), simulation.scheme()) {
        return Err(Error::data(format!("what was counted before does not fit: {fault}")));
    }
    let named = part.open.iter().flat_map(|open| &open.witnesses).chain(&part.whole.witnesses);
    match named.into_iter().find(|witness| !lane::is_drawn_again(simulation, seed, witness)) {
        Some(witness) => Err(Error::data(format!(
            "what was counted before does not fit: draw {} of trial {} from seed {seed} is no {}",
            witness.draws[0], witness.trial, witness.id
        ))),
        None => Ok(()),
    }
}
