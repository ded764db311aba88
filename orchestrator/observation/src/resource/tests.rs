//! Tests of resources, without monitors.

use interlock_algorithm::{NodeId, Outcome};
use serde_json::{Value, json};

use super::*;
use crate::state::test_stream::TestStream;
use interlock_model::specification::Draft;
use interlock_model::write::RejectReason;

fn resources(workload: &Value) -> Resources {
    let draft = json!({ "algorithm": "centralised", "locks": 4, "workload": workload });
    let draft: Draft = serde_json::from_value(draft).expect("a draft");
    Resources::new(&draft.complete().expect("a specification"))
}

fn after(stream: &TestStream, fencing: bool) -> (i64, i64, u64, u64) {
    let account = json!({ "balance": 1_000, "deposit": 10_000, "fencing": fencing });
    let mut resources = resources(&json!({ "account": account }));
    stream.events.iter().for_each(|event| resources.apply(event));
    let [account] = resources.all() else { panic!("{resources:?}") };
    (account.value, account.expected, account.writes, account.refused)
}

#[test]
fn one_after_the_other_loses_nothing() {
    let mut stream = TestStream::new(2);
    for node in [0, 1] {
        stream.request(node);
        stream.enter(node);
        stream.exit(node);
    }
    assert_eq!(after(&stream, false), (21_000, 21_000, 2, 0));
}

#[test]
fn two_at_a_time_lose_a_deposit() {
    let mut stream = TestStream::new(2);
    for node in [0, 1] {
        stream.request(node);
        stream.enter(node);
    }
    stream.exit(0);
    stream.exit(1);
    assert_eq!(after(&stream, false), (11_000, 21_000, 2, 0));
}

/// The document shows for each process the value that it read in its latest section, and the value that it wrote.
#[test]
fn accesses_show_which_deposit_was_lost() {
    let accesses = |stream: &TestStream, fencing: bool| {
        let account = json!({ "balance": 1_000, "deposit": 10_000, "fencing": fencing });
        let mut resources = resources(&json!({ "account": account }));
        stream.events.iter().for_each(|event| resources.apply(event));
        let accesses = resources.documents()[0].accesses.clone();
        accesses.iter().map(|access| (access.node.0, access.read, access.wrote)).collect::<Vec<_>>()
    };
    let mut stream = overtaken();
    assert_eq!(accesses(&stream, false), [(0, 1_000, None), (1, 1_000, Some(11_000))]);
    stream.exit(0);
    assert_eq!(accesses(&stream, false), [(0, 1_000, Some(11_000)), (1, 1_000, Some(11_000))]);
    assert_eq!(accesses(&stream, true), [(0, 1_000, None), (1, 1_000, Some(11_000))], "the write is rejected");
    stream.request(1);
    stream.enter(1);
    assert_eq!(accesses(&stream, false)[1], (1, 11_000, None), "a new section");
    assert_eq!(accesses(&TestStream::new(2), false), [], "no process has entered");
}

/// P0 is in the section. Its fencing token is older than the token of P1, which has already left.
fn overtaken() -> TestStream {
    let mut stream = TestStream::new(2);
    stream.request(0);
    stream.enter_fenced(0, 1);
    stream.request(1);
    stream.enter_fenced(1, 2);
    stream.exit(1);
    stream
}

#[test]
fn a_late_write_is_refused_where_fencing_tokens_are_checked() {
    let mut stream = overtaken();
    stream.exit(0);
    assert_eq!(after(&stream, true), (11_000, 11_000, 1, 1));
    assert_eq!(after(&stream, false), (11_000, 21_000, 2, 0));
}

#[test]
fn who_dies_in_the_section_pays_nothing_in() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    stream.enter(0);
    stream.crash(0);
    assert_eq!(after(&stream, false), (1_000, 1_000, 0, 0));
}

/// Applies a write that no client made to an account that checks fencing tokens. Returns the reason why the account
/// rejects the write, if it does, and the value of the account afterwards.
fn put(stream: &TestStream, write: Value) -> (Option<RejectReason>, i64) {
    let mut resources = resources(&json!({ "account": { "deposit": 1, "fencing": true } }));
    let write = serde_json::from_value(write).expect("a write");
    let put = Event { seq: 1_000, at_us: 0, what: What::Put { write } };
    for event in stream.events.iter().chain([&put]) {
        resources.apply(event);
    }
    let why = resources.follows().map(|what| match what {
        What::Rejected { rejection } => rejection.why,
        other => panic!("{other:?}"),
    });
    (why, resources.find(ACCOUNT).expect("an account").value)
}

#[test]
fn a_write_from_outside_is_checked_like_that_of_a_client() {
    let stream = overtaken();
    let late = put(&stream, json!({ "resource": "account", "value": 9, "node": 0, "fence": 1 }));
    assert_eq!(late, (Some(RejectReason::Late { fence: 1, newest: 2 }), 1));
    let bare = put(&stream, json!({ "resource": "account", "value": 9 }));
    assert_eq!(bare, (Some(RejectReason::Unfenced { newest: 2 }), 1));
    assert_eq!(put(&stream, json!({ "resource": "account", "value": 9, "fence": 2 })), (None, 9));
    assert_eq!(put(&stream, json!({ "resource": "account", "value": 9, "fence": 3 })), (None, 9));
    assert_eq!(put(&stream, json!({ "resource": "accounts", "value": 9, "fence": 3 })), (None, 1), "another's");
    assert_eq!(put(&TestStream::new(1), json!({ "resource": "account", "value": 9 })), (None, 9), "nobody has a token");
}

