//! The question of `bench`: who is measured, on how many threads, into what, for how long.

use super::check;
use super::contender::{Contender, Role, Shape};
use crate::error::{Error, Result};
use crate::id::scheme;
use crate::id::text::TextForm;
use crate::question::Question;
use crate::units::Probability;
use serde::{Serialize, Serializer};

/// Where ids are put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Into {
    /// 16 KiB of each thread's own, again and again: it stays in the first-level cache.
    L1,
    /// A buffer far larger than the caches, which the threads share out.
    Memory,
}

impl Into {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Into::L1 => "l1",
            Into::Memory => "memory",
        }
    }
}

impl std::str::FromStr for Into {
    type Err = Error;

    fn from_str(text: &str) -> Result<Into> {
        let known = [Into::L1, Into::Memory].into_iter().find(|into| into.name() == text.trim());
        known.ok_or_else(|| Error::value("a destination", text, "l1 or memory", "l1"))
    }
}

/// How ids are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// As the bytes that they are.
    Binary,
    /// As text, one behind the other.
    Text(TextForm),
}

impl Format {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Binary => "binary",
            Format::Text(form) => form.name(),
        }
    }
}

impl std::str::FromStr for Format {
    type Err = Error;

    /// `binary`, a text form, or `text` for the usual one.
    fn from_str(text: &str) -> Result<Format> {
        let forms = TextForm::ALL.map(Format::Text);
        match text.trim() {
            "text" => Ok(forms[0]),
            name => {
                let known = [Format::Binary].into_iter().chain(forms).find(|format| format.name() == name);
                let allowed = "binary, text, hyphenated, simple, base32, base62 or base64url";
                known.ok_or_else(|| Error::value("a key format", text, allowed, "hyphenated"))
            }
        }
    }
}

impl Serialize for Format {
    /// Its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Bytes that each thread fills where ids stay in the first-level cache.
pub(super) const L1_BYTES: usize = 16 << 10;
/// Bytes that all threads together fill in memory, and fewer where it is to be quick.
const MEMORY_BYTES: (usize, usize) = (1 << 30, 64 << 20);
/// Bytes of a thread: its buffer, the ids that it looks at, and the part of its stack that is used.
const THREAD_BYTES: usize = L1_BYTES + L1_BYTES + (64 << 10);
/// Bytes that a maker keeps at most: 4 KiB of ids made ahead, 4 KiB of ids to be written, and its keys.
const MAKER_BYTES: usize = 10 << 10;
/// The most threads.
const MOST_THREADS: usize = 4_096;
/// The most ids that are kept to be compared; 16 bytes each.
const MOST_IDS: u64 = 1 << 32;
/// Ids that are compared where nobody says, and fewer where it is to be quick.
pub const DISTINCT_IDS: (u64, u64) = (1 << 24, 1 << 20);
/// Rounds where nobody says, and fewer where it is to be quick.
pub const ROUNDS: (usize, usize) = (5, 2);
/// Seconds a row where nobody says, and fewer where it is to be quick.
pub const SECONDS: (f64, f64) = (0.5, 0.04);

/// Everything that can be asked of `bench`, not yet checked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inputs {
    /// Names of generators; `own`, `peers` and `ceilings` for all of a kind, `v7:*` for all that begin so; empty for
    /// everything.
    pub generators: Vec<String>,
    /// Threads that make ids at once; each number makes rows of its own.
    pub threads: Vec<usize>,
    /// Where ids are put.
    pub into: Vec<Into>,
    /// How ids are written.
    pub key_format: Format,
    /// Seconds for which each row is measured, over all rounds.
    #[serde(rename = "seconds_per_row")]
    pub seconds: f64,
    /// Rounds: in each, every row gets one slice of time.
    pub rounds: usize,
    /// A smaller buffer in memory.
    pub quick: bool,
    /// With whom every row is compared, on one thread and into the same place.
    pub baseline: Option<String>,
    /// The probability of a clash until which the outlook counts.
    pub risk: Probability,
    /// Ids of each generator that are kept and compared in place of any measurement.
    #[serde(rename = "distinct_ids")]
    pub distinct: Option<u64>,
}

/// A checked question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Benchmark {
    #[serde(flatten)]
    inputs: Inputs,
}

impl Question for Benchmark {
    const VERB: &'static str = "bench";
}

/// Baselines where nobody names one: the first there is.
const BASELINES: [&str; 2] = ["v4:uuid-rs-default", "v4:one"];

impl Benchmark {
    /// Checks the inputs against those who can be measured; names become those of contenders, in their order.
    ///
    /// # Errors
    /// Where a name is not among them, or a number is out of its range.
    pub fn new(mut inputs: Inputs, contenders: &[Contender]) -> Result<Benchmark> {
        inputs.generators = chosen(&inputs, contenders)?;
        if inputs.threads.is_empty() {
            return Err(Error::value("--threads", "", "a number from 1 to 4096 or a list of them", "1,2"));
        }
        if let Some(wrong) = inputs.threads.iter().find(|threads| !(1..=MOST_THREADS).contains(*threads)) {
            return Err(Error::value("--threads", &wrong.to_string(), "a number from 1 to 4096", "1,2"));
        }
        inputs.threads.sort_unstable();
        inputs.threads.dedup();
        inputs.into.sort_by_key(|into| into.name());
        inputs.into.dedup();
        if inputs.into.is_empty() {
            inputs.into.push(Into::L1);
        }
        // Below 20 ms a slice is as short as a tick of a scheduler; above an hour nobody waits.
        if !(0.02..=3_600.0).contains(&inputs.seconds) {
            let came = inputs.seconds.to_string();
            return Err(Error::value("--seconds", &came, "from 0.02 to 3600 a row", "1"));
        }
        if !(1..=1_000).contains(&inputs.rounds) {
            let came = inputs.rounds.to_string();
            return Err(Error::value("--rounds", &came, "a number from 1 to 1000", "5"));
        }
        if let Some(ids) = inputs.distinct.filter(|ids| !(2..=MOST_IDS).contains(ids)) {
            return Err(Error::value("--ids", &ids.to_string(), "a number from 2 to 2^32", "2^24"));
        }
        inputs.baseline = if inputs.distinct.is_some() { None } else { Some(baseline(&inputs, contenders)?) };
        Ok(Benchmark { inputs })
    }

