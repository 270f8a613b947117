//! Consoles in Markdown show what the command says. `TRYCMD=overwrite cargo test --test readme` renews them.

#[test]
fn consoles_show_what_the_command_says() {
    trycmd::TestCases::new().case("README.md").case("tests/data/snapshots/*.md");
}

/// Words of a command line, with what stands in double quotes as one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let split = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    split.collect()
}

#[test]
fn figures_that_circulate_wrongly_have_their_right_value_in_the_answer() {
    let text = include_str!("../README.md");
    let table = text.split("| claim | right |").nth(1).expect("the table").lines().skip(2);
    let rows: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 10, "{} rows", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let line = cells[3].trim_matches('`');
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_uuidcap")).args(words(line)).output();
        let output = output.expect("the command runs");
        // Lines are broken at 100 columns: words are what is compared.
        let answer = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        let bold: Vec<&str> = cells[2].split("**").skip(1).step_by(2).collect();
        assert!(!bold.is_empty(), "{row}");
        for figure in bold {
            assert!(answer.contains(figure), "{line} does not say {figure}: {answer}");
        }
    }
}

/// Ids a second of a row of the record, named as in the table: generator, place, threads.
fn ids_per_s(record: &serde_json::Value, row: &str) -> f64 {
    let words: Vec<&str> = row.split_whitespace().map(|word| word.trim_matches('`')).collect();
    let rows = record["answer"]["rows"].as_array().expect("rows of a record");
    let found = rows.iter().find(|found| {
        found["generator"] == words[0]
            && found["into"] == words[1]
            && found["threads"].as_u64() == words[2].parse().ok()
    });
    found.and_then(|found| found["ids_per_s"].as_f64()).unwrap_or_else(|| panic!("no row {row}"))
}

/// Three digits.
fn short(ratio: f64) -> String {
    match ratio {
        ..10.0 => format!("{ratio:.2}"),
        10.0..100.0 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

/// What was measured is in a record; the table only divides.
#[test]
fn ratios_of_generators_are_those_of_the_record() {
    let record: serde_json::Value =
        serde_json::from_str(include_str!("../reports/bench/bench.json")).expect("a record");
    let text = include_str!("../README.md");
    let table = text.split("| what | row | against |").nth(1).expect("the table").lines().skip(2);
    let rows: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 10, "{} rows", rows.len());
    let missed = text.lines().find(|line| line.starts_with("Not reached in this run: ")).unwrap_or_default();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let ratio = ids_per_s(&record, cells[2]) / ids_per_s(&record, cells[3]);
        assert_eq!(cells[5], short(ratio), "{row}");
        // What is not reached is said.
        let reached = cells[4].parse().is_ok_and(|least: f64| ratio >= least) || cells[4] == "–";
        assert_eq!(missed.contains(&format!("{} (", cells[1])), !reached, "{row}");
    }
}
