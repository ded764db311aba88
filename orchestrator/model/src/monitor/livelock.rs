//! Giving up again and again: livelock, and starvation by aborts.
//!
//! In a deadlock nothing moves. In a livelock everybody who wants something is aborted and asks again, and nobody is ever
//! done. Who is not aborted may be the one who gets on, so as long as there is one it is no livelock. Where others are
//! done but one request is aborted all the time, that one starves. No finite stream proves that it will go on so: both are
//! said to be when it has gone on long enough: see [`PATIENCE`]. Where many tries are needed for each request and one comes
//! through in the end, as with back-off that is too short for the delays, it is no livelock before it has taken far more
//! than usual: see [`FACTOR`].

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use interlock_algorithm::{NodeId, RequestId};
use serde_json::json;

use super::calm::Calm;
use crate::event::{Event, StepId, Violation, What};

/// The name of this monitor.
pub const NAME: &str = "livelock";
/// Requests are aborted again and again, and none is ever done with. Arguments: `aborts`, `nodes` (whose).
pub const LIVELOCK: &str = "livelock";
/// A request is aborted again and again while others are done with. Arguments: `node`, `request`, `aborts`, `passed`
/// (how many were done with meanwhile).
pub const STARVATION: &str = "starvation-by-aborts";

/// How often each is aborted, and how many others are done with for each of the nodes.
pub const PATIENCE: u64 = 50;
/// How many times what a request has cost on average so far. If each try has the same chance, and it is small, one request
/// in e²⁰ (half a thousand million) takes that many.
pub const FACTOR: u64 = 20;

/// Counts aborts.
#[derive(Debug)]
pub struct Livelock {
    most: u64,
    /// Who was aborted since a request was done with, and how often.
    aborted: BTreeMap<NodeId, u64>,
    /// Who has asked and is not done.
    open: BTreeSet<NodeId>,
    told: bool,
    hops: u64,
    /// When a request was last done with.
    since_us: u64,
    /// How many requests have been done with.
    finished: u64,
    /// How many aborts there were until then, but for those of a livelock.
    spent: u64,
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
            open: BTreeSet::new(),
            told: false,
            hops: u64::from(nodes).saturating_mul(2).saturating_add(4),
            since_us: 0,
            finished: 0,
            spent: 0,
            leaving: None,
            latest: BTreeMap::new(),
            tries: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, calm: &Calm, found: &mut Vec<Violation>) {
        match &event.what {
            What::Requested { at, .. } => {
                self.finish_before(*at, event.at_us);
                self.open.insert(at.node);
            }
            What::Entered { at, .. } => self.finish_before(*at, event.at_us),
            What::Crashed { node, .. } => {
                self.open.remove(node);
            }
            What::Exited { at, request, .. } => {
                self.finish_before(*at, event.at_us);
                self.leaving = Some((*at, *request));
            }
            What::Aborted { at, request, .. } => {
                self.finish_before(*at, event.at_us);
                self.leaving = None;
                self.abort(at.node, *request, event, calm, found);
            }
            _ => {}
        }
    }

    /// The step of the latest exit is over, and nothing was aborted in it: that request is done with.
    fn finish_before(&mut self, step: StepId, at_us: u64) {
        let Some((left, request)) = self.leaving.take_if(|(left, _)| *left != step) else { return };
        let aborts: u64 = mem::take(&mut self.aborted).values().sum();
        // What was a livelock is no measure of what is usual.
        self.spent += if self.told { 0 } else { aborts };
        (self.told, self.since_us) = (false, at_us);
        self.open.remove(&left.node);
        self.tries.remove(&left.node);
        // Who gives back several locks one after the other is done with one request.
        if self.latest.insert(left.node, request) != Some(request) {
            self.finished += 1;
        }
    }

    fn abort(&mut self, node: NodeId, request: RequestId, event: &Event, calm: &Calm, found: &mut Vec<Violation>) {
        if !calm.is_calm() {
            self.aborted.clear();
        }
        *self.aborted.entry(node).or_default() += 1;
        let often = |node: &NodeId| self.aborted.get(node).is_some_and(|&aborts| aborts >= PATIENCE);
        // What somebody has given back may still be under way, and nobody can get on meanwhile.
        let is_over = calm.outlasts(self.since_us, event.at_us, calm.longest_us().saturating_mul(self.hops));
        let aborts: u64 = self.aborted.values().sum();
        let is_usual = aborts.saturating_mul(self.finished) < self.spent.saturating_mul(FACTOR);
        if is_over && !is_usual && !self.told && self.open.iter().all(often) {
            self.told = true;
            let nodes: Vec<NodeId> = self.open.iter().copied().collect();
            found.push(violation(LIVELOCK, json!({ "aborts": aborts, "nodes": nodes }), vec![event.seq]));
        }
        found.extend(self.try_again(node, request, event.seq));
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
