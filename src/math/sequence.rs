//! Ids told apart by a counter within a tick of a clock: when it runs out, rolls over, or is shared.
//!
//! v1 has 2^14 clock sequences a tick of 100 ns, a Snowflake 2^12 numbers a millisecond, a v7 counter starts
//! at a random seed. Exact forms; relative errors 2^-51 unless said. Birthdays on node and process numbers
//! are in `birthday`.

use super::logspace::{Chance, Wide};
use super::{poisson, trials};

/// Repeats among ids that share one tick with `values` numbers to give: ids − values, never below 0. Exact.
pub fn repeats_in_tick(ids: u128, values: u128) -> u128 {
    ids.saturating_sub(values)
}

/// Ids a second that one generator can tell apart: numbers a tick over its length.
///
/// # Panics
/// Where the tick is not a finite positive number.
pub fn capacity_per_s(values_per_tick: Wide, tick_s: f64) -> Wide {
    values_per_tick.over(Wide::new(tick_s))
}

/// P(more than 2^bits ids in a tick) with Poisson arrivals of this mean; relative error below 1e-12 to
/// 1e-300.
///
/// # Panics
/// Where the mean is negative or not finite.
pub fn overflow(mean: f64, bits: u32) -> Chance {
    1u64.checked_shl(bits).map_or(Chance::NEVER, |values| poisson::chance_at_least(mean, values + 1))
}

/// P(a counter rolls over within a tick): it starts at a uniform seed of `seed_bits` and counts `ids` ids in
/// `counter_bits`, so that it passes its end with chance (ids − 1 − (2^c − 2^s))/2^s, cut to 0 … 1.
///
/// # Panics
/// Where the seed has more bits than the counter.
pub fn rollover(ids: u64, counter_bits: u32, seed_bits: u32) -> f64 {
    assert!(seed_bits <= counter_bits, "a seed of {seed_bits} bits for a counter of {counter_bits}");
    let guard: u128 = match counter_bits {
        _ if counter_bits == seed_bits => 0,
        0..=65 => (1 << counter_bits) - (1 << seed_bits),
        // Half the counter at least, beyond every count of 64 bits.
        _ => return 0.0,
    };
    let past = u128::from(ids).saturating_sub(1).saturating_sub(guard);
    Wide::new(past as f64).over(Wide::exp2(f64::from(seed_bits))).as_f64().min(1.0)
}

/// P(two counters that each give `ids_each` numbers from a random start meet), (2m − 1)/N, cut to 1; numbers
/// wrap.
pub fn run_overlap(ids_each: u64, space: Wide) -> Wide {
    if ids_each == 0 {
        return Wide::ZERO;
    }
    let share = Wide::new(2.0 * ids_each as f64 - 1.0).over(space);
    if share > Wide::ONE { Wide::ONE } else { share }
}

/// Pairs of equal ids a second from two clones of one node, r_a r_b tick / 2^bits: Poisson arrivals in the
/// same tick, with sequences that agree by chance; 0 bits where the clones kept the same sequence.
pub fn clone_pairs_per_s(rate_a_per_s: f64, rate_b_per_s: f64, tick_s: f64, sequence_bits: u32) -> Wide {
    Wide::new(rate_a_per_s)
        .times(Wide::new(rate_b_per_s))
        .times(Wide::new(tick_s))
        .over(Wide::exp2(f64::from(sequence_bits)))
}

/// P(two workers of one number make an equal id in a tick) where sequences start at 0 each tick: both make
/// any, (1 − e^−λ)² with Poisson arrivals of mean λ each.
///
/// # Panics
/// Where the mean is negative or not finite.
pub fn shared_tick_probability(mean: f64) -> f64 {
    Chance::from_hazard(mean).as_f64().powi(2)
}

/// Mean number of equal ids in a tick of two workers of one number whose sequences start at 0:
/// E[min(X, Y)] = Σ P(X ≥ k)².
///
/// From a mean of 32 on λ − λ e^−2λ (I₀(2λ) + I₁(2λ)) by Hankel's expansion (DLMF 10.40.1), whose least term
/// is below e^−128; the sum would take √λ terms. Relative error below 1e-12.
///
/// # Panics
/// Where the mean is negative or not finite.
pub fn shared_tick_duplicates(mean: f64) -> f64 {
    assert!(mean.is_finite() && mean >= 0.0, "{mean} is no mean of a count");
    if mean >= 32.0 {
        return mean
            - (mean / std::f64::consts::PI).sqrt() * (hankel(0.0, 2.0 * mean) + hankel(1.0, 2.0 * mean))
                / 2.0;
    }
    let mut sum = 0.0;
    for k in 1.. {
        let both = poisson::at_least(mean, k).powi(2);
        sum += both;
        if both <= sum * 1e-18 {
            break;
        }
    }
    sum
}

/// √(2πx) e^−x I_ν(x) by Hankel's expansion.
fn hankel(order: f64, x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..60 {
        let odd = f64::from(2 * k - 1);
        term *= (odd * odd - 4.0 * order * order) / (f64::from(8 * k) * x);
        sum += term;
        if term.abs() < 1e-17 {
            break;
        }
    }
    sum
}

