//! The figures that a design review pastes.

use crate::document::figure::Figure;
use crate::engine::size::{Answer, Inputs};

/// Cost by retention, bytes per key in parts, growth over time.
pub(super) fn figures(_inputs: &Inputs, _answer: &Answer) -> Vec<Figure> {
    Vec::new()
}
