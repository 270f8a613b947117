//! `uuidcap merge`: join records of a run that was split over machines.

use super::options::Options;
use super::output::{Started, present};
use super::progress::Watch;
use super::{End, Failure, recorded};
use clap::Args;
use std::path::PathBuf;
use uuidcap::document::simulate as document;
use uuidcap::error::{Error, printable};
use uuidcap::study::merge::{self, Piece};
use uuidcap::study::simulate::report;

/// Every unit of the question once.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uuidcap merge part-*/simulate.json\n  uuidcap merge part-1 part-2 part-3 -o whole"
)]
pub(super) struct Flags {
    /// Records of one question, each a file or the folder of a study
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let out = options.out.as_ref().and_then(|out| out.canonicalize().ok());
    if let Some(record) =
        flags.records.iter().find(|record| out.is_some() && record.canonicalize().ok() == out)
    {
        let name = printable(&record.to_string_lossy());
        return Err(Error::range(format!(
            "--out: {name} is one of the records, and the whole would take its place; name another folder, e.g. -o whole"
        ))
        .into());
    }
    let pieces: Result<Vec<Piece>, Failure> = flags
        .records
        .iter()
        .map(|path| {
            let recorded::Simulated { name, inputs, seed, part, .. } = recorded::simulation(path)?;
            Ok(Piece { name, inputs, seed, part })
        })
        .collect();
    let (simulation, answer, seed) = merge::merge(pieces?)?;
    if options.seed.is_some_and(|asked| asked != seed) {
        return Err(Error::range(format!("--seed: the records have seed {seed}; leave --seed out")).into());
    }
    let options = &Options { seed: Some(seed), ..options.clone() };
    let watch = Watch::new(0, options);
    let report = report(answer);
    let document = document::document(&simulation, &report, options.seed);
    present(&simulation, &report, &document, options, &started, &watch)?;
    Ok(End::Answered)
}
