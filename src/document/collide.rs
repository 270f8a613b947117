//! The answer of `collide` for people: the odds in words that can be quoted, then the numbers.

use super::{Cell, Document, Piece, Sentence, Table, Unit, words};
use crate::engine::collide::{Answer, Case, Collision, Evidence, Ids, Unknown, Verdict};
use crate::math::logspace::{Chance, Wide};

mod figures;
mod tables;

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
    lead.extend(answer.claim.iter().flat_map(claim));
    lead.extend(answer.evidence.iter().flat_map(evidence));
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

/// From here on words alone no longer tell one probability from another.
const NEARLY: f64 = 0.9995;

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

/// What one case says.
fn one(solves_for: Unknown, case: &Case) -> Vec<Sentence> {
    match solves_for {
        Unknown::Probability if case.chance().is_some() => {
            let mut lead = vec![odds(case)];
            lead.extend(meaning(case));
            lead.extend(seeds(case));
            lead.extend(nodes(case));
            lead
        }
        Unknown::Probability => beyond(case),
        Unknown::Ids => vec![ids(case)],
        Unknown::Time => vec![time(case)],
        Unknown::Rate => vec![rate(case)],
        Unknown::Space => vec![space(case)],
    }
}

/// `1 in 12.4 that two of 946,728,000,000,000,000 v4 ids are equal (1,000,000,000/s for 30 y).`
fn odds(case: &Case) -> Sentence {
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

/// What a clash means for a store of idempotency keys.
fn meaning(case: &Case) -> Vec<Sentence> {
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

fn seeds(case: &Case) -> Vec<Sentence> {
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

fn nodes(case: &Case) -> Vec<Sentence> {
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
fn beyond(case: &Case) -> Vec<Sentence> {
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

fn risk(case: &Case) -> Piece {
    text(case.risk.as_ref().map_or("the risk", |risk| risk.text()))
}

fn ids(case: &Case) -> Sentence {
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

fn time(case: &Case) -> Sentence {
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

fn rate(case: &Case) -> Sentence {
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

fn space(case: &Case) -> Sentence {
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

/// What a claim comes to.
fn claim(verdict: &Verdict) -> Vec<Sentence> {
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

fn counted(ids: &Ids) -> Cell {
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
fn evidence(evidence: &Evidence) -> Vec<Sentence> {
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
            value(Chance::from_probability(p), Unit::Odds),
            text(match p {
                p if p < 1e-6 => ". This is not chance.",
                p if p < 0.05 => ". That is rare; look closer.",
                _ => ".",
            }),
        ]);
    }
    lead
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
