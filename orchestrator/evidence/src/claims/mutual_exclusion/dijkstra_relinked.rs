//! Dijkstra's ring with crashes: the ring closes over crashed processes, and the live process with the smallest id
//! acts as P0.

use serde_json::{Value, json};

use super::super::live::Playground;
use super::super::simulated::{jittery, variant};
use super::deaths::{Fates, SEEDS, crash, detected};
use super::{CouldNotRun, Finding, Measurement};
use interlock_algorithm::NodeId;
use interlock_simulation::scenario::Until;

/// A message-passing ring of four processes of the variant `of`, with the failure detector `detector`.
fn ring(of: &str, detector: &str) -> Value {
    detected(variant(jittery("dijkstra-ring", 4), of), &json!(detector))
}

/// Runs rings in which P0 crashes first, so that another process must act as P0. Then P2 crashes.
fn two_die(of: &str, detector: &str) -> Result<Fates, CouldNotRun> {
    Fates::of(&ring(of, detector), &[1, 3], |seed| vec![crash(100 + seed, 0), crash(400 + seed, 2)])
}

pub(super) fn simulated() -> Measurement {
    let fates = two_die("message-passing", "perfect")?;
    Ok(Finding {
        expected: format!("N = 4, P0 crashes, then P2, {SEEDS} runs: the others make progress, no property violated"),
        measured: fates.to_string(),
        holds: fates.go_on(),
    })
}

/// Negative control: no process is notified of crashes, or no other process acts as P0. The control holds if the
/// processes make progress in at least one of the two cases.
pub(super) fn simulated_otherwise() -> Measurement {
    let (untold, no_heir) = (two_die("message-passing", "none")?, two_die("no-heir", "perfect")?);
    Ok(Finding {
        expected: "without notification, or with no process in the role of P0: not all make progress".into(),
        measured: format!("untold: {untold}; no-heir: {no_heir}"),
        holds: untold.go_on() || no_heir.go_on(),
    })
}

/// Runs a live ring in which P0 is killed. Then each other process must enter twice. P0 has already passed the
/// privilege on, so each other process can enter once even if no process acts as P0. Only the second entries show
/// that a process acts as P0.
fn live_with(detector: &str, playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "dijkstra-ring", "nodes": 3, "detector": detector,
    }))?;
    stage.enter(0)?;
    stage.release(0)?;
    stage.crash(0)?;
    let mut entered = Vec::new();
    for node in [1, 2, 1, 2] {
        stage.acquire(node)?;
        // Processes send their flags again and again, so the run never becomes idle. Only a monitor can determine
        // that no process enters.
        let entered_or_not =
            [Until::Entered { node: Some(NodeId(node)), lock: None }, Until::Violation { monitor: None }];
        stage.wait(&Until::Any(entered_or_not.into()))?;
        if stage.inside() != [node] {
            break;
        }
        entered.push(node);
        stage.release(node)?;
    }
    let broken = stage.violations();
    Ok(Finding {
        expected: "N = 3, P0 killed: P1 and P2 enter twice each, no property violated; without notification, not all \
                   four times"
            .into(),
        measured: format!("{detector}: {entered:?} entered, {broken} violations"),
        holds: entered == [1, 2, 1, 2] && broken == 0,
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("perfect", playground)
}

pub(super) fn live_untold(playground: &Playground) -> Measurement {
    live_with("none", playground)
}
