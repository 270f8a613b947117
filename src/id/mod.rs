//! Identifiers: what a key looks like to a store, and the catalogue of schemes with their layouts.

/// The type of the UUIDs that generators make and text forms write.
pub use uuid::Uuid;

pub mod clock;
pub mod generator;
pub mod key;
pub mod layout;
#[cfg(feature = "peers")]
pub mod peer;
pub mod scheme;
pub mod text;
