//! Raymond 1989, on node failure and recovery: a process that is back asks its neighbours, RESTART, and makes its variables
//! anew from what they ADVISE.
//!
//! Whom a neighbour takes for its `HOLDER` tells where the privilege is: with this process, or on its way to it, if all
//! take it for theirs. A message to an earlier life, or from one, is of no account: as links keep order, a neighbour that
//! advises has taken what this process had sent, and knows what it has sent itself. Until all have advised nothing is passed
//! on and nothing asked for. No neighbour may die before that.

use super::{Care, Raymond, RaymondMessage, Reason};
use crate::flat::FlatMap;
use crate::prelude::*;

/// What a neighbour has advised, and what it has sent since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Advice {
    /// It takes this process for its `HOLDER`.
    pub points_here: bool,
    /// It has asked this process for the privilege.
    pub asks: bool,
    /// This process has asked it.
    pub asked: bool,
}

/// What the neighbours of a process that is back have advised.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Recovery {
    advice: FlatMap<NodeId, Advice>,
}

impl Recovery {
    /// What has been advised counts as changed by this message of a neighbour; before its advice it is of no account.
    fn sent_since(&mut self, from: NodeId, change: impl FnOnce(&mut Advice)) {
        if let Some(advice) = self.advice.get_mut(&from) {
            change(advice);
        }
    }
}

impl Raymond {
    /// This process is back after a crash.
    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        for &node in turn.setting.tree.neighbours(turn.me) {
            turn.send(node, RaymondMessage::Restart {});
        }
        self.recover(turn);
    }

    /// A neighbour is back after a crash.
    pub(super) fn restarted(&self, from: NodeId, turn: &mut Turn<Self>) {
        if self.recovery.is_some() || !turn.setting.care.recovers() {
            return turn.because(Reason::CannotAdvise { from });
        }
        let points_here = self.holder == Some(from);
        let (asks, asked) = (points_here && self.asked, self.queue.contains(&from));
        turn.because(Reason::Advised { to: from });
        turn.send(from, RaymondMessage::Advise { holder: points_here, asks, asked });
    }

    /// A neighbour advises.
    pub(super) fn advised(&mut self, from: NodeId, advice: Advice, turn: &mut Turn<Self>) {
        let Some(recovery) = &mut self.recovery else { return turn.because(Reason::UnexpectedAdvice { from }) };
        recovery.advice.insert(from, advice);
        self.recover(turn);
    }

    /// Takes note of a message that comes during the recovery; says whether it is under way.
    pub(super) fn is_recovering(&mut self, from: NodeId, message: RaymondMessage, turn: &mut Turn<Self>) -> bool {
        let Some(recovery) = &mut self.recovery else { return false };
        match message {
            RaymondMessage::Request {} => recovery.sent_since(from, |advice| advice.asks = advice.points_here),
            RaymondMessage::Privilege {} => recovery.sent_since(from, |advice| {
                *advice = Advice { points_here: true, asks: false, asked: false };
            }),
            _ => return false,
        }
        turn.because(Reason::NotedInRecovery { from });
        true
    }

    /// Makes the variables anew, if enough have advised.
    fn recover(&mut self, turn: &mut Turn<Self>) {
        let Some(Recovery { advice }) = &self.recovery else { return };
        let neighbours = turn.setting.tree.neighbours(turn.me);
        let needed = if turn.setting.care == Care::HastyRecovery { neighbours.len().min(1) } else { neighbours.len() };
        if advice.len() < needed {
            return;
        }
        let elsewhere = advice.iter().find(|(_, advice)| !advice.points_here);
        let holder = elsewhere.map_or(turn.me, |(&node, _)| node);
        self.holder = Some(holder);
        self.asked = elsewhere.is_some_and(|(_, advice)| advice.asked);
        let own = core::mem::take(&mut self.queue);
        let asks = advice.iter().filter(|(_, advice)| advice.points_here && advice.asks).map(|(&node, _)| node);
        self.queue = asks.chain(own).collect();
        self.recovery = None;
        turn.because(Reason::Recovered { holder });
        self.try_both(turn);
    }
}
