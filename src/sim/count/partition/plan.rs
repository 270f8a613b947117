//! How a large trial is counted: how many passes over its draws, which share of the values each keeps, in how much memory.
//!
//! All values are S slices by their first bits, S fixed by the number of draws. A pass keeps the draws of some slices, in
//! buckets by further bits; of the bits behind those of the bucket it keeps 32 at most. With n draws a bucket of one thread
//! expects m of them, and has room for m + 7 √m: more come in one of 10^12.

use super::arena::{Arena, BLOCK};
use super::bucket::Counter;
use crate::error::{Error, Result};
use crate::sim::draw::Id;
use std::ops::Range;

/// Draws of a slice, at most and on average: what a pass keeps at least.
const SLICE_LOG2: u32 = 24;
/// Draws that a plan can be made for: 2^40.
const DRAWS_LOG2: u32 = 40;
/// Buckets of a pass at most. Of n draws there are √n / 4 buckets of 4 √n: with fewer, of which each is larger, counting them
/// takes longer; with more, so does filling them.
const BUCKETS: u64 = 1 << 12;
/// Draws of a pass at most: beyond that, buckets leave the caches and another pass costs less.
const PASS: u64 = 1 << 30;
/// Ids of so many bits have a count each, whatever the number of draws.
pub(super) const COUNTED: u32 = 16;
/// Bytes that a mark takes with all that belongs to it: in the list, the set, the filter and the map of ids that it lets pass.
const MARK_BYTES: u64 = 192;

/// Into how many slices the values of a trial of so many draws are split. A slice is what a run can be cut into.
pub fn slices(draws: u64) -> u64 {
    1 << draws.max(1).next_power_of_two().trailing_zeros().saturating_sub(SLICE_LOG2)
}

/// How one trial is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    draws: u64,
    bits: u32,
    threads: usize,
    slices: u64,
    /// Slices of a pass, the last one's may be fewer.
    per_pass: u64,
    /// Bits that tell the buckets of one slice apart.
    bucket_bits: u32,
    /// Keys that a thread has room for in a bucket.
    room: u64,
    spare_bytes: u64,
}

impl Plan {
    /// The fewest passes that so much memory allows; 2^40 draws at most, ids of 1 to 128 bits, one thread or more.
    ///
    /// Fails where the memory does not hold one slice (about 80 MB, and 2 MB a thread), and says how much would do.
    pub fn new(draws: u64, bits: u32, threads: usize, max_memory_bytes: u64) -> Result<Plan> {
        Plan::of_slices(draws, bits, threads, max_memory_bytes, slices(draws))
    }

