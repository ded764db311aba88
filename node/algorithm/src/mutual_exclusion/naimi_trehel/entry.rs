//! Catalogue entry, configuration and displayed variables of Naimi and Tréhel's algorithm.

use super::{NaimiTrehel, NaimiTrehelMessage};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::regeneration::{self, Regenerates, Regeneration, Why};

choices! {
    /// The treatment of a token that is lost with its holder.
    pub enum Repair {
        None = "original": "the paper, without its repair of failures",
        Regeneration = "regeneration":
            "when a process has crashed or is back, the smallest live process asks all others and, if none of them has \
            the token, makes a new one; waiting processes ask again; some live process must always know the latest \
            token",
    }
}

setting! { |configuration|
    /// Initial holder of the token.
    holder: NodeId = configuration.node_parameter("holder")?,
    repair: Repair = configuration.variant()?,
}

reasons! {
    pub enum Reason {
        Regeneration { because: Why }: "For a new generation of the token:",
        HadToken: "Entered without asking: the token was here.",
        HasTokenAnew: "Entered: a new token was made here.",
        AsksWhenResumed: "Waits: the processes are finding out where the token is.",
        NotedEarly { process: NodeId }: "Noted: the new generation has begun there, but not here.",
        AskedFather { father: NodeId }: "Asked for the token.",
        GotToken { from: NodeId }: "Entered: the token arrived.",
        SentIdle { to: NodeId }: "Sent the token: this process does not want the critical section.",
        SentToNext { to: NodeId }: "Sent the token when leaving: its recipient is the next.",
        NobodyWaits: "Kept the token: no process waits for it.",
        NotedAsNext { next: NodeId }:
            "Noted as the next: this process is the last of those that wait or are in the critical section.",
        PassedToFather { process: NodeId, father: NodeId }: "Passed the request on.",
        NobodyElses { process: NodeId }:
            "Ignored: the request is its own, of its father, or of no process of this run.",
        TookForEarlierLife { from: NodeId }: "Took the token: an earlier incarnation of this process asked for it.",
        FatherForgotten: "Waits: it has forgotten in a crash where the token is.",
        UnexpectedToken { from: NodeId }: "Ignored: a token arrived that was not asked for.",
    }
}

impl Algorithm for NaimiTrehel {
    // Nothing is stored: if this process had the token when it crashed, the token is lost.
    steps!(NaimiTrehelMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "naimi-trehel",
        title: "Naimi–Tréhel",
        source: Source {
            authors: "Mohamed Naimi, Michel Tréhel, André Arnold",
            title: "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal",
            year: 1996,
        },
        summary: "A request travels along a tree to the process that will have the token last; its sender becomes the \
                  new root.",
        variants: Repair::VARIANTS,
        // FIFO links are unnecessary: only requests of different processes can overtake each other, because no process
        // has two requests in transit. Duplication is not tolerated.
        assumes: FAMILY.assumes,
        structure: Structure::Pointers,
        message_kinds: NaimiTrehelMessage::KINDS,
        messages_per_entry: "O(log N) on average, 0 if the process has the token",
        ..regeneration::FAMILY
    };

    fn new(setting: &Setting, me: NodeId) -> Self {
        let holds = me == setting.holder;
        let (token, father) = (holds.then(first), (!holds).then_some(setting.holder));
        let regeneration = Regeneration::begin(1, setting.repair == Repair::Regeneration);
        Self { token, father, regeneration, ..Self::default() }
    }

    /// Returns the state after a crash. The token is with another process, in transit, or lost. If there is no other
    /// process, this process has the token. The process has forgotten its father, and any other process is suitable as
    /// father. So the initial holder becomes its father.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut returned = Self { reborn: true, ..Self::new(setting, me) };
        if setting.nodes > 1 {
            returned.token = None;
            returned.regeneration = Regeneration::begin(incarnation, setting.repair == Repair::Regeneration);
        }
        Some(returned)
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let view = View::default()
            .queued(self.next)
            .with("requesting_cs", Value::Flag(!self.section.is_idle()))
            .with("token_present", Value::Flag(self.token.is_some()))
            .with("father", Value::node(self.father))
            .with("next", Value::node(self.next));
        self.with_generation(view)
    }
}
