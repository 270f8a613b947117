//! Clashes of time-bucketed ids: only ids of one bucket of time can clash, within the random bits beside it.
//!
//! Buckets of width w and space N see λ = rw ids on average. With Poisson arrivals E[C(k, 2)] = λ²/2, so that
//! a life T expects (T/w) λ²/2N clashes. Arrivals whose variance is D times their mean give (λ² + λ(D − 1))/2;
//! those that come only in a share `duty` of the time give λ/duty in duty·T/w buckets; counters that K
//! nodes seed apart clash only across nodes, a share 1 − 1/K of all pairs.
//!
//! Error of P = 1 − e^−E: with Poisson arrivals every value of every bucket has a Poisson count of mean
//! x = λ/N of its own, so that −ln P(none) is exactly (T/w) N (x − ln(1 + x)), and E exceeds it by a relative
//! 2x/3 at most: 4e-20 of it for 1000 ids a bucket of 2^74. For other arrivals D fixes the expectation, which
//! is exact, and no more; P is then good while E stays small within one bucket. Where λ nears N, ask the
//! birthday form for one bucket instead.

use super::logspace::{Chance, Wide};
use super::trials::{across, pairs, pairs_across};

/// A time-bucketed scheme under a load. Rates and spans are finite and not negative; outside these ranges its
/// methods panic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Buckets {
    /// Width of a bucket, above 0.
    pub width_s: f64,
    /// Equally likely ids within one bucket, which may be an effective number.
    pub space: Wide,
    /// Variance over mean of the ids in a bucket, finite, from 0: 1 for Poisson arrivals, 0 where each holds
    /// the same number.
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
        // λ + D − 1 is below 0 for no arrivals there can be: a whole number of mean λ < 1 varies by λ(1 − λ)
        // at least.
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

    /// Expected clashes where an id is forgotten after `window_s`: below the width only the share
    /// 2W/w − (W/w)² of a bucket's pairs is alive together, wW − W²/2 in place of w²/2. Bursts behind D are
    /// taken as spread over the bucket.
    pub fn expected_clashes_within(&self, rate_per_s: f64, life_s: f64, window_s: f64) -> Wide {
        let share = (window_s / self.width_s).clamp(0.0, 1.0);
        self.expected_clashes(rate_per_s, life_s).times(Wide::new(share * (2.0 - share)))
    }

    /// At least one clash over a life: 1 − e^−E, with the error stated above.
    pub fn chance(&self, rate_per_s: f64, life_s: f64) -> Chance {
        Chance::Open(self.expected_clashes(rate_per_s, life_s))
    }

    /// Whether arrivals are Poisson and any two ids of a bucket can clash: then the chance has a closed form.
    pub fn is_poisson(&self) -> bool {
        self.dispersion == 1.0 && self.nodes.is_none()
    }

    /// At least one clash over a life of Poisson arrivals, exactly.
    ///
    /// Each of the N values of a bucket then comes by its own Poisson law of mean μ = λ/N, and none comes twice with
    /// chance ((1 + μ) e^−μ)^N, so that t = N (μ − ln(1 + μ)) a bucket. Relative error below 1e-14; the
    /// arrivals' `dispersion` and `nodes` do not enter.
    pub fn chance_of_poisson(&self, rate_per_s: f64, life_s: f64) -> Chance {
        Chance::Open(self.poisson_hazard_per_s(rate_per_s).times(Wide::new(life_s)))
    }

    /// −ln P(none) each second, for [`Buckets::chance_of_poisson`].
    fn poisson_hazard_per_s(&self, rate_per_s: f64) -> Wide {
        let mean = self.ids_per_bucket(rate_per_s).over(self.space);
        self.space.times(excess(mean)).times(self.buckets_per_s())
    }

    /// Expected clashes of batches of equal size, each within a bucket of its own: batches · C(batch, 2)/N,
    /// or only the pairs across where nodes with counters share each batch evenly.
    pub fn expected_in_batches(&self, batch: f64, batches: f64) -> Wide {
        let pairs = match self.nodes {
            Some(nodes) => pairs_across(nodes as f64, batch / nodes.max(1) as f64),
            None => pairs(batch),
        };
        pairs.times(Wide::new(batches)).over(self.space)
    }

    /// Ids made between two clashes, r over the hazard: 2N/λ for Poisson arrivals. None where there are no
    /// clashes.
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
        self.nodes.map_or(Wide::ONE, across)
    }
}

