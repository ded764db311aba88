//! Lamport's bakery algorithm. The processes share its variables by messages.

use interlock_algorithm::mutual_exclusion::bakery::{Bakery, BakeryMessage, Reason, Variable};
use interlock_algorithm::{NodeId, Value};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{breaks_at_random, costs, count, holds_at_random};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{self, USUAL, exclusion};
use crate::driver::script::Script;

type Stage = Script<Bakery>;

/// Processes may read endlessly, but from every state some schedule leads to a state in which no process waits.
#[test]
fn every_schedule_of_a_small_run_is_right() {
    for variant in ["pull", "push"] {
        for channel in [FIFO, OVERTAKING] {
            holds::<Bakery>(variant, 1, 2, channel);
            holds::<Bakery>(variant, 2, 3, channel);
        }
    }
    holds::<Bakery>("pull", 3, 1, FIFO);
}

#[test]
fn schedules_drawn_at_random_are_right_and_every_write_is_acknowledged() {
    for channel in [FIFO, OVERTAKING] {
        holds_at_random::<Bakery>("push", channel, &exclusion(), &[("WRITE", 4), ("ACK", 4)]);
    }
}

#[test]
fn schedules_drawn_at_random_are_right_and_every_look_is_answered() {
    for channel in [FIFO, OVERTAKING] {
        costs::<Bakery>("pull", 1..=4, channel, &exclusion(), |sent, nodes, entries| {
            let looks = count(sent, "READ");
            looks == count(sent, "VALUE") && looks >= 3 * (nodes - 1) * nodes * entries
        });
    }
}

#[test]
fn an_entry_alone_costs_six_or_eight_messages_for_each_other() {
    for nodes in 1..=6 {
        for (variant, price) in [("pull", 6), ("push", 8)] {
            let mut stage = Stage::begin(variant, nodes);
            for node in (0..nodes).rev() {
                assert_eq!(stage.enter_alone(node), price * (nodes - 1));
            }
        }
    }
}

/// The schedule of the lectures: both processes read that no process has a number. Process 1 draws its number and
/// reads that process 0 has none. Only then does process 0 draw its number.
#[test]
fn without_choosing_two_get_in() {
    let both_see_nothing = |variant| {
        let mut stage = Stage::begin(variant, 2);
        stage.acquire(0);
        stage.acquire(1);
        stage.deliver("READ", 0, 1);
        stage.deliver("READ", 1, 0);
        stage.deliver("VALUE", 0, 1);
        // Process 1 has drawn its number. It now reads whether process 0 is choosing, and then the number of
        // process 0.
        stage.deliver("READ", 1, 0);
        stage.deliver("VALUE", 0, 1);
        stage
    };
    let mut stage = both_see_nothing("no-choosing");
    assert_eq!(stage.inside(), [1]);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0, 1]);
    assert_eq!(both_see_nothing("pull").inside(), [0; 0]);
    breaks::<Bakery>("no-choosing", 2, 1, OVERTAKING, Broken::Exclusion);
    breaks_at_random::<Bakery>("no-choosing", 3, OVERTAKING, &exclusion(), "two in the section");
}

/// With two processes and FIFO links, the faulty variant `no-choosing` is harmless. Before a process answers a
/// READ, it has received the value that it was waiting for itself, because that value was sent earlier. So it has
/// drawn its number. With a third process, whose value may be late, mutual exclusion is violated.
#[test]
fn without_choosing_order_saves_two_but_not_three() {
    holds::<Bakery>("no-choosing", 2, 2, FIFO);
    breaks::<Bakery>("no-choosing", 3, 1, FIFO, Broken::Exclusion);
}

