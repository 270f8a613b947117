//! One folder a verb: a typed question in, a typed answer out, and nothing else.

pub mod bench;
pub mod collide;
pub mod index;
pub mod probe;
pub mod schemes;
pub mod simulate;
pub mod size;
