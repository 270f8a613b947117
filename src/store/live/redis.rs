//! Redis and Valkey by URL: keys under a prefix of their own, each with an expiry.
//!
//! Keys of a batch go in one pipeline of `SET … NX EX`. The prefix is `uuidcap:`, eight hexadecimal digits, the number of
//! the table and a colon; it counts among the bytes of a key. A run renews a key that says that it is alive with every
//! pipeline; where that key has expired, whatever has the prefix was left by a run that was killed.

use super::{
    Claimant, Cleaned, Counters, Cut, Durability, Key, Layout, Plan, ROWS_AT_ONCE, Row, Table, Target, Way,
};
use crate::error::{Error, Result, printable};
use redis::{Client, Connection, ErrorKind, Pipeline, RedisError, Value};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What every key begins with.
const PREFIX: &str = "uuidcap:";
/// Hexadecimal digits of the random part.
const DIGITS: usize = 8;
/// Seconds after which a key expires by itself: a week, longer than any run.
const EXPIRY_S: u32 = 7 * 24 * 3_600;
/// Seconds for which a run is taken to be alive after its last pipeline.
const ALIVE_S: u32 = 60;
const CONNECT: Duration = Duration::from_secs(10);
/// Milliseconds until keys expire of which the expiry is measured: sooner, and the server, whose clock stands while it
/// works, would take some for expired already and delete them at once.
const SOON_MS: u32 = 50;
/// Looks at how many expired keys are gone, a tenth of a second apart: ten seconds in all. The server leaves up to a
/// tenth of its keys expired and there (`active-expire-effort`), and then takes minutes for the last of them.
const LOOKS: u32 = 100;
const LOOK_S: f64 = 0.1;
/// Keys that one step of a scan looks at.
const SCANNED: usize = 10_000;

/// A prefix on a server.
pub struct Redis {
    client: Client,
    connection: Connection,
    run: String,
    name: &'static str,
    version: String,
    place: String,
    made: bool,
    tables: usize,
    /// Memory of the server before anything was written.
    bytes_before: u64,
    /// Keys of all tables, among which memory is shared out.
    keys: Arc<AtomicU64>,
}

/// One line for whatever went wrong; a password stands in none of them.
fn failed(error: RedisError) -> Error {
    let text = printable(&error.to_string());
    let advice = match error.kind() {
        ErrorKind::AuthenticationFailed => "; are user and password of the URL right?",
        ErrorKind::Io => "; is the server up, and are host and port of the URL right?",
        ErrorKind::InvalidClientConfig => "; try redis://user:password@localhost:6379/0",
        _ => match error.code() {
            Some("NOAUTH" | "WRONGPASS") => "; are user and password of the URL right?",
            Some("NOPERM") => "; the user may not run this command or touch keys that begin with uuidcap:",
            Some("READONLY") => "; name the primary, this server is read-only",
            Some("OOM") => "; the server's maxmemory is reached, try fewer --keys",
            Some("MISCONF") => "; the server cannot write its files, is its disk full?",
            _ => "",
        },
    };
    Error::data(format!("redis: {text}{advice}"))
}

/// The value of a line of INFO.
fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

fn info(connection: &mut Connection, section: &str) -> Result<String> {
    redis::cmd("INFO").arg(section).query(connection).map_err(failed)
}

fn number(info: &str, name: &str) -> u64 {
    field(info, name).and_then(|value| value.parse().ok()).unwrap_or_default()
}

impl Redis {
    /// Connects, and checks what can be checked without writing; `run` begins with the random part of the prefix.
    ///
    /// # Errors
    /// Where the URL cannot be read, and where the server refuses, is too old or is read-only.
    pub fn connect(url: &str, run: &str) -> Result<Redis> {
        if url.starts_with("rediss:") {
            return Err(Error::data("--store redis: this build has no TLS; try redis:// over a tunnel"));
        }
        let url = url.strip_prefix("valkey:").map_or(url.to_owned(), |rest| format!("redis:{rest}"));
        // The URL may hold a password and is not repeated.
        let client = Client::open(url).map_err(|_| {
            Error::data("--store redis: the URL cannot be read; try redis://user:password@localhost:6379/0")
        })?;
        let mut connection = client.get_connection_with_timeout(CONNECT).map_err(failed)?;
        let server = info(&mut connection, "server")?;
        let valkey = field(&server, "valkey_version");
        let version = valkey.or(field(&server, "redis_version")).unwrap_or("0").to_owned();
        let major: u32 = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
        if major < 5 {
            return Err(Error::data(format!(
                "redis: version {} is too old; 5 or later is needed",
                printable(&version)
            )));
        }
        if field(&info(&mut connection, "replication")?, "role") == Some("slave") {
            return Err(Error::data("redis: the server is a replica; name the primary"));
        }
        let database = client.get_connection_info().redis_settings().db();
        Ok(Redis {
            name: if valkey.is_some() { "valkey" } else { "redis" },
            place: format!("database {database}"),
            client,
            connection,
            run: run.chars().take(DIGITS).collect(),
            version: printable(&version),
            made: false,
            tables: 0,
            bytes_before: 0,
            keys: Arc::default(),
        })
    }

