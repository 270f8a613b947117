//! Bytes that Cassandra, and ScyllaDB with the same file format, take for a record: one partition of one
//! row, written with a time to live.
//!
//! Data file: the partition key behind a 2-byte length (each component of a composite key takes 3 bytes
//! more), 12 bytes of partition deletion; then the row: flags, two sizes, time stamp, time to live and expiry
//! as variable-length integers relative to the file's least; then a cell for each column: flags, length
//! where the type has no fixed one, value; and one byte that ends the partition. Index file: the key again
//! with its position. One key in 128 also stands in the summary, and a Bloom filter at 0.01 takes 10 bits.
//!
//! Files are as large as uncompressed; LZ4, on by default, shortens what the keys leave compressible.
//!
//! Source: Cassandra 4.1 `BigTableWriter`, `UnfilteredSerializer`, `Cell.Serializer`, `LivenessInfo`,
//! `CompositeType`, `BloomCalculations`, `CommitLogSegment`, `PartitionUpdate`.

use super::packed::Packed;
use super::page::Memo;
use super::record::{Column, Record};
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge, Spread};
use crate::error::{Error, Result};

/// `max_mutation_size`: half a commit log segment of 32 MiB.
const MUTATION_LIMIT: u64 = 16 << 20;
/// One key in so many stands in the index summary (`min_index_interval`).
const SUMMARY_INTERVAL: f64 = 128.0;
/// Position in a data file of 256 MiB to 32 GiB, as a variable-length integer.
const POSITION_BYTES: f64 = 5.0;
/// Bits a key of a filter with 1 % of false positives (`BloomCalculations`: 10 is the first below).
const FILTER_BITS: f64 = 10.0;
/// 2015-09-22, from which the commit log counts time stamps, to a day in 2026, in microseconds.
const MICROSECONDS_SINCE_EPOCH: f64 = 3.5e14;

/// The model and what can be varied in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cassandra {
    /// Windows of time-window compaction in one retention; 20 to 30 are recommended.
    pub windows: f64,
    /// `gc_grace_seconds`.
    pub gc_grace_s: f64,
}

/// Twenty-four windows, and the default grace of ten days.
pub const CASSANDRA: Cassandra = Cassandra { windows: 24.0, gc_grace_s: 864_000.0 };

impl Model for Cassandra {
    fn name(&self) -> &'static str {
        "cassandra"
    }

    fn title(&self) -> &'static str {
        "Cassandra/ScyllaDB"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documentation
    }

    fn footprint(&self, load: &Load, _pages: &Memo) -> Result<Footprint> {
        let response_bytes = Packed::of(&load.record).response_bytes;
        if response_bytes > MUTATION_LIMIT - 65_536 {
            return Err(Error::range(format!(
                "a Cassandra mutation holds at most 16 MiB, the response has {response_bytes} bytes; try 1000000"
            )));
        }
        let row = Row::of(&load.record, load.retention_s / self.windows);
        let parts = row.parts();
        let bytes_per_key: f64 = parts.iter().map(|part| part.bytes).sum();
        let log_parts = row.log_parts(load.retention_s);
        let log_bytes: f64 = log_parts.iter().map(|part| part.bytes).sum();
        let spread = self.lingering(load.retention_s);
        Ok(Footprint {
            parts,
            leaf_fill: None,
            completion_log_bytes: load.record.has_outcome().then_some(log_bytes),
            log_parts,
            pages_dirtied_per_insert: None,
            // A flush, a merge of flushed files within their window, and one as the window closes.
            background_bytes_per_insert: 3.0 * bytes_per_key,
            purges: vec![Purge {
                strategy: "TTL compaction",
                bytes_per_live_key: bytes_per_key * spread.high,
                log_bytes_per_key: 0.0,
                pages_dirtied_per_key: 0.0,
                how: "time windows whose keys have all expired are dropped as whole files, after gc_grace_seconds: \
                      10 days by default, which a table of keys written once with a TTL can lower to the 3 hours of hints",
            }],
            spread: Some(spread),
            billing: Billing::Block,
            false_positive_rate: None,
            notes: vec![
                "The replication factor is the number of replicas; an insert-if-absent takes a Paxos round among them, \
                 whose own log is not in the figure.",
                "Sizes are before compression, which LZ4 does by default in chunks of 16 KiB.",
            ],
        })
    }
}

