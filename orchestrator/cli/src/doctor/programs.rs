//! Looks for optional programs: only the tests of the page need them.

use std::env;
use std::path::PathBuf;

use rustix::fs::{Access, access};

use super::Finding;

/// Program names of the browser for the tests of the page, as Debian, Ubuntu and the vendor install it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Program names of the driver with which the tests control the browser.
const DRIVERS: [&str; 2] = ["chromedriver", "chromium-driver"];

/// Looks for the browser and the driver that the tests of the page use.
pub fn look() -> Finding {
    let subject = "browser";
    match (first(&BROWSERS), first(&DRIVERS)) {
        (Some(browser), Some(driver)) => {
            Finding::ok(subject, format!("{} and {} for the tests of the page", browser.display(), driver.display()))
        }
        (browser, driver) => {
            let missing = [("chromium", browser.is_none()), ("chromedriver", driver.is_none())];
            let missing = missing.into_iter().filter_map(|(name, is_missing)| is_missing.then_some(name));
            let missing = missing.collect::<Vec<_>>().join(" and ");
            Finding::optional(
                subject,
                format!(
                    "no {missing}; only the tests of the page need it, and are skipped without it (Debian: `apt \
                     install chromium chromium-driver`)"
                ),
            )
        }
    }
}

/// Returns the path of the first program in `names` that is in a folder of `PATH` and can be executed.
fn first(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let is_program = |file: &PathBuf| file.is_file() && access(file, Access::EXEC_OK).is_ok();
    let of = |name: &&str| env::split_paths(&path).map(|folder| folder.join(name)).find(is_program);
    names.iter().find_map(of)
}
