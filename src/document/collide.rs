//! The answer of `collide` for people: the odds in words that can be quoted, then the numbers.

use super::{Cell, Document, NEARLY, Piece, Sentence, Table, Unit, words};
use crate::engine::collide::{Answer, Case, Collision, Unknown};
use crate::math::logspace::Chance;

mod figures;
mod odds;
mod solved;
mod tables;
mod verdict;

/// Stems of all files that a study of `collide` may have.
const FILES: [&str; 6] = ["cases", "claim", "evidence", "risk-by-ids", "risk-by-time", "clashes-by-rate"];

/// The main table alone, for those who read nothing else.
pub fn main_table(answer: &Answer) -> Document {
    Document { tables: vec![main(answer, true)], ..Document::default() }
}

/// The table of what was asked: the claim or the repeats where there are any, else the cases.
fn main(answer: &Answer, shown: bool) -> Table {
    let claim = answer.claim.as_ref().map(tables::claim);
    let evidence = || answer.evidence.as_ref().map(tables::evidence);
    claim.or_else(evidence).unwrap_or_else(|| tables::cases(answer, shown))
}

/// Lays the answer out; `curves` are the points of its figures, where a study is written.
pub fn document(
    question: &Collision,
    answer: &Answer,
    curves: Option<&crate::study::collide::Curves>,
) -> Document {
    let single = answer.cases.len() == 1;
    let mut lead = Vec::new();
    lead.extend(answer.claim.iter().flat_map(verdict::claim));
    lead.extend(answer.evidence.iter().flat_map(verdict::evidence));
    match answer.cases.as_slice() {
        [case] => lead.extend(one(question.solves_for(), case)),
        cases => lead.extend(many(question.solves_for(), cases)),
    }
    let mut tables = vec![main(answer, !single)];
    if answer.claim.is_some() || answer.evidence.is_some() {
        tables.push(tables::cases(answer, false));
    }
    let computed = answer.cases.iter().any(|case| !case.method.is_empty());
    if single && computed {
        tables.push(tables::quantities(&answer.cases[0]));
    }
    Document {
        lead,
        tables,
        figures: curves.map(|curves| figures::figures(answer, curves)).unwrap_or_default(),
        notes: notes(answer),
        drawings: Vec::new(),
        owned: &FILES,
    }
}

fn text(text: &str) -> Piece {
    Piece::Words(text.to_owned().into())
}

fn value(cell: impl Into<Cell>, unit: Unit) -> Piece {
    Piece::Value(cell.into(), unit)
}

/// A probability in words, with its distance to certainty where words hide it.
fn quoted(chance: Chance) -> Sentence {
    let mut pieces = vec![value(chance, Unit::Odds)];
    if chance != Chance::Certain && chance.as_f64() >= NEARLY {
        pieces.extend([text(" ("), value(chance, Unit::Probability), text(")")]);
    }
    pieces
}

/// A number of things, by what it has: all its digits where they are few, else a power of ten.
fn whole(cell: impl Into<Cell>) -> Piece {
    Piece::Value(cell.into(), Unit::None)
}

/// `v4 ids`, `ids of 8 hexadecimal digits of v7`, `values of 62^22`.
fn kind(case: &Case) -> Sentence {
    let kind = match case.keep_hex {
        Some(digits) => format!("ids, the first {digits} hexadecimal digits of {},", case.scheme),
        None if case.scheme.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("{} ids", case.scheme),
        None if case.scheme.ends_with("seeds") => case.scheme.clone(),
        None => format!("ids out of {}", case.scheme),
    };
    vec![text(&kind)]
}

/// ` (200,000/s for 30 y, kept 7 d)`.
fn load(case: &Case) -> Sentence {
    let mut sentence = Vec::new();
    if let Some(rate) = case.rate_per_s {
        sentence.extend([text(" ("), value(rate, Unit::PerSecond), text("/s")]);
        if let Some(span) = case.for_s {
            sentence.extend([text(" for "), value(span, Unit::Seconds)]);
        }
        match case.window_s {
            Some(window) => sentence.extend([text(", each kept "), value(window, Unit::Seconds), text(")")]),
            None => sentence.push(text(")")),
        }
    }
    sentence
}

