//! `uuidcap probe`: flags to a question, stores opened, the answer to where it is wanted.

use super::machine::{ThisMachine, written_bytes};
use super::options::Options;
use super::output::{Started, present};
use super::progress::Watch;
use super::record::{RecordKind, Scope};
use super::{End, Failure, study_files};
use clap::{Args, ValueEnum};
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;
use uuidcap::document::probe as document;
use uuidcap::engine::probe::{self, BATCH, Inputs, KEYS, Order, Phase, Probe, UNASKED_BYTES};
use uuidcap::error::{Error, Result as Checked};
use uuidcap::store::live::{self, Durability, Surroundings, Target};
use uuidcap::store::record;
use uuidcap::units::{Bytes, Count, Rate, Share, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lasts {
    /// As the store comes, or as the server is set
    Default,
    /// A commit waits for the disk
    Durable,
    /// A commit does not wait
    Lazy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The load alone
    Load,
    /// Insert and expire until the size stands still
    Steady,
    /// The oldest tenth removed in every way
    Purge,
    /// Several who claim the same keys at once
    Claims,
}

/// Keys of each order go into a table of their own, loaded in turn; other orders are compared with the first.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uuidcap probe\n  uuidcap probe --store postgres://user@localhost/test --keys 2M --order v4,v7 --yes\n  \
                  uuidcap probe --clean --store postgres://user@localhost/test"
)]
pub(super) struct Flags {
    /// sqlite, redb (sqlite:FOLDER says where), postgres://…, redis://…; repeatable; default sqlite and redb
    #[arg(long, value_name = "STORE", allow_hyphen_values = true)]
    store: Vec<String>,

    /// Keys of each order; default 200k
    #[arg(long, value_name = "N", value_parser = keys, allow_hyphen_values = true)]
    keys: Option<u64>,

    /// v4, v7, v7-monotonic, v7-skewed, ulid, snowflake, v1, v6; a list, the first of which others are compared with
    #[arg(long, value_delimiter = ',', value_name = "ORDER", default_value = "v4,v7,v7-monotonic")]
    order: Vec<Order>,

    /// Keys made per second: how many share a millisecond
    #[arg(long, value_name = "RATE", default_value = "200k/s", allow_hyphen_values = true)]
    rate: Rate,

    /// Clients that make the keys of v7-skewed, each with a clock of its own
    #[arg(long, value_name = "N", default_value = "16", value_parser = small, allow_hyphen_values = true)]
    clients: u32,

    /// Standard deviation of their clocks
    #[arg(long, value_name = "SPAN", default_value = "1s", allow_hyphen_values = true)]
    skew: Span,

    /// What is kept beside the key; default claim, or outcome where --response-bytes is given
    #[arg(long, value_name = "RECORD")]
    record: Option<RecordKind>,

    /// Length of the stored response: 512, 4kB; default 256
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    response_bytes: Option<Bytes>,

    /// Owner columns; default as the record has them
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,

    /// Inserts of a transaction; default 1000
    #[arg(long, value_name = "N", value_parser = small, allow_hyphen_values = true)]
    batch: Option<u32>,

    /// When a commit counts as done
    #[arg(long, value_name = "WHEN", default_value = "default")]
    durability: Lasts,

    /// Share of claims that repeat an older key
    #[arg(long, value_name = "SHARE", default_value = "5%", allow_hyphen_values = true)]
    replay_share: Share,

    /// Who claim the same keys at once
    #[arg(long, value_name = "N", default_value = "4", value_parser = small, allow_hyphen_values = true)]
    claimants: u32,

    /// What is measured beside the load; default all of it
    #[arg(long, value_delimiter = ',', value_name = "PART", default_value = "steady,purge,claims")]
    only: Vec<Part>,

    /// Write more than 1 GiB without being asked
    #[arg(long)]
    yes: bool,

    /// Measure nothing: remove what killed runs left in these stores
    #[arg(long)]
    clean: bool,
}

fn keys(text: &str) -> Checked<u64> {
    let read = text.parse::<Count>().ok().and_then(|count| count.as_u64());
    read.ok_or_else(|| Error::value("keys", text, "a number from 1000 to 1000000000", "200k"))
}

fn small(text: &str) -> Checked<u32> {
    let read = text.parse::<Count>().ok().and_then(|count| count.as_u64());
    let read = read.and_then(|number| u32::try_from(number).ok());
    read.ok_or_else(|| Error::value("it", text, "a whole number", "16"))
}

pub(super) fn run(flags: &Flags, options: &Options) -> Result<End, Failure> {
    let started = Started::now();
    let options = &options.seeded()?;
    let mut targets = open(flags)?;
    if flags.clean {
        return clean(&mut targets, options);
    }
    let question = Probe::new(inputs(flags, &targets)?)?;
    options.check_memory(question.memory_bytes(), "keys that are alive", "name fewer --keys or --order")?;
    // What takes minutes is not to be lost for a folder that cannot be written.
    if let Some(directory) = &options.out {
        study_files::check(directory)?;
    }
    announce(&question, &targets, flags.yes, options)?;
    let watch = Watch::long(probe::steps(&question) * targets.len() as u64, options);
    // What was written is removed whoever presses how often.
    watch.patient();
    let seed = options.seed.unwrap_or_default();
    let answer = probe::answer(&question, &mut targets, &ThisMachine::now(), &watch, seed);
    watch.finish();
    let answer = match answer {
        Err(error) if watch.interrupted() => {
            super::complain(&error.to_string());
            return Ok(End::Interrupted);
        }
        answer => answer?,
    };
    watch.resume();
    let document = document::document(&question, &answer, options.seed);
    let presented = present(&question, &answer, &document, options, &started, &watch);
    let end = if answer.is_sound() {
        End::Answered
    } else {
        super::complain("a claimed key had another number of winners than one");
        End::LimitBroken
    };
    presented.map(|()| end)
}

