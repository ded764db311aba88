//! Text form of step records. The effects of the algorithm are written directly as the text of a
//! [`Report`](crate::wire::Report).

use std::io::Write;

use interlock_algorithm::{Algorithm, NodeId, Outcome, Recipients, Ticks};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::LiveNode;
use crate::application::{TELL, Told};
use crate::channel::{CHANNEL_ACK, Header, Packet, Said};
use crate::detector::{HEARTBEAT, Heartbeat};
use crate::followed::{Consequence, Followed};
use crate::message_id::MessageId;
use crate::recipients::recipients;
use crate::wire::{StepInput, TimerName};

/// Capacity of the buffer that is kept between reports, in bytes. If a report has needed more memory, the excess is
/// freed.
const CAPACITY_KEPT: usize = 256 << 10;

/// Text of the step records that are not in a report yet.
#[derive(Debug, Default)]
pub struct Steps {
    /// Records, separated by commas. The closing brace of the last record is missing, because a view may be added
    /// to this record.
    text: Vec<u8>,
}

impl Steps {
    /// Whether there are no step records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the length of the text in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.text.len()
    }

    /// Removes all step records, and returns a report that contains them, in order. The report adds the view of the
    /// node to the last step.
    pub fn report(&mut self, incarnation: u32, batch: u64, node: &dyn LiveNode) -> Vec<u8> {
        let mut report = Vec::with_capacity(self.text.len() + 512);
        // Writing to memory cannot fail.
        let _ = write!(report, r#"{{"incarnation":{incarnation},"batch":{batch},"steps":["#);
        report.extend_from_slice(&self.text);
        if !self.text.is_empty() {
            report.extend_from_slice(br#","view":"#);
            node.write_view(&mut report);
            report.push(b'}');
        }
        report.push(b']');
        if let Some(failure) = node.failure() {
            report.extend_from_slice(br#","failed":"#);
            // Writing a text cannot fail.
            let _ = serde_json::to_writer(&mut report, failure);
        }
        report.push(b'}');
        self.text.clear();
        self.text.shrink_to(CAPACITY_KEPT);
        report
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If the record cannot be written as JSON. The text then remains unchanged.
    pub(super) fn push(&mut self, record: &impl Serialize) -> serde_json::Result<()> {
        let before = self.text.len();
        if before > 0 {
            self.text.extend_from_slice(b"},");
        }
        let written = serde_json::to_writer(&mut self.text, record);
        // If the record was written, remove its closing brace; otherwise, remove the whole record.
        let length = if written.is_ok() { self.text.len() - 1 } else { before };
        self.text.truncate(length);
        written
    }
}

/// The identity of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    pub(super) me: NodeId,
    pub(super) nodes: u32,
}

/// Data from which a node determines the recipients of its messages.
pub(super) struct Scope<'a, A: Algorithm> {
    pub(super) setting: &'a A::Setting,
    pub(super) identity: Identity,
}

/// The name of a timer. It comes either from the algorithm, or from an input that the node refused.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(super) enum TimerPiece<'a, T> {
    Own(T),
    Raw(&'a RawValue),
}

/// A step, written as a [`wire::Step`](crate::wire::Step) without the view.
#[derive(Serialize)]
#[serde(bound = "")]
pub(super) struct Record<'a, A: Algorithm> {
    pub(super) step: u64,
    pub(super) at_us: u64,
    pub(super) input: StepInput<TimerPiece<'a, A::Timer>>,
    #[serde(skip_serializing_if = "Written::is_empty")]
    pub(super) effects: Written<'a, A>,
    #[serde(skip_serializing_if = "Reasons::is_empty")]
    pub(super) because: Reasons<'a, A>,
}

/// The effects of a step, as a list of records.
pub(super) struct Written<'a, A: Algorithm> {
    pub(super) scope: &'a Scope<'a, A>,
    pub(super) followed: &'a Followed<A>,
}

impl<'a, A: Algorithm> Written<'a, A> {
    fn is_empty(&self) -> bool {
        self.records().next().is_none()
    }

    fn records(&self) -> impl Iterator<Item = EffectRecord<'a, A>> {
        let Self { scope, followed } = *self;
        let refused = followed.objection().map(|detail| EffectRecord::Refused { detail });
        followed.iter().map(move |consequence| EffectRecord::of(scope, consequence)).chain(refused)
    }
}

impl<A: Algorithm> Serialize for Written<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.records())
    }
}

/// The reasons of a step.
pub(super) struct Reasons<'a, A: Algorithm>(pub(super) &'a Followed<A>);

impl<A: Algorithm> Reasons<'_, A> {
    fn is_empty(&self) -> bool {
        self.0.reasons().next().is_none()
    }
}

impl<A: Algorithm> Serialize for Reasons<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.reasons())
    }
}

