//! Every row of `tests/data/collision.csv`, from its inputs through the library's own functions.
//!
//! The file was made with 60 digits (its origin is told in `tests/data/README.md`) and gives 15, so that a relative
//! 1e-12 is held on reals; whole numbers are held exactly.

mod birthday;
mod faults;
mod row;
mod time;

use row::{Answer, Row};

/// Largest relative error of a real answer.
const TOLERANCE: f64 = 1e-12;

#[test]
fn every_row_is_what_the_library_answers() {
    let rows = row::all();
    assert_eq!(rows.len(), 226, "rows of the file");
    let wrong: Vec<String> = rows.iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// What is wrong with the library's answer to a row, if anything.
fn complaint(row: &Row) -> Option<String> {
    let answer = birthday::answer(row).or_else(|| time::answer(row)).or_else(|| faults::answer(row));
    let wrong = match answer {
        None => Some("no function answers it".to_owned()),
        Some(answer) => disagreement(&answer, &row.value),
    };
    wrong.map(|wrong| format!("{row}: {wrong}"))
}

/// How an answer differs from the file's value; a value without a point must be met exactly.
fn disagreement(answer: &Answer, value: &str) -> Option<String> {
    match (answer, value.contains('.')) {
        (Answer::Whole(whole), false) => {
            (whole.to_string() != value).then(|| format!("got {whole}, the file has {value}"))
        }
        (Answer::Real(real), true) => {
            let right: f64 = value.parse().expect("a real value");
            let error = (real / right - 1.0).abs();
            let wrong = error.is_nan() || error > TOLERANCE;
            wrong.then(|| format!("got {real:e}, the file has {value}: off by {error:.1e}"))
        }
        _ => Some(format!("got {answer:?}, the file has {value}: whole and real")),
    }
}
