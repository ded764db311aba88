//! Whole runs with scripts. They test what a process may do after a restart without its state, and what a leader may
//! do while it is partitioned.

use std::collections::BTreeSet;

use interlock_algorithm::{NodeId, Outcome};
use serde_json::{Value, json};

use super::{Report, Simulation, Watch};
use interlock_model::event::What;
use interlock_model::specification::Draft;

fn played(algorithm: &str, nodes: u32, script: &Value) -> Report {
    run(json!({
        "algorithm": algorithm, "nodes": nodes, "seed": 5, "network": { "delay": "const:1" }, "script": script,
    }))
}

fn run(document: Value) -> Report {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { watch: Watch::Events, until: Some(20_000_000), ..Simulation::new(specification, 0) };
    simulation.run().expect("a run")
}

/// Returns the nodes that entered the critical section, in the order of their entries.
fn entered(report: &Report) -> Vec<u32> {
    let who = report.events.iter().filter_map(|event| match event.outcome() {
        Some((at, Outcome::Entered { .. })) => Some(at.node.0),
        _ => None,
    });
    who.collect()
}

/// Returns the maximum number of processes in the critical section at the same time.
fn most_inside(report: &Report) -> usize {
    let mut inside = BTreeSet::new();
    let counts = report.events.iter().map(|event| {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Entered { .. } } => drop(inside.insert(at.node)),
            What::Outcome { at, outcome: Outcome::Exited { .. } } => drop(inside.remove(&at.node)),
            What::Crashed { node, .. } => drop(inside.remove(node)),
            _ => {}
        }
        inside.len()
    });
    counts.max().unwrap_or_default()
}

/// Simulates a run in which node 1 enters, crashes while no process requests anything, restarts without its state
/// and requests again.
fn idle_client(algorithm: &str) -> Report {
    let acquire = |at: u64, node: u32| json!({ "at": at, "do": { "acquire": { "node": node, "hold": 1 } } });
    played(
        algorithm,
        3,
        &json!([
            acquire(10, 1), acquire(40, 1), acquire(70, 2),
            { "at": 100, "do": { "crash": { "node": 1 } } },
            { "at": 110, "do": { "restart": { "node": 1, "state": "none" } } },
            acquire(120, 1),
        ]),
    )
}

#[test]
fn an_idle_client_that_comes_back_with_nothing_enters_again() {
    for algorithm in ["centralised", "suzuki-kasami", "ricart-agrawala-token", "bakery", "replicated-lock"] {
        let report = idle_client(algorithm);
        assert_eq!(entered(&report), [1, 1, 2, 1], "{algorithm}");
        assert_eq!(report.violations, [], "{algorithm}");
    }
}

#[test]
fn where_it_cannot_know_enough_its_client_is_told() {
    for algorithm in ["ricart-agrawala", "lamport", "maekawa", "raymond", "carvalho-roucairol"] {
        let report = idle_client(algorithm);
        assert_eq!(entered(&report), [1, 1, 2], "{algorithm}");
        let told =
            |what: &What| matches!(what, What::Refused { detail, .. } if detail.contains("does not participate"));
        assert!(report.events.iter().any(|event| told(&event.what)), "{algorithm}");
    }
}

/// P0, the first holder of the token, crashes and restarts without its state. Meanwhile another process has the token
/// and is in the critical section.
#[test]
fn a_first_holder_that_comes_back_with_nothing_has_no_token() {
    for algorithm in ["le-lann", "suzuki-kasami", "ricart-agrawala-token", "naimi-trehel"] {
        let report = played(
            algorithm,
            3,
            &json!([
                { "at": 10, "do": { "acquire": { "node": 1, "hold": 500 } } },
                { "at": 50, "do": { "crash": { "node": 0 } } },
                { "at": 60, "do": { "restart": { "node": 0, "state": "none" } } },
                { "at": 70, "do": { "acquire": { "node": 0, "hold": 1 } } },
            ]),
        );
        assert_eq!(most_inside(&report), 1, "{algorithm}: {:?}", report.violations);
        assert_eq!(entered(&report)[0], 1, "{algorithm}");
    }
}

/// Simulates a run with a partition into these groups, which separates the leader and the holder from a waiting
/// process.
fn cut_off(groups: &Value) -> Report {
    played(
        "replicated-lock",
        5,
        &json!([
            { "at": 10, "do": { "acquire": { "node": 1, "hold": 5_000 } } },
            { "at": 100, "do": { "acquire": { "node": 3, "hold": 1_000 } } },
            { "at": 200, "do": { "partition": { "groups": groups } } },
        ]),
    )
}

#[test]
fn a_leader_that_is_cut_off_with_the_holder_renews_no_lease() {
    let report = cut_off(&json!([[0, 1], [2, 3, 4]]));
    assert_eq!(entered(&report), [1, 3], "who waits enters when the lease is over");
    assert_eq!(most_inside(&report), 1, "the holder has left by then");
}

/// If the majority contains the leader and the holder, the leader renews the lease until the holder leaves the
/// critical section.
#[test]
fn a_leader_with_a_majority_renews_the_lease() {
    let report = cut_off(&json!([[0, 1, 2], [3, 4]]));
    let left_at = report.events.iter().find_map(|event| match event.outcome() {
        Some((at, Outcome::Exited { .. })) if at.node.0 == 1 => Some(event.at_us),
        _ => None,
    });
    assert!(left_at.is_some_and(|at| at >= 5_000_000), "{left_at:?}");
    assert_eq!(most_inside(&report), 1);
}

/// A timer of the previous incarnation does not expire in this incarnation, although each incarnation numbers its
/// timers from the same first number.
#[test]
fn a_timer_of_an_earlier_life_does_not_run_out_in_a_later_one() {
    let report = run(json!({
        "algorithm": "centralised", "nodes": 2, "seed": 1, "network": { "delay": "const:1" },
        "workload": {
            "idle": "const:20", "hold": "const:1", "entries": 1,
            "overrides": [{ "node": 0, "idle": "const:15" }],
        },
        "script": [
            { "at": 5, "do": { "crash": { "node": 1 } } },
            { "at": 10, "do": { "restart": { "node": 1, "state": "none" } } },
        ],
    }));
    let mut fired = report.events.iter().filter(|event| event.kind() == "fired" && event.node() == Some(NodeId(1)));
    assert_eq!(fired.next().map(|event| event.at_us), Some(30_000), "20 ms after it came back");
}
