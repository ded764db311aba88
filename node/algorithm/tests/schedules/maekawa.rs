//! Maekawa's algorithm, in which each process asks the members of its voting set.

use interlock_algorithm::mutual_exclusion::maekawa::{Maekawa, MaekawaMessage, Reason};
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::{
    Algorithm, Command, Effect, Effects, Input, LockId, Message, NodeId, Outcome, Recipients, RequestId, Value,
};
use interlock_exploration::{Progress, Property};

use crate::driver::Scene;
use crate::driver::clients::{lockers, nobody};
use crate::driver::costs::{breaks_at_random, costs, count};
use crate::driver::exhaustive::{Broken, Counterexample, RULES, breaks, explore, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{self, Rules, USUAL, exclusion};
use crate::driver::script::Script;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

/// The three requesting processes are 0, 1 and 2. None of them is in the voting set of another, so their requests
/// can have the same time.
const TWO_ARBITERS: &str = "coterie=sets:0,3,4;1,3,4;2,3,4;3,4;3,4";

fn three_rivals(variant: &str) -> Result<Progress, Counterexample> {
    let scene = Scene::<Maekawa>::new(variant, 5, FIFO, nobody());
    explore(&scene, &[1, 1, 1, 0], &RULES, None)
}

type Stage = Script<Maekawa>;

const SEVEN: &str = "coterie=sets:0,1,2;1,3,5;2,4,5;0,3,4;1,4,6;0,5,6;2,3,6";
/// Every voting set contains all three processes. So even in a small run, many requests compete for each vote.
const ALL_OF_THREE: &str = "coterie=sets:0,1,2;0,1,2;0,1,2";

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for channel in [FIFO, OVERTAKING] {
        holds::<Maekawa>("corrected", 1, 2, channel);
        holds::<Maekawa>("corrected", 2, 2, channel);
        holds::<Maekawa>("corrected", 3, 1, channel);
        holds::<Maekawa>("corrected coterie=plane", 3, 1, channel);
    }
    holds::<Maekawa>(&format!("corrected {ALL_OF_THREE}"), 3, 1, FIFO);
    let three_of_seven = Scene::<Maekawa>::new(&format!("corrected {SEVEN}"), 7, FIFO, nobody());
    explore(&three_of_seven, &[1, 1, 0], &RULES, None).expect("no schedule that breaks a rule");
}

#[test]
#[ignore = "5.7 million states: a minute"]
fn every_schedule_is_right_where_all_ask_all_and_messages_overtake() {
    holds::<Maekawa>(&format!("corrected {ALL_OF_THREE}"), 3, 1, OVERTAKING);
}

/// An arbiter votes once for each REQUEST, and once more after each vote that was returned to it. An entry costs at
/// most seven messages for each member of the voting set.
#[test]
fn schedules_drawn_at_random_are_right_and_keep_the_price() {
    for coterie in ["grid", "plane"] {
        for channel in [FIFO, OVERTAKING] {
            let nodes = if coterie == "grid" { 1..=7 } else { 7..=7 };
            costs::<Maekawa>(
                &format!("corrected coterie={coterie}"),
                nodes,
                channel,
                &exclusion(),
                |sent, nodes, entries| {
                    let sets = Coterie::parse(coterie, nodes).expect("voting sets");
                    let members: usize = NodeId::all(nodes).map(|node| sets.set(node).len()).sum();
                    let members = u32::try_from(members).expect("few") * entries;
                    let others = members - nodes * entries;
                    count(sent, "REQUEST") == others
                        && count(sent, "RELEASE") == others
                        && count(sent, "LOCKED") == others + count(sent, "RELINQUISH")
                        && count(sent, "RELINQUISH") <= count(sent, "INQUIRE")
                        && sent.values().sum::<u32>() <= 7 * members
                },
            );
        }
    }
}

