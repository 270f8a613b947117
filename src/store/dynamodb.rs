//! What DynamoDB bills for a record: the size of its item, its write and read units.
//!
//! An item is the sum of its attributes, each its name and its value: a binary value takes its length, a
//! number one byte for two significant digits and one more. Storage adds 100 bytes an item for indexing.
//! A write takes a unit for each started KiB of the larger of the item before and after it, a strongly
//! consistent read one for each started 4 KiB. Copies in three zones are in the price.
//!
//! The schema is a careful one: one-letter names, the owner columns in the binary partition key, and the
//! time to live in seconds beside the record's own columns.
//!
//! Source: Amazon DynamoDB developer guide, "Item sizes and formats", "Capacity unit consumption",
//! "Quotas", "Time to Live".

use super::packed::Packed;
use super::page::Memo;
use super::record::Column;
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge, Spread};
use crate::error::{Error, Result};

/// 400 KB, names included.
const ITEM_LIMIT: u64 = 409_600;
/// Of a partition key.
const KEY_LIMIT: u64 = 2048;
/// Added to each item for billing of storage.
const INDEXING_BYTES: f64 = 100.0;
/// A one-letter attribute name.
const NAME_BYTES: u64 = 1;
const WRITE_UNIT_BYTES: u64 = 1024;
const READ_UNIT_BYTES: u64 = 4096;
/// Expired items are typically gone within two days.
const LINGER_S: f64 = 172_800.0;

/// The model; DynamoDB has nothing to vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamoDb;

impl Model for DynamoDb {
    fn name(&self) -> &'static str {
        "dynamodb"
    }

    fn title(&self) -> &'static str {
        "DynamoDB"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documentation
    }

    fn footprint(&self, load: &Load, _pages: &Memo) -> Result<Footprint> {
        let item = Item::of(load);
        item.check()?;
        let bytes_per_key = item.bytes() as f64 + INDEXING_BYTES;
        let spread = Spread {
            low: 1.0,
            high: 1.0 + LINGER_S / load.retention_s.max(1.0),
            why: "expired items are removed within two days as a rule, and are billed until then",
        };
        Ok(Footprint {
            parts: item.parts(),
            leaf_fill: None,
            log_parts: Vec::new(),
            completion_log_bytes: None,
            pages_dirtied_per_insert: None,
            background_bytes_per_insert: 0.0,
            purges: if !load.detail {
                Vec::new()
            } else {
                vec![Purge {
                    strategy: "engine TTL",
                    bytes_per_live_key: bytes_per_key * spread.high,
                    log_bytes_per_key: 0.0,
                    pages_dirtied_per_key: 0.0,
                    how: "free of charge, within two days of expiry as a rule; a look-up has to compare the expiry itself",
                }]
            },
            spread: Some(spread),
            billing: Billing::Request {
                write_units_per_key: item.write_units(load.record.has_outcome()),
                read_units_per_lookup: item.bytes().div_ceil(READ_UNIT_BYTES) as f64,
            },
            false_positive_rate: None,
            notes: if !load.detail {
                Vec::new()
            } else {
                vec![
                    "The price includes replication over three zones: replicas do not multiply it.",
                    "A claim is one conditional put; one that fails because the key is there costs the same.",
                    "Attribute names are single letters; longer ones add their length to every item.",
                ]
            },
        })
    }
}

/// An item, by what its attributes hold.
struct Item {
    key_bytes: u64,
    column_bytes: u64,
    response_bytes: u64,
}

impl Item {
    fn of(load: &Load) -> Self {
        let packed = Packed::of(&load.record);
        let columns = load.record.columns().map(|column| match column {
            // The owner is part of the partition key.
            Column::Key(..) | Column::Account | Column::Endpoint | Column::Response(_) => 0,
            Column::CreatedAt | Column::LeaseExpiresAt => NAME_BYTES + number(13),
            Column::State => NAME_BYTES + number(1),
            Column::Status => NAME_BYTES + number(3),
            Column::Fingerprint => NAME_BYTES + 32,
        });
        Item {
            key_bytes: NAME_BYTES + packed.full_key_bytes(),
            column_bytes: columns.sum::<u64>() + NAME_BYTES + number(10),
            response_bytes: match packed.response_bytes {
                0 => 0,
                bytes => bytes.saturating_add(NAME_BYTES),
            },
        }
    }

