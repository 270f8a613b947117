//! What `simulate` says to people: what was seen beside what is expected, and whether they agree.

use super::{Cell, Document, Piece, Sentence, Unit, words};
use crate::engine::simulate::{Answer, Arrivals, Clash, FALSE_ALARM_RATE, Fault, Simulation, Test, Verdict};
use crate::id::generator::Cipher;
use crate::study::simulate::{Report, Sweep};

mod figures;
mod tables;

/// Stems of all files that a study of `simulate` may have.
const FILES: [&str; 9] =
    ["simulation", "tests", "repeats", "first-clash", "witnesses", "share", "sizes", "arrivals", "collapse"];

/// Ids from which on n²/2N is n(n − 1)/2N within a hundredth.
const ENOUGH_IDS: u64 = 100;
/// Random bits of a UUIDv4.
const UUID_BITS: f64 = 122.0;
/// Ids that came more than once and are told one by one.
const MOST_SAID: usize = 20;

/// Lays the answer out; `seed` is what ids were drawn from.
pub fn document(simulation: &Simulation, report: &Report, seed: Option<u64>) -> Document {
    let answer = &report.answer;
    let mut lead = part(simulation, answer);
    lead.extend(seen(answer));
    lead.extend(meaning(simulation, answer));
    lead.push(verdict(simulation, answer));
    lead.extend(report.sweep.as_ref().map(swept));
    lead.extend(witnesses(&answer.witnesses));
    Document {
        lead,
        drawings: Vec::new(),
        tables: tables::tables(report),
        figures: figures::figures(report),
        notes: notes(simulation, report, seed),
        owned: &FILES,
    }
}

fn text(text: impl Into<String>) -> Piece {
    Piece::Words(text.into().into())
}

fn value(cell: impl Into<Cell>, unit: Unit) -> Piece {
    Piece::Value(cell.into(), unit)
}

/// A whole number with all its digits.
fn whole(number: impl Into<u128>) -> Piece {
    Piece::Exact(Cell::Integer(number.into()), Unit::None)
}

/// The least probability that reads well as a percentage.
const READS: f64 = 1e-4;

/// A clash probability beside others of one answer: a percentage where all are large enough, else a number.
fn probability(answer: &Answer, p: f64) -> Piece {
    value(p, odds(answer))
}

/// The clash probability by mathematics: one that is 1 in f64 need not be certain.
fn expected(answer: &Answer) -> Piece {
    probability(answer, answer.expected_probability.min(1.0 - f64::EPSILON))
}

/// The unit in which the probabilities of an answer are told.
fn odds(answer: &Answer) -> Unit {
    let low = if answer.trials_with_collision > 0 { answer.interval_low } else { answer.interval_high };
    if answer.expected_probability >= READS && low >= READS { Unit::Percent } else { Unit::Probability }
}

/// Which part of a run this is, where it is not the whole.
fn part(simulation: &Simulation, answer: &Answer) -> Vec<Sentence> {
    let Some(share) = answer.share else { return Vec::new() };
    let name = simulation.plan().unit_name();
    let units = |from: u64, to: u64| match to.saturating_sub(from) {
        0 => vec![text("nothing")],
        1 => vec![text(format!("{name} ")), whole(from)],
        _ => vec![text(format!("{name}s ")), whole(from), text(" to "), whole(to - 1)],
    };
    let mut sentence = vec![text("A part: ")];
    sentence.extend(units(share.from_unit, share.to_unit));
    sentence.extend([text(", counted from 0, of "), whole(share.of_units)]);
    if share.to_unit < share.until_unit {
        sentence.extend([
            text(format!("; broken off there, {name}s up to ")),
            whole(share.until_unit - 1),
            text(" are left"),
        ]);
    } else if share.to_unit - share.from_unit < share.of_units {
        sentence.push(text("; merge joins it with the others"));
    }
    sentence.push(text("."));
    vec![sentence]
}

/// What was seen beside what is expected.
fn seen(answer: &Answer) -> Vec<Sentence> {
    match answer.trials {
        0 => vec![words("No trial was counted whole: nothing is said of the clash probability.")],
        1 => vec![one_trial(answer)],
        _ => vec![of_trials(answer)],
    }
}