/// What one case says.
fn one(solves_for: Unknown, case: &Case) -> Vec<Sentence> {
    match solves_for {
        Unknown::Probability if case.chance().is_some() => {
            let mut lead = vec![odds::odds(case)];
            lead.extend(odds::meaning(case));
            lead.extend(odds::seeds(case));
            lead.extend(odds::nodes(case));
            lead
        }
        Unknown::Probability => odds::beyond(case),
        Unknown::Ids => vec![solved::ids(case)],
        Unknown::Time => vec![solved::time(case)],
        Unknown::Rate => vec![solved::rate(case)],
        Unknown::Space => vec![solved::space(case)],
    }
}

/// The cases with the least and the most of what was asked.
fn many(solves_for: Unknown, cases: &[Case]) -> Vec<Sentence> {
    let mut lead = vec![vec![whole(Cell::Integer(cases.len() as u128)), text(" cases")]];
    lead[0].extend(common(cases));
    lead[0].push(text("."));
    if solves_for != Unknown::Probability {
        return lead;
    }
    let mut odds: Vec<(&Case, Chance)> =
        cases.iter().filter_map(|case| Some((case, case.chance()?))).collect();
    odds.sort_by(|a, b| a.1.partial_cmp(&b.1).unwrap_or(std::cmp::Ordering::Equal));
    if let (Some(least), Some(most)) = (odds.first(), odds.last()) {
        let named = |(case, chance): &(&Case, Chance)| {
            let cut = case.keep_hex.map_or_else(String::new, |digits| format!(", {digits} hex digits"));
            vec![value(*chance, Unit::Odds), text(&format!(" ({}{cut})", case.scheme))]
        };
        let mut sentence = vec![text("A clash: from ")];
        sentence.extend(named(least));
        sentence.push(text(" to "));
        sentence.extend(named(most));
        sentence.push(text("."));
        lead[0].push(text(" "));
        lead[0].extend(sentence);
    }
    lead
}

/// What is the same in every case: the load and the risk.
fn common(cases: &[Case]) -> Sentence {
    let Some(first) = cases.first() else { return Vec::new() };
    let same =
        |of: fn(&Case) -> Option<f64>| of(first).filter(|_| cases.iter().all(|case| of(case) == of(first)));
    let mut sentence = Vec::new();
    match (same(|case| case.rate_per_s), &first.ids) {
        (Some(rate), _) => sentence.extend([text(", "), value(rate, Unit::PerSecond), text(" ids/s")]),
        (None, Some(ids)) if cases.iter().all(|case| case.ids == first.ids) => {
            sentence.extend([text(", "), whole(ids.clone()), text(" ids")]);
        }
        _ => {}
    }
    if let Some(span) = same(|case| case.for_s) {
        sentence.extend([text(" for "), value(span, Unit::Seconds)]);
    }
    if let Some(window) = same(|case| case.window_s) {
        sentence.extend([text(", each kept "), value(window, Unit::Seconds)]);
    }
    if let Some(risk) = first.risk.as_ref().filter(|_| cases.iter().all(|case| case.risk == first.risk)) {
        sentence.push(text(&format!(", at a risk of {}", risk.text())));
    }
    sentence
}

fn notes(answer: &Answer) -> Vec<Sentence> {
    let mut notes = Vec::new();
    if let [case] = answer.cases.as_slice()
        && !case.method.is_empty()
    {
        notes.push(words(format!("Method: {}.", case.method)));
    }
    if answer.cases.iter().any(|case| case.at_least.iter().any(|tail| tail.method == "Poisson"))
        && answer.cases.len() == 1
    {
        notes.push(words(
            "P(so many repeats or more): Poisson's law, to a relative k²/n of the ids that can meet.",
        ));
    }
    for remark in answer.cases.iter().flat_map(|case| &case.remarks) {
        let note = words(remark.clone());
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}
