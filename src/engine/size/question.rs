//! The question of `size`: a grid of workloads, records and terms, checked.

use crate::error::{Error, Result};
use crate::id::key::Key;
use crate::question::Question;
use crate::store;
use crate::store::price::Provider;
use crate::store::record::{KeyFormat, Record, RecordKind, Scope};
use crate::units::{Attempts, Bytes, Exact, Rate, Share, Span, Usd};
use serde::Serialize;

/// Keys arriving: the average sizes the store, the peak sizes its throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Workload {
    /// Average keys per second.
    pub rate_per_s: Rate,
    /// Highest keys per second.
    pub peak_per_s: Rate,
}

/// Load that grows by a share every year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Growth {
    /// Share by which the rate grows in a year.
    pub growth_per_year: Share,
    /// How far to look.
    pub horizon_s: Span,
}

/// Everything that can be asked of `size`, not yet checked. A list makes a grid with every other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inputs {
    /// Loads.
    pub workloads: Vec<Workload>,
    /// How long keys are kept.
    pub retention_s: Vec<Span>,
    /// Copies of the store, the first included.
    pub replicas: Vec<u32>,
    /// Which key.
    pub key: Vec<Key>,
    /// How it is stored.
    pub key_format: Vec<KeyFormat>,
    /// What is kept beside it.
    pub record: Vec<RecordKind>,
    /// Length of the stored response.
    pub response_bytes: Vec<Bytes>,
    /// Owner columns; `None`: as the record implies.
    pub scope: Option<Scope>,
    /// Fingerprint column; `None`: as the record implies.
    pub fingerprint: Option<bool>,
    /// Share of capacity bought beyond what is used.
    pub headroom: Vec<Share>,
    /// Mean attempts per key, at least 1: look-ups, not keys.
    pub retries: Vec<Attempts>,
    /// Names of stores.
    pub stores: Vec<String>,
    /// Whether a store that cannot hold the record is left out with its reason, rather than refused.
    pub skip_unfit: bool,
    /// Price of block storage for every store that is paid by it; `None`: `raw` $0.10, others the book.
    pub price_per_gb_month_usd: Option<Usd>,
    /// Whose prices.
    pub provider: Provider,
    /// Where; `None`: the provider's region in the book.
    pub region: Option<String>,
    /// How the load grows.
    pub growth: Option<Growth>,
    /// Whether every part is to be in the answer of a grid too large for it by default.
    pub explain: bool,
}

impl Inputs {
    /// One case with the defaults of the command line.
    pub fn new(rate: Rate, retention: Span) -> Inputs {
        Inputs {
            workloads: vec![Workload { rate_per_s: rate, peak_per_s: rate }],
            retention_s: vec![retention],
            replicas: vec![3],
            key: vec![Key::V4],
            key_format: vec![KeyFormat::Binary],
            record: vec![RecordKind::Claim],
            response_bytes: vec![Bytes(0)],
            scope: None,
            fingerprint: None,
            headroom: vec![Share(Exact::new(3, 10).expect("10 is not 0"))],
            retries: vec![Attempts::ONE],
            stores: store::catalogue().iter().map(|model| model.name().to_owned()).collect(),
            skip_unfit: true,
            price_per_gb_month_usd: None,
            provider: Provider::Aws,
            region: None,
            growth: None,
            explain: false,
        }
    }
}

/// A checked question: every list has an element, every value is in range, every store is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Sizing {
    inputs: Inputs,
}

impl Question for Sizing {
    const VERB: &'static str = "size";
}

/// The price book itself is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PriceList {
    list_prices: bool,
}

impl Default for PriceList {
    fn default() -> PriceList {
        PriceList { list_prices: true }
    }
}

impl Question for PriceList {
    const VERB: &'static str = "size";
}

/// The inputs of one case of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseInputs {
    pub(super) workload: Workload,
    pub(super) retention: Span,
    pub(super) replicas: u32,
    pub(super) key: Key,
    pub(super) record: Record,
    pub(super) headroom: Share,
    pub(super) retries: Attempts,
}

impl Sizing {
    /// Checks the inputs.
    ///
    /// # Errors
    /// Where a list is empty, replicas are not 1 to 1000, a peak lies below its average, a response
    /// is asked of records without one, a store is unknown or named twice, or the grid has 2^63 cases or more.
    pub fn new(mut inputs: Inputs) -> Result<Sizing> {
        for replicas in &inputs.replicas {
            if !(1..=1_000).contains(replicas) {
                let came = replicas.to_string();
                return Err(Error::value("replicas", &came, "a number from 1 to 1000", "3"));
            }
        }
        for workload in &inputs.workloads {
            check_peak(workload)?;
        }
        check_response(&inputs)?;
        if let Some(growth) = &inputs.growth {
            check_horizon(growth)?;
        }
        check_stores(&mut inputs.stores)?;
        let sizing = Sizing { inputs };
        match sizing.axes().iter().try_fold(1usize, |cases, axis| cases.checked_mul(*axis)) {
            None => Err(Error::range("the lists make more cases than can be counted; shorten one")),
            Some(0) => Err(Error::range("a list is empty; give each flag at least one value")),
            Some(_) => Ok(sizing),
        }
    }

