//! The law of the number of repeats R = n − distinct values among n draws from N equally likely values.
//!
//! Draw by draw a state of r repeats after i draws goes to r + 1 with chance (i − r)/N, which gives the law but
//! for rounding; it takes draws × width steps. Where that is too many, each probability comes by the saddle
//! point of its generating function (`saddle`), relative error below 1/12d with d = n − r.
//!
//! Source: Feller, vol. 1, IV.2. The law is that of a sum of independent indicators (V. Vatutin and V. Mikhailov,
//! *Limit Theorems for the Number of Empty Cells*, 1982), hence log-concave: its tails fall faster than
//! geometrically.
//!
//! Range: draws to 2^53, spaces from 1 to 2^900; a part of a value is no value.

use super::goodness::two_sided;
use super::logspace::Wide;
use super::occupancy::{expected_repeats_in, repeats_variance};
use super::saddle;

/// Steps of the recurrence up to which it is taken: half a second.
const MOST_STEPS: f64 = 134_217_728.0;

/// Mass at either end that a law leaves out, of its likeliest value.
const LEFT_OUT: f64 = 1e-18;

/// What the recurrence drops as it goes: 2^53 drops stay below [`LEFT_OUT`].
const DROPPED: f64 = 1e-34;

/// Probabilities of one value after another.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// P(R = first), P(R = first + 1), …; all else is below 1e-18, or was beyond what was to be kept.
    pub probabilities: Vec<f64>,
    /// The least value kept.
    pub first: u64,
    /// Whether it is exact but for rounding.
    pub exact: bool,
    /// The most by which a probability of one value or of all up to one can be off; of an approximation its
    /// relative error too.
    pub error: f64,
}

impl Law {
    /// P(R = k); 0 outside what is kept.
    pub fn probability(&self, k: u64) -> f64 {
        let index = k.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.probabilities.get(index)).copied().unwrap_or(0.0)
    }

    /// P(R ≤ k).
    pub fn at_most(&self, k: u64) -> f64 {
        let (below, above) = self.probabilities.split_at(self.place(k.checked_add(1)));
        nearer(below, above)
    }

    /// P(R ≥ k).
    pub fn at_least(&self, k: u64) -> f64 {
        let (below, above) = self.probabilities.split_at(self.place(Some(k)));
        nearer(above, below)
    }

    /// Σ k P(R = k).
    pub fn mean(&self) -> f64 {
        let beyond: f64 = self.probabilities.iter().enumerate().map(|(index, p)| index as f64 * p).sum();
        self.first as f64 * self.probabilities.iter().sum::<f64>() + beyond
    }

    /// How many of what is kept lie below `k`; all for none.
    fn place(&self, k: Option<u64>) -> usize {
        let most = self.probabilities.len();
        k.map_or(most, |k| {
            usize::try_from(k.saturating_sub(self.first)).map_or(most, |place| place.min(most))
        })
    }

    /// One value for certain.
    fn certain(value: u64) -> Law {
        Law { probabilities: vec![1.0], first: value, exact: true, error: 0.0 }
    }

    /// Drops what is light at both ends, then the lighter end down to `most`, which goes to the error.
    fn trimmed(mut self, most: usize) -> Law {
        let peak = self.probabilities.iter().copied().fold(0.0, f64::max);
        let heavy = |p: &f64| *p > peak * LEFT_OUT;
        let mut from = self.probabilities.iter().position(heavy).unwrap_or(0);
        let mut to = self.probabilities.iter().rposition(heavy).map_or(0, |last| last + 1);
        while to - from > most.max(1) {
            let light_front = self.probabilities[from] < self.probabilities[to - 1];
            if light_front { from += 1 } else { to -= 1 }
        }
        self.probabilities.truncate(to);
        self.probabilities.drain(..from);
        self.first += from as u64;
        if to - from == most {
            self.error += (1.0 - self.probabilities.iter().sum::<f64>()).max(0.0);
        }
        self
    }

    /// An approximation that was not cut adds up to 1, and so takes no part of its error from its size.
    fn filled(mut self) -> Law {
        let sum: f64 = self.probabilities.iter().sum();
        if (sum - 1.0).abs() <= self.error {
            self.probabilities.iter_mut().for_each(|p| *p /= sum);
        }
        self
    }
}

/// The sum of a tail: itself where it is the smaller, else what the other leaves of 1.
fn nearer(tail: &[f64], other: &[f64]) -> f64 {
    let own: f64 = tail.iter().sum();
    if own <= 0.5 { own } else { (1.0 - other.iter().sum::<f64>()).max(0.0) }
}

