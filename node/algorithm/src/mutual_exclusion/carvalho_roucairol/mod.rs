//! Carvalho and Roucairol 1983, "On Mutual Exclusion in Computer Networks", CACM 26(2).
//!
//! Ricart and Agrawala's algorithm with lasting permissions. Each pair of processes shares one permission, which one
//! of the two holds until the other requests it. A process that wants the critical section sends REQUEST only to the
//! processes whose pair permission it lacks.

mod entry;
mod removal;

pub use self::entry::{Care, Reason, Setting};
use super::prelude::*;
use super::removal::Membership;

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CarvalhoRoucairol {
    clock: Clock,
    section: Section,
    /// Processes whose pair permission this process does not have.
    missing: FlatSet<NodeId>,
    /// Processes to which this process sends a REPLY when it leaves the critical section.
    deferred: FlatSet<NodeId>,
    membership: Membership,
}

messages! {
    /// The messages.
    #[derive(Copy)]
    pub enum CarvalhoRoucairolMessage {
        "REQUEST" Request {
            clock: u64,
            process: NodeId,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            life: u32,
        }:
            "Asks for the permission of the pair: `clock` is the logical time of the request, the same if it is sent \
            again.",
        "REPLY" Reply {
            clock: u64,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            to_life: u32,
            /// Clock of the request, if suspected processes are removed.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "Gives the permission of the pair.",
    }
}

/// The requests of this process.
impl CarvalhoRoucairol {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        for &node in self.missing.difference(self.membership.removed()) {
            self.ask(node, ours, turn);
        }
        self.enter_if_permitted(turn);
    }

    fn ask(&self, node: NodeId, ours: Timestamp, turn: &mut Turn<Self>) {
        let Timestamp { clock, process } = ours;
        turn.send(node, CarvalhoRoucairolMessage::Request { clock, process, life: self.membership.incarnation() });
    }

    fn replied(&mut self, from: NodeId, sent: u64, turn: &mut Turn<Self>) {
        self.clock.observe(sent);
        if self.missing.remove(&from) {
            self.enter_if_permitted(turn);
        } else {
            turn.because(Reason::UnexpectedReply { from });
        }
    }

    fn enter_if_permitted(&mut self, turn: &mut Turn<Self>) {
        if self.missing.is_subset(self.membership.removed()) {
            self.section.enter(Reason::AllPermissions, turn);
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(_) = self.section.exit(turn) else { return };
        for node in core::mem::take(&mut self.deferred) {
            self.reply(node, turn);
        }
    }
}

/// The requests of other processes.
impl CarvalhoRoucairol {
    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let to = theirs.process;
        self.clock.observe(theirs.clock);
        match self.section {
            Section::Idle => {
                turn.because(Reason::RepliedIdle { to });
                self.reply(to, turn);
            }
            Section::Inside(..) => {
                self.deferred.insert(to);
                turn.because(Reason::DeferredInSection { to });
            }
            Section::Wanting(_, ours) if ours < theirs => {
                self.deferred.insert(to);
                turn.because(Reason::DeferredYounger { theirs, ours });
            }
            Section::Wanting(_, ours) => self.give_way(theirs, ours, turn),
        }
    }

    /// Sends the pair permission to a process with an older request. If this process held the permission, it requests
    /// the permission back; otherwise it has already sent a REQUEST.
    fn give_way(&mut self, theirs: Timestamp, ours: Timestamp, turn: &mut Turn<Self>) {
        let to = theirs.process;
        let had = !self.missing.contains(&to);
        turn.because(Reason::RepliedOlder { theirs, ours });
        self.reply(to, turn);
        if had && turn.setting.care != Care::NoSecondRequest {
            turn.because(Reason::AskedAgain { to, ours });
            self.ask(to, ours, turn);
        }
    }

    /// Sends REPLY, which passes the pair permission to the other process.
    fn reply(&mut self, to: NodeId, turn: &mut Turn<Self>) {
        self.missing.insert(to);
        let clock = self.clock.tick();
        let (to_life, request) = (self.membership.incarnation_of(to), self.membership.take_request(to));
        turn.send(to, CarvalhoRoucairolMessage::Reply { clock, to_life, request });
    }

    fn receive(&mut self, from: NodeId, message: CarvalhoRoucairolMessage, turn: &mut Turn<Self>) {
        if let Some(reason) = self.objection(from, message) {
            return turn.because(reason);
        }
        match message {
            CarvalhoRoucairolMessage::Request { clock, process, life } => {
                self.note_request(from, life, clock);
                self.asked(Timestamp { clock, process }, turn);
            }
            CarvalhoRoucairolMessage::Reply { clock, .. } => self.replied(from, clock, turn),
        }
    }
}
