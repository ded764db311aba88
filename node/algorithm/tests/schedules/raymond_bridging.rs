//! Raymond's tree with bridges over crashed processes. Whichever processes crash, the live processes continue, with
//! a single privilege.

use interlock_algorithm::mutual_exclusion::raymond::{Raymond, RaymondMessage, Reason};
use interlock_algorithm::{Message, NodeId, Value};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::exhaustive::{Broken, breaks, holds as holds_in_all};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Rules, USUAL, breaks as breaks_at_random, holds};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;

type Stage = Script<Raymond>;

/// One process crashes permanently, and the failure detector eventually notifies all other processes.
const DETECTED: Faults = Faults { crashes: 1, detected: true, ..FIFO };

/// Checks that there is at most one privilege. The privileges of all processes that take part are counted. A privilege
/// in transit is counted only if its recipient has not been notified of a crash of its sender.
fn one_privilege(run: &Run<'_, Raymond>) -> Verdict {
    let has = |node: &NodeId| run.view(node.0).variables.get("HOLDER") == Some(&Value::Text("self".into()));
    let holders: Vec<NodeId> = run.running().filter(has).collect();
    let heeds = |to: NodeId, from: NodeId| match run.view(to.0).variables.get("dead") {
        Some(Value::Numbers(dead)) => !dead.contains(&i64::from(from.0)),
        _ => false,
    };
    let links = || run.running().flat_map(|to| NodeId::all(run.scene.nodes()).map(move |from| (from, to)));
    let counts = |message: &RaymondMessage| message.kind() == "PRIVILEGE";
    let under_way: usize = links()
        .filter(|(from, to)| from != to && heeds(*to, *from))
        .map(|(from, to)| run.link(from.0, to.0).iter().filter(|(_, message)| counts(message)).count())
        .sum();
    if holders.len() + under_way > 1 {
        return Err(format!("two privileges: with {holders:?}, and {under_way} on the way"));
    }
    Ok(())
}

const RULES: Rules<Raymond> = Rules {
    always: |run| run.at_most_one_inside().and_then(|()| one_privilege(run)),
    in_the_end: |run| run.nobody_waits(),
};

#[test]
fn without_failures_every_schedule_is_right_and_costs_what_it_did() {
    for channel in [FIFO, OVERTAKING] {
        holds_in_all::<Raymond>("bridging", 2, 2, channel);
        holds_in_all::<Raymond>("bridging tree=line holder=1", 3, 1, channel);
    }
    let begin = |variant: &str| Stage::begin(&format!("{variant} tree=random:5"), 9);
    let (mut plain, mut bridged) = (begin("original"), begin("bridging"));
    plain.deliver_all();
    for node in [0, 8, 3, 3, 7, 1, 5] {
        assert_eq!(plain.enter_alone(node), bridged.enter_alone(node));
    }
    assert_eq!((bridged.sent("ADVISE"), bridged.sent("INITIALIZE")), (0, 0));
}

#[test]
fn every_schedule_is_right_whoever_dies_whenever_in_a_small_tree() {
    for channel in [DETECTED, Faults { fifo: false, ..DETECTED }] {
        holds_in_all::<Raymond>("bridging", 2, 1, channel);
        for holder in 0..3 {
            holds_in_all::<Raymond>(&format!("bridging tree=line holder={holder}"), 3, 1, channel);
        }
    }
}

#[test]
fn every_schedule_is_right_if_two_of_three_die_or_one_of_four() {
    for tree in ["line", "star"] {
        holds_in_all::<Raymond>(&format!("bridging tree={tree}"), 3, 1, Faults { crashes: 2, ..DETECTED });
        holds_in_all::<Raymond>(&format!("bridging tree={tree}"), 4, 1, DETECTED);
    }
}

#[test]
fn whoever_dies_those_who_live_go_on_with_one_privilege() {
    for tree in ["line", "star", "binary", "random:5", "k-ary:3"] {
        for nodes in [2, 3, 5, 7] {
            for (crashes, memory) in [(1, None), (nodes - 1, None), (nodes - 1, Some(RestartState::None))] {
                for fifo in [true, false] {
                    let faults = Faults { fifo, crashes, down_at_once: crashes as usize, memory, ..DETECTED };
                    let variant = format!("bridging tree={tree} holder={}", nodes / 2);
                    holds(&Scene::<Raymond>::new(&variant, nodes, faults, lockers(3)), 0..50, USUAL, &RULES);
                }
            }
        }
    }
}

