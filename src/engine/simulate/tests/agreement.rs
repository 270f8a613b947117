//! Each scenario against its expectation.

use super::super::question::{Arrivals, Fault, Inputs};
use super::super::{Resources, Simulation, answer};
use super::{SIGMAS, agree};

fn scheme(name: &str) -> Inputs {
    Inputs { scheme: Some(name.into()), ..Inputs::default() }
}

/// A scheme scaled to so many bits, with so many draws over so many ticks of a second's fraction.
fn run(name: &str, bits: u32, draws: u64, for_s: f64) -> Inputs {
    Inputs { bits: Some(bits), draws: Some(draws), for_s: Some(for_s), ..scheme(name) }
}

fn flat(bits: u32, draws: u64) -> Inputs {
    Inputs { bits: Some(bits), draws: Some(draws), ..Inputs::default() }
}

#[test]
fn plain_draws_are_a_birthday() {
    let (_, by_p, _) = agree(&flat(10, 40), 40_000);
    assert!(by_p < 0.03);
    agree(&Inputs { space: Some(365), draws: Some(23), ..Inputs::default() }, 15_000);
    // A bias of half a percent would show: 1,000 pairs a trial.
    let (_, _, by_pairs) = agree(&flat(10, 1_431), 4_000);
    assert!(by_pairs < 0.005);
    agree(&Inputs { alphabet: Some(10), length: Some(3), draws: Some(40), ..Inputs::default() }, 8_000);
}

#[test]
fn a_window_counts_only_what_is_kept() {
    let window = |seconds| Inputs { rate_per_s: Some(10.0), window_s: Some(seconds), ..flat(10, 150) };
    agree(&window(0.5), 8_000);
    agree(&window(5.0), 8_000);
    let all = agree(&window(100.0), 2_000).0;
    assert!(all.cells.is_some());
}

#[test]
fn seeds_that_are_shared_repeat_all_that_follows() {
    let seeds =
        |generators, bits| Inputs { generators: Some(generators), seed_bits: Some(bits), ..flat(16, 103) };
    for (generators, bits) in [(10, 6), (10, 4), (103, 14), (200, 12)] {
        agree(&seeds(generators, bits), 10_000);
    }
}

#[test]
fn copies_repeat_each_other() {
    for fault in [Fault::Clone, Fault::Fork] {
        for reseed_after in [None, Some(5), Some(1_000)] {
            let copies = Inputs { generators: Some(4), fault: Some(fault), reseed_after, ..flat(12, 203) };
            let (expected, ..) = agree(&copies, 4_000);
            assert_eq!(expected.probability, 1.0);
        }
    }
}

#[test]
fn letters_by_remainder_are_biased() {
    let letters = |alphabet, length, draws| Inputs {
        alphabet: Some(alphabet),
        length: Some(length),
        draws: Some(draws),
        fault: Some(Fault::Modulo),
        ..Inputs::default()
    };
    agree(&letters(62, 2, 60), 15_000);
    agree(&letters(200, 2, 200), 15_000);
    let (_, _, by_pairs) = agree(&letters(200, 1, 600), 4_000);
    assert!(by_pairs < 0.005);
}

#[test]
fn the_birthday_of_biased_letters_is_as_near_as_it_says() {
    use super::super::expected::Expected;
    use crate::math::unequal;
    // Half of the values are twice, or half as likely again, as the others.
    for (ratio, draws) in [(2.0, 5), (2.0, 20), (1.5, 40), (3.0, 90), (1.01, 60)] {
        let half = 2_500.0;
        let p = 1.0 / half / (1.0 + ratio);
        let expected = Expected::unequal(draws, &[(half, p), (half, ratio * p)], "of the birthday");
        let mut weights = vec![1.0; 2_500];
        weights.resize(5_000, ratio);
        let exact = unequal::clash(&weights, draws as usize).as_f64();
        let off = (expected.probability / exact - 1.0).abs();
        assert!(off <= expected.probability_error, "{ratio} {draws}: {off} {}", expected.probability_error);
        // And not far from it: what is stated says something.
        assert!(off > expected.probability_error / 10.0, "{ratio} {draws}: {off}");
    }
}