    fn prefix(&self) -> String {
        format!("{PREFIX}{}", self.run)
    }
}

/// The key that says that a run is alive.
fn alive(prefix: &str) -> String {
    format!("{prefix}:alive")
}

/// What is done with the keys of one step of a scan.
type Step<'a> = dyn FnMut(&mut Connection, Vec<Vec<u8>>) -> Result<()> + 'a;

/// All keys of a pattern, a step at a time; `each` is told of every step.
fn scan(connection: &mut Connection, pattern: &str, each: &mut Step<'_>) -> Result<()> {
    let mut cursor = 0u64;
    loop {
        let mut command = redis::cmd("SCAN");
        command.arg(cursor).arg("MATCH").arg(pattern).arg("COUNT").arg(SCANNED);
        let (next, keys): (u64, Vec<Vec<u8>>) = command.query(connection).map_err(failed)?;
        each(connection, keys)?;
        if next == 0 {
            return Ok(());
        }
        cursor = next;
    }
}

/// The prefix of the run that a key is of, by its whole form: `uuidcap:<8 digits>:alive`, or the digits, a table, a colon and a
/// key of 8 or 16 bytes. Whatever only begins so is somebody else's, such as `uuidcap:<a UUID as text>`.
fn run_of(key: &[u8]) -> Option<&str> {
    let (prefix, rest) = key.split_at_checked(PREFIX.len() + DIGITS)?;
    let prefix = std::str::from_utf8(prefix).ok()?;
    let digits = prefix.strip_prefix(PREFIX)?;
    let own = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && match rest {
            b":alive" => true,
            [b'0'..=b'9' | b'a'..=b'z', b':', key @ ..] => matches!(key.len(), 8 | 16),
            _ => false,
        };
    own.then_some(prefix)
}

/// Removes everything of a run.
fn unlink(connection: &mut Connection, prefix: &str) -> Result<()> {
    scan(connection, &format!("{prefix}*"), &mut |connection, mut keys| {
        keys.retain(|key| run_of(key) == Some(prefix));
        if keys.is_empty() {
            return Ok(());
        }
        redis::cmd("UNLINK").arg(keys).exec(connection).map_err(failed)
    })
}

