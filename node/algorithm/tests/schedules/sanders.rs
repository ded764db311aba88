//! Sanders's information structures: sets that reproduce other algorithms, and randomly drawn sets.

use std::collections::BTreeSet;

use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::mutual_exclusion::sanders::{Reason, Sanders, SandersMessage};
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::structure::information::InformationStructure;
use interlock_algorithm::{
    Algorithm, Command, Configuration, Effect, Effects, Input, LockId, Message, NodeId, ParameterValue, Parameters,
    Recipients, RequestId, Subject, Value,
};

use crate::driver::Scene;
use crate::driver::clients::{lockers, nobody};
use crate::driver::costs::{breaks_at_random, costs, count, fresh};
use crate::driver::exhaustive::{Broken, RULES, breaks, explore, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{self, Draws, WHOLE, exclusion};
use crate::driver::script::Script;

type Stage = Script<Sanders>;

const PRESETS: [&str; 5] =
    ["ricart-agrawala", "maekawa", "maekawa coterie=plane", "centralised", "centralised coordinator=1"];
/// The three requesting processes are 0, 1 and 2. None of them is in the sets of another, so their requests can
/// have the same time.
const TWO_ARBITERS: &str = "maekawa coterie=sets:0,3,4;1,3,4;2,3,4;3,4;3,4";

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for variant in PRESETS {
        for channel in [FIFO, OVERTAKING] {
            holds::<Sanders>(variant, 3, 1, channel);
        }
    }
    for variant in ["ricart-agrawala", "maekawa", "centralised", "given inform=all"] {
        holds::<Sanders>(variant, 1, 2, OVERTAKING);
        holds::<Sanders>(variant, 2, 2, OVERTAKING);
    }
    holds::<Sanders>("given inform=all", 3, 1, OVERTAKING);
    let three_rivals = Scene::<Sanders>::new(TWO_ARBITERS, 5, FIFO, nobody());
    explore(&three_rivals, &[1, 1, 1, 0], &RULES, None).expect("no deadlock");
}

/// A grant that cannot be recalled costs one message. In Ricart and Agrawala's structure, no grant can be recalled.
/// In the other structures, each yielded grant costs one more GRANT.
#[test]
fn schedules_drawn_at_random_are_right_and_cost_what_the_sets_say() {
    for channel in [FIFO, OVERTAKING] {
        costs::<Sanders>("ricart-agrawala", 1..=9, channel, &exclusion(), |sent, nodes, entries| {
            let asked = nodes * (nodes - 1) * entries;
            let others = ["RELEASE", "INQUIRE", "YIELD"].map(|kind| count(sent, kind));
            ["REQUEST", "GRANT"].map(|kind| count(sent, kind)) == [asked; 2]
                && others == [0; 3]
                && count(sent, "FAIL") <= asked
        });
        for variant in ["maekawa", "centralised"] {
            costs::<Sanders>(variant, 1..=9, channel, &exclusion(), |sent, nodes, entries| {
                let structure = match variant {
                    "maekawa" => InformationStructure::maekawa(&Coterie::grid(nodes), nodes),
                    _ => InformationStructure::centralised(NodeId(0), nodes),
                };
                let members: usize = NodeId::all(nodes).map(|node| structure.request_set(node).len()).sum();
                let members = u32::try_from(members).expect("few") * entries;
                let others = members - nodes * entries;
                count(sent, "REQUEST") == others
                    && count(sent, "RELEASE") == others
                    && count(sent, "GRANT") == others + count(sent, "YIELD")
                    && count(sent, "YIELD") <= count(sent, "INQUIRE")
                    && sent.values().sum::<u32>() <= 7 * members
            });
        }
    }
}

/// Returns the number of messages for each entry while no other process wants to enter. Each node enters twice.
fn alone<A: Algorithm>(variant: &str, nodes: u32) -> Vec<u32> {
    let mut stage = Script::<A>::begin(variant, nodes);
    (0..nodes).chain(0..nodes).map(|node| stage.enter_alone(node)).collect()
}

#[test]
fn an_entry_alone_costs_what_it_costs_in_the_algorithm_whose_sets_they_are() {
    for nodes in 1..=9 {
        let everybody = alone::<Sanders>("ricart-agrawala", nodes);
        assert!(everybody.iter().all(|&cost| cost == 2 * (nodes - 1)));
        assert_eq!(everybody, alone::<RicartAgrawala>("lamport-clock", nodes));
        assert_eq!(everybody, alone::<Sanders>("given", nodes));
        assert_eq!(alone::<Sanders>("maekawa", nodes), alone::<Maekawa>("corrected", nodes));
        let coordinator = alone::<Sanders>("centralised", nodes);
        assert_eq!(coordinator, alone::<Centralised>("arrival-order", nodes));
        assert_eq!(coordinator.iter().sum::<u32>(), 2 * 3 * (nodes - 1));
    }
    let plane = alone::<Sanders>("maekawa coterie=plane", 7);
    assert_eq!((plane[0], plane), (6, alone::<Maekawa>("corrected coterie=plane", 7)));
}

