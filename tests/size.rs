//! What a user of `uuidcap size` sees.

mod command;

use command::{record, run, stdout, uuidcap};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

/// The whole number of a field, whatever its size.
fn whole(value: &Value, field: &str) -> u128 {
    value[field].to_string().parse().unwrap_or_else(|_| panic!("{field} is {}", value[field]))
}

fn real(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("{field} is {}", value[field]))
}

#[test]
fn the_well_known_arithmetic_comes_out_to_the_digit() {
    let record = record("size --rate 200000 --days 7,30");
    let [week, month] = record["answer"]["cases"].as_array().expect("cases").as_slice() else {
        panic!("not two cases");
    };
    assert_eq!(whole(week, "live_keys"), 120_960_000_000);
    assert_eq!(whole(week, "raw_bytes"), 1_935_360_000_000);
    assert_eq!(whole(week, "raw_replicated_bytes"), 5_806_080_000_000);
    assert_eq!(week["raw_usd_per_month"].to_string(), "580.608");
    assert_eq!(month["raw_usd_per_month"].to_string(), "2488.32");
}

#[test]
fn the_text_leads_with_the_answer_and_fits_100_columns() {
    let text = stdout("size --rate 200000 --days 7");
    let lead: String = text.lines().take(3).collect::<Vec<_>>().join(" ");
    for figure in [
        "120,960,000,000 live keys",
        "1,935,360,000,000 bytes",
        "5,806,080,000,000 bytes",
        "$580.608 a month",
    ] {
        assert!(lead.contains(figure), "{figure} is not in: {lead}");
    }
    let explained = stdout("size --rate 200000 --days 7 --explain --growth 40% --horizon 3y");
    for line in text.lines().chain(explained.lines()) {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
}

#[test]
fn lists_make_a_grid_with_the_last_list_fastest() {
    let record = record("size --rate 1k,10k,200k --days 1,7,30 --store raw");
    let cases = record["answer"]["cases"].as_array().expect("cases");
    let keys: Vec<u128> = cases.iter().map(|case| whole(case, "live_keys")).collect();
    let expected: Vec<u128> = [1_000, 10_000, 200_000]
        .iter()
        .flat_map(|rate| [1, 7, 30].map(|days| rate * days * 86_400))
        .collect();
    assert_eq!(keys, expected);
}

#[test]
fn a_rate_by_the_day_is_exact() {
    let record = record("size --rate 15.25M/d --retention 7d --store raw");
    assert_eq!(whole(&record["answer"]["cases"][0], "live_keys"), 106_750_000);
}

#[test]
fn every_store_obeys_the_sums_of_the_contract() {
    let record = record(
        "size --rate 50k --retention 72h --record full --response-bytes 512 --replicas 2 --headroom 25%",
    );
    let stores = record["answer"]["cases"][0]["stores"].as_array().expect("stores");
    assert!(stores.len() >= 10, "{} stores", stores.len());
    for store in stores {
        let name = store["store"].as_str().expect("a name");
        let copies = if name == "dynamodb" { 1 } else { 2 };
        assert_eq!(whole(store, "replicated_bytes"), copies * whole(store, "stored_bytes"), "{name}");
        // Exact: 5/4 of an integer, rounded to the nearest.
        assert_eq!(
            whole(store, "provisioned_bytes"),
            (whole(store, "replicated_bytes") * 5 + 2) / 4,
            "{name}"
        );
        let parts = store["parts"].as_array().expect("parts");
        let sum: f64 = parts.iter().map(|part| real(part, "bytes")).sum();
        // Both are sums of the same few numbers, in one order: they differ by rounding alone.
        assert!((sum / real(store, "bytes_per_key") - 1.0).abs() < 1e-12, "{name}: parts make {sum}");
        let stored = whole(store, "stored_bytes") as f64;
        assert!((stored / (real(store, "bytes_per_key") * 12.96e9) - 1.0).abs() < 1e-9, "{name}");
        assert!(real(store, "usd_per_month") > 0.0, "{name}");
        for part in parts {
            assert!(real(part, "bytes") >= 0.0, "{name}: {part}");
        }
    }
}

#[test]
fn a_store_without_a_measurement_says_so() {
    let record = record("size --rate 1k --days 1 --store dynamodb,cassandra,postgres");
    let method = |at: usize| {
        record["answer"]["cases"][0]["stores"][at]["method"].as_str().expect("a method").to_owned()
    };
    assert_eq!((method(0), method(1)), ("from documentation".to_owned(), "from documentation".to_owned()));
    assert!(method(2).contains("measurements of PostgreSQL"), "{}", method(2));
}

#[test]
fn a_store_that_cannot_hold_the_record_is_left_out_unless_it_was_named() {
    let case = record("size --rate 1k --days 1 --response-bytes 500kB")["answer"]["cases"][0].clone();
    let stores: Vec<&str> =
        case["stores"].as_array().expect("stores").iter().filter_map(|line| line["store"].as_str()).collect();
    assert!(stores.contains(&"postgres") && !stores.contains(&"dynamodb"), "{stores:?}");
    assert_eq!(case["unfit"][0]["store"], "dynamodb");
    let output = run("size --rate 1k --days 1 --response-bytes 500kB --store dynamodb");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("400 KB"), "{output:?}");
}