/// μ − ln(1 + μ), without cancellation: μ²/2 − μ³/3 + … for small μ.
fn excess(mean: Wide) -> Wide {
    match mean.in_f64() {
        // Twelve terms of the series: the first left out is below 2^-53 of the sum for μ ≤ 0.05.
        Some(mean) if mean <= 0.05 => {
            let mut sum = 0.0;
            for k in (2..=13).rev() {
                sum = 1.0 / f64::from(k) - mean * sum;
            }
            Wide::new(mean).times(Wide::new(mean)).times(Wide::new(sum))
        }
        Some(mean) => Wide::new(mean - mean.ln_1p()),
        None if mean < Wide::ONE => mean.times(mean).over(Wide::new(2.0)),
        // ln(1 + μ) is lost beside a μ beyond 10^308.
        None => mean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR: f64 = 31_557_600.0;

    fn v7() -> Buckets {
        Buckets::new(1e-3, Wide::exp2(74.0))
    }

    fn close(got: Wide, right: f64) {
        assert!((got.as_f64() / right - 1.0).abs() < 1e-12, "got {got:?}, right {right:e}");
    }

    #[test]
    fn a_billion_a_second_for_two_years_clash_with_81_percent() {
        close(v7().expected_clashes(1e9, 2.0 * YEAR), 1.670_645_433_517_02);
        assert!((v7().chance(1e9, 2.0 * YEAR).as_f64() - 0.811_874_396_124_934).abs() < 1e-14);
    }

    #[test]
    fn no_dispersion_is_the_same_number_in_each_bucket() {
        let even = Buckets { dispersion: 0.0, ..v7() };
        close(even.expected_clashes(1e6, 1.0), 1e3 * 1_000.0 * 999.0 / 2f64.powi(75));
        close(v7().expected_in_batches(1_000.0, 1e3), 1e3 * 1_000.0 * 999.0 / 2f64.powi(75));
        // Less than one a bucket, evenly: never two.
        assert!(even.hazard_per_s(500.0).is_zero());
        assert_eq!(even.ids_per_clash(500.0), None);
    }

    #[test]
    fn bursts_and_idle_time_raise_the_odds_and_counters_lower_them() {
        let base = v7().expected_clashes(1e3, YEAR).as_f64();
        close(Buckets { dispersion: 50.0, ..v7() }.expected_clashes(1e3, YEAR), 50.0 * base);
        close(Buckets { duty: 0.01, ..v7() }.expected_clashes(1e3, YEAR), 100.0 * base);
        close(Buckets { nodes: Some(100), ..v7() }.expected_clashes(1e3, YEAR), 0.99 * base);
        for nodes in [0, 1] {
            let apart = Buckets { nodes: Some(nodes), ..v7() };
            assert!(
                apart.expected_clashes(1e3, YEAR).is_zero() && apart.expected_in_batches(1e3, 1.0).is_zero()
            );
        }
    }

    #[test]
    fn a_window_below_the_width_counts_only_pairs_alive_together() {
        let second = Buckets::new(1.0, Wide::exp2(128.0));
        let whole = second.expected_clashes(1e6, YEAR);
        // 0.1 − 0.1²/2 of 1/2.
        close(second.expected_clashes_within(1e6, YEAR, 0.1), whole.as_f64() * 0.19);
        assert_eq!(second.expected_clashes_within(1e6, YEAR, 1.0), whole);
        assert_eq!(second.expected_clashes_within(1e6, YEAR, f64::INFINITY), whole);
        assert!(second.expected_clashes_within(1e6, YEAR, 0.0).is_zero());
    }

    #[test]
    fn inverses_return_their_input() {
        for dispersion in [0.0, 0.5, 1.0, 1.0 + 1e-9, 50.0, 1e9] {
            for rate in [2e3, 1e6, 1e12] {
                let buckets = Buckets { dispersion, duty: 0.25, nodes: Some(3), ..v7() };
                let risk = buckets.chance(rate, YEAR);
                close(buckets.time_to(risk, rate).expect("some time"), YEAR);
                close(buckets.rate_for(risk, YEAR).expect("some rate"), rate);
            }
        }
    }

    #[test]
    fn poisson_arrivals_have_a_closed_form() {
        // One value a bucket: no clash where nothing or one id arrives, (1 + λ) e^−λ.
        let one = Buckets::new(1.0, Wide::ONE);
        for rate in [1e-6, 0.01, 0.04, 0.06, 1.0, 100.0] {
            let right = rate - f64::ln_1p(rate);
            let got = one.chance_of_poisson(rate, 1.0).hazard().expect("open").as_f64();
            // The plain form loses μ/(μ²/2) of its digits, hence the sum for small μ.
            assert!((got / right - 1.0).abs() < 4.5e-16 * (2.0 / rate).max(1.0), "{rate}: {got} {right}");
        }
        // In a large space it is the expectation, less μ·2/3 of itself.
        let expected = v7().expected_clashes(1e9, YEAR);
        close(v7().chance_of_poisson(1e9, YEAR).hazard().expect("open"), expected.as_f64());
        assert!(v7().chance_of_poisson(1e9, YEAR) <= v7().chance(1e9, YEAR));
    }

    #[test]
    fn what_cannot_clash_reaches_no_risk() {
        let half = Chance::from_probability(0.5);
        assert_eq!(v7().time_to(half, 0.0), None);
        assert_eq!(v7().rate_for(half, 0.0), None);
        assert_eq!(Buckets { nodes: Some(1), ..v7() }.rate_for(half, YEAR), None);
        assert_eq!(v7().rate_for(Chance::Certain, YEAR), None);
    }

    #[test]
    fn the_exponent_is_as_near_as_stated_to_independent_buckets() {
        // Over Poisson counts k, the exact P(k ids of one bucket differ) = N!/((N − k)! N^k), in spaces so
        // small that it shows.
        for (mean, space) in [(1.0, 1e4), (10.0, 1e5), (0.1, 1e3)] {
            let (mut none, mut weight, mut differ) = (0.0, f64::exp(-mean), 1.0);
            for k in 0..200 {
                none += weight * differ;
                differ *= 1.0 - f64::from(k) / space;
                weight *= mean / f64::from(k + 1);
            }
            let stated = Buckets::new(1.0, Wide::new(space)).expected_clashes(mean, 1.0).as_f64();
            let (excess, bound) = (stated / -f64::ln(none) - 1.0, 2.0 * mean / (3.0 * space));
            // A sum near 1 leaves 2^-52 of it, which is up to 2e-11 of the least exponent, 5e-6.
            assert!(excess < bound + 1e-10 && excess > 0.99 * bound - 1e-10, "{mean} in {space}: {excess:e}");
        }
    }
}
