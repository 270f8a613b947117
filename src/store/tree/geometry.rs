//! Pages of an index in one engine: what an entry takes, how many fit, by which rule a full page is divided,
//! and what the engine logs of it.
//!
//! Sources: as in `page`, where the rules of division are, and `postgres`, `innodb`, `sqlite`, where the
//! formats of their logs are.

use super::Tally;
use crate::error::{Error, Result};
use crate::store::page::{Rule, innodb, postgres, sqlite};
use crate::store::{innodb as innodb_store, postgres as postgres_store, sqlite as sqlite_store};
use serde::Serialize;
use std::str::FromStr;

/// Whose pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// PostgreSQL's nbtree: an index beside the table.
    Postgres,
    /// A `WITHOUT ROWID` table or an index of SQLite.
    Sqlite,
    /// A clustered index of InnoDB.
    Innodb,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 3] = [Engine::Postgres, Engine::Sqlite, Engine::Innodb];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Postgres => "postgres",
            Engine::Sqlite => "sqlite",
            Engine::Innodb => "innodb",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Engine::Postgres => "PostgreSQL",
            Engine::Sqlite => "SQLite",
            Engine::Innodb => "InnoDB",
        }
    }

    /// Bytes of a page by default.
    pub fn page_bytes(self) -> u32 {
        match self {
            Engine::Postgres => 8192,
            Engine::Sqlite => sqlite::PAGE_BYTES,
            Engine::Innodb => innodb::PAGE_BYTES,
        }
    }

    /// Bytes that an entry of a key alone takes on a leaf: PostgreSQL 8 of header and 4 of line pointer,
    /// aligned to 8; SQLite payload length, record header and cell pointer; InnoDB 5 of header and 13 of
    /// system columns.
    pub fn entry_bytes(self, key_bytes: u32) -> u32 {
        match self {
            Engine::Postgres => (8 + key_bytes).next_multiple_of(8) + 4,
            Engine::Sqlite => key_bytes + 5,
            Engine::Innodb => key_bytes + 18,
        }
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(text: &str) -> Result<Engine> {
        let word = text.trim().to_ascii_lowercase();
        let word = match word.as_str() {
            "postgresql" => "postgres",
            "mysql" | "mariadb" => "innodb",
            other => other,
        };
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == word);
        found.ok_or_else(|| Error::value("an engine", text, "postgres, sqlite or innodb", "postgres"))
    }
}

/// Pages and entries of one index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    engine: Engine,
    page_bytes: u32,
    entry_bytes: u32,
    /// Bytes of an entry above the leaves.
    pivot_bytes: u32,
    leaf: Rule,
    inner: Rule,
}

impl Geometry {
    /// Pages of so many bytes for entries of so many, all that an entry takes on a leaf included, over keys of
    /// `key_bytes`.
    ///
    /// # Errors
    /// Where a page is no power of 2 from 512 to 65536 bytes (InnoDB: from 4096), or fewer than four entries
    /// of at least 8 bytes fit on it.
    pub fn new(engine: Engine, page_bytes: u32, entry_bytes: u32, key_bytes: u32) -> Result<Geometry> {
        let least = if engine == Engine::Innodb { 4096 } else { 512 };
        if !page_bytes.is_power_of_two() || !(least..=65_536).contains(&page_bytes) {
            let allowed = format!("a power of 2 from {least} to 65536");
            return Err(Error::value("page-bytes", &page_bytes.to_string(), &allowed, "8192"));
        }
        let most = (page_bytes - innodb::PAGE_HEADER_BYTES) / 4;
        if !(8..=most).contains(&entry_bytes) {
            let allowed = format!("from 8 to {most}, a quarter of a page of {page_bytes}");
            return Err(Error::value("entry-bytes", &entry_bytes.to_string(), &allowed, "28"));
        }
        let pivot = engine.entry_bytes(key_bytes).min(entry_bytes);
        let (leaf, inner, pivot_bytes) = match engine {
            Engine::Postgres => {
                let room = page_bytes - postgres::PAGE_HEADER_BYTES;
                let split = |entry, fill| Rule::Postgres(postgres::Split::on_room(room, entry, pivot, fill));
                (split(entry_bytes, LEAF_FILL_FACTOR), split(pivot, INNER_FILL_FACTOR), pivot)
            }
            Engine::Innodb => {
                // A node pointer: 5 of header, the key, 4 of page number.
                let pivot = pivot.min(5 + key_bytes + 4);
                let split = |entry, leaf| Rule::Innodb(innodb::Split::on_page(page_bytes, entry, leaf));
                (split(entry_bytes, true), split(pivot, false), pivot)
            }
            Engine::Sqlite => {
                let balance = sqlite::Balance::on_page(page_bytes, f64::from(entry_bytes));
                let above = Rule::Sqlite(balance.above());
                (Rule::Sqlite(balance), above, entry_bytes + sqlite::CHILD_BYTES)
            }
        };
        Ok(Geometry { engine, page_bytes, entry_bytes, pivot_bytes, leaf, inner })
    }

