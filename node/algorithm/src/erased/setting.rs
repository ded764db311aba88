//! The setting of a run of any algorithm, which knows the types of its values.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt::{self, Debug, Formatter};

use super::object::{ErasedMessage, Opaque};
use super::state::Erased;
use super::timer::{ErasedTimer, Packed};
use crate::command::Discipline;
use crate::configuration::ParameterValue;
use crate::contract::{Algorithm, Show};
use crate::entry::Entry;
use crate::identity::{LockId, NodeId};

type Reader<'r, 'de> = &'r mut dyn erased_serde::Deserializer<'de>;

/// What an algorithm says of a setting, as in [`Algorithm`].
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
    fn is_instantaneous(&self) -> bool;
    fn arbitrary(&self, me: NodeId, choice: u64) -> Option<Erased>;
    fn arbitrary_message(&self, from: NodeId, to: NodeId, choice: u64) -> Option<ErasedMessage>;
    fn privileges(&self, processes: &[&Erased], under_way: &[(NodeId, NodeId, &ErasedMessage)]) -> Option<usize>;
    fn read_message(&self, reader: Reader<'_, '_>) -> Result<ErasedMessage, erased_serde::Error>;
    fn read_timer(&self, reader: Reader<'_, '_>) -> Result<ErasedTimer, erased_serde::Error>;
    fn read_stored(&self, reader: Reader<'_, '_>) -> Result<Opaque, erased_serde::Error>;
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

    fn read_message(&self, reader: Reader<'_, '_>) -> Result<ErasedMessage, erased_serde::Error> {
        A::read_message(&self.0, reader).map(ErasedMessage::new)
    }

    fn read_timer(&self, reader: Reader<'_, '_>) -> Result<ErasedTimer, erased_serde::Error> {
        A::read_timer(&self.0, reader).map(ErasedTimer::new)
    }

    fn read_stored(&self, reader: Reader<'_, '_>) -> Result<Opaque, erased_serde::Error> {
        A::read_stored(&self.0, reader).map(Opaque::new)
    }
}

/// The setting of a run, of any algorithm of the catalogue.
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

    /// Returns the typed setting; none if it is of another algorithm.
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
