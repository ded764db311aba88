//! Tests of temporary and permanent outages. During an outage the monitors must report no violation for correct
//! algorithms, and must still report violations of faulty algorithms.

use std::sync::Arc;

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::{Entry, FailureDetector, LockUse, NodeId, Variant};
use serde_json::{Value, json};

use super::{deadlocks, deserted, leaders, livelock, progress};
use interlock_model::event::{Event, Violation};
use interlock_model::specification::Draft;
use interlock_simulation::matrix::{Clock, Contender, contenders};
use interlock_simulation::scenario::{Findings, Scenario};
use interlock_simulation::simulation::{Report, Simulation};

fn carry_out(document: Value) -> (Report, Findings) {
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let specification = scenario.specification(None, false).expect("a run");
    Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs")
}

/// Runs a scenario in which only violations are recorded, and returns the violations.
fn judged(document: Value) -> Vec<Violation> {
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let simulation = Simulation::of_scenario(scenario.specification(None, false).expect("a run")).only_judged();
    let (report, _) = simulation.carry_out(&scenario).expect("it runs");
    report.violations.into_iter().map(|(_, violation)| violation).collect()
}

fn codes(report: &Report) -> Vec<String> {
    report.violations.iter().map(|(_, violation)| violation.code.to_string()).collect()
}

/// Runs a scenario with the steps `steps` and three processes. After these steps, P0 requests a replicated lock.
/// Returns the codes of the violations that were found.
fn replicated(mut steps: Vec<Value>, network: &Value) -> Vec<String> {
    steps.push(json!({ "at": "200ms", "acquire": { "node": 0, "hold": "5ms" } }));
    let (report, _) = carry_out(json!({
        "algorithm": "replicated-lock", "nodes": 3, "seed": 1, "parameters": { "lease": 40, "retry": 10 },
        "network": network, "steps": steps, "expect": [{ "never": "violation" }], "stop": { "after": "8s" },
    }));
    codes(&report)
}

#[test]
fn outage_nobody_enters() {
    let calm = json!({ "delay": "1ms" });
    let crashes = |lasts: Option<&str>| {
        let crash = |node| match lasts {
            Some(lasts) => json!({ "at": "100ms", "crash": { "node": node, "for": lasts } }),
            None => json!({ "at": "100ms", "crash": { "node": node } }),
        };
        vec![crash(1), crash(2)]
    };
    assert_eq!(replicated(crashes(Some("4s")), &calm), [""; 0]);
    assert_eq!(replicated(crashes(None), &calm), [deserted::NOBODY_ENTERS], "a majority is away for good");
}

/// P1 crashes, and its restart is planned after 1 s, but a step restarts it earlier. Later P2 crashes permanently, and
/// `last` crashes P1 again.
#[test]
fn a_restart_that_can_no_longer_come_excuses_nobody() {
    let said = |last: Value| {
        let steps = json!([
            { "crash": { "node": 1, "for": "1s" } }, { "at": "300ms", "restart": 1 }, { "at": "2s", "crash": 2 }, last,
            { "at": "3s", "acquire": { "node": 0, "hold": "5ms" } },
        ]);
        let (report, _) = carry_out(json!({
            "algorithm": "replicated-lock", "nodes": 3, "seed": 1, "parameters": { "lease": 40, "retry": 10 },
            "network": { "delay": "1ms" }, "steps": steps, "expect": [{ "never": "violation" }], "stop": { "after": "25s" },
        }));
        codes(&report)
    };
    assert_eq!(said(json!({ "at": "2s", "crash": 1 })), [deserted::NOBODY_ENTERS]);
    assert_eq!(said(json!({ "at": "2s", "crash": { "node": 1, "for": "22s" } })), [""; 0], "this one is still to come");
}

