//! UUIDv1 (RFC 9562 §5.1): 60 bits of time in ticks of 100 ns, lowest first, 14 bits that count within a
//! tick, and a random node.
//!
//! Ids of one generator never repeat, whatever the clock does. They do not come in order: the low 32 bits of
//! the time stand first and start again every seven minutes.

use super::gregorian::Gregorian;
use super::{Generator, Stream};
use crate::id::clock::Clock;
use uuid::Uuid;

/// UUIDv1 from one clock, under a node drawn from one stream.
///
/// The clock is read once a call. While it stands still or is set back, ids go on from the last.
///
/// ```
/// use uuidcap::id::clock::Manual;
/// use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V1};
///
/// let stream = Stream::new(Cipher::Aes, &Seed::from(7), 0);
/// let mut made = V1::new(stream, Manual::at_ns(1_700_000_000_000_000_000));
/// assert_ne!(made.next_id(), made.next_id());
/// ```
#[derive(Debug)]
pub struct V1<C> {
    made_of: Gregorian<C>,
}

impl<C: Clock> V1<C> {
    /// A generator with a node of its own; no other may be made from the same stream.
    pub fn new(stream: Stream, clock: C) -> V1<C> {
        V1 { made_of: Gregorian::new(&stream, clock) }
    }
}

impl<C: Clock> Generator for V1<C> {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        self.made_of.next_id(high)
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        self.made_of.fill(high, ids);
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        self.made_of.fill_parallel(high, ids);
    }
}

/// time_low, time_mid, version 1 and time_high of a tick of 60 bits.
fn high(tick: u64) -> u64 {
    tick << 32 | (tick >> 32 & 0xffff) << 16 | 1 << 12 | tick >> 48
}

#[cfg(test)]
mod tests {
    use super::super::gregorian::tests::{
        NOW_NS, before_the_example, read, stream, through_a_clock_set_back,
    };
    use super::super::tests::same_however_asked_for;
    use super::*;
    use crate::id::clock::Manual;
    use std::collections::HashSet;

    #[test]
    fn the_example_of_rfc_9562_comes_out() {
        let mut made = V1 { made_of: before_the_example() };
        // Appendix A.1.
        assert_eq!(made.next_id().to_string(), "c232ab00-9414-11ec-b3c8-9f6bdeced846");
    }

    #[test]
    fn ids_are_those_of_another_implementation() {
        // By Python's uuid.UUID(fields=…), the node from AES-128 of pyca/cryptography.
        let mut ids = vec![Uuid::nil(); 40_001];
        V1::new(stream(), Manual::at_ns(NOW_NS)).fill(&mut ids);
        assert_eq!(ids[0].to_string(), "04c29687-833b-11ee-8000-4bce3ad29577");
        assert_eq!(ids[16_383].to_string(), "04c29687-833b-11ee-bfff-4bce3ad29577");
        assert_eq!(ids[16_384].to_string(), "04c29688-833b-11ee-8000-4bce3ad29577");
        assert_eq!(ids[40_000].to_string(), "04c29689-833b-11ee-9c40-4bce3ad29577");
    }

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        same_however_asked_for(|| V1::new(stream(), Manual::at_ns(NOW_NS)));
    }

    #[test]
    fn a_clock_set_back_repeats_nothing_and_tick_and_sequence_rise() {
        let clock = Manual::at_ns(NOW_NS);
        let ids = through_a_clock_set_back(V1::new(stream(), &clock), &clock);
        assert!(ids.iter().map(read).is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1) && a.2 == b.2));
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        assert!(ids.iter().all(|id| id.get_version_num() == 1));
        assert!(ids.iter().all(|id| id.get_variant() == uuid::Variant::RFC4122));
    }
}
