//! An answer to stdout in the format asked for, and to files where a study was asked for.

use super::Failure;
use super::options::{Color, Format, Options};
use super::progress::Watch;
use super::study_files;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::time::{Instant, SystemTime};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuidcap::document::Document;
use uuidcap::error::printable;
use uuidcap::question::Question;
use uuidcap::record::{Machine, Record, Run};
use uuidcap::render;

/// Columns of text where stdout is no terminal, and the most where it is one.
const WIDTH: (u16, u16) = (100, 120);

/// When a run began: by the calendar for its record, by the clock for its length.
pub(super) struct Started(SystemTime, Instant);

impl Started {
    pub(super) fn now() -> Started {
        Started(SystemTime::now(), Instant::now())
    }

    fn run(&self, options: &Options) -> Run {
        let started = OffsetDateTime::from(self.0).format(&Rfc3339);
        Run {
            seed: options.seed,
            threads: options.threads(),
            seconds: self.1.elapsed().as_secs_f64(),
            started: started.unwrap_or_default(),
            machine: Machine {
                os: std::env::consts::OS,
                arch: std::env::consts::ARCH,
                cpus: std::thread::available_parallelism().map_or(1, usize::from),
            },
        }
    }
}

/// Writes the study where one was asked for, and the answer to stdout. An answer that was long in coming is not lost with
/// a study that cannot be written: that is told after it.
pub(super) fn present<Q: Question, A: Serialize>(
    question: &Q,
    answer: &A,
    document: &Document,
    options: &Options,
    started: &Started,
    watch: &Watch,
) -> Result<(), Failure> {
    let record = Record::new(question, answer, started.run(options));
    let study = match &options.out {
        Some(directory) => study(directory, &record, document, options, watch),
        None => Ok(()),
    };
    if let Err(Failure::Interrupted) = study {
        return study;
    }
    watch.unpolled();
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.format {
        Format::Text => {
            out.write_all(render::text::to_string(document, width(), coloured(options)).as_bytes())
        }
        Format::Markdown => out.write_all(render::markdown::to_string(document).as_bytes()),
        Format::Json => record.write(&mut out),
        Format::Csv => document.tables.first().map_or(Ok(()), |table| render::csv::write(table, &mut out)),
    };
    let written = written.and_then(|()| out.flush());
    let written = written.map_err(|error| Failure::System("writing to stdout".to_owned(), error));
    if let (Err(_), Err(Failure::System(_, error))) = (&study, &written)
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        super::complain(&format!("writing to stdout: {error}"));
    }
    // Whoever stops reading does not make good for a study that is missing.
    study.and(written)
}

fn study<Q: Question, A: Serialize>(
    directory: &Path,
    record: &Record<'_, Q, A>,
    document: &Document,
    options: &Options,
    watch: &Watch,
) -> Result<(), Failure> {
    let written = study_files::write(directory, record, document, watch)?;
    if !options.quiet {
        // Only a courtesy: the files are there whether or not it can be told.
        let shown = printable(&directory.to_string_lossy());
        let _ = writeln!(io::stderr(), "wrote {written} files to {shown}");
    }
    Ok(())
}

fn width() -> u16 {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), _)) if io::stdout().is_terminal() => columns.clamp(60, WIDTH.1),
        _ => WIDTH.0,
    }
}

fn coloured(options: &Options) -> bool {
    match options.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
        }
    }
}
