//! The catalogue of identifier schemes.
//!
//! A family of schemes is a file with its entries; a new scheme is one entry there. Where a standard leaves
//! room, as for UUIDv7, implementations are entries of their own: what an id promises is what its code does.

mod dated;
mod life;
mod objectid;
mod random;
mod separation;
mod snowflake;
mod space;
#[cfg(test)]
mod tests;
mod text;
mod truncated;
mod ulid;
mod uuid;
mod v7;

pub use life::Epoch;
pub use separation::{Separation, Sequence};
pub use space::Space;
pub use text::Text;

use crate::error::{Error, Result};

use super::layout::{Kept, Layout, Seconds, Source};
use serde::Serialize;

/// On what an entry rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A standard or the scheme's own specification.
    Specified,
    /// What its makers say of it.
    Documented,
    /// Reading of its code; it was not run.
    ReadInCode,
    /// Counting what its code, as read, can give.
    Counted,
    /// Arithmetic alone.
    Derived,
}

/// In which order a generator's ids come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// In none.
    None,
    /// By tick of the clock; within a tick in none.
    Ticks,
    /// Strictly rising within one generator, as long as nothing overflows.
    Rising,
}

/// A scheme by which identifiers are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme {
    /// The word for it in every verb.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// Its name for people.
    pub title: &'static str,
    /// The scheme that it implements, where it is one of several ways to do so.
    pub of: Option<&'static str>,
    /// Its digits.
    pub layout: Layout,
    /// What keeps two ids apart.
    pub separation: Separation,
    /// Its text forms, the usual one first; empty where the layout is the text.
    pub texts: &'static [Text],
    /// From when its clock counts.
    pub epoch: Option<Epoch>,
    /// In which order one generator's ids come.
    pub order: Order,
    /// What happens when a counter is used up within a tick.
    pub overflow: Option<&'static str>,
    /// How it fails.
    pub failures: &'static [&'static str],
    /// Where it is defined, or which code was read.
    pub source: &'static str,
    /// On what the entry rests.
    pub basis: Basis,
}

impl Scheme {
    /// Bits that can differ: without leading ones that are always 0.
    pub fn value_bits(&self) -> u32 {
        let unused =
            self.layout.0.iter().take_while(|field| field.source == Source::Fixed && field.name == "0");
        self.layout.bits() - unused.map(|field| field.digits).sum::<u32>()
    }

    /// Each text form with its characters, the usual one first.
    pub fn text_forms(&self) -> Vec<(Text, u32)> {
        let bits = self.value_bits();
        if !self.layout.is_binary() {
            let own = Text::of("text", self.layout.0.iter().map(|field| field.base).max().unwrap_or(2));
            return vec![(own, self.layout.0.iter().map(|field| field.digits).sum())];
        }
        self.texts.iter().map(|text| (*text, text.characters(bits))).collect()
    }

    /// Characters of the usual text form; 0 where it has none.
    pub fn text_chars(&self) -> u32 {
        self.text_forms().first().map_or(0, |(_, characters)| *characters)
    }

    /// How long its clock runs before it starts again, in seconds; none without a clock.
    pub fn life_s(&self) -> Option<f64> {
        let spans = self.layout.0.iter().filter(|field| field.source == Source::Time);
        spans.map(|field| field.span_s()).reduce(f64::max)
    }

    /// The year in which its clock ends; none without a clock or a moment from which it counts.
    pub fn life_year(&self) -> Option<i64> {
        Some(self.epoch?.year_after(self.life_s()?))
    }

    /// Bits that two ids which can clash differ by, effective where values are not equally likely.
    pub fn pair_bits(&self) -> Option<f64> {
        self.separation.space().map(Space::bits)
    }

