//! Trials of schemes with a clock: ticks, arrivals, and bits that are scaled down with their structure kept.
//!
//! Bits are scaled in all: those of a counter that starts at random and those behind it in the proportion of the layout,
//! at least one each. Bits of a counter that start at 0 stay as they are, and so do sequences; of node schemes the node
//! number is scaled.

use super::super::question::{Arrivals, Fault, Inputs};
use super::super::source::{Counter, Nodes, Start, Ticks, Times};
use super::load::{self, Run};
use super::subject::Clocked;
use super::{Drawn, HELD_BITS, MOST_HELD, Model, Parameters, Values, check, counted, thousands};
use crate::error::{Error, Result};
use crate::id::layout::seconds;
use crate::id::scheme::{Separation, Sequence, Space};

/// Ids of a batch where nobody says.
const BATCH: u64 = 100;
/// Share of the time in which bursty ids come, where nobody says.
const DUTY: f64 = 0.1;
/// Share of a run by which its clock is set back, where nobody says.
const BACK: f64 = 0.1;
/// Most ticks of a run.
const MOST_TICKS: u64 = 1 << 40;

/// The trial of a scheme with a clock.
pub(super) fn of(inputs: &Inputs, clocked: &Clocked) -> Result<Model> {
    let names = ["--window", "--seed-bits", "--fault fork", "--fault modulo"];
    check::idle(
        inputs,
        &names,
        "only ids of one space are drawn with it, and ids of a clock clash within a tick",
    )?;
    let regular = inputs.arrivals == Arrivals::Poisson;
    if let (Some(Fault::Clone | Fault::ClockBack), false) = (inputs.fault, regular) {
        let message = "--fault with a clock is drawn for --arrivals poisson alone; leave --arrivals out";
        return Err(Error::range(message));
    }
    match clocked.separation {
        Separation::Bucket { width_s, counter, .. } => of_ticks(inputs, clocked, seconds(width_s), counter),
        Separation::Nodes { tick_s, node, sequence_bits, sequence } => {
            of_nodes(inputs, clocked, seconds(tick_s), node, sequence_bits, sequence)
        }
        _ => unreachable!("a subject with a clock has ticks"),
    }
}

/// Bits as a scheme has them.
#[derive(Debug, Clone, Copy)]
struct Bits {
    counter: u32,
    drawn: u32,
    tail: u32,
}

impl Bits {
    /// In all so many that are drawn, in this proportion.
    fn scaled(self, bits: u32) -> Bits {
        let all = self.drawn + self.tail;
        let drawn = match (self.drawn, self.tail) {
            (0, _) => 0,
            (_, 0) => bits,
            (drawn, _) => {
                let share = f64::from(bits) * f64::from(drawn) / f64::from(all);
                (share.round() as u32).clamp(1, bits - 1)
            }
        };
        Bits { counter: self.counter - self.drawn + drawn, drawn, tail: bits - drawn }
    }

    /// The fewest that it can be scaled to.
    fn least(self) -> u32 {
        1 + u32::from(self.drawn > 0 && self.tail > 0)
    }
}

