//! Ids in bulk are uniform: chi-square of every free bit and of every byte over 10^8 ids, of the ids themselves and
//! of what changes from each to the next, and of the number of bits that change. Fixed bits are right in every id.
//!
//! A test at level α calls a perfect generator bad with probability α. All tests of one generator share [`ALARM`] evenly
//! (Bonferroni), so that at most one seed in a billion would fail a perfect generator. The seed is fixed: a run
//! gives the same counts on every machine, and what passes once passes always until the ids change.
//!
//! What 10^8 ids show, but for one time in a hundred: a free bit that is 1 with probability 0.5005 (10 standard
//! deviations, 7.1 are needed), and a byte that has one value 3 % more often than the others (χ² of 607 ± 44,
//! 446 are needed).

use rayon::prelude::*;
use uuid::Uuid;
use uuidcap::id::clock::Manual;
use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V4, V7, V7Monotonic, V7SubMillisecond};
use uuidcap::math::poisson;

/// Probability that any test of one generator calls it bad though it is perfect.
const ALARM: f64 = 1e-9;
/// Bytes of an id.
const BYTES: usize = 16;
/// Ids that are made and counted at a time; with what changes 16 KiB.
const PIECE: usize = 512;
/// Streams of a run, counted on all threads.
const STREAMS: u64 = 64;
/// Least expected count of a cell. Chi-square is the law of infinitely many ids; with cells this full it is right
/// to a few per cent of its own tail at the levels used here.
const FULL: f64 = 10_000.0;

/// What is promised of the bits of an id. A bit that is neither free nor fixed, of a clock for instance, is not
/// looked at.
#[derive(Clone, Copy)]
struct Promise {
    /// 1 where a bit is drawn.
    free: [u8; BYTES],
    /// 1 where a bit is the same in every id.
    fixed: [u8; BYTES],
    /// What the fixed bits are; 0 elsewhere.
    value: [u8; BYTES],
}

/// RFC 9562 §5.4: all drawn but version 4 and variant 10.
const V4_BITS: Promise = Promise {
    free: [255, 255, 255, 255, 255, 255, 0x0f, 255, 0x3f, 255, 255, 255, 255, 255, 255, 255],
    fixed: [0, 0, 0, 0, 0, 0, 0xf0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0],
    value: [0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0],
};

/// RFC 9562 §5.7: version 7 and variant 10; all behind the millisecond drawn.
const V7_BITS: Promise = Promise {
    free: [0, 0, 0, 0, 0, 0, 0x0f, 255, 0x3f, 255, 255, 255, 255, 255, 255, 255],
    fixed: [0, 0, 0, 0, 0, 0, 0xf0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0],
    value: [0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 0],
};

/// The same with 30 bits of a counter before 44 drawn ones.
const V7_MONOTONIC_BITS: Promise =
    Promise { free: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0f, 255, 255, 255, 255, 255], ..V7_BITS };

/// The same with 12 bits of time between the millisecond and 62 drawn ones.
const V7_SUB_MILLISECOND_BITS: Promise =
    Promise { free: [0, 0, 0, 0, 0, 0, 0, 0, 0x3f, 255, 255, 255, 255, 255, 255, 255], ..V7_BITS };

impl Promise {
    fn free_bits(&self) -> u32 {
        self.free.iter().map(|byte| byte.count_ones()).sum()
    }

    /// Of the bits that change from one id to the next.
    fn of_changes(&self) -> Promise {
        Promise { value: [0; BYTES], ..*self }
    }
}

/// How often each byte had each value. Sums are whole, so that counts merge in any order.
struct Values {
    ids: u64,
    of_byte: Box<[[u64; 256]; BYTES]>,
}

impl Values {
    fn none() -> Values {
        Values { ids: 0, of_byte: Box::new([[0; 256]; BYTES]) }
    }

    /// Byte by byte, so that one table of 2 KiB is written at a time.
    fn count(&mut self, ids: &[[u8; BYTES]]) {
        self.ids += ids.len() as u64;
        for (byte, counts) in self.of_byte.iter_mut().enumerate() {
            for id in ids {
                counts[usize::from(id[byte])] += 1;
            }
        }
    }

