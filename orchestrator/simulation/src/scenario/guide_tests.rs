//! Tests of the guide to scenarios: it lists all steps of the schema, and each in a form that the reader accepts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::step::Action;
use super::{Written, role, schema, step};
use interlock_model::choice::forms;

/// The fields that a step may have beside its verb.
const BESIDE: [&str; 3] = ["at", "within", "steps"];

/// Returns the examples in the first column of the table of steps.
fn examples() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/steps.md");
    let guide = fs::read_to_string(path).expect("the guide");
    let (_, table) = guide.split_once("| step | what it does |").expect("the table of steps");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let first = |row: &str| row.replace("\\|", "¦").split('|').nth(1).unwrap_or_default().replace('¦', "|");
    let codes = |cell: String| cell.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect::<Vec<_>>();
    rows.flat_map(|row| codes(first(row))).collect()
}

fn verb(example: &str) -> String {
    example.split(':').next().unwrap_or_default().to_owned()
}

#[test]
fn the_guide_lists_the_steps_that_the_schema_has() {
    let listed: BTreeSet<String> = examples().iter().map(|example| verb(example)).collect();
    let schema = schema();
    let verbs = schema["$defs"]["Step"]["properties"].as_object().expect("verbs");
    let known: BTreeSet<String> = verbs.keys().filter(|verb| *verb != "at").cloned().collect();
    assert_eq!(listed, known);
}

#[test]
fn each_example_of_the_guide_is_a_step() {
    for example in examples().iter().filter(|example| !BESIDE.contains(&&*verb(example))) {
        let mut document = Written::read(example).unwrap_or_else(|error| panic!("{example}: {error:?}")).value;
        if verb(example) == "repeat" {
            document["steps"] = json!([{ "heal": "all" }]);
        }
        let mut errors = Vec::new();
        let steps = step::read(Value::Array(vec![document]), "/steps", &mut errors);
        assert!(errors.is_empty() && !steps.is_empty(), "{example}: {errors:?}");
        for step in steps {
            if let Action::Choose { choice, .. } = step.action {
                forms::read(&role::stand_in(&choice, 5), None).unwrap_or_else(|error| panic!("{example}: {error:?}"));
            }
        }
    }
}
