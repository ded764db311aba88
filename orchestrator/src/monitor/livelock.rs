//! Giving up again and again: livelock, and starvation by aborts.
//!
//! In a deadlock nothing moves. In a livelock requests are aborted and made again, and nobody ever has all that it wants
//! and gives it back. Where others do but one request is aborted all the time, that one starves. No finite stream proves
//! that it will go on so: both are said to be when it has gone on [`PATIENCE`] times for each of the nodes.

use std::collections::BTreeMap;

use interlock_algorithm::{NodeId, RequestId};
use serde_json::json;

use crate::event::{Event, StepId, Violation, What};

/// The name of this monitor.
pub const NAME: &str = "livelock";
/// Requests are aborted again and again, and none is ever done with. Arguments: `aborts`, `nodes` (whose).
pub const LIVELOCK: &str = "livelock";
/// A request is aborted again and again while others are done with. Arguments: `node`, `request`, `aborts`, `passed`
/// (how many were done with meanwhile).
pub const STARVATION: &str = "starvation-by-aborts";

/// How often for each of the nodes.
pub const PATIENCE: u64 = 50;

/// Counts aborts.
#[derive(Debug)]
pub struct Livelock {
    most: u64,
    /// Who was aborted since a request was done with, and how often all together.
    aborted: BTreeMap<NodeId, u64>,
    aborts: u64,
    told: bool,
    /// How many requests have been done with.
    finished: u64,
    /// Whose request, if the latest exit was of one that is done with: the end of its step tells.
    leaving: Option<(StepId, RequestId)>,
    latest: BTreeMap<NodeId, RequestId>,
    tries: BTreeMap<NodeId, Try>,
}

/// A request that has been aborted.
#[derive(Clone, Copy, Debug)]
struct Try {
    request: RequestId,
    aborts: u64,
    /// How many requests had been done with when it was aborted first.
    finished_then: u64,
    first: u64,
    told: bool,
}

impl Livelock {
    /// The monitor of a run of so many nodes, before the first event.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self {
            most: PATIENCE * u64::from(nodes),
            aborted: BTreeMap::new(),
            aborts: 0,
            told: false,
            finished: 0,
            leaving: None,
            latest: BTreeMap::new(),
            tries: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Requested { at, .. } | What::Entered { at, .. } => self.finish_before(*at),
            What::Exited { at, request, .. } => {
                self.finish_before(*at);
                self.leaving = Some((*at, *request));
            }
            What::Aborted { at, request, .. } => {
                self.finish_before(*at);
                self.leaving = None;
                self.abort(at.node, *request, event.seq, found);
            }
            _ => {}
        }
    }

    /// The step of the latest exit is over, and nothing was aborted in it: that request is done with.
    fn finish_before(&mut self, step: StepId) {
        let Some((left, request)) = self.leaving.take_if(|(left, _)| *left != step) else { return };
        self.aborted.clear();
        (self.aborts, self.told) = (0, false);
        self.tries.remove(&left.node);
        // Who gives back several locks one after the other is done with one request.
        if self.latest.insert(left.node, request) != Some(request) {
            self.finished += 1;
        }
    }

    fn abort(&mut self, node: NodeId, request: RequestId, seq: u64, found: &mut Vec<Violation>) {
        self.aborts += 1;
        *self.aborted.entry(node).or_default() += 1;
        if self.aborts > self.most && !self.told {
            self.told = true;
            let nodes: Vec<NodeId> = self.aborted.keys().copied().collect();
            found.push(violation(LIVELOCK, json!({ "aborts": self.aborts, "nodes": nodes }), vec![seq]));
        }
        found.extend(self.try_again(node, request, seq));
    }

    fn try_again(&mut self, node: NodeId, request: RequestId, seq: u64) -> Option<Violation> {
        let new = Try { request, aborts: 0, finished_then: self.finished, first: seq, told: false };
        let one = self.tries.entry(node).or_insert(new);
        if one.request != request {
            *one = new;
        }
        one.aborts += 1;
        let passed = self.finished - one.finished_then;
        if passed <= self.most || one.aborts < PATIENCE || one.told {
            return None;
        }
        one.told = true;
        let arguments = json!({ "node": node, "request": request, "aborts": one.aborts, "passed": passed });
        Some(violation(STARVATION, arguments, vec![one.first, seq]))
    }
}

fn violation(code: &str, arguments: serde_json::Value, events: Vec<u64>) -> Violation {
    Violation { monitor: NAME.into(), code: code.into(), arguments, events }
}
