//! How a claim is written: numbers with what rounds to them, odds, loads.
//!
//! A number stands for all that rounds to it: half a unit of its last digit to either side, in every
//! spelling alike (`1e19`, `10^19` and `10 quintillion` have one digit or two, whatever they are made of).
//! Zeros at the end of a whole number count as digits as far as the third: `1 in 10` is 9.5 to 10.5,
//! `1 in 1000000` is 995,000 to 1,005,000. Powers of other bases are given to half a bit. A whole number of
//! ids is no rounded number and stands as it is.

use crate::math::inverse::Risk;
use crate::math::logspace::{Chance, Wide};
use crate::units::{Count, SECONDS_PER_MONTH, SECONDS_PER_YEAR};
use num_bigint::BigUint;

/// Words that may stand between a probability and the load it is claimed for.
const JOINTS: [&str; 9] = ["after", "over", "within", "among", "with", "from", "at", "for", "in"];

/// Words before a number that change nothing.
const BEFORE: [&str; 16] = [
    "p",
    "=",
    "~",
    "probability",
    "chance",
    "risk",
    "odds",
    "of",
    "is",
    "a",
    "the",
    "about",
    "around",
    "roughly",
    "approximately",
    "only",
];

/// Words after a probability that change nothing.
const AFTER_ODDS: [&str; 11] = [
    "probability",
    "chance",
    "risk",
    "odds",
    "of",
    "a",
    "collision",
    "collisions",
    "clash",
    "duplicate",
    "repeat",
];

/// What ids are called.
const THINGS: [&str; 11] =
    ["ids", "uuids", "guids", "keys", "draws", "payments", "records", "rows", "items", "values", "uuid"];

/// Small numbers in words.
const SMALL: [(&str, u32); 12] = [
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
];

/// Powers of ten in words.
const ZEROS: [(&str, u32); 7] = [
    ("hundred", 2),
    ("thousand", 3),
    ("million", 6),
    ("billion", 9),
    ("trillion", 12),
    ("quadrillion", 15),
    ("quintillion", 18),
];

/// Characters of a claim, digits of a number, and zeros that an exponent may stand for: then every
/// probability is above 2^-4096, and reading takes no time.
const LONGEST: usize = 200;
const MOST_DIGITS: usize = 40;
const MOST_ZEROS: i64 = 1_190;

/// A fraction that is not negative.
#[derive(Debug, Clone, PartialEq)]
struct Ratio {
    above: BigUint,
    below: BigUint,
}

impl Ratio {
    fn whole(value: BigUint) -> Ratio {
        Ratio { above: value, below: BigUint::from(1u32) }
    }

    /// A whole number with a power of ten behind it.
    fn shifted(value: BigUint, zeros: i64) -> Option<Ratio> {
        let power = u32::try_from(zeros.unsigned_abs()).ok().filter(|_| zeros.abs() <= MOST_ZEROS)?;
        let power = BigUint::from(10u32).pow(power);
        let one = BigUint::from(1u32);
        Some(if zeros < 0 {
            Ratio { above: value, below: power }
        } else {
            Ratio { above: value * power, below: one }
        })
    }

    fn times(&self, above: &BigUint, below: &BigUint) -> Ratio {
        Ratio { above: &self.above * above, below: &self.below * below }
    }

    /// None for 0.
    fn inverse(&self) -> Option<Ratio> {
        (self.above != BigUint::ZERO).then(|| Ratio { above: self.below.clone(), below: self.above.clone() })
    }

    fn exceeds_one(&self) -> bool {
        self.above > self.below
    }

    fn as_wide(&self) -> Wide {
        Wide::whole(&self.above).over(Wide::whole(&self.below))
    }

    /// As a risk; none outside 0 to 1 and at the ends.
    fn as_risk(&self) -> Option<Risk> {
        Risk::new(self.above.clone(), self.below.clone())
    }

    fn as_chance(&self) -> Chance {
        match self.as_risk() {
            Some(risk) => risk.as_chance(),
            None if self.above == BigUint::ZERO => Chance::NEVER,
            None => Chance::Certain,
        }
    }
}

/// A number as it was written, and what rounds to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    low: Ratio,
    value: Ratio,
    high: Ratio,
    /// Whether it was written as a whole number.
    plain: bool,
}

