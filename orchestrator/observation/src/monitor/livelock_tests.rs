//! Tests of starvation by aborts, and of the time from which aborts count towards a livelock.

use interlock_algorithm::{LockId, Outcome, RequestId};
use serde_json::json;

use super::deadlock_tests::Stream;
use super::{livelock, sentence};
use interlock_model::event::What;

/// P1 completes `before` requests. Then P0 is aborted `aborts` times. Between the first two aborts, P1 completes
/// `passed` requests.
fn starved(before: u64, aborts: u64, passed: u64) -> Stream {
    let mut stream = Stream::new("wait-die", "timestamp-renewed", &json!({}));
    for request in 0..before {
        done(&mut stream, request + 1);
    }
    stream.have(0, 0).ask(0, 1).abort(0, 0);
    for request in before..before + passed {
        done(&mut stream, request + 1);
    }
    // The next step completes P1's latest request.
    for _ in 1..aborts {
        stream.have(0, 0).ask(0, 1).abort(0, 0);
    }
    stream
}

/// P1 requests lock 1, enters and leaves.
fn done(stream: &mut Stream, number: u64) {
    done_with(stream, 1, number);
}

/// P1 requests this lock, enters and leaves.
fn done_with(stream: &mut Stream, lock: u32, number: u64) {
    let (lock, request) = (LockId(lock), RequestId(number));
    let (first, second) = (stream.next(1), stream.next(1));
    stream.outcome(first, Outcome::requested(lock, request));
    stream.outcome(first, Outcome::Entered { lock, request, fence: None });
    stream.outcome(second, Outcome::Exited { lock, request });
}

#[test]
fn who_is_aborted_often_while_others_are_done_often_starves() {
    let stream = starved(0, 50, 151);
    assert_eq!(stream.codes(), [livelock::STARVATION]);
    let said = "P0 starves: its request 1 was aborted 50 times while 151 others were completed.";
    assert_eq!(sentence(&stream.found()[0]), said);
    assert_eq!(starved(0, 49, 151).codes(), [""; 0], "not so often aborted");
    assert_eq!(starved(0, 49, 1_000).codes(), [""; 0]);
    assert_eq!(starved(0, 50, 150).codes(), [""; 0], "50 for each of three nodes are not too many");
    assert_eq!(starved(200, 50, 10).codes(), [""; 0], "who was done before is not in the way");
}

/// P0 wants locks 1 and 2 together. Before P0 is aborted for the first time, P1 completes 200 requests for lock 1.
#[test]
fn who_wants_two_locks_is_blocked_by_the_lock_whose_requests_are_completed_least() {
    let codes = |since: &[u32]| {
        let mut stream = Stream::new("wait-die", "timestamp-renewed", &json!({}));
        (1..=200).for_each(|number| done_with(&mut stream, 1, number));
        for aborts in 0..50 {
            stream.have(0, 0).ask(0, 1).ask(0, 2).abort(0, 0);
            if aborts == 0 {
                let completed = (201..352).flat_map(|number| since.iter().map(move |lock| (*lock, number)));
                completed.for_each(|(lock, number)| done_with(&mut stream, lock, number));
            }
        }
        stream.codes()
    };
    assert_eq!(codes(&[2]), [""; 0], "nobody has lock 1 in the meantime");
    assert_eq!(codes(&[1, 2]), [livelock::STARVATION]);
}

