//! The time in a run, which is taken from the machine's clock or from a schedule.

use interlock_node::Clock;

/// The time of a run, in microseconds since its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    clock: Clock,
    /// Present time while the run follows a schedule; none if the time is taken from the clock.
    scheduled_us: Option<u64>,
    /// Offset that is added to the clock. When a run leaves its schedule, the offset is the difference between the
    /// time of the schedule and the clock, which may be negative.
    ahead_us: i64,
}

impl Time {
    /// Creates a time that advances with `clock`.
    pub const fn by(clock: Clock) -> Self {
        Self { clock, scheduled_us: None, ahead_us: 0 }
    }

    /// Creates a time that advances only by the actions of a schedule.
    pub const fn by_schedule(clock: Clock) -> Self {
        Self { clock, scheduled_us: Some(0), ahead_us: 0 }
    }

    /// Returns the machine's clock, which counts from the start of the run.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the present time.
    pub fn now_us(&self) -> u64 {
        self.scheduled_us.unwrap_or_else(|| self.clock.now_us().saturating_add_signed(self.ahead_us))
    }

    /// Converts the time that a process reports for a step, by the machine's clock, into the time of the run.
    pub fn of_step(&self, at_us: u64) -> u64 {
        self.scheduled_us.unwrap_or_else(|| at_us.saturating_add_signed(self.ahead_us).min(self.now_us()))
    }

    /// Makes the time advance with the clock again, starting with the present time of the schedule.
    pub fn go_on(&mut self) {
        let clock_us = i64::try_from(self.clock.now_us()).unwrap_or(i64::MAX);
        if let Some(now_us) = self.scheduled_us.take() {
            self.ahead_us = i64::try_from(now_us).unwrap_or(i64::MAX).saturating_sub(clock_us);
        }
    }

    /// Converts a time of the run into the corresponding time of the machine's clock.
    pub const fn by_clock_us(&self, at_us: u64) -> u64 {
        at_us.saturating_add_signed(self.ahead_us.saturating_neg())
    }

    /// Sets the time of a schedule to `at_us`, even if `at_us` is a little before the present time.
    pub fn turn_to(&mut self, at_us: u64) {
        self.scheduled_us = self.scheduled_us.map(|_| at_us);
    }

    /// Advances the time of a schedule to `at_us`, unless the present time is already later.
    pub fn reach(&mut self, at_us: u64) {
        self.scheduled_us = self.scheduled_us.map(|now_us| now_us.max(at_us));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_never_later_than_the_present() {
        let time = Time::by(Clock::starting_now());
        assert_eq!(time.of_step(0), 0);
        let latest_us = time.of_step(u64::MAX);
        assert!(latest_us <= time.now_us());
    }
}
