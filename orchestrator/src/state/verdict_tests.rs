use serde_json::json;

use super::Status;
use super::test_stream::{HOLD, IDLE, TestStream, contended, document, violated};
use crate::event::{DropReason, Ending, RestartState, What};
use crate::monitor::stuck;

/// Two nodes; P1 wants. What else is the case, and how the run stands then.
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
    ("moving at the end", Status::Ok, |stream| {
        let message = stream.send(1, 0, "REQUEST");
        stream.push(What::Dropped { message, why: DropReason::Ended });
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
fn a_wait_is_slow_only_after_a_while_and_only_if_something_moves() {
    let mut stream = contended();
    stream.specification.slow_after_ms = 100;
    assert_eq!(stream.state().verdict(100_020, 0).status, Status::Ok);
    assert_eq!(stream.state().verdict(100_021, 0).status, Status::Slow);
    let because = &document(&stream, 200_020)["verdict"]["because"];
    assert_eq!(
        *because,
        json!({ "code": "slow", "node": 1, "lock": 0, "since_us": 20, "waited_ms": 200,
                "sentence": "P1 has been waiting for lock 0 for 200 ms, though something still moves." })
    );
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
    let sentence = "P1 waits and nothing moves by itself: deliver one of the 2 held messages, or resume P2.";
    assert_eq!(because["sentence"], sentence);

    let mut stream = TestStream::new(3);
    stream.at(10).request(1);
    stream.crash(0);
    stream.crash(2);
    let because = document(&stream, 3_000)["verdict"]["because"].clone();
    assert_eq!((&because["code"], &because["dead"]), (&json!("quiescent"), &json!([0, 2])));
    assert_eq!(because["waiting"], json!([{ "node": 1, "lock": 0, "request": 1, "since_us": 10, "seq": 5 }]));
    let sentence = because["sentence"].as_str().expect("a sentence");
    assert!(sentence.starts_with("P1 waits for ever") && sentence.ends_with("P0 and P2 are dead."), "{sentence}");
    assert_eq!(because.get("held"), None);
}

#[test]
fn the_first_rule_broken_stays_the_reason() {
    let mut stream = contended();
    stream.push(violated(stuck::NAME));
    stream.push(violated("mutual-exclusion"));
    stream.push(violated("real-time"));
    let verdict = &document(&stream, 3_000)["verdict"];
    assert_eq!((&verdict["status"], &verdict["violations"]), (&json!("violated"), &json!(3)));
    assert_eq!(verdict["because"]["sentence"], r#"The rule `mutual-exclusion` was broken: code {"first":1}."#);
}
