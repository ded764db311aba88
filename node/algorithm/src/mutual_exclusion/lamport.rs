//! Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), section "Ordering the
//! Events Totally".
//!
//! Every process keeps a copy of one queue of requests, ordered by logical time. It enters when its own request is the
//! first in its copy and nothing older can come any more. Rules 1 to 5 of the paper are marked in the code.

mod entry;
mod removal;

pub use self::entry::{Acknowledgement, Release, Setting};
use super::membership::Membership;
use super::section::{Asked, Section, steps};
use crate::flat::{FlatMap, FlatSet};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lamport {
    clock: Clock,
    section: Section,
    queue: FlatSet<Timestamp>,
    /// From whom the word is missing that no older request will come.
    awaited: FlatSet<NodeId>,
    /// Who gets an ACK when this process leaves the section.
    postponed: FlatSet<NodeId>,
    membership: Membership,
}

messages! {
    /// The messages of the paper. Each carries the time at which it was sent.
    #[derive(Copy)]
    pub enum LamportMessage {
        "REQUEST" Request { clock: u64, process: NodeId }:
            "\"`process` requests the resource\": `clock` and `process` are its place in the queue.",
        "ACK" Ack { clock: u64 }: "A request has been put into the queue.",
        "RELEASE" Release {
            clock: u64,
            process: NodeId,
            /// The clock of the request that is done with, where releases name it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "\"`process` releases the resource.\"",
        "JOIN" Join {
            /// Which life of the sender takes part again.
            life: u32,
        }: "Takes part again after a crash: what an earlier life has asked for is done with.",
        "WELCOME" Welcome {
            clock: u64,
            /// Which life of the receiver joins.
            to_life: u32,
            /// The clock of the sender's own request, if it waits or is inside.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "Answers a JOIN: what the sender asks for later is later than `clock`.",
    }
}

impl Lamport {
    /// Rule 1.
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        if self.membership.is_joining() {
            turn.because(Reason::JoinsFirst);
        } else {
            self.ask(ours, turn);
        }
    }

    fn ask(&mut self, ours: Timestamp, turn: &mut Turn<Self>) {
        self.queue.insert(ours);
        // All that has been heard so far is earlier: the clock has just moved past it.
        if turn.setting.acknowledgement != Acknowledgement::Missing {
            self.awaited = turn.others().filter(|node| !self.membership.is_removed(*node)).collect();
        }
        turn.multicast(LamportMessage::Request { clock: ours.clock, process: turn.me });
        self.enter_if_first(turn);
    }

    /// Rule 2.
    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        self.enqueue(theirs, turn);
        match turn.setting.acknowledgement {
            Acknowledgement::Missing | Acknowledgement::MissingButAwaited => {}
            Acknowledgement::Postponed if self.section.is_inside() => {
                self.postponed.insert(theirs.process);
                turn.because(Reason::PostponedInSection { theirs });
            }
            _ => {
                turn.because(Reason::Acknowledged { theirs });
                self.acknowledge(theirs.process, turn);
            }
        }
    }

    /// Who asks again has left: of each process only the newest request can still be open, so nobody fills the queue.
    fn enqueue(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        if self.queue.iter().any(|queued| queued.process == theirs.process && *queued > theirs) {
            return turn.because(Reason::OutdatedRequest { theirs });
        }
        self.queue.retain(|queued| queued.process != theirs.process);
        self.queue.insert(theirs);
    }

    fn acknowledge(&mut self, to: NodeId, turn: &mut Turn<Self>) {
        turn.send(to, LamportMessage::Ack { clock: self.clock.tick() });
    }

    /// Rule 3.
    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.queue.remove(&ours);
        if !turn.is_alone() {
            let request = (turn.setting.release == Release::OfRequest).then_some(ours.clock);
            turn.multicast(LamportMessage::Release { clock: self.clock.tick(), process: turn.me, request });
        }
        for node in core::mem::take(&mut self.postponed) {
            self.acknowledge(node, turn);
        }
    }

    /// Rule 4. What the message names counts, so that processes with different settings would still understand it.
    fn released(&mut self, from: NodeId, request: Option<u64>, turn: &mut Turn<Self>) {
        let before = self.queue.len();
        self.queue.retain(|queued| queued.process != from || request.is_some_and(|clock| queued.clock != clock));
        if self.queue.len() == before {
            turn.because(Reason::NothingToRelease { from });
        }
    }

    /// The queue without the requests of those who are taken for dead.
    fn queued(&self) -> impl Iterator<Item = Timestamp> + use<'_> {
        self.queue.iter().copied().filter(|queued| !self.membership.is_removed(queued.process))
    }

    /// Rule 5.
    fn enter_if_first(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.wanting().filter(|_| !self.membership.is_joining()) else { return };
        if let Some(theirs) = self.queued().next().filter(|&first| first < ours) {
            return turn.because(Reason::OlderFirst { theirs, ours });
        }
        if !self.awaited.is_empty() {
            return turn.because(Reason::NotHeardFromAll { ours, missing: count(self.awaited.len()) });
        }
        let reason = match turn.setting.acknowledgement {
            Acknowledgement::AnyLaterMessage
            | Acknowledgement::RemoveDead
            | Acknowledgement::AsksAtOnce
            | Acknowledgement::MissingButAwaited => Reason::EveryoneLater { ours },
            Acknowledgement::Explicit | Acknowledgement::Postponed => Reason::EveryoneAcknowledged { ours },
            Acknowledgement::Missing => Reason::FirstHere { ours },
        };
        self.section.enter(reason, turn);
    }

    /// Condition (ii) of rule 5: notes that `from` will send nothing older, if the message says so.
    fn heard(&mut self, from: NodeId, sent: u64, is_ack: bool, turn: &mut Turn<Self>) {
        // An ACK of this request is always later than it; an earlier one is a late copy.
        let later = self.section.wanting().is_some_and(|ours| ours < Timestamp { clock: sent, process: from });
        match turn.setting.acknowledgement {
            Acknowledgement::AnyLaterMessage
            | Acknowledgement::RemoveDead
            | Acknowledgement::AsksAtOnce
            | Acknowledgement::MissingButAwaited
                if later =>
            {
                self.awaited.remove(&from);
            }
            Acknowledgement::Explicit | Acknowledgement::Postponed
                if is_ack && !(later && self.awaited.remove(&from)) =>
            {
                turn.because(Reason::UnexpectedAck { from });
            }
            _ => {}
        }
    }

    fn receive(&mut self, from: NodeId, message: LamportMessage, turn: &mut Turn<Self>) {
        match message {
            LamportMessage::Request { process, .. } | LamportMessage::Release { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            LamportMessage::Request { clock, process } => {
                self.clock.observe(clock);
                self.asked(Timestamp { clock, process }, turn);
                self.go_on(from, clock, false, turn);
            }
            LamportMessage::Release { clock, request, .. } => {
                self.clock.observe(clock);
                self.released(from, request, turn);
                self.go_on(from, clock, false, turn);
            }
            LamportMessage::Ack { clock } => {
                self.clock.observe(clock);
                self.go_on(from, clock, true, turn);
            }
            LamportMessage::Join { life } => self.joined(from, life, turn),
            LamportMessage::Welcome { clock, to_life, request } => {
                self.welcomed(from, to_life, clock, request, turn);
            }
        }
    }

    fn go_on(&mut self, from: NodeId, sent: u64, is_ack: bool, turn: &mut Turn<Self>) {
        self.heard(from, sent, is_ack, turn);
        self.enter_if_first(turn);
    }

    /// Who must speak before this process can enter: those not heard from, and those whose older request is queued.
    fn waits_for(&self) -> FlatSet<NodeId> {
        let Some(ours) = self.section.wanting() else { return self.membership.joining().clone() };
        let older = self.queued().take_while(|&queued| queued < ours).map(|queued| queued.process);
        self.awaited.union(self.membership.joining()).into_iter().chain(older).collect()
    }
}

