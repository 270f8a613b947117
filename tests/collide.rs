//! What a user of `uuidcap collide` sees.

mod command;

use command::{record, run, stdout, uuidcap};
use serde_json::Value;
use uuidcap::document;
use uuidcap::engine::collide::{self, Collision, Inputs, Subject};
use uuidcap::id::scheme;
use uuidcap::render::text;

/// Arguments behind `collide`, and what the one line must name.
const REFUSED: &[(&str, &[&str])] = &[
    // Nothing or too much is unknown.
    ("", &["--scheme v4", "--ids 1e9"]),
    ("--scheme v4", &["no load", "--ids 1e9", "--risk 1e-9"]),
    ("--ids 1e9", &["no space", "--scheme v4", "--risk 1e-9"]),
    ("--scheme v4 --rate 1k", &["--rate", "--for 30y", "--risk 1e-9"]),
    ("--scheme v4 --for 3y", &["--for", "--rate 200k", "--risk 1e-9"]),
    ("--scheme v4 --ids 1e9 --risk 1e-9", &["--risk", "--fail-above"]),
    ("--scheme v4 --ids 1e9 --rate 1k --for 3y", &["--ids", "--rate", "--for"]),
    ("--scheme v4 --ids 5 --window 7d", &["--window", "--rate 200k"]),
    ("--scheme v4 --window 7d --risk 1e-9", &["--window", "--rate", "--for"]),
    ("--alphabet 64 --ids 5", &["--alphabet", "--length", "--alphabet 64 --length 21"]),
    ("--scheme v4 --alphabet 64 --ids 5 --risk 1e-9", &["--alphabet", "--length 21"]),
    // Spaces.
    ("--space 0 --ids 5", &["--space", "\"0\"", "2^122"]),
    ("--space 2^4096 --ids 5", &["--space", "\"2^4096\"", "2^122"]),
    ("--space -5 --ids 5", &["--space", "\"-5\"", "2^122"]),
    ("--bits -5 --ids 5", &["--bits", "\"-5\"", "122"]),
    ("--bits 5000 --ids 5", &["--bits", "\"5000\"", "122"]),
    ("--bits nan --ids 5", &["--bits", "\"nan\"", "122"]),
    ("--alphabet 0 --length 3 --ids 5", &["--alphabet", "\"0\"", "62"]),
    ("--alphabet 62 --length 0 --ids 5", &["--length", "\"0\"", "21"]),
    ("--alphabet 62 --length 4000 --ids 5", &["--length", "4000", "21"]),
    ("--alphabet 1 --ids 5 --risk 1e-9", &["--alphabet", "\"1\"", "62"]),
    ("--scheme v77 --ids 5", &["--scheme", "\"v77\"", "v7"]),
    ("--scheme nanod --ids 5", &["--scheme", "\"nanod\"", "nanoid"]),
    ("--compare v4,ulidd --ids 5", &["--compare", "\"ulidd\"", "ulid"]),
    ("--scheme v8 --ids 5", &["--scheme v8", "--bits 62"]),
    // Probabilities.
    ("--scheme v4 --risk 0", &["--risk", "\"0\"", "1e-9"]),
    ("--scheme v4 --risk 1", &["--risk", "\"1\"", "1e-9"]),
    ("--scheme v4 --risk 100%", &["--risk", "\"100%\"", "1e-9"]),
    ("--scheme v4 --risk 1.5", &["--risk", "\"1.5\"", "1e-9"]),
    ("--scheme v4 --risk -1", &["--risk", "\"-1\"", "1e-9"]),
    ("--scheme v4 --risk nan", &["--risk", "\"nan\"", "1e-9"]),
    ("--scheme v4 --ids 5 --fail-above 0", &["--fail-above", "\"0\"", "1e-9"]),
    ("--scheme v4 --ids 5 --fail-above 1", &["--fail-above", "\"1\"", "1e-9"]),
    // Loads.
    ("--scheme v4 --ids -5", &["--ids", "\"-5\"", "1e9"]),
    ("--scheme v4 --ids 1.5", &["--ids", "\"1.5\"", "1e9"]),
    ("--scheme v4 --ids nan", &["--ids", "\"nan\"", "1e9"]),
    ("--scheme v4 --ids 2^4096", &["--ids", "\"2^4096\"", "1e9"]),
    ("--scheme v4 --ids 1e99999", &["--ids", "\"1e99999\"", "1e9"]),
    ("--scheme v4 --ids 1e9,", &["--ids", "\"\"", "1e9"]),
    ("--scheme v4 --rate -5 --for 3y", &["--rate", "\"-5\"", "200k/s"]),
    ("--scheme v4 --rate 0 --for 3y", &["--rate", "\"0\"", "200k/s"]),
    ("--scheme v4 --rate 5 --for 3", &["--for", "\"3\"", "7d"]),
    ("--scheme v4 --rate 5 --for -3y", &["--for", "\"-3y\"", "7d"]),
    ("--scheme v4 --rate 5 --for 0s", &["--for", "\"0s\"", "7d"]),
    ("--scheme v4 --rate 5 --window -7d", &["--window", "\"-7d\"", "7d"]),
    ("--scheme v4 --ids 5 --generators 0", &["--generators", "\"0\"", "100"]),
    ("--scheme v4 --ids 5 --generators -1", &["--generators", "\"-1\""]),
    ("--scheme v7 --ids 5 --dispersion -1", &["--dispersion", "\"-1\"", "50"]),
    ("--space 2^122 --ids 5 --dispersion 3", &["--dispersion", "--scheme v7"]),
    ("--space 2^122 --ids 5 --duty 1%", &["--duty", "--scheme v7"]),
    ("--scheme v7 --ids 5 --duty 0", &["--duty", "\"0\"", "1%"]),
    ("--scheme v7 --ids 5 --duty 1.5", &["--duty", "\"1.5\"", "1%"]),
    ("--scheme v7 --ids 5 --duty -1%", &["--duty", "\"-1%\""]),
    // Seeds and shortened ids.
    ("--seed-bits 32", &["--seed-bits", "--generators"]),
    ("--scheme v4 --ids 5 --seed-bits 32", &["--seed-bits", "--generators 100"]),
    ("--scheme v4 --ids 5 --seed-bits 513 --generators 5", &["--seed-bits", "513", "32"]),
    ("--scheme v4 --seed-bits 32 --generators 1e5 --risk 1e-9", &["--seed-bits", "--risk", "odds alone"]),
    ("--scheme v4 --observed 3 --pairs 1e10 --risk 1e-9", &["--observed", "--risk"]),
    ("--scheme snowflake --observed 5 --ids 1e6", &["--observed", "--bits"]),
    ("--scheme v4 --risk 1e-9 --fail-above 1e-12", &["--fail-above", "--risk"]),
    ("--scheme v7 --dispersion 50 --ids 1e12", &["--dispersion", "--rate"]),
    ("--scheme snowflake --generators 38 --keep-hex 8", &["no load", "--ids"]),
    ("--scheme v4 --keep-hex 0 --ids 5", &["--keep-hex", "\"0\"", "8"]),
    ("--scheme v4 --keep-hex 33 --ids 5", &["--keep-hex", "\"33\"", "1 to 32"]),
    ("--scheme nanoid --keep-hex 8 --ids 5", &["--keep-hex", "nanoid", "hexadecimal"]),
    ("--space 2^122 --keep-hex 8 --ids 5", &["--keep-hex", "--scheme v4 --keep-hex 8"]),
    // Repeats and claims.
    ("--scheme v4 --ids 5 --pairs 5", &["--observed"]),
    ("--scheme v4 --length 3 --ids 5", &["--alphabet"]),
    ("--scheme v4 --observed 5", &["--observed", "--pairs", "--ids"]),
    ("--scheme v4 --observed 5 --pairs 0", &["--pairs", "\"0\"", "4.995e10"]),
    ("--scheme v4 --observed 5 --pairs 4", &["--observed", "5 repeats", "4 comparable pairs"]),
    ("--scheme v4 --observed -5 --pairs 4", &["--observed", "\"-5\"", "7"]),
    ("--scheme v7 --observed 5 --ids 100", &["--observed", "--rate", "--pairs"]),
    ("--scheme v4,v7 --claim 0.5 --ids 9", &["--claim", "lists"]),
    ("--scheme v4 --claim 0.5 --ids 9,10", &["--claim", "lists"]),
    ("--scheme v4 --claim 0.5", &["--claim", "50% at 2^61", "--ids"]),
    ("--claim 0.5 --ids 9", &["--claim", "--scheme v4"]),
    ("--scheme v4 --claim bogus --ids 9", &["--claim", "\"bogus\"", "50% after 86y"]),
    ("--scheme v4 --claim 150% --ids 9", &["--claim", "\"150%\"", "50% after 86y"]),
    ("--scheme v4 --claim 0.5 --ids 9 --risk 1e-9", &["--claim", "--risk"]),
    ("--scheme v4 --claim 0.5 --ids 9 --observed 1", &["--claim", "--observed"]),
    ("--scheme snowflake --claim 0.5 --ids 9", &["--claim", "--scheme v4"]),
    // What chance does not decide.
    ("--scheme snowflake --rate 1k --risk 1e-9", &["snowflake", "without --risk"]),
    ("--scheme v7:uuid-rs --generators 1 --risk 1e-9", &["v7:uuid-rs", "--generators 100"]),
];

