//! The layout of an identifier: which digits come from where, and what is left when it is cut short.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A length of time in seconds as an exact fraction, numerator over denominator.
pub type Seconds = (u64, u64);

/// Where the digits of a field come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A clock.
    Time,
    /// A random generator, anew for every id.
    Random,
    /// A counter or a clock sequence; it may start at random.
    Counter,
    /// Whoever makes the id: node, machine, process. It may be drawn at random once.
    Node,
    /// A constant of the scheme: version, variant, prefix, unused bits.
    Fixed,
    /// Whatever the application puts there.
    Custom,
}

/// A run of digits with one meaning, most significant first. Nearly all are bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The name that the standard gives it.
    pub name: &'static str,
    /// How many digits.
    pub digits: u32,
    /// How many values a digit has: 2 for bits, more for characters of an alphabet.
    pub base: u32,
    /// Where they come from.
    pub source: Source,
    /// How many digits, the lowest, are drawn at random: at every id for a random field, at the start of
    /// every tick or process for a counter, once for a node.
    pub drawn: u32,
    /// Of a clock: the time that one step of the lowest digit takes.
    pub step_s: Seconds,
}

impl Field {
    const fn bits_of(name: &'static str, bits: u32, source: Source, drawn: u32) -> Field {
        Field { name, digits: bits, base: 2, source, drawn, step_s: (0, 1) }
    }

    /// Bits of a clock whose lowest stands for `step_s`.
    pub const fn time(name: &'static str, bits: u32, step_s: Seconds) -> Field {
        Field { step_s, ..Field::bits_of(name, bits, Source::Time, 0) }
    }

    /// Bits drawn for every id.
    pub const fn random(name: &'static str, bits: u32) -> Field {
        Field::bits_of(name, bits, Source::Random, bits)
    }

    /// Bits of a counter, the lowest `drawn` of which start at random.
    pub const fn counter(name: &'static str, bits: u32, drawn: u32) -> Field {
        Field::bits_of(name, bits, Source::Counter, drawn)
    }

    /// Bits that name the maker, the lowest `drawn` of which it draws at random.
    pub const fn node(name: &'static str, bits: u32, drawn: u32) -> Field {
        Field::bits_of(name, bits, Source::Node, drawn)
    }

    /// Constant bits.
    pub const fn fixed(name: &'static str, bits: u32) -> Field {
        Field::bits_of(name, bits, Source::Fixed, 0)
    }

    /// Bits of the application.
    pub const fn custom(name: &'static str, bits: u32) -> Field {
        Field::bits_of(name, bits, Source::Custom, 0)
    }

    /// The same run in characters of an alphabet instead of bits.
    #[must_use]
    pub const fn over(mut self, alphabet: u32) -> Field {
        self.base = alphabet;
        self
    }

    /// Bits of information that so many of its digits hold.
    fn in_bits(self, digits: u32) -> f64 {
        f64::from(digits) * f64::from(self.base).log2()
    }

    /// Bits of information that its digits hold: whole for bits.
    pub fn bits(self) -> f64 {
        self.in_bits(self.digits)
    }

    /// Bits of information in those of its digits that are drawn at random.
    pub fn drawn_bits(self) -> f64 {
        self.in_bits(self.drawn)
    }

    /// After how many seconds the field of a clock starts again; 0 for other fields.
    pub fn span_s(self) -> f64 {
        seconds(self.step_s) * f64::from(self.base).powi(i32::try_from(self.digits).unwrap_or(i32::MAX))
    }
}

impl Serialize for Field {
    /// `bits` is an integer where it is whole.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Field", 6)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("bits", &BitCount(self.bits()))?;
        out.serialize_field("source", &self.source)?;
        out.serialize_field("drawn_bits", &BitCount(self.drawn_bits()))?;
        out.serialize_field("characters", &(self.base != 2).then_some(self.digits))?;
        out.serialize_field("step_s", &(self.source == Source::Time).then(|| seconds(self.step_s)))?;
        out.end()
    }
}

/// A number of bits: an integer in a record where it is whole.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct BitCount(pub f64);

