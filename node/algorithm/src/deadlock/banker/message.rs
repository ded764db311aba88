//! The messages of the banker's algorithm, and the reasons for a process's decisions.

use crate::identity::{LockId, RequestId};
use crate::prelude::*;

/// One unit of a resource, identified by the number of the request for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The resource.
    pub lock: LockId,
    /// The number of the request.
    pub request: RequestId,
}

messages! {
    /// The messages.
    pub enum BankerMessage {
        "REQUEST" Request { units: Vec<Unit> }:
            "A process asks the banker for one unit, or for several of several resources, to have all of them or none.",
        "GRANT" Grant { units: Vec<Unit> }: "The banker grants what has been asked for with one REQUEST.",
        "RELEASE" Release { unit: Unit }: "A process gives a unit back.",
    }
}

reasons! {
    /// The reasons for a process's decisions.
    pub enum Reason {
        Safe { process: NodeId, lock: LockId, units: u32 }:
            "Granted: with it, all can still finish one after the other. One for each resource; the order follows.",
        Finishes {
            /// The position in the order, from 1.
            place: u32,
            process: NodeId,
        }: "In that order, this one is at this place.",
        Unsafe { process: NodeId, lock: LockId, units: u32 }:
            "Kept waiting: with it, not all could finish. One for each resource; who could not follows, and what would \
            be free.",
        CannotFinish { process: NodeId }: "It could not finish: it may still need more than would be free.",
        WouldBeFree { lock: LockId, units: u32 }: "So much would be free of a resource when no other could finish.",
        NotGivenBack { process: NodeId, lock: LockId }:
            "Kept waiting: the process has as much as it may claim, until what it has given back arrives.",
        NotAvailable { process: NodeId, lock: LockId, units: u32, free: u32 }:
            "Kept waiting: so many units are not free.",
        GivenBack { process: NodeId, lock: LockId }:
            "A unit has come back; those who wait are looked at again, in the order in which they came.",
        GrantedByBanker: "Entered: the banker has granted it.",
        NotWanted { lock: LockId }: "Gave a unit back that it does not want (any more).",
        Nonsense { from: NodeId }: "Ignored: it asks for nothing, for the same twice, or for what there is not.",
        HasItAlready { from: NodeId }: "Ignored: the process has it already.",
        WaitsAlready { from: NodeId }: "Ignored: the process waits for it already.",
        AboveClaim {
            from: NodeId,
            lock: LockId,
            /// Maximum number of units that the process may hold.
            claim: u32,
        }: "Ignored: the process waits for as much already as it may have.",
        DoesNotHaveIt { from: NodeId }: "Ignored: the process does not have it.",
        NotForBanker { from: NodeId }:
            "Ignored: only the banker takes requests and releases, and only the banker grants.",
    }
}
