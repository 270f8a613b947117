//! The answer of `bench` for people: the finding, one line a generator, how far to trust it.

use super::{Cell, Document, Piece, Sentence, Unit, words};
use crate::engine::bench::{
    Aes, Answer, Benchmark, Call, Distinct, Into, Machine, Order, Role, Row, Skipped,
};
use crate::study::bench::{Outlook, Report};

mod figures;
mod tables;

/// Stems of all files that a study of `bench` may have.
const FILES: [&str; 6] = ["rows", "outlook", "distinct", "threads-l1", "threads-memory", "generators"];

/// Lays the answer out; `seed` is what own streams were made from.
pub fn document(question: &Benchmark, report: &Report, seed: Option<u64>) -> Document {
    let answer = &report.answer;
    let mut notes = Vec::new();
    if answer.distinct.is_empty() {
        notes.extend(method(question, answer));
        notes.extend(until_risk(report));
    } else {
        notes.push(words(
            "Order: of the ids of each thread by itself. One that is promised has to be kept; where none is, few ids may \
             come in order by chance.",
        ));
    }
    notes.extend(skipped(answer));
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
        lead: if answer.distinct.is_empty() { finding(answer) } else { compared(question, answer) },
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

/// `one thread`, `2 threads`.
fn threads_of(row: &Row) -> String {
    if row.threads == 1 { "one thread".to_owned() } else { format!("{} threads", row.threads) }
}

/// The row that the answer is first about: bulk v4, else the fastest of this crate's generators, on the fewest threads.
fn headline(answer: &Answer) -> Option<&Row> {
    let asked = || answer.rows.iter().filter(|row| row.asked);
    let least = asked().map(|row| row.threads).min()?;
    let rows = || asked().filter(|row| row.role != Role::Ceiling && row.threads == least);
    let fastest = |kind: Option<Role>| {
        let of = rows().filter(|row| kind.is_none_or(|kind| row.role == kind));
        of.min_by(|a, b| a.ns_per_id.total_cmp(&b.ns_per_id))
    };
    rows()
        .find(|row| row.generator == "v4")
        .or_else(|| fastest(Some(Role::Own)))
        .or_else(|| fastest(None))
        .or_else(|| asked().find(|row| row.threads == least))
}

fn finding(answer: &Answer) -> Vec<Sentence> {
    let Some(row) = headline(answer) else { return Vec::new() };
    let how = match row.call {
        Call::Bulk => "in bulk",
        Call::One => "one at a time",
    };
    let mut sentence = vec![
        text(format!("{} {how} {} on {}: ", row.generator, place(row.into), threads_of(row))),
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
            text(format!(" On {}: ", threads_of(most))),
            value(most.ids_per_s, Unit::Keys),
            text(" ids/s."),
        ]);
    }
    vec![sentence]
}

/// What the comparison of ids says: first whether it is whole, then what was found.
fn compared(question: &Benchmark, answer: &Answer) -> Vec<Sentence> {
    let distinct = &answer.distinct;
    let mut lead = Vec::new();
    if answer.stopped_early {
        let on = match question.inputs().threads.len() {
            1 => String::new(),
            several => format!(", each on {several} numbers of threads"),
        };
        lead.push(words(format!(
            "Stopped after {} of {} comparisons: {}{on}.",
            distinct.len(),
            question.comparisons(),
            counted(question.inputs().generators.len(), "generator"),
        )));
    }
    let broken: Vec<&Distinct> = distinct.iter().filter(|one| !one.is_sound()).collect();
    let Some(first) = broken.first().copied().or(distinct.first()) else { return lead };
    let ids = Piece::Exact(Cell::Integer(first.ids.into()), Unit::None);
    if broken.is_empty() {
        let mut names: Vec<&str> = distinct.iter().map(|one| one.generator).collect();
        names.dedup();
        let who = match names.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("each of {} generators", several.len()),
        };
        lead.push(vec![ids, text(format!(" ids of {who}: all different, all valid."))]);
        return lead;
    }
    let others = match broken.len() - 1 {
        0 => String::new(),
        1 => "; 1 other is not sound either".to_owned(),
        others => format!("; {others} others are not sound either"),
    };
    lead.push(vec![
        text(format!("{} on {}: ", first.generator, counted(first.threads, "thread"))),
        Piece::Exact(Cell::Integer(first.repeats.into()), Unit::None),
        text(" repeats and "),
        Piece::Exact(Cell::Integer(first.invalid.into()), Unit::None),
        text(" invalid ids among "),
        ids,
        text(if first.kept == Some(false) { ", and not in the order that is promised" } else { "" }),
        text(format!("{others}.")),
    ]);
    lead
}

