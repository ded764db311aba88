//! Le Lann 1977, "Distributed Systems: Towards a Formal Approach", IFIP Congress.
//!
//! A token goes round a ring, whether anybody wants it or not. Who gets it may enter, and passes it on on leaving.

use alloc::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input, Message};
use crate::identity::NodeId;
use crate::view::{Value, View};

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// Who has the token at the start.
    pub holder: NodeId,
}

impl Setting {
    fn successor(&self, node: NodeId) -> NodeId {
        NodeId(if node.0.saturating_add(1) < self.nodes { node.0 + 1 } else { 0 })
    }
}

/// The message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum LeLannMessage {
    /// Here is the token.
    #[serde(rename = "TOKEN")]
    Token {},
}

impl Message for LeLannMessage {
    fn kind(&self) -> &'static str {
        "TOKEN"
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Entered: the token came, or there is nobody else to have it.
    GotToken,
    /// Passed the token on: this process does not want the section.
    PassedUnwanted {
        /// The next in the ring.
        to: NodeId,
    },
    /// Passed the token on: this process has left the section.
    PassedOnLeaving {
        /// The next in the ring.
        to: NodeId,
    },
    /// Ignored: the token comes from the predecessor only.
    NotPredecessor {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the token is here already.
    SecondToken {
        /// Who sent it.
        from: NodeId,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LeLann {
    phase: Phase<()>,
    /// Whether the token is here: in the section, and always if there is nobody else.
    token: bool,
}

impl LeLann {
    fn acquire(&mut self, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        if self.token {
            self.enter(claim, out);
        }
    }

    fn enter(&mut self, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::InSection(claim);
        out.because(Reason::GotToken);
        out.outcome(claim.entered());
    }

    fn take(&mut self, setting: &Setting, me: NodeId, from: NodeId, out: &mut Effects<Self>) {
        if setting.successor(from) != me {
            return out.because(Reason::NotPredecessor { from });
        }
        if self.token {
            return out.because(Reason::SecondToken { from });
        }
        self.token = true;
        match self.phase {
            Phase::Wanting(claim) => self.enter(claim, out),
            _ => self.pass_on(setting, me, |to| Reason::PassedUnwanted { to }, out),
        }
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        self.pass_on(setting, me, |to| Reason::PassedOnLeaving { to }, out);
    }

    fn pass_on(
        &mut self,
        setting: &Setting,
        me: NodeId,
        reason: impl FnOnce(NodeId) -> Reason,
        out: &mut Effects<Self>,
    ) {
        let to = setting.successor(me);
        if to != me {
            self.token = false;
            out.because(reason(to));
            out.send(to, LeLannMessage::Token {});
        }
    }
}

impl Algorithm for LeLann {
    type Setting = Setting;
    type Message = LeLannMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "le-lann",
        title: "Le Lann",
        family: "mutual-exclusion",
        source: Source {
            authors: "Gérard Le Lann",
            title: "Distributed Systems: Towards a Formal Approach",
            year: 1977,
        },
        summary: "A token goes round a ring, wanted or not; who gets it may enter.",
        variants: &[Variant {
            name: "original",
            summary: "the token never rests, but with who is in the section",
            broken: None,
        }],
        // There is only one message, so it cannot overtake another. A copy of it is one too many.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["TOKEN"],
        background_kinds: &["TOKEN"],
        token_kinds: &["TOKEN"],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[Parameter {
            name: "holder",
            summary: "who has the token at the start",
            default: "0",
            range: "0 … N-1",
            unit: None,
        }],
        messages_per_entry: "1 if all want it; without bound if nobody does",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        configuration.variant_as(&[("original", ())])?;
        Ok(Setting { nodes: configuration.nodes, holder: configuration.node_parameter("holder")? })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        Self { phase: Phase::Idle, token: me == setting.holder }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, _: NodeId, _: u32) -> Option<Self> {
        Some(Self { phase: Phase::Idle, token: setting.nodes == 1 })
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Start if self.token => self.pass_on(setting, me, |to| Reason::PassedUnwanted { to }, out),
            Input::Command(Command::Acquire { lock, request }) => self.acquire(Claim::new(lock, request), out),
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message: LeLannMessage::Token {} } => self.take(setting, me, from, out),
            // Nothing is stored; if the token was here, it is lost.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let predecessor = NodeId::all(setting.nodes).find(|&node| node != me && setting.successor(node) == me);
        View {
            waits_for: predecessor.filter(|_| matches!(self.phase, Phase::Wanting(_))).into_iter().collect(),
            variables: BTreeMap::from([
                ("token".into(), Value::Flag(self.token)),
                ("successor".into(), Value::Number(setting.successor(me).0.into())),
            ]),
            ..View::default()
        }
    }
}
