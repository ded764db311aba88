//! Effects of one input that a node has handled.

use interlock_algorithm::{Algorithm, Effect, Effects, NodeId, Outcome, Recipients, Ticks};

use crate::application::Told;
use crate::channel::Packet;
use crate::client::ClientEffect;
use crate::detector::Heartbeat;
use crate::message_id::MessageId;
use crate::wire::TimerName;

/// One effect. The type parameters are the types of messages (`M`), timers (`T`), stored states (`S`) and outcomes
/// (`O`), owned or borrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consequence<M, T, S, O> {
    /// A message of the algorithm is sent.
    Send {
        /// Recipients of the message.
        to: Recipients,
        /// The message.
        message: M,
    },
    /// A packet is sent through the channel to another node.
    Transmit {
        /// Receiver of the packet.
        to: NodeId,
        /// The packet.
        packet: Box<Packet<M>>,
    },
    /// The channel from another node passes a message on to the algorithm.
    Taken {
        /// Name of the copy that arrived.
        message: MessageId,
        /// Kind of the message.
        kind: &'static str,
    },
    /// The process sends a heartbeat to all others.
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
    Tell {
        /// Receiver of the message.
        to: NodeId,
        /// The message.
        told: Told,
    },
    /// A timer was set. It replaces a pending timer of the same name.
    SetTimer {
        /// The timer.
        timer: TimerName<T>,
        /// Delay after which the timer expires, in microseconds.
        delay_us: Ticks,
    },
    /// A timer was cancelled.
    CancelTimer {
        /// The timer.
        timer: TimerName<T>,
    },
    /// The stored state was replaced by this state.
    Store(S),
    /// The algorithm reported this outcome.
    Outcome(O),
}

impl<M, T: Copy, S, O> Consequence<M, T, S, O> {
    /// Returns the same effect with its message, packet, stored state or outcome borrowed.
    fn as_ref(&self) -> Consequence<&M, T, &S, &O> {
        match self {
            Self::Send { to, message } => Consequence::Send { to: *to, message },
            Self::Transmit { to, packet } => {
                Consequence::Transmit { to: *to, packet: Box::new(Packet::as_ref(packet)) }
            }
            Self::Taken { message, kind } => Consequence::Taken { message: *message, kind },
            Self::Beat { heartbeat } => Consequence::Beat { heartbeat: *heartbeat },
            Self::Suspected { whom } => Consequence::Suspected { whom: *whom },
            Self::Trusted { whom } => Consequence::Trusted { whom: *whom },
            Self::Tell { to, told } => Consequence::Tell { to: *to, told: *told },
            Self::SetTimer { timer, delay_us } => Consequence::SetTimer { timer: *timer, delay_us: *delay_us },
            Self::CancelTimer { timer } => Consequence::CancelTimer { timer: *timer },
            Self::Store(stored) => Consequence::Store(stored),
            Self::Outcome(outcome) => Consequence::Outcome(outcome),
        }
    }
}

/// The effects of an input, in order: the effects of the algorithm, and then the effects of its client. If the
/// algorithm has refused a command of the client, the value contains the reason.
#[derive(Debug)]
pub struct Followed<A: Algorithm> {
    pub(crate) effects: Effects<A>,
    /// Effects in a run with layers. In such a run, `effects` is empty after the step, because the layers may
    /// deliver several messages in one step.
    pub(crate) through_layers: Vec<Owned<A>>,
    /// Reasons that the algorithm gave in a run with layers.
    pub(crate) because: Vec<A::Reason>,
    /// Delay of each timer that the algorithm set, in order.
    pub(crate) delays: Vec<Ticks>,
    pub(crate) client: Vec<ClientEffect>,
    pub(crate) commanded: bool,
    pub(crate) objection: Option<String>,
}

/// An effect with owned contents.
pub type Owned<A> = Consequence<<A as Algorithm>::Message, <A as Algorithm>::Timer, <A as Algorithm>::Stored, Outcome>;

