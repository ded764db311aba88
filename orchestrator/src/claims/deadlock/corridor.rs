//! Livelock and starvation among real processes.

use interlock_algorithm::LockId;
use interlock_node::wire::ClientTimer;
use serde_json::json;

use super::super::claim::CouldNotRun;
use super::super::live::{Playground, Stage};
use super::live::crossed;
use super::{Finding, Outcome};
use crate::monitor::livelock::{self, PATIENCE};
use crate::monitor::progress;
use crate::run::Until;

/// DLK-2: two in a corridor give way to each other, and of four stations those with large ids are not served.
pub(super) fn told_apart(playground: &Playground) -> Outcome {
    let corridor = playground.stage(json!({
        "algorithm": "prevention", "variant": "give-way", "nodes": 2, "timers": false,
        // So long that both have asked before either hears that it cannot have what it wants.
        "network": { "delays": { "BUSY": "const:150" } },
    }))?;
    give_way(&corridor)?;
    Ok(found(&corridor, &stations(playground, "priority-order", Until::Violation)?))
}

/// The twin: a deadlock in the place of the livelock, and stations that are served as they come.
pub(super) fn other_than_told(playground: &Playground) -> Outcome {
    let stage = crossed(playground, "prevention", "none")?;
    stage.acquire_lock(1, LockId(0))?;
    stage.wait(Until::Violation)?;
    Ok(found(&stage, &stations(playground, "arrival-order", Until::Idle)?))
}

/// Each has one lock and wants the other's; each hears that it cannot have it, gives its own back, and tries again.
fn give_way(stage: &Stage) -> Result<(), CouldNotRun> {
    let both = |kind| [0, 1].map(|node| stage.expect(node, kind));
    stage.enter_lock(0, LockId(0))?;
    stage.enter_lock(1, LockId(1))?;
    for round in 0..=PATIENCE {
        let aborted = both("aborted");
        if round == 0 {
            stage.acquire_lock(0, LockId(1))?;
            stage.acquire_lock(1, LockId(0))?;
        } else {
            [0, 1].into_iter().try_for_each(|node| stage.fire(node, ClientTimer::Next))?;
        }
        aborted.into_iter().try_for_each(|one| stage.wait_expected(one))?;
        let entered = both("entered");
        [0, 1].into_iter().try_for_each(|node| stage.fire(node, ClientTimer::Again))?;
        entered.into_iter().try_for_each(|one| stage.wait_expected(one))?;
    }
    Ok(())
}

/// Four stations that want to send all the time, served in this order.
fn stations(playground: &Playground, order: &str, until: Until) -> Result<Stage, CouldNotRun> {
    let stage = playground.stage(json!({
        "algorithm": "centralised", "variant": order, "nodes": 4,
        "workload": { "idle": "0", "hold": "const:1", "entries": 500 },
    }))?;
    stage.wait(until)?;
    Ok(stage)
}

fn found(corridor: &Stage, stations: &Stage) -> Finding {
    let codes = [corridor.codes(), stations.codes()];
    Finding {
        expected: "the corridor: a livelock alone; the stations: starvation alone".into(),
        measured: format!("the corridor: {}; the stations: {}", codes[0].join(" and "), codes[1].join(" and ")),
        holds: codes == [[livelock::LIVELOCK], [progress::STARVATION]],
    }
}
