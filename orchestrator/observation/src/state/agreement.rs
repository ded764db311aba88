//! Instances of agreement, computed from the events with which nodes report their promises, their acceptances and
//! the values that they have learnt.

use std::collections::BTreeMap;
use std::sync::Arc;

use interlock_algorithm::{Ballot, FlatMap, NodeId, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use interlock_model::event::Event;

/// Maximum number of instances that are stored: those with the highest numbers.
const MOST_INSTANCES: usize = 20;
/// Maximum number of proposed values that are stored for one instance.
const MOST_VALUES: usize = 20;

/// The latest instances of agreement in a run, ordered by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Agreement(BTreeMap<u64, Instance>);

/// The promises, acceptances and learnt values that nodes have reported for one instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Instance {
    /// The proposed values, in the order of their proposals.
    pub proposed: Vec<Arc<str>>,
    /// For each acceptor, the newest ballot that it has promised.
    pub promised: FlatMap<NodeId, Ballot>,
    /// For each acceptor, the value that it accepted last.
    pub accepted: FlatMap<NodeId, AcceptedValue>,
    /// For each node that has learnt which value is chosen, the chosen value.
    pub decided: FlatMap<NodeId, Arc<str>>,
    /// The latest superseded ballot. Absent if no ballot was superseded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded: Option<SupersededBallot>,
}

/// A superseded ballot: an acceptor has promised a newer ballot of another proposer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SupersededBallot {
    /// The ballot.
    pub ballot: Ballot,
    /// Number of ballots in this instance that have been superseded, including this ballot.
    pub count: u64,
}

impl Instance {
    fn newest(&self) -> Option<Ballot> {
        self.promised.values().copied().max()
    }

    fn promise(&mut self, acceptor: NodeId, ballot: Ballot) {
        if let Some(newest) = self.newest().filter(|newest| *newest < ballot && newest.proposer != ballot.proposer) {
            let count = self.superseded.map_or(0, |superseded| superseded.count).saturating_add(1);
            self.superseded = Some(SupersededBallot { ballot: newest, count });
        }
        self.promised.insert(acceptor, ballot);
    }
}

/// A value that an acceptor has accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedValue {
    /// The ballot in which the acceptor accepted the value.
    pub ballot: Ballot,
    /// The value.
    pub value: Arc<str>,
}

/// An instance of agreement, as the API shows it in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InstanceDocument {
    /// The number of the instance.
    pub instance: u64,
    /// The promises, acceptances and learnt values that nodes have reported for the instance.
    #[serde(flatten)]
    pub known: Instance,
}

impl Agreement {
    /// Processes the next event.
    pub fn apply(&mut self, event: &Event) {
        match event.outcome() {
            Some((_, Outcome::Proposed { instance, value })) => {
                if let Some(Instance { proposed, .. }) = self.of(*instance)
                    && proposed.len() < MOST_VALUES
                    && !proposed.contains(value)
                {
                    proposed.push(Arc::clone(value));
                }
            }
            Some((at, Outcome::Promised { instance, ballot })) => {
                _ = self.of(*instance).map(|known| known.promise(at.node, *ballot));
            }
            Some((at, Outcome::Accepted { instance, ballot, value })) => {
                let accepted = AcceptedValue { ballot: *ballot, value: Arc::clone(value) };
                self.of(*instance).map(|known| known.accepted.insert(at.node, accepted));
            }
            Some((at, Outcome::Decided { instance, value })) => {
                self.of(*instance).map(|known| known.decided.insert(at.node, Arc::clone(value)));
            }
            _ => {}
        }
    }

    /// Returns the instance with this number, or `None` if the instance is older than all stored instances.
    fn of(&mut self, instance: u64) -> Option<&mut Instance> {
        if self.0.len() >= MOST_INSTANCES && !self.0.contains_key(&instance) {
            if self.0.first_key_value().is_some_and(|(oldest, _)| instance < *oldest) {
                return None;
            }
            self.0.pop_first();
        }
        Some(self.0.entry(instance).or_default())
    }

