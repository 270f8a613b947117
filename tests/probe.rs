//! What a user of `uuidcap probe` sees: stores loaded and measured, left as they were found, refused in one line.
//!
//! Tests of servers need `UUIDCAP_TEST_POSTGRES` and `UUIDCAP_TEST_REDIS`, URLs of servers that may be written to; where
//! one is missing they say so aloud, and fail where `CI` is set.

mod command;

use command::{record, run, stdout, uuidcap};
use redb::{ReadableDatabase, ReadableTable};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use uuidcap::store::live::{self, Durability, Plan, Surroundings, Values};
use uuidcap::store::record::{KeyFormat, Record, RecordKind};

fn rows(record: &Value) -> &Vec<Value> {
    record["answer"]["rows"].as_array().expect("rows")
}

fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The row of an order in a store.
fn row<'a>(record: &'a Value, store: &str, order: &str) -> &'a Value {
    let found = rows(record).iter().find(|row| row["store"] == store && row["key_order"] == order);
    found.unwrap_or_else(|| panic!("no {order} in {store}"))
}

/// One test at a time on a server: log and memory are those of the whole of it.
static SERVER: Mutex<()> = Mutex::new(());

/// The URL of a server for tests, and the right to use it; none where there is none, which is said aloud.
fn server(variable: &str) -> Option<(String, MutexGuard<'static, ()>)> {
    let url = std::env::var(variable).ok().filter(|url| !url.is_empty());
    if url.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{variable} names no server");
        // Not by a macro, whose output is kept from whoever looks.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {variable} names no server, nothing was tested of it");
    }
    // Another test's failure is none of this one's.
    let alone = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    url.map(|url| (url, alone))
}

/// Names in a folder.
fn entries(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("a folder");
    names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Claims of the process that is killed: as many claimants on as many keys.
const CRASH: (usize, u128) = (4, 1_000_000);

/// What a store is told of a record whose key alone matters.
fn plan() -> Plan {
    let record = Record::new(RecordKind::Key, 16, KeyFormat::Binary, 0);
    Plan { record, durability: Durability::Default, values: Arc::new(Values::new(0)) }
}

/// The part of the process that is killed: claims keys with several at once and says of each that is won which it was. It
/// does nothing where it was not asked to.
#[test]
fn claims_until_killed() {
    let Ok(store) = std::env::var("UUIDCAP_TEST_CLAIM") else { return };
    let written: live::Written = Arc::new(|| None);
    let surroundings =
        Surroundings { run: "00000000000000aa".to_owned(), temporary: PathBuf::new(), written };
    let mut target = live::open(&store, &surroundings).expect("a store");
    target.make().expect("a place");
    let mut table = target.table(&plan()).expect("a table");
    let claimants: Vec<_> = (0..CRASH.0).map(|_| table.claimant().expect("a claimant")).collect();
    std::thread::scope(|scope| {
        for mut claimant in claimants {
            scope.spawn(move || {
                for key in 1..=CRASH.1 {
                    if claimant.claim(&live::Row { key, created_us: 0 }).expect("an answer") {
                        // One write a line: it is whole or not there when the process is killed.
                        std::io::stderr()
                            .write_all(format!("won {key}\n").as_bytes())
                            .expect("somebody reads");
                    }
                }
            });
        }
    });
}

/// Has a process claim keys, kills it without warning after some, and gives the keys that it was told it had won.
fn killed_claims(store: &str) -> Vec<u128> {
    let this = std::env::current_exe().expect("this test");
    let arguments = ["claims_until_killed", "--exact", "--nocapture"];
    let mut command = Command::new(this);
    command.args(arguments).env("UUIDCAP_TEST_CLAIM", store).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process that claims");
    let mut lines = BufReader::new(child.stderr.take().expect("its stderr")).lines();
    let won = |line: std::io::Result<String>| {
        line.expect("text").strip_prefix("won ").map(|key| key.parse().expect("a key"))
    };
    let mut told: Vec<u128> = lines.by_ref().take(300).filter_map(won).collect();
    child.kill().and_then(|()| child.wait()).expect("it ends");
    told.extend(lines.filter_map(won));
    told
}

/// Checks that each key was won once, and that what was told to be won is there: nobody wins it again.
fn won_once_and_kept(store: &str, told: &[u128], there: &BTreeSet<u128>) {
    assert!(told.len() >= 200, "{store}: {} claims were won before the end", told.len());
    let different: BTreeSet<u128> = told.iter().copied().collect();
    assert_eq!(different.len(), told.len(), "{store}: a key was won twice");
    let lost: Vec<&u128> = different.difference(there).collect();
    assert!(lost.is_empty(), "{store}: won, told and not kept: {lost:?}");
}

#[test]
fn a_key_that_was_won_stays_won_when_the_process_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("uuidcap_probe_00000000000000aa");
    let key = |bytes: &[u8]| u128::from_be_bytes(bytes.try_into().expect("16 bytes"));

    let store = format!("sqlite:{}", folder.path().display());
    let told = killed_claims(&store);
    let database = rusqlite::Connection::open(place.join("0.db")).expect("what was left");
    let mut statement = database.prepare("SELECT key FROM keys").expect("a table");
    let there = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).expect("rows");
    let there = there.map(|bytes| key(&bytes.expect("a key"))).collect();
    won_once_and_kept(&store, &told, &there);
    let cleaned = live::folder::clean(folder.path()).expect("a folder");
    assert_eq!(cleaned.removed.len(), 1);

    let store = format!("redb:{}", folder.path().display());
    let told = killed_claims(&store);
    let database = redb::Database::open(place.join("0.redb")).expect("what was left, repaired");
    let keys: redb::TableDefinition<'_, &[u8; 16], &[u8]> = redb::TableDefinition::new("keys");
    let table = database.begin_read().expect("a transaction").open_table(keys).expect("a table");
    let there = table.iter().expect("rows").map(|row| key(row.expect("a row").0.value())).collect();
    won_once_and_kept(&store, &told, &there);
}