#[test]
fn bad_input_is_one_line_that_names_the_flag_and_what_helps() {
    for (arguments, named) in REFUSED {
        let output = run(&format!("collide {arguments}"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments}: something went to stdout");
        assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
        for word in *named {
            assert!(complaint.contains(word), "{arguments}: no {word} in {complaint}");
        }
    }
}

/// The only case.
fn case(arguments: &str) -> Value {
    record(&format!("collide {arguments}"))["answer"]["cases"][0].clone()
}

#[test]
fn more_ids_than_values_clash_for_certain() {
    for arguments in
        ["--space 365 --ids 366", "--space 1 --ids 2", "--bits 8 --ids 2^500", "--scheme v4 --ids 2^128"]
    {
        let case = case(arguments);
        assert_eq!(case["probability"].to_string(), "1.0", "{case}");
        assert_eq!(case["log10_probability"].to_string(), "0.0", "{case}");
        assert!(case["log10_no_clash"].is_null(), "{case}");
    }
    assert!(
        stdout("collide --space 365 --ids 366").starts_with("Certain"),
        "{}",
        stdout("collide --space 365 --ids 366")
    );
}

#[test]
fn none_or_one_id_never_clashes_and_n_of_n_still_may_not() {
    for ids in [0, 1] {
        for space in ["1", "365", "2^2048"] {
            let case = case(&format!("--space {space} --ids {ids}"));
            assert_eq!(case["probability"].to_string(), "0.0", "{case}");
            assert!(case["log10_probability"].is_null(), "{case}");
            assert_eq!(case["expected_pairs"].to_string(), "0.0", "{case}");
        }
    }
    // 365!/365^365 by Stirling's series, to 1e-9: −156.… is far from where p is told from 1.
    let case = case("--space 365 --ids 365");
    let stirling = |n: f64| n * n.ln() - n + (std::f64::consts::TAU * n).ln() / 2.0 + 1.0 / (12.0 * n);
    let expected = (stirling(365.0) - 365.0 * 365f64.ln()) / std::f64::consts::LN_10;
    let none = case["log10_no_clash"].as_f64().expect("a logarithm");
    assert!((none / expected - 1.0).abs() < 1e-9, "{none} and {expected}");
}

#[test]
fn a_limit_that_is_broken_ends_with_1_and_one_line() {
    let output = run("collide --scheme v4,v7 --ids 1e18 --fail-above 1e-3");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stdout.is_empty(), "the answer is given all the same");
    assert!(complaint.lines().count() == 1 && complaint.contains("--fail-above 1e-3"), "{complaint}");
    let output = run("collide --scheme v4 --ids 1e9 --fail-above 1e-3");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    // A limit just above and just below the probability itself, 1/365.
    assert_eq!(run("collide --space 365 --ids 2 --fail-above 1/364").status.code(), Some(0));
    assert_eq!(run("collide --space 365 --ids 2 --fail-above 1/366").status.code(), Some(1));
}

