//! How much storage, I/O and money a key store takes.
//!
//! The plain arithmetic (rate × retention × key bytes × replicas × price) comes first, exact; then, store
//! by store, what the models of [`crate::store`] say a key really takes.

mod answer;
mod cost;
mod growth;
mod question;

pub use answer::{Answer, BillLine, Case, Detail, GrowthPoint, Io, PurgeLine, StoreLine, Unfit};
pub use question::{CaseInputs, Growth, Inputs, PriceList, Sizing, Workload};

use crate::error::{Error, Result};
use crate::question::Progress;
use crate::store::filter::refused_per_day;
use crate::store::page::Memo;
use crate::store::price::Book;
use crate::store::{self, Footprint, Load, Model, Place, Spread};
use crate::units::Usd;
use answer::{product, scaled, too_large};
use rayon::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Grids up to this many cases carry every part of every store in their answer; larger ones where they
/// are asked to explain it or to grow.
pub const DETAILED_CASES: usize = 24;

/// Cases that one thread answers before it looks whether to go on.
const BATCH: usize = 4_096;

/// Stores from which on a single case is shared out: a thread costs 0.1 ms.
const SHARED_STORES: usize = 3;

/// What an answer needs in memory, in bytes: cases and lines, with their parts where they are kept.
pub fn memory_bytes(question: &Sizing) -> u128 {
    let detail = if keeps_detail(question) { size_of::<Detail>() + 2_048 } else { 0 };
    let line = size_of::<StoreLine>() + detail;
    let case = size_of::<Case>() + question.inputs().stores.len() * line;
    question.cases() as u128 * case as u128
}

fn keeps_detail(question: &Sizing) -> bool {
    let inputs = question.inputs();
    inputs.explain || inputs.growth.is_some() || question.cases() <= DETAILED_CASES
}

/// Answers every case of a question with the prices of a book.
///
/// Cases are independent and come in the order of the grid, whatever the number of threads.
///
/// # Errors
/// Where a figure cannot be given exactly (see [`crate::units`]), a record does not fit a store, more
/// keys live than the key has values, or the progress asks to stop.
pub fn answer(question: &Sizing, book: &Book, progress: &dyn Progress) -> Result<Answer> {
    let models: Vec<&dyn Model> =
        question.inputs().stores.iter().filter_map(|name| store::find(name)).collect();
    let engine = Engine {
        question,
        models,
        tariff: cost::Tariff::new(question.inputs(), book)?,
        pages: Memo::default(),
        detail: keeps_detail(question),
    };
    let total = question.cases();
    if total == 1 {
        // Starting a pool of threads costs more than the answer; one helper does not.
        let shared = engine.models.len() >= SHARED_STORES;
        return Ok(Answer { cases: vec![engine.case(0, shared)?] });
    }
    let stopped = AtomicBool::new(false);
    let case = |index: usize| -> Result<Case> {
        if index.is_multiple_of(BATCH) {
            stopped.fetch_or(progress.cancelled(), Ordering::Relaxed);
            progress.advance(BATCH.min(total - index) as u64);
        }
        if stopped.load(Ordering::Relaxed) {
            return Err(Error::range("stopped before the grid was finished"));
        }
        engine.case(index, false)
    };
    let mut answers = Vec::new();
    (0..total).into_par_iter().with_min_len(512).map(case).collect_into_vec(&mut answers);
    // The first error by index, whatever the threads met first; no case is moved.
    Ok(Answer { cases: answers.into_iter().collect::<Result<_>>()? })
}

/// One question being answered.
struct Engine<'a> {
    question: &'a Sizing,
    models: Vec<&'static dyn Model>,
    tariff: cost::Tariff,
    pages: Memo,
    detail: bool,
}

