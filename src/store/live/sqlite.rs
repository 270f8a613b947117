//! SQLite in this process, in write-ahead-log mode: a file a table.
//!
//! Rows up to a twentieth of a page lie in the index over the key (`WITHOUT ROWID`, as its documentation advises),
//! longer ones in a table with that index beside it. After 1,000 frames of log there is a checkpoint, as SQLite does
//! by itself; here it is asked for after the commit, so that it can be counted.

use super::folder::{self, Folder};
use super::{
    Claimant, Cleaned, Counters, Cut, Durability, Layout, Plan, ROWS_AT_ONCE, Row, Table, Target, Way,
    Written,
};
use crate::error::{Error, Result, printable};
use crate::store::record::Column;
use rusqlite::{Connection, Statement, params};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Frames of log after which SQLite checkpoints (`wal_autocheckpoint`, its default).
const CHECKPOINT_FRAMES: u64 = 1_000;
/// Bytes of the log's header, and of a frame's.
const WAL_HEADER_BYTES: u64 = 32;
const FRAME_HEADER_BYTES: u64 = 24;
/// Longest row of a table without rowid: "about 1/20th the size of a database page" of 4096 bytes.
const ADVISED_BYTES: u64 = 204;
/// How long a claimant waits for the one writer that SQLite allows.
const WAIT: Duration = Duration::from_secs(30);

/// A folder with a database file a table.
pub struct Sqlite {
    parent: PathBuf,
    run: String,
    version: String,
    folder: Option<Folder>,
    tables: usize,
    written: Written,
}

impl Sqlite {
    /// Files will be in a folder of `parent`; `run` is the random part of its name.
    pub fn new(parent: &Path, run: &str, written: Written) -> Sqlite {
        Sqlite {
            parent: parent.to_owned(),
            run: run.to_owned(),
            version: rusqlite::version().to_owned(),
            folder: None,
            tables: 0,
            written,
        }
    }
}

impl Target for Sqlite {
    fn store(&self) -> &'static str {
        "sqlite"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn place(&self) -> String {
        Folder::place(&self.parent, &self.run)
    }

    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                "table_bytes_per_key, index_bytes_per_key, leaf_fill",
                "dbstat: pages of each tree, bytes unused",
            ),
            ("splits_per_1000_inserts", "dbstat: leaf pages gained while nothing is deleted"),
            ("log_bytes_per_insert", "frames that the commit hook reports, with headers"),
            ("written_bytes_per_insert", "wchar of /proc/self/io around each call"),
            ("dirty_pages_per_checkpoint", "wchar around each checkpoint, in pages"),
            ("reusable_bytes_per_key", "PRAGMA freelist_count, and dbstat: bytes unused within pages"),
        ]
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn make(&mut self) -> Result<()> {
        self.folder = Some(Folder::make(&self.parent, &self.run)?);
        Ok(())
    }

    fn table(&mut self, plan: &Plan) -> Result<Box<dyn Table>> {
        let folder = self.folder.as_ref().expect("make comes before table");
        let path = folder.path().join(format!("{}.db", self.tables));
        self.tables += 1;
        Ok(Box::new(File::create(path, plan, &self.written)?))
    }

    fn clean(&mut self) -> Result<Cleaned> {
        folder::clean(&self.parent)
    }

    fn remove(&mut self) -> Result<()> {
        self.folder.take().map_or(Ok(()), |mut folder| folder.remove())
    }
}

/// One database.
struct File {
    connection: Connection,
    path: PathBuf,
    plan: Plan,
    insert: String,
    page_bytes: u64,
    /// Frames of the log after the last commit, by the hook.
    frames: Arc<AtomicU64>,
    /// The same at the commit before.
    frames_before: u64,
    log_bytes: u64,
    written: Written,
    written_bytes: Option<u64>,
    checkpoints: u64,
    checkpoint_bytes: Option<u64>,
}

fn failed(error: rusqlite::Error) -> Error {
    Error::data(format!("sqlite: {}", printable(&error.to_string())))
}

