//! Sanders 1987, "The Information Structure of Distributed Mutual Exclusion Algorithms", ACM TOCS 5(3).
//!
//! One algorithm, of which others are cases: who wants the section asks its request set R and enters when all of it has
//! granted; who leaves tells its inform set I. Who is asked grants the oldest request; if it will be informed, it
//! grants no other until then. A permission given before an older request came is asked back (INQUIRE), and given back
//! (YIELD) by who has failed to get another (FAIL). A process asks and informs itself too, without messages.
//!
//! Where the dead are removed, the sets meet the paper's conditions (section 4) without them, since those who have lost the
//! one that both informed ask each other.

mod entry;
mod removal;
mod status;

pub use self::entry::{Check, Preset, Repaired, Setting};
use self::removal::Removal;
use self::status::Status;
use super::section::{Asked, Section, steps};
use super::votes::{Inquiry, Votes};
use crate::flat::FlatMap;
use crate::needs::FailureDetector;
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sanders {
    clock: Clock,
    section: Section,
    grants: Votes,
    status: Status,
    removal: Removal,
}

messages! {
    /// The messages of the paper. Each names the request that it is about by its timestamp: a REQUEST its sender's, the
    /// answers to it their recipient's. All but a REQUEST, which was made just now, carry the sender's clock besides:
    /// where only some hear of requests, the clocks of the others would stay behind theirs, and pass for the older ones
    /// again and again.
    #[derive(Copy)]
    pub enum SandersMessage {
        "REQUEST" Request { timestamp: u64 }: "Asks for permission, everybody in the request set.",
        "GRANT" Grant { timestamp: u64, clock: u64 }: "Gives permission.",
        "RELEASE" Release { timestamp: u64, clock: u64 }:
            "The section has been left: tells everybody in the inform set.",
        "INQUIRE" Inquire { timestamp: u64, clock: u64 }: "Asks for the permission back, if it is of no use there.",
        "FAIL" Fail { timestamp: u64, clock: u64 }: "An older request is known.",
        "YIELD" Yield { timestamp: u64, clock: u64 }: "Gives the permission back: others are missing.",
    }
}

impl Sanders {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        if self.removal.is_out() {
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
        if self.removal.is_out() {
            return turn.because(Reason::StaysOut);
        }
        if self.removal.is_dead(from) {
            return turn.because(Reason::SaidBeforeDeath { from });
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

    /// Somebody of one's own request set says something about the request made then, if it is one's own.
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

    /// Tells one of one's own sets, oneself last.
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

/// The number of the request set, for messages to it.
const REQUEST_SET: u32 = 0;
/// The number of the inform set.
const INFORM_SET: u32 = 1;

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        GrantedUntilInformed { theirs: Timestamp }:
            "Granted: and nobody else, until this process is informed that they have left.",
        GrantedUninformed { theirs: Timestamp }:
            "Granted: they do not inform this process, so that others can be granted too.",
        FailedOlderKnown { theirs: Timestamp, older: Timestamp }:
            "Told a request that it must wait: an older one is known.",
        InquiredForOlder { theirs: Timestamp, holder: Timestamp }:
            "Asks for the permission back from the request that has it: an older one has come.",
        QueuedBehind { theirs: Timestamp, holder: Timestamp }: "Queued: the permission has been asked back already.",
        NobodyWaits: "Nobody waits for permission.",
        AllGranted: "Entered: the whole request set has granted it.",
        YieldedAsFailed { to: NodeId }: "Gave a permission back: another is refused for now.",
        KeptUndecided { from: NodeId }: "Keeps a permission that is asked back, for now: no other is refused yet.",
        KeptInSection { from: NodeId }: "Keeps a permission that is asked back: this process is in the section.",
        InquiredBeforeGrant { from: NodeId }: "The permission asked back has not arrived yet.",
        Outdated { from: NodeId, timestamp: u64 }:
            "Ignored: the message is about a request that is done with, or never was.",
        Removed { node: NodeId }: "Removed from the sets: that process is dead.",
        AskedInstead { to: NodeId, ours: Timestamp }:
            "Asks another: the one that both have counted on is dead, so that they have to ask each other.",
        SaidBeforeDeath { from: NodeId }: "Ignored: the sender has died since.",
        StaysOut: "Takes no part: back after a crash, it does not know any more whom it had granted what.",
        NotInRequestSet { from: NodeId }: "Ignored: no member of one's own request set.",
    }
}

impl Algorithm for Sanders {
    // Nothing is stored: after a crash a process knows no more than at the start.
    steps!(SandersMessage: acquire, release, receive, restart restart, suspected suspected, trusted trusted);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Setting::configure(configuration)
    }

    /// What the dead have granted can be granted by others where it is certain that they are dead.
    fn assumptions(variant: &str) -> Assumptions {
        let mut meanings = Preset::MEANINGS.iter();
        if !meanings.any(|(name, preset)| *name == variant && preset.removes_dead()) {
            return Self::ENTRY.assumes;
        }
        Assumptions { no_crash: false, failure_detector: FailureDetector::Perfect, ..Self::ENTRY.assumes }
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        match set {
            REQUEST_SET => setting.structure.request_set(me),
            INFORM_SET => setting.structure.inform_set(me),
            _ => &[],
        }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let asked = self.request_set(setting, me);
        let wants = self.section.is_wanting();
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.status.queue.iter().copied().map(Queued::from).collect(),
            waits_for: asked.iter().filter(|node| wants && !self.grants.here.contains(node)).copied().collect(),
            variables: FlatMap::from([
                ("I".into(), Value::nodes(setting.structure.inform_set(me))),
                ("R".into(), Value::nodes(asked)),
                ("CSSTAT".into(), Value::node(self.status.holder.map(|holder| holder.process))),
                ("GRANT".into(), Value::nodes(&self.grants.here)),
                ("FAIL".into(), Value::nodes(&self.grants.failed)),
                ("INQUIRE".into(), Value::nodes(&self.grants.inquired)),
                ("inquired".into(), Value::Flag(self.status.inquired)),
            ]),
            ..View::default()
        }
    }
}
