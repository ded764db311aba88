//! Why a playground cannot be asked, or does not do what it is asked.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use reqwest::Url;

use super::problem::Problem;
use crate::{COULD_NOT, USAGE};

/// Why a playground cannot be asked, or does not do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Nobody listens there.
    #[error(
        "no playground answers at {url} ({}): open one with `interlock`, or say with --playground where one is open",
        reason(source)
    )]
    NoAnswer {
        /// Where.
        url: Url,
        /// The failure of the request.
        source: reqwest::Error,
    },
    /// Somebody else listens there.
    #[error("this is no playground at {0}: {1}")]
    NoPlayground(Url, String),
    /// The playground refuses.
    #[error("{0}")]
    Refused(Problem),
    /// The playground ended in the middle of its answer.
    #[error("the answer of {url} broke off: {}", reason(source))]
    BrokenOff {
        /// Where.
        url: Url,
        /// The failure of the answer.
        source: reqwest::Error,
    },
    /// No client can be had.
    #[error("the operating system refuses: {0}")]
    System(#[source] io::Error),
    /// Standard output cannot be written.
    #[error("standard output cannot be written: {0}")]
    Output(#[from] io::Error),
    /// A file cannot be written.
    #[error("--output {}: {cause}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
}

impl AskError {
    /// The exit code.
    pub const fn code(&self) -> u8 {
        match self {
            Self::Refused(problem) if problem.is_nonsense() => USAGE,
            _ => COULD_NOT,
        }
    }

    /// Whether whoever was reading has gone.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Whether the playground has no such thing, or not any more.
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Refused(problem) if problem.status == 404)
    }
    /// Whether what was asked cannot be done now.
    pub const fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused(problem) if problem.status == 409)
    }
}

/// The deepest cause: those above it only say that there is one.
pub(super) fn reason(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}
