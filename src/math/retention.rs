//! Clashes among ids that are kept for a while: only live ids can be hit.
//!
//! At rate r and window W there are rW live ids, each new one hits one of them with chance rW/N, so that
//! clashes come at a hazard r²W/N a second. Over a life T the expectation is r²(WT − W²/2)/N, since the store
//! fills during the first W; where W ≥ T, everything is kept and it is r²T²/2N.
//!
//! Error: ids arrive steadily and space is uniform. Until the first clash all m live ids differ, and the next
//! one escapes them with chance 1 − m/N, so that −ln P(none) exceeds the expectation by about a relative
//! m/2N at most (m = rW, or rT where all is kept), and n² stands for n(n − 1): a relative 1/m. Both vanish
//! where the question is asked in earnest; use the birthday form where n is small. Ranges: rate and spans from 0 to any
//! finite number, the window also infinite.

use super::logspace::{Chance, Wide};

/// A store of ids that forgets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retention {
    rate_per_s: f64,
    window_s: f64,
    space: Wide,
}

impl Retention {
    /// Ids at `rate_per_s` out of `space` equally likely ones, each kept for `window_s`, which may be
    /// infinite.
    ///
    /// # Panics
    /// Where the rate is negative or not finite, the window negative or not a number, or the space 0.
    pub fn new(rate_per_s: f64, window_s: f64, space: Wide) -> Retention {
        assert!(rate_per_s.is_finite() && rate_per_s >= 0.0, "{rate_per_s} is no rate");
        assert!(window_s >= 0.0, "{window_s} is no window");
        assert!(!space.is_zero(), "a space without ids");
        Retention { rate_per_s, window_s, space }
    }

    /// Ids that can be hit once the window has filled, rW; none where everything is kept.
    pub fn live_keys(&self) -> Option<Wide> {
        self.window_s.is_finite().then(|| self.rate().times(Wide::new(self.window_s)))
    }

    /// Clashes a second once the window has filled, r²W/N; none where everything is kept: it grows for ever.
    pub fn hazard_per_s(&self) -> Option<Wide> {
        Some(self.live_keys()?.times(self.rate()).over(self.space))
    }

    /// Mean time between clashes once the window has filled, N/(r²W); none where there are none or no steady
    /// state.
    pub fn seconds_between(&self) -> Option<Wide> {
        let hazard = self.hazard_per_s()?;
        (!hazard.is_zero()).then(|| Wide::ONE.over(hazard))
    }

    /// Expected clashes over a life: r²(WT − W²/2)/N, or r²T²/2N where W ≥ T.
    ///
    /// # Panics
    /// Where the life is negative or not finite.
    pub fn expected_clashes(&self, life_s: f64) -> Wide {
        self.rate().times(self.rate()).times(comparable(life_s, self.window_s)).over(self.space)
    }

    /// At least one clash over a life: 1 − e^−E.
    pub fn chance(&self, life_s: f64) -> Chance {
        Chance::Open(self.expected_clashes(life_s))
    }

    /// Seconds until the risk is reached; none where it never is.
    pub fn time_to(&self, risk: Chance) -> Option<Wide> {
        let target = risk.hazard()?.times(self.space);
        let squared = self.rate().times(self.rate());
        if squared.is_zero() || self.window_s == 0.0 {
            return target.is_zero().then_some(Wide::ZERO);
        }
        // Seconds squared: T²/2 while the window fills, W²/2 + W(T − W) after it.
        let needed = target.over(squared);
        let filling = needed.times(Wide::new(2.0)).sqrt();
        if self.window_s.is_infinite() || filling <= Wide::new(self.window_s) {
            return Some(filling);
        }
        Some(needed.over(Wide::new(self.window_s)).plus(Wide::new(self.window_s / 2.0)))
    }

    /// The rate at which the risk is reached at the end of a life, with this window and space; none where no
    /// rate does.
    ///
    /// # Panics
    /// Where the life is negative or not finite.
    pub fn rate_for(&self, risk: Chance, life_s: f64) -> Option<Wide> {
        let comparable = comparable(life_s, self.window_s);
        if comparable.is_zero() {
            return None;
        }
        Some(risk.hazard()?.times(self.space).over(comparable).sqrt())
    }

