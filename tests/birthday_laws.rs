//! Laws of the birthday problem on random inputs: monotony, inverses, bounds, certainty.

use num_bigint::BigUint;
use proptest::prelude::*;
use std::cmp::Ordering;
use uuidcap::math::birthday;
use uuidcap::math::inverse::{self, Risk};
use uuidcap::math::logspace::{Chance, Wide};
use uuidcap::math::occupancy;

/// A number of up to `bits` bits, each length as likely.
fn whole(bits: u32) -> impl Strategy<Value = BigUint> {
    let words = prop::collection::vec(any::<u32>(), bits.div_ceil(32) as usize);
    (1..=bits, words).prop_map(|(length, words)| {
        let top = BigUint::from(1u32) << (length - 1);
        (BigUint::new(words) % &top) + &top
    })
}

/// Risks next to 0, between, and next to 1.
fn risk() -> impl Strategy<Value = Risk> {
    (whole(128), whole(128), any::<bool>()).prop_map(|(a, b, complement)| {
        let whole = &a + &b;
        Risk::new(if complement { a } else { b }, whole).expect("both parts are at least 1")
    })
}

/// A space of 2 ids or more with draws from it.
fn draws() -> impl Strategy<Value = (BigUint, BigUint)> {
    (whole(256), whole(256)).prop_map(|(a, b)| {
        let (ids, space) = if a < b { (a, b) } else { (b, a) };
        (ids + 2u32, space + 2u32)
    })
}

/// Σ_{i<n} ln(1 − i/N) in whole numbers: N^n and N(N−1)…(N−n+1).
fn by_counting(ids: u32, space: &BigUint) -> (BigUint, BigUint) {
    let none = (0..ids).fold(BigUint::from(1u32), |product, drawn| product * (space - drawn));
    (none, space.pow(ids))
}

