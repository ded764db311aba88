//! Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), section "Ordering
//! the Events Totally".
//!
//! Every process keeps a copy of one queue of requests, ordered by logical time. It enters the critical section
//! when its own request is the first in its copy and no older request can arrive.

mod entry;
mod removal;

pub use self::entry::{Acknowledgement, Reason, Release, Setting};
use super::prelude::*;
use super::removal::Membership;

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lamport {
    clock: Clock,
    section: Section,
    /// The request queue.
    queue: FlatSet<Timestamp>,
    /// Processes that may still send an older request.
    awaited: FlatSet<NodeId>,
    /// Processes to which this process sends an ACK when it leaves the critical section.
    postponed: FlatSet<NodeId>,
    membership: Membership,
}

messages! {
    /// The messages of the paper, each with its send time, and two more, with which a process rejoins after a crash.
    #[derive(Copy)]
    pub enum LamportMessage {
        "REQUEST" Request { clock: u64, process: NodeId }:
            "\"`process` requests the resource\": `clock` and `process` are its place in the queue.",
        "ACK" Ack { clock: u64 }: "A request has been put into the queue.",
        "RELEASE" Release {
            clock: u64,
            process: NodeId,
            /// Clock of the finished request, in the stricter reading of rule 4.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "\"`process` releases the resource.\"",
        "JOIN" Join { life: u32 }: "Joins again after a crash: the requests of an earlier incarnation are finished.",
        "WELCOME" Welcome {
            clock: u64,
            to_life: u32,
            /// Clock of the sender's own request, if the sender waits or is in the critical section.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "Answers a JOIN: later requests of the sender are later than `clock`.",
    }
}

/// Rule 1: to request the resource, a process sends REQUEST to all others and puts its request into its queue.
impl Lamport {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = self.next_time(turn);
        self.section.request(asked, ours, turn);
        if self.membership.is_joining() {
            turn.because(Reason::JoinsFirst);
        } else {
            self.ask(ours, turn);
        }
    }

    fn next_time(&mut self, turn: &Turn<Self>) -> Timestamp {
        Timestamp { clock: self.clock.tick(), process: turn.me }
    }

    fn ask(&mut self, ours: Timestamp, turn: &mut Turn<Self>) {
        self.queue.insert(ours);
        // All messages received so far are earlier than this request, because the clock has just moved past them.
        if turn.setting.acknowledgement != Acknowledgement::Missing {
            self.awaited = turn.others().filter(|node| !self.membership.removed().contains(node)).collect();
        }
        turn.multicast(LamportMessage::Request { clock: ours.clock, process: turn.me });
        self.enter_if_first(turn);
    }
}

/// Rule 2: a process that receives REQUEST puts it into its queue and sends ACK.
impl Lamport {
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
                turn.send(theirs.process, LamportMessage::Ack { clock: self.clock.tick() });
            }
        }
    }

    /// Puts a request into the queue and removes any older request of the same process. So the queue holds at most
    /// one request for each process, and forged requests cannot fill it.
    fn enqueue(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        if self.queue.iter().any(|queued| queued.process == theirs.process && *queued > theirs) {
            return turn.because(Reason::OutdatedRequest { theirs });
        }
        self.queue.retain(|queued| queued.process != theirs.process);
        self.queue.insert(theirs);
    }
}

/// Rule 3: to release the resource, a process removes its request from its queue and sends RELEASE to all others. Rule 4:
/// a process that receives RELEASE removes the requests of its sender from its queue.
impl Lamport {
    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.queue.remove(&ours);
        if !turn.is_alone() {
            let request = (turn.setting.release == Release::OfRequest).then_some(ours.clock);
            turn.multicast(LamportMessage::Release { clock: self.clock.tick(), process: turn.me, request });
        }
        for node in core::mem::take(&mut self.postponed) {
            turn.send(node, LamportMessage::Ack { clock: self.clock.tick() });
        }
    }

    fn released(&mut self, from: NodeId, request: Option<u64>, turn: &mut Turn<Self>) {
        let before = self.queue.len();
        self.queue.retain(|queued| queued.process != from || request.is_some_and(|clock| queued.clock != clock));
        if self.queue.len() == before {
            turn.because(Reason::NothingToRelease { from });
        }
    }
}

/// Rule 5: a process enters when two conditions hold. (i) Its own request is the first in its queue. (ii) It has
/// received from every other process a message that is later than its own request.
impl Lamport {
    fn enter_if_first(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.wanting().filter(|_| !self.membership.is_joining()) else { return };
        if let Some(theirs) = self.queued().next().filter(|&first| first < ours) {
            return turn.because(Reason::OlderFirst { theirs, ours });
        }
        if !self.awaited.is_empty() {
            return turn.because(Reason::NotHeardFromAll { ours, missing: count(self.awaited.len()) });
        }
        let reason = match turn.setting.acknowledgement {
            Acknowledgement::Explicit | Acknowledgement::Postponed => Reason::EveryoneAcknowledged { ours },
            Acknowledgement::Missing => Reason::FirstHere { ours },
            _ => Reason::EveryoneLater { ours },
        };
        self.section.enter(reason, turn);
    }

    /// Returns the queue without the requests of suspected processes.
    fn queued(&self) -> impl Iterator<Item = Timestamp> + use<'_> {
        self.queue.iter().copied().filter(|queued| !self.membership.removed().contains(&queued.process))
    }

    /// Applies condition (ii): after a message with time `sent`, `from` sends no request that is older than the
    /// message.
    fn heard(&mut self, from: NodeId, sent: u64, is_ack: bool, turn: &mut Turn<Self>) {
        // An ACK of this request has a later time than the request. An ACK with an earlier time is a late duplicate.
        let later = self.section.wanting().is_some_and(|ours| ours < Timestamp { clock: sent, process: from });
        let must_be_ack =
            matches!(turn.setting.acknowledgement, Acknowledgement::Explicit | Acknowledgement::Postponed);
        let counts = later && (is_ack || !must_be_ack) && self.awaited.remove(&from);
        if must_be_ack && is_ack && !counts {
            turn.because(Reason::UnexpectedAck { from });
        }
        self.enter_if_first(turn);
    }
}

impl Lamport {
    fn receive(&mut self, from: NodeId, message: LamportMessage, turn: &mut Turn<Self>) {
        if let Some(reason) = self.objection(from, message) {
            return turn.because(reason);
        }
        match message {
            LamportMessage::Request { clock, process } => {
                self.observe(clock, turn);
                self.asked(Timestamp { clock, process }, turn);
                self.heard(from, clock, false, turn);
            }
            LamportMessage::Ack { clock } => {
                self.observe(clock, turn);
                self.heard(from, clock, true, turn);
            }
            LamportMessage::Release { clock, request, .. } => {
                self.observe(clock, turn);
                self.released(from, request, turn);
                self.heard(from, clock, false, turn);
            }
            LamportMessage::Join { life } => self.joined(from, life, turn),
            LamportMessage::Welcome { clock, request, .. } => self.welcomed(from, clock, request, turn),
        }
    }
}
