//! `uuidcap collide`: how likely a clash is, and what to change to reach a target.

use super::options::{Format, Options};
use super::output::{Started, present};
use super::progress::Watch;
use super::threads::on_threads;
use super::{End, Failure};
use clap::Args;
use uuidcap::document::{Document, collide as document};
use uuidcap::engine::collide::{self, Answer, Claim, Collision, Inputs, Observation, Subject};
use uuidcap::error::Error;
use uuidcap::id::scheme::{self, Scheme};
use uuidcap::study;
use uuidcap::units::{Count, Probability, Rate, Share, Span};

/// Every list makes a grid with every other.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uuidcap collide --scheme v4 --ids 1e9\n  uuidcap collide --scheme v4,v7 --rate 200k --for 30y --window 7d\n  \
                  uuidcap collide --space 2^32 --risk 50%\n  uuidcap collide --claim \"50% after 86y\" --rate 1e9 --space 2^121"
)]
pub(super) struct Flags {
    /// Schemes of the catalogue: v4, v7, v7:uuid-rs, ulid, nanoid (see uuidcap schemes)
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = named)]
    scheme: Vec<Named>,

    /// The same, side by side: v4,v7,ulid,nanoid; v7:* is every implementation of v7
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = named)]
    compare: Vec<Named>,

    /// Values that ids are drawn from: 2^122, 62^22, 365
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = space, allow_hyphen_values = true)]
    space: Vec<Subject>,

    /// Random bits: 122, or an effective 72.678
    #[arg(long, value_delimiter = ',', value_name = "BITS", value_parser = bits, allow_hyphen_values = true)]
    bits: Vec<Subject>,

    /// Characters of a random string: 64, or hex, base32, base58, base62, base64url
    #[arg(long, value_name = "N", value_parser = alphabet, allow_hyphen_values = true)]
    alphabet: Option<u64>,

    /// Length of a random string over the alphabet
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = length, requires = "alphabet", allow_hyphen_values = true)]
    length: Vec<u64>,

    /// Ids made: 1e9, 2^61
    #[arg(long, value_delimiter = ',', value_name = "N", allow_hyphen_values = true)]
    ids: Vec<Count>,

    /// Ids made each second: 200k, 15.25M/d
    #[arg(long, value_delimiter = ',', value_name = "RATE", allow_hyphen_values = true)]
    rate: Vec<Rate>,

    /// For how long: 30y; 1y where --window is given and nothing else says
    #[arg(long = "for", value_delimiter = ',', value_name = "SPAN", allow_hyphen_values = true)]
    span: Vec<Span>,

    /// For how long a key is kept: only live keys clash
    #[arg(long, value_delimiter = ',', value_name = "SPAN", allow_hyphen_values = true)]
    window: Vec<Span>,

    /// Solve for what is missing so that a clash is no likelier: 1e-9
    #[arg(long, value_delimiter = ',', value_name = "P", allow_hyphen_values = true)]
    risk: Vec<Probability>,

    /// Generators that make the ids between them
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    generators: Option<Count>,

    /// Variance over mean of the ids in one tick of a clock; 1 is Poisson
    #[arg(long, value_name = "D", value_parser = real, allow_hyphen_values = true)]
    dispersion: Option<f64>,

    /// Share of the time in which ids are made at all: 1%
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    duty: Option<Share>,

    /// Bits of each generator's seed: who shares a seed repeats every id; 0 for forks and clones of one state
    #[arg(long, value_name = "BITS", value_parser = seed_bits, allow_hyphen_values = true)]
    seed_bits: Option<u32>,

    /// Keep the first hexadecimal digits alone: 8
    #[arg(long, value_delimiter = ',', value_name = "DIGITS", value_parser = digits, allow_hyphen_values = true)]
    keep_hex: Vec<u32>,

    /// Repeats that were seen: gives the bits an implementation really has
    #[arg(long, value_name = "N", value_parser = observed, allow_hyphen_values = true)]
    observed: Option<u64>,

    /// Pairs that could have been equal, where repeats were seen
    #[arg(long, value_name = "N", requires = "observed", allow_hyphen_values = true)]
    pairs: Option<Count>,

    /// A claim to check: "50% after 86y", "1e-6 at 1e16"
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    claim: Option<Claim>,

    /// End with 1 where a clash is likelier in any case
    #[arg(
        long,
        value_name = "P",
        allow_hyphen_values = true,
        conflicts_with_all = ["risk", "claim", "observed"]
    )]
    fail_above: Option<Probability>,
}

