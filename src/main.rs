//! The `uuidcap` command.
fn main() {}
