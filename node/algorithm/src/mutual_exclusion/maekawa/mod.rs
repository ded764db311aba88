//! Maekawa 1985, "A √N Algorithm for Mutual Exclusion in Decentralized Systems", ACM TOCS 3(2).
//!
//! Each process has a voting set, and every two sets have a common member. A process that wants the critical section
//! sends REQUEST to its voting set, and enters when all members have voted for it. Each process is an arbiter and has
//! one vote (`arbiter.rs`). If a better request arrives, the arbiter sends INQUIRE to ask for its vote back. If the
//! recipient of INQUIRE has failed to get another arbiter's vote, it returns the vote (RELINQUISH). A process votes
//! for itself as well, without messages.
//!
//! There are two repairs. With succession, the next process in the ring of all processes takes the place of a
//! crashed arbiter. The paper proposes this in its section on failures. A place is named by its original arbiter.
//! With tree quorums, each request has a voting set of live processes.

mod arbiter;
mod entry;
mod said;
mod succession;
mod tree_quorums;

use self::arbiter::{Arbiter, Voice};
pub use self::entry::{Failed, Reason, Setting, Version};
pub use self::said::Said;
use self::succession::Repair;
use super::prelude::*;
use super::votes::{Inquiry, Votes};

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Maekawa {
    clock: Clock,
    section: Section,
    votes: Votes,
    arbiter: Arbiter,
    repair: Option<Box<Repair>>,
}

messages! {
    /// The messages of the paper, and three for the repair with succession: TAKES-OVER, STATE and IN-PLACE. Each
    /// message of the paper names a request by its timestamp. REQUEST, RELINQUISH and RELEASE name a request of the
    /// sender. LOCKED, FAILED and INQUIRE name a request of the recipient.
    ///
    /// A REQUEST carries no clock, since its timestamp is the sender's clock. All other messages carry the sender's
    /// clock. Otherwise the clock of a process whose voting set receives few requests would fall behind. Its requests
    /// would then repeatedly precede those of other processes.
    #[derive(Copy)]
    pub enum MaekawaMessage {
        "REQUEST" Request { timestamp: u64 }: "Asks an arbiter for its vote.",
        "LOCKED" Locked { timestamp: u64, clock: u64 }: "The arbiter votes for this request.",
        "FAILED" Failed { timestamp: u64, clock: u64 }: "The arbiter knows a better request.",
        "INQUIRE" Inquire { timestamp: u64, clock: u64 }:
            "The arbiter asks for its vote back, if the process cannot use it.",
        "RELINQUISH" Relinquish { timestamp: u64, clock: u64 }: "Gives the vote back: other votes are missing.",
        "RELEASE" Release { timestamp: u64, clock: u64 }:
            "Gives the vote back: its sender has left the critical section.",
        "TAKES-OVER" TakesOver { place: NodeId, clock: u64 }:
            "From now on the sender is the arbiter in this place, and asks what the recipient knows.",
        "STATE" State {
            place: NodeId,
            /// Time of the sender's request, if it has one.
            timestamp: Option<u64>,
            /// Whether the sender has the vote of the arbiter in `place`.
            voted: bool,
            clock: u64,
        }: "Reports what the sender has from the arbiter in this place, or asks of it.",
        "IN-PLACE" InPlace {
            place: NodeId,
            /// Kind of the message of the paper.
            said: Said,
            timestamp: u64,
            clock: u64,
        }: "A message of the paper, to or from the process that has taken over this place.",
    }
}