#[test]
fn a_key_that_was_won_in_postgres_stays_won_when_the_process_is_killed() {
    let Some((url, _alone)) = server("UUIDCAP_TEST_POSTGRES") else { return };
    let told = killed_claims(&url);
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the server of the tests");
    let rows = client.query("SELECT key FROM uuidcap_probe_00000000000000aa.k0", &[]).expect("what was left");
    let there = rows.iter().map(|row| row.get::<_, uuid::Uuid>(0).as_u128()).collect();
    won_once_and_kept(&url, &told, &there);
    for _ in 0..100 {
        run(&format!("probe --clean --store {url} -q"));
        if schemas(&url) == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{} schemas stay", schemas(&url));
}

/// What must hold of every row, whatever was measured.
fn laws(row: &Value, keys: u64) {
    assert_eq!(row["keys"], keys, "{row}");
    let sum = real(&row["table_bytes_per_key"]) + real(&row["index_bytes_per_key"]);
    assert!((sum / real(&row["bytes_per_key"]) - 1.0).abs() < 1e-12, "{row}");
    // Nothing is kept in fewer bytes than it has.
    assert!(real(&row["bytes_per_key"]) >= real(&row["key_bytes"]), "{row}");
    if !row["leaf_fill"].is_null() {
        assert!((0.3..=1.0).contains(&real(&row["leaf_fill"])), "{row}");
    }
    if let (Some(log), Some(written)) =
        (row["log_bytes_per_insert"].as_f64(), row["written_bytes_per_insert"].as_f64())
    {
        assert!(log <= written, "{row}");
    }
    let [low, ratio, high] = ["ratio_low", "ratio_to_first", "ratio_high"].map(|name| real(&row[name]));
    assert!(low <= ratio && ratio <= high, "{row}");
    let [p50, p99, most] = ["latency_s_p50", "latency_s_p99", "latency_s_max"].map(|name| real(&row[name]));
    assert!(p50 <= p99 && p99 <= most, "{row}");
    let claims = &row["claims"];
    assert_eq!((&claims["broken"], &claims["winners"]), (&0.into(), &claims["keys"]), "{row}");
    let all = real(&claims["keys"]) * real(&claims["claimants"]) + real(&claims["replays"]);
    assert_eq!(real(&claims["claims"]), all, "{row}");
    for purge in row["purges"].as_array().expect("purges") {
        if purge["purge"] != "ttl" && row["key_order"] != "v7-skewed" {
            assert_eq!(purge["removed_keys"], purge["expired_keys"], "{row}");
            assert_eq!(purge["removed_live_keys"], 0, "{row}");
        }
    }
    let by_rows = row["purges"].as_array().and_then(|all| all.iter().find(|purge| purge["purge"] == "rows"));
    assert_eq!(row["purge_s"], by_rows.expect("a purge by rows")["purge_s"], "{row}");
}

#[test]
fn embedded_stores_keep_the_laws_of_their_figures_and_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    let record = record(&format!(
        "probe --store sqlite:{path} --store redb:{path} --keys 4k --order v4,v7,v7-skewed,ulid,v1 --seed 7 -q"
    ));
    assert_eq!(rows(&record).len(), 10);
    for row in rows(&record) {
        laws(row, 4_000);
        assert!(row["steady"]["steps"].as_u64().is_some_and(|steps| (10..=30).contains(&steps)), "{row}");
        assert_eq!(row["steady"]["live_keys"], 4_000, "{row}");
    }
    // SQLite has a log, redb none.
    assert!(real(&row(&record, "sqlite", "v4")["log_bytes_per_insert"]) > 0.0);
    assert!(row(&record, "redb", "v4")["log_bytes_per_insert"].is_null());
    assert_eq!(entries(folder.path()), Vec::<String>::new());
}

