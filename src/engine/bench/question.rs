//! The question of `bench`: who is measured, on how many threads, into what, for how long.

use super::answer::Skipped;
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
        let named = |into: &Into| text.trim().eq_ignore_ascii_case(into.name());
        let known = [Into::L1, Into::Memory].into_iter().find(named);
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
/// Bytes of a thread: its buffer, as numbers the ids in it, of eight bytes at least, that it looks at, and the part of
/// its stack that is used.
const THREAD_BYTES: usize = L1_BYTES + 2 * L1_BYTES + (32 << 10);
/// Bytes that a maker keeps at most: 4 KiB of ids made ahead, 4 KiB of ids to be written, and its keys.
const MAKER_BYTES: usize = 10 << 10;
/// The shortest slice of time, in nanoseconds: those who take 400 ns an id are asked for 256 of them a call, so that ten
/// calls and more go into it.
const SHORTEST_NS: f64 = 1e6;
/// The most threads.
const MOST_THREADS: usize = 4_096;
/// The fewest and the most ids that are compared; 16 bytes each.
pub const IDS_RANGE: (u64, u64) = (2, 1 << 32);
/// The fewest and the most seconds a row. Below 20 ms it is as short as a tick of a scheduler; above an hour nobody waits.
pub const SECONDS_RANGE: (f64, f64) = (0.02, 3_600.0);
/// The fewest and the most rounds.
pub const ROUNDS_RANGE: (usize, usize) = (1, 1_000);
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
    #[serde(skip)]
    skipped: Vec<Skipped>,
}

/// One generator on so many threads into one place, before it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Planned<'a> {
    pub generator: &'a str,
    pub into: Into,
    pub threads: usize,
    /// Whether it was asked for, and does not only run as the baseline.
    pub asked: bool,
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
        let named = std::mem::take(&mut inputs.generators);
        inputs.generators = chosen(&named, &inputs, contenders)?;
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
        let (least, most) = SECONDS_RANGE;
        if !(least..=most).contains(&inputs.seconds) {
            let came = inputs.seconds.to_string();
            return Err(Error::value("--seconds", &came, "a number from 0.02 to 3600 a row", "1"));
        }
        if !(ROUNDS_RANGE.0..=ROUNDS_RANGE.1).contains(&inputs.rounds) {
            let came = inputs.rounds.to_string();
            return Err(Error::value("--rounds", &came, "a number from 1 to 1000", "5"));
        }
        let needed = inputs.rounds as f64 * SHORTEST_NS * 1e-9;
        if inputs.seconds < needed {
            let (came, rounds) = (inputs.seconds.to_string(), inputs.rounds);
            let allowed = format!("at least {needed} where --rounds is {rounds}: a millisecond a round");
            return Err(Error::value("--seconds", &came, &allowed, "1"));
        }
        if let Some(ids) = inputs.distinct.filter(|ids| !(IDS_RANGE.0..=IDS_RANGE.1).contains(ids)) {
            return Err(Error::value("--ids", &ids.to_string(), "a number from 2 to 2^32", "2^24"));
        }
        inputs.baseline = if inputs.distinct.is_some() { None } else { Some(baseline(&inputs, contenders)?) };
        let skipped = skipped(&inputs, contenders, &named)?;
        Ok(Benchmark { inputs, skipped })
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

    /// Who is left out, and on how many threads.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Comparisons of ids, where they are asked for: one a generator and number of threads.
    pub fn comparisons(&self) -> usize {
        if self.inputs.distinct.is_some() { self.plan().len() } else { 0 }
    }

    /// The rows, in their order; the baseline comes first where it was not asked for. Where ids are compared instead,
    /// one for each number of threads.
    pub(super) fn plan(&self) -> Vec<Planned<'_>> {
        let inputs = &self.inputs;
        let skips = |generator: &str, threads: usize| {
            self.skipped.iter().any(|one| one.generator == generator && one.threads == threads)
        };
        let mut plan = Vec::new();
        for into in &inputs.into {
            let baseline = self.inputs.baseline.as_deref().map(|generator| Planned {
                generator,
                into: *into,
                threads: 1,
                asked: false,
            });
            let own = plan.len();
            for generator in &inputs.generators {
                let threads = inputs.threads.iter().filter(|threads| !skips(generator, **threads));
                let asked =
                    |threads: &usize| Planned { generator, into: *into, threads: *threads, asked: true };
                plan.extend(threads.map(asked));
            }
            let baseline = baseline.filter(|baseline| {
                let same = |one: &Planned<'_>| one.generator == baseline.generator && one.threads == 1;
                !plan[own..].iter().any(same)
            });
            if let Some(baseline) = baseline {
                plan.insert(own, baseline);
            }
        }
        plan
    }

    /// Nanoseconds of a slice of time.
    pub(super) fn slice_ns(&self) -> u64 {
        (self.inputs.seconds / self.inputs.rounds as f64 * 1e9).ceil() as u64
    }

    /// Bytes that the threads share out in memory, where ids are put there.
    pub fn shared_bytes(&self) -> Option<usize> {
        let measured = self.inputs.distinct.is_none() && self.inputs.into.contains(&Into::Memory);
        measured.then(|| self.memory_buffer_bytes())
    }

    /// Bytes that the threads share out in memory.
    pub(super) fn memory_buffer_bytes(&self) -> usize {
        if self.inputs.quick { MEMORY_BYTES.1 } else { MEMORY_BYTES.0 }
    }

    /// What an answer needs in memory, in bytes: the buffers, what makers keep, and a copy of the ids that are looked at.
    pub fn memory_bytes(&self) -> u128 {
        let (ids, shared, threads) = self.needs();
        ids + shared + threads
    }

    /// What helps where that is too much.
    pub fn memory_advice(&self) -> &'static str {
        let (ids, shared, threads) = self.needs();
        match (ids > threads, shared > threads, self.inputs.quick) {
            (true, ..) => "ask for fewer --ids",
            (_, true, false) => "leave out --into memory, add --quick",
            (_, true, true) => "leave out --into memory",
            _ if self.inputs.distinct.is_some() => "name fewer --threads",
            _ => "name fewer --threads or --generator",
        }
    }

    /// Bytes for ids that are compared, for the buffer that is shared out, and for threads and their makers.
    fn needs(&self) -> (u128, u128, u128) {
        let most = self.most_threads() as u128;
        let bytes = |bytes: usize, times: u128| bytes as u128 * times;
        if let Some(ids) = self.inputs.distinct {
            let ids = bytes(size_of::<u128>(), ids.into());
            return (ids, 0, bytes(THREAD_BYTES + MAKER_BYTES, most));
        }
        let seats = self.plan().iter().map(|planned| planned.threads as u128).sum();
        let shared = self.shared_bytes().map_or(0, |shared| bytes(shared, 1));
        // Of ids of eight bytes a part has twice its bytes as numbers; the last are looked at.
        let looked_at = bytes(check::MOST_BYTES, most).min(2 * shared);
        (0, shared, bytes(THREAD_BYTES, most) + looked_at + bytes(MAKER_BYTES, seats))
    }
}

