//! The odds of a clash under a load: for a flat space, for ticks of a clock, for numbers of nodes.

mod clock;
mod flat;
mod nodes;
mod tails;

use super::answer::{Bounds, Nodes, Tail};
use super::load::Load;
use super::model::Model;
use crate::math::logspace::{Chance, Wide};
use num_bigint::BigUint;

/// What a load does to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Odds {
    /// At least one clash.
    pub chance: Chance,
    /// Whether the load is more than the nodes can give: then nothing can be said of it.
    pub beyond: bool,
    pub bounds: Option<Bounds>,
    pub pairs: Wide,
    pub repeats: Wide,
    pub triples: Option<Wide>,
    pub first_clash: Option<Wide>,
    /// Repeats each second, where that is steady.
    pub repeats_per_s: Option<Wide>,
    /// Colliding pairs each second among the keys that are live at the end of the run.
    pub live_hazard_per_s: Option<Wide>,
    /// How many repeats come with which probability, where that is known.
    pub tails: Vec<Tail>,
    /// What keeping everything would give, beside a window.
    pub keep_everything: Option<Chance>,
    pub nodes: Option<Nodes>,
    pub method: String,
}

impl Odds {
    fn new(chance: Chance, pairs: Wide, repeats: Wide, method: impl Into<String>) -> Odds {
        Odds {
            chance,
            beyond: false,
            bounds: None,
            pairs,
            repeats,
            triples: None,
            first_clash: None,
            repeats_per_s: None,
            live_hazard_per_s: None,
            tails: Vec::new(),
            keep_everything: None,
            nodes: None,
            method: method.into(),
        }
    }
}

/// The odds of a model under a load whose ids are known.
pub(super) fn odds(model: &Model, load: &Load) -> Odds {
    match model {
        Model::Flat(values) => flat::flat(values, load),
        Model::Bucket { width_s, repeats_s, values, counter } => {
            let scheme = clock::Ticks { width_s: *width_s, repeats_s: *repeats_s, values, counter: *counter };
            match load.rate_per_s {
                Some(rate) => clock::ticks(&scheme, rate, load),
                None => clock::one_tick(&scheme, load),
            }
        }
        Model::Nodes { tick_s, node, sequence_bits, resets } => nodes::nodes(
            &nodes::Numbered { tick_s: *tick_s, node, sequence_bits: *sequence_bits, resets: *resets },
            load,
        ),
        Model::Clock { .. } => {
            by_construction("none by construction while the clock is not set back and one server counts")
        }
    }
}

/// The odds of so many ids that are all kept.
pub(super) fn of_ids(values: &super::model::Values, ids: &BigUint) -> Chance {
    flat::all_kept(values, ids).chance
}

fn by_construction(method: &str) -> Odds {
    Odds::new(Chance::NEVER, Wide::ZERO, Wide::ZERO, method)
}

/// The ids of a load; 0 where none are known.
fn ids(load: &Load) -> BigUint {
    load.ids.as_ref().map_or(BigUint::ZERO, |ids| ids.value().clone())
}

/// (n − 1)/n: of n ids that were counted, and not of ids that arrive as they may, none meets itself.
fn counted(load: &Load) -> Wide {
    match (load.counted, &load.ids) {
        (true, Some(ids)) if ids.value() > &BigUint::ZERO => {
            let all = Wide::whole(ids.value());
            all.minus(Wide::ONE).over(all)
        }
        _ => Wide::ONE,
    }
}
