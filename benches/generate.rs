//! How fast ids are made: one at a time, in bulk into the first-level cache and into memory, on two threads;
//! beside the streams they are cut from, memset and other people's generators on the same buffer.
//!
//! The bars, as ratios in one run on a processor with vector AES: bulk v4 into L1 at 90 % of the AES stream, 4 times
//! ChaCha8 with bits set, 250 times `Uuid::new_v4` without fast-rng; into 1 GiB no slower than memset; monotonic v7
//! at 70 % of bulk v4 and 80 times `Uuid::now_v7`; one at a time 3 times `Uuid::new_v4` with fast-rng; two threads
//! 1.9 times one. `uuidcap bench` measures the same ratios in pairs; this shows where the time goes.
//!
//! Set-up stays out of the loops, and what was made is checked after them.

use criterion::{Bencher, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rand::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;
use uuidcap::id::clock::Clock;
use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V4, V7, V7Monotonic, V7SubMillisecond};

/// Ids of a buffer in the first-level cache: 16 KiB.
const IN_CACHE: usize = 1_024;
/// Ids of a buffer that no cache holds: 1 GiB; with `--quick`, which only proves that it runs, 64 MiB.
const IN_MEMORY: usize = 1 << 26;
/// Ids of a piece below the size from which ids are written past the caches: 8 MiB.
const KEPT_IN_CACHE: usize = 1 << 19;

/// The system's clock.
#[derive(Clone, Copy)]
struct System;

impl Clock for System {
    fn unix_ns(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
        u64::try_from(now.as_nanos()).expect("a clock before 2554")
    }
}

fn stream(cipher: Cipher) -> Stream {
    Stream::new(cipher, &Seed::from(122), 0)
}

