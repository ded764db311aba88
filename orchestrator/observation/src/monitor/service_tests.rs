//! Tests of the judgement in runs with services: only a certain overlap by the clock violates mutual exclusion.

use interlock_algorithm::NodeId;
use interlock_machine::wire::{ClientTimer, TimerName};
use interlock_model::event::{CrashCause, Json, TimerLabel, Violation, What, stream};
use interlock_model::specification::{ReadyTest, Service};

use super::{deserted, mutual_exclusion, real_time};
use crate::state::test_stream::{IDLE, TestStream};

const HOLD: TimerLabel = TimerName::Client(ClientTimer::Hold);

/// Two nodes and one process of a service, which has number 2.
fn with_a_service() -> TestStream {
    let mut stream = TestStream::new(3);
    let (name, command) = ("redis".to_owned(), vec!["redis-server".to_owned()]);
    let service = Service {
        name,
        command,
        count: 1,
        ready: ReadyTest::default(),
        protocol: None,
        within: interlock_model::span::Span(1),
    };
    stream.specification.services = vec![service];
    stream
}

/// `node` enters at `at_us`, for `hold_us`.
fn enter(stream: &mut TestStream, node: u32, at_us: u64, hold_us: u64) {
    stream.at(at_us).request(node);
    stream.enter(node);
    stream.arm(node, HOLD, hold_us);
}

fn monitors(found: &[Violation]) -> Vec<&str> {
    found.iter().map(|violation| &*violation.monitor).collect()
}

#[test]
fn an_exit_counts_from_its_input_even_if_its_report_comes_late() {
    for (left_us, expected) in [(150, [].as_slice()), (161, [real_time::NAME].as_slice())] {
        let mut stream = with_a_service();
        enter(&mut stream, 0, 100, 50);
        enter(&mut stream, 1, 160, 50);
        stream.at(left_us).exit(0);
        stream.at(210).exit(1);
        assert_eq!(monitors(&stream.violations()), expected, "P0 left at {left_us}");
    }
}

#[test]
fn without_services_happened_before_decides() {
    let mut stream = TestStream::new(3);
    enter(&mut stream, 0, 100, 50);
    stream.at(150).exit(0);
    enter(&mut stream, 1, 160, 50);
    assert_eq!(monitors(&stream.violations()), [mutual_exclusion::NAME], "P1 knows nothing of the exit");
    stream.specification.services = with_a_service().specification.services;
    assert_eq!(monitors(&stream.violations()), [] as [&str; 0], "a service may have told it");
}

#[test]
fn what_comes_from_a_service_does_not_show_that_a_program_is_inside() {
    for (from, kind, expected) in [(2, stream::DATA, [].as_slice()), (1, "TELL", [real_time::NAME].as_slice())] {
        let mut stream = with_a_service();
        enter(&mut stream, 0, 100, 50);
        enter(&mut stream, 1, 120, 50);
        let message = stream.send(from, 0, kind);
        stream.at(130).deliver_kind(message, kind);
        stream.at(115).exit(0);
        stream.at(140).fire(1, IDLE);
        stream.at(170).exit(1);
        assert_eq!(monitors(&stream.violations()), expected, "{kind} from P{from}");
    }
}

#[test]
fn a_program_that_is_paused_before_its_hold_time_ends_is_inside() {
    for (paused_us, expected) in [(149, [real_time::NAME].as_slice()), (150, [].as_slice())] {
        let mut stream = with_a_service();
        enter(&mut stream, 0, 100, 50);
        stream.at(paused_us).pause(0);
        enter(&mut stream, 1, 200, 50);
        stream.at(250).exit(1);
        assert_eq!(monitors(&stream.violations()), expected, "paused at {paused_us}");
        stream.at(300).resume(0);
        stream.at(150).exit(0);
        assert_eq!(monitors(&stream.violations()), expected, "it is reported once");
    }
}

#[test]
fn a_program_that_crashes_after_its_hold_time_may_have_left_before() {
    let crashed = |paused_us: Option<u64>| {
        let mut stream = with_a_service();
        enter(&mut stream, 0, 100, 50);
        if let Some(paused_us) = paused_us {
            stream.at(paused_us).pause(0);
        }
        enter(&mut stream, 1, 200, 50);
        stream.at(300).crash(0);
        stream.at(310).exit(1);
        stream
    };
    assert_eq!(monitors(&crashed(None).violations()), [] as [&str; 0]);
    assert_eq!(monitors(&crashed(Some(160)).violations()), [] as [&str; 0], "paused too late");
    assert_eq!(monitors(&crashed(Some(120)).violations()), [real_time::NAME], "it was paused inside");
    let mut other = crashed(None);
    other.specification.services.clear();
    assert!(monitors(&other.violations()).contains(&real_time::NAME), "without services a crash ends the section");
}

/// P0 holds the lock until 200, and P1 enters at 120. Then P0 is paused or crashes.
#[test]
fn a_program_that_had_to_release_its_lock_may_have_left() {
    let (node, incarnation) = (NodeId(0), 1);
    for (releasing, expected) in [(false, [real_time::NAME].as_slice()), (true, [].as_slice())] {
        let paused = What::Paused { node, incarnation, releasing };
        let crashed = What::Crashed { node, incarnation, cause: CrashCause::Ordered, releasing };
        for (at_us, what) in [(110, paused), (150, crashed)] {
            let mut stream = with_a_service();
            enter(&mut stream, 0, 100, 100);
            if at_us < 120 {
                stream.at(at_us).push(what.clone());
                enter(&mut stream, 1, 120, 50);
            } else {
                enter(&mut stream, 1, 120, 50);
                stream.at(at_us).push(what.clone());
            }
            stream.at(170).exit(1);
            assert_eq!(monitors(&stream.violations()), expected, "{what:?}");
        }
    }
}

/// P0 polls a lock whose lease has not expired yet, although its holder has crashed.
#[test]
fn a_wait_that_a_lease_at_a_service_ends_is_not_judged() {
    let mut stream = with_a_service();
    let retry = || TimerName::Algorithm(Json::of(&"retry").expect("JSON"));
    stream.at(0).request(0);
    for turn in 1..2_000 {
        stream.at(turn * 10_000);
        stream.arm(0, retry(), 10_000);
        stream.fire(0, retry());
    }
    assert_eq!(monitors(&stream.violations()), [] as [&str; 0]);
    stream.specification.services.clear();
    let codes: Vec<_> = stream.violations().into_iter().map(|violation| violation.code).collect();
    assert!(codes.iter().any(|code| **code == *deserted::NOBODY_ENTERS), "{codes:?}");
}
