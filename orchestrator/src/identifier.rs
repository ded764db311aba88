//! Identifiers of runs and explorations.

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use jiff::Timestamp;
use uuid::{ContextV7, Uuid};

/// Keeps identifiers in their order where the clock stands still or steps back.
static CONTEXT: Mutex<AssertUnwindSafe<ContextV7>> = Mutex::new(AssertUnwindSafe(ContextV7::new()));

/// Returns a new identifier (RFC 9562, UUID version 7), greater than all that this process has returned before.
#[must_use]
pub fn new_identifier() -> Uuid {
    at(Timestamp::now())
}

/// A clock before 1970, as of a machine without a battery, counts as 1970: version 7 knows no earlier time.
fn at(now: Timestamp) -> Uuid {
    let now = now.max(Timestamp::UNIX_EPOCH);
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
    }
}
