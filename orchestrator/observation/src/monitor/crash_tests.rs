//! Tests of crashes. A crash ends a request. A process that suspects a crashed process learns what the crashed
//! process knew.

use interlock_algorithm::NodeId;
use serde_json::json;

use super::deadlock_tests::Stream;
use super::{livelock, mutual_exclusion};
use crate::state::test_stream::TestStream;
use interlock_model::event::{CrashCause, RestartState, StepId, What};

/// P0 is aborted again and again. P1 has made a request and is never aborted; if `crashes`, P1 crashes. Returns the
/// codes of the violations that were found.
fn aborted_beside(crashes: bool) -> Vec<String> {
    let mut stream = Stream::new("prevention", "give-way", &json!({}));
    stream.ask(1, 1);
    if crashes {
        stream.push(What::crashed(NodeId(1), 1, CrashCause::Ordered));
    }
    for time in 1..=livelock::PATIENCE {
        stream.at(1_000_000 * time).ask(0, 1).abort(0, 0);
    }
    stream.codes()
}

#[test]
fn a_crashed_process_makes_no_progress_that_rules_out_a_livelock() {
    assert_eq!(aborted_beside(true), [livelock::LIVELOCK]);
    assert_eq!(aborted_beside(false), Vec::<String>::new(), "P1 may be the one that makes progress");
}

/// P0 runs in two incarnations. In each of them it enters, leaves and crashes. If `of_the_last`, P1 suspects P0 after
/// the second crash. Otherwise P1 suspects P0 after the first crash. Then P1 enters. Returns the number of violations.
fn entries_after_suspicion(of_the_last: bool) -> usize {
    let mut stream = TestStream::new(2);
    for incarnation in 1..=2 {
        stream.request(0);
        stream.enter(0);
        stream.exit(0);
        stream.crash(0);
        if of_the_last == (incarnation == 2) {
            let at = StepId { node: NodeId(1), incarnation: 1, step: stream.events.len() as u64 };
            stream.push(What::Suspected { at, whom: NodeId(0) });
        }
        if incarnation == 1 {
            stream.restart(0, RestartState::Stored);
            stream.start(0);
        }
    }
    stream.request(1);
    stream.enter(1);
    let found = stream.violations();
    found.iter().filter(|violation| *violation.monitor == *mutual_exclusion::NAME).count()
}

#[test]
fn a_suspicion_reports_what_was_known_at_the_latest_crash() {
    assert_eq!(entries_after_suspicion(true), 0);
    assert_eq!(entries_after_suspicion(false), 1, "P1 has not heard of the second critical section");
}
