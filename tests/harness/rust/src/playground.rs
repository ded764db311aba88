//! An open playground: one that was opened here, or one that is running already.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use ureq::http::Method;

use crate::error::Error;
use crate::process::{Shared, Started, start};
use crate::program;
use crate::run::Run;

/// An open playground. If it was opened here, it ends with all its processes when it and its runs are dropped.
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
    /// The program is the one that the environment variable `INTERLOCK_BIN` names. Otherwise it is the one that
    /// cargo has built beside the test, or in the repository of this crate. Otherwise it is `interlock` on the
    /// `PATH`.
    ///
    /// # Errors
    /// If no program is found, or it does not open a playground.
    pub fn open() -> Result<Self, Error> {
        Self::open_with(program::find()?)
    }

    /// Opens a playground with this program, such as `env!("CARGO_BIN_EXE_interlock")`.
    ///
    /// # Errors
    /// If it does not open a playground.
    pub fn open_with(program: impl Into<PathBuf>) -> Result<Self, Error> {
        let program = program.into();
        let (process, url) = match start(&program) {
            Ok(Started::Open(process, url)) => (process, url),
            Ok(Started::Otherwise(said)) => return Err(Error::NotOpened { program, said }),
            Err(source) => return Err(Error::NotStarted { program, source }),
        };
        Ok(Self { shared: Arc::new(Shared::new(&url, Some(process))) })
    }

    /// Connects to the playground at this base URL, which stays open.
    #[must_use]
    pub fn at(url: &str) -> Self {
        Self { shared: Arc::new(Shared::new(url, None)) }
    }

    /// Returns the base URL.
    #[must_use]
    pub fn url(&self) -> &str {
        self.shared.client.url()
    }

    /// Starts a run. The specification is the body of `POST /runs`. All its processes are running when this
    /// returns.
    ///
    /// # Errors
    /// If the specification is invalid.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn run(&self, specification: Value) -> Result<Run, Error> {
        let Created { id } = self.shared.client.ask(&Method::POST, "/runs", Some(&specification))?;
        Ok(Run::new(Arc::clone(&self.shared), id))
    }

    /// Reads any document of the API. The path is below `/api/v1`.
    ///
    /// # Errors
    /// If the API refuses the request.
    pub fn get(&self, path: &str) -> Result<Value, Error> {
        self.shared.client.ask(&Method::GET, path, None)
    }
}
