//! The successors of a state.

use std::collections::VecDeque;

use interlock_algorithm::NodeId;

use super::environment::{Budget, Daemon, TimerPolicy};
use super::known::{Act, EMPTY, Open};
use super::moves::{Kind, Move};
use super::participants::Participants;
use super::parts::LocalStepKind;
use super::system::System;

impl System<'_> {
    /// Passes every successor of a state to `show`, with the move that leads to it.
    pub fn successors(&mut self, state: &[u32], next: &mut Vec<u32>, mut show: impl FnMut(Move, Kind, &[u32])) {
        if self.known.rebase.is_none() {
            return self.followers(state, next, &mut |_, happens, kind, next| show(happens, kind, next));
        }
        let mut rebased = Vec::with_capacity(state.len());
        self.followers(state, next, &mut |system, happens, kind, next| {
            rebased.clear();
            rebased.extend_from_slice(next);
            system.rebase(&mut rebased);
            show(happens, kind, &rebased);
        });
    }

    /// Returns the successors as a list, for tests that are generic over algorithms. With a list, the code that
    /// receives the states is not compiled for each algorithm.
    #[cfg(test)]
    pub fn list_successors(&mut self, state: &[u32]) -> Vec<(Move, Kind, Vec<u32>)> {
        let mut all = Vec::new();
        self.successors(state, &mut Vec::new(), |happens, kind, next| all.push((happens, kind, next.to_vec())));
        all
    }

    /// Passes every successor to `show`. Its unbounded numbers are not yet reduced.
    pub(super) fn followers(
        &mut self,
        state: &[u32],
        next: &mut Vec<u32>,
        show: &mut impl FnMut(&mut Self, Move, Kind, &[u32]),
    ) {
        #[cfg(test)]
        if self.passes_over() {
            return;
        }
        let nodes = self.nodes();
        let (budget, last) = (self.known.budget(state), state.len() - 1);
        // Patient timers expire only if no message in transit can be received.
        let quiet = self.environment().timers == TimerPolicy::Patient
            && NodeId::all(nodes).all(|node| self.is_quiet(state, node));
        let alone = !self.is_instantaneous() || self.environment().daemon != Daemon::Synchronous;
        for node in NodeId::all(nodes) {
            let (process, inbox) = self.known.pair(state, node);
            for (place, at) in self.local_steps(process, node).range().enumerate() {
                let Act { kind: local_step, step } = self.known.acts[at];
                let Some((kind, budget)) = self.allowed(local_step, budget, quiet) else { continue };
                if !alone && local_step == LocalStepKind::Timer {
                    continue;
                }
                begin(next, state);
                next[last] = self.known.budgets.intern(budget).0;
                let inbox = self.spread(next, node, inbox, Act { kind: local_step, step });
                if local_step == LocalStepKind::Crash {
                    self.outlive(next, node);
                }
                self.take(next, node, inbox, step);
                show(self, Move::Act(node, place), kind, next);
            }
            let paused = self.is_paused(process);
            for at in self.open(inbox).range() {
                let Open { message, rest } = self.known.opened[at];
                if !paused {
                    let step = self.heard(process, node, message);
                    begin(next, state);
                    self.take(next, node, rest, step);
                    show(self, Move::Deliver(node, message), Kind::Owed, next);
                }
                let is_message = !self.is_notice(message);
                if budget.lose > 0 && is_message {
                    begin(next, state);
                    next[last] = self.known.budgets.intern(Budget { lose: budget.lose - 1, ..budget }).0;
                    next[node.index()] = self.known.pairs.intern((process, rest)).0;
                    show(self, Move::Lose(node, message), Kind::Fault, next);
                }
                if budget.duplicate > 0 && is_message {
                    let doubled = self.doubled(inbox, message);
                    begin(next, state);
                    next[last] = self.known.budgets.intern(Budget { duplicate: budget.duplicate - 1, ..budget }).0;
                    next[node.index()] = self.known.pairs.intern((process, doubled)).0;
                    show(self, Move::Copy(node, message), Kind::Fault, next);
                }
            }
        }
        if self.is_instantaneous() {
            self.together(state, next, show);
        }
    }

    /// Records a crash in all other processes. The elections that they called earlier do not count as reactions to
    /// this crash.
    fn outlive(&mut self, state: &mut [u32], whom: NodeId) {
        for node in NodeId::all(self.nodes()).filter(|node| *node != whom) {
            let (process, inbox) = self.known.pair(state, node);
            if !self.parts.facts(process).elections.is_empty() {
                let process = self.parts.outlive(process, whom);
                state[node.index()] = self.known.pairs.intern((process, inbox)).0;
            }
        }
    }

    /// Returns the processes that take a step in a move. The loss or duplication of a message is not the step of a
    /// process. The receipt of a message is not a step either if messages are received in the instant in which they are
    /// sent.
    pub(super) fn participants(&mut self, state: &[u32], happens: Move) -> Participants {
        match happens {
            Move::Act(node, _) | Move::Deliver(node, _) => Participants::one(node),
            Move::Lose(..) | Move::Copy(..) => Participants::NOBODY,
            Move::Together(number) => {
                let moving = self.moving(state, number).into_iter().map(Participants::one);
                moving.fold(Participants::NOBODY, Participants::with)
            }
        }
    }

    /// Returns whether a process is paused.
    #[inline]
    fn is_paused(&self, process: u32) -> bool {
        self.environment().pause > 0 && self.parts.facts(process).paused
    }

    /// Returns whether this node cannot receive a message now: its inbox is empty, or its process is paused.
    #[inline]
    fn is_quiet(&self, state: &[u32], node: NodeId) -> bool {
        let (process, inbox) = self.known.pair(state, node);
        inbox == EMPTY || self.is_paused(process)
    }

    /// Returns whether the successors of this state are left out. This is a deliberate error, which tests must find.
    #[cfg(test)]
    fn passes_over(&mut self) -> bool {
        let left = self.passes_over_after;
        self.passes_over_after = left.and_then(|left| left.checked_sub(1));
        left == Some(0)
    }

    /// Applies a step of a node, and sends the messages of the step. The inbox of the node becomes `inbox`.
    #[inline]
    fn take(&mut self, state: &mut [u32], node: NodeId, inbox: u32, step: u32) {
        let mut process = self.known.steps[step as usize].process;
        if self.timestamps && self.overtakes(state, node, process) {
            process = self.parts.overtake(process);
        }
        state[node.index()] = self.known.pairs.intern((process, inbox)).0;
        self.send(state, step);
    }

    /// Puts the messages of a step into the inboxes of their receivers. If messages are received in the instant in
    /// which they are sent, delivers the messages at once.
    #[inline]
    pub(super) fn send(&mut self, state: &mut [u32], step: u32) {
        if self.is_instantaneous() {
            return self.tell(state, step);
        }
        for at in 0..self.known.steps[step as usize].sent.len() {
            let (to, message) = self.known.steps[step as usize].sent[at];
            let (process, inbox) = self.known.pair(state, to);
            let inbox = self.put(inbox, message);
            state[to.index()] = self.known.pairs.intern((process, inbox)).0;
        }
    }

    fn tell(&mut self, state: &mut [u32], step: u32) {
        let mut at_once: VecDeque<(NodeId, u32)> = self.known.steps[step as usize].sent.iter().copied().collect();
        while let Some((to, message)) = at_once.pop_front() {
            let (process, inbox) = self.known.pair(state, to);
            let step = self.heard(process, to, message) as usize;
            state[to.index()] = self.known.pairs.intern((self.known.steps[step].process, inbox)).0;
            at_once.extend(self.known.steps[step].sent.iter().copied());
        }
    }

    /// Returns the kind of the move that a local step causes, and the budgets after it. If the step is not allowed
    /// now, returns none.
    pub(super) const fn allowed(
        &self,
        local_step: LocalStepKind,
        budget: Budget,
        quiet: bool,
    ) -> Option<(Kind, Budget)> {
        match local_step {
            // Restarts and resumptions are owed: if they are possible, they eventually happen.
            LocalStepKind::GoesOn | LocalStepKind::Return | LocalStepKind::Resume => Some((Kind::Owed, budget)),
            LocalStepKind::Begins => Some((Kind::Free, budget)),
            LocalStepKind::Timer => match self.environment().timers {
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
            LocalStepKind::Pause if budget.pause > 0 => {
                Some((Kind::Fault, Budget { pause: budget.pause - 1, ..budget }))
            }
            LocalStepKind::Corrupts if budget.corrupt > 0 => {
                Some((Kind::Fault, Budget { corrupt: budget.corrupt - 1, ..budget }))
            }
            LocalStepKind::Crash | LocalStepKind::Pause | LocalStepKind::Corrupts | LocalStepKind::Tells => None,
        }
    }
}

#[inline]
fn begin(next: &mut Vec<u32>, state: &[u32]) {
    next.clear();
    next.extend_from_slice(state);
}