#[test]
fn an_entry_alone_costs_three_messages_for_each_other_member() {
    for (coterie, nodes) in [("grid", 1), ("grid", 2), ("grid", 5), ("grid", 9), ("plane", 7), ("plane", 13)] {
        let sets = Coterie::parse(coterie, nodes).expect("voting sets");
        let mut stage = Stage::begin(&format!("corrected coterie={coterie}"), nodes);
        for node in (0..nodes).chain(0..nodes) {
            assert_eq!(stage.enter_alone(node) as usize, 3 * (sets.set(NodeId(node)).len() - 1));
        }
    }
}

/// Returns a run with the requests of the lectures, after all messages have arrived. The first votes of arbiters 0
/// and 2 were for process 0, of arbiters 1 and 3 for process 1, and of arbiters 4 and 5 for process 2.
fn requests_of_the_lectures(variant: &str) -> Stage {
    let mut stage = Stage::begin(&format!("{variant} {SEVEN}"), 7);
    stage.acquire(0);
    stage.deliver("REQUEST", 0, 2);
    stage.acquire(1);
    stage.acquire(2);
    for (from, to) in [(0, 1), (1, 3), (2, 4), (2, 5), (1, 5)] {
        stage.deliver("REQUEST", from, to);
    }
    for (arbiter, holder) in [(0, 0), (2, 0), (1, 1), (3, 1), (4, 2), (5, 2)] {
        assert_eq!(stage.variable(arbiter, "locked_for"), Value::Number(holder));
    }
    stage.deliver_all();
    stage
}

#[test]
fn version_1_deadlocks_and_the_corrected_one_does_not() {
    let stage = requests_of_the_lectures("version-1");
    assert_eq!((stage.waiting(), stage.inside()), (vec![0, 1, 2], vec![]));
    let mut stage = requests_of_the_lectures("corrected");
    for left in (0..3).rev() {
        let inside = stage.inside();
        assert_eq!((inside.len(), stage.waiting().len()), (1, left));
        stage.release(inside[0]);
        stage.deliver_all();
    }
}

#[test]
fn version_1_does_not_deadlock_where_arbiters_hear_in_the_order_of_time() {
    let mut stage = Stage::begin(&format!("version-1 {SEVEN}"), 7);
    for node in 0..3 {
        stage.acquire(node);
        stage.deliver_all();
    }
    for node in 0..3 {
        assert_eq!(stage.inside(), [node]);
        stage.release(node);
        stage.deliver_all();
    }
}

#[test]
fn what_was_first_published_deadlocks() {
    breaks::<Maekawa>("version-1", 3, 1, FIFO, Broken::Progress);
    for reading in ["any-better", "holder-better"] {
        let variant = format!("version-2 failed={reading} {TWO_ARBITERS}");
        let found = three_rivals(&variant).expect_err("a deadlock");
        assert_eq!((found.property, &found.waiting[..]), (Property::NobodyStuck, &[0, 1, 2][..]));
        assert_eq!(found.steps.iter().filter(|step| step.starts_with("acquire")).count(), 3, "{found:?}");
    }
    three_rivals(&format!("corrected {TWO_ARBITERS}")).expect("no deadlock");
    breaks_at_random::<Maekawa>("version-1", 5, FIFO, &exclusion(), "stuck");
}

