//! The AES stream, stamped or counted as it is made: x86-64 with vector AES, four blocks an instruction with AVX-512,
//! two with AVX2 alone.
//!
//! The one file with unsafe code. It runs where the processor has the instructions and gives what the safe code
//! of `stamp` and `count` gives; tests compare them. It stays for what it saves, which `cargo bench --bench
//! generate -- kernel` measures on one buffer. Unsafe are the calls into functions that need the instructions,
//! and the stores, which go through pointers.

#![allow(unsafe_code)]

/// Buffers from this size on are written past the caches, which they would only sweep: 16 MiB, about what a core
/// can expect of a last-level cache.
pub(super) const PAST_CACHE_BYTES: usize = 16 << 20;

#[cfg(not(target_arch = "x86_64"))]
pub(super) use absent::Vector;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::Vector;

/// On other processors: never there.
#[cfg(not(target_arch = "x86_64"))]
mod absent {
    use crate::id::generator::count::Count;
    use crate::id::generator::stamp::Stamp;
    use uuid::Uuid;

    #[derive(Debug, Clone)]
    pub(in crate::id::generator) enum Vector {}

    impl Vector {
        pub fn detect(_key: &[u8; 16]) -> Option<Vector> {
            None
        }

        #[cfg(test)]
        pub fn narrowed(self) -> Option<Vector> {
            match self {}
        }

        pub fn stamp(&self, _number: u64, _block: u64, _stamp: &Stamp, _ids: &mut [Uuid], _past: bool) {
            match *self {}
        }

        pub fn count(&self, _number: u64, _word: u64, _count: Count, _ids: &mut [Uuid], _past: bool) {
            match *self {}
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use crate::id::generator::count::{Count, DRAWN_BITS};
    use crate::id::generator::stamp::Stamp;
    use std::arch::x86_64::*;
    use uuid::Uuid;

    /// Blocks of a step: as many registers as hide the ten rounds of one behind those of the others, at either width.
    const BLOCKS: usize = 16;
    /// Half blocks of a step.
    const WORDS: usize = 2 * BLOCKS;
    /// Bytes of a line of the caches, and of a wide register.
    const LINE: usize = 64;

    /// The round keys, on a processor that was seen to have the instructions.
    #[derive(Clone)]
    pub(in crate::id::generator) struct Vector {
        keys: [__m128i; 11],
        width: Width,
    }

    /// Blocks of an instruction.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Width {
        Four,
        Two,
    }

    impl std::fmt::Debug for Vector {
        /// Without the keys.
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Vector(..)")
        }
    }

    impl Vector {
        /// The streams under that key, where this processor has the instructions.
        pub fn detect(key: &[u8; 16]) -> Option<Vector> {
            if !is_x86_feature_detected!("aes") || !is_x86_feature_detected!("vaes") {
                return None;
            }
            let width = if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                Width::Four
            } else if is_x86_feature_detected!("avx2") {
                Width::Two
            } else {
                return None;
            };
            // SAFETY: AES was just seen.
            Some(Vector { keys: unsafe { round_keys(key) }, width })
        }

        /// The same with two blocks an instruction, for tests where there are four; nothing where AVX2 is missing.
        #[cfg(test)]
        pub fn narrowed(self) -> Option<Vector> {
            is_x86_feature_detected!("avx2").then_some(Vector { width: Width::Two, ..self })
        }

        /// One stamped id of every block from `block` on, `past` the caches where that can be.
        pub fn stamp(&self, number: u64, block: u64, stamp: &Stamp, ids: &mut [Uuid], past: bool) {
            let head = if past { in_front_of_a_line(ids) } else { None };
            let (front, lines) = ids.split_at_mut(head.unwrap_or(0));
            let after = block.wrapping_add(front.len() as u64);
            // SAFETY: a `Vector` is only made where the instructions were seen, and where `lines` is to be written
            // past the caches it begins with a line.
            unsafe {
                self.stamped::<false>(number, block, stamp, front);
                match head {
                    Some(_) => self.stamped::<true>(number, after, stamp, lines),
                    None => self.stamped::<false>(number, after, stamp, lines),
                }
            }
        }