fn of_ticks(inputs: &Inputs, clocked: &Clocked, width_s: f64, counts: bool) -> Result<Model> {
    let bits = bits(clocked, width_s, counts);
    let run = load::run(inputs, width_s, MOST_HELD, MOST_TICKS)?;
    repeats(clocked, run, width_s)?;
    let times = times(inputs, run)?;
    let generators = generators(inputs, clocked, counts)?;
    let runs_ahead = counts && bits.counter == 0;
    if runs_ahead {
        ahead(inputs, run, times, generators, 0, clocked.scheme.name)?;
    }
    let reach = if runs_ahead { run.ticks + run.draws } else { run.ticks };
    let scaled = drawn_bits(inputs, clocked, bits, run, tick_bits(reach))?;
    let counter = counts.then_some(Counter { bits: scaled.counter, drawn: scaled.drawn, generators });
    let rows = inputs.reseed_after.unwrap_or(u64::MAX);
    let copies = (inputs.fault == Some(Fault::Clone)).then_some((generators, rows));
    let back = back(inputs, run, width_s)?;
    let ticks = Ticks { times, tail: scaled.tail, counter, draws: run.draws, back, copies };
    let all = scaled.drawn + scaled.tail;
    let whole = bits.drawn + bits.tail;
    let size = match all < whole {
        true => format!("{} scaled to {}", clocked.name, counted(u64::from(all), "random bit")),
        false => format!("{}, {}", clocked.name, counted(u64::from(all), "random bit")),
    };
    let size = match (counts, scaled.drawn) {
        (true, drawn) if drawn > 0 && scaled.tail > 0 => format!("{size} ({drawn} of them counting)"),
        _ => size,
    };
    let parameters = Parameters {
        random_bits: Some(scaled.tail),
        counter_bits: counts.then_some(scaled.counter),
        counter_drawn_bits: counts.then_some(scaled.drawn),
        generators: (counts || copies.is_some()).then_some(generators),
        ..of_run(run, times, width_s, back)
    };
    let words = said(inputs, &size, &parameters, run, times);
    let scaled_unasked = inputs.bits.is_none() && all < whole;
    Ok(Model {
        drawn: Drawn::Ticks(ticks),
        draws: run.draws,
        window: None,
        parameters,
        words,
        scaled_unasked,
    })
}

/// The bits of a scheme; a clock that is finer than its steps counts within them.
fn bits(clocked: &Clocked, width_s: f64, counts: bool) -> Bits {
    let kept = &clocked.kept;
    let steps = kept.clock.map_or(1.0, |clock| (width_s / seconds(clock.step_s)).max(1.0));
    match (counts, kept.counter) {
        (false, drawn) => Bits { counter: 0, drawn: 0, tail: kept.random + kept.counter_drawn.min(drawn) },
        (true, 0) => Bits { counter: steps.log2().floor() as u32, drawn: 0, tail: kept.random },
        (true, counter) => Bits { counter, drawn: kept.counter_drawn, tail: kept.random },
    }
}

/// The bits that are drawn: as asked for, or so that about one pair collides; as they are where an id is cut short.
fn drawn_bits(inputs: &Inputs, clocked: &Clocked, bits: Bits, run: Run, ticks: u32) -> Result<Bits> {
    let all = bits.drawn + bits.tail;
    let fixed = ticks + bits.counter - bits.drawn;
    let room = HELD_BITS.saturating_sub(fixed);
    let wanted = match inputs.bits {
        Some(wanted) => wanted,
        None if clocked.cut || all == 0 => all,
        // What copies repeat is the same with bits of any number.
        None if inputs.has_copies() => all.min(room).max(bits.least()),
        None => {
            let draws = run.draws as f64;
            let pairs = draws * draws / 2.0 / run.ticks as f64;
            let most = all.min(room).max(bits.least());
            (pairs.max(1.0).log2().round() as u32).clamp(bits.least(), most)
        }
    };
    if inputs.bits.is_some() && (wanted > all || wanted < bits.least()) {
        let allowed = match all {
            0 => format!("left out: nothing random is left of {}", clocked.name),
            all => format!("from {} to {all}, the random bits of {}", bits.least(), clocked.name),
        };
        return Err(Error::value("--bits", &wanted.to_string(), &allowed, "--scheme v7 --bits 16"));
    }
    if wanted > room {
        return Err(Error::range(format!(
            "{wanted} random bits behind {fixed} bits of ticks and counter do not fit into the {HELD_BITS} that can be \
             held; try --bits {} or a shorter --for",
            room.max(1)
        )));
    }
    Ok(if wanted == all { bits } else { bits.scaled(wanted) })
}

