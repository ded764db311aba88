//! The messages of the banker's algorithm, and why a process did what it did.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::{LockId, NodeId, RequestId};

/// One unit of a resource, known by the number under which it is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The resource.
    pub lock: LockId,
    /// The number.
    pub request: RequestId,
}

/// The messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum BankerMessage {
    /// A process asks the banker for one unit, or for several of several resources, to have all of them or none.
    #[serde(rename = "REQUEST")]
    Request {
        /// The units.
        units: Vec<Unit>,
    },
    /// The banker grants what has been asked for with one REQUEST.
    #[serde(rename = "GRANT")]
    Grant {
        /// The units.
        units: Vec<Unit>,
    },
    /// A process gives a unit back.
    #[serde(rename = "RELEASE")]
    Release {
        /// The unit.
        unit: Unit,
    },
}

impl Message for BankerMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Grant { .. } => "GRANT",
            Self::Release { .. } => "RELEASE",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Granted: with it, all can still finish one after the other. One for each resource; the order follows.
    Safe {
        /// Who gets it.
        process: NodeId,
        /// Which resource.
        lock: LockId,
        /// How many units.
        units: u32,
    },
    /// In that order, this one is at this place.
    Finishes {
        /// The place, from 1.
        place: u32,
        /// Who finishes.
        process: NodeId,
    },
    /// Kept waiting: with it, not all could finish. One for each resource; who could not follows, and what would be free.
    Unsafe {
        /// Who waits.
        process: NodeId,
        /// For which resource.
        lock: LockId,
        /// For how many units.
        units: u32,
    },
    /// It could not finish: it may still need more than would be free.
    CannotFinish {
        /// Who.
        process: NodeId,
    },
    /// So much would be free of a resource when no other could finish.
    WouldBeFree {
        /// The resource.
        lock: LockId,
        /// How many units.
        units: u32,
    },
    /// Kept waiting: the process has as much as it may claim, until what it has given back arrives.
    NotGivenBack {
        /// Who waits.
        process: NodeId,
        /// For which resource.
        lock: LockId,
    },
    /// Kept waiting: so many units are not free.
    NotAvailable {
        /// Who waits.
        process: NodeId,
        /// For which resource.
        lock: LockId,
        /// For how many units.
        units: u32,
        /// How many are free.
        free: u32,
    },
    /// A unit has come back; those who wait are looked at again, in the order in which they came.
    GivenBack {
        /// Who had it.
        process: NodeId,
        /// Of which resource.
        lock: LockId,
    },
    /// Entered: the banker has granted it.
    GrantedByBanker,
    /// Gave a unit back that it does not want (any more).
    NotWanted {
        /// Of which resource.
        lock: LockId,
    },
    /// Ignored: it asks for nothing, for the same twice, or for what there is not.
    Nonsense {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the process has it already.
    HasItAlready {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the process waits for it already.
    WaitsAlready {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the process waits for as much already as it may have.
    AboveClaim {
        /// Who sent it.
        from: NodeId,
        /// The resource.
        lock: LockId,
        /// How many units it may have.
        claim: u32,
    },
    /// Ignored: the process does not have it.
    DoesNotHaveIt {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: only the banker takes requests and releases, and only the banker grants.
    NotForBanker {
        /// Who sent it.
        from: NodeId,
    },
}
