//! Counters for thousands of trials after each other whose ids lie in memory, chosen by name or by what was measured.

use super::arena::List;
use super::bit_filter::BitFilter;
use super::histogram::Histogram;
use super::index_table::IndexTable;
use super::mix::mixed;
use super::sorted::Sorted;
use super::stamp::Stamp;
use super::{Counts, Method, plain};
use crate::error::{Error, Result};
use crate::sim::draw::Id;

/// Draws of the largest trial: they are numbered in 32 bits.
pub const MOST_DRAWS: u64 = (1 << 32) - 1;

/// Counts trial after trial by one method, in memory that it keeps.
#[derive(Debug)]
pub struct Counter {
    method: Method,
    bits: u32,
    draws: u64,
    way: Way,
    /// Room for mixed ids, where they are to be mixed.
    mixed: Option<List>,
}

#[derive(Debug)]
enum Way {
    HashSet,
    Sort(Sorted),
    IndexTable(IndexTable),
    Stamp(Stamp),
    BitFilter(BitFilter),
    Histogram(Histogram),
}

impl Counter {
    /// Whether there is a counter for such trials, as [`Counter::new`] says it.
    pub fn check(method: Method, bits: u32, draws: u64) -> Result<()> {
        allowed(chosen(method, bits, draws), bits, draws)
    }

    /// A counter for trials of up to so many draws of ids below 2^bits, which are uniform or go through [`Counter::mixing`].
    ///
    /// An error where the method cannot: no memory for every value, more draws than it can number, or ids that it does not
    /// take from memory.
    pub fn new(method: Method, bits: u32, draws: u64) -> Result<Counter> {
        let method = chosen(method, bits, draws);
        allowed(method, bits, draws)?;
        let room = draws as usize;
        let way = match method {
            Method::HashSet => Way::HashSet,
            Method::Sort => Way::Sort(Sorted::default()),
            Method::Stamp => Way::Stamp(Stamp::new(bits, room)),
            Method::BitFilter => Way::BitFilter(BitFilter::new(room)),
            Method::Histogram => Way::Histogram(Histogram::new(bits)),
            Method::Auto | Method::IndexTable | Method::Partition => Way::IndexTable(IndexTable::new(room)),
        };
        Ok(Counter { method, bits, draws, way, mixed: None })
    }

    /// For ids that are not uniform: each is mixed, bijectively, before its low bits choose a place. Without it the counts are
    /// the same and take longer.
    #[must_use]
    pub fn mixing(mut self) -> Counter {
        // The other methods look at all bits of an id.
        if matches!(self.way, Way::IndexTable(_) | Way::BitFilter(_)) {
            self.mixed = Some(List::default());
        }
        self
    }

    /// The method that counts so many draws of so many bits where this one is asked for.
    pub fn method_for(method: Method, bits: u32, draws: u64) -> Method {
        chosen(method, bits, draws)
    }

    /// The method that counts; never [`Method::Auto`].
    pub fn method(&self) -> Method {
        self.method
    }

    /// Bytes that a counter takes at most, beside the ids; the witness's are an estimate.
    pub fn memory_bytes(method: Method, bits: u32, draws: u64) -> u64 {
        let id_bytes = if bits <= 32 { 4 } else { u64::from(bits.next_power_of_two() / 8) };
        match chosen(method, bits, draws) {
            // Some 7/8 of the buckets are full, a byte of control each, and the table doubles.
            Method::HashSet => (id_bytes + 1) * (draws * 8 / 7).next_power_of_two(),
            Method::Sort => Sorted::memory_bytes(draws, id_bytes),
            Method::Stamp => Stamp::memory_bytes(bits, draws, id_bytes),
            Method::BitFilter => BitFilter::memory_bytes(draws, id_bytes),
            Method::Histogram => Histogram::memory_bytes(bits),
            Method::Auto | Method::IndexTable | Method::Partition => {
                IndexTable::memory_bytes(draws, id_bytes)
            }
        }
    }

    /// Counts the ids of one trial in the order in which they were drawn.
    ///
    /// Panics where there are more ids than the counter was made for, or one of 2^bits or more.
    pub fn count<I: Id>(&mut self, ids: &[I]) -> Counts {
        assert!(ids.len() as u64 <= self.draws, "{} ids in a counter for {}", ids.len(), self.draws);
        let ids = match &mut self.mixed {
            None => ids,
            Some(room) => {
                let (into, _) = room.parts_mut::<I>(ids.len());
                into.iter_mut().zip(ids).for_each(|(into, id)| *into = mixed(*id));
                &*into
            }
        };
        match &mut self.way {
            Way::HashSet => plain::count(ids.iter().copied()),
            Way::Sort(sorted) => sorted.count(ids),
            Way::IndexTable(table) => table.count(ids),
            Way::Stamp(stamp) => stamp.count(within(ids, self.bits)),
            Way::BitFilter(filter) => filter.count(ids),
            Way::Histogram(histogram) => histogram.count(within(ids, self.bits)),
        }
    }
}

