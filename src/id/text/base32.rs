//! Crockford's base32 as ULIDs write it: 26 characters of five bits, the first of which holds the three high
//! bits of the id. Upper case out; either case in, I and L as 1, O as 0, neither hyphens nor U.
//!
//! Source: <https://www.crockford.com/base32.html>, <https://github.com/ulid/spec>.

use super::alphabet::{REFUSED, four, pairs, two, worths};
use uuid::Uuid;

/// Characters of an id.
pub(super) const CHARS: usize = 26;

const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LOWER: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

static PAIRS: [[u8; 2]; 1 << 10] = pairs(LETTERS);
static WORTHS: [[u32; 256]; 4] = worths(&[LETTERS, LOWER, b"OI", b"oi", b"0L", b"0l"], 32);

/// Writes 26 characters an id.
pub(super) fn encode(ids: &[Uuid], text: &mut [u8]) {
    let pair = |bits: u64| PAIRS[(bits & 0x3ff) as usize];
    for (id, text) in ids.iter().zip(text.as_chunks_mut::<CHARS>().0) {
        let (high, low) = id.as_u64_pair();
        // 130 bits, the first two 0: six pairs, six pairs, one pair.
        let (first, second) = (high >> 6, high << 54 | low >> 10);
        let text = text.as_chunks_mut().0;
        for place in 0..6 {
            text[place] = pair(first >> (50 - 10 * place));
            text[6 + place] = pair(second >> (50 - 10 * place));
        }
        text[12] = pair(low);
    }
}

/// Reads 26 characters an id; whether all could be read.
pub(super) fn parse(text: &[u8], ids: &mut [Uuid]) -> bool {
    let mut refused = 0;
    for (id, [a, b, rest @ ..]) in ids.iter_mut().zip(text.as_chunks::<CHARS>().0) {
        let top = two(&WORTHS, [*a, *b]);
        let rest = rest.as_chunks().0;
        let groups = [0, 1, 2, 3, 4, 5].map(|group| four(&WORTHS, rest[group]));
        // Bits 128 and 129 of the number have no place in an id.
        refused |= top | (top & 0x300) << 20;
        refused |= groups.iter().fold(0, |seen, group| seen | group);
        let [c, d, e, f, g, h] = groups.map(u64::from);
        let high = u64::from(top) << 56 | c << 36 | d << 16 | e >> 4;
        *id = Uuid::from_u64_pair(high, e << 60 | f << 40 | g << 20 | h);
    }
    refused & REFUSED == 0
}
