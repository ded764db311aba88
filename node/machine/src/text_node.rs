//! A node whose inputs and step records are text. This module contains all checks of data from the network.

use std::sync::Arc;

use interlock_algorithm::plausibility::implausible;
use interlock_algorithm::{Algorithm, NodeId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::channel::{Acknowledgement, CHANNEL_ACK, ChannelSetting, Packet, Said};
use super::client::{Client, ClientContext};
use super::detector::{DetectorSetting, HEARTBEAT, Heartbeat};
use super::followed::Followed;
use super::node::{Context, Node, NodeInput, Refused};
use super::record::{Identity, Reasons, Record, Scope, TimerPiece, Written};
use super::{LiveNode, Steps};
use crate::application::{TELL, Told};
use crate::message_id::MessageId;
use crate::wire::{Delivery, Initialization, InputItem, Step, StepEffect, StepInput, TimerName};
use crate::wording::complaint;

/// Maximum length of a refusal's reason, in bytes. A longer reason is truncated, because it may quote a long input.
const LONGEST_DETAIL: usize = 300;

/// The reason why a node refuses an input from the network.
#[derive(Debug, thiserror::Error)]
enum Rejected {
    #[error("cannot read the input: {}", complaint(.0))]
    Input(#[source] serde_json::Error),
    #[error("cannot read the stored state: {}", complaint(.0))]
    Stored(#[source] serde_json::Error),
    #[error("cannot read the message: {}", complaint(.0))]
    Message(#[source] serde_json::Error),
    /// The id of the message contradicts its sender `.1` and its receiver `.2`, or the sender cannot send this message.
    #[error("message {0} is not a message from {1} to {2}")]
    Misaddressed(MessageId, NodeId, NodeId),
    #[error("{0}")]
    Implausible(String),
    #[error("no such timer is pending")]
    NoTimer,
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("cannot write the step as JSON: {0}")]
    Unwritable(#[source] serde_json::Error),
}

/// A node of algorithm `A` that runs in a process of its own. The inputs and step records of the node are text.
pub(super) struct TextNode<A: Algorithm> {
    setting: A::Setting,
    node: Node<A>,
    identity: Identity,
    seed: u64,
    channel: ChannelSetting,
    detector: DetectorSetting,
    timers_run: bool,
    exhausted: bool,
    last_us: u64,
    // The buffer is cleared and reused in each step.
    followed: Followed<A>,
}

/// An input that was read: its name for the step record, and either the input for the node or the reason to refuse
/// it.
type Admission<'a, A> = (StepInput<TimerPiece<'a, <A as Algorithm>::Timer>>, Result<NodeInput<A>, Rejected>);

impl<A: Algorithm> TextNode<A> {
    pub(super) fn new(setting: A::Setting, initialization: &Initialization) -> Self {
        let Initialization { node, nodes, seed, locks, incarnation, .. } = *initialization;
        let client_loop = initialization.client_loop.clone().map(Arc::new);
        let client_context = ClientContext::of::<A>(&setting, locks);
        let client = Client::new(node, nodes, seed, client_loop, client_context)
            .barred_from(ClientContext::barred::<A>(&setting, node, locks))
            .reborn(initialization.next_request, initialization.entries);
        Self {
            node: Node::new(&setting, node, incarnation, client),
            setting,
            identity: Identity { me: node, nodes },
            seed,
            channel: initialization.channel,
            detector: initialization.detector,
            timers_run: initialization.timers,
            exhausted: false,
            last_us: 0,
            followed: Followed::default(),
        }
    }

    fn admit<'a>(&mut self, item: &'a str) -> Admission<'a, A> {
        match serde_json::from_str(item) {
            Ok(item) => self.admit_item(item),
            Err(error) => (salvage(item), Err(Rejected::Input(error))),
        }
    }

    fn admit_item<'a>(&mut self, item: InputItem<&'a RawValue>) -> Admission<'a, A> {
        match item {
            InputItem::Start {} => (StepInput::Start {}, Ok(NodeInput::Start)),
            InputItem::Restart { stored } => {
                let read = stored.map(|stored| A::read_stored(&self.setting, stored)).transpose();
                (
                    StepInput::Restart { stored: stored.is_some() },
                    read.map(NodeInput::Restart).map_err(Rejected::Stored),
                )
            }
            InputItem::Message(delivery) => {
                let message = self.receive(&delivery);
                (StepInput::Message(delivery.id), message)
            }
            InputItem::Command(command) => {
                let order = command.order.clone();
                (StepInput::Command(command), Ok(NodeInput::Order(order)))
            }
            InputItem::Timer(name) => self.admit_timer(name),
        }
    }

    fn receive(&self, delivery: &Delivery<&RawValue>) -> Result<NodeInput<A>, Rejected> {
        let Delivery { id, from, kind, body, header } = delivery;
        let Identity { me, nodes } = self.identity;
        if !self.node.has_begun() {
            return Err(Refused::NotStarted.into());
        }
        if id.to != me || id.from != *from || *from == me || from.0 >= nodes {
            return Err(Rejected::Misaddressed(*id, *from, me));
        }
        if kind == CHANNEL_ACK {
            let packet =
                Packet::Acknowledgement(believed(Acknowledgement::deserialize(*body).map_err(Rejected::Message)?)?);
            return Ok(NodeInput::Packet { from: *from, id: *id, packet: Box::new(packet) });
        }
        if kind == HEARTBEAT {
            let heartbeat = believed(Heartbeat::deserialize(*body).map_err(Rejected::Message)?)?;
            return Ok(NodeInput::Heartbeat { from: *from, heartbeat });
        }
        let said = if kind == TELL {
            Said::Told(believed(Told::deserialize(*body).map_err(Rejected::Message)?)?)
        } else {
            Said::Protocol(believed(A::read_message(&self.setting, kind, body).map_err(Rejected::Message)?)?)
        };
        Ok(match (header, said) {
            (Some(header), said) => {
                let packet = Packet::Data { header: believed(*header)?, said };
                NodeInput::Packet { from: *from, id: *id, packet: Box::new(packet) }
            }
            (None, Said::Protocol(message)) => NodeInput::Message { from: *from, message },
            (None, Said::Told(told)) => NodeInput::Told(told),
        })
    }

    fn admit_timer<'a>(&mut self, name: TimerName<&'a RawValue>) -> Admission<'a, A> {
        let own = match name {
            TimerName::Client(timer) => TimerName::Client(timer),
            TimerName::Channel(other) => TimerName::Channel(other),
            TimerName::Detector(timer) => TimerName::Detector(timer),
            TimerName::Algorithm(text) => match A::read_timer(&self.setting, text) {
                Ok(timer) => TimerName::Algorithm(timer),
                Err(_) => {
                    return (StepInput::Timer(TimerName::Algorithm(TimerPiece::Raw(text))), Err(Rejected::NoTimer));
                }
            },
        };
        let is_pending = self.node.timers_mut().cancel(own);
        let input = if is_pending { Ok(NodeInput::Timer(own)) } else { Err(Rejected::NoTimer) };
        (StepInput::Timer(piece(own)), input)
    }

    /// Executes a step with an input, and appends the step record.
    fn step(
        &mut self,
        now_us: u64,
        named: StepInput<TimerPiece<'_, A::Timer>>,
        admitted: Result<NodeInput<A>, Rejected>,
        out: &mut Steps,
    ) {
        self.last_us = self.last_us.max(now_us);
        let context = Context {
            setting: &self.setting,
            seed: self.seed,
            channel: self.channel,
            detector: self.detector,
            nodes: self.identity.nodes,
            timers: self.timers_run,
            exhausted: self.exhausted,
            now_us: self.last_us,
        };
        let taken = match admitted {
            Ok(input) => self.node.take(&context, input, &mut self.followed).map_err(Rejected::from),
            Err(error) => {
                self.node.refuse();
                Err(error)
            }
        };
        match taken {
            Ok(()) => self.record(named, out),
            Err(error) => self.refuse(named, &error, out),
        }
        self.followed.clear();
    }

    /// Appends the record of a step whose input the node has accepted.
    fn record(&mut self, input: StepInput<TimerPiece<'_, A::Timer>>, out: &mut Steps) {
        self.followed.gather();
        let step = self.node.step();
        let scope = Scope::<A> { setting: &self.setting, identity: self.identity };
        let effects = Written { scope: &scope, followed: &self.followed };
        let (at_us, lasted_us) = (self.last_us, self.followed.lasted_us);
        let answered_us = (lasted_us > 0).then(|| at_us.saturating_add(lasted_us));
        let record = Record { step, at_us, answered_us, input, effects, because: Reasons(&self.followed) };
        let written = out.push(&record);
        let Record { input, .. } = record;
        if let Err(error) = written {
            self.refuse(input, &Rejected::Unwritable(error), out);
        }
    }

    fn refuse(&self, input: StepInput<TimerPiece<'_, A::Timer>>, error: &Rejected, out: &mut Steps) {
        let mut detail = error.to_string();
        detail.truncate(detail.floor_char_boundary(LONGEST_DETAIL));
        let effects = vec![StepEffect::Refused { detail }];
        let step = self.node.step();
        let refused =
            Step { step, at_us: self.last_us, answered_us: None, input, effects, because: Vec::new(), view: None };
        // A record of numbers and texts can always be written as JSON, so the result is ignored.
        let _ = out.push(&refused);
    }
}

