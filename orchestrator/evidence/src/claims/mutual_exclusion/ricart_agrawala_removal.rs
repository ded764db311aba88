//! Ricart and Agrawala's algorithm with crashes. A suspected process is removed, even if the suspicion is wrong. A
//! restarted process joins again.

use serde_json::{Value, json};

use super::super::live::Playground;
use super::super::simulated::{acquire, entered, idle, jittery, overlaps, run, scripted, variant};
use super::deaths::{Fates, IN_TIME, Killed, SEEDS, SOON, crash, detected, heartbeats, restart, suspect};
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::{Simulation, Watch};

/// Variant that removes suspected processes.
const REMOVES: &str = "remove-dead";
/// Variant that removes no process, with the same failure detector.
const WAITS: &str = "lamport-clock";

/// Runs five processes that request again and again on FIFO links. In each run, one process crashes, at a
/// different time.
fn one_dies(of: &str, detector: &Value) -> Result<Fates, CouldNotRun> {
    let mut document = detected(variant(jittery("ricart-agrawala", 5), of), detector);
    document["network"]["fifo"] = json!(true);
    Fates::of(&document, &[0, 1, 2, 3], |seed| vec![crash(100 + seed, 4)])
}

/// Returns the processes that entered, in order, and whether two processes were in the critical section at the same
/// time.
fn played(of: &str, detector: &Value, script: Vec<Scripted>) -> Result<(Vec<u32>, bool), CouldNotRun> {
    let simulation = scripted(detected(variant(idle("ricart-agrawala", 3), of), detector), script)?;
    let report = run(&Simulation { watch: Watch::Events, ..simulation })?;
    Ok((entered(&report), overlaps(&report)))
}

/// Runs P1, which waits for P0 in the critical section, and then wrongly suspects P0.
fn suspected_wrongly(of: &str) -> Result<(Vec<u32>, bool), CouldNotRun> {
    let script = vec![acquire(0, 0, Some(50)), acquire(10, 1, Some(50)), suspect(20, 1, 0)];
    played(of, &json!("none"), script)
}

/// Runs P0, which requests and waits for P1 while P2 is crashed. Then P2 restarts and requests.
fn back_again(of: &str) -> Result<(Vec<u32>, bool), CouldNotRun> {
    let asks = [acquire(10, 1, Some(50)), acquire(20, 0, Some(50)), acquire(40, 2, Some(50))];
    let script = [crash(1, 2)].into_iter().chain(asks).chain([restart(30, 2)]).collect();
    played(of, &json!("perfect"), script)
}

pub(super) fn simulated() -> Measurement {
    let (perfect, heartbeat) = (one_dies(REMOVES, &json!("perfect"))?, one_dies(REMOVES, &heartbeats(SOON))?);
    let wrong = suspected_wrongly(REMOVES)?;
    let (joins, at_once) = (back_again(REMOVES)?, back_again("asks-at-once")?);
    Ok(Finding {
        expected: format!(
            "N = 5, P4 crashes, {SEEDS} runs: with remove-dead all others make progress and no property is violated; \
             P1 suspects P0, who is inside: two inside; P2 is back after a crash and joins first: P1, P0, P2 enter in \
             turn, and if it asks at once two are inside"
        ),
        measured: format!(
            "perfect: {perfect}; heartbeat: {heartbeat}; (entered, two inside) suspected {wrong:?}; joins {joins:?}; \
             asks-at-once {at_once:?}"
        ),
        holds: perfect.go_on()
            && heartbeat.go_on()
            && wrong == (vec![0, 1], true)
            && joins == (vec![1, 0, 2], false)
            && at_once.1,
    })
}

/// Negative control: no process is removed. The control holds if at least one of the results is the same as with
/// removal.
pub(super) fn simulated_without_removal() -> Measurement {
    let (perfect, heartbeat) = (one_dies(WAITS, &json!("perfect"))?, one_dies(WAITS, &heartbeats(SOON))?);
    let wrong = suspected_wrongly(WAITS)?;
    Ok(Finding {
        expected: "lamport-clock: stuck in all runs; a suspicion lets no process in".into(),
        measured: format!("perfect: {perfect}; heartbeat: {heartbeat}; suspected {wrong:?}"),
        holds: !perfect.are_stuck() || !heartbeat.are_stuck() || wrong != (vec![0, 1], false),
    })
}

/// Runs five live processes, of which P1 … P4 enter 20 times each while P0 is killed. In a second run, P0 of three
/// processes is in the critical section, and P1 waits for P0 and then wrongly suspects it.
fn live_with(of: &str, playground: &Playground) -> Measurement {
    let killed = |detector: &Value| {
        let workload = json!({ "idle": "exp:5", "hold": "exp:2", "entries": 20, "nodes": [1, 2, 3, 4] });
        let document = json!({
            "algorithm": "ricart-agrawala", "variant": of, "nodes": 5, "network": { "fifo": true },
            "workload": workload, "detector": detector,
        });
        Killed::of(playground, document, 0)
    };
    let (perfect, heartbeat) = (killed(&json!("perfect"))?, killed(&heartbeats(IN_TIME))?);
    let stage = playground.stage(json!({
        "algorithm": "ricart-agrawala", "variant": of, "nodes": 3, "network": { "fifo": true },
    }))?;
    stage.enter(0)?;
    let reply_of_the_other = stage.expect(1, "delivered");
    stage.acquire(1)?;
    stage.wait_expected(reply_of_the_other)?;
    stage.suspect(1, 0)?;
    let inside = stage.inside();
    Ok(Finding {
        expected: "N = 5, P0 killed: with remove-dead 80 entries of the others and no property violated, with a \
                   perfect detector and with heartbeats; P1 suspects P0, who is inside: [0, 1] inside, and the monitor \
                   reports it"
            .into(),
        measured: format!(
            "{of}: perfect: {perfect}; heartbeat: {heartbeat}; {inside:?} inside, {} violations",
            stage.violations()
        ),
        holds: perfect.went_on(80) && heartbeat.went_on(80) && inside == [0, 1] && stage.violations() == 1,
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with(REMOVES, playground)
}

pub(super) fn live_without_removal(playground: &Playground) -> Measurement {
    live_with(WAITS, playground)
}
