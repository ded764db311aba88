//! Regeneration of a token that is lost with its holder, in the algorithms in which a process requests the token
//! from all others. As long as a process that remembers the generation is live, the token is regenerated exactly
//! once, whichever processes crash and restart. All live processes then enter.

use interlock_algorithm::mutual_exclusion::naimi_trehel::NaimiTrehel;
use interlock_algorithm::mutual_exclusion::ricart_agrawala_token::RicartAgrawalaToken;
use interlock_algorithm::mutual_exclusion::suzuki_kasami::{Reason, SuzukiKasami, SuzukiKasamiMessage};
use interlock_algorithm::{Algorithm, Message, NodeId, Value};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use serde_json::{json, to_value};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::exhaustive::holds as holds_in_all;
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Rules, USUAL, breaks, holds};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;

type Stage = Script<SuzukiKasami>;

const CRASHES: Faults = Faults { down_at_once: 2, detected: true, ..OVERTAKING };

/// Returns the generation of each token: of the tokens in transit, and of the tokens at processes that are up.
fn generations<A: Algorithm>(run: &Run<'_, A>) -> Vec<u64> {
    let said = |message: &A::Message| {
        let body = to_value(message).expect("a message as JSON");
        (message.kind() == "TOKEN").then(|| body["body"]["generation"].as_u64().unwrap_or(1))
    };
    let held = |node: NodeId| {
        let view = run.participant(node).view(&run.scene.setting, node);
        view.variables.get("token_generation").and_then(|value| to_value(value).ok()?.as_u64())
    };
    run.in_flight().filter_map(said).chain(run.running().filter_map(held)).collect()
}

/// Checks that at most one token is valid.
fn one_token<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    let all = generations(run);
    let latest = all.iter().max();
    if all.iter().filter(|generation| Some(*generation) == latest).count() > 1 {
        return Err(format!("two tokens of the latest generation: {all:?}"));
    }
    Ok(())
}

fn rules<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside().and_then(|()| one_token(run)), in_the_end: |run| run.nobody_waits() }
}

fn scene<A: Algorithm>(variant: &str, nodes: u32, crashes: u32, memory: Option<RestartState>) -> Scene<A> {
    Scene::new(variant, nodes, Faults { crashes, memory, ..CRASHES }, lockers(4))
}

/// Fewer processes crash than the run has, so at least one process always remembers the generation.
fn survives_crashes<A: Algorithm>() {
    for nodes in 2..=5 {
        holds(&scene::<A>("regeneration", nodes, nodes - 1, None), 0..60, USUAL, &rules());
        holds(&scene::<A>("regeneration", nodes, nodes - 1, Some(RestartState::None)), 0..60, USUAL, &rules());
    }
    let in_order = Faults { fifo: true, crashes: 3, memory: Some(RestartState::None), ..CRASHES };
    holds(&Scene::<A>::new("regeneration holder=2", 4, in_order, lockers(4)), 0..60, USUAL, &rules());
}

#[test]
fn whoever_dies_and_comes_back_suzuki_kasami_goes_on_with_one_token() {
    survives_crashes::<SuzukiKasami>();
}

#[test]
fn whoever_dies_and_comes_back_ricart_agrawala_goes_on_with_one_token() {
    survives_crashes::<RicartAgrawalaToken>();
}

#[test]
fn whoever_dies_and_comes_back_naimi_trehel_goes_on_with_one_token() {
    survives_crashes::<NaimiTrehel>();
}

fn is_needed<A: Algorithm>() {
    let original = A::ENTRY.variants[0].name;
    for memory in [None, Some(RestartState::None)] {
        breaks(&scene::<A>(original, 3, 2, memory), 0..400, USUAL, &rules(), "stuck");
        let untold = Faults { detected: false, crashes: 2, memory, ..CRASHES };
        breaks(&Scene::<A>::new("regeneration", 3, untold, lockers(4)), 0..400, USUAL, &rules(), "stuck");
    }
}

