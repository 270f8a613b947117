//! A load that grows by a fixed share every year, looked at once a year.

use super::answer::{Case, GrowthPoint, too_large};
use super::{Capacity, Engine, Growth, load};
use crate::error::Result;
use crate::store::Model;
use crate::units::{Exact, Rate, SECONDS_PER_YEAR};

impl Engine<'_> {
    /// The store at the start of each year up to the horizon, and at the horizon itself; and what it
    /// costs in all.
    ///
    /// Between two points the cost is taken to grow geometrically, so the cost of a year is 12 × the
    /// logarithmic mean (b − a) / ln(b / a) of the monthly costs at its ends.
    pub(super) fn grow(
        &self,
        model: &'static dyn Model,
        case: &Case,
        growth: Growth,
    ) -> Result<(Vec<GrowthPoint>, Option<f64>)> {
        let horizon = growth.horizon_s.as_f64() / SECONDS_PER_YEAR as f64;
        let whole = (0..=horizon.floor() as u32).map(f64::from);
        let years: Vec<f64> = whole.chain((horizon.fract() > 0.0).then_some(horizon)).collect();
        let points =
            years.iter().map(|&at| self.point(model, case, growth, at)).collect::<Result<Vec<_>>>()?;
        let total = points.windows(2).map(|pair| span_usd(&pair[0], &pair[1])).sum::<Option<f64>>();
        Ok((points, total))
    }

    fn point(
        &self,
        model: &'static dyn Model,
        case: &Case,
        growth: Growth,
        years: f64,
    ) -> Result<GrowthPoint> {
        let factor = (1.0 + growth.growth_per_year.0.as_f64()).powf(years);
        // Growth is an estimate: six digits of its factor are more than it is worth, and keep the rate exact.
        let micro = (factor * 1e6).round();
        let factor = (micro < 1e30).then(|| Exact::new(micro as u128, 1_000_000)).flatten();
        let rate = |rate: Rate| factor.and_then(|factor| Rate::new(rate.per_s().checked_mul(factor)?));
        let (Some(average), Some(peak)) = (rate(case.rate_per_s), rate(case.peak_per_s)) else {
            return Err(too_large("the grown rate"));
        };
        let live_keys =
            average.times(case.retention_s).ok_or_else(|| too_large("the grown number of keys"))?;
        let then = Case {
            rate_per_s: average,
            peak_per_s: peak,
            live_keys,
            stores: Vec::new(),
            unfit: Vec::new(),
            ..*case
        };
        let footprint = model.footprint(&load(&then, false), &self.pages)?;
        let capacity = Capacity::new(&footprint, &then)?;
        let usd_per_month = self.tariff.usd_per_month(footprint.billing, &then, capacity.provisioned)?;
        Ok(GrowthPoint {
            years,
            rate_per_s: average.as_f64(),
            live_keys,
            provisioned_bytes: capacity.provisioned,
            usd_per_month,
        })
    }
}

/// Dollars between two points: months × logarithmic mean.
fn span_usd(from: &GrowthPoint, to: &GrowthPoint) -> Option<f64> {
    let (a, b) = (from.usd_per_month?.as_f64(), to.usd_per_month?.as_f64());
    let months = 12.0 * (to.years - from.years);
    let mean = if a <= 0.0 || (b / a - 1.0).abs() < 1e-9 { (a + b) / 2.0 } else { (b - a) / (b / a).ln() };
    Some(months * mean)
}