    fn add(&mut self, other: &Values) {
        self.ids += other.ids;
        let counts = self.of_byte.as_flattened_mut().iter_mut().zip(other.of_byte.as_flattened());
        counts.for_each(|(sum, more)| *sum += more);
    }

    /// Ids whose byte has a fixed bit that is wrong.
    fn wrong(&self, byte: usize, promise: &Promise) -> u64 {
        let counts = (0u8..=255).zip(&self.of_byte[byte]);
        let wrong = counts.filter(|(value, _)| value & promise.fixed[byte] != promise.value[byte]);
        wrong.map(|(_, count)| count).sum()
    }

    /// Ids whose byte has that bit.
    fn ones(&self, byte: usize, bit: u8) -> u64 {
        (0u8..=255)
            .zip(&self.of_byte[byte])
            .filter(|(value, _)| value & bit != 0)
            .map(|(_, count)| count)
            .sum()
    }

    /// Ids by the free bits of the byte.
    fn cells(&self, byte: usize, free: u8) -> Vec<u64> {
        let mut cells = [0; 256];
        for (value, count) in (0u8..=255).zip(&self.of_byte[byte]) {
            cells[usize::from(value & free)] += count;
        }
        (0u8..=255).filter(|value| value & !free == 0).map(|value| cells[usize::from(value)]).collect()
    }
}

/// What was counted of the ids of one or many streams.
struct Counts {
    ids: Values,
    /// Bits that differ between an id and the next of its stream.
    changes: Values,
    /// How often so many of the free bits differed.
    changed_bits: [u64; 129],
}

impl Counts {
    fn none() -> Counts {
        Counts { ids: Values::none(), changes: Values::none(), changed_bits: [0; 129] }
    }

    /// Of the next `ids` of a generator.
    fn of(made: &mut impl Generator<Id = Uuid>, ids: u64, promise: &Promise) -> Counts {
        let mut counts = Counts::none();
        let free = u128::from_be_bytes(promise.free);
        let mut buffer = [Uuid::nil(); PIECE];
        let mut changes = [[0; BYTES]; PIECE];
        let mut before = None;
        let mut left = ids;
        while left > 0 {
            let piece = &mut buffer[..left.min(PIECE as u64) as usize];
            made.fill(piece);
            let piece: &[[u8; BYTES]] = bytemuck::cast_slice(piece);
            counts.ids.count(piece);
            let mut changed = 0;
            for id in piece {
                let id = u128::from_be_bytes(*id);
                if let Some(before) = before.replace(id) {
                    changes[changed] = (before ^ id).to_be_bytes();
                    counts.changed_bits[((before ^ id) & free).count_ones() as usize] += 1;
                    changed += 1;
                }
            }
            counts.changes.count(&changes[..changed]);
            left -= piece.len() as u64;
        }
        counts
    }

    fn and(mut self, other: Counts) -> Counts {
        self.ids.add(&other.ids);
        self.changes.add(&other.changes);
        self.changed_bits.iter_mut().zip(other.changed_bits).for_each(|(sum, more)| *sum += more);
        self
    }
}

/// One test: what was looked at, and the probability that a perfect generator looks as bad.
struct Tested {
    what: String,
    p: f64,
}

/// P(χ² ≥ `statistic`) with so many degrees of freedom, a sum of positive terms: relative error below 1e-12.
///
/// Abramowitz and Stegun (1964) 26.4.4 for odd degrees, and 26.4.21, Poisson's law, for even ones.
fn at_least(statistic: f64, degrees: u32) -> f64 {
    let half = statistic / 2.0;
    if degrees.is_multiple_of(2) {
        return poisson::at_most(half, u64::from(degrees / 2 - 1));
    }
    let terms = (0..degrees / 2).map(|term| {
        let power = f64::from(term) + 0.5;
        (power * half.ln() - half - libm::lgamma(power + 1.0)).exp()
    });
    let terms: f64 = if half == 0.0 { 0.0 } else { terms.sum() };
    libm::erfc(half.sqrt()) + terms
}

