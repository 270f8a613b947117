//! Drawing many ids from one seed and counting exactly how often they meet.

pub mod count;
pub mod draw;
pub mod plan;
pub mod run;
pub mod tally;
