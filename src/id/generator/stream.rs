//! Streams of random bytes: one for every pair of a seed and a number, entered at any block, the same on
//! every machine.
//!
//! Block b of stream s is, with AES, AES-128 of the big-endian number s·2^64 + b (counter mode, NIST SP
//! 800-38A §6.5) under the first 16 bytes of the seed; with ChaCha8, bytes 16·b to 16·b + 15 of the stream
//! that `rand_chacha` calls s under all 32 bytes. A stream has 2^64 blocks and then starts again.
//!
//! AES uses the processor's vector instructions where it has them; without them it is slower and gives the
//! same bytes.

use super::stamp::Stamp;
use super::vector::{PAST_CACHE_BYTES, Vector};
use ctr::cipher::{InnerIvInit, KeyInit, StreamCipher};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Bytes of a block.
pub const BLOCK: usize = 16;

/// What all streams of one run are made from.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// All bits of it, from the entropy of the operating system for instance.
    pub fn from_bytes(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }
}

impl From<u64> for Seed {
    /// A number that a person can repeat, spread to 32 bytes by SplitMix64 (Steele, Lea and Flood 2014), low
    /// bytes first. Two numbers never give one seed; whoever knows the number knows every id.
    fn from(number: u64) -> Seed {
        let mut state = number;
        let mut bytes = [0; 32];
        for word in bytes.as_chunks_mut::<8>().0 {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *word = (mixed ^ (mixed >> 31)).to_le_bytes();
        }
        Seed(bytes)
    }
}

impl std::fmt::Debug for Seed {
    /// Nothing of it: ids to come follow from it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// What makes the bytes of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cipher {
    /// AES-128 in counter mode.
    #[default]
    Aes,
    /// ChaCha with eight rounds.
    ChaCha8,
}

impl Cipher {
    /// The word for it in every verb.
    pub fn name(self) -> &'static str {
        match self {
            Cipher::Aes => "aes",
            Cipher::ChaCha8 => "chacha8",
        }
    }
}

/// One stream of random bytes.
#[derive(Debug, Clone)]
pub struct Stream {
    number: u64,
    made_by: Made,
}

#[derive(Debug, Clone)]
enum Made {
    Aes(Box<Aes>),
    ChaCha8(Box<ChaCha8Rng>),
}

/// AES by the library, and by vector instructions where this processor has them.
#[derive(Debug, Clone)]
struct Aes {
    cipher: aes::Aes128Enc,
    vector: Option<Vector>,
}

impl Aes {
    /// Bytes by the library.
    fn fill(&self, number: u64, block: u64, bytes: &mut [u8]) {
        if bytes.is_empty() {
            return;
        }
        let first = (u128::from(number) << 64) | u128::from(block);
        let cipher = self.cipher.clone();
        let core =
            ctr::CtrCore::<_, ctr::flavors::Ctr64BE>::inner_iv_init(cipher, &first.to_be_bytes().into());
        ctr::cipher::StreamCipherCoreWrapper::from_core(core).write_keystream(bytes);
    }
}

impl Stream {
    /// The stream of that number: threads, batches and generators of one run take one each.
    pub fn new(cipher: Cipher, seed: &Seed, number: u64) -> Stream {
        let made_by = match cipher {
            Cipher::Aes => {
                let (key, _) = seed.0.split_at(BLOCK);
                let key: &[u8; BLOCK] = key.try_into().expect("the first half of a seed is a key");
                let cipher = aes::Aes128Enc::new(key.into());
                Made::Aes(Box::new(Aes { cipher, vector: Vector::detect(key) }))
            }
            Cipher::ChaCha8 => {
                let mut stream = ChaCha8Rng::from_seed(seed.0);
                stream.set_stream(number);
                Made::ChaCha8(Box::new(stream))
            }
        };
        Stream { number, made_by }
    }

    /// Turns it into the stream of another number of the same seed: cheaper than a new one, which would have to set up its
    /// key.
    pub fn set_number(&mut self, number: u64) {
        self.number = number;
        if let Made::ChaCha8(stream) = &mut self.made_by {
            stream.set_stream(number);
        }
    }

    /// What makes its bytes.
    pub fn cipher(&self) -> Cipher {
        match self.made_by {
            Made::Aes(_) => Cipher::Aes,
            Made::ChaCha8(_) => Cipher::ChaCha8,
        }
    }

    /// The same stream by safe code alone: slower where the processor has vector AES, never different.
    #[must_use]
    pub fn without_vectors(mut self) -> Stream {
        if let Made::Aes(aes) = &mut self.made_by {
            aes.vector = None;
        }
        self
    }

    /// The same stream by the narrower vector instructions, where there are any.
    #[cfg(test)]
    pub(super) fn with_narrow_vectors(mut self) -> Option<Stream> {
        if let Made::Aes(aes) = &mut self.made_by {
            aes.vector = aes.vector.take().and_then(Vector::narrowed);
        }
        self.has_vectors().then_some(self)
    }

    /// Whether ids of this stream are made by vector instructions here.
    pub fn has_vectors(&self) -> bool {
        self.vector().is_some()
    }

    /// The vector instructions for this stream, with its number.
    pub(super) fn vector(&self) -> Option<(&Vector, u64)> {
        match &self.made_by {
            Made::Aes(aes) => aes.vector.as_ref().map(|vector| (vector, self.number)),
            Made::ChaCha8(_) => None,
        }
    }

    /// Its bytes from the start of a block on, as many as there is room for.
    pub fn fill(&self, block: u64, bytes: &mut [u8]) {
        match &self.made_by {
            Made::Aes(aes) => {
                let whole = if aes.vector.is_some() { bytes.len() - bytes.len() % BLOCK } else { 0 };
                let (blocks, rest) = bytes.split_at_mut(whole);
                if let Some(vector) = &aes.vector {
                    let past = blocks.len() >= PAST_CACHE_BYTES;
                    vector.stamp(self.number, block, &Stamp::NONE, bytemuck::cast_slice_mut(blocks), past);
                }
                let after = block.wrapping_add((whole / BLOCK) as u64);
                aes.fill(self.number, after, rest);
            }
            Made::ChaCha8(stream) => {
                let mut stream = stream.as_ref().clone();
                // The library would go on into blocks that have no number here.
                let left = ((1u128 << 64) - u128::from(block)) * BLOCK as u128;
                let left = usize::try_from(left).unwrap_or(usize::MAX);
                let (bytes, again) = bytes.split_at_mut(left.min(bytes.len()));
                stream.set_word_pos(u128::from(block) * 4);
                stream.fill_bytes(bytes);
                if !again.is_empty() {
                    stream.set_word_pos(0);
                    stream.fill_bytes(again);
                }
            }
        }
    }
}
