//! A playground that this crate has opened, or that was already open.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use ureq::http::Method;

use crate::error::Error;
use crate::process::{Shared, Started, start};
use crate::program;
use crate::run::Run;

/// An open playground. If this crate opened the playground, the playground and all its processes end when this
/// value and the values of its runs are dropped.
#[derive(Clone, Debug)]
pub struct Playground {
    shared: Arc<Shared>,
}

/// A run that was started.
#[derive(Deserialize)]
struct Created {
    id: String,
}

impl Playground {
    /// Opens a new playground.
    ///
    /// The environment variable `INTERLOCK_BIN` may contain the path of the program. Otherwise, the program is the
    /// one that cargo has built beside the test, or in the repository of this crate. If cargo has built none, the
    /// program is `interlock` on the `PATH`.
    ///
    /// # Errors
    /// If no program is found, or if the program does not open a playground.
    pub fn open() -> Result<Self, Error> {
        Self::open_with(program::find()?)
    }

    /// Opens a playground with the program `program`, such as `env!("CARGO_BIN_EXE_interlock")`.
    ///
    /// # Errors
    /// If the program does not open a playground.
    pub fn open_with(program: impl Into<PathBuf>) -> Result<Self, Error> {
        let program = program.into();
        let (process, url) = match start(&program) {
            Ok(Started::Open(process, url)) => (process, url),
            Ok(Started::Otherwise(said)) => return Err(Error::NotOpened { program, said }),
            Err(source) => return Err(Error::NotStarted { program, source }),
        };
        Ok(Self { shared: Arc::new(Shared::new(&url, Some(process))) })
    }

    /// Connects to a playground that is already open, at the base URL `url`. The playground stays open when the
    /// value is dropped.
    #[must_use]
    pub fn at(url: &str) -> Self {
        Self { shared: Arc::new(Shared::new(url, None)) }
    }

    /// Returns the base URL.
    #[must_use]
    pub fn url(&self) -> &str {
        self.shared.client.url()
    }

    /// Starts a run. The specification is the body of `POST /runs`. When this function returns, all processes of
    /// the run are running.
    ///
    /// # Errors
    /// If the specification is invalid.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn run(&self, specification: Value) -> Result<Run, Error> {
        let Created { id } = self.shared.client.ask(&Method::POST, "/runs", Some(&specification))?;
        Ok(Run::new(Arc::clone(&self.shared), id))
    }

    /// Returns any document of the API. The path is relative to `/api/v1`.
    ///
    /// # Errors
    /// If the API refuses the request.
    pub fn get(&self, path: &str) -> Result<Value, Error> {
        self.shared.client.ask(&Method::GET, path, None)
    }
}
