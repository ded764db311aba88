//! The centralised algorithm with a coordinator that may crash.

use interlock_algorithm::mutual_exclusion::centralised_failover::{
    CentralisedFailover, FailoverMessage, LockMessage, Stated, Timer,
};
use interlock_algorithm::{LockId, NodeId, Outcome, RequestId, Value};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Phases, Rules, USUAL, breaks, holds};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;
use crate::election::rules::{never_back, one_a_term};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

const LOCK: LockId = LockId(0);
const FAULTS: Faults =
    Faults { crashes: 4, down_at_once: 2, copies: 3, memory: Some(RestartState::Stored), ..OVERTAKING };

/// Checks three properties: at most one process is in the critical section, fencing tokens increase, and elections
/// follow their rules.
fn safe(run: &Run<'_, CentralisedFailover>) -> Verdict {
    run.at_most_one_inside()?;
    let fence = |(_, outcome)| if let Outcome::Entered { fence, .. } = outcome { fence } else { None };
    let fences: Vec<u64> = run.told().into_iter().filter_map(fence).collect();
    if fences.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(format!("fencing tokens do not grow: {fences:?}"));
    }
    one_a_term(run)?;
    never_back(run)
}

const RULES: Rules<CentralisedFailover> = Rules { always: safe, in_the_end: |run| run.nobody_waits() };

#[test]
fn entries_go_on_whoever_dies_and_comes_back() {
    for variant in ["bully", "acknowledged-ring"] {
        for memory in [RestartState::Stored, RestartState::None] {
            let faults = Faults { memory: Some(memory), ..FAULTS };
            let scene = Scene::<CentralisedFailover>::new(variant, 4, faults, lockers(3));
            holds(&scene, 0..60, Phases { wild: 200, kind: 20_000, ..USUAL }.in_time(), &RULES);
        }
    }
}

/// All nodes may be down at the same time. Crashed nodes restart with their stored state.
#[test]
fn tokens_grow_over_total_failures() {
    let length = Phases { wild: 300, kind: 20_000, ..USUAL };
    for variant in ["bully", "acknowledged-ring"] {
        for nodes in 2..5 {
            let faults = Faults { crashes: 8, down_at_once: nodes as usize, ..FAULTS };
            let scene = Scene::<CentralisedFailover>::new(variant, nodes, faults, lockers(3));
            holds(&scene, 0..100, length.in_time(), &RULES);
        }
    }
}

/// A process that crashes permanently is in the critical section, is in the queue, or is the coordinator. In each case
/// the other processes continue.
#[test]
fn entries_go_on_whoever_is_gone_where_they_are_told() {
    let gone = Faults { memory: None, detected: true, ..FAULTS };
    let length = Phases { wild: 200, kind: 20_000, ..USUAL };
    for variant in ["bully", "acknowledged-ring"] {
        holds(&Scene::<CentralisedFailover>::new(variant, 4, gone, lockers(3)), 0..60, length.in_time(), &RULES);
    }
}

/// Negative control: the time-outs are too short. So a slow coordinator is replaced, and a slow client in the
/// critical section counts as crashed.
#[test]
fn where_time_outs_are_too_short_two_get_in() {
    let scene = Scene::<CentralisedFailover>::new("bully", 4, OVERTAKING, lockers(3));
    breaks(&scene, 0..2_000, Phases { wild: 300, kind: 5_000, ..USUAL }, &RULES, "");
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["bully", "acknowledged-ring"] {
        survives(&Scene::<CentralisedFailover>::new(variant, 4, FAULTS, lockers(3)));
    }
}

fn entered(request: u64, fence: u64) -> Outcome {
    Outcome::Entered { lock: LOCK, request: RequestId(request), fence: Some(fence) }
}

/// When the coordinator crashes, P1 is in the critical section and P2 waits. The new coordinator, P3, receives both
/// facts in the answers of P1 and P2, and grants to P2 after P1 has left.
#[test]
fn a_holder_keeps_the_section_over_the_change() {
    let mut stage = Script::<CentralisedFailover>::begin("bully", 4);
    stage.acquire(1);
    stage.deliver_all();
    stage.acquire(2);
    stage.deliver_all();
    stage.crash(0);
    stage.run_out(2, Timer::Client);
    stage.deliver_all();
    assert!(stage.run_out(2, Timer::Client).outcomes.contains(&Outcome::called(1)));
    stage.deliver_all();
    assert_eq!((stage.variable(3, "holder"), stage.variable(3, "open")), (Value::Number(1), Value::Flag(false)));
    assert_eq!(stage.run_out(3, Timer::Office).outcomes, [], "P1 is inside");
    assert!(stage.view(3).queue.iter().map(|queued| queued.node).eq([NodeId(2)]));
    stage.release(1);
    stage.deliver("RELEASE", 1, 3);
    assert_eq!(stage.deliver("GRANT", 3, 2).outcomes, [entered(1, 1 << 32 | 1)]);
}

/// If the coordinator is notified of the holder's crash, it stops waiting for the holder. Without the notification
/// it keeps waiting.
#[test]
fn a_dead_holder_is_missed_where_the_coordinator_is_told() {
    let mut stage = Script::<CentralisedFailover>::begin("bully", 4);
    stage.acquire(1);
    stage.deliver_all();
    stage.acquire(2);
    stage.deliver_all();
    stage.crash(1);
    stage.deliver_all();
    assert_eq!(stage.variable(0, "holder"), Value::Number(1));
    stage.happen(&Choice::Suspect { node: NodeId(0), whom: NodeId(1) });
    assert_eq!(stage.variable(0, "holder"), Value::Number(2));
    assert_eq!(stage.deliver("GRANT", 0, 2).outcomes, [entered(1, 2)]);
}

