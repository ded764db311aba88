//! Waiting for an event or a condition of a run.

use tokio::sync::oneshot;

use super::core::Core;
use super::waiters::{Awaited, Heard, InVain, Wanted, is_stuck, waits_in_vain};
use interlock_simulation::scenario::{Until, Watch};

impl Core {
    /// Waits until a condition is met. The receiver gets the `seq` of the event that meets it, or the reason why
    /// it cannot be met. If the condition is already met, the receiver gets the number of the latest event at
    /// once.
    pub fn wait(&mut self, until: &Until) -> Awaited {
        let since = self.latest();
        let mut watch = Watch::new(until);
        let pending = self.pending_inputs();
        let heard = if watch.look_first(self.observation.state(), self.time.now_us(), pending) {
            Ok(self.latest())
        } else if self.ended.is_some() {
            Err(InVain::Ended)
        } else if is_stuck(self.observation.state(), pending) && waits_in_vain(&watch, self.observation.state()) {
            Err(InVain::Stuck)
        } else {
            let heard = self.waiters.add(Wanted::Until(watch));
            return Awaited { heard, since, number: Some(self.waiters.numbered) };
        };
        let (sender, receiver) = oneshot::channel();
        let _ = sender.send(heard);
        Awaited { heard: receiver, since, number: None }
    }

    /// Waits until a later event meets a condition, up to the end of the run, even if the run is stuck. Meant for
    /// clients that are about to send a command to a stuck run.
    pub fn wait_to_the_end(&mut self, until: &Until) -> oneshot::Receiver<Heard> {
        self.waiters.add(Wanted::UntilTheEnd(Watch::new(until)))
    }

    /// Adds the observations of `before`, from earlier events, to a wait that has already begun. The counts of the
    /// wait continue from the counts of `before`.
    pub fn absorb(&mut self, awaited: &Awaited, before: &Watch) {
        let (now_us, pending, seq) = (self.time.now_us(), self.pending_inputs(), self.latest());
        let Self { waiters, observation, .. } = self;
        let Some(place) = waiters.waiting.iter().position(|waiter| Some(waiter.number) == awaited.number) else {
            return;
        };
        if let Wanted::Until(watch) = &mut waiters.waiting[place].wanted
            && (watch.absorb(before) || watch.look(observation.state(), now_us, pending))
        {
            let _ = waiters.waiting.swap_remove(place).sender.send(Ok(seq));
        }
    }
}
