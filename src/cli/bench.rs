//! `uuidcap bench`: how fast this machine makes ids.

use super::machine::{ThisMachine, WallClock};
use super::options::Options;
use super::output::{Started, present};
use super::progress::Watch;
use super::{End, Failure, study_files};
use clap::Args;
use std::io::{self, Write};
use uuidcap::document::bench as document;
use uuidcap::engine::bench::{
    self, Answer, Benchmark, DISTINCT_IDS, Format, IDS_RANGE, Inputs, Into, ROUNDS, ROUNDS_RANGE, SECONDS,
    SECONDS_RANGE, contenders,
};
use uuidcap::error::Error;
use uuidcap::id::generator::Seed;
use uuidcap::study;
use uuidcap::units::{Count, Probability};

/// Every generator on every number of threads into every place is a row.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uuidcap bench --quick\n  uuidcap bench --generator v4,v7:* --threads 1,2 --into l1,memory\n  \
                  uuidcap bench --distinct --generator v7-monotonic --threads 4 --ids 1e8"
)]
pub(super) struct Flags {
    /// Generators: v4, v7-monotonic, v4:uuid-rs; v7:* for a family; own, peers, ceilings; default all
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    generator: Vec<String>,

    /// Where ids are put: l1 (16 KiB of each thread's own) or memory (1 GiB in all); default l1
    #[arg(long, value_delimiter = ',', value_name = "PLACE")]
    into: Vec<Into>,

    /// How ids are written: binary, or as text: hyphenated, simple, base32, base62, base64url
    #[arg(long, value_name = "FORM", default_value = "binary")]
    key_format: Format,

    /// Seconds for which each row is measured, over all rounds; default 0.5
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Option<f64>,

    /// Rounds: in each, every row gets one slice of time; default 5
    #[arg(long, value_name = "N", value_parser = rounds, allow_hyphen_values = true)]
    rounds: Option<usize>,

    /// Two short rounds, and 64 MiB of memory: shows that it runs, and roughly what comes out
    #[arg(long)]
    quick: bool,

    /// With whom every row is compared, on one thread and into the same place; default v4:uuid-rs-default, or v4:one
    /// where that cannot write the form
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,

    /// The probability of a clash until which years are counted
    #[arg(long, value_name = "P", default_value = "1e-6", allow_hyphen_values = true)]
    risk: Probability,

    /// Measure nothing: make ids, compare all with each other, and look at their order
    #[arg(long, conflicts_with_all = ["into", "key_format", "seconds", "rounds", "baseline", "risk"])]
    distinct: bool,

    /// Ids of each generator that are compared; default 2^24
    #[arg(long, value_name = "N", requires = "distinct", value_parser = ids, allow_hyphen_values = true)]
    ids: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, Error> {
    let number = text.trim().strip_suffix('s').unwrap_or(text.trim());
    let (least, most) = SECONDS_RANGE;
    let read = number.parse().ok().filter(|seconds| (least..=most).contains(seconds));
    read.ok_or_else(|| Error::value("seconds a row", text, "a number from 0.02 to 3600", "1"))
}

fn rounds(text: &str) -> Result<usize, Error> {
    let (least, most) = ROUNDS_RANGE;
    let read = text.trim().parse().ok().filter(|rounds| (least..=most).contains(rounds));
    read.ok_or_else(|| Error::value("rounds", text, "a number from 1 to 1000", "5"))
}

fn ids(text: &str) -> Result<u64, Error> {
    let (least, most) = IDS_RANGE;
    let read = text.parse::<Count>().ok().and_then(|count| count.as_u64());
    let read = read.filter(|ids| (least..=most).contains(ids));
    read.ok_or_else(|| Error::value("ids", text, "a number from 2 to 2^32", "2^24"))
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let options = &options.seeded()?;
    let everyone = contenders(&Seed::from(options.seed.unwrap_or_default()), &WallClock, flags.key_format);
    let question = Benchmark::new(inputs(flags, options), &everyone)?;
    options.check_memory(question.memory_bytes(), "buffers for ids", question.memory_advice())?;
    // What takes minutes is not to be lost for a folder that cannot be written.
    if let Some(directory) = &options.out {
        study_files::check(directory)?;
    }
    let watch = Watch::long(bench::steps(&question), options);
    let answer = bench::answer(&question, &everyone, &ThisMachine::now(), &watch);
    watch.finish();
    let answer = match answer {
        Err(_) if watch.interrupted() => return Err(Failure::Interrupted),
        answer => answer?,
    };
    // What was measured so far is told; from here on Ctrl-C stops that.
    watch.resume();
    warn(&answer, options);
    let report = study::bench::report(answer, &flags.risk);
    let document = document::document(&question, &report, options.seed);
    let presented = present(&question, &report, &document, options, &started, &watch);
    // Ids that repeat are told whatever became of the study.
    let end = soundness(&report.answer);
    presented.map(|()| end)
}

fn inputs(flags: &Flags, options: &Options) -> Inputs {
    fn of<T>((usual, quick): (T, T), flags: &Flags) -> T {
        if flags.quick { quick } else { usual }
    }
    Inputs {
        generators: flags.generator.clone(),
        threads: threads(flags, options),
        into: flags.into.clone(),
        key_format: flags.key_format,
        seconds: flags.seconds.unwrap_or_else(|| of(SECONDS, flags)),
        rounds: flags.rounds.unwrap_or_else(|| of(ROUNDS, flags)),
        quick: flags.quick,
        baseline: flags.baseline.clone(),
        risk: flags.risk.clone(),
        distinct: flags.distinct.then(|| flags.ids.unwrap_or_else(|| of(DISTINCT_IDS, flags))),
    }
}

/// Threads as they were asked for; else powers of two up to the processors, and those. Ids are compared once.
fn threads(flags: &Flags, options: &Options) -> Vec<usize> {
    let cpus = options.threads();
    match options.threads.as_slice() {
        [] if flags.distinct => vec![cpus],
        [] => (0..usize::BITS)
            .map(|power| 1 << power)
            .take_while(|threads| *threads < cpus)
            .chain([cpus])
            .collect(),
        asked => asked.to_vec(),
    }
}

/// Tells on stderr what makes the figures doubtful.
fn warn(answer: &Answer, options: &Options) {
    if options.quiet {
        return;
    }
    for warning in &answer.conditions.warnings {
        let _ = writeln!(io::stderr(), "uuidcap: figures are doubtful: {}", warning.text);
    }
}

/// Whether every generator whose ids were compared made each of them once.
fn soundness(answer: &Answer) -> End {
    let broken: Vec<_> = answer.distinct.iter().filter(|one| !one.is_sound()).collect();
    if broken.is_empty() {
        return End::Answered;
    }
    let named = broken
        .iter()
        .map(|one| format!("{} ({} repeats, {} invalid)", one.generator, one.repeats, one.invalid));
    super::complain(&format!("--distinct: not sound: {}", named.collect::<Vec<_>>().join(", ")));
    End::LimitBroken
}
