//! Messages of the centralised algorithm with failover, and the reasons for the decisions of its processes.

use serde::Deserializer;
use serde_json::value::RawValue;

use crate::contract::Message;
use crate::election::any::{ElectionMessage, ElectionReason};
use crate::prelude::*;
use crate::tagged;

/// The messages of the lock and of the election. The messages of the election are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum FailoverMessage {
    /// A message about the lock.
    Lock(LockMessage),
    /// A message of the election.
    Election(ElectionMessage),
}

messages! {
    /// The messages about the lock. Each names the term of the coordinator, which is its sender or its recipient. A
    /// message about a request names the number that the client gave to the request.
    #[derive(Copy)]
    pub enum LockMessage {
        "REQUEST" Request { term: u64, request: u64 }:
            "A client asks the coordinator, or asks again whether it is alive.",
        "QUEUED" Queued { term: u64, request: u64 }: "The coordinator has received the request, which must wait.",
        "GRANT" Grant { term: u64, request: u64, fence: u64 }:
            "The coordinator grants the critical section to a client.",
        "RELEASE" Release { term: u64, request: u64 }: "A client has left the critical section.",
        "ASK" Ask {
            term: u64,
            /// Whether the coordinator may have missed a later term, because it has been down.
            #[serde(default, skip_serializing_if = "core::ops::Not::not")]
            unsure: bool,
        }: "A new coordinator asks which process is in the critical section and which ones wait.",
        "STATE" State {
            term: u64,
            claim: Option<Stated>,
            /// Term that the client restored after a crash; `None` if the client knows the latest term.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            restored: Option<u64>,
        }: "A client reports what it wants or has.",
    }
}

/// The claim of a client: it waits for the critical section or is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// Number of the client's request.
    pub request: u64,
    /// Whether the client is in the section; if not, it waits.
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
    pub enum Reason {
        Election { because: ElectionReason }: "In the election:",
        Granted { to: NodeId, behind: u32 }:
            "Granted: the critical section was free, and this is the first request in the queue.",
        Queued { from: NodeId, holder: NodeId }: "Queued: a process is in the critical section.",
        QueuedWhileAsking { from: NodeId }:
            "Queued: nothing is granted before all processes have reported what they have.",
        AsksAll:
            "Asks all processes: it has become the coordinator and does not know which one is in the critical section.",
        AllAnswered: "Grants from now on: all processes have answered.",
        SomeDead: "Grants from now on: the processes that have not answered in time have crashed.",
        MayHaveMissed: "Grants nothing yet: it has been down, and a process that has not answered may know a later term.",
        TermTaken { from: NodeId, term: u64 }:
            "Calls an election: before its crash, another process had stored a term that is not older.",
        TermKnown: "Grants from now on: it knows the latest term.",
        Buried { dead: NodeId }: "Forgets a request: the failure detector suspects its sender.",
        Serves { coordinator: NodeId }: "Accepts this process as the coordinator that it asks.",
        Entered: "Entered: the coordinator has granted it.",
        CoordinatorSilent: "Calls an election: the coordinator has not answered in time.",
        CoordinatorSuspected: "Calls an election: the failure detector suspects the coordinator.",
        AsksAgain: "Asks again, to see whether the coordinator is alive.",
        OtherTerm { from: NodeId, term: u64 }: "Ignored: it is not of the coordinator's term.",
        Unexpected { from: NodeId }: "Ignored: this process does not wait for such a message, or no longer does.",
    }
}
