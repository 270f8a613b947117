//! Names that a server makes from the date and a number.

use super::{BLANK, Basis, Epoch, Order, Scheme, Separation};
use crate::id::layout::{Field, Layout};

pub(super) const SCHEMES: &[Scheme] = &[Scheme {
    name: "date-name",
    aliases: &["dated", "date"],
    title: "Date-prefixed name",
    layout: Layout(&[
        Field::time("day", 2, (86_400, 1)).over(10),
        Field::time("month", 2, (2_629_746, 1)).over(10),
        Field::time("year", 4, (31_556_952, 1)).over(10),
        Field::counter("number", 8, 0).over(10),
    ]),
    separation: Separation::Clock { tick_s: (86_400, 1) },
    // 1 January of year 0.
    epoch: Some(Epoch(-62_167_219_200)),
    order: Order::None,
    overflow: Some("whatever the server does after 10^8 names in a day"),
    failures: &[
        "unique only while the server's clock is never set back and its counter survives a restart",
        "two servers need a name each in it",
        "a day that comes twice, by a clock set back over midnight or another time zone, starts its numbers again",
    ],
    source: "day-month-year and a number",
    basis: Basis::Derived,
    ..BLANK
}];