impl<A: Algorithm> Default for Followed<A> {
    fn default() -> Self {
        Self {
            effects: Effects::default(),
            through_layers: Vec::new(),
            because: Vec::new(),
            delays: Vec::new(),
            client: Vec::new(),
            commanded: false,
            objection: None,
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

    /// Returns all effects, borrowed. An objection of the algorithm to a command is not included.
    pub fn iter(&self) -> impl Iterator<Item = Consequence<&A::Message, A::Timer, &A::Stored, &Outcome>> {
        let mut delays = self.delays.iter().copied();
        let own = self.effects.as_slice().iter().filter_map(move |effect| {
            Some(match effect {
                Effect::Send { to, message } => Consequence::Send { to: *to, message },
                Effect::SetTimer { timer, .. } => set(TimerName::Algorithm(*timer), delays.next()),
                Effect::CancelTimer(timer) => Consequence::CancelTimer { timer: TimerName::Algorithm(*timer) },
                Effect::Store(stored) => Consequence::Store(stored),
                Effect::Outcome(outcome) => Consequence::Outcome(outcome),
                Effect::Because(_) => return None,
            })
        });
        let through_layers = self.through_layers.iter().map(Consequence::as_ref);
        own.chain(through_layers).chain(self.client.iter().map(|effect| of_client(*effect)))
    }

    /// Removes all effects, and passes each of them to `take`. A callback is faster than an iterator, because the
    /// state of an iterator costs more time than most effects.
    #[inline(always)]
    pub fn take_out(&mut self, mut take: impl FnMut(Consequence<A::Message, A::Timer, A::Stored, Outcome>)) {
        let mut delays = self.delays.drain(..);
        for effect in self.effects.drain() {
            take(match effect {
                Effect::Send { to, message } => Consequence::Send { to, message },
                Effect::SetTimer { timer, .. } => set(TimerName::Algorithm(timer), delays.next()),
                Effect::CancelTimer(timer) => Consequence::CancelTimer { timer: TimerName::Algorithm(timer) },
                Effect::Store(stored) => Consequence::Store(stored),
                Effect::Outcome(outcome) => Consequence::Outcome(outcome),
                Effect::Because(_) => continue,
            });
        }
        self.through_layers.drain(..).for_each(&mut take);
        self.client.drain(..).for_each(|effect| take(of_client(effect)));
    }

    /// Whether the client has sent a command to its algorithm.
    #[must_use]
    pub const fn is_commanded(&self) -> bool {
        self.commanded
    }

    /// Returns the reason why the algorithm refused the command of its client. Returns `None` if the algorithm
    /// refused no command.
    #[must_use]
    pub fn objection(&self) -> Option<&str> {
        self.objection.as_deref()
    }

    /// Clears all effects, so that the next step can reuse the buffers.
    pub fn clear(&mut self) {
        self.effects.clear();
        self.through_layers.clear();
        self.because.clear();
        self.delays.clear();
        self.client.clear();
        self.commanded = false;
        self.objection = None;
    }
}

/// Returns the effect of setting a timer. `delay_us` is never absent: `delays` has one item for each timer that was
/// set.
fn set<M, T, S, O>(timer: TimerName<T>, delay_us: Option<Ticks>) -> Consequence<M, T, S, O> {
    Consequence::SetTimer { timer, delay_us: delay_us.unwrap_or_default() }
}

const fn of_client<M, T, S, O>(effect: ClientEffect) -> Consequence<M, T, S, O> {
    match effect {
        ClientEffect::Set(timer, delay_us) => Consequence::SetTimer { timer: TimerName::Client(timer), delay_us },
        ClientEffect::Cancel(timer) => Consequence::CancelTimer { timer: TimerName::Client(timer) },
        ClientEffect::Tell(to, told) => Consequence::Tell { to, told },
    }
}
