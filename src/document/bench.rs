//! The answer of `bench` for people: the finding, one line a generator, how far to trust it.

use super::{Cell, Document, Piece, Sentence, Unit, words};
use crate::engine::bench::{Aes, Answer, Benchmark, Call, Distinct, Into, Machine, Order, Role, Row};
use crate::study::bench::{Outlook, Report};

mod figures;
mod tables;

/// Stems of all files that a study of `bench` may have.
const FILES: [&str; 5] = ["rows", "outlook", "distinct", "threads", "generators"];

/// Lays the answer out; `seed` is what own streams were made from.
pub fn document(question: &Benchmark, report: &Report, seed: Option<u64>) -> Document {
    let answer = &report.answer;
    let mut notes = Vec::new();
    if answer.stopped_early && !answer.distinct.is_empty() {
        notes.push(words("Stopped before the ids of every generator were compared."));
    }
    if answer.distinct.is_empty() {
        notes.extend(method(question, answer));
        notes.extend(until_risk(report));
    }
    notes.extend(
        answer.conditions.warnings.iter().map(|warning| words(format!("Doubtful: {}.", warning.text))),
    );
    notes.push(machine(&answer.conditions.machine));
    notes.extend(seed.map(|seed| {
        words(format!("Own streams are made from seed {seed}; --seed {seed} gives them again."))
    }));
    let tables = match answer.distinct.as_slice() {
        [] => vec![tables::rows(answer), tables::generators(report), tables::outlook(&report.outlook)],
        compared => vec![tables::distinct(compared)],
    };
    Document {
        lead: if answer.distinct.is_empty() { finding(answer) } else { compared(&answer.distinct) },
        drawings: Vec::new(),
        tables,
        figures: figures::figures(answer),
        notes,
        owned: &FILES,
    }
}

fn text(text: impl std::borrow::Borrow<str>) -> Piece {
    Piece::Words(text.borrow().to_owned().into())
}

fn value(cell: impl std::convert::Into<Cell>, unit: Unit) -> Piece {
    Piece::Value(cell.into(), unit)
}

fn place(into: Into) -> &'static str {
    match into {
        Into::L1 => "into L1",
        Into::Memory => "into memory",
    }
}

/// The row that the answer is first about: bulk v4, else the fastest of this crate's generators, on one thread.
fn headline(answer: &Answer) -> Option<&Row> {
    let least = answer.rows.iter().map(|row| row.threads).min()?;
    let rows = || answer.rows.iter().filter(|row| row.role != Role::Ceiling && row.threads == least);
    let fastest = |kind: Option<Role>| {
        let of = rows().filter(|row| kind.is_none_or(|kind| row.role == kind));
        of.min_by(|a, b| a.ns_per_id.total_cmp(&b.ns_per_id))
    };
    rows().find(|row| row.generator == "v4").or_else(|| fastest(Some(Role::Own))).or_else(|| fastest(None))
}

fn finding(answer: &Answer) -> Vec<Sentence> {
    let Some(row) = headline(answer) else { return Vec::new() };
    let how = match row.call {
        Call::Bulk => "in bulk",
        Call::One => "one at a time",
    };
    let threads = if row.threads == 1 { "one thread".to_owned() } else { format!("{} threads", row.threads) };
    let mut sentence = vec![
        text(format!("{} {how} {} on {threads}: ", row.generator, place(row.into))),
        value(row.ns_per_id, Unit::PerSecond),
        text(" ns an id, "),
        value(row.ids_per_s, Unit::Keys),
        text(" ids/s"),
    ];
    if row.generator != answer.baseline {
        sentence.extend([
            text(", "),
            value(row.ratio_to_baseline, Unit::PerSecond),
            text(format!(" × {}", answer.baseline)),
        ]);
    }
    sentence.push(text("."));
    let most = answer.rows.iter().filter(|other| other.generator == row.generator && other.into == row.into);
    if let Some(most) = most.max_by_key(|other| other.threads).filter(|most| most.threads > row.threads) {
        sentence.extend([
            text(format!(" On {} threads: ", most.threads)),
            value(most.ids_per_s, Unit::Keys),
            text(" ids/s."),
        ]);
    }
    vec![sentence]
}