/// The law of repeats among `draws` from `space` values, at most `most` probabilities of it.
///
/// By the recurrence where its draws × width stay within 2^27 (error 2^-52 draws at most), else by the saddle point: relative
/// error 1/(12 d) with d the distinct values, and 2^-51 of the expected repeats, which is what their exponents
/// are summed to. Where `most` cuts the law, the likeliest values are kept and what is left out counts as error.
///
/// # Panics
/// Where the space is infinite or not a number, or there are more than 2^53 draws.
pub fn repeats_law(draws: u64, space: f64, most: usize) -> Law {
    let draw = Draw::new(draws, space);
    if draws < 2 {
        return Law::certain(0);
    }
    if draw.values == 1.0 {
        return Law::certain(draws - 1);
    }
    if draw.is_full() {
        return draw.full_law();
    }
    if draw.steps() <= MOST_STEPS { draw.recurrence(draws).trimmed(most) } else { draw.saddle_law(most) }
}

/// The two-sided p-value of so many repeats: twice the smaller tail, at most 1.
///
/// As exact as [`repeats_law`], and relatively so; below 1e-22 always by the saddle point, relative error below
/// 1/(12 d) with d the distinct values, down to 1e-300. 0 for a number of repeats that cannot be.
///
/// # Panics
/// As [`repeats_law`].
pub fn repeats_two_sided(observed: u64, draws: u64, space: f64) -> f64 {
    let draw = Draw::new(draws, space);
    let (least, largest) = draw.ends();
    let count = observed as f64;
    if count < least || count > largest {
        return 0.0;
    }
    if draws < 2 || draw.values == 1.0 {
        return 1.0;
    }
    if draw.is_full() || draw.steps() <= MOST_STEPS {
        let law = if draw.is_full() { draw.full_law() } else { draw.recurrence(draws) };
        let p = two_sided(law.at_most(observed), law.at_least(observed));
        if p > DROPPED * 1e12 {
            return p;
        }
    }
    let up = count >= draw.mean();
    let (tail, here) = (draw.tail(count, up), draw.saddle(count));
    two_sided(tail, 1.0 - tail + here)
}

/// A number of draws from a number of values.
#[derive(Debug, Clone, Copy)]
struct Draw {
    draws: f64,
    values: f64,
}

impl Draw {
    fn new(draws: u64, space: f64) -> Draw {
        assert!(draws <= 1 << 53, "{draws} draws are more than 2^53");
        assert!(space.is_finite(), "{space} is no space");
        Draw { draws: draws as f64, values: space.floor().max(1.0) }
    }

    fn mean(self) -> f64 {
        expected_repeats_in(Wide::new(self.draws), Wide::new(self.values)).as_f64()
    }

    /// The least and the largest number of repeats there can be.
    fn ends(self) -> (f64, f64) {
        ((self.draws - self.values).max(0.0), (self.draws - 1.0).max(0.0))
    }

    /// Whether a value is left over with less than 1e-18: N e^(−n/N).
    fn is_full(self) -> bool {
        self.draws / self.values > self.values.ln() - LEFT_OUT.ln()
    }

    /// About how many steps the recurrence takes: 12 standard deviations to either side, at their widest on the way, which is
    /// where e^x = 1 + 2x draws have come to each value.
    fn steps(self) -> f64 {
        const WIDEST: f64 = 1.256_431_208_626_17;
        let widest = self.draws.min((WIDEST * self.values).ceil());
        let spread = repeats_variance(widest as u64, self.values).sqrt();
        self.draws * (24.0 * spread + 40.0).min(self.draws)
    }

    /// No value is left over.
    fn full_law(self) -> Law {
        Law { error: LEFT_OUT, ..Law::certain((self.draws - self.values) as u64) }
    }

    /// The law but for rounding, with all states above [`DROPPED`].
    fn recurrence(self, draws: u64) -> Law {
        let (mut states, mut first) = (vec![1.0f64], 0usize);
        for drawn in 0..draws {
            let mut distinct = drawn as f64 - first as f64;
            let mut carried = 0.0;
            for p in &mut states {
                let again = distinct.max(0.0) / self.values;
                let here = *p;
                *p = here * (1.0 - again).max(0.0) + carried;
                carried = here * again;
                distinct -= 1.0;
            }
            if carried > DROPPED {
                states.push(carried);
            }
            let light = states.iter().take_while(|p| **p <= DROPPED).count();
            if light > 0 {
                states.drain(..light);
                first += light;
            }
        }
        let error = LEFT_OUT + self.draws * f64::EPSILON;
        Law { probabilities: states, first: first as u64, exact: true, error }
    }

