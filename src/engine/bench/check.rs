//! What a buffer must hold: ids of their version and variant, none twice, rising where that is promised.

use super::contender::{Contender, Shape};

/// Ids of a buffer that are looked at, its last ones.
const LOOKED_AT: usize = 1 << 16;

/// Bytes that looking at a buffer takes.
pub(super) const MOST_BYTES: usize = LOOKED_AT * size_of::<u128>();

/// A value for each character of a NanoID; 64 for what is none.
const fn nanoid_digits() -> [u8; 256] {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut digits = [64; 256];
    let mut place = 0;
    while place < alphabet.len() {
        digits[alphabet[place] as usize] = place as u8;
        place += 1;
    }
    digits
}

const NANOID_DIGITS: [u8; 256] = nanoid_digits();

/// The id as a number: equal for equal ids, in the order of their bytes. None where it is no id of that
/// shape.
pub(super) fn number(shape: Shape, id: &[u8]) -> Option<u128> {
    match shape {
        Shape::NanoId => id.iter().try_fold(0u128, |number, character| {
            let digit = NANOID_DIGITS[usize::from(*character)];
            (digit < 64).then_some(number << 6 | u128::from(digit))
        }),
        Shape::Snowflake => {
            let value = u64::from_ne_bytes(id.try_into().ok()?);
            (value >> 63 == 0).then_some(value.into())
        }
        Shape::Text(form, version) => {
            let id = form.parse_one(id).ok()?;
            number(if version == 0 { Shape::Ulid } else { Shape::Uuid(version) }, id.as_bytes())
        }
        Shape::Uuid(version) => {
            let valid = id.get(6)? >> 4 == version && id.get(8)? >> 6 == 0b10;
            Some(u128::from_be_bytes(id.try_into().ok()?)).filter(|_| valid)
        }
        Shape::Ulid | Shape::Noise | Shape::Filled => Some(u128::from_be_bytes(id.try_into().ok()?)),
    }
}

/// Looks at the last ids of a buffer.
///
/// Returns how many it looked at and a digest of them.
///
/// # Errors
/// Says what was seen that must not be.
pub(super) fn buffer(contender: &Contender, bytes: &[u8]) -> Result<(u64, u64), String> {
    let length = contender.shape.id_bytes();
    let ids = bytes.len() / length;
    let bytes = &bytes[(ids - ids.min(LOOKED_AT)) * length..ids * length];
    if contender.shape == Shape::Filled {
        return match bytes.iter().find(|byte| **byte != bytes[0]) {
            Some(other) => Err(format!("bytes {:#04x} and {other:#04x} in one filled buffer", bytes[0])),
            None => Ok(((bytes.len() / length) as u64, digest(bytes))),
        };
    }
    let mut numbers = Vec::with_capacity(ids.min(LOOKED_AT));
    for id in bytes.chunks_exact(length) {
        let number = number(contender.shape, id).ok_or_else(|| format!("{} is no valid id", hex(id)))?;
        if let Some(last) = numbers.last()
            && contender.rising
            && number <= *last
        {
            return Err(format!("{number:#034x} after {last:#034x}, which is not above it"));
        }
        numbers.push(number);
    }
    numbers.sort_unstable();
    if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("{:#034x} twice in one buffer", pair[0]));
    }
    Ok((numbers.len() as u64, digest(bytes)))
}

/// FNV-1a over words of eight bytes: one that changes where any bit does, almost surely.
fn digest(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |digest, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (digest ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::contender::{Call, Role};
    use super::*;
    use crate::id::text::TextForm;

    fn contender(shape: Shape, rising: bool) -> Contender {
        Contender {
            name: "x",
            role: Role::Own,
            call: Call::Bulk,
            scheme: None,
            stream: None,
            shape,
            rising,
            burst: 0,
            most_threads: None,
            team: Box::new(|_| Ok(Vec::new())),
        }
    }

    /// UUIDs of a version whose last byte is given.
    fn uuids(version: u8, last: &[u8]) -> Vec<u8> {
        let one = |last: &u8| [1, 2, 3, 4, 5, 6, version << 4, 7, 0x80, 9, 10, 11, 12, 13, 14, *last];
        last.iter().flat_map(one).collect()
    }

    #[test]
    fn a_repeat_a_wrong_version_and_a_fall_are_found() {
        let v4 = contender(Shape::Uuid(4), false);
        assert_eq!(buffer(&v4, &uuids(4, &[2, 1, 3])).map(|seen| seen.0), Ok(3));
        assert!(buffer(&v4, &uuids(4, &[2, 1, 2])).is_err_and(|seen| seen.contains("twice")));
        assert!(buffer(&v4, &uuids(7, &[1])).is_err_and(|seen| seen.contains("no valid id")));
        let mut other = uuids(4, &[1]);
        other[8] = 0xc0;
        assert!(buffer(&v4, &other).is_err_and(|seen| seen.contains("0708") || seen.contains("07c0")));
        let rising = contender(Shape::Uuid(4), true);
        assert!(buffer(&rising, &uuids(4, &[1, 3, 2])).is_err_and(|seen| seen.contains("not above")));
        assert!(buffer(&rising, &uuids(4, &[1, 1])).is_err());
        assert!(buffer(&rising, &uuids(4, &[1, 2])).is_ok());
    }

    #[test]
    fn text_and_numbers_are_checked_by_their_own_rules() {
        let nanoid = contender(Shape::NanoId, false);
        assert!(buffer(&nanoid, b"V1StGXR8_Z5jdHi6B-myT").is_ok());
        assert!(buffer(&nanoid, b"V1StGXR8 Z5jdHi6B-myT").is_err());
        assert_eq!(number(Shape::NanoId, b"AAAAAAAAAAAAAAAAAAAAB"), Some(1));
        assert_eq!(number(Shape::NanoId, b"_____________________"), Some((1 << 126) - 1));
        assert_eq!(number(Shape::Snowflake, &5u64.to_ne_bytes()), Some(5));
        assert_eq!(number(Shape::Snowflake, &(1u64 << 63).to_ne_bytes()), None);
        let text = contender(Shape::Text(TextForm::Hyphenated, 4), true);
        assert!(
            buffer(&text, b"00000000-0000-4000-8000-00000000000100000000-0000-4000-8000-000000000002")
                .is_ok()
        );
        assert!(
            buffer(&text, b"00000000-0000-4000-8000-00000000000200000000-0000-4000-8000-000000000001")
                .is_err()
        );
        assert!(buffer(&text, b"00000000-0000-7000-8000-000000000001").is_err());
        assert!(buffer(&text, b"00000000-0000-4000-8000-00000000000g").is_err());
        let filled = contender(Shape::Filled, false);
        assert!(buffer(&filled, &[7; 64]).is_ok());
        assert!(buffer(&filled, &[[7; 32], [8; 32]].concat()).is_err());
    }

    #[test]
    fn a_digest_changes_with_every_bit() {
        let mut bytes = uuids(4, &[1, 2, 3, 4]);
        let before = digest(&bytes);
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(digest(&bytes), before, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
