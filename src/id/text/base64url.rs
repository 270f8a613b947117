//! Base64url without padding (RFC 4648 §5): 22 characters of six bits, the last four of which are 0.
//!
//! The alphabet is A–Z, a–z, 0–9, -, _: not the order of bytes, so the text of sorted ids is not sorted.

use super::alphabet::{REFUSED, four, pairs, two, worths};
use uuid::Uuid;

/// Characters of an id.
pub(super) const CHARS: usize = 22;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static PAIRS: [[u8; 2]; 1 << 12] = pairs(LETTERS);
static WORTHS: [[u32; 256]; 4] = worths(&[LETTERS], 64);

/// Writes 22 characters an id.
pub(super) fn encode(ids: &[Uuid], text: &mut [u8]) {
    let pair = |bits: u64| PAIRS[(bits & 0xfff) as usize];
    for (id, text) in ids.iter().zip(text.as_chunks_mut::<CHARS>().0) {
        let (high, low) = id.as_u64_pair();
        let text = text.as_chunks_mut().0;
        // 132 bits, the last four 0: five pairs of the high half, one of both, five of the low half.
        for (place, letters) in text[..5].iter_mut().enumerate() {
            *letters = pair(high >> (52 - 12 * place));
        }
        text[5] = pair(high << 8 | low >> 56);
        for (place, letters) in text[6..10].iter_mut().enumerate() {
            *letters = pair(low >> (44 - 12 * place));
        }
        text[10] = pair(low << 4);
    }
}

/// Reads 22 characters an id; whether all could be read.
pub(super) fn parse(text: &[u8], ids: &mut [Uuid]) -> bool {
    let mut refused = 0;
    for (id, [rest @ .., a, b]) in ids.iter_mut().zip(text.as_chunks::<CHARS>().0) {
        let rest = rest.as_chunks().0;
        let groups = [0, 1, 2, 3, 4].map(|group| four(&WORTHS, rest[group]));
        let end = two(&WORTHS, [*a, *b]);
        // Four bits behind the id: other than 0 they would give it a second spelling.
        refused |= end | (end & 0xf) << 28;
        refused |= groups.iter().fold(0, |seen, group| seen | group);
        let [c, d, e, f, g] = groups.map(u64::from);
        let high = c << 40 | d << 16 | e >> 8;
        *id = Uuid::from_u64_pair(high, e << 56 | f << 32 | g << 8 | u64::from(end) >> 4);
    }
    refused & REFUSED == 0
}
