//! Hexadecimal digits, with and without hyphens (RFC 9562 §4): lower case out, either case in.
//!
//! Where the processor picks bytes by their index in one instruction (x86 from SSE4.2 on, AArch64), text is
//! written and read in vectors, whose width is chosen once a call; elsewhere by the `uuid` crate, which is also the
//! faster for the last few hyphenated ids of a call.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x32, u8x16, u8x32, u8x64, u64x2};
use uuid::Uuid;

/// Characters of an id with hyphens.
const HYPHENATED: usize = 36;
/// Characters of an id without.
const SIMPLE: usize = 32;
/// Hyphenated ids of a step: their text fills whole registers of 16 bytes.
const TOGETHER: usize = 4;
/// Bytes of the ids of a step.
const SOURCE: usize = TOGETHER * size_of::<Uuid>();
/// Characters of a step.
const STEP: usize = TOGETHER * HYPHENATED;
/// Bytes within which a vector instruction picks.
const BLOCK: usize = 16;

/// Writes 36 characters an id.
pub(super) fn encode_hyphenated(ids: &[Uuid], text: &mut [u8]) {
    encode_hyphenated_with(vectors(), ids, text);
}

/// Reads 36 characters an id; whether all could be read.
pub(super) fn parse_hyphenated(text: &[u8], ids: &mut [Uuid]) -> bool {
    parse_hyphenated_with(vectors(), text, ids)
}

/// Writes 32 characters an id.
pub(super) fn encode_simple(ids: &[Uuid], text: &mut [u8]) {
    encode_simple_with(vectors(), ids, text);
}

/// Reads 32 characters an id; whether all could be read.
pub(super) fn parse_simple(text: &[u8], ids: &mut [Uuid]) -> bool {
    parse_simple_with(vectors(), text, ids)
}

/// The widest vectors of this processor, if it picks bytes by their index in one instruction.
fn vectors() -> Option<Level> {
    let level = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let picks = level.as_sse4_2().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let picks = !level.is_fallback();
    picks.then_some(level)
}

fn encode_hyphenated_with(vectors: Option<Level>, ids: &[Uuid], text: &mut [u8]) {
    let steps = vectors.map_or(0, |_| ids.len() / TOGETHER);
    let (ids, last_ids) = ids.split_at(steps * TOGETHER);
    let (text, last_text) = text.split_at_mut(steps * STEP);
    if let (Some(level), 1..) = (vectors, steps) {
        dispatch!(level, simd => write_hyphenated(simd, ids.as_chunks().0, text.as_chunks_mut().0));
    }
    for (id, text) in last_ids.iter().zip(last_text.as_chunks_mut::<HYPHENATED>().0) {
        id.hyphenated().encode_lower(text);
    }
}

fn parse_hyphenated_with(vectors: Option<Level>, text: &[u8], ids: &mut [Uuid]) -> bool {
    let text = text.as_chunks::<HYPHENATED>().0;
    match vectors {
        Some(level) => dispatch!(level, simd => read_hyphenated(simd, text, ids)),
        None => read_plainly(text, ids),
    }
}

fn encode_simple_with(vectors: Option<Level>, ids: &[Uuid], text: &mut [u8]) {
    let text = text.as_chunks_mut::<SIMPLE>().0;
    match vectors {
        Some(level) => dispatch!(level, simd => write_simple(simd, ids, text)),
        None => {
            for (id, text) in ids.iter().zip(text) {
                id.simple().encode_lower(text);
            }
        }
    }
}

fn parse_simple_with(vectors: Option<Level>, text: &[u8], ids: &mut [Uuid]) -> bool {
    let text = text.as_chunks::<SIMPLE>().0;
    match vectors {
        Some(level) => dispatch!(level, simd => read_simple(simd, text, ids)),
        None => read_plainly(text, ids),
    }
}

/// Reads without vectors. The length tells the form: with braces or a prefix a text is longer.
fn read_plainly<const CHARS: usize>(text: &[[u8; CHARS]], ids: &mut [Uuid]) -> bool {
    text.iter().zip(ids).all(|(text, id)| Uuid::try_parse_ascii(text).map(|read| *id = read).is_ok())
}

/// Where a digit of an id stands in its hyphenated text.
const fn place(digit: usize) -> usize {
    digit + (digit >= 8) as usize + (digit >= 12) as usize + (digit >= 16) as usize + (digit >= 20) as usize
}

