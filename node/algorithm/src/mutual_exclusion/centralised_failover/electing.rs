//! The election inside: a state machine of its own, whose effects become those of the whole.

use alloc::string::String;

use super::message::{ElectionReason, FailoverMessage, Reason};
use super::{CentralisedFailover, Timer};
use crate::contract::Effect;
use crate::election::acknowledged_ring::{self, AcknowledgedRing};
use crate::election::bully::{self, Bully};
use crate::election::{Initiators, Known, Ring, Term};
use crate::outcome::Outcome;
use crate::prelude::*;

choices! {
    /// How coordinators are elected.
    pub enum Kind {
        Bully = "bully": "coordinators are elected by the bully algorithm",
        Ring = "acknowledged-ring": "coordinators are elected in a ring whose messages are acknowledged",
    }
}

/// Which election there is, and what is fixed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElectionSetting {
    /// The bully algorithm.
    Bully(bully::Setting),
    /// The acknowledged ring.
    Ring(acknowledged_ring::Setting),
}

impl ElectionSetting {
    /// An election in which nobody calls at the start, with these time-outs.
    pub(super) fn new(kind: Kind, nodes: u32, answer: Ticks) -> Result<Self, String> {
        let initiators = Initiators::These([].into());
        Ok(match kind {
            Kind::Bully => Self::Bully(bully::Setting {
                nodes: NodeId::all(nodes).collect(),
                initiators,
                answer,
                coordinator: answer.saturating_mul(3),
                announcements: bully::Announcements::OfThisTerm,
            }),
            Kind::Ring => Self::Ring(acknowledged_ring::Setting {
                ring: Ring::parse("ascending", nodes)?,
                initiators,
                smaller: acknowledged_ring::Smaller::Swallowed,
                answer,
                coordinator: answer.saturating_mul(3 * u64::from(nodes)),
            }),
        })
    }
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
    /// The same as an input of the election itself; none if it is one of the other election.
    fn of<A: Algorithm<Stored = Term>>(
        self,
        heard: fn(FailoverMessage) -> Option<A::Message>,
        run_out: fn(ElectionTimer) -> Option<A::Timer>,
    ) -> Option<Input<A>> {
        Some(match self {
            Self::Elect => Input::Command(Command::Elect),
            Self::Restart(stored) => Input::Restart(stored),
            Self::Message { from, message } => Input::Message { from, message: heard(message)? },
            Self::Timer(timer) => Input::Timer(run_out(timer)?),
        })
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
    pub fn step(&mut self, input: ElectionInput, turn: &mut Turn<CentralisedFailover>) -> Option<(NodeId, u64)> {
        match (self, &turn.setting.election) {
            (Self::Bully(election), ElectionSetting::Bully(setting)) => {
                let input = input.of(
                    |message| if let FailoverMessage::Bully(message) = message { Some(message) } else { None },
                    |timer| if let ElectionTimer::Bully(timer) = timer { Some(timer) } else { None },
                )?;
                let mut effects = Effects::default();
                election.step(setting, turn.me, input, &mut effects);
                forward(effects, FailoverMessage::Bully, ElectionTimer::Bully, ElectionReason::Bully, turn)
            }
            (Self::Ring(election), ElectionSetting::Ring(setting)) => {
                let input = input.of(
                    |message| if let FailoverMessage::Ring(message) = message { Some(message) } else { None },
                    |timer| if let ElectionTimer::Ring(timer) = timer { Some(timer) } else { None },
                )?;
                let mut effects = Effects::default();
                election.step(setting, turn.me, input, &mut effects);
                forward(effects, FailoverMessage::Ring, ElectionTimer::Ring, ElectionReason::Ring, turn)
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
    reason: fn(A::Reason) -> ElectionReason,
    turn: &mut Turn<CentralisedFailover>,
) -> Option<(NodeId, u64)> {
    let mut elected = None;
    for effect in effects.drain() {
        if let Effect::Outcome(Outcome::Elected { leader, term, .. }) = effect {
            elected = Some((leader, term));
        }
        turn.push(match effect {
            Effect::Send { to, message: sent } => Effect::Send { to, message: message(sent) },
            Effect::SetTimer { timer: set, delay } => Effect::SetTimer { timer: Timer::Election(timer(set)), delay },
            Effect::CancelTimer(cancelled) => Effect::CancelTimer(Timer::Election(timer(cancelled))),
            Effect::Store(stored) => Effect::Store(stored),
            Effect::Because(because) => Effect::Because(Reason::Election { because: reason(because) }),
            Effect::Outcome(outcome) => Effect::Outcome(outcome),
        });
    }
    elected
}
