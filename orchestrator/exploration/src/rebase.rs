//! Identifies states that differ only in how far unbounded counters, such as clocks, have advanced. Each number of a
//! counter is reduced by the least number of this counter in all processes and all messages in transit.
//!
//! As a result, states can recur although clients request without limit. The algorithm says which numbers may be
//! reduced: see [`Algorithm::growing`](interlock_algorithm::Algorithm::growing).

use interlock_algorithm::Show;

use super::known::EMPTY;
use super::least::{is_nothing, note};
use super::moves::Move;
use super::system::System;

impl System<'_> {
    /// Reduces every unbounded number of a state by the least number of its counter. If any number was reduced,
    /// returns the reduction of each counter.
    pub(super) fn rebase(&mut self, state: &mut [u32]) -> Option<Box<[u64]>> {
        let last = state.len() - 1;
        for &pair in &state[..last] {
            self.learn_least(pair)?;
        }
        let rebase = self.known.rebase.as_mut()?;
        let by = rebase.least(&state[..last]).filter(|by| !is_nothing(by))?;
        let (number, _) = rebase.by.intern(by.clone());
        for pair in &mut state[..last] {
            *pair = self.lessened(*pair, number, &by);
        }
        Some(by)
    }

    /// Returns the reduction that is applied to the state after a move from this state. If no number is reduced,
    /// returns none.
    pub(super) fn rebased_after(&mut self, state: &[u32], happens: Move) -> Option<Box<[u64]>> {
        self.known.rebase.as_ref()?;
        let mut after = None;
        self.followers(state, &mut Vec::new(), &mut |_, other, _, next| {
            if other == happens {
                after = Some(next.to_vec());
            }
        });
        self.rebase(&mut after?)
    }

    /// Returns the greatest unbounded number of a process and its inbox.
    pub(super) fn greatest(&self, pair: u32) -> u64 {
        let mut greatest = 0;
        self.grown(pair, &mut |_, number| greatest = greatest.max(*number));
        greatest
    }

    /// Passes every unbounded number of a process and its inbox to `show`.
    fn grown(&self, pair: u32, show: &mut Show<'_>) {
        let &(process, inbox) = self.known.pairs.value(pair);
        self.parts.growing(process, show);
        for &message in &**self.known.inboxes.value(inbox) {
            self.parts.growing_in(message, show);
        }
    }

    /// Stores the least number of each counter in a process and its inbox. If states are not rebased, returns none.
    fn learn_least(&mut self, pair: u32) -> Option<()> {
        if self.known.rebase.as_ref()?.least.contains_key(&pair) {
            return Some(());
        }
        let mut least = Vec::new();
        self.grown(pair, &mut |count, number| note(&mut least, count, *number));
        self.known.rebase.as_mut()?.least.insert(pair, least.into());
        Some(())
    }

    /// Returns a process and its inbox after the reduction `by`, which has this number in the interner.
    fn lessened(&mut self, pair: u32, number: u32, by: &[u64]) -> u32 {
        let known = self.known.rebase.as_ref().and_then(|rebase| rebase.lessened.get(&(pair, number)));
        if let Some(&lessened) = known {
            return lessened;
        }
        let &(process, inbox) = self.known.pairs.value(pair);
        let messages = self.known.inboxes.value(inbox).to_vec();
        let process = self.parts.lessened(process, by);
        let inbox = messages.into_iter().fold(EMPTY, |inbox, message| {
            let message = self.parts.lessened_message(message, by);
            self.put(inbox, message)
        });
        let (lessened, _) = self.known.pairs.intern((process, inbox));
        if let Some(rebase) = &mut self.known.rebase {
            rebase.lessened.insert((pair, number), lessened);
        }
        lessened
    }
}