#[test]
fn sets_that_break_a_condition_are_refused_and_forced_they_let_two_in() {
    let broken = [
        ("nodes 0 and 1 neither", "inform=own request=own", 2),
        ("nodes 0 and 1 neither", "inform=own request=sets:0,1;1", 4),
        ("node 0 does not contain 0", "inform=sets:1;0 request=all", 6),
        ("node 0 informs 0 but does not ask it", "inform=own request=sets:1;0", 6),
    ];
    for (reason, sets, steps) in broken {
        let text =
            |word: &str| word.split_once('=').map(|(name, value)| (name.into(), ParameterValue::Text(value.into())));
        let parameters: Parameters = sets.split(' ').filter_map(text).collect();
        let configuration =
            Configuration { algorithm: "sanders", variant: Some("given"), parameters: &parameters, nodes: 2, locks: 1 };
        let refusal = Sanders::configure(&configuration).expect_err("a refusal");
        assert!(refusal.detail.contains(reason), "{refusal}");
        let forced = format!("given {sets} check=no");
        assert_eq!(breaks::<Sanders>(&forced, 2, 1, FIFO, Broken::Exclusion).len(), steps, "{sets}");
    }
    let stranger = "given inform=own request=sets:0,1,2;0,1;0,1,2 check=no";
    breaks_at_random::<Sanders>(stranger, 3, FIFO, &exclusion(), "two in the section");
}

#[test]
fn too_many_nodes_are_refused() {
    let configuration =
        Configuration { algorithm: "sanders", variant: None, parameters: &Parameters::new(), nodes: 10_001, locks: 1 };
    assert_eq!(Sanders::configure(&configuration).expect_err("a refusal").subject, Subject::Nodes);
}

/// Draws sets at random, and adds members until the sets satisfy the conditions of the algorithm. Returns the sets
/// as parameters.
fn sets(nodes: u32, chance: &[bool]) -> String {
    let all = || 0..nodes;
    let drawn = |one: u32, other: u32| chance[(one * nodes + other) as usize % chance.len()];
    let inform: Vec<BTreeSet<u32>> =
        all().map(|one| all().filter(|&other| one == other || drawn(one, other)).collect()).collect();
    let meet = |one: u32, other: u32| !inform[one as usize].is_disjoint(&inform[other as usize]);
    let asks = |one: u32, other: u32| inform[one as usize].contains(&other) || !meet(one, other);
    let request = all().map(|one| all().filter(|&other| asks(one, other)).collect());
    let text = |sets: Vec<BTreeSet<u32>>| {
        let set = |set: BTreeSet<u32>| set.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        sets.into_iter().map(set).collect::<Vec<_>>().join(";")
    };
    format!("given inform=sets:{} request=sets:{}", text(inform.clone()), text(request.collect()))
}

#[test]
fn any_sets_that_meet_the_conditions_are_right() {
    for seed in fresh(200) {
        let mut draws = Draws::new(seed);
        let nodes = u32::try_from(1 + draws.below(6)).expect("few nodes");
        let fifo = draws.below(2) == 0;
        let variant = sets(nodes, &[(); 36].map(|()| draws.below(4) == 0));
        let scene = Scene::<Sanders>::new(&variant, nodes, Faults { fifo, ..FIFO }, lockers(2));
        random::holds(&scene, seed..seed + 1, WHOLE, &exclusion());
    }
}

#[test]
fn some_sets_that_meet_the_conditions_are_right_in_every_schedule() {
    for mixed in
        ["inform=sets:0,1;1;2 request=sets:0,1,2;1,2;0,1,2", "inform=sets:0;1,2;0,2 request=sets:0,1;0,1,2;0,2"]
    {
        holds::<Sanders>(&format!("given {mixed}"), 3, 1, OVERTAKING);
    }
}

