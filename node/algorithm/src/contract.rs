//! The contract between an algorithm and whatever drives it: a live process, the simulator, the explorer.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::{Clock, Show, Timed};
use crate::command::{Command, Discipline};
use crate::configuration::{Configuration, ParameterValue, Refusal};
use crate::entry::Entry;
use crate::identity::{LockId, NodeId, Ticks};
use crate::needs::Assumptions;
use crate::outcome::Outcome;
use crate::sentence::Sentence;
use crate::view::View;

/// What every part of an algorithm's state must be: comparable, hashable and writable as JSON.
pub trait Data: Clone + Eq + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + 'static {}

impl<T: Clone + Eq + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + 'static> Data for T {}

/// A protocol message.
///
/// It is written as JSON with its kind in `kind` and its fields in `body`, so derive it with
/// `#[serde(tag = "kind", content = "body")]`.
pub trait Message: Data {
    /// The name of the message in the paper, as in the catalogue: `REQUEST`, `REPLY`, …
    fn kind(&self) -> &'static str;

    /// Reads a message from its kind and its fields.
    ///
    /// # Errors
    /// If the algorithm has no such message.
    fn read(kind: &str, body: &RawValue) -> serde_json::Result<Self> {
        let kind = serde_json::to_string(kind)?;
        serde_json::from_str(&format!(r#"{{"kind":{kind},"body":{body}}}"#))
    }

    /// Returns the message as a value that can be written. An override that is compiled beside the type saves each crate that
    /// writes messages a writer of its own.
    fn as_serialize(&self) -> &dyn erased_serde::Serialize {
        self
    }

    /// The lock that it is about, where each lock has an instance of the algorithm of its own.
    fn lock(&self) -> Option<LockId> {
        None
    }

    /// Shows every time of a logical clock in it: see [`Algorithm::growing`].
    fn show_times(&mut self, show: &mut Show<'_>) {
        let _ = show;
    }
}

/// A distributed algorithm as one process sees it.
///
/// An implementation is a function of its inputs. Whatever differs from run to run but not from state to state
/// (peers, tree, coterie, variant) is in the [`Setting`](Algorithm::Setting), so that states stay small.
pub trait Algorithm: Data {
    /// What is fixed for the whole run.
    type Setting: Send + Sync + 'static;
    /// The messages of the paper, with the paper's fields.
    type Message: Message;
    /// The timers; at most one is pending for each value.
    type Timer: Data + Copy;
    /// What survives a crash; `()` if nothing does.
    type Stored: Data;
    /// Why a decision was taken: a code and numbers, no text. Derive it with `#[serde(tag = "code")]`.
    type Reason: Data;

    /// What the catalogue says of this algorithm.
    const ENTRY: Entry;
    /// Returns what the catalogue says of the algorithm of a run: [`ENTRY`](Self::ENTRY), unless only the setting knows it.
    #[must_use]
    fn entry(setting: &Self::Setting) -> &'static Entry {
        let _ = setting;
        const { &Self::ENTRY }
    }

    /// What its reasons say.
    const SENTENCES: &'static [Sentence] = &[];

    /// Checks a configuration and makes the setting of a run from it.
    ///
    /// # Errors
    /// Names the variant, parameter or number of nodes that cannot be, and what could be instead.
    fn configure(configuration: &Configuration<'_>) -> Result<Self::Setting, Refusal>;

    /// The values in force of the parameters that are times, in ms, and of those whose default is not the text in the
    /// catalogue but depends on the run.
    fn in_force(setting: &Self::Setting) -> Vec<(&'static str, ParameterValue)> {
        let _ = setting;
        Vec::new()
    }

    /// What a variant needs in order to be right, if it is not what the catalogue says of all.
    #[must_use]
    fn assumptions(variant: &str) -> Assumptions {
        let _ = variant;
        Self::ENTRY.assumes
    }

    /// The state of node `me` before its first input.
    fn new(setting: &Self::Setting, me: NodeId) -> Self;

    /// The state of node `me` when it is back after a crash, before it is told what it had stored; `incarnation` counts
    /// its lives, this one included, so it is 2 or more. None if it must know more than it can then: see
    /// `Participant`.
    ///
    /// What is true at the start of a run need not be true now: others may have the token, the permissions and the votes
    /// that this node began with, and what it numbers must not get numbers that an earlier life has given
    /// ([`number_in_life`](crate::clock::number_in_life)).
    fn begin_incarnation(setting: &Self::Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let _ = (setting, me, incarnation);
        None
    }

    /// Takes one input and appends what follows from it to `out`.
    ///
    /// The driver guarantees that no number in a message is [`implausible`]; that a command is one of those in the
    /// catalogue and that [`objection`](Self::objection) had none to it; that `Acquire` comes only while the node
    /// neither wants nor has the lock, unless it [may have several](Self::may_have_several); and `Release`
    /// only while it has it by that request.
    ///
    /// [`implausible`]: crate::plausibility::implausible
    fn step(&mut self, setting: &Self::Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>);

    /// What people look at.
    fn view(&self, setting: &Self::Setting, me: NodeId) -> View;

    /// Why a command cannot be followed now, as a lower-case phrase that names what would be right; none if it can.
    fn objection(&self, setting: &Self::Setting, me: NodeId, command: &Command) -> Option<String> {
        let _ = (setting, me, command);
        None
    }

    /// How many may be in the section of a lock at the same time: how many units there are of a resource.
    fn capacity(setting: &Self::Setting, lock: LockId) -> u32 {
        let _ = (setting, lock);
        1
    }

    /// Whether one node may have several units of a lock, so that it may ask for it again while it wants or has it.
    fn may_have_several(setting: &Self::Setting, lock: LockId) -> bool {
        let _ = (setting, lock);
        false
    }

    /// How many locks a run has unless it says: for an algorithm that keeps many.
    #[must_use]
    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        let _ = configuration;
        1
    }

    /// Whether a node may ever have a lock: a client does not ask for another one by itself.
    fn may_have(setting: &Self::Setting, me: NodeId, lock: LockId) -> bool {
        let _ = (setting, me, lock);
        true
    }

    /// How a client that needs several locks is to take them.
    fn discipline(setting: &Self::Setting) -> Discipline {
        let _ = setting;
        Discipline::AsPlanned
    }

    /// Whether all locks that a process has at a time are had by one request, which is given up as a whole: a transaction.
    fn has_transactions(setting: &Self::Setting) -> bool {
        Self::entry(setting).family == "deadlock"
    }

    /// The members of set number `set` of node `me`, for [`Recipients::Set`].
    fn members(setting: &Self::Setting, me: NodeId, set: u32) -> &[NodeId] {
        let _ = (setting, me, set);
        &[]
    }

    /// The logical clock of the process, if the algorithm keeps one that each of its messages carries and moves. It is
    /// that of the whole process: messages of the application carry and move it too, and so do those of other locks.
    fn clock(&mut self, setting: &Self::Setting) -> Option<&mut Clock> {
        let _ = setting;
        None
    }

    /// The stamp that a message of the application carries, so that order by happened-before can include it: the
    /// logical clock, moved on; none if the algorithm keeps no clock.
    fn stamp(&mut self, setting: &Self::Setting) -> Option<u64> {
        self.clock(setting).map(Clock::tick)
    }

    /// Learns the stamp of a message of the application that has arrived.
    fn witness(&mut self, setting: &Self::Setting, stamp: u64) {
        if let Some(clock) = self.clock(setting) {
            clock.observe(stamp);
        }
    }

    /// Returns whether it compares times of its logical clock only with each other, and continues them, but does nothing else
    /// with them. Then [`growing`](Self::growing) shows those of its [`times`](Self::times) and of its messages.
    fn compares_times(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// Returns the parts of its state with times of its logical clock.
    fn times(&mut self, me: NodeId) -> Vec<&mut dyn Timed> {
        let _ = me;
        Vec::new()
    }

    /// Shows every number of a state that grows without bound and is only compared with, and continued from, others of its
    /// count. `show` gets the count, from 0 without a gap, and the number, which it may make smaller. If all numbers of a
    /// count, of all processes and all messages, are made smaller by the same, everything continues as it would have: so
    /// states recur that differ only in how far has been counted. An algorithm that does more with its numbers shows none.
    fn growing(&mut self, setting: &Self::Setting, me: NodeId, show: &mut Show<'_>) {
        if Self::compares_times(setting) {
            self.times(me).into_iter().for_each(|part| part.show_times(show));
        }
    }

    /// The same for a message.
    fn growing_in(message: &mut Self::Message, setting: &Self::Setting, show: &mut Show<'_>) {
        if Self::compares_times(setting) {
            message.show_times(show);
        }
    }

    /// Whether what a process says is known to those it tells in the same instant, before anything else happens:
    /// composite atomicity, which no network has. Only a simulation or an exploration can run such a setting.
    fn is_instantaneous(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// An arbitrary state, for self-stabilising algorithms: `choice` numbers the possible ones, from 0 without a gap.
    fn arbitrary(setting: &Self::Setting, me: NodeId, choice: u64) -> Option<Self> {
        let _ = (setting, me, choice);
        None
    }

    /// An arbitrary message that may be under way from one process to another where a self-stabilising algorithm begins:
    /// `choice` numbers the possible ones, from 0 without a gap.
    fn arbitrary_message(setting: &Self::Setting, from: NodeId, to: NodeId, choice: u64) -> Option<Self::Message> {
        let _ = (setting, from, to, choice);
        None
    }

    /// Reads a message from its kind and its fields, which travel apart.
    ///
    /// # Errors
    /// If the algorithm has no such message.
    fn read_message(setting: &Self::Setting, kind: &str, body: &RawValue) -> serde_json::Result<Self::Message> {
        let _ = setting;
        Self::Message::read(kind, body)
    }

    /// Reads a timer.
    ///
    /// # Errors
    /// If the algorithm has no such timer.
    fn read_timer(setting: &Self::Setting, timer: &RawValue) -> serde_json::Result<Self::Timer> {
        let _ = setting;
        Self::Timer::deserialize(timer)
    }

    /// Reads a stored state.
    ///
    /// # Errors
    /// If the algorithm stores no such state.
    fn read_stored(setting: &Self::Setting, stored: &RawValue) -> serde_json::Result<Self::Stored> {
        let _ = setting;
        Self::Stored::deserialize(stored)
    }

    /// How many privileges there are in a configuration, for self-stabilising algorithms that pass privileges on: of all
    /// processes, in the order of nodes, and of all messages under way with sender and recipient, those of a link in the
    /// order in which they arrive. None if the algorithm does not know.
    fn privileges(
        setting: &Self::Setting,
        processes: &[&Self],
        under_way: &[(NodeId, NodeId, &Self::Message)],
    ) -> Option<usize> {
        let _ = (setting, processes, under_way);
        None
    }
}

/// What comes in at a node, one at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<A: Algorithm> {
    /// The run begins.
    Start,
    /// The process is back after a crash, with what it had stored or with nothing.
    Restart(Option<A::Stored>),
    /// The client of this node wants something.
    Command(Command),
    /// A message has arrived.
    Message {
        /// Who sent it: another node of the run. The network vouches for this, and for nothing that the message says.
        from: NodeId,
        /// What it says.
        message: A::Message,
    },
    /// A timer that was set has run out.
    Timer(A::Timer),
    /// The failure detector suspects another process: it takes it for dead. Unless it is perfect it may be wrong. Who has died
    /// and is back is suspected and trusted again before anything arrives that it has said in its new life.
    Suspected(NodeId),
    /// The failure detector suspects another process no more: it was alive all the time, or is back.
    Trusted(NodeId),
}

impl<A: Algorithm> Input<A> {
    /// The same for an algorithm inside; none if it is no message or timer of it.
    pub(crate) fn filter_map<B: Algorithm<Stored = A::Stored>>(
        self,
        message_of: fn(A::Message) -> Option<B::Message>,
        timer_of: fn(A::Timer) -> Option<B::Timer>,
    ) -> Option<Input<B>> {
        Some(match self {
            Self::Start => Input::Start,
            Self::Restart(stored) => Input::Restart(stored),
            Self::Command(command) => Input::Command(command),
            Self::Message { from, message } => Input::Message { from, message: message_of(message)? },
            Self::Timer(timer) => Input::Timer(timer_of(timer)?),
            Self::Suspected(node) => Input::Suspected(node),
            Self::Trusted(node) => Input::Trusted(node),
        })
    }
}

/// What follows from an input. The order of effects is part of the contract: what is stored before it is sent, is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<A: Algorithm> {
    /// Send a message. A message to oneself is never sent: an algorithm takes it at once.
    Send {
        /// To whom; a multicast is one effect.
        to: Recipients,
        /// What it says.
        message: A::Message,
    },
    /// Set a timer, replacing a pending one of the same value.
    SetTimer {
        /// Which.
        timer: A::Timer,
        /// When it is to run out.
        delay: Delay,
    },
    /// Forget a pending timer.
    CancelTimer(A::Timer),
    /// Replace what survives a crash.
    Store(A::Stored),
    /// Something that the client, the monitors and the people want to know.
    Outcome(Outcome),
    /// Why the step did what it did.
    Because(A::Reason),
}

/// To whom a message goes. The sender itself is never among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// To one node.
    One(NodeId),
    /// To all nodes but the sender.
    Others,
    /// To the members of a numbered set but the sender: see [`Algorithm::members`].
    Set(u32),
}

