//! A copy of the ids, sorted: equal ids lie side by side. What most people do who need repeats and nothing else.

use super::Counts;
use super::arena::List;
use crate::sim::draw::Id;

/// Room for the copy.
#[derive(Debug, Default)]
pub struct Sorted {
    copy: List,
}

impl Sorted {
    /// Bytes that it takes at most for ids of so many bytes, repeated values and their marks included.
    pub fn memory_bytes(draws: u64, id_bytes: u64) -> u64 {
        (4 + id_bytes) * draws + (1 + id_bytes) * draws.div_ceil(2)
    }

    /// Counts ids in the order in which they were drawn.
    pub fn count<I: Id>(&mut self, ids: &[I]) -> Counts {
        let (copy, _) = self.copy.parts_mut::<I>(ids.len());
        copy.copy_from_slice(ids);
        copy.sort_unstable();
        let mut counts = Counts::default();
        let mut repeated = Vec::new();
        for equal in copy.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1) {
            let times = equal.len() as u128;
            counts.repeats += equal.len() as u64 - 1;
            counts.pairs += times * (times - 1) / 2;
            repeated.push(equal[0]);
        }
        counts.first_clash = first_clash(ids, &repeated);
        counts
    }
}

/// Ids up to the first that comes again, of the values that do, in ascending order.
fn first_clash<I: Id>(ids: &[I], repeated: &[I]) -> Option<u64> {
    if repeated.is_empty() {
        return None;
    }
    let mut seen = vec![false; repeated.len()];
    let again = ids.iter().position(|id| {
        repeated.binary_search(id).is_ok_and(|value| std::mem::replace(&mut seen[value], true))
    });
    again.map(|before| before as u64 + 1)
}
