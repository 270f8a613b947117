//! Snowflake: 41 bits of milliseconds since an epoch, 10 bits of a worker, 12 bits that count from 0 in every
//! millisecond.
//!
//! A millisecond has 4,096 ids. When they are used up the generator waits until the clock shows another
//! millisecond, whichever it is, and goes on in that one or in the one after its last, the later of the two.
//! While the clock is behind, after it was set back, the last millisecond goes on and is followed in the same
//! way. So ids rise strictly and are unique among those of one worker number, as long as one generator has
//! it, and no more than 4,096 of them are made for every millisecond that the clock shows.
//!
//! The end: 2^41 ms are 69.7 years. A generator is not made with a clock that has passed it. A clock that
//! passes it later is taken to stand at the last millisecond, as one before the epoch is taken to stand at
//! the epoch: ids go on, by one millisecond for every 4,096. After the end they have bit 63 set, which a
//! signed column takes for negative; they still rise, as unsigned numbers, and nothing wraps: 2^53 ids, with
//! as many waits as 69.7 years have milliseconds, lie beyond.
//!
//! Source: twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala, which refuses to make ids while the
//! clock is behind.

use super::Generator;
use crate::error::{Error, Result};
use crate::id::clock::Clock;

/// 2010-11-04 01:42:54.657 UTC in milliseconds of Unix time: the epoch that Twitter chose.
pub const TWITTER_EPOCH_UNIX_MS: u64 = 1_288_834_974_657;

/// Bits of the sequence.
const SEQUENCE_BITS: u32 = 12;
/// Ids of a millisecond.
const SEQUENCES: u64 = 1 << SEQUENCE_BITS;
/// Worker numbers.
const WORKERS: u64 = 1 << 10;
/// Bits below the time: worker and sequence.
const BELOW_TIME_BITS: u32 = SEQUENCE_BITS + 10;
/// The last millisecond of 41 bits.
const LAST_MS: u64 = (1 << 41) - 1;

/// Snowflake ids of one worker.
///
/// `fill` reads the clock at its start and when 4,096 ids are used up. It is no faster on more threads, since
/// what bounds it is the clock. With a clock that never goes on it waits for ever.
///
/// ```
/// use uuidcap::id::clock::Manual;
/// use uuidcap::id::generator::{Generator, Snowflake};
/// use uuidcap::id::generator::snowflake::TWITTER_EPOCH_UNIX_MS;
///
/// let clock = Manual::at_ns((TWITTER_EPOCH_UNIX_MS + 5) * 1_000_000);
/// let mut made = Snowflake::new(clock, TWITTER_EPOCH_UNIX_MS, 9)?;
/// assert_eq!(made.next_id(), 5 << 22 | 9 << 12);
/// assert_eq!(made.next_id(), 5 << 22 | 9 << 12 | 1);
/// # Ok::<(), uuidcap::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Snowflake<C> {
    clock: C,
    epoch_unix_ms: u64,
    worker: u64,
    /// Milliseconds from the epoch to the last id.
    ms: u64,
    /// How many ids of that millisecond were made.
    used: u64,
    /// What the clock showed when that millisecond was begun.
    began_unix_ms: u64,
}

impl<C: Clock> Snowflake<C> {
    /// The ids of a worker, 0 to 1023, with times counted from an epoch.
    ///
    /// # Errors
    ///
    /// A worker number above 1023, or an epoch that lies 2^41 ms or more before the clock.
    pub fn new(clock: C, epoch_unix_ms: u64, worker: u16) -> Result<Snowflake<C>> {
        let worker = u64::from(worker);
        if worker >= WORKERS {
            return Err(Error::value("worker", &worker.to_string(), "from 0 to 1023", "1"));
        }
        let began_unix_ms = unix_ms(&clock);
        if began_unix_ms.saturating_sub(epoch_unix_ms) > LAST_MS {
            let allowed = "less than 2^41 ms (69.7 years) before the clock";
            let example = TWITTER_EPOCH_UNIX_MS.to_string();
            return Err(Error::value("epoch", &epoch_unix_ms.to_string(), allowed, &example));
        }
        Ok(Snowflake { clock, epoch_unix_ms, worker, ms: 0, used: 0, began_unix_ms })
    }

