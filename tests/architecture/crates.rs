//! Test of the order of the crates in the workspace: each crate depends only on crates that precede it.

use std::process::Command;

use serde_json::Value;

/// Order of the crates, the lowest first. Crates on the same line do not depend on one another.
const ORDER: [&[&str]; 11] = [
    &["interlock-algorithm", "interlock-harness", "interlock-heap"],
    &["interlock-machine"],
    &["interlock-model", "interlock-node"],
    &["interlock-observation"],
    &["interlock-world"],
    &["interlock-simulation"],
    &["interlock-exploration"],
    &["interlock-orchestrator"],
    &["interlock-api", "interlock-evidence"],
    &["interlock-cli"],
    &["interlock"],
];

/// Returns the crates of the workspace, as `cargo metadata` describes them.
pub fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let Value::Array(packages) = metadata["packages"].take() else { panic!("no packages") };
    packages
}

/// Returns each crate with the crates of the workspace on which it depends. Dependencies of its tests are excluded.
fn dependencies(packages: &[Value]) -> Vec<(String, Vec<String>)> {
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let ours = |dependency: &&Value| dependency["kind"].is_null() && dependency["path"].is_string();
    let of =
        |package: &Value| package["dependencies"].as_array().expect("a list").iter().filter(ours).map(name).collect();
    packages.iter().map(|package| (name(package), of(package))).collect()
}

/// Returns the crates that the order does not contain, and the dependencies that contradict the order.
fn violations(dependencies: &[(String, Vec<String>)], order: &[&[&str]]) -> Vec<String> {
    let place = |name: &str| order.iter().position(|line| line.contains(&name));
    let pairs = dependencies.iter().flat_map(|(name, others)| others.iter().map(move |other| (name, other)));
    let against = pairs.filter(|(name, other)| place(name) <= place(other));
    let against = against.map(|(name, other)| format!("{name} must not depend on {other}"));
    let missing = dependencies.iter().filter(|(name, _)| place(name).is_none());
    missing.map(|(name, _)| format!("{name} is not in the order")).chain(against).collect()
}

#[test]
fn each_crate_depends_only_on_crates_before_it() {
    assert_eq!(violations(&dependencies(&packages()), &ORDER), [""; 0]);
}

#[test]
fn a_dependency_against_the_order_and_an_unknown_crate_are_violations() {
    let found = |order: &[&[&str]]| violations(&dependencies(&packages()), order);
    let mut swapped = ORDER;
    swapped.swap(0, 1);
    assert_eq!(found(&swapped), ["interlock-machine must not depend on interlock-algorithm"]);
    let mut on_one_line = ORDER;
    on_one_line[8] = &["interlock-api", "interlock-evidence", "interlock-cli"];
    on_one_line[9] = &[];
    let against =
        ["interlock-cli must not depend on interlock-api", "interlock-cli must not depend on interlock-evidence"];
    assert_eq!(found(&on_one_line), against);
    assert!(found(&ORDER[..10]).contains(&"interlock is not in the order".to_owned()));
}
