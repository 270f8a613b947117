//! UUIDv6 (RFC 9562 §5.6): the fields of UUIDv1 with the highest bits of the time first, so that ids sort by it.
//!
//! Ids of one generator rise strictly, whatever the clock does. RFC 9562 asks for a clock sequence and node
//! drawn anew for every id, and allows those of version 1, which are taken here: they are what keeps order
//! within a tick.

use super::gregorian::Gregorian;
use super::{Generator, Stream};
use crate::id::clock::Clock;
use uuid::Uuid;

/// UUIDv6 from one clock, under a node drawn from one stream.
///
/// The clock is read once a call. While it stands still or is set back, ids go on from the last.
///
/// ```
/// use uuidcap::id::clock::Manual;
/// use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V6};
///
/// let stream = Stream::new(Cipher::Aes, &Seed::from(7), 0);
/// let mut made = V6::new(stream, Manual::at_ns(1_700_000_000_000_000_000));
/// assert!(made.next_id() < made.next_id());
/// ```
#[derive(Debug)]
pub struct V6<C> {
    made_of: Gregorian<C>,
}

impl<C: Clock> V6<C> {
    /// A generator with a node of its own; no other may be made from the same stream.
    pub fn new(stream: Stream, clock: C) -> V6<C> {
        V6 { made_of: Gregorian::new(&stream, clock) }
    }
}

impl<C: Clock> Generator for V6<C> {
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

/// time_high, time_mid, version 6 and time_low of a tick of 60 bits.
fn high(tick: u64) -> u64 {
    tick >> 12 << 16 | 6 << 12 | tick & 0x0fff
}

#[cfg(test)]
mod tests {
    use super::super::gregorian::tests::{
        NOW_NS, before_the_example, read, stream, through_a_clock_set_back,
    };
    use super::super::tests::same_however_asked_for;
    use super::*;
    use crate::id::clock::Manual;

    #[test]
    fn the_example_of_rfc_9562_comes_out() {
        let mut made = V6 { made_of: before_the_example() };
        // Appendix A.5.
        assert_eq!(made.next_id().to_string(), "1ec9414c-232a-6b00-b3c8-9f6bdeced846");
    }

    #[test]
    fn ids_are_those_of_another_implementation() {
        // By Python's uuid.UUID(int=…), the node from AES-128 of pyca/cryptography.
        let mut ids = vec![Uuid::nil(); 40_001];
        V6::new(stream(), Manual::at_ns(NOW_NS)).fill(&mut ids);
        assert_eq!(ids[0].to_string(), "1ee833b0-4c29-6687-8000-4bce3ad29577");
        assert_eq!(ids[16_383].to_string(), "1ee833b0-4c29-6687-bfff-4bce3ad29577");
        assert_eq!(ids[16_384].to_string(), "1ee833b0-4c29-6688-8000-4bce3ad29577");
        assert_eq!(ids[40_000].to_string(), "1ee833b0-4c29-6689-9c40-4bce3ad29577");
    }

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        same_however_asked_for(|| V6::new(stream(), Manual::at_ns(NOW_NS)));
    }

    #[test]
    fn a_clock_set_back_keeps_order() {
        let clock = Manual::at_ns(NOW_NS);
        let ids = through_a_clock_set_back(V6::new(stream(), &clock), &clock);
        assert!(ids.is_sorted_by(|a, b| a < b));
        assert!(ids.iter().map(read).is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1) && a.2 == b.2));
        assert!(ids.iter().all(|id| id.get_version_num() == 6));
        assert!(ids.iter().all(|id| id.get_variant() == uuid::Variant::RFC4122));
    }
}
