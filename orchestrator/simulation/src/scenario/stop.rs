//! The conditions under which a run or a scenario ends.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::condition::Until;
use super::step::span;
use interlock_model::field_error::{FieldError, token};
use interlock_model::flow::flow;
use interlock_model::span::Span;
use interlock_model::specification::Specification;

/// The default duration of a run: ten seconds. A run whose steps or expectations need more time is longer.
pub(super) const USUAL: Span = Span(10_000_000);
/// The word for a run that ends when all steps are completed and all expected conditions are met.
const DECIDED: &str = "decided";

/// The end of a run: after a time, when a condition is met, or when the first of both happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunStop {
    /// Time after which the run ends, counted from the start of its processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Span>,
    /// The condition that ends the run, in the same form as in a wait: `"violation"`, `{"entries":100}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Until>)]
    pub when: Option<Value>,
}

impl RunStop {
    /// Reads the end of a run at the location `place` of the document. A word alone is a condition.
    ///
    /// # Errors
    /// Returns an error with a pointer to its location if the value is neither a word nor an object with only these
    /// fields.
    pub fn read(value: Value, place: &str) -> Result<Self, FieldError> {
        let mut map = match value {
            Value::Object(map) => map,
            Value::Number(_) | Value::String(_) if Span::deserialize(&value).is_ok() => {
                let time = flow(&value);
                return Err(FieldError::new(place, format!("`{time}` is a time; write `stop: {{ after: {time} }}`")));
            }
            Value::String(word) => Map::from_iter([("when".to_owned(), Value::String(word))]),
            _ => return Err(says_nothing(place)),
        };
        let after = map.remove("after").filter(|after| !after.is_null());
        let after = after.map(|after| span(after, &format!("{place}/after"))).transpose()?;
        let when = map.remove("when").filter(|when| !when.is_null());
        match map.keys().next() {
            None => Ok(Self { after, when }),
            Some(key) => {
                let mut error = FieldError::new(format!("{place}{}", token(key)), format!("unknown field `{key}`"));
                error.allowed = vec!["after".to_owned(), "when".to_owned()];
                Err(error.meant_by(key))
            }
        }
    }

    /// Returns the condition that ends the run, or none if only a time ends the run.
    ///
    /// # Errors
    /// Returns an error if there is neither a time nor a condition, or if this run does not support the condition.
    pub fn condition(&self, run: &Specification) -> Result<Option<Until>, Vec<FieldError>> {
        let Some(when) = &self.when else {
            return if self.after.is_none() { Err(vec![says_nothing("/stop")]) } else { Ok(None) };
        };
        let until = Until::read(when.clone()).map_err(|error| vec![error.below("/stop/when")])?;
        let errors = until.errors_if_awaited("/stop/when", run);
        if errors.is_empty() { Ok(Some(until)) } else { Err(errors) }
    }
}

fn says_nothing(place: &str) -> FieldError {
    let detail = "expected `after`, a time, or `when`, a condition; write `stop: { after: 60s, when: violation }`";
    FieldError::new(place, detail)
}

/// The end of a scenario. A scenario also ends if an expectation can no longer be met, or if nothing else can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Time limit: the scenario ends at the latest after this time, counted from the start of the run.
    pub after: Span,
    /// The condition that ends the run.
    pub when: Option<Until>,
    /// Whether the run ends when all steps are completed and all expected conditions are met.
    pub when_decided: bool,
}

impl Stop {
    /// Returns the default end of a run: at the time `after`. If the scenario has conditions or steps to wait for,
    /// the run ends earlier, as soon as the result is decided.
    pub(super) const fn usual(has_something_to_wait_for: bool, after: Span) -> Self {
        Self { after, when: None, when_decided: has_something_to_wait_for }
    }

    /// Reads the end of the scenario at the location `place` of the document. `usual` is the default time limit.
    pub(super) fn read(value: Value, place: &str, usual: Span) -> Result<Self, FieldError> {
        let RunStop { after, when } = RunStop::read(value, place)?;
        let when_decided = when.as_ref().is_some_and(|when| when == DECIDED);
        let when = when.filter(|_| !when_decided).map(Until::read).transpose();
        let when = when.map_err(|error| error.below(&format!("{place}/when")))?;
        if when.as_ref().is_some_and(|until| !until.is_of_the_run()) {
            let detail = "a step can wait for this condition, but it cannot end a run; write stuck, slow, idle, \
                          violation, elected, decided or entered";
            return Err(FieldError::new(format!("{place}/when"), detail));
        }
        Ok(Self { after: after.unwrap_or(usual), when, when_decided })
    }
}

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// An expectation can no longer be met.
    NotMet,
    /// The condition that ends the run is met.
    When,
    /// The time limit of the run is reached.
    Time,
    /// All steps are completed, and all expected conditions are met.
    Decided,
    /// Nothing else can happen without a manual action, for this reason.
    NothingMoves(String),
    /// The run was aborted, for this reason.
    BrokenOff(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMet => formatter.write_str("an expectation can no longer be met"),
            Self::When => formatter.write_str("the condition for the end of the run was met"),
            Self::Time => formatter.write_str("the run reached its time limit"),
            Self::Decided => formatter.write_str("all steps are executed, and the scenario waits for nothing else"),
            Self::NothingMoves(how) => formatter.write_str(how),
            Self::BrokenOff(why) => write!(formatter, "interrupted: {why}"),
        }
    }
}
