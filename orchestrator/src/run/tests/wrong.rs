//! Test of a faulty algorithm. The violation must be detected even if critical sections have no duration, and
//! entry and exit are in the same batch.

use interlock_machine::live_node;
use serde_json::json;

use super::fixture::Fixture;
use super::impatient::Impatient;

#[tokio::test]
async fn sections_of_no_length_in_one_batch_are_found_to_be_concurrent() {
    let specification = json!({
        "algorithm": "ricart-agrawala", "nodes": 2, "workload": { "idle": "0", "hold": "0", "entries": 1 },
    });
    let mut world = Fixture::new(specification, |initialization| live_node::<Impatient>((), initialization)).await;
    world.play(|_| false);
    let codes: Vec<_> = world.core.violations().iter().map(|(_, violation)| violation.code.to_string()).collect();
    assert_eq!(codes, ["concurrent-sections"]);
    let document = serde_json::to_value(world.core.document()).expect("a state");
    assert_eq!(document["verdict"]["status"], "violated");
}