fn of_nodes(
    inputs: &Inputs,
    clocked: &Clocked,
    tick_s: f64,
    node: Space,
    sequence: u32,
    starts: Sequence,
) -> Result<Model> {
    let name = clocked.scheme.name;
    let full = node.bits() as u32;
    let number = inputs.bits.unwrap_or(full);
    if number > full {
        let allowed = format!("from 1 to {full}, the bits of a node number of {name}");
        return Err(Error::value("--bits", &number.to_string(), &allowed, "10"));
    }
    let run = load::run(inputs, tick_s, MOST_HELD, MOST_TICKS)?;
    repeats(clocked, run, tick_s)?;
    let times = times(inputs, run)?;
    let generators = inputs.generators.unwrap_or(1);
    let waits = starts == Sequence::Resets
        || clocked.scheme.overflow.is_some_and(|overflow| overflow.starts_with("next"));
    if waits {
        ahead(inputs, run, times, generators, sequence, name)?;
    }
    let reach = if waits { run.ticks + run.draws } else { run.ticks };
    let needed = tick_bits(reach) + tick_bits(generators) + sequence;
    if needed > HELD_BITS {
        return Err(Error::range(format!(
            "ticks, generators and sequence take {needed} bits, and {HELD_BITS} can be held; try a shorter --for"
        )));
    }
    let cloned = inputs.fault == Some(Fault::Clone);
    let start = match (starts, cloned) {
        (Sequence::Resets, _) => Start::Zero,
        (Sequence::RandomStart, false) => Start::Random,
        (Sequence::RandomStart, true) => Start::Common,
    };
    let back = back(inputs, run, tick_s)?;
    let numbers = (!cloned).then_some(Values::Bits(number));
    let nodes = Nodes { times, numbers, generators, sequence, start, waits, draws: run.draws, back };
    let parameters = Parameters {
        node_bits: numbers.map(Values::bits),
        sequence_bits: Some(sequence),
        generators: Some(generators),
        ..of_run(run, times, tick_s, back)
    };
    let size = match numbers {
        None => format!("{name} of one node number"),
        Some(_) if number < full => {
            format!("{name} scaled to {}", counted(u64::from(number), "bit of node number"))
        }
        Some(_) => format!("{name}, node numbers of {}", counted(u64::from(number), "bit")),
    };
    let size = size.replace("bit of node numbers", "bits of node number");
    let words = said(inputs, &size, &parameters, run, times);
    Ok(Model {
        drawn: Drawn::Nodes(nodes),
        draws: run.draws,
        window: None,
        parameters,
        words,
        scaled_unasked: false,
    })
}

