//! Simultaneous moves of several nodes. Only algorithms with composite atomicity have simultaneous moves. In such an
//! algorithm, a step reads the states of neighbours and changes the state of its own node.

use interlock_algorithm::NodeId;

use super::environment::Daemon;
use super::known::Act;
use super::moves::{Kind, Move};
use super::parts::LocalStepKind;
use super::system::System;

/// A node that can move, and its moves as indices in the list of its local steps.
type Mover = (NodeId, Vec<usize>);

impl System<'_> {
    /// Passes every state that results from simultaneous moves to `show`. Each mover takes its step from the state
    /// before the moves. It receives the new states of the other movers after its own step.
    pub(super) fn together(
        &mut self,
        state: &[u32],
        next: &mut Vec<u32>,
        show: &mut impl FnMut(&mut Self, Move, Kind, &[u32]),
    ) {
        let daemon = self.environment().daemon;
        if daemon == Daemon::Central {
            return;
        }
        let movers = self.movers(state);
        for number in 0..count(daemon, &movers) {
            let moving = numbered(daemon, &movers, number);
            let happens = match moving[..] {
                [(node, place)] if daemon == Daemon::Synchronous => Move::Act(node, place),
                // Single moves are already shown as local steps.
                [] | [_] => continue,
                _ => Move::Together(number),
            };
            if self.move_at_once(state, next, &moving) {
                show(self, happens, Kind::Owed, next);
            }
        }
    }

    /// Returns the nodes that move in the [`Move::Together`] with this number.
    pub(super) fn moving(&mut self, state: &[u32], number: u64) -> Vec<NodeId> {
        let movers = self.movers(state);
        numbered(self.environment().daemon, &movers, number).into_iter().map(|(node, _)| node).collect()
    }

    fn movers(&mut self, state: &[u32]) -> Vec<Mover> {
        let nodes = NodeId::all(self.nodes());
        let mover = |node| {
            let places = self.places(state, node).enumerate();
            let is_move = |at: usize| self.known.acts[at].kind == LocalStepKind::Timer;
            (node, places.filter(|&(_, at)| is_move(at)).map(|(place, _)| place).collect::<Vec<_>>())
        };
        nodes.map(mover).filter(|(_, places)| !places.is_empty()).collect()
    }

    /// Computes the state after these moves. Returns false if one of the moves is not allowed.
    fn move_at_once(&mut self, state: &[u32], next: &mut Vec<u32>, moving: &[(NodeId, usize)]) -> bool {
        let last = state.len() - 1;
        let mut budget = self.known.budget(state);
        let mut steps = Vec::with_capacity(moving.len());
        next.clear();
        next.extend_from_slice(state);
        for &(node, place) in moving {
            let Some((_, left)) = self.allowed(LocalStepKind::Timer, budget, true) else { return false };
            budget = left;
            let at = self.places(state, node).start + place;
            let Act { step, .. } = self.known.acts[at];
            let (_, inbox) = self.known.pair(next, node);
            let process = self.known.steps[step as usize].process;
            next[node.index()] = self.known.pairs.intern((process, inbox)).0;
            steps.push(step);
        }
        next[last] = self.known.budgets.intern(budget).0;
        for step in steps {
            self.send(next, step);
        }
        true
    }
}

/// Returns the number of combinations of moves. In a combination, each mover makes one of its moves or, if the
/// daemon allows it, does not move.
fn count(daemon: Daemon, movers: &[Mover]) -> u64 {
    movers.iter().fold(1, |count: u64, mover| count.saturating_mul(choices(daemon, mover)))
}

/// Returns the combination of moves with this number. The number is decoded digit by digit, with one digit for each
/// mover.
fn numbered(daemon: Daemon, movers: &[Mover], number: u64) -> Vec<(NodeId, usize)> {
    let mut rest = number;
    let choose = |mover: &Mover| {
        let choices = choices(daemon, mover);
        let digit = usize::try_from(rest % choices).unwrap_or(0);
        rest /= choices;
        // If the digit exceeds the indices of the moves, the node does not move.
        mover.1.get(digit).map(|&place| (mover.0, place))
    };
    movers.iter().filter_map(choose).collect()
}

/// Returns the number of choices of a node: its moves and, if the daemon allows it, the choice not to move.
const fn choices(daemon: Daemon, mover: &Mover) -> u64 {
    let stays = !matches!(daemon, Daemon::Synchronous);
    mover.1.len() as u64 + stays as u64
}
