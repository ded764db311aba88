//! ORDER, by happened-before (Lamport 1978): if one request could have caused another, it is granted first.

use std::collections::HashMap;

use interlock_algorithm::NodeId;
use interlock_node::message_id::MessageId;
use serde_json::{Value, json};

use super::claim::CouldNotRun;
use super::simulated::{run, simulation, tell};
use crate::event::{Event, What};
use crate::simulation::{Simulation, Watch};

/// For each node, how many of its steps are known of (Mattern 1989, Fidge 1988: vector time).
type Vector = Vec<u64>;

/// A request that is not granted yet: when it was made, and whose it is.
struct Pending {
    node: NodeId,
    /// The number of the requesting step among those of its node.
    step: u64,
    made: Vector,
}

/// The stream of events, read for what each node can know.
struct Knowledge {
    now: Vec<Vector>,
    /// What was known at the sending of each message, its copies included.
    sent: HashMap<MessageId, Vector>,
    pending: Vec<Pending>,
    inversions: u64,
}

impl Knowledge {
    fn new(nodes: u32) -> Self {
        let nodes = NodeId::all(nodes).len();
        Self { now: vec![vec![0; nodes]; nodes], sent: HashMap::new(), pending: Vec::new(), inversions: 0 }
    }

    fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Initialized { at, .. } | What::Fired { at, .. } | What::Commanded { at, .. } => self.step(at.node),
            What::Delivered { at, message, .. } => {
                self.step(at.node);
                let Some(known) = self.sent.get(message) else { return };
                for (ours, theirs) in self.now[at.node.index()].iter_mut().zip(known) {
                    *ours = (*ours).max(*theirs);
                }
            }
            What::Sent { at, message, .. } => {
                self.sent.insert(*message, self.now[at.node.index()].clone());
            }
            What::Duplicated { message, copy, .. } => {
                if let Some(known) = self.sent.get(message).cloned() {
                    self.sent.insert(*copy, known);
                }
            }
            What::Requested { at, .. } => {
                let made = self.now[at.node.index()].clone();
                self.pending.push(Pending { node: at.node, step: made[at.node.index()], made });
            }
            What::Entered { at, .. } => self.entered(at.node),
            _ => {}
        }
    }

    fn step(&mut self, node: NodeId) {
        self.now[node.index()][node.index()] += 1;
    }

    /// Whoever still waits though his request happened before this one was passed over.
    fn entered(&mut self, node: NodeId) {
        let Some(place) = self.pending.iter().position(|pending| pending.node == node) else { return };
        let granted = self.pending.swap_remove(place);
        let before = |other: &&Pending| other.step <= granted.made[other.node.index()];
        self.inversions += self.pending.iter().filter(before).count() as u64;
    }
}

/// How many pairs of requests were granted in the other order than that in which one happened before the other.
fn inversions(nodes: u32, events: &[Event]) -> u64 {
    let mut knowledge = Knowledge::new(nodes);
    for event in events {
        knowledge.observe(event);
    }
    knowledge.inversions
}

/// How many pairs were granted the wrong way round in this simulation, and who entered.
///
/// # Errors
/// When it cannot be run.
pub(super) fn judged(simulation: &Simulation) -> Result<(u64, Vec<u32>), CouldNotRun> {
    let report = run(&Simulation { watch: Watch::Events, ..simulation.clone() })?;
    let entered = report.events.iter().filter(|event| event.kind() == "entered").filter_map(Event::node);
    Ok((inversions(simulation.specification.nodes, &report.events), entered.map(|node| node.0).collect()))
}

/// How many pairs were granted the wrong way round in runs with the seeds 1 … `seeds`, in which the application tells
/// things, too: every two units of time one node another.
///
/// # Errors
/// When there is no such run.
pub(super) fn inversions_of(document: &Value, seeds: u64, entries: u64) -> Result<u64, CouldNotRun> {
    let of = |seed| {
        let mut document = document.clone();
        document["seed"] = json!(seed);
        let simulation = simulation(document, entries)?;
        let nodes = simulation.specification.nodes;
        let from = |count: u32| count % nodes;
        let to = |count: u32| (from(count) + 1 + count / nodes % (nodes - 1)) % nodes;
        let script = (0..200).map(|count| tell(2 * u64::from(count), from(count), to(count), None)).collect();
        judged(&Simulation { script, ..simulation }).map(|(inversions, _)| inversions)
    };
    (1..=seeds).map(of).sum()
}
