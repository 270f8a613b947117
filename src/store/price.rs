//! The price book: what a provider asks for a byte kept or a request served, each line with the place
//! and the date at which it was seen.
//!
//! The embedded book is `prices.toml` beside this file; [`Book::read`] takes any other of its shape.
//! Prices are decimal: $0.10 per GB-month times 5,806,080,000,000 bytes is $580.608, to the digit.
//! A price by the hour counts 730 hours a month (8,760 / 12), as the providers' own calculators do.
//! GB is 10⁹ bytes and GiB 2³⁰; where a provider writes GB and bills GiB, the line says so in `gib`.

use super::price_file;
use crate::error::{Error, Result};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

const EMBEDDED: &str = include_str!("prices.toml");

/// Hours in the month of a price by the hour: 8,760 / 12.
pub const HOURS_PER_MONTH: u32 = 730;

/// Who sells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Amazon Web Services.
    Aws,
    /// Google Cloud.
    Gcp,
    /// Microsoft Azure.
    Azure,
}

impl Provider {
    /// The word for it on the command line and in the book.
    pub fn name(self) -> &'static str {
        match self {
            Provider::Aws => "aws",
            Provider::Gcp => "gcp",
            Provider::Azure => "azure",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Provider {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        [Provider::Aws, Provider::Gcp, Provider::Azure]
            .into_iter()
            .find(|p| p.name() == text)
            .ok_or_else(|| Error::value("provider", text, "aws, gcp or azure", "aws"))
    }
}

/// What a line is the price of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Capacity of a block volume.
    BlockStorage,
    /// Capacity of an object store.
    ObjectStorage,
    /// Memory of a cache.
    Memory,
    /// A write to a store billed by the request.
    RequestWrite,
    /// A read from it.
    RequestRead,
    /// Capacity of it.
    RequestStorage,
    /// A request to a cache billed by the request.
    MemoryRequest,
    /// A request to an object store.
    ObjectRequest,
    /// Write throughput reserved by the hour.
    CapacityWrite,
    /// Read throughput reserved by the hour.
    CapacityRead,
    /// Capacity of backups.
    Backup,
    /// Operations per second reserved by the month.
    Iops,
    /// Bytes per second reserved by the month.
    Throughput,
    /// Traffic between zones of a region.
    TransferZone,
    /// Traffic between regions.
    TransferRegion,
}

/// What a price buys one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unit {
    /// 10⁹ bytes for a month.
    #[serde(rename = "GB-month")]
    GbMonth,
    /// 2³⁰ bytes for a month.
    #[serde(rename = "GiB-month")]
    GibMonth,
    /// 10⁹ bytes for an hour.
    #[serde(rename = "GB-hour")]
    GbHour,
    /// 2³⁰ bytes for an hour.
    #[serde(rename = "GiB-hour")]
    GibHour,
    /// A node for an hour; `gib` says how much it holds.
    #[serde(rename = "hour")]
    NodeHour,
    /// A disk for a month; `gib` says how much it holds.
    #[serde(rename = "disk-month")]
    DiskMonth,
    /// A thousand requests.
    #[serde(rename = "per 1000")]
    Thousand,
    /// A million requests.
    #[serde(rename = "per 1e6")]
    Million,
    /// A million processing units of a serverless cache.
    #[serde(rename = "per 1e6 ECPU")]
    MillionEcpu,
    /// A write unit a second, for an hour.
    #[serde(rename = "WCU-hour")]
    WcuHour,
    /// A read unit a second, for an hour.
    #[serde(rename = "RCU-hour")]
    RcuHour,
    /// An operation a second, for a month.
    #[serde(rename = "IOPS-month")]
    IopsMonth,
    /// 10⁶ bytes a second, for a month.
    #[serde(rename = "MBps-month")]
    MbpsMonth,
    /// 10⁹ bytes moved.
    #[serde(rename = "GB")]
    Gb,
    /// 10⁹ bytes moved, paid for by the sender and again by the receiver.
    #[serde(rename = "GB each direction")]
    GbEachDirection,
}

/// One line of the book.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Price {
    /// Who sells it.
    pub provider: Provider,
    /// Where.
    pub region: String,
    /// What it is called there.
    pub item: String,
    /// What it is the price of.
    pub kind: Kind,
    /// Whether models use this line.
    pub default: bool,
    /// US dollars for one unit.
    #[serde(serialize_with = "as_text")]
    pub usd: Decimal,
    /// What the dollars buy.
    pub unit: Unit,
    /// GiB in one unit, where the unit does not say or says otherwise.
    #[serde(serialize_with = "as_optional_text")]
    pub gib: Option<Decimal>,
    /// Copies that the price includes, where it is more than one.
    pub copies: Option<u32>,
    /// How the provider rounds or counts, in words.
    pub billing: Option<String>,
    /// Where the price was seen.
    pub origin: String,
    /// When it was seen there.
    pub seen: String,
    /// How far to trust it, in words.
    pub confidence: String,
}

