//! Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), section "Ordering the
//! Events Totally".
//!
//! Every process keeps a copy of one queue of requests, ordered by logical time. It enters when its own request is the
//! first in its copy and nothing older can come any more. Rules 1 to 5 of the paper are marked in the code.

mod entry;

pub use self::entry::{Acknowledgement, Release, Setting};
use super::section::{Asked, Section, steps};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lamport {
    clock: Clock,
    section: Section,
    queue: BTreeSet<Timestamp>,
    /// From whom the word is missing that no older request will come.
    awaited: BTreeSet<NodeId>,
    /// Who gets an ACK when this process leaves the section.
    postponed: BTreeSet<NodeId>,
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
    }
}

impl Lamport {
    /// Rule 1.
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        self.queue.insert(ours);
        // All that has been heard so far is earlier: the clock has just moved past it.
        if turn.setting.acknowledgement != Acknowledgement::Missing {
            self.awaited = turn.others().collect();
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

    /// Rule 5.
    fn enter_if_first(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.wanting() else { return };
        if let Some(&theirs) = self.queue.first().filter(|&&first| first < ours) {
            return turn.because(Reason::OlderFirst { theirs, ours });
        }
        if !self.awaited.is_empty() {
            return turn.because(Reason::NotHeardFromAll { ours, missing: count(self.awaited.len()) });
        }
        let reason = match turn.setting.acknowledgement {
            Acknowledgement::AnyLaterMessage | Acknowledgement::MissingButAwaited => Reason::EveryoneLater { ours },
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
            Acknowledgement::AnyLaterMessage | Acknowledgement::MissingButAwaited if later => {
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
        let (sent, speaker) = match message {
            LamportMessage::Request { clock, process } | LamportMessage::Release { clock, process, .. } => {
                (clock, process)
            }
            LamportMessage::Ack { clock } => (clock, from),
        };
        if speaker != from {
            return turn.because(Reason::NotItsSender { from, process: speaker });
        }
        self.clock.observe(sent);
        match message {
            LamportMessage::Request { clock, process } => self.asked(Timestamp { clock, process }, turn),
            LamportMessage::Release { request, .. } => self.released(from, request, turn),
            LamportMessage::Ack { .. } => {}
        }
        self.heard(from, sent, matches!(message, LamportMessage::Ack { .. }), turn);
        self.enter_if_first(turn);
    }

    /// Who must speak before this process can enter: those not heard from, and those whose older request is queued.
    fn waits_for(&self) -> BTreeSet<NodeId> {
        let Some(ours) = self.section.wanting() else { return BTreeSet::new() };
        let older = self.queue.range(..ours).map(|queued| queued.process);
        self.awaited.iter().copied().chain(older).collect()
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        Acknowledged { theirs: Timestamp }: "Acknowledged: the request is in the queue here.",
        PostponedInSection { theirs: Timestamp }: "Postponed the acknowledgement: this process is in the section.",
        EveryoneLater { ours: Timestamp }:
            "Entered: one's own request is the first, and from everybody came a message that is later.",
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
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the message speaks of another process than its sender.",
    }
}

impl Algorithm for Lamport {
    // Nothing is stored: after a crash a process knows no more than at the start.
    steps!(LamportMessage: acquire, release, receive);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (acknowledgement, release) = (configuration.variant()?, configuration.choice("release")?);
        Ok(Setting { nodes: configuration.nodes, acknowledgement, release })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
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
        let (LamportMessage::Request { clock, .. }
        | LamportMessage::Ack { clock }
        | LamportMessage::Release { clock, .. }) = message;
        show(CLOCK, clock);
        if let LamportMessage::Release { request: Some(request), .. } = message {
            show(CLOCK, request);
        }
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let mut variables = BTreeMap::from([("not_heard_from".into(), Value::nodes(&self.awaited))]);
        if setting.acknowledgement == Acknowledgement::Postponed {
            variables.insert("postponed".into(), Value::nodes(&self.postponed));
        }
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.queue.iter().copied().map(Queued::from).collect(),
            waits_for: self.waits_for().into_iter().collect(),
            variables,
            ..View::default()
        }
    }
}
