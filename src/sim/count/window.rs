//! Repeats among live ids: each id is kept until so many more have been drawn, then it is forgotten.

use super::Counts;
use crate::sim::draw::Id;

/// Counts ids of which each is live for the `window` draws after its own: a pair counts where both were ever live at once,
/// a repeat is an id that an equal live one awaits. `order` is memory that is used again.
///
/// Sorts by id and draw, n log n; 32 bytes an id.
pub fn count<I: Id>(ids: &[I], window: u64, order: &mut Vec<(I, u64)>) -> Counts {
    order.clear();
    order.extend(ids.iter().copied().zip(0..));
    order.sort_unstable();
    let mut counts = Counts::default();
    for equal in order.chunk_by(|one, next| one.0 == next.0) {
        let mut oldest = 0;
        for (at, (_, draw)) in equal.iter().enumerate() {
            while draw - equal[oldest].1 > window {
                oldest += 1;
            }
            let live = at - oldest;
            if live > 0 {
                counts.repeats += 1;
                counts.pairs += live as u128;
                counts.first_clash = Some(counts.first_clash.map_or(draw + 1, |first| first.min(draw + 1)));
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;
    use crate::id::generator::{Cipher, Seed, Stream};
    use crate::sim::draw::words;

    /// Every pair looked at.
    fn by_pairs(ids: &[u32], window: usize) -> Counts {
        let mut counts = Counts::default();
        for (at, id) in ids.iter().enumerate() {
            let live = ids[at.saturating_sub(window)..at].iter().filter(|other| *other == id).count();
            counts.pairs += live as u128;
            counts.repeats += u64::from(live > 0);
            if live > 0 {
                counts.first_clash.get_or_insert(at as u64 + 1);
            }
        }
        counts
    }

    #[test]
    fn only_live_ids_are_met() {
        let mut ids = vec![0u32; 300];
        words(&Stream::new(Cipher::Aes, &Seed::from(3), 0), 0, &mut ids);
        ids.iter_mut().for_each(|id| *id %= 50);
        let mut order = Vec::new();
        for window in [0, 1, 2, 7, 60, 298, 299, 300, 1_000] {
            assert_eq!(count(&ids, window as u64, &mut order), by_pairs(&ids, window), "{window}");
        }
        assert_eq!(count(&ids, u64::MAX, &mut order), plain::count(ids.iter().copied()));
    }
}
