//! `uuidcap size`: flags to a question, and the answer to where it is wanted.

use super::options::{Format, Options};
use super::output::{Started, present};
use super::progress::Watch;
use super::record::{RecordKind, Scope};
use super::threads::on_threads;
use super::{End, Failure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, ValueEnum};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use uuidcap::document::{Document, prices, size as document};
use uuidcap::engine::size::{self, Growth, Inputs, PriceList, Sizing, Workload};
use uuidcap::error::{Error, printable};
use uuidcap::id::key::Key;
use uuidcap::store::price::{Book, Provider};
use uuidcap::store::{self, record};
use uuidcap::study;
use uuidcap::units::{Attempts, Bytes, Exact, Rate, Share, Span, Usd};

/// A load that is known by name, from public figures: orders a day and, where there is one, a peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Named {
    /// 15.25 million orders a day (176.5/s)
    Amazon,
    /// 100 million orders a day (1,157/s)
    HundredMillion,
    /// 9.6 billion orders on the day (111,111/s), 116,667/s with 5 % refunds as its peak
    #[value(name = "singles-day-2023")]
    SinglesDay2023,
}

impl Named {
    /// Average and peak.
    fn rates(self) -> (&'static str, &'static str) {
        match self {
            Named::Amazon => ("15.25M/d", "15.25M/d"),
            Named::HundredMillion => ("100M/d", "100M/d"),
            Named::SinglesDay2023 => ("9.6G/d", "10.08G/d"),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum KeyFormat {
    Binary,
    Text,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Fingerprint {
    None,
    Sha256,
}

/// A flag that takes a list makes a grid with every other list: `--rate 1k,10k,200k --days 1,7,30` is
/// nine cases.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("load").args(["rate", "workload", "list_prices"]).required(true),
    group = ArgGroup::new("kept").args(["days", "retention", "list_prices"]).required(true),
    after_help = "Example: uuidcap size --rate 50k --retention 72h --record outcome --response-bytes 512 --store postgres,redis --explain"
)]
pub(super) struct Flags {
    /// Average keys per second: 200000, 200k/s, 15.25M/d; a list makes a grid
    #[arg(long, value_delimiter = ',', value_name = "RATE", allow_hyphen_values = true)]
    rate: Vec<Rate>,

    /// A load known by name, with its average and peak
    #[arg(long, value_delimiter = ',', value_name = "NAME", conflicts_with = "rate")]
    workload: Vec<Named>,

    /// Highest keys per second; default the average
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    peak: Option<Rate>,

    /// How long keys are kept, in days; a list makes a grid
    #[arg(long, value_delimiter = ',', value_name = "DAYS", value_parser = Span::days, allow_hyphen_values = true)]
    days: Vec<Span>,

    /// How long keys are kept: 72h, 7d, 90s; a list makes a grid
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "SPAN",
        conflicts_with = "days",
        allow_hyphen_values = true
    )]
    retention: Vec<Span>,

    /// Copies of the store, the first included
    #[arg(long, value_delimiter = ',', value_name = "N", default_value = "3", value_parser = replicas, allow_hyphen_values = true)]
    replicas: Vec<u32>,

    /// v1, v4, v6, v7, v7-monotonic, ulid, snowflake or a number of random bytes
    #[arg(long, value_delimiter = ',', value_name = "KEY", default_value = "v4", allow_hyphen_values = true)]
    key: Vec<Key>,

    /// How the key is stored: 16 bytes or 36 characters for a UUID
    #[arg(long, value_delimiter = ',', value_name = "FORMAT", default_value = "binary")]
    key_format: Vec<KeyFormat>,

    /// What is kept beside the key; default claim, or outcome where --response-bytes is given
    #[arg(long, value_delimiter = ',', value_name = "RECORD")]
    record: Vec<RecordKind>,

    /// Length of the stored response: 512, 4kB; 0 stores NULL
    #[arg(long, value_delimiter = ',', value_name = "SIZE", allow_hyphen_values = true)]
    response_bytes: Vec<Bytes>,

    /// Owner columns; default as the record has them
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,

    /// Fingerprint of the request; default as the record has it
    #[arg(long, value_name = "HASH")]
    fingerprint: Option<Fingerprint>,

    /// Stores; default the key alone and every model
    #[arg(long, value_delimiter = ',', value_name = "STORE", value_parser = stores())]
    store: Vec<String>,