    /// Returns whether a node has learnt which value was chosen in this instance. If `value` is given, only nodes that
    /// have learnt this value count.
    #[must_use]
    pub fn is_decided(&self, instance: u64, value: Option<&str>) -> bool {
        let is_it = |chosen: &Arc<str>| value.is_none_or(|value| **chosen == *value);
        self.0.get(&instance).is_some_and(|known| known.decided.values().any(is_it))
    }

    /// Returns the instances in which a value was proposed, but no node has learnt which value was chosen.
    pub fn undecided(&self) -> impl Iterator<Item = u64> {
        let open = |known: &Instance| !known.proposed.is_empty() && known.decided.is_empty();
        self.0.iter().filter(move |(_, known)| open(known)).map(|(&instance, _)| instance)
    }

    /// Returns the proposers that obstruct each other in the latest instance without a chosen value: those of the newest
    /// ballot and of the ballot before it. At least `least` ballots must have been superseded.
    #[must_use]
    pub fn duellists(&self, least: u64) -> Option<[NodeId; 2]> {
        let open = self.0.get(&self.undecided().last()?)?;
        let superseded = open.superseded.filter(|superseded| superseded.count >= least)?;
        let mut proposers = [superseded.ballot.proposer, open.newest()?.proposer];
        proposers.sort_unstable();
        Some(proposers)
    }

    /// Returns the instances as the API shows them.
    pub fn documents(&self) -> impl Iterator<Item = InstanceDocument> {
        self.0.iter().map(|(&instance, known)| InstanceDocument { instance, known: known.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interlock_model::event::{StepId, What};

    fn at(node: u32) -> StepId {
        StepId { node: NodeId(node), incarnation: 1, step: 1 }
    }

    fn apply(agreement: &mut Agreement, at: StepId, outcome: Outcome) {
        agreement.apply(&Event { seq: 1, at_us: 0, what: What::Outcome { at, outcome } });
    }

    #[test]
    fn what_each_has_done_last_is_shown() {
        let mut agreement = Agreement::default();
        let ballot = |round| Ballot { round, proposer: NodeId(0) };
        apply(&mut agreement, at(0), Outcome::Proposed { instance: 0, value: "v".into() });
        apply(&mut agreement, at(1), Outcome::Proposed { instance: 0, value: "v".into() });
        for round in [1, 2] {
            apply(&mut agreement, at(1), Outcome::Promised { instance: 0, ballot: ballot(round) });
        }
        apply(&mut agreement, at(1), Outcome::Accepted { instance: 0, ballot: ballot(2), value: "v".into() });
        apply(&mut agreement, at(2), Outcome::Decided { instance: 0, value: "v".into() });
        let asked = [(0, None), (0, Some("v")), (0, Some("w")), (1, None)];
        let answers = asked.map(|(instance, value)| agreement.is_decided(instance, value));
        assert_eq!(answers, [true, true, false, false]);
        let shown = serde_json::to_value(agreement.documents().collect::<Vec<_>>()).expect("JSON");
        let expected = serde_json::json!([{
            "instance": 0,
            "proposed": ["v"],
            "promised": { "1": { "round": 2, "proposer": 0 } },
            "accepted": { "1": { "ballot": { "round": 2, "proposer": 0 }, "value": "v" } },
            "decided": { "2": "v" },
        }]);
        assert_eq!(shown, expected);
    }

    #[test]
    fn only_the_first_values_that_were_proposed_are_kept() {
        let mut agreement = Agreement::default();
        for value in 0..MOST_VALUES + 5 {
            apply(&mut agreement, at(0), Outcome::Proposed { instance: 0, value: value.to_string().into() });
        }
        assert_eq!(agreement.documents().map(|document| document.known.proposed.len()).sum::<usize>(), MOST_VALUES);
    }

    #[test]
    fn only_the_latest_instances_are_kept() {
        let mut agreement = Agreement::default();
        for instance in (0..100).chain([3]) {
            apply(&mut agreement, at(0), Outcome::Decided { instance, value: "v".into() });
        }
        let kept: Vec<u64> = agreement.documents().map(|document| document.instance).collect();
        assert_eq!(kept, (80..100).collect::<Vec<_>>());
    }
}
