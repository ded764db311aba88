//! Writing step records: straight from what the algorithm said to the text of a [`Report`](crate::wire::Report).

use std::io::Write;

use interlock_algorithm::{Algorithm, Delay, Effect, NodeId, Outcome, Recipients, Ticks};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::LiveNode;
use super::client::ClientEffect;
use super::node::Followed;
use crate::delay::delay_ticks;
use crate::recipients::recipients;
use crate::wire::{Initialization, StepInput, TELL, TimerName, Told};

/// The capacity that is kept for the next report; what a burst needed beyond it is given back.
const CAPACITY_KEPT: usize = 256 << 10;

/// The records of steps that are in no report yet, as text.
#[derive(Debug, Default)]
pub struct Steps {
    /// Records with commas between them. The last one lacks its closing brace: it may still get a view.
    text: Vec<u8>,
}

impl Steps {
    /// Whether no step waits for a report.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How long the text is, in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.text.len()
    }

    /// Makes a report of all steps, in order, with the view of the node on the last; then there are none left.
    pub fn report(&mut self, incarnation: u32, batch: u64, node: &dyn LiveNode) -> Vec<u8> {
        let mut report = Vec::with_capacity(self.text.len() + 512);
        // Writing to memory does not fail.
        let _ = write!(report, r#"{{"incarnation":{incarnation},"batch":{batch},"steps":["#);
        report.extend_from_slice(&self.text);
        if !self.text.is_empty() {
            report.extend_from_slice(br#","view":"#);
            node.write_view(&mut report);
            report.push(b'}');
        }
        report.extend_from_slice(b"]}");
        self.text.clear();
        self.text.shrink_to(CAPACITY_KEPT);
        report
    }

    /// Appends a record.
    ///
    /// # Errors
    /// When it cannot be written as JSON; then it is not there.
    pub(super) fn push(&mut self, record: &impl Serialize) -> serde_json::Result<()> {
        let before = self.text.len();
        if before > 0 {
            self.text.extend_from_slice(b"},");
        }
        let written = serde_json::to_writer(&mut self.text, record);
        // Without its closing brace, or not at all.
        let length = if written.is_ok() { self.text.len() - 1 } else { before };
        self.text.truncate(length);
        written
    }
}

/// Who a node is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    pub(super) me: NodeId,
    pub(super) nodes: u32,
    pub(super) seed: u64,
    pub(super) incarnation: u32,
}

impl Identity {
    pub(super) const fn of(initialization: &Initialization) -> Self {
        let Initialization { node, nodes, seed, incarnation, .. } = *initialization;
        Self { me: node, nodes, seed, incarnation }
    }
}

/// What a node has to know to tell what its algorithm meant in a step.
pub(super) struct Scope<'a, A: Algorithm> {
    pub(super) setting: &'a A::Setting,
    pub(super) identity: Identity,
    pub(super) step: u64,
}

impl<A: Algorithm> Scope<'_, A> {
    /// The delay in microseconds that the effect in this place of the step asks for.
    pub(super) fn delay_us(&self, delay: Delay, place: usize) -> Ticks {
        let Identity { me, seed, incarnation, .. } = self.identity;
        delay_ticks(delay, seed, me, incarnation, self.step, place)
    }
}

/// The name of a timer: as the algorithm writes it, or as it stood in an input that was refused.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(super) enum TimerPiece<'a, T> {
    Own(T),
    Raw(&'a RawValue),
}

/// A step, as in [`wire::Step`](crate::wire::Step) but for the view.
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

/// What followed, as a list of records.
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
        let own = followed.effects().iter().enumerate();
        let own = own.filter_map(move |(place, effect)| EffectRecord::of(scope, place, effect));
        let refused = followed.objection().map(|detail| EffectRecord::Refused { detail });
        own.chain(followed.client().iter().map(EffectRecord::of_client)).chain(refused)
    }
}

impl<A: Algorithm> Serialize for Written<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.records())
    }
}

/// The reasons among the effects.
pub(super) struct Reasons<'a, A: Algorithm>(pub(super) &'a [Effect<A>]);

impl<'a, A: Algorithm> Reasons<'a, A> {
    fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    fn iter(&self) -> impl Iterator<Item = &'a A::Reason> {
        self.0.iter().filter_map(|effect| match effect {
            Effect::Because(reason) => Some(reason),
            _ => None,
        })
    }
}

impl<A: Algorithm> Serialize for Reasons<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// An effect, as in [`wire::StepEffect`](crate::wire::StepEffect).
#[derive(Serialize)]
#[serde(rename_all = "snake_case", bound = "")]
enum EffectRecord<'a, A: Algorithm> {
    Send(Sent<'a, A>),
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

impl<'a, A: Algorithm> EffectRecord<'a, A> {
    fn of(scope: &'a Scope<'a, A>, place: usize, effect: &'a Effect<A>) -> Option<Self> {
        Some(match effect {
            Effect::Send { to, message } => Self::Send(Sent { to: Addressed { scope, to: *to }, message }),
            Effect::SetTimer { timer, delay } => {
                Self::SetTimer { timer: TimerName::Algorithm(*timer), delay_us: scope.delay_us(*delay, place) }
            }
            Effect::CancelTimer(timer) => Self::CancelTimer { timer: TimerName::Algorithm(*timer) },
            Effect::Store(stored) => Self::Store(stored),
            Effect::Outcome(outcome) => Self::Outcome(outcome),
            Effect::Because(_) => return None,
        })
    }

    const fn of_client(effect: &ClientEffect) -> Self {
        match *effect {
            ClientEffect::Set(timer, delay_us) => Self::SetTimer { timer: TimerName::Client(timer), delay_us },
            ClientEffect::Cancel(timer) => Self::CancelTimer { timer: TimerName::Client(timer) },
            ClientEffect::Tell(to, body) => Self::Tell(ToldTo { to: [to], kind: TELL, body }),
        }
    }
}

/// A message and whom it is for. The message writes its own kind and body.
#[derive(Serialize)]
#[serde(bound = "")]
struct Sent<'a, A: Algorithm> {
    to: Addressed<'a, A>,
    #[serde(flatten)]
    message: &'a A::Message,
}

/// A message of the application and whom it is for.
#[derive(Serialize)]
struct ToldTo {
    to: [NodeId; 1],
    kind: &'static str,
    body: Told,
}

/// The recipients as a list of nodes, without the sender.
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