/// What the comparison of ids says.
fn compared(distinct: &[Distinct]) -> Vec<Sentence> {
    let broken = distinct.iter().filter(|one| !one.is_sound());
    let mut lead: Vec<Sentence> = broken
        .map(|one| {
            vec![
                text(format!("{}: ", one.generator)),
                Piece::Exact(Cell::Integer(one.repeats.into()), Unit::None),
                text(" repeats and "),
                Piece::Exact(Cell::Integer(one.invalid.into()), Unit::None),
                text(" invalid ids among "),
                Piece::Exact(Cell::Integer(one.ids.into()), Unit::None),
                text("."),
            ]
        })
        .collect();
    if let ([first, ..], true) = (distinct, lead.is_empty()) {
        let who = match distinct {
            [one] => one.generator.to_owned(),
            several => format!("each of {} generators", several.len()),
        };
        lead.push(vec![
            Piece::Exact(Cell::Integer(first.ids.into()), Unit::None),
            text(format!(" ids of {who}: all different, all valid.")),
        ]);
    }
    lead
}

fn method(question: &Benchmark, answer: &Answer) -> Vec<Sentence> {
    let slice_s = question.inputs().seconds / question.inputs().rounds as f64;
    let mut sentence = vec![
        text("Median of "),
        value(Cell::Integer(answer.rounds as u128), Unit::None),
        text(" rounds; in each every row has "),
        value(slice_s, Unit::Seconds),
        text(format!(
            ", in changing order. Ratio: how many times as fast as {} on one thread in the same round. Spread: the \
             slowest round less the fastest, over the median. Buffers are read after every slice: version, variant, \
             repeats, promised order.",
            answer.baseline
        )),
    ];
    if answer.stopped_early {
        sentence.insert(
            0,
            text(format!("Stopped after {} of {} rounds. ", answer.rounds, question.inputs().rounds)),
        );
    }
    let mut notes = vec![sentence];
    let threads = || answer.rows.iter().map(|row| row.threads);
    if let (Some(least), Some(most)) = (threads().min(), threads().max())
        && least < most
    {
        notes.push(words(format!(
            "Figures are those of the fewest threads ({least}); the last two columns, of the most ({most})."
        )));
    }
    if answer.rows.iter().any(|row| row.generator == "v4:uuid-rs-default") {
        notes.push(words(
            "v4:uuid-rs-default is what Uuid::new_v4 does as the crate uuid comes, without its feature fast-rng: 16 bytes of \
             the system's entropy for each id.",
        ));
    }
    if answer.rows.iter().any(|row| row.into == Into::Memory) {
        notes.push(words("Memory: a buffer far beyond the caches, shared out among the threads."));
    }
    notes
}

/// What the time until the risk means, and who has none.
fn until_risk(report: &Report) -> Vec<Sentence> {
    let Some(first) = report.outlook.first() else { return Vec::new() };
    let mut notes = vec![words(format!(
        "Until risk: how long at this rate until a clash is as likely as {}, as `collide --scheme --rate --risk` counts \
         it: for ids of many generators. What one generator remembers keeps its own ids apart.",
        first.risk.text()
    ))];
    let why = |outlook: &Outlook| outlook.why_not.is_some().then_some(outlook.scheme);
    let mut schemes: Vec<&str> = report.outlook.iter().filter_map(why).collect();
    schemes.sort_unstable();
    schemes.dedup();
    if !schemes.is_empty() {
        notes.push(words(format!(
            "Node numbers or clocks, not chance, keep these apart, so that no time is told: {}.",
            schemes.join(", ")
        )));
    }
    notes
}

/// `AMD EPYC, 2 processors, L1 48 KiB, L2 1 MiB, L3 32 MiB, AES in vectors, load 0.46 before.`
fn machine(machine: &Machine) -> Sentence {
    let mut facts = vec![machine.cpu.clone().unwrap_or_else(|| "Processor not known".to_owned())];
    facts.extend(machine.cpus.map(|cpus| format!("{cpus} processors")));
    let data = machine.caches.iter().filter(|cache| cache.kind != "Instruction");
    let mut sentence = vec![text(facts.join(", "))];
    for cache in data {
        // The kernel tells caches in KiB.
        sentence.push(text(format!(", L{} {} KiB", cache.level, cache.bytes >> 10)));
    }
    sentence.push(text(match machine.aes {
        Some(Aes::Vectors) => ", AES in vectors",
        Some(Aes::Instructions) => ", AES in instructions of one block",
        Some(Aes::Software) => ", AES in software",
        None => ", AES not known",
    }));
    sentence.extend(machine.governor.as_ref().map(|governor| text(format!(", governor {governor}"))));
    if let Some(load) = machine.load_average {
        sentence.extend([text(", load "), value(load, Unit::PerSecond), text(" before")]);
    }
    sentence.push(text("."));
    sentence
}

/// The word for whose code it is.
fn whose(kind: Role) -> &'static str {
    match kind {
        Role::Own => "own",
        Role::Peer => "peer",
        Role::Ceiling => "ceiling",
    }
}

fn order(order: Order) -> &'static str {
    match order {
        Order::Rising => "rising",
        Order::RisingWithinThread => "rising per thread",
        Order::None => "none",
    }
}