/// P1 leaves the section at 0 ms. P0 enters at 1 ms, and this step completes P1's request. With three nodes and
/// messages that take 100 µs, a livelock is reported if it lasts more than ten hops after 1 ms.
#[test]
fn a_livelock_is_counted_from_when_somebody_was_done() {
    let told = |last_us: u64| {
        let mut stream = Stream::new("prevention", "give-way", &json!({}));
        let at = stream.next(0);
        let message = interlock_machine::message_id::MessageId { from: at.node, to: at.node, number: 1, copy: 0 };
        let (to, body) = (at.node, interlock_model::event::Json::NULL);
        stream.push(What::Sent { at, message, to, message_kind: "ANY".into(), body, due_us: Some(100), rule: None });
        stream.ask(0, 0);
        done(&mut stream, 1);
        stream.at(1_000);
        let entry = stream.next(0);
        stream.outcome(entry, Outcome::Entered { lock: LockId(0), request: RequestId(1), fence: None });
        for time in 1..livelock::PATIENCE {
            stream.at(1_000 + time).ask(0, 1).abort(0, 0);
        }
        stream.at(last_us).ask(0, 1).abort(0, 0);
        stream.codes()
    };
    assert_eq!(told(2_000), [""; 0]);
    assert_eq!(told(2_001), [livelock::LIVELOCK]);
}

/// P1 completes three requests. Before each completion, P0 is aborted ten times, so ten aborts are usual. A livelock
/// needs twenty times as many.
#[test]
fn what_takes_many_tries_each_time_is_no_livelock_before_it_has_taken_far_more() {
    let mut stream = Stream::new("prevention", "give-way", &json!({}));
    let mut now_us = 0;
    let mut rounds = |stream: &mut Stream, times: u64| {
        for _ in 0..times {
            now_us += 1;
            stream.at(now_us).have(0, 0).ask(0, 1).abort(0, 0);
        }
        stream.codes().len()
    };
    for request in 1..=3 {
        rounds(&mut stream, 10);
        done(&mut stream, request);
    }
    assert_eq!(rounds(&mut stream, 10 * livelock::FACTOR - 1), 0);
    assert_eq!(rounds(&mut stream, 1), 1);
    let said = "Livelock: requests of P0 were aborted 200 times, and none was completed in the meantime.";
    assert_eq!(sentence(&stream.found()[0]), said);
}

fn configure_loss(stream: &mut Stream, loss: f64) {
    let setting = interlock_model::network::LinkSetting { loss, ..interlock_model::network::LinkSetting::default() };
    let change = interlock_model::event::Change {
        subject: "default".into(),
        id: None,
        value: serde_json::to_value(setting).ok(),
    };
    stream.push(What::Configured { change });
}

/// A process is aborted `before` times while messages are lost with the probability `loss`, and `after` times once
/// the loss has ended. Meanwhile other processes complete `passed` requests. Returns the codes of the violations
/// that were found.
fn aborted_around_a_change(loss: f64, [before, after]: [u64; 2], passed: u64) -> Vec<String> {
    let variant = if passed > 0 { ("wait-die", "timestamp-renewed") } else { ("prevention", "give-way") };
    let mut stream = Stream::new(variant.0, variant.1, &json!({}));
    configure_loss(&mut stream, loss);
    let mut now_us = 10_000_000;
    let mut aborts = |stream: &mut Stream, times: u64| {
        for _ in 0..times {
            now_us += 1;
            stream.at(now_us).have(0, 0).ask(0, 1).abort(0, 0);
        }
    };
    aborts(&mut stream, 1);
    (1..=passed).for_each(|request| done(&mut stream, request));
    aborts(&mut stream, before - 1);
    configure_loss(&mut stream, 0.0);
    aborts(&mut stream, 1);
    (1..=passed).for_each(|request| done(&mut stream, 1_000 + request));
    aborts(&mut stream, after - 1);
    stream.codes()
}

#[test]
fn aborts_before_another_loss_do_not_count() {
    let livelock = |loss, around| aborted_around_a_change(loss, around, 0);
    assert_eq!(livelock(0.0, [49, 1]), [livelock::LIVELOCK]);
    assert_eq!(livelock(0.5, [49, 49]), [""; 0]);
    assert_eq!(livelock(0.5, [49, 50]), [livelock::LIVELOCK]);
    let starves = |loss, around| aborted_around_a_change(loss, around, 151);
    assert_eq!(starves(0.0, [49, 1]), [livelock::STARVATION]);
    assert_eq!(starves(0.5, [49, 49]), [""; 0]);
    assert_eq!(starves(0.5, [49, 50]), [livelock::STARVATION]);
}