/// An effect, written as a [`wire::StepEffect`](crate::wire::StepEffect).
#[derive(Serialize)]
#[serde(rename_all = "snake_case", bound = "")]
enum EffectRecord<'a, A: Algorithm> {
    Send(Sent<'a, A>),
    #[serde(rename = "send")]
    Transmit(Transmitted<'a, A>),
    Taken {
        message: MessageId,
        kind: &'static str,
    },
    #[serde(rename = "send")]
    Beat(Beaten<'a, A>),
    Suspected {
        whom: NodeId,
    },
    Trusted {
        whom: NodeId,
    },
    SetTimer {
        timer: TimerName<A::Timer>,
        delay_us: Ticks,
    },
    CancelTimer {
        timer: TimerName<A::Timer>,
    },
    Store(&'a A::Stored),
    Outcome(&'a Outcome),
    #[serde(rename = "send")]
    Tell(ToldTo),
    Refused {
        detail: &'a str,
    },
}

/// An effect, borrowed from a step.
type Borrowed<'a, A> =
    Consequence<&'a <A as Algorithm>::Message, <A as Algorithm>::Timer, &'a <A as Algorithm>::Stored, &'a Outcome>;

impl<'a, A: Algorithm> EffectRecord<'a, A> {
    fn of(scope: &'a Scope<'a, A>, consequence: Borrowed<'a, A>) -> Self {
        match consequence {
            Consequence::Send { to, message } => Self::Send(Sent { to: Addressed { scope, to }, message }),
            Consequence::Transmit { to, packet } => Self::Transmit(Transmitted { to: [to], packet }),
            Consequence::Taken { message, kind } => Self::Taken { message, kind },
            Consequence::Beat { heartbeat } => {
                Self::Beat(Beaten { to: Addressed { scope, to: Recipients::Others }, kind: HEARTBEAT, body: heartbeat })
            }
            Consequence::Suspected { whom } => Self::Suspected { whom },
            Consequence::Trusted { whom } => Self::Trusted { whom },
            Consequence::Tell { to, told } => Self::Tell(ToldTo { to: [to], kind: TELL, body: told }),
            Consequence::SetTimer { timer, delay_us } => Self::SetTimer { timer, delay_us },
            Consequence::CancelTimer { timer } => Self::CancelTimer { timer },
            Consequence::Store(stored) => Self::Store(stored),
            Consequence::Outcome(outcome) => Self::Outcome(outcome),
        }
    }
}

/// A message and its recipients. The message is written as its kind and its body.
#[derive(Serialize)]
#[serde(bound = "")]
struct Sent<'a, A: Algorithm> {
    to: Addressed<'a, A>,
    #[serde(flatten)]
    message: &'a A::Message,
}

/// A packet of a channel, and its recipient.
struct Transmitted<'a, A: Algorithm> {
    to: [NodeId; 1],
    packet: Box<Packet<&'a A::Message>>,
}

impl<A: Algorithm> Serialize for Transmitted<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let to = self.to;
        match &*self.packet {
            Packet::Data { header, said: Said::Protocol(message) } => {
                OnAChannel { to, header, message }.serialize(serializer)
            }
            Packet::Data { header, said: Said::Told(told) } => {
                OnAChannel { to, header, message: ByKind { kind: TELL, body: told } }.serialize(serializer)
            }
            Packet::Acknowledgement(acknowledgement) => {
                Beside { to, message: ByKind { kind: CHANNEL_ACK, body: acknowledgement } }.serialize(serializer)
            }
        }
    }
}

/// A message that passes through the channel, with its position in the channel's sequence.
#[derive(Serialize)]
struct OnAChannel<'a, M> {
    to: [NodeId; 1],
    header: &'a Header,
    #[serde(flatten)]
    message: M,
}

/// A message that does not pass through the channel.
#[derive(Serialize)]
struct Beside<M> {
    to: [NodeId; 1],
    #[serde(flatten)]
    message: M,
}

/// The kind and body of a message.
#[derive(Serialize)]
struct ByKind<B> {
    kind: &'static str,
    body: B,
}

/// A message of the application, and its recipient.
#[derive(Serialize)]
struct ToldTo {
    to: [NodeId; 1],
    kind: &'static str,
    body: Told,
}

/// A heartbeat, and its recipients.
#[derive(Serialize)]
#[serde(bound = "")]
struct Beaten<'a, A: Algorithm> {
    to: Addressed<'a, A>,
    kind: &'static str,
    body: Heartbeat,
}

/// The recipients of a message, written as a list of nodes without the sender.
struct Addressed<'a, A: Algorithm> {
    scope: &'a Scope<'a, A>,
    to: Recipients,
}

impl<A: Algorithm> Serialize for Addressed<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Scope { setting, identity: Identity { me, nodes, .. }, .. } = *self.scope;
        serializer.collect_seq(recipients::<A>(setting, me, nodes, self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::evenly;

    #[test]
    fn a_draw_falls_evenly_between_the_bounds_and_on_both() {
        assert_eq!((evenly(0, 5, 9), evenly(u64::MAX, 5, 9), evenly(u64::MAX / 2, 5, 9)), (5, 9, 7));
        assert_eq!((evenly(u64::MAX, 7, 7), evenly(u64::MAX, 9, 7)), (7, 9));
        assert_eq!((evenly(0, 0, u64::MAX), evenly(u64::MAX, 0, u64::MAX)), (0, u64::MAX));
    }

    #[test]
    fn what_cannot_be_written_leaves_no_trace() {
        let mut steps = Steps::default();
        let unwritable = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(steps.push(&unwritable).is_err());
        assert!(steps.is_empty());
        assert!(steps.push(&std::collections::BTreeMap::from([("step", 1)])).is_ok());
        let length = steps.len();
        assert!(steps.push(&unwritable).is_err());
        assert_eq!(steps.len(), length);
    }
}