    /// The inputs, with defaults filled in.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// With whom every row is compared; empty where nothing is measured.
    pub fn baseline(&self) -> &str {
        self.inputs.baseline.as_deref().unwrap_or_default()
    }

    /// The most threads that run at once.
    pub fn most_threads(&self) -> usize {
        self.inputs.threads.iter().copied().max().unwrap_or(1)
    }

    /// Bytes that the threads share out in memory.
    pub(super) fn memory_buffer_bytes(&self) -> usize {
        if self.inputs.quick { MEMORY_BYTES.1 } else { MEMORY_BYTES.0 }
    }

    /// What an answer needs in memory, in bytes: the buffers, what makers keep, and a copy of the ids that are looked at.
    pub fn memory_bytes(&self) -> u128 {
        let inputs = &self.inputs;
        let threads = |bytes: usize| self.most_threads() as u128 * bytes as u128;
        if let Some(ids) = inputs.distinct {
            return u128::from(ids) * size_of::<u128>() as u128 + threads(THREAD_BYTES);
        }
        let seats: usize = inputs.threads.iter().sum::<usize>() * inputs.generators.len() * inputs.into.len();
        let memory = if inputs.into.contains(&Into::Memory) {
            self.memory_buffer_bytes() as u128 + threads(check::MOST_BYTES)
        } else {
            0
        };
        memory + threads(THREAD_BYTES) + seats as u128 * MAKER_BYTES as u128
    }
}

/// Names of those who are measured, in the order of the contenders.
fn chosen(inputs: &Inputs, contenders: &[Contender]) -> Result<Vec<String>> {
    let compared = inputs.distinct.is_some();
    let able = |contender: &&Contender| !compared || contender.shape.holds_ids();
    let mut wanted: Vec<&str> = Vec::new();
    for name in &inputs.generators {
        let name = name.trim();
        let own = contenders.iter().filter(|contender| answers_to(contender, name));
        let before = wanted.len();
        wanted.extend(own.clone().filter(able).map(|contender| contender.name));
        if wanted.len() > before {
            continue;
        }
        return Err(if own.clone().next().is_some() {
            let allowed = "a generator of ids with --distinct: a ceiling or raw entropy makes none";
            Error::value("--generator", name, allowed, "v4")
        } else {
            let names: Vec<&str> = contenders.iter().map(|contender| contender.name).collect();
            let allowed = format!("own, peers, ceilings or one of {}{}", names.join(", "), as_text(inputs));
            let near = scheme::near(name, names.iter().map(|name| (*name, *name))).unwrap_or("v4");
            Error::value("--generator", name, &allowed, near)
        });
    }
    let everyone = inputs.generators.is_empty();
    let names = contenders.iter().filter(able).map(|contender| contender.name);
    Ok(names.filter(|name| everyone || wanted.contains(name)).map(str::to_owned).collect())
}

/// Not everyone can write every text form.
fn as_text(inputs: &Inputs) -> String {
    match inputs.key_format {
        Format::Binary => String::new(),
        Format::Text(form) => format!(" (who can write {})", form.name()),
    }
}

/// Whether a name means a contender, by itself or among others.
fn answers_to(contender: &Contender, name: &str) -> bool {
    match name {
        "own" => contender.role == Role::Own,
        "peers" => contender.role == Role::Peer,
        "ceilings" => contender.role == Role::Ceiling,
        _ => match name.strip_suffix(":*") {
            Some(family) => {
                contender.name == family
                    || contender.name.strip_prefix(family).is_some_and(|rest| rest.starts_with([':', '-']))
            }
            None => contender.name == name,
        },
    }
}

fn baseline(inputs: &Inputs, contenders: &[Contender]) -> Result<String> {
    let find = |name: &str| contenders.iter().find(|contender| contender.name == name);
    let names = || contenders.iter().map(|contender| contender.name);
    match &inputs.baseline {
        Some(name) => match find(name.trim()) {
            Some(contender) => Ok(contender.name.to_owned()),
            None => {
                let names_there = names().collect::<Vec<_>>().join(", ");
                let allowed = format!("one of {names_there}{}", as_text(inputs));
                let near = scheme::near(name, names().map(|name| (name, name))).unwrap_or("v4:one");
                Err(Error::value("--baseline", name, &allowed, near))
            }
        },
        None => {
            let usual = BASELINES.iter().find_map(|name| find(name));
            let first = usual.or_else(|| contenders.iter().find(|one| one.shape != Shape::Filled));
            first.map(|contender| contender.name.to_owned()).ok_or_else(|| Error::range("nobody to measure"))
        }
    }
}
