//! `uuidcap index`: what the order of keys does to a B-tree.

use super::options::Options;
use super::output::{Started, present};
use super::progress::Watch;
use super::{End, Failure, study_files, threads};
use clap::{Args, ValueEnum};
use uuidcap::document::index as document;
use uuidcap::engine::index::{self, CacheSize, Indexing, Inputs, Interval, KeyOrder};
use uuidcap::error::Error;
use uuidcap::store::tree::{Engine, FarFuture, Skew, SkewLaw};
use uuidcap::units::{Bytes, Count, Rate, Share, Span};

/// Keys where nobody says how many: ten million, or of keys that expire five times those that live.
const USUAL_KEYS: u64 = 10_000_000;
const LIVES: f64 = 5.0;

/// Every order is a row.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uuidcap index --keys 10M --rate 10k --checkpoint 100k\n  \
                  uuidcap index --order v4,v7 --rate 200k --delay 50ms --clients 1000 --skew 100ms\n  \
                  uuidcap index --order v7 --far-future 1000 --before 500k\n  \
                  uuidcap index --engine sqlite --entry-bytes 62 --batch 1000 --order v4,v7\n  \
                  uuidcap index --order v4,v7 --rate 10k --ttl 200s")]
pub(super) struct Flags {
    /// Which keys, hence in which order they arrive: v4, v7, v7-monotonic, v1, v6, ulid, snowflake, v7:NAME of the
    /// catalogue, a number of random bytes; default v4, v7, v7-monotonic
    #[arg(long, value_delimiter = ',', value_name = "KEY", allow_hyphen_values = true)]
    order: Vec<KeyOrder>,

    /// Keys inserted; default 10M, with --ttl five times those that live
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    keys: Option<u64>,

    /// Keys each second: how many share a millisecond
    #[arg(long, value_name = "RATE", default_value = "10k/s", allow_hyphen_values = true)]
    rate: Rate,

    /// Mean time from a key's making to its arrival, exponential: 50ms; default none
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    delay: Option<Span>,

    /// Clients that make keys; default one, with --skew 1000
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    clients: Option<u64>,

    /// How far clients' clocks are off: the standard deviation, or the most of --skew-law uniform; default not at all
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    skew: Option<Span>,

    /// By which law clocks are off
    #[arg(long, value_name = "LAW", default_value = "normal", requires = "skew")]
    skew_law: Law,

    /// Prefixes before the key, one a shard
    #[arg(long, value_name = "N", default_value = "1", value_parser = number, allow_hyphen_values = true)]
    shards: u64,

    /// Keys of a time that never comes: so many before all others (1000), or a share of all (0.1%)
    #[arg(long, value_name = "N|SHARE", value_parser = far_future, allow_hyphen_values = true)]
    far_future: Option<FarFuture>,

    /// Random keys that stand in the index before
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    before: Option<u64>,

    /// Whose pages: postgres, sqlite (WITHOUT ROWID), innodb (clustered)
    #[arg(long, value_name = "ENGINE", default_value = "postgres")]
    engine: Engine,

    /// Bytes of a page; default the engine's
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    page_bytes: Option<Bytes>,

    /// Bytes of an entry on a leaf, all that the engine adds included; default of the key alone
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    entry_bytes: Option<Bytes>,

    /// Memory for pages: a size (1GiB), or a share of what ordered keys take (10%)
    #[arg(long, value_name = "SIZE|SHARE", default_value = "10%", value_parser = cache, allow_hyphen_values = true)]
    cache: CacheSize,

    /// How far checkpoints lie apart: inserts (100k) or time (5min); default 5min, of sqlite 1000 inserts
    #[arg(long, value_name = "N|SPAN", value_parser = interval, allow_hyphen_values = true)]
    checkpoint: Option<Interval>,

    /// Inserts in a transaction: sqlite logs by transactions
    #[arg(long, value_name = "N", default_value = "1", value_parser = number, allow_hyphen_values = true)]
    batch: u64,

    /// How long a key is kept, after which one expires for each that comes; default for ever
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    ttl: Option<Span>,
}

/// By which law clocks are off, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Law {
    /// Normal around the right time.
    Normal,
    /// Anywhere up to a bound.
    Uniform,
}

fn number(text: &str) -> Result<u64, Error> {
    let read = text.parse::<Count>().ok().and_then(|count| count.as_u64());
    read.ok_or_else(|| Error::value("a number", text, "a whole number below 2^64", "10M or 2^20"))
}

/// A share is written as one: `10%`, `0.1`.
fn share(text: &str) -> Option<f64> {
    let written = text.contains(['%', '.', '/']);
    text.parse::<Share>().ok().filter(|_| written).map(|share| share.0.as_f64())
}

