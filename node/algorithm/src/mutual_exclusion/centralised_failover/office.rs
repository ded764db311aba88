//! The records of the coordinator: which process is inside, which processes wait, and the latest report of each
//! client.

use super::message::Stated;
use crate::prelude::*;

/// The progress of a request, as far as the coordinator knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Progress {
    Wants,
    Inside,
    Done,
}

/// A request: the client and its number.
pub(super) type Asked = (NodeId, u64);

/// The position of a request that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The request waits.
    InQueue,
    /// The request holds the grant.
    Holder,
    /// The request is finished.
    Past,
}

/// The stage of a coordinator: whether it grants, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The coordinator waits for answers.
    Asks,
    /// The time for answers is over, but the coordinator may have missed a term that only other processes know.
    Doubts,
    /// The coordinator grants requests.
    Open,
}

/// The records of a coordinator in one term.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Office {
    pub term: u64,
    pub holder: Option<Asked>,
    pub queue: VecDeque<Asked>,
    /// Processes whose answer the coordinator waits for; empty once the time for answers is over.
    unheard: FlatSet<NodeId>,
    /// Processes that may know a later term; empty if the coordinator knows the latest.
    doubted: FlatSet<NodeId>,
    /// Clients to which the coordinator must still report that it knows the latest term.
    unsure: FlatSet<NodeId>,
    /// Latest progress reported by each client, to recognise messages that arrive out of order.
    heard: FlatMap<NodeId, (u64, Progress)>,
    granted: u32,
}

impl Office {
    /// Returns the records of a coordinator that waits for the answers of the processes `unheard`.
    pub fn new(term: u64, unheard: impl Iterator<Item = NodeId>) -> Self {
        Self { term, unheard: unheard.collect(), ..Self::default() }
    }

    /// Returns these records for a coordinator that has been down: each awaited process may know a later term.
    pub fn after_crash(self) -> Self {
        Self { doubted: self.unheard.clone(), ..self }
    }

    /// Returns whether the coordinator grants, and if not, why.
    pub fn stage(&self) -> Stage {
        match (self.unheard.is_empty(), self.doubted.is_empty()) {
            (false, _) => Stage::Asks,
            (true, false) => Stage::Doubts,
            (true, true) => Stage::Open,
        }
    }

    /// Returns the processes that may know a later term.
    pub fn doubted(&self) -> &FlatSet<NodeId> {
        &self.doubted
    }

    /// Removes and returns the clients to which the coordinator must still report that it knows the latest term.
    pub fn take_unsure(&mut self) -> FlatSet<NodeId> {
        core::mem::take(&mut self.unsure)
    }

    /// Ends the time for answers.
    pub fn end_asking(&mut self) {
        self.unheard.clear();
    }

    /// Records that a process knows no later term. If that process has never been down (`was_up`), no process knows
    /// a later term.
    pub fn compared(&mut self, with: NodeId, was_up: bool) {
        if was_up {
            self.doubted.clear();
        } else {
            self.doubted.remove(&with);
            self.unsure.insert(with);
        }
    }

    /// Records the claim of a client.
    pub fn stated(&mut self, from: NodeId, claim: Option<Stated>) {
        if let Some(Stated { request, inside }) = claim {
            let progress = if inside { Progress::Inside } else { Progress::Wants };
            self.note((from, request), progress);
        }
        self.unheard.remove(&from);
    }

    /// Records a request, and returns its position.
    pub fn requested(&mut self, asked: Asked) -> Place {
        self.note(asked, Progress::Wants);
        if self.holder == Some(asked) {
            Place::Holder
        } else if self.queue.contains(&asked) {
            Place::InQueue
        } else {
            Place::Past
        }
    }

    /// Records that a client has left. Returns `false` if its departure was already recorded.
    pub fn released(&mut self, asked: Asked) -> bool {
        self.note(asked, Progress::Done)
    }

    /// Forgets the request of a crashed process, and stops waiting for its answer. The process stays in `doubted`,
    /// because it may still know a later term.
    pub fn bury(&mut self, dead: NodeId) {
        self.queue.retain(|(waiting, _)| *waiting != dead);
        self.holder = self.holder.filter(|(holder, _)| *holder != dead);
        self.unheard.remove(&dead);
    }

