//! Catalogue entry, configuration and displayed variables of Le Lann's algorithm.

use super::{Generations, LeLann, LeLannMessage, Reason, Timer};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::ring::nearest;

/// Time-out for the token. If no process is in the critical section, the token returns after one message for each
/// process. A regenerated token returns after two rounds: one of the claim and one of the token itself. If the
/// time-out is shorter, processes repeatedly replace a token that is only late. Moreover, a process that learns late
/// of a crash may suspect a process that has come back and is in the section. Then another process may enter.
const COMES_BY: TimeOut = TimeOut { per_node: true, ..TimeOut::of("missing", 2, Risk::Safety) };

choices! {
    /// How processes detect a lost token, and how they react.
    pub enum Version {
        Original = "original":
            "the token rests only with a process in the critical section; if it is lost, no process enters again",
        TimeOut = "time-out":
            "a process that has not seen the token for long claims to make a new one, which invalidates older ones; \
            crashed processes are skipped; some live process must always know the latest token",
        TwoTokens = "two-tokens":
            "Misra 1983, without time-outs: two tokens go round, and each shows when the other is lost",
        NoGeneration = "no-generation": "as time-out, but tokens are not told apart";
            broken: "mutual exclusion can be violated: a token believed lost still counts if it turns up again",
        TwoRegenerators = "two-regenerators":
            "as time-out, but a process that misses the token makes a new one without asking";
            broken: "mutual exclusion can be violated: several processes miss the token, and each makes one",
    }
}

impl Version {
    /// Returns whether processes detect a lost token by a time-out.
    pub(super) const fn has_time_out(self) -> bool {
        !matches!(self, Self::Original | Self::TwoTokens)
    }
}

setting! { |configuration|
    /// Initial holder of the token.
    pub(super) holder: NodeId = configuration.node_parameter("holder")?,
    pub(super) version: Version = configuration.variant()?,
    /// Time without the token after which a process considers it lost.
    pub(super) missing: Ticks = configuration.time("missing", 1_000_000)?,
}

impl Algorithm for LeLann {
    // Nothing is stored: if this process had the token when it crashed, the token is lost.
    steps!(
        LeLannMessage: acquire, release, receive, timer Timer miss, start start, restart wait, suspected suspect,
        trusted trust
    );

    const ENTRY: Entry = Entry {
        name: "le-lann",
        title: "Le Lann",
        source: Source {
            authors: "Gérard Le Lann",
            title: "Distributed Systems: Towards a Formal Approach",
            year: 1977,
        },
        summary: "A token goes round a ring, wanted or not; the process that gets it may enter.",
        variants: Version::VARIANTS,
        // FIFO links are unnecessary: there is only one message, so no message overtakes another. Duplication is not
        // tolerated, because a duplicate would be a second token.
        assumes: FAMILY.assumes,
        variants_assume: &[
            // One of the two tokens may be lost. After each regeneration, one token may be lost again. If both
            // tokens are lost, neither is regenerated. On FIFO links the two tokens can pass each other only at a
            // process, which then sees both.
            (&["two-tokens"], Assumptions { fifo: true, ..FAMILY.assumes }),
            // At least one process must remember the latest generation. Otherwise an old token is accepted again.
            (
                &["time-out", "no-generation", "two-regenerators"],
                Assumptions { no_loss: false, time_outs: &[COMES_BY], ..DETECTED_CRASHES },
            ),
        ],
        structure: Structure::Ring { parameter: None },
        message_kinds: LeLannMessage::KINDS,
        repair_kinds: &["CLAIM"],
        background_kinds: LeLannMessage::KINDS,
        token_kinds: &["TOKEN", "PING"],
        conduct: Conduct {
            regenerates: &["time-out", "two-tokens", "no-generation", "two-regenerators"],
            ..FAMILY.conduct
        },
        parameters: &[
            HOLDER,
            Parameter::time(
                "missing",
                "with a time-out, the time without the token after which it counts as missing, in ms: longer than 2N \
                messages and the stays of all others in the critical section take",
                "1000",
                Pace::TimeOut,
            ),
        ],
        messages_per_entry: "1 if all want to enter; unbounded if no process does; a new token costs up to 2N-1 messages \
                             more",
        ..FAMILY
    };

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        [("missing", ParameterValue::time(setting.missing))].into()
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let token = (me == setting.holder).then(|| Self::first_token(setting, 1));
        Self { token, ..Self::without_token(setting, Generations::from(1)) }
    }

    /// Returns the state after a crash. The token is with another process, in transit, or lost. If there is no other
    /// process, this process has the token.
    fn begin_incarnation(setting: &Setting, _: NodeId, incarnation: u32) -> Option<Self> {
        let token = (setting.nodes == 1).then(|| Self::first_token(setting, incarnation));
        Some(Self { token, ..Self::without_token(setting, Generations::FORGOTTEN) })
    }

    fn growing(&mut self, _: &Setting, _: NodeId, show: &mut Show<'_>) {
        if let Some(marks) = &mut self.marks {
            let ping = self.token.as_mut().map(|token| &mut token.generation);
            marks.number_mut().into_iter().chain(ping).for_each(|number| show(NUMBER, number));
        }
    }

    fn growing_in(message: &mut LeLannMessage, _: &Setting, show: &mut Show<'_>) {
        if let LeLannMessage::Ping { number } | LeLannMessage::Pong { number } = message {
            show(NUMBER, number);
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let missing = self.missing.as_ref();
        let waits = self.section.is_wanting() && self.token.is_none();
        let predecessor = nearest(me, setting.nodes, self.dead(), NodeId::predecessor);
        View::default()
            .waiting_for(predecessor.filter(|_| waits))
            .with("token", Value::Flag(self.token.is_some()))
            .with("successor", Value::node(Some(self.successor(setting, me))))
            .with("generation", missing.map(|missing| Value::number(missing.generations.latest())))
            .with("dead", missing.map(|missing| Value::nodes(&missing.dead)))
            .with("m", self.marks.map(|marks| Value::Number(marks.shown())))
    }
}

/// Index of the counter of [`Algorithm::growing`] that contains the numbers of the two tokens.
const NUMBER: usize = 0;
