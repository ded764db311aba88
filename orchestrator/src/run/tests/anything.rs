//! Test in which nodes send arbitrary reports and the network changes arbitrarily. Each report is accepted or
//! rejected. The sequence numbers of the resulting events must have no gap, and the events must determine the
//! state of the run.

use axum::body::Bytes;
use interlock_algorithm::NodeId;
use interlock_machine::catalogue_node;
use interlock_machine::wire::Report;
use interlock_model::network::{LinkPatch, PartitionDraft, RuleDraft};
use interlock_observation::state::State;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Builder;

use super::fixture::Fixture;
use crate::arbitrary::{Change, changed, changes, each};
use crate::run::ReportError;

/// Algorithms without locks, whose nodes do nothing without a command.
const ELECTIONS: [&str; 2] = ["bully", "chang-roberts"];

/// An action in the test.
#[derive(Clone, Debug)]
enum Happening {
    /// A node answers a batch, or reports the expiry of a timer. The report may be changed or truncated.
    Report(Index, Option<Vec<Change>>, Option<Index>),
    /// Changes the settings of all links (true) or of one link.
    Links(bool, Vec<Change>),
    /// Partitions links.
    Partition(Vec<Change>),
    /// Adds a targeted rule.
    Rule(Vec<Change>),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let happening = prop_oneof![
        12 => (any::<Index>(), option::of(changes()), option::weighted(0.1, any::<Index>()))
            .prop_map(|(node, changes, end)| Happening::Report(node, changes, end)),
        1 => (any::<bool>(), changes()).prop_map(|(all, changes)| Happening::Links(all, changes)),
        1 => changes().prop_map(Happening::Partition),
        1 => changes().prop_map(Happening::Rule),
    ];
    vec(happening, 1..40)
}

/// Changes a document and parses it. Returns none if the changed document is invalid.
fn said<T: DeserializeOwned>(document: Value, changes: &[Change]) -> Option<T> {
    serde_json::from_value(changed(document, changes)).ok()
}

/// Executes an action on a run, which may accept or reject it.
fn happen(world: &mut Fixture, happening: Happening) {
    let core = &mut world.core;
    match happening {
        Happening::Report(node, changes, end) => {
            let node = NodeId(u32::try_from(node.index(core.nodes.ends().len())).expect("few"));
            if let Some(report) = world.hand(node).or_else(|| world.fire(node)) {
                let report: Value = serde_json::from_slice(&report).expect("a report");
                let mut text = changed(report, &changes.unwrap_or_default()).to_string().into_bytes();
                text.truncate(end.map_or(text.len(), |end| end.index(text.len() + 1)));
                report_to(world, node, &text.into());
            }
        }
        Happening::Links(all, changes) => {
            let patch = json!({ "delay": "uniform:1..20", "fifo": true, "loss": "10%", "duplicate": 0.5, "delays": { "REPLY": 5 } });
            let Some(patch) = said::<LinkPatch>(patch, &changes) else { return };
            let _ = if all {
                core.patch_default(&patch).map(drop)
            } else {
                core.override_link(NodeId(0), NodeId(1), Some(patch))
            };
        }
        Happening::Partition(changes) => {
            let partition = json!({ "groups": [[0], [1, 2]], "lost": "hold" });
            let _ = said::<PartitionDraft>(partition, &changes).map(|draft| core.add_partition(draft).map(drop));
        }
        Happening::Rule(changes) => {
            let rule =
                json!({ "match": { "from": 0, "message_kind": "REQUEST" }, "action": "delay:5", "skip": 1, "for": 2 });
            let _ = said::<RuleDraft>(rule, &changes).map(|draft| core.add_rule(draft).map(drop));
        }
    }
    world.core.look_again();
}

/// Handles the report of a node as a run handles the report of a real process.
fn report_to(world: &mut Fixture, node: NodeId, bytes: &Bytes) {
    let Ok(report) = serde_json::from_slice::<Report<&RawValue>>(bytes) else {
        return world.core.batch_unanswered(node, 1, "its answer is not a report");
    };
    if let Err(error @ ReportError::Missing(..)) = world.core.take_report(node, &report, bytes) {
        world.core.batch_unanswered(node, 1, &error.to_string());
    }
}

fn specification(algorithm: &str, channel: &str) -> Value {
    let mut specification = json!({ "algorithm": algorithm, "nodes": 3, "channel": channel });
    if !ELECTIONS.contains(&algorithm) {
        specification["workload"] = json!({ "idle": "1", "hold": "1", "entries": 5 });
    }
    specification
}

#[test]
fn any_report_is_taken_or_refused_in_any_network() {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let algorithms = [&["ricart-agrawala", "lamport", "maekawa", "suzuki-kasami"][..], &ELECTIONS].concat();
    let specifications = (select(algorithms), select(vec!["raw", "reliable"]));
    each((specifications, happenings()), |((algorithm, channel), happenings)| {
        let specification = specification(algorithm, channel);
        let make = |initialization: &_| catalogue_node(initialization).expect("a node");
        let mut world = runtime.block_on(Fixture::new(specification, make));
        for happening in happenings {
            happen(&mut world, happening);
        }
        let events = world.events();
        let mut state = State::new(world.core.specification());
        for (event, seq) in events.iter().zip(1..) {
            assert_eq!(event.seq, seq);
            state.apply(event);
        }
        let document = |state: &State| serde_json::to_value(state).expect("a state");
        assert_eq!(document(&state), document(world.core.log.state()));
    });
}
