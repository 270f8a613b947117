//! Laws of generators that hold whatever the clock does and however ids are asked for.

use proptest::prelude::*;
use uuid::Uuid;
use uuidcap::id::clock::{Clock, Manual};
use uuidcap::id::generator::snowflake::TWITTER_EPOCH_UNIX_MS;
use uuidcap::id::generator::{Cipher, Generator, NanoId, Seed, Snowflake, Stream, Ulid, V1, V6};

/// 2023-11-14 22:13:20 UTC.
const NOW_NS: u64 = 1_700_000_000_000_000_000;

/// What happens to a generator and its clock.
#[derive(Debug, Clone)]
enum Step {
    /// The clock goes on, or is set back where it is negative.
    Clock { ns: i64 },
    /// One id is asked for.
    Next,
    /// So many are asked for at once.
    Fill(usize),
}

/// Shifts of a part of a tick, of some milliseconds, of hours; batches below and above the 4,096 ids of a
/// millisecond of Snowflake and the 16,384 of a tick of UUIDv1.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let shift =
        prop_oneof![-300i64..300, -5_000_000i64..5_000_000, -10_000_000_000_000i64..10_000_000_000_000];
    let batch = prop_oneof![0usize..4, 0usize..500, 4000usize..4200, 16_300usize..40_000];
    let step =
        prop_oneof![shift.prop_map(|ns| Step::Clock { ns }), Just(Step::Next), batch.prop_map(Step::Fill)];
    prop::collection::vec(step, 1..30)
}

/// How a batch is asked for.
#[derive(Clone, Copy)]
enum By {
    Fill,
    Parallel,
    One,
}

/// The ids of a generator that goes through these steps.
fn ids<G: Generator>(mut made: G, clock: &Manual, steps: &[Step], blank: G::Id, by: By) -> Vec<G::Id> {
    let mut ids = Vec::new();
    for step in steps {
        match *step {
            Step::Clock { ns } => clock.set_ns(clock.unix_ns().saturating_add_signed(ns)),
            Step::Next => ids.push(made.next_id()),
            Step::Fill(size) => {
                let mut some = vec![blank; size];
                match by {
                    By::Fill => made.fill(&mut some),
                    By::Parallel => made.fill_parallel(&mut some),
                    By::One => some.fill_with(|| made.next_id()),
                }
                ids.extend(some);
            }
        }
    }
    ids
}

/// The ids, and that they do not depend on how batches were asked for. The clock stands still within a batch,
/// but where a generator waits.
fn ids_asked_in_every_way<G: Generator>(
    new: impl Fn(std::sync::Arc<Manual>) -> G,
    steps: &[Step],
    blank: G::Id,
) -> Vec<G::Id>
where
    G::Id: PartialEq,
{
    let [fill, parallel, one] = [By::Fill, By::Parallel, By::One].map(|by| {
        let clock = std::sync::Arc::new(Manual::at_ns(NOW_NS));
        ids(new(clock.clone()), &clock, steps, blank, by)
    });
    assert!(fill == parallel, "a batch made on all threads differs");
    assert!(fill == one, "ids one by one differ");
    fill
}

fn stream(number: u64) -> Stream {
    let cipher = if number.is_multiple_of(2) { Cipher::Aes } else { Cipher::ChaCha8 };
    Stream::new(cipher, &Seed::from(11), number)
}

/// How many differ.
fn distinct<T: Ord>(mut ids: Vec<T>) -> usize {
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn v1_never_repeats(steps in steps(), number: u64) {
        let ids = ids_asked_in_every_way(|clock| V1::new(stream(number), clock), &steps, Uuid::nil());
        prop_assert!(ids.iter().all(|id| id.get_version_num() == 1 && id.get_variant() == uuid::Variant::RFC4122));
        prop_assert_eq!(distinct(ids.clone()), ids.len());
    }

    #[test]
    fn v6_rises_strictly(steps in steps(), number: u64) {
        let ids = ids_asked_in_every_way(|clock| V6::new(stream(number), clock), &steps, Uuid::nil());
        prop_assert!(ids.iter().all(|id| id.get_version_num() == 6 && id.get_variant() == uuid::Variant::RFC4122));
        prop_assert!(ids.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn ulid_rises_strictly(steps in steps(), number: u64) {
        let ids = ids_asked_in_every_way(|clock| Ulid::new(stream(number), clock), &steps, Uuid::nil());
        prop_assert!(ids.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn snowflake_rises_strictly(steps in steps(), worker in 0u16..1024) {
        let new = |clock| Snowflake::new(clock, TWITTER_EPOCH_UNIX_MS, worker).expect("a worker below 1024");
        let ids = ids_asked_in_every_way(new, &steps, 0);
        prop_assert!(ids.iter().all(|id| id >> 12 & 1023 == u64::from(worker) && id >> 63 == 0));
        prop_assert!(ids.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn nanoid_never_repeats(steps in steps(), number: u64) {
        let ids = ids_asked_in_every_way(|_| NanoId::new(stream(number)), &steps, [0; 21]);
        prop_assert_eq!(distinct(ids.clone()), ids.len());
    }
}
