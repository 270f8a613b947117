//! Text of 128-bit ids, written and read in bulk.
//!
//! | form | characters | alphabet | sorted ids give sorted text |
//! |---|---|---|---|
//! | hyphenated | 36 | 0–9 a–f, four hyphens (RFC 9562 §4) | yes |
//! | simple | 32 | 0–9 a–f | yes |
//! | base32 | 26 | 0–9 A–Z without I L O U (Crockford), as a ULID | yes |
//! | base62 | 22 | 0–9 A–Z a–z | yes |
//! | base64url | 22 | A–Z a–z 0–9 - _ (RFC 4648 §5), no padding | no |
//!
//! Every form has one spelling an id, which encoding gives. Parsing takes other letter cases where digits have
//! no case of their own (hyphenated, simple, base32) and, in base32, I and L for 1 and O for 0; nothing else.

mod alphabet;
mod base32;
mod base62;
mod base64url;
mod hexadecimal;

use crate::error::{Error, Result};
use serde::{Serialize, Serializer};
use std::str::FromStr;
use uuid::Uuid;

/// The UUIDv7 of RFC 9562 appendix A.6, for examples in messages.
const EXAMPLE: Uuid = Uuid::from_u128(0x017f_22e2_79b0_7cc3_98c4_dc0c_0c07_398f);

/// A way to write 128 bits as text.
///
/// ```
/// use uuidcap::id::text::TextForm;
///
/// let ids = [uuid::Uuid::from_u128(1), uuid::Uuid::max()];
/// let mut text = [0; 2 * TextForm::Base62.chars()];
/// TextForm::Base62.encode(&ids, &mut text);
/// assert_eq!(&text, b"00000000000000000000017n42DGM5Tflk9n8mt7Fhc7");
///
/// let mut back = [uuid::Uuid::nil(); 2];
/// TextForm::Base62.parse(&text, &mut back)?;
/// assert_eq!(back, ids);
/// # Ok::<(), uuidcap::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextForm {
    /// 8-4-4-4-12 hexadecimal digits.
    Hyphenated,
    /// Hexadecimal digits.
    Simple,
    /// Crockford's base32 as ULIDs write it.
    Base32,
    /// Digits, upper-case and lower-case letters.
    Base62,
    /// RFC 4648 §5 without padding.
    Base64url,
}

impl TextForm {
    /// Every form, the usual one first.
    pub const ALL: [TextForm; 5] =
        [TextForm::Hyphenated, TextForm::Simple, TextForm::Base32, TextForm::Base62, TextForm::Base64url];

