//! Clashes of ids told apart by the tick of a clock, by how the ids arrive: Poisson, steady, batched, bursty.
//!
//! Each tick has N equally likely values of its own, and only ids of one tick can clash. Of k ids in a tick
//! come k(k − 1)/2N colliding pairs, and repeats and the hazard t of the birthday problem as in `occupancy` and
//! `birthday`; here these are averaged over the arrivals of a tick and joined over all ticks, each exactly:
//!
//! - Poisson, mean λ: pairs λ²/2N, repeats N(μ − 1 + e^−μ), hazard N(μ − ln(1 + μ)), μ = λ/N (see `bucket`);
//! - steady, ⌊λ⌋ or ⌈λ⌉ ids a tick: the two cases, as often as each comes;
//! - batched, batches of m ids at Poisson times, β = λ/m a tick: pairs (λ² + λ(m − 1))/2N, repeats
//!   βR + N(e^−βc − 1 + βc) with R those of one batch and c = (m − R)/N, hazard −ln Σ_b P(b) e^−t(bm);
//! - bursty, all ids in a share of the ticks: Poisson of mean λ/duty in those.
//!
//! Also ids of several generators that count up within a tick, where only those of different generators clash.
//!
//! Range: values from 1 to 2^900, at most 2^53 ids a tick. Relative errors below 1e-12 unless said.

use super::birthday::hazard;
use super::bucket::Buckets;
use super::logspace::{Chance, Wide};
use super::occupancy::{exp_rest, expected_repeats_in};
use super::poisson::ln_pmf;
use super::sequence::shared_tick_duplicates;
use super::trials::pairs;

/// How ids arrive over the ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrivals {
    /// Each at a time of its own.
    Poisson,
    /// Evenly: tick i (from 1) takes ⌊iλ⌋ − ⌊(i − 1)λ⌋, products rounded to the nearest double first.
    Steady,
    /// In batches of so many ids that share a tick, each batch at a time of its own.
    Batched {
        /// Ids in a batch, at least 1.
        ids: u64,
    },
    /// Poisson in a share of the ticks, none in the others.
    Bursty {
        /// That share, above 0, at most 1.
        duty: f64,
    },
}

/// A run of ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ticks {
    arrivals: Arrivals,
    ids_per_tick: f64,
    values: f64,
    ticks: f64,
}

impl Ticks {
    /// `ticks` ticks with `ids_per_tick` on average, each with `values` equally likely values.
    ///
    /// # Panics
    /// Where the ids of a tick are negative or beyond 2^53, the values below 1 or infinite, a batch holds no id, or the
    /// duty lies outside 0 … 1, 0 excluded.
    pub fn new(arrivals: Arrivals, ids_per_tick: f64, values: f64, ticks: u64) -> Ticks {
        assert!((0.0..=9_007_199_254_740_992.0).contains(&ids_per_tick), "{ids_per_tick} ids a tick");
        assert!(values.is_finite() && values >= 1.0, "{values} values in a tick");
        check(arrivals);
        Ticks { arrivals, ids_per_tick, values, ticks: ticks as f64 }
    }

    /// E(colliding pairs) over the run.
    pub fn expected_pairs(&self) -> f64 {
        let ids = self.ids_per_tick;
        let doubled = match self.arrivals {
            Arrivals::Poisson => ids * ids,
            Arrivals::Steady => return self.steadily(|ids| ids * (ids - 1.0) / (2.0 * self.values)),
            Arrivals::Batched { ids: batch } => ids * (ids + (batch - 1) as f64),
            Arrivals::Bursty { duty } => ids * ids / duty,
        };
        doubled / (2.0 * self.values) * self.ticks
    }

    /// E(repeats), ids less the values they take in each tick, over the run.
    pub fn expected_repeats(&self) -> f64 {
        let values = self.values;
        let of_poisson = |ids: f64| values * exp_rest(ids / values);
        let a_tick = match self.arrivals {
            Arrivals::Poisson => of_poisson(self.ids_per_tick),
            Arrivals::Steady => return self.steadily(|ids| repeats(ids, values)),
            Arrivals::Batched { ids } => {
                let batches = self.ids_per_tick / ids as f64;
                let within = repeats(ids as f64, values);
                batches * within + of_poisson(batches * (ids as f64 - within))
            }
            Arrivals::Bursty { duty } => duty * of_poisson(self.ids_per_tick / duty),
        };
        a_tick * self.ticks
    }

