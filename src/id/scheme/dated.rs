//! Names that a server makes from the date and a number.

use super::uuid::UUID_ENTRY;
use super::{Basis, Epoch, Order, Scheme, Separation};
use crate::id::layout::{Field, Layout};

pub(super) const SCHEMES: &[Scheme] = &[Scheme {
    name: "date-name",
    title: "Date-prefixed name",
    layout: Layout(&[
        Field::time("day", 2, (86_400, 1)).over(10),
        Field::time("month", 2, (2_629_746, 1)).over(10),
        Field::time("year", 4, (31_556_952, 1)).over(10),
        Field::custom("name", 8).over(10),
    ]),
    separation: Separation::Clock { tick_s: (86_400, 1) },
    texts: &[],
    // 1 January of year 0.
    epoch: Some(Epoch(-62_167_219_200)),
    order: Order::None,
    failures: &["unique only while the clock is never set back"],
    source: "arithmetic",
    basis: Basis::Derived,
    ..UUID_ENTRY
}];