    /// The word for it in every verb.
    pub fn name(self) -> &'static str {
        match self {
            TextForm::Hyphenated => "hyphenated",
            TextForm::Simple => "simple",
            TextForm::Base32 => "base32",
            TextForm::Base62 => "base62",
            TextForm::Base64url => "base64url",
        }
    }

    /// Characters of an id, each one byte.
    pub const fn chars(self) -> usize {
        match self {
            TextForm::Hyphenated => 36,
            TextForm::Simple => 32,
            TextForm::Base32 => base32::CHARS,
            TextForm::Base62 => base62::CHARS,
            TextForm::Base64url => base64url::CHARS,
        }
    }

    /// Whether the text of sorted ids is sorted too.
    pub const fn keeps_order(self) -> bool {
        !matches!(self, TextForm::Base64url)
    }

    /// Writes ids one after another, without separators.
    ///
    /// # Panics
    ///
    /// Where `text` is not [`chars`](TextForm::chars) bytes an id.
    pub fn encode(self, ids: &[Uuid], text: &mut [u8]) {
        assert!(
            self.fits(text, ids),
            "{} bytes of text for {} ids as {}",
            text.len(),
            ids.len(),
            self.name()
        );
        match self {
            TextForm::Hyphenated => hexadecimal::encode_hyphenated(ids, text),
            TextForm::Simple => hexadecimal::encode_simple(ids, text),
            TextForm::Base32 => base32::encode(ids, text),
            TextForm::Base62 => base62::encode(ids, text),
            TextForm::Base64url => base64url::encode(ids, text),
        }
    }

    /// One id as text of its own.
    pub fn encode_one(self, id: Uuid) -> String {
        let mut longest = [0; TextForm::Hyphenated.chars()];
        let text = &mut longest[..self.chars()];
        self.encode(&[id], text);
        str::from_utf8(text).expect("every alphabet is ASCII").to_owned()
    }

    /// Reads ids that stand one after another without separators: the reverse of [`encode`](TextForm::encode).
    ///
    /// # Errors
    ///
    /// Where `text` is not [`chars`](TextForm::chars) bytes an id, or a piece of it is no id; the message names the
    /// first such piece, counted from 1. What `ids` hold then is not told.
    pub fn parse(self, text: &[u8], ids: &mut [Uuid]) -> Result<()> {
        if !self.fits(text, ids) {
            return Err(self.misfit(text.len(), ids.len()));
        }
        if self.read(text, ids) {
            return Ok(());
        }
        // Only a refusal pays for finding out which id it was.
        let mut pieces = text.chunks(self.chars()).enumerate();
        let refused = pieces.find(|(_, piece)| !self.read(piece, &mut [Uuid::nil()]));
        let (before, piece) = refused.expect("a text is refused for one of its ids");
        Err(self.refusal(&format!("id {} as {}", before + 1, self.name()), piece))
    }

    /// Reads a text that holds one id and nothing else.
    ///
    /// # Errors
    ///
    /// Where it is no id in this form.
    pub fn parse_one(self, text: &[u8]) -> Result<Uuid> {
        let mut ids = [Uuid::nil()];
        if self.fits(text, &ids) && self.read(text, &mut ids) {
            return Ok(ids[0]);
        }
        Err(self.refusal(&format!("an id as {}", self.name()), text))
    }

    /// Whether so much text holds so many ids.
    fn fits(self, text: &[u8], ids: &[Uuid]) -> bool {
        text.len().is_multiple_of(self.chars()) && text.len() / self.chars() == ids.len()
    }

    /// Reads a text that fits; whether each of its ids could be read.
    fn read(self, text: &[u8], ids: &mut [Uuid]) -> bool {
        match self {
            TextForm::Hyphenated => hexadecimal::parse_hyphenated(text, ids),
            TextForm::Simple => hexadecimal::parse_simple(text, ids),
            TextForm::Base32 => base32::parse(text, ids),
            TextForm::Base62 => base62::parse(text, ids),
            TextForm::Base64url => base64url::parse(text, ids),
        }
    }

    /// The error of a text that is no id.
    fn refusal(self, what: &str, came: &[u8]) -> Error {
        let allowed = match self {
            TextForm::Hyphenated => {
                "36 characters, hexadecimal digits in groups of 8, 4, 4, 4 and 12 joined by hyphens"
            }
            TextForm::Simple => "32 hexadecimal digits",
            TextForm::Base32 => "26 characters from 0 to 9 and A to Z without U, the first at most 7",
            TextForm::Base62 => {
                "22 characters from 0 to 9, A to Z and a to z, in that order at most 7n42DGM5Tflk9n8mt7Fhc7"
            }
            TextForm::Base64url => {
                "22 characters from A to Z, a to z, 0 to 9, - and _, the last A, Q, g or w"
            }
        };
        Error::value(what, &String::from_utf8_lossy(came), allowed, &self.encode_one(EXAMPLE))
    }

    /// The error of a text that is too short or too long for its ids.
    fn misfit(self, bytes: usize, ids: usize) -> Error {
        let allowed = format!("{} bytes an id, one after another without separators", self.chars());
        let what = format!("the text of {ids} ids as {}", self.name());
        Error::value(&what, &format!("{bytes} bytes"), &allowed, &self.encode_one(EXAMPLE))
    }
}

impl FromStr for TextForm {
    type Err = Error;

    /// A name; `hex` is another for simple, `crockford` for base32.
    fn from_str(text: &str) -> Result<TextForm> {
        let word = text.trim().to_ascii_lowercase();
        let name = match word.as_str() {
            "hex" => "simple",
            "crockford" => "base32",
            other => other,
        };
        TextForm::ALL.into_iter().find(|form| form.name() == name).ok_or_else(|| {
            Error::value("a text form", text, "hyphenated, simple, base32, base62 or base64url", "base62")
        })
    }
}

impl Serialize for TextForm {
    /// The name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests;