#[test]
fn three_values_that_are_nearly_alike_are_no_certain_clash() {
    // Of 256 bytes 86, 85 and 85 leave 0, 1 and 2: three ids differ with 6 · 86 · 85²/256³.
    let inputs = Inputs {
        alphabet: Some(3),
        length: Some(1),
        draws: Some(3),
        fault: Some(Fault::Modulo),
        ..Inputs::default()
    };
    let (expected, ..) = agree(&inputs, 10_000);
    assert!((expected.probability - (1.0 - 6.0 * 86.0 * 7_225.0 / 16_777_216.0)).abs() < 1e-12);
}

#[test]
fn ids_of_one_tick_clash_however_they_arrive() {
    let (expected, ..) = agree(&run("v7", 8, 60, 0.01), 15_000);
    assert_eq!(expected.cells, Some(2560.0));
    for (arrivals, duty, batch) in [
        (Arrivals::Steady, None, None),
        (Arrivals::Bursty, Some(0.3), None),
        (Arrivals::Batched, None, Some(7)),
        (Arrivals::Batched, None, Some(20)),
    ] {
        agree(&Inputs { arrivals, duty, batch, ..run("v7", 8, 60, 0.01) }, 15_000);
        // 100 and more pairs: half a percent would show.
        let (_, _, by_pairs) = agree(&Inputs { arrivals, duty, batch, ..run("v7", 6, 400, 0.01) }, 6_000);
        assert!(by_pairs < 0.013, "{by_pairs}");
    }
    // A burst of less than a tick.
    agree(&Inputs { arrivals: Arrivals::Bursty, duty: Some(1e-9), ..run("v7", 8, 20, 0.01) }, 8_000);
}

#[test]
fn counters_keep_a_generator_from_itself() {
    for (name, bits, generators) in [
        ("v7-monotonic", 8, 2),
        ("v7-monotonic", 8, 5),
        ("v7:liosk", 10, 3),
        ("v7:uuid-rs", 10, 3),
        ("v7:uuid-rs", 6, 3),
        ("v7:bun", 4, 3),
        ("v7:gofrs", 8, 20),
    ] {
        for arrivals in [Arrivals::Poisson, Arrivals::Steady, Arrivals::Bursty, Arrivals::Batched] {
            let counted = Inputs { generators: Some(generators), arrivals, ..run(name, bits, 100, 0.05) };
            let batched = (arrivals == Arrivals::Batched).then_some(6);
            agree(&Inputs { batch: batched, ..counted }, 5_000);
        }
    }
}

#[test]
fn one_counter_alone_never_meets_itself() {
    let (expected, ..) = agree(&run("v7:liosk", 12, 1_000, 0.1), 200);
    assert_eq!((expected.probability, expected.pairs), (0.0, 0.0));
}

#[test]
fn a_clock_that_runs_ahead_makes_one_id_a_tick() {
    let ticks = 500.0 / 4_096_000.0;
    let counted = Inputs { generators: Some(4), ..run("v7:postgres18", 5, 400, ticks) };
    agree(&counted, 8_000);
    agree(&Inputs { generators: Some(1), ..counted }, 100);
}

#[test]
fn ticks_that_are_lived_twice_hold_twice_as_much() {
    let back = |inputs: Inputs, back_s| Inputs { fault: Some(Fault::ClockBack), back_s, ..inputs };
    agree(&back(run("v7", 8, 60, 0.02), None), 15_000);
    agree(&back(run("v7", 8, 60, 0.02), Some(0.01)), 15_000);
    agree(&back(run("v7", 8, 60, 0.021), Some(0.01)), 15_000);
    let counted = |name, generators| Inputs { generators: Some(generators), ..run(name, 8, 100, 0.05) };
    agree(&back(counted("v7:liosk", 1), Some(0.02)), 8_000);
    agree(&back(counted("v7:liosk", 3), Some(0.02)), 8_000);
    agree(&back(counted("v7:bun", 2), Some(0.01)), 8_000);
    agree(&back(counted("snowflake", 1), Some(0.001)), 8_000);
    agree(&back(counted("snowflake", 4), Some(0.001)), 8_000);
    agree(&back(Inputs { bits: Some(2), ..counted("tsid", 4) }, Some(0.02)), 8_000);
}

#[test]
fn copies_of_a_v7_that_go_in_step_repeat_what_they_make_in_one_tick() {
    for (generators, draws, for_s, reseed_after) in [
        (2, 400, 0.4, None),
        (3, 400, 0.1, None),
        (4, 800, 2.0, Some(50)),
        (3, 40, 0.001, None),
        (2, 40, 1.0, None),
    ] {
        let copies = Inputs {
            generators: Some(generators),
            fault: Some(Fault::Clone),
            reseed_after,
            ..run("v7", 20, draws, for_s)
        };
        agree(&copies, 5_000);
    }
}

