//! Catalogue entry, configuration and displayed variables of Ricart and Agrawala's algorithm.

use super::{Numbering, RicartAgrawala, RicartAgrawalaMessage};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::removal::{self, Membership, Removes};

choices! {
    /// The numbers that order the requests, and the order of requests with equal numbers.
    pub enum Version {
        LamportClock = "lamport-clock": "every message carries and advances the logical clock",
        SequenceNumbers = "sequence-numbers":
            "the paper: a request gets 1 + the highest number sent or received, and a REPLY carries none",
        RemoveDead = "remove-dead":
            "as lamport-clock; a suspected process is not asked, and a process that is back after a crash joins again: \
            it first learns the clocks of the others",
        AsksAtOnce = "asks-at-once":
            "as remove-dead, but a process that is back after a crash asks at once, without knowing anything";
            broken:
                "mutual exclusion can be violated: its first request passes for older than those that it was not asked \
                for",
        Modulo = "modulo": "as sequence-numbers, kept modulo 2N-1 and compared on the circle",
        ModuloTooSmall = "modulo-too-small": "as modulo, modulo 2N-2";
            broken: "mutual exclusion can be violated: of two numbers N-1 apart, each passes for the older",
        LamportClockModulo = "lamport-clock-modulo": "as lamport-clock, kept modulo 2N-1 and compared on the circle";
            broken: "mutual exclusion can be violated: clocks drift further apart than half of the circle",
        ReplyAtTie = "reply-at-tie": "replies to a request of the same time as its own";
            broken: "mutual exclusion can be violated: at equal times, each gives way to the other",
        DeferAtTie = "defer-at-tie": "defers a request of the same time as its own";
            broken: "deadlock: at equal times, each waits for the other",
        NoClockUpdate = "no-clock-update": "a request gets 1 + the highest number sent: what is received does not count";
            broken: "mutual exclusion can be violated: a process that has replied may later ask with a smaller number",
        NoTimestamps = "no-timestamps": "a request has no time: the smaller process always comes first";
            broken: "mutual exclusion can be violated: a process that has replied may ask later and still come first",
    }
}

setting! { |configuration|
    pub(super) version: Version = configuration.variant()?,
    pub(super) numbering: Numbering = version.numbering(configuration.nodes),
}

impl Version {
    const fn numbering(self, nodes: u32) -> Numbering {
        match self {
            Self::LamportClock | Self::RemoveDead | Self::AsksAtOnce | Self::ReplyAtTie | Self::DeferAtTie => {
                Numbering::LamportClock
            }
            Self::SequenceNumbers => Numbering::SequenceNumbers,
            Self::Modulo => Numbering::modulo(nodes),
            Self::ModuloTooSmall => Numbering::modulo_too_small(nodes),
            Self::LamportClockModulo => Numbering::lamport_clock_modulo(nodes),
            Self::NoClockUpdate => Numbering::NothingHeard,
            Self::NoTimestamps => Numbering::NoNumbers,
        }
    }

    /// Returns whether suspected processes are removed.
    const fn removes(self) -> bool {
        matches!(self, Self::RemoveDead | Self::AsksAtOnce)
    }
}

reasons! {
    pub enum Reason {
        RepliedIdle { to: NodeId }: "Replied: this process does not want the critical section.",
        RepliedOlder { theirs: Timestamp, ours: Timestamp }: "Replied: the other request is older than its own.",
        RepliedAtTie { theirs: Timestamp, ours: Timestamp }: "Replied: the other request has the same time as its own.",
        DeferredAtTie { theirs: Timestamp, ours: Timestamp }:
            "Deferred: the other request has the same time as its own.",
        DeferredInSection { to: NodeId }: "Deferred: this process is in the critical section.",
        DeferredYounger { theirs: Timestamp, ours: Timestamp }: "Deferred: its own request is older.",
        EveryoneReplied: "Entered: each other process has replied or has crashed.",
        Removed { node: NodeId }:
            "Waits for no reply from there: the process has crashed, or is in another incarnation.",
        Joins: "Joins again after a crash, and first asks the others for their clocks.",
        JoinsFirst: "Asks later: not all processes have reported their clocks yet.",
        Welcomed { node: NodeId }: "Reported its clock: a process is back after a crash.",
        NobodyJoins { from: NodeId }: "Ignored: in this variant no process joins again.",
        OfAnEarlierLife { from: NodeId }: "Ignored: it was sent by an earlier incarnation of the process.",
        ToAnotherLife { from: NodeId }: "Ignored: it was sent to another incarnation of this process.",
        UnexpectedReply { from: NodeId }:
            "Ignored: no reply from there was expected (a duplicate, or to a request of an earlier incarnation).",
        LateReply { from: NodeId, sent: u64, ours: Timestamp }:
            "Ignored: the reply was sent, by its sender's clock, before the request was made: it belongs to an earlier \
            one.",
        NoSuchNumber { from: NodeId, number: u64 }: "Ignored: this modulus allows no such number.",
        NotItsSender { from: NodeId, process: NodeId }: "Ignored: the request names another process than its sender.",
    }
}

