//! The lock service on a replicated log: in every schedule, no process gets a lock while another process holds it.

use std::collections::BTreeMap;

use interlock_algorithm::agreement::replicated_lock::{ReplicatedLock, ReplicatedLockMessage, Timer};
use interlock_algorithm::{Algorithm, Ballot, LockId, NodeId, Outcome, RequestId, Value};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::RestartState;

use crate::agreement::agreement;
use crate::driver::Scene;
use crate::driver::clients::{lockers, nobody};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Draws, Phases, Rules, USUAL, breaks, holds, play};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;
use crate::driver::watch::Happened;

const LOCK: LockId = LockId(0);
const FIRST: RequestId = RequestId(1);

const ROUGH: Faults =
    Faults { losses: 12, copies: 12, crashes: 6, down_at_once: 2, memory: Some(RestartState::Stored), ..OVERTAKING };
const ROUGH_FOR_THREE: Faults = Faults { down_at_once: 1, ..ROUGH };
/// Phases of a schedule in which leases have enough time to expire.
pub const LONG: Phases = Phases { wild: 300, kind: 5_000, ..USUAL };

/// After every step: no process gets a lock while another process holds it. At the end: no process waits.
pub const SERVICE: Rules<ReplicatedLock> = Rules { always, in_the_end: nobody_waits };

fn always(run: &Run<'_, ReplicatedLock>) -> Verdict {
    agreement(run)?;
    no_double_grant(run)
}

/// The section of a process between its entry and its exit.
struct Section {
    request: RequestId,
    fence: u64,
}

/// Checks that no process enters while another process is in the critical section with a lease that is not revoked.
/// A process that enters after the revocation of its own lease does not count as being in the section.
fn no_double_grant(run: &Run<'_, ReplicatedLock>) -> Verdict {
    let mut inside: BTreeMap<NodeId, Section> = BTreeMap::new();
    let mut expired: Vec<(NodeId, RequestId)> = Vec::new();
    let mut fences: BTreeMap<u64, NodeId> = BTreeMap::new();
    for (node, what) in run.log().iter() {
        match what {
            Happened::Told(Outcome::Entered { request, fence, .. }) => {
                let fence = fence.expect("a fencing token");
                if let Some(other) = fences.insert(fence, *node).filter(|other| other != node) {
                    return Err(format!("one fence twice: {fence} for {other} and {node}"));
                }
                let late = expired.contains(&(*node, *request));
                let met = |(other, section): &(&NodeId, &Section)| *other != node && (section.fence < fence || !late);
                if let Some((other, section)) = inside.iter().find(met) {
                    return Err(format!("double grant: {other} by {} and {node} by {fence}", section.fence));
                }
                // If the lease of this request was already revoked, the log does not show whether the grant
                // preceded the revocation.
                if !late {
                    inside.insert(*node, Section { request: *request, fence });
                }
            }
            Happened::Told(Outcome::Expired { holder, request, .. }) => {
                expired.push((*holder, *request));
                if inside.get(holder).is_some_and(|section| section.request == *request) {
                    inside.remove(holder);
                }
            }
            Happened::Told(Outcome::Exited { .. }) | Happened::Crashed => drop(inside.remove(node)),
            _ => {}
        }
    }
    Ok(())
}

fn nobody_waits(run: &Run<'_, ReplicatedLock>) -> Verdict {
    run.nobody_waits()?;
    match (&run.inside()[..], run.pending().is_empty()) {
        ([], true) => Ok(()),
        ([], false) => Err("a timer is left".into()),
        (inside, _) => Err(format!("{inside:?} are left inside")),
    }
}

/// Returns a scene in which each client requests three times.
pub fn scene(variant: &str, nodes: u32, faults: Faults) -> Scene<ReplicatedLock> {
    Scene::new(variant, nodes, faults, lockers(3))
}

fn entered(request: u64, fence: u64) -> Outcome {
    Outcome::Entered { lock: LOCK, request: RequestId(request), fence: Some(fence) }
}

