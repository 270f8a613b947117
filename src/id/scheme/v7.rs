//! UUIDv7 by implementation: what the standard leaves open, each fills in its own way.
//!
//! What an entry says was read in the code that its source names and was not run; the seed of uuidjs was
//! counted besides. No code of any of them is part of this crate.

use super::uuid::UUID_ENTRY;
use super::{Basis, Epoch, MS, Order, Scheme, Separation, Space};
use crate::id::layout::{Field, Layout, Seconds};

/// One part in 4,096 of a millisecond: 244.140625 ns.
const MS_4096TH: Seconds = (1, 4_096_000);
/// A microsecond.
const US: Seconds = (1, 1_000_000);

/// A quarter of a microsecond.
const NS_250: Seconds = (1, 4_000_000);
/// Nanoseconds without their last eight bits.
const NS_256: Seconds = (256, 1_000_000_000);

/// What every entry of this family has in common.
const V7: Scheme = Scheme {
    of: Some("v7"),
    epoch: Some(Epoch::UNIX),
    order: Order::Ticks,
    basis: Basis::ReadInCode,
    ..UUID_ENTRY
};

/// 74 random bits in every id, as the standard's figure has it.
const RANDOM: Scheme = Scheme {
    layout: Layout(&[
        Field::time("unix_ts_ms", 48, MS),
        Field::fixed("ver", 4),
        Field::random("rand_a", 12),
        Field::fixed("var", 2),
        Field::random("rand_b", 62),
    ]),
    separation: Separation::Bucket { width_s: MS, space: Space::of_bits(74), counter: false },
    failures: &["ids of one millisecond come in no order"],
    ..V7
};

/// A counter of 42 bits, all of which start at random every millisecond, and 32 random bits in every id.
const COUNTER_42: Scheme = Scheme {
    layout: Layout(&[
        Field::time("unix_ts_ms", 48, MS),
        Field::fixed("ver", 4),
        Field::counter("counter_hi", 12, 12),
        Field::fixed("var", 2),
        Field::counter("counter_lo", 30, 30),
        Field::random("random", 32),
    ]),
    separation: Separation::Bucket { width_s: MS, space: Space::of_bits(74), counter: true },
    order: Order::Rising,
    overflow: Some("next ms early, drawn anew"),
    ..V7
};

/// The same with the counter's first bit 0 at its start, as room to count.
const COUNTER_41: Scheme = Scheme {
    layout: Layout(&[
        Field::time("unix_ts_ms", 48, MS),
        Field::fixed("ver", 4),
        Field::counter("counter_hi", 12, 11),
        Field::fixed("var", 2),
        Field::counter("counter_lo", 30, 30),
        Field::random("random", 32),
    ]),
    separation: Separation::Bucket { width_s: MS, space: Space::of_bits(73), counter: true },
    ..COUNTER_42
};

/// All 74 bits one number, drawn every millisecond and then counted up.
const RISING_74: Scheme = Scheme {
    layout: Layout(&[
        Field::time("unix_ts_ms", 48, MS),
        Field::fixed("ver", 4),
        Field::counter("rand_a", 12, 12),
        Field::fixed("var", 2),
        Field::counter("rand_b", 62, 62),
    ]),
    separation: Separation::Bucket { width_s: MS, space: Space::of_bits(74), counter: true },
    order: Order::Rising,
    ..V7
};

