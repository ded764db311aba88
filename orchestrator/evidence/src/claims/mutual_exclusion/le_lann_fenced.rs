//! Le Lann's ring with live processes. If the token seems to be lost, it is regenerated. If the token was not lost
//! but its holder was only paused, fencing rejects the late write of this holder.

use serde_json::json;

use super::super::live::Playground;
use super::deaths::{IN_TIME, detected, heartbeats, paused_holder};
use super::{CouldNotRun, Finding, Measurement};
use interlock_observation::monitor::mutual_exclusion::CONCURRENT_SECTIONS;
use interlock_simulation::scenario::Until;

/// Runs five live processes, which enter 10 times each while one token is lost. Returns the number of entries and
/// the codes of the violations.
fn one_lost(of: &str, playground: &Playground) -> Result<(u64, Vec<String>), CouldNotRun> {
    let lose = json!({ "rule": { "match": { "message_kind": "TOKEN" }, "action": "drop", "skip": 20, "count": 1 } });
    let stage = playground.stage(json!({
        "algorithm": "le-lann", "variant": of, "nodes": 5, "script": [{ "at": 0, "do": lose }],
        "workload": { "idle": "exp:5", "hold": "exp:2", "entries": 10 }, "parameters": { "missing": IN_TIME },
    }))?;
    stage.wait(&Until::Any(vec![Until::Stuck, Until::Idle]))?;
    Ok((stage.metrics().entries, stage.codes()))
}

fn live_with(of: &str, fencing: bool, playground: &Playground) -> Measurement {
    let (entries, broken) = one_lost(of, playground)?;
    let ring = json!({ "algorithm": "le-lann", "variant": "time-out", "parameters": { "missing": 500 } });
    let paused = paused_holder(playground, &detected(ring, &heartbeats(IN_TIME)), [0, 1], fencing)?;
    Ok(Finding {
        expected:
            "N = 5, one token lost: 50 entries, no property violated; N = 3, P0 paused inside: P1 enters beside it, \
             which is reported, and the account rejects the write of P0: [balance, expected, refused] [1, 1, 1]; \
             without detection stuck, and without fencing a deposit is lost"
                .into(),
        measured: format!("{of}: {entries} entries, {broken:?}; {paused}"),
        holds: entries == 50 && broken.is_empty() && paused.is_fenced_off(CONCURRENT_SECTIONS),
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("time-out", true, playground)
}

pub(super) fn live_otherwise(playground: &Playground) -> Measurement {
    live_with("original", false, playground)
}
