//! What is done to a simulated run, and when: as a script says, or as a scenario does.

use std::cell::RefCell;

use super::observer::Watcher;
use crate::scenario::Next;
use interlock_model::choice::Choice;
use interlock_model::impossible::Impossible;
use interlock_model::specification::Scripted;

/// What is done to a run.
pub(super) enum Agenda<'a> {
    /// Each thing at its time.
    Script(std::vec::IntoIter<Scripted>),
    /// What a director says, who sees what the watcher sees.
    Directed(&'a RefCell<Watcher>, Option<Next>),
}

impl Agenda<'_> {
    /// When the next thing is to be done, or it has to be asked again.
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

    /// What is done now, if anything is.
    pub fn take(&mut self) -> Option<Choice> {
        match self {
            Self::Script(script) => script.next().map(|scripted| scripted.choice),
            Self::Directed(_, next) => match next.take() {
                Some(Next::Do(choice)) => Some(choice),
                _ => None,
            },
        }
    }

    /// Takes the outcome of the choice that was taken.
    pub fn done(&self, now_us: u64, done: Result<(), Impossible>) {
        if let Self::Directed(watcher, _) = self {
            watcher.borrow_mut().directed(now_us, done);
        }
    }

    /// A turn is over.
    #[inline(always)]
    pub fn turn_over(&self, now_us: u64) {
        if let Self::Directed(watcher, _) = self {
            watcher.borrow_mut().turn_over(now_us);
        }
    }

    /// Nothing is left to happen: says whether something is done all the same.
    pub fn goes_on(&self, now_us: u64) -> bool {
        match self {
            Self::Script(_) => false,
            Self::Directed(watcher, _) => watcher.borrow_mut().nothing_moves(now_us),
        }
    }

    /// How many things are known to be done yet.
    #[inline(always)]
    pub fn left(&self) -> usize {
        match self {
            Self::Script(script) => script.as_slice().len(),
            Self::Directed(watcher, _) => watcher.borrow().left(),
        }
    }

    /// Whether nothing is done in the run any more, however it went on.
    pub fn has_done_all(&self) -> bool {
        match self {
            Self::Script(script) => script.as_slice().is_empty(),
            Self::Directed(watcher, _) => watcher.borrow().has_done_all(),
        }
    }

    /// Whether it is over before all has happened.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Directed(_, Some(Next::Over)))
    }
}
