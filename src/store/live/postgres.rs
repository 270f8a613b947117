//! PostgreSQL by URL: a schema of its own, a table an order, a connection a table.
//!
//! Inserts are `INSERT … SELECT FROM unnest(…) ON CONFLICT DO NOTHING`, a batch to a statement. Autovacuum is off for
//! the tables, since a vacuum at a moment of its own would belong to no figure; room is reclaimed by `VACUUM` where a
//! purge is measured. A run holds an advisory lock, by which others know that it is alive.

use super::{
    Claimant, Cleaned, Counters, Cut, Durability, Key, Layout, MARK, Plan, ROWS_AT_ONCE, Row, Table, Target,
    Way,
};
use crate::error::{Error, Result, printable};
use crate::store::record::Column;
use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, Config, NoTls, Statement};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The oldest version whose statistics are those that are read here.
const OLDEST: i32 = 130_000;
/// Since when statistics of a connection can be had at once, and since when checkpoints have a view of their own.
const FLUSHED: i32 = 150_000;
const CHECKPOINTER: i32 = 170_000;

/// A schema in a database.
pub struct Postgres {
    config: Config,
    client: Client,
    run: String,
    version: String,
    place: String,
    made: bool,
    tables: usize,
    tools: Tools,
}

/// What the server lets this user do and see.
#[derive(Debug, Clone, Default)]
struct Tools {
    number: i32,
    block_bytes: u64,
    checkpoint: bool,
    /// The schema of pgstattuple, quoted.
    pgstattuple: Option<String>,
}

/// One line for whatever went wrong; a password stands in none of them.
fn failed(error: postgres::Error) -> Error {
    let Some(told) = error.as_db_error() else {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        let text = printable(&format!("{error} {cause}"));
        return Error::data(format!(
            "postgres: {text}; is the server up, and are host and port of the URL right?"
        ));
    };
    let advice = match *told.code() {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            "; are user and password of the URL right?"
        }
        SqlState::INVALID_CATALOG_NAME => "; the path of the URL names the database",
        SqlState::INSUFFICIENT_PRIVILEGE => "; the user needs CREATE on the database",
        SqlState::READ_ONLY_SQL_TRANSACTION => "; name the primary, this server is read-only",
        SqlState::DISK_FULL => "; the server's disk is full, try fewer --keys",
        SqlState::TOO_MANY_CONNECTIONS => "; a run needs a connection an order and one a claimant",
        _ => "",
    };
    Error::data(format!("postgres: {}{advice}", printable(told.message())))
}

/// The number that a run locks.
fn lock_of(run: &str) -> Option<i64> {
    u64::from_str_radix(run, 16).ok().map(|number| number as i64)
}

impl Postgres {
    /// Connects, and checks what can be checked without writing; `run` is the random part of the schema's name.
    ///
    /// # Errors
    /// Where the URL cannot be read or asks for what is not there, where the server refuses, is too old, or cannot be
    /// written to by this user.
    pub fn connect(url: &str, run: &str) -> Result<Postgres> {
        let mut config: Config = url.parse().map_err(|_| {
            // The URL may hold a password and is not repeated.
            Error::data(
                "--store postgres: the URL cannot be read; try postgres://user:password@localhost:5432/db",
            )
        })?;
        config.connect_timeout(CONNECT).application_name("uuidcap probe");
        let mut client = config.connect(NoTls).map_err(failed)?;
        let row = client
            .query_one(
                "SELECT current_setting('server_version_num')::int4, current_setting('server_version'), \
                 pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', \
                 has_database_privilege(current_database(), 'CREATE'), current_database()::text, \
                 current_setting('block_size')::int8",
                &[],
            )
            .map_err(failed)?;
        let (number, version): (i32, String) = (row.get(0), row.get(1));
        if number < OLDEST {
            return Err(Error::data(format!(
                "postgres: version {} is too old; 13 or later is needed",
                printable(&version)
            )));
        }
        if row.get(2) {
            return Err(Error::data("postgres: the server is read-only; name the primary"));
        }
        let database: String = row.get(4);
        if !row.get::<_, bool>(3) {
            return Err(Error::data(format!(
                "postgres: this user may not make a schema in {}; GRANT CREATE ON DATABASE to it",
                printable(&database)
            )));
        }
        let checkpoint = checkpoint_allowed(&mut client, number)?;
        let block_bytes = u64::try_from(row.get::<_, i64>(5)).unwrap_or(8_192);
        Ok(Postgres {
            config,
            client,
            run: run.to_owned(),
            version: version.split(' ').next().unwrap_or_default().to_owned(),
            place: printable(&database),
            made: false,
            tables: 0,
            tools: Tools { number, block_bytes, checkpoint, pgstattuple: None },
        })
    }