#[test]
fn a_write_to_a_version_that_is_there_no_more_is_refused() {
    let stream = overtaken();
    let to = |version: u64| put(&stream, json!({ "resource": "account", "value": 9, "fence": 2, "version": version }));
    assert_eq!(to(0), (Some(RejectReason::Changed { named: 0, version: 1 }), 1));
    assert_eq!(to(1), (None, 9));
}

#[test]
fn a_refusal_is_told_once() {
    let mut stream = overtaken();
    stream.exit(0);
    let mut resources = resources(&json!({ "account": { "deposit": 1, "fencing": true } }));
    let told = stream.events.iter().filter(|event| {
        resources.apply(event);
        resources.follows().is_some()
    });
    assert_eq!(told.count(), 1);
}

#[test]
fn who_writes_inside_goes_on_from_there() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    stream.enter(0);
    let write = json!({ "resource": "account", "value": 1_005, "read": 1_000, "node": 0 });
    stream.push(What::Put { write: serde_json::from_value(write).expect("a write") });
    stream.exit(0);
    assert_eq!(after(&stream, false), (11_005, 11_005, 2, 0));
}

#[test]
fn an_account_may_be_left_to_those_outside() {
    let mut resources = resources(&json!({ "account": { "balance": 7 } }));
    let mut stream = TestStream::new(1);
    stream.request(0);
    stream.enter(0);
    stream.exit(0);
    stream.events.iter().for_each(|event| resources.apply(event));
    let account = resources.find(ACCOUNT).expect("an account");
    assert_eq!((account.value, account.writes), (7, 0));
}

#[test]
fn the_locks_of_a_directory_are_those_of_its_files() {
    let names = |workload: &Value| {
        resources(workload).all().iter().map(|one| (one.name.clone(), one.lock.0)).collect::<Vec<_>>()
    };
    let file = |lock: u32| (format!("file-{lock}"), lock);
    assert_eq!(names(&json!({ "locks": "directory:10%" })), [file(1), file(2), file(3)]);
    let own = json!({ "locks": "all", "overrides": [{ "node": 1, "locks": "directory" }] });
    assert_eq!(names(&own), [file(1), file(2), file(3)]);
    assert_eq!(names(&json!({ "locks": "all" })), []);
}

#[test]
fn a_write_names_a_process_and_a_resource_of_the_run() {
    let said = |workload: &Value, node: Option<u32>, resource: &str| {
        let draft = json!({ "algorithm": "centralised", "nodes": 3, "locks": 3, "workload": workload });
        let draft: Draft = serde_json::from_value(draft).expect("a draft");
        let specification = draft.complete().expect("a specification");
        let node = node.map(NodeId);
        let write = Write { resource: resource.to_owned(), value: 1, node, fence: None, read: None, version: None };
        Resources::check(&write, &specification).map_err(|why| why.to_string())
    };
    let account = json!({ "account": { "balance": 0 } });
    assert_eq!([None, Some(0), Some(2)].map(|node| said(&account, node, ACCOUNT)), [Ok(()), Ok(()), Ok(())]);
    assert!(said(&account, Some(3), ACCOUNT).is_err(), "there is no P3");
    let unknown = said(&account, None, "file-1").expect_err("no such resource");
    assert!(unknown.contains("resource `file-1`: the run has account"), "{unknown}");
    let unknown = said(&json!({}), None, ACCOUNT).expect_err("no resources");
    assert!(unknown.contains("resource `account`: this run has none"), "{unknown}");
}

#[test]
fn the_resources_of_a_run_are_shown_in_order() {
    let documents = resources(&json!({ "account": { "balance": 5 } })).documents();
    assert_eq!(documents.iter().map(|resource| (&*resource.name, resource.value)).collect::<Vec<_>>(), [(ACCOUNT, 5)]);
}

#[test]
fn a_section_of_another_lock_does_not_touch_the_account() {
    let mut stream = TestStream::new(1);
    let at = interlock_model::event::StepId { node: NodeId(0), incarnation: 1, step: 1 };
    let request = interlock_algorithm::RequestId(1);
    let entered = |lock| Outcome::Entered { lock: LockId(lock), request, fence: None };
    let exited = |lock| Outcome::Exited { lock: LockId(lock), request };
    stream.outcome(at, entered(1));
    stream.outcome(at, exited(0));
    assert_eq!(after(&stream, false), (1_000, 1_000, 0, 0), "it has not entered lock 0");
    stream.outcome(at, entered(0));
    stream.outcome(at, exited(1));
    assert_eq!(after(&stream, false), (1_000, 1_000, 0, 0), "it is still in the section of lock 0");
    stream.outcome(at, exited(0));
    assert_eq!(after(&stream, false), (11_000, 11_000, 1, 0));
}

#[test]
fn a_crash_ends_the_section_of_its_process_only() {
    let inside = |crashed| {
        let mut stream = TestStream::new(2);
        stream.request(0);
        stream.enter(0);
        stream.crash(crashed);
        let mut resources = resources(&json!({ "account": { "balance": 0 } }));
        stream.events.iter().for_each(|event| resources.apply(event));
        resources.all()[0].is_inside(NodeId(0))
    };
    assert_eq!([0, 1].map(inside), [false, true]);
}