#[test]
fn a_lost_message_is_missed() {
    breaks::<Bakery>("push", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    breaks::<Bakery>("pull", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
}

/// If a process leaves and requests again at once, its new request waits. First, all processes must acknowledge
/// that the process has left.
#[test]
fn who_is_still_leaving_draws_later() {
    let mut stage = Stage::begin("push", 2);
    stage.acquire(0);
    stage.deliver_all();
    stage.release(0);
    assert_eq!(stage.acquire(0).sent, []);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
}

/// As long as some process is always in the critical section, the numbers grow without bound.
#[test]
fn numbers_grow_without_bound() {
    let mut stage = Stage::begin("push", 2);
    stage.acquire(0);
    stage.deliver_all();
    for turn in 0..50_u32 {
        let (inside, next) = (turn % 2, 1 - turn % 2);
        stage.acquire(next);
        stage.deliver_all();
        assert_eq!(stage.variable(next, "number"), Value::Number(i64::from(turn) + 2));
        stage.release(inside);
        stage.deliver_all();
    }
}

/// Processes crash, and the failure detector notifies the others. So no process waits for a crashed process.
const DETECTED: Faults = Faults { crashes: 3, down_at_once: 2, detected: true, ..FIFO };

#[test]
fn where_the_dead_read_as_zero_a_crash_is_harmless() {
    for (variant, memory) in [("pull", None), ("push", None), ("pull", Some(RestartState::None))] {
        for nodes in 2..=4 {
            let scene = Scene::<Bakery>::new(variant, nodes, Faults { memory, ..DETECTED }, lockers(3));
            random::holds(&scene, 0..60, USUAL, &exclusion());
        }
    }
    // In the variant `push`, a restarted process takes no part in the algorithm, and no other process waits for it.
    let back = Faults { memory: Some(RestartState::None), ..DETECTED };
    random::holds(&Scene::<Bakery>::new("push", 4, back, lockers(3)), 0..60, USUAL, &exclusion());
}

#[test]
fn where_nobody_tells_that_a_process_is_dead_everybody_waits_for_it() {
    for variant in ["pull", "push"] {
        let silent = Faults { detected: false, ..DETECTED };
        let scene = Scene::<Bakery>::new(variant, 3, silent, lockers(3));
        random::breaks(&scene, 0..100, USUAL, &exclusion(), "stuck");
    }
}

/// Process 0 crashes repeatedly, each time while it is choosing. Whenever process 1 reads the variables of process
/// 0, process 0 is choosing again.
#[test]
fn who_always_dies_while_choosing_blocks_the_others_until_it_is_known_to_be_dead() {
    let mut stage = Stage::begin("pull", 2);
    stage.acquire(0);
    stage.acquire(1);
    stage.deliver("READ", 1, 0);
    stage.deliver("VALUE", 0, 1);
    for _ in 0..50 {
        stage.deliver("READ", 1, 0);
        let looked = stage.deliver("VALUE", 0, 1);
        assert_eq!(looked.reasons, [Reason::StillChoosing { process: NodeId(0) }]);
        stage.crash(0);
        stage.restart(0, RestartState::None);
        stage.acquire(0);
    }
    stage.crash(0);
    assert_eq!(stage.waiting(), [1]);
    stage.take(&suspicion(1, 0));
    assert_eq!(stage.inside(), [1]);
}

/// Returns the action by which the failure detector of `node` suspects `whom`.
fn suspicion(node: u32, whom: u32) -> Choice {
    Choice::Suspect { node: NodeId(node), whom: NodeId(whom) }
}

/// Process 2 crashes in the critical section. A WRITE that process 2 sent before the crash arrives late, and
/// process 0 ignores this WRITE.
#[test]
fn what_the_dead_wrote_before_does_not_count() {
    let mut stage = Stage::begin("push", 3);
    stage.acquire(2);
    stage.deliver_all_but(|from, to| (from, to) == (2, 0));
    stage.crash(2);
    stage.take(&suspicion(0, 2));
    let late = stage.deliver("WRITE", 2, 0);
    assert_eq!((late.sent, stage.variable(0, "numbers_known")), (vec![], Value::numbers(&[0; 3])));
    stage.take(&suspicion(1, 2));
    stage.acquire(0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
}

/// Process 0 is in the critical section, and process 1 wrongly suspects it.
#[test]
fn whom_a_wrong_suspicion_takes_for_dead_is_not_alone() {
    for variant in ["pull", "push"] {
        let mut stage = Stage::begin(variant, 2);
        stage.acquire(0);
        stage.deliver_all();
        stage.take(&suspicion(1, 0));
        stage.acquire(1);
        stage.deliver_all();
        assert!(stage.at_most_one_inside().is_err(), "{variant}");
    }
}

/// If a process was wrongly suspected and is trusted again, the other processes read its variables again.
#[test]
fn who_is_trusted_again_counts_again() {
    let mut stage = Stage::begin("pull", 2);
    stage.take(&suspicion(1, 0));
    stage.take(&Choice::Trust { node: NodeId(1), whom: NodeId(0) });
    stage.acquire(0);
    stage.deliver_all();
    stage.acquire(1);
    let read = BakeryMessage::Read { variable: Variable::Number, life: 1 };
    assert_eq!(stage.link(1, 0).into_iter().map(|(_, message)| *message).collect::<Vec<_>>(), [read]);
    // Process 0 answers each READ with its number, which is smaller than the number of process 1.
    for _ in 0..20 {
        stage.deliver("READ", 1, 0);
        stage.deliver("VALUE", 0, 1);
    }
    assert_eq!((stage.inside(), stage.waiting()), (vec![0], vec![1]));
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["pull", "push", "no-choosing"] {
        survives(&Scene::<Bakery>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
