//! A byte for every value of the space, that says which trial saw it last.
//!
//! One pass, exact at once: an id whose byte bears this trial's stamp is a repeat. Stamps run from 1 to 255, then all bytes are
//! cleared. The pairs are the repeats and the pairs among them: C(m + 1, 2) = m + C(m, 2).

use super::Counts;
use super::arena::List;
use super::index_table::IndexTable;
use crate::sim::draw::Id;

/// Bytes for all values, and room for the repeats.
#[derive(Debug)]
pub struct Stamp {
    bytes: Vec<u8>,
    stamp: u8,
    repeats: List,
    among_repeats: IndexTable,
}

impl Stamp {
    /// Bits of the largest space: 1 GiB.
    pub const MOST_BITS: u32 = 30;

    /// For trials of up to so many ids below 2^bits.
    pub fn new(bits: u32, draws: usize) -> Stamp {
        let among_repeats = IndexTable::new(draws);
        Stamp { bytes: vec![0; 1 << bits], stamp: 0, repeats: List::default(), among_repeats }
    }

    /// Bytes that it takes at most for ids of so many bytes.
    pub fn memory_bytes(bits: u32, draws: u64, id_bytes: u64) -> u64 {
        let stamps = 2u64.saturating_pow(bits);
        stamps.saturating_add((4 + id_bytes) * draws + IndexTable::memory_bytes(draws, id_bytes))
    }

    /// Counts ids, each below the size of the space, in the order in which they were drawn.
    pub fn count<I: Id>(&mut self, ids: &[I]) -> Counts {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.bytes.fill(0);
            self.stamp = 1;
        }
        let repeats = self.stamped(ids);
        if repeats == 0 {
            return Counts::default();
        }
        let (again, places) = self.repeats.parts::<I>(repeats);
        let pairs = repeats as u128 + self.among_repeats.count(again).pairs;
        Counts { repeats: repeats as u64, pairs, first_clash: Some(u64::from(places[0]) + 1) }
    }

    /// Stamps all and lists the repeats in order; how many these are.
    fn stamped<I: Id>(&mut self, ids: &[I]) -> usize {
        let (bytes, stamp) = (&mut self.bytes, self.stamp);
        let (again, places) = self.repeats.parts_mut::<I>(ids.len());
        let mut repeats = 0;
        for (place, id) in (0u32..).zip(ids) {
            let byte = &mut bytes[id.low() as usize];
            // Written always, kept where it is a repeat: no branch.
            again[repeats] = *id;
            places[repeats] = place;
            repeats += usize::from(*byte == stamp);
            *byte = stamp;
        }
        repeats
    }
}