/// What must never stand in a text: no number, a zero with a sign, a risk rounded to nothing or to all.
fn forbidden(text: &str) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '|' | ':' | '"'));
    let mut last = "";
    for word in words.filter(|word| !word.is_empty()) {
        let percent = if word == "%" { last } else { word.strip_suffix('%').unwrap_or("") };
        let bare = word.trim_end_matches('%').trim_end_matches('.');
        let wrong = ["nan", "inf", "-inf", "-0", "-0.0"].contains(&bare.to_lowercase().as_str())
            || ["0", "0.0", "0.00", "100", "100.0"].contains(&percent);
        if wrong {
            return Some(format!("{last} {word}"));
        }
        last = word;
    }
    None
}

/// Every scheme but the one that the application fills, and those with the widest sequences.
fn schemes() -> Vec<String> {
    let csv = stdout("schemes -f csv");
    let names = csv.lines().skip(1).map(|line| line.split(',').next().unwrap_or("").to_owned());
    names.filter(|name| !["v8", "objectid", "xid"].contains(&name.as_str())).collect()
}

fn check(arguments: &str, formats: &[&str]) {
    for format in formats {
        let output = run(&format!("collide {arguments} -f {format}"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {complaint}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(forbidden(&text), None, "{arguments} -f {format}: {text}");
    }
}

const ALL: [&str; 4] = ["text", "json", "csv", "markdown"];
const IDS: [&str; 8] = ["0", "1", "2", "23", "1e9", "2^64", "2^128", "2^500"];

#[test]
fn flat_spaces_of_any_size_are_told_in_words_and_numbers() {
    for space in ["1", "2", "365", "2^32", "2^122", "2^128", "2^2048"] {
        for ids in IDS {
            check(&format!("--space {space} --ids {ids}"), &ALL);
        }
    }
}

#[test]
fn every_scheme_under_any_load_is_told_in_words_and_numbers() {
    let schemes = schemes();
    for scheme in &schemes {
        check(&format!("--scheme {scheme} --ids 1e9"), &["text", "markdown"]);
        check(&format!("--scheme {scheme} --rate 200k --for 30y --window 7d"), &["text", "markdown"]);
    }
    let all = schemes.join(",");
    check(&format!("--scheme {all} --ids {}", IDS.join(",")), &ALL);
    check(&format!("--scheme {all} --rate 1/y,200k,1e30 --for 1ms,1000y --window 1ms,7d,1000y"), &ALL);
}

#[test]
fn text_fits_100_columns_where_there_is_no_terminal() {
    for arguments in [
        "--scheme v4 --rate 200k --for 30y --window 7d",
        "--compare v4,v7,ulid,nanoid,cuid2 --rate 200k,1e9 --for 30y --window 7d,30d",
        "--space 2^2048 --ids 2^500",
        "--scheme v7:uuid-rs --rate 1e6 --for 30y --generators 100",
        "--scheme v4,v7 --risk 1e-9,50%",
        "--observed 7 --pairs 4.995e10 --scheme v7",
        "--scheme v4 --claim 0 --ids 1e9",
    ] {
        let text = stdout(&format!("collide {arguments}"));
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(widest <= 100, "{arguments}: {widest} columns");
    }
}

#[test]
fn text_fits_the_width_of_a_terminal() {
    let inputs = |names: &[&str]| Inputs {
        subjects: names.iter().map(|name| Subject::Scheme(scheme::find(name).expect("a scheme"))).collect(),
        rate_per_s: vec!["200k".parse().expect("a rate")],
        for_s: vec!["30y".parse().expect("a span")],
        window_s: vec!["7d".parse().expect("a span")],
        ..Inputs::default()
    };
    let all = ["v4", "v7", "ulid", "nanoid", "cuid2", "v7:postgres18"];
    let fits: [(&[&str], &[u16]); 4] = [
        (&["v4"], &[80, 100, 120]),
        (&["v7:uuid-rs"], &[80, 100, 120]),
        (&["snowflake"], &[80, 100, 120]),
        (&all, &[100, 120]),
    ];
    for (names, widths) in fits {
        let question = Collision::new(inputs(names)).expect("one thing is unknown");
        let answer = collide::answer(&question, &()).expect("an answer");
        let document = document::collide::document(&question, &answer, None);
        for &width in widths {
            for line in text::to_string(&document, width, false).lines() {
                let columns = line.chars().count();
                assert!(columns <= usize::from(width), "{names:?}: {columns} of {width} columns: {line}");
            }
        }
    }
}

#[test]
fn the_first_words_can_be_quoted() {
    let text = stdout("collide --scheme v4 --rate 200k --for 30y --window 7d");
    assert!(text.starts_with("1 in 232 billion"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("honest payments a year are taken for a retry"), "{text}");
    let output = uuidcap("collide --scheme v4 --claim").arg("50% at 2^61").output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("\"50% at 2^61\" is wrong: 39.35 %"), "{text}");
}

#[test]
fn the_number_of_threads_changes_no_byte_of_the_answer() {
    let grid =
        "collide --scheme v4,v7,ulid,ksuid,v7:uuid-rs,nanoid --rate 1,20k,3M --for 1d,30y --window 1h,7d";
    for format in ["csv", "text", "markdown"] {
        let text = |threads: u32| stdout(&format!("{grid} --threads {threads} -f {format}"));
        assert_eq!(text(1), text(2), "{format}");
    }
    let answer = |threads: u32| record(&format!("{grid} --threads {threads}"))["answer"].to_string();
    assert_eq!(answer(1), answer(2));
}

#[test]
fn a_case_has_the_same_answer_alone_and_in_a_grid() {
    let grid = record("collide --scheme v4,v7 --rate 1k,200k --for 1y,30y --window 1d,7d");
    let cases = grid["answer"]["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 16);
    assert_eq!(cases.last(), Some(&case("--scheme v7 --rate 200k --for 30y --window 7d")));
}
