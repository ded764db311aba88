//! Catalogue entry, configuration and displayed variables of Ricart and Agrawala's algorithm with a token.

use super::{RicartAgrawalaToken, RicartAgrawalaTokenMessage};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::regeneration::{self, Regenerates, Regeneration, Why};

choices! {
    /// The waiting process that gets the token. In the paper, the order after holder i is i + 1, …, N − 1, 0, …, i −
    /// 1.
    pub enum Next {
        InRing = "ring-order":
            "the token goes to the first waiting process after its holder, round by round: the paper",
        LongestWaiting = "longest-waiting":
            "the token goes to the oldest request that its holder knows, in logical time",
        Regeneration = "regeneration":
            "as ring-order; when a process has crashed or is back, the smallest live process asks all others and, if \
            none of them has the token, makes a new one; some live process must always know the latest token",
    }
}

setting! { |configuration|
    /// Initial holder of the token.
    holder: NodeId = configuration.node_parameter("holder")?,
    pub(super) next: Next = configuration.variant()?,
}

reasons! {
    pub enum Reason {
        Regeneration { because: Why }: "For a new generation of the token:",
        HadToken: "Entered without asking: the token was here.",
        HasTokenAnew: "Entered: a new token was made here.",
        GotToken { from: NodeId }: "Entered: the token arrived.",
        PassedInRing { theirs: Timestamp }: "Passed the token on: this is the first waiting process after the holder.",
        PassedToLongestWaiting { theirs: Timestamp }: "Passed the token on: no process has waited longer.",
        NobodyWaits: "Kept the token: no process waits for it.",
        NotedElsewhere { theirs: Timestamp }: "Noted the request: the token is elsewhere.",
        NotedInSection { theirs: Timestamp }: "Noted the request: this process is in the critical section.",
        Outdated { theirs: Timestamp, known: u64 }: "Ignored: an equally new or newer request is known.",
        NotItsSender { from: NodeId, process: NodeId }: "Ignored: the message names another process than its sender.",
        TookForEarlierLife { from: NodeId }: "Took the token: an earlier incarnation of this process asked for it.",
        UnexpectedToken { from: NodeId }: "Ignored: a token arrived that was not asked for.",
        NoToken { from: NodeId }: "Ignored: this is not a token of this run.",
    }
}

impl Algorithm for RicartAgrawalaToken {
    // Nothing is stored: if this process had the token when it crashed, the token is lost.
    steps!(RicartAgrawalaTokenMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "ricart-agrawala-token",
        title: "Ricart–Agrawala with a token",
        source: Source {
            authors: "Glenn Ricart, Ashok K. Agrawala",
            title: "Author's Response to \"On Mutual Exclusion in Computer Networks\" by Carvalho and Roucairol",
            year: 1983,
        },
        summary: "One token, requested by broadcast; it records which request of each process was served, so its \
                  holder knows who waits.",
        variants: Next::VARIANTS,
        // FIFO links are unnecessary: the times of requests reveal late and duplicated copies. A duplicated token
        // would be a second token.
        assumes: FAMILY.assumes,
        structure: Structure::NumberedRequests,
        message_kinds: RicartAgrawalaTokenMessage::KINDS,
        messages_per_entry: "N, or 0 if the process has the token",
        ..regeneration::FAMILY
    };

    fn new(setting: &Setting, me: NodeId) -> Self {
        let numbers = || vec![0; setting.nodes as usize];
        Self {
            incarnation: 1,
            clock: Clock::default(),
            section: Section::Idle,
            request: numbers(),
            token: (me == setting.holder).then(numbers),
            generation: first(),
            regeneration: Regeneration::begin(1, setting.next == Next::Regeneration),
        }
    }

    /// Returns the state after a crash. The token is with another process, in transit, or lost. If there is no other
    /// process, this process has the token.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut returned = Self { incarnation, ..Self::new(setting, me) };
        if setting.nodes > 1 {
            returned.token = None;
            returned.regeneration = Regeneration::begin(incarnation, setting.next == Next::Regeneration);
        }
        Some(returned)
    }

    fn compares_times(setting: &Setting) -> bool {
        setting.next != Next::Regeneration
    }

    /// Returns the times of this state, without this process's entry in `request`. A process receives no request from
    /// itself, so that entry stays 0, and nothing is compared with it.
    fn times(&mut self, me: NodeId) -> Vec<&mut dyn Timed> {
        let others = (0..).map(NodeId).zip(&mut self.request).filter(|(process, _)| *process != me);
        let requests = others.map(|(_, time)| time as &mut dyn Timed);
        [&mut self.clock as &mut dyn Timed, &mut self.section, &mut self.token].into_iter().chain(requests).collect()
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let token = self.token.as_ref();
        let mut waiting: Vec<_> = token.iter().flat_map(|token| self.waiting(token, me)).collect();
        if setting.next == Next::LongestWaiting {
            waiting.sort_unstable_by_key(Timestamp::by_count);
        }
        let view = View::timed(self.clock, self.section.time())
            .queued(waiting)
            .with("token_present", Value::Flag(token.is_some()))
            .with("request", Value::numbers(&self.request))
            .with("token", token.map(|token| Value::numbers(token)));
        self.with_generation(view)
    }
}
