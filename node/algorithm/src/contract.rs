//! The contract between an algorithm and its driver: a live process, the simulator or the explorer.

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
use crate::outcome::Outcome;
use crate::sentence::Sentence;
use crate::view::View;

/// Requirements for every part of an algorithm's state: comparable, hashable and serializable as JSON.
pub trait Data: Clone + Eq + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + 'static {}

impl<T: Clone + Eq + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + 'static> Data for T {}

/// A protocol message.
///
/// A message is written as JSON with its kind in `kind` and its fields in `body`. So derive it with
/// `#[serde(tag = "kind", content = "body")]`.
pub trait Message: Data {
    /// Returns the name of the message in the paper, as in the catalogue: `REQUEST`, `REPLY`, …
    fn kind(&self) -> &'static str;

    /// Reads a message from its kind and its fields.
    ///
    /// # Errors
    /// If the algorithm has no such message.
    fn read(kind: &str, body: &RawValue) -> serde_json::Result<Self> {
        let kind = serde_json::to_string(kind)?;
        serde_json::from_str(&format!(r#"{{"kind":{kind},"body":{body}}}"#))
    }

    /// Returns the message as a serializable value. Override it in each message type, so that serialization is
    /// compiled once, next to the type. The crates that write messages then need no serializer of their own.
    fn as_serialize(&self) -> &dyn erased_serde::Serialize {
        self
    }

    /// Returns the lock that the message concerns, if each lock has its own instance of the algorithm.
    fn lock(&self) -> Option<LockId> {
        None
    }

    /// Passes every logical-clock time in the message to `show`: see [`Algorithm::growing`].
    fn show_times(&mut self, show: &mut Show<'_>) {
        let _ = show;
    }
}

/// A distributed algorithm as one process sees it.
///
/// An implementation is a function of its inputs. A value that is fixed for a run, such as the tree or the variant,
/// is in the [`Setting`](Algorithm::Setting) and not in the state, so states stay small.
pub trait Algorithm: Data {
    /// The values that are fixed for the whole run.
    type Setting: Send + Sync + 'static;
    /// The messages of the paper, with the paper's fields.
    type Message: Message;
    /// The timers. At most one timer is pending for each value.
    type Timer: Data + Copy;
    /// The state that survives a crash; `()` if nothing does.
    type Stored: Data;
    /// The reason for a decision: a code and numbers, without text. Derive it with `#[serde(tag = "code")]`.
    type Reason: Data;

    /// The catalogue entry of this algorithm.
    const ENTRY: Entry;
    /// Returns the catalogue entry of the algorithm of a run. It is [`ENTRY`](Self::ENTRY), unless the entry depends
    /// on the setting.
    #[must_use]
    fn entry(setting: &Self::Setting) -> &'static Entry {
        let _ = setting;
        const { &Self::ENTRY }
    }

    /// The sentences that explain the reasons.
    const SENTENCES: &'static [Sentence] = &[];

    /// Checks a configuration and makes the setting of a run from it.
    ///
    /// # Errors
    /// Names the invalid variant, parameter or number of nodes, and the valid values.
    fn configure(configuration: &Configuration<'_>) -> Result<Self::Setting, Refusal>;

    /// Returns the effective values of two kinds of parameters: times, in ms, and parameters whose default depends on
    /// the run. For the latter, the catalogue's default is only a word.
    fn in_force(setting: &Self::Setting) -> Vec<(&'static str, ParameterValue)> {
        let _ = setting;
        Vec::new()
    }

    /// Returns the state of node `me` before its first input.
    fn new(setting: &Self::Setting, me: NodeId) -> Self;

    /// Returns the state of node `me` when it restarts after a crash, before it receives its stored state.
    /// `incarnation` counts the incarnations of the process, including the one that begins, so it is 2 or more.
    /// Returns none if the process has lost knowledge without which it must not take part: see `Participant`.
    ///
    /// A fact that holds at the start of a run need not hold now. For example, the token, permissions and votes that
    /// this node initially had may be with other processes. The process must not reuse numbers of an earlier
    /// incarnation ([`number_in_life`](crate::clock::number_in_life)).
    fn begin_incarnation(setting: &Self::Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let _ = (setting, me, incarnation);
        None
    }

    /// Handles one input and appends the resulting effects to `out`.
    ///
    /// The driver guarantees:
    /// - No number in a message is [`implausible`].
    /// - A command is in the catalogue entry, and [`objection`](Self::objection) returned none for it.
    /// - `Acquire` arrives only while the node neither waits for the lock nor holds it, unless it [may have
    ///   several](Self::may_have_several) units.
    /// - `Release` arrives only while the node holds the lock by that request.
    ///
    /// [`implausible`]: crate::plausibility::implausible
    fn step(&mut self, setting: &Self::Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>);

    /// Returns how long the latest step took, in microseconds. Inputs and effects of a step have the same time, unless
    /// something outside executes the step, for example a user's program.
    fn step_lasted_us(setting: &Self::Setting) -> Ticks {
        let _ = setting;
        0
    }

    /// Returns the state for display.
    fn view(&self, setting: &Self::Setting, me: NodeId) -> View;

    /// Returns the objection to a command that cannot be executed now, as a lower-case phrase that names a valid
    /// command. Returns none if the command can be executed.
    fn objection(&self, setting: &Self::Setting, me: NodeId, command: &Command) -> Option<String> {
        let _ = (setting, me, command);
        None
    }

    /// Returns the number of units of the resource: how many processes may be in the critical section of a lock at
    /// the same time.
    fn capacity(setting: &Self::Setting, lock: LockId) -> u32 {
        let _ = (setting, lock);
        1
    }

    /// Whether one node may hold several units of a lock. If so, it may request the lock again while it waits for the
    /// lock or holds it.
    fn may_have_several(setting: &Self::Setting, lock: LockId) -> bool {
        let _ = (setting, lock);
        false
    }

    /// Returns the number of locks of a run that specifies none, for an algorithm that manages many locks.
    #[must_use]
    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        let _ = configuration;
        1
    }

    /// Whether a node can ever hold a lock. If this returns false, the client of the node never automatically
    /// requests the lock.
    fn may_have(setting: &Self::Setting, me: NodeId, lock: LockId) -> bool {
        let _ = (setting, me, lock);
        true
    }

    /// Returns the discipline by which a client acquires several locks.
    fn discipline(setting: &Self::Setting) -> Discipline {
        let _ = setting;
        Discipline::AsPlanned
    }

    /// Whether all locks that a process holds at a time belong to one request, like a transaction. If so, the
    /// process can give up all these locks together, but not one of them alone.
    fn has_transactions(setting: &Self::Setting) -> bool {
        Self::entry(setting).family == "deadlock"
    }

    /// Returns the members of set number `set` of node `me`, for [`Recipients::Set`].
    fn members(setting: &Self::Setting, me: NodeId, set: u32) -> &[NodeId] {
        let _ = (setting, me, set);
        &[]
    }

    /// Returns whether each request has a timestamp, and the timestamps of the requests of all processes are comparable.
    /// If so, the outcome [`Requested`](Outcome::Requested) contains the timestamp.
    fn has_timestamps(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// Returns the logical clock of the process, if every message of the algorithm carries a time and advances the
    /// clock of its recipient. The clock belongs to the whole process, so application messages and messages of other
    /// locks also carry a time and advance the clock.
    fn clock(&mut self, setting: &Self::Setting) -> Option<&mut Clock> {
        let _ = setting;
        None
    }

    /// Advances the logical clock and returns the stamp for an application message. Through the stamps, application
    /// messages become part of the happened-before order. Returns none if the algorithm keeps no clock.
    fn stamp(&mut self, setting: &Self::Setting) -> Option<u64> {
        self.clock(setting).map(Clock::tick)
    }

    /// Records the stamp of an application message that has arrived.
    fn witness(&mut self, setting: &Self::Setting, stamp: u64) {
        if let Some(clock) = self.clock(setting) {
            clock.observe(stamp);
        }
    }

    /// Returns whether the algorithm uses times of its logical clock in only two ways: it compares them, and it
    /// advances the clock past them. If so, two default implementations pass all such times to `show`.
    /// [`growing`](Self::growing) passes those in the state (see [`times`](Self::times)), and
    /// [`growing_in`](Self::growing_in) those in a message.
    fn compares_times(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// Returns the parts of the state that contain times of the logical clock.
    fn times(&mut self, me: NodeId) -> Vec<&mut dyn Timed> {
        let _ = me;
        Vec::new()
    }

    /// Passes to `show` every number of the state that grows without bound. Each such number belongs to a counter. The
    /// algorithm may only compare numbers of one counter, and count on from them. `show` gets the index of the counter
    /// (from 0 without a gap) and the number. It may reduce the number.
    ///
    /// Behaviour does not change if all numbers of a counter, in all processes and messages, are reduced by the same
    /// amount. Therefore two states that differ only in how far they have counted are equivalent. An algorithm that
    /// uses its numbers in any other way shows none.
    fn growing(&mut self, setting: &Self::Setting, me: NodeId, show: &mut Show<'_>) {
        if Self::compares_times(setting) {
            self.times(me).into_iter().for_each(|part| part.show_times(show));
        }
    }

    /// Passes to `show` the growing numbers of a message: see [`growing`](Self::growing).
    fn growing_in(message: &mut Self::Message, setting: &Self::Setting, show: &mut Show<'_>) {
        if Self::compares_times(setting) {
            message.show_times(show);
        }
    }

    /// Whether messages arrive in the instant in which they are sent, before any other event. This is composite
    /// atomicity, which no network provides. Only a simulation or an exploration can run such a setting.
    fn is_instantaneous(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// Returns an arbitrary state, for self-stabilising algorithms. The possible states are numbered from 0 without a
    /// gap, and `choice` is such a number.
    fn arbitrary(setting: &Self::Setting, me: NodeId, choice: u64) -> Option<Self> {
        let _ = (setting, me, choice);
        None
    }

    /// Returns an arbitrary message that may be in transit between two processes when a self-stabilising algorithm
    /// starts. The possible messages are numbered from 0 without a gap, and `choice` is such a number.
    fn arbitrary_message(setting: &Self::Setting, from: NodeId, to: NodeId, choice: u64) -> Option<Self::Message> {
        let _ = (setting, from, to, choice);
        None
    }

    /// Reads a message from its kind and its fields, which are transmitted separately.
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

    /// Returns the number of privileges in a global state, for self-stabilising algorithms that pass privileges on.
    /// `processes` is in the order of the nodes. `under_way` lists all messages in transit with sender and recipient;
    /// messages of one link are in their order of arrival. Returns none if the algorithm does not count privileges.
    fn privileges(
        setting: &Self::Setting,
        processes: &[&Self],
        under_way: &[(NodeId, NodeId, &Self::Message)],
    ) -> Option<usize> {
        let _ = (setting, processes, under_way);
        None
    }
}

/// An input of a node. A node handles one input at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<A: Algorithm> {
    /// The run begins.
    Start,
    /// The process restarts after a crash, with its stored state or with none.
    Restart(Option<A::Stored>),
    /// The client of this node sends a command.
    Command(Command),
    /// A message has arrived.
    Message {
        /// The sender, another node of the run. The network guarantees who the sender is, but not that the content is
        /// valid.
        from: NodeId,
        /// The content.
        message: A::Message,
    },
    /// A timer of this node has expired.
    Timer(A::Timer),
    /// The failure detector suspects that another process has crashed. Unless the detector is perfect, the suspicion
    /// may be wrong. If a process crashes and restarts, it is suspected and trusted again before any message of its
    /// new incarnation arrives.
    Suspected(NodeId),
    /// The failure detector trusts another process again: that process never crashed, or it has restarted.
    Trusted(NodeId),
}

impl<A: Algorithm> Input<A> {
    /// Converts the input for an inner algorithm. Returns none if the message or timer does not belong to the inner
    /// algorithm.
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

/// An effect of an input. The order of effects is part of the contract. For example, if a `Store` precedes a `Send`,
/// the state is stored before the message is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<A: Algorithm> {
    /// Send a message to other processes. If a process sends a message to itself, it handles that message within the
    /// step, without this effect.
    Send {
        /// The recipients. A multicast is one effect.
        to: Recipients,
        /// The content.
        message: A::Message,
    },
    /// Set a timer. It replaces a pending timer of the same value.
    SetTimer {
        /// The timer.
        timer: A::Timer,
        /// The delay until the timer expires.
        delay: Delay,
    },
    /// Cancel a pending timer.
    CancelTimer(A::Timer),
    /// Replace the state that survives a crash.
    Store(A::Stored),
    /// Report an outcome to the client, the monitors and the users.
    Outcome(Outcome),
    /// Give the reason for the step's decision.
    Because(A::Reason),
}

/// The recipients of a message. The sender itself is never among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// To one node.
    One(NodeId),
    /// To all nodes but the sender.
    Others,
    /// To the members of a numbered set, except the sender: see [`Algorithm::members`].
    Set(u32),
}

/// The delay until a timer expires. The driver draws random delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// After exactly this time, in ticks.
    Exactly(Ticks),
    /// After a time drawn uniformly from this range, both ends included.
    Uniform(Ticks, Ticks),
}

/// The effects of one step, in order. A driver clears and reuses the buffer.
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

    /// Reports an outcome.
    pub fn outcome(&mut self, outcome: Outcome) {
        self.push(Effect::Outcome(outcome));
    }

    /// Reports a reason.
    #[inline]
    pub fn because(&mut self, reason: A::Reason) {
        self.push(Effect::Because(reason));
    }

    /// Converts the effects of an inner algorithm to effects of the outer one and appends them to `out`, in order.
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

    /// Removes all effects.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes and returns all effects, in order. The buffer is then ready for the next step.
    pub fn drain(&mut self) -> impl Iterator<Item = Effect<A>> + '_ {
        self.0.drain(..)
    }

    /// Returns the effects so far.
    #[must_use]
    pub fn as_slice(&self) -> &[Effect<A>] {
        &self.0
    }

    /// Returns the effects so far for modification.
    pub fn as_mut_slice(&mut self) -> &mut [Effect<A>] {
        &mut self.0
    }
}
