//! What a store's capacity and requests cost in a month, each kind of store by its own price.

use super::answer::{BillLine, Case, too_large};
use super::question::Inputs;
use crate::error::Result;
use crate::store::Billing;
use crate::store::price::{Book, Price, decimal};
use crate::units::{SECONDS_PER_MONTH, Usd};
use rust_decimal::Decimal;

/// The price of bare arithmetic where none is given: $0.10 per GB-month.
const PLAIN_USD_PER_GB_MONTH: Decimal = Decimal::from_parts(10, 0, 0, false, 2);
/// Bytes in the GB of a price.
const GB: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

/// Every price that a question can need, looked up once.
pub(super) struct Tariff {
    plain: PerByte,
    block: Option<PerByte>,
    memory: Option<PerByte>,
    requests: Option<Requests>,
    traffic_usd_per_byte: Option<f64>,
}

/// US dollars for so many bytes kept a month, and where that comes from.
struct PerByte {
    usd: Decimal,
    /// How many bytes, where a single one would cost too little for 28 decimals.
    lot: Option<Decimal>,
    origin: Origin,
}

enum Origin {
    Plain(Decimal),
    Line(Price),
}

/// The three prices of a store that is paid by request.
struct Requests {
    write: PerRequest,
    read: PerRequest,
    storage: PerByte,
}

/// US dollars for one request, exact, and the line of the book.
struct PerRequest {
    usd: Decimal,
    line: Price,
}

impl PerRequest {
    fn new(line: &Price) -> Result<PerRequest> {
        // A million cost a whole number of the book's last decimals: one costs six decimals more.
        Ok(PerRequest { usd: line.usd_for_requests(1)?, line: line.clone() })
    }

    fn usd(&self, requests: f64) -> Result<Usd> {
        let usd = decimal(whole(requests)?).and_then(|requests| requests.checked_mul(self.usd));
        usd.map(Usd).ok_or_else(|| too_large("the cost"))
    }
}

impl Tariff {
    /// # Errors
    /// Where a line of the book cannot be used for its kind.
    pub(super) fn new(inputs: &Inputs, book: &Book) -> Result<Tariff> {
        let (provider, region) = (inputs.provider, inputs.region.as_deref());
        let given = inputs.price_per_gb_month_usd.map(|usd| usd.0);
        let line = |price: Option<&Price>| price.map(per_byte).transpose();
        let block = match given {
            Some(usd) => Some(plain(usd)?),
            None => line(book.block(provider, region))?,
        };
        let lines = (book.request_write(provider, region), book.request_read(provider, region));
        let requests = match (lines, line(book.request_storage(provider, region))?) {
            ((Some(write), Some(read)), Some(storage)) => {
                Some(Requests { write: PerRequest::new(write)?, read: PerRequest::new(read)?, storage })
            }
            _ => None,
        };
        Ok(Tariff {
            plain: plain(given.unwrap_or(PLAIN_USD_PER_GB_MONTH))?,
            block,
            memory: line(book.memory(provider, region))?,
            requests,
            traffic_usd_per_byte: match book.transfer_zone(provider, region) {
                None => None,
                // A terabyte, so that a small price keeps its digits.
                Some(price) => Some(Usd(price.usd_for_transfer(1_000_000_000_000)?).as_f64() * 1e-12),
            },
        })
    }

    /// Dollars for bytes at the plain price per GB-month; exact while it has at most 28 digits.
    ///
    /// # Errors
    /// Where the bytes or the dollars are more than a decimal holds.
    pub(super) fn plain_usd_per_month(&self, bytes: u128) -> Result<Usd> {
        self.plain.usd_per_month(bytes)
    }

    /// What a case costs a month; `None` where the book has no price for it.
    ///
    /// # Errors
    /// Where a sum is more than a decimal holds.
    pub(super) fn usd_per_month(
        &self,
        billing: Billing,
        case: &Case,
        provisioned: u128,
    ) -> Result<Option<Usd>> {
        let by_size =
            |price: Option<&PerByte>| price.map(|price| price.usd_per_month(provisioned)).transpose();
        match billing {
            Billing::Plain => by_size(Some(&self.plain)),
            Billing::Block => by_size(self.block.as_ref()),
            Billing::Memory => by_size(self.memory.as_ref()),
            Billing::Request { .. } => {
                let Some(lines) = self.requests(billing, case, provisioned)? else { return Ok(None) };
                let sum =
                    lines.iter().try_fold(Decimal::ZERO, |sum, line| sum.checked_add(line.usd_per_month.0));
                Ok(Some(Usd(sum.ok_or_else(|| too_large("the cost"))?)))
            }
        }
    }

