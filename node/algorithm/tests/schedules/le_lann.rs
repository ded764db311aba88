//! Le Lann's algorithm, whose token circulates all the time.

use interlock_algorithm::Algorithm;
use interlock_algorithm::mutual_exclusion::le_lann::LeLann;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::costs;
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::exclusion;
use crate::driver::script::Script;

type Stage = Script<LeLann>;

/// The token moves endlessly, but from every state some schedule leads to a state in which no process waits.
#[test]
fn every_schedule_of_a_small_run_is_right() {
    for channel in [FIFO, OVERTAKING] {
        for (nodes, entries) in [(1, 2), (2, 3), (3, 3), (5, 2)] {
            holds::<LeLann>("original", nodes, entries, channel);
        }
    }
    holds::<LeLann>("original holder=2", 3, 2, FIFO);
}

#[test]
fn schedules_drawn_at_random_are_right() {
    costs::<LeLann>("original", 1..=7, FIFO, &exclusion(), |sent, nodes, _| nodes > 1 || sent.is_empty());
}

#[test]
fn an_entry_costs_one_message_if_all_want_it() {
    let mut stage = Stage::begin("original", 5);
    (0..5).for_each(|node| drop(stage.acquire(node)));
    for turn in 1..=100 {
        let (from, to) = ((turn + 4) % 5, turn % 5);
        stage.deliver("TOKEN", from, to);
        assert_eq!(stage.inside(), [to]);
        stage.release(to);
        stage.acquire(to);
        assert_eq!(stage.sent("TOKEN"), turn + 1);
    }
}

#[test]
fn the_token_goes_round_though_nobody_wants_it() {
    let mut stage = Stage::begin("original", 3);
    for turn in 0..300 {
        stage.deliver("TOKEN", turn % 3, (turn + 1) % 3);
    }
    assert_eq!(stage.sent("TOKEN"), 301);
}

/// After a process has requested, at most N − 1 entries of other processes precede its own entry.
#[test]
fn waiting_is_bounded() {
    let mut stage = Stage::begin("original", 4);
    (0..4).for_each(|node| drop(stage.acquire(node)));
    stage.deliver("TOKEN", 0, 1);
    let mut order = vec![1];
    for _ in 0..7 {
        let inside = order[order.len() - 1];
        stage.release(inside);
        stage.acquire(inside);
        stage.deliver("TOKEN", inside, (inside + 1) % 4);
        order.push(stage.inside()[0]);
    }
    assert_eq!(order, [1, 2, 3, 0, 1, 2, 3, 0]);
}

#[test]
fn a_lost_token_stops_everything_and_a_second_one_lets_two_in() {
    let steps = breaks::<LeLann>("original", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    assert!(steps.contains(&"lose TOKEN 0→1".to_owned()), "{steps:?}");
    let steps = breaks::<LeLann>("original", 2, 1, Faults { copies: 1, ..FIFO }, Broken::Exclusion);
    assert!(steps.contains(&"copy TOKEN 0→1".to_owned()), "{steps:?}");
}

#[test]
fn forged_messages_are_survived() {
    for variant in LeLann::ENTRY.variants {
        survives(&Scene::<LeLann>::new(variant.name, 3, OVERTAKING, lockers(20)));
    }
}
