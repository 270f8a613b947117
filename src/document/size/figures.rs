//! The figures that a design review pastes: cost by retention, bytes per key in parts, growth.

use super::{title, word};
use crate::document::figure::{Axis, Bars, Figure, Marks, Part, Series, Unit};
use crate::document::{Cell, Unit as CellUnit};
use crate::engine::size::{Answer, Case, StoreLine};
use crate::render_rules::rounded;

/// Parts that are told apart by colour; the rest is one part more.
const PARTS: usize = 11;

/// Those figures that the answer has the data for.
pub(super) fn figures(answer: &Answer, by_retention: Option<&Answer>) -> Vec<Figure> {
    let Some(case) = answer.cases.first() else { return Vec::new() };
    let cost = by_retention.and_then(|curve| cost_by_retention(case, curve));
    [cost, bytes_by_part(case), growth(case)].into_iter().flatten().collect()
}
