//! The key alone, without a store: the arithmetic of a spreadsheet, kept beside the models so that the
//! distance between the two is seen.

use super::page::Memo;
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place};
use crate::error::Result;

/// Keys one behind another, nothing between them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Raw;

impl Model for Raw {
    fn name(&self) -> &'static str {
        "raw"
    }

    fn title(&self) -> &'static str {
        "Key alone"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Arithmetic
    }

    fn footprint(&self, load: &Load, _pages: &Memo) -> Result<Footprint> {
        Ok(Footprint {
            parts: vec![Part {
                name: "key",
                place: Place::Table,
                bytes: f64::from(load.record.key_bytes),
                why: "the key and nothing else: no row, no index, no free space",
            }],
            leaf_fill: None,
            log_parts: Vec::new(),
            completion_log_bytes: None,
            pages_dirtied_per_insert: None,
            background_bytes_per_insert: 0.0,
            purges: Vec::new(),
            spread: None,
            billing: Billing::Plain,
            false_positive_rate: None,
            notes: Vec::new(),
        })
    }
}
