//! Ricart and Agrawala's token algorithm, whose token records which requests were served.

use interlock_algorithm::mutual_exclusion::ricart_agrawala_token::{Reason, RicartAgrawalaToken};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::exclusion;
use crate::driver::script::Script;

type Stage = Script<RicartAgrawalaToken>;

const VARIANTS: [&str; 2] = ["ring-order", "longest-waiting"];

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for variant in VARIANTS {
        for channel in [FIFO, OVERTAKING] {
            holds::<RicartAgrawalaToken>(variant, 1, 2, channel);
            holds::<RicartAgrawalaToken>(variant, 2, 3, channel);
            holds::<RicartAgrawalaToken>(variant, 3, 1, channel);
        }
    }
    holds::<RicartAgrawalaToken>("ring-order holder=2", 3, 1, OVERTAKING);
}

/// If the requesting process has the token, an entry costs no messages. Otherwise the entry costs N messages.
#[test]
fn schedules_drawn_at_random_are_right_and_every_token_costs_a_request_of_each() {
    for variant in VARIANTS {
        for channel in [FIFO, OVERTAKING] {
            costs::<RicartAgrawalaToken>(variant, 1..=6, channel, &exclusion(), |sent, nodes, entries| {
                let tokens = count(sent, "TOKEN");
                count(sent, "REQUEST") == (nodes - 1) * tokens && tokens <= nodes * entries
            });
        }
    }
}

#[test]
fn an_entry_alone_costs_n_messages_or_none() {
    for nodes in 1..=9 {
        let mut stage = Stage::begin("ring-order", nodes);
        assert_eq!([stage.enter_alone(0), stage.enter_alone(0)], [0, 0]);
        for node in (1..nodes).rev() {
            assert_eq!([stage.enter_alone(node), stage.enter_alone(node)], [nodes, 0]);
        }
    }
}

#[test]
fn a_second_token_is_one_too_many_and_a_lost_message_is_missed() {
    breaks::<RicartAgrawalaToken>("ring-order", 2, 2, Faults { copies: 1, ..OVERTAKING }, Broken::Exclusion);
    breaks::<RicartAgrawalaToken>("ring-order", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
}

/// While process 1 is in the critical section, 0, 3 and 2 request it in this order. Each of them has received the
/// earlier requests before it requests. Returns the order of their entries.
fn order(variant: &str) -> Vec<u32> {
    let mut stage = Stage::begin(&format!("{variant} holder=1"), 4);
    stage.acquire(1);
    for node in [0, 3, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    let mut entered = Vec::new();
    let mut inside = 1;
    while !stage.waiting().is_empty() {
        stage.release(inside);
        stage.deliver_all();
        inside = stage.inside()[0];
        entered.push(inside);
    }
    entered
}

#[test]
fn the_token_goes_round_or_to_who_waits_longest() {
    assert_eq!(order("ring-order"), [2, 3, 0]);
    assert_eq!(order("longest-waiting"), [0, 3, 2]);
}

#[test]
fn outdated_requests_are_told_by_their_time() {
    let mut stage = Stage::begin("ring-order", 2);
    stage.acquire(1);
    stage.copy("REQUEST", 1, 0);
    stage.deliver("REQUEST", 1, 0);
    stage.deliver("TOKEN", 0, 1);
    stage.release(1);
    let copy = stage.deliver("REQUEST", 1, 0);
    assert!(matches!(copy.reasons[..], [Reason::Outdated { known: 1, .. }]), "{copy:?}");
    assert_eq!(copy.sent, []);
}

#[test]
fn forged_messages_are_survived() {
    for variant in VARIANTS {
        survives(&Scene::<RicartAgrawalaToken>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
