//! Waiting until something happens in a run.

use tokio::sync::oneshot;

use super::core::Core;
use super::waiters::{Awaited, Heard, InVain, Wanted, is_stuck, waits_in_vain};
use interlock_simulation::scenario::{Until, Watch};

impl Core {
    /// Waits until a condition is met. The receiver gets the `seq` at which it is met (at once if it is met now), or
    /// why it cannot be met.
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

    /// Waits until a condition is met from now on, up to the end of the run. For clients that are about to move a stuck
    /// run.
    pub fn wait_to_the_end(&mut self, until: &Until) -> oneshot::Receiver<Heard> {
        self.waiters.add(Wanted::UntilTheEnd(Watch::new(until)))
    }

    /// Adds to a wait what was observed before it began: its counts continue from those of `before`.
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