/// JSON numbers are binary to most readers; a price is not.
fn as_text<S: Serializer>(usd: &Decimal, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(usd)
}

fn as_optional_text<S: Serializer>(gib: &Option<Decimal>, to: S) -> Result<S::Ok, S::Error> {
    match gib {
        Some(gib) => to.collect_str(gib),
        None => to.serialize_none(),
    }
}

impl Price {
    /// US dollars for keeping so many bytes for a month. A node or a disk counts by the share of it
    /// that the bytes fill: over a fleet of them the last, partly used one does not matter.
    ///
    /// # Errors
    /// Where the line does not sell bytes by the month, and where the sum is more than a decimal holds.
    pub fn usd_per_month(&self, bytes: u128) -> Result<Decimal> {
        let (usd, lot) = self.usd_per_lot_month()?;
        share(usd, bytes, lot).ok_or_else(|| self.too_much(bytes))
    }

    /// US dollars for a byte kept for a month, to 28 decimals.
    ///
    /// # Errors
    /// Where the line does not sell bytes by the month.
    pub fn usd_per_byte_month(&self) -> Result<Decimal> {
        let (usd, lot) = self.usd_per_lot_month()?;
        usd.checked_div(lot).ok_or_else(|| self.too_much(1))
    }

    /// US dollars for a month of what is sold at once, and how many bytes that is.
    fn usd_per_lot_month(&self) -> Result<(Decimal, Decimal)> {
        let (lot, units_per_month) = self
            .month()
            .ok_or_else(|| Error::data(format!("{} is not sold by the byte and month", self.item)))?;
        let usd = self.usd.checked_mul(Decimal::from(units_per_month)).ok_or_else(|| self.too_much(1))?;
        Ok((usd, lot))
    }

    /// US dollars for so many requests.
    ///
    /// # Errors
    /// Where the line does not sell requests, and where the sum is more than a decimal holds.
    pub fn usd_for_requests(&self, requests: u128) -> Result<Decimal> {
        let lot = self
            .unit
            .requests()
            .ok_or_else(|| Error::data(format!("{} is not sold by the request", self.item)))?;
        share(self.usd, requests, Decimal::from(lot)).ok_or_else(|| self.too_much(requests))
    }

    /// US dollars for moving so many bytes, sender and receiver together.
    ///
    /// # Errors
    /// Where the line does not sell traffic, and where the sum is more than a decimal holds.
    pub fn usd_for_transfer(&self, bytes: u128) -> Result<Decimal> {
        let ends = match self.unit {
            Unit::Gb => 1,
            Unit::GbEachDirection => 2,
            _ => return Err(Error::data(format!("{} is not sold by the byte moved", self.item))),
        };
        let usd = self.usd.checked_mul(Decimal::from(ends));
        usd.and_then(|usd| share(usd, bytes, Decimal::from(GB))).ok_or_else(|| self.too_much(bytes))
    }

    /// Whether the line can be used for what its kind is bought for.
    pub(super) fn serves_its_kind(&self) -> bool {
        match self.kind {
            Kind::BlockStorage | Kind::ObjectStorage | Kind::Memory | Kind::RequestStorage | Kind::Backup => {
                self.month().is_some()
            }
            Kind::RequestWrite | Kind::RequestRead | Kind::MemoryRequest | Kind::ObjectRequest => {
                self.unit.requests().is_some()
            }
            Kind::TransferZone | Kind::TransferRegion => {
                matches!(self.unit, Unit::Gb | Unit::GbEachDirection)
            }
            Kind::CapacityWrite => self.unit == Unit::WcuHour,
            Kind::CapacityRead => self.unit == Unit::RcuHour,
            Kind::Iops => self.unit == Unit::IopsMonth,
            Kind::Throughput => self.unit == Unit::MbpsMonth,
        }
    }

    /// Bytes in a unit and units in a month, for what is sold by the byte and time.
    fn month(&self) -> Option<(Decimal, u32)> {
        let (bytes, units) = match self.unit {
            Unit::GbMonth => (Some(GB), 1),
            Unit::GibMonth => (Some(GIB), 1),
            Unit::GbHour => (Some(GB), HOURS_PER_MONTH),
            Unit::GibHour => (Some(GIB), HOURS_PER_MONTH),
            Unit::NodeHour => (None, HOURS_PER_MONTH),
            Unit::DiskMonth => (None, 1),
            _ => return None,
        };
        let stated = self.gib.and_then(|gib| gib.checked_mul(Decimal::from(GIB)));
        let bytes = stated.or_else(|| bytes.map(Decimal::from))?;
        Some((bytes.checked_mul(Decimal::from(self.copies.unwrap_or(1)))?, units))
    }