#[test]
fn replication_is_in_the_price_of_dynamodb() {
    let cost = |replicas: u32| {
        let record = record(&format!("size --rate 1k --days 7 --store dynamodb --replicas {replicas}"));
        record["answer"]["cases"][0]["stores"][0]["usd_per_month"].to_string()
    };
    assert_eq!(cost(1), cost(3));
}

#[test]
fn a_plain_price_replaces_that_of_block_storage_and_of_nothing_else() {
    let costs = |price: &str| {
        let record = record(&format!("size --rate 1k --days 7 --store raw,postgres,redis,dynamodb {price}"));
        let stores = record["answer"]["cases"][0]["stores"].as_array().expect("stores").clone();
        stores
            .iter()
            .map(|store| (whole(store, "provisioned_bytes") as f64, real(store, "usd_per_month")))
            .collect::<Vec<_>>()
    };
    let (book, plain) = (costs(""), costs("--price-per-gb-month 0.5"));
    for at in [0, 1] {
        assert!((plain[at].1 / (plain[at].0 * 0.5e-9) - 1.0).abs() < 1e-12, "store {at}: {:?}", plain[at]);
    }
    assert_eq!((book[2], book[3]), (plain[2], plain[3]));
}

#[test]
fn attempts_multiply_lookups_and_not_keys() {
    let io = |retries: &str| {
        let record = record(&format!("size --rate 1k --days 1 --store postgres --retries {retries}"));
        let case = record["answer"]["cases"][0].clone();
        (whole(&case, "live_keys"), real(&case["stores"][0]["io"], "lookups_per_s"))
    };
    assert_eq!(io("1"), (86_400_000, 1_000.0));
    assert_eq!(io("1.5"), (86_400_000, 1_500.0));
}

#[test]
fn peak_sizes_throughput_and_average_sizes_storage() {
    let record = record("size --workload singles-day-2023 --days 1 --store postgres");
    let case = &record["answer"]["cases"][0];
    assert_eq!(whole(case, "live_keys"), 9_600_000_000);
    assert!((real(case, "peak_per_s") - 10.08e9 / 86_400.0).abs() < 1e-9);
    assert!((real(&case["stores"][0]["io"], "writes_per_s") - 10.08e9 / 86_400.0).abs() < 1e-9);
}