/// `7,899 of 20,000 trials had a clash: 39.5 % (95 % 38.82 % to 40.17 %); expected 39.35 %, exact.`
fn of_trials(answer: &Answer) -> Sentence {
    let (clashed, trials) = (answer.trials_with_collision, answer.trials);
    let told = |p: f64| probability(answer, p);
    let confidence = value(answer.confidence, Unit::Share);
    let mut sentence = match clashed {
        0 => vec![
            text("None seen in "),
            whole(trials),
            text(" trials: the odds of a clash are at most "),
            told(answer.interval_high),
            text(" ("),
            confidence,
            text(")"),
        ],
        _ if clashed == trials => vec![
            text("All "),
            whole(trials),
            text(" trials had a clash: the odds of one are at least "),
            told(answer.interval_low),
            text(" ("),
            confidence,
            text(")"),
        ],
        _ => vec![
            whole(clashed),
            text(" of "),
            whole(trials),
            text(" trials had a clash: "),
            told(answer.observed_probability.unwrap_or(0.0)),
            text(" ("),
            confidence,
            text(" interval "),
            told(answer.interval_low),
            text(" to "),
            told(answer.interval_high),
            text(")"),
        ],
    };
    sentence.extend([text("; expected "), expected(answer), text(error(answer)), text(".")]);
    sentence
}

/// `, exact`, or how it was found where it is not.
fn error(answer: &Answer) -> &'static str {
    if answer.expected_probability_error == 0.0 { ", exact" } else { ", approximate" }
}

/// `One trial of 1,073,741,824 ids: 31 repeats, 31 pairs of equal ids (95 % 21.06 to 44); 32 pairs expected.`
fn one_trial(answer: &Answer) -> Sentence {
    let mut sentence = vec![text("One trial of "), whole(answer.draws_per_trial), text(" ids: ")];
    let bounds = answer.pairs_low.zip(answer.pairs_high);
    let confidence = value(answer.confidence, Unit::Share);
    if answer.pairs == 0 {
        sentence.push(text("none seen twice"));
        if let Some((_, high)) = bounds {
            sentence.extend([text(", at most "), value(high, Unit::Probability), text(" pairs (")]);
            sentence.extend([confidence, text(")")]);
        }
    } else {
        let several = if answer.repeats == 1 { " repeat, " } else { " repeats, " };
        let pairs = if answer.pairs == 1 { " pair of equal ids" } else { " pairs of equal ids" };
        sentence.extend([whole(answer.repeats), text(several), whole(answer.pairs), text(pairs)]);
        if let Some((low, high)) = bounds {
            sentence.extend([
                text(" ("),
                confidence,
                text(" interval "),
                value(low, Unit::Probability),
                text(" to "),
                value(high, Unit::Probability),
                text(")"),
            ]);
        }
    }
    sentence.extend([text("; expected "), value(answer.expected_pairs, Unit::Probability), text(" pairs.")]);
    sentence
}

/// What the clashes mean for ids as they are, and for requests.
fn meaning(simulation: &Simulation, answer: &Answer) -> Vec<Sentence> {
    [as_risky(simulation), hourly(answer), dense(simulation, answer), repeated(simulation, answer)]
        .into_iter()
        .flatten()
        .collect()
}

/// `As risky as 2.306e18 ids of 122 random bits (UUIDv4): n²/2N is 0.5 for both.`
fn as_risky(simulation: &Simulation) -> Option<Sentence> {
    // Of few ids n²/2N is more than their chance.
    if simulation.plan().draws < ENOUGH_IDS {
        return None;
    }
    let (draws, bits) =
        (simulation.plan().draws as f64, simulation.uniform_bits().filter(|bits| *bits < UUID_BITS)?);
    let risk = (2.0 * draws.log2() - bits - 1.0).exp2();
    let whole = draws * ((UUID_BITS - bits) / 2.0).exp2();
    Some(vec![
        text("As risky as "),
        value(whole, Unit::Probability),
        text(" ids of 122 random bits (UUIDv4): n²/2N is "),
        value(risk, Unit::Probability),
        text(" for both."),
    ])
}

/// `With a full window 3,600 clashes an hour (95 % interval 3,500 to 3,700); expected 3,610.`
fn hourly(answer: &Answer) -> Option<Sentence> {
    let full = answer.collisions_per_s?;
    let told = |each_second: f64| value(each_second * 3600.0, Unit::Probability);
    let mut sentence = vec![text("With a full window "), told(full.observed), text(" clashes an hour")];
    if let Some((low, high)) = full.low.zip(full.high) {
        let confidence = value(answer.confidence, Unit::Share);
        sentence.extend([
            text(" ("),
            confidence,
            text(" interval "),
            told(low),
            text(" to "),
            told(high),
            text(")"),
        ]);
    }
    sentence.extend([text("; expected "), told(full.expected), text(".")]);
    Some(sentence)
}