fn exited(request: u64) -> Outcome {
    Outcome::Exited { lock: LOCK, request: RequestId(request) }
}

type Stage = Script<ReplicatedLock>;

/// Makes a process enter alone, and checks the reported entry.
#[track_caller]
fn enter(stage: &mut Stage, node: u32) {
    stage.acquire(node);
    stage.deliver_all();
    let last = stage.told().into_iter().rfind(|(_, outcome)| matches!(outcome, Outcome::Entered { .. }));
    assert_eq!(last.map(|(node, _)| node.0), Some(node));
}

#[test]
fn nobody_gets_what_another_has_and_everybody_gets_in() {
    holds(&scene("leased", 1, OVERTAKING), 0..10, LONG, &SERVICE);
    holds(&scene("leased", 3, OVERTAKING), 0..40, LONG, &SERVICE);
    holds(&scene("leased", 3, ROUGH_FOR_THREE), 0..60, LONG, &SERVICE);
    holds(&scene("leased", 5, ROUGH), 0..30, LONG, &SERVICE);
}

#[test]
fn a_leader_that_adopts_nothing_is_caught() {
    let safety = Rules { always, in_the_end: |_| Ok(()) };
    breaks(&scene("adopts-nothing", 3, ROUGH_FOR_THREE), 0..2_000, LONG, &safety, "two values");
    let exclusion = Rules { always: no_double_grant, in_the_end: |_| Ok(()) };
    breaks(&scene("adopts-nothing", 3, ROUGH_FOR_THREE), 0..2_000, LONG, &exclusion, "");
}

#[test]
fn without_its_memory_a_minority_can_do_harm() {
    let forgetful = Faults { memory: Some(RestartState::None), ..ROUGH_FOR_THREE };
    breaks(&scene("leased", 3, forgetful), 0..5_000, LONG, &Rules { always, in_the_end: |_| Ok(()) }, "");
}

#[test]
fn an_entry_costs_what_the_catalogue_says() {
    for nodes in [3, 5] {
        let mut stage = Stage::begin("leased", nodes);
        enter(&mut stage, 0);
        let to_lead = ["PREPARE", "PROMISE"].map(|kind| stage.sent(kind));
        assert_eq!(to_lead, [nodes - 1; 2]);
        stage.release(0);
        stage.deliver_all();
        for (node, cost) in [(0, 4 * (nodes - 1)), (1, 4 * (nodes - 1) + 3)] {
            let before = stage.sent_in_all();
            enter(&mut stage, node);
            stage.release(node);
            stage.deliver_all();
            assert_eq!(stage.sent_in_all() - before, cost, "{nodes} nodes, {node} enters");
        }
        assert!(stage.pending().is_empty());
    }
}

#[test]
fn two_of_five_may_die_the_leader_among_them() {
    let mut stage = Stage::begin("leased", 5);
    enter(&mut stage, 2);
    stage.acquire(3);
    stage.deliver_all();
    stage.crash(0);
    stage.crash(1);
    stage.release(2);
    let mut inside = false;
    while !inside {
        stage.deliver_all();
        stage.run_out_first();
        inside = stage.told().contains(&(NodeId(3), entered(1, 2)));
    }
    let by = stage.told().into_iter().find(|(_, outcome)| matches!(outcome, Outcome::Expired { .. }));
    assert_eq!(by.map(|(node, _)| node.0), Some(2), "the release was lost with the leader, and 2 leads now");
}

#[test]
fn a_holder_that_is_silent_loses_its_lease_and_the_next_has_a_greater_fence() {
    let mut stage = Stage::begin("leased", 3);
    enter(&mut stage, 1);
    stage.acquire(2);
    stage.deliver_all();
    stage.crash(1);
    stage.run_out(0, Timer::Expire(LOCK));
    stage.deliver_all();
    let told = stage.told();
    assert!(told.contains(&(NodeId(0), Outcome::Expired { lock: LOCK, holder: NodeId(1), request: FIRST })));
    assert!(told.contains(&(NodeId(2), entered(1, 2))));
}

