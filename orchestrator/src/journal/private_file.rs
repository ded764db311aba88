//! Files that only their owner may read, because events contain the data of nodes.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;

/// File mode that permits only the owner to read and write.
pub(super) const PRIVATE_FILE: u32 = 0o600;

/// Returns the options with which the journal creates a new file.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(PRIVATE_FILE);
    options
}
