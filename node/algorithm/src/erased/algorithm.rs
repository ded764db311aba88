//! The type-erased algorithm: the setting of a run, which knows the types of its values, and the states of processes.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::object::{ErasedMessage, Object, Opaque, value};
use super::timer::{ErasedTimer, Packed};
use crate::clock::{Clock, Show};
use crate::command::{Command, Discipline};
use crate::configuration::{Configuration, ParameterValue, Refusal, Subject};
use crate::contract::{Algorithm, Effects, Input};
use crate::entry::Entry;
use crate::identity::{LockId, NodeId};
use crate::own::Own;
use crate::view::View;

/// Operations on the state of a process of any algorithm.
pub(super) trait State: Object {
    fn duplicate_state(&self) -> Box<dyn State>;
    fn step(&mut self, setting: &ErasedSetting, me: NodeId, input: Input<Erased>, out: &mut Effects<Erased>);
    fn view(&self, setting: &ErasedSetting, me: NodeId) -> View;
    fn objection(&self, setting: &ErasedSetting, me: NodeId, command: &Command) -> Option<String>;
    fn clock(&mut self, setting: &ErasedSetting) -> Option<&mut Clock>;
    fn stamp(&mut self, setting: &ErasedSetting) -> Option<u64>;
    fn witness(&mut self, setting: &ErasedSetting, stamp: u64);
    fn growing(&mut self, setting: &ErasedSetting, me: NodeId, show: &mut Show<'_>);
}

impl<A: Algorithm<Timer: Packed>> State for A {
    fn duplicate_state(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn step(&mut self, setting: &ErasedSetting, me: NodeId, input: Input<Erased>, out: &mut Effects<Erased>) {
        let (Some(setting), Some(input)) = (setting.of::<A>(), open(input)) else { return };
        let mut effects = Effects::<A>::default();
        Algorithm::step(self, setting, me, input, &mut effects);
        effects.pass_on(out, ErasedMessage::new, ErasedTimer::new, Opaque::new, |outcome| outcome, Opaque::new);
    }

    fn view(&self, setting: &ErasedSetting, me: NodeId) -> View {
        setting.of::<A>().map(|setting| Algorithm::view(self, setting, me)).unwrap_or_default()
    }

    fn objection(&self, setting: &ErasedSetting, me: NodeId, command: &Command) -> Option<String> {
        Algorithm::objection(self, setting.of::<A>()?, me, command)
    }

    fn clock(&mut self, setting: &ErasedSetting) -> Option<&mut Clock> {
        Algorithm::clock(self, setting.of::<A>()?)
    }

    fn stamp(&mut self, setting: &ErasedSetting) -> Option<u64> {
        Algorithm::stamp(self, setting.of::<A>()?)
    }

    fn witness(&mut self, setting: &ErasedSetting, stamp: u64) {
        if let Some(setting) = setting.of::<A>() {
            Algorithm::witness(self, setting, stamp);
        }
    }

    fn growing(&mut self, setting: &ErasedSetting, me: NodeId, show: &mut Show<'_>) {
        if let Some(setting) = setting.of::<A>() {
            Algorithm::growing(self, setting, me, show);
        }
    }
}

/// Converts an erased input to an input of algorithm `A`. Returns none if a part of the input belongs to another
/// algorithm.
fn open<A: Algorithm<Timer: Packed>>(input: Input<Erased>) -> Option<Input<A>> {
    Some(match input {
        Input::Start => Input::Start,
        Input::Restart(None) => Input::Restart(None),
        Input::Restart(Some(stored)) => Input::Restart(Some(stored.open()?)),
        Input::Command(command) => Input::Command(command),
        Input::Message { from, message } => Input::Message { from, message: message.open()? },
        Input::Timer(timer) => Input::Timer(timer.open()?),
        Input::Suspected(node) => Input::Suspected(node),
        Input::Trusted(node) => Input::Trusted(node),
    })
}

/// The state of a process, of any algorithm in the catalogue.
pub struct Erased(Box<dyn State>);

impl Erased {
    pub(super) fn new<A: Algorithm<Timer: Packed>>(state: A) -> Self {
        Self(Box::new(state))
    }

    pub(super) fn typed<A: Algorithm>(&self) -> Option<&A> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }
}

impl Clone for Erased {
    fn clone(&self) -> Self {
        Self(self.0.duplicate_state())
    }
}

value!(Erased, "a state");

impl Algorithm for Erased {
    type Setting = ErasedSetting;
    type Message = ErasedMessage;
    type Timer = ErasedTimer;
    type Stored = Opaque;
    type Reason = Opaque;

    /// An unused placeholder: see [`Algorithm::entry`].
    const ENTRY: Entry = Own::ENTRY;

    fn entry(setting: &ErasedSetting) -> &'static Entry {
        setting.object().entry()
    }

