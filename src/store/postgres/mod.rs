//! PostgreSQL: heap, index and write-ahead log of a table of idempotency keys.
//!
//! Everything follows from the documented page, index and log formats and the page model of the key's
//! order; the model is held to the rows of PostgreSQL 15.18 in `tests/data/`. Page size and segment
//! settings are the defaults.

mod churn;
mod heap;
mod index;
mod wal;

pub use churn::{Completed, Purged, partition_drop_log_bytes};
pub use wal::IndexLog;

use super::page::postgres::Split;
use super::page::{Arrival, Memo, Rule, Settled};
use super::record::Record;
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place};
use crate::error::Result;
use heap::{PAGE, Row};
use index::{Btree, Hash};
use wal::Interval;

/// Which indexes the table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Indexes {
    /// None: an upper bound on what a bare append costs, not a design.
    None,
    /// The primary key, a B-tree over the key.
    Key,
    /// A hash index over the key, as an exclusion constraint makes it unique.
    KeyHash,
    /// A unique B-tree over the owner columns and the key in place of the primary key.
    ScopeAndKey,
    /// The primary key, and a B-tree over `created_at` for a purge by age.
    KeyAndCreated,
    /// The primary key, and a BRIN over `created_at`.
    KeyAndCreatedBrin,
}

/// How far checkpoints lie apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Checkpoint {
    /// So many inserts.
    Inserts(f64),
    /// So many seconds: `checkpoint_timeout`, where `max_wal_size` does not force them earlier.
    Seconds(f64),
}

/// Whether the table still grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Being loaded: at the last checkpoint it was smaller by the inserts since.
    Loading,
    /// As many keys expire as arrive.
    Steady,
}

/// PostgreSQL with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Postgres {
    /// Which indexes the table has.
    pub indexes: Indexes,
    /// Percentage to which inserts fill heap pages; the rest is for heap-only updates.
    pub fill_factor_percent: u32,
    /// Percentage to which an ascending load fills leaves.
    pub index_fill_factor_percent: u32,
    /// Distance of checkpoints.
    pub checkpoint: Checkpoint,
    /// Whether the table still grows.
    pub phase: Phase,
    /// Rows inserted in one transaction.
    pub rows_per_transaction: f64,
    /// Share of dead rows at which a purge by row delete vacuums.
    pub vacuum_dead_share: f64,
    /// Partitions that the retention is divided into where expiry drops partitions.
    pub partitions: f64,
}

impl Postgres {
    /// [`Postgres::new`] as a constant.
    pub const DEFAULT: Postgres = Postgres::new();

    /// The defaults: primary key, fill factors 100 and 90, a checkpoint every 5 minutes, one row a
    /// transaction, vacuum at 20 % dead rows (`autovacuum_vacuum_scale_factor`), seven partitions.
    pub const fn new() -> Self {
        Postgres {
            indexes: Indexes::Key,
            fill_factor_percent: 100,
            index_fill_factor_percent: 90,
            checkpoint: Checkpoint::Seconds(300.0),
            phase: Phase::Steady,
            rows_per_transaction: 1.0,
            vacuum_dead_share: 0.2,
            partitions: 7.0,
        }
    }

    /// How leaves of the index over the key split.
    ///
    /// # Errors
    /// Where the key is too long for a B-tree.
    pub fn key_split(&self, record: &Record) -> Result<Split> {
        Ok(self.key_tree(record)?.split(self.index_fill_factor_percent))
    }

    fn key_tree(&self, record: &Record) -> Result<Btree> {
        match self.indexes {
            Indexes::ScopeAndKey => Btree::over_scope(record),
            _ => Btree::over_key(record),
        }
    }

    /// The order in which keys reach the index over them: behind an owner column, any.
    fn key_arrival(&self, load: &Load) -> Arrival {
        match self.indexes {
            Indexes::ScopeAndKey if load.record.scope != super::record::Scope::None => Arrival::Uniform,
            _ => load.arrival,
        }
    }

    fn interval(&self, load: &Load) -> Interval {
        let inserts = match self.checkpoint {
            Checkpoint::Inserts(inserts) => inserts,
            Checkpoint::Seconds(seconds) => seconds * load.rate_per_s,
        }
        .max(1.0);
        let keys_at_start = match self.phase {
            Phase::Loading => (load.live_keys - inserts).max(0.0),
            Phase::Steady => load.live_keys,
        };
        Interval { inserts, keys_at_start }
    }
}

impl Default for Postgres {
    fn default() -> Self {
        Self::new()
    }
}

/// One load laid out: what every figure is derived from.
struct Table<'a> {
    model: &'a Postgres,
    load: &'a Load,
    row: Row,
    interval: Interval,
    tree: Option<Tree>,
    created: Option<Tree>,
}

/// A B-tree with its leaves.
#[derive(Debug, Clone, Copy)]
struct Tree {
    entries: Btree,
    arrival: Arrival,
    split: Split,
    settled: Settled,
    /// All its pages, in bytes a key.
    bytes: f64,
}

impl Tree {
    fn new(model: &Postgres, entries: Btree, arrival: Arrival, keys: f64, pages: &Memo) -> Self {
        let split = entries.split(model.index_fill_factor_percent);
        let settled = pages.settle(Rule::Postgres(split), arrival, keys);
        Tree { entries, arrival, split, settled, bytes: PAGE * entries.pages(keys, &settled) / keys }
    }
}