/// `Batches of 100 ids bring 2.0 times the pairs of ids that come singly: 1.122 a trial against 0.5618, both expected.`
fn dense(simulation: &Simulation, answer: &Answer) -> Option<Sentence> {
    let singly = answer.expected_pairs_singly.filter(|singly| *singly > 0.0)?;
    // As many pairs either way, or none, are not worth a word.
    if answer.expected_pairs == 0.0 || (answer.expected_pairs / singly - 1.0).abs() < 1e-3 {
        return None;
    }
    let how = match simulation.inputs().arrivals {
        Arrivals::Batched => "Batches bring ",
        Arrivals::Bursty => "Bursts bring ",
        Arrivals::Steady => "Steady arrivals bring ",
        Arrivals::Poisson => return None,
    };
    Some(vec![
        text(how),
        value(answer.expected_pairs / singly, Unit::Probability),
        text(" times the pairs of ids that come singly: "),
        value(answer.expected_pairs, Unit::Probability),
        text(" a trial against "),
        value(singly, Unit::Probability),
        text(", both expected."),
    ])
}

/// `A trial with a clash had 55.45 repeats of its 400 ids on average: so many requests find the key of another.`
fn repeated(simulation: &Simulation, answer: &Answer) -> Option<Sentence> {
    simulation.parameters().generators.filter(|generators| *generators > 1)?;
    let (trials, p) = (answer.trials_with_collision, answer.expected_probability);
    if trials == 0 {
        let heap = (p > 0.0 && simulation.comes_in_rare_heaps()).then_some(answer.expected_pairs / p)?;
        return Some(vec![
            text("Clashes come in heaps: a trial with one expects "),
            value(heap, Unit::Probability),
            text(" pairs, all others none."),
        ]);
    }
    Some(vec![
        text("A trial with a clash had "),
        value(answer.repeats as f64 / trials as f64, Unit::Probability),
        text(" repeats among its "),
        whole(answer.draws_per_trial),
        text(" ids on average: so many requests find the key of another and go unpaid."),
    ])
}

/// Whether they agree, and how often a sound run is said not to.
fn verdict(simulation: &Simulation, answer: &Answer) -> Sentence {
    let foregone = simulation.is_foregone(answer.trials) || answer.counted.whole.is_all_alike();
    let runs = value(1.0 / answer.false_alarm_rate, Unit::Probability);
    let p = value(answer.p_value, Unit::Probability);
    match answer.verdict {
        Verdict::Untested if answer.trials == 0 => words("Nothing could be tested."),
        Verdict::Untested if foregone => words("Not tested: this outcome was all but certain beforehand."),
        Verdict::Untested if simulation.comes_in_rare_heaps() => words(
            "Not tested: that a trial clashes was all but certain, and how many pairs it has follows no law that is known here.",
        ),
        Verdict::Untested => words(
            "Not tested: too few trials for pairs that come in heaps; more --trials say whether they are as expected.",
        ),
        Verdict::Consistent => vec![
            text("As expected: p = "),
            p,
            text("; a sound run is called into question once in "),
            runs,
            text(" runs."),
        ],
        Verdict::Inconsistent => {
            let mut sentence = vec![text("NOT as expected: p = "), p];
            let least = answer.tests.iter().min_by(|a, b| a.p_value.total_cmp(&b.p_value));
            sentence.extend(least.map(|test| text(format!(", farthest off are {}", test.name))));
            let rare = text("; chance alone calls a sound run into question once in ");
            sentence.extend([rare, runs, text(" runs.")]);
            sentence
        }
    }
}