/// The stores, opened; sqlite and redb where none is named.
fn open(flags: &Flags) -> Result<Vec<Box<dyn Target>>, Failure> {
    let random = getrandom::u64()
        .map_err(|error| Failure::System("naming what is written".to_owned(), io::Error::other(error)))?;
    let surroundings = Surroundings {
        run: format!("{random:016x}"),
        temporary: std::env::temp_dir(),
        written: Arc::new(written_bytes),
    };
    let usual = ["sqlite".to_owned(), "redb".to_owned()];
    let names = if flags.store.is_empty() { usual.as_slice() } else { flags.store.as_slice() };
    let open = |(place, name): (usize, &String)| {
        // Two in one folder or one database are two runs.
        let run = format!("{:016x}", random.wrapping_add(place as u64));
        live::open(name, &Surroundings { run, ..surroundings.clone() })
    };
    Ok(names.iter().enumerate().map(open).collect::<Checked<_>>()?)
}

fn inputs(flags: &Flags, targets: &[Box<dyn Target>]) -> Result<Inputs, Failure> {
    let record = match (flags.record, flags.response_bytes) {
        (Some(kind), _) => kind.into(),
        (None, None) => record::RecordKind::Claim,
        (None, Some(_)) => record::RecordKind::Outcome,
    };
    if let (false, Some(bytes)) = (record.has_outcome(), flags.response_bytes) {
        let came = bytes.0.to_string();
        return Err(Error::value(
            "--response-bytes",
            &came,
            "left out with a record without a response",
            "--record outcome",
        )
        .into());
    }
    Ok(Inputs {
        stores: names(targets),
        keys: flags.keys.unwrap_or(KEYS),
        orders: flags.order.clone(),
        rate: flags.rate,
        clients: flags.clients,
        skew_s: flags.skew.as_f64(),
        record,
        scope: flags.scope.map(Into::into),
        response_bytes: flags.response_bytes.map_or(256, |bytes| bytes.0),
        batch: flags.batch.unwrap_or(BATCH),
        durability: match flags.durability {
            Lasts::Default => Durability::Default,
            Lasts::Durable => Durability::Durable,
            Lasts::Lazy => Durability::Lazy,
        },
        replay_share: flags.replay_share.0.as_f64(),
        claimants: flags.claimants as usize,
        phases: phases(&flags.only),
    })
}

fn phases(only: &[Part]) -> Vec<Phase> {
    let all = [(Part::Steady, Phase::Steady), (Part::Purge, Phase::Purge), (Part::Claims, Phase::Claims)];
    all.into_iter().filter(|(part, _)| only.contains(part)).map(|(_, phase)| phase).collect()
}

/// A name a store: its kind, numbered from the second of a kind on.
fn names(targets: &[Box<dyn Target>]) -> Vec<String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let name = |store: &'static str| {
        let number = seen.entry(store).and_modify(|number| *number += 1).or_insert(1);
        if *number == 1 { store.to_owned() } else { format!("{store}-{number}") }
    };
    targets.iter().map(|target| target.store()).map(name).collect()
}

/// Says what will be written where, before it is; refuses more than 1 GiB unless that was allowed.
fn announce(
    question: &Probe,
    targets: &[Box<dyn Target>],
    yes: bool,
    options: &Options,
) -> Result<(), Failure> {
    let bytes = question.bytes();
    if bytes > UNASKED_BYTES && !yes {
        return Err(Error::range(format!(
            "--keys: up to about {:.1} GB of room would be taken, and more than 1.07 GB (1 GiB) only with --yes",
            bytes as f64 / 1e9
        ))
        .into());
    }
    if !options.quiet {
        for target in targets {
            let room = question.store_bytes() as f64 / 1e6;
            let (store, place) = (target.store(), target.place());
            let told = format!(
                "{store}: will take up to {room:.0} MB, logs included, for {place}, and remove all of it{}",
                if store == "postgres" { "; asks for some dozens of checkpoints where it may" } else { "" }
            );
            // Only a courtesy: whoever closed stderr has waived it.
            let _ = writeln!(io::stderr(), "{told}");
        }
    }
    Ok(())
}

fn clean(targets: &mut [Box<dyn Target>], options: &Options) -> Result<End, Failure> {
    for target in targets {
        let found = target.clean()?;
        if options.quiet {
            continue;
        }
        let told = match found.removed.as_slice() {
            [] => "nothing of a killed run was found".to_owned(),
            all => format!("removed {}", all.join(", ")),
        };
        let alive = match found.alive.as_slice() {
            [] => String::new(),
            all => format!("; in use and left alone: {}", all.join(", ")),
        };
        let _ = writeln!(io::stderr(), "{}: {told}{alive}", target.store());
    }
    Ok(End::Answered)
}
