//! The `uuidcap` command: parse, run, print an error once, exit code.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
