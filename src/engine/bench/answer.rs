//! The answer of `bench`: what was measured, how much it swung, and what the machine was doing meanwhile.

use super::conditions::Conditions;
use super::contender::{Call, Role};
use super::question::Into;
use crate::id::generator::Cipher;
use serde::Serialize;

/// One generator on so many threads into one place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The word for it.
    pub generator: &'static str,
    /// Whose code it is.
    pub role: Role,
    /// How it was called.
    pub call: Call,
    /// The scheme of the catalogue that it makes.
    pub scheme: Option<&'static str>,
    /// The stream that it draws from, where it is one of this crate's.
    pub stream: Option<Cipher>,
    /// Where ids were put.
    pub into: Into,
    /// Threads that made ids at once.
    pub threads: usize,
    /// Whether the row was asked for; the baseline runs even where it was not.
    pub asked: bool,
    /// Bytes of one id as it was put down.
    pub id_bytes: usize,
    /// Ids each second of all threads together: 10^9 over the nanoseconds.
    pub ids_per_s: f64,
    /// Nanoseconds in which all threads together bring one id more: the median of the rounds.
    pub ns_per_id: f64,
    /// Bytes each second: ids each second times the bytes of one.
    pub bytes_per_s: f64,
    /// The slowest round less the fastest, over the median: a share; none of a single round.
    pub spread: Option<f64>,
    /// How many times as fast as the baseline: the median of the rounds, each compared with its own.
    pub ratio_to_baseline: f64,
    /// The lowest of these ratios.
    pub ratio_low: f64,
    /// The highest of these ratios.
    pub ratio_high: f64,
    /// Ids made in the slices that count.
    pub ids: u64,
    /// Of these, ids that were looked at: version, variant, repeats, order.
    pub ids_checked: u64,
}

/// In which order ids came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Each above the one before; one thread made them.
    Rising,
    /// The same on every thread by itself; several made them.
    RisingWithinThread,
    /// In none.
    None,
}

/// Ids of one generator, all compared with each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// The word for it.
    pub generator: &'static str,
    /// Whose code it is.
    pub role: Role,
    /// How it was called.
    pub call: Call,
    /// The stream that it draws from, where it is one of this crate's.
    pub stream: Option<Cipher>,
    /// Threads that made them at once.
    pub threads: usize,
    /// Ids made.
    pub ids: u64,
    /// Different ids among them.
    pub distinct: u64,
    /// Ids made less different ones.
    pub repeats: u64,
    /// Ids of a wrong version or variant, or with a character that is none of the alphabet.
    pub invalid: u64,
    /// In which order they came; none where no thread made two.
    pub order: Order,
    /// The order that the generator promises on so many threads.
    pub promised: Order,
    /// Whether it kept that; none where nothing is promised, or no thread made two.
    pub kept: Option<bool>,
}

impl Distinct {
    /// Whether all is as it must be.
    pub fn is_sound(&self) -> bool {
        self.repeats == 0 && self.invalid == 0 && self.kept != Some(false)
    }
}

/// A generator that cannot serve so many threads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The word for it.
    pub generator: &'static str,
    /// Threads on which it was left out.
    pub threads: usize,
    /// The most that it can serve.
    pub most_threads: usize,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Everyone who was measured, on every number of threads, into every place.
    pub rows: Vec<Row>,
    /// With whom rows are compared, on one thread into the same place; empty where ids were compared instead.
    pub baseline: String,
    /// Rounds that were finished.
    pub rounds: usize,
    /// Whether it was stopped before all rounds were.
    pub stopped_early: bool,
    /// Those who were left out.
    pub skipped: Vec<Skipped>,
    /// Bytes that the threads shared out in memory, where ids were put there.
    pub memory_bytes: Option<usize>,
    /// Ids compared with each other, where that was asked.
    pub distinct: Vec<Distinct>,
    /// The machine, and what it was doing.
    pub conditions: Conditions,
}
