//! Maekawa 1985, "A √N Algorithm for Mutual Exclusion in Decentralized Systems", ACM TOCS 3(2).
//!
//! Each process has a voting set, and every two sets meet. Who wants the section asks its set and enters when all of it
//! has voted for it; each process has one vote, its own set's members being its arbiters. A vote given to a request
//! when a better one comes is asked back (INQUIRE), and given back (RELINQUISH) by who has failed to get another.
//! A process asks itself too, without messages.
//!
//! With succession, the next process in the ring of all takes the place of an arbiter that has died, as the paper proposes
//! in its section on failures. With tree quorums, each request has a voting set of its own, of those who live.

mod arbiter;
mod entry;
mod said;
mod succession;
mod tree_quorums;

use self::arbiter::Arbiter;
pub use self::entry::{Failed, Setting, Version};
pub use self::said::Said;
use super::section::{Asked, Section, steps};
use super::votes::{Inquiry, Votes};
use crate::flat::{FlatMap, FlatSet};
use crate::needs::FailureDetector;
use crate::prelude::*;
use crate::structure::coterie::Coterie;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Maekawa {
    clock: Clock,
    section: Section,
    votes: Votes,
    arbiter: Arbiter,
    /// Succession: the places that this process has taken over.
    places: FlatMap<NodeId, Arbiter>,
    /// Succession: who has said that it has taken over which place of one's voting set.
    successors: FlatMap<NodeId, NodeId>,
    /// Tree quorums: the voting set of one's own latest request.
    quorum: Vec<NodeId>,
    /// Succession and tree quorums: who is dead, as far as the failure detector knows.
    suspected: FlatSet<NodeId>,
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
        "TAKES-OVER" TakesOver {
            place: NodeId,
            clock: u64,
        }: "From now on the sender is the arbiter in this place, and asks what the recipient knows.",
        "STATE" State {
            place: NodeId,
            /// The time of the sender's request, if it has one.
            timestamp: Option<u64>,
            /// Whether it has the vote of this place.
            voted: bool,
            clock: u64,
        }: "What the sender has from the arbiter in this place, or asks of it.",
        "IN-PLACE" InPlace {
            place: NodeId,
            /// What is said.
            said: Said,
            timestamp: u64,
            clock: u64,
        }: "One of the messages of the paper, to or from who has taken over this place.",
    }
}