#[test]
fn growth_multiplies_the_load_each_year() {
    let record = record("size --rate 1k --days 1 --store raw --growth 50% --horizon 2y");
    let line = &record["answer"]["cases"][0]["stores"][0];
    let points = line["growth"].as_array().expect("points");
    let keys: Vec<u128> = points.iter().map(|point| whole(point, "live_keys")).collect();
    assert_eq!(keys, [86_400_000, 129_600_000, 194_400_000]);
    // 12 months at the logarithmic mean of each year's ends, by hand: a·0.5/ln 1.5 + 1.5a·0.5/ln 1.5.
    let month = real(line, "usd_per_month");
    let expected = 12.0 * month * (0.5 + 0.75) / 1.5f64.ln();
    // Usd fields are decimals of at most 28 digits written as f64.
    assert!((real(line, "horizon_usd") / expected - 1.0).abs() < 1e-12);
}

/// Arguments behind `size`, and what the one line must name.
const REFUSED: &[(&str, &[&str])] = &[
    ("--days 7", &["--rate"]),
    ("--rate 1k", &["--days"]),
    ("--rate -5 --days 7", &["--rate", "\"-5\"", "200k/s"]),
    ("--rate 0 --days 7", &["--rate", "\"0\"", "200k/s"]),
    ("--rate nan --days 7", &["--rate", "\"nan\""]),
    ("--rate inf --days 7", &["--rate", "\"inf\""]),
    ("--rate 1e400 --days 7", &["--rate", "\"1e400\"", "2^128"]),
    ("--rate 1k, --days 7", &["--rate", "\"\""]),
    ("--rate 10q/s --days 7", &["--rate", "\"10q/s\""]),
    ("--rate 1k --days 0", &["--days", "\"0\""]),
    ("--rate 1k --days 7d", &["--days", "\"7d\"", "--retention"]),
    ("--rate 1k --retention 7", &["--retention", "\"7\"", "72h"]),
    ("--rate 1k --retention -7d", &["--retention", "\"-7d\""]),
    ("--rate 1k --days 7 --retention 7d", &["--retention", "--days"]),
    ("--rate 1k --days 7 --replicas 0", &["--replicas", "\"0\"", "1 to 1000"]),
    ("--rate 1k --days 7 --replicas 2.5", &["--replicas", "\"2.5\""]),
    ("--rate 1k --days 7 --key v9", &["--key", "\"v9\"", "v7"]),
    ("--rate 1k --days 7 --key 0", &["--key", "\"0\"", "1 to 1024"]),
    ("--rate 1k --days 7 --key 2", &["604800000 live keys", "2 bytes"]),
    ("--rate 1k --days 7 --key-format hex", &["--key-format", "\"hex\"", "binary"]),
    ("--rate 1k --days 7 --record all", &["--record", "\"all\"", "claim"]),
    ("--rate 1k --days 7 --response-bytes 1.5", &["--response-bytes", "\"1.5\""]),
    ("--rate 1k --days 7 --response-bytes 4kb", &["--response-bytes", "\"4kb\"", "KiB"]),
    ("--rate 1k --days 7 --store mongodb", &["--store", "\"mongodb\"", "postgres"]),
    ("--rate 1k --days 7 --headroom -10%", &["--headroom", "\"-10%\"", "30%"]),
    ("--rate 1k --days 7 --retries 0.5", &["--retries", "\"0.5\"", "at least 1"]),
    ("--rate 1k --days 7 --headroom 30", &["--headroom", "\"30\"", "30%"]),
    ("--rate 1k --days 7 --record claim --response-bytes 512", &["response-bytes 512", "--record outcome"]),
    ("--rate 1k --days 7 --peak 10", &["peak", "10", "1000"]),
    ("--rate 1k --days 7 --growth 40%", &["--horizon"]),
    ("--rate 1k --days 7 --growth 40% --horizon 5000y", &["100y"]),
    ("--rate 1k --days 7 --price-per-gb-month -1", &["--price-per-gb-month", "\"-1\"", "0.10"]),
    ("--rate 1k --days 7 --provider ibm", &["--provider", "\"ibm\"", "gcp"]),
    ("--rate 1k --days 7 --region mars", &["--region", "\"mars\"", "us-east-1"]),
    ("--rate 1k --days 7 --prices /nonexistent", &["--prices", "/nonexistent"]),
    ("--rate 2^127 --days 7", &["2^128", "--rate"]),
    ("--rate 2^100 --days 7", &["2^128"]),
    ("--rate 1/y --retention 1ms", &["rate", "retention", "no key lives"]),
    ("--rate 1e20 --days 7 --key 8", &["60480000000000000000000000 live keys", "8 bytes"]),
    ("--rate 1k --days 7 --replicas +1", &["--replicas", "\"+1\""]),
    ("--rate 1k --days 7 --horizon 1ms --growth 10%", &["--horizon", "1d"]),
    ("--rate 1k --days 7 --threads 0", &["--threads", "\"0\""]),
    ("--rate 1k --days 7 --format xml", &["--format", "\"xml\"", "json"]),
    ("--rate 1k --days 7 --ratte 5", &["--ratte", "--rate"]),
    ("--rate 1k --days 1 --max-memory 1kB --store raw", &["--max-memory"]),
    ("--workload black-friday --days 1", &["--workload", "\"black-friday\"", "singles-day-2023"]),
];