    /// Takes so many consecutive ids, or as many as the millisecond has left; at least one. Returns the
    /// first, and waits for it if need be.
    fn reserve(&mut self, ids: usize) -> (u64, usize) {
        let now_unix_ms = unix_ms(&self.clock);
        let now_ms = self.since_epoch(now_unix_ms);
        if now_ms > self.ms {
            (self.ms, self.used, self.began_unix_ms) = (now_ms, 0, now_unix_ms);
        } else if self.used == SEQUENCES {
            let now_unix_ms = self.wait(now_unix_ms);
            let next_ms = self.since_epoch(now_unix_ms).max(self.ms + 1);
            (self.ms, self.used, self.began_unix_ms) = (next_ms, 0, now_unix_ms);
        }
        let first = self.ms << BELOW_TIME_BITS | self.worker << SEQUENCE_BITS | self.used;
        let left = SEQUENCES - self.used;
        let length = usize::try_from(left).map_or(ids, |left| left.min(ids));
        self.used += length as u64;
        (first, length)
    }

    /// Waits until the clock shows another millisecond than the one in which the last was begun.
    #[cold]
    fn wait(&self, mut now_unix_ms: u64) -> u64 {
        while now_unix_ms == self.began_unix_ms {
            self.clock.pause();
            now_unix_ms = unix_ms(&self.clock);
        }
        now_unix_ms
    }

    /// Milliseconds since the epoch, within the 41 bits.
    fn since_epoch(&self, unix_ms: u64) -> u64 {
        unix_ms.saturating_sub(self.epoch_unix_ms).min(LAST_MS)
    }
}

/// Milliseconds since 1970.
fn unix_ms(clock: &impl Clock) -> u64 {
    clock.unix_ns() / 1_000_000
}

impl<C: Clock> Generator for Snowflake<C> {
    type Id = u64;

    fn next_id(&mut self) -> u64 {
        self.reserve(1).0
    }

