//! Raymond 1989, "A Tree-Based Algorithm for Distributed Mutual Exclusion", ACM TOCS 7(1).
//!
//! The processes form a tree and talk only to their neighbours. Each knows in which direction the privilege is
//! (`HOLDER`), asks there once for all who ask it (`ASKED`), and serves those in the order in which they asked
//! (`REQUEST_Q`). After each event the paper's two procedures are tried, `ASSIGN_PRIVILEGE` and `MAKE_REQUEST`.

use alloc::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input, Message};
use crate::identity::NodeId;
use crate::tree::{FORMS, Tree};
use crate::view::{Queued, Value, View};

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Who is whose neighbour.
    pub tree: Tree,
    /// Who has the privilege at the start.
    pub holder: NodeId,
    /// What a process does after handing the privilege on.
    pub after_passing: AfterPassing,
    /// What INITIALIZE says of where the privilege is.
    pub initialized: Initialized,
}

/// What a process that hands the privilege on does for those who still wait with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterPassing {
    /// It asks for the privilege to come back: the paper.
    AskAgain,
    /// Nothing: wrong.
    Nothing,
}

/// Which neighbour a process takes for its `HOLDER` when INITIALIZE comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initialized {
    /// The one that sent it: the paper.
    BySender,
    /// The last of its neighbours, whoever sent it: wrong.
    LastNeighbour,
}

const VARIANTS: [(&str, (AfterPassing, Initialized)); 3] = [
    ("original", (AfterPassing::AskAgain, Initialized::BySender)),
    ("no-further-request", (AfterPassing::Nothing, Initialized::BySender)),
    ("misdirected", (AfterPassing::AskAgain, Initialized::LastNeighbour)),
];

/// The messages of the paper. They need no fields: who sent them is all there is to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum RaymondMessage {
    /// The privilege is in the direction of the sender.
    #[serde(rename = "INITIALIZE")]
    Initialize {},
    /// The sender, or somebody behind it, wants the privilege.
    #[serde(rename = "REQUEST")]
    Request {},
    /// Here is the privilege.
    #[serde(rename = "PRIVILEGE")]
    Privilege {},
}