reasons! {
    /// Why a process did what it did.
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
    // Nothing is stored: after a crash a process knows no more than at the start, until it is told.
    steps!(LamportMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (acknowledgement, release) = (configuration.variant()?, configuration.choice("release")?);
        Ok(Setting { nodes: configuration.nodes, acknowledgement, release })
    }

    fn assumptions(variant: &str) -> Assumptions {
        Setting::assumptions(variant)
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
    }

    /// Without a way to learn what others ask for, it takes no part.
    fn begin_incarnation(setting: &Setting, _: NodeId, incarnation: u32) -> Option<Self> {
        let membership = Membership::reborn(incarnation);
        setting.acknowledgement.removes_dead().then(|| Self { membership, ..Self::default() })
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn growing(&mut self, _: &Setting, _: NodeId, show: &mut Show<'_>) {
        show(CLOCK, self.clock.now_mut());
        self.section.time_mut().into_iter().for_each(|time| show(CLOCK, time));
        show_times(&mut self.queue, show);
    }

    fn growing_in(message: &mut LamportMessage, _: &Setting, show: &mut Show<'_>) {
        let (clock, request) = match message {
            LamportMessage::Request { clock, .. } | LamportMessage::Ack { clock } => (clock, None),
            LamportMessage::Release { clock, request, .. } | LamportMessage::Welcome { clock, request, .. } => {
                (clock, request.as_mut())
            }
            LamportMessage::Join { .. } => return,
        };
        show(CLOCK, clock);
        if let Some(request) = request {
            show(CLOCK, request);
        }
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let mut variables = FlatMap::from([("not_heard_from".into(), Value::nodes(&self.awaited))]);
        if setting.acknowledgement == Acknowledgement::Postponed {
            variables.insert("postponed".into(), Value::nodes(&self.postponed));
        }
        if !self.membership.removed().is_empty() {
            variables.insert("removed".into(), Value::nodes(self.membership.removed()));
        }
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
