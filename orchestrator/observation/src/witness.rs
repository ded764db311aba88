//! Judges reports of expired leases. A report counts only if the reporting process can know of the request for
//! which the lease was granted.
//!
//! Only a process that knows of a request can have granted it. Knowledge spreads along happened-before (Lamport 1978,
//! "Time, Clocks, and the Ordering of Events in a Distributed System"). If processes agree on a log of operations,
//! each expiry is an operation of that log. The reporting process must then have learnt in the same step that this
//! operation was decided.

use std::collections::BTreeMap;
use std::sync::Arc;

use interlock_algorithm::agreement::replicated_lock::{LockRequest, Operation};
use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};

use crate::state::Leases;
use interlock_model::event::{Event, StepId, What};
use interlock_model::specification::Specification;

/// Judges reports of expired leases in a run that includes a user's own programs.
#[derive(Debug)]
pub struct Witness {
    leases: Leases,
    algorithm: String,
    /// Whether the programs declare, or could declare, the processes that keep the leases.
    is_declarable: bool,
    /// Whether the algorithm makes processes agree on each operation before the operation takes effect.
    agrees: bool,
    /// For each process, the requests that it can know of. Each entry is the latest known request of a process for
    /// a lock.
    heard: Vec<BTreeMap<(NodeId, LockId), RequestId>>,
    /// The step that decided values last, and the values that were decided in it.
    decided: (Option<StepId>, Vec<Arc<str>>),
}

/// A process's report that a lease has expired.
#[derive(Clone, Copy, Debug)]
pub struct ExpiryReport {
    /// The reporting process and its step.
    pub at: StepId,
    /// The lock.
    pub lock: LockId,
    /// The process that held the lock.
    pub holder: NodeId,
    /// The request for which the holder was granted the lock.
    pub request: RequestId,
}

