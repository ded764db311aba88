//! Chaos for elections, deadlock handling and agreement. This file contains the differences from chaos for mutual
//! exclusion.
//!
//! Elections and consensus have episodes. In each episode, a process calls an election or proposes a value while a
//! fault occurs. Then the run becomes idle. All other algorithms grant locks. While the faults of the fault matrix
//! (`interlock_simulation::matrix`) occur, clients request locks. If the algorithm handles deadlocks, there are several
//! locks.

use interlock_algorithm::conduct::Detection;
use interlock_algorithm::{Assumptions, FailureDetector, LockUse, catalogue};
use interlock_observation::monitor::{capacity, deadlocks, livelock};
use interlock_simulation::matrix::{CHANNELS, Clock, Contender, NODES};
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;

/// Maximum number of faults of a run.
pub(super) const BUDGET: u64 = 6;
/// Maximum time from a call of an election, or a proposal, to the first fault, in ms. The announcement of a winner
/// takes less time, so a fault can also occur after it.
const SOON: u64 = 60;

/// Returns whether a variant belongs to one of the families election, deadlock and agreement.
pub(super) fn has(Candidate { entry, .. }: Candidate) -> bool {
    ["election", "deadlock", "agreement"].contains(&entry.family)
}

/// Returns the rows of the fault matrix for a variant. A variant that grants locks has a row for each channel. The
/// failure detector is perfect if the variant must be notified of crashes.
pub(super) fn rows(Candidate { entry, variant }: Candidate) -> Vec<Contender> {
    let assumes = catalogue::assumptions(entry.name, variant.name).unwrap_or(entry.assumes);
    let detector = if assumes.failure_detector == FailureDetector::Perfect { "perfect" } else { "none" };
    let channels = if entry.locks == LockUse::None { &CHANNELS[..1] } else { &CHANNELS[..] };
    channels.iter().map(|&channel| Contender { entry, variant, assumes, channel, detector }).collect()
}

/// Returns the scenario of an algorithm for elections or consensus. Returns `None` if the algorithm grants locks.
pub(super) fn episodes(row: &Contender, name: &str, clock: Clock, draws: &mut Draws) -> Option<Value> {
    match (row.entry.family, row.entry.locks) {
        ("election", LockUse::None) => Some(elections(row, name, clock, draws)),
        ("agreement", LockUse::None) => Some(consensus(row, name, clock, draws)),
        _ => None,
    }
}

/// If the algorithm handles deadlocks, adds several locks and the expectations about deadlocks to the scenario.
pub(super) fn among_locks(row: &Contender, mut scenario: Value, draws: &mut Draws) -> Value {
    if row.entry.family != "deadlock" {
        return scenario;
    }
    // If an algorithm has a parameter that contains the units of each lock, the algorithm derives the number of locks
    // from it.
    if !row.entry.parameters.iter().any(|parameter| parameter.name == "existing") {
        scenario["locks"] = json!(NODES);
    }
    scenario["workload"]["locks"] = json!(draws.of(&["neighbours", "some:2", "all"]));
    scenario["workload"]["between"] = json!(draws.of(&["0", "2ms", "uniform:0..10ms"]));
    // The `suspect` steps name processes by role: `waiting` suspects `holder`. With several locks, a process can have
    // both roles, because it waits for one lock and holds another. It would then suspect itself. These steps therefore
    // name fixed processes instead.
    for step in scenario["steps"].as_array_mut().into_iter().flatten() {
        if let Some(suspicion) = step.get_mut("suspect") {
            (suspicion["node"], suspicion["whom"]) = (json!(1), json!(2));
        }
    }
    let reports = row.entry.conduct.detection != Detection::None;
    if let Some(expected) = scenario["expect"].as_array_mut() {
        // Because messages take time, a detected deadlock may be reported late, or may never have existed. For
        // algorithms that detect deadlocks, such a report is not a violation.
        let rules = [capacity::NAME, livelock::NAME].into_iter().chain((!reports).then_some(deadlocks::NAME));
        expected.extend(rules.map(|rule| json!({ "never": { "violation": rule } })));
    }
    scenario
}

/// The live processes during an election.
struct Living {
    alive: Vec<u64>,
}

impl Living {
    fn all() -> Self {
        Self { alive: (0..u64::from(NODES)).collect() }
    }

    /// Returns the live process with the highest id, which wins most elections, with probability 1/2. Otherwise,
    /// returns a random live process.
    fn likely_winner(&self, draws: &mut Draws) -> u64 {
        let highest = self.alive.last().copied().unwrap_or_default();
        if draws.happens(0.5) { highest } else { self.one(draws) }
    }

