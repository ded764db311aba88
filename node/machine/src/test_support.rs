//! A small algorithm that produces every kind of effect, and helpers that drive nodes with this algorithm.

use interlock_algorithm::Entry;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::{
    Algorithm, Command, Configuration, Delay, Effect, Effects, Input, LockId, Message, NodeId, Outcome, Parameters,
    Recipients, Refusal, RequestId, View,
};
use serde::{Deserialize, Serialize};

use super::{LiveNode, Steps, live_node};
use crate::channel::ChannelSetting;
use crate::detector::DetectorSetting;
use crate::wire::{Initialization, Report, Step};

/// A JSON value in a report.
pub type Text = serde_json::Value;

/// The messages of [`Echo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum EchoMessage {
    /// Reports that the sender has left the critical section.
    #[serde(rename = "PING")]
    Ping {
        /// The number of the request.
        number: u64,
    },
    /// The reply to a `Ping`.
    #[serde(rename = "DONE")]
    Done {},
}

impl Message for EchoMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Ping { .. } => "PING",
            Self::Done {} => "DONE",
        }
    }
}

/// The reasons that [`Echo`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum EchoReason {
    /// A ping has arrived.
    Pinged {
        /// Number of the request that caused the ping.
        number: u64,
    },
    /// The lock is granted because no process is in the critical section.
    Free,
}

/// Algorithm of the tests. A process enters as soon as its client requests. The process sends messages in four
/// cases: a timer expires, a ping arrives, another process is suspected, or the process has left the critical
/// section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Echo {
    heard: u64,
}

impl Algorithm for Echo {
    type Setting = Vec<NodeId>;
    type Message = EchoMessage;
    type Timer = u8;
    type Stored = u64;
    type Reason = EchoReason;

    const ENTRY: Entry = Entry { name: "echo", ..RicartAgrawala::ENTRY };

    fn configure(_: &Configuration<'_>) -> Result<Vec<NodeId>, Refusal> {
        Ok(Vec::new())
    }

    fn new(_: &Vec<NodeId>, _: NodeId) -> Self {
        Self { heard: 0 }
    }

    fn begin_incarnation(setting: &Vec<NodeId>, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, _: &Vec<NodeId>, _: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Start => {
                out.push(Effect::SetTimer { timer: 1, delay: Delay::Exactly(1000) });
                out.push(Effect::SetTimer { timer: 2, delay: Delay::Uniform(1000, 9000) });
            }
            Input::Restart(stored) => self.heard = stored.unwrap_or(0),
            Input::Message { from, message: EchoMessage::Ping { number } } => {
                self.heard += 1;
                out.because(EchoReason::Pinged { number });
                out.push(Effect::Store(self.heard));
                out.send(from, EchoMessage::Done {});
            }
            Input::Command(Command::Acquire { lock, request }) => {
                out.outcome(Outcome::requested(lock, request));
                out.because(EchoReason::Free);
                out.outcome(Outcome::Entered { lock, request, fence: Some(request.0) });
            }
            Input::Command(Command::Release { lock, request }) => {
                out.outcome(Outcome::Exited { lock, request });
                out.multicast(EchoMessage::Ping { number: request.0 });
            }
            Input::Timer(timer) => {
                out.push(Effect::CancelTimer(3 - timer));
                out.push(Effect::Send { to: Recipients::Set(0), message: EchoMessage::Done {} });
            }
            Input::Suspected(node) => out.send(node, EchoMessage::Done {}),
            Input::Message { message: EchoMessage::Done {}, .. } | Input::Command(_) | Input::Trusted(_) => {}
        }
    }

    fn view(&self, _: &Vec<NodeId>, _: NodeId) -> View {
        View { clock: Some(self.heard), ..View::default() }
    }

    fn members(setting: &Vec<NodeId>, _: NodeId, _: u32) -> &[NodeId] {
        setting
    }
}

/// Returns the initialization of node 1 in a run of `nodes` processes. The node is in its first incarnation and has
/// no client loop.
#[must_use]
pub fn initialization(algorithm: &str, nodes: u32) -> Initialization {
    Initialization {
        hub: "http://127.0.0.1:1".to_owned(),
        secret: "a secret".to_owned(),
        parent: 1,
        node: NodeId(1),
        incarnation: 1,
        nodes,
        algorithm: algorithm.to_owned(),
        variant: None,
        parameters: Parameters::new(),
        seed: 42,
        epoch_ns: 0,
        client_loop: None,
        locks: 1,
        channel: ChannelSetting::default(),
        detector: DetectorSetting::None,
        timers: true,
        next_request: RequestId(1),
        entries: 0,
        program: None,
        declared_kinds: None,
        declares_leases: false,
        confinement: None,
    }
}

/// Creates an [`Echo`] node. The recipient set 0 contains the nodes 0 and 1; node 1 is this node itself.
#[must_use]
pub fn echo(initialization: &Initialization) -> Box<dyn LiveNode> {
    live_node::<Echo>(vec![NodeId(0), NodeId(1)], initialization)
}

/// Returns the steps that are not in a report yet.
///
/// # Panics
/// If the report is invalid.
pub fn read(steps: &mut Steps, node: &dyn LiveNode) -> Vec<Step<Text>> {
    let report: Report<Text> = serde_json::from_slice(&steps.report(1, 1, node)).expect("a report");
    report.steps
}

/// Passes `items` to the node as inputs, one each millisecond. Returns the resulting steps.
///
/// # Panics
/// If the report is invalid.
pub fn take(node: &mut dyn LiveNode, items: &[&str]) -> Vec<Step<Text>> {
    let mut steps = Steps::default();
    for (place, item) in items.iter().enumerate() {
        node.take(item, place as u64 * 1000, &mut steps);
    }
    read(&mut steps, node)
}

/// The lock of the tests.
pub const LOCK: LockId = LockId(0);
