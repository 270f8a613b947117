//! Leaf pages of a B-tree under a stream of inserts: how full they end up, and what splitting them
//! moves, as a function of the order in which keys arrive and of the engine's split rule.
//!
//! Only leaves are modelled, and of a leaf only how many entries it holds: entries of one index have
//! one size, and which key an entry holds matters only through where the next one goes.

mod fringe;
pub mod innodb;
mod memo;
pub mod postgres;
mod run;
pub mod sqlite;
mod stream;

pub use memo::Memo;

use fringe::Trajectory;
use run::insert;
use stream::Stream;

/// Seconds until the low 32 bits of a UUIDv1's 100 ns time start again (RFC 9562 §5.1).
pub const V1_WRAP_S: f64 = 4_294_967_296.0 * 100e-9;

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
    /// Slots ever allocated on each leaf, those of removed entries included; kept by InnoDB's rule alone.
    pub heap: Vec<u32>,
    /// Children of each node above the leaves, level by level up to the root; kept by SQLite's rule alone.
    pub above: Vec<Vec<u32>>,
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
    /// Pages above the leaves written to; counted by rules that keep them.
    pub inner_writes: u64,
}

impl Leaves {
    /// A tree of one empty leaf.
    pub fn new() -> Self {
        Leaves { counts: vec![0], last_insert: vec![u32::MAX], ..Leaves::default() }
    }

    /// Leaves that hold so many entries each.
    pub fn of(counts: Vec<u32>) -> Self {
        let last_insert = vec![u32::MAX; counts.len()];
        Leaves { counts, last_insert, ..Leaves::default() }
    }

    /// Puts one entry on a leaf that has room for it.
    pub fn add(&mut self, leaf: usize, position: u32) {
        self.counts[leaf] += 1;
        self.last_insert[leaf] = position;
        self.tally.leaf_writes += 1;
    }

    /// Leaves `left` entries on a leaf and puts a new leaf of `right` entries after it, of which
    /// `moved` were on the leaf before. Both leaves are written.
    pub fn split(&mut self, leaf: usize, left: u32, right: u32, moved: u32) {
        self.counts[leaf] = left;
        self.last_insert[leaf] = u32::MAX;
        self.counts.insert(leaf + 1, right);
        self.last_insert.insert(leaf + 1, u32::MAX);
        self.tally.splits += 1;
        self.tally.entries_moved += u64::from(moved);
        self.tally.leaf_writes += 2;
    }

    /// Whether nothing lies to the right of a leaf.
    pub fn is_rightmost(&self, leaf: usize) -> bool {
        leaf + 1 == self.counts.len()
    }

    /// Entries on all leaves.
    pub fn entries(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// The means over a run that began with the given tally.
    fn settled_since(&self, start: Tally) -> Settled {
        let run = self.tally;
        let inserts = (run.inserts - start.inserts).max(1) as f64;
        Settled {
            entries_per_leaf: self.entries() as f64 / self.counts.len() as f64,
            splits_per_insert: (run.splits - start.splits) as f64 / inserts,
            entries_moved_per_insert: (run.entries_moved - start.entries_moved) as f64 / inserts,
            leaf_writes_per_insert: (run.leaf_writes - start.leaf_writes) as f64 / inserts,
            inner_writes_per_insert: (run.inner_writes - start.inner_writes) as f64 / inserts,
        }
    }
}

/// How an engine adds an entry to a leaf and what it does when the leaf is full.
///
/// A rule is a small value: geometry in entries, and constants of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// PostgreSQL's nbtree.
    Postgres(postgres::Split),
    /// InnoDB.
    Innodb(innodb::Split),
    /// SQLite, an index b-tree: a `WITHOUT ROWID` table or an index.
    Sqlite(sqlite::Balance),
}

impl Rule {
    /// Puts one entry on a leaf at a position (0 before all, `counts[leaf]` after all), splitting or
    /// rebalancing where the leaf is full.
    pub fn insert(&self, leaves: &mut Leaves, leaf: usize, position: u32) {
        leaves.tally.inserts += 1;
        match self {
            Rule::Postgres(split) => split.insert(leaves, leaf, position),
            Rule::Innodb(split) => split.insert(leaves, leaf, position),
            Rule::Sqlite(balance) => balance.insert(leaves, leaf, position),
        }
    }

