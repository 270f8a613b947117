//! Time, clock sequence and node of UUIDv1 and UUIDv6 (RFC 9562 §5.1, §5.6, §6.1, §6.2, §6.10).
//!
//! Place p is tick ⌊p / 2^14⌋ of 100 ns since 1582-10-15 00:00 UTC with clock sequence p mod 2^14. An id
//! takes the next place, or the first of the clock's tick where that lies further on. Places therefore rise
//! whatever the clock does: while it stands still or is set back the last tick goes on, and a tick whose
//! 16,384 places are used up is followed by the next, ahead of the clock, as §6.2 allows. 164 ids a
//! nanosecond would have to be made for that.
//!
//! Every tick begins with sequence 0. RFC 9562 draws the first one at random for the sake of ids that
//! another generator made with the same node, before a restart for instance; here no other has the node,
//! since every generator draws its own.

use super::Stream;
use super::place::{self, Run};
use crate::id::clock::Clock;
use uuid::Uuid;

/// Bits of the clock sequence.
const SEQUENCE_BITS: u32 = 14;
/// Clock sequences of a tick.
const SEQUENCES: u128 = 1 << SEQUENCE_BITS;
/// Bits of the node, below the clock sequence.
const NODE_BITS: u32 = 48;
/// The least significant bit of the node's first octet: set, as in no address of a network card (§6.10).
const MULTICAST: u64 = 1 << 40;
/// The two bits 10 above the clock sequence.
const VARIANT: u64 = 0b10 << 62;
/// Ticks from 1582-10-15 to 1970-01-01: 141,427 days of 864·10^9.
const UNIX_EPOCH: u64 = 141_427 * 864_000_000_000;

/// What a generator of version 1 or 6 is, all but the order of the bits of its time.
#[derive(Debug)]
pub(super) struct Gregorian<C> {
    clock: C,
    /// The low 48 bits.
    node: u64,
    /// The place of the next id, unless the clock is further.
    next: u128,
}

impl<C: Clock> Gregorian<C> {
    /// A node of the first 48 bits of a stream, multicast bit set: 47 bits are random.
    pub fn new(stream: &Stream, clock: C) -> Gregorian<C> {
        let mut drawn = [0; 8];
        stream.fill(0, &mut drawn);
        let node = u64::from_be_bytes(drawn) >> (u64::BITS - NODE_BITS) | MULTICAST;
        Gregorian { clock, node, next: 0 }
    }

    /// Takes so many places and returns the first; reads the clock once, and not for nothing.
    fn reserve(&mut self, ids: usize) -> u128 {
        if ids == 0 {
            return self.next;
        }
        let tick = self.clock.unix_ns() / 100 + UNIX_EPOCH;
        let first = self.next.max(u128::from(tick) << SEQUENCE_BITS);
        self.next = first + ids as u128;
        first
    }

    /// The next id; `high` orders a tick as the first 64 bits do.
    pub fn next_id(&mut self, high: fn(u64) -> u64) -> Uuid {
        let place = self.reserve(1);
        let Run { high, low, .. } = run(place, self.node, high);
        Uuid::from_u64_pair(high, low)
    }

    /// The next ids.
    pub fn fill(&mut self, high: fn(u64) -> u64, ids: &mut [Uuid]) {
        let (first, node) = (self.reserve(ids.len()), self.node);
        place::fill(first, |place| run(place, node, high), ids);
    }

    /// The next ids, on all threads of the current rayon pool.
    pub fn fill_parallel(&mut self, high: fn(u64) -> u64, ids: &mut [Uuid]) {
        let (first, node) = (self.reserve(ids.len()), self.node);
        place::fill_parallel(first, |place| run(place, node, high), ids);
    }
}

