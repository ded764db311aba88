//! Livelock and starvation of real processes.

use interlock_algorithm::LockId;
use interlock_machine::wire::ClientTimer;
use serde_json::json;

use super::super::finding::CouldNotRun;
use super::super::live::{Playground, Stage};
use super::live::crossed;
use super::{Finding, Measurement};
use interlock_observation::monitor::livelock::{self, PATIENCE};
use interlock_observation::monitor::progress;
use interlock_simulation::scenario::Until;

/// DLK-2: runs a livelock, in which two processes in a corridor give way to each other without end. Also runs
/// three stations, of which the station with the largest id is never served.
pub(super) fn told_apart(playground: &Playground) -> Measurement {
    let corridor = playground.stage(json!({
        "algorithm": "prevention", "variant": "give-way", "nodes": 2, "timers": false,
        // The links are FIFO, so that both requests arrive before the answer to either request.
        "network": { "fifo": true },
    }))?;
    give_way(&corridor)?;
    Ok(found(&corridor, &stations(playground, "priority-order")?))
}

/// Negative control: runs a corridor that ends in a deadlock instead of a livelock, and stations that are served
/// in the order of their requests.
pub(super) fn other_than_told(playground: &Playground) -> Measurement {
    let stage = crossed(playground, json!({ "algorithm": "prevention", "variant": "none", "nodes": 2 }))?;
    stage.acquire_lock(1, LockId(0))?;
    stage.wait(&Until::ANY_VIOLATION)?;
    Ok(found(&stage, &stations(playground, "arrival-order")?))
}

/// Plays a corridor: each process holds its own lock and wants the lock of the other process. Each request is
/// refused, so the process releases its own lock and tries again. First the processes try one after the other, and
/// then both at the same time.
fn give_way(stage: &Stage) -> Result<(), CouldNotRun> {
    let fire = |nodes: &[u32], timer, kind| -> Result<(), CouldNotRun> {
        let expected: Vec<_> = nodes.iter().map(|&node| stage.expect(node, kind)).collect();
        stage.fire_together(nodes, timer)?;
        expected.into_iter().try_for_each(|one| stage.wait_expected(one))
    };
    for node in [0, 1] {
        stage.enter_lock(node, LockId(node))?;
    }
    for node in [0, 1] {
        let aborted = stage.expect(node, "aborted");
        stage.acquire_lock(node, LockId(1 - node))?;
        stage.wait_expected(aborted)?;
        fire(&[node], ClientTimer::Again, "entered")?;
    }
    for _ in 0..PATIENCE {
        fire(&[0, 1], ClientTimer::Next, "aborted")?;
        fire(&[0, 1], ClientTimer::Again, "entered")?;
    }
    fire(&[0, 1], ClientTimer::Next, "aborted")
}

/// Runs three stations that always want to send. `order` is the order in which the coordinator serves them. When a
/// station has finished sending, it requests the lock again at once. Its request arrives before the next station has
/// finished.
fn stations(playground: &Playground, order: &str) -> Result<Stage, CouldNotRun> {
    let stage = playground.stage(json!({ "algorithm": "centralised", "variant": order, "nodes": 3 }))?;
    stage.enter(0)?;
    ask(&stage, 1)?;
    ask(&stage, 2)?;
    for _ in 0..4 * progress::PATIENCE {
        let inside = stage.inside();
        let next = stage.expect_anywhere("entered");
        inside.iter().try_for_each(|&node| stage.release(node))?;
        stage.wait_expected(next)?;
        inside.iter().try_for_each(|&node| ask(&stage, node))?;
    }
    Ok(stage)
}

/// Makes a station request the lock. Returns when this request has arrived at the coordinator, P0.
fn ask(stage: &Stage, node: u32) -> Result<(), CouldNotRun> {
    if node == 0 {
        return stage.acquire(node);
    }
    let arrived = stage.expect(0, "delivered");
    stage.acquire(node)?;
    stage.wait_expected(arrived)
}

fn found(corridor: &Stage, stations: &Stage) -> Finding {
    let codes = [corridor.codes(), stations.codes()];
    Finding {
        expected: "the corridor: a livelock alone; the stations: starvation alone".into(),
        measured: format!("the corridor: {}; the stations: {}", codes[0].join(" and "), codes[1].join(" and ")),
        holds: codes == [[livelock::LIVELOCK], [progress::STARVATION]],
    }
}
