//! The answer of `index` for people: four answers of one question, one line an order, and what is usually left out.

use super::{Cell, Document, Piece, Sentence, Unit, words};
use crate::engine::index::{Answer, Indexing, Inputs, Row};
use crate::store::tree::{Engine, FarFuture};

mod figures;
mod tables;

/// Stems of all files that a study of `index` may have.
const FILES: [&str; 6] =
    ["rows", "growth", "after-checkpoint", "fill-by-cache", "misses-by-cache", "log-after-checkpoint"];

/// Fills that are as good as one, in points.
const ALIKE: f64 = 0.05;
/// What an order of v4 fills, and less.
const RANDOM_FILL: f64 = 0.75;

/// Lays the answer out; `seed` is what chance was drawn from.
pub fn document(question: &Indexing, answer: &Answer, seed: Option<u64>) -> Document {
    let inputs = question.inputs();
    let mut notes = vec![setting(inputs, answer)];
    notes.extend(four(answer));
    notes.extend(shuffled(answer));
    notes.extend(far_future(inputs));
    notes.extend(emptying(inputs, answer));
    notes.extend(price(answer));
    notes.extend(range_delete(answer));
    notes.push(left_out(inputs, answer));
    notes.extend(seed.map(|seed| words(format!("Seed {seed}: --seed {seed} gives the same answer again."))));
    Document {
        lead: lead(answer),
        drawings: Vec::new(),
        tables: vec![tables::rows(answer), tables::growth(answer), tables::after_checkpoint(answer)],
        figures: figures::figures(answer),
        notes,
        owned: &FILES,
    }
}

fn text(text: impl Into<String>) -> Piece {
    Piece::Words(text.into().into())
}

fn value(cell: impl Into<Cell>, unit: Unit) -> Piece {
    Piece::Value(cell.into(), unit)
}

/// A number to its last digit; below 10 with what is behind the point.
fn whole(number: f64) -> Piece {
    if number < 10.0 && number.fract() != 0.0 {
        return value(number, Unit::PerSecond);
    }
    Piece::Exact(Cell::Integer(number.round() as u128), Unit::None)
}

/// One of the answers: what it is called, its figure, its unit, and what follows it.
type Figure = (&'static str, fn(&Row) -> f64, Unit, &'static str);

/// Size, misses, dirty pages, log and purge, each from the least to the most.
fn lead(answer: &Answer) -> Vec<Sentence> {
    let figures: [Figure; 5] = [
        ("Size", |row| row.bytes_per_key, Unit::BytesEach, " B a key"),
        ("Cache", |row| row.cache_misses_per_insert_at_end, Unit::PerSecond, " misses an insert at the end"),
        ("Checkpoint", |row| row.dirty_pages_per_checkpoint, Unit::Keys, " dirty pages"),
        ("Log", |row| row.log_bytes_per_insert, Unit::BytesEach, " B an insert"),
        ("Purge", |row| row.purge_pages_per_1000_keys, Unit::PerSecond, " leaves for 1,000 old keys"),
    ];
    figures.into_iter().map(|figure| ranked(answer, figure)).collect()
}

/// `Size: v7-monotonic 31.5 B a key, v7 41.2 B, v4 42.0 B.`
fn ranked(answer: &Answer, (name, figure, unit, rest): Figure) -> Sentence {
    let mut rows: Vec<&Row> = answer.rows.iter().collect();
    rows.sort_by(|a, b| figure(a).total_cmp(&figure(b)));
    let mut sentence = vec![text(format!("{name}: "))];
    for (place, row) in rows.iter().enumerate() {
        sentence.push(text(format!("{}{} ", if place > 0 { ", " } else { "" }, row.key_order.name())));
        sentence.push(value(figure(row), unit));
        if place == 0 {
            sentence.push(text(rest));
        }
    }
    sentence.push(text("."));
    sentence
}

fn setting(inputs: &Inputs, answer: &Answer) -> Sentence {
    let Some(row) = answer.rows.first() else { return Vec::new() };
    let mut sentence = vec![
        text(format!(
            "{} with pages of {} bytes, entries of {}; a cache of ",
            answer.engine.title(),
            row.page_bytes,
            row.entry_bytes
        )),
        whole(row.cache_pages),
        text(" pages (least recently used goes), a checkpoint every "),
        whole(row.checkpoint_inserts),
        text(" inserts, "),
        whole(inputs.batch as f64),
        text(if inputs.batch == 1 { " insert a transaction; " } else { " inserts a transaction; " }),
        whole(inputs.rate_per_s),
        text(" keys/s"),
    ];
    if inputs.before_keys > 0 {
        sentence.extend([
            text(", after "),
            whole(inputs.before_keys as f64),
            text(" random keys that stood there before"),
        ]);
    }
    if let Some(ttl_s) = inputs.ttl_s {
        sentence.extend([
            text("; each kept for "),
            value(ttl_s, Unit::Seconds),
            text(", in steady state, vacuumed when "),
            value(inputs.vacuum_dead_share, Unit::Share),
            text(" are dead"),
        ]);
    }
    sentence.push(text("."));
    sentence
}