impl Written {
    fn exact(value: Ratio) -> Written {
        Written { low: value.clone(), high: value.clone(), value, plain: true }
    }

    fn times(&self, above: &BigUint, below: &BigUint) -> Written {
        let scaled = |ratio: &Ratio| ratio.times(above, below);
        Written {
            low: scaled(&self.low),
            value: scaled(&self.value),
            high: scaled(&self.high),
            plain: self.plain,
        }
    }

    /// So many to one: what was large becomes small. None for 0.
    fn inverse(&self) -> Option<Written> {
        let (low, high) = (self.high.inverse()?, self.low.inverse()?);
        Some(Written { low, value: self.value.inverse()?, high, plain: false })
    }

    /// The least, the written and the largest number that it stands for.
    pub fn range(&self) -> [Wide; 3] {
        [&self.low, &self.value, &self.high].map(Ratio::as_wide)
    }

    /// The same, as probabilities with both their ends.
    pub fn chances(&self) -> [Chance; 3] {
        [&self.low, &self.value, &self.high].map(Ratio::as_chance)
    }

    /// The written number as a risk; none for 0 and 1.
    pub fn as_risk(&self) -> Option<Risk> {
        self.value.as_risk()
    }

    /// Its product with a whole number, where that is a whole number below 2^4096.
    pub fn whole_times(&self, factor: &BigUint) -> Option<Count> {
        let above = &self.value.above * factor;
        (&above % &self.value.below == BigUint::ZERO).then(|| Count::new(above / &self.value.below))?
    }
}

/// What the probability is claimed for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Claimed {
    Ids(Written),
    Seconds(Written),
}

/// A probability, and the load it is claimed for; none where the text is no claim.
pub(super) fn claim(text: &str) -> Option<(Written, Option<Claimed>)> {
    if text.len() > LONGEST {
        return None;
    }
    let words = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // First as a whole: the "in" of "1 in 550 billion" joins no load.
    let whole = || Some((probability(&words)?, None));
    let split = || {
        let places = words.iter().enumerate().filter(|(_, word)| JOINTS.contains(word));
        let mut parts = places.map(|(at, joint)| (&words[..at], *joint, &words[at + 1..]));
        parts.find_map(|(before, joint, after)| {
            let forward = || Some((probability(before)?, load(after)?));
            let backward = || Some((probability(after)?, load(before)?));
            forward().or_else(backward).filter(|(odds, load)| joint != "in" || fits_in(before, odds, load))
        })
    };
    let split = || split().map(|(odds, load)| (odds, Some(load)));
    whole().or_else(split)
}

/// Whether "in" joins a probability and a time: "1 in 10" is a probability itself, and "one clash in 10
/// years" an expectation.
fn fits_in(before: &[&str], odds: &Written, load: &Claimed) -> bool {
    let certain = odds.value.above == odds.value.below;
    matches!(load, Claimed::Seconds(_)) && (!certain || before.contains(&"%"))
}

/// Words with signs apart: `p=1:1000` is `p`, `=`, `1`, `/`, `1000`.
fn words(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    for c in text.chars() {
        match c {
            '%' | '=' | '/' => spaced.extend([' ', c, ' ']),
            '~' | '≈' => spaced.push_str(" ~ "),
            ':' => spaced.push_str(" / "),
            '−' => spaced.push('-'),
            c => spaced.push(c),
        }
    }
    // Only prefixes of one letter (k, M) mean something by their case.
    let lower = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        if letters > 1 || word == "P" { word.to_lowercase() } else { word.to_owned() }
    };
    spaced.split_whitespace().map(lower).collect()
}

/// `50%`, `0.155`, `1e-6`, `1 in 550 billion`, `1/1000`, `0`: from 0 to 1.
fn probability(words: &[&str]) -> Option<Written> {
    let words = trimmed(words, &BEFORE, &AFTER_ODDS, |words| odds(words).is_some());
    let read = odds(words)?;
    if read.value.exceeds_one() {
        return None;
    }
    // Certainty is claimed to half a percent, or to its own digits where they say more.
    let certain = Ratio { above: BigUint::from(995u32), below: BigUint::from(1_000u32) };
    let lax = read.value.above == read.value.below && read.low.as_wide() < certain.as_wide();
    Some(if lax { Written { low: certain, ..read } } else { read })
}

