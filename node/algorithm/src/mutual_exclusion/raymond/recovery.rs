//! Raymond 1989, on node failure and recovery: a process that comes back sends RESTART to its neighbours, and
//! reconstructs its variables from their ADVISE.
//!
//! The `HOLDER` of each neighbour shows where the privilege is. If every neighbour's `HOLDER` is this process, then
//! this process has the privilege, or the privilege is in transit to it. Messages to or from an earlier incarnation
//! are ignored. Links keep order. So a neighbour that sends ADVISE has already received all messages of the earlier
//! incarnation. Its ADVISE also takes into account all messages that the neighbour itself has sent. Until all
//! neighbours have sent ADVISE, this process neither passes the privilege on nor requests it. During this time no
//! neighbour may crash.

use super::{Care, Raymond, RaymondMessage, Reason};
use crate::prelude::*;

/// The ADVISE of a neighbour, updated by the messages that the neighbour has sent since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Advice {
    /// Whether this process is the neighbour's `HOLDER`.
    pub points_here: bool,
    /// Whether the neighbour has asked this process for the privilege.
    pub asks: bool,
    /// Whether this process has asked the neighbour for the privilege.
    pub asked: bool,
}

/// The ADVISE messages that a process which has come back has received, by neighbour.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Recovery {
    advice: FlatMap<NodeId, Advice>,
}

impl Recovery {
    /// Updates the stored ADVISE of a neighbour after a later message from that neighbour. Does nothing if the ADVISE
    /// has not arrived yet.
    fn sent_since(&mut self, from: NodeId, change: impl FnOnce(&mut Advice)) {
        if let Some(advice) = self.advice.get_mut(&from) {
            change(advice);
        }
    }
}

impl Raymond {
    /// Starts the recovery after a crash: sends RESTART to all neighbours.
    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        for &node in turn.setting.tree.neighbours(turn.me) {
            turn.send(node, RaymondMessage::Restart {});
        }
        self.recover(turn);
    }

    /// Handles the RESTART of a neighbour that has come back: sends ADVISE.
    pub(super) fn restarted(&self, from: NodeId, turn: &mut Turn<Self>) {
        if self.recovery.is_some() || !turn.setting.care.recovers() {
            return turn.because(Reason::CannotAdvise { from });
        }
        let points_here = self.holder == Some(from);
        let (asks, asked) = (points_here && self.asked, self.queue.contains(&from));
        turn.because(Reason::Advised { to: from });
        turn.send(from, RaymondMessage::Advise { holder: points_here, asks, asked });
    }

    /// Handles the ADVISE of a neighbour.
    pub(super) fn advised(&mut self, from: NodeId, advice: Advice, turn: &mut Turn<Self>) {
        let Some(recovery) = &mut self.recovery else { return turn.because(Reason::UnexpectedAdvice { from }) };
        recovery.advice.insert(from, advice);
        self.recover(turn);
    }

    /// Records a message that arrives during the recovery. Returns `false` if this process is not recovering, or if
    /// the caller must handle the message.
    pub(super) fn is_recovering(&mut self, from: NodeId, message: RaymondMessage, turn: &mut Turn<Self>) -> bool {
        let Some(recovery) = &mut self.recovery else { return false };
        match message {
            RaymondMessage::Request {} => recovery.sent_since(from, |advice| advice.asks = advice.points_here),
            RaymondMessage::Privilege { .. } => recovery.sent_since(from, |advice| {
                *advice = Advice { points_here: true, asks: false, asked: false };
            }),
            _ => return false,
        }
        turn.because(Reason::NotedInRecovery { from });
        true
    }

    /// Reconstructs the variables, if enough neighbours have sent ADVISE.
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
