//! The mathematics of clashes: pure functions, each with its formula, range, error and source.
//!
//! Real numbers are `f64`, with [`logspace::Wide`] where an exponent leaves its range; spaces and counts
//! are whole numbers of any size. Nothing here draws a random number, prints, or knows a question.

pub mod birthday;
pub mod bucket;
pub mod evidence;
mod exact;
pub mod fault;
pub mod first_clash;
pub mod goodness;
pub mod interval;
pub mod inverse;
pub mod logspace;
pub mod occupancy;
pub mod poisson;
pub mod repeats;
pub mod retention;
mod risk;
mod saddle;
pub mod sequence;
mod tail;
pub mod trials;
pub mod unequal;
