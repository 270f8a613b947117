//! How often ids meet, exactly: repeats, colliding pairs, and how many were drawn when the first repeat came.
//!
//! Every way of counting gives the same numbers, whatever the ids are; they differ in time and memory. [`plain`] is the
//! witness of all others.

mod arena;
mod bit_filter;
pub mod cache;
mod group;
mod histogram;
mod index_table;
pub mod method;
mod mix;
pub mod partition;
pub mod plain;
mod sorted;
mod stamp;
mod tally;
pub mod window;
pub mod witnesses;

pub use cache::Counter;
pub use method::Method;

/// What was counted among ids, or among those of a share of all values: counts of disjoint shares add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Ids that had come before: n − distinct.
    pub repeats: u64,
    /// Pairs of equal ids: k equal ones are k(k − 1)/2.
    pub pairs: u128,
    /// Ids drawn when the first repeat came, itself included; none without a repeat. At least 2.
    pub first_clash: Option<u64>,
}

impl Counts {
    /// What two disjoint shares of the values of one trial saw between them.
    #[must_use]
    pub fn and(self, other: Counts) -> Counts {
        let first = [self.first_clash, other.first_clash].into_iter().flatten().min();
        Counts { repeats: self.repeats + other.repeats, pairs: self.pairs + other.pairs, first_clash: first }
    }
}