/// A nemesis crashes P1, which restarts after `lasts`. A step crashes P2 permanently. If `crashes_p1`, another step
/// then crashes P1 permanently.
#[test]
fn a_nemesis_that_has_restarted_its_process_excuses_nobody() {
    let run = |seed: u64, lasts: &str, crashes_p1: bool| {
        let mut steps = vec![json!({ "at": "3s", "crash": 2 })];
        steps.extend(crashes_p1.then(|| json!({ "crash": 1 })));
        steps.push(json!({ "acquire": { "node": 0, "hold": "5ms" } }));
        let (report, _) = carry_out(json!({
            "algorithm": "replicated-lock", "nodes": 3, "seed": seed, "parameters": { "lease": 40, "retry": 10 },
            "network": { "delay": "1ms" }, "nemesis": { "kinds": ["crash"], "every": "100ms", "budget": 1, "for": lasts },
            "steps": steps, "expect": [{ "never": "violation" }], "stop": { "after": "20s" },
        }));
        report
    };
    let first = |report: &Report| report.events.iter().find(|event| event.kind() == "crashed").and_then(Event::node);
    let draws_p1 = |seed: &u64| first(&run(*seed, "50ms", false)) == Some(NodeId(1));
    let seed = (1..20).find(draws_p1).expect("a seed with which it draws P1");
    assert_eq!(codes(&run(seed, "50ms", true)), [deserted::NOBODY_ENTERS]);
    assert_eq!(codes(&run(seed, "30s", false)), [""; 0], "P1 comes back");
}

/// P1 and P2 crash. P0 alone is elected and enters. Then P0 crashes, and P1 and P2 restart. If `lasts` is given, P0
/// restarts after this time. Returns the number of entries, and the codes of the violations that were found.
fn total_failure(variant: &str, lasts: Option<&str>) -> (u64, Vec<String>) {
    let last = match lasts {
        Some(lasts) => json!({ "at": "1s", "crash": { "node": 0, "for": lasts } }),
        None => json!({ "at": "1s", "crash": 0 }),
    };
    let (report, _) = carry_out(json!({
        "algorithm": "centralised-failover", "variant": variant, "nodes": 3, "seed": 1,
        "parameters": { "answer": 10, "patience": 20 }, "network": { "delay": "1ms" },
        "steps": [
            { "at": "100ms", "crash": { "node": 1, "for": "2s" } }, { "at": "100ms", "crash": { "node": 2, "for": "2s" } },
            { "at": "200ms", "elect": 0 }, { "at": "500ms", "acquire": { "node": 0, "hold": "5ms" } }, last,
            { "at": "3s", "acquire": { "node": 1, "hold": "5ms" } },
        ],
        "expect": [{ "never": "violation" }], "stop": { "after": "20s" },
    }));
    (report.entries, codes(&report))
}

/// Only P0 knows the latest term, so P1 and P2 must wait until P0 restarts.
#[test]
fn after_a_total_failure_the_last_to_fail_is_waited_for() {
    for variant in ["bully", "acknowledged-ring"] {
        assert_eq!(total_failure(variant, Some("500ms")), (2, vec![]), "{variant}: P0 is back first");
        assert_eq!(total_failure(variant, Some("15s")), (2, vec![]), "{variant}: P0 is back last");
        assert_eq!(total_failure(variant, None), (1, vec![deserted::NOBODY_ENTERS.to_owned()]), "{variant}");
    }
}

#[test]
fn nobody_is_accused_while_no_message_arrives() {
    let calm = json!({ "delay": "1ms" });
    for step in [
        json!({ "at": "100ms", "network": { "default": { "loss": 1.0 } } }),
        json!({ "at": "100ms", "rule": { "action": "drop" } }),
        json!({ "at": "100ms", "partition": { "groups": "0|1|2" } }),
    ] {
        assert_eq!(replicated(vec![step.clone()], &calm), [""; 0], "{step}");
    }
    assert_eq!(replicated(Vec::new(), &json!({ "delay": "1ms", "loss": 0.8 })), [""; 0]);
}

/// P1 holds lock 0 for a long time. Meanwhile P2 requests lock 0 again and again, and P3 uses only lock 1.
#[test]
fn starves_by_aborts() {
    let (report, _) = carry_out(json!({
        "algorithm": "wait-die", "nodes": 4, "locks": 2, "seed": 1, "network": { "delay": "1ms" },
        "workload": {
            "idle": 10, "hold": 1, "nodes": [2, 3], "locks": "0",
            "overrides": [{ "node": 2, "entries": 3 }, { "node": 3, "locks": "1", "entries": 400 }],
        },
        "steps": [{ "at": "1ms", "acquire": { "node": 1, "lock": 0, "hold": "8s" } }, { "wait": { "exited": { "node": 1 } } }],
        "expect": [{ "never": "violation" }], "stop": { "after": "20s", "when": "decided" },
    }));
    assert_eq!(codes(&report), [""; 0]);
}