/// Opens a file and sets what is set for a connection.
fn open(path: &Path, durability: Durability) -> Result<Connection> {
    let connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(WAIT).map_err(failed)?;
    // FULL is what SQLite comes with; NORMAL does not wait for the disk at a commit.
    let synchronous = if durability == Durability::Lazy { "NORMAL" } else { "FULL" };
    let pragmas = format!("PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous};");
    connection.execute_batch(&pragmas).map_err(failed)?;
    Ok(connection)
}

/// The column of a table: its name and type.
fn declared(column: Column) -> String {
    let kind = match column {
        Column::Key(..) | Column::Fingerprint | Column::Response(_) => "BLOB",
        _ => "INTEGER",
    };
    format!("{} {kind} NOT NULL", column.name())
}

fn create(plan: &Plan, table: &str) -> String {
    let columns: Vec<String> = plan.record.columns().map(declared).collect();
    let columns = columns.join(", ");
    if plan.row_bytes() <= ADVISED_BYTES {
        return format!("CREATE TABLE {table} ({columns}, PRIMARY KEY (key)) WITHOUT ROWID");
    }
    format!("CREATE TABLE {table} (id INTEGER PRIMARY KEY, {columns}, UNIQUE (key))")
}

fn insertion(plan: &Plan) -> String {
    let names: Vec<&str> = plan.record.columns().map(Column::name).collect();
    let marks = vec!["?"; names.len()].join(", ");
    format!("INSERT INTO keys ({}) VALUES ({marks}) ON CONFLICT (key) DO NOTHING", names.join(", "))
}

/// Inserts one row; whether it was new.
fn insert(statement: &mut Statement<'_>, plan: &Plan, row: &Row) -> rusqlite::Result<bool> {
    let values = &plan.values;
    for (place, column) in (1..).zip(plan.record.columns()) {
        match column {
            Column::Key(..) => {
                let (bytes, from) = plan.key(row.key);
                statement.raw_bind_parameter(place, &bytes[from..])?;
            }
            Column::Account => statement.raw_bind_parameter(place, values.account(row.key))?,
            Column::CreatedAt => statement.raw_bind_parameter(place, row.created_us)?,
            Column::LeaseExpiresAt => statement.raw_bind_parameter(place, values.lease_us(row))?,
            Column::Endpoint => statement.raw_bind_parameter(place, values.endpoint(row.key))?,
            Column::State => statement.raw_bind_parameter(place, values.state())?,
            Column::Status => statement.raw_bind_parameter(place, values.status())?,
            Column::Fingerprint => statement.raw_bind_parameter(place, values.fingerprint(row.key))?,
            Column::Response(_) => statement.raw_bind_parameter(place, values.response(row.key))?,
        }
    }
    Ok(statement.raw_execute()? > 0)
}

