//! Trials of one space for all time: plain draws, a window, shared random state, and biased letters.

use super::super::question::{Fault, Inputs};
use super::super::source::{Flat, Kin, Letters};
use super::{
    Drawn, HELD_BITS, MOST_HELD, MOST_UNIFORM, Model, Parameters, Values, check, counted, load, thousands,
};
use crate::error::{Error, Result};
use crate::id::scheme::{Scheme, Space};

/// Draws of a scheme that is scaled down, where nobody says.
const SCALED_DRAWS: u64 = 1 << 16;
/// Live keys of a window that is scaled down.
const ENOUGH_LIVE: f64 = 1_048_576.0;
/// Windows of a trial where nobody says: nine tenths of its ids come while keys expire.
const WINDOWS: u64 = 10;
/// Most draws where nobody says: a trial of a second, not of an hour.
const MOST_DEFAULT: f64 = 16_777_216.0;

/// A trial of a space that is given.
pub(super) fn of_space(inputs: &Inputs, values: Values, name: &str) -> Result<Model> {
    let held = held(inputs);
    let most = if held { MOST_HELD } else { MOST_UNIFORM };
    if held && values.bits() > f64::from(HELD_BITS) {
        return Err(Error::range(format!(
            "{name} with --window, --seed-bits or --fault: at most {HELD_BITS} bits can be held; the risk depends on \
             n²/N alone, try --bits {HELD_BITS} or fewer"
        )));
    }
    let draws = match load::ids(inputs, values.bits(), most)? {
        Some(draws) => draws,
        None => usual(inputs, values.bits(), root(values))?,
    };
    with(inputs, values, name, draws, held)
}

/// Ids of a trial where nobody says: so many, or with a window as many as fill it several times.
fn usual(inputs: &Inputs, bits: f64, without: u64) -> Result<u64> {
    let Some(window) = load::window(inputs)? else { return Ok(without) };
    let draws = window.saturating_mul(WINDOWS);
    if draws <= MOST_HELD {
        return Ok(draws.max(2));
    }
    // Half as many ids a second in a quarter of the space clash as often an hour.
    let (rate, span) = (inputs.rate_per_s.unwrap_or(0.0), inputs.window_s.unwrap_or(0.0));
    let fewer = (bits - 2.0 * (window as f64 / ENOUGH_LIVE).log2()).round();
    let what = format!(
        "--window holds {} at that --rate, and at most {} a trial can be held",
        counted(window, "key"),
        thousands(MOST_HELD)
    );
    Err(Error::range(match fewer >= load::FEWEST_BITS {
        true => format!(
            "{what}; as many clashes an hour has --bits {fewer} --rate {} --window {span}s",
            rate * ((fewer - bits) / 2.0).exp2()
        ),
        false => format!(
            "{what}, and of {bits:.0} bits so many clash all the time; try a lower --rate or more --bits"
        ),
    }))
}

/// A scheme, as it is where it is cut short, or scaled down.
pub(super) fn of_scheme(inputs: &Inputs, scheme: &Scheme, bits: Option<u32>) -> Result<Model> {
    let full = scheme.separation.space().map_or(0.0, Space::bits);
    let cut = inputs
        .keep_hex
        .map(|digits| format!("first {} of {}", counted(u64::from(digits), "hex digit"), scheme.name));
    let most = bits.map_or(full, f64::from);
    match (inputs.bits, bits) {
        (Some(bits), _) if f64::from(bits) > most => {
            let allowed = format!("at most the {} random bits that there are", most.floor());
            Err(Error::value("--bits", &bits.to_string(), &allowed, "32"))
        }
        (None, Some(bits)) => {
            let name = cut.unwrap_or_else(|| scheme.name.to_owned());
            of_space(
                inputs,
                Values::Bits(bits),
                &format!("{name}, {} of them random", counted(u64::from(bits), "bit")),
            )
        }
        (given, _) => {
            let held = held(inputs);
            let draws = load::ids(inputs, full, if held { MOST_HELD } else { MOST_UNIFORM })?;
            let draws = match draws {
                Some(draws) => draws,
                None => usual(inputs, most, given.map_or(SCALED_DRAWS, |bits| root(Values::Bits(bits))))?,
            };
            let bits = match given {
                Some(bits) => bits,
                // What copies repeat is the same in a space of any size.
                None if inputs.has_copies() => (most as u32).clamp(1, HELD_BITS),
                None => one_pair(draws, load::window(inputs)?, most as u32),
            };
            let name = cut.unwrap_or_else(|| scheme.name.to_owned());
            let name = format!("{name} scaled to {}", counted(u64::from(bits), "random bit"));
            let inputs = Inputs {
                draws: Some(draws),
                rate_per_s: inputs.window_s.and(inputs.rate_per_s),
                for_s: None,
                ..inputs.clone()
            };
            let model = of_space(&inputs, Values::Bits(bits), &name)?;
            Ok(Model { scaled_unasked: given.is_none() && f64::from(bits) < full.floor(), ..model })
        }
    }
}

