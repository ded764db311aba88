//! Several locks for an algorithm that manages only one lock. Each lock is a separate instance of the algorithm, with
//! its own variables, messages, timers and storage. As the lecture puts it, there is "a token of its own for each
//! resource". Only the logical clock belongs to the whole process, so that the happened-before order includes events
//! of all locks.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::clock::Clock;
use crate::command::{Command, Discipline};
use crate::configuration::{Configuration, ParameterValue, Refusal};
use crate::contract::{Algorithm, Data, Effects, Input, Message};
use crate::entry::Entry;
use crate::identity::{LockId, NodeId};
use crate::view::View;

/// One process with an instance of `A` for each lock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Instances<A: Algorithm> {
    by_lock: Vec<A>,
    /// The stored state of each instance, if any. All stored states survive a crash together.
    stored: Vec<Option<A::Stored>>,
    /// The clock of the process after the latest step of any instance. It stays 0 if the algorithm keeps no clock.
    clock: Clock,
}

/// The setting of each instance, and the number of locks.
#[derive(Clone, Debug)]
pub struct Setting<S> {
    /// The setting of each instance.
    pub each: S,
    /// The number of locks.
    pub locks: u32,
}

/// A message of one lock's instance. Its kind is the kind of `message`, and its body also names the lock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labelled<M> {
    /// The lock.
    pub lock: LockId,
    /// The message.
    pub message: M,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tagged<K, B> {
    kind: K,
    body: B,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body<M> {
    lock: LockId,
    message: M,
}

impl<M: Message> Serialize for Labelled<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = Body { lock: self.lock, message: &self.message };
        Tagged { kind: self.message.kind(), body }.serialize(serializer)
    }
}

impl<'de, M: Message> Deserialize<'de> for Labelled<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Tagged { kind, body: Body { lock, message } } = Tagged::<String, Body<M>>::deserialize(deserializer)?;
        if kind == message.kind() {
            Ok(Self { lock, message })
        } else {
            Err(D::Error::custom(format_args!("a {kind} cannot hold a {}", message.kind())))
        }
    }
}

impl<M: Message> Message for Labelled<M> {
    fn kind(&self) -> &'static str {
        self.message.kind()
    }

    fn lock(&self) -> Option<LockId> {
        Some(self.lock)
    }
}

/// A reason that one lock's instance gives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Reasoned<R> {
    /// The lock.
    pub lock: LockId,
    /// The reason.
    #[serde(flatten)]
    pub reason: R,
}

impl<A: Algorithm> Instances<A> {
    fn one(
        &mut self,
        setting: &Setting<A::Setting>,
        me: NodeId,
        lock: LockId,
        input: Input<A>,
        out: &mut Effects<Self>,
    ) {
        // Ignore a message for a lock that does not exist, because such a message is forged.
        let Some(instance) = self.by_lock.get_mut(lock.0 as usize) else { return };
        if let Some(clock) = instance.clock(&setting.each) {
            *clock = self.clock;
        }
        let mut effects = Effects::default();
        instance.step(&setting.each, me, input, &mut effects);
        if let Some(clock) = instance.clock(&setting.each) {
            self.clock = self.clock.max(*clock);
        }
        let stored = &mut self.stored;
        effects.pass_on(
            out,
            |message| Labelled { lock, message },
            |timer| (lock, timer),
            |of_this| {
                stored[lock.0 as usize] = Some(of_this);
                stored.clone()
            },
            |outcome| outcome.of_lock(lock),
            |reason| Reasoned { lock, reason },
        );
    }

    /// Executes a command. If the command concerns one lock, only the instance of that lock executes it. Otherwise all
    /// instances that do not object to the command execute it.
    fn command(&mut self, setting: &Setting<A::Setting>, me: NodeId, command: Command, out: &mut Effects<Self>) {
        if let Some(lock) = lock_of(&command) {
            return self.one(setting, me, lock, Input::Command(command), out);
        }
        if let Command::Corrupt { choice } = command {
            let Some(states) = states_by_lock::<A>(setting, me, choice) else { return };
            return self.each(setting, me, out, |lock| Input::Command(Command::Corrupt { choice: states[lock] }));
        }
        for (lock, place) in (0..setting.locks).map(LockId).zip(0..) {
            let instance = self.by_lock.get(place);
            if instance.is_some_and(|instance| instance.objection(&setting.each, me, &command).is_none()) {
                self.one(setting, me, lock, Input::Command(command.clone()), out);
            }
        }
    }

