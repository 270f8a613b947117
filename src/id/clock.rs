//! Wall-clock time as generators see it: handed in, so that a run can be repeated and a clock set back.

/// A wall clock.
///
/// The library has none of its own: a program hands in the system's, a test one that it sets.
///
/// ```
/// use uuidcap::id::clock::Clock;
///
/// struct System;
/// impl Clock for System {
///     fn unix_ns(&self) -> u64 {
///         let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
///         now.map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(u64::MAX))
///     }
/// }
/// assert!(System.unix_ns() > 1_700_000_000_000_000_000);
/// ```
pub trait Clock {
    /// Nanoseconds since 1970-01-01 00:00 UTC, leap seconds not counted; up to the year 2554.
    ///
    /// It may stand still and it may go back, as a clock that is set does.
    fn unix_ns(&self) -> u64;

    /// Called while a generator waits for the clock to go on.
    fn pause(&self) {
        std::hint::spin_loop();
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn unix_ns(&self) -> u64 {
        (**self).unix_ns()
    }

    fn pause(&self) {
        (**self).pause();
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn unix_ns(&self) -> u64 {
        (**self).unix_ns()
    }

    fn pause(&self) {
        (**self).pause();
    }
}

/// A clock that is set by hand and otherwise stands still; a generator that waits moves it on.
#[derive(Debug, Default)]
pub struct Manual {
    ns: std::sync::atomic::AtomicU64,
}

impl Manual {
    /// How far one pause of a waiting generator moves it.
    pub const PAUSE_NS: u64 = 100_000;

    /// A clock that shows so many nanoseconds of Unix time.
    pub fn at_ns(ns: u64) -> Manual {
        Manual { ns: ns.into() }
    }

    /// Sets it, forwards or back.
    pub fn set_ns(&self, ns: u64) {
        self.ns.store(ns, std::sync::atomic::Ordering::Relaxed);
    }
}

impl Clock for Manual {
    fn unix_ns(&self) -> u64 {
        self.ns.load(std::sync::atomic::Ordering::Relaxed)
    }

    fn pause(&self) {
        self.ns.fetch_add(Manual::PAUSE_NS, std::sync::atomic::Ordering::Relaxed);
    }
}
