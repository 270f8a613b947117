//! The hazard against 60-digit arithmetic, over the joints of its forms and beyond the range of `f64`.

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use uuidcap::math::birthday;
use uuidcap::math::logspace::Wide;

/// A row: N = base^exponent, n = ⌊N · share/2^18⌋ + more, t = mantissa · 2^exponent.
#[derive(Debug, Deserialize)]
struct Row {
    space_base: u32,
    space_exponent: u32,
    ids_share: u32,
    ids_more: i64,
    hazard_mantissa: f64,
    hazard_exponent: f64,
}

impl Row {
    fn space(&self) -> BigUint {
        BigUint::from(self.space_base).pow(self.space_exponent)
    }

    fn ids(&self) -> BigUint {
        let share = BigInt::from((self.space() * self.ids_share) >> 18u32);
        (share + self.ids_more).into_parts().1
    }

    fn hazard(&self) -> Wide {
        Wide::new(self.hazard_mantissa).times(Wide::exp2(self.hazard_exponent))
    }
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/birthday-grid.csv");
    let mut reader = csv::Reader::from_path(path).expect("the grid is there");
    reader.deserialize().collect::<Result<_, _>>().expect("every row reads")
}

/// |a/b − 1|.
fn error(a: Wide, b: Wide) -> f64 {
    a.minus(b).plus(b.minus(a)).over(b).as_f64()
}

/// Four roundings of 2^-53 and that of the row; the worst seen on 17,830 other inputs is 5.4e-16.
const TOLERANCE: f64 = 1e-15;

#[test]
fn the_hazard_keeps_fifteen_digits_at_any_size() {
    let rows = rows();
    assert!(rows.len() > 60);
    for row in rows {
        let (ids, space) = (row.ids(), row.space());
        let hazard = birthday::chance(&ids, &space).hazard().expect("no more ids than the space holds");
        assert!(error(hazard, row.hazard()) < TOLERANCE, "{row:?}: {hazard:?}");
    }
}

#[test]
fn the_hazard_of_floats_is_that_of_whole_numbers() {
    for row in rows() {
        // Whole numbers that have an f64 of their own.
        if row.space().bits() <= 53 {
            let [ids, space] = [row.ids(), row.space()].map(|n| Wide::whole(&n).as_f64());
            let hazard = Wide::new(birthday::hazard(ids, space));
            assert!(error(hazard, row.hazard()) < TOLERANCE, "{row:?}: {hazard:?}");
        }
    }
}
