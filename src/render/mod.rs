//! How a document is drawn.

#[cfg(feature = "plot")]
pub mod plot;