    fn fill(&mut self, mut ids: &mut [u64]) {
        while !ids.is_empty() {
            let (first, length) = self.reserve(ids.len());
            let (now, later) = ids.split_at_mut(length);
            for (id, number) in now.iter_mut().zip(first..) {
                *id = number;
            }
            ids = later;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::same_however_asked_for;
    use super::*;
    use crate::id::clock::Manual;

    const NOW_MS: u64 = 1_700_000_000_123;

    fn at_ms(unix_ms: u64) -> Manual {
        Manual::at_ns(unix_ms * 1_000_000)
    }

    fn new(clock: &Manual) -> Snowflake<&Manual> {
        Snowflake::new(clock, TWITTER_EPOCH_UNIX_MS, 613).expect("a worker below 1024")
    }

    fn ms(id: u64) -> u64 {
        id >> BELOW_TIME_BITS
    }

    #[test]
    fn ids_are_those_of_another_implementation() {
        // By Python's integers: ((ms - epoch + i // 4096) << 22) | (613 << 12) | (i % 4096).
        let mut ids = [0; 4097];
        new(&at_ms(NOW_MS)).fill(&mut ids);
        assert_eq!(ids[..2], [1_724_551_110_974_656_512, 1_724_551_110_974_656_513]);
        assert_eq!(ids[4095..], [1_724_551_110_974_660_607, 1_724_551_110_978_850_816]);
    }

    #[test]
    fn ids_are_the_same_however_they_are_asked_for() {
        same_however_asked_for(|| {
            Snowflake::new(at_ms(NOW_MS), TWITTER_EPOCH_UNIX_MS, 5).expect("a worker below 1,024")
        });
    }

    #[test]
    fn a_used_up_millisecond_waits_for_the_clock() {
        let clock = at_ms(NOW_MS);
        let mut ids = vec![0; 4096];
        let mut made = new(&clock);
        made.fill(&mut ids);
        assert_eq!(clock.unix_ns(), NOW_MS * 1_000_000);
        let next = made.next_id();
        assert_eq!(clock.unix_ns(), (NOW_MS + 1) * 1_000_000);
        assert_eq!(next, ids[0] + (1 << BELOW_TIME_BITS));
    }

    #[test]
    fn a_clock_set_back_keeps_order_and_pace() {
        let clock = at_ms(NOW_MS);
        let mut made = new(&clock);
        let first = made.next_id();
        clock.set_ns((NOW_MS - 3_600_000) * 1_000_000);
        assert_eq!(made.next_id(), first + 1);
        let mut ids = vec![0; 1_000_000];
        made.fill(&mut ids);
        assert!(ids[0] == first + 2 && ids.is_sorted_by(|a, b| a < b));
        // 1,000,002 ids are 244 milliseconds and a part of one. The clock differs from what it showed when
        // the first was begun without a wait; the 243 after it are waited for.
        assert_eq!(ms(ids[999_999]) - ms(first), 244);
        assert_eq!(clock.unix_ns() / 1_000_000, NOW_MS - 3_600_000 + 243);
    }

    #[test]
    fn ids_do_not_repeat_across_batch_sizes_and_steps_of_the_clock() {
        let clock = at_ms(NOW_MS);
        let mut made = new(&clock);
        let mut ids = Vec::new();
        for (turn, size) in [1, 4095, 4096, 4097, 100_000, 0, 20_000].iter().cycle().take(56).enumerate() {
            let shift_ns: i64 = [1_000_000, -5_000_000_000, 300_000, 0, 4_000_000_000][turn % 5];
            clock.set_ns(clock.unix_ns().saturating_add_signed(shift_ns));
            let mut some = vec![0; *size];
            if turn % 2 == 0 {
                made.fill(&mut some)
            } else {
                made.fill_parallel(&mut some)
            };
            ids.extend(some);
            ids.extend((0..turn).map(|_| made.next_id()));
        }
        assert!(ids.len() > 1_000_000 && ids.is_sorted_by(|a, b| a < b));
        assert!(ids.iter().all(|id| *id >> 63 == 0 && id >> SEQUENCE_BITS & (WORKERS - 1) == 613));
    }

    #[test]
    fn a_clock_before_the_epoch_stands_at_it() {
        let clock = at_ms(0);
        let mut ids = vec![0; 4097];
        new(&clock).fill(&mut ids);
        assert_eq!((ids[0], ids[4095]), (613 << 12, 613 << 12 | 4095));
        assert_eq!(ids[4096], 1 << 22 | 613 << 12);
        assert_eq!(clock.unix_ns(), 1_000_000);
    }

    #[test]
    fn a_clock_that_passes_the_end_stands_at_it_and_nothing_wraps() {
        let clock = at_ms(TWITTER_EPOCH_UNIX_MS + LAST_MS - 1);
        let mut made = new(&clock);
        let last_but_one = made.next_id();
        clock.set_ns(u64::MAX - 1_000_000_000);
        let mut ids = vec![0; 3 * 4096];
        made.fill(&mut ids);
        assert_eq!((ms(last_but_one), ms(ids[0]), ms(ids[4096])), (LAST_MS - 1, LAST_MS, LAST_MS + 1));
        assert!(last_but_one < ids[0] && ids.is_sorted_by(|a, b| a < b));
        assert_eq!((ids[4095] >> 63, ids[4096]), (0, 1 << 63 | 613 << 12));
    }

    #[test]
    fn workers_beyond_10_bits_and_an_epoch_used_up_are_refused() {
        let clock = at_ms(NOW_MS);
        let refused = |epoch, worker| Snowflake::new(&clock, epoch, worker).expect_err("refused").to_string();
        assert_eq!(refused(0, 1024), "worker must be from 0 to 1023, got \"1024\"; try 1");
        assert!(Snowflake::new(&clock, 0, 1023).is_ok());
        clock.set_ns((LAST_MS + 1) * 1_000_000);
        assert_eq!(
            refused(0, 0),
            "epoch must be less than 2^41 ms (69.7 years) before the clock, got \"0\"; try 1288834974657"
        );
        assert!(Snowflake::new(&clock, 1, 0).is_ok());
    }
}