    /// Always refuses, because an erased setting can only be made from a typed one.
    fn configure(_: &Configuration<'_>) -> Result<ErasedSetting, Refusal> {
        Err(Refusal::new(Subject::Algorithm, "the setting of an erased algorithm is made of a typed one", []))
    }

    fn in_force(setting: &ErasedSetting) -> Vec<(&'static str, ParameterValue)> {
        setting.object().in_force()
    }

    fn new(setting: &ErasedSetting, me: NodeId) -> Self {
        setting.object().begin(me)
    }

    fn begin_incarnation(setting: &ErasedSetting, me: NodeId, incarnation: u32) -> Option<Self> {
        setting.object().begin_incarnation(me, incarnation)
    }

    fn step(&mut self, setting: &ErasedSetting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        self.0.step(setting, me, input, out);
    }

    fn view(&self, setting: &ErasedSetting, me: NodeId) -> View {
        self.0.view(setting, me)
    }

    fn objection(&self, setting: &ErasedSetting, me: NodeId, command: &Command) -> Option<String> {
        self.0.objection(setting, me, command)
    }

    fn capacity(setting: &ErasedSetting, lock: LockId) -> u32 {
        setting.object().capacity(lock)
    }

    fn may_have_several(setting: &ErasedSetting, lock: LockId) -> bool {
        setting.object().may_have_several(lock)
    }

    fn may_have(setting: &ErasedSetting, me: NodeId, lock: LockId) -> bool {
        setting.object().may_have(me, lock)
    }

    fn discipline(setting: &ErasedSetting) -> Discipline {
        setting.object().discipline()
    }

    fn has_transactions(setting: &ErasedSetting) -> bool {
        setting.object().has_transactions()
    }

    fn members(setting: &ErasedSetting, me: NodeId, set: u32) -> &[NodeId] {
        setting.object().members(me, set)
    }

    fn clock(&mut self, setting: &ErasedSetting) -> Option<&mut Clock> {
        self.0.clock(setting)
    }

    fn stamp(&mut self, setting: &ErasedSetting) -> Option<u64> {
        self.0.stamp(setting)
    }

    fn witness(&mut self, setting: &ErasedSetting, stamp: u64) {
        self.0.witness(setting, stamp);
    }

    fn growing(&mut self, setting: &ErasedSetting, me: NodeId, show: &mut Show<'_>) {
        self.0.growing(setting, me, show);
    }

    fn growing_in(message: &mut ErasedMessage, setting: &ErasedSetting, show: &mut Show<'_>) {
        setting.object().growing_in(message, show);
    }

    fn has_timestamps(setting: &ErasedSetting) -> bool {
        setting.object().has_timestamps()
    }

    fn is_instantaneous(setting: &ErasedSetting) -> bool {
        setting.object().is_instantaneous()
    }

    fn arbitrary(setting: &ErasedSetting, me: NodeId, choice: u64) -> Option<Self> {
        setting.object().arbitrary(me, choice)
    }

    fn arbitrary_message(setting: &ErasedSetting, from: NodeId, to: NodeId, choice: u64) -> Option<ErasedMessage> {
        setting.object().arbitrary_message(from, to, choice)
    }

    fn privileges(
        setting: &ErasedSetting,
        processes: &[&Self],
        under_way: &[(NodeId, NodeId, &ErasedMessage)],
    ) -> Option<usize> {
        setting.object().privileges(processes, under_way)
    }

    fn read_message(setting: &ErasedSetting, kind: &str, body: &RawValue) -> serde_json::Result<ErasedMessage> {
        setting.object().read_message(kind, body)
    }

    fn read_timer(setting: &ErasedSetting, timer: &RawValue) -> serde_json::Result<ErasedTimer> {
        setting.object().read_timer(timer)
    }

    fn read_stored(setting: &ErasedSetting, stored: &RawValue) -> serde_json::Result<Opaque> {
        setting.object().read_stored(stored)
    }
}

