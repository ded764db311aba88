//! Whole runs in virtual time.

use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{LockId, NodeId};
use serde_json::{Value, json};

use super::{Cut, Report, Scripted, Simulation, Watch};
use interlock_model::choice::Choice;
use interlock_model::event::Event;
use interlock_model::span::Span;
use interlock_model::specification::Draft;

/// Creates a simulation of the run that a document describes.
fn simulation(document: Value, entries: u64) -> Simulation {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    Simulation::new(draft.complete_simulated().expect("a specification"), entries)
}

/// Returns a run at heavy load: all processes request the critical section again as soon as they leave it. A message
/// takes one unit of time.
fn heavy(algorithm: &str, nodes: u32) -> Value {
    json!({
        "algorithm": algorithm, "nodes": nodes, "seed": 5,
        "network": { "delay": "const:1" }, "workload": { "idle": "0", "hold": "const:1" },
    })
}

fn run(document: Value, entries: u64) -> Report {
    simulation(document, entries).run().expect("a run")
}

#[test]
fn every_algorithm_lets_as_many_in_as_asked_and_breaks_no_rule() {
    for entry in ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants.iter().filter(|variant| variant.broken.is_none()) {
            let mut document = heavy(entry.name, 5);
            document["variant"] = json!(variant.name);
            let report = run(document, 100);
            assert_eq!(report.violations, [], "{} {}", entry.name, variant.name);
            assert_eq!((report.entries, report.cut), (100, None), "{} {}", entry.name, variant.name);
        }
    }
}

#[test]
fn ricart_agrawala_costs_what_it_should_to_the_message() {
    let report = run(heavy("ricart-agrawala", 5), 100);
    let metrics = report.metrics.expect("metrics");
    assert_eq!((report.messages, metrics.messages, metrics.entries), (800, 800, 100));
    assert_eq!(report.transmissions, 100 + 400, "a multicast counts as one");
    assert_eq!(metrics.synchronisation_delay.mean, Some(1.0));
}

/// The monitors find the loss of the token and the stuck processes at the same moment, when no further event occurs.
/// The loss is reported first.
#[test]
fn that_the_token_is_lost_is_told_before_that_nobody_can_go_on() {
    let report = run(
        json!({
            "algorithm": "suzuki-kasami", "nodes": 2, "seed": 1,
            "script": [
                { "at": 0, "do": { "rule": { "match": { "message_kind": "TOKEN" }, "action": "drop" } } },
                { "at": 1, "do": { "acquire": { "node": 1 } } },
            ],
        }),
        1,
    );
    let found: Vec<&str> = report.violations.iter().map(|(_, violation)| &*violation.monitor).collect();
    assert_eq!(found, ["tokens", "stuck"]);
}

