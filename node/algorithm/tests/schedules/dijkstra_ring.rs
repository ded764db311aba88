//! Dijkstra's ring from its usual initial state. Processes either share their flags or send them in messages.

use interlock_algorithm::mutual_exclusion::dijkstra_ring::{DijkstraRing, DijkstraRingMessage, Reason, Timer};
use interlock_algorithm::{
    Algorithm, Delay, Effect, Effects, Input, LockId, NodeId, Outcome, Participant, RequestId, Value,
};

use crate::driver::Scene;
use crate::driver::clients::{lockers, nobody};
use crate::driver::contract::Contract;
use crate::driver::costs::{breaks_at_random, costs};
use crate::driver::exhaustive::{Broken, RULES, breaks, explore, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{self, Phases, Possible, Rules, USUAL, exclusion};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

type Ring = DijkstraRing;
type Stage = Script<Ring>;

/// Links that hold at most two messages. Flags are sent repeatedly, so further messages on a link would make no
/// difference.
const NARROW: Faults = Faults { room: 2, ..FIFO };

/// Counts the privileged processes.
fn privileged<'a>(scene: &Scene<Ring>, ring: impl IntoIterator<Item = &'a Ring>) -> usize {
    let is_privileged = |(me, node): &(NodeId, &Ring)| node.is_privileged(&scene.setting, *me);
    NodeId::all(scene.nodes()).zip(ring).filter(is_privileged).count()
}

/// Checks that exactly one process is privileged.
fn one_is_privileged(scene: &Scene<Ring>) -> impl Fn(&[&Participant<Contract<Ring>>]) {
    move |ring| {
        let ring = ring.iter().filter_map(|process| process.state());
        assert_eq!(privileged(scene, ring.map(|process| &process.algorithm)), 1);
    }
}

#[test]
fn with_shared_flags_exactly_one_is_privileged_at_any_time() {
    for (nodes, entries) in [(1, 2), (2, 3), (3, 2), (4, 2), (5, 1)] {
        let scene = Scene::<Ring>::new("composite", nodes, FIFO, nobody());
        let explored = explore(&scene, &[entries], &RULES, Some(&one_is_privileged(&scene)));
        let progress = explored.expect("no schedule that breaks a rule");
        assert!(progress.depth >= 2 * nodes * u32::from(entries), "{progress:?}");
    }
}

/// Negative control: from another initial state, the same check finds several privileged processes.
#[test]
#[should_panic(expected = "left: 3")]
fn from_another_beginning_more_than_one_is_privileged() {
    let scene = Scene::<Ring>::new("composite", 4, FIFO, nobody()).beginning_in(&[0, 1, 0, 1]);
    let _ = explore(&scene, &[1], &RULES, Some(&one_is_privileged(&scene)));
}

/// Returns the pending timers, each with its node.
fn timers(stage: &Stage) -> Vec<(u32, Timer)> {
    stage.pending().into_iter().map(|(_, node, timer)| (node.0, timer)).collect()
}

#[test]
fn the_privilege_goes_round() {
    let mut stage = Stage::begin("composite", 4);
    for turn in 0..40 {
        let privileged = turn % 4;
        assert_eq!(stage.variable(privileged, "privileged"), Value::Flag(true));
        assert_eq!(timers(&stage), [(privileged, Timer::Move)], "only who is privileged moves");
        let moved = stage.run_out(privileged, Timer::Move);
        let flag = (turn / 4 + 1) % 5;
        assert_eq!(moved.reasons, [Reason::PassedUnwanted { to: NodeId((turn + 1) % 4), flag }]);
    }
}

#[test]
fn with_shared_flags_who_wants_enters_when_the_privilege_comes() {
    let mut stage = Stage::begin("composite", 3);
    (0..3).for_each(|node| drop(stage.acquire(node)));
    let entered = |stage: &Stage| stage.inside();
    assert_eq!(entered(&stage), [0]);
    for turn in 0..9 {
        assert_eq!(timers(&stage), [], "who is in the section does not pass the privilege on");
        stage.release(turn % 3);
        assert_eq!(entered(&stage), [(turn + 1) % 3]);
        stage.acquire(turn % 3);
    }
}

