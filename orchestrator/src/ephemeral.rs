//! A playground without an API. It creates live runs for a single caller, and removes the journals of these runs
//! when it is closed.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use interlock_machine::wire::Confinement;
use tempfile::TempDir;

use crate::journal::{Folder, FolderError};
use crate::run::{Hub, HubError, Limits, Registry};
use crate::supervisor::{Supervisor, SupervisorError};

/// Playground in which a caller can create live runs. The journals are in a temporary folder.
pub struct EphemeralPlayground {
    /// Registry of the runs.
    pub registry: Registry,
    /// Temporary folder of the journals; none after the playground has been closed.
    journals: Mutex<Option<TempDir>>,
}

/// Error of a playground that cannot create live runs.
#[derive(Debug, thiserror::Error)]
pub enum EphemeralError {
    /// The operating system cannot provide a folder, a thread or a socket.
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
    /// Opens a playground whose nodes are started as `program` with `arguments`, under the confinement `confinement`.
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

    /// Ends all runs permanently, waits until all their processes have ended, and removes the journals.
    pub async fn close(&self) {
        self.registry.shutdown().await;
        drop(self.journals.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
