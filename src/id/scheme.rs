//! The catalogue of identifier schemes.
//!
//! A new scheme is one entry in [`CATALOGUE`].

use super::layout::{Field, Layout, Source};
use serde::Serialize;

/// A scheme by which identifiers are made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scheme {
    /// The word for it in every verb.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its bits.
    pub layout: Layout,
    /// Within which unit of time the random bits have to tell ids apart; `None` for all time.
    pub bucket_s: Option<f64>,
    /// Characters of its usual text form.
    pub text_chars: u32,
    /// When its time field ends, in words.
    pub life: &'static str,
    /// How it fails.
    pub failure: &'static str,
    /// Where it is defined.
    pub source: &'static str,
}

const fn field(name: &'static str, bits: u32, source: Source) -> Field {
    Field { name, bits, source }
}

/// Every scheme that is known.
pub const CATALOGUE: &[Scheme] = &[
    Scheme {
        name: "v4",
        title: "UUIDv4",
        layout: Layout(&[
            field("random_a", 48, Source::Random),
            field("ver", 4, Source::Fixed),
            field("random_b", 12, Source::Random),
            field("var", 2, Source::Fixed),
            field("random_c", 62, Source::Random),
        ]),
        bucket_s: None,
        text_chars: 36,
        life: "no time field",
        failure: "a generator with fewer than 122 bits of entropy; inserts land all over a B-tree",
        source: "RFC 9562 §5.4",
    },
    Scheme {
        name: "v7",
        title: "UUIDv7",
        layout: Layout(&[
            field("unix_ts_ms", 48, Source::Time),
            field("ver", 4, Source::Fixed),
            field("rand_a", 12, Source::Random),
            field("var", 2, Source::Fixed),
            field("rand_b", 62, Source::Random),
        ]),
        bucket_s: Some(1e-3),
        text_chars: 36,
        life: "48 bits of milliseconds end in the year 10889",
        failure: "clock set back or ahead; implementations that replace random bits by a counter",
        source: "RFC 9562 §5.7",
    },
];

/// The scheme of a name.
pub fn find(name: &str) -> Option<&'static Scheme> {
    CATALOGUE.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_have_128_bits_of_which_6_are_fixed() {
        for scheme in CATALOGUE {
            assert_eq!(scheme.layout.bits(), 128, "{}", scheme.name);
            assert_eq!(scheme.layout.bits_from(Source::Fixed), 6, "{}", scheme.name);
        }
    }

    #[test]
    fn v4_has_122_random_bits_and_v7_has_74() {
        let random = |name| find(name).map(|scheme| scheme.layout.bits_from(Source::Random));
        assert_eq!((random("v4"), random("V7")), (Some(122), Some(74)));
    }

    #[test]
    fn the_time_field_of_v7_ends_in_10889() {
        let years = 2f64.powi(48) / 1e3 / crate::units::SECONDS_PER_YEAR as f64;
        assert_eq!((1970.0 + years) as u32, 10_889);
    }
}
