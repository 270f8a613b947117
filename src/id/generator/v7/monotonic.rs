//! UUIDv7 that rise strictly, however many are made in a millisecond and on however many threads.

use super::MS_NS;
use crate::id::clock::Clock;
use crate::id::generator::ahead::{Ahead, blocks};
use crate::id::generator::count::{self, COUNTER_BITS, Count, WORD, WORDS};
use crate::id::generator::stream::BLOCK;
use crate::id::generator::{Generator, Stream};
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// UUIDv7 with a counter of 30 bits behind the millisecond and 44 drawn bits behind the counter (RFC 9562 §6.2,
/// method 1).
///
/// Every millisecond the counter starts at 29 drawn bits, so that at least 2^29 ids fit into it: 537 times what
/// a billion a second needs. A generator takes 16,384 counters at a time and leaves what the millisecond did not
/// need. Where all were taken, or the clock stands still or is set back, the last millisecond goes on, and when its
/// counter is used up the next begins ahead of the clock.
///
/// The clock is read once a call. Ids of one generator rise strictly, and so do those of each of its
/// [siblings](V7Monotonic::sibling) on other threads; no two of them are equal. Two generators that are not siblings make
/// the same id only where millisecond, counter and drawn bits agree.
///
/// ```
/// use uuidcap::id::clock::Manual;
/// use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V7Monotonic};
///
/// let clock = Manual::at_ns(1_700_000_000_000_000_000);
/// let mut made = V7Monotonic::new(Stream::new(Cipher::Aes, &Seed::from(7), 0), &clock);
/// let mut ids = [uuid::Uuid::nil(); 1000];
/// made.fill(&mut ids);
/// clock.set_ns(1_600_000_000_000_000_000);
/// assert!(ids.is_sorted() && ids[999] < made.next_id());
/// ```
#[derive(Debug)]
pub struct V7Monotonic<C> {
    ticks: Arc<Mutex<Ticks>>,
    /// What was taken of them and not yet given out.
    held: Held,
    ahead: Ahead<BLOCK>,
    clock: C,
    /// The next word of the stream. Every id takes one; every start of a counter a block of its own, so that ids
    /// asked for in even numbers begin with a block, which lets them past the caches.
    word: u64,
}

/// Where the counter stands.
#[derive(Debug, Default)]
struct Ticks {
    /// The last millisecond; none before the first id.
    ms: Option<u64>,
    /// The counter of the next id in it.
    next: u64,
}

/// Counters that one generator takes at a time, 6 µs of bulk ids: fewer, and threads would wait for one another; more,
/// and a millisecond would not last for hundreds of threads.
const HELD: u64 = 1 << 14;

/// Counters of one millisecond that no sibling has.
#[derive(Debug, Default)]
struct Held {
    ms: u64,
    next: u64,
    left: u64,
}

impl<C: Clock> V7Monotonic<C> {
    /// The ids of a stream, from its first word on.
    pub fn new(stream: Stream, clock: C) -> V7Monotonic<C> {
        V7Monotonic {
            ticks: Arc::default(),
            held: Held::default(),
            ahead: Ahead::new(stream, blocks),
            clock,
            word: 0,
        }
    }

    /// A generator for another thread, on a stream of its own and on the same counter.
    #[must_use]
    pub fn sibling(&self, stream: Stream) -> V7Monotonic<C>
    where
        C: Clone,
    {
        let ticks = Arc::clone(&self.ticks);
        V7Monotonic {
            ticks,
            held: Held::default(),
            ahead: Ahead::new(stream, blocks),
            clock: self.clock.clone(),
            word: 0,
        }
    }

    /// Reserves counters for up to so many ids at that time, with the word of the first and how many they are.
    fn reserve(&mut self, now_ms: u64, wanted: usize) -> (Count, u64, usize) {
        if self.held.left == 0 || now_ms > self.held.ms {
            self.hold(now_ms, (wanted as u64).max(HELD));
        }
        let Held { ms, next: first, left } = self.held;
        let granted = wanted.min(usize::try_from(left).unwrap_or(usize::MAX));
        self.held.next += granted as u64;
        self.held.left -= granted as u64;
        let word = self.word;
        self.word = self.word.wrapping_add(granted as u64);
        (Count { ms, first }, word, granted)
    }

    /// Takes at least one counter and at most so many, all of one millisecond.
    fn hold(&mut self, now_ms: u64, most: u64) {
        // A thread that died holding the lock left whole numbers behind.
        let mut ticks = self.ticks.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = match ticks.ms {
            Some(last) if now_ms <= last && ticks.next < 1 << COUNTER_BITS => last,
            last => {
                let block = self.word.div_ceil(WORDS);
                let drawn = word(&mut self.ahead, block.wrapping_mul(WORDS));
                self.word = block.wrapping_add(1).wrapping_mul(WORDS);
                // One bit less than the counter has, as room to count.
                ticks.next = drawn >> (u64::BITS - COUNTER_BITS + 1);
                last.map_or(now_ms, |last| now_ms.max(last + 1))
            }
        };
        ticks.ms = Some(ms);
        let left = most.min((1 << COUNTER_BITS) - ticks.next);
        self.held = Held { ms, next: ticks.next, left };
        ticks.next += left;
    }

    /// Fills a buffer run by run.
    fn fill_by(&mut self, ids: &mut [Uuid], run: impl Fn(&Stream, u64, Count, &mut [Uuid])) {
        if ids.is_empty() {
            return;
        }
        let now_ms = self.clock.unix_ns() / MS_NS;
        let mut rest = ids;
        while !rest.is_empty() {
            let (count, word, granted) = self.reserve(now_ms, rest.len());
            let (ids, after) = rest.split_at_mut(granted);
            run(self.ahead.stream(), word, count, ids);
            rest = after;
        }
    }
}

#[cfg(test)]
impl<C> V7Monotonic<C> {
    /// Passes over so many counters of this millisecond.
    pub(super) fn skip(&mut self, ids: u64) {
        self.ticks.lock().expect("no thread died").next = self.held.next + ids;
        self.held = Held::default();
    }
}

/// One word of a stream as a big-endian number.
#[inline]
fn word(ahead: &mut Ahead<BLOCK>, word: u64) -> u64 {
    let block = ahead.piece(word / WORDS);
    let halves = block.as_chunks::<WORD>().0;
    u64::from_be_bytes(halves[usize::from(word % WORDS == 1)])
}

impl<C: Clock> Generator for V7Monotonic<C> {
    type Id = Uuid;

    fn next_id(&mut self) -> Uuid {
        let now_ms = self.clock.unix_ns() / MS_NS;
        let (count, place, _) = self.reserve(now_ms, 1);
        count.id(0, word(&mut self.ahead, place))
    }

    fn fill(&mut self, ids: &mut [Uuid]) {
        self.fill_by(ids, count::fill);
    }

    fn fill_parallel(&mut self, ids: &mut [Uuid]) {
        self.fill_by(ids, count::fill_parallel);
    }
}
