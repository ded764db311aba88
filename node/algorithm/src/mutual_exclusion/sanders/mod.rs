//! Sanders 1987, "The Information Structure of Distributed Mutual Exclusion Algorithms", ACM TOCS 5(3).
//!
//! A general algorithm, of which other algorithms are special cases. A process that wants the critical section sends
//! REQUEST to its request set R, and enters when all members have granted the request. When the process leaves, it
//! informs its inform set I. A recipient of requests grants the oldest request. If the grant's holder will inform
//! the recipient, the recipient grants no other request before it is informed (`status.rs`). If an older request
//! arrives, the recipient asks for its permission back (INQUIRE). If the holder has failed to get another permission
//! (FAIL), it then returns the permission (YIELD). A process asks and informs itself as well, without messages.

mod entry;
mod removal;
mod status;

pub use self::entry::{Check, Preset, Reason, Repaired, Setting};
use self::removal::Removal;
use self::status::Status;
use super::prelude::*;
use super::votes::{Inquiry, Votes};

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sanders {
    clock: Clock,
    section: Section,
    grants: Votes,
    status: Status,
    removal: Option<Box<Removal>>,
}

messages! {
    /// The messages of the paper. Each message names a request by its timestamp. REQUEST, YIELD and RELEASE name the
    /// request of their sender. An answer names the request of its recipient. A REQUEST carries no clock, since its
    /// timestamp is current. All other messages carry the sender's clock as well. Otherwise the clock of a process
    /// that receives few requests would fall behind, and its requests would count as older than they are.
    #[derive(Copy)]
    pub enum SandersMessage {
        "REQUEST" Request { timestamp: u64 }: "Asks a member of the request set for permission.",
        "GRANT" Grant { timestamp: u64, clock: u64 }: "Gives permission.",
        "RELEASE" Release { timestamp: u64, clock: u64 }: "The sender has left: informs a member of the inform set.",
        "INQUIRE" Inquire { timestamp: u64, clock: u64 }: "Asks for the permission back, if the process cannot use it.",
        "FAIL" Fail { timestamp: u64, clock: u64 }: "An older request is known.",
        "YIELD" Yield { timestamp: u64, clock: u64 }: "Gives the permission back: others are missing.",
    }
}

impl Sanders {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        if self.is_out() {
            return turn.because(Reason::StaysOut);
        }
        self.tell(REQUEST_SET, SandersMessage::Request { timestamp: ours.clock }, turn);
        self.enter_if_granted(turn);
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.grants = Votes::default();
        self.tell(INFORM_SET, SandersMessage::Release { timestamp: ours.clock, clock: self.clock.now() }, turn);
    }

    fn receive(&mut self, from: NodeId, message: SandersMessage, turn: &mut Turn<Self>) {
        use SandersMessage::{Fail, Grant, Inquire, Release, Request, Yield};
        if let Some(reason) = self.objection(from) {
            return turn.because(reason);
        }
        let (Request { timestamp: timestamp @ clock }
        | Grant { timestamp, clock }
        | Fail { timestamp, clock }
        | Inquire { timestamp, clock }
        | Yield { timestamp, clock }
        | Release { timestamp, clock }) = message;
        if from != turn.me {
            self.clock.observe(clock);
        }
        let theirs = Timestamp { clock: timestamp, process: from };
        match message {
            Request { .. } => {
                self.ask_back(from, turn);
                self.asked(theirs, turn);
            }
            Yield { .. } => self.given_back(theirs, true, turn),
            Release { .. } => self.given_back(theirs, false, turn),
            Grant { .. } => self.answered(theirs, Votes::vote, turn),
            Fail { .. } => self.answered(theirs, Votes::refuse, turn),
            Inquire { .. } => self.answered(theirs, Votes::ask_back, turn),
        }
    }

    /// Handles the answer of a member of the request set, if it is about the current request.
    fn answered(&mut self, about: Timestamp, note: fn(&mut Votes, NodeId), turn: &mut Turn<Self>) {
        let Timestamp { clock: timestamp, process: from } = about;
        if self.request_set(turn.setting, turn.me).binary_search(&from).is_err() {
            return turn.because(Reason::NotInRequestSet { from });
        }
        match self.section {
            Section::Wanting(_, ours) if ours.clock == timestamp => note(&mut self.grants, from),
            Section::Inside(_, ours) if ours.clock == timestamp => return turn.because(Reason::KeptInSection { from }),
            _ => return turn.because(Reason::Outdated { from, timestamp }),
        }
        self.enter_if_granted(turn);
        if self.section.is_wanting() {
            self.answer_inquiries(timestamp, turn);
        }
    }

    /// Sends a message to one of this process's sets. The message to this process itself is sent last.
    fn tell(&self, set: u32, message: SandersMessage, turn: &mut Turn<Self>) {
        if let Some(living) = self.living(set, turn.setting, turn.me) {
            for node in living {
                turn.send(node, message);
            }
        } else if Self::members(turn.setting, turn.me, set).len() == turn.setting.nodes as usize {
            turn.multicast(message);
        } else {
            return turn.tell(set, message);
        }
        turn.send(turn.me, message);
    }

    fn enter_if_granted(&mut self, turn: &mut Turn<Self>) {
        if self.grants.are_complete(self.request_set(turn.setting, turn.me)) {
            self.section.enter(Reason::AllGranted, turn);
        }
    }

    fn answer_inquiries(&mut self, timestamp: u64, turn: &mut Turn<Self>) {
        for (from, inquiry) in self.grants.answer_inquiries() {
            turn.because(match inquiry {
                Inquiry::BeforeVote => Reason::InquiredBeforeGrant { from },
                Inquiry::Undecided => Reason::KeptUndecided { from },
                Inquiry::GivenBack => Reason::YieldedAsFailed { to: from },
            });
            if inquiry == Inquiry::GivenBack {
                turn.send(from, SandersMessage::Yield { timestamp, clock: self.clock.now() });
            }
        }
    }
}

/// The set number by which messages are sent to the request set.
const REQUEST_SET: u32 = 0;
/// The set number by which messages are sent to the inform set.
const INFORM_SET: u32 = 1;
