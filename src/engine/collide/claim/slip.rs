//! Known slips: formulas that look alike, and what a claim must share with one to be laid at its door.
//!
//! A slip is named only where it gives the claim: its probability to the digits it was made with and to no
//! worse than 3 % of itself, for the ids to their digits and to no worse than 0.5 %. Wider bounds would find a
//! slip for any figure: of wrong claims made at random, these lay some 3 in 100 at one.

use super::read::Claimed;
use super::{Context, Range};
use crate::engine::collide::model::Model;
use crate::math::birthday;
use crate::math::logspace::{Chance, Wide};
use serde::Serialize;

/// By how much a slip may miss a claim of few digits.
const CLOSE: f64 = 0.03;

/// By how much it may miss ids that were rounded.
const CLOSE_IDS: f64 = 0.005;

/// By how much it may miss ids that come of a time, since a rate is rounded without showing it; for the two
/// slips alone that are far more common than chance.
const CLOSE_RATE: f64 = 0.02;

/// From here on many formulas give the same.
const SATURATED: f64 = 0.99;

/// All bits of a UUID.
const UUID_BITS: f64 = 128.0;

/// Random bits of a v4 UUID.
const V4_BITS: f64 = 122.0;

/// A known way to a wrong figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Slip {
    /// 50 % at √N ids.
    SquareRootForHalf,
    /// Another number of bits: 2^128 for v4, or one more or less.
    WrongSpace,
    /// The figure of v4, for a scheme with a clock.
    AnotherScheme,
    /// n² for n(n − 1).
    SquareForPairs,
    /// Each pair counted twice.
    PairsTwice,
    /// n/N: one id against the rest, not all against all.
    LinearInIds,
    /// The expected number of pairs taken for a probability.
    PairsForProbability,
    /// 1 − e^−x in doubles.
    Underflow,
    /// e^x − 1 for 1 − e^−x.
    WrongSign,
    /// Percent for a fraction, or the other way round.
    Percent,
    /// GB for GiB, or the other way round.
    BinaryPrefix,
    /// Milliseconds for seconds, thousands for ones.
    Thousand,
    /// All ids in one space for all time, though a clock tells them apart.
    ClockIgnored,
}

type Found = Option<(Slip, String)>;

