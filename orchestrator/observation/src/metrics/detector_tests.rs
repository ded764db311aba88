use interlock_algorithm::NodeId;
use interlock_machine::detector::HEARTBEAT;
use interlock_model::event::{RestartState, StepId, What};

use super::detector::DetectorDocument;
use crate::state::test_stream::TestStream;

fn quality(stream: &TestStream) -> DetectorDocument {
    stream.metrics().document().detector
}

fn suspects(stream: &mut TestStream, at_us: u64, who: u32, whom: u32) {
    let at = StepId { node: NodeId(who), incarnation: 1, step: 1 };
    stream.at(at_us).push(What::Suspected { at, whom: NodeId(whom) });
}

/// Returns the number of suspicions, the number of wrong ones, the number of detected crashes, the longest time to
/// detect a crash in ms, and the number of undetected crashes.
fn figures(stream: &TestStream) -> (u64, u64, u64, Option<f64>, u64) {
    let DetectorDocument { suspicions, wrong_suspicions, time_to_detect, undetected, .. } = quality(stream);
    (suspicions, wrong_suspicions, time_to_detect.count, time_to_detect.max, undetected)
}

#[test]
fn heartbeats_are_counted_where_they_are_sent() {
    let mut stream = TestStream::new(2);
    for kind in [HEARTBEAT, HEARTBEAT, "REQUEST"] {
        let message = stream.send(0, 1, kind);
        stream.deliver_kind(message, kind);
    }
    assert_eq!(quality(&stream).heartbeats, 2);
}

#[test]
fn each_live_process_detects_a_crash_once() {
    let mut stream = TestStream::new(3);
    assert_eq!(figures(&stream), (0, 0, 0, None, 0));
    stream.at(1_000).crash(2);
    assert_eq!(figures(&stream), (0, 0, 0, None, 2));
    suspects(&mut stream, 4_000, 0, 2);
    assert_eq!(figures(&stream), (1, 0, 1, Some(3.0), 1));
    suspects(&mut stream, 6_000, 0, 2);
    assert_eq!(figures(&stream), (2, 0, 1, Some(3.0), 1), "a second suspicion of a crashed process is not wrong");
    suspects(&mut stream, 8_000, 1, 2);
    assert_eq!(figures(&stream), (3, 0, 2, Some(7.0), 0));
}

#[test]
fn a_suspicion_of_a_live_process_is_wrong() {
    let mut stream = TestStream::new(3);
    suspects(&mut stream, 1_000, 0, 1);
    suspects(&mut stream, 2_000, 0, 1);
    assert_eq!(figures(&stream), (2, 2, 0, None, 0));
}

#[test]
fn a_crash_that_is_noticed_after_the_restart_is_not_a_wrong_suspicion() {
    let mut stream = TestStream::new(3);
    stream.at(1_000).crash(2);
    stream.at(2_000).restart(2, RestartState::Stored);
    stream.start(2);
    assert_eq!(figures(&stream), (0, 0, 0, None, 0), "no process is crashed");
    suspects(&mut stream, 6_000, 1, 2);
    assert_eq!(figures(&stream), (1, 0, 1, Some(5.0), 0));
    suspects(&mut stream, 7_000, 1, 2);
    assert_eq!(figures(&stream), (2, 1, 1, Some(5.0), 0), "the second suspicion is wrong");
}

#[test]
fn a_new_incarnation_has_to_notice_only_processes_that_are_still_crashed() {
    let mut stream = TestStream::new(3);
    stream.at(1_000).crash(1);
    stream.at(2_000).restart(1, RestartState::Stored);
    stream.start(1);
    stream.at(3_000).crash(2);
    stream.at(4_000).crash(0);
    assert_eq!(figures(&stream).4, 2, "P1 has noticed neither crash");
    stream.at(5_000).restart(0, RestartState::Stored);
    stream.start(0);
    assert_eq!(figures(&stream).4, 2, "P0 and P1 have not noticed the crash of P2");
    suspects(&mut stream, 7_000, 0, 1);
    assert_eq!(figures(&stream), (1, 1, 0, None, 2), "P1 has restarted before P0");
    suspects(&mut stream, 9_000, 0, 2);
    assert_eq!(figures(&stream), (2, 1, 1, Some(6.0), 1));
}