#[test]
fn a_lost_message_is_missed_and_a_copied_request_blocks() {
    for variant in ["ricart-agrawala", "maekawa", "centralised"] {
        breaks::<Sanders>(variant, 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    }
    breaks::<Sanders>("ricart-agrawala", 2, 2, Faults { copies: 1, ..OVERTAKING }, Broken::Progress);
}

#[test]
fn who_is_granted_learns_the_time() {
    let mut stage = Stage::begin("centralised", 3);
    for _ in 0..4 {
        stage.enter_alone(1);
    }
    stage.acquire(0);
    let of_the_coordinator = stage.time(0);
    stage.deliver_all();
    stage.release(0);
    stage.deliver_all();
    stage.enter_alone(2);
    stage.acquire(2);
    assert!(stage.time(2) > of_the_coordinator, "or the coordinator would be passed over again and again");
}

/// A message. The items are the sender or recipient, the kind, and the time of the request that the message names.
type Told = (u32, &'static str, u64);

/// Passes `messages` to node 3 of four; each item names the sender of a message. Returns the messages that node 3
/// sends in reaction. All nodes ask all nodes, and `inform` contains the inform sets.
fn says(inform: &str, messages: &[Told]) -> Vec<Told> {
    let scene = Scene::<Sanders>::new(&format!("given inform={inform}"), 4, FIFO, lockers(1));
    let mut node = Sanders::new(&scene.setting, NodeId(3));
    let mut out = Effects::default();
    for &(from, kind, timestamp) in messages {
        let message = message(kind, timestamp);
        node.step(&scene.setting, NodeId(3), Input::Message { from: NodeId(from), message }, &mut out);
    }
    out.as_slice().iter().filter_map(told).collect()
}

/// Returns a message of kind `kind` about the request of time `timestamp`, from a sender whose clock is still 0.
fn message(kind: &str, timestamp: u64) -> SandersMessage {
    let clock = 0;
    match kind {
        "REQUEST" => SandersMessage::Request { timestamp },
        "GRANT" => SandersMessage::Grant { timestamp, clock },
        "RELEASE" => SandersMessage::Release { timestamp, clock },
        "INQUIRE" => SandersMessage::Inquire { timestamp, clock },
        "FAIL" => SandersMessage::Fail { timestamp, clock },
        "YIELD" => SandersMessage::Yield { timestamp, clock },
        _ => unreachable!("{kind}"),
    }
}

fn told(effect: &Effect<Sanders>) -> Option<Told> {
    let Effect::Send { to: Recipients::One(to), message } = effect else { return None };
    let body = serde_json::to_value(message).expect("a message as JSON");
    Some((to.0, message.kind(), body["body"]["timestamp"].as_u64().expect("a request")))
}

#[test]
fn who_will_be_informed_grants_one_at_a_time_and_asks_back_for_the_older() {
    let asked = [(0, "REQUEST", 18), (1, "REQUEST", 15), (2, "REQUEST", 12)];
    let mut said = vec![(0, "GRANT", 18), (0, "INQUIRE", 18), (1, "FAIL", 15)];
    assert_eq!(says("all", &asked), said);
    said.push((2, "GRANT", 12));
    let then = [(0, "YIELD", 18), (2, "RELEASE", 12), (1, "RELEASE", 15)];
    assert_eq!(says("all", &[&asked[..], &then[..1]].concat()), said);
    said.extend([(1, "GRANT", 15), (0, "GRANT", 18)]);
    assert_eq!(says("all", &[&asked[..], &then].concat()), said);
}

#[test]
fn who_will_not_be_informed_grants_whoever_asks() {
    let asked = [(0, "REQUEST", 18), (1, "REQUEST", 25), (2, "REQUEST", 12)];
    assert_eq!(says("own", &asked), [(0, "GRANT", 18), (1, "GRANT", 25), (2, "GRANT", 12)]);
}

/// Process 0 informs process 3, but 1 and 2 do not inform process 3. So when 0 has left, 3 grants all waiting
/// requests at once.
#[test]
fn who_will_be_informed_of_one_only_grants_the_others_together() {
    let asked = [(0, "REQUEST", 1), (1, "REQUEST", 25), (2, "REQUEST", 12)];
    let left = [&asked[..], &[(0, "RELEASE", 1)]].concat();
    let waiting = [(0, "GRANT", 1), (1, "FAIL", 25), (2, "FAIL", 12)];
    let granted = [(2, "GRANT", 12), (1, "GRANT", 25)];
    assert_eq!(says("sets:0,3;1;2;3", &left), [&waiting[..], &granted].concat());
}

#[test]
fn a_permission_is_given_back_only_once_another_has_failed() {
    let mut stage = Stage::begin("maekawa coterie=sets:0,1,2;0,1,2;0,1,2", 3);
    stage.acquire(0);
    stage.deliver("REQUEST", 0, 1);
    let hear = |stage: &mut Stage, from: u32, kind: &str| {
        stage.push(NodeId(from), NodeId(0), message(kind, 1));
        stage.deliver(kind, from, 0)
    };
    stage.push(NodeId(1), NodeId(0), message("INQUIRE", 1));
    let early = stage.deliver("INQUIRE", 1, 0);
    assert_eq!(early.reasons, [Reason::InquiredBeforeGrant { from: NodeId(1) }]);
    let kept = stage.deliver("GRANT", 1, 0);
    assert_eq!(kept.reasons, [Reason::KeptUndecided { from: NodeId(1) }]);
    assert_eq!(stage.variable(0, "INQUIRE"), Value::Numbers(vec![1]));
    let given = hear(&mut stage, 2, "FAIL");
    assert!(matches!(given.sent[0], (NodeId(1), SandersMessage::Yield { timestamp: 1, .. })), "{given:?}");
    assert_eq!(stage.view(0).waits_for, [1, 2].map(NodeId));
}

/// Returns the recipients of two groups of messages of node 0 of three: messages at its request, and messages at
/// its release. Between the two, all nodes grant the request.
fn tells(variant: &str) -> [Vec<Recipients>; 2] {
    let scene = Scene::<Sanders>::new(variant, 3, FIFO, lockers(1));
    let mut node = Sanders::new(&scene.setting, NodeId(0));
    let mut out = Effects::default();
    let recipients = |effects: &mut Effects<Sanders>| {
        let to = |effect| if let Effect::Send { to, .. } = effect { Some(to) } else { None };
        effects.drain().filter_map(to).collect()
    };
    let (lock, request) = (LockId(0), RequestId(1));
    node.step(&scene.setting, NodeId(0), Input::Command(Command::Acquire { lock, request }), &mut out);
    let asked = recipients(&mut out);
    for from in [1, 2].map(NodeId) {
        let message = message("GRANT", 1);
        node.step(&scene.setting, NodeId(0), Input::Message { from, message }, &mut out);
    }
    assert_eq!(recipients(&mut out), []);
    node.step(&scene.setting, NodeId(0), Input::Command(Command::Release { lock, request }), &mut out);
    [asked, recipients(&mut out)]
}

/// A message to several recipients is one effect: to all other processes, or to a set. If there is no recipient,
/// there is no effect.
#[test]
fn sets_are_told_at_once() {
    assert_eq!(tells("ricart-agrawala"), [vec![Recipients::Others], vec![]]);
    assert_eq!(tells("centralised coordinator=1"), [vec![Recipients::Set(0)], vec![Recipients::Set(1)]]);
    assert_eq!(tells("centralised coordinator=0"), [vec![], vec![]]);
}

#[test]
fn people_see_the_sets_and_what_is_missing() {
    let mut stage = Stage::begin("given inform=sets:0,1;1;2", 3);
    assert_eq!(stage.view(0).waits_for, []);
    stage.acquire(0);
    stage.deliver("REQUEST", 0, 1);
    stage.deliver("GRANT", 1, 0);
    let view = stage.view(0);
    assert_eq!((view.clock, view.waits_for), (Some(3), vec![NodeId(2)]));
    assert_eq!([stage.variable(0, "I"), stage.variable(0, "R")], [vec![0, 1], vec![0, 1, 2]].map(Value::Numbers));
    assert_eq!(stage.variable(0, "GRANT"), Value::Numbers(vec![0, 1]));
    let nobody = Value::Text("nil".into());
    assert_eq!([0, 1, 2].map(|node| stage.variable(node, "CSSTAT")), [Value::Number(0), Value::Number(0), nobody]);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.view(0).waits_for), (vec![0], vec![]));
}