/// Leaves out words that change nothing, as long as what they leave cannot be read.
fn trimmed<'a, 'b>(
    words: &'a [&'b str],
    before: &[&str],
    after: &[&str],
    reads: impl Fn(&[&str]) -> bool,
) -> &'a [&'b str] {
    let mut left = words;
    while !reads(left) {
        left = match left {
            [first, rest @ ..] if before.contains(first) => rest,
            [rest @ .., last] if after.contains(last) => rest,
            _ => return left,
        };
    }
    left
}

fn odds(words: &[&str]) -> Option<Written> {
    let one_in = |above: &str, below: &[&str]| {
        let above = number(&[above]).filter(|above| above.plain)?;
        // The number above the line is a count and stands as it is.
        Some(number(below)?.inverse()?.times(&above.value.above, &above.value.below))
    };
    match words {
        [digits @ .., "%" | "percent"] => Some(number(digits)?.times(&1u32.into(), &100u32.into())),
        [above, "in" | "/", below @ ..] | [above, "out", "of", below @ ..] => one_in(above, below),
        _ => number(words),
    }
}

/// `86y`, `86 years`, `1e16`, `2^61 ids`, `7 billion`.
fn load(words: &[&str]) -> Option<Claimed> {
    let words = trimmed(words, &BEFORE, &[], |words| time(words).is_some() || number(words).is_some());
    if let Some(seconds) = time(words) {
        return (seconds.value.above != BigUint::ZERO).then_some(Claimed::Seconds(seconds));
    }
    let ids = match words {
        [rest @ .., things] if THINGS.contains(things) => number(rest)?,
        all => number(all)?,
    };
    Some(Claimed::Ids(if ids.plain { Written::exact(ids.value) } else { ids }))
}

/// A number with a unit of time behind it, together or apart.
fn time(words: &[&str]) -> Option<Written> {
    let (last, rest) = words.split_last()?;
    let digits = last.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (above, below) = unit(&last[digits.len()..])?;
    let mut number_words = rest.to_vec();
    number_words.extend((!digits.is_empty()).then_some(digits));
    Some(number(&number_words)?.times(&above.into(), &below.into()))
}

/// Seconds of a unit, as a fraction.
fn unit(name: &str) -> Option<(u128, u32)> {
    Some(match name {
        "ms" | "millisecond" | "milliseconds" => (1, 1_000),
        "s" | "sec" | "second" | "seconds" => (1, 1),
        "min" | "minute" | "minutes" => (60, 1),
        "h" | "hour" | "hours" => (3_600, 1),
        "d" | "day" | "days" => (86_400, 1),
        "w" | "week" | "weeks" => (604_800, 1),
        "mo" | "month" | "months" => (SECONDS_PER_MONTH, 1),
        "y" | "yr" | "yrs" | "year" | "years" => (SECONDS_PER_YEAR, 1),
        _ => return None,
    })
}

/// A number of one word, and of a second one for a power of ten: `550 billion`, `a million`, `million`.
fn number(words: &[&str]) -> Option<Written> {
    let zeros = |word: &str| ZEROS.iter().find(|(name, _)| *name == word).map(|(_, zeros)| *zeros);
    let (digits, zeros) = match words {
        [digits] => (*digits, zeros(digits)),
        [digits, word] => (*digits, Some(zeros(word)?)),
        _ => return None,
    };
    let read = if words.len() == 1 && zeros.is_some() { figures("1") } else { figures(digits) }?;
    Some(read.times(&BigUint::from(10u32).pow(zeros.unwrap_or(0)), &1u32.into()))
}

/// `550`, `1,000`, `1.5e-6`, `2*10^9`, `200k`, `2^61`, `26*36^23`, `2^-32`, `ten`.
fn figures(word: &str) -> Option<Written> {
    if let Some((_, value)) = SMALL.iter().find(|(name, _)| *name == word) {
        return decimal(&value.to_string());
    }
    let word = without_groups(word)?;
    let prefix = |c: char| {
        Some(match c {
            'k' | 'K' => 3u32,
            'M' => 6,
            'G' => 9,
            'T' => 12,
            'P' => 15,
            _ => return None,
        })
    };
    if let Some(zeros) = word.chars().last().and_then(prefix) {
        let digits = &word[..word.len() - 1];
        return Some(decimal(digits)?.times(&BigUint::from(10u32).pow(zeros), &1u32.into()));
    }
    decimal(&word).or_else(|| power_of_ten(&word)).or_else(|| power(&word))
}

