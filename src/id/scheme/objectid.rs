//! Ids of a second, a process and a counter: ObjectId, XID.

use super::{BLANK, Basis, Epoch, Order, Scheme, Separation, Sequence, Space, Text};
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
        overflow: Some(
            "the counter starts again at 0: more than 16,777,216 ids of a process in a second repeat",
        ),
        failures: &[
            "a process value kept across a fork or a clone: the counters run side by side",
            "a clock set back",
            "read as a signed number its time ends in 2038",
        ],
        source: "mongodb/specifications, BSON ObjectID",
        ..BLANK
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
        overflow: Some("the counter wraps: more than 16,777,216 ids of a process in a second repeat"),
        failures: &[
            "process numbers are equal in containers of one cpuset path: the 24-bit hash of the host is left, 50 % at 4,823 hosts",
            "a machine id copied with an image: hosts then share even that",
            "a clock set back",
        ],
        source: "rs/xid 1.6.0, id.go",
        basis: Basis::ReadInCode,
        ..BLANK
    },
];
