//! Le Lann's ring live: a token that is lost is made anew, and a holder that only stood still is fenced off.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::super::live::Playground;
use super::deaths::heartbeats;
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::monitor::mutual_exclusion::CONCURRENT_SECTIONS;
use interlock_model::scenario::Until;

/// Five are to enter 10 times each, and one token is lost: how many entered, and which rules were broken.
fn one_lost(of: &str, playground: &Playground) -> Result<(u64, Vec<String>), CouldNotRun> {
    let lose = json!({ "rule": { "match": { "message_kind": "TOKEN" }, "action": "drop", "skip": 20, "count": 1 } });
    let stage = playground.stage(json!({
        "algorithm": "le-lann", "variant": of, "nodes": 5, "script": [{ "at": 0, "do": lose }],
        "workload": { "idle": "exp:5", "hold": "exp:2", "entries": 10 },
    }))?;
    stage.wait(&Until::Any(vec![Until::Stuck, Until::Idle]))?;
    Ok((stage.metrics().entries, stage.codes()))
}

/// P0 stands still inside, for so long that the others take it for dead and make a new token, with which P1 enters; then P1
/// leaves, and P0 goes on and leaves: who was inside together, the rules broken, and the account that both paid 1 into.
fn paused(fencing: bool, playground: &Playground) -> Result<(Vec<u32>, Vec<String>, Value), CouldNotRun> {
    let account = json!({ "balance": 0, "deposit": 1, "fencing": fencing });
    let stage = playground.stage(json!({
        "algorithm": "le-lann", "variant": "time-out", "nodes": 3, "parameters": { "missing": 500 },
        "detector": heartbeats(), "workload": { "nodes": [], "account": account },
    }))?;
    stage.enter(0)?;
    stage.pause(0)?;
    stage.acquire(1)?;
    stage.wait(&Until::Entered { node: Some(NodeId(1)) })?;
    let inside = stage.inside();
    stage.release(1)?;
    stage.resume(0)?;
    stage.release(0)?;
    let account = serde_json::to_value(stage.state().account).map_err(CouldNotRun::because)?;
    Ok((inside, stage.codes(), account))
}

/// What an account comes to: what is in it, what should be, and how many writes were refused.
fn sums(account: &Value) -> [i64; 3] {
    ["balance", "expected", "refused"].map(|sum| account[sum].as_i64().unwrap_or_default())
}

fn live_with(of: &str, fencing: bool, playground: &Playground) -> Measurement {
    let (entries, broken) = one_lost(of, playground)?;
    let (inside, said, account) = paused(fencing, playground)?;
    let sums = sums(&account);
    Ok(Finding {
        expected:
            "N = 5, one token lost: 50 entries, no rule broken; N = 3, P0 paused inside: P1 enters beside it, which \
                   is said, and the account refuses the write of P0: [balance, expected, refused] [1, 1, 1]; without \
                   detection stuck, and without fencing a deposit is lost"
                .into(),
        measured: format!("{of}: {entries} entries, {broken:?}; {inside:?} inside, {said:?}, {sums:?}"),
        holds: entries == 50
            && broken.is_empty()
            && inside == [0, 1]
            && said.iter().any(|code| code == CONCURRENT_SECTIONS)
            && sums == [1, 1, 1],
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("time-out", true, playground)
}

pub(super) fn live_otherwise(playground: &Playground) -> Measurement {
    live_with("original", false, playground)
}