/// Commas and underscores between groups of three digits go; anywhere else they are no number.
fn without_groups(word: &str) -> Option<String> {
    let mut groups = word.split([',', '_']);
    let mut digits = groups.next()?.to_owned();
    for group in groups {
        let end = group.find(|c: char| !c.is_ascii_digit()).unwrap_or(group.len());
        if end != 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.is_empty() {
            return None;
        }
        digits.push_str(group);
    }
    Some(digits)
}

/// `10^9` and `2*10^9` (or ×, x, ·) are 1e9 and 2e9.
fn power_of_ten(word: &str) -> Option<Written> {
    let (mantissa, exponent) = word.split_once("10^")?;
    let mantissa = match mantissa {
        "" => "1",
        other => other.strip_suffix(['*', '×', 'x', '·'])?,
    };
    decimal(&format!("{mantissa}e{exponent}"))
}

/// Powers of other bases, their products and differences: given to half a bit. A decimal fraction before
/// one (`1.1774*2^61`) is given to its own digits.
fn power(word: &str) -> Option<Written> {
    let mut factors = word.splitn(2, ['*', '×', 'x', '·']);
    if let (Some(decimals), Some(power)) = (factors.next().filter(|word| word.contains('.')), factors.next())
    {
        let power = raised(power)?;
        return Some(decimal(decimals)?.times(&power.above, &power.below));
    }
    let value = raised(word)?;
    let (root, whole) = (BigUint::from(14_142_136u32), BigUint::from(10_000_000u32));
    let plain = !word.contains("^-");
    Some(Written { low: value.times(&whole, &root), high: value.times(&root, &whole), value, plain })
}

fn raised(word: &str) -> Option<Ratio> {
    let whole = |word: &str| Some(Ratio::whole(word.parse::<Count>().ok()?.value().clone()));
    match word.split_once("^-") {
        Some((base, exponent)) => whole(&format!("{base}^{exponent}"))?.inverse(),
        None => whole(word),
    }
}

