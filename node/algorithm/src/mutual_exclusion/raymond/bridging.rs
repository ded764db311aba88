//! A tree that is bridged where processes have died: who waits behind them goes on without them.
//!
//! It goes beyond the paper, which waits for the dead to be back. All know the tree, and those around a gap are joined to
//! its centre, as `BridgedTree` says. Each of them but the centre, once it is told of the death, says to the centre how it
//! stands, ADVISE: whether its `HOLDER` was the dead, and if so, whether somebody waits here; from then on the centre is its
//! neighbour like any other. The centre has thus either heard where the privilege is, or that it was with the dead, if all
//! around the gap took them for the way to it: then it makes it anew. Nobody need be asked for that, and as long as the
//! centre is alive it stays the centre, so nobody says it twice.
//!
//! What the dead have said counts no more for who has been told of their death: so a privilege that they had sent either
//! arrived before its recipient said how it stands, or is void. Hence the privilege needs no number. What is heard of one who
//! is no neighbour yet waits until one is told of the deaths of which the other knows. Whoever is back has forgotten all
//! this, and stays out.

use super::recovery::Advice;
use super::{Care, Raymond, RaymondMessage, Reason, Setting};
use crate::flat::FlatSet;
use crate::prelude::*;
use crate::structure::bridged_tree::BridgedTree;

/// What a process knows of the dead, and of those that are joined to it in their place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Bridges {
    /// Who is dead, as far as the failure detector knows.
    pub dead: FlatSet<NodeId>,
    /// Who has said how it stands, of those that are joined to this process.
    advised: FlatSet<NodeId>,
    /// What those have said who are no neighbours yet.
    early: FlatSet<(NodeId, RaymondMessage)>,
}

impl Raymond {
    /// The tree as it is without the dead.
    fn tree<'a>(&'a self, setting: &'a Setting) -> BridgedTree<'a> {
        BridgedTree { tree: &setting.tree, depths: &setting.depths, dead: &self.bridges.dead }
    }

    /// Whether a message counts now: it is of a neighbour that is alive. What is of one that is none yet is kept.
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

    /// Another process has died.
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

    /// Whoever is back has forgotten everything and takes no part.
    #[expect(clippy::unused_self, reason = "A step is a method.")]
    pub(super) const fn trusted(&self, _: NodeId, _: &Turn<Self>) {}

    /// A neighbour has died: the centre of the gap is there in its place, which may be this process.
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

    /// Who is joined to this process says how it stands.
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

    /// Makes the privilege anew, if it was with the dead, and goes on.
    fn look_for_privilege(&mut self, turn: &mut Turn<Self>) {
        let is_hasty = turn.setting.care == Care::HastyBridging;
        if self.holder.is_none() && (is_hasty || self.missing(turn.setting, turn.me).is_empty()) {
            self.holder = Some(turn.me);
            turn.because(Reason::MadeAnew);
        }
        self.try_both(turn);
    }

    /// Who is joined to this process and has not said how it stands.
    pub(super) fn missing(&self, setting: &Setting, me: NodeId) -> FlatSet<NodeId> {
        self.tree(setting).leaves(me).difference(&self.bridges.advised).copied().collect()
    }

    /// Takes what those have said who have become neighbours.
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