    /// The same with another number of slices: 2 to some power, and not more than ids have values.
    pub(super) fn of_slices(
        draws: u64,
        bits: u32,
        threads: usize,
        max_memory_bytes: u64,
        slices: u64,
    ) -> Result<Plan> {
        assert!((1..=128).contains(&bits) && threads > 0 && slices.is_power_of_two());
        if draws > 1 << DRAWS_LOG2 {
            let most = 1u64 << DRAWS_LOG2;
            return Err(Error::range(format!(
                "draws of one trial can be {most} at most, got {draws}; try more trials of fewer draws"
            )));
        }
        let plan = |per_pass| Plan::of_passes(draws, bits, threads, slices, per_pass);
        let most = (PASS / draws.div_ceil(slices).max(1)).clamp(1, slices.min(BUCKETS));
        // Memory grows with the slices of a pass.
        let (mut fits, mut too_many) = (0, most + 1);
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            if plan(middle).memory_bytes() <= max_memory_bytes { fits = middle } else { too_many = middle }
        }
        if fits == 0 {
            let least = plan(1).memory_bytes();
            return Err(Error::range(format!(
                "{draws} draws of {bits} bits on {threads} threads need {least} bytes of memory at least, \
                 got {max_memory_bytes}; try that, or fewer threads"
            )));
        }
        // As few passes as fit, and those of like size.
        Ok(plan(slices.div_ceil(slices.div_ceil(fits))))
    }

    fn of_passes(draws: u64, bits: u32, threads: usize, slices: u64, per_pass: u64) -> Plan {
        let kept = (u128::from(draws) * u128::from(per_pass)).div_ceil(u128::from(slices)) as u64;
        let wanted = (kept.isqrt() / 4).clamp(1, BUCKETS);
        let bucket_bits = (wanted / per_pass).max(1).ilog2();
        let bucket_bits = bucket_bits.min(bits.saturating_sub(slices.trailing_zeros()));
        let mine = draws.div_ceil(threads as u64);
        let mean = mine as f64 / (slices as f64 * f64::from(1 << bucket_bits));
        let room = (mean + 7.0 * mean.sqrt()).ceil() as u64 + 1;
        let room = room.min(mine.max(1)).next_multiple_of(BLOCK as u64);
        let spare_bytes = (4 << 20) + kept / 8;
        Plan { draws, bits, threads, slices, per_pass, bucket_bits, room, spare_bytes }
    }

    /// Bytes that it takes: arenas, blocks, room for counting, and a spare for marks.
    pub fn memory_bytes(&self) -> u64 {
        let threads = self.threads as u64;
        if self.is_counted() {
            return threads * (8 << self.bits) + (1 << 20);
        }
        let buckets = self.per_pass << self.bucket_bits;
        threads * (Arena::bytes(buckets, self.room) + Counter::bytes(threads * self.room)) + self.spare_bytes
    }

    /// How often the draws are made, counting all slices; once more every few passes where ids are wide.
    pub fn passes(&self) -> u64 {
        if self.is_counted() { 1 } else { self.slices.div_ceil(self.per_pass) }
    }

    /// Steps that a count of so many slices announces to `Progress`: the draws of its passes.
    pub fn steps(&self, slices: Range<u64>) -> u64 {
        let passes = if self.is_counted() { 1 } else { (slices.end - slices.start).div_ceil(self.per_pass) };
        self.draws * passes
    }

    /// Into how many slices the values are split.
    pub fn slices(&self) -> u64 {
        self.slices
    }

    /// Draws of the trial.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Threads that count.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Bits of an id.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether every value has a count.
    pub(super) fn is_counted(&self) -> bool {
        self.bits <= COUNTED
    }

    /// Marks that there is memory for; fronts without room are as many.
    pub(super) fn most_marks(&self) -> usize {
        (self.spare_bytes / MARK_BYTES) as usize
    }

    /// An arena for one thread.
    pub(super) fn arena(&self) -> Arena {
        Arena::new((self.per_pass << self.bucket_bits) as usize, self.room as usize)
    }

    /// The slices of the pass that begins with `from`, of those before `to`.
    pub(super) fn pass(&self, from: u64, to: u64) -> Cut {
        let slices = from..to.min(from + self.per_pass);
        let first_bits = self.slices.trailing_zeros() + self.bucket_bits;
        let behind = self.bits - first_bits;
        let key_bits = behind.min(u32::BITS);
        let buckets = (slices.end - slices.start) << self.bucket_bits;
        Cut {
            drop: behind - key_bits,
            key_bits,
            first: from << self.bucket_bits,
            buckets,
            all: slices.end - slices.start == self.slices,
            slices,
        }
    }
}

/// How an id is cut in one pass: the bits of its bucket and its key, together its front, and what is not kept.
#[derive(Debug, Clone)]
pub(super) struct Cut {
    drop: u32,
    key_bits: u32,
    first: u64,
    buckets: u64,
    all: bool,
    pub slices: Range<u64>,
}

impl Cut {
    /// All of an id that has no more than 64 bits, of no pass.
    pub fn whole() -> Cut {
        Cut { drop: 0, key_bits: 0, first: 0, buckets: 0, all: true, slices: 0..0 }
    }

    /// Its first bits: all, or as many as are kept.
    #[inline]
    pub fn front<I: Id>(&self, id: I) -> u64 {
        id.shifted(self.drop).low()
    }

    /// The bucket of a front; of another pass where that is not below `buckets`.
    #[inline]
    pub fn bucket(&self, front: u64) -> u64 {
        (front >> self.key_bits).wrapping_sub(self.first)
    }

    /// What is kept of a front within its bucket.
    #[inline]
    pub fn key(&self, front: u64) -> u32 {
        (front & ((1 << self.key_bits) - 1)) as u32
    }

    /// The front of a key in a bucket.
    pub fn front_of(&self, bucket: usize, key: u32) -> u64 {
        ((self.first + bucket as u64) << self.key_bits) | u64::from(key)
    }

    /// Buckets of the pass.
    #[inline]
    pub fn buckets(&self) -> u64 {
        self.buckets
    }

    /// Whether every draw belongs to the pass.
    #[inline]
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// Bits of a key.
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Whether ids have bits that are not kept.
    pub fn is_wide(&self) -> bool {
        self.drop > 0
    }
}
