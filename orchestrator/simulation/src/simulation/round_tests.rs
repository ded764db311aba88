//! Locks that a client requests together count as one round. The client, the simulation, and the state that a live
//! run derives from its events must all count so.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::{Report, Simulation, Watch};
use interlock_model::specification::{Draft, Specification};
use interlock_observation::state::State;

fn played(document: &Value, entries: Option<u64>) -> (Specification, Report) {
    let draft: Draft = serde_json::from_value(document.clone()).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { entries, watch: Watch::Events, ..Simulation::new(specification.clone(), 0) };
    (specification, simulation.run().expect("a run"))
}

fn several(algorithm: &str, locks: u32, choice: &str) -> Value {
    json!({
        "algorithm": algorithm, "nodes": 6, "locks": locks, "seed": 3, "network": { "delay": "const:1" },
        "workload": { "idle": "0", "hold": "const:1", "locks": choice, "between": "const:1", "entries": 3 },
    })
}

/// Returns the number of rounds as a live run counts them.
fn told(specification: &Specification, report: &Report) -> u64 {
    let mut state = State::new(specification);
    report.events.iter().for_each(|event| state.apply(event));
    NodeId::all(specification.nodes).filter_map(|node| state.node(node)).map(|node| node.rounds).sum()
}

#[test]
fn each_client_makes_as_many_rounds_as_its_workload_says_however_many_requests_they_take() {
    for (algorithm, locks, choice, entries) in [
        ("ricart-agrawala", 2, "all", 36),
        ("ricart-agrawala", 3, "all", 54),
        ("ricart-agrawala", 3, "one", 18),
        ("raymond", 4, "0,3", 36),
        ("wound-wait", 2, "first", 18),
        ("prevention", 2, "all", 36),
    ] {
        let (specification, report) = played(&several(algorithm, locks, choice), None);
        assert_eq!((report.rounds, report.entries), (18, entries), "{algorithm}, {choice} of {locks}");
        assert_eq!(told(&specification, &report), 18, "{algorithm}, {choice} of {locks}");
    }
}

#[test]
fn what_all_clients_together_make_are_rounds_too() {
    let mut document = several("lamport", 2, "all");
    document["workload"]["entries"] = Value::Null;
    let (specification, report) = played(&document, Some(10));
    assert_eq!((report.rounds, report.entries, told(&specification, &report)), (10, 20, 10));
}

#[test]
fn a_round_that_is_aborted_and_made_again_is_one() {
    let mut document = several("wait-die", 3, "some:2");
    document["workload"]["again"] = json!("uniform:1..10");
    let (specification, report) = played(&document, None);
    assert!(report.entries > 36, "{} entries: somebody died and entered again", report.entries);
    assert_eq!((report.rounds, told(&specification, &report)), (18, 18));
}

#[test]
fn what_is_ordered_apart_is_a_round_each_and_what_is_ordered_together_is_one() {
    let order = |at: u64, verb: &str, mut what: Value| {
        what["node"] = json!(1);
        what["hold"] = json!(5);
        json!({ "at": at, "do": { verb: what } })
    };
    let apart = [order(0, "acquire", json!({ "lock": 0 })), order(1, "acquire", json!({ "lock": 1 }))];
    let together = [order(0, "acquire_together", json!({ "locks": [0, 0, 1] }))];
    for (algorithm, script, rounds, entries) in [
        ("ricart-agrawala", json!(apart), 2, 2),
        ("banker", json!(apart), 2, 2),
        ("banker", json!(together), 1, 3),
        ("banker", json!([&together[..], &apart[..]].concat()), 3, 5),
    ] {
        let mut document = several(algorithm, 2, "first");
        document["workload"] = Value::Null;
        document["script"] = script;
        if algorithm == "banker" {
            document["parameters"] = json!({ "existing": "3,3", "claims": "3,3;3,3;3,3;3,3;3,3;3,3" });
        }
        let (specification, report) = played(&document, None);
        assert_eq!((report.rounds, report.entries), (rounds, entries), "{document}");
        assert_eq!(told(&specification, &report), rounds, "{document}");
    }
}

#[test]
fn a_process_that_dies_between_two_locks_of_a_round_has_made_it_and_one_that_dies_before_has_not() {
    for (dies, entries) in [(3, 3), (1, 4)] {
        let mut document = several("centralised", 2, "all");
        document["nodes"] = json!(2);
        document["workload"] = json!({ "idle": "0", "hold": "0", "between": "const:5", "locks": "all",
            "entries": 2, "nodes": [1] });
        document["script"] = json!([
            { "at": dies, "do": { "crash": { "node": 1 } } },
            { "at": 100, "do": { "restart": { "node": 1, "state": "none" } } },
        ]);
        let (specification, report) = played(&document, None);
        assert_eq!((report.rounds, report.entries), (2, entries), "it dies at {dies}");
        assert_eq!(told(&specification, &report), 2, "it dies at {dies}");
    }
}
