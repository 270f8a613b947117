//! The odds in words that can be quoted, and what a clash means for payments.

use super::{kind, load, quoted, text, value, whole};
use crate::document::{Sentence, Unit, words};
use crate::engine::collide::Case;
use crate::math::logspace::Chance;

/// `1 in 12.4 that two of 946,728,000,000,000,000 v4 ids are equal (1,000,000,000/s for 30 y).`
pub(super) fn odds(case: &Case) -> Sentence {
    let chance = case.chance().unwrap_or(Chance::NEVER);
    if case.nodes.is_some() && chance != Chance::NEVER && case.ids.is_none() {
        let generators = case.generators.clone().map(whole);
        let drawn = text(&format!(" {} generators draw the same node number.", case.scheme));
        return [value(chance, Unit::Odds), text(" that two of ")]
            .into_iter()
            .chain(generators)
            .chain([drawn])
            .collect();
    }
    if case.keep_everything.is_some() && chance != Chance::NEVER {
        let head = quoted(chance);
        let new = if chance == Chance::Certain {
            ": a new id equals a live one: "
        } else {
            " that a new id equals a live one: "
        };
        return head
            .into_iter()
            .chain([text(new)])
            .chain(kind(case))
            .chain(load(case))
            .chain([text(".")])
            .collect();
    }
    if case.ids.as_ref().is_some_and(|ids| ids.value().bits() < 2) {
        let (head, tail) = match chance {
            Chance::NEVER => (vec![text("No clash: fewer than two ")], ""),
            _ => (vec![value(chance, Unit::Odds), text(" that two ")], " are equal"),
        };
        return head
            .into_iter()
            .chain(kind(case))
            .chain([text(tail)])
            .chain(load(case))
            .chain([text(".")])
            .collect();
    }
    let mut sentence = if chance == Chance::NEVER {
        vec![text("No clash by construction among ")]
    } else {
        let joint = text(if chance == Chance::Certain { ": two of " } else { " that two of " });
        quoted(chance).into_iter().chain([joint]).collect()
    };
    sentence.extend(case.ids.clone().map(whole));
    sentence.push(text(" "));
    sentence.extend(kind(case));
    sentence.push(text(if chance == Chance::NEVER { "" } else { " are equal" }));
    sentence.extend(load(case));
    sentence.push(text("."));
    sentence
}

/// What a clash means for a store of idempotency keys.
pub(super) fn meaning(case: &Case) -> Vec<Sentence> {
    let (Some(a_year), Some(years)) = (case.refused_payments_per_year, case.years_between) else {
        return Vec::new();
    };
    if case.nodes.is_some() {
        // A mean over node numbers that clash all the time or never would mislead.
        return Vec::new();
    }
    let mut sentence = vec![text("As idempotency keys")];
    match (&case.live_keys, case.window_s) {
        (Some(live), Some(_)) => {
            sentence.extend([text(", "), whole(live.clone()), text(" live at once")]);
        }
        _ if case.bucket_s.is_none() => sentence.push(text(" kept for good")),
        _ => {}
    }
    sentence.extend([
        text(": "),
        value(a_year, Unit::Probability),
        text(" honest payments a year are taken for a retry and go unpaid, one in "),
        value(years, Unit::Years),
    ]);
    let growing = case.window_s.is_none() && case.bucket_s.is_none();
    sentence.push(text(if growing { ", on average over the run." } else { "." }));
    let mut lead = vec![sentence];
    if let Some(everything) = case.keep_everything {
        lead.push(vec![
            text("Kept for good instead: "),
            value(everything, Unit::Odds),
            text(" over the same run."),
        ]);
    }
    lead
}

pub(super) fn seeds(case: &Case) -> Vec<Sentence> {
    let Some(seeds) = &case.seeds else { return Vec::new() };
    let mut sentence = vec![
        value(seeds.shared, Unit::Odds),
        text(" that two of "),
        whole(seeds.generators.clone()),
        text(&format!(
            " generators share a seed of {} bits; each such pair repeats its whole {}",
            seeds.seed_bits,
            if case.bucket_s.is_some() { "random stream" } else { "stream" }
        )),
    ];
    if let Some(repeated) = seeds.expected_repeated_ids.filter(|_| case.bucket_s.is_none()) {
        sentence.extend([text(": "), value(repeated, Unit::Probability), text(" repeated ids expected")]);
    }
    sentence.push(text("."));
    // For seeds alone the first sentence has said it.
    if case.scheme.ends_with("seeds") && seeds.expected_repeated_ids.is_none() {
        return vec![words("Each pair that shares a seed repeats its whole stream of ids.")];
    }
    vec![sentence]
}

pub(super) fn nodes(case: &Case) -> Vec<Sentence> {
    let Some(nodes) = &case.nodes else { return Vec::new() };
    let mut lead = Vec::new();
    if nodes.shared != Chance::NEVER && case.ids.is_some() {
        let mut sentence =
            vec![value(nodes.shared, Unit::Odds), text(" that two generators draw the same node number")];
        match nodes.clashes_per_s_of_a_shared_pair {
            Some(clashes) => sentence.extend([
                text("; each pair that does takes "),
                value(clashes, Unit::Probability),
                text(" honest payments a second for a retry, which go unpaid."),
            ]),
            None => sentence.push(text("; then their ids clash whenever they share a tick.")),
        }
        lead.push(sentence);
    }
    if let Some(overflow) = nodes.overflow.filter(|chance| chance.as_f64() > 1e-30) {
        lead.push(vec![
            value(overflow, Unit::Odds),
            text(" that a tick brings one node more ids than its sequence holds ("),
            value(nodes.capacity_per_s, Unit::PerSecond),
            text(" ids/s)."),
        ]);
    }
    lead
}

/// A load that nodes cannot give.
pub(super) fn beyond(case: &Case) -> Vec<Sentence> {
    let (Some(nodes), Some(rate)) = (&case.nodes, case.rate_per_s) else { return Vec::new() };
    let mut sentence = vec![
        text(&format!("More than {} gives: one node tells ", case.scheme)),
        value(nodes.capacity_per_s, Unit::PerSecond),
        text(" ids a second apart, and "),
        value(rate, Unit::PerSecond),
        text(" are asked"),
    ];
    if let Some(generators) = &case.generators {
        sentence.extend([text(" of "), whole(generators.clone())]);
    }
    sentence.push(text(". A node that waits falls behind; one that does not repeats itself."));
    vec![sentence]
}
