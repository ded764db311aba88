//! Crashes of arbiters in Maekawa's algorithm, with and without a successor of the crashed arbiter.

use serde_json::{Value, json};

use super::super::live::Playground;
use super::super::simulated::{jittery, overlaps, run, simulation, variant};
use super::deaths::{Fates, Killed, SEEDS, crash, detected};
use super::{CouldNotRun, Finding, Measurement};
use interlock_simulation::simulation::{Simulation, Watch};

/// N and K of projective planes.
const PLANES: [(u32, u64); 4] = [(7, 3), (13, 4), (21, 5), (31, 6)];

/// Document of a run of `nodes` processes with the voting sets of a projective plane, on FIFO links.
fn plane(of: &str, nodes: u32) -> Value {
    let mut document = detected(variant(jittery("maekawa", nodes), of), &json!("perfect"));
    document["network"]["fifo"] = json!(true);
    document["parameters"] = json!({ "coterie": "plane" });
    document
}

/// Runs in which one of seven processes crashes, at a different time in each run.
fn one_dies(of: &str) -> Result<Fates, CouldNotRun> {
    Fates::of(&plane(of, 7), &[0, 1, 2, 3, 4, 5], |seed| vec![crash(100 + seed, 6)])
}

/// Returns, for each plane, the cost of one crash: the messages with which the successor replaces the crashed
/// arbiter.
fn prices() -> Result<Vec<u64>, CouldNotRun> {
    let price = |(nodes, _): &(u32, u64)| {
        let simulation = simulation(plane("succession", *nodes), 200)?;
        let report = run(&Simulation { script: vec![crash(100, 2)], watch: Watch::Metrics, ..simulation })?;
        let repairs = report.metrics.map(|metrics| metrics.repair_messages.values().sum()).unwrap_or_default();
        Ok(repairs)
    };
    PLANES.iter().map(price).collect()
}

pub(super) fn simulated() -> Measurement {
    let (fates, prices) = (one_dies("succession")?, prices()?);
    let bounds: Vec<u64> = PLANES.iter().map(|(_, size)| 2 * (size - 1)).collect();
    Ok(Finding {
        expected: format!(
            "N = 7, P6 crashes, {SEEDS} runs: all others make progress, no property violated; planes of 7, 13, 21, 31: \
             one TAKES-OVER and one STATE for each of its set, so 1 … {bounds:?} messages"
        ),
        measured: format!("succession: {fates}; {prices:?} messages"),
        holds: fates.go_on() && prices.iter().zip(&bounds).all(|(price, bound)| (1..=*bound).contains(price)),
    })
}

/// Runs four processes whose sets have only P0 in common. P0 crashes while another process is in the critical
/// section. Returns the number of runs in which a second process then entered.
fn forgotten(of: &str) -> Result<u64, CouldNotRun> {
    let mut document = plane(of, 4);
    document["parameters"] = json!({ "coterie": "sets:0,1;0,1;0,2;0,3" });
    document["workload"]["hold"] = json!("const:30");
    let mut overlapping = 0;
    for seed in 1..=SEEDS {
        document["seed"] = json!(seed);
        let simulation = simulation(document.clone(), 60)?;
        let script = vec![crash(100 + seed, 0)];
        overlapping += u64::from(overlaps(&run(&Simulation { script, watch: Watch::Events, ..simulation })?));
    }
    Ok(overlapping)
}

/// Negative control: no process replaces the crashed arbiter, or its successor does not ask the other processes for
/// which process the crashed arbiter voted.
pub(super) fn simulated_otherwise() -> Measurement {
    let fates = one_dies("corrected")?;
    let (asked, forgotten) = (forgotten("succession")?, forgotten("forgetful-succession")?);
    Ok(Finding {
        expected: "if no process takes the place, stuck in all runs; if the new arbiter asks nobody, ME1 broken".into(),
        measured: format!("corrected: {fates}; {asked} broke ME1 if it asks, {forgotten} if it does not"),
        holds: !fates.are_stuck() || asked > 0 || forgotten == 0,
    })
}

/// Runs seven live processes, of which P0 … P5 enter 10 times each while P6 is killed.
fn live_with(of: &str, playground: &Playground) -> Measurement {
    let mut document = plane(of, 7);
    document["network"] = json!({ "fifo": true });
    document["workload"] = json!({ "idle": "exp:5", "hold": "exp:2", "entries": 10, "nodes": [0, 1, 2, 3, 4, 5] });
    let killed = Killed::of(playground, document, 6)?;
    Ok(Finding {
        expected: "N = 7, P6 killed: 60 entries of the others, no property violated; where nobody takes its place, \
                   stuck"
            .into(),
        measured: format!("{of}: {killed}"),
        holds: killed.went_on(60),
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("succession", playground)
}

pub(super) fn live_without_succession(playground: &Playground) -> Measurement {
    live_with("corrected", playground)
}
