//! What the steps of a scenario do that can set a waiting run going again.
//!
//! A monitor reads the events and the specification and nothing else. It subtracts the events that carry these acts out,
//! and so knows which of them are still to come: live, simulated, replayed and from a journal alike.

use serde::{Deserialize, Serialize};

use crate::choice::Choice;

/// How many acts of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Planned {
    /// Restarts of crashed processes, by a step of their own or after a crash for a time.
    #[serde(skip_serializing_if = "is_zero")]
    pub restarts: u64,
    /// Notices to a process that another is suspected or trusted.
    #[serde(skip_serializing_if = "is_zero")]
    pub notices: u64,
    /// Calls of an election.
    #[serde(skip_serializing_if = "is_zero")]
    pub elections: u64,
    /// Proposals of a value.
    #[serde(skip_serializing_if = "is_zero")]
    pub proposals: u64,
    /// Whether a nemesis restarts each process that it crashes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nemesis_restarts: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Planned {
    /// Whether no such act is planned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a choice, and its undoing if it lasts only for a time.
    pub const fn add(&mut self, choice: &Choice, is_undone: bool) {
        match choice {
            Choice::Restart { .. } => self.restarts += 1,
            Choice::Crash { .. } if is_undone => self.restarts += 1,
            Choice::Suspect { .. } | Choice::Trust { .. } => self.notices += if is_undone { 2 } else { 1 },
            Choice::Elect { .. } => self.elections += 1,
            Choice::Propose { .. } => self.proposals += 1,
            _ => {}
        }
    }
}
