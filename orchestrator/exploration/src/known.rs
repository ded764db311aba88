//! What is known of steps, over numbers: processes, messages and inboxes are kept once each, and what comes of a step of a
//! process is worked out once, however many states it is taken in.
//! Nothing here belongs to an algorithm.

use std::collections::HashMap;
use std::ops::Range;

use interlock_algorithm::NodeId;
use rustc_hash::FxBuildHasher;

use super::environment::{Budget, Environment};
use super::interner::Interner;
use super::least::Rebase;
use super::parts::{LocalStepKind, Step};

/// The inbox with nothing in it.
pub(super) const EMPTY: u32 = 0;

/// Where things that belong together are in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    first: u32,
    end: u32,
}

impl Span {
    /// The last so many of a list that has become so long.
    pub fn last(count: usize, length: usize) -> Self {
        let number = |place| u32::try_from(place).unwrap_or(u32::MAX);
        Self { first: number(length - count), end: number(length) }
    }

    pub const fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A message in an inbox that can be taken, and what is left then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub message: u32,
    pub rest: u32,
}

/// Something that a process can do by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Act {
    pub kind: LocalStepKind,
    /// What comes of it, by its number among all steps.
    pub step: u32,
}

/// What was worked out so far.
pub(super) struct Known {
    /// A process and its inbox.
    pub pairs: Interner<(u32, u32)>,
    /// What may still happen so often only.
    pub budgets: Interner<Budget>,
    pub inboxes: Interner<Box<[u32]>>,
    /// What comes of steps.
    pub steps: Vec<Step>,
    /// What each process can do by itself, in `acts`.
    pub local_steps: Vec<Option<Span>>,
    pub acts: Vec<Act>,
    /// What comes of each message that a process has taken, in `steps`.
    pub heard: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// What can be taken out of each inbox, in `opened`.
    pub open: Vec<Option<Span>>,
    pub opened: Vec<Open>,
    /// Each inbox with a message more.
    pub put: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// What is known of numbers that grow, where states are told apart by what is between them only.
    pub rebase: Option<Rebase>,
}

impl Known {
    /// Nothing but the empty inbox.
    pub fn new(environment: &Environment) -> Self {
        let mut inboxes = Interner::default();
        inboxes.intern(Box::default());
        Self {
            pairs: Interner::default(),
            budgets: Interner::default(),
            inboxes,
            steps: Vec::new(),
            local_steps: Vec::new(),
            acts: Vec::new(),
            heard: HashMap::default(),
            open: vec![None],
            opened: Vec::new(),
            put: HashMap::default(),
            rebase: environment.comes_again().then(Rebase::default),
        }
    }

    /// A process with its inbox.
    #[inline]
    pub fn pair(&self, state: &[u32], node: NodeId) -> (u32, u32) {
        *self.pairs.value(state[node.index()])
    }

    /// What may still go wrong in a state.
    pub fn budget(&self, state: &[u32]) -> Budget {
        *self.budgets.value(state[state.len() - 1])
    }

    /// Keeps what comes of a step; says its number.
    pub fn keep(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        Span::last(1, self.steps.len()).first
    }

    /// How much memory it takes, in bytes, about.
    pub fn memory(&self) -> usize {
        let inboxes = self.inboxes.len() * 64 + self.opened.len() * size_of::<Open>() + self.pairs.len() * 16;
        let steps = self.steps.len() * 64 + self.acts.len() * size_of::<Act>() + self.local_steps.len() * 12;
        let rebase = self.rebase.as_ref().map_or(0, Rebase::memory);
        inboxes + steps + self.heard.len() * 24 + self.put.len() * 24 + rebase
    }
}
