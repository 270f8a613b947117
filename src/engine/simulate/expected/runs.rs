//! Two counters that run within one tick: how often they meet, and with which probability at all.
//!
//! A run of x numbers starts at a place below 2^drawn of 2^counter numbers and wraps; each number has a random tail. Of two
//! runs of x and y ids whose starts differ by d, o(d) numbers are shared and each is one pair with chance 2^−tail: pairs
//! Σ_d w(d) o(d) 2^−tail, and a clash with Σ_d w(d) (1 − (1 − 2^−tail)^o(d)), w(d) the chance of d. The ids of two
//! generators are what falls on them of n that are thrown on so many cells: trinomial, exactly.

use std::cell::RefCell;

/// Points at which a law is summed at most; beyond, on a grid of a sixth of its deviation.
const POINTS: u64 = 128;
/// Longest runs whose overlaps are tabulated; longer ones are taken at their mean overlap.
const TABULATED: u64 = 1 << 20;

/// Counts with their probabilities.
type Law = Vec<(u64, f64)>;

/// The binomial law of n trials of chance p, where it is above e^−50 of its height, weights adding up to 1.
pub(super) fn binomial(trials: u64, p: f64) -> Law {
    if trials == 0 || p >= 1.0 {
        return vec![(trials, 1.0)];
    }
    let n = trials as f64;
    let (mean, spread) = (n * p, (n * p * (1.0 - p)).sqrt());
    let reach = 10.0 * spread + 20.0;
    let (first, last) = ((mean - reach).max(0.0) as u64, (mean + reach).min(n) as u64);
    let step = ((last - first) / POINTS).max(1);
    let log = |k: f64| {
        let ways = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
        ways + k * p.ln() + (n - k) * (-p).ln_1p()
    };
    let mut law: Law = match step {
        1 => by_neighbours(first, last, mean as u64, |k| (n - k) / (k + 1.0) * p / (1.0 - p)),
        _ => (first..=last).step_by(step as usize).map(|k| (k, log(k as f64).exp())).collect(),
    };
    let sum: f64 = law.iter().map(|(_, weight)| weight).sum();
    law.iter_mut().for_each(|(_, weight)| *weight /= sum);
    law
}

/// Weights from the middle outwards, that of k + 1 being `ratio(k)` times that of k.
fn by_neighbours(first: u64, last: u64, middle: u64, ratio: impl Fn(f64) -> f64) -> Law {
    let mut law: Law = (first..=last).map(|k| (k, 1.0)).collect();
    let middle = (middle.clamp(first, last) - first) as usize;
    for at in middle + 1..law.len() {
        law[at].1 = law[at - 1].1 * ratio(law[at - 1].0 as f64);
    }
    for at in (0..middle).rev() {
        law[at].1 = law[at + 1].1 / ratio(law[at].0 as f64);
    }
    law
}

/// Ids that are thrown on cells, of which two are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Thrown {
    pub ids: u64,
    /// Cells, at least 1; a generator in a tick is one.
    pub cells: f64,
}

impl Thrown {
    /// The mean of a function of the ids on one cell.
    pub fn mean(self, of: impl Fn(u64) -> f64) -> f64 {
        binomial(self.ids, 1.0 / self.cells).into_iter().map(|(x, weight)| weight * of(x)).sum()
    }

    /// The mean of a symmetric function of the ids on two cells; 0 where there are no two.
    pub fn mean_of_two(self, of: impl Fn(u64, u64) -> f64) -> f64 {
        if self.cells < 2.0 {
            return 0.0;
        }
        let first = binomial(self.ids, 1.0 / self.cells).into_iter().filter(|(x, _)| *x > 0);
        first
            .map(|(x, weight)| {
                let other = binomial(self.ids - x, 1.0 / (self.cells - 1.0));
                weight * other.into_iter().map(|(y, weight)| weight * of(x, y)).sum::<f64>()
            })
            .sum()
    }

    /// Pairs of an id on the one and an id on the other of two cells.
    pub fn pairs_of_two(self) -> f64 {
        if self.cells < 2.0 { 0.0 } else { 2.0 * super::choose_2(self.ids as f64) / self.cells / self.cells }
    }