    fn schema(&self) -> String {
        format!("{MARK}{}", self.run)
    }

    /// The schema of pgstattuple, where it is there and may be used. It is not made: there is one a database, which others would
    /// come to depend on.
    fn pgstattuple(&mut self) -> Result<Option<String>> {
        let find = "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace \
                    WHERE extname = 'pgstattuple' AND has_schema_privilege(n.oid, 'USAGE') AND NOT EXISTS \
                    (SELECT FROM pg_proc p WHERE p.pronamespace = n.oid AND p.proname = 'pgstatindex' \
                    AND NOT has_function_privilege(p.oid, 'EXECUTE'))";
        let found = self.client.query_opt(find, &[]).map_err(failed)?;
        Ok(found.map(|row| row.get(0)))
    }
}

fn checkpoint_allowed(client: &mut Client, number: i32) -> Result<bool> {
    let asks = match number {
        ..FLUSHED => "SELECT rolsuper FROM pg_roles WHERE rolname = current_user",
        _ => {
            "SELECT rolsuper OR pg_has_role('pg_checkpoint', 'USAGE') FROM pg_roles WHERE rolname = current_user"
        }
    };
    Ok(client.query_one(asks, &[]).map_err(failed)?.get(0))
}

impl Target for Postgres {
    fn store(&self) -> &'static str {
        "postgres"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn place(&self) -> String {
        format!("the schema {} of the database {}", self.schema(), self.place)
    }

    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("table_bytes_per_key, index_bytes_per_key", "pg_table_size, pg_indexes_size"),
            ("leaf_fill, splits_per_1000_inserts", "pgstatindex: avg_leaf_density, leaf_pages gained"),
            ("log_bytes_per_insert", "pg_current_wal_insert_lsn, of the whole server, whoever wrote"),
            ("dirty_pages_per_checkpoint", "buffers written by checkpoints, of the whole server"),
            (
                "written_bytes_per_insert",
                "log, and buffers written by checkpoints, background writer and backends",
            ),
            ("cache_misses_per_insert", "pg_statio_user_tables: heap_blks_read and idx_blks_read"),
            ("reusable_bytes_per_key", "pgstattuple_approx: free space; pgstatindex: deleted pages"),
        ]
    }

    fn is_embedded(&self) -> bool {
        false
    }

    fn make(&mut self) -> Result<()> {
        let schema = self.schema();
        let lock = lock_of(&self.run).expect("the random part is a hexadecimal number");
        self.client.execute("SELECT pg_advisory_lock($1)", &[&lock]).map_err(failed)?;
        let comment = "made by uuidcap probe; uuidcap probe --clean removes it once its run is over";
        let make = format!("CREATE SCHEMA {schema}; COMMENT ON SCHEMA {schema} IS '{comment}'");
        self.client.batch_execute(&make).map_err(failed)?;
        self.made = true;
        self.tools.pgstattuple = self.pgstattuple()?;
        Ok(())
    }

    fn table(&mut self, plan: &Plan) -> Result<Box<dyn Table>> {
        let name = format!("{}.k{}", self.schema(), self.tables);
        self.tables += 1;
        let client = connect(&self.config, plan.durability)?;
        Ok(Box::new(Keys::create(client, self.config.clone(), name, plan, &self.tools)?))
    }

    fn clean(&mut self) -> Result<Cleaned> {
        let like = MARK.replace('_', "\\_") + "%";
        let found = self
            .client
            .query("SELECT nspname::text FROM pg_namespace WHERE nspname LIKE $1 ORDER BY 1", &[&like]);
        let mut cleaned = Cleaned::default();
        for schema in found.map_err(failed)?.iter().map(|row| row.get::<_, String>(0)) {
            // What only begins like ours is somebody else's.
            let Some(lock) = schema.strip_prefix(MARK).filter(|run| run.len() == 16).and_then(lock_of) else {
                continue;
            };
            let taken = self.client.query_one("SELECT pg_try_advisory_lock($1)", &[&lock]).map_err(failed)?;
            if !taken.get::<_, bool>(0) {
                cleaned.alive.push(format!("schema {schema}"));
                continue;
            }
            self.client.batch_execute(&format!("DROP SCHEMA {schema} CASCADE")).map_err(failed)?;
            self.client.execute("SELECT pg_advisory_unlock($1)", &[&lock]).map_err(failed)?;
            cleaned.removed.push(format!("schema {schema}"));
        }
        Ok(cleaned)
    }

    fn remove(&mut self) -> Result<()> {
        if !self.made {
            return Ok(());
        }
        let drop = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema());
        if self.client.batch_execute(&drop).is_err() {
            // The connection may be gone while the server is not.
            let again = self.config.connect(NoTls).and_then(|mut client| client.batch_execute(&drop));
            again.map_err(|error| {
                failed(error).within(&format!("{} stays; uuidcap probe --clean removes it", self.place()))
            })?;
        }
        self.made = false;
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Nobody is left to tell; what stays is found by `clean`.
        let _ = self.remove();
    }
}

