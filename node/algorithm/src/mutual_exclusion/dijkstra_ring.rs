//! Dijkstra 1974, "Self-stabilizing Systems in Spite of Distributed Control", CACM 17(11): the ring with K states.
//!
//! Each process has a flag and sees its predecessor's. Process 0 is privileged while the two are equal, and passes the
//! privilege on by counting its flag up modulo k; any other is privileged while they differ, and copies. Who is
//! privileged may enter. Whatever the flags are at first, in the end exactly one process is privileged, if k is large
//! enough.
//!
//! Over messages, each process keeps a copy of its predecessor's flag. The flag is said when it changes and again
//! after each period, so what is lost or doubled does no harm; but what is old must not arrive after what is new.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, ParameterValue, Refusal};
use crate::contract::{Algorithm, Delay, Effect, Effects, Input, Message};
use crate::identity::{NodeId, Ticks};
use crate::span::LONGEST;
use crate::view::{Value, View};

/// How often a flag is said again, unless told otherwise: a tenth of a second in a live run.
const PERIOD: Ticks = 100_000;
/// How long an unwanted privilege rests where flags are shared, unless told otherwise: one unit of time.
const PAUSE: Ticks = 1_000;

/// How a process knows its predecessor's flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// It is told.
    MessagePassing,
    /// It sees it: looking and changing are one step.
    Composite,
}

const SHARING: [(&str, Sharing); 2] = [("message-passing", Sharing::MessagePassing), ("composite", Sharing::Composite)];

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// The number of states: flags are 0 … k−1.
    pub k: u32,
    /// How a process knows its predecessor's flag.
    pub sharing: Sharing,
    /// Over messages: how often a flag is said again.
    pub period: Ticks,
    /// In composite steps: how long an unwanted privilege rests.
    pub pause: Ticks,
}

impl Setting {
    fn successor(&self, node: NodeId) -> NodeId {
        NodeId(if node.0.saturating_add(1) < self.nodes { node.0 + 1 } else { 0 })
    }

    fn predecessor(&self, node: NodeId) -> NodeId {
        NodeId(if node.0 == 0 { self.nodes.saturating_sub(1) } else { node.0 - 1 })
    }

    /// The number of states with which the ring stabilises.
    ///
    /// In composite steps N+1, as the slides say. Over messages 2N: besides its own flag there are N−1 flags and N
    /// copies, so while process 0 counts through all states it comes to one that nobody else has. It stays there until
    /// that state has gone once round the ring, pushing all others out, however many were on the way.
    fn enough_states(nodes: u32, sharing: Sharing) -> u32 {
        match sharing {
            Sharing::MessagePassing => nodes.saturating_mul(2),
            Sharing::Composite => nodes.saturating_add(1),
        }
    }
}

/// The message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum DijkstraRingMessage {
    /// My flag is this.
    #[serde(rename = "FLAG")]
    Flag {
        /// The sender's flag.
        flag: u32,
    },
}

impl Message for DijkstraRingMessage {
    fn kind(&self) -> &'static str {
        "FLAG"
    }
}