/// `Draw 812,331,004 and draw 3,991,227,650 of trial 0 are both 0x1f….`, the first of them.
fn witnesses(all: &[Clash]) -> Vec<Sentence> {
    let said = |clash: &Clash| {
        let mut sentence = Vec::new();
        for (at, draw) in clash.draws.iter().enumerate() {
            sentence.push(text(match at {
                0 => "Draw ",
                _ if at + 1 == clash.draws.len() => " and draw ",
                _ => ", draw ",
            }));
            sentence.push(whole(*draw));
        }
        let both = if clash.draws.len() == 2 { "both" } else { "all" };
        sentence.extend([text(" of trial "), whole(clash.trial), text(format!(" are {both} {}.", clash.id))]);
        sentence
    };
    let mut lead: Vec<Sentence> = all.iter().take(MOST_SAID).map(said).collect();
    match all.len().saturating_sub(MOST_SAID) {
        0 => {}
        more => lead.push(vec![
            whole(more as u128),
            text(" more stand in the record, and with --out in witnesses.csv."),
        ]),
    }
    lead
}

/// What the same experiment says elsewhere.
fn swept(sweep: &Sweep) -> Sentence {
    let mut sentence = claim(sweep);
    sentence.extend([text("; p = "), value(sweep.p_value, Unit::Probability), text(".")]);
    sentence
}

/// The finding of a sweep, without a full stop.
fn claim(sweep: &Sweep) -> Sentence {
    let held = [whole(sweep.within), text(" of "), whole(sweep.points() as u128)];
    let off = sweep.verdict == Verdict::Inconsistent;
    let mut sentence = match (sweep.sizes.is_empty(), off) {
        (false, false) => {
            let bits = || sweep.sizes.iter().map(|size| size.bits);
            let (least, most) = (bits().min().unwrap_or(0), bits().max().unwrap_or(0));
            vec![text(format!("Spaces of {least} to {most} bits lie on one curve in n/√N: "))]
        }
        (false, true) => vec![text("Spaces do NOT lie on one curve in n/√N: ")],
        (true, false) => match densest(sweep) {
            Some((least, most)) => vec![
                text("Pairs follow how ids arrive, from "),
                value(least, Unit::Probability),
                text(" to "),
                value(most, Unit::Probability),
                text(" expected a trial: "),
            ],
            None => Vec::new(),
        },
        (true, true) => vec![text("Pairs do NOT follow how ids arrive: ")],
    };
    sentence.extend(held);
    sentence.push(text(" points hold what is expected within their 95 % interval"));
    sentence
}

/// The least and the most pairs that are expected under any arrivals.
fn densest(sweep: &Sweep) -> Option<(f64, f64)> {
    let pairs = || sweep.arrivals.iter().map(|one| one.expected_pairs);
    pairs().min_by(f64::total_cmp).zip(pairs().max_by(f64::total_cmp))
}

/// What a reader must know beside the figures.
fn notes(simulation: &Simulation, report: &Report, seed: Option<u64>) -> Vec<Sentence> {
    let answer = &report.answer;
    let mut notes = vec![drawn(simulation, answer, seed)];
    let witness = match answer.parameters.window_draws {
        None => "; --method hashset counts the same",
        Some(_) => "",
    };
    notes.push(words(format!("Counted exactly, by {}{witness}.", answer.counted_by)));
    if simulation.is_scaled_unasked() {
        notes.push(words(match simulation.inputs().fault {
            Some(Fault::Clone | Fault::Fork) => "Bits were left out so that an id fits into 64; --bits sets how many stay.",
            _ => "Scaled down unasked, so that a trial expects about one pair; --bits sets how many random bits stay.",
        }));
    }
    notes.push(expectation(answer));
    notes.extend(intervals(answer));
    notes.extend(false_alarms(&answer.tests));
    if answer.narrow_enough {
        notes.push(words(
            "Stopped at the first look at which the interval was narrow enough: a run that stops by what it sees has an interval that holds \
             the truth a little less often than it says.",
        ));
    }
    notes.extend(too_wide(simulation, answer));
    notes.extend(report.sweep.as_ref().map(sweep_note));
    notes.extend(elsewhere(simulation));
    if !answer.witnesses.is_empty() {
        notes.push(words("Draws and trials are counted from 0."));
    }
    notes
}

/// That a run came to its end before its interval was as narrow as was asked.
fn too_wide(simulation: &Simulation, answer: &Answer) -> Option<Sentence> {
    let wanted = simulation.inputs().until_width?;
    let width = answer.interval_high - answer.interval_low;
    (width > wanted && answer.is_done()).then(|| {
        vec![
            text("Not as narrow as asked: the interval is "),
            value(width, Unit::Percent),
            text(" wide after all trials, "),
            value(wanted, Unit::Percent),
            text(" was asked; more --trials make it narrower, four times as many half as wide."),
        ]
    })
}

