//! Tables of draw numbers, never cleared: written from the last id to the first, then read back in order.
//!
//! Pass 1 stores i in the slot of id i, so that what stays is the first of its slot. Pass 2 reads it back: i itself is resident;
//! an equal id makes i a repeat; another id sends i to a next, smaller table with another hash. Equal ids always go the same way
//! and order is kept, so the count is exact. A slot is read only after this trial wrote it: nothing need be cleared.
//!
//! Two passes beat one that reads and writes by turns: there each read waits for the writes before it, some 5 cycles an id
//! where these take 3 to 4. With k slots for each of n ids about n/2k go on. Linear for any ids: after [`LEVELS`] tables the
//! rest is sorted.

use super::Counts;
use super::arena::List;
use super::group::{GROUP, bits_of, push_all, room_for};
use super::tally::Tally;
use crate::sim::draw::Id;

/// Tables in a row before the rest is sorted; of uniform ids nearly none come so far, since each passes on a tenth.
const LEVELS: u32 = 8;
/// Ids whose slots are fetched before any is compared.
const BLOCK: usize = 512;
/// Odd, for multiplicative hashing: of the golden ratio, and of SplitMix64.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];

/// A number of a draw within a trial, kept in a slot.
trait Slot: Copy + Eq + Default {
    fn of(place: u32) -> Self;
    fn place(self) -> usize;

    /// The slot of a place so much further, without a detour over wider numbers: it is done in vectors.
    fn further(self, by: u8) -> Self;
}

impl Slot for u16 {
    #[inline(always)]
    fn of(place: u32) -> u16 {
        place as u16
    }

    #[inline(always)]
    fn place(self) -> usize {
        usize::from(self)
    }

    #[inline(always)]
    fn further(self, by: u8) -> u16 {
        self.wrapping_add(u16::from(by))
    }
}

impl Slot for u32 {
    #[inline(always)]
    fn of(place: u32) -> u32 {
        place
    }

    #[inline(always)]
    fn place(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn further(self, by: u8) -> u32 {
        self.wrapping_add(u32::from(by))
    }
}

/// Tables for trials up to so many ids.
#[derive(Debug)]
pub struct IndexTable {
    slots: Slots,
    /// Those of a level that are not resident.
    over: Vec<u32>,
    /// What goes to the next level, by turns.
    lists: [List; 2],
    tally: Tally,
}

/// Two bytes a slot where these can number the draws: half the cache.
#[derive(Debug)]
enum Slots {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// Draws that two bytes can number.
const NARROW: usize = 1 << 16;

/// Slots for so many ids. Measured with 2, 4, 8 and 16 an id, drawing included, on a Zen 3: 2.9, 2.4, 2.2 and 2.2 ns for 2^12 ids;
/// 3.7, 3.2, 3.1 and 3.5 ns for 2^16; with four bytes a slot 6.0, 5.5, 7.5 and 12.8 ns for 2^18.
fn slots_for(draws: usize) -> usize {
    let per_id = if draws <= NARROW { 8 } else { 4 };
    (draws.next_power_of_two() * per_id).max(GROUP)
}

impl IndexTable {
    /// Tables for up to so many ids, of any type.
    pub fn new(draws: usize) -> IndexTable {
        assert!(u32::try_from(draws).is_ok(), "draws are numbered in 32 bits");
        let slots = slots_for(draws);
        IndexTable {
            slots: if draws <= NARROW { Slots::Narrow(vec![0; slots]) } else { Slots::Wide(vec![0; slots]) },
            over: vec![0; room_for(draws)],
            lists: [List::default(), List::default()],
            tally: Tally::new(draws),
        }
    }

    /// Bytes that it takes at most for ids of so many bytes.
    pub fn memory_bytes(draws: u64, id_bytes: u64) -> u64 {
        let places = draws as usize;
        let slot = if places <= NARROW { 2 } else { 4 };
        slots_for(places) as u64 * slot + 4 * draws + 2 * (4 + id_bytes) * draws + Tally::memory_bytes(draws)
    }

    /// Counts ids in the order in which they were drawn. Their low bits choose the slots: uniform, or slower.
    pub fn count<I: Id>(&mut self, ids: &[I]) -> Counts {
        self.count_some(ids, &|place| place)
    }

    /// Counts some of a trial's ids, in order, each with its number in the trial.
    pub fn count_listed<I: Id>(&mut self, ids: &[I], places: &[u32]) -> Counts {
        assert_eq!(ids.len(), places.len());
        self.count_some(ids, &|place| places[place as usize])
    }

