//! `uuidcap simulate`: draw ids from a scaled-down space and count; expected beside seen.

use super::options::Options;
use super::output::{Started, present};
use super::progress::Watch;
use super::{End, Failure, recorded, shard, study_files, threads};
use clap::{Args, ValueEnum};
use std::ops::Range;
use std::path::{Path, PathBuf};
use uuidcap::document::simulate as document;
use uuidcap::engine::simulate::{self, Answer, Inputs, Resources, Simulation};
use uuidcap::error::{Error, printable};
use uuidcap::id::generator::Cipher;
use uuidcap::sim::count::Method;
use uuidcap::sim::plan::Part;
use uuidcap::study;
use uuidcap::study::simulate::{Planned, Report};
use uuidcap::units::{Count, Probability, Rate, Share, Span};

/// Trials of so many draws each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uuidcap simulate --bits 32 --draws 77163 --trials 10000\n  \
                  uuidcap simulate --bits 64 --draws 2^30 --trials 1 --witness\n  \
                  uuidcap simulate --scheme v7 --bits 20 --rate 200k --for 1s --arrivals bursty --duty 0.1\n  \
                  uuidcap simulate --scheme v4 --keep-hex 8 --draws 10k\n  \
                  uuidcap simulate --bits 40 --draws 2^20 --trials 1M --shard 3/64 -o part-3")]
pub(super) struct Flags {
    /// Values of a flat space: 365, 2^40, 16^6
    #[arg(long, value_name = "N", group = "subject", allow_hyphen_values = true)]
    space: Option<Count>,

    /// Bits of a flat space, 1 to 122; with --scheme the random bits that it is scaled down to; default 32
    #[arg(long, value_name = "BITS", value_parser = bits, allow_hyphen_values = true)]
    bits: Option<u32>,

    /// A scheme of the catalogue, scaled down with its structure kept: v4, v7, v7-monotonic, v1, snowflake; uuidcap schemes
    /// lists all
    #[arg(long, value_name = "NAME", group = "subject")]
    scheme: Option<String>,

    /// Characters of random strings, with --length
    #[arg(long, value_name = "N", group = "subject", requires = "length", value_parser = number, allow_hyphen_values = true)]
    alphabet: Option<u64>,

    /// Length of random strings
    #[arg(long, value_name = "N", requires = "alphabet", value_parser = number, allow_hyphen_values = true)]
    length: Option<u64>,

    /// Ids of one trial; default √N of a flat space, ten windows with --window, --rate × --for (100 a tick, 1,000 ticks) with a
    /// clock
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    draws: Option<u64>,

    /// Trials; default 10,000, or as many as make 2^30 draws where those are fewer
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    trials: Option<u64>,

    /// What makes the random bytes
    #[arg(long, value_name = "RNG", default_value = "aes")]
    rng: Rng,

    /// How repeats are counted: auto, hashset, sort, index-table, stamp, bit-filter, histogram, partition; all agree
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = Method::parse)]
    method: Method,

    /// Ids made each second: with a clock, how many share a tick
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    rate: Option<Rate>,

    /// For how long ids are made
    #[arg(long = "for", value_name = "SPAN", allow_hyphen_values = true)]
    span: Option<Span>,

    /// For how long a key is kept, with --rate: only live keys clash
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    window: Option<Span>,

    /// When ids come
    #[arg(long, value_name = "HOW", default_value = "poisson")]
    arrivals: Arrivals,

    /// Share of the time in which ids come, with --arrivals bursty; default 10%
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    duty: Option<Share>,

    /// Ids in a batch, with --arrivals batched; default 100
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    batch: Option<u64>,

    /// Generators that make the ids between them
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    generators: Option<u64>,

    /// Bits of the seed of each generator
    #[arg(long, value_name = "BITS", value_parser = bits, allow_hyphen_values = true)]
    seed_bits: Option<u32>,

    /// Hexadecimal digits that are kept of each id of a scheme
    #[arg(long, value_name = "DIGITS", value_parser = bits, allow_hyphen_values = true)]
    keep_hex: Option<u32>,

    /// What goes wrong
    #[arg(long, value_name = "FAULT")]
    fault: Option<Fault>,

    /// By how much the clock is set back, with --fault clock-back; default a tenth of the run
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    back: Option<Span>,

    /// Ids that each copy makes before it draws new random state, with --fault clone or fork; default all
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    reseed_after: Option<u64>,

    /// Stop when the 95 % interval of the probability is no wider: looked at after 1, 2, 4 … 64 batches of about 2^18 ids, then
    /// every 64
    #[arg(long, value_name = "WIDTH", allow_hyphen_values = true)]
    until_width: Option<Probability>,

    /// Show ids that came more than once with the numbers of their draws: 10, or so many
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", value_parser = number)]
    witness: Option<u64>,

    /// Also make the same experiment elsewhere: flat spaces of 16 to 40 bits, schemes with a clock under other arrivals
    #[arg(long, conflicts_with = "shard")]
    sweep: bool,

    /// Do one of N shares of the work, I from 1 to N; auto or auto/N reads the array index of Slurm, Kubernetes, AWS Batch
    #[arg(long, value_name = "I/N", value_parser = shard::read, allow_hyphen_values = true)]
    shard: Option<shard::Shard>,

    /// Go on from the record of a run that was broken off: a file, or the folder of its study
    #[arg(long, value_name = "RECORD")]
    resume: Option<PathBuf>,
}

