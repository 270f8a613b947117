//! Leaf pages of a B-tree under a stream of inserts: how full they end up, and what splitting them
//! moves, as a function of the order in which keys arrive and of the engine's split rule.
//!
//! Only leaves are modelled, and of a leaf only how many entries it holds: entries of one index have
//! one size, and which key an entry holds matters only through where the next one goes.

use std::hash::Hash;

/// The order in which keys reach an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrival {
    /// Anywhere with equal chance: UUIDv4, random strings, hashes, and any key behind a scope column.
    Uniform,
    /// Each above all before it: strictly monotonic UUIDv7, auto-increment, time stamps.
    Ascending,
    /// In time order from bucket to bucket and in random order within: UUIDv7 with random low bits,
    /// of which rate / 1000 share a millisecond.
    Bucketed {
        /// Mean number of keys in one bucket.
        keys_per_bucket: f64,
    },
    /// As `Bucketed` by the millisecond, but each key arrives late by an exponential delay.
    Delayed {
        /// Keys per second.
        rate_per_s: f64,
        /// Mean delay in seconds.
        mean_delay_s: f64,
    },
    /// Ascending, but starting again from the bottom every so many keys: UUIDv1, whose low 32 bits of
    /// 100 ns time come first and wrap every 429.5 s.
    Wrapping {
        /// Keys between two wraps.
        keys_per_wrap: f64,
    },
}

/// Leaves in key order, and what was done to them.
#[derive(Debug, Clone, Default)]
pub struct Leaves {
    /// Entries in each leaf.
    pub counts: Vec<u32>,
    /// Position of the entry inserted last in each leaf, `u32::MAX` where it is not known; some split
    /// rules look at it.
    pub last_insert: Vec<u32>,
    /// What happened so far.
    pub tally: Tally,
}

/// Sums over a run of inserts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// Entries inserted.
    pub inserts: u64,
    /// Times that a leaf overflowed and a new leaf was made.
    pub splits: u64,
    /// Entries that went to another page than the one they were on.
    pub entries_moved: u64,
    /// Leaf pages written to, each insert and each split or rebalance counted.
    pub leaf_writes: u64,
}

/// How an engine adds an entry to a leaf and what it does when the leaf is full.
///
/// A rule is a small value: geometry in entries, and constants of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {}

/// The leaves of an index that has settled, or that holds a given number of keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// Mean entries in a leaf.
    pub entries_per_leaf: f64,
    /// Splits per insert.
    pub splits_per_insert: f64,
    /// Entries moved to another page per insert.
    pub entries_moved_per_insert: f64,
    /// Leaf pages written per insert.
    pub leaf_writes_per_insert: f64,
}

/// Page models already run: an answer for a grid needs each of them once.
#[derive(Debug, Default)]
pub struct Memo {}
