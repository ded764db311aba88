//! Raymond's tree.

use interlock_algorithm::mutual_exclusion::raymond::Raymond;
use interlock_algorithm::tree::Tree;
use interlock_algorithm::{NodeId, Value};

use crate::driver::drawn::{breaks as breaks_at_random, costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::forged::survives;
use crate::driver::random::Rules;
use crate::driver::script::Script;
use crate::driver::world::{Channel, FIFO, OVERTAKING};

type Stage = Script<Raymond>;

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for channel in [FIFO, OVERTAKING] {
        holds::<Raymond>("original", 1, 2, channel);
        holds::<Raymond>("original", 2, 3, channel);
        for variant in ["original tree=line", "original tree=star", "original tree=line holder=1"] {
            holds::<Raymond>(variant, 3, 2, channel);
        }
        holds::<Raymond>("original tree=line holder=3", 4, 1, channel);
    }
}

/// Every REQUEST is answered by one PRIVILEGE, and every edge is initialised once.
#[test]
fn schedules_drawn_at_random_are_right_on_every_kind_of_tree() {
    for variant in ["original", "original tree=line", "original tree=star", "original tree=random:5"] {
        for channel in [FIFO, OVERTAKING] {
            costs::<Raymond>(variant, 1..=7, channel, Rules::Exclusion, |sent, nodes, _| {
                count(sent, "REQUEST") == count(sent, "PRIVILEGE") && count(sent, "INITIALIZE") == nodes - 1
            });
        }
    }
}

#[test]
fn initialize_points_every_holder_towards_the_privilege() {
    for nodes in 1..40 {
        for form in ["binary", "line", "star", "k-ary:3", "random:9"] {
            let holder = nodes / 2;
            let tree = Tree::parse(form, nodes).expect("a tree");
            let distances = tree.distances(NodeId(holder));
            let mut stage = Stage::new(&format!("original tree={form} holder={holder}"), nodes, FIFO);
            stage.deliver_all();
            for node in (0..nodes).filter(|&node| node != holder) {
                let Value::Number(next) = stage.variable(node, "HOLDER") else { panic!("HOLDER of {node} is unknown") };
                let next = NodeId(u32::try_from(next).expect("a node"));
                assert_eq!(distances[next.index()] + 1, distances[node as usize]);
            }
            assert_eq!(stage.variable(holder, "HOLDER"), Value::Text("self".into()));
        }
    }
}

/// Two messages for each edge between the one who asks and the privilege.
#[test]
fn an_entry_alone_costs_twice_the_distance() {
    for form in ["binary", "line", "star", "random:2"] {
        let tree = Tree::parse(form, 9).expect("a tree");
        let mut stage = Stage::new(&format!("original tree={form}"), 9, FIFO);
        stage.deliver_all();
        let mut holder = 0;
        for node in [0, 0, 8, 3, 3, 7, 1, 5] {
            let distance = tree.distances(NodeId(holder))[node as usize];
            assert_eq!(stage.enter_alone(node), 2 * distance, "{form}: from {holder} to {node}");
            holder = node;
        }
    }
}

#[test]
fn without_a_further_request_those_behind_are_forgotten() {
    let steps = breaks::<Raymond>("no-further-request tree=line", 3, 1, FIFO, Broken::Progress);
    assert_eq!(steps.last().map(String::as_str), Some("release 2"));
    holds::<Raymond>("no-further-request tree=line", 2, 2, FIFO);
    breaks_at_random::<Raymond>("no-further-request tree=line", 4, FIFO, Rules::Exclusion, "Stuck");
}

/// On a line, P1 takes P2 for the way to the privilege of P0, and P2 takes P1.
#[test]
fn a_holder_that_points_away_from_the_privilege_leaves_requests_in_a_circle() {
    let steps = breaks::<Raymond>("misdirected tree=line", 3, 1, FIFO, Broken::Progress);
    assert!(steps.iter().any(|step| step == "deliver REQUEST 1→2"), "{steps:?}");
    holds::<Raymond>("misdirected tree=line", 2, 2, FIFO);
    breaks_at_random::<Raymond>("misdirected tree=line", 4, FIFO, Rules::Exclusion, "Stuck");
}

#[test]
fn a_lost_message_is_missed_and_a_copy_is_one_too_many() {
    breaks::<Raymond>("original", 2, 1, Channel { losses: 1, ..FIFO }, Broken::Progress);
    breaks::<Raymond>("original", 2, 2, Channel { copies: 1, ..OVERTAKING }, Broken::Exclusion);
}

#[test]
fn who_asks_before_the_privilege_is_heard_of_asks_later() {
    let mut stage = Stage::new("original tree=line", 3, FIFO);
    assert_eq!(stage.acquire(2).sent, []);
    assert_eq!(stage.variable(2, "HOLDER"), Value::Text("nil".into()));
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
}

#[test]
fn forged_messages_are_survived() {
    survives::<Raymond>("original tree=line");
    survives::<Raymond>("no-further-request tree=star");
    survives::<Raymond>("misdirected");
}
