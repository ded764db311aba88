//! What can follow from a state.

use std::collections::VecDeque;

use interlock_algorithm::NodeId;

use super::environment::{Budget, Daemon, TimerPolicy};
use super::known::{Act, EMPTY, Known, Lookup, Open};
use super::parts::LocalStepKind;

/// Something that happens, in the terms of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// A node does something by itself: the one of this place among all that it can do.
    Act(NodeId, usize),
    /// This message is taken by a node.
    Deliver(NodeId, u32),
    /// This message to a node is lost.
    Lose(NodeId, u32),
    /// This message to a node is copied.
    Copy(NodeId, u32),
    /// Several nodes move at once: see [`together`](super::daemon).
    Together(u64),
}

/// Of what kind a move is: who owes it, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It happens some day if nothing prevents it: a delivery, a release, a timer, a return.
    Owed,
    /// A client asks, or tells something, which it need not.
    Free,
    /// Something goes wrong.
    Fault,
}

/// Shows every state that can follow, and by what; none if it is not known what all of them are.
pub(super) fn successors<L: Lookup>(
    lookup: &mut L,
    state: &[u32],
    next: &mut Vec<u32>,
    show: &mut impl FnMut(Move, Kind, &[u32]),
) -> Option<()> {
    if lookup.known().rebase.is_none() {
        return followers(lookup, state, next, &mut |_, happens, kind, next| {
            show(happens, kind, next);
            Some(())
        });
    }
    let mut rebased = Vec::with_capacity(state.len());
    followers(lookup, state, next, &mut |lookup, happens, kind, next| {
        rebased.clear();
        rebased.extend_from_slice(next);
        lookup.rebased(&mut rebased)?;
        show(happens, kind, &rebased);
        Some(())
    })
}

/// The same, before any number is counted from the least.
pub(super) fn followers<L: Lookup>(
    lookup: &mut L,
    state: &[u32],
    next: &mut Vec<u32>,
    show: &mut impl FnMut(&mut L, Move, Kind, &[u32]) -> Option<()>,
) -> Option<()> {
    let known = lookup.known();
    let (nodes, budget, last) = (known.nodes, known.budget(state), state.len() - 1);
    let quiet = NodeId::all(nodes).all(|node| known.pair(state, node).1 == EMPTY);
    let alone = !known.instantaneous || known.environment.daemon != Daemon::Synchronous;
    for node in NodeId::all(nodes) {
        let (process, inbox) = lookup.known().pair(state, node);
        for (place, at) in lookup.local_steps(process, node)?.range().enumerate() {
            let Act { kind: local_step, step } = lookup.known().acts[at];
            let Some((kind, budget)) = lookup.known().allowed(local_step, budget, quiet) else { continue };
            if !alone && local_step == LocalStepKind::Timer {
                continue;
            }
            begin(next, state);
            next[last] = lookup.budget(budget)?;
            take(lookup, next, node, inbox, step)?;
            show(lookup, Move::Act(node, place), kind, next)?;
        }
        for at in lookup.open(inbox)?.range() {
            let Open { message, rest } = lookup.known().opened[at];
            let step = lookup.heard(process, node, message)?;
            begin(next, state);
            take(lookup, next, node, rest, step)?;
            show(lookup, Move::Deliver(node, message), Kind::Owed, next)?;
            if budget.lose > 0 {
                begin(next, state);
                next[last] = lookup.budget(Budget { lose: budget.lose - 1, ..budget })?;
                next[node.index()] = lookup.pair(process, rest)?;
                show(lookup, Move::Lose(node, message), Kind::Fault, next)?;
            }
            if budget.duplicate > 0 {
                let doubled = lookup.doubled(inbox, message)?;
                begin(next, state);
                next[last] = lookup.budget(Budget { duplicate: budget.duplicate - 1, ..budget })?;
                next[node.index()] = lookup.pair(process, doubled)?;
                show(lookup, Move::Copy(node, message), Kind::Fault, next)?;
            }
        }
    }
    if lookup.known().instantaneous {
        super::daemon::together(lookup, state, next, show)?;
    }
    Some(())
}

#[inline]
fn begin(next: &mut Vec<u32>, state: &[u32]) {
    next.clear();
    next.extend_from_slice(state);
}

/// A node takes a step with this inbox left, and what it sends goes its way.
#[inline]
fn take<L: Lookup>(lookup: &mut L, state: &mut [u32], node: NodeId, inbox: u32, step: u32) -> Option<()> {
    let process = lookup.known().steps[step as usize].process;
    state[node.index()] = lookup.pair(process, inbox)?;
    send(lookup, state, step)
}

/// What a step sends is put into the inboxes; or, where it is known at once, heard.
#[inline]
pub(super) fn send<L: Lookup>(lookup: &mut L, state: &mut [u32], step: u32) -> Option<()> {
    if lookup.known().instantaneous {
        return tell(lookup, state, step);
    }
    for at in 0..lookup.known().steps[step as usize].sent.len() {
        let (to, message) = lookup.known().steps[step as usize].sent[at];
        let (process, inbox) = lookup.known().pair(state, to);
        let inbox = lookup.put(inbox, message)?;
        state[to.index()] = lookup.pair(process, inbox)?;
    }
    Some(())
}

fn tell<L: Lookup>(lookup: &mut L, state: &mut [u32], step: u32) -> Option<()> {
    let sent = |lookup: &L, step: u32| lookup.known().steps[step as usize].sent.clone();
    let mut at_once = VecDeque::from(Vec::from(sent(lookup, step)));
    while let Some((to, message)) = at_once.pop_front() {
        let (process, inbox) = lookup.known().pair(state, to);
        let step = lookup.heard(process, to, message)?;
        let process = lookup.known().steps[step as usize].process;
        state[to.index()] = lookup.pair(process, inbox)?;
        at_once.extend(sent(lookup, step));
    }
    Some(())
}

impl Known<'_> {
    /// Of what kind a local step is and what may go wrong after it; none if it may not be done now.
    pub const fn allowed(&self, local_step: LocalStepKind, budget: Budget, quiet: bool) -> Option<(Kind, Budget)> {
        match local_step {
            // Who may come back does, some day.
            LocalStepKind::GoesOn | LocalStepKind::Return => Some((Kind::Owed, budget)),
            LocalStepKind::Begins => Some((Kind::Free, budget)),
            LocalStepKind::Timer => match self.environment.timers {
                TimerPolicy::Always => Some((Kind::Owed, budget)),
                TimerPolicy::Patient if quiet => Some((Kind::Owed, budget)),
                TimerPolicy::AnyTime(_) if budget.timers > 0 => {
                    Some((Kind::Owed, Budget { timers: budget.timers - 1, ..budget }))
                }
                _ => None,
            },
            LocalStepKind::Tells if budget.tell > 0 => Some((Kind::Free, Budget { tell: budget.tell - 1, ..budget })),
            LocalStepKind::Crash if budget.crash > 0 => {
                Some((Kind::Fault, Budget { crash: budget.crash - 1, ..budget }))
            }
            LocalStepKind::Crash | LocalStepKind::Tells => None,
        }
    }
}
