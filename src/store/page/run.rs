//! Inserts taken together: as long as no leaf that they can reach fills up, what a run of inserts does
//! to the leaves is a matter of counting.
//!
//! Keys of one bucket reach the leaves that hold the bucket's keys, often the rightmost alone. There,
//! all that a rule can ask about later is how many entries came and where the last of them went.

use super::stream::{RightEnd, Stream};
use super::{Leaves, Rule};

/// Leaves that a run is looked for in: where more are in disorder one of them is nearly always full.
const MOST_LEAVES: usize = 6;
/// Inserts from which on a run over several leaves is worth looking for.
const WORTH: u32 = 4;

/// Inserts the next keys of a stream by a rule.
pub(super) fn insert(rule: Rule, leaves: &mut Leaves, stream: &mut Stream, mut keys: u64) {
    while keys > 0 {
        if let Some(end) = stream.right_end() {
            let run = insert_run(rule, leaves, end, keys);
            if run > 0 {
                keys -= run;
                continue;
            }
        } else {
            return insert_each(rule, leaves, stream, keys);
        }
        insert_each(rule, leaves, stream, 1);
        keys -= 1;
    }
}

fn insert_each(rule: Rule, leaves: &mut Leaves, stream: &mut Stream, keys: u64) {
    for _ in 0..keys {
        let (leaf, position) = stream.next(leaves);
        rule.insert(leaves, leaf, position);
    }
}

/// Inserts at most so many keys that fill no leaf, and says how many; 0 where the next may.
fn insert_run(rule: Rule, leaves: &mut Leaves, mut end: RightEnd, most: u64) -> u64 {
    let last = leaves.counts.len() - 1;
    let room = rule.room(leaves, last);
    let run = most.min(u64::from(room));
    if run == 0 {
        return 0;
    }
    // The gap before a leaf's first entry belongs to the leaf on the left. The next bucket, too, begins
    // on the rightmost leaf.
    if last == 0 || end.in_disorder() < u64::from(leaves.counts[last]) {
        let greater = end.take_over(run);
        leaves.counts[last] += run as u32;
        leaves.last_insert[last] = leaves.counts[last] - 1 - greater as u32;
        settle_run(leaves, last, run);
        return run;
    }
    let Some((first, room)) = reach(rule, leaves, end.in_disorder(), room) else { return 0 };
    let run = run.min(u64::from(room)).min(end.left());
    for _ in 0..run {
        place_next(leaves, &mut end);
    }
    settle_run(leaves, first, run);
    run
}

/// The first leaf that a key can go to and the least room of all that it can; `None` where these are
/// many or nearly full.
fn reach(rule: Rule, leaves: &Leaves, in_disorder: u64, room: u32) -> Option<(usize, u32)> {
    let (mut first, mut room) = (leaves.counts.len() - 1, room);
    let mut entries = u64::from(leaves.counts[first]);
    while first > 0 && entries <= in_disorder {
        first -= 1;
        entries += u64::from(leaves.counts[first]);
        room = room.min(rule.room(leaves, first));
        if room < WORTH || leaves.counts.len() - first > MOST_LEAVES {
            return None;
        }
    }
    Some((first, room))
}

fn place_next(leaves: &mut Leaves, end: &mut RightEnd) {
    let mut greater = end.take(1);
    for (count, last_insert) in leaves.counts.iter_mut().zip(&mut leaves.last_insert).rev() {
        let here = u64::from(*count);
        if greater < here {
            *last_insert = (here - greater) as u32;
            *count += 1;
            return;
        }
        greater -= here;
    }
    // Before every entry there is.
    leaves.counts[0] += 1;
    leaves.last_insert[0] = 0;
}

/// What the rules keep beside, from the first leaf that was written.
fn settle_run(leaves: &mut Leaves, first: usize, inserts: u64) {
    let Leaves { counts, heap, tally, .. } = leaves;
    for (heap, &count) in heap.iter_mut().zip(counts.iter()).skip(first) {
        *heap = (*heap).max(count);
    }
    tally.inserts += inserts;
    tally.leaf_writes += inserts;
}
