//! Le Lann's algorithm with a token that can be lost. Processes notice the loss and regenerate the token exactly
//! once. The ring skips crashed processes.

use interlock_algorithm::mutual_exclusion::le_lann::{LeLann, Reason, Timer};
use interlock_algorithm::{NodeId, Outcome, Value};
use interlock_exploration::TimerPolicy;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::exhaustive::holds_with;
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::random::{Phases, Rules, USUAL, breaks as breaks_at_random, exclusion, holds as holds_at_random};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;

type Stage = Script<LeLann>;

/// Phases of a long schedule. The token circulates endlessly, so a run takes many steps.
const LONG: Phases = Phases { wild: 200, kind: 2_000, ..USUAL };
const LOSSY: Faults = Faults { losses: 3, ..OVERTAKING };
const MORTAL: Faults = Faults { losses: 2, crashes: 3, memory: Some(RestartState::None), detected: true, ..OVERTAKING };

/// Checks that fencing tokens increase.
fn fenced(run: &Run<'_, LeLann>) -> Verdict {
    let fence = |(_, outcome)| if let Outcome::Entered { fence, .. } = outcome { fence } else { None };
    let fences: Vec<u64> = run.told().into_iter().filter_map(fence).collect();
    if fences.windows(2).all(|pair| pair[0] < pair[1]) {
        Ok(())
    } else {
        Err(format!("fencing tokens do not grow: {fences:?}"))
    }
}

const FENCED: Rules<LeLann> =
    Rules { always: |run| run.at_most_one_inside().and_then(|()| fenced(run)), in_the_end: |run| run.nobody_waits() };

/// Checks that at most one process is in the critical section at a time. The check considers the current states of
/// the processes, not happened-before. If a process leaves and crashes before it sends another message,
/// happened-before does not show that the process left before the next entry.
fn one_at_a_time(run: &Run<'_, LeLann>) -> Verdict {
    let inside = run.inside();
    if inside.len() > 1 { Err(format!("two in the section: {inside:?}")) } else { fenced(run) }
}

const ONE_AT_A_TIME: Rules<LeLann> = Rules { always: one_at_a_time, in_the_end: |run| run.nobody_waits() };

#[test]
fn every_schedule_in_which_tokens_are_lost_is_right() {
    for (nodes, entries, losses) in [(1, 2, 0), (2, 2, 0), (3, 1, 0), (2, 2, 2), (3, 1, 1)] {
        holds_with::<LeLann>("time-out", nodes, entries, Faults { losses, ..OVERTAKING }, TimerPolicy::Patient);
    }
}

/// Even if a time-out is too short, no second process enters while a process is in the critical section.
#[test]
fn whenever_time_outs_run_out_every_schedule_is_right() {
    holds_with::<LeLann>("time-out", 2, 2, OVERTAKING, TimerPolicy::AnyTime(3));
    holds_with::<LeLann>("time-out", 3, 1, OVERTAKING, TimerPolicy::AnyTime(3));
}

#[test]
fn schedules_drawn_at_random_are_right_whatever_is_lost_and_whenever_it_is_missed() {
    let scene = Scene::<LeLann>::new("time-out", 4, LOSSY, lockers(3));
    holds_at_random(&scene, 0..100, LONG, &FENCED);
    holds_at_random(&scene, 0..60, LONG.in_time(), &FENCED);
}

#[test]
fn entries_go_on_whoever_dies_and_comes_back() {
    for memory in [None, Some(RestartState::None)] {
        let faults = Faults { memory, ..MORTAL };
        let scene = Scene::<LeLann>::new("time-out", 4, faults, lockers(3));
        holds_at_random(&scene, 0..60, LONG.in_time(), &ONE_AT_A_TIME);
    }
}