/// `1 thread`, `2 threads`.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Who was left out, and why.
fn skipped(answer: &Answer) -> Vec<Sentence> {
    let sentence = |one: &Skipped| {
        words(format!(
            "{} was left out on {}: it has numbers for {}.",
            one.generator,
            counted(one.threads, "thread"),
            one.most_threads
        ))
    };
    answer.skipped.iter().map(sentence).collect()
}

fn method(question: &Benchmark, answer: &Answer) -> Vec<Sentence> {
    let slice_s = question.inputs().seconds / question.inputs().rounds as f64;
    let (rounds, spread) = match answer.rounds {
        1 => ("One round, in which every row has ".to_owned(), ""),
        rounds => (
            format!("Median of {rounds} rounds; in each every row has "),
            " Spread: the slowest round less the fastest, over the median.",
        ),
    };
    let mut sentence = vec![
        text(rounds),
        value(slice_s, Unit::Seconds),
        text(format!(
            "{} Ratio: how many times as fast as {} on one thread in the same round.{spread} Buffers are read after every \
             slice: version, variant, repeats, promised order.",
            if answer.rounds == 1 { "." } else { ", in changing order." },
            answer.baseline
        )),
    ];
    if answer.stopped_early {
        sentence.insert(
            0,
            text(format!(
                "Stopped after {} of {}. ",
                answer.rounds,
                counted(question.inputs().rounds, "round")
            )),
        );
    }
    let mut notes = vec![sentence];
    let threads = || answer.rows.iter().filter(|row| row.asked).map(|row| row.threads);
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
    if answer.rows.iter().any(|row| !row.asked && Some(row.threads) != threads().min()) {
        notes.push(words(format!(
            "{} runs as the baseline, on one thread (On) though that was not asked for.",
            answer.baseline
        )));
    }
    let most = answer.rows.iter().filter(|row| row.into == Into::Memory).map(|row| row.threads).max();
    let note = |(bytes, threads)| memory(bytes, threads, &answer.conditions.machine);
    notes.extend(answer.memory_bytes.zip(most).map(note));
    notes
}

/// How large the buffer in memory is, beside the largest cache where that is known.
fn memory(bytes: usize, threads: usize, machine: &Machine) -> Sentence {
    let largest = machine.caches.iter().max_by_key(|cache| cache.bytes);
    let part = bytes / threads;
    let cache = largest.map(|cache| {
        let (level, mib) = (cache.level, cache.bytes >> 20);
        // Where a cache keeps half of a part from one pass to the next, memory is not all that is measured.
        if (part as u64) < cache.bytes.saturating_mul(2) {
            format!(
                " On {threads} threads a part has {} MiB and the largest cache, L{level}, {mib} MiB: such figures are the \
                 cache's in part.",
                part >> 20
            )
        } else {
            format!(" The largest cache, L{level}, has {mib} MiB.")
        }
    });
    words(format!(
        "Memory: {} MiB, shared out among the threads, each of which goes through its part from end to end.{}",
        bytes >> 20,
        cache.unwrap_or_default()
    ))
}

/// What the time until the risk means, and who has none.
fn until_risk(report: &Report) -> Vec<Sentence> {
    let Some(first) = report.outlook.first() else { return Vec::new() };
    let told = |outlook: &Outlook| !outlook.counted && outlook.years_to_risk.is_some();
    let risk = first.risk.text();
    let mut notes = Vec::new();
    if report.outlook.iter().any(told) {
        notes.push(words(format!(
            "Until risk: how long at this rate until a clash is as likely as {risk}, as `collide --scheme --rate \
             --risk` counts it."
        )));
    }
    notes.extend(of_many(report, risk));
    let why =
        |outlook: &Outlook| outlook.why_not.is_some().then(|| outlook.generator.trim_end_matches(":one"));
    let mut named: Vec<&str> = report.outlook.iter().filter_map(why).collect();
    named.sort_unstable();
    named.dedup();
    if !named.is_empty() {
        notes.push(words(format!(
            "Node numbers or clocks, not chance, keep these apart, so that no time is told: {}.",
            named.join(", ")
        )));
    }
    notes
}

