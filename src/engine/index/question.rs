//! The question of `index`: in which orders keys reach which index, checked.

use super::key_order::KeyOrder;
use crate::error::{Error, Result};
use crate::question::Question;
use crate::store::tree::{Engine, FarFuture, Geometry, Order, Skew};
use serde::{Serialize, Serializer};

/// Most keys that can be asked for; a store of more differs in nothing but size.
pub const MOST_KEYS: u64 = 1 << 50;
/// Most keys with `before` or a time to live, which are followed one by one.
pub const MOST_FOLLOWED: u64 = 1 << 27;
/// Clients where their clocks are off and nobody says how many they are.
pub const USUAL_CLIENTS: u32 = 1_000;

/// Memory for pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CacheSize {
    /// So many bytes.
    Bytes(u64),
    /// A share of what an ascending load of the keys takes: the same for all orders.
    Share(f64),
}

/// How far checkpoints lie apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Interval {
    /// So many inserts.
    Inserts(u64),
    /// So many seconds at the rate of the keys.
    Seconds(f64),
}

impl Serialize for CacheSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            CacheSize::Bytes(bytes) => serializer.collect_map([("bytes", bytes)]),
            CacheSize::Share(share) => serializer.collect_map([("share", share)]),
        }
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Interval::Inserts(inserts) => serializer.collect_map([("inserts", inserts)]),
            Interval::Seconds(seconds) => serializer.collect_map([("seconds", seconds)]),
        }
    }
}

/// Serialises keys of a time that never comes: how many come first, or their share.
fn far_future<S: Serializer>(far: &FarFuture, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    match far {
        FarFuture::First(keys) => serializer.collect_map([("keys_first", keys)]),
        FarFuture::Share(share) => serializer.collect_map([("share", share)]),
    }
}

/// Everything that can be asked of `index`, not yet checked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inputs {
    /// Orders of arrival, each a row of the answer.
    pub key_order: Vec<KeyOrder>,
    /// Keys inserted.
    pub keys: u64,
    /// Keys each second.
    pub rate_per_s: f64,
    /// Mean of the exponential time from a key's making to its arrival, in seconds.
    pub delay_s: f64,
    /// Clients that make them; `None`: one, or [`USUAL_CLIENTS`] where clocks are off.
    pub clients: Option<u32>,
    /// How far their clocks are off.
    pub skew: Skew,
    /// Prefixes before the key.
    pub shards: u32,
    /// Keys of a time that never comes.
    #[serde(serialize_with = "far_future")]
    pub far_future: FarFuture,
    /// Random keys that stand in the index before.
    pub before_keys: u64,
    /// Whose pages.
    pub engine: Engine,
    /// Bytes of a page; `None`: the engine's default.
    pub page_bytes: Option<u32>,
    /// Bytes of an entry on a leaf; `None`: of the key alone.
    pub entry_bytes: Option<u32>,
    /// Memory for pages.
    pub cache: CacheSize,
    /// How far checkpoints lie apart.
    pub checkpoint: Interval,
    /// Inserts in a transaction.
    pub batch: u64,
    /// How long a key is kept; `None`: for ever.
    pub ttl_s: Option<f64>,
    /// Share of expired keys at which a vacuum removes them.
    pub vacuum_dead_share: f64,
    /// Where in a wrap of its low 32 bits a load of UUIDv1 begins.
    pub v1_phase: f64,
}

impl Inputs {
    /// Ten million keys at 10,000 a second in orders, into PostgreSQL: the defaults of the command line.
    pub fn new(key_order: Vec<KeyOrder>) -> Inputs {
        Inputs {
            key_order,
            keys: 10_000_000,
            rate_per_s: 1e4,
            delay_s: 0.0,
            clients: None,
            skew: Skew::NONE,
            shards: 1,
            far_future: FarFuture::First(0),
            before_keys: 0,
            engine: Engine::Postgres,
            page_bytes: None,
            entry_bytes: None,
            cache: CacheSize::Share(0.1),
            checkpoint: Interval::Seconds(300.0),
            batch: 1,
            ttl_s: None,
            vacuum_dead_share: 0.2,
            v1_phase: 0.5,
        }
    }
}

/// A checked question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Indexing {
    inputs: Inputs,
}

impl Question for Indexing {
    const VERB: &'static str = "index";
}

