//! Tests of leases. After a lease is taken back, the critical section counts as ended for all processes except its
//! holder.

use interlock_algorithm::{NodeId, Outcome, RequestId};

use super::{mutual_exclusion, real_time, sentence};
use crate::state::test_stream::{LOCK, TestStream};
use interlock_model::event::StepId;

/// Returns the number of violations by happened-before and the number of violations in real time.
fn counts(stream: &TestStream) -> (usize, usize) {
    let found = stream.violations();
    let of = |monitor: &str| found.iter().filter(|violation| *violation.monitor == *monitor).count();
    (of(mutual_exclusion::NAME), of(real_time::NAME))
}

/// P0, which keeps the leases, takes back the lease of P1's first request.
fn expire(stream: &mut TestStream) {
    let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
    stream.outcome(at, Outcome::Expired { lock: LOCK, holder: NodeId(1), request: RequestId(1) });
}

/// Returns a stream whose algorithm has leases.
fn with_leases() -> TestStream {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = "replicated-lock".to_owned();
    stream
}

/// P1 enters. If `takes_back`, P0 takes P1's lease back. If `hears`, P2 receives a message from P0. P2 enters while P1
/// is still inside. P1 leaves, and then P2 leaves.
fn second_grant(takes_back: bool, hears: bool) -> TestStream {
    let mut stream = with_leases();
    stream.at(100).request(1);
    stream.enter(1);
    stream.at(300).request(2);
    if takes_back {
        stream.at(400);
        expire(&mut stream);
    }
    let word = stream.send(0, 2, "GRANT");
    stream.at(500);
    if hears {
        stream.deliver(word);
    }
    stream.enter(2);
    stream.at(600).exit(1);
    stream.at(700).exit(2);
    stream
}

#[test]
fn who_enters_after_a_lease_was_taken_back_is_right() {
    assert_eq!(counts(&second_grant(true, true)), (0, 0));
}

#[test]
fn a_second_grant_is_wrong_where_the_lease_was_not_taken_back_or_nobody_said_so() {
    assert_eq!(counts(&second_grant(false, true)), (1, 1));
    assert_eq!(counts(&second_grant(true, false)), (1, 0), "they did not overlap in real time");
}

#[test]
fn a_holder_that_outstays_its_lease_is_inside_at_the_same_time() {
    let said = |stream: TestStream| stream.violations().iter().map(sentence).collect::<String>();
    assert!(said(second_grant(true, false)).contains("at the same time"));
    let mut stream = TestStream::new(3);
    stream.at(100).request(1);
    stream.enter(1);
    stream.at(200);
    expire(&mut stream);
    stream.at(300).exit(1);
    stream.at(400).request(2);
    stream.enter(2);
    assert!(said(stream).contains("neither knew that the other had left"));
}

#[test]
fn who_enters_late_by_a_lease_that_was_taken_back_disturbs_nobody() {
    let mut stream = with_leases();
    stream.at(100).request(1);
    let late = stream.send(0, 1, "GRANT");
    stream.at(200);
    expire(&mut stream);
    let word = stream.send(0, 2, "GRANT");
    stream.at(300).request(2);
    stream.deliver(word);
    stream.enter(2);
    stream.at(400).deliver(late);
    stream.enter(1);
    stream.at(500).exit(1);
    stream.at(600).exit(2);
    assert_eq!(counts(&stream), (0, 0));
}

#[test]
fn who_is_granted_again_after_its_lease_was_taken_back_counts_again() {
    let mut stream = with_leases();
    stream.at(100).request(1);
    expire(&mut stream);
    let again = stream.send(0, 1, "GRANT");
    stream.at(200).deliver(again);
    stream.enter(1);
    stream.at(300).request(2);
    let word = stream.send(0, 2, "GRANT");
    stream.at(400).deliver(word);
    stream.enter(2);
    assert_eq!(counts(&stream).0, 1, "nobody took the second lease back");
}

#[test]
fn a_lease_may_be_taken_back_after_its_holder_has_left_or_died() {
    for dies in [false, true] {
        let mut stream = with_leases();
        stream.at(100).request(1);
        stream.enter(1);
        stream.at(200);
        if dies {
            stream.crash(1);
        } else {
            stream.exit(1);
        }
        stream.at(300);
        expire(&mut stream);
        let word = stream.send(0, 2, "GRANT");
        stream.at(400).request(2);
        stream.deliver(word);
        stream.enter(2);
        stream.at(500).exit(2);
        assert_eq!(counts(&stream), (0, 0), "dies: {dies}");
    }
}

/// P1 leaves, and then its lease is taken back. While P2 is inside, P1 enters again without knowing that its lease has
/// expired.
#[test]
fn a_lease_that_is_taken_back_after_its_holder_has_left_excuses_no_later_section() {
    let mut stream = with_leases();
    stream.at(100).request(1);
    stream.enter(1);
    stream.at(200).exit(1);
    expire(&mut stream);
    let word = stream.send(0, 2, "GRANT");
    stream.at(300).request(2);
    stream.deliver(word);
    stream.enter(2);
    stream.at(400).request(1);
    stream.enter(1);
    assert_eq!(counts(&stream).0, 1);
}
