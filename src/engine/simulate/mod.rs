//! `simulate`: draws ids from scaled-down spaces and counts exactly how often they meet; what mathematics expects stands
//! beside what was seen.

mod question;
mod source;

pub use question::{Arrivals, Fault, Inputs, Rng};