        /// One counted id of every half block from `word` on, `past` the caches where that can be.
        pub fn count(&self, number: u64, word: u64, count: Count, ids: &mut [Uuid], past: bool) {
            let odd = usize::from(word % 2 == 1).min(ids.len());
            let (first, rest) = ids.split_at_mut(odd);
            if let [first] = first {
                // Whoever has the other half of this block has its id already.
                let mut both = [Uuid::nil(); 2];
                let before = Count { first: count.first.wrapping_sub(1), ..count };
                // SAFETY: as in `stamp`.
                unsafe { self.counted::<false>(number, word / 2, before, &mut both) };
                *first = both[1];
            }
            let count = count.after(odd);
            // Where a line begins in the middle of a block, the caches are not passed.
            let head = if past { in_front_of_a_line(rest).filter(|ids| ids % 2 == 0) } else { None };
            let (front, lines) = rest.split_at_mut(head.unwrap_or(0));
            let block = word.div_ceil(2);
            let after = block.wrapping_add(front.len() as u64 / 2);
            let rest = count.after(front.len());
            // SAFETY: as in `stamp`.
            unsafe {
                self.counted::<false>(number, block, count, front);
                match head {
                    Some(_) => self.counted::<true>(number, after, rest, lines),
                    None => self.counted::<false>(number, after, rest, lines),
                }
            }
        }

        /// # Safety
        /// Where ids go past the caches they begin with a line.
        unsafe fn stamped<const PAST: bool>(&self, number: u64, block: u64, stamp: &Stamp, ids: &mut [Uuid]) {
            // SAFETY: that width was seen to be there, and the caller's.
            unsafe {
                match self.width {
                    Width::Four => four::stamped::<PAST>(&self.keys, number, block, stamp, ids),
                    Width::Two => two::stamped::<PAST>(&self.keys, number, block, stamp, ids),
                }
            }
        }