    /// Capacity bought beyond what is used
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "SHARE",
        default_value = "30%",
        allow_hyphen_values = true
    )]
    headroom: Vec<Share>,

    /// Mean attempts per key: they multiply look-ups, not keys
    #[arg(long, value_delimiter = ',', value_name = "N", default_value = "1", allow_hyphen_values = true)]
    retries: Vec<Attempts>,

    /// By how much the load grows in a year; needs --horizon
    #[arg(long, value_name = "SHARE", requires = "horizon", allow_hyphen_values = true)]
    growth: Option<Share>,

    /// How far to look: 3y
    #[arg(long, value_name = "SPAN", requires = "growth", allow_hyphen_values = true)]
    horizon: Option<Span>,

    /// Whose prices
    #[arg(long, value_name = "PROVIDER", default_value = "aws", value_parser = providers())]
    provider: Provider,

    /// Where; default the provider's region in the book
    #[arg(long, value_name = "REGION")]
    region: Option<String>,

    /// Price of block storage for every store that is paid by it: 0.10
    #[arg(long, value_name = "USD", allow_hyphen_values = true)]
    price_per_gb_month: Option<Usd>,

    /// A price book in place of the one that ships
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,

    /// Show the price book
    #[arg(long)]
    list_prices: bool,

    /// Show every part of every figure
    #[arg(long)]
    explain: bool,

    /// End with 1 where any chosen store costs more a month
    #[arg(long, value_name = "USD", allow_hyphen_values = true)]
    fail_above: Option<Usd>,
}

/// The catalogue's names, so that help lists them and shells complete them.
fn stores() -> PossibleValuesParser {
    PossibleValuesParser::new(store::catalogue().iter().map(|model| {
        let aliases = store::ALIASES.iter().filter(|(_, own)| *own == model.name()).map(|(alias, _)| *alias);
        PossibleValue::new(model.name()).aliases(aliases)
    }))
}

fn providers() -> impl TypedValueParser<Value = Provider> {
    let names = [Provider::Aws, Provider::Gcp, Provider::Azure].map(Provider::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Provider>())
}

/// The longest price book that is read.
const BOOK_LIMIT: u64 = 1 << 20;

fn replicas(text: &str) -> Result<u32, Error> {
    let whole = Exact::read(text.trim()).and_then(Exact::as_whole);
    let replicas =
        whole.and_then(|whole| u32::try_from(whole).ok()).filter(|replicas| (1..=1_000).contains(replicas));
    replicas.ok_or_else(|| Error::value("replicas", text, "a number from 1 to 1000", "3"))
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let book = book(flags)?;
    if flags.list_prices {
        let document = prices::document(&book);
        present(&PriceList::default(), &book, &document, options, &started, &Watch::new(0, options))?;
        return Ok(End::Answered);
    }
    let question = Sizing::new(inputs(flags)?)?;
    check_region(&question, &book)?;
    check_memory(&question, options)?;
    let watch = Watch::new(question.cases() as u64, options);
    let answer = on_threads(question.cases(), options, || size::answer(&question, &book, &watch))?;
    watch.finish();
    if watch.interrupted() {
        return Err(Failure::Interrupted);
    }
    let answer = answer?;
    let by_retention = match options.out {
        Some(_) if question.cases() == 1 => Some(study::size::by_retention(&question, &book, &())?),
        _ => None,
    };
    let document = match (options.format, &options.out) {
        // What nobody will see is not laid out: a large grid has millions of cells.
        (Format::Json, None) => Document::default(),
        (Format::Csv, None) => document::main_table(&answer),
        _ => document::document(question.inputs(), &answer, by_retention.as_ref(), flags.explain),
    };
    present(&question, &answer, &document, options, &started, &watch)?;
    Ok(limit(flags, &answer))
}

fn book(flags: &Flags) -> Result<Book, Failure> {
    let Some(path) = &flags.prices else { return Ok(Book::default_book()?) };
    let shown = printable(&path.to_string_lossy());
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(BOOK_LIMIT + 1).read_to_string(&mut text));
    read.map_err(|error| Failure::System(format!("--prices: reading {shown}"), error))?;
    if text.len() as u64 > BOOK_LIMIT {
        let message = format!("--prices {shown}: a price book has at most 1 MiB; try one with fewer lines");
        return Err(Error::data(message).into());
    }
    Ok(Book::read(&text).map_err(|error| error.within(&format!("--prices {shown}")))?)
}

