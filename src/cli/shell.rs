//! Completions and the man page, from the same definition as the flags.

use super::{End, Failure};
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// For which shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn completions(flags: &Flags, mut command: Command) -> Result<End, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut command, "uuidcap", &mut script);
    print(&script)
}

/// One page for the command and one section for each verb.
pub(super) fn man(mut command: Command) -> Result<End, Failure> {
    command.build();
    let mut page = Vec::new();
    let rendered = |command: &Command, page: &mut Vec<u8>| {
        clap_mangen::Man::new(command.clone())
            .render(page)
            .map_err(|error| Failure::System("drawing the man page".to_owned(), error))
    };
    rendered(&command, &mut page)?;
    for verb in command.get_subcommands() {
        rendered(verb, &mut page)?;
    }
    print(&page)
}

fn print(bytes: &[u8]) -> Result<End, Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map(|()| End::Answered).map_err(|error| Failure::System("writing to stdout".to_owned(), error))
}