    fn each(
        &mut self,
        setting: &Setting<A::Setting>,
        me: NodeId,
        out: &mut Effects<Self>,
        input: impl Fn(usize) -> Input<A>,
    ) {
        for lock in 0..setting.locks {
            self.one(setting, me, LockId(lock), input(lock as usize), out);
        }
    }
}

/// Returns the lock that a command concerns; none if it concerns all locks.
const fn lock_of(command: &Command) -> Option<LockId> {
    match command {
        Command::Acquire { lock, .. } | Command::Release { lock, .. } => Some(*lock),
        Command::AcquireTogether { .. }
        | Command::Elect
        | Command::Propose { .. }
        | Command::Invoke { .. }
        | Command::Corrupt { .. } => None,
    }
}

/// Returns the number of each lock's state in the arbitrary state `choice` of the process. If each lock has n states,
/// these numbers are the base-n digits of `choice`; the first lock has the least significant digit. Returns none if
/// there is no such state.
fn states_by_lock<A: Algorithm>(setting: &Setting<A::Setting>, me: NodeId, choice: u64) -> Option<Vec<u64>> {
    let states = arbitrary_states::<A>(&setting.each, me);
    let mut rest = choice;
    let by_lock = (0..setting.locks).map(|_| {
        let state = rest.checked_rem(states)?;
        rest /= states;
        Some(state)
    });
    let by_lock = by_lock.collect::<Option<Vec<_>>>()?;
    (rest == 0).then_some(by_lock)
}

/// Counts the arbitrary states of a process by binary search. The states are numbered without a gap.
fn arbitrary_states<A: Algorithm>(setting: &A::Setting, me: NodeId) -> u64 {
    let (mut there, mut beyond) = (0, u64::MAX);
    while there < beyond {
        let middle = there + (beyond - there) / 2;
        match A::arbitrary(setting, me, middle) {
            Some(_) => there = middle + 1,
            None => beyond = middle,
        }
    }
    there
}

