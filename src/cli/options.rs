//! Options that mean the same for every verb.

use super::{Failure, parse};
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;
use uuidcap::error::Error;
use uuidcap::units::Bytes;

/// What goes to stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// The record.
    Json,
    /// The main table.
    Csv,
    /// For a review document.
    Markdown,
}

impl Format {
    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "markdown",
        }
    }
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Also into a pipe.
    Always,
    /// Not at all.
    Never,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Options {
    /// What goes to stdout
    #[arg(
        short,
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        hide_possible_values = false
    )]
    pub(super) format: Format,

    /// Also write the study: the record, one CSV a table, one PNG and SVG a figure
    #[arg(short, long, global = true, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,

    /// Seed, where chance is involved
    #[arg(long, global = true, value_name = "N", value_parser = parse::seed, allow_hyphen_values = true)]
    pub(super) seed: Option<u64>,

    /// Threads; default all. A list (1,2,4) makes rows of bench
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_delimiter = ',',
        value_parser = parse::threads,
        allow_hyphen_values = true
    )]
    pub(super) threads: Vec<usize>,

    /// Memory an answer may take; default three quarters of what is free
    #[arg(long, global = true, value_name = "SIZE")]
    pub(super) max_memory: Option<Bytes>,

    /// When to colour; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,

    /// Nothing on stderr but errors
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,

    /// No progress bar
    #[arg(long, global = true)]
    pub(super) no_progress: bool,
}

impl Options {
    /// Threads that an engine may use: of a list the most.
    pub(super) fn threads(&self) -> usize {
        let asked = self.threads.iter().copied().max();
        asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Refuses a list of numbers of threads, which only `bench` compares.
    ///
    /// # Errors
    /// Where there is one.
    pub(super) fn check_one_number_of_threads(&self) -> Result<(), Error> {
        if self.threads.len() <= 1 {
            return Ok(());
        }
        let came = self.threads.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let most = self.threads().to_string();
        Err(Error::value(
            "--threads",
            &came,
            "one number from 1 to 4096 for this verb (bench takes a list)",
            &most,
        ))
    }

    /// Refuses an answer that needs more bytes than it may take; `what` needs them, `advice` helps.
    ///
    /// # Errors
    /// Where it does.
    pub(super) fn check_memory(&self, need: u128, what: &str, advice: &str) -> Result<(), Error> {
        let limit = self.memory_bytes();
        if need <= limit {
            return Ok(());
        }
        Err(Error::range(format!(
            "--max-memory: {what} need about {} and {} are allowed; {advice}, or raise --max-memory",
            bytes_in_words(need, u128::div_ceil),
            bytes_in_words(limit, |bytes, unit| bytes / unit)
        )))
    }

    /// Bytes that an answer may take, as far as they can be told.
    pub(super) fn memory_limit(&self) -> u64 {
        u64::try_from(self.memory_bytes()).unwrap_or(u64::MAX)
    }

    /// The options with a seed: the one that was given, else one that is drawn.
    ///
    /// # Errors
    /// Where the system has no entropy.
    pub(super) fn seeded(&self) -> Result<Options, Failure> {
        let seed = match self.seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|error| {
                let reason = io::Error::other(format!("{error}; try --seed 1"));
                Failure::System("drawing a seed".to_owned(), reason)
            })?,
        };
        Ok(Options { seed: Some(seed), ..self.clone() })
    }

    /// Bytes that an answer may take.
    fn memory_bytes(&self) -> u128 {
        self.max_memory.map_or_else(|| free_memory_bytes() / 4 * 3, |bytes| u128::from(bytes.0))
    }
}

/// Three digits and a unit, made whole in one direction or the other: a need that is rounded up and a limit that is
/// rounded down are never the same.
fn bytes_in_words(bytes: u128, whole: impl Fn(u128, u128) -> u128) -> String {
    const UNITS: [(&str, u128); 5] =
        [("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000)];
    let (name, unit) = UNITS.into_iter().rev().find(|(_, unit)| bytes >= *unit).unwrap_or(UNITS[0]);
    // Of one digit before the point two behind it, of two one, of three none; bytes have no parts.
    let parts = match bytes / unit {
        _ if unit == 1 => 1,
        0..10 => 100,
        10..100 => 10,
        _ => 1,
    };
    let rounded = whole(bytes, unit / parts);
    let decimals = parts.ilog10() as usize;
    match decimals {
        0 => format!("{rounded} {name}"),
        _ => format!("{}.{:0decimals$} {name}", rounded / parts, rounded % parts),
    }
}

/// What the system says is available; 4 GiB where it does not say.
fn free_memory_bytes() -> u128 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u128>().ok());
    kib.map_or(4 << 30, |kib| kib.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_above_a_limit_is_never_written_as_that_limit() {
        let need = |bytes| bytes_in_words(bytes, u128::div_ceil);
        let limit = |bytes| bytes_in_words(bytes, |bytes, unit| bytes / unit);
        assert_eq!((need(1_000_001), limit(1_000_000)), ("1.01 MB".to_owned(), "1.00 MB".to_owned()));
        assert_eq!((need(999), limit(999_999)), ("999 B".to_owned(), "999 kB".to_owned()));
        assert_eq!((need(9_999), need(12_345_678)), ("10.00 kB".to_owned(), "12.4 MB".to_owned()));
        assert_eq!((need(1_106_774_000), limit(0)), ("1.11 GB".to_owned(), "0 B".to_owned()));
    }
}
