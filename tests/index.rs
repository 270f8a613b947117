//! What a user of `uuidcap index` sees: the promised names, equal answers for equal seeds, what is said of orders, and
//! what is refused.

mod command;

use command::{record, run, stdout};
use serde_json::Value;
use std::fs;

/// The names that scripts rest on.
const NAMES: [&str; 7] = [
    "key_order",
    "leaf_fill",
    "splits_per_1000_inserts",
    "cache_misses_per_insert",
    "dirty_pages_per_checkpoint",
    "log_bytes_per_insert",
    "write_amplification",
];

/// A question that takes no time.
const SMALL: &str = "index --keys 200k --rate 200k --checkpoint 20k --seed 1";

fn rows(arguments: &str) -> Vec<Value> {
    record(arguments)["answer"]["rows"].as_array().expect("rows").clone()
}

fn figure(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} of {row}"))
}

/// What came on stderr of a command that ended with 2.
fn refused(arguments: &str) -> String {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments}: {complaint}");
    assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
    assert!(output.stdout.is_empty(), "{arguments}");
    complaint
}

#[test]
fn names_that_scripts_rest_on_are_there() {
    let rows = rows(SMALL);
    let orders: Vec<_> = rows.iter().map(|row| row["key_order"].clone()).collect();
    assert_eq!(orders, ["v4", "v7", "v7-monotonic"]);
    for name in NAMES {
        assert!(rows.iter().all(|row| !row[name].is_null()), "{name}");
    }
    let csv = stdout(&format!("{SMALL} -f csv"));
    let head: Vec<&str> = csv.lines().next().expect("a head").split(',').collect();
    assert!(NAMES.iter().all(|name| head.contains(name)), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn equal_seeds_give_equal_answers_on_any_number_of_threads() {
    let of = |options: &str| record(&format!("{SMALL} --order v4,v7,v1,ulid {options}"))["answer"].clone();
    assert_eq!(of("--threads 1"), of("--threads 4"));
    let another = record("index --keys 20k --checkpoint 5k --order v4 --seed 2")["answer"].clone();
    assert_ne!(record("index --keys 20k --checkpoint 5k --order v4 --seed 3")["answer"], another);
}

#[test]
fn a_seed_that_was_drawn_gives_the_same_answer_again() {
    let first = record("index --keys 20k --checkpoint 5k");
    let seed = &first["run"]["seed"];
    let again = record(&format!("index --keys 20k --checkpoint 5k --seed {seed}"));
    assert_eq!((&first["question"], &first["answer"]), (&again["question"], &again["answer"]));
}

#[test]
fn the_text_gives_four_answers_and_what_blog_posts_miss() {
    let text = stdout("index --keys 1M --rate 200k --checkpoint 100k --seed 1");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["Size: v7-monotonic", "Cache:", "Checkpoint:", "Log:", "Purge:", "four answers"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("v7 fills leaves no better than v4 here"), "{text}");
    assert!(text.contains("tells when it was made"), "{text}");
}

#[test]
fn far_future_keys_keep_leaves_half_empty() {
    let rows = rows("index --keys 300k --order v7-monotonic --far-future 1000 --seed 1");
    assert!((figure(&rows[0], "leaf_fill") - 0.5).abs() < 0.01, "{}", rows[0]["leaf_fill"]);
    // A share of all comes to a leafful only after 290,000 keys; until then the right edge is theirs in part.
    let rows = self::rows("index --keys 300k --order v7-monotonic --far-future 0.1% --seed 1");
    assert!((0.5..0.55).contains(&figure(&rows[0], "leaf_fill")), "{}", rows[0]["leaf_fill"]);
}

/// 500,000 rows of a UUID in PostgreSQL: 19.5 MB of index with v4, 15.8 MB with v7; the same v7 on top of as many v4 take
/// about a fifth more than v4 would.
#[test]
fn an_index_of_half_a_million_uuids_is_as_large_as_it_was_found() {
    let megabytes = |options: &str| -> Vec<f64> {
        let rows = rows(&format!("index --keys 500k --order v4,v7 --seed 1 {options}"));
        rows.iter().map(|row| figure(row, "index_bytes") / 1e6).collect()
    };
    let empty = megabytes("");
    assert!((empty[0] / 19.5 - 1.0).abs() < 0.04 && (empty[1] / 15.8 - 1.0).abs() < 0.01, "{empty:?}");
    let before = megabytes("--before 500k");
    let grown = before.iter().zip([empty[0]; 2]).map(|(after, before)| after - before).collect::<Vec<_>>();
    assert!((1.1..1.5).contains(&(grown[1] / grown[0])), "{before:?}");
}

/// By how much more v4 logs than v7, in transactions of one insert, of a thousand, and in one alone.
#[test]
fn batches_move_the_ratio_of_sqlite_up_and_back() {
    let ratio = |batch: &str| {
        let rows = rows(&format!("index --engine sqlite --keys 200k --order v4,v7 --batch {batch} --seed 1"));
        figure(&rows[0], "log_bytes_per_insert") / figure(&rows[1], "log_bytes_per_insert")
    };
    let ratios = ["1", "1k", "200k"].map(ratio);
    assert!(ratios[0] < 1.3 && ratios[1] > 20.0 && (0.8..1.3).contains(&ratios[2]), "{ratios:?}");
}

#[test]
fn clocks_and_delays_disorder_keys() {
    let dirty = |options: &str| {
        figure(
            &rows(&format!("index --keys 500k --checkpoint 20k --order v7 --seed 1 {options}"))[0],
            "dirty_pages_per_checkpoint",
        )
    };
    let (right, skewed) = (dirty(""), dirty("--clients 100 --skew 5s"));
    assert!(skewed > 3.0 * right, "{right} {skewed}");
    assert!(dirty("--skew 5s --skew-law uniform") > 3.0 * right);
    assert!(dirty("--delay 5s") > 2.0 * right);
}

#[test]
fn a_hundred_million_keys_and_more_are_answered_by_what_is_alike() {
    let rows = rows("index --keys 1e11 --rate 200k --order v4 --cache 64GiB --checkpoint 5min --seed 1");
    // 2^-13 of them are loaded.
    assert!(rows[0]["method"].as_str().expect("words").contains("scaled to 1/8192"), "{}", rows[0]["method"]);
    let bytes = figure(&rows[0], "bytes_per_key");
    assert!((bytes / (8192.0 / 202.0) - 1.0).abs() < 0.04, "{bytes}");
    // A cache of 1/60 of the index: by Che's approximation 0.987 of the leaves are missed and, as an index keeps some
    // 1/215 of its pages above them, 0.065 of the pages above.
    let misses = figure(&rows[0], "cache_misses_per_insert_at_end");
    assert!((misses - 1.052).abs() < 0.05, "{misses}");
}

#[test]
fn studies_hold_tables_and_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(&format!("{SMALL} -q -o {}", folder.path().display()));
    for file in [
        "index.json",
        "rows.csv",
        "growth.csv",
        "after-checkpoint.csv",
        "fill-by-cache.png",
        "misses-by-cache.svg",
        "log-after-checkpoint.svg",
    ] {
        assert!(fs::metadata(folder.path().join(file)).is_ok_and(|file| file.len() > 100), "{file}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_line() {
    for (arguments, part) in [
        ("index --order v8", "v7:postgres18"),
        ("index --order v4,", "an order"),
        ("index --keys 5", "from 100"),
        ("index --keys 2^60", "2^50"),
        ("index --keys -1", "--keys"),
        ("index --rate 0", "--rate"),
        ("index --delay 5", "--delay"),
        ("index --delay -5ms", "--delay"),
        ("index --delay 1h --rate 1M", "2^27"),
        ("index --clients 0 --order v7", "clients"),
        ("index --clients 2^40", "--clients"),
        ("index --skew-law uniform", "--skew"),
        ("index --shards 5000", "shards"),
        ("index --far-future 100%", "far-future"),
        ("index --far-future x", "0.1%"),
        ("index --engine oracle", "postgres"),
        ("index --page-bytes 5000", "power of 2"),
        ("index --page-bytes 1TB", "65536"),
        ("index --entry-bytes 3000", "a quarter of a page"),
        ("index --entry-bytes 1", "from 8"),
        ("index --cache 0%", "10%"),
        ("index --cache lots", "1GiB"),
        ("index --checkpoint 3", "at least 10"),
        ("index --checkpoint soon", "5min"),
        ("index --checkpoint 1ms --rate 10", "at least 10"),
        ("index --batch 0", "batch"),
        ("index --ttl 1000y", "2^50"),
        ("index --ttl 100s --keys 100k", "--ttl × --rate"),
        ("index --ttl 100s --engine innodb", "--engine postgres"),
        ("index --before 2^40", "2^27"),
        ("index --keys 10M --max-memory 1kB", "--max-memory"),
        ("index --threads 1,2", "--threads"),
    ] {
        let complaint = refused(arguments);
        assert!(complaint.contains(part), "{arguments}: {complaint}");
    }
}