/// Span of a field of `bits` bits that counts units of time, until it wraps: 2^bits · unit.
pub fn life_s(bits: u32, unit_s: f64) -> Wide {
    Wide::exp2(f64::from(bits)).times(Wide::new(unit_s))
}

/// At least one equal tail among pairs that already share tick and counter: 1 − (1 − 2^−tail)^pairs.
pub fn race(pairs: Wide, tail_bits: u32) -> Chance {
    let tail = Wide::exp2(-f64::from(tail_bits));
    // −ln(1 − x) is x below every digit of f64 once x < 2^-60.
    let each = if tail_bits > 60 { Chance::Open(tail) } else { Chance::from_probability(tail.as_f64()) };
    trials::any_of(pairs, each)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, right: f64) {
        assert!((got / right - 1.0).abs() < 1e-12, "got {got:e}, right {right:e}");
    }

    #[test]
    fn a_tick_repeats_what_its_values_do_not_cover() {
        assert_eq!(repeats_in_tick(100_000, 1 << 14), 83_616);
        assert_eq!(repeats_in_tick(1 << 14, 1 << 14), 0);
        assert_eq!(repeats_in_tick(u128::MAX, 1), u128::MAX - 1);
    }

    #[test]
    fn guard_bits_keep_a_counter_from_rolling_over() {
        assert_eq!(rollover(100, 12, 12), 99.0 / 4_096.0);
        assert_eq!(rollover(100, 13, 12), 0.0);
        assert_eq!(rollover(4_097, 13, 12), 0.0);
        assert_eq!(rollover(4_098, 13, 12), 1.0 / 4_096.0);
        assert_eq!((rollover(0, 12, 12), rollover(1, 0, 0), rollover(u64::MAX, 12, 12)), (0.0, 0.0, 1.0));
        assert_eq!((rollover(u64::MAX, 5_000, 0), rollover(u64::MAX, 64, 0)), (0.0, 0.0));
        assert_eq!(rollover(u64::MAX, 4_000, 4_000), 0.0);
        assert_eq!(rollover((1 << 60) + 1, 64, 64), 1.0 / 16.0);
    }

    #[test]
    fn runs_meet_surely_once_they_fill_half_the_cycle() {
        let cycle = Wide::new(16.0);
        assert_eq!(run_overlap(0, cycle), Wide::ZERO);
        assert_eq!(run_overlap(1, cycle), Wide::new(1.0 / 16.0));
        assert_eq!((run_overlap(8, cycle), run_overlap(9, cycle)), (Wide::new(15.0 / 16.0), Wide::ONE));
    }

    #[test]
    fn clocks_and_fields_last_as_long_as_their_bits() {
        assert_eq!(life_s(41, 1e-3).as_f64(), 2f64.powi(41) * 1e-3);
        assert!(life_s(4_096, 1.0).in_f64().is_none());
        assert_eq!(capacity_per_s(Wide::new(16_384.0), 0.5).as_f64(), 32_768.0);
    }

    #[test]
    fn a_sequence_overflows_only_above_all_its_values() {
        close(overflow(4_000.0, 12).as_f64(), poisson::at_least(4_000.0, 4_097));
        assert_eq!((overflow(1e9, 64), overflow(0.0, 0)), (Chance::NEVER, Chance::NEVER));
        assert_eq!(overflow(f64::MAX, 63).as_f64(), 1.0);
    }

    #[test]
    fn shared_numbers_repeat_the_smaller_of_two_counts() {
        close(shared_tick_duplicates(1.0), 0.476_222_388_197_391);
        close(shared_tick_duplicates(5.0), 3.754_519_907_260_579);
        assert!(shared_tick_duplicates(f64::MAX).is_finite());
        // λ² for few: both make one.
        close(shared_tick_duplicates(1e-9), 1e-18 * (1.0 - 1e-9));
        assert_eq!((shared_tick_duplicates(0.0), shared_tick_probability(0.0)), (0.0, 0.0));
        close(shared_tick_probability(1e-9), 1e-18 * (1.0 - 1e-9));
        // λ − √(λ/π) for many.
        close(shared_tick_duplicates(1e12), 1e12 - (1e12 / std::f64::consts::PI).sqrt());
    }

    #[test]
    fn the_sum_and_the_expansion_of_shared_numbers_meet() {
        let sum: f64 = (1..400).map(|k| poisson::at_least(32.0, k).powi(2)).sum();
        close(shared_tick_duplicates(32.0), sum);
    }

    #[test]
    fn a_long_tail_is_raced_without_rounding_to_0() {
        close(race(Wide::new(1e6), 32).as_f64(), 2.328_035_407_301_63e-4);
        close(race(Wide::new(1e6), 128).as_f64(), 1e6 / 2f64.powi(128));
        assert!((race(Wide::new(1e6), 2_048).log10().expect("positive") + 610.509_431_119_833).abs() < 1e-9);
        assert_eq!(race(Wide::new(1e6), 0), Chance::Certain);
    }
}
