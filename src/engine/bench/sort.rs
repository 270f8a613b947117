//! Numbers sorted in place and on all threads, in pieces so short that a run can be stopped between them.

use rayon::prelude::*;

/// Numbers that one piece has at most: some hundredths of a second.
const PIECE: usize = 1 << 19;
/// Buckets that a longer stretch is parted into, by its highest bits that differ.
const BUCKETS: usize = 256;
/// Numbers that are looked at or moved between two questions whether to stop.
const MOVES: usize = 1 << 20;

/// Sorts; false where it was asked to stop, and then the order is any.
pub(super) fn sort(numbers: &mut [u128], stop: &(dyn Fn() -> bool + Sync)) -> bool {
    if stop() {
        return false;
    }
    if numbers.len() <= PIECE {
        numbers.sort_unstable();
        return true;
    }
    let Some(shift) = shift(numbers) else { return true };
    let bucket = |number: u128| usize::from((number >> shift) as u8);
    let Some(ends) = part(numbers, bucket, stop) else { return false };
    let mut rest = numbers;
    let mut from = 0;
    let mut buckets = Vec::with_capacity(BUCKETS);
    for end in ends {
        let (own, later) = rest.split_at_mut(end - from);
        buckets.push(own);
        (rest, from) = (later, end);
    }
    // The longest last would leave the other threads without work.
    buckets.sort_unstable_by_key(|bucket| std::cmp::Reverse(bucket.len()));
    buckets.into_par_iter().with_max_len(1).all(|bucket| sort(bucket, stop))
}

/// How far the highest eight bits that not all numbers share lie from the lowest; none where all are equal.
fn shift(numbers: &[u128]) -> Option<u32> {
    let first = numbers[0];
    let differing =
        numbers.par_chunks(MOVES).map(|some| some.iter().fold(0, |all, number| all | (number ^ first)));
    let differing = differing.reduce(|| 0, |a, b| a | b);
    (differing != 0).then(|| (u128::BITS - differing.leading_zeros()).saturating_sub(BUCKETS.ilog2()))
}

/// Moves each number into its bucket (McIlroy, Bostic and McIlroy, Engineering Radix Sort, 1993: American flag) and
/// returns where each ends; none where it was asked to stop.
fn part(
    numbers: &mut [u128],
    bucket: impl Fn(u128) -> usize + Sync,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<[usize; BUCKETS]> {
    let counts = numbers.par_chunks(MOVES).map(|some| {
        let mut counts = [0usize; BUCKETS];
        some.iter().for_each(|number| counts[bucket(*number)] += 1);
        counts
    });
    let sum = |a: [usize; BUCKETS], b: [usize; BUCKETS]| std::array::from_fn(|place| a[place] + b[place]);
    let counts = counts.reduce(|| [0; BUCKETS], sum);
    let (mut ends, mut next, mut end) = ([0; BUCKETS], [0; BUCKETS], 0);
    for place in 0..BUCKETS {
        next[place] = end;
        end += counts[place];
        ends[place] = end;
    }
    let mut moves = 0;
    for place in 0..BUCKETS {
        while next[place] < ends[place] {
            let belongs = bucket(numbers[next[place]]);
            if belongs != place {
                numbers.swap(next[place], next[belongs]);
            }
            next[belongs] += 1;
            moves += 1;
            if moves % MOVES == 0 && stop() {
                return None;
            }
        }
    }
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Numbers without order (SplitMix64).
    fn mixed(length: usize) -> Vec<u128> {
        let mix = |place: u64| {
            let z = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
        };
        (0..length as u64).map(|place| u128::from(mix(place)) << 64 | u128::from(mix(!place))).collect()
    }

    #[test]
    fn numbers_come_out_as_the_standard_library_sorts_them() {
        let length = 3 * PIECE + 5;
        let mixed = mixed(length);
        let narrow = |number: &u128| number & 0x7;
        let crowded =
            |number: &u128| if number.is_multiple_of(1_000) { *number } else { 1 << 90 | number >> 70 };
        for numbers in [
            mixed.clone(),
            mixed.iter().map(narrow).collect(),
            mixed.iter().map(crowded).collect(),
            vec![7; length],
            (0..length as u128).rev().collect(),
            Vec::new(),
        ] {
            let (mut sorted, mut expected) = (numbers.clone(), numbers);
            expected.sort_unstable();
            assert!(sort(&mut sorted, &|| false));
            assert!(sorted == expected);
        }
    }

    #[test]
    fn it_stops_between_two_pieces() {
        let mut numbers = mixed(8 * PIECE);
        for after in [0, 1, 3, 5] {
            let asked = AtomicUsize::new(0);
            assert!(!sort(&mut numbers, &|| asked.fetch_add(1, Ordering::Relaxed) >= after), "{after}");
            // Whoever was at work asks once more.
            assert!(asked.load(Ordering::Relaxed) <= after + 1 + rayon::current_num_threads(), "{after}");
        }
    }

    #[test]
    fn it_stops_while_it_moves_numbers_into_buckets() {
        let mut numbers = mixed(2 * MOVES);
        let bucket = |number: u128| usize::from((number >> 120) as u8);
        assert!(part(&mut numbers, bucket, &|| true).is_none());
        assert!(part(&mut numbers, bucket, &|| false).is_some_and(|ends| ends[BUCKETS - 1] == 2 * MOVES));
    }
}
