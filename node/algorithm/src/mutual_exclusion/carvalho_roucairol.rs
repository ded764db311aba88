//! Carvalho and Roucairol 1983, "On Mutual Exclusion in Computer Networks", CACM 26(2).
//!
//! Ricart and Agrawala's algorithm with permissions that last: of every two processes exactly one has the permission
//! of the pair, and keeps it until the other asks. Who wants the section asks only those whose permission is missing.

use super::FAMILY;
use super::section::{Asked, Section, steps};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CarvalhoRoucairol {
    clock: Clock,
    section: Section,
    /// With whom the permission of the pair is not here.
    missing: BTreeSet<NodeId>,
    deferred: BTreeSet<NodeId>,
}

messages! {
    /// The messages.
    #[derive(Copy)]
    pub enum CarvalhoRoucairolMessage {
        "REQUEST" Request { clock: u64, process: NodeId }:
            "Asks for the permission of the pair: `clock` is when, in logical time; the same if it is sent again.",
        "REPLY" Reply { clock: u64 }: "Gives the permission of the pair.",
    }
}

impl CarvalhoRoucairol {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section.request(asked, ours, turn);
        for &node in &self.missing {
            turn.send(node, CarvalhoRoucairolMessage::Request { clock: ours.clock, process: turn.me });
        }
        self.enter_if_permitted(turn);
    }

    fn enter_if_permitted(&mut self, turn: &mut Turn<Self>) {
        if self.missing.is_empty() {
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
        turn.send(to, CarvalhoRoucairolMessage::Reply { clock: self.clock.tick() });
    }

    fn receive(&mut self, from: NodeId, message: CarvalhoRoucairolMessage, turn: &mut Turn<Self>) {
        match message {
            CarvalhoRoucairolMessage::Request { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            CarvalhoRoucairolMessage::Request { clock, process } => self.asked(Timestamp { clock, process }, turn),
            CarvalhoRoucairolMessage::Reply { clock } => self.replied(from, clock, turn),
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
            turn.send(to, CarvalhoRoucairolMessage::Request { clock: ours.clock, process: ours.process });
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
        AllPermissions: "Entered: the permissions of all pairs are here.",
        UnexpectedReply { from: NodeId }: "Ignored: the permission of this pair is there already.",
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the request is said to be another process's than its sender's.",
    }
}

choices! {
    /// Which of the two details that carry the algorithm is missing.
    pub enum Care {
        Full = "original": "the smaller of each pair has its permission at the start; \
            who gives one away while waiting asks for it again",
        NoSecondRequest = "no-second-request": "who gives a permission away while waiting does not ask for it again";
            broken: "deadlock: the permission given away never comes back",
        BothHold = "both-hold": "both of each pair have its permission at the start";
            broken: "two can be in the section: neither has to ask the other",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    nodes: u32,
    care: Care,
}

impl Algorithm for CarvalhoRoucairol {
    // Nothing is stored: who comes back takes no part, since a REPLY to an earlier life could pass for another.
    steps!(CarvalhoRoucairolMessage: acquire, release, receive);

    const ENTRY: Entry = Entry {
        name: "carvalho-roucairol",
        title: "Carvalho–Roucairol",
        source: Source {
            authors: "Osvaldo S. F. Carvalho, Gérard Roucairol",
            title: "On Mutual Exclusion in Computer Networks",
            year: 1983,
        },
        summary: "As Ricart–Agrawala, but a permission lasts until it is asked back: ask only those whose permission is missing.",
        variants: Care::VARIANTS,
        // A second copy of a REQUEST fetches a second REPLY: then both have the permission.
        assumes: FAMILY.assumes,
        message_kinds: CarvalhoRoucairolMessage::KINDS,
        messages_per_entry: "0 … 2(N-1)",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { nodes: configuration.nodes, care: configuration.variant()? })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let there = |&node: &NodeId| node < me && setting.care != Care::BothHold;
        Self { missing: NodeId::all(setting.nodes).filter(there).collect(), ..Self::default() }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn growing(&mut self, _: &Setting, _: NodeId, show: &mut Show<'_>) {
        show(CLOCK, self.clock.now_mut());
        self.section.time_mut().into_iter().for_each(|time| show(CLOCK, time));
    }

    fn growing_in(message: &mut CarvalhoRoucairolMessage, _: &Setting, show: &mut Show<'_>) {
        let (CarvalhoRoucairolMessage::Request { clock, .. } | CarvalhoRoucairolMessage::Reply { clock }) = message;
        show(CLOCK, clock);
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let here = NodeId::all(setting.nodes).map(|node| node == me || !self.missing.contains(&node));
        let waits = self.section.is_wanting();
        View {
            clock: Some(self.clock.now()),
            request: self.section.time(),
            queue: self.deferred.iter().copied().map(Queued::from).collect(),
            waits_for: self.missing.iter().copied().filter(|_| waits).collect(),
            variables: BTreeMap::from([
                ("A".into(), Value::Numbers(here.map(i64::from).collect())),
                ("Reply_Deferred".into(), Value::nodes(&self.deferred)),
            ]),
            ..View::default()
        }
    }
}
