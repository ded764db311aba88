//! Files that only the owner may read: events contain the data of nodes.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;

/// The mode of such a file.
pub(super) const PRIVATE_FILE: u32 = 0o600;

/// Returns the options with which the journal creates a file.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(PRIVATE_FILE);
    options
}
