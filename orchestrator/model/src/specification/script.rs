//! What is done to a run, and when: part of its specification, played by live and simulated runs alike.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::choice::Choice;
use crate::field_error::FieldError;
use crate::schema::Time;
use crate::span::Span;
use crate::specification::KnownAlgorithm;

/// The most that can be done to a run by its script.
pub const LONGEST_SCRIPT: usize = 1_000;

/// Something that is done at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// When, in ms since the run began.
    #[schema(value_type = Time)]
    pub at: Span,
    /// What.
    #[serde(rename = "do")]
    pub choice: Choice,
}

impl Scripted {
    /// What is wrong with it, standing at `pointer`, in a run of this algorithm with so many nodes and locks.
    #[must_use]
    pub fn errors(&self, pointer: &str, known: &KnownAlgorithm<'_>, nodes: u32, locks: u32) -> Vec<FieldError> {
        let mut errors = self.choice.errors(&format!("{pointer}/do"), known, nodes, locks);
        if let Choice::After(_) = self.choice {
            let detail = "a script says of everything when it happens: leave this out, and give what follows its time";
            errors.push(FieldError::new(format!("{pointer}/do/after"), detail));
        }
        if self.choice.is_part() {
            let detail = "only a schedule lets this happen by itself: a script says `restart`, `deliver`, `crash`";
            errors.push(FieldError::new(format!("{pointer}/do"), detail));
        }
        errors
    }
}
