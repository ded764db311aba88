//! Tests of the dependencies of crates and of modules, of the files of modules, of the places for additions, and of the
//! address of the program. The crates on which live runs are built use no runtime, no socket, no database and no clock.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod address;
mod crates;
mod files;
mod lengths;
mod modules;
mod places;

use std::fs;
use std::path::Path;
use std::process::Command;

/// Libraries that pure crates must not use: they are for input and output, or for waiting.
const FORBIDDEN: [&str; 8] = ["axum", "hyper", "jiff", "mio", "reqwest", "rusqlite", "rustix", "tokio"];
/// Functions that pure crates must not use: they read a clock, or wait for some time.
const CLOCKS: [&str; 3] = ["std::time::Instant::now", "std::time::SystemTime::now", "std::thread::sleep"];
/// The pure crates and their directories.
const PURE: [(&str, &str); 7] = [
    ("interlock-algorithm", "node/algorithm"),
    ("interlock-machine", "node/machine"),
    ("interlock-model", "orchestrator/model"),
    ("interlock-observation", "orchestrator/observation"),
    ("interlock-world", "orchestrator/world"),
    ("interlock-simulation", "orchestrator/simulation"),
    ("interlock-exploration", "orchestrator/exploration"),
];

/// Returns the names of all direct and indirect dependencies of a crate, and the name of the crate itself.
fn dependencies(package: &str) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{lib}"])
        .args(["--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let mut names: Vec<String> = String::from_utf8_lossy(&tree.stdout).lines().map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn forbidden(package: &str) -> Vec<String> {
    let mut names = dependencies(package);
    assert!(names.contains(&package.replace('-', "_")), "{names:?}");
    names.retain(|name| FORBIDDEN.contains(&name.as_str()));
    names
}

#[test]
fn pure_crates_depend_on_nothing_that_does_input_or_output() {
    for (package, _) in PURE {
        assert_eq!(forbidden(package), [""; 0], "{package}");
    }
}

#[test]
fn the_same_look_finds_what_the_other_crates_depend_on() {
    assert_eq!(forbidden("interlock-node"), ["hyper", "mio", "rustix", "tokio"]);
    assert!(forbidden("interlock-orchestrator").contains(&"rusqlite".to_owned()));
}

#[test]
fn the_harness_depends_on_no_other_crate_of_ours_and_on_no_runtime() {
    let names = dependencies("interlock-harness");
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("interlock")).collect();
    assert_eq!(ours, ["interlock_harness"]);
    assert_eq!(forbidden("interlock-harness"), ["rustix"], "it sends a signal, and blocks where it waits");
}

#[test]
fn pure_crates_are_forbidden_to_read_a_clock() {
    for (package, folder) in PURE {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("clippy.toml");
        let rules = fs::read_to_string(&path).expect("the rules of the lints");
        for clock in CLOCKS {
            assert!(rules.contains(&format!("path = \"{clock}\"")), "{package}: {clock}");
        }
    }
}
