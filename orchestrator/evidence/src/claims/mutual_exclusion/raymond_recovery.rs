//! Crashes and restarts in Raymond's algorithm. A restarted process asks its neighbours for the state that it has
//! lost. In the negative control, a restarted process does not ask its neighbours.

use interlock_algorithm::NodeId;
use serde_json::json;

use super::super::live::Playground;
use super::super::simulated::{jittery, variant};
use super::deaths::{Fates, SEEDS, crash, restart};
use super::{Finding, Measurement};
use interlock_model::event::RestartState;
use interlock_simulation::scenario::Until;

/// Runs seven processes in a balanced tree. P1, which has three neighbours, crashes, and restarts without its
/// state 50 units later.
fn simulated_with(of: &str, expected: &str) -> Measurement {
    let mut document = variant(jittery("raymond", 7), of);
    document["network"]["fifo"] = json!(true);
    let fates =
        Fates::of(&document, &[0, 1, 2, 3, 4, 5, 6], |seed| vec![crash(100 + seed, 1), restart(150 + seed, 1)])?;
    Ok(Finding {
        expected: format!("N = 7, P1 crashes and is back with nothing, {SEEDS} runs: {expected}"),
        measured: format!("{of}: {fates}"),
        holds: fates.go_on(),
    })
}

pub(super) fn simulated() -> Measurement {
    simulated_with("recovery", "all make progress, also P1, no violation, though a privilege may be lost with it")
}

pub(super) fn simulated_without_recovery() -> Measurement {
    simulated_with("original", "without asking, not all make progress")
}

/// Runs three live processes on a line. P1 is killed in the critical section after P0 and P2 have requested. P1 then
/// restarts without its state.
fn live_with(of: &str, playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "raymond", "variant": of, "nodes": 3, "parameters": { "tree": "line", "holder": 1 },
        "network": { "fifo": true },
    }))?;
    stage.enter(1)?;
    for node in [0, 2] {
        let asked = stage.expect(1, "delivered");
        stage.acquire(node)?;
        stage.wait_expected(asked)?;
    }
    stage.crash(1)?;
    stage.restart(1, RestartState::None)?;
    let entered_or_stuck =
        |node| Until::Any(vec![Until::Stuck, Until::Entered { node: Some(NodeId(node)), lock: None }]);
    let mut entered = Vec::new();
    for node in [0, 2] {
        stage.wait(&entered_or_stuck(node))?;
        if stage.inside() != [node] {
            break;
        }
        entered.push(node);
        stage.release(node)?;
    }
    let metrics = stage.metrics();
    let repairs: u64 = metrics.repair_messages.values().sum();
    // While P1 is crashed, the monitor correctly reports that P0 and P2 would wait forever without a restart.
    // These reports do not count as violations here.
    let broken = metrics.violations - metrics.stuck;
    Ok(Finding {
        expected:
            "N = 3 on a line, P1 killed inside and back with nothing: P0, who asked it, enters, then P2; 2 RESTART and \
                   2 ADVISE, no property violated; without asking, neither"
                .into(),
        measured: format!("{of}: {entered:?} entered, {repairs} messages to recover, {broken} violations"),
        holds: entered == [0, 2] && repairs == 4 && broken == 0,
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("recovery", playground)
}

pub(super) fn live_without_recovery(playground: &Playground) -> Measurement {
    live_with("original", playground)
}