fn connect(config: &Config, durability: Durability) -> Result<Client> {
    let mut client = config.connect(NoTls).map_err(failed)?;
    let commit = match durability {
        Durability::Default => return Ok(client),
        Durability::Durable => "on",
        Durability::Lazy => "off",
    };
    client.batch_execute(&format!("SET synchronous_commit = {commit}")).map_err(failed)?;
    Ok(client)
}

/// The table of an order.
struct Keys {
    client: Client,
    config: Config,
    name: String,
    plan: Plan,
    insert: Statement,
    delete: Statement,
    tools: Tools,
    /// Whether a checkpoint has just been, whose figures come a moment later.
    settled: bool,
}

fn key_type(plan: &Plan) -> &'static str {
    if plan.key_bytes() == 16 { "uuid" } else { "int8" }
}

fn kind(plan: &Plan, column: Column) -> &'static str {
    match column {
        Column::Key(..) => key_type(plan),
        Column::Account => "int8",
        Column::CreatedAt | Column::LeaseExpiresAt => "timestamptz",
        Column::Endpoint | Column::State | Column::Status => "int2",
        Column::Fingerprint | Column::Response(_) => "bytea",
    }
}

fn insertion(plan: &Plan, name: &str) -> String {
    let names: Vec<&str> = plan.record.columns().map(Column::name).collect();
    let arrays = (1..).zip(plan.record.columns());
    let arrays: Vec<String> =
        arrays.map(|(place, column)| format!("${place}::{}[]", kind(plan, column))).collect();
    format!(
        "INSERT INTO {name} ({}) SELECT * FROM unnest({}) ON CONFLICT (key) DO NOTHING",
        names.join(", "),
        arrays.join(", ")
    )
}

fn time(us: i64) -> SystemTime {
    UNIX_EPOCH + Duration::from_micros(us.unsigned_abs())
}

fn keys(plan: &Plan, rows: &[Row]) -> Box<dyn ToSql + Sync> {
    match plan.key_bytes() {
        16 => Box::new(rows.iter().map(|row| Uuid::from_u128(row.key)).collect::<Vec<_>>()),
        // Snowflake ids leave the sign free.
        _ => Box::new(rows.iter().map(|row| row.key as i64).collect::<Vec<_>>()),
    }
}

fn one_key(plan: &Plan, key: Key) -> Box<dyn ToSql + Sync> {
    match plan.key_bytes() {
        16 => Box::new(Uuid::from_u128(key)),
        _ => Box::new(key as i64),
    }
}

/// The arrays of a batch, a column each.
fn arrays<'a>(plan: &'a Plan, rows: &[Row]) -> Vec<Box<dyn ToSql + Sync + 'a>> {
    fn all<'a, T: ToSql + Sync + 'a>(rows: &[Row], of: impl Fn(&Row) -> T) -> Box<dyn ToSql + Sync + 'a> {
        Box::new(rows.iter().map(of).collect::<Vec<T>>())
    }
    let values = &plan.values;
    let column = |column| -> Box<dyn ToSql + Sync + 'a> {
        match column {
            Column::Key(..) => keys(plan, rows),
            Column::Account => all(rows, |row| values.account(row.key)),
            Column::CreatedAt => all(rows, |row| time(row.created_us)),
            Column::LeaseExpiresAt => all(rows, |row| time(values.lease_us(row))),
            Column::Endpoint => all(rows, |row| values.endpoint(row.key)),
            Column::State => all(rows, |_| values.state()),
            Column::Status => all(rows, |_| values.status()),
            Column::Fingerprint => all(rows, |row| values.fingerprint(row.key)),
            Column::Response(_) => all(rows, |row| values.response(row.key)),
        }
    };
    plan.record.columns().map(column).collect()
}

