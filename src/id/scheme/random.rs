//! Random strings over an alphabet, and random bytes.

use super::uuid::UUID_ENTRY;
use super::{Basis, Scheme, Separation, Space, Text};
use crate::id::layout::{Field, Layout};

pub(super) const SCHEMES: &[Scheme] = &[
    Scheme {
        name: "nanoid",
        title: "NanoID",
        layout: Layout(&[Field::random("random", 21).over(64)]),
        separation: Separation::Flat(Space::of_text(64, 21)),
        texts: &[],
        failures: &["an alphabet whose size does not divide 256, filled by a remainder"],
        source: "github.com/ai/nanoid",
        ..UUID_ENTRY
    },
    Scheme {
        name: "cuid2",
        title: "CUID2",
        layout: Layout(&[Field::random("letter", 1).over(26), Field::random("hash", 23).over(36)]),
        separation: Separation::Flat(Space::Power { times: 26, base: 36, exponent: 23 }),
        texts: &[],
        failures: &["what it hashes has to hold as many bits as the id shows"],
        source: "github.com/paralleldrive/cuid2",
        ..UUID_ENTRY
    },
    Scheme {
        name: "random",
        aliases: &["random128"],
        title: "16 random bytes",
        layout: Layout(&[Field::random("random", 128)]),
        separation: Separation::Flat(Space::of_bits(128)),
        texts: &[Text::HEX, Text::BASE32, Text::BASE58, Text::BASE62, Text::BASE64URL],
        failures: &["a generator seeded with fewer bits, or copied by a fork or a clone"],
        source: "arithmetic",
        basis: Basis::Derived,
        ..UUID_ENTRY
    },
];