/// A decimal number: digits, a point, an exponent.
fn decimal(word: &str) -> Option<Written> {
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits || digits.len() > MOST_DIGITS {
        return None;
    }
    let exponent = i64::from(exponent.parse::<i32>().ok()?);
    let value: BigUint = digits.parse().ok()?;
    let last = exponent - i64::try_from(fraction.len()).ok()?;
    let pointed = mantissa.contains('.');
    let plain = !pointed && exponent >= 0;
    if value == BigUint::ZERO {
        // No rounded number: it claims that nothing happens.
        return Some(Written { plain, ..Written::exact(Ratio::whole(value)) });
    }
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let significant = digits.trim_start_matches('0').len();
    let unsure = if pointed { 0 } else { zeros.min(significant.saturating_sub(3)) };
    let unit = BigUint::from(10u32).pow(u32::try_from(unsure).ok()?);
    // In halves, so that half a unit is a whole number.
    let halved = |twice: BigUint| Some(Ratio::shifted(twice, last)?.times(&1u32.into(), &2u32.into()));
    let twice = &value * 2u32;
    Some(Written {
        low: halved(&twice - &unit)?,
        value: Ratio::shifted(value, last)?,
        high: halved(twice + unit)?,
        plain,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> [f64; 3] {
        let (odds, load) = claim(text).expect("a claim");
        assert_eq!(load, None, "{text}");
        odds.range().map(Wide::as_f64)
    }

    #[test]
    fn every_spelling_stands_for_what_rounds_to_it() {
        for (text, low, value, high) in [
            ("1 in 1e19", 1.0 / 1.5e19, 1e-19, 1.0 / 0.5e19),
            ("1e-19", 0.5e-19, 1e-19, 1.5e-19),
            ("10^-19", 0.5e-19, 1e-19, 1.5e-19),
            ("1 in 550 billion", 1.0 / 550.5e9, 1.0 / 550e9, 1.0 / 549.5e9),
            ("1 in 550000000000", 1.0 / 550.5e9, 1.0 / 550e9, 1.0 / 549.5e9),
            ("one in a million", 1.0 / 1.5e6, 1e-6, 1.0 / 0.5e6),
            ("1:1000000", 1.0 / 1_005_000.0, 1e-6, 1.0 / 995_000.0),
            ("1 in 1,000,000", 1.0 / 1_005_000.0, 1e-6, 1.0 / 995_000.0),
            ("1 / 10", 1.0 / 10.5, 0.1, 1.0 / 9.5),
            ("50%", 0.495, 0.5, 0.505),
            ("p = 50 percent", 0.495, 0.5, 0.505),
            ("0.5", 0.45, 0.5, 0.55),
            ("1.5*10^-6", 1.45e-6, 1.5e-6, 1.55e-6),
            ("100%", 0.995, 1.0, 1.005),
            ("1", 0.995, 1.0, 1.5),
            ("99.99%", 0.99985, 0.9999, 0.99995),
            ("0 %", 0.0, 0.0, 0.0),
            ("3 out of 1000", 3.0 / 1_005.0, 0.003, 3.0 / 995.0),
        ] {
            let close = |(a, b): (f64, f64)| (a - b).abs() <= 4e-16 * b;
            let pairs = read(text).into_iter().zip([low, value, high]);
            assert!(pairs.clone().all(close), "{text}: {:?}", pairs.collect::<Vec<_>>());
        }
    }

    #[test]
    fn loads_are_read_in_words() {
        for (text, ids, seconds) in [
            ("50% at 7 billion uuids", Some(7e9), None),
            ("86 years for 50%", None, Some(86.0 * 31_557_600.0)),
            ("50% after 86y", None, Some(86.0 * 31_557_600.0)),
            ("50% chance of a collision after 2 Weeks", None, Some(1_209_600.0)),
            ("1 in 1000 in 5 hours", None, Some(18_000.0)),
            ("p=1e-6 at 1e16", Some(1e16), None),
            ("1 in 2 among 1,000,000 ids", Some(1e6), None),
            ("0.1 at 200k", Some(2e5), None),
            ("1e-3 after a month", None, Some(2_592_000.0)),
            ("1e-3 after 90 minutes", None, Some(5_400.0)),
            ("1e-3 after 250ms", None, Some(0.25)),
        ] {
            let value = |written: &Written| Some(written.range()[1].as_f64());
            let told = match claim(text).expect("a claim").1.expect("a load") {
                Claimed::Ids(ids) => (value(&ids), None),
                Claimed::Seconds(seconds) => (None, value(&seconds)),
            };
            assert_eq!(told, (ids, seconds), "{text}");
        }
    }

    #[test]
    fn a_whole_number_of_ids_stands_as_it_is() {
        for (text, spread) in [
            ("1 at 7 billion", 0.0),
            ("1 at 1000", 0.0),
            ("1 at 2^61", 0.0),
            ("1 at 1.5 billion", 0.1 / 1.5),
            ("1 at 1.2*2^61", 0.1 / 1.2),
        ] {
            let Some((_, Some(Claimed::Ids(ids)))) = claim(text) else { panic!("{text}") };
            let [low, value, high] = ids.range().map(Wide::as_f64);
            assert!(((high - low) / value - spread).abs() < 1e-15, "{text}: {low} {high}");
        }
    }

    #[test]
    fn what_is_no_claim_is_refused() {
        for text in [
            "",
            " ",
            "in",
            "at",
            "1 in",
            "in 5",
            "1 in 0",
            "150%",
            "2",
            "-1",
            "nan",
            "inf",
            "1e",
            "e5",
            "%",
            "50%%",
            "1/0",
            "0/0",
            "1 in 1 in 1",
            "50% at",
            "at 50%",
            "50% after 0y",
            "50% after y",
            "1e-99999",
            "1e99999 in 2",
            "50% at 1e999999999999",
            "50% at 9^9^9^9",
            "1,5 %",
            "1_0%",
            "½",
            "１０％",
            "50% at 1e9 at 1e9",
            "0.5\0",
            "::",
            "=",
            "1 in 2^99999",
            "^",
            "2^",
            "10^",
            "x10^5",
            "1e+-5",
            "5 years",
        ] {
            assert_eq!(claim(text), None, "{text}");
        }
        assert_eq!(claim(&"9".repeat(1_000_000)), None);
    }
}
