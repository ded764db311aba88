//! Checks whether the folder for the journals is writable, and how much space is free.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::statvfs;

use super::Finding;
use crate::serve::directory_of;

/// Subject of the finding.
const SUBJECT: &str = "data folder";
/// Minimum free space in bytes, enough for a few hundred thousand events. With less space, a run may end early.
const LEAST_FREE: u64 = 100 << 20;

/// Checks the given folder, or the default folder if none is given. Leaves no file in the folder.
pub fn look(given: Option<&PathBuf>) -> Finding {
    let Some(directory) = directory_of(given) else {
        return Finding::missing(
            SUBJECT,
            "cannot find a folder for the journals: there is no home folder; name a folder with --data-dir",
        );
    };
    let (there, is_made) = nearest(&directory);
    let name = directory.display();
    match room(there) {
        Ok(free) if free < LEAST_FREE => Finding::missing(
            SUBJECT,
            format!(
                "{name} has {} free, and journals need at least {}; free some space, or name another folder with \
                 --data-dir",
                size(free),
                size(LEAST_FREE)
            ),
        ),
        Ok(free) if is_made => Finding::ok(SUBJECT, format!("{name} is writable, {} free", size(free))),
        Ok(free) => Finding::ok(SUBJECT, format!("{name} can be created, {} free", size(free))),
        Err(why) => Finding::missing(
            SUBJECT,
            format!("cannot write in {}: {why}; correct that, or name another folder with --data-dir", there.display()),
        ),
    }
}

/// If the folder exists, returns the folder and `true`. Otherwise, returns its nearest existing ancestor and
/// `false`.
fn nearest(directory: &Path) -> (&Path, bool) {
    // The last ancestor of a relative path is the empty path, which means the current folder.
    let there = directory.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    (there, there == directory)
}

/// Returns the number of free bytes in the file system of the folder. Fails if no file can be created in the
/// folder.
fn room(folder: &Path) -> io::Result<u64> {
    tempfile::tempfile_in(folder)?;
    let system = statvfs(folder)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Formats a number of bytes, such as `3.5 GiB`, in the largest unit that is not larger than the number.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::super::Verdict;
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_can_be_made_below_one_that_is() {
        let above = TempDir::new().expect("a folder");
        let below = above.path().join("one/two");
        assert_eq!(nearest(&below), (above.path(), false));
        assert_eq!(nearest(above.path()), (above.path(), true));
        let finding = look(Some(&below));
        assert!(finding.verdict == Verdict::Ok && finding.detail.contains("one/two can be created, "), "{finding}");
        assert!(!below.exists() && above.path().read_dir().expect("a folder").next().is_none(), "nothing is left");
    }

    #[test]
    fn sizes_are_told_in_one_unit() {
        for (bytes, told) in
            [(12, "12 bytes"), (1 << 10, "1.0 KiB"), (100 << 20, "100.0 MiB"), ((3 << 30) + (1 << 29), "3.5 GiB")]
        {
            assert_eq!(size(bytes), told);
        }
    }
}
