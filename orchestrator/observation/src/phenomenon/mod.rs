//! The phenomenon that a run shows, with a name from a closed list: a deadlock, a lost token, two coordinators.
//!
//! The verdict says how bad the state of a run is ([`Status`](crate::state::Status)). The phenomenon says what the
//! state is called in the literature. One phenomenon has one word, whichever algorithm shows it: the philosophers'
//! cycle of waits and the cycle of votes in Maekawa's algorithm are both a deadlock.

mod causes;
mod names;
#[cfg(test)]
mod tests;

use std::fmt;

use interlock_algorithm::{LockId, NodeId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use names::Phenomenon;

use self::causes::cause_of_standstill;
use crate::monitor::names as names_of;
use crate::monitor::overtaking::Overtaking;
use crate::resource::Resource;
use crate::state::{Because, NamedMessage, STUCK, State};
use interlock_model::event::Violation;

/// The phenomenon that the state of a run shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PhenomenonDocument {
    /// The phenomenon.
    pub name: Phenomenon,
    /// The processes concerned. In a deadlock, each process waits for the next one, and the last waits for the first. If
    /// a run is stuck because of a loss or a crash, the first process waits for the others.
    pub nodes: Vec<NodeId>,
    /// The amount that is missing from a resource; only for lost updates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<i64>,
    /// The message with which the token was lost; only for a lost token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<NamedMessage>,
    /// The overtaking that is the cause; only for two processes in the critical section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overtaking: Option<Overtaking>,
}

impl PhenomenonDocument {
    const fn new(name: Phenomenon, nodes: Vec<NodeId>) -> Self {
        Self { name, nodes, missing: None, message: None, overtaking: None }
    }
}

impl fmt::Display for PhenomenonDocument {
    /// Writes the name and the processes: `deadlock of P0, P1 and P2`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name.name())?;
        if let Some(missing) = self.missing {
            write!(formatter, " ({missing} missing)")?;
        }
        if !self.nodes.is_empty() {
            write!(formatter, " of {}", names_of(&self.nodes))?;
        }
        match &self.overtaking {
            Some(Overtaking { first, later }) => {
                write!(formatter, ": the {} overtook the {}", later.message_kind, first.message_kind)
            }
            None => Ok(()),
        }
    }
}

/// Number of superseded ballots from which an instance without a chosen value counts as a duel. Proposers that merely
/// started at the same time supersede each other once or twice.
const DUEL: u64 = 3;

impl State {
    /// Returns the phenomenon behind a verdict with this reason, or `None` if the state shows none. While a manual
    /// action can still help, and while a process merely waits for long, nothing is known to be wrong.
    #[must_use]
    pub fn phenomenon(&self, because: Option<&Because>) -> Option<PhenomenonDocument> {
        match because {
            Some(Because::Violation(violation)) if *violation.monitor == *STUCK => Some(cause_of_standstill(self)),
            Some(Because::Violation(violation)) => self.lost_updates().or_else(|| self.of_violation(violation)),
            Some(Because::Standstill(standstill)) if standstill.hands.are_tied() => Some(cause_of_standstill(self)),
            Some(Because::Standstill(_) | Because::Failed(_) | Because::Slow(_)) => None,
            None => self.obstructed_proposers(),
        }
    }

    /// Returns the phenomenon that a violation shows. Only the state knows with which message a token was lost.
    fn of_violation(&self, violation: &Violation) -> Option<PhenomenonDocument> {
        let shown = of_violation(violation)?;
        if shown.name != Phenomenon::TokenLost {
            return Some(shown);
        }
        let lock = violation.arguments.get("lock").and_then(|lock| LockId::deserialize(lock).ok());
        Some(PhenomenonDocument { message: self.tokens().lost_with(lock.unwrap_or(LockId(0))), ..shown })
    }

    /// Returns the amount that lost updates have removed from a resource. It is the result of a violation that the
    /// monitors have reported earlier, so it is shown in place of that violation.
    fn lost_updates(&self) -> Option<PhenomenonDocument> {
        let missing = self.resources().all().iter().map(Resource::missing).find(|&missing| missing != 0)?;
        Some(PhenomenonDocument {
            missing: Some(missing),
            ..PhenomenonDocument::new(Phenomenon::LostUpdate, Vec::new())
        })
    }

    /// Returns the proposers of an instance in which no value has been chosen, although ballots of several proposers
    /// have superseded each other.
    fn obstructed_proposers(&self) -> Option<PhenomenonDocument> {
        let proposers = self.agreement().duellists(DUEL)?;
        Some(PhenomenonDocument::new(Phenomenon::NoValueChosen, proposers.to_vec()))
    }
}

/// Returns the phenomenon that a violation shows, with the processes that the arguments of the violation name.
fn of_violation(Violation { code, arguments, .. }: &Violation) -> Option<PhenomenonDocument> {
    let (name, fields) = names::of_code(code)?;
    let mut nodes = Vec::new();
    fields.iter().filter_map(|field| arguments.get(field)).for_each(|value| add_nodes(value, &mut nodes));
    if name == Phenomenon::Deadlock {
        begin_with_lowest(&mut nodes);
    }
    let missing = arguments.get("missing").and_then(Value::as_i64);
    let overtaking = arguments.get("overtaking").and_then(|overtaking| Overtaking::deserialize(overtaking).ok());
    Some(PhenomenonDocument { missing, overtaking, ..PhenomenonDocument::new(name, nodes) })
}

/// Turns a cycle such that the lowest node comes first.
fn begin_with_lowest(cycle: &mut [NodeId]) {
    let lowest = cycle.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(place, _)| place);
    cycle.rotate_left(lowest);
}

/// Adds the nodes that a value names: a node, a list of nodes, or a list of objects with a field `node`.
fn add_nodes(value: &Value, nodes: &mut Vec<NodeId>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| add_nodes(value, nodes)),
        Value::Object(fields) => fields.get("node").into_iter().for_each(|value| add_nodes(value, nodes)),
        value => nodes.extend(value.as_u64().and_then(|node| u32::try_from(node).ok()).map(NodeId)),
    }
}
