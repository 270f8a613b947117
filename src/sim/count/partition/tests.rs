//! Every border of a large count, small: against the witness, whatever the threads, the memory and the passes.

use super::*;
use crate::id::generator::{Cipher, Seed, Stream};
use crate::sim::count::plain;
use crate::sim::draw::Uniform;
use std::sync::atomic::AtomicU64;

/// Draws that are what a function of their number says.
struct Made<I, F> {
    bits: u32,
    id: F,
    of: std::marker::PhantomData<I>,
}

fn made<I: Id, F: Fn(u64) -> I + Sync>(bits: u32, id: F) -> Made<I, F> {
    Made { bits, id, of: std::marker::PhantomData }
}

impl<I: Id, F: Fn(u64) -> I + Sync> Draws for Made<I, F> {
    type Id = I;

    fn bits(&self) -> u32 {
        self.bits
    }

    fn fill(&self, from: u64, ids: &mut [I]) {
        (from..).zip(ids).for_each(|(number, id)| *id = (self.id)(number));
    }
}

/// SplitMix64's mixing: a bijection of 64 bits.
fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn ids<D: Draws>(draws: &D, n: u64) -> Vec<D::Id> {
    let mut ids = vec![D::Id::default(); n as usize];
    draws.fill(0, &mut ids);
    ids
}

/// As little memory as will do.
fn least(n: u64, bits: u32, threads: usize, slices: u64) -> Plan {
    let message = Plan::of_slices(n, bits, threads, 0, slices).expect_err("no memory").to_string();
    let needed = message.split("need ").nth(1).and_then(|rest| rest.split(' ').next());
    let needed = needed.expect("the message names it").parse().expect("bytes");
    let plan = Plan::of_slices(n, bits, threads, needed, slices).expect("what the message says is enough");
    assert!(plan.memory_bytes() <= needed);
    assert!(Plan::of_slices(n, bits, threads, needed - 1, slices).is_err());
    plan
}

/// Against the witness: one slice and many, in one pass and in as many as there are slices, on one to three threads.
fn check<D: Draws>(draws: &D, n: u64) {
    let expected = plain::count(ids(draws, n));
    for threads in 1..=3 {
        for slices in [1, 8] {
            if draws.bits() < 17 && slices > 1 << draws.bits() {
                continue;
            }
            let all = Plan::of_slices(n, draws.bits(), threads, u64::MAX, slices).expect("enough memory");
            let few = least(n, draws.bits(), threads, slices);
            for plan in [all, few] {
                let mut memory = Memory::new(&plan);
                let mut shares = Counts::default();
                let counts =
                    count(draws, 0..slices, &mut memory, 0, &(), |share| shares = shares.and(share.counts));
                let what = format!("{} bits, {n} draws, {plan:?}", draws.bits());
                assert_eq!(counts, Ok(Some(expected)), "{what}");
                assert_eq!(shares, expected, "{what}");
            }
        }
    }
}

#[test]
fn uniform_ids_of_every_width() {
    let stream = || Stream::new(Cipher::Aes, &Seed::from(11), 4);
    for bits in 1..=64 {
        for n in [0, 1, 2, 3, 5_000] {
            check(&Uniform::<u64>::new(stream(), bits), n);
        }
    }
    for bits in [1, 17, 20, 32] {
        check(&Uniform::<u32>::new(stream(), bits), 70_000);
    }
    for bits in [24, 30, 40, 50] {
        check(&Uniform::<u64>::new(stream(), bits), 100_000);
    }
    for bits in [65, 100, 122, 128] {
        check(&Uniform::<u128>::new(stream(), bits), 5_000);
    }
}

#[test]
fn a_million_ids_with_some_repeats() {
    let stream = || Stream::new(Cipher::Aes, &Seed::from(3), 1);
    check(&Uniform::<u64>::new(stream(), 36), 1 << 20);
    check(&Uniform::<u32>::new(stream(), 22), (1 << 20) + 1);
}

#[test]
fn equal_ids() {
    for bits in [1, 16, 17, 40, 64] {
        for n in [2, 3, 16, 17, 100_000] {
            check(&made(bits, |_| (u64::MAX >> (64 - bits)) - 1), n);
            check(&made(bits, |_| 0u64), n);
        }
    }
    check(&made(122, |_| (1u128 << 122) - 1), 10_000);
}

