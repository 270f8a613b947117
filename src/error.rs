//! The one error of the library: what came, what is allowed, what helps.

use std::fmt;

/// Why a question could not be built or answered.
///
/// The message is a whole sentence for the person who asked: it names the input, what came, what is
/// allowed, and gives an example. The kind stays private; callers that need to tell usage from
/// failure ask [`Error::is_usage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Value,
    Range,
    Data,
}

impl Error {
    /// A value that cannot be read: `what` it was for, what `came`, what is `allowed`, an `example`.
    pub fn value(what: &str, came: &str, allowed: &str, example: &str) -> Self {
        Self {
            kind: Kind::Value,
            message: format!("{what} must be {allowed}, got \"{}\"; try {example}", printable(came)),
        }
    }

    /// An answer too large to be given exactly; it is refused rather than rounded or wrapped.
    pub fn range(message: impl Into<String>) -> Self {
        Self { kind: Kind::Range, message: message.into() }
    }

    /// A file whose content does not hold what it should.
    pub fn data(message: impl Into<String>) -> Self {
        Self { kind: Kind::Data, message: message.into() }
    }

    /// Whether the caller's input, not a file's content, is at fault.
    pub fn is_usage(&self) -> bool {
        !matches!(self.kind, Kind::Data)
    }

    /// The same error with the place it came from in front.
    #[must_use]
    pub fn within(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }
}

/// What came, fit for a message: on one line and no longer than a line, since control characters would
/// let an input rewrite the terminal it is reported on.
pub fn printable(came: &str) -> String {
    let mut shown: String = came.chars().take(60).flat_map(char::escape_debug).collect();
    if came.chars().count() > 60 {
        shown.push('…');
    }
    shown
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A result with the library's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;
