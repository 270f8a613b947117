//! `Uuid::new_v4` of the `uuid` crate with default features and `v4` alone, beside the stand-in for it that
//! `uuidcap bench` measures: 16 bytes of `getrandom::fill` and `Builder::from_random_bytes`.
//!
//! uuidcap itself is built with `uuid/fast-rng`, and within one build a crate has one set of features. This program
//! shows that the stand-in takes as long as the original: the two alternate, slice by slice, and the ratio is the
//! median of neighbouring slices. One JSON line each, and one of the ratio; `--seconds S` for each of the two.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use uuid::{Builder, Uuid, Variant};

/// Slices of each; their order turns round each time.
const SLICES: u32 = 15;
/// Ids of a batch: reading the clock costs less than a thousandth of it.
const BATCH: usize = 256;

/// What one slice showed.
struct Slice {
    ns_per_id: f64,
    ids: u64,
    checksum: u128,
}

fn original() -> Uuid {
    Uuid::new_v4()
}

fn stand_in() -> Uuid {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has entropy");
    Builder::from_random_bytes(bytes).into_uuid()
}

/// Makes ids for so long; then looks at the last batch.
fn slice(length: Duration, make: fn() -> Uuid) -> Result<Slice, String> {
    let mut batch = [Uuid::nil(); BATCH];
    let (mut ids, mut checksum) = (0, 0);
    let start = Instant::now();
    let spent = loop {
        for id in &mut batch {
            *id = make();
        }
        black_box(&batch);
        ids += BATCH as u64;
        checksum ^= batch[0].as_u128();
        let spent = start.elapsed();
        if spent >= length {
            break spent;
        }
    };
    if let Some(wrong) =
        batch.iter().find(|id| id.get_version_num() != 4 || id.get_variant() != Variant::RFC4122)
    {
        return Err(format!("{wrong} is no UUIDv4"));
    }
    batch.sort_unstable();
    if batch.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("an id comes twice".to_owned());
    }
    Ok(Slice { ns_per_id: spent.as_nanos() as f64 / ids as f64, ids, checksum })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn line(peer: &str, measures: &str, slices: &[Slice]) {
    let ns_per_id = median(slices.iter().map(|slice| slice.ns_per_id));
    let ids: u64 = slices.iter().map(|slice| slice.ids).sum();
    let checksum = slices.iter().fold(0, |sum, slice| sum ^ slice.checksum);
    let checked = slices.len() * BATCH;
    println!(
        r#"{{"peer": "{peer}", "measures": "{measures}", "form": "bytes", "beside": "v4", "ids": {ids}, "ns_per_id": {ns_per_id}, "checked": {checked}, "checksum": "{checksum:x}"}}"#
    );
}

/// Seconds for each of the two, 0.3 where none are given.
fn seconds() -> Result<f64, String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => return Ok(0.3),
        ["--seconds", seconds] => seconds.parse().ok(),
        _ => None,
    };
    let sensible = given.filter(|seconds| *seconds > 0.0 && *seconds <= 3_600.0);
    sensible.ok_or_else(|| format!("usage: uuid-default [--seconds S], S from 0 to 3600; got {arguments:?}"))
}

fn run() -> Result<(), String> {
    let length = Duration::from_secs_f64(seconds()? / f64::from(SLICES));
    let (mut originals, mut stand_ins) = (Vec::new(), Vec::new());
    slice(length, original)?;
    slice(length, stand_in)?;
    for turn in 0..SLICES {
        if turn % 2 == 0 {
            originals.push(slice(length, original)?);
            stand_ins.push(slice(length, stand_in)?);
        } else {
            stand_ins.push(slice(length, stand_in)?);
            originals.push(slice(length, original)?);
        }
    }
    line("rust Uuid::new_v4", "one call an id, default features", &originals);
    line("rust getrandom", "one call an id, stand-in for Uuid::new_v4", &stand_ins);
    let pairs = originals.iter().zip(&stand_ins);
    let ratio = median(pairs.map(|(original, stand_in)| original.ns_per_id / stand_in.ns_per_id));
    println!(r#"{{"compared": ["rust Uuid::new_v4", "rust getrandom"], "ratio": {ratio}}}"#);
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("uuid-default: {message}");
            ExitCode::from(2)
        }
    }
}
