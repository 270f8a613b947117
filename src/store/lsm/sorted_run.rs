//! Bytes of an entry in a sorted run of RocksDB: one level, or one file of level 0.
//!
//! A run is cut into data blocks of 4,096 bytes. An entry is three varints (bytes shared with the key
//! before it, bytes not shared, bytes of the value), the rest of the key with its 8-byte trailer
//! (sequence number and type), and the value. Every sixteenth key is written whole, a restart point of
//! 4 bytes in the block's tail; the tail ends with a 4-byte count and a 5-byte trailer (compression,
//! checksum). An index entry per block holds the shortest key that separates it from the next.
//!
//! How much a key shares with its neighbour follows from the order of keys: if a run has λ keys in each
//! cell of those that begin with the same j bytes, two neighbours share j bytes with probability
//! 1 − (1 − e^−λ)/λ (gaps between keys are exponential; a gap must not cross a cell's edge).
//!
//! Source: `block_builder.cc`, `flush_block_policy.cc`, `index_builder.cc`, `format.h`, `bloom_impl.h`,
//! `ribbon_config.cc` of RocksDB 7.8 (format version 5).

use super::{Compression, Filter};
use crate::store::Load;
use crate::store::packed::Packed;
use crate::store::page::Arrival;
use crate::store::record::KeyFormat;

/// `block_size`.
const BLOCK_BYTES: f64 = 4096.0;
/// A block may end this early rather than grow over its size (`block_size_deviation`, 10 %).
const BLOCK_LEAST_BYTES: f64 = 3687.0;
/// `block_restart_interval`.
const RESTART_INTERVAL: f64 = 16.0;
/// Sequence number and type behind each key.
pub(super) const TRAILER_BYTES: f64 = 8.0;
/// Values of the millisecond at the front of a UUIDv7: 48 bits.
const MILLISECONDS: f64 = (1_u64 << 48) as f64;

/// What is written for one key: a put, or a tombstone, which has no value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// Length of the store's key.
    pub key_bytes: u64,
    /// Length of its value.
    pub value_bytes: u64,
}

impl Entry {
    /// The record packed into a key and a value.
    pub fn put(packed: &Packed) -> Self {
        Entry { key_bytes: packed.full_key_bytes(), value_bytes: packed.value_bytes() }
    }

    /// The mark that a key is deleted.
    pub fn tombstone(packed: &Packed) -> Self {
        Entry { key_bytes: packed.full_key_bytes(), value_bytes: 0 }
    }
}

/// The keys of a run in their order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keys {
    /// Keys in the run.
    pub count: f64,
    /// Whether the sequence numbers are zero, as the last level writes them.
    pub zeroed: bool,
}

/// Bytes of one entry, part by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntryBytes {
    /// Key bytes that are written, those shared with the neighbour left out.
    pub key: f64,
    /// Value bytes.
    pub value: f64,
    /// Three varints and the trailer, less what compression takes off.
    pub header: f64,
    /// Restart points, count, block trailer: the entry's share.
    pub block: f64,
    /// The entry's share of the index.
    pub index: f64,
    /// The entry's share of the filter.
    pub filter: f64,
}

impl EntryBytes {
    /// Bytes in data blocks.
    pub fn data(&self) -> f64 {
        self.key + self.value + self.header + self.block
    }

    /// Bytes in the file.
    pub fn total(&self) -> f64 {
        self.data() + self.index + self.filter
    }

    /// The parts of two runs mixed, `share` of the keys in the other.
    pub fn mixed(self, other: Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a * (1.0 - share) + b * share;
        EntryBytes {
            key: mix(self.key, other.key),
            value: mix(self.value, other.value),
            header: mix(self.header, other.header),
            block: mix(self.block, other.block),
            index: mix(self.index, other.index),
            filter: mix(self.filter, other.filter),
        }
    }
}

