//! Text form of step records. The effects of the algorithm are written directly as the text of a
//! [`Report`](crate::wire::Report).

use std::io::Write;

use interlock_algorithm::{Algorithm, NodeId, Recipients};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::LiveNode;
use crate::application::TELL;
use crate::channel::{CHANNEL_ACK, Header, Packet, Said};
use crate::detector::HEARTBEAT;
use crate::followed::{Consequence, Followed};
use crate::recipients::recipients;
use crate::wire::StepInput;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answered_us: Option<u64>,
    pub(super) input: StepInput<TimerPiece<'a, A::Timer>>,
    #[serde(skip_serializing_if = "Written::is_empty")]
    pub(super) effects: Written<'a, A>,
    #[serde(skip_serializing_if = "Reasons::is_empty")]
    pub(super) because: Reasons<'a, A>,
}

/// The effects of a step, as a list. `Followed::gather` must have been called.
pub(super) struct Written<'a, A: Algorithm> {
    pub(super) scope: &'a Scope<'a, A>,
    pub(super) followed: &'a Followed<A>,
}

impl<A: Algorithm> Written<'_, A> {
    const fn is_empty(&self) -> bool {
        self.followed.consequences.is_empty()
    }
}

impl<A: Algorithm> Serialize for Written<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scope, followed } = *self;
        serializer.collect_seq(followed.consequences.iter().map(|consequence| InScope { scope, consequence }))
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

/// An effect with the data that determine its recipients, written as a [`wire::StepEffect`](crate::wire::StepEffect).
struct InScope<'a, A: Algorithm> {
    scope: &'a Scope<'a, A>,
    consequence: &'a Consequence<A>,
}

impl<A: Algorithm> Serialize for InScope<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        match self.consequence {
            Consequence::Send { to, message } => sent(serializer, Addressed { scope, to: *to }, None, message),
            Consequence::Transmit { to, packet } => match &**packet {
                Packet::Data { header, said: Said::Protocol(message) } => sent(serializer, [to], Some(header), message),
                Packet::Data { header, said: Said::Told(told) } => {
                    sent(serializer, [to], Some(header), &ByKind { kind: TELL, body: told })
                }
                Packet::Acknowledgement(body) => sent(serializer, [to], None, &ByKind { kind: CHANNEL_ACK, body }),
            },
            Consequence::Beat { heartbeat } => {
                let to = Addressed { scope, to: Recipients::Others };
                sent(serializer, to, None, &ByKind { kind: HEARTBEAT, body: heartbeat })
            }
            Consequence::Tell { to, told } => sent(serializer, [to], None, &ByKind { kind: TELL, body: told }),
            other => other.serialize(serializer),
        }
    }
}

/// Writes the effect of sending a message. `header` is the message's position in the channel's sequence. The message
/// is written as its kind and its body.
fn sent<S: Serializer>(
    serializer: S,
    to: impl Serialize,
    header: Option<&Header>,
    message: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Sent<'a, T, M> {
        to: T,
        #[serde(skip_serializing_if = "Option::is_none")]
        header: Option<&'a Header>,
        #[serde(flatten)]
        message: &'a M,
    }
    serializer.serialize_newtype_variant("StepEffect", 0, "send", &Sent { to, header, message })
}

/// The kind and body of a message.
#[derive(Serialize)]
struct ByKind<'a, B> {
    kind: &'static str,
    body: &'a B,
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
