//! redb in this process: a B-tree with copy-on-write pages and no log, one file a table.
//!
//! Its file is written through a storage backend of ours that counts every byte and page. A key is kept at its fixed
//! width, the other columns packed behind one another as its value.

use super::folder::{self, Folder};
use super::{
    Claimant, Cleaned, Counters, Cut, Durability, Layout, Plan, ROWS_AT_ONCE, Row, Table, Target, Way,
};
use crate::error::{Error, Result, printable};
use redb::backends::FileBackend;
use redb::{
    Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, StorageBackend, TableDefinition,
    WriteTransaction,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The version that this was built with; the crate does not tell it.
const VERSION: &str = "4.6";
const KEYS: TableDefinition<'static, &[u8; 16], &[u8]> = TableDefinition::new("keys");
const OLD: TableDefinition<'static, &[u8; 16], &[u8]> = TableDefinition::new("old");
/// Bytes of a leaf page beside its pairs: 4 of header, and an end of 4 bytes for every value, whose width varies
/// (redb, docs/design.md, Leaf page).
const LEAF_HEADER_BYTES: u64 = 4;
const VALUE_END_BYTES: u64 = 4;

/// A folder with a file a table.
pub struct Redb {
    parent: PathBuf,
    run: String,
    folder: Option<Folder>,
    tables: usize,
}

impl Redb {
    /// Files will be in a folder of `parent`; `run` is the random part of its name.
    pub fn new(parent: &Path, run: &str) -> Redb {
        Redb { parent: parent.to_owned(), run: run.to_owned(), folder: None, tables: 0 }
    }
}

impl Target for Redb {
    fn store(&self) -> &'static str {
        "redb"
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn place(&self) -> String {
        Folder::place(&self.parent, &self.run)
    }

    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                "table_bytes_per_key, leaf_fill",
                "statistics of the table: stored, metadata and fragmented bytes",
            ),
            (
                "splits_per_1000_inserts",
                "statistics of the table: leaf pages gained while nothing is deleted",
            ),
            ("written_bytes_per_insert", "counted in the storage backend; there is no log"),
            ("cache_misses_per_insert", "cache statistics of the database: read and write misses"),
        ]
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn check(&self, plan: &Plan) -> Result<()> {
        if plan.key_bytes() == 16 {
            return Ok(());
        }
        Err(Error::value("--store redb", "8-byte keys", "given orders of 16-byte keys", "v7"))
    }

    fn make(&mut self) -> Result<()> {
        self.folder = Some(Folder::make(&self.parent, &self.run)?);
        Ok(())
    }

    fn table(&mut self, plan: &Plan) -> Result<Box<dyn Table>> {
        let folder = self.folder.as_ref().expect("make comes before table");
        let path = folder.path().join(format!("{}.redb", self.tables));
        self.tables += 1;
        Ok(Box::new(File::create(&path, plan)?))
    }

    fn clean(&mut self) -> Result<Cleaned> {
        folder::clean(&self.parent)
    }

    fn remove(&mut self) -> Result<()> {
        self.folder.take().map_or(Ok(()), |mut folder| folder.remove())
    }
}

/// A file that counts what is written to it.
#[derive(Debug)]
struct Counting {
    file: FileBackend,
    bytes: Arc<AtomicU64>,
}

impl StorageBackend for Counting {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.bytes.fetch_add(data.len() as u64, Ordering::Relaxed);
        self.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }
}

/// One database.
struct File {
    database: Arc<Database>,
    path: PathBuf,
    plan: Plan,
    bytes: Arc<AtomicU64>,
    packed: Vec<u8>,
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::data(format!("redb: {}", printable(&error.to_string())))
}

/// A transaction that lasts as was asked for.
fn begin(database: &Database, durability: Durability) -> Result<WriteTransaction> {
    let mut transaction = database.begin_write().map_err(failed)?;
    if durability == Durability::Lazy {
        transaction.set_durability(redb::Durability::None).map_err(failed)?;
    }
    Ok(transaction)
}

impl File {
    fn create(path: &Path, plan: &Plan) -> Result<File> {
        let file = std::fs::File::options().read(true).write(true).create_new(true).open(path);
        let file = FileBackend::new(file.map_err(failed)?).map_err(failed)?;
        let bytes = Arc::new(AtomicU64::new(0));
        let backend = Counting { file, bytes: Arc::clone(&bytes) };
        let database = Database::builder().create_with_backend(backend).map_err(failed)?;
        let transaction = database.begin_write().map_err(failed)?;
        drop(transaction.open_table(KEYS).map_err(failed)?);
        transaction.commit().map_err(failed)?;
        let path = path.to_owned();
        Ok(File { database: Arc::new(database), path, plan: plan.clone(), bytes, packed: Vec::new() })
    }

