//! Ids of a second, a process and a counter: ObjectId, XID.

use super::uuid::UUID_ENTRY;
use super::{Epoch, Order, Scheme, Separation, Sequence, Space, Text};
use crate::id::layout::{Field, Layout};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "objectid",
        title: "ObjectId",
        layout: Layout(&[
            Field::time("timestamp", 32, (1, 1)),
            Field::node("process", 40, 40),
            Field::counter("counter", 24, 24),
        ]),
        separation: Separation::Nodes {
            tick_s: (1, 1),
            node: Space::of_bits(40),
            sequence_bits: 24,
            sequence: Sequence::RandomStart,
        },
        texts: &[Text::HEX],
        epoch: Some(Epoch::UNIX),
        order: Order::Ticks,
        failures: &["a process value kept across a fork"],
        source: "BSON ObjectID specification",
        ..UUID_ENTRY
    },
    Scheme {
        name: "xid",
        title: "XID",
        layout: Layout(&[
            Field::time("time", 32, (1, 1)),
            Field::node("machine", 24, 24),
            Field::node("pid", 16, 0),
            Field::counter("counter", 24, 24),
        ]),
        separation: Separation::Nodes {
            tick_s: (1, 1),
            node: Space::of_bits(24),
            sequence_bits: 24,
            sequence: Sequence::RandomStart,
        },
        texts: &[Text::BASE32],
        epoch: Some(Epoch::UNIX),
        order: Order::Ticks,
        failures: &["process ids are equal in containers: only the 24-bit hash of the host is left"],
        source: "github.com/rs/xid",
        ..UUID_ENTRY
    },
];
