//! Bridging of crashed processes in the tree, so that the processes that wait behind them make progress.
//!
//! This goes beyond the paper, in which processes wait until crashed processes come back. All processes know the tree.
//! Crashed processes leave a gap in the tree. The live processes around the gap are joined to one of them, the centre
//! (see `BridgedTree`). When a process next to the gap learns of the crash, it sends ADVISE to the centre. ADVISE
//! reports whether its sender's `HOLDER` was the crashed process, and if so, whether a request waits at the sender.
//! From then on, the centre is a normal neighbour of the sender. If an ADVISE does not point to the crashed process,
//! the ADVISE shows the centre where the privilege is. If every ADVISE points to the crashed process, the privilege
//! was lost with that process, and the centre regenerates it. The centre need not request ADVISE. It stays the centre
//! as long as it is live, so no process sends ADVISE twice.
//!
//! A process that knows of a crash ignores later messages of the crashed process. So a privilege from the crashed
//! process is void, unless it reached its recipient before the recipient sent ADVISE. Hence the privilege needs no
//! number.
//!
//! A process may receive a message from a process that is not its neighbour yet. The reason is that the sender has
//! learnt of crashes that the receiver does not know. The receiver stores the message until it learns of them. A
//! process that comes back has forgotten all crashes and messages, and takes no further part.

use super::recovery::Advice;
use super::{Care, Raymond, RaymondMessage, Reason, Setting};
use crate::prelude::*;
use crate::structure::bridged_tree::BridgedTree;

/// Knowledge of crashed processes, and of the processes that are joined to this process as the centre of a gap.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Bridges {
    /// Processes that the failure detector suspects.
    pub dead: FlatSet<NodeId>,
    /// Processes that are joined to this process and have sent ADVISE.
    advised: FlatSet<NodeId>,
    /// Messages from processes that are not neighbours yet.
    early: FlatSet<(NodeId, RaymondMessage)>,
}

impl Raymond {
    /// Returns the tree of the live processes, with bridges in place of the crashed processes.
    fn tree<'a>(&'a self, setting: &'a Setting) -> BridgedTree<'a> {
        BridgedTree { tree: &setting.tree, depths: &setting.depths, dead: &self.bridges.dead }
    }

    /// Returns whether the sender is a live neighbour, so that its message counts now. In the variants with bridging,
    /// stores the message if its sender may become a neighbour.
    pub(super) fn is_of_neighbour(&mut self, from: NodeId, message: RaymondMessage, turn: &mut Turn<Self>) -> bool {
        if self.bridges.dead.contains(&from) {
            turn.because(Reason::SaidBeforeDeath { from });
        } else if self.tree(turn.setting).are_neighbours(turn.me, from) {
            return true;
        } else if turn.setting.care.bridges() {
            self.bridges.early.insert((from, message));
            turn.because(Reason::NotNeighbourYet { from });
        } else {
            turn.because(Reason::NotNeighbour { from });
        }
        false
    }

    /// Handles the crash of another process.
    pub(super) fn suspected(&mut self, dead: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.care.bridges() || self.bridges.dead.contains(&dead) {
            return;
        }
        let was_neighbour = self.tree(turn.setting).are_neighbours(turn.me, dead);
        self.bridges.dead.insert(dead);
        self.bridges.advised.remove(&dead);
        self.bridges.early.retain(|(from, _)| *from != dead);
        if was_neighbour {
            self.bridge(dead, turn);
        }
    }

    /// Does nothing: a process that comes back has forgotten everything and takes no part in the algorithm.
    #[expect(clippy::unused_self, reason = "A step is a method.")]
    pub(super) const fn trusted(&self, _: NodeId, _: &Turn<Self>) {}

    /// Handles the crash of a neighbour: the centre of the gap replaces it as a neighbour. This process may be the
    /// centre.
    fn bridge(&mut self, dead: NodeId, turn: &mut Turn<Self>) {
        let Some(centre) = self.tree(turn.setting).centre(dead) else { return };
        self.queue.retain(|waiting| *waiting != dead);
        let pointed_there = self.holder == Some(dead);
        if pointed_there {
            self.holder = Some(centre).filter(|_| centre != turn.me);
            self.asked = self.holder.is_some() && !self.queue.is_empty();
        }
        if centre == turn.me {
            turn.because(Reason::CentreOfGap { dead });
            self.look_for_privilege(turn);
            return self.take_what_was_early(turn);
        }
        turn.because(Reason::JoinedCentre { dead, to: centre });
        let asks = pointed_there && self.asked;
        turn.send(centre, RaymondMessage::Advise { holder: pointed_there, asks, asked: false });
    }

    /// Handles the ADVISE of a process that is joined to this process.
    pub(super) fn joined(&mut self, from: NodeId, advice: Advice, turn: &mut Turn<Self>) {
        let is_leaf = self.tree(turn.setting).leaves(turn.me).contains(&from);
        let is_possible = advice.points_here || self.holder.is_none();
        if !is_leaf || !is_possible || !self.bridges.advised.insert(from) {
            return turn.because(Reason::UnexpectedAdvice { from });
        }
        if !advice.points_here {
            self.holder = Some(from);
            turn.because(Reason::FoundPrivilege { holder: from });
        } else if advice.asks && !self.queue.contains(&from) {
            self.queue.push_back(from);
        }
        self.look_for_privilege(turn);
    }

    /// Regenerates the privilege if it was lost with the crashed process. Then tries both procedures of the paper.
    fn look_for_privilege(&mut self, turn: &mut Turn<Self>) {
        let is_hasty = turn.setting.care == Care::HastyBridging;
        if self.holder.is_none() && (is_hasty || self.missing(turn.setting, turn.me).is_empty()) {
            self.holder = Some(turn.me);
            turn.because(Reason::MadeAnew);
        }
        self.try_both(turn);
    }

    /// Returns the processes that are joined to this process and have not sent ADVISE.
    pub(super) fn missing(&self, setting: &Setting, me: NodeId) -> FlatSet<NodeId> {
        self.tree(setting).leaves(me).difference(&self.bridges.advised).copied().collect()
    }

    /// Handles the stored messages of the processes that have become neighbours.
    fn take_what_was_early(&mut self, turn: &mut Turn<Self>) {
        let neighbours = self.tree(turn.setting).neighbours(turn.me);
        let all = core::mem::take(&mut self.bridges.early).into_iter();
        let (now, later) = all.partition(|(from, _)| neighbours.contains(from));
        self.bridges.early = later;
        let now: FlatSet<_> = now;
        for (from, message) in now {
            self.receive(from, message, turn);
        }
    }
}