/// Strings of letters that are remainders of a byte.
pub(super) fn of_text(inputs: &Inputs, alphabet: u64, length: u32) -> Result<Model> {
    if !(2..=256).contains(&alphabet) {
        let came = alphabet.to_string();
        return Err(Error::value(
            "--alphabet",
            &came,
            "from 2 to 256 with --fault modulo, which takes a byte a letter",
            "62",
        ));
    }
    if alphabet.checked_pow(length).is_none() {
        let most = (64.0 / (alphabet as f64).log2()).ceil() - 1.0;
        let allowed = format!("at most {most} of {alphabet} letters, which is below 2^64 strings");
        return Err(Error::value("--length", &length.to_string(), &allowed, "8"));
    }
    let names = ["--arrivals", "--generators", "--seed-bits", "--window"];
    check::idle(inputs, &names, "biased letters are drawn one by one and kept for ever")?;
    let values = Values::Whole(alphabet.pow(length));
    let draws = load::ids(inputs, values.bits(), MOST_HELD)?.unwrap_or_else(|| root(values));
    let words = format!(
        "{} out of {alphabet}, each the remainder of a byte, {}",
        counted(u64::from(length), "letter"),
        counted(draws, "id")
    );
    let letters = Letters { alphabet, length, draws };
    Ok(Model {
        drawn: Drawn::Letters(letters),
        draws,
        window: None,
        parameters: Parameters::default(),
        words,
        scaled_unasked: false,
    })
}

/// Whether ids are more than plain draws.
fn held(inputs: &Inputs) -> bool {
    inputs.window_s.is_some() || inputs.seed_bits.is_some() || inputs.fault.is_some()
}

/// √N, rounded; at least 2 and at most 2^24.
fn root(values: Values) -> u64 {
    (values.bits() / 2.0).exp2().round().clamp(2.0, MOST_DEFAULT) as u64
}

/// Bits of a space in which so many draws expect about one colliding pair.
fn one_pair(draws: u64, window: Option<u64>, most: u32) -> u32 {
    let draws = draws as f64;
    let near = window.map_or(draws, |window| (window as f64).min(draws));
    let pairs = near * (draws - near / 2.0);
    (pairs.max(1.0).log2().round() as u32).clamp(1, most.clamp(1, HELD_BITS))
}

fn with(inputs: &Inputs, values: Values, name: &str, draws: u64, held: bool) -> Result<Model> {
    check::idle(
        inputs,
        &["--arrivals", "--fault clock-back", "--fault modulo"],
        "ids of one space have no clock, and no letters unless --alphabet and --length give them",
    )?;
    if inputs.seed_bits.is_none() && inputs.fault.is_none() {
        check::idle(
            inputs,
            &["--generators"],
            "ids of one space clash whoever made them, unless --seed-bits or --fault clone says what generators share",
        )?;
    }
    let wanted = load::window(inputs)?;
    let window = wanted.filter(|window| *window < draws - 1);
    let kin = kin(inputs, draws)?;
    if inputs.window_s.is_some() && kin != Kin::None {
        return Err(Error::range(
            "--window with --seed-bits or --fault: one thing at a time; leave one of them out",
        ));
    }
    let drawn = if held { Drawn::Flat(Flat { values, draws, kin }) } else { Drawn::Uniform(values) };
    let parameters = Parameters {
        random_bits: match values {
            Values::Bits(bits) => Some(bits),
            Values::Whole(_) => None,
        },
        space: match values {
            Values::Bits(_) => None,
            Values::Whole(space) => Some(space),
        },
        generators: inputs.generators,
        window_draws: window,
        ..Parameters::default()
    };
    let mut words = format!("{name}, {}", counted(draws, "id"));
    if kin == Kin::None && wanted.is_none() && draws == root(values) && draws > 2 {
        words.push_str(if values.bits() > 48.0 { "" } else { " (the square root of the space)" });
    }
    words.push_str(&said(kin));
    match (wanted, window) {
        (_, Some(window)) => words.push_str(&format!(", each kept for {}", counted(window, "draw"))),
        (Some(wanted), None) => {
            words.push_str(&format!(", of which none expires: a window is {}", counted(wanted, "draw")));
        }
        (None, None) => {}
    }
    Ok(Model { drawn, draws, window, parameters, words, scaled_unasked: false })
}

/// What generators share.
fn kin(inputs: &Inputs, draws: u64) -> Result<Kin> {
    let Some(generators) = inputs.generators else { return Ok(Kin::None) };
    let rows = inputs.reseed_after.unwrap_or(u64::MAX);
    Ok(match (inputs.seed_bits, inputs.fault) {
        (Some(bits), _) => Kin::Seeds { generators, bits },
        (None, Some(Fault::Clone)) => Kin::Copies { generators, from: 0, rows },
        (None, Some(Fault::Fork)) => Kin::Copies { generators, from: draws / 2, rows },
        _ => Kin::None,
    })
}

fn said(kin: Kin) -> String {
    let reseeded = |rows: u64| match rows {
        u64::MAX => String::new(),
        rows => format!(" for {} each", counted(rows, "id")),
    };
    match kin {
        Kin::None => String::new(),
        Kin::Seeds { generators, bits } => {
            format!(
                " by {} with seeds of {}",
                counted(generators, "generator"),
                counted(u64::from(bits), "bit")
            )
        }
        Kin::Copies { generators, from: 0, rows } => {
            format!(
                " by {} of one state{}",
                counted(generators, "copy").replace("copys", "copies"),
                reseeded(rows)
            )
        }
        Kin::Copies { generators, rows, .. } => {
            format!(", the second half by {generators} copies of one state{}", reseeded(rows))
        }
    }
}