/// The announcement of the new coordinator is lost, but its ASK arrives. When this coordinator restarts without any
/// state, an OK reports that the election of its term is over. Without this OK, the coordinator would issue the fencing
/// tokens of that term again.
#[test]
fn who_serves_a_coordinator_knows_that_its_election_is_over() {
    let mut stage = Script::<CentralisedFailover>::begin("acknowledged-ring", 3);
    stage.elect(2);
    for (from, to) in [(2, 0), (0, 1), (1, 2)] {
        stage.deliver("ELECT", from, to);
    }
    stage.lose("COORD", 2, 0);
    stage.deliver("ASK", 2, 0);
    stage.crash(2);
    stage.restart(2, RestartState::None);
    stage.lose("OK", 0, 2);
    stage.deliver("ELECT", 2, 0);
    assert_eq!(stage.deliver("OK", 0, 2).outcomes, [Outcome::called(2)]);
}

/// P2 is elected and sends ASK. P1 suspects P2 before the ASK arrives. In one of the two cases, P1 trusts P2 again
/// before the ASK arrives.
#[test]
fn a_question_of_a_coordinator_that_is_suspected_starts_an_election() {
    for (is_trusted_again, outcome, served_by) in
        [(false, Outcome::called(2), NodeId(0)), (true, Outcome::elected(NodeId(2), 1), NodeId(2))]
    {
        let mut stage = Script::<CentralisedFailover>::begin("bully", 3);
        stage.acquire(1);
        stage.elect(2);
        let (node, whom) = (NodeId(1), NodeId(2));
        stage.take(&Choice::Suspect { node, whom });
        if is_trusted_again {
            stage.take(&Choice::Trust { node, whom });
        }
        assert_eq!(stage.deliver("ASK", 2, 1).outcomes, [outcome]);
        assert_eq!(stage.view(1).waits_for, [served_by]);
    }
}

/// P1 ignores a grant of a former coordinator. The new coordinator ignores a message with an older term.
#[test]
fn an_older_term_counts_no_more() {
    let mut stage = Script::<CentralisedFailover>::begin("bully", 3);
    stage.acquire(1);
    stage.deliver("REQUEST", 1, 0);
    stage.elect(2);
    stage.deliver("ASK", 2, 1);
    assert_eq!(stage.deliver("GRANT", 0, 1).outcomes, []);
    stage.deliver_all();
    assert!(stage.told().contains(&(NodeId(1), entered(1, 1 << 32 | 1))));
    let forged = LockMessage::State { term: 0, claim: Some(Stated { request: 9, inside: true }), restored: None };
    stage.forge(0, 2, FailoverMessage::Lock(forged));
    assert_eq!(stage.variable(2, "holder"), Value::Number(1));
}

/// After a coordinator has answered the ASK of another coordinator, it grants nothing, not even to itself.
#[test]
fn a_former_coordinator_has_no_office() {
    let mut stage = Script::<CentralisedFailover>::begin("bully", 3);
    stage.acquire(1);
    stage.deliver_all();
    stage.acquire(0);
    stage.elect(2);
    stage.deliver("ASK", 2, 0);
    assert_eq!(stage.release(1).outcomes.len(), 1);
    assert_eq!(stage.deliver("RELEASE", 1, 0).outcomes, []);
    stage.deliver_all();
    assert!(stage.told().contains(&(NodeId(0), entered(1, 1 << 32 | 1))));
}

/// Repeatedly delivers all messages, and then makes the timer that is due first expire.
fn pass_time(stage: &mut Script<CentralisedFailover>) {
    for _ in 0..40 {
        stage.deliver_all();
        stage.run_out_first();
    }
}

/// Returns a run of two processes. P1 crashes; P0 is elected alone for term 1 and enters. If `crashes` is true, P0
/// then crashes as well. P1, which has not stored term 1, restarts and requests the lock.
fn the_other_knows_a_later_term(variant: &str, crashes: bool) -> Script<CentralisedFailover> {
    let mut stage = Script::<CentralisedFailover>::begin(variant, 2);
    stage.crash(1);
    stage.elect(0);
    pass_time(&mut stage);
    assert_eq!(stage.acquire(0).outcomes.last(), Some(&entered(1, 1 << 32 | 1)));
    stage.release(0);
    if crashes {
        stage.crash(0);
    }
    stage.restart(1, RestartState::Stored);
    stage.acquire(1);
    pass_time(&mut stage);
    stage
}

/// After a total failure, the process that crashed last may be the only one that knows the latest term (Skeen
/// 1985).
#[test]
fn after_a_total_failure_nobody_grants_before_all_are_back() {
    for variant in ["bully", "acknowledged-ring"] {
        let mut stage = the_other_knows_a_later_term(variant, true);
        assert_eq!((stage.inside(), stage.variable(1, "open")), (vec![], Value::Flag(false)), "{variant}");
        assert_eq!(stage.view(1).waits_for, [NodeId(0)], "{variant}");
        stage.restart(0, RestartState::Stored);
        pass_time(&mut stage);
        assert_eq!((stage.inside(), safe(&stage)), (vec![1], Ok(())), "{variant}");
    }
}

#[test]
fn a_coordinator_that_is_back_grants_if_another_was_up() {
    for variant in ["bully", "acknowledged-ring"] {
        let stage = the_other_knows_a_later_term(variant, false);
        assert_eq!((stage.inside(), safe(&stage)), (vec![1], Ok(())), "{variant}");
    }
}
