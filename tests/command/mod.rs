//! Runs the built `uuidcap` the way a shell would.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// The command with its arguments, separated by spaces; no terminal, no colour of the environment's.
pub fn uuidcap(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uuidcap"));
    command.args(arguments.split_whitespace()).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

/// What it did.
pub fn run(arguments: &str) -> Output {
    uuidcap(arguments).output().expect("the binary starts")
}

/// Its stdout, where it ended well.
pub fn stdout(arguments: &str) -> String {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments}: {complaint}");
    String::from_utf8(output.stdout).expect("stdout is UTF-8")
}

/// Its record, where it ended well.
#[allow(dead_code, reason = "not every test that runs the command reads records")]
pub fn record(arguments: &str) -> Value {
    serde_json::from_str(&stdout(&format!("{arguments} -f json"))).expect("the record is JSON")
}
