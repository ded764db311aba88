//! The dead are removed from the sets.
//!
//! The paper's conditions (section 4) want of two processes that they inform a common one, or ask each other. Two that inform
//! neither one another count on the first whom both inform, and ask each other once that one is dead. If they counted on
//! whoever is left, each could know of another death and do with other grants. Who knows of the death asks at once; who is
//! asked by somebody that did not ask it at the start has lost the same one, also if it does not know that yet, and asks back
//! before it grants: else it could enter with what the dead had granted. Who was suspected stays out for good: it does not
//! know any more what it had granted.

use super::{INFORM_SET, Preset, Reason, Sanders, SandersMessage, Setting};
use crate::flat::FlatSet;
use crate::prelude::*;

/// Who is removed, and whom one asks since.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Removal {
    /// Who is dead, as far as this process knows.
    dead: FlatSet<NodeId>,
    /// Who has asked this process without being in a set with it.
    strangers: FlatSet<NodeId>,
    /// The request set as it is since somebody has died; empty before.
    request_set: Vec<NodeId>,
    /// Whether this process is back after a crash.
    is_back: bool,
}

impl Removal {
    /// Whether this process takes no part.
    pub const fn is_out(&self) -> bool {
        self.is_back
    }

    /// Whether another is dead, as far as this process knows.
    pub fn is_dead(&self, node: NodeId) -> bool {
        self.dead.contains(&node)
    }
}

impl Sanders {
    /// Whom one asks, in order.
    pub(super) fn request_set<'a>(&'a self, setting: &'a Setting, me: NodeId) -> &'a [NodeId] {
        if self.removal.request_set.is_empty() { setting.structure.request_set(me) } else { &self.removal.request_set }
    }

    /// The others of one's own sets, where they are not those of the start any more.
    pub(super) fn living(&self, set: u32, setting: &Setting, me: NodeId) -> Option<Vec<NodeId>> {
        if self.removal.request_set.is_empty() {
            return None;
        }
        let of = if set == INFORM_SET { setting.structure.inform_set(me) } else { &self.removal.request_set };
        Some(of.iter().copied().filter(|node| *node != me && !self.removal.dead.contains(node)).collect())
    }

    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        self.removal.is_back = turn.setting.preset.removes_dead() && !turn.is_alone();
    }

    pub(super) fn suspected(&mut self, node: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.preset.removes_dead() || self.removal.is_back || !self.removal.dead.insert(node) {
            return;
        }
        turn.because(Reason::Removed { node });
        self.removal.strangers.remove(&node);
        self.grants.forget(node);
        self.repair(turn);
        self.status.queue.retain(|queued| queued.process != node);
        if let Some(theirs) = self.status.holder.filter(|holder| holder.process == node) {
            self.given_back(theirs, false, turn);
        }
        self.enter_if_granted(turn);
    }

    /// Whoever is back has forgotten everything and takes no part.
    #[expect(clippy::unused_self, reason = "A step is a method.")]
    pub(super) const fn trusted(&self, _: NodeId, _: &Turn<Self>) {}

    /// Asks who asks this process though it did not at the start.
    pub(super) fn ask_back(&mut self, from: NodeId, turn: &mut Turn<Self>) {
        let did_ask = turn.setting.structure.request_set(from).binary_search(&turn.me).is_ok();
        if turn.setting.preset == Preset::RemoveDead && !did_ask && self.removal.strangers.insert(from) {
            self.repair(turn);
        }
    }

    /// Makes the request set anew, and asks those who are new in it if one's own request waits.
    fn repair(&mut self, turn: &mut Turn<Self>) {
        let Removal { dead, strangers, .. } = &self.removal;
        let (structure, me) = (&turn.setting.structure, turn.me);
        let first_common = |node| structure.inform_set(me).iter().find(|one| structure.informs(node, **one));
        let have_lost_it =
            |node| first_common(node).is_some_and(|one| dead.contains(one)) && !structure.informs(node, me);
        let asks = |node: &NodeId| {
            let asked_before = structure.request_set(me).binary_search(node).is_ok();
            !dead.contains(node) && (asked_before || strangers.contains(node) || have_lost_it(*node))
        };
        let request_set: Vec<NodeId> = NodeId::all(turn.setting.nodes).filter(asks).collect();
        let former = self.request_set(turn.setting, me);
        let new: Vec<NodeId> = request_set.iter().copied().filter(|node| former.binary_search(node).is_err()).collect();
        self.removal.request_set = request_set;
        let Some(ours) = self.section.wanting() else { return };
        for to in new {
            turn.because(Reason::AskedInstead { to, ours });
            turn.send(to, SandersMessage::Request { timestamp: ours.clock });
        }
    }
}