impl Maekawa {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        self.form_quorum(turn);
        self.ask_all(Said::Request, ours, turn);
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.votes = Votes::default();
        self.ask_all(Said::Release, ours, turn);
    }

    /// Says something of one's own request to all arbiters.
    fn ask_all(&self, said: Said, ours: Timestamp, turn: &mut Turn<Self>) {
        if self.successors.is_empty() && !turn.setting.version.follows_the_living() {
            return turn.tell(VOTING_SET, said.message(turn.me, turn.me, ours.clock, self.clock.now()));
        }
        for &place in self.voting_set(turn.setting, turn.me) {
            self.ask(place, said, ours.clock, turn);
        }
    }

    /// Those whose votes one's own request needs.
    fn voting_set<'a>(&'a self, setting: &'a Setting, me: NodeId) -> &'a [NodeId] {
        if setting.version.follows_the_living() { &self.quorum } else { setting.coterie.set(me) }
    }

    /// Says something of one's own request to the arbiter in a place.
    fn ask(&self, place: NodeId, said: Said, timestamp: u64, turn: &mut Turn<Self>) {
        let arbiter = self.serving(place);
        turn.send(arbiter, said.message(place, arbiter, timestamp, self.clock.now()));
    }

    fn receive(&mut self, from: NodeId, message: MaekawaMessage, turn: &mut Turn<Self>) {
        if self.suspected.contains(&from) {
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
            MaekawaMessage::InPlace { place, said, timestamp, .. } => self.heard(from, place, said, timestamp, turn),
            plain => {
                if let Some((said, timestamp)) = Said::of(plain) {
                    let place = if said.is_for_arbiters() { turn.me } else { from };
                    self.heard(from, place, said, timestamp, turn);
                }
            }
        }
    }

    /// One of the messages of the paper, about the vote of a place.
    fn heard(&mut self, from: NodeId, place: NodeId, said: Said, timestamp: u64, turn: &mut Turn<Self>) {
        let theirs = Timestamp { clock: timestamp, process: from };
        match said {
            Said::Request => self.asked(place, theirs, turn),
            Said::Relinquish => self.given_back(place, theirs, true, turn),
            Said::Release => self.given_back(place, theirs, false, turn),
            _ if self.serving(place) != from => turn.because(Reason::NotInSet { from }),
            Said::Locked => self.answered(place, timestamp, Votes::vote, turn),
            Said::Failed => self.answered(place, timestamp, Votes::refuse, turn),
            Said::Inquire => self.answered(place, timestamp, Votes::ask_back, turn),
        }
    }

    /// The arbiter in a place of one's own set says something about the request made then, if it is one's own.
    fn answered(&mut self, from: NodeId, timestamp: u64, note: fn(&mut Votes, NodeId), turn: &mut Turn<Self>) {
        if !self.voting_set(turn.setting, turn.me).contains(&from) {
            return turn.because(Reason::NotInSet { from });
        }
        match self.section {
            Section::Wanting(_, ours) if ours.clock == timestamp => note(&mut self.votes, from),
            Section::Inside(_, ours) if ours.clock == timestamp => return turn.because(Reason::KeptInSection { from }),
            _ => return turn.because(Reason::Outdated { from, timestamp }),
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
        TookOver { place: NodeId }: "Takes the place of an arbiter that has died, and asks those who ask it what they know.",
        StillRebuilding { place: NodeId }:
            "Votes for nobody: not all have said what they have from the former arbiter in this place.",
        Rebuilt { place: NodeId }: "Knows again who has the vote of this place, and who waits for it.",
        NewArbiter {
            place: NodeId,
            /// Who is in it now.
            arbiter: NodeId,
        }: "From now on asks another for the vote of this place.",
        GivenUp { process: NodeId }: "Its votes and requests are void: that process is dead.",
        FormedQuorum { size: u32 }: "Asks those on a path of the tree that leads through nobody who has died, or around them.",
        NoQuorum: "Asks nobody: too many have died for a quorum.",
        Withdrawn { theirs: Timestamp }: "A request is withdrawn: its sender asks others.",
        SaidBeforeDeath { from: NodeId }: "Ignored: the sender has died since.",
        NotItsArbiter { place: NodeId }: "Ignored: somebody else is the arbiter in this place.",
        NotInSet { from: NodeId }: "Ignored: no member of one's own voting set.",
    }
}

/// The number of the voting set, for messages to it.
const VOTING_SET: u32 = 0;

impl Algorithm for Maekawa {
    // Nothing is stored: after a crash a process knows no more than at the start.
    steps!(MaekawaMessage: acquire, release, receive, suspected suspected, trusted trusted);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (failed, version) = (configuration.choice("failed")?, configuration.variant()?);
        Ok(Setting { nodes: configuration.nodes, coterie: Coterie::configure(configuration)?, version, failed })
    }

    /// A place can only be taken over, and the vote of the dead be given to another, where it is certain that its arbiter votes no more; and who has heard of that asks
    /// again only in the order in which it was said.
    fn assumptions(variant: &str) -> Assumptions {
        let mut meanings = Version::MEANINGS.iter();
        if !meanings.any(|(name, version)| *name == variant && version.survives_crashes()) {
            return Self::ENTRY.assumes;
        }
        let failure_detector = FailureDetector::Perfect;
        Assumptions { fifo: true, no_crash: false, failure_detector, ..Self::ENTRY.assumes }
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
        self.places.values_mut().for_each(|arbiter| arbiter.growing(show));
    }

    fn growing_in(message: &mut MaekawaMessage, _: &Setting, show: &mut Show<'_>) {
        message.times_mut().into_iter().flatten().for_each(|time| show(CLOCK, time));
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let set = self.voting_set(setting, me);
        let is_missing = |node: &&NodeId| self.section.is_wanting() && !self.votes.here.contains(node);
        let mut view = View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.arbiter.queue.iter().copied().map(Queued::from).collect(),
            waits_for: set.iter().filter(is_missing).copied().collect(),
            variables: FlatMap::from([
                ("S".into(), Value::nodes(set)),
                ("LOCKED".into(), Value::nodes(&self.votes.here)),
                ("FAILED".into(), Value::nodes(&self.votes.failed)),
                ("INQUIRE".into(), Value::nodes(&self.votes.inquired)),
                ("locked_for".into(), Value::node(self.arbiter.locked.map(|locked| locked.process))),
                ("inquired".into(), Value::Flag(self.arbiter.inquired)),
            ]),
            ..View::default()
        };
        if !self.places.is_empty() {
            view.variables.insert("places".into(), Value::nodes(self.places.keys()));
        }
        view
    }
}
