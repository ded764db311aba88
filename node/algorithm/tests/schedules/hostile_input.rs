//! Arbitrary messages from a peer. An algorithm must not panic, and must not accept a message that no correct peer
//! sends.

use interlock_algorithm::mutual_exclusion::bakery::Bakery;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::ricart_agrawala_token::RicartAgrawalaToken;
use interlock_algorithm::mutual_exclusion::sanders::Sanders;
use interlock_algorithm::mutual_exclusion::suzuki_kasami::SuzukiKasami;
use interlock_algorithm::mutual_exclusion::{lamport, ricart_agrawala};
use interlock_algorithm::plausibility::HIGHEST_NUMBER;
use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, LockId, NodeId, Outcome, RequestId, Variant};
use lamport::{Lamport, LamportMessage};
use proptest::collection::vec;
use proptest::prelude::*;
use ricart_agrawala::{RicartAgrawala, RicartAgrawalaMessage};

use crate::driver::Scene;
use crate::driver::clients::{lockers, nobody};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::{is_not_poisoned, poisons_the_credulous, survives};
use crate::driver::random::{Phases, USUAL, exclusion};
use crate::ricart_agrawala::{reply, request};

const ME: NodeId = NodeId(0);
const LOCK: LockId = LockId(0);

fn clocks() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..20, HIGHEST_NUMBER - 1..=HIGHEST_NUMBER]
}

fn processes() -> impl Strategy<Value = NodeId> {
    prop_oneof![0_u32..6, Just(u32::MAX)].prop_map(NodeId)
}

fn lamport_messages() -> impl Strategy<Value = LamportMessage> {
    prop_oneof![
        (clocks(), processes()).prop_map(|(clock, process)| LamportMessage::Request { clock, process }),
        clocks().prop_map(|clock| LamportMessage::Ack { clock }),
        (clocks(), processes(), proptest::option::of(clocks()))
            .prop_map(|(clock, process, request)| LamportMessage::Release { clock, process, request }),
        lives().prop_map(|life| LamportMessage::Join { life }),
        (clocks(), lives(), proptest::option::of(clocks()))
            .prop_map(|(clock, to_life, request)| LamportMessage::Welcome { clock, to_life, request }),
    ]
}

fn lives() -> impl Strategy<Value = u32> {
    prop_oneof![4 => Just(1), 1 => any::<u32>()]
}

fn ricart_agrawala_messages() -> impl Strategy<Value = RicartAgrawalaMessage> {
    prop_oneof![
        (clocks(), processes()).prop_map(|(clock, process)| request(clock, process)),
        (proptest::option::of(clocks()), lives(), proptest::option::of(clocks()))
            .prop_map(|(clock, to_life, request)| RicartAgrawalaMessage::Reply { clock, to_life, request }),
        (clocks(), processes(), lives()).prop_map(|(clock, process, life)| RicartAgrawalaMessage::Request {
            clock,
            process,
            life
        }),
        lives().prop_map(|life| RicartAgrawalaMessage::Join { life }),
        (clocks(), lives(), lives()).prop_map(|(clock, life, to_life)| RicartAgrawalaMessage::Welcome {
            clock,
            life,
            to_life
        }),
    ]
}

/// Passes messages to node 0 of three, whose client requests again after each exit. Returns the number of entries.
fn feed<A: Algorithm>(variant: &str, messages: Vec<(u32, A::Message)>) -> u64 {
    let scene = Scene::<A>::new(variant, 3, FIFO, nobody());
    let mut node = A::new(&scene.setting, ME);
    let mut out = Effects::default();
    let (mut wanting, mut entered) = (false, 0);
    for (from, message) in messages {
        if !wanting {
            wanting = true;
            let request = RequestId(entered + 1);
            node.step(&scene.setting, ME, Input::Command(Command::Acquire { lock: LOCK, request }), &mut out);
        }
        node.step(&scene.setting, ME, Input::Message { from: NodeId(from), message }, &mut out);
        let inside = out.drain().any(|effect| matches!(effect, Effect::Outcome(Outcome::Entered { .. })));
        if inside {
            entered += 1;
            let request = RequestId(entered);
            node.step(&scene.setting, ME, Input::Command(Command::Release { lock: LOCK, request }), &mut out);
            wanting = false;
        }
        let _ = node.view(&scene.setting, ME);
    }
    entered
}

/// Passes a message about process 2 to node 0, sent by process 1. Returns the effects at node 0.
fn told_of_another<A: Algorithm>(message: A::Message) -> Vec<Effect<A>> {
    let scene = Scene::<A>::new(A::ENTRY.variants[0].name, 3, FIFO, nobody());
    let mut node = A::new(&scene.setting, ME);
    let before = node.clone();
    let mut out = Effects::default();
    node.step(&scene.setting, ME, Input::Message { from: NodeId(1), message }, &mut out);
    assert_eq!(node, before);
    out.drain().collect()
}

