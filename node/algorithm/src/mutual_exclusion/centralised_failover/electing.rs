//! The election inside: a state machine of its own, whose effects become those of the whole.

use serde::{Deserialize, Serialize};

use super::message::{ElectionReason, FailoverMessage, Reason};
use super::{CentralisedFailover, Timer};
use crate::command::Command;
use crate::contract::{Algorithm, Effect, Effects, Input};
use crate::election::acknowledged_ring::{self, AcknowledgedRing};
use crate::election::bully::{self, Bully};
use crate::election::{Known, Term};
use crate::identity::NodeId;
use crate::outcome::Outcome;

/// Which election there is, and what is fixed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElectionSetting {
    /// The bully algorithm.
    Bully(bully::Setting),
    /// The acknowledged ring.
    Ring(acknowledged_ring::Setting),
}

/// A process of the election.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Election {
    Bully(Bully),
    Ring(AcknowledgedRing),
}

/// A timer of the election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElectionTimer {
    /// The bully's.
    Bully(bully::Timer),
    /// The ring's.
    Ring(acknowledged_ring::Timer),
}

/// What comes in at the election.
pub(super) enum ElectionInput {
    Elect,
    Restart(Option<Term>),
    Message { from: NodeId, message: FailoverMessage },
    Timer(ElectionTimer),
}

impl ElectionInput {
    fn for_bully(self) -> Option<Input<Bully>> {
        match self {
            Self::Elect => Some(Input::Command(Command::Elect)),
            Self::Restart(stored) => Some(Input::Restart(stored)),
            Self::Message { from, message: FailoverMessage::Bully(message) } => Some(Input::Message { from, message }),
            Self::Timer(ElectionTimer::Bully(timer)) => Some(Input::Timer(timer)),
            Self::Message { .. } | Self::Timer(_) => None,
        }
    }

    fn for_ring(self) -> Option<Input<AcknowledgedRing>> {
        match self {
            Self::Elect => Some(Input::Command(Command::Elect)),
            Self::Restart(stored) => Some(Input::Restart(stored)),
            Self::Message { from, message: FailoverMessage::Ring(message) } => Some(Input::Message { from, message }),
            Self::Timer(ElectionTimer::Ring(timer)) => Some(Input::Timer(timer)),
            Self::Message { .. } | Self::Timer(_) => None,
        }
    }
}

impl Election {
    pub fn new(setting: &ElectionSetting, me: NodeId) -> Self {
        match setting {
            ElectionSetting::Bully(setting) => Self::Bully(Bully::new(setting, me)),
            ElectionSetting::Ring(setting) => Self::Ring(AcknowledgedRing::new(setting, me)),
        }
    }

    pub const fn known(&self) -> &Known {
        match self {
            Self::Bully(election) => election.known(),
            Self::Ring(election) => election.known(),
        }
    }

    pub const fn is_busy(&self) -> bool {
        match self {
            Self::Bully(election) => election.is_busy(),
            Self::Ring(election) => election.is_busy(),
        }
    }

    /// Takes an input, and says whom it takes for the coordinator because of it, if anybody, and of which term.
    pub fn step(
        &mut self,
        setting: &ElectionSetting,
        me: NodeId,
        input: ElectionInput,
        out: &mut Effects<CentralisedFailover>,
    ) -> Option<(NodeId, u64)> {
        match (self, setting) {
            (Self::Bully(election), ElectionSetting::Bully(setting)) => {
                let mut effects = Effects::default();
                election.step(setting, me, input.for_bully()?, &mut effects);
                let reason = |because| Reason::Election { because: ElectionReason::Bully(because) };
                forward(effects, FailoverMessage::Bully, ElectionTimer::Bully, reason, out)
            }
            (Self::Ring(election), ElectionSetting::Ring(setting)) => {
                let mut effects = Effects::default();
                election.step(setting, me, input.for_ring()?, &mut effects);
                let reason = |because| Reason::Election { because: ElectionReason::Ring(because) };
                forward(effects, FailoverMessage::Ring, ElectionTimer::Ring, reason, out)
            }
            _ => None,
        }
    }
}

/// Makes the effects of the election those of the whole.
fn forward<A: Algorithm<Stored = Term>>(
    mut effects: Effects<A>,
    message: fn(A::Message) -> FailoverMessage,
    timer: fn(A::Timer) -> ElectionTimer,
    reason: fn(A::Reason) -> Reason,
    out: &mut Effects<CentralisedFailover>,
) -> Option<(NodeId, u64)> {
    let mut elected = None;
    for effect in effects.drain() {
        out.push(match effect {
            Effect::Send { to, message: sent } => Effect::Send { to, message: message(sent) },
            Effect::SetTimer { timer: set, delay } => Effect::SetTimer { timer: Timer::Election(timer(set)), delay },
            Effect::CancelTimer(cancelled) => Effect::CancelTimer(Timer::Election(timer(cancelled))),
            Effect::Store(stored) => Effect::Store(stored),
            Effect::Because(because) => Effect::Because(reason(because)),
            Effect::Outcome(outcome) => {
                if let Outcome::Elected { leader, term, .. } = outcome {
                    elected = Some((leader, term));
                }
                Effect::Outcome(outcome)
            }
        });
    }
    elected
}
