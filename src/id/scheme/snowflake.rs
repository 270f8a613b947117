//! Ids of 64 bits that a clock, a node number and a sequence make: Snowflake, Sonyflake, TSID.

use super::uuid::UUID_ENTRY;
use super::{Epoch, MS, Order, Scheme, Separation, Sequence, Space, Text};
use crate::id::layout::{Field, Layout, Seconds};

/// One tick of Sonyflake: 10 ms.
const MS_10: Seconds = (1, 100);

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "snowflake",
        title: "Snowflake",
        layout: Layout(&[
            Field::fixed("0", 1),
            Field::time("timestamp", 41, MS),
            Field::node("worker", 10, 10),
            Field::counter("sequence", 12, 0),
        ]),
        separation: Separation::Nodes {
            tick_s: MS,
            node: Space::of_bits(10),
            sequence_bits: 12,
            sequence: Sequence::Resets,
        },
        texts: &[Text::DECIMAL],
        epoch: Some(Epoch(1_288_834_974)),
        order: Order::Rising,
        overflow: Some("after 4,096 ids in a millisecond the worker waits for the next"),
        failures: &["two workers of one number clash at once"],
        source: "github.com/twitter-archive/snowflake",
        ..UUID_ENTRY
    },
    Scheme {
        name: "sonyflake",
        title: "Sonyflake",
        layout: Layout(&[
            Field::fixed("0", 1),
            Field::time("time", 39, MS_10),
            Field::counter("sequence", 8, 0),
            Field::node("machine", 16, 16),
        ]),
        separation: Separation::Nodes {
            tick_s: MS_10,
            node: Space::of_bits(16),
            sequence_bits: 8,
            sequence: Sequence::Resets,
        },
        texts: &[Text::DECIMAL],
        epoch: Some(Epoch(1_409_529_600)),
        order: Order::Rising,
        overflow: Some("after 256 ids in 10 ms the machine waits for the next"),
        failures: &["machine numbers taken from the low 16 bits of addresses"],
        source: "github.com/sony/sonyflake",
        ..UUID_ENTRY
    },
    Scheme {
        name: "tsid",
        title: "TSID",
        layout: Layout(&[
            Field::time("time", 42, MS),
            Field::node("node", 10, 10),
            Field::counter("counter", 12, 12),
        ]),
        separation: Separation::Nodes {
            tick_s: MS,
            node: Space::of_bits(10),
            sequence_bits: 12,
            sequence: Sequence::RandomStart,
        },
        texts: &[Text::BASE32],
        epoch: Some(Epoch(1_577_836_800)),
        order: Order::Rising,
        failures: &["two nodes of one number"],
        source: "github.com/f4b6a3/tsid-creator",
        ..UUID_ENTRY
    },
];
