//! The lock service on a replicated log, compared with the classical algorithms for mutual exclusion.

use interlock_algorithm::{LockId, NodeId, Outcome};
use serde_json::Value;

use super::super::simulated::{acquire, at, heavy, idle, metrics, run, scripted, simulation};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing, live, under_fire};
use interlock_model::choice::Choice;
use interlock_model::event::Event;
use interlock_simulation::simulation::{Report, Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "LOG-1",
    showings: &[
        Showing::live(live::lock_service).beside(Experiment::Live(live::without_fencing)),
        Showing::of(How::Simulation, yardstick).beside(Experiment::Alone(other_yardsticks)),
    ],
}];

/// Number of processes.
const NODES: u32 = 5;

/// Makes the measurements of the claim with an algorithm. `variant` is the variant of the lock service in the random
/// runs.
fn parts(algorithm: &str, variant: &str) -> Result<[Finding; 4], CouldNotRun> {
    Ok([costs(algorithm)?, deaths(algorithm)?, pause(algorithm)?, under_fire("replicated-lock", variant, 50)?])
}

/// Combines all measurements of the claim into one result.
fn yardstick() -> Measurement {
    let parts = parts("replicated-lock", "leased")?;
    Ok(Finding { holds: parts.iter().all(|part| part.holds), ..in_one(&parts) })
}

/// Negative control: another algorithm, and a faulty variant of the lock service. None of the measurements may come out
/// as expected, so the control holds if one of them does.
fn other_yardsticks() -> Measurement {
    let parts = parts("centralised", "adopts-nothing")?;
    Ok(Finding { holds: parts.iter().any(|part| part.holds), ..in_one(&parts) })
}

fn in_one(parts: &[Finding]) -> Finding {
    Finding {
        expected: parts.iter().map(|part| part.expected.clone()).collect::<Vec<_>>().join("; "),
        measured: parts.iter().map(|part| part.measured.clone()).collect::<Vec<_>>().join("; "),
        holds: false,
    }
}

/// Compares the messages per entry at heavy load with the expected mean. An entry of the leader needs 4(N−1)
/// messages, and every other entry needs 3 more. Also measures the other algorithms under the same load.
fn costs(algorithm: &str) -> Measurement {
    let mut rows = Vec::new();
    let mut mean = 0.0;
    for name in [algorithm, "ricart-agrawala", "maekawa", "raymond", "suzuki-kasami"] {
        let measured =
            Simulation { warm_up: 500, measured_until: Some(2_500), ..simulation(heavy(name, NODES), 3_000)? };
        let report = run(&Simulation { watch: Watch::Metrics, ..measured })?;
        let of = metrics(&report)?;
        let messages = of.messages_per_entry.unwrap_or_default();
        let delay = of.synchronisation_delay.mean.unwrap_or_default();
        if name == algorithm {
            mean = messages;
        }
        rows.push(format!("{name} {messages:.1} and {delay:.1} T"));
    }
    // One of the five processes is the leader. An entry of the leader needs 3 messages fewer than an entry of
    // another process.
    let expected = f64::from(4 * (NODES - 1)) + 3.0 * f64::from(NODES - 1) / f64::from(NODES);
    Ok(Finding {
        expected: format!("{expected} messages per entry of {NODES} at heavy load"),
        measured: format!("messages per entry and synchronisation delay: {}", rows.join(", ")),
        holds: (mean - expected).abs() <= 0.02 * expected,
    })
}

/// Runs each pair of five processes: both processes crash while all processes want or hold the lock. The first
/// process of the pair holds the lock.
fn deaths(algorithm: &str) -> Measurement {
    let mut survived = 0;
    for (first, second) in (0..NODES).flat_map(|first| (first + 1..NODES).map(move |second| (first, second))) {
        let crash = |time, node| at(time, Choice::Crash { node: NodeId(node) });
        let mut script: Vec<_> = (0..NODES).map(|node| acquire(1, (first + node) % NODES, Some(20))).collect();
        script.extend([crash(10, first), crash(15, second)]);
        let report = recorded(idle(algorithm, NODES), script)?;
        let living = (0..NODES).filter(|node| ![first, second].contains(node));
        let all_entered = living.into_iter().all(|node| entries(&report).any(|(entered, ..)| entered == node));
        survived += u32::from(all_entered && report.violations.is_empty());
    }
    Ok(Finding {
        expected: "whichever two of five crash, all others enter".into(),
        measured: format!("so it was for {survived} of 10 pairs"),
        holds: survived == 10,
    })
}

/// Pauses a holder for longer than its lease. Meanwhile, another process must enter and receive a greater fencing
/// token.
fn pause(algorithm: &str) -> Measurement {
    let node = NodeId(1);
    let mut script = vec![acquire(1, 1, Some(50)), acquire(20, 2, Some(5_000))];
    script.extend([at(30, Choice::Pause { node }), at(2_000, Choice::Resume { node })]);
    let report = recorded(idle(algorithm, NODES), script)?;
    let fences: Vec<_> = entries(&report).map(|(_, fence, _)| fence).collect();
    let in_time = entries(&report).any(|(entered, _, at)| entered == 2 && at < 2_000_000);
    let all_greater = fences.iter().all(Option::is_some) && fences.is_sorted();
    Ok(Finding {
        expected: "while a holder is paused the next enters with a greater fence, and no property is violated".into(),
        measured: format!("fences {}, {} violations", in_words(&fences), report.violations.len()),
        holds: in_time && all_greater && report.violations.is_empty(),
    })
}

fn in_words(fences: &[Option<u64>]) -> String {
    let word = |fence: &Option<u64>| fence.map_or("none".to_owned(), |fence| fence.to_string());
    fences.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn recorded(document: Value, script: Vec<interlock_model::specification::Scripted>) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, until: Some(100_000_000), ..scripted(document, script)? })
}

/// Returns the node, the fencing token and the time of each entry. The time is in ticks.
fn entries(report: &Report) -> impl Iterator<Item = (u32, Option<u64>, u64)> + '_ {
    report.events.iter().filter_map(|event: &Event| match event.outcome() {
        Some((at, Outcome::Entered { lock: LockId(0), fence, .. })) => Some((at.node.0, *fence, event.at_us)),
        _ => None,
    })
}
