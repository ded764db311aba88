//! Converts a path through the states to a schedule. In a schedule, a message has a name that is the same in every
//! run.

use std::collections::HashMap;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use super::environment::{Beginning, Environment};
use super::moves::Move;
use super::participants::Participants;
use super::system::System;
use interlock_model::choice::{Choice, MessageName};

/// Maximum number of repetitions of a cycle that are tried until the relative names of the messages recur.
const MOST_ROUNDS: usize = 64;

/// The messages in transit, with the names that the network gives them.
#[derive(Default)]
struct Names {
    /// For each link, the number of messages that the link has accepted.
    accepted: HashMap<(NodeId, NodeId), u64>,
    /// The messages in transit, in the order in which they were sent. Each is stored with its receiver, its number in
    /// the interner and its name.
    in_transit: Vec<(NodeId, u32, MessageId)>,
    copies: HashMap<MessageId, u32>,
}

/// A message in transit, described relative to the latest message of its link. The fields are the receiver, the number
/// of the message in the interner, the number of later messages on the link, and the number of the duplicate.
type Standing = (NodeId, u32, u64, u32);

impl Names {
    /// Returns the standing of each message in transit.
    fn stand(&self) -> Vec<Standing> {
        let accepted = |name: &MessageId| self.accepted.get(&(name.from, name.to)).copied().unwrap_or_default();
        let standing = |(to, message, name): &(NodeId, u32, MessageId)| {
            (*to, *message, accepted(name).saturating_sub(name.number), name.copy)
        };
        let mut stand: Vec<Standing> = self.in_transit.iter().map(standing).collect();
        stand.sort_unstable();
        stand
    }

    /// Assigns a name to a sent message. If the link is full, the message is lost, and the function returns its
    /// name. Otherwise, returns none.
    fn send(&mut self, from: NodeId, to: NodeId, message: u32, environment: &Environment) -> Option<MessageName> {
        let number = self.accepted.entry((from, to)).or_default();
        *number += 1;
        let name = MessageId { from, to, number: *number, copy: 0 };
        let on_link = |other: &&(NodeId, u32, MessageId)| (other.2.from, other.2.to) == (from, to);
        if environment.is_full(|| self.in_transit.iter().filter(on_link).count()) {
            return Some(MessageName(name));
        }
        self.in_transit.push((to, message, name));
        None
    }

    fn place(&self, to: NodeId, message: u32) -> Option<usize> {
        self.in_transit.iter().position(|&(other, same, _)| (other, same) == (to, message))
    }

    fn take(&mut self, to: NodeId, message: u32) -> Option<MessageName> {
        let place = self.place(to, message)?;
        Some(MessageName(self.in_transit.remove(place).2))
    }

    /// Duplicates a message, and returns its name. The duplicate is inserted directly after the message.
    fn copy(&mut self, to: NodeId, message: u32) -> Option<MessageName> {
        let place = self.place(to, message)?;
        let name = self.in_transit[place].2;
        let copies = self.copies.entry(MessageId { copy: 0, ..name }).or_default();
        *copies += 1;
        self.in_transit.insert(place + 1, (to, message, MessageId { copy: *copies, ..name }));
        Some(MessageName(name))
    }
}

/// Returns the actions along the path `way`, a list of states that begins with an initial state. If the last state
/// equals the state at index `again`, also returns the index of the action with which the repeated part begins. If
/// several moves lead from one state to the next, only moves whose participants are all in `among` are used.
///
/// Returns none if no schedule can express the path: processes begin in unusual states, or several processes move at
/// once.
pub(super) fn choices(
    system: &mut System<'_>,
    way: &[Vec<u32>],
    again: Option<usize>,
    among: Participants,
) -> Option<(Vec<Choice>, Option<usize>)> {
    if system.environment().beginning != Beginning::Usual {
        return None;
    }
    let mut names = Names::default();
    let mut choices = Vec::new();
    let (_, sent) = system.begin(0);
    carry(system, sent, &mut names, &mut choices);
    let Some(again) = again else {
        go(system, way, among, &mut names, &mut choices)?;
        return Some((choices, None));
    };
    go(system, &way[..=again], among, &mut names, &mut choices)?;
    // If a link contains two messages with equal content, the older message is delivered first. After a repetition
    // of the cycle, the newer message may therefore have replaced the older message. Repetitions are added until
    // all messages have the same standings as before an earlier repetition.
    let mut stood: Vec<(Vec<Standing>, usize)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let stand = names.stand();
        if let Some((_, from)) = stood.iter().find(|(before, _)| *before == stand) {
            return Some((choices, Some(*from)));
        }
        stood.push((stand, choices.len()));
        go(system, &way[again..], among, &mut names, &mut choices)?;
    }
    None
}

