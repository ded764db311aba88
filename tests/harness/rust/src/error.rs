//! What can go wrong, in words.

use std::fmt;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

/// Anything that goes wrong here.
///
/// Its `Debug` form is the same text, so that a test which returns it says what went wrong.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no program to open a playground with.
    #[error(
        "there is no program `interlock`: build it with `cargo build`, put it on the PATH, or say in the environment \
         variable INTERLOCK_BIN where it is"
    )]
    NoProgram,
    /// The program cannot be started.
    #[error("{} cannot be started: {source}", program.display())]
    NotStarted {
        /// Which program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The program does not open a playground.
    #[error("{} does not open a playground, and says: {said}", program.display())]
    NotOpened {
        /// Which program.
        program: PathBuf,
        /// Its first line, and its standard error.
        said: String,
    },
    /// The playground does not answer.
    #[error("{request}: the playground does not answer: {source}")]
    Unreachable {
        /// The request, as a method and a path.
        request: String,
        /// Why.
        source: Box<ureq::Error>,
    },
    /// The playground answers something else than its API says.
    #[error("{request}: the answer cannot be read: {source}")]
    Unreadable {
        /// The request, as a method and a path.
        request: String,
        /// Why.
        source: serde_json::Error,
    },
    /// The API refuses a request.
    #[error("{request}: {problem}")]
    Refused {
        /// The request, as a method and a path.
        request: String,
        /// Why.
        problem: Box<Problem>,
    },
    /// What was awaited did not come.
    #[error("{awaited} did not come about {within}\n{standing}")]
    Unmet {
        /// What was awaited.
        awaited: String,
        /// In which time, as words.
        within: String,
        /// How the run stands: the verdict, who waits for whom, and the last events, a line each.
        standing: String,
    },
    /// A rule was broken, and none should have been.
    #[error("{monitor}: {story}")]
    Violated {
        /// Which monitor found it: `mutual-exclusion`.
        monitor: String,
        /// What happened, and the events that broke the rule, a line each.
        story: String,
    },
}

impl Error {
    /// What the API says, if it has refused a request.
    #[must_use]
    pub const fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

impl Error {
    /// The same with what the API says of why something did not come.
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

/// Problem details (RFC 9457), as the API tells them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// Which kind, as a path: `/problems/invalid-run`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind, for people.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What was wrong, where, and what would be right.
    pub detail: String,
    /// What is wrong with the document.
    #[serde(default)]
    pub errors: Vec<FieldError>,
}

impl Problem {
    /// That of an answer which is none of the API's, such as that of another server.
    pub(crate) fn untold(status: u16, detail: String) -> Self {
        Self { kind: "about:blank".to_owned(), title: String::new(), status, detail, errors: Vec::new() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}: {}", self.status, self.title, self.detail)
    }
}

/// What is wrong at a place of a document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FieldError {
    /// The place, as a JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub detail: String,
    /// What would be right, where that can be listed.
    #[serde(default)]
    pub allowed: Vec<String>,
}