    /// What was asked.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The inputs of the first case alone, each list with one element.
    pub fn first_case(&self) -> Inputs {
        let mut inputs = self.inputs.clone();
        inputs.workloads.truncate(1);
        inputs.retention_s.truncate(1);
        inputs.replicas.truncate(1);
        inputs.key.truncate(1);
        inputs.key_format.truncate(1);
        inputs.record.truncate(1);
        inputs.response_bytes.truncate(1);
        inputs.headroom.truncate(1);
        inputs.retries.truncate(1);
        inputs
    }

    /// Cases in the grid.
    pub fn cases(&self) -> usize {
        self.axes().iter().product()
    }

    fn axes(&self) -> [usize; 9] {
        let i = &self.inputs;
        [
            i.workloads.len(),
            i.retention_s.len(),
            i.replicas.len(),
            i.key.len(),
            i.key_format.len(),
            i.record.len(),
            i.response_bytes.len(),
            i.headroom.len(),
            i.retries.len(),
        ]
    }

    /// The case of an index below [`Sizing::cases`]; the last list changes fastest.
    pub fn case(&self, index: usize) -> CaseInputs {
        let i = &self.inputs;
        let mut digits = [0; 9];
        let mut rest = index;
        for (digit, axis) in digits.iter_mut().zip(self.axes()).rev() {
            *digit = rest % axis;
            rest /= axis;
        }
        let [workload, retention, replicas, key, format, record, response, headroom, retries] = digits;
        let (key, format) = (i.key[key], i.key_format[format]);
        // Where records make a list, those without a response have none.
        let held = i.record[record].has_outcome();
        let response = if held { i.response_bytes[response].0 } else { 0 };
        let mut record = Record::new(i.record[record], key.stored_bytes(format), format, response);
        record.scope = i.scope.unwrap_or(record.scope);
        record.fingerprint = i.fingerprint.unwrap_or(record.fingerprint);
        CaseInputs {
            workload: i.workloads[workload],
            retention: i.retention_s[retention],
            replicas: i.replicas[replicas],
            key,
            record,
            headroom: i.headroom[headroom],
            retries: i.retries[retries],
        }
    }
}

fn check_peak(workload: &Workload) -> Result<()> {
    let (rate, peak) = (workload.rate_per_s.as_f64(), workload.peak_per_s.as_f64());
    if peak >= rate {
        return Ok(());
    }
    let allowed = format!("at least the average rate of {rate} keys/s");
    Err(Error::value("the peak rate", &format!("{peak}/s"), &allowed, &format!("{rate}/s")))
}

/// Within a day nothing grows, and beyond a century no rate of growth holds.
fn check_horizon(growth: &Growth) -> Result<()> {
    let days = growth.horizon_s.as_f64() / 86_400.0;
    if (1.0..=36_525.0).contains(&days) {
        return Ok(());
    }
    Err(Error::value("--horizon", &format!("{days} d"), "from 1d to 100y", "3y"))
}

/// A response that no record would hold is a mistake, not a response of no bytes.
fn check_response(inputs: &Inputs) -> Result<()> {
    let asked = inputs.response_bytes.iter().find(|bytes| bytes.0 > 0);
    let held = inputs.record.iter().any(|kind| kind.has_outcome());
    match asked {
        Some(bytes) if !held => Err(Error::range(format!(
            "response-bytes {} needs a record that holds a response; try --record outcome or --record full",
            bytes.0
        ))),
        _ => Ok(()),
    }
}

/// Every name is known; a name given twice counts once.
fn check_stores(names: &mut Vec<String>) -> Result<()> {
    let mut seen: Vec<String> = Vec::with_capacity(names.len());
    for name in names.iter() {
        let Some(model) = store::find(name) else {
            let known: Vec<_> = store::catalogue().iter().map(|model| model.name()).collect();
            return Err(Error::value("a store", name, &format!("one of {}", known.join(", ")), "postgres"));
        };
        if !seen.iter().any(|seen| seen == model.name()) {
            seen.push(model.name().to_owned());
        }
    }
    *names = seen;
    if names.is_empty() {
        return Err(Error::range("no store was named; leave --store out for all of them"));
    }
    Ok(())
}