/// Pearson's chi-square of cells against what they expect.
fn pearson(seen: &[u64], expected: &[f64]) -> f64 {
    seen.iter().zip(expected).map(|(seen, expected)| (*seen as f64 - expected).powi(2) / expected).sum()
}

/// The test of cells that expect so much, on both sides: counts that are too even, as a counter's are, are not
/// drawn either. Of two cells only the upper side: they are as even as can be once in √ids.
fn test_cells(what: &str, seen: &[u64], expected: &[f64], tests: &mut Vec<Tested>) {
    assert!(expected.iter().all(|expected| *expected >= FULL), "too few ids to judge {what}");
    let degrees = seen.len() as u32 - 1;
    let statistic = pearson(seen, expected);
    let uneven = at_least(statistic, degrees);
    tests.push(Tested { what: format!("{what}: χ² {statistic:.1} of {degrees}, uneven"), p: uneven });
    if degrees >= 15 {
        tests.push(Tested {
            what: format!("{what}: χ² {statistic:.1} of {degrees}, too even"),
            p: 1.0 - uneven,
        });
    }
}

fn test_values(whose: &str, values: &Values, promise: &Promise, tests: &mut Vec<Tested>) {
    for byte in 0..BYTES {
        // Not a matter of chance: a fixed bit that is wrong once is wrong.
        let wrong = values.wrong(byte, promise);
        let p = if wrong == 0 { 1.0 } else { 0.0 };
        tests.push(Tested { what: format!("{whose}, byte {byte}: fixed bits wrong in {wrong}"), p });
        let free = promise.free[byte];
        for bit in (0..8).rev().map(|place| 1 << place).filter(|bit| free & bit != 0) {
            let ones = values.ones(byte, bit);
            let what = format!("{whose}, byte {byte}, bit {bit:#04x}");
            test_cells(&what, &[ones, values.ids - ones], &[values.ids as f64 / 2.0; 2], tests);
        }
        if free.count_ones() > 1 {
            let cells = values.cells(byte, free);
            let expected = vec![values.ids as f64 / cells.len() as f64; cells.len()];
            test_cells(&format!("{whose}, byte {byte}"), &cells, &expected, tests);
        }
    }
}

/// The number of free bits that change is binomial with ½: cells of too few ids are joined to their neighbour
/// towards the middle.
fn test_changed_bits(counts: &Counts, promise: &Promise, tests: &mut Vec<Tested>) {
    let bits = promise.free_bits();
    let ln_factorial = |n: u32| libm::lgamma(f64::from(n) + 1.0);
    let share = |k: u32| {
        (ln_factorial(bits) - ln_factorial(k) - ln_factorial(bits - k) - f64::from(bits) * 2f64.ln()).exp()
    };
    let expected: Vec<f64> = (0..=bits).map(|k| counts.changes.ids as f64 * share(k)).collect();
    let middle = bits as usize / 2;
    let first = (0..middle).find(|k| expected[..=*k].iter().sum::<f64>() >= FULL).unwrap_or(middle);
    let last = bits as usize - first;
    let seen = &counts.changed_bits;
    let joined = |sum: &dyn Fn(std::ops::RangeInclusive<usize>) -> f64| -> Vec<f64> {
        let inner = (first + 1..last).map(|k| sum(k..=k));
        std::iter::once(sum(0..=first)).chain(inner).chain([sum(last..=bits as usize)]).collect()
    };
    let expected = joined(&|cells| expected[cells].iter().sum());
    let seen: Vec<u64> =
        joined(&|cells| seen[cells].iter().sum::<u64>() as f64).into_iter().map(|cell| cell as u64).collect();
    test_cells("number of bits that change", &seen, &expected, tests);
}

/// Every test of the counts.
fn tests_of(counts: &Counts, promise: &Promise) -> Vec<Tested> {
    let mut tests = Vec::new();
    test_values("ids", &counts.ids, promise, &mut tests);
    test_values("changes", &counts.changes, &promise.of_changes(), &mut tests);
    test_changed_bits(counts, promise, &mut tests);
    tests
}

