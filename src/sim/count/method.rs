//! Ways of counting, by their names.

use serde::{Deserialize, Serialize};

/// How repeats are counted: all ways give the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The fastest for as many draws of as many bits.
    #[default]
    Auto,
    /// The standard library's, the witness.
    HashSet,
    /// The standard library's.
    Sort,
    /// Two passes over a table of places that is never cleared.
    IndexTable,
    /// A byte for every value.
    Stamp,
    /// A bit for several values; what meets in one is counted again.
    BitFilter,
    /// A counter for every value.
    Histogram,
    /// Ids spread over parts of the space, four bytes each, and each part counted by itself.
    Partition,
}
