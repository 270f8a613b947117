//! The catalogue of identifiers as an answer.

use crate::error::Result;
use crate::id::layout::{BitCount, Layout, Source, seconds};
use crate::id::scheme::{self, Basis, Epoch, Order, Scheme, Separation, catalogue};
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
    /// Where no scheme has that name; the message offers the nearest.
    pub fn new(name: Option<&str>) -> Result<Listing> {
        Ok(Listing { name: name.map(scheme::named).transpose()?.map(|scheme| scheme.name) })
    }
}

/// A text form and its length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TextForm {
    /// What it is called.
    pub name: &'static str,
    /// Characters of the longest.
    pub chars: u32,
}

/// A scheme with what follows from its layout.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The word for it in every verb.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// Its name for people.
    pub title: &'static str,
    /// The scheme that it implements.
    pub of: Option<&'static str>,
    /// Its digits.
    pub layout: Layout,
    /// What keeps two ids apart.
    pub separation: Separation,
    /// Within which time its bits have to tell ids apart; none for all time.
    pub bucket_s: Option<f64>,
    /// All bits; of text, what its values need.
    pub total_bits: u32,
    /// Bits drawn at random for every id.
    pub random_bits: BitCount,
    /// Bits of the clock.
    pub time_bits: BitCount,
    /// Bits of counters and sequences.
    pub counter_bits: BitCount,
    /// Of these, bits that start at random.
    pub counter_drawn_bits: BitCount,
    /// Bits that name the maker.
    pub node_bits: BitCount,
    /// Constant bits.
    pub fixed_bits: BitCount,
    /// Bits in which two ids that can clash differ by chance: of an id in its bucket, of a node number.
    pub pair_bits: Option<BitCount>,
    /// Characters of its usual text form.
    pub text_chars: u32,
    /// All its text forms.
    pub texts: Vec<TextForm>,
    /// The moment from which its clock counts, in seconds of Unix time.
    pub epoch_unix_s: Option<Epoch>,
    /// How long its clock runs before it starts again.
    pub life_s: Option<f64>,
    /// The year in which its clock ends.
    pub life_year: Option<i64>,
    /// When its time field ends, in words.
    pub life: String,
    /// In which order one generator's ids come.
    pub order: Order,
    /// What happens when a counter is used up within a tick.
    pub overflow: Option<&'static str>,
    /// How it fails, in one text.
    pub failure: String,
    /// How it fails, one by one.
    pub failures: &'static [&'static str],
    /// Where it is defined, or which code was read.
    pub source: &'static str,
    /// On what the entry rests.
    pub basis: Basis,
}

/// The schemes asked for, in the order of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Catalogue {
    /// One entry a scheme.
    pub schemes: Vec<Entry>,
    /// Of one scheme that was asked for: what implements or shortens it.
    pub implementations: Vec<Entry>,
}

/// Lists the schemes that a question asks for.
pub fn answer(question: &Listing) -> Catalogue {
    let wanted = |scheme: &&Scheme| question.name.is_none_or(|name| name == scheme.name);
    let of = |scheme: &&Scheme| question.name.is_some() && scheme.of == question.name;
    Catalogue {
        schemes: catalogue().filter(wanted).map(entry).collect(),
        implementations: catalogue().filter(of).map(entry).collect(),
    }
}

fn entry(scheme: &'static Scheme) -> Entry {
    let bits = |source| BitCount(scheme.layout.bits_from(source));
    let texts = scheme.text_forms().into_iter();
    Entry {
        name: scheme.name,
        aliases: scheme.aliases,
        title: scheme.title,
        of: scheme.of,
        layout: scheme.layout,
        separation: scheme.separation,
        bucket_s: scheme.separation.bucket_s().map(seconds),
        total_bits: scheme.layout.bits(),
        random_bits: bits(Source::Random),
        time_bits: bits(Source::Time),
        counter_bits: bits(Source::Counter),
        counter_drawn_bits: BitCount(scheme.layout.drawn_from(Source::Counter)),
        node_bits: bits(Source::Node),
        fixed_bits: bits(Source::Fixed),
        pair_bits: scheme.pair_bits().map(BitCount),
        text_chars: scheme.text_chars(),
        texts: texts.map(|(text, chars)| TextForm { name: text.name, chars }).collect(),
        epoch_unix_s: scheme.epoch,
        life_s: scheme.life_s(),
        life_year: scheme.life_year(),
        life: life(scheme),
        order: scheme.order,
        overflow: scheme.overflow,
        failure: scheme.failures.join("; "),
        failures: scheme.failures,
        source: scheme.source,
        basis: scheme.basis,
    }
}

/// The end of its clock in words.
fn life(scheme: &Scheme) -> String {
    match (scheme.life_s(), scheme.life_year()) {
        (Some(_), Some(year)) => format!("its clock ends in the year {year}"),
        (Some(_), None) => "its clock starts again".to_owned(),
        _ => "no time field".to_owned(),
    }
}
