//! Errors and their texts.

use std::fmt;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

/// Any error of this crate.
///
/// The `Debug` form of an error has the same text as its `Display` form. So if a test returns the error, its output
/// shows the cause.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No program for a playground was found.
    #[error(
        "cannot find the program `interlock`: build it with `cargo build`, put it on the PATH, or write its path to \
         the environment variable INTERLOCK_BIN"
    )]
    NoProgram,
    /// The program cannot be started.
    #[error("cannot start {}: {source}", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The program does not open a playground.
    #[error("{} does not open a playground, and prints: {said}", program.display())]
    NotOpened {
        /// The program.
        program: PathBuf,
        /// First line that the program printed, and its standard error.
        said: String,
    },
    /// The playground does not answer.
    #[error("{request}: the playground does not answer: {source}")]
    Unreachable {
        /// Method and path of the request.
        request: String,
        /// The cause.
        source: Box<ureq::Error>,
    },
    /// The playground has sent an answer that the API does not specify.
    #[error("{request}: cannot read the answer: {source}")]
    Unreadable {
        /// Method and path of the request.
        request: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// The API has refused a request.
    #[error("{request}: {problem}")]
    Refused {
        /// Method and path of the request.
        request: String,
        /// The cause, from the API.
        problem: Box<Problem>,
    },
    /// The awaited condition was not met.
    #[error("{awaited} did not happen {within}\n{standing}")]
    Unmet {
        /// The condition.
        awaited: String,
        /// The time limit, as text.
        within: String,
        /// The state of the run: the verdict, each waiting process with the processes for which it waits, and the
        /// last events. Each event is one line.
        standing: String,
    },
    /// A property is violated that the test expected to hold.
    #[error("{monitor}: {story}")]
    Violated {
        /// Monitor that found the violation, such as `mutual-exclusion`.
        monitor: String,
        /// The violation, followed by its events. Each event is one line.
        story: String,
    },
}

impl Error {
    /// Returns the problem details of the API; none unless the API has refused a request.
    #[must_use]
    pub const fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

impl Error {
    /// Returns this error. If it reports an unmet condition, adds `detail`, the reason that the API gave.
    pub(crate) fn because(self, detail: &str) -> Self {
        match self {
            Self::Unmet { awaited, within, standing } => {
                Self::Unmet { awaited, within, standing: format!("{detail}\n{standing}") }
            }
            other => other,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Problem details (RFC 9457) from the API.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// Kind of the problem, as a path: `/problems/invalid-run`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind, in words for people.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// Cause and place of the problem, and its correction.
    pub detail: String,
    /// Errors of the document.
    #[serde(default)]
    pub errors: Vec<FieldError>,
}

impl Problem {
    /// Returns a problem for an answer that is not from the API: for example, an answer from another server.
    pub(crate) fn untold(status: u16, detail: String) -> Self {
        Self { kind: "about:blank".to_owned(), title: String::new(), status, detail, errors: Vec::new() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}: {}", self.status, self.title, self.detail)
    }
}

/// An error at one place of a document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FieldError {
    /// Place of the error, as a JSON pointer.
    pub pointer: String,
    /// The error.
    pub detail: String,
    /// Valid values, if they can be listed.
    #[serde(default)]
    pub allowed: Vec<String>,
}
