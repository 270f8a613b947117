//! Layout, order and uniqueness of the three kinds.

use super::{V7, V7Monotonic, V7SubMillisecond};
use crate::id::clock::Manual;
use crate::id::generator::tests::same_however_asked_for;
use crate::id::generator::{Cipher, Generator, Seed, Stream};
use std::collections::HashSet;
use std::sync::Arc;
use uuid::Uuid;

/// 2026-11-30T12:00:00.123456789Z.
const NOON_NS: u64 = 1_796_040_000_123_456_789;

fn stream(number: u64) -> Stream {
    Stream::new(Cipher::Aes, &Seed::from(1), number)
}

fn bulk(made: &mut impl Generator<Id = Uuid>, ids: usize) -> Vec<Uuid> {
    let mut buffer = vec![Uuid::nil(); ids];
    made.fill(&mut buffer);
    buffer
}

fn rising(ids: &[Uuid]) -> bool {
    ids.windows(2).all(|pair| pair[0] < pair[1])
}

fn ms(id: Uuid) -> u64 {
    (id.as_u128() >> 80) as u64
}

/// The counter of a monotonic id, read from the layout of RFC 9562.
fn counter(id: Uuid) -> u64 {
    let (high, low) = id.as_u64_pair();
    (high & 0xfff) << 18 | (low >> 44) & 0x3_ffff
}

#[test]
fn time_version_and_variant_stand_where_the_standard_has_them() {
    let clock = Manual::at_ns(NOON_NS);
    let ids = [
        bulk(&mut V7::new(stream(0), &clock), 3),
        bulk(&mut V7Monotonic::new(stream(0), &clock), 3),
        bulk(&mut V7SubMillisecond::new(stream(0), &clock), 3),
    ];
    for id in ids.iter().flatten() {
        assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122), "{id}");
        assert_eq!(ms(*id), NOON_NS / 1_000_000, "{id}");
    }
    // 456,789 ns are 1,871.007… parts of 1/4096 ms.
    assert!(ids[2].iter().all(|id| id.as_u128() >> 64 & 0xfff == 1_871), "{:?}", ids[2]);
}

#[test]
fn drawn_bits_are_those_of_the_stream() {
    let clock = Manual::at_ns(NOON_NS);
    let mut drawn = [0; 64];
    stream(5).fill(0, &mut drawn);
    let block =
        |place: usize| u128::from_be_bytes(drawn[16 * place..][..16].try_into().expect("sixteen bytes"));
    let word = |place: usize| u64::from_be_bytes(drawn[8 * place..][..8].try_into().expect("eight bytes"));
    let random = bulk(&mut V7::new(stream(5), &clock), 3);
    let kept = 0xfff << 64 | ((1 << 62) - 1);
    assert!((0..3).all(|i| random[i].as_u128() & kept == block(i) & kept));
    let finer = bulk(&mut V7SubMillisecond::new(stream(5), &clock), 3);
    assert!((0..3).all(|i| finer[i].as_u128() & ((1 << 62) - 1) == block(i) & ((1 << 62) - 1)));
    // The first block starts the counter, and its first word is what counts.
    let counted = bulk(&mut V7Monotonic::new(stream(5), &clock), 3);
    assert_eq!(counter(counted[0]), word(0) >> 35);
    assert_eq!(counter(counted[2]), counter(counted[0]) + 2);
    let low = |id: Uuid| id.as_u64_pair().1 & ((1 << 44) - 1);
    assert!((0..3).all(|i| low(counted[i]) == word(i + 2) & ((1 << 44) - 1)));
}

/// While the clock stands still.
#[test]
fn ids_are_the_same_however_they_are_asked_for() {
    let clock = Manual::at_ns(NOON_NS);
    for stream in [stream(2), stream(2).without_vectors(), Stream::new(Cipher::ChaCha8, &Seed::from(3), 0)] {
        same_however_asked_for(|| V7::new(stream.clone(), &clock));
        same_however_asked_for(|| V7Monotonic::new(stream.clone(), &clock));
        same_however_asked_for(|| V7SubMillisecond::new(stream.clone(), &clock));
    }
}

#[test]
fn monotonic_ids_rise_and_never_repeat_when_the_clock_is_set_back() {
    let clock = Manual::at_ns(NOON_NS);
    let mut made = V7Monotonic::new(stream(0), &clock);
    let mut all = Vec::new();
    for step in [0, 1_000_000, 3_600_000_000_000, -7_200_000_000_000, 500, -1, 9_000_000_000_000] {
        clock.set_ns(NOON_NS.saturating_add_signed(step));
        all.extend(bulk(&mut made, 70_001));
        all.push(made.next_id());
    }
    assert!(rising(&all));
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}

