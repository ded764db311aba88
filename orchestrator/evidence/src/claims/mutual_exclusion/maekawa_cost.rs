//! Cost of entries with Maekawa's voting sets.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_algorithm::structure::coterie::Coterie;
use serde_json::{Value, json};

use super::super::simulated::{acquire, heavy, idle, is_about, metrics, run, scripted, simulation};
use super::maekawa_figures::voting;
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::event::{Event, What};
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::{Simulation, Watch};

/// Number of processes, and their voting sets.
const SIZES: [(u32, &str); 7] =
    [(7, "plane"), (31, "plane"), (133, "plane"), (993, "plane"), (9, "grid"), (100, "grid"), (1_000, "grid")];
/// Maximum number of processes for which the cost of each entry is determined from its messages.
const MOST_LOOKED_AT: u32 = 31;
/// Number of entries measured at heavy load.
const ENTRIES: u64 = 1_000;

/// Checks that an entry costs exactly 3(K−1) messages if each process requests alone. Also measures the mean cost if
/// all processes request again at once, and the cost of the most expensive entry.
pub(super) fn cost() -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for (nodes, sets) in SIZES {
        let coterie = Coterie::parse(sets, nodes).map_err(CouldNotRun::because)?;
        let others: Vec<u64> = NodeId::all(nodes).map(|node| coterie.set(node).len() as u64 - 1).collect();
        let exact = 3 * others.iter().take(100).sum::<u64>();
        let alone = alone(nodes, sets)?;
        let share = steady(nodes, sets)? / (real(others.iter().sum()) / f64::from(nodes));
        holds &= alone == exact && is_about(share, 4.0);
        measured.push(format!("{sets} {nodes}: {alone} ({exact}), {share:.2}(K−1)"));
        if nodes <= MOST_LOOKED_AT {
            let dearest = dearest(nodes, sets, &others)?;
            holds &= dearest <= 7.0;
            measured.push(format!("at most {dearest:.2}(K−1)"));
        }
    }
    Ok(Finding {
        expected: format!(
            "each in turn, to the message: 3(K−1) of its own set (in brackets); all again at once, constant latency, \
             {ENTRIES} entries with both ends of the run left out: 4(K−1) on average within 2 %; up to N = \
             {MOST_LOOKED_AT}, delays of 0 … 9 T, no entry above 7(K−1)"
        ),
        measured: measured.join("; "),
        holds,
    })
}

/// Returns the number of messages if the first hundred processes enter one after the other.
fn alone(nodes: u32, sets: &str) -> Result<u64, CouldNotRun> {
    let script: Vec<Scripted> = (0..nodes.min(100)).map(|node| acquire(20 * u64::from(node), node, Some(1))).collect();
    let once = script.len() as u64;
    let simulation = scripted(voting(idle("maekawa", nodes), sets), script)?;
    let report = run(&Simulation { watch: Watch::Metrics, ..simulation })?;
    if report.entries == once { Ok(report.messages) } else { Err(CouldNotRun::because("not all entered")) }
}

/// Returns the mean number of messages per entry while all processes request. Two parts of the run are not
/// measured: the beginning, when all processes request at the same time, and the end, when processes stop
/// requesting.
fn steady(nodes: u32, sets: &str) -> Result<f64, CouldNotRun> {
    let (begin, end) = (2 * u64::from(nodes), u64::from(nodes));
    let simulation = simulation(voting(heavy("maekawa", nodes), sets), begin + ENTRIES + end)?;
    let measured_until = Some(begin + ENTRIES);
    let report = run(&Simulation { watch: Watch::Metrics, warm_up: begin, measured_until, ..simulation })?;
    metrics(&report)?.messages_per_entry.ok_or_else(|| CouldNotRun::because("nobody entered"))
}

/// Returns the cost of the most expensive entry, as a multiple of K−1, where K is the size of the voting set of the
/// process. `others` contains K−1 for each process. All processes request, and messages overtake each other.
fn dearest(nodes: u32, sets: &str, others: &[u64]) -> Result<f64, CouldNotRun> {
    let mut document = voting(heavy("maekawa", nodes), sets);
    document["network"]["delay"] = json!("uniform:0..9");
    let report = run(&Simulation { watch: Watch::Events, ..simulation(document, ENTRIES)? })?;
    let mut costs: BTreeMap<(NodeId, u64), u64> = BTreeMap::new();
    for request in report.events.iter().filter_map(request) {
        *costs.entry(request).or_default() += 1;
    }
    if costs.len() as u64 != ENTRIES {
        return Err(CouldNotRun::because(format!("the messages are about {} requests, not {ENTRIES}", costs.len())));
    }
    let share = |(&(node, _), &cost): (&(NodeId, u64), &u64)| real(cost) / real(others[node.index()]);
    Ok(costs.iter().map(share).fold(0.0, f64::max))
}

/// If `event` reports that a message was sent, returns the request to which the message belongs: its process and its
/// time.
fn request(event: &Event) -> Option<(NodeId, u64)> {
    let What::Sent { at, to, message_kind, body, .. } = &event.what else { return None };
    let is_own = ["REQUEST", "RELINQUISH", "RELEASE"].contains(&&**message_kind);
    let body: Value = serde_json::from_str(body.as_str()).ok()?;
    // A message that also contains the clock of its sender has the time of the request in `timestamp` instead of
    // `clock`.
    let made = body.get("timestamp").or_else(|| body.get("clock"))?;
    Some((if is_own { at.node } else { *to }, made.as_u64()?))
}

#[expect(clippy::cast_precision_loss, reason = "a sum of sizes of sets")]
const fn real(number: u64) -> f64 {
    number as f64
}
