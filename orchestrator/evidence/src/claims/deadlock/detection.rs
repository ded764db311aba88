//! Deadlocks that are detected and resolved: by a coordinator, or by probes.

use serde_json::{Value, json};

use super::super::finding::CouldNotRun;
use super::measured::{Tally, ask, drawn, give, played};
use super::{Claim, Experiment, Finding, How, Measurement, Showing, live};
use interlock_model::event::{Event, What};
use interlock_simulation::simulation::Report;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "DLK-3",
        showings: &[
            Showing::of(How::Simulation, two_sites).beside(Experiment::Alone(nobody_looks)),
            Showing::live(live::by_a_coordinator).beside(Experiment::Live(live::by_nobody)),
        ],
    },
    Claim {
        id: "DLK-4",
        showings: &[
            Showing::of(How::Simulation, one_victim).beside(Experiment::Alone(several_victims)),
            Showing::live(live::by_probes).beside(Experiment::Live(live::by_nobody)),
        ],
    },
    Claim { id: "DLK-5", showings: &[Showing::of(How::Simulation, phantom).beside(Experiment::Alone(news_in_time))] },
];

/// Runs a deadlock: P0 holds lock 0 and wants lock 1, and P1 holds lock 1 and wants lock 0. P0 manages lock 0, and
/// P1 manages lock 1. In central detection, P2 combines their two wait-for graphs.
fn crossed(algorithm: &str, variant: &str, parameters: &Value) -> Result<Report, CouldNotRun> {
    let document = json!({
        "algorithm": algorithm, "variant": variant, "nodes": 3, "seed": 1, "parameters": parameters,
        "network": { "delay": "const:1" },
    });
    let script = vec![ask(0, 0, 0), ask(0, 1, 1), ask(10, 0, 1), ask(10, 1, 0), give(500, 0, 1), give(510, 0, 0)];
    played(document, script)
}

fn of_kind<'a>(report: &'a Report, kind: &'a str) -> impl Iterator<Item = &'a Event> {
    report.events.iter().filter(move |event| event.kind() == kind)
}

/// Returns the number of edges in each report that a site sends to the coordinator.
fn reported_edges(report: &Report) -> Vec<usize> {
    let edges = |event: &Event| match &event.what {
        What::Sent { message_kind, body, .. } if &**message_kind == "REPORT" => {
            let body: Value = serde_json::from_str(body.as_str()).ok()?;
            body["edges"].as_array().map(Vec::len)
        }
        _ => None,
    };
    report.events.iter().filter_map(edges).collect()
}

fn two_sites() -> Measurement {
    Ok(found(&crossed("central-detection", "original", &json!({ "coordinator": 2, "period": 20 }))?))
}

fn nobody_looks() -> Measurement {
    Ok(found(&crossed("prevention", "none", &json!({}))?))
}

fn found(report: &Report) -> Finding {
    let mut tally = Tally::default();
    tally.add(report);
    let edges = reported_edges(report);
    let p0_has_both = of_kind(report, "entered").filter(|event| event.node().is_some_and(|node| node.0 == 0)).count();
    Finding {
        expected: "one wait in each local graph; one deadlock reported, by P2, one abort, and P0 gets both locks"
            .into(),
        measured: format!("waits in local graphs {edges:?}; {tally}; P0 got {p0_has_both} locks"),
        holds: edges.iter().take(2).eq(&[1, 1])
            && (tally.reported, tally.aborts, tally.phantoms) == (1, 1, 0)
            && of_kind(report, "reported").all(|event| event.node().is_some_and(|node| node.0 == 2))
            && p0_has_both == 2,
    }
}

fn one_victim() -> Measurement {
    let [circle, several] = [victims("highest")?, waits_for_several()?];
    Ok(Finding {
        expected: format!("{}; {}", circle.expected, several.expected),
        measured: format!("{}; {}", circle.measured, several.measured),
        holds: circle.holds && several.holds,
    })
}

