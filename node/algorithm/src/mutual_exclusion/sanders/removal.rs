//! Sanders's algorithm with removal of suspected processes from the sets.
//!
//! The paper's conditions (section 4) require that any two processes inform a common process, or ask each other. Two
//! processes that do not inform each other rely on one process: the first that both inform. Once that process is
//! suspected, the two ask each other. They cannot rely on another common process. Each of the two could know of a
//! different crash, so they could rely on grants of different processes. A process that learns of the crash asks the
//! other process at once.
//!
//! Suppose that a process receives a request from a process that did not ask it initially. Then the two have lost
//! their common process. The recipient may not know of the crash yet, so it asks back before it grants. Otherwise it
//! could enter with a grant of the crashed process. A process that was suspected takes no further part, because it has
//! forgotten its grants.

use super::{INFORM_SET, Preset, Reason, Sanders, SandersMessage, Setting};
use crate::prelude::*;

/// Knowledge of crashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Removal {
    /// Suspected processes.
    dead: FlatSet<NodeId>,
    /// Processes that have asked this process although it is not in their initial request set.
    strangers: FlatSet<NodeId>,
    /// Request set since the first suspicion; empty before the first suspicion.
    request_set: Vec<NodeId>,
    /// Whether this process has come back after a crash.
    is_back: bool,
}

impl Sanders {
    /// Returns whether this process takes no further part, because it has come back after a crash.
    pub(super) fn is_out(&self) -> bool {
        self.removal.as_ref().is_some_and(|removal| removal.is_back)
    }

    /// Returns the reason for ignoring the messages of a process, or `None` if its messages are accepted.
    pub(super) fn objection(&self, from: NodeId) -> Option<Reason> {
        if self.is_out() {
            return Some(Reason::StaysOut);
        }
        self.removal.as_ref()?.dead.contains(&from).then_some(Reason::SaidBeforeDeath { from })
    }

    /// Returns the knowledge of crashes, if the sets differ from the initial sets.
    fn repaired(&self) -> Option<&Removal> {
        self.removal.as_deref().filter(|removal| !removal.request_set.is_empty())
    }

    /// Returns the current request set, sorted.
    pub(super) fn request_set<'a>(&'a self, setting: &'a Setting, me: NodeId) -> &'a [NodeId] {
        self.repaired().map_or_else(|| setting.structure.request_set(me), |removal| &removal.request_set)
    }

    /// Returns the other live processes of one of this process's sets, if the sets differ from the initial sets.
    pub(super) fn living(&self, set: u32, setting: &Setting, me: NodeId) -> Option<Vec<NodeId>> {
        let removal = self.repaired()?;
        let of = if set == INFORM_SET { setting.structure.inform_set(me) } else { &removal.request_set };
        Some(of.iter().copied().filter(|node| *node != me && !removal.dead.contains(node)).collect())
    }

    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        if let Some(removal) = &mut self.removal {
            removal.is_back = !turn.is_alone();
        }
    }

    pub(super) fn suspect(&mut self, node: NodeId, turn: &mut Turn<Self>) {
        let Some(removal) = self.removal.as_mut().filter(|removal| !removal.is_back) else { return };
        if !removal.dead.insert(node) {
            return;
        }
        turn.because(Reason::Removed { node });
        removal.strangers.remove(&node);
        self.grants.forget(node);
        self.repair(turn);
        self.status.queue.retain(|queued| queued.process != node);
        if let Some(theirs) = self.status.holder.filter(|holder| holder.process == node) {
            self.given_back(theirs, false, turn);
        }
        self.enter_if_granted(turn);
    }

    /// Sends REQUEST to the process `from`, which has asked this process, if this process is not in the initial
    /// request set of `from`.
    pub(super) fn ask_back(&mut self, from: NodeId, turn: &mut Turn<Self>) {
        let did_ask = turn.setting.structure.request_set(from).binary_search(&turn.me).is_ok();
        let removal = self.removal.as_mut().filter(|_| turn.setting.preset == Preset::RemoveDead && !did_ask);
        if removal.is_some_and(|removal| removal.strangers.insert(from)) {
            self.repair(turn);
        }
    }

    /// Rebuilds the request set. If this process waits for the section, sends its request to the new members.
    fn repair(&mut self, turn: &mut Turn<Self>) {
        let Some(Removal { dead, strangers, .. }) = self.removal.as_deref() else { return };
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
        if let Some(removal) = &mut self.removal {
            removal.request_set = request_set;
        }
        let Some(ours) = self.section.wanting() else { return };
        for to in new {
            turn.because(Reason::AskedInstead { to, ours });
            turn.send(to, SandersMessage::Request { timestamp: ours.clock });
        }
    }
}
