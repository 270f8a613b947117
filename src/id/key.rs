//! A key as a store sees it: how many bytes it has and in which order such keys arrive.

use crate::error::{Error, Result};
use crate::store::page::{Arrival, V1_WRAP_S};
use crate::store::record::KeyFormat;
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// The longest key that is sized, in bytes.
const LONGEST: u32 = 1_024;

/// What is used as the idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// UUIDv1: low 32 bits of the time first.
    V1,
    /// UUIDv4: 122 random bits.
    V4,
    /// UUIDv6: 100 ns time, high bits first.
    V6,
    /// UUIDv7 with 74 random bits behind the millisecond.
    V7,
    /// UUIDv7 from one strictly monotonic generator.
    V7Monotonic,
    /// ULID: millisecond and 80 random bits, 26 characters of Crockford base32.
    Ulid,
    /// Snowflake: 64 bits, millisecond, worker, sequence.
    Snowflake,
    /// So many random bytes.
    Random(u32),
}

impl Key {
    /// The word for it in every verb.
    pub fn name(self) -> &'static str {
        match self {
            Key::V1 => "v1",
            Key::V4 => "v4",
            Key::V6 => "v6",
            Key::V7 => "v7",
            Key::V7Monotonic => "v7-monotonic",
            Key::Ulid => "ulid",
            Key::Snowflake => "snowflake",
            Key::Random(_) => "random",
        }
    }

    /// Bytes of the key in binary.
    pub fn binary_bytes(self) -> u32 {
        match self {
            Key::Snowflake => 8,
            Key::Random(bytes) => bytes,
            _ => 16,
        }
    }

    /// Bytes of the key as it is stored: 36 characters for a UUID as text, 26 for a ULID, 19 decimal
    /// digits for a Snowflake, two hexadecimal digits a byte for random bytes.
    pub fn stored_bytes(self, format: KeyFormat) -> u32 {
        match (format, self) {
            (KeyFormat::Binary, _) => self.binary_bytes(),
            (KeyFormat::Text, Key::Ulid) => 26,
            (KeyFormat::Text, Key::Snowflake) => 19,
            (KeyFormat::Text, Key::Random(bytes)) => bytes.saturating_mul(2),
            (KeyFormat::Text, _) => 36,
        }
    }

    /// The order in which such keys reach an index when many clients make `rate_per_s` of them.
    ///
    /// ULIDs and Snowflakes come from many generators, so keys of one millisecond arrive shuffled, as
    /// those of UUIDv7 with random low bits; of UUIDv6 the same holds for one tick of 100 ns.
    pub fn arrival(self, rate_per_s: f64) -> Arrival {
        match self {
            Key::V4 | Key::Random(_) => Arrival::Uniform,
            Key::V7Monotonic => Arrival::Ascending,
            Key::V7 | Key::Ulid | Key::Snowflake => Arrival::Bucketed { keys_per_bucket: rate_per_s * 1e-3 },
            Key::V6 => Arrival::Bucketed { keys_per_bucket: rate_per_s * 1e-7 },
            Key::V1 => Arrival::Wrapping { keys_per_wrap: rate_per_s * V1_WRAP_S },
        }
    }

    /// Whether old keys can be removed as one range of the key itself.
    pub fn is_time_ordered(self) -> bool {
        !matches!(self, Key::V1 | Key::V4 | Key::Random(_))
    }

    /// How many different keys there are, where that is fewer than 2^128 and known.
    ///
    /// A store cannot hold more live keys than that; wider keys are not limited by their space.
    pub fn few_values(self) -> Option<u128> {
        match self {
            Key::Random(bytes) if bytes < 16 => Some(1 << (8 * bytes)),
            Key::V4 => Some(1 << 122),
            Key::Snowflake => Some(1 << 63),
            _ => None,
        }
    }
}

impl FromStr for Key {
    type Err = Error;

    /// A name, or a number of random bytes.
    fn from_str(text: &str) -> Result<Key> {
        let named = [Key::V1, Key::V4, Key::V6, Key::V7, Key::V7Monotonic, Key::Ulid, Key::Snowflake];
        let word = text.trim().to_ascii_lowercase();
        let word = word.strip_prefix("uuid").unwrap_or(&word);
        if let Some(key) = named.into_iter().find(|key| key.name() == word) {
            return Ok(key);
        }
        match word.parse::<u32>() {
            Ok(bytes) if (1..=LONGEST).contains(&bytes) => Ok(Key::Random(bytes)),
            _ => Err(Error::value(
                "a key",
                text,
                "v1, v4, v6, v7, v7-monotonic, ulid, snowflake or a number of random bytes from 1 to 1024",
                "v7 or 32",
            )),
        }
    }
}

impl Serialize for Key {
    /// The name, or for random bytes their number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Key::Random(bytes) => serializer.serialize_u32(*bytes),
            key => serializer.serialize_str(key.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for key in [Key::V1, Key::V4, Key::V6, Key::V7, Key::V7Monotonic, Key::Ulid, Key::Snowflake] {
            assert_eq!(key.name().parse(), Ok(key));
        }
        assert_eq!("32".parse(), Ok(Key::Random(32)));
        assert_eq!("UUIDv7".parse(), Ok(Key::V7));
    }

    #[test]
    fn a_key_of_no_or_too_many_bytes_is_refused() {
        for text in ["0", "1025", "-1", "v9", ""] {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }
}
