//! How fast odds are computed on one core, beside the two forms people write, on the same inputs.
//!
//! The bar: 10 million probabilities a second, n log-uniform from 10³ to 10¹² and N from 2^32 to 2^122. The
//! difference of lnΓ keeps no digit here and 1 − exp(−n²/2N) is 0 below 10^-16: they show what exactness costs.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::time::Duration;
use uuidcap::math::birthday;
use uuidcap::math::inverse::{self, Risk};

/// Inputs of one pass; small enough for the second-level cache.
const PAIRS: usize = 10_000;

/// Draws and spaces, log-uniform, from a fixed seed.
fn pairs() -> Vec<(f64, f64)> {
    let mut stream = ChaCha8Rng::seed_from_u64(122);
    (0..PAIRS)
        .map(|_| {
            let ids = 10f64.powf(stream.random_range(3.0..12.0)).floor();
            (ids, stream.random_range(32f64..122.0).exp2().floor())
        })
        .collect()
}

/// The plain difference of lnΓ.
fn by_ln_gamma(ids: f64, space: f64) -> f64 {
    if ids > space {
        return 1.0;
    }
    let none = libm::lgamma(space + 1.0) - libm::lgamma(space - ids + 1.0) - ids * space.ln();
    1.0 - none.exp()
}

/// The square-root rule.
fn by_square(ids: f64, space: f64) -> f64 {
    1.0 - (-ids * ids / (2.0 * space)).exp()
}

fn odds(c: &mut Criterion) {
    let pairs = pairs();
    let total = |odds: fn(f64, f64) -> f64| -> f64 {
        black_box(&pairs).iter().map(|(ids, space)| odds(*ids, *space)).sum()
    };
    // The square-root rule is off by n/N at most, half a part in a thousand of the sum.
    let (exact, rule) = (total(birthday::probability), total(by_square));
    assert!((exact / rule - 1.0).abs() < 1e-3, "{exact} against {rule}");
    let mut group = c.benchmark_group("odds of ten thousand pairs");
    group.throughput(Throughput::Elements(PAIRS as u64));
    // Alternated, so that a machine that slows down slows all.
    for round in ["first", "second"] {
        group.bench_function(format!("probability, {round} round"), |b| {
            b.iter(|| assert_eq!(total(birthday::probability), exact));
        });
        group.bench_function(format!("difference of lnΓ, {round} round"), |b| b.iter(|| total(by_ln_gamma)));
        group.bench_function(format!("1 − exp(−n²/2N), {round} round"), |b| {
            b.iter(|| assert_eq!(total(by_square), rule));
        });
    }
    group.finish();
}

fn ids_for_a_risk(c: &mut Criterion) {
    let space = BigUint::from(1u32) << 122u32;
    let half = Risk::new(1u32.into(), 2u32.into()).expect("a half is a risk");
    c.bench_function("min_ids of 2^122 at 50 %", |b| {
        b.iter(|| {
            let ids = inverse::min_ids(black_box(&space), black_box(&half));
            assert_eq!(ids, BigUint::from(2_714_922_669_395_445_312u64));
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = odds, ids_for_a_risk
}
criterion_main!(benches);
