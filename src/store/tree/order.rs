//! In which order keys reach an index: what a key is made of, who makes it, by which clock, and how late it
//! comes.

use crate::error::{Error, Result};
use serde::Serialize;

/// What a key is made of, as far as its order goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Nothing but chance: UUIDv4, hashes.
    Uniform,
    /// Time first, counted in ticks.
    Timed {
        /// Seconds of a tick: 1e-3 for UUIDv7, ULID, Snowflake; 1e-7 for UUIDv6.
        tick_s: f64,
        /// What tells keys of one tick apart.
        within: Within,
    },
    /// The low 32 bits of a count of 100 ns first, then the high ones: UUIDv1.
    LowTimeFirst {
        /// Where in a wrap of the low bits the first key is made, from 0 to below 1.
        phase: f64,
    },
}

/// What tells keys of one tick apart, in the place of their low bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Chance.
    Random,
    /// A counter, which begins in each tick at a random number of the client's: UUIDv7 and ULID with a
    /// monotonic generator. With one client keys ascend.
    Counter,
    /// The client's number, then a counter: Snowflake's worker and sequence.
    ClientThenCounter,
}

/// How far clients' clocks are off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Skew {
    /// By which law.
    pub law: SkewLaw,
    /// Standard deviation of a normal law, or the most by which a clock is off under a uniform one, in seconds.
    pub seconds: f64,
}

impl Skew {
    /// Clocks that are right.
    pub const NONE: Skew = Skew { law: SkewLaw::Normal, seconds: 0.0 };

    /// The chance that a clock is behind by more than so many seconds, Φ(−s/σ) of a normal law: the share of keys
    /// that a delete by key time removes more than `behind_s` too early.
    pub fn chance_behind(&self, behind_s: f64) -> f64 {
        if self.seconds <= 0.0 {
            return if behind_s < 0.0 { 1.0 } else { 0.0 };
        }
        match self.law {
            SkewLaw::Normal => 0.5 * libm::erfc(behind_s / self.seconds / std::f64::consts::SQRT_2),
            SkewLaw::Uniform => ((self.seconds - behind_s) / (2.0 * self.seconds)).clamp(0.0, 1.0),
        }
    }

    /// By how much clocks are behind on average, those that are ahead counted as 0: σ/√(2π) of a normal law, a
    /// quarter of the bound of a uniform one.
    pub fn mean_behind_s(&self) -> f64 {
        match self.law {
            SkewLaw::Normal => self.seconds / std::f64::consts::TAU.sqrt(),
            SkewLaw::Uniform => self.seconds / 4.0,
        }
    }

    /// The least number of seconds by which clocks are behind with no more than a chance, 0 to 1/2.
    pub fn behind_at_most_s(&self, chance: f64) -> f64 {
        // Nothing is farther than 40 standard deviations in double precision.
        let (mut low, mut high) = (0.0, self.seconds * 40.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if self.chance_behind(middle) > chance { low = middle } else { high = middle }
        }
        high
    }
}

/// A law of clocks' offsets; each client's clock keeps its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SkewLaw {
    /// Normal around the right time.
    Normal,
    /// Anywhere up to a bound, before or after.
    Uniform,
}

/// Keys whose time lies near the end of all time (clients with broken clocks, keys made of hashes).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FarFuture {
    /// So many, before all others.
    First(u64),
    /// A share of all keys, one by one.
    Share(f64),
}

/// An order of arrival.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Order {
    /// What keys are made of.
    pub shape: Shape,
    /// Keys made each second, at equal distances.
    pub rate_per_s: f64,
    /// Mean of the exponential time between a key's making and its arrival, in seconds.
    pub delay_s: f64,
    /// Clients that make keys; each key is any one's with equal chance.
    pub clients: u32,
    /// How far their clocks are off.
    pub skew: Skew,
    /// Prefixes before the key, one for each shard, each key's with equal chance; 1: none.
    pub shards: u32,
    /// Keys of a time that never comes.
    pub far_future: FarFuture,
}

impl Order {
    /// Most clients.
    pub const MOST_CLIENTS: u32 = 1 << 20;
    /// Most keys that were made and have not arrived, on average: each is remembered.
    pub const MOST_ON_THE_WAY: f64 = 134_217_728.0;
    /// Most prefixes.
    pub const MOST_SHARDS: u32 = 1 << 12;

    /// An order in which each key arrives when it is made, by one clock.
    pub fn new(shape: Shape, rate_per_s: f64) -> Order {
        Order {
            shape,
            rate_per_s,
            delay_s: 0.0,
            clients: 1,
            skew: Skew::NONE,
            shards: 1,
            far_future: FarFuture::First(0),
        }
    }

