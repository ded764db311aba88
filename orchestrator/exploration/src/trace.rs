//! A way through the states as a schedule: by the names that messages have in every run.

use std::collections::HashMap;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use super::environment::{Beginning, Environment};
use super::moves::Move;
use super::participants::Participants;
use super::system::System;
use interlock_model::choice::{Choice, MessageName};

/// After how many rounds at the most messages stand to each other as they did before.
const MOST_ROUNDS: usize = 64;

/// The messages under way, by the names that a network gives them.
#[derive(Default)]
struct Names {
    /// How many messages each link was given.
    accepted: HashMap<(NodeId, NodeId), u64>,
    /// What is under way, by recipient and number of the message, in the order in which it came.
    under_way: Vec<(NodeId, u32, MessageId)>,
    copies: HashMap<MessageId, u32>,
}

/// How a message under way stands to the latest of its link: to whom, which, how many were sent after it, and which copy.
type Standing = (NodeId, u32, u64, u32);

impl Names {
    /// How all messages under way stand.
    fn stand(&self) -> Vec<Standing> {
        let accepted = |name: &MessageId| self.accepted.get(&(name.from, name.to)).copied().unwrap_or_default();
        let standing = |(to, message, name): &(NodeId, u32, MessageId)| {
            (*to, *message, accepted(name).saturating_sub(name.number), name.copy)
        };
        let mut stand: Vec<Standing> = self.under_way.iter().map(standing).collect();
        stand.sort_unstable();
        stand
    }

    /// Names a message that is sent, and says so if its link is full: then it is lost.
    fn send(&mut self, from: NodeId, to: NodeId, message: u32, environment: &Environment) -> Option<MessageName> {
        let number = self.accepted.entry((from, to)).or_default();
        *number += 1;
        let name = MessageId { from, to, number: *number, copy: 0 };
        let on_link = |other: &&(NodeId, u32, MessageId)| (other.2.from, other.2.to) == (from, to);
        if environment.is_full(|| self.under_way.iter().filter(on_link).count()) {
            return Some(MessageName(name));
        }
        self.under_way.push((to, message, name));
        None
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

/// What happens on a way from the beginning, one state after the other, and where in it the part begins that can be done
/// again and again, if the last state is that of the given place again; none if no schedule can say it, since processes
/// begin in other states than usual or several move at once. Where several moves lead from one state to the next, only these
/// take part.
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
    // Of two messages of a link that say the same the older is taken. So after a round each may stand where the other did,
    // and then it is told further until all stand as they did before.
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

/// What happens on a part of a way.
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
                .under_way
                .iter_mut()
                .for_each(|(_, message, _)| *message = system.parts.lessened_message(*message, &by));
        }
    }
    Some(())
}

/// What was sent goes its way, unless it was known in the same instant; what its link has no room for is lost.
fn carry(system: &System<'_>, sent: Vec<(NodeId, NodeId, u32)>, names: &mut Names, choices: &mut Vec<Choice>) {
    if !system.is_instantaneous() {
        let lost =
            sent.into_iter().filter_map(|(from, to, message)| names.send(from, to, message, system.environment()));
        choices.extend(lost.map(Choice::Lose));
    }
}

/// Who takes part in a way, by the first move that leads from each state to the next.
pub(super) fn participants(system: &mut System<'_>, way: &[Vec<u32>]) -> Participants {
    let mut all = Participants::NOBODY;
    for pair in way.windows(2) {
        let happens = move_between(system, &pair[0], &pair[1], Participants::ALL);
        all = happens.map_or(all, |happens| all.with(system.participants(&pair[0], happens)));
    }
    all
}

/// The first move that leads from one state to another and in which only these take part.
fn move_between(system: &mut System<'_>, from: &[u32], to: &[u32], among: Participants) -> Option<Move> {
    let mut moves = moves_between(system, from, to).into_iter();
    moves.find(|happens| system.participants(from, *happens).are_among(among))
}

/// All moves that lead from one state to another.
pub(super) fn moves_between(system: &mut System<'_>, from: &[u32], to: &[u32]) -> Vec<Move> {
    let mut found = Vec::new();
    system.successors(from, &mut Vec::new(), |happens, _, next| {
        if next == to {
            found.push(happens);
        }
    });
    found
}

/// At whom a move happens, and what anybody could let happen for it.
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
