//! Ricart and Agrawala 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", CACM 24(1).
//!
//! Who wants the section asks everybody and enters when everybody has replied. Who is asked replies at once, unless
//! he is in the section or has asked earlier himself: then he defers the reply until he leaves (section 2.1).
//!
//! A REPLY need not name its request. Who has entered has had all replies, so none is on its way when he asks again.

mod entry;
mod numbering;

use core::cmp::Ordering;

pub use self::entry::{Setting, Version};
pub use self::numbering::Numbering;
use super::section::{Asked, Section, steps};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawala {
    clock: Clock,
    section: Section,
    awaited: BTreeSet<NodeId>,
    deferred: BTreeSet<NodeId>,
}

messages! {
    /// The messages of the paper, section 2.1.
    #[derive(Copy)]
    pub enum RicartAgrawalaMessage {
        "REQUEST" Request { clock: u64, process: NodeId }:
            "Asks for permission: `clock` is when, in logical time, or the sequence number.",
        "REPLY" Reply {
            /// The sender's clock, where every message carries it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            clock: Option<u64>,
        }: "Gives permission.",
    }
}

impl RicartAgrawala {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: turn.setting.numbering.next(&mut self.clock), process: turn.me };
        self.section.request(asked, ours, turn);
        self.awaited = turn.others().collect();
        turn.multicast(RicartAgrawalaMessage::Request { clock: ours.clock, process: turn.me });
        self.enter_if_permitted(turn);
    }

    fn enter_if_permitted(&mut self, turn: &mut Turn<Self>) {
        if self.awaited.is_empty() {
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
        turn.send(to, RicartAgrawalaMessage::Reply { clock: turn.setting.numbering.stamp(&mut self.clock) });
    }

    fn receive(&mut self, from: NodeId, message: RicartAgrawalaMessage, turn: &mut Turn<Self>) {
        match message {
            RicartAgrawalaMessage::Request { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            RicartAgrawalaMessage::Request { clock, process } => self.asked(Timestamp { clock, process }, turn),
            RicartAgrawalaMessage::Reply { clock } => self.replied(from, clock, turn),
        }
    }

    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let from = theirs.process;
        if !turn.setting.numbering.has(theirs.clock) {
            return turn.because(Reason::NoSuchNumber { from, number: theirs.clock });
        }
        turn.setting.numbering.hear(&mut self.clock, theirs.clock);
        let (defer, reason) = match self.section {
            Section::Idle => (false, Reason::RepliedIdle { to: from }),
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

    fn replied(&mut self, from: NodeId, sent: Option<u64>, turn: &mut Turn<Self>) {
        let numbering = turn.setting.numbering;
        // Where every message carries the clock, one that does not is older than any request.
        let sent = numbering.is_on_every_message().then(|| sent.unwrap_or(0));
        if let Some(number) = sent.filter(|&sent| !numbering.has(sent)) {
            return turn.because(Reason::NoSuchNumber { from, number });
        }
        if let Some(sent) = sent {
            numbering.hear(&mut self.clock, sent);
        }
        match (self.section.wanting(), sent) {
            // Who replies has seen the request and moved its clock past it.
            (Some(ours), Some(sent)) if numbering == Numbering::LamportClock && sent <= ours.clock => {
                turn.because(Reason::LateReply { from, sent, ours });
            }
            (Some(_), _) if self.awaited.remove(&from) => self.enter_if_permitted(turn),
            _ => turn.because(Reason::UnexpectedReply { from }),
        }
    }
}

impl Setting {
    /// Whether another request is deferred while one's own waits.
    fn judge(&self, ours: Timestamp, theirs: Timestamp) -> (bool, Reason) {
        match (self.numbering.compare(ours.clock, theirs.clock), self.version) {
            (Ordering::Equal, Version::ReplyAtTie) => (false, Reason::RepliedAtTie { theirs, ours }),
            (Ordering::Equal, Version::DeferAtTie) => (true, Reason::DeferredAtTie { theirs, ours }),
            // Of equal numbers, the smaller process comes first: the paper.
            (order, _) if order.then(ours.process.cmp(&theirs.process)) == Ordering::Less => {
                (true, Reason::DeferredYounger { theirs, ours })
            }
            _ => (false, Reason::RepliedOlder { theirs, ours }),
        }
    }
}

reasons! {
    /// Why a request was answered as it was.
    pub enum Reason {
        RepliedIdle { to: NodeId }: "Replied: this process does not want the section.",
        RepliedOlder { theirs: Timestamp, ours: Timestamp }: "Replied: the other request is older than one's own.",
        RepliedAtTie { theirs: Timestamp, ours: Timestamp }:
            "Replied: the other request is of the same time as one's own.",
        DeferredAtTie { theirs: Timestamp, ours: Timestamp }:
            "Deferred: the other request is of the same time as one's own.",
        DeferredInSection { to: NodeId }: "Deferred: this process is in the section.",
        DeferredYounger { theirs: Timestamp, ours: Timestamp }: "Deferred: one's own request is older.",
        EveryoneReplied: "Entered: everybody has replied.",
        UnexpectedReply { from: NodeId }:
            "Ignored: no reply from there was missing (a duplicate, or to a request of an earlier life).",
        LateReply { from: NodeId, sent: u64, ours: Timestamp }:
            "Ignored: the reply was sent, by its sender's clock, before the request was made: it belongs to an earlier \
            one.",
        NoSuchNumber { from: NodeId, number: u64 }:
            "Ignored: there is no such number, since numbers are kept modulo another.",
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the request is said to be another process's than its sender's.",
    }
}

impl Algorithm for RicartAgrawala {
    // Nothing is stored: after a crash a process knows no more than at the start.
    steps!(RicartAgrawalaMessage: acquire, release, receive);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Setting::configure(configuration)
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
    }

    /// The paper's sequence numbers are in REQUESTs and nowhere else, and of one lock only.
    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        (setting.numbering == Numbering::LamportClock).then_some(&mut self.clock)
    }

    fn growing(&mut self, setting: &Setting, _: NodeId, show: &mut Show<'_>) {
        if setting.numbering.grows() {
            show(CLOCK, self.clock.now_mut());
            self.section.time_mut().into_iter().for_each(|time| show(CLOCK, time));
        }
    }

    fn growing_in(message: &mut RicartAgrawalaMessage, setting: &Setting, show: &mut Show<'_>) {
        let number = match message {
            RicartAgrawalaMessage::Request { clock, .. } => Some(clock),
            RicartAgrawalaMessage::Reply { clock } => clock.as_mut(),
        };
        number.filter(|_| setting.numbering.grows()).into_iter().for_each(|number| show(CLOCK, number));
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.deferred.iter().copied().map(Queued::from).collect(),
            waits_for: self.awaited.iter().copied().collect(),
            variables: BTreeMap::from([
                ("Requesting_Critical_Section".into(), Value::Flag(!self.section.is_idle())),
                ("Outstanding_Reply_Count".into(), Value::Number(count(self.awaited.len()).into())),
                ("Reply_Deferred".into(), Value::nodes(&self.deferred)),
            ]),
            ..View::default()
        }
    }
}