/// How the text of a step comes from the bytes of its ids.
struct Spelling {
    /// The first of the 16 bytes that each block of text is made from.
    first: [usize; STEP / BLOCK],
    /// Which of those a character shows a half of.
    byte: [u8; STEP],
    /// -1 where it is the high half.
    high: [i8; STEP],
    /// -1 where a hyphen stands.
    hyphen: [i8; STEP],
}

const SPELLING: Spelling = {
    let mut spelling =
        Spelling { first: [usize::MAX; STEP / BLOCK], byte: [0; STEP], high: [0; STEP], hyphen: [-1; STEP] };
    let mut digit = 0;
    while digit < TOGETHER * SIMPLE {
        let at = digit / SIMPLE * HYPHENATED + place(digit % SIMPLE);
        let (block, byte) = (at / BLOCK, digit / 2);
        if spelling.first[block] == usize::MAX {
            // No sooner than the last bytes of the step end.
            let latest = SOURCE - BLOCK;
            spelling.first[block] = if byte < latest { byte } else { latest };
        }
        let within = byte - spelling.first[block];
        assert!(within < BLOCK);
        spelling.byte[at] = within as u8;
        spelling.high[at] = if digit % 2 == 0 { -1 } else { 0 };
        spelling.hyphen[at] = 0;
        digit += 1;
    }
    spelling
};

#[inline(always)]
fn write_hyphenated<S: Simd>(simd: S, ids: &[[Uuid; TOGETHER]], text: &mut [[u8; STEP]]) {
    // Nine blocks: the last has no other beside it.
    let first: Part<S, u8x64<S>> = Part::from(simd, 0);
    let second: Part<S, u8x64<S>> = Part::from(simd, 64);
    let last: Part<S, u8x16<S>> = Part::from(simd, 128);
    for (ids, text) in ids.iter().zip(text) {
        let bytes: &[u8; SOURCE] = bytemuck::cast_ref(ids);
        first.spell(simd, four_sources(simd, bytes, 0)).store_slice(&mut text[..64]);
        second.spell(simd, four_sources(simd, bytes, 4)).store_slice(&mut text[64..128]);
        last.spell(simd, source(simd, bytes, 8)).store_slice(&mut text[128..]);
    }
}

/// The bytes that a block of text is made from.
#[inline(always)]
fn source<S: Simd>(simd: S, bytes: &[u8; SOURCE], block: usize) -> u8x16<S> {
    u8x16::from_slice(simd, &bytes[SPELLING.first[block]..][..BLOCK])
}

/// The bytes that four blocks of text are made from.
#[inline(always)]
fn four_sources<S: Simd>(simd: S, bytes: &[u8; SOURCE], block: usize) -> u8x64<S> {
    let first = simd.combine_u8x16(source(simd, bytes, block), source(simd, bytes, block + 1));
    let last = simd.combine_u8x16(source(simd, bytes, block + 2), source(simd, bytes, block + 3));
    simd.combine_u8x32(first, last)
}

/// The characters of a step that one vector holds, as [`Spelling`] has them.
struct Part<S: Simd, V: SimdInt<S>> {
    byte: V,
    high: V::Mask,
    hyphen: V::Mask,
}

impl<S: Simd, V: SimdInt<S, Element = u8, Block = u8x16<S>, ByteVector = V>> Part<S, V> {
    /// Those from the given one on.
    #[inline(always)]
    fn from(simd: S, from: usize) -> Part<S, V> {
        let chars = from..from + V::LEN;
        Part {
            byte: V::from_slice(simd, &SPELLING.byte[chars.clone()]),
            high: V::Mask::from_slice(simd, &SPELLING.high[chars.clone()]),
            hyphen: V::Mask::from_slice(simd, &SPELLING.hyphen[chars]),
        }
    }

    /// They, from the bytes that their blocks are made from.
    #[inline(always)]
    fn spell(&self, simd: S, bytes: V) -> V {
        let bytes = bytes.swizzle_dyn_within_blocks(self.byte);
        let halves = self.high.select(bytes >> 4, bytes) & 15;
        self.hyphen.select(V::splat(simd, b'-'), letters(simd, halves))
    }
}

/// The letters of digits below 16.
#[inline(always)]
fn letters<S: Simd, V>(simd: S, digits: V) -> V
where
    V: SimdInt<S, Element = u8, Block = u8x16<S>, ByteVector = V>,
{
    V::block_splat(u8x16::from_slice(simd, b"0123456789abcdef")).swizzle_dyn_within_blocks(digits)
}

