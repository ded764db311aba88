//! The actions that a script or a scenario executes on a simulated run, and their times.

use std::cell::RefCell;

use super::observer::Watcher;
use crate::scenario::Next;
use interlock_model::choice::Choice;
use interlock_model::impossible::Impossible;
use interlock_model::specification::Scripted;

/// The source of the actions on a run: a script or a scenario.
pub(super) enum Agenda<'a> {
    /// A script: each action at its time.
    Script(std::vec::IntoIter<Scripted>),
    /// A scenario. The watcher passes the events to the director of the scenario. The second value is the director's
    /// latest answer.
    Directed(&'a RefCell<Watcher>, Option<Next>),
}

impl Agenda<'_> {
    /// Returns the time of the next action, or the time at which the director must be asked again.
    #[inline(always)]
    pub fn next_at(&mut self, now_us: u64) -> Option<u64> {
        match self {
            Self::Script(script) => script.as_slice().first().map(|scripted| scripted.at.0),
            Self::Directed(..) => self.ask(now_us),
        }
    }

    #[inline(never)]
    fn ask(&mut self, now_us: u64) -> Option<u64> {
        let Self::Directed(watcher, next) = self else { return None };
        let asked = next.take().filter(|next| matches!(next, Next::Do(_)));
        match next.insert(asked.unwrap_or_else(|| watcher.borrow_mut().direct(now_us))) {
            Next::Do(_) | Next::Over => Some(now_us),
            Next::At(u64::MAX) => None,
            Next::At(at) => Some(*at),
        }
    }

    /// Returns the action that is due now, if any.
    pub fn take(&mut self) -> Option<Choice> {
        match self {
            Self::Script(script) => script.next().map(|scripted| scripted.choice),
            Self::Directed(_, next) => match next.take() {
                Some(Next::Do(choice)) => Some(choice),
                _ => None,
            },
        }
    }

    /// Processes the result of the action that was taken.
    pub fn done(&self, now_us: u64, done: Result<(), Impossible>) {
        if let Self::Directed(watcher, _) = self {
            watcher.borrow_mut().directed(now_us, done);
        }
    }

    /// Passes the end of a turn on to the director.
    #[inline(always)]
    pub fn turn_over(&self, now_us: u64) {
        if let Self::Directed(watcher, _) = self {
            watcher.borrow_mut().turn_over(now_us);
        }
    }

    /// Reports to the director that no event is left. Returns whether the director nevertheless continues with an
    /// action.
    pub fn goes_on(&self, now_us: u64) -> bool {
        match self {
            Self::Script(_) => false,
            Self::Directed(watcher, _) => watcher.borrow_mut().nothing_moves(now_us),
        }
    }

    /// Returns the number of actions that will be executed even if no further event occurs.
    #[inline(always)]
    pub fn left(&self) -> usize {
        match self {
            Self::Script(script) => script.as_slice().len(),
            Self::Directed(watcher, _) => watcher.borrow().left(),
        }
    }

    /// Returns whether no actions are left, whatever happens in the run.
    pub fn has_done_all(&self) -> bool {
        match self {
            Self::Script(script) => script.as_slice().is_empty(),
            Self::Directed(watcher, _) => watcher.borrow().has_done_all(),
        }
    }

    /// Returns whether the director has ended the run.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Directed(_, Some(Next::Over)))
    }
}