/// What a perfect generator shows with less than its share of the false alarms.
fn faults(counts: &Counts, promise: &Promise) -> Vec<String> {
    let tests = tests_of(counts, promise);
    let level = ALARM / tests.len() as f64;
    tests
        .into_iter()
        .filter(|test| test.p < level)
        .map(|test| format!("{}, p {:.1e}", test.what, test.p))
        .collect()
}

/// Counts `ids` of the streams 0 to 63 of a run with seed 122, on all threads.
fn counts_of<G: Generator<Id = Uuid>>(
    cipher: Cipher,
    ids: u64,
    promise: &Promise,
    made: impl Fn(Stream) -> G + Sync,
) -> Counts {
    let seed = Seed::from(122);
    let streams = (0..STREAMS).into_par_iter();
    let counts = streams.map(|number| {
        let share = ids / STREAMS + u64::from(number < ids % STREAMS);
        Counts::of(&mut made(Stream::new(cipher, &seed, number)), share, promise)
    });
    counts.reduce(Counts::none, Counts::and)
}

fn is_uniform<G: Generator<Id = Uuid>>(
    cipher: Cipher,
    ids: u64,
    promise: &Promise,
    made: impl Fn(Stream) -> G + Sync,
) {
    let counts = counts_of(cipher, ids, promise, made);
    assert_eq!((counts.ids.ids, counts.changes.ids), (ids, ids - STREAMS));
    let faults = faults(&counts, promise);
    assert!(faults.is_empty(), "{cipher:?}: {faults:#?}");
}

#[test]
fn v4_of_aes_is_uniform() {
    is_uniform(Cipher::Aes, 100_000_000, &V4_BITS, V4::new);
}

#[test]
fn v4_of_chacha8_is_uniform() {
    is_uniform(Cipher::ChaCha8, 10_000_000, &V4_BITS, V4::new);
}

/// A clock that stands still; no bit of it is looked at.
fn clock() -> Manual {
    Manual::at_ns(1_800_000_000_000_000_000)
}

#[test]
fn v7_is_uniform_behind_the_millisecond() {
    is_uniform(Cipher::Aes, 100_000_000, &V7_BITS, |stream| V7::new(stream, clock()));
}

#[test]
fn v7_monotonic_is_uniform_behind_its_counter() {
    is_uniform(Cipher::Aes, 100_000_000, &V7_MONOTONIC_BITS, |stream| V7Monotonic::new(stream, clock()));
}

#[test]
fn v7_sub_millisecond_is_uniform_behind_its_time() {
    is_uniform(Cipher::Aes, 10_000_000, &V7_SUB_MILLISECOND_BITS, |stream| {
        V7SubMillisecond::new(stream, clock())
    });
}

/// UUIDv4 with something done to each: its number in the stream and its bytes.
struct Spoilt<F> {
    made: V4,
    next: u64,
    spoil: F,
}

impl<F: Fn(u64, &mut [u8; BYTES])> Generator for Spoilt<F> {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        let mut bytes = self.made.next_id().into_bytes();
        (self.spoil)(self.next, &mut bytes);
        self.next += 1;
        Uuid::from_bytes(bytes)
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        ids.fill_with(|| self.next_id());
    }
}

/// What the tests say of 4 million spoilt ids; a twenty-fifth of what is judged
/// above, and faults as much larger.
fn faults_of(spoil: impl Fn(u64, &mut [u8; BYTES]) + Sync) -> Vec<String> {
    let made = |stream| Spoilt { made: V4::new(stream), next: 0, spoil: &spoil };
    faults(&counts_of(Cipher::Aes, 4_000_000, &V4_BITS, made), &V4_BITS)
}

/// Asserts that something was found, and nothing but in places that begin with one of these words.
fn found_only(faults: &[String], places: &[&str]) {
    assert!(!faults.is_empty(), "nothing was found, expected {places:?}");
    for place in places {
        assert!(faults.iter().any(|fault| fault.starts_with(place)), "nothing of {place} in {faults:#?}");
    }
    for fault in faults {
        assert!(places.iter().any(|place| fault.starts_with(place)), "{fault} beside {places:?}");
    }
}

