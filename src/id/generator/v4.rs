//! UUIDv4 (RFC 9562 §5.4): 122 bits of a stream under a version and a variant.
//!
//! Id i is block i of the stream with version 4 in the high half of byte 6 and variant 10 in the first two bits
//! of byte 8.

use super::ahead::{Ahead, blocks};
use super::stamp::{self, Stamp};
use super::stream::BLOCK;
use super::{Generator, Stream};
use uuid::Uuid;

/// Version 4 and the variant of RFC 9562; the other 122 bits are drawn.
const STAMP: Stamp = Stamp::new(0x4 << 76 | 0b10 << 62, !(0xf << 76 | 0b11 << 62));

/// UUIDv4 from one stream.
///
/// ```
/// use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V4};
///
/// let mut made = V4::new(Stream::new(Cipher::Aes, &Seed::from(7), 0));
/// let first = made.next_id();
/// let mut more = [uuid::Uuid::nil(); 1000];
/// made.fill(&mut more);
/// assert_eq!((first.get_version_num(), more[999].get_version_num()), (4, 4));
/// ```
#[derive(Debug)]
pub struct V4 {
    ahead: Ahead<BLOCK>,
    /// Number of the next id.
    next: u64,
}

impl V4 {
    /// The ids of a stream, from its first block on.
    pub fn new(stream: Stream) -> V4 {
        V4 { ahead: Ahead::new(stream, blocks), next: 0 }
    }

    /// The block of the next id, of so many.
    fn take(&mut self, ids: usize) -> u64 {
        let block = self.next;
        self.next = self.next.wrapping_add(ids as u64);
        block
    }
}

impl Generator for V4 {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        let block = self.take(1);
        STAMP.on(self.ahead.piece(block))
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        let block = self.take(ids.len());
        stamp::fill(self.ahead.stream(), block, &STAMP, ids);
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        let block = self.take(ids.len());
        stamp::fill_parallel(self.ahead.stream(), block, &STAMP, ids);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::same_however_asked_for;
    use super::*;
    use crate::id::generator::{Cipher, Seed};

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        for cipher in [Cipher::Aes, Cipher::ChaCha8] {
            same_however_asked_for(|| V4::new(Stream::new(cipher, &Seed::from(9), 3)));
        }
    }
}