fn four(answer: &Answer) -> Option<Sentence> {
    (answer.rows.len() > 1).then(|| {
        words(
            "Size, misses, dirty pages with their log, and purge are four answers: an order that wins one may lose \
             another, and each depends on rate, delay, cache and checkpoints.",
        )
    })
}

/// What is seldom said of UUIDv7: many keys of one millisecond come shuffled.
fn shuffled(answer: &Answer) -> Option<Sentence> {
    let named = |name: &str| answer.rows.iter().find(|row| row.key_order.name() == name);
    let (v4, v7) = (named("v4")?, named("v7")?);
    let alike = (v4.leaf_fill - v7.leaf_fill).abs() < ALIKE && v7.leaf_fill < RANDOM_FILL;
    let (random, ordered) =
        (v4.log_bytes_per_insert_after_checkpoint?, v7.log_bytes_per_insert_after_checkpoint?);
    alike.then(|| {
        vec![
            text("v7 fills leaves no better than v4 here ("),
            value(v7.leaf_fill, Unit::Share),
            text(" and "),
            value(v4.leaf_fill, Unit::Share),
            text("): many keys of a millisecond, or late ones, come shuffled. What it saves is reads and log: over the first "),
            whole(v7.inserts_after_checkpoint),
            text(" inserts after a checkpoint v7 logs "),
            value(ordered, Unit::BytesEach),
            text(" B each, v4 "),
            value(random, Unit::BytesEach),
            text(" B. A strictly monotonic generator fills leaves too."),
        ]
    })
}

fn far_future(inputs: &Inputs) -> Option<Sentence> {
    let some = match inputs.far_future {
        FarFuture::First(keys) => keys > 0,
        FarFuture::Share(share) => share > 0.0,
    };
    some.then(|| {
        words(
            "Keys of a time that never comes take the right edge for good: keys in order are then inserted before it, \
             where full leaves are halved; and no delete by key time ever removes them.",
        )
    })
}

/// A steady state that is none.
fn emptying(inputs: &Inputs, answer: &Answer) -> Option<Sentence> {
    let random = answer.rows.iter().any(|row| !row.key_order.is_time_ordered());
    (random && inputs.ttl_s.is_some()).then(|| {
        words(
            "PostgreSQL never merges leaves: those of random keys go on emptying for a dozen retentions, each a little \
             slower, until they are rebuilt.",
        )
    })
}

/// What order costs.
fn price(answer: &Answer) -> Option<Sentence> {
    answer.rows.iter().any(|row| row.range_delete.is_some()).then(|| {
        words(
            "The price of order: a time-ordered key tells when it was made, and inserts meet at one end, which in a store \
             sharded by ranges of the key is one shard.",
        )
    })
}

fn range_delete(answer: &Answer) -> Option<Sentence> {
    let wrong = answer.rows.iter().find_map(|row| row.range_delete)?;
    if wrong.removed_alive_share <= 0.0 {
        return Some(words(
            "Expiry by a range of keys trusts the clocks of clients; --skew says how many live keys it removes.",
        ));
    }
    Some(vec![
        text("Expiry by a range of keys trusts the clocks of clients: of keys to be kept for "),
        value(wrong.ttl_s, Unit::Seconds),
        text(" it removes "),
        value(wrong.removed_alive_share, Unit::Share),
        text(" alive, and keeps as many too long; deleted "),
        value(wrong.margin_s, Unit::Seconds),
        text(" later, one in a thousand goes before its time. Better expire by when the server saw a key."),
    ])
}

/// What the figures are of.
fn left_out(inputs: &Inputs, answer: &Answer) -> Sentence {
    let log = match answer.engine {
        Engine::Postgres => "Log: of the index alone, full-page images included; the table adds its rows.",
        Engine::Innodb => {
            "Log: redo of the records and splits of the clustered index, undo left out. Pages are written twice (doublewrite)."
        }
        Engine::Sqlite => {
            "Log: each transaction writes every page that it changed whole, so that batches decide."
        }
    };
    let batch = if answer.engine == Engine::Sqlite && inputs.batch == 1 { " Try --batch 1000." } else { "" };
    let mut methods: Vec<&str> = Vec::new();
    for row in &answer.rows {
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
    }
    words(format!(
        "{log}{batch} Written: bytes of log and pages for each byte of entry. Purge: leaves on which a thousand of the \
         oldest keys lie. Method: {}.",
        methods.join("; ")
    ))
}
