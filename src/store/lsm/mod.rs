//! Bytes that a log-structured merge tree takes for a key: RocksDB, in its own words and defaults.
//!
//! An insert goes to the log and to a write buffer. A full buffer is flushed as one sorted file;
//! compaction merges files into levels (see [`levels`]), and what a key takes at rest is its entry
//! in the last level plus a share of block, index and filter (see [`sorted_run`]).

pub mod levels;
pub mod loading;
pub mod sorted_run;

use super::packed::Packed;
use super::page::{Arrival, Memo};
use super::record::Scope;
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge};
use crate::error::{Error, Result};
use levels::{LEVEL0_FILES, Overlap, Tree};
use loading::Written;
use sorted_run::{Entry, EntryBytes, Format, Keys, Shares, entry_bytes, varint};

/// Larger values are not supported (RocksDB FAQ).
const VALUE_LIMIT: u64 = 3_000_000_000;
/// Flushes in a generation of keys up to which universal compaction is followed.
const UNIVERSAL_FLUSHES: f64 = 2000.0;
/// Sequence number and count of a write batch.
const BATCH_HEADER_BYTES: f64 = 12.0;

/// Compression of data blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// As they are.
    None,
    /// LZ4, kept for a block that it shrinks by an eighth.
    Lz4,
}

/// The filter of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Filter {
    /// None at all.
    None,
    /// Bloom filter of so many bits a key, in cache lines.
    Bloom(f64),
    /// Ribbon filter as exact as a Bloom filter of so many bits a key.
    Ribbon(f64),
}

impl Filter {
    /// Bytes per key in a file of so many keys.
    ///
    /// A ribbon takes log₂(1/p) bits a slot, and 1.0361 slots a key in a filter of 2¹⁷ slots, 0.0038 more
    /// with each doubling (width 128, one construction in 20 fails; `ribbon_config.cc`).
    pub fn bytes_per_key(self, keys: f64) -> f64 {
        match self {
            Filter::None => 0.0,
            Filter::Bloom(bits) => bits / 8.0,
            Filter::Ribbon(bits) => {
                let slots = 1.0361 + 0.0038 * (keys.log2() - 17.0).max(0.0);
                -bloom_in_cache_lines(bits).log2() * slots / 8.0
            }
        }
    }
}

/// Rate of false positives of a Bloom filter whose probes stay in a line of 512 bits: the mean of lines
/// with one standard deviation more and fewer keys than most, at the best number of probes.
fn bloom_in_cache_lines(bits_per_key: f64) -> f64 {
    let keys = 512.0 / bits_per_key;
    let rate = |keys: f64, probes: i32| (-(-f64::from(probes) * keys / 512.0).exp_m1()).powi(probes);
    let mean =
        |probes| (rate(keys + keys.sqrt(), probes) + rate((keys - keys.sqrt()).max(0.0), probes)) / 2.0;
    (1..=24).map(mean).fold(1.0, f64::min)
}

/// How sorted runs are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// By levels, dynamic level sizes.
    Levelled,
    /// By similar size, all of them when the younger hold twice the oldest.
    Universal,
    /// Never; the oldest files are dropped.
    Fifo,
}

/// The model and what can be varied in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lsm {
    /// Of data blocks.
    pub compression: Compression,
    /// Of each file.
    pub filter: Filter,
    /// How runs are merged.
    pub compaction: Compaction,
    /// `write_buffer_size`.
    pub write_buffer_bytes: f64,
    /// `max_bytes_for_level_base`.
    pub level_base_bytes: f64,
    /// `target_file_size_base`.
    pub target_file_bytes: f64,
}

/// RocksDB's defaults, with the two settings that its tuning guide gives everyone: a Bloom filter of ten
/// bits a key, without which each look-up of a new key reads a block of every level, and LZ4.
pub const ROCKSDB: Lsm = Lsm {
    compression: Compression::Lz4,
    filter: Filter::Bloom(10.0),
    compaction: Compaction::Levelled,
    write_buffer_bytes: (64 << 20) as f64,
    level_base_bytes: (256 << 20) as f64,
    target_file_bytes: (64 << 20) as f64,
};