impl Witness {
    /// Returns the judge of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let entry = specification.known_algorithm().map(|known| known.entry);
        Self {
            leases: Leases::of(specification),
            algorithm: specification.algorithm.clone(),
            is_declarable: entry.is_some_and(|entry| entry.known_kinds().is_none()),
            agrees: entry.is_some_and(|entry| entry.conduct.agrees && entry.conduct.leases),
            heard: NodeId::all(specification.nodes).map(|_| BTreeMap::new()).collect(),
            decided: (None, Vec::new()),
        }
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Requested { lock, request, .. } } => {
                if let Some(own) = self.heard.get_mut(at.node.index()) {
                    own.insert((at.node, *lock), *request);
                }
            }
            // The receiver gets everything that the sender knows now, even if the sender learnt some of it after
            // sending. This rule overestimates the receiver's knowledge, but needs no record for each message.
            What::Delivered { at, from, .. } => self.hears(at.node, *from),
            What::Outcome { at, outcome: Outcome::Decided { value, .. } } => {
                if self.decided.0 != Some(*at) {
                    self.decided = (Some(*at), Vec::new());
                }
                self.decided.1.push(Arc::clone(value));
            }
            _ => {}
        }
    }

    fn hears(&mut self, node: NodeId, from: NodeId) {
        let Some(told) = self.heard.get(from.index()).cloned() else { return };
        let Some(heard) = self.heard.get_mut(node.index()) else { return };
        for (of, request) in told {
            let known = heard.entry(of).or_insert(request);
            *known = (*known).max(request);
        }
    }

    /// Returns the reason why a report does not count, or `None` if the report counts. The reason is a clause whose
    /// subject, the reporting process, is omitted.
    #[must_use]
    pub fn objection(&self, report: &ExpiryReport) -> Option<String> {
        let ExpiryReport { at, lock, holder, request } = *report;
        let what =
            format!("reports `expired` of {holder}'s lease on lock {lock} (request {request}, step {})", at.step);
        if !self.leases.are_kept_by(at.node) {
            return Some(format!("{what}: {}", self.no_keeper()));
        }
        let heard = self.heard.get(at.node.index()).and_then(|heard| heard.get(&(holder, lock)));
        if heard.is_none_or(|heard| *heard < request) {
            let why = "no message has informed it of that request, so it cannot have granted the lease";
            return Some(format!("{what}: {why}"));
        }
        let expire = Operation::Expire { claim: LockRequest { lock, client: holder, request } }.to_string();
        let is_decided = self.decided.0 == Some(at) && self.decided.1.iter().any(|value| **value == *expire);
        (self.agrees && !is_decided)
            .then(|| format!("{what}: only a leader can take a lease back, in the step that decides `{expire}`"))
    }

    fn no_keeper(&self) -> String {
        match &self.leases {
            Leases::These(keepers) => {
                let keepers: Vec<String> = keepers.iter().map(ToString::to_string).collect();
                format!("`own: {{ leases: … }}` says that the leases are kept by {}", keepers.join(", "))
            }
            _ if self.is_declarable => "`own: { leases: [] }` says that there are no leases".to_owned(),
            _ => format!("`{}` has no leases", self.algorithm),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::state::test_stream::{LOCK, TestStream};
    use interlock_simulation::scenario::Scenario;

    fn specification(algorithm: &str, own: &Value) -> Specification {
        let mut document = json!({ "algorithm": algorithm, "seed": 1,
            "nodes": [{ "command": ["a"], "count": 3 }] });
        if !own.is_null() {
            document["own"] = own.clone();
        }
        Scenario::read(document).expect("a scenario").specification(None, true).expect("a run")
    }

    /// Returns the objection to P1's report that P0's lease has expired. P0 has made a request. If `is_told`, P1 has
    /// received a message from P0 about the request.
    fn objection(algorithm: &str, own: &Value, is_told: bool) -> Option<String> {
        let mut stream = TestStream::new(3);
        stream.request(0);
        if is_told {
            let word = stream.send(0, 1, "ASK");
            stream.deliver(word);
        }
        let mut witness = Witness::new(&specification(algorithm, own));
        stream.events.iter().for_each(|event| witness.observe(event));
        let at = StepId { node: NodeId(1), incarnation: 1, step: 9 };
        witness.objection(&ExpiryReport { at, lock: LOCK, holder: NodeId(0), request: RequestId(1) })
    }

    /// Returns whether P1's report that P0's lease has expired counts, in a run that agrees on each operation. `decided`
    /// are the steps in which P1 has learnt that a value was decided: the expiry if true, another value if false.
    fn counts(decided: &[(u64, bool)]) -> bool {
        let mut stream = TestStream::new(3);
        stream.request(0);
        let word = stream.send(0, 1, "ASK");
        stream.deliver(word);
        let expire = LockRequest { lock: LOCK, client: NodeId(0), request: RequestId(1) };
        let expire = Operation::Expire { claim: expire }.to_string();
        let at = |step| StepId { node: NodeId(1), incarnation: 1, step };
        for &(step, is_it) in decided {
            let value = if is_it { expire.as_str().into() } else { "other".into() };
            stream.outcome(at(step), Outcome::Decided { instance: step, value });
        }
        let mut witness = Witness::new(&specification("replicated-lock", &Value::Null));
        stream.events.iter().for_each(|event| witness.observe(event));
        let report = ExpiryReport { at: at(9), lock: LOCK, holder: NodeId(0), request: RequestId(1) };
        witness.objection(&report).is_none()
    }

    #[test]
    fn where_processes_agree_a_lease_is_taken_back_in_the_step_that_decides_it() {
        assert!(counts(&[(9, true)]));
        assert!(counts(&[(9, true), (9, false)]) && counts(&[(9, false), (9, true)]), "it decides several values");
        assert!(!counts(&[(9, false)]), "another operation");
        assert!(!counts(&[(8, true)]) && !counts(&[(8, true), (9, false)]), "an earlier step");
        assert!(!counts(&[]));
    }

    #[test]
    fn a_process_may_take_back_only_the_requests_that_it_has_heard_of() {
        let objects = |request| {
            let mut stream = TestStream::new(3);
            for _ in 0..2 {
                stream.request(0);
            }
            let word = stream.send(0, 1, "ASK");
            stream.deliver(word);
            let mut witness = Witness::new(&specification("own", &Value::Null));
            stream.events.iter().for_each(|event| witness.observe(event));
            let at = StepId { node: NodeId(1), incarnation: 1, step: 9 };
            let report = ExpiryReport { at, lock: LOCK, holder: NodeId(0), request: RequestId(request) };
            witness.objection(&report).is_some()
        };
        assert_eq!([1, 2, 3].map(objects), [false, false, true]);
    }

    #[test]
    fn a_process_takes_a_lease_back_if_it_keeps_leases_and_has_heard_of_the_request() {
        let says = |algorithm, own, is_told, part: &str| {
            let objection = objection(algorithm, &own, is_told);
            assert!(objection.as_ref().is_some_and(|said| said.contains(part)), "{algorithm} {own}: {objection:?}");
        };
        for own in [Value::Null, json!({}), json!({ "leases": [0, 1] })] {
            assert_eq!(objection("own", &own, true), None, "{own}");
            says("own", own, false, "no message has informed it of that request");
        }
        says("own", json!({ "leases": [0] }), true, "the leases are kept by P0");
        says("own", json!({ "leases": [] }), true, "there are no leases");
        says("ricart-agrawala", Value::Null, true, "`ricart-agrawala` has no leases");
        says("replicated-lock", Value::Null, true, "only a leader can take a lease back");
    }
}