    /// Records the progress of a request. Returns `false` if this progress, or later progress of the client, is
    /// already recorded.
    fn note(&mut self, (from, request): Asked, progress: Progress) -> bool {
        if self.heard.get(&from) >= Some(&(request, progress)) {
            return false;
        }
        self.heard.insert(from, (request, progress));
        // A client that sends a new request has left, though its RELEASE may still be in transit.
        self.queue.retain(|(waiting, _)| *waiting != from);
        if self.holder.is_some_and(|(holder, _)| holder == from) {
            self.holder = None;
        }
        match progress {
            Progress::Wants => self.queue.push_back((from, request)),
            Progress::Inside => self.holder = Some((from, request)),
            Progress::Done => {}
        }
        true
    }

    /// Grants the first request in the queue, if a grant is possible, and returns it with its fencing token.
    pub fn grant(&mut self) -> Option<(Asked, u64)> {
        if self.stage() != Stage::Open || self.holder.is_some() {
            return None;
        }
        let (to, request) = self.queue.pop_front()?;
        self.heard.insert(to, (request, Progress::Inside));
        self.holder = Some((to, request));
        self.granted = self.granted.saturating_add(1);
        Some(((to, request), self.fence()))
    }

    /// Returns the fencing token of the latest grant. The upper 32 bits contain the term, and the lower 32 bits contain
    /// the number of grants. So the tokens of a later coordinator are greater.
    pub fn fence(&self) -> u64 {
        u64::from(u32::try_from(self.term).unwrap_or(u32::MAX)) << 32 | u64::from(self.granted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P1: NodeId = NodeId(1);
    const P2: NodeId = NodeId(2);

    #[test]
    fn what_overtakes_counts_and_what_was_overtaken_does_not() {
        let mut office = Office::new(3, [P1, P2].into_iter());
        assert!(office.released((P1, 4)));
        office.stated(P1, Some(Stated { request: 4, inside: true }));
        assert_eq!(office.holder, None, "its RELEASE was faster");
        assert_eq!((office.requested((P2, 1)), office.grant()), (Place::InQueue, None));
        office.stated(P2, None);
        assert_eq!(office.grant(), Some(((P2, 1), 3 << 32 | 1)));
        assert_eq!((office.requested((P2, 1)), office.requested((P1, 4))), (Place::Holder, Place::Past));
    }

    #[test]
    fn who_asks_again_has_left() {
        let mut office = Office::new(1, core::iter::empty());
        office.requested((P1, 1));
        office.grant();
        assert_eq!(office.requested((P1, 2)), Place::InQueue);
        assert_eq!(office.grant(), Some(((P1, 2), 1 << 32 | 2)));
        assert!(!office.released((P1, 1)), "the late RELEASE says nothing new");
    }

    #[test]
    fn the_dead_are_neither_inside_nor_waited_for() {
        let mut office = Office::new(2, [P1, P2].into_iter());
        office.stated(P1, Some(Stated { request: 9, inside: true }));
        office.bury(P2);
        assert_eq!(office.stage(), Stage::Open, "no other answer is missing");
        office.requested((P2, 1));
        office.bury(P1);
        assert_eq!(office.grant(), Some(((P2, 1), 2 << 32 | 1)));
    }

    #[test]
    fn a_holder_keeps_the_section_over_the_change() {
        let mut office = Office::new(2, [P1, P2].into_iter());
        office.stated(P2, Some(Stated { request: 7, inside: false }));
        office.stated(P1, Some(Stated { request: 9, inside: true }));
        assert_eq!(office.grant(), None);
        assert!(office.released((P1, 9)));
        assert_eq!(office.grant(), Some(((P2, 7), 2 << 32 | 1)));
    }

    /// Returns the stage of a coordinator that has been down, where P1 and P2 may know a later term.
    fn stage_after(compare: impl FnOnce(&mut Office)) -> Stage {
        let mut office = Office::new(2, [P1, P2].into_iter()).after_crash();
        office.end_asking();
        compare(&mut office);
        office.stage()
    }

    #[test]
    fn a_coordinator_after_a_crash_needs_one_that_was_up_or_all() {
        assert_eq!(stage_after(|_| {}), Stage::Doubts);
        assert_eq!(stage_after(|office| office.compared(P2, true)), Stage::Open);
        assert_eq!(stage_after(|office| office.compared(P2, false)), Stage::Doubts);
        let all_were_down = |office: &mut Office| [P1, P2].into_iter().for_each(|node| office.compared(node, false));
        assert_eq!(stage_after(all_were_down), Stage::Open);
        assert_eq!(stage_after(|office| [P1, P2].into_iter().for_each(|node| office.bury(node))), Stage::Doubts);
    }
}