#[test]
fn where_nobody_tells_of_a_death_or_the_tree_is_not_bridged_some_wait_for_ever() {
    let scene = |variant, faults| Scene::<Raymond>::new(variant, 5, faults, lockers(3));
    let untold = Faults { detected: false, ..DETECTED };
    breaks_at_random(&scene("bridging", untold), 0..100, USUAL, &RULES, "stuck");
    let original = Rules { always: |run| run.at_most_one_inside(), ..RULES };
    breaks_at_random(&scene("original", DETECTED), 0..100, USUAL, &original, "stuck");
}

#[test]
fn who_makes_the_privilege_anew_without_waiting_for_the_others_lets_two_in() {
    let steps = breaks::<Raymond>("hasty-bridging tree=line holder=2", 3, 1, DETECTED, Broken::Exclusion);
    assert!(!steps.iter().any(|step| step.contains("ADVISE")), "{steps:?}");
    let inside = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };
    let scene = |variant| Scene::<Raymond>::new(variant, 4, DETECTED, lockers(3));
    let seed = breaks_at_random(&scene("hasty-bridging"), 0..400, USUAL, &inside, "two in the section");
    holds(&scene("bridging"), seed..seed + 1, USUAL, &RULES);
}

#[test]
fn forged_messages_are_survived() {
    for memory in [None, Some(RestartState::None)] {
        let faults = Faults { crashes: 3, down_at_once: 3, memory, detected: true, ..OVERTAKING };
        survives(&Scene::<Raymond>::new("bridging", 5, faults, lockers(20)));
        survives(&Scene::<Raymond>::new("hasty-bridging tree=line", 5, faults, lockers(20)));
    }
}

/// Notifies each of `nodes` that `whom` has crashed.
fn tell(stage: &mut Stage, nodes: &[u32], whom: u32) {
    for node in nodes.iter().copied().map(NodeId) {
        stage.happen(&Choice::Suspect { node, whom: NodeId(whom) });
    }
}

/// P1 crashes in the critical section. P2 waits, and so do P3 and P4, which are below P1 in the tree. P3 and P4
/// report to P0, which is above P1, that their `HOLDER` was P1. After both reports, P0 regenerates the privilege.
/// P2, P3 and P4 then enter, and no further ADVISE is sent.
#[test]
fn a_privilege_that_died_with_its_holder_is_made_anew() {
    let mut stage = Stage::begin("bridging holder=1", 5);
    for node in [1, 2, 3, 4] {
        stage.acquire(node);
        stage.deliver_all();
    }
    stage.crash(1);
    tell(&mut stage, &[0, 2, 3, 4], 1);
    stage.deliver("ADVISE", 3, 0);
    assert_eq!(stage.variable(0, "HOLDER"), Value::Text("nil".into()));
    assert_eq!(stage.view(0).waits_for, [NodeId(4)]);
    assert_eq!(stage.deliver("ADVISE", 4, 0).reasons[0], Reason::MadeAnew);
    for node in [2, 3, 4] {
        stage.deliver_all();
        assert_eq!(stage.inside(), [node]);
        stage.release(node);
    }
    assert_eq!(stage.sent("ADVISE"), 2);
}

/// On the line P0, P1, P2, P1 crashes while P2 is in the critical section and P0 waits. P2 reports to P0 that P2's
/// `HOLDER` was not P1, so P0 knows that P2 has the privilege.
#[test]
fn a_privilege_behind_the_dead_is_found_and_asked_for() {
    let mut stage = Stage::begin("bridging tree=line holder=2", 3);
    stage.acquire(2);
    stage.acquire(0);
    stage.crash(1);
    tell(&mut stage, &[0, 2], 1);
    let found = stage.deliver("ADVISE", 2, 0);
    let holder = NodeId(2);
    assert_eq!(found.reasons, [Reason::FoundPrivilege { holder }, Reason::AskedHolder { holder, first: NodeId(0) }]);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.waiting()), (vec![2], vec![0]));
    stage.release(2);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
}

