//! Tests of temporary changes: while the end of such a change can cause further events, the run is not at a
//! standstill.

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::catalogue_node;
use interlock_machine::wire::Order;
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::run::Temporary;
use interlock_model::impossible::Deed;

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);

/// Creates a run with two nodes whose clients send requests only on command.
async fn world(fields: Value) -> Fixture {
    let mut specification = json!({ "algorithm": "centralised", "nodes": 2, "workload": { "nodes": [] } });
    let (Some(all), Value::Object(fields)) = (specification.as_object_mut(), fields) else { panic!("objects") };
    all.extend(fields);
    let mut world = Fixture::new(specification, |initialization| catalogue_node(initialization).expect("a node")).await;
    world.play(|_| false);
    world
}

/// Partitions the two nodes, temporarily or permanently. Returns the number of the partition.
fn separate(world: &mut Fixture, lost: &str, is_temporary: bool) -> u64 {
    let draft = json!({ "groups": [[0], [1]], "lost": lost });
    let draft = serde_json::from_value(draft).expect("a partition");
    let id = world.core.add_partition(draft).expect("it is possible").id;
    if is_temporary {
        world.core.lasts_for_a_time(Temporary::Partition(id));
    }
    id
}

/// Makes the client of B request the lock. B is not the coordinator, so B must send a message.
fn ask(world: &mut Fixture) {
    let _taken = world.core.order(B, Order::Acquire { lock: LockId(0), hold_us: None }).expect("it is possible");
    world.play(|_| false);
}

fn status(world: &mut Fixture) -> String {
    world.core.settle();
    let document = serde_json::to_value(world.core.document()).expect("a state");
    document["verdict"]["status"].as_str().expect("a status").to_owned()
}

#[tokio::test]
async fn the_end_of_a_partition_moves_the_messages_that_it_holds() {
    for (lost, is_temporary, motions, verdict) in
        [("hold", true, 1, "ok"), ("hold", false, 0, "waiting-for-you"), ("drop", true, 0, "stuck")]
    {
        let mut world = world(json!({})).await;
        let id = separate(&mut world, lost, is_temporary);
        assert_eq!(world.core.motions_to_come(), 0, "{lost}: no message is held yet");
        ask(&mut world);
        assert_eq!(world.core.motions_to_come(), motions, "{lost} {is_temporary}");
        assert_eq!(status(&mut world), verdict, "{lost} {is_temporary}");
        world.core.remove_partition(id).expect("it stands");
        assert_eq!(world.core.motions_to_come(), 0, "{lost}: it is healed by hand");
    }
}

#[tokio::test]
async fn a_partition_that_drops_does_not_move_what_another_holds() {
    let mut world = world(json!({})).await;
    separate(&mut world, "hold", false);
    ask(&mut world);
    separate(&mut world, "drop", true);
    assert_eq!((world.core.motions_to_come(), &*status(&mut world)), (0, "waiting-for-you"));
}

#[tokio::test]
async fn the_end_of_a_partition_lets_heartbeats_through() {
    for (is_temporary, motions) in [(true, 1), (false, 0)] {
        let detector = json!({ "heartbeat": { "interval": "1ms", "timeout": "20ms" } });
        let mut world = world(json!({ "detector": detector })).await;
        separate(&mut world, "drop", is_temporary);
        assert_eq!(world.core.motions_to_come(), 0, "no process suspects another yet");
        while world.core.log.state().cut_off().is_empty() {
            world.play(|_| true);
        }
        assert_eq!(world.core.motions_to_come(), motions, "{is_temporary}");
    }
}

/// Pauses A. Returns the `seq` of the event that reports the pause.
fn pause(world: &mut Fixture) -> u64 {
    let process = world.core.process_for(A, Deed::Pause).expect("it runs");
    world.core.paused(A, process.pid()).expect("it runs")
}

#[tokio::test]
async fn the_end_of_a_pause_moves_its_process() {
    let mut world = world(json!({})).await;
    let told = pause(&mut world);
    world.core.lasts_for_a_time(Temporary::Pause { node: A, told });
    assert_eq!(world.core.motions_to_come(), 1);
    world.core.resumed(A);
    assert_eq!(world.core.motions_to_come(), 0, "it was resumed by hand");
    pause(&mut world);
    assert_eq!(world.core.motions_to_come(), 0, "the earlier pause does not end this one");
}

#[tokio::test]
async fn the_end_of_a_rule_moves_nothing() {
    let mut world = world(json!({})).await;
    let rule = json!({ "match": { "message_kind": "REQUEST" }, "action": "hold" });
    let rule = world.core.add_rule(serde_json::from_value(rule).expect("a rule")).expect("it is possible");
    world.core.lasts_for_a_time(Temporary::Rule(rule.id));
    ask(&mut world);
    assert_eq!((world.core.motions_to_come(), &*status(&mut world)), (0, "waiting-for-you"));
}
