//! Carvalho and Roucairol 1983, "On Mutual Exclusion in Computer Networks", CACM 26(2).
//!
//! Ricart and Agrawala's algorithm with permissions that last: of every two processes exactly one has the permission
//! of the pair, and keeps it until the other asks. Who wants the section asks only those whose permission is missing.

mod entry;
mod removal;

pub use self::entry::{Care, Setting};
use super::membership::{Membership, first, is_first};
use super::section::{Asked, Section, steps};
use crate::flat::{FlatMap, FlatSet};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CarvalhoRoucairol {
    clock: Clock,
    section: Section,
    /// With whom the permission of the pair is not here.
    missing: FlatSet<NodeId>,
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
            /// Which life of the sender asks, where it is not the first.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            life: u32,
        }: "Asks for the permission of the pair: `clock` is when, in logical time; the same if it is sent again.",
        "REPLY" Reply {
            clock: u64,
            /// Which life of the receiver has asked, where it is not the first.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            to_life: u32,
            /// When it has asked, where a reply names its request.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            request: Option<u64>,
        }: "Gives the permission of the pair.",
    }
}

impl CarvalhoRoucairolMessage {
    /// A REQUEST of a process in its first life.
    #[must_use]
    pub const fn request(clock: u64, process: NodeId) -> Self {
        Self::Request { clock, process, life: first() }
    }
}

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
        turn.send(node, CarvalhoRoucairolMessage::Request { clock, process, life: self.membership.life });
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

    /// Gives the permission away.
    fn reply(&mut self, to: NodeId, turn: &mut Turn<Self>) {
        self.missing.insert(to);
        let (clock, to_life, request) = (self.clock.tick(), self.membership.life_of(to), self.membership.answered(to));
        turn.send(to, CarvalhoRoucairolMessage::Reply { clock, to_life, request });
    }

    fn receive(&mut self, from: NodeId, message: CarvalhoRoucairolMessage, turn: &mut Turn<Self>) {
        match message {
            CarvalhoRoucairolMessage::Request { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            CarvalhoRoucairolMessage::Request { life, .. } if life < self.membership.life_of(from) => {
                turn.because(Reason::OfAnEarlierLife { from });
            }
            CarvalhoRoucairolMessage::Request { clock, process, life } => {
                self.note(from, life, clock, turn);
                self.asked(Timestamp { clock, process }, turn);
            }
            CarvalhoRoucairolMessage::Reply { to_life, .. } if to_life != self.membership.life => {
                turn.because(Reason::ToAnotherLife { from });
            }
            CarvalhoRoucairolMessage::Reply { request: Some(request), .. }
                if self.section.wanting().is_none_or(|ours| ours.clock != request) =>
            {
                turn.because(Reason::ToAnotherRequest { from });
            }
            CarvalhoRoucairolMessage::Reply { clock, .. } => self.replied(from, clock, turn),
        }
    }

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

    /// Gives the permission to an older request, and asks for it back if it was here: else that is done already.
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

    fn replied(&mut self, from: NodeId, sent: u64, turn: &mut Turn<Self>) {
        self.clock.observe(sent);
        if self.missing.remove(&from) {
            self.enter_if_permitted(turn);
        } else {
            turn.because(Reason::UnexpectedReply { from });
        }
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        RepliedIdle { to: NodeId }: "Replied: this process does not want the section.",
        RepliedOlder { theirs: Timestamp, ours: Timestamp }: "Replied: the other request is older than one's own.",
        AskedAgain { to: NodeId, ours: Timestamp }: "Asked again: the permission just given away is needed.",
        DeferredInSection { to: NodeId }: "Deferred: this process is in the section.",
        DeferredYounger { theirs: Timestamp, ours: Timestamp }: "Deferred: one's own request is older.",
        AllPermissions: "Entered: the permissions of all pairs are here, but of those with the dead.",
        Removed { node: NodeId }: "Needs no permission from there: the process is dead.",
        AskedWhoIsBack { to: NodeId, ours: Timestamp }:
            "Asked: the process is alive again, so its permission is needed.",
        OfAnEarlierLife { from: NodeId }: "Ignored: an earlier life of the process has said it.",
        ToAnotherLife { from: NodeId }: "Ignored: it was said to another life of this process.",
        ToAnotherRequest { from: NodeId }: "Ignored: the permission was given to another request of this process.",
        UnexpectedReply { from: NodeId }: "Ignored: the permission of this pair is there already.",
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the request is said to be another process's than its sender's.",
    }
}

impl Algorithm for CarvalhoRoucairol {
    // Nothing is stored: after a crash a process does not know what permissions it had.
    steps!(CarvalhoRoucairolMessage: acquire, release, receive, suspected suspect, trusted trust);

    const ENTRY: Entry = entry::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { nodes: configuration.nodes, care: configuration.variant()? })
    }

    fn assumptions(variant: &str) -> Assumptions {
        Setting::assumptions(variant)
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let there = |&node: &NodeId| node < me && setting.care != Care::BothHold;
        Self { missing: NodeId::all(setting.nodes).filter(there).collect(), ..Self::default() }
    }

    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        setting.removes_dead().then(|| Self::reborn(setting, me, incarnation))
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn growing(&mut self, setting: &Setting, _: NodeId, show: &mut Show<'_>) {
        if setting.numbers_grow() {
            show(CLOCK, self.clock.now_mut());
            self.section.time_mut().into_iter().for_each(|time| show(CLOCK, time));
        }
    }

    fn growing_in(message: &mut CarvalhoRoucairolMessage, setting: &Setting, show: &mut Show<'_>) {
        let (CarvalhoRoucairolMessage::Request { clock, .. } | CarvalhoRoucairolMessage::Reply { clock, .. }) = message;
        if setting.numbers_grow() {
            show(CLOCK, clock);
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let here = NodeId::all(setting.nodes).map(|node| node == me || !self.missing.contains(&node));
        let waits = self.section.is_wanting();
        let removed = self.membership.removed();
        let mut variables = FlatMap::from([
            ("A".into(), Value::Numbers(here.map(i64::from).collect())),
            ("Reply_Deferred".into(), Value::nodes(&self.deferred)),
        ]);
        if !removed.is_empty() {
            variables.insert("removed".into(), Value::nodes(removed));
        }
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.deferred.iter().copied().map(Queued::from).collect(),
            waits_for: self.missing.difference(removed).copied().filter(|_| waits).collect(),
            variables,
            ..View::default()
        }
    }
}
