//! Tests of inversions and of bounded waiting.

use interlock_algorithm::{AbortCause, NodeId, Outcome, RequestId};
use proptest::prelude::*;

use super::{MetricsDocument, TripsDocument};
use crate::state::test_stream::{TestStream, play};
use interlock_model::event::{Event, StepId, What};

fn document(stream: &TestStream) -> MetricsDocument {
    stream.metrics().document()
}

/// P0 requests at 1 ms and P1 at 2 ms, with these timestamps. P1 enters first. Returns the inversions by timestamp and
/// in real time.
fn second_enters_first(timestamps: [u64; 2]) -> [Option<u64>; 2] {
    let mut stream = TestStream::new(2);
    stream.at(1_000).request_stamped(0, timestamps[0]);
    stream.at(2_000).request_stamped(1, timestamps[1]);
    stream.at(3_000).enter(1);
    stream.at(4_000).exit(1);
    stream.at(5_000).enter(0);
    let MetricsDocument { timestamp_inversions, real_time_inversions, .. } = document(&stream);
    [timestamp_inversions, real_time_inversions]
}

#[test]
fn timestamps_and_real_time_are_two_orders() {
    assert_eq!(second_enters_first([3, 5]), [Some(1), Some(1)]);
    assert_eq!(second_enters_first([5, 3]), [Some(0), Some(1)]);
    assert_eq!(second_enters_first([4, 4]), [Some(1), Some(1)], "of equal timestamps, that of P0 is smaller");
}

#[test]
fn requests_made_at_the_same_time_have_no_order() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    stream.request(1);
    stream.enter(1);
    assert_eq!(document(&stream).real_time_inversions, Some(0));
}

#[test]
fn without_timestamps_there_is_no_count_of_them() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    stream.enter(0);
    assert_eq!(document(&stream).timestamp_inversions, None, "its algorithm has timestamps, but reported none");
    stream.request_stamped(1, 3);
    assert_eq!(document(&stream).timestamp_inversions, Some(0));
    stream.specification.algorithm = "le-lann".to_owned();
    stream.specification.variant = "original".to_owned();
    assert_eq!(document(&stream).timestamp_inversions, None);
}

#[test]
fn a_request_that_has_ended_is_not_passed_over() {
    let passed = |ends: &dyn Fn(&mut TestStream)| {
        let mut stream = TestStream::new(2);
        stream.at(1_000).request_stamped(0, 1);
        ends(&mut stream);
        stream.at(2_000).request_stamped(1, 2);
        stream.enter(1);
        let MetricsDocument { timestamp_inversions, real_time_inversions, .. } = document(&stream);
        [timestamp_inversions, real_time_inversions]
    };
    let abort = |stream: &mut TestStream| {
        let at = StepId { node: NodeId(0), incarnation: 1, step: 9 };
        stream.outcome(at, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
    };
    assert_eq!(passed(&|_| {}), [Some(1); 2]);
    assert_eq!(passed(&|stream| _ = stream.crash(0)), [Some(0); 2]);
    assert_eq!(passed(&abort), [Some(0); 2]);
}

#[test]
fn bounded_waiting_counts_entries_of_others_between_two_trips() {
    let mut stream = TestStream::new(3);
    let between = |stream: &TestStream| document(stream).entries_between;
    let trips = |stream: &mut TestStream, nodes: &[u32]| {
        for &node in nodes {
            stream.request(node);
            stream.enter(node);
            stream.exit(node);
        }
    };
    trips(&mut stream, &[0, 1, 2]);
    assert_eq!(between(&stream), TripsDocument::default(), "no process has entered twice");
    trips(&mut stream, &[0, 0, 2, 2, 2]);
    // P0: 2 and 0. P2: 2, 0 and 0.
    assert_eq!(between(&stream), TripsDocument { count: 5, mean: Some(0.8), max: Some(2) });
    stream.crash(1);
    trips(&mut stream, &[1]);
    assert_eq!(between(&stream).count, 5, "the count of P1 ended with its crash");
    trips(&mut stream, &[0]);
    assert_eq!(between(&stream), TripsDocument { count: 6, mean: Some(8.0 / 6.0), max: Some(4) });
}

/// Computes the inversions of real time from their definition: searches the whole stream once for each entry.
fn real_time_inversions_by_definition(events: &[Event]) -> u64 {
    let mut found = 0;
    for (entered, event) in events.iter().enumerate() {
        let Some((me, Outcome::Entered { .. })) = event.outcome() else { continue };
        // The latest request of each node before this entry, if the node still waits.
        let waits = |node: NodeId| {
            let mut since = None;
            for (place, earlier) in events[..entered].iter().enumerate() {
                match earlier.outcome() {
                    Some((at, Outcome::Requested { .. })) if at.node == node => since = Some((place, earlier.at_us)),
                    Some((at, Outcome::Entered { .. })) if at.node == node => since = None,
                    _ if matches!(earlier.what, What::Crashed { node: dead, .. } if dead == node) => since = None,
                    _ => {}
                }
            }
            since
        };
        let Some((_, mine_us)) = waits(me.node) else { continue };
        let others = (0..8).map(NodeId).filter(|other| *other != me.node);
        found += others.filter_map(waits).filter(|(_, theirs_us)| *theirs_us < mine_us).count() as u64;
    }
    found
}

/// Computes bounded waiting from its definition: for each entry, finds the next entry of the same process.
fn trips_by_definition(events: &[Event]) -> Vec<u64> {
    let entries: Vec<(usize, NodeId)> = events
        .iter()
        .enumerate()
        .filter_map(|(place, event)| match event.outcome() {
            Some((at, Outcome::Entered { .. })) => Some((place, at.node)),
            _ => None,
        })
        .collect();
    let mut between = Vec::new();
    for (number, (place, node)) in entries.iter().enumerate() {
        let Some(others) = entries[number + 1..].iter().position(|(_, next)| next == node) else { continue };
        let until = entries[number + 1 + others].0;
        let crashes = |event: &Event| matches!(event.what, What::Crashed { node: dead, .. } if dead == *node);
        if !events[*place..until].iter().any(crashes) {
            between.push(others as u64);
        }
    }
    between
}

proptest! {
    #[test]
    fn inversions_and_trips_are_those_of_their_definitions(
        nodes in 1..6_u32,
        choices in prop::collection::vec(any::<u32>(), 0..300),
        step_us in 0..3_u64,
    ) {
        let mut stream = play(nodes, choices);
        // Several events share a time.
        stream.events.iter_mut().for_each(|event| event.at_us = event.seq * step_us / 2);
        let document = document(&stream);
        prop_assert_eq!(document.real_time_inversions, Some(real_time_inversions_by_definition(&stream.events)));
        let trips = trips_by_definition(&stream.events);
        let TripsDocument { count, max, .. } = document.entries_between;
        prop_assert_eq!((count, max), (trips.len() as u64, trips.iter().copied().max()));
    }
}
