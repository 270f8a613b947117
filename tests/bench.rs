//! What a user of `uuidcap bench` sees. Figures are measured and differ from run to run: what is tested is what
//! must hold of all of them.

mod command;

use command::{record, run, stdout};
use serde_json::Value;

/// Two short rounds of few rows.
const QUICK: &str = "bench --quick --seconds 0.02 --threads 1 --seed 7";

fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn rows(record: &Value) -> &Vec<Value> {
    record["answer"]["rows"].as_array().expect("rows")
}

fn names(record: &Value) -> Vec<&str> {
    rows(record).iter().map(|row| row["generator"].as_str().expect("a name")).collect()
}

#[test]
fn every_row_keeps_the_laws_of_its_figures() {
    let record = record(&format!("{QUICK} --into l1,memory --rounds 3"));
    for row in rows(&record) {
        let (rate, ns) = (real(&row["ids_per_s"]), real(&row["ns_per_id"]));
        // One quotient and one product: two roundings of 2^-53.
        assert!((rate * ns / 1e9 - 1.0).abs() < 1e-15, "{row}");
        assert_eq!(real(&row["bytes_per_s"]), rate * real(&row["id_bytes"]), "{row}");
        let [low, ratio, high] =
            ["ratio_low", "ratio_to_baseline", "ratio_high"].map(|name| real(&row[name]));
        assert!(low <= ratio && ratio <= high, "{row}");
        assert!(real(&row["ids_checked"]) <= real(&row["ids"]), "{row}");
        if row["generator"] == record["answer"]["baseline"] {
            assert_eq!((low, ratio, high), (1.0, 1.0, 1.0), "{row}");
        }
    }
    // Everyone there is, once a place.
    let library = uuidcap::engine::bench::contenders(
        &uuidcap::id::generator::Seed::from(7),
        &std::sync::Arc::new(uuidcap::id::clock::Manual::at_ns(1_700_000_000_000_000_000)),
        uuidcap::engine::bench::Format::Binary,
    );
    assert_eq!(rows(&record).len(), 2 * library.len());
    assert_eq!(record["run"]["seed"], 7);
}

#[test]
fn the_baseline_and_rows_a_number_of_threads_are_there() {
    let record =
        record("bench --quick --seconds 0.02 --generator memset,v7 --threads 2,1,2 --baseline v4:one");
    let rows: Vec<_> =
        rows(&record).iter().map(|row| (row["generator"].as_str(), real(&row["threads"]))).collect();
    let [one, v7, memset] = ["v4:one", "v7", "memset"].map(Some);
    assert_eq!(rows, [(one, 1.0), (v7, 1.0), (v7, 2.0), (memset, 1.0), (memset, 2.0)]);
    assert_eq!(record["answer"]["baseline"], "v4:one");
    assert_eq!(record["run"]["threads"], 2);
}

#[test]
fn text_has_its_length_and_is_written_by_those_who_can() {
    for (form, bytes, peer) in
        [("hyphenated", 36, "v4:uuid-rs"), ("simple", 32, "v7:uuid7"), ("base32", 26, "ulid:ulid-rs")]
    {
        let record = record(&format!(
            "{QUICK} --key-format {form} --generator v4,v4:one,ulid,{peer} --baseline v4:one"
        ));
        assert_eq!(rows(&record).len(), 4, "{form}");
        for row in rows(&record) {
            assert_eq!(row["id_bytes"], bytes, "{row}");
        }
    }
    let output = run(&format!("{QUICK} --key-format base62 --generator v4:uuid-rs"));
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("base62"));
}

#[test]
fn groups_and_families_name_those_they_hold() {
    let all = record(&format!("{QUICK} --generator v7:* --baseline v7"));
    for name in ["v7", "v7:one", "v7-monotonic", "v7-submillisecond"] {
        assert!(names(&all).contains(&name), "{name}");
    }
    assert!(names(&all).iter().all(|name| name.starts_with("v7")));
    let ceilings = record(&format!("{QUICK} --generator ceilings --baseline memset"));
    assert_eq!(
        names(&ceilings),
        ["memset", "stream:aes", "stream:aes-ctr", "stream:chacha8", "stream:rand-chacha8"]
    );
}

