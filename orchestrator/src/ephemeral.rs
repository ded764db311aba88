//! A playground without an API. It creates live runs for a single caller, and removes their journals when it is
//! closed.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use interlock_machine::wire::Confinement;
use tempfile::TempDir;

use crate::journal::{Folder, FolderError};
use crate::run::{Hub, HubError, Limits, Registry};
use crate::supervisor::{Supervisor, SupervisorError};

/// Environment in which live runs can be created. Their journals are in a temporary folder.
pub struct EphemeralPlayground {
    /// Registry of the runs.
    pub registry: Registry,
    /// Folder of the journals, until the playground is closed.
    journals: Mutex<Option<TempDir>>,
}

/// Error if live runs cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum EphemeralError {
    /// The operating system refuses a folder, a thread or a socket.
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The network cannot be started.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// Processes cannot be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
}

impl EphemeralPlayground {
    /// Opens an environment whose nodes are started as `program` with `arguments`, under this confinement.
    ///
    /// # Errors
    /// If a folder, a thread or a socket is not available.
    pub async fn open(
        program: PathBuf,
        arguments: Vec<OsString>,
        confinement: Option<Confinement>,
    ) -> Result<Self, EphemeralError> {
        let journals = TempDir::with_prefix("interlock-")?;
        let supervisor = Supervisor::start(program, arguments, confinement)?;
        let hub = Hub::start().await?;
        let folder = Folder::claim(journals.path(), "a playground without a door")?;
        let registry = Registry::new(folder, Limits::default(), supervisor, hub);
        Ok(Self { registry, journals: Mutex::new(Some(journals)) })
    }

    /// Ends all runs permanently, waits until none of their processes is left, and removes their journals.
    pub async fn close(&self) {
        self.registry.shutdown().await;
        drop(self.journals.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
