//! How fast trees of pages are loaded: with keys (exact for any order) and with counts (uniform keys), in a cache of a
//! tenth of the index.
//!
//! The bars, inserts a second on one core: 0.5 million with keys in random order, 3 million with counts.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use uuidcap::store::tree::{Engine, Geometry, Order, Shape, Stream, Tree, Within};

/// Keys of a load.
const KEYS: u64 = 2_000_000;
/// Inserts between checkpoints.
const CHECKPOINT: u64 = 100_000;

fn load(order: Order, counted: bool) -> Tree {
    let geometry = Geometry::of_keys(Engine::Postgres, 16).expect("fits");
    let cache = (geometry.ascending_leaves(KEYS as f64) * 0.1) as u32;
    let mut stream = Stream::new(order, KEYS, 1);
    let mut tree = if counted { Tree::counted(geometry, cache) } else { Tree::keyed(geometry, cache) };
    for key in 1..=KEYS {
        if counted {
            tree.insert_uniform(stream.random());
        } else {
            tree.insert(stream.next_key());
        }
        if key % CHECKPOINT == 0 {
            tree.checkpoint();
        }
    }
    assert_eq!(tree.tally().entries(), KEYS);
    tree
}

fn loading(c: &mut Criterion) {
    let mut group = c.benchmark_group("index");
    group.throughput(Throughput::Elements(KEYS)).sample_size(10);
    let v4 = Order::new(Shape::Uniform, 1e4);
    let v7 = Order::new(Shape::Timed { tick_s: 1e-3, within: Within::Random }, 2e5);
    group.bench_function("v4, tree of keys", |b| {
        b.iter_with_large_drop(|| load(black_box(v4), false));
    });
    group.bench_function("v4, tree of counts", |b| {
        b.iter_with_large_drop(|| load(black_box(v4), true));
    });
    group.bench_function("v7 at 200,000/s, tree of keys", |b| {
        b.iter_with_large_drop(|| load(black_box(v7), false));
    });
    group.bench_function("v7 late by 50 ms, tree of keys", |b| {
        b.iter_with_large_drop(|| load(black_box(Order { delay_s: 0.05, ..v7 }), false));
    });
    group.finish();
}

criterion_group!(benches, loading);
criterion_main!(benches);