impl File {
    fn create(path: PathBuf, plan: &Plan, written: &Written) -> Result<File> {
        let mut connection = open(&path, plan.durability)?;
        connection.execute_batch("PRAGMA wal_autocheckpoint = 0").map_err(failed)?;
        let frames = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&frames);
        let hook = move |_: &mut rusqlite::hooks::Wal, pages| {
            seen.store(u64::try_from(pages).unwrap_or_default(), Ordering::Relaxed);
            Ok(())
        };
        connection.wal_hook(Some(hook)).map_err(failed)?;
        connection.execute_batch(&create(plan, "keys")).map_err(failed)?;
        let page_bytes = pragma(&connection, "page_size")?;
        let mut file = File {
            connection,
            path,
            plan: plan.clone(),
            insert: insertion(plan),
            page_bytes,
            frames,
            frames_before: 0,
            log_bytes: 0,
            written: Arc::clone(written),
            written_bytes: Some(0),
            checkpoints: 0,
            checkpoint_bytes: Some(0),
        };
        file.settle()?;
        Ok(file)
    }

    /// Does something that writes, and counts what it wrote; a checkpoint follows where it is due.
    fn writing<T>(&mut self, work: impl FnOnce(&mut File) -> rusqlite::Result<T>) -> Result<T> {
        let before = (self.written)();
        let done = work(self).map_err(failed);
        let bytes = (self.written)().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.written_bytes = self.written_bytes.zip(bytes).map(|(sum, bytes)| sum + bytes);
        self.count_frames();
        if self.frames_before >= CHECKPOINT_FRAMES {
            self.checkpoint("PASSIVE")?;
        }
        done
    }

    fn count_frames(&mut self) {
        let frames = self.frames.load(Ordering::Relaxed);
        // From the front again, with a new header.
        let (new, header) = match frames.checked_sub(self.frames_before) {
            Some(new) if self.frames_before > 0 || frames == 0 => (new, 0),
            _ => (frames, WAL_HEADER_BYTES),
        };
        self.log_bytes += header + new * (self.page_bytes + FRAME_HEADER_BYTES);
        self.frames_before = frames;
    }

    fn checkpoint(&mut self, mode: &str) -> Result<()> {
        let before = (self.written)();
        let sql = format!("PRAGMA wal_checkpoint({mode})");
        let told = self.connection.query_row(&sql, [], |row| Ok((row.get::<_, i64>(1)?, row.get(2)?)));
        let (frames, done): (i64, i64) = told.map_err(failed)?;
        let bytes = (self.written)().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.written_bytes = self.written_bytes.zip(bytes).map(|(sum, bytes)| sum + bytes);
        if self.frames_before > 0 {
            self.checkpoints += 1;
            self.checkpoint_bytes = self.checkpoint_bytes.zip(bytes).map(|(sum, bytes)| sum + bytes);
        }
        if frames == done {
            // The next commit begins the log anew.
            self.frames.store(0, Ordering::Relaxed);
            self.frames_before = 0;
        }
        Ok(())
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        self.writing(|file| file.connection.execute_batch(sql))
    }
}

fn pragma(connection: &Connection, name: &str) -> Result<u64> {
    let value: i64 = connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).map_err(failed)?;
    Ok(u64::try_from(value).unwrap_or_default())
}

impl Table for File {
    fn insert(&mut self, rows: &[Row]) -> Result<u64> {
        self.writing(|file| {
            let transaction = file.connection.transaction()?;
            let mut new = 0;
            {
                let mut statement = transaction.prepare_cached(&file.insert)?;
                for row in rows {
                    new += u64::from(insert(&mut statement, &file.plan, row)?);
                }
            }
            transaction.commit()?;
            Ok(new)
        })
    }

    fn delete(&mut self, rows: &[Row]) -> Result<u64> {
        self.writing(|file| {
            let transaction = file.connection.transaction()?;
            let mut gone = 0;
            {
                let mut statement = transaction.prepare_cached("DELETE FROM keys WHERE key = ?")?;
                for row in rows {
                    let (bytes, from) = file.plan.key(row.key);
                    gone += statement.execute(params![&bytes[from..]])? as u64;
                }
            }
            transaction.commit()?;
            Ok(gone)
        })
    }

    fn claimant(&mut self) -> Result<Box<dyn Claimant>> {
        let connection = open(&self.path, self.plan.durability)?;
        Ok(Box::new(Other { connection, plan: self.plan.clone(), insert: self.insert.clone() }))
    }

    fn settle(&mut self) -> Result<()> {
        self.checkpoint("TRUNCATE")
    }

    fn reclaim(&mut self) -> Result<()> {
        Ok(())
    }

    fn counters(&mut self) -> Result<Counters> {
        Ok(Counters {
            log_bytes: Some(self.log_bytes),
            written_bytes: self.written_bytes,
            checkpoints: Some(self.checkpoints),
            checkpoint_pages: self.checkpoint_bytes.map(|bytes| bytes / self.page_bytes),
            cache_misses: None,
        })
    }