impl Context<'_> {
    /// The first slip that leads to the claim, the most common first.
    pub(super) fn slip(&self) -> Found {
        self.underflow()
            .or_else(|| self.half())
            .or_else(|| self.clock())
            .or_else(|| self.wrong_space())
            .or_else(|| self.formulas())
            .or_else(|| self.percent())
            .or_else(|| self.binary_prefix())
            .or_else(|| self.thousand())
    }

    /// Whether a formula that gives any number for a probability gives the claim.
    fn gives(&self, formula: &dyn Fn(Wide) -> Wide) -> bool {
        let (less, more) = self.within(CLOSE_IDS);
        let Range { low, high, .. } = self.span;
        self.holds(formula(low.max(less)), formula(high.min(more)))
    }

    /// The same where a rate may have been rounded that does not show it.
    fn gives_at_a_rounded_rate(&self, formula: &dyn Fn(Wide) -> Wide) -> bool {
        let timed = matches!(self.claim.load, Some(Claimed::Seconds(_)));
        let (less, more) = self.within(CLOSE_RATE);
        if timed { self.holds(formula(less), formula(more)) } else { self.gives(formula) }
    }

    /// The ids as claimed, and a share of them to either side.
    fn within(&self, share: f64) -> (Wide, Wide) {
        let ids = self.span.value;
        (ids.times(Wide::new(1.0 - share)), ids.times(Wide::new(1.0 + share)))
    }

    fn holds(&self, low: Wide, high: Wide) -> bool {
        let [least, value, most] = self.claim.probability.range();
        let least = least.max(value.times(Wide::new(1.0 - CLOSE)));
        let most = most.min(value.times(Wide::new(1.0 + CLOSE)));
        // A float's own rounding, so that ends count.
        let slack = Wide::new(1.0 + 1e-12);
        !value.is_zero() && high.times(slack) >= least && low <= most.times(slack)
    }

    /// Whether the claim is so near to certain that a formula that ends at 1 proves nothing.
    fn is_saturated(&self) -> bool {
        self.claim.probability.range()[1] >= Wide::new(SATURATED)
    }

    fn underflow(&self) -> Found {
        let [_, claimed, _] = self.claim.probability.chances();
        let exponent = self.right(self.span.value).hazard()?.as_f64();
        let zero = claimed == Chance::NEVER && 1.0 - (-exponent).exp() == 0.0;
        zero.then(|| {
            let text = "1 - exp(-x), or a product of factors near 1, is 0 in floating point where x is below 1.1e-16";
            (Slip::Underflow, text.to_owned())
        })
    }

    /// 50 % at the square root of the space, or of one that is taken for it.
    fn half(&self) -> Found {
        let [least, _, most] = self.claim.probability.range();
        let half = Wide::new(0.5);
        if least > half || most < half || !self.is_one_space() {
            return None;
        }
        let near = |root: Wide| {
            self.span.low <= root.times(Wide::new(1.005)) && self.span.high >= root.times(Wide::new(0.995))
        };
        if near(self.values.wide.sqrt()) {
            let text = "the square root of the space gives 39.35 %; 50 % needs 1.1774 times as many ids";
            return Some((Slip::SquareRootForHalf, text.to_owned()));
        }
        let bits = self.values.bits();
        let other = self.other_spaces().into_iter().find(|other| near(Wide::exp2(other / 2.0)))?;
        Some((
            Slip::SquareRootForHalf,
            format!(
                "it is the square root of {}{}; the space is {}, and even its square root gives 39.35 %, 50 % needs 1.1774 times as many ids",
                shown(other),
                miscounted(bits, other),
                shown(bits)
            ),
        ))
    }

    /// Whether a clock plays no part: in what the scheme does, not in how it is asked.
    fn is_one_space(&self) -> bool {
        matches!(self.model, Model::Flat(_))
    }

    /// What leaves the clock out, or takes v4 for the scheme.
    fn clock(&self) -> Found {
        if self.is_one_space() || self.is_saturated() {
            return None;
        }
        if self.load.rate_per_s.is_some() && self.gives(&|ids| flat(ids, self.values.wide)) {
            let text = "it takes all ids for one space; only ids of one tick of the clock can clash";
            return Some((Slip::ClockIgnored, text.to_owned()));
        }
        self.gives_at_a_rounded_rate(&|ids| flat(ids, Wide::exp2(V4_BITS))).then(|| {
            let text = "it is the figure of v4, 2^122 for all time; here a clock tells ids apart and only those of one tick can clash";
            (Slip::AnotherScheme, text.to_owned())
        })
    }

    /// Spaces that are taken for this one: all bits of a UUID or some of its fixed ones, and a bit miscounted.
    fn other_spaces(&self) -> Vec<f64> {
        let bits = self.values.bits();
        let uuid = [UUID_BITS, 126.0, 124.0, V4_BITS];
        let mut tried: Vec<f64> = if (bits - V4_BITS).abs() <= 1.0 { uuid.to_vec() } else { Vec::new() };
        tried.extend([bits + 1.0, bits - 1.0]);
        tried.retain(|other| *other > 0.0 && (other - bits).abs() > 0.5);
        tried
    }

    fn wrong_space(&self) -> Found {
        if self.is_saturated() {
            return None;
        }
        let bits = self.values.bits();
        let holds = |other: &f64| {
            let formula = |ids| flat(ids, Wide::exp2(*other));
            if *other == UUID_BITS { self.gives_at_a_rounded_rate(&formula) } else { self.gives(&formula) }
        };
        let other = self.other_spaces().into_iter().find(holds)?;
        let text = format!(
            "it holds for a space of {}, not of {}{}",
            shown(other),
            shown(bits),
            miscounted(bits, other)
        );
        Some((Slip::WrongSpace, text))
    }

    /// Formulas that look alike.
    fn formulas(&self) -> Found {
        if !self.is_one_space() {
            return None;
        }
        let space = self.values.wide;
        let half = Wide::new(0.5);
        let square = |ids: Wide| ids.times(ids).over(space);
        let pairs = |ids: Wide| ids.times(ids.minus(Wide::ONE)).over(space);
        let open = |hazard: Wide| Chance::Open(hazard).probability();
        type Formula<'a> = (&'a dyn Fn(Wide) -> Wide, Slip, &'static str);
        let known: [Formula<'_>; 7] = [
            (&|ids| open(square(ids).times(half)), Slip::SquareForPairs, "it takes n² for n(n - 1)"),
            (
                &|ids| open(pairs(ids)),
                Slip::PairsTwice,
                "it counts every pair twice: n(n - 1)/N for n(n - 1)/2N",
            ),
            (&|ids| open(square(ids)), Slip::PairsTwice, "it takes n²/N for n(n - 1)/2N"),
            (
                &|ids| pairs(ids).times(half),
                Slip::PairsForProbability,
                "it gives the expected number of pairs, n(n - 1)/2N, for a probability",
            ),
            (
                &|ids| square(ids).times(half),
                Slip::SquareForPairs,
                "it takes n²/2N, which is neither the pairs nor a probability",
            ),
            (
                &|ids| ids.over(space),
                Slip::LinearInIds,
                "it takes n/N: one id against all, not all against all",
            ),
            (
                &|ids| Wide::new(pairs(ids).times(half).as_f64().min(700.0).exp_m1()),
                Slip::WrongSign,
                "it takes e^x - 1 for 1 - e^-x",
            ),
        ];
        // Those that end at 1 prove nothing there; the others pass it.
        let open_ended = |slip: Slip, text: &str| {
            matches!(slip, Slip::PairsForProbability | Slip::LinearInIds | Slip::WrongSign)
                || text.contains("n²/2N")
        };
        known
            .into_iter()
            .filter(|(_, slip, text)| !self.is_saturated() || open_ended(*slip, text))
            .find(|(formula, ..)| self.gives(formula))
            .map(|(_, slip, text)| (slip, text.to_owned()))
    }

    fn percent(&self) -> Found {
        let scaled = |factor: f64| self.gives(&|ids| self.right(ids).probability().times(Wide::new(factor)));
        if scaled(100.0) {
            return Some((Slip::Percent, "it gives a number of percent for a fraction".to_owned()));
        }
        scaled(0.01).then(|| (Slip::Percent, "it gives a fraction for a number of percent".to_owned()))
    }

    /// 2^30 for 10^9: where ids are a multiple of one of them.
    fn binary_prefix(&self) -> Found {
        if self.is_saturated() || self.span.value >= Wide::exp2(4_000.0) {
            return None;
        }
        let (billion, gibi) = (1_000_000_000u64, 1u64 << 30);
        let ids = self.span.value.floor();
        let multiple = |of: u64| ids.bits() > 0 && (&ids % of).bits() == 0;
        let ratio = Wide::new(gibi as f64 / billion as f64);
        if multiple(billion) && self.gives(&|ids| self.probability_for(ids.times(ratio))) {
            let text = "it holds for 2^30 ids where 10^9 are meant: GiB for GB";
            return Some((Slip::BinaryPrefix, text.to_owned()));
        }
        (multiple(gibi) && self.gives(&|ids| self.probability_for(ids.over(ratio)))).then(|| {
            let text = "it holds for 10^9 ids where 2^30 are meant: GB for GiB";
            (Slip::BinaryPrefix, text.to_owned())
        })
    }

    fn thousand(&self) -> Found {
        if self.is_saturated() {
            return None;
        }
        let scaled = |factor: f64| self.gives(&|ids| self.probability_for(ids.times(Wide::new(factor))));
        if scaled(1e3) {
            return Some((Slip::Thousand, "it holds for a thousand times the ids".to_owned()));
        }
        scaled(1e-3).then(|| (Slip::Thousand, "it holds for a thousandth of the ids".to_owned()))
    }

    fn probability_for(&self, ids: Wide) -> Wide {
        self.right(ids).probability()
    }
}

/// Why one space is taken for the other.
fn miscounted(bits: f64, other: f64) -> &'static str {
    match (bits, other) {
        (V4_BITS, UUID_BITS) => ": 4 bits of version and 2 of variant are fixed",
        (V4_BITS, 126.0) => ": it leaves out the variant but not the version",
        (V4_BITS, 124.0) => ": it leaves out the version but not the variant",
        _ => "",
    }
}

fn shown(bits: f64) -> String {
    if bits.fract() == 0.0 { format!("2^{bits}") } else { format!("2^{bits:.3}") }
}

fn flat(ids: Wide, space: Wide) -> Wide {
    birthday::chance_in(ids, space).probability()
}