fn has_left(stage: &Stage) -> bool {
    stage.told().iter().any(|(_, outcome)| *outcome == exited(1))
}

#[test]
fn a_holder_without_an_answer_leaves_by_itself() {
    let mut stage = Stage::begin("leased", 3);
    enter(&mut stage, 1);
    stage.crash(0);
    stage.crash(2);
    while !has_left(&stage) {
        stage.deliver_all();
        stage.run_out_first();
    }
    assert!(stage.now() >= 400_000, "a lease is 400 ms, and it is over at {}", stage.now());
}

#[test]
fn a_renewed_lease_goes_on() {
    let mut stage = Stage::begin("leased", 3);
    enter(&mut stage, 1);
    while stage.now() < 2_000_000 {
        stage.run_out_first();
        stage.deliver_all();
    }
    assert!(!has_left(&stage));
    assert_eq!(stage.sent("ACCEPT"), 2, "renewing is no operation of the log");
    assert!(stage.sent("RENEW") >= 19, "{}", stage.sent("RENEW"));
    assert_eq!(stage.sent("CONFIRM"), 2 * stage.sent("RENEW"), "a majority is asked each time");
}

/// A partition separates the leader and the lock's holder from the other nodes. One of the other nodes waits for
/// the lock.
#[test]
fn a_leader_without_a_majority_renews_nothing() {
    let mut stage = Stage::begin("leased", 5);
    enter(&mut stage, 1);
    stage.acquire(3);
    stage.deliver_all();
    let told = |stage: &Stage, node: u32, what: &Outcome| {
        stage.told().iter().position(|(whose, told)| *whose == NodeId(node) && told == what)
    };
    let mut entered_at = None;
    while entered_at.is_none() && stage.now() < 10_000_000 {
        stage.deliver_all_but(|from, to| (from < 2) != (to < 2));
        stage.run_out_first();
        entered_at = told(&stage, 3, &entered(1, 2));
    }
    let left_at = told(&stage, 1, &exited(1));
    assert!(entered_at.is_some() && left_at < entered_at && left_at.is_some(), "{left_at:?}, {entered_at:?}");
    assert!(stage.sent("CONFIRM") > 0);
}

/// While a lease is being revoked, the leader does not renew it, even if the holder requests the renewal and a
/// majority confirms the leader.
#[test]
fn a_lease_that_is_taken_back_is_not_renewed() {
    let mut stage = Stage::begin("leased", 3);
    enter(&mut stage, 1);
    stage.run_out(0, Timer::Expire(LOCK));
    let grants = stage.sent("GRANT");
    stage.run_out(1, Timer::Beat(LOCK));
    stage.deliver("RENEW", 1, 0);
    stage.deliver("CONFIRM", 0, 1);
    stage.deliver("CONFIRMED", 1, 0);
    assert_eq!(stage.sent("GRANT"), grants);
}

/// A leader begins to revoke a lease and crashes. The next leader receives a request of the holder. One ACCEPTED
/// then completes the revocation and also confirms the new leader. The new leader must not renew the revoked lease.
#[test]
fn a_lease_that_the_leader_before_was_taking_back_is_not_renewed() {
    let mut stage = Stage::begin("leased", 3);
    stage.acquire(2);
    stage.deliver_all_but(|_, to| to == 2);
    stage.deliver("ACCEPT", 0, 2);
    stage.lose("GRANT", 0, 2);
    stage.acquire(1);
    stage.deliver_all();
    stage.run_out(0, Timer::Expire(LOCK));
    stage.deliver("ACCEPT", 0, 1);
    stage.crash(0);
    while stage.link(2, 1).is_empty() {
        stage.run_out(2, Timer::Beat(LOCK));
    }
    for (kind, from, to) in [("REQUEST", 2, 1), ("PREPARE", 1, 2), ("PROMISE", 2, 1), ("ACCEPT", 1, 2)] {
        stage.deliver(kind, from, to);
    }
    let expired = Outcome::Expired { lock: LOCK, holder: NodeId(2), request: FIRST };
    assert_eq!(stage.deliver("ACCEPTED", 2, 1).outcomes.last(), Some(&expired));
    stage.run_out(1, Timer::Beat(LOCK));
    stage.deliver_all();
    let mut told = stage.told();
    told.retain(|(_, outcome)| matches!(outcome, Outcome::Entered { .. }));
    assert_eq!(told, [(NodeId(1), entered(1, 2))]);
}