/// The functions of [`Algorithm`] that take a setting and no state.
pub(super) trait SettingObject: Any + Send + Sync {
    fn entry(&self) -> &'static Entry;
    fn in_force(&self) -> Vec<(&'static str, ParameterValue)>;
    fn begin(&self, me: NodeId) -> Erased;
    fn begin_incarnation(&self, me: NodeId, incarnation: u32) -> Option<Erased>;
    fn capacity(&self, lock: LockId) -> u32;
    fn may_have_several(&self, lock: LockId) -> bool;
    fn may_have(&self, me: NodeId, lock: LockId) -> bool;
    fn discipline(&self) -> Discipline;
    fn has_transactions(&self) -> bool;
    fn members(&self, me: NodeId, set: u32) -> &[NodeId];
    fn growing_in(&self, message: &mut ErasedMessage, show: &mut Show<'_>);
    fn has_timestamps(&self) -> bool;
    fn is_instantaneous(&self) -> bool;
    fn arbitrary(&self, me: NodeId, choice: u64) -> Option<Erased>;
    fn arbitrary_message(&self, from: NodeId, to: NodeId, choice: u64) -> Option<ErasedMessage>;
    fn privileges(&self, processes: &[&Erased], under_way: &[(NodeId, NodeId, &ErasedMessage)]) -> Option<usize>;
    fn read_message(&self, kind: &str, body: &RawValue) -> serde_json::Result<ErasedMessage>;
    fn read_timer(&self, timer: &RawValue) -> serde_json::Result<ErasedTimer>;
    fn read_stored(&self, stored: &RawValue) -> serde_json::Result<Opaque>;
}

struct SettingOf<A: Algorithm>(A::Setting);

impl<A: Algorithm<Timer: Packed>> SettingObject for SettingOf<A> {
    fn entry(&self) -> &'static Entry {
        A::entry(&self.0)
    }

    fn in_force(&self) -> Vec<(&'static str, ParameterValue)> {
        A::in_force(&self.0)
    }

    fn begin(&self, me: NodeId) -> Erased {
        Erased::new(A::new(&self.0, me))
    }

    fn begin_incarnation(&self, me: NodeId, incarnation: u32) -> Option<Erased> {
        A::begin_incarnation(&self.0, me, incarnation).map(Erased::new)
    }

    fn capacity(&self, lock: LockId) -> u32 {
        A::capacity(&self.0, lock)
    }

    fn may_have_several(&self, lock: LockId) -> bool {
        A::may_have_several(&self.0, lock)
    }

    fn may_have(&self, me: NodeId, lock: LockId) -> bool {
        A::may_have(&self.0, me, lock)
    }

    fn discipline(&self) -> Discipline {
        A::discipline(&self.0)
    }

    fn has_transactions(&self) -> bool {
        A::has_transactions(&self.0)
    }

    fn members(&self, me: NodeId, set: u32) -> &[NodeId] {
        A::members(&self.0, me, set)
    }

    fn growing_in(&self, message: &mut ErasedMessage, show: &mut Show<'_>) {
        if let Some(message) = message.typed_mut() {
            A::growing_in(message, &self.0, show);
        }
    }

    fn has_timestamps(&self) -> bool {
        A::has_timestamps(&self.0)
    }

    fn is_instantaneous(&self) -> bool {
        A::is_instantaneous(&self.0)
    }

    fn arbitrary(&self, me: NodeId, choice: u64) -> Option<Erased> {
        A::arbitrary(&self.0, me, choice).map(Erased::new)
    }

    fn arbitrary_message(&self, from: NodeId, to: NodeId, choice: u64) -> Option<ErasedMessage> {
        A::arbitrary_message(&self.0, from, to, choice).map(ErasedMessage::new)
    }

    fn privileges(&self, processes: &[&Erased], under_way: &[(NodeId, NodeId, &ErasedMessage)]) -> Option<usize> {
        let processes = processes.iter().map(|process| process.typed()).collect::<Option<Vec<&A>>>()?;
        let under_way = under_way.iter().map(|&(from, to, message)| Some((from, to, message.typed()?)));
        let under_way = under_way.collect::<Option<Vec<_>>>()?;
        A::privileges(&self.0, &processes, &under_way)
    }

    fn read_message(&self, kind: &str, body: &RawValue) -> serde_json::Result<ErasedMessage> {
        A::read_message(&self.0, kind, body).map(ErasedMessage::new)
    }

    fn read_timer(&self, timer: &RawValue) -> serde_json::Result<ErasedTimer> {
        A::read_timer(&self.0, timer).map(ErasedTimer::new)
    }

    fn read_stored(&self, stored: &RawValue) -> serde_json::Result<Opaque> {
        A::read_stored(&self.0, stored).map(Opaque::new)
    }
}

/// The setting of a run, of any algorithm in the catalogue.
pub struct ErasedSetting(Box<dyn SettingObject>);

impl ErasedSetting {
    /// Erases a setting of algorithm `A`.
    #[must_use]
    pub fn new<A: Algorithm<Timer: Packed>>(setting: A::Setting) -> Self {
        Self(Box::new(SettingOf::<A>(setting)))
    }

    pub(super) fn object(&self) -> &dyn SettingObject {
        &*self.0
    }

    /// Returns the setting of algorithm `A`; none if this is a setting of another algorithm.
    pub(super) fn of<A: Algorithm>(&self) -> Option<&A::Setting> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref::<SettingOf<A>>().map(|setting| &setting.0)
    }
}

impl Debug for ErasedSetting {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ErasedSetting").field(&self.0.entry().name).finish()
    }
}
