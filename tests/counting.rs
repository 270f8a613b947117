//! Every way of counting gives the witness's numbers, for any ids and on every border.

use proptest::prelude::*;
use uuidcap::id::generator::{Cipher, Seed, Stream};
use uuidcap::sim::count::{Counter, Counts, Method, plain};
use uuidcap::sim::draw::{Draws, Id, Uniform};

/// Bits up to which a table with a place for every value is small enough for a test.
const SMALL_SPACE: u32 = 20;

/// Counters of every method that can, with and without mixing.
fn counters(bits: u32, draws: usize) -> Vec<(String, Counter)> {
    let direct = [Method::Stamp, Method::Histogram];
    let methods = Method::ALL.into_iter().filter(|method| *method != Method::Partition);
    let able = methods.filter(|method| bits <= SMALL_SPACE || !direct.contains(method));
    let made = |method| Counter::new(method, bits, draws as u64).expect("the method can");
    let name = Method::name;
    able.flat_map(|method| {
        let mixing = format!("{} mixing", name(method));
        [(name(method).to_owned(), made(method)), (mixing, made(method).mixing())]
    })
    .collect()
}

/// All methods against the witness.
fn agree<I: Id>(bits: u32, ids: &[I]) {
    let expected = plain::count(ids.iter().copied());
    for (name, mut counter) in counters(bits, ids.len()) {
        assert_eq!(counter.count(ids), expected, "{name}, {} of {bits} bits", ids.len());
    }
}

fn drawn<I: Id>(bits: u32, draws: usize, trial: u64) -> Vec<I> {
    let mut ids = vec![I::default(); draws];
    Uniform::new(Stream::new(Cipher::Aes, &Seed::from(5), trial), bits).fill(0, &mut ids);
    ids
}

fn drawn_agree(bits: u32, draws: usize) {
    let trial = (u64::from(bits) << 32) | draws as u64;
    if bits <= 32 {
        agree::<u32>(bits, &drawn(bits, draws, trial));
    }
    if bits <= 64 {
        agree::<u64>(bits, &drawn(bits, draws, trial));
    }
    agree::<u128>(bits, &drawn(bits, draws, trial));
}

#[test]
fn every_width_of_id_is_counted_from_the_smallest_space_to_the_largest() {
    for bits in (1..=64).chain([122, 128]) {
        for draws in [0, 1, 2, 3, 100, 1_000] {
            drawn_agree(bits, draws);
        }
    }
}

#[test]
fn sizes_of_groups_and_tables_and_their_neighbours_are_counted() {
    let sizes = [7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1_023, 1_024, 1_025, 4_095, 4_096, 4_097];
    for draws in sizes.into_iter().chain([8_192, 8_193]) {
        for bits in [6, 12, 16, 20, 24, 40, 122] {
            drawn_agree(bits, draws);
        }
    }
}

#[test]
fn where_two_bytes_no_longer_number_the_draws_they_are_still_counted() {
    for draws in [65_535, 65_536, 65_537] {
        for bits in [8, 16, 40] {
            drawn_agree(bits, draws);
        }
    }
    agree::<u32>(18, &drawn(18, 1 << 18, 1));
    agree::<u64>(34, &drawn(34, 300_000, 2));
}

/// Ids that no uniform draw gives, of so many: name and ids.
fn odd<I: Id>(draws: usize) -> Vec<(&'static str, Vec<I>)> {
    let all = |of: &dyn Fn(u128) -> u128| (0..draws as u128).map(|i| I::cut(of(i))).collect();
    let bits = I::BITS;
    let top = bits - 17;
    vec![
        ("all equal", all(&|_| 77)),
        ("all different in order", all(&|i| i)),
        ("all different in reverse", all(&|i| u128::MAX - i)),
        ("two by turns", all(&|i| i % 2 * 9)),
        ("pairs side by side", all(&|i| i / 2)),
        ("a half again", all(&|i| i % (draws as u128 / 2 + 1))),
        ("only high bits differ", all(&|i| i << top)),
        ("only high bits differ, each twice", all(&|i| (i / 2) << top)),
        ("equal in the low 16 bits", all(&|i| i << 16)),
        ("equal but for one bit", all(&|i| (i & 1) << (bits - 1))),
        ("two halves of a word alike", all(&|i| (i << (bits / 2)) | i)),
        ("the last equals the first", all(&|i| if i + 1 == draws as u128 { 0 } else { i })),
    ]
}

fn odd_agree<I: Id>(draws: usize) {
    for (name, ids) in odd::<I>(draws) {
        println!("{name}, {draws} of {} bits", I::BITS);
        agree(I::BITS, &ids);
    }
}

#[test]
fn ids_that_no_uniform_draw_gives_are_counted() {
    for draws in [2, 3, 65, 1_024, 5_000] {
        odd_agree::<u32>(draws);
        odd_agree::<u64>(draws);
        odd_agree::<u128>(draws);
    }
    odd_agree::<u64>(70_000);
}

