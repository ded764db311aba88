//! Maekawa 1985, "A √N Algorithm for Mutual Exclusion in Decentralized Systems", ACM TOCS 3(2).
//!
//! Each process has a voting set, and every two sets meet. Who wants the section asks its set and enters when all of it
//! has voted for it; each process has one vote, its own set's members being its arbiters. A vote given to a request
//! when a better one comes is asked back (INQUIRE), and given back (RELINQUISH) by who has failed to get another.
//! A process asks itself too, without messages.

mod arbiter;
mod entry;

use self::arbiter::Arbiter;
pub use self::entry::{Failed, Setting, Version};
use super::section::{Asked, Section, steps};
use super::votes::{Inquiry, Votes};
use crate::prelude::*;
use crate::structure::coterie::Coterie;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Maekawa {
    clock: Clock,
    section: Section,
    votes: Votes,
    arbiter: Arbiter,
}

messages! {
    /// The messages of the paper. Each names the request that it is about by its timestamp: a REQUEST its sender's, the
    /// answers of an arbiter their recipient's. All but a REQUEST, which was made just now, carry the sender's clock
    /// besides: with voting sets of uneven sizes an arbiter hears of many requests, those in small sets of few, and whose
    /// clock stays behind would pass for the older one again and again.
    #[derive(Copy)]
    pub enum MaekawaMessage {
        "REQUEST" Request { timestamp: u64 }: "Asks an arbiter for its vote.",
        "LOCKED" Locked { timestamp: u64, clock: u64 }: "The arbiter votes for this request.",
        "FAILED" Failed { timestamp: u64, clock: u64 }: "The arbiter knows of a better request.",
        "INQUIRE" Inquire { timestamp: u64, clock: u64 }:
            "The arbiter asks for its vote back, if it is of no use there.",
        "RELINQUISH" Relinquish { timestamp: u64, clock: u64 }: "Gives the vote back: other votes are missing.",
        "RELEASE" Release { timestamp: u64, clock: u64 }: "Gives the vote back: the section has been left.",
    }
}

impl Maekawa {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        turn.tell(VOTING_SET, MaekawaMessage::Request { timestamp: ours.clock });
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.votes = Votes::default();
        turn.tell(VOTING_SET, MaekawaMessage::Release { timestamp: ours.clock, clock: self.clock.now() });
    }

    fn receive(&mut self, from: NodeId, message: MaekawaMessage, turn: &mut Turn<Self>) {
        use MaekawaMessage::{Failed, Inquire, Locked, Release, Relinquish, Request};
        let (Request { timestamp: timestamp @ clock }
        | Locked { timestamp, clock }
        | Failed { timestamp, clock }
        | Inquire { timestamp, clock }
        | Relinquish { timestamp, clock }
        | Release { timestamp, clock }) = message;
        if from != turn.me {
            self.clock.observe(clock);
        }
        let theirs = Timestamp { clock: timestamp, process: from };
        match message {
            Request { .. } => self.asked(theirs, turn),
            Relinquish { .. } => self.given_back(theirs, true, turn),
            Release { .. } => self.given_back(theirs, false, turn),
            Locked { .. } => self.answered(theirs, Votes::vote, turn),
            Failed { .. } => self.answered(theirs, Votes::refuse, turn),
            Inquire { .. } => self.answered(theirs, Votes::ask_back, turn),
        }
    }

    /// An arbiter of one's own says something about the request made then, if it is one's own.
    fn answered(&mut self, about: Timestamp, note: fn(&mut Votes, NodeId), turn: &mut Turn<Self>) {
        let Timestamp { clock: timestamp, process: from } = about;
        if !turn.setting.coterie.set(turn.me).contains(&from) {
            return turn.because(Reason::NotInSet { from });
        }
        match self.section {
            Section::Wanting(_, ours) if ours.clock == timestamp => note(&mut self.votes, from),
            Section::Inside(_, ours) if ours.clock == timestamp => return turn.because(Reason::KeptInSection { from }),
            _ => return turn.because(Reason::Outdated { from, timestamp }),
        }
        if self.votes.are_complete(turn.setting.coterie.set(turn.me)) {
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
                turn.send(from, MaekawaMessage::Relinquish { timestamp, clock: self.clock.now() });
            }
        }
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        VotedFree { theirs: Timestamp }: "Voted: this process had its vote.",
        VotedBest { theirs: Timestamp }:
            "Voted: the vote has come back, and this is the best request that waits for it.",
        FailedBetterKnown { theirs: Timestamp, better: Timestamp }:
            "Told a request that it must wait: a better one is known.",
        InquiredForBetter { theirs: Timestamp, holder: Timestamp }:
            "Asks for the vote back from the request that has it: a better one has come.",
        QueuedBehind { theirs: Timestamp, holder: Timestamp }:
            "Queued: the vote has been asked back already, or is never asked back.",
        NobodyWaits: "Nobody waits for the vote.",
        AllVoted: "Entered: the whole set has voted for this process.",
        RelinquishedAsFailed { to: NodeId }: "Gave a vote back: another vote is refused for now.",
        KeptUndecided { from: NodeId }: "Keeps a vote that is asked back, for now: no other is refused yet.",
        KeptInSection { from: NodeId }: "Keeps a vote that is asked back: this process is in the section.",
        InquiredBeforeLocked { from: NodeId }: "The vote asked back has not arrived yet.",
        Outdated { from: NodeId, timestamp: u64 }:
            "Ignored: the message is about a request that is done with, or never was.",
        NotInSet { from: NodeId }: "Ignored: no member of one's own voting set.",
    }
}

