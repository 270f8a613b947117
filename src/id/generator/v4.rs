//! UUIDv4 (RFC 9562 §5.4): 122 bits of a stream under a version and a variant.
//!
//! Id i is block i of the stream with version 4 in the high half of byte 6 and variant 10 in the first two bits
//! of byte 8.

use super::stamp::{self, Stamp};
use super::{Generator, Stream};
use rayon::prelude::*;
use uuid::Uuid;

/// Ids that are made ahead for those who take one at a time: 4 KiB, a small part of a first-level cache.
const AHEAD: usize = 256;
/// Ids of a piece that one thread makes at a time.
const PIECE: usize = 1 << 15;

/// Version 4 and the variant of RFC 9562; all else is drawn.
const STAMP: Stamp = Stamp {
    kept: [255, 255, 255, 255, 255, 255, 0x0f, 255, 0x3f, 255, 255, 255, 255, 255, 255, 255],
    fixed: [0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0],
};

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
#[derive(Debug, Clone)]
pub struct V4 {
    stream: Stream,
    /// Number of the next id.
    next: u64,
    /// Ids made ahead, none before the first is asked for, and the number of the first.
    ahead: Vec<Uuid>,
    from: u64,
}

impl V4 {
    /// The ids of a stream, from its first block on.
    pub fn new(stream: Stream) -> V4 {
        V4 { stream, next: 0, ahead: Vec::new(), from: 0 }
    }
}

impl Generator for V4 {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        let place = self.next.wrapping_sub(self.from);
        let id = match usize::try_from(place).ok().and_then(|place| self.ahead.get(place)) {
            Some(id) => *id,
            None => self.make_ahead(),
        };
        self.next = self.next.wrapping_add(1);
        id
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        stamp::fill(&self.stream, self.next, &STAMP, ids);
        self.next = self.next.wrapping_add(ids.len() as u64);
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        let made = ids.len() as u64;
        let (stream, first) = (&self.stream, self.next);
        ids.par_chunks_mut(PIECE).enumerate().for_each(|(piece, ids)| {
            let from = first.wrapping_add((piece * PIECE) as u64);
            stamp::fill(stream, from, &STAMP, ids);
        });
        self.next = self.next.wrapping_add(made);
    }
}

impl V4 {
    /// Makes ids ahead, beginning with the next, which it returns.
    #[cold]
    fn make_ahead(&mut self) -> Uuid {
        self.ahead.resize(AHEAD, Uuid::nil());
        self.from = self.next;
        stamp::fill(&self.stream, self.from, &STAMP, &mut self.ahead);
        self.ahead[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::generator::{Cipher, Seed};

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        for cipher in [Cipher::Aes, Cipher::ChaCha8] {
            let stream = Stream::new(cipher, &Seed::from(9), 3);
            let mut whole = vec![Uuid::nil(); 3 * PIECE + 5];
            V4::new(stream.clone()).fill(&mut whole);
            let mut parallel = vec![Uuid::nil(); whole.len()];
            V4::new(stream.clone()).fill_parallel(&mut parallel);
            assert_eq!(whole, parallel);
            let mut mixed = V4::new(stream);
            let mut asked = Vec::new();
            for turn in 0..40 {
                let mut some = vec![Uuid::nil(); turn * 7 % 300];
                mixed.fill(&mut some);
                asked.extend(some);
                asked.extend((0..turn * 5 % 260).map(|_| mixed.next_id()));
            }
            assert_eq!(asked, whole[..asked.len()]);
        }
    }
}
