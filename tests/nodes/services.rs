//! Tests of the services of Maelstrom's workloads. The correct services must meet all expectations. For each
//! property and each expectation, there is one faulty service that violates it.

use std::fs;

use serde_json::{Value, json};

use super::{folder, played, written};

/// Plays the service `service`, and returns the findings. `more` contains additional keys of the scenario, such as
/// the requests of clients. In the service's program, `from` is replaced with `to`; the program must contain `from`
/// exactly once.
fn judged(service: &str, (from, to): (&str, &str), more: &Value) -> Value {
    let right = fs::read_to_string(folder().join("maelstrom_services.py")).expect("the node");
    assert_eq!(right.matches(from).count(), 1, "what is changed stands there once: {from}");
    let mut scenario = json!({
        "algorithm": "own",
        "nodes": [{ "command": ["python3", "node.py"], "protocol": "maelstrom", "count": 3 }],
        "network": { "delay": "uniform:0ms..3ms" },
        "workload": { "service": service, "idle": "exp:2ms" },
        "steps": [{ "wait": { "operations": 150 }, "within": "60s" }],
        "expect": [{ "never": "violation" }, { "eventually": { "every_node": "returned" } }],
        "stop": { "after": "90s", "when": "decided" },
    });
    for (key, value) in more.as_object().expect("keys") {
        scenario[key] = value.clone();
    }
    played(written(&right.replace(from, to)).path(), &scenario)
}

/// The pair (`from`, `to`) for [`judged`] that leaves the service's program unchanged.
const AS_IT_IS: (&str, &str) = ("import json\n", "import json\n");

#[test]
fn plain_services_are_right() {
    for service in ["echo", "unique-ids", "lin-kv", "broadcast"] {
        let findings = judged(service, AS_IT_IS, &json!({}));
        assert_eq!(findings["outcome"], "met", "{service}: {findings}");
    }
}

#[test]
fn each_rule_is_broken_by_a_program_that_breaks_it() {
    for (service, change, expected) in [
        ("echo", (r#"echo=body["echo"]"#, r#"echo=body["echo"] + "!""#), "asked for the echo of"),
        ("unique-ids", (r#"id=f"{me}-{given}""#, "id=given"), "which had already been assigned"),
        ("lin-kv", ("elif me != nodes[0]:", "elif False:"), "is not linearizable"),
        ("lin-kv", (r#""read_ok", value=store.get(key)"#, r#""error", code=20"#), "is told that nothing is there"),
        ("broadcast", ("messages=values)", "messages=values + [12345678])"), "has the value 12345678, which was never"),
        ("broadcast", ("messages=values)", "messages=values[-2:])"), "no longer has the value"),
    ] {
        let findings = judged(service, change, &json!({}));
        assert_eq!(findings["outcome"], "not-met", "{change:?}: {findings}");
        assert!(findings.to_string().contains(expected), "{change:?}: {findings}");
    }
}

/// The node that stores all data, in its memory only, crashes and restarts without its data. The check finds the
/// loss only if a client reads a key before a client writes that key again. One crash may not be enough, so the
/// test crashes the node several times.
#[test]
fn a_store_that_forgets_is_not_linearizable() {
    let kept = |node: u32, deaths: u32| {
        let steps = json!([
            { "wait": { "operations": 20 }, "within": "60s" }, { "crash": { "node": node, "for": "50ms" } },
            { "wait": { "event": { "kind": "started", "node": node } }, "within": "60s" }
        ]);
        let steps = json!([{ "repeat": deaths, "steps": steps }, { "wait": { "operations": 20 }, "within": "60s" }]);
        judged("lin-kv", AS_IT_IS, &json!({ "steps": steps }))
    };
    let findings = kept(0, 20);
    assert_eq!(findings["outcome"], "not-met", "{findings}");
    assert!(findings.to_string().contains("is not linearizable"), "{findings}");
    let other = kept(2, 3);
    assert_eq!(other["outcome"], "met", "who keeps nothing has nothing to forget: {other}");
}

/// Plays the broadcast service during a partition. The program announces each value only once. Returns the
/// findings, which show whether all nodes have all values after the partition has healed.
fn converges(lost: &str) -> Value {
    let partition = json!({ "partition": { "groups": "0,1|2", "lost": lost } });
    let steps = json!([
        partition, { "wait": { "operations": 150 }, "within": "60s" }, { "heal": "all" }, { "mark": "healed" }
    ]);
    let expect = json!([
        { "never": "violation" }, { "after": "healed", "within": "5s", "eventually": "converged" }
    ]);
    judged("broadcast", AS_IT_IS, &json!({ "steps": steps, "expect": expect }))
}

#[test]
fn what_is_held_meanwhile_comes_to_all_and_what_is_lost_does_not() {
    let held = converges("hold");
    assert_eq!(held["outcome"], "met", "{held}");
    let lost = converges("drop");
    assert_eq!(lost["outcome"], "not-met", "{lost}");
    assert!(lost.to_string().contains("did not read all that had been broadcast"), "{lost}");
}

#[test]
fn what_makes_no_sense_is_told_in_words() {
    for (service, change, expected) in [
        ("lin-kv", ("value=store.get(key)", r#"value="none""#), "answered `read` with"),
        ("lin-kv", (r#""write_ok""#, r#""written""#), "instead of `write_ok`"),
        ("broadcast", (r#""topology_ok""#, r#""topology_done""#), "instead of `topology_ok`"),
        ("unique-ids", (r#""generate_ok", id=f"{me}-{given}""#, r#""error", code=10"#), "answered `generate` with"),
    ] {
        let findings = judged(service, change, &json!({}));
        assert_eq!(findings["outcome"], "not-met", "{change:?}: {findings}");
        assert!(findings.to_string().contains(expected), "{change:?}: {findings}");
    }
}

#[test]
fn metrics_tell_what_came_of_what_was_asked_for() {
    let expect = json!([
        { "metric": "operations.done >= 150" }, { "metric": "operations.refused > 0" },
        { "metric": "operations.latency.p50 < 60s" }, { "metric": "operations.unknown == 0" },
        { "metric": "entries == 0" }
    ]);
    let findings = judged("lin-kv", AS_IT_IS, &json!({ "expect": expect }));
    assert_eq!(findings["outcome"], "met", "{findings}");
}
