//! What was solved for, as a sentence: ids, time, rate, or the space.

use super::{kind, load, text, value, whole};
use crate::document::{Cell, Piece, Sentence, Unit};
use crate::engine::collide::Case;

pub(super) fn risk(case: &Case) -> Piece {
    text(case.risk.as_ref().map_or("the risk", |risk| risk.text()))
}

pub(super) fn ids(case: &Case) -> Sentence {
    let (most, fewest, what) = match (&case.max_ids, &case.max_generators) {
        (Some(most), _) => (most, &case.min_ids, None),
        (None, Some(most)) => (most, &case.min_generators, Some("generators that draw their node number")),
        (None, None) => return Vec::new(),
    };
    let mut sentence = vec![text("At most "), whole(most.clone()), text(" ")];
    match what {
        Some(what) => sentence.push(text(what)),
        None => sentence.extend(kind(case)),
    }
    sentence.extend([text(" keep the risk of a clash at or below "), risk(case)]);
    if let Some(fewest) = fewest {
        sentence.extend([text("; "), whole(fewest.clone()), text(" are the fewest that reach it")]);
    }
    sentence.push(text("."));
    sentence
}

pub(super) fn time(case: &Case) -> Sentence {
    let mut sentence = Vec::new();
    sentence.extend(case.seconds_to_risk.map(|seconds| value(seconds, Unit::Seconds)));
    sentence.push(text(" at "));
    sentence.extend(case.rate_per_s.map(|rate| value(rate, Unit::PerSecond)));
    sentence.push(text("/s until "));
    sentence.extend(kind(case));
    if let Some(window) = case.window_s {
        sentence.extend([text(", each kept "), value(window, Unit::Seconds), text(",")]);
    }
    sentence.extend([text(" reach a risk of "), risk(case), text(".")]);
    sentence
}

pub(super) fn rate(case: &Case) -> Sentence {
    let mut sentence = vec![text("Up to ")];
    sentence.extend(case.max_rate_per_s.map(|rate| value(rate, Unit::PerSecond)));
    sentence.push(text(" "));
    sentence.extend(kind(case));
    sentence.push(text(" a second"));
    if let Some(span) = case.for_s {
        sentence.extend([text(" over "), value(span, Unit::Seconds)]);
    }
    if let Some(window) = case.window_s {
        sentence.extend([text(", each kept "), value(window, Unit::Seconds), text(",")]);
    }
    sentence.extend([text(" keep the risk of a clash at or below "), risk(case), text(".")]);
    sentence
}

pub(super) fn space(case: &Case) -> Sentence {
    let mut sentence = Vec::new();
    if let Some(bits) = case.min_bits_integer {
        sentence.extend([whole(Cell::Integer(bits.into())), text(" random bits")]);
    }
    if let Some(bits) = case.min_bits {
        sentence.extend([text(" ("), value(bits, Unit::Bits), text(" exactly)")]);
    }
    if let (Some(length), Some(alphabet)) = (case.min_length, case.alphabet) {
        sentence.push(text(&format!(", or {length} characters of {alphabet},")));
    }
    sentence.push(text(" keep "));
    sentence.extend(case.ids.clone().map(whole));
    sentence.push(text(" ids"));
    sentence.extend(load(case));
    sentence.extend([text(" at or below a risk of "), risk(case), text(".")]);
    sentence
}