impl Indexing {
    /// Checks the inputs. An order that is named twice counts once.
    ///
    /// # Errors
    /// Where a part is out of range, pages hold no entries, or keys that expire or stood there before are too many to
    /// be followed.
    pub fn new(mut inputs: Inputs) -> Result<Indexing> {
        let mut seen: Vec<KeyOrder> = Vec::new();
        inputs.key_order.retain(|order| {
            let new = !seen.contains(order);
            seen.extend(new.then_some(*order));
            new
        });
        let refuse = |what: &str, came: String, allowed: &str, try_: &str| {
            Err(Error::value(what, &came, allowed, try_))
        };
        if inputs.key_order.is_empty() {
            return Err(Error::range("no order was named; try --order v4,v7"));
        }
        if !(100..=MOST_KEYS).contains(&inputs.keys) {
            return refuse("keys", inputs.keys.to_string(), "from 100 to 2^50", "10M");
        }
        if !(1..=1_000_000_000).contains(&inputs.batch) {
            return refuse("batch", inputs.batch.to_string(), "from 1 to 1e9 inserts", "1000");
        }
        if !(0.0..=10.0).contains(&inputs.vacuum_dead_share) {
            return refuse("the vacuum's share", inputs.vacuum_dead_share.to_string(), "from 0 to 10", "0.2");
        }
        check_cache(inputs.cache)?;
        check_interval(&inputs)?;
        let question = Indexing { inputs };
        for order in &question.inputs.key_order {
            question.order(*order).checked()?;
            question.geometry(*order)?;
        }
        question.check_followed()?;
        Ok(question)
    }

    /// What was asked.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// How an order arrives.
    pub(super) fn order(&self, key: KeyOrder) -> Order {
        let i = &self.inputs;
        let usual = if i.skew.seconds > 0.0 { USUAL_CLIENTS } else { 1 };
        Order {
            shape: key.shape(i.clients.is_some(), i.v1_phase),
            rate_per_s: i.rate_per_s,
            delay_s: i.delay_s,
            clients: i.clients.unwrap_or(usual),
            skew: i.skew,
            shards: i.shards,
            far_future: i.far_future,
        }
    }

    /// The pages that an order's keys get.
    pub(super) fn geometry(&self, key: KeyOrder) -> Result<Geometry> {
        let (engine, bytes) = (self.inputs.engine, key.key_bytes());
        let page = self.inputs.page_bytes.unwrap_or_else(|| engine.page_bytes());
        let entry = self.inputs.entry_bytes.unwrap_or_else(|| engine.entry_bytes(bytes));
        Geometry::new(engine, page, entry, bytes)
    }

    /// Keys that are there at the end.
    pub(super) fn live_keys(&self) -> u64 {
        let all = self.inputs.keys + self.inputs.before_keys;
        self.inputs.ttl_s.map_or(all, |ttl_s| all.min((ttl_s * self.inputs.rate_per_s) as u64))
    }

    /// Pages of the cache, of an index of so many live keys.
    pub(super) fn cache_pages(&self, geometry: &Geometry) -> f64 {
        match self.inputs.cache {
            CacheSize::Bytes(bytes) => bytes as f64 / f64::from(geometry.page_bytes()),
            CacheSize::Share(share) => share * geometry.ascending_leaves(self.live_keys() as f64),
        }
    }

    /// Inserts between two checkpoints.
    pub(super) fn checkpoint_inserts(&self) -> f64 {
        match self.inputs.checkpoint {
            Interval::Inserts(inserts) => inserts as f64,
            Interval::Seconds(seconds) => (seconds * self.inputs.rate_per_s).max(1.0),
        }
    }

    fn check_followed(&self) -> Result<()> {
        let i = &self.inputs;
        let followed = i.keys.saturating_add(i.before_keys);
        if (i.before_keys > 0 || i.ttl_s.is_some()) && followed > MOST_FOLLOWED {
            return Err(Error::range(format!(
                "keys: with --before or --ttl each key is followed, at most 2^27 in all, and {followed} were asked \
                 for; try --keys 10M"
            )));
        }
        let Some(ttl_s) = i.ttl_s else { return Ok(()) };
        if i.engine != Engine::Postgres {
            return Err(Error::value(
                "--engine with --ttl",
                i.engine.name(),
                "postgres, whose pages are given back only when they are empty; others merge them",
                "--engine postgres",
            ));
        }
        let live = ttl_s * i.rate_per_s;
        if !(100.0..=i.keys as f64 / 2.0).contains(&live) {
            return Err(Error::value(
                "--ttl × --rate",
                &format!("{live} live keys"),
                &format!("from 100 to half of the {} keys, so that as many expire as are kept", i.keys),
                &format!("--keys {}", (4.0 * live.max(100.0)).min(1e15) as u64),
            ));
        }
        Ok(())
    }
}

fn check_cache(cache: CacheSize) -> Result<()> {
    match cache {
        CacheSize::Share(share) if !(share > 0.0 && share <= 1e3) => {
            Err(Error::value("the cache", &share.to_string(), "a share above 0 or a size", "10% or 16GiB"))
        }
        _ => Ok(()),
    }
}

fn check_interval(inputs: &Inputs) -> Result<()> {
    let fits = match inputs.checkpoint {
        Interval::Inserts(inserts) => inserts >= 10,
        Interval::Seconds(seconds) => seconds > 0.0 && seconds * inputs.rate_per_s >= 10.0,
    };
    if fits {
        return Ok(());
    }
    let came = match inputs.checkpoint {
        Interval::Inserts(inserts) => format!("{inserts} inserts"),
        Interval::Seconds(seconds) => format!("{} inserts", seconds * inputs.rate_per_s),
    };
    Err(Error::value("the checkpoint", &came, "at least 10 inserts from the last", "100k or 5min"))
}