impl<'a> Table<'a> {
    fn new(model: &'a Postgres, load: &'a Load, pages: &Memo) -> Result<Self> {
        let keys = load.live_keys;
        let row = Row::of(&load.record, model.fill_factor_percent)?;
        let tree = |entries, arrival| Tree::new(model, entries, arrival, keys, pages);
        let over_key = match model.indexes {
            Indexes::None | Indexes::KeyHash => None,
            _ => Some(model.key_tree(&load.record)?),
        };
        Ok(Table {
            model,
            load,
            row,
            interval: model.interval(load),
            tree: over_key.map(|entries| tree(entries, model.key_arrival(load))),
            created: (load.record.has_times()).then(|| tree(Btree::over_created(), Arrival::Ascending)),
        })
    }

    /// The index on `created_at` where the table has one at rest.
    fn created_at_rest(&self) -> Option<&Tree> {
        self.created.as_ref().filter(|_| self.model.indexes == Indexes::KeyAndCreated)
    }

    fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.tree.iter().chain(self.created_at_rest())
    }

    fn parts(&self) -> Vec<Part> {
        let keys = self.load.live_keys;
        let mut parts = Vec::with_capacity(16);
        self.row.parts(keys, &mut parts);
        if let Some(tree) = &self.tree {
            tree.entries.parts(keys, &tree.settled, &mut parts);
        }
        if let Some(tree) = self.created_at_rest() {
            parts.push(index::created_part(tree.bytes));
        }
        match self.model.indexes {
            Indexes::KeyHash => Hash::of(keys).parts(&mut parts),
            Indexes::KeyAndCreatedBrin => parts.push(index::brin_part(keys, self.row.pages(keys))),
            _ => {}
        }
        let map = PAGE * heap::free_space_map_pages(self.row.pages(keys)) / keys;
        let why = "a tree of pages, one for 4069 heap pages, at least three";
        parts.push(Part { name: "free space map", place: Place::Other, bytes: map, why });
        parts
    }

    fn log_parts(&self) -> Vec<Part> {
        let mut parts = Vec::with_capacity(10);
        wal::heap_parts(&self.row, self.model.rows_per_transaction, self.interval, &mut parts);
        for tree in self.trees() {
            wal::tree_parts(&tree.entries, &tree.settled, tree.arrival, self.interval, &mut parts);
        }
        if self.model.indexes == Indexes::KeyHash {
            wal::hash_parts(self.load.live_keys, self.interval, &mut parts);
        }
        parts
    }

    fn leaf_fill(&self) -> Option<f64> {
        match (&self.tree, self.model.indexes) {
            (Some(tree), _) => Some(tree.entries.leaf_fill(&tree.settled)),
            (None, Indexes::KeyHash) => Some(Hash::of(self.load.live_keys).fill()),
            _ => None,
        }
    }

    /// Distinct pages per insert between two checkpoints: new heap pages and leaves, the one at hand of
    /// each, and old leaves touched.
    fn pages_dirtied(&self) -> f64 {
        let inserts = self.interval.inserts;
        let touched = |arrival, settled: &Settled| {
            wal::touched_leaves(arrival, self.load.live_keys, settled, inserts) / inserts
                + settled.splits_per_insert
        };
        let trees: f64 = self.trees().map(|tree| touched(tree.arrival, &tree.settled)).sum();
        let hash = if self.model.indexes == Indexes::KeyHash {
            let hash = Hash::of(self.load.live_keys);
            -hash.buckets * (-inserts / hash.buckets).exp_m1() / inserts + 2.0 / Hash::PER_BUCKET
        } else {
            0.0
        };
        let out_of_line: f64 = self.row.moved_out.iter().flatten().map(heap::Toast::pages).sum();
        1.0 / self.row.per_page + (1.0 / inserts).min(1.0) + out_of_line + trees + hash
    }
}

impl Model for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn title(&self) -> &'static str {
        "PostgreSQL"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("PostgreSQL 15.18")
    }

    fn footprint(&self, load: &Load, pages: &Memo) -> Result<Footprint> {
        let table = Table::new(self, load, pages)?;
        let pages_dirtied = table.pages_dirtied();
        let parts = table.parts();
        let rest = parts.iter().map(|part| part.bytes).sum();
        Ok(Footprint {
            parts,
            leaf_fill: table.leaf_fill(),
            log_parts: table.log_parts(),
            completion_log_bytes: load.record.has_outcome().then(|| table.completion_log()),
            pages_dirtied_per_insert: Some(pages_dirtied),
            background_bytes_per_insert: PAGE * pages_dirtied,
            purges: if load.detail { table.purges(rest) } else { Vec::new() },
            spread: None,
            billing: Billing::Block,
            false_positive_rate: None,
            notes: if load.detail { table.notes() } else { Vec::new() },
        })
    }
}

impl Table<'_> {
    fn notes(&self) -> Vec<&'static str> {
        let mut notes = vec!["Responses are taken to be incompressible; TOAST compresses others."];
        if matches!(self.model.checkpoint, Checkpoint::Seconds(_)) {
            notes.push(
                "Page images assume that max_wal_size does not force checkpoints before checkpoint_timeout.",
            );
        }
        if self.model.indexes == Indexes::ScopeAndKey {
            notes.push("Accounts are taken to present themselves at random; others fill the index up to 15 % more or less.");
        }
        if self.model.indexes == Indexes::KeyHash {
            notes.push("A hash index cannot be a primary key; uniqueness takes an exclusion constraint.");
        }
        notes
    }
}
