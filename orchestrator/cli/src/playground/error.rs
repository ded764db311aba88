//! Errors of commands that use a playground.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use reqwest::Url;

use super::problem::Problem;
use crate::{COULD_NOT, USAGE};

/// Error of a command that uses a playground.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No program listens at the address.
    #[error(
        "no playground answers at {url} ({}); open one with `interlock`, or give the address of an open one with \
         --playground",
        reason(source)
    )]
    NoAnswer {
        /// Address of the playground.
        url: Url,
        /// The error of the request.
        source: reqwest::Error,
    },
    /// The server at the address is not a playground.
    #[error("the server at {0} is not a playground: {1}")]
    NoPlayground(Url, String),
    /// The playground has rejected the request.
    #[error("{0}")]
    Refused(Problem),
    /// The connection broke in the middle of a response.
    #[error("the answer of {url} is incomplete: {}", reason(source))]
    BrokenOff {
        /// Address of the playground.
        url: Url,
        /// The error that interrupted the response.
        source: reqwest::Error,
    },
    /// The client cannot be created.
    #[error("operating system error: {0}")]
    System(#[source] io::Error),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// A file cannot be written.
    #[error("--output {}: {cause}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The cause.
        #[source]
        cause: io::Error,
    },
}

impl AskError {
    /// Returns the exit code for this error.
    pub const fn code(&self) -> u8 {
        match self {
            Self::Refused(problem) if problem.is_nonsense() => USAGE,
            _ => COULD_NOT,
        }
    }

    /// Returns whether the error is only that the reader of standard output has closed the pipe.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns whether the resource does not exist or no longer exists.
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Refused(problem) if problem.status == 404)
    }
    /// Returns whether the request conflicts with the present state of the run.
    pub const fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused(problem) if problem.status == 409)
    }
}

/// Returns the deepest cause of an error as text. The errors that wrap it only say that a request failed.
pub(super) fn reason(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}