impl Engine<'_> {
    /// One case; `shared` lets a second thread take some of its stores.
    fn case(&self, index: usize, shared: bool) -> Result<Case> {
        let case = self.plain(self.question.case(index))?;
        let load = load(&case, self.detail);
        if shared {
            self.filled(case, self.footprints_on_two_threads(&load).into_iter())
        } else {
            self.filled(case, self.models.iter().map(|model| model.footprint(&load, &self.pages)))
        }
    }

    /// A case with its stores, whose footprints come in the order of the models.
    #[inline]
    fn filled(&self, mut case: Case, footprints: impl Iterator<Item = Result<Footprint>>) -> Result<Case> {
        let mut stores = Vec::with_capacity(self.models.len());
        for (model, footprint) in self.models.iter().zip(footprints) {
            // Only a store's own limits are its own: a figure that fits nowhere is an error for all.
            match footprint {
                Ok(footprint) => {
                    let line = self.line(*model, &case, &footprint, &mut stores);
                    line.map_err(|error| error.within(model.name()))?;
                }
                Err(error) if self.question.inputs().skip_unfit => {
                    case.unfit.push(Unfit { store: model.name(), reason: error.to_string() });
                }
                Err(error) => return Err(error.within(model.name())),
            }
        }
        if stores.is_empty() {
            return Err(Error::range("no store holds such a record; shorten the response or the key"));
        }
        case.stores = stores;
        Ok(case)
    }

    /// What every store takes, in the order of the models. Each may run a page model, so that two threads
    /// are worth it for a single case.
    fn footprints_on_two_threads(&self, load: &Load) -> Vec<Result<Footprint>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(model) = self.models.get(index) else { return done };
                done.push((index, model.footprint(load, &self.pages)));
            }
        };
        let mut done = thread::scope(|scope| {
            // Where the system refuses a thread, this one does it all.
            let helper = thread::Builder::new().spawn_scoped(scope, work).ok();
            let mut done = work();
            if let Some(helper) = helper {
                done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        done.sort_unstable_by_key(|&(index, _)| index);
        done.into_iter().map(|(_, footprint)| footprint).collect()
    }

    /// The plain arithmetic: exact integers and decimal dollars.
    #[inline]
    fn plain(&self, inputs: CaseInputs) -> Result<Case> {
        let CaseInputs { workload, retention, replicas, key, record, headroom, retries } = inputs;
        let live = workload.rate_per_s.times(retention).ok_or_else(|| too_large("rate × retention"))?;
        if live == 0 {
            return Err(Error::range(
                "rate × retention is less than half a key, so that no key lives on average; raise --rate or keep keys longer",
            ));
        }
        if key.few_values().is_some_and(|values| values < live) {
            return Err(Error::range(format!(
                "{live} live keys do not fit a key of {} bytes: it has fewer values; use a longer key, such as --key v4",
                key.binary_bytes()
            )));
        }
        let raw = product(live, u128::from(record.key_bytes), "live keys × key bytes")?;
        let replicated = product(raw, u128::from(replicas), "bytes × replicas")?;
        Ok(Case {
            rate_per_s: workload.rate_per_s,
            peak_per_s: workload.peak_per_s,
            retention_s: retention,
            replicas,
            key,
            key_format: record.key_format,
            key_bytes: record.key_bytes,
            record: record.kind,
            response_bytes: record.response_bytes,
            scope: record.scope,
            fingerprint: record.fingerprint,
            headroom,
            retries,
            live_keys: live,
            raw_bytes: raw,
            raw_replicated_bytes: replicated,
            raw_usd_per_month: self.tariff.plain_usd_per_month(replicated)?,
            stores: Vec::new(),
            unfit: Vec::new(),
        })
    }

    /// Adds what one store takes; built in place, since a large grid has millions of them.
    fn line(
        &self,
        model: &'static dyn Model,
        case: &Case,
        footprint: &Footprint,
        lines: &mut Vec<StoreLine>,
    ) -> Result<()> {
        let capacity = Capacity::new(footprint, case)?;
        let usd_per_month = self.tariff.usd_per_month(footprint.billing, case, capacity.provisioned)?;
        let detail = match self.detail {
            false => None,
            true => Some(Box::new(self.detail(model, case, footprint, &capacity)?)),
        };
        lines.push(StoreLine {
            store: model.name(),
            key_order: case.key.name(),
            record: case.record,
            bytes_per_key: footprint.bytes_per_key(),
            table_bytes_per_key: footprint.bytes_in(Place::Table),
            index_bytes_per_key: footprint.bytes_in(Place::Index),
            log_bytes_per_insert: footprint.log_bytes_per_insert(),
            leaf_fill: footprint.leaf_fill,
            stored_bytes: capacity.stored,
            replicated_bytes: capacity.replicated,
            provisioned_bytes: capacity.provisioned,
            usd_per_month,
            buys: footprint.billing.buys(),
            method: model.evidence(),
            io: self.io(case, footprint),
            false_positive_rate: footprint.false_positive_rate,
            refused_payments_per_day: footprint
                .false_positive_rate
                .map(|p| refused_per_day(case.rate_per_s.as_f64(), p)),
            detail,
        });
        Ok(())
    }

    fn detail(
        &self,
        model: &'static dyn Model,
        case: &Case,
        footprint: &Footprint,
        capacity: &Capacity,
    ) -> Result<Detail> {
        let (growth, horizon_usd) = match self.question.inputs().growth {
            None => (Vec::new(), None),
            Some(growth) => self.grow(model, case, growth)?,
        };
        let billing = footprint.billing;
        let spread_usd = |factor: fn(&Spread) -> f64| -> Result<Option<f64>> {
            let Some(factor) = footprint.spread.as_ref().map(factor) else { return Ok(None) };
            // Below 2^127, as in `Capacity`: factors are small, and provisioned bytes fit already.
            let bytes = (capacity.provisioned as f64 * factor).min(2f64.powi(126)) as u128;
            Ok(self.tariff.usd_per_month(billing, case, bytes)?.map(Usd::as_f64))
        };
        let bytes = footprint.bytes_per_key();
        let copies = copies(footprint, case) as f64;
        let headroom = case.headroom.0.as_f64();
        Ok(Detail {
            parts: footprint.parts.clone(),
            replication_bytes_per_key: bytes * (copies - 1.0),
            headroom_bytes_per_key: bytes * copies * headroom,
            provisioned_bytes_per_key: bytes * copies * (1.0 + headroom),
            log_parts: footprint.log_parts.clone(),
            completion_log_bytes: footprint.completion_log_bytes,
            purges: purges(case, footprint),
            spread: footprint.spread,
            spread_low_usd_per_month: spread_usd(|spread| spread.low)?,
            spread_high_usd_per_month: spread_usd(|spread| spread.high)?,
            price: self.tariff.in_words(billing),
            bill: self.tariff.bill(billing, case, capacity.provisioned)?,
            notes: footprint.notes.clone(),
            growth,
            horizon_usd,
        })
    }

    /// What a store has to do each second at peak.
    fn io(&self, case: &Case, footprint: &Footprint) -> Io {
        let peak = case.peak_per_s.as_f64();
        let log = footprint.log_bytes_per_insert() + footprint.completion_log_bytes.unwrap_or(0.0);
        let others = (copies(footprint, case) - 1) as f64;
        Io {
            writes_per_s: peak * if case.record.has_outcome() { 2.0 } else { 1.0 },
            lookups_per_s: peak * case.retries.as_f64(),
            log_bytes_per_s: peak * log,
            pages_dirtied_per_s: footprint.pages_dirtied_per_insert.map(|pages| pages * peak),
            background_bytes_per_s: footprint.background_bytes_per_insert * peak,
            replication_bytes_per_s: peak * log * others,
            replication_usd_per_month: match case.rate_per_s.as_f64() * log * others {
                bytes_per_s if bytes_per_s > 0.0 => self.tariff.traffic_usd_per_month(bytes_per_s),
                _ => None,
            },
        }
    }
}

/// Bytes of one copy, of all copies, and with headroom.
struct Capacity {
    stored: u128,
    replicated: u128,
    provisioned: u128,
}

impl Capacity {
    fn new(footprint: &Footprint, case: &Case) -> Result<Capacity> {
        let stored = match whole_bytes(footprint) {
            Some(bytes) => product(case.live_keys, bytes, "live keys × bytes per key")?,
            None => {
                let bytes = case.live_keys as f64 * footprint.bytes_per_key();
                // Below 2^127 the cast neither saturates nor loses more than the f64 already has.
                if bytes >= 2f64.powi(127) {
                    return Err(too_large("live keys × bytes per key"));
                }
                bytes.round() as u128
            }
        };
        let replicated = product(stored, copies(footprint, case), "stored bytes × replicas")?;
        let factor = case.headroom.0.checked_add(crate::units::Exact::ONE);
        let factor = factor.ok_or_else(|| too_large("1 + headroom"))?;
        Ok(Capacity {
            stored,
            replicated,
            provisioned: scaled(replicated, factor, "replicated bytes × headroom")?,
        })
    }
}

/// Copies that are paid for one by one: a store billed by the request has replication in its price.
fn copies(footprint: &Footprint, case: &Case) -> u128 {
    match footprint.billing {
        store::Billing::Request { .. } => 1,
        _ => u128::from(case.replicas),
    }
}

/// The bytes per key where they are a whole number, so that their product can be exact.
fn whole_bytes(footprint: &Footprint) -> Option<u128> {
    let bytes = footprint.bytes_per_key();
    (bytes.fract() == 0.0 && bytes < 2f64.powi(53)).then_some(bytes as u128)
}

fn load(case: &Case, detail: bool) -> Load {
    let rate_per_s = case.rate_per_s.as_f64();
    Load {
        live_keys: case.live_keys as f64,
        rate_per_s,
        peak_per_s: case.peak_per_s.as_f64(),
        retention_s: case.retention_s.as_f64(),
        arrival: case.key.arrival(rate_per_s),
        record: record(case),
        detail,
    }
}

fn record(case: &Case) -> store::record::Record {
    store::record::Record {
        key_bytes: case.key_bytes,
        key_format: case.key_format,
        kind: case.record,
        scope: case.scope,
        fingerprint: case.fingerprint,
        response_bytes: case.response_bytes,
    }
}

/// One key expires for each that arrives, on average.
fn purges(case: &Case, footprint: &Footprint) -> Vec<PurgeLine> {
    let (rate, live) = (case.rate_per_s.as_f64(), case.live_keys as f64);
    let headroom = 1.0 + case.headroom.0.as_f64();
    let line = |purge: &store::Purge| PurgeLine {
        purge: *purge,
        stored_bytes: purge.bytes_per_live_key * live,
        fits_headroom: purge.bytes_per_live_key <= footprint.bytes_per_key() * headroom,
        log_bytes_per_s: purge.log_bytes_per_key * rate,
        pages_dirtied_per_s: purge.pages_dirtied_per_key * rate,
    };
    footprint.purges.iter().map(line).collect()
}
