//! Messages of the centralised algorithm with failover, and the reasons for the decisions of its processes.

use serde::Deserializer;
use serde_json::value::RawValue;

use crate::contract::Message;
use crate::election::any::{ElectionMessage, ElectionReason};
use crate::prelude::*;
use crate::tagged;

/// The messages of the lock and of the election; those of the election are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum FailoverMessage {
    /// A message about the lock.
    Lock(LockMessage),
    /// A message of the election.
    Election(ElectionMessage),
}

messages! {
    /// The messages about the lock. Each names the term of the coordinator that is its sender or recipient. A
    /// message about a request names the number that the client gave to the request.
    #[derive(Copy)]
    pub enum LockMessage {
        "REQUEST" Request { term: u64, request: u64 }:
            "A client asks the coordinator, or asks again whether it is alive.",
        "QUEUED" Queued { term: u64, request: u64 }: "The coordinator has taken the request, which must wait.",
        "GRANT" Grant { term: u64, request: u64, fence: u64 }: "The coordinator lets a client in.",
        "RELEASE" Release { term: u64, request: u64 }: "A client has left.",
        "ASK" Ask {
            term: u64,
            /// Whether the coordinator may have missed a later term, because it has been down.
            #[serde(default, skip_serializing_if = "core::ops::Not::not")]
            unsure: bool,
        }: "A new coordinator asks who is inside and who waits.",
        "STATE" State {
            term: u64,
            claim: Option<Stated>,
            /// Term that was stored when the client came back, if it may have missed a later one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            restored: Option<u64>,
        }: "A client says what it is doing: what it wants or has.",
    }
}

/// The claim of a client: it waits for the critical section or is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// Number of its request.
    pub request: u64,
    /// Whether it is in the section; otherwise it waits.
    pub inside: bool,
}

impl<'de> Deserialize<'de> for FailoverMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tagged::deserialize(deserializer)
    }
}

impl Message for FailoverMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Lock(message) => message.kind(),
            Self::Election(message) => message.kind(),
        }
    }

    fn read(kind: &str, body: &RawValue) -> serde_json::Result<Self> {
        if LockMessage::KINDS.contains(&kind) {
            LockMessage::read(kind, body).map(Self::Lock)
        } else {
            ElectionMessage::read(kind, body).map(Self::Election)
        }
    }
}

reasons! {
    /// The reasons for the decisions of a process.
    pub enum Reason {
        Election { because: ElectionReason }: "What the election says.",
        Granted { to: NodeId, behind: u32 }: "Granted: nobody was in the section, and this is the first in the queue.",
        Queued { from: NodeId, holder: NodeId }: "Queued: somebody is in the section.",
        QueuedWhileAsking { from: NodeId }: "Queued: nothing is granted before all have said what they have.",
        AsksAll: "Asks everybody: it has become the coordinator and does not know who is inside.",
        AllAnswered: "Grants from now on: everybody has answered.",
        SomeDead: "Grants from now on: who has not answered in time is dead.",
        MayHaveMissed: "Grants nothing yet: it has been down, and a process that has not answered may know a later term.",
        TermTaken { from: NodeId, term: u64 }:
            "Calls an election: before its crash, another process had stored a term that is not older.",
        TermKnown: "Grants from now on: it knows the latest term.",
        Buried { dead: NodeId }: "Forgets a request: the failure detector suspects who has made it.",
        Serves { coordinator: NodeId }: "Takes this one for the coordinator that it asks.",
        Entered: "Entered: the coordinator has granted it.",
        CoordinatorSilent: "Calls an election: the coordinator has not answered in time.",
        CoordinatorSuspected: "Calls an election: the failure detector suspects the coordinator.",
        AsksAgain: "Asks again, to see whether the coordinator is alive.",
        OtherTerm { from: NodeId, term: u64 }: "Ignored: of another term than that of the coordinator.",
        Unexpected { from: NodeId }: "Ignored: nothing of the kind is waited for, or not any more.",
    }
}