/// How a run is written: what of its bytes the options decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Format {
    /// Of data blocks.
    pub compression: Compression,
    /// Per file.
    pub filter: Filter,
    /// `target_file_size_base`.
    pub target_file_bytes: f64,
}

/// Bytes of an entry in a run whose neighbours share so much.
pub fn entry_bytes(entry: Entry, keys: Keys, shares: &Shares, load: &Load, format: &Format) -> EntryBytes {
    let varints = varint(entry.key_bytes) + 1.0 + varint(entry.value_bytes);
    let key = entry.key_bytes as f64 - shares.mean * (1.0 - 1.0 / RESTART_INTERVAL);
    let value = entry.value_bytes as f64;
    let restart = 4.0 / RESTART_INTERVAL;
    let raw = varints + key + TRAILER_BYTES + value + restart;
    let per_block = entries_per_block(raw);
    let header = varints + TRAILER_BYTES;
    let saved = match format.compression {
        Compression::None => 0.0,
        Compression::Lz4 => lz4_saving(entry, shares, constant_trailer_bytes(&keys, load), raw).min(header),
    };
    let separator = (shares.mean + 1.0).min(entry.key_bytes as f64);
    let handle = offset_varint(format.target_file_bytes) + varint((raw * per_block) as u64);
    EntryBytes {
        key,
        value,
        header: header - saved,
        block: restart + 9.0 / per_block,
        // Shared 0, length, separator, handle, restart point: an index restarts at each entry.
        index: (2.0 + separator + handle + 4.0) / per_block,
        filter: format.filter.bytes_per_key((format.target_file_bytes / raw).max(1.0)),
    }
}

/// A block ends before the entry that would make it longer than its size, unless it is not yet nine
/// tenths full.
fn entries_per_block(raw: f64) -> f64 {
    let fit = ((BLOCK_BYTES - 4.0) / raw).floor();
    if fit >= 1.0 && fit * raw > BLOCK_LEAST_BYTES { fit } else { fit + 1.0 }
}

/// Length of a varint: 7 bits a byte.
pub(super) fn varint(value: u64) -> f64 {
    f64::from((64 - value.leading_zeros()).div_ceil(7).max(1))
}

/// Mean length of a block's offset in its file: 3 bytes below 2 MiB, 4 up to 256 MiB.
fn offset_varint(file_bytes: f64) -> f64 {
    4.0 - ((1 << 21) as f64 / file_bytes).min(1.0)
}

/// How many bytes neighbours in a run share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    mean: f64,
    /// Probability that two entries in a row share equally many.
    repeated: f64,
}

impl Shares {
    /// Of a run of `count` keys.
    pub fn of(load: &Load, packed: &Packed, count: f64) -> Self {
        let layout = Layout { packed, format: load.record.key_format };
        let (mut mean, mut repeated, mut at_least) = (0.0, 0.0, 1.0);
        let mut cell = keys_without_prefix(load, packed, count);
        for byte in 0..packed.full_key_bytes() {
            cell *= layout.share_of_cell(byte);
            let more = neighbours_share(cell.min(count));
            repeated += (at_least - more) * (at_least - more);
            at_least = more;
            mean += more;
            if more < 1e-4 {
                break;
            }
        }
        Shares { mean, repeated: (repeated + at_least * at_least).min(1.0) }
    }
}

/// Keys that the cell of no prefix at all would hold at the density of the run: all of it, or with a
/// time in front those of 2⁴⁸ milliseconds.
fn keys_without_prefix(load: &Load, packed: &Packed, count: f64) -> f64 {
    let per_millisecond = match load.arrival {
        _ if packed.scope_bytes > 0 => return count,
        Arrival::Uniform | Arrival::Wrapping { .. } => return count,
        Arrival::Bucketed { keys_per_bucket } => keys_per_bucket,
        Arrival::Ascending => load.rate_per_s / 1000.0,
        Arrival::Delayed { rate_per_s, .. } => rate_per_s / 1000.0,
    };
    per_millisecond * MILLISECONDS
}

