//! Tests of pairs of sections in real time. If both sections of an overlapping pair are still stored, the pair must be
//! reported once, as soon as the overlap is certain.

use interlock_algorithm::{NodeId, Outcome, RequestId};

use super::finding::Monitor;
use super::interventions::Interventions;
use super::real_time::RealTime;
use crate::state::test_stream::{IDLE, LOCK, TestStream};
use interlock_model::event::{Event, StepId, Violation};

fn found(stream: &TestStream) -> Vec<Violation> {
    let (mut monitor, mut found) = (RealTime::new(&stream.specification), Vec::new());
    stream.events.iter().for_each(|event: &Event| monitor.observe(event, &Interventions::default(), &mut found));
    found
}

#[test]
fn two_who_take_steps_inside_are_told_of_once_while_they_are_inside() {
    let mut stream = TestStream::new(2);
    stream.at(100).request(0);
    stream.enter(0);
    stream.at(150).request(1);
    stream.enter(1);
    stream.at(200).fire(0, IDLE);
    assert_eq!(found(&stream), [], "P1 may have left at once");
    stream.at(210).fire(1, IDLE);
    assert_eq!(found(&stream).len(), 1, "both were inside from 150 to 200");
    stream.at(220).fire(0, IDLE);
    stream.at(230).fire(1, IDLE);
    stream.at(240).exit(0);
    stream.at(250).exit(1);
    assert_eq!(found(&stream).len(), 1);
}

/// P0 is in the section, and P1 enters and leaves `sections` times meanwhile. Only after that does P0 report its exit.
#[test]
fn of_the_sections_of_others_four_for_each_node_are_remembered() {
    for (sections, told) in [(7, 7), (8, 8), (9, 8)] {
        let mut stream = TestStream::new(2);
        stream.at(100).request(0);
        stream.enter(0);
        for section in 0..sections {
            stream.at(200 + 10 * section).request(1);
            stream.enter(1);
            stream.at(205 + 10 * section).exit(1);
        }
        stream.at(1_000).exit(0);
        let found = found(&stream);
        assert_eq!(found.len(), told, "{sections}");
        let of_the_last = &found.last().expect("a violation").arguments["from_us"];
        assert_eq!(*of_the_last, 200 + 10 * (sections - 1), "the latest are");
    }
}

/// The leases of P1's first `leases` requests are taken back before P1 enters. P1 then enters for the first of these
/// requests, while P0 is inside. Returns the number of violations.
fn late(leases: u64) -> usize {
    let mut stream = TestStream::new(2);
    for request in (1..=leases).map(RequestId) {
        let at = StepId { node: NodeId(0), incarnation: 1, step: request.0 };
        stream.outcome(at, Outcome::Expired { lock: LOCK, holder: NodeId(1), request });
    }
    stream.at(100).request(0);
    stream.enter(0);
    stream.at(150).request(1);
    stream.enter(1);
    stream.at(200).exit(1);
    stream.at(250).exit(0);
    found(&stream).len()
}

#[test]
fn of_the_leases_that_were_taken_back_before_an_entry_four_for_each_node_are_remembered() {
    assert_eq!([late(0), late(1), late(7), late(8), late(9)], [1, 0, 0, 0, 1]);
}
