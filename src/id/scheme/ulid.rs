//! Sortable ids of a clock and many random bits that are no UUIDs: ULID, KSUID.

use super::uuid::UUID_ENTRY;
use super::{Epoch, MS, Order, Scheme, Separation, Space, Text};
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
        source: "github.com/ulid/spec",
        ..UUID_ENTRY
    },
    Scheme {
        name: "ksuid",
        title: "KSUID",
        layout: Layout(&[Field::time("timestamp", 32, (1, 1)), Field::random("payload", 128)]),
        separation: Separation::Bucket { width_s: (1, 1), space: Space::of_bits(128), counter: false },
        texts: &[Text::BASE62],
        epoch: Some(Epoch(1_400_000_000)),
        order: Order::Ticks,
        failures: &["ids of one second come in no order"],
        source: "github.com/segmentio/ksuid",
        ..UUID_ENTRY
    },
];
