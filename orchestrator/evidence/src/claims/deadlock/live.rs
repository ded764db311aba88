//! Deadlocks of real processes, which manual actions cause.

use interlock_algorithm::LockId;
use serde_json::{Value, json};

use super::super::finding::CouldNotRun;
use super::super::live::{Playground, Stage};
use super::banker_example::{HELD, claims};
use super::{Finding, Measurement};

/// Creates a run in which P0 holds resource 0, P1 holds resource 1, and P0 also wants resource 1. If P1 then requests
/// resource 0, there is a deadlock. Each resource is managed by a different node, which knows only one of the two
/// waits.
pub(super) fn crossed(playground: &Playground, document: Value) -> Result<Stage, CouldNotRun> {
    let stage = playground.stage(document)?;
    stage.enter_lock(0, LockId(0))?;
    stage.enter_lock(1, LockId(1))?;
    stage.acquire_lock(0, LockId(1))?;
    Ok(stage)
}

/// Checks that detection aborts P1, and that P0 gets both locks. A message takes one second. The monitor reports a
/// cycle only if the cycle lasts longer than the time of ten messages. Detection takes only the time of five
/// messages, so the result does not depend on the load of the machine.
fn is_broken(playground: &Playground, mut document: Value) -> Measurement {
    document["network"] = json!({ "delay": "const:1000" });
    let stage = crossed(playground, document)?;
    let (aborted, entered) = (stage.expect(1, "aborted"), stage.expect(0, "entered"));
    stage.acquire_lock(1, LockId(0))?;
    stage.wait_expected(aborted)?;
    stage.wait_expected(entered)?;
    let (aborts, held, broken) = (stage.metrics().aborts, stage.inside(), stage.violations());
    Ok(Finding {
        expected: GIVES_UP.into(),
        measured: format!("{aborts} gave up; the resources are with {held:?}; {broken} violations"),
        holds: aborts == 1 && held == [0, 0] && broken == 0,
    })
}

const GIVES_UP: &str = "P1, the younger and the higher, gives up, and P0 has both; no property is violated";

/// DLK-3: checks that P2, the coordinator, detects the deadlock.
pub(super) fn by_a_coordinator(playground: &Playground) -> Measurement {
    is_broken(playground, json!({ "algorithm": "central-detection", "nodes": 3, "parameters": { "coordinator": 2 } }))
}

/// DLK-4: checks that probes detect the deadlock.
pub(super) fn by_probes(playground: &Playground) -> Measurement {
    is_broken(playground, json!({ "algorithm": "edge-chasing", "variant": "highest", "nodes": 3 }))
}

/// Negative control of DLK-3 and DLK-4: no process detects the deadlock, so both processes wait forever.
pub(super) fn by_nobody(playground: &Playground) -> Measurement {
    let stage = crossed(playground, json!({ "algorithm": "prevention", "variant": "none", "nodes": 3 }))?;
    stage.acquire_lock(1, LockId(0))?;
    let stuck = stage.is_stuck()?;
    Ok(Finding {
        expected: GIVES_UP.into(),
        measured: format!("stuck: {stuck}; the resources are with {:?}", stage.inside()),
        holds: !stuck,
    })
}

/// DLK-7: runs the lecture's example with `existing` units of each resource. P1 … P5 take their units one by one.
/// Then P2 requests one unit of R3, and P5 requests another unit of R3.
pub(super) fn banker(playground: &Playground, existing: &str) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "banker", "nodes": 5, "parameters": { "existing": existing, "claims": claims() },
    }))?;
    for (node, row) in (0_u32..).zip(HELD) {
        for (lock, units) in (0_u32..).zip(row) {
            for _ in 0..units {
                stage.enter_lock(node, LockId(lock))?;
            }
        }
    }
    stage.enter_lock(1, LockId(2))?;
    let granted = || stage.metrics().messages_by_kind.get("GRANT").copied();
    let (before, asked) = (granted(), stage.expect(0, "delivered"));
    stage.acquire_lock(4, LockId(2))?;
    stage.wait_expected(asked)?;
    // The banker grants or refuses a request in the step in which the request arrives, so the result is final
    // here.
    let waits = granted() == before;
    let with_r3: Vec<u32> =
        stage.state().locks.iter().skip(2).take(1).flat_map(|lock| &lock.holders).map(|node| node.0).collect();
    Ok(Finding {
        expected: "P2 has its R3, and P5 waits for one".into(),
        measured: format!("R3 with {with_r3:?} (counted from 0); P5 waits: {waits}; {} violations", stage.violations()),
        holds: waits && with_r3.contains(&1) && stage.violations() == 0,
    })
}
