//! Kinds of answers of `collide` that were wrong once: what is right was computed another way, and how is
//! said beside each.

mod command;

use command::record;
use serde_json::Value;

/// The only case of a command.
fn case(arguments: &str) -> Value {
    record(&format!("collide {arguments}"))["answer"]["cases"][0].clone()
}

fn number(case: &Value, name: &str) -> f64 {
    case[name].as_f64().unwrap_or_else(|| panic!("{name} is {}", case[name]))
}

/// Right to a relative 1e-9, unless it is said to be an approximation.
fn close(got: f64, right: f64) {
    assert!((got / right - 1.0).abs() < 1e-9, "got {got:e}, right {right:e}");
}

#[test]
fn repeats_of_a_crowded_tick_are_ids_less_values_hit() {
    // Ticks · (λ − N(1 − e^(−λ/N))) with λ = 65.536/60 and N = 1, 86400/65.536 ticks.
    let hex8 = case("--scheme v7 --keep-hex 8 --rate 1/min --for 1d");
    let mean = 65.536f64 / 60.0;
    close(number(&hex8, "expected_repeats"), 86_400.0 / 65.536 * (mean - (1.0 - (-mean).exp())));
    // The catalogue's shortened entry is the same thing.
    let entry = case("--scheme v7-hex8 --rate 1/min --for 1d");
    assert_eq!(hex8["expected_repeats"], entry["expected_repeats"]);
    // The first 8 digits of a v1 are the low bits of its clock, which come again every 429.5 s.
    let cut = case("--scheme v1 --keep-hex 8 --rate 100 --for 1d");
    let entry = case("--scheme v1-hex8 --rate 100 --for 1d");
    assert_eq!(cut["expected_pairs"], entry["expected_pairs"]);
    assert!(number(&cut, "expected_repeats") <= 8_640_000.0);
}

#[test]
fn repeats_within_a_window_are_never_more_than_where_all_is_kept() {
    for (space, rate, window, span) in
        [("2^10", "100", "364d", "1y"), ("365", "1/s", "399s", "400s"), ("2^20", "1k", "1h", "1d")]
    {
        let load = format!("--space {space} --rate {rate} --for {span}");
        let (kept, all) = (case(&format!("{load} --window {window}")), case(&load));
        assert!(number(&kept, "expected_repeats") <= number(&all, "expected_repeats"), "{load}");
        assert!(number(&kept, "expected_repeats") <= number(&kept, "expected_pairs"), "{load}");
    }
}

#[test]
fn a_window_longer_than_the_run_changes_nothing_of_the_run() {
    let long = case("--scheme v4 --rate 1M --for 1y --window 2y");
    let all = case("--scheme v4 --rate 1M --for 1y");
    for name in ["probability", "expected_pairs", "refused_payments_per_year"] {
        assert_eq!(long[name], all[name], "{name}");
    }
    // Clashes a second by the keys that are live: rate × live / N.
    let live = 1e6 * 31_557_600.0;
    close(number(&long, "live_keys"), live);
    close(number(&long, "collisions_per_s"), live * 1e6 / 2f64.powi(122));
    // And it solves for the same time: 3 ids in 2 values are certain.
    let until =
        |more: &str| number(&case(&format!("--space 2 --rate 1/s --risk 0.999 {more}")), "seconds_to_risk");
    assert_eq!(until("--window 1000y"), until(""));
}

#[test]
fn more_live_keys_than_values_clash_for_certain() {
    let crowded = case("--space 365 --ids 400 --rate 1/s --window 399s");
    assert_eq!(crowded["probability"], 1.0);
}

#[test]
fn several_repeats_are_rarer_than_one_and_counted_where_few() {
    // By fractions over all 365^23 draws.
    let birthday = case("--space 365 --ids 23");
    let tail = |repeats: u64| {
        let tails = birthday["at_least"].as_array().expect("tails");
        let tail = tails.iter().find(|tail| tail["repeats"] == repeats).expect("that many");
        number(tail, "probability")
    };
    assert!((tail(2) - 0.143_875).abs() < 5e-7 && (tail(3) - 0.025_551_6).abs() < 5e-8);
    for arguments in [
        "--space 365 --ids 2",
        "--space 1 --ids 3",
        "--scheme objectid --generators 10000 --rate 50k --for 15y",
        "--scheme snowflake --generators 2 --rate 10 --for 1d",
        "--scheme v4 --ids 1e18",
        "--scheme v7 --rate 1e9 --for 2y",
    ] {
        let case = case(arguments);
        for tail in case["at_least"].as_array().unwrap_or(&Vec::new()) {
            assert!(number(tail, "probability") <= number(&case, "probability"), "{arguments}: {tail}");
        }
    }
}

