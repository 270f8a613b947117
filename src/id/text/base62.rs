//! Base62: 22 characters, the id as a number with the digits 0–9, A–Z, a–z in that order, zeros in front.
//!
//! 62^22 exceeds 2^128: a text above `7n42DGM5Tflk9n8mt7Fhc7` is no id.
//!
//! Encoding splits the number at 62^12 and what is left at 62^8, then draws pairs of digits from fractions, one
//! multiplication a pair: with F = v / 62^(2k) rounded up a little in 64 binary places, the whole part of F is
//! the first pair, that of 3844 times the rest the next. It is exact while the rounding stays below 62^(−2k).

use super::alphabet::{REFUSED, four, pairs, two, worths};
use uuid::Uuid;

/// Characters of an id.
pub(super) const CHARS: usize = 22;

const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static PAIRS: [[u8; 2]; 1 << 12] = pairs(LETTERS);
static WORTHS: [[u32; 256]; 4] = worths(&[LETTERS], 62);

/// 62^2.
const TWO: u64 = 62 * 62;
/// 62^4, below 2^24.
const FOUR: u64 = TWO * TWO;
/// 62^8, below 2^48.
const EIGHT: u64 = FOUR * FOUR;
/// 31^8: 62^8 without its eight factors 2.
const EIGHT_ODD: u64 = EIGHT >> 8;
/// 31^12: 62^12 without its twelve factors 2, below 2^60.
const TWELVE_ODD: u64 = EIGHT_ODD * (FOUR >> 4);
/// 62^12, below 2^72.
const TWELVE: u128 = (TWELVE_ODD as u128) << 12;
/// ⌊2^135 / 62^12⌋, below 2^64.
const PER_TWELVE: u64 = ((1 << 127) / (TWELVE >> 8)) as u64;

/// Writes 22 characters an id.
pub(super) fn encode(ids: &[Uuid], text: &mut [u8]) {
    for (id, text) in ids.iter().zip(text.as_chunks_mut::<CHARS>().0) {
        let (ten, twelve) = split(id.as_u128());
        let (first, last) = ((twelve >> 8) as u64 / EIGHT_ODD, twelve as u64);
        // The difference is below 62^8, so the low 64 bits of both suffice.
        let last = last.wrapping_sub(first.wrapping_mul(EIGHT));
        let text = text.as_chunks_mut().0;
        // Values are below 2^57, 2^24 and 2^48, so fractions are too large by less than 2^−53, 2^−39 and 2^−50,
        // where 2^−47.7, 2^−12 and 2^−35.8 would still do.
        digits::<EIGHT, 47>(ten, &mut text[..5]);
        digits::<TWO, 0>(first, &mut text[5..7]);
        digits::<{ TWO * FOUR }, 35>(last, &mut text[7..]);
    }
}

/// Quotient and remainder by 62^12.
#[inline(always)]
fn split(number: u128) -> (u64, u128) {
    // The high 64 bits times the reciprocal fall short of the quotient by less than 2^64 / 62^12 + 2^−7, which is
    // below 0.014: rounded down it is the quotient or one less.
    let high = (number >> 64) as u64;
    let quotient = ((u128::from(high) * u128::from(PER_TWELVE)) >> 71) as u64;
    let remainder = number - ((u128::from(quotient) * u128::from(TWELVE_ODD)) << 12);
    if remainder >= TWELVE { (quotient + 1, remainder - TWELVE) } else { (quotient, remainder) }
}

/// Writes `value` as pairs of digits, 1 in the first of which is worth `UNIT`. Its fraction is too large by less
/// than (value / 2^SHIFT + 1) / 2^64.
#[inline(always)]
fn digits<const UNIT: u64, const SHIFT: u32>(value: u64, pairs: &mut [[u8; 2]]) {
    let reciprocal = const { ((1 << (64 + SHIFT)) / UNIT as u128) as u64 + 1 };
    // Rounded down it may be too small, one more is not.
    let mut fraction = ((u128::from(value) * u128::from(reciprocal)) >> SHIFT) + 1;
    for pair in pairs {
        *pair = PAIRS[(fraction >> 64) as usize & (PAIRS.len() - 1)];
        fraction = u128::from(fraction as u64) * u128::from(TWO);
    }
}

/// Reads 22 characters an id; whether all could be read.
pub(super) fn parse(text: &[u8], ids: &mut [Uuid]) -> bool {
    let (mut refused, mut beyond) = (0, 0);
    for (id, [a, b, rest @ ..]) in ids.iter_mut().zip(text.as_chunks::<CHARS>().0) {
        let top = two(&WORTHS, [*a, *b]);
        let rest = rest.as_chunks().0;
        let groups = [0, 1, 2, 3, 4].map(|group| four(&WORTHS, rest[group]));
        refused |= groups.iter().fold(top, |seen, group| seen | group);
        let [c, d, e, f, g] = groups.map(u64::from);
        // Ten digits are below 2^60, twelve below 2^72. Where a letter is strange the sums may wrap: the id is
        // refused anyway.
        let ten = u64::from(top).wrapping_mul(EIGHT).wrapping_add(c.wrapping_mul(FOUR)).wrapping_add(d);
        let twelve = u128::from(e) * u128::from(EIGHT) + u128::from(f * FOUR + g);
        // The number without its twelve low bits, which 62^12 does not touch.
        let number = u128::from(ten) * u128::from(TWELVE_ODD) + (twelve >> 12);
        beyond |= (number >> 116) as u64;
        *id = Uuid::from_u128(number << 12 | twelve & 0xfff);
    }
    refused & REFUSED == 0 && beyond == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By division, one digit at a time.
    fn by_division(mut number: u128) -> [u8; CHARS] {
        let mut text = [0; CHARS];
        for letter in text.iter_mut().rev() {
            *letter = LETTERS[(number % 62) as usize];
            number /= 62;
        }
        text
    }

    /// Numbers around which a quotient or a digit changes.
    fn edges() -> impl Iterator<Item = u128> {
        let powers = std::iter::successors(Some(1u128), |power| power.checked_mul(62));
        let digits = powers.flat_map(|power| (1..62).filter_map(move |digit| power.checked_mul(digit)));
        let bits = (0..128).map(|bit| 1u128 << bit);
        digits.chain(bits).flat_map(|edge| [edge - 1, edge, edge + 1]).chain([u128::MAX - 1, u128::MAX])
    }

    #[test]
    fn digits_are_those_of_division_wherever_one_changes() {
        for number in edges() {
            let mut text = [0; CHARS];
            encode(&[Uuid::from_u128(number)], &mut text);
            assert_eq!(text, by_division(number), "{number}");
        }
    }

    #[test]
    fn the_quotient_is_exact_next_to_multiples_of_the_divisor() {
        let largest = (u128::MAX / TWELVE) as u64;
        // A step that is prime spreads the quotients evenly.
        let spread = (1..10_000u64).map(|turn| turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) % largest);
        for quotient in edges().filter_map(|edge| u64::try_from(edge).ok()).chain(spread) {
            let quotient = quotient.min(largest);
            let number = u128::from(quotient) * TWELVE;
            assert_eq!(split(number), (quotient, 0));
            assert_eq!(split(number + 1), (quotient, 1));
            if quotient > 0 {
                assert_eq!(split(number - 1), (quotient - 1, TWELVE - 1));
            }
        }
    }
}