#[test]
fn without_generations_or_an_election_two_get_in() {
    let scene = |variant| Scene::<LeLann>::new(variant, 3, LOSSY, lockers(3));
    breaks_at_random(&scene("no-generation"), 0..500, LONG, &exclusion(), "two in the section");
    breaks_at_random(&scene("two-regenerators"), 0..500, LONG, &exclusion(), "two in the section");
}

/// The token is lost on its way to P1, and the time-outs of all four processes expire at the same time. Each
/// process sends a claim for a new token. Only the claim of P3 completes the round.
#[test]
fn of_several_who_miss_the_token_one_makes_a_new_one() {
    let mut stage = Stage::begin("time-out", 4);
    stage.acquire(2);
    stage.lose("TOKEN", 0, 1);
    for node in 0..4 {
        stage.run_out(node, Timer::Missing);
    }
    for (from, to) in [(0, 1), (1, 2), (2, 3)] {
        assert_eq!(stage.deliver("CLAIM", from, to).sent, [], "{to} has a better claim itself");
    }
    for (from, to) in [(3, 0), (0, 1), (1, 2)] {
        assert_eq!(stage.deliver("CLAIM", from, to).sent.len(), 1);
    }
    assert_eq!(stage.deliver("CLAIM", 2, 3).reasons[0], Reason::MadeToken { generation: 2 });
    assert_eq!(stage.in_flight().count(), 1);
    for (from, to) in [(3, 0), (0, 1), (1, 2)] {
        stage.deliver("TOKEN", from, to);
    }
    assert_eq!(stage.inside(), [2]);
}

/// The token is not lost but late. When it arrives, a new token already exists.
#[test]
fn a_token_believed_lost_that_turns_up_again_is_discarded() {
    let mut stage = Stage::begin("time-out", 3);
    stage.acquire(1);
    stage.run_out(2, Timer::Missing);
    stage.deliver("CLAIM", 2, 0);
    let late = stage.link(0, 1)[0].0;
    stage.deliver("CLAIM", 0, 1);
    stage.deliver("CLAIM", 1, 2);
    let came = stage.take(&Choice::Deliver(MessageName(late)));
    assert_eq!(came.reasons, [Reason::OldToken { from: NodeId(0), generation: 1 }]);
    stage.deliver("TOKEN", 2, 0);
    stage.deliver("TOKEN", 0, 1);
    assert_eq!(stage.inside(), [1]);
}

/// A process in the critical section stops the claim. The processes that have already forwarded the claim still
/// accept the token of the process in the section.
#[test]
fn a_token_that_is_in_use_is_not_lost() {
    let mut stage = Stage::begin("time-out", 3);
    stage.acquire(1);
    stage.deliver("TOKEN", 0, 1);
    stage.acquire(2);
    stage.run_out(2, Timer::Missing);
    stage.deliver("CLAIM", 2, 0);
    assert_eq!(stage.deliver("CLAIM", 0, 1).reasons, [Reason::TokenIsHere { candidate: NodeId(2) }]);
    stage.release(1);
    stage.deliver("TOKEN", 1, 2);
    assert_eq!((stage.inside(), stage.in_flight().count()), (vec![2], 0));
}

/// P1 crashes in the critical section, and the others skip P1 in the ring. After its restart, P1 passes on the
/// first token unused, and enters with the next token.
#[test]
fn a_dead_process_is_passed_over_and_taken_in_again() {
    let mut stage = Stage::begin("time-out", 3);
    let (node, whom) = (NodeId(0), NodeId(1));
    stage.acquire(1);
    stage.deliver("TOKEN", 0, 1);
    stage.crash(1);
    stage.take(&Choice::Suspect { node, whom });
    assert_eq!(stage.variable(0, "successor"), Value::Number(2));
    stage.run_out(0, Timer::Missing);
    stage.deliver("CLAIM", 0, 2);
    stage.acquire(2);
    stage.deliver("CLAIM", 2, 0);
    stage.deliver("TOKEN", 0, 2);
    assert_eq!(stage.inside(), [2]);
    stage.restart(1, RestartState::None);
    stage.take(&Choice::Trust { node, whom });
    stage.acquire(1);
    stage.release(2);
    stage.deliver("TOKEN", 2, 0);
    assert_eq!(stage.deliver("TOKEN", 0, 1).reasons, [Reason::PassedUnused { to: NodeId(2) }]);
    stage.deliver("TOKEN", 1, 2);
    stage.deliver("TOKEN", 2, 0);
    stage.deliver("TOKEN", 0, 1);
    assert_eq!(stage.inside(), [1]);
}