/// More of the clock in place of the first 12 random bits.
const SUB_MS: Scheme = Scheme {
    layout: Layout(&[
        Field::time("unix_ts_ms", 48, MS),
        Field::fixed("ver", 4),
        Field::time("sub_ms", 12, MS_4096TH),
        Field::fixed("var", 2),
        Field::random("rand_b", 62),
    ]),
    separation: Separation::Bucket { width_s: MS_4096TH, space: Space::of_bits(62), counter: true },
    order: Order::Rising,
    ..V7
};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "v7-monotonic",
        title: "UUIDv7, one strictly rising generator",
        overflow: Some("waits, or next ms early"),
        failures: &["a clock set back: the generator must keep its last time"],
        source: "RFC 9562 §6.2 method 2",
        basis: Basis::Specified,
        ..RISING_74
    },
    Scheme {
        name: "v7:dotnet",
        title: ".NET Guid.CreateVersion7",
        source: "dotnet/runtime, System/Guid.cs",
        ..RANDOM
    },
    Scheme {
        name: "v7:java",
        aliases: &["v7:jdk"],
        title: "Java UUID.ofEpochMillis",
        failures: &[
            "ids of one millisecond come in no order",
            "the caller hands the time in: nothing guards it",
        ],
        source: "openjdk/jdk 26, java/util/UUID.java",
        ..RANDOM
    },
    Scheme {
        name: "v7:jug",
        aliases: &["v7:java-uuid-generator"],
        title: "java-uuid-generator, TimeBasedEpochGenerator",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("rand_a", 12, 11),
            Field::fixed("var", 2),
            Field::counter("rand_b", 62, 62),
        ]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(73), counter: true },
        order: Order::Rising,
        overflow: Some("throws an exception"),
        failures: &["a clock set back draws anew: order is lost"],
        source: "cowtowncoder/java-uuid-generator 5.2.0, TimeBasedEpochGenerator.java",
        ..V7
    },
    Scheme {
        name: "v7:jug-random",
        title: "java-uuid-generator, TimeBasedEpochRandomGenerator",
        source: "cowtowncoder/java-uuid-generator 5.2.0, TimeBasedEpochRandomGenerator.java",
        ..RANDOM
    },
    Scheme {
        name: "v7:uuid-creator",
        aliases: &["v7:f4b6a3"],
        title: "uuid-creator, TimeOrderedEpochFactory",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::time("sub_ms", 12, MS_4096TH),
            Field::fixed("var", 2),
            Field::counter("counter", 14, 14),
            Field::random("random", 48),
        ]),
        // The clock of the JVM moves by microseconds: of 4,096 parts of a millisecond 1,000 occur.
        separation: Separation::Bucket { width_s: US, space: Space::of_bits(62), counter: true },
        order: Order::Rising,
        overflow: Some("carries into the bits above"),
        failures: &[
            "where the clock has only milliseconds, rand_a is random instead and stays for a whole millisecond",
            "a clock set back by more than a second is followed: order is lost",
        ],
        source: "f4b6a3/uuid-creator 6.1.1, TimeOrderedEpochFactory.java",
        ..V7
    },
    Scheme {
        name: "v7:uuidcap",
        title: "uuidcap's own monotonic generator",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("counter_hi", 12, 11),
            Field::fixed("var", 2),
            Field::counter("counter_lo", 18, 18),
            Field::random("random", 44),
        ]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(73), counter: true },
        failures: &[
            "a clock set back is ignored: the last millisecond goes on until the clock has caught up",
            "a process that forks makes the same ids in both halves",
        ],
        source: "uuidcap, src/id/generator/v7/monotonic.rs",
        basis: Basis::Documented,
        ..COUNTER_42
    },
    Scheme {
        name: "v7:uuidcap-sub-ms",
        title: "uuidcap's own generator with a finer clock",
        separation: Separation::Bucket { width_s: MS_4096TH, space: Space::of_bits(62), counter: false },
        order: Order::Ticks,
        failures: &[
            "ids of one 244 ns come in no order, and ids of one bulk call are all of one",
            "a clock set back is ignored: the last time goes on until the clock has caught up",
        ],
        source: "uuidcap, src/id/generator/v7/timed.rs",
        basis: Basis::Documented,
        ..SUB_MS
    },
    Scheme {
        name: "v7:uuid-rs",
        aliases: &["v7:uuid-rs-now", "v7:contextv7"],
        title: "uuid crate, Uuid::now_v7 and ContextV7",
        failures: &[
            "a clock set back is ignored: the last millisecond goes on until the clock has caught up",
        ],
        source: "uuid-rs/uuid 1.23.1, src/timestamp.rs",
        ..COUNTER_41
    },
    Scheme {
        name: "v7:uuid-rs-random",
        title: "uuid crate, Uuid::new_v7 without a context",
        source: "uuid-rs/uuid 1.23.1, src/v7.rs",
        ..RANDOM
    },
    Scheme {
        name: "v7:liosk",
        aliases: &["v7:uuid7"],
        title: "uuid7 crate and uuidv7 for JavaScript",
        failures: &["a clock set back by more than ten seconds is followed: order is lost"],
        source: "LiosK/uuid7-rs 1.7.0, src/generator.rs; LiosK/uuidv7 1.2.1, src/index.ts",
        ..COUNTER_42
    },
    Scheme {
        name: "v7:cpython",
        aliases: &["v7:python"],
        title: "Python uuid.uuid7",
        failures: &[
            "its state has no lock: threads that race can share time and counter, and 32 random bits are left",
            "a clock set back: every id takes one millisecond more ahead until the clock has caught up",
        ],
        source: "python/cpython 3.14, Lib/uuid.py, in copies of it",
        ..COUNTER_41
    },
    Scheme {
        name: "v7:uuidjs",
        aliases: &["v7:js"],
        title: "uuid for JavaScript",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("seq_hi", 12, 11),
            Field::fixed("var", 2),
            Field::counter("seq_lo", 20, 20),
            Field::random("random", 42),
        ]),
        // 31 bits are drawn for the seed, of which one is 1 in three cases of four: 30 + log2(8/5) bits.
        separation: Separation::Bucket {
            width_s: MS,
            space: Space::Bits(72.678_071_905_112_64),
            counter: true,
        },
        order: Order::Rising,
        basis: Basis::Counted,
        overflow: Some("next ms early"),
        failures: &[
            "the seed loses bits: two of its random bytes overlap by one bit, and its first bit is always 0",
        ],
        source: "uuidjs/uuid 14.0.1, src/v7.ts",
        ..V7
    },
    Scheme {
        name: "v7:postgres18",
        aliases: &["v7:postgres", "v7:postgresql"],
        title: "PostgreSQL 18 uuidv7()",
        overflow: Some("clock runs ahead above 4.08 M/s"),
        failures: &[
            "each backend keeps its own time: ids of two backends come in no strict order",
            "where the clock has only microseconds, 64 random bits within 977 ns instead",
        ],
        source: "postgres/postgres 18, utils/adt/uuid.c",
        ..SUB_MS
    },
    Scheme {
        name: "v7:google",
        title: "google/uuid for Go",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::time("seq", 12, NS_256),
            Field::fixed("var", 2),
            Field::random("rand_b", 62),
        ]),
        separation: Separation::Bucket { width_s: NS_256, space: Space::of_bits(62), counter: true },
        overflow: Some("clock runs ahead above 3.91 M/s"),
        failures: &["order holds within a process; ids of two processes come in no strict order"],
        source: "google/uuid 1.6.0, version7.go",
        ..SUB_MS
    },
    Scheme {
        name: "v7:gofrs",
        title: "gofrs/uuid for Go",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("clock_seq", 12, 12),
            Field::fixed("var", 2),
            Field::random("rand_b", 62),
        ]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(74), counter: true },
        overflow: Some("wraps to 0"),
        failures: &[
            "the counter is drawn once and wraps: one id of 4,096 of a busy generator is lower than the one before",
            "beyond 4,096 ids in a millisecond only the 62 random bits tell ids of one counter value apart",
        ],
        source: "gofrs/uuid 5.4.0, generator.go",
        ..V7
    },
    Scheme {
        name: "v7:symfony",
        title: "symfony/uid for PHP",
        overflow: Some("next ms early, drawn anew"),
        failures: &[
            "before 6.3.8 a step could be 0: one id in 2^24 of a busy millisecond repeated the one before",
        ],
        source: "symfony/uid 7.0.3, UuidV7.php",
        ..RISING_74
    },
    Scheme {
        name: "v7:ramsey",
        title: "ramsey/uuid for PHP",
        overflow: Some("next ms early, drawn anew"),
        failures: &["each request is a process of its own: order holds within one"],
        source: "ramsey/uuid 4.7.6, Generator/UnixTimeGenerator.php",
        ..RISING_74
    },
    Scheme {
        name: "v7:ruby",
        title: "Ruby SecureRandom.uuid_v7",
        failures: &[
            "ids of one millisecond come in no order",
            "extra_timestamp_bits: 12 leaves 62 random bits within 244 ns",
        ],
        source: "ruby/ruby, lib/random/formatter.rb",
        ..RANDOM
    },
    Scheme {
        name: "v7:mariadb",
        title: "MariaDB UUID_v7()",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::time("sub_ms", 12, NS_250),
            Field::fixed("var", 2),
            Field::random("rand_b", 62),
        ]),
        // The clock moves by microseconds and every one starts at its first quarter.
        separation: Separation::Bucket { width_s: US, space: Space::of_bits(62), counter: true },
        overflow: Some("clock runs ahead above 4 M/s"),
        failures: &["order holds within a server", "it goes on with a note where random bytes cannot be had"],
        source: "MariaDB/server, plugin/type_uuid/sql_type_uuid_v7.h",
        ..SUB_MS
    },
    Scheme {
        name: "v7:clickhouse",
        title: "ClickHouse generateUUIDv7()",
        failures: &[
            "the time is read once a block of rows",
            "a clock set back by ten seconds or more is followed: order is lost",
        ],
        source: "ClickHouse/ClickHouse, src/Functions/UUIDv7Utils.cpp",
        ..COUNTER_42
    },
    Scheme {
        name: "v7:bun",
        title: "Bun.randomUUIDv7",
        layout: Layout(&[
            Field::time("unix_ts_ms", 48, MS),
            Field::fixed("ver", 4),
            Field::counter("counter", 12, 0),
            Field::fixed("var", 2),
            Field::random("rand_b", 62),
        ]),
        separation: Separation::Bucket { width_s: MS, space: Space::of_bits(62), counter: true },
        order: Order::Rising,
        overflow: Some("wraps to 0"),
        failures: &[
            "the counter starts at 0 every millisecond, so it keeps ids of two processes no further apart",
            "beyond 4,096 ids in a millisecond the counter wraps: order is lost",
        ],
        source: "oven-sh/bun, src/bun.js/uuid.zig",
        ..V7
    },
    Scheme {
        name: "v7:deno",
        title: "@std/uuid for Deno",
        source: "denoland/std, uuid/unstable_v7.ts",
        ..RANDOM
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::layout::Source;
    use crate::id::scheme::find;

    #[test]
    fn the_seed_of_uuidjs_has_the_bits_that_counting_it_gives() {
        // seq = r6 << 23 | r7 << 16 | r8 << 8 | r9: the last two bytes stand alone, the first two overlap.
        let mut seen = vec![0u64; 1 << 15];
        for r6 in 0..256usize {
            for r7 in 0..256usize {
                seen[(r6 << 7) | r7] += 1;
            }
        }
        let squares: u64 = seen.iter().map(|count| count * count).sum();
        let bits = 32.0 - (squares as f64).log2() + 16.0 + 42.0;
        let scheme = find("v7:uuidjs").expect("in the catalogue");
        assert!((scheme.pair_bits().expect("bits") - bits).abs() < 1e-13, "{bits}");
        // Half a bit less than was drawn: 31 for the seed and 42.
        let drawn = scheme.layout.drawn_from(Source::Counter) + scheme.layout.drawn_from(Source::Random);
        assert_eq!(drawn, 73.0);
    }

    #[test]
    fn implementations_differ_as_their_code_does() {
        for (name, bits) in [
            ("v7:dotnet", 74.0),
            ("v7:java", 74.0),
            ("v7:uuid-rs-random", 74.0),
            ("v7:liosk", 74.0),
            ("v7:jug", 73.0),
            ("v7:uuid-rs", 73.0),
            ("v7:cpython", 73.0),
            ("v7:postgres18", 62.0),
            ("v7:google", 62.0),
        ] {
            assert_eq!(find(name).and_then(Scheme::pair_bits), Some(bits), "{name}");
        }
        let width = |name| find(name).and_then(|scheme| scheme.separation.bucket_s());
        assert_eq!(width("v7:google"), Some((256, 1_000_000_000)));
        assert_eq!(width("v7:postgres18"), Some((1, 4_096_000)));
    }
}
