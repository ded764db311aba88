//! The reasons for a process's decisions about resources, in the algorithms in which each resource has a home.

use crate::prelude::*;

reasons! {
    pub enum Reason {
        ResourceFree { lock: LockId, process: NodeId }: "Granted: no process has the resource.",
        ResourceNext { lock: LockId, process: NodeId, behind: u32 }:
            "Granted: the resource has become free, and no process has waited longer.",
        ResourceTaken { lock: LockId, process: NodeId, holder: NodeId }: "Queued: another process has the resource.",
        ResourceGivenBack { lock: LockId }: "No process waits: the resource is free.",
        Withdrawn { lock: LockId, process: NodeId }: "No longer queued: the process has given up.",
        GrantedByHome { home: NodeId }: "Entered: the home of the resource has granted it.",
        NotFree { lock: LockId }: "Gave up: the resource that it wants is not free.",
        GivesUp { from: NodeId }: "Gave up: it was told to.",
        YoungerDies { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Told to give up: it is younger than the holder of the resource (wait-die).",
        OlderWaits { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Waits: it is older than the holder of the resource (wait-die).",
        OlderWounds { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Told to give up what it has: an older transaction wants it (wound-wait).",
        YoungerWaits { lock: LockId, theirs: Timestamp, holder: Timestamp }:
            "Waits: it is younger than the holder of the resource (wound-wait).",
        GraphReported { edges: u32 }: "Reported: the local wait-for graph has changed.",
        NoCircle { edges: u32 }: "Noted: all graphs taken together have no cycle.",
        YoungestOfCircle { victim: NodeId, size: u32 }: "Chosen to give up: the youngest of a cycle.",
        ProbeStarted { number: u64, holder: NodeId }: "Sent a probe: it is blocked.",
        ProbeForwarded { blocked: NodeId, holder: NodeId }: "Forwarded a probe: it is blocked as well.",
        ProbeForwardedUnblocked { blocked: NodeId, holder: NodeId }:
            "Forwarded a probe although it is no longer blocked: this is the fault.",
        ProbeReplaced { blocked: NodeId, number: u64 }:
            "Swallowed the probe of a lower process and sent its own instead.",
        ProbeEnds { blocked: NodeId }: "The probe ends here: this process is not blocked.",
        ProbeOutdated { blocked: NodeId }:
            "The probe ends here: it has already been forwarded, or it is about a wait that is over.",
        ProbeCameBack { number: u64 }: "Its own probe has come back: there is a cycle.",
        OldRequest { from: NodeId }: "Ignored: an equally new or newer request from there is known.",
        UnknownTicket { from: NodeId }: "Ignored: with that ticket, no resource is requested or held.",
        GivesBackAlready { from: NodeId }: "Ignored: it is already giving its resources back.",
        NotFromThere { from: NodeId }:
            "Ignored: the message is about something that is not here, or it comes from the wrong process.",
        Nonsense { from: NodeId }: "Ignored: its content is impossible.",
        OldReport { from: NodeId }: "Ignored: a newer report from there is known.",
    }
}
