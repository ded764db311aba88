//! Why a process did what it did about resources that have a home each.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::identity::{LockId, NodeId};

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Granted: nobody has the resource.
    ResourceFree {
        /// The resource.
        lock: LockId,
        /// Who gets it.
        process: NodeId,
    },
    /// Granted: the resource has become free, and nobody waits longer.
    ResourceNext {
        /// The resource.
        lock: LockId,
        /// Who gets it.
        process: NodeId,
        /// How many wait behind.
        behind: u32,
    },
    /// Queued: somebody has the resource.
    ResourceTaken {
        /// The resource.
        lock: LockId,
        /// Who waits.
        process: NodeId,
        /// Who has it.
        holder: NodeId,
    },
    /// Nobody waits: the resource is free.
    ResourceGivenBack {
        /// The resource.
        lock: LockId,
    },
    /// No longer queued: the process has given up.
    Withdrawn {
        /// The resource.
        lock: LockId,
        /// Who had waited.
        process: NodeId,
    },
    /// Entered: the home has granted it.
    GrantedByHome {
        /// Who keeps the resource.
        home: NodeId,
    },
    /// Gave up: what it wants is not free.
    NotFree {
        /// The resource.
        lock: LockId,
    },
    /// Gave up: it was told to.
    GivesUp {
        /// By whom.
        from: NodeId,
    },
    /// Told to give up: it is younger than who has the resource (wait-die).
    YoungerDies {
        /// The resource.
        lock: LockId,
        /// Who asks.
        theirs: Timestamp,
        /// Who has it.
        holder: Timestamp,
    },
    /// Waits: it is older than who has the resource (wait-die).
    OlderWaits {
        /// The resource.
        lock: LockId,
        /// Who asks.
        theirs: Timestamp,
        /// Who has it.
        holder: Timestamp,
    },
    /// Told to give up what it has: an older one wants it (wound-wait).
    OlderWounds {
        /// The resource.
        lock: LockId,
        /// Who asks.
        theirs: Timestamp,
        /// Who has it.
        holder: Timestamp,
    },
    /// Waits: it is younger than who has the resource (wound-wait).
    YoungerWaits {
        /// The resource.
        lock: LockId,
        /// Who asks.
        theirs: Timestamp,
        /// Who has it.
        holder: Timestamp,
    },
    /// Reported: the local wait-for graph has changed.
    GraphReported {
        /// How many wait in it.
        edges: u32,
    },
    /// Noted: there is no circle in all graphs taken together.
    NoCircle {
        /// How many wait in all of them.
        edges: u32,
    },
    /// Chosen to give up: the youngest of a circle.
    YoungestOfCircle {
        /// Who.
        victim: NodeId,
        /// How many wait for each other.
        size: u32,
    },
    /// Sent a probe: it is blocked.
    ProbeStarted {
        /// The number of the probe.
        number: u64,
        /// Who has what it wants.
        holder: NodeId,
    },
    /// Sent a probe on: it is blocked, too.
    ProbeForwarded {
        /// Whose probe.
        blocked: NodeId,
        /// Who has what this process wants.
        holder: NodeId,
    },
    /// Sent a probe on, though it is not blocked any more: wrong.
    ProbeForwardedUnblocked {
        /// Whose probe.
        blocked: NodeId,
        /// Who had what this process wanted.
        holder: NodeId,
    },
    /// Swallowed the probe of a lower process, and sent one of its own instead.
    ProbeReplaced {
        /// Whose probe.
        blocked: NodeId,
        /// The number of its own.
        number: u64,
    },
    /// The probe ends here: this process is not blocked.
    ProbeEnds {
        /// Whose probe.
        blocked: NodeId,
    },
    /// The probe ends here: it has been sent on already, or is about a wait that is over.
    ProbeOutdated {
        /// Whose probe.
        blocked: NodeId,
    },
    /// Its own probe has come back: there is a circle.
    ProbeCameBack {
        /// Its number.
        number: u64,
    },
    /// Ignored: a request from there as new or newer has been seen.
    OldRequest {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: nothing is waited for, or had, by that ticket.
    UnknownTicket {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: it is giving back already.
    GivesBackAlready {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: not here is what the message speaks of, or it is not from whom it should be.
    NotFromThere {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: what it says cannot be.
    Nonsense {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: a newer report from there has been seen.
    OldReport {
        /// Who sent it.
        from: NodeId,
    },
}
