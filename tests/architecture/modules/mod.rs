//! Test that the modules of a crate form no cycle. References between a module and the modules that it contains do
//! not count.

mod cycles;
mod source;
mod tree;

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::crates::packages;
use cycles::{Cycle, cycles};
use tree::Tree;

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

fn cycles_of(root: &Path) -> Vec<Cycle> {
    cycles(&Tree::read(root).references())
}

fn sample(name: &str) -> Vec<Cycle> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/architecture/samples");
    cycles_of(&samples.join(name).join("lib.rs"))
}

#[test]
fn modules_form_no_cycle() {
    let found = crates().into_iter().flat_map(|(name, root)| {
        cycles_of(&root).into_iter().map(move |cycle| format!("{name} has a cycle in {cycle}"))
    });
    assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
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
