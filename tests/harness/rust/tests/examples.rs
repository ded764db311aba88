//! Tests of the five examples of the harness. Each example runs unchanged and must pass. Each example also runs
//! with another algorithm or another fault, and must then fail for the expected reason.

use std::collections::BTreeSet;
use std::time::Duration;

use interlock_harness::{Error, Playground, Value, json};

/// Maximum time for an expected event, also on a busy machine.
const WITHIN: Duration = Duration::from_mins(1);
/// Time to wait for an event that must not happen.
const IN_VAIN: Duration = Duration::from_secs(3);

/// Runs five nodes that take turns. Each node must enter as often as its client requests, and never two nodes at
/// the same time. The number of messages must equal the number in the paper.
fn five_nodes_take_turns(algorithm: &str, variant: Option<&str>) -> Result<(), Error> {
    let playground = Playground::open()?;
    let workload = json!({ "idle": "exp:10", "hold": 20, "entries": 4 });
    let run =
        playground.run(json!({ "algorithm": algorithm, "variant": variant, "nodes": 5, "workload": workload }))?;
    run.wait("idle", WITHIN)?;
    run.expect_no_violation()?;
    let metrics = run.metrics()?;
    assert_eq!(metrics["entries"], 5 * 4);
    assert_eq!(metrics["messages_per_entry"], 8.0, "2(N−1)");
    Ok(())
}

/// Checks that during a partition, only a majority makes progress. Once the partition has healed, all nodes must
/// make progress.
fn a_majority_goes_on(algorithm: &str, groups: &[&[u32]], within: Duration) -> Result<(), Error> {
    let playground = Playground::open()?;
    let workload = json!({ "idle": "exp:20", "hold": 5 });
    let run = playground.run(json!({ "algorithm": algorithm, "nodes": 5, "workload": workload }))?;
    run.wait(json!({ "every_node": "entered" }), WITHIN)?;
    let partition = run.partition(groups)?;
    let each = [2, 3, 4].map(|node| json!({ "event": { "kind": "entered", "node": node } }));
    run.wait(json!({ "all": each }), within)?;
    let goes_on = run.mark()?;
    run.wait(json!({ "entries": 10 }), WITHIN)?;
    let entered = run.events(&format!("kind=entered&since={goes_on}"))?;
    assert!(entered.iter().all(|event| event["node"].as_u64() >= Some(2)), "{entered:?}");
    partition.remove()?;
    run.wait(json!({ "every_node": "entered" }), WITHIN)?;
    run.expect_no_violation()
}

/// Checks that a held reply prevents a node from entering the critical section. Once the reply is delivered, the
/// node must enter.
fn a_reply_that_is_held(algorithm: &str, action: &str, within: Duration) -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = playground.run(json!({ "algorithm": algorithm, "nodes": 3 }))?;
    run.rule(json!({ "match": { "message_kind": "REPLY", "from": 1, "to": 0 }, "action": action }))?;
    run.acquire(0)?;
    run.wait_since(0, json!({ "event": { "kind": "held", "from": 1, "to": 0 } }), within)?;
    run.wait_since(0, json!({ "event": { "kind": "delivered", "message_kind": "REPLY", "from": 2 } }), WITHIN)?;
    assert_eq!((run.holder()?, run.verdict()?.status.as_str()), (None, "waiting-for-you"));
    for reply in run.held()? {
        run.deliver(reply)?;
    }
    run.wait(json!({ "entered": { "node": 0 } }), WITHIN).map(drop)
}

/// Crashes the coordinator. All nodes must then wait forever, and the verdict must give the reason.
fn the_coordinator_crashes(specification: Value, crashed: u32, within: Duration) -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = playground.run(specification)?;
    run.crash(crashed)?;
    for node in (0..4).filter(|&node| node != crashed) {
        run.acquire(node)?;
    }
    run.wait("stuck", within)?;
    let why = run.verdict()?.because.unwrap_or_default();
    assert!(why.contains("P1, P2 and P3 wait forever") && why.contains("P0 has crashed"), "{why}");
    Ok(())
}

/// Runs the variant `variant` of the centralised algorithm. The monitors must report that it violates mutual
/// exclusion.
fn a_broken_algorithm_is_caught(variant: &str, within: Duration) -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = playground.run(json!({ "algorithm": "centralised", "variant": variant, "nodes": 2 }))?;
    run.enter(0, WITHIN)?;
    run.acquire(1)?;
    run.wait(json!({ "violation": "mutual-exclusion" }), within)?;
    let violations = run.violations()?;
    assert!(violations[0].sentence.contains("P0 and P1 were in the critical section"), "{violations:?}");
    Ok(())
}

