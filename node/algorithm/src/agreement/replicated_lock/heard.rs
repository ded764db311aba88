//! What a leader has heard from its clients: forgotten when it leads no more.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::table::Claim;
use crate::identity::{LockId, NodeId, RequestId};

/// For each lock and client, the newest request and how often the client had asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Heard(BTreeMap<LockId, BTreeMap<NodeId, (RequestId, u64)>>);

impl Heard {
    /// Notes that a client has asked.
    pub fn note(&mut self, claim: Claim, beat: u64) {
        let newest = self.0.entry(claim.lock).or_default().entry(claim.client).or_insert((claim.request, beat));
        *newest = (*newest).max((claim.request, beat));
    }

    /// How often a client had asked, when it was last heard of because of this request.
    pub fn beat(&self, claim: Claim) -> Option<u64> {
        let (request, beat) = self.0.get(&claim.lock)?.get(&claim.client)?;
        (*request == claim.request).then_some(*beat)
    }

    /// All requests heard of.
    pub fn claims(&self) -> Vec<(Claim, u64)> {
        let of = |(&lock, clients): (&LockId, &BTreeMap<NodeId, (RequestId, u64)>)| {
            let claims = clients.iter().map(move |(&client, &(request, beat))| (Claim { lock, client, request }, beat));
            claims.collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of).collect()
    }
}
