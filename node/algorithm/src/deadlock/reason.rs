//! The reasons of processes for their decisions about resources, each of which has a home.

use crate::identity::LockId;
use crate::prelude::*;

reasons! {
    /// The reasons for a process's decisions.
    pub enum Reason {
        ResourceFree { lock: LockId, process: NodeId }: "Granted: nobody has the resource.",
        ResourceNext { lock: LockId, process: NodeId, behind: u32 }:
            "Granted: the resource has become free, and nobody waits longer.",
        ResourceTaken { lock: LockId, process: NodeId, holder: NodeId }: "Queued: somebody has the resource.",
        ResourceGivenBack { lock: LockId }: "Nobody waits: the resource is free.",
        Withdrawn { lock: LockId, process: NodeId }: "No longer queued: the process has given up.",
        GrantedByHome { home: NodeId }: "Entered: the home has granted it.",
        NotFree { lock: LockId }: "Gave up: what it wants is not free.",
        GivesUp { from: NodeId }: "Gave up: it was told to.",
        YoungerDies { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Told to give up: it is younger than who has the resource (wait-die).",
        OlderWaits { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Waits: it is older than who has the resource (wait-die).",
        OlderWounds { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Told to give up what it has: an older one wants it (wound-wait).",
        YoungerWaits { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Waits: it is younger than who has the resource (wound-wait).",
        GraphReported { edges: u32 }: "Reported: the local wait-for graph has changed.",
        NoCircle { edges: u32 }: "Noted: there is no circle in all graphs taken together.",
        YoungestOfCircle { victim: NodeId, size: u32 }: "Chosen to give up: the youngest of a circle.",
        ProbeStarted { number: u64, holder: NodeId }: "Sent a probe: it is blocked.",
        ProbeForwarded { blocked: NodeId, holder: NodeId }: "Sent a probe on: it is blocked, too.",
        ProbeForwardedUnblocked { blocked: NodeId, holder: NodeId }:
            "Sent a probe on, though it is not blocked any more: wrong.",
        ProbeReplaced { blocked: NodeId, number: u64 }:
            "Swallowed the probe of a lower process, and sent one of its own instead.",
        ProbeEnds { blocked: NodeId }: "The probe ends here: this process is not blocked.",
        ProbeOutdated { blocked: NodeId }:
            "The probe ends here: it has been sent on already, or is about a wait that is over.",
        ProbeCameBack { number: u64 }: "Its own probe has come back: there is a circle.",
        OldRequest { from: NodeId }: "Ignored: a request from there as new or newer has been seen.",
        UnknownTicket { from: NodeId }: "Ignored: nothing is waited for, or had, by that ticket.",
        GivesBackAlready { from: NodeId }: "Ignored: it is giving back already.",
        NotFromThere { from: NodeId }:
            "Ignored: not here is what the message speaks of, or it is not from whom it should be.",
        Nonsense { from: NodeId }: "Ignored: what it says cannot be.",
        OldReport { from: NodeId }: "Ignored: a newer report from there has been seen.",
    }
}
