//! Capacity and collision analysis for identifiers used as idempotency keys.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![warn(missing_docs)]

pub mod document;
pub mod error;
pub mod render;
pub mod store;
