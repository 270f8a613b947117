//! Which keys, hence in which order they arrive: the vocabulary of `size`, `index` and `probe`, and the
//! implementations of UUIDv7 in the catalogue.

use crate::error::{Error, Result};
use crate::id::key::Key;
use crate::id::scheme::{self, Separation};
use crate::store::tree::{Shape, Within};
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// Seconds of a millisecond, and of the 100 ns of UUIDv1 and v6.
const MILLISECOND: f64 = 1e-3;
const HUNDRED_NS: f64 = 1e-7;

/// A kind of key, or an implementation of UUIDv7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// A kind.
    Kind(Key),
    /// An implementation, by its name in the catalogue, and whether it counts within a millisecond.
    Implementation(&'static str, bool),
}

impl KeyOrder {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            KeyOrder::Kind(key) => key.name(),
            KeyOrder::Implementation(name, _) => name,
        }
    }

    /// Bytes of the key in binary.
    pub(super) fn key_bytes(self) -> u32 {
        match self {
            KeyOrder::Kind(key) => key.binary_bytes(),
            KeyOrder::Implementation(..) => Key::V7.binary_bytes(),
        }
    }

    /// Whether old keys can be removed as one range of the key itself.
    pub fn is_time_ordered(self) -> bool {
        match self {
            KeyOrder::Kind(key) => key.is_time_ordered(),
            KeyOrder::Implementation(..) => true,
        }
    }

    /// What its order is made of. ULIDs and Snowflakes come from many generators, so that keys of one
    /// millisecond come shuffled; of numbered `clients` a Snowflake has each one's together.
    pub(super) fn shape(self, numbered: bool, v1_phase: f64) -> Shape {
        let timed = |tick_s, within| Shape::Timed { tick_s, within };
        match self {
            KeyOrder::Kind(Key::V4 | Key::Random(_)) => Shape::Uniform,
            KeyOrder::Kind(Key::V1) => Shape::LowTimeFirst { phase: v1_phase },
            KeyOrder::Kind(Key::V6) => timed(HUNDRED_NS, Within::Random),
            KeyOrder::Kind(Key::V7Monotonic) | KeyOrder::Implementation(_, true) => {
                timed(MILLISECOND, Within::Counter)
            }
            KeyOrder::Kind(Key::Snowflake) if numbered => timed(MILLISECOND, Within::ClientThenCounter),
            KeyOrder::Kind(Key::V7 | Key::Ulid | Key::Snowflake) | KeyOrder::Implementation(_, false) => {
                timed(MILLISECOND, Within::Random)
            }
        }
    }
}

impl FromStr for KeyOrder {
    type Err = Error;

    /// A key's name, a number of random bytes, or an implementation of UUIDv7 as the catalogue names it.
    fn from_str(text: &str) -> Result<KeyOrder> {
        if let Ok(key) = text.parse() {
            return Ok(KeyOrder::Kind(key));
        }
        match scheme::find(text) {
            Some(scheme) if scheme.of == Some("v7") => {
                let counts = matches!(scheme.separation, Separation::Bucket { counter: true, .. });
                Ok(KeyOrder::Implementation(scheme.name, counts))
            }
            _ => Err(Error::value(
                "an order",
                text,
                "v1, v4, v6, v7, v7-monotonic, ulid, snowflake, v7:NAME of the catalogue or a number of random bytes",
                "v7 or v7:postgres18",
            )),
        }
    }
}

impl Serialize for KeyOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            KeyOrder::Kind(key) => key.serialize(serializer),
            KeyOrder::Implementation(name, _) => serializer.serialize_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_keys_and_of_implementations_read() {
        let of = |text: &str| text.parse::<KeyOrder>().expect("an order");
        assert_eq!(of("uuidv7"), KeyOrder::Kind(Key::V7));
        assert_eq!(of("32").key_bytes(), 32);
        assert_eq!(of("v7:postgres18").name(), "v7:postgres18");
        for text in ["v8", "v4:uuid-rs", "", "0", "nanoid"] {
            assert!(text.parse::<KeyOrder>().is_err_and(|error| error.is_usage()), "{text}");
        }
    }

    #[test]
    fn an_implementation_that_counts_is_monotonic() {
        let counting = "v7:uuid-rs".parse::<KeyOrder>().expect("in the catalogue");
        assert!(matches!(counting.shape(false, 0.5), Shape::Timed { within: Within::Counter, .. }));
    }
}