    fn too_much(&self, amount: u128) -> Error {
        Error::range(format!("{amount} units of {} cost more than can be given exactly", self.item))
    }
}

const GB: u64 = 1_000_000_000;
const GIB: u64 = 1 << 30;

/// A whole number as a decimal; `None` beyond 96 bits.
pub(crate) fn decimal(amount: u128) -> Option<Decimal> {
    Decimal::try_from_i128_with_scale(i128::try_from(amount).ok()?, 0).ok()
}

/// usd × amount / lot, the product first: it is exact unless it has more than 28 digits.
fn share(usd: Decimal, amount: u128, lot: Decimal) -> Option<Decimal> {
    let amount = decimal(amount)?;
    match usd.checked_mul(amount) {
        Some(product) => product.checked_div(lot),
        None => amount.checked_div(lot)?.checked_mul(usd),
    }
    .map(|usd| usd.normalize())
}

impl Unit {
    /// What it is called in the book.
    pub fn name(self) -> &'static str {
        match self {
            Unit::GbMonth => "GB-month",
            Unit::GibMonth => "GiB-month",
            Unit::GbHour => "GB-hour",
            Unit::GibHour => "GiB-hour",
            Unit::NodeHour => "hour",
            Unit::DiskMonth => "disk-month",
            Unit::Thousand => "per 1000",
            Unit::Million => "per 1e6",
            Unit::MillionEcpu => "per 1e6 ECPU",
            Unit::WcuHour => "WCU-hour",
            Unit::RcuHour => "RCU-hour",
            Unit::IopsMonth => "IOPS-month",
            Unit::MbpsMonth => "MBps-month",
            Unit::Gb => "GB",
            Unit::GbEachDirection => "GB each direction",
        }
    }

    /// Requests in a unit.
    fn requests(self) -> Option<u32> {
        match self {
            Unit::Thousand => Some(1_000),
            Unit::Million | Unit::MillionEcpu => Some(1_000_000),
            _ => None,
        }
    }
}

/// All lines, in the order of their file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Book {
    dated: String,
    #[serde(rename = "prices")]
    lines: Vec<Price>,
}

impl Book {
    /// The book that ships with the crate.
    ///
    /// # Errors
    /// None in a released crate: a test reads the same text.
    pub fn default_book() -> Result<Self> {
        Self::read(EMBEDDED)
    }

    /// A book from the text of a TOML file of the shape of `prices.toml`.
    ///
    /// # Errors
    /// One sentence with the line of the file, what came, what is allowed and an example.
    pub fn read(text: &str) -> Result<Self> {
        let (dated, prices) = price_file::read(text)?;
        let mut book = Book { dated, lines: Vec::with_capacity(prices.len()) };
        for (line, price) in prices {
            book.admit(price).map_err(|e| e.within(&format!("line {line}")))?;
        }
        Ok(book)
    }

    /// Adds a line that does not contradict those before it.
    fn admit(&mut self, price: Price) -> Result<()> {
        let there = |p: &&Price| p.provider == price.provider && p.region == price.region;
        if self.lines.iter().filter(there).any(|p| p.item == price.item) {
            return Err(Error::data(format!(
                "\"{}\" in {} is priced twice; keep one of the lines",
                price.item, price.region
            )));
        }
        let rival = self.lines.iter().filter(there).find(|p| p.default && p.kind == price.kind);
        if let Some(rival) = rival.filter(|_| price.default) {
            return Err(Error::data(format!(
                "\"{}\" and \"{}\" are both the default of their kind in {}; mark one with default = true",
                rival.item, price.item, price.region
            )));
        }
        self.lines.push(price);
        Ok(())
    }

    /// The date of the book, as it states it.
    pub fn dated(&self) -> &str {
        &self.dated
    }

    /// Every line, in the order of the file.
    pub fn lines(&self) -> &[Price] {
        &self.lines
    }

    /// The line that models use for a kind: the default of the region, or without a region the first
    /// default of the provider; where nothing is marked, the only line there is.
    pub fn find(&self, provider: Provider, kind: Kind, region: Option<&str>) -> Option<&Price> {
        let mut fit = self.lines.iter().filter(|p| {
            p.provider == provider && p.kind == kind && region.is_none_or(|region| p.region == region)
        });
        fit.clone().find(|p| p.default).or_else(|| fit.next().filter(|_| fit.next().is_none()))
    }

    /// Capacity of a block volume.
    pub fn block(&self, provider: Provider, region: Option<&str>) -> Option<&Price> {
        self.find(provider, Kind::BlockStorage, region)
    }

