//! Dijkstra's message-passing ring, whose states are overwritten during the run. The ring stabilises again even over
//! links that lose and duplicate messages.

use std::fmt;

use interlock_algorithm::NodeId;
use interlock_machine::draw::{draw, evenly};
use serde_json::json;

use super::super::live::Playground;
use super::super::simulated::{loaded, recorded};
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::event::{Event, What};
use interlock_observation::monitor::mutual_exclusion;
use interlock_simulation::scenario::Until;

/// Number of processes.
const NODES: u32 = 4;
/// Time at which all states are overwritten, in units.
const OVERWRITTEN: u64 = 200;
/// Time by which the ring must have stabilised, in units.
const SETTLED: u64 = 1_200;
/// Number of runs.
const SEEDS: u64 = 20;
/// Number of possible values of a flag.
const FLAGS: u64 = 16;

/// Results of runs in which all states were overwritten.
#[derive(Default)]
struct Recovered {
    /// Number of entries into an occupied critical section before the time by which the ring must have stabilised.
    overlaps_before: u64,
    /// Number of entries into an occupied critical section after the time by which the ring must have stabilised.
    overlaps_after: u64,
    /// Number of runs in which some process does not enter after the time by which the ring must have stabilised.
    deserted: u64,
}

impl fmt::Display for Recovered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { overlaps_before, overlaps_after, deserted } = self;
        write!(formatter, "{SEEDS} runs, {overlaps_before} overlaps before, {overlaps_after} afterwards, ")?;
        write!(formatter, "{deserted} in which some process never enters again")
    }
}

impl Recovered {
    fn add(&mut self, events: &[Event]) {
        let settled = |event: &&Event| event.at_us >= SETTLED * 1_000;
        let overlap = |event: &&Event| matches!(&event.what, What::Violated { violation } if *violation.monitor == *mutual_exclusion::NAME);
        let overlaps = events.iter().filter(overlap).count() as u64;
        let after = events.iter().filter(settled).filter(overlap).count() as u64;
        self.overlaps_before += overlaps - after;
        self.overlaps_after += after;
        let enters =
            |node| events.iter().filter(settled).any(|event| event.kind() == "entered" && event.node() == Some(node));
        self.deserted += u64::from(!NodeId::all(NODES).all(enters));
    }
}

/// Runs rings in which the states of all processes are overwritten with random states. If `fifo`, links are FIFO.
fn overwritten(fifo: bool) -> Result<Recovered, CouldNotRun> {
    let mut recovered = Recovered::default();
    for seed in 1..=SEEDS {
        let mut document = loaded("dijkstra-ring", NODES, "0");
        document["seed"] = json!(seed);
        document["parameters"] = json!({ "k": FLAGS, "period": 5 });
        document["network"] = json!({ "delay": "uniform:0..20", "fifo": fifo, "loss": 0.1, "duplicate": 0.1 });
        let choice = |node| evenly(draw(&[seed, node]), 0, FLAGS * FLAGS - 1);
        let overwrites = (0..u64::from(NODES))
            .map(|node| json!({ "at": OVERWRITTEN, "do": { "corrupt": { "node": node, "choice": choice(node) } } }));
        document["script"] = overwrites.collect();
        recovered.add(&recorded(document, 500)?.events);
    }
    Ok(recovered)
}

/// Measures recovery with FIFO links.
pub(super) fn simulated() -> Measurement {
    let recovered = overwritten(true)?;
    Ok(Finding {
        expected: format!(
            "N = {NODES}, k = {FLAGS}, 10 % loss, 10 % copies, all overwritten at {OVERWRITTEN} T in each of {SEEDS} \
             runs: overlaps before {SETTLED} T, none afterwards, and all enter again and again"
        ),
        measured: recovered.to_string(),
        holds: recovered.overlaps_before > 0 && recovered.overlaps_after == 0 && recovered.deserted == 0,
    })
}

/// Negative control: messages overtake each other, so old flags arrive again and again after newer flags.
pub(super) fn simulated_without_order() -> Measurement {
    let recovered = overwritten(false)?;
    Ok(Finding {
        expected: "where messages overtake each other there are overlaps afterwards, too".into(),
        measured: recovered.to_string(),
        holds: recovered.overlaps_after == 0,
    })
}

/// States in which all four processes are privileged: each flag differs from the previous flag, and the first flag
/// equals the last.
const ALL_PRIVILEGED: [u64; 4] = [1 + FLAGS, 2 + FLAGS, 3 + 2 * FLAGS, 1 + 3 * FLAGS];

/// Overwrites the states of live processes such that all processes are privileged. Counts the violations in the
/// next 60 entries, and in the 60 entries after that.
fn live(overwrites_again: bool, playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "dijkstra-ring", "nodes": NODES, "parameters": { "k": FLAGS, "period": "5ms" },
        "network": { "delay": "uniform:0..2", "fifo": true, "loss": 0.1, "duplicate": 0.1 },
        // The hold time must be so long that all privileged processes are in the critical section together, even on a
        // busy machine.
        "workload": { "idle": 0, "hold": "20ms" },
    }))?;
    stage.wait(&Until::Entries(8))?;
    let before = stage.violations();
    stage.corrupt(&ALL_PRIVILEGED)?;
    stage.wait(&Until::Entries(60))?;
    let settled = stage.violations();
    if overwrites_again {
        stage.corrupt(&ALL_PRIVILEGED)?;
    }
    stage.wait(&Until::Entries(60))?;
    let after = stage.violations();
    Ok(Finding {
        expected: format!(
            "N = {NODES}, 10 % loss, 10 % copies: no overlap until all are overwritten, some within 60 entries, none \
             in the next 60"
        ),
        measured: format!("{before}, {} and {} overlaps", settled - before, after - settled),
        holds: before == 0 && settled > before && after == settled,
    })
}

/// Measures recovery of live processes whose states are overwritten once.
pub(super) fn live_once(playground: &Playground) -> Measurement {
    live(false, playground)
}

/// Negative control: the states are overwritten again after the ring has stabilised.
pub(super) fn live_twice(playground: &Playground) -> Measurement {
    live(true, playground)
}
