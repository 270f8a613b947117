//! Independent trials: the chance that at least one of many happens, and how many reach a risk.
//!
//! 1 − (1 − p)^m through −ln(1 − p), which [`Chance`] keeps: hazards of independent trials add up. m is real,
//! since a count of pairs or of days need not be whole. Relative error 2^-51.

use super::logspace::{Chance, Wide};

/// The pairs among `count` things, n(n − 1)/2; 0 below 2.
///
/// # Panics
/// Where the count is infinite or not a number.
pub fn pairs(count: f64) -> Wide {
    Wide::new(count.max(0.0)).times(Wide::new((count - 1.0).max(0.0))).over(Wide::new(2.0))
}

/// The pairs of two things of different groups, among groups of `each`: C(g, 2) · each².
///
/// # Panics
/// Where a count is negative, infinite or not a number.
pub fn pairs_across(groups: f64, each: f64) -> Wide {
    pairs(groups).times(Wide::new(each)).times(Wide::new(each))
}

/// The share of all pairs that are of two groups, where groups are equal and many: 1 − 1/g; 0 for one.
pub fn across(groups: u64) -> Wide {
    Wide::new(groups.saturating_sub(1) as f64 / groups.max(1) as f64)
}

/// At least one of `trials` independent trials, each of chance `each`: 1 − (1 − p)^m.
pub fn any_of(trials: Wide, each: Chance) -> Chance {
    match each {
        Chance::Open(hazard) => Chance::Open(hazard.times(trials)),
        Chance::Certain if trials.is_zero() => Chance::NEVER,
        Chance::Certain => Chance::Certain,
    }
}

/// The trials of chance `each` that together reach `risk`, ln(1 − risk)/ln(1 − p); none where no number does.
pub fn trials_for(risk: Chance, each: Chance) -> Option<Wide> {
    match (risk, each) {
        (Chance::Open(total), Chance::Open(hazard)) if !hazard.is_zero() => Some(total.over(hazard)),
        (Chance::Open(total), Chance::Certain) if total.is_zero() => Some(Wide::ZERO),
        (_, Chance::Certain) => Some(Wide::ONE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_of_2_to_minus_56_survives() {
        // 1 − (1 − 2^-56)^m in plain doubles is 0.
        let each = Chance::from_probability(2f64.powi(-56));
        let pairs = trials_for(Chance::from_probability(0.837_81), each).expect("each is positive");
        assert!((pairs.as_f64() / 1.310_718_117_810_02e17 - 1.0).abs() < 1e-14);
        assert!((any_of(pairs, each).as_f64() - 0.837_81).abs() < 1e-15);
    }

    #[test]
    fn no_number_of_trials_makes_the_impossible_or_certainty() {
        let half = Chance::from_probability(0.5);
        assert_eq!(trials_for(half, Chance::NEVER), None);
        assert_eq!(trials_for(Chance::Certain, half), None);
        assert_eq!(trials_for(half, Chance::Certain), Some(Wide::ONE));
        assert_eq!(trials_for(Chance::NEVER, Chance::Certain), Some(Wide::ZERO));
        assert_eq!(any_of(Wide::ZERO, Chance::Certain), Chance::NEVER);
    }

    #[test]
    fn fewer_than_two_make_no_pair() {
        assert!(pairs(0.0).is_zero() && pairs(1.0).is_zero() && pairs(0.5).is_zero());
        assert_eq!(pairs(1_000.0), Wide::new(499_500.0));
        assert_eq!(pairs_across(4.0, 250.0), Wide::new(499_500.0 - 4.0 * 31_125.0));
    }
}
