//! What happens to a row after its insert: the update that records the outcome, and its expiry.
//!
//! Source: PostgreSQL documentation, "Heap-Only Tuples", "Routine Vacuuming", "Bottom-up Index Deletion";
//! `heapam_xlog.h`, `pruneheap.c`, `nbtinsert.c`, `nbtpage.c`.

use super::heap::{PAGE, Row, max_align};
use super::index::leaves;
use super::wal::{self, BLOCK, DATA, RECORD, ROW_FIELDS, ROW_HEADER, logged};
use super::{Arrival, Memo, Postgres, Settled, Table, Tree};
use crate::error::Result;
use crate::store::record::Record;
use crate::store::{Load, Purge};

/// Image of a full heap page: 8192 bytes less the hole, here a row at most.
const HEAP_IMAGE: f64 = PAGE + 5.0;
/// How many standard deviations above its mean the fullest moment of a leaf in ten retentions lies: one
/// in two leaves stays below, and each retention brings two independent counts, so `Φ(z)^20 = 1/2`. Ten
/// times as many retentions would make it 2.5 and the index 4 % larger.
const FULLEST_Z: f64 = 1.82;
/// Catalogue rows that dropping a partition of nine columns, its primary key and its TOAST table deletes,
/// counted with `pg_waldump`: mostly `pg_attribute`, `pg_depend`, `pg_class`, `pg_type`, `pg_index`.
const DROPPED_CATALOGUE_ROWS: f64 = 53.0;
/// Catalogue pages on which they lie, each logged as an image where it was not changed since the last
/// checkpoint; taken to be three quarters full.
const DROPPED_CATALOGUE_PAGES: f64 = 8.0;
const CATALOGUE_IMAGE: f64 = 0.75 * PAGE;
/// The commit names what other sessions must forget: 16 bytes for each of some 90 catalogue entries.
const DROP_COMMIT: f64 = 1500.0;

/// A key's life up to its outcome: inserted as a claim, then updated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Completed {
    /// Log bytes of both writes.
    pub log_bytes_per_key: f64,
    /// Log bytes of the update alone.
    pub update_log_bytes: f64,
    /// Share of updates that need no new index entry because the new version fits on the old one's page.
    pub heap_only_share: f64,
    /// Bytes of the table a key, old versions included, before any vacuum.
    pub table_bytes_per_key: f64,
    /// Bytes of the key's index a key, entries of old versions included, before any vacuum.
    pub index_bytes_per_key: f64,
}

/// A table in steady state: one key deleted for each one inserted, vacuumed at a share of dead rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Purged {
    /// Table and TOAST bytes a live key.
    pub table_bytes_per_key: f64,
    /// Bytes of the key's index a live key.
    pub index_bytes_per_key: f64,
    /// Bytes of the index on `created_at` a live key; 0 where the purge does without one.
    pub created_index_bytes_per_key: f64,
    /// Fill of the key's index after a vacuum.
    pub leaf_fill: Option<f64>,
    /// Log bytes a key deleted: its delete, its vacuum, and its entry in an index that only the purge needs.
    pub log_bytes_per_key: f64,
    /// Pages dirtied a key deleted.
    pub pages_dirtied_per_key: f64,
}

/// Log bytes of dropping one partition, whatever its size: its catalogue rows, images of the pages that
/// they lie on, and the commit.
pub fn partition_drop_log_bytes() -> f64 {
    DROPPED_CATALOGUE_ROWS * heap_delete()
        + DROPPED_CATALOGUE_PAGES * logged(CATALOGUE_IMAGE)
        + logged(DROP_COMMIT)
}

/// `xl_heap_delete`: 8 bytes.
fn heap_delete() -> f64 {
    logged(RECORD + BLOCK + DATA + 8.0)
}