/// The number of the voting set, for messages to it.
const VOTING_SET: u32 = 0;

impl Algorithm for Maekawa {
    // Nothing is stored: after a crash a process knows no more than at the start.
    steps!(MaekawaMessage: acquire, release, receive);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (failed, version) = (configuration.choice("failed")?, configuration.variant()?);
        Ok(Setting { nodes: configuration.nodes, coterie: Coterie::configure(configuration)?, version, failed })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        if set == VOTING_SET { setting.coterie.set(me) } else { &[] }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn growing(&mut self, _: &Setting, _: NodeId, show: &mut Show<'_>) {
        show(CLOCK, self.clock.now_mut());
        self.section.time_mut().into_iter().for_each(|time| show(CLOCK, time));
        self.arbiter.growing(show);
    }

    fn growing_in(message: &mut MaekawaMessage, _: &Setting, show: &mut Show<'_>) {
        use MaekawaMessage::{Failed, Inquire, Locked, Release, Relinquish, Request};
        match message {
            Request { timestamp } => show(CLOCK, timestamp),
            Locked { timestamp, clock }
            | Failed { timestamp, clock }
            | Inquire { timestamp, clock }
            | Relinquish { timestamp, clock }
            | Release { timestamp, clock } => {
                show(CLOCK, timestamp);
                show(CLOCK, clock);
            }
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let set = setting.coterie.set(me);
        let is_missing = |node: &&NodeId| self.section.is_wanting() && !self.votes.here.contains(node);
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.arbiter.queue.iter().copied().map(Queued::from).collect(),
            waits_for: set.iter().filter(is_missing).copied().collect(),
            variables: BTreeMap::from([
                ("S".into(), Value::nodes(set)),
                ("LOCKED".into(), Value::nodes(&self.votes.here)),
                ("FAILED".into(), Value::nodes(&self.votes.failed)),
                ("INQUIRE".into(), Value::nodes(&self.votes.inquired)),
                ("locked_for".into(), Value::node(self.arbiter.locked.map(|locked| locked.process))),
                ("inquired".into(), Value::Flag(self.arbiter.inquired)),
            ]),
            ..View::default()
        }
    }
}
