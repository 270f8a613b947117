//! What is shown of an answer: tables, figures and notes whose cells stay numbers.

pub mod figure;