#[test]
fn ids_that_nothing_was_done_to_pass() {
    let faults = faults_of(|_, _| ());
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_bit_that_is_stuck_is_found() {
    let faults = faults_of(|_, id| id[3] |= 0x10);
    let bits = "number of bits that change";
    found_only(
        &faults,
        &["ids, byte 3:", "ids, byte 3, bit 0x10", "changes, byte 3:", "changes, byte 3, bit 0x10", bits],
    );
}

/// One id in 200 has the bit set whatever was drawn, so that it is 1 with probability 0.5025: 10 standard
/// deviations of 4 million ids.
#[test]
fn a_bit_that_is_one_by_half_a_percent_too_often_is_found() {
    let faults = faults_of(|place, id| id[15] |= u8::from(place % 200 == 199));
    found_only(&faults, &["ids, byte 15, bit 0x01"]);
}

/// The value 0xb7 once in 1000 more often: its count is 32 standard deviations high, each bit's only 2.
#[test]
fn a_byte_with_a_favourite_value_is_found() {
    let faults = faults_of(|place, id| id[9] = if place % 1000 == 999 { 0xb7 } else { id[9] });
    found_only(&faults, &["ids, byte 9:"]);
}

/// The modulo of a byte by 15: what is drawn is right, how it is cut is not.
#[test]
fn a_remainder_that_favours_small_values_is_found() {
    let faults = faults_of(|_, id| id[6] = 0x40 | (id[15] % 15));
    assert!(faults.iter().any(|fault| fault.starts_with("ids, byte 6:")), "{faults:#?}");
}

#[test]
fn one_wrong_version_or_variant_among_millions_is_found() {
    let version = faults_of(|place, id| id[6] ^= if place == 40_000 { 0x10 } else { 0 });
    // 64 streams have one each; each shows twice in what changes.
    found_only(
        &version,
        &["ids, byte 6: fixed bits wrong in 64", "changes, byte 6: fixed bits wrong in 128"],
    );
    let variant = faults_of(|place, id| id[8] ^= if place == 40_000 { 0x40 } else { 0 });
    found_only(
        &variant,
        &["ids, byte 8: fixed bits wrong in 64", "changes, byte 8: fixed bits wrong in 128"],
    );
}

/// Even in every bit and byte, and not drawn: a counter from the stream's number on.
#[test]
fn a_byte_that_counts_is_found() {
    let faults = faults_of(|place, id| id[0] = place as u8);
    assert!(
        faults.iter().any(|fault| fault.starts_with("ids, byte 0:") && fault.contains("too even")),
        "{faults:#?}"
    );
    assert!(faults.iter().any(|fault| fault.starts_with("changes, byte 0:")), "{faults:#?}");
}

/// Bytes that are each uniform, from id to id too, and equal: only the number of changing bits shows it.
#[test]
fn a_byte_that_repeats_another_is_found() {
    found_only(&faults_of(|_, id| id[13] = id[2]), &["number of bits that change"]);
}

/// Against `mpmath.gammainc(degrees / 2, statistic / 2, regularized=True)` at 40 digits,
/// rounded to 14.
#[test]
fn tails_of_chi_square_are_those_of_the_gamma_function() {
    let reference: &[(f64, u32, f64)] = &[
        (0.0, 63, 1.0),
        (3.841, 1, 0.050013683763957),
        (53.5, 1, 2.5859283264116e-13),
        (10.0, 15, 0.8197399195036),
        (90.0, 15, 9.9186673815908e-13),
        (63.0, 63, 0.47630238333813),
        (180.0, 63, 3.3610613243439e-13),
        (255.0, 255, 0.48822252177041),
        (450.0, 255, 5.7752029564522e-13),
        (61.0, 74, 0.86055234414954),
        (200.0, 74, 1.5495522609294e-13),
    ];
    for (statistic, degrees, expected) in reference {
        let p = at_least(*statistic, *degrees);
        assert!((p / expected - 1.0).abs() < 1e-11, "{statistic} of {degrees}: {p:e} for {expected:e}");
    }
}
