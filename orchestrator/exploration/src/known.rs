//! The results computed so far, as numbers. Each different process, message and inbox is stored once. The result
//! of each step of a process is computed once, however many states the step occurs in. Nothing here depends on an
//! algorithm.

use std::collections::HashMap;
use std::ops::Range;

use interlock_algorithm::NodeId;
use rustc_hash::FxBuildHasher;

use super::environment::{Budget, Environment};
use super::interner::Interner;
use super::least::Rebase;
use super::marks::Marks;
use super::parts::{LocalStepKind, Step};

/// The empty inbox.
pub(super) const EMPTY: u32 = 0;

/// The range of related items in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    first: u32,
    end: u32,
}

impl Span {
    /// Returns the last `count` items of a list of this length.
    pub fn last(count: usize, length: usize) -> Self {
        let number = |place| u32::try_from(place).unwrap_or(u32::MAX);
        Self { first: number(length - count), end: number(length) }
    }

    pub const fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A message in an inbox that can be taken, and the inbox without it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub message: u32,
    pub rest: u32,
}

/// A step that a process can take without a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Act {
    pub kind: LocalStepKind,
    /// The result, by its number among all steps.
    pub step: u32,
}

/// The results computed so far.
pub(super) struct Known {
    /// The pairs of a process and its inbox.
    pub pairs: Interner<(u32, u32)>,
    /// The marks of the process in each pair, as far as they have been computed.
    pub marks: Vec<Marks>,
    /// The remaining budgets.
    pub budgets: Interner<Budget>,
    pub inboxes: Interner<Box<[u32]>>,
    /// The results of steps.
    pub steps: Vec<Step>,
    /// The range in `acts` of the local steps of each process, if they have been computed.
    pub local_steps: Vec<Option<Span>>,
    pub acts: Vec<Act>,
    /// The index in `steps` of the result, by the process and the message that it has taken.
    pub heard: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// The range in `opened` of the messages that can be taken from each inbox, if they have been computed.
    pub open: Vec<Option<Span>>,
    pub opened: Vec<Open>,
    /// The inbox that results from adding a message, by the inbox before and the message.
    pub put: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// The results of rebasing, if states are distinguished only by differences of unbounded numbers.
    pub rebase: Option<Rebase>,
}

impl Known {
    /// Creates the initial results: only the empty inbox.
    pub fn new(environment: &Environment) -> Self {
        let mut inboxes = Interner::default();
        inboxes.intern(Box::default());
        Self {
            pairs: Interner::default(),
            marks: Vec::new(),
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

    /// Returns a process with its inbox.
    #[inline]
    pub fn pair(&self, state: &[u32], node: NodeId) -> (u32, u32) {
        *self.pairs.value(state[node.index()])
    }

    /// Returns the remaining budgets in a state.
    pub fn budget(&self, state: &[u32]) -> Budget {
        *self.budgets.value(state[state.len() - 1])
    }

    /// Stores the result of a step, and returns its number.
    pub fn keep(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        Span::last(1, self.steps.len()).first
    }

    /// Returns the approximate size in memory, in bytes.
    pub fn memory(&self) -> usize {
        let inboxes = self.inboxes.len() * 64 + self.opened.len() * size_of::<Open>() + self.pairs.len() * 16;
        let steps = self.steps.len() * 64 + self.acts.len() * size_of::<Act>() + self.local_steps.len() * 12;
        let rebase = self.rebase.as_ref().map_or(0, Rebase::memory);
        inboxes + steps + self.heard.len() * 24 + self.put.len() * 24 + self.marks.len() + rebase
    }
}
