//! What follows from an input that a node has taken.

use interlock_algorithm::{Algorithm, Effect, Effects, NodeId, Outcome, Recipients, Ticks};

use crate::application::Told;
use crate::channel::Packet;
use crate::client::ClientEffect;
use crate::detector::Heartbeat;
use crate::message_id::MessageId;
use crate::wire::TimerName;

/// One thing that follows: with messages `M`, timers `T`, stored states `S` and outcomes `O`, owned or borrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consequence<M, T, S, O> {
    /// A message of the algorithm is sent.
    Send {
        /// To whom.
        to: Recipients,
        /// What it says.
        message: M,
    },
    /// The channel to another node sends something.
    Transmit {
        /// To whom.
        to: NodeId,
        /// What.
        packet: Box<Packet<M>>,
    },
    /// The channel from another node lets a message through.
    Taken {
        /// The copy that had come.
        message: MessageId,
        /// Its kind.
        kind: &'static str,
    },
    /// The process says to all others that it is alive.
    Beat {
        /// What it says.
        heartbeat: Heartbeat,
    },
    /// The failure detector takes another process for dead.
    Suspected {
        /// Whom.
        whom: NodeId,
    },
    /// The failure detector takes another process for dead no more.
    Trusted {
        /// Whom.
        whom: NodeId,
    },
    /// A message of the application is sent.
    Tell {
        /// To whom.
        to: NodeId,
        /// What it says.
        told: Told,
    },
    /// A timer was set, in place of a pending one of its name.
    SetTimer {
        /// Which.
        timer: TimerName<T>,
        /// After how long it is to run out, in microseconds.
        delay_us: Ticks,
    },
    /// A timer was forgotten.
    CancelTimer {
        /// Which.
        timer: TimerName<T>,
    },
    /// What survives a crash was replaced.
    Store(S),
    /// Something came about.
    Outcome(O),
}

impl<M, T: Copy, S, O> Consequence<M, T, S, O> {
    /// The same, of which what is large is borrowed.
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

/// What follows from an input, in its order: what the algorithm wants, then what its client does, then its objection.
#[derive(Debug)]
pub struct Followed<A: Algorithm> {
    pub(crate) effects: Effects<A>,
    /// What follows where there are layers, instead of the effects: in one step several messages may be taken.
    pub(crate) through_layers: Vec<Owned<A>>,
    /// The reasons of what follows there.
    pub(crate) because: Vec<A::Reason>,
    /// How long each timer waits that the algorithm sets, in order.
    pub(crate) delays: Vec<Ticks>,
    pub(crate) client: Vec<ClientEffect>,
    pub(crate) commanded: bool,
    pub(crate) objection: Option<String>,
}

/// One thing that follows, owned.
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
    /// Why the algorithm did what it did, in its order.
    pub fn reasons(&self) -> impl Iterator<Item = &A::Reason> {
        let own = self.effects.as_slice().iter().filter_map(|effect| match effect {
            Effect::Because(reason) => Some(reason),
            _ => None,
        });
        own.chain(&self.because)
    }

    /// What follows, but for the objection.
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

    /// Takes out what follows, but for the objection, one by one: an iterator over all of it would have to be carried
    /// along, which takes longer than most of what follows.
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

    /// Whether the client has given its algorithm a command.
    #[must_use]
    pub const fn is_commanded(&self) -> bool {
        self.commanded
    }

    /// Why the algorithm did not take the command of its client, if it did not.
    #[must_use]
    pub fn objection(&self) -> Option<&str> {
        self.objection.as_deref()
    }

    /// Forgets everything, to be used again.
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

/// A timer that was set. Each has its delay.
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
