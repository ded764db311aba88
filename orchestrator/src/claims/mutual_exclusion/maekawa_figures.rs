//! Maekawa 1985 in virtual time: the rules, the figures, and what an arbiter says.

use interlock_algorithm::NodeId;
use interlock_algorithm::coterie::Coterie;
use serde_json::{Value, json};

use super::super::simulated::{
    Rules, acquire, heavy, idle, is_about, jittery, loaded, metrics, run, scripted, simulate, simulation, spread, tell,
    variant,
};
use super::maekawa::BY_HAND;
use super::{CouldNotRun, Finding, Outcome};
use crate::event::What;
use crate::simulation::{Simulation, Watch};

/// The document with these voting sets.
fn voting(mut document: Value, sets: &str) -> Value {
    document["parameters"] = json!({ "coterie": sets });
    document
}

/// Everybody asks at once, again and again; and requests and answers overtake each other.
fn contended(version: &str) -> Result<Vec<Rules>, CouldNotRun> {
    let mut at_once = heavy("maekawa", 7);
    at_once["network"]["delay"] = json!("uniform:0..9");
    [voting(at_once, BY_HAND), voting(jittery("maekawa", 13), "plane"), jittery("maekawa", 10)]
        .into_iter()
        .map(|document| Rules::of(&variant(document, version), 40, 60))
        .collect()
}

fn each(rules: &[Rules]) -> String {
    rules.iter().map(Rules::to_string).collect::<Vec<_>>().join("; ")
}

/// The corrected version.
pub(super) fn rules() -> Outcome {
    let rules = contended("corrected")?;
    Ok(Finding {
        expected:
            "corrected; s4's seven all asking again at once, a plane of 13, a grid of 10, delays of 0 … 9 T: all \
                   requests granted, no rule broken"
                .into(),
        measured: each(&rules),
        holds: rules.iter().all(|rules| rules.kept()),
    })
}

/// It holds if no vote has to be asked back.
pub(super) fn version_1() -> Outcome {
    let rules = contended("version-1")?;
    Ok(Finding {
        expected: "version-1: stuck".into(),
        measured: each(&rules),
        holds: rules.iter().all(|rules| rules.stuck == 0),
    })
}

/// How many processes, with which sets, and how many entries are made at heavy load.
const SIZES: [(u32, &str, u64); 7] = [
    (7, "plane", 3_000),
    (31, "plane", 3_000),
    (133, "plane", 3_000),
    (993, "plane", 3_000),
    (9, "grid", 3_000),
    (100, "grid", 3_000),
    (1_000, "grid", 3_000),
];

/// 3 (K−1) to the message when each asks alone; the mean and the bounds when all ask again at once.
pub(super) fn cost() -> Outcome {
    let mut measured = Vec::new();
    let mut holds = true;
    for (nodes, sets, entries) in SIZES {
        let coterie = Coterie::parse(sets, nodes).map_err(CouldNotRun::because)?;
        let others = |node: NodeId| coterie.set(node).len() as u64 - 1;
        let mean = precise(NodeId::all(nodes).map(others).sum()) / f64::from(nodes);
        let once = u64::from(nodes.min(100));
        let alone = run(&Simulation {
            watch: Watch::Metrics,
            ..scripted(voting(idle("maekawa", nodes), sets), in_turn(once))?
        })?;
        let exact = 3 * NodeId::all(nodes).take(100).map(others).sum::<u64>();
        let warm_up = u64::from(nodes) * 2;
        let busy = run(&Simulation {
            watch: Watch::Metrics,
            warm_up,
            ..simulation(voting(heavy("maekawa", nodes), sets), entries + warm_up)?
        })?;
        let share = metrics(&busy)?.messages_per_entry.unwrap_or_default() / mean;
        measured.push(format!("{sets} {nodes}: {} for {once}, {share:.2}(K−1)", alone.messages));
        holds &= (alone.messages, alone.entries) == (exact, once) && (3.0..=7.0).contains(&share);
    }
    Ok(Finding {
        expected: "each in turn, to the message: 3(K−1) of its own set; all again at once, constant latency, after 2N \
                   entries: 3(K−1) … 7(K−1), about 4(K−1) in the mean of 3000"
            .into(),
        measured: measured.join("; "),
        holds,
    })
}

/// The first so many enter one after the other.
fn in_turn(nodes: u64) -> Vec<crate::simulation::Scripted> {
    (0..nodes).map(|node| acquire(20 * node, u32::try_from(node).unwrap_or_default(), Some(1))).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a sum of sizes of sets")]
const fn precise(number: u64) -> f64 {
    number as f64
}

/// Two that compete for arbiters that are neither of them, so that all ways are messages; one waits as the other leaves.
pub(super) fn delay() -> Outcome {
    let sets = "sets:0,2;1,2;2;2,3";
    let mut document = heavy("maekawa", 4);
    document["workload"]["nodes"] = json!([0, 1]);
    let two = metrics(&simulate(voting(document, sets), 3_000)?)?.synchronisation_delay;
    let plane = metrics(&simulate(voting(loaded("maekawa", 13, "exp:20"), "plane"), 3_000)?)?.synchronisation_delay;
    Ok(Finding {
        expected: "T = 1. P0 and P1, with P2 for an arbiter, asking again at once: every synchronisation delay 2. (A \
                   plane of 13 beside it, where who asks votes too and votes are asked back: no figure claimed)"
            .into(),
        measured: format!("{}; plane of 13: {}", spread(&two), spread(&plane)),
        holds: is_about(two.mean.unwrap_or_default(), 2.0) && two.max == Some(2.0),
    })
}

/// What an arbiter says, and what is said in answer.
const ANSWERS: [&str; 4] = ["LOCKED", "FAILED", "INQUIRE", "RELINQUISH"];

/// The requests ⟨12⟩ of P0, ⟨18⟩ of P1 and ⟨25⟩ of P2: what is sent by and to the arbiter P3.
fn heard_by_arbiter(sets: &str, links: &Value) -> Result<Vec<String>, CouldNotRun> {
    let mut document = voting(idle("maekawa", 5), sets);
    document["links"] = links.clone();
    // Each message of the application lets the clock of its sender go on by one.
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
            heard.push(format!("{} {}", &**message_kind, body["clock"]));
        }
    }
    Ok(heard)
}

/// 12 has the vote of P4, which refuses 18; it comes to P3 last.
pub(super) fn arbiter() -> Outcome {
    let heard = heard_by_arbiter("sets:0,3,4;1,3,4;2,3;3;3,4", &json!([{ "from": 0, "to": 3, "delay": "20" }]))?;
    let figure = ["LOCKED 18", "FAILED 25", "INQUIRE 18", "RELINQUISH 18", "LOCKED 12", "LOCKED 18", "LOCKED 25"];
    Ok(Finding {
        expected: format!("18 refused by P4; by and to the arbiter P3 {}", figure.join(", ")),
        measured: heard.join(", "),
        holds: heard == figure,
    })
}

/// P4 votes for 18, and its vote takes long: it holds if 18 gives the vote of P3 back nevertheless.
pub(super) fn no_refusal() -> Outcome {
    let slow = json!([{ "from": 0, "to": 3, "delay": "20" }, { "from": 4, "to": 1, "delay": "60" }]);
    let heard = heard_by_arbiter("sets:0,3;1,3,4;2,3;3;3,4", &slow)?;
    Ok(Finding {
        expected: "18 refused by nobody: asked, it gives nothing back".into(),
        measured: heard.join(", "),
        holds: heard.iter().any(|message| message.starts_with("RELINQUISH")),
    })
}