    /// Entries that a leaf takes without a look at anything but their number.
    fn room(&self, leaves: &Leaves, leaf: usize) -> u32 {
        let full = match self {
            // What comes after all its entries goes to the next.
            Rule::Sqlite(_) if !leaves.is_rightmost(leaf) => 0,
            _ => self.takes_below(leaves.is_rightmost(leaf)),
        };
        full.saturating_sub(leaves.counts[leaf])
    }

    /// Entries up to which a leaf takes another one, whichever it is and whatever its neighbours hold.
    ///
    /// For SQLite's rule this holds of entries that lie before the one that follows the leaf.
    pub fn takes_below(&self, rightmost: bool) -> u32 {
        match self {
            Rule::Postgres(split) if rightmost => split.capacity(),
            Rule::Postgres(split) => split.capacity_with_high_key(),
            Rule::Innodb(split) => split.roomy() + 1,
            Rule::Sqlite(balance) => balance.capacity() + u32::from(!rightmost),
        }
    }

    /// The split of a rule that halves full leaves whatever their neighbours hold and wherever entries went
    /// before: its limits have closed forms.
    fn halving(&self) -> Option<postgres::Split> {
        match self {
            Rule::Postgres(split) => Some(*split),
            Rule::Innodb(_) | Rule::Sqlite(_) => None,
        }
    }

    /// The leaves of an endless index under uniform arrival, for a rule whose leaves fare each by itself.
    fn expected_limit(&self) -> Option<Settled> {
        match self {
            Rule::Innodb(split) => innodb::limit(split),
            Rule::Postgres(_) | Rule::Sqlite(_) => None,
        }
    }

    /// The leaves of a growing index under uniform arrival, for a rule whose leaves fare each by itself.
    fn expected_growth(&self, limit: &Settled) -> Option<Trajectory> {
        match self {
            Rule::Postgres(split) => Some(Trajectory::new(*split)),
            Rule::Innodb(split) => innodb::Growth::new(split).map(|index| Trajectory::follow(index, limit)),
            Rule::Sqlite(_) => None,
        }
    }

    /// A rule for leaves of nearly the same capacity, whose limit under uniform arrival gives this one's.
    fn fills_like(&self) -> Option<Rule> {
        match self {
            Rule::Sqlite(balance) => balance.below().map(Rule::Sqlite),
            Rule::Postgres(_) | Rule::Innodb(_) => None,
        }
    }

    /// Entries that a leaf holds at most.
    pub fn capacity(&self) -> u32 {
        match self {
            Rule::Postgres(split) => split.capacity(),
            Rule::Innodb(split) => split.capacity(),
            // A leaf's count includes the entry that follows it in the parent.
            Rule::Sqlite(balance) => balance.capacity() + 1,
        }
    }
}

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
    /// Pages above the leaves written per insert; 0 where the rule does not keep them.
    pub inner_writes_per_insert: f64,
}

impl Settled {
    /// The same share of leaves that hold `to` entries, not `from`.
    fn scaled(self, to: u32, from: u32) -> Settled {
        let ratio = f64::from(to) / f64::from(from);
        Settled {
            entries_per_leaf: self.entries_per_leaf * ratio,
            splits_per_insert: self.splits_per_insert / ratio,
            ..self
        }
    }
}

/// Inserts exactly so many keys into an empty tree and reports the leaves that this makes, and the
/// means over the whole run. The same arguments give the same answer on every machine.
///
/// An insert costs some 10 ns; [`Arrival::Delayed`] takes 40 bytes of memory a key.
pub fn grow(rule: Rule, arrival: Arrival, keys: u64) -> Settled {
    let mut leaves = Leaves::new();
    let mut stream = Stream::new(arrival, rule.capacity(), keys);
    insert(rule, &mut leaves, &mut stream, keys);
    leaves.settled_since(Tally::default())
}
