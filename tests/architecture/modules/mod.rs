//! No cycle between the modules of a crate. References between a module and the modules within it do not count.

mod cycles;
mod source;
mod tree;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use cycles::{Cycle, cycles};
use tree::Tree;

/// A cycle that is still there.
struct Listed {
    package: &'static str,
    /// The module that contains the cycle.
    within: &'static str,
    modules: &'static [&'static str],
    reason: &'static str,
}

/// All cycles of the workspace. A new one is cut; one that is gone leaves the list.
const LISTED: [Listed; 0] = [];

/// Returns the name and the root file of each library and program of the workspace.
fn crates() -> Vec<(String, PathBuf)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let targets = list(&metadata, "packages").flat_map(|package| list(package, "targets"));
    let roots = targets.filter(|target| ["lib", "bin"].iter().any(|kind| target["kind"][0] == *kind));
    roots.map(|root| (text(root, "name").replace('_', "-"), text(root, "src_path").into())).collect()
}

fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value[field].as_array().expect("a list").iter()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().expect("a text")
}

fn cycles_of(root: &Path) -> Vec<Cycle> {
    cycles(&Tree::read(root).references())
}

/// Returns the cycles of `package` that are not listed, and the listed ones that are not there.
fn differences(package: &str, found: &[Cycle], listed: &[Listed]) -> Vec<String> {
    let is_of = |listed: &Listed, cycle: &Cycle| listed.within == cycle.within && cycle.modules == listed.modules;
    let listed: Vec<&Listed> = listed.iter().filter(|listed| listed.package == package).collect();
    let new = found.iter().filter(|cycle| !listed.iter().any(|listed| is_of(listed, cycle)));
    let gone = listed.iter().filter(|listed| !found.iter().any(|cycle| is_of(listed, cycle)));
    let new = new.map(|cycle| format!("{package} has a cycle in {cycle}"));
    let gone = gone.map(|listed| {
        let Listed { within, modules, reason, .. } = listed;
        format!(
            "{package} no longer has the cycle {within}: {}; remove it from the list ({reason})",
            modules.join(", ")
        )
    });
    new.chain(gone).collect()
}

fn sample(name: &str) -> Vec<Cycle> {
    cycles_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/architecture/samples").join(name).join("lib.rs"))
}

#[test]
fn modules_form_no_cycle_but_the_listed_ones() {
    let crates = crates();
    let names: BTreeSet<&str> = crates.iter().map(|(name, _)| name.as_str()).collect();
    assert!(LISTED.iter().all(|listed| names.contains(listed.package)), "{names:?}");
    let wrong = |(name, root): &(String, PathBuf)| differences(name, &cycles_of(root), &LISTED);
    let wrong: Vec<String> = crates.iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_reference_from_the_lowest_layer_to_the_highest_makes_a_cycle() {
    let found = sample("cyclic");
    let found: Vec<_> = found.iter().map(|cycle| (cycle.within.as_str(), cycle.modules.clone())).collect();
    assert_eq!(found, [("crate", ["event", "monitor", "state"].map(str::to_owned).to_vec())]);
}

#[test]
fn tests_comments_texts_and_parents_make_no_cycle() {
    let found: Vec<String> = sample("layered").iter().map(ToString::to_string).collect();
    assert_eq!(found, [""; 0]);
}

#[test]
fn the_list_has_every_cycle_and_no_other() {
    let listed = |modules| [Listed { package: "sample", within: "crate", modules, reason: "it is a sample" }];
    let found = sample("cyclic");
    assert_eq!(differences("sample", &found, &listed(&["event", "monitor", "state"])), [""; 0]);
    assert_eq!(differences("sample", &found, &[]).len(), 1, "not listed");
    assert_eq!(differences("sample", &found, &listed(&["event", "monitor"])).len(), 2, "listed with fewer modules");
    assert_eq!(differences("sample", &[], &listed(&["event", "monitor", "state"])).len(), 1, "listed, and gone");
}
