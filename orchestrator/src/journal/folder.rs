//! The folder of the journals. Only one playground at a time can write to the folder. A second playground gets an
//! error that names the owner.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::private_file::PRIVATE_FILE;
use super::{loading, mending};

/// File that the owner of the folder locks. It contains the address of the owner.
const LOCK: &str = "owner.lock";
/// Maximum number of bytes of the owner's address that are read.
const MOST_SAID: u64 = 200;
/// Mode of the folder: only the owner has access, because events contain the data of nodes.
const PRIVATE_FOLDER: u32 = 0o700;

/// Error if a folder of journals is not usable.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The operating system refuses access to the folder.
    #[error("cannot use the data folder {}: {cause}", path.display())]
    Unusable {
        /// Path of the folder.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// Another process owns the folder and writes to it.
    #[error(
        "cannot use the data folder {}: it belongs to another playground, {owner}; stop that playground, name another \
         folder with --data-dir, or show its runs with --read-only",
        path.display()
    )]
    Taken {
        /// Path of the folder.
        path: PathBuf,
        /// Address of the owner, from the lock file.
        owner: String,
    },
}

/// Error for a requested change in a read-only playground, which only shows the runs of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this playground is read-only (`--read-only`): it shows the runs of its folder, but cannot change or add anything"
)]
pub struct ReadOnly;

/// A folder of journals, and whether this process may write runs to it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Lock file, which is locked until it is closed. None if the folder is read-only for this process.
    lock: Option<File>,
}

impl Folder {
    /// Claims a folder for this process alone until the value is dropped. Creates the folder if it does not exist.
    /// Writes `address` to the lock file, so that other processes can name the owner. Removes or rolls back
    /// unfinished files of a killed process.
    ///
    /// # Errors
    /// If another process owns the folder, or the operating system refuses access.
    pub fn claim(path: &Path, address: &str) -> Result<Self, FolderError> {
        let refused = |cause| FolderError::Unusable { path: path.to_owned(), cause };
        DirBuilder::new().recursive(true).mode(PRIVATE_FOLDER).create(path).map_err(refused)?;
        let path = path.canonicalize().map_err(refused)?;
        let file = path.join(LOCK);
        let lock =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(PRIVATE_FILE).open(&file);
        let mut lock = lock.map_err(refused)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::Taken { owner: said_in(&mut lock), path }),
            Err(TryLockError::Error(cause)) => return Err(refused(cause)),
        }
        let said = format!("{address} (process {})\n", std::process::id());
        if let Err(error) = write_in_place(&lock, said.as_bytes()) {
            tracing::warn!(path = %file.display(), %error, "others cannot see which playground has the folder");
        }
        loading::sweep(&path);
        mending::mend(&path);
        Ok(Self { path, lock: Some(lock) })
    }

    /// Opens a folder for reading only, even if another process writes to it.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn read_only(path: &Path) -> Result<Self, FolderError> {
        let refused = |cause| FolderError::Unusable { path: path.to_owned(), cause };
        fs::read_dir(path).map_err(refused)?;
        Ok(Self { path: path.canonicalize().map_err(refused)?, lock: None })
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the folder is read-only for this process.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }

    /// Returns the path of the folder if runs may be written to it.
    ///
    /// # Errors
    /// If the folder is read-only.
    pub fn writable(&self) -> Result<&Path, ReadOnly> {
        if self.is_read_only() { Err(ReadOnly) } else { Ok(&self.path) }
    }
}

impl Drop for Folder {
    /// Releases the folder at once. A child process that is just being started has a copy of the file descriptor
    /// until it executes its own program. Without this explicit unlock, the folder would stay locked that long.
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            // An error is harmless: the lock is also released when the file is closed, only later.
            let _ = lock.unlock();
        }
    }
}

/// Replaces the content of a file. The new content uses the disk space of the old content, since a full disk has
/// no other space.
fn write_in_place(file: &File, content: &[u8]) -> io::Result<()> {
    let written = file.write_all_at(content, 0).and_then(|()| file.set_len(content.len() as u64));
    // If the address is written only in part, it is misleading, so the file is emptied.
    written.inspect_err(|_| drop(file.set_len(0)))
}

/// Returns a description of the owner, on one line, with the address from the lock file.
fn said_in(lock: &mut File) -> String {
    let mut said = Vec::new();
    // An error is ignored: even if the address is unreadable, the folder has an owner.
    let _ = lock.take(MOST_SAID).read_to_end(&mut said);
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().next().unwrap_or_default().replace(char::is_control, " ");
    if line.is_empty() { "which does not give its address".to_owned() } else { format!("open at {line}") }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it is there").permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_has_one_owner_and_the_second_is_told_who_it_is() {
        let above = TempDir::new().expect("a folder");
        let path = above.path().join("runs");
        let first = Folder::claim(&path, "http://127.0.0.1:7700").expect("it is free");
        assert_eq!(first.writable().expect("its own"), path.canonicalize().expect("a path"));
        let told = Folder::claim(&path, "http://127.0.0.1:7701").expect_err("it is taken").to_string();
        assert!(told.contains("open at http://127.0.0.1:7700 (process ") && told.contains("--read-only"), "{told}");
        let reader = Folder::read_only(&path).expect("it can be read");
        assert!(reader.is_read_only() && reader.writable().is_err());
        drop(first);
        assert!(Folder::claim(&path, "http://127.0.0.1:7701").is_ok(), "a process that has ended has nothing");
    }

    #[test]
    fn a_folder_is_free_at_once_although_a_process_that_starts_has_a_copy_of_its_lock() {
        let above = TempDir::new().expect("a folder");
        let first = Folder::claim(above.path(), "here").expect("it is free");
        let copy = first.lock.as_ref().expect("it is locked").try_clone().expect("a copy");
        drop(first);
        assert!(Folder::claim(above.path(), "there").is_ok());
        drop(copy);
    }

    #[test]
    fn what_is_made_is_for_the_owner_alone() {
        let above = TempDir::new().expect("a folder");
        let path = above.path().join("runs");
        let _folder = Folder::claim(&path, "here").expect("it is free");
        assert_eq!((mode(&path), mode(&path.join(LOCK))), (PRIVATE_FOLDER, PRIVATE_FILE));
    }

    #[test]
    fn what_broken_off_loading_left_goes_and_journals_stay() {
        let above = TempDir::new().expect("a folder");
        let names =
            ["a.sqlite.part", "a.sqlite.part-wal", "a.sqlite.part-shm", "b.sqlite", "b.sqlite-wal", "notes.part"];
        for name in names {
            fs::write(above.path().join(name), "").expect("a file");
        }
        let _folder = Folder::claim(above.path(), "here").expect("it is free");
        let left = names.map(|name| above.path().join(name).exists());
        assert_eq!(left, [false, false, false, true, true, true]);
    }

    #[test]
    fn a_reader_needs_a_folder_that_is_there() {
        let above = TempDir::new().expect("a folder");
        let told = Folder::read_only(&above.path().join("nowhere")).expect_err("it is not there").to_string();
        assert!(told.contains("nowhere"), "{told}");
    }
}