proptest! {
    #[test]
    fn lamport_survives(messages in vec((1_u32..3, lamport_messages()), 0..60)) {
        for variant in Lamport::ENTRY.variants {
            feed::<Lamport>(variant.name, messages.clone());
        }
    }

    #[test]
    fn ricart_agrawala_survives(messages in vec((1_u32..3, ricart_agrawala_messages()), 0..60)) {
        for variant in RicartAgrawala::ENTRY.variants {
            feed::<RicartAgrawala>(variant.name, messages.clone());
        }
    }
}

/// Negative control: with valid messages, the same function lets the node enter. So the tests above do not pass
/// merely because the node discards all messages.
#[test]
fn the_right_replies_let_it_in() {
    let replies = (0..4_u32).map(|turn| (1 + turn % 2, reply(Some(10 * u64::from(turn + 1)))));
    assert_eq!(feed::<RicartAgrawala>("lamport-clock", replies.collect()), 2);
    let acks = (0..4_u32).map(|turn| (1 + turn % 2, LamportMessage::Ack { clock: 10 * u64::from(turn + 1) }));
    assert_eq!(feed::<Lamport>("explicit-ack", acks.collect()), 2);
}

/// A REPLY to an earlier request is not a permission for the current request.
#[test]
fn late_replies_do_not_let_it_in() {
    let replies = [1, 2, 1, 2].map(|from| (from, reply(Some(2))));
    assert_eq!(feed::<RicartAgrawala>("lamport-clock", replies.into()), 1);
    let acks = [1, 2, 1, 2].map(|from| (from, LamportMessage::Ack { clock: 2 }));
    assert_eq!(feed::<Lamport>("explicit-ack", acks.into()), 1);
}

#[test]
fn nobody_speaks_for_another() {
    let (from, process) = (NodeId(1), NodeId(2));
    let ignored = [Effect::Because(lamport::Reason::NotItsSender { from, process })];
    assert_eq!(told_of_another::<Lamport>(LamportMessage::Request { clock: 1, process }), ignored);
    assert_eq!(told_of_another::<Lamport>(LamportMessage::Release { clock: 1, process, request: None }), ignored);
    assert_eq!(
        told_of_another::<RicartAgrawala>(request(1, process)),
        [Effect::Because(ricart_agrawala::Reason::NotItsSender { from, process })]
    );
}

#[track_caller]
fn no_right_variant_is_poisoned<A: Algorithm>(faults: Faults) {
    // Algorithms with time-outs are not tested here. If timers expire at any moment, their time-outs are too short,
    // and the properties may be violated even without wrong messages.
    let right =
        |variant: &&Variant| variant.broken.is_none() && A::ENTRY.assumptions(variant.name).time_outs.is_empty();
    for variant in A::ENTRY.variants.iter().filter(right) {
        let scene = Scene::<A>::new(variant.name, 4, faults, lockers(2));
        is_not_poisoned(&scene, POISONED, &exclusion());
    }
}

/// Phases of a schedule in which two nodes send wrong numbers, but only in the first phase.
const POISONED: Phases = Phases { wild: 100, kind: 50_000, ..USUAL };

/// Two of four nodes send wrong clocks and numbers. The mutual-exclusion algorithms that are not in this test have
/// no such numbers in their messages.
#[test]
fn numbers_that_no_run_comes_to_poison_nobody() {
    no_right_variant_is_poisoned::<Bakery>(OVERTAKING);
    no_right_variant_is_poisoned::<CarvalhoRoucairol>(OVERTAKING);
    no_right_variant_is_poisoned::<Centralised>(OVERTAKING);
    no_right_variant_is_poisoned::<Lamport>(FIFO);
    no_right_variant_is_poisoned::<Maekawa>(OVERTAKING);
    no_right_variant_is_poisoned::<RicartAgrawala>(OVERTAKING);
    no_right_variant_is_poisoned::<RicartAgrawalaToken>(OVERTAKING);
    no_right_variant_is_poisoned::<Sanders>(OVERTAKING);
    no_right_variant_is_poisoned::<SuzukiKasami>(OVERTAKING);
}

/// Negative control: the same nodes send wrong numbers, and all processes accept these messages.
#[test]
fn whoever_believes_such_numbers_is_poisoned() {
    fn poisoned<A: Algorithm>(variant: &str, rule: &str) {
        let scene = Scene::<A>::new(variant, 4, OVERTAKING, lockers(2));
        poisons_the_credulous(scene, Phases { kind: 1_000, ..POISONED }, &exclusion(), rule);
    }
    poisoned::<RicartAgrawala>("lamport-clock", "two in the section");
    poisoned::<Bakery>("pull", "two in the section");
    poisoned::<Centralised>("arrival-order", "stuck");
}

#[test]
fn forged_messages_are_survived() {
    for variant in Lamport::ENTRY.variants.iter().filter(|variant| variant.broken.is_none()) {
        survives(&Scene::<Lamport>::new(variant.name, 3, OVERTAKING, lockers(20)));
    }
}