    fn most(self) -> u64 {
        binomial(self.ids, 1.0 / self.cells).last().map_or(0, |(most, _)| *most)
    }
}

/// What keeps the ids of a generator apart within a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counting {
    /// Bits of the counter.
    pub bits: u32,
    /// Of these, bits that start at random.
    pub drawn: u32,
    /// Random bits behind.
    pub tail: u32,
    /// Whether it repeats itself when it has come round; else ids wait for the next tick.
    pub wraps: bool,
}

/// What two runs, and one with itself, give on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Met {
    /// Colliding pairs of two runs.
    pub pairs: f64,
    /// −ln P(none) of two runs.
    pub hazard: f64,
    /// Colliding pairs of one run.
    pub own_pairs: f64,
    /// −ln P(none) of one run.
    pub own_hazard: f64,
}

impl Counting {
    /// Whether two runs share each number alike, whatever their lengths.
    fn is_even(self) -> bool {
        self.drawn == self.bits
    }

    /// The pairs of runs of ids thrown on cells: of two, and of one with itself.
    pub fn pairs(self, thrown: Thrown) -> (f64, f64) {
        let tail = (-f64::from(self.tail)).exp2();
        if self.is_even() {
            let two = thrown.pairs_of_two() * tail / self.numbers();
            return (two, self.with_itself(thrown, &Gain::linear(tail, 0)));
        }
        let gain = Gain::linear(tail, thrown.most());
        (thrown.mean_of_two(|x, y| self.two(x, y, &gain)), self.with_itself(thrown, &gain))
    }

    /// −ln P(none) of runs of ids thrown on cells: of two, and of one with itself. What two runs of given lengths do is
    /// looked up where it is known already.
    pub fn hazards(self, thrown: Thrown, known: &Known) -> (f64, f64) {
        let gain = Gain::chance((-f64::from(self.tail)).exp2(), thrown.most());
        let two = thrown.mean_of_two(|x, y| known.or(x, y, || self.two(x, y, &gain)));
        (open(two), open(self.with_itself(thrown, &gain)))
    }

    /// What a run gains from having come round.
    fn with_itself(self, thrown: Thrown, gain: &Gain) -> f64 {
        let comes_round = self.wraps && self.numbers() < thrown.most() as f64;
        if comes_round { thrown.mean(|x| gain.at(self.own(x))) } else { 0.0 }
    }

    /// Both.
    pub fn met(self, thrown: Thrown, known: &Known) -> Met {
        let (pairs, own_pairs) = self.pairs(thrown);
        let (hazard, own_hazard) = self.hazards(thrown, known);
        Met { pairs, hazard, own_pairs, own_hazard }
    }

    fn numbers(self) -> f64 {
        f64::from(self.bits).exp2()
    }

    /// Numbers that come twice within a run, counted by pairs.
    fn own(self, x: u64) -> f64 {
        let (times, rest) = (x >> self.bits, x & super::super::source::mask(self.bits));
        let (times, rest) = (times as f64, rest as f64);
        // Each number comes ⌊x/M⌋ times, and `rest` of them once more.
        self.numbers() * super::choose_2(times) + rest * times
    }

    /// What two runs gain on average over their starts.
    fn two(self, x: u64, y: u64, gain: &Gain) -> f64 {
        let (x, y) = (x.min(y), x.max(y));
        if x == 0 {
            return 0.0;
        }
        let (numbers, starts) = (self.numbers(), f64::from(self.drawn).exp2());
        if self.drawn == 0 && self.bits > 0 {
            return gain.at(self.in_step(x, y));
        }
        if self.is_even() {
            return match (x + y) as f64 <= numbers && y < gain.tabulated() {
                true => gain.over(x, y, 1.0, 0.0) / numbers,
                // Starts are as good as equal everywhere: the mean overlap.
                false => gain.at(x as f64 * y as f64 / numbers),
            };
        }
        match (y as f64) < starts && y < gain.tabulated() {
            true => gain.over(x, y, starts, 1.0) / starts / starts,
            false => self.one_by_one(x, y, gain),
        }
    }

