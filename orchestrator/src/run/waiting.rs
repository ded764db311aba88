//! Waiting until something happens in a run.

use tokio::sync::oneshot;

use super::core::Core;
use super::waiters::{Awaited, Heard, InVain, Wanted, is_stuck, waits_in_vain};
use interlock_simulation::scenario::{Until, Watch};

impl Core {
    /// Tells the seq at which it is so, at once if it is now; or that it does not come any more.
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

    /// Tells the seq at which it is so from now on, to the end of the run: for whoever is about to move what stands still.
    pub fn wait_to_the_end(&mut self, until: &Until) -> oneshot::Receiver<Heard> {
        self.waiters.add(Wanted::UntilTheEnd(Watch::new(until)))
    }

    /// Somebody who waits has seen this much of it before: what counts goes on from there.
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
