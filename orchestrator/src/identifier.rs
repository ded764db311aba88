//! Identifiers of runs and explorations.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use uuid::{ContextV7, Uuid, Version};

/// Keeps identifiers in order even if the clock stops or is set back.
static CONTEXT: Mutex<AssertUnwindSafe<ContextV7>> = Mutex::new(AssertUnwindSafe(ContextV7::new()));
/// Earliest time that a new identifier contains. UUIDs of version 7 cannot contain times before 1970.
static EARLIEST: Mutex<Timestamp> = Mutex::new(Timestamp::UNIX_EPOCH);

/// Returns a new identifier (RFC 9562, UUID version 7). It is greater than all identifiers that this process has
/// returned before, or has passed to [`succeed`].
#[must_use]
pub fn new_identifier() -> Uuid {
    at(Timestamp::now())
}

/// Makes all later identifiers greater than `identifier`, which an earlier process has returned. Without the call,
/// later identifiers may be smaller, because the clock may have been set back in the meantime.
pub fn succeed(identifier: Uuid) {
    let Some(time) = time_of(identifier) else { return };
    let next = time.saturating_add(SignedDuration::from_millis(1)).unwrap_or(time);
    let mut earliest = EARLIEST.lock().unwrap_or_else(PoisonError::into_inner);
    *earliest = next.max(*earliest);
}

fn time_of(identifier: Uuid) -> Option<Timestamp> {
    let (seconds, nanoseconds) = identifier.get_timestamp()?.to_unix();
    let time = Timestamp::new(i64::try_from(seconds).ok()?, i32::try_from(nanoseconds).ok()?).ok()?;
    (identifier.get_version() == Some(Version::SortRand)).then_some(time)
}

/// Returns a new identifier that contains the time `now`. If the clock shows a time before the earliest time, as on a
/// machine without a battery, the identifier contains the earliest time.
fn at(now: Timestamp) -> Uuid {
    let now = now.max(*EARLIEST.lock().unwrap_or_else(PoisonError::into_inner));
    let seconds = u64::try_from(now.as_second()).unwrap_or_default();
    let nanoseconds = u32::try_from(now.subsec_nanosecond()).unwrap_or_default();
    Uuid::new_v7(uuid::Timestamp::from_unix(&CONTEXT, seconds, nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_grow_although_the_clock_steps_back_or_is_before_1970() {
        let clocks =
            ["2026-11-28T00:00:00Z", "2026-11-27T00:00:00Z", "1969-12-31T23:59:59.5Z", "-009999-01-02T01:59:59Z"];
        let found = clocks.map(|clock| at(clock.parse().expect("a time")));
        assert!(found.is_sorted(), "{found:?}");
        assert_ne!(found[2], found[3]);
        // The identifier of an earlier process whose clock was about a century fast.
        let earlier = Uuid::parse_str("03c5b0a1-8800-7fff-bfff-ffffffffffff").expect("an identifier");
        assert!(found.iter().all(|&identifier| identifier < earlier), "{found:?}");
        succeed(earlier);
        assert!(at("2026-11-28T00:00:01Z".parse().expect("a time")) > earlier);
        // An identifier of another version does not affect later identifiers. An identifier with the last possible
        // time has no successor, so it must not affect later identifiers either.
        succeed(Uuid::parse_str("ffffffff-ffff-4fff-bfff-ffffffffffff").expect("an identifier"));
        succeed(Uuid::parse_str("ffffffff-ffff-7fff-bfff-ffffffffffff").expect("an identifier"));
        let later = [(); 2].map(|()| new_identifier());
        assert!(earlier < later[0] && later.is_sorted(), "{later:?}");
    }
}
