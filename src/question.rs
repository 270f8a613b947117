//! What every verb's question has in common, and how a long answer reports how far it is.

use serde::Serialize;

/// A checked question of one verb: it serialises to every input after defaults, in base units.
pub trait Question: Serialize {
    /// The verb that asks it, as it stands in a record.
    const VERB: &'static str;
}

/// Told how far an engine is, and asked whether to go on.
pub trait Progress: Sync {
    /// `done` more of the announced steps are finished.
    fn advance(&self, done: u64);
    /// Whether the engine is to stop cleanly with what it has.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Progress that nobody watches.
impl Progress for () {
    fn advance(&self, _done: u64) {}
}