impl Model for Lsm {
    fn name(&self) -> &'static str {
        "rocksdb"
    }

    fn title(&self) -> &'static str {
        "RocksDB"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("RocksDB 7.8.3")
    }

    fn footprint(&self, load: &Load, _pages: &Memo) -> Result<Footprint> {
        let packed = Packed::of(&load.record);
        if packed.value_bytes() > VALUE_LIMIT {
            return Err(Error::range(format!(
                "a RocksDB value holds at most {VALUE_LIMIT} bytes, the record has {}; try a response of 1000000 bytes",
                packed.value_bytes()
            )));
        }
        let sizes = self.sizes(load, &packed);
        let log_parts = log_parts(&packed);
        let log_bytes: f64 = log_parts.iter().map(|p| p.bytes).sum();
        Ok(Footprint {
            parts: parts(&packed, &sizes.rest),
            leaf_fill: None,
            log_parts,
            completion_log_bytes: load.record.has_outcome().then_some(log_bytes),
            pages_dirtied_per_insert: None,
            background_bytes_per_insert: self.background(load, &sizes)?,
            purges: self.purges(load, &packed, &sizes),
            spread: None,
            billing: Billing::Block,
            false_positive_rate: None,
            notes: vec![
                "Values are taken as incompressible; LZ4 then only shortens records of little but a key.",
                "The log frames each write batch with 7 bytes more than the figure, which is the engine's own count.",
                "One instance with all keys: a shard of them has fewer levels and writes less in compaction.",
            ],
        })
    }
}

/// Bytes of an entry wherever it can be.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// A put at rest, the upper levels' share included.
    pub rest: EntryBytes,
    /// A put in a flushed file.
    pub flushed: EntryBytes,
    /// A tombstone in a flushed file.
    pub tombstone: EntryBytes,
    /// Inserts that fill a write buffer.
    pub inserts_per_flush: f64,
    /// Inserts that fill it where each comes with a deletion.
    pub churned_per_flush: f64,
}

impl Lsm {
    /// Bytes of a record's entries under a load.
    pub fn sizes(&self, load: &Load, packed: &Packed) -> Sizes {
        let format = Format {
            compression: self.compression,
            filter: self.filter,
            target_file_bytes: self.target_file_bytes,
        };
        let put = Entry::put(packed);
        let inserts_per_flush = (self.write_buffer_bytes / buffered_bytes(put)).max(1.0);
        let both = buffered_bytes(put) + buffered_bytes(Entry::tombstone(packed));
        let churned_per_flush = (self.write_buffer_bytes / both).max(1.0);
        let file = Keys { count: inserts_per_flush.min(load.live_keys).max(1.0), zeroed: false };
        let shares = Shares::of(load, packed, file.count);
        let flushed = entry_bytes(put, file, &shares, load, &format);
        let tombstone = entry_bytes(Entry::tombstone(packed), file, &shares, load, &format);
        let one_run = || self.entry_in(load, packed, load.live_keys, true, &format);
        let rest = match self.compaction {
            Compaction::Fifo => flushed,
            Compaction::Universal => one_run(),
            Compaction::Levelled => self
                .spread_over_levels(load, packed, one_run(), &format)
                .mixed(flushed, (LEVEL0_FILES / 2.0 * inserts_per_flush / load.live_keys).min(1.0)),
        };
        Sizes { rest, flushed, tombstone, inserts_per_flush, churned_per_flush }
    }

    fn entry_in(
        &self,
        load: &Load,
        packed: &Packed,
        count: f64,
        zeroed: bool,
        format: &Format,
    ) -> EntryBytes {
        let shares = Shares::of(load, packed, count);
        entry_bytes(Entry::put(packed), Keys { count, zeroed }, &shares, load, format)
    }

    /// The mean entry below level 0: most are in the last level with sequence numbers of zero; those in
    /// the levels above have fewer neighbours, and keep their numbers unless nothing overlaps them below.
    fn spread_over_levels(
        &self,
        load: &Load,
        packed: &Packed,
        last: EntryBytes,
        format: &Format,
    ) -> EntryBytes {
        let last_bytes = load.live_keys * last.total();
        let share = (self.tree().shape(last_bytes).above_last() / last_bytes).min(1.0);
        if share == 0.0 {
            return last;
        }
        let in_order = matches!(self.overlap(load, last.total()), Overlap::Seam(_));
        let count = (load.live_keys * share).max(1.0);
        last.mixed(self.entry_in(load, packed, count, in_order, format), share)
    }