#[test]
fn a_run_is_a_function_of_its_specification() {
    let mut document = heavy("maekawa", 7);
    document["network"] = json!({ "delay": "exp:3", "loss": 0.001, "duplicate": 0.001 });
    let text = |seed: u64| {
        let mut document = document.clone();
        document["seed"] = json!(seed);
        let simulation = Simulation { watch: Watch::Events, ..simulation(document, 50) };
        let events = simulation.run().expect("a run").events;
        events.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect::<Vec<_>>()
    };
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

/// A run has the same result on every machine: the result does not depend on the word size, on libraries or on the
/// order of maps.
#[test]
fn a_run_ends_as_it_ended_on_the_machine_where_this_was_written() {
    let mut document = heavy("maekawa", 9);
    document["network"] = json!({ "delay": "exp:3", "duplicate": 0.0 });
    document["workload"] = json!({ "idle": "normal:5,2", "hold": "pareto:1,2" });
    let simulation = Simulation { watch: Watch::Events, ..simulation(document, 60) };
    let report = simulation.run().expect("a run");
    let mut exits = report.events.iter().filter(|event| event.kind() == "exited");
    let last = exits.next_back().map(|event| serde_json::to_string(event).expect("JSON"));
    let expected =
        r#"{"seq":2361,"at_us":653443,"kind":"exited","node":7,"incarnation":1,"step":123,"lock":0,"request":7}"#;
    assert_eq!(last.as_deref(), Some(expected));
}

#[test]
fn what_is_watched_does_not_change_what_happens() {
    let reports = [Watch::Nothing, Watch::Metrics, Watch::Monitors, Watch::Events].map(|watch| {
        let mut document = heavy("suzuki-kasami", 6);
        document["network"] = json!({ "delay": "uniform:1..9" });
        document["workload"] = json!({ "idle": "exp:5", "hold": "uniform:0..3" });
        Simulation { watch, ..simulation(document, 200) }.run().expect("a run")
    });
    let counted = |report: &Report| (report.ended_at, report.steps, report.messages, report.entries);
    assert!(reports.iter().all(|report| counted(report) == counted(&reports[0])));
    assert_eq!(reports[1].metrics, reports[3].metrics);
}

#[test]
fn a_lost_message_is_seen_to_leave_everybody_stuck() {
    let mut document = heavy("ricart-agrawala", 3);
    document["network"] = json!({ "delay": "const:1", "loss": 0.05 });
    let report = run(document, 1_000);
    assert!(report.is_stuck());
    assert_eq!(report.broken().count(), 0);
    assert!(report.entries < 1_000);
}

#[test]
fn a_wrong_algorithm_is_caught() {
    let mut document = heavy("carvalho-roucairol", 3);
    document["variant"] = json!("both-hold");
    assert!(run(document, 20).broken().count() > 0);
}

#[test]
fn what_is_scripted_happens_when_it_should() {
    let mut document = heavy("centralised", 3);
    document["workload"] = Value::Null;
    let acquire = |at, node: u32| Scripted {
        at: Span(at),
        choice: Choice::Acquire { node: NodeId(node), lock: LockId(0), hold: Some(Span(10_000)) },
    };
    let script = vec![acquire(0, 1), acquire(500, 2)];
    let report = Simulation { script, watch: Watch::Events, ..simulation(document, 0) }.run().expect("a run");
    let entered: Vec<_> =
        report.events.iter().filter(|event| event.kind() == "entered").map(|event| event.at_us).collect();
    assert_eq!(entered, [2_000, 2_000 + 10_000 + 2_000]);
}

#[test]
fn in_an_open_loop_requests_pile_up() {
    let mut document = heavy("centralised", 2);
    document["workload"] = json!({ "idle": "const:1", "hold": "const:10", "loop": "open", "entries": 5 });
    let report = Simulation { entries: None, ..simulation(document, 0) }.run().expect("a run");
    assert_eq!((report.entries, report.violations.len(), report.cut), (10, 0, None));
}

#[test]
fn the_circling_of_a_token_that_nobody_wants_ends_with_the_requests() {
    let report = run(heavy("le-lann", 4), 12);
    assert_eq!((report.entries, report.cut), (12, None));
}

#[test]
fn several_locks_are_several_instances_of_any_algorithm_that_knows_one() {
    let knows_one = ENTRIES.iter().filter(|entry| entry.locks == interlock_algorithm::LockUse::Instances);
    for entry in knows_one {
        let mut document = heavy(entry.name, 4);
        document["locks"] = json!(3);
        document["workload"]["locks"] = json!("one");
        let report = run(document, 60);
        assert_eq!((report.entries, report.violations.len()), (60, 0), "{}", entry.name);
    }
}

/// Elections are not part of the cost of an entry. The number of elections therefore includes the elections during
/// the warm-up.
#[test]
fn the_warm_up_swallows_no_election() {
    let document = json!({
        "algorithm": "centralised-failover", "nodes": 5, "seed": 1, "network": { "delay": "const:5" },
        "workload": { "idle": "exp:100", "hold": "const:5", "nodes": [1, 2, 3, 4] },
        "script": [{ "at": 1_000, "do": { "crash": { "node": 0 } } }],
    });
    let elections = |warm_up| {
        let report = Simulation { warm_up, ..simulation(document.clone(), 400) }.run().expect("a run");
        let metrics = report.metrics.expect("metrics");
        assert_eq!(metrics.entries, 400 - warm_up);
        metrics.elections
    };
    let all = elections(0);
    assert!(all > 0, "there is one");
    assert_eq!(elections(200), all);
}

/// P7 has crashed, P3 calls an election, and P6 has announced itself to all by 14 ms. After that, the run has nothing
/// left to do. The pending one-hour timers for an election without a winner were cancelled, so they do not prolong
/// the run.
#[test]
fn a_timer_that_was_cancelled_lets_no_time_pass() {
    let document = json!({
        "algorithm": "bully", "nodes": 8, "seed": 1, "network": { "delay": "const:1" },
        "parameters": { "initiators": "none", "answer": 10, "coordinator": 3_600_000 },
        "script": [{ "at": 1, "do": { "crash": { "node": 7 } } }, { "at": 2, "do": { "elect": { "node": 3 } } }],
    });
    let report = Simulation { watch: Watch::Events, ..simulation(document, 0) }.run().expect("a run");
    let cancelled = report.events.iter().filter(|event| event.kind() == "cancelled").count();
    assert!(cancelled > 0, "somebody waited for less than it was ready to");
    let last = report.events.iter().rfind(|event| event.kind() != "ended").map(|event| event.at_us);
    assert_eq!(Some(report.ended_at), last, "the run ends with the last thing that happens");
}

/// Each request is for one of two locks, drawn at random. Messages about one lock also transfer knowledge of requests
/// for the other lock.
#[test]
fn over_several_locks_the_order_is_kept_by_those_that_keep_it() {
    let inversions = |algorithm: &str, variant: &str| {
        let document = json!({
            "algorithm": algorithm, "variant": variant, "nodes": 4, "locks": 2, "seed": 1,
            "network": { "delay": "exp:5", "fifo": algorithm == "lamport" },
            "workload": { "idle": "exp:2", "hold": "const:1", "locks": "one" },
        });
        let report = Simulation { watch: Watch::Metrics, ..simulation(document, 3_000) }.run().expect("a run");
        assert_eq!(report.entries, 3_000, "{algorithm} {variant}");
        report.metrics.and_then(|metrics| metrics.order_inversions).expect("the order is measured")
    };
    for entry in ENTRIES.iter().filter(|entry| entry.locks == interlock_algorithm::LockUse::Instances) {
        for variant in entry.keeps_order {
            assert_eq!(inversions(entry.name, variant), 0, "{} {variant}", entry.name);
        }
    }
    assert!(inversions("ricart-agrawala", "sequence-numbers") > 0);
}

/// Simulates a run that is cut short after 2,000 steps without progress.
fn impatient(document: Value, entries: u64, script: Vec<Scripted>) -> Report {
    let simulation = simulation(document, entries);
    Simulation { most_steps_without_progress: 2_000, script, ..simulation }.run().expect("a run")
}

#[test]
fn a_run_in_which_time_stands_still_is_cut_short() {
    for (algorithm, idle, hold) in [("le-lann", "const:5", "const:1"), ("bakery", "0", "const:1")] {
        for (delay, cut) in [("0", Some(Cut::NoProgress)), ("const:1", None)] {
            let mut document = heavy(algorithm, 4);
            document["network"] = json!({ "delay": delay });
            document["workload"] = json!({ "idle": idle, "hold": hold });
            let report = impatient(document, 40, Vec::new());
            assert_eq!((report.cut, report.violations.len()), (cut, 0), "{algorithm}, delay {delay}");
            assert_eq!(report.entries == 40, cut.is_none(), "{algorithm}, delay {delay}");
        }
    }
}

#[test]
fn entries_by_requests_that_are_given_up_again_are_no_progress() {
    for (again, cut) in [("const:10", Some(Cut::NoProgress)), ("uniform:5..50", None)] {
        let workload =
            json!({ "idle": "0", "hold": "const:1", "locks": "neighbours", "between": "const:5", "again": again });
        let document = json!({
            "algorithm": "prevention", "variant": "give-way", "nodes": 2, "seed": 1, "workload": workload,
            "network": { "delay": "const:1" },
        });
        assert_eq!(impatient(document, 6, Vec::new()).cut, cut, "again after {again}");
    }
}

#[test]
fn waiting_for_somebody_who_died_inside_is_no_progress() {
    let crash = |node| Scripted { at: Span(20_000), choice: Choice::Crash { node: NodeId(node) } };
    let acquire = |at, node: u32, hold| {
        let choice = Choice::Acquire { node: NodeId(node), lock: LockId(0), hold: Some(Span(hold)) };
        Scripted { at: Span(at), choice }
    };
    for (dies, cut) in [(2, Some(Cut::NoProgress)), (3, None)] {
        let document = json!({ "algorithm": "centralised-failover", "nodes": 4, "network": { "delay": "const:1" } });
        let script = vec![acquire(0, 2, 50_000), acquire(1_000, 1, 1_000), crash(dies)];
        assert_eq!(impatient(document, 0, script).cut, cut, "P{dies} dies");
    }
}

#[test]
fn progress_is_what_the_limit_counts_from() {
    let document = || {
        let mut document = heavy("ricart-agrawala", 5);
        document["workload"]["idle"] = json!("const:50");
        document
    };
    let report = impatient(document(), 1_000, Vec::new());
    assert_eq!((report.cut, report.entries), (None, 1_000));
    assert!(report.steps > 2 * 2_000);
    let simulation = Simulation { most_steps_without_progress: 5, ..simulation(document(), 1_000) };
    assert_eq!(simulation.run().expect("a run").cut, Some(Cut::NoProgress));
}

/// P2 has called an election and is paused while the answer arrives. Its time-out expires after that. When P2
/// resumes, it processes the answer before the time-out, so the time-out has no effect. In a second run P3 has
/// crashed and sends no answer, so the time-out takes effect.
#[test]
fn a_timer_that_a_paused_process_cancels_before_it_comes_to_it_does_not_run_out() {
    let resumed = |crashed: u32| {
        let document = json!({
            "algorithm": "bully", "nodes": 4, "seed": 1, "network": { "delay": "const:1" },
            "parameters": { "initiators": "none", "answer": 10, "coordinator": 1_000 },
            "script": [
                { "at": 0, "do": { "crash": { "node": crashed } } },
                { "at": 1, "do": { "elect": { "node": 2 } } },
                { "at": 2, "do": { "pause": { "node": 2 } } },
                { "at": 20, "do": { "resume": { "node": 2 } } },
            ],
        });
        let report = Simulation { watch: Watch::Events, ..simulation(document, 0) }.run().expect("a run");
        let of_p2 = |event: &&Event| event.node() == Some(NodeId(2)) && event.at_us == 20_000;
        report.events.iter().filter(of_p2).map(Event::kind).collect::<Vec<_>>()
    };
    let answered = resumed(0);
    assert!(answered.contains(&"cancelled") && !answered.contains(&"fired"), "{answered:?}");
    let unanswered = resumed(3);
    assert!(unanswered.contains(&"fired"), "{unanswered:?}");
}