/// One scheme, or all that implement one.
#[derive(Debug, Clone)]
struct Named(Vec<&'static Scheme>);

fn named(text: &str) -> Result<Named, Error> {
    if let Some(family) = text.strip_suffix(":*").and_then(scheme::find) {
        let own =
            scheme::catalogue().filter(|scheme| scheme.of == Some(family.name) && scheme.name.contains(':'));
        return Ok(Named(own.collect()));
    }
    scheme::named(text).map(|scheme| Named(vec![scheme]))
}

fn space(text: &str) -> Result<Subject, Error> {
    let trimmed = text.trim();
    let count: Count = trimmed.parse()?;
    Subject::space(trimmed.to_owned(), count.value().clone())
}

fn bits(text: &str) -> Result<Subject, Error> {
    let read = text.trim().parse::<f64>().ok().filter(|bits| bits.is_finite());
    Subject::bits(read.ok_or_else(|| Error::value("random bits", text, "a number from 0 to 4096", "122"))?)
}

/// Names of alphabets that people use.
const ALPHABETS: [(&str, u64); 7] = [
    ("decimal", 10),
    ("hex", 16),
    ("base32", 32),
    ("base36", 36),
    ("base58", 58),
    ("base62", 62),
    ("base64url", 64),
];

fn alphabet(text: &str) -> Result<u64, Error> {
    let known = ALPHABETS.iter().find(|(name, _)| *name == text.trim()).map(|(_, letters)| *letters);
    let read = known.or_else(|| text.trim().parse().ok().filter(|letters| (1..=1 << 32).contains(letters)));
    read.ok_or_else(|| {
        let allowed = "a number of characters from 1 to 2^32, or decimal, hex, base32, base36, base58, base62, base64url";
        Error::value("an alphabet", text, allowed, "62")
    })
}

fn length(text: &str) -> Result<u64, Error> {
    let read = text.trim().parse().ok().filter(|length| (1..=4_096).contains(length));
    read.ok_or_else(|| Error::value("a length", text, "a number of characters from 1 to 4096", "21"))
}

fn real(text: &str) -> Result<f64, Error> {
    let read = text.trim().parse::<f64>().ok().filter(|value| (0.0..=1e12).contains(value));
    read.ok_or_else(|| {
        Error::value("a dispersion", text, "variance over mean, from 0 to 1e12 (1 is Poisson)", "50")
    })
}

fn seed_bits(text: &str) -> Result<u32, Error> {
    let read = text.trim().parse().ok().filter(|bits| *bits <= 512);
    read.ok_or_else(|| Error::value("bits of a seed", text, "a number from 0 to 512", "32"))
}

fn digits(text: &str) -> Result<u32, Error> {
    let read = text.trim().parse().ok().filter(|digits| (1..=1_024).contains(digits));
    read.ok_or_else(|| Error::value("hexadecimal digits", text, "a number from 1 to 1024", "8"))
}

fn observed(text: &str) -> Result<u64, Error> {
    let read = text.parse::<Count>().ok().and_then(|count| count.as_u64()).filter(|seen| *seen <= 1 << 53);
    read.ok_or_else(|| Error::value("repeats", text, "a whole number from 0 to 2^53", "7"))
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let question = Collision::new(inputs(flags)?)?;
    check_memory(&question, options)?;
    let watch = Watch::new(question.len() as u64, options);
    let answer = on_threads(question.len(), options, || collide::answer(&question, &watch))?;
    watch.finish();
    if watch.interrupted() {
        return Err(Failure::Interrupted);
    }
    let answer = answer?;
    let curves = match options.out {
        Some(_) if question.inputs().claim.is_none() && question.inputs().observed.is_none() => {
            Some(study::collide::curves(&question)?)
        }
        _ => None,
    };
    let document = match (options.format, &options.out) {
        // What nobody will see is not laid out.
        (Format::Json, None) => Document::default(),
        (Format::Csv, None) => document::main_table(&answer),
        _ => document::document(&question, &answer, curves.as_ref()),
    };
    present(&question, &answer, &document, options, &started, &watch)?;
    Ok(limit(flags, &answer))
}

fn inputs(flags: &Flags) -> Result<Inputs, Error> {
    let mut subjects: Vec<Subject> = Vec::new();
    let schemes = flags.scheme.iter().chain(&flags.compare).flat_map(|named| &named.0);
    let schemes = schemes.map(|scheme| Subject::Scheme(scheme));
    for subject in schemes.chain(flags.space.iter().cloned()).chain(flags.bits.iter().cloned()) {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    for length in &flags.length {
        subjects.push(Subject::text(flags.alphabet.unwrap_or(0), *length)?);
    }
    let alone = flags.alphabet.filter(|_| flags.length.is_empty());
    if alone.is_some() && !subjects.is_empty() {
        return Err(Error::range(
            "--alphabet without --length asks for a length, and the space is named already; add --length 21 or leave one out",
        ));
    }
    if alone.is_some() && flags.risk.is_empty() {
        return Err(Error::range(
            "--alphabet needs --length, or --risk and a load to solve for it; try --alphabet 64 --length 21",
        ));
    }
    Ok(Inputs {
        subjects,
        ids: flags.ids.clone(),
        rate_per_s: flags.rate.clone(),
        for_s: flags.span.clone(),
        window_s: flags.window.clone(),
        risk: flags.risk.clone(),
        alphabet: alone,
        generators: flags.generators.clone(),
        dispersion: flags.dispersion,
        duty: flags.duty,
        seed_bits: flags.seed_bits,
        keep_hex: flags.keep_hex.clone(),
        observed: flags.observed.map(|observed| Observation { observed, pairs: flags.pairs.clone() }),
        claim: flags.claim.clone(),
    })
}

/// Bytes that one case takes while it is laid out and drawn.
fn drawn_bytes(options: &Options) -> u128 {
    match (options.format, &options.out) {
        (Format::Json, None) => 0,
        (Format::Csv, None) => 3_000,
        _ => 8_000,
    }
}

fn check_memory(question: &Collision, options: &Options) -> Result<(), Error> {
    let cases = question.len() as u128;
    let need = collide::memory_bytes(question).saturating_add(cases.saturating_mul(drawn_bytes(options)));
    let what = format!("{cases} cases as {}", options.format.name());
    options.check_memory(need, &what, "shorten a list, ask for -f json or csv")
}

/// Whether every case keeps the probability that was allowed.
fn limit(flags: &Flags, answer: &Answer) -> End {
    let Some(limit) = &flags.fail_above else { return End::Answered };
    let broken: Vec<_> = answer.cases.iter().filter(|case| case.exceeds(limit)).collect();
    if broken.is_empty() {
        return End::Answered;
    }
    let named = broken.iter().take(NAMED).map(|case| {
        let p = case.chance().map(|chance| chance.probability().to_string()).unwrap_or_default();
        format!("{} (probability {p})", case.scheme)
    });
    let more = match broken.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = named.collect::<Vec<_>>().join(", ");
    super::complain(&format!("--fail-above {}: a clash is likelier in {named}{more}", limit.text()));
    End::LimitBroken
}

/// Cases that are named where a limit is broken.
const NAMED: usize = 5;
