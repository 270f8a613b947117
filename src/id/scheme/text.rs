//! The text forms of an identifier, and how long each is.

use num_bigint::BigUint;

/// A way to write an id as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// What it is called.
    pub name: &'static str,
    /// Letters of its alphabet.
    pub alphabet: u32,
    /// Characters beside them: hyphens, a prefix.
    pub punctuation: u32,
}

impl Text {
    /// 8-4-4-4-12 hexadecimal digits with four hyphens.
    pub const HYPHENATED: Text = Text { name: "hyphenated", alphabet: 16, punctuation: 4 };
    /// Hexadecimal digits.
    pub const HEX: Text = Text::of("hex", 16);
    /// Decimal digits.
    pub const DECIMAL: Text = Text::of("decimal", 10);
    /// Crockford's or RFC 4648's base32 without padding.
    pub const BASE32: Text = Text::of("base32", 32);
    /// Letters without the four that look like others.
    pub const BASE58: Text = Text::of("base58", 58);
    /// Digits and letters.
    pub const BASE62: Text = Text::of("base62", 62);
    /// RFC 4648 §5 without padding.
    pub const BASE64URL: Text = Text::of("base64url", 64);

    /// Letters of an alphabet and nothing else.
    pub const fn of(name: &'static str, alphabet: u32) -> Text {
        Text { name, alphabet, punctuation: 0 }
    }

    /// Characters of the longest id of so many bits: the least L with alphabet^L ≥ 2^bits.
    pub fn characters(self, bits: u32) -> u32 {
        let values = BigUint::from(1u32) << bits;
        let mut reached = BigUint::from(1u32);
        let mut digits = 0;
        while reached < values {
            reached *= self.alphabet.max(2);
            digits += 1;
        }
        digits + self.punctuation
    }
}

/// The text forms of every UUID, the usual one first.
pub const UUID: &[Text] = &[Text::HYPHENATED, Text::HEX, Text::BASE32, Text::BASE58, Text::BASE64URL];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_from_the_alphabet() {
        let lengths: Vec<u32> = UUID.iter().map(|text| text.characters(128)).collect();
        assert_eq!(lengths, [36, 32, 26, 22, 22]);
        assert_eq!(Text::BASE62.characters(160), 27);
        assert_eq!((Text::DECIMAL.characters(63), Text::DECIMAL.characters(64)), (19, 20));
    }
}