impl<A: Algorithm> LiveNode for TextNode<A> {
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps) {
        let (named, admitted) = self.admit(item);
        self.step(now_us, named, admitted, out);
    }

    fn exhaust(&mut self, exhausted: bool) {
        self.exhausted = exhausted;
    }

    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool {
        let Some(name) = self.node.timers_mut().pop_due(now_us) else { return false };
        self.step(now_us, StepInput::Timer(piece(name)), Ok(NodeInput::Timer(name)), out);
        true
    }

    fn due_us(&self) -> Option<u64> {
        self.node.timers().due_us()
    }

    fn write_view(&self, out: &mut Vec<u8>) {
        let before = out.len();
        if serde_json::to_writer(&mut *out, &self.node.state().view(&self.setting, self.identity.me)).is_err() {
            out.truncate(before);
            out.extend_from_slice(b"null");
        }
    }
}

const fn piece<'a, T>(name: TimerName<T>) -> TimerName<TimerPiece<'a, T>>
where
    T: Copy,
{
    match name {
        TimerName::Client(timer) => TimerName::Client(timer),
        TimerName::Channel(other) => TimerName::Channel(other),
        TimerName::Detector(timer) => TimerName::Detector(timer),
        TimerName::Algorithm(timer) => TimerName::Algorithm(TimerPiece::Own(timer)),
    }
}

/// Checks a value from outside. Returns the value, or the reason why no run can have produced this value.
fn believed<T: Serialize>(said: T) -> Result<T, Rejected> {
    implausible(&said).map_or(Ok(said), |reason| Err(Rejected::Implausible(reason)))
}

/// Returns the name of an unreadable input for its step record: the id of the message if the id can be read, or
/// else `Unreadable`.
fn salvage<'a, T>(item: &str) -> StepInput<TimerPiece<'a, T>> {
    #[derive(Deserialize)]
    struct Item {
        message: Named,
    }
    #[derive(Deserialize)]
    struct Named {
        id: MessageId,
    }
    match serde_json::from_str(item) {
        Ok(Item { message: Named { id } }) => StepInput::Message(id),
        Err(_) => StepInput::Unreadable {},
    }
}