    fn saddle_law(self, most: usize) -> Law {
        let (least, largest) = self.ends();
        let (mean, most) = (self.mean(), most.max(1));
        let middle = mean.floor().clamp(least, largest);
        let peak = self.saddle(middle);
        let up = self.outwards(middle, peak, largest, most);
        let down = self.outwards(middle, peak, least, most);
        let first = middle - down.len() as f64;
        let mut probabilities: Vec<f64> = down.into_iter().rev().collect();
        probabilities.push(peak);
        probabilities.extend(up);
        let error = self.relative_error(mean) + LEFT_OUT;
        Law { probabilities, first: first as u64, exact: false, error }.filled().trimmed(most)
    }

    /// Probabilities from beside the middle to where they are light, or to `most` of them.
    fn outwards(self, middle: f64, peak: f64, end: f64, most: usize) -> Vec<f64> {
        let step = if end > middle { 1.0 } else { -1.0 };
        let reach = (end - middle).abs();
        (1..)
            .map(f64::from as fn(u32) -> f64)
            .take_while(|away| *away <= reach)
            .take(most)
            .map(|away| self.saddle(middle + step * away))
            .take_while(|p| *p > peak * LEFT_OUT)
            .collect()
    }

    /// Of a probability by the saddle point near the mean.
    fn relative_error(self, mean: f64) -> f64 {
        1.0 / (12.0 * (self.draws - mean).max(1.0)) + 2.0 * f64::EPSILON * mean
    }

    /// P(R = r) by the saddle point, for a number of repeats there can be.
    fn saddle(self, repeats: f64) -> f64 {
        saddle::repeats_probability(repeats, self.draws, self.values)
    }