/// Probability that neighbours lie in one cell of λ keys: 1 − (1 − e^−λ)/λ.
fn neighbours_share(cell: f64) -> f64 {
    if cell > 40.0 {
        1.0 - 1.0 / cell
    } else if cell < 1e-3 {
        cell / 2.0
    } else {
        1.0 + (-cell).exp_m1() / cell
    }
}

/// Which bits of a key vary, byte by byte.
struct Layout<'a> {
    packed: &'a Packed,
    format: KeyFormat,
}

impl Layout<'_> {
    /// Which share of a cell's keys has one value of the byte: 2^−b for b bits that vary. Of the owner columns nothing is known: all bits vary, so that nothing is gained from
    /// owners with many keys. A UUID has a fixed version (4 bits) and variant (2 bits), its text four
    /// dashes; other text is hexadecimal, base 32 or base 64 by its length.
    fn share_of_cell(&self, byte: u64) -> f64 {
        let bits = match (self.format, self.packed.key_bytes, byte.checked_sub(self.packed.scope_bytes)) {
            (_, _, None) => 8,
            (KeyFormat::Binary, 16, Some(6)) => 4,
            (KeyFormat::Binary, 16, Some(8)) => 6,
            (KeyFormat::Binary, ..) => 8,
            (KeyFormat::Text, 36, Some(8 | 13 | 14 | 18 | 23)) => 0,
            (KeyFormat::Text, 36, Some(19)) => 2,
            (KeyFormat::Text, 32.., _) => 4,
            (KeyFormat::Text, 26..32, _) => 5,
            (KeyFormat::Text, ..) => 6,
        };
        1.0 / f64::from(1 << bits)
    }
}

/// Bytes of the trailer that neighbours have in common: all 8 where sequence numbers are zero; else
/// the high ones, above those in which the sequence numbers of neighbours differ.
fn constant_trailer_bytes(keys: &Keys, load: &Load) -> f64 {
    if keys.zeroed {
        return TRAILER_BYTES;
    }
    let apart = match load.arrival {
        Arrival::Ascending => 1.0,
        Arrival::Bucketed { keys_per_bucket } => keys_per_bucket.min(keys.count),
        Arrival::Delayed { rate_per_s, mean_delay_s } => (rate_per_s * mean_delay_s).min(keys.count),
        Arrival::Uniform | Arrival::Wrapping { .. } => keys.count,
    };
    (7.0 - (apart.max(2.0).log2() / 8.0).max(1.0)).max(0.0)
}

/// What LZ4 takes off an entry whose key and value are incompressible.
///
/// It finds the trailer's constant bytes where the entry before has them; without a value the varints
/// of the next entry follow and match, too, if that one shares as many bytes as this. A match costs a
/// token and a 2-byte offset, and a byte more where 15 or more literals come before it. A block that
/// does not shrink by an eighth is written as it was.
fn lz4_saving(entry: Entry, shares: &Shares, constant: f64, raw: f64) -> f64 {
    if constant < 4.0 {
        return 0.0;
    }
    let varints = varint(entry.key_bytes) + 1.0 + varint(entry.value_bytes);
    // Neither a restart point nor the entry behind it repeats the one before.
    let repeats = if entry.value_bytes == 0 { shares.repeated * (1.0 - 2.0 / RESTART_INTERVAL) } else { 0.0 };
    let gain = |matched: f64| {
        let literals = raw - 4.0 / RESTART_INTERVAL - matched;
        let more = if literals < 15.0 { 0.0 } else { 1.0 + ((literals - 15.0) / 255.0).floor() };
        matched - 3.0 - more
    };
    let saved = repeats * gain(constant + varints) + (1.0 - repeats) * gain(constant).max(0.0);
    if saved > raw / 8.0 { saved } else { 0.0 }
}