impl Target for Redis {
    fn store(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn place(&self) -> String {
        format!("keys that begin with {} in {}", self.prefix(), self.place)
    }

    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                "bytes_per_key",
                "used_memory less that before, of the whole server, shared out by keys; a prefix of 18 bytes counts among \
                 a key's",
            ),
            (
                "log_bytes_per_insert",
                "aof_current_size, of the whole server; none where there is no append-only file",
            ),
            (
                "removed_keys of ttl",
                "expired_keys, for ten seconds at most; what is left is removed when it is looked up",
            ),
        ]
    }

    fn is_embedded(&self) -> bool {
        false
    }

    fn check(&self, plan: &Plan) -> Result<()> {
        if plan.durability == Durability::Default {
            return Ok(());
        }
        Err(Error::data(
            "--durability: a Redis server decides for all its clients (appendfsync); leave it at default",
        ))
    }

    fn make(&mut self) -> Result<()> {
        let prefix = self.prefix();
        let mut there = false;
        scan(&mut self.connection, &format!("{prefix}*"), &mut |_, keys| {
            there |= !keys.is_empty();
            Ok(())
        })?;
        if there {
            return Err(Error::data(format!(
                "redis: keys that begin with {prefix} are there already; run it again"
            )));
        }
        let memory = info(&mut self.connection, "memory")?;
        if number(&memory, "maxmemory") > 0 {
            return Err(Error::data(format!(
                "redis: the server has a limit of memory (maxmemory, {}): to make room it would refuse or remove what others \
                 keep there; name one without, for tests",
                printable(field(&memory, "maxmemory_policy").unwrap_or("no policy told"))
            )));
        }
        self.bytes_before = number(&memory, "used_memory");
        let mut mark = redis::cmd("SET");
        mark.arg(alive(&prefix)).arg(1).arg("EX").arg(ALIVE_S);
        mark.exec(&mut self.connection).map_err(failed)?;
        self.made = true;
        Ok(())
    }

    fn table(&mut self, plan: &Plan) -> Result<Box<dyn Table>> {
        let keys = Keys {
            connection: self.client.get_connection_with_timeout(CONNECT).map_err(failed)?,
            client: self.client.clone(),
            prefix: format!("{}{}:", self.prefix(), char::from_digit(self.tables as u32, 36).unwrap_or('z')),
            alive: alive(&self.prefix()),
            plan: plan.clone(),
            bytes_before: self.bytes_before,
            own: 0,
            all: Arc::clone(&self.keys),
        };
        self.tables += 1;
        Ok(Box::new(keys))
    }

    fn clean(&mut self) -> Result<Cleaned> {
        let mut runs = BTreeSet::new();
        scan(&mut self.connection, &format!("{PREFIX}*"), &mut |_, keys| {
            runs.extend(keys.iter().filter_map(|key| run_of(key)).map(str::to_owned));
            Ok(())
        })?;
        let mut cleaned = Cleaned::default();
        for prefix in runs {
            let lives: bool =
                redis::cmd("EXISTS").arg(alive(&prefix)).query(&mut self.connection).map_err(failed)?;
            if lives {
                cleaned.alive.push(format!("{prefix}* (for up to {ALIVE_S} s after a run was killed)"));
                continue;
            }
            unlink(&mut self.connection, &prefix)?;
            cleaned.removed.push(format!("{prefix}*"));
        }
        Ok(cleaned)
    }

    fn remove(&mut self) -> Result<()> {
        if !self.made {
            return Ok(());
        }
        let prefix = self.prefix();
        if unlink(&mut self.connection, &prefix).is_err() {
            // The connection may be gone while the server is not.
            let again = self.client.get_connection_with_timeout(CONNECT).map_err(failed);
            again.and_then(|mut connection| unlink(&mut connection, &prefix)).map_err(|error| {
                error.within(&format!("{prefix}* stays; uuidcap probe --clean removes it"))
            })?;
        }
        self.made = false;
        Ok(())
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // Nobody is left to tell; what stays is found by `clean`.
        let _ = self.remove();
    }
}

/// The keys of an order.
struct Keys {
    client: Client,
    connection: Connection,
    prefix: String,
    alive: String,
    plan: Plan,
    bytes_before: u64,
    own: u64,
    all: Arc<AtomicU64>,
}

/// A key with its prefix.
fn named(prefix: &str, plan: &Plan, key: Key) -> Vec<u8> {
    let (bytes, from) = plan.key(key);
    [prefix.as_bytes(), &bytes[from..]].concat()
}

/// `SET … NX EX` of a row.
fn set(prefix: &str, plan: &Plan, row: &Row) -> redis::Cmd {
    let mut value = Vec::new();
    plan.values.pack(&plan.record, row, &mut value);
    let mut command = redis::cmd("SET");
    command.arg(named(prefix, plan, row.key)).arg(value).arg("NX").arg("EX").arg(EXPIRY_S);
    command
}

impl Keys {
    /// A pipeline that says that the run is alive.
    fn pipeline(&self) -> Pipeline {
        let mut pipeline = redis::pipe();
        // Also where it has expired meanwhile, as after a pause.
        pipeline.cmd("SET").arg(&self.alive).arg(1).arg("EX").arg(ALIVE_S).ignore();
        pipeline
    }

    fn gone(&mut self, keys: u64) {
        self.own = self.own.saturating_sub(keys);
        self.all.fetch_sub(keys, Ordering::Relaxed);
    }

    /// Gives keys an expiry in a moment, and looks for ten seconds how many of them the server has removed by itself.
    fn expire(&mut self, rows: &[Row]) -> Result<u64> {
        let before = number(&info(&mut self.connection, "stats")?, "expired_keys");
        for rows in rows.chunks(ROWS_AT_ONCE) {
            let mut pipeline = self.pipeline();
            for row in rows {
                pipeline.cmd("PEXPIRE").arg(named(&self.prefix, &self.plan, row.key)).arg(SOON_MS).ignore();
            }
            pipeline.exec(&mut self.connection).map_err(failed)?;
        }
        let mut expired = 0;
        for _ in 0..LOOKS {
            let told = number(&info(&mut self.connection, "stats")?, "expired_keys");
            expired = told.saturating_sub(before).min(rows.len() as u64);
            if expired == rows.len() as u64 {
                break;
            }
            // The server waits, since this side has no clock: nobody ever pushes to this list.
            let mut wait = redis::cmd("BLPOP");
            wait.arg(format!("{}wait", self.prefix)).arg(LOOK_S);
            wait.exec(&mut self.connection).map_err(failed)?;
        }
        Ok(expired)
    }

