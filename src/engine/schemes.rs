//! The catalogue of identifiers as an answer.

use crate::error::{Error, Result};
use crate::id::layout::Source;
use crate::id::scheme::{CATALOGUE, Scheme, find};
use crate::question::Question;
use serde::Serialize;

/// Which schemes to show: all, or one by name.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Listing {
    #[serde(rename = "scheme")]
    name: Option<&'static str>,
}

impl Question for Listing {
    const VERB: &'static str = "schemes";
}

impl Listing {
    /// All schemes, or the one of that name.
    ///
    /// # Errors
    /// Where no scheme has that name; the message lists those that there are.
    pub fn new(name: Option<&str>) -> Result<Listing> {
        let known = || CATALOGUE.iter().map(|scheme| scheme.name).collect::<Vec<_>>().join(", ");
        let name = match name {
            None => None,
            Some(text) => Some(
                find(text)
                    .ok_or_else(|| Error::value("a scheme", text, &format!("one of {}", known()), "v7"))?
                    .name,
            ),
        };
        Ok(Listing { name })
    }
}

/// A scheme with what follows from its layout.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Entry {
    /// What the catalogue holds.
    #[serde(flatten)]
    pub scheme: Scheme,
    /// All bits.
    pub total_bits: u32,
    /// Bits drawn at random.
    pub random_bits: u32,
    /// Bits of the clock.
    pub time_bits: u32,
}

/// The schemes asked for, in the order of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Catalogue {
    /// One entry a scheme.
    pub schemes: Vec<Entry>,
}

/// Lists the schemes that a question asks for.
pub fn answer(question: &Listing) -> Catalogue {
    let wanted = |scheme: &&Scheme| question.name.is_none_or(|name| name == scheme.name);
    let entry = |scheme: &Scheme| Entry {
        scheme: *scheme,
        total_bits: scheme.layout.bits(),
        random_bits: scheme.layout.bits_from(Source::Random),
        time_bits: scheme.layout.bits_from(Source::Time),
    };
    Catalogue { schemes: CATALOGUE.iter().filter(wanted).map(entry).collect() }
}
