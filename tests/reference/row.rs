//! Rows of the reference file, and its ways of writing numbers.

use num_bigint::BigUint;
use serde_json::Value;
use std::fmt;
use std::path::Path;
use uuidcap::math::logspace::Wide;

/// Seconds of a year of 365.25 days.
pub const YEAR_S: f64 = 31_557_600.0;

/// One line of the file.
pub struct Row {
    pub case: String,
    pub quantity: String,
    pub value: String,
    inputs: Value,
}

/// What the library says.
#[derive(Debug)]
pub enum Answer {
    Real(f64),
    Whole(BigUint),
}

impl From<f64> for Answer {
    fn from(value: f64) -> Answer {
        Answer::Real(value)
    }
}

impl From<Wide> for Answer {
    fn from(value: Wide) -> Answer {
        Answer::Real(value.as_f64())
    }
}

impl From<BigUint> for Answer {
    fn from(value: BigUint) -> Answer {
        Answer::Whole(value)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.case, self.inputs, self.quantity)
    }
}

/// All rows, in the order of the file.
pub fn all() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/collision.csv");
    let mut reader = csv::Reader::from_path(path).expect("the file is there");
    reader
        .records()
        .map(|record| {
            let record = record.expect("four columns");
            let [case, inputs, quantity, value] = [0, 1, 2, 3].map(|column| record[column].to_owned());
            let inputs = serde_json::from_str(&inputs).expect("inputs are JSON");
            Row { case, quantity, value, inputs }
        })
        .collect()
}

impl Row {
    /// Whether an input is given.
    pub fn has(&self, input: &str) -> bool {
        self.inputs.get(input).is_some()
    }

    /// An input as it is written, without quotes.
    pub fn text(&self, input: &str) -> String {
        match self.inputs.get(input) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => panic!("{self}: no input {input}"),
        }
    }

    /// An input that is a number, a quotient `1e6/4096` or a power `2^-56`.
    pub fn real(&self, input: &str) -> f64 {
        real(&self.text(input))
    }

    /// An input that is a whole number: `1000`, `2^122`, `62^22`, `2^53-1`, `26*36^23`.
    pub fn whole(&self, input: &str) -> BigUint {
        whole(&self.text(input))
    }

    /// An input that is a small whole number.
    pub fn small(&self, input: &str) -> u32 {
        u32::try_from(self.whole(input)).expect("a small number")
    }

    /// An input that is a whole number, rounded once.
    pub fn wide(&self, input: &str) -> Wide {
        Wide::whole(&self.whole(input))
    }
}

pub fn real(text: &str) -> f64 {
    if let Some((over, under)) = text.split_once('/') {
        return real(over) / real(under);
    }
    match text.split_once('^') {
        Some((base, power)) => real(base).powi(power.parse().expect("a whole power")),
        None => text.parse().expect("a number"),
    }
}

pub fn whole(text: &str) -> BigUint {
    if let Some((left, right)) = text.split_once('*') {
        return whole(left) * whole(right);
    }
    if let Some((left, right)) = text.split_once('-') {
        return whole(left) - whole(right);
    }
    match text.split_once('^') {
        Some((base, power)) => whole(base).pow(power.parse().expect("a power")),
        None => text.strip_suffix(".0").unwrap_or(text).parse().expect("a whole number"),
    }
}
