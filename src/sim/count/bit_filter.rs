//! A bit for every few values, then an exact count of the ids that share one.
//!
//! Pass 1 sets the bit of each id; one that was set already is shared. Pass 2 lists, in order, all ids whose bit is shared, and
//! [`IndexTable`] counts these exactly: equal ids share a bit. Of uniform ids with [`BITS_AN_ID`] bits each
//! about a sixteenth is listed. A sixteenth of the memory of a table of draw numbers, which tells where that one leaves the cache.

use super::Counts;
use super::arena::List;
use super::group::{GROUP, bits_of, push_all, room_for};
use super::index_table::IndexTable;
use crate::sim::draw::Id;

/// Bits for an id, as measured: with fewer more ids are suspects, with more the cache misses more.
const BITS_AN_ID: usize = 16;

/// Bits, and room for what shares one.
#[derive(Debug)]
pub struct BitFilter {
    set: Vec<u64>,
    shared: Vec<u64>,
    /// Bits that were set when another id came; as many places as a power of two.
    again: Vec<u32>,
    /// Numbers of the ids that share a bit.
    sharing: Vec<u32>,
    listed: List,
    exact: IndexTable,
}

/// Words of 64 bits for so many ids.
fn words_for(draws: usize) -> usize {
    (draws.next_power_of_two() * BITS_AN_ID / 64).max(1)
}

impl BitFilter {
    /// For trials of up to so many ids.
    pub fn new(draws: usize) -> BitFilter {
        let words = words_for(draws);
        BitFilter {
            set: vec![0; words],
            shared: vec![0; words],
            again: vec![0; draws.next_power_of_two()],
            sharing: vec![0; room_for(draws)],
            listed: List::default(),
            exact: IndexTable::new(draws),
        }
    }

    /// Bytes that it takes at most for ids of so many bytes.
    pub fn memory_bytes(draws: u64, id_bytes: u64) -> u64 {
        let words = words_for(draws as usize) as u64;
        16 * words
            + 4 * draws.next_power_of_two()
            + (8 + id_bytes) * draws
            + IndexTable::memory_bytes(draws, id_bytes)
    }

    /// Counts ids in the order in which they were drawn. Their low bits choose the bit: uniform, or slower.
    pub fn count<I: Id>(&mut self, ids: &[I]) -> Counts {
        let words = words_for(ids.len());
        let (set, shared) = (&mut self.set[..words], &mut self.shared[..words]);
        set.fill(0);
        let again = set_all(set, ids, &mut self.again);
        if again == 0 {
            return Counts::default();
        }
        shared.fill(0);
        for bit in &self.again[..again] {
            shared[(bit / 64) as usize & (words - 1)] |= 1 << (bit % 64);
        }
        let sharing = list(shared, ids, &mut self.sharing);
        let (listed, places) = self.listed.parts_mut::<I>(sharing);
        for ((listed, place), at) in listed.iter_mut().zip(&mut *places).zip(&self.sharing) {
            (*listed, *place) = (ids[*at as usize], *at);
        }
        self.exact.count_listed(listed, places)
    }
}

/// Sets the bit of each id and puts down those that were set: how many.
fn set_all<I: Id>(set: &mut [u64], ids: &[I], found: &mut [u32]) -> usize {
    assert!(set.len().is_power_of_two() && found.len().is_power_of_two(), "masks need a power of two");
    let (words, room) = (set.len() - 1, found.len() - 1);
    let mut again = 0;
    for id in ids {
        let low = id.low();
        let word = &mut set[(low / 64) as usize & words];
        found[again & room] = low as u32;
        again += (*word >> (low % 64) & 1) as usize;
        *word |= 1 << (low % 64);
    }
    again
}

/// The numbers of all ids whose bit is set, in order: how many.
fn list<I: Id>(shared: &[u64], ids: &[I], found: &mut [u32]) -> usize {
    assert!(shared.len().is_power_of_two(), "masks need a power of two");
    let words = shared.len() - 1;
    let flag = |id: &I| (shared[(id.low() / 64) as usize & words] >> (id.low() % 64) & 1) as u8;
    let (groups, rest) = ids.as_chunks::<GROUP>();
    let (mut place, mut end) = (0u32, 0);
    for group in groups {
        let mut flags = [0u8; GROUP];
        for (into, id) in flags.iter_mut().zip(group) {
            *into = flag(id);
        }
        end = push_all(bits_of(&flags), place, found, end);
        place = place.wrapping_add(GROUP as u32);
    }
    for id in rest {
        end = push_all(u64::from(flag(id)), place, found, end);
        place = place.wrapping_add(1);
    }
    end
}
