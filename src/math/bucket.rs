//! Clashes of time-bucketed ids: only ids of one bucket of time can clash, within the random bits beside it.
//!
//! Buckets of width w and space N see λ = rw ids on average. With Poisson arrivals E[C(k, 2)] = λ²/2, so that a life T
//! expects (T/w) λ²/2N clashes. Arrivals whose variance is D times their mean give (λ² + λ(D − 1))/2; those that come
//! only in a share `duty` of the time give λ/duty in duty·T/w buckets; counters that K nodes seed apart clash only
//! across nodes, a share 1 − 1/K of all pairs.
//!
//! Error of P = 1 − e^−E against independent buckets: a bucket of k ids has −ln P(none) above C(k, 2)/N by a relative k/3N at
//! most, and averaging over k (Jensen) takes a relative Var C(k, 2)/(2N² E) off it, for Poisson arrivals (λ + ½)/N. So the
//! exponent is right to a relative (λ + ½)/N: 6e-20 of it for 1000 ids a bucket of 2^74. Where λ nears N, ask the birthday form for
//! one bucket instead.

use super::logspace::{Chance, Wide};
use super::trials::pairs;

/// A time-bucketed scheme under a load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Buckets {
    /// Width of a bucket, above 0.
    pub width_s: f64,
    /// Equally likely ids within one bucket, which may be an effective number.
    pub space: Wide,
    /// Variance of the ids in a bucket over their mean: 1 for Poisson arrivals, 0 where each holds the same number.
    pub dispersion: f64,
    /// Share of the buckets in which anything arrives, above 0, at most 1.
    pub duty: f64,
    /// Nodes of equal load whose own ids are kept apart by a counter; none where any two ids can clash.
    pub nodes: Option<u64>,
}

impl Buckets {
    /// Poisson arrivals all the time, any two ids of a bucket comparable.
    ///
    /// # Panics
    /// Where the width is not a finite positive number or the space is 0.
    pub fn new(width_s: f64, space: Wide) -> Buckets {
        assert!(width_s.is_finite() && width_s > 0.0, "{width_s} is no width of a bucket");
        assert!(!space.is_zero(), "a space without ids");
        Buckets { width_s, space, dispersion: 1.0, duty: 1.0, nodes: None }
    }

    /// Ids in a bucket that has any load, λ = rw/duty.
    pub fn ids_per_bucket(&self, rate_per_s: f64) -> Wide {
        Wide::new(rate_per_s).times(Wide::new(self.width_s)).over(Wide::new(self.duty))
    }

    /// Clashes a second at a rate: duty/w · (λ² + λ(D − 1))/2N · (1 − 1/K).
    pub fn hazard_per_s(&self, rate_per_s: f64) -> Wide {
        let ids = self.ids_per_bucket(rate_per_s);
        // λ + D − 1 is below 0 for no arrivals there can be: a whole number of mean λ < 1 varies by λ(1 − λ) at least.
        let partners = if self.dispersion >= 1.0 {
            ids.plus(Wide::new(self.dispersion - 1.0))
        } else {
            ids.in_f64().map_or(ids, |ids| Wide::new((ids + (self.dispersion - 1.0)).max(0.0)))
        };
        ids.times(partners)
            .times(self.buckets_per_s())
            .times(self.across())
            .over(self.space.times(Wide::new(2.0)))
    }

    /// Expected clashes over a life.
    pub fn expected_clashes(&self, rate_per_s: f64, life_s: f64) -> Wide {
        self.hazard_per_s(rate_per_s).times(Wide::new(life_s))
    }

    /// Expected clashes where an id is forgotten after `window_s`: below the width only the share 2W/w − (W/w)² of a
    /// bucket's pairs is alive together, wW − W²/2 in place of w²/2. Bursts behind D are taken as spread over the bucket.
    pub fn expected_clashes_within(&self, rate_per_s: f64, life_s: f64, window_s: f64) -> Wide {
        let share = (window_s / self.width_s).clamp(0.0, 1.0);
        self.expected_clashes(rate_per_s, life_s).times(Wide::new(share * (2.0 - share)))
    }

    /// At least one clash over a life: 1 − e^−E, with the error stated above.
    pub fn chance(&self, rate_per_s: f64, life_s: f64) -> Chance {
        Chance::Open(self.expected_clashes(rate_per_s, life_s))
    }

    /// Expected clashes of batches of equal size, each within a bucket of its own: batches · C(batch, 2)/N.
    pub fn expected_in_batches(&self, batch: f64, batches: f64) -> Wide {
        pairs(batch).times(Wide::new(batches)).times(self.across()).over(self.space)
    }

    /// Ids made between two clashes, r over the hazard: 2N/λ for Poisson arrivals. None where there are no clashes.
    pub fn ids_per_clash(&self, rate_per_s: f64) -> Option<Wide> {
        let hazard = self.hazard_per_s(rate_per_s);
        (!hazard.is_zero()).then(|| Wide::new(rate_per_s).over(hazard))
    }

    /// Seconds until the risk is reached at a rate; none where it never is.
    pub fn time_to(&self, risk: Chance, rate_per_s: f64) -> Option<Wide> {
        let hazard = self.hazard_per_s(rate_per_s);
        if hazard.is_zero() {
            return None;
        }
        Some(risk.hazard()?.over(hazard))
    }

    /// The rate at which the risk is reached at the end of a life; none where no rate does.
    ///
    /// The positive root of λ² + λ(D − 1) = 2tN/(duty·T/w · (1 − 1/K)), in the form that does not cancel.
    pub fn rate_for(&self, risk: Chance, life_s: f64) -> Option<Wide> {
        let cells = self.buckets_per_s().times(Wide::new(life_s)).times(self.across());
        if cells.is_zero() {
            return None;
        }
        let target = risk.hazard()?.times(self.space).times(Wide::new(2.0)).over(cells);
        let excess = self.dispersion - 1.0;
        let two = Wide::new(2.0);
        let linear = Wide::new(excess.abs());
        let root = linear.times(linear).plus(target.times(Wide::new(4.0))).sqrt();
        let ids = if excess > 0.0 {
            target.times(two).over(linear.plus(root))
        } else {
            linear.plus(root).over(two)
        };
        Some(ids.times(Wide::new(self.duty)).over(Wide::new(self.width_s)))
    }

    /// Buckets a second that have any load.
    fn buckets_per_s(&self) -> Wide {
        Wide::new(self.duty).over(Wide::new(self.width_s))
    }

    /// The share of pairs that are of two nodes: 1 − 1/K with counters, else all.
    fn across(&self) -> Wide {
        self.nodes
            .map_or(Wide::ONE, |nodes| Wide::new((nodes.saturating_sub(1)) as f64 / nodes.max(1) as f64))
    }
}
