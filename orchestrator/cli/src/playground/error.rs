//! Why a playground cannot be asked, or does not do what it is asked.

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
        "no playground answers at {url} ({why}): open one with `interlock`, or say with --playground where one is open"
    )]
    NoAnswer {
        /// Where.
        url: Url,
        /// What the system says.
        why: String,
    },
    /// Somebody else listens there.
    #[error("this is no playground at {0}: {1}")]
    NoPlayground(Url, String),
    /// The playground refuses.
    #[error("{0}")]
    Refused(Problem),
    /// The playground ended in the middle of its answer.
    #[error("the answer of {0} broke off: {1}")]
    BrokenOff(Url, String),
    /// No client can be had.
    #[error("the operating system refuses: {0}")]
    System(io::Error),
    /// Standard output cannot be written.
    #[error("standard output cannot be written: {0}")]
    Output(#[from] io::Error),
    /// A file cannot be written.
    #[error("--output {}: {cause}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// Why not.
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
