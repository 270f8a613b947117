//! Those who are measured: what each makes, how it is called, and the makers that one thread each holds.

use crate::error::Result;
use crate::id::generator::Cipher;
use crate::id::text::TextForm;
use serde::Serialize;

/// Whose code makes the ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A generator of this crate.
    Own,
    /// A generator of another crate, as it comes.
    Peer,
    /// No ids: what a maker of ids cannot be expected to beat.
    Ceiling,
}

/// How ids are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// A buffer of them at a time.
    Bulk,
    /// One at a time, in a loop that puts them into a buffer.
    One,
}

/// What stands in the buffer, which decides what can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// UUIDs of a version, 16 bytes each.
    Uuid(u8),
    /// ULIDs, 16 bytes each: every value is one.
    Ulid,
    /// Snowflakes: 63 bits in 8 bytes, in the order of the machine.
    Snowflake,
    /// NanoIDs: 21 characters of `A-Za-z0-9_-`.
    NanoId,
    /// UUIDs of a version as text; version 0 is any 16 bytes.
    Text(TextForm, u8),
    /// Random bytes, looked at 16 at a time.
    Noise,
    /// One byte everywhere, looked at 16 at a time.
    Filled,
}

impl Shape {
    /// Bytes of one id.
    pub fn id_bytes(self) -> usize {
        match self {
            Shape::Snowflake => 8,
            Shape::NanoId => 21,
            Shape::Text(form, _) => form.chars(),
            _ => 16,
        }
    }

    /// Whether ids are made at all, so that they can be told apart.
    pub fn holds_ids(self) -> bool {
        !matches!(self, Shape::Noise | Shape::Filled)
    }
}

/// Makes ids on one thread.
pub trait Maker: Send {
    /// Fills the whole of a buffer, whose length is a multiple of the id's.
    fn make(&mut self, bytes: &mut [u8]);
}

/// The makers of so many threads, one each.
pub type Team = Box<dyn Fn(usize) -> Result<Vec<Box<dyn Maker>>> + Send + Sync>;

/// One who is measured.
pub struct Contender {
    /// The word for it: `v4`, `v7:uuid-rs`; `:one` where the same generator is also asked in bulk.
    pub name: &'static str,
    /// Whose code it is.
    pub role: Role,
    /// How it is called.
    pub call: Call,
    /// The scheme of the catalogue that it makes, where there is one.
    pub scheme: Option<&'static str>,
    /// The stream that it draws from, where it is one of this crate's.
    pub stream: Option<Cipher>,
    /// What it makes.
    pub shape: Shape,
    /// Whether each id is above the one before on the same thread.
    pub rising: bool,
    /// Ids that it has ready after a pause, where it otherwise waits for the clock to give it more; 0 where it never
    /// waits.
    pub burst: usize,
    /// The most threads that it can serve, where there is such a number.
    pub most_threads: Option<usize>,
    /// Its makers.
    pub team: Team,
}

impl Contender {
    /// Another crate's generator, one id a call.
    #[cfg(feature = "peers")]
    pub(super) fn peer(
        name: &'static str,
        scheme: Option<&'static str>,
        shape: Shape,
        team: Team,
    ) -> Contender {
        let (role, call) = (Role::Peer, Call::One);
        let (rising, burst, most_threads) = (false, 0, None);
        Contender { name, role, call, scheme, stream: None, shape, rising, burst, most_threads, team }
    }
}

impl std::fmt::Debug for Contender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}
