//! The record of a run: question, answer and circumstances, as JSON that every later step reads.

use crate::question::Question;
use serde::Serialize;
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
