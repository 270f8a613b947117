//! `uuidcap schemes`: the catalogue of identifiers.

use super::options::Options;
use super::output::{Started, present};
use super::progress::Watch;
use super::{End, Failure};
use clap::Args;
use uuidcap::{document, engine};

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// One scheme by name (v7, UUIDv7, v7:postgres18, nanoid); without it, all
    #[arg(value_name = "SCHEME")]
    scheme: Option<String>,
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let question = engine::schemes::Listing::new(flags.scheme.as_deref())?;
    let answer = engine::schemes::answer(&question);
    let document = document::schemes::document(&answer);
    present(&question, &answer, &document, options, &started, &Watch::new(0, options))?;
    Ok(End::Answered)
}
