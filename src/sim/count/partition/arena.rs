//! Memory of one thread for the draws of a pass: their kept bits, by bucket, in the order in which they were drawn.
//!
//! A block of 1 KiB is filled for each bucket and copied out when it is full. Copied out line by line, each would wait for
//! its line of memory; those of a block are waited for together. Every bucket has the same room; what does not fit is
//! counted by its front in a map, which holds little unless few values make most of the draws.

use super::plan::Cut;
use crate::sim::draw::Id;
use std::collections::HashMap;

/// Keys of a block: 1 KiB. With half of that writing takes longer even where the blocks of all buckets then fit a cache.
pub(super) const BLOCK: usize = 256;

/// Keys on their way to a bucket.
#[derive(Clone)]
#[repr(align(64))]
struct Block([u32; BLOCK]);

/// The keys that one thread has of a bucket, in order.
pub(super) type Region<'a> = &'a [u32];

/// What one thread drew.
pub(super) struct Arena {
    words: Words,
    /// Room of a bucket, in keys: whole blocks.
    room: usize,
    blocks: Vec<Block>,
    /// Keys of each bucket, those in its block too.
    ends: Vec<u32>,
    /// How often each front came that found no room.
    spilled: HashMap<u64, u64>,
}

impl Arena {
    /// Room for so many keys in each of so many buckets.
    pub fn new(buckets: usize, room: usize) -> Arena {
        let size = buckets.next_power_of_two();
        Arena {
            words: Words::new(buckets * room),
            room,
            blocks: vec![Block([0; BLOCK]); size],
            ends: vec![0; size],
            spilled: HashMap::new(),
        }
    }

    /// Bytes of it.
    pub fn bytes(buckets: u64, room: u64) -> u64 {
        4 * buckets * room + (4 * BLOCK as u64 + 4) * buckets.next_power_of_two()
    }

    /// Forgets what it holds.
    pub fn clear(&mut self) {
        self.ends.fill(0);
        self.spilled.clear();
    }

    /// Takes those of the ids that belong to the pass.
    pub fn take<I: Id>(&mut self, ids: &[I], cut: &Cut) {
        if cut.is_all() { self.take_of::<I, true>(ids, cut) } else { self.take_of::<I, false>(ids, cut) }
    }

    fn take_of<I: Id, const ALL: bool>(&mut self, ids: &[I], cut: &Cut) {
        let Arena { words, room, blocks, ends, spilled } = self;
        let (blocks, ends) = (&mut blocks[..], &mut ends[..]);
        assert!(!blocks.is_empty() && ends.len() == blocks.len(), "a block for every bucket");
        let mask = blocks.len() - 1;
        let words = words.get_mut();
        let (cut_by, room) = (cut.clone(), *room);
        for id in ids {
            let front = cut_by.front(*id);
            let bucket = cut_by.bucket(front);
            if !ALL && bucket >= cut_by.buckets() {
                continue;
            }
            let bucket = bucket as usize & mask;
            let end = ends[bucket];
            let slot = end as usize % BLOCK;
            ends[bucket] = end + 1;
            let block = &mut blocks[bucket].0;
            block[slot] = cut_by.key(front);
            if slot < BLOCK - 1 {
                continue;
            }
            let place = end as usize + 1 - BLOCK;
            if place < room {
                let place = bucket * room + place;
                words[place..place + BLOCK].copy_from_slice(block);
            } else {
                spill(spilled, cut, bucket, block);
                ends[bucket] = place as u32;
            }
        }
    }

    /// Writes out what the blocks hold still.
    pub fn finish(&mut self, cut: &Cut) {
        let words = self.words.get_mut();
        for (bucket, (block, end)) in self.blocks.iter().zip(&mut self.ends).enumerate() {
            let held = *end as usize % BLOCK;
            let place = *end as usize - held;
            if place < self.room {
                let place = bucket * self.room + place;
                // Blocks beyond the last bucket hold nothing.
                if held > 0 {
                    words[place..place + held].copy_from_slice(&block.0[..held]);
                }
            } else if held > 0 {
                spill(&mut self.spilled, cut, bucket, &block.0[..held]);
                *end = place as u32;
            }
        }
    }

    /// Its keys of a bucket.
    pub fn region(&self, bucket: usize) -> Region<'_> {
        let start = bucket * self.room;
        &self.words.get()[start..start + self.ends[bucket] as usize]
    }

    /// Fronts that found no room, with how often they came.
    pub fn spilled(&self) -> &HashMap<u64, u64> {
        &self.spilled
    }
}

/// Counts keys that found no room.
#[cold]
#[inline(never)]
fn spill(spilled: &mut HashMap<u64, u64>, cut: &Cut, bucket: usize, keys: &[u32]) {
    // Of few values most blocks are equal throughout.
    for equal in keys.chunk_by(|one, other| one == other) {
        *spilled.entry(cut.front_of(bucket, equal[0])).or_insert(0) += equal.len() as u64;
    }
}

/// Zeroed words; on Linux in huge pages where the system gives them, since thousands of buckets written by turns need more
/// small pages than a processor keeps addresses of.
enum Words {
    #[cfg(target_os = "linux")]
    Mapped(memmap2::MmapMut),
    Owned(Vec<u32>),
}

/// Below so many bytes small pages do.
#[cfg(target_os = "linux")]
const HUGE_FROM_BYTES: usize = 4 << 20;

impl Words {
    fn new(words: usize) -> Words {
        #[cfg(target_os = "linux")]
        if words * 4 >= HUGE_FROM_BYTES
            && let Ok(map) = memmap2::MmapMut::map_anon(words * 4)
        {
            // Refused by some kernels; slower then, not wrong.
            let _ = map.advise(memmap2::Advice::HugePage);
            return Words::Mapped(map);
        }
        Words::Owned(vec![0; words])
    }

    fn get(&self) -> &[u32] {
        match self {
            #[cfg(target_os = "linux")]
            Words::Mapped(map) => bytemuck::cast_slice(map),
            Words::Owned(words) => words,
        }
    }

    fn get_mut(&mut self) -> &mut [u32] {
        match self {
            #[cfg(target_os = "linux")]
            Words::Mapped(map) => bytemuck::cast_slice_mut(map),
            Words::Owned(words) => words,
        }
    }
}