    fn layout(&mut self) -> Result<Layout> {
        // Of a table without rowid the tree has the table's name; else the index over the key has one of its own.
        let sql = "SELECT name, pagetype = 'leaf', count(*), sum(pgsize), sum(unused) FROM dbstat \
                   WHERE name NOT IN ('sqlite_schema', 'sqlite_sequence') GROUP BY 1, 2";
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let mut layout = Layout::default();
        let key_tree =
            if self.plan.row_bytes() <= ADVISED_BYTES { "keys" } else { "sqlite_autoindex_keys_1" };
        let mut unused_bytes = 0;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let name: String = row.get(0).map_err(failed)?;
            let leaf: bool = row.get(1).map_err(failed)?;
            let number = |place| row.get::<_, i64>(place).map_err(failed).map(|number| number as u64);
            let (pages, bytes, unused) = (number(2)?, number(3)?, number(4)?);
            *(if name == "keys" { &mut layout.table_bytes } else { &mut layout.index_bytes }) += bytes;
            unused_bytes += unused;
            if leaf && name == key_tree {
                layout.leaf_pages = Some(pages);
                layout.leaf_fill = Some(1.0 - unused as f64 / bytes as f64);
            }
        }
        layout.file_bytes = pragma(&self.connection, "page_count")? * self.page_bytes;
        let free_pages = pragma(&self.connection, "freelist_count")?;
        layout.free_bytes = Some(free_pages * self.page_bytes + unused_bytes);
        Ok(layout)
    }

    fn count(&mut self) -> Result<u64> {
        let count = self.connection.query_row("SELECT count(*) FROM keys", [], |row| row.get::<_, i64>(0));
        Ok(u64::try_from(count.map_err(failed)?).unwrap_or_default())
    }

    fn ways(&self) -> Vec<Way> {
        let timed = self.plan.record.has_times().then_some(Way::TimeIndex);
        [Way::Rows, Way::KeyRange].into_iter().chain(timed).chain([Way::TableDrop]).collect()
    }

    fn prepare(&mut self, way: Way, cut: &Cut<'_>) -> Result<()> {
        match way {
            Way::TimeIndex => self.batch("CREATE INDEX created ON keys (created_at)")?,
            Way::TableDrop => {
                let create = create(&self.plan, "old");
                self.batch(&format!("DROP INDEX IF EXISTS created; {create}"))?;
                for rows in cut.rows.chunks(ROWS_AT_ONCE) {
                    self.writing(|file| {
                        let transaction = file.connection.transaction()?;
                        {
                            let copy = "INSERT INTO old SELECT * FROM keys WHERE key = ?";
                            let mut statement = transaction.prepare_cached(copy)?;
                            for row in rows {
                                let (bytes, from) = file.plan.key(row.key);
                                statement.execute(params![&bytes[from..]])?;
                            }
                        }
                        transaction.commit()
                    })?;
                    self.delete(rows)?;
                }
            }
            _ => {}
        }
        self.settle()
    }

    fn purge(&mut self, way: Way, cut: &Cut<'_>) -> Result<u64> {
        let changed = |file: &mut File, sql: &str, bound: &dyn rusqlite::ToSql| {
            file.writing(|file| Ok(file.connection.execute(sql, [bound])? as u64))
        };
        match way {
            Way::Rows => {
                let mut gone = 0;
                for rows in cut.rows.chunks(ROWS_AT_ONCE) {
                    gone += self.delete(rows)?;
                }
                Ok(gone)
            }
            Way::KeyRange => {
                let (bytes, from) = self.plan.key(cut.until_key);
                changed(self, "DELETE FROM keys WHERE key <= ?", &&bytes[from..])
            }
            Way::TimeIndex => {
                changed(self, "DELETE FROM keys INDEXED BY created WHERE created_at <= ?", &cut.until_us)
            }
            Way::TableDrop => self.batch("DROP TABLE old").map(|()| cut.rows.len() as u64),
            Way::Ttl => Err(Error::data("sqlite has no expiry of its own")),
        }
    }
}

/// Another connection to the same file.
struct Other {
    connection: Connection,
    plan: Plan,
    insert: String,
}

impl Claimant for Other {
    fn claim(&mut self, row: &Row) -> Result<bool> {
        let mut statement = self.connection.prepare_cached(&self.insert).map_err(failed)?;
        insert(&mut statement, &self.plan, row).map_err(failed)
    }
}