    /// Pages of an engine's default size and entries of the key alone.
    ///
    /// # Errors
    /// Where the key is too long for them.
    pub fn of_keys(engine: Engine, key_bytes: u32) -> Result<Geometry> {
        Geometry::new(engine, engine.page_bytes(), engine.entry_bytes(key_bytes), key_bytes)
    }

    /// Whose pages.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> u32 {
        self.page_bytes
    }

    /// Bytes of an entry on a leaf.
    pub fn entry_bytes(&self) -> u32 {
        self.entry_bytes
    }

    /// The rule by which pages of a level are divided; leaves are level 0.
    pub(super) fn rule(&self, level: u8) -> Rule {
        if level == 0 { self.leaf } else { self.inner }
    }

    /// Entries that a leaf holds at most.
    pub fn leaf_capacity(&self) -> u32 {
        self.leaf.capacity()
    }

    /// Bytes of a leaf for entries.
    fn room_bytes(&self) -> u32 {
        self.page_bytes
            - match self.engine {
                Engine::Postgres => postgres::PAGE_HEADER_BYTES,
                Engine::Sqlite => sqlite::LEAF_HEADER_BYTES,
                Engine::Innodb => innodb::PAGE_HEADER_BYTES,
            }
    }

    /// Bytes of a page of a level that so many entries take, beside its header.
    pub(super) fn used_bytes(&self, level: u8, entries: u32) -> u64 {
        let entry = if level == 0 { self.entry_bytes } else { self.pivot_bytes };
        u64::from(entry) * u64::from(entries)
            + match self.engine {
                Engine::Postgres => u64::from(self.pivot_bytes),
                // Half of a directory slot of 2 bytes for each 4 records.
                Engine::Innodb => u64::from(entries) / 2,
                // Where the entry that follows a leaf lies above it, it is counted with the leaf.
                Engine::Sqlite => 0,
            }
    }

    /// Share of a leaf that is in use: entries, and what the engine keeps beside each.
    pub fn leaf_fill(&self, entries_per_leaf: f64) -> f64 {
        let entry = f64::from(self.entry_bytes);
        let used = match self.engine {
            Engine::Postgres => entries_per_leaf * entry + f64::from(self.pivot_bytes),
            Engine::Sqlite => (entries_per_leaf - 1.0).max(0.0) * entry,
            Engine::Innodb => entries_per_leaf * (entry + 0.5),
        };
        (used / f64::from(self.room_bytes())).min(1.0)
    }

    /// Leaves that an ascending load of so many keys makes, at the engine's fill factor.
    pub fn ascending_leaves(&self, keys: f64) -> f64 {
        let per_leaf = match self.leaf {
            Rule::Postgres(split) => f64::from(split.ascending()),
            Rule::Innodb(split) => f64::from(split.ascending()),
            // Packed by threes, the last pair always half full (`page::sqlite`).
            Rule::Sqlite(balance) => 0.875 * f64::from(balance.capacity()) + 1.0,
        };
        (keys / per_leaf).max(1.0)
    }

    /// Bytes of log that what was done to the index made, in all.
    pub fn log(&self, tally: &Tally) -> Log {
        match self.engine {
            Engine::Postgres => postgres_log(self, tally),
            Engine::Innodb => innodb_log(self, tally),
            // A transaction logs each page that it changed, whole.
            Engine::Sqlite => {
                let frame = sqlite_store::frame_bytes(f64::from(self.page_bytes));
                Log { images: tally.traffic.changed_by_transactions as f64 * frame, ..Log::default() }
            }
        }
    }

    /// Bytes written for each byte of entry: the log, and pages, which InnoDB writes twice (doublewrite).
    pub fn write_amplification(&self, tally: &Tally) -> f64 {
        let copies = if self.engine == Engine::Innodb { 2.0 } else { 1.0 };
        let pages = tally.traffic.written as f64 * f64::from(self.page_bytes) * copies;
        (pages + self.log(tally).total()) / (tally.inserts.max(1) as f64 * f64::from(self.entry_bytes))
    }
}