/// The ids from a place to the end of its tick.
fn run(place: u128, node: u64, high: fn(u64) -> u64) -> Run {
    // The clock's last tick, in 2554, is below 2^59, and 2^64 ids are fewer than 2^51 ticks: a tick has at
    // most 60 bits.
    let tick = (place >> SEQUENCE_BITS) as u64;
    let sequence = place % SEQUENCES;
    Run {
        high: high(tick),
        low: VARIANT | (sequence as u64) << NODE_BITS | node,
        step: 1 << NODE_BITS,
        ids: SEQUENCES - sequence,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::id::clock::Manual;
    use crate::id::generator::{Cipher, Generator, Seed};

    /// 2023-11-14 22:13:20.123456789 UTC.
    pub const NOW_NS: u64 = 1_700_000_000_123_456_789;

    pub fn stream() -> Stream {
        Stream::new(Cipher::Aes, &Seed::from(7), 3)
    }

    /// The state just before RFC 9562's own examples (appendix A.1 and A.5): 2022-02-22 14:22:22 GMT-05:00,
    /// clock sequence 0x33c8, node 9f:6b:de:ce:d8:46.
    pub fn before_the_example() -> Gregorian<Manual> {
        let (tick, sequence) = (0x1ec_9414_c232_ab00_u128, 0x33c8);
        let next = tick << SEQUENCE_BITS | sequence;
        Gregorian { clock: Manual::at_ns(1_645_557_742_000_000_000), node: 0x9f6b_dece_d846, next }
    }

    /// Tick, clock sequence and node, as the uuid crate reads them.
    pub fn read(id: &Uuid) -> (u64, u16, [u8; 6]) {
        let (tick, sequence) = id.get_timestamp().expect("versions 1 and 6 have a time").to_gregorian();
        (tick, sequence, id.get_node_id().expect("versions 1 and 6 have a node"))
    }

    /// A generator that goes through a clock standing still, set back and gone on, with ids asked for in
    /// batches of many sizes around 16,384, one at a time, and on all threads: 1.2·10^6 of them.
    pub fn through_a_clock_set_back<G: Generator<Id = Uuid>>(mut made: G, clock: &Manual) -> Vec<Uuid> {
        let mut ids = Vec::new();
        for (turn, size) in
            [1, 16_383, 16_384, 16_385, 100_000, 3, 0, 50_000].iter().cycle().take(48).enumerate()
        {
            // Forward by 100 ns, one second back, forward by less than a tick, not at all, …
            let shift_ns: i64 = [100, -1_000_000_000, 30, 0, 700_000_000][turn % 5];
            clock.set_ns(clock.unix_ns().saturating_add_signed(shift_ns));
            let mut some = vec![Uuid::nil(); *size];
            if turn % 2 == 0 {
                made.fill(&mut some)
            } else {
                made.fill_parallel(&mut some)
            };
            ids.extend(some);
            ids.extend((0..turn).map(|_| made.next_id()));
        }
        assert!(ids.len() > 1_000_000);
        ids
    }

    #[test]
    fn the_epoch_is_the_interval_of_rfc_9562() {
        // Appendix A.1: 0x01B21DD213814000.
        assert_eq!(UNIX_EPOCH, 0x01b2_1dd2_1381_4000);
    }

    #[test]
    fn the_example_has_the_tick_of_its_time() {
        let mut made = before_the_example();
        made.next = 0;
        assert_eq!(made.reserve(1), 0x1ec_9414_c232_ab00 << SEQUENCE_BITS);
    }

    #[test]
    fn a_clock_at_its_end_gives_a_tick_of_60_bits() {
        let mut made = before_the_example();
        made.clock.set_ns(u64::MAX);
        assert!(made.reserve(usize::MAX) >> SEQUENCE_BITS < 1 << 59);
        assert!(made.next >> SEQUENCE_BITS < 1 << 60);
    }

    #[test]
    fn a_node_is_drawn_and_says_that_it_is_no_card() {
        let nodes: std::collections::HashSet<u64> = (0..1000)
            .map(|number| {
                let stream = Stream::new(Cipher::ChaCha8, &Seed::from(1), number);
                Gregorian::new(&stream, Manual::default()).node
            })
            .collect();
        // 1,000 of 2^47 repeat with a probability below 10^-8.
        assert_eq!(nodes.len(), 1000);
        assert!(nodes.iter().all(|node| node >> 40 & 1 == 1 && *node < 1 << 48));
        // Each other bit is 1 in half of them: outside 400..=600 lies a share of 2·10^-10 for one bit, of
        // 10^-8 for any of 47.
        for bit in (0..48).filter(|bit| *bit != 40) {
            let ones = nodes.iter().filter(|node| *node >> bit & 1 == 1).count();
            assert!((400..=600).contains(&ones), "bit {bit} is 1 in {ones} of 1000");
        }
    }
}
