//! The banker's algorithm: the example of the lecture, the safety of all states, and the objections to commands.

use interlock_algorithm::deadlock::banker::safety::safe_order;
use interlock_algorithm::deadlock::banker::{Banker, BankerMessage, Unit};
use interlock_algorithm::{Command, LockId, NodeId, Outcome, RequestId, Value};
use interlock_model::choice::Choice;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::driver::Scene;
use crate::driver::faults::OVERTAKING;
use crate::driver::random::{Rules, USUAL, holds};
use crate::driver::run::Run;
use crate::driver::script::Script;
use crate::driver::watch::Happened;

/// Number of units of each resource that processes 0 … 4 hold at the beginning.
const HELD: [[u32; 4]; 5] = [[3, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]];

fn acquire(lock: u32, request: u64) -> Command {
    Command::Acquire { lock: LockId(lock), request: RequestId(request) }
}

/// Returns a run in the state of the lecture's tables. The processes have requested their units one at a time.
fn lecture() -> Script<Banker> {
    let mut stage = Script::<Banker>::begin("original", 5);
    for (node, row) in (0_u32..).zip(HELD) {
        for (lock, units) in (0_u32..).zip(row) {
            for _ in 0..units {
                stage.acquire_lock(node, lock);
                stage.deliver_all();
            }
        }
    }
    assert_eq!(stage.variable(0, "free"), Value::Numbers(vec![1, 0, 2, 0]));
    for (process, needs) in [vec![1, 1, 0, 0], vec![0, 1, 1, 2], vec![3, 1, 0, 0], vec![0, 0, 1, 0], vec![2, 1, 1, 0]]
        .into_iter()
        .enumerate()
    {
        assert_eq!(stage.variable(0, &format!("needs of P{process}")), Value::Numbers(needs));
    }
    stage
}

fn entered(run: &Run<'_, Banker>, node: u32) -> usize {
    let told = run.told();
    told.iter().filter(|(of, what)| of.0 == node && matches!(what, Outcome::Entered { .. })).count()
}

#[test]
fn the_example_of_the_lecture() {
    let mut stage = lecture();
    stage.acquire_lock(1, 2);
    stage.deliver_all();
    assert_eq!(entered(&stage, 1), 2, "P2 of the lecture may have one R3");
    assert_eq!(stage.variable(0, "safe_order"), Value::Numbers(vec![3, 4, 0, 2, 1]));
    let printed = [[2, 1, 1, 1], [2, 1, 1, 1], [5, 1, 2, 2], [6, 2, 3, 2], [6, 3, 4, 2]];
    for (place, (process, free)) in (1..).zip([3, 4, 0, 2, 1].into_iter().zip(printed)) {
        let name = format!("free after {place}: P{process}");
        assert_eq!(stage.variable(0, &name), Value::Numbers(free.into()));
    }
    stage.acquire_lock(4, 2);
    let why = stage.deliver("REQUEST", 4, 0).reasons;
    let why: Vec<String> = why.iter().map(|reason| format!("{reason:?}")).collect();
    stage.deliver_all();
    assert_eq!(entered(&stage, 4), 0, "P5 of the lecture must wait");
    assert!(why.first().is_some_and(|first| first.starts_with("Unsafe")), "{why:?}");
    assert!(why.iter().any(|reason| reason.starts_with("CannotFinish { process: NodeId(4)")), "{why:?}");
    stage.acquire_lock(3, 2);
    stage.deliver_all();
    assert_eq!(entered(&stage, 3), 4, "P4 of the lecture can finish");
    for lock in stage.held(3) {
        stage.release_lock(3, lock);
    }
    stage.deliver_all();
    assert_eq!(entered(&stage, 4), 1, "looked at again when P4 has given everything back");
}

fn acquire_together(locks: &[u32], request: u64) -> Command {
    Command::AcquireTogether { locks: locks.iter().copied().map(LockId).collect(), request: RequestId(request) }
}

/// Converts a row of a table to a list of locks. The list contains each resource as often as the row has units of
/// this resource.
fn row(row: [u32; 4]) -> Vec<u32> {
    (0_u32..).zip(row).flat_map(|(lock, units)| (0..units).map(move |_| lock)).collect()
}