/// Fill factor of the rightmost leaf (`BTREE_DEFAULT_FILLFACTOR`), percent.
const LEAF_FILL_FACTOR: u32 = 90;
/// The same above the leaves (`BTREE_NONLEAF_FILLFACTOR`).
const INNER_FILL_FACTOR: u32 = 70;

/// Bytes of log, by what they are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Log {
    /// Entries.
    pub entries: f64,
    /// Divided pages.
    pub splits: f64,
    /// Whole pages: after a checkpoint, or by each transaction.
    pub images: f64,
}

impl Log {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.entries + self.splits + self.images
    }

    /// The same for each of so many inserts.
    #[must_use]
    pub fn each(&self, inserts: f64) -> Log {
        Log { entries: self.entries / inserts, splits: self.splits / inserts, images: self.images / inserts }
    }
}

fn postgres_log(geometry: &Geometry, tally: &Tally) -> Log {
    let index = postgres_store::IndexLog::new(geometry.entry_bytes, geometry.pivot_bytes);
    let mean = |sum: u64, of: u64| sum as f64 / of.max(1) as f64;
    let leaf_splits = tally.splits as f64 * index.split(mean(tally.entries_moved, tally.splits) + 1.0);
    let inner =
        tally.inner_splits as f64 * index.inner_split(mean(tally.inner_moved, tally.inner_splits) + 1.0);
    Log {
        entries: tally.inserts as f64 * index.entry(),
        splits: leaf_splits + inner,
        images: index.images(tally.traffic.images as f64, tally.image_bytes as f64),
    }
}

fn innodb_log(geometry: &Geometry, tally: &Tally) -> Log {
    let data = f64::from(geometry.entry_bytes);
    Log {
        entries: tally.inserts as f64 * innodb_store::entry_log(data, tally.leaves as f64),
        splits: innodb_store::split_log(data, tally.entries_moved as f64, tally.splits as f64)
            + innodb_store::split_log(
                f64::from(geometry.pivot_bytes),
                tally.inner_moved as f64,
                tally.inner_splits as f64,
            ),
        images: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_uuid_are_those_of_the_stores() {
        assert_eq!(Engine::ALL.map(|engine| engine.entry_bytes(16)), [28, 21, 34]);
        let capacity = |engine| Geometry::of_keys(engine, 16).expect("fits").leaf_capacity();
        assert_eq!(Engine::ALL.map(capacity), [291, 195, 471]);
    }

    #[test]
    fn pages_of_no_engine_are_refused() {
        for (engine, page, entry) in [
            (Engine::Postgres, 8191, 28),
            (Engine::Postgres, 131_072, 28),
            (Engine::Innodb, 2048, 28),
            (Engine::Sqlite, 512, 200),
            (Engine::Postgres, 8192, 7),
        ] {
            let refused = Geometry::new(engine, page, entry, 16).expect_err("no such pages");
            assert!(refused.is_usage() && !refused.to_string().contains('\n'), "{refused}");
        }
        assert!(Geometry::new(Engine::Innodb, 65_536, 4000, 16).is_ok());
    }

    #[test]
    fn an_ordered_load_fills_nine_tenths() {
        let geometry = Geometry::of_keys(Engine::Postgres, 16).expect("fits");
        assert!((geometry.ascending_leaves(2e6) - 7662.8).abs() < 0.1);
        assert!((geometry.leaf_fill(261.0) - 0.9).abs() < 1e-3);
    }
}