    /// P(some two ids of one tick agree).
    ///
    /// Batches take about 20√β steps, with β batches a tick.
    pub fn chance(&self) -> Chance {
        let poisson = |ids, ticks| Buckets::new(1.0, Wide::new(self.values)).chance_of_poisson(ids, ticks);
        match self.arrivals {
            Arrivals::Poisson => poisson(self.ids_per_tick, self.ticks),
            Arrivals::Steady => Chance::from_hazard(self.steadily(|ids| hazard(ids, self.values))),
            Arrivals::Batched { ids } => Chance::from_hazard(
                hazard_of_batches(self.ids_per_tick, ids as f64, self.values) * self.ticks,
            ),
            Arrivals::Bursty { duty } => poisson(self.ids_per_tick / duty, self.ticks * duty),
        }
    }

    /// Over ticks of ⌊λ⌋ and of one more; of the latter there are ⌊Tλ⌋ − T⌊λ⌋, with the product as the nearest
    /// double, so that 10 ticks of 2.4 hold 24.
    fn steadily(&self, of_tick: impl Fn(f64) -> f64) -> f64 {
        let few = self.ids_per_tick.floor();
        let fuller = ((self.ids_per_tick * self.ticks).floor() - few * self.ticks).clamp(0.0, self.ticks);
        let part = |ticks: f64, ids: f64| if ticks > 0.0 { ticks * of_tick(ids) } else { 0.0 };
        part(self.ticks - fuller, few) + part(fuller, few + 1.0)
    }
}

/// # Panics
/// As [`Ticks::new`].
fn check(arrivals: Arrivals) {
    match arrivals {
        Arrivals::Batched { ids } => assert!(ids >= 1, "a batch of no ids"),
        Arrivals::Bursty { duty } => assert!(duty > 0.0 && duty <= 1.0, "{duty} is no share of the ticks"),
        Arrivals::Poisson | Arrivals::Steady => {}
    }
}

fn repeats(ids: f64, values: f64) -> f64 {
    expected_repeats_in(Wide::new(ids), Wide::new(values)).as_f64()
}

/// −ln P(no clash in a tick) with batches of `batch` ids at a Poisson rate.
///
/// From P(clash) where that is below ½, else from P(none); both are sums of positive terms.
fn hazard_of_batches(ids: f64, batch: f64, values: f64) -> f64 {
    let rate = ids / batch;
    if rate == 0.0 {
        return 0.0;
    }
    let none = |batches: f64| ln_pmf(rate, batches) - hazard(batches * batch, values);
    let some = |batches: f64| ln_pmf(rate, batches) + (-(-hazard(batches * batch, values)).exp_m1()).ln();
    // One batch of 1 id cannot clash.
    let chance = sum_of_exponentials(some, if batch < 2.0 { 2.0 } else { 1.0 }, rate);
    if chance < (0.5f64).ln() { -(-chance.exp()).ln_1p() } else { -sum_of_exponentials(none, 0.0, rate) }
}

/// ln Σ e^f(k) over whole k from `first` on, for an f that rises to one peak, below `scale` or not far above,
/// and falls.
fn sum_of_exponentials(f: impl Fn(f64) -> f64, first: f64, scale: f64) -> f64 {
    let (mut low, mut high) = (first, first + 2.0 * scale.ceil() + 64.0);
    while low < high {
        let middle = ((low + high) / 2.0).floor();
        if f(middle + 1.0) > f(middle) { low = middle + 1.0 } else { high = middle }
    }
    let peak = f(low);
    let term = |k: f64| (f(k) - peak).exp();
    let side = |step: f64| {
        (1..=u64::MAX)
            .map(|away| low + step * away as f64)
            .take_while(|k| *k >= first)
            .map(term)
            .take_while(|term| *term > 1e-20)
            .sum::<f64>()
    };
    peak + (1.0 + side(1.0) + side(-1.0)).ln()
}

