//! ULID, monotonic as its specification has it: 48 bits of milliseconds, then 80 bits that are drawn for the
//! first id of a millisecond and count up by one for the others.
//!
//! Ids of one generator rise strictly. While the clock stands still or is set back, the last millisecond goes
//! on. Where the 80 bits are used up, the specification has the generator fail; here the millisecond goes on
//! by one, ahead of the clock, and 80 bits are drawn anew. All 80 are drawn, as the specification says, so
//! that a millisecond of n ids meets this with probability below n / 2^80.
//!
//! An id is 16 bytes, as a UUID is, but version and variant are not set: those bits are time and chance. The
//! text form is base32.
//!
//! Source: ulid/spec, README, Monotonicity.

use super::place::{self, Run};
use super::stream::BLOCK;
use super::{Generator, Stream};
use crate::id::clock::Clock;
use uuid::Uuid;

/// Bits that are drawn and then count.
const DRAWN_BITS: u32 = 80;
/// All of them.
const DRAWN: u128 = (1 << DRAWN_BITS) - 1;

/// ULIDs from one stream and one clock.
///
/// The clock is read once a call; the n-th draw is the first 10 bytes of block n of the stream.
///
/// ```
/// use uuidcap::id::clock::Manual;
/// use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, Ulid};
///
/// let stream = Stream::new(Cipher::Aes, &Seed::from(7), 0);
/// let mut made = Ulid::new(stream, Manual::at_ns(1_700_000_000_000_000_000));
/// let first = made.next_id();
/// assert_eq!(first.as_u128() >> 80, 1_700_000_000_000);
/// assert_eq!(made.next_id().as_u128(), first.as_u128() + 1);
/// ```
#[derive(Debug)]
pub struct Ulid<C> {
    stream: Stream,
    clock: C,
    /// The block of the next draw.
    block: u64,
    /// One more than the last id, as a number: the next, unless the clock is further or the 80 bits of the
    /// last were all 1. Then, as before the first id, the low 80 bits are 0 and are to be drawn.
    next: u128,
}

impl<C: Clock> Ulid<C> {
    /// A generator that draws from a stream, from its first block on.
    pub fn new(stream: Stream, clock: C) -> Ulid<C> {
        Ulid { stream, clock, block: 0, next: 0 }
    }

    /// The clock's milliseconds since 1970, which have 45 bits at most.
    fn now_ms(&self) -> u128 {
        u128::from(self.clock.unix_ns() / 1_000_000)
    }

    /// Takes so many consecutive ids, or as many as the 80 bits have room for; at least one.
    fn reserve(&mut self, now_ms: u128, ids: usize) -> (u128, usize) {
        let ms = self.next >> DRAWN_BITS;
        if now_ms > ms || self.next & DRAWN == 0 {
            self.next = now_ms.max(ms) << DRAWN_BITS | self.draw();
        }
        let first = self.next;
        let room = DRAWN - (first & DRAWN) + 1;
        let length = usize::try_from(room).map_or(ids, |room| room.min(ids));
        self.next = first + length as u128;
        (first, length)
    }

    #[cold]
    fn draw(&mut self) -> u128 {
        let mut drawn = [0; BLOCK];
        self.stream.fill(self.block, &mut drawn);
        self.block = self.block.wrapping_add(1);
        u128::from_be_bytes(drawn) >> (u128::BITS - DRAWN_BITS)
    }

    /// Fills with consecutive ids for as long as there are some, then with the next.
    fn fill_by(&mut self, mut ids: &mut [Uuid], consecutive: fn(u128, &mut [Uuid])) {
        let now_ms = self.now_ms();
        while !ids.is_empty() {
            let (first, length) = self.reserve(now_ms, ids.len());
            let (now, later) = ids.split_at_mut(length);
            consecutive(first, now);
            ids = later;
        }
    }
}

impl<C: Clock> Generator for Ulid<C> {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        let now_ms = self.now_ms();
        Uuid::from_u128(self.reserve(now_ms, 1).0)
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        self.fill_by(ids, |first, ids| place::fill(first, run, ids));
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        self.fill_by(ids, |first, ids| place::fill_parallel(first, run, ids));
    }
}

/// The ids from a number on, until its low 64 bits start again.
fn run(number: u128) -> Run {
    let low = number as u64;
    Run { high: (number >> 64) as u64, low, step: 1, ids: (1 << 64) - u128::from(low) }
}

#[cfg(test)]
mod tests {
    use super::super::gregorian::tests::{NOW_NS, stream, through_a_clock_set_back};
    use super::super::tests::same_however_asked_for;
    use super::*;
    use crate::id::clock::Manual;

    const NOW_MS: u128 = (NOW_NS / 1_000_000) as u128;

    fn new() -> Ulid<Manual> {
        Ulid::new(stream(), Manual::at_ns(NOW_NS))
    }

    /// A generator whose last id of the clock's millisecond leaves room for so many.
    fn with_room_for(ids: u128) -> Ulid<Manual> {
        Ulid { block: 1, next: ((NOW_MS + 1) << DRAWN_BITS) - ids, ..new() }
    }

    #[test]
    fn ids_are_those_of_another_implementation() {
        // By Python's integers, the draw from AES-128 of pyca/cryptography.
        let mut ids = [Uuid::nil(); 1000];
        new().fill(&mut ids);
        assert_eq!(ids[0].to_string(), "018bcfe5-687b-4ace-3ad2-95771682809b");
        assert_eq!(ids[999].to_string(), "018bcfe5-687b-4ace-3ad2-957716828482");
    }

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        let wrapping = || Ulid { next: (NOW_MS << DRAWN_BITS) + (5 << 64) - 40_000, ..new() };
        for new in [new, wrapping, || with_room_for(70_000)] {
            same_however_asked_for(new);
        }
    }

    #[test]
    fn eighty_bits_used_up_are_drawn_anew_in_the_next_millisecond() {
        let mut made = with_room_for(2);
        let ids: Vec<String> = (0..3).map(|_| made.next_id().to_string()).collect();
        // The second draw as above.
        let expected = [
            "018bcfe5-687b-ffff-ffff-fffffffffffe",
            "018bcfe5-687b-ffff-ffff-ffffffffffff",
            "018bcfe5-687c-5e7c-5d76-76dbb2bdc96c",
        ];
        assert_eq!(ids, expected);
    }

    #[test]
    fn each_millisecond_of_the_clock_is_drawn_for_once() {
        let mut made = new();
        let first = made.next_id().as_u128();
        made.clock.set_ns(NOW_NS + 1_000_000);
        let second = made.next_id().as_u128();
        assert_eq!((second >> DRAWN_BITS) - (first >> DRAWN_BITS), 1);
        assert_ne!(second & DRAWN, (first & DRAWN) + 1);
        made.clock.set_ns(NOW_NS);
        assert_eq!(made.next_id().as_u128(), second + 1);
        assert_eq!(made.block, 2);
    }

    #[test]
    fn a_clock_at_1970_or_at_its_end_is_taken_as_it_is() {
        for ns in [0, u64::MAX] {
            let id = Ulid::new(stream(), Manual::at_ns(ns)).next_id();
            assert_eq!(id.as_u128() >> DRAWN_BITS, u128::from(ns / 1_000_000));
        }
    }

    #[test]
    fn a_clock_set_back_keeps_order() {
        let clock = Manual::at_ns(NOW_NS);
        let ids = through_a_clock_set_back(Ulid::new(stream(), &clock), &clock);
        assert!(ids.is_sorted_by(|a, b| a < b));
    }
}
