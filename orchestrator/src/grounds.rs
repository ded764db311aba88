//! A playground without a door: live runs for whoever holds it, whose journals go with it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use interlock_machine::wire::Confinement;
use tempfile::TempDir;

use crate::journal::{Folder, FolderError};
use crate::run::{Hub, HubError, Limits, Registry};
use crate::supervisor::{Supervisor, SupervisorError};

/// Where live runs can be created; their journals are in a folder of their own.
pub struct Grounds {
    /// The runs.
    pub registry: Registry,
    /// The folder, until it is closed.
    journals: Mutex<Option<TempDir>>,
}

/// Why live runs cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum GroundsError {
    /// A folder, a thread or a socket cannot be had.
    #[error("the operating system refuses: {0}")]
    System(#[from] io::Error),
    /// The folder cannot be had.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The network cannot be started.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// Processes cannot be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
}

impl Grounds {
    /// Opens one whose nodes are started as `program` with `arguments`, confined as far as is said.
    ///
    /// # Errors
    /// When a folder, a thread or a socket cannot be had.
    pub async fn open(
        program: PathBuf,
        arguments: Vec<OsString>,
        confinement: Option<Confinement>,
    ) -> Result<Self, GroundsError> {
        let journals = TempDir::with_prefix("interlock-")?;
        let supervisor = Supervisor::start(program, arguments, confinement)?;
        let hub = Hub::start().await?;
        let folder = Folder::claim(journals.path(), "a playground without a door")?;
        let registry = Registry::new(folder, Limits::default(), supervisor, hub);
        Ok(Self { registry, journals: Mutex::new(Some(journals)) })
    }

    /// Ends all runs under way for good, waits until none of their processes is left, and removes their journals.
    pub async fn close(&self) {
        self.registry.shutdown().await;
        drop(self.journals.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
