//! What a store's capacity and requests cost in a month, each kind of store by its own price.

use super::answer::Case;
use super::question::Inputs;
use crate::error::Result;
use crate::store::price::{Book, Price};
use crate::store::{Billing, Footprint};
use crate::units::{SECONDS_PER_MONTH, Usd};
use rust_decimal::Decimal;

/// The price of bare arithmetic where none is given: $0.10 per GB-month.
const PLAIN_USD_PER_GB_MONTH: Decimal = Decimal::from_parts(10, 0, 0, false, 2);
/// Bytes in the GB of a price.
const GB: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

/// A month's cost, and the price it was computed with, in words.
pub(super) struct Bill {
    pub(super) usd_per_month: Option<Usd>,
    pub(super) price: Priced,
}

/// Which price was used; put into words only where somebody reads them.
pub(super) enum Priced {
    Plain(Decimal),
    Line(Price),
    Lines(Vec<Price>),
    Missing(&'static str),
}

impl Priced {
    /// The price with its origin and date.
    pub(super) fn in_words(&self) -> String {
        let line = |price: &Price| {
            let counted = match &price.billing {
                Some(billing) => format!(", {billing}"),
                None => String::new(),
            };
            format!(
                "{} ${} per {}{counted} ({}, seen {})",
                price.item,
                price.usd,
                price.unit.name(),
                price.region,
                price.seen
            )
        };
        match self {
            Priced::Plain(usd) => format!("${usd} per GB-month, GB = 10^9 bytes"),
            Priced::Line(price) => line(price),
            Priced::Lines(prices) => prices.iter().map(line).collect::<Vec<_>>().join("; "),
            Priced::Missing(what) => {
                format!("the price book has no {what} price for this provider and region")
            }
        }
    }
}

/// Dollars for bytes at a plain price per GB-month; exact while it has at most 28 digits.
///
/// # Errors
/// Where the bytes or the dollars are more than a decimal holds.
pub(super) fn plain(bytes: u128, usd_per_gb_month: Option<Usd>) -> Result<Usd> {
    let usd = usd_per_gb_month.map_or(PLAIN_USD_PER_GB_MONTH, |usd| usd.0);
    let amount = i128::try_from(bytes).ok().and_then(|b| Decimal::try_from_i128_with_scale(b, 0).ok());
    let cost = amount.and_then(|amount| amount.checked_mul(usd)?.checked_div(GB));
    cost.map(|usd| Usd(usd.normalize())).ok_or_else(|| super::answer::too_large("the cost"))
}

/// What a case's load costs in a store.
///
/// # Errors
/// Where a sum is more than a decimal holds.
pub(super) fn bill(
    inputs: &Inputs,
    book: &Book,
    case: &Case,
    footprint: &Footprint,
    provisioned: u128,
) -> Result<Bill> {
    let (provider, region) = (inputs.provider, inputs.region.as_deref());
    let by_size = |price: Option<&Price>, what| match price {
        None => Ok(Bill { usd_per_month: None, price: Priced::Missing(what) }),
        Some(price) => {
            let usd = Usd(price.usd_per_month(provisioned)?);
            Ok(Bill { usd_per_month: Some(usd), price: Priced::Line(price.clone()) })
        }
    };
    match (footprint.billing, inputs.price_per_gb_month_usd) {
        (Billing::Plain | Billing::Block, Some(usd)) => {
            let cost = plain(provisioned, Some(usd))?;
            Ok(Bill { usd_per_month: Some(cost), price: Priced::Plain(usd.0) })
        }
        (Billing::Plain, None) => {
            let cost = plain(provisioned, None)?;
            Ok(Bill { usd_per_month: Some(cost), price: Priced::Plain(PLAIN_USD_PER_GB_MONTH) })
        }
        (Billing::Block, None) => by_size(book.block(provider, region), "block storage"),
        (Billing::Memory, _) => by_size(book.memory(provider, region), "memory"),
        (Billing::Request { write_units_per_key, read_units_per_lookup }, _) => {
            let lines = (
                book.request_write(provider, region),
                book.request_read(provider, region),
                book.request_storage(provider, region),
            );
            let (Some(write), Some(read), Some(storage)) = lines else {
                return Ok(Bill { usd_per_month: None, price: Priced::Missing("request") });
            };
            let keys = case.rate_per_s.as_f64() * SECONDS_PER_MONTH as f64;
            let writes = whole(keys * write_units_per_key)?;
            let reads = whole(keys * case.retries.0.as_f64() * read_units_per_lookup)?;
            let sum = write
                .usd_for_requests(writes)?
                .checked_add(read.usd_for_requests(reads)?)
                .and_then(|usd| usd.checked_add(storage.usd_per_month(provisioned).ok()?));
            let usd = sum.ok_or_else(|| super::answer::too_large("the cost"))?;
            let lines = vec![write.clone(), read.clone(), storage.clone()];
            Ok(Bill { usd_per_month: Some(Usd(usd)), price: Priced::Lines(lines) })
        }
    }
}

/// A number of requests as an integer.
fn whole(requests: f64) -> Result<u128> {
    // The cast saturates; what would saturate is refused first.
    if requests < 1e38 {
        Ok(requests.round() as u128)
    } else {
        Err(super::answer::too_large("the number of requests"))
    }
}