fn far_future(text: &str) -> Result<FarFuture, Error> {
    if let Some(share) = share(text) {
        return Ok(FarFuture::Share(share));
    }
    let keys = number(text).ok().filter(|keys| *keys <= 1 << 32);
    let keys = keys.ok_or_else(|| {
        Error::value("far-future keys", text, "a number of keys up to 2^32 or a share of all", "1000 or 0.1%")
    });
    keys.map(FarFuture::First)
}

fn cache(text: &str) -> Result<CacheSize, Error> {
    if let Some(share) = share(text) {
        return Ok(CacheSize::Share(share));
    }
    let bytes = text.parse::<Bytes>();
    bytes.map(|bytes| CacheSize::Bytes(bytes.0)).map_err(|_| {
        Error::value("the cache", text, "a size or a share of what ordered keys take", "1GiB or 10%")
    })
}

fn interval(text: &str) -> Result<Interval, Error> {
    if let Ok(inserts) = number(text) {
        return Ok(Interval::Inserts(inserts));
    }
    let span = text.parse::<Span>();
    span.map(|span| Interval::Seconds(span.as_f64())).map_err(|_| {
        Error::value("the checkpoint", text, "a number of inserts or a time between two", "100k or 5min")
    })
}

/// Bytes that a page could have at all.
fn page_sized(what: &str, bytes: Option<Bytes>) -> Result<Option<u32>, Error> {
    let fits = |bytes: Bytes| {
        let allowed = "at most 65536 bytes";
        u32::try_from(bytes.0)
            .ok()
            .filter(|bytes| *bytes <= 65_536)
            .ok_or_else(|| Error::value(what, &bytes.0.to_string(), allowed, "8192"))
    };
    bytes.map(fits).transpose()
}

fn small(what: &str, number: u64) -> Result<u32, Error> {
    let allowed = "a number from 1 to 1048576";
    u32::try_from(number).map_err(|_| Error::value(what, &number.to_string(), allowed, "1000"))
}

impl Flags {
    fn inputs(&self) -> Result<Inputs, Error> {
        let orders = if self.order.is_empty() {
            ["v4", "v7", "v7-monotonic"].into_iter().map(str::parse).collect::<Result<_, Error>>()?
        } else {
            self.order.clone()
        };
        let rate_per_s = self.rate.as_f64();
        let ttl_s = self.ttl.map(Span::as_f64);
        // What does not fit is refused with the question.
        let usual_keys = ttl_s.map_or(USUAL_KEYS, |ttl_s| (ttl_s * rate_per_s * LIVES) as u64);
        let usual_checkpoint = match self.engine {
            Engine::Sqlite => Interval::Inserts(1_000),
            _ => Interval::Seconds(300.0),
        };
        let law = match self.skew_law {
            Law::Normal => SkewLaw::Normal,
            Law::Uniform => SkewLaw::Uniform,
        };
        Ok(Inputs {
            keys: self.keys.unwrap_or(usual_keys),
            rate_per_s,
            delay_s: self.delay.map_or(0.0, Span::as_f64),
            clients: self.clients.map(|clients| small("--clients", clients)).transpose()?,
            skew: self.skew.map_or(Skew::NONE, |span| Skew { law, seconds: span.as_f64() }),
            shards: small("--shards", self.shards)?,
            far_future: self.far_future.unwrap_or(FarFuture::First(0)),
            before_keys: self.before.unwrap_or(0),
            engine: self.engine,
            page_bytes: page_sized("--page-bytes", self.page_bytes)?,
            entry_bytes: page_sized("--entry-bytes", self.entry_bytes)?,
            cache: self.cache,
            checkpoint: self.checkpoint.unwrap_or(usual_checkpoint),
            batch: self.batch,
            ttl_s,
            ..Inputs::new(orders)
        })
    }
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let options = &options.seeded()?;
    let question = Indexing::new(flags.inputs()?)?;
    let seed = options.seed.unwrap_or_default();
    let threads = options.threads().min(question.inputs().key_order.len());
    let need = index::memory_bytes(&question, threads)?;
    options.check_memory(need, "trees", "fewer --keys, fewer orders at once with --threads 1")?;
    // What takes long is not to be lost for a folder that cannot be written.
    if let Some(directory) = &options.out {
        study_files::check(directory)?;
    }
    let watch = Watch::long(index::steps(&question), options);
    let answer = threads::in_pool(threads, || index::answer(&question, seed, &watch))?;
    watch.finish();
    let answer = match answer {
        Err(_) if watch.interrupted() => return Err(Failure::Interrupted),
        answer => answer?,
    };
    let document = document::document(&question, &answer, options.seed);
    present(&question, &answer, &document, options, &started, &watch)?;
    Ok(End::Answered)
}