    /// Looks expired keys up, at which the server removes them.
    fn touch(&mut self, rows: &[Row]) -> Result<()> {
        for rows in rows.chunks(ROWS_AT_ONCE) {
            let keys: Vec<Vec<u8>> =
                rows.iter().map(|row| named(&self.prefix, &self.plan, row.key)).collect();
            redis::cmd("EXISTS").arg(keys).exec(&mut self.connection).map_err(failed)?;
        }
        self.gone(rows.len() as u64);
        Ok(())
    }
}

impl Table for Keys {
    fn insert(&mut self, rows: &[Row]) -> Result<u64> {
        let mut pipeline = self.pipeline();
        for row in rows {
            pipeline.add_command(set(&self.prefix, &self.plan, row));
        }
        let told: Vec<Value> = pipeline.query(&mut self.connection).map_err(failed)?;
        let new = told.iter().filter(|value| **value != Value::Nil).count() as u64;
        self.own += new;
        self.all.fetch_add(new, Ordering::Relaxed);
        Ok(new)
    }

    fn delete(&mut self, rows: &[Row]) -> Result<u64> {
        let keys: Vec<Vec<u8>> = rows.iter().map(|row| named(&self.prefix, &self.plan, row.key)).collect();
        let mut pipeline = self.pipeline();
        pipeline.cmd("UNLINK").arg(keys);
        let (gone,): (u64,) = pipeline.query(&mut self.connection).map_err(failed)?;
        self.gone(gone);
        Ok(gone)
    }

    fn claimant(&mut self) -> Result<Box<dyn Claimant>> {
        let connection = self.client.get_connection_with_timeout(CONNECT).map_err(failed)?;
        Ok(Box::new(Other { connection, prefix: self.prefix.clone(), plan: self.plan.clone() }))
    }

    fn settle(&mut self) -> Result<()> {
        Ok(())
    }

    fn reclaim(&mut self) -> Result<()> {
        Ok(())
    }

    fn counters(&mut self) -> Result<Counters> {
        let told = info(&mut self.connection, "persistence")?;
        let log = (field(&told, "aof_enabled") == Some("1")).then(|| number(&told, "aof_current_size"));
        Ok(Counters { log_bytes: log, ..Counters::default() })
    }

    fn layout(&mut self) -> Result<Layout> {
        let used = number(&info(&mut self.connection, "memory")?, "used_memory");
        let all = self.all.load(Ordering::Relaxed).max(1);
        let own = u128::from(used.saturating_sub(self.bytes_before)) * u128::from(self.own) / u128::from(all);
        let bytes = u64::try_from(own).unwrap_or(u64::MAX);
        Ok(Layout { table_bytes: bytes, file_bytes: bytes, ..Layout::default() })
    }

    fn count(&mut self) -> Result<u64> {
        // A scan may show a key twice while the server's table grows.
        let mut keys = HashSet::new();
        let pattern = format!("{}*", self.prefix);
        let width = self.prefix.len() + self.plan.key_bytes();
        scan(&mut self.connection, &pattern, &mut |_, found| {
            keys.extend(found.into_iter().filter(|key| key.len() == width));
            Ok(())
        })?;
        Ok(keys.len() as u64)
    }

    fn ways(&self) -> Vec<Way> {
        vec![Way::Rows, Way::Ttl]
    }

    fn prepare(&mut self, _way: Way, _cut: &Cut<'_>) -> Result<()> {
        Ok(())
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
            Way::Ttl => self.expire(cut.rows),
            _ => Err(Error::data("redis has neither key ranges nor tables")),
        }
    }

    fn finish(&mut self, way: Way, cut: &Cut<'_>) -> Result<()> {
        if way == Way::Ttl { self.touch(cut.rows) } else { Ok(()) }
    }
}

/// Another connection to the same server.
struct Other {
    connection: Connection,
    prefix: String,
    plan: Plan,
}

impl Claimant for Other {
    fn claim(&mut self, row: &Row) -> Result<bool> {
        let told: Value = set(&self.prefix, &self.plan, row).query(&mut self.connection).map_err(failed)?;
        Ok(told != Value::Nil)
    }
}
