//! Waiting for an event or a condition of a run.

use tokio::sync::oneshot;

use super::core::Core;
use super::waiters::{Awaited, Heard};
use interlock_simulation::scenario::{Until, Watch};

impl Core {
    /// Waits until a condition is met. The receiver gets the `seq` of the event that meets it, or the reason why
    /// it cannot be met. If the condition is already met, the receiver gets the number of the latest event at
    /// once.
    pub fn wait(&mut self, until: &Until) -> Awaited {
        let (now_us, pending) = (self.time.now_us(), self.pending_inputs());
        self.waiters.wait(until, (self.log.state(), now_us, pending), self.log.ended().is_some())
    }

    /// Waits until a later event meets a condition, up to the end of the run, even if the run is stuck. Intended for
    /// clients that will soon send a command to a stuck run.
    pub fn wait_to_the_end(&mut self, until: &Until) -> oneshot::Receiver<Heard> {
        self.waiters.wait_to_the_end(until)
    }

    /// Adds the observations of `before`, from earlier events, to a wait that has already begun. A condition that
    /// counts events then includes the events that `before` has counted.
    pub fn absorb(&mut self, awaited: &Awaited, before: &Watch) {
        let (now_us, pending) = (self.time.now_us(), self.pending_inputs());
        self.waiters.absorb(awaited, before, (self.log.state(), now_us, pending));
    }
}
