//! An election of either kind, bully or acknowledged ring, for an algorithm that contains an election.

use core::convert::identity;

use serde::Deserializer;
use serde_json::value::RawValue;

use super::acknowledged_ring::{self, AcknowledgedRing, AcknowledgedRingMessage};
use super::bully::{self, Bully, BullyMessage};
use super::{Coordinator, FAMILY, Initiators, Known, Ring, Term};
use crate::contract::Message;
use crate::erased::Packed;
use crate::prelude::*;
use crate::tagged;

choices! {
    /// How coordinators are elected.
    pub enum Kind {
        Bully = "bully": "coordinators are elected by the bully algorithm",
        Ring = "acknowledged-ring": "coordinators are elected in a ring whose messages are acknowledged",
    }
}

/// A value of an election of either kind, such as its state, setting, timer or reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Either<B, R> {
    /// Value of a bully election.
    Bully(B),
    /// Value of an election in the acknowledged ring.
    Ring(R),
}

impl<B: Packed, R: Packed> Packed for Either<B, R> {
    fn pack(self) -> u64 {
        match self {
            Self::Bully(timer) => timer.pack(),
            Self::Ring(timer) => RING | timer.pack(),
        }
    }

    fn unpack(number: u64) -> Option<Self> {
        match number.checked_sub(RING) {
            None => B::unpack(number).map(Self::Bully),
            Some(timer) => R::unpack(timer).map(Self::Ring),
        }
    }
}

/// The packed number of the first timer of the ring, above all numbers of bully timers.
const RING: u64 = 1 << 40;

/// A process of the election.
pub type AnyElection = Either<Bully, AcknowledgedRing>;
/// The setting of the election.
pub type ElectionSetting = Either<bully::Setting, acknowledged_ring::Setting>;
/// A timer of the election.
pub type ElectionTimer = Either<bully::Timer, acknowledged_ring::Timer>;
/// A reason of the election.
pub type ElectionReason = Either<bully::Reason, acknowledged_ring::Reason>;

/// A message of an election of either kind, serialized exactly as in that election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum ElectionMessage {
    /// A message of a bully election.
    Bully(BullyMessage),
    /// A message of an election in the acknowledged ring.
    Ring(AcknowledgedRingMessage),
}

impl<'de> Deserialize<'de> for ElectionMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tagged::deserialize(deserializer)
    }
}

impl Message for ElectionMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Bully(message) => message.kind(),
            Self::Ring(message) => message.kind(),
        }
    }

    fn read(kind: &str, body: &RawValue) -> serde_json::Result<Self> {
        // Some message kinds exist in both elections, but with different fields. So try both.
        BullyMessage::read(kind, body)
            .map(Self::Bully)
            .or_else(|_| AcknowledgedRingMessage::read(kind, body).map(Self::Ring))
    }
}

impl AnyElection {
    /// Returns what this process knows about terms and coordinators.
    #[must_use]
    pub const fn known(&self) -> &Known {
        match self {
            Self::Bully(election) => election.known(),
            Self::Ring(election) => election.known(),
        }
    }

    /// Returns the message with which the winner of an election announces itself.
    #[must_use]
    pub const fn announcement(&self, Coordinator { term, leader }: Coordinator) -> ElectionMessage {
        match self {
            Self::Bully(_) => ElectionMessage::Bully(BullyMessage::Coord { term }),
            Self::Ring(_) => ElectionMessage::Ring(AcknowledgedRingMessage::Coord { term, leader }),
        }
    }

    /// Whether an election is in progress at this process.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        match self {
            Self::Bully(election) => election.is_busy(),
            Self::Ring(election) => election.is_busy(),
        }
    }
}

/// Default time to wait for an answer.
const ANSWER: Ticks = 50_000;

/// Returns the time to wait for an answer: parameter `answer`.
pub(crate) fn answer(configuration: &Configuration<'_>) -> Result<Ticks, Refusal> {
    configuration.time("answer", ANSWER)
}

impl Algorithm for AnyElection {
    type Setting = ElectionSetting;
    type Message = ElectionMessage;
    type Timer = ElectionTimer;
    type Stored = Term;
    type Reason = ElectionReason;

    const ENTRY: Entry = Entry { variants: Kind::VARIANTS, ..FAMILY };

    /// Returns the setting of an election that no process calls at the start.
    fn configure(configuration: &Configuration<'_>) -> Result<ElectionSetting, Refusal> {
        let (nodes, answer) = (configuration.nodes, answer(configuration)?);
        let initiators = Initiators::These([].into());
        let ring = || Ring::parse("ascending", nodes);
        Ok(match configuration.variant()? {
            Kind::Bully => Either::Bully(bully::Setting {
                nodes: NodeId::all(nodes).collect(),
                initiators,
                answer,
                coordinator: answer.saturating_mul(3),
                announcements: bully::Announcements::OfThisTerm,
            }),
            Kind::Ring => Either::Ring(acknowledged_ring::Setting {
                ring: ring()?,
                initiators,
                smaller: acknowledged_ring::Smaller::Swallowed,
                answer,
                coordinator: answer.saturating_mul(3 * u64::from(nodes)),
            }),
        })
    }

    fn new(setting: &ElectionSetting, me: NodeId) -> Self {
        match setting {
            Either::Bully(setting) => Self::Bully(Bully::new(setting, me)),
            Either::Ring(setting) => Self::Ring(AcknowledgedRing::new(setting, me)),
        }
    }

    fn step(&mut self, setting: &ElectionSetting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match (self, setting) {
            (Self::Bully(election), Either::Bully(setting)) => {
                let input = input.filter_map(
                    |message| if let ElectionMessage::Bully(message) = message { Some(message) } else { None },
                    |timer| if let Either::Bully(timer) = timer { Some(timer) } else { None },
                );
                let Some(input) = input else { return };
                let mut effects = Effects::default();
                election.step(setting, me, input, &mut effects);
                effects.pass_on(out, ElectionMessage::Bully, Either::Bully, identity, identity, Either::Bully);
            }
            (Self::Ring(election), Either::Ring(setting)) => {
                let input = input.filter_map(
                    |message| if let ElectionMessage::Ring(message) = message { Some(message) } else { None },
                    |timer| if let Either::Ring(timer) = timer { Some(timer) } else { None },
                );
                let Some(input) = input else { return };
                let mut effects = Effects::default();
                election.step(setting, me, input, &mut effects);
                effects.pass_on(out, ElectionMessage::Ring, Either::Ring, identity, identity, Either::Ring);
            }
            _ => {}
        }
    }

    fn members(setting: &ElectionSetting, me: NodeId, set: u32) -> &[NodeId] {
        match setting {
            Either::Bully(setting) => Bully::members(setting, me, set),
            Either::Ring(setting) => AcknowledgedRing::members(setting, me, set),
        }
    }

    fn view(&self, setting: &ElectionSetting, me: NodeId) -> View {
        match (self, setting) {
            (Self::Bully(election), Either::Bully(setting)) => election.view(setting, me),
            (Self::Ring(election), Either::Ring(setting)) => election.view(setting, me),
            _ => View::default(),
        }
    }
}
