//! When a run or a scenario is over.

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

/// How long a run lasts where nothing is said, and nothing in it has a longer time: ten seconds.
pub(super) const USUAL: Span = Span(10_000_000);
/// The word for the end of all steps and of all expectations that can be met.
const DECIDED: &str = "decided";

/// When a run is to end, if nobody ends it before: after a time, when something has come about, or whichever is first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunStop {
    /// After this time, counted from when its processes are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Span>,
    /// When this has come about: `"violation"`, `{"entries":100}`, all that can be waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Until>)]
    pub when: Option<Value>,
}

impl RunStop {
    /// Reads what stands at a place; a word is what has to come about.
    ///
    /// # Errors
    /// When it is neither a word nor has these fields alone, with a pointer to the place.
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

    /// Returns the condition that ends the run, if it does not end by time alone.
    ///
    /// # Errors
    /// It says nothing, or names something that this run cannot have.
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
    let detail = "`after`, a time, or `when`, a condition, is expected; write `stop: { after: 60s, when: violation }`";
    FieldError::new(place, detail)
}

/// The end of a run, unless an expectation can no longer be met or nothing moves before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// At the latest then, counted from the beginning.
    pub after: Span,
    /// When this has come about.
    pub when: Option<Until>,
    /// When all steps are done and all that is to come about has.
    pub when_decided: bool,
}

impl Stop {
    /// When a run is over of which it is not said: when all is decided if there is something to wait for, and after this
    /// time.
    pub(super) const fn usual(has_something_to_wait_for: bool, after: Span) -> Self {
        Self { after, when: None, when_decided: has_something_to_wait_for }
    }

    /// Reads what stands at a place; a run whose time is not said lasts as long as `usual`.
    pub(super) fn read(value: Value, place: &str, usual: Span) -> Result<Self, FieldError> {
        let RunStop { after, when } = RunStop::read(value, place)?;
        let when_decided = when.as_ref().is_some_and(|when| when == DECIDED);
        let when = when.filter(|_| !when_decided).map(Until::read).transpose();
        let when = when.map_err(|error| error.below(&format!("{place}/when")))?;
        if when.as_ref().is_some_and(|until| !until.is_of_the_run()) {
            let detail = "this can be waited for in a step, but does not end a run: name stuck, slow, idle, violation, \
                          elected, decided or entered";
            return Err(FieldError::new(format!("{place}/when"), detail));
        }
        Ok(Self { after: after.unwrap_or(usual), when, when_decided })
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// An expectation can no longer be met.
    NotMet,
    /// Its condition is met.
    When,
    /// Its time was over.
    Time,
    /// All steps are done, and all that was to come about has.
    Decided,
    /// Nothing moves by itself any more, for this reason.
    NothingMoves(String),
    /// It was broken off, for this reason.
    BrokenOff(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMet => formatter.write_str("something could not be met any more"),
            Self::When => formatter.write_str("what was to end the run has come about"),
            Self::Time => formatter.write_str("the time of the run was over"),
            Self::Decided => formatter.write_str("all steps are done, and all that was to come about has"),
            Self::NothingMoves(how) => formatter.write_str(how),
            Self::BrokenOff(why) => write!(formatter, "it was broken off: {why}"),
        }
    }
}