/// What a process does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// Over messages: say the flag again.
    Resend,
    /// In composite steps: pass on the privilege that is not wanted.
    Move,
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Entered: this process is privileged.
    Privileged {
        /// Its flag.
        flag: u32,
        /// Its predecessor's.
        copy: u32,
    },
    /// Passed the privilege on: this process does not want the section.
    PassedUnwanted {
        /// The next in the ring.
        to: NodeId,
        /// The flag now.
        flag: u32,
    },
    /// Passed the privilege on: this process has left the section.
    PassedOnLeaving {
        /// The next in the ring.
        to: NodeId,
        /// The flag now.
        flag: u32,
    },
    /// Said again: the last time may have been lost.
    SaidAgain,
    /// Ignored: flags come from the predecessor only.
    NotPredecessor {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: there is no such flag.
    NoFlag {
        /// What was said.
        flag: u32,
        /// How many there are.
        k: u32,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DijkstraRing {
    phase: Phase<()>,
    flag: u32,
    /// The predecessor's flag, as last heard.
    copy: u32,
}

impl DijkstraRing {
    /// Whether this process may enter; always, if there is nobody else.
    #[must_use]
    pub const fn is_privileged(&self, setting: &Setting, me: NodeId) -> bool {
        setting.nodes == 1 || (self.flag == self.copy) == (me.0 == 0)
    }

    /// The flag of this process, 0 … k−1.
    #[must_use]
    pub const fn flag(&self) -> u32 {
        self.flag
    }

    /// The flag of its predecessor, as far as this process knows.
    #[must_use]
    pub const fn copy(&self) -> u32 {
        self.copy
    }

    fn start(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        self.say(setting, me, out);
        if setting.sharing == Sharing::MessagePassing && setting.nodes > 1 {
            set(Timer::Resend, setting.period, out);
        }
        self.use_privilege(setting, me, out);
    }

    fn acquire(&mut self, setting: &Setting, me: NodeId, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        self.use_privilege(setting, me, out);
    }

    fn hear(&mut self, setting: &Setting, me: NodeId, from: NodeId, flag: u32, out: &mut Effects<Self>) {
        if setting.predecessor(me) != from {
            return out.because(Reason::NotPredecessor { from });
        }
        if flag >= setting.k {
            return out.because(Reason::NoFlag { flag, k: setting.k });
        }
        self.copy = flag;
        self.use_privilege(setting, me, out);
    }

    /// Who is privileged enters if he wants to, and if not passes the privilege on: in composite steps after a pause,
    /// since nothing else takes time there.
    fn use_privilege(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        if !self.is_privileged(setting, me) {
            return;
        }
        match (self.phase, setting.sharing) {
            (Phase::Wanting(claim), sharing) => {
                self.phase = Phase::InSection(claim);
                if sharing == Sharing::Composite {
                    out.push(Effect::CancelTimer(Timer::Move));
                }
                out.because(Reason::Privileged { flag: self.flag, copy: self.copy });
                out.outcome(claim.entered());
            }
            (Phase::InSection(_), _) => {}
            (Phase::Idle, _) if setting.nodes == 1 => {}
            (Phase::Idle, Sharing::MessagePassing) => self.pass_unwanted(setting, me, out),
            (Phase::Idle, Sharing::Composite) => set(Timer::Move, setting.pause, out),
        }
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        self.pass_on(setting, me, |to, flag| Reason::PassedOnLeaving { to, flag }, out);
    }

    fn pass_unwanted(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        if self.phase.is_idle() {
            self.pass_on(setting, me, |to, flag| Reason::PassedUnwanted { to, flag }, out);
        }
    }

    /// Passes the privilege on; not if a wrong copy has taken it away meanwhile, or if there is nobody else.
    fn pass_on(
        &mut self,
        setting: &Setting,
        me: NodeId,
        reason: impl FnOnce(NodeId, u32) -> Reason,
        out: &mut Effects<Self>,
    ) {
        if setting.nodes == 1 || !self.is_privileged(setting, me) {
            return;
        }
        self.flag = match me.0 {
            0 if self.copy.saturating_add(1) < setting.k => self.copy + 1,
            0 => 0,
            _ => self.copy,
        };
        out.because(reason(setting.successor(me), self.flag));
        self.say(setting, me, out);
    }

    fn say(&self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let to = setting.successor(me);
        if to != me {
            out.send(to, DijkstraRingMessage::Flag { flag: self.flag });
        }
    }

    fn run_out(&mut self, setting: &Setting, me: NodeId, timer: Timer, out: &mut Effects<Self>) {
        match timer {
            Timer::Resend => {
                out.because(Reason::SaidAgain);
                self.say(setting, me, out);
                set(Timer::Resend, setting.period, out);
            }
            Timer::Move => self.pass_unwanted(setting, me, out),
        }
    }
}

fn set(timer: Timer, after: Ticks, out: &mut Effects<DijkstraRing>) {
    out.push(Effect::SetTimer { timer, delay: Delay::Exactly(after) });
}

/// The number of states, if it is given and not `auto`.
fn states(configuration: &Configuration<'_>) -> Result<Option<u32>, Refusal> {
    if configuration.parameters.get("k").is_some_and(|given| *given == ParameterValue::Text("auto".into())) {
        return Ok(None);
    }
    let states = configuration.number_parameter("k", 2..=u32::MAX.into())?;
    Ok(states.and_then(|states| u32::try_from(states).ok()))
}

impl Algorithm for DijkstraRing {
    type Setting = Setting;
    type Message = DijkstraRingMessage;
    type Timer = Timer;
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "dijkstra-ring",
        title: "Dijkstra's ring",
        family: "mutual-exclusion",
        source: Source {
            authors: "Edsger W. Dijkstra",
            title: "Self-stabilizing Systems in Spite of Distributed Control",
            year: 1974,
        },
        summary: "Flags in a ring: who differs from its predecessor may enter, then copies it; process 0 counts instead.",
        variants: &[
            Variant {
                name: "message-passing",
                summary: "each process keeps a copy of its predecessor's flag, which is said again and again",
                broken: None,
            },
            Variant {
                name: "composite",
                summary: "looking at the predecessor's flag and changing one's own is one step: not over a network",
                broken: None,
            },
        ],
        // An old flag that arrives after a newer one makes a privilege. A lost one is said again, a copy says nothing new.
        assumes: Assumptions {
            fifo: true,
            no_loss: false,
            no_duplication: false,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["FLAG"],
        background_kinds: &["FLAG"],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[
            Parameter {
                name: "k",
                summary: "the number of states of a flag; with too few it need not stabilise",
                default: "auto",
                range: "auto (2N; composite: N+1), 2 … 4294967295",
                unit: None,
            },
            Parameter::time("period", "message-passing: after how long a flag is said again, in ms", "100"),
            Parameter::time("pause", "composite: how long an unwanted privilege rests, in ms", "1"),
        ],
        messages_per_entry: "1 if all want it; without bound if nobody does",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        let sharing = configuration.variant_as(&SHARING)?;
        let nodes = configuration.nodes;
        Ok(Setting {
            nodes,
            k: states(configuration)?.unwrap_or_else(|| Setting::enough_states(nodes, sharing).max(2)),
            sharing,
            period: configuration.time_parameter("period", 1..=LONGEST)?.unwrap_or(PERIOD),
            pause: configuration.time_parameter("pause", 1..=LONGEST)?.unwrap_or(PAUSE),
        })
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        let (period, pause) = (ParameterValue::time(setting.period), ParameterValue::time(setting.pause));
        [("k", ParameterValue::Number(setting.k.into())), ("period", period), ("pause", pause)].into()
    }

    /// Where looking and changing are one step, nothing is on its way.
    fn assumptions(variant: &str) -> Assumptions {
        let assumes = Self::ENTRY.assumes;
        let is_composite = SHARING.contains(&(variant, Sharing::Composite));
        if is_composite { Assumptions { fifo: false, ..assumes } } else { assumes }
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { phase: Phase::Idle, flag: 0, copy: 0 }
    }

    /// Any state will do: the ring stabilises.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            // Nothing is stored: a process that comes back begins with any flag, and the ring stabilises again.
            Input::Start | Input::Restart(_) => self.start(setting, me, out),
            Input::Command(Command::Acquire { lock, request }) => {
                self.acquire(setting, me, Claim::new(lock, request), out);
            }
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message: DijkstraRingMessage::Flag { flag } } => {
                self.hear(setting, me, from, flag, out);
            }
            Input::Timer(timer) => self.run_out(setting, me, timer, out),
            Input::Command(_) => {}
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let privileged = self.is_privileged(setting, me);
        let waits = matches!(self.phase, Phase::Wanting(_)) && !privileged;
        View {
            waits_for: waits.then(|| setting.predecessor(me)).into_iter().collect(),
            variables: BTreeMap::from([
                ("flag".into(), Value::number(self.flag.into())),
                ("copy".into(), Value::number(self.copy.into())),
                ("privileged".into(), Value::Flag(privileged)),
            ]),
            ..View::default()
        }
    }

    fn is_instantaneous(setting: &Setting) -> bool {
        setting.sharing == Sharing::Composite
    }

    /// The flag is `choice` modulo k. Over messages there are k² choices, the copy being `choice` divided by k; in
    /// composite steps there are k, and the copy is told at the start.
    fn arbitrary(setting: &Setting, _: NodeId, choice: u64) -> Option<Self> {
        let k = u64::from(setting.k);
        let copy = match setting.sharing {
            Sharing::MessagePassing => choice / k,
            Sharing::Composite if choice < k => 0,
            Sharing::Composite => return None,
        };
        let (flag, copy) = (u32::try_from(choice % k).ok()?, u32::try_from(copy).ok()?);
        (copy < setting.k).then_some(Self { phase: Phase::Idle, flag, copy })
    }
}
