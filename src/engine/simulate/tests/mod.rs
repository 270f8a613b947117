//! What is drawn agrees with what is expected of it.
//!
//! Seeds are fixed, so that a test passes always or never. A tolerance is 5.5 standard errors (a false alarm in 2.6e7 for
//! one comparison, had the seed been another) beside the error that the expectation states for itself.

mod agreement;
mod cases;
mod reading;
mod refusals;

use super::expected::Expected;
use super::model::Model;
use super::question::Inputs;
use super::source::Words;
use crate::id::generator::{Cipher, Seed};
use crate::sim::count::{Counts, plain};

/// Standard errors by which what is seen may be off.
const SIGMAS: f64 = 5.5;

fn model(inputs: &Inputs) -> Model {
    Model::of(inputs).expect("a question that can be answered")
}

/// The ids of a trial.
fn ids(model: &Model, words: &mut Words, ids: &mut Vec<u64>) {
    match (model.source(), model.uniform()) {
        (Some(source), _) => source.draw(words, ids),
        (None, Some(values)) => {
            ids.clear();
            ids.extend((0..model.draws()).map(|_| values.draw(words)));
        }
        (None, None) => unreachable!("a model has values or a source"),
    }
    assert_eq!(ids.len() as u64, model.draws());
}

/// What was seen over some trials.
#[derive(Debug, Default)]
struct Seen {
    trials: f64,
    clashed: f64,
    pairs: f64,
    squares: f64,
    repeats: f64,
    repeat_squares: f64,
}

/// Counts by going back through the window, or over all.
fn counted(ids: &[u64], window: Option<u64>) -> Counts {
    let mut counts = Counts::default();
    let Some(window) = window else {
        // As `plain` counts, in a tenth of its time; the first trials are counted by both.
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        for run in sorted.chunk_by(|a, b| a == b) {
            counts.repeats += run.len() as u64 - 1;
            counts.pairs += run.len() as u128 * (run.len() as u128 - 1) / 2;
        }
        return counts;
    };
    for (at, id) in ids.iter().enumerate() {
        let from = at.saturating_sub(window as usize);
        let met = ids[from..at].iter().filter(|other| *other == id).count();
        counts.pairs += met as u128;
        counts.repeats += u64::from(met > 0);
    }
    counts
}

fn seen(model: &Model, trials: u64) -> Seen {
    let mut words = Words::new(Cipher::Aes, &Seed::from(20_240), 0);
    let (mut all, mut seen) = (Vec::new(), Seen::default());
    for trial in 0..trials {
        words.set_trial(trial);
        ids(model, &mut words, &mut all);
        let counts = counted(&all, model.window_draws());
        if trial < 10 && model.window_draws().is_none() {
            let plain = plain::count(all.iter().copied());
            assert_eq!((plain.repeats, plain.pairs), (counts.repeats, counts.pairs));
        }
        let (pairs, repeats) = (counts.pairs as f64, counts.repeats as f64);
        seen.trials += 1.0;
        seen.clashed += f64::from(u8::from(counts.pairs > 0));
        seen.pairs += pairs;
        seen.squares += pairs * pairs;
        seen.repeats += repeats;
        seen.repeat_squares += repeats * repeats;
    }
    seen
}

/// Whether a mean of trials agrees with what is expected, and how sharply it was looked at.
fn mean_agrees(what: &str, sum: f64, squares: f64, trials: f64, expected: f64, error: f64) -> f64 {
    let mean = sum / trials;
    let variance = (squares / trials - mean * mean).max(0.0);
    let sigma = (variance / trials).sqrt();
    let off = mean - expected;
    let allowed = SIGMAS * sigma + error * expected + 1e-12 * expected;
    assert!(
        off.abs() <= allowed,
        "{what}: seen {mean}, expected {expected}, {:.1} sigma, error {error:e}",
        off / sigma
    );
    SIGMAS * sigma / expected
}

/// Compares trials with what is expected of them, and returns which relative bias of probability and pairs would show.
fn agree(inputs: &Inputs, trials: u64) -> (Expected, f64, f64) {
    let model = model(inputs);
    let (expected, seen) = (model.expected(), seen(&model, trials));
    let name = model.in_words();
    let p = expected.probability;
    let what = format!("{name}, probability");
    // The variance that is expected, since none may be seen: p(1 − p).
    let squares = seen.trials * p * (1.0 - p) + seen.clashed * seen.clashed / seen.trials;
    let by_p = mean_agrees(&what, seen.clashed, squares, seen.trials, p, expected.probability_error);
    let what = format!("{name}, pairs");
    let by_pairs =
        mean_agrees(&what, seen.pairs, seen.squares, seen.trials, expected.pairs, expected.pairs_error);
    if let Some(repeats) = expected.repeats {
        mean_agrees(
            &format!("{name}, repeats"),
            seen.repeats,
            seen.repeat_squares,
            seen.trials,
            repeats,
            0.0,
        );
    }
    (expected, by_p, by_pairs)
}