#[test]
fn wide_ids_that_differ_only_in_bits_that_are_not_kept() {
    // Every id is a suspect, and a third of them is right to be one.
    check(&made(64, |number| (mix(number / 4) << 2) | (number % 3)), 60_000);
    check(&made(122, |number| (u128::from(mix(number / 4)) << 58) | u128::from(number % 3)), 60_000);
}

#[test]
fn repeats_of_a_few_values_far_apart() {
    // Each value comes as often as its last digits say, and only at the end again.
    for bits in [34, 64] {
        check(
            &made(bits, move |number| mix(if number > 90_000 { number % 7 } else { number }) >> (64 - bits)),
            100_000,
        );
        check(&made(bits, move |number| mix(number % 300 * (number % 2)) >> (64 - bits)), 100_000);
    }
}

#[test]
fn a_value_that_takes_half_of_the_draws_beside_uniform_ones() {
    for bits in [28, 36, 64] {
        check(&made(bits, move |number| mix(number * (number % 2)) >> (64 - bits)), 200_000);
        check(
            &made(bits, move |number| mix((number % 50) * (number % 2) + number / 100_000) >> (64 - bits)),
            200_000,
        );
    }
}

#[test]
fn what_found_no_room_may_repeat_a_later_thread_s_first() {
    // Thread 0 fills the bucket of 0 with others and spills 5; the last draws bring 5 again, and 6 twice after that.
    let id = |number: u64| match number {
        0..50_000 => number % 40 + 100,
        50_000..50_100 => 5,
        _ => number % 40 + 300,
    };
    check(&made(40, id), 100_000);
}

#[test]
fn ids_that_share_their_first_bits_are_counted_or_refused() {
    let draws = made(40, |number| number);
    let plan = Plan::of_slices(1 << 20, 40, 2, u64::MAX, 1).expect("a plan");
    let refused =
        count(&draws, 0..1, &mut Memory::new(&plan), 0, &(), |_| ()).expect_err("too far from uniform");
    assert!(refused.to_string().contains("mixing"), "{refused}");
    let draws = made(40, |number| number / 2);
    let plan = Plan::of_slices(5_000, 40, 2, u64::MAX, 1).expect("a plan");
    let counts = count(&draws, 0..1, &mut Memory::new(&plan), 0, &(), |_| ());
    assert_eq!(counts, Ok(Some(plain::count(ids(&draws, 5_000)))));
}

#[test]
fn more_suspects_than_marks_are_looked_for_in_rounds() {
    // Every value twice: half of a million marks, of which there is memory for some 20,000.
    let n = 1 << 20;
    let draws = made(64, move |number| mix(number % (n / 2)));
    let plan = Plan::of_slices(n, 64, 2, u64::MAX, 1).expect("a plan");
    assert!(plan.most_marks() < 40_000, "{plan:?}");
    let counts = count(&draws, 0..1, &mut Memory::new(&plan), 0, &(), |_| ());
    let expected = Counts { repeats: n / 2, pairs: u128::from(n / 2), first_clash: Some(n / 2 + 1) };
    assert_eq!(counts, Ok(Some(expected)));
}

#[test]
fn ranges_of_slices_add_up() {
    let (n, slices) = (200_000, 16);
    for bits in [10, 30, 40, 64] {
        let draws = made(bits, move |number| mix(number / 3 % 70_001) >> (64 - bits));
        let ids = ids(&draws, n);
        let plan = least(n, bits, 2, slices);
        let mut memory = Memory::new(&plan);
        let mut sum = Counts::default();
        for range in [0..1, 1..6, 6..6, 6..15, 15..16] {
            let mut next = range.start;
            let counts = count(&draws, range.clone(), &mut memory, 0, &(), |share| {
                assert_eq!(share.slices.start, next);
                next = share.slices.end;
            });
            assert_eq!(next, range.end);
            let counts = counts.expect("uniform").expect("not cancelled");
            sum = sum.and(counts);
            // The witness on the same share, with draw numbers of all draws.
            let of_share = |id: &u64| {
                range.contains(&((u128::from(*id) * u128::from(slices)) >> bits).try_into().unwrap())
            };
            let share = plain::count(ids.iter().copied().filter(|id| of_share(id)));
            assert_eq!((counts.repeats, counts.pairs), (share.repeats, share.pairs), "{bits} {range:?}");
            let mut seen = std::collections::HashSet::new();
            let first = ids.iter().position(|id| of_share(id) && !seen.insert(*id));
            assert_eq!(counts.first_clash, first.map(|draw| draw as u64 + 1), "{bits} {range:?}");
        }
        assert_eq!(sum, plain::count(ids), "{bits}");
    }
}

