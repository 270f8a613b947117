//! UUIDv7 (RFC 9562 §5.7) in the three ways that the standard offers: random bits alone, a counter behind the
//! millisecond, a finer clock.

mod monotonic;
mod timed;

pub use monotonic::V7Monotonic;
pub use timed::{V7, V7SubMillisecond};

#[cfg(test)]
mod tests;

/// Nanoseconds of a millisecond.
const MS_NS: u64 = 1_000_000;
