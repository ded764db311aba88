//! What becomes of the place of an arbiter that has died: the next process that lives takes it over.
//!
//! It asks all those in whose voting sets the dead one is, and votes for nobody in that place before all the living among
//! them have answered. They say whether they have the vote, and whether they want it; from then on they listen to nobody
//! else in that place, so that a vote of the dead one that arrives later does not count. A vote or a request of the dead
//! itself is void. Who was suspected stays out for good: it has forgotten whom it had voted for.

use super::arbiter::Arbiter;
use super::entry::Version;
use super::{Maekawa, MaekawaMessage, Reason, Said};
use crate::flat::FlatSet;
use crate::mutual_exclusion::section::Section;
use crate::prelude::*;

impl Maekawa {
    pub(super) fn suspected(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.version.survives_crashes() || !self.suspected.insert(process) {
            return;
        }
        turn.because(Reason::GivenUp { process });
        let places: Vec<NodeId> = core::iter::once(turn.me).chain(self.places.keys().copied()).collect();
        for place in places {
            self.give_up(place, process, turn);
        }
        if turn.setting.version.follows_the_living() {
            return self.form_anew(process, turn);
        }
        for place in self.suspected.clone() {
            if !self.places.contains_key(&place) && self.heir(place, turn) == turn.me {
                self.take_over(place, turn);
            }
        }
    }

    /// Whoever is back has forgotten everything and takes no part.
    #[expect(clippy::unused_self, reason = "A step is a method.")]
    pub(super) const fn trusted(&self, _: NodeId, _: &Turn<Self>) {}

    /// The next process after a place that is not suspected.
    fn heir(&self, place: NodeId, turn: &Turn<Self>) -> NodeId {
        let ring = core::iter::successors(Some(place), |node| Some(node.successor(turn.setting.nodes)));
        ring.skip(1).find(|node| *node == turn.me || !self.suspected.contains(node)).unwrap_or(turn.me)
    }

    /// Whom this process asks for the vote of a place.
    pub(super) fn serving(&self, place: NodeId) -> NodeId {
        self.successors.get(&place).copied().unwrap_or(place)
    }

    /// A dead process wants nothing more, and has no vote of the arbiter in this place.
    fn give_up(&mut self, place: NodeId, process: NodeId, turn: &mut Turn<Self>) {
        let Some(arbiter) = self.arbiter(place, turn.me) else { return };
        arbiter.queue.retain(|queued| queued.process != process);
        let (locked, was_awaited) = (arbiter.locked, arbiter.awaited.remove(&process));
        if let Some(theirs) = locked.filter(|locked| locked.process == process) {
            self.given_back(place, theirs, false, turn);
        }
        if was_awaited {
            self.settle(place, turn);
        }
    }

    fn take_over(&mut self, place: NodeId, turn: &mut Turn<Self>) {
        turn.because(Reason::TookOver { place });
        let asks = |node: &NodeId| turn.setting.coterie.set(*node).contains(&place) && !self.suspected.contains(node);
        let clients: FlatSet<NodeId> = NodeId::all(turn.setting.nodes).filter(asks).collect();
        let forgets = turn.setting.version == Version::ForgetfulSuccession;
        let awaited = if forgets { FlatSet::new() } else { clients.clone() };
        self.places.insert(place, Arbiter { awaited, ..Arbiter::default() });
        for client in clients {
            turn.send(client, MaekawaMessage::TakesOver { place, clock: self.clock.now() });
        }
    }

    /// Somebody takes over a place of one's own voting set. Who comes later in the ring has taken it over later.
    pub(super) fn taken_over(&mut self, from: NodeId, place: NodeId, turn: &mut Turn<Self>) {
        let nodes = turn.setting.nodes;
        let is_ours = turn.setting.coterie.set(turn.me).contains(&place);
        let after = |node: NodeId| node.0.saturating_add(nodes).saturating_sub(place.0) % nodes;
        if !is_ours || !turn.setting.version.has_succession() || after(from) <= after(self.serving(place)) {
            return turn.because(Reason::NotInSet { from });
        }
        turn.because(Reason::NewArbiter { place, arbiter: from });
        self.successors.insert(place, from);
        self.votes.failed.remove(&place);
        self.votes.inquired.remove(&place);
        let voted = self.section.is_inside() || self.votes.here.contains(&place);
        let timestamp = match self.section {
            Section::Idle => None,
            Section::Wanting(_, ours) | Section::Inside(_, ours) => Some(ours.clock),
        };
        turn.send(from, MaekawaMessage::State { place, timestamp, voted, clock: self.clock.now() });
    }

    /// Somebody says what it has from the former arbiter in a place, or asks of it.
    pub(super) fn informed(
        &mut self,
        from: NodeId,
        place: NodeId,
        request: Option<Timestamp>,
        voted: bool,
        turn: &mut Turn<Self>,
    ) {
        let forgets = turn.setting.version == Version::ForgetfulSuccession;
        let Some(arbiter) = self.places.get_mut(&place).filter(|arbiter| forgets || arbiter.awaited.contains(&from))
        else {
            return turn.because(Reason::NotItsArbiter { place });
        };
        match request {
            Some(theirs) if forgets && !voted => return self.asked(place, theirs, turn),
            Some(theirs) if voted => arbiter.locked = arbiter.locked.or(Some(theirs)).filter(|_| !forgets),
            Some(theirs) => _ = arbiter.queue.insert(theirs),
            None => {}
        }
        arbiter.awaited.remove(&from);
        if !forgets {
            self.settle(place, turn);
        }
    }

    /// Once all have answered, the best gets the vote if nobody has it, and the others are told how they stand.
    fn settle(&mut self, place: NodeId, turn: &mut Turn<Self>) {
        let Some(arbiter) = self.arbiter(place, turn.me).filter(|arbiter| arbiter.awaited.is_empty()) else { return };
        turn.because(Reason::Rebuilt { place });
        let best = if arbiter.locked.is_none() { arbiter.queue.pop_first() } else { None };
        let Some(holder) = arbiter.locked.or(best) else { return turn.because(Reason::NobodyWaits) };
        let better = arbiter.queue.first().copied().filter(|&first| first < holder);
        arbiter.inquired = better.is_some();
        let failed: Vec<Timestamp> = arbiter.queue.iter().copied().filter(|&queued| Some(queued) != better).collect();
        if let Some(theirs) = best {
            self.vote(place, theirs, Reason::VotedBest { theirs }, turn);
        }
        for theirs in failed {
            turn.because(Reason::FailedBetterKnown { theirs, better: better.unwrap_or(holder) });
            self.tell(place, theirs, Said::Failed, turn);
        }
        if let Some(theirs) = better {
            turn.because(Reason::InquiredForBetter { theirs, holder });
            self.tell(place, holder, Said::Inquire, turn);
        }
    }
}
