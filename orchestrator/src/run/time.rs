//! The time in a run: that of the machine, or that of a schedule.

use interlock_node::Clock;

/// The time of a run, in microseconds since it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    clock: Clock,
    /// Present time while a schedule determines when things happen.
    scheduled_us: Option<u64>,
    /// Offset to be added to the clock: how far the schedule was ahead of it, or behind it if negative, when the run
    /// left the schedule.
    ahead_us: i64,
}

impl Time {
    /// Creates a time that follows this clock.
    pub const fn by(clock: Clock) -> Self {
        Self { clock, scheduled_us: None, ahead_us: 0 }
    }

    /// Creates a time that advances only as a schedule says.
    pub const fn by_schedule(clock: Clock) -> Self {
        Self { clock, scheduled_us: Some(0), ahead_us: 0 }
    }

    /// Returns the clock of the machine, which counts from the start of the run.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the present time.
    pub fn now_us(&self) -> u64 {
        self.scheduled_us.unwrap_or_else(|| self.clock.now_us().saturating_add_signed(self.ahead_us))
    }

    /// Returns the time of a step in the run, from the time that its process reports by the clock of the machine.
    pub fn of_step(&self, at_us: u64) -> u64 {
        self.scheduled_us.unwrap_or_else(|| at_us.saturating_add_signed(self.ahead_us).min(self.now_us()))
    }

    /// Makes the time continue by itself from where the schedule left it.
    pub fn go_on(&mut self) {
        let clock_us = i64::try_from(self.clock.now_us()).unwrap_or(i64::MAX);
        if let Some(now_us) = self.scheduled_us.take() {
            self.ahead_us = i64::try_from(now_us).unwrap_or(i64::MAX).saturating_sub(clock_us);
        }
    }

    /// Converts a time of the run into one by the clock of the machine.
    pub const fn by_clock_us(&self, at_us: u64) -> u64 {
        at_us.saturating_add_signed(self.ahead_us.saturating_neg())
    }

    /// Sets the time of a schedule, which may be a little before the present one.
    pub fn turn_to(&mut self, at_us: u64) {
        self.scheduled_us = self.scheduled_us.map(|_| at_us);
    }

    /// Advances the time of a schedule to this time, unless it is already later.
    pub fn reach(&mut self, at_us: u64) {
        self.scheduled_us = self.scheduled_us.map(|now_us| now_us.max(at_us));
    }
}
