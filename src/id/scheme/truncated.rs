//! The first hexadecimal digits of a UUID, kept as a short id.
//!
//! What is left follows from the layout; a test derives every entry of this file from its whole.

use super::{BLANK, Basis, Epoch, MS, NS_100, Scheme, Separation, Space, Text};
use crate::id::layout::{Field, Layout};

/// What every entry of this family has in common.
const SHORT: Scheme =
    Scheme { texts: &[Text::HEX], source: "the layout of its whole", basis: Basis::Derived, ..BLANK };

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "v4-hex8",
        title: "First 8 hexadecimal digits of a UUIDv4",
        of: Some("v4"),
        layout: Layout(&[Field::random("random_a", 32)]),
        separation: Separation::Flat(Space::of_bits(32)),
        failures: &["50 % at 77,164 ids"],
        ..SHORT
    },
    Scheme {
        name: "v4-hex6",
        title: "First 6 hexadecimal digits of a UUIDv4",
        of: Some("v4"),
        layout: Layout(&[Field::random("random_a", 24)]),
        separation: Separation::Flat(Space::of_bits(24)),
        failures: &["1 % at 582 ids, 50 % at 4,823"],
        ..SHORT
    },
    Scheme {
        name: "v7-hex8",
        title: "First 8 hexadecimal digits of a UUIDv7",
        of: Some("v7"),
        layout: Layout(&[Field::time("unix_ts_ms", 32, (1 << 16, MS.1))]),
        separation: Separation::Bucket { width_s: (1 << 16, MS.1), space: Space::ONE, counter: false },
        epoch: Some(Epoch::UNIX),
        failures: &["nothing random is left: all ids of the same 65.536 s are equal"],
        ..SHORT
    },
    Scheme {
        name: "v7-hex12",
        title: "First 12 hexadecimal digits of a UUIDv7",
        of: Some("v7"),
        layout: Layout(&[Field::time("unix_ts_ms", 48, MS)]),
        separation: Separation::Bucket { width_s: MS, space: Space::ONE, counter: false },
        epoch: Some(Epoch::UNIX),
        failures: &["nothing random is left: all ids of the same millisecond are equal"],
        ..SHORT
    },
    Scheme {
        name: "v1-hex8",
        title: "First 8 hexadecimal digits of a UUIDv1",
        of: Some("v1"),
        layout: Layout(&[Field::time("time_low", 32, NS_100)]),
        separation: Separation::Bucket { width_s: NS_100, space: Space::ONE, counter: false },
        // What is left starts again long before the clock ends.
        epoch: None,
        failures: &[
            "nothing random is left: all ids of the same 100 ns are equal",
            "the low bits of the time start again every 429.5 s: over hours it is a space of 2^32",
        ],
        ..SHORT
    },
];

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn what_is_left_follows_from_the_whole() {
        for short in SCHEMES {
            let whole = short.of.and_then(find).expect("a whole");
            let (kept, separation) = whole.keep_top(short.layout.bits()).expect("bits are left");
            assert_eq!(separation, short.separation, "{}", short.name);
            assert_eq!(Some(kept), short.layout.top_bits(short.layout.bits()), "{}", short.name);
        }
    }
}