fn inputs(flags: &Flags) -> Result<Inputs, Error> {
    let mut workloads = Vec::new();
    for rate in &flags.rate {
        workloads.push(Workload { rate_per_s: *rate, peak_per_s: flags.peak.unwrap_or(*rate) });
    }
    for named in &flags.workload {
        let (rate, peak) = named.rates();
        workloads.push(Workload {
            rate_per_s: rate.parse()?,
            peak_per_s: flags.peak.map_or_else(|| peak.parse(), Ok)?,
        });
    }
    let retention = if flags.days.is_empty() { &flags.retention } else { &flags.days };
    let first = |list: &[Workload]| list.first().map_or_else(|| "1/s".parse(), |w| Ok(w.rate_per_s));
    let mut inputs =
        Inputs::new(first(&workloads)?, retention.first().copied().map_or_else(|| "1d".parse(), Ok)?);
    inputs.workloads = workloads;
    inputs.retention_s.clone_from(retention);
    inputs.replicas.clone_from(&flags.replicas);
    inputs.key.clone_from(&flags.key);
    inputs.key_format = flags.key_format.iter().map(|format| (*format).into()).collect();
    inputs.record = records(flags);
    if !flags.response_bytes.is_empty() {
        inputs.response_bytes.clone_from(&flags.response_bytes);
    }
    inputs.scope = flags.scope.map(Into::into);
    inputs.fingerprint = flags.fingerprint.map(|hash| matches!(hash, Fingerprint::Sha256));
    inputs.headroom.clone_from(&flags.headroom);
    inputs.retries.clone_from(&flags.retries);
    if !flags.store.is_empty() {
        inputs.stores.clone_from(&flags.store);
        inputs.skip_unfit = false;
    }
    inputs.price_per_gb_month_usd = flags.price_per_gb_month;
    inputs.provider = flags.provider;
    inputs.region.clone_from(&flags.region);
    inputs.growth = match (flags.growth, flags.horizon) {
        (Some(growth_per_year), Some(horizon_s)) => Some(Growth { growth_per_year, horizon_s }),
        _ => None,
    };
    inputs.explain = flags.explain;
    Ok(inputs)
}

/// A response needs a record that holds one.
fn records(flags: &Flags) -> Vec<record::RecordKind> {
    match (flags.record.is_empty(), flags.response_bytes.is_empty()) {
        (true, true) => vec![record::RecordKind::Claim],
        (true, false) => vec![record::RecordKind::Outcome],
        (false, _) => flags.record.iter().map(|kind| (*kind).into()).collect(),
    }
}

fn check_region(question: &Sizing, book: &Book) -> Result<(), Error> {
    let inputs = question.inputs();
    let Some(region) = &inputs.region else { return Ok(()) };
    let mut known: Vec<&str> = book
        .lines()
        .iter()
        .filter(|line| line.provider == inputs.provider)
        .map(|line| line.region.as_str())
        .collect();
    known.dedup();
    if known.contains(&region.as_str()) {
        return Ok(());
    }
    let allowed = format!("a region of {} in the price book ({})", inputs.provider, known.join(", "));
    Err(Error::value("--region", region, &allowed, known.first().unwrap_or(&"none")))
}

/// Bytes that one line of one store takes while it is laid out and drawn, as measured with 50,000 cases.
fn drawn_bytes(options: &Options) -> u128 {
    match (options.format, &options.out) {
        (Format::Json, None) => 0,
        (Format::Csv, None) => 1_500,
        (Format::Markdown, None) => 3_000,
        (Format::Text, None) => 6_000,
        (_, Some(_)) => 8_000,
    }
}

fn check_memory(question: &Sizing, options: &Options) -> Result<(), Error> {
    let lines = question.cases() as u128 * question.inputs().stores.len() as u128;
    let need = size::memory_bytes(question).saturating_add(lines.saturating_mul(drawn_bytes(options)));
    let (cases, stores, format) = (question.cases(), question.inputs().stores.len(), options.format.name());
    let what = format!("{cases} cases of {stores} stores as {format}");
    options.check_memory(need, &what, "shorten a list, name fewer --store, ask for -f json or csv")
}

/// Whether every chosen store stays below the cost that was allowed; a store without a price does not.
fn limit(flags: &Flags, answer: &size::Answer) -> End {
    let Some(limit) = flags.fail_above else { return End::Answered };
    let lines = answer.cases.iter().flat_map(|case| case.stores.iter().map(move |line| (case, line)));
    let mut broken = lines.filter(|(_, line)| line.usd_per_month.is_none_or(|usd| usd > limit));
    let Some((case, line)) = broken.next() else { return End::Answered };
    let cost = match line.usd_per_month {
        Some(usd) => format!("costs ${:.2} a month", usd.as_f64()),
        None => "has no price in the book".to_owned(),
    };
    let (rate, days) = (case.rate_per_s.as_f64(), case.retention_s.as_f64() / 86_400.0);
    let more = match broken.count() {
        0 => String::new(),
        more => format!("; so do {more} more lines"),
    };
    let key = case.key.name();
    super::complain(&format!(
        "--fail-above {}: {} {cost} ({key} keys at {rate}/s for {days} d){more}",
        limit.0, line.store
    ));
    End::LimitBroken
}

impl From<KeyFormat> for record::KeyFormat {
    fn from(format: KeyFormat) -> Self {
        match format {
            KeyFormat::Binary => record::KeyFormat::Binary,
            KeyFormat::Text => record::KeyFormat::Text,
        }
    }
}
