//! The requests that a leader has received from its clients, and whether they are confirmed. A request is confirmed
//! when a majority, asked after the request arrived, has answered that this node leads. A leader forgets the requests
//! when it steps down.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::table::LockRequest;
use crate::flat::FlatMap;
use crate::identity::{LockId, NodeId, RequestId};

/// The requests of each lock's clients.
///
/// A round is a question of the leader to all nodes: to accept an operation, or to confirm that it still leads. If a
/// majority answers a round, no other node had taken over when the round began. So a request that arrived before the
/// round also arrived before any takeover. A lease for this request is safe, because a later leader waits for the
/// length of a lease, counted from its takeover.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Heard {
    /// Number of rounds that have begun.
    rounds: u64,
    clients: FlatMap<LockId, FlatMap<NodeId, Asking>>,
}

/// The latest requests of a client.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Asking {
    /// The newest request of the client.
    request: RequestId,
    /// The latest beat of the client, and the number of rounds that had begun when that beat arrived.
    latest: (u64, u64),
    /// The beat before `latest`, and the number of rounds that had begun when this earlier beat arrived.
    before: Option<(u64, u64)>,
    /// The latest confirmed beat: it arrived before the start of a round that a majority has answered.
    confirmed: Option<u64>,
}

impl Asking {
    /// Records that a majority has answered `round`. Returns whether these answers confirm a later beat than earlier
    /// rounds did.
    fn confirm(&mut self, round: u64) -> bool {
        let earlier = [Some(self.latest), self.before].into_iter().flatten().find(|&(_, rounds)| rounds < round);
        let Some((beat, _)) = earlier.filter(|&(beat, _)| self.confirmed.is_none_or(|known| known < beat)) else {
            return false;
        };
        self.confirmed = Some(beat);
        true
    }
}

impl Heard {
    /// Records a request of a client.
    pub fn note(&mut self, claim: LockRequest, beat: u64) {
        let now = (beat, self.rounds);
        let new = Asking { request: claim.request, latest: now, before: None, confirmed: None };
        let asking = self.clients.entry(claim.lock).or_default().entry(claim.client).or_insert_with(|| new.clone());
        if claim.request > asking.request {
            *asking = new;
        } else if claim.request == asking.request && beat > asking.latest.0 {
            asking.before = Some(core::mem::replace(&mut asking.latest, now));
        }
    }

    /// Begins a round and returns its number.
    pub fn begin_round(&mut self) -> u64 {
        self.rounds = self.rounds.saturating_add(1);
        self.rounds
    }

    /// Records that a majority has answered `round`. Returns the requests for which these answers confirm a later
    /// beat than earlier rounds did.
    pub fn confirm(&mut self, round: u64) -> Vec<LockRequest> {
        let mut confirmed = Vec::new();
        for (&lock, clients) in &mut self.clients {
            for (&client, asking) in clients {
                if asking.confirm(round) {
                    confirmed.push(LockRequest { lock, client, request: asking.request });
                }
            }
        }
        confirmed
    }

    /// Returns the latest confirmed beat of a request.
    pub fn confirmed(&self, claim: LockRequest) -> Option<u64> {
        self.find(claim)?.confirmed
    }

    /// Whether the client has sent a beat that is not yet confirmed.
    pub fn is_unconfirmed(&self, claim: LockRequest) -> bool {
        self.find(claim).is_some_and(|asking| asking.confirmed != Some(asking.latest.0))
    }

    /// Returns all known requests with their latest beats.
    pub fn claims(&self) -> Vec<(LockRequest, u64)> {
        let of = |(&lock, clients): (&LockId, &FlatMap<NodeId, Asking>)| {
            let claims = clients
                .iter()
                .map(move |(&client, asking)| (LockRequest { lock, client, request: asking.request }, asking.latest.0));
            claims.collect::<Vec<_>>()
        };
        self.clients.iter().flat_map(of).collect()
    }

    fn find(&self, claim: LockRequest) -> Option<&Asking> {
        self.clients.get(&claim.lock)?.get(&claim.client).filter(|asking| asking.request == claim.request)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    const CLAIM: LockRequest = LockRequest { lock: LockId(0), client: NodeId(1), request: RequestId(7) };

    #[test]
    fn a_round_confirms_what_was_asked_before_it_began() {
        let mut heard = Heard::default();
        heard.note(CLAIM, 1);
        let first = heard.begin_round();
        heard.note(CLAIM, 2);
        assert_eq!((heard.confirm(first), heard.confirmed(CLAIM)), (vec![CLAIM], Some(1)));
        assert!(heard.is_unconfirmed(CLAIM));
        let second = heard.begin_round();
        heard.note(CLAIM, 2);
        assert_eq!((heard.confirm(second), heard.confirmed(CLAIM)), (vec![CLAIM], Some(2)), "a repetition is not new");
        assert_eq!((heard.confirm(first), heard.confirmed(CLAIM)), (vec![], Some(2)));
        assert!(!heard.is_unconfirmed(CLAIM));
    }

    #[test]
    fn a_newer_request_forgets_what_was_asked_for_the_older() {
        let mut heard = Heard::default();
        heard.note(CLAIM, 5);
        let round = heard.begin_round();
        heard.note(LockRequest { request: RequestId(8), ..CLAIM }, 1);
        heard.note(CLAIM, 6);
        assert_eq!((heard.confirm(round), heard.confirmed(CLAIM)), (vec![], None));
        assert_eq!(heard.claims(), [(LockRequest { request: RequestId(8), ..CLAIM }, 1)]);
    }
}