/// Appends the actions on a part of a path to `choices`.
fn go(
    system: &mut System<'_>,
    way: &[Vec<u32>],
    among: Participants,
    names: &mut Names,
    choices: &mut Vec<Choice>,
) -> Option<()> {
    for pair in way.windows(2) {
        let happens = move_between(system, &pair[0], &pair[1], among)?;
        if matches!(happens, Move::Together(_)) {
            return None;
        }
        let (from, choice) = choice(system, &pair[0], happens, names);
        choices.extend(choice);
        let sent = system.sent(&pair[0], happens).into_iter().map(|(to, message)| (from, to, message)).collect();
        carry(system, sent, names, choices);
        if let Some(by) = system.rebased_after(&pair[0], happens) {
            names
                .in_transit
                .iter_mut()
                .for_each(|(_, message, _)| *message = system.parts.lessened_message(*message, &by));
        }
    }
    Some(())
}

/// Puts the sent messages in transit, unless messages are received in the instant in which they are sent. If a link
/// is full, its message is lost, and the loss is appended to `choices`.
fn carry(system: &System<'_>, sent: Vec<(NodeId, NodeId, u32)>, names: &mut Names, choices: &mut Vec<Choice>) {
    if !system.is_instantaneous() {
        let lost =
            sent.into_iter().filter_map(|(from, to, message)| names.send(from, to, message, system.environment()));
        choices.extend(lost.map(Choice::Lose));
    }
}

/// Returns the participants of a path. If several moves lead from one state to the next, only the participants of the
/// first move are included.
pub(super) fn participants(system: &mut System<'_>, way: &[Vec<u32>]) -> Participants {
    let mut all = Participants::NOBODY;
    for pair in way.windows(2) {
        let happens = move_between(system, &pair[0], &pair[1], Participants::ALL);
        all = happens.map_or(all, |happens| all.with(system.participants(&pair[0], happens)));
    }
    all
}

/// Returns the first move from one state to another whose participants are all in `among`.
fn move_between(system: &mut System<'_>, from: &[u32], to: &[u32], among: Participants) -> Option<Move> {
    let mut moves = moves_between(system, from, to).into_iter();
    moves.find(|happens| system.participants(from, *happens).are_among(among))
}

/// Returns all moves from one state to another.
pub(super) fn moves_between(system: &mut System<'_>, from: &[u32], to: &[u32]) -> Vec<Move> {
    let mut found = Vec::new();
    system.successors(from, &mut Vec::new(), |happens, _, next| {
        if next == to {
            found.push(happens);
        }
    });
    found
}

/// Returns the node at which a move happens, and the action of a schedule that executes the move.
fn choice(system: &mut System<'_>, state: &[u32], happens: Move, names: &mut Names) -> (NodeId, Option<Choice>) {
    match happens {
        Move::Deliver(node, message) => {
            let told = system.told(node, message);
            (node, told.or_else(|| names.take(node, message).map(Choice::Deliver)))
        }
        Move::Lose(node, message) => (node, names.take(node, message).map(Choice::Lose)),
        Move::Copy(node, message) => (node, names.copy(node, message).map(Choice::Duplicate)),
        Move::Act(node, place) => (node, system.choice(state, node, place)),
        Move::Together(_) => (NodeId(0), None),
    }
}