    /// Checks that every part is in range.
    ///
    /// # Errors
    /// Where one is not.
    pub fn checked(self) -> Result<Order> {
        let refuse = |what: &str, came: String, allowed: &str, example: &str| {
            Err(Error::value(what, &came, allowed, example))
        };
        if let Shape::LowTimeFirst { phase } = self.shape
            && !(0.0..1.0).contains(&phase)
        {
            return refuse("the phase", phase.to_string(), "from 0 to below 1", "0.5");
        }
        if !(1e-3..=1e9).contains(&self.rate_per_s) {
            return refuse("the rate", format!("{}/s", self.rate_per_s), "from 1e-3/s to 1e9/s", "10k/s");
        }
        if !(0.0..=1e6).contains(&self.delay_s) {
            return refuse("the delay", format!("{} s", self.delay_s), "from 0 to 1e6 s", "50ms");
        }
        let on_the_way = self.rate_per_s * self.delay_s;
        if on_the_way > Order::MOST_ON_THE_WAY {
            let came = format!("{on_the_way} keys on their way");
            return refuse("the delay × the rate", came, "at most 2^27 keys at once", "--delay 1s");
        }
        if !(1..=Order::MOST_CLIENTS).contains(&self.clients) {
            return refuse("clients", self.clients.to_string(), "from 1 to 1048576", "1000");
        }
        if !(0.0..=1e7).contains(&self.skew.seconds) {
            return refuse("the skew", format!("{} s", self.skew.seconds), "from 0 to 1e7 s", "100ms");
        }
        if !(1..=Order::MOST_SHARDS).contains(&self.shards) {
            return refuse("shards", self.shards.to_string(), "from 1 to 4096", "16");
        }
        match self.far_future {
            FarFuture::Share(share) if !(0.0..1.0).contains(&share) => refuse(
                "far-future",
                share.to_string(),
                "a share from 0 to below 1, or a number of keys",
                "0.1%",
            ),
            _ => Ok(self),
        }
    }

    /// Whether keys come in the order of their time, but for clocks and delays, so that what expires lies
    /// together.
    pub fn is_time_ordered(&self) -> bool {
        matches!(self.shape, Shape::Timed { .. }) && self.shards == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delete_by_key_time_removes_what_can_still_be_retried() {
        // Kept 24 h, retried for 23 h: Φ(−2) and Φ(−1) of the keys are gone an hour early.
        let share = |seconds| Skew { law: SkewLaw::Normal, seconds }.chance_behind(3_600.0);
        assert!((share(1_800.0) - 0.022_750_131_948_179_21).abs() < 1e-15);
        assert!((share(3_600.0) - 0.158_655_253_931_457_05).abs() < 1e-15);
    }

    #[test]
    fn a_margin_leaves_its_chance() {
        let normal = Skew { law: SkewLaw::Normal, seconds: 60.0 };
        assert!((normal.behind_at_most_s(1e-3) / 60.0 - 3.090_232_306_167_813).abs() < 1e-9);
        let uniform = Skew { law: SkewLaw::Uniform, seconds: 60.0 };
        assert!((uniform.behind_at_most_s(1e-3) - 60.0 * 0.998).abs() < 1e-9);
        assert_eq!(Skew::NONE.behind_at_most_s(1e-3), 0.0);
    }

    #[test]
    fn clocks_behind_are_so_on_average() {
        // The mean of what is behind is the integral of its chance.
        for law in [SkewLaw::Normal, SkewLaw::Uniform] {
            let skew = Skew { law, seconds: 3.0 };
            let sum: f64 = (0..40_000).map(|i| skew.chance_behind((f64::from(i) + 0.5) * 1e-3) * 1e-3).sum();
            assert!((sum / skew.mean_behind_s() - 1.0).abs() < 1e-6, "{law:?}");
        }
    }

    #[test]
    fn an_order_out_of_range_is_refused() {
        let order = Order::new(Shape::Uniform, 1e4);
        for broken in [
            Order { rate_per_s: f64::NAN, ..order },
            Order { rate_per_s: 0.0, ..order },
            Order { delay_s: -1.0, ..order },
            Order { delay_s: f64::INFINITY, ..order },
            Order { delay_s: 1e3, rate_per_s: 1e6, ..order },
            Order { clients: 0, ..order },
            Order { shards: 5000, ..order },
            Order { skew: Skew { law: SkewLaw::Normal, seconds: f64::NAN }, ..order },
            Order { far_future: FarFuture::Share(1.0), ..order },
            Order { shape: Shape::LowTimeFirst { phase: 1.0 }, ..order },
        ] {
            assert!(broken.checked().is_err_and(|error| error.is_usage()), "{broken:?}");
        }
        assert!(order.checked().is_ok());
    }
}