impl Message for RaymondMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Initialize {} => "INITIALIZE",
            Self::Request {} => "REQUEST",
            Self::Privilege {} => "PRIVILEGE",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Learnt where the privilege is.
    LearntDirection {
        /// The neighbour in whose direction it is.
        holder: NodeId,
    },
    /// Entered: the privilege is here, and this process is the first in its queue.
    FirstInOwnQueue,
    /// Passed the privilege on: the neighbour is the first in the queue.
    PassedToFirst {
        /// Who gets it.
        to: NodeId,
        /// How many wait behind.
        behind: u32,
    },
    /// Asked for the privilege: somebody waits here.
    AskedHolder {
        /// The neighbour asked.
        holder: NodeId,
        /// For whom: the first in the queue.
        first: NodeId,
    },
    /// Waits on: the privilege has been asked for already.
    AlreadyAsked {
        /// The neighbour asked.
        holder: NodeId,
    },
    /// Waits on: where the privilege is has not been heard yet.
    HolderUnknown,
    /// Queued the request: this process is in the section.
    QueuedInSection {
        /// Who asked.
        from: NodeId,
    },
    /// Ignored: no neighbour in the tree.
    NotNeighbour {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: that neighbour waits already.
    WaitsAlready {
        /// Who asked.
        from: NodeId,
    },
    /// Ignored: where the privilege is, is known.
    UnexpectedInitialize {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the privilege was not asked for there.
    UnexpectedPrivilege {
        /// Who sent it.
        from: NodeId,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Raymond {
    phase: Phase<()>,
    /// Oneself, or the neighbour in whose direction the privilege is; unknown before INITIALIZE has come.
    holder: Option<NodeId>,
    queue: VecDeque<NodeId>,
    asked: bool,
}

impl Raymond {
    fn start(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        if me == setting.holder && self.holder.is_none() {
            self.holder = Some(me);
            for &node in setting.tree.neighbours(me) {
                out.send(node, RaymondMessage::Initialize {});
            }
        }
    }

    fn initialize(&mut self, setting: &Setting, me: NodeId, from: NodeId, out: &mut Effects<Self>) {
        if self.holder.is_some() {
            return out.because(Reason::UnexpectedInitialize { from });
        }
        let holder = match setting.initialized {
            Initialized::BySender => from,
            Initialized::LastNeighbour => setting.tree.neighbours(me).last().copied().unwrap_or(from),
        };
        self.holder = Some(holder);
        out.because(Reason::LearntDirection { holder });
        for &node in setting.tree.neighbours(me).iter().filter(|&&node| node != from) {
            out.send(node, RaymondMessage::Initialize {});
        }
        self.try_both(setting, me, out);
    }

    fn acquire(&mut self, setting: &Setting, me: NodeId, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        self.queue.push_back(me);
        self.try_both(setting, me, out);
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        self.try_both(setting, me, out);
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: RaymondMessage,
        out: &mut Effects<Self>,
    ) {
        if !setting.tree.neighbours(me).contains(&from) {
            return out.because(Reason::NotNeighbour { from });
        }
        match message {
            RaymondMessage::Initialize {} => self.initialize(setting, me, from, out),
            RaymondMessage::Request {} => self.requested(setting, me, from, out),
            RaymondMessage::Privilege {} => self.privileged(setting, me, from, out),
        }
    }

    fn requested(&mut self, setting: &Setting, me: NodeId, from: NodeId, out: &mut Effects<Self>) {
        if self.queue.contains(&from) {
            return out.because(Reason::WaitsAlready { from });
        }
        self.queue.push_back(from);
        if matches!(self.phase, Phase::InSection(_)) {
            out.because(Reason::QueuedInSection { from });
        }
        self.try_both(setting, me, out);
    }

    fn privileged(&mut self, setting: &Setting, me: NodeId, from: NodeId, out: &mut Effects<Self>) {
        if self.holder != Some(from) || !self.asked {
            return out.because(Reason::UnexpectedPrivilege { from });
        }
        self.holder = Some(me);
        self.try_both(setting, me, out);
    }

    /// What the paper does after each event, in this order.
    fn try_both(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let had = self.holder == Some(me);
        self.assign_privilege(me, out);
        let passed = had && self.holder != Some(me);
        if !passed || setting.after_passing == AfterPassing::AskAgain {
            self.make_request(me, out);
        }
    }

    /// `ASSIGN_PRIVILEGE`: who has the privilege and does not use it gives it to the first in the queue.
    fn assign_privilege(&mut self, me: NodeId, out: &mut Effects<Self>) {
        if self.holder != Some(me) || matches!(self.phase, Phase::InSection(_)) {
            return;
        }
        let Some(first) = self.queue.pop_front() else { return };
        self.holder = Some(first);
        self.asked = false;
        if first == me {
            let Phase::Wanting(claim) = self.phase else { return };
            self.phase = Phase::InSection(claim);
            out.because(Reason::FirstInOwnQueue);
            return out.outcome(claim.entered());
        }
        let behind = u32::try_from(self.queue.len()).unwrap_or(u32::MAX);
        out.because(Reason::PassedToFirst { to: first, behind });
        out.send(first, RaymondMessage::Privilege {});
    }

    /// `MAKE_REQUEST`: who has not got the privilege, but somebody who waits for it, asks in its direction, once.
    fn make_request(&mut self, me: NodeId, out: &mut Effects<Self>) {
        let Some(&first) = self.queue.front() else { return };
        match self.holder {
            None => out.because(Reason::HolderUnknown),
            Some(holder) if holder == me => {}
            Some(holder) if self.asked => out.because(Reason::AlreadyAsked { holder }),
            Some(holder) => {
                self.asked = true;
                out.because(Reason::AskedHolder { holder, first });
                out.send(holder, RaymondMessage::Request {});
            }
        }
    }
}

impl Algorithm for Raymond {
    type Setting = Setting;
    type Message = RaymondMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "raymond",
        title: "Raymond",
        family: "mutual-exclusion",
        source: Source {
            authors: "Kerry Raymond",
            title: "A Tree-Based Algorithm for Distributed Mutual Exclusion",
            year: 1989,
        },
        summary: "The processes form a tree; requests travel towards the privilege, and it comes back along the same edges.",
        variants: &[
            Variant {
                name: "original",
                summary: "who hands the privilege on while others wait asks for it again: the paper",
                broken: None,
            },
            Variant {
                name: "no-further-request",
                summary: "who hands the privilege on does not ask for it again",
                broken: Some("stuck: those who wait behind the one that got the privilege are forgotten"),
            },
            Variant {
                name: "misdirected",
                summary: "HOLDER becomes the last neighbour, whoever sent INITIALIZE",
                broken: Some("stuck: requests go where the privilege is not"),
            },
        ],
        // A REQUEST that overtakes the PRIVILEGE before it waits in the queue. A copy of a PRIVILEGE is one too many.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["INITIALIZE", "REQUEST", "PRIVILEGE"],
        background_kinds: &[],
        token_kinds: &["PRIVILEGE"],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[
            Parameter { name: "tree", summary: "who is whose neighbour", default: "binary", range: FORMS, unit: None },
            Parameter {
                name: "holder",
                summary: "who has the privilege at the start",
                default: "0",
                range: "0 … N-1",
                unit: None,
            },
        ],
        messages_per_entry: "2 for each edge between the one who asks and the privilege",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        let (after_passing, initialized) = configuration.variant_as(&VARIANTS)?;
        Ok(Setting {
            tree: Tree::configure(configuration)?,
            holder: configuration.node_parameter("holder")?,
            after_passing,
            initialized,
        })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { phase: Phase::Idle, holder: None, queue: VecDeque::new(), asked: false }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Start => self.start(setting, me, out),
            Input::Command(Command::Acquire { lock, request }) => {
                self.acquire(setting, me, Claim::new(lock, request), out);
            }
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message } => self.receive(setting, me, from, message, out),
            // Nothing is stored: after a crash a process does not know where the privilege is, and nobody tells it.
            Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn view(&self, _: &Setting, me: NodeId) -> View {
        let holder = match self.holder {
            Some(holder) if holder == me => Value::Text("self".into()),
            holder => Value::node(holder),
        };
        View {
            queue: self.queue.iter().map(|&node| Queued { node, clock: None }).collect(),
            waits_for: self.holder.filter(|_| self.asked).into_iter().collect(),
            variables: BTreeMap::from([
                ("HOLDER".into(), holder),
                ("USING".into(), Value::Flag(matches!(self.phase, Phase::InSection(_)))),
                ("ASKED".into(), Value::Flag(self.asked)),
                ("REQUEST_Q".into(), Value::nodes(&self.queue)),
            ]),
            ..View::default()
        }
    }
}