#[test]
fn what_cannot_be_measured_is_refused_in_one_line_that_helps() {
    for (arguments, words) in [
        ("--seconds 0", &["--seconds", "\"0\"", "0.02 to 3600"][..]),
        ("--seconds nan", &["--seconds", "\"nan\"", "0.02 to 3600"]),
        ("--seconds 1e308", &["--seconds", "\"1e308\"", "0.02 to 3600"]),
        ("--seconds -1", &["--seconds", "-1", "0.02 to 3600"]),
        ("--threads 0", &["--threads", "\"0\"", "1 to 4096"]),
        ("--threads 1,x", &["--threads", "\"x\"", "1 to 4096"]),
        ("--threads -1", &["--threads", "\"-1\"", "1 to 4096"]),
        ("--seed 18446744073709551616", &["--seed", "2^64 - 1", "try 7"]),
        ("--seed -1", &["--seed", "\"-1\"", "try 7"]),
        ("--seconds 0.02 --rounds 100", &["--seconds", "at least 0.1", "--rounds is 100"]),
        ("--generator uuid7", &["--generator", "try v7:uuid7"]),
        ("--generator peer", &["--generator", "try peers"]),
        ("--rounds 0", &["--rounds", "\"0\"", "1 to 1000"]),
        ("--generator v44", &["--generator", "\"v44\"", "try v4"]),
        ("--generator v7:uuid-sr", &["--generator", "try v7:uuid-rs"]),
        ("--generator v4,,", &["--generator", "\"\""]),
        ("--baseline memst", &["--baseline", "\"memst\"", "try memset"]),
        ("--into l2", &["--into", "\"l2\"", "l1 or memory"]),
        ("--key-format base16", &["--key-format", "\"base16\"", "hyphenated"]),
        ("--risk 2", &["--risk", "\"2\"", "between 0 and 1"]),
        ("--ids 5", &["--distinct"]),
        ("--distinct --ids 1", &["--ids", "\"1\"", "2 to 2^32"]),
        ("--distinct --ids 2^33", &["--ids", "2 to 2^32"]),
        ("--distinct --ids 2^70", &["--ids", "2 to 2^32"]),
        ("--distinct --ids -1", &["--ids", "\"-1\"", "2 to 2^32"]),
        ("--distinct --ids 1.5", &["--ids", "\"1.5\"", "2 to 2^32"]),
        ("--distinct --into l1", &["--into", "--distinct"]),
        ("--distinct --risk 1e-9", &["--risk", "--distinct"]),
        ("--distinct --baseline v4", &["--baseline", "--distinct"]),
        ("--distinct --key-format simple", &["--key-format", "--distinct"]),
        ("--distinct --seconds 1", &["--seconds", "--distinct"]),
        ("--distinct --rounds 2", &["--rounds", "--distinct"]),
        (
            "--distinct --ids 2^20 --threads 1 --max-memory 1MB",
            &["buffers for ids need about 16.9 MB", "1.00 MB", "--ids"],
        ),
        ("--into memory --quick --threads 1 --max-memory 1MB", &["MB", "leave out --into memory, or"]),
        ("--threads 64 --max-memory 1MB", &["name fewer --threads"]),
        ("--distinct --generator memset", &["--generator", "\"memset\"", "--distinct"]),
        ("--into memory --max-memory 1MB", &["--max-memory", "--quick"]),
        (
            "--generator snowflake --threads 1025 --seconds 0.02",
            &["--threads", "\"1025\"", "at most 1024 for snowflake"],
        ),
    ] {
        let output = run(&format!("bench {arguments}"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
        for word in words {
            assert!(complaint.contains(word), "{arguments}: {complaint} lacks {word}");
        }
    }
}

#[test]
fn the_lead_is_about_what_was_asked_for_and_the_table_says_on_how_many_threads() {
    let text = stdout("bench --quick --seconds 0.02 --generator v4,v7 --threads 2 --seed 7 -q");
    assert!(text.starts_with("v4 in bulk into L1 on 2 threads: "), "{text}");
    let line = |name: &str| {
        let found = text.lines().find(|line| line.trim_start().starts_with(name));
        found.unwrap_or_else(|| panic!("no line of {name} in\n{text}")).split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(line("Generator")[2], "On");
    assert_eq!((line("v4:uuid-rs-default")[2], line("v7")[2]), ("1", "2"));
    let ceilings = stdout("bench --quick --seconds 0.02 --generator memset --threads 2 --seed 7 -q");
    assert!(ceilings.starts_with("memset in bulk into L1 on 2 threads: "), "{ceilings}");
}

#[test]
fn one_round_is_told_as_one() {
    let text = stdout(&format!("{QUICK} --generator v4 --rounds 1 -q"));
    assert!(text.contains("One round, in which every row has 20 ms."), "{text}");
    assert!(!text.contains("Spread") && !text.contains("1 rounds"), "{text}");
    let record = record(&format!("{QUICK} --generator v4 --rounds 1"));
    assert!(rows(&record).iter().all(|row| row["spread"].is_null()));
}

#[test]
fn generators_that_are_compared_are_counted_once() {
    let text = stdout("bench --distinct --generator v4,v7,snowflake:* --ids 5k --threads 1,2 -q --seed 7");
    assert!(text.starts_with("5,000 ids of each of 4 generators: all different, all valid."), "{text}");
    for word in ["Promised", "Order seen", "Kept", "rising per thread"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn who_cannot_serve_so_many_threads_is_left_out_with_a_note() {
    let text = stdout("bench --distinct --generator own --ids 5k --threads 1025 -q --seed 7");
    assert!(text.contains("snowflake was left out on 1025 threads: it has numbers for 1024."), "{text}");
    assert!(text.starts_with("5,000 ids of each of 18 generators"), "{text}");
}

#[test]
fn a_folder_that_cannot_be_written_is_found_before_anything_is_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let below = file.join("study");
    let output = run(&format!("{QUICK} --generator v4 --out {}", below.display()));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("writing the study to") && complaint.contains("--out"), "{complaint}");
    assert!(output.stdout.is_empty(), "what was measured would be told");
}

#[test]
fn an_answer_is_told_though_its_study_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("bench.json")).expect("a folder in the way");
    for verb in ["bench --quick --seconds 0.02 --threads 1 --generator v4", "collide --scheme v4 --ids 1e9"] {
        std::fs::create_dir_all(folder.path().join("collide.json")).expect("a folder in the way");
        let output = run(&format!("{verb} --out {}", folder.path().display()));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains("is a folder there"), "{complaint}");
        assert!(!output.stdout.is_empty(), "{verb}");
    }
}

