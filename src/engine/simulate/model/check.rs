//! Single inputs of a trial: their ranges, and which of them belong together.

use super::super::question::{Arrivals, Fault, Inputs};
use crate::error::{Error, Result};

/// The largest rate or span that is computed with: products of two stay far within `f64`.
const LARGEST: f64 = 1e100;
/// Most generators of a trial: each is held.
const MOST_GENERATORS: u64 = 1 << 26;

/// Every number within its range.
pub(super) fn numbers(inputs: &Inputs) -> Result<()> {
    for (flag, value, example) in [
        ("--rate", inputs.rate_per_s, "200k/s"),
        ("--for", inputs.for_s, "1s"),
        ("--window", inputs.window_s, "24h"),
        ("--back", inputs.back_s, "100ms"),
    ] {
        positive(flag, value, example)?;
    }
    for (flag, value, (least, most), example) in [
        ("--space", inputs.space, (1, u64::MAX), "365"),
        ("--bits", inputs.bits.map(u64::from), (1, 122), "32"),
        ("--alphabet", inputs.alphabet, (1, u64::MAX), "62"),
        ("--length", inputs.length, (1, 122), "8"),
        ("--draws", inputs.draws, (1, u64::MAX), "65536"),
        ("--batch", inputs.batch, (1, super::MOST_HELD), "100"),
        ("--generators", inputs.generators, (1, MOST_GENERATORS), "8"),
        ("--seed-bits", inputs.seed_bits.map(u64::from), (1, 64), "15"),
        ("--keep-hex", inputs.keep_hex.map(u64::from), (1, 32), "8"),
        ("--reseed-after", inputs.reseed_after, (1, u64::MAX), "100"),
    ] {
        whole(flag, value, least, most, example)?;
    }
    if let Some(duty) = inputs.duty.filter(|duty| !(*duty > 0.0 && *duty <= 1.0)) {
        return Err(Error::value("--duty", &duty.to_string(), "above 0 and at most 1", "0.25"));
    }
    together(inputs)
}

fn positive(flag: &str, value: Option<f64>, example: &str) -> Result<()> {
    match value {
        Some(value) if !(value > 0.0 && value <= LARGEST) => {
            Err(Error::value(flag, &value.to_string(), "above 0 and at most 1e100", example))
        }
        _ => Ok(()),
    }
}

fn whole(flag: &str, value: Option<u64>, least: u64, most: u64, example: &str) -> Result<()> {
    match value {
        Some(value) if !(least..=most).contains(&value) => {
            let allowed = format!("from {least} to {most}");
            Err(Error::value(flag, &value.to_string(), &allowed, example))
        }
        _ => Ok(()),
    }
}

/// Inputs that say something only beside another.
fn together(inputs: &Inputs) -> Result<()> {
    let copies = inputs.has_copies();
    for (flag, given, fits, needs) in [
        ("--duty", inputs.duty.is_some(), inputs.arrivals == Arrivals::Bursty, "--arrivals bursty"),
        ("--batch", inputs.batch.is_some(), inputs.arrivals == Arrivals::Batched, "--arrivals batched"),
        ("--back", inputs.back_s.is_some(), inputs.fault == Some(Fault::ClockBack), "--fault clock-back"),
        ("--reseed-after", inputs.reseed_after.is_some(), copies, "--fault clone or --fault fork"),
        ("--seed-bits", inputs.seed_bits.is_some(), inputs.generators.is_some(), "--generators"),
        ("--window", inputs.window_s.is_some(), inputs.rate_per_s.is_some(), "--rate"),
        (
            "--fault clone or fork",
            copies,
            inputs.generators.is_some_and(|all| all > 1),
            "--generators 2 or more",
        ),
        ("--seed-bits", inputs.seed_bits.is_some(), inputs.fault.is_none(), "no --fault"),
    ] {
        if given && !fits {
            return Err(Error::range(format!(
                "{flag} needs {needs} beside it; add that or leave {flag} out"
            )));
        }
    }
    Ok(())
}

/// Refuses what has no effect on a subject, with the reason.
pub(super) fn idle(inputs: &Inputs, names: &[&str], why: &str) -> Result<()> {
    for (flag, given) in [
        ("--arrivals", inputs.arrivals != Arrivals::Poisson),
        ("--fault clock-back", inputs.fault == Some(Fault::ClockBack)),
        ("--fault modulo", inputs.fault == Some(Fault::Modulo)),
        ("--fault clone", inputs.fault == Some(Fault::Clone)),
        ("--fault fork", inputs.fault == Some(Fault::Fork)),
        ("--generators", inputs.generators.is_some()),
        ("--seed-bits", inputs.seed_bits.is_some()),
        ("--window", inputs.window_s.is_some()),
        ("--bits", inputs.bits.is_some()),
        ("--reseed-after", inputs.reseed_after.is_some()),
    ] {
        if given && names.contains(&flag) {
            return Err(Error::range(format!("{flag} changes nothing here: {why}; leave it out")));
        }
    }
    Ok(())
}