    /// Does something in a transaction.
    fn writing<T>(&mut self, work: impl FnOnce(&mut File, &WriteTransaction) -> Result<T>) -> Result<T> {
        let transaction = begin(&self.database, self.plan.durability)?;
        let done = work(self, &transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

impl Table for File {
    fn insert(&mut self, rows: &[Row]) -> Result<u64> {
        self.writing(|file, transaction| {
            let mut table = transaction.open_table(KEYS).map_err(failed)?;
            let mut new = 0;
            for row in rows {
                let key = &row.key.to_be_bytes();
                if table.get(key).map_err(failed)?.is_some() {
                    continue;
                }
                file.packed.clear();
                file.plan.values.pack(&file.plan.record, row, &mut file.packed);
                table.insert(key, file.packed.as_slice()).map_err(failed)?;
                new += 1;
            }
            Ok(new)
        })
    }

    fn delete(&mut self, rows: &[Row]) -> Result<u64> {
        self.writing(|_, transaction| {
            let mut table = transaction.open_table(KEYS).map_err(failed)?;
            let mut gone = 0;
            for row in rows {
                gone += u64::from(table.remove(&row.key.to_be_bytes()).map_err(failed)?.is_some());
            }
            Ok(gone)
        })
    }

    fn claimant(&mut self) -> Result<Box<dyn Claimant>> {
        Ok(Box::new(Other { database: Arc::clone(&self.database), plan: self.plan.clone() }))
    }

    fn settle(&mut self) -> Result<()> {
        // A commit that lasts makes those before it last.
        let transaction = self.database.begin_write().map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    fn reclaim(&mut self) -> Result<()> {
        Ok(())
    }

    fn counters(&mut self) -> Result<Counters> {
        let cache = self.database.cache_stats();
        Ok(Counters {
            written_bytes: Some(self.bytes.load(Ordering::Relaxed)),
            cache_misses: Some(cache.read_misses() + cache.write_misses()),
            ..Counters::default()
        })
    }

    fn layout(&mut self) -> Result<Layout> {
        let transaction = self.database.begin_read().map_err(failed)?;
        let table = transaction.open_table(KEYS).map_err(failed)?;
        let (stats, keys) = (table.stats().map_err(failed)?, table.len().map_err(failed)?);
        let bytes = stats.stored_bytes() + stats.metadata_bytes() + stats.fragmented_bytes();
        let write = self.database.begin_write().map_err(failed)?;
        let page_bytes = write.stats().map_err(failed)?.page_size() as u64;
        write.abort().map_err(failed)?;
        let leaf_bytes = bytes.saturating_sub(stats.branch_pages() * page_bytes);
        let used = stats.stored_bytes() + stats.leaf_pages() * LEAF_HEADER_BYTES + keys * VALUE_END_BYTES;
        let file_bytes = std::fs::metadata(&self.path).map_err(failed)?.len();
        Ok(Layout {
            table_bytes: bytes,
            index_bytes: 0,
            free_bytes: Some(file_bytes.saturating_sub(bytes)),
            file_bytes,
            leaf_pages: Some(stats.leaf_pages()),
            leaf_fill: (leaf_bytes > 0).then(|| used as f64 / leaf_bytes as f64),
        })
    }

    fn count(&mut self) -> Result<u64> {
        let transaction = self.database.begin_read().map_err(failed)?;
        transaction.open_table(KEYS).map_err(failed)?.len().map_err(failed)
    }

    fn ways(&self) -> Vec<Way> {
        vec![Way::Rows, Way::KeyRange, Way::TableDrop]
    }

    fn prepare(&mut self, way: Way, cut: &Cut<'_>) -> Result<()> {
        if way == Way::TableDrop {
            for rows in cut.rows.chunks(ROWS_AT_ONCE) {
                self.writing(|_, transaction| {
                    let mut table = transaction.open_table(KEYS).map_err(failed)?;
                    let mut old = transaction.open_table(OLD).map_err(failed)?;
                    for row in rows {
                        if let Some(value) = table.remove(&row.key.to_be_bytes()).map_err(failed)? {
                            old.insert(&row.key.to_be_bytes(), value.value()).map_err(failed)?;
                        }
                    }
                    Ok(())
                })?;
            }
        }
        self.settle()
    }

    fn purge(&mut self, way: Way, cut: &Cut<'_>) -> Result<u64> {
        match way {
            Way::Rows => {
                let mut gone = 0;
                for rows in cut.rows.chunks(ROWS_AT_ONCE) {
                    gone += self.delete(rows)?;
                }
                Ok(gone)
            }
            Way::KeyRange => self.writing(|_, transaction| {
                let mut table = transaction.open_table(KEYS).map_err(failed)?;
                let before = table.len().map_err(failed)?;
                let greatest = cut.until_key.to_be_bytes();
                table.retain_in::<&[u8; 16], _>(..=&greatest, |_, _| false).map_err(failed)?;
                Ok(before - table.len().map_err(failed)?)
            }),
            Way::TableDrop => self.writing(|_, transaction| {
                transaction.delete_table(OLD).map_err(failed)?;
                Ok(cut.rows.len() as u64)
            }),
            Way::TimeIndex | Way::Ttl => Err(Error::data("redb has neither indexes nor expiry")),
        }
    }
}

/// Another thread on the same database.
struct Other {
    database: Arc<Database>,
    plan: Plan,
}

impl Claimant for Other {
    fn claim(&mut self, row: &Row) -> Result<bool> {
        let transaction = begin(&self.database, self.plan.durability)?;
        let key = &row.key.to_be_bytes();
        {
            let mut table = transaction.open_table(KEYS).map_err(failed)?;
            let is_there = table.get(key).map_err(failed)?.is_some();
            if !is_there {
                let mut packed = Vec::new();
                self.plan.values.pack(&self.plan.record, row, &mut packed);
                table.insert(key, packed.as_slice()).map_err(failed)?;
            } else {
                drop(table);
                transaction.abort().map_err(failed)?;
                return Ok(false);
            }
        }
        transaction.commit().map_err(failed)?;
        Ok(true)
    }
}
