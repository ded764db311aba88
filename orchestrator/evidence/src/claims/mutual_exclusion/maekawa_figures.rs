//! Maekawa 1985 in virtual time: the properties, and the messages of an arbiter in the figure of the paper.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::super::simulated::{Rules, acquire, idle, loaded, run, scripted, tell, variant};
use super::maekawa_sets::{BY_HAND, TWO_ARBITERS};
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::event::What;
use interlock_simulation::simulation::{Simulation, Watch};

/// Returns the document, extended by the voting sets `sets`.
pub(super) fn voting(mut document: Value, sets: &str) -> Value {
    document["parameters"]["coterie"] = json!(sets);
    document
}

/// Voting sets, with their number of processes: the lecture's sets, two arbiters, a plane and a grid.
const SETS: [(u32, &str); 4] = [(7, BY_HAND), (5, TWO_ARBITERS), (13, "plane"), (10, "grid")];

/// Runs each of the voting sets. Requests and answers overtake each other.
fn contended(version: &str, parameters: &Value, idle: &str, delay: &str) -> Result<Vec<Rules>, CouldNotRun> {
    let of = |(nodes, sets)| {
        let mut document = loaded("maekawa", nodes, idle);
        document["network"]["delay"] = json!(delay);
        document["parameters"] = parameters.clone();
        Rules::of(&variant(voting(document, sets), version), 40, 60)
    };
    SETS.into_iter().map(of).collect()
}

/// A scene in which all processes first request at about the same time. Most deadlocks of version 2 arise from these
/// requests, because their times differ least.
const AT_FIRST: (&str, &str) = ("exp:20", "uniform:0..50");

fn each(rules: &[Rules]) -> String {
    rules.iter().map(Rules::to_string).collect::<Vec<_>>().join("; ")
}

/// Checks the properties of the corrected version.
pub(super) fn rules() -> Measurement {
    let (idle, delay) = AT_FIRST;
    let busy = contended("corrected", &json!({}), "0", "uniform:0..9")?;
    let rules = [busy, contended("corrected", &json!({}), idle, delay)?].concat();
    Ok(Finding {
        expected:
            "corrected; the lecture's seven, five with two arbiters, a plane of 13, a grid of 10; all ask again at \
                   once with delays of 0 … 9 T, or after 20 T on average with 0 … 50 T: all requests granted, no \
                   property violated"
                .into(),
        measured: each(&rules),
        holds: rules.iter().all(|rules| rules.kept()),
    })
}

/// Negative control: the version of the first publication, in both interpretations. Each of the voting sets must get
/// stuck in both. The control holds if one of them never does.
pub(super) fn version_2() -> Measurement {
    let (idle, delay) = AT_FIRST;
    let read_as = |failed: &str| contended("version-2", &json!({ "failed": failed }), idle, delay);
    let readings = [read_as("any-better")?, read_as("holder-better")?];
    Ok(Finding {
        expected: "version-2, FAILED if any is better, if the holder is: stuck on each of the voting sets".into(),
        measured: readings.iter().map(|rules| each(rules)).collect::<Vec<_>>().join("; "),
        holds: readings.iter().flatten().any(|rules| rules.stuck == 0),
    })
}

/// Kinds of messages that an arbiter sends, and that processes send in answer to an arbiter.
const ANSWERS: [&str; 4] = ["LOCKED", "FAILED", "INQUIRE", "RELINQUISH"];

/// Returns the messages that the arbiter P3 sends and receives. P0 requests with time 12, P1 with time 18, and P2
/// with time 25.
fn heard_by_arbiter(sets: &str, links: &Value) -> Result<Vec<String>, CouldNotRun> {
    let mut document = voting(idle("maekawa", 5), sets);
    document["links"] = links.clone();
    // Each manual message advances the clock of its sender by one. The manual messages advance the clocks until they
    // are one below the required request times.
    let clocks = [(0, 11), (1, 17), (2, 24)];
    let mut script: Vec<_> =
        clocks.iter().flat_map(|&(from, ticks)| (0..ticks).map(move |_| tell(0, from, 3, None))).collect();
    script.extend([acquire(50, 0, Some(5)), acquire(52, 1, Some(5)), acquire(54, 2, Some(5))]);
    let report = run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })?;
    let mut heard = Vec::new();
    for event in &report.events {
        let What::Sent { at, to, message_kind, body, .. } = &event.what else { continue };
        if [at.node, *to].contains(&NodeId(3)) && ANSWERS.contains(&&**message_kind) {
            let body: Value = serde_json::from_str(body.as_str()).map_err(CouldNotRun::because)?;
            heard.push(format!("{} {}", &**message_kind, body["timestamp"]));
        }
    }
    Ok(heard)
}

/// Checks the messages of the arbiter P3 if request 12 arrives there last. P4 votes for request 12 and refuses
/// request 18.
pub(super) fn arbiter() -> Measurement {
    let heard = heard_by_arbiter("sets:0,3,4;1,3,4;2,3;3;3,4", &json!([{ "from": 0, "to": 3, "delay": "20" }]))?;
    let figure = ["LOCKED 18", "FAILED 25", "INQUIRE 18", "RELINQUISH 18", "LOCKED 12", "LOCKED 18", "LOCKED 25"];
    Ok(Finding {
        expected: format!("18 refused by P4; by and to the arbiter P3 {}", figure.join(", ")),
        measured: heard.join(", "),
        holds: heard == figure,
    })
}

/// Negative control: P4 votes for request 18, and its vote arrives late. The control holds if P1, which made
/// request 18, nevertheless gives back the vote of P3.
pub(super) fn no_refusal() -> Measurement {
    let slow = json!([{ "from": 0, "to": 3, "delay": "20" }, { "from": 4, "to": 1, "delay": "60" }]);
    let heard = heard_by_arbiter("sets:0,3;1,3,4;2,3;3;3,4", &slow)?;
    Ok(Finding {
        expected: "18 refused by no arbiter: asked, it gives nothing back".into(),
        measured: heard.join(", "),
        holds: heard.iter().any(|message| message.starts_with("RELINQUISH")),
    })
}