#[test]
fn a_counter_is_used_again_for_many_trials_of_any_size_and_type() {
    let bits = 9;
    let draws = [300, 0, 1, 20, 33, 511, 512, 64, 2, 130];
    for (name, mut counter) in counters(bits, 512) {
        for trial in 0..620 {
            let draws = draws[trial as usize % draws.len()];
            let (narrow, wide) = (drawn::<u32>(bits, draws, trial), drawn::<u128>(bits, draws, trial));
            assert_eq!(counter.count(&narrow), plain::count(narrow), "{name}, trial {trial}");
            if trial % 7 == 0 {
                assert_eq!(counter.count(&wide), plain::count(wide), "{name}, trial {trial}");
            }
        }
    }
}

#[test]
fn what_a_trial_left_is_not_taken_for_a_repeat_however_many_trials_later() {
    // Stamps and draw numbers come round; a value that no trial between has touched must still be new.
    for (name, mut counter) in counters(10, 2) {
        for round in [254u32, 255, 256] {
            for trial in 0..3 * round {
                let ids = [trial % round, 512 + trial % round];
                assert_eq!(
                    counter.count(&ids),
                    Counts::default(),
                    "{name}, trial {trial} of rounds of {round}"
                );
            }
        }
    }
}

#[test]
fn a_counter_for_large_trials_counts_small_ones() {
    for (name, mut counter) in counters(20, 100_000) {
        for (trial, draws) in (0..).zip([100_000, 10, 60_000, 1_000, 65, 100_000, 0]) {
            let ids = drawn::<u64>(20, draws, trial);
            assert_eq!(counter.count(&ids), plain::count(ids), "{name}, {draws}");
        }
    }
}

#[test]
fn trials_see_as_many_repeats_as_the_exact_law_expects() {
    // n − N(1 − (1 − 1/N)^n) repeats a trial, 29.3946 with 256 ids in 2^10 values; in whole numbers
    // its variance is 21.0922. The mean of 2,000 trials has a standard deviation of 0.1027; five of them miss once in 1.7 million
    // seeds, and one lost repeat in fifty would show.
    let mut counter = Counter::new(Method::Auto, 10, 256).expect("the method can");
    let seen: u64 = (0..2_000).map(|trial| counter.count(&drawn::<u32>(10, 256, trial)).repeats).sum();
    let expected = 256.0 - 1024.0 * (1.0 - (1.0 - 1.0 / 1024.0f64).powi(256));
    assert!((seen as f64 / 2_000.0 - expected).abs() < 5.0 * 0.1027, "{seen}: {expected}");
}

#[test]
fn what_a_method_cannot_count_is_refused_by_name() {
    let refused =
        |method, bits, draws| Counter::new(method, bits, draws).map(|_| ()).expect_err("refused").to_string();
    assert!(refused(Method::Partition, 40, 10).contains("index-table"));
    assert!(refused(Method::Stamp, 31, 10).contains("between 1 and 30 for stamp"));
    assert!(refused(Method::Histogram, 29, 10).contains("between 1 and 28 for histogram"));
    assert!(refused(Method::IndexTable, 40, 1 << 32).contains("partition"));
    assert!(refused(Method::Sort, 0, 10).contains("between 1 and 128"));
    assert!(Counter::new(Method::Auto, 64, 10).is_ok_and(|counter| counter.method() != Method::Auto));
}

#[test]
#[should_panic(expected = "an id of 2^8 or more")]
fn an_id_beyond_its_space_is_not_taken_for_another() {
    let mut counter = Counter::new(Method::Stamp, 8, 2).expect("a byte for 256 values");
    counter.count(&[1u128, 1 << 100]);
}

#[test]
#[should_panic(expected = "3 ids in a counter for 2")]
fn more_ids_than_there_is_room_for_are_not_counted() {
    Counter::new(Method::IndexTable, 8, 2).expect("two draws").count(&[1u32, 2, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_ids_are_counted(ids in prop::collection::vec(any::<u64>(), 0..400), mask in any::<u64>(), shift in 0..64u32) {
        // A mask with few bits gives many repeats, at any place in the word.
        let some = |id: &u64| (id & mask & 0x3ff).rotate_left(shift);
        let ids: Vec<u64> = ids.iter().map(some).collect();
        agree(64, &ids);
        agree(128, &ids.iter().map(|id| u128::from(*id) << 50).collect::<Vec<_>>());
    }

    #[test]
    fn order_changes_the_first_clash_alone(mut ids in prop::collection::vec(0..50u32, 2..80)) {
        let without = |counts: Counts| (counts.repeats, counts.pairs);
        let mut counter = Counter::new(Method::IndexTable, 6, 80).expect("six bits");
        let before = without(counter.count(&ids));
        ids.reverse();
        prop_assert_eq!(without(counter.count(&ids)), before);
    }
}