#[inline(always)]
fn write_simple<S: Simd>(simd: S, ids: &[Uuid], text: &mut [[u8; SIMPLE]]) {
    for (id, text) in ids.iter().zip(text) {
        let bytes = u8x16::from_slice(simd, id.as_bytes());
        let (high, low) = (bytes >> 4, bytes & 15);
        let digits = simd.combine_u8x16(simd.zip_low_u8x16(high, low), simd.zip_high_u8x16(high, low));
        letters(simd, digits).store_slice(text);
    }
}

/// Where the 32 characters stand that [`join`] wants in its order: the high digits of the first eight bytes, their
/// low digits, and the same of the others.
const fn by_halves(simple: bool) -> [u8; SIMPLE] {
    let mut places = [0; SIMPLE];
    let mut at = 0;
    while at < SIMPLE {
        let digit = at / 16 * 16 + at % 8 * 2 + at / 8 % 2;
        places[at] = if simple { digit } else { place(digit) } as u8;
        at += 1;
    }
    places
}

/// How the digits of hyphenated text come from three blocks of it: two vectors, one of the first and second block,
/// one of the second and that which ends the text.
struct Reading {
    /// Which character of a block of the first vector.
    early: [u8; SIMPLE],
    /// Which of the second.
    late: [u8; SIMPLE],
    /// -1 where it comes from the second.
    is_late: [i8; SIMPLE],
    /// 255 where a hyphen must stand among the first 32 characters.
    hyphen: [u8; 2 * BLOCK],
}

/// Where the block starts that ends hyphenated text.
const END: usize = HYPHENATED - BLOCK;

const READING: Reading = {
    let mut reading =
        Reading { early: [0; SIMPLE], late: [0; SIMPLE], is_late: [0; SIMPLE], hyphen: [255; 2 * BLOCK] };
    let places = by_halves(false);
    let mut at = 0;
    while at < SIMPLE {
        let place = places[at] as usize;
        if place < 2 * BLOCK {
            reading.hyphen[place] = 0;
        }
        let (early, late) = if at < BLOCK { (0, BLOCK) } else { (BLOCK, END) };
        if place < early + BLOCK {
            reading.early[at] = (place - early) as u8;
        } else {
            assert!(place - late < BLOCK);
            reading.late[at] = (place - late) as u8;
            reading.is_late[at] = -1;
        }
        at += 1;
    }
    reading
};

#[inline(always)]
fn read_hyphenated<S: Simd>(simd: S, text: &[[u8; HYPHENATED]], ids: &mut [Uuid]) -> bool {
    let early = u8x32::from_slice(simd, &READING.early);
    let late = u8x32::from_slice(simd, &READING.late);
    let is_late = mask8x32::from_slice(simd, &READING.is_late);
    let hyphen = u8x32::from_slice(simd, &READING.hyphen);
    let (mut largest, mut strange) = (u8x32::splat(simd, 0), u8x32::splat(simd, 0));
    for (text, id) in text.iter().zip(ids) {
        let block = |from: usize| u8x16::from_slice(simd, &text[from..from + BLOCK]);
        let first = u8x32::from_slice(simd, &text[..2 * BLOCK]);
        let second = simd.combine_u8x16(block(BLOCK), block(END));
        strange |= (first ^ b'-') & hyphen;
        let letters =
            is_late.select(second.swizzle_dyn_within_blocks(late), first.swizzle_dyn_within_blocks(early));
        let digits = digits(simd, letters);
        largest = largest.max(digits);
        *id = join(simd, digits);
    }
    simd.reduce_max_u8x32(largest) < 16 && simd.reduce_max_u8x32(strange) == 0
}

#[inline(always)]
fn read_simple<S: Simd>(simd: S, text: &[[u8; SIMPLE]], ids: &mut [Uuid]) -> bool {
    const PLACES: [u8; SIMPLE] = {
        let mut places = by_halves(true);
        let mut at = 0;
        while at < SIMPLE {
            places[at] %= BLOCK as u8;
            at += 1;
        }
        places
    };
    let places = u8x32::from_slice(simd, &PLACES);
    let mut largest = u8x32::splat(simd, 0);
    for (text, id) in text.iter().zip(ids) {
        let letters = u8x32::from_slice(simd, text).swizzle_dyn_within_blocks(places);
        let digits = digits(simd, letters);
        largest = largest.max(digits);
        *id = join(simd, digits);
    }
    simd.reduce_max_u8x32(largest) < 16
}