#[test]
fn many_nodes_that_draw_their_numbers_are_weighed_together() {
    // One tick of two nodes that make one id each on average: (1 − 1/e)² of 1/1024.
    let two = case("--scheme snowflake --generators 2 --rate 2000 --for 1ms");
    let right = (1.0 - (-1f64).exp()).powi(2) / 1024.0;
    assert!((number(&two, "probability") / right - 1.0).abs() < 2e-3);
    // 20,000 draws of the numbers of 1000 nodes gave 0.385, with a standard error of 0.0034.
    let many = case("--scheme snowflake --generators 1000 --rate 1000/s --for 1s");
    assert!((number(&many, "probability") - 0.385).abs() < 4.0 * 0.0034);
    assert_eq!(case("--scheme xid --ids 1 --generators 500")["probability"], 0.0);
}

#[test]
fn a_load_beyond_what_a_node_gives_has_no_odds() {
    assert_eq!(case("--scheme snowflake --rate 1e9 --for 1y")["probability"], Value::Null);
    // More ids than the layout has values are equal however they were made.
    assert_eq!(case("--scheme v1 --ids 2^500")["probability"], 1.0);
}

#[test]
fn shared_seeds_are_in_pairs_repeats_and_payments() {
    let seeded = case("--scheme v4 --seed-bits 32 --generators 500 --rate 50k --for 15y");
    let each = 50e3 * 15.0 * 31_557_600.0 / 500.0;
    close(number(&seeded, "expected_pairs"), each * 500.0 * 499.0 / 2f64.powi(33));
    assert!(number(&seeded, "probability") <= number(&seeded, "expected_pairs"));
    close(number(&seeded, "refused_payments_per_year"), number(&seeded, "expected_repeats") / 15.0);
    // Fewer ids than generators: 1,000 draw a seed.
    let few = case("--scheme v4 --seed-bits 32 --generators 1e5 --ids 1e3");
    close(number(&few["seeds"], "expected_repeated_ids"), 1_000.0 * 999.0 / 2f64.powi(33));
}

#[test]
fn clones_of_one_state_repeat_all_they_make() {
    let clones = case("--scheme v4 --seed-bits 0 --generators 8 --ids 800");
    assert_eq!(clones["probability"], 1.0);
    close(number(&clones["seeds"], "expected_repeated_ids"), 2_800.0);
    close(number(&clones, "expected_repeats"), 700.0);
}

#[test]
fn time_to_a_risk_holds_within_the_first_tick_and_beyond_returns_of_the_clock() {
    // λ − ln(1 + λ) = λ²/2 − λ³/3 + λ⁴/4 is −ln(1 − 1e-9), with λ = the seconds at 1/s.
    let mean = number(&case("--scheme v7-hex8 --rate 1 --risk 1e-9"), "seconds_to_risk");
    close(mean * mean * (0.5 - mean / 3.0 + mean * mean / 4.0), 1e-9 * (1.0 + 5e-10));
    for arguments in
        ["--scheme v1 --keep-hex 8 --rate 100", "--scheme ksuid --rate 1e6", "--scheme v7 --rate 1e13"]
    {
        let until = number(&case(&format!("{arguments} --risk 1e-6")), "seconds_to_risk");
        let back = case(&format!("{arguments} --for {until:e}s"));
        let p = back["probability"].to_string().parse::<f64>().expect("a number");
        assert!((p / 1e-6 - 1.0).abs() < 1e-6, "{arguments}: {p:e}");
    }
}

#[test]
fn a_burst_is_no_worse_than_all_ids_in_one_tick() {
    let burst = case("--scheme v7 --rate 1e6 --for 1s --duty 1e-9");
    close(number(&burst, "expected_pairs"), 1e12 / 2f64.powi(75));
}

#[test]
fn counters_from_0_keep_all_but_equal_counts_apart() {
    // Σ P(X ≥ k)² a millisecond, λ = 500 each: λ − √(λ/π) to a relative 1e-4.
    let bun = case("--scheme v7:bun --generators 2 --rate 1M --for 1y");
    let right = (500.0 - (500.0 / std::f64::consts::PI).sqrt()) * 31_557_600e3 / 2f64.powi(62);
    assert!((number(&bun, "expected_pairs") / right - 1.0).abs() < 1e-3);
}

#[test]
fn comparable_pairs_are_those_that_meet() {
    let evidence = |arguments: &str| record(&format!("collide {arguments}"))["answer"]["evidence"].clone();
    let kept = evidence("--scheme v4 --rate 1e9 --window 7d --for 1y --observed 0");
    let (window, year) = (604_800.0, 31_557_600.0);
    close(number(&kept, "pairs"), 1e18 * (window * year - window * window / 2.0));
    assert_eq!(number(&evidence("--observed 1 --pairs 3"), "effective_bits_low"), 0.0);
}

#[test]
fn a_limit_met_exactly_is_not_broken() {
    assert_eq!(command::run("collide --space 6 --ids 3 --fail-above 4/9").status.code(), Some(0));
    assert_eq!(command::run("collide --space 6 --ids 3 --fail-above 0.4444").status.code(), Some(1));
}

#[test]
fn certainty_is_told_from_what_no_float_holds() {
    let nearly =
        record("collide --space 2^2048 --ids 2^2046")["answer"]["cases"][0]["log10_no_clash"].to_string();
    assert!(nearly.starts_with("-4.80") && nearly.ends_with("614"), "{nearly}");
    assert_eq!(case("--space 365 --ids 366")["log10_no_clash"], Value::Null);
}

