//! Studies: several questions asked for one purpose.

pub mod bench;
pub mod collide;
pub mod merge;
pub mod simulate;
pub mod size;