/// A request in the lecture is a row of units: P5 requests two R1, one R2 and one R3 at the same time. P5 receives
/// no unit until P4 has released its units, and then receives all requested units.
#[test]
fn a_request_for_several_units_is_granted_as_a_whole() {
    let mut stage = Script::<Banker>::begin("original", 5);
    for (node, held) in (0_u32..4).zip(HELD) {
        stage.acquire_together(node, &row(held));
        stage.deliver_all();
    }
    assert_eq!(stage.variable(0, "free"), Value::Numbers(vec![1, 0, 2, 0]), "the same as unit by unit");
    stage.acquire_lock(1, 2);
    stage.acquire_lock(3, 2);
    stage.deliver_all();
    stage.acquire_together(4, &row([2, 1, 1, 0]));
    stage.deliver_all();
    assert_eq!(entered(&stage, 4), 0);
    for lock in [0, 1, 3] {
        stage.release_lock(3, lock);
        stage.deliver_all();
        assert_eq!(entered(&stage, 4), 0, "not in part");
    }
    stage.release_lock(3, 2);
    stage.deliver_all();
    assert_eq!(entered(&stage, 4), 4);
    assert_eq!(stage.variable(0, "has of P4"), Value::Numbers(vec![2, 1, 1, 0]));
    assert_eq!(stage.sent("REQUEST"), 3 + 2 + 1, "one each, and none from P1, who keeps the bank");
    for lock in [0, 0, 1, 2] {
        stage.release_lock(4, lock);
        stage.deliver_all();
    }
    assert_eq!(stage.variable(0, "free"), Value::Numbers(vec![2, 1, 1, 1]), "as printed when P5 is done");
}

#[test]
fn a_request_for_several_units_must_be_within_the_claim() {
    let stage = Script::<Banker>::begin("original", 5);
    let objection = "P4 may have at most 2 units of resource 0: it has 0 and waits for 0, and asks for 3";
    assert_eq!(stage.objection(4, &acquire_together(&[0, 0, 0, 1], 1)).as_deref(), Some(objection));
    assert_eq!(stage.objection(4, &acquire_together(&[0, 0, 1], 1)), None);
}

/// Two processes have one unit each, and may still request the unit of the other. The banker of the paper keeps the
/// second of them waiting. If free units are always granted, the processes can deadlock, but they need not.
#[test]
fn an_unsafe_state_can_end_in_a_deadlock_and_need_not() {
    let begin = |variant: &str| {
        let mut stage = Script::<Banker>::begin(&format!("{variant} existing=1,1"), 2);
        for node in 0..2 {
            stage.acquire_lock(node, node);
            stage.deliver_all();
        }
        stage
    };
    let counts = |stage: &Script<Banker>| [entered(stage, 0), entered(stage, 1)];
    assert_eq!(counts(&begin("original")), [1, 0]);
    let mut both_ask = begin("grants-free");
    assert_eq!(counts(&both_ask), [1, 1]);
    both_ask.acquire_lock(0, 1);
    both_ask.acquire_lock(1, 0);
    both_ask.deliver_all();
    assert_eq!(counts(&both_ask), [1, 1], "each waits for the unit of the other");
    let mut one_gives = begin("grants-free");
    one_gives.release_lock(0, 0);
    one_gives.acquire_lock(1, 0);
    one_gives.deliver_all();
    assert_eq!(counts(&one_gives), [1, 2]);
}

/// The banker does not queue an invalid request: a request without units, with a unit twice, or with a resource
/// that does not exist.
#[test]
fn requests_that_cannot_be_are_ignored() {
    let unit = |lock, request| Unit { lock: LockId(lock), request: RequestId(request) };
    for units in [vec![], vec![unit(0, 1), unit(0, 1)], vec![unit(4, 1)], vec![unit(0, 1), unit(u32::MAX, 2)]] {
        let mut stage = Script::<Banker>::begin("original", 5);
        let before = stage.state(0).clone();
        assert_eq!(stage.forge(4, 0, BankerMessage::Request { units }).outcomes, []);
        assert_eq!(*stage.state(0), before);
    }
}

#[test]
fn more_than_the_claim_is_objected_to() {
    let mut stage = Script::<Banker>::begin("original", 5);
    stage.acquire_lock(1, 1);
    stage.deliver_all();
    stage.acquire_lock(1, 1);
    let objection = "P1 may have at most 2 units of resource 1: it has 1 and waits for 1";
    assert_eq!(stage.objection(1, &acquire(1, 3)).as_deref(), Some(objection));
    let none = "P1 may have at most 0 units of resource 0: it has 0 and waits for 0";
    assert_eq!(stage.objection(1, &acquire(0, 3)).as_deref(), Some(none));
    assert_eq!(stage.objection(1, &acquire(4, 3)).as_deref(), Some("there is no resource 4; the resources are 0 … 3"));
}

