//! Records of earlier runs, read back.

use super::Failure;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use uuidcap::engine::simulate::{Inputs, Share};
use uuidcap::error::{Error, printable};
use uuidcap::record::{Recorded, read};
use uuidcap::sim::plan::Part;

/// Bytes of a record; one that is longer is none of ours.
const MOST_BYTES: u64 = 64 << 20;

/// What a run of `simulate` counted.
pub(super) struct Simulated {
    /// The path it was read from, fit for a message.
    pub(super) name: String,
    /// Its question.
    pub(super) inputs: Inputs,
    /// Its seed.
    pub(super) seed: u64,
    /// What it counted.
    pub(super) part: Part,
    /// The units that it was to count, where these are not all.
    pub(super) share: Option<Range<u64>>,
}

/// Of an answer what is read back.
#[derive(serde::Deserialize)]
struct Counted {
    counted: Part,
    share: Option<Share>,
}

/// The record of a run of `simulate`: a file, or the folder of its study.
pub(super) fn simulation(path: &Path) -> Result<Simulated, Failure> {
    let file = if path.is_dir() { path.join("simulate.json") } else { path.to_owned() };
    let name = printable(&file.to_string_lossy());
    let failed = |error| Failure::System(format!("reading the record {name}"), error);
    // A pipe or a device may never end, and opening one may wait for ever.
    if !std::fs::metadata(&file).map_err(failed)?.is_file() {
        let message = format!("{name} is no file; try the simulate.json of a study, or what -f json printed");
        return Err(Error::data(message).into());
    }
    let mut bytes = Vec::new();
    File::open(&file).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)).map_err(failed)?;
    let recorded: Recorded<Inputs, Counted> =
        read(&bytes, "simulate").map_err(|error| error.within(&name))?;
    let Recorded { question, answer, seed } = recorded;
    let share = answer.share.map(|share| share.from_unit..share.until_unit);
    Ok(Simulated { name, inputs: question, seed, part: answer.counted, share })
}
