//! A path through the states as a table of configurations. It can show what no schedule can express: unusual initial
//! states, simultaneous moves, and infinite runs.

use interlock_algorithm::{NodeId, View};
use serde::Serialize;

use super::in_transit::InTransit;
use super::moves::Move;
use super::system::System;
use super::trace;
use interlock_model::choice::Choice;

/// A path through the states, with a row for each state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The configurations, in order.
    pub rows: Vec<Row>,
    /// The index of the row that equals the last row, if the run is infinite. The run then repeats the rows after
    /// this index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<usize>,
}

/// A configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The event that led to the configuration of this row, as a sentence without a full stop. If several events
    /// lead to it, all of them are listed. Absent in the first row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The processes in the form that users see, in the order of the nodes.
    pub processes: Vec<View>,
    /// The messages in transit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "under_way")]
    pub in_transit: Vec<InTransit>,
    /// Number of privileges, if the algorithm defines privileges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privileges: Option<usize>,
}

impl Table {
    /// Returns the table of the path `way`, a list of states. If the path repeats, its last state equals the state
    /// at index `again`.
    pub(super) fn of(system: &mut System<'_>, way: &[Vec<u32>], again: Option<usize>) -> Self {
        let mut rows: Vec<Row> = Vec::with_capacity(way.len());
        for (place, state) in way.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &way[before]);
            let after = before.map(|before| {
                let moves = trace::moves_between(system, before, state).into_iter();
                moves.map(|happens| in_words(system, before, happens)).collect::<Vec<_>>().join(" or ")
            });
            let (processes, in_transit) = system.seen(state);
            rows.push(Row { after, processes, in_transit, privileges: system.privileges(state) });
        }
        Self { rows, again }
    }
}

/// Describes a move in a sentence.
fn in_words(system: &mut System<'_>, state: &[u32], happens: Move) -> String {
    match happens {
        Move::Deliver(node, message) => match system.told(node, message) {
            Some(Choice::Suspect { whom, .. }) => format!("{node} is notified that {whom} has crashed"),
            Some(_) => format!("{node} is notified that {} has restarted", system.parts.sender(message)),
            None => told(system, node, message, "reaches"),
        },
        Move::Lose(node, message) => told(system, node, message, "is lost in transit to"),
        Move::Copy(node, message) => told(system, node, message, "is duplicated in transit to"),
        Move::Act(node, place) => match system.choice(state, node, place) {
            Some(Choice::Acquire { lock, .. }) => format!("{node} requests lock {}", lock.0),
            Some(Choice::Release { lock, .. }) => format!("{node} leaves lock {}", lock.0),
            Some(Choice::Crash { .. }) => format!("{node} crashes"),
            Some(Choice::Restart { .. }) => format!("{node} restarts"),
            Some(Choice::Pause { .. }) => format!("{node} is paused"),
            Some(Choice::Corrupt { choice, .. }) => format!("{node} is now in state {choice}"),
            Some(Choice::Fire { .. }) if system.is_instantaneous() => format!("{node} moves"),
            Some(Choice::Fire { .. }) => format!("a timer of {node} fires"),
            _ => format!("{node} resumes"),
        },
        Move::Together(number) => {
            let nodes: Vec<String> = system.moving(state, number).iter().map(ToString::to_string).collect();
            format!("{} move at once", nodes.join(", "))
        }
    }
}

fn told(system: &System<'_>, node: NodeId, message: u32, what: &str) -> String {
    let message = system.in_transit(node, message);
    let kind = message.message["kind"].as_str().unwrap_or("a message").to_owned();
    format!("{kind} {} from {} {what} {node}", message.message["body"], message.from)
}