/// Generators that each count up within a tick and add random bits, so that an id of one never equals another
/// of its own while its counter does not wrap; loads are equal and independent, bursts common to all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counters {
    /// How many.
    pub generators: u64,
    /// Random bits beside the counter.
    pub tail_bits: u32,
}

impl Counters {
    /// Expected colliding pairs in a tick, of counters that start anywhere among 2^c numbers and go on round:
    /// C(K, 2) E(a) E(b)/2^(c + r), since each number of one run is met by b/2^c of another on average, whatever their
    /// lengths. A burst raises it by 1/duty. Exact.
    ///
    /// # Panics
    /// As [`Ticks::new`] for the arrivals and the ids of each.
    pub fn expected_pairs_from_random(&self, arrivals: Arrivals, ids_each: f64, counter_bits: u32) -> Wide {
        check(arrivals);
        let duty = if let Arrivals::Bursty { duty } = arrivals { duty } else { 1.0 };
        let met = Wide::new(ids_each).times(Wide::new(ids_each)).over(Wide::new(duty));
        self.of_pairs(met.over(Wide::exp2(f64::from(counter_bits))))
    }

    /// Expected colliding pairs in a tick, of counters that start at 0: C(K, 2) Σ_j P(a > j) P(b > j)/2^r, the sum
    /// being E(min(a, b)). Counters do not wrap. Steady generators are in step.
    ///
    /// # Panics
    /// As [`Ticks::new`] for the arrivals and the ids of each.
    pub fn expected_pairs_from_zero(&self, arrivals: Arrivals, ids_each: f64) -> Wide {
        check(arrivals);
        let shared = match arrivals {
            Arrivals::Poisson => shared_tick_duplicates(ids_each),
            Arrivals::Steady => ids_each,
            Arrivals::Batched { ids } => ids as f64 * shared_tick_duplicates(ids_each / ids as f64),
            Arrivals::Bursty { duty } => duty * shared_tick_duplicates(ids_each / duty),
        };
        self.of_pairs(Wide::new(shared))
    }