/// P0 to P3 use a lock again and again. `act` is an intervention in this run, which has five processes. Returns the
/// codes of the violations that were found.
fn busy_beside(variant: &str, act: &Value) -> Vec<String> {
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": "suzuki-kasami", "variant": variant, "nodes": 5, "seed": 1, "network": { "delay": "1ms" },
        "workload": { "idle": "0", "hold": "1", "entries": 400, "nodes": [0, 1, 2, 3] },
        "script": [{ "at": 0.5, "do": act }],
    }))
    .expect("a draft");
    let simulation = Simulation::new(draft.complete_simulated().expect("a run"), 1_200);
    codes(&simulation.run().expect("a report"))
}

/// Processes compete for a token, and one process is unreachable. If the unreachable process is P4, which makes no
/// request, the monitor still reports starvation. If it is P3, which competes for the token, the monitor reports no
/// starvation.
#[test]
fn a_bystander_that_is_away_excuses_nobody_who_is_passed_over() {
    let groups = |of: u32| if of == 4 { "4|0,1,2,3" } else { "3|0,1,2,4" };
    let acts = |of: u32| {
        [
            json!({ "pause": { "node": of } }),
            json!({ "partition": { "groups": groups(of) } }),
            json!({ "partition": { "groups": groups(of), "lost": "hold" } }),
            json!({ "rule": { "match": { "to": of }, "action": "drop" } }),
            json!({ "rule": { "match": { "to": of }, "action": "hold" } }),
            json!({ "network": { "link": { "from": 0, "to": of, "loss": 1.0 } } }),
        ]
    };
    let starves = |codes: &[String]| codes.iter().any(|code| code == progress::STARVATION);
    for (bystander, participant) in acts(4).into_iter().zip(acts(3)) {
        assert!(starves(&busy_beside("lifo-queue", &bystander)), "{bystander}");
        assert!(!starves(&busy_beside("lifo-queue", &participant)), "{participant}");
        for act in [&bystander, &participant] {
            assert!(!starves(&busy_beside("fifo-queue", act)), "{act}");
        }
    }
}

#[test]
fn starvation_unseen() {
    let crash = json!({ "crash": { "node": 4 } });
    assert!(busy_beside("lifo-queue", &crash).iter().any(|code| code == progress::STARVATION));
    assert_eq!(busy_beside("fifo-queue", &crash), [""; 0]);
}

#[test]
fn each_group_of_a_partition_may_have_a_coordinator() {
    let said = |answer: &Value, groups: &str, elect: &[u32]| {
        let mut steps = vec![json!({ "partition": { "groups": groups } })];
        steps.extend(elect.iter().map(|node| json!({ "elect": { "node": node } })));
        let mut parameters = json!({ "initiators": "none" });
        if !answer.is_null() {
            parameters["answer"] = answer.clone();
        }
        let (report, _) = carry_out(json!({
            "algorithm": "bully", "nodes": 3, "seed": 1, "network": { "delay": "const:1" }, "parameters": parameters,
            "steps": steps, "stop": { "after": "3s" },
        }));
        codes(&report)
    };
    assert_eq!(said(&Value::Null, "0,1|2", &[0, 2]), [""; 0]);
    let found = said(&json!(1.5), "0|1,2", &[1]);
    assert!(found.iter().any(|code| code == leaders::TWO_COORDINATORS), "within one group: {found:?}");
}

/// An outage of three seconds that affects two of the nodes, or all links.
struct Outage {
    name: &'static str,
    steps: Vec<Value>,
    /// Whether processes crash in the outage. `loses` says whether messages are lost, and `delays` whether messages
    /// arrive late.
    crashes: bool,
    loses: bool,
    delays: bool,
}

impl Outage {
    /// Returns whether the outage violates an assumption of the variant in this row of the fault matrix.
    const fn breaks(&self, row: &Contender) -> bool {
        self.crashes && row.assumes.no_crash || self.loses && row.assumes.no_loss
    }

    /// Returns whether the outage may mislead even a correct variant: a time-out is too short, or heartbeats do not
    /// arrive. The source of the algorithm says that mutual exclusion may then be violated, or that two coordinators
    /// may be elected.
    fn misleads(&self, row: &Contender) -> bool {
        row.detector == "heartbeat" || self.delays && !row.assumes.time_outs.is_empty()
    }
}

