use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};
use interlock_machine::channel::Channel;
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::wire::{CommandItem, DetectorTimer, Order, TimerName};
use serde_json::{Value, json};

use super::Status;
use super::test_stream::{HOLD, IDLE, TestStream, contended, document, violated};
use crate::monitor::stuck;
use interlock_model::event::{DropReason, Ending, RestartState, StepId, TimerLabel, What};

/// The timer after which a channel retransmits a message to P0.
const TO_P0: TimerLabel = TimerName::Channel(NodeId(0));

/// A test case: its name, the expected status, and the events that are added to a run of two nodes. Before these
/// events, P1 waits for the lock.
type Case = (&'static str, Status, fn(&mut TestStream));

const STUCK: &[Case] = &[
    ("nothing else", Status::Stuck, |_| {}),
    ("P0 is dead", Status::Stuck, |stream| _ = stream.crash(0)),
    ("a lost message", Status::Stuck, |stream| {
        let lost = stream.sent(1, 0, "REQUEST", None);
        stream.lose(lost);
    }),
    ("a timer of a dead node", Status::Stuck, |stream| {
        stream.arm(0, IDLE, 50_000);
        stream.crash(0);
    }),
    ("a channel that calls a dead node", Status::Stuck, |stream| {
        stream.specification.channel = Channel::Reliable.into();
        stream.crash(0);
        stream.arm(1, TO_P0, 50_000);
        stream.send(1, 0, "REQUEST");
    }),
];

const WAITING: &[Case] = &[
    ("a held message", Status::WaitingForYou, |stream| {
        let message = stream.sent(1, 0, "REQUEST", None);
        stream.hold(message);
    }),
    ("a message on the way to a paused node", Status::WaitingForYou, |stream| {
        stream.send(1, 0, "REQUEST");
        stream.pause(0);
    }),
    ("a channel that calls a paused node", Status::WaitingForYou, |stream| {
        stream.specification.channel = Channel::Reliable.into();
        stream.arm(1, TO_P0, 50_000);
        stream.pause(0);
    }),
    ("P0 in the section by command", Status::WaitingForYou, |stream| {
        stream.request(0);
        stream.enter(0);
    }),
    ("P0 in the section for a while, paused", Status::WaitingForYou, |stream| {
        stream.request(0);
        stream.enter(0);
        stream.arm(0, HOLD, 50_000);
        stream.pause(0);
    }),
    ("a timer, with the timers switched off", Status::WaitingForYou, |stream| {
        stream.specification.timers = false;
        stream.arm(0, IDLE, 50_000);
    }),
];

const MOVING: &[Case] = &[
    ("P0 comes back", Status::Ok, |stream| {
        stream.crash(0);
        stream.restart(0, RestartState::Stored);
    }),
    ("a channel that calls a node that hears it", Status::Ok, |stream| {
        stream.specification.channel = Channel::Reliable.into();
        stream.arm(1, TO_P0, 50_000);
    }),
    ("a message on the way", Status::Ok, |stream| _ = stream.send(1, 0, "REQUEST")),
    ("a message on the way to a resumed node", Status::Ok, |stream| {
        stream.send(1, 0, "REQUEST");
        stream.pause(0);
        stream.resume(0);
    }),
    ("P0 in the section for a while", Status::Ok, |stream| {
        stream.request(0);
        stream.enter(0);
        stream.arm(0, HOLD, 50_000);
    }),
    ("a timer", Status::Ok, |stream| stream.arm(0, IDLE, 50_000)),
    ("found to be stuck, and moving again", Status::Ok, |stream| {
        stream.push(violated(stuck::NAME));
        stream.arm(0, IDLE, 50_000);
    }),
];

const WHATEVER_MOVES: &[Case] = &[
    ("a rule broken, and stuck", Status::Violated, |stream| _ = stream.push(violated("mutual-exclusion"))),
    ("stuck at the end", Status::Stuck, |stream| {
        stream.push(violated(stuck::NAME));
        stream.push(What::Ended { why: Ending::Stopped });
    }),
    ("stuck once, but not at the end", Status::Ok, |stream| {
        stream.push(violated(stuck::NAME));
        stream.fire(0, IDLE);
        stream.push(What::Ended { why: Ending::Stopped });
    }),
    ("stuck, and only layers went on", Status::Stuck, |stream| {
        stream.push(violated(stuck::NAME));
        stream.fire(0, TO_P0);
        stream.fire(0, TimerName::Detector(DetectorTimer::Beat));
        let heartbeat = stream.send(1, 0, HEARTBEAT);
        stream.deliver_kind(heartbeat, HEARTBEAT);
        stream.push(What::Ended { why: Ending::Stopped });
    }),
    ("stuck, and then a message arrived", Status::Ok, |stream| {
        stream.push(violated(stuck::NAME));
        let message = stream.send(1, 0, "REQUEST");
        stream.deliver(message);
        stream.push(What::Ended { why: Ending::Stopped });
    }),
    ("stuck, and then a suspicion", Status::Ok, |stream| {
        stream.push(violated(stuck::NAME));
        let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
        stream.push(What::Suspected { at, whom: NodeId(1) });
        stream.push(What::Ended { why: Ending::Stopped });
    }),
    ("moving at the end", Status::Ok, |stream| {
        let message = stream.send(1, 0, "REQUEST");
        stream.push(What::dropped(message, "ANY".into(), DropReason::Ended));
    }),
];

fn status((_, _, make): &Case, pending_inputs: usize) -> Status {
    let mut stream = TestStream::new(2);
    stream.at(10).request(1);
    make(&mut stream);
    let verdict = stream.state().verdict(3_000, pending_inputs);
    assert_eq!(verdict.because.is_none(), verdict.status == Status::Ok, "every other verdict has its reason");
    verdict.status
}

#[test]
fn a_status_has_the_same_name_everywhere() {
    for status in Status::ALL {
        assert_eq!(serde_json::to_value(status).expect("JSON"), status.name());
        assert_eq!(Status::named(status.name()), Some(status));
    }
    assert_eq!(Status::named("odd"), None);
}

#[test]
fn verdicts_are_told_apart() {
    for case in [STUCK, WAITING, MOVING, WHATEVER_MOVES].into_iter().flatten() {
        assert_eq!(status(case, 0), case.1, "{}", case.0);
    }
}

#[test]
fn a_command_under_way_is_movement() {
    for case in [STUCK, WAITING, MOVING].into_iter().flatten() {
        assert_eq!(status(case, 1), Status::Ok, "{}", case.0);
    }
    for case in WHATEVER_MOVES {
        assert_eq!(status(case, 1), case.1, "{}", case.0);
    }
}

#[test]
fn at_rest_is_what_neither_moves_nor_could_be_moved_but_by_a_command() {
    let is_at_rest = |(_, _, make): &Case, pending_inputs: usize| {
        let mut stream = TestStream::new(2);
        stream.at(10).request(1);
        make(&mut stream);
        stream.state().is_at_rest(pending_inputs)
    };
    let by_command = |case: &&Case| case.0.ends_with("by command");
    for case in STUCK.iter().chain(WAITING.iter().filter(by_command)) {
        assert!(is_at_rest(case, 0), "{}", case.0);
        assert!(!is_at_rest(case, 1), "{}: a command is under way", case.0);
    }
    let ended: Case = ("ended", Status::Ok, |stream| _ = stream.push(What::Ended { why: Ending::Stopped }));
    let touched = WAITING.iter().filter(|case| !by_command(case));
    for case in touched.chain(MOVING).chain([&ended]) {
        assert!(!is_at_rest(case, 0), "{}", case.0);
    }
}

#[test]
fn a_wait_is_slow_only_after_a_while_and_only_if_something_moves() {
    let mut stream = contended();
    stream.specification.slow_after_ms = 100;
    assert_eq!(stream.state().verdict(100_020, 0).status, Status::Ok);
    assert_eq!(stream.state().verdict(100_021, 0).status, Status::Slow);
    let because = &document(&stream, 200_020)["verdict"]["because"];
    assert_eq!(
        *because,
        json!({ "code": "slow", "node": 1, "lock": 0, "since_us": 20, "waited_ms": 200,
                "sentence": "P1 has been waiting for lock 0 for 200 ms, but the run is still active." })
    );
    assert_eq!((stream.state().is_slow(100_020), stream.state().is_slow(100_021)), (false, true));
    assert_eq!(stream.state().slow_from_us(), Some(100_021));
    assert_eq!(TestStream::new(2).state().slow_from_us(), None, "no process waits");
    let message = stream.state().messages(None)[0].message;
    stream.deliver(message);
    assert_eq!(stream.state().verdict(200_000, 0).status, Status::WaitingForYou);
}

#[test]
fn the_verdict_says_what_a_hand_can_do_and_who_is_dead() {
    let mut stream = TestStream::new(3);
    stream.at(10).request(1);
    let messages = stream.multicast(1, "REQUEST");
    stream.hold(messages[0]);
    stream.hold(messages[1]);
    stream.pause(2);
    let because = document(&stream, 3_000)["verdict"]["because"].clone();
    assert_eq!(because["code"], "needs-a-hand");
    assert_eq!((&because["held"], &because["paused"]), (&json!(2), &json!([2])));
    let sentence = "P1 waits, and nothing happens until you deliver one of the 2 held messages, or resume P2.";
    assert_eq!(because["sentence"], sentence);

    let mut stream = TestStream::new(3);
    stream.at(10).request(1);
    stream.crash(0);
    stream.crash(2);
    let because = document(&stream, 3_000)["verdict"]["because"].clone();
    assert_eq!((&because["code"], &because["dead"]), (&json!("quiescent"), &json!([0, 2])));
    assert_eq!(because["waiting"], json!([{ "node": 1, "lock": 0, "request": 1, "since_us": 10, "seq": 5 }]));
    let sentence = because["sentence"].as_str().expect("a sentence");
    assert!(sentence.starts_with("P1 waits forever") && sentence.ends_with("P0 and P2 have crashed."), "{sentence}");
    assert_eq!(because.get("held"), None);
}

#[test]
fn the_first_rule_broken_stays_the_reason() {
    let mut stream = contended();
    stream.push(violated(stuck::NAME));
    stream.push(violated("mutual-exclusion"));
    stream.push(violated("real-time"));
    stream.push(violated("real-time"));
    let violated = ["mutual-exclusion", "real-time", "fencing"].map(|monitor| stream.state().has_violated(monitor));
    assert_eq!(violated, [true, true, false]);
    let verdict = &document(&stream, 3_000)["verdict"];
    assert_eq!((&verdict["status"], &verdict["violations"]), (&json!("violated"), &json!(4)));
    assert_eq!(verdict["because"]["sentence"], r#"The property `mutual-exclusion` was violated: code {"first":1}."#);
}

/// Appends a step in which a node reports this outcome.
fn tell(stream: &mut TestStream, node: u32, outcome: Outcome) -> u64 {
    let step = stream.events.len() as u64 + 1_000;
    let at = StepId { node: NodeId(node), incarnation: 1, step };
    stream.outcome(at, outcome)
}

/// Returns the status of a run, and the sentence that explains the status.
fn standing(stream: &TestStream) -> (Status, String) {
    let because = document(stream, 3_000)["verdict"]["because"]["sentence"].as_str().unwrap_or_default().to_owned();
    (stream.state().verdict(3_000, 0).status, because)
}

#[test]
fn an_election_that_is_held_waits_for_you_until_its_end_is_known() {
    let mut stream = TestStream::new(2);
    tell(&mut stream, 0, Outcome::called(1));
    assert_eq!(standing(&stream).0, Status::Ok, "no hand can help: its monitor speaks of it");
    let held = stream.sent(0, 1, "ELECT", None);
    stream.hold(held);
    let sentence = "P0 waits for the end of an election, and nothing happens until you deliver the held message.";
    assert_eq!(standing(&stream), (Status::WaitingForYou, sentence.to_owned()));
    assert_eq!(document(&stream, 0)["verdict"]["because"]["electing"], json!([0]));
    tell(&mut stream, 0, Outcome::elected(NodeId(1), 1));
    tell(&mut stream, 1, Outcome::elected(NodeId(1), 1));
    assert_eq!(standing(&stream).0, Status::Ok, "what is held is about nothing that anybody waits for");
    tell(&mut stream, 0, Outcome::called(2));
    tell(&mut stream, 0, Outcome::elected(NodeId(1), 1));
    assert_eq!(standing(&stream).0, Status::WaitingForYou, "of an older term");
    stream.crash(0);
    assert_eq!(standing(&stream).0, Status::Ok, "it died");
}

#[test]
fn who_cannot_hear_of_the_coordinator_waits_for_you() {
    let mut stream = TestStream::new(3);
    for node in [0, 1] {
        tell(&mut stream, node, Outcome::elected(NodeId(1), 1));
    }
    assert_eq!(standing(&stream).0, Status::Ok, "P2 does not know, but no message is held");
    let held = stream.sent(1, 2, "COORDINATOR", None);
    stream.hold(held);
    let sentence = "P2 waits for the end of an election, and nothing happens until you deliver the held message.";
    assert_eq!(standing(&stream), (Status::WaitingForYou, sentence.to_owned()));
    stream.lose(held);
    assert_eq!(standing(&stream).0, Status::Ok);
    stream.pause(2);
    let sentence = "P2 waits for the end of an election, and nothing happens until you resume P2.";
    assert_eq!(standing(&stream), (Status::WaitingForYou, sentence.to_owned()));
    tell(&mut stream, 2, Outcome::elected(NodeId(1), 1));
    assert_eq!(standing(&stream).0, Status::Ok, "paused, but it knows");
    let mut stream = TestStream::new(3);
    stream.pause(2);
    assert_eq!(standing(&stream).0, Status::Ok, "paused, and nobody is elected");
}

#[test]
fn who_does_not_know_the_coordinator_waits_for_an_election_only_if_news_may_be_held_up() {
    let mut stream = TestStream::new(3);
    for node in [0, 1] {
        tell(&mut stream, node, Outcome::elected(NodeId(1), 1));
    }
    stream.request(0);
    let electing = |stream: &TestStream| document(stream, 0)["verdict"]["because"]["electing"].clone();
    assert_eq!((standing(&stream).0, electing(&stream)), (Status::Stuck, Value::Null));
    stream.pause(2);
    assert_eq!((standing(&stream).0, electing(&stream)), (Status::WaitingForYou, json!([2])));
}

#[test]
fn a_proposal_that_is_held_waits_for_you_until_something_is_chosen() {
    let mut stream = TestStream::new(2);
    tell(&mut stream, 0, Outcome::Proposed { instance: 4, value: "v".into() });
    let held = stream.sent(0, 1, "PREPARE", None);
    stream.hold(held);
    let sentence =
        "No value has been chosen yet in instance 4, and nothing happens until you deliver the held message.";
    assert_eq!(standing(&stream), (Status::WaitingForYou, sentence.to_owned()));
    stream.request(1);
    stream.enter(1);
    assert_eq!(standing(&stream).1, sentence, "to leave a section is no help");
    tell(&mut stream, 0, Outcome::Decided { instance: 4, value: "v".into() });
    assert_eq!(standing(&stream).0, Status::Ok);
}

#[test]
fn a_run_that_failed_is_not_ok() {
    let mut stream = contended();
    stream.push(What::Ended { why: Ending::Failed("the journal is full".into()) });
    let sentence = "The run ended early, and its outcome is unknown: the journal is full.";
    assert_eq!(standing(&stream), (Status::Failed, sentence.to_owned()));
    let because = document(&stream, 0)["verdict"]["because"].clone();
    assert_eq!((&because["code"], &because["why"]), (&json!("failed"), &json!("the journal is full")));
    for (monitor, status) in [(stuck::NAME, Status::Stuck), ("mutual-exclusion", Status::Violated)] {
        let mut stream = contended();
        stream.push(violated(monitor));
        stream.push(What::Ended { why: Ending::Failed("the journal is full".into()) });
        assert_eq!(standing(&stream).0, status);
    }
    let mut stream = contended();
    stream.push(What::Ended { why: Ending::Stopped });
    assert_eq!(standing(&stream).0, Status::Ok, "somebody stopped it");
}

/// Returns a run in which P1 holds lock 1, and P0 holds lock 0 and waits for lock 1. `requests` are the numbers of
/// P0's two requests. If `ordered`, P0 makes each request because of an order.
fn one_holds_and_waits(requests: [u64; 2], ordered: bool) -> TestStream {
    let mut stream = TestStream::new(2);
    let has = |lock| Outcome::Entered { lock: LockId(lock), request: RequestId(1), fence: None };
    tell(&mut stream, 1, has(1));
    for (lock, request) in [(0, requests[0]), (1, requests[1])] {
        let at = StepId { node: NodeId(0), incarnation: 1, step: 10 + u64::from(lock) };
        if ordered {
            let command = CommandItem { id: 1, order: Order::Acquire { lock: LockId(lock), hold_us: None } };
            stream.push(What::Commanded { at, command, because: Vec::new(), view: None });
        }
        stream.outcome(at, Outcome::requested(LockId(lock), RequestId(request)));
        if lock == 0 {
            tell(&mut stream, 0, has(0));
        }
    }
    stream
}

fn keeps(stream: &TestStream) -> Value {
    document(stream, 0)["locks"][1]["waiting"][0]["keeps"].clone()
}

#[test]
fn who_waits_may_be_told_to_leave_another_section_unless_it_keeps_that_one_until_then() {
    let apart = one_holds_and_waits([1, 2], true);
    let release = "P0 waits, and nothing happens until you release the lock of P0 and P1.";
    assert_eq!((standing(&apart), keeps(&apart)), ((Status::WaitingForYou, release.to_owned()), Value::Null));
    for kept in [one_holds_and_waits([1, 2], false), one_holds_and_waits([1, 1], true)] {
        let release = "P0 waits, and nothing happens until you release the lock of P1.";
        assert_eq!((standing(&kept), keeps(&kept)), ((Status::WaitingForYou, release.to_owned()), json!([0])));
    }
}

#[test]
fn who_is_stuck_may_be_in_another_section() {
    let mut stream = one_holds_and_waits([1, 1], true);
    stream.crash(1);
    let sentence = "P0 waits forever: no message is in transit, and no timer is set. In a critical section: P0 (lock \
                    0). P1 has crashed.";
    assert_eq!(standing(&stream), (Status::Stuck, sentence.to_owned()));
    let mut monitor = stuck::Stuck::default();
    let violation = monitor.judge(&stream.state(), 0).expect("stuck");
    assert_eq!(crate::monitor::sentence(&violation), sentence);
    assert_eq!(violation.arguments["inside"], json!([{ "node": 0, "lock": 0 }]));
}

#[test]
fn a_holder_whose_lease_was_taken_back_is_late_until_it_leaves_or_dies() {
    let lock = |stream: &TestStream| {
        let lock = document(stream, 0)["locks"][0].clone();
        (lock["holders"].clone(), lock.get("late").cloned())
    };
    let expired = || Outcome::Expired { lock: LockId(0), holder: NodeId(1), request: RequestId(1) };
    for ends in [|stream: &mut TestStream| _ = stream.exit(1), |stream: &mut TestStream| _ = stream.crash(1)] {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "replicated-lock".to_owned();
        stream.request(1);
        stream.enter(1);
        stream.pause(1);
        assert_eq!(lock(&stream), (json!([1]), None));
        tell(&mut stream, 0, expired());
        assert_eq!(lock(&stream), (json!([]), Some(json!([1]))));
        stream.request(2);
        stream.enter(2);
        assert_eq!(lock(&stream), (json!([2]), Some(json!([1]))));
        ends(&mut stream);
        assert_eq!(lock(&stream), (json!([2]), None));
    }
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = "replicated-lock".to_owned();
    stream.request(1);
    stream.enter(1);
    stream.exit(1);
    tell(&mut stream, 0, expired());
    assert_eq!(lock(&stream), (json!([]), None), "it had left before");
    let mut stream = TestStream::new(3);
    stream.request(1);
    stream.enter(1);
    tell(&mut stream, 0, expired());
    assert_eq!(lock(&stream), (json!([1]), None), "Ricart and Agrawala know no leases");
}

/// P0 holds lock 0 and P1 holds lock 1; both have requested their locks because of orders. P0 requests lock 1. If
/// `in_a_cycle`, P1 requests lock 0. Returns the verdict.
fn two_locks(in_a_cycle: bool) -> (Status, String, Value) {
    let mut stream = TestStream::new(2);
    let mut ask = |node, lock, request, enters: bool| {
        let at = StepId { node: NodeId(node), incarnation: 1, step: 10 * request + u64::from(lock) };
        let command = CommandItem { id: 1, order: Order::Acquire { lock: LockId(lock), hold_us: None } };
        stream.push(What::Commanded { at, command, because: Vec::new(), view: None });
        let (lock, request) = (LockId(lock), RequestId(request));
        stream.outcome(at, Outcome::requested(lock, request));
        if enters {
            stream.outcome(at, Outcome::Entered { lock, request, fence: None });
        }
    };
    ask(0, 0, 1, true);
    ask(1, 1, 1, true);
    ask(0, 1, 2, false);
    if in_a_cycle {
        ask(1, 0, 2, false);
    }
    let (status, sentence) = standing(&stream);
    (status, sentence, document(&stream, 0)["verdict"]["because"]["cycle"].clone())
}

#[test]
fn a_cycle_of_locks_taken_by_hand_is_named() {
    let (status, sentence, cycle) = two_locks(true);
    assert_eq!(status, Status::WaitingForYou);
    let named = "They wait in a cycle: P0 waits for lock 1, held by P1; P1 waits for lock 0, held by P0.";
    assert!(sentence.ends_with(named), "{sentence}");
    assert_eq!(cycle, json!([{ "node": 0, "lock": 1, "on": 1 }, { "node": 1, "lock": 0, "on": 0 }]));
    let (status, sentence, cycle) = two_locks(false);
    assert_eq!((status, cycle), (Status::WaitingForYou, Value::Null));
    assert!(!sentence.contains("cycle"), "{sentence}");
}