/// P3 sends a claim for a new token, and crashes while the claim circulates. In an earlier version, the claim then
/// circulated forever, and all processes that had forwarded the claim waited for its outcome. Chaos testing found
/// this fault with seed 2168.
#[test]
fn the_claim_of_a_dead_process_goes_no_further() {
    let mut stage = Stage::begin("time-out", 4);
    stage.acquire(1);
    stage.lose("TOKEN", 0, 1);
    stage.run_out(3, Timer::Missing);
    stage.deliver("CLAIM", 3, 0);
    stage.crash(3);
    for node in 0..3 {
        stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(3) });
    }
    let stopped = stage.deliver("CLAIM", 0, 1);
    assert_eq!((stopped.reasons, stopped.sent.len()), (vec![Reason::DeadCandidate { candidate: NodeId(3) }], 0));
    stage.run_out(0, Timer::Missing);
    for (from, to) in [(0, 1), (1, 2)] {
        stage.deliver("CLAIM", from, to);
    }
    assert_eq!(stage.deliver("CLAIM", 2, 0).reasons[0], Reason::MadeToken { generation: 3 });
    stage.deliver("TOKEN", 0, 1);
    assert_eq!(stage.inside(), [1]);
}

/// If all other processes have crashed, the only live process keeps the token until another process restarts.
#[test]
fn who_is_alone_alive_has_the_token() {
    let mut stage = Stage::begin("time-out", 2);
    let (node, whom) = (NodeId(0), NodeId(1));
    stage.crash(1);
    stage.lose("TOKEN", 0, 1);
    stage.take(&Choice::Suspect { node, whom });
    stage.run_out(0, Timer::Missing);
    assert_eq!(stage.variable(0, "token"), Value::Flag(true));
    stage.acquire(0);
    stage.release(0);
    stage.restart(1, RestartState::None);
    assert_eq!(stage.take(&Choice::Trust { node, whom }).sent.len(), 1);
}

/// At most one process is in the critical section. If one of the two tokens is lost, no process waits at the end.
/// If both tokens are lost, all processes wait.
#[test]
fn two_tokens_survive_that_one_is_lost() {
    let scene = |losses| Scene::<LeLann>::new("two-tokens", 4, Faults { losses, ..FIFO }, lockers(3));
    holds_at_random(&scene(0), 0..60, LONG, &exclusion());
    holds_at_random(&scene(1), 0..100, LONG, &exclusion());
    breaks_at_random(&scene(2), 0..1_000, LONG, &exclusion(), "stuck");
}

/// PONG arrives at P1 twice with the same number, so PING is lost and P1 regenerates PING. Later PING arrives
/// twice, so P1 regenerates PONG.
#[test]
fn each_of_two_tokens_shows_that_the_other_is_lost() {
    let mut stage = Stage::begin("two-tokens", 3);
    stage.acquire(1);
    stage.lose("PING", 0, 1);
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        stage.deliver("PONG", from, to);
    }
    assert_eq!(stage.deliver("PONG", 0, 1).reasons[0], Reason::PingLost { number: 2 });
    assert_eq!(stage.inside(), [1]);
    stage.lose("PONG", 1, 2);
    stage.release(1);
    for (from, to) in [(1, 2), (2, 0), (0, 1), (1, 2)] {
        stage.deliver("PING", from, to);
    }
    assert_eq!(stage.in_flight().count(), 2);
}