impl Cassandra {
    /// A window is dropped when its youngest key has expired, half a window after the average one: in the
    /// best case at once, else after the grace.
    fn lingering(&self, retention_s: f64) -> Spread {
        let half_window = 0.5 / self.windows;
        Spread {
            low: 1.0 + half_window,
            high: 1.0 + half_window + self.gc_grace_s / retention_s.max(1.0),
            why: "half a window of keys that wait for their window to end, without and with gc_grace_seconds",
        }
    }
}

/// Lengths of the parts of a partition with one row.
struct Row {
    packed: Packed,
    /// The partition key as it is serialised, without its 2-byte length.
    partition_key: f64,
    /// Row flags, sizes, liveness, and the byte that ends the partition.
    header: f64,
    /// Cells other than the response.
    cells: f64,
    /// The response's cell.
    response: f64,
}

impl Row {
    /// A row in a file that spans a window of so many seconds.
    fn of(record: &Record, window_s: f64) -> Self {
        let packed = Packed::of(record);
        let components =
            record.columns().filter(|c| matches!(c, Column::Account | Column::Endpoint)).count() as f64;
        let composite = if components > 0.0 { 3.0 * (components + 1.0) } else { 0.0 };
        let (mut cells, mut response) = (0.0, 0.0);
        for column in record.columns() {
            match column {
                Column::Key(..) | Column::Account | Column::Endpoint | Column::Response(0) => {}
                // Time stamps have a fixed length; 2-byte integers, in Cassandra, have not.
                Column::CreatedAt | Column::LeaseExpiresAt => cells += 1.0 + 8.0,
                Column::State | Column::Status => cells += 1.0 + 1.0 + 2.0,
                Column::Fingerprint => cells += 1.0 + 1.0 + 32.0,
                Column::Response(bytes) => response = 1.0 + vint(bytes as f64) + bytes as f64,
            }
        }
        // A row with a column left out says which ones it has.
        let absent = if record.has_outcome() && packed.response_bytes == 0 { 1.0 } else { 0.0 };
        // The time to live is the same everywhere: no more than the file's least.
        let liveness = vint(window_s * 1e6) + 1.0 + vint(window_s);
        let partition_key = packed.full_key_bytes() as f64 + composite;
        let before = 2.0 + partition_key + 12.0;
        let body = vint(before) + liveness + absent + cells + response;
        Row {
            packed,
            partition_key,
            header: 1.0 + vint(body) + vint(before) + liveness + absent + 1.0,
            cells,
            response,
        }
    }

    fn parts(&self) -> Vec<Part> {
        let part = |name, place, bytes, why| Part { name, place, bytes, why };
        let key = self.packed.key_bytes as f64;
        let index = 2.0 + self.partition_key + POSITION_BYTES + 1.0;
        // Key, position of its index entry, and an offset in the summary.
        let summary = (self.partition_key + 8.0 + 4.0) / SUMMARY_INTERVAL;
        vec![
            part("key", Place::Table, key, "the key's bytes"),
            part(
                "columns",
                Place::Table,
                self.partition_key - key + self.cells,
                "owner columns in a composite partition key, 3 bytes a component; cells with flags, and a length where it varies",
            ),
            part("response", Place::Table, self.response, "flags, length and bytes of a cell"),
            part(
                "partition header",
                Place::Table,
                2.0 + 12.0,
                "2-byte length of the key, 12 bytes of partition deletion",
            ),
            part(
                "row header",
                Place::Table,
                self.header,
                "flags, two sizes, time stamp, time to live and expiry as variable-length integers, end of partition",
            ),
            part(
                "index entry",
                Place::Index,
                index + summary,
                "the partition key again, its position, no row index; one in 128 in the summary as well",
            ),
            part("filter", Place::Other, FILTER_BITS / 8.0, "Bloom filter at 0.01: 10 bits a key"),
        ]
    }

    /// A mutation of one table in a commit log segment.
    fn log_parts(&self, retention_s: f64) -> Vec<Part> {
        let part = |name, bytes, why| Part { name, place: Place::Other, bytes, why };
        let key = self.packed.key_bytes as f64;
        let statistics =
            vint(MICROSECONDS_SINCE_EPOCH) + vint(MICROSECONDS_SINCE_EPOCH / 1e6) + vint(retention_s);
        // Counts of tables and rows, flags and columns; row flags and three deltas of zero.
        let update = 16.0 + vint(self.partition_key) + statistics + 4.0 + 4.0;
        vec![
            part("key", key, "the key's bytes"),
            part("columns", self.partition_key - key + self.cells, "as in the data file"),
            part("response", self.response, "as in the data file"),
            part(
                "row header",
                update,
                "table id, key length, least time stamp, expiry and time to live, flags and counts",
            ),
            part("record header", 12.0, "length, its checksum and that of the mutation"),
        ]
    }
}