/// The command that says the same by mathematics alone, of ids as they are.
fn elsewhere(simulation: &Simulation) -> Option<Sentence> {
    let flags = simulation.by_mathematics()?;
    Some(words(format!("By mathematics alone, for ids as they are: uuidcap collide {flags}.")))
}

/// What was drawn, by what, from which seed.
fn drawn(simulation: &Simulation, answer: &Answer, seed: Option<u64>) -> Sentence {
    let by = match simulation.inputs().rng {
        Cipher::Aes => "AES-128 in counter mode",
        Cipher::ChaCha8 => "ChaCha8",
    };
    let mut sentence = vec![text(format!("Drawn: {}, ", answer.drawn))];
    // What has no clock names its ids already.
    if answer.parameters.ticks.is_some() {
        sentence.extend([whole(answer.draws_per_trial), text(" ids a trial, ")]);
    }
    sentence.push(text(format!("by {by}, each trial from a stream of its own.")));
    sentence
        .extend(seed.map(|seed| text(format!(" --seed {seed} gives them again on any number of threads."))));
    sentence
}

/// How the expectation was found.
fn expectation(answer: &Answer) -> Sentence {
    let mut sentence = vec![text(format!("Expected: {}", answer.expected_by))];
    if answer.expected_probability_error > 0.0 {
        sentence.extend([
            text("; off by at most "),
            value(answer.expected_probability_error, Unit::Probability),
            text(" of itself, which the test of trials with a clash allows for"),
        ]);
    }
    if answer.expected_pairs_error > 0.0 {
        sentence.extend([
            text("; pairs by at most "),
            value(answer.expected_pairs_error, Unit::Probability),
            text(" of themselves"),
        ]);
    }
    sentence.push(text("."));
    sentence
}

/// How intervals were found.
fn intervals(answer: &Answer) -> Option<Sentence> {
    let pairs = match answer.pairs_low {
        _ if answer.trials == 0 => return None,
        Some(_) => "; of pairs by Poisson's law, to which rare pairs come close",
        None => "; none of pairs, which come in heaps",
    };
    let of = if answer.trials > 1 { "of the clash probability by Clopper and Pearson" } else { "" };
    let both = format!("{of}{pairs}");
    let list = both.trim_start_matches("; ");
    Some(vec![text("Intervals of "), value(answer.confidence, Unit::Share), text(format!(": {list}."))])
}

/// How often a sound run is called into question.
fn false_alarms(tests: &[Test]) -> Option<Sentence> {
    let count = tests.len();
    let joined = match count {
        0 => return None,
        1 => "The p-value is that of one test".to_owned(),
        _ => format!(
            "The p-value is {count} times the least of {count} tests, so that it holds for all together"
        ),
    };
    let approximate = tests.iter().any(|test| test.statistic.is_some());
    let how = if approximate { "about " } else { "at most " };
    Some(vec![
        text(format!("{joined}; a sound run falls below ")),
        value(FALSE_ALARM_RATE, Unit::Probability),
        text(format!(" {how}once in ")),
        value(1.0 / FALSE_ALARM_RATE, Unit::Probability),
        text(if approximate { " runs, as tests by a limit law are approximate." } else { " runs." }),
    ])
}

/// What the points of a sweep are.
fn sweep_note(sweep: &Sweep) -> Sentence {
    let trials = || {
        let sized = sweep.sizes.iter().map(|size| size.trials);
        sized.chain(sweep.arrivals.iter().map(|one| one.trials))
    };
    let (least, most) = (trials().min().unwrap_or(0), trials().max().unwrap_or(0));
    let mut sentence = match sweep.sizes.is_empty() {
        false => vec![text("Sweep: n ids in spaces of N values; the curve is 1 − exp(−n²/2N). ")],
        true => vec![text("Sweep: the same experiment under other arrivals. ")],
    };
    sentence.extend([text("Points have "), whole(least)]);
    if least != most {
        sentence.extend([text(" to "), whole(most)]);
    }
    sentence.push(text(" trials, each point from a seed of its own."));
    if sweep.left_out > 0 {
        sentence.extend([
            text(" Left out, as the run is too short for them: "),
            whole(sweep.left_out),
            text("."),
        ]);
    }
    sentence
}
