//! UUIDs as RFC 9562 defines them.

use super::text::UUID;
use super::{BLANK, Basis, Epoch, MS, NS_100, Order, Scheme, Separation, Sequence, Space};
use crate::id::layout::{Field, Layout, Seconds};

/// Ticks of 100 ns, so many bits up.
const fn ticks(bits: u32) -> Seconds {
    (1 << bits, NS_100.1)
}

/// What every entry of this family has in common.
pub(super) const UUID_ENTRY: Scheme = Scheme { texts: UUID, ..BLANK };

/// UUIDv6 whose clock sequence and node are drawn for every id, as RFC 9562 §5.6 asks for.
const V6_RANDOM: Layout = Layout(&[
    Field::time("time_high", 32, ticks(28)),
    Field::time("time_mid", 16, ticks(12)),
    Field::fixed("ver", 4),
    Field::time("time_low", 12, ticks(0)),
    Field::fixed("var", 2),
    Field::random("clock_seq", 14),
    Field::random("node", 48),
]);

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "v1",
        title: "UUIDv1",
        layout: Layout(&[
            Field::time("time_low", 32, ticks(0)),
            Field::time("time_mid", 16, ticks(32)),
            Field::fixed("ver", 4),
            Field::time("time_high", 12, ticks(48)),
            Field::fixed("var", 2),
            Field::counter("clock_seq", 14, 14),
            Field::node("node", 48, 47),
        ]),
        separation: Separation::Nodes {
            tick_s: NS_100,
            node: Space::of_bits(47),
            sequence_bits: 14,
            sequence: Sequence::RandomStart,
        },
        epoch: Some(Epoch::GREGORIAN),
        overflow: Some("waits, or next tick early"),
        failures: &[
            "clones with one MAC address: only the 14-bit clock sequence is left, 50 % at 151 of them",
            "a clock set back without a new clock sequence",
            "more than 16,384 ids in one tick repeat",
            "its first 8 hex digits are the low bits of the time and start again every 7 minutes",
            "it tells the machine and the moment",
        ],
        source: "RFC 9562 §5.1",
        ..UUID_ENTRY
    },
    Scheme {
        name: "v4",
        title: "UUIDv4",
        layout: Layout(&[
            Field::random("random_a", 48),
            Field::fixed("ver", 4),
            Field::random("random_b", 12),
            Field::fixed("var", 2),
            Field::random("random_c", 62),
        ]),
        separation: Separation::Flat(Space::of_bits(122)),
        failures: &[
            "a generator seeded with fewer than 122 bits, or copied by a fork or a clone",
            "inserts land all over a B-tree",
        ],
        source: "RFC 9562 §5.4",
        ..UUID_ENTRY
    },
    Scheme {
        name: "v6",
        title: "UUIDv6",
        layout: V6_RANDOM,
        separation: Separation::Bucket { width_s: NS_100, space: Space::of_bits(62), counter: false },
        epoch: Some(Epoch::GREGORIAN),
        order: Order::Ticks,
        failures: &[
            "an implementation that keeps clock sequence and MAC address, as it may, fails as v1 does",
            "a node drawn at random with its multicast bit set has one bit less",
            "many clocks move in steps of a microsecond or more: buckets are then that wide",
        ],
        source: "RFC 9562 §5.6",
        ..UUID_ENTRY
    },
    Scheme {
        name: "v6:gofrs",
        title: "gofrs/uuid for Go, version 6",
        of: Some("v6"),
        layout: V6_RANDOM,
        separation: Separation::Bucket { width_s: NS_100, space: Space::of_bits(62), counter: false },
        epoch: Some(Epoch::GREGORIAN),
        order: Order::Ticks,
        failures: &["ids of one tick come in no order"],
        source: "gofrs/uuid 5.4.0, generator.go",
        basis: Basis::ReadInCode,
        ..UUID_ENTRY
    },
    Scheme {
        name: "v6:uuidcap",
        title: "uuidcap's own generator",
        of: Some("v6"),
        layout: Layout(&[
            Field::time("time_high", 32, ticks(28)),
            Field::time("time_mid", 16, ticks(12)),
            Field::fixed("ver", 4),
            Field::time("time_low", 12, ticks(0)),
            Field::fixed("var", 2),
            Field::counter("clock_seq", 14, 0),
            Field::node("node", 48, 47),
        ]),
        separation: Separation::Nodes {
            tick_s: NS_100,
            node: Space::of_bits(47),
            sequence_bits: 14,
            sequence: Sequence::Resets,
        },
        epoch: Some(Epoch::GREGORIAN),
        order: Order::Rising,
        overflow: Some("next tick early"),
        failures: &[
            "a clock set back is ignored: the last tick goes on until the clock has caught up",
            "a process that forks makes the same ids in both halves",
        ],
        source: "uuidcap, src/id/generator/v6.rs",
        basis: Basis::Documented,
        ..UUID_ENTRY
    },
    Scheme {
        name: "v7",
        title: "UUIDv7",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::random("rand_a", 12),
            Field::fixed("var", 2),
            Field::random("rand_b", 62),
        ]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(74), counter: false },
        epoch: Some(Epoch::UNIX),
        order: Order::Ticks,
        failures: &[
            "clock set back or ahead: order is lost, or ids of two moments share a bucket",
            "implementations that put a counter or more clock in place of random bits",
            "its first 8 hex digits hold nothing random: all ids of the same 65.536 s share them",
        ],
        source: "RFC 9562 §5.7",
        ..UUID_ENTRY
    },
    Scheme {
        name: "v8",
        title: "UUIDv8",
        layout: Layout(&[
            Field::custom("custom_a", 48),
            Field::fixed("ver", 4),
            Field::custom("custom_b", 12),
            Field::fixed("var", 2),
            Field::custom("custom_c", 62),
        ]),
        failures: &["uniqueness is up to whoever fills it and must not be assumed"],
        source: "RFC 9562 §5.8",
        ..UUID_ENTRY
    },
];
