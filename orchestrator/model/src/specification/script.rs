//! The script of a run: actions, each with a time. Live and simulated runs have a script in their specification.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::choice::Choice;
use crate::field_error::FieldError;
use crate::schema::Time;
use crate::span::Span;
use crate::specification::KnownAlgorithm;

/// Maximum number of actions in a script.
pub const LONGEST_SCRIPT: usize = 1_000;

/// An action with its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// Time of the action, in ms since the start of the run.
    #[schema(value_type = Time)]
    pub at: Span,
    /// The action.
    #[serde(rename = "do")]
    pub choice: Choice,
}

impl Scripted {
    /// Returns the errors of the action at `pointer`, for a run of the algorithm `known` with `nodes` nodes and
    /// `locks` locks.
    #[must_use]
    pub fn errors(&self, pointer: &str, known: &KnownAlgorithm<'_>, nodes: u32, locks: u32) -> Vec<FieldError> {
        let mut errors = self.choice.errors(&format!("{pointer}/do"), known, nodes, locks);
        if let Choice::After(_) = self.choice {
            let detail = "a script gives the time of each action; remove this, and write the time of the next action \
                          instead";
            errors.push(FieldError::new(format!("{pointer}/do/after"), detail));
        }
        if self.choice.is_part() {
            let detail = "only a schedule can have this action; in a script, write `restart`, `deliver` or `crash`";
            errors.push(FieldError::new(format!("{pointer}/do"), detail));
        }
        errors
    }
}
