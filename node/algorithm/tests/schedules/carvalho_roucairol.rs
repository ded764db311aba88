//! Carvalho and Roucairol's algorithm, in which a permission stays valid until it is passed on.

use interlock_algorithm::mutual_exclusion::carvalho_roucairol::{CarvalhoRoucairol, CarvalhoRoucairolMessage};
use interlock_algorithm::{NodeId, Value};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{breaks_at_random, costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::exclusion;
use crate::driver::script::Script;

type Stage = Script<CarvalhoRoucairol>;

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for channel in [FIFO, OVERTAKING] {
        holds::<CarvalhoRoucairol>("original", 1, 2, channel);
        holds::<CarvalhoRoucairol>("original", 2, 3, channel);
        holds::<CarvalhoRoucairol>("original", 3, 1, channel);
    }
    holds::<CarvalhoRoucairol>("remove-dead", 2, 2, FIFO);
    holds::<CarvalhoRoucairol>("remove-dead", 3, 1, FIFO);
}

/// Each REQUEST is answered by one REPLY, and no entry costs more messages than in Ricart and Agrawala's algorithm.
#[test]
fn schedules_drawn_at_random_are_right_and_cost_no_more_than_asking_everybody() {
    for channel in [FIFO, OVERTAKING] {
        costs::<CarvalhoRoucairol>("original", 1..=6, channel, &exclusion(), |sent, nodes, entries| {
            let requests = count(sent, "REQUEST");
            requests == count(sent, "REPLY") && requests <= (nodes - 1) * nodes * entries
        });
    }
}

#[test]
fn who_asks_again_asks_nobody_and_others_ask_those_who_entered_since() {
    for nodes in 1..=7 {
        let mut stage = Stage::begin("original", nodes);
        assert_eq!(stage.enter_alone(0), 0);
        for node in 1..nodes {
            assert_eq!([stage.enter_alone(node), stage.enter_alone(node)], [2 * node, 0]);
        }
        for node in 0..nodes - 1 {
            assert_eq!([stage.enter_alone(node), stage.enter_alone(node)], [2 * (nodes - 1), 0]);
        }
    }
}

#[test]
fn both_holding_a_permission_breaks_exclusion() {
    let steps = breaks::<CarvalhoRoucairol>("both-hold", 2, 1, FIFO, Broken::Exclusion);
    assert_eq!(steps, ["acquire 0", "acquire 1"]);
    breaks_at_random::<CarvalhoRoucairol>("both-hold", 3, FIFO, &exclusion(), "two in the section");
}

#[test]
fn not_asking_again_blocks() {
    breaks::<CarvalhoRoucairol>("no-second-request", 3, 1, FIFO, Broken::Progress);
    breaks_at_random::<CarvalhoRoucairol>("no-second-request", 4, FIFO, &exclusion(), "stuck");
}

/// A waiting process receives an older request. It passes on the permission and requests the permission again. The
/// second REQUEST carries the time of the first REQUEST.
#[test]
fn the_second_request_carries_the_first_time() {
    let mut stage = Stage::begin("original", 3);
    stage.enter_alone(1);
    stage.enter_alone(2);
    assert_eq!(stage.variable(1, "A"), Value::Numbers(vec![1, 1, 0]));
    stage.acquire(1);
    stage.acquire(0);
    let clock = |node| stage.view(node).request.expect("a request").clock;
    let (older, ours) = (clock(0), clock(1));
    assert!(older < ours);
    let given = stage.deliver("REQUEST", 0, 1);
    assert!(matches!(given.sent[0], (NodeId(0), CarvalhoRoucairolMessage::Reply { .. })));
    assert_eq!(
        given.sent[1..],
        [(NodeId(0), CarvalhoRoucairolMessage::Request { clock: ours, process: NodeId(1), life: 1 })]
    );
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
}

#[test]
fn a_lost_message_is_missed_and_a_copy_gives_a_permission_twice() {
    breaks::<CarvalhoRoucairol>("original", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    breaks::<CarvalhoRoucairol>("original", 2, 3, Faults { copies: 1, ..OVERTAKING }, Broken::Exclusion);
}

#[test]
fn forged_messages_are_survived() {
    // The variant `both-hold` is not tested here: its processes hold all permissions, so they send no message to
    // forge.
    for variant in ["original", "no-second-request", "remove-dead", "back-as-at-start"] {
        survives(&Scene::<CarvalhoRoucairol>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
