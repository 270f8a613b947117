//! What mathematics expects of a trial: the probability of a clash and the colliding pairs, each with its error.

mod flat;
mod nodes;
mod runs;
mod spread;
mod ticks;

pub(super) use flat::{flat, letters, letters_bits, uniform};
pub(super) use nodes::nodes;
pub(super) use ticks::ticks;

use crate::math::birthday;
use crate::math::logspace::{Chance, Wide};
use crate::math::{occupancy, unequal};

/// The expectation of one trial.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected {
    /// At least one clash.
    pub probability: f64,
    /// Its decimal logarithm; none where it is 0.
    pub log10_probability: Option<f64>,
    /// By which share of itself the probability is off at most; 0 where it is exact but for rounding.
    pub probability_error: f64,
    /// Colliding pairs.
    pub pairs: f64,
    /// By which share of themselves the pairs are off at most; 0 where they are exact but for rounding.
    pub pairs_error: f64,
    /// Ids that had come before, where that is known exactly.
    pub repeats: Option<f64>,
    /// Cells of which the draws are exactly so many independent uniform ones, in no order: then the laws of repeats and
    /// of the first clash hold.
    pub cells: Option<f64>,
    /// Whether pairs come so singly that their number over all trials is nearly a Poisson count.
    pub singly: bool,
    /// How the probability was found.
    pub method: String,
}

/// What is exact but for rounding.
const EXACT: f64 = 0.0;
/// So many values can be gone through one by one.
const FEW: f64 = 4_096.0;

impl Expected {
    fn new(chance: Chance, pairs: f64, method: impl Into<String>) -> Expected {
        Expected {
            probability: chance.as_f64(),
            log10_probability: chance.log10(),
            probability_error: EXACT,
            pairs,
            pairs_error: EXACT,
            repeats: None,
            cells: None,
            singly: false,
            method: method.into(),
        }
    }

    /// From t = −ln P(no clash) whose relative error is at most `error`: that of 1 − e^−t is no larger, and falls with e^−t.
    fn by_hazard(hazard: f64, error: f64, pairs: f64, what: &str) -> Expected {
        let error = error.min(1.0);
        let fallen = error * hazard * (-hazard * (1.0 - error)).exp() / -(-hazard).exp_m1();
        let error = if hazard > 0.0 && hazard.is_finite() { fallen.min(error) } else { 0.0 };
        // Below the rounding of f64.
        let error = if error < 5e-16 { EXACT } else { error };
        let method = match error {
            EXACT => format!("exact: {what}"),
            error if error > 0.5 => format!("1 - exp(-t), t {what}, known to its order of magnitude alone"),
            error => format!("1 - exp(-t), t {what}, relative error below {error:.1e}"),
        };
        Expected { probability_error: error, ..Expected::new(Chance::from_hazard(hazard), pairs, method) }
    }

    /// So many uniform draws of cells: the birthday.
    fn birthday(draws: u64, cells: Wide) -> Expected {
        let ids = Wide::new(draws as f64);
        let pairs = occupancy::expected_pairs_in(ids, cells).as_f64();
        Expected {
            repeats: Some(occupancy::expected_repeats_in(ids, cells).as_f64()),
            cells: Some(cells.as_f64()),
            singly: true,
            ..Expected::new(birthday::chance_in(ids, cells), pairs, "exact: birthday")
        }
    }

    /// The birthday of values that are not equally likely: so many of each probability.
    ///
    /// Exact where there are few. Else t of the effective number 1/Σp², of which the third moment takes up to a third of
    /// n Σp² (Σp³/(Σp²)² − 1).
    pub(super) fn unequal(draws: u64, groups: &[(f64, f64)], what: &str) -> Expected {
        let moment = |power| groups.iter().map(|(values, p)| values * f64::powi(*p, power)).sum::<f64>();
        let (all, squares, cubes) = (moment(0), moment(2), moment(3));
        let ids = Wide::new(draws as f64);
        let cells = Wide::ONE.over(Wide::new(squares));
        let pairs = occupancy::expected_pairs_in(ids, cells).as_f64();
        if all <= FEW {
            let weights = groups.iter().flat_map(|(values, p)| std::iter::repeat_n(*p, *values as usize));
            let chance = unequal::clash(&weights.collect::<Vec<f64>>(), draws as usize);
            return Expected::new(chance, pairs, "exact: every value by its probability");
        }
        // t = n²s₂/2 + n³(3s₂² − 2s₃)/6 + …, of which the birthday of 1/s₂ takes s₃ for s₂².
        let error = draws as f64 * squares * (cubes / squares / squares - 1.0).max(0.0);
        let hazard = birthday::chance_in(ids, cells).hazard().map_or(f64::INFINITY, Wide::as_f64);
        Expected::by_hazard(hazard, error, pairs, what)
    }
}

/// n(n − 1)/2.
fn choose_2(count: f64) -> f64 {
    count * (count - 1.0).max(0.0) / 2.0
}