    /// The same, line by line; empty where the book has no price for it.
    ///
    /// # Errors
    /// As [`Tariff::usd_per_month`].
    pub(super) fn bill(&self, billing: Billing, case: &Case, provisioned: u128) -> Result<Vec<BillLine>> {
        if matches!(billing, Billing::Request { .. }) {
            return Ok(self.requests(billing, case, provisioned)?.map_or_else(Vec::new, Vec::from));
        }
        let cost = self.usd_per_month(billing, case, provisioned)?;
        let line = |usd_per_month| BillLine { what: "capacity", amount: provisioned as f64, usd_per_month };
        Ok(cost.map(line).into_iter().collect())
    }

    /// Writes, reads and capacity of a store that is paid by request.
    fn requests(&self, billing: Billing, case: &Case, provisioned: u128) -> Result<Option<[BillLine; 3]>> {
        let Billing::Request { write_units_per_key, read_units_per_lookup } = billing else {
            return Ok(None);
        };
        let Some(prices) = &self.requests else { return Ok(None) };
        let keys = case.rate_per_s.as_f64() * SECONDS_PER_MONTH as f64;
        let line = |what, price: &PerRequest, units: f64| -> Result<BillLine> {
            Ok(BillLine { what, amount: units, usd_per_month: price.usd(units)? })
        };
        Ok(Some([
            line("writes", &prices.write, keys * write_units_per_key)?,
            line("reads", &prices.read, keys * case.retries.as_f64() * read_units_per_lookup)?,
            BillLine {
                what: "capacity",
                amount: provisioned as f64,
                usd_per_month: prices.storage.usd_per_month(provisioned)?,
            },
        ]))
    }

    /// Dollars a month for so many bytes a second between zones; `None` where the book has no price.
    pub(super) fn traffic_usd_per_month(&self, bytes_per_s: f64) -> Option<f64> {
        self.traffic_usd_per_byte.map(|usd| usd * bytes_per_s * SECONDS_PER_MONTH as f64)
    }

    /// The price behind a cost, with its origin and date.
    pub(super) fn in_words(&self, billing: Billing) -> String {
        let missing = || "the price book has no price for this provider and region".to_owned();
        let by_size = |price: Option<&PerByte>| price.map_or_else(missing, |price| price.origin.in_words());
        match billing {
            Billing::Plain => by_size(Some(&self.plain)),
            Billing::Block => by_size(self.block.as_ref()),
            Billing::Memory => by_size(self.memory.as_ref()),
            Billing::Request { .. } => self.requests.as_ref().map_or_else(missing, |prices| {
                let lines =
                    [line(&prices.write.line), line(&prices.read.line), prices.storage.origin.in_words()];
                lines.join("; ")
            }),
        }
    }
}

impl PerByte {
    fn usd_per_month(&self, bytes: u128) -> Result<Usd> {
        let usd = decimal(bytes).and_then(|bytes| bytes.checked_mul(self.usd));
        let usd = match self.lot {
            Some(lot) => usd.and_then(|usd| usd.checked_div(lot)),
            None => usd,
        };
        usd.map(Usd).ok_or_else(|| too_large("the cost"))
    }
}

impl Origin {
    fn in_words(&self) -> String {
        match self {
            Origin::Plain(usd) => format!("${usd} per GB-month, GB = 10^9 bytes"),
            Origin::Line(price) => line(price),
        }
    }
}

/// A line of the book in words.
fn line(price: &Price) -> String {
    let counted = price.billing.as_ref().map_or_else(String::new, |billing| format!(", {billing}"));
    let Price { item, usd, region, seen, .. } = price;
    let unit = price.unit.name().trim_start_matches("per ");
    format!("{item}: ${usd} per {unit}{counted} ({region}, seen {seen})")
}

/// A price per GB with up to 19 decimals is exact per byte; others are divided last.
fn plain(usd_per_gb_month: Decimal) -> Result<PerByte> {
    let origin = Origin::Plain(usd_per_gb_month);
    if usd_per_gb_month.normalize().scale() > 19 {
        return Ok(PerByte { usd: usd_per_gb_month, lot: Some(GB), origin });
    }
    let usd = usd_per_gb_month.checked_div(GB).ok_or_else(|| too_large("the price"))?;
    Ok(PerByte { usd, lot: None, origin })
}

/// The price of a byte, to 28 decimals.
fn per_byte(price: &Price) -> Result<PerByte> {
    Ok(PerByte { usd: price.usd_per_byte_month()?, lot: None, origin: Origin::Line(price.clone()) })
}

/// A number of requests as an integer.
fn whole(requests: f64) -> Result<u128> {
    // The cast saturates; what would saturate is refused first.
    if requests < 1e38 { Ok(requests.round() as u128) } else { Err(too_large("the number of requests")) }
}
