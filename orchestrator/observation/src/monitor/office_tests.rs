//! The office of a coordinator lasts for one incarnation and one term.

use interlock_algorithm::{NodeId, Outcome};
use serde_json::json;

use super::{Monitors, leaders};
use crate::state::test_stream::TestStream;
use interlock_model::event::{Change, RestartState, StepId, What};

/// Three processes of the bully algorithm, nobody of which reports crashes.
fn elections() -> TestStream {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = "bully".to_owned();
    stream
}

/// A process takes another one, or itself, for the coordinator of a term.
fn takes(stream: &mut TestStream, node: u32, leader: u32, term: u64) {
    let step = stream.events.len() as u64;
    let at = StepId { node: NodeId(node), incarnation: 1, step };
    stream.push(What::outcome(at, Outcome::elected(NodeId(leader), term)));
}

/// How often the monitors report this of the whole stream, whose run is at rest in the end.
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

/// P0 and P1 are a group, in which P1 is elected and P0 does not know it. Then the network is changed.
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
