//! How fast the ids of a trial are drawn and their repeats counted, on one thread, in cache: beside hash sets and sorting, which
//! get the same draws.
//!
//! The bars, as ratios in one run, drawing included: 4 times `HashSet` for 2^10 ids of 20 bits, 2^12 of 24 and 2^16 of 32.
//! `benches/peers/sort.py` measures numpy's sort beside it.
//!
//! Methods and peers are checked against the witness on the first trials, before anything is timed.

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use std::collections::HashSet;
use std::hint::black_box;
use std::time::Duration;
use uuidcap::id::generator::{Cipher, Seed, Stream};
use uuidcap::sim::count::{Counter, Method, plain};
use uuidcap::sim::draw::{Draws, Id, Trials as _, Uniform};

type Group<'a> = BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// Alternated, so that a machine that slows down slows all.
const ROUNDS: [&str; 2] = ["first", "second"];
/// Trials checked against the witness.
const CHECKED: u64 = 3;

/// Trials of one size.
struct Trials<I> {
    draws: Uniform<I>,
    ids: Vec<I>,
    next: u64,
}

impl<I: Id> Trials<I> {
    fn new(bits: u32, draws: usize) -> Trials<I> {
        let stream = Stream::new(Cipher::Aes, &Seed::from(122), 0);
        Trials { draws: Uniform::new(stream, bits), ids: vec![I::default(); draws], next: 0 }
    }

    /// The ids of one trial after another.
    fn next(&mut self) -> &[I] {
        self.draws.set_trial(self.next);
        self.next += 1;
        self.draws.fill(0, &mut self.ids);
        &self.ids
    }
}

/// One way of counting repeats, checked and then timed with the drawing.
fn timed<I: Id>(
    group: &mut Group<'_>,
    name: &str,
    (bits, draws): (u32, usize),
    mut repeats: impl FnMut(&[I]) -> u64,
) {
    let mut trials = Trials::new(bits, draws);
    for _ in 0..CHECKED {
        let ids = trials.next();
        assert_eq!(repeats(ids), plain::count(ids.iter().copied()).repeats, "{name}");
    }
    group.bench_function(name, |b| b.iter(|| black_box(repeats(black_box(trials.next())))));
}

/// Repeats among sorted ids.
fn adjacent<I: Id>(sorted: &[I]) -> u64 {
    sorted.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
}

/// Our methods and all peers on trials of one size.
fn regime<I: Id + rdst::RadixKey>(c: &mut Criterion, bits: u32, log_draws: u32, methods: &[Method]) {
    let size = (bits, 1 << log_draws);
    let mut group = c.benchmark_group(format!("{bits} bits, 2^{log_draws} ids"));
    group.throughput(Throughput::Elements(1 << log_draws));
    let mut room: Vec<I> = Vec::with_capacity(size.1);
    let mut seen = HashSet::with_capacity(size.1);
    for round in ROUNDS {
        for method in methods {
            let mut counter = Counter::new(*method, bits, 1 << log_draws).expect("the method can");
            let name = format!("{}, {round} round", method.name());
            timed::<I>(&mut group, &name, size, |ids| counter.count(ids).repeats);
        }
        timed::<I>(&mut group, &format!("drawing and HashSet, {round} round"), size, |ids| {
            seen.clear();
            ids.iter().map(|id| u64::from(!seen.insert(*id))).sum()
        });
        timed::<I>(&mut group, &format!("drawing and HashSet made anew, {round} round"), size, |ids| {
            let mut seen = HashSet::with_capacity(ids.len());
            ids.iter().map(|id| u64::from(!seen.insert(*id))).sum()
        });
        timed::<I>(&mut group, &format!("drawing and hashbrown, {round} round"), size, |ids| {
            let mut seen = hashbrown::HashSet::with_capacity(ids.len());
            ids.iter().map(|id| u64::from(!seen.insert(*id))).sum()
        });
        timed::<I>(&mut group, &format!("drawing and sort_unstable, {round} round"), size, |ids| {
            room.clear();
            room.extend_from_slice(ids);
            room.sort_unstable();
            adjacent(&room)
        });
        timed::<I>(&mut group, &format!("drawing and rdst, {round} round"), size, |ids| {
            use rdst::RadixSort;
            room.clear();
            room.extend_from_slice(ids);
            room.radix_sort_builder().with_parallel(false).sort();
            adjacent(&room)
        });
    }
    group.finish();
}

fn small(c: &mut Criterion) {
    use Method::{Auto, BitFilter, IndexTable, Stamp};
    regime::<u32>(c, 20, 10, &[Auto, IndexTable, Stamp, BitFilter]);
    regime::<u32>(c, 24, 12, &[Auto, IndexTable, BitFilter]);
    regime::<u32>(c, 32, 16, &[Auto, IndexTable, BitFilter]);
}

fn dense(c: &mut Criterion) {
    use Method::{Auto, Histogram, IndexTable, Stamp};
    regime::<u32>(c, 12, 14, &[Auto, Histogram, IndexTable, Stamp]);
}

fn middle(c: &mut Criterion) {
    regime::<u64>(c, 40, 20, &[Method::Auto, Method::IndexTable, Method::BitFilter]);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(150))
        .measurement_time(Duration::from_millis(600));
    targets = small, dense, middle
}
criterion_main!(benches);
