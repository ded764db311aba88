//! Random transactions over several locks. The clients are philosophers, or take some locks or all locks. Between
//! two locks of a transaction, some time passes, so that other transactions can interfere.

use interlock_algorithm::conduct::Detection;
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use super::faults::episodes;
use super::network::links;
use super::structure::{self, Extent};
use interlock_model::event::Violation;
use interlock_model::specification::Specification;
use interlock_observation::monitor::deadlocks;

/// Maximum number of processes.
const MOST_NODES: u64 = 8;
/// Maximum number of steps per round. A run that takes more steps counts as endless. The limit is high, because
/// algorithms that compare ages repeat and abort requests hundreds of times.
const MOST_STEPS_A_ROUND: u64 = 4_000;
/// Number of rounds in a run that is long enough for starvation.
const LONG: u64 = 2_000;

/// Returns the run that is drawn from `seed`.
pub(super) fn document(candidate: Candidate, seed: u64) -> Value {
    let mut draws = Draws::new(seed);
    let Candidate { entry, variant } = candidate;
    let nodes = draws.number(2, MOST_NODES);
    let drawn_locks = draws.number(2, 6);
    // A process that is always the youngest starves only in a long run, and only if it wants more locks than the
    // other processes.
    let often = if variant.broken.is_some() { 0.1 } else { 0.02 };
    let long = draws.happens(often) && entry.conduct.by_age;
    let is_contended = long && draws.happens(0.5);
    let locks = if is_contended { nodes + 1 } else { drawn_locks };
    let mut workload = match (is_contended, long) {
        (true, _) => contended(nodes),
        (false, true) => unequal(&mut draws),
        (false, false) => equal(&mut draws),
    };
    let rounds = if long { LONG } else { draws.number(5, 80) };
    workload["entries"] = json!(rounds.div_ceil(nodes));
    let links = links(candidate, nodes, [&["0"], &["0", "0.05"]], &mut draws);
    let parameters = structure::parameters(candidate, Extent { nodes, locks, longest: links.longest }, &mut draws);
    // Faults happen only at the beginning of a run, so a long run does not need them.
    let script = if long { Vec::new() } else { episodes(candidate, nodes, &mut draws) };
    json!({
        "algorithm": entry.name,
        "variant": variant.name,
        "nodes": nodes,
        "locks": locks,
        "seed": seed,
        "parameters": parameters,
        "network": links.network,
        "links": links.others,
        "workload": workload,
        "script": script,
    })
}

/// Returns the number of steps after which a run counts as endless.
pub(super) fn most_steps(specification: &Specification) -> u64 {
    let rounds = specification.workload.as_ref().and_then(|workload| workload.client_loop.entries).unwrap_or(1);
    rounds.saturating_mul(u64::from(specification.nodes)).saturating_mul(MOST_STEPS_A_ROUND)
}

/// Workload in which all processes want the same number of locks.
fn equal(draws: &mut Draws) -> Value {
    json!({
        "idle": draws.of(&["0", "0", "const:3", "exp:5", "uniform:0..10"]),
        "hold": draws.of(&["0", "const:1", "const:5", "exp:5", "uniform:0..10"]),
        "locks": draws.of(&["neighbours", "neighbours", "some:2", "some:2", "all"]),
        "between": draws.of(&["0", "const:1", "exp:5", "uniform:0..10"]),
        "again": draws.of(&["uniform:5..25", "exp:10", "uniform:1..100"]),
    })
}

/// Workload in which the first process wants all locks. Each other process wants one lock, but requests often.
fn unequal(draws: &mut Draws) -> Value {
    json!({
        "idle": "0",
        "hold": draws.of(&["const:50", "uniform:20..60", "exp:5"]),
        "locks": "one",
        "again": draws.of(&["const:1", "uniform:1..5"]),
        "overrides": [{ "node": 0, "locks": "all" }],
    })
}

/// Workload in which every process holds a lock of its own, and then wants the lock of the first process. The first
/// process holds its lock for longer than the others.
fn contended(nodes: u64) -> Value {
    let others: Vec<Value> = (1..nodes).map(|node| json!({ "node": node, "locks": format!("{node},0") })).collect();
    json!({
        "idle": "0",
        "hold": "const:1",
        "locks": format!("0,{nodes}"),
        "between": "uniform:5..100",
        "again": "uniform:1..5",
        "overrides": others,
    })
}

/// Returns whether a violation shows that the algorithm is faulty. A late report only shows that messages take
/// time. Phantom deadlocks are a known weakness of central detection, because the information of the coordinator
/// is outdated. Edge chasing may report a phantom if a process on the path of the probe has meanwhile aborted
/// because of another cycle. Every other phantom shows a fault.
pub(super) fn is_wrong(candidate: Candidate, violation: &Violation) -> bool {
    match &*violation.code {
        // If an algorithm detects cycles, it may report a cycle that another process has just resolved.
        deadlocks::LATE => candidate.entry.conduct.detection == Detection::None,
        deadlocks::PHANTOM if candidate.variant.broken.is_none() => match candidate.entry.conduct.detection {
            Detection::Reports => false,
            Detection::Probes => violation.arguments["gave_up"].as_array().is_none_or(Vec::is_empty),
            Detection::None => true,
        },
        _ => true,
    }
}

/// Returns whether the violation is a report of a deadlock that never existed.
pub(super) fn is_phantom(violation: &Violation) -> bool {
    *violation.code == *deadlocks::PHANTOM
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fuzz::candidates;

    fn phantom(gave_up: &[u32]) -> Violation {
        let arguments = json!({ "node": 0, "cycle": [0, 1, 2], "victim": 0, "gave_up": gave_up });
        let (monitor, code) = (Arc::from(deadlocks::NAME), Arc::from(deadlocks::PHANTOM));
        Violation { monitor, code, arguments, events: vec![1] }
    }

    #[test]
    fn a_phantom_counts_unless_the_algorithm_is_known_for_it() {
        let counts = |variant: &str, gave_up: &[u32]| {
            let is_it = |Candidate { entry, variant: of }: &Candidate| format!("{}/{}", entry.name, of.name) == variant;
            is_wrong(candidates().find(is_it).expect("a variant"), &phantom(gave_up))
        };
        assert!(!counts("central-detection/original", &[]));
        assert!(!counts("edge-chasing/original", &[1]) && !counts("edge-chasing/highest", &[1]));
        assert!(counts("edge-chasing/original", &[]) && counts("edge-chasing/highest", &[]));
        assert!(counts("edge-chasing/forwards-unblocked", &[1]));
        assert!(counts("wait-die/original", &[1]));
    }

    #[test]
    fn a_late_report_counts_where_nobody_looks_for_circles() {
        let counts = |name: &str| {
            let of_it = |candidate: &Candidate| candidate.entry.name == name;
            let late = Violation { code: Arc::from(deadlocks::LATE), ..phantom(&[]) };
            is_wrong(candidates().find(of_it).expect("an algorithm"), &late)
        };
        assert!(!counts("central-detection") && !counts("edge-chasing"));
        assert!(counts("wait-die") && counts("raymond"));
    }
}
