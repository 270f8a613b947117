//! Generators of identifiers, one at a time and in bulk.
//!
//! Randomness and clock are handed in: a generator is a [`Stream`], where it needs one a
//! [`Clock`](super::clock::Clock), and the little state that keeps its ids apart. Equal streams and equal
//! clock readings give equal ids, to the byte and for any number of threads.

mod ahead;
mod count;
mod gregorian;
pub mod nanoid;
mod place;
pub mod snowflake;
mod stamp;
pub mod stream;
pub mod ulid;
pub mod v1;
pub mod v4;
pub mod v6;
pub mod v7;
mod vector;

pub use nanoid::NanoId;
pub use snowflake::Snowflake;
pub use stream::{BLOCK, Cipher, Seed, Stream};
pub use ulid::Ulid;
pub use v1::V1;
pub use v4::V4;
pub use v6::V6;
pub use v7::{V7, V7Monotonic, V7SubMillisecond};

/// Makes identifiers.
pub trait Generator {
    /// What it makes.
    type Id: Copy + Send + Sync;

    /// The next id.
    fn next_id(&mut self) -> Self::Id;

    /// The next ids, as many as there is room for.
    fn fill(&mut self, ids: &mut [Self::Id]);

    /// The same ids as [`fill`](Generator::fill) gives, made on all threads of the current rayon pool where
    /// the generator can.
    fn fill_parallel(&mut self, ids: &mut [Self::Id]) {
        self.fill(ids);
    }
}

#[cfg(test)]
mod tests;
