//! The catalogue holds together: what an entry says of itself follows from its layout.

use super::*;
use crate::id::layout::seconds;

fn scheme(name: &str) -> &'static Scheme {
    find(name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn names_are_found_in_any_form() {
    for (text, name) in [("V7", "v7"), ("UUIDv7", "v7"), (" ulid ", "ulid"), ("uuidV7:uuidjs", "v7:uuidjs")] {
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
    for word in catalogue().flat_map(|scheme| [scheme.name].into_iter().chain(scheme.aliases.iter().copied()))
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
    assert_eq!(left("v7:uuidjs", 86), Some(Separation::Bucket { width_s: MS, space: seed, counter: true }));
    assert_eq!(
        left("snowflake", 42),
        Some(Separation::Bucket { width_s: MS, space: Space::ONE, counter: false })
    );
    assert_eq!(left("snowflake", 53), None);
    assert_eq!(left("nanoid", 32), None);
}

#[test]
fn any_number_of_bits_can_be_kept() {
    for known in catalogue().filter(|known| known.layout.is_binary()) {
        let mut before = 0;
        for bits in (0..=200).chain([u32::MAX]) {
            let kept = known.layout.top_bits(bits).expect("a layout of bits");
            let all = kept.time + kept.random + kept.counter + kept.node + kept.fixed + kept.custom;
            assert_eq!(all, bits.min(known.layout.bits()), "{}", known.name);
            assert!(kept.drawn() >= before, "{}: {bits}", known.name);
            before = kept.drawn();
            let left = known.keep_top(bits).and_then(|(_, separation)| separation.space());
            assert!(left.is_none_or(|space| space.bits() >= 0.0), "{}: {bits}", known.name);
        }
    }
}

#[test]
fn every_layout_is_as_long_as_its_id() {
    let bits = |name| scheme(name).layout.bits();
    let uuids = catalogue().filter(|known| known.texts.contains(&Text::HYPHENATED));
    for known in uuids {
        assert_eq!((known.layout.bits(), known.value_bits()), (128, 128), "{}", known.name);
        assert_eq!(known.layout.bits_from(Source::Fixed), 6.0, "{}", known.name);
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
        finest.is_some_and(|finest| known.separation.bucket_s().is_some_and(|width| seconds(width) > finest))
    });
    let names: Vec<_> = coarser.map(|known| known.name).collect();
    assert_eq!(names, ["v7:uuid-creator", "v7:mariadb"]);
}

#[test]
fn clocks_live_as_long_as_their_fields() {
    let years = |name| scheme(name).life_s().expect("a clock") / 31_557_600.0;
    for (name, expected) in [
        ("v1", 3_653.387_788_066_41),
        ("v6", 3_653.387_788_066_41),
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
    assert_eq!((ends("snowflake"), ends("sonyflake"), ends("tsid")), (Some(2080), Some(2188), Some(2159)));
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
    let forms: Vec<_> = scheme("v7").text_forms().iter().map(|(text, length)| (text.name, *length)).collect();
    assert_eq!(forms, [("hyphenated", 36), ("hex", 32), ("base32", 26), ("base58", 22), ("base64url", 22)]);
}

/// The fields of a clock, finest first, each begin where the one below ends.
#[test]
fn clocks_have_no_gaps() {
    for known in catalogue().filter(|known| known.layout.is_binary()) {
        let mut fields: Vec<_> = known.layout.0.iter().filter(|field| field.source == Source::Time).collect();
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
    let says = |name, year: i64| scheme(name).failures.iter().any(|text| text.contains(&year.to_string()));
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
    let keys =
        [Key::V1, Key::V4, Key::V6, Key::V7, Key::V7Monotonic, Key::Ulid, Key::Snowflake, Key::Random(16)];
    for key in keys {
        let known = scheme(key.name());
        assert_eq!(key.binary_bytes() * 8, known.layout.bits(), "{}", known.name);
    }
}