    /// The sizes that shape the tree.
    pub fn tree(&self) -> Tree {
        Tree { level_base_bytes: self.level_base_bytes, target_file_bytes: self.target_file_bytes }
    }

    /// What a batch of keys meets, given how long an entry is.
    pub fn overlap(&self, load: &Load, entry_bytes: f64) -> Overlap {
        if load.record.scope != Scope::None {
            return Overlap::Everywhere;
        }
        match load.arrival {
            Arrival::Uniform => Overlap::Everywhere,
            Arrival::Ascending => Overlap::Seam(0.0),
            Arrival::Bucketed { keys_per_bucket } => Overlap::Seam(keys_per_bucket * entry_bytes),
            Arrival::Delayed { rate_per_s, mean_delay_s } => {
                Overlap::Seam(rate_per_s * mean_delay_s * entry_bytes)
            }
            Arrival::Wrapping { keys_per_wrap } => Overlap::Wrap(keys_per_wrap * entry_bytes),
        }
    }

    /// What the simulation of a run needs.
    pub fn written(&self, sizes: &Sizes, range_delete: bool) -> Written {
        let mark = |bytes: f64| if range_delete { 0.0 } else { bytes };
        Written {
            put_bytes: sizes.rest.total(),
            tombstone_bytes: mark(sizes.tombstone.total()),
            flushed_put_bytes: sizes.flushed.total(),
            flushed_tombstone_bytes: mark(sizes.tombstone.total()),
            inserts_per_flush: sizes.inserts_per_flush,
            churned_per_flush: if range_delete { sizes.inserts_per_flush } else { sizes.churned_per_flush },
        }
    }
}

/// Bytes of the write buffer for an entry: its lengths, key, trailer and value in an arena of 8-byte steps,
/// and the pointers of a skip list with one in four nodes a level higher, 4/3 of them on average.
fn buffered_bytes(entry: Entry) -> f64 {
    let key = entry.key_bytes + 8;
    let content = varint(key) + key as f64 + varint(entry.value_bytes) + entry.value_bytes as f64;
    (content / 8.0).ceil() * 8.0 + 8.0 * 4.0 / 3.0
}

impl Lsm {
    /// Bytes that flushes and compactions write per insert, in steady state: for each key that comes
    /// another is deleted.
    fn background(&self, load: &Load, sizes: &Sizes) -> Result<f64> {
        let flushed = sizes.flushed.total() + sizes.tombstone.total();
        let compacted = match self.compaction {
            Compaction::Fifo => return Ok(sizes.flushed.total()),
            Compaction::Universal => self.universal(load, sizes)?.compacted_bytes_per_late_insert,
            Compaction::Levelled => {
                let batch = LEVEL0_FILES * sizes.churned_per_flush * flushed;
                let overlap = self.overlap(load, sizes.rest.total());
                let last_bytes = load.live_keys * sizes.rest.total();
                let puts = sizes.flushed.total() / flushed;
                flushed * self.tree().rewrites_per_byte(last_bytes, batch, puts, overlap)
            }
        };
        Ok(flushed + compacted)
    }

    /// Six generations of keys under universal compaction, flush by flush: with so few runs allowed, what
    /// it writes has no simple closed form.
    fn universal(&self, load: &Load, sizes: &Sizes) -> Result<loading::Outcome> {
        let most = UNIVERSAL_FLUSHES * sizes.churned_per_flush;
        if load.live_keys > most {
            return Err(Error::range(format!(
                "universal compaction is modelled up to {most:.0} live keys with this write buffer, got {:.0}; \
                 try levelled compaction",
                load.live_keys
            )));
        }
        let run = loading::Run {
            inserts: 6.0 * load.live_keys.max(sizes.churned_per_flush),
            live_keys: load.live_keys,
        };
        Ok(loading::universal(&self.written(sizes, false), &run))
    }

