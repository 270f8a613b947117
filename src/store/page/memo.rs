//! Settled page models, remembered: a grid asks for each of them many times.

use super::{Arrival, Rule, Settled, grow};

/// Page models already run: an answer for a grid needs each of them once.
#[derive(Debug, Default)]
pub struct Memo {}

impl Memo {
    /// The leaves of an index that holds so many keys.
    pub fn settle(&self, rule: Rule, arrival: Arrival, live_keys: f64) -> Settled {
        grow(rule, arrival, live_keys.min(1e6) as u64)
    }
}
