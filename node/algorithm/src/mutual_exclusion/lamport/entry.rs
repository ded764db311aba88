//! Catalogue entry, configuration and displayed variables of Lamport's algorithm.

use super::{Lamport, LamportMessage};
use crate::flat::{FlatMap, FlatSet};
use crate::mutual_exclusion::FAMILY;
use crate::mutual_exclusion::removal::{self, Membership, Removes, first};
use crate::mutual_exclusion::section::{Asked, steps};
use crate::prelude::*;

choices! {
    /// How a process learns that no older request can arrive: rules 2 and 5(ii), and the possible readings of them.
    pub enum Acknowledgement {
        AnyLaterMessage = "any-later-message":
            "a message of any kind from everybody, later than one's own request, is enough: the paper",
        Explicit = "explicit-ack": "everybody must have acknowledged this very request",
        Postponed = "postponed-ack": "as explicit-ack; who is in the section acknowledges when leaving. \
            With release = request, all but the order holds without FIFO",
        RemoveDead = "remove-dead":
            "as any-later-message; who is suspected is not waited for and its request counts for nothing, and who is back \
            after a crash joins again: it learns from the others how late it is and what they ask for before it asks",
        AsksAtOnce = "asks-at-once": "as remove-dead, but who is back after a crash asks at once, with what it knows: nothing";
            broken: "two can be in the section: in its empty queue its own request is the first",
        Missing = "no-ack": "nobody acknowledges; whose request is the first in the own queue enters at once";
            broken: "two can be in the section: an older request may still be on its way",
        MissingButAwaited = "no-ack-waiting": "nobody acknowledges; a message of any kind from everybody, \
            later than one's own request, is waited for all the same";
            broken: "stuck: who does not want the section has nothing to say",
    }
}

choices! {
    /// Requests that a RELEASE removes from the queue: rule 4, and a stricter reading of it.
    pub enum Release {
        OfSender = "sender":
            "every request of its sender: the paper. Where messages overtake, that can be a request made after the release",
        OfRequest = "request": "the one request that it names",
    }
}

impl Acknowledgement {
    /// Returns whether suspected processes are removed.
    const fn removes(self) -> bool {
        matches!(self, Self::RemoveDead | Self::AsksAtOnce)
    }
}

/// The configuration of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub(super) nodes: u32,
    pub(super) acknowledgement: Acknowledgement,
    pub(super) release: Release,
}

reasons! {
    /// The reasons for the decisions of a process.
    pub enum Reason {
        Acknowledged { theirs: Timestamp }: "Acknowledged: the request is in the queue here.",
        PostponedInSection { theirs: Timestamp }: "Postponed the acknowledgement: this process is in the section.",
        EveryoneLater { ours: Timestamp }:
            "Entered: one's own request is the first, and from everybody who is not dead came a message that is later.",
        EveryoneAcknowledged { ours: Timestamp }:
            "Entered: one's own request is the first, and everybody has acknowledged it.",
        FirstHere { ours: Timestamp }: "Entered: one's own request is the first here, whatever others may know.",
        OlderFirst { theirs: Timestamp, ours: Timestamp }: "Waits on: an older request is first.",
        NotHeardFromAll { ours: Timestamp, missing: u32 }:
            "Waits on: one's own request is the first, but so many may still send an older one.",
        OutdatedRequest { theirs: Timestamp }:
            "Not queued: a newer request from there has been heard of, so this one is done with.",
        NothingToRelease { from: NodeId }:
            "Nothing to remove: no request of the releasing process is in the queue, or not the one that it names.",
        UnexpectedAck { from: NodeId }:
            "Ignored: no acknowledgement from there was missing (a duplicate, or of an earlier request).",
        Removed { node: NodeId }: "Waits for nothing from there: the process is dead, or in another life.",
        Joins: "Takes part again after a crash, and asks the others for their clocks and requests first.",
        JoinsFirst: "Asks later: not all have said yet how late it is and what they ask for.",
        Welcomed { node: NodeId }: "Told how late it is and what is asked for here: a process is back after a crash.",
        NobodyJoins { from: NodeId }: "Ignored: in this variant nobody takes part again.",
        UnexpectedWelcome { from: NodeId }: "Ignored: no answer from there was missing.",
        ToAnotherLife { from: NodeId }: "Ignored: it was said to another life of this process.",
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the message speaks of another process than its sender.",
    }
}

impl Algorithm for Lamport {
    // Nothing is stored: after a crash a process knows only what it knew at the start.
    steps!(LamportMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "lamport",
        title: "Lamport",
        source: Source {
            authors: "Leslie Lamport",
            title: "Time, Clocks, and the Ordering of Events in a Distributed System",
            year: 1978,
        },
        summary: "Everybody keeps a copy of one queue of requests; enter when your own is the first and nothing older can come.",
        variants: Acknowledgement::VARIANTS,
        // A duplicate that follows its original changes nothing, and on a FIFO link every duplicate does.
        assumes: Assumptions { fifo: true, no_duplication: false, ..FAMILY.assumes },
        message_kinds: LamportMessage::KINDS,
        repair_kinds: &["JOIN", "WELCOME"],
        // A process that joins sends its client's request only after it has joined.
        keeps_order: &["any-later-message", "explicit-ack", "postponed-ack"],
        parameters: &[Parameter::choice::<Release>(
            "release",
            "what a RELEASE removes: every request of its sender (the paper), or the one that it names",
        )],
        messages_per_entry: "3(N-1)",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (acknowledgement, release) = (configuration.variant()?, configuration.choice("release")?);
        Ok(Setting { nodes: configuration.nodes, acknowledgement, release })
    }

    fn assumptions(variant: &str) -> Assumptions {
        removal::assumptions(variant, Self::ENTRY.assumes)
    }

    fn new(setting: &Setting, _: NodeId) -> Self {
        Self { membership: Membership::new(first(), setting.acknowledgement.removes()), ..Self::default() }
    }

    /// Returns the state after a crash. If a process cannot learn the requests of the others, it takes no further
    /// part.
    fn begin_incarnation(setting: &Setting, _: NodeId, incarnation: u32) -> Option<Self> {
        let membership = Membership::new(incarnation, setting.acknowledgement.removes());
        membership.is_kept().then(|| Self { membership, ..Self::default() })
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn compares_times(_: &Setting) -> bool {
        true
    }

    fn times(&mut self, _: NodeId) -> Vec<&mut dyn Timed> {
        [&mut self.clock as &mut dyn Timed, &mut self.section, &mut self.queue].into()
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let mut variables = FlatMap::from([("not_heard_from".into(), Value::nodes(&self.awaited))]);
        if setting.acknowledgement == Acknowledgement::Postponed {
            variables.insert("postponed".into(), Value::nodes(&self.postponed));
        }
        self.membership.show(&mut variables);
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.queued().map(Queued::from).collect(),
            waits_for: self.waits_for().into_iter().collect(),
            variables,
            ..View::default()
        }
    }
}

impl Lamport {
    /// Returns the processes from which this one needs a message before it can enter. They may still send an older
    /// request, or their older request is queued.
    fn waits_for(&self) -> FlatSet<NodeId> {
        let Some(ours) = self.section.wanting() else { return self.membership.joining().clone() };
        let older = self.queued().take_while(|&queued| queued < ours).map(|queued| queued.process);
        self.awaited.union(self.membership.joining()).into_iter().chain(older).collect()
    }
}
