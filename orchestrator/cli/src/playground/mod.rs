//! The playground that is open, asked over HTTP as everybody asks it.

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

/// Where a playground is open unless it was told otherwise.
const USUAL: &str = "http://127.0.0.1:7700";

/// Which playground is asked.
#[derive(Clone, Debug, Args)]
pub struct Address {
    /// Where the playground is open
    #[arg(long, value_name = "URL", default_value = USUAL, value_parser = address, global = true)]
    pub playground: Url,
}

/// A text that is not the address of a playground.
#[derive(Debug, thiserror::Error)]
#[error("a playground is open at an address such as {USUAL}")]
struct NoAddress;

fn address(text: &str) -> Result<Url, NoAddress> {
    let url = text.parse::<Url>().ok();
    url.filter(|url| url.scheme() == "http" && url.has_host()).ok_or(NoAddress)
}

/// How a command ends that has asked a playground.
pub fn ended(done: Result<(), AskError>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::from(OK),
        // Whoever was reading has seen enough.
        Err(error) if error.is_broken_pipe() => ExitCode::from(OK),
        Err(error) => {
            terminal::complain(&error.to_string());
            ExitCode::from(error.code())
        }
    }
}
