//! Catalogue entry, configuration and displayed variables of Suzuki and Kasami's algorithm.

use super::{SuzukiKasami, SuzukiKasamiMessage, Token};
use crate::clock::number_in_life;
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::regeneration::{self, Regenerates, Regeneration, Why};

choices! {
    /// The position of a new request in the token's queue, and whether a lost token is regenerated.
    pub enum Discipline {
        FirstInFirstOut = "fifo-queue": "the process that has waited longest in the queue is next: the paper",
        LastInFirstOut = "lifo-queue": "the process that came last into the queue is next";
            broken: "starvation: others can overtake a waiting process again and again, without end",
        Regeneration = "regeneration":
            "as fifo-queue; when a process has crashed or is back, the smallest live process asks all others and, if \
            none of them has the token, makes a new one; some live process must always know the latest token",
        HastyRegeneration = "hasty-regeneration":
            "as regeneration, but the process that should ask makes a new token at once";
            broken: "mutual exclusion can be violated: the crashed process need not have had the token",
    }
}

impl Discipline {
    const fn regenerates(self) -> bool {
        matches!(self, Self::Regeneration | Self::HastyRegeneration)
    }
}

setting! { |configuration|
    /// Initial holder of the token.
    holder: NodeId = configuration.node_parameter("holder")?,
    pub(super) discipline: Discipline = configuration.variant()?,
}

reasons! {
    pub enum Reason {
        Regeneration { because: Why }: "For a new generation of the token:",
        HadToken: "Entered without asking: the token was here.",
        HasTokenAnew: "Entered: a new token was made here.",
        GotToken { from: NodeId }: "Entered: the token arrived.",
        PassedToFirst { to: NodeId, behind: u32 }: "Passed the token on: this process is the first in its queue.",
        NobodyWaits: "Kept the token: no process waits for it.",
        NotedElsewhere { process: NodeId, num: u64 }: "Noted the request: the token is elsewhere.",
        NotedInSection { process: NodeId, num: u64 }: "Noted the request: this process is in the critical section.",
        Outdated { process: NodeId, num: u64, known: u64 }: "Ignored: an equally new or newer request is known.",
        NotItsSender { from: NodeId, process: NodeId }: "Ignored: the message names another process than its sender.",
        TookForEarlierLife { from: NodeId }: "Took the token: an earlier incarnation of this process asked for it.",
        UnexpectedToken { from: NodeId }: "Ignored: a token arrived that was not asked for.",
        NoToken { from: NodeId }: "Ignored: this is not a token of this run.",
    }
}

impl Algorithm for SuzukiKasami {
    // Nothing is stored: if this process had the token when it crashed, the token is lost.
    steps!(SuzukiKasamiMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "suzuki-kasami",
        title: "Suzuki–Kasami",
        source: Source {
            authors: "Ichiro Suzuki, Tadao Kasami",
            title: "A Distributed Mutual Exclusion Algorithm",
            year: 1985,
        },
        summary: "One token, requested by broadcast; it carries the queue of waiting processes and the number of each \
                  one's latest entry.",
        variants: Discipline::VARIANTS,
        // FIFO links are unnecessary: the numbers of requests reveal late and duplicated copies. A duplicated token
        // would be a second token.
        assumes: FAMILY.assumes,
        structure: Structure::NumberedRequests,
        message_kinds: SuzukiKasamiMessage::KINDS,
        conduct: Conduct { regenerates: &["regeneration", "hasty-regeneration"], ..FAMILY.conduct },
        messages_per_entry: "N, or 0 if the process has the token",
        ..regeneration::FAMILY
    };

    fn new(setting: &Setting, me: NodeId) -> Self {
        let token = (me == setting.holder).then(|| Token::new(setting.nodes, first()));
        let regeneration = Regeneration::begin(1, setting.discipline.regenerates());
        Self { section: Section::Idle, req: vec![0; setting.nodes as usize], token, regeneration }
    }

    /// Returns the state after a crash. The token is with another process, in transit, or lost. If there is no other
    /// process, this process has the token.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut returned = Self::new(setting, me);
        if setting.nodes > 1 {
            returned.token = None;
            returned.regeneration = Regeneration::begin(incarnation, setting.discipline.regenerates());
        }
        returned.note(me, number_in_life(incarnation, 0));
        Some(returned)
    }

    /// Shows the request numbers that grow. The request numbers of each process form a counter of their own.
    fn growing(&mut self, setting: &Setting, _: NodeId, show: &mut Show<'_>) {
        if setting.discipline.regenerates() {
            return;
        }
        let last = self.token.iter_mut().map(|token| &mut token.last);
        core::iter::once(&mut self.req).chain(last).for_each(|numbers| show_all(numbers, show));
    }

    fn growing_in(message: &mut SuzukiKasamiMessage, setting: &Setting, show: &mut Show<'_>) {
        match message {
            _ if setting.discipline.regenerates() => {}
            SuzukiKasamiMessage::Request { process, num } => show(process.index(), num),
            SuzukiKasamiMessage::Token(token) => show_all(&mut token.last, show),
            _ => {}
        }
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let token = self.token.as_ref();
        let view = View::default()
            .queued(token.iter().flat_map(|token| token.queue.iter().copied()))
            .with("req", Value::numbers(&self.req))
            .with("token", Value::Flag(token.is_some()))
            .with("last", token.map(|token| Value::numbers(&token.last)))
            .with("Q", token.map(|token| Value::nodes(&token.queue)));
        self.with_generation(view)
    }
}

fn show_all(numbers: &mut [u64], show: &mut Show<'_>) {
    numbers.iter_mut().enumerate().for_each(|(process, number)| show(process, number));
}