    fn purges(&self, load: &Load, packed: &Packed, sizes: &Sizes) -> Vec<Purge> {
        let purge = |strategy, bytes_per_live_key, log_bytes_per_key, how| Purge {
            strategy,
            bytes_per_live_key,
            log_bytes_per_key,
            pages_dirtied_per_key: 0.0,
            how,
        };
        let fifo = purge(
            "TTL compaction",
            // The oldest file goes once all of it has expired: on average half a file is kept for nothing.
            sizes.flushed.total() * (1.0 + sizes.inserts_per_flush / 2.0 / load.live_keys),
            0.0,
            "FIFO compaction with ttl drops whole files; every file is a sorted run, so a look-up asks the filter of each",
        );
        if self.compaction == Compaction::Fifo {
            return vec![fifo];
        }
        let mut purges = vec![purge(
            "row delete",
            self.row_delete_bytes(load, sizes),
            BATCH_HEADER_BYTES + 1.0 + varint(packed.full_key_bytes()) + packed.full_key_bytes() as f64,
            "a tombstone per key; it and its key stay until they meet in the last level",
        )];
        let overlap = self.overlap(load, sizes.rest.total());
        if self.compaction == Compaction::Levelled && matches!(overlap, Overlap::Seam(_)) {
            let put = sizes.rest.total();
            let waiting = LEVEL0_FILES / 2.0 * sizes.inserts_per_flush;
            let dead = waiting + self.tree().shape(load.live_keys * put).above_last() / put;
            purges.push(purge(
                "key-range delete",
                put * (1.0 + dead.min(load.live_keys) / load.live_keys),
                0.0,
                "one mark deletes all keys up to a time; needs keys that begin with it, and clocks that agree",
            ));
        }
        purges.push(fifo);
        purges
    }

    /// Live keys, and keys and tombstones that have not met: in level 0, of whose files half a merge waits
    /// on average, and in the levels between, with half a batch on its way down.
    fn row_delete_bytes(&self, load: &Load, sizes: &Sizes) -> f64 {
        let (put, tombstone) = (sizes.rest.total(), sizes.tombstone.total());
        if self.compaction == Compaction::Universal {
            // The younger runs hold from none to twice the oldest, which holds the live keys.
            return 2.0 * put;
        }
        let shape = self.tree().shape(load.live_keys * put);
        let on_its_way = if shape.sizes().len() > 1 { LEVEL0_FILES / 2.0 } else { 0.0 };
        let waiting = (LEVEL0_FILES / 2.0 + on_its_way) * sizes.churned_per_flush;
        let marks = waiting + shape.above_last() / (put + tombstone);
        let dead = marks.min(load.live_keys);
        put + (dead * put + marks * tombstone) / load.live_keys
    }
}

fn parts(packed: &Packed, entry: &EntryBytes) -> Vec<Part> {
    let part = |name, place, bytes, why| Part { name, place, bytes, why };
    let key_share = packed.key_bytes as f64 / packed.full_key_bytes() as f64;
    vec![
        part(
            "key",
            Place::Table,
            entry.key * key_share,
            "what it does not share with the key before it, which follows from the number of keys and their order",
        ),
        part(
            "columns",
            Place::Table,
            entry.key * (1.0 - key_share) + packed.column_bytes as f64,
            "owner columns before the key, the others packed in the value",
        ),
        part("response", Place::Table, packed.response_bytes as f64, "at the end of the value"),
        part(
            "row header",
            Place::Table,
            entry.header,
            "three varints, 8 bytes of sequence number and type, less what compression takes off",
        ),
        part(
            "page header",
            Place::Table,
            entry.block,
            "a restart point of 4 bytes for 16 keys, count and trailer of each 4 KiB block",
        ),
        part("index entry", Place::Index, entry.index, "a separating key and a handle for each block"),
        part("filter", Place::Other, entry.filter, "bits a key of the filter in each file"),
    ]
}

/// `WriteBatch` of one put: header, type, two lengths, key and value.
fn log_parts(packed: &Packed) -> Vec<Part> {
    let part = |name, bytes, why| Part { name, place: Place::Other, bytes, why };
    let lengths = varint(packed.full_key_bytes()) + varint(packed.value_bytes());
    vec![
        part("key", packed.key_bytes as f64, "the key's bytes"),
        part("columns", (packed.scope_bytes + packed.column_bytes) as f64, "owner columns and packed value"),
        part("response", packed.response_bytes as f64, "at the end of the value"),
        part(
            "row header",
            BATCH_HEADER_BYTES + 1.0 + lengths,
            "12-byte batch header, type, two varint lengths",
        ),
    ]
}
