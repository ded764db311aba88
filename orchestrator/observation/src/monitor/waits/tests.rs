//! Tests of bypass counts on manually built event streams.

use interlock_algorithm::{AbortCause, Outcome};
use serde_json::json;

use super::*;
use crate::state::test_stream::TestStream;

/// Returns the largest bypass counts in a whole stream, and the number of receipts stored at its end.
fn most(stream: &TestStream) -> (Passed, usize) {
    let mut waits = Waits::new(&stream.specification);
    let mut most = Passed { since_request: 0, since_arrival: 0 };
    for event in &stream.events {
        waits.observe(event, |change| {
            if let Change::Over(passed) = change {
                most = most.max(passed);
            }
        });
    }
    (waits.iter().map(|wait| waits.passed(wait)).fold(most, Passed::max), waits.awaited.len())
}

fn passes(stream: &mut TestStream, node: u32) {
    stream.request(node);
    stream.enter(node);
    stream.exit(node);
}

#[test]
fn a_request_that_is_passed_on_has_arrived_where_it_stops() {
    let mut stream = TestStream::new(4);
    stream.request(0);
    let first = stream.send(0, 1, "ANY");
    passes(&mut stream, 3);
    stream.deliver(first);
    let onwards = stream.send(1, 2, "ANY");
    passes(&mut stream, 3);
    assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 0 });
    stream.deliver(onwards);
    passes(&mut stream, 3);
    assert_eq!(most(&stream).0, Passed { since_request: 3, since_arrival: 1 });
}

#[test]
fn a_message_to_the_requester_or_of_another_kind_carries_nothing_on() {
    for (to, kind) in [(0, "ANY"), (2, "OTHER")] {
        let mut stream = TestStream::new(4);
        stream.request(0);
        let request = stream.send(0, 1, "ANY");
        stream.deliver(request);
        stream.send(1, to, kind);
        passes(&mut stream, 3);
        assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 1 });
    }
}

#[test]
fn a_lost_request_never_arrives() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    let request = stream.send(0, 1, "REQUEST");
    stream.lose(request);
    passes(&mut stream, 1);
    assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 0 });
}

/// P0 sends its request to the processes `to`. If `before`, P2 has crashed before P0 makes the request. Otherwise
/// P2 crashes while the messages are in transit. P1 enters once before the delivery of the messages, and once after
/// it.
fn asked_of_a_crashed_process(algorithm: &str, before: bool, to: &[u32]) -> TestStream {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = algorithm.to_owned();
    if before {
        stream.crash(2);
    }
    stream.request(0);
    let sent: Vec<MessageId> = to.iter().map(|&to| stream.send(0, to, "REQUEST")).collect();
    passes(&mut stream, 1);
    if !before {
        stream.crash(2);
    }
    for message in sent {
        if message.to == NodeId(1) {
            stream.deliver(message);
        } else {
            stream.push(What::dropped(message, "ANY".into(), interlock_model::event::DropReason::Crashed));
        }
    }
    passes(&mut stream, 1);
    stream
}

#[test]
fn a_request_to_all_has_arrived_where_a_crashed_process_is_the_only_one_missing() {
    for before in [true, false] {
        for algorithm in ["ricart-agrawala", "suzuki-kasami"] {
            let (passed, left) = most(&asked_of_a_crashed_process(algorithm, before, &[1, 2]));
            assert_eq!(passed, Passed { since_request: 2, since_arrival: 1 }, "{algorithm} {before}");
            assert_eq!(left, 1, "it may come back");
        }
    }
}

#[test]
fn a_request_that_no_live_process_has_or_to_some_has_not_arrived_at_a_crashed_one() {
    for before in [true, false] {
        for (algorithm, to) in [("raymond", &[2][..]), ("maekawa", &[2]), ("centralised", &[2])] {
            let (passed, _) = most(&asked_of_a_crashed_process(algorithm, before, to));
            assert_eq!(passed, Passed { since_request: 2, since_arrival: 0 }, "{algorithm} {before}");
        }
    }
    let mut quorum = TestStream::new(4);
    quorum.crash(2);
    quorum.request(0);
    let sent = [1, 2].map(|to| quorum.send(0, to, "REQUEST"));
    quorum.deliver(sent[0]);
    passes(&mut quorum, 1);
    assert_eq!(most(&quorum).0, Passed { since_request: 1, since_arrival: 0 }, "the crashed one may be needed");
}

