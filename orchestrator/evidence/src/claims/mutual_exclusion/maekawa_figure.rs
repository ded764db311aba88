//! The figure of the lecture: three requests on its own voting sets of seven processes.

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_algorithm::structure::coterie::Coterie;
use interlock_model::choice::Choice;
use interlock_model::event::What;
use interlock_simulation::simulation::{Simulation, Watch};
use serde_json::{Value, json};

use super::super::simulated::{acquire, at, idle, run, scripted, tell, variant};
use super::maekawa_figures::voting;
use super::maekawa_sets::BY_HAND;
use super::{CouldNotRun, Finding, Measurement};

/// A request: its process and its time.
type Request = (u32, u64);

/// The requests of P0, P1 and P2, in the order in which they reach the arbiters. The slide names no process.
const FIGURE: [Request; 3] = [(2, 18), (0, 25), (1, 12)];

/// The messages of the arbiters in the figure. P0, P1 and P2 vote for themselves without a message.
const ANSWERS: [&str; 6] = [
    "P1 FAILED 25 to P0",
    "P2 FAILED 25 to P0",
    "P3 LOCKED 12 to P1",
    "P4 LOCKED 18 to P2",
    "P5 INQUIRE 18 to P2",
    "P5 LOCKED 18 to P2",
];

/// Returns what the arbiters send in answer to the requests, before any answer arrives.
fn answers(requests: [Request; 3]) -> Result<BTreeSet<String>, CouldNotRun> {
    let mut document = voting(variant(idle("maekawa", 7), "version-2"), BY_HAND);
    document["parameters"]["failed"] = json!("holder-better");
    // All processes request at the same time. The delays of their links determine the order of arrival.
    let from = |(&(from, _), delay): (&Request, &str)| {
        let to = (0..7).filter(move |&to| to != from);
        to.map(|to| json!({ "from": from, "to": to, "delay": delay })).collect::<Vec<_>>()
    };
    document["links"] = requests.iter().zip(["1", "5", "20"]).flat_map(from).collect();
    let idle_node = (0..7).find(|node| requests.iter().all(|(asking, _)| asking != node)).unwrap_or_default();
    // Each manual message advances the clock of its sender by one.
    let ticks = requests.iter().flat_map(|&(node, time)| (1..time).map(move |_| tell(0, node, idle_node, None)));
    let mut script: Vec<_> = ticks.collect();
    for kind in ["LOCKED", "FAILED", "INQUIRE"] {
        let rule = json!({ "match": { "message_kind": kind }, "action": "hold" });
        script.push(at(0, Choice::Rule(serde_json::from_value(rule).map_err(CouldNotRun::because)?)));
    }
    script.extend(requests.iter().map(|&(node, _)| acquire(50, node, Some(5))));
    let report = run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })?;
    let mut answers = BTreeSet::new();
    for event in &report.events {
        let What::Sent { at, to, message_kind, body, .. } = &event.what else { continue };
        if ["LOCKED", "FAILED", "INQUIRE"].contains(&&**message_kind) {
            let body: Value = serde_json::from_str(body.as_str()).map_err(CouldNotRun::because)?;
            answers.insert(format!("{} {} {} to {to}", at.node, &**message_kind, body["timestamp"]));
        }
    }
    Ok(answers)
}

/// Returns what the slides say that the arbiters send. An arbiter votes for the first request. It answers a later
/// request with FAILED, if that request is larger than the one that has its vote, and otherwise sends INQUIRE.
fn said(requests: [Request; 3], sets: &Coterie) -> BTreeSet<String> {
    let mut said = BTreeSet::new();
    for arbiter in NodeId::all(7) {
        let asks = |&(node, _): &Request| sets.set(NodeId(node)).contains(&arbiter);
        let mut arriving: Vec<_> = requests.into_iter().filter(asks).collect();
        // The request of the arbiter itself needs no message, so it is the first.
        arriving.sort_by_key(|&(node, _)| NodeId(node) != arbiter);
        let Some(&(holder, locked)) = arriving.first() else { continue };
        let mut answer = |to: u32, kind: &str, time: u64| {
            if NodeId(to) != arbiter {
                said.insert(format!("{arbiter} {kind} {time} to {}", NodeId(to)));
            }
        };
        answer(holder, "LOCKED", locked);
        for &(node, time) in &arriving[1..] {
            if time > locked { answer(node, "FAILED", time) } else { answer(holder, "INQUIRE", locked) }
        }
    }
    said
}

/// Checks the figure, and the same three times at any three of the seven processes.
pub(super) fn seven() -> Measurement {
    seven_in(|[first, second, third]| [first, second, third])
}

/// Negative control: the requests reach the arbiters in the reverse order, so other requests get the votes.
pub(super) fn seven_reversed() -> Measurement {
    seven_in(|[first, second, third]| [third, second, first])
}

fn seven_in(arrive: fn([Request; 3]) -> [Request; 3]) -> Measurement {
    let sets = Coterie::parse(BY_HAND, 7).map_err(CouldNotRun::because)?;
    let figure = answers(arrive(FIGURE))?;
    let (mut others, mut same) = (0, 0);
    for (one, two, three) in triples() {
        let requests = [(one, 18), (two, 25), (three, 12)];
        others += 1;
        same += u32::from(answers(arrive(requests))? == said(requests, &sets));
    }
    Ok(Finding {
        expected: format!(
            "18, 25 and 12 arrive in this order: {}; as said for all 210 choices of three",
            ANSWERS.join(", ")
        ),
        measured: format!("{}; as said for {same} of {others}", figure.iter().cloned().collect::<Vec<_>>().join(", ")),
        holds: figure.iter().eq(ANSWERS.iter()) && (same, others) == (210, 210),
    })
}

/// Returns all ordered choices of three of the seven processes.
fn triples() -> impl Iterator<Item = (u32, u32, u32)> {
    let all = (0..7).flat_map(|one| (0..7).flat_map(move |two| (0..7).map(move |three| (one, two, three))));
    all.filter(|(one, two, three)| one != two && two != three && one != three)
}
