//! When a scenario is over.

use std::fmt;

use serde_json::{Map, Value};

use super::condition::Until;
use super::step::span;
use crate::field_error::{FieldError, token};
use crate::span::Span;

/// How long a run lasts where nothing is said, and nothing in it has a longer time: ten seconds.
pub(super) const USUAL: Span = Span(10_000_000);
/// What is written for the end of all steps and all expectations that can be met.
const DECIDED: &str = "decided";

/// When a run is over, if nothing ends it before: an expectation that cannot be met any more, or that nothing moves.
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
        let mut map = match value {
            Value::Object(map) => map,
            Value::String(word) => Map::from_iter([("when".to_owned(), Value::String(word))]),
            _ => return Err(FieldError::new(place, "`after`, a time, or `when`, a condition, is expected")),
        };
        let after = map.remove("after").map(|after| span(after, &format!("{place}/after"))).transpose()?;
        let when = map.remove("when");
        if let Some(key) = map.keys().next() {
            let mut error = FieldError::new(format!("{place}{}", token(key)), format!("unknown field `{key}`"));
            error.allowed = vec!["after".to_owned(), "when".to_owned()];
            return Err(error.meant_by(key));
        }
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
    /// Something cannot be met any more.
    NotMet,
    /// What was to end it has come about.
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
