//! Faults that no number of random bits mends: small seeds, clones, overlapping streams, pools, truncation.
//!
//! Relative errors 2^-50; whole numbers exact. Whether two seeds are equal at all is `birthday` on
//! 2^seed_bits.

use super::logspace::Wide;
use super::sequence::run_overlap;
use super::trials::pairs;
use num_bigint::BigUint;

/// Expected pairs of equal ids where generators draw seeds of `seed_bits`, each then making `ids_each`:
/// generators that share a seed repeat the whole stream, ids_each · C(g, 2)/2^s.
pub fn expected_repeated_ids(generators: f64, ids_each: f64, seed_bits: f64) -> Wide {
    pairs(generators).times(Wide::new(ids_each)).over(Wide::exp2(seed_bits))
}

/// Pairs of equal ids from clones that resume with one state and make `ids_each` before they reseed:
/// C(c, 2) · ids. Certain, not a birthday; exact.
pub fn clone_pairs(clones: u64, ids_each: u64) -> BigUint {
    BigUint::from(clones) * clones.saturating_sub(1) / 2u32 * ids_each
}

/// Expected pairs of streams that overlap, of `outputs_each` from random places of one cycle:
/// C(s, 2)(2m − 1)/period.
pub fn expected_overlaps(streams: f64, outputs_each: u64, period: Wide) -> Wide {
    pairs(streams).times(run_overlap(outputs_each, period))
}

/// Expected pairs of equal ids where a share of them comes from a pool of few values, the others from a large
/// space: C(n, 2)(f²/K + (1 − f)²/N).
///
/// # Panics
/// Where the share lies outside 0 … 1, or a space is 0.
pub fn mixture_pairs(ids: f64, pool_share: f64, pool: Wide, rest: Wide) -> Wide {
    assert!((0.0..=1.0).contains(&pool_share), "{pool_share} is no share");
    let within = Wide::new(pool_share.powi(2)).over(pool);
    pairs(ids).times(within.plus(Wide::new((1.0 - pool_share).powi(2)).over(rest)))
}

/// Distance from a whole number to the next larger `f64`, 2^(bits − 53): above 1, ids that a program reads
/// into a double (JSON in JavaScript) lose their lowest bits. Exact.
pub fn double_spacing(value: u128) -> f64 {
    (f64::from(bit_length(value)) - 53.0).exp2()
}

/// Lowest bits of a whole number that a double cannot keep. Exact.
pub fn bits_lost_in_double(value: u128) -> u32 {
    bit_length(value).saturating_sub(53)
}

/// Seconds within which all ids agree in the `kept_bits` top bits of a time of `time_bits` bits:
/// unit · 2^(time − kept), or one unit where the whole time is kept.
pub fn prefix_bucket_s(time_bits: u32, kept_bits: u32, unit_s: f64) -> Wide {
    Wide::exp2(f64::from(time_bits.saturating_sub(kept_bits))).times(Wide::new(unit_s))
}

fn bit_length(value: u128) -> u32 {
    (u128::BITS - value.leading_zeros()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_repeat_each_other_for_certain() {
        assert_eq!(clone_pairs(8, 100), BigUint::from(2_800u32));
        assert_eq!(clone_pairs(1, 100), BigUint::ZERO);
        assert_eq!(clone_pairs(0, 100), BigUint::ZERO);
        assert!(clone_pairs(u64::MAX, u64::MAX).bits() == 191);
    }

    #[test]
    fn a_shared_seed_repeats_the_whole_stream() {
        let pairs = expected_repeated_ids(1e5, 1e3, 32.0).as_f64();
        assert!((pairs / 1_164.141_576_737_17 - 1.0).abs() < 1e-12);
        assert!(expected_repeated_ids(1.0, 1e3, 32.0).is_zero());
    }

    #[test]
    fn a_pool_outweighs_any_space_beside_it() {
        let mixed = mixture_pairs(1e7, 1e-4, Wide::new(1e3), Wide::exp2(122.0)).as_f64();
        assert!((mixed / 499.999_95 - 1.0).abs() < 1e-12);
        // All in the pool, and none.
        assert_eq!(mixture_pairs(2.0, 1.0, Wide::new(4.0), Wide::ONE), Wide::new(0.25));
        assert_eq!(mixture_pairs(2.0, 0.0, Wide::ONE, Wide::new(4.0)), Wide::new(0.25));
    }

    #[test]
    fn doubles_skip_whole_numbers_from_2_to_the_53() {
        assert_eq!((double_spacing((1 << 53) - 1), double_spacing(1 << 53)), (1.0, 2.0));
        assert_eq!((bits_lost_in_double((1 << 53) - 1), bits_lost_in_double(1 << 53)), (0, 1));
        for value in [1u64, 3, 1 << 52, (1 << 60) + 12_345] {
            let float = value as f64;
            assert_eq!(double_spacing(u128::from(value)), float.next_up() - float);
        }
        assert_eq!(double_spacing(u128::MAX), 75f64.exp2());
        // Zero as one: the spacing below 2, which is what a count needs.
        assert_eq!(double_spacing(0), double_spacing(1));
    }

    #[test]
    fn a_prefix_of_a_time_is_a_wide_bucket() {
        assert_eq!(prefix_bucket_s(48, 32, 1e-3).as_f64(), 65.536);
        assert_eq!(prefix_bucket_s(48, 64, 1e-3).as_f64(), 1e-3);
    }
}