/// What makes the random bytes, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rng {
    /// AES-128 in counter mode.
    Aes,
    /// ChaCha with eight rounds.
    #[value(name = "chacha8")]
    ChaCha8,
}

/// When ids come, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Arrivals {
    /// Each at a time of its own.
    Poisson,
    /// At equal distances.
    Steady,
    /// In the first share of the run alone.
    Bursty,
    /// In batches, each at one moment.
    Batched,
}

/// What goes wrong, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Fault {
    /// All generators start as copies of one.
    Clone,
    /// Half of the ids are made, then all other generators start as copies of the first.
    Fork,
    /// In the middle of the run the clock is set back.
    ClockBack,
    /// Letters are remainders of a byte.
    Modulo,
}

fn number(text: &str) -> Result<u64, Error> {
    let read = text.parse::<Count>().ok().and_then(|count| count.as_u64());
    read.ok_or_else(|| Error::value("a number", text, "a whole number below 2^64", "1M, 2^20 or 77163"))
}

fn bits(text: &str) -> Result<u32, Error> {
    let read = text.trim().parse().ok().filter(|bits| *bits <= 122);
    read.ok_or_else(|| Error::value("a number of bits or digits", text, "a whole number up to 122", "32"))
}

impl Flags {
    fn inputs(&self) -> Result<Inputs, Error> {
        let space = self.space.as_ref().map(|space| {
            let values = space.as_u64().filter(|values| *values > 0);
            let allowed = "at least 1 and below 2^64; larger ones by their bits, --bits 122";
            values.ok_or_else(|| Error::value("--space", &space.to_string(), allowed, "2^40"))
        });
        Ok(Inputs {
            scheme: self.scheme.clone(),
            space: space.transpose()?,
            bits: self.bits,
            alphabet: self.alphabet,
            length: self.length,
            draws: self.draws,
            trials: self.trials,
            rng: match self.rng {
                Rng::Aes => Cipher::Aes,
                Rng::ChaCha8 => Cipher::ChaCha8,
            },
            method: self.method,
            rate_per_s: self.rate.map(Rate::as_f64),
            for_s: self.span.map(Span::as_f64),
            window_s: self.window.map(Span::as_f64),
            arrivals: match self.arrivals {
                Arrivals::Poisson => simulate::Arrivals::Poisson,
                Arrivals::Steady => simulate::Arrivals::Steady,
                Arrivals::Bursty => simulate::Arrivals::Bursty,
                Arrivals::Batched => simulate::Arrivals::Batched,
            },
            duty: self.duty.map(|share| share.0.as_f64()),
            batch: self.batch,
            generators: self.generators,
            seed_bits: self.seed_bits,
            keep_hex: self.keep_hex,
            fault: self.fault.map(|fault| match fault {
                Fault::Clone => simulate::Fault::Clone,
                Fault::Fork => simulate::Fault::Fork,
                Fault::ClockBack => simulate::Fault::ClockBack,
                Fault::Modulo => simulate::Fault::Modulo,
            }),
            back_s: self.back.map(Span::as_f64),
            reseed_after: self.reseed_after,
            until_width: self.until_width.as_ref().map(Probability::as_f64),
            witness: self.witness.unwrap_or(0),
        })
    }
}

/// What is to be done, and what of it was done before.
struct Job {
    simulation: Simulation,
    seed: u64,
    share: Range<u64>,
    so_far: Option<Part>,
}

/// The job that the flags ask for.
fn job(flags: &Flags, options: &Options) -> Result<Job, Failure> {
    let shard = flags.shard.as_ref().map(shard::Shard::resolve).transpose()?;
    if shard.is_some() && flags.until_width.is_some() {
        let message = "--until-width: a share of a run cannot know when the whole is narrow enough; leave out --shard, or give --trials";
        return Err(Error::range(message).into());
    }
    match &flags.resume {
        None => {
            let simulation = Simulation::new(flags.inputs()?)?;
            let seed = options.seed.unwrap_or_default();
            let share = simulation.share(shard);
            Ok(Job { simulation, seed, share, so_far: None })
        }
        Some(path) => resumed(flags, options, shard, path),
    }
}

/// The job that a record began. Flags may be left out; those that are given have to say the same.
fn resumed(flags: &Flags, options: &Options, shard: Option<(u64, u64)>, path: &Path) -> Result<Job, Failure> {
    let recorded = recorded::simulation(path)?;
    let simulation = Simulation::new(recorded.inputs)?;
    if let Some((what, asked, held)) = differing(&flags.inputs()?, simulation.inputs()) {
        let name = recorded.name;
        return Err(Error::range(format!(
            "--resume: {name} answers another question: its {what} is {held}, and {asked} is asked; leave the other flags out, and it goes on with its own"
        ))
        .into());
    }
    if options.seed.is_some_and(|seed| seed != recorded.seed) {
        let (name, seed) = (recorded.name, recorded.seed);
        return Err(Error::range(format!("--seed: {name} has seed {seed}; leave --seed out")).into());
    }
    let begun = recorded.share.unwrap_or_else(|| simulation.share(None));
    if shard.is_some_and(|shard| simulation.share(Some(shard)) != begun) {
        let name = recorded.name;
        return Err(Error::range(format!("--shard: {name} holds another share; leave --shard out")).into());
    }
    Ok(Job { simulation, seed: recorded.seed, share: begun, so_far: Some(recorded.part) })
}