#[test]
fn a_lost_message_is_missed() {
    breaks::<Maekawa>("corrected", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
}

/// A message, in the notation of the lectures. The items are the sender or recipient, the kind, and the time of the
/// request that the message names.
type Told = (u32, &'static str, u64);

/// Passes `messages` to node 3 of four; each item names the sender of a message. Returns the messages that node 3
/// sends in reaction. All voting sets contain all four nodes.
fn says(messages: &[Told]) -> Vec<Told> {
    says_as("corrected", messages)
}

/// Like [`says`], for the given variant.
fn says_as(variant: &str, messages: &[Told]) -> Vec<Told> {
    let everybody = "coterie=sets:0,1,2,3;0,1,2,3;0,1,2,3;0,1,2,3";
    let scene = Scene::<Maekawa>::new(&format!("{variant} {everybody}"), 4, FIFO, lockers(1));
    let mut node = Maekawa::new(&scene.setting, NodeId(3));
    let mut out = Effects::default();
    for &(from, kind, timestamp) in messages {
        let message = message(kind, timestamp, 0);
        node.step(&scene.setting, NodeId(3), Input::Message { from: NodeId(from), message }, &mut out);
    }
    out.as_slice().iter().filter_map(told).collect()
}

/// Returns a message of kind `kind` about the request of time `timestamp`, from a sender whose clock shows `clock`.
fn message(kind: &str, timestamp: u64, clock: u64) -> MaekawaMessage {
    match kind {
        "REQUEST" => MaekawaMessage::Request { timestamp },
        "FAILED" => MaekawaMessage::Failed { timestamp, clock },
        "INQUIRE" => MaekawaMessage::Inquire { timestamp, clock },
        "RELINQUISH" => MaekawaMessage::Relinquish { timestamp, clock },
        _ => unreachable!("{kind}"),
    }
}

fn told(effect: &Effect<Maekawa>) -> Option<Told> {
    let Effect::Send { to: Recipients::One(to), message } = effect else { return None };
    let body = serde_json::to_value(message).expect("a message as JSON");
    Some((to.0, message.kind(), body["body"]["timestamp"].as_u64().expect("a request")))
}

/// The figure of the lectures: an arbiter receives three requests, of which the last is the best.
#[test]
fn an_arbiter_refuses_the_worse_and_asks_back_for_the_better() {
    let asked = [(0, "REQUEST", 18), (1, "REQUEST", 25), (2, "REQUEST", 12)];
    let mut said = vec![(0, "LOCKED", 18), (1, "FAILED", 25), (0, "INQUIRE", 18)];
    assert_eq!(says(&asked), said);
    said.push((2, "LOCKED", 12));
    assert_eq!(says(&[&asked[..], &[(0, "RELINQUISH", 18)]].concat()), said);
}

/// Two readings of the first publication. In one reading, the arbiter sends FAILED if any known request is better.
/// In the other reading, it sends FAILED only if the request that has the vote is better.
#[test]
fn as_first_published_the_worse_is_refused_by_either_reading() {
    let asked = [(0, "REQUEST", 18), (1, "REQUEST", 15), (2, "REQUEST", 16)];
    let said = [(0, "LOCKED", 18), (0, "INQUIRE", 18), (2, "FAILED", 16)];
    assert_eq!(says_as("version-2 failed=any-better", &asked), said, "15 waits and is better");
    assert_eq!(says_as("version-2 failed=holder-better", &asked), said[..2], "18 has the vote and is not");
    let worse = [(0, "REQUEST", 18), (1, "REQUEST", 25)];
    assert_eq!(says_as("version-2 failed=holder-better", &worse), [(0, "LOCKED", 18), (1, "FAILED", 25)]);
}

/// The request of process 1 waits, and process 1 has not received FAILED. When a better request displaces the
/// request of process 1, process 1 receives FAILED.
#[test]
fn who_is_displaced_is_told() {
    let asked = [(0, "REQUEST", 18), (1, "REQUEST", 15), (2, "REQUEST", 12)];
    assert_eq!(says(&asked), [(0, "LOCKED", 18), (0, "INQUIRE", 18), (1, "FAILED", 15)]);
}

/// Process 0 receives the requests of 1 and 2, whose voting sets have only 0 in common. A vote of process 0 carries
/// its clock. So the next request of a process that receives the vote is later than all requests that process 0 has
/// received.
#[test]
fn who_is_voted_for_learns_the_time_of_the_arbiter() {
    let mut stage = Stage::begin("corrected coterie=sets:0;0,1;0,2", 3);
    for _ in 0..4 {
        stage.enter_alone(1);
    }
    stage.acquire(0);
    let of_the_arbiter = stage.time(0);
    stage.release(0);
    stage.enter_alone(2);
    stage.acquire(2);
    assert!(stage.time(2) > of_the_arbiter, "or 0 and 1 would be passed over again and again");
}

#[test]
fn a_vote_is_given_back_only_once_another_has_failed() {
    let mut stage = Stage::begin(&format!("corrected {SEVEN}"), 7);
    stage.acquire(0);
    stage.deliver("REQUEST", 0, 1);
    stage.deliver("LOCKED", 1, 0);
    let hear = |stage: &mut Stage, from: u32, kind: &str| {
        stage.push(NodeId(from), NodeId(0), message(kind, 1, 5));
        stage.deliver(kind, from, 0)
    };
    let kept = hear(&mut stage, 1, "INQUIRE");
    assert_eq!(kept.reasons, [Reason::KeptUndecided { from: NodeId(1) }]);
    let given = hear(&mut stage, 2, "FAILED");
    assert_eq!(given.sent, [(NodeId(1), MaekawaMessage::Relinquish { timestamp: 1, clock: 7 })]);
}

#[test]
fn whose_set_is_itself_asks_nobody() {
    let scene = Scene::<Maekawa>::new("corrected coterie=sets:0", 1, FIFO, lockers(1));
    let mut out = Effects::default();
    let command = Command::Acquire { lock: LockId(0), request: RequestId(1) };
    Maekawa::new(&scene.setting, NodeId(0)).step(&scene.setting, NodeId(0), Input::Command(command), &mut out);
    assert!(!out.as_slice().iter().any(|effect| matches!(effect, Effect::Send { .. })), "{out:?}");
    assert!(matches!(out.as_slice().last(), Some(Effect::Outcome(Outcome::Entered { .. }))));
}

/// Process 0 waits with a request of time 1. It receives messages about a request of another time.
#[test]
fn answers_to_another_request_are_outdated() {
    for kind in ["FAILED", "INQUIRE"] {
        let mut stage = Stage::begin(&format!("corrected {SEVEN}"), 7);
        stage.acquire(0);
        let before = stage.view(0).variables;
        stage.push(NodeId(1), NodeId(0), message(kind, 2, 9));
        let taken = stage.deliver(kind, 1, 0);
        let outdated = Reason::Outdated { from: NodeId(1), timestamp: 2 };
        assert_eq!((taken.reasons, taken.sent), (vec![outdated], vec![]), "{kind}");
        assert_eq!(stage.view(0).variables, before);
    }
}

#[test]
fn who_is_inside_keeps_the_votes_for_its_request() {
    let mut stage = Stage::begin(&format!("corrected {SEVEN}"), 7);
    stage.acquire(0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
    let from = NodeId(1);
    for (timestamp, reason) in [(1, Reason::KeptInSection { from }), (2, Reason::Outdated { from, timestamp: 2 })] {
        stage.push(NodeId(1), NodeId(0), message("INQUIRE", timestamp, 9));
        let taken = stage.deliver("INQUIRE", 1, 0);
        assert_eq!((taken.reasons, taken.sent), (vec![reason], vec![]));
    }
}

#[test]
fn people_see_whose_votes_are_missing_while_somebody_waits() {
    let mut stage = Stage::begin(&format!("corrected {SEVEN}"), 7);
    let missing = |stage: &Stage| stage.view(0).waits_for;
    assert_eq!(missing(&stage), []);
    stage.acquire(0);
    assert_eq!(missing(&stage), [1, 2].map(NodeId), "it has its own");
    stage.deliver("REQUEST", 0, 2);
    stage.deliver("LOCKED", 2, 0);
    assert_eq!(missing(&stage), [NodeId(1)]);
    stage.deliver_all();
    assert_eq!((stage.inside(), missing(&stage)), (vec![0], vec![]));
    stage.release(0);
    assert_eq!(missing(&stage), []);
}

/// Process 0 has the vote of 1 for its request of time 1. Process 1 ignores a message of process 0 about any other
/// request, whether that request was made earlier or was never made.
#[test]
fn who_gives_back_a_vote_that_it_does_not_have_is_told_so() {
    let forgeries = [
        ("RELEASE", MaekawaMessage::Release { timestamp: 9, clock: 9 }),
        ("RELINQUISH", MaekawaMessage::Relinquish { timestamp: 9, clock: 9 }),
    ];
    for (kind, forgery) in forgeries {
        let mut stage = Stage::begin(&format!("corrected {SEVEN}"), 7);
        stage.acquire(0);
        stage.deliver("REQUEST", 0, 1);
        stage.push(NodeId(0), NodeId(1), forgery);
        let taken = stage.deliver(kind, 0, 1);
        let outdated = Reason::Outdated { from: NodeId(0), timestamp: 9 };
        assert_eq!((taken.reasons, taken.sent), (vec![outdated], vec![]));
        assert_eq!(stage.variable(1, "locked_for"), Value::Number(0));
    }
}

/// Voting sets that have only process 0 in common.
const HUB: &str = "coterie=sets:0,1,2,3;0,1;0,2;0,3";
/// A process crashes, and the failure detector eventually notifies all remaining processes.
const DETECTED: Faults = Faults { crashes: 1, detected: true, ..FIFO };

#[test]
fn whoever_dies_another_takes_over_its_place_and_entries_go_on() {
    for (coterie, nodes) in [("grid", 2), ("grid", 4), ("grid", 5), ("plane", 3), ("plane", 7)] {
        for crashes in [0, 1, 2, nodes - 1] {
            let faults = Faults { crashes, down_at_once: crashes as usize, ..DETECTED };
            let scene = Scene::<Maekawa>::new(&format!("succession coterie={coterie}"), nodes, faults, lockers(3));
            random::holds(&scene, 0..60, USUAL, &exclusion());
        }
    }
}

/// A restarted process has forgotten for which request it voted. So it takes no part in the algorithm, and its
/// successor continues to vote in its place.
#[test]
fn who_is_back_is_not_waited_for() {
    let faults = Faults { crashes: 2, down_at_once: 2, memory: Some(RestartState::None), ..DETECTED };
    random::holds(&Scene::<Maekawa>::new("succession", 5, faults, lockers(3)), 0..60, USUAL, &exclusion());
}

#[test]
fn where_nobody_tells_of_a_death_or_nobody_takes_over_some_wait_for_ever() {
    let silent = Faults { detected: false, ..DETECTED };
    random::breaks(&Scene::<Maekawa>::new("succession", 4, silent, lockers(3)), 0..100, USUAL, &exclusion(), "stuck");
    random::breaks(&Scene::<Maekawa>::new("corrected", 4, DETECTED, lockers(3)), 0..100, USUAL, &exclusion(), "stuck");
}

#[test]
fn a_new_arbiter_that_asks_nobody_lets_two_in() {
    let scene = Scene::<Maekawa>::new(&format!("forgetful-succession {HUB}"), 4, DETECTED, lockers(3));
    let beside = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };
    random::breaks(&scene, 0..1_000, USUAL, &beside, "two in the section");
}

/// Process 0, which voted for 1, crashes while 1 is in the critical section and 2 waits. STATE messages of 1 and 2
/// report both facts to the successor of 0.
#[test]
fn an_heir_learns_who_has_the_vote_and_who_waits() {
    for (variant, inside) in [("succession", vec![1]), ("forgetful-succession", vec![1, 2])] {
        let mut stage = Stage::begin(&format!("{variant} {HUB}"), 4);
        stage.acquire(1);
        stage.deliver_all();
        stage.acquire(2);
        stage.deliver_all();
        stage.crash(0);
        for node in 1..4 {
            stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(0) });
        }
        assert_eq!(stage.variable(1, "places"), Value::nodes(&[NodeId(0)]));
        stage.deliver_all();
        assert_eq!(stage.inside(), inside, "{variant}");
        stage.release(1);
        stage.deliver_all();
        assert_eq!(stage.inside(), [2], "{variant}");
    }
}

