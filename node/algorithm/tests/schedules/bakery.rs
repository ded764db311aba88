//! Lamport's bakery, its variables shared by messages.

use interlock_algorithm::mutual_exclusion::bakery::Bakery;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::drawn::{Rules, breaks as breaks_at_random, costs, count, holds as holds_at_random};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::script::Script;

type Stage = Script<Bakery>;

/// Where everybody looks again and again, from every state a schedule leads to the end all the same.
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
        holds_at_random::<Bakery>("push", channel, Rules::Exclusion, &[("WRITE", 4), ("ACK", 4)]);
    }
}

#[test]
fn schedules_drawn_at_random_are_right_and_every_look_is_answered() {
    for channel in [FIFO, OVERTAKING] {
        costs::<Bakery>("pull", 1..=4, channel, Rules::Exclusion, |sent, nodes, entries| {
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

/// The schedule of the lectures: both see nothing, 1 draws and looks, and only then 0 draws.
#[test]
fn without_choosing_two_get_in() {
    let both_see_nothing = |variant| {
        let mut stage = Stage::begin(variant, 2);
        stage.acquire(0);
        stage.acquire(1);
        stage.deliver("READ", 0, 1);
        stage.deliver("READ", 1, 0);
        stage.deliver("VALUE", 0, 1);
        // Now 1 has drawn. Whether 0 is choosing, and its number:
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
    breaks_at_random::<Bakery>("no-choosing", 3, OVERTAKING, Rules::Exclusion, "two in the section");
}

/// Of two, the one that answers has by then drawn its own number: the value it waited for was sent before. A third
/// whose value is late undoes that.
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

/// Who leaves and asks again at once waits until all know that he has left.
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

/// While the section is never idle, numbers grow.
#[test]
fn numbers_grow_without_bound() {
    let mut stage = Stage::begin("push", 2);
    stage.acquire(0);
    stage.deliver_all();
    for turn in 0..50_u32 {
        let (inside, next) = (turn % 2, 1 - turn % 2);
        stage.acquire(next);
        stage.deliver_all();
        assert_eq!(stage.variable(next, "number"), interlock_algorithm::Value::Number(i64::from(turn) + 2));
        stage.release(inside);
        stage.deliver_all();
    }
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["pull", "push", "no-choosing"] {
        survives(&Scene::<Bakery>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
