//! How many repeats come with which probability.

use super::super::Odds;
use super::super::answer::Tail;
use crate::math::logspace::{Chance, Wide};
use crate::math::{occupancy, poisson};
use num_bigint::BigUint;

/// Repeats of which the probability is told, so many or more.
const TAILS: [u32; 4] = [2, 3, 10, 100];
/// Ids whose repeats are counted value by value.
const COUNTED: u32 = 1_000;

/// Of ids out of a space: by counting where ids are few, else by Poisson's law.
pub(super) fn of_ids(ids: &BigUint, space: &BigUint, repeats: Wide) -> Vec<Tail> {
    let few = u32::try_from(ids).ok().filter(|ids| *ids <= COUNTED).zip(u32::try_from(space).ok());
    let Some((draws, values)) = few else {
        let all = Wide::whole(ids);
        return by_poisson(repeats, all, Wide::whole(space), all);
    };
    let tail = |repeats: u32| {
        let p = occupancy::repeats_at_least(draws, values, repeats).clamp(0.0, 1.0);
        Tail { repeats, odds: Odds(Some(Chance::from_probability(p))), method: "exact" }
    };
    TAILS.into_iter().filter(|repeats| *repeats < draws).map(tail).collect()
}

/// Repeats are Poisson to a relative k²/n + m/N where the n ids are many and N values far more than the m
/// ids that can meet; none where they are not.
pub(super) fn by_poisson(repeats: Wide, together: Wide, space: Wide, ids: Wide) -> Vec<Tail> {
    let mean = repeats.in_f64().filter(|mean| *mean > 0.0 && *mean < 1e6);
    let many = ids >= Wide::new(f64::from(COUNTED)) && together.over(space) < Wide::new(1e-6);
    let Some(mean) = mean.filter(|_| many) else { return Vec::new() };
    let tail = |repeats: u32| Tail {
        repeats,
        odds: Odds(Some(poisson::chance_at_least(mean, repeats.into()))),
        method: "Poisson",
    };
    TAILS.map(tail).to_vec()
}