#[test]
fn every_schedule_of_a_small_run_is_right_though_flags_are_lost_and_doubled() {
    for (nodes, entries) in [(1, 2), (2, 2), (3, 1)] {
        holds::<Ring>("message-passing", nodes, entries, NARROW);
        holds::<Ring>("message-passing", nodes, entries, Faults { losses: 1, copies: 1, ..NARROW });
    }
    // From the usual initial state, two states for each process are enough, so k is 2.
    holds::<Ring>("message-passing k=2", 3, 1, NARROW);
}

#[test]
fn an_old_flag_after_a_newer_one_lets_two_in() {
    let late = Faults { room: 2, ..OVERTAKING };
    let steps = breaks::<Ring>("message-passing", 3, 1, late, Broken::Exclusion);
    let late_flag = ["deliver FLAG 0→1", "acquire 1", "deliver FLAG 0→1"];
    assert!(steps.windows(3).any(|steps| *steps == late_flag), "{steps:?}");
    breaks_at_random::<Ring>("message-passing", 3, late, &exclusion(), "two in the section");
}

#[test]
fn schedules_drawn_at_random_are_right() {
    let lossy = Faults { losses: 20, copies: 20, room: 4, ..FIFO };
    for channel in [NARROW, lossy] {
        costs::<Ring>("message-passing", 1..=6, channel, &exclusion(), |sent, nodes, _| nodes > 1 || sent.is_empty());
    }
    costs::<Ring>("composite", 1..=6, FIFO, &exclusion(), |_, _, _| true);
}

#[test]
fn flags_flow_though_nobody_asks() {
    let mut stage = Stage::begin("message-passing", 3);
    (0..3).for_each(|node| drop(stage.deliver("FLAG", node, (node + 1) % 3)));
    for turn in 0..300 {
        let (from, to) = (turn % 3, (turn + 1) % 3);
        let link: Vec<_> = stage.link(from, to).into_iter().map(|(_, message)| *message).collect();
        let flag = (turn / 3 + 1) % 6;
        assert_eq!(link, [DijkstraRingMessage::Flag { flag }]);
        let passed = stage.deliver("FLAG", from, to);
        assert_eq!(passed.sent.len(), 1);
    }
    assert_eq!(stage.sent("FLAG"), 304);
}

#[test]
fn a_lost_flag_is_missed_until_it_is_said_again() {
    let mut stage = Stage::begin("message-passing", 2);
    stage.acquire(1);
    stage.lose("FLAG", 0, 1);
    stage.lose("FLAG", 0, 1);
    stage.deliver_all();
    assert_eq!(stage.waiting(), [1]);
    assert_eq!(stage.view(1).waits_for, [NodeId(0)]);
    assert_eq!(stage.run_out(0, Timer::Resend).reasons, [Reason::SaidAgain]);
    stage.deliver_all();
    assert_eq!(stage.inside(), [1]);
    assert_eq!(stage.view(1).waits_for, []);
}

#[test]
fn an_entry_costs_one_message_if_all_want_it() {
    let mut stage = Stage::begin("message-passing", 5);
    (0..5).for_each(|node| drop(stage.acquire(node)));
    stage.deliver_all();
    let before = stage.sent("FLAG");
    for turn in 1..=100 {
        assert_eq!(stage.inside(), [turn % 5]);
        stage.release(turn % 5);
        stage.acquire(turn % 5);
        stage.deliver_all();
        assert_eq!(stage.sent("FLAG"), before + turn);
    }
}

/// Returns the effects of `input` at node 1 of three, and the state of node 1 after the step.
fn told(variant: &str, input: Input<Ring>) -> (Vec<Effect<Ring>>, Ring) {
    let scene = Scene::<Ring>::new(variant, 3, FIFO, nobody());
    let mut node = Ring::new(&scene.setting, NodeId(1));
    let mut out = Effects::default();
    node.step(&scene.setting, NodeId(1), input, &mut out);
    (out.drain().collect(), node)
}

fn said(from: u32, flag: u32) -> Input<Ring> {
    Input::Message { from: NodeId(from), message: DijkstraRingMessage::Flag { flag } }
}

#[test]
fn what_cannot_have_been_said_is_ignored() {
    let table = [
        (said(2, 1), Reason::NotPredecessor { from: NodeId(2) }),
        (said(0, 6), Reason::NoFlag { flag: 6, k: 6 }),
        (said(0, u32::MAX), Reason::NoFlag { flag: u32::MAX, k: 6 }),
    ];
    for (input, reason) in table {
        let (effects, after) = told("message-passing", input);
        assert_eq!(effects, [Effect::Because(reason)]);
        assert_eq!(after.flag(), 0);
    }
    let (_, after) = told("message-passing", said(0, 5));
    assert_eq!(after.flag(), 5, "the greatest flag there is");
}

