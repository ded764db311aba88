//! Test in which nodes send arbitrary reports, are ordered, paused, crashed and restarted, and the network changes
//! arbitrarily. Each report is accepted or rejected. The sequence numbers of the resulting events must have no gap, and
//! the events must determine the state of the run. The count of pending inputs must agree with a count over all nodes.

use axum::body::Bytes;
use interlock_algorithm::{LockId, NodeId};
use interlock_machine::catalogue_node;
use interlock_machine::wire::{Order, Report};
use interlock_model::event::RestartState;
use interlock_model::impossible::Deed;
use interlock_model::network::{LinkPatch, PartitionDraft, RuleDraft};
use interlock_model::process_status::ProcessStatus;
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
use crate::run::{Core, ReportError};

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
    /// Orders a node to acquire a lock.
    Order(Index),
    /// Pauses a node, or resumes it if it is paused.
    Pause(Index),
    /// Ends the process of a node, or restarts the node if it has crashed.
    Crash(Index),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let happening = prop_oneof![
        12 => (any::<Index>(), option::of(changes()), option::weighted(0.1, any::<Index>()))
            .prop_map(|(node, changes, end)| Happening::Report(node, changes, end)),
        1 => (any::<bool>(), changes()).prop_map(|(all, changes)| Happening::Links(all, changes)),
        1 => changes().prop_map(Happening::Partition),
        1 => changes().prop_map(Happening::Rule),
        2 => any::<Index>().prop_map(Happening::Order),
        2 => any::<Index>().prop_map(Happening::Pause),
        2 => any::<Index>().prop_map(Happening::Crash),
    ];
    vec(happening, 1..40)
}

/// Changes a document and parses it. Returns none if the changed document is invalid.
fn said<T: DeserializeOwned>(document: Value, changes: &[Change]) -> Option<T> {
    serde_json::from_value(changed(document, changes)).ok()
}

/// Executes an action on a run, which may accept or reject it.
async fn happen(world: &mut Fixture, happening: Happening) {
    let nodes = world.core.nodes.ends().len();
    let some = |node: Index| NodeId(u32::try_from(node.index(nodes)).expect("few"));
    let core = &mut world.core;
    match happening {
        Happening::Report(node, changes, end) => {
            let node = some(node);
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
        Happening::Order(node) => _ = core.order(some(node), Order::Acquire { lock: LockId(0), hold_us: None }),
        Happening::Pause(node) => pause_or_resume(core, some(node)),
        Happening::Crash(node) => crash_or_restart(world, some(node)).await,
    }
    world.core.look_again();
}

fn pause_or_resume(core: &mut Core, node: NodeId) {
    if let Ok(process) = core.process_for(node, Deed::Pause) {
        core.paused(node, process.pid()).expect("it is running");
    } else if core.process_for(node, Deed::Resume).is_ok() {
        core.resumed(node);
    }
}

async fn crash_or_restart(world: &mut Fixture, node: NodeId) {
    let core = &mut world.core;
    if let Ok((_, incarnation)) = core.order_crash(node) {
        core.exited(node, incarnation, "a signal");
    } else if matches!(core.process(node), Ok(ProcessStatus::Crashed)) {
        world.live(node, Some(RestartState::Stored)).await;
    }
}

/// Returns the number of pending inputs of the nodes that are not paused, counted over all nodes.
fn inputs_under_way(core: &Core) -> usize {
    let nodes = core.log.state().nodes().iter().zip(core.nodes.ends());
    nodes.filter(|(node, _)| node.process != ProcessStatus::Paused).map(|(_, end)| end.inputs.pending()).sum()
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
            runtime.block_on(happen(&mut world, happening));
            assert_eq!(world.core.inputs_under_way(), inputs_under_way(&world.core));
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