/// The vote of a crashed arbiter is in transit to a process. Before the vote arrives, this process reports to the
/// arbiter's successor that it has no vote. So the vote arrives too late and is ignored.
#[test]
fn a_vote_that_comes_after_the_answer_does_not_count() {
    let mut stage = Stage::begin(&format!("succession {HUB}"), 4);
    stage.acquire(2);
    stage.deliver("REQUEST", 2, 0);
    stage.crash(0);
    stage.take(&Choice::Suspect { node: NodeId(1), whom: NodeId(0) });
    stage.deliver("TAKES-OVER", 1, 2);
    let late = stage.deliver("LOCKED", 0, 2);
    assert_eq!((late.reasons, late.outcomes), (vec![Reason::NotInSet { from: NodeId(0) }], vec![]));
    // All processes except 3 have answered the successor. Until 3 answers, the successor votes for no request.
    stage.deliver_all_but(|_, to| to == 3);
    assert_eq!(stage.inside(), [0; 0]);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
}

/// If a process crashes, its successor sends TAKES-OVER once to each process whose voting set contains the crashed
/// process. On a plane, the number of these processes equals the size of a voting set, about √N.
#[test]
fn taking_over_a_place_costs_twice_the_size_of_a_voting_set() {
    for (nodes, size) in [(7, 3), (13, 4), (21, 5), (31, 6)] {
        for dead in 0..nodes {
            let mut stage = Stage::begin("succession coterie=plane", nodes);
            stage.crash(dead);
            for node in (0..nodes).filter(|&node| node != dead) {
                stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(dead) });
            }
            stage.deliver_all();
            let (asked, answered) = (stage.sent("TAKES-OVER"), stage.sent("STATE"));
            assert_eq!((asked, stage.sent_in_all()), (answered, asked + answered));
            // The crashed process is not asked. If the successor is itself one of the processes to ask, it needs no
            // message to ask itself.
            assert!((size - 2..size).contains(&asked), "{nodes}: {asked}");
        }
    }
}

