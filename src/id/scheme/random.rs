//! Random strings over an alphabet, and random bytes. Any other is named by its alphabet and length.

use super::{BLANK, Basis, Scheme, Separation, Space, Text};
use crate::id::layout::{Field, Layout};

/// Random bytes in hexadecimal and in shorter alphabets.
const BYTES: &[Text] = &[Text::HEX, Text::BASE32, Text::BASE58, Text::BASE62, Text::BASE64URL];

/// What a string over an alphabet has in common with others: its layout is its text.
const STRING: Scheme = Scheme {
    failures: &[
        "letters taken as the remainder of a byte are not equally likely unless the alphabet divides 256",
        "a generator seeded with fewer bits than the string holds, or copied by a fork or a clone",
    ],
    source: "alphabet^length",
    basis: Basis::Derived,
    ..BLANK
};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "nanoid",
        title: "NanoID",
        layout: Layout(&[Field::random("random", 21).over(64)]),
        separation: Separation::Flat(Space::of_text(64, 21)),
        failures: &[
            "an alphabet or length of one's own: 10 hexadecimal digits are 40 bits",
            "an implementation in another language that takes the remainder of a byte",
        ],
        source: "ai/nanoid 6.0.1, index.js",
        basis: Basis::ReadInCode,
        ..STRING
    },
    Scheme {
        name: "cuid2",
        title: "CUID2",
        layout: Layout(&[Field::random("letter", 1).over(26), Field::random("hash", 23).over(36)]),
        separation: Separation::Flat(Space::Power { times: 26, base: 36, exponent: 23 }),
        failures: &[
            "what it hashes has to hold as many bits as the id shows: a weak generator shows no sign",
            "where the platform has no secure generator it falls back to Math.random",
        ],
        source: "paralleldrive/cuid2 3.0.6, src/index.js",
        basis: Basis::ReadInCode,
        ..STRING
    },
    Scheme {
        name: "random",
        aliases: &["random128", "random-16"],
        title: "16 random bytes",
        layout: Layout(&[Field::random("random", 128)]),
        separation: Separation::Flat(Space::of_bits(128)),
        texts: BYTES,
        failures: &["a generator seeded with fewer bits, or copied by a fork or a clone"],
        source: "2^bits",
        ..STRING
    },
    Scheme {
        name: "random64",
        aliases: &["random-8"],
        title: "8 random bytes",
        layout: Layout(&[Field::random("random", 64)]),
        separation: Separation::Flat(Space::of_bits(64)),
        texts: BYTES,
        failures: &["50 % at 5.06e9 ids: not for keys that are kept in numbers"],
        source: "2^bits",
        ..STRING
    },
    Scheme {
        name: "random32",
        aliases: &["random-4"],
        title: "4 random bytes",
        layout: Layout(&[Field::random("random", 32)]),
        separation: Separation::Flat(Space::of_bits(32)),
        texts: BYTES,
        failures: &["50 % at 77,164 ids"],
        source: "2^bits",
        ..STRING
    },
    Scheme {
        name: "base62-22",
        title: "22 digits and letters",
        layout: Layout(&[Field::random("random", 22).over(62)]),
        separation: Separation::Flat(Space::of_text(62, 22)),
        ..STRING
    },
    Scheme {
        name: "base58-22",
        title: "22 characters of base58",
        layout: Layout(&[Field::random("random", 22).over(58)]),
        separation: Separation::Flat(Space::of_text(58, 22)),
        ..STRING
    },
    Scheme {
        name: "prefixed",
        aliases: &["prefixed-key"],
        title: "Prefix of four and 24 digits and letters",
        layout: Layout(&[Field::fixed("prefix", 4).over(62), Field::random("random", 24).over(62)]),
        separation: Separation::Flat(Space::of_text(62, 24)),
        failures: &[
            "the prefix tells kinds apart and adds no randomness",
            "a store that ignores case leaves 33.7 equally likely letters of 62",
        ],
        ..STRING
    },
];