#[test]
fn bad_input_gets_one_line_with_flag_value_and_way_out() {
    for (arguments, expected) in REFUSED {
        let output = run(&format!("size {arguments}"));
        let complaint = String::from_utf8(output.stderr).expect("stderr is UTF-8");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments} wrote to stdout");
        assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
        for word in *expected {
            assert!(complaint.contains(word), "{arguments}: {word} is not in {complaint}");
        }
    }
}

#[test]
fn the_largest_quantities_are_exact() {
    // 2^120 keys/s for 16 s of one byte... a key must have more values than there are keys: 16 bytes have 2^128.
    let record = record("size --rate 2^66 --retention 16s --store raw --key 16 --replicas 1 --headroom 0");
    let case = &record["answer"]["cases"][0];
    assert_eq!(whole(case, "live_keys"), 1 << 70);
    assert_eq!(whole(case, "raw_bytes"), 1 << 74);
}

#[test]
fn a_cost_above_the_limit_ends_with_1_after_the_answer() {
    let arguments = "size --rate 200k --days 7 --store raw";
    let below = run(&format!("{arguments} --fail-above 800"));
    let above = run(&format!("{arguments} --fail-above 700"));
    assert_eq!((below.status.code(), above.status.code()), (Some(0), Some(1)));
    assert_eq!(below.stdout, above.stdout);
    assert!(
        String::from_utf8_lossy(&above.stderr)
            .contains("raw costs $754.79 a month (v4 keys at 200000/s for 7 d)"),
        "{above:?}"
    );
}

#[test]
fn a_store_without_a_price_breaks_a_limit() {
    let output = run("size --rate 1k --days 7 --store redis --provider azure --fail-above 1000000");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("redis has no price"), "{output:?}");
}

#[test]
fn the_bill_adds_up_to_the_cost() {
    let record = record("size --rate 1k --days 7 --retries 1.5 --response-bytes 2kB");
    for store in record["answer"]["cases"][0]["stores"].as_array().expect("stores") {
        let bill = store["bill"].as_array().expect("a bill");
        let sum: f64 = bill.iter().map(|line| real(line, "usd_per_month")).sum();
        // Three addends, each the nearest f64 to a decimal.
        assert!((sum / real(store, "usd_per_month") - 1.0).abs() < 1e-14, "{store}");
    }
}

