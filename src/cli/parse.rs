//! Reading flag values, and saying in one line what is wrong with them.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use uuidcap::error::{Error, printable};
use uuidcap::id::scheme::near;

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<usize, Error> {
    let threads = text.parse().ok().filter(|threads| (1..=4_096).contains(threads));
    threads.ok_or_else(|| Error::value("threads", text, "a number from 1 to 4096", "2"))
}

/// A seed.
pub(super) fn seed(text: &str) -> Result<u64, Error> {
    let allowed = "a whole number from 0 to 18446744073709551615 (2^64 - 1)";
    text.parse().map_err(|_| Error::value("the seed", text, allowed, "7"))
}

/// What helps where a flag is missing.
const EXAMPLES: [(&str, &str); 4] = [
    ("--rate", "try uuidcap size --rate 200000 --days 7"),
    ("--days", "try uuidcap size --rate 200000 --days 7"),
    ("--observed", "try --observed 7 --pairs 4.995e10"),
    ("--alphabet", "try --alphabet 64 --length 21"),
];

/// What clap found wrong, on one line: the flag, what came, what is allowed, what helps.
pub(super) fn one_line(error: &clap::Error, command: &clap::Command) -> String {
    let context = |kind| error.get(kind).map(text);
    let flag = context(ContextKind::InvalidArg)
        .map(|flag| flag.split_whitespace().next().unwrap_or_default().to_owned());
    let value = context(ContextKind::InvalidValue).unwrap_or_default();
    match (error.kind(), flag) {
        (ErrorKind::ValueValidation, Some(flag)) => {
            let reason = std::error::Error::source(error).map(ToString::to_string);
            format!("{flag}: {}", reason.unwrap_or_else(|| format!("\"{value}\" cannot be read")))
        }
        (ErrorKind::InvalidValue, Some(flag)) if value.is_empty() => {
            format!("{flag}: needs a value, got none; see --help")
        }
        (ErrorKind::InvalidValue, Some(flag)) => {
            let allowed = context(ContextKind::ValidValue).unwrap_or_default();
            let words = || allowed.split(',').map(str::trim);
            let near = near(&value, words().map(|word| (word, word)));
            let example = near.or_else(|| words().next()).unwrap_or_default();
            format!("{flag}: must be one of {allowed}, got \"{}\"; try {example}", printable(&value))
        }
        (ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, _) => {
            let verbs: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
            format!("needs a verb: {}; try uuidcap size --rate 200000 --days 7", verbs.join(", "))
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let came = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            let verbs: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
            format!("no verb \"{}\"; there are {}", printable(&came), verbs.join(", "))
        }
        (ErrorKind::UnknownArgument, Some(flag)) => {
            let near = context(ContextKind::SuggestedArg).map(|near| format!("; did you mean {near}?"));
            format!("{}: no such flag{}", printable(&flag), near.unwrap_or_else(|| "; see --help".to_owned()))
        }
        (ErrorKind::ArgumentConflict, Some(flag)) => {
            let other = context(ContextKind::PriorArg).unwrap_or_default();
            format!(
                "{flag}: cannot be used together with {}; give one of them",
                if other == flag { "itself" } else { &other }
            )
        }
        (ErrorKind::MissingRequiredArgument, Some(_)) => {
            let missing = context(ContextKind::InvalidArg).unwrap_or_default();
            let known = EXAMPLES.iter().find(|(flag, _)| missing.contains(flag));
            let example = known.map_or("see --help for an example", |(_, example)| example);
            format!("missing {missing}; {example}")
        }
        _ => first_line(error),
    }
}

fn text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        other => other.to_string(),
    }
}

fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
