//! What a user of `uuidcap schemes` sees.

mod command;

use command::{record, run, stdout};

#[test]
fn the_catalogue_lists_v4_and_v7_with_their_random_bits() {
    let record = record("schemes");
    let schemes = record["answer"]["schemes"].as_array().expect("schemes");
    let bits = |name: &str| {
        let scheme =
            schemes.iter().find(|scheme| scheme["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        (scheme["total_bits"].as_u64(), scheme["random_bits"].as_u64(), scheme["time_bits"].as_u64())
    };
    assert_eq!(bits("v4"), (Some(128), Some(122), Some(0)));
    assert_eq!(bits("v7"), (Some(128), Some(74), Some(48)));
}

#[test]
fn one_scheme_is_drawn_to_the_bit() {
    let text = stdout("schemes V7");
    for word in ["RFC 9562", "unix_ts_ms:48", "rand_b:62", "10889"] {
        assert!(text.contains(word), "{word} is not in {text}");
    }
}

#[test]
fn an_unknown_scheme_is_one_line_that_offers_the_nearest() {
    for (came, near) in [("nanoi", "nanoid"), ("snowflakes", "snowflake"), ("nosuch", "v7")] {
        let output = run(&format!("schemes {came}"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        let offered =
            complaint.contains(&format!("\"{came}\"")) && complaint.contains(&format!("try {near}\n"));
        assert!(offered && complaint.lines().count() == 1, "{complaint}");
    }
}