#[test]
fn no_two_rows_of_a_table_have_the_same_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let grid = "size --rate 1k,2k --days 1,2 --key v4,v7 --record key,full --explain -q -o";
    stdout(&format!("{grid} {}", folder.path().display()));
    for (table, own) in [("stores", 1), ("io", 1), ("keys_alone", 0), ("purges", 2), ("parts", 3)] {
        let mut reader = csv::Reader::from_path(folder.path().join(format!("{table}.csv"))).expect("a table");
        let header = reader.headers().expect("a header").clone();
        // The inputs, and behind them the store, the place or the strategy.
        let named = |name: &str| header.iter().position(|column| column == name);
        let mut columns: Vec<usize> = (0..13).collect();
        columns.extend(["store", "place", "part", "strategy"].iter().filter_map(|name| named(name)));
        assert!(columns.len() >= 13 + own, "{table}: {header:?}");
        let rows = reader.records().map(|row| {
            let row = row.expect("a row");
            columns.iter().map(|at| row[*at].to_owned()).collect::<Vec<String>>()
        });
        let mut rows: Vec<_> = rows.collect();
        let all = rows.len();
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), all, "{table}");
    }
}

#[test]
fn csv_has_the_names_of_the_record_and_full_precision() {
    let text = stdout("size --rate 200k --days 7 --store raw,postgres -f csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let record = record("size --rate 200k --days 7 --store raw,postgres");
    for (at, row) in reader.records().enumerate() {
        let row = row.expect("a row");
        for field in [
            "bytes_per_key",
            "log_bytes_per_insert",
            "stored_bytes",
            "provisioned_bytes",
            "usd_per_month",
            "store",
        ] {
            let column = header.iter().position(|name| name == field).unwrap_or_else(|| panic!("no {field}"));
            let expected = &record["answer"]["cases"][0]["stores"][at][field];
            match expected.as_f64() {
                Some(number) => assert_eq!(row[column].parse::<f64>().expect("a number"), number, "{field}"),
                None => assert_eq!(&row[column], expected.as_str().expect("text"), "{field}"),
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_byte_of_the_answer() {
    let grid = "size --rate 1k,20k,200k,3M --days 1,7,30 --key v4,v7,v7-monotonic,v1 --record key,full --store raw,postgres,mysql,sqlite,redis,rocksdb";
    let answer = |threads: u32| record(&format!("{grid} --threads {threads}"))["answer"].to_string();
    assert_eq!(answer(1), answer(4));
}

#[test]
fn a_case_has_the_same_answer_alone_and_in_a_grid() {
    let grid = record("size --rate 1k,200k --days 1,7 --key v4,v7 --store postgres,mysql,sqlite");
    let alone = record("size --rate 200k --days 7 --key v7 --store postgres,mysql,sqlite");
    let cases = grid["answer"]["cases"].as_array().expect("cases");
    assert_eq!(cases.last(), Some(&alone["answer"]["cases"][0]));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = uuidcap("size --rate 1k,2k,3k,4k,5k,6k --days 1,2,3,4,5,6,7,8,9,10 -f json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = uuidcap("size --rate 1k --days 1").stdout(full).output().expect("the binary starts");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint.contains("stdout") && complaint.lines().count() == 1, "{complaint}");
}

#[test]
fn a_study_is_whole_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = folder.path().join("new/study");
    stdout(&format!("size --rate 200k --days 7 --growth 40% --horizon 3y -q -o {}", study.display()));
    let mut names: Vec<String> = fs::read_dir(&study)
        .expect("the study")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in
        ["size.json", "stores.csv", "io.csv", "parts.csv", "log_parts.csv", "purges.csv", "growth.csv"]
    {
        assert!(names.contains(&name.to_owned()), "no {name} in {names:?}");
    }
    for figure in ["cost-by-retention", "bytes-per-key", "growth"] {
        assert!(
            names.contains(&format!("{figure}.svg")) && names.contains(&format!("{figure}.png")),
            "{names:?}"
        );
    }
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
    let png = fs::read(study.join("bytes-per-key.png")).expect("a figure");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
}

#[test]
fn nothing_of_an_older_study_stays_and_nothing_else_is_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    stdout(&format!("size --rate 200k --days 7 --growth 40% --horizon 3y --store raw -q -o {path}"));
    fs::write(folder.path().join("mine.csv"), "keep me").expect("a file");
    assert!(folder.path().join("growth.png").exists());
    stdout(&format!("size --rate 200k --days 7 --store raw -q -o {path}"));
    for old in ["growth.csv", "growth.png", "growth.svg"] {
        assert!(!folder.path().join(old).exists(), "{old}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("mine.csv")).expect("my file"), "keep me");
}

#[test]
fn a_folder_in_the_way_of_a_file_leaves_the_old_study_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("size.json")).expect("a folder in the way");
    let output = run(&format!("size --rate 1k --days 1 --store raw -o {}", folder.path().display()));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn a_price_with_many_decimals_is_not_lost() {
    let record =
        record("size --rate 1e15 --days 7 --store raw --key 16 --price-per-gb-month 0.00000000000000000001");
    let case = &record["answer"]["cases"][0];
    let expected = whole(case, "raw_replicated_bytes") as f64 * 1e-29;
    assert!((real(case, "raw_usd_per_month") / expected - 1.0).abs() < 1e-9, "{case}");
}

#[test]
fn the_lead_repeats_what_was_asked_to_the_digit() {
    let text = stdout("size --rate 999999.999999 --days 7 --store raw --price-per-gb-month 0.023");
    assert!(text.contains("999,999.999999 keys/s") && text.contains("$0.023 per GB-month"), "{text}");
}

#[test]
fn stores_go_by_their_other_names_too() {
    let record = record("size --rate 1k --days 1 --store postgresql,innodb,postgres");
    let stores = record["answer"]["cases"][0]["stores"].as_array().expect("stores").clone();
    let names: Vec<&str> = stores.iter().filter_map(|line| line["store"].as_str()).collect();
    assert_eq!(names, ["postgres", "mysql"]);
}

#[cfg(unix)]
#[test]
fn a_path_with_control_characters_stays_one_harmless_line() {
    let output =
        uuidcap("size --rate 1k --days 1 --prices").arg("1\n2\u{1b}[31m").output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint.lines().count() == 1 && !complaint.contains('\u{1b}'), "{complaint}");
}

#[test]
fn a_folder_that_cannot_be_made_is_one_line_and_no_answer_is_lost_in_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "in the way").expect("a file");
    let output = run(&format!("size --rate 1k --days 1 -o {}/study", file.display()));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint.contains("writing the study to") && complaint.lines().count() == 1, "{complaint}");
}

#[test]
fn another_price_book_replaces_the_one_that_ships() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("prices.toml");
    let text = include_str!("../src/store/prices.toml").replace("usd = \"0.08\"", "usd = \"0.16\"");
    fs::write(&file, text).expect("a file");
    let cost = |more: &str| {
        let record = record(&format!("size --rate 1k --days 7 --store postgres {more}"));
        real(&record["answer"]["cases"][0]["stores"][0], "usd_per_month")
    };
    let (shipped, doubled) = (cost(""), cost(&format!("--prices {}", file.display())));
    assert!((doubled / shipped - 2.0).abs() < 1e-12, "{shipped} and {doubled}");
}

#[test]
fn the_price_book_is_listed_with_dates() {
    let text = stdout("size --list-prices");
    for word in ["EBS gp3 capacity", "0.08", "2026-08-20", "used"] {
        assert!(text.contains(word), "{word} is not in {text}");
    }
}

#[test]
fn every_provider_prices_what_its_book_has() {
    for (provider, redis) in [("aws", true), ("gcp", true), ("azure", false)] {
        let record = record(&format!("size --rate 1k --days 7 --store postgres,redis --provider {provider}"));
        let stores = &record["answer"]["cases"][0]["stores"];
        assert!(real(&stores[0], "usd_per_month") > 0.0, "{provider}");
        assert_eq!(stores[1]["usd_per_month"].is_number(), redis, "{provider}");
    }
}