impl Table<'_> {
    /// Log bytes of the update that records the outcome.
    pub(super) fn completion_log(&self) -> f64 {
        self.completed().update_log_bytes
    }

    /// The claim as inserted: `response` and `status` are NULL, the bitmap that marks them is there.
    fn claim(&self) -> Row {
        let record = Record { response_bytes: 0, ..self.load.record };
        let mut row = Row::of(&record, self.model.fill_factor_percent).unwrap_or(self.row);
        row.length -= 2;
        row
    }

    /// Share of updates that stay on their page. Old versions of finished transactions are pruned when
    /// the page is next visited, so that one row a transaction only needs room for what rows grow by and
    /// one version; a batch keeps all its old versions.
    fn heap_only_share(&self, claim: &Row) -> f64 {
        if self.row.moved_out.iter().any(Option::is_some) {
            return 0.0;
        }
        let [old, new] = [claim.length, self.row.length].map(|length| (max_align(length) + 4) as f64);
        let rows = claim.per_page;
        let room = PAGE - 24.0 - rows * old;
        let batch = self.model.rows_per_transaction > 1.0;
        let needed = if batch { rows * new } else { rows * (new - old).max(0.0) + new };
        // A page keeps what is left of its last row's place; it takes whole versions.
        let fits = if batch { (room / new).floor() * new } else { room };
        (fits.max(0.0) / needed).min(1.0)
    }

    /// Insert of a claim and its completion.
    ///
    /// Entries of old versions that a vacuum frees are filled again where keys arrive in any order. Where
    /// they arrive in order nothing comes back to a leaf, so that it keeps both versions of its keys,
    /// merged into one entry with two row pointers (deduplication).
    fn completed(&self) -> Completed {
        let claim = self.claim();
        let hot = self.heap_only_share(&claim);
        let insert: f64 = wal::heap_insert(claim.length) + self.trees().map(entry_log).sum::<f64>();
        let commit = self.commit_log();
        let update = hot * self.heap_only_update(&claim) + (1.0 - hot) * self.moving_update() + commit;
        let index = self.tree.as_ref().map_or(0.0, |tree| {
            let versions = if is_ordered(tree.arrival) {
                tree.entries.of_two_versions().entry() / tree.entries.entry()
            } else {
                1.0 + self.model.vacuum_dead_share
            };
            tree.bytes * (hot + (1.0 - hot) * versions)
        });
        let old_versions = if self.model.rows_per_transaction > 1.0 { 1.0 - hot } else { 0.0 };
        Completed {
            log_bytes_per_key: insert + commit + update,
            update_log_bytes: update,
            heap_only_share: hot,
            table_bytes_per_key: PAGE / self.row.per_page.min(claim.per_page)
                + old_versions * PAGE / claim.per_page,
            index_bytes_per_key: index,
        }
    }

    fn commit_log(&self) -> f64 {
        logged(wal::COMMIT) / self.model.rows_per_transaction.max(1.0)
    }

    /// `XLOG_HEAP_HOT_UPDATE` (14 bytes, prefix and suffix lengths, null bitmap and what changed) and a
    /// share of the record that prunes the page, 4 bytes a redirected row.
    fn heap_only_update(&self, claim: &Row) -> f64 {
        let response = if self.row.moved_out[1].is_some() { 18 } else { self.load.record.response_bytes };
        // State and status change; a response at the end shifts what lies between out of the suffix.
        let shifted = if response > 0 && self.load.record.fingerprint { 33.0 } else { 0.0 };
        let bitmap = (self.row.header - 23) as f64;
        let changed = 4.0 + shifted + response as f64 + bitmap;
        let prune = logged(RECORD + BLOCK + DATA + 8.0 + 4.0 * claim.per_page) / claim.per_page;
        logged(RECORD + BLOCK + DATA + 14.0 + 4.0 + ROW_FIELDS + changed) + prune
    }

    /// An update that goes to another page: the row is locked while that is found (`XLOG_HEAP_LOCK`, 8
    /// bytes), the new version is logged whole, and every index gets an entry.
    fn moving_update(&self) -> f64 {
        let row = self.row.length as f64 - ROW_HEADER;
        let update = RECORD + BLOCK + wal::NEXT_BLOCK + DATA + 14.0 + ROW_FIELDS + row;
        let out_of_line: f64 = self.row.moved_out[1].iter().map(wal::toast_insert).sum();
        heap_delete() + logged(update) + out_of_line + self.trees().map(entry_log).sum::<f64>()
    }

    /// The steady state under a purge that deletes rows by age and vacuums at a dead share.
    ///
    /// Table: dead rows of one share wait for the vacuum. An index that is emptied from one end gets its
    /// pages back one vacuum later still, so two shares wait. In an index under uniform keys leaves are
    /// emptied evenly and never merged.
    pub(super) fn purged(&self, dead_share: f64, by_created: bool) -> Purged {
        let keys = self.load.live_keys;
        let d = dead_share.clamp(0.0, 1e6);
        let table = self.row.bytes(keys);
        let one_end = |tree: &Tree| tree.bytes * (1.0 + 2.0 * d);
        let (index, leaf_fill) = match &self.tree {
            Some(tree) if is_ordered(tree.arrival) => {
                (one_end(tree), Some(tree.entries.leaf_fill(&tree.settled)))
            }
            Some(tree) => {
                let settled = self.thinned(tree, d);
                let pages = tree.entries.pages(keys, &settled);
                (PAGE * pages / keys, Some(tree.entries.leaf_fill(&settled)))
            }
            None => (self.other_index(1.0 + d), self.leaf_fill().map(|fill| fill / (1.0 + d))),
        };
        let created = self.created.as_ref().filter(|_| by_created);
        Purged {
            table_bytes_per_key: table * (1.0 + d),
            index_bytes_per_key: index,
            created_index_bytes_per_key: created.map_or(0.0, one_end),
            leaf_fill,
            log_bytes_per_key: self.delete_log(d, created),
            pages_dirtied_per_key: self.delete_pages(d, created),
        }
    }

    /// Bytes of an index that is no B-tree, dimensioned for so many times the live keys.
    fn other_index(&self, factor: f64) -> f64 {
        match self.model.indexes {
            super::Indexes::KeyHash => {
                PAGE * super::Hash::of(self.load.live_keys * factor).pages / self.load.live_keys
            }
            _ => 0.0,
        }
    }

    /// Leaves under uniform inserts and deletes. A leaf of a key range in which `m` keys live holds up to
    /// `x = m·(1 + d)` before a vacuum, Poisson distributed, and splits where `x + z·√x` reaches its
    /// capacity ([`FULLEST_Z`]). Ranges are halved from there, so the mean is `ln 2` of the largest.
    fn thinned(&self, tree: &Tree, dead_share: f64) -> Settled {
        let (left, right) = tree.split.halves();
        let full = f64::from(left + right);
        let root = (-FULLEST_Z + (FULLEST_Z * FULLEST_Z + 4.0 * full).sqrt()) / 2.0;
        let largest = root * root / (1.0 + dead_share);
        let entries_per_leaf = (largest * std::f64::consts::LN_2).min(tree.settled.entries_per_leaf);
        Settled { entries_per_leaf, ..tree.settled }
    }

    /// Log of a delete and its share of a vacuum: the delete's record and the image of its old page; for
    /// each page prune, vacuum and visibility records with 2 bytes a dead row, and a second image where
    /// a checkpoint passed since; for each leaf 2 bytes an entry.
    fn delete_log(&self, d: f64, created: Option<&Tree>) -> f64 {
        let rows = self.row.per_page;
        let out_of_line: f64 = self.row.moved_out.iter().flatten().map(super::heap::Toast::pages).sum();
        let chunks: f64 = self.row.moved_out.iter().flatten().map(super::heap::Toast::chunks).sum();
        let later = self.checkpoint_between(d);
        let heap_pages = 1.0 / rows + out_of_line;
        let heap = (1.0 + chunks) * (heap_delete() + 2.0 * 2.0)
            + heap_pages * (1.0 + later) * logged(HEAP_IMAGE)
            + heap_pages * (2.0 * logged(RECORD + BLOCK + DATA + 8.0) + logged(RECORD + BLOCK + BLOCK));
        let trees: f64 = self.tree.iter().chain(created).map(|tree| self.leaf_vacuum_log(tree, d)).sum();
        let only_for_purge: f64 = created.filter(|_| self.created_at_rest().is_none()).map_or(0.0, entry_log);
        heap + trees + only_for_purge
    }

    /// Probability that a checkpoint passes between a delete and the vacuum that follows it.
    fn checkpoint_between(&self, d: f64) -> f64 {
        (d * self.load.live_keys / 2.0 / self.interval.inserts).min(1.0)
    }

    /// A vacuum's records for one index, a key deleted.
    fn leaf_vacuum_log(&self, tree: &Tree, d: f64) -> f64 {
        let keys = self.load.live_keys;
        let visits = self.leaf_visits(tree, d);
        let record = logged(RECORD + BLOCK + DATA + 4.0);
        if is_ordered(tree.arrival) {
            // A leaf is emptied as a whole, marked half-dead and unlinked: its neighbours and parent change.
            let deletion = 2.0 * logged(RECORD + DATA + BLOCK + 3.0 * wal::NEXT_BLOCK + 32.0);
            return visits * (record + deletion) + 2.0;
        }
        // Leaves that inserts changed since the last checkpoint have been logged as images by then.
        let leaves = leaves(keys, &tree.settled);
        let ratio = self.interval.inserts / leaves;
        let untouched = -(-ratio).exp_m1() / ratio;
        let image = tree.entries.leaf_bytes(&tree.settled) + 45.0;
        visits * (record + untouched * logged(image)) + 2.0
    }

    /// Leaves of an index that vacuums write, a key deleted.
    fn leaf_visits(&self, tree: &Tree, d: f64) -> f64 {
        let per_leaf = tree.settled.entries_per_leaf;
        if is_ordered(tree.arrival) {
            return 1.0 / per_leaf;
        }
        // Each vacuum visits every leaf from which something has gone.
        let gone = (d * per_leaf).max(1e-9);
        (1.0 / per_leaf) * -(-gone).exp_m1() / d.max(1e-9)
    }

    fn delete_pages(&self, d: f64, created: Option<&Tree>) -> f64 {
        let out_of_line: f64 = self.row.moved_out.iter().flatten().map(super::heap::Toast::pages).sum();
        let trees: f64 = self.tree.iter().chain(created).map(|tree| self.leaf_visits(tree, d)).sum();
        (1.0 / self.row.per_page + out_of_line) * (1.0 + self.checkpoint_between(d)) + trees
    }

    /// The ways to expire keys that the record and the order of its keys allow; `rest` is the bytes a key
    /// before any purge.
    pub(super) fn purges(&self, rest: f64) -> Vec<Purge> {
        let d = self.model.vacuum_dead_share;
        let mut purges = Vec::with_capacity(4);
        let mut add = |strategy, purged: Purged, how| {
            purges.push(Purge {
                strategy,
                bytes_per_live_key: purged.table_bytes_per_key
                    + purged.index_bytes_per_key
                    + purged.created_index_bytes_per_key,
                log_bytes_per_key: purged.log_bytes_per_key,
                pages_dirtied_per_key: purged.pages_dirtied_per_key,
                how,
            });
        };
        if self.load.record.has_times() {
            add(
                "row delete",
                self.purged(d, true),
                "DELETE by created_at through an index on it, vacuum as soon as the dead share is reached",
            );
            add(
                "row delete, autovacuum",
                self.purged(2.0 * d, true),
                "the same left to autovacuum at its default cost limit, which takes until as many rows again are dead",
            );
        }
        if self.tree.as_ref().is_some_and(|tree| is_ordered(tree.arrival)) {
            add(
                "key-range delete",
                self.purged(d, false),
                "DELETE below the key of the expiry time: the time-ordered key is its own index by age",
            );
        }
        let partitions = self.model.partitions.max(1.0);
        purges.push(Purge {
            strategy: "partition drop",
            bytes_per_live_key: rest * (1.0 + 1.0 / partitions),
            log_bytes_per_key: partition_drop_log_bytes() * partitions / self.load.live_keys,
            pages_dirtied_per_key: (DROPPED_CATALOGUE_PAGES * partitions / self.load.live_keys).min(1.0),
            how: "one partition more than the retention has; a key is unique only within its partition unless the partition follows from it",
        });
        purges
    }
}

/// Log of an entry and its share of splits, page images aside.
fn entry_log(tree: &Tree) -> f64 {
    wal::leaf_insert(&tree.entries) + wal::splits(&tree.entries, &tree.settled)
}

/// Whether expiry empties an index from one end.
fn is_ordered(arrival: Arrival) -> bool {
    matches!(arrival, Arrival::Ascending | Arrival::Bucketed { .. } | Arrival::Delayed { .. })
}

impl Postgres {
    /// What a claim and the update that completes it write and leave behind.
    ///
    /// # Errors
    /// Where the record does not fit.
    pub fn completed(&self, load: &Load, pages: &Memo) -> Result<Completed> {
        Ok(Table::new(self, load, pages)?.completed())
    }

    /// The steady state under deletes by `created_at` (through an index on it) or by key range.
    ///
    /// # Errors
    /// Where the record does not fit.
    pub fn purged(&self, load: &Load, pages: &Memo, dead_share: f64, by_created: bool) -> Result<Purged> {
        Ok(Table::new(self, load, pages)?.purged(dead_share, by_created))
    }
}