#[test]
fn keys_in_order_write_a_fraction_of_what_scattered_ones_do() {
    let record =
        record("probe --store sqlite --keys 40k --order v4,v7-monotonic,snowflake --only load --seed 7 -q");
    let [v4, monotonic, snowflake] =
        ["v4", "v7-monotonic", "snowflake"].map(|order| row(&record, "sqlite", order));
    // A transaction of 1000 keys touches 1000 ÷ 80 leaves at the right edge, and nearly every one of 450 elsewhere.
    assert!(real(&v4["log_bytes_per_insert"]) > 5.0 * real(&monotonic["log_bytes_per_insert"]), "{v4}");
    // Eight bytes less of key, of a row whose other bytes are the same.
    let less = real(&monotonic["bytes_per_key"]) - real(&snowflake["bytes_per_key"]);
    assert!((7.0..11.0).contains(&less), "{less}");
    assert_eq!((&v4["ratio_to_first"], &v4["steady"]), (&1.0.into(), &Value::Null));
}

#[test]
fn what_is_measured_is_what_the_model_of_size_says() {
    let probed = record("probe --store sqlite --keys 100k --order v4,v7-monotonic --only load --seed 7 -q");
    for order in ["v4", "v7-monotonic"] {
        let model =
            record(&format!("size --rate 100k --retention 1s --record claim --store sqlite --key {order}"));
        let model = real(&model["answer"]["cases"][0]["stores"][0]["bytes_per_key"]);
        let measured = real(&row(&probed, "sqlite", order)["bytes_per_key"]);
        // Times take 8 bytes here and 6 in the model's milliseconds, of some 46.
        assert!((measured / model - 1.0).abs() < 0.06, "{order}: {measured} measured, {model} by the model");
    }
}

#[test]
fn clocks_that_are_off_make_a_purge_by_key_remove_keys_that_are_alive() {
    let text = "probe --store sqlite --keys 4k --order v7,v7-skewed --rate 10k --skew 100ms --only purge --seed 7 -q";
    let record = record(text);
    let by_key = |order: &str| {
        let purges = row(&record, "sqlite", order)["purges"].as_array().expect("purges");
        purges.iter().find(|purge| purge["purge"] == "key-range").expect("a purge by key").clone()
    };
    assert_eq!(by_key("v7")["removed_live_keys"], 0);
    assert!(by_key("v7-skewed")["removed_live_keys"].as_u64() > Some(0), "{}", by_key("v7-skewed"));
}

