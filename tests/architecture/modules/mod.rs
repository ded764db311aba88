//! No cycle between the modules of a crate. References between a module and the modules within it do not count.

mod cycles;
mod layers;
mod source;
mod tree;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::crates::packages;
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

/// The layers of `interlock-model`, the lowest first: the run, its observation, its simulation, its exploration.
const LAYERS: [&[&str]; 4] = [
    &[
        "choice",
        "event",
        "field_error",
        "flow",
        "impossible",
        "listed",
        "nearest",
        "network",
        "operation_words",
        "process_status",
        "resource",
        "schema",
        "span",
        "specification",
        "strict",
        "write",
    ],
    &["above_channels", "document", "metrics", "monitor", "state", "trace", "witness"],
    &["example", "matrix", "parallel", "repair_cost", "scenario", "schedule", "simulation", "world"],
    &["exploration"],
];

/// Returns the name and the root file of each library and program of the workspace.
fn crates() -> Vec<(String, PathBuf)> {
    let packages = packages();
    let targets = packages.iter().flat_map(|package| list(package, "targets"));
    let roots = targets.filter(|target| ["lib", "bin"].iter().any(|kind| target["kind"][0] == *kind));
    roots.map(|root| (text(root, "name").replace('_', "-"), text(root, "src_path").into())).collect()
}

fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value[field].as_array().expect("a list").iter()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().expect("a text")
}

fn violations_of(root: &Path, layers: &[&[&str]]) -> Vec<String> {
    let tree = Tree::read(root);
    layers::violations(&tree.modules(), &tree.references(), layers)
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

fn sample_root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/architecture/samples").join(name).join("lib.rs")
}

fn sample(name: &str) -> Vec<Cycle> {
    cycles_of(&sample_root(name))
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

#[test]
fn the_model_is_in_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("orchestrator/model/src/lib.rs");
    let found = violations_of(&root, &LAYERS);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_reference_to_a_higher_layer_and_a_module_in_no_layer_are_violations() {
    let layers: [&[&str]; 3] = [&["event"], &["state"], &["monitor"]];
    assert_eq!(violations_of(&sample_root("layered"), &layers), [""; 0]);
    let upward = violations_of(&sample_root("cyclic"), &layers);
    assert!(
        !upward.is_empty() && upward.iter().all(|line| line.starts_with("crate::event: crate::monitor")),
        "{upward:?}"
    );
    assert_eq!(violations_of(&sample_root("layered"), &layers[1..]), ["event is in 0 layers"]);
}
