//! Faults that are undone after a time: steps with `for` (a crash, a pause, a suspicion, a partition or a rule) and
//! faults of a nemesis.
//!
//! If a fault has already ended, its undo is dropped. Otherwise the undo could end a later fault of the same process.

use std::collections::BTreeMap;

use serde_json::json;

use interlock_model::choice::{Choice, Removal};
use interlock_model::event::{Event, What};
use interlock_model::process_status::ProcessStatus;
use interlock_model::strict;
use interlock_observation::state::State;

/// A planned undo of a fault.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    /// The action that undoes the fault.
    pub choice: Choice,
    /// The index of the step that caused the fault; absent for a fault of the nemesis.
    pub step: Option<usize>,
}

impl Undo {
    /// Returns whether the undo has no effect because its fault is already over. A process may end or resume by
    /// itself between two events.
    pub fn is_void(&self, state: &State) -> bool {
        let is = |node, process| state.node(node).is_some_and(|node| node.process == process);
        match &self.choice {
            Choice::Restart { node, .. } => !is(*node, ProcessStatus::Crashed),
            Choice::Resume { node } => !is(*node, ProcessStatus::Paused),
            Choice::Trust { node, whom } => !state.node(*node).is_some_and(|node| node.suspected.contains(whom)),
            // The removal of a partition or rule fails only if the network no longer contains that partition or rule.
            // The fault is then already over.
            _ => true,
        }
    }
}

/// All planned undos.
#[derive(Debug, Default)]
pub(super) struct Undoing {
    /// The undos, ordered by time in microseconds. A sequence number orders undos with the same time.
    due: BTreeMap<(u64, u64), Undo>,
    numbered: u64,
}

impl Undoing {
    /// Plans the undo of the action `done` for the time `at_us`. `id` is the number of the partition or rule that
    /// the action created.
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

    /// Drops the undos of the faults that this event ends. If `is_perfect`, the failure detector is perfect: the
    /// crash of a suspected process then makes the suspicion correct, so its undo is dropped.
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

    /// Removes and returns the first undo that is due.
    pub fn take_due(&mut self, now_us: u64) -> Option<Undo> {
        let first = self.due.first_entry().filter(|first| first.key().0 <= now_us)?;
        Some(first.remove())
    }

    /// Returns the time of the next undo, in microseconds since the start of the run.
    pub fn next_us(&self) -> Option<u64> {
        self.due.keys().next().map(|(at_us, _)| *at_us)
    }

    /// Returns the number of planned undos.
    pub fn len(&self) -> usize {
        self.due.len()
    }

    /// Returns whether no undo is planned.
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }
}
