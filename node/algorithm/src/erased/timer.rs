//! Timers without their types, as numbers: a driver copies timers, which boxes do not allow.

use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contract::Data;

/// A timer as a number.
pub trait Packed: Data + Copy {
    /// Returns the number of the timer. Numbers are ordered like the timers.
    fn pack(self) -> u64;

    /// Returns the timer with this number; none if no timer has this number.
    fn unpack(number: u64) -> Option<Self>;
}

impl Packed for () {
    fn pack(self) -> u64 {
        0
    }

    fn unpack(number: u64) -> Option<Self> {
        (number == 0).then_some(())
    }
}

impl Packed for u8 {
    fn pack(self) -> u64 {
        self.into()
    }

    fn unpack(number: u64) -> Option<Self> {
        number.try_into().ok()
    }
}

/// Operations that convert the number of a timer back to its type.
trait Kind: Sync {
    fn debug(&self, number: u64, formatter: &mut Formatter<'_>) -> fmt::Result;
    /// Calls `take` with the timer.
    fn serialize(&self, number: u64, take: &mut dyn FnMut(&dyn erased_serde::Serialize));
}

struct KindOf<T>(PhantomData<fn() -> T>);

impl<T: Packed> Kind for KindOf<T> {
    fn debug(&self, number: u64, formatter: &mut Formatter<'_>) -> fmt::Result {
        T::unpack(number).fmt(formatter)
    }

    fn serialize(&self, number: u64, take: &mut dyn FnMut(&dyn erased_serde::Serialize)) {
        if let Some(timer) = T::unpack(number) {
            take(&timer);
        }
    }
}

/// A timer of any algorithm. All timers of one run have the same type.
#[derive(Clone, Copy)]
pub struct ErasedTimer {
    number: u64,
    kind: &'static dyn Kind,
}

impl ErasedTimer {
    pub(super) fn new<T: Packed>(timer: T) -> Self {
        Self { number: timer.pack(), kind: &KindOf::<T>(PhantomData) }
    }

    pub(super) fn open<T: Packed>(self) -> Option<T> {
        T::unpack(self.number)
    }
}

impl PartialEq for ErasedTimer {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for ErasedTimer {}

impl PartialOrd for ErasedTimer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ErasedTimer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl Hash for ErasedTimer {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.number.hash(hasher);
    }
}

impl Debug for ErasedTimer {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.kind.debug(self.number, formatter)
    }
}

impl Serialize for ErasedTimer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut serializer, mut written) = (Some(serializer), None);
        self.kind.serialize(self.number, &mut |timer| {
            written = serializer.take().map(|serializer| erased_serde::serialize(timer, serializer));
        });
        written.unwrap_or_else(|| Err(serde::ser::Error::custom("there is no timer of this number")))
    }
}

/// Always fails: only the setting of a run knows the type. See [`ErasedSetting`](super::ErasedSetting).
impl<'de> Deserialize<'de> for ErasedTimer {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("the type of a timer is known to the setting only"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::{paxos, replicated_lock};
    use crate::deadlock::central_detection;
    use crate::election::any::{Either, ElectionTimer};
    use crate::election::{acknowledged_ring, bully};
    use crate::identity::{LockId, NodeId};
    use crate::mutual_exclusion::{centralised, centralised_failover, dijkstra_ring, le_lann};

    /// Checks that packing is reversible and keeps the order of the timers. `timers` is in ascending order.
    fn are_packed<T: Packed>(timers: &[T]) {
        for timer in timers {
            assert_eq!(T::unpack(timer.pack()), Some(*timer));
        }
        assert!(timers.is_sorted_by(|one, other| one < other), "{timers:?}");
        assert!(timers.is_sorted_by_key(|timer| timer.pack()), "{timers:?}");
        assert_eq!(T::unpack(u64::MAX), None, "{timers:?}");
    }

    #[test]
    fn numbers_have_the_order_of_timers_and_lead_back_to_them() {
        are_packed(&[()]);
        are_packed(&[0_u8, 7, u8::MAX]);
        are_packed(&[paxos::Timer::Retry]);
        are_packed(&[central_detection::Timer::Report]);
        are_packed(&[centralised::Timer::Lease]);
        are_packed(&[le_lann::Timer::Missing]);
        are_packed(&[bully::Timer::Answer, bully::Timer::Coordinator]);
        are_packed(&[dijkstra_ring::Timer::Resend, dijkstra_ring::Timer::Move]);
        let answer = |node| acknowledged_ring::Timer::Answer { candidate: NodeId(node) };
        are_packed(&[answer(0), answer(u32::MAX), acknowledged_ring::Timer::Coordinator]);
        let elections = [
            ElectionTimer::Bully(bully::Timer::Coordinator),
            Either::Ring(answer(3)),
            Either::Ring(acknowledged_ring::Timer::Coordinator),
        ];
        are_packed(&elections);
        let within = elections.map(centralised_failover::Timer::Election);
        are_packed(&[centralised_failover::Timer::Client, centralised_failover::Timer::Office, within[0], within[1]]);
        let last = LockId(u32::MAX);
        let lease = |lock, odd| replicated_lock::Timer::Lease { lock, odd };
        are_packed(&[
            replicated_lock::Timer::Beat(LockId(0)),
            replicated_lock::Timer::Beat(last),
            lease(LockId(0), false),
            lease(LockId(0), true),
            lease(LockId(1), false),
            lease(last, true),
            replicated_lock::Timer::Expire(LockId(0)),
            replicated_lock::Timer::Expire(last),
            replicated_lock::Timer::Resend,
        ]);
    }

    #[test]
    fn an_erased_timer_is_written_as_the_timer() {
        let timer = ErasedTimer::new(replicated_lock::Timer::Lease { lock: LockId(2), odd: true });
        assert_eq!(serde_json::to_string(&timer).expect("JSON"), r#"{"lease":{"lock":2,"odd":true}}"#);
        assert_eq!(timer.open(), Some(replicated_lock::Timer::Lease { lock: LockId(2), odd: true }));
        assert_eq!(timer.open::<u8>(), None);
    }
}
