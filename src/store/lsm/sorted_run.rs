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
        Compression::Lz4 => Block { entry, load, shares, raw, per_block }
            .lz4_saving(constant_trailer_bytes(&keys, load))
            .min(header + key),
    };
    let (header, key) = (header - saved.min(header), key - (saved - header).max(0.0));
    let separator = (shares.mean + 1.0).min(entry.key_bytes as f64);
    let handle = offset_varint(format.target_file_bytes) + varint((raw * per_block) as u64);
    EntryBytes {
        key,
        value,
        header,
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
    /// How many bytes an entry shares, as far as it is likely: probability, and the share of keys with
    /// one value of the byte in which it differs.
    likely: [(f64, f64); LIKELY],
}

/// Lengths of a shared prefix that are told apart; random keys have two or three likely ones.
const LIKELY: usize = 4;

impl Shares {
    /// Of a run of `count` keys.
    pub fn of(load: &Load, packed: &Packed, count: f64) -> Self {
        let layout = Layout { packed, format: load.record.key_format };
        let (mut mean, mut repeated, mut at_least) = (0.0, 0.0, 1.0);
        let mut cell = keys_without_prefix(load, packed, count);
        let (mut likely, mut told) = ([(0.0, 1.0); LIKELY], 0);
        for byte in 0..packed.full_key_bytes() {
            let one_value = layout.share_of_cell(byte);
            cell *= one_value;
            // All but one key in a million share the byte with their neighbour.
            if one_value == 1.0 || cell.min(count) > 1e6 {
                mean += at_least;
                continue;
            }
            let more = neighbours_share(cell.min(count));
            if at_least - more > 0.02 && told < LIKELY {
                likely[told] = (at_least - more, one_value);
                told += 1;
            }
            repeated += (at_least - more) * (at_least - more);
            at_least = more;
            mean += more;
            if more < 1e-4 {
                break;
            }
        }
        Shares { mean, repeated: (repeated + at_least * at_least).min(1.0), likely }
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

/// Probability that neighbours lie in one cell of λ keys: 1 − (1 − e^−λ)/λ, whose first terms in λ serve
/// where the difference would lose digits.
fn neighbours_share(cell: f64) -> f64 {
    if cell > 40.0 {
        1.0 - 1.0 / cell
    } else if cell < 1e-3 {
        cell / 2.0 - cell * cell / 6.0
    } else {
        1.0 - (1.0 - (-cell).exp()) / cell
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
        match (self.format, self.packed.key_bytes, byte.checked_sub(self.packed.scope_bytes)) {
            (_, _, None) => 1.0 / 256.0,
            (KeyFormat::Binary, 16, Some(6)) => 1.0 / 16.0,
            (KeyFormat::Binary, 16, Some(8)) => 1.0 / 64.0,
            (KeyFormat::Binary, ..) => 1.0 / 256.0,
            (KeyFormat::Text, 36, Some(8 | 13 | 14 | 18 | 23)) => 1.0,
            (KeyFormat::Text, 36, Some(19)) => 1.0 / 4.0,
            (KeyFormat::Text, 32.., _) => 1.0 / 16.0,
            (KeyFormat::Text, 26..32, _) => 1.0 / 32.0,
            (KeyFormat::Text, ..) => 1.0 / 64.0,
        }
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

/// Entries of one block, as LZ4 sees them.
struct Block<'a> {
    entry: Entry,
    load: &'a Load,
    shares: &'a Shares,
    raw: f64,
    per_block: f64,
}

impl Block<'_> {
    /// What LZ4 takes off an entry whose key and value are incompressible.
    ///
    /// It finds the trailer's constant bytes where the entry before has them; without a value the varints
    /// of the next entry follow and match, too, if that one shares as many bytes as this. A match costs a
    /// token and a 2-byte offset, and a byte more where 15 or more literals come before it. A block that
    /// does not shrink by an eighth is written as it was.
    fn lz4_saving(&self, constant: f64) -> f64 {
        let varints = varint(self.entry.key_bytes) + 1.0 + varint(self.entry.value_bytes);
        let within_reach = (constant + varints + 2.0) * 8.0 > self.raw;
        if constant < 4.0 || !within_reach {
            return 0.0;
        }
        // Neither a restart point nor the entry behind it repeats the one before.
        let no_value = self.entry.value_bytes == 0;
        let repeats = if no_value { self.shares.repeated * (1.0 - 2.0 / RESTART_INTERVAL) } else { 0.0 };
        let gain = |matched: f64| {
            let literals = self.raw - 4.0 / RESTART_INTERVAL - matched;
            let more = if literals < 15.0 { 0.0 } else { 1.0 + ((literals - 15.0) / 255.0).floor() };
            matched - 3.0 - more
        };
        let saved = repeats * gain(constant + varints)
            + (1.0 - repeats) * (gain(constant).max(0.0) + self.known_starts())
            + self.restarts()
            + self.chance_in_text();
        if saved > self.raw / 8.0 { saved } else { 0.0 }
    }

    /// Entries before the middle one of a block, in which a match can be found.
    fn before(&self) -> f64 {
        self.per_block / 2.0
    }

    /// Three varints that do not continue a match still make one of four bytes, which saves one, if an
    /// entry before has them and the same first byte behind.
    fn known_starts(&self) -> f64 {
        let known = |&(share, one_value): &(f64, f64)| share * (self.before() * share * one_value).min(1.0);
        self.shares.likely.iter().map(known).sum()
    }

    /// A restart point has its whole key, of which what all keys of the block share is found in the one
    /// before, together with its varints, for the price of a match.
    fn restarts(&self) -> f64 {
        let common = (self.shares.mean - 1.0).floor();
        if common < 4.0 { 0.0 } else { common / RESTART_INTERVAL }
    }

    /// Four characters of a text that an entry before has by chance, for the price of three. A window
    /// with a fixed character is only found at its own place, others at all places alike.
    fn chance_in_text(&self) -> f64 {
        let record = &self.load.record;
        if record.key_format == KeyFormat::Binary {
            return 0.0;
        }
        let packed = Packed::of(record);
        let layout = Layout { packed: &packed, format: KeyFormat::Text };
        let full = layout.share_of_cell(packed.scope_bytes).powi(4);
        let first = packed.scope_bytes.max(self.shares.mean.ceil() as u64);
        let windows = || {
            (first..packed.full_key_bytes().saturating_sub(3).max(first))
                .map(|at| (at..at + 4).map(|byte| layout.share_of_cell(byte)).product::<f64>())
        };
        let alike = windows().filter(|&window| window == full).count() as f64;
        let found = |window: f64| {
            let places = if window == full { alike } else { 1.0 };
            (self.before() * places * window).min(1.0)
        };
        windows().map(found).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{Record, RecordKind, Scope};

    fn run(
        bucketed: bool,
        format: KeyFormat,
        value_bytes: u64,
        keys: Keys,
        compression: Compression,
    ) -> EntryBytes {
        let key_bytes = if format == KeyFormat::Text { 36 } else { 16 };
        let load = Load {
            detail: true,
            live_keys: keys.count,
            rate_per_s: 2e5,
            peak_per_s: 2e5,
            retention_s: 3600.0,
            arrival: if bucketed { Arrival::Bucketed { keys_per_bucket: 200.0 } } else { Arrival::Uniform },
            record: Record { scope: Scope::None, ..Record::new(RecordKind::Key, key_bytes, format, 0) },
        };
        let packed = Packed { column_bytes: value_bytes, ..Packed::of(&load.record) };
        let shares = Shares::of(&load, &packed, keys.count);
        let format = Format { compression, filter: Filter::None, target_file_bytes: 1.6e7 };
        entry_bytes(Entry::put(&packed), keys, &shares, &load, &format)
    }

    /// Blocks of this format built from 60,000 random keys of such a run, cut and compressed with LZ4 1.10
    /// (level 1) by the engine's rules: bytes per entry plain and as kept. Plain bytes differ by where blocks are cut.
    #[test]
    fn blocks_come_out_as_long_as_blocks_that_were_built() {
        use KeyFormat::{Binary, Text};
        let last = |count| Keys { count, zeroed: true };
        let flushed = Keys { count: 393_000.0, zeroed: false };
        let built = [
            (false, Binary, 0, last(1e7), 25.24, 18.59),
            (false, Binary, 0, flushed, 25.58, 25.32),
            (true, Binary, 0, last(6e4), 20.83, 12.91),
            (true, Binary, 0, flushed, 20.83, 15.26),
            (false, Text, 0, last(1e7), 42.51, 35.81),
            (false, Text, 0, flushed, 43.61, 43.61),
            (true, Text, 0, last(6e4), 32.08, 24.50),
            (true, Text, 0, flushed, 32.08, 27.62),
            (false, Binary, 8, last(5e6), 33.35, 28.90),
            (true, Binary, 8, last(6e4), 28.82, 24.07),
            (false, Binary, 20, last(5e6), 45.39, 45.39),
            (true, Binary, 71, last(6e4), 92.01, 92.01),
            (false, Text, 71, last(5e6), 114.10, 114.10),
        ];
        for (bucketed, format, value_bytes, keys, plain, kept) in built {
            let modelled = |compression| run(bucketed, format, value_bytes, keys, compression).data();
            let (none, lz4) = (modelled(Compression::None), modelled(Compression::Lz4));
            let of =
                |bytes: f64| format!("{bytes:.2}, v7 {bucketed}, {format:?}, value {value_bytes}, {keys:?}");
            assert!((none / plain - 1.0).abs() < 0.005, "plain: {plain} built, {}", of(none));
            assert!((lz4 / kept - 1.0).abs() < 0.04, "LZ4: {kept} built, {}", of(lz4));
        }
    }
}
