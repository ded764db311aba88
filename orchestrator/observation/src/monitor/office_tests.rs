//! Tests that a process is the coordinator at most until its incarnation or its term ends.

use interlock_algorithm::{NodeId, Outcome};
use serde_json::json;

use super::{Monitors, leaders};
use crate::state::test_stream::TestStream;
use interlock_model::event::{Change, RestartState, StepId, What};

/// Returns a stream of three processes that run the bully algorithm. No failure detector reports crashes.
fn elections() -> TestStream {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = "bully".to_owned();
    stream
}

/// `node` accepts `leader`, which may be `node` itself, as the coordinator of a term.
fn takes(stream: &mut TestStream, node: u32, leader: u32, term: u64) {
    let step = stream.events.len() as u64;
    let at = StepId { node: NodeId(node), incarnation: 1, step };
    stream.outcome(at, Outcome::elected(NodeId(leader), term));
}

/// The monitors process the whole stream, and then judge the run at rest. Returns the number of their reports with
/// the code `code`.
fn reports(stream: &TestStream, code: &str) -> usize {
    let (mut monitors, mut found) = (Monitors::new(&stream.specification), Vec::new());
    stream.events.iter().for_each(|event| monitors.observe(event, &mut found));
    monitors.settle(&stream.state(), 0, &mut found);
    found.iter().filter(|violation| *violation.code == *code).count()
}

#[test]
fn an_ignored_coordinator_is_reported_only_while_it_is_alive() {
    let ignored = |dies: bool| {
        let mut stream = elections();
        takes(&mut stream, 2, 2, 1);
        takes(&mut stream, 0, 2, 1);
        if dies {
            stream.crash(2);
        }
        reports(&stream, leaders::DISAGREEMENT)
    };
    assert_eq!(ignored(false), 1, "P1 knows no coordinator");
    assert_eq!(ignored(true), 0, "nobody need notice that P2 has died");
}

#[test]
fn a_crash_ends_an_office_and_a_restart_does_not_renew_it() {
    let coordinators = |crashes: bool| {
        let mut stream = elections();
        takes(&mut stream, 2, 2, 1);
        if crashes {
            stream.crash(2);
            stream.restart(2, RestartState::Stored);
            stream.start(2);
        }
        takes(&mut stream, 1, 1, 1);
        reports(&stream, leaders::TWO_COORDINATORS)
    };
    assert_eq!(coordinators(false), 1);
    assert_eq!(coordinators(true), 0);
}

#[test]
fn coordinators_of_different_terms_are_no_rivals() {
    let coordinators = |term: u64| {
        let mut stream = elections();
        takes(&mut stream, 2, 2, term);
        takes(&mut stream, 1, 1, 2);
        reports(&stream, leaders::TWO_COORDINATORS)
    };
    assert_eq!([1, 2, 3].map(coordinators), [0, 1, 0]);
}

/// A partition separates P0 and P1 from P2. P1 is elected, and P0 does not learn of it. Then the configuration of the
/// network changes. Returns the number of disagreements reported.
fn ignored_in_a_group(subject: &str, id: &str, value: serde_json::Value) -> usize {
    let configure = |stream: &mut TestStream, subject: &str, id: &str, value| {
        stream.push(What::Configured {
            change: Change { subject: subject.into(), id: Some(id.into()), value: Some(value) },
        });
    };
    let partition = |id: u64| json!({ "id": id, "groups": [[0, 1], [2]], "direction": "both" });
    let mut stream = elections();
    configure(&mut stream, "partition", "1", partition(1));
    takes(&mut stream, 1, 1, 1);
    configure(&mut stream, subject, id, value);
    reports(&stream, leaders::DISAGREEMENT)
}