#[test]
fn where_nobody_makes_it_anew_or_is_told_of_a_death_the_token_is_lost() {
    is_needed::<SuzukiKasami>();
    is_needed::<RicartAgrawalaToken>();
    is_needed::<NaimiTrehel>();
}

#[test]
fn who_makes_a_token_without_asking_makes_a_second() {
    let inside: Rules<SuzukiKasami> = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };
    let hasty = scene("hasty-regeneration", 3, 2, None);
    let seed = breaks(&hasty, 0..400, USUAL, &inside, "two in the section");
    holds(&scene::<SuzukiKasami>("regeneration", 3, 2, None), seed..seed + 1, USUAL, &rules());
}

#[test]
fn without_failures_every_schedule_is_right_and_costs_what_it_did() {
    fn costs_nothing<A: Algorithm>() {
        for channel in [FIFO, OVERTAKING] {
            holds_in_all::<A>("regeneration", 2, 2, channel);
            holds_in_all::<A>("regeneration", 3, 1, channel);
        }
        let begin = |variant| Script::<A>::begin(variant, 4);
        let (mut plain, mut repaired) = (begin(A::ENTRY.variants[0].name), begin("regeneration"));
        for node in [0, 1, 3, 2, 2, 1] {
            assert_eq!(plain.enter_alone(node), repaired.enter_alone(node), "{}", A::ENTRY.name);
        }
        assert!(A::ENTRY.repair_kinds.iter().all(|kind| repaired.sent(kind) == 0));
    }
    costs_nothing::<SuzukiKasami>();
    costs_nothing::<RicartAgrawalaToken>();
    costs_nothing::<NaimiTrehel>();
}

#[test]
fn forged_messages_are_survived() {
    survives(&Scene::<SuzukiKasami>::new("regeneration", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<SuzukiKasami>::new("hasty-regeneration", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<RicartAgrawalaToken>::new("regeneration", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<NaimiTrehel>::new("regeneration", 3, OVERTAKING, lockers(20)));
}

/// Notifies each of `nodes` of the crash or the return of `whom`.
fn told<A: Algorithm>(stage: &mut Script<A>, nodes: &[u32], whom: u32, is_dead: bool) {
    let whom = NodeId(whom);
    for node in nodes.iter().copied().map(NodeId) {
        stage.happen(&if is_dead { Choice::Suspect { node, whom } } else { Choice::Trust { node, whom } });
    }
}

/// P1 crashes in the critical section while P2 waits. P0 consults P2, which has no token, and makes a new token.
/// This costs one CONSULT, one ANSWER and one RESUME.
fn made_anew<A: Algorithm>() {
    let mut stage = Script::<A>::begin("regeneration", 3);
    for node in [1, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    stage.crash(1);
    let before = stage.sent_in_all();
    told(&mut stage, &[0, 2], 1, true);
    assert_eq!(stage.variable(0, "resumed"), Value::Flag(false));
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.variable(0, "generation")), (vec![2], Value::Number(3)));
    assert_eq!(["CONSULT", "ANSWER", "REFUSE", "RESUME"].map(|kind| stage.sent(kind)), [1, 1, 0, 1]);
    assert!(stage.sent_in_all() - before <= 5, "and the token, for which it asks again at most");
    // P1 restarts without any state. RESUME informs P1 of the new generation, so P1 waits until P2 has left.
    stage.restart(1, RestartState::None);
    told(&mut stage, &[0, 2], 1, false);
    stage.acquire(1);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.waiting()), (vec![2], vec![1]));
    stage.release(2);
    stage.deliver_all();
    assert_eq!(stage.inside(), [1]);
}

#[test]
fn a_token_that_died_with_its_holder_is_made_anew() {
    made_anew::<SuzukiKasami>();
    made_anew::<RicartAgrawalaToken>();
    made_anew::<NaimiTrehel>();
}

