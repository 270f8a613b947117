//! How fast this machine makes ids.
//!
//! Every contender on every number of threads into every place is a row. Rounds alternate: in each, every row
//! gets one slice of time, and the order changes from round to round, so that a machine that slows down slows
//! all. A row is compared with the baseline of the same round. What threads leave in their buffers is read
//! after every slice and has to be ids; a figure of an empty loop cannot come about.
//!
//! The engine has no clock: it is handed a [`Host`].

mod answer;
mod check;
mod conditions;
mod contender;
mod crew;
mod distinct;
mod question;
mod race;
mod room;
mod roster;
mod rounds;
mod sort;

pub use answer::{Answer, Distinct, Order, Row, Skipped};
pub use conditions::{Aes, Cache, Conditions, Doubt, Machine, Warning};
pub use contender::{Call, Contender, Maker, Role, Shape, Team};
pub use question::{
    Benchmark, DISTINCT_IDS, Format, IDS_RANGE, Inputs, Into, ROUNDS, ROUNDS_RANGE, SECONDS, SECONDS_RANGE,
};
pub use roster::contenders;

use crate::error::{Error, Result};
use crate::question::Progress;
use conditions::Seen;
use question::Planned;
use race::{Lane, Slice};
use rayon::ThreadPool;
use room::Room;
use rounds::{median, order, range, spread};

/// The machine that is measured: its stopwatch and what it says of itself.
pub trait Host: Sync {
    /// Nanoseconds since any moment; never less than before.
    fn ns(&self) -> u64;
    /// What is known of it now.
    fn machine(&self) -> Machine {
        Machine::default()
    }
}

/// Looks at the stopwatch by which the time of one is told.
const LOOKS: u64 = 1_000;

/// Steps that an answer reports to its progress.
pub fn steps(question: &Benchmark) -> u64 {
    let inputs = question.inputs();
    let turns = if inputs.distinct.is_some() { 1 } else { inputs.rounds + 1 };
    (question.plan().len() * turns) as u64
}

/// Measures everyone who was asked for, or makes and compares their ids.
///
/// # Errors
/// Where a generator refuses so many threads, where it makes what is no id or an id twice, where threads cannot be
/// started, and where the progress asks to stop before the first round is over.
pub fn answer(
    question: &Benchmark,
    contenders: &[Contender],
    host: &dyn Host,
    progress: &dyn Progress,
) -> Result<Answer> {
    match question.inputs().distinct {
        Some(ids) => compare(question, ids, contenders, host, progress),
        None => measure(question, contenders, host, progress),
    }
}

/// Makes so many ids of everyone on every number of threads, and compares those of one with each other.
fn compare(
    question: &Benchmark,
    ids: u64,
    contenders: &[Contender],
    host: &dyn Host,
    progress: &dyn Progress,
) -> Result<Answer> {
    let length = usize::try_from(ids).map_err(|_| Error::range("--ids: more than this machine counts"))?;
    let mut numbers = vec![0u128; length];
    let machine = host.machine();
    // More threads than processors do not sort faster.
    let pool = pool(question.most_threads().min(machine.cpus.unwrap_or(usize::MAX)))?;
    let mut distinct = Vec::new();
    let mut stopped_early = false;
    for planned in question.plan() {
        let contender = find(contenders, planned.generator)?;
        match distinct::distinct(contender, planned.threads, &pool, &mut numbers, progress)? {
            Some(one) => distinct.push(one),
            None if distinct.is_empty() => return Err(stopped()),
            None => {
                stopped_early = true;
                break;
            }
        }
        progress.advance(1);
    }
    Ok(Answer {
        rows: Vec::new(),
        baseline: String::new(),
        rounds: 0,
        stopped_early,
        skipped: question.skipped().to_vec(),
        memory_bytes: None,
        distinct,
        conditions: Conditions { machine, ..Conditions::default() },
    })
}

fn measure(
    question: &Benchmark,
    contenders: &[Contender],
    host: &dyn Host,
    progress: &dyn Progress,
) -> Result<Answer> {
    let (before, began) = (host.machine(), host.ns());
    let mut lanes = lanes(question, contenders)?;
    let (rounds, calibration_ns) = run(question, &mut lanes, host, progress)?;
    let rows = rows(question, &lanes, rounds);
    let seen = Seen {
        before,
        after: host.machine(),
        elapsed_s: host.ns().saturating_sub(began) as f64 * 1e-9,
        calibration_ns,
        most_threads: question.most_threads(),
        rows: &rows,
    };
    let conditions = conditions::weigh(seen);
    Ok(Answer {
        rows,
        baseline: question.baseline().to_owned(),
        rounds,
        stopped_early: rounds < question.inputs().rounds,
        skipped: question.skipped().to_vec(),
        memory_bytes: question.shared_bytes(),
        distinct: Vec::new(),
        conditions,
    })
}

