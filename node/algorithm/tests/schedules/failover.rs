//! The centralised algorithm whose coordinator may die.

use interlock_algorithm::mutual_exclusion::centralised_failover::{
    CentralisedFailover, FailoverMessage, LockMessage, Stated, Timer,
};
use interlock_algorithm::{Command, LockId, NodeId, Outcome, RequestId, Value};

use crate::driver::Scene;
use crate::driver::clients::{Doing, doing, lockers};
use crate::driver::faults::{Faults, Memory, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::play::{Length, Rules, Verdict, play_timely};
use crate::driver::script::Script;
use crate::driver::world::World;
use crate::election::rules::{never_back, one_a_term};

const LOCK: LockId = LockId(0);
const FAULTS: Faults = Faults { crashes: 4, down_at_once: 2, copies: 3, memory: Some(Memory::Stored), ..OVERTAKING };

fn where_are(world: &World<CentralisedFailover>, wanted: impl Fn(Doing) -> bool) -> Vec<NodeId> {
    world.up().map(|(node, _)| node).filter(|&node| wanted(doing(world, node, LOCK))).collect()
}

/// At most one inside, fencing tokens that grow, and orderly elections.
fn safe(world: &World<CentralisedFailover>) -> Verdict {
    let inside = where_are(world, |doing| matches!(doing, Doing::InSection(_)));
    if inside.len() > 1 {
        return Err(format!("two in the section: {inside:?}"));
    }
    let fences: Vec<_> = world
        .told()
        .filter_map(|(_, outcome)| match outcome {
            Outcome::Entered { fence, .. } => *fence,
            _ => None,
        })
        .collect();
    if fences.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(format!("fencing tokens do not grow: {fences:?}"));
    }
    one_a_term(world)?;
    never_back(world)
}

fn nobody_waits(world: &World<CentralisedFailover>) -> Verdict {
    let waiting = where_are(world, |doing| matches!(doing, Doing::Wanting(_)));
    if waiting.is_empty() { Ok(()) } else { Err(format!("stuck: {waiting:?}")) }
}

const RULES: Rules<CentralisedFailover> = Rules { always: safe, in_the_end: nobody_waits };

#[test]
fn entries_go_on_whoever_dies_and_comes_back() {
    for variant in ["bully", "acknowledged-ring"] {
        for memory in [Memory::Stored, Memory::Nothing] {
            let faults = Faults { memory: Some(memory), ..FAULTS };
            let scene = Scene::<CentralisedFailover>::new(variant, 4, faults, lockers(LOCK, 3));
            for seed in 0..500 {
                if let Err(broken) = play_timely(&scene, seed, Length { wild: 200, kind: 20_000 }, &RULES) {
                    panic!("{variant} {memory:?}, seed {seed}: {broken}");
                }
            }
        }
    }
}

/// The time-outs must be long enough: a coordinator that is only slow is given up, and so is a client that is inside.
#[test]
fn where_time_outs_are_too_short_two_get_in() {
    let scene = Scene::<CentralisedFailover>::new("bully", 4, OVERTAKING, lockers(LOCK, 3));
    crate::driver::play::breaks(&scene, 0..2_000, Length { wild: 300, kind: 5_000 }, &RULES, "");
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["bully", "acknowledged-ring"] {
        survives(&Scene::<CentralisedFailover>::new(variant, 4, FAULTS, lockers(LOCK, 3)));
    }
}

fn acquire(request: u64) -> Command {
    Command::Acquire { lock: LOCK, request: RequestId(request) }
}

fn entered(request: u64, fence: u64) -> Outcome {
    Outcome::Entered { lock: LOCK, request: RequestId(request), fence: Some(fence) }
}

/// P1 is inside and P2 waits when the coordinator dies: P3 learns both, and lets P2 in when P1 has left.
#[test]
fn a_holder_keeps_the_section_over_the_change() {
    let mut stage = Script::<CentralisedFailover>::new("bully", 4);
    stage.command(1, acquire(1));
    stage.deliver_all();
    stage.command(2, acquire(1));
    stage.deliver_all();
    stage.crash(0);
    stage.run_out(2, Timer::Client);
    stage.deliver_all();
    assert!(stage.run_out(2, Timer::Client).contains(&Outcome::called(1)));
    stage.deliver_all();
    assert_eq!((stage.variable(3, "holder"), stage.variable(3, "open")), (Value::Number(1), Value::Flag(false)));
    assert_eq!(stage.run_out(3, Timer::Office), [], "P1 is inside");
    assert!(stage.view(3).queue.iter().map(|queued| queued.node).eq([NodeId(2)]));
    stage.command(1, Command::Release { lock: LOCK, request: RequestId(1) });
    stage.deliver("RELEASE", 1, 3);
    assert_eq!(stage.deliver("GRANT", 3, 2), [entered(1, 1 << 32 | 1)]);
}

/// What a former coordinator grants, or is told, counts no more.
#[test]
fn an_older_term_counts_no_more() {
    let mut stage = Script::<CentralisedFailover>::new("bully", 3);
    stage.command(1, acquire(1));
    stage.deliver("REQUEST", 1, 0);
    stage.command(2, Command::Elect);
    stage.deliver("ASK", 2, 1);
    assert_eq!(stage.deliver("GRANT", 0, 1), []);
    stage.deliver_all();
    assert!(stage.world.told().any(|(node, outcome)| node == NodeId(1) && *outcome == entered(1, 1 << 32 | 1)));
    let forged = LockMessage::State { term: 0, claim: Some(Stated { request: 9, inside: true }) };
    stage.forge(0, 2, FailoverMessage::Lock(forged));
    assert_eq!(stage.variable(2, "holder"), Value::Number(1));
}

/// A coordinator that has told another what it wants grants nothing more, not even to itself.
#[test]
fn a_former_coordinator_has_no_office() {
    let mut stage = Script::<CentralisedFailover>::new("bully", 3);
    stage.command(1, acquire(1));
    stage.deliver_all();
    stage.command(0, acquire(1));
    stage.command(2, Command::Elect);
    stage.deliver("ASK", 2, 0);
    assert_eq!(stage.command(1, Command::Release { lock: LOCK, request: RequestId(1) }).len(), 1);
    assert_eq!(stage.deliver("RELEASE", 1, 0), []);
    stage.deliver_all();
    assert!(stage.world.told().any(|(node, outcome)| node == NodeId(0) && *outcome == entered(1, 1 << 32 | 1)));
}