    fn check(&self) -> Result<()> {
        if self.key_bytes - NAME_BYTES > KEY_LIMIT {
            return Err(Error::range(format!(
                "a DynamoDB partition key holds at most {KEY_LIMIT} bytes, key and owner have {}; try a key of 16 bytes",
                self.key_bytes - NAME_BYTES
            )));
        }
        if self.bytes() > ITEM_LIMIT {
            return Err(Error::range(format!(
                "a DynamoDB item holds at most 400 KB ({ITEM_LIMIT} bytes), the record has {}; keep the response \
                 elsewhere, or try one of 100000 bytes",
                self.bytes()
            )));
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.key_bytes + self.column_bytes).saturating_add(self.response_bytes)
    }

    /// The claim, and the write of the outcome, which is billed for the whole item.
    fn write_units(&self, has_outcome: bool) -> f64 {
        let claim = (self.key_bytes + self.column_bytes).div_ceil(WRITE_UNIT_BYTES);
        let outcome = if has_outcome { self.bytes().div_ceil(WRITE_UNIT_BYTES) } else { 0 };
        (claim + outcome) as f64
    }

    fn parts(&self) -> Vec<Part> {
        let part = |name, place, bytes, why| Part { name, place, bytes, why };
        vec![
            part(
                "key",
                Place::Table,
                self.key_bytes as f64,
                "name and value of the partition key, owner columns included",
            ),
            part(
                "columns",
                Place::Table,
                self.column_bytes as f64,
                "a letter each; numbers at two digits a byte and one more; the time to live in seconds",
            ),
            part("response", Place::Table, self.response_bytes as f64, "a letter and the bytes"),
            part("index entry", Place::Index, INDEXING_BYTES, "100 bytes an item, billed as storage"),
        ]
    }
}

/// Bytes of a number of so many significant digits.
fn number(digits: u64) -> u64 {
    digits.div_ceil(2) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::page::Arrival;
    use crate::store::record::{KeyFormat, Record, RecordKind};

    fn load(kind: RecordKind, key_bytes: u32, response_bytes: u64) -> Load {
        Load {
            detail: true,
            live_keys: 1e9,
            rate_per_s: 1e4,
            peak_per_s: 1e4,
            retention_s: 86_400.0,
            arrival: Arrival::Uniform,
            record: Record::new(kind, key_bytes, KeyFormat::Binary, response_bytes),
        }
    }

    fn footprint(load: &Load) -> Result<Footprint> {
        DynamoDb.footprint(load, &Memo::default())
    }

    /// k 1 + 16, c and l 1 + 8 each, s 1 + 2, x 1 + 6, and 100.
    #[test]
    fn a_claim_is_the_sum_of_its_attributes() {
        assert_eq!(footprint(&load(RecordKind::Claim, 16, 0)).unwrap().bytes_per_key(), 145.0);
    }

    #[test]
    fn an_outcome_is_billed_for_the_whole_item() {
        let units = |response| match footprint(&load(RecordKind::Full, 16, response)).unwrap().billing {
            Billing::Request { write_units_per_key, read_units_per_lookup } => {
                (write_units_per_key, read_units_per_lookup)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(units(256), (2.0, 1.0));
        assert_eq!(units(1024), (3.0, 1.0));
        assert_eq!(units(8192), (1.0 + 9.0, 3.0));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(footprint(&load(RecordKind::Full, 16, 400_000)).is_ok());
        let too_large = footprint(&load(RecordKind::Full, 16, 409_600)).unwrap_err().to_string();
        assert!(too_large.contains("400 KB"), "{too_large}");
        assert!(footprint(&load(RecordKind::Full, 16, u64::MAX)).is_err());
        let long_key = footprint(&load(RecordKind::Key, 4096, 0)).unwrap_err().to_string();
        assert!(long_key.contains("2048"), "{long_key}");
    }

    #[test]
    fn items_linger_two_days_beyond_their_retention() {
        let spread = footprint(&load(RecordKind::Key, 16, 0)).unwrap().spread.unwrap();
        assert_eq!((spread.low, spread.high), (1.0, 3.0));
        let at_once = Load { retention_s: 0.0, ..load(RecordKind::Key, 16, 0) };
        assert!(footprint(&at_once).unwrap().spread.unwrap().high.is_finite());
    }
}
