//! The question of `probe`: which stores, which keys in which order, which record, and what is done with them.

use super::order::Order;
use crate::error::{Error, Result};
use crate::question::Question;
use crate::store::live::{Durability, Plan, Values};
use crate::store::record::{KeyFormat, Record, RecordKind, Scope};
use crate::units::Rate;
use serde::Serialize;
use std::sync::Arc;

/// Keys of an order, where nothing else is said; the fewest and the most.
pub const KEYS: u64 = 200_000;
/// The fewest keys of which bytes a key mean something, and the most whose keys are held in memory.
pub const KEYS_RANGE: (u64, u64) = (1_000, 1_000_000_000);
/// Inserts of a transaction, where nothing else is said.
pub const BATCH: u32 = 1_000;
/// The most inserts of a transaction.
pub const BATCH_MOST: u32 = 10_000;
/// The longest response, 1 MiB.
pub const RESPONSE_BYTES_MOST: u64 = 1 << 20;
/// Inserts after which there is a checkpoint, or an eighth of the keys where these are fewer.
pub const CHECKPOINT: u64 = 500_000;
/// The fewest slices in which the keys of an order are loaded.
pub const SLICES: u64 = 8;
/// Bytes above which a run needs to be told that it may.
pub const UNASKED_BYTES: u64 = 1 << 30;
/// Claimants at once, at most.
pub const CLAIMANTS_MOST: usize = 64;

/// What comes after keys were loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Insert and expire until the size stands still.
    Steady,
    /// Remove the oldest tenth in every way that there is.
    Purge,
    /// Several who claim the same keys at once.
    Claims,
}

/// Every input.
#[derive(Debug, Clone, PartialEq)]
pub struct Inputs {
    /// Stores as they are named in the answer: no password among them.
    pub stores: Vec<String>,
    /// Keys of each order.
    pub keys: u64,
    /// Orders; others are compared with the first.
    pub orders: Vec<Order>,
    /// Keys a second, which says how many share a millisecond.
    pub rate: Rate,
    /// Clients that make keys of `v7-skewed`, each with a clock of its own.
    pub clients: u32,
    /// Standard deviation of their clocks, seconds.
    pub skew_s: f64,
    /// What is kept beside the key.
    pub record: RecordKind,
    /// Which owner columns; none: those of the record.
    pub scope: Option<Scope>,
    /// Bytes of a response.
    pub response_bytes: u64,
    /// Inserts of a transaction.
    pub batch: u32,
    /// When a commit counts as done.
    pub durability: Durability,
    /// Share of claims that repeat an older key.
    pub replay_share: f64,
    /// Claimants at once.
    pub claimants: usize,
    /// What comes after the load.
    pub phases: Vec<Phase>,
}

/// A checked question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probe {
    stores: Vec<String>,
    keys: u64,
    orders: Vec<Order>,
    rate_per_s: Rate,
    clients: u32,
    skew_s: f64,
    record: RecordKind,
    scope: Scope,
    fingerprint: bool,
    response_bytes: u64,
    batch: u32,
    checkpoint_inserts: u64,
    durability: Durability,
    replay_share: f64,
    claimants: usize,
    phases: Vec<Phase>,
}

impl Question for Probe {
    const VERB: &'static str = "probe";
}