#[test]
fn with_tree_quorums_entries_go_on_while_there_is_a_quorum() {
    for nodes in [3, 4, 5, 7] {
        for crashes in [0, 1] {
            let scene = Scene::<Maekawa>::new("tree-quorums", nodes, Faults { crashes, ..DETECTED }, lockers(3));
            random::holds(&scene, 0..60, USUAL, &exclusion());
        }
    }
    let faults = Faults { crashes: 2, down_at_once: 2, memory: Some(RestartState::None), ..DETECTED };
    let beside = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };
    random::holds(&Scene::<Maekawa>::new("tree-quorums", 7, faults, lockers(3)), 0..60, USUAL, &beside);
}

#[test]
fn with_one_path_below_the_dead_two_are_inside() {
    let scene = Scene::<Maekawa>::new("half-trees", 3, DETECTED, lockers(3));
    let beside = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };
    random::breaks(&scene, 0..1_000, USUAL, &beside, "two in the section");
}

/// Process 5 waits for the vote of 2 on its path 0, 2, 5. Process 2 crashes, so 5 forms the new quorum 0, 5, 6 with
/// a new request. The vote of 0 for the former request does not count. After 5 has withdrawn the former request, 0
/// votes for the new request.
#[test]
fn who_waits_for_the_dead_asks_anew() {
    let mut stage = Stage::begin("tree-quorums", 7);
    let set = |nodes: &[u32]| Value::nodes(&nodes.iter().copied().map(NodeId).collect::<Vec<_>>());
    stage.acquire(5);
    assert_eq!(stage.variable(5, "S"), set(&[0, 2, 5]));
    stage.deliver("REQUEST", 5, 0);
    stage.crash(2);
    for node in [0, 1, 3, 4, 5, 6] {
        stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(2) });
    }
    assert_eq!(stage.variable(5, "S"), set(&[0, 5, 6]));
    let late = stage.deliver("LOCKED", 0, 5);
    assert_eq!(late.outcomes, vec![], "it is about the former request");
    stage.deliver_all();
    assert_eq!(stage.inside(), [5]);
    stage.acquire(6);
    stage.deliver_all();
    assert_eq!(stage.inside(), [5]);
    stage.release(5);
    stage.deliver_all();
    assert_eq!(stage.inside(), [6]);
}

#[test]
fn forged_messages_are_survived() {
    for variant in ["corrected", "version-1", "version-2", "succession", "forgetful-succession", "tree-quorums"] {
        survives(&Scene::<Maekawa>::new(variant, 3, OVERTAKING, lockers(20)));
    }
}
