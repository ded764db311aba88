//! A way through the states as a schedule: by the names that messages have in every run.

use std::collections::HashMap;

use interlock_algorithm::{Algorithm, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::Order;

use super::process::Local;
use super::system::{Move, System};
use crate::choice::{Choice, MessageName};
use crate::event::RestartState;
use crate::world::label;

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
    fn send(&mut self, from: NodeId, to: NodeId, envelope: u32) {
        let number = self.accepted.entry((from, to)).or_default();
        *number += 1;
        self.under_way.push((to, envelope, MessageId { from, to, number: *number, copy: 0 }));
    }

    fn place(&self, to: NodeId, envelope: u32) -> Option<usize> {
        self.under_way.iter().position(|&(other, same, _)| (other, same) == (to, envelope))
    }

    fn take(&mut self, to: NodeId, envelope: u32) -> Option<MessageName> {
        let place = self.place(to, envelope)?;
        Some(MessageName(self.under_way.remove(place).2))
    }

    /// The message of which a copy is made, which comes next to it.
    fn copy(&mut self, to: NodeId, envelope: u32) -> Option<MessageName> {
        let place = self.place(to, envelope)?;
        let name = self.under_way[place].2;
        let copies = self.copies.entry(MessageId { copy: 0, ..name }).or_default();
        *copies += 1;
        self.under_way.insert(place + 1, (to, envelope, MessageId { copy: *copies, ..name }));
        Some(MessageName(name))
    }
}

/// What happens on a way from the beginning, one state after the other.
pub(super) fn choices<A: Algorithm>(system: &mut System<'_, A>, way: &[Vec<u32>], forgets: bool) -> Vec<Choice> {
    let mut names = Names::default();
    if !A::is_instantaneous(system.frame.setting) {
        for (from, to, envelope) in system.sent_at_the_beginning() {
            names.send(from, to, envelope);
        }
    }
    let mut choices = Vec::new();
    for pair in way.windows(2) {
        let Some(happens) = move_between(system, &pair[0], &pair[1]) else { break };
        choices.extend(choice(system, &pair[0], happens, &mut names, forgets));
    }
    choices
}

/// The first move that leads from one state to another.
fn move_between<A: Algorithm>(system: &mut System<'_, A>, from: &[u32], to: &[u32]) -> Option<Move> {
    let mut found = None;
    system.successors(from, &mut Vec::new(), |_, happens, _, next| {
        if found.is_none() && next == to {
            found = Some(happens);
        }
    });
    found
}

fn choice<A: Algorithm>(
    system: &mut System<'_, A>,
    state: &[u32],
    happens: Move,
    names: &mut Names,
    forgets: bool,
) -> Option<Choice> {
    let sent = system.sent(state, happens);
    let (from, choice) = match happens {
        Move::Deliver(node, envelope) => (node, Choice::Deliver(names.take(node, envelope)?)),
        Move::Lose(node, envelope) => (node, Choice::Lose(names.take(node, envelope)?)),
        Move::Copy(node, envelope) => (node, Choice::Duplicate(names.copy(node, envelope)?)),
        Move::Act(node, place) => {
            let deeds = system.deeds(state, node);
            (node, by_itself(node, &deeds.get(place)?.local, forgets)?)
        }
    };
    if !A::is_instantaneous(system.frame.setting) {
        sent.into_iter().for_each(|(to, envelope)| names.send(from, to, envelope));
    }
    Some(choice)
}

fn by_itself<T: serde::Serialize + Copy>(node: NodeId, local: &Local<T>, forgets: bool) -> Option<Choice> {
    Some(match local {
        Local::Timer(name) => Choice::Fire { node, timer: label(*name) },
        Local::Crash => Choice::Crash { node },
        Local::Restart => {
            Choice::Restart { node, state: if forgets { RestartState::None } else { RestartState::Stored } }
        }
        Local::Order(Order::Acquire { lock, .. }) => Choice::Acquire { node, lock: *lock, hold: None },
        Local::Order(Order::Release { lock }) => Choice::Release { node, lock: *lock },
        Local::Order(Order::Elect {}) => Choice::Elect { node },
        Local::Order(Order::Propose { instance, value }) => {
            Choice::Propose { node, instance: *instance, value: value.clone() }
        }
        Local::Order(Order::AcquireTogether { .. } | Order::Tell { .. }) => return None,
    })
}
