//! Faults that end after a time: `for` beside a crash, a pause, a suspicion, a partition or a rule, and those of a nemesis.
//!
//! A fault that has ended already is not undone: otherwise its undo would end a later fault of the same process.

use std::collections::BTreeMap;

use serde_json::json;

use interlock_model::choice::{Choice, Removal};
use interlock_model::event::{Event, What};
use interlock_model::process_status::ProcessStatus;
use interlock_model::strict;
use interlock_observation::state::State;

/// An undo that is to come.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    /// The choice that undoes it.
    pub choice: Choice,
    /// The number of the step that it undoes; none for a fault of the nemesis.
    pub step: Option<usize>,
}

impl Undo {
    /// Whether the fault that it would end is over: a process may end or resume by itself between two events.
    pub fn is_void(&self, state: &State) -> bool {
        let is = |node, process| state.node(node).is_some_and(|node| node.process == process);
        match &self.choice {
            Choice::Restart { node, .. } => !is(*node, ProcessStatus::Crashed),
            Choice::Resume { node } => !is(*node, ProcessStatus::Paused),
            Choice::Trust { node, whom } => !state.node(*node).is_some_and(|node| node.suspected.contains(whom)),
            // The network refuses to remove only what it no longer has.
            _ => true,
        }
    }
}

/// All undos that are to come.
#[derive(Debug, Default)]
pub(super) struct Undoing {
    /// By the time, in microseconds, and by a number in the order of what was done.
    due: BTreeMap<(u64, u64), Undo>,
    numbered: u64,
}

impl Undoing {
    /// What was done is undone at this time. `id` is the number of the partition or rule that came of it.
    pub fn add(&mut self, at_us: u64, done: &Choice, id: Option<u64>, step: Option<usize>) {
        let choice = match (done, id) {
            (Choice::Crash { node }, _) => strict::deserialize(&json!({ "restart": { "node": node } })).ok(),
            (Choice::Suspect { node, whom }, _) => Some(Choice::Trust { node: *node, whom: *whom }),
            (Choice::Pause { node }, _) => Some(Choice::Resume { node: *node }),
            (Choice::Partition(_), Some(id)) => Some(Choice::Remove(Removal::Partition(id))),
            (Choice::Rule(_), Some(id)) => Some(Choice::Remove(Removal::Rule(id))),
            _ => None,
        };
        if let Some(choice) = choice {
            self.numbered += 1;
            self.due.insert((at_us, self.numbered), Undo { choice, step });
        }
    }

    /// Drops the undos of faults that this event ends. With a perfect detector, the crash of a suspected process makes its
    /// suspicion right.
    pub fn observe(&mut self, event: &Event, is_perfect: bool) {
        let ends = |undo: &Choice| match (&event.what, undo) {
            (What::Restarted { node, .. }, Choice::Restart { node: undone, .. })
            | (What::Resumed { node, .. } | What::Crashed { node, .. }, Choice::Resume { node: undone }) => {
                node == undone
            }
            (What::Trusted { at, whom }, Choice::Trust { node, whom: undone }) => (at.node, whom) == (*node, undone),
            (What::Crashed { node: crashed, .. }, Choice::Trust { node, whom }) => {
                crashed == node || is_perfect && crashed == whom
            }
            _ => false,
        };
        self.due.retain(|_, undo| !ends(&undo.choice));
    }

    /// Takes the first that is due.
    pub fn take_due(&mut self, now_us: u64) -> Option<Undo> {
        let first = self.due.first_entry().filter(|first| first.key().0 <= now_us)?;
        Some(first.remove())
    }

    /// When the next one is due, in microseconds since the run began.
    pub fn next_us(&self) -> Option<u64> {
        self.due.keys().next().map(|(at_us, _)| *at_us)
    }

    /// How many are to come.
    pub fn len(&self) -> usize {
        self.due.len()
    }

    /// Whether none is to come.
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }
}