        /// # Safety
        /// Where ids go past the caches they begin with a line.
        unsafe fn counted<const PAST: bool>(&self, number: u64, block: u64, count: Count, ids: &mut [Uuid]) {
            // SAFETY: that width was seen to be there, and the caller's.
            unsafe {
                match self.width {
                    Width::Four => four::counted::<PAST>(&self.keys, number, block, count, ids),
                    Width::Two => two::counted::<PAST>(&self.keys, number, block, count, ids),
                }
            }
        }
    }

    /// How many ids lie in front of the first that begins a line; none where no id does.
    fn in_front_of_a_line(ids: &[Uuid]) -> Option<usize> {
        let address = ids.as_ptr().addr();
        let bytes = address.next_multiple_of(LINE) - address;
        bytes.is_multiple_of(size_of::<Uuid>()).then(|| (bytes / size_of::<Uuid>()).min(ids.len()))
    }

    /// The round keys of AES-128 (FIPS 197 §5.2).
    #[target_feature(enable = "aes,sse2")]
    fn round_keys(key: &[u8; 16]) -> [__m128i; 11] {
        /// The next round's key from this one's, with the round's constant.
        macro_rules! next {
            ($key:expr, $constant:literal) => {{
                let turned = _mm_shuffle_epi32::<0xff>(_mm_aeskeygenassist_si128::<$constant>($key));
                let mut key = $key;
                for _ in 0..3 {
                    key = _mm_xor_si128($key, _mm_slli_si128::<4>(key));
                }
                _mm_xor_si128(key, turned)
            }};
        }
        let (low, high) = key.split_at(8);
        let word = |half: &[u8]| i64::from_le_bytes(half.try_into().expect("half of sixteen bytes"));
        let first = _mm_set_epi64x(word(high), word(low));
        let mut keys = [first; 11];
        keys[1] = next!(keys[0], 0x01);
        keys[2] = next!(keys[1], 0x02);
        keys[3] = next!(keys[2], 0x04);
        keys[4] = next!(keys[3], 0x08);
        keys[5] = next!(keys[4], 0x10);
        keys[6] = next!(keys[5], 0x20);
        keys[7] = next!(keys[6], 0x40);
        keys[8] = next!(keys[7], 0x80);
        keys[9] = next!(keys[8], 0x1b);
        keys[10] = next!(keys[9], 0x36);
        keys
    }

    /// Four blocks an instruction.
    mod four {
        use super::*;

        /// Registers of a step.
        const TOGETHER: usize = BLOCKS / 4;

        /// # Safety
        /// Where ids go past the caches they begin with a line.
        #[target_feature(enable = "aes,vaes,avx512f,avx512bw")]
        pub unsafe fn stamped<const PAST: bool>(
            keys: &[__m128i; 11],
            number: u64,
            block: u64,
            stamp: &Stamp,
            ids: &mut [Uuid],
        ) {
            let keys = keys.map(|key| _mm512_broadcast_i32x4(key));
            let (kept, fixed) = (four_times(&stamp.kept), four_times(&stamp.fixed));
            let mut at = counters(number, block);
            let (steps, tail) = ids.as_chunks_mut::<BLOCKS>();
            let mut step = |ids: &mut [Uuid; BLOCKS], past: bool| {
                for (line, drawn) in drawn(&keys, &mut at).into_iter().enumerate() {
                    // (drawn AND kept) OR fixed.
                    let made = _mm512_ternarylogic_epi64::<0xEA>(drawn, kept, fixed);
                    // SAFETY: the ids of a step are `TOGETHER` lines.
                    unsafe { store(ids.as_mut_ptr().cast::<__m512i>().add(line), made, past) };
                }
            };
            for ids in steps {
                step(ids, PAST);
            }
            if !tail.is_empty() {
                let mut last = [Uuid::nil(); BLOCKS];
                step(&mut last, false);
                tail.copy_from_slice(&last[..tail.len()]);
            }
            if PAST {
                _mm_sfence();
            }
        }

        /// # Safety
        /// Where ids go past the caches they begin with a line.
        #[target_feature(enable = "aes,vaes,avx512f,avx512bw")]
        pub unsafe fn counted<const PAST: bool>(
            keys: &[__m128i; 11],
            number: u64,
            block: u64,
            count: Count,
            ids: &mut [Uuid],
        ) {
            let keys = keys.map(|key| _mm512_broadcast_i32x4(key));
            let mut at = counters(number, block);
            let kept = even_odd(0, ((1u64 << DRAWN_BITS) - 1).swap_bytes());
            let swap =
                _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
            // Words 0 to 3 and 4 to 7 of a register, each in an odd lane.
            let halves = [_mm512_set_epi64(3, 0, 2, 0, 1, 0, 0, 0), _mm512_set_epi64(7, 0, 6, 0, 5, 0, 4, 0)];
            let four = even_odd(0, 4 << DRAWN_BITS);
            let mut count = count;
            let (steps, tail) = ids.as_chunks_mut::<WORDS>();
            let mut step = |ids: &mut [Uuid; WORDS], past: bool| {
                let drawn = drawn(&keys, &mut at);
                let carries = count.carries_within(WORDS as u64);
                let mut numbers = undrawn(count);
                for line in 0..2 * TOGETHER {
                    if carries {
                        numbers = undrawn_across_a_carry(count.after(4 * line));
                    }
                    let bytes = _mm512_shuffle_epi8(numbers, swap);
                    let words = _mm512_permutexvar_epi64(halves[line % 2], drawn[line / 2]);
                    // (words AND kept) OR bytes.
                    let made = _mm512_ternarylogic_epi64::<0xEA>(words, kept, bytes);
                    // SAFETY: the ids of a step are twice `TOGETHER` lines.
                    unsafe { store(ids.as_mut_ptr().cast::<__m512i>().add(line), made, past) };
                    numbers = _mm512_add_epi64(numbers, four);
                }
                count = count.after(WORDS);
            };
            for ids in steps {
                step(ids, PAST);
            }
            if !tail.is_empty() {
                let mut last = [Uuid::nil(); WORDS];
                step(&mut last, false);
                tail.copy_from_slice(&last[..tail.len()]);
            }
            if PAST {
                _mm_sfence();
            }
        }

        /// Four ids from the first of a run on, with nothing drawn: the first eight bytes of each as a number in an
        /// even lane, the others in an odd one. The low bits of the counter do not carry within them.
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn undrawn(count: Count) -> __m512i {
            let (high, low) = count.undrawn(0);
            _mm512_add_epi64(
                even_odd(high, low),
                _mm512_set_epi64(3 << DRAWN_BITS, 0, 2 << DRAWN_BITS, 0, 1 << DRAWN_BITS, 0, 0, 0),
            )
        }

        /// The same where they may.
        #[cold]
        #[target_feature(enable = "avx512f")]
        fn undrawn_across_a_carry(count: Count) -> __m512i {
            let ids = [0, 1, 2, 3].map(|behind| {
                let (high, low) = count.undrawn(behind);
                (high.cast_signed(), low.cast_signed())
            });
            let [a, b, c, d] = ids;
            _mm512_set_epi64(d.1, d.0, c.1, c.0, b.1, b.0, a.1, a.0)
        }

        /// # Safety
        /// There is room for a register, at a multiple of its size where it goes past the caches.
        #[inline]
        #[target_feature(enable = "avx512f")]
        unsafe fn store(place: *mut __m512i, made: __m512i, past: bool) {
            // SAFETY: the caller's.
            unsafe {
                if past {
                    _mm512_stream_si512(place, made);
                } else {
                    _mm512_storeu_si512(place, made);
                }
            }
        }

        /// The blocks' numbers, four a register, low half in the odd lanes.
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn counters(number: u64, block: u64) -> __m512i {
            let first = even_odd(number, block);
            _mm512_add_epi64(first, _mm512_set_epi64(3, 0, 2, 0, 1, 0, 0, 0))
        }

        /// The next `BLOCKS` blocks of the stream.
        #[inline]
        #[target_feature(enable = "aes,vaes,avx512f,avx512bw")]
        fn drawn(keys: &[__m512i; 11], at: &mut __m512i) -> [__m512i; TOGETHER] {
            let swap =
                _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
            let step = _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0);
            let mut blocks = [_mm512_setzero_si512(); TOGETHER];
            for block in &mut blocks {
                *block = _mm512_xor_si512(_mm512_shuffle_epi8(*at, swap), keys[0]);
                *at = _mm512_add_epi64(*at, step);
            }
            for key in &keys[1..10] {
                for block in &mut blocks {
                    *block = _mm512_aesenc_epi128(*block, *key);
                }
            }
            for block in &mut blocks {
                *block = _mm512_aesenclast_epi128(*block, keys[10]);
            }
            blocks
        }

        /// One value in the even lanes, another in the odd.
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn even_odd(even: u64, odd: u64) -> __m512i {
            let (even, odd) = (even.cast_signed(), odd.cast_signed());
            _mm512_set_epi64(odd, even, odd, even, odd, even, odd, even)
        }

        /// Sixteen bytes, four times.
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn four_times(bytes: &[u8; 16]) -> __m512i {
            let (low, high) = bytes.split_at(8);
            let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("half of sixteen bytes"));
            even_odd(word(low), word(high))
        }
    }

    /// Two blocks an instruction.
    mod two {
        use super::*;

        /// Registers of a step.
        const TOGETHER: usize = BLOCKS / 2;

        /// # Safety
        /// Where ids go past the caches they begin with a line.
        #[target_feature(enable = "aes,vaes,avx2")]
        pub unsafe fn stamped<const PAST: bool>(
            keys: &[__m128i; 11],
            number: u64,
            block: u64,
            stamp: &Stamp,
            ids: &mut [Uuid],
        ) {
            let keys = keys.map(|key| _mm256_broadcastsi128_si256(key));
            let (kept, fixed) = (twice(&stamp.kept), twice(&stamp.fixed));
            let mut at = counters(number, block);
            let (steps, tail) = ids.as_chunks_mut::<BLOCKS>();
            let mut step = |ids: &mut [Uuid; BLOCKS], past: bool| {
                for (pair, drawn) in drawn(&keys, &mut at).into_iter().enumerate() {
                    let made = _mm256_or_si256(_mm256_and_si256(drawn, kept), fixed);
                    // SAFETY: the ids of a step are `TOGETHER` registers.
                    unsafe { store(ids.as_mut_ptr().cast::<__m256i>().add(pair), made, past) };
                }
            };
            for ids in steps {
                step(ids, PAST);
            }
            if !tail.is_empty() {
                let mut last = [Uuid::nil(); BLOCKS];
                step(&mut last, false);
                tail.copy_from_slice(&last[..tail.len()]);
            }
            if PAST {
                _mm_sfence();
            }
        }

        /// # Safety
        /// Where ids go past the caches they begin with a line.
        #[target_feature(enable = "aes,vaes,avx2")]
        pub unsafe fn counted<const PAST: bool>(
            keys: &[__m128i; 11],
            number: u64,
            block: u64,
            count: Count,
            ids: &mut [Uuid],
        ) {
            let keys = keys.map(|key| _mm256_broadcastsi128_si256(key));
            let mut at = counters(number, block);
            let kept = even_odd(0, ((1u64 << DRAWN_BITS) - 1).swap_bytes());
            let swap = _mm256_broadcastsi128_si256(_mm_set_epi8(
                8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
            ));
            let two = even_odd(0, 2 << DRAWN_BITS);
            let mut count = count;
            let (steps, tail) = ids.as_chunks_mut::<WORDS>();
            let mut step = |ids: &mut [Uuid; WORDS], past: bool| {
                let drawn = drawn(&keys, &mut at);
                let carries = count.carries_within(WORDS as u64);
                let mut numbers = undrawn(count);
                for pair in 0..2 * TOGETHER {
                    if carries {
                        numbers = undrawn_across_a_carry(count.after(2 * pair));
                    }
                    let bytes = _mm256_shuffle_epi8(numbers, swap);
                    // Words 0 and 1, or 2 and 3, of a register, each in an odd lane.
                    let words = match pair % 2 {
                        0 => _mm256_permute4x64_epi64::<0b01_00_00_00>(drawn[pair / 2]),
                        _ => _mm256_permute4x64_epi64::<0b11_00_10_00>(drawn[pair / 2]),
                    };
                    let made = _mm256_or_si256(_mm256_and_si256(words, kept), bytes);
                    // SAFETY: the ids of a step are twice `TOGETHER` registers.
                    unsafe { store(ids.as_mut_ptr().cast::<__m256i>().add(pair), made, past) };
                    numbers = _mm256_add_epi64(numbers, two);
                }
                count = count.after(WORDS);
            };
            for ids in steps {
                step(ids, PAST);
            }
            if !tail.is_empty() {
                let mut last = [Uuid::nil(); WORDS];
                step(&mut last, false);
                tail.copy_from_slice(&last[..tail.len()]);
            }
            if PAST {
                _mm_sfence();
            }
        }

        /// Two ids from the first of a run on, with nothing drawn: the first eight bytes of each as a number in an
        /// even lane, the others in an odd one. The low bits of the counter do not carry within them.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn undrawn(count: Count) -> __m256i {
            let (high, low) = count.undrawn(0);
            _mm256_add_epi64(even_odd(high, low), _mm256_set_epi64x(1 << DRAWN_BITS, 0, 0, 0))
        }

        /// The same where they may.
        #[cold]
        #[target_feature(enable = "avx2")]
        fn undrawn_across_a_carry(count: Count) -> __m256i {
            let ids = [0, 1].map(|behind| {
                let (high, low) = count.undrawn(behind);
                (high.cast_signed(), low.cast_signed())
            });
            let [a, b] = ids;
            _mm256_set_epi64x(b.1, b.0, a.1, a.0)
        }

        /// # Safety
        /// There is room for a register, at a multiple of its size where it goes past the caches.
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn store(place: *mut __m256i, made: __m256i, past: bool) {
            // SAFETY: the caller's.
            unsafe {
                if past {
                    _mm256_stream_si256(place, made);
                } else {
                    _mm256_storeu_si256(place, made);
                }
            }
        }

        /// The blocks' numbers, two a register, low half in the odd lanes.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn counters(number: u64, block: u64) -> __m256i {
            let first = even_odd(number, block);
            _mm256_add_epi64(first, _mm256_set_epi64x(1, 0, 0, 0))
        }

        /// The next `BLOCKS` blocks of the stream.
        #[inline]
        #[target_feature(enable = "aes,vaes,avx2")]
        fn drawn(keys: &[__m256i; 11], at: &mut __m256i) -> [__m256i; TOGETHER] {
            let swap = _mm256_broadcastsi128_si256(_mm_set_epi8(
                8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
            ));
            let step = _mm256_set_epi64x(2, 0, 2, 0);
            let mut blocks = [_mm256_setzero_si256(); TOGETHER];
            for block in &mut blocks {
                *block = _mm256_xor_si256(_mm256_shuffle_epi8(*at, swap), keys[0]);
                *at = _mm256_add_epi64(*at, step);
            }
            for key in &keys[1..10] {
                for block in &mut blocks {
                    *block = _mm256_aesenc_epi128(*block, *key);
                }
            }
            for block in &mut blocks {
                *block = _mm256_aesenclast_epi128(*block, keys[10]);
            }
            blocks
        }

        /// One value in the even lanes, another in the odd.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn even_odd(even: u64, odd: u64) -> __m256i {
            let (even, odd) = (even.cast_signed(), odd.cast_signed());
            _mm256_set_epi64x(odd, even, odd, even)
        }

        /// Sixteen bytes, twice.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn twice(bytes: &[u8; 16]) -> __m256i {
            let (low, high) = bytes.split_at(8);
            let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("half of sixteen bytes"));
            even_odd(word(low), word(high))
        }
    }
}