#[test]
fn timers_run_as_long_as_they_are_told_to() {
    let armed = |variant, input| -> Vec<(Timer, Delay)> {
        let timer = |effect: Effect<Ring>| match effect {
            Effect::SetTimer { timer, delay } => Some((timer, delay)),
            _ => None,
        };
        told(variant, input).0.into_iter().filter_map(timer).collect()
    };
    let resend = |ticks| [(Timer::Resend, Delay::Exactly(ticks))];
    assert_eq!(armed("message-passing", Input::Start), resend(100_000));
    assert_eq!(armed("message-passing period=7us", Input::Restart(None)), resend(7));
    assert_eq!(armed("message-passing period=7us", Input::Timer(Timer::Resend)), resend(7));
    assert_eq!(armed("message-passing", said(0, 1)), []);
    let pause = |ticks| [(Timer::Move, Delay::Exactly(ticks))];
    assert_eq!(armed("composite", Input::Start), []);
    assert_eq!(armed("composite", said(0, 1)), pause(1_000));
    assert_eq!(armed("composite pause=7us", said(0, 1)), pause(7));
    let alone = Stage::begin("message-passing", 1);
    assert_eq!(timers(&alone), [], "who is alone has nobody to talk to");
}

#[test]
fn a_privilege_that_a_wrong_flag_takes_away_in_the_section_is_not_passed_on() {
    let mut stage = Stage::begin("message-passing", 3);
    stage.acquire(1);
    (0..2).for_each(|_| drop(stage.deliver("FLAG", 0, 1)));
    assert_eq!(stage.inside(), [1]);
    stage.push(NodeId(0), NodeId(1), DijkstraRingMessage::Flag { flag: 0 });
    stage.deliver("FLAG", 0, 1);
    let left = stage.release(1);
    assert_eq!((left.sent, left.reasons), (vec![], vec![]));
    assert_eq!(left.outcomes, [Outcome::Exited { lock: LockId(0), request: RequestId(1) }]);
}

#[test]
fn the_view_shows_flag_copy_and_privilege() {
    let mut stage = Stage::begin("message-passing", 3);
    let shown = |stage: &Stage, node| ["flag", "copy", "privileged"].map(|name| stage.variable(node, name));
    assert_eq!(shown(&stage, 0), [Value::Number(1), Value::Number(0), Value::Flag(false)]);
    stage.acquire(1);
    (0..2).for_each(|_| drop(stage.deliver("FLAG", 0, 1)));
    assert_eq!(shown(&stage, 1), [Value::Number(0), Value::Number(1), Value::Flag(true)]);
    assert_eq!(shown(&Stage::begin("composite", 1), 0)[2], Value::Flag(true));
}

/// Phases of a schedule with crashes. Flags are sent endlessly, so a schedule ends only when its phases have reached
/// their maximum length.
const MORTAL: Phases = Phases { wild: 150, kind: 1_000, ..USUAL };
/// Processes crash, and the failure detector eventually notifies all remaining processes.
const DETECTED: Faults = Faults { crashes: 2, down_at_once: 2, detected: true, ..NARROW };

/// Counts the live processes that are privileged.
fn privileged_now(run: &Run<'_, Ring>) -> usize {
    run.up().filter(|(me, node)| node.is_privileged(&run.scene.setting, *me)).count()
}

/// Checks that at most one live process is privileged. While the privilege is in transit, no process is privileged.
fn at_most_one_privileged(run: &Run<'_, Ring>) -> Verdict {
    run.at_most_one_inside()?;
    let privileged = privileged_now(run);
    if privileged <= 1 { Ok(()) } else { Err(format!("{privileged} are privileged")) }
}

