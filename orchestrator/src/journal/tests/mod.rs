//! Helpers that the tests of the journal share.

mod blocks;
mod crash;
mod failing;
mod index;
mod loading;
mod past;
mod reading;
mod sql;
mod writing;

use std::env;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use jiff::Timestamp;
use uuid::Uuid;

use super::{Header, Index, Journal, Origin, Outcome, PastRuns};
use interlock_model::event::{Event, Json, StepId, What};
use interlock_observation::state;

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = env::temp_dir().join(format!("interlock-journal-{}", Uuid::now_v7()));
        fs::create_dir(&path).expect("a temporary folder can be made");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the runs of a folder, determined without an existing index.
fn past_runs(folder: &Folder) -> PastRuns {
    let folder = super::Folder::read_only(folder.path()).expect("it is there");
    Index::open(&folder).runs(|_| false, &|_| None)
}

/// Returns an arbitrary outcome of a run with `events` events.
fn outcome(events: u64) -> Outcome {
    Outcome { verdict: state::Status::Ok, events, entries: 0 }
}

fn header() -> Header {
    Header {
        id: Uuid::now_v7(),
        name: "lecture 7".to_owned(),
        specification: Json::of(&serde_json::json!({ "version": 1, "nodes": 5 })).expect("JSON"),
        created_at: Timestamp::now(),
        origin: Origin::Live,
    }
}

fn begun(folder: &Folder) -> (Header, Journal) {
    let header = header();
    let journal = Journal::create(folder.path(), &header, None).expect("a journal can be created");
    (header, journal)
}

/// Returns events that resemble a run under load. Half of them are `sent` events of nodes 0 … 4, and the other
/// half are `delivered` events of these nodes.
fn events(seqs: RangeInclusive<u64>) -> Vec<Event> {
    let body = Json::of(&serde_json::json!({ "clock": 4711, "process": 2 })).expect("JSON");
    seqs.map(|seq| event(seq, &body)).collect()
}

fn event(seq: u64, body: &Json) -> Event {
    let node = NodeId(u32::try_from(seq % 5).expect("small"));
    let next = NodeId((node.0 + 1) % 5);
    let at = StepId { node, incarnation: 1, step: seq };
    let what = if seq.is_multiple_of(2) {
        let message = MessageId { from: node, to: next, number: seq, copy: 0 };
        let due_us = Some(seq * 10 + 5_000);
        What::Sent { at, message, to: next, message_kind: "REQUEST".into(), body: body.clone(), due_us, rule: None }
    } else {
        let message = MessageId { from: next, to: node, number: seq, copy: 0 };
        let message_kind = "REPLY".into();
        What::Delivered { at, message, from: next, message_kind, because: Vec::new(), view: None }
    };
    Event { seq, at_us: seq * 10, what }
}