#[test]
fn a_new_millisecond_starts_its_counter_anew_with_room_to_count() {
    let clock = Manual::at_ns(0);
    let mut made = V7Monotonic::new(stream(0), &clock);
    let starts: Vec<u64> = (1..=2_000u64)
        .map(|ms| {
            clock.set_ns(ms * 1_000_000);
            let id = made.next_id();
            assert_eq!(super::tests::ms(id), ms);
            counter(id)
        })
        .collect();
    assert!(starts.iter().all(|start| *start < 1 << 29));
    // 2,000 draws of 29 bits: below 2^28 lie 1,000 give or take 22; six of that are 2 in a thousand million.
    let low = starts.iter().filter(|start| **start < 1 << 28).count();
    assert!((866..=1_134).contains(&low), "{low} of 2000 below the middle");
}

#[test]
fn a_counter_that_is_used_up_goes_on_in_the_next_millisecond() {
    let clock = Manual::at_ns(NOON_NS);
    let mut made = V7Monotonic::new(stream(0), &clock);
    let first = made.next_id();
    // All but the last five of this millisecond, without making them.
    let left = (1 << 30) - 1 - counter(first);
    made.skip(left - 5);
    let ids = bulk(&mut made, 12);
    assert!(first < ids[0] && rising(&ids));
    assert_eq!(counter(ids[4]), (1 << 30) - 1);
    let times: Vec<u64> = ids.iter().map(|id| ms(*id) - ms(first)).collect();
    assert_eq!(times, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
    assert!(counter(ids[5]) < 1 << 29);
    // The clock catches up: no step back, and nothing is made twice.
    clock.set_ns(NOON_NS + 1_000_000);
    assert!(made.next_id() > ids[11]);
}

#[test]
fn siblings_on_threads_never_repeat_and_rise_within_a_call() {
    let clock = Arc::new(Manual::at_ns(NOON_NS));
    let parent = V7Monotonic::new(stream(0), Arc::clone(&clock));
    let mut all: Vec<Uuid> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=4)
            .map(|number| {
                let mut made = parent.sibling(stream(number));
                let clock = Arc::clone(&clock);
                scope.spawn(move || {
                    let mut own = Vec::new();
                    for turn in 0..200u64 {
                        // Forwards and back, while others read it.
                        clock.set_ns(NOON_NS + turn * 37 % 11 * 1_000_000);
                        let ids = bulk(&mut made, 500);
                        assert!(rising(&ids));
                        own.extend(ids);
                    }
                    assert!(rising(&own));
                    own
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).collect()
    });
    all.sort_unstable();
    assert!(rising(&all), "a repeat");
    // It is the counter, not the drawn bits, that keeps them apart.
    let undrawn: HashSet<u128> = all.iter().map(|id| id.as_u128() >> 44).collect();
    assert_eq!(undrawn.len(), 400_000);
}

/// A clock that moves by a millisecond whenever it is read.
struct Running(Manual);

impl crate::id::clock::Clock for Running {
    fn unix_ns(&self) -> u64 {
        let now = self.0.unix_ns();
        self.0.set_ns(now + 1_000_000);
        now
    }
}

#[test]
fn a_long_call_does_not_crowd_one_tick() {
    let ids = 1 << 20;
    let mut whole = bulk(&mut V7::new(stream(0), Running(Manual::at_ns(NOON_NS))), ids);
    assert_eq!(ms(whole[ids - 1]) - ms(whole[0]), (ids as u64 >> 14) - 1);
    V7SubMillisecond::new(stream(0), Running(Manual::at_ns(NOON_NS))).fill_parallel(&mut whole);
    assert_eq!(ms(whole[ids - 1]) - ms(whole[0]), (ids as u64 >> 18) - 1);
    assert!(whole.is_sorted_by_key(|id| ms(*id)));
}

#[test]
fn time_of_random_ids_never_goes_back() {
    let clock = Manual::at_ns(NOON_NS);
    let (mut random, mut finer) = (V7::new(stream(0), &clock), V7SubMillisecond::new(stream(1), &clock));
    let (before, before_finer) = (random.next_id(), finer.next_id());
    clock.set_ns(NOON_NS - 3_600_000_000_000);
    assert_eq!(ms(random.next_id()), ms(before));
    assert_eq!(finer.next_id().as_u128() >> 64, before_finer.as_u128() >> 64);
}