/// Counts the privileges in the ring of live processes. The flags of processes, the flags in transit and the copies
/// form a sequence. Each pair of neighbours in this sequence with different values is one privilege. If the first
/// process's flag equals its copy, there is one more privilege.
fn privileges_of_the_living(run: &Run<'_, Ring>) -> usize {
    let living: Vec<(NodeId, &Ring)> = run.up().collect();
    let [(_, first), _, ..] = living[..] else { return 1 };
    let mut ring = Vec::new();
    for ((me, node), (next, follower)) in living.iter().zip(living.iter().cycle().skip(1)) {
        ring.push(node.flag());
        let told = run.link(me.0, next.0).into_iter().rev();
        ring.extend(told.map(|(_, DijkstraRingMessage::Flag { flag })| *flag));
        ring.push(follower.copy());
    }
    let differ = ring.windows(2).filter(|pair| pair[0] != pair[1]).count();
    differ + usize::from(first.flag() == first.copy())
}

/// Checks that no process waits, and that the ring has exactly one privilege.
fn settled(run: &Run<'_, Ring>) -> Verdict {
    run.nobody_waits()?;
    let privileges = privileges_of_the_living(run);
    if privileges == 1 { Ok(()) } else { Err(format!("{privileges} privileges in the end")) }
}

#[test]
fn whoever_dies_the_others_close_the_ring_and_never_have_two_privileges() {
    let rules = Rules { always: at_most_one_privileged, in_the_end: settled };
    for nodes in 2..=5 {
        for crashes in 1..=3 {
            let faults = Faults { crashes, down_at_once: 3, losses: 5, ..DETECTED };
            let scene = Scene::<Ring>::new("message-passing", nodes, faults, lockers(3));
            random::holds(&scene, 0..40, MORTAL, &rules);
        }
    }
}

#[test]
fn where_nobody_tells_of_a_death_the_ring_stands_still() {
    let silent = Faults { detected: false, ..DETECTED };
    let scene = Scene::<Ring>::new("message-passing", 3, silent, lockers(3));
    random::breaks(&scene, 0..50, MORTAL, &exclusion(), "stuck");
}

#[test]
fn where_process_0_has_no_heir_the_ring_stands_still() {
    let scene = Scene::<Ring>::new("no-heir", 3, Faults { crashes: 1, ..DETECTED }, lockers(10));
    let waits = Rules { always: |_| Ok(()), in_the_end: |run| run.nobody_waits() };
    random::breaks(&scene, 0..200, MORTAL, &waits, "stuck");
    // After the crash, the ring gets stuck. Before it gets stuck, the two remaining processes may be privileged at
    // the same time.
    let beside = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };
    random::breaks(&scene, 0..200, MORTAL, &beside, "two in the section");
    let whole = Scene::<Ring>::new("no-heir", 3, NARROW, lockers(3));
    random::holds(&whole, 0..50, MORTAL, &exclusion());
}

/// One of five processes crashes. The test tries each process, and each position of the privilege at the crash.
#[test]
fn one_privilege_goes_round_whoever_is_dead() {
    for dead in 0..5 {
        for moves in 0..12 {
            let mut stage = Stage::begin("message-passing", 5);
            (0..5).for_each(|from| drop(stage.deliver("FLAG", from, (from + 1) % 5)));
            for from in 0..moves {
                stage.deliver("FLAG", from % 5, (from + 1) % 5);
            }
            stage.crash(dead);
            let living: Vec<u32> = (0..5).filter(|&node| node != dead).collect();
            for &node in &living {
                stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(dead) });
            }
            for &node in &living {
                stage.run_out(node, Timer::Resend);
            }
            for &node in &living {
                stage.acquire(node);
            }
            for _ in 0..40 {
                stage.arrivals().first().into_iter().for_each(|arrival| stage.happen(arrival));
                assert!(privileged_now(&stage) <= 1);
                for node in stage.inside() {
                    stage.release(node);
                }
            }
            assert_eq!(stage.waiting(), [0; 0], "{dead} died after {moves} moves");
        }
    }
}

/// A restarted process begins with an arbitrary flag. For a while there may be two privileges; finally there is
/// one.
#[test]
fn who_is_back_is_taken_in_and_the_ring_stabilises() {
    let faults = Faults { crashes: 4, memory: Some(RestartState::None), ..DETECTED };
    let rules = Rules { always: |_| Ok(()), in_the_end: settled };
    let scene = Scene::<Ring>::new("message-passing", 4, faults, lockers(3));
    random::holds(&scene, 0..100, MORTAL, &rules);
    random::breaks(&scene, 0..400, MORTAL, &exclusion(), "two in the section");
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["message-passing", "message-passing k=2", "no-heir"] {
        survives(&Scene::<Ring>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