#[test]
fn nodes_that_share_a_number_meet_in_a_tick() {
    // Node numbers of a few bits, and runs from hardly a meeting to many.
    for (bits, generators, draws, for_s) in [
        (3, 4, 40, 0.1),
        (5, 4, 100, 0.1),
        (5, 4, 1_000, 0.01),
        (6, 20, 100, 0.1),
        (2, 12, 30, 0.1),
        (1, 2, 10, 1.0),
    ] {
        let nodes = Inputs { generators: Some(generators), ..run("snowflake", bits, draws, for_s) };
        agree(&nodes, 2_000_000 / draws);
    }
    // A sequence that starts anywhere: 2^8 numbers of a second in place of a real 2^24 is not to be had, 2^12 is.
    agree(&Inputs { generators: Some(4), ..run("tsid", 1, 2_000, 0.01) }, 1_500);
    let steady = Inputs { generators: Some(3), arrivals: Arrivals::Steady, ..run("snowflake", 2, 100, 0.03) };
    agree(&steady, 10_000);
    let batched = Inputs { arrivals: Arrivals::Batched, batch: Some(9), ..steady };
    agree(&batched, 10_000);
}

#[test]
fn copies_of_a_node_share_its_number() {
    let copies = |name, draws, for_s| Inputs {
        generators: Some(3),
        fault: Some(Fault::Clone),
        draws: Some(draws),
        for_s: Some(for_s),
        ..scheme(name)
    };
    agree(&copies("snowflake", 30, 0.5), 8_000);
    agree(&copies("v1", 30, 5e-5), 8_000);
}

#[test]
fn the_test_of_single_pairs_calls_as_few_sound_runs_into_question_as_it_says() {
    let inputs = |seed: u64| {
        let inputs = Inputs {
            bits: Some(14),
            draws: Some(640),
            trials: Some(20),
            rate_per_s: Some(64.0),
            window_s: Some(1.0),
            ..Inputs::default()
        };
        (Simulation::new(inputs).expect("a sound question"), seed)
    };
    let resources = Resources { threads: 1, memory_bytes: 1 << 30 };
    let p_value = |(simulation, seed): (Simulation, u64)| {
        let answer =
            answer(&simulation, seed, simulation.share(None), None, &resources, &()).expect("memory");
        answer.tests.iter().find(|test| test.by == "exact Poisson").expect("pairs come singly").p_value
    };
    let p_values: Vec<f64> = (0..2_000).map(|seed| p_value(inputs(seed))).collect();
    for level in [0.5, 0.1, 0.02] {
        let below = p_values.iter().filter(|p| **p <= level).count() as f64;
        let (due, reach) = (2_000.0 * level, SIGMAS * (2_000.0 * level * (1.0 - level)).sqrt());
        // A count that is whole has fewer; a broken test would have far more, or far fewer.
        assert!(below < due + reach && below > 0.4 * due, "{below} of 2,000 at {level}");
    }
}

#[test]
fn the_test_of_crowded_pairs_calls_as_few_sound_runs_into_question_as_it_says() {
    for (space, draws, trials) in [(50, 400, 1), (2, 10, 40), (31, 155, 1)] {
        let inputs =
            Inputs { space: Some(space), draws: Some(draws), trials: Some(trials), ..Inputs::default() };
        seldom_calls_into_question(&Simulation::new(inputs).expect("a sound question"));
    }
}

fn seldom_calls_into_question(simulation: &Simulation) {
    let resources = Resources { threads: 1, memory_bytes: 1 << 30 };
    let p_value = |seed: u64| {
        let answer = answer(simulation, seed, simulation.share(None), None, &resources, &()).expect("memory");
        answer.tests.iter().find(|test| test.name == "pairs of all trials").expect("a test").p_value
    };
    let p_values: Vec<f64> = (0..2_000).map(p_value).collect();
    for level in [0.5, 0.1, 0.02] {
        let below = p_values.iter().filter(|p| **p <= level).count() as f64;
        let (due, reach) = (2_000.0 * level, SIGMAS * (2_000.0 * level * (1.0 - level)).sqrt());
        // Sums of few squares are not quite chi-square: a quarter off at the tail.
        assert!((below - due).abs() < reach + due / 4.0, "{below} of 2,000 at {level}");
    }
}