    /// Over all pairs of generators, where the random bits agree.
    fn of_pairs(&self, each: Wide) -> Wide {
        pairs(self.generators as f64).times(each).over(Wide::exp2(f64::from(self.tail_bits)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::poisson;
    use super::*;

    fn close(got: f64, right: f64, error: f64) {
        assert!((got / right - 1.0).abs() < error, "got {got:e}, right {right:e}");
    }

    fn hazard_of(ticks: Ticks) -> f64 {
        ticks.chance().hazard().expect("not certain").as_f64()
    }

    /// Pairs, repeats and P(no clash) of one tick, by adding up P(k ids) times what k ids give: k(k − 1)/2N, the
    /// recursion of distinct values, and the product of 1 − i/N.
    fn summed(weights: &[f64], values: f64) -> [f64; 3] {
        let (mut sums, mut distinct, mut differ) = ([0.0; 3], 0.0, 1.0);
        for (ids, weight) in weights.iter().enumerate() {
            let k = ids as f64;
            sums[0] += weight * k * (k - 1.0) / (2.0 * values);
            sums[1] += weight * (k - distinct);
            sums[2] += weight * differ;
            distinct += 1.0 - distinct / values;
            differ *= (1.0 - k / values).max(0.0);
        }
        sums
    }

    fn poisson_of_batches(ids: f64, batch: usize) -> Vec<f64> {
        let mut weights = vec![0.0; 600 * batch];
        for batches in 0..600 {
            weights[batches * batch] = poisson::pmf(ids / batch as f64, batches as u64);
        }
        weights
    }

    #[test]
    fn each_way_of_arriving_is_the_sum_over_its_counts() {
        for (ids, values) in [(0.3, 50.0), (3.0, 1_000.0), (40.0, 1e5), (40.0, 100.0), (5.0, 1.0)] {
            let mut cases = vec![(Arrivals::Poisson, 1.0, poisson_of_batches(ids, 1))];
            cases.extend([1, 2, 7].map(|batch| {
                (Arrivals::Batched { ids: batch }, 1.0, poisson_of_batches(ids, batch as usize))
            }));
            cases.push((Arrivals::Bursty { duty: 0.25 }, 0.25, poisson_of_batches(4.0 * ids, 1)));
            for (arrivals, share, weights) in cases {
                let ticks = Ticks::new(arrivals, ids, values, 1_000);
                let [pairs, repeats, none] = summed(&weights, values);
                close(ticks.expected_pairs(), 1_000.0 * share * pairs, 1e-12);
                close(ticks.expected_repeats(), 1_000.0 * share * repeats, 1e-10);
                // 1 − P(none) leaves 1e-16 of a hazard that is 1e-5 at least.
                close(hazard_of(ticks), -1_000.0 * share * none.ln(), 1e-10);
            }
        }
    }

    #[test]
    fn batches_of_one_have_the_closed_form_of_poisson() {
        for (ids, values) in [
            (1e-3, 2f64.powi(74)),
            (1.0, 2f64.powi(62)),
            (1e4, 2f64.powi(40)),
            (1e6, 2f64.powi(30)),
            (2e6, 1e4),
        ] {
            let [batched, single] = [Arrivals::Batched { ids: 1 }, Arrivals::Poisson]
                .map(|arrivals| hazard_of(Ticks::new(arrivals, ids, values, 1 << 40)));
            close(batched, single, 2e-12);
        }
    }

    #[test]
    fn steady_ids_are_the_birthday_of_each_tick() {
        // λ = 2.4 over 10 ticks: ⌊2.4 i⌋ steps by 2 six times and by 3 four times.
        let ticks = Ticks::new(Arrivals::Steady, 2.4, 100.0, 10);
        close(ticks.expected_pairs(), (6.0 + 4.0 * 3.0) / 100.0, 1e-13);
        // Of three 3/N − 1/N² repeats.
        close(ticks.expected_repeats(), 6.0 / 100.0 + 4.0 * (0.03 - 1e-4), 1e-12);
        close(hazard_of(ticks), -6.0 * 0.99f64.ln() - 4.0 * (0.99f64 * 0.98).ln(), 1e-13);
        // At most one in a tick.
        let sparse = Ticks::new(Arrivals::Steady, 0.7, 100.0, 1_000);
        assert_eq!((sparse.expected_pairs(), sparse.expected_repeats()), (0.0, 0.0));
        assert_eq!(sparse.chance(), Chance::NEVER);
        assert_eq!(Ticks::new(Arrivals::Steady, 5.0, 4.0, 1).chance(), Chance::Certain);
    }

    #[test]
    fn a_large_batch_alone_is_a_birthday() {
        // One batch in 10^6 ticks on average: t = (1 − e^−t(m)) of it, and a second batch in the tick is 1e-6 of it.
        let ticks = Ticks::new(Arrivals::Batched { ids: 1_000 }, 1e-3, 2f64.powi(30), 1_000_000);
        let alone = super::super::birthday::probability(1_000.0, 2f64.powi(30));
        close(hazard_of(ticks), alone, 5e-6);
        // 3.6 batches of 64 in 16 values: only a tick without any has no clash.
        let certain = Ticks::new(Arrivals::Batched { ids: 64 }, 3.6 * 64.0, 16.0, 1);
        close(hazard_of(certain), 3.6, 1e-13);
        assert_eq!(Ticks::new(Arrivals::Batched { ids: 3 }, 0.0, 16.0, 9).chance(), Chance::NEVER);
    }

    /// SplitMix64 (G. Steele, D. Lea and C. Flood, 2014).
    struct Stream(u64);

    impl Stream {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }

        fn uniform(&mut self) -> f64 {
            (self.next() >> 11) as f64 * 2f64.powi(-53)
        }

        /// Of Poisson's law: factors until the product is below e^−mean.
        fn poisson(&mut self, mean: f64) -> u64 {
            let (mut product, mut count) = (self.uniform(), 0);
            while product > (-mean).exp() {
                product *= self.uniform();
                count += 1;
            }
            count
        }
    }

    #[test]
    fn drawn_ticks_agree() {
        let (values, trials, mean) = (64u64, 40_000u32, 6.0);
        let mut stream = Stream(20_240_607);
        for arrivals in [Arrivals::Poisson, Arrivals::Batched { ids: 3 }, Arrivals::Bursty { duty: 0.5 }] {
            let mut sums = [[0.0f64; 2]; 3];
            for _ in 0..trials {
                let ids = match arrivals {
                    Arrivals::Batched { ids } => ids * stream.poisson(mean / ids as f64),
                    Arrivals::Bursty { duty } if stream.uniform() < duty => stream.poisson(mean / duty),
                    Arrivals::Bursty { .. } => 0,
                    _ => stream.poisson(mean),
                };
                let mut seen = vec![0u32; values as usize];
                (0..ids).for_each(|_| seen[(stream.next() % values) as usize] += 1);
                let pairs: u32 = seen.iter().map(|k| k * k.saturating_sub(1) / 2).sum();
                let repeats: u32 = seen.iter().map(|k| k.saturating_sub(1)).sum();
                for (sum, x) in sums.iter_mut().zip([
                    f64::from(pairs),
                    f64::from(repeats),
                    f64::from(u8::from(pairs > 0)),
                ]) {
                    *sum = [sum[0] + x, sum[1] + x * x];
                }
            }
            let ticks = Ticks::new(arrivals, mean, values as f64, 1);
            // A burst is a share of ticks here, so that no clash is the mixture with ticks of none.
            let (clash, share) = match arrivals {
                Arrivals::Bursty { duty } => {
                    (Ticks::new(Arrivals::Poisson, mean / duty, values as f64, 1), duty)
                }
                _ => (ticks, 1.0),
            };
            let due = [ticks.expected_pairs(), ticks.expected_repeats(), share * clash.chance().as_f64()];
            for (sum, due) in sums.iter().zip(due) {
                // Six standard errors: nine comparisons fail once in 6e7 seeds; the seed is fixed.
                let n = f64::from(trials);
                let error = 6.0 * ((sum[1] / n - (sum[0] / n).powi(2)) / n).sqrt();
                assert!((sum[0] / n - due).abs() < error, "{arrivals:?}: {} for {due}, ±{error}", sum[0] / n);
            }
        }
    }

    #[test]
    fn random_counters_meet_as_counting_every_start_finds() {
        // Two runs of every length on a circle of 8, the second from every start.
        let circle = 8u64;
        for (a, b) in [(1u64, 1u64), (3, 5), (8, 8), (11, 4)] {
            let run = |start: u64, length: u64, value: u64| {
                (0..length).filter(|i| (start + i) % circle == value).count()
            };
            let met: usize = (0..circle)
                .map(|start| (0..circle).map(|v| run(0, a, v) * run(start, b, v)).sum::<usize>())
                .sum();
            assert_eq!(met as u64, a * b);
        }
        // So 3 pairs of generators with 5 ids each give 3 · 25/8, a fourth of it with 2 random bits.
        let counters = Counters { generators: 3, tail_bits: 2 };
        let pairs = |arrivals| counters.expected_pairs_from_random(arrivals, 5.0, 3).as_f64();
        close(pairs(Arrivals::Steady), 75.0 / 32.0, 1e-14);
        close(pairs(Arrivals::Bursty { duty: 0.1 }), 750.0 / 32.0, 1e-14);
        assert!(
            Counters { generators: 1, tail_bits: 0 }
                .expected_pairs_from_random(Arrivals::Poisson, 5.0, 3)
                .is_zero()
        );
    }

    #[test]
    fn counters_from_zero_share_what_both_reach() {
        // E min(a, b) over every two counts.
        let smaller = |mean: f64, batch: u64| -> f64 {
            let p = |k: u64| poisson::pmf(mean, k);
            (0..150).map(|a| (0..150).map(|b| (a.min(b) * batch) as f64 * p(a) * p(b)).sum::<f64>()).sum()
        };
        let counters = Counters { generators: 4, tail_bits: 5 };
        let pairs = |arrivals| counters.expected_pairs_from_zero(arrivals, 6.0).as_f64() * 32.0 / 6.0;
        close(pairs(Arrivals::Poisson), smaller(6.0, 1), 1e-12);
        close(pairs(Arrivals::Batched { ids: 3 }), smaller(2.0, 3), 1e-12);
        close(pairs(Arrivals::Bursty { duty: 0.2 }), 0.2 * smaller(30.0, 1), 1e-12);
        close(pairs(Arrivals::Steady), 6.0, 1e-14);
    }
}