/// Bits that number so many ticks.
fn tick_bits(ticks: u64) -> u32 {
    ticks.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

/// A run within which the clock does not show the same again.
fn repeats(clocked: &Clocked, run: Run, tick_s: f64) -> Result<()> {
    let Some(clock) = clocked.kept.clock else { return Ok(()) };
    if run.ticks as f64 * tick_s <= clock.repeats_s * (1.0 + 1e-9) {
        return Ok(());
    }
    Err(Error::range(format!(
        "--for: the clock that is left of {} shows the same again after {} s; try a shorter run, or its ticks as a space \
         with --space",
        clocked.name, clock.repeats_s
    )))
}

fn times(inputs: &Inputs, run: Run) -> Result<Times> {
    let ticks = run.ticks;
    Ok(match inputs.arrivals {
        Arrivals::Poisson => Times::Free { busy: ticks },
        Arrivals::Steady => Times::Steady { ticks },
        Arrivals::Bursty => {
            let busy = (inputs.duty.unwrap_or(DUTY) * ticks as f64).round() as u64;
            Times::Free { busy: busy.clamp(1, ticks) }
        }
        Arrivals::Batched => Times::Batched { ticks, size: inputs.batch.unwrap_or(BATCH) },
    })
}

/// The generators of a scheme of ticks; without a counter only copies need to be told apart.
fn generators(inputs: &Inputs, clocked: &Clocked, counts: bool) -> Result<u64> {
    let cloned = inputs.fault == Some(Fault::Clone);
    if counts && cloned {
        return Err(Error::range(format!(
            "--fault clone of {}, which counts, is not drawn; try --scheme v7 or --scheme snowflake",
            clocked.name
        )));
    }
    if !counts && !cloned {
        let why = "its ids clash whoever made them, since nothing counts";
        check::idle(inputs, &["--generators"], why)?;
    }
    Ok(inputs.generators.unwrap_or(1))
}

/// A clock that runs ahead of itself needs less than it can give.
fn ahead(inputs: &Inputs, run: Run, times: Times, generators: u64, bits: u32, name: &str) -> Result<()> {
    let busy = times.ticks() as f64;
    let (asked, given) = (run.draws as f64 / busy / generators as f64, f64::from(bits).exp2());
    if inputs.arrivals == Arrivals::Batched
        && inputs.batch.unwrap_or(BATCH) as f64 >= given * generators as f64
    {
        return Err(Error::range(format!(
            "--batch: a generator of {name} makes {given} ids a tick at most and waits for the next, so that a batch \
             is spread over ticks; try a smaller one"
        )));
    }
    if asked < given {
        return Ok(());
    }
    Err(Error::range(format!(
        "a generator of {name} makes {given} ids a tick at most and waits for the next; {asked:.1} a tick are asked for: \
         try a lower --rate, a longer --for or more --generators"
    )))
}

/// Ticks by which the clock is set back; 0 where it is not.
fn back(inputs: &Inputs, run: Run, tick_s: f64) -> Result<u64> {
    if inputs.fault != Some(Fault::ClockBack) {
        return Ok(0);
    }
    let wanted = inputs.back_s.map_or(BACK * run.ticks as f64, |back| back / tick_s).round();
    let wanted = if inputs.back_s.is_none() { wanted.max(1.0) } else { wanted };
    let most = run.ticks / 2;
    if !(wanted >= 1.0 && wanted <= most as f64) {
        let allowed =
            format!("from one tick of {} to half of the run, {} here", span(tick_s), counted(most, "tick"));
        let came = inputs.back_s.map_or_else(|| "nothing".to_owned(), |back| format!("{back} s"));
        return Err(Error::value("--back", &came, &allowed, "--back 100ms --for 10s"));
    }
    Ok(wanted as u64)
}

fn of_run(run: Run, times: Times, tick_s: f64, back: u64) -> Parameters {
    Parameters {
        tick_s: Some(tick_s),
        ticks: Some(run.ticks),
        busy_ticks: (times.ticks() < run.ticks).then(|| times.ticks()),
        ids_per_tick: Some(run.draws as f64 / times.ticks() as f64),
        back_ticks: (back > 0).then_some(back),
        ..Parameters::default()
    }
}

/// A length of time in the unit that suits it.
fn span(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds >= *unit * 0.999).unwrap_or(units[3]);
    format!("{} {name}", (seconds / unit * 1e3).round() / 1e3)
}

fn said(inputs: &Inputs, size: &str, parameters: &Parameters, run: Run, times: Times) -> String {
    let tick_s = parameters.tick_s.unwrap_or(0.0);
    let each = parameters.ids_per_tick.unwrap_or(0.0);
    let each = if each >= 100.0 {
        thousands(each.round() as u64)
    } else {
        format!("{}", (each * 1e3).round() / 1e3)
    };
    let arrivals = match times {
        Times::Steady { .. } => "steady arrivals".to_owned(),
        Times::Batched { size, .. } => format!("batches of {}", counted(size, "id")),
        Times::Free { busy } if inputs.arrivals == Arrivals::Bursty => {
            format!("Poisson arrivals in the first {}", counted(busy, "tick"))
        }
        Times::Free { .. } => "Poisson arrivals".to_owned(),
    };
    let mut words = format!(
        "{size}, {each} {} a tick of {}, {}, {arrivals}",
        if each == "1" { "id" } else { "ids" },
        span(tick_s),
        counted(run.ticks, "tick")
    );
    match (inputs.fault, parameters.generators) {
        (Some(Fault::Clone), Some(all)) => words.push_str(&format!(", {all} copies of one generator")),
        (_, Some(all)) => words.push_str(&format!(", {}", counted(all, "generator"))),
        _ => {}
    }
    if let Some(back) = parameters.back_ticks {
        words.push_str(&format!(", clock set back by {}", counted(back, "tick")));
    }
    words
}
