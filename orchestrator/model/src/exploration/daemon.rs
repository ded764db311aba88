//! Moves at once, where a step reads the states of neighbours and changes one's own (composite atomicity).

use interlock_algorithm::NodeId;

use super::environment::Daemon;
use super::followers::{Kind, Move, send};
use super::known::{Act, Lookup};
use super::parts::LocalStepKind;
use super::system::System;

/// A node that can move, and the places of its moves among all that it can do.
type Mover = (NodeId, Vec<usize>);

/// Shows every state that follows where several move at once. Each takes its step from its state before, and only then is
/// told what the others did. None if it is not known what all of them are.
pub(super) fn together<L: Lookup>(
    lookup: &mut L,
    state: &[u32],
    next: &mut Vec<u32>,
    show: &mut impl FnMut(&mut L, Move, Kind, &[u32]) -> Option<()>,
) -> Option<()> {
    let daemon = lookup.known().environment.daemon;
    if daemon == Daemon::Central {
        return Some(());
    }
    let movers = movers(lookup, state)?;
    for number in 0..count(daemon, &movers) {
        let moving = numbered(daemon, &movers, number);
        let happens = match moving[..] {
            [(node, place)] if daemon == Daemon::Synchronous => Move::Act(node, place),
            // Whoever moves alone has been shown among all that nodes do by themselves.
            [] | [_] => continue,
            _ => Move::Together(number),
        };
        if move_at_once(lookup, state, next, &moving)? {
            show(lookup, happens, Kind::Owed, next)?;
        }
    }
    Some(())
}

impl System<'_> {
    /// Who moves in a [`Move::Together`] of this number.
    pub(super) fn moving(&mut self, state: &[u32], number: u64) -> Vec<NodeId> {
        let movers = movers(self, state).unwrap_or_default();
        numbered(self.environment().daemon, &movers, number).into_iter().map(|(node, _)| node).collect()
    }
}

fn movers<L: Lookup>(lookup: &mut L, state: &[u32]) -> Option<Vec<Mover>> {
    let mut movers = Vec::new();
    for node in NodeId::all(lookup.known().nodes) {
        let places = acts(lookup, state, node)?.enumerate();
        let is_move = |at: usize| lookup.known().acts[at].kind == LocalStepKind::Timer;
        let places: Vec<usize> = places.filter(|&(_, at)| is_move(at)).map(|(place, _)| place).collect();
        if !places.is_empty() {
            movers.push((node, places));
        }
    }
    Some(movers)
}

/// Where everything is that a node can do by itself in a state.
fn acts<L: Lookup>(lookup: &mut L, state: &[u32], node: NodeId) -> Option<std::ops::Range<usize>> {
    let (process, _) = lookup.known().pair(state, node);
    Some(lookup.local_steps(process, node)?.range())
}

/// The state after these moves; whether they may be made, all of them.
fn move_at_once<L: Lookup>(
    lookup: &mut L,
    state: &[u32],
    next: &mut Vec<u32>,
    moving: &[(NodeId, usize)],
) -> Option<bool> {
    let last = state.len() - 1;
    let mut budget = lookup.known().budget(state);
    let mut steps = Vec::with_capacity(moving.len());
    next.clear();
    next.extend_from_slice(state);
    for &(node, place) in moving {
        let Some((_, left)) = lookup.known().allowed(LocalStepKind::Timer, budget, true) else {
            return Some(false);
        };
        budget = left;
        let at = acts(lookup, state, node)?.start + place;
        let Act { step, .. } = lookup.known().acts[at];
        let (_, inbox) = lookup.known().pair(next, node);
        let process = lookup.known().steps[step as usize].process;
        next[node.index()] = lookup.pair(process, inbox)?;
        steps.push(step);
    }
    next[last] = lookup.budget(budget)?;
    for step in steps {
        send(lookup, next, step)?;
    }
    Some(true)
}

/// How many ways there are to choose moves: of those that stay, if they may, and those that move, in one way each.
fn count(daemon: Daemon, movers: &[Mover]) -> u64 {
    movers.iter().fold(1, |count: u64, mover| count.saturating_mul(choices(daemon, mover)))
}

/// The way of a number to choose moves: a digit for each who can move.
fn numbered(daemon: Daemon, movers: &[Mover], number: u64) -> Vec<(NodeId, usize)> {
    let mut rest = number;
    let choose = |mover: &Mover| {
        let choices = choices(daemon, mover);
        let digit = usize::try_from(rest % choices).unwrap_or(0);
        rest /= choices;
        // Who may stay does so with the digit beyond all moves.
        mover.1.get(digit).map(|&place| (mover.0, place))
    };
    movers.iter().filter_map(choose).collect()
}

/// In how many ways a node moves or, if it may, stays.
const fn choices(daemon: Daemon, mover: &Mover) -> u64 {
    let stays = !matches!(daemon, Daemon::Synchronous);
    mover.1.len() as u64 + stays as u64
}
