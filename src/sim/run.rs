//! Batches in parallel, what they give in order: equal answers for any number of threads, a clean stop when asked.

use crate::question::Progress;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

/// Batches between two looks at what was found: fixed, so that a run that stops by what it found stops at the same batch
/// on any machine.
pub const ROUND: u64 = 64;

/// Where the round of a batch ends: rounds of 1, 1, 2, 4 … batches, so that a run that needs few ends early, and from
/// there on of [`ROUND`]; the same wherever the run was taken up.
fn round_end(batch: u64) -> u64 {
    match batch {
        0..ROUND => (batch + 1).next_power_of_two(),
        _ => (batch / ROUND + 1).saturating_mul(ROUND),
    }
}

/// Whether a run looks at what was found when it has made so many batches.
pub fn is_round_end(batches: u64) -> bool {
    batches > 0 && round_end(batches - 1) == batches
}

/// Works through batches on the threads of the pool it is called in and hands what they give to `take` in their order.
///
/// Each thread keeps what `worker` makes for it. `take` may end the run after a round; else it ends when all is done or
/// the progress asks to stop, and then what was handed over is all batches before the first that was not made.
pub fn run<W: Send, T: Send>(
    batches: Range<u64>,
    progress: &dyn Progress,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut take: impl FnMut(T),
    mut ended: impl FnMut() -> ControlFlow<()>,
) {
    // Workers come back for the next batch with their memory warm.
    let idle: Mutex<Vec<W>> = Mutex::new(Vec::new());
    let one = |batch: u64| {
        if progress.cancelled() {
            return None;
        }
        let waiting = idle.lock().map_or(None, |mut idle| idle.pop());
        let mut own = waiting.unwrap_or_else(&worker);
        let made = work(&mut own, batch);
        if let Ok(mut idle) = idle.lock() {
            idle.push(own);
        }
        Some(made)
    };
    let mut next = batches.start;
    while next < batches.end {
        let end = round_end(next).min(batches.end);
        let made: Vec<Option<T>> = {
            let batches = 0..usize::try_from(end - next).expect("a round is short");
            batches.into_par_iter().with_max_len(1).map(|ahead| one(next + ahead as u64)).collect()
        };
        let whole = made.iter().all(Option::is_some);
        made.into_iter().map_while(|one| one).for_each(&mut take);
        if !whole || ended().is_break() {
            return;
        }
        next = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    }

    #[test]
    fn what_batches_give_comes_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut seen = Vec::new();
            let take = |batch| seen.push(batch);
            pool(threads).install(|| {
                run(3..500, &(), || (), |(), batch| batch, take, || ControlFlow::Continue(()));
            });
            assert_eq!(seen, (3..500).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_run_ends_after_the_round_that_says_so() {
        for threads in [1, 3] {
            let (mut seen, mut rounds) = (0u64, 0);
            let ended = || {
                rounds += 1;
                if rounds == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            pool(threads).install(|| run(5..10_000, &(), || (), |(), batch| batch, |_| seen += 1, ended));
            // Up to 8, 16, 32, 64, 128, 192 and 256.
            assert_eq!(seen, 256 - 5);
        }
    }

    /// Asks to stop after so many batches.
    struct After(AtomicU64);

    impl Progress for After {
        fn advance(&self, _done: u64) {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok();
        }

        fn cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn a_run_that_is_stopped_has_all_batches_before_the_first_that_is_missing() {
        let after = After(AtomicU64::new(100));
        let mut seen = Vec::new();
        let work = |(): &mut (), batch| {
            after.advance(1);
            batch
        };
        pool(3).install(|| {
            run(0..1_000, &after, || (), work, |batch| seen.push(batch), || ControlFlow::Continue(()));
        });
        assert!(seen.len() >= 98 && seen.len() <= 103, "{}", seen.len());
        assert_eq!(seen, (0..seen.len() as u64).collect::<Vec<_>>());
    }
}
