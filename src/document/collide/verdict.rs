//! What a claim comes to, and what repeats that were seen say.

use super::{NEARLY, quoted, text, value, whole};
use crate::document::{Cell, Piece, Sentence, Unit, words};
use crate::engine::collide::{Evidence, Ids, Verdict};
use crate::math::logspace::{Chance, Wide};

/// What a claim comes to.
pub(super) fn claim(verdict: &Verdict) -> Vec<Sentence> {
    let mut sentence =
        vec![text(&format!("\"{}\" is {}: ", verdict.claim, if verdict.right { "right" } else { "wrong" }))];
    sentence.extend(quoted(verdict.probability));
    if verdict.probability != Chance::NEVER && verdict.probability.as_f64() < NEARLY {
        let digits = Piece::Exact(verdict.probability.into(), Unit::Probability);
        sentence.extend([text(" ("), digits, text(")")]);
    }
    if let Some(ids) = &verdict.ids {
        sentence.extend([text(" for "), value(counted(ids), Unit::Probability), text(" ids")]);
    }
    sentence.extend(verdict.factor.filter(|_| !verdict.right).into_iter().flat_map(missed));
    sentence.push(text("."));
    let mut lead = vec![sentence];
    lead.extend(reached(verdict));
    match (&verdict.explanation, verdict.right) {
        (Some(explanation), _) => lead.push(words(format!("The slip: {explanation}."))),
        (None, false) => lead.push(words("No known slip leads to it.")),
        (None, true) => {}
    }
    let remark = |remark: &String| {
        let mut letters = remark.chars();
        letters.next().map(|first| words(format!("{}{}.", first.to_uppercase(), letters.as_str())))
    };
    lead.extend(verdict.remarks.iter().filter_map(remark));
    lead
}

pub(super) fn counted(ids: &Ids) -> Cell {
    match ids {
        Ids::Whole(count) => count.clone().into(),
        Ids::Real(value) => (*value).into(),
    }
}

/// By how much the probability of a claim is off.
fn missed(factor: Wide) -> Sentence {
    if factor.is_zero() {
        return vec![text(", not 0")];
    }
    let (times, how) = if factor >= Wide::ONE { (factor, "high") } else { (Wide::ONE.over(factor), "low") };
    if times < Wide::new(1.0005) {
        return vec![text(&format!("; the claim is a little too {how}"))];
    }
    vec![text("; the claim is "), value(times, Unit::Probability), text(&format!(" times too {how}"))]
}

/// Where what was claimed is reached, and by how much the load of a wrong claim is off.
fn reached(verdict: &Verdict) -> Option<Sentence> {
    let ids = verdict.ids_for_claimed.as_ref()?;
    let mut sentence = vec![
        text("What was claimed, "),
        value(verdict.claimed_probability, Unit::Odds),
        text(", is reached at "),
        whole(ids.clone()),
        text(" ids"),
    ];
    if let Some(seconds) = verdict.seconds_for_claimed {
        sentence.extend([text(", after "), value(seconds, Unit::Seconds)]);
    }
    if let Some(factor) = verdict.ids_factor.filter(|factor| !verdict.right && !factor.is_zero()) {
        let (times, ids, time) = if factor >= Wide::ONE {
            (factor, "many", ", too long a time")
        } else {
            (Wide::ONE.over(factor), "few", ", too short a time")
        };
        if times >= Wide::new(1.0005) {
            let time = if verdict.seconds_for_claimed.is_some() { time } else { "" };
            let named = text(&format!(" times too {ids} ids{time}"));
            sentence.extend([text("; the claim has "), value(times, Unit::Probability), named]);
        }
    }
    sentence.push(text("."));
    Some(sentence)
}

/// What repeats that were seen say.
pub(super) fn evidence(evidence: &Evidence) -> Vec<Sentence> {
    let mut sentence = match evidence.observed {
        0 => vec![text("No repeat among ")],
        1 => vec![text("1 repeat among ")],
        seen => vec![whole(Cell::Integer(seen.into())), text(" repeats among ")],
    };
    sentence.extend([value(evidence.pairs, Unit::Probability), text(" comparable pairs: ")]);
    match (evidence.effective_bits, evidence.effective_bits_high) {
        (Some(bits), Some(high)) => sentence.extend([
            value(bits, Unit::Bits),
            text(" effective bits (95 %: "),
            value(evidence.effective_bits_low, Unit::Bits),
            text(" to "),
            value(high, Unit::Bits),
            text(")."),
        ]),
        _ => sentence.extend([
            text("at least "),
            value(evidence.effective_bits_low, Unit::Bits),
            text(" effective bits (95 %); how many more, nothing says."),
        ]),
    }
    let mut lead = vec![sentence];
    let p_values = evidence.p_value_or_more.zip(evidence.p_value_or_fewer);
    if let (Some(expected), Some((or_more, or_fewer))) = (evidence.expected, p_values) {
        // None seen is told from what is expected by its lower tail, some seen by the upper one.
        let (p, tail) = match evidence.observed {
            0 => (or_fewer, "; none at all comes by chance: "),
            _ => (or_more, "; that many or more come by chance: "),
        };
        lead.push(vec![
            text("The space that was named lets expect "),
            value(expected, Unit::Probability),
            text(tail),
            if p < 1.0 { value(Chance::from_probability(p), Unit::Odds) } else { text("nearly always") },
            text(match p {
                p if p < 1e-6 => ". This is not chance.",
                p if p < 0.05 => ". That is rare; look closer.",
                _ => ".",
            }),
        ]);
    }
    lead
}
