//! Sortable ids of a clock and many random bits that are no UUIDs: ULID, KSUID.

use super::{BLANK, Basis, Epoch, MS, Order, Scheme, Separation, Space, Text};
use crate::id::layout::{Field, Layout};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "ulid",
        title: "ULID",
        layout: Layout(&[Field::time("timestamp", 48, MS), Field::random("randomness", 80)]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(80), counter: false },
        texts: &[Text::BASE32],
        epoch: Some(Epoch::UNIX),
        order: Order::Ticks,
        failures: &["clock set back or ahead: order is lost, or ids of two moments share a bucket"],
        source: "ulid/spec",
        ..BLANK
    },
    Scheme {
        name: "ulid:monotonic",
        aliases: &["ulid-monotonic"],
        title: "ULID, one strictly rising generator",
        of: Some("ulid"),
        layout: Layout(&[Field::time("timestamp", 48, MS), Field::counter("randomness", 80, 80)]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(80), counter: true },
        texts: &[Text::BASE32],
        epoch: Some(Epoch::UNIX),
        order: Order::Rising,
        overflow: Some("fails, no id is made"),
        failures: &["a clock set back: the specification does not say what then", "each id tells the next"],
        source: "ulid/spec, Monotonicity",
        ..BLANK
    },
    Scheme {
        name: "ksuid",
        title: "KSUID",
        layout: Layout(&[Field::time("timestamp", 32, (1, 1)), Field::random("payload", 128)]),
        separation: Separation::Bucket { width_s: (1, 1), space: Space::of_bits(128), counter: false },
        texts: &[Text::BASE62],
        epoch: Some(Epoch(1_400_000_000)),
        order: Order::Ticks,
        failures: &["ids of one second come in no order", "a collation that ignores case breaks its order"],
        source: "segmentio/ksuid 1.0.4, ksuid.go",
        basis: Basis::ReadInCode,
        ..BLANK
    },
];
