//! An open playground: a process of its own, or one that is there already.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use ureq::http::Method;

use crate::error::Error;
use crate::process::{Shared, Started, start};
use crate::program;
use crate::run::Run;

/// An open playground. One that was opened here ends, with all its processes, when it and its runs are dropped.
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
    /// Opens a playground of its own.
    ///
    /// The program is the one that the environment variable `INTERLOCK_BIN` names; else the one that cargo has built
    /// beside the test, or in the repository of this crate; else `interlock` on the `PATH`.
    ///
    /// # Errors
    /// When there is no program, or when it does not open a playground.
    pub fn open() -> Result<Self, Error> {
        Self::open_with(program::find()?)
    }

    /// Opens one with this program, such as `env!("CARGO_BIN_EXE_interlock")`.
    ///
    /// # Errors
    /// When it does not open a playground.
    pub fn open_with(program: impl Into<PathBuf>) -> Result<Self, Error> {
        let program = program.into();
        let (process, url) = match start(&program) {
            Ok(Started::Open(process, url)) => (process, url),
            Ok(Started::Otherwise(said)) => return Err(Error::NotOpened { program, said }),
            Err(source) => return Err(Error::NotStarted { program, source }),
        };
        Ok(Self { shared: Arc::new(Shared::new(&url, Some(process))) })
    }

    /// The playground that is open at this base URL; it stays open.
    #[must_use]
    pub fn at(url: &str) -> Self {
        Self { shared: Arc::new(Shared::new(url, None)) }
    }

    /// Its base URL.
    #[must_use]
    pub fn url(&self) -> &str {
        self.shared.client.url()
    }

    /// Starts a run; the specification is the body of `POST /runs`. All its processes are there when this returns.
    ///
    /// # Errors
    /// When there cannot be such a run.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn run(&self, specification: Value) -> Result<Run, Error> {
        let Created { id } = self.shared.client.ask(&Method::POST, "/runs", Some(&specification))?;
        Ok(Run::new(Arc::clone(&self.shared), id))
    }

    /// Reads anything that the API has; the path is below `/api/v1`.
    ///
    /// # Errors
    /// When it is refused.
    pub fn get(&self, path: &str) -> Result<Value, Error> {
        self.shared.client.ask(&Method::GET, path, None)
    }
}
