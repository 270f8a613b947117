//! Capacity and collision analysis for identifiers used as idempotency keys.
//!
//! A client that asks a payment service to move money, and gets no answer, asks again with the same key.
//! Which key, kept in which store, for how long, at what cost: each of these is a question with an
//! answer that can be checked. This crate gives those answers, exact where mathematics allows.
//!
//! ```
//! use uuidcap::engine::size::{self, Inputs, Sizing};
//! use uuidcap::store::price::Book;
//!
//! let mut inputs = Inputs::new("200k/s".parse()?, "7d".parse()?);
//! inputs.stores = vec!["raw".to_owned()];
//! let answer = size::answer(&Sizing::new(inputs)?, &Book::default_book()?, &())?;
//! assert_eq!(answer.cases[0].live_keys, 120_960_000_000);
//! assert_eq!(answer.cases[0].raw_bytes, 1_935_360_000_000);
//! # Ok::<(), uuidcap::error::Error>(())
//! ```
//!
//! # The map
//!
//! Arguments become a question, an engine answers it, a document lays the answer out, a renderer draws
//! it; imports point down only, and a test reads `src/` to keep it so.
//!
//! | layer | modules | what they do |
//! |---|---|---|
//! | 5 binary | `main`, `cli` | flags to questions, documents to terminal and files |
//! | 4 rendering | [`render`] | documents as text, CSV, Markdown, PNG, SVG; rounds numbers |
//! | 3 presentation | [`document`], [`record`] | selects and orders what an answer says |
//! | 2b studies | [`study`] | many questions for one purpose |
//! | 2 engines | [`engine`] | a question in, an answer out |
//! | 1 machinery | [`question`], [`id`], [`sim`], [`store`] | identifiers and their generators, exact counts, store models, page trees, real stores, price book |
//! | 0 foundation | [`math`], [`units`], [`error`] | pure functions of probability, quantities read exactly, the one error |
#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![warn(missing_docs)]

pub mod document;
pub mod engine;
pub mod error;
pub mod id;
pub mod math;
pub mod question;
pub mod record;
pub mod render;
pub mod sim;
pub mod store;
pub mod study;
pub mod units;
