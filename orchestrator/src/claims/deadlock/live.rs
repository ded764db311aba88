//! Deadlocks of real processes, made by hand.

use interlock_algorithm::LockId;
use serde_json::json;

use super::super::claim::CouldNotRun;
use super::super::live::{Playground, Stage};
use super::banker::{HELD, claims};
use super::{Finding, Outcome};

/// P0 has resource 0 and wants 1, P1 has 1 and wants 0: each home knows of one wait only.
pub(super) fn crossed(playground: &Playground, algorithm: &str, variant: &str) -> Result<Stage, CouldNotRun> {
    let stage = playground.stage(json!({ "algorithm": algorithm, "variant": variant, "nodes": 3 }))?;
    stage.enter_lock(0, LockId(0))?;
    stage.enter_lock(1, LockId(1))?;
    stage.acquire_lock(0, LockId(1))?;
    Ok(stage)
}

/// Detection makes P1 give up, and P0 gets what it wants.
fn is_broken(playground: &Playground, algorithm: &str, variant: &str) -> Outcome {
    let stage = crossed(playground, algorithm, variant)?;
    let (aborted, entered) = (stage.expect(1, "aborted"), stage.expect(0, "entered"));
    stage.acquire_lock(1, LockId(0))?;
    stage.wait_expected(aborted)?;
    stage.wait_expected(entered)?;
    let (aborts, held) = (stage.metrics().aborts, stage.inside());
    Ok(Finding {
        expected: "P1, the younger and the higher, gives up, and P0 has both; no rule is broken".into(),
        measured: format!("{aborts} gave up; the resources are with {held:?}; {} rules broken", stage.violations()),
        holds: aborts == 1 && held == [0, 0] && stage.violations() == 0,
    })
}

/// Nobody looks for it, and both wait for ever.
fn is_proved(playground: &Playground) -> Outcome {
    let stage = crossed(playground, "prevention", "none")?;
    stage.acquire_lock(1, LockId(0))?;
    let stuck = stage.is_stuck()?;
    Ok(Finding {
        expected: "P1, the younger and the higher, gives up, and P0 has both; no rule is broken".into(),
        measured: format!("stuck: {stuck}; the resources are with {:?}", stage.inside()),
        holds: !stuck,
    })
}

/// DLK-3, by the coordinator.
pub(super) fn by_a_coordinator(playground: &Playground) -> Outcome {
    is_broken(playground, "central-detection", "original")
}

/// DLK-4, by probes.
pub(super) fn by_probes(playground: &Playground) -> Outcome {
    is_broken(playground, "edge-chasing", "highest")
}

/// The twin of both.
pub(super) fn by_nobody(playground: &Playground) -> Outcome {
    is_proved(playground)
}

/// DLK-7: what P1 … P5 of the lecture have is taken unit by unit; then P2 asks for one R3, and P5 for another.
pub(super) fn banker(playground: &Playground, existing: &str) -> Outcome {
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
    // The banker decides in the step in which it is asked.
    let waits = granted() == before;
    Ok(Finding {
        expected: "P2 has its R3, and P5 waits for one".into(),
        measured: format!("P2 has it; P5 waits: {waits}; {} rules broken", stage.violations()),
        holds: waits && stage.violations() == 0,
    })
}