/// The digits that letters of either case stand for; 16 or more where one stands for none.
#[inline(always)]
fn digits<S: Simd>(simd: S, letters: u8x32<S>) -> u8x32<S> {
    let splat = |byte| u8x32::splat(simd, byte);
    // 0 to 9 become 246 to 255, what stands above them in ASCII wraps to 0 and on, which 6 less does not reach.
    let decimal = (letters + (255 - b'9')).saturating_sub(splat(6)) - 240;
    // A to F become 0 to 5 and then 10 to 15; what stands below A wraps to the top and stays there.
    let above = ((letters & !0x20) - b'A').saturating_add(splat(10));
    decimal.min(above)
}

/// The id whose digits are given as [`by_halves`] orders them.
#[inline(always)]
fn join<S: Simd>(simd: S, digits: u8x32<S>) -> Uuid {
    let (first, last) = simd.split_u8x32(digits);
    let (first, last): (u64x2<S>, u64x2<S>) = (first.bitcast(), last.bitcast());
    let (high, low) = (first.unzip_low(last), first.unzip_high(last));
    // No digit reaches into the next byte, or the text is refused.
    let bytes: u8x16<S> = (high << 4 | low).bitcast();
    Uuid::from_bytes(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Without vectors, and with every width that this processor has.
    fn ways() -> Vec<Option<Level>> {
        let widest = Level::new();
        let mut ways = vec![None, Some(widest)];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        ways.extend([
            widest.as_avx2().map(|width| width.level()),
            widest.as_sse4_2().map(|width| width.level()),
            widest.as_sse2().map(|width| width.level()),
        ]);
        ways
    }

    /// 128 random bits each.
    fn ids(count: usize) -> Vec<Uuid> {
        let mut ids = vec![Uuid::nil(); count];
        ChaCha8Rng::seed_from_u64(count as u64).fill_bytes(bytemuck::cast_slice_mut(&mut ids));
        ids
    }

    /// What one id after another gives, by the `uuid` crate.
    fn one_by_one(ids: &[Uuid]) -> (Vec<u8>, Vec<u8>) {
        let hyphenated: String = ids.iter().map(|id| id.hyphenated().to_string()).collect();
        let simple: String = ids.iter().map(|id| id.simple().to_string()).collect();
        (hyphenated.into_bytes(), simple.into_bytes())
    }

    #[test]
    fn every_width_writes_the_same_text() {
        for count in 0..70 {
            let ids = ids(count);
            let (hyphenated, simple) = one_by_one(&ids);
            for way in ways() {
                let mut text = vec![b'?'; hyphenated.len()];
                encode_hyphenated_with(way, &ids, &mut text);
                assert_eq!(text, hyphenated, "{count} {way:?}");
                let mut text = vec![b'?'; simple.len()];
                encode_simple_with(way, &ids, &mut text);
                assert_eq!(text, simple, "{count} {way:?}");
            }
        }
    }

    #[test]
    fn every_width_reads_either_case() {
        for count in 0..70 {
            let ids = ids(count);
            let (hyphenated, simple) = one_by_one(&ids);
            for way in ways() {
                for change in [<[u8]>::to_ascii_lowercase, <[u8]>::to_ascii_uppercase] {
                    let mut read = vec![Uuid::nil(); count];
                    assert!(parse_hyphenated_with(way, &change(&hyphenated), &mut read));
                    assert_eq!(read, ids, "{way:?}");
                    read.fill(Uuid::nil());
                    assert!(parse_simple_with(way, &change(&simple), &mut read));
                    assert_eq!(read, ids, "{way:?}");
                }
            }
        }
    }

    /// Every byte in every place of every id of a text.
    #[test]
    fn every_width_takes_and_refuses_the_same_text() {
        let ids = ids(TOGETHER + 1);
        let (hyphenated, simple) = one_by_one(&ids);
        type Parse = fn(Option<Level>, &[u8], &mut [Uuid]) -> bool;
        let forms: [(Vec<u8>, Parse); 2] = [(hyphenated, parse_hyphenated_with), (simple, parse_simple_with)];
        for (right, parse) in forms {
            let chars = right.len() / ids.len();
            for (place, byte) in (0..right.len()).flat_map(|place| (0..=255).map(move |byte| (place, byte))) {
                let mut text = right.clone();
                text[place] = byte;
                let by_uuid: std::result::Result<Vec<Uuid>, _> =
                    text.chunks(chars).map(Uuid::try_parse_ascii).collect();
                for way in ways() {
                    let mut read = vec![Uuid::nil(); ids.len()];
                    let taken = parse(way, &text, &mut read);
                    let found = taken.then_some(&read);
                    assert_eq!(found, by_uuid.as_ref().ok(), "{place} {byte} {way:?}");
                }
            }
        }
    }
}