    /// Pairs of equal numbers of two runs that start at one place.
    fn in_step(self, x: u64, y: u64) -> f64 {
        if !self.wraps {
            return x.min(y) as f64;
        }
        let low = super::super::source::mask(self.bits);
        let (a, b) = ((x >> self.bits) as f64, (y >> self.bits) as f64);
        let (r, s) = ((x & low) as f64, (y & low) as f64);
        self.numbers() * a * b + a * s + b * r + r.min(s)
    }

    /// The sum over all differences of starts where runs are longer than the places of their starts.
    fn one_by_one(self, x: u64, y: u64, gain: &Gain) -> f64 {
        let (numbers, starts) = (self.numbers(), f64::from(self.drawn).exp2());
        let of = |d: i64| {
            let e = (d as f64).rem_euclid(numbers);
            let round = if e > 0.0 { (starts - (numbers - e)).max(0.0) } else { 0.0 };
            let shared = (x as i64).min(d + y as i64) - d.max(0);
            ((starts - e).max(0.0) + round) * gain.at(shared as f64)
        };
        ((1 - y as i64)..x as i64).map(of).sum::<f64>() / starts / starts
    }
}

/// Lengths of runs below which two of them are kept.
const KEPT: usize = 1 << 10;

/// How likely two runs of one counting are to meet, by their lengths, as far as it was asked: a run of many ticks asks for the
/// same lengths again and again.
pub(super) struct Known(RefCell<Vec<f64>>);

impl Known {
    pub fn new() -> Known {
        Known(RefCell::new(Vec::new()))
    }

    /// What is known of two lengths, in either order, or else is found.
    fn or(&self, x: u64, y: u64, find: impl FnOnce() -> f64) -> f64 {
        let (less, more) = (x.min(y) as usize, x.max(y) as usize);
        if more >= KEPT {
            return find();
        }
        // A triangle: all shorter ones before each longer one.
        let place = more * (more + 1) / 2 + less;
        let mut all = self.0.borrow_mut();
        if all.len() <= place {
            all.resize(place + 1, f64::NAN);
        }
        if all[place].is_nan() {
            all[place] = find();
        }
        all[place]
    }
}

/// −ln (1 − p).
fn open(p: f64) -> f64 {
    -(-p.min(1.0)).ln_1p()
}

/// What shared numbers are worth: pairs, or the probability of a clash; with sums over 1 … k of it and of k times it.
struct Gain {
    tail: f64,
    linear: bool,
    sums: Vec<(f64, f64)>,
}

impl Gain {
    fn linear(tail: f64, most: u64) -> Gain {
        Gain { tail, linear: true, sums: Vec::new() }.tabled(most)
    }

    fn chance(tail: f64, most: u64) -> Gain {
        Gain { tail, linear: false, sums: Vec::new() }.tabled(most)
    }

    fn tabled(mut self, most: u64) -> Gain {
        let mut sums = (0.0, 0.0);
        self.sums = (0..=most.min(TABULATED))
            .map(|shared| {
                let gain = self.at(shared as f64);
                sums = (sums.0 + gain, sums.1 + shared as f64 * gain);
                sums
            })
            .collect();
        self
    }

    fn tabulated(&self) -> u64 {
        self.sums.len() as u64
    }

    /// Of so many shared numbers.
    fn at(&self, shared: f64) -> f64 {
        match self.linear {
            true => shared * self.tail,
            // A tail of no bits is always equal.
            false if self.tail >= 1.0 => shared.min(1.0),
            false => -(shared * (-self.tail).ln_1p()).exp_m1(),
        }
    }

