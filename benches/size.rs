//! How fast `size` answers: one case as the command line asks it, and a grid of a million cases.
//!
//! The bar: a million cases of the key alone and three stores within a second on two cores.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use uuidcap::engine::size::{self, Inputs, Sizing, Workload};
use uuidcap::store::price::Book;
use uuidcap::units::{Exact, Rate, Span};

/// Rates and retentions of the grid: 1,000 of each.
const SIDE: u128 = 1_000;

fn book() -> Book {
    Book::default_book().expect("the book that ships")
}

fn one_case() -> Inputs {
    Inputs::new("200k/s".parse().expect("a rate"), "7d".parse().expect("a span"))
}

/// A million different loads, from 1,000 to 1,000,000 keys/s and from 6 hours to 250 days.
fn million() -> Sizing {
    let mut inputs = one_case();
    let rate = |step: u128| Rate::new(Exact::whole(1_000 * (step + 1))).expect("not zero");
    inputs.workloads =
        (0..SIDE).map(rate).map(|rate| Workload { rate_per_s: rate, peak_per_s: rate }).collect();
    inputs.retention_s =
        (0..SIDE).map(|step| Span::new(Exact::whole(21_600 * (step + 1))).expect("not zero")).collect();
    inputs.stores = ["raw", "postgres", "redis", "dynamodb"].map(str::to_owned).to_vec();
    Sizing::new(inputs).expect("a checked question")
}

fn sizing(c: &mut Criterion) {
    let book = book();
    let mut group = c.benchmark_group("size");
    let question = Sizing::new(one_case()).expect("a checked question");
    group.bench_function("one case, every store", |b| {
        b.iter(|| size::answer(black_box(&question), &book, &()).expect("an answer"));
    });
    let question = million();
    group.throughput(Throughput::Elements(question.cases() as u64));
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    group.bench_function("a million cases, raw and three stores", |b| {
        b.iter_with_large_drop(|| {
            let answer = size::answer(black_box(&question), &book, &()).expect("an answer");
            assert_eq!(answer.cases.len(), 1_000_000);
            assert_eq!(answer.cases.last().expect("a case").live_keys, 1_000_000 * 21_600_000);
            answer
        });
    });
    group.finish();
}

criterion_group!(benches, sizing);
criterion_main!(benches);
