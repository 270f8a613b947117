//! One worker's way through trials: draws the ids of one and counts them, in memory that the next one uses again.

use super::model::{Model, Values};
use super::simulation::Simulation;
use super::source::{Source, Words};
use crate::error::Result;
use crate::id::generator::{Seed, Stream};
use crate::sim::count::{Counter, Counts, Method, window, witnesses};
use crate::sim::draw::{Below, Id, Trials, Uniform};
use crate::sim::tally::Witness;

/// A worker's way through trials.
pub(super) trait Lane: Send {
    /// Draws and counts a trial.
    fn trial(&mut self, trial: u64) -> Counts;

    /// The values of that trial that came more than once.
    fn witnesses(&self, trial: u64, most: u64) -> Vec<Witness>;
}

/// Uniform ids.
struct Drawn<D: Trials> {
    draws: D,
    ids: Vec<D::Id>,
    counter: Counter,
}

impl<D: Trials> Lane for Drawn<D> {
    fn trial(&mut self, trial: u64) -> Counts {
        self.draws.set_trial(trial);
        self.draws.fill(0, &mut self.ids);
        self.counter.count(&self.ids)
    }

    fn witnesses(&self, trial: u64, most: u64) -> Vec<Witness> {
        witnesses::of_trial(trial, &self.ids, most, None)
    }
}

/// Ids of a source with structure.
struct Made<'a> {
    source: &'a dyn Source,
    words: Words,
    ids: Vec<u64>,
    window: Option<u64>,
    order: Vec<(u64, u64)>,
    counter: Counter,
}

impl Lane for Made<'_> {
    fn trial(&mut self, trial: u64) -> Counts {
        self.words.set_trial(trial);
        self.ids.clear();
        self.source.draw(&mut self.words, &mut self.ids);
        match self.window {
            Some(live) => window::count(&self.ids, live, &mut self.order),
            None => self.counter.count(&self.ids),
        }
    }

    fn witnesses(&self, trial: u64, most: u64) -> Vec<Witness> {
        witnesses::of_trial(trial, &self.ids, most, self.window)
    }
}

/// The stream that all draws of a run come from, at its first trial.
pub(super) fn stream(simulation: &Simulation, seed: u64) -> Stream {
    Stream::new(simulation.inputs().rng, &Seed::from(seed), 0)
}

/// What draws uniform ids, whatever number they are kept in.
pub(super) trait ForDraws {
    /// What is made of them.
    type Out;
    /// Makes it.
    fn with<D: Trials + 'static>(self, draws: D) -> Self::Out;
}

/// Hands draws of these values from a stream to what is made of them.
pub(super) fn with_draws<F: ForDraws>(values: &Values, stream: Stream, made: F) -> F::Out {
    match *values {
        Values::Bits(0) => made.with(Below::<u32>::new(stream, 1)),
        Values::Bits(bits) if bits <= u32::BITS => made.with(Uniform::<u32>::new(stream, bits)),
        Values::Bits(bits) if bits <= u64::BITS => made.with(Uniform::<u64>::new(stream, bits)),
        Values::Bits(bits) => made.with(Uniform::<u128>::new(stream, bits)),
        Values::Whole(values) if values <= 1 << u32::BITS => made.with(Below::<u32>::new(stream, values)),
        Values::Whole(values) => made.with(Below::<u64>::new(stream, values)),
    }
}

/// Whether the draws that a witness names give its id, from this seed; taken on trust where drawing a whole trial to see it
/// would take long.
pub(super) fn is_drawn_again(simulation: &Simulation, seed: u64, witness: &Witness) -> bool {
    let model = simulation.model();
    if let Some(values) = model.uniform() {
        return with_draws(&values, stream(simulation, seed), Again(witness));
    }
    let Some(source) = model.source().filter(|_| model.draws() <= SHORT) else { return true };
    let (mut words, mut ids) = (Words::new(simulation.inputs().rng, &Seed::from(seed), 0), Vec::new());
    words.set_trial(witness.trial);
    source.draw(&mut words, &mut ids);
    let given = |draw: &u64| usize::try_from(*draw).ok().and_then(|draw| ids.get(draw)).copied();
    witness.draws.iter().all(|draw| given(draw).map(u128::from) == Some(witness.id))
}