    /// Memory of a cache.
    pub fn memory(&self, provider: Provider, region: Option<&str>) -> Option<&Price> {
        self.find(provider, Kind::Memory, region)
    }

    /// Writes to a store billed by the request.
    pub fn request_write(&self, provider: Provider, region: Option<&str>) -> Option<&Price> {
        self.find(provider, Kind::RequestWrite, region)
    }

    /// Reads from it.
    pub fn request_read(&self, provider: Provider, region: Option<&str>) -> Option<&Price> {
        self.find(provider, Kind::RequestRead, region)
    }

    /// Capacity of it.
    pub fn request_storage(&self, provider: Provider, region: Option<&str>) -> Option<&Price> {
        self.find(provider, Kind::RequestStorage, region)
    }

    /// Traffic between zones of a region.
    pub fn transfer_zone(&self, provider: Provider, region: Option<&str>) -> Option<&Price> {
        self.find(provider, Kind::TransferZone, region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    fn line(provider: Provider, kind: Kind) -> Price {
        Book::default_book().unwrap().find(provider, kind, None).unwrap().clone()
    }

    #[test]
    fn ten_cents_per_gb_month_is_exact() {
        let ten_cents = Price { usd: dollars("0.10"), gib: None, ..line(Provider::Aws, Kind::BlockStorage) };
        assert_eq!(ten_cents.usd_per_month(5_806_080_000_000).unwrap(), dollars("580.608"));
        assert_eq!(ten_cents.usd_per_month(1).unwrap(), dollars("0.0000000001"));
        assert_eq!(ten_cents.usd_per_month(0).unwrap(), Decimal::ZERO);
    }

    #[test]
    fn each_unit_is_priced_by_what_it_holds() {
        let gib: u128 = 1 << 30;
        let month = |provider, kind, bytes| line(provider, kind).usd_per_month(bytes).unwrap();
        assert_eq!(month(Provider::Aws, Kind::BlockStorage, 40 * gib), dollars("3.2"));
        assert_eq!(month(Provider::Gcp, Kind::BlockStorage, 30 * gib), dollars("3"));
        assert_eq!(month(Provider::Azure, Kind::BlockStorage, 1024 * gib), dollars("135.17"));
        // A primary and its replica of 105 GB, in the price of one.
        assert_eq!(month(Provider::Gcp, Kind::Memory, 2 * 105_000_000_000), dollars("2299.5"));
        // 105.81 GiB are a node: 1.724 × 730.
        assert_eq!(month(Provider::Aws, Kind::Memory, 10_581 * gib), dollars("125852"));
        assert_eq!(month(Provider::Aws, Kind::RequestStorage, 4_000_000_000), dollars("1"));
        let writes = line(Provider::Aws, Kind::RequestWrite).usd_for_requests(3_000_000).unwrap();
        assert_eq!(writes, dollars("1.875"));
        let moved = line(Provider::Aws, Kind::TransferZone).usd_for_transfer(1_000_000_000_000).unwrap();
        assert_eq!(moved, dollars("20"));
    }

    #[test]
    fn what_a_decimal_cannot_hold_is_refused() {
        let block = line(Provider::Aws, Kind::BlockStorage);
        assert!(block.usd_per_month(u128::MAX).unwrap_err().is_usage());
        assert!(block.usd_per_month(1 << 95).is_ok());
        assert!(line(Provider::Aws, Kind::RequestWrite).usd_for_requests(u128::MAX).is_err());
    }

    #[test]
    fn a_line_sells_only_what_it_is_for() {
        let book = Book::default_book().unwrap();
        assert!(line(Provider::Aws, Kind::RequestWrite).usd_per_month(1).is_err());
        assert!(line(Provider::Aws, Kind::BlockStorage).usd_for_requests(1).is_err());
        assert!(line(Provider::Aws, Kind::BlockStorage).usd_for_transfer(1).is_err());
        let unsized_node = book.lines().iter().find(|p| p.item.contains("m6g")).unwrap();
        assert!(unsized_node.usd_per_month(1).is_err());
    }

    #[test]
    fn a_region_without_lines_has_no_price() {
        let book = Book::default_book().unwrap();
        assert!(book.block(Provider::Aws, Some("us-east-1")).is_some());
        assert!(book.block(Provider::Aws, Some("eu-west-1")).is_none());
        assert!(book.memory(Provider::Azure, None).is_none());
    }

    #[test]
    fn a_provider_reads_back_from_its_name() {
        for provider in [Provider::Aws, Provider::Gcp, Provider::Azure] {
            assert_eq!(provider.to_string().parse::<Provider>().unwrap(), provider);
        }
        let message = "AWS".parse::<Provider>().unwrap_err().to_string();
        assert!(message.contains("aws, gcp or azure"), "{message}");
    }
}
