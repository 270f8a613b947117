//! Expectations of ids of one space: the birthday, a sliding window, generators that share their state, biased letters.
//!
//! - A window of W draws: as long as none has clashed the last W ids differ, so that draw i escapes with 1 − min(i, W)/N
//!   exactly; the pairs are Σ min(i, W)/N and the repeats Σ (1 − (1 − 1/N)^min(i, W)).
//! - Of S pairs of one row, those of equal state agree for sure and all others with 1/N: (S q + (C(n, 2) − S q)(1/N))
//!   with the chance q that two generators share their state, 2^−s or 1. P(none) is that of distinct seeds times that
//!   of distinct ids.

use super::super::model::Values;
use super::super::source::{Flat, Kin, Letters};
use super::{Expected, choose_2};
use crate::math::birthday;
use crate::math::logspace::{Chance, Wide};
use crate::math::unequal::Modulo;

/// Values of the space over which a window may reach for pairs to come singly.
const SINGLY: f64 = 1.0 / 64.0;

/// Plain draws.
pub(in super::super) fn uniform(values: Values, draws: u64) -> Expected {
    Expected::birthday(draws, values.wide())
}

/// Ids of one space.
pub(in super::super) fn flat(flat: &Flat, window: Option<u64>) -> Expected {
    let plain = Expected::birthday(flat.draws, flat.values.wide());
    match (flat.kin, window) {
        (Kin::None, None) => plain,
        (Kin::None, Some(window)) => windowed(flat, window),
        (Kin::Seeds { generators, bits }, _) => {
            let acting = Wide::new(generators.min(flat.draws) as f64);
            let seeds = birthday::chance_in(acting, Wide::exp2(f64::from(bits)));
            let own = birthday::chance_in(Wide::new(flat.draws as f64), flat.values.wide()).or(seeds);
            let same = rows(flat.draws, generators, u64::MAX);
            let pairs = shared(flat, same, (-f64::from(bits)).exp2());
            Expected::new(own, pairs, "exact: birthday of seeds, and of ids of different seeds")
        }
        (Kin::Copies { generators, from, rows: most }, _) => {
            let same = rows(flat.draws - from, generators, most);
            let pairs = shared(flat, same, 1.0);
            match same > 0.0 {
                true => Expected::new(Chance::Certain, pairs, "exact: copies repeat each other for certain"),
                false => Expected { repeats: None, cells: None, singly: false, ..plain },
            }
        }
    }
}

/// Pairs of ids of one row, of the first `most` rows.
pub(super) fn rows(draws: u64, generators: u64, most: u64) -> f64 {
    let whole = draws / generators;
    let rest = if whole < most { choose_2((draws % generators) as f64) } else { 0.0 };
    whole.min(most) as f64 * choose_2(generators as f64) + rest
}

/// Expected pairs where so many pairs of ids come from generators that share their state with chance q.
fn shared(flat: &Flat, same: f64, q: f64) -> f64 {
    let sure = same * q;
    sure + (choose_2(flat.draws as f64) - sure).max(0.0) / flat.values.wide().as_f64()
}

fn windowed(flat: &Flat, window: u64) -> Expected {
    let (draws, values) = (flat.draws as f64, flat.values.wide().as_f64());
    let near = window as f64;
    // Draws 0 … W meet all before them, each later one W.
    let later = (draws - near - 1.0).max(0.0);
    let pairs = (choose_2(near + 1.0) + later * near) / values;
    let filling = birthday::hazard(near + 1.0, values);
    let chance = match near < values {
        true => Chance::from_hazard(filling - later * (-near / values).ln_1p()),
        false => Chance::Certain,
    };
    let mut expected =
        Expected::new(chance, pairs, "exact: the last draws of the window differ until the first clash");
    // Σ_{i ≤ W} 1 − r^i = n − (1 − r^n)/(1 − r) with n = W + 1: the repeats of the birthday.
    let first = Expected::birthday(window + 1, flat.values.wide()).repeats.unwrap_or(0.0);
    let each = -(near * (-1.0 / values).ln_1p()).exp_m1();
    expected.repeats = Some(first + later * each);
    // Of uniform ids any two pairs are independent, so that the variance of pairs is Poisson's but for 1/N. Three equal ids
    // within a window are what makes the law differ, a share of less than W/N of the pairs.
    expected.singly = near <= SINGLY * values;
    expected
}

/// Effective bits of strings of biased letters.
pub(in super::super) fn letters_bits(letters: &Letters) -> f64 {
    Modulo::of_byte(letters.alphabet).bits(u64::from(letters.length))
}

/// Strings of biased letters.
pub(in super::super) fn letters(letters: &Letters) -> Expected {
    let (floor, likelier) = ((256 / letters.alphabet) as f64, (256 % letters.alphabet) as f64);
    let others = letters.alphabet as f64 - likelier;
    let length = letters.length as i32;
    // Strings by how many of their letters are likelier.
    let mut ways = 1.0;
    let groups: Vec<(f64, f64)> = (0..=length)
        .map(|high| {
            let low = length - high;
            let group = (
                ways * likelier.powi(high) * others.powi(low),
                ((floor + 1.0) / 256.0).powi(high) * (floor / 256.0).powi(low),
            );
            ways *= f64::from(low) / f64::from(high + 1);
            group
        })
        .collect();
    Expected::unequal(letters.draws, &groups, "of the birthday of the effective number of strings")
}