fn find<'a>(contenders: &'a [Contender], name: &str) -> Result<&'a Contender> {
    let found = contenders.iter().find(|contender| contender.name == name);
    found.ok_or_else(|| Error::range(format!("{name} is not among those who are handed in to be measured")))
}

/// A lane a row, in the order of the answer.
fn lanes<'a>(question: &Benchmark, contenders: &'a [Contender]) -> Result<Vec<Lane<'a>>> {
    let lane = |planned: Planned<'_>| {
        let contender = find(contenders, planned.generator)?;
        Lane::new(contender, planned.into, planned.threads, planned.asked)
    };
    question.plan().into_iter().map(lane).collect()
}

/// Threads that sort.
fn pool(threads: usize) -> Result<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::data(format!("starting {threads} threads: {error}; try --threads 1")))
}

/// Runs the rounds; returns how many were finished and how long the fixed work took before each.
fn run(
    question: &Benchmark,
    lanes: &mut [Lane<'_>],
    host: &dyn Host,
    progress: &dyn Progress,
) -> Result<(usize, Vec<u64>)> {
    let inputs = question.inputs();
    let mut room = Room::new(question);
    let slice = Slice { host, progress, ns: question.slice_ns(), look_ns: look_ns(host) };
    for lane in &mut *lanes {
        lane.warm_up(&mut room, &slice)?;
        if progress.cancelled() {
            return Err(stopped());
        }
        progress.advance(1);
    }
    let mut calibration_ns = Vec::new();
    for round in 0..inputs.rounds {
        calibration_ns.push(timed(host, conditions::spin));
        for place in order(lanes.len(), round, inputs.rounds) {
            let lane = &mut lanes[place];
            lane.round(&mut room, &slice)?;
            if progress.cancelled() {
                calibration_ns.truncate(round.max(1));
                return if round == 0 { Err(stopped()) } else { Ok((round, calibration_ns)) };
            }
            progress.advance(1);
        }
    }
    Ok((inputs.rounds, calibration_ns))
}

fn stopped() -> Error {
    Error::range("stopped before there was anything to tell")
}

fn timed<T>(host: &dyn Host, work: impl FnOnce() -> T) -> u64 {
    let start = host.ns();
    std::hint::black_box(work());
    host.ns().saturating_sub(start)
}

/// Nanoseconds that one look at the stopwatch takes, rounded up.
fn look_ns(host: &dyn Host) -> u64 {
    timed(host, || (0..LOOKS).fold(0, |last: u64, _| last.max(host.ns()))).div_ceil(LOOKS)
}

/// What the finished rounds say.
fn rows(question: &Benchmark, lanes: &[Lane<'_>], rounds: usize) -> Vec<Row> {
    let baseline = |into| {
        let own = |lane: &&Lane<'_>| {
            lane.contender.name == question.baseline() && lane.threads == 1 && lane.into == into
        };
        lanes.iter().find(own).expect("the baseline runs whether or not it was asked for")
    };
    lanes.iter().map(|lane| row(lane, &baseline(lane.into).ns[..rounds], rounds)).collect()
}

fn row(lane: &Lane<'_>, baseline_ns: &[f64], rounds: usize) -> Row {
    let contender = lane.contender;
    let ns = &lane.ns[..rounds];
    let ratios: Vec<f64> = baseline_ns.iter().zip(ns).map(|(baseline, own)| baseline / own).collect();
    let (ns_per_id, (ratio_low, ratio_high)) = (median(ns), range(&ratios));
    let (ids_per_s, id_bytes) = (1e9 / ns_per_id, contender.shape.id_bytes());
    Row {
        generator: contender.name,
        role: contender.role,
        call: contender.call,
        scheme: contender.scheme,
        stream: contender.stream,
        into: lane.into,
        threads: lane.threads,
        asked: lane.asked,
        id_bytes,
        ids_per_s,
        ns_per_id,
        bytes_per_s: ids_per_s * id_bytes as f64,
        spread: (rounds > 1).then(|| spread(ns)),
        ratio_to_baseline: median(&ratios),
        ratio_low,
        ratio_high,
        ids: lane.ids[..rounds].iter().sum(),
        ids_checked: lane.checked[..rounds].iter().sum(),
    }
}

#[cfg(test)]
mod tests;