/// Checks that a process that requests both its locks at once sends probes to all processes for which it waits.
fn waits_for_several() -> Measurement {
    let mut document = drawn("edge-chasing", "highest", 6);
    document["parameters"] = json!({ "requests": "at-once" });
    let tally = Tally::of(&document, 10, 100)?;
    Ok(Finding {
        expected: "two locks asked for at once: every deadlock broken, and none reported that never was".into(),
        measured: tally.to_string(),
        holds: tally.went_well() && tally.aborts > 0 && tally.phantoms == 0,
    })
}

fn several_victims() -> Measurement {
    victims("original")
}

/// Measures how many processes abort in a cycle of five processes that all block at the same time.
fn victims(variant: &str) -> Measurement {
    let document = json!({
        "algorithm": "edge-chasing", "variant": variant, "nodes": 5, "seed": 1, "network": { "delay": "const:1" },
    });
    let script = (0..5).map(|node| ask(0, node, node)).chain((0..5).map(|node| ask(10, node, (node + 1) % 5)));
    let report = played(document, script.collect())?;
    let before_any_other: Vec<u32> = of_kind(&report, "reported").filter_map(Event::node).map(|node| node.0).collect();
    let mut tally = Tally::default();
    tally.add(&report);
    Ok(Finding {
        expected: "of a cycle of five one process reports and aborts, the highest".into(),
        measured: format!("P{before_any_other:?} reported; {tally}"),
        holds: before_any_other == [4] && tally.aborts == 1 && tally.deadlocks == 0,
    })
}

/// Measures phantom deadlocks, in a scripted run and in random runs: the reports from one site are slow, so the
/// coordinator sees a deadlock that never existed.
fn phantom() -> Measurement {
    let seen = seen(&json!([{ "from": 1, "to": 2, "delay": "const:100" }]), "exp:3")?;
    Ok(Finding { holds: seen.scripted && seen.random, ..seen.finding })
}

/// Negative control: the reports from all sites are equally fast in the scripted run, and messages take no time in the
/// random runs. The coordinator sees no phantom deadlock in either, so the control holds if it does in one of them.
fn news_in_time() -> Measurement {
    let seen = seen(&json!([]), "0")?;
    Ok(Finding { holds: seen.scripted || seen.random, ..seen.finding })
}

/// The measurements of phantom deadlocks.
struct Seen {
    finding: Finding,
    /// Whether the scripted run had a phantom deadlock, and an abort for each.
    scripted: bool,
    /// Whether the random runs had a phantom deadlock.
    random: bool,
}

/// Runs a possible phantom deadlock. P0 waits for P1, and P1's site reports this wait. P1 releases its lock and, a
/// little later, requests the lock that P0 holds. If `links` are slow, the next report from P1's site arrives late.
/// The coordinator then combines P0's wait for P1, which is over, with P1's new wait for P0. Then makes ten random runs
/// with the delay `delay`.
fn seen(links: &Value, delay: &str) -> Result<Seen, CouldNotRun> {
    let document = json!({
        "algorithm": "central-detection", "nodes": 3, "seed": 1, "links": links,
        "parameters": { "coordinator": 2, "period": 2 }, "network": { "delay": "const:1" },
    });
    let script = vec![
        ask(0, 0, 0),
        ask(0, 1, 1),
        ask(10, 0, 1),
        give(200, 1, 1),
        ask(205, 1, 0),
        give(600, 0, 1),
        give(610, 0, 0),
    ];
    let mut tally = Tally::default();
    tally.add(&played(document, script)?);
    let mut random = drawn("central-detection", "original", 5);
    random["network"]["delay"] = json!(delay);
    // Sites report at every unit of time. Without delay, the coordinator then knows all waits that exist.
    random["parameters"] = json!({ "period": 1 });
    let random = Tally::of(&random, 10, 100)?;
    let finding = Finding {
        expected: "deadlocks reported that never were, and an abort for nothing each time".into(),
        measured: format!("{tally}; in random runs with the delay {delay}: {random}"),
        holds: false,
    };
    let scripted = tally.phantoms > 0 && tally.aborts == tally.phantoms;
    Ok(Seen { finding, scripted, random: random.phantoms > 0 })
}