/// The token is in transit from P1 to P2 when P3 crashes. P2 receives a CONSULT and answers that it has no token.
/// The token arrives after this answer, so P2 rejects the token.
#[test]
fn a_token_on_its_way_between_two_that_are_alive_counts_no_more() {
    let mut stage = Stage::begin("regeneration holder=1", 4);
    stage.acquire(2);
    stage.deliver("REQUEST", 2, 1);
    stage.crash(3);
    told(&mut stage, &[0], 3, true);
    stage.deliver("CONSULT", 0, 2);
    stage.deliver("CONSULT", 0, 1);
    let late = stage.deliver("TOKEN", 1, 2);
    assert!(matches!(late.reasons[..], [Reason::Regeneration { .. }]), "{late:?}");
    assert_eq!((late.outcomes, stage.inside()), (vec![], vec![]));
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
    assert_eq!(one_token(&stage), Ok(()));
}

/// P0 has made a new token and sent RESUME to P1 and P2. P0 crashes after only P1 has received RESUME. P1 then consults
/// the others again, with a generation number of its own.
#[test]
fn who_dies_while_it_makes_the_token_is_replaced() {
    let mut stage = Stage::begin("regeneration holder=3", 4);
    stage.acquire(2);
    stage.crash(3);
    told(&mut stage, &[0, 1, 2], 3, true);
    for other in [1, 2] {
        stage.deliver("CONSULT", 0, other);
        stage.deliver("ANSWER", other, 0);
    }
    stage.deliver("RESUME", 0, 1);
    stage.crash(0);
    told(&mut stage, &[1, 2], 0, true);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.variable(2, "generation")), (vec![2], stage.variable(1, "generation")));
    assert_eq!(one_token(&stage), Ok(()));
}

/// P0 restarts and knows no generation. P0 sends CONSULT because P3 has crashed. The REFUSE that it receives names
/// a later generation.
#[test]
fn who_asks_by_an_old_number_is_told_a_later_one() {
    let mut stage = Stage::begin("regeneration holder=1", 4);
    stage.crash(3);
    stage.crash(0);
    told(&mut stage, &[1, 2], 0, true);
    stage.deliver_all();
    told(&mut stage, &[1, 2], 3, true);
    stage.deliver_all();
    stage.restart(0, RestartState::None);
    told(&mut stage, &[2, 1], 0, false);
    told(&mut stage, &[0], 3, true);
    for other in [1, 2] {
        stage.deliver("JOIN", 0, other);
        stage.deliver("WELCOME", other, 0);
    }
    let refused = stage.deliver("CONSULT", 0, 2);
    assert_eq!(
        serde_json::to_value(&refused.sent[0].1).expect("JSON"),
        json!({ "kind": "REFUSE", "body": { "generation": 9 } })
    );
    stage.deliver_all();
    for node in [0, 2] {
        stage.acquire(node);
        stage.deliver_all();
        assert_eq!(stage.inside(), [node]);
        stage.release(node);
    }
}

/// P1 sends a token to P2 and crashes. The token arrives after P2 has answered a CONSULT, so P2 rejects the token.
#[test]
fn a_token_of_the_dead_counts_no_more() {
    let mut stage = Stage::begin("regeneration holder=1", 3);
    stage.acquire(2);
    stage.deliver("REQUEST", 2, 1);
    stage.crash(1);
    told(&mut stage, &[0], 1, true);
    stage.deliver("CONSULT", 0, 2);
    stage.deliver("ANSWER", 2, 0);
    assert_eq!(stage.deliver("TOKEN", 1, 2).outcomes, []);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
    let forged = SuzukiKasamiMessage::Resume(
        serde_json::from_value(json!({ "generation": 9, "holder": 0, "members": [] })).expect("a message"),
    );
    stage.forge(1, 0, forged);
    assert_eq!(stage.variable(0, "generation"), Value::Number(3));
}
