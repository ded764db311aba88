//! Errors and their texts.

use std::fmt;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

/// Any error of this crate.
///
/// The `Debug` form of an error is the same text as its `Display` form. So a test that returns the error shows the
/// cause.
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
        /// Its first line, and its standard error.
        said: String,
    },
    /// The playground does not answer.
    #[error("{request}: the playground does not answer: {source}")]
    Unreachable {
        /// The request, as a method and a path.
        request: String,
        /// The cause.
        source: Box<ureq::Error>,
    },
    /// The playground gives an answer that its API does not specify.
    #[error("{request}: cannot read the answer: {source}")]
    Unreadable {
        /// The request, as a method and a path.
        request: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// The API refuses a request.
    #[error("{request}: {problem}")]
    Refused {
        /// The request, as a method and a path.
        request: String,
        /// The cause.
        problem: Box<Problem>,
    },
    /// The awaited condition was not met.
    #[error("{awaited} did not happen {within}\n{standing}")]
    Unmet {
        /// The condition.
        awaited: String,
        /// The time limit, as text.
        within: String,
        /// The state of the run: the verdict, the processes that wait and for which others, and the last events,
        /// one per line.
        standing: String,
    },
    /// A property was violated that should hold.
    #[error("{monitor}: {story}")]
    Violated {
        /// Monitor that found it: `mutual-exclusion`.
        monitor: String,
        /// The violation and its events, one per line.
        story: String,
    },
}

impl Error {
    /// Returns the problem details of the API if it has refused a request.
    #[must_use]
    pub const fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

impl Error {
    /// Returns the same error with the API's reason for an unmet condition.
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
    /// The kind, for people.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// Cause, place and correction.
    pub detail: String,
    /// Errors of the document.
    #[serde(default)]
    pub errors: Vec<FieldError>,
}

impl Problem {
    /// Returns the problem for an answer that does not come from the API but, for example, from another server.
    pub(crate) fn untold(status: u16, detail: String) -> Self {
        Self { kind: "about:blank".to_owned(), title: String::new(), status, detail, errors: Vec::new() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}: {}", self.status, self.title, self.detail)
    }
}

/// An error at a place of a document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FieldError {
    /// Place, as a JSON pointer.
    pub pointer: String,
    /// The error.
    pub detail: String,
    /// Allowed values, if they can be listed.
    #[serde(default)]
    pub allowed: Vec<String>,
}
