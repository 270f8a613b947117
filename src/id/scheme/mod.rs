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
mod text;
mod truncated;
mod ulid;
mod uuid;
mod v7;

pub use life::Epoch;
pub use separation::{Separation, Sequence};
pub use space::Space;
pub use text::Text;

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

/// A name as it is compared: small letters, without `uuid` in front of a version.
fn plain(name: &str) -> String {
    let word = name.trim().to_ascii_lowercase();
    match word.strip_prefix("uuid") {
        Some(version) if version.starts_with('v') => version.to_owned(),
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
    let word: String = plain(name).chars().take(64).collect();
    let words = catalogue().flat_map(|scheme| {
        [scheme.name].into_iter().chain(scheme.aliases.iter().copied()).map(|known| (known, scheme.name))
    });
    let measured = words.map(|(known, name)| (distance(&word, known), known.len(), name));
    let near = measured.filter(|(away, length, _)| away * 2 <= *length);
    near.min_by_key(|(away, ..)| *away).map(|(.., name)| name)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::layout::seconds;

    fn scheme(name: &str) -> &'static Scheme {
        find(name).unwrap_or_else(|| panic!("no {name}"))
    }

    #[test]
    fn names_are_found_in_any_form() {
        for (text, name) in
            [("V7", "v7"), ("UUIDv7", "v7"), (" ulid ", "ulid"), ("uuidV7:uuidjs", "v7:uuidjs")]
        {
            assert_eq!(find(text).map(|scheme| scheme.name), Some(name));
        }
        assert_eq!(find("v9"), None);
    }

    #[test]
    fn a_name_that_does_not_exist_is_answered_with_the_nearest() {
        assert_eq!(nearest("nanoi"), Some("nanoid"));
        assert_eq!(nearest("snowflakes"), Some("snowflake"));
        assert_eq!(nearest("uuidv4x"), Some("v4"));
        assert_eq!(nearest("zzzzzzz"), None);
        assert_eq!(nearest(""), None);
    }

    #[test]
    fn no_name_stands_twice() {
        let mut seen = std::collections::BTreeSet::new();
        for word in
            catalogue().flat_map(|scheme| [scheme.name].into_iter().chain(scheme.aliases.iter().copied()))
        {
            assert!(seen.insert(word), "{word} stands twice");
            assert_eq!(word, plain(word), "{word} would not be found");
        }
    }

    #[test]
    fn what_is_left_of_a_shortened_id_keeps_it_apart() {
        let left = |name, bits| scheme(name).keep_top(bits).map(|(_, separation)| separation);
        assert_eq!(left("v4", 32), Some(Separation::Flat(Space::of_bits(32))));
        let minute = Separation::Bucket { width_s: (65_536, 1_000), space: Space::ONE, counter: false };
        assert_eq!(left("v7", 32), Some(minute));
        assert_eq!(left("v7", 128), Some(scheme("v7").separation));
        assert_eq!(left("v7-monotonic", 60), None);
        assert_eq!(left("v8", 64), None);
        // The clock shows quarters of a microsecond and moves by whole ones.
        let microsecond =
            Separation::Bucket { width_s: (1, 1_000_000), space: Space::of_bits(30), counter: true };
        assert_eq!(left("v7:mariadb", 96), Some(microsecond));
        // Nothing of the effective bits is lost but what is cut off.
        let seed = Space::Bits(72.678_071_905_112_64 - 42.0);
        assert_eq!(
            left("v7:uuidjs", 86),
            Some(Separation::Bucket { width_s: MS, space: seed, counter: true })
        );
        assert_eq!(
            left("snowflake", 42),
            Some(Separation::Bucket { width_s: MS, space: Space::ONE, counter: false })
        );
        assert_eq!(left("snowflake", 53), None);
        assert_eq!(left("nanoid", 32), None);
    }

    #[test]
    fn every_layout_is_as_long_as_its_id() {
        let bits = |name| scheme(name).layout.bits();
        for known in catalogue().filter(|known| known.of.is_none() || !known.name.contains("-hex")) {
            let uuid = known.name.starts_with('v') && known.name.as_bytes()[1].is_ascii_digit();
            if uuid {
                assert_eq!((known.layout.bits(), known.value_bits()), (128, 128), "{}", known.name);
                assert_eq!(known.layout.bits_from(Source::Fixed), 6.0, "{}", known.name);
            }
        }
        assert_eq!([bits("ulid"), bits("ksuid"), bits("objectid"), bits("xid")], [128, 160, 96, 96]);
        assert_eq!([bits("snowflake"), bits("sonyflake"), bits("tsid")], [64, 64, 64]);
        assert_eq!([bits("nanoid"), bits("cuid2"), bits("v4-hex8")], [126, 124, 32]);
        assert_eq!((scheme("snowflake").value_bits(), scheme("sonyflake").value_bits()), (63, 63));
    }

    /// What is drawn at random is the space in which ids can clash: per id, or once per tick or node.
    #[test]
    fn what_is_drawn_is_what_keeps_ids_apart() {
        for known in catalogue() {
            let drawn = |source| known.layout.drawn_from(source);
            let sum = drawn(Source::Random) + drawn(Source::Counter) + drawn(Source::Node);
            match known.separation {
                // Not equally likely: less than was drawn, by less than a bit.
                Separation::Flat(Space::Bits(bits)) | Separation::Bucket { space: Space::Bits(bits), .. } => {
                    assert!(bits < sum && bits > sum - 1.0, "{}", known.name);
                }
                Separation::Flat(space) | Separation::Bucket { space, .. } => {
                    assert!((space.bits() - sum).abs() < 1e-12, "{}: {sum}", known.name);
                }
                Separation::Nodes { node, sequence_bits, sequence, .. } => {
                    let counter = known.layout.bits_from(Source::Counter);
                    assert_eq!(node.bits(), drawn(Source::Node), "{}", known.name);
                    assert_eq!(f64::from(sequence_bits), counter, "{}", known.name);
                    let start = if sequence == Sequence::Resets { 0.0 } else { counter };
                    assert_eq!(drawn(Source::Counter), start, "{}", known.name);
                }
                Separation::Clock { .. } | Separation::Application => assert_eq!(sum, 0.0, "{}", known.name),
            }
        }
    }

    #[test]
    fn a_bucket_is_no_finer_than_the_clock_of_the_layout() {
        for known in catalogue() {
            let steps = known.layout.0.iter().filter(|field| field.source == Source::Time);
            let finest = steps.map(|field| seconds(field.step_s)).reduce(f64::min);
            let bucket = known.separation.bucket_s().map(seconds);
            match (bucket, finest) {
                (Some(bucket), Some(finest)) => assert!(bucket >= finest, "{}", known.name),
                (bucket, finest) => assert_eq!(bucket, finest, "{}", known.name),
            }
        }
        // Where the clock itself moves in larger steps: a microsecond of 4,096ths or quarters.
        let coarser = catalogue().filter(|known| {
            let finest = known.layout.0.iter().filter(|field| field.source == Source::Time);
            let finest = finest.map(|field| seconds(field.step_s)).reduce(f64::min);
            finest.is_some_and(|finest| {
                known.separation.bucket_s().is_some_and(|width| seconds(width) > finest)
            })
        });
        let names: Vec<_> = coarser.map(|known| known.name).collect();
        assert_eq!(names, ["v7:uuid-creator", "v7:mariadb"]);
    }

    #[test]
    fn clocks_live_as_long_as_their_fields() {
        let years = |name| scheme(name).life_s().expect("a clock") / 31_557_600.0;
        for (name, expected) in [
            ("v1", 3653.387_788_066_41),
            ("v6", 3653.387_788_066_41),
            ("ulid", 8_919.403_779_459_02),
            ("v7", 8_919.403_779_459_02),
            ("v7:google", 8_919.403_779_459_02),
            ("v7:postgres18", 8_919.403_779_459_02),
            ("snowflake", 69.682_842_027_023_6),
            ("sonyflake", 174.207_105_067_559),
            ("tsid", 139.365_684_054_047),
        ] {
            assert!((years(name) / expected - 1.0).abs() < 1e-14, "{name}: {}", years(name));
        }
        let ends = |name| scheme(name).life_year();
        assert_eq!((ends("v4"), ends("v1"), ends("v7")), (None, Some(5236), Some(10_889)));
        assert_eq!((ends("objectid"), ends("ksuid")), (Some(2106), Some(2150)));
        assert_eq!(
            (ends("snowflake"), ends("sonyflake"), ends("tsid")),
            (Some(2080), Some(2188), Some(2159))
        );
        assert_eq!((ends("sonyflake:v2"), ends("date-name")), (Some(2199), Some(10_000)));
    }

    #[test]
    fn text_is_as_long_as_the_alphabet_makes_it() {
        for (name, characters) in [
            ("v4", 36),
            ("ulid", 26),
            ("ksuid", 27),
            ("nanoid", 21),
            ("cuid2", 24),
            ("objectid", 24),
            ("xid", 20),
            ("tsid", 13),
            ("snowflake", 19),
            ("sonyflake", 19),
            ("prefixed", 28),
            ("v4-hex8", 8),
            ("date-name", 16),
        ] {
            assert_eq!(scheme(name).text_chars(), characters, "{name}");
        }
        let forms: Vec<_> =
            scheme("v7").text_forms().iter().map(|(text, length)| (text.name, *length)).collect();
        assert_eq!(
            forms,
            [("hyphenated", 36), ("hex", 32), ("base32", 26), ("base58", 22), ("base64url", 22)]
        );
    }

    /// The fields of a clock, finest first, each begin where the one below ends.
    #[test]
    fn clocks_have_no_gaps() {
        for known in catalogue().filter(|known| known.layout.is_binary()) {
            let mut fields: Vec<_> =
                known.layout.0.iter().filter(|field| field.source == Source::Time).collect();
            fields.sort_by(|a, b| seconds(a.step_s).total_cmp(&seconds(b.step_s)));
            for pair in fields.windows(2) {
                let (end, begin) = (pair[0].span_s(), seconds(pair[1].step_s));
                // A millisecond is no power of two times 250 ns or 256 ns: its last values do not occur.
                let rounded = ["v7:google", "v7:mariadb"].contains(&known.name);
                let meets = if rounded { end > begin && end < begin * 1.05 } else { end == begin };
                assert!(meets, "{}: {end} {begin}", known.name);
            }
            let kept = known.layout.top_bits(known.layout.bits()).expect("bits");
            assert_eq!(kept.clock.map(|clock| clock.repeats_s), known.life_s(), "{}", known.name);
        }
    }

    #[test]
    fn years_in_the_texts_are_those_that_follow() {
        let negative = |name| scheme(name).epoch.expect("an epoch").year_after(2f64.powi(41) / 1e3);
        let says =
            |name, year: i64| scheme(name).failures.iter().any(|text| text.contains(&year.to_string()));
        for name in ["tsid", "snowflake:discord"] {
            assert!(says(name, negative(name)), "{name}: {}", negative(name));
        }
        assert!(says("objectid", Epoch::UNIX.year_after(2f64.powi(31))));
    }

    #[test]
    fn an_implementation_names_a_scheme_of_the_same_clock() {
        for known in catalogue() {
            let Some(of) = known.of else { continue };
            let whole = scheme(of);
            assert_eq!(whole.of, None, "{}", known.name);
            assert!(known.name.starts_with(of), "{}", known.name);
            assert!(known.epoch.is_none() || whole.epoch.is_some(), "{}", known.name);
        }
    }

    #[test]
    fn every_entry_says_how_it_fails_and_where_that_stands() {
        for known in catalogue() {
            assert!(!known.failures.is_empty() && !known.source.is_empty(), "{}", known.name);
            let counts = known.layout.bits_from(Source::Counter) > 0.0;
            assert!(known.overflow.is_some() || !counts, "{}: what when its counter is used up?", known.name);
        }
    }

    #[test]
    fn every_key_that_is_sized_is_in_the_catalogue() {
        use crate::id::key::Key;
        let keys = [
            Key::V1,
            Key::V4,
            Key::V6,
            Key::V7,
            Key::V7Monotonic,
            Key::Ulid,
            Key::Snowflake,
            Key::Random(16),
        ];
        for key in keys {
            let known = scheme(key.name());
            assert_eq!(key.binary_bytes() * 8, known.layout.bits(), "{}", known.name);
        }
    }
}