/// Returns the next action of a client. The client acquires its whole claim unit by unit, then releases all units,
/// and does this twice. Each client acquires its units in a different order.
fn takes_its_claim(run: &Run<'_, Banker>, node: NodeId) -> Option<Choice> {
    let claims = [[4, 1, 1, 1], [0, 2, 1, 2], [4, 2, 1, 0], [1, 1, 1, 1], [2, 1, 1, 0]];
    let first = node.0 % 4;
    let mut units: Vec<u32> = Vec::new();
    for lock in (first..4).chain(0..first) {
        units.extend((0..claims[node.index()][lock as usize]).map(|_| lock));
    }
    let held: Vec<LockId> = run.node(node).client().inside().collect();
    let asked = run.ordered(node).iter().filter(|choice| matches!(choice, Choice::Acquire { .. })).count();
    let leaving = matches!(run.ordered(node).last(), Some(Choice::Release { .. }));
    if held.len() == units.len() || (leaving && !held.is_empty()) {
        return held.last().map(|&lock| Choice::Release { node, lock });
    }
    let waits = asked % units.len() != held.len() % units.len();
    if waits || asked == 2 * units.len() {
        return None;
    }
    Some(Choice::Acquire { node, lock: LockId(units[asked % units.len()]), hold: None })
}

/// Checks after each step that the processes do not hold more units of a resource than exist.
fn no_unit_is_made(run: &Run<'_, Banker>) -> Result<(), String> {
    let mut free = [6_i32, 3, 4, 2];
    for (_, what) in run.log().iter() {
        let Happened::Told(outcome) = what else { continue };
        match outcome {
            Outcome::Entered { lock, .. } => free[lock.0 as usize] -= 1,
            Outcome::Exited { lock, .. } => free[lock.0 as usize] += 1,
            _ => {}
        }
        if free.iter().any(|&units| units < 0) {
            return Err(format!("more than there is: {free:?}"));
        }
    }
    Ok(())
}

#[test]
fn everybody_gets_the_whole_claim_in_every_schedule() {
    let rules = Rules {
        always: no_unit_is_made,
        in_the_end: |run| {
            let all: Vec<_> = (0..5).map(|node| entered(run, node)).collect();
            if all == [14, 10, 14, 8, 8] { Ok(()) } else { Err(format!("stuck: {all:?}")) }
        },
    };
    holds(&Scene::<Banker>::new("original banker=2", 5, OVERTAKING, Box::new(takes_its_claim)), 0..40, USUAL, &rules);
}

type Tables = (Vec<u32>, Vec<Vec<u32>>, Vec<Vec<u32>>);

fn tables() -> impl Strategy<Value = Tables> {
    (1_usize..=5, 1_usize..=4).prop_flat_map(|(processes, resources)| {
        let rows = || vec(vec(0_u32..4, resources), processes);
        (vec(0_u32..4, resources), rows(), rows())
    })
}

/// Returns whether all processes in `left` can finish in at least one order. The function tries all orders.
fn some_order_works(free: &[u32], held: &[Vec<u32>], needed: &[Vec<u32>], left: &[usize]) -> bool {
    left.is_empty()
        || left.iter().any(|&process| {
            let fits = needed[process].iter().zip(free).all(|(needed, free)| needed <= free);
            let after: Vec<u32> = free.iter().zip(&held[process]).map(|(free, held)| free + held).collect();
            let others: Vec<usize> = left.iter().copied().filter(|&other| other != process).collect();
            fits && some_order_works(&after, held, needed, &others)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// The safety check of the algorithm has the same result as a trial of all orders. Each step of the order that
    /// the check returns is possible.
    #[test]
    fn what_is_safe_is_what_some_order_shows((free, held, needed) in tables()) {
        let all: Vec<usize> = (0..held.len()).collect();
        let found = safe_order(&free, &held, &needed);
        prop_assert_eq!(found.is_ok(), some_order_works(&free, &held, &needed, &all));
        let mut now = free;
        let steps = match &found {
            Ok(order) => order,
            Err(found) => &found.finished,
        };
        for step in steps {
            prop_assert!(needed[step.process].iter().zip(&now).all(|(needed, free)| needed <= free));
            now.iter_mut().zip(&held[step.process]).for_each(|(free, held)| *free += held);
            prop_assert_eq!(&now, &step.free);
        }
        let stuck = found.as_ref().err().map_or(&[][..], |found| &found.stuck[..]);
        let mut everybody: Vec<usize> = steps.iter().map(|step| step.process).chain(stuck.iter().copied()).collect();
        everybody.sort_unstable();
        prop_assert_eq!(everybody, all);
    }
}
