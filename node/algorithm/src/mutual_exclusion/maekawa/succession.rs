//! Succession: the next live process takes the place of a crashed arbiter.
//!
//! The successor sends TAKES-OVER to all processes whose voting sets contain the crashed process. It votes for no
//! request in that place before all live recipients have answered. Each answer reports whether its sender has the
//! vote, and whether its sender wants the vote. From then on, the recipients accept messages about that place only
//! from the successor, so a late vote of the crashed process does not count. The vote that the crashed process had, or
//! its request for a vote, is void. A process that was suspected takes no further part, because it has forgotten its
//! vote.

use super::arbiter::{Arbiter, Voice};
use super::entry::Version;
use super::{Maekawa, MaekawaMessage, Reason, Said, Setting};
use crate::mutual_exclusion::ring::nearest;
use crate::prelude::*;

/// Knowledge of crashes, in the variants that survive them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Repair {
    /// Succession: places that this process has taken over.
    pub places: FlatMap<NodeId, Arbiter>,
    /// Succession: arbiters that have taken over places of this process's voting set.
    successors: FlatMap<NodeId, NodeId>,
    /// Tree quorums: voting set of this process's latest request.
    pub quorum: Vec<NodeId>,
    /// Suspected processes.
    pub suspected: FlatSet<NodeId>,
}

impl Maekawa {
    /// Returns whether this process suspects `node`.
    pub(super) fn suspects(&self, node: NodeId) -> bool {
        self.repair.as_ref().is_some_and(|repair| repair.suspected.contains(&node))
    }

    /// Returns the processes whose votes the current request needs.
    pub(super) fn voting_set<'a>(&'a self, setting: &'a Setting, me: NodeId) -> &'a [NodeId] {
        match &self.repair {
            Some(repair) if setting.version.follows_the_living() => &repair.quorum,
            _ => setting.coterie.set(me),
        }
    }

    /// Returns whether the voting set is the configured set, and each of its members is still the arbiter in its own
    /// place.
    pub(super) fn has_given_set(&self, setting: &Setting) -> bool {
        let changes = |repair: &Repair| setting.version.follows_the_living() || !repair.successors.is_empty();
        !self.repair.as_deref().is_some_and(changes)
    }

    /// Returns the arbiter in a place, according to the knowledge of this process.
    pub(super) fn serving(&self, place: NodeId) -> NodeId {
        self.repair.as_ref().and_then(|repair| repair.successors.get(&place)).copied().unwrap_or(place)
    }

    /// Returns this process's state as the arbiter in a place: its own place, or a place that it has taken over.
    pub(super) fn arbiter(&mut self, place: NodeId, me: NodeId) -> Option<&mut Arbiter> {
        if place == me { Some(&mut self.arbiter) } else { self.repair.as_mut()?.places.get_mut(&place) }
    }

    pub(super) fn suspect(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        let clock = self.clock.now();
        let Some(repair) = self.repair.as_deref_mut().filter(|repair| !repair.suspected.contains(&process)) else {
            return;
        };
        repair.suspected.insert(process);
        turn.because(Reason::GivenUp { process });
        let own = core::iter::once((turn.me, &mut self.arbiter));
        for (place, arbiter) in own.chain(repair.places.iter_mut().map(|(place, arbiter)| (*place, arbiter))) {
            arbiter.give_up(process, &mut Voice { place, clock, turn });
        }
        if turn.setting.version.follows_the_living() {
            return self.form_anew(process, turn);
        }
        let heir = |place| nearest(place, turn.setting.nodes, &repair.suspected, NodeId::successor);
        let inherits = |place: &NodeId| !repair.places.contains_key(place) && heir(*place) == Some(turn.me);
        let inherited: Vec<NodeId> = repair.suspected.iter().copied().filter(inherits).collect();
        for place in inherited {
            self.take_over(place, turn);
        }
    }

    fn take_over(&mut self, place: NodeId, turn: &mut Turn<Self>) {
        let Some(repair) = &mut self.repair else { return };
        turn.because(Reason::TookOver { place });
        let asks = |node: &NodeId| turn.setting.coterie.set(*node).contains(&place) && !repair.suspected.contains(node);
        let clients: FlatSet<NodeId> = NodeId::all(turn.setting.nodes).filter(asks).collect();
        let forgets = turn.setting.version == Version::ForgetfulSuccession;
        let awaited = if forgets { FlatSet::new() } else { clients.clone() };
        repair.places.insert(place, Arbiter { awaited, ..Arbiter::default() });
        for client in clients {
            turn.send(client, MaekawaMessage::TakesOver { place, clock: self.clock.now() });
        }
    }