impl<A: Algorithm> Algorithm for Instances<A>
where
    Reasoned<A::Reason>: Data,
{
    type Setting = Setting<A::Setting>;
    type Message = Labelled<A::Message>;
    type Timer = (LockId, A::Timer);
    type Stored = Vec<Option<A::Stored>>;
    type Reason = Reasoned<A::Reason>;

    const ENTRY: Entry = A::ENTRY;

    fn entry(setting: &Self::Setting) -> &'static Entry {
        A::entry(&setting.each)
    }

    fn configure(configuration: &Configuration<'_>) -> Result<Self::Setting, Refusal> {
        Ok(Setting { each: A::configure(configuration)?, locks: configuration.locks })
    }

    fn in_force(setting: &Self::Setting) -> Vec<(&'static str, ParameterValue)> {
        A::in_force(&setting.each)
    }

    fn new(setting: &Self::Setting, me: NodeId) -> Self {
        let locks = setting.locks as usize;
        Self { by_lock: vec![A::new(&setting.each, me); locks], stored: vec![None; locks], clock: Clock::default() }
    }

    fn begin_incarnation(setting: &Self::Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let locks = setting.locks as usize;
        let mut instance = A::begin_incarnation(&setting.each, me, incarnation)?;
        let clock = instance.clock(&setting.each).map(|clock| *clock).unwrap_or_default();
        Some(Self { by_lock: vec![instance; locks], stored: vec![None; locks], clock })
    }

    fn step(&mut self, setting: &Self::Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Start => self.each(setting, me, out, |_| Input::Start),
            Input::Restart(stored) => {
                let mut stored = stored.unwrap_or_default();
                stored.resize(setting.locks as usize, None);
                self.stored.clone_from(&stored);
                self.each(setting, me, out, |lock| Input::Restart(stored[lock].clone()));
            }
            Input::Command(command) => self.command(setting, me, command, out),
            Input::Message { from, message: Labelled { lock, message } } => {
                self.one(setting, me, lock, Input::Message { from, message }, out);
            }
            Input::Timer((lock, timer)) => self.one(setting, me, lock, Input::Timer(timer), out),
            Input::Suspected(node) => self.each(setting, me, out, |_| Input::Suspected(node)),
            Input::Trusted(node) => self.each(setting, me, out, |_| Input::Trusted(node)),
        }
    }

    fn view(&self, setting: &Self::Setting, me: NodeId) -> View {
        let now = self.clock.now();
        let view = |instance: &A| instance.view(&setting.each, me);
        let at_now = |view: View| View { clock: view.clock.map(|clock| clock.max(now)), ..view };
        let locks: Vec<View> = self.by_lock.iter().map(view).map(at_now).collect();
        let mut waits_for: Vec<NodeId> = locks.iter().flat_map(|view| &view.waits_for).copied().collect();
        waits_for.sort_unstable();
        waits_for.dedup();
        View { waits_for: waits_for.into_iter().collect(), locks, ..View::default() }
    }

    fn objection(&self, setting: &Self::Setting, me: NodeId, command: &Command) -> Option<String> {
        let objection = |instance: &A| instance.objection(&setting.each, me, command);
        if let Command::Corrupt { choice } = command {
            let none = states_by_lock::<A>(setting, me, *choice).is_none();
            return none.then(|| format!("there is no state {choice} of {} locks", setting.locks));
        }
        match lock_of(command) {
            Some(lock) => objection(self.by_lock.get(lock.0 as usize)?),
            // All instances that do not object execute the command. So there is an objection only if all instances
            // object.
            None => self.by_lock.iter().map(objection).collect::<Option<Vec<_>>>()?.into_iter().next(),
        }
    }

    fn capacity(setting: &Self::Setting, lock: LockId) -> u32 {
        A::capacity(&setting.each, lock)
    }

    fn may_have(setting: &Self::Setting, me: NodeId, lock: LockId) -> bool {
        A::may_have(&setting.each, me, lock)
    }

    fn may_have_several(setting: &Self::Setting, lock: LockId) -> bool {
        A::may_have_several(&setting.each, lock)
    }

    fn discipline(setting: &Self::Setting) -> Discipline {
        A::discipline(&setting.each)
    }

    fn members(setting: &Self::Setting, me: NodeId, set: u32) -> &[NodeId] {
        A::members(&setting.each, me, set)
    }

    fn clock(&mut self, setting: &Self::Setting) -> Option<&mut Clock> {
        self.by_lock.first_mut()?.clock(&setting.each)?;
        Some(&mut self.clock)
    }

    fn has_transactions(setting: &Self::Setting) -> bool {
        A::has_transactions(&setting.each)
    }

    fn read_message(setting: &Self::Setting, kind: &str, body: &RawValue) -> serde_json::Result<Self::Message> {
        let Body { lock, message } = Body::<Tagged<String, &RawValue>>::deserialize(body)?;
        let message = A::read_message(&setting.each, &message.kind, message.body)?;
        if kind == message.kind() {
            Ok(Labelled { lock, message })
        } else {
            Err(Error::custom(format_args!("a {kind} cannot hold a {}", message.kind())))
        }
    }

    fn read_timer(setting: &Self::Setting, timer: &RawValue) -> serde_json::Result<Self::Timer> {
        let (lock, timer) = <(LockId, &RawValue)>::deserialize(timer)?;
        Ok((lock, A::read_timer(&setting.each, timer)?))
    }

    fn read_stored(setting: &Self::Setting, stored: &RawValue) -> serde_json::Result<Self::Stored> {
        let stored = Vec::<Option<&RawValue>>::deserialize(stored)?;
        stored.into_iter().map(|one| one.map(|one| A::read_stored(&setting.each, one)).transpose()).collect()
    }

    fn has_timestamps(setting: &Self::Setting) -> bool {
        A::has_timestamps(&setting.each)
    }

    fn is_instantaneous(setting: &Self::Setting) -> bool {
        A::is_instantaneous(&setting.each)
    }

    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        A::default_locks(configuration)
    }

    /// Returns an arbitrary state. The digits of `choice` are the numbers of the locks' states; the first lock has the
    /// least significant digit.
    fn arbitrary(setting: &Self::Setting, me: NodeId, choice: u64) -> Option<Self> {
        let states = states_by_lock::<A>(setting, me, choice)?;
        let by_lock = states.into_iter().map(|state| A::arbitrary(&setting.each, me, state));
        Some(Self { by_lock: by_lock.collect::<Option<Vec<_>>>()?, ..Self::new(setting, me) })
    }
}
