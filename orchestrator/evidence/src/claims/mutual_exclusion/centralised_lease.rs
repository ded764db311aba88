//! The centralised algorithm if a holder crashes or is only paused. With a lease, the lease then expires; without
//! a lease, the holder keeps the lock.

use interlock_algorithm::NodeId;
use serde_json::json;

use super::super::live::Playground;
use super::deaths::{Killed, LONG_MS, paused_holder};
use super::{Finding, Measurement};
use interlock_observation::monitor::mutual_exclusion::CONCURRENT_SECTIONS;
use interlock_simulation::scenario::Until;

/// Runs live processes with the coordinator P0. P1 enters first, and would stay until a manual release, but the
/// test kills P1 in the critical section.
fn holder_dies(of: &str, playground: &Playground) -> Result<Killed, super::CouldNotRun> {
    let stage = playground.stage(json!({
        "algorithm": "centralised", "variant": of, "nodes": 4, "parameters": { "lease": 300 }, "slow_after_ms": LONG_MS,
        "workload": { "idle": "exp:5", "hold": "exp:2", "entries": 20, "nodes": [2, 3] },
    }))?;
    stage.acquire(1)?;
    stage.wait(&Until::Entered { node: Some(NodeId(1)), lock: None })?;
    Killed::in_the_section(&stage, 1)
}

fn live_with(of: &str, fencing: bool, playground: &Playground) -> Measurement {
    let killed = holder_dies(of, playground)?;
    let paused = paused_holder(
        playground,
        &json!({ "algorithm": "centralised", "variant": "lease", "parameters": { "lease": 300 } }),
        [1, 2],
        fencing,
    )?;
    Ok(Finding {
        expected: "N = 4, the holder killed inside: P2 and P3 enter 20 times each, no property violated; N = 3, the \
                   holder paused inside: P2 enters beside it, which is reported, and the account rejects its write: \
                   [balance, expected, refused] [1, 1, 1]; not taken back, stuck, and without fencing a deposit is lost"
            .into(),
        measured: format!("{of}: {killed}; {paused}"),
        holds: killed.went_on_by(40) && paused.is_fenced_off(CONCURRENT_SECTIONS),
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("lease", true, playground)
}

pub(super) fn live_otherwise(playground: &Playground) -> Measurement {
    live_with("arrival-order", false, playground)
}