#[test]
fn a_grant_that_was_long_under_way_is_no_grant() {
    let mut stage = Stage::begin("leased", 3);
    enter(&mut stage, 0);
    stage.acquire(1);
    stage.deliver_all();
    stage.release(0);
    stage.deliver_all_but(|_, to| to == 1);
    stage.run_out(1, Timer::Lease { lock: LOCK, odd: true });
    assert_eq!(stage.deliver("GRANT", 0, 1).outcomes, [], "the lease is over");
    stage.run_out(1, Timer::Beat(LOCK));
    stage.deliver_all();
    assert!(stage.told().contains(&(NodeId(1), entered(1, 2))));
}

#[test]
fn who_has_fallen_behind_learns_the_table() {
    let mut stage = Stage::begin("leased", 3);
    for _ in 1..=20 {
        stage.acquire(0);
        stage.deliver_all_but(|from, to| from == 2 || to == 2);
        stage.release(0);
        stage.deliver_all_but(|from, to| from == 2 || to == 2);
    }
    let late: Vec<_> = stage.link(0, 2).iter().skip(1).map(|(name, _)| MessageName(*name)).collect();
    for name in late {
        stage.happen(&Choice::Lose(name));
    }
    enter(&mut stage, 0);
    assert_eq!([stage.sent("LAGGING"), stage.sent("LEARN")], [1, 1]);
    assert_eq!(stage.variable(2, "fence"), stage.variable(0, "fence"));
}

#[test]
fn a_client_that_asks_a_follower_is_told_who_leads() {
    let mut stage = Stage::begin("leased leader=1", 3);
    enter(&mut stage, 1);
    let request = ReplicatedLockMessage::Request {
        lock: LOCK,
        request: FIRST,
        beat: 1,
        ballot: Ballot { round: 0, proposer: NodeId(0) },
    };
    stage.forge(0, 2, request);
    let leader = ReplicatedLockMessage::Leader { ballot: Ballot { round: 1, proposer: NodeId(1) } };
    assert_eq!(stage.link(2, 0).last().map(|(_, message)| *message), Some(&leader));
    assert_eq!(stage.variable(0, "leader"), Value::Number(1));
}

#[test]
fn a_lock_that_is_not_there_is_not_granted() {
    let mut stage = Stage::begin("leased", 3);
    enter(&mut stage, 0);
    let elsewhere = LockId(7);
    stage.forge(
        1,
        0,
        ReplicatedLockMessage::Request {
            lock: elsewhere,
            request: FIRST,
            beat: 1,
            ballot: Ballot { round: 9, proposer: NodeId(2) },
        },
    );
    assert_eq!(stage.sent("GRANT"), 0);
}

#[test]
fn forged_messages_are_survived() {
    for variant in ReplicatedLock::ENTRY.variants {
        survives(&scene(variant.name, 3, ROUGH_FOR_THREE));
    }
}

#[test]
fn nothing_is_said_while_nobody_wants_anything() {
    let scene = Scene::<ReplicatedLock>::new("leased", 3, FIFO, nobody());
    let quiet = |run: &Run<'_, _>| run.seen().sent.is_empty() && run.log().is_empty();
    assert_eq!(play(&scene, &mut Draws::new(0), LONG, &SERVICE, quiet), Ok(true));
}