/// What the counted ones reach where their rate is that of many generators; each once, at its first row.
fn of_many(report: &Report, risk: &str) -> Option<Sentence> {
    // One at a time it is the same generator.
    let bulk = |name: &str| {
        report.outlook.iter().any(|outlook| name.strip_suffix(":one") == Some(outlook.generator))
    };
    let counted = |outlook: &&Outlook| outlook.counted && !bulk(outlook.generator);
    let mut named: Vec<&str> = Vec::new();
    let mut sentence = Vec::new();
    for outlook in report.outlook.iter().filter(counted) {
        let Some(years) = outlook.years_to_risk.filter(|_| !named.contains(&outlook.generator)) else {
            continue;
        };
        named.push(outlook.generator);
        sentence.push(text(if named.len() == 1 { " (" } else { ", " }));
        sentence.push(text(format!("{} after ", outlook.scheme)));
        sentence.push(Piece::Value(years.into(), Unit::Years));
    }
    if named.is_empty() {
        return None;
    }
    let verb = if named.len() == 1 { "counts" } else { "count" };
    let mut whole = vec![text(format!(
        "{} {verb}: one generator never repeats its own ids. Many generators that make as many ids between them \
         reach a risk of {risk}",
        named.join(", ")
    ))];
    whole.extend(sentence);
    whole.push(text(").".to_owned()));
    Some(whole)
}

/// `AMD EPYC, 2 processors, L1 48 KiB, L2 1 MiB, L3 32 MiB, AES in vectors, load 0.46 in the minute before.`
fn machine(machine: &Machine) -> Sentence {
    let mut facts = vec![machine.cpu.clone().unwrap_or_else(|| "Processor not known".to_owned())];
    facts.extend(machine.cpus.map(|cpus| match machine.online_cpus {
        Some(online) if online != cpus => format!("{} of {online}", counted(cpus, "processor")),
        _ => counted(cpus, "processor"),
    }));
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
        sentence.extend([text(", load "), value(load, Unit::PerSecond), text(" in the minute before")]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::bench::{Conditions, Format, Inputs};

    fn compared_ids(generator: &'static str, threads: usize, repeats: u64) -> Distinct {
        Distinct {
            generator,
            role: Role::Own,
            call: Call::Bulk,
            stream: None,
            threads,
            ids: 1_000,
            distinct: 1_000 - repeats,
            repeats,
            invalid: 0,
            order: Order::None,
            promised: Order::None,
            kept: None,
        }
    }

    /// A sentence whose numbers are written to their last digit.
    fn plain(sentence: &Sentence) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => words.to_string(),
            Piece::Value(Cell::Integer(number), _) | Piece::Exact(Cell::Integer(number), _) => {
                number.to_string()
            }
            other => format!("{other:?}"),
        };
        sentence.iter().map(piece).collect()
    }

    fn lead(distinct: Vec<Distinct>, stopped_early: bool) -> Vec<String> {
        let seed = crate::id::generator::Seed::from(7);
        let clock = std::sync::Arc::new(crate::id::clock::Manual::at_ns(1 << 60));
        let contenders = crate::engine::bench::contenders(&seed, &clock, Format::Binary);
        let inputs = Inputs {
            generators: vec!["v1".to_owned(), "v4".to_owned(), "v7".to_owned()],
            threads: vec![1, 2],
            into: Vec::new(),
            key_format: Format::Binary,
            seconds: 1.0,
            rounds: 5,
            quick: false,
            baseline: None,
            risk: "1e-6".parse().expect("a probability"),
            distinct: Some(1_000),
        };
        let question = Benchmark::new(inputs, &contenders).expect("a question");
        let answer = Answer {
            rows: Vec::new(),
            baseline: String::new(),
            rounds: 0,
            stopped_early,
            skipped: Vec::new(),
            memory_bytes: None,
            distinct,
            conditions: Conditions::default(),
        };
        compared(&question, &answer).iter().map(plain).collect()
    }

    #[test]
    fn a_comparison_that_was_stopped_says_so_first_and_how_far_it_came() {
        let distinct = vec![compared_ids("v1", 1, 0), compared_ids("v1", 2, 0), compared_ids("v4", 1, 0)];
        assert_eq!(
            lead(distinct, true),
            [
                "Stopped after 3 of 6 comparisons: 3 generators, each on 2 numbers of threads.",
                "1000 ids of each of 2 generators: all different, all valid."
            ]
        );
    }

    #[test]
    fn however_many_are_broken_the_lead_is_short() {
        let distinct = vec![compared_ids("v1", 1, 0), compared_ids("v4", 2, 3), compared_ids("v7", 1, 5)];
        let said = lead(distinct, false);
        assert_eq!(
            said,
            ["v4 on 2 threads: 3 repeats and 0 invalid ids among 1000; 1 other is not sound either."]
        );
    }
}
