//! The answer of `probe` for people: bytes a key and what order changes, then what expiry and claims cost.

use super::{Cell, Document, Piece, Sentence, Unit, words};
use crate::engine::probe::{Answer, Probe, Row};

mod figures;
mod tables;

/// Stems of all files that a study of `probe` may have.
const FILES: [&str; 7] =
    ["rows", "steady", "purges", "claims", "sources", "bytes-per-key", "log-bytes-per-insert"];

/// Lays the answer out; `seed` is what keys were made from.
pub fn document(question: &Probe, answer: &Answer, seed: Option<u64>) -> Document {
    let mut stores: Vec<&str> = answer.rows.iter().map(|row| row.store.as_str()).collect();
    stores.dedup();
    Document {
        lead: stores.iter().filter_map(|store| finding(answer, store)).collect(),
        drawings: Vec::new(),
        tables: [
            Some(tables::rows(answer)),
            Some(tables::orders(answer)),
            Some(tables::steady(answer)),
            Some(tables::purges(answer)),
            Some(tables::claims(answer)),
            Some(tables::sources(answer)),
        ]
        .into_iter()
        .flatten()
        .filter(|table| !table.rows.is_empty())
        .collect(),
        figures: figures::figures(question, answer),
        notes: notes(question, answer, seed),
        owned: &FILES,
    }
}

fn text(text: impl Into<String>) -> Piece {
    Piece::Words(text.into().into())
}

fn value(cell: impl Into<Cell>, unit: Unit) -> Piece {
    Piece::Value(cell.into(), unit)
}

/// What a store takes for the first order, and what that for which it takes least does.
fn finding(answer: &Answer, store: &str) -> Option<Sentence> {
    let rows: Vec<&Row> = answer.rows.iter().filter(|row| row.store == store).collect();
    let first = *rows.first()?;
    let mut sentence = vec![
        text(format!("{store} {} takes ", first.version)),
        value(first.bytes_per_key, Unit::BytesEach),
        text(format!(" bytes a key of {}", first.key_order)),
    ];
    if let Some(log) = first.log_bytes_per_insert {
        sentence.extend([text(" and "), value(log, Unit::BytesEach), text(" of log an insert")]);
    }
    for row in &rows[1..] {
        sentence.extend([text(format!("; {} ", row.key_order)), value(row.bytes_per_key, Unit::BytesEach)]);
        if let Some(log) = row.log_bytes_per_insert {
            sentence.extend([text(" and "), value(log, Unit::BytesEach)]);
        }
        sentence.extend([text(", loaded "), value(row.ratio_to_first, Unit::PerSecond), text(" × as fast")]);
    }
    sentence.push(text("."));
    Some(sentence)
}

fn notes(question: &Probe, answer: &Answer, seed: Option<u64>) -> Vec<Sentence> {
    let mut notes = vec![vec![
        value(Cell::Integer(question.keys().into()), Unit::Keys),
        text(" keys of each order, made at "),
        value(question.rate_per_s(), Unit::PerSecond),
        text(format!(
            "/s, {} to a transaction, in {} slices in turn with the other orders; a checkpoint after each slice. Ratio: of \
             the times of the slices, the median. Log bytes depend on the checkpoint's interval (",
            question.batch(),
            answer.slices
        )),
        value(Cell::Integer(question.checkpoint_inserts().into()), Unit::Keys),
        text(" inserts here)."),
    ]];
    let moving: Vec<String> = answer
        .rows
        .iter()
        .filter(|row| row.growth_since_half.abs() > 0.02)
        .map(|row| format!("{} in {}", row.key_order, row.store))
        .collect();
    if !moving.is_empty() {
        notes.push(words(format!(
            "Bytes a key do not stand still yet for {}: at half of the keys they differed by more than 2 %.",
            moving.join(", ")
        )));
    }
    let restless: Vec<String> = answer
        .rows
        .iter()
        .filter(|row| row.steady.as_ref().is_some_and(|steady| !steady.stands_still))
        .map(|row| format!("{} in {}", row.key_order, row.store))
        .collect();
    if !restless.is_empty() {
        notes.push(words(format!("The size did not come to stand still for {}.", restless.join(", "))));
    }
    if answer.rows.iter().any(|row| row.loader_share.is_some_and(|share| share > 0.2)) {
        notes.push(words("The loader took more than a fifth of a load: speeds say less of the store there."));
    }
    if answer.rows.iter().any(|row| row.store.starts_with("postgres")) {
        notes.push(words(
            "PostgreSQL: an insert with ON CONFLICT logs a record more, which confirms it: 48.5 bytes beyond a plain \
             INSERT's. Log and checkpoints are those of the whole server, whoever else wrote meanwhile.",
        ));
    }
    if answer.rows.iter().flat_map(|row| &row.purges).any(|purge| purge.removed_live_keys > 0) {
        notes.push(words(
            "A purge by key trusts the clocks that made the keys: it removed keys that were still alive (purges, \
             removed_live_keys), and left expired ones.",
        ));
    }
    if answer.rows.iter().flat_map(|row| &row.purges).any(|purge| purge.removed_keys < purge.expired_keys) {
        notes.push(words(
            "Fewer were removed than had expired: a store that expires keys by itself takes its time, and look-ups have \
             to compare the expiry.",
        ));
    }
    notes.push(words(
        "Bytes, fill and log are the store's own figures (table sources of the study names each); speeds hold for this \
         machine, and only their ratio is told here.",
    ));
    notes.extend(
        seed.map(|seed| words(format!("Keys are made from seed {seed}; --seed {seed} gives them again."))),
    );
    notes
}