impl Serialize for BitCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.fract() == 0.0 && (0.0..1e15).contains(&self.0) {
            true => serializer.serialize_u64(self.0 as u64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

/// The nearest `f64` to an exact number of seconds.
pub fn seconds(exact: Seconds) -> f64 {
    exact.0 as f64 / exact.1 as f64
}

/// The fields of an identifier in order, most significant first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Layout(pub &'static [Field]);

impl Layout {
    /// Bits that hold every value; where fields are characters, rounded up.
    pub fn bits(self) -> u32 {
        self.0.iter().map(|field| field.bits()).sum::<f64>().ceil() as u32
    }

    /// Bits from one kind of source: whole where its fields are bits.
    pub fn bits_from(self, source: Source) -> f64 {
        self.0.iter().filter(|field| field.source == source).map(|field| field.bits()).sum()
    }

    /// Bits drawn at random, for an id or for a run of ids, in fields of one source.
    pub fn drawn_from(self, source: Source) -> f64 {
        self.0.iter().filter(|field| field.source == source).map(|field| field.drawn_bits()).sum()
    }

    /// Whether every field is made of bits.
    pub fn is_binary(self) -> bool {
        self.0.iter().all(|field| field.base == 2)
    }

    /// What remains in the first `bits` bits: of `v7`, in 32 bits, 32 bits of its clock and nothing random.
    ///
    /// More bits than there are is the whole id. None where fields are characters, which have no bits to
    /// keep.
    pub fn top_bits(self, bits: u32) -> Option<Kept> {
        let mut left = bits;
        let mut kept = Kept::default();
        for field in self.0 {
            let taken = field.digits.min(left);
            left -= taken;
            kept.add(*field, taken);
        }
        self.is_binary().then(|| kept.joined())
    }
}

/// What a shortened id still holds, in bits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kept {
    /// Bits of the clock.
    pub time: u32,
    /// Bits drawn for every id.
    pub random: u32,
    /// Bits of counters.
    pub counter: u32,
    /// Of these, bits that start at random.
    pub counter_drawn: u32,
    /// Bits that name the maker.
    pub node: u32,
    /// Of these, bits drawn at random.
    pub node_drawn: u32,
    /// Constant bits.
    pub fixed: u32,
    /// Bits of the application.
    pub custom: u32,
    /// The clock that is left, where any of it is.
    pub clock: Option<KeptClock>,
    parts: Vec<KeptClock>,
}

/// The part of a clock that a shortened id still shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptClock {
    /// One step: ids of the same step show the same time. The first 8 hex digits of a v7: 2^16 ms.
    pub step_s: Seconds,
    /// After this time the clock shows the same again. The first 8 hex digits of a v1 are the low bits of
    /// its time: 2^32 × 100 ns, seven minutes; of a v7 all the life of its clock.
    pub repeats_s: f64,
}

impl Kept {
    /// Bits drawn at random, for the id or for a run of ids.
    pub fn drawn(&self) -> u32 {
        self.random + self.counter_drawn + self.node_drawn
    }

    fn add(&mut self, field: Field, taken: u32) {
        if taken == 0 {
            return;
        }
        // The lowest digits are drawn, and the lowest are cut off.
        let drawn = field.drawn.saturating_sub(field.digits - taken);
        match field.source {
            Source::Time => {
                self.time += taken;
                let (above, below) = field.step_s;
                let step_s = (above << (field.digits - taken), below);
                self.parts.push(KeptClock { step_s, repeats_s: field.span_s() });
            }
            Source::Random => self.random += taken,
            Source::Counter => {
                self.counter += taken;
                self.counter_drawn += drawn;
            }
            Source::Node => {
                self.node += taken;
                self.node_drawn += drawn;
            }
            Source::Fixed => self.fixed += taken,
            Source::Custom => self.custom += taken,
        }
    }

    /// Joins the parts of the clock from the finest up, as far as there is no gap between them.
    fn joined(mut self) -> Kept {
        self.parts.sort_by(|a, b| seconds(a.step_s).total_cmp(&seconds(b.step_s)));
        self.clock = self.parts.iter().copied().reduce(|fine, coarse| {
            let gap = seconds(coarse.step_s) > fine.repeats_s;
            KeptClock { repeats_s: if gap { fine.repeats_s } else { coarse.repeats_s }, ..fine }
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::scheme::find;

    fn kept(name: &str, bits: u32) -> Kept {
        find(name).expect("a scheme").layout.top_bits(bits).expect("a layout of bits")
    }

    #[test]
    fn eight_hex_digits_of_a_v7_are_clock_and_nothing_else() {
        let kept = kept("v7", 32);
        assert_eq!((kept.time, kept.random, kept.fixed), (32, 0, 0));
        let clock = kept.clock.expect("a clock");
        assert_eq!(seconds(clock.step_s), 65.536);
        assert_eq!(clock.repeats_s, 281_474_976_710.656);
    }

    #[test]
    fn eight_hex_digits_of_a_v1_start_again_after_seven_minutes() {
        let clock = kept("v1", 32).clock.expect("a clock");
        assert_eq!((seconds(clock.step_s), clock.repeats_s), (1e-7, 429.496_729_6));
        // All 60 bits: as long as the clock lasts.
        let whole = kept("v1", 64).clock.expect("a clock");
        assert_eq!((seconds(whole.step_s), whole.repeats_s), (1e-7, 2f64.powi(60) / 1e7));
        // Eight bits of time_mid are its high ones: those below are missing, so it still wraps.
        assert_eq!(kept("v1", 40).clock.expect("a clock").repeats_s, 429.496_729_6);
    }

    #[test]
    fn eight_hex_digits_of_a_v4_are_random() {
        assert_eq!((kept("v4", 32).random, kept("v4", 32).clock), (32, None));
        assert_eq!((kept("v4", 64).random, kept("v4", 64).fixed), (60, 4));
        assert_eq!(kept("v4", 1_000), kept("v4", 128));
    }

    #[test]
    fn text_has_no_bits_to_keep() {
        assert_eq!(find("nanoid").expect("a scheme").layout.top_bits(32), None);
    }
}
