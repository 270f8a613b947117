//! What keeps two ids apart.

use super::space::Space;
use crate::id::layout::{Kept, Seconds, seconds};
use serde::{Serialize, Serializer};

/// Records hold seconds as a real number.
fn in_seconds<S: Serializer>(exact: &Seconds, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(seconds(*exact))
}

/// What keeps two ids apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Separation {
    /// One space for all time.
    Flat(Space),
    /// Ids clash only within one tick of a clock.
    Bucket {
        /// Length of a tick.
        #[serde(serialize_with = "in_seconds")]
        width_s: Seconds,
        /// What an id of a tick is drawn from.
        space: Space,
        /// A generator never repeats itself within a tick, so only ids of different generators clash.
        counter: bool,
    },
    /// No random bits per id: a node number, and a sequence within each tick.
    Nodes {
        /// Length of a tick.
        #[serde(serialize_with = "in_seconds")]
        tick_s: Seconds,
        /// What a node draws its number from, where nobody assigns it.
        node: Space,
        /// Bits of the sequence: so many ids a tick and node.
        sequence_bits: u32,
        /// Where the sequence starts.
        sequence: Sequence,
    },
    /// Nothing keeps them apart but a clock that never goes back and a counter (date-prefixed names).
    Clock {
        /// Length of a tick.
        #[serde(serialize_with = "in_seconds")]
        tick_s: Seconds,
    },
    /// Whatever the application does: nothing can be said.
    Application,
}

/// Where a sequence stands at the start of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sequence {
    /// It starts at 0 every tick (Snowflake, Sonyflake): two nodes of one number clash at their first ids.
    Resets,
    /// It starts anywhere, or runs on (ObjectId, XID, TSID; the clock sequence of v1 is drawn once).
    RandomStart,
}

impl Separation {
    /// The space that two ids which can clash are drawn from: of an id within its bucket, of a node number.
    pub fn space(self) -> Option<Space> {
        match self {
            Separation::Flat(space) | Separation::Bucket { space, .. } => Some(space),
            Separation::Nodes { node, .. } => Some(node),
            Separation::Clock { .. } | Separation::Application => None,
        }
    }

    /// The length of time within which ids can clash; none for all time.
    pub fn bucket_s(self) -> Option<Seconds> {
        match self {
            Separation::Bucket { width_s: tick, .. }
            | Separation::Nodes { tick_s: tick, .. }
            | Separation::Clock { tick_s: tick } => Some(tick),
            Separation::Flat(_) | Separation::Application => None,
        }
    }

    /// What keeps ids apart of which only `kept` of `whole` is left.
    ///
    /// Random bits that are left are a space within what is left of the clock. None where a counter or a node
    /// number has lost a part, since then it is no longer chance that decides, and where the application
    /// fills the id.
    pub(super) fn shortened(self, whole: &Kept, kept: &Kept) -> Option<Separation> {
        let broken = |left: u32, before: u32| left > 0 && left < before;
        if broken(kept.counter, whole.counter) || broken(kept.node, whole.node) || whole.custom > 0 {
            return None;
        }
        // A generator goes on not to repeat itself where all of its counter and clock is left.
        let counting = matches!(self, Separation::Bucket { counter: true, .. });
        let counter = counting && kept.counter == whole.counter && kept.clock == whole.clock;
        let lost = whole.drawn() - kept.drawn();
        let space = match self {
            Separation::Flat(space) | Separation::Bucket { space, .. } => space.without_bits(lost)?,
            Separation::Nodes { .. } if kept.node == 0 && kept.counter == 0 => Space::ONE,
            _ => return None,
        };
        Some(match (self, kept.clock) {
            (Separation::Flat(_), _) | (_, None) => Separation::Flat(space),
            // A clock that moves in larger steps than its lowest bit goes on doing so.
            (Separation::Bucket { width_s, .. }, Some(clock)) if seconds(width_s) > seconds(clock.step_s) => {
                Separation::Bucket { width_s, space, counter }
            }
            (_, Some(clock)) => Separation::Bucket { width_s: clock.step_s, space, counter },
        })
    }
}
