//! What a user of `uuidcap schemes` sees.

mod command;

use command::{record, run, stdout};
use serde_json::Value;

/// One entry of the whole catalogue.
fn entry<'a>(record: &'a Value, name: &str) -> &'a Value {
    let schemes = record["answer"]["schemes"].as_array().expect("schemes");
    schemes.iter().find(|scheme| scheme["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn the_catalogue_lists_v4_and_v7_with_their_random_bits() {
    let record = record("schemes");
    let bits = |name: &str| {
        let scheme = entry(&record, name);
        (scheme["total_bits"].as_u64(), scheme["random_bits"].as_u64(), scheme["time_bits"].as_u64())
    };
    assert_eq!(bits("v4"), (Some(128), Some(122), Some(0)));
    assert_eq!(bits("v7"), (Some(128), Some(74), Some(48)));
}

#[test]
fn every_scheme_that_people_use_is_listed() {
    let record = record("schemes");
    let named = "v1 v4 v6 v7 v8 ulid ksuid snowflake sonyflake tsid objectid xid nanoid cuid2 prefixed v7-hex8 date-name";
    for name in named.split(' ') {
        entry(&record, name);
    }
    for (name, bits) in
        [("v7:dotnet", 74.0), ("v7:java", 74.0), ("v7:uuid-rs", 73.0), ("v7:postgres18", 62.0)]
    {
        let scheme = entry(&record, name);
        assert_eq!((scheme["of"].as_str(), scheme["pair_bits"].as_f64()), (Some("v7"), Some(bits)), "{name}");
    }
}

#[test]
fn one_scheme_is_drawn_to_the_bit() {
    let text = stdout("schemes UUIDv7");
    for line in [
        "UUIDv7 (RFC 9562 §5.7): 128 bits, 48 of a clock, 74 random.",
        " 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1",
        "+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+",
        "|          unix_ts_ms           |  ver  |        rand_a         |",
        "- Clock: runs for 8,919 y, to the year 10889.",
        "- Characters: 36 hyphenated, 32 hex, 26 base32, 22 base58, 22 base64url.",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
    }
    assert!(text.contains("v7:cpython"), "implementations are missing from {text}");
}

#[test]
fn a_drawing_keeps_its_lines_in_markdown() {
    let text = stdout("schemes v7 -f markdown");
    let (_, drawing) = text.split_once("```text\n").expect("a block");
    let (drawing, _) = drawing.split_once("\n```\n").expect("its end");
    assert_eq!(drawing.lines().count(), 11, "{drawing}");
    assert!(drawing.contains("|  ver  |"), "bars are escaped in {drawing}");
}

#[test]
fn an_implementation_says_that_its_code_was_only_read() {
    let text = stdout("schemes v7:google");
    assert!(text.contains("- Rests on: reading its code, which was not run."), "{text}");
    assert!(text.contains("google/uuid 1.6.0, version7.go"), "{text}");
}

#[test]
fn the_list_fits_100_columns() {
    let text = stdout("schemes");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let lines = text.lines().filter(|line| line.starts_with(" v7:uuid-rs ")).count();
    assert_eq!(lines, 1, "a row takes one line: {text}");
}

#[test]
fn an_unknown_scheme_is_one_line_that_offers_the_nearest() {
    for (came, near) in
        [("nanoi", "nanoid"), ("snowflakes", "snowflake"), ("v7:postgre", "v7:postgres18"), ("nosuch", "v7")]
    {
        let output = run(&format!("schemes {came}"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        let offered =
            complaint.contains(&format!("\"{came}\"")) && complaint.contains(&format!("try {near}\n"));
        assert!(offered && complaint.lines().count() == 1, "{complaint}");
    }
}