#[test]
fn other_verbs_refuse_a_list_of_threads() {
    let output = run("collide --scheme v4 --ids 1e9 --threads 1,2");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("--threads") && complaint.contains("\"1,2\""), "{complaint}");
    assert!(stdout("collide --scheme v4 --ids 1e9 --threads 2").contains("1 in"));
}

#[test]
fn ids_of_several_threads_are_all_different_and_in_the_order_that_is_promised() {
    let record = record("bench --distinct --ids 200k --threads 1,3 --seed 7");
    let compared = record["answer"]["distinct"].as_array().expect("ids that were compared");
    assert!(record["answer"]["rows"].as_array().is_some_and(Vec::is_empty));
    for one in compared {
        assert_eq!((&one["ids"], &one["distinct"]), (&200_000.into(), &200_000.into()), "{one}");
        assert_eq!((&one["repeats"], &one["invalid"]), (&0.into(), &0.into()), "{one}");
        let rising = ["v6", "v7-monotonic", "ulid", "snowflake"];
        let name = one["generator"].as_str().expect("a name").trim_end_matches(":one");
        if rising.contains(&name) {
            let order = if one["threads"] == 1 { "rising" } else { "rising_within_thread" };
            assert_eq!(one["order"], order, "{one}");
        }
        if name == "v4" {
            assert_eq!(one["order"], "none", "{one}");
        }
    }
    let monotonic = compared.iter().filter(|one| one["generator"] == "v7-monotonic").count();
    assert_eq!(monotonic, 2, "one a number of threads");
}

#[test]
fn equal_seeds_give_equal_streams_and_another_seed_is_drawn_each_time() {
    let seed = |arguments: &str| record(arguments)["run"]["seed"].as_u64().expect("a seed");
    let distinct = "bench --distinct --generator v4 --ids 2 --threads 1";
    assert_eq!(seed(&format!("{distinct} --seed 7")), 7);
    // Equal once in 2^64.
    assert_ne!(seed(distinct), seed(distinct));
}

#[test]
fn the_text_says_what_was_found_and_fits_its_width() {
    let text = stdout(&format!("{QUICK} --generator v4,v4:uuid-rs,memset -q"));
    let first = text.lines().next().expect("a lead");
    assert!(first.starts_with("v4 in bulk into L1 on one thread: ") && first.contains("ns an id"), "{first}");
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    for word in ["ceiling", "own", "peer", "Spread", "--seed 7", "rounds"] {
        assert!(text.contains(word), "{word} is missing from\n{text}");
    }
    let compared = stdout("bench --distinct --generator v4 --ids 5k --threads 2 -q --seed 7");
    assert!(compared.starts_with("5,000 ids of v4: all different, all valid."), "{compared}");
}

#[test]
fn csv_has_every_row_with_the_names_of_the_record() {
    let csv = stdout(&format!("{QUICK} --generator v4,memset -f csv -q"));
    let mut lines = csv.lines();
    let heading = lines.next().expect("a heading");
    let record = record(&format!("{QUICK} --generator v4,memset"));
    for name in rows(&record)[0].as_object().expect("a row").keys() {
        assert!(heading.split(',').any(|column| column == name), "{heading} lacks {name}");
    }
    assert_eq!(lines.count(), rows(&record).len());
}