fn outages() -> Vec<Outage> {
    let lasts = "3s";
    let outage = |name, [crashes, loses, delays]: [bool; 3], steps| Outage { name, steps, crashes, loses, delays };
    let both = |verb: &str| [1, 2].map(|node| json!({ verb: { "node": node, "for": lasts } })).into();
    let partition = |lost: &str| json!({ "partition": { "groups": "0|1|2", "lost": lost, "for": lasts } });
    let rule = |action: &str| json!({ "rule": { "action": action, "for": lasts } });
    let loss = |loss: f64| json!({ "network": { "default": { "loss": loss } } });
    vec![
        outage("crash", [true, false, false], both("crash")),
        outage("pause", [false, false, true], both("pause")),
        outage("partition", [false, true, false], vec![partition("drop")]),
        outage("partition that holds", [false, false, true], vec![partition("hold")]),
        outage("rule", [false, true, false], vec![rule("drop")]),
        outage("rule that delays", [false, false, true], vec![rule("delay:1500")]),
        outage("loss", [false, true, false], vec![loss(1.0), json!({ "sleep": lasts }), loss(0.0)]),
    ]
}

/// Returns all variants in a family that tolerate crashes or loss, as rows of the fault matrix.
fn repairs(family: &str) -> Vec<Contender> {
    let all = ENTRIES.iter().filter(|entry| entry.family == family).flat_map(|entry| {
        let correct = entry.variants.iter().filter(|variant| variant.broken.is_none());
        correct.map(move |variant| (entry, variant))
    });
    let row = |(entry, variant): (&'static Entry, &'static Variant)| {
        let assumes = catalogue::assumptions(entry.name, variant.name).unwrap_or(entry.assumes);
        let detector = if assumes.failure_detector == FailureDetector::Perfect { "perfect" } else { "none" };
        Contender { entry, variant, assumes, channel: "raw", detector }
    };
    let rows = if family == "mutual-exclusion" { contenders().collect() } else { all.map(row).collect::<Vec<_>>() };
    rows.into_iter().filter(|row| !row.assumes.no_crash || !row.assumes.no_loss).collect()
}

/// Returns a scenario for a row of the fault matrix, with an outage that begins after `after_ms` milliseconds.
fn document(row: &Contender, outage: &Outage, after_ms: u32) -> Value {
    let mut steps = vec![json!({ "sleep": format!("{after_ms}ms") })];
    steps.extend(outage.steps.clone());
    match (row.entry.family, row.entry.locks) {
        ("election", LockUse::None) => {
            steps.insert(0, json!({ "elect": 0 }));
            steps.extend([json!({ "sleep": "4s" }), json!({ "elect": 3 })]);
            row.elections(outage.name, vec![steps], Clock::Virtual)
        }
        ("agreement", LockUse::None) => {
            steps.insert(0, json!({ "propose": { "node": 3, "value": "first" } }));
            steps.push(json!({ "sleep": "4s" }));
            row.consensus(outage.name, steps, Clock::Virtual)
        }
        _ => row.chaos(outage.name, steps, Clock::Virtual),
    }
}

/// Returns a violation that the monitors wrongly report for a correct variant during an outage. If the outage violates
/// an assumption of the variant, a report is wrong only if it claims a lack of progress during the outage. If the
/// outage may mislead the variant, a report is wrong only if it claims a lack of progress, at any time.
fn accusation(row: &Contender, outage: &Outage, seed: u32) -> Option<Violation> {
    let mut document = document(row, outage, 20 * seed);
    document["seed"] = json!(seed);
    if outage.breaks(row) {
        document["stop"] = json!({ "after": "3s" });
    }
    let is_whole = !outage.breaks(row) && !outage.misleads(row);
    let accuses = |found: &Violation| {
        let is_about_progress = [progress::NAME, livelock::NAME].contains(&&*found.monitor);
        is_about_progress || is_whole && !deadlocks::is_about_detection(found)
    };
    judged(document).into_iter().find(accuses)
}

/// Seven outages with several seeds give at least twenty runs of each variant. For mutual exclusion, the fault matrix
/// has a row of each variant for each channel.
#[test]
fn no_repair_is_accused_by_an_outage() {
    for (family, seeds, fewest) in [("mutual-exclusion", 2, 30), ("election", 4, 1), ("agreement", 4, 1)] {
        let rows = repairs(family);
        assert!(rows.len() >= fewest, "{family}: {} rows", rows.len());
        let mut accused = Vec::new();
        for row in &rows {
            for outage in outages() {
                let of_seed = |seed| Some((row.name(), outage.name, seed, accusation(row, &outage, seed)?));
                accused.extend((1..=seeds).filter_map(of_seed));
            }
        }
        assert!(accused.is_empty(), "{family}: {accused:#?}");
    }
}
