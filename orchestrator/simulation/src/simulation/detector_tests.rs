//! Runs with failure detectors: the notifications of crashes and restarts, their times and their effects.

use interlock_algorithm::{NodeId, Outcome};
use serde_json::{Value, json};

use super::{Report, Simulation, Watch};
use interlock_model::event::What;
use interlock_model::specification::{Draft, Specification};
use interlock_observation::metrics::DetectorDocument;
use interlock_observation::monitor::stuck;

/// Returns the specification of a run with this script, in which three processes request again and again.
fn specification(algorithm: &Value, detector: &Value, script: &Value) -> Specification {
    let mut document = json!({
        "nodes": 3, "seed": 3, "detector": detector, "script": script, "network": { "delay": 2 },
        "workload": { "idle": "const:20", "hold": "const:5", "entries": 40 },
    });
    let own = algorithm.as_object().cloned().unwrap_or_default();
    document.as_object_mut().expect("a document").extend(own);
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn run(algorithm: &Value, detector: &Value, script: &Value) -> Report {
    let specification = specification(algorithm, detector, script);
    let simulation = Simulation {
        entries: None,
        until: Some(20_000_000),
        watch: Watch::Events,
        ..Simulation::new(specification, 0)
    };
    simulation.run().expect("a run")
}

fn removing() -> Value {
    json!({ "algorithm": "ricart-agrawala", "variant": "remove-dead" })
}

fn heartbeat(interval: u32, timeout: u32) -> Value {
    json!({ "heartbeat": { "interval": interval, "timeout": timeout } })
}

fn crash_of_p2() -> Value {
    json!([{ "at": 200, "do": { "crash": { "node": 2 } } }])
}

fn quality(report: &Report) -> DetectorDocument {
    report.metrics.clone().expect("metrics").detector
}

/// Returns the events in which a process suspects or again trusts another, in order. The last value is the time in
/// ms.
fn beliefs(report: &Report) -> Vec<(&'static str, u32, u32, u64)> {
    let belief = |event: &interlock_model::event::Event| match event.what {
        What::Suspected { at, whom } => Some(("suspected", at.node.0, whom.0, event.at_us / 1_000)),
        What::Trusted { at, whom } => Some(("trusted", at.node.0, whom.0, event.at_us / 1_000)),
        _ => None,
    };
    report.events.iter().filter_map(belief).collect()
}

fn is_stuck(report: &Report) -> bool {
    report.violations.iter().any(|(_, violation)| *violation.monitor == *stuck::NAME)
}

#[test]
fn a_perfect_one_tells_of_each_death_and_return_at_once() {
    let script = json!([
        { "at": 200, "do": { "crash": { "node": 2 } } },
        { "at": 300, "do": { "restart": { "node": 2, "state": "none" } } },
    ]);
    let report = run(&removing(), &json!("perfect"), &script);
    let expected = [("suspected", 0, 2, 200), ("suspected", 1, 2, 200), ("trusted", 0, 2, 300), ("trusted", 1, 2, 300)];
    assert_eq!(beliefs(&report), expected);
    let quality = quality(&report);
    assert_eq!((quality.suspicions, quality.wrong_suspicions, quality.undetected), (2, 0, 0));
    assert_eq!((report.violations, report.entries), (Vec::new(), 120), "all go on, and who is back, too");
}

/// In the algorithms of Lamport, of Ricart and Agrawala, and of Carvalho and Roucairol, a process removes the
/// processes that it suspects. So the other processes make progress. The test uses each failure detector.
#[test]
fn where_the_dead_are_removed_all_go_on_and_who_is_back_too() {
    let script = json!([
        { "at": 200, "do": { "crash": { "node": 2 } } },
        { "at": 400, "do": { "restart": { "node": 2, "state": "none" } } },
        { "at": 500, "do": { "crash": { "node": 0 } } },
        { "at": 510, "do": { "crash": { "node": 1 } } },
        { "at": 600, "do": { "restart": { "node": 1, "state": "none" } } },
        { "at": 700, "do": { "restart": { "node": 0, "state": "none" } } },
    ]);
    for algorithm in ["lamport", "ricart-agrawala", "carvalho-roucairol"] {
        for detector in [json!("perfect"), heartbeat(10, 30)] {
            let removes = json!({ "algorithm": algorithm, "variant": "remove-dead" });
            let report = run(&removes, &detector, &script);
            let found = (report.violations.len(), report.entries, quality(&report).wrong_suspicions);
            assert_eq!(found, (0, 120, 0), "{algorithm}, {detector}: {:?}", report.violations);
        }
        // If the crashed process had granted all its permissions before, no process waits for it. Therefore only some
        // crash times lead to a stuck run.
        let waits_for_the_dead = |at: u64| {
            let script = json!([{ "at": at, "do": { "crash": { "node": 2 } } }]);
            is_stuck(&run(&json!({ "algorithm": algorithm }), &json!("perfect"), &script))
        };
        assert!((200..230).any(waits_for_the_dead), "{algorithm} without removal");
    }
}

/// A restarted process that does not participate in the algorithm counts as crashed: its restart is not reported, and
/// it sends no heartbeats.
#[test]
fn who_takes_no_part_is_not_trusted_again() {
    let script = json!([
        { "at": 200, "do": { "crash": { "node": 2 } } },
        { "at": 400, "do": { "restart": { "node": 2, "state": "none" } } },
    ]);
    for detector in [json!("perfect"), heartbeat(10, 30)] {
        let report = run(&json!({ "algorithm": "maekawa", "variant": "succession" }), &detector, &script);
        let believed = beliefs(&report);
        assert!(believed.len() >= 2 && believed.iter().all(|(belief, ..)| *belief == "suspected"), "{believed:?}");
        assert!(report.entries > 40, "the others go on: {}", report.entries);
    }
}

/// A recording reproduces the same events. In the schedule, each notification of a crash or restart is one action.
#[test]
fn a_recorded_run_plays_again_with_all_that_was_believed() {
    let script = json!([
        { "at": 200, "do": { "crash": { "node": 2 } } },
        { "at": 300, "do": { "restart": { "node": 2, "state": "none" } } },
    ]);
    for detector in [json!("perfect"), heartbeat(10, 30)] {
        let specification = specification(&removing(), &detector, &script);
        let entries = Some(60);
        let until = Some(3_000_000);
        let simulation =
            Simulation { watch: Watch::Events, records: true, entries, until, ..Simulation::new(specification, 0) };
        let first = simulation.run().expect("a run");
        let schedule = first.schedule.clone().expect("a schedule");
        let again = simulation.replay(&schedule).expect("a replay").expect("choices that can be");
        let told = |report: &Report| report.events.iter().map(|event| format!("{event:?}")).collect::<Vec<_>>();
        assert!(!beliefs(&first).is_empty());
        assert_eq!(beliefs(&again), beliefs(&first), "{detector}");
        assert_eq!(told(&again).len(), told(&first).len(), "{detector}");
    }
}

/// Simulates a run with heartbeats over links that lose one message in ten, and returns its report.
fn lossy(more: &Value, until_ms: u64) -> Report {
    let mut document = json!({
        "nodes": 4, "seed": 1, "channel": "reliable", "detector": heartbeat(5, 400),
        "network": { "delay": "uniform:1..20", "loss": 0.1, "duplicate": 0.1 },
    });
    document.as_object_mut().expect("keys").extend(more.as_object().expect("keys").clone());
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let until = Some(1_000 * until_ms);
    let simulation = Simulation { entries: None, until, watch: Watch::Events, ..Simulation::new(specification, 0) };
    simulation.run().expect("a run")
}

#[test]
fn a_run_in_which_all_is_done_ends_although_heartbeats_are_lost() {
    let clients = json!({ "idle": "exp:20", "hold": "1", "entries": 2 });
    for (algorithm, variant) in
        [("lamport", "remove-dead"), ("ricart-agrawala", "remove-dead"), ("le-lann", "original")]
    {
        let report = lossy(&json!({ "algorithm": algorithm, "variant": variant, "workload": clients }), 60_000);
        assert_eq!((report.cut, report.entries), (None, 8), "{algorithm}");
    }
    let report = lossy(&json!({ "algorithm": "bully" }), 60_000);
    assert_eq!((report.cut, report.violations.len()), (None, 0));
}

/// A run does not end before the failure detectors have noticed a crash. While a process waits, the run does not
/// end either, because a later suspicion may let the process continue.
#[test]
fn a_run_does_not_end_while_a_belief_may_change_or_somebody_waits() {
    let clients = json!({ "idle": "exp:20", "hold": "1", "entries": 2 });
    let after = |variant: &str, at: u64| {
        let script = json!([{ "at": at, "do": { "crash": { "node": 3 } } }]);
        let run = json!({
            "algorithm": "ricart-agrawala", "variant": variant, "workload": clients, "script": script,
        });
        lossy(&run, 20_000)
    };
    let noticed = after("remove-dead", 5_000);
    assert_eq!((noticed.cut, quality(&noticed).undetected), (None, 0));
    let waits = after("lamport-clock", 5);
    assert!(waits.cut.is_some() && !is_stuck(&waits), "{:?}", waits.violations);
}

#[test]
fn without_one_nobody_knows_and_all_wait() {
    let report = run(&removing(), &json!("none"), &crash_of_p2());
    assert!(beliefs(&report).is_empty() && is_stuck(&report));
    assert_eq!(quality(&report).undetected, 2);
}

#[test]
fn who_is_silent_is_missed_after_the_time_out_and_not_before() {
    let report = run(&removing(), &heartbeat(10, 30), &crash_of_p2());
    let beliefs = beliefs(&report);
    assert_eq!(beliefs.len(), 2, "{beliefs:?}");
    for (belief, _, whom, at_ms) in beliefs {
        assert_eq!((belief, whom), ("suspected", 2));
        assert!((230..=250).contains(&at_ms), "three intervals of silence and one to notice it: {at_ms}");
    }
    let quality = quality(&report);
    assert_eq!((quality.wrong_suspicions, quality.undetected, quality.time_to_detect.count), (0, 0, 2));
    assert!(quality.heartbeats > 0 && report.violations.is_empty(), "{:?}", report.violations);
    assert_eq!(report.metrics.expect("metrics").messages_by_kind.get("DETECTOR-HEARTBEAT"), None);
}

/// Heartbeats continue without end, but cannot help the waiting processes. The run is therefore reported as stuck and
/// ends.
#[test]
fn who_waits_for_the_dead_is_stuck_though_hearts_go_on_beating() {
    let report = run(&json!({ "algorithm": "ricart-agrawala" }), &heartbeat(10, 30), &crash_of_p2());
    assert!(is_stuck(&report), "{:?}", report.violations);
    assert_eq!((report.violations.len(), report.cut), (1, None));
    let suspected = beliefs(&report).last().map(|(.., at_ms)| *at_ms);
    let told = report.events.iter().find(|event| event.kind() == "violated").map(|event| event.at_us / 1_000);
    assert!(told > suspected, "not before all have missed it: {told:?}, {suspected:?}");
}

/// P0 waits for P2, which is partitioned from P0 and P1. The director waits for an entry that the partition prevents,
/// so it has no pending action. When the partition ends, P0 and P1 trust P2 again.
#[test]
fn nobody_is_stuck_while_a_partition_keeps_heartbeats_away() {
    let said = |detector: &Value, heals_first: bool| {
        let heal = json!({ "heal": {} });
        let wait = json!({ "wait": { "entered": { "node": 0 } }, "within": "5s" });
        let mut steps = vec![json!({ "partition": { "groups": "0,1|2" } }), json!({ "acquire": { "node": 0 } })];
        if heals_first {
            steps.extend([json!({ "sleep": "1s" }), heal]);
        }
        steps.push(wait);
        let document = json!({
            "algorithm": "ricart-agrawala", "nodes": 3, "seed": 1, "detector": detector, "network": { "delay": 2 },
            "steps": steps, "expect": [{ "never": "violation" }], "stop": { "after": "10s" },
        });
        let scenario = std::sync::Arc::new(crate::scenario::Scenario::read(document).expect("a scenario"));
        let specification = scenario.specification(None, false).expect("a run");
        let (report, _) = Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs");
        is_stuck(&report)
    };
    let heartbeat = heartbeat(10, 30);
    assert!(!said(&heartbeat, false), "healing may still help");
    assert!(said(&heartbeat, true), "the request was lost, and nothing is left to heal");
    assert!(said(&json!("none"), false), "without heartbeats, healing brings nothing back");
}

/// A paused process is suspected too, although it has not crashed, until it resumes. A paused process suspects no
/// process.
#[test]
fn who_stands_still_is_suspected_wrongly_and_trusted_again() {
    let script =
        json!([{ "at": 200, "do": { "pause": { "node": 2 } } }, { "at": 400, "do": { "resume": { "node": 2 } } }]);
    let report = run(&json!({ "algorithm": "suzuki-kasami" }), &heartbeat(10, 30), &script);
    let beliefs = beliefs(&report);
    assert!(beliefs.iter().all(|(_, who, whom, _)| *who != 2 && *whom == 2), "{beliefs:?}");
    let count = |wanted: &str| beliefs.iter().filter(|(belief, ..)| *belief == wanted).count();
    assert_eq!((count("suspected"), count("trusted"), quality(&report).wrong_suspicions), (2, 2, 2));
}

/// Delays are sometimes longer than the time-out. An adaptive detector then makes fewer wrong suspicions than a fixed
/// one.
#[test]
fn an_adaptive_one_becomes_right_where_delays_have_a_bound() {
    let wrong = |adaptive: bool| {
        let detector = json!({ "heartbeat": { "interval": 10, "timeout": 10, "adaptive": adaptive } });
        let slow = json!({ "algorithm": "suzuki-kasami", "network": { "delay": "uniform:1..40" } });
        quality(&run(&slow, &detector, &json!([]))).wrong_suspicions
    };
    let (fixed, adaptive) = (wrong(false), wrong(true));
    assert!(adaptive > 0 && fixed > 4 * adaptive, "{fixed} and {adaptive}");
}

#[test]
fn an_election_starts_by_itself_when_the_coordinator_is_missed() {
    for algorithm in ["bully", "acknowledged-ring"] {
        let elect = json!({ "algorithm": algorithm, "workload": null });
        for (detector, leader) in [
            (json!("perfect"), Some(NodeId(1))),
            (heartbeat(10, 30), Some(NodeId(1))),
            (json!("none"), Some(NodeId(2))),
        ] {
            let report = run(&elect, &detector, &json!([{ "at": 2_000, "do": { "crash": { "node": 2 } } }]));
            let elected = report.events.iter().rev().find_map(|event| match event.outcome() {
                Some((_, Outcome::Elected { leader, .. })) => Some(*leader),
                _ => None,
            });
            assert_eq!(elected, leader, "{algorithm}, {detector}");
        }
    }
}

/// Because of a wrong suspicion, a second process enters while the holder is in the critical section. The monitor
/// reports the violation.
#[test]
fn a_wrong_suspicion_lets_two_in_and_is_told() {
    let script = json!([
        { "at": 100, "do": { "acquire": { "node": 0 } } },
        { "at": 120, "do": { "acquire": { "node": 1 } } },
        { "at": 140, "do": { "suspect": { "node": 1, "whom": 0 } } },
    ]);
    let mut idle = removing();
    idle["workload"] = Value::Null;
    let report = run(&idle, &json!("none"), &script);
    let broken: Vec<&str> = report.violations.iter().map(|(_, violation)| &*violation.monitor).collect();
    assert!(broken.contains(&"mutual-exclusion"), "{broken:?}");
    assert_eq!(quality(&report).wrong_suspicions, 1);
}
