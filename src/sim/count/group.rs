//! Groups of 64 ids, a bit for each: the few of a group that matter are walked without looking at the others.

/// Ids of a group.
pub const GROUP: usize = 64;

/// The low bits of 64 bytes, first byte lowest; the other bits of them must be 0.
#[inline(always)]
pub fn bits_of(flags: &[u8; GROUP]) -> u64 {
    // The product brings the low bits of eight bytes together in its top byte: 2^(8i) · 2^(56 − 7i) = 2^(56 + i), and no two
    // other products meet there.
    let bits = |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    flags.as_chunks::<8>().0.iter().rev().fold(0, |all, word| (all << 8) | bits(word))
}

/// Numbers written without asking how many there are: a branch that cannot be foreseen costs more than eight of them.
const AT_ONCE: usize = 8;

/// Room for the numbers of so many ids, in which [`push_all`] writes a little beyond the last.
pub fn room_for(ids: usize) -> usize {
    ids + AT_ONCE
}

/// Puts down base + i for each bit i from place `from` on; the place after the last. What lies behind it is overwritten.
#[inline(always)]
pub fn push_all(mut bits: u64, base: u32, places: &mut [u32], mut from: usize) -> usize {
    let end = from + bits.count_ones() as usize;
    loop {
        for place in &mut places[from..from + AT_ONCE] {
            *place = base.wrapping_add(bits.trailing_zeros());
            bits &= bits.wrapping_sub(1);
        }
        if bits == 0 {
            return end;
        }
        from += AT_ONCE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_gives_its_own_bit() {
        for bits in (0..64).map(|at| 1u64 << at).chain([0, u64::MAX, 0x0123_4567_89ab_cdef]) {
            let flags = std::array::from_fn(|at| (bits >> at & 1) as u8);
            assert_eq!(bits_of(&flags), bits);
            let mut places = vec![0; room_for(64)];
            let end = push_all(bits, 100, &mut places, 0);
            assert_eq!(end, bits.count_ones() as usize);
            assert_eq!(places[..end].iter().fold(0, |all, place| all | 1u64 << (place - 100)), bits);
        }
    }
}