#[test]
fn a_request_that_a_restarted_process_takes_has_arrived_then() {
    let mut stream = TestStream::new(3);
    stream.crash(2);
    stream.request(0);
    let sent = [1, 2].map(|to| stream.send(0, to, "REQUEST"));
    stream.deliver(sent[0]);
    passes(&mut stream, 1);
    stream.restart(2, interlock_model::event::RestartState::Stored);
    stream.start(2);
    stream.deliver(sent[1]);
    passes(&mut stream, 1);
    assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 1 });
}

/// P0 requests lock 0. In the same step it sends P1 a message that names lock 1 or lock 0, and that is lost.
#[test]
fn a_message_about_another_lock_is_not_awaited() {
    for (named, since_arrival) in [(1, 1), (0, 0)] {
        let mut stream = TestStream::new(2);
        stream.specification.locks = 2;
        let early = says(&mut stream, 1, named, "RELEASE");
        asks(&mut stream, 1, &[(0, 1)]);
        let late = says(&mut stream, 1, named, "RELEASE");
        for lost in [early, late] {
            stream.lose(lost);
        }
        enters(&mut stream, 1, 0, 1);
        assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival });
    }
}

#[test]
fn in_the_bakery_the_doorway_counts() {
    for (kind, times) in [("READ", 2), ("WRITE", 3)] {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "bakery".to_owned();
        stream.request(0);
        for time in 1..=times {
            stream.multicast(0, kind);
            passes(&mut stream, 1);
            let since_arrival = u64::from(time == times);
            assert_eq!(most(&stream).0, Passed { since_request: time, since_arrival }, "{kind}");
            let word = stream.send(1, 0, "ACK");
            stream.deliver(word);
        }
    }
}

/// Returns the id of a step of a node's first incarnation.
fn step(node: u32, step: u64) -> StepId {
    StepId { node: NodeId(node), incarnation: 1, step }
}

/// In step `at`, P0 requests the locks in `asked`. Each pair consists of a lock and the number of the request.
fn asks(stream: &mut TestStream, at: u64, asked: &[(u32, u64)]) {
    for &(lock, request) in asked {
        stream.outcome(step(0, at), Outcome::requested(LockId(lock), RequestId(request)));
    }
}

/// In step `at`, P0 sends P1 a message about a lock.
fn says(stream: &mut TestStream, at: u64, lock: u32, kind: &'static str) -> MessageId {
    let (at, to) = (step(0, at), NodeId(1));
    let message = MessageId { from: at.node, to, number: stream.events.len() as u64, copy: 0 };
    let body = Json::of(&json!({ "lock": lock, "message": {} })).expect("JSON");
    stream.push(What::Sent { at, message, to, message_kind: kind.into(), body, due_us: None, rule: None });
    message
}

fn enters(stream: &mut TestStream, node: u32, lock: u32, request: u64) {
    let (at, request) = (step(node, 1_000), RequestId(request));
    stream.outcome(at, Outcome::Entered { lock: LockId(lock), request, fence: None });
}

#[test]
fn in_the_bakery_the_doorway_of_one_lock_is_not_that_of_another() {
    for (kind, times) in [("READ", 2), ("WRITE", 3)] {
        let mut stream = TestStream::new(2);
        (stream.specification.algorithm, stream.specification.locks) = ("bakery".to_owned(), 2);
        asks(&mut stream, 1, &[(1, 1)]);
        asks(&mut stream, 2, &[(0, 2)]);
        for at in 2..2 + times {
            says(&mut stream, 2 * at, 1, kind);
            enters(&mut stream, 1, 0, at);
            assert_eq!(most(&stream).0, Passed { since_request: at - 1, since_arrival: 0 }, "{kind}");
            says(&mut stream, 2 * at + 1, 0, kind);
        }
        enters(&mut stream, 1, 0, 9);
        assert_eq!(most(&stream).0, Passed { since_request: times + 1, since_arrival: 1 }, "{kind}");
    }
}

