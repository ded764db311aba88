//! Catalogue entry, configuration and displayed variables of Lamport's algorithm.

use super::{Lamport, LamportMessage};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::removal::{self, Membership, Removes};

choices! {
    /// The rule by which a process concludes that no older request can arrive: rules 2 and 5(ii), and their possible
    /// readings.
    pub enum Acknowledgement {
        AnyLaterMessage = "any-later-message":
            "one message of any kind from each other process, later than its own request, is enough: the paper",
        Explicit = "explicit-ack": "each other process must have acknowledged this very request",
        Postponed = "postponed-ack":
            "as explicit-ack; a process in the critical section acknowledges when it leaves. With release = request, \
            all but the order holds without FIFO",
        RemoveDead = "remove-dead":
            "as any-later-message; a suspected process is not waited for and its request does not count, and a process \
            that is back after a crash joins again: it first learns the clocks and requests of the others",
        AsksAtOnce = "asks-at-once":
            "as remove-dead, but a process that is back after a crash asks at once, without knowing anything";
            broken: "mutual exclusion can be violated: in its empty queue its own request is the first",
        Missing = "no-ack":
            "no process acknowledges; a process whose request is the first in its own queue enters at once";
            broken: "mutual exclusion can be violated: an older request may still be in transit",
        MissingButAwaited = "no-ack-waiting":
            "no process acknowledges, yet each waits for one message of any kind from each other process, later than \
            its own request";
            broken: "stuck: a process that does not want the critical section sends nothing",
        NoClockUpdate = "no-clock-update": "as any-later-message, but a received time does not advance the clock";
            broken: "stuck, and the order is not kept: what a process with a slow clock sends is not later than a \
                     request that it has received",
    }
}

choices! {
    /// Requests that a RELEASE removes from the queue: rule 4, and a stricter reading of it.
    pub enum Release {
        OfSender = "sender":
            "every request of its sender: the paper. If messages overtake each other, that can be a request made after \
            the release",
        OfRequest = "request": "the one request that it names",
    }
}

impl Acknowledgement {
    /// Returns whether a received time advances the clock: rule IR2 of the paper.
    pub(super) const fn advances_the_clock(self) -> bool {
        !matches!(self, Self::NoClockUpdate)
    }

    /// Returns whether suspected processes are left out: no process waits for a message from them, and their requests
    /// in the queue do not count.
    const fn removes(self) -> bool {
        matches!(self, Self::RemoveDead | Self::AsksAtOnce)
    }
}

setting! { |configuration|
    pub(super) acknowledgement: Acknowledgement = configuration.variant()?,
    pub(super) release: Release = configuration.choice("release")?,
}

reasons! {
    pub enum Reason {
        Acknowledged { theirs: Timestamp }: "Acknowledged: the request is in the queue here.",
        PostponedInSection { theirs: Timestamp }:
            "Postponed the acknowledgement: this process is in the critical section.",
        EveryoneLater { ours: Timestamp }:
            "Entered: its own request is the first, and each process that has not crashed has sent a later message.",
        EveryoneAcknowledged { ours: Timestamp }:
            "Entered: its own request is the first, and all other processes have acknowledged it.",
        FirstHere { ours: Timestamp }: "Entered: its own request is the first here, whatever other processes may know.",
        OlderFirst { theirs: Timestamp, ours: Timestamp }: "Keeps waiting: an older request is first.",
        NotHeardFromAll { ours: Timestamp, missing: u32 }:
            "Keeps waiting: its own request is the first, but this many processes may still send an older one.",
        OutdatedRequest { theirs: Timestamp }:
            "Not queued: a newer request from there is known, so this one is finished.",
        NothingToRelease { from: NodeId }:
            "Nothing to remove: no request of the releasing process is in the queue, or not the one that it names.",
        UnexpectedAck { from: NodeId }:
            "Ignored: no acknowledgement from there was expected (a duplicate, or of an earlier request).",
        Removed { node: NodeId }:
            "Waits for nothing from there: the process has crashed, or is in another incarnation.",
        Joins: "Joins again after a crash, and first asks the others for their clocks and requests.",
        JoinsFirst: "Asks later: not all processes have reported their clocks and requests yet.",
        Welcomed { node: NodeId }:
            "Reported the clock and the request of this process: another one is back after a crash.",
        NobodyJoins { from: NodeId }: "Ignored: in this variant no process joins again.",
        UnexpectedWelcome { from: NodeId }: "Ignored: no answer from there was expected.",
        ToAnotherLife { from: NodeId }: "Ignored: it was sent to another incarnation of this process.",
        NotItsSender { from: NodeId, process: NodeId }: "Ignored: the message names another process than its sender.",
    }
}

