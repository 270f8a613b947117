//! Threads that begin together.

use crate::error::{Error, Result};
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Bytes of a thread's stack: makers keep little there, and what is never touched takes no memory.
const STACK_BYTES: usize = 512 << 10;

/// Where threads wait for each other.
#[derive(Debug)]
pub(super) struct Gate {
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: usize,
    /// Whether those who wait may go on, once that is decided.
    open: Option<bool>,
}

impl Gate {
    fn new(threads: usize) -> Gate {
        Gate { threads, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits until every thread is here. False where one will never come: then there is nothing to do.
    pub fn pass(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting += 1;
        if state.waiting == self.threads && state.open.is_none() {
            state.open = Some(true);
            self.changed.notify_all();
        }
        let waited = self.changed.wait_while(state, |state| state.open.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).open == Some(true)
    }

    /// Lets everyone go who waits for one that will not come.
    fn abandon(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open.get_or_insert(false);
        self.changed.notify_all();
    }
}

/// Abandons the gates where its thread panics.
struct Guard<'a>(&'a [Gate; 2]);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.iter().for_each(Gate::abandon);
        }
    }
}

/// Gives each part to a thread of its own, with the gate to pass before the work begins and the one to pass when it
/// is over. The threads live no longer than the work: those of one row take no memory or time from another.
///
/// # Errors
/// Where so many threads cannot be started.
pub(super) fn together<P: Send, T: Send>(
    parts: Vec<P>,
    work: impl Fn(P, &[Gate; 2]) -> T + Sync,
) -> Result<Vec<T>> {
    let threads = parts.len();
    let (gates, work) = ([Gate::new(threads), Gate::new(threads)], &work);
    scope(|scope| {
        let gates = &gates;
        let mut started = Vec::with_capacity(threads);
        for part in parts {
            let run = move || {
                let _guard = Guard(gates);
                work(part, gates)
            };
            match Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run) {
                Ok(thread) => started.push(thread),
                Err(error) => {
                    gates.iter().for_each(Gate::abandon);
                    return Err(Error::data(format!("starting {threads} threads: {error}; try --threads 1")));
                }
            }
        }
        let done = started.into_iter().map(|thread| thread.join());
        Ok(done.map(|done| done.unwrap_or_else(|panic| resume_unwind(panic))).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn nobody_begins_before_everyone_is_there() {
        let there = AtomicUsize::new(0);
        let seen = together(vec![(); 9], |(), [begin, _]| {
            there.fetch_add(1, Ordering::SeqCst);
            (begin.pass(), there.load(Ordering::SeqCst))
        });
        assert_eq!(seen.expect("nine threads"), [(true, 9); 9]);
    }

    #[test]
    fn a_thread_that_fails_lets_the_others_go() {
        let failed = std::panic::catch_unwind(|| {
            together(vec![false, true, false], |fails, [begin, end]| {
                assert!(!fails, "on purpose");
                begin.pass() || end.pass()
            })
        });
        assert!(failed.is_err());
    }
}
