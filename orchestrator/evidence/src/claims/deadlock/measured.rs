//! Measurements for the claims about deadlocks.

use std::fmt;

use interlock_algorithm::{LockId, NodeId, Outcome};
use serde_json::{Value, json};

use super::super::finding::CouldNotRun;
use super::super::simulated::{at, run, scripted, simulation};
use interlock_model::choice::Choice;
use interlock_model::specification::Scripted;
use interlock_observation::monitor::{deadlocks, livelock};
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// Action that makes the client of a node request a lock and hold it until a manual release.
pub(super) fn ask(time: u64, node: u32, lock: u32) -> Scripted {
    at(time, Choice::Acquire { node: NodeId(node), lock: LockId(lock), hold: None })
}

/// Action that makes the client of a node release a lock.
pub(super) fn give(time: u64, node: u32, lock: u32) -> Scripted {
    at(time, Choice::Release { node: NodeId(node), lock: LockId(lock) })
}

/// Totals of several runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Number of runs.
    pub runs: u64,
    /// Number of completed rounds. A round counts as complete when a process that holds all the locks that it
    /// wants releases the first of them.
    pub finished: u64,
    /// Number of aborts.
    pub aborts: u64,
    /// Number of deadlocks that lasted longer than the monitor allows, or forever.
    pub deadlocks: u64,
    /// Number of reported deadlocks.
    pub reported: u64,
    /// Number of reported deadlocks that never existed.
    pub phantoms: u64,
    /// Number of reported deadlocks that had existed but were already resolved.
    pub late: u64,
    /// Number of livelocks.
    pub livelocks: u64,
    /// Number of cases of starvation.
    pub starved: u64,
    /// Number of runs that were cut short or got stuck.
    pub unfinished: u64,
}

impl Tally {
    /// Adds the results of one run.
    pub fn add(&mut self, report: &Report) {
        let found = |code: &str| report.violations.iter().filter(|(_, found)| *found.code == *code).count() as u64;
        let events = |kind: &str| report.events.iter().filter(|event| event.kind() == kind).count() as u64;
        self.runs += 1;
        self.finished += finished(report);
        self.aborts += events("aborted");
        self.deadlocks += found(deadlocks::CYCLE);
        self.reported += events("reported");
        self.phantoms += found(deadlocks::PHANTOM);
        self.late += found(deadlocks::LATE);
        self.livelocks += found(livelock::LIVELOCK);
        self.starved += found(livelock::STARVATION);
        self.unfinished += u64::from(report.cut.is_some() || report.is_stuck());
    }

    /// Runs the document with the seeds 1 … `seeds`, with `rounds` transactions in each run. Stops after the first
    /// run in which [`Self::went_well`] fails.
    ///
    /// # Errors
    /// If the document does not describe a run.
    pub fn of(document: &Value, seeds: u64, rounds: u64) -> Result<Self, CouldNotRun> {
        let mut tally = Self::default();
        for seed in 1..=seeds {
            let mut document = document.clone();
            document["seed"] = json!(seed);
            tally.add(&watched(document, rounds)?);
            if !tally.went_well() {
                break;
            }
        }
        Ok(tally)
    }

    /// Returns whether no process waited forever and all transactions were completed.
    pub const fn went_well(self) -> bool {
        self.deadlocks + self.livelocks + self.starved + self.unfinished == 0 && self.finished > 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, finished, aborts, deadlocks, reported, phantoms, late, livelocks, starved, unfinished } = self;
        write!(
            formatter,
            "{runs} runs, {finished} transactions, {aborts} aborts, {deadlocks} deadlocks that stayed, "
        )?;
        write!(formatter, "{reported} reported ({phantoms} phantoms, {late} late), {livelocks} livelocks, ")?;
        write!(formatter, "{starved} starved, {unfinished} runs that did not end")
    }
}

/// Returns the number of completed requests, which is the number of exits without the exits in an abort. Several
/// exits for the same request count once.
fn finished(report: &Report) -> u64 {
    let mut last = None;
    let mut count = 0;
    for (place, event) in report.events.iter().enumerate() {
        let Some((at, Outcome::Exited { request, .. })) = event.outcome() else { continue };
        let same_step = |later: &&interlock_model::event::Event| later.node() == Some(at.node);
        let mut rest = report.events[place + 1..].iter().take(20).filter(same_step);
        let aborted =
            rest.any(|later| matches!(later.outcome(), Some((abort, Outcome::Aborted { .. })) if abort == at));
        if !aborted && last != Some((at.node, *request)) {
            last = Some((at.node, *request));
            count += 1;
        }
    }
    count
}

/// Runs `rounds` transactions and keeps the events. If the run does not end, it is cut short.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn watched(document: Value, rounds: u64) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, most_steps: 20_000 + 300 * rounds, ..simulation(document, rounds)? })
}

/// Runs only the actions of the script and keeps the events.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn played(document: Value, script: Vec<Scripted>) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })
}

/// A run of philosophers. Each takes the lock with its own number, then the next lock.
pub(super) fn philosophers(algorithm: &str, variant: &str, nodes: u32) -> Value {
    json!({
        "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1, "network": { "delay": "uniform:0..2" },
        "workload": { "idle": "const:5", "hold": "const:5", "locks": "neighbours", "between": "const:10" },
    })
}

/// A run in which every process takes two random locks and, soon afterwards, two random locks again.
pub(super) fn drawn(algorithm: &str, variant: &str, nodes: u32) -> Value {
    json!({
        "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1, "network": { "delay": "exp:3" },
        "workload": { "idle": "exp:3", "hold": "exp:3", "locks": "some:2", "between": "exp:3" },
    })
}