#[test]
fn a_group_is_judged_although_links_become_slower() {
    let slower = json!({ "from": 0, "to": 1, "delay": "const:5" });
    assert_eq!(ignored_in_a_group("link", "0-1", slower), 1);
    let lost = json!({ "from": 0, "to": 1, "loss": 1.0 });
    assert_eq!(ignored_in_a_group("link", "0-1", lost), 0, "P0 and P1 no longer hear each other");
    let other = json!({ "from": 2, "to": 0, "loss": 1.0 });
    assert_eq!(ignored_in_a_group("link", "2-0", other), 0, "other links are cut than during the election");
}

/// `node` calls an election for a term.
fn calls(stream: &mut TestStream, node: u32, term: u64) {
    let step = stream.events.len() as u64;
    let at = StepId { node: NodeId(node), incarnation: 1, step };
    stream.outcome(at, Outcome::called(term));
}

/// If `stands`, begins a partition that separates P0 from the others. Otherwise heals this partition.
fn separate_p0(stream: &mut TestStream, stands: bool) {
    let value = json!({ "id": 1, "groups": [[0], [1, 2]], "direction": "both" });
    let change = Change { subject: "partition".into(), id: Some("1".into()), value: stands.then_some(value) };
    stream.push(What::Configured { change });
}

/// There are three events, with the numbers 0 to 2: P0 calls an election, P0 accepts itself as the coordinator, and
/// P2 accepts itself as the coordinator. A partition begins before the event with number `begins`, and is healed
/// before the event with number `is_healed`.
#[test]
fn a_partition_since_the_term_began_excuses_two_coordinators() {
    let coordinators = |begins: usize, is_healed: usize| {
        let mut stream = elections();
        let events: [fn(&mut TestStream); 3] =
            [|stream| calls(stream, 0, 1), |stream| takes(stream, 0, 0, 1), |stream| takes(stream, 2, 2, 1)];
        for (place, happens) in events.iter().enumerate() {
            if place == begins {
                separate_p0(&mut stream, true);
            }
            if place == is_healed {
                separate_p0(&mut stream, false);
            }
            happens(&mut stream);
        }
        reports(&stream, leaders::TWO_COORDINATORS)
    };
    let never = usize::MAX;
    assert_eq!(coordinators(never, never), 1, "no partition");
    assert_eq!(coordinators(0, 0), 1, "healed before the term began");
    assert_eq!(coordinators(1, never), 0, "it stands");
    assert_eq!(coordinators(1, 2), 0, "healed, but P0 may not know of P2");
}

#[test]
fn a_dead_coordinator_is_reported_if_a_process_has_noticed_the_death() {
    let kept = |calls_before: bool, calls_after: bool| {
        let mut stream = elections();
        if calls_before {
            calls(&mut stream, 0, 1);
        }
        (0..3).for_each(|node| takes(&mut stream, node, 2, 1));
        stream.crash(2);
        if calls_after {
            calls(&mut stream, 0, 1);
        }
        reports(&stream, leaders::DEAD_COORDINATOR)
    };
    assert_eq!(kept(true, false), 0, "P0 called before the crash");
    assert_eq!(kept(false, true), 1, "P0 called after the crash");
}

/// P0 suspects its coordinator, which is live. P0 restarts if `restarts`. Then the coordinator crashes.
#[test]
fn a_suspicion_lasts_as_long_as_its_incarnation() {
    let kept = |restarts: bool| {
        let mut stream = elections();
        (0..3).for_each(|node| takes(&mut stream, node, 2, 1));
        let at = StepId { node: NodeId(0), incarnation: 1, step: 100 };
        stream.push(What::Suspected { at, whom: NodeId(2) });
        if restarts {
            stream.crash(0);
            stream.restart(0, RestartState::Stored);
            stream.start(0);
            takes(&mut stream, 0, 2, 1);
        }
        stream.crash(2);
        reports(&stream, leaders::DEAD_COORDINATOR)
    };
    assert_eq!(kept(false), 1);
    assert_eq!(kept(true), 0, "the second incarnation of P0 suspects nobody");
}
