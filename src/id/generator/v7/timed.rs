//! UUIDv7 that differ by chance alone within a tick of the clock.

use super::MS_NS;
use crate::id::clock::Clock;
use crate::id::generator::ahead::{Ahead, blocks};
use crate::id::generator::stamp::{self, Stamp};
use crate::id::generator::stream::BLOCK;
use crate::id::generator::vector::PAST_CACHE_BYTES;
use crate::id::generator::{Generator, Stream};
use uuid::Uuid;

/// UUIDv7 with 74 drawn bits behind the millisecond: ids of one millisecond come in no order.
///
/// Id i takes its bits from block i of the stream. The clock is read once a call, and in bulk again every 16,384 ids
/// (`fill_parallel`: 262,144), so that a long call does not crowd one tick; where it is set back, the last
/// millisecond goes on.
#[derive(Debug)]
pub struct V7<C>(Timed<C>);

/// UUIDv7 with the time to 1/4096 of a millisecond, 244 ns, and 62 drawn bits (RFC 9562 §6.2, method 3): ids of
/// one such part come in no order.
///
/// Id i takes its bits from block i of the stream. The clock is read as for [`V7`]; where it is set back, the last part
/// goes on. Chance alone keeps the ids of a part from one another, and 62 bits are few: above some millions of ids a
/// second take [`V7Monotonic`](super::V7Monotonic).
#[derive(Debug)]
pub struct V7SubMillisecond<C>(Timed<C>);

impl<C: Clock> V7<C> {
    /// The ids of a stream, from its first block on.
    pub fn new(stream: Stream, clock: C) -> V7<C> {
        V7(Timed {
            ahead: Ahead::new(stream, blocks),
            clock,
            next: 0,
            last: 0,
            stamp: of_millisecond,
            tick: milliseconds,
        })
    }
}

impl<C: Clock> V7SubMillisecond<C> {
    /// The ids of a stream, from its first block on.
    pub fn new(stream: Stream, clock: C) -> V7SubMillisecond<C> {
        V7SubMillisecond(Timed {
            ahead: Ahead::new(stream, blocks),
            clock,
            next: 0,
            last: 0,
            stamp: of_part,
            tick: parts,
        })
    }
}

/// Parts of a millisecond that twelve bits tell apart.
const PARTS: u64 = 1 << 12;

/// Ids that are made with one reading of the clock, 5 µs of bulk ids: a reading costs a 250th of them, and the more there
/// are in one tick, the likelier are two equal.
const A_READING: usize = 1 << 14;
/// The same where all threads make them.
const A_READING_OF_ALL: usize = 1 << 18;

fn milliseconds(ns: u64) -> u64 {
    ns / MS_NS
}

/// Whole parts of 1/4096 ms; below 2^57 for every clock.
fn parts(ns: u64) -> u64 {
    (ns / MS_NS) * PARTS + (ns % MS_NS) * PARTS / MS_NS
}

/// Time, version and variant; 12 + 62 bits are drawn.
fn of_millisecond(ms: u64) -> Stamp {
    Stamp::new((u128::from(ms) << 80) | TEMPLATE, DRAWN | (PARTS as u128 - 1) << 64)
}

/// The same with the part in the 12 bits behind the version.
fn of_part(part: u64) -> Stamp {
    let (ms, part) = (part / PARTS, part % PARTS);
    Stamp::new((u128::from(ms) << 80) | (u128::from(part) << 64) | TEMPLATE, DRAWN)
}

/// Version 7 and the variant of RFC 9562.
const TEMPLATE: u128 = 0x7 << 76 | 0b10 << 62;
/// The 62 bits behind the variant.
const DRAWN: u128 = (1 << 62) - 1;

/// What both have in common: the time of a call over blocks of a stream.
#[derive(Debug)]
struct Timed<C> {
    ahead: Ahead<BLOCK>,
    clock: C,
    /// Block of the next id.
    next: u64,
    /// The last tick.
    last: u64,
    tick: fn(u64) -> u64,
    stamp: fn(u64) -> Stamp,
}

impl<C: Clock> Timed<C> {
    /// The stamp of a call, and the blocks that it takes.
    fn take(&mut self, ids: usize) -> (Stamp, u64) {
        self.last = self.last.max((self.tick)(self.clock.unix_ns()));
        let block = self.next;
        self.next = self.next.wrapping_add(ids as u64);
        ((self.stamp)(self.last), block)
    }

    fn next_id(&mut self) -> Uuid {
        let (stamp, block) = self.take(1);
        stamp.on(self.ahead.piece(block))
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        let past = size_of_val(ids) >= PAST_CACHE_BYTES;
        for ids in ids.chunks_mut(A_READING) {
            let (stamp, block) = self.take(ids.len());
            stamp::fill_past(self.ahead.stream(), block, &stamp, ids, past);
        }
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        let past = size_of_val(ids) >= PAST_CACHE_BYTES;
        for ids in ids.chunks_mut(A_READING_OF_ALL) {
            let (stamp, block) = self.take(ids.len());
            stamp::fill_parallel_past(self.ahead.stream(), block, &stamp, ids, past);
        }
    }
}

impl<C: Clock> Generator for V7<C> {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        self.0.next_id()
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        self.0.fill(ids);
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        self.0.fill_parallel(ids);
    }
}

impl<C: Clock> Generator for V7SubMillisecond<C> {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        self.0.next_id()
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        self.0.fill(ids);
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        self.0.fill_parallel(ids);
    }
}
