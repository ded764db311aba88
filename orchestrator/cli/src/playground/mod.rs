//! Client for the open playground, which uses the same HTTP API as every other client.

mod api;
mod error;
mod problem;
mod summary;

use std::process::ExitCode;

use clap::Args;
use reqwest::Url;

use super::{OK, terminal};
pub use api::{Api, TOKEN_VARIABLE};
pub use error::AskError;
pub use summary::{RunSummary, Specified};

/// Default address of a playground.
const USUAL: &str = "http://127.0.0.1:7700";

/// Address of the playground.
#[derive(Clone, Debug, Args)]
pub struct Address {
    /// URL of the playground
    #[arg(long, value_name = "URL", default_value = USUAL, value_parser = address, global = true)]
    pub playground: Url,
}

/// Error for a text that is not the address of a playground.
#[derive(Debug, thiserror::Error)]
#[error("this is not the address of a playground; write one such as {USUAL}")]
struct NoAddress;

fn address(text: &str) -> Result<Url, NoAddress> {
    let url = text.parse::<Url>().ok();
    url.filter(|url| url.scheme() == "http" && url.has_host()).ok_or(NoAddress)
}

/// Returns the exit code of a command that has used a playground. If the command failed, prints the error.
pub fn ended(done: Result<(), AskError>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::from(OK),
        // The reader of the output, such as `head`, has closed the pipe because it needs no further lines. This is
        // not an error.
        Err(error) if error.is_broken_pipe() => ExitCode::from(OK),
        Err(error) => {
            terminal::complain(&error.to_string());
            ExitCode::from(error.code())
        }
    }
}
