//! Linux-specific functions: the parent-death signal, a lower priority, one clock for all processes, and a precise
//! timer.

use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Signal, getppid, getpriority_process, set_parent_process_death_signal, setpriority_process};
use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime, timerfd_create,
    timerfd_settime,
};
use tokio::io::unix::AsyncFd;

const NS_PER_SECOND: u64 = 1_000_000_000;
/// Niceness of the processes of a run. If processors are scarce, such a process gets a third of the time that a
/// process of normal priority gets.
const NICENESS: i32 = 5;

/// Makes the system kill this process when its parent dies. Returns whether `parent` is (still) the parent.
///
/// # Errors
/// If the system refuses.
pub fn die_with_parent(parent: u32) -> io::Result<bool> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // If the parent died before the signal was armed, the system sends no signal. So the parent must be checked
    // after arming.
    Ok(getppid().and_then(|pid| u32::try_from(pid.as_raw_pid()).ok()) == Some(parent))
}

/// Lowers the priority of this process, which matters only if processors are scarce.
///
/// Without other load, the processes of a run can use all processors. Programs that observe the run, or that run
/// beside it, have priority over these processes. Some systems first divide the processors among sessions,
/// regardless of priorities. On such a system this function has no effect.
pub fn give_way() {
    // If the priority cannot be lowered, the process continues with the usual priority.
    if let Ok(usual) = getpriority_process(None) {
        let _ = setpriority_process(None, usual + NICENESS);
    }
}

/// Clock of a run: it shows the time since the run began. All processes of the machine share the underlying clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    epoch_ns: u64,
}

impl Clock {
    /// Returns a clock for a run that begins now.
    #[must_use]
    pub fn starting_now() -> Self {
        Self::new(Self::new(0).now_us() * 1000)
    }

    /// Returns the beginning of the run, in nanoseconds of the machine's monotonic clock.
    #[must_use]
    pub const fn epoch_ns(self) -> u64 {
        self.epoch_ns
    }

    /// Returns a clock for a run that began at `epoch_ns` of the machine's monotonic clock.
    #[must_use]
    pub const fn new(epoch_ns: u64) -> Self {
        Self { epoch_ns }
    }

    /// Returns the current time in microseconds.
    #[must_use]
    pub fn now_us(self) -> u64 {
        let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Monotonic);
        let seconds = u64::try_from(tv_sec).unwrap_or(0);
        let nanoseconds = u64::try_from(tv_nsec).unwrap_or(0);
        (seconds * NS_PER_SECOND + nanoseconds).saturating_sub(self.epoch_ns) / 1000
    }

    /// Converts the time `at_us` of the run to a time of the machine's monotonic clock.
    fn moment(self, at_us: u64) -> Timespec {
        let ns = self.epoch_ns.saturating_add(at_us.saturating_mul(1000));
        let part = |ns| i64::try_from(ns).unwrap_or(i64::MAX);
        Timespec { tv_sec: part(ns / NS_PER_SECOND), tv_nsec: part(ns % NS_PER_SECOND) }
    }
}

/// A timer descriptor. It wakes at most some tens of microseconds late, whereas the timers of the runtime have a
/// resolution of a millisecond.
#[derive(Debug)]
pub struct Alarm {
    descriptor: AsyncFd<OwnedFd>,
    clock: Clock,
}

impl Alarm {
    /// Creates an alarm without a time. It works only in the runtime in which it is created.
    ///
    /// # Errors
    /// If the system has no descriptor left.
    pub fn new(clock: Clock) -> io::Result<Self> {
        let descriptor = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        #[expect(deprecated, reason = "an `OwnedFd` keeps by itself what the replacement, unsafe for that, asks for")]
        let descriptor = AsyncFd::new(descriptor)?;
        Ok(Self { descriptor, clock })
    }

    /// Sets the alarm to a time, in microseconds since the run began. `None` switches the alarm off. If the time is
    /// past, the alarm rings at once.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn set(&self, at_us: Option<u64>) -> io::Result<()> {
        // Setting the descriptor to zero would switch the alarm off. Every time of a run is greater than zero,
        // because the machine was started before the run.
        let never = Timespec { tv_sec: 0, tv_nsec: 0 };
        let value = at_us.map_or(never, |at_us| self.clock.moment(at_us.max(1)));
        let specification = Itimerspec { it_interval: never, it_value: value };
        timerfd_settime(&self.descriptor, TimerfdTimerFlags::ABSTIME, &specification)?;
        Ok(())
    }

    /// Waits until the alarm has probably rung. The function may also return too early.
    ///
    /// # Errors
    /// If the runtime is shutting down.
    pub async fn rang(&self) -> io::Result<()> {
        // There is no need to read the descriptor. When the alarm is set again, the system resets the descriptor.
        // The descriptor becomes readable again at the next expiry.
        self.descriptor.readable().await?.clear_ready();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_parent_is_the_parent() {
        let parent = getppid().and_then(|pid| u32::try_from(pid.as_raw_pid()).ok()).expect("a parent");
        assert!(die_with_parent(parent).expect("armed"));
        assert!(!die_with_parent(parent + 1).expect("armed"));
        set_parent_process_death_signal(None).expect("disarmed");
    }

    #[tokio::test]
    async fn an_alarm_rings_at_its_time_again_and_again_and_not_before() {
        let clock = Clock::starting_now();
        let alarm = Alarm::new(clock).expect("an alarm");
        for _ in 0..3 {
            let due_us = clock.now_us() + 3000;
            alarm.set(Some(due_us)).expect("set");
            alarm.rang().await.expect("rang");
            while clock.now_us() < due_us {
                alarm.rang().await.expect("woken for nothing");
            }
        }
        alarm.set(Some(0)).expect("set to the past");
        alarm.rang().await.expect("rang");
    }

    #[tokio::test]
    async fn an_alarm_taken_back_does_not_ring() {
        let clock = Clock::starting_now();
        let (alarm, other) = (Alarm::new(clock).expect("an alarm"), Alarm::new(clock).expect("an alarm"));
        alarm.set(Some(clock.now_us() + 1000)).expect("set");
        alarm.set(None).expect("taken back");
        other.set(Some(clock.now_us() + 5000)).expect("set");
        tokio::select! {
            _ = alarm.rang() => panic!("it rang"),
            rang = other.rang() => rang.expect("rang"),
        }
    }
}