    /// Σ_d (c − s|d|) gain(o(d)) over all differences of runs of x ≤ y ids.
    fn over(&self, x: u64, y: u64, c: f64, s: f64) -> f64 {
        let (longer, inner) = ((y - x) as f64, self.sums[x as usize - 1]);
        let within = (longer + 1.0) * (c - s * longer / 2.0) * self.at(x as f64);
        // Towards either end o falls from x − 1 to 1, where |d| is x − o and y − o.
        within + 2.0 * (c * inner.0 + s * inner.1) - s * (x + y) as f64 * inner.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means over every pair of starts, number by number.
    fn brute(counting: Counting, x: u64, y: u64) -> (f64, f64) {
        let (numbers, starts) = (1u64 << counting.bits, 1u64 << counting.drawn);
        let tail = (-f64::from(counting.tail)).exp2();
        let (mut pairs, mut chance) = (0.0, 0.0);
        for a in 0..starts {
            for b in 0..starts {
                let times = |start: u64, ids: u64, at: u64| {
                    (0..ids).filter(|i| (start + i) % numbers == at).count() as f64
                };
                let shared: f64 = (0..numbers).map(|at| times(a, x, at) * times(b, y, at)).sum();
                pairs += shared * tail;
                chance += 1.0 - (1.0 - tail).powf(shared);
            }
        }
        let all = (starts * starts) as f64;
        (pairs / all, chance / all)
    }

    #[test]
    fn two_runs_meet_as_often_as_going_through_all_starts_gives() {
        for (bits, drawn, tail) in
            [(5, 5, 0), (5, 5, 3), (6, 5, 0), (6, 4, 2), (4, 0, 1), (4, 0, 0), (6, 2, 1)]
        {
            let counting = Counting { bits, drawn, tail, wraps: true };
            let share = (-f64::from(tail)).exp2();
            for (x, y) in [(1, 1), (1, 7), (3, 3), (5, 9), (9, 5), (12, 2)] {
                let (pairs, chance) = brute(counting, x, y);
                let got = counting.two(x, y, &Gain::linear(share, 40));
                assert!((got / pairs - 1.0).abs() < 1e-12, "{counting:?} {x} {y}: {got} {pairs}");
                let got = counting.two(x, y, &Gain::chance(share, 40));
                assert!((got / chance - 1.0).abs() < 1e-12, "{counting:?} {x} {y}: {got} {chance}");
            }
        }
    }

    #[test]
    fn a_run_that_comes_round_meets_itself() {
        let counting = Counting { bits: 2, drawn: 2, tail: 0, wraps: true };
        // 10 ids on 4 numbers: 3, 3, 2, 2.
        assert_eq!(counting.own(10), 8.0);
        let met = counting.met(Thrown { ids: 10, cells: 1.0 }, &Known::new());
        assert_eq!((met.pairs, met.own_pairs, met.own_hazard), (0.0, 8.0, f64::INFINITY));
        assert_eq!(
            Counting { bits: 4, drawn: 4, ..counting }
                .met(Thrown { ids: 10, cells: 1.0 }, &Known::new())
                .own_pairs,
            0.0
        );
    }

    #[test]
    fn ids_thrown_on_two_cells_are_trinomial() {
        // 7 ids on 3 cells: E[XY] = 7 · 6/9; E[min(X, Y)] by all 3^7 ways.
        let thrown = Thrown { ids: 7, cells: 3.0 };
        assert!((thrown.mean_of_two(|x, y| (x * y) as f64) - 42.0 / 9.0).abs() < 1e-12);
        assert!((thrown.pairs_of_two() - 42.0 / 9.0).abs() < 1e-12);
        let mut sum = 0.0;
        for way in 0..3u32.pow(7) {
            let digits = (0..7).map(|place| way / 3u32.pow(place) % 3);
            let on = |cell| digits.clone().filter(|digit| *digit == cell).count();
            sum += on(0).min(on(1)) as f64;
        }
        let got = thrown.mean_of_two(|x, y| x.min(y) as f64);
        assert!((got - sum / 2187.0).abs() < 1e-12, "{got}");
        // On a grid: the mean of |X − Y|² = 2n/cells.
        let many = Thrown { ids: 1_000_000, cells: 10.0 };
        let got = many.mean_of_two(|x, y| (x as f64 - y as f64).powi(2));
        assert!((got / 2e5 - 1.0).abs() < 1e-6, "{got}");
    }
}
