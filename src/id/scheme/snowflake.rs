//! Ids of 64 bits that a clock, a node number and a sequence make: Snowflake, Sonyflake, TSID.

use super::{BLANK, Basis, Epoch, MS, Order, Scheme, Separation, Sequence, Space, Text};
use crate::id::layout::{Field, Layout, Seconds};

/// One tick of Sonyflake: 10 ms.
const MS_10: Seconds = (1, 100);

const SONYFLAKE: Layout = Layout(&[
    Field::fixed("0", 1),
    Field::time("time", 39, MS_10),
    Field::counter("sequence", 8, 0),
    Field::node("machine", 16, 16),
]);

const SONYFLAKE_NODES: Separation = Separation::Nodes {
    tick_s: MS_10,
    node: Space::of_bits(16),
    sequence_bits: 8,
    sequence: Sequence::Resets,
};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "snowflake",
        title: "Snowflake",
        layout: Layout(&[
            Field::fixed("0", 1),
            Field::time("timestamp", 41, MS),
            Field::node("dc_id", 5, 5),
            Field::node("worker_id", 5, 5),
            Field::counter("sequence", 12, 0),
        ]),
        separation: Separation::Nodes {
            tick_s: MS,
            node: Space::of_bits(10),
            sequence_bits: 12,
            sequence: Sequence::Resets,
        },
        texts: &[Text::DECIMAL],
        // 2010-11-04 01:42:54.657.
        epoch: Some(Epoch(1_288_834_974)),
        order: Order::Rising,
        overflow: Some("waits for the next millisecond"),
        failures: &[
            "two workers of one number clash at the first millisecond in which both make an id",
            "worker numbers drawn at random: of 38 workers two share one in half of all cases",
            "a clock set back: the first implementation refuses, others start the sequence again and repeat",
            "above 2^53, 25 days after its epoch, a JavaScript number loses its low bits",
        ],
        source: "twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala",
        basis: Basis::ReadInCode,
        ..BLANK
    },
    Scheme {
        name: "snowflake:discord",
        aliases: &["discord"],
        title: "Snowflake of Discord",
        of: Some("snowflake"),
        layout: Layout(&[
            Field::time("timestamp", 42, MS),
            Field::node("worker", 5, 5),
            Field::node("process", 5, 5),
            Field::counter("increment", 12, 12),
        ]),
        separation: Separation::Nodes {
            tick_s: MS,
            node: Space::of_bits(10),
            sequence_bits: 12,
            sequence: Sequence::RandomStart,
        },
        texts: &[Text::DECIMAL],
        // 2015-01-01.
        epoch: Some(Epoch(1_420_070_400)),
        order: Order::Ticks,
        overflow: Some("not documented"),
        failures: &[
            "two processes of one number",
            "a signed 64-bit column takes it for negative from 2084 on",
        ],
        source: "Discord API reference, Snowflakes: the increment runs on",
        basis: Basis::Documented,
    },
    Scheme {
        name: "sonyflake",
        title: "Sonyflake",
        layout: SONYFLAKE,
        separation: SONYFLAKE_NODES,
        texts: &[Text::DECIMAL],
        // 2014-09-01.
        epoch: Some(Epoch(1_409_529_600)),
        order: Order::Rising,
        overflow: Some("after 256 ids in 10 ms it waits for the next 10 ms: 25,600 ids a second"),
        failures: &[
            "its machine number is the low 16 bits of a private address: two networks can give the same",
            "machine numbers drawn at random: of 100 hosts two share one in 7.3 % of all cases",
            "a clock set back: it goes on from its last time and waits only where a sequence is used up",
        ],
        source: "sony/sonyflake 1.3.0, sonyflake.go",
        basis: Basis::ReadInCode,
        ..BLANK
    },
    Scheme {
        name: "sonyflake:v2",
        title: "Sonyflake, version 2",
        of: Some("sonyflake"),
        layout: SONYFLAKE,
        separation: SONYFLAKE_NODES,
        texts: &[Text::DECIMAL],
        // 2025-01-01.
        epoch: Some(Epoch(1_735_689_600)),
        order: Order::Rising,
        overflow: Some("waits for the next 10 ms"),
        failures: &[
            "fields of other lengths can be set: two settings in one store can clash",
            "its machine number is the low 16 bits of a private address: two networks can give the same",
        ],
        source: "sony/sonyflake 2.2.0, v2/sonyflake.go",
        basis: Basis::ReadInCode,
        ..BLANK
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
        texts: &[Text::BASE32, Text::DECIMAL],
        // 2020-01-01.
        epoch: Some(Epoch(1_577_836_800)),
        order: Order::Rising,
        overflow: Some("next ms early"),
        failures: &[
            "a node that is not given is drawn at random from 1,024: of 38 nodes two share one in half of all cases",
            "a signed 64-bit column takes it for negative from 2089 on, which its order then shows",
        ],
        source: "f4b6a3/tsid-creator 5.2.6, TsidFactory.java",
        basis: Basis::ReadInCode,
        ..BLANK
    },
];
