//! Records of one question, split over machines or in time, joined to the one that a single machine would have given.

use crate::engine::simulate::{self, Answer, Inputs, Simulation};
use crate::error::{Error, Result};
use crate::sim::plan::Part;

/// What one record holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Where it came from, fit for a message.
    pub name: String,
    /// Its question.
    pub inputs: Inputs,
    /// Its seed.
    pub seed: u64,
    /// What it counted.
    pub part: Part,
}

/// All pieces as one: the question, its answer, and the seed.
///
/// # Errors
/// Where there is none, two answer different questions, units are counted twice or by nobody, or numbers do not belong
/// together.
pub fn merge(mut pieces: Vec<Piece>) -> Result<(Simulation, Answer, u64)> {
    let Some(first) = pieces.first() else {
        return Err(Error::range("no record to merge; try uuidcap merge part-*/simulate.json"));
    };
    let simulation = Simulation::new(first.inputs.clone()).map_err(|error| error.within(&first.name))?;
    let seed = first.seed;
    for other in &pieces[1..] {
        same_question(first, other)?;
    }
    for piece in &pieces {
        let fault = piece.part.fault(simulation.plan(), simulation.scheme());
        if let Some(fault) = fault {
            return Err(Error::data(format!("{}: its numbers do not belong together: {fault}", piece.name)));
        }
    }
    // Empty shares, of more machines than units, hold nothing that could be twice or missing.
    pieces.retain(|piece| piece.part.from_unit < piece.part.to_unit);
    pieces.sort_by_key(|piece| (piece.part.from_unit, piece.part.to_unit));
    // A run that ended since its interval was narrow enough is whole.
    if !matches!(&pieces[..], [only] if simulation.is_narrow(&only.part)) {
        complete(&simulation, &pieces)?;
    }
    let mut whole = Part::new(simulation.scheme(), 0);
    for piece in pieces {
        whole.join(simulation.plan(), simulation.scheme(), piece.part);
    }
    let answer = simulate::conclude(&simulation, seed, whole)?;
    Ok((simulation, answer, seed))
}

/// Refuses two questions, by what they differ in.
fn same_question(one: &Piece, other: &Piece) -> Result<()> {
    let differs = |what: &str, of_one: &str, of_other: &str| {
        let (one, other) = (&one.name, &other.name);
        Error::data(format!(
            "{other} answers another question than {one}: its {what} is {of_other}, there it is {of_one}; merge records of one question"
        ))
    };
    if one.seed != other.seed {
        return Err(differs("seed", &one.seed.to_string(), &other.seed.to_string()));
    }
    if one.inputs == other.inputs {
        return Ok(());
    }
    let fields = |piece: &Piece| serde_json::to_value(&piece.inputs).unwrap_or_default();
    let (of_one, of_other) = (fields(one), fields(other));
    let of = |fields: &serde_json::Value, key: &str| {
        fields.get(key).unwrap_or(&serde_json::Value::Null).to_string()
    };
    let keys = of_one.as_object().into_iter().flatten().map(|(key, _)| key);
    let key = keys.into_iter().find(|key| of(&of_one, key) != of(&of_other, key));
    Err(key.map_or_else(
        || differs("question", "another", "one"),
        |key| differs(key, &of(&of_one, key), &of(&of_other, key)),
    ))
}

/// Refuses units that are counted twice or by nobody; the pieces come in their order.
fn complete(simulation: &Simulation, pieces: &[Piece]) -> Result<()> {
    let units = simulation.plan().units().unwrap_or(u64::MAX);
    let mut next = 0;
    let mut before: Option<&Piece> = None;
    for piece in pieces {
        if let (Some(before), true) = (before, piece.part.from_unit < next) {
            let last = next.min(piece.part.to_unit) - 1;
            return Err(Error::data(format!(
                "{} and {} both hold {}; {}",
                before.name,
                piece.name,
                named(simulation, piece.part.from_unit, last),
                remedy(before, piece)
            )));
        }
        if piece.part.from_unit > next {
            return Err(missing(simulation, before, next, piece.part.from_unit));
        }
        next = piece.part.to_unit;
        before = Some(piece);
    }
    if next < units { Err(missing(simulation, before, next, units)) } else { Ok(()) }
}

/// Which of two that overlap can go; the first starts no later.
fn remedy(before: &Piece, piece: &Piece) -> String {
    let (one, other) = (&before.part, &piece.part);
    if before.name == piece.name {
        return "name it once".to_owned();
    }
    match (one.from_unit == other.from_unit, one.to_unit >= other.to_unit) {
        (_, true) => format!("leave {} out: the other holds all of it", piece.name),
        (true, false) => format!("leave {} out: the other holds all of it", before.name),
        (false, false) => "leave one of them out, and count what is missing then".to_owned(),
    }
}

fn missing(simulation: &Simulation, before: Option<&Piece>, from: u64, to: u64) -> Error {
    let ends = before.map_or_else(String::new, |before| format!(": {} ends there", before.name));
    let are = if from + 1 == to { "is" } else { "are" };
    Error::data(format!(
        "{} of {} {are} in no record{ends}; add the record of that share, or go on with one that was broken off by simulate --resume",
        named(simulation, from, to - 1),
        simulation.plan().units().unwrap_or(u64::MAX)
    ))
}

/// Units by their numbers: trials, or slices of trials that are counted slice by slice.
fn named(simulation: &Simulation, first: u64, last: u64) -> String {
    let what = simulation.plan().unit_name();
    if first == last { format!("{what} {first}") } else { format!("{what}s {first} to {last}") }
}