/// Checks that the result is an error whose text contains all `parts`. Returns the error.
fn told(result: Result<(), Error>, parts: &[&str]) -> Error {
    let error = result.expect_err("it should not hold");
    let text = error.to_string();
    assert!(parts.iter().all(|part| text.contains(part)), "all of {parts:?} should be in: {text}");
    error
}

#[test]
fn five_take_turns() -> Result<(), Error> {
    five_nodes_take_turns("ricart-agrawala", None)
}

#[test]
fn an_algorithm_without_exclusion_is_told_with_its_events() {
    let error =
        told(five_nodes_take_turns("centralised", Some("no-exclusion")), &["mutual-exclusion: P", "entered lock 0"]);
    assert!(matches!(error, Error::Violated { .. }), "{error}");
    assert_eq!(error.to_string().matches("entered lock 0").count(), 2, "{error}");
}

#[test]
fn a_majority_goes_on_without_the_others() -> Result<(), Error> {
    a_majority_goes_on("replicated-lock", &[&[0, 1], &[2, 3, 4]], WITHIN)
}

#[test]
fn an_algorithm_that_needs_everybody_waits_for_the_others() {
    let error =
        told(a_majority_goes_on("ricart-agrawala", &[&[0, 1], &[2, 3, 4]], IN_VAIN), &["entered", "has waited for"]);
    assert!(matches!(error, Error::Unmet { .. }), "{error}");
    let waits_for_them = [", for P0", ", for P1"].iter().any(|whom| error.to_string().contains(whom));
    assert!(waits_for_them, "{error}");
}

#[test]
fn a_minority_does_not_go_on() {
    let error =
        told(a_majority_goes_on("replicated-lock", &[&[0, 1, 2], &[3, 4]], IN_VAIN), &["did not happen within 3s"]);
    assert!(matches!(error, Error::Unmet { .. }), "{error}");
    let lines: Vec<_> = error.to_string().lines().map(str::to_owned).collect();
    let waiting: BTreeSet<_> = [3, 4]
        .into_iter()
        .filter(|node| lines.iter().any(|line| line.trim().starts_with(&format!("P{node} has waited"))))
        .collect();
    assert_eq!(waiting, BTreeSet::from([3, 4]), "{error}");
}

#[test]
fn a_held_reply_frees_when_it_is_delivered() -> Result<(), Error> {
    a_reply_that_is_held("ricart-agrawala", "hold", WITHIN)
}

#[test]
fn a_reply_that_is_lost_is_not_held() {
    let result = a_reply_that_is_held("ricart-agrawala", "drop", IN_VAIN);
    told(
        result,
        &["\"held\"", "verdict: stuck", "P0 has waited for", ", for P1", "dropped REPLY from P1 to P0 (1.0.1): rule"],
    );
}

#[test]
fn an_algorithm_without_replies_is_refused_with_the_place_and_what_there_is() {
    let error = told(a_reply_that_is_held("centralised", "hold", IN_VAIN), &["the algorithm does not send `REPLY`"]);
    let problem = error.problem().expect("a refusal");
    assert_eq!((problem.status, problem.errors[0].pointer.as_str()), (422, "/match/message_kind"));
    assert!(problem.errors[0].allowed.contains(&"GRANT".to_owned()), "{problem:?}");
}

#[test]
fn without_its_coordinator_everybody_is_stuck() -> Result<(), Error> {
    the_coordinator_crashes(json!({ "algorithm": "centralised", "nodes": 4 }), 0, WITHIN)
}

#[test]
fn an_algorithm_with_another_coordinator_is_not_stuck() {
    // The time-outs are long enough for a busy machine. With shorter time-outs, there might be two coordinators.
    let parameters = json!({ "answer": 500, "patience": 500 });
    let failover = json!({ "algorithm": "centralised-failover", "nodes": 4, "parameters": parameters });
    let result = the_coordinator_crashes(failover, 0, 3 * IN_VAIN);
    told(result, &["\"stuck\" did not happen", "in the section", "processes: P0 crashed"]);
}

#[test]
fn without_somebody_else_nobody_is_stuck() {
    let result = the_coordinator_crashes(json!({ "algorithm": "centralised", "nodes": 4 }), 3, IN_VAIN);
    told(result, &["\"stuck\" did not happen", "in the section", "processes: P3 crashed"]);
}

#[test]
fn a_broken_algorithm_is_caught_by_name() -> Result<(), Error> {
    a_broken_algorithm_is_caught("no-exclusion", WITHIN)
}

#[test]
fn a_right_algorithm_is_not_caught() {
    let result = a_broken_algorithm_is_caught("arrival-order", IN_VAIN);
    told(result, &["mutual-exclusion", "did not happen", "lock 0: P0 in the section", "P1 has waited"]);
}
