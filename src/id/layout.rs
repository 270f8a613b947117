//! The layout of an identifier: which bits come from where.

use serde::Serialize;

/// Where the bits of a field come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A clock.
    Time,
    /// A random generator.
    Random,
    /// A constant of the scheme: version or variant.
    Fixed,
}

/// A run of bits with one meaning, most significant first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The name that the standard gives it.
    pub name: &'static str,
    /// How many bits.
    pub bits: u32,
    /// Where they come from.
    pub source: Source,
}

/// The fields of an identifier in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Layout(pub &'static [Field]);

impl Layout {
    /// All bits.
    pub fn bits(self) -> u32 {
        self.0.iter().map(|field| field.bits).sum()
    }

    /// Bits from one kind of source.
    pub fn bits_from(self, source: Source) -> u32 {
        self.0.iter().filter(|field| field.source == source).map(|field| field.bits).sum()
    }
}
