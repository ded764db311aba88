//! Ricart and Agrawala 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", CACM 24(1).
//!
//! A process that wants the critical section sends REQUEST to all others, and enters when all have sent REPLY. A
//! process that receives a REQUEST replies at once, unless it is in the critical section or its own request comes
//! first. In these cases it defers the REPLY until it leaves the section (section 2.1 of the paper). The three
//! processes of the paper's program follow below.
//!
//! A REPLY need not name the request that it answers. A process that enters has received all replies, so no reply is
//! in transit when it sends its next request.

mod entry;
mod numbering;
mod removal;

use core::cmp::Ordering;

pub use self::entry::{Reason, Setting, Version};
pub use self::numbering::Numbering;
use super::prelude::*;
use super::removal::Membership;

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawala {
    /// `Highest_Sequence_Number`, or the logical clock.
    clock: Clock,
    /// `Requesting_Critical_Section` and `Our_Sequence_Number`.
    section: Section,
    /// Processes whose REPLY has not arrived; the size of this set is `Outstanding_Reply_Count`.
    awaited: FlatSet<NodeId>,
    /// `Reply_Deferred`.
    deferred: FlatSet<NodeId>,
    membership: Membership,
}

messages! {
    /// The messages of the paper, and two with which a process rejoins after a crash.
    #[derive(Copy)]
    pub enum RicartAgrawalaMessage {
        "REQUEST" Request {
            clock: u64,
            process: NodeId,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            life: u32,
        }: "Asks for permission: `clock` is the sequence number, or the time in logical time.",
        "REPLY" Reply {
            /// Clock of the sender, in the variants in which every message carries it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            clock: Option<u64>,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            to_life: u32,
            /// Number of the request, if suspected processes are removed.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "Gives permission.",
        "JOIN" Join { life: u32 }: "Joins again after a crash.",
        "WELCOME" Welcome {
            clock: u64,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            life: u32,
            to_life: u32,
        }: "Answers a JOIN: later requests are later than `clock`.",
    }
}

/// The process that invokes mutual exclusion for this node.
impl RicartAgrawala {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = self.next_number(turn);
        self.section.request(asked, ours, turn);
        if self.membership.is_joining() {
            turn.because(Reason::JoinsFirst);
        } else {
            self.ask(ours, turn);
        }
    }

    fn next_number(&mut self, turn: &Turn<Self>) -> Timestamp {
        Timestamp { clock: turn.setting.numbering.next(&mut self.clock), process: turn.me }
    }

    fn ask(&mut self, ours: Timestamp, turn: &mut Turn<Self>) {
        let Timestamp { clock, process } = ours;
        self.awaited = turn.others().filter(|node| !self.membership.removed().contains(node)).collect();
        turn.multicast(RicartAgrawalaMessage::Request { clock, process, life: self.membership.incarnation() });
        self.enter_if_permitted(turn);
    }

    fn enter_if_permitted(&mut self, turn: &mut Turn<Self>) {
        if self.awaited.is_empty() && !self.membership.is_joining() {
            self.section.enter(Reason::EveryoneReplied, turn);
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(_) = self.section.exit(turn) else { return };
        for node in core::mem::take(&mut self.deferred) {
            self.reply(node, turn);
        }
    }

    fn reply(&mut self, to: NodeId, turn: &mut Turn<Self>) {
        let clock = turn.setting.numbering.stamp(&mut self.clock);
        let (to_life, request) = (self.membership.incarnation_of(to), self.membership.take_request(to));
        turn.send(to, RicartAgrawalaMessage::Reply { clock, to_life, request });
    }
}

/// The process that receives REQUEST messages.
impl RicartAgrawala {
    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let from = theirs.process;
        turn.setting.numbering.hear(&mut self.clock, theirs.clock);
        let (defer, reason) = match self.section {
            Section::Idle => (false, Reason::RepliedIdle { to: from }),
            // This process is joining and has not sent its own request yet. Its request will get a later number than
            // the request that has arrived.
            Section::Wanting(..) if self.membership.is_joining() => (false, Reason::RepliedIdle { to: from }),
            Section::Inside(..) => (true, Reason::DeferredInSection { to: from }),
            Section::Wanting(_, ours) => turn.setting.judge(ours, theirs),
        };
        turn.because(reason);
        if defer {
            self.deferred.insert(from);
        } else {
            self.reply(from, turn);
        }
    }
}

impl Setting {
    /// Returns whether a waiting process defers the REPLY to another's request, and the reason. If the numbers are
    /// equal, the request of the smaller process comes first.
    fn judge(&self, ours: Timestamp, theirs: Timestamp) -> (bool, Reason) {
        match (self.numbering.compare(ours.clock, theirs.clock), self.version) {
            (Ordering::Equal, Version::ReplyAtTie) => (false, Reason::RepliedAtTie { theirs, ours }),
            (Ordering::Equal, Version::DeferAtTie) => (true, Reason::DeferredAtTie { theirs, ours }),
            (order, _) if order.then(ours.process.cmp(&theirs.process)) == Ordering::Less => {
                (true, Reason::DeferredYounger { theirs, ours })
            }
            _ => (false, Reason::RepliedOlder { theirs, ours }),
        }
    }
}

/// The process that receives REPLY messages.
impl RicartAgrawala {
    fn replied(&mut self, from: NodeId, sent: Option<u64>, turn: &mut Turn<Self>) {
        if let Some(sent) = sent {
            turn.setting.numbering.hear(&mut self.clock, sent);
        }
        match (self.section.wanting(), sent) {
            // A clock in a REPLY to this request is later than the request, because the sender of the REPLY has
            // observed the request's time.
            (Some(ours), Some(sent)) if turn.setting.numbering == Numbering::LamportClock && sent <= ours.clock => {
                turn.because(Reason::LateReply { from, sent, ours });
            }
            (Some(_), _) if self.awaited.remove(&from) => self.enter_if_permitted(turn),
            _ => turn.because(Reason::UnexpectedReply { from }),
        }
    }
}

impl RicartAgrawala {
    fn receive(&mut self, from: NodeId, message: RicartAgrawalaMessage, turn: &mut Turn<Self>) {
        if let Some(reason) = self.objection(from, message, turn) {
            return turn.because(reason);
        }
        match message {
            RicartAgrawalaMessage::Request { clock, process, life } => {
                self.note_request(from, life, clock, turn);
                self.asked(Timestamp { clock, process }, turn);
            }
            RicartAgrawalaMessage::Reply { clock, .. } => self.replied(from, turn.setting.numbering.sent(clock), turn),
            RicartAgrawalaMessage::Join { life } => self.joined(from, life, turn),
            RicartAgrawalaMessage::Welcome { clock, life, .. } => self.welcomed(from, life, clock, turn),
        }
    }
}
