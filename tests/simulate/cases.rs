//! Tests of cases from the field that are simulations: small inputs that were made from bug reports and exercises.

use serde_json::json;

use super::{figures, simulate, text};

/// Returns the path of the file of a case.
fn case(name: &str) -> String {
    format!("{}/tests/scenarios/cases/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Each of the two entries costs 3 messages. The abort between them costs a REQUEST, an ABORT and a RELEASE, as the
/// catalogue says.
#[test]
fn wait_die_cost() {
    let found = figures(&format!("--specification {}", case("wait-die-cost.json")));
    let row = if found.is_array() { &found[0] } else { &found };
    assert_eq!((&row["entries"], &row["messages"], &row["aborts"]), (&json!(2), &json!(9), &json!(1)), "{row}");
    let kinds = json!({ "ABORT": 1, "GRANT": 2, "RELEASE": 3, "REQUEST": 3 });
    assert_eq!(row["messages_by_kind"], kinds, "{row}");
    let table = text(&simulate(&format!("--specification {}", case("wait-die-cost.json"))));
    assert!(table.contains("in theory: 3, plus 3 (REQUEST, ABORT, RELEASE) each time that it dies"), "{table}");
}