type Group<'a> = BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// Fills one buffer again and again; then every id must have the version, and all must differ.
fn bulk(group: &mut Group<'_>, name: &str, ids: usize, version: usize, mut fill: impl FnMut(&mut [Uuid])) {
    // Touched only where the filter lets this one run.
    let mut buffer = Vec::new();
    group.throughput(Throughput::Elements(ids as u64));
    group.bench_function(name, |b| {
        buffer.resize(ids, Uuid::nil());
        b.iter(|| {
            fill(black_box(&mut buffer));
            black_box(&buffer);
        });
        let mut seen = buffer[..ids.min(IN_CACHE)].to_vec();
        assert!(version == 0 || seen.iter().all(|id| id.get_version_num() == version), "{name}");
        seen.sort_unstable();
        assert!(version == 0 || seen.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
    });
}

/// Takes one id after another into a buffer in the first-level cache.
fn one(group: &mut Group<'_>, name: &str, version: usize, mut next: impl FnMut() -> Uuid) {
    bulk(group, name, IN_CACHE, version, |ids| ids.iter_mut().for_each(|id| *id = next()));
}

/// What `Uuid::new_v4` does where the feature fast-rng is off: sixteen bytes of the system for every id.
fn new_v4_default() -> Uuid {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has entropy");
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// Alternated, so that a machine that slows down slows all.
const ROUNDS: [&str; 2] = ["first", "second"];

fn one_at_a_time(c: &mut Criterion) {
    let mut group = c.benchmark_group("one at a time");
    let (mut v4, mut chacha8) = (V4::new(stream(Cipher::Aes)), V4::new(stream(Cipher::ChaCha8)));
    let mut v7 = V7Monotonic::new(stream(Cipher::Aes), System);
    for round in ROUNDS {
        one(&mut group, &format!("v4, {round} round"), 4, || v4.next_id());
        one(&mut group, &format!("v4 on ChaCha8, {round} round"), 4, || chacha8.next_id());
        one(&mut group, &format!("Uuid::new_v4 with fast-rng, {round} round"), 4, Uuid::new_v4);
        one(&mut group, &format!("Uuid::new_v4 by default, {round} round"), 4, new_v4_default);
        one(&mut group, &format!("v7 monotonic, {round} round"), 7, || v7.next_id());
        one(&mut group, &format!("Uuid::now_v7 with fast-rng, {round} round"), 7, Uuid::now_v7);
        one(&mut group, &format!("uuid7::uuid7, {round} round"), 7, || {
            Uuid::from_bytes(*uuid7::uuid7().as_bytes())
        });
    }
    group.finish();
}

fn into_cache(c: &mut Criterion) {
    let mut group = c.benchmark_group("bulk into L1");
    let aes = stream(Cipher::Aes);
    let mut v4 = V4::new(aes.clone());
    let mut chacha8 = V4::new(stream(Cipher::ChaCha8));
    let mut v7 = V7::new(aes.clone(), System);
    let mut monotonic = V7Monotonic::new(aes.clone(), System);
    let mut finer = V7SubMillisecond::new(aes.clone(), System);
    let mut peer = rand_chacha::ChaCha8Rng::from_seed([1; 32]);
    let (mut block, mut byte) = (0u64, 0u8);
    for round in ROUNDS {
        bulk(&mut group, &format!("v4, {round} round"), IN_CACHE, 4, |ids| v4.fill(ids));
        bulk(&mut group, &format!("v7, {round} round"), IN_CACHE, 7, |ids| v7.fill(ids));
        bulk(&mut group, &format!("v7 monotonic, {round} round"), IN_CACHE, 7, |ids| monotonic.fill(ids));
        bulk(&mut group, &format!("v7 sub-millisecond, {round} round"), IN_CACHE, 7, |ids| finer.fill(ids));
        bulk(&mut group, &format!("v4 on ChaCha8, {round} round"), IN_CACHE, 4, |ids| chacha8.fill(ids));
        bulk(&mut group, &format!("rand_chacha with bits set, {round} round"), IN_CACHE, 4, |ids| {
            peer.fill_bytes(bytemuck::cast_slice_mut(ids));
            for id in ids {
                *id = uuid::Builder::from_random_bytes(id.into_bytes()).into_uuid();
            }
        });
        bulk(&mut group, &format!("AES stream alone, {round} round"), IN_CACHE, 0, |ids| {
            aes.fill(block, bytemuck::cast_slice_mut(ids));
            block += IN_CACHE as u64;
        });
        bulk(&mut group, &format!("rand_chacha alone, {round} round"), IN_CACHE, 0, |ids| {
            peer.fill_bytes(bytemuck::cast_slice_mut(ids));
        });
        bulk(&mut group, &format!("memset, {round} round"), IN_CACHE, 0, |ids| {
            byte = byte.wrapping_add(1);
            bytemuck::cast_slice_mut::<_, u8>(ids).fill(black_box(byte));
        });
        bulk(&mut group, &format!("entropy of the system, {round} round"), IN_CACHE, 0, |ids| {
            getrandom::fill(bytemuck::cast_slice_mut(ids)).expect("the system has entropy");
        });
    }
    group.finish();
}

fn into_memory(c: &mut Criterion) {
    let ids = if std::env::args().any(|flag| flag == "--quick") { IN_MEMORY / 16 } else { IN_MEMORY };
    let mut group = c.benchmark_group("bulk into memory");
    group.sample_size(10);
    let aes = stream(Cipher::Aes);
    let mut v4 = V4::new(aes.clone());
    let mut monotonic = V7Monotonic::new(aes.clone(), System);
    let mut block = 0u64;
    let mut byte = 0u8;
    for round in ROUNDS {
        bulk(&mut group, &format!("v4, {round} round"), ids, 4, |ids| v4.fill(ids));
        bulk(&mut group, &format!("v7 monotonic, {round} round"), ids, 7, |ids| monotonic.fill(ids));
        bulk(&mut group, &format!("AES stream alone, {round} round"), ids, 0, |ids| {
            aes.fill(block, bytemuck::cast_slice_mut(ids));
            block += ids.len() as u64;
        });
        bulk(&mut group, &format!("memset, {round} round"), ids, 0, |ids| {
            byte = byte.wrapping_add(1);
            bytemuck::cast_slice_mut::<_, u8>(ids).fill(black_box(byte));
        });
    }
    group.finish();
}

/// What the one file with unsafe code saves: the same ids by safe code, and through the caches.
fn kernel(c: &mut Criterion) {
    let ids = if std::env::args().any(|flag| flag == "--quick") { IN_MEMORY / 16 } else { IN_MEMORY };
    let mut group = c.benchmark_group("kernel");
    let aes = stream(Cipher::Aes);
    let (mut v4, mut v4_safe) = (V4::new(aes.clone()), V4::new(aes.clone().without_vectors()));
    let mut v7 = V7Monotonic::new(aes.clone(), System);
    let mut v7_safe = V7Monotonic::new(aes.clone().without_vectors(), System);
    for round in ROUNDS {
        bulk(&mut group, &format!("v4 by vectors, {round} round"), IN_CACHE, 4, |ids| v4.fill(ids));
        bulk(&mut group, &format!("v4 by safe code, {round} round"), IN_CACHE, 4, |ids| v4_safe.fill(ids));
        bulk(&mut group, &format!("v7 monotonic by vectors, {round} round"), IN_CACHE, 7, |ids| v7.fill(ids));
        bulk(&mut group, &format!("v7 monotonic by safe code, {round} round"), IN_CACHE, 7, |ids| {
            v7_safe.fill(ids);
        });
    }
    group.sample_size(10);
    for round in ROUNDS {
        bulk(&mut group, &format!("v4 past the caches, {round} round"), ids, 4, |ids| v4.fill(ids));
        bulk(&mut group, &format!("v4 through the caches, {round} round"), ids, 4, |ids| {
            ids.chunks_mut(KEPT_IN_CACHE).for_each(|piece| v4.fill(piece));
        });
    }
    group.finish();
}

/// So many threads, each with a generator and a buffer of its own in its first-level cache.
fn scaling(c: &mut Criterion) {
    /// Buffers a thread fills in one go, so that starting it costs nothing beside: 32 MiB.
    const FILLS: usize = 2_048;
    fn filled<G: Generator<Id = Uuid> + Send>(
        b: &mut Bencher<'_>,
        threads: usize,
        make: impl Fn(u64) -> G + Sync,
    ) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        b.iter(|| {
            pool.broadcast(|thread| {
                let mut made = make(thread.index() as u64);
                let mut ids = [Uuid::nil(); IN_CACHE];
                for _ in 0..FILLS {
                    made.fill(black_box(&mut ids));
                }
                assert_ne!(ids[0], ids[IN_CACHE - 1]);
            });
        });
    }
    let seed = Seed::from(122);
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let mut group = c.benchmark_group("scaling into L1");
    for round in ROUNDS {
        for threads in [1, 2, 4, 8, 16, 32, 64].into_iter().filter(|threads| *threads <= cpus) {
            group.throughput(Throughput::Elements((threads * FILLS * IN_CACHE) as u64));
            group.bench_function(format!("v4 on {threads}, {round} round"), |b| {
                filled(b, threads, |number| V4::new(Stream::new(Cipher::Aes, &seed, number)));
            });
            let parent = V7Monotonic::new(Stream::new(Cipher::Aes, &seed, u64::MAX), System);
            group.bench_function(format!("v7 monotonic on {threads}, {round} round"), |b| {
                filled(b, threads, |number| parent.sibling(Stream::new(Cipher::Aes, &seed, number)));
            });
        }
    }
    group.finish();
}

/// Rounds short enough that all benchmarks of the crate together end within ten minutes on two cores.
fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1_500))
}

criterion_group! {
    name = benches;
    config = short();
    targets = one_at_a_time, into_cache, into_memory, kernel, scaling
}
criterion_main!(benches);