#[test]
fn equal_seeds_lie_equal_in_the_store() {
    let text = "probe --store sqlite --keys 3k --order v4,v7-skewed --only load -q --seed";
    let figures = |seed: u64| {
        let record = record(&format!("{text} {seed}"));
        let names = ["bytes_per_key", "leaf_fill", "log_bytes_per_insert"];
        rows(&record).iter().map(|row| names.map(|name| row[name].to_string())).collect::<Vec<_>>()
    };
    assert_eq!(figures(7), figures(7));
    assert_ne!(figures(7), figures(8));
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_line_that_helps_and_tells_no_password() {
    for (arguments, words) in [
        ("--keys 10", &["--keys", "\"10\"", "1000 to 1000000000"][..]),
        ("--keys -1", &["--keys", "\"-1\""]),
        ("--keys 2^70", &["--keys"]),
        ("--keys nan", &["--keys", "\"nan\""]),
        ("--order v5", &["--order", "\"v5\"", "v7-monotonic"]),
        ("--order v4,", &["--order", "\"\""]),
        ("--rate 0", &["--rate"]),
        ("--batch 0", &["--batch", "1 to 10000"]),
        ("--batch 1e9", &["--batch", "1 to 10000"]),
        ("--clients 0", &["--clients", "1 to 10000"]),
        ("--claimants 0", &["--claimants", "1 to 64"]),
        ("--claimants 65", &["--claimants", "1 to 64"]),
        ("--replay-share 1", &["--replay-share", "below 1"]),
        ("--replay-share -0.1", &["--replay-share"]),
        ("--skew 3y", &["--skew", "a year"]),
        ("--record key --response-bytes 5", &["--response-bytes", "--record outcome"]),
        ("--response-bytes 2MiB", &["--response-bytes", "1048576"]),
        ("--durability never", &["--durability", "lazy"]),
        ("--only nothing", &["--only", "claims"]),
        ("--keys 20M", &["--keys", "--yes", "GiB"]),
        ("--keys 900M --yes --max-memory 1GB", &["--max-memory", "keys that are alive"]),
        ("--store mysql://root:geheim@localhost/db", &["--store", "\"mysql\"", "try sqlite"]),
        ("--store oracle", &["--store", "\"oracle\"", "postgres://"]),
        ("--store postgres", &["--store", "\"postgres\"", "postgres://"]),
        ("--store postgres://u:geheim@127.0.0.1:1/db", &["postgres", "is the server up"]),
        ("--store postgres://u:geheim@127.0.0.1:x/db", &["postgres", "URL cannot be read"]),
        ("--store redis://:geheim@127.0.0.1:1", &["redis", "is the server up"]),
        ("--store redis://u:geheim@127.0.0.1:x/", &["redis", "URL cannot be read"]),
        ("--store sqlite:/nowhere/at/all", &["/nowhere/at/all", "sqlite:FOLDER"]),
        ("--store redb --order snowflake", &["redb", "16-byte keys"]),
    ] {
        let output = run(&format!("probe {arguments} -q"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
        assert!(!complaint.contains("geheim"), "{arguments}: {complaint}");
        for word in words {
            assert!(complaint.contains(word), "{arguments}: {complaint} lacks {word}");
        }
    }
}

/// A run that takes long, in a folder, once it has begun.
#[cfg(unix)]
fn long_run(folder: &Path) -> std::process::Child {
    let arguments = format!("probe --store sqlite:{} --keys 400k --order v4 --seed 7 -q", folder.display());
    let mut child = uuidcap(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a run");
    let began = (0..3_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        entries(folder).iter().any(|name| folder.join(name).join("0.db").exists())
    });
    if !began {
        child.kill().and_then(|()| child.wait()).expect("it ends");
        panic!("the run wrote nothing within half a minute");
    }
    child
}

#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "no signal was sent");
}

#[cfg(unix)]
#[test]
fn ctrl_c_removes_what_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let child = long_run(folder.path());
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{complaint}");
    assert!(complaint.contains("has been removed"), "{complaint}");
    assert_eq!(entries(folder.path()), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_found_and_what_a_live_one_uses_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let clean = || {
        let output = run(&format!("probe --clean --store sqlite:{}", folder.path().display()));
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let mut child = long_run(folder.path());
    let told = clean();
    assert!(told.contains("in use and left alone") && !told.contains("removed "), "{told}");
    signal(&child, "-KILL");
    child.wait().expect("it ends");
    assert_eq!(entries(folder.path()).len(), 1, "a killed run leaves its folder");
    let told = clean();
    assert!(told.contains("removed ") && told.contains("uuidcap_probe_"), "{told}");
    assert_eq!(entries(folder.path()), Vec::<String>::new());
    assert!(clean().contains("nothing of a killed run"));
}

#[test]
fn people_are_told_what_will_be_written_and_how_orders_compare() {
    let output = run("probe --store sqlite --keys 2k --order v4,v7 --seed 7");
    let (text, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("sqlite: will take up to ") && told.contains("and remove all of it"), "{told}");
    for word in
        ["sqlite 3.", "a key of v4", "× as fast", "Speed ratio", "Insert and expire", "--seed 7", "Winners"]
    {
        assert!(text.contains(word), "{word} is missing from\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn csv_has_every_row_with_the_names_of_the_record() {
    let text = "probe --store sqlite --keys 2k --order v4,v7 --only load --seed 7 -q";
    let csv = stdout(&format!("{text} -f csv"));
    let heading = csv.lines().next().expect("a heading");
    let record = record(text);
    for (name, value) in rows(&record)[0].as_object().expect("a row") {
        let is_nested = ["steady", "purges", "claims"].contains(&name.as_str());
        assert!(
            is_nested || heading.split(',').any(|column| column == name),
            "{heading} lacks {name}: {value}"
        );
    }
    assert_eq!(csv.lines().count(), 3);
}

/// How many schemas of ours a server has.
fn schemas(url: &str) -> i64 {
    let mut client = postgres::Client::connect(url, postgres::NoTls).expect("the server of the tests");
    let sql = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'uuidcap\\_probe\\_%'";
    client.query_one(sql, &[]).expect("a count").get(0)
}

#[test]
fn postgres_is_measured_as_it_was_in_the_reference() {
    let Some((url, _alone)) = server("UUIDCAP_TEST_POSTGRES") else { return };
    let text = format!(
        "probe --store {url} --keys 100k --order v7,v7-monotonic --record key --only load --seed 7 -q"
    );
    let record = record(&text);
    // measured-stores.csv, PostgreSQL 15.18, bare, primary key: bytes a key and leaf fill at 500,000 keys and more.
    for (order, bytes, fill) in [("v7", 86.03, 0.6825), ("v7-monotonic", 75.88, 0.9003)] {
        let row = row(&record, "postgres", order);
        assert!((real(&row["bytes_per_key"]) / bytes - 1.0).abs() < 0.02, "{row}");
        assert!((real(&row["leaf_fill"]) - fill).abs() < 0.02, "{row}");
        // 153.6 and 147.7 there; ON CONFLICT adds the record that confirms an insertion, 48.5 bytes.
        let log = if order == "v7" { 153.6 } else { 147.7 } + 48.5;
        assert!((real(&row["log_bytes_per_insert"]) / log - 1.0).abs() < 0.1, "{row}");
        assert!(real(&row["loader_share"]) < 0.2, "{row}");
    }
}

#[test]
fn postgres_keeps_the_laws_of_its_figures_and_is_left_as_it_was() {
    let Some((url, _alone)) = server("UUIDCAP_TEST_POSTGRES") else { return };
    let record = record(&format!(
        "probe --store {url} --keys 4k --order v4,v7,snowflake --record full --response-bytes 100 --seed 7 -q"
    ));
    for row in rows(&record) {
        laws(row, 4_000);
        assert_eq!(
            row["purges"].as_array().map(Vec::len),
            Some(if row["key_order"] == "v4" { 3 } else { 4 }),
            "{row}"
        );
    }
    let told = run(&format!("probe --clean --store {url}"));
    assert_eq!(told.status.code(), Some(0));
}

/// The same URL for another user.
fn of_user(url: &str, user: &str) -> String {
    let rest = url.split_once('@').expect("the URL of the tests names a user").1;
    format!("postgres://{user}:geheim@{rest}")
}

#[test]
fn a_user_without_rights_and_a_server_that_is_read_only_are_told_in_one_line() {
    let Some((url, _alone)) = server("UUIDCAP_TEST_POSTGRES") else { return };
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the server of the tests");
    // A database of its own, so that what others may do in theirs stays as it is.
    let make = [
        "DROP DATABASE IF EXISTS uuidcap_test",
        "DROP ROLE IF EXISTS uuidcap_weak, uuidcap_reader",
        "CREATE DATABASE uuidcap_test",
        "CREATE ROLE uuidcap_weak LOGIN PASSWORD 'geheim'",
        "CREATE ROLE uuidcap_reader LOGIN PASSWORD 'geheim'",
        "GRANT CREATE ON DATABASE uuidcap_test TO uuidcap_reader",
        "ALTER ROLE uuidcap_reader SET default_transaction_read_only = on",
    ];
    make.iter().for_each(|sql| client.batch_execute(sql).expect(sql));
    let database = |user: &str| {
        let url = of_user(&url, user);
        format!("{}/uuidcap_test", url.rsplit_once('/').expect("a path").0)
    };
    for (url, words) in [
        (database("uuidcap_weak"), &["may not make a schema", "GRANT CREATE"][..]),
        (database("uuidcap_reader"), &["read-only"]),
        (database("uuidcap_nobody"), &["uuidcap_nobody", "user and password"]),
        (
            database("uuidcap_weak").replace("uuidcap_test", "uuidcap_none"),
            &["uuidcap_none", "path of the URL"],
        ),
        (format!("{}?sslmode=require", database("uuidcap_weak")), &["postgres"]),
    ] {
        let output = run(&format!("probe --keys 1k --store {url} -q"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(!complaint.contains("geheim"), "{complaint}");
        assert!(words.iter().all(|word| complaint.contains(word)), "{complaint} lacks one of {words:?}");
    }
    let drop = ["DROP DATABASE uuidcap_test", "DROP ROLE uuidcap_weak, uuidcap_reader"];
    drop.iter().for_each(|sql| client.batch_execute(sql).expect(sql));
}

#[cfg(unix)]
#[test]
fn a_schema_of_a_killed_run_is_removed() {
    let Some((url, _alone)) = server("UUIDCAP_TEST_POSTGRES") else { return };
    let arguments = format!("probe --store {url} --keys 400k --order v4 --seed 7 -q");
    let mut child = uuidcap(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run");
    let before = schemas(&url);
    for _ in 0..3_000 {
        if schemas(&url) > before {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "-KILL");
    child.wait().expect("it ends");
    // The server ends the session, and with it the lock, once it has seen the connection go.
    for _ in 0..100 {
        run(&format!("probe --clean --store {url} -q"));
        if schemas(&url) == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{} schemas stay", schemas(&url));
}

#[test]
fn redis_keeps_the_laws_of_its_figures_and_is_left_as_it_was() {
    let Some((url, _alone)) = server("UUIDCAP_TEST_REDIS") else { return };
    let record = record(&format!("probe --store {url} --keys 4k --order v4,v7 --seed 7 -q"));
    for row in rows(&record) {
        laws(row, 4_000);
        let ttl = &row["purges"][1];
        assert_eq!(ttl["purge"], "ttl", "{row}");
        assert!(ttl["removed_keys"].as_u64() <= ttl["expired_keys"].as_u64(), "{row}");
    }
    let output = run(&format!("probe --store {url} --durability lazy --keys 1k -q"));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("--durability") && complaint.contains("appendfsync"), "{complaint}");
    let cleaned = run(&format!("probe --clean --store {url}"));
    let told = String::from_utf8_lossy(&cleaned.stderr).into_owned();
    assert!(told.contains("nothing of a killed run"), "{told}");
}
