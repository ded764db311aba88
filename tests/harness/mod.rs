//! Tests of the Python harness with this program. These tests execute the harness's own tests and the examples of
//! its README, with the Python of this machine. The tests of the Rust harness are in the crate of the Rust
//! harness.

use std::path::Path;
use std::process::Command;

/// Minimum number of tests. If fewer tests ran, `unittest` did not find all tests.
const LEAST: u32 = 42;

/// Returns the number of tests that ran, from a report of `unittest`.
fn ran(report: &str) -> Option<u32> {
    report.lines().find_map(|line| line.strip_prefix("Ran ")?.split_whitespace().next()?.parse().ok())
}

#[test]
fn the_python_harness_passes_its_tests_and_its_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/harness/python");
    let tested = Command::new("python3")
        .args(["-B", "-W", "error", "-m", "unittest"])
        .current_dir(folder)
        .env("INTERLOCK_BIN", env!("CARGO_BIN_EXE_interlock"))
        .output()
        .expect("the tests of the Python harness need Python 3.9 or later, as `python3` on the PATH");
    let report = String::from_utf8_lossy(&tested.stderr);
    assert!(tested.status.success(), "{report}");
    assert!(ran(&report).is_some_and(|tests| tests >= LEAST), "{report}");
}

#[test]
fn tests_that_were_not_found_are_noticed() {
    assert_eq!(ran("----\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"), Some(0));
    assert_eq!(ran("/usr/bin/python3: No module named unittest\n"), None);
}
