//! UUIDv7 by implementation: what the standard leaves open, each fills in its own way.

use super::uuid::UUID_ENTRY;
use super::{Basis, Epoch, MS, Order, Scheme, Separation, Space};
use crate::id::layout::{Field, Layout};

/// What every entry of this family has in common.
const V7: Scheme = Scheme {
    of: Some("v7"),
    epoch: Some(Epoch::UNIX),
    order: Order::Ticks,
    basis: Basis::ReadInCode,
    ..UUID_ENTRY
};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "v7-monotonic",
        title: "UUIDv7, one strictly rising generator",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("rand_a", 12, 12),
            Field::fixed("var", 2),
            Field::counter("rand_b", 62, 62),
        ]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(74), counter: true },
        order: Order::Rising,
        overflow: Some("the generator waits for the next millisecond, or takes one ahead of its clock"),
        failures: &["a clock set back: the generator must keep its last time"],
        source: "RFC 9562 §6.2 method 2",
        basis: Basis::Specified,
        ..V7
    },
    Scheme {
        name: "v7:uuidjs",
        title: "UUIDv7 of uuidjs",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("seq_hi", 12, 12),
            Field::fixed("var", 2),
            Field::counter("seq_low", 20, 20),
            Field::random("random", 42),
        ]),
        separation: Separation::Bucket {
            width_s: MS,
            space: Space::Bits(72.678_071_905_112_6),
            counter: true,
        },
        order: Order::Rising,
        overflow: None,
        failures: &[],
        source: "",
        basis: Basis::Counted,
        ..V7
    },
];
