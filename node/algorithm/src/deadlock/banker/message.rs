//! The messages of the banker's algorithm, and the reasons for a process's decisions.

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
            "A process asks the banker for one unit, or for several units of several resources, all or none of them.",
        "GRANT" Grant { units: Vec<Unit> }: "The banker grants all that one REQUEST asked for.",
        "RELEASE" Release { unit: Unit }: "A process gives a unit back.",
    }
}

reasons! {
    pub enum Reason {
        Safe { process: NodeId, lock: LockId, units: u32 }:
            "Granted: all processes can still finish, one after the other. Once for each resource; the order follows.",
        Finishes {
            /// The position in the order, from 1.
            place: u32,
            process: NodeId,
        }: "In that order, this process has this place.",
        Unsafe { process: NodeId, lock: LockId, units: u32 }:
            "Kept waiting: with it granted, not all processes could finish. Once for each resource; the processes that \
            could not finish follow, and what would be free.",
        GrantedUnsafely { process: NodeId, lock: LockId, units: u32 }:
            "Granted because it is free, although not all processes could finish. Once for each resource; the processes \
            that could not finish follow, and what would be free.",
        CannotFinish { process: NodeId }: "This process could not finish: it may still need more than would be free.",
        WouldBeFree { lock: LockId, units: u32 }:
            "This many units of a resource would be free when no further process could finish.",
        NotGivenBack { process: NodeId, lock: LockId }:
            "Kept waiting: the process has as much as it may claim until what it has given back arrives.",
        NotAvailable { process: NodeId, lock: LockId, units: u32, free: u32 }:
            "Kept waiting: not enough units are free.",
        GivenBack { process: NodeId, lock: LockId }:
            "A unit was given back: waiting requests are checked again, in the order of their arrival.",
        GrantedByBanker: "Entered: the banker has granted it.",
        NotWanted { lock: LockId }: "Gave back a unit that it does not want, or no longer wants.",
        Nonsense { from: NodeId }:
            "Ignored: it asks for nothing, for the same resource twice, or for something that does not exist.",
        HasItAlready { from: NodeId }: "Ignored: the process already has it.",
        WaitsAlready { from: NodeId }: "Ignored: the process already waits for it.",
        AboveClaim {
            from: NodeId,
            lock: LockId,
            /// Maximum number of units that the process may hold.
            claim: u32,
        }: "Ignored: the process already waits for as much as it may have.",
        DoesNotHaveIt { from: NodeId }: "Ignored: the process does not have it.",
        NotForBanker { from: NodeId }:
            "Ignored: only the banker takes requests and releases, and only the banker grants.",
    }
}