    fn count_some<I: Id>(&mut self, ids: &[I], place: &impl Fn(u32) -> u32) -> Counts {
        let IndexTable { slots, over, lists, tally } = self;
        match slots {
            Slots::Narrow(slots) => levels(slots, over, lists, tally, ids, place),
            Slots::Wide(slots) => levels(slots, over, lists, tally, ids, place),
        }
        tally.take()
    }
}

/// One table after another until none are left.
fn levels<I: Id, S: Slot>(
    slots: &mut [S],
    over: &mut [u32],
    [next, after]: &mut [List; 2],
    tally: &mut Tally,
    ids: &[I],
    place: &impl Fn(u32) -> u32,
) {
    let size = slots_for(ids.len()).min(slots.len());
    let mut level = Level { slots: &mut slots[..size], slot: |id: I| id.low() as usize, over };
    let mut left = level.run(ids, place, tally, next);
    let (mut next, mut after) = (next, after);
    for number in 1..LEVELS {
        if left == 0 {
            return;
        }
        let size = slots_for(left).min(slots.len());
        let kept = size.trailing_zeros();
        let slot = move |id: I| (hashed(id, number) >> (u64::BITS - kept)) as usize;
        let mut level = Level { slots: &mut slots[..size], slot, over };
        let (ids, places) = next.parts::<I>(left);
        left = level.run(ids, &|place| places[place as usize], tally, after);
        std::mem::swap(&mut next, &mut after);
    }
    let (ids, places) = next.parts::<I>(left);
    sorted(ids, places, tally);
}

/// A hash whose upper bits depend on all bits of an id, another one on each level.
#[inline(always)]
fn hashed<I: Id>(id: I, level: u32) -> u64 {
    let mut word = id.low();
    if I::BITS > u64::BITS {
        word ^= ((id.wide() >> u64::BITS) as u64).wrapping_mul(FACTORS[1]).rotate_left(level);
    }
    word.wrapping_mul(FACTORS[0].rotate_left(7 * level) | 1)
}

/// One table with its hash.
struct Level<'a, S, H> {
    slots: &'a mut [S],
    slot: H,
    over: &'a mut [u32],
}

impl<S: Slot, H> Level<'_, S, H> {
    /// Counts the repeats of residents and lists the others, in order; how many these are.
    fn run<I: Id>(
        &mut self,
        ids: &[I],
        place: &impl Fn(u32) -> u32,
        tally: &mut Tally,
        others: &mut List,
    ) -> usize
    where
        H: Fn(I) -> usize + Copy,
    {
        let mask = self.mask();
        write(self.slots, ids, self.slot);
        let over = read_back(self.slots, ids, self.slot, self.over);
        let (left_ids, left_places) = others.parts_mut::<I>(over);
        let mut left = 0;
        for &at in &self.over[..over] {
            let id = ids[at as usize];
            let first = self.slots[(self.slot)(id) & mask].place();
            if ids[first] == id {
                tally.repeat(place(at), place(first as u32));
            } else {
                left_ids[left] = id;
                left_places[left] = place(at);
                left += 1;
            }
        }
        left
    }

    fn mask(&self) -> usize {
        self.slots.len() - 1
    }
}

/// Pass 1: from the last id to the first. By eights: their numbers are a base and constants.
#[inline(never)]
fn write<I: Id, S: Slot>(slots: &mut [S], ids: &[I], slot: impl Fn(I) -> usize) {
    assert!(slots.len().is_power_of_two(), "masks need a power of two");
    let mask = slots.len() - 1;
    let (eights, rest) = ids.as_chunks::<8>();
    let mut place = ids.len() as u32;
    for id in rest.iter().rev() {
        place = place.wrapping_sub(1);
        slots[slot(*id) & mask] = S::of(place);
    }
    for eight in eights.iter().rev() {
        place = place.wrapping_sub(8);
        for at in (0..8).rev() {
            slots[slot(eight[at]) & mask] = S::of(place.wrapping_add(at as u32));
        }
    }
}

/// Pass 2: the numbers of those that are not resident; how many. The slots of a block are fetched first and then compared in
/// vectors, so that none of these waits for a slot just put down.
#[inline(never)]
fn read_back<I: Id, S: Slot>(slots: &[S], ids: &[I], slot: impl Fn(I) -> usize, over: &mut [u32]) -> usize {
    assert!(slots.len().is_power_of_two(), "masks need a power of two");
    let mask = slots.len() - 1;
    let mut block = [S::default(); BLOCK];
    let (mut place, mut end) = (0u32, 0);
    for ids in ids.chunks(BLOCK) {
        let found = &mut block[..ids.len()];
        for (found, id) in found.iter_mut().zip(ids) {
            *found = slots[slot(*id) & mask];
        }
        let (groups, rest) = found.as_chunks::<GROUP>();
        for group in groups {
            end = push_all(differing(group, place), place, over, end);
            place = place.wrapping_add(GROUP as u32);
        }
        for found in rest {
            over[end] = place;
            end += usize::from(*found != S::of(place));
            place = place.wrapping_add(1);
        }
    }
    end
}

/// A bit for each of a group that does not hold its own number.
#[inline(always)]
fn differing<S: Slot>(found: &[S; GROUP], place: u32) -> u64 {
    // As bytes first: those compilers turn into vectors.
    let mut flags = [0u8; GROUP];
    let own = S::of(place);
    for (at, (flag, found)) in (0u8..).zip(flags.iter_mut().zip(found)) {
        *flag = u8::from(*found != own.further(at));
    }
    bits_of(&flags)
}

/// The rest after all tables, by sorting: of ids made to share their slots.
#[cold]
fn sorted<I: Id>(ids: &[I], places: &[u32], tally: &mut Tally) {
    let mut all: Vec<(I, u32)> = ids.iter().copied().zip(places.iter().copied()).collect();
    all.sort_unstable();
    for equal in all.chunk_by(|a, b| a.0 == b.0) {
        for (_, again) in &equal[1..] {
            tally.repeat(*again, equal[0].1);
        }
    }
}
