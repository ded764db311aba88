//! Le Lann 1977, "Distributed Systems: Towards a Formal Approach", IFIP Congress.
//!
//! A token goes round a ring, whether anybody wants it or not. Who gets it may enter, and passes it on on leaving.

use super::section::{Asked, Section, steps};
use super::{FAMILY, HOLDER};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LeLann {
    section: Section<()>,
    /// Whether the token is here: in the section, and always if there is nobody else.
    token: bool,
}

messages! {
    /// The message.
    #[derive(Copy)]
    pub enum LeLannMessage {
        "TOKEN" Token {}: "Here is the token.",
    }
}

impl LeLann {
    fn start(&mut self, turn: &mut Turn<Self>) {
        if self.token {
            self.pass_on(|to| Reason::PassedUnwanted { to }, turn);
        }
    }

    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        if self.token {
            self.section.enter(Reason::GotToken, turn);
        }
    }

    fn receive(&mut self, from: NodeId, _: LeLannMessage, turn: &mut Turn<Self>) {
        if from.successor(turn.setting.nodes) != turn.me {
            return turn.because(Reason::NotPredecessor { from });
        }
        if self.token {
            return turn.because(Reason::SecondToken { from });
        }
        self.token = true;
        if self.section.is_wanting() {
            self.section.enter(Reason::GotToken, turn);
        } else {
            self.pass_on(|to| Reason::PassedUnwanted { to }, turn);
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.pass_on(|to| Reason::PassedOnLeaving { to }, turn);
    }

    fn pass_on(&mut self, reason: fn(NodeId) -> Reason, turn: &mut Turn<Self>) {
        if !turn.is_alone() {
            self.token = false;
            let to = turn.successor();
            turn.because(reason(to));
            turn.send(to, LeLannMessage::Token {});
        }
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        GotToken: "Entered: the token came, or there is nobody else to have it.",
        PassedUnwanted { to: NodeId }:
            "Passed the token on to the next in the ring: this process does not want the section.",
        PassedOnLeaving { to: NodeId }:
            "Passed the token on to the next in the ring: this process has left the section.",
        NotPredecessor { from: NodeId }: "Ignored: the token comes from the predecessor only.",
        SecondToken { from: NodeId }: "Ignored: the token is here already.",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    nodes: u32,
    /// Who has the token at the start.
    holder: NodeId,
}

impl Algorithm for LeLann {
    // Nothing is stored; if the token was here, it is lost.
    steps!(LeLannMessage: acquire, release, receive, start);

    const ENTRY: Entry = Entry {
        name: "le-lann",
        title: "Le Lann",
        source: Source {
            authors: "Gérard Le Lann",
            title: "Distributed Systems: Towards a Formal Approach",
            year: 1977,
        },
        summary: "A token goes round a ring, wanted or not; who gets it may enter.",
        variants: &[Variant::new("original", "the token never rests, but with who is in the section")],
        // There is only one message, so it cannot overtake another. A copy of it is one too many.
        assumes: FAMILY.assumes,
        message_kinds: LeLannMessage::KINDS,
        background_kinds: LeLannMessage::KINDS,
        token_kinds: LeLannMessage::KINDS,
        parameters: &[HOLDER],
        messages_per_entry: "1 if all want it; without bound if nobody does",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { nodes: configuration.nodes, holder: configuration.node_parameter("holder")? })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        Self { section: Section::Idle, token: me == setting.holder }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, _: NodeId, _: u32) -> Option<Self> {
        Some(Self { section: Section::Idle, token: setting.nodes == 1 })
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let waits = self.section.is_wanting() && setting.nodes > 1;
        View {
            waits_for: waits.then(|| me.predecessor(setting.nodes)).into_iter().collect(),
            variables: BTreeMap::from([
                ("token".into(), Value::Flag(self.token)),
                ("successor".into(), Value::Number(me.successor(setting.nodes).0.into())),
            ]),
            ..View::default()
        }
    }
}
