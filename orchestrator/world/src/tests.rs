//! Tests of a world: forged messages, given initial states, and the search for a timer by its name.

use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::mutual_exclusion::lamport::{Lamport, LamportMessage};
use interlock_algorithm::{Algorithm, LockId, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use serde_json::json;
use serde_json::value::RawValue;

use super::{WorldOf, setting_of};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::Json;
use interlock_model::impossible::Impossible;
use interlock_model::specification::{Draft, Specification};

fn specification(algorithm: &str, variant: &str, nodes: u32) -> Specification {
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

#[test]
fn what_a_process_says_that_its_algorithm_has_not_arrives_like_all_else() {
    let specification = specification("lamport", "explicit-ack", 2);
    let setting = Lamport::configure(&specification.configuration()).expect("a configuration that can be");
    let mut world = WorldOf::<Lamport>::new(&specification, &setting, None, None);
    world.begin();
    let [zero, one] = [0, 1].map(NodeId);
    world.forge(one, zero, LamportMessage::Request { clock: 7, process: one });
    let name = MessageId { from: one, to: zero, number: 1, copy: 0 };
    assert_eq!(world.messages(), [name]);
    assert_eq!(world.apply(&Choice::Deliver(MessageName(name))), Ok(()));
    let view = world.node(zero).expect("a node").state().view(&setting, zero);
    assert!(view.queue.iter().map(|queued| (queued.node, queued.clock)).eq([(one, Some(7))]), "{view:?}");
    assert_eq!(world.messages(), [MessageId { from: zero, to: one, number: 1, copy: 0 }], "the ACK");
}

#[test]
fn processes_begin_in_the_states_that_they_are_given_and_the_others_as_usual() {
    let specification = specification("dijkstra-ring", "composite", 4);
    let setting = DijkstraRing::configure(&specification.configuration()).expect("a configuration that can be");
    let state = |number| DijkstraRing::arbitrary(&setting, NodeId(0), number).expect("the number of a state");
    let world = WorldOf::new(&specification, &setting, None, None).beginning_in([3, 2, 1].map(state));
    let flag = |node| world.node(node).and_then(|node| node.state().state()).map(DijkstraRing::flag);
    assert!(NodeId::all(4).map(flag).eq([Some(3), Some(2), Some(1), Some(0)]));
}

#[test]
fn a_timer_is_found_by_what_its_name_says_however_that_is_written() {
    let document = json!({ "algorithm": "replicated-lock", "nodes": 4, "seed": 1, "timers": false });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let setting = setting_of(&specification).expect("a configuration that can be");
    let mut world = setting.world(&specification, None, None);
    world.begin();
    let node = NodeId(3);
    assert_eq!(world.apply(&Choice::Acquire { node, lock: LockId(0), hold: None }), Ok(()));
    let named = |text: &str| {
        let raw: Box<RawValue> = serde_json::from_str(text).expect("JSON");
        Choice::Fire { node, timer: TimerName::Algorithm(Json::from(&*raw)) }
    };
    let odd = |odd: bool| named(&format!(r#"{{"lease":{{"lock":0,"odd":{odd}}}}}"#));
    let pending = [false, true].into_iter().find(|number| world.moves().contains(&odd(*number))).expect("a lease");
    let other_order = |odd: bool| named(&format!(r#"{{ "lease": {{ "odd": {odd}, "lock": 0 }} }}"#));
    assert_eq!(world.apply(&other_order(!pending)), Err(Impossible::no_timer(node)), "the other one");
    assert_eq!(world.apply(&other_order(pending)), Ok(()));
    assert!(!world.moves().contains(&odd(pending)), "it has run out");
}
