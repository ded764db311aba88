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
use super::membership::{Membership, first, is_first};
use super::section::{Asked, Section, steps};
use crate::flat::{FlatMap, FlatSet};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawala {
    clock: Clock,
    section: Section,
    awaited: FlatSet<NodeId>,
    deferred: FlatSet<NodeId>,
    membership: Membership,
}

messages! {
    /// The messages of the paper, section 2.1.
    #[derive(Copy)]
    pub enum RicartAgrawalaMessage {
        "REQUEST" Request {
            clock: u64,
            process: NodeId,
            /// Which life of the sender asks, where it is not the first.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            life: u32,
        }: "Asks for permission: `clock` is when, in logical time, or the sequence number.",
        "REPLY" Reply {
            /// The sender's clock, where every message carries it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            clock: Option<u64>,
            /// Which life of the receiver has asked, where it is not the first.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            to_life: u32,
            /// When it has asked, where a reply names its request.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "Gives permission.",
        "JOIN" Join {
            /// Which life of the sender takes part again.
            life: u32,
        }: "Takes part again after a crash.",
        "WELCOME" Welcome {
            clock: u64,
            /// Which life of the sender answers, where it is not the first.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            life: u32,
            /// Which life of the receiver joins.
            to_life: u32,
        }: "Answers a JOIN: what is asked for later is later than `clock`.",
    }
}

impl RicartAgrawalaMessage {
    /// A REQUEST of a process in its first life.
    #[must_use]
    pub const fn request(clock: u64, process: NodeId) -> Self {
        Self::Request { clock, process, life: first() }
    }

    /// A REPLY to a process in its first life, which does not name its request.
    #[must_use]
    pub const fn reply(clock: Option<u64>) -> Self {
        Self::Reply { clock, to_life: first(), request: None }
    }
}

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
        self.awaited = turn.others().filter(|node| !self.membership.is_removed(*node)).collect();
        turn.multicast(RicartAgrawalaMessage::Request { clock, process, life: self.membership.life });
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
        let (to_life, request) = (self.membership.life_of(to), self.membership.answered(to));
        turn.send(to, RicartAgrawalaMessage::Reply { clock, to_life, request });
    }

    fn receive(&mut self, from: NodeId, message: RicartAgrawalaMessage, turn: &mut Turn<Self>) {
        match message {
            RicartAgrawalaMessage::Request { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            RicartAgrawalaMessage::Request { life, .. }
            | RicartAgrawalaMessage::Join { life }
            | RicartAgrawalaMessage::Welcome { life, .. }
                if life < self.membership.life_of(from) =>
            {
                turn.because(Reason::OfAnEarlierLife { from });
            }
            RicartAgrawalaMessage::Reply { to_life, .. } | RicartAgrawalaMessage::Welcome { to_life, .. }
                if to_life != self.membership.life =>
            {
                turn.because(Reason::ToAnotherLife { from });
            }
            RicartAgrawalaMessage::Request { clock, process, life } => {
                self.meet(from, life, turn);
                if turn.setting.removes_dead() {
                    self.membership.asked(from, clock);
                }
                self.asked(Timestamp { clock, process }, turn);
            }
            // Where the dead are not waited for, a reply to an earlier request can be on its way still.
            RicartAgrawalaMessage::Reply { request: Some(request), .. }
                if self.section.wanting().is_none_or(|ours| ours.clock != request) =>
            {
                turn.because(Reason::UnexpectedReply { from });
            }
            RicartAgrawalaMessage::Reply { clock, .. } => self.replied(from, clock, turn),
            RicartAgrawalaMessage::Join { life } => self.joined(from, life, turn),
            RicartAgrawalaMessage::Welcome { clock, life, .. } => {
                self.meet(from, life, turn);
                self.welcomed(from, clock, turn);
            }
        }
    }

    /// Another process is in this life: if that is a new one, its earlier one waits for no reply, and none of it is waited for.
    fn meet(&mut self, other: NodeId, life: u32, turn: &mut Turn<Self>) {
        if turn.setting.removes_dead() && self.membership.meet(other, life) {
            self.deferred.remove(&other);
            self.waits_for_no_reply_of(other, turn);
        }
    }

    fn waits_for_no_reply_of(&mut self, other: NodeId, turn: &mut Turn<Self>) {
        if self.awaited.remove(&other) {
            turn.because(Reason::Removed { node: other });
            self.enter_if_permitted(turn);
        }
    }

    /// It is back after a crash: where the dead are removed it joins, so that its requests are later than all for which it
    /// was not asked.
    fn restart(&mut self, turn: &mut Turn<Self>) {
        if !turn.setting.joins() || turn.is_alone() {
            return;
        }
        self.membership.join(turn.others());
        turn.because(Reason::Joins);
        turn.multicast(RicartAgrawalaMessage::Join { life: self.membership.life });
    }

    fn joined(&mut self, from: NodeId, life: u32, turn: &mut Turn<Self>) {
        if !turn.setting.removes_dead() {
            return turn.because(Reason::NobodyJoins { from });
        }
        self.meet(from, life, turn);
        turn.because(Reason::Welcomed { node: from });
        let clock = self.clock.tick();
        turn.send(from, RicartAgrawalaMessage::Welcome { clock, life: self.membership.life, to_life: life });
    }

    fn welcomed(&mut self, from: NodeId, clock: u64, turn: &mut Turn<Self>) {
        if !self.membership.welcomed(from) {
            return turn.because(Reason::UnexpectedReply { from });
        }
        self.clock.observe(clock);
        self.ask_if_joined(turn);
    }

    /// What its client has asked for meanwhile is asked for once it has joined, with a number that is later than all.
    fn ask_if_joined(&mut self, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, _) = self.section else { return };
        if !self.membership.is_joining() {
            let ours = self.next_number(turn);
            self.section = Section::Wanting(asked, ours);
            self.ask(ours, turn);
        }
    }

    fn suspect(&mut self, other: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.removes_dead() {
            return;
        }
        let was_joining = self.membership.is_joining();
        self.membership.remove(other);
        if was_joining {
            self.ask_if_joined(turn);
        } else {
            self.waits_for_no_reply_of(other, turn);
        }
    }

    fn trust(&mut self, other: NodeId, _: &mut Turn<Self>) {
        self.membership.take_back(other);
    }

    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let from = theirs.process;
        if !turn.setting.numbering.has(theirs.clock) {
            return turn.because(Reason::NoSuchNumber { from, number: theirs.clock });
        }
        turn.setting.numbering.hear(&mut self.clock, theirs.clock);
        let (defer, reason) = match self.section {
            Section::Idle => (false, Reason::RepliedIdle { to: from }),
            // It has not asked yet, and will ask later than this.
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

impl RicartAgrawala {
    fn variables(&self) -> FlatMap<alloc::string::String, Value> {
        let mut variables = FlatMap::from([
            ("Requesting_Critical_Section".into(), Value::Flag(!self.section.is_idle())),
            ("Outstanding_Reply_Count".into(), Value::Number(count(self.awaited.len()).into())),
            ("Reply_Deferred".into(), Value::nodes(&self.deferred)),
        ]);
        if !self.membership.removed().is_empty() {
            variables.insert("removed".into(), Value::nodes(self.membership.removed()));
        }
        variables
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
        EveryoneReplied: "Entered: everybody has replied, or is dead.",
        Removed { node: NodeId }: "Waits for no reply from there: the process is dead, or in another life.",
        Joins: "Takes part again after a crash, and asks the others for their clocks first.",
        JoinsFirst: "Asks later: not all have said yet how late it is.",
        Welcomed { node: NodeId }: "Told how late it is: a process is back after a crash.",
        NobodyJoins { from: NodeId }: "Ignored: in this variant nobody takes part again.",
        OfAnEarlierLife { from: NodeId }: "Ignored: an earlier life of the process has said it.",
        ToAnotherLife { from: NodeId }: "Ignored: it was said to another life of this process.",
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
    // Nothing is stored: after a crash a process knows no more than at the start, until it is told.
    steps!(RicartAgrawalaMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Setting::configure(configuration)
    }

    fn assumptions(variant: &str) -> Assumptions {
        Setting::assumptions(variant)
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
    }

    /// Without a way to learn the numbers that others have passed, it takes no part.
    fn begin_incarnation(setting: &Setting, _: NodeId, incarnation: u32) -> Option<Self> {
        let membership = Membership::reborn(incarnation);
        setting.removes_dead().then(|| Self { membership, ..Self::default() })
    }

    /// The paper's sequence numbers are in REQUESTs and nowhere else, and of one lock only.
    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        (setting.numbering == Numbering::LamportClock).then_some(&mut self.clock)
    }

    fn growing(&mut self, setting: &Setting, _: NodeId, show: &mut Show<'_>) {
        if setting.numbers_grow() {
            show(CLOCK, self.clock.now_mut());
            self.section.time_mut().into_iter().for_each(|time| show(CLOCK, time));
        }
    }

    fn growing_in(message: &mut RicartAgrawalaMessage, setting: &Setting, show: &mut Show<'_>) {
        let number = match message {
            RicartAgrawalaMessage::Request { clock, .. } | RicartAgrawalaMessage::Welcome { clock, .. } => Some(clock),
            RicartAgrawalaMessage::Reply { clock, .. } => clock.as_mut(),
            RicartAgrawalaMessage::Join { .. } => None,
        };
        number.filter(|_| setting.numbers_grow()).into_iter().for_each(|number| show(CLOCK, number));
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.deferred.iter().copied().map(Queued::from).collect(),
            waits_for: self.awaited.union(self.membership.joining()).into_iter().collect(),
            variables: self.variables(),
            ..View::default()
        }
    }
}