impl Algorithm for RicartAgrawala {
    steps!(RicartAgrawalaMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "ricart-agrawala",
        title: "Ricart–Agrawala",
        source: Source {
            authors: "Glenn Ricart, Ashok K. Agrawala",
            title: "An Optimal Algorithm for Mutual Exclusion in Computer Networks",
            year: 1981,
        },
        summary: "A process asks all others and enters when all have replied. A process that is inside or asked \
                  earlier replies later.",
        variants: Version::VARIANTS,
        // Duplication is not tolerated. A duplicated REQUEST causes a second REPLY, which could count as the
        // permission for a later request.
        assumes: FAMILY.assumes,
        variants_assume: &[(&["remove-dead"], removal::ASSUMES)],
        message_kinds: RicartAgrawalaMessage::KINDS,
        repair_kinds: &["JOIN", "WELCOME"],
        // With sequence numbers, neither a REPLY nor an application message increases the number of a later request.
        // The variant with removal is not in this list. In it, a process that joins sends its client's request only
        // after it has joined, so a later request may overtake that request.
        keeps_order: &["lamport-clock"],
        messages_per_entry: "2(N-1)",
        ..FAMILY
    };

    fn new(setting: &Setting, _: NodeId) -> Self {
        Self { membership: Membership::new(first(), setting.version.removes()), ..Self::default() }
    }

    /// Returns the state after a crash. Returns `None` if the process takes no further part, because its variant
    /// provides no way to learn the highest number.
    fn begin_incarnation(setting: &Setting, _: NodeId, incarnation: u32) -> Option<Self> {
        let membership = Membership::new(incarnation, setting.version.removes());
        membership.is_kept().then(|| Self { membership, ..Self::default() })
    }

    /// Returns whether the numbers of requests have one order for all processes, and a request keeps its number. In the
    /// variants with removal, a process that joins gives the request of its client a new number.
    fn has_timestamps(setting: &Setting) -> bool {
        setting.numbering.orders_requests() && !setting.version.removes()
    }

    /// Returns the logical clock with the numbering `LamportClock`, in which every message carries and advances the
    /// clock. Returns none with all other numberings. For example, only REQUESTs carry the paper's sequence numbers,
    /// and each lock has its own sequence numbers.
    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        (setting.numbering == Numbering::LamportClock).then_some(&mut self.clock)
    }

    /// Returns whether numbers are compared only by their order. If suspected processes are removed, this is false: a
    /// REPLY then names a number that must equal the number of the request.
    fn compares_times(setting: &Setting) -> bool {
        setting.numbering.grows() && !setting.version.removes()
    }

    fn times(&mut self, _: NodeId) -> Vec<&mut dyn Timed> {
        [&mut self.clock as &mut dyn Timed, &mut self.section].into()
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        View::timed(self.clock, self.section.time())
            .queued(self.deferred.iter().copied())
            .waiting_for(self.awaited.union(self.membership.joining()))
            .with("Requesting_Critical_Section", Value::Flag(!self.section.is_idle()))
            .with("Outstanding_Reply_Count", Value::number(count(self.awaited.len()).into()))
            .with("Reply_Deferred", Value::nodes(&self.deferred))
            .with("removed", Value::some_nodes(self.membership.removed()))
    }
}
