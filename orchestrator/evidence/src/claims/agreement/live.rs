//! Claims about agreement, checked with real processes.

use interlock_algorithm::{LockId, NodeId};
use serde_json::{Value, json};

use super::super::live::{Playground, Stage};
use super::{CouldNotRun, Finding, Measurement};
use interlock_simulation::scenario::Until;

/// Retry time-out in milliseconds. This is the longest possible time-out, so that no proposer tries again by
/// itself.
const NEVER: u64 = 3_600_000;

/// PAX-1: checks that a value is chosen although two of five acceptors have crashed.
pub(super) fn minority_dead(playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({ "algorithm": "paxos", "nodes": 5, "parameters": { "proposers": "none" } }))?;
    stage.crash(3)?;
    stage.crash(4)?;
    stage.propose(0, "v")?;
    stage.wait(&Until::Decided { instance: 0, value: None })?;
    let learnt = learnt(&stage);
    Ok(Finding {
        expected: "v is learnt".into(),
        measured: format!("learnt: {}; {} violations", learnt.join(", "), stage.violations()),
        holds: learnt == ["v"] && stage.violations() == 0,
    })
}

/// PAX-2: runs two proposers. P0 proposes v1, and P0 and P1 accept v1. Then P2 proposes v2 with a higher number,
/// and its PREPARE reaches P1.
pub(super) fn later_proposer(playground: &Playground, variant: &str) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "paxos", "variant": variant, "nodes": 3, "network": { "hold": true },
        "parameters": { "proposers": "none", "retry": NEVER },
    }))?;
    for (proposer, value) in [(0, "v1"), (2, "v2")] {
        stage.propose(proposer, value)?;
        stage.deliver("PREPARE", proposer, 1)?;
        stage.deliver("PROMISE", 1, proposer)?;
        stage.deliver("ACCEPT", proposer, 1)?;
    }
    stage.deliver_all()?;
    let learnt = learnt(&stage);
    Ok(Finding {
        expected: "the later proposer adopts v1: nothing else is learnt, and no property is violated".into(),
        measured: format!("learnt: {}; {} violations", learnt.join(", "), stage.violations()),
        holds: learnt == ["v1"] && stage.violations() == 0,
    })
}

/// PAX-5: runs a duel of two proposers. If `overtaken` is true, manual delivery lets a newer PREPARE overtake each
/// ACCEPT, again and again. Otherwise, no PREPARE overtakes an ACCEPT. In a second run, both proposers wait for
/// random times, and no message is delivered manually.
pub(super) fn duel(playground: &Playground, overtaken: bool) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "paxos", "nodes": 5, "network": { "hold": true }, "timers": false,
        "parameters": { "proposers": "none", "acceptors": "1,3,4", "back-off": "none" },
    }))?;
    let both = |kind, proposer| [1, 3].into_iter().try_for_each(|acceptor| stage.deliver(kind, proposer, acceptor));
    let prepare = |proposer| {
        both("PREPARE", proposer)?;
        [1, 3].into_iter().try_for_each(|acceptor| stage.deliver("PROMISE", acceptor, proposer))
    };
    stage.propose(0, "v0")?;
    prepare(0)?;
    stage.propose(2, "v2")?;
    let rounds = if overtaken { 20 } else { 1 };
    for round in 0..rounds {
        let (first, second) = if round % 2 == 0 { (0, 2) } else { (2, 0) };
        if overtaken {
            prepare(second)?;
        }
        both("ACCEPT", first)?;
        let sent = stage.expect(first, "sent");
        stage.run_out(first)?;
        stage.wait_expected(sent)?;
    }
    let by_hand = accepted(&stage);
    let alone = playground.stage(json!({
        "algorithm": "paxos", "nodes": 3, "network": { "delay": "const:1" }, "parameters": { "proposers": "0,2" },
    }))?;
    alone.wait(&Until::Decided { instance: 0, value: None })?;
    Ok(Finding {
        expected: "no acceptor accepts anything, however often; with times drawn at random a value is chosen".into(),
        measured: format!("accepted by {by_hand} after {rounds} rounds; learnt: {}", learnt(&alone).join(", ")),
        holds: by_hand == 0 && learnt(&alone).len() == 1 && stage.violations() + alone.violations() == 0,
    })
}

/// Returns how many times an acceptor has accepted a value.
fn accepted(stage: &Stage) -> usize {
    stage.state().agreement.iter().map(|instance| instance.known.accepted.len()).sum()
}

/// Returns the values that processes have learnt, without repetitions.
fn learnt(stage: &Stage) -> Vec<String> {
    let instances = stage.state().agreement;
    let mut values: Vec<String> =
        instances.iter().flat_map(|instance| instance.known.decided.values()).map(ToString::to_string).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// LOG-1: pauses a holder for longer than its lease, and crashes two of five processes. Another process must still
/// enter. Also measures the cost of an entry, and the costs of other algorithms under the same load.
pub(super) fn lock_service(playground: &Playground) -> Measurement {
    let (fenced, refused) = paused_holder(playground, true)?;
    let mut rows = Vec::new();
    for algorithm in ["replicated-lock", "centralised", "ricart-agrawala", "maekawa", "suzuki-kasami", "raymond"] {
        let metrics = playground.drained(algorithm, 5, 20)?;
        let shown = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.1}"));
        rows.push(format!(
            "{algorithm} {} entries/s, {} messages, delay {} ms",
            shown(metrics.throughput),
            shown(metrics.messages_per_entry),
            shown(metrics.synchronisation_delay.mean)
        ));
    }
    Ok(Finding {
        expected: "a late holder's write is rejected, nothing lost, two of five may crash; costs are reported".into(),
        measured: format!("{refused} writes rejected; fenced: {fenced}; {}", rows.join("; ")),
        holds: fenced && refused == 1,
    })
}

/// Negative control of LOG-1: the same run, except that the account ignores the fencing token.
pub(super) fn without_fencing(playground: &Playground) -> Measurement {
    let (fenced, refused) = paused_holder(playground, false)?;
    Ok(Finding {
        expected: "a late holder's write is rejected, and nothing is lost".into(),
        measured: format!("{refused} writes rejected; nothing lost: {fenced}"),
        holds: fenced && refused == 1,
    })
}

/// Runs live processes in which P1 is paused in the critical section. The lease of P1 expires, P2 enters and
/// exits, and P1 resumes. Then the leader and another process crash, and P4 enters. Returns whether only P4 holds
/// the lock at the end and no property was violated. Also returns the number of refused writes.
fn paused_holder(playground: &Playground, fencing: bool) -> Result<(bool, u64), CouldNotRun> {
    let account: Value = json!({ "balance": 0, "deposit": 1, "fencing": fencing });
    let stage = playground.stage(json!({
        "algorithm": "replicated-lock", "nodes": 5, "workload": { "nodes": [], "account": account },
    }))?;
    stage.enter(1)?;
    stage.pause(1)?;
    stage.enter(2)?;
    stage.release(2)?;
    let left = stage.expect(1, "exited");
    stage.resume(1)?;
    stage.wait_expected(left)?;
    stage.crash(0)?;
    stage.crash(3)?;
    stage.enter_lock(4, LockId(0))?;
    let account = stage.state().account.ok_or_else(|| CouldNotRun::because("there is no account"))?;
    let holders_are_right = stage.state().locks.iter().all(|lock| lock.holders == [NodeId(4)]);
    Ok((holders_are_right && stage.violations() == 0, account.refused))
}