/// The requests of this process.
impl Maekawa {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        self.form_quorum(turn);
        self.ask_all(Said::Request, ours, turn);
    }

    /// Handles an arbiter's answer to the request made at `timestamp`, if that is the current request.
    fn answered(&mut self, place: NodeId, timestamp: u64, note: fn(&mut Votes, NodeId), turn: &mut Turn<Self>) {
        if !self.voting_set(turn.setting, turn.me).contains(&place) {
            return turn.because(Reason::NotInSet { from: place });
        }
        match self.section {
            Section::Wanting(_, ours) if ours.clock == timestamp => note(&mut self.votes, place),
            Section::Inside(_, ours) if ours.clock == timestamp => {
                return turn.because(Reason::KeptInSection { from: place });
            }
            _ => return turn.because(Reason::Outdated { from: place, timestamp }),
        }
        if self.votes.are_complete(self.voting_set(turn.setting, turn.me)) {
            self.section.enter(Reason::AllVoted, turn);
        } else {
            self.answer_inquiries(timestamp, turn);
        }
    }

    fn answer_inquiries(&mut self, timestamp: u64, turn: &mut Turn<Self>) {
        for (from, inquiry) in self.votes.answer_inquiries() {
            turn.because(match inquiry {
                Inquiry::BeforeVote => Reason::InquiredBeforeLocked { from },
                Inquiry::Undecided => Reason::KeptUndecided { from },
                Inquiry::GivenBack => Reason::RelinquishedAsFailed { to: from },
            });
            if inquiry == Inquiry::GivenBack {
                self.ask(from, Said::Relinquish, timestamp, turn);
            }
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.votes = Votes::default();
        self.ask_all(Said::Release, ours, turn);
    }

    /// Sends a message about the current request to all arbiters.
    fn ask_all(&self, said: Said, ours: Timestamp, turn: &mut Turn<Self>) {
        if self.has_given_set(turn.setting) {
            return turn.tell(VOTING_SET, said.message(turn.me, turn.me, ours.clock, self.clock.now()));
        }
        for &place in self.voting_set(turn.setting, turn.me) {
            self.ask(place, said, ours.clock, turn);
        }
    }

    /// Sends a message about the current request to the arbiter in a place.
    fn ask(&self, place: NodeId, said: Said, timestamp: u64, turn: &mut Turn<Self>) {
        let arbiter = self.serving(place);
        turn.send(arbiter, said.message(place, arbiter, timestamp, self.clock.now()));
    }
}

impl Maekawa {
    fn receive(&mut self, from: NodeId, message: MaekawaMessage, turn: &mut Turn<Self>) {
        if self.suspects(from) {
            return turn.because(Reason::SaidBeforeDeath { from });
        }
        if from != turn.me {
            self.clock.observe(message.clock());
        }
        match message {
            MaekawaMessage::TakesOver { place, .. } => self.taken_over(from, place, turn),
            MaekawaMessage::State { place, timestamp, voted, .. } => {
                let request = timestamp.map(|clock| Timestamp { clock, process: from });
                self.informed(from, place, request, voted, turn);
            }
            _ => {
                if let Some((place, said, timestamp)) = Said::of(message, from, turn.me) {
                    self.heard(from, place, said, timestamp, turn);
                }
            }
        }
    }

    /// Handles a message of the paper about the vote of a place.
    fn heard(&mut self, from: NodeId, place: NodeId, said: Said, timestamp: u64, turn: &mut Turn<Self>) {
        match said {
            Said::Request | Said::Relinquish | Said::Release => {
                self.arbitrate(place, Timestamp { clock: timestamp, process: from }, said, turn);
            }
            _ if self.serving(place) != from => turn.because(Reason::NotInSet { from }),
            Said::Locked => self.answered(place, timestamp, Votes::vote, turn),
            Said::Failed => self.answered(place, timestamp, Votes::refuse, turn),
            Said::Inquire => self.answered(place, timestamp, Votes::ask_back, turn),
        }
    }

    /// Handles a message as the arbiter in a place.
    fn arbitrate(&mut self, place: NodeId, theirs: Timestamp, said: Said, turn: &mut Turn<Self>) {
        let clock = self.clock.now();
        let Some(arbiter) = self.arbiter(place, turn.me) else {
            let Timestamp { clock: timestamp, process: from } = theirs;
            return turn.because(match said {
                Said::Request => Reason::NotItsArbiter { place },
                _ => Reason::Outdated { from, timestamp },
            });
        };
        let voice = &mut Voice { place, clock, turn };
        match said {
            Said::Request => arbiter.asked(theirs, voice),
            _ => arbiter.given_back(theirs, said == Said::Relinquish, voice),
        }
    }
}

/// The set number by which messages are sent to the voting set.
const VOTING_SET: u32 = 0;