/// Draws of a trial that is drawn once more only to be sure.
const SHORT: u64 = 1 << 20;

/// The draws of a witness, made again one by one.
struct Again<'a>(&'a Witness);

impl ForDraws for Again<'_> {
    type Out = bool;

    fn with<D: Trials + 'static>(self, mut draws: D) -> bool {
        draws.set_trial(self.0.trial);
        self.0.draws.iter().all(|draw| {
            let mut one = [D::Id::default()];
            draws.fill(*draw, &mut one);
            one[0].wide() == self.0.id
        })
    }
}

/// A lane of uniform draws.
struct Uniformly<'a>(&'a Simulation);

impl ForDraws for Uniformly<'_> {
    type Out = Result<Box<dyn Lane>>;

    fn with<D: Trials + 'static>(self, draws: D) -> Result<Box<dyn Lane>> {
        let n = self.0.plan().draws;
        let counter = Counter::new(self.0.inputs().method, draws.bits(), n)?;
        let ids = vec![D::Id::default(); usize::try_from(n).unwrap_or(usize::MAX)];
        Ok(Box::new(Drawn { draws, ids, counter }))
    }
}

/// A lane for the trials of a question.
///
/// # Errors
/// Where the way of counting that was asked for cannot count so many draws of so many bits.
pub(super) fn lane(simulation: &Simulation, seed: u64) -> Result<Box<dyn Lane + '_>> {
    let stream = stream(simulation, seed);
    let model: &Model = simulation.model();
    if let Some(values) = model.uniform() {
        return with_draws(&values, stream, Uniformly(simulation)).map(|lane| lane as Box<dyn Lane>);
    }
    let n = simulation.plan().draws;
    Ok(Box::new(Made {
        source: model.source().expect("what is not uniform has a source"),
        words: Words::new(simulation.inputs().rng, &Seed::from(seed), 0),
        ids: Vec::with_capacity(usize::try_from(n).unwrap_or(0)),
        window: model.window_draws(),
        order: Vec::new(),
        counter: Counter::new(simulation.inputs().method, u64::BITS, n)?.mixing(),
    }))
}

/// Refuses a way of counting that cannot count these trials.
pub(super) fn check(simulation: &Simulation) -> Result<()> {
    if simulation.large().is_some() || simulation.model().window_draws().is_some() {
        return Ok(());
    }
    Counter::check(simulation.inputs().method, id_bits(simulation), simulation.plan().draws)
}

/// Bytes that a lane takes.
pub(super) fn memory_bytes(simulation: &Simulation) -> u64 {
    let n = simulation.plan().draws;
    let (method, bits) = (simulation.inputs().method, id_bits(simulation));
    let id = if bits <= u32::BITS { 4 } else { u64::from(bits.next_power_of_two() / 8) };
    let window = if simulation.model().window_draws().is_some() { 16 } else { 0 };
    n.saturating_mul(id + window).saturating_add(Counter::memory_bytes(method, bits, n))
}

/// The way in which repeats are counted, in a word.
pub(super) fn counted_by(simulation: &Simulation) -> &'static str {
    if simulation.large().is_some() {
        return Method::Partition.name();
    }
    if simulation.model().window_draws().is_some() {
        return Method::Sort.name();
    }
    Counter::method_for(simulation.inputs().method, id_bits(simulation), simulation.plan().draws).name()
}

/// Bits that ids have at most as they are counted.
fn id_bits(simulation: &Simulation) -> u32 {
    match simulation.model().uniform() {
        Some(Values::Bits(bits)) => bits.max(1),
        Some(Values::Whole(values)) => (u64::BITS - (values - 1).leading_zeros()).max(1),
        None => u64::BITS,
    }
}
