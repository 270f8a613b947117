//! Tables of an alphabet: letters by value, two at a time, and values by letter, four at a time.

/// What a letter that the alphabet lacks is worth. A group of four is below 2^24, and four of these beside it
/// stay below 2^31.
const STRANGE: u32 = 1 << 28;

/// The bits that are all 0 in a sum of groups exactly when every letter belonged to the alphabet.
pub(super) const REFUSED: u32 = 0xf000_0000;

/// The two letters of every value below the square of the alphabet's length. Room beyond that is never asked
/// for; a power of two of it spares the check of the index.
pub(super) const fn pairs<const ROOM: usize>(alphabet: &[u8]) -> [[u8; 2]; ROOM] {
    let letters = alphabet.len();
    let mut pairs = [[0; 2]; ROOM];
    let mut value = 0;
    while value < letters * letters {
        pairs[value] = [alphabet[value / letters], alphabet[value % letters]];
        value += 1;
    }
    pairs
}

/// What each byte is worth in each of four places of a number with that base. `spellings` are alphabets, or
/// beginnings of one, in which a letter's place is its value.
pub(super) const fn worths(spellings: &[&[u8]], base: u32) -> [[u32; 256]; 4] {
    let mut worths = [[STRANGE; 256]; 4];
    let mut weight = 1;
    let mut place = 4;
    while place > 0 {
        place -= 1;
        let mut spelling = 0;
        while spelling < spellings.len() {
            let mut value = 0;
            while value < spellings[spelling].len() {
                worths[place][spellings[spelling][value] as usize] = value as u32 * weight;
                value += 1;
            }
            spelling += 1;
        }
        weight *= base;
    }
    worths
}

/// The number that two letters spell.
#[inline(always)]
pub(super) fn two(worths: &[[u32; 256]; 4], [a, b]: [u8; 2]) -> u32 {
    worths[2][usize::from(a)] + worths[3][usize::from(b)]
}

/// The number that four letters spell.
#[inline(always)]
pub(super) fn four(worths: &[[u32; 256]; 4], [a, b, c, d]: [u8; 4]) -> u32 {
    worths[0][usize::from(a)] + worths[1][usize::from(b)] + two(worths, [c, d])
}
