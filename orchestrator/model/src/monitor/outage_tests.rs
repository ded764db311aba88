//! Outages that end, and those that do not: correct algorithms are not accused, and others still are.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{deserted, leaders, livelock, progress};
use crate::event::Violation;
use crate::matrix::{Clock, Contender, contenders};
use crate::scenario::{Findings, Scenario};
use crate::simulation::{Report, Simulation};
use crate::specification::Draft;

fn carry_out(document: Value) -> (Report, Findings) {
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let specification = scenario.specification(None, false).expect("a run");
    Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs")
}

/// What the monitors find, without the events.
fn judged(document: Value) -> Vec<Violation> {
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let simulation = Simulation::of_scenario(scenario.specification(None, false).expect("a run")).only_judged();
    let (report, _) = simulation.carry_out(&scenario).expect("it runs");
    report.violations.into_iter().map(|(_, violation)| violation).collect()
}

fn codes(report: &Report) -> Vec<String> {
    report.violations.iter().map(|(_, violation)| violation.code.to_string()).collect()
}

/// P0 of three asks for a replicated lock after these steps.
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

/// P1 crashes for a time, and a step restarts it before that time is over; later P1 and P2 crash for good.
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

/// A nemesis crashes a process for a short time and restarts it; then a majority crashes for good.
#[test]
fn a_nemesis_that_has_restarted_its_process_excuses_nobody() {
    let said = |lasts: &str| {
        let (report, _) = carry_out(json!({
            "algorithm": "replicated-lock", "nodes": 3, "seed": 1, "parameters": { "lease": 40, "retry": 10 },
            "network": { "delay": "1ms" }, "nemesis": { "kinds": ["crash"], "every": "100ms", "budget": 1, "for": lasts },
            "steps": [
                { "at": "2s", "acquire": { "node": 0, "hold": "5ms" } }, { "wait": { "exited": { "node": 0 } } },
                { "at": "3s", "crash": 1 }, { "crash": 2 }, { "acquire": { "node": 0, "hold": "5ms" } },
            ],
            "expect": [{ "never": "violation" }], "stop": { "after": "20s" },
        }));
        codes(&report)
    };
    assert_eq!(said("50ms"), [deserted::NOBODY_ENTERS]);
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

/// P1 keeps lock 0 for a time; P3 uses lock 1, and P2 asks for lock 0 again and again.
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

/// Four of five processes use a lock again and again, and this is done to the run.
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

/// Where a token is wanted, it matters to nobody that P4 is away, which wants nothing. It matters that P3 is, which waits.
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

/// Something that is done to two of the nodes for three seconds.
struct Outage {
    name: &'static str,
    steps: Vec<Value>,
    /// Whether messages are lost.
    loses: bool,
}

fn outages() -> Vec<Outage> {
    let lasts = "3s";
    let outage = |name, loses, steps| Outage { name, steps, loses };
    vec![
        outage("crash", false, [1, 2].map(|node| json!({ "crash": { "node": node, "for": lasts } })).into()),
        outage("pause", false, [1, 2].map(|node| json!({ "pause": { "node": node, "for": lasts } })).into()),
        outage("partition", true, vec![json!({ "partition": { "groups": "0|1|2", "for": lasts } })]),
        outage("rule", true, vec![json!({ "rule": { "action": "drop", "for": lasts } })]),
        outage(
            "loss",
            true,
            vec![
                json!({ "network": { "default": { "loss": 1.0 } } }),
                json!({ "sleep": lasts }),
                json!({ "network": { "default": { "loss": 0.0 } } }),
            ],
        ),
    ]
}

/// What a correct repair is accused of during an outage and, unless the outage takes away what the repair needs, after it.
fn accusation(row: &Contender, outage: &Outage, seed: u32) -> Option<Violation> {
    let mut steps = vec![json!({ "sleep": format!("{}ms", 20 * seed) })];
    steps.extend(outage.steps.clone());
    let mut document = row.chaos(outage.name, steps, Clock::Virtual);
    document["seed"] = json!(seed);
    if outage.loses && row.assumes.no_loss {
        document["stop"] = json!({ "after": "3s" });
    }
    judged(document).into_iter().find(|found| [progress::NAME, livelock::NAME].contains(&&*found.monitor))
}

/// Four seeds of each outage are twenty runs of each repair of a crash.
#[test]
fn no_repair_is_accused_of_lack_of_progress_by_an_outage() {
    let mut rows = 0;
    for row in contenders().filter(|row| !row.assumes.no_crash) {
        rows += 1;
        for outage in outages() {
            for seed in 1..=4 {
                let accused = accusation(&row, &outage, seed);
                assert_eq!(accused, None, "{} {} {seed}", row.name(), outage.name);
            }
        }
    }
    assert!(rows > 20, "{rows} rows");
}