    /// Σ P(R = r) from a number of repeats upwards or downwards, away from the mean.
    fn tail(self, from: f64, up: bool) -> f64 {
        let (least, largest) = self.ends();
        let (mut at, mut term, mut sum) = (from, self.saddle(from), self.saddle(from));
        while (if up { at < largest } else { at > least }) && term > 0.0 {
            at += if up { 1.0 } else { -1.0 };
            let next = self.saddle(at);
            let ratio = next / term;
            (term, sum) = (next, sum + next);
            // Ratios fall, so that what follows is below a geometric sum.
            if ratio < 1.0 && term * ratio <= (1.0 - ratio) * sum * 1e-17 {
                break;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, right: f64, error: f64) {
        assert!((got / right - 1.0).abs() < error, "got {got:e}, right {right:e}");
    }

    /// Counts of outcomes by repeats, over every sequence of draws.
    fn counted(draws: u32, values: u64) -> Vec<f64> {
        let mut counts = vec![0.0; draws as usize];
        for outcome in 0..values.pow(draws) {
            let seen =
                (0..draws).fold(0u64, |seen, place| seen | 1 << (outcome / values.pow(place) % values));
            counts[(draws - seen.count_ones()) as usize] += 1.0;
        }
        counts
    }

    #[test]
    fn the_law_is_what_counting_every_outcome_gives() {
        for (draws, values) in [(2, 1u64), (7, 2), (6, 4), (3, 40), (5, 9), (9, 3)] {
            let counts = counted(draws, values);
            let (all, law) = (values.pow(draws) as f64, repeats_law(draws.into(), values as f64, 100));
            assert!(law.exact);
            let (mut lower, mut mean, mut square) = (0.0, 0.0, 0.0);
            for (k, count) in counts.iter().enumerate() {
                let (repeats, p) = (k as u64, count / all);
                lower += p;
                mean += k as f64 * p;
                square += (k * k) as f64 * p;
                assert!((law.probability(repeats) - p).abs() < 1e-14, "{draws} of {values}: {k}");
                assert!((law.at_most(repeats) - lower).abs() < 1e-14, "{draws} of {values}: {k}");
                assert!((law.at_least(repeats) - (1.0 - lower + p)).abs() < 1e-14);
                let both = (2.0 * lower.min(1.0 - lower + p)).min(1.0);
                assert!((repeats_two_sided(repeats, draws.into(), values as f64) - both).abs() < 1e-13);
            }
            close(law.mean(), mean, 1e-14);
            assert!((repeats_variance(draws.into(), values as f64) - (square - mean * mean)).abs() < 1e-13);
        }
    }

    #[test]
    fn the_recurrence_agrees_with_inclusion_and_exclusion() {
        // C(N, d) Σ (−1)^j C(d, j) (d − j)^n/N^n in fractions.
        for (draws, space, repeats, right) in [
            (1_000, 1e3, 360, 0.029_875_641_485_797_275),
            (1_000, 100.0, 901, 0.004_300_492_014_061_097),
            (100, 1e3, 5, 0.187_058_434_652_896_1),
            (500, 2e5, 1, 0.334_948_853_308_138_56),
            (60, 4.0, 57, 1.275_662_517_075_567_5e-7),
        ] {
            close(repeats_law(draws, space, 1_000).probability(repeats), right, 1e-12);
        }
    }

    #[test]
    fn the_saddle_point_agrees_with_the_recurrence_over_the_whole_law() {
        for (draws, space) in
            [(10, 30.0), (100, 1e3), (1_000, 1e3), (1_000, 1e7), (1_000, 100.0), (20_000, 3e3), (30_000, 1e6)]
        {
            let draw = Draw::new(draws, space);
            let (exact, error) = (draw.recurrence(draws), draw.relative_error(draw.mean()));
            let approximate = draw.saddle_law(10_000);
            for (index, p) in exact.probabilities.iter().enumerate().filter(|(_, p)| **p > 1e-12) {
                let repeats = exact.first + index as u64;
                close(draw.saddle(repeats as f64), *p, error);
                assert!((approximate.probability(repeats) - p).abs() < error);
                assert!((approximate.at_most(repeats) - exact.at_most(repeats)).abs() < error);
            }
        }
    }

    #[test]
    fn a_law_sums_to_1_and_to_its_expectation() {
        for (draws, space) in [
            (1u64 << 12, 2f64.powi(24)),
            (1 << 16, 2f64.powi(16)),
            (1 << 26, 2f64.powi(30)),
            (3 << 20, 2f64.powi(18)),
        ] {
            let law = repeats_law(draws, space, 1 << 20);
            close(law.probabilities.iter().sum(), 1.0, 1e-10);
            let wanted = Draw::new(draws, space).mean();
            let spread = repeats_variance(draws, space).sqrt();
            assert!((law.mean() - wanted).abs() < spread * (law.error * 10.0 + 1e-11), "{draws} of {space}");
        }
    }

    #[test]
    fn p_values_keep_far_tails() {
        // Twice the sums of fractions of 200 draws from 1,000.
        for (observed, right) in [(30, 0.006_362_166_072_936_7), (8, 0.003_729_720_967_863_608)] {
            close(repeats_two_sided(observed, 200, 1e3), right, 1e-12);
        }
        close(repeats_two_sided(90, 200, 1e3), 9.799_206_628_373_737e-54, 1.0 / (12.0 * 110.0));
        // A recurrence that is too long and one that is not, on both sides of the mean.
        for observed in [90, 120, 128, 140, 180] {
            let poisson = two_sided(
                super::super::poisson::at_most(127.999_34, observed),
                super::super::poisson::at_least(127.999_34, observed),
            );
            // The variance is 4n/3N of itself smaller, which takes z²/2 of that from a tail z deviations off.
            let z = (observed as f64 - 128.0) / 128f64.sqrt();
            let share = 2f64.powi(-16) * (1.0 + z * z);
            close(repeats_two_sided(observed, 1 << 24, 2f64.powi(40)), poisson, share);
        }
        assert_eq!(repeats_two_sided(300_000, 1 << 24, 2f64.powi(40)), 0.0);
    }

    #[test]
    fn what_cannot_be_has_no_chance() {
        assert_eq!((repeats_law(0, 9.0, 1), repeats_law(1, 9.0, 1)), (Law::certain(0), Law::certain(0)));
        assert_eq!(repeats_law(1 << 40, 1.0, 5), Law::certain((1 << 40) - 1));
        assert_eq!(repeats_law(1 << 40, 2.0, 5).probability((1 << 40) - 2), 1.0);
        assert_eq!((repeats_two_sided(0, 0, 9.0), repeats_two_sided(1, 1, 9.0)), (1.0, 0.0));
        assert_eq!((repeats_two_sided(4, 5, 1.0), repeats_two_sided(3, 5, 1.0)), (1.0, 0.0));
        assert_eq!((repeats_two_sided(2, 5, 2.0), repeats_two_sided(5, 5, 8.0)), (0.0, 0.0));
        let law = repeats_law(100, 1e3, 100);
        assert_eq!((law.probability(99), law.at_most(u64::MAX), law.at_least(0)), (0.0, 1.0, 1.0));
    }

    #[test]
    fn a_cut_law_counts_what_it_leaves_out_as_error() {
        for (draws, space) in [(1_000, 1e3), (1 << 24, 2f64.powi(40))] {
            let law = repeats_law(draws, space, 21);
            assert_eq!(law.probabilities.len(), 21);
            let kept: f64 = law.probabilities.iter().sum();
            assert!((kept + law.error - 1.0).abs() < 2e-8, "{kept} and {}", law.error);
        }
    }
}