/// How long until a timer runs out. Randomness is drawn by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// After exactly this long.
    Exactly(Ticks),
    /// After a time drawn evenly between the two, both included.
    Uniform(Ticks, Ticks),
}

/// The effects of one step, in order. A driver clears and reuses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects<A: Algorithm>(Vec<Effect<A>>);

impl<A: Algorithm> Default for Effects<A> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<A: Algorithm> Effects<A> {
    /// Appends an effect.
    #[inline]
    pub fn push(&mut self, effect: Effect<A>) {
        self.0.push(effect);
    }

    /// Sends a message to one node.
    #[inline]
    pub fn send(&mut self, to: NodeId, message: A::Message) {
        self.push(Effect::Send { to: Recipients::One(to), message });
    }

    /// Sends a message to all other nodes.
    pub fn multicast(&mut self, message: A::Message) {
        self.push(Effect::Send { to: Recipients::Others, message });
    }

    /// Tells an outcome.
    pub fn outcome(&mut self, outcome: Outcome) {
        self.push(Effect::Outcome(outcome));
    }

    /// Tells a reason.
    #[inline]
    pub fn because(&mut self, reason: A::Reason) {
        self.push(Effect::Because(reason));
    }

    /// Makes the effects of an algorithm inside those of the whole, in order.
    pub(crate) fn pass_on<B: Algorithm>(
        &mut self,
        out: &mut Effects<B>,
        message_of: impl Fn(A::Message) -> B::Message,
        timer_of: impl Fn(A::Timer) -> B::Timer,
        mut stored_of: impl FnMut(A::Stored) -> B::Stored,
        outcome_of: impl Fn(Outcome) -> Outcome,
        reason_of: impl Fn(A::Reason) -> B::Reason,
    ) {
        for effect in self.drain() {
            out.push(match effect {
                Effect::Send { to, message } => Effect::Send { to, message: message_of(message) },
                Effect::SetTimer { timer, delay } => Effect::SetTimer { timer: timer_of(timer), delay },
                Effect::CancelTimer(timer) => Effect::CancelTimer(timer_of(timer)),
                Effect::Store(stored) => Effect::Store(stored_of(stored)),
                Effect::Outcome(outcome) => Effect::Outcome(outcome_of(outcome)),
                Effect::Because(reason) => Effect::Because(reason_of(reason)),
            });
        }
    }

    /// Forgets all effects.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes all effects out, in order, leaving the buffer ready for the next step.
    pub fn drain(&mut self) -> impl Iterator<Item = Effect<A>> + '_ {
        self.0.drain(..)
    }

    /// The effects so far.
    #[must_use]
    pub fn as_slice(&self) -> &[Effect<A>] {
        &self.0
    }
}