    /// What keeps ids apart of which only the first `bits` bits are kept.
    ///
    /// None where the layout is no run of bits, where a counter or node number loses a part, and where the
    /// application fills the id: there chance does not decide.
    pub fn keep_top(&self, bits: u32) -> Option<(Kept, Separation)> {
        let whole = self.layout.top_bits(self.layout.bits())?;
        let kept = self.layout.top_bits(bits)?;
        let separation = if bits >= self.layout.bits() {
            self.separation
        } else {
            self.separation.shortened(&whole, &kept)?
        };
        Some((kept, separation))
    }
}

/// An entry that says nothing yet.
const BLANK: Scheme = Scheme {
    name: "",
    aliases: &[],
    title: "",
    of: None,
    layout: Layout(&[]),
    separation: Separation::Application,
    texts: &[],
    epoch: None,
    order: Order::None,
    overflow: None,
    failures: &[],
    source: "",
    basis: Basis::Specified,
};

/// Every family, in the order in which people meet them.
const FAMILIES: [&[Scheme]; 8] = [
    uuid::SCHEMES,
    v7::SCHEMES,
    ulid::SCHEMES,
    snowflake::SCHEMES,
    objectid::SCHEMES,
    random::SCHEMES,
    truncated::SCHEMES,
    dated::SCHEMES,
];

/// Every scheme that is known.
pub fn catalogue() -> impl Iterator<Item = &'static Scheme> {
    FAMILIES.into_iter().flatten()
}

/// A name as it is compared: small letters, without `uuid` in front of a version (`UUIDv7`, `uuid-v7`, `uuid7`).
fn plain(name: &str) -> String {
    let word = name.trim().to_ascii_lowercase();
    let Some(version) = word.strip_prefix("uuid").map(|rest| rest.trim_start_matches(['-', '_', ' '])) else {
        return word;
    };
    match version.chars().next() {
        Some('v') => version.to_owned(),
        Some('1'..='9') => format!("v{version}"),
        _ => word,
    }
}

/// The scheme of a name: in any case, with or without `uuid` in front (`UUIDv7`), or by another word for it.
pub fn find(name: &str) -> Option<&'static Scheme> {
    let word = plain(name);
    catalogue().find(|scheme| scheme.name == word || scheme.aliases.contains(&word.as_str()))
}

/// The name of the catalogue that is nearest to one that is not in it; none where no name is near.
///
/// Near is half the letters right: `nanoi` is nanoid, `zzz` is nothing.
pub fn nearest(name: &str) -> Option<&'static str> {
    let words = catalogue().flat_map(|scheme| {
        [scheme.name].into_iter().chain(scheme.aliases.iter().copied()).map(|known| (known, scheme.name))
    });
    near(name, words)
}

/// Of words and what they name, what the word nearest to a name names; none where no word is near.
pub fn near<'a>(name: &str, words: impl Iterator<Item = (&'a str, &'a str)>) -> Option<&'a str> {
    // `uuid7` may be meant as it stands, or else as v7.
    let written = [name.trim().to_ascii_lowercase(), plain(name)];
    let written = written.map(|word| word.chars().take(64).collect::<String>());
    let away = |known: &str| (0..).zip(&written).map(|(rank, word)| (distance(word, known), rank)).min();
    let measured = words.filter_map(|(known, name)| Some((away(known)?, known.len(), name)));
    let near = measured.filter(|((away, _), length, _)| away * 2 <= *length);
    near.min_by_key(|(away, ..)| *away).map(|(.., name)| name)
}

/// The scheme of a name that somebody wrote.
///
/// # Errors
/// Where no scheme has that name; the message offers the nearest.
pub fn named(text: &str) -> Result<&'static Scheme> {
    let near = nearest(text).unwrap_or("v7");
    find(text).ok_or_else(|| Error::value("a scheme", text, "one that `uuidcap schemes` lists", near))
}

/// Letters to insert, remove or replace to make one word of another (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.chars().enumerate() {
            let replaced = corner + usize::from(from != to);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

/// One tick of a millisecond clock.
const MS: Seconds = (1, 1_000);
/// One tick of the clock of UUIDv1: 100 ns.
const NS_100: Seconds = (1, 10_000_000);