    fn one(&self, draws: &mut Draws) -> u64 {
        draws.one(&self.alive).copied().unwrap_or_default()
    }
}

fn elections(row: &Contender, name: &str, clock: Clock, draws: &mut Draws) -> Value {
    let mut living = Living::all();
    let mut episodes = vec![vec![json!({ "elect": living.one(draws) })]];
    for _ in 0..draws.number(1, BUDGET) {
        let caller = living.one(draws);
        let mut steps = vec![json!({ "elect": caller }), json!({ "sleep": ms(draws.number(0, SOON)) })];
        let faults = if row.assumes.no_crash { harmless(&row.assumes, draws) } else { crash(&mut living, draws) };
        steps.extend(faults);
        episodes.push(steps);
    }
    row.elections(name, episodes, clock)
}

/// Returns the steps in which a process crashes and restarts. If more than two processes are live, the process may
/// also crash permanently.
fn crash(living: &mut Living, draws: &mut Draws) -> Vec<Value> {
    let victim = living.likely_winner(draws);
    let mut steps = vec![json!({ "crash": victim })];
    if living.alive.len() > 2 && draws.happens(0.3) {
        living.alive.retain(|&node| node != victim);
    } else {
        let state = draws.of(&["stored", "none"]);
        steps.push(json!({ "sleep": ms(draws.number(1, 300)) }));
        steps.push(json!({ "restart": { "node": victim, "state": state } }));
    }
    steps
}

/// Returns the steps of a random fault that the assumptions `assumes` allow. The steps include the end of the fault,
/// so a later fault may affect the same process.
fn harmless(assumes: &Assumptions, draws: &mut Draws) -> Vec<Value> {
    let lasts = ms(draws.number(20, 400));
    let node = draws.number(0, u64::from(NODES) - 1);
    let during = |setting: Value, usual: Value| {
        vec![
            json!({ "network": { "default": setting } }),
            json!({ "sleep": lasts }),
            json!({ "network": { "default": usual } }),
        ]
    };
    match draws.number(0, 3) {
        0 if !assumes.fifo => during(json!({ "fifo": false }), json!({ "fifo": assumes.fifo })),
        1 if !assumes.no_duplication => during(json!({ "duplicate": "100%" }), json!({ "duplicate": 0 })),
        2 => {
            let partition = json!({ "groups": format!("{node}|others"), "lost": "hold", "for": lasts });
            vec![json!({ "partition": partition }), json!({ "sleep": lasts })]
        }
        _ => vec![json!({ "pause": { "node": node, "for": lasts } }), json!({ "sleep": lasts })],
    }
}

fn consensus(row: &Contender, name: &str, clock: Clock, draws: &mut Draws) -> Value {
    let mut steps = Vec::new();
    // P0 makes the last proposal. Each other process proposes at most once, because a process refuses a proposal
    // while its previous proposal is still in progress.
    let mut proposers: Vec<u64> = (1..u64::from(NODES)).collect();
    for round in 0..draws.number(1, BUDGET) {
        if let Some(node) = draws.one(&proposers).copied() {
            proposers.retain(|&other| other != node);
            steps.push(json!({ "propose": { "node": node, "value": format!("w{round}") } }));
        }
        steps.push(json!({ "sleep": ms(draws.number(0, SOON)) }));
        steps.extend(match draws.number(0, 3) {
            0 if !row.assumes.no_crash => outage(draws),
            1 if !row.assumes.no_loss => lossy(draws),
            _ => harmless(&row.assumes, draws),
        });
        steps.push(json!({ "sleep": ms(draws.number(100, 600)) }));
    }
    row.consensus(name, steps, clock)
}

/// Returns the steps in which one process crashes and restarts with its stored state. All other processes are live,
/// so there is a majority.
fn outage(draws: &mut Draws) -> Vec<Value> {
    let node = draws.number(0, u64::from(NODES) - 1);
    vec![
        json!({ "crash": node }),
        json!({ "sleep": ms(draws.number(1, 400)) }),
        json!({ "restart": { "node": node, "state": "stored" } }),
    ]
}

/// Returns the steps in which messages are lost for a while.
fn lossy(draws: &mut Draws) -> Vec<Value> {
    let loss = draws.of(&["10%", "30%", "50%"]);
    vec![
        json!({ "network": { "default": { "loss": loss } } }),
        json!({ "sleep": ms(draws.number(20, 600)) }),
        json!({ "network": { "default": { "loss": 0 } } }),
    ]
}

fn ms(length: u64) -> String {
    format!("{length}ms")
}