#[test]
fn a_window_within_a_tick_counts_what_is_live() {
    // Simulated, 100 s of 10,000 ids in 2^4 and in one value a tick: 6,320 repeats of 9,997 pairs. By the
    // form r T(1 − e^(−rW)) but for the first windows.
    let hex8 = case("--scheme v7 --keep-hex 8 --rate 100 --for 1d --window 10ms");
    let right = 100.0 * 86_400.0 * (1.0 - (-1f64).exp());
    assert!((number(&hex8, "expected_repeats") / right - 1.0).abs() < 1e-3, "{}", hex8["expected_repeats"]);
    let ksuid = case("--scheme ksuid --keep-hex 8 --rate 1000 --for 100s --window 1ms");
    assert!(
        (number(&ksuid, "expected_repeats") / 63_174.0 - 1.0).abs() < 5e-3,
        "{}",
        ksuid["expected_repeats"]
    );
}

#[test]
fn shared_seeds_never_repeat_more_than_was_made() {
    let all = case("--space 16 --ids 1000 --generators 1000 --seed-bits 0");
    close(number(&all, "expected_pairs"), 499_500.0);
    close(number(&all, "expected_repeats"), 999.0);
    // Simulated: 656.7 of 2000 values, 990.0 of 10^4.
    let few = case("--space 2000 --ids 1000 --generators 10 --seed-bits 2");
    assert!((number(&few, "expected_repeats") / 656.7 - 1.0).abs() < 0.01, "{}", few["expected_repeats"]);
    let one = case("--space 1e4 --ids 1000 --generators 100 --seed-bits 0");
    assert!((number(&one, "expected_repeats") / 990.0 - 1.0).abs() < 1e-3, "{}", one["expected_repeats"]);
    let kept = case("--scheme v4 --rate 501k --for 18h --window 7h --generators 5000 --seed-bits 32");
    assert!(number(&kept, "keep_everything_probability") >= number(&kept, "probability") * (1.0 - 1e-12));
}

#[test]
fn a_counter_from_0_stays_one_where_the_end_is_cut() {
    let whole = case("--scheme v7:bun --rate 100k --for 1h --generators 10");
    let uncut = case("--scheme v7:bun --rate 100k --for 1h --generators 10 --keep-hex 32");
    let four_bits_less = case("--scheme v7:bun --rate 100k --for 1h --generators 10 --keep-hex 31");
    assert_eq!(whole["expected_pairs"], uncut["expected_pairs"]);
    close(number(&four_bits_less, "expected_pairs"), 16.0 * number(&whole, "expected_pairs"));
}

#[test]
fn no_more_repeats_than_ids_and_no_fewer_than_certain() {
    // n − N(1 − (1 − 1/N)^n).
    let nodes = case("--scheme snowflake --generators 3000");
    close(
        number(&nodes, "expected_repeats"),
        3_000.0 - 1_024.0 * (1.0 - (1.0 - 1.0 / 1_024.0f64).powi(3_000)),
    );
    let certain = case("--scheme snowflake --ids 2^70");
    assert!(number(&certain, "expected_repeats") >= 2f64.powi(70) - 2f64.powi(64));
    assert!(case("--scheme v4 --ids 2")["at_least"].as_array().is_none_or(Vec::is_empty));
}

#[test]
fn ids_for_a_risk_put_back_where_counters_keep_generators_apart() {
    for (space, risk) in [("--scheme v7-monotonic --generators 2", "50%"), ("--bits 3.651", "0.999999")] {
        let solved = case(&format!("{space} --risk {risk}"));
        let back = |name: &str| number(&case(&format!("{space} --ids {}", solved[name])), "probability");
        let wanted = if risk == "50%" { 0.5 } else { 0.999_999 };
        assert!(back("max_ids") <= wanted + 1e-9 && back("min_ids") >= wanted - 1e-9, "{space}");
    }
}

#[test]
fn no_ids_at_a_time_are_no_rate() {
    for claim in ["1e-6 at 1e16", "50%"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_uuidcap"))
            .args(["collide", "--scheme", "ksuid", "--ids", "0", "--for", "95s", "--claim", claim])
            .output()
            .expect("the command runs");
        assert!(matches!(output.status.code(), Some(0 | 2)), "{claim}: {output:?}");
    }
}

#[test]
fn an_error_that_is_stated_is_a_share() {
    // More live keys than effective values: there is no such share, and none is made up.
    for window in ["1s", "9s", "1d"] {
        let method =
            case(&format!("--bits 10.5 --rate 100 --for 30y --window {window}"))["method"].to_string();
        assert!(!method.contains("e308"), "{method}");
    }
    // A bracket decides a limit exactly in the worst case of a clock, too: 1/16 for two of 16.
    let tie = "collide --scheme v7 --keep-hex 14 --ids 2 --fail-above";
    assert_eq!(command::run(&format!("{tie} 1/16")).status.code(), Some(0));
    assert_eq!(command::run(&format!("{tie} 1/17")).status.code(), Some(1));
}
