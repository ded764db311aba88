//! Tests of `interlock doctor`.

use std::process::Command;

use tempfile::TempDir;

use super::{interlock, said};
use crate::support::program;

/// Returns the first two columns of each line: the verdict and the subject.
fn beginnings(out: &str) -> Vec<(&str, &str)> {
    let lines = out.lines().map(|line| line.split_at_checked(28).unwrap_or((line, "")).0);
    lines
        .map(|line| line.split_at_checked(10).map_or((line, ""), |(verdict, subject)| (verdict.trim(), subject.trim())))
        .collect()
}

#[test]
fn a_machine_that_runs_these_tests_has_what_is_needed() {
    let above = TempDir::new().expect("a folder");
    let folder = above.path().join("data");
    let words = format!("doctor --data-dir {}", folder.display());
    let (out, err) = said(&words, 0);
    let found = beginnings(&out);
    let subjects =
        ["data folder", "open files", "loopback", "clock", "start a process", "stop a process", "kill a process"];
    assert_eq!(found[..7], subjects.map(|subject| ("ok", subject)), "{out}");
    assert_eq!(found[7..].iter().map(|found| found.1).collect::<Vec<_>>(), ["confinement", "browser"], "{out}");
    assert!(out.contains(" free\n") && out.contains(" nodes in all runs together"), "{out}");
    assert!(!out.contains('\u{1b}') && err.is_empty(), "plain: {out}{err}");
    assert!(!folder.exists(), "nothing is left");
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let (out, _) = said("doctor --data-dir /proc/nowhere", 3);
    assert_eq!(beginnings(&out)[0], ("missing", "data folder"), "{out}");
    assert!(out.contains("cannot write in /proc: ") && out.contains("with --data-dir"), "{out}");

    let few = Command::new("sh").args(["-c", "ulimit -n 100 && exec \"$0\" doctor"]).arg(program()).output();
    let few = few.expect("it runs");
    let out = String::from_utf8_lossy(&few.stdout);
    assert_eq!((few.status.code(), beginnings(&out)[1]), (Some(3), ("missing", "open files")), "{out}");
    assert!(out.contains("the demonstration has 5; raise the limit (`ulimit -n`)"), "{out}");

    let homeless = Command::new(program()).arg("doctor").env_clear().output().expect("it runs");
    let out = String::from_utf8_lossy(&homeless.stdout);
    assert_eq!(homeless.status.code(), Some(3), "{out}");
    let shown = ["there is no home folder", "optional  browser ", "no chromium and chromedriver", "apt install"];
    assert!(shown.iter().all(|part| out.contains(part)), "{out}");
    assert_eq!(interlock("doctor now").status.code(), Some(2));
}

/// If a check fails, the failure must be reported. Checks that depend on a failed check must not be tried, and
/// must not be reported as successful.
#[test]
fn what_cannot_be_tried_is_not_said_to_work() {
    let few = Command::new("sh").args(["-c", "ulimit -n 12 && exec \"$0\" doctor"]).arg(program()).output();
    let few = few.expect("it runs");
    let out = String::from_utf8_lossy(&few.stdout);
    let processes = ["start a process", "stop a process", "kill a process"].map(|subject| ("missing", subject));
    assert_eq!((few.status.code(), &beginnings(&out)[4..7]), (Some(3), &processes[..]), "{out}");
    assert!(out.contains("Too many open files") && out.matches("not tried").count() == 2, "{out}");
}
