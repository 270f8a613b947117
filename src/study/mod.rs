//! Studies: several questions asked for one purpose.

pub mod collide;
pub mod size;