/// Length of a variable-length integer: 7 bits a byte up to 8 bytes, then 9.
fn vint(value: f64) -> f64 {
    // A value beyond 64 bits saturates, at 9 bytes as well.
    let bits = 64 - (value as u64).leading_zeros();
    if bits > 56 { 9.0 } else { f64::from(bits.div_ceil(7).max(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::page::Arrival;
    use crate::store::record::{KeyFormat, RecordKind};

    fn load(kind: RecordKind, response_bytes: u64) -> Load {
        Load {
            detail: true,
            live_keys: 1e9,
            rate_per_s: 1e9 / 86_400.0,
            peak_per_s: 1e5,
            retention_s: 86_400.0,
            arrival: Arrival::Uniform,
            record: Record::new(kind, 16, KeyFormat::Binary, response_bytes),
        }
    }

    fn footprint(load: &Load) -> Result<Footprint> {
        CASSANDRA.footprint(load, &Memo::default())
    }

    #[test]
    fn variable_lengths_grow_at_seven_bits() {
        for (value, bytes) in
            [(0.0, 1.0), (127.0, 1.0), (128.0, 2.0), (16_383.0, 2.0), (16_384.0, 3.0), (3.5e14, 7.0)]
        {
            assert_eq!(vint(value), bytes, "{value}");
        }
        assert_eq!(vint(1e30), 9.0);
    }

    /// A window of an hour: 3.6e9 µs in 5 bytes, 3,600 s in 2.
    #[test]
    fn a_claim_is_the_sum_of_its_fields() {
        let data = footprint(&load(RecordKind::Claim, 0)).unwrap().bytes_in(Place::Table);
        let partition = 2.0 + 16.0 + 12.0 + 1.0;
        let row = 1.0 + 1.0 + 1.0 + (5.0 + 1.0 + 2.0) + 2.0 * 9.0 + 4.0;
        assert_eq!(data, partition + row);
    }

    #[test]
    fn a_composite_key_pays_three_bytes_a_component_in_file_and_index() {
        let full = Record { fingerprint: false, ..Record::new(RecordKind::Full, 16, KeyFormat::Binary, 0) };
        let outcome = Record::new(RecordKind::Outcome, 16, KeyFormat::Binary, 0);
        let index =
            |record| footprint(&Load { record, ..load(RecordKind::Key, 0) }).unwrap().bytes_in(Place::Index);
        assert!((index(full) - index(outcome) - (10.0 + 9.0) * (1.0 + 1.0 / 128.0)).abs() < 1e-9);
    }

    #[test]
    fn ten_days_of_grace_outweigh_a_day_of_keys() {
        let spread = footprint(&load(RecordKind::Key, 0)).unwrap().spread.unwrap();
        assert!((spread.low - 1.0 - 0.5 / 24.0).abs() < 1e-12);
        assert!((spread.high - spread.low - 10.0).abs() < 1e-12);
    }

    #[test]
    fn a_response_over_a_mutation_is_refused() {
        assert!(footprint(&load(RecordKind::Full, 16_000_000)).is_ok());
        let message = footprint(&load(RecordKind::Full, 17_000_000)).unwrap_err().to_string();
        assert!(message.contains("16 MiB"), "{message}");
    }

    #[test]
    fn no_load_breaks_it() {
        for live_keys in [1.0, 1e38] {
            for rate_per_s in [1e-6, 1e15] {
                for kind in [RecordKind::Key, RecordKind::Claim, RecordKind::Outcome, RecordKind::Full] {
                    let load = Load {
                        detail: true,
                        live_keys,
                        rate_per_s,
                        retention_s: live_keys / rate_per_s,
                        ..load(kind, 1000)
                    };
                    let footprint = footprint(&load).unwrap();
                    let mut parts = footprint.parts.iter().chain(&footprint.log_parts);
                    assert!(parts.all(|part| part.bytes.is_finite() && part.bytes >= 0.0), "{load:?}");
                    assert!(footprint.spread.unwrap().high.is_finite(), "{load:?}");
                }
            }
        }
    }
}