/// The first input that was given and is another in a record: its name, what was given, what the record holds.
fn differing(asked: &Inputs, held: &Inputs) -> Option<(String, String, String)> {
    let fields = |inputs: &Inputs| serde_json::to_value(inputs).unwrap_or_default();
    let (asked, held, unasked) = (fields(asked), fields(held), fields(&Inputs::default()));
    let given = asked.as_object()?.iter().filter(|(name, value)| unasked.get(name) != Some(value));
    let mut other = given.filter(|(name, value)| held.get(name) != Some(value));
    let (name, value) = other.next()?;
    Some((name.clone(), value.to_string(), held.get(name).map(ToString::to_string).unwrap_or_default()))
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    // A seed that is drawn makes no share: all machines need the same.
    if flags.shard.is_some() && flags.resume.is_none() && options.seed.is_none() {
        let message = "--shard: all shares need one seed; add the same --seed to each, e.g. --seed 1";
        return Err(Error::range(message).into());
    }
    let seeded = if flags.resume.is_some() { options.clone() } else { options.seeded()? };
    let job = job(flags, &seeded)?;
    let options = &Options { seed: Some(job.seed), ..seeded };
    let threads = options.threads();
    if flags.sweep && job.share != job.simulation.share(None) {
        let message = "--sweep: this is a share of a run; leave --sweep out, and ask for it beside the whole";
        return Err(Error::range(message).into());
    }
    let sweep = flags.sweep.then(|| study::simulate::sweep(&job.simulation)).transpose()?;
    let need = job.simulation.memory_bytes(threads);
    let need = need.max(sweep.as_ref().map_or(0, |sweep| sweep.memory_bytes(threads)));
    options.check_memory(need.into(), "ids and tables", "name fewer --threads or --draws")?;
    // What takes hours is not to be lost for a folder that cannot be written.
    if let Some(directory) = &options.out {
        study_files::check(directory)?;
    }
    let more = sweep.as_ref().map_or(0, Planned::steps);
    let watch = Watch::long(job.steps().saturating_add(more), options);
    let resources = Resources { threads, memory_bytes: options.memory_limit() };
    let answer = threads::in_pool(threads, || {
        simulate::answer(&job.simulation, job.seed, job.share.clone(), job.so_far.clone(), &resources, &watch)
    })?;
    let answer = answer?;
    let interrupted = watch.interrupted() && !answer.is_done();
    let swept = sweep.filter(|_| !interrupted).map(|sweep| {
        threads::in_pool(threads, || sweep.run(job.seed, &resources, &watch)).and_then(|swept| Ok(swept?))
    });
    watch.finish();
    if job.so_far.as_ref().is_some_and(|part| part.to_unit == job.share.end) {
        super::complain("--resume: nothing was left to do, the run had come to its end");
    } else if job.so_far.is_some() && options.out.is_none() {
        super::complain(
            "--resume: the record that was gone on with stays as it is; with --out the longer one is kept",
        );
    }
    if job.share.is_empty() {
        let units = job.simulation.plan().units().unwrap_or(u64::MAX);
        let name = job.simulation.plan().unit_name();
        super::complain(&format!("--shard: this share is empty, the run has {units} {name}s in all"));
    }
    // What was counted so far is told; from here on Ctrl-C stops that.
    watch.resume();
    tell(&answer, interrupted, options);
    let swept = swept.transpose()?;
    let interrupted = interrupted || swept == Some(None);
    if swept == Some(None) {
        super::complain("interrupted in the sweep: it is left out; the answer is whole");
    }
    let report = Report { sweep: swept.flatten(), ..study::simulate::report(answer) };
    let document = document::document(&job.simulation, &report, options.seed);
    present(&job.simulation, &report, &document, options, &started, &watch)?;
    Ok(if interrupted { End::Interrupted } else { End::Answered })
}

/// Says that a run was broken off, and how it goes on.
fn tell(answer: &Answer, interrupted: bool, options: &Options) {
    if !interrupted {
        return;
    }
    let kept = match &options.out {
        Some(directory) => {
            let directory = printable(&directory.to_string_lossy());
            format!("go on with uuidcap simulate --resume {directory} -o {directory}")
        }
        None => "the answer is about these; with --out it could be gone on with by --resume".to_owned(),
    };
    super::complain(&format!("interrupted after {} trials: {kept}", answer.trials));
}

impl Job {
    /// Draws that are left to be made.
    fn steps(&self) -> u64 {
        let from = self.so_far.as_ref().map_or(self.share.start, |part| part.to_unit);
        self.simulation.steps(&(from..self.share.end))
    }
}
