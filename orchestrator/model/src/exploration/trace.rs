//! A way through the states as a schedule: by the names that messages have in every run.

use std::collections::HashMap;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use super::system::{Move, System};
use crate::choice::{Choice, MessageName};

/// The messages under way, by the names that a network gives them.
#[derive(Default)]
struct Names {
    /// How many messages each link was given.
    accepted: HashMap<(NodeId, NodeId), u64>,
    /// What is under way, by recipient and number of the message, in the order in which it came.
    under_way: Vec<(NodeId, u32, MessageId)>,
    copies: HashMap<MessageId, u32>,
}

impl Names {
    fn send(&mut self, from: NodeId, to: NodeId, message: u32) {
        let number = self.accepted.entry((from, to)).or_default();
        *number += 1;
        self.under_way.push((to, message, MessageId { from, to, number: *number, copy: 0 }));
    }

    fn place(&self, to: NodeId, message: u32) -> Option<usize> {
        self.under_way.iter().position(|&(other, same, _)| (other, same) == (to, message))
    }

    fn take(&mut self, to: NodeId, message: u32) -> Option<MessageName> {
        let place = self.place(to, message)?;
        Some(MessageName(self.under_way.remove(place).2))
    }

    /// The message of which a copy is made, which comes next to it.
    fn copy(&mut self, to: NodeId, message: u32) -> Option<MessageName> {
        let place = self.place(to, message)?;
        let name = self.under_way[place].2;
        let copies = self.copies.entry(MessageId { copy: 0, ..name }).or_default();
        *copies += 1;
        self.under_way.insert(place + 1, (to, message, MessageId { copy: *copies, ..name }));
        Some(MessageName(name))
    }
}

/// What happens on a way from the beginning, one state after the other.
pub(super) fn choices(system: &mut System<'_>, way: &[Vec<u32>]) -> Vec<Choice> {
    let mut names = Names::default();
    let (_, sent) = system.first();
    if !system.is_instantaneous() {
        for (from, to, message) in sent {
            names.send(from, to, message);
        }
    }
    let mut choices = Vec::new();
    for pair in way.windows(2) {
        let Some(happens) = move_between(system, &pair[0], &pair[1]) else { break };
        choices.extend(choice(system, &pair[0], happens, &mut names));
    }
    choices
}

/// The first move that leads from one state to another.
fn move_between(system: &mut System<'_>, from: &[u32], to: &[u32]) -> Option<Move> {
    let mut found = None;
    system.successors(from, &mut Vec::new(), |_, happens, _, next| {
        if found.is_none() && next == to {
            found = Some(happens);
        }
    });
    found
}

fn choice(system: &mut System<'_>, state: &[u32], happens: Move, names: &mut Names) -> Option<Choice> {
    let sent = system.sent(state, happens);
    let (from, choice) = match happens {
        Move::Deliver(node, message) => (node, Choice::Deliver(names.take(node, message)?)),
        Move::Lose(node, message) => (node, Choice::Lose(names.take(node, message)?)),
        Move::Copy(node, message) => (node, Choice::Duplicate(names.copy(node, message)?)),
        Move::Act(node, place) => (node, system.choice(state, node, place)?),
    };
    if !system.is_instantaneous() {
        for (to, message) in sent {
            names.send(from, to, message);
        }
    }
    Some(choice)
}