fn insert(client: &mut Client, statement: &Statement, plan: &Plan, rows: &[Row]) -> Result<u64> {
    let arrays = arrays(plan, rows);
    let arrays: Vec<&(dyn ToSql + Sync)> = arrays.iter().map(|array| &**array as _).collect();
    client.execute(statement, &arrays).map_err(failed)
}

impl Keys {
    fn create(mut client: Client, config: Config, name: String, plan: &Plan, tools: &Tools) -> Result<Keys> {
        let declared = |column: Column| format!("{} {} NOT NULL", column.name(), kind(plan, column));
        let columns: Vec<String> = plan.record.columns().map(declared).collect();
        let create = format!(
            "CREATE TABLE {name} ({}, PRIMARY KEY (key)) WITH (autovacuum_enabled = off)",
            columns.join(", ")
        );
        client.batch_execute(&create).map_err(failed)?;
        let insert = client.prepare(&insertion(plan, &name)).map_err(failed)?;
        let delete = format!("DELETE FROM {name} WHERE key = ANY ($1::{}[])", key_type(plan));
        let delete = client.prepare(&delete).map_err(failed)?;
        let (plan, tools) = (plan.clone(), tools.clone());
        let mut made = Keys { client, config, name, plan, insert, delete, tools, settled: false };
        made.settle()?;
        Ok(made)
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        self.client.batch_execute(sql).map_err(failed)
    }

    fn number(&mut self, sql: &str) -> Result<u64> {
        let row = self.client.query_one(sql, &[]).map_err(failed)?;
        Ok(u64::try_from(row.get::<_, i64>(0)).unwrap_or_default())
    }

    /// The table for the oldest rows.
    fn old(&self) -> String {
        format!("{}_old", self.name)
    }
}

impl Table for Keys {
    fn insert(&mut self, rows: &[Row]) -> Result<u64> {
        insert(&mut self.client, &self.insert, &self.plan, rows)
    }

    fn delete(&mut self, rows: &[Row]) -> Result<u64> {
        let keys = keys(&self.plan, rows);
        self.client.execute(&self.delete, &[&*keys]).map_err(failed)
    }

    fn claimant(&mut self) -> Result<Box<dyn Claimant>> {
        let mut client = connect(&self.config, self.plan.durability)?;
        let insert = client.prepare(&insertion(&self.plan, &self.name)).map_err(failed)?;
        Ok(Box::new(Other { client, plan: self.plan.clone(), insert }))
    }

    fn settle(&mut self) -> Result<()> {
        if self.tools.checkpoint {
            self.batch("CHECKPOINT")?;
            self.settled = true;
        }
        Ok(())
    }

    fn reclaim(&mut self) -> Result<()> {
        let vacuum = format!("VACUUM {}", self.name);
        self.batch(&vacuum)
    }

    fn counters(&mut self) -> Result<Counters> {
        if std::mem::take(&mut self.settled) {
            // The checkpointer tells of its work just after whoever asked for it goes on.
            self.batch("SELECT pg_sleep(0.1)")?;
        }
        let log_bytes = self.number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::int8")?;
        let sql = match self.tools.number {
            ..CHECKPOINTER => {
                "SELECT checkpoints_timed + checkpoints_req, buffers_checkpoint, buffers_clean + buffers_backend \
                 FROM pg_stat_bgwriter"
            }
            _ => {
                "SELECT num_timed + num_requested, buffers_written, (SELECT buffers_clean FROM pg_stat_bgwriter) \
                 FROM pg_stat_checkpointer"
            }
        };
        let row = self.client.query_one(sql, &[]).map_err(failed)?;
        let number = |place| u64::try_from(row.get::<_, i64>(place)).unwrap_or_default();
        let (checkpoints, pages, others) = (number(0), number(1), number(2));
        let mut cache_misses = None;
        if self.tools.number >= FLUSHED {
            self.batch("SELECT pg_stat_force_next_flush()")?;
            let name = &self.name;
            cache_misses = Some(self.number(&format!(
                "SELECT coalesce(heap_blks_read, 0) + coalesce(idx_blks_read, 0) FROM pg_statio_user_tables \
                 WHERE relid = '{name}'::regclass"
            ))?);
        }
        let allowed = self.tools.checkpoint;
        Ok(Counters {
            log_bytes: Some(log_bytes),
            written_bytes: allowed.then(|| log_bytes + (pages + others) * self.tools.block_bytes),
            checkpoints: allowed.then_some(checkpoints),
            checkpoint_pages: allowed.then_some(pages),
            cache_misses,
        })
    }

