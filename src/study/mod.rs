//! Studies: several questions asked for one purpose.

pub mod size;