/// p(ids, space) against a risk, by counting.
fn counted(ids: u32, space: &BigUint, risk: &Risk) -> Ordering {
    if BigUint::from(ids) > *space {
        return Ordering::Greater;
    }
    let (none, all) = by_counting(ids, space);
    ((&all - none) * risk.denominator()).cmp(&(risk.numerator() * all))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn odds_rise_with_ids_and_fall_with_space((ids, space) in draws(), more in whole(64)) {
        let chance = birthday::chance(&ids, &space);
        // Equal within rounding where the step is below the last digit.
        prop_assert!(not_above(chance, birthday::chance(&(&ids + &more), &space)));
        prop_assert!(not_above(birthday::chance(&ids, &(&space + &more)), chance));
    }

    #[test]
    fn odds_lie_within_every_bound((ids, space) in draws()) {
        let chance = birthday::chance(&ids, &space);
        let poisson = birthday::lower_poisson(&ids, &space);
        let bracket = birthday::bracket(&ids, &space);
        prop_assert!(poisson <= chance && bracket.lower <= chance && chance <= bracket.upper);
        prop_assert!(chance <= birthday::upper(&ids, &space) && chance <= birthday::upper_union(&ids, &space));
        prop_assert!(bracket.upper <= birthday::upper_union(&ids, &space));
    }

    #[test]
    fn one_id_more_than_the_space_is_certain(space in whole(4_096)) {
        prop_assert_eq!(birthday::chance(&(&space + 1u32), &space), Chance::Certain);
        prop_assert_ne!(birthday::chance(&space, &space), Chance::Certain);
    }

    #[test]
    fn floats_and_whole_numbers_agree(ids in 0u64..1 << 40, space in 1u64..1 << 53) {
        let chance = birthday::chance(&ids.into(), &space.into());
        let hazard = birthday::hazard(ids as f64, space as f64);
        prop_assert_eq!(chance, Chance::from_hazard(hazard));
        prop_assert_eq!(chance, birthday::chance_in(Wide::new(ids as f64), Wide::new(space as f64)));
    }

    #[test]
    fn nothing_is_not_a_number(ids in any::<f64>(), space in any::<f64>()) {
        prop_assert!(birthday::hazard(ids, space) >= 0.0);
        prop_assert!((0.0..=1.0).contains(&birthday::probability(ids, space)));
        prop_assert!(birthday::log10_probability(ids, space) <= 0.0);
    }

    #[test]
    fn least_and_most_ids_are_those_counted(space in whole(40), risk in risk()) {
        let (least, most) = (inverse::min_ids(&space, &risk), inverse::max_ids(&space, &risk));
        if let Ok(ids @ 0..3_000) = u32::try_from(&least) {
            prop_assert_ne!(counted(ids, &space, &risk), Ordering::Less);
            prop_assert_eq!(counted(ids - 1, &space, &risk), Ordering::Less);
            let met = counted(ids, &space, &risk) == Ordering::Equal;
            prop_assert_eq!(most, if met { least } else { least - 1u32 });
        }
    }

    #[test]
    fn least_ids_return_their_risk(space in whole(2_048), risk in risk()) {
        let ids = inverse::min_ids(&space, &risk);
        let wanted = risk.as_chance();
        prop_assert!(not_above(wanted, birthday::chance(&ids, &space)));
        prop_assert!(not_above(birthday::chance(&(ids - 1u32), &space), wanted));
    }

    #[test]
    fn a_risk_met_exactly_is_told_from_its_neighbours(space in whole(200), ids in 2u32..12) {
        prop_assume!(BigUint::from(ids) <= space);
        let (none, all) = by_counting(ids, &space);
        let fine = BigUint::from(1u32) << 3_000u32;
        let met = (&all - none) * &fine;
        let all = all * fine;
        let risk = |numerator: BigUint| Risk::new(numerator, all.clone()).expect("between 0 and 1");
        let ids = BigUint::from(ids);
        prop_assert_eq!(inverse::min_ids(&space, &risk(met.clone())), ids.clone());
        prop_assert_eq!(inverse::max_ids(&space, &risk(met.clone())), ids.clone());
        prop_assert_eq!(inverse::min_ids(&space, &risk(&met + 1u32)), &ids + 1u32);
        prop_assert_eq!(inverse::max_ids(&space, &risk(met - 1u32)), ids - 1u32);
    }

    /// Ids for a risk next to certainty, where the search began at the pole at N + 1.
    #[test]
    fn ids_for_a_near_certainty_lie_below_the_space(ids in 3u32..200, nines in 2u32..40) {
        let certain = BigUint::from(10u32).pow(nines);
        let risk = Risk::new(&certain - 1u32, certain).expect("below 1");
        let space = inverse::min_space(&ids.into(), &risk);
        let found = inverse::ids_for(space, risk.as_chance()).as_f64();
        prop_assert!(found <= space.as_f64() + 1.0);
        let room = space.as_f64() > 1.001 * f64::from(ids);
        prop_assert!(!room || (found / f64::from(ids) - 1.0).abs() < 1e-11, "{found} for {ids}");
    }

    #[test]
    fn bits_return_their_risk(ids in whole(120), risk in risk()) {
        let (ids, wanted) = (ids + 1u32, risk.as_chance());
        let space = inverse::min_space(&ids, &risk);
        // A space next to 1 has lost the digits of its logarithm, the bits have not.
        let apart = (inverse::min_bits(&ids, &risk) - space.log2()).abs();
        prop_assert!(apart <= 1e-13 * space.log2().max(1.0));
        let found = inverse::ids_for(space, wanted);
        // Next to n = N the hazard runs away from the last digit of N.
        let room = space.as_f64() > 1.001 * Wide::whole(&ids).as_f64();
        prop_assert!(!room || (found.over(Wide::whole(&ids)).as_f64() - 1.0).abs() < 1e-11);
    }

    #[test]
    fn lengths_are_the_least(alphabet in 2u64..100, ids in whole(100), risk in risk()) {
        let ids = ids + 1u32;
        let enough = |base: u64, length: u64| {
            let space = BigUint::from(base).pow(u32::try_from(length).expect("short"));
            inverse::max_ids(&space, &risk) >= ids
        };
        for (base, length) in
            [(alphabet, inverse::min_length(alphabet, &ids, &risk)), (2, inverse::min_bits_integer(&ids, &risk))]
        {
            prop_assert!(length > 0 && enough(base, length) && !enough(base, length - 1));
        }
    }

    #[test]
    fn repeats_are_fewer_than_pairs_and_more_than_odds((ids, space) in draws()) {
        let repeats = occupancy::expected_repeats(&ids, &space);
        let rounding = Wide::new(1.0 + 1e-14);
        prop_assert!(repeats <= occupancy::expected_pairs(&ids, &space).times(rounding));
        prop_assert!(birthday::chance(&ids, &space).probability() <= repeats.times(rounding));
    }
}

/// Whether one is at most the other, but for the rounding of −ln(1 − p), 1e-15 of itself on either side.
fn not_above(one: Chance, other: Chance) -> bool {
    match (one.hazard(), other.hazard()) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(one), Some(other)) => one <= other.times(Wide::new(1.0 + 2e-15)),
    }
}