    fn layout(&mut self) -> Result<Layout> {
        let (name, old) = (&self.name, self.old());
        let sql = format!(
            "SELECT pg_table_size('{name}'), pg_indexes_size('{name}'), pg_total_relation_size('{name}') + \
             coalesce(pg_total_relation_size(to_regclass('{old}')), 0)"
        );
        let row = self.client.query_one(&sql, &[]).map_err(failed)?;
        let number = |place| u64::try_from(row.get::<_, i64>(place)).unwrap_or_default();
        let mut layout = Layout {
            table_bytes: number(0),
            index_bytes: number(1),
            file_bytes: number(2),
            ..Layout::default()
        };
        let Some(tool) = &self.tools.pgstattuple else { return Ok(layout) };
        let sql = format!(
            "SELECT leaf_pages, avg_leaf_density, deleted_pages + empty_pages, \
             (SELECT approx_free_space FROM {tool}.pgstattuple_approx('{name}'::regclass)) \
             FROM {tool}.pgstatindex('{name}_pkey'::regclass)"
        );
        let row = self.client.query_one(&sql, &[]).map_err(failed)?;
        let number = |place| u64::try_from(row.get::<_, i64>(place)).unwrap_or_default();
        let density: f64 = row.get(1);
        layout.leaf_pages = Some(number(0));
        // NaN of an empty index.
        layout.leaf_fill = Some(density / 100.0).filter(|fill| fill.is_finite());
        layout.free_bytes = Some(number(2) * self.tools.block_bytes + number(3));
        Ok(layout)
    }

    fn count(&mut self) -> Result<u64> {
        let sql = format!("SELECT count(*) FROM {}", self.name);
        self.number(&sql)
    }

    fn ways(&self) -> Vec<Way> {
        let timed = self.plan.record.has_times().then_some(Way::TimeIndex);
        [Way::Rows, Way::KeyRange].into_iter().chain(timed).chain([Way::TableDrop]).collect()
    }

    fn prepare(&mut self, way: Way, cut: &Cut<'_>) -> Result<()> {
        let (name, old) = (self.name.clone(), self.old());
        match way {
            Way::TimeIndex => self.batch(&format!("CREATE INDEX ON {name} (created_at)"))?,
            Way::TableDrop => {
                let index = format!("{name}_created_at_idx");
                self.batch(&format!(
                    "DROP INDEX IF EXISTS {index}; CREATE TABLE {old} (LIKE {name} INCLUDING ALL)"
                ))?;
                let copy = format!(
                    "INSERT INTO {old} SELECT * FROM {name} WHERE key = ANY ($1::{}[])",
                    key_type(&self.plan)
                );
                for rows in cut.rows.chunks(ROWS_AT_ONCE) {
                    let keys = keys(&self.plan, rows);
                    self.client.execute(&copy, &[&*keys]).map_err(failed)?;
                    self.delete(rows)?;
                }
                self.reclaim()?;
            }
            _ => {}
        }
        self.settle()
    }

    fn purge(&mut self, way: Way, cut: &Cut<'_>) -> Result<u64> {
        let name = self.name.clone();
        match way {
            Way::Rows => {
                let mut gone = 0;
                for rows in cut.rows.chunks(ROWS_AT_ONCE) {
                    gone += self.delete(rows)?;
                }
                Ok(gone)
            }
            Way::KeyRange => {
                let sql = format!("DELETE FROM {name} WHERE key <= $1");
                let key = one_key(&self.plan, cut.until_key);
                self.client.execute(&sql, &[&*key]).map_err(failed)
            }
            Way::TimeIndex => {
                let sql = format!("DELETE FROM {name} WHERE created_at <= $1");
                self.client.execute(&sql, &[&time(cut.until_us)]).map_err(failed)
            }
            Way::TableDrop => {
                let drop = format!("DROP TABLE {}", self.old());
                self.batch(&drop).map(|()| cut.rows.len() as u64)
            }
            Way::Ttl => Err(Error::data("postgres has no expiry of its own")),
        }
    }
}

/// Another connection to the same table.
struct Other {
    client: Client,
    plan: Plan,
    insert: Statement,
}

impl Claimant for Other {
    fn claim(&mut self, row: &Row) -> Result<bool> {
        Ok(insert(&mut self.client, &self.insert, &self.plan, std::slice::from_ref(row))? == 1)
    }
}