impl Probe {
    /// Checks the inputs.
    ///
    /// # Errors
    /// Where one lies outside of what can be measured.
    pub fn new(inputs: Inputs) -> Result<Probe> {
        within("--keys", inputs.keys, KEYS_RANGE, "200k")?;
        within("--batch", inputs.batch.into(), (1, BATCH_MOST.into()), "1000")?;
        within("--response-bytes", inputs.response_bytes, (0, RESPONSE_BYTES_MOST), "256")?;
        within("--clients", inputs.clients.into(), (1, 10_000), "16")?;
        within("--claimants", inputs.claimants as u64, (1, CLAIMANTS_MOST as u64), "4")?;
        if !(0.0..=86_400.0 * 365.0).contains(&inputs.skew_s) {
            return Err(Error::value("--skew", &inputs.skew_s.to_string(), "from 0 s to a year", "1s"));
        }
        if !(0.0..1.0).contains(&inputs.replay_share) {
            let came = inputs.replay_share.to_string();
            return Err(Error::value("--replay-share", &came, "at least 0 and below 1", "5%"));
        }
        let record = Record::new(inputs.record, 16, KeyFormat::Binary, 0);
        let mut orders = inputs.orders;
        let mut seen = Vec::new();
        orders.retain(|order| {
            !seen.contains(order) && {
                seen.push(*order);
                true
            }
        });
        Ok(Probe {
            stores: inputs.stores,
            keys: inputs.keys,
            orders,
            rate_per_s: inputs.rate,
            clients: inputs.clients,
            skew_s: inputs.skew_s,
            record: inputs.record,
            scope: inputs.scope.unwrap_or(record.scope),
            fingerprint: record.fingerprint,
            response_bytes: if record.has_outcome() { inputs.response_bytes } else { 0 },
            batch: inputs.batch,
            checkpoint_inserts: inputs.keys.div_ceil(slices(inputs.keys)),
            durability: inputs.durability,
            replay_share: inputs.replay_share,
            claimants: inputs.claimants,
            phases: inputs.phases,
        })
    }

    /// Stores as they are named in the answer.
    pub fn stores(&self) -> &[String] {
        &self.stores
    }

    /// Keys of each order.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// Orders, each once.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// Keys a second.
    pub fn rate_per_s(&self) -> f64 {
        self.rate_per_s.as_f64()
    }

    /// Clients of `v7-skewed`, and the standard deviation of their clocks in seconds.
    pub fn clocks(&self) -> (u32, f64) {
        (self.clients, self.skew_s)
    }

    /// Inserts of a transaction.
    pub fn batch(&self) -> usize {
        self.batch as usize
    }

    /// Inserts between two checkpoints.
    pub fn checkpoint_inserts(&self) -> u64 {
        self.checkpoint_inserts
    }

    /// Share of claims that repeat an older key.
    pub fn replay_share(&self) -> f64 {
        self.replay_share
    }

    /// Claimants at once.
    pub fn claimants(&self) -> usize {
        self.claimants
    }

    /// Whether a phase was asked for.
    pub fn has(&self, phase: Phase) -> bool {
        self.phases.contains(&phase)
    }

    /// What is kept for each key of an order.
    pub fn plan(&self, order: Order) -> Plan {
        let mut record = Record::new(self.record, order.key_bytes(), KeyFormat::Binary, self.response_bytes);
        record.scope = self.scope;
        let values = Values::new(usize::try_from(self.response_bytes).expect("at most 1 MiB"));
        Plan { record, durability: self.durability, values: Arc::new(values) }
    }

    /// Bytes of room that one store may need, at most: of each key its row, twice for pages that are half full, 250
    /// bytes of what stores add, and half as much again for logs. Logs that are written and used again count once.
    pub fn store_bytes(&self) -> u64 {
        let each = |order: &Order| (2 * self.plan(*order).row_bytes() + 250) * 3 / 2;
        self.orders.iter().map(|order| self.keys.saturating_mul(each(order))).fold(0, u64::saturating_add)
    }

    /// The same of all stores.
    pub fn bytes(&self) -> u64 {
        self.store_bytes().saturating_mul(self.stores.len() as u64)
    }

    /// Bytes of memory for the keys that are alive, of all orders at once.
    pub fn memory_bytes(&self) -> u128 {
        let rows = u128::from(self.keys) * size_of::<crate::store::live::Row>() as u128;
        rows * self.orders.len() as u128 * 2
    }
}

/// Slices in which keys are loaded: at least eight, none longer than half a million.
pub(super) fn slices(keys: u64) -> u64 {
    keys.div_ceil(CHECKPOINT).max(SLICES).next_multiple_of(2)
}

fn within(flag: &str, came: u64, (least, most): (u64, u64), example: &str) -> Result<()> {
    if (least..=most).contains(&came) {
        return Ok(());
    }
    Err(Error::value(flag, &came.to_string(), &format!("from {least} to {most}"), example))
}
