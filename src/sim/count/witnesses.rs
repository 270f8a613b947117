//! The ids that came more than once, with the numbers of the draws that gave them.

use crate::sim::draw::Id;
use crate::sim::tally::Witness;
use std::collections::HashMap;

/// Draws that are named of one value.
pub const MOST_DRAWS: usize = 8;

/// The values of one trial that came more than once, those first whose second draw came first; at most so many.
///
/// With a window an id meets only those of the last so many draws, and of a value the first that met are named.
pub fn of_trial<I: Id>(trial: u64, ids: &[I], most: u64, window: Option<u64>) -> Vec<Witness> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut last: HashMap<I, u64> = HashMap::with_capacity(ids.len());
    let mut found: Vec<Witness> = Vec::new();
    let mut place: HashMap<I, usize> = HashMap::new();
    for (draw, id) in (0..).zip(ids) {
        let Some(before) = last.insert(*id, draw) else { continue };
        if window.is_some_and(|live| draw - before > live) {
            continue;
        }
        match place.get(id) {
            Some(at) => {
                let draws = &mut found[*at].draws;
                if draws.len() < MOST_DRAWS && draws.last() == Some(&before) {
                    draws.push(draw);
                }
            }
            None if found.len() < most => {
                place.insert(*id, found.len());
                found.push(Witness { trial, draws: vec![before, draw], id: id.wide() });
            }
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_that_met_first_are_named_with_their_draws() {
        let ids = [7u32, 1, 4, 1, 7, 4, 1];
        let witness = |draws: &[u64], id| Witness { trial: 9, draws: draws.to_vec(), id };
        let all = [witness(&[1, 3, 6], 1), witness(&[0, 4], 7), witness(&[2, 5], 4)];
        assert_eq!(of_trial(9, &ids, 10, None), all);
        assert_eq!(of_trial(9, &ids, 2, None), all[..2]);
        assert_eq!(of_trial(9, &[0u64; 100], 1, None)[0].draws, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(of_trial(9, &[1u64, 2], 5, None).is_empty() && of_trial(9, &ids, 0, None).is_empty());
    }
    #[test]
    fn ids_that_were_never_live_together_are_not_named() {
        let ids = [7u32, 1, 4, 1, 7, 4, 1];
        let witness = |draws: &[u64], id| Witness { trial: 0, draws: draws.to_vec(), id };
        assert_eq!(of_trial(0, &ids, 10, Some(2)), [witness(&[1, 3], 1)]);
        assert_eq!(of_trial(0, &ids, 10, Some(3)), [witness(&[1, 3, 6], 1), witness(&[2, 5], 4)]);
        assert!(of_trial(0, &ids, 10, Some(1)).is_empty());
    }
}
