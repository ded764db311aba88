//! What time it is in a run: that of the machine, or that of a schedule.

use interlock_node::Clock;

/// The time of a run, in microseconds since it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    clock: Clock,
    /// What time it is while a schedule says when things happen.
    scheduled_us: Option<u64>,
    /// What is to be added to the time of the clock: what a schedule was ahead of it, or behind, when it was left.
    ahead_us: i64,
}

impl Time {
    /// The time by this clock.
    pub const fn by(clock: Clock) -> Self {
        Self { clock, scheduled_us: None, ahead_us: 0 }
    }

    /// A time that stands still but for what a schedule says.
    pub const fn by_schedule(clock: Clock) -> Self {
        Self { clock, scheduled_us: Some(0), ahead_us: 0 }
    }

    /// The clock of the machine that began with the run.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Now.
    pub fn now_us(&self) -> u64 {
        self.scheduled_us.unwrap_or_else(|| self.clock.now_us().saturating_add_signed(self.ahead_us))
    }

    /// When a step was taken that a process says it took at this time by the clock of the machine.
    pub fn of_step(&self, at_us: u64) -> u64 {
        self.scheduled_us.unwrap_or_else(|| at_us.saturating_add_signed(self.ahead_us).min(self.now_us()))
    }

    /// From now on the time goes on from where the schedule left it.
    pub fn go_on(&mut self) {
        let clock_us = i64::try_from(self.clock.now_us()).unwrap_or(i64::MAX);
        if let Some(now_us) = self.scheduled_us.take() {
            self.ahead_us = i64::try_from(now_us).unwrap_or(i64::MAX).saturating_sub(clock_us);
        }
    }

    /// When it is so late by the clock of the machine.
    pub const fn by_clock_us(&self, at_us: u64) -> u64 {
        at_us.saturating_add_signed(self.ahead_us.saturating_neg())
    }

    /// A schedule says that it is this time, which may be a little before what it was.
    pub fn turn_to(&mut self, at_us: u64) {
        self.scheduled_us = self.scheduled_us.map(|_| at_us);
    }

    /// A schedule says that it is so late now, if it is not later.
    pub fn reach(&mut self, at_us: u64) {
        self.scheduled_us = self.scheduled_us.map(|now_us| now_us.max(at_us));
    }
}