/// Who cannot serve how many of the threads.
///
/// # Errors
/// Where that is one who was named, or nobody is left.
fn skipped(inputs: &Inputs, contenders: &[Contender], named: &[String]) -> Result<Vec<Skipped>> {
    let mut skipped = Vec::new();
    for contender in contenders.iter().filter(|own| inputs.generators.iter().any(|name| name == own.name)) {
        let Some(most_threads) = contender.most_threads else { continue };
        for threads in inputs.threads.iter().copied().filter(|threads| *threads > most_threads) {
            skipped.push(Skipped { generator: contender.name, threads, most_threads });
        }
    }
    let refused = |one: &Skipped| {
        let allowed = format!(
            "at most {} for {}, which has a number for each thread and no more",
            one.most_threads, one.generator
        );
        Error::value("--threads", &one.threads.to_string(), &allowed, &one.most_threads.to_string())
    };
    let by_name = skipped.iter().find(|one| named.iter().any(|name| name.trim() == one.generator));
    let nobody = skipped.len() == inputs.generators.len() * inputs.threads.len();
    match by_name.or(skipped.first().filter(|_| nobody)) {
        Some(one) => Err(refused(one)),
        None => Ok(skipped),
    }
}

/// Names of those who are measured, in the order of the contenders.
fn chosen(named: &[String], inputs: &Inputs, contenders: &[Contender]) -> Result<Vec<String>> {
    let compared = inputs.distinct.is_some();
    let able = |contender: &&Contender| !compared || contender.shape.holds_ids();
    let mut wanted: Vec<&str> = Vec::new();
    for name in named {
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
            let known = GROUPS.into_iter().map(|(group, _)| group).chain(names.iter().copied());
            let near = nearest(name, known).unwrap_or("v4");
            Error::value("--generator", name, &allowed, near)
        });
    }
    let everyone = named.is_empty();
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
    if let Some((_, role)) = GROUPS.into_iter().find(|(group, _)| *group == name) {
        return contender.role == role;
    }
    match name.strip_suffix(":*") {
        Some(family) => {
            contender.name == family
                || contender.name.strip_prefix(family).is_some_and(|rest| rest.starts_with([':', '-']))
        }
        None => contender.name == name,
    }
}

/// Names of all of a kind.
const GROUPS: [(&str, Role); 3] = [("own", Role::Own), ("peers", Role::Peer), ("ceilings", Role::Ceiling)];

/// Of known names the nearest to one that is not known; who writes the crate alone means what it makes.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let crates = known.clone().filter_map(|known| Some((known.split_once(':')?.1, known)));
    scheme::near(name, known.map(|known| (known, known)).chain(crates))
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
                let near = nearest(name, names()).unwrap_or("v4:one");
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