#[test]
fn what_is_about_another_request_or_from_a_stranger_is_ignored() {
    let mut stage = Stage::begin("centralised", 3);
    stage.acquire(1);
    stage.push(NodeId(2), NodeId(1), message("GRANT", 1));
    assert_eq!(stage.deliver("GRANT", 2, 1).reasons, [Reason::NotInRequestSet { from: NodeId(2) }]);
    let from = NodeId(0);
    stage.push(NodeId(0), NodeId(1), message("GRANT", 2));
    assert_eq!(stage.deliver("GRANT", 0, 1).reasons, [Reason::Outdated { from, timestamp: 2 }]);
    stage.push(NodeId(1), NodeId(0), message("RELEASE", 1));
    assert_eq!(stage.deliver("RELEASE", 1, 0).reasons, [Reason::Outdated { from: NodeId(1), timestamp: 1 }]);
    stage.deliver_all();
    assert_eq!(stage.inside(), [1]);
    stage.push(NodeId(0), NodeId(1), message("INQUIRE", 1));
    assert_eq!(stage.deliver("INQUIRE", 0, 1).reasons, [Reason::KeptInSection { from }]);
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["ricart-agrawala", "maekawa", "centralised", "given inform=sets:1;0,2;0 check=no"] {
        survives(&Scene::<Sanders>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