/// The ids, all of them below 2^bits: an id that is not would be taken for another one.
fn within<I: Id>(ids: &[I], bits: u32) -> &[I] {
    let above = |all: u64, id: &I| all | if I::BITS > 64 { (id.wide() >> 64) as u64 } else { 0 };
    let low = ids.iter().fold(0, |all, id| all | id.low());
    assert!(low >> bits == 0 && ids.iter().fold(0, above) == 0, "an id of 2^{bits} or more");
    ids
}

/// What counts fastest, where [`Method::Auto`] is asked for.
///
/// Nanoseconds an id, drawing included (Zen 3, 512 KiB second-level cache, a busy machine: compare within a line only):
///
/// | bits, draws | index-table | stamp | bit-filter | histogram |
/// |---|---|---|---|---|
/// | 8, 10 000 | 6.2 | 7.6 | 14 | 1.3 |
/// | 12, 2^12 | 5.1 | 3.3 | 9.7 | 5.5 |
/// | 18, 2^14 | 3.3 | 2.6 | 3.7 | 72 |
/// | 20, 2^14 | 2.9 | 3.8 | 3.7 | 10 |
/// | 22, 2^18 | 11 | 7.7 | 8.3 | 106 |
/// | 24, 2^18 | 9.4 | 36 | 7.3 | 115 |
/// | 32, 2^16 | 3.1 | | 3.5 | |
/// | 32, 2^17 | 4.4 | | 3.8 | |
/// | 40, 2^20 | 23 | | 14 | |
///
/// So: a histogram from two draws a value on; stamps from a sixteenth of that while they are in cache; else an index table while
/// two bytes number the draws, and a bit filter beyond.
fn chosen(method: Method, bits: u32, draws: u64) -> Method {
    if method != Method::Auto {
        return method;
    }
    let space = 1u128 << bits.min(120);
    let draws = u128::from(draws);
    match bits {
        ..=Histogram::MOST_BITS if draws >= 2 * space => Method::Histogram,
        ..=22 if 16 * draws >= space => Method::Stamp,
        _ if draws <= 1 << 16 => Method::IndexTable,
        _ => Method::BitFilter,
    }
}

fn allowed(method: Method, bits: u32, draws: u64) -> Result<()> {
    let most_bits = match method {
        Method::Stamp => Stamp::MOST_BITS,
        Method::Histogram => Histogram::MOST_BITS,
        Method::Partition => {
            return Err(Error::range(
                "--method: partition draws a trial again instead of taking its ids from memory; index-table counts those",
            ));
        }
        _ => 128,
    };
    let name = method.name();
    if !(1..=most_bits).contains(&bits) {
        let allowed = format!("between 1 and {most_bits} for {name}");
        return Err(Error::value(
            "--method: the bits of an id",
            &bits.to_string(),
            &allowed,
            "index-table for any",
        ));
    }
    if draws > MOST_DRAWS {
        let allowed = format!("at most {MOST_DRAWS} for {name}");
        return Err(Error::value(
            "--method: the draws of a trial",
            &draws.to_string(),
            &allowed,
            "partition",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_fastest_is_chosen_by_bits_and_draws() {
        let chosen = |bits, draws| chosen(Method::Auto, bits, draws);
        assert_eq!([chosen(20, 1 << 10), chosen(24, 1 << 12), chosen(32, 1 << 16)], [Method::IndexTable; 3]);
        assert_eq!([chosen(40, 1 << 20), chosen(122, MOST_DRAWS)], [Method::BitFilter; 2]);
        assert_eq!([chosen(10, 1 << 10), chosen(20, 1 << 16)], [Method::Stamp; 2]);
        assert_eq!([chosen(1, 4), chosen(10, 1 << 11), chosen(28, 1 << 29)], [Method::Histogram; 3]);
    }

    #[test]
    fn memory_is_planned_for_every_method_and_holds_its_tables() {
        let planned = |method| Counter::memory_bytes(method, 20, 1 << 16);
        // 2^19 slots of two bytes; a byte a value; four bytes a value; 2 · 2^20 bits.
        assert!(planned(Method::IndexTable) >= 1 << 20 && planned(Method::IndexTable) < 1 << 22);
        assert!(planned(Method::Stamp) >= (1 << 20) + planned(Method::IndexTable));
        assert_eq!(planned(Method::Histogram), 1 << 22);
        assert!(planned(Method::BitFilter) >= (1 << 18) + planned(Method::IndexTable));
        assert_eq!(planned(Method::Auto), planned(Method::Stamp));
    }
}