#[test]
fn witnesses_are_the_first_that_repeat_with_their_draws() {
    let n = 60_000u64;
    for (bits, values) in [(12, 1_000), (40, 20_000), (40, 59_990), (64, 59_990), (64, 20_000), (122, 30_000)]
    {
        let draws = made(bits, move |number| {
            let id = u128::from(mix(number % values)) << 64 | u128::from(mix(number % values + values));
            id >> (128 - bits)
        });
        let mut places: HashMap<u128, Vec<u64>> = HashMap::new();
        (0..).zip(ids(&draws, n)).for_each(|(number, id)| places.entry(id).or_default().push(number));
        let mut expected: Vec<Witness> = places
            .into_iter()
            .filter(|(_, draws)| draws.len() > 1)
            .map(|(id, mut draws)| {
                let times = draws.len() as u64;
                draws.truncate(NUMBERS);
                Witness { id, times, draws }
            })
            .collect();
        expected.sort_by_key(|witness| witness.draws[1]);
        expected.truncate(7);
        assert!(expected.len() == 7);
        let plan = Plan::of_slices(n, bits, 2, u64::MAX, 1).expect("a plan");
        let mut found = Vec::new();
        let counted = count(&draws, 0..1, &mut Memory::new(&plan), 7, &(), |share| {
            found.extend(share.witnesses.iter().cloned());
        });
        assert!(counted.is_ok_and(|counts| counts.is_some()));
        assert_eq!(found, expected, "{bits} {values}");
    }
}

/// Cancels after so many questions.
struct Impatient(AtomicU64, AtomicU64);

impl Progress for Impatient {
    fn advance(&self, done: u64) {
        self.1.fetch_add(done, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(1)))
            == Ok(0)
    }
}

#[test]
fn a_cancelled_count_gives_the_shares_that_were_finished() {
    let n = 1 << 17;
    let draws = Uniform::<u64>::new(Stream::new(Cipher::Aes, &Seed::from(5), 0), 34);
    let plan = least(n, 34, 2, 8);
    let (mut cut, mut whole) = (0, 0);
    for questions in (0..800).step_by(37) {
        let progress = Impatient(AtomicU64::new(questions), AtomicU64::new(0));
        let mut finished = Vec::new();
        let mut memory = Memory::new(&plan);
        let counts = count(&draws, 0..8, &mut memory, 0, &progress, |share| finished.push(share.clone()));
        for share in &finished {
            let again = count(&draws, share.slices.clone(), &mut memory, 0, &(), |_| ());
            assert_eq!(again, Ok(Some(share.counts)));
        }
        if counts == Ok(None) {
            cut += 1;
            assert!(finished.len() < plan.passes() as usize);
        } else {
            whole += 1;
            assert_eq!(progress.1.into_inner(), plan.steps(0..8));
        }
    }
    assert!(cut > 1 && whole > 0, "{cut} {whole}");
}

#[test]
fn memory_is_a_choice_down_to_one_slice() {
    for log2 in [24, 26, 28, 30, 34, 36] {
        let n = 1 << log2;
        let mut last = u64::MAX;
        for memory_bytes in [100 << 20, 200 << 20, 2 << 30, 16 << 30] {
            let plan = Plan::new(n, 64, 2, memory_bytes).expect("a slice fits");
            assert!(plan.memory_bytes() <= memory_bytes && plan.passes() <= last, "{plan:?}");
            last = plan.passes();
        }
    }
    let plan = Plan::new(1 << 34, 64, 2, 2 << 30).expect("a slice fits");
    assert!((30..=40).contains(&plan.passes()), "{plan:?}");
    assert!(Plan::new(1 << 41, 64, 2, 2 << 30).is_err());
    assert_eq!(
        [slices(0), slices(1), slices(1 << 24), slices((1 << 24) + 1), slices(1 << 34)],
        [1, 1, 1, 2, 1_024]
    );
}