    fn rate(&self) -> Wide {
        Wide::new(self.rate_per_s)
    }
}

/// Half the area of moments (s, t) of a life less than the window apart, in seconds squared: WT − W²/2, or
/// T²/2 where W ≥ T.
fn comparable(life_s: f64, window_s: f64) -> Wide {
    let near = window_s.min(life_s);
    Wide::new(near).times(Wide::new(life_s - near / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: f64 = 86_400.0;
    const YEAR: f64 = 31_557_600.0;

    fn store(window_s: f64) -> Retention {
        Retention::new(1e9, window_s, Wide::exp2(122.0))
    }

    fn close(got: Wide, right: f64) {
        assert!((got.as_f64() / right - 1.0).abs() < 1e-12, "got {got:?}, right {right:e}");
    }

    #[test]
    fn a_window_as_long_as_the_life_keeps_everything() {
        let life = 30.0 * YEAR;
        assert_eq!(store(life).expected_clashes(life), store(f64::INFINITY).expected_clashes(life));
        let all = store(f64::INFINITY).expected_clashes(life);
        let windows = [0.0, 1e-300, 1.0, DAY, 0.5 * life, 0.999 * life, life, 2.0 * life];
        let kept: Vec<Wide> = windows.iter().map(|window| store(*window).expected_clashes(life)).collect();
        assert!(kept.is_sorted() && kept[5] < all && kept[6] == all && kept[7] == all);
        close(store(f64::INFINITY).expected_clashes(life), (1e9 * life).powi(2) / 2f64.powi(123));
    }

    #[test]
    fn the_first_window_fills_up_before_the_hazard_is_steady() {
        // Twice the window: W²/2 while it fills, W² after.
        let both = store(DAY).expected_clashes(2.0 * DAY);
        close(both, 1.5 * store(DAY).hazard_per_s().expect("forgets").as_f64() * DAY);
        assert_eq!(store(f64::INFINITY).hazard_per_s(), None);
    }

    #[test]
    fn the_exponent_is_as_near_as_stated_to_steady_arrivals() {
        // One a second, the i-th facing min(i, m) live ids that differ: −ln Π(1 − min(i, m)/N).
        let (live, space) = (100.0, 1e4);
        for life in [50u32, 1_000, 100_000] {
            let exact: f64 = (0..life).map(|i| -(-f64::from(i).min(live) / space).ln_1p()).sum();
            let stated =
                Retention::new(1.0, live, Wide::new(space)).expected_clashes(f64::from(life)).as_f64();
            let near = live.min(f64::from(life));
            let error = exact / stated - 1.0;
            assert!(error <= near / (2.0 * space) * 1.01 && error >= -1.0 / near, "{life}: {error:e}");
        }
    }

    #[test]
    fn inverses_return_their_input() {
        for window in [0.001, DAY, 40.0 * YEAR, f64::INFINITY] {
            for life in [1.0, DAY, 30.0 * YEAR] {
                let risk = store(window).chance(life);
                close(store(window).time_to(risk).expect("some time"), life);
                close(store(window).rate_for(risk, life).expect("some rate"), 1e9);
            }
        }
    }

    #[test]
    fn nothing_kept_or_made_never_clashes() {
        let half = Chance::from_probability(0.5);
        assert_eq!(store(0.0).time_to(half), None);
        assert_eq!(store(0.0).rate_for(half, YEAR), None);
        assert_eq!(store(0.0).seconds_between(), None);
        assert_eq!(Retention::new(0.0, DAY, Wide::ONE).time_to(half), None);
        assert_eq!(store(DAY).time_to(Chance::Certain), None);
        assert_eq!(store(DAY).chance(0.0), Chance::NEVER);
    }

    #[test]
    fn spaces_beyond_floats_give_answers_beyond_floats() {
        let far = Retention::new(1e9, DAY, Wide::exp2(2048.0));
        assert!(far.seconds_between().expect("forgets").in_f64().is_none());
        assert!(far.chance(YEAR).log10().expect("positive") < -580.0);
    }
}
