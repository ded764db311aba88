//! Effects of one input that a node has handled.

use interlock_algorithm::{Algorithm, Delay, Effect, Effects, NodeId, Outcome, Recipients, Ticks};
use serde::Serialize;

use crate::application::Told;
use crate::channel::Packet;
use crate::client::ClientEffect;
use crate::detector::Heartbeat;
use crate::message_id::MessageId;
use crate::wire::TimerName;

/// One effect. Except for messages, its JSON form is the form of a [`wire::StepEffect`](crate::wire::StepEffect).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", bound = "")]
pub enum Consequence<A: Algorithm> {
    /// A message of the algorithm is sent.
    #[serde(skip)]
    Send {
        /// Recipients of the message.
        to: Recipients,
        /// The message.
        message: A::Message,
    },
    /// A packet is sent through the channel to another node.
    #[serde(skip)]
    Transmit {
        /// Receiver of the packet.
        to: NodeId,
        /// The packet.
        packet: Box<Packet<A::Message>>,
    },
    /// The channel from another node passes a message on to the algorithm.
    Taken {
        /// Name of the copy that arrived.
        message: MessageId,
        /// Kind of the message.
        kind: &'static str,
    },
    /// The process sends a heartbeat to all others.
    #[serde(skip)]
    Beat {
        /// The heartbeat.
        heartbeat: Heartbeat,
    },
    /// The failure detector suspects another process.
    Suspected {
        /// The other process.
        whom: NodeId,
    },
    /// The failure detector trusts another process again.
    Trusted {
        /// The other process.
        whom: NodeId,
    },
    /// A message of the application is sent.
    #[serde(skip)]
    Tell {
        /// Receiver of the message.
        to: NodeId,
        /// The message.
        told: Told,
    },
    /// A timer was set. It replaces a pending timer of the same name.
    SetTimer {
        /// The timer.
        timer: TimerName<A::Timer>,
        /// Delay after which the timer expires, in microseconds.
        delay_us: Ticks,
    },
    /// A timer was cancelled.
    CancelTimer {
        /// The timer.
        timer: TimerName<A::Timer>,
    },
    /// The stored state was replaced with a new state.
    Store(A::Stored),
    /// The algorithm reported an outcome.
    Outcome(Outcome),
    /// The algorithm refused the command of the node's client.
    Refused {
        /// The reason of the refusal.
        detail: String,
    },
}

impl<A: Algorithm> Consequence<A> {
    /// Converts an effect of the algorithm. If the effect is a reason, returns the reason as the error.
    #[inline(always)]
    fn of(effect: Effect<A>) -> Result<Self, A::Reason> {
        Ok(match effect {
            Effect::Send { to, message } => Self::Send { to, message },
            // The node has replaced the range of a random delay with the drawn delay.
            Effect::SetTimer { timer, delay: Delay::Exactly(delay_us) | Delay::Uniform(delay_us, _) } => {
                Self::SetTimer { timer: TimerName::Algorithm(timer), delay_us }
            }
            Effect::CancelTimer(timer) => Self::CancelTimer { timer: TimerName::Algorithm(timer) },
            Effect::Store(stored) => Self::Store(stored),
            Effect::Outcome(outcome) => Self::Outcome(outcome),
            Effect::Because(reason) => return Err(reason),
        })
    }

    const fn of_client(effect: ClientEffect) -> Self {
        match effect {
            ClientEffect::Set(timer, delay_us) => Self::SetTimer { timer: TimerName::Client(timer), delay_us },
            ClientEffect::Cancel(timer) => Self::CancelTimer { timer: TimerName::Client(timer) },
            ClientEffect::Tell(to, told) => Self::Tell { to, told },
        }
    }
}

/// The effects of an input, in order: the effects of the algorithm, and then the effects of its client. If the
/// algorithm has refused a command of the client, the value contains the reason.
#[derive(Debug)]
pub struct Followed<A: Algorithm> {
    pub(crate) effects: Effects<A>,
    /// Effects of a step, if the run has layers or `gather` was called. In a run with layers, `effects` is empty
    /// after the step, because the layers may deliver several messages in one step.
    pub(crate) consequences: Vec<Consequence<A>>,
    /// Reasons that the algorithm gave, if the run has layers or `gather` was called.
    pub(crate) because: Vec<A::Reason>,
    pub(crate) client: Vec<ClientEffect>,
    pub(crate) commanded: bool,
    pub(crate) objection: Option<String>,
    /// Time from the input to the effects, in microseconds.
    pub(crate) lasted_us: Ticks,
}

impl<A: Algorithm> Default for Followed<A> {
    fn default() -> Self {
        Self {
            effects: Effects::default(),
            consequences: Vec::new(),
            because: Vec::new(),
            client: Vec::new(),
            commanded: false,
            objection: None,
            lasted_us: 0,
        }
    }
}

impl<A: Algorithm> Followed<A> {
    /// Returns the reasons that the algorithm gave, in order.
    pub fn reasons(&self) -> impl Iterator<Item = &A::Reason> {
        let own = self.effects.as_slice().iter().filter_map(|effect| match effect {
            Effect::Because(reason) => Some(reason),
            _ => None,
        });
        own.chain(&self.because)
    }

    /// Moves all effects to `consequences`, in order, and their reasons to `because`.
    pub(crate) fn gather(&mut self) {
        for effect in self.effects.drain() {
            match Consequence::of(effect) {
                Ok(consequence) => self.consequences.push(consequence),
                Err(reason) => self.because.push(reason),
            }
        }
        self.consequences.extend(self.client.drain(..).map(Consequence::of_client));
        self.consequences.extend(self.objection.take().map(|detail| Consequence::Refused { detail }));
    }

    /// Removes all effects, and passes each of them to `take`. The next step can reuse the buffers. A callback is faster
    /// than an iterator, because the state of an iterator costs more time than most effects.
    #[inline(always)]
    pub fn take_out(&mut self, mut take: impl FnMut(Consequence<A>)) {
        for effect in self.effects.drain() {
            if let Ok(consequence) = Consequence::of(effect) {
                take(consequence);
            }
        }
        // Most steps have effects of the algorithm only.
        if !self.consequences.is_empty() {
            self.consequences.drain(..).for_each(&mut take);
        }
        if !self.client.is_empty() {
            self.client.drain(..).for_each(|effect| take(Consequence::of_client(effect)));
        }
        if let Some(detail) = self.objection.take() {
            take(Consequence::Refused { detail });
        }
        self.because.clear();
        self.commanded = false;
    }

    /// Whether the client has sent a command to its algorithm.
    #[must_use]
    pub const fn is_commanded(&self) -> bool {
        self.commanded
    }

    /// Clears all effects, so that the next step can reuse the buffers.
    pub fn clear(&mut self) {
        self.effects.clear();
        self.consequences.clear();
        self.because.clear();
        self.client.clear();
        self.commanded = false;
        self.objection = None;
        self.lasted_us = 0;
    }
}