    /// Handles TAKES-OVER. If two processes have announced that they take over the place, the process that is later in
    /// the ring is the current arbiter.
    pub(super) fn taken_over(&mut self, from: NodeId, place: NodeId, turn: &mut Turn<Self>) {
        let nodes = turn.setting.nodes;
        let is_ours = turn.setting.version.has_succession() && turn.setting.coterie.set(turn.me).contains(&place);
        let after = |node: NodeId| node.0.saturating_add(nodes).saturating_sub(place.0) % nodes;
        let is_later = after(from) > after(self.serving(place));
        let Some(repair) = self.repair.as_mut().filter(|_| is_ours && is_later) else {
            return turn.because(Reason::NotInSet { from });
        };
        turn.because(Reason::NewArbiter { place, arbiter: from });
        repair.successors.insert(place, from);
        self.votes.failed.remove(&place);
        self.votes.inquired.remove(&place);
        let voted = self.section.is_inside() || self.votes.here.contains(&place);
        let timestamp = self.section.time().map(|ours| ours.clock);
        turn.send(from, MaekawaMessage::State { place, timestamp, voted, clock: self.clock.now() });
    }

    /// Handles STATE: the sender reports its request, if it has one. It also reports whether it has the vote that
    /// the former arbiter in `place` gave.
    pub(super) fn informed(
        &mut self,
        from: NodeId,
        place: NodeId,
        request: Option<Timestamp>,
        voted: bool,
        turn: &mut Turn<Self>,
    ) {
        let (clock, forgets) = (self.clock.now(), turn.setting.version == Version::ForgetfulSuccession);
        let arbiter = self.repair.as_mut().and_then(|repair| repair.places.get_mut(&place));
        let Some(arbiter) = arbiter.filter(|arbiter| forgets || arbiter.awaited.contains(&from)) else {
            return turn.because(Reason::NotItsArbiter { place });
        };
        let voice = &mut Voice { place, clock, turn };
        match request {
            Some(theirs) if forgets && !voted => return arbiter.asked(theirs, voice),
            Some(theirs) if voted => arbiter.locked = arbiter.locked.or(Some(theirs)).filter(|_| !forgets),
            Some(theirs) => _ = arbiter.queue.insert(theirs),
            None => {}
        }
        arbiter.awaited.remove(&from);
        if !forgets {
            arbiter.settle(voice);
        }
    }
}

impl Arbiter {
    /// Removes the requests of a suspected process, and takes back the vote that it had.
    fn give_up(&mut self, process: NodeId, voice: &mut Voice<'_, '_>) {
        self.queue.retain(|queued| queued.process != process);
        let was_awaited = self.awaited.remove(&process);
        if let Some(theirs) = self.locked.filter(|locked| locked.process == process) {
            self.given_back(theirs, false, voice);
        }
        if was_awaited {
            self.settle(voice);
        }
    }

    /// Does nothing until all recipients of TAKES-OVER have answered. Then gives a free vote to the best request, and
    /// sends FAILED or INQUIRE where necessary.
    fn settle(&mut self, voice: &mut Voice<'_, '_>) {
        if !self.awaited.is_empty() {
            return;
        }
        voice.because(Reason::Rebuilt { place: voice.place });
        let best = if self.locked.is_none() { self.queue.pop_first() } else { None };
        let Some(holder) = self.locked.or(best) else { return voice.because(Reason::NobodyWaits) };
        let better = self.queue.first().copied().filter(|&first| first < holder);
        self.inquired = better.is_some();
        if let Some(theirs) = best {
            self.vote(theirs, Reason::VotedBest { theirs }, voice);
        }
        for &theirs in self.queue.iter().filter(|queued| Some(**queued) != better) {
            voice.because(Reason::FailedBetterKnown { theirs, better: better.unwrap_or(holder) });
            voice.tell(theirs, Said::Failed);
        }
        if let Some(theirs) = better {
            voice.because(Reason::InquiredForBetter { theirs, holder });
            voice.tell(holder, Said::Inquire);
        }
    }
}
