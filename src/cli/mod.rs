//! The command line: flags to questions, documents to the terminal and to files.

mod bench;
mod collide;
mod index;
mod machine;
mod merge;
mod options;
mod output;
mod parse;
mod probe;
mod progress;
mod record;
mod recorded;
mod schemes;
mod shard;
mod shell;
mod simulate;
mod size;
mod study_files;
mod threads;

use clap::{CommandFactory, Parser, Subcommand};
use options::Options;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// Capacity and collision analysis for identifiers used as idempotency keys.
#[derive(Debug, Parser)]
#[command(
    name = "uuidcap",
    version,
    propagate_version = true,
    max_term_width = 100,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    verb: Verb,
}

/// One line a verb.
#[derive(Debug, Subcommand)]
enum Verb {
    /// How much storage, I/O and money a key store takes
    Size(Box<size::Flags>),
    /// How likely a clash is, and what to change to reach a target
    Collide(Box<collide::Flags>),
    /// Draw ids from a scaled-down space and count; expected beside seen
    Simulate(Box<simulate::Flags>),
    /// How fast this machine makes ids
    Bench(Box<bench::Flags>),
    /// What key order does to a B-tree: size, misses, dirty pages, log, purge (model)
    Index(Box<index::Flags>),
    /// What a real store takes per key (measured)
    Probe(Box<probe::Flags>),
    /// Join records of a run that was split over machines
    Merge(merge::Flags),
    /// The catalogue of identifiers
    Schemes(schemes::Flags),
    /// Completions for a shell, on stdout
    Completions(shell::Flags),
    /// The man page, on stdout
    Man,
}

/// How a run ended, other than by failing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Answered.
    Answered,
    /// Answered, but a limit that was asked for is broken.
    LimitBroken,
    /// Answered as far as Ctrl-C let it.
    Interrupted,
}

/// Why a run failed: a sentence for stderr.
#[derive(Debug)]
enum Failure {
    /// The library refused.
    Library(uuidcap::error::Error),
    /// A file or stream failed: what was being done, and the system's reason.
    System(String, io::Error),
    /// Ctrl-C.
    Interrupted,
}

impl From<uuidcap::error::Error> for Failure {
    fn from(error: uuidcap::error::Error) -> Failure {
        Failure::Library(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Library(error) => error.fmt(f),
            Failure::System(doing, error) => write!(f, "{doing}: {error}"),
            Failure::Interrupted => f.write_str("interrupted; nothing was written"),
        }
    }
}

/// Runs the command of this process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    match run(&cli) {
        Ok(End::Answered) => ExitCode::SUCCESS,
        Ok(End::LimitBroken) => ExitCode::from(1),
        Ok(End::Interrupted) => ExitCode::from(130),
        // Whoever reads us has read enough.
        Err(Failure::System(_, error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => {
            complain(&Failure::Interrupted.to_string());
            ExitCode::from(130)
        }
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Result<End, Failure> {
    if !matches!(cli.verb, Verb::Bench(_)) {
        cli.options.check_one_number_of_threads()?;
    }
    match &cli.verb {
        Verb::Size(flags) => size::run(flags, &cli.options),
        Verb::Collide(flags) => collide::run(flags, &cli.options),
        Verb::Simulate(flags) => simulate::run(flags, &cli.options),
        Verb::Bench(flags) => bench::run(flags, &cli.options),
        Verb::Index(flags) => index::run(flags, &cli.options),
        Verb::Probe(flags) => probe::run(flags, &cli.options),
        Verb::Merge(flags) => merge::run(flags, &cli.options),
        Verb::Schemes(flags) => schemes::run(flags, &cli.options),
        Verb::Completions(flags) => shell::completions(flags, Cli::command()),
        Verb::Man => shell::man(Cli::command()),
    }
}

/// Help and version go to stdout with success; any other refusal is one line on stderr.
fn refused(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    complain(&parse::one_line(error, &Cli::command()));
    ExitCode::from(2)
}

/// The one place that writes an error. Nobody is left to tell where stderr is closed.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "uuidcap: {}", without_passwords(message));
}

/// A message in which no URL and no setting shows its password, wherever it was typed.
fn without_passwords(message: &str) -> String {
    let mut shown = String::new();
    let mut rest = message;
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | ',');
    while let Some(at) =
        ["://", "password=", "PASSWORD="].iter().filter_map(|mark| Some(rest.find(mark)? + mark.len())).min()
    {
        let (head, tail) = rest.split_at(at);
        shown.push_str(head);
        let word = &tail[..tail.find(ends).unwrap_or(tail.len())];
        let secret = if head.ends_with('=') { Some(word.len()) } else { word.rfind('@') };
        match secret {
            Some(end) => {
                shown.push_str("***");
                rest = &tail[end..];
            }
            None => rest = tail,
        }
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::without_passwords;

    #[test]
    fn passwords_are_not_repeated() {
        for (message, shown) in [
            ("no verb \"postgres://u:geheim@h/db\"; there are", "no verb \"postgres://***@h/db\"; there are"),
            (
                "got redis://:p@ss@h:1/0 and host=h password=geheim user=u",
                "got redis://***@h:1/0 and host=h password=*** user=u",
            ),
            ("try postgres://localhost/db", "try postgres://localhost/db"),
            ("nothing to hide", "nothing to hide"),
        ] {
            assert_eq!(without_passwords(message), shown);
        }
    }
}