/// P1 has crashed while its privilege is in transit to P2. If P2 is notified of the crash before the privilege
/// arrives, P2 ignores the privilege.
#[test]
fn a_privilege_of_the_dead_counts_only_for_who_has_not_been_told() {
    for told_first in [false, true] {
        let mut stage = Stage::begin("bridging tree=line holder=1", 3);
        stage.acquire(2);
        stage.deliver("REQUEST", 2, 1);
        stage.crash(1);
        if told_first {
            tell(&mut stage, &[2], 1);
            let void = stage.deliver("PRIVILEGE", 1, 2);
            assert_eq!((void.reasons, void.outcomes), (vec![Reason::SaidBeforeDeath { from: NodeId(1) }], vec![]));
        } else {
            stage.deliver("PRIVILEGE", 1, 2);
            tell(&mut stage, &[2], 1);
        }
        tell(&mut stage, &[0], 1);
        stage.acquire(0);
        stage.deliver_all();
        let (first, second) = if told_first { (0, 2) } else { (2, 0) };
        assert_eq!((stage.inside(), one_privilege(&stage)), (vec![first], Ok(())));
        stage.release(first);
        stage.deliver_all();
        assert_eq!(stage.inside(), [second]);
    }
}

/// On the line P0, P1, P2, P3, P1 and P2 crash. P3 is notified of both crashes and sends ADVISE to P0. When the
/// ADVISE arrives, P0 was notified of neither crash. P0 is first notified of the crash of P2, and then of the crash
/// of P1. Only then does P0 use the ADVISE.
#[test]
fn what_comes_of_one_who_is_no_neighbour_yet_waits() {
    let mut stage = Stage::begin("bridging tree=line holder=2", 4);
    for node in [1, 2] {
        stage.crash(node);
        tell(&mut stage, &[3], node);
    }
    stage.acquire(3);
    assert_eq!(stage.deliver("ADVISE", 3, 0).reasons, [Reason::NotNeighbourYet { from: NodeId(3) }]);
    tell(&mut stage, &[0], 2);
    assert_eq!(stage.variable(0, "HOLDER"), Value::Number(1));
    let told = stage.take(&Choice::Suspect { node: NodeId(0), whom: NodeId(1) });
    assert!(told.sent.is_empty(), "{told:?}");
    assert_eq!(stage.variable(0, "HOLDER"), Value::Text("self".into()));
    stage.deliver_all();
    assert_eq!(stage.inside(), [3]);
}

/// On the line P0, P1, P2, P3, P1 crashes. P2 sends ADVISE to P0, and crashes before the ADVISE arrives. P3 then
/// becomes the neighbour of P0 in place of P2.
#[test]
fn who_dies_before_it_has_said_how_it_stands_is_replaced_by_those_behind_it() {
    let mut stage = Stage::begin("bridging tree=line holder=1", 4);
    stage.crash(1);
    stage.acquire(3);
    tell(&mut stage, &[0, 2, 3], 1);
    stage.crash(2);
    tell(&mut stage, &[0, 3], 2);
    let void = stage.deliver("ADVISE", 2, 0);
    assert_eq!(void.reasons, [Reason::SaidBeforeDeath { from: NodeId(2) }]);
    assert_eq!(stage.view(0).waits_for, []);
    stage.deliver_all();
    assert_eq!(stage.inside(), [3]);
}

/// The root P0 crashes, and P1 becomes the centre of the gap. Then P1 crashes as well. P2 becomes the next centre,
/// and the processes below P1 become neighbours of P2.
#[test]
fn a_centre_that_dies_is_replaced_by_the_next() {
    let mut stage = Stage::begin("bridging", 5);
    stage.crash(0);
    tell(&mut stage, &[1, 2, 3, 4], 0);
    stage.deliver_all();
    assert_eq!(stage.variable(1, "HOLDER"), Value::Text("self".into()));
    stage.acquire(4);
    stage.deliver_all();
    stage.acquire(3);
    stage.deliver_all();
    stage.crash(1);
    tell(&mut stage, &[2, 3, 4], 1);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.variable(2, "HOLDER")), (vec![4], Value::Number(4)));
    stage.release(4);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.variable(2, "HOLDER")), (vec![3], Value::Number(3)));
}