/// P0 waits for both locks. P1 enters lock `often` twice and lock `once` once. Then P0 enters lock `once`, so later
/// entries of P1 to this lock are not bypasses. Another entry of P1 to lock `often` is a bypass.
#[test]
fn a_process_that_asks_for_several_locks_waits_for_each() {
    for (first, second) in [(&[(0, 1), (1, 1)][..], &[][..]), (&[(0, 1)], &[(1, 2)])] {
        for (often, once) in [(0, 1), (1, 0)] {
            let mut stream = TestStream::new(2);
            asks(&mut stream, 1, first);
            asks(&mut stream, 2, second);
            for (request, lock) in [(1, often), (2, once), (3, often)] {
                enters(&mut stream, 1, lock, request);
            }
            assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 2 });
            let request = |lock| first.iter().chain(second).find(|asked| asked.0 == lock).expect("it is asked for").1;
            enters(&mut stream, 0, once, request(once));
            (4..8).for_each(|request| enters(&mut stream, 1, once, request));
            enters(&mut stream, 1, often, 8);
            assert_eq!(most(&stream).0, Passed { since_request: 3, since_arrival: 3 });
        }
    }
}

#[test]
fn requests_of_one_step_arrive_together() {
    let mut stream = TestStream::new(2);
    asks(&mut stream, 1, &[(0, 1)]);
    let words = [0, 1].map(|lock| says(&mut stream, 1, lock, "REQUEST"));
    asks(&mut stream, 1, &[(1, 1)]);
    for (number, word) in (1..).zip(words) {
        for lock in [0, 1] {
            enters(&mut stream, 1, lock, number);
        }
        stream.deliver(word);
    }
    for lock in [0, 1] {
        enters(&mut stream, 1, lock, 3);
    }
    assert_eq!(most(&stream), (Passed { since_request: 3, since_arrival: 1 }, 0));
    let mut waits = Waits::new(&stream.specification);
    let mut arrived = Vec::new();
    stream.events.iter().for_each(|event| waits.observe(event, |change| arrived.push(change)));
    // The first notification precedes the first message, since a request without messages arrives at once. The second
    // comes when both messages have been received.
    assert_eq!(arrived, [Change::Arrived(step(0, 1)); 2]);
    assert_eq!((waits.of(step(0, 1)).count(), waits.alive), (2, 0));
}

/// If a message belongs to the requests for two locks in one step, and is lost, its receipt is counted once.
#[test]
fn receipts_of_requests_of_one_step_do_not_pile_up() {
    let mut stream = TestStream::new(2);
    for time in 1..=1_025 {
        asks(&mut stream, time, &[(0, time), (1, time)]);
        let lost = says(&mut stream, time, 0, "REQUEST");
        stream.lose(lost);
        stream.crash(0);
    }
    assert_eq!(most(&stream).1, 0);
}

/// P0 requests two units of a lock. P1 enters, and then P0 enters the second unit, which bypasses no process.
#[test]
fn of_several_units_of_a_lock_the_wait_for_the_first_is_followed() {
    let mut stream = TestStream::new(2);
    asks(&mut stream, 1, &[(0, 1), (0, 2)]);
    enters(&mut stream, 1, 0, 1);
    enters(&mut stream, 0, 0, 2);
    assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 1 });
    enters(&mut stream, 1, 0, 2);
    assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 2 });
    enters(&mut stream, 0, 0, 1);
    enters(&mut stream, 1, 0, 3);
    assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 2 });
}

/// A simulation that reads bodies needs more time for each message, so bodies are read only if they are needed.
#[test]
fn bodies_are_read_only_where_there_are_several_locks() {
    let reads = |algorithm: &str, locks| {
        let mut specification = TestStream::new(3).specification;
        (specification.algorithm, specification.locks) = (algorithm.to_owned(), locks);
        Waits::reads_bodies(&specification)
    };
    assert!(reads("bakery", 2) && reads("ricart-agrawala", 2));
    assert!(!reads("bakery", 1) && !reads("ricart-agrawala", 1));
}

/// P0's wait ends with a crash or an abort. P1 enters both before and after that.
#[test]
fn a_crash_or_an_abort_ends_the_wait() {
    let ends: [fn(&mut TestStream); 2] = [
        |stream| _ = stream.crash(0),
        |stream| {
            let at = StepId { node: NodeId(0), incarnation: 1, step: 2 };
            stream.outcome(at, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
        },
    ];
    for end in ends {
        let mut stream = TestStream::new(2);
        stream.request(0);
        passes(&mut stream, 1);
        end(&mut stream);
        passes(&mut stream, 1);
        assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 1 });
    }
}

/// P0 makes a request with `messages` messages, which are all lost, and crashes. P0 repeats this until it has made
/// `times` requests.
fn in_vain(stream: &mut TestStream, times: usize, messages: u32) {
    for _ in 0..times {
        stream.request(0);
        for to in 1..=messages {
            let lost = stream.send(0, to, "REQUEST");
            stream.lose(lost);
        }
        stream.crash(0);
    }
}

