//! The record of a run: question, answer and circumstances, as JSON that every later step reads.

use crate::error::{Error, Result, printable};
use crate::question::Question;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The schema that records of this version follow: fields are added, never renamed.
pub const SCHEMA: &str = "uuidcap/1";

/// One run of one verb.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record<'a, Q, A> {
    schema: &'static str,
    verb: &'static str,
    version: &'static str,
    question: &'a Q,
    answer: &'a A,
    run: Run,
}

/// The circumstances of a run: what may differ between two runs of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// The seed, where chance was involved.
    pub seed: Option<u64>,
    /// Threads that were allowed.
    pub threads: usize,
    /// How long the answer took.
    pub seconds: f64,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// Where it ran.
    pub machine: Machine,
}

/// The machine of a run, as far as it matters to a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Operating system.
    pub os: &'static str,
    /// Processor architecture.
    pub arch: &'static str,
    /// Processors that the process may use.
    pub cpus: usize,
}

impl<'a, Q: Question, A: Serialize> Record<'a, Q, A> {
    /// The record of an answer.
    pub fn new(question: &'a Q, answer: &'a A, run: Run) -> Record<'a, Q, A> {
        Record { schema: SCHEMA, verb: Q::VERB, version: env!("CARGO_PKG_VERSION"), question, answer, run }
    }

    /// Writes pretty JSON with a line feed at its end.
    ///
    /// # Errors
    /// Where the sink does; no question or answer of this crate has a value without a JSON form.
    pub fn write(&self, mut sink: impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut sink, self)?;
        sink.write_all(b"\n")
    }
}

/// A record read back, with as much of its answer as the reader wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded<Q, A> {
    /// The question.
    pub question: Q,
    /// What was wanted of the answer.
    pub answer: A,
    /// The seed.
    pub seed: u64,
}

/// What tells whose record it is.
#[derive(Deserialize)]
struct Head {
    schema: String,
    verb: String,
    version: String,
}

#[derive(Deserialize)]
struct Body<Q, A> {
    question: Q,
    answer: A,
    run: Seeded,
}

#[derive(Deserialize)]
struct Seeded {
    seed: u64,
}

/// Reads the record of a verb, made by this version, in which chance was involved.
///
/// # Errors
/// Where it is no record, of another verb, or of another version, whose numbers need not be those of this one.
pub fn read<Q: DeserializeOwned, A: DeserializeOwned>(bytes: &[u8], verb: &str) -> Result<Recorded<Q, A>> {
    let fault = |error: serde_json::Error| {
        let reason = printable(&error.to_string());
        Error::data(format!("no record of {verb}: {reason}; give the {verb}.json that --out wrote"))
    };
    let head: Head = serde_json::from_slice(bytes).map_err(fault)?;
    let own = [(SCHEMA, head.schema), (verb, head.verb), (env!("CARGO_PKG_VERSION"), head.version)];
    for (what, (due, came)) in ["schema", "verb", "version"].into_iter().zip(own) {
        if due != came {
            let came = printable(&came);
            return Err(Error::data(format!("its {what} is {came}, and {due} is needed here")));
        }
    }
    let Body { question, answer, run } = serde_json::from_slice(bytes).map_err(fault)?;
    Ok(Recorded { question, answer, seed: run.seed })
}
