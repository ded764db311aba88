//! Suzuki and Kasami's algorithm, in which a process requests the token by a broadcast.

use interlock_algorithm::mutual_exclusion::suzuki_kasami::{Reason, SuzukiKasami, SuzukiKasamiMessage, Token};
use interlock_algorithm::{NodeId, Value};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::exclusion;
use crate::driver::script::{Script, Taken};

type Stage = Script<SuzukiKasami>;

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for variant in ["fifo-queue", "lifo-queue", "fifo-queue holder=1"] {
        for channel in [FIFO, OVERTAKING] {
            holds::<SuzukiKasami>(variant, 2, 3, channel);
            holds::<SuzukiKasami>(variant, 3, 1, channel);
        }
    }
    holds::<SuzukiKasami>("fifo-queue", 1, 2, FIFO);
    holds::<SuzukiKasami>("fifo-queue", 3, 2, OVERTAKING);
}

/// If the requesting process has the token, an entry costs no messages. Otherwise the entry costs N messages.
#[test]
fn schedules_drawn_at_random_are_right_and_every_token_costs_a_request_of_each() {
    for variant in ["fifo-queue", "lifo-queue"] {
        for channel in [FIFO, OVERTAKING] {
            costs::<SuzukiKasami>(variant, 1..=6, channel, &exclusion(), |sent, nodes, entries| {
                let tokens = count(sent, "TOKEN");
                count(sent, "REQUEST") == (nodes - 1) * tokens && tokens <= nodes * entries
            });
        }
    }
}

#[test]
fn an_entry_alone_costs_n_messages_or_none() {
    for nodes in 1..=9 {
        let mut stage = Stage::begin("fifo-queue", nodes);
        assert_eq!([stage.enter_alone(0), stage.enter_alone(0)], [0, 0]);
        for node in 1..nodes {
            assert_eq!([stage.enter_alone(node), stage.enter_alone(node)], [nodes, 0]);
        }
    }
}

#[test]
fn a_second_token_is_one_too_many_and_a_lost_message_is_missed() {
    breaks::<SuzukiKasami>("fifo-queue", 2, 2, Faults { copies: 1, ..OVERTAKING }, Broken::Exclusion);
    let steps = breaks::<SuzukiKasami>("fifo-queue", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    assert!(steps.iter().any(|step| step.starts_with("lose")), "{steps:?}");
}

/// The example of the lectures, with five processes.
#[test]
fn the_token_follows_its_queue() {
    let token = |queue: &[u32], last: [u64; 5]| {
        SuzukiKasamiMessage::Token(Token {
            queue: queue.iter().map(|&node| NodeId(node)).collect(),
            last: last.into(),
            generation: 1,
        })
    };
    let sent = |taken: Taken<SuzukiKasami>| taken.sent;
    let mut stage = Stage::begin("fifo-queue holder=1", 5);
    stage.acquire(0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
    for node in 0..5 {
        assert_eq!(stage.variable(node, "req"), Value::Numbers(vec![1, 0, 0, 0, 0]));
    }
    assert_eq!(stage.variable(0, "last"), Value::Numbers(vec![0; 5]));
    for node in [1, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    assert_eq!(sent(stage.release(0)), [(NodeId(1), token(&[2], [1, 0, 0, 0, 0]))]);
    stage.deliver_all();
    for node in [0, 3] {
        stage.acquire(node);
        stage.deliver_all();
    }
    assert_eq!(sent(stage.release(1)), [(NodeId(2), token(&[0, 3], [1, 1, 0, 0, 0]))]);
    stage.deliver_all();
    assert_eq!(sent(stage.release(2)), [(NodeId(0), token(&[3], [1, 1, 1, 0, 0]))]);
    stage.deliver_all();
    assert_eq!(sent(stage.release(0)), [(NodeId(3), token(&[], [2, 1, 1, 0, 0]))]);
}

/// Process 1 waits while processes 0 and 2 enter alternately, as often as the variant allows. Returns the number of
/// their entries before the entry of process 1.
fn overtaken(variant: &str) -> u32 {
    let mut stage = Stage::begin(variant, 3);
    stage.acquire(0);
    stage.acquire(1);
    stage.deliver_all();
    for turn in 0..100 {
        let (inside, next) = (2 * (turn % 2), 2 - 2 * (turn % 2));
        stage.acquire(next);
        stage.deliver_all();
        stage.release(inside);
        stage.deliver_all();
        if stage.inside() == [1] {
            return turn;
        }
        assert!(stage.waiting().contains(&1));
    }
    100
}

#[test]
fn a_queue_is_fair_and_a_stack_starves() {
    assert!(overtaken("fifo-queue") <= 2);
    assert_eq!(overtaken("lifo-queue"), 100);
}

#[test]
fn outdated_requests_are_told_by_their_number() {
    let mut stage = Stage::begin("fifo-queue", 2);
    stage.acquire(1);
    stage.copy("REQUEST", 1, 0);
    stage.deliver("REQUEST", 1, 0);
    stage.deliver("TOKEN", 0, 1);
    stage.release(1);
    let copy = stage.deliver("REQUEST", 1, 0);
    assert_eq!(copy.reasons, [Reason::Outdated { process: NodeId(1), num: 1, known: 1 }]);
    assert_eq!(copy.sent, []);
}

#[test]
fn forged_messages_are_survived() {
    survives(&Scene::<SuzukiKasami>::new("fifo-queue", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<SuzukiKasami>::new("lifo-queue", 3, OVERTAKING, lockers(20)));
}