#[test]
fn a_bounded_number_of_old_receipts_is_kept() {
    for (messages, times, spared) in [(1, 1_024, 1_024), (1, 1_025, 0), (3, 341, 1_023), (3, 342, 0)] {
        let mut stream = TestStream::new(4);
        in_vain(&mut stream, times, messages);
        assert_eq!(most(&stream).1, spared, "{messages} messages, {times} times");
    }
}

/// Requests that arrived and were granted must leave no receipts behind, and must not increase the limit of receipts.
#[test]
fn granted_requests_leave_no_receipts() {
    let mut stream = TestStream::new(2);
    for _ in 0..1_000 {
        stream.request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.deliver(request);
        stream.enter(0);
        stream.exit(0);
    }
    in_vain(&mut stream, 1_025, 1);
    assert_eq!(most(&stream).1, 0);
}

/// While P0's requests end, the request of P1 stays open and has not arrived. Its receipts must not be removed.
#[test]
fn receipts_of_open_waits_are_kept() {
    let mut stream = TestStream::new(4);
    stream.request(1);
    let requests = [2, 3].map(|to| stream.send(1, to, "REQUEST"));
    in_vain(&mut stream, 1_100, 1);
    passes(&mut stream, 3);
    for request in requests {
        stream.deliver(request);
    }
    passes(&mut stream, 3);
    assert_eq!(most(&stream), (Passed { since_request: 2, since_arrival: 1 }, 73));
}

#[test]
fn old_receipts_do_not_pile_up() {
    let mut stream = TestStream::new(2);
    for _ in 0..2 * SPARE_RECEIPTS {
        stream.request(0);
        let lost = stream.send(0, 1, "REQUEST");
        stream.lose(lost);
        stream.crash(0);
    }
    assert!(most(&stream).1 <= SPARE_RECEIPTS + 1);
}

/// P0 requests a token from the processes `asked`, and the processes `heard` receive its request. Returns the live
/// processes that have not received the request.
fn not_reached(nodes: u32, before: fn(&mut TestStream), asked: &[u32], heard: &[u32]) -> Option<Vec<u32>> {
    let mut stream = TestStream::new(nodes);
    stream.specification.algorithm = "suzuki-kasami".to_owned();
    before(&mut stream);
    stream.request(0);
    let sent: Vec<MessageId> = asked.iter().map(|&to| stream.send(0, to, "REQUEST")).collect();
    for message in sent.into_iter().filter(|message| heard.contains(&message.to.0)) {
        stream.deliver(message);
    }
    let mut waits = Waits::new(&stream.specification);
    stream.events.iter().for_each(|event| waits.observe(event, |_| ()));
    let wait = waits.iter().find(|wait| wait.step.node == NodeId(0))?;
    let mut missing: Vec<u32> = waits.not_reached(wait)?.into_iter().map(|node| node.0).collect();
    missing.sort_unstable();
    Some(missing)
}

#[test]
fn the_processes_that_a_request_for_a_token_has_not_reached_are_known_once_it_has_reached_one() {
    assert_eq!(not_reached(4, |_| (), &[1, 2, 3], &[1]), Some(vec![2, 3]));
    assert_eq!(not_reached(4, |_| (), &[1, 2, 3], &[]), None, "it has reached no process");
    assert_eq!(not_reached(4, |_| (), &[1, 2], &[1]), None, "it was not sent to all");
    let crashed = |stream: &mut TestStream| _ = stream.crash(3);
    assert_eq!(not_reached(4, crashed, &[1, 2, 3], &[1]), Some(vec![2]), "P3 has crashed");
    let restarted = |stream: &mut TestStream| {
        stream.crash(3);
        stream.restart(3, interlock_model::event::RestartState::Stored);
        stream.start(3);
    };
    assert_eq!(not_reached(4, restarted, &[1, 2, 3], &[1]), Some(vec![2, 3]), "P3 runs again");
}

#[test]
fn many_processes_that_a_request_has_not_reached_are_not_listed() {
    let all: Vec<u32> = (1..67).collect();
    let missing = |heard: &[u32]| not_reached(67, |_| (), &all, heard).map(|missing| missing.len());
    assert_eq!((missing(&[1]), missing(&[1, 2])), (None, Some(64)));
}
