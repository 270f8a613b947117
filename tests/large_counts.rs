//! Large counts from outside: slices of a trial, little memory, threads and witnesses, against a plain `HashSet`.

use uuidcap::id::generator::{Cipher, Seed, Stream};
use uuidcap::sim::count::partition::{Memory, Plan, Share, count, slices};
use uuidcap::sim::count::{Counts, plain};
use uuidcap::sim::draw::{Draws, Uniform};

fn uniform(bits: u32) -> Uniform<u64> {
    Uniform::new(Stream::new(Cipher::Aes, &Seed::from(2_024), 0), bits)
}

fn counted(
    draws: &impl Draws,
    plan: &Plan,
    range: std::ops::Range<u64>,
    witnesses: usize,
) -> (Counts, Vec<Share>) {
    let mut shares = Vec::new();
    let counts =
        count(draws, range, &mut Memory::new(plan), witnesses, &(), |share| shares.push(share.clone()));
    (counts.expect("uniform").expect("not cancelled"), shares)
}

#[test]
fn a_million_draws_as_the_hash_set_counts_them() {
    let n = 1 << 20;
    let mut ids = vec![0; n as usize];
    for bits in [16, 21, 32, 40, 64] {
        let draws = uniform(bits);
        draws.fill(0, &mut ids);
        let expected = plain::count(ids.iter().copied());
        for threads in [1, 2, 3] {
            let plan = Plan::new(n, bits, threads, 1 << 30).expect("enough memory");
            assert_eq!(counted(&draws, &plan, 0..1, 0).0, expected, "{bits} bits, {threads} threads");
        }
    }
}

#[test]
fn two_slices_in_one_pass_in_two_and_alone() {
    let n = (1 << 24) + 5;
    assert_eq!(slices(n), 2);
    // 2^47 / 2^40: some 128 repeats.
    let draws = uniform(40);
    let roomy = Plan::new(n, 40, 2, 1 << 30).expect("enough memory");
    let tight = Plan::new(n, 40, 1, roomy.memory_bytes() * 2 / 3).expect("enough for a slice");
    assert_eq!((roomy.passes(), tight.passes()), (1, 2));
    let (at_once, _) = counted(&draws, &roomy, 0..2, 0);
    let (by_turns, shares) = counted(&draws, &tight, 0..2, 3);
    assert_eq!(at_once, by_turns);
    assert_eq!(shares.len(), 2);
    let alone = counted(&draws, &roomy, 1..2, 0).0;
    assert_eq!(alone, shares[1].counts);
    // 70 to 190: five standard deviations of a Poisson law around 128, less than one false alarm in a million.
    assert!((70..190).contains(&at_once.repeats), "{at_once:?}");
    let witnesses: Vec<_> = shares.iter().flat_map(|share| &share.witnesses).collect();
    assert_eq!(witnesses.len(), 6);
    for witness in &witnesses {
        for number in &witness.draws {
            let mut id = [0];
            draws.fill(*number, &mut id);
            assert_eq!(u128::from(id[0]), witness.id);
        }
    }
    let first = witnesses.iter().map(|witness| witness.draws[1] + 1).min();
    assert_eq!(first, at_once.first_clash);
}

#[test]
fn too_little_memory_says_how_much_is_needed() {
    let error = Plan::new(1 << 28, 64, 2, 1 << 20).expect_err("a megabyte").to_string();
    assert!(error.contains("bytes of memory at least, got 1048576"), "{error}");
}
