//! The results that have been computed so far, as numbers. Each distinct process, message and inbox is stored once.
//! The result of a process's step is computed once, even if the step occurs in many states. Nothing in this module
//! depends on an algorithm.

use std::collections::HashMap;
use std::ops::Range;

use interlock_algorithm::NodeId;
use rustc_hash::FxBuildHasher;

use super::environment::{Budget, Environment};
use super::interner::Interner;
use super::least::Rebase;
use super::marks::Marks;
use super::parts::{LocalStepKind, Step};

/// Number of the empty inbox.
pub(super) const EMPTY: u32 = 0;

/// The range of related items in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    first: u32,
    end: u32,
}

impl Span {
    /// Returns the range of the last `count` items in a list of this length.
    pub fn last(count: usize, length: usize) -> Self {
        let number = |place| u32::try_from(place).unwrap_or(u32::MAX);
        Self { first: number(length - count), end: number(length) }
    }

    pub const fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A message that can be received from an inbox, and the inbox without this message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub message: u32,
    pub rest: u32,
}

/// A step that a process can take without receiving a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Act {
    pub kind: LocalStepKind,
    /// The result of the step, as its index in the list of results.
    pub step: u32,
}

/// The results that have been computed so far.
pub(super) struct Known {
    /// Pairs of a process and its inbox. A state consists of one such pair for each node, and the budgets.
    pub pairs: Interner<(u32, u32)>,
    /// For each pair, the marks of its process. Marks are computed when they are needed, so `marks` may be shorter
    /// than the list of pairs.
    pub marks: Vec<Marks>,
    /// Remaining budgets, as they occur in states.
    pub budgets: Interner<Budget>,
    pub inboxes: Interner<Box<[u32]>>,
    /// The results of steps.
    pub steps: Vec<Step>,
    /// For each process, the range of its local steps in `acts`; none if they have not been computed.
    pub local_steps: Vec<Option<Span>>,
    pub acts: Vec<Act>,
    /// For each process and each message that it has received, the index of the result in `steps`.
    pub heard: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// For each inbox, the range in `opened` of the messages that can be received from it; none if they have not
    /// been computed.
    pub open: Vec<Option<Span>>,
    pub opened: Vec<Open>,
    /// For each inbox and each message that was added to it, the resulting inbox.
    pub put: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// Results of rebasing; none if states are not rebased. States that differ only in how far the unbounded numbers
    /// have advanced are equal after rebasing.
    pub rebase: Option<Rebase>,
}

impl Known {
    /// Creates the results at the start: only the empty inbox is known.
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

    /// Returns the process of a node in a state, with its inbox.
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