/// The assumptions without the risk of a loss.
const KEPT_IN_ORDER: Assumptions = Assumptions { fifo: true, no_duplication: false, ..FAMILY.assumes };

impl Algorithm for Lamport {
    steps!(LamportMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "lamport",
        title: "Lamport",
        source: Source {
            authors: "Leslie Lamport",
            title: "Time, Clocks, and the Ordering of Events in a Distributed System",
            year: 1978,
        },
        summary: "All processes keep copies of one queue; a process enters when its request is first and no older one \
                  can arrive.",
        variants: Acknowledgement::VARIANTS,
        // Duplicates are tolerated. On a FIFO link, a duplicate always arrives after its original, and then it changes
        // nothing.
        // A process concludes from any later message that no earlier request is missing. If a REQUEST is lost, this
        // conclusion is wrong. With acknowledgements, a lost message only blocks.
        assumes: Assumptions { loss_risk: Risk::Safety, ..KEPT_IN_ORDER },
        variants_assume: &[
            (&["explicit-ack", "postponed-ack"], KEPT_IN_ORDER),
            (&["remove-dead"], Assumptions { no_duplication: false, loss_risk: Risk::Safety, ..removal::ASSUMES }),
        ],
        message_kinds: LamportMessage::KINDS,
        repair_kinds: &["JOIN", "WELCOME"],
        // The variants with removal are not in this list. In them, a process that joins sends its client's request
        // only after it has joined, so a later request may overtake that request.
        keeps_order: &["any-later-message", "explicit-ack", "postponed-ack"],
        parameters: &[Parameter::choice::<Release>(
            "release",
            "what a RELEASE removes: every request of its sender (the paper), or the one that it names",
        )],
        messages_per_entry: "3(N-1)",
        ..FAMILY
    };

    fn new(setting: &Setting, _: NodeId) -> Self {
        Self { membership: Membership::new(first(), setting.acknowledgement.removes()), ..Self::default() }
    }

    /// Returns the state after a crash. Returns `None` if the process takes no further part, because its variant
    /// provides no way to learn the others' requests.
    fn begin_incarnation(setting: &Setting, _: NodeId, incarnation: u32) -> Option<Self> {
        let membership = Membership::new(incarnation, setting.acknowledgement.removes());
        membership.is_kept().then(|| Self { membership, ..Self::default() })
    }

    /// Returns whether a request keeps its timestamp. In the variants with removal, a process that joins gives the
    /// request of its client a new one.
    fn has_timestamps(setting: &Setting) -> bool {
        !setting.acknowledgement.removes()
    }

    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        setting.acknowledgement.advances_the_clock().then_some(&mut self.clock)
    }

    fn compares_times(_: &Setting) -> bool {
        true
    }

    fn times(&mut self, _: NodeId) -> Vec<&mut dyn Timed> {
        [&mut self.clock as &mut dyn Timed, &mut self.section, &mut self.queue].into()
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let postpones = setting.acknowledgement == Acknowledgement::Postponed;
        View::timed(self.clock, self.section.time())
            .queued(self.queued())
            .waiting_for(self.waits_for())
            .with("not_heard_from", Value::nodes(&self.awaited))
            .with("postponed", postpones.then(|| Value::nodes(&self.postponed)))
            .with("removed", Value::some_nodes(self.membership.removed()))
    }
}

impl Lamport {
    /// Advances the clock past a received time (rule IR2).
    pub(super) fn observe(&mut self, sent: u64, turn: &Turn<Self>) {
        if turn.setting.acknowledgement.advances_the_clock() {
            self.clock.observe(sent);
        }
    }

    /// Returns the processes that delay this process's entry. Each may still send an older request, or has an older
    /// request in the queue.
    fn waits_for(&self) -> FlatSet<NodeId> {
        let Some(ours) = self.section.wanting() else { return self.membership.joining().clone() };
        let older = self.queued().take_while(|&queued| queued < ours).map(|queued| queued.process);
        self.awaited.union(self.membership.joining()).into_iter().chain(older).collect()
    }
}
